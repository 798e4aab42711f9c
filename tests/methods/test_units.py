"""Methods that form groups, where people have several records: a person's equal records stay together."""

from __future__ import annotations

from collections import defaultdict
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fairveil as fv
from fairveil.methods import Method
from fairveil.methods.local_suppression import Hiding
from fairveil.methods.task import Task

GROUPING: list[Method] = [fv.MDAV(), fv.TopDownGreedy(), fv.LocalSuppression()]
QUASI = ["age", "income", "town"]


def panel(seed: int, changing: float = 0.0, people: int = 90, rows: int = 300) -> pd.DataFrame:
    """Records of people of whom a share of the values changes from record to record."""
    rng = np.random.default_rng(seed)
    who = np.concatenate([np.arange(people), (rng.random(rows - people) ** 2 * people).astype(int)])
    frame = pd.DataFrame({"who": [f"p{n:03d}" for n in who]})
    for name, values in (("age", np.arange(20, 60)), ("income", np.arange(30)), ("town", np.array(["Bari", "Rome"]))):
        column = rng.choice(values, people)[who]
        frame[name] = np.where(rng.random(rows) < changing, rng.choice(values, rows), column)
    return frame


def persons_in(frame: pd.DataFrame, release: fv.Release) -> list[int]:
    rows = release.source_rows
    assert rows is not None
    published = release.table.to_arrow().to_pandas().assign(who=frame["who"].to_numpy()[rows])
    return sorted(published.groupby(QUASI, dropna=False)["who"].nunique())


@pytest.mark.parametrize("method", GROUPING, ids=lambda method: method.kind)
@pytest.mark.parametrize("seed", range(3))
def test_people_whose_values_never_change_are_grouped_as_if_each_had_one_record(method: Method, seed: int) -> None:
    frame, guard = panel(seed), fv.KAnonymity(4)
    levels = {
        "age": fv.hierarchy.intervals([20, 60], widths=(5, 10)),
        "income": fv.hierarchy.intervals([0, 30], widths=(5,)),
    }
    several = fv.search(frame, fv.Schema(quasi=QUASI, person="who", hierarchies=levels), guards=[guard], method=method)
    once = frame.drop_duplicates("who").reset_index(drop=True)
    one_each = fv.search(once, fv.Schema(quasi=QUASI, drop=["who"], hierarchies=levels), guards=[guard], method=method)
    sizes = persons_in(frame, several.release(0))
    assert sizes == persons_in(once, one_each.release(0)) and sizes[0] >= 4
    if method.kind == "local-suppression":
        names = ["k", "loss", "average-risk"]
        assert [several.values(n)[0] for n in names] == pytest.approx([one_each.values(n)[0] for n in names])


@pytest.mark.parametrize("method", GROUPING, ids=lambda method: method.kind)
@pytest.mark.parametrize("changing", [0.1, 0.5])
def test_groups_with_too_few_persons_join_the_nearest(method: Method, changing: float) -> None:
    """Not all groups become larger because some have too few persons."""
    for seed in range(3):
        frame = panel(seed, changing)
        schema = fv.Schema(quasi=QUASI, person="who")
        sizes = persons_in(frame, fv.search(frame, schema, guards=[fv.KAnonymity(4)], method=method).release(0))
        assert sizes[0] >= 4 and np.median(sizes) < 8


@pytest.mark.parametrize("method", GROUPING, ids=lambda method: method.kind)
def test_records_that_everybody_has_twice_change_no_group(method: Method) -> None:
    frame, schema = panel(5, 0.3), fv.Schema(quasi=QUASI, person="who")
    twice = pd.concat([frame, frame], ignore_index=True)
    once, again = (fv.search(f, schema, guards=[fv.KAnonymity(4)], method=method).release(0) for f in (frame, twice))
    assert persons_in(frame, once) == persons_in(twice, again)
    assert once.measures == pytest.approx(again.measures)


def fewest(rows: list[tuple[Any, ...]], weights: list[float], k: int) -> float:
    """The least weight that must be hidden so that k persons, the first of each row, share all that is shown."""
    least = float("inf")
    for chosen in product(list(product((True, False), repeat=len(weights))), repeat=len(rows)):
        hidden = sum(w for shown in chosen for w, here in zip(weights, shown, strict=True) if not here)
        if hidden < least:
            classes = defaultdict(set)
            for (who, *values), shown in zip(rows, chosen, strict=True):
                classes[tuple(v if here else "*" for v, here in zip(values, shown, strict=True))].add(who)
            least = hidden if min(map(len, classes.values())) >= k else least
    return least


@settings(deadline=None, max_examples=40)
@given(
    st.lists(st.tuples(st.sampled_from("pqrs"), *[st.sampled_from("ab")] * 2), min_size=3, max_size=6),
    st.lists(st.sampled_from([1.0, 2.0, 0.5]), min_size=2, max_size=2),
)
def test_no_release_of_a_small_table_hides_less_by_persons(rows: list[tuple[str, ...]], weights: list[float]) -> None:
    rows = [*rows, ("p", "a", "a"), ("q", "b", "b")]
    names = ["who", "a", "b"]
    table = pa.table({name: [row[i] for row in rows] for i, name in enumerate(names)})
    schema = fv.Schema(quasi=names[1:], person="who", weights=dict(zip(names[1:], weights, strict=True)))
    expected = fewest(rows, weights, 2)
    for exact in (0, 60):
        method = fv.LocalSuppression(exact=exact)
        hiding = Hiding(Task.of(fv.Table.from_frame(table), schema, [fv.KAnonymity(2)]), method)
        hiding.run(2)
        assert hiding.bound <= expected + 1e-6 <= hiding.cost + 2e-6
        shown = fv.search(table, schema, guards=[fv.KAnonymity(2)], method=method).release(0).table.to_arrow()
        cost = sum(w * shown[name].to_pylist().count("*") for name, w in zip(names[1:], weights, strict=True))
        assert cost == pytest.approx(hiding.cost)
    assert hiding.cost == pytest.approx(expected)


def test_of_key_sets_no_bound_is_stated() -> None:
    """Classes by all columns are larger than a promise on fewer columns needs, which is the method's choice."""
    table = pa.table({"a": list("xxyy"), "b": list("pqrs")})
    guard = fv.KAnonymity(2, keys=[["a"]])
    release = fv.search(table, fv.Schema(quasi=["a", "b"]), guards=[guard], method=fv.LocalSuppression()).release(0)
    assert not any("no release" in note or "at least 100 %" in note for note in release.private)
