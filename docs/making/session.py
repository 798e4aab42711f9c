"""Sessions: the commands of a page, run one after the other in one folder, with what they print.

Commands of fairveil run inside this process, which saves the time to start Python for each; others go to the shell.
"""

from __future__ import annotations

import contextlib
import io
import os
import shlex
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

COLUMNS = "96"
"""How wide tables may be, so that they fit onto a page."""


ANSWERS = ("fairveil check ", "fairveil attack ")
"""Commands whose exit code 1 is an answer: no, it does not hold."""


class Failed(AssertionError):
    """A snippet that did not do what its page says."""


@dataclass
class Session:
    """The folder in which the snippets of one page run, and the names that its Python blocks share."""

    folder: Path
    names: dict[str, Any] = field(default_factory=lambda: {"__name__": "__main__"})

    def shell(self, text: str) -> str:
        """Run each command and give what they printed. All must succeed; `check` and `attack` may answer no."""
        printed = []
        for command in commands_of(text):
            code, output = self._run(command)
            if code and not (code == 1 and command.startswith(ANSWERS)):
                raise Failed(f"`{command}` ended with exit code {code}:\n{output}")
            printed.append(output)
        return "".join(printed)

    def python(self, text: str) -> str:
        """Run a block of Python; gives what it printed."""
        with self._here(), contextlib.redirect_stdout(io.StringIO()) as out:
            exec(compile(text, "<snippet>", "exec", dont_inherit=True), self.names)
        return out.getvalue()

    def _run(self, command: str) -> tuple[int, str]:
        words = shlex.split(command, comments=True)
        if words[0] == "fairveil" and not any(sign in words for sign in ("|", ">", "<", "&&")):
            from fairveil import cli

            with self._here(), contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(out):
                return cli.run(words[1:]), out.getvalue()
        done = subprocess.run(["/bin/sh", "-c", command], cwd=self.folder, capture_output=True, text=True,
                              env=_environment(), timeout=120, check=False)  # fmt: skip
        return done.returncode, done.stdout + done.stderr

    @contextlib.contextmanager
    def _here(self) -> Any:
        before = {name: os.environ.get(name) for name in ("COLUMNS", "FAIRVEIL_KEY")}
        os.environ.update(COLUMNS=COLUMNS)
        with contextlib.chdir(self.folder):
            yield
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def _environment() -> dict[str, str]:
    beside = str(Path(sys.executable).parent)  # where `fairveil` and `python` are
    return {**os.environ, "PATH": f"{beside}{os.pathsep}{os.environ.get('PATH', '')}", "COLUMNS": COLUMNS}


def commands_of(text: str) -> list[str]:
    """The commands of a block: a line each, with or without a prompt; a line that ends with a backslash goes on."""
    lines = text.replace("\\\n", " ").splitlines()
    plain = [line.removeprefix("$ ").strip() for line in lines]
    return [line for line in plain if line and not line.startswith("#")]
