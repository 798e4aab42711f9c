"""What every method owes its users, because it is in the registry."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa
import pytest

import fairveil as fv
from fairveil import methods
from fairveil import recipes as recipe
from fairveil.methods import METHODS, Method

GUARDS = [fv.KAnonymity(3)]


def source(seed: int = 0, rows: int = 80, missing: bool = False) -> pa.Table:
    rng = np.random.default_rng(seed)
    zips: list[str | None] = [f"{a}{b}" for a, b in rng.integers(0, 3, size=(rows, 2))]
    if missing:
        zips[0] = zips[5] = None
    sex = rng.choice(["f", "m"], rows)
    decision = np.where(rng.random(rows) < np.where(sex == "f", 0.3, 0.6), "yes", "no")
    return pa.table({"name": [f"p{i}" for i in range(rows)], "zip": pa.array(zips), "age": rng.integers(20, 60, rows),
                     "sex": pa.array(sex), "illness": pa.array(rng.choice(["flu", "cold", "pox"], rows)),
                     "credit": pa.array(decision)})  # fmt: skip


SCHEMA = fv.Schema(
    identifier=["name"], quasi=["zip", "age", "sex"], protected=["sex"], sensitive=["illness"],
    decision="credit", denied="no",
    hierarchies={"zip": fv.hierarchy.mask(2), "age": fv.hierarchy.intervals([20, 60], widths=(10, 20))},
)  # fmt: skip


def made(method: type[Method]) -> Method:
    quick: dict[str, dict[str, Any]] = {
        "best-first": {"time_limit": 5.0},
        "noisy-table": {"epsilon": 20.0, "public": ("zip", "age", "sex")},
        "preferences": {"evaluations": 500, "population": 20},
        "dmpd": {"generations": 3, "population": 10, "folds": 3},
    }
    return method(**quick.get(method.kind, {}))


@pytest.fixture(params=METHODS, ids=lambda method: method.kind)
def method(request: pytest.FixtureRequest) -> Method:
    return made(request.param)


def frames(published: Any) -> list[Any]:
    """What was published as a list of data frames, one of them unless the columns are split."""
    return published if isinstance(published, list) else [published]


def search(method: Method, frame: object, **settings: object) -> fv.Frontier:
    return fv.search(frame, SCHEMA, guards=settings.pop("guards", GUARDS), method=method, **settings)  # type: ignore[arg-type]


def test_guards_hold_on_what_is_published(method: Method) -> None:
    found = search(method, source())
    assert len(found) > 0
    for position in {0, len(found) // 2, len(found) - 1}:
        release = found.release(position)
        assert release.holds
        for frame in frames(release.to_frame("pandas")):
            quasi = [name for name in frame.columns if name in SCHEMA.quasi]
            assert not quasi or frame.groupby(quasi, dropna=False).size().min() >= 3
            assert "name" not in frame.columns
        assert "name" not in release.table.names


def test_saved_and_verified(method: Method, tmp_path) -> None:  # type: ignore[no-untyped-def]
    found = search(method, source())
    for format in ("csv", "parquet"):
        folder = found.release(0).save(tmp_path / format, format=format)  # type: ignore[arg-type]
        verification = fv.verify(folder)
        assert verification, verification.problems


def test_a_fixed_level_is_published_whatever_the_method(method: Method, tmp_path) -> None:  # type: ignore[no-untyped-def]
    kinds = fv.hierarchy.tree({"*": {"light": ["flu", "cold"], "grave": ["pox"]}})
    rules = {**SCHEMA.hierarchies, "illness": kinds}
    schema = replace(SCHEMA, sensitive=(), plain=("illness",), hierarchies=rules, levels={"illness": 1})
    release = fv.search(source(), schema, guards=GUARDS, method=method).release(0)
    fresh = release.recipe.apply(fv.Table.from_frame(source(seed=1)), unknown="suppress")
    applied = [part for outcome in (release.outcome, fresh) for part in outcome.tables.values()]
    held = [part.column("illness").domain for part in applied if "illness" in part]
    assert all(set(values) <= {"light", "grave"} for values in held)
    assert fv.verify(release.save(tmp_path / "out"))


@pytest.mark.parametrize("kind", ["pandas", "polars", "pyarrow"])
def test_the_frame_that_came_in_is_untouched_and_its_kind_comes_out(method: Method, kind: str) -> None:
    frame = {"pandas": lambda t: t.to_pandas(), "polars": pl.from_arrow, "pyarrow": lambda t: t}[kind](source())
    before = frame.copy() if kind == "pandas" else frame
    published = search(method, frame).release(0).to_frame()
    assert {type(part) for part in frames(published)} == {type(frame)}
    assert frame.equals(before)


def test_the_same_seed_gives_the_same_release(method: Method) -> None:
    if not method.deterministic:
        pytest.skip("noise that a seed repeats could be taken off again")
    one, other = (search(method, source(), seed=5).release(0) for _ in "xx")
    assert one.table.to_arrow().equals(other.table.to_arrow())
    assert json.dumps(one.recipe.to_dict()) == json.dumps(other.recipe.to_dict())


def test_missing_values(method: Method) -> None:
    release = search(method, source(missing=True)).release(0)
    assert release.holds
    dropped = search(method, source(missing=True), missing="drop").release(0)
    # a differentially private release must not tell
    assert dropped.evidence()["rows"]["dropped_for_missing_values"] == (2 if method.deterministic else 0)


def test_a_table_of_one_row_is_refused(method: Method) -> None:
    with pytest.raises(fv.BadInput, match="more than the 1 rows"):
        search(method, source(rows=1, seed=2))


def test_a_recipe_can_be_written_read_and_applied_to_new_data(method: Method) -> None:
    found = search(method, source())
    again = recipe.from_dict(json.loads(json.dumps(found.recipe(0).to_dict())))
    fresh = fv.Table.from_frame(source(seed=1))
    one, other = found.recipe(0).apply(fresh).table, again.apply(fresh).table
    assert one.to_arrow().equals(other.to_arrow())
    assert one.rows == fresh.rows


def test_an_unknown_value_is_refused_by_name_or_its_row_left_out(method: Method) -> None:
    found = search(method, source())
    strange = source(seed=1).to_pandas()
    strange.loc[3, "zip"] = "longer"
    table = fv.Table.from_frame(strange)
    with pytest.raises(fv.BadInput, match="'longer'"):
        found.recipe(0).apply(table)
    assert found.recipe(0).apply(table, unknown="suppress").table.rows == table.rows - 1


def test_settings_survive_a_plan(method: Method) -> None:
    assert methods.from_dict(json.loads(json.dumps(method.to_dict()))) == method


def test_a_mistyped_setting_is_refused(method: Method) -> None:
    with pytest.raises(fv.BadInput, match=f"no setting of method {method.kind} 'tim_limit'"):
        methods.from_dict({"kind": method.kind, "tim_limit": 3})


def test_progress_can_cancel(method: Method) -> None:
    with pytest.raises(fv.Cancelled):
        search(method, source(), progress=lambda share, what: False)
