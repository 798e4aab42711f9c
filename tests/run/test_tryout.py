"""[utility] of a plan: tried on people that neither the models nor the recipe have seen, told as far as is safe."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow.csv
import pytest

import fairveil as fv
from fairveil.data.dialect import Dialect
from fairveil.data.table import Table
from fairveil.learning.folds import set_aside
from fairveil.methods import METHODS, Method
from fairveil.release.disclosure import MIN_ROWS
from fairveil.run.plan import UNFIT, Origin, Plan
from fairveil.run.sections import Tryout
from tests.contracts.people import SCHEMA, quick, source
from tests.reporting.reading import read

QUICK = Tryout(classifiers=("tree",), queries=20, resamples=10)


@pytest.fixture
def people(tmp_path: Path) -> Path:
    for name, seed in (("people", 0), ("others", 1)):
        pyarrow.csv.write_csv(source(seed, 400), tmp_path / f"{name}.csv")
    return tmp_path / "people.csv"


def plan_of(people: Path, tryout: Tryout | None = QUICK, method: Method | None = None, k: int = 3) -> Plan:
    plain = Origin(path=people.name, dialect=Dialect(text=("zip",)))
    methods = (method or fv.Incognito(),)
    return Plan(plain, (fv.KAnonymity(k),), SCHEMA, methods, utility=tryout, folder=people.parent)


def test_the_release_holds_everybody_and_says_what_it_is_good_for(people: Path, tmp_path: Path) -> None:
    release, without = (plan_of(people, tryout).run() for tryout in (QUICK, None))
    assert release.table.to_arrow().equals(without.table.to_arrow())
    utility = release.utility
    assert utility is not None and without.utility is None
    assert (utility.learnt, utility.train_rows, utility.test_rows) == ("search", 280, 120)
    assert utility.loss is not None and utility.loss >= release.measures["loss"] - 1e-9
    evidence = release.evidence()
    assert {key: value for key, value in evidence.items() if key != "utility"} == without.evidence()
    out = release.save(tmp_path / "out").path
    assert fv.verify(out)
    assert fv.report(out) == (out / "report.html").read_text()
    page = read(fv.report(out))
    assert "utility" in [entry["id"] for entry in page.all("h2")]
    assert "A decision tree that learns from the release predicts" in " ".join(page.text.split())
    assert fv.report_dict(out)["utility"] == json.loads(json.dumps(evidence["utility"]))


def test_neither_search_nor_models_see_the_test_rows(people: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int] = []
    whole = fv.Incognito.search

    def watched(self: fv.Incognito, task: object) -> object:
        seen.append(task.table.rows)  # type: ignore[attr-defined]
        return whole(self, task)  # type: ignore[arg-type]

    monkeypatch.setattr(fv.Incognito, "search", watched)
    release = plan_of(people).run()
    assert seen == [400, 280]
    kept, aside = set_aside(Table.from_frame(source(0, 400)).column("credit").codes, 0.3, 0)
    assert release.utility is not None and len(kept) == release.utility.train_rows
    assert sorted([*kept, *aside]) == list(range(400))


@pytest.mark.parametrize("share", [0.01, 0.3, 0.5, 0.99])
def test_decisions_are_dealt_evenly(share: float) -> None:
    table = Table.from_frame(source(3, 500))
    _, aside = set_aside(table.column("credit").codes, share, 7)
    assert len(aside) == pytest.approx(share * 500, abs=1)
    codes = table.column("credit").codes
    for code in (0, 1):
        assert (codes[aside] == code).sum() == pytest.approx(share * (codes == code).sum(), abs=1.01)
    assert not np.array_equal(set_aside(table.column("credit").codes, share, 8)[1], aside)


def test_a_file_of_others_is_tested_on_the_release_itself(people: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    release = plan_of(people, replace(QUICK, test="others.csv")).run()
    utility = release.utility
    assert utility is not None and (utility.learnt, utility.train_rows, utility.test_rows) == ("release", 400, 400)
    direct = fv.utility(
        release, Table.read(people, text=["zip"]), Table.read(people.with_name("others.csv"), text=["zip"]),
        queries=20, resamples=10, classifiers={"tree": _tree()},
    )  # fmt: skip
    assert utility == direct


def _tree() -> object:
    from fairveil.learning.classifiers import by_name

    return by_name(["tree"])["tree"]


def test_a_candidate_picked_by_its_number_is_stood_for_by_the_nearest(people: Path) -> None:
    plan = plan_of(people)
    release = plan.run(candidate=len(plan.search()[0]))  # the most general one
    assert release.utility is not None
    model = release.utility.models[1]
    assert release.measures["loss"] > 0.9
    assert model.scores["auc"].value == pytest.approx(0.5, abs=0.1)


@pytest.mark.parametrize("kind", METHODS, ids=lambda kind: kind.kind)
def test_every_method_can_be_tried(kind: type[Method], people: Path) -> None:
    release = plan_of(people, method=quick(kind)).run()
    assert release.utility is not None
    evidence = release.evidence()
    json.dumps(evidence["measures"], allow_nan=False)
    if kind is fv.NoisyTable:  # what is computed from the source is not covered by ε
        assert "utility" not in evidence
        assert "the promised ε would not cover them" in evidence["notes"][-1]
    else:
        json.dumps(evidence["utility"], allow_nan=False)
        assert evidence["utility"]["models"][1]["trained"] == "release"
    read(fv.report(release))
    assert "utility" in [entry["id"] for entry in read(fv.report(release, internal=True)).all("h2")]


def test_the_same_bytes_again(people: Path) -> None:
    once, again = (json.dumps(plan_of(people).run().evidence()) for _ in range(2))
    assert once == again


def test_where_fewer_rows_keep_no_promise_the_release_is_made_all_the_same(people: Path) -> None:
    release = plan_of(people, k=390).run()
    assert release.holds and release.utility is None
    assert release.notes[-1] == UNFIT
    assert "390" in release.private[-1]
    assert release.private[-1] not in json.dumps(release.evidence())
    assert release.private[-1] in read(fv.report(release, internal=True)).text


def test_few_test_rows_are_for_the_internal_report_only(people: Path) -> None:
    release = plan_of(people, replace(QUICK, test=0.1)).run()
    assert release.utility is not None and release.utility.test_rows < MIN_ROWS
    evidence = release.evidence()
    assert "utility" not in evidence and "40 test records" in evidence["notes"][-1]
    assert "This report does not say how well models learn from the release" in read(fv.report(release)).text
    assert fv.report_dict(release, internal=True)["utility"]["test_rows"] == 40


def test_progress_of_several_methods_rises(people: Path) -> None:
    shares: list[float] = []
    several = replace(plan_of(people, None), methods=(fv.Mondrian(), fv.MDAV(k=3), fv.Incognito()))
    several.run(lambda share, what: shares.append(share))
    assert shares == sorted(shares)


def test_progress_rises_and_can_cancel(people: Path) -> None:
    told: list[tuple[float, str]] = []
    plan_of(people, method=fv.Mondrian()).run(lambda share, what: told.append((share, what)))
    shares = [share for share, _ in told]
    assert shares == sorted(shares) and shares[-1] > 0.9
    assert any("repeating the search" in what for _, what in told) and any("training tree" in what for _, what in told)
    with pytest.raises(fv.Cancelled):
        plan_of(people).run(lambda share, what: "training" not in what)


TOML = """
format = 1
[source]
path = "people.csv"
text = "zip"
[schema]
identifier = "name"
quasi = ["zip", "age", "sex"]
sensitive = "illness"
decision = "credit"
[[guards]]
kind = "k-anonymity"
k = 3
[utility]
"""


def test_it_is_written_and_read_back(people: Path, tmp_path: Path) -> None:
    plan = Plan.from_toml(TOML, people.parent)
    assert plan.utility == Tryout()
    told = Plan.from_toml(
        TOML + 'test = "others.csv"\nclassifiers = ["forest"]\nseed = 3\nqueries = 5\nresamples = 9', people.parent
    )
    assert told.utility == Tryout("others.csv", ("forest",), 5, 9, 3)
    for entry in (plan, told):
        assert Plan.from_toml(entry.to_toml(), people.parent) == entry
    (tmp_path / "below").mkdir()
    elsewhere = Plan.read(told.save(tmp_path / "below" / "plan.toml"))
    assert elsewhere.utility is not None and Path(elsewhere.utility.test).is_absolute()  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ("test = 1.5", "utility.test must be a share of the rows between 0 and 1, or a file, not 1.5"),
        ("test = 1", "utility.test must be a share"),
        ("test = 'nobody.csv'", "nobody.csv"),
        ("classifiers = ['trre']", "no classifier 'trre': did you mean 'tree'?"),
        ("classifiers = []", "name at least one classifier"),
        ("queries = 0", "queries must be an integer from 1 to 1,000,000"),
        ("resamples = 1", "resamples must be an integer from 2 to 100,000"),
        ("tets = 0.3", "did you mean 'test'?"),
    ],
)
def test_what_is_wrong_is_named(settings: str, sentence: str, people: Path) -> None:
    with pytest.raises(fv.BadInput) as problem:
        Plan.from_toml(TOML + settings, people.parent)
    assert sentence in str(problem.value)


def test_it_needs_a_decision_and_its_columns_in_the_file(people: Path) -> None:
    with pytest.raises(fv.BadInput, match="needs a decision column"):
        Plan.from_toml(TOML.replace('decision = "credit"', 'plain = "credit"'), people.parent)
    people.with_name("short.csv").write_text("zip,sex,credit\n11,f,yes\n")
    with pytest.raises(fv.BadInput, match=r"short\.csv has no column 'age'"):
        Plan.from_toml(TOML + 'test = "short.csv"', people.parent)
    strange = Plan(
        Origin(dataset="german_credit"), (fv.KAnonymity(2),), utility=Tryout("short.csv"), folder=people.parent
    )
    with pytest.raises(fv.BadInput, match="no column 'checking_status'"):
        strange.run(lambda share, what: pytest.fail("nothing is searched before that"))
    plan = Plan(Origin(dataset="employee_codes"), (fv.KAnonymity(2),), utility=Tryout())
    with pytest.raises(fv.BadInput, match="needs a decision column"):
        plan.run()
