"""The report of a release: complete, the same from the folder, and read by a parser without surprises."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import fairveil as fv
from fairveil import measures
from fairveil.data.writers import Format
from fairveil.guards import GUARDS, Guard
from fairveil.published.published import Published
from fairveil.recipes.decomposition import Decomposition
from fairveil.recipes.full_domain import FullDomain
from fairveil.release.alternatives import MAX_POINTS, Alternatives
from fairveil.release.release import publish
from fairveil.reporting.context import ReportContext
from fairveil.reporting.page import page
from tests.reporting import nasty
from tests.reporting.reading import read


@pytest.fixture(scope="module")
def release() -> fv.Release:
    german = fv.datasets.german_credit()
    return fv.search(german.table, german.schema, guards=[fv.KAnonymity(5, suppression=0.02)]).best("loss")


@pytest.fixture(scope="module")
def folder(release: fv.Release, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return release.save(tmp_path_factory.mktemp("report") / "out").path


def test_structure(folder: Path) -> None:
    html = (folder / "report.html").read_text()
    report = read(html)
    assert [element["id"] for element in report.all("h2")] == [
        *("summary", "promises", "columns", "risk", "classes", "attacks", "loss", "records", "utility"),
        *("measures", "not-covered", "verify"),
    ]
    assert [element["href"][1:] for element in report.all("a")] == [element["id"] for element in report.all("h2")]
    assert len(report.all("h1")) == 1
    assert len(report.all("table")) == len(report.all("caption"))
    for drawing in report.all("svg"):
        assert (drawing.get("role") == "img" and drawing["aria-label"]) or drawing.get("aria-hidden") == "true"
    assert "http" not in html.replace("http-equiv", "")
    assert report.all("meta")[1]["content"].startswith("default-src 'none'")
    assert report.all("html")[0]["lang"] == "en"


def test_it_says_everything(release: fv.Release, folder: Path) -> None:
    evidence = json.loads((folder / "evidence.json").read_text())
    words = read((folder / "report.html").read_text()).text
    for name in evidence["measures"]:
        assert measures.get(name).meaning in words
    for claim in evidence["guards"]:
        assert claim["sentence"] in words
    for guard in release.guards:
        assert guard.promise() in words
        assert guard.leaves_open in words
    for name in ("data.csv", "recipe.json"):
        assert evidence["files"][name] in words
    for name in release.schema.columns:
        assert name in words
    for number in evidence["rows"].values():
        assert f"{number:,}" in words
    assert "fairveil verify" in words


def test_the_report_belongs_to_the_release(folder: Path, tmp_path: Path, release: fv.Release) -> None:
    assert fv.verify(folder)
    other = release.save(tmp_path / "other").path
    report = other / "report.html"
    report.write_text(report.read_text().replace("666", "999"))
    assert "report.html was changed" in fv.verify(other).problems[0]
    report.unlink()
    assert "report.html is missing" in fv.verify(other).problems[0]


@pytest.mark.parametrize("format", ["csv", "parquet"])
@pytest.mark.parametrize("which", ["german", "nasty"])
def test_the_folder_gives_the_same_report(format: Format, which: str, release: fv.Release, tmp_path: Path) -> None:
    chosen = release if which == "german" else nasty.release()
    out = chosen.save(tmp_path / "out", format=format).path
    assert fv.verify(out), fv.verify(out).problems
    assert fv.report(out) == (out / "report.html").read_text()


def test_json_is_the_evidence(release: fv.Release, folder: Path) -> None:
    evidence = json.loads((folder / "evidence.json").read_text())
    facts = fv.report_dict(folder)
    assert {key: value for key, value in facts.items() if key != "report"} == evidence
    assert json.loads(json.dumps(facts)) == facts
    from_release = fv.report_dict(release)
    assert from_release["report"] == facts["report"]
    assert from_release["measures"] == evidence["measures"]
    assert facts["report"]["groups"]["data"]["smallest"] == evidence["measures"]["k"]


def test_a_changed_release_says_so(release: fv.Release, tmp_path: Path) -> None:
    out = release.save(tmp_path / "out").path
    (out / "note.txt").write_text("x")
    assert "note.txt does not belong to the release" in read(fv.report(out)).text
    assert fv.report_dict(out)["report"]["problems"] == ["note.txt does not belong to the release"]


def test_a_broken_promise_says_so(release: fv.Release) -> None:
    german = fv.datasets.german_credit()
    broken = publish(german.table, german.schema, [fv.KAnonymity(400)], release.recipe)
    words = read(fv.report(broken)).text
    assert "A promise does not hold:" in words
    assert "✗ broken" in words


def test_risk_before_is_that_of_the_untouched_table(release: fv.Release) -> None:
    german = fv.datasets.german_credit()
    as_it_is = FullDomain(german.schema, dict.fromkeys(german.schema.quasi, 0))
    before = publish(german.table, german.schema, [fv.KAnonymity(2)], as_it_is).measures
    assert release.risk_before == {name: round(before[name], 3) for name in release.risk_before}
    assert set(release.risk_before) == {"highest-risk", "average-risk", "at-risk", "uniqueness"}


def test_what_others_find_is_shown(release: fv.Release) -> None:
    finding = {"attack": "linkage", "level": "ok", "verdict": "at <most> 1 in 5", "best": 0.2, "average": 0.02}
    danger = {"attack": "homogeneity", "level": "danger", "verdict": "all <have> it", "column": "<b>", "baseline": 0.5}
    evidence = release.evidence() | {
        "attacks": [finding, danger],
        "weaknesses": {"down<coding>": "if this is the least general release"},
        "facts": {"labels_changed": 3},
        "claims": [{"model": "<m>", "accuracy": 0.81, "holds": True, "by_group": {"F": 0.8, "M": [1, 2]}}] * 60,
        "notes": ["hierarchy of '<x>': something"],
    }
    report = read(page(ReportContext(release.published, evidence)))
    ids = [element["id"] for element in report.all("h2")]
    assert {"attacks", "details", "notes"} <= set(ids)
    for words in ("at <most> 1 in 5", "down<coding>", "<m>", "0.81", "10 more", "labels changed", "hierarchy of '<x>'"):
        assert words in report.text
    assert report.text.count("all <have> it") == 2  # in the summary, too


def test_rules_before_and_after() -> None:
    credit = fv.datasets.credit_decisions()
    guards = [fv.KAnonymity(2), fv.AlphaProtection(1.2, min_support=1)]
    release = fv.search(credit.table, credit.schema, guards=guards).best("loss")
    report = read(fv.report(release))
    assert "rules" in [element["id"] for element in report.all("h2")]
    assert guards[1].promise() in report.text
    inside = read(fv.report(release, internal=True)).text
    assert "the worst rules of the source" in inside
    assert "✗ broken" in inside
    assert "the worst rules of the source" not in report.text
    facts = fv.report_dict(release)["report"]
    assert facts["rules"][0]["kind"] == "alpha-protection" and "guards_before" not in facts
    before = fv.report_dict(release, internal=True)["report"]["guards_before"][1]
    assert before["holds"] is False and before["rules"][0]["value"] > 1.2
    assert max(rule["value"] for rule in facts["rules"][0]["rules"] or [{"value": 0}]) < 1.2


def test_several_tables(release: fv.Release) -> None:
    quasi, schema = tuple(release.schema.quasi), release.schema
    split = Decomposition(replace(schema, hierarchies={}), (quasi[:4], quasi[4:]))
    published = Published.of(split, split.outcome(release.original.select([*quasi, str(schema.decision)])).tables)
    report = read(page(ReportContext(published, release.evidence())))
    assert "in 2 tables whose rows are in no common order" in report.text
    assert "(projection-2)" in report.text


def alternatives(values: dict[str, np.ndarray], chosen: int, methods: tuple[str, ...] = ()) -> Alternatives:
    return Alternatives(values.__getitem__, tuple(values), chosen, methods)


def test_alternatives_are_a_sketch() -> None:
    many = np.random.default_rng(3).random((2, 5000))
    sketch = alternatives({"loss": many[0], "average-risk": many[1]}, 77).to_dict()
    assert sketch is not None
    points = list(zip(*sketch["measures"].values(), strict=True))
    assert sketch["candidates"] == 5000
    assert len(points) <= MAX_POINTS + 1
    assert points == sorted(set(points))
    assert points[sketch["chosen"]] == tuple(float(f"{values[77]:.2g}") for values in many)
    assert alternatives({"loss": many[0], "cm": np.full(5000, np.nan)}, 0).to_dict() is None
    assert alternatives({"loss": many[0][:1], "average-risk": many[1][:1]}, 0).to_dict() is None


def test_methods_have_shapes_of_their_own(release: fv.Release) -> None:
    values = np.array([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7])
    kinds = ("a", "b", "c", "d", "e", "f", "<g>")
    compared = alternatives({"loss": values, "average-risk": values[::-1] / 100}, 2, kinds)
    report = read(fv.report(replace(release, alternatives=compared, show_choice=True)))
    assert "<g>" in report.text
    shapes = {(element.get("points", "")) for element in report.all("polygon")}
    assert len(shapes) >= 5


def test_the_choice_is_shown_only_where_asked_for(release: fv.Release, tmp_path: Path) -> None:
    def sections(html: str) -> list[str]:
        return [element["id"] for element in read(html).all("h2")]

    assert release.alternatives is not None
    assert "alternatives" not in release.evidence()
    assert "frontier" not in sections(fv.report(release))
    assert "frontier" in sections(fv.report(release, internal=True))
    out = replace(release, show_choice=True).save(tmp_path / "out").path
    assert fv.verify(out)
    assert "frontier" in sections((out / "report.html").read_text())
    assert fv.report(out) == (out / "report.html").read_text()


def test_only_the_internal_report_has_the_risk_before(release: fv.Release) -> None:
    assert "risk_before" not in release.evidence()
    assert "before (upper bar)" not in read(fv.report(release)).text
    assert "before (upper bar)" in read(fv.report(release, internal=True)).text


@pytest.mark.parametrize("guard", GUARDS, ids=lambda guard: guard.kind)
def test_every_guard_says_what_it_promises_and_leaves_open(guard: type[Guard]) -> None:
    assert guard.promise is not Guard.promise
    assert guard.leaves_open
