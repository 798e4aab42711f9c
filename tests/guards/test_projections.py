"""The anonymity of projections is what joining them row by row shows."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fairveil as fv
from fairveil.guards.joined import poorest
from fairveil.guards.projections import Projections


def by_joining(frames: list[pd.DataFrame], quasi: list[str], decision: str) -> tuple[int, int | None]:
    """PAL and SAL from the definitions, with the join written down."""
    alone = []
    for frame in frames:
        held = [name for name in frame if name in quasi]
        alone.append(int(frame.groupby(held).size().min()) if held else len(frame))
    joins = [naturally(some, decision) for size in range(2, len(frames) + 1) for some in combinations(frames, size)]
    smallest = [
        int(
            joined.groupby([name for name in joined if name in quasi or name in shared or name == decision])
            .size()
            .min()
        )
        for joined, shared in joins
        if len(joined)
    ]
    return min(alone), min(smallest, default=None)


def naturally(frames: Sequence[pd.DataFrame], decision: str) -> tuple[pd.DataFrame, set[str]]:
    """The natural join of some tables, row by row, and what any two of them share besides the decision."""
    joined, shared = frames[0], set()
    for frame in frames[1:]:
        common = [name for name in frame if name in joined]
        shared |= set(common) - {decision}
        joined = joined.merge(frame, on=common)
    return joined, shared


def poorest_by_joining(frames: list[pd.DataFrame], quasi: list[str], decision: str, sensitive: str) -> float:
    """The fewest sensitive values for equal quasi and shared values in the natural join of any tables."""
    counts = []
    for some in (some for size in range(1, len(frames) + 1) for some in combinations(frames, size)):
        joined, shared = naturally(some, decision)
        if sensitive in joined and len(joined):
            held = [n for n in joined if (n in quasi or n in shared) and n not in (sensitive, decision)]
            groups = joined.groupby(held)[sensitive].nunique() if held else pd.Series([joined[sensitive].nunique()])
            counts.append(int(groups.min()))
    return min(counts, default=float("inf"))


@st.composite
def tables(draw, columns: int = 4):
    rows = draw(st.integers(1, 25))
    data = {f"c{i}": draw(st.lists(st.integers(0, 2), min_size=rows, max_size=rows)) for i in range(columns)}
    data["y"] = draw(st.lists(st.sampled_from(["no", "yes", "some"]), min_size=rows, max_size=rows))
    return pd.DataFrame(data)


@settings(max_examples=200, deadline=None)
@given(
    tables(),
    st.lists(st.sets(st.sampled_from(["c0", "c1", "c2", "c3"]), min_size=1), min_size=1, max_size=4),
    st.sets(st.sampled_from(["c0", "c1", "c2", "c3"])),
)
def test_levels_equal_those_of_the_joined_rows(frame, subsets, quasi):
    """Disjoint or overlapping subsets, quasi or not."""
    frames = [frame[[*sorted(subset), "y"]] for subset in subsets]
    quasi = sorted(set(quasi) & {name for subset in subsets for name in subset})
    parts = Projections.of(frames, quasi=quasi, decision="y")
    partial, joined = by_joining(frames, quasi, "y")
    assert parts.partial == partial
    assert parts.joined == joined
    assert parts.level == (partial if joined is None else min(partial, joined))


@settings(max_examples=60, deadline=None)
@given(tables(3), st.sampled_from(["y", "s"]), st.booleans())
def test_diversity_equals_that_of_the_joined_rows(frame, sensitive, s_alone):
    frame = frame.rename(columns={"c2": "s"})
    subsets = [["c0"], ["c1"], ["s"]] if s_alone else [["c0", "s"], ["c1"]]
    frames = [frame[[*subset, "y"]] for subset in subsets]
    parts = Projections.of(frames, quasi=["c0", "c1"], decision="y", sensitive=[sensitive])
    counts = []
    for size in range(1, len(frames) + 1):
        for some in combinations(frames, size):
            joined = some[0]
            for other in some[1:]:
                joined = joined.merge(other, on="y")
            held = [name for name in joined if name in ("c0", "c1")]
            if sensitive in joined:
                groups = joined.groupby(held)[sensitive].nunique() if held else pd.Series([joined[sensitive].nunique()])
                counts.append(int(groups.min()))
    assert poorest(parts, [sensitive]) == min(counts)


@settings(max_examples=200, deadline=None)
@given(
    tables(5),
    st.lists(st.sets(st.sampled_from(["c0", "c1", "c2", "c3", "c4"]), min_size=1, max_size=3), min_size=2, max_size=4),
    st.sets(st.sampled_from(["c0", "c1", "c2"])),
    st.sampled_from(["c3", "c4", "y"]),
)
def test_diversity_of_overlapping_projections_equals_that_of_the_joined_rows(frame, subsets, quasi, sensitive):
    """The sensitive column itself may be shared, or be the class."""
    frames = [frame[[*sorted(subset), "y"]] for subset in subsets]
    names = {name for part in frames for name in part}
    if sensitive not in names:
        return
    parts = Projections.of(frames, quasi=sorted(quasi & names), decision="y", sensitive=[sensitive])
    assert poorest(parts, [sensitive]) == poorest_by_joining(frames, sorted(quasi), "y", sensitive)


def test_projections_of_a_chain_and_of_three_that_only_hang_together_by_plain_columns():
    rows = pd.DataFrame({"s": [0, 0, 1, 1], "t": [0, 1, 0, 1], "qa": [1, 2, 1, 2], "qb": [1] * 4, "qc": [1, 1, 2, 2]})
    rows = pd.concat([rows.assign(y="n"), rows.assign(y="p")])
    frames = [rows[["qa", "s", "y"]], rows[["qb", "s", "t", "y"]], rows[["qc", "t", "y"]]]
    parts = Projections.of(frames, quasi=["qa", "qb", "qc"], decision="y")
    assert min(parts.pair(p, r) for p, r in combinations(range(3), 2)) == 2
    assert parts.joined == parts.level == parts.together(range(3)) == 1
    assert not parts.check([fv.KAnonymity(2)])[0]


def test_long_chains_are_exact_and_too_many_ways_to_join_are_refused():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({f"c{i}": rng.integers(0, 2, 12) for i in range(20)} | {"y": ["n"] * 12})
    links = [frame[[f"c{i}", f"c{i + 1}", "y"]] for i in range(5)]
    chain = Projections.of(links, quasi=["c0", "c5"], decision="y")
    assert chain.joined == by_joining(links, ["c0", "c5"], "y")[1]
    star = Projections.of([frame[["c0", f"c{i}", "y"]] for i in range(1, 16)], quasi=["c1"], decision="y")
    with pytest.raises(fv.BadInput, match="too many ways to look at every join"):
        star.level  # noqa: B018
    with pytest.raises(fv.BadInput, match="too many ways"):
        poorest(star, ["c2"])


def test_projections_from_elsewhere_are_judged_alike():
    """Other types and orders, a class that only one of them has."""
    one = pa.table({"job": ["a", "a", "b"], "y": [1, 1, 2]})
    two = pd.DataFrame({"sex": ["f", "m", "f"], "y": ["1", "3", "1"]})
    parts = Projections.of([one, two], quasi=["job", "sex"], decision="y")
    assert parts.joined == 4  # class 1: a twice, f twice
    assert parts.partial == 1
    verdict = parts.check([fv.KAnonymity(2)])[0]
    assert not verdict
    assert "at least 1 record shares" in verdict.sentence


def test_a_shared_row_number_undoes_everything():
    rows = range(6)
    one = pa.table({"id": rows, "job": ["a"] * 6, "y": ["n"] * 6})
    two = pa.table({"id": rows, "sex": ["f"] * 6, "y": ["n"] * 6})
    assert Projections.of([one, two], quasi=["job", "sex"], decision="y").joined == 1


def test_guards_that_know_nothing_of_projections_say_so():
    parts = Projections.of([pa.table({"job": ["a"], "y": ["n"]})], quasi=["job"], decision="y")
    with pytest.raises(fv.BadInput, match="t-closeness is not defined for projections"):
        parts.check([fv.TCloseness(0.2)])


def test_a_single_table_is_no_list_of_tables():
    frame = pd.DataFrame({"a": [1], "y": [0]})
    for frames in (frame, {"one": frame}, "file.csv"):
        with pytest.raises(fv.BadInput, match="a list of tables"):
            Projections.of(frames, quasi=["a"], decision="y")


def test_unknown_columns_are_refused_by_name():
    with pytest.raises(fv.BadInput, match="did you mean 'job'"):
        Projections.of([pa.table({"job": ["a"], "y": ["n"]})], quasi=["jobb"], decision="y")
    with pytest.raises(fv.BadInput, match="projection 1 has no column 'z'"):
        Projections.of([pa.table({"job": ["a"], "y": ["n"]})], quasi=["job"], decision="z")


def test_many_wide_columns_do_not_overflow():
    rng = np.random.default_rng(0)
    data = {f"c{i}": rng.integers(0, 1000, 50).tolist() * 3 for i in range(12)}
    data["y"] = rng.integers(0, 3, 50).tolist() * 3
    frame = pd.DataFrame(data)
    names = [name for name in frame if name != "y"]
    parts = Projections.of([frame], quasi=names, decision="y")
    assert parts.partial == int(frame.groupby(names).size().min())
