"""Attacks that need people who are not in the data: membership and attribute inference."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from sklearn.metrics import roc_auc_score
from sklearn.naive_bayes import CategoricalNB

import fairveil as fv
from fairveil.attacks import Scene
from fairveil.attacks.members import candidates, class_frequencies, naive_bayes

ADDRESS = fv.hierarchy.intervals([0, 400], widths=(4, 100))


def people(rows: int, seed: int) -> pa.Table:
    """Addresses that say nothing about the illness."""
    rng = np.random.default_rng(seed)
    ill = rng.choice(["flu", "cold", "pox", "none"], rows)
    return pa.table({"address": rng.integers(0, 400, rows), "ill": pa.array(ill)})


SCHEMA = fv.Schema(quasi=["address"], sensitive=["ill"], hierarchies={"address": ADDRESS})


def released(rows: int, k: int, level: int | None = None) -> tuple[pa.Table, fv.Release]:
    table = people(rows, 0)
    candidates = fv.search(table, SCHEMA, guards=[fv.KAnonymity(k, suppression=0.9)])
    position = next(i for i, node in enumerate(candidates.nodes) if level in (None, node[0]))
    return table, candidates.release(position)


def test_a_fine_release_leaks_its_members_illness() -> None:
    table, release = released(240, 2, level=1)
    finding = fv.attack(release, original=table, control=people(4000, 1)).of("inference")
    assert finding.level == "danger"
    assert finding.average > finding.baseline + 0.1
    assert finding.baseline == pytest.approx(0.25, abs=0.05)  # nothing is to be learnt of others
    assert finding.details["model"] == "class frequencies"


def test_a_coarse_release_does_not() -> None:
    table, release = released(4000, 50, level=2)
    finding = fv.attack(release, original=table, control=people(4000, 1)).of("inference")
    assert finding.level == "ok"


def test_models_by_hand() -> None:
    table, release = released(400, 3, level=1)
    published, others = release.table, Scene.of(release, original=table, control=people(300, 2)).strangers
    label = published.column("ill").codes.astype(np.int64)
    frame, asked = published.to_frame("pandas"), others.to_frame("pandas")
    frame["label"] = label
    top = frame.groupby("address")["label"].agg(lambda s: s.value_counts().sort_index().idxmax())
    usual = frame["label"].value_counts().sort_index().idxmax()
    expected = asked["address"].map(top).fillna(usual).astype(int)
    assert class_frequencies(published, label, ["address"], others).tolist() == expected.tolist()
    known = others.take(np.flatnonzero(asked["address"].isin(frame["address"])))
    codes = {value: i for i, value in enumerate(sorted(set(frame["address"])))}
    model = CategoricalNB(alpha=1).fit(frame[["address"]].map(codes.get), label)
    theirs = model.predict(known.to_frame("pandas")[["address"]].map(codes.get))
    assert naive_bayes(published, label, ["address"], known).tolist() == theirs.tolist()


def test_who_has_no_row_is_not_in_the_data() -> None:
    table, release = released(240, 2, level=1)
    others = people(2000, 1)
    finding = fv.attack(release, original=table, control=others).of("membership")
    shown = set(release.table.to_arrow()["address"].to_pylist())
    missing = [
        label not in shown
        for label in release.recipe.outcome(fv.Table.from_frame(others)).table.to_arrow()["address"].to_pylist()
    ]
    assert finding.details["others_ruled_out"] == pytest.approx(np.mean(missing))
    assert finding.average == pytest.approx((1 + np.mean(missing)) / 2)
    scene = Scene.of(release, original=table, control=others)
    inside, outside = candidates(scene, scene.people)[scene.members], candidates(scene, scene.strangers)
    truth = np.repeat([1, 0], [len(inside), len(outside)])
    assert finding.details["auc"] == pytest.approx(roc_auc_score(truth, np.concatenate([inside, outside])))


def test_people_of_the_original_who_were_not_published_are_the_control_group() -> None:
    everybody = people(1000, 0)
    release = fv.search(everybody.slice(0, 600), SCHEMA, guards=[fv.KAnonymity(2)]).best("loss")
    scene = Scene.of(release, original=everybody)
    assert int(scene.members.sum()) == 600
    assert scene.strangers.rows == 400
    findings = fv.attack(release, original=everybody)
    assert findings.of("membership").records == 400
    assert findings.of("inference").details["control"] == 400


def test_suppressed_rows_are_no_control_group() -> None:
    table, release = released(240, 2, level=1)
    assert release.suppressed > 0
    findings = fv.attack(release, original=table)
    assert "control group" in findings.skipped["membership"]
    assert "control group" in findings.skipped["inference"]
    few = fv.attack(release, original=table, control=people(5, 3))
    assert "5 people" in few.skipped["membership"]
