"""Situation testing against a record-by-record search for neighbours."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import nan

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fairveil as fv
from fairveil import guards
from fairveil.errors import BadInput
from fairveil.guards.situation import ordered_places, unexplained

SCHEMA = fv.Schema(quasi=["sex", "salary", "delay"], protected=["sex"], decision="credit", denied="no")


def mismatches(one, other, rows):
    return sum(a != b for a, b in zip(one, other, strict=True))


def record_by_record(rows, k, threshold, distance=mismatches):
    """Who is discriminated against, with both shares: the definition, one person and one neighbour at a time."""
    found = {}
    for t, (sex, *legal, credit) in enumerate(rows):
        if credit != "no":
            continue
        shares: list[float] = []
        for own in (True, False):
            side = [r for i, r in enumerate(rows) if i != t and (r[0] == sex) == own]
            near = sorted(distance(r[1:-1], legal, rows) for r in side)
            reach = near[min(k, len(near)) - 1] if near else -1
            chosen = [r for r in side if distance(r[1:-1], legal, rows) <= reach]
            shares.append(sum(r[-1] == "no" for r in chosen) / len(chosen) if chosen else nan)
        if shares[0] - shares[1] > threshold + 1e-12:
            found[t] = tuple(shares)
    return found


people = st.tuples(
    st.sampled_from("fmx"), st.sampled_from("lh"), st.sampled_from("012"), st.sampled_from(["no", "yes"])
)


@settings(max_examples=150, deadline=None)
@given(st.lists(people, min_size=1, max_size=14), st.integers(1, 4), st.sampled_from([0.0, 0.1, 0.3, 0.5]))
def test_as_the_definition_says(rows, k, threshold):
    rows = [*rows, ("f", "l", "0", "no")]
    table = pa.table(dict(zip(("sex", "salary", "delay", "credit"), map(list, zip(*rows, strict=True)), strict=True)))
    share = unexplained(table, SCHEMA, ("salary", "delay"), k=k, threshold=threshold)
    assert share == pytest.approx(len(record_by_record(rows, k, threshold)) / len(rows))


def by_degrees(one, other, rows):
    """Salaries are numbers: their difference over their range. Delays are in an order: steps over all steps."""
    salaries = [r[1] for r in rows if r[1] is not None]
    delays = sorted({r[2] for r in rows})
    reach = max(salaries, default=0) - min(salaries, default=0)
    salary = Fraction(int(one[0] != other[0]))
    if None not in (one[0], other[0]):
        salary = Fraction(abs(one[0] - other[0]), reach or 1)
    steps = abs(delays.index(one[1]) - delays.index(other[1]))
    return salary + Fraction(steps, max(len(delays) - 1, 1))


more_or_less_alike = st.tuples(
    st.sampled_from("fmx"), st.sampled_from([None, 10, 11, 20, 45]), st.sampled_from("abc"),
    st.sampled_from(["no", "yes"]),
)  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(st.lists(more_or_less_alike, min_size=1, max_size=14), st.integers(1, 4), st.sampled_from([0.0, 0.1, 0.3, 0.5]))
def test_numbers_and_orders_are_more_or_less_near_and_records_are_named_with_both_shares(rows, k, threshold):
    rows = [*rows, ("f", 10, "a", "no")]
    columns = dict(zip(("sex", "salary", "delay", "credit"), map(list, zip(*rows, strict=True)), strict=True))
    guard = fv.SituationTesting((), k, threshold, numbers=("salary",), ordered=("delay",))
    [finding] = fv.check(pa.table(columns), SCHEMA, guard, details=100)
    expected = record_by_record(rows, k, threshold, by_degrees)
    assert finding.records.tolist() == list(expected)
    assert [detail["record"] for detail in finding.details] == list(expected)
    for detail in finding.details:
        assert (detail["inside"], detail["outside"]) == pytest.approx(expected[detail["record"]])
    assert finding.worst == pytest.approx(len(expected) / len(rows))


SCHOOLING = fv.hierarchy.grouping(["none", "primary", "middle", "high", "college"], sizes=(2,))


@pytest.mark.parametrize(
    ("labels", "rule", "expected"),
    [
        (["high", "none", "college"], SCHOOLING, [0.75, 0, 1]),
        (["none…primary", "college", "*", None], SCHOOLING, [0.125, 1, None, None]),
        ([3, "5-6", "[7, 9)", "≥20"], None, [0, 1 / 3, 2 / 3, 1]),
        (["b", "a", None], None, [1, 0, None]),
    ],
)
def test_the_order_of_published_values(labels, rule, expected):
    if rule is not None:  # as the hierarchy itself spells the first group
        first = rule.bind(list(rule.order)).labels[1][0]
        labels = [first if label == "none…primary" else label for label in labels]
    assert ordered_places(labels, rule) == pytest.approx(
        [float("nan") if e is None else e for e in expected], nan_ok=True
    )


def test_a_release_shows_the_distances_that_its_owner_saw(tmp_path):
    """Generalized numbers and ordered values: what is promised in memory holds on the files, at every node."""
    grid = list(product("fm", (20, 31, 44), ("none", "high", "college"), ("no", "yes")))
    rows = grid * 3 + [("f", 20, "none", "no")] * 4 + [("m", 44, "college", "yes")] * 4
    table = pa.table(dict(zip(("sex", "age", "school", "credit"), map(list, zip(*rows, strict=True)), strict=True)))
    schema = fv.Schema(
        quasi=["sex", "age", "school"], protected=["sex"], decision="credit", denied="no",
        hierarchies={"age": fv.hierarchy.intervals([20, 60], widths=(10, 20)), "school": SCHOOLING},
    )  # fmt: skip
    guard = fv.SituationTesting((), 3, 0.05, 0.2, numbers=("age",), ordered=("school",))
    frontier = fv.search(table, schema, guards=[fv.KAnonymity(3), guard])
    for position in range(0, len(frontier), 3):
        release = frontier.release(position)
        folder = release.save(tmp_path / str(position)).path
        assert fv.verify(folder)
        text = "".join(f.read_text() for f in folder.iterdir() if f.suffix in (".json", ".html"))
        assert '"inside"' not in text and "in the same group" not in text  # for the owner's eyes


def test_an_order_that_was_read_off_the_data_is_refused():
    rule = replace(fv.hierarchy.tree({"*": ["low", "high"]}), unlisted=1)
    assert rule.learnt
    learnt = replace(SCHEMA, hierarchies={"salary": rule})
    with pytest.raises(BadInput, match="inferred from the data"):
        fv.search(EXPLAINED, learnt, guards=[fv.SituationTesting((), ordered=("salary",))])


# women are denied more often, but in "explained" only because their salary is low
EXPLAINED = pa.table({
    "sex": ["f"] * 12 + ["m"] * 12,
    "salary": ["low"] * 10 + ["high"] * 2 + ["low"] * 2 + ["high"] * 10,
    "delay": ["0"] * 24,
    "credit": ["no"] * 10 + ["yes"] * 2 + ["no"] * 2 + ["yes"] * 10,
})  # fmt: skip


def test_what_a_lawful_reason_explains_is_no_discrimination():
    assert unexplained(EXPLAINED, SCHEMA, "salary", k=2) == 0
    assert unexplained(EXPLAINED, SCHEMA, "delay", k=2) == pytest.approx(10 / 24)  # the women denied


def test_as_a_guard_and_as_a_measure(tmp_path):
    guard = fv.SituationTesting(("delay",), k=2, limit=0.1)
    frontier = fv.search(EXPLAINED, SCHEMA, guards=[fv.KAnonymity(2), guard])
    assert (frontier.nodes[:, 0] == 1).all()  # only without sex nobody can tell
    everything = fv.search(EXPLAINED, SCHEMA, guards=[fv.KAnonymity(2)])
    shares = everything.values(guard.measure())
    kept = {tuple(node) for node in frontier.nodes.tolist()}
    assert [share <= 0.1 for share in shares] == [tuple(node) in kept for node in everything.nodes.tolist()]
    assert everything.best(guard.measure()).holds
    saved = frontier.best("loss").save(tmp_path / "out")
    assert fv.verify(tmp_path / "out")
    claims = saved.evidence["guards"]  # as of any guard: figures and a sentence, and no record
    assert set(claims[1]) - set(guard.to_dict()) <= set(claims[0])


def test_plain_form_and_back():
    guard = fv.SituationTesting(("salary",), k=4, threshold=0.1, limit=0.02)
    assert guards.from_dict(guard.to_dict()) == guard


def test_what_is_refused():
    with pytest.raises(BadInput, match="legal must name"):
        fv.SituationTesting(())
    with pytest.raises(BadInput, match="in numbers and in ordered"):
        fv.SituationTesting((), numbers=("salary",), ordered=("salary",))
    with pytest.raises(BadInput, match="k must be"):
        fv.SituationTesting(("salary",), k=0)
    with pytest.raises(BadInput, match="in legal"):
        fv.search(EXPLAINED, SCHEMA, guards=[fv.SituationTesting(("sex",))])
