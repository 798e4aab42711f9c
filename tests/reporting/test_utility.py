"""The section on what can be learnt: complete, escaped whatever the names are, and drawn without a hole."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fairveil as fv
from fairveil.reporting.charts import WhiskerPoint, agreement, whiskers
from fairveil.reporting.context import ReportContext
from fairveil.reporting.numbers import percent
from fairveil.reporting.page import page
from tests.reporting import nasty
from tests.reporting.reading import Page, read

MODELS = [("original", "original"), ("release", "recoded"), ("release", "original")]


@pytest.fixture(scope="module")
def release() -> fv.Release:
    credit = fv.datasets.credit_decisions()
    return fv.search(credit.table, credit.schema, guards=[fv.KAnonymity(3)]).best("loss")


def figures(
    classifier: str = "tree", column: str = "sex", groups: tuple[str, str] = ("f", "m"), **more: Any
) -> dict[str, Any]:
    estimate = {"value": 0.8, "low": 0.75, "high": 0.85}
    rates = [{"group": g, "positive": 0.2, "low": 0.1, "high": 0.3, "accuracy": 0.7} for g in groups]
    scores = dict.fromkeys(("accuracy", "balanced-accuracy", "f1", "auc"), estimate)
    lost = {name: {"value": -0.01, "low": -0.02, "high": 0.01} for name in scores}
    fairness = [{"column": column, "scores": {}, "groups": rates}]
    return {
        "learnt": "search", "train_rows": 700, "test_rows": 300, "guess": 0.6,
        "models": [{"classifier": classifier, "trained": trained, "tested": tested, "scores": scores, "lost": lost,
                    "fairness": fairness} for trained, tested in MODELS],
        "survival": {"queries": {"median": estimate, "mean": estimate}, "asked": 500, "association_error": 0.05,
                     "marginals": {column: 0.1}, **more},
    }  # fmt: skip


def section(release: fv.Release, content: dict[str, Any]) -> Page:
    return read(page(ReportContext(release.published, release.evidence() | {"utility": content})))


def test_it_says_everything(release: fv.Release) -> None:
    words = " ".join(section(release, figures()).text.split())
    for expected in ("decision tree", "balanced accuracy", "75.0 to 85.0", "−2.0 to 1.0", "300 records", "700 records",
                 "always predicting the most frequent decision", "Are groups treated alike?", "Do statistics survive?",
                 "500 random counting questions", "changes by 0.05 on average"):  # fmt: skip
        assert expected in words, expected
    assert "learns from the release predicts 80.0" in words.replace("\u00a0", " ")


def test_drawings_have_names_axes_and_captions(release: fv.Release) -> None:
    pairs = [{"columns": ["a", "b"], "original": 0.5, "release": 0.25}]
    report = section(release, figures(associations=pairs))
    labels = [element.get("aria-label", "") for element in report.all("svg")]
    for label in ("Accuracy of models", "Favourable decisions by sex", "Distance of the distributions", "1 pairs of"):
        assert any(element.startswith(label) for element in labels), label
    for axis in ("decisions predicted correctly, in percent", "Cramér’s V in the source", "in percent"):
        assert axis in report.text
    assert len(report.all("figure")) == len(report.all("figcaption"))


def test_how_far_the_repeated_release_is_from_this_one(release: fv.Release) -> None:
    words = " ".join(section(release, figures() | {"loss": 0.987}).text.split())
    assert f"it lost 98.7\u00a0% of detail; this one lost {percent(release.measures['loss'])}".replace(
        "\u00a0", " "
    ) in (words.replace("\u00a0", " "))


@pytest.mark.parametrize("learnt", ["release", "recipe", "search"])
def test_it_says_what_models_learnt_from(release: fv.Release, learnt: str) -> None:
    assert "300 records" in section(release, figures() | {"learnt": learnt}).text


@pytest.mark.parametrize("name", [name for name in nasty.NAMES + nasty.VALUES if isinstance(name, str)])
def test_nasty_names_stay_text(release: fv.Release, name: str) -> None:
    pairs = [{"columns": [name, name], "original": 0.5, "release": 0.25}]
    section(release, figures(name, name, (name, name + "2"), associations=pairs))


@settings(max_examples=60)
@given(classifier=st.text(max_size=40), column=st.text(max_size=40), group=st.text(max_size=40))
def test_any_names_stay_text(release: fv.Release, classifier: str, column: str, group: str) -> None:
    section(release, figures(classifier, column, (group, group + "x")))


def test_what_has_no_value_is_left_out(release: fv.Release) -> None:
    content = figures()
    content["models"] = content["models"][:2]  # as of projections
    content["survival"] = None
    nothing = {"value": None, "low": None, "high": None}
    content["models"][0] = content["models"][0] | {"scores": content["models"][0]["scores"] | {"auc": nothing}}
    assert "published in several tables" in section(release, content).text
    assert section(release, figures() | {"models": []}).text.count("Do statistics survive?") == 0
    bare = figures()
    for model in bare["models"]:
        model["fairness"] = []
    assert "Are groups treated alike?" not in section(release, bare).text


def test_points_lie_within_the_drawing() -> None:
    drawn = read_svg(
        whiskers("x", [("a", [WhiskerPoint(0.0, 0.0, 0.0, 0), WhiskerPoint(1.0, 1.0, 1.0, 1)])], axis="y", beside=0.5)
    )
    assert all(0 <= float(element[key]) <= 380 for element in drawn.all("line") for key in ("x1", "x2"))
    same = read_svg(whiskers("x", [("a", [WhiskerPoint(0.5, 0.5, 0.5, 0)])], axis="y"))
    assert all(0 <= float(element["cx"]) <= 380 for element in same.all("circle"))
    square = read_svg(agreement("x", [(0.0, 0.0), (1.0, 1.0)], across="a", up="b"))
    assert all(
        0 <= float(element["cx"]) <= 380 and 0 <= float(element["cy"]) <= 290 for element in square.all("circle")
    )


def read_svg(drawing: str) -> Page:
    drawn = Page()
    drawn.feed(drawing)
    return drawn


def test_the_nasty_release_goes_through(tmp_path: Any) -> None:
    release = nasty.release()
    useful = fv.utility(release, release.original, 0.6, queries=10, resamples=5)
    whole = replace(release, utility=useful)
    out = whole.save(tmp_path / "out").path
    assert fv.verify(out)
    assert "utility" in [element["id"] for element in read((out / "report.html").read_text()).all("h2")]
    read(fv.report(whole, internal=True))


def test_where_nothing_was_tried_groups_are_counted(release: fv.Release) -> None:
    frame = release.table.to_frame("pandas")
    decision, quasi = release.schema.decision, list(release.schema.quasi)
    right = frame.groupby(quasi, dropna=False)[decision].agg(lambda context: context.value_counts().max()).sum() / len(
        frame
    )
    guess = frame[decision].value_counts().max() / len(frame)
    context = ReportContext(release.published, release.evidence())
    assert context.right_by_group == pytest.approx((right, guess))
    words = read(page(context)).text
    assert "This report does not say how well models learn from the release" in words and percent(right) in words
    bare = fv.datasets.employee_codes()
    undecided = fv.search(bare.table, bare.schema, guards=[fv.KAnonymity(2)]).best("loss")
    assert "utility" not in [element["id"] for element in read(fv.report(undecided)).all("h2")]
