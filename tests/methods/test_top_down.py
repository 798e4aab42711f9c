"""TDS and TDR: every step keeps the guards, and none more could be made at the end."""

from __future__ import annotations

import dataclasses

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fairveil as fv
from fairveil import hierarchy
from fairveil.recipes.recoding import Bins, Nodes, Shown

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
    assert fv.verify(release.save(tmp_path / "out"))
    assert release.recipe.apply(GERMAN.test, unknown="suppress").table.rows > 0


def test_the_first_specialization_is_the_one_that_tells_most_per_anonymity():
    """Four rows: sex tells all, town nothing; both cost the same."""
    frame = pa.table({"sex": ["f", "f", "m", "m"], "town": ["x", "y", "x", "y"], "y": ["n", "n", "p", "p"]})
    schema = fv.Schema(quasi=["sex", "town"], decision="y")
    for method in METHODS:
        frontier = fv.search(frame, schema, guards=[fv.KAnonymity(2)], method=method)
        assert frontier.release(0).table.to_arrow().to_pydict()["sex"] == ["f", "f", "m", "m"]
        assert set(frontier.release(0).table.to_arrow().to_pydict()["town"]) == {"*"}


def test_tds_follows_the_taxonomy_value_by_value():
    """The cut is free: one branch is opened, the other stays closed."""
    tree = hierarchy.tree({"*": {"school": ["6th", "8th"], "college": ["BA", "MA"]}})
    values = ["6th", "8th"] + ["BA"] * 4 + ["MA"] * 4
    frame = pa.table({"education": values, "y": ["n", "p"] + ["n"] * 4 + ["p"] * 4})
    schema = fv.Schema(quasi=["education"], decision="y", hierarchies={"education": tree})
    frontier = fv.search(frame, schema, guards=[fv.KAnonymity(2)], method=fv.TDS())
    assert sorted(set(frontier.release(0).table.to_arrow()["education"].to_pylist())) == ["BA", "MA", "school"]
    assert isinstance(frontier.recipe(0).rules["education"], Nodes)


def test_tdr_discloses_single_values_and_never_leaves_one_alone_suppressed():
    frame = pa.table({"job": ["a"] * 5 + ["b"] * 5 + ["c", "d"], "y": ["n"] * 5 + ["p"] * 5 + ["n", "p"]})
    schema = fv.Schema(quasi=["job"], decision="y")
    tds = fv.search(frame, schema, guards=[fv.KAnonymity(2)], method=fv.TDS())
    tdr = fv.search(frame, schema, guards=[fv.KAnonymity(2)], method=fv.TDR())
    assert set(tds.release(0).table.to_arrow()["job"].to_pylist()) == {"*"}  # all or nothing
    assert set(tdr.release(0).table.to_arrow()["job"].to_pylist()) == {"a", "b", "*"}
    assert isinstance(tdr.recipe(0).rules["job"], Shown)


def test_numbers_are_split_where_the_classes_part():
    frame = pa.table({"age": [20, 25, 30, 50, 55, 60, None, None], "y": ["n"] * 3 + ["p"] * 3 + ["n", "p"]})
    schema = fv.Schema(quasi=["age"], decision="y")
    frontier = fv.search(frame, schema, guards=[fv.KAnonymity(2)], method=fv.TDS())
    rule = frontier.recipe(0).rules["age"]
    assert isinstance(rule, Bins) and 40.0 in rule.edges


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
