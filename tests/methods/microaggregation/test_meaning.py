"""Integers that are codes are never averaged, and the owner is asked about those that only look like codes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import fairveil as fv
from fairveil.data.numeric import why_a_code
from fairveil.data.table import Table
from fairveil.engines import open_source
from fairveil.errors import BadInput
from fairveil.methods import METHODS
from fairveil.methods.blocks.block_search import in_blocks
from fairveil.methods.task import Task
from fairveil.recipes import from_dict
from fairveil.recipes.microaggregated import Microaggregated

AVERAGING = [method.kind for method in METHODS if method.false_values == "averages"]
WARDS = [11, 12, 40, 77]


@pytest.mark.parametrize(
    ("name", "values", "why"),
    [
        ("zip", [10115, 80331] * 9, "its name"),
        ("productCode", [1, 5, 9] * 9, "its name"),
        ("icd9", [250, 401, 786] * 9, "its name"),
        ("x", [0, 1] * 9, "2 values"),
        ("x", [3, 6, 7] * 9, "3 values with gaps between them"),
        ("x", [1.0, 2.0, 9.0, None] * 9, "3 values with gaps between them"),
        ("x", [1, 2, 3, 4] * 9, "4 values"),
        ("x", [*range(10115, 99000, 400)], "5 digits each"),
        ("children", [0, 1, 2] * 9, ""),
        ("juv_fel_count", [0, 1, 4] * 9, ""),
        ("x", [1.5, 2.5] * 9, ""),
        ("x", [1, 2, 40], ""),
        ("x", [*range(0, 90)], ""),
        ("x", [*range(1900, 2025)], ""),
        ("zip", ["10115", "80331"] * 9, ""),
        ("zip", [7] * 9, ""),
        ("x", [None] * 9, ""),
        ("x", [float("inf"), 1.0] * 9, ""),
    ],
)
def test_what_looks_like_a_code(name: str, values: list[Any], why: str) -> None:
    table = Table.from_frame(pa.table({name: values}))
    assert why_a_code(table.column(name), table.rows) == why


def people(rows: int = 240) -> Table:
    rng = np.random.default_rng(3)
    return Table.from_frame(
        pa.table(
            {
                "ward": rng.choice(WARDS, rows),
                "age": rng.integers(20, 80, rows),
                "sex": rng.choice(["F", "M"], rows),
                "granted": rng.choice(["yes", "no"], rows),
            }
        )
    )


def schema(**more: Any) -> fv.Schema:
    return fv.Schema(quasi=["ward", "age"], protected=["sex"], decision="granted", denied="no", plain=["sex"], **more)


def found(kind: str, said: fv.Schema, data: Any = None) -> Any:
    source = people() if data is None else data
    return fv.search(source, said, guards=[fv.KAnonymity(4)], method=METHODS.get(kind)())


@pytest.mark.parametrize("kind", AVERAGING)
@pytest.mark.parametrize("meaning", [None, "code"])
def test_no_code_is_averaged(kind: str, meaning: Any) -> None:
    candidates = found(kind, schema(whole_numbers={"ward": meaning} if meaning else {}))
    release = candidates.release(0)
    assert set(release.table.column("ward").domain) <= set(WARDS)
    assert any(value not in range(20, 80) for value in release.table.column("age").domain)
    asked = [note for note in candidates.notes if "'ward'" in note]
    assert len(asked) == (meaning is None) and all('"quantity"' in note for note in asked)
    assert "look so" not in str(release.evidence())
    again = from_dict(release.recipe.to_dict())
    assert set(again.outcome(people(50)).table.column("ward").domain) <= set(WARDS)
    with pytest.raises(BadInput, match="13"):
        again.outcome(pa.table({"ward": [13], "age": [40], "sex": ["F"], "granted": ["yes"]}))


@pytest.mark.parametrize("kind", AVERAGING)
def test_a_quantity_is_averaged_and_nobody_is_asked(kind: str) -> None:
    candidates = found(kind, schema(whole_numbers={"ward": "quantity"}))
    assert set(candidates.release(0).table.column("ward").domain) - set(WARDS)
    assert not any("look so" in note for note in candidates.notes)


@pytest.mark.parametrize("kind", AVERAGING)
def test_a_column_that_publish_names_is_published_so(kind: str) -> None:
    method = fv.methods.from_dict({"kind": kind, "publish": {"ward": "median"}})
    release = fv.search(people(), schema(), guards=[fv.KAnonymity(4)], method=method).release(0)
    assert set(release.table.column("ward").domain) - set(WARDS)


@pytest.mark.parametrize("kind", AVERAGING)
def test_blocks_agree_on_what_is_a_code(kind: str, tmp_path: Path) -> None:
    pq.write_table(people().to_arrow(), tmp_path / "people.parquet")
    source = open_source(str(tmp_path / "people.parquet"), engine="duckdb")
    task = Task.of(source, schema(), [fv.KAnonymity(4)])
    proposal = in_blocks(METHODS.get(kind)(), task, 60)
    recipe = proposal.changes[0].recipe
    assert isinstance(recipe, Microaggregated) and recipe.kinds["ward"] == "mode"


def test_an_engine_asks_too(tmp_path: Path) -> None:
    pq.write_table(people().to_arrow(), tmp_path / "people.parquet")
    source = open_source(str(tmp_path / "people.parquet"), engine="duckdb")
    candidates = found("mdav", schema(), source)
    assert any("'ward'" in note for note in candidates.notes)
    assert set(candidates.release(0).recipe.values["ward"]) <= set(WARDS)


def test_what_is_no_meaning_is_refused() -> None:
    with pytest.raises(BadInput, match="'ward' must be a \"code\" or a \"quantity\", not 'kind'"):
        schema(whole_numbers={"ward": "kind"})
    with pytest.raises(BadInput, match="did you mean 'ward'"):
        found("mdav", schema(whole_numbers={"wart": "code"}))
