"""Which columns a rule may use: every published one, unless the owner says otherwise; then the promise says so."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import fairveil as fv
from fairveil.counting.cells import classes_of
from fairveil.errors import BadInput
from fairveil.guards.rules.lift import MEASURES
from tests.known import ANY_DANGER

SCHEMA = fv.Schema(
    quasi=["job", "sex"], sensitive=["illness"], plain=["salary", "branch"], identifier=["name"], protected=["sex"],
    decision="credit", denied="no",
)  # fmt: skip


def people(seed: int, rows: int = 40) -> pd.DataFrame:
    """Some tables hide their bias from the quasi columns: it is in the plain or the sensitive ones."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame({
        "name": [f"p{i}" for i in range(rows)],
        "job": rng.choice(["a", "b"], rows),
        "sex": rng.choice(["f", "m"], rows),
        "illness": rng.choice(["flu", "cold"], rows),
        "salary": rng.choice(["low", "medium", "high"], rows),
        "branch": rng.integers(0, 30, rows),
    })  # fmt: skip
    biased = (frame["sex"] == "f") == (frame[str(rng.choice(["salary", "illness"]))].isin(["medium", "flu"]))
    frame["credit"] = np.where(rng.random(rows) < np.where(biased, 0.8, 0.2), "no", "yes")
    frame.loc[:1, "credit"] = ["no", "yes"]
    return frame


def plainly(frame: pd.DataFrame, guard: fv.AlphaProtection) -> bool:
    """Definition 4 for rules of sex and up to two other columns, by nothing but group-by: whether one is found."""
    others = [name for name in frame.columns if name not in ("sex", "credit")]
    least = guard.min_support if isinstance(guard.min_support, int) else int(np.ceil(guard.min_support * len(frame)))
    itemsets = [[], *([a] for a in others), *([a, b] for i, a in enumerate(others) for b in others[i + 1 :])]
    if frame["sex"].nunique() < 2:
        return False
    for context in itemsets:
        for _, inside in frame.groupby(context, dropna=False) if context else [((), frame)]:
            for sex in inside["sex"].unique():
                own, rest = inside[inside["sex"] == sex], inside[inside["sex"] != sex]
                a1, n1, a2, n2 = (own["credit"] == "no").sum(), len(own), (rest["credit"] == "no").sum(), len(rest)
                if a1 >= least and n2 and a1 * n2 >= guard.alpha * (1 - 1e-12) * n1 * a2:
                    return True
    return False


@pytest.mark.parametrize("support", [1, 3, 0.1])
def test_what_is_released_has_no_rule_in_any_published_column(support: float, tmp_path: Path) -> None:
    guard = fv.AlphaProtection(1.5, min_support=support, granularity=3)
    found = refused = 0
    for seed in range(25):
        frame = people(seed)
        try:
            offers = fv.search(frame, SCHEMA, guards=[fv.KAnonymity(2), guard]).nodes.tolist()
        except fv.Infeasible:
            offers = []
        for node in fv.search(frame, SCHEMA, guards=[fv.KAnonymity(2)]).nodes.tolist():
            published = frame.drop(columns="name")
            published = published.assign(**{name: "*" for name, level in zip(SCHEMA.quasi, node, strict=True) if level})
            expected, offered = not plainly(published, guard), node in offers
            assert offered == expected, (seed, node)
            found, refused = found + offered, refused + (not offered)
    assert found and refused


def test_a_check_of_the_published_file_says_what_the_release_says(tmp_path: Path) -> None:
    guards = [fv.AlphaProtection(2.0, measure, min_support=0.1) for measure in MEASURES]
    holding: set[str] = set()
    for seed in range(12):
        every = fv.search(people(seed), SCHEMA, guards=[fv.KAnonymity(2)])
        for position in range(len(every)):
            release = every.release(position)
            folder = release.save(tmp_path / "out", overwrite=True, accept=ANY_DANGER).path
            again = pd.read_csv(folder / "data.csv")
            schema = fv.Schema(quasi=[name for name in again.columns if name != "credit"], protected=["sex"],
                               decision="credit", denied="no")  # fmt: skip
            for guard, own in zip(guards, release.published.verdicts(guards), strict=True):
                [checked] = fv.check(again, schema, guard)
                assert checked.holds == own.holds, guard
                assert checked.worst == pytest.approx(own.worst, nan_ok=True), guard
                holding |= {guard.measure} if checked.holds else set()
    assert holding == set(MEASURES)


def test_the_promise_names_what_it_was_narrowed_to() -> None:
    everything = fv.AlphaProtection(1.2)
    assert "any context of published columns" in everything.promise() and "5 %" in everything.promise()
    narrowed = fv.AlphaProtection(1.2, contexts=("quasi", "salary"), granularity=2, min_support=30)
    for words in ("the quasi columns and salary", "at most 2 columns", "at least 30 of the records"):
        assert words in narrowed.promise()
    table = fv.Table.from_frame(people(0))
    frontier = fv.search(table, SCHEMA, guards=[fv.KAnonymity(2), fv.AlphaProtection(50.0, contexts=("quasi",))])
    assert "the quasi columns" in frontier.release(0).verdicts[1].sentence


def test_contexts_are_roles_or_columns_and_quasi_ones_always_count() -> None:
    def attributes(*contexts: str) -> set[str]:
        return set(fv.AlphaProtection(1.2, contexts=contexts).attributes(SCHEMA))

    assert attributes() == {"job", "sex", "illness", "salary", "branch"}
    assert attributes("quasi") == {"job", "sex"}
    assert attributes("sensitive") == {"job", "sex", "illness"}
    assert attributes("plain", "illness") == attributes()
    with pytest.raises(BadInput, match="no published column 'credit'"):
        fv.search(people(0), SCHEMA, guards=[fv.AlphaProtection(1.2, contexts=("credit",))])


def test_a_column_of_many_values_is_no_burden() -> None:
    rng = np.random.default_rng(0)
    frame = people(0, 3000).assign(branch=rng.integers(0, 3000, 3000))
    frontier = fv.search(frame, SCHEMA, guards=[fv.KAnonymity(5), fv.AlphaProtection(5.0)])
    assert all(frontier.release(i).holds for i in range(len(frontier)))


def test_a_guard_that_could_find_nothing_is_refused() -> None:
    frame = people(0)
    unseen = fv.Schema(quasi=["job"], plain=["salary", "branch", "illness"], identifier=["name"], drop=["sex"],
                       protected=["sex"], decision="credit", denied="no")  # fmt: skip

    def refused(guard: fv.guards.Guard, match: str, schema: fv.Schema = unseen) -> None:
        with pytest.raises(BadInput, match=match):
            fv.search(frame, schema, guards=[fv.KAnonymity(2), guard])
        table = frame.drop(columns=["name", *schema.drop])
        with pytest.raises(BadInput, match=match):
            fv.check(table, schema, guard)

    refused(fv.AlphaProtection(1.2), "needs a protected column that is published")
    refused(fv.SituationTesting(("job",)), "needs a protected column that is published")
    refused(fv.AlphaProtection(1.2, min_support=41), "more than the 40 rows", SCHEMA)
    refused(fv.NoRedlining(1.2, knowledge=("sex -> race",)), "guards nothing: 'sex' is not published")
    weak = {"if": {"salary": "low"}, "then": {"sex": "f"}, "confidence": 0.5}
    refused(fv.NoRedlining(1.2, knowledge=(weak,)), "guards nothing: no rule of its knowledge has a confidence of 0.8")
    refused(fv.SituationTesting(("sex",)), "no published column that is not protected 'sex'")
    refused(fv.DistinctDiversity(2), "needs a sensitive column")
    refused(fv.TCloseness(0.2, sensitive=("salary",)), "no sensitive column 'salary'")


@pytest.mark.parametrize("role", ["quasi", "sensitive", "plain"])
def test_redlining_is_found_in_a_column_of_any_role(role: str) -> None:
    frame = pd.DataFrame({"zip": list("aaaabbbb") * 4, "job": list("xy") * 16, "race": list("bbbbwwww") * 4,
                          "credit": (["no"] * 4 + ["yes"] * 3 + ["no"]) * 4})  # fmt: skip
    names: dict[str, Any] = {"quasi": ["job"], "sensitive": [], "plain": []}
    names[role] = [*names[role], "zip"]
    schema = fv.Schema(**names, drop=["race"], protected=["race"], decision="credit", denied="no")
    guard = fv.NoRedlining(1.5, min_support=1, knowledge=("zip -> race",))
    [checked] = fv.check(frame, schema, guard)
    assert not checked.holds and "zip=a" in checked.sentence
    if role == "quasi":
        assert fv.search(frame, schema, guards=guard).nodes[:, 1].min() == 1
    else:
        with pytest.raises(fv.Infeasible, match="zip=a"):
            fv.search(frame, schema, guards=guard)


@pytest.mark.parametrize("rule", [
    {"if": {"zip": "1"}, "then": {"race": "b"}, "confidence": 5},
    {"if": {"zip": "1"}, "then": {"race": "b"}, "confidence": -0.1},
    {"if": {"zip": "1"}, "then": {"race": "b"}, "confidence": float("nan")},
    {"if": {"zip": "1"}, "then": {"race": "b"}, "confidence": "much"},
    {"if": {"zip": "1"}, "then": {"race": "b"}, "confidence": None},
    {"if": {"zip": None}, "then": {"race": "b"}},
    {"if": {"zip": float("nan")}, "then": {"race": "b"}},
    {"if": {"zip": "1"}, "then": {"race": None}},
    {"if": {}, "then": {"race": "b"}},
    {"if": {"zip": "1"}, "then": []},
    {"if": 3, "then": ["race"]},
    "zip -> zip",
    " -> race",
])  # fmt: skip
def test_knowledge_is_validated(rule: object) -> None:
    with pytest.raises(BadInput, match="background knowledge"):
        fv.NoRedlining(1.2, knowledge=(rule,))


def test_a_sample_with_impossible_counts_is_refused_and_missing_values_are_no_knowledge() -> None:
    sample = pd.DataFrame({"zip": list("aabb"), "race": ["b", "w", "w", "w"], "n": [9.0, 1.0, 0.0, 9.0]})
    [one, other] = fv.background_knowledge(sample, "race", columns=["zip"], count="n")
    assert {str(one), str(other)} == {"zip=a → race=b (90%)", "zip=b → race=w (100%)"}
    for bad in (-1.0, float("nan"), float("inf"), None):
        with pytest.raises(BadInput, match="negative or missing"):
            fv.background_knowledge(sample.assign(n=[9.0, 1.0, bad, 9.0]), "race", count="n")
    holes = pd.DataFrame({"zip": ["a", "a", None, None, "c", "c"], "race": ["b", "b", "w", "w", None, None]})
    assert [str(rule) for rule in fv.background_knowledge(holes, "race")] == ["zip=a → race=b (100%)"]
    with pytest.raises(BadInput, match="confidence must be a number from 0 to 1"):
        fv.background_knowledge(holes, "race", confidence=5)


def test_rare_values_of_a_context_are_not_taken_for_one_value() -> None:
    """Half of the people share a branch, the others have rare ones: bias cancels out between the two halves."""
    schema = fv.Schema(quasi=["sex", "job"], plain=["branch"], protected=["sex"], decision="credit", denied="no")
    answers = []
    for seed in range(24):
        rng = np.random.default_rng(seed)
        rows = int(rng.integers(30, 60))
        common, women = rng.random(rows) < 0.5, rng.random(rows) < 0.5
        branch = np.where(common, "main", [f"b{i // 2}" for i in range(rows)])
        denied = rng.random(rows) < np.where(common == women, 0.35, 0.65)
        denied[:2] = True, False
        frame = pd.DataFrame({"sex": np.where(women, "f", "m"), "job": rng.choice(["a", "b"], rows), "branch": branch,
                              "credit": np.where(denied, "no", "yes")})  # fmt: skip
        guard = fv.AlphaProtection(1.8, min_support=int(rng.integers(3, 6)), granularity=3)
        expected = not plainly(frame, guard)
        classes, _ = classes_of(fv.Table.from_frame(frame), schema)
        assert guard.holds(classes, schema) == guard.verdict(classes, schema).holds == expected
        try:
            nodes = fv.search(frame, schema, guards=[guard, fv.KAnonymity(2)]).nodes.tolist()
        except fv.Infeasible:
            nodes = []
        for job in (0, 1):
            shown = frame if job == 0 else frame.assign(job="*")
            if shown.groupby(["sex", "job"]).size().min() >= 2:
                assert ([0, job] in nodes) == (not plainly(shown, guard))
        answers.append(expected)
    assert 0.1 < np.mean(answers) < 0.9
