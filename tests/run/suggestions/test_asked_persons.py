"""A column that numbers people and repeats is asked about, in any role, by release and check."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import fairveil as fv
from fairveil import cli
from fairveil.engines import source_of
from fairveil.run.suggestions.asked_persons import unasked_persons
from fairveil.run.suggestions.column_words import words_of

ROWS = {"age": [31, 31, 40, 40, 52, 52], "illness": list("xyxyxy")}
GUARD = fv.KAnonymity(2)


def visits(name: str = "patient_id", numbers: object = (1, 1, 2, 3, 3, 4)) -> pd.DataFrame:
    return pd.DataFrame({name: numbers, **ROWS})


@pytest.mark.parametrize("role", ["quasi", "sensitive", "plain", "drop", "protected"])
def test_in_any_role(role: str) -> None:
    roles: dict[str, Any] = {"quasi": ["age"], "sensitive": ["illness"]}
    roles[role] = [*roles.get(role, []), "patient_id"]
    release = fv.search(visits(), fv.Schema(**roles), guards=[GUARD]).release(0)
    assert any("patient_id" in note and "person" in note for note in release.private)
    assert not any("patient_id" in note for note in release.notes)


@pytest.mark.parametrize("name", ["patient_id", "PatientID", "customer number", "pid", "subject_id", "mrn"])
def test_by_its_name(name: str) -> None:
    assert unasked_persons(source_of(visits(name)), fv.Schema(quasi=["age"]))


def test_what_is_not_asked_about() -> None:
    schema = fv.Schema(quasi=["age"], drop=["illness"])
    for name, numbers in (
        ("patient_id", range(6)), ("school_id", (1, 1, 2, 2, 3, 3)), ("row_id", (1, 1, 2, 2, 3, 3)),
        ("patient_id", [None] * 6), ("length", (1, 1, 2, 2, 3, 3)), ("household_id", (1, 1, 2, 2, 3, 3)),
    ):  # fmt: skip
        assert not unasked_persons(source_of(visits(name, numbers)), schema), name
    assert not unasked_persons(source_of(visits()), fv.Schema(quasi=["age"], person="patient_id"))


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_columns_that_link_the_records_of_persons(engine: str) -> None:
    """A published column whose values are each one person's, whatever its role: who is asked about knows no number."""
    rng = np.random.default_rng(0)
    who = np.concatenate([np.arange(40), rng.integers(0, 40, 80)])
    table = pa.table({
        "who": [f"p{n}" for n in who], "age": rng.integers(0, 4, 120), "weight": who * 1.01 + 5, "code": who + 70,
        "ill": who % 7, "row": np.arange(120), "twice": who // 2,
    })  # fmt: skip
    schema = fv.Schema(
        quasi=["age"], person="who", weight="weight", sensitive=["code", "ill"], plain=["row", "twice"],
        hierarchies={"code": fv.hierarchy.intervals([0, 200], widths=(100,))},
    )  # fmt: skip

    def asked_about(schema: fv.Schema) -> set[str]:
        data = table if engine == "memory" else duckdb.connect().from_arrow(table)
        notes = fv.search(data, schema, guards=[fv.KAnonymity(2)]).best("loss").private
        return {name for name in table.column_names for note in notes if note.startswith(f"{name!r} is published")}

    several = sum(1 for n in range(40) if (who == n).sum() > 1)
    note = fv.search(table, schema, guards=[fv.KAnonymity(2)]).best("loss").private[0]
    assert f"records of {several} of {several} persons" in note
    assert asked_about(schema) == {"weight", "code"}
    assert asked_about(replace(schema, levels={"code": 1})) == {"weight"}
    assert asked_about(replace(schema, plain=("row", "twice", "who"))) == set()
    table = table.set_column(2, "weight", pa.array(who / 50 + 5))
    assert asked_about(schema) == {"weight", "code"}
    assert asked_about(replace(schema, publish_weight="rounded")) == {"code"}


def test_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    visits().to_csv(tmp_path / "visits.csv", index=False)
    assert cli.run(["check", str(tmp_path / "visits.csv"), "--quasi", "age", "--k", "2"]) == 0
    assert "--person patient_id" in capsys.readouterr().out
    assert cli.run(["check", str(tmp_path / "visits.csv"), "--quasi", "age", "--person", "patient_id", "--k", "2"]) == 1
    out = capsys.readouterr().out
    assert "note" not in out and "1 person" in out


def test_names_of_any_length_are_examined_quickly() -> None:
    """The work grows with the square of the letters that are examined."""
    assert len(words_of("patient_id" + "x" * 10**6, frozenset({"patient"}))) < 10
