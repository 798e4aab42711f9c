"""Whatever kind of frame a caller gives, with whatever names, the caller gets back, from every method and recipe."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import duckdb
import narwhals as nw
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import fairveil as fv
from fairveil.methods import METHODS, Method
from fairveil.recipes.outcome import Outcome
from tests.contracts.people import ONE_PER_RECIPE, QUICK, frames, quick, search, source

ODD: list[Any] = [0, ("age", 1), None, pd.Timestamp("2020-01-01"), 2.5, True]
"""Names that a column of pandas may have."""
ROLES: dict[str, Any] = {
    "identifier": [ODD[0]], "quasi": ODD[1:4], "protected": [ODD[3]], "sensitive": [ODD[4]], "decision": ODD[5],
    "denied": "no", "population": fv.Population(fraction=0.1),
    "hierarchies": {ODD[1]: fv.hierarchy.mask(2), ODD[2]: fv.hierarchy.intervals([20, 60], widths=(10, 20))},
}  # fmt: skip
KINDS: dict[str, Callable[[pa.Table], Any]] = {
    "pandas": lambda rows: rows.to_pandas(),
    "polars": pl.from_arrow,
    "polars lazy": lambda rows: pl.LazyFrame(pl.from_arrow(rows)),
    "pyarrow": lambda rows: rows,
    "duckdb": lambda rows: duckdb.connect().from_arrow(rows),
    "narwhals": lambda rows: nw.from_native(rows.to_pandas(), eager_only=True),
}


@pytest.mark.parametrize("kind", METHODS, ids=lambda method: method.kind)
def test_names_of_any_type_come_back_from_every_method(kind: type[Method]) -> None:
    frame = source().to_pandas()
    frame.columns = pd.Index(ODD, dtype=object)
    public = {"public": tuple(map(str, (ODD[1], ODD[3], ODD[5])))} if kind.declares_domains else {}
    method = kind(**{**QUICK.get(kind.kind, {}), **public})
    guards = [fv.KAnonymity(2), *([fv.DistinctDiversity(2, sensitive=ODD[4])] if kind.kind == "incognito" else [])]
    release = fv.search(frame, fv.Schema(**ROLES), guards=guards, method=method).release(0)
    results = frames(release.to_frame())
    if not release.recipe.invents:
        applied = release.recipe.apply(frame, unknown="suppress")
        results += applied.values() if release.recipe.splits else [applied]
    for result in results:
        assert len(result.columns) and {*map(repr, result.columns)} <= {*map(repr, frame.columns)}
    assert [*map(repr, frame.columns)] == [*map(repr, ODD)]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("method", ONE_PER_RECIPE, ids=lambda method: method.kind)
def test_apply_gives_the_kind_of_frame_that_it_got(method: type[Method], kind: str) -> None:
    recipe = search(quick(method), source()).recipe(0)
    if recipe.invents:
        pytest.skip("it is not applied to new data")
    given = KINDS[kind](source())
    result, outcome = recipe.apply(given), recipe.outcome(given)
    assert isinstance(outcome, Outcome) and isinstance(recipe.apply(fv.Table.from_frame(source())), Outcome)
    for name, table in outcome.tables.items():
        frame = result[name] if recipe.splits else result
        assert type(frame) is type(given)
        rows = frame.arrow() if kind == "duckdb" else nw.from_native(frame).lazy().collect("pyarrow").to_native()
        rows = rows.read_all() if isinstance(rows, pa.RecordBatchReader) else rows
        assert {n: [*map(str, rows[n].to_pylist())] for n in rows.column_names} == {
            n: [*map(str, column)] for n, column in table.to_arrow().to_pydict().items()
        }


@pytest.mark.parametrize("rule", [
    {"young": ["20", "30"], "old": [40, 50]},
    {20: "young", 30: "young", 40: "old", 50: "old"},
    {"all": {"young": [20, 30], "old": {"older": [40], "oldest": [50]}}},
    {"kind": "intervals", "levels": [[20, 40, 60]]},
])  # fmt: skip
def test_a_dictionary_is_a_hierarchy(rule: dict[Any, Any]) -> None:
    frame = pd.DataFrame({7: [20, 30, 40, 50] * 3})
    roles: dict[str, Any] = {"quasi": 7, "hierarchies": {7: rule}}
    result = fv.search(frame, fv.Schema(**roles), guards=fv.KAnonymity(6)).best("loss").to_frame()
    assert result.columns.tolist() == [7] and result[7].nunique() == 2


def test_what_is_no_hierarchy_is_refused() -> None:
    with pytest.raises(fv.BadInput, match=r"a hierarchy is a dictionary or one of fv\.hierarchy, not a list"):
        fv.Schema(quasi=["a"], hierarchies={"a": ["x"]})  # type: ignore[dict-item]


TYPED = pd.DataFrame({
    "truth": [True, False] * 12, "count": range(24), "share": [number / 4 for number in range(24)],
    "day": pd.date_range("2000-01-30", periods=24, freq="40D"), "code": pd.Categorical(list("abcd") * 6),
    "maybe": pd.array([True, False, None] * 8, dtype="boolean"), "small": pd.array(range(24), dtype="int8"),
    "text": list("abcdefgh") * 3,
})  # fmt: skip


@pytest.mark.parametrize("kind", ["pandas", "polars", "pyarrow"])
@pytest.mark.parametrize("name", TYPED.columns)
def test_a_frame_has_the_published_values_of_columns_of_every_type(name: str, kind: str) -> None:
    levels = {"day": fv.hierarchy.dates()} if name == "day" else {}
    frame = pd.DataFrame({name: TYPED[name], "row": [f"r{number}" for number in range(24)]})
    given = KINDS[kind](pa.Table.from_pandas(frame)) if kind != "pandas" else frame
    for method in (fv.Incognito(), fv.LocalSuppression(), fv.Mondrian()):
        schema = fv.Schema(quasi=[name], plain=["row"], hierarchies=levels)
        release = fv.search(given, schema, guards=[fv.KAnonymity(9)], method=method).best("loss")
        values = nw.from_native(release.to_frame(), eager_only=True)[name].to_list()
        assert list(map(str, values)) == list(map(str, release.table.to_arrow()[name].to_pylist())), method.kind
        assert len({*values}) < TYPED[name].nunique() or len(TYPED[name].unique()) <= 2 or name in ("code", "maybe")
