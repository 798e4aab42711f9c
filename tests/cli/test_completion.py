"""Shells complete commands and options, as the parser has them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from fairveil import cli


def asked(words: str, shell: str = "bash") -> list[str]:
    """What the shell is told when Tab is pressed after these words."""
    variables = {"COMP_WORDS": words, "COMP_CWORD": str(len(words.split(" ")) - 1), "_TYPER_COMPLETE_ARGS": words}
    run = subprocess.run(
        [sys.executable, "-m", "fairveil"], env={**os.environ, **variables, "_FAIRVEIL_COMPLETE": f"complete_{shell}"},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    return run.stdout.split()


def test_commands_and_options_are_those_of_the_parser() -> None:
    assert {command.__name__ for command in cli.COMMANDS} <= set(asked("fairveil "))
    assert {"--k", "--knowledge"} <= set(asked("fairveil check --k"))  # options of guards, which are loaded late
    assert asked("fairveil init --aud") == ["--audience"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_is_one_that_the_shell_runs(shell: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["completion", shell]) == 0
    script = capsys.readouterr().out
    assert "fairveil" in script and "_FAIRVEIL_COMPLETE" in script
    if shutil.which(shell):
        (tmp_path / "script").write_text(script)
        subprocess.run([shell, "-n", str(tmp_path / "script")], check=True)


def test_another_shell_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["completion", "bsh"]) == 2
    assert "did you mean 'bash'?" in capsys.readouterr().err
