"""fairveil completion: a script with which a shell completes commands and options."""

from __future__ import annotations

from typing import Annotated

from fairveil.cli import COMPLETING
from fairveil.cli.options import argument
from fairveil.errors import BadInput, suggest

SHELLS = ("bash", "zsh", "fish")


def completion(shell: Annotated[str, argument("SHELL", "bash, zsh or fish.")]) -> int:
    """Print a script that completes commands and options in your shell.

    For bash: fairveil completion bash >> ~/.bashrc. The options are those of the installed version.
    """
    from typer.completion import get_completion_script  # type: ignore[attr-defined]

    if shell not in SHELLS:
        raise BadInput(suggest(shell, SHELLS, "shell"))
    print(get_completion_script(prog_name="fairveil", complete_var=COMPLETING, shell=shell))
    return 0
