"""TDS and TDR: every step keeps the guards, and none more could be made at the end."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Mapping
from math import inf, log2

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import fairveil as fv
from fairveil import hierarchy
from fairveil.recipes.recoding import ColumnRule, Cut, CutNodes, IntervalBins, KeptValues

GERMAN = fv.datasets.german_credit(columns="all")
BARE = dataclasses.replace(GERMAN.schema, hierarchies={})
METHODS = [fv.TDS(), fv.TDR()]


@pytest.mark.parametrize("method", METHODS, ids=lambda m: m.kind)
@pytest.mark.parametrize("schema", [GERMAN.schema, BARE], ids=["taxonomies", "bare"])
def test_every_step_is_a_valid_release(method, schema, tmp_path):
    frontier = fv.search(GERMAN.table, schema, guards=[fv.KAnonymity(10)], method=method)
    assert (frontier.values("k") >= 10).all()
    assert frontier.best_position("joint-ig") == 0  # what is told last is told by all that was told before
    release = frontier.release(0)
    assert release.holds
    assert fv.verify(release.save(tmp_path / "out").path)
    assert release.recipe.outcome(GERMAN.test, unknown="suppress").table.rows > 0


def test_the_first_specialization_is_the_one_that_tells_most_per_anonymity():
    """Four rows: sex tells all, town nothing; both cost the same."""
    frame = pa.table({"sex": ["f", "f", "m", "m"], "town": ["x", "y", "x", "y"], "y": ["n", "n", "p", "p"]})
    schema = fv.Schema(quasi=["sex", "town"], decision="y")
    for method in METHODS:
        frontier = fv.search(frame, schema, guards=[fv.KAnonymity(2)], method=method)
        assert frontier.release(0).table.to_arrow().to_pydict()["sex"] == ["f", "f", "m", "m"]
        assert set(frontier.release(0).table.to_arrow().to_pydict()["town"]) == {"*"}


def rules_of(frontier: fv.Frontier) -> Mapping[str, ColumnRule]:
    """How the first candidate recodes each column."""
    recipe = frontier.recipe(0)
    assert isinstance(recipe, Cut)
    return recipe.rules


def test_tds_follows_the_taxonomy_value_by_value():
    """The cut is free: one branch is opened, the other stays closed."""
    tree = hierarchy.tree({"*": {"school": ["6th", "8th"], "college": ["BA", "MA"]}})
    values = ["6th", "8th"] + ["BA"] * 4 + ["MA"] * 4
    frame = pa.table({"education": values, "y": ["n", "p"] + ["n"] * 4 + ["p"] * 4})
    schema = fv.Schema(quasi=["education"], decision="y", hierarchies={"education": tree})
    frontier = fv.search(frame, schema, guards=[fv.KAnonymity(2)], method=fv.TDS())
    assert sorted(set(frontier.release(0).table.to_arrow()["education"].to_pylist())) == ["BA", "MA", "school"]
    assert isinstance(rules_of(frontier)["education"], CutNodes)


def test_tdr_discloses_single_values_and_never_leaves_one_alone_suppressed():
    frame = pa.table({"job": ["a"] * 5 + ["b"] * 5 + ["c", "d"], "y": ["n"] * 5 + ["p"] * 5 + ["n", "p"]})
    schema = fv.Schema(quasi=["job"], decision="y")
    tds = fv.search(frame, schema, guards=[fv.KAnonymity(2)], method=fv.TDS())
    tdr = fv.search(frame, schema, guards=[fv.KAnonymity(2)], method=fv.TDR())
    assert set(tds.release(0).table.to_arrow()["job"].to_pylist()) == {"*"}  # all or nothing
    assert set(tdr.release(0).table.to_arrow()["job"].to_pylist()) == {"a", "b", "*"}
    assert isinstance(rules_of(tdr)["job"], KeptValues)


def test_numbers_are_split_where_the_classes_part():
    frame = pa.table({"age": [20, 25, 30, 50, 55, 60, None, None], "y": ["n"] * 3 + ["p"] * 3 + ["n", "p"]})
    schema = fv.Schema(quasi=["age"], decision="y")
    frontier = fv.search(frame, schema, guards=[fv.KAnonymity(2)], method=fv.TDS())
    rule = rules_of(frontier)["age"]
    assert isinstance(rule, IntervalBins) and 40.0 in rule.edges


@settings(max_examples=25, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 3), st.sampled_from("abc"), st.sampled_from("np")), min_size=4, max_size=40),
    st.integers(2, 4),
)
def test_random_tables_keep_k_by_a_count_of_our_own(rows, k):
    number, text, y = zip(*rows, strict=True)
    frame = pa.table({"number": number, "text": text, "y": y})
    schema = fv.Schema(quasi=["number", "text"], decision="y")
    for method in METHODS:
        published = fv.search(frame, schema, guards=[fv.KAnonymity(k)], method=method).release(0).to_frame("pandas")
        assert published.groupby(["number", "text"]).size().min() >= k


def test_other_guards_and_suppression():
    rng = np.random.default_rng(0)
    frame = pa.table(
        {
            "job": rng.choice(list("abcde"), 200),
            "age": rng.integers(20, 60, 200),
            "ill": rng.choice(["flu", "cold", "none"], 200),
            "y": rng.choice(["n", "p"], 200),
        }
    )
    schema = fv.Schema(quasi=["job", "age"], sensitive=["ill"], decision="y")
    guards = [fv.KAnonymity(5, suppression=0.05), fv.DistinctDiversity(3)]
    for method in METHODS:
        release = fv.search(frame, schema, guards=guards, method=method).release(0)
        assert release.holds
        assert release.suppressed <= 10


def test_a_decision_is_needed():
    with pytest.raises(fv.BadInput, match="tds needs a decision"):
        fv.search(pa.table({"a": [1, 1]}), fv.Schema(quasi=["a"]), guards=[fv.KAnonymity(2)], method=fv.TDS())


TREE = {"*": {"l": {"l1": ["a", "b"], "l2": ["c"]}, "r": {"r1": ["d", "e"]}}}
PATHS = {"a": "l1 l *", "b": "l1 l *", "c": "l2 l *", "d": "r1 r *", "e": "r1 r *"}


def bits(labels: list[str]) -> float:
    return -sum(labels.count(y) / len(labels) * log2(labels.count(y) / len(labels)) for y in sorted(set(labels)))


def smallest(rows: list[tuple], state: list[dict]) -> int:
    return min(Counter(tuple(nodes[row[a]] for a, nodes in enumerate(state)) for row in rows).values())


def parted(kind: str, block: list, rows_of: dict, nodes: dict) -> list[list[list[list]]]:
    """The ways to specialize one block of values that look alike, in the words of Fung, Wang and Yu; of a number the
    cuts that are equally good, of which any may be the best one."""
    if kind == "number":
        cuts = [[block[:i], block[i:]] for i in range(1, len(block))]

        def left(parts: list[list]) -> float:
            sides = [[y for value in side for y in rows_of[value]] for side in parts]
            return sum(len(side) * bits(side) for side in sides)

        return [[parts for parts in cuts if left(parts) <= min(map(left, cuts)) + 1e-9]]
    if kind == "tree":
        for level in (2, 1, 0):
            below: dict[str, list] = {}
            for value in block:
                below.setdefault(([value, *PATHS[value].split()])[level], []).append(value)
            if len(below) > 1:
                return [[list(below.values())]]
    if kind == "disclosed":
        hidden = nodes[block[0]] == "*"
        return [[[[v], [w for w in block if w != v]]] for v in block] if hidden else []
    return [[[[value] for value in block]]]


def specializations(
    rows: list[tuple], state: list[dict], kinds: list[str]
) -> list[list[tuple[float, int, list[dict]]]]:
    """Gain, rows of the smallest class, and the state after every specialization that there is; those together of which
    one is looked at."""
    options: list[list[tuple[float, int, list[dict]]]] = []
    for a, nodes in enumerate(state):
        rows_of: dict = {}
        for row in rows:
            rows_of.setdefault(row[a], []).append(row[-1])
        for node in set(nodes.values()):
            block = sorted(value for value in nodes if nodes[value] == node)
            labels = [y for value in block for y in rows_of[value]]
            if len(block) < 2 or len(set(labels)) < 2:
                continue
            for alike in parted(kinds[a], block, rows_of, nodes):
                options.append([])
                for parts in alike:
                    inside = [[y for value in part for y in rows_of[value]] for part in parts]
                    gain = bits(labels) - sum(len(part) / len(labels) * bits(part) for part in inside)
                    after = {**nodes, **{value: (node, n) for n, part in enumerate(parts) for value in part}}
                    fresh = [*state[:a], after, *state[a + 1 :]]
                    options[-1].append((gain, smallest(rows, fresh), fresh))
    return options


def looks(state: list[dict]) -> list[set[frozenset]]:
    """Which values look alike, whatever they are called."""
    return [{frozenset(v for v in nodes if nodes[v] == node) for node in nodes.values()} for nodes in state]


@pytest.mark.parametrize("method", METHODS, ids=lambda m: m.kind)
@settings(max_examples=40, deadline=None)
@given(
    st.lists(
        st.tuples(st.sampled_from("abcde"), st.integers(0, 5), st.sampled_from("xyz"), st.sampled_from("np")),
        min_size=4, max_size=40,
    ),
    st.integers(2, 4),
)  # fmt: skip
@example([*zip("aaaabb", [1, 2, 3, 3, 1, 2], "xxxxxx", "pnnpnn", strict=True)], 2)  # two cuts are equally good
def test_every_step_is_the_best_that_a_plain_version_knows(method, rows, k):
    """Row by row, with every class counted anew: no step beats the one that was taken, and none is left at the end."""
    job, number, town, y = zip(*rows, strict=True)
    frame = pa.table({"job": job, "number": number, "town": town, "y": y})
    schema = fv.Schema(quasi=["job", "number", "town"], decision="y", hierarchies={"job": hierarchy.tree(TREE)})
    frontier = fv.search(frame, schema, guards=[fv.KAnonymity(k)], method=method)
    kinds = ["tree", "number", "all" if method.kind == "tds" else "disclosed"]
    states = []
    for position in reversed(range(len(frontier))):
        shown = frontier.recipe(position).outcome(fv.Table.from_frame(frame)).table.to_arrow()
        columns = [shown[name].to_pylist() for name in schema.quasi]
        states.append([dict(zip(values, map(str, column), strict=True))
                       for values, column in zip((job, number, town), columns, strict=True)])  # fmt: skip
    assert looks(states[0]) == looks([dict.fromkeys(values, "*") for values in (job, number, town)])
    for state, after in zip(states, [*states[1:], None], strict=True):
        before = smallest(rows, state)

        def score(gain, left, before=before):
            lost = before - left
            return gain / (max(lost, 0) + 1) if method.kind == "tdr" else gain / lost if lost > 0 else gain

        options = [[(score(gain, left) if left >= k and (method.kind == "tds" or gain > 1e-12) else -inf, fresh)
                    for gain, left, fresh in alike] for alike in specializations(rows, state, kinds)]  # fmt: skip
        best = max((min(value for value, _ in alike) for alike in options), default=-inf)
        if after is None:
            assert best == -inf
        else:
            assert looks(after) in [looks(fresh) for alike in options for value, fresh in alike
                                    if value >= best - 1e-9 and value > -inf]  # fmt: skip
