"""check: the worst class and the records that break a promise are the right ones."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import fairveil as fv
from fairveil.errors import BadInput

PEOPLE = pa.table(
    {
        "sex": ["F", "F", "F", "M", "M", None],
        "town": ["A", "A", "B", "A", "A", "A"],
        "ill": ["flu", "flu", "cold", "flu", "cold", "cold"],
        "note": ["x"] * 6,
    }
)
SCHEMA = fv.Schema(quasi=["sex", "town"], sensitive=["ill"])


def test_the_worst_class_is_shown_with_its_values() -> None:
    k, distinct = fv.check(PEOPLE, SCHEMA, [fv.KAnonymity(2), fv.DistinctDiversity(2)])
    assert (k.holds, k.worst, k.broken_rows, k.records.tolist()) == (False, 1.0, 2, [2, 5])
    assert k.values in ({"sex": "F", "town": "B"}, {"sex": None, "town": "A"}) and k.size == 1
    assert distinct.records.tolist() == [0, 1, 2, 5]
    assert distinct.values != {"sex": "M", "town": "A"}
    assert sum(distinct.sensitive["ill"].values()) == distinct.size
    assert k.to_dict()["worst_class"]["values"] == k.values


def test_columns_without_a_role_are_not_looked_at_and_nothing_is_changed() -> None:
    before = PEOPLE.to_pydict()
    [finding] = fv.check(PEOPLE, fv.Schema(quasi=["town"]), [fv.KAnonymity(5)])
    assert not finding and finding.values == {"town": "B"}
    assert PEOPLE.to_pydict() == before


def test_hierarchical_distance_takes_the_sensitive_hierarchy() -> None:
    tree = fv.hierarchy.tree({"*": {"cold-like": ["flu", "cold"]}})
    schema = fv.Schema(quasi=["town"], sensitive=["ill"], hierarchies={"ill": tree})
    [finding] = fv.check(PEOPLE, schema, [fv.TCloseness(0.9, "hierarchical")])
    assert finding.holds and finding.worst > 0


@given(
    st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from("xyz"), st.sampled_from("pqr")), min_size=4, max_size=40),
    st.integers(2, 4),
)
def test_breaking_records_are_those_in_small_or_poor_classes(rows: list[tuple[str, str, str]], limit: int) -> None:
    one, two, secret = zip(*rows, strict=True)
    table = pa.table({"one": one, "two": two, "secret": secret})
    schema = fv.Schema(quasi=["one", "two"], sensitive=["secret"])
    k, distinct = fv.check(table, schema, [fv.KAnonymity(limit), fv.DistinctDiversity(limit)])
    sizes = Counter(row[:2] for row in rows)
    kinds = {group: len({row[2] for row in rows if row[:2] == group}) for group in sizes}
    assert k.records.tolist() == [i for i, row in enumerate(rows) if sizes[row[:2]] < limit]
    assert distinct.records.tolist() == [i for i, row in enumerate(rows) if kinds[row[:2]] < limit]
    assert k.size == sizes[tuple(k.values.values())] == min(sizes.values())
    assert kinds[tuple(distinct.values.values())] == min(kinds.values())
    assert k.holds == (not len(k.records)) and k.broken_rows == len(k.records)


def test_the_verdicts_are_those_of_the_guards_on_real_data() -> None:
    adult = fv.datasets.adult()
    guards = [fv.KAnonymity(2), fv.TCloseness(0.3)]
    schema = fv.Schema(quasi=adult.schema.quasi, sensitive=["income"])
    verdicts = fv.check(adult.table, schema, guards)
    counts = Counter(zip(*(adult.table.column(name).codes.tolist() for name in schema.quasi), strict=True))
    assert verdicts[0].broken_rows == sum(n for n in counts.values() if n < 2) == len(verdicts[0].records)
    assert np.all(np.diff(verdicts[1].records) > 0) and len(verdicts[1].records) == verdicts[1].broken_rows


@pytest.mark.parametrize(
    ("schema", "guards", "culprit"),
    [
        (fv.Schema(quasi=["sexx"]), [fv.KAnonymity(2)], "did you mean 'sex'"),
        (fv.Schema(), [fv.KAnonymity(2)], "no column is quasi"),
        (SCHEMA, [fv.KAnonymity(7)], "k=7 is more than the 6 rows"),
        (fv.Schema(quasi=["sex"]), [fv.TCloseness(0.1)], "needs a sensitive column"),
    ],
)
def test_bad_requests_are_refused(schema: fv.Schema, guards: list[fv.guards.Guard], culprit: str) -> None:
    with pytest.raises(BadInput, match=culprit):
        fv.check(PEOPLE, schema, guards)


def test_without_guards_it_says_what_the_table_has() -> None:
    table = {"sex": ["F", "F", "M"], "ill": ["flu", "cold", "flu"]}
    import pandas as pd

    verdicts = {v.guard.kind: v for v in fv.check(pd.DataFrame(table), fv.Schema(quasi=["sex"], sensitive=["ill"]))}
    assert all(verdicts.values())
    assert (verdicts["k-anonymity"].worst, verdicts["k-anonymity"].sentence) == (1, "k = 1")
    assert verdicts["distinct-diversity"].worst == 1 and verdicts["t-closeness"].worst == pytest.approx(1 / 3)
