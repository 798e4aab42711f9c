"""truthful, error and IL1s: against the definition, figures computed elsewhere, and what must be so."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fairveil as fv
from fairveil.data.table import Table
from fairveil.frontier.frontier import Frontier
from fairveil.measures.truth import of_published
from fairveil.methods.method import Method
from fairveil.published.published import Published, in_memory
from fairveil.recipes.full_domain import FullDomain
from tests.contracts.people import GUARDS, SCHEMA, source


def chosen(frontier: Frontier, measure: str = "loss") -> Frontier:
    return frontier.some(np.arange(len(frontier)) == frontier.best_position(measure))


@pytest.mark.parametrize(("method", "truthful", "error"), [(fv.Incognito(), 1.0, 0.3156), (fv.Mondrian(), 1.0, 0.0919)])
def test_adult_has_the_figures_that_were_computed_elsewhere(method: Method, truthful: float, error: float) -> None:
    adult = fv.datasets.adult()
    best = chosen(fv.search(adult.table, adult.schema, guards=fv.KAnonymity(5), method=method))
    assert best.values("truthful")[0] == truthful
    assert best.values("error")[0] == pytest.approx(error, abs=5e-5)


def test_loss_ranks_averages_first_and_error_by_how_far_they_are_off() -> None:
    adult = fv.datasets.adult()
    found = fv.explore(
        adult.table, adult.schema, guards=fv.KAnonymity(5), methods=[fv.Mondrian(), fv.MDAV()],
        measures=["loss", "entropy", "truthful"],
    )  # fmt: skip
    mondrian, mdav = 0, 1
    assert found.best_position("loss") == mdav
    assert found.best_position("entropy") == found.best_position("truthful") == mondrian


def test_il1s_is_what_sdcmicro_prints() -> None:
    """sdcMicro 5.8.1, dUtility(method = "IL1") of its MDAV with groups of three."""
    frame = pa.table({"a": [10.0, 12, 14, 30, 33, 90], "b": [1.0, 2, 3, 4, 5, 6]})
    schema = fv.Schema(quasi=["a", "b"])
    found = fv.search(frame, schema, guards=fv.KAnonymity(3), method=fv.MDAV(k=3))
    assert found.values("il1s")[0] == pytest.approx(0.2857170, abs=5e-8)


def plain(rows: list[tuple[object, object]], gone: list[object], numeric: bool) -> float:
    """The error of one column from the definition: pairs of true and published values, and suppressed ones."""
    everybody = [x for x, _ in rows] + gone
    numbers = [x for x in everybody if numeric and x is not None]
    width = (max(numbers) - min(numbers) if numbers else 0) or 1  # type: ignore[type-var, operator]

    def apart(x: object, other: object) -> float:
        if x is None or other is None or not numeric:
            return float(x != other)
        return abs(x - other) / width  # type: ignore[operator]

    total = 0.0
    for x, y in rows:
        guesses = [other for other, label in rows if label == y]
        total += sum(apart(x, other) for other in guesses) / len(guesses)
    total += sum(sum(apart(x, other) for other in everybody) / len(everybody) for x in gone)
    return total / len(everybody)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.one_of(st.none(), st.integers(0, 5)), st.sampled_from("abc"), st.booleans()), min_size=2),
    st.booleans(),
)
def test_the_error_is_the_defined_one(rows: list[tuple[int | None, str, bool]], numeric: bool) -> None:
    kept = [i for i, (_, _, published) in enumerate(rows) if published]
    true = [x if numeric or x is None else f"v{x}" for x, _, _ in rows]
    if not kept or all(x is None for x in true):
        return
    table = Table.from_frame(pa.table({"x": pa.array(true)}))
    schema = fv.Schema(quasi=["x"])
    recipe = FullDomain(schema, {"x": 0})
    shown = Table.from_frame(pa.table({"x": [rows[i][1] for i in kept]}))
    published = replace(Published.of(recipe, {"data": shown}), source_rows=np.array(kept))
    pairs: list[tuple[object, object]] = [(true[i], rows[i][1]) for i in kept]
    gone: list[object] = [x for i, x in enumerate(true) if i not in kept]
    assert of_published(published, table)["error"] == pytest.approx(plain(pairs, gone, numeric))


@pytest.mark.parametrize("method", [fv.Incognito(), fv.Mondrian(), fv.MDAV(k=3), fv.TopDownGreedy(), fv.Preferences()])
def test_a_permuted_column_shows(method: Method) -> None:
    table = Table.from_frame(source(rows=120))
    release = chosen(fv.search(table, SCHEMA, guards=GUARDS, method=method)).release(0)
    published, honest = release.published, of_published(release.published, table)
    moved = False
    for name in SCHEMA.quasi:
        only = published.tables["data"]
        column = only.column(name)
        mixed = only.with_columns([replace(column, codes=np.roll(column.codes, 7))])
        told = of_published(replace(published, content=in_memory({"data": mixed})), table)
        if len(set(column.codes.tolist())) > 1:
            moved = True
            assert told["truthful"] < honest["truthful"] and told["error"] != honest["error"]
    assert moved


def test_nothing_changed_and_nothing_left() -> None:
    table = Table.from_frame(source(rows=60))
    as_it_is = fv.search(table, SCHEMA, guards=GUARDS).baseline(["truthful", "error", "entropy"])
    assert as_it_is == {"truthful": 1.0, "error": 0.0, "entropy": 0.0}
