"""What classes tell about sensitive values: homogeneity, background knowledge, skewness, similarity."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import combinations

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import fairveil as fv
from fairveil.attacks.sensitive import CERTAINTY
from fairveil.recipes.full_domain import FullDomain
from fairveil.release.release import publish
from tests.known import ANY_DANGER, levels_of
from tests.randomly import Case, cases

ILLNESS = fv.hierarchy.tree(
    {"*": {"stomach": ["gastritis", "ulcer", "stomach cancer"], "lung": ["flu", "pneumonia", "bronchitis"]}}
)
SCHEMA = fv.Schema(quasi=["zip"], sensitive=["illness"], hierarchies={"illness": ILLNESS})


def published(groups: dict[str, list[str]], schema: fv.Schema = SCHEMA) -> fv.Release:
    """A release with exactly these classes."""
    rows = [(place, illness) for place, ill in groups.items() for illness in ill]
    table = fv.Table.from_frame(pa.table({"zip": [row[0] for row in rows], "illness": [row[1] for row in rows]}))
    return publish(table, schema, [fv.KAnonymity(2)], FullDomain(schema, {"zip": 0}))


DIVERSE = {"a": ["flu", "ulcer", "gastritis"], "b": ["flu", "ulcer", "gastritis"], "c": ["ulcer", "flu", "gastritis"]}


def test_one_class_made_homogeneous_is_caught() -> None:
    before = fv.attack(published(DIVERSE)).of("homogeneity")
    after = fv.attack(published({**DIVERSE, "b": ["flu"] * 3})).of("homogeneity")
    assert before.level == "ok"
    assert after.level == "danger"
    assert after.affected == 3
    assert after.details["homogeneous_classes"] == 1
    assert "3 records" in after.verdict


def test_one_class_of_adult_made_homogeneous_is_caught_from_the_folder(tmp_path) -> None:
    adult = fv.datasets.adult()
    schema = fv.Schema(
        quasi=["sex", "race"], sensitive=["occupation"],
        drop=[n for n in adult.table.names if n not in ("sex", "race", "occupation")],
    )  # fmt: skip
    frame = adult.table.to_frame("pandas")
    clean = fv.search(frame, schema, guards=[fv.KAnonymity(5)]).best("loss")
    assert fv.attack(clean.save(tmp_path / "clean").path).of("homogeneity").level == "ok"
    group = (frame["sex"] == "Female") & (frame["race"] == "Other")
    frame.loc[group, "occupation"] = "Sales"
    spoilt = fv.search(frame, schema, guards=[fv.KAnonymity(5)]).best("loss")
    assert levels_of(spoilt) == {"sex": 0, "race": 0}
    finding = fv.attack(spoilt.save(tmp_path / "spoilt", accept=ANY_DANGER).path).of("homogeneity")
    assert finding.level == "danger"
    assert finding.affected == int(group.sum())


def test_a_value_that_nearly_all_have_is_no_finding() -> None:
    everywhere = {place: ["flu"] * 19 + ["ulcer"] for place in "abc"}
    assert fv.attack(published(everywhere)).of("homogeneity").level == "ok"


@given(cases(sensitive=(1, 1), rows=(4, 24)))
def test_homogeneity_and_background_by_hand(case: Case) -> None:
    release = publish(
        case.table, case.schema, [fv.KAnonymity(2)], FullDomain(case.schema, dict.fromkeys(case.schema.quasi, 0))
    )
    findings = fv.attack(release)
    classes: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for row in case.rows:
        if row[-1] is not None:  # who has no value is not attacked
            classes[row[:-1]].append(row[-1].strip().lower())
    if not classes:
        assert {"homogeneity", "background", "skewness", "similarity"} <= set(findings.skipped)
        return
    tops = {key: max(Counter(values).values()) / len(values) for key, values in classes.items()}
    assert findings.of("homogeneity").best == pytest.approx(max(tops.values()))
    assert findings.of("homogeneity").average == pytest.approx(
        sum(tops[key] * len(values) for key, values in classes.items()) / sum(map(len, classes.values()))
    )
    by_hand = Counter({fewest(values): 0 for values in classes.values()})
    for values in classes.values():
        by_hand[fewest(values)] += len(values)
    assert findings.of("background").details["records_by_values_to_rule_out"] == dict(by_hand)


def fewest(values: list[str]) -> int:
    """The smallest set of values whose exclusion leaves one with the share CERTAINTY, trying all sets."""
    counts = Counter(values)
    for size in range(len(counts)):
        for gone in combinations(counts, size):
            left = {value: n for value, n in counts.items() if value not in gone}
            if max(left.values()) >= CERTAINTY * sum(left.values()) - 1e-9:
                return size
    raise AssertionError("one value alone always has it all")


def test_background_knowledge_is_weighed_against_the_whole_table() -> None:
    finding = fv.attack(published({**DIVERSE, "b": ["flu", "ulcer"] * 2})).of("background")
    assert finding.level == "warn"
    assert finding.affected == 4
    assert finding.details["fewest_to_rule_out"] == 1
    assert finding.details["in_whole_table"] == 2


def test_skewness_is_the_gap_of_t_closeness() -> None:
    groups = {"a": ["flu"] * 9 + ["ulcer"], "b": ["ulcer"] * 5 + ["flu"] * 5, "c": ["flu"] * 10}
    release = published(groups)
    finding = fv.attack(release).of("skewness")
    from fairveil.counting.cells import classes_of

    worst = fv.TCloseness(1.0).verdict(classes_of(release.table, SCHEMA)[0], SCHEMA).worst
    assert finding.best == pytest.approx(worst)
    assert finding.details["rise"] == pytest.approx(0.5 - 6 / 30)


def test_values_that_mean_the_same_are_caught() -> None:
    stomach = fv.attack(published({**DIVERSE, "b": ["gastritis", "ulcer", "stomach cancer"]}))
    assert stomach.of("homogeneity").level == "ok"
    assert stomach.of("similarity").level == "warn"
    assert stomach.of("similarity").affected == 3
    assert fv.attack(published(DIVERSE)).of("similarity").level == "ok"
    same = fv.attack(published({**DIVERSE, "b": ["ulcer"] * 3}))
    assert same.of("similarity").affected == 0  # homogeneity says it already


def test_numbers_that_are_close_are_caught() -> None:
    schema = fv.Schema(quasi=["zip"], sensitive=["illness"])
    spread, close = [1000 * i for i in range(1, 21)], [5000 + i for i in range(20)]
    rows = [("a", n) for n in spread] + [("b", n) for n in close]
    table = fv.Table.from_frame(pa.table({"zip": [r[0] for r in rows], "illness": [r[1] for r in rows]}))
    release = publish(table, schema, [fv.KAnonymity(2)], FullDomain(schema, {"zip": 0}))
    assert fv.attack(release).of("similarity").affected == 20


@given(st.integers(2, 5))
def test_a_diverse_release_takes_as_many_facts_as_it_promises(size: int) -> None:
    values = ["flu", "ulcer", "gastritis", "pneumonia", "bronchitis"][:size]
    finding = fv.attack(published({"a": values, "b": values})).of("background")
    assert finding.details["fewest_to_rule_out"] == size - 1
