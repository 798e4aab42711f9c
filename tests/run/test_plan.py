"""Plans: what is written is read back, what is wrong is named, and a plan does what the calls would do."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

import fairveil as fv
from fairveil import hierarchy
from fairveil.data.dialect import Dialect
from fairveil.data.hierarchy import Hierarchy
from fairveil.errors import BadInput, Infeasible
from fairveil.methods import METHODS, BestFirst, Incognito
from fairveil.run.plan import Origin, Plan
from fairveil.run.sections import WalkSteps
from fairveil.toml import dumps

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"

K3 = '[[guards]]\nkind = "k-anonymity"\nk = 3\n'
BUNDLED = 'format = 1\n[source]\ndataset = "credit_decisions"\n' + K3

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
values = st.recursive(
    st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.floats(allow_nan=False) | texts | st.dates(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=12,
)


@given(st.dictionaries(texts, values, max_size=5))
def test_toml_is_read_back_as_it_was_written(content: dict[str, object]) -> None:
    assert tomllib.loads(dumps(content)) == content


def test_toml_refuses_what_it_cannot_say() -> None:
    with pytest.raises(TypeError, match=r"'a' holds .* which TOML cannot express"):
        dumps({"a": [object()]})


RULES: list[Hierarchy] = [
    hierarchy.intervals([0, 20, 40], widths=(20, 40), open_ended=True),
    hierarchy.intervals([0, 0.5, 1.0], levels=[[0, 1.0]]),
    hierarchy.mask(5, steps=(1, 3), side="left", sign="x"),
    hierarchy.dates("year", "decade"),
    hierarchy.grouping(["S", "M", "L"], sizes=(2,)),
    hierarchy.suppress(),
    hierarchy.tree({"*": {"weiß": ['"a"', "b\\"], "c.d": ["e f"]}}),
]


def full_plan() -> Plan:
    names = [f"q {i}." for i in range(len(RULES))]
    return Plan(
        Origin(path="sub/people.csv", dialect=Dialect("drop", ("?", ""), ("zip",), separator=";")),
        (
            fv.KAnonymity(3, 0.1),
            fv.DistinctDiversity(2, sensitive=("s",)),
            fv.EntropyDiversity(1.5),
            fv.RecursiveDiversity(3.0, 2),
            fv.TCloseness(0.5, "ordered"),
        ),
        fv.Schema(
            quasi=names,
            sensitive="s",
            identifier=["id"],
            pseudonyms=["id"],
            decision="d",
            denied=["no", "never"],
            plain="p",
            drop="x",
            protected=names[:1],
            weights={names[0]: 2.0},
            hierarchies=dict(zip(names, RULES, strict=True)),
        ),
        (Incognito(), BestFirst(time_limit=2.0)),
        choose="dm",
        measures=("loss", "gh"),
        format="parquet",
        order="keep",
        seed=7,
    )


def test_a_saved_plan_is_the_same_plan(tmp_path: Path) -> None:
    plan = full_plan()
    names = ["zip", *plan.schema.columns] if plan.schema else []
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "people.csv").write_text(";".join(names[1:]) + ";zip\n", encoding="utf-8")
    with pytest.raises(BadInput, match="no role: 'zip'"):
        Plan.from_toml(plan.to_toml(), tmp_path)
    plan = replace(plan, source=replace(plan.source, dialect=replace(plan.source.dialect, text=())))
    (tmp_path / "sub" / "people.csv").write_text(";".join(names[1:]) + "\n", encoding="utf-8")
    assert Plan.from_toml(plan.to_toml(), tmp_path) == plan
    saved = replace(plan, folder=tmp_path).save(tmp_path / "sub" / "plan.toml")
    assert Plan.read(saved) == replace(plan, source=replace(plan.source, path="people.csv"))


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.kind)
def test_every_method_can_stand_in_a_plan(method: type[fv.methods.Method]) -> None:
    plan = Plan(Origin(dataset="adult"), (fv.KAnonymity(5),), methods=(method(),))
    assert Plan.from_toml(plan.to_toml()) == plan


def test_a_plan_for_bundled_data_gives_what_the_calls_give() -> None:
    release = Plan.from_toml(BUNDLED).run()
    credit = fv.datasets.credit_decisions()
    expected = fv.search(credit.table, credit.schema, guards=[fv.KAnonymity(3)]).best("loss")
    assert release.to_frame("pyarrow").equals(expected.to_frame("pyarrow"))
    assert release.evidence() == expected.evidence()


def test_bundled_hierarchies_serve_a_schema_of_ones_own() -> None:
    own = '[schema]\nquasi = ["Sex", "Hours"]\ndrop = ["Race", "ID", "Salary"]\ndecision = "Credit_approved"\n'
    plan = Plan.from_toml(BUNDLED.replace("[[guards]]", own + "[[guards]]"))
    credit = fv.datasets.credit_decisions()
    assert plan.data[1].hierarchies == {name: credit.schema.hierarchies[name] for name in ("Sex", "Hours")}
    assert plan.run().table.names == ["Sex", "Hours", "Credit_approved"]


def test_several_methods_compete() -> None:
    two = '[[methods]]\nkind = "best-first"\n[[methods]]\nkind = "incognito"\n'
    plan = Plan.from_toml(BUNDLED + two)
    frontiers = plan.search()
    assert [frontier.proposal.method.kind for frontier in frontiers] == ["best-first", "incognito"]
    assert plan.run().measures["loss"] == min(frontier.values("loss").min() for frontier in frontiers)
    last = len(frontiers[1])
    assert plan.run(candidate=f"2.{last}").recipe == frontiers[1].recipe(last - 1)
    with pytest.raises(BadInput, match=f"no candidate 2.{last + 1}: there are 2.1 to 2.{last}"):
        plan.run(candidate=f"2.{last + 1}")
    with pytest.raises(BadInput, match="is ambiguous"):
        plan.run(candidate=last)


def test_a_plan_that_cannot_be_met_says_so() -> None:
    with pytest.raises(Infeasible, match="distinct-diversity"):
        text = BUNDLED + '[[guards]]\nkind = "distinct-diversity"\nl = 3\n'
        own = '[schema]\nquasi = ["Sex", "Hours"]\ndrop = ["Race", "ID", "Salary"]\nsensitive = ["Credit_approved"]\n'
        Plan.from_toml(text.replace("[[guards]]", own + "[[guards]]", 1)).run()


def test_hierarchies_as_a_plan_spells_them(tmp_path: Path) -> None:
    (tmp_path / "levels").mkdir()
    (tmp_path / "levels" / "sex.csv").write_text("F|*\nM|*\n", encoding="utf-8")
    table = pa.table({"sex": ["F", "M"], "born": [date(1990, 1, 1)] * 2, "size": ["S", "L"], "kin": ["a", "b"]})
    pq.write_table(table, tmp_path / "people.parquet")
    (tmp_path / "plan.toml").write_text(
        """
format = 1
[source]
path = "people.parquet"
[schema]
quasi = ["sex", "born", "size", "kin"]
[hierarchies]
sex = { kind = "csv", path = "levels/sex.csv", separator = "|" }
born = { kind = "dates", steps = ["year"] }
size = { kind = "grouping", order = ["S", "M", "L"], sizes = [2] }
[hierarchies.kin]
kind = "tree"
tree = { "*" = { near = ["a"], far = ["b"] } }
[[guards]]
kind = "k-anonymity"
k = 2
""",
        encoding="utf-8",
    )
    plan = Plan.read(tmp_path / "plan.toml")
    assert plan.schema is not None
    assert plan.schema.hierarchies == {
        "sex": hierarchy.from_rows([("F", "*"), ("M", "*")]),
        "born": hierarchy.dates("year"),
        "size": hierarchy.grouping(["S", "M", "L"], sizes=(2,)),
        "kin": hierarchy.tree({"*": {"near": ["a"], "far": ["b"]}}),
    }
    assert plan.run().holds


@pytest.mark.parametrize(
    ("old", "new", "culprit"),
    [
        ('dataset = "credit_decisions"', 'dataset = "credit"', "no dataset 'credit'"),
        ('dataset = "credit_decisions"', "", r"needs one of these: path \(a file\)"),
        ("[source]", '[source]\npath = "x.csv"', r"needs one of these: path \(a file\)"),
        ("[source]", '[source]\nmissing = "drop"', "source.missing is for files"),
        ("[source]", '[source]\ncolumns = "all"', "must be default"),
        ("[source]", "[hierarchies.Sex]\nkind = 'suppress'\n[source]", r"need a \[schema\]"),
        ("[source]", "source = 5\n[sauce]", "source must be a section, not 5"),
        ("format = 1", "format = 1\nseed = 'x'", "seed must be an integer"),
        ("format = 1", "format = true", "format must be 1"),
        ("format = 1", "format = 1\nmethod = {}\nmethods = []", r"one \[method\] or several"),
        (K3, "", "no guard is given"),
        (K3, "[[guards]]\nk = 3", "guard 1 has no kind"),
        ("k = 3", "k = 3\nsuppression = 2", "suppression must be a number from 0 to 1"),
    ],
)
def test_what_is_wrong_is_named(old: str, new: str, culprit: str) -> None:
    assert old in BUNDLED
    with pytest.raises(BadInput, match=culprit):
        Plan.from_toml(BUNDLED.replace(old, new))


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.toml")), ids=lambda path: path.name)
def test_the_examples_run(path: Path) -> None:
    assert Plan.read(path).run().holds


def test_a_saved_plan_says_what_whole_numbers_mean(tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_text("ward,age\n" + "11,20\n40,30\n" * 9)
    content = """format = 1
[source]
path = "people.csv"
[schema]
quasi = ["ward", "age"]
whole_numbers = {ward = "code", age = "quantity"}
[[guards]]
kind = "k-anonymity"
k = 3
"""
    plan = Plan.from_toml(content, tmp_path)
    assert plan.schema is not None and plan.schema.whole_numbers == {"ward": "code", "age": "quantity"}
    assert Plan.from_toml(plan.to_toml(), tmp_path).schema == plan.schema
    with pytest.raises(fv.BadInput, match="whole_numbers"):
        Plan.from_toml(content.replace('"code"', '"kode"'), tmp_path)


def walking(**settings: Any) -> Plan:
    method = fv.Preferences({"necd": 0.1, "nwp": 0.1}, groups="full-domain")
    given = {"methods": (Incognito(), method), "walk": WalkSteps(1, points=3), **settings}
    return Plan(Origin(dataset="employee_codes"), (fv.KAnonymity(2),), **given)


def test_a_walk_publishes_in_the_order_of_the_plan() -> None:
    kept, by_value = walking(order="keep").run(), walking().run()
    assert (kept.order, by_value.order) == ("keep", "sorted")
    assert kept.source_rows is not None and kept.source_rows.tolist() == sorted(kept.source_rows.tolist())
    assert kept.recipe == by_value.recipe


def test_a_walk_is_refused_as_any_request_is(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(BadInput, match="measure 'cm' needs a decision column"):
        walking(measures=("cm",)).run()
    with pytest.raises(BadInput, match=r"\[walk\] goes along the aspirations of the method preferences"):
        walking(methods=(Incognito(),)).run()
    monkeypatch.setattr("fairveil.errors.is_installed", lambda module: module != "pymoo")
    with pytest.raises(BadInput, match=r"preferences needs pymoo.*pip install"):
        walking().run()


def test_the_task_of_a_walk_is_that_of_its_method() -> None:
    plan = walking(methods=(fv.NoisyTable(),))
    assert not plan.task().levels and set(plan.direction().task.levels) == set(plan.data[1].quasi)


def test_a_release_is_saved_as_its_plan_says(tmp_path: Path) -> None:
    plan = walking(format="parquet", order="keep")
    release = plan.run()
    with pytest.raises(Infeasible, match="row-order"):
        plan.save_release(release, tmp_path / "out")
    for accepting, further in ((plan, ("row-order",)), (replace(plan, accept=("row-order",)), ())):
        saved = accepting.save_release(release, tmp_path / "out", accept=further, overwrite=True)
        assert (saved / "data.parquet").is_file() and saved.evidence["accepted"] == ["row-order"]
