"""Hierarchies read off the data."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise, product
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import fairveil as fv
from experiments import not_bundled
from fairveil.data.hierarchy import automatic, from_dict, read_csv, read_taxonomies, write_csv
from fairveil.data.hierarchy.automatic import _profiles, _two_means
from fairveil.data.interval_edges import Edges
from fairveil.errors import BadInput

TAXONOMIES = not_bundled("taxonomies") or Path("taxonomies")


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.one_of(st.integers(-50, 50), st.floats(-9, 9).map(lambda x: round(x, 2))), min_size=1),
    st.integers(2, 6),
)
def test_numbers_are_grouped_from_the_largest_down_and_every_level_raises_k(numbers: list[float], group: int) -> None:
    table = fv.Table.from_frame(pa.table({"x": pa.array([float(x) + 0.0 for x in numbers])}))
    column = table.column("x")
    rule = automatic(table, ["x"], group=group)["x"]
    levels = rule.bind(column.domain)
    rows, cells = np.bincount(column.codes), Edges.of(column).cells
    firsts = np.flatnonzero(np.diff(cells, prepend=-1))  # one value of each cell of the grid
    ks = [np.bincount(codes, weights=rows).min() for codes in levels.codes]
    assert all(a < b for a, b in pairwise(ks[1:-1]))
    assert len(levels.labels[-1]) == 1
    assert from_dict(rule.to_dict()) == rule
    for codes in levels.codes[1:-1, firsts]:
        sizes = np.bincount(codes)[codes[np.sort(np.unique(codes, return_index=True)[1])]]
        assert (sizes[1:] % group == 0).all()  # only the lowest group may be smaller


def test_names_whose_records_are_alike_come_together(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    towns = np.repeat(["n1", "n2", "s1", "s2"], 50)
    heat = np.where(np.char.startswith(towns, "n"), 0, 30) + rng.normal(0, 1, 200)
    table = fv.Table.from_frame(pa.table({"town": towns[:-5], "heat": heat[:-5]}))
    rule = automatic(table, ["town"])["town"]
    levels = rule.bind(table.column("town").domain)
    assert set(levels.labels[1]) == {"n1 / n2", "s1 / s2"}
    write_csv(levels, tmp_path / "town.csv")
    assert read_csv(tmp_path / "town.csv").bind(table.column("town").domain).labels == levels.labels


def test_automatic_hierarchies_make_a_release() -> None:
    credit = fv.datasets.german_credit()
    schema = fv.Schema(
        quasi=credit.schema.quasi, decision="class", hierarchies=automatic(credit.table, credit.schema.quasi)
    )
    assert fv.search(credit.table, schema, guards=[fv.KAnonymity(5)], method=fv.Datafly()).best("loss").holds


def test_taxonomy_files_are_read_as_they_are_written(tmp_path: Path) -> None:
    table = fv.Table.from_frame(pa.table({"marital-status": ["x", "y"], "date": [0.0, 0.5]}))
    file = tmp_path / "Tax"
    file.write_text("%\nmartialStatus\nx,Any\ny,Any\n%\ndate\n0#0-1##\n0,5#0-1\n%\nother\nq#Any\n", encoding="utf-8")
    hierarchies = read_taxonomies(file, table)
    assert hierarchies["date"].bind([0.0, 0.5]).labels == ((0.0, 0.5), ("0-1",))
    assert list(hierarchies) == ["marital-status", "date"]
    file.write_text("x,Any\n", encoding="utf-8")
    with pytest.raises(BadInput, match="line 1"):
        read_taxonomies(file, table)
    with pytest.raises(BadInput, match="cannot be read"):
        read_taxonomies(tmp_path / "nothing", table)


@pytest.mark.skipif(not TAXONOMIES.exists(), reason="the authors' taxonomies are not here")
@pytest.mark.parametrize("name, columns", [("Adult", 14), ("Bank", 17), ("Electricity", 9)])
def test_the_authors_taxonomies_fit_their_data(name: str, columns: int) -> None:
    table = fv.Table.read(TAXONOMIES.parent / f"{name.lower()}.csv.gz", missing_values=("?",), missing="drop")
    hierarchies = read_taxonomies(TAXONOMIES / f"Tax{name}", table)
    assert len(hierarchies) == columns
    for column, rule in hierarchies.items():
        assert rule.bind(table.column(column).domain).notes == ()


def test_a_group_of_one_is_refused() -> None:
    table = fv.Table.from_frame(pa.table({"x": [1, 2]}))
    with pytest.raises(BadInput, match="group must be"):
        automatic(table, ["x"], group=1)


def test_a_frame_and_a_single_name_are_enough() -> None:
    frame = pa.table({"age": list(range(20, 60)), "town": ["a", "b", "c", "d"] * 10})
    table = fv.Table.from_frame(frame)
    assert automatic(frame, "age") == automatic(table, ["age"])
    assert automatic(frame.to_pandas(), ["town"], beside="age") == automatic(table, ["town"], beside=["age"])
    with pytest.raises(BadInput, match="did you mean 'town'"):
        automatic(frame, "twon")


def around_means(points: list[list[float]], weights: list[float]) -> float:
    """Weighted squared distances from the weighted mean, summed by hand."""
    total = sum(weights)
    middle = [sum(w * p[d] for p, w in zip(points, weights, strict=True)) / total for d in range(len(points[0]))]
    return sum(
        w * sum((a - m) ** 2 for a, m in zip(p, middle, strict=True)) for p, w in zip(points, weights, strict=True)
    )


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000), st.integers(2, 6), st.integers(1, 3))
@example(9013, 5, 3)  # ten starts of Lloyd's algorithm miss it
def test_two_means_are_the_best_of_all_ways_to_part_the_values(seed: int, values: int, width: int) -> None:
    rng = np.random.default_rng(seed)
    profiles, rows = rng.normal(size=(values, width)), rng.integers(1, 20, values)
    side = _two_means(profiles, rows, 0)

    def cost(chosen: Sequence[bool]) -> float:
        parts = [[i for i, second in enumerate(chosen) if second == part] for part in (False, True)]
        return sum(around_means(profiles[p].tolist(), rows[p].tolist()) for p in parts if p)

    every = [chosen for chosen in product((False, True), repeat=values) if any(chosen) and not chosen[0]]
    assert not side[0] and side.any()
    assert cost(side.tolist()) == pytest.approx(min(map(cost, every)))


def test_profiles_are_means_of_numbers_and_shares_of_names() -> None:
    """What two-means compares, by pandas."""
    rng = np.random.default_rng(2)
    frame = pd.DataFrame({"job": rng.choice(list("abcd"), 200), "age": rng.normal(40, 9, 200),
                          "sex": rng.choice(["f", "m"], 200)})  # fmt: skip
    table = fv.Table.from_frame(frame)
    found = _profiles(table.column("job"), [table.column("age"), table.column("sex")])
    scaled = (frame["age"] - frame["age"].mean()) / frame["age"].std(ddof=0)
    ages = scaled.groupby(frame["job"]).mean().to_numpy()
    shares = pd.crosstab(frame["job"], frame["sex"], normalize="index").to_numpy()
    assert found == pytest.approx(np.column_stack([ages, shares]))
