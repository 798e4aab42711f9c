"""What a report begins with: title, data set, publisher, date, one verdict; words are explained where they stand."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import fairveil as fv
from fairveil import cli
from fairveil.errors import BadInput
from fairveil.guards import Guard
from fairveil.markup import Html
from fairveil.recipes.full_domain import FullDomain
from fairveil.release.release import publish
from fairveil.reporting import glossary
from fairveil.reporting.context import ReportContext
from fairveil.reporting.page import page
from fairveil.reporting.plain_words import promised, verdict
from tests.release.forging import evidence_of, reseal

EVIL = "<script>alert('x')</script>"
PLAN = """\
format = 1
[source]
dataset = "credit_decisions"
[report]
title = "Credit of 2026"
dataset = "Credit decisions"
publisher = "A & B <Bank>"
date = 2026-11-06
[[guards]]
kind = "k-anonymity"
k = 3
"""


@pytest.fixture(scope="module")
def release() -> fv.Release:
    credit = fv.datasets.credit_decisions()
    return fv.search(credit.table, credit.schema, guards=[fv.KAnonymity(3)]).best("loss")


def text_of(html: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<style.*?</style>|<[^>]*>", " ", html, flags=re.DOTALL))


def test_a_plan_says_what_the_report_begins_with(tmp_path: Path) -> None:
    plan = fv.Plan.from_toml(PLAN)
    assert fv.Plan.from_toml(plan.to_toml()) == plan
    folder = plan.run().save(tmp_path / "out", accept=[]).path
    html = (folder / "report.html").read_text(encoding="utf-8")
    assert "<h1><bdi>Credit of 2026</bdi></h1>" in html
    said = text_of(html)
    for part in ("Data set Credit decisions", "Published by A &amp; B &lt;Bank&gt;", "Date 6 November 2026"):
        assert part in said
    evidence = json.loads((folder / "evidence.json").read_text())
    assert evidence["about"] == {
        "title": "Credit of 2026", "dataset": "Credit decisions", "publisher": "A & B <Bank>", "date": "2026-11-06",
    }  # fmt: skip
    assert fv.verify(folder)
    assert fv.report(folder) == html
    again = plan.run().save(tmp_path / "again", accept=[]).path
    assert {p.name: p.read_bytes() for p in folder.iterdir()} == {p.name: p.read_bytes() for p in again.iterdir()}


def test_the_command_line_says_it_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "plan.toml").write_text(PLAN, encoding="utf-8")
    out = tmp_path / "out"
    said = ["--title", "Another", "--date", "today"]
    assert cli.run(["release", str(tmp_path / "plan.toml"), "--out", str(out), *said]) == 0
    about = json.loads((out / "evidence.json").read_text())["about"]
    assert (about["title"], about["publisher"], about["date"]) == ("Another", "A & B <Bank>", date.today().isoformat())
    assert cli.run(["release", str(tmp_path / "plan.toml"), "--out", str(tmp_path / "no"), "--date", "6.11."]) == 2
    assert "--date must be a day such as 2026-11-16, not '6.11.'" in capsys.readouterr().err
    assert not (tmp_path / "no").exists()


@pytest.mark.parametrize(
    ("key", "value"), [("date", '"soon"'), ("title", "3"), ("title", '"two\\\\nlines"'), ("publsher", '"x"')]
)
def test_a_wrong_head_is_refused(key: str, value: str) -> None:
    with pytest.raises(BadInput, match=key):
        fv.Plan.from_toml(re.sub(r"\[report\].*?\[\[", f"[report]\n{key} = {value}\n[[", PLAN, flags=re.DOTALL))


def test_nothing_given_is_nothing_said(release: fv.Release) -> None:
    assert "about" not in release.evidence()
    html = fv.report(release)
    assert "<h1>Report on a release</h1>" in html and "Published by" not in html
    assert "Report on the release of <bdi>X</bdi>" in fv.report(release.described(dataset="X"))


def test_whatever_is_given_is_escaped(release: fv.Release) -> None:
    html = fv.report(release.described(title=EVIL, dataset=EVIL, publisher=EVIL))
    assert EVIL not in html and "<script" not in html and html.count("&lt;script&gt;") == 4  # once in <title>


def test_a_forged_head_is_found(release: fv.Release, tmp_path: Path) -> None:
    folder = release.described(title="Mine").save(tmp_path / "out", accept=[]).path
    evidence = evidence_of(folder)
    reseal(folder, evidence)
    assert fv.verify(folder)
    heads: list[Any] = [{"title": "Mine", "website": "example.org"}, {"date": "soon"}, {"title": 3}, []]
    for forged in heads:
        reseal(folder, {**evidence, "about": forged}, report=False)
        assert not fv.verify(folder), forged


def test_the_report_opens_amber() -> None:
    """Where every promise holds, and yet a reader should hesitate."""
    rng = np.random.default_rng(0)
    ages = rng.integers(20, 60, 400)
    frame = pd.DataFrame({"age": ages, "sex": rng.choice(["f", "m"], 400), "ill": rng.choice(["a", "b", "c"], 400)})
    schema = fv.Schema(quasi=["age", "sex"], sensitive=["ill"],
                       hierarchies={"age": fv.hierarchy.intervals([20, 60], widths=(10, 20))})  # fmt: skip
    guarded, k = [fv.KAnonymity(2), fv.DistinctDiversity(2)], [fv.KAnonymity(2)]

    def opening(guards: Sequence[Guard], age: int, sex: int, **changed: Any) -> tuple[str, str]:
        made = publish(frame, schema, guards, FullDomain(schema, {"age": age, "sex": sex}))
        html = page(ReportContext(made.published, {**made.evidence(), **changed}))
        [colour] = re.findall(r'<div class="(verdict[^"]*)"', html)
        return colour, text_of(html)

    assert opening(guarded, 1, 0)[0] == "verdict"
    for colour, said, words in (
        (*opening(k, 1, 0), "Nothing sensitive is guarded ( ill )"),
        (*opening(guarded, 3, 1), "Most of the values by which a person could be recognized, 100 %, are hidden"),
        (*opening(guarded, 1, 0, accepted=["derivation"]), "The publisher accepted a danger: derivation"),
    ):
        assert colour == "verdict amber" and words in said, words
    danger = {"attack": "homogeneity", "level": "danger", "verdict": "x"}
    assert opening(guarded, 1, 0, attacks=[danger], accepted=["homogeneity"])[0] == "verdict amber"
    assert opening(guarded, 1, 0, attacks=[danger])[0] == "verdict not"


def test_one_verdict_in_plain_words(release: fv.Release) -> None:
    evidence = release.evidence()
    context = ReportContext(release.published, evidence)
    good, sentences = verdict(context)
    assert good and "".join(map(str, sentences[0])) == "Everything that was promised holds."
    assert "Everything that was promised holds." in page(context)

    def first(context: ReportContext) -> tuple[bool, str]:
        good, sentences = verdict(context)
        return good, "".join(map(str, sentences[0]))

    broken = {**evidence, "guards": [{**evidence["guards"][0], "holds": False}]}
    assert first(ReportContext(release.published, broken)) == (False, "1 of 1 promise does not hold: k-anonymity.")
    assert first(replace(context, problems=("a file was changed",)))[1].startswith("Do not rely on this release")
    danger = {**evidence, "attacks": [{"attack": "homogeneity", "level": "danger", "verdict": "x"}]}
    assert first(ReportContext(release.published, danger)) == (
        False, "Everything that was promised holds, but attacks on the release are a danger: homogeneity.",
    )  # fmt: skip
    assert first(ReportContext(release.published, {**evidence, "guards": []}))[1].startswith("Nothing was promised")


def test_a_promise_about_several_columns_is_said_once() -> None:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({name: rng.choice(list("abc"), 300) for name in ("sex", "ill", "pay", "vote")})
    schema = fv.Schema(quasi=["sex"], sensitive=["ill", "pay", "vote"])
    guards = [fv.KAnonymity(2), *(fv.DistinctDiversity(of, sensitive=name) for name, of in
                                  (("ill", 2), ("pay", 3), ("vote", 2)))]  # fmt: skip
    release = publish(frame, schema, guards, FullDomain(schema, {"sex": 0}))
    evidence = release.evidence()

    def sentences(evidence: dict[str, Any]) -> list[str]:
        return ["".join(map(str, sentence)) for sentence in promised(ReportContext(release.published, evidence))]

    of_sex, of_two, of_pay = sentences(evidence)
    assert of_sex == guards[0].promise_about(schema)
    assert of_two == "ill and vote, each on its own: " + guards[1].promise_about(schema).removeprefix("ill: ")
    assert of_pay == guards[2].promise_about(schema)
    *kept, not_kept = sentences({**evidence, "guards": [*evidence["guards"][:3],
                                                        {**evidence["guards"][3], "holds": False}]})  # fmt: skip
    assert kept[1] == guards[1].promise_about(schema)
    assert not_kept == "Not kept: " + guards[3].promise_about(schema)


def test_every_word_of_the_trade_is_explained_once_and_where_it_stands(release: fv.Release) -> None:
    html = fv.report(release)
    sections = re.findall(r"<section[^>]*aria-labelledby.*?(?=<section[^>]*aria-labelledby|</main>)", html, re.DOTALL)
    explained: list[str] = []
    for section in sections:
        terms = re.findall(r"<dl class=\"terms\".*?</dl>", section, re.DOTALL)
        here = re.findall(r"<dt>(.*?)</dt>", "".join(terms))
        body = section.replace("".join(terms), "")
        assert set(glossary.spoken(Html(body))) <= {*explained, *here}
        explained += here
    assert len(explained) == len(set(explained))
    assert {"k-anonymity", "quasi-identifier", "generalization", "suppression", "loss"} <= set(explained)


def test_every_guard_has_a_word_that_explains_it() -> None:
    from fairveil import guards

    for guard in guards.GUARDS:
        assert list(glossary.spoken(Html(f"<td>{guard.kind}</td>"))), guard.kind
