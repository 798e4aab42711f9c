"""Roll-up rules for whoever decides: fair ones only, what each keeps and loses in words, and what beats it."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import fairveil as fv
from fairveil.errors import Infeasible
from fairveil.frontier.explain import keeps_and_loses, why_dominated
from fairveil.frontier.frontier import Frontier
from fairveil.guards.rules.alpha import discriminatory_rules
from tests.cli.conftest import Run, fairveil  # noqa: F401  # a fixture

FAIR = fv.AlphaProtection(1.3, min_support=0.05)
NAMES = ("k", "ig", "loss")


@pytest.fixture(scope="module")
def credit() -> fv.datasets.Dataset:
    return fv.datasets.german_credit()


@pytest.fixture(scope="module", params=[fv.RollUp(exceptions=0.3), fv.RollUp(), fv.RollUp(exceptions=0.35, join=False)])
def frontier(request: pytest.FixtureRequest, credit: fv.datasets.Dataset) -> Frontier:
    return fv.search(credit.table, credit.schema, guards=[fv.KAnonymity(20)], method=request.param)


@pytest.mark.parametrize("alpha", [1.15, 1.3, 1.5])
def test_fair_rules_are_those_whose_table_holds_no_discriminatory_rule(frontier: Frontier, alpha: float) -> None:
    guard = fv.AlphaProtection(alpha, min_support=0.05)
    fair = frontier.keeping(guard)
    by_definition = [
        i
        for i in range(len(frontier))
        if not discriminatory_rules(frontier.release(i).table, frontier.task.schema, alpha=alpha, min_support=0.05)
    ]
    assert fair.index.tolist() == frontier.index[by_definition].tolist()
    assert alpha != 1.15 or 0 < len(fair) < len(frontier)  # the guard tells candidates apart


def test_a_guard_in_the_search_leaves_the_same_rules_as_a_filter_afterwards(
    frontier: Frontier, credit: fv.datasets.Dataset
) -> None:
    method = frontier.proposal.method
    within = fv.search(credit.table, credit.schema, guards=[fv.KAnonymity(20), FAIR], method=method)
    after = frontier.keeping(FAIR)
    assert {tuple(node) for node in within.nodes.tolist()} == {tuple(node) for node in after.nodes.tolist()}
    assert all(all(within.release(i).verdicts) for i in range(len(within)))


def test_no_fair_rule_is_an_answer_that_says_so(credit: fv.datasets.Dataset) -> None:
    schema = fv.Schema(
        quasi=["sex"], protected=["sex"], decision="class", denied="bad",
        drop=[name for name in credit.table.names if name not in ("sex", "class")],
    )  # fmt: skip
    guards = [fv.KAnonymity(5), fv.AlphaProtection(1.2)]
    with pytest.raises(Infeasible, match="none of the 1 roll-up rules keeps k-anonymity and alpha-protection"):
        fv.search(credit.table, schema, guards=guards, method=fv.RollUp(exceptions=0.9))


def test_what_beats_a_rule_beats_it_by_the_numbers_that_are_said(frontier: Frontier) -> None:
    points = frontier.points(NAMES)
    for i in range(len(frontier)):
        sentence = why_dominated(frontier, i, NAMES)
        better = [j for j in range(len(frontier)) if (points[j] <= points[i]).all() and (points[j] < points[i]).any()]
        if not better:
            assert sentence.startswith(f"candidate {frontier.number(i)} is on the frontier")
            continue
        by = frontier.position_of(sentence.split()[1])
        assert by in better
        assert ("more beat it" in sentence) == (len(better) > 1)
        for name in NAMES:
            mine, theirs = frontier.values(name)[i], frontier.values(name)[by]
            words = f"{name} is {mine:.4g} in both" if mine == theirs else f"{name} {theirs:.4g} instead of {mine:.4g}"
            assert words in sentence


def test_what_is_kept_and_lost_is_what_the_table_shows(frontier: Frontier) -> None:
    for i in range(len(frontier)):
        keeps, loses = keeps_and_loses(frontier, i)
        table = frontier.release(i).table
        for name in frontier.task.schema.quasi:
            values = len(np.unique(table.column(name).codes))
            assert (name in loses.removeprefix("loses ").split(", ")) == (values == 1)
            assert values == 1 or f"{name} as it is" in keeps or f"{name} at level" in keeps


PLAN = """\
format = 1

[source]
path = "credit.csv"

[schema]
quasi = ["savings_status", "job", "sex", "existing_credits"]
protected = ["sex"]
drop = ["checking_status", "credit_history", "purpose", "employment", "marital_status", "foreign_worker"]
decision = "class"
denied = "bad"

[[guards]]
kind = "k-anonymity"
k = 20

[[guards]]
kind = "alpha-protection"
alpha = 1.5
min_support = 0.05

[[methods]]
kind = "roll-up"
exceptions = 0.7
"""


def test_explore_lists_fair_rules_in_words(
    tmp_path: Path, credit: fv.datasets.Dataset, fairveil: Run  # noqa: F811
) -> None:  # fmt: skip
    credit.table.to_frame("pandas").to_csv(tmp_path / "credit.csv", index=False)
    plan = tmp_path / "plan.toml"
    plan.write_text(PLAN, encoding="utf-8")
    result = fairveil("explore", plan, "--json", "--explain", "--measures", "k,ig")
    assert result.code == 0, result.err
    answer = json.loads(result.out)
    assert len(answer["records"]) == answer["candidates"] > 1
    assert any("rules extracted" in note and "none of them twice" in note for note in answer["notes"])
    for record in answer["records"]:
        kept = [name for name in record["levels"] if name in record["keeps"]]
        assert record["keeps"].startswith("keeps") and record["loses"].startswith("loses")
        assert all((name in kept) != (name in record["loses"]) for name in record["levels"])
        assert "is on the frontier of" in record["beaten"] or "beats it:" in record["beaten"]
    plan.write_text(PLAN.replace("alpha = 1.5", "alpha = 1.1"), encoding="utf-8")
    fewer = json.loads(fairveil("explore", plan, "--json").out)["candidates"]
    assert 0 < fewer < answer["candidates"]
    table = fairveil("explore", plan, "--explain", "--measures", "k,ig").out
    assert table.count("): keeps ") == fewer and "none of them twice" in table
