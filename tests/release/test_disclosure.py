"""What is published of a Utility: coarse, about many, and nothing that the published data does not name."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.tree import DecisionTreeClassifier

import fairveil as fv
from fairveil.data.hierarchy import from_rows
from fairveil.data.table import Table
from fairveil.recipes.full_domain import FullDomain
from fairveil.release.disclosure import MIN_GROUP, MIN_ROWS, plainly, public, rounded
from fairveil.release.release import publish

TREE = {"tree": DecisionTreeClassifier(min_samples_leaf=5)}


def people(seed: int, rows: int = 400) -> tuple[pa.Table, fv.Schema]:
    """Values that cannot occur by chance in a report; one protected group is small."""
    rng = np.random.default_rng(seed)
    groups = np.where(rng.random(rows) < 0.05, "groupFewx", rng.choice(["groupAx", "groupBx"], rows))
    zips = [f"zipLeaf{i}x" for i in rng.integers(0, 8, rows)]
    answer = np.where(rng.random(rows) < np.where(groups == "groupAx", 0.7, 0.3), "givenx", "deniedx")
    frame = pa.table({
        "zip": zips, "group": groups, "illness": [f"illness{i}x" for i in rng.integers(0, 5, rows)],
        "credit": answer, "person": [f"person{i}x" for i in range(rows)],
    })  # fmt: skip
    rules = {
        "zip": from_rows([f"zipLeaf{i}x", f"zipGroup{i // 4}x", "*"] for i in range(8)),
        "group": from_rows([name, "*"] for name in ("groupAx", "groupBx", "groupFewx")),
    }
    schema = fv.Schema(
        quasi=["zip", "group"], protected=["group"], sensitive=["illness"], decision="credit", denied="deniedx",
        identifier=["person"], hierarchies=rules,
    )  # fmt: skip
    return frame, schema


def tried(frame: pa.Table, schema: fv.Schema, k: int, test: Any = 0.4) -> fv.Release:
    release = fv.search(frame, schema, guards=[fv.KAnonymity(k)]).best("loss")
    return replace(release, utility=fv.utility(release, frame, test, classifiers=TREE, queries=10, resamples=5))


def numbers(content: Any) -> list[float]:
    if isinstance(content, dict):
        return [n for inner in content.values() for n in numbers(inner)]
    if isinstance(content, list):
        return [n for inner in content for n in numbers(inner)]
    return [content] if isinstance(content, float) else []


@settings(max_examples=15)
@given(st.integers(0, 10_000), st.sampled_from([2, 5, 12, 40]))
def test_no_value_that_is_not_published_and_few_digits(seed: int, k: int) -> None:
    frame, schema = people(seed)
    release = tried(frame, schema, k)
    published = {str(v) for column in release.table.to_arrow().columns for v in column.to_pylist()}
    source = {str(v) for column in frame.columns for v in column.to_pylist()}
    evidence = release.evidence()
    assert evidence["utility"]["test_rows"] == 160
    texts = (json.dumps(evidence), fv.report(release), json.dumps(fv.report_dict(release)))
    assert not [value for value in source - published for text in texts if value in text]
    assert all(number == round(number, 3) for number in numbers(evidence["utility"]))


def test_groups_must_be_large_and_named_in_the_data() -> None:
    frame, schema = people(0)
    release = tried(frame, schema, 2)
    assert release.utility is not None
    [whole] = release.utility.models[0].fairness
    sizes = {group["group"]: group["rows"] for group in whole.groups}
    assert sizes["groupFewx"] < MIN_GROUP < sizes["groupAx"]
    published = public(release)
    assert published is not None
    [fairness] = published["models"][0]["fairness"]
    assert [group["group"] for group in fairness["groups"]] == ["groupAx", "groupBx"]
    assert fairness["scores"] == {}  # they would be about the small group as well
    assert all("rows" not in group for group in fairness["groups"])
    assert all(number == round(number, 2) for number in numbers(fairness["groups"]))
    hidden = tried(frame, schema, 60)
    assert hidden.recipe.levels["group"] == 1  # type: ignore[attr-defined]
    published = public(hidden)
    assert published is not None and published["models"][0]["fairness"] == []
    assert "group" not in published["survival"]["marginals"] and "credit" in published["survival"]["marginals"]


def test_associations_are_shown_inside_only() -> None:
    frame, schema = people(1)
    release = tried(frame, schema, 5)
    assert release.utility is not None
    published, whole = public(release), plainly(release.utility)
    assert published is not None and "associations" not in published["survival"]
    assert len(whole["survival"]["associations"]) == 3
    assert published["survival"]["association_error"] == pytest.approx(
        whole["survival"]["association_error"], abs=0.051
    )
    inside = fv.report_dict(release, internal=True)["utility"]
    assert inside == whole
    assert "survive" in fv.report(release, internal=True)


def test_of_too_few_test_rows_nothing_is_published() -> None:
    frame, schema = people(2, 240)
    release = tried(frame, schema, 3, 0.4)
    assert release.utility is not None and release.utility.test_rows < MIN_ROWS
    assert public(release) is None


def test_rounded_goes_everywhere_and_leaves_counts_alone() -> None:
    given_ = {"a": [0.12345, float("nan"), 12], "b": ({"c": float("inf")}, "x", None, True)}
    assert rounded(given_, 1000) == {"a": [0.12, None, 12], "b": [{"c": None}, "x", None, True]}


def test_groups_of_a_coarser_column_are_put_together_as_it_is_published() -> None:
    frame, schema = people(4, 1000)
    rules = {**schema.hierarchies, "group": from_rows([
        ["groupAx", "majorityx", "*"], ["groupBx", "othersx", "*"], ["groupFewx", "othersx", "*"],
    ])}  # fmt: skip
    schema = replace(schema, hierarchies=rules)
    recipe = FullDomain(schema, {"zip": 0, "group": 1})
    release = publish(Table.from_frame(frame), schema, [], recipe)
    release = replace(release, utility=fv.utility(release, frame, 0.5, classifiers=TREE, queries=5, resamples=5))
    assert release.utility is not None
    published = public(release)
    assert published is not None
    for model, public_model in zip(release.utility.models, published["models"], strict=True):
        each = {group["group"]: group for group in model.fairness[0].groups}
        pair = [each["groupBx"], each["groupFewx"]]
        rows = sum(group["rows"] for group in pair)
        [mine] = [group for group in public_model["fairness"][0]["groups"] if group["group"] == "othersx"]
        for key in ("positive", "accuracy"):
            assert mine[key] == pytest.approx(sum(g["rows"] * g[key] for g in pair) / rows, abs=5.1 / rows * 2)
        assert mine["low"] <= mine["positive"] <= mine["high"]
        assert {group["group"] for group in public_model["fairness"][0]["groups"]} == {"majorityx", "othersx"}
        assert public_model["fairness"][0]["scores"] == {}
    assert "groupBx" not in json.dumps(release.evidence())
