"""What one more promise, or a repair of a danger, costs: against searches with the change."""

from __future__ import annotations

import pyarrow as pa
import pytest

import fairveil as fv


def wages(rows: int = 120) -> tuple[pa.Table, fv.Schema]:
    """Everybody has a wage of their own, which is published as it is."""
    table = pa.table({
        "age": [20 + 10 * (i % 4) for i in range(rows)], "wage": [1000 + 7 * i for i in range(rows)],
        "illness": ["flu" if i % 3 else "cough" for i in range(rows)],
    })  # fmt: skip
    ages = fv.hierarchy.intervals([20, 30, 40, 50, 60], widths=[10, 20])
    return table, fv.Schema(quasi=["age"], plain=["wage"], sensitive=["illness"], hierarchies={"age": ages})


def test_each_promise_costs_what_a_search_with_it_loses() -> None:
    credit = fv.datasets.credit_decisions()
    own = [fv.KAnonymity(2)]
    costs = fv.promise_costs(credit.table, credit.schema, guards=own)
    before = fv.search(credit.table, credit.schema, guards=own).values("loss").min()
    kinds = [cost.amendment.guards[-1].kind for cost in costs if cost.amendment.guards]
    assert kinds == ["k-anonymity", "distinct-diversity", "t-closeness", "alpha-protection"]
    for cost in costs:
        guards = cost.amendment.guards or ()
        assert cost.before == pytest.approx(before)
        after = fv.search(credit.table, credit.schema, guards=guards).values("loss").min()
        assert cost.after == pytest.approx(after) and cost.after >= before - 1e-12


def test_the_next_promise_is_one_step_from_the_strictest() -> None:
    credit = fv.datasets.credit_decisions()
    given = [fv.KAnonymity(2), fv.TCloseness(0.5), fv.DistinctDiversity(2)]
    sentences = [cost.amendment.sentence for cost in fv.promise_costs(credit.table, credit.schema, guards=given)]
    assert sentences[:3] == [
        "Promise k-anonymity with k 3",
        "Promise ℓ-diversity (distinct values) of Salary with l 3",
        "Promise t-closeness of Salary with t 0.3",
    ]


def test_what_no_release_keeps_has_a_reason_and_no_cost() -> None:
    table, schema = wages(6)
    [*costs] = fv.promise_costs(table, schema, guards=fv.KAnonymity(5))
    ten = costs[0]
    assert ten.after is None and ten.problem and "no release keeps this" in ten.cost


def test_repairs_mend_what_they_say_they_mend() -> None:
    table, schema = wages()
    costs = fv.repair_costs(table, schema, guards=fv.KAnonymity(3))
    dropped = next(cost for cost in costs if cost.amendment.sentence == "Leave out wage")
    coarser = next(cost for cost in costs if cost.amendment.level)
    assert dropped.mends and coarser.mends and costs[0].mends
    assert dropped.after == pytest.approx(dropped.before)  # no quasi column loses anything
    with pytest.raises(fv.Danger):
        fv.search(table, schema, guards=fv.KAnonymity(3)).best("loss").save("/nonexistent/release")


def test_a_quasi_column_that_is_left_out_has_lost_everything() -> None:
    from fairveil.run.amendments import Amendment, _costs
    from fairveil.run.request import Request
    from fairveil.run.sections import Origin

    credit = fv.datasets.credit_decisions()
    request = Request(Origin(data=credit.table), (fv.KAnonymity(2),), credit.schema)
    [cost] = _costs(request, None, lambda trial: iter([Amendment("Leave out Hours", column="Hours")]), False)
    assert cost.after is not None and cost.after >= 1 / len(credit.schema.quasi)


def test_noise_is_not_chosen_by_records() -> None:
    credit = fv.datasets.credit_decisions()
    with pytest.raises(fv.BadInput, match="noisy-table"):
        fv.promise_costs(credit.table, credit.schema, guards=fv.KAnonymity(2), method=fv.NoisyTable(epsilon=1.0))
