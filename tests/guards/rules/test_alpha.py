"""Rules, their measures, and the guard as a user meets it."""

from __future__ import annotations

from dataclasses import replace
from math import inf, isnan
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import fairveil as fv
from fairveil import guards
from fairveil.counting.cells import classes_of
from fairveil.errors import BadInput, Infeasible
from fairveil.guards.rules.alpha import discriminatory_rules
from fairveil.guards.rules.lift import lift
from fairveil.published.published import in_memory
from fairveil.recipes.outcome import ONLY


@pytest.mark.parametrize(
    ("measure", "counts", "value"),
    [
        ("slift", (2, 3, 1, 3), 2.0),
        ("slift", (2, 3, 0, 3), inf),
        ("elift", (2, 3, 3, 6), 4 / 3),
        ("clift", (3, 4, 1, 4), 3.0),
        ("olift", (2, 3, 1, 3), 4.0),
        ("olift", (3, 3, 1, 3), inf),
        ("olift", (3, 3, 3, 3), 1.0),
    ],
)
def test_measures(measure, counts, value):
    assert float(lift(measure, *counts)) == pytest.approx(value)


def test_without_a_contrast_group_there_is_no_value():
    assert isnan(lift("slift", 2, 3, 0, 0))
    assert isnan(lift("olift", 2, 3, 0, 0))


def people(**columns):
    return pa.table(columns)


PROMOTIONS = people(
    sex=["F"] * 10 + ["M"] * 10,
    race=(["b"] * 5 + ["w"] * 5) * 2,
    promoted=["no"] * 8 + ["yes"] * 2 + ["no"] * 4 + ["yes"] * 6,
)
SCHEMA = fv.Schema(quasi=["sex", "race"], protected=["sex", "race"], decision="promoted", denied="no")


def test_rules_are_readable_and_worst_first():
    rules = discriminatory_rules(PROMOTIONS, SCHEMA, alpha=1.5, min_support=2)
    assert [rule.value for rule in rules] == sorted((rule.value for rule in rules), reverse=True)
    assert "sex=F → denied, 2 times the others, 8 of 10 people" in [str(rule) for rule in rules]
    assert rules[0].to_dict()["group"] == dict(rules[0].group)


def test_several_protected_columns_count_alone_and_together():
    sets = {
        tuple(name for name, _ in rule.group)
        for rule in discriminatory_rules(PROMOTIONS, SCHEMA, alpha=1.1, min_support=1)
    }
    assert {("sex",), ("race",), ("sex", "race")} <= sets


def test_several_denied_values_are_one_denial():
    coded = PROMOTIONS.set_column(2, "promoted", [["never"] * 4 + ["no"] * 4 + ["yes"] * 2 + ["no"] * 4 + ["yes"] * 6])
    schema = replace(SCHEMA, denied=["no", "never"])
    assert [str(r) for r in discriminatory_rules(coded, schema, alpha=1.5)] == [
        str(r) for r in discriminatory_rules(PROMOTIONS, SCHEMA, alpha=1.5)
    ]


def test_clift_compares_with_the_most_favoured_group():
    table = people(race=["a"] * 10 + ["b"] * 10 + ["c"] * 10, d=(["n"] * 6 + ["y"] * 4) * 2 + ["n"] * 3 + ["y"] * 7)
    schema = fv.Schema(quasi=["race"], protected=["race"], decision="d", denied="n")
    rules = discriminatory_rules(table, schema, alpha=1.5, measure="clift", min_support=1)
    assert [(rule.group[0][1], rule.a2, rule.n2, rule.value) for rule in rules] == [
        ("a", 3, 10, 2.0),
        ("b", 3, 10, 2.0),
    ]


def test_a_column_with_one_value_is_absent():
    table = PROMOTIONS.append_column("town", pa.array(["x"] * 20))
    schema = replace(SCHEMA, quasi=["sex", "race", "town"])
    one = [str(rule) for rule in discriminatory_rules(table, schema, alpha=1.1)]
    assert one == [str(rule) for rule in discriminatory_rules(PROMOTIONS, SCHEMA, alpha=1.1)]


def test_the_release_keeps_the_promise_and_verify_finds_out_when_it_does_not(tmp_path):
    credit = fv.datasets.credit_decisions()
    guards_ = [fv.KAnonymity(3), fv.AlphaProtection(1.2, min_support=0.2)]
    release = fv.search(credit.table, credit.schema, guards=guards_).best("loss")
    release.save(tmp_path / "fair")
    assert fv.verify(tmp_path / "fair")
    unfair = fv.search(credit.table, credit.schema, guards=[fv.KAnonymity(3)])
    position = next(i for i, node in enumerate(unfair.nodes.tolist()) if node[0] == 0)
    unfair.release(position).save(tmp_path / "unfair")
    text = (tmp_path / "unfair" / "evidence.json").read_text()
    claim = '"guards": [{"kind": "alpha-protection", "alpha": 1.2, "min_support": 0.2},'
    (tmp_path / "unfair" / "evidence.json").write_text(text.replace('"guards": [', claim, 1))
    verified = fv.verify(tmp_path / "unfair")
    assert any(problem.startswith("alpha-protection does not hold") for problem in verified.problems)


def test_sensitive_contexts_with_diversity():
    """Section 7.1.1, DA ⊆ QI: with Salary as a context Sex has to go, whatever the rest."""
    credit = fv.datasets.credit_decisions()
    both = [
        fv.KAnonymity(2),
        fv.DistinctDiversity(2),
        fv.AlphaProtection(1.2, min_support=0.2, contexts=("sensitive",)),
    ]
    schema = replace(credit.schema, protected=("Sex",))
    frontier = fv.search(credit.table, schema, guards=both)
    assert (frontier.nodes[:, 0] == 1).all()
    assert all(frontier.release(i).holds for i in range(len(frontier)))


def test_a_protected_sensitive_column_that_is_biased_by_itself_is_infeasible():
    """Section 7.1.1, DA ⊆ S: no generalization of quasi columns helps, and the message says why."""
    table = PROMOTIONS.append_column("town", pa.array(["x", "y"] * 10))
    schema = fv.Schema(quasi=["town"], sensitive=["sex"], protected=["sex"], decision="promoted", denied="no",
                       drop=["race"])  # fmt: skip
    with pytest.raises(Infeasible, match="sex=F → denied"):
        fv.search(table, schema, guards=[fv.KAnonymity(2), fv.AlphaProtection(1.5, min_support=2)])


def faiths(level: int | None = None) -> tuple[Any, fv.Schema]:
    """Two faiths of one family are denied differently, families are not."""
    table = people(
        town=["x", "y"] * 12,
        faith=["p1"] * 6 + ["p2"] * 6 + ["q1"] * 6 + ["q2"] * 6,
        d=["n"] * 5 + ["y"] + ["n"] + ["y"] * 5 + ["n"] * 3 + ["y"] * 3 + ["n"] * 3 + ["y"] * 3,
    )
    tree = fv.hierarchy.tree({"*": {"p": ["p1", "p2"], "q": ["q1", "q2"]}})
    schema = fv.Schema(quasi=["town"], sensitive=["faith"], protected=["faith"], decision="d", denied="n",
                       hierarchies={"faith": tree}, levels={} if level is None else {"faith": level})  # fmt: skip
    return table, schema


FAIR = [fv.KAnonymity(2), fv.AlphaProtection(1.5, min_support=2, granularity=1)]


def test_a_sensitive_column_that_is_protected_can_be_generalized_too(tmp_path):
    """Section 7.1.1, DA ⊆ S, its remedy: generalize what is sensitive and protected, though not quasi."""
    with pytest.raises(Infeasible, match=r"levels=\{'faith': 1\} in the schema"):
        fv.search(*faiths(), guards=FAIR)
    table, schema = faiths(1)
    frontier = fv.search(table, schema, guards=FAIR)
    release = frontier.best("loss")
    assert release.holds and set(release.to_frame()["faith"].to_pylist()) == {"p", "q"}
    assert release.recipe.outcome(fv.Table.from_frame(table)).table.column("faith").domain == [
        "p",
        "q",
    ]  # new data, too
    release.save(tmp_path / "fair")
    assert fv.verify(tmp_path / "fair")
    assert "level 1 of its hierarchy" in (tmp_path / "fair" / "report.html").read_text(encoding="utf-8")


def test_a_sensitive_value_that_is_finer_than_its_level_is_caught(tmp_path):
    table, schema = faiths(1)
    release = fv.search(table, schema, guards=FAIR).best("loss")
    column = release.table.column("faith")
    finer = replace(column, values=pa.array(["p1" if value == "p" else value for value in column.domain]))
    undone = replace(release.published, content=in_memory({ONLY: release.table.with_columns([finer])}))
    vars(release)["published"] = undone
    with pytest.raises(fv.Infeasible, match="not a value of its level 1"):
        release.save(tmp_path / "undone")
    assert not (tmp_path / "undone").exists()


@pytest.mark.parametrize(
    ("levels", "sentence"),
    [
        ({"town": 1}, "column 'town' has a level but is quasi"),
        ({"faith": 0}, "level of 'faith' must be an integer of at least 1"),
        ({"faith": 7}, "level 7 of 'faith' does not exist: its hierarchy has 0…2"),
        ({"fath": 1}, "did you mean 'faith'"),
    ],
)
def test_levels_that_cannot_be_are_refused(levels, sentence):
    table, schema = faiths()
    with pytest.raises(fv.BadInput, match=sentence):
        fv.search(table, replace(schema, levels=levels), guards=FAIR)


def test_a_protected_sensitive_column_that_is_biased_in_a_context_only():
    """DA ⊆ S, biased in subsets that quasi columns define: generalizing those helps."""
    table = people(
        town=["x"] * 8 + ["y"] * 8,
        faith=["p", "q"] * 8,
        d=["n", "y"] * 3 + ["n", "y"] + ["y", "n"] * 3 + ["y", "n"],
    )
    schema = fv.Schema(quasi=["town"], sensitive=["faith"], protected=["faith"], decision="d", denied="n")
    frontier = fv.search(table, schema, guards=[fv.KAnonymity(2), fv.AlphaProtection(1.5, min_support=1)])
    assert frontier.nodes.tolist() == [[1]]


def test_best_first_keeps_it_too():
    credit = fv.datasets.credit_decisions()
    guards_ = [fv.KAnonymity(3), fv.AlphaProtection(1.2, min_support=0.2)]
    frontier = fv.search(credit.table, credit.schema, guards=guards_, method=fv.BestFirst(time_limit=5))
    every = fv.search(credit.table, credit.schema, guards=guards_)
    assert {tuple(n) for n in frontier.nodes.tolist()} <= {tuple(n) for n in every.nodes.tolist()}
    assert all(frontier.release(i).holds for i in range(len(frontier)))


def test_where_nothing_is_published_nothing_is_discriminated():
    credit = fv.datasets.credit_decisions()
    classes, _ = classes_of(credit.table, credit.schema)
    nothing = classes.keep(np.zeros(len(classes.ids), dtype=bool))
    for guard in (fv.AlphaProtection(1.2), fv.SituationTesting(("Hours",))):
        assert guard.holds(nothing, credit.schema)
        assert guard.verdict(nothing, credit.schema)


def test_a_missing_value_is_a_group_like_any_other():
    table = people(sex=["F"] * 5 + [None] * 5, d=["n"] * 2 + ["y"] * 3 + ["n"] * 4 + ["y"])
    schema = fv.Schema(quasi=["sex"], protected=["sex"], decision="d", denied="n")
    [rule] = discriminatory_rules(table, schema, alpha=1.5, min_support=1)
    assert str(rule) == "sex=(missing) → denied, 2 times the others, 4 of 5 people"


def test_plain_form_and_back():
    guard = fv.AlphaProtection(1.25, "clift", 30, 3, ("salary",))
    assert guards.from_dict(guard.to_dict()) == guard


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"alpha": 1.0}, "alpha must be a number above 1"),
        ({"alpha": 1.2, "measure": "slit"}, "did you mean 'slift'"),
        ({"alpha": 1.2, "min_support": 0.0}, "min_support must be a share"),
        ({"alpha": 1.2, "min_support": -3}, "min_support must be a share"),
        ({"alpha": 1.2, "granularity": 0}, "granularity must be"),
    ],
)
def test_bad_settings_are_refused_by_name(settings, sentence):
    with pytest.raises(BadInput, match=sentence):
        fv.AlphaProtection(**settings)


def test_a_schema_without_what_the_rules_need_is_refused():
    with pytest.raises(BadInput, match="decision column and its denied values"):
        fv.search(PROMOTIONS, replace(SCHEMA, denied=None), guards=[fv.AlphaProtection(1.2)])
    with pytest.raises(BadInput, match="did you mean 'race'"):
        fv.search(PROMOTIONS, SCHEMA, guards=[fv.AlphaProtection(1.2, contexts=("rase",))])
    with pytest.raises(BadInput, match="protected column that is published"):
        fv.search(PROMOTIONS, replace(SCHEMA, protected=[]), guards=[fv.AlphaProtection(1.2)])
