"""fairveil explore --preferences: a conversation that can be stopped and taken up again."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from .conftest import PLAN, Run, Said

METHOD = """
[method]
kind = "preferences"
aspirations = { necd = 0.2, nwp = 0.3 }
groups = "full-domain"
"""

Talk = Callable[..., Said]


@pytest.fixture
def talk(plan: Path, fairveil: Run, monkeypatch: pytest.MonkeyPatch) -> Talk:
    """The command with these answers on stdin."""
    plan.write_text(PLAN + METHOD, encoding="utf-8")

    def run(answers: str, *arguments: object) -> Said:
        monkeypatch.setattr("sys.stdin", io.StringIO(answers))
        return fairveil("explore", plan, "--preferences", *arguments)

    return run


def table(result: Said) -> list[list[str]]:
    """The wishes and the solution that stands first, of every step."""
    lines = [line.split() for line in result.out.splitlines()]
    at = [place for place, line in enumerate(lines) if line[:1] == ["wish"]]
    return [line for place in at for line in lines[place : place + 2]]


def test_look_turn_and_publish(talk: Talk, tmp_path: Path, fairveil: Run) -> None:
    out = tmp_path / "out"
    result = talk("go 1 nwp=0.9\npublish 1\n", "--out", out)
    assert result.code == 0
    shown = [line.split() for line in result.out.splitlines()]
    assert ["necd", "nwp", "k", "groups", "per", "column"] in shown
    assert [line[1:3] for line in shown if line[:1] == ["wish"]] == [["0.2", "0.3"], ["0.2", "0.9"]]
    assert f"The release is in {out}" in result.out
    assert fairveil("verify", out).code == 0
    assert "publish N, go N" in result.err  # questions are no results


def test_a_session_is_taken_up_again(talk: Talk, tmp_path: Path) -> None:
    session, out, whole = tmp_path / "walk.json", tmp_path / "out", tmp_path / "whole"
    first = talk("go 1\nquit\n", "--session", session)
    assert first.code == 0 and f"go on with --session {session}" in first.out
    assert len(json.loads(session.read_text(encoding="utf-8"))["steps"]) == 2
    again = talk("publish 1\n", "--session", session, "--out", out)
    assert again.code == 0
    assert table(first)[-2:] == table(again)[:2] != []  # the last step is shown again: its wishes and first solution
    assert talk("go 1\npublish 1\n", "--out", whole).code == 0
    assert (out / "data.csv").read_bytes() == (whole / "data.csv").read_bytes()


def test_the_end_of_input_stops_without_publishing(talk: Talk, tmp_path: Path) -> None:
    session = tmp_path / "walk.json"
    result = talk("", "--session", session)
    assert result.code == 0 and "Nothing is published" in result.out
    assert len(json.loads(session.read_text(encoding="utf-8"))["steps"]) == 1


def test_a_wrong_answer_is_explained_and_asked_again(talk: Talk, tmp_path: Path) -> None:
    out = tmp_path / "fresh"
    result = talk(f"publsh 1\npublish 99\npublish 1\n{tmp_path}\n{out}\n")
    assert result.code == 0
    assert "did you mean 'publish'" in result.out and "no solution 99: the last step has 1 to" in result.out
    assert f"{tmp_path} already exists" in result.out
    assert (out / "evidence.json").is_file()


def test_bad_input(talk: Talk, plan: Path, tmp_path: Path, fairveil: Run) -> None:
    session = tmp_path / "walk.json"
    assert talk("quit\n", "--session", session).code == 0
    plan.write_text((PLAN + METHOD).replace("k = 3", "k = 4"), encoding="utf-8")
    for result, culprit in (
        (talk("", "--session", session), "other guards"),
        (talk("", "--json"), "conversation"),
        (talk("", "--out", tmp_path), "already exists"),
        (talk("", "--session", plan / "walk.json"), "cannot be written"),
        (talk("", "--session", plan), "not valid JSON"),
        (fairveil("explore", plan, "--session", session), "--preferences"),
    ):
        assert (result.code, result.out, result.err.count("\n")) == (2, "", 1), result
        assert culprit in result.err
