"""The command line. One command per file; `COMMANDS` is the registry for help, tests and docs.

Exit codes: 0 the promise holds, 1 it does not or cannot, 2 bad input, 130 interrupted. A problem is one line on
stderr. Heavy modules are imported inside the commands, so that `fairveil --help` is fast.
"""

from __future__ import annotations

import atexit
import gc
import os
import re
import signal
import sys
import warnings
from collections.abc import Callable, Sequence
from typing import Annotated, Any, NoReturn

import typer

from fairveil import __version__
from fairveil.cli.apply import apply
from fairveil.cli.attack import attack
from fairveil.cli.check import check
from fairveil.cli.completion import completion, prepare
from fairveil.cli.demo import demo
from fairveil.cli.explore import explore
from fairveil.cli.init import init
from fairveil.cli.lean import convert_plain_arguments
from fairveil.cli.options import LateCommand, speaking_options
from fairveil.cli.profile import profile
from fairveil.cli.release import release
from fairveil.cli.report import report
from fairveil.cli.reproduce import reproduce
from fairveil.cli.studio import studio
from fairveil.cli.terminal import clean, warn
from fairveil.cli.utility import utility
from fairveil.cli.verify import verify
from fairveil.errors import BadInput, Cancelled, Infeasible, Paused
from fairveil.registry import packages

COMMANDS: tuple[Callable[..., Any], ...] = (
    demo, init, profile, check, explore, release, verify, attack, utility, report, apply, studio, reproduce,
    completion,
)  # fmt: skip

UsageFault: Any = next(kind for kind in typer.BadParameter.__mro__ if kind.__name__ == "ClickException")
"""What Typer raises for invalid arguments, whether it uses Click or its own copy."""

HOLDS, BROKEN, BAD_INPUT, INTERNAL, INTERRUPTED, UNREAD, TERMINATED = 0, 1, 2, 70, 130, 141, 143

PLAIN_HELP: Any = {"rich_markup_mode": None, "context_settings": {"help_option_names": ["-h", "--help"]}}
"""Fast, and the same everywhere."""
app = typer.Typer(name="fairveil", add_completion=False, **PLAIN_HELP)
for command in COMMANDS:
    app.command(cls=LateCommand)(speaking_options(command))


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


def main() -> NoReturn:
    """The entry point of the command `fairveil`."""
    gc.set_threshold(200_000, 20, 20)  # collecting garbage while modules load takes a tenth of a short command's time
    signal.signal(signal.SIGTERM, _terminate)
    warnings.formatwarning = lambda message, *_, **__: f"{message}\n"
    convert_plain_arguments()
    code = run(sys.argv[1:])
    sys.stdout.flush()
    sys.stderr.flush()
    atexit._run_exitfuncs()  # removes the folders of temporary files that are still in use
    os._exit(code)  # all output is flushed; unloading hundreds of modules takes a third of a second


def _terminate(*_: object) -> NoReturn:
    raise SystemExit(TERMINATED)  # as an exception, so that half-written files are removed


def run(arguments: Sequence[str]) -> int:
    """Run a command line and return its exit code; every failure is one line on stderr."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # characters that the terminal lacks must not cause a failure
    completing = prepare()
    try:
        code = app(list(arguments) or ["--help"], prog_name="fairveil", standalone_mode=False)
        sys.stdout.flush()
        if code == INTERRUPTED:  # how Typer reports Ctrl-C
            raise KeyboardInterrupt
        return int(code or HOLDS)
    except BadInput as problem:
        return _fail(BAD_INPUT, str(problem))
    except Infeasible as problem:
        return _fail(BROKEN, str(problem))
    except UsageFault as problem:
        # both Typer and Click may add the same suggestion
        sentence = re.sub(r"( Did you mean [^?]*\?)\1+", r"\1", problem.format_message()).rstrip(".")
        context = getattr(problem, "ctx", None)
        see = f"see {context.command_path if context else 'fairveil'} --help"
        return _fail(BAD_INPUT, "; ".join([f"{sentence} ({see})", *packages.problems]))
    except Paused as paused:
        return _fail(INTERRUPTED, str(paused))
    except (KeyboardInterrupt, typer.Abort, Cancelled):
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

        print(*map(clean, traceback.format_exc().splitlines()), sep="\n", file=sys.stderr)
        return _fail(INTERNAL, "this is an internal error of fairveil: please report it with the lines above")


def _fail(code: int, sentence: str) -> int:
    warn(sentence)
    return code
