"""fairveil warm: compile the kernels before they are needed."""

from __future__ import annotations

from typing import Annotated

import typer

from fairveil.cli.options import Json
from fairveil.plural import counted


def warm(
    methods: Annotated[
        list[str] | None, typer.Argument(metavar="[METHOD]...", help="Compile for these methods only; default: all.")
    ] = None,
    json: Json = False,
) -> int:
    """Compile the kernels in advance, so that the first search is fast.

    Once per installation, on all cores. It can be interrupted at any time: kernels compiled so far are kept.
    """
    import time

    from fairveil.cli.terminal import say, say_json, working
    from fairveil.run.warming import warm as compile_kernels

    begun = time.monotonic()
    with working("compiling", announce=False) as progress:
        warmed = compile_kernels(progress, methods or ())
    seconds = round(time.monotonic() - begun, 1)
    if json:
        say_json({"compiled": warmed.compiled, "seconds": seconds, "folder": str(warmed.folder)})
    elif warmed.compiled:
        say(f"Compiled {counted(warmed.compiled, 'kernel')} in {seconds} s; they are in {warmed.folder}")
    else:
        say(f"Nothing to do: the kernels are already compiled, in {warmed.folder}")
    return 0
