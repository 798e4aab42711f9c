"""A release names a text that means a missing value only if at least ten rows of the source hold it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest

import fairveil as fv
from fairveil.attacks import ATTACKS
from fairveil.data.dialect import Dialect
from fairveil.published.folder import load_recipe
from fairveil.run.plan import Plan
from fairveil.run.sections import Origin
from tests.contracts.test_neighbouring_files import write_excel, write_labelled

ROWS = 80
HELD = {"never-held": 0, "held-by-one": 1, "held-by-nine": 9, "held-by-ten": 10, "held-by-many": 23}
"""Texts, and the rows that hold each."""


def people(seed: int) -> dict[str, list[Any]]:
    """Rows with those texts, in either of two columns."""
    rng = np.random.default_rng(seed)
    marks = [text for text, rows in HELD.items() for _ in range(rows)]
    columns: dict[str, list[Any]] = {name: rng.choice(list("abc"), ROWS).tolist() for name in ("q", "sex", "y")}
    for row, mark in zip(rng.permutation(ROWS), marks, strict=False):
        columns[("q", "y")[rng.integers(2)]][row] = mark
    return columns


def write(path: Path, columns: dict[str, list[Any]]) -> None:
    rows = list(zip(*columns.values(), strict=True))
    if path.suffix == ".csv":
        pa.csv.write_csv(pa.table(columns), path)
    elif path.suffix == ".parquet":
        pq.write_table(pa.table(columns), path)
    else:
        (write_excel if path.suffix == ".xlsx" else write_labelled)(path, rows)


@pytest.mark.parametrize("missing", ["category", "drop"])
@pytest.mark.parametrize("file", ["p.csv", "p.parquet", "p.xlsx", "p.sav", "p.dta", "duckdb.csv", "duckdb.parquet"])
def test_no_file_names_a_text_that_few_rows_hold(file: str, missing: Any, tmp_path: Path) -> None:
    columns = people(len(file))
    write(tmp_path / file, columns)
    origin = Origin(
        path=str(tmp_path / file), engine="duckdb" if file.startswith("duckdb") else "memory",
        dialect=Dialect(missing, [*HELD]),
    )  # fmt: skip
    schema = fv.Schema(quasi=["q", "sex"], plain=["y"])
    release = Plan(origin, (fv.KAnonymity(2, suppression=0.2),), schema).run()
    folder = release.save(tmp_path / "out", format="parquet", accept=ATTACKS.names).path
    often = [text for text, rows in HELD.items() if rows >= 10]
    content = b"".join(path.read_bytes() for path in folder.iterdir()).decode(errors="replace")
    assert [text for text in HELD if text in content] == often
    write(tmp_path / f"new-{file}", columns)  # apply, attack and utility still read new files as the source was
    applied = load_recipe(folder).outcome(tmp_path / f"new-{file}", unknown="suppress").table.column("y").domain
    assert not {*often} & {*applied}


def test_a_differentially_private_release_names_none(tmp_path: Path) -> None:
    write(tmp_path / "p.csv", people(0))
    tree = fv.hierarchy.tree({"*": ["a", "b", "c"]})
    schema = fv.Schema(quasi=["q", "sex"], decision="y", denied="a", hierarchies={"q": tree, "sex": tree})
    method = fv.NoisyTable(epsilon=50.0, public={"y": ["a", "b", "c"]})
    origin = Origin(path=str(tmp_path / "p.csv"), dialect=Dialect(missing_values=[*HELD]))
    for methods in ((method,), (method, fv.Incognito())):
        plan = Plan(origin, (fv.KAnonymity(2),), schema, methods)
        frontier = plan.explore()
        noisy = next(i for i in range(len(frontier)) if frontier.method(i).declares_domains)
        assert not frontier.release(noisy).recipe.schema.read.missing_values


def test_a_table_or_frame_names_none_that_it_does_not_hold() -> None:
    """The schema of another release may name some."""
    table = fv.Table.from_frame(pa.table(people(1)))
    schema = fv.Schema(quasi=["q", "sex"], plain=["y"], read=Dialect(missing_values=["held-by-one"]))
    assert not fv.search(table, schema, guards=fv.KAnonymity(2)).release(0).recipe.schema.read.missing_values
    assert replace(schema.read, missing_values=()) == Dialect()
