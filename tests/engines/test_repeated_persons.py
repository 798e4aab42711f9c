"""Guards count rows: where identifiers say that a person has several, every way in refuses before any work."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fairveil as fv
from fairveil.cli import run
from fairveil.engines import InMemoryTable
from fairveil.engines.repeated_persons import person_notes, person_problems

K2 = fv.KAnonymity(2)
KEY = "a key that nobody knows"


def visits(rows: int = 5) -> pd.DataFrame:
    """Four people with several rows each, alike in the quasi column."""
    people = [(f"p{i}", "ab"[i % 2]) for i in range(4)]
    return pd.DataFrame([{"who": who, "q": q, "s": "uv"[n % 2]} for who, q in people for n in range(rows)])


PSEUDONYMS = fv.Schema(identifier=["who"], pseudonyms=["who"], quasi=["q"], sensitive=["s"])
DROPPED = fv.Schema(identifier=["who"], quasi=["q"], sensitive=["s"])
PLAN = (
    'format = 1\n[source]\npath = "visits.csv"\n[schema]\nidentifier = "who"\nquasi = "q"\nsensitive = "s"\n'
    '{}[[guards]]\nkind = "k-anonymity"\nk = 5\n'
)


def plan(frame: pd.DataFrame, schema: fv.Schema, folder: Path) -> Path:
    frame.to_csv(folder / "visits.csv", index=False)
    (folder / "plan.toml").write_text(PLAN.format('pseudonyms = "who"\n' if schema.pseudonyms else ""))
    return folder / "plan.toml"


WAYS: dict[str, Callable[[pd.DataFrame, fv.Schema, Path], Any]] = {
    "search": lambda frame, schema, _: fv.search(frame, schema, guards=[fv.KAnonymity(5)]),
    "any method": lambda frame, schema, _: fv.search(frame, schema, guards=[K2], method=fv.Mondrian()),
    "explore": lambda frame, schema, _: fv.explore(frame, schema, guards=[K2], methods=[fv.Incognito(), fv.MDAV()]),
    "check": lambda frame, schema, _: fv.check(frame, schema, [K2]),
    "plan": lambda frame, schema, folder: fv.Plan.read(plan(frame, schema, folder)).run(),
    "walk": lambda frame, schema, _: fv.ReferenceDirection(frame, schema, guards=[K2]),
}  # fmt: skip


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("schema", [PSEUDONYMS, DROPPED], ids=["pseudonyms", "dropped"])
def test_every_way_in_refuses(way: str, schema: fv.Schema, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAIRVEIL_KEY", KEY)
    with pytest.raises(fv.BadInput, match=r"'who'.* up to 5 rows are one person's") as refused:
        WAYS[way](visits(), schema, tmp_path)
    assert "or take the column out of the identifiers" in str(refused.value)
    assert "\n" not in str(refused.value)
    WAYS[way](pd.concat([visits(1)] * 3).assign(who=[f"p{i}" for i in range(12)]), schema, tmp_path)


def test_where_epsilon_is_promised_nobody_looks() -> None:
    """A refusal would depend on one record, and so would a note that says how many there are."""
    schema = replace(DROPPED, sensitive=(), plain=("s",), decision="y")
    method = fv.NoisyTable(epsilon=20.0, public=("q", "y"))
    release = fv.search(visits().assign(y="no"), schema, guards=[K2], method=method).release(0)
    assert any("whether rows agree in 'who' was not checked" in note for note in release.private)
    assert not any("5 rows" in note for note in release.private)


@pytest.mark.parametrize("schema", [PSEUDONYMS, DROPPED], ids=["pseudonyms", "dropped"])
def test_the_command_line_refuses(
    schema: fv.Schema, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAIRVEIL_KEY", KEY)
    path, out = str(plan(visits(), schema, tmp_path)), str(tmp_path / "out")
    data = str(tmp_path / "visits.csv")
    for command in (
        ["release", path, "--out", out], ["explore", path], ["check", data, "--plan", path],
        ["check", data, "--identifier", "who", "--quasi", "q", "--k", "5"],
        ["check", data, "--identifier", "who", "--protected", "q", "--decision", "s", "--denied", "u", "--alpha", "9"],
    ):  # fmt: skip
        assert run(command) == 2, command
        said = capsys.readouterr().err
        assert "up to 5 rows are one person's (20 rows of persons with several)" in said
        assert said.count("\n") == 1
    assert not Path(out).exists()
    assert run(["check", data, "--quasi", "q", "--k", "5"]) == 0  # nobody says who is who
    assert run(["check", data, "--identifier", "whom", "--quasi", "q", "--k", "5"]) == 2
    assert "did you mean 'who'" in capsys.readouterr().err


def test_missing_identifiers_name_nobody() -> None:
    frame = visits(1).assign(who=["a", None, None, "b"])
    assert person_problems(InMemoryTable(fv.Table.from_frame(frame)), PSEUDONYMS) == []
    assert person_problems(InMemoryTable(fv.Table.from_frame(frame)), DROPPED) == []


def test_only_the_combination_of_dropped_identifiers_names_a_person() -> None:
    frame = visits(1).assign(first=["Ann", "Ann", "Bob", "Bob"], last=["Lee", "Kay", "Lee", None])
    schema = fv.Schema(identifier=["first", "last"], quasi=["q"], sensitive=["s"], drop=["who"])
    release = fv.search(frame, schema, guards=[K2]).best("loss")
    assert any("'first' is the same in up to 2 rows" in note for note in release.private)
    assert "the same in up to" not in str(release.evidence())
    frame["last"] = ["Lee", "Lee", "Lee", None]
    with pytest.raises(fv.BadInput, match=r"rows agree in 'first' and 'last': up to 2 rows .* \(2 rows of persons"):
        fv.search(frame, schema, guards=[K2])


values = st.sampled_from(["x", "y", "z", None])


@settings(max_examples=200, deadline=None)
@given(st.lists(st.tuples(values, values), min_size=1, max_size=8), st.booleans())
def test_against_a_plain_count(rows: list[tuple[str | None, str | None]], pseudonyms: bool) -> None:
    frame = pd.DataFrame(rows, columns=["a", "b"], dtype=object).assign(q="k")
    schema = fv.Schema(identifier=["a", "b"], pseudonyms=["b"] if pseudonyms else [], quasi=["q"])
    whole = [row for row in rows if None not in row]
    seconds = [b for _, b in rows if b is not None]
    most = max((whole.count(row) for row in whole), default=0)
    of_b = max((seconds.count(b) for b in seconds), default=0)
    problems = person_problems(InMemoryTable(fv.Table.from_frame(frame)), schema)
    expected = of_b if pseudonyms and of_b > 1 else most
    assert bool(problems) == (expected > 1)
    if problems:
        assert f"up to {expected} rows" in problems[0]
    repeating = [n for n in "ab" if frame[n].dropna().duplicated().any()]
    assert len(person_notes(InMemoryTable(fv.Table.from_frame(frame)), schema)) == len(repeating)
