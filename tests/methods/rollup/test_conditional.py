"""Rules that hold among the records with one value only."""

from __future__ import annotations

import pyarrow as pa
import pytest

import fairveil as fv
from fairveil.methods.rollup import Rule, conditional_rules

SCHEMA = fv.Schema(
    quasi=["town", "job", "sex"],
    decision="rich",
    hierarchies={name: fv.hierarchy.suppress() for name in ("town", "job", "sex")},
)


def people() -> fv.Table:
    """In town a the job tells the decision, in town b sex does; in town c everybody is poor."""
    rows = [
        (town, job, sex, {"a": job == "x", "b": sex == "f", "c": False}[town])
        for town in "abc" for job in "xy" for sex in "fm" for _ in range(5)
    ]  # fmt: skip
    columns = dict(zip(("town", "job", "sex", "rich"), zip(*rows, strict=True), strict=True))
    return fv.Table.from_frame(pa.table({name: list(map(str, column)) for name, column in columns.items()}))


def test_rules_of_parts_are_found_where_they_hold():
    found = {(rule.column, rule.value, str(rule.rule)) for rule in conditional_rules(people(), SCHEMA, k=5)}
    assert ("town", "a", "job≤0") in found and ("town", "b", "sex≤0") in found
    assert ("town", "c", "nothing") in found  # the decision is the same for all
    assert ("town", "a", "sex≤0") not in found


def test_what_holds_everywhere_is_no_condition():
    rows = people().to_arrow().to_pandas()
    rows["rich"] = rows["job"]
    assert conditional_rules(rows, SCHEMA, k=5, columns=["town"]) == []


def test_rare_values_are_no_condition():
    assert conditional_rules(people(), SCHEMA, k=5, min_share=0.9) == []
    with pytest.raises(fv.BadInput, match="min_share"):
        conditional_rules(people(), SCHEMA, k=5, min_share=0)


def test_a_rule_says_where_it_holds():
    first = conditional_rules(people(), SCHEMA, k=5, columns=["town"])[0]
    assert "town = " in str(first) and first.records == 20
    assert isinstance(first.rule, Rule)
