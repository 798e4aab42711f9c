"""Indirect discrimination: background knowledge, the grounds it makes, and the guard."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import fairveil as fv
from fairveil import guards, hierarchy
from fairveil.errors import BadInput
from fairveil.guards.rules.redlining import Correlation
from fairveil.run.plan import Origin, Plan

# 47602 is mostly inhabited by black people, who are mostly denied
ZIPS = ["47602"] * 10 + ["47677"] * 10 + ["47678"] * 10
RACES = ["Black"] * 9 + ["White"] + ["White"] * 9 + ["Black"] + ["White"] * 10
CREDIT = ["no"] * 8 + ["yes"] * 2 + (["no"] * 3 + ["yes"] * 7) * 2
TABLE = pa.table({"zip": ZIPS, "race": RACES, "hours": [35, 40] * 15, "credit": CREDIT})
SCHEMA = fv.Schema(
    quasi=["zip", "hours"], protected=["race"], drop=["race"], decision="credit", denied="no",
    hierarchies={"zip": hierarchy.mask(5, steps=(2,))},
)  # fmt: skip


def test_knowledge_is_learnt_from_a_sample_that_still_has_the_protected_column():
    rules = fv.background_knowledge(TABLE, "race", columns=["zip", "hours"], confidence=0.85)
    assert [str(rule) for rule in rules] == [
        "zip=47678 → race=White (100%)",
        "zip=47602 → race=Black (90%)",
        "zip=47677 → race=White (90%)",
    ]


def test_what_nearly_everybody_is_stands_for_nothing():
    """Each value of hours goes with White in the same share as the whole sample: confidence without lift."""
    rules = fv.background_knowledge(TABLE, "race", columns=["hours"], confidence=0.5)
    assert rules == ()
    assert fv.background_knowledge(TABLE, "race", columns=["hours"], confidence=0.5, lift=0)


def test_knowledge_from_a_table_of_counts():
    counts = pa.table({"zip": ["47602", "47602", "47677"], "race": ["Black", "White", "White"], "n": [900, 100, 2000]})
    strongest, other = fv.background_knowledge(counts, "race", count="n")
    assert (strongest.premise, strongest.confidence) == ((("zip", "47677"),), 1.0)
    assert (other.premise, other.confidence) == ((("zip", "47602"),), 0.9)


def test_knowledge_at_higher_levels_and_over_two_columns():
    rules = fv.background_knowledge(
        TABLE, "race", columns=["zip", "hours"], hierarchies=SCHEMA.hierarchies, width=2, confidence=0.85
    )
    assert any(len(rule.premise) == 2 for rule in rules)


def test_generalizing_what_stands_for_a_protected_column_prevents_redlining(tmp_path):
    """Section 7.2.1: 47677, 47602 and 47678 generalized to 476** hide who lives where."""
    knowledge = fv.background_knowledge(TABLE, "race", columns=["zip"])
    guard = fv.NoRedlining(1.2, min_support=0.1, knowledge=knowledge)
    plain = fv.search(TABLE, SCHEMA, guards=[fv.KAnonymity(3)])
    frontier = fv.search(TABLE, SCHEMA, guards=[fv.KAnonymity(3), guard])
    assert plain.nodes[:, 0].min() == 0
    assert frontier.nodes[:, 0].min() == 1
    release = frontier.best("loss")
    assert "race" not in release.table.names
    assert set(release.table.column("zip").domain) == {"476**"}
    release.save(tmp_path / "out")
    assert fv.verify(tmp_path / "out")


def test_non_redlining_is_protection_with_the_indirect_grounds_in_place_of_the_protected_ones():
    schema = fv.Schema(quasi=["zip", "hours"], protected=["zip"], drop=["race"], decision="credit", denied="no",
                       hierarchies=SCHEMA.hierarchies)  # fmt: skip
    direct = fv.search(TABLE, schema, guards=[fv.KAnonymity(2), fv.AlphaProtection(1.2, min_support=1)])
    indirect = fv.search(
        TABLE, SCHEMA, guards=[fv.KAnonymity(2), fv.NoRedlining(1.2, min_support=1, knowledge=("zip -> race",))]
    )
    assert direct.nodes.tolist() == indirect.nodes.tolist()


def test_a_rule_and_a_list_of_rules_are_knowledge_too():
    several = fv.NoRedlining(1.2, knowledge=("zip -> race",))
    assert fv.NoRedlining(1.2, knowledge="zip -> race") == several
    assert fv.NoRedlining(1.2, knowledge=["zip -> race"]) == several


def test_weak_knowledge_makes_no_ground():
    weak = Correlation((("zip", "47602"),), (("race", "Black"),), 0.6)
    assert fv.NoRedlining(1.2, knowledge=(weak,)).indirect == ()
    assert fv.NoRedlining(1.2, knowledge=(weak,), confidence=0.5).indirect == ("zip",)


def test_plain_form_and_back():
    guard = fv.NoRedlining(1.2, knowledge=("zip -> race", Correlation((("hours", 35),), (("race", "Black"),), 0.9)))
    assert guards.from_dict(guard.to_dict()) == guard
    plan = Plan(Origin(dataset="adult"), (guard,))
    assert Plan.from_toml(plan.to_toml()).guards == (guard,)


def test_what_is_refused():
    with pytest.raises(BadInput, match="write 'zip -> race'"):
        fv.NoRedlining(1.2, knowledge=("zip",))
    with pytest.raises(BadInput, match="did you mean 'zip'"):
        fv.search(TABLE, SCHEMA, guards=[fv.NoRedlining(1.2, knowledge=("zipp -> race",))])
    with pytest.raises(BadInput, match="needs background knowledge"):
        fv.search(TABLE, SCHEMA, guards=[fv.NoRedlining(1.2)])
    published = fv.Schema(quasi=["zip", "hours", "race"], protected=["race"], decision="credit", denied="no")
    with pytest.raises(BadInput, match="without 'race': give it the role drop"):
        fv.search(TABLE, published, guards=[fv.NoRedlining(1.2, knowledge=("zip -> race",))])
    with pytest.raises(BadInput, match="not all of its values are numbers"):
        fv.background_knowledge(TABLE, "race", count="credit")


def test_a_plan_learns_from_a_sample_beside_it_and_keeps_nothing_but_names_of_columns(tmp_path):
    """The sample may be confidential: neither its values nor its shares go out with the release."""
    pq.write_table(TABLE.drop_columns("credit"), tmp_path / "census.parquet")
    pq.write_table(TABLE, tmp_path / "people.parquet")
    text = """
        format = 1
        [source]
        path = "people.parquet"
        [schema]
        quasi = ["zip", "hours"]
        protected = "race"
        drop = "race"
        decision = "credit"
        denied = "no"
        [hierarchies.zip]
        kind = "mask"
        length = 5
        steps = [2]
        [[guards]]
        kind = "no-redlining"
        alpha = 1.2
        min_support = 0.1
        knowledge = KNOWLEDGE
        [[guards]]
        kind = "k-anonymity"
        k = 3
        """
    plan = Plan.from_toml(text.replace("KNOWLEDGE", '{ sample = "census.parquet" }'), tmp_path)
    [learnt, _] = plan.guards
    assert isinstance(learnt, fv.NoRedlining)
    assert learnt.knowledge == (Correlation((("zip", None),), (("race", None),), 0.8),)
    assert Plan.from_toml(plan.to_toml(), tmp_path).guards == plan.guards
    stated = Plan.from_toml(text.replace("KNOWLEDGE", '["zip -> race"]'), tmp_path)
    assert plan.run().table.to_arrow().equals(stated.run().table.to_arrow())
    both = Plan.from_toml(text.replace("KNOWLEDGE", '["hours -> race", {sample = "census.parquet"}]'), tmp_path)
    [mixed, _] = both.guards
    assert isinstance(mixed, fv.NoRedlining) and mixed.indirect == ("hours", "zip")
    for wrong, message in (
        ('{ sample = "census.parquet", count = "n" }', "'n'"),
        ('{ sample = "none.csv" }', "none.csv"),
        ('{ sample = "census.parquet", lifd = 2 }', "did you mean 'lift'"),
        ('{ sample = "census.parquet", columns = ["hours"] }', "no column stands for race"),
    ):
        with pytest.raises(BadInput, match=message):
            Plan.from_toml(text.replace("KNOWLEDGE", wrong), tmp_path)
