"""fairveil explore --preferences: a conversation that can be stopped and taken up again."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path

import duckdb
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
        (talk("", "--json"), "interactive"),
        (talk("", "--out", tmp_path), "already exists"),
        (talk("", "--session", plan / "walk.json"), "cannot be written"),
        (talk("", "--session", plan), "not valid JSON"),
        (fairveil("explore", plan, "--session", session), "--preferences"),
    ):
        assert (result.code, result.out, result.err.count("\n")) == (2, "", 1), result
        assert culprit in result.err


def test_the_release_is_written_as_the_plan_says(talk: Talk, plan: Path, tmp_path: Path) -> None:
    output = '[output]\nformat = "parquet"\norder = "keep"\n[report]\ntitle = "Twelve people"\n'
    session, out, again = tmp_path / "walk.json", tmp_path / "out", tmp_path / "again"
    assert talk("quit\n", "--session", session).code == 0  # how it is published may be decided later
    accepting = PLAN.replace("format = 1", 'format = 1\naccept = ["row-order"]')
    plan.write_text(accepting + METHOD + output, encoding="utf-8")
    for folder, further in ((out, ()), (again, ("--session", session))):
        result = talk("publish 1\n", "--out", folder, *further)
        assert f"The release is in {folder}" in result.out, result
        evidence = json.loads((folder / "evidence.json").read_text(encoding="utf-8"))
        assert evidence["order"] == "keep" and "data.parquet" in evidence["files"]
        assert "Twelve people" in (folder / "report.html").read_text(encoding="utf-8")
    assert (out / "data.parquet").read_bytes() == (again / "data.parquet").read_bytes()


def test_the_rows_become_the_table_that_the_plan_names(talk: Talk, plan: Path, people: Path, tmp_path: Path) -> None:
    file, out = tmp_path / "people.duckdb", tmp_path / "out"
    with duckdb.connect(file) as connection:
        connection.execute(f"CREATE TABLE people AS FROM read_csv('{people}', types = {{'zip': 'VARCHAR'}})")
    origin = f'url = "duckdb://{file}"\ntable = "people"'
    output = '[output]\ntable = "published"\n'
    plan.write_text((PLAN + METHOD + output).replace('path = "people.csv"', origin), encoding="utf-8")
    result = talk("publish 1\n", "--out", out)
    assert result.code == 0 and "its rows in the table published" in result.out, result
    with duckdb.connect(file) as connection:
        assert connection.execute("SELECT count(*) FROM published").fetchall() == [(12,)]
    assert not list(out.glob("data*"))


def test_a_session_of_a_file_that_is_read_by_options_is_taken_up_again(talk: Talk, plan: Path, people: Path) -> None:
    people.write_text(people.read_text(encoding="utf-8").replace(",", ";"), encoding="utf-8")
    path = 'path = "people.csv"'
    plan.write_text((PLAN + METHOD).replace(path, f'{path}\nseparator = ";"'), encoding="utf-8")
    for _ in range(2):
        result = talk("quit\n", "--session", people.with_name("walk.json"))
        assert result.code == 0, result


def test_a_walk_is_refused_as_any_request_is(talk: Talk, plan: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    session = plan.with_name("walk.json")
    assert talk("quit\n", "--session", session).code == 0
    monkeypatch.setattr("fairveil.errors.is_installed", lambda module: module != "pymoo")
    for further in ((), ("--session", session)):
        result = talk("", *further)
        assert result.code == 2 and "preferences needs pymoo" in result.err, result
