"""The commands as an application of Typer, which describes them, completes words and refuses wrong ones.

Loaded only where `arguments.parsed` does not do: for `--help`, completion, and lines that are wrong or unusual.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Sequence
from functools import wraps
from importlib import import_module
from typing import Annotated, Any, get_args, get_type_hints

import typer
import typer.core
import typer.main

from fairveil import __version__
from fairveil.cli import NAMES
from fairveil.cli.arguments import Declaration
from fairveil.cli.options import speaking_options
from fairveil.errors import BadInput
from fairveil.registry import packages

COMMANDS: tuple[Callable[..., Any], ...] = tuple(getattr(import_module(f"fairveil.cli.{name}"), name) for name in NAMES)
UsageFault: Any = next(kind for kind in typer.BadParameter.__mro__ if kind.__name__ == "ClickException")
"""What Typer raises for invalid arguments, whether it uses Click or its own copy."""
PLAIN_HELP: Any = {"rich_markup_mode": None, "context_settings": {"help_option_names": ["-h", "--help"]}}
"""Fast, and the same everywhere."""


def for_typer(command: Callable[..., Any]) -> Callable[..., Any]:
    """The command, with its declarations in Typer's words."""
    hints = getattr(command, "hints", None) or get_type_hints(command, include_extras=True)
    parameters = [
        own.replace(annotation=_in_typers_words(hints[name]))
        for name, own in inspect.signature(command).parameters.items()
    ]

    @wraps(command)
    def wrapped(**values: Any) -> Any:
        return speaking_options(command)(**values)

    typed: Any = wrapped  # its signature is what Typer reads
    typed.__signature__ = inspect.Signature(parameters, return_annotation=int)
    typed.__annotations__ = {**{p.name: p.annotation for p in parameters}, "return": int}
    return wrapped


def _in_typers_words(hint: Any) -> Any:
    type_, declared = get_args(hint)
    assert isinstance(declared, Declaration)
    kind: Any = typer.Argument if declared.positional else typer.Option
    return Annotated[type_, kind(*declared.spellings, metavar=declared.metavar, help=declared.help, **declared.more)]


class LateCommand(typer.core.TyperCommand):
    """A command whose options are completed when it is used or described, not when all commands are listed."""

    def __init__(self, *args: Any, **given: Any) -> None:
        super().__init__(*args, **given)
        self.completed: Callable[[], Callable[..., Any]] | None = getattr(self.callback, "completed", None)
        if self.completed is not None:
            del self.params, self.callback  # made by __getattr__

    def __getattr__(self, name: str) -> Any:
        if name not in ("params", "callback") or self.completed is None:
            raise AttributeError(name)
        alone = typer.Typer(add_completion=False)
        alone.command()(for_typer(self.completed()))
        whole: Any = typer.main.get_command(alone)
        self.params, self.callback = whole.params, whole.callback
        return getattr(whole, name)


app = typer.Typer(name="fairveil", add_completion=False, **PLAIN_HELP)
for each in COMMANDS:
    app.command(cls=LateCommand)(for_typer(each))


def _version(wanted: bool) -> None:
    if wanted:
        print(f"fairveil {__version__}")
        raise typer.Exit


@app.callback()
def top(
    version: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")] = (
        False
    ),
) -> None:
    """Publish personal data that is private, fair and useful.

    Start with `fairveil demo`. Exit codes: 0 the promise holds, 1 it does not, 2 bad input.
    """


def call(arguments: Sequence[str]) -> Any:
    """Run a command line and return its exit code; raises BadInput for a wrong one, KeyboardInterrupt for Ctrl-C."""
    try:
        return app(list(arguments) or ["--help"], prog_name="fairveil", standalone_mode=False)
    except UsageFault as problem:
        # both Typer and Click may add the same suggestion
        sentence = re.sub(r"( Did you mean [^?]*\?)\1+", r"\1", problem.format_message()).rstrip(".")
        context = getattr(problem, "ctx", None)
        see = f"see {context.command_path if context else 'fairveil'} --help"
        raise BadInput("; ".join([f"{sentence} ({see})", *packages.problems])) from None
    except typer.Abort:
        raise KeyboardInterrupt from None
