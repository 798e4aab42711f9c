"""Column rules publish old and new values alike, and know what they cannot have published."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import fairveil as fv
from fairveil import hierarchy
from fairveil.data.table import Table
from fairveil.recipes import recoding
from fairveil.recipes.recoding import Cut, CutNodes, IntervalBins, KeptValues, recode

RACE = hierarchy.tree({"*": {"White": ["White"], "Other": ["Black", "Asian"]}})


@given(st.lists(st.floats(-100, 100), min_size=1, unique=True), st.lists(st.floats(-200, 200), min_size=1))
def test_every_number_is_in_the_interval_its_label_names(edges, values):
    rule = IntervalBins(tuple(sorted(edges)))
    names = rule.names
    for value, label in zip(values, rule.labels(values), strict=True):
        assert label is not None
        place = names.index(label)
        assert (place == 0 or value > rule.edges[place - 1]) and (place == len(edges) or value <= rule.edges[place])
        assert rule.admits(label)


@pytest.mark.parametrize(
    "rule", [IntervalBins((1.5, 2.5)), CutNodes(((1, "Other"), (0, "White"))), KeptValues(("a", None))]
)
def test_rules_survive_being_written_down(rule):
    assert recoding.from_dict(rule.to_dict()) == rule


def test_nodes_climb_to_the_cut():
    rule = CutNodes(((1, "Other"), (0, "White")))
    assert rule.labels(["White", "Asian", "Black"], RACE) == ["White", "Other", "Other"]
    assert not rule.admits("Asian")


def test_new_and_missing_values():
    column = Table.from_frame(pa.table({"c": ["a", None, "b"]})).column("c")
    fresh, lookup = recode(column, KeptValues(("a",)))
    assert fresh.to_arrow().to_pylist() == ["a", "*", "*"]
    assert lookup.tolist() == [1, 0, 0]


def test_text_where_numbers_are_expected_is_refused_by_column():
    column = Table.from_frame(pa.table({"age": ["old", "new"]})).column("age")
    with pytest.raises(fv.BadInput, match="column 'age': 'new' is not a number"):
        recode(column, IntervalBins((1.0,)))


def test_a_cut_refuses_or_leaves_out_what_its_hierarchy_does_not_know():
    schema = fv.Schema(quasi=["race"], hierarchies={"race": RACE})
    recipe = Cut(schema, {"race": CutNodes(((1, "Other"), (1, "White")))})
    table = Table.from_frame(pa.table({"race": ["White", "Martian", "Black"]}))
    with pytest.raises(fv.BadInput, match="Martian"):
        recipe.outcome(table)
    outcome = recipe.outcome(table, unknown="suppress")
    assert outcome.table.to_arrow()["race"].to_pylist() == ["White", "Other"]
    assert outcome.rows == 3


def test_the_loss_of_a_cut_is_ncp():
    schema = fv.Schema(quasi=["race"], hierarchies={"race": RACE})
    recipe = Cut(schema, {"race": CutNodes(((1, "Other"), (1, "White")))})
    table = Table.from_frame(pa.table({"race": ["White", "Asian", "Black", "Black"]}))
    loss = recipe.outcome(table).summary(schema).loss[0, 0]
    assert np.isclose(loss, 3 * (2 - 1) / (3 - 1))
    fewer = Table.from_frame(pa.table({"race": ["White", "Black"]}))  # Asian still is a leaf
    assert np.isclose(recipe.outcome(fewer).summary(schema).loss[0, 0], (2 - 1) / (3 - 1))
