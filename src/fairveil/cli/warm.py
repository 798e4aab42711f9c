"""fairveil warm: compile the kernels before they are needed."""

from __future__ import annotations

from fairveil.cli.options import Json


def warm(json: Json = False) -> int:
    """Compile what the methods need, so that no first search has to wait.

    Once per installation; it uses all cores. It may be stopped at any time: what is compiled stays.
    """
    import time

    from fairveil.cli.terminal import say, say_json, working
    from fairveil.run.warming import warm as compile_all

    begun = time.monotonic()
    with working("compiling", announce=False) as progress:
        warmed = compile_all(progress)
    seconds = round(time.monotonic() - begun, 1)
    if json:
        say_json({"compiled": warmed.compiled, "seconds": seconds, "folder": str(warmed.folder)})
    elif warmed.compiled:
        say(f"{warmed.compiled} kernels were compiled in {seconds} s; they are kept in {warmed.folder}")
    else:
        say(f"There is nothing to do: all kernels are compiled and kept in {warmed.folder}")
    return 0
