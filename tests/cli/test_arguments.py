"""A command line that is parsed without Typer means what it means to Typer; all others are Typer's."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import typer.main
from hypothesis import given, settings
from hypothesis import strategies as st

from fairveil import cli
from fairveil.cli.arguments import NotPlain, parsed
from fairveil.cli.typer_app import UsageFault

COMMANDS = {command.__name__: command for command in cli.COMMANDS}
GROUP: Any = typer.main.get_command(cli.app)
VALUES = ["a", "", "7", "0", "-3", "1.5", "x=y", "a,b", ".", "/no/such/file", "-", "--", "--help", "-h", "--no-such"]


def spellings(name: str) -> list[str]:
    return [spelling for option in GROUP.commands[name].params for spelling in option.opts if spelling.startswith("--")]


@st.composite
def lines(draw: st.DrawFn) -> tuple[str, list[str]]:
    """A command, and words that are its options, with and without values, and other words."""
    name = draw(st.sampled_from(sorted(COMMANDS)))
    option, value = st.sampled_from(spellings(name) or ["--none"]), st.sampled_from(VALUES)
    joined = st.tuples(st.builds("{}={}".format, option, value))
    pieces = st.one_of(st.tuples(option, value), st.tuples(option), st.tuples(value), joined)
    return name, [word for piece in draw(st.lists(pieces, max_size=6)) for word in piece]


def by_typer(name: str, words: list[str]) -> dict[str, Any]:
    context = GROUP.commands[name].make_context(name, list(words), resilient_parsing=False)
    return {key: list(value) if isinstance(value, tuple) else value for key, value in context.params.items()}


@settings(max_examples=400, deadline=None)
@given(lines())
def test_what_is_parsed_here_is_what_typer_would_make_of_it(line: tuple[str, list[str]]) -> None:
    name, words = line
    command: Any = COMMANDS[name]
    command = getattr(command, "completed", lambda: command)()
    try:
        values = parsed(command, words)
    except NotPlain:
        return
    assert values == by_typer(name, words)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("release", ["plan.toml", "--out", "out", "--overwrite"]),
        ("explore", ["plan.toml", "--json", "--top=1"]),
        ("attack", ["out", "--original", "data.csv", "--known", "a", "--known", "b,c"]),
        ("utility", ["out", "--original", "data.csv"]),
        ("verify", ["out"]),
        ("check", ["data.csv", "--quasi", "age,sex"]),
    ],
)
def test_usual_lines_need_no_typer(name: str, words: list[str]) -> None:
    command: Any = COMMANDS[name]
    command = getattr(command, "completed", lambda: command)()
    assert parsed(command, words) == by_typer(name, words)


@pytest.mark.parametrize(
    "words", [["release", "--ouut", "x"], ["release"], ["verify", "a", "b"], ["explore", "--top", "0"]]
)
def test_wrong_lines_are_refused_by_typer(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(UsageFault):
        by_typer(words[0], words[1:])
    assert cli.run(words) == 2
    assert f"see fairveil {words[0]} --help" in capsys.readouterr().err


def test_a_plain_command_does_not_load_typer(tmp_path: Path) -> None:
    script = f"""
import sys
from fairveil import cli
assert cli.run(["verify", {str(tmp_path / "none")!r}]) == 2
assert not {{"typer", "click", "rich"}} & set(sys.modules), sorted(sys.modules)
assert not {{"fairveil.cli.release", "fairveil.cli.check", "importlib.metadata"}} & set(sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
