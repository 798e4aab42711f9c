"""The anonymity of projections is what joining them row by row shows."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fairveil as fv
from fairveil.guards.projection_values import poorest
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


def farthest_by_joining(frames: list[pd.DataFrame], quasi: list[str], decision: str, sensitive: str) -> float:
    """The largest distance (equal) of the sensitive values of a group from all, in every join, written down."""
    whole = next(frame for frame in frames if sensitive in frame)[sensitive].value_counts(normalize=True)
    worst = 0.0
    for some in (some for size in range(1, len(frames) + 1) for some in combinations(frames, size)):
        joined, _ = naturally(some, decision)
        if sensitive in joined and len(joined):
            held = [name for name in joined if name in quasi and name not in (sensitive, decision)]
            groups = [group for _, group in joined.groupby(held)] if held else [joined]
            for group in groups:
                shares = group[sensitive].value_counts(normalize=True).reindex(whole.index, fill_value=0)
                worst = max(worst, float((shares - whole).abs().sum() / 2))
    return worst


def smallest_with_the_class_known(frames: list[pd.DataFrame], quasi: list[str], decision: str) -> int:
    sizes = []
    for some in (some for size in range(1, len(frames) + 1) for some in combinations(frames, size)):
        joined, shared = naturally(some, decision)
        known = [name for name in joined if name in quasi or name in shared or name == decision]
        sizes += [int(joined.groupby(known).size().min())] if len(joined) else []
    return min(sizes)


@settings(max_examples=80, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 3), st.booleans())
def test_closeness_and_a_known_class_are_what_every_join_shows(seed: int, classes: int, of_the_class: bool) -> None:
    rng = np.random.default_rng(seed)
    rows = int(rng.integers(2, 30))
    columns = {f"c{i}": rng.integers(0, rng.integers(1, 4), rows) for i in range(4)}
    frame = pd.DataFrame({**columns, "ill": rng.integers(0, 3, rows), "y": rng.integers(0, classes, rows)})
    cuts = [["c0", "ill"], ["c1", "c2"], ["c3"]][: int(rng.integers(1, 4))]
    frames = [frame[[*names, "y"]] for names in cuts]
    quasi = [name for names in cuts for name in names if name.startswith("c")]
    sensitive = "y" if of_the_class else "ill"
    parts = Projections.of(frames, quasi=quasi, decision="y", sensitive=[sensitive])
    verdict = fv.TCloseness(0.3).verdict_parts(parts)
    assert verdict.worst == pytest.approx(farthest_by_joining(frames, quasi, "y", sensitive))
    assert verdict.holds == (verdict.worst <= 0.3 + 1e-9)
    known = fv.KnownDecision(2).verdict_parts(parts)
    assert known.worst == smallest_with_the_class_known(frames, quasi, "y")


def test_other_distances_on_projections() -> None:
    """Of one projection they are those of a table; joined on the class, hand-counted."""
    one = pa.table({"job": ["a", "a", "b", "b"], "ill": [1, 2, 3, 3], "y": [0, 1, 0, 1]})
    two = pa.table({"sex": ["f", "m", "f", "m"], "y": [0, 1, 0, 1]})
    tree = {"ill": fv.hierarchy.tree({"*": {"low": ["1", "2"], "high": ["3"]}})}
    schema = fv.Schema(quasi=["job"], sensitive=["ill"], decision="y", hierarchies=tree)
    for distance in ("equal", "ordered", "hierarchical"):
        guard = fv.TCloseness(0.1, distance)
        alone = Projections.of([one], quasi=["job"], decision="y", sensitive=["ill"], hierarchies=tree)
        [expected] = fv.check(one, schema, guard)
        assert guard.verdict_parts(alone).worst == pytest.approx(expected.worst)
    both = Projections.of([one, two], quasi=["job", "sex"], decision="y", sensitive=["ill"], hierarchies=tree)
    # job a and sex f meet only where y is 0: ill is 1, against shares of 1/4, 1/4, 1/2
    assert fv.TCloseness(0.1).verdict_parts(both).worst == pytest.approx(3 / 4)
    assert fv.TCloseness(0.1, "ordered").verdict_parts(both).worst == pytest.approx((3 / 4 + 1 / 2) / 2)
    with pytest.raises(fv.BadInput, match="share"):
        fv.TCloseness(0.1).verdict_parts(Projections.of([one, one], quasi=["job"], decision="y", sensitive=["ill"]))


def test_a_search_keeps_closeness_and_a_known_class(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    y = rng.integers(0, 2, 400)
    frame = pd.DataFrame({f"c{i}": (y + rng.integers(0, 3, 400)) % 3 for i in range(4)} | {"y": y})
    frame["ill"] = (frame["c0"] + frame["c1"] + rng.integers(0, 2, 400)) % 4
    frame = frame.astype(str)
    schema = fv.Schema(quasi=["c0", "c1", "c2", "c3"], sensitive=["ill"], decision="y")
    method = fv.DMPD(generations=8, population=10, folds=2)
    for guard in (fv.TCloseness(0.1), fv.KnownDecision(60)):
        free = fv.search(frame, schema, guards=[fv.KAnonymity(5)], method=method)
        release = fv.search(frame, schema, guards=[fv.KAnonymity(5), guard], method=method).release(0)
        assert release.published.projections and guard.verdict_parts(release.published.projections)
        kept = [bool(guard.verdict_parts(free.release(i).published.projections)) for i in range(len(free))]
        assert not all(kept)  # it binds
        assert fv.verify(release.save(tmp_path / guard.kind).path)
    with pytest.raises(fv.BadInput, match="overlap and t-closeness"):
        fv.search(frame, schema, guards=[fv.TCloseness(0.5)], method=fv.DMPD(overlap=True))


@settings(max_examples=100, deadline=None)
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


@settings(max_examples=100, deadline=None)
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
    with pytest.raises(fv.BadInput, match="entropy-diversity is not defined for projections"):
        parts.check([fv.EntropyDiversity(2)])


def test_a_single_table_is_no_list_of_tables():
    frame = pd.DataFrame({"a": [1], "y": [0]})
    for frames in (frame, {"one": frame}, "file.csv"):
        with pytest.raises(fv.BadInput, match="a list of tables"):
            Projections.of(frames, quasi=["a"], decision="y")  # type: ignore[arg-type]


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


def test_a_quasi_column_may_be_in_no_projection():
    jobs = pa.table({"job": ["a", "a", "b", "b"], "y": [0, 1, 0, 1]})
    parts = Projections.of([jobs], quasi=["job", "age"], decision="y", left_out=["age"])
    assert parts.level == 2
    with pytest.raises(fv.BadInput, match="left_out"):
        Projections.of([jobs], quasi=["job", "age"], decision="y")
    with pytest.raises(fv.BadInput, match="a projection publishes it"):
        Projections.of([jobs], quasi=["job"], decision="y", left_out=["job"])
