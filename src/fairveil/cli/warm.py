"""fairveil warm: compile the kernels before they are needed."""

from __future__ import annotations

from typing import Annotated

from fairveil.cli.options import Json, argument
from fairveil.cli.terminal import say, say_json, working
from fairveil.messages import counted


def warm(
    methods: Annotated[list[str] | None, argument("[METHOD]...", "Only the kernels of these methods.")] = None,
    json: Json = False,
) -> int:
    """Compile the kernels in advance, so that the first search is fast.

    Once per installation, on all cores. It can be interrupted at any time: kernels compiled so far are kept.
    """
    import time

    from fairveil.run.warming import warm as compile_kernels

    begun = time.monotonic()
    with working("compiling", announce=False) as progress:
        compiled, folder = compile_kernels(progress, methods or ())
    seconds = round(time.monotonic() - begun, 1)
    if json:
        say_json({"compiled": compiled, "seconds": seconds, "folder": str(folder)})
    elif compiled:
        say(f"Compiled {counted(compiled, 'kernel')} in {seconds} s; they are in {folder}")
    else:
        say(f"Nothing to do: the kernels are already compiled, in {folder}")
    return 0
