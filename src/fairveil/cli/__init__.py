"""The command line. One command per file; `NAMES` lists them, and `COMMANDS` is the registry for help, tests and docs.

Exit codes: 0 the promise holds, 1 it does not or cannot, 2 bad input, 130 interrupted. A problem is one line on
stderr. Heavy modules are imported inside the commands, and of the commands only the one that runs, so that they start
fast: `arguments` parses plain lines, `typer_app` all others.
"""

from __future__ import annotations

import atexit
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any, NoReturn

from fairveil.cli.own_process import TERMINATED, prepare

NAMES = (
    "demo", "init", "profile", "check", "explore", "release", "verify", "attack", "utility", "report", "apply",
    "studio", "reproduce", "completion",
)  # fmt: skip
"""The commands; each is a function in the module of its name."""

HOLDS, BROKEN, BAD_INPUT, INTERNAL, INTERRUPTED, UNREAD = 0, 1, 2, 70, 130, 141
COMPLETING = "_FAIRVEIL_COMPLETE"
"""The variable that is set when a shell asks for completions."""


def __getattr__(name: str) -> Any:
    if name not in ("app", "COMMANDS"):
        raise AttributeError(f"module 'fairveil.cli' has no attribute {name!r}")
    return getattr(import_module("fairveil.cli.typer_app"), name)


def main() -> NoReturn:
    """The entry point of the command `fairveil`."""
    prepare(lasting=sys.argv[1:2] == ["studio"])
    code = run(sys.argv[1:], alone=True)
    sys.stdout.flush()
    sys.stderr.flush()
    atexit._run_exitfuncs()  # removes the folders of temporary files that are still in use
    os._exit(code)  # all output is flushed; unloading hundreds of modules takes a third of a second


def run(arguments: Sequence[str], *, alone: bool = False) -> int:
    """Run a command line and return its exit code; every failure is one line on stderr.

    `alone`: the process is the command's own, so that it may load less of other packages.
    """
    from fairveil.errors import BadInput, Cancelled, Infeasible, Paused

    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # characters that the terminal lacks must not cause a failure
    completing = COMPLETING in os.environ
    try:
        code = _called_plainly(arguments, alone) if not completing else None
        if code is None:
            code = _called_by_typer(arguments, completing, alone)
        sys.stdout.flush()
        if code == INTERRUPTED:  # how Typer reports Ctrl-C
            raise KeyboardInterrupt
        return int(code or HOLDS)
    except BadInput as problem:
        return _fail(BAD_INPUT, str(problem))
    except Infeasible as problem:
        return _fail(BROKEN, str(problem))
    except Paused as paused:
        return _fail(INTERRUPTED, str(paused))
    except (KeyboardInterrupt, Cancelled):
        return _fail(INTERRUPTED, "interrupted: no incomplete file is left")
    except (BrokenPipeError, SystemExit) as stop:  # Click exits when the pipe is closed
        if getattr(stop, "code", None) == TERMINATED:
            raise
        if completing:
            return HOLDS
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # end quietly, as other programs do
        return UNREAD
    except OSError as problem:
        return _fail(BAD_INPUT, f"{problem.filename or 'the system'}: {problem.strerror or problem}")
    except MemoryError:
        return _fail(BAD_INPUT, "there is not enough memory for this")
    except Exception:
        import traceback

        from fairveil.cli.terminal import clean

        print(*map(clean, traceback.format_exc().splitlines()), sep="\n", file=sys.stderr)
        return _fail(INTERNAL, "this is an internal error of fairveil: please report it with the lines above")


def _called_plainly(arguments: Sequence[str], alone: bool) -> int | None:
    """Run a plain command line without Typer and return its exit code; None if Typer has to parse it."""
    if not arguments or arguments[0] not in NAMES:
        return None
    from fairveil.cli.arguments import NotPlain, parsed
    from fairveil.cli.lean import load_less
    from fairveil.cli.options import speaking_options

    command = getattr(import_module(f"fairveil.cli.{arguments[0]}"), arguments[0])
    command = getattr(command, "completed", lambda: command)()
    try:
        values = parsed(command, arguments[1:])
    except NotPlain:
        return None
    if alone:
        load_less()
    return int(speaking_options(command)(**values) or HOLDS)


def _called_by_typer(arguments: Sequence[str], completing: bool, alone: bool) -> Any:
    from fairveil.cli.typer_app import call

    if completing:
        from typer.completion import completion_init  # type: ignore[attr-defined]

        completion_init()
    if alone:
        from fairveil.cli.lean import convert_plain_arguments

        convert_plain_arguments()
    return call(arguments)


def _fail(code: int, sentence: str) -> int:
    from fairveil.cli.terminal import warn

    warn(sentence)
    return code
