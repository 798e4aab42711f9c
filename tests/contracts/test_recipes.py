"""What every kind of recipe owes its users, whichever method learnt it. What applies is chosen by traits."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import fairveil as fv
from fairveil import recipes
from fairveil.attacks import ATTACKS
from fairveil.data.table import Table
from fairveil.engines import InMemoryTable
from fairveil.methods import METHODS, Method
from fairveil.published.folder import load_recipe
from fairveil.recipes import RECIPES, Change
from fairveil.run.apply import apply_there
from tests.contracts.people import quick, search, source


def frontier(method: type[Method]) -> fv.Frontier:
    return search(quick(method), source())


def test_every_kind_is_learnt_by_some_method() -> None:
    assert {frontier(method).recipe(0).kind for method in METHODS} == set(RECIPES.names)


@pytest.fixture(params=METHODS, ids=lambda method: method.kind)
def found(request: pytest.FixtureRequest) -> fv.Frontier:
    return frontier(request.param)


def test_it_comes_back_from_its_file_and_publishes_nothing_strange(found: fv.Frontier) -> None:
    release = found.release(0)
    again = recipes.from_dict(json.loads(json.dumps(release.recipe.to_dict(), default=str)))
    assert again.to_dict() == release.recipe.to_dict()
    assert again.table_names == tuple(release.published.tables)
    assert again.lacks(release.published.content) == [] and again.problems(release.published.content) == []


def test_traits_agree_with_what_it_does(found: fv.Frontier) -> None:
    change, recipe = found.change(0), found.recipe(0)
    assert recipe.splits == (tuple(recipe.table_names) != ("data",))
    assert recipe.groups_rows == (change.groups is not None)
    levels = [recipe.level_of(name) for name in recipe.schema.quasi]
    assert all(level is None for level in levels) or all(level is not None for level in levels)
    for name in recipe.schema.quasi:
        lower = recipe.lowered(name)
        assert (lower is not None) == bool(recipe.level_of(name))
        assert lower is None or lower.level_of(name) == (recipe.level_of(name) or 0) - 1


def test_cells_tell_the_same_as_rows(found: fv.Frontier) -> None:
    recipe = found.recipe(0)
    if recipe.groups_rows or recipe.splits:
        pytest.skip("it is a matter of rows")
    table = found.task.table
    cells = InMemoryTable(table).count([name for name in table.names if name not in recipe.schema.identifier])
    by_rows, by_cells = (
        o.summary(recipe.schema) for o in (recipe.recode(table), recipe.recode(cells.table(), cells.counts))
    )
    for name in vars(by_rows):
        np.testing.assert_allclose(getattr(by_rows, name), getattr(by_cells, name))


def test_noise_is_not_applied_to_new_data(found: fv.Frontier, tmp_path: Path) -> None:
    """A recipe of noisy counts would publish true rows; every other one can be applied."""
    recipe, new = found.recipe(0), Table.from_frame(source(seed=1).drop_columns(["name", "illness"]))
    if not recipe.invents:
        assert recipe.outcome(source(seed=1), unknown="suppress").rows == 80
        return
    for apply in (
        recipe.apply,
        lambda new: apply_there(recipe, InMemoryTable(new), tmp_path / "o.parquet", fv.Progress()),
    ):
        with pytest.raises(fv.BadInput, match="true rows would be published; search the new data instead"):
            apply(new)
    assert not (tmp_path / "o.parquet").exists()


STRANGERS: dict[str, list[Any]] = {"zip": ["longer", "9z"], "sex": ["unseen"], "age": [-7, 99]}


def test_an_unknown_value_is_refused_by_name_or_its_row_suppressed(found: fv.Frontier) -> None:
    """No candidate publishes a value that it never saw as it is, whatever its hierarchy would take."""
    for number in {0, len(found) // 2, len(found) - 1}:
        recipe = found.recipe(number)
        if recipe.invents:
            continue
        assert recipe.outcome(found.task.table).rows == 80  # its own source is known
        for name, value in ((name, value) for name, values in STRANGERS.items() for value in values):
            new = found.task.table.to_frame("pandas")
            new.loc[[3, 7], name] = value
            try:
                outcome = recipe.outcome(new)
            except fv.BadInput as problem:
                assert f"column {name!r}" in str(problem) and repr(value) in str(problem)
                outcome = recipe.outcome(new, unknown="suppress")
                assert outcome.rows == 80 and outcome.published_rows == 78
                assert outcome.source_rows is not None and not {3, 7} & {*outcome.source_rows.tolist()}
            published = [table.column(name).domain for table in outcome.tables.values() if name in table]
            assert not any(value in values for values in published), (number, name, value)


def test_a_file_of_the_release_knows_what_it_publishes_as_it_is(found: fv.Frontier, tmp_path: Path) -> None:
    """Those values and no others, in memory and on an engine; but to look at other people, any value will do."""
    release = found.release(0)
    if release.recipe.invents:
        pytest.skip("it is not applied")
    recipe = load_recipe(release.save(tmp_path / "out", accept=ATTACKS.names).path)
    assert (recipe.known is None) == (not recipe.unlisted)
    for name, values in (recipe.known or {}).items():
        tables = [table.to_arrow() for table in release.published.tables.values() if name in table]
        assert {*values} <= {str(value) for table in tables for value in table[name].to_pylist()}
        new = source(seed=1).to_pandas().drop(columns="name")
        new.loc[3, name] = -77 if name == "age" else "unseen"
        for apply in (
            recipe.apply,
            lambda new: apply_there(
                recipe, InMemoryTable(Table.from_frame(new)), tmp_path / "o.parquet", fv.Progress()
            ),
        ):
            if recipe.splits or recipe.groups_rows:
                continue
            with pytest.raises(fv.BadInput, match=f"column '{name}' holds"):
                apply(new)
        assert name == "age" or recipe.applied(new, unknown="suppress").rows == 80


def test_rows_that_are_left_out_are_named(found: fv.Frontier) -> None:
    if found.recipe(0).invents:
        pytest.skip("it is not applied")
    strange = source(seed=1).to_pandas()
    strange.loc[[3, 7], "zip"] = "longer"
    outcome = found.recipe(0).outcome(Table.from_frame(strange), unknown="suppress")
    assert outcome.rows == len(strange) and outcome.published_rows == len(strange) - 2
    assert outcome.source_rows is not None and set(range(len(strange))) - set(outcome.source_rows.tolist()) == {3, 7}


def test_a_change_leaves_out_what_its_groups_or_cells_say(found: fv.Frontier) -> None:
    change = found.change(0)
    if change.groups is None:
        pytest.skip("its change is all in the recipe")
    fewer = Change(change.recipe, np.where(np.arange(len(change.groups)) < 10, -1, change.groups), change.positions)
    outcome = fewer.outcome(found.task.table)
    assert outcome.source_rows is not None and outcome.source_rows.min() >= 10
    assert outcome.rows == found.task.rows


def test_it_takes_any_frame(found: fv.Frontier) -> None:
    recipe, fresh = found.recipe(0), source(seed=1)
    if recipe.invents:
        pytest.skip("it is not applied")
    tables = [
        recipe.outcome(given, unknown="suppress").tables for given in (Table.from_frame(fresh), fresh.to_pandas())
    ]
    for name, table in tables[0].items():
        assert table.to_arrow().equals(tables[1][name].to_arrow())
