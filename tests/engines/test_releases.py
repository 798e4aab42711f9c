"""The release of a table is the same from memory and from every engine: recipe, evidence, report and rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import fairveil as fv
from fairveil.engines import lazy_rows
from fairveil.engines.lazy import LazySource
from fairveil.engines.lazy_rows import LazyRows
from fairveil.guards import Guard
from fairveil.release import source_dangers
from tests.contracts.people import contents
from tests.contracts.test_persons import PERSONS, visits
from tests.engines.test_engines import SCHEMA, drawn, people
from tests.known import ANY_DANGER


def saved(data: Any, schema: fv.Schema, guards: Sequence[Guard], path: Path) -> Path:
    return fv.search(data, schema, guards=guards).best("loss").save(path, format="parquet", accept=ANY_DANGER).path


def test_adult_byte_for_byte(opened: Callable[..., LazySource], tmp_path: Path) -> None:
    adult = fv.datasets.adult()
    table, guards = adult.table.to_arrow(), [fv.KAnonymity(5, suppression=0.02)]
    theirs = saved(table, adult.schema, guards, tmp_path / "memory")
    assert contents(saved(opened(table), adult.schema, guards, tmp_path / "engine")) == contents(theirs)


@pytest.mark.parametrize("few", [True, False], ids=["counted", "in pieces"])
def test_every_type(
    opened: Callable[..., LazySource], few: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lazy_rows, "FEW", 1 if few else 10**6)
    monkeypatch.setattr(LazyRows, "_likely", lambda _: 1)
    table, guards = drawn(20_000), [fv.KAnonymity(5, suppression=0.02)]
    quasi = ("day", "truth", "whole")
    schema = fv.Schema(quasi=quasi, plain=[name for name in table.column_names if name not in quasi])
    if few:  # all columns together are no more than a few distinct rows
        table, schema = table.select(quasi), fv.Schema(quasi=quasi)
    theirs = saved(table, schema, guards, tmp_path / "memory")
    ours = saved(opened(table), schema, guards, tmp_path / "engine")
    assert contents(ours) == contents(theirs)


@pytest.mark.parametrize("way", ["dropped", "pseudonym"])
def test_persons_are_counted_alike(
    opened: Callable[..., LazySource], way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAIRVEIL_KEY", "a key for tests alone")
    table = pa.Table.from_pandas(visits(1, people=60, rows=200), preserve_index=False)
    schema = replace(PERSONS, pseudonyms=("name",) if way == "pseudonym" else ())
    guards = [fv.KAnonymity(4, suppression=0.5), fv.TCloseness(0.6)]
    theirs, ours = (saved(t, schema, guards, tmp_path / t.__class__.__name__) for t in (table, opened(table)))
    assert contents(ours) == contents(theirs)
    guard = fv.KAnonymity(2)
    assert fv.check(opened(table), schema, guard)[0].worst == fv.check(table, schema, guard)[0].worst
    by_rows = [fv.search(t, schema, guards=[fv.KAnonymity(3)], method=fv.Mondrian()) for t in (table, opened(table))]
    mine, other = (frontier.release(0).to_frame("pyarrow").to_pydict() for frontier in by_rows)
    assert mine == other


def test_a_nul_is_a_sign_like_any_other(tmp_path: Path) -> None:
    """PostgreSQL's texts cannot hold one, so they cannot be read from there either."""
    import duckdb
    import polars

    table = pa.table({"text": ["a\0", "a", "a\0b", "\0", ""] * 8, "sex": ["F", "M"] * 20})
    schema, guards = fv.Schema(quasi=["sex"], plain=["text"]), [fv.KAnonymity(5)]
    theirs = saved(table, schema, guards, tmp_path / "memory")
    for number, given in enumerate((duckdb.connect().from_arrow(table), polars.from_arrow(table).lazy())):
        assert contents(saved(given, schema, guards, tmp_path / str(number))) == contents(theirs)


def test_the_order_of_rows_changes_nothing(opened: Callable[..., LazySource], tmp_path: Path) -> None:
    table, guards = people(100), [fv.KAnonymity(3)]
    first = saved(opened(table), SCHEMA, guards, tmp_path / "one")
    turned = saved(opened(table.take(np.arange(100)[::-1])), SCHEMA, guards, tmp_path / "other")
    assert contents(first) == contents(turned)


def test_a_column_with_very_many_values_is_examined_in_part(
    opened: Callable[..., LazySource], monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(3)
    age = rng.integers(20, 60, 6000)
    told, noise = age * 1000 + rng.integers(0, 300, len(age)), rng.integers(0, 10**6, len(age))
    table = pa.table({"age": age, "told": told, "noise": noise})
    hierarchies = {"age": fv.hierarchy.intervals([20, 60], widths=(20,))}
    monkeypatch.setattr(source_dangers, "MAX_JOINT", 1000)
    monkeypatch.setattr(source_dangers, "MAX_ROWS", 2000)
    for plain, undone in ((["told"], True), (["noise"], False), (["noise", "told"], True)):
        source = opened(table.select(["age", *plain]))
        schema = fv.Schema(quasi=["age"], plain=plain, hierarchies=hierarchies)
        release = fv.search(source, schema, guards=[fv.KAnonymity(1000)]).best("loss")
        found = source_dangers.source_dangers(release)
        assert [finding["column"] for finding in found] == ["told"] * undone, found


def test_key_sets_give_the_same_bytes(opened: Callable[..., LazySource], tmp_path: Path) -> None:
    compas = fv.datasets.compas()
    table = compas.table.to_arrow()
    asked = [fv.KAnonymity(3, keys=[["age", "sex"], {"columns": ["race"], "k": 20}], suppression=0.02)]
    theirs = saved(table, compas.schema, asked, tmp_path / "memory")
    assert contents(saved(opened(table), compas.schema, asked, tmp_path / "engine")) == contents(theirs)
