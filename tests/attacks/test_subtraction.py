"""Two releases, subtracted: who joined and who left is what does not cancel out, whoever else is in them."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import fairveil as fv
from fairveil.recipes.full_domain import FullDomain
from fairveil.release.release import Release, publish

AGES = fv.hierarchy.intervals([20, 60], widths=(10, 20))
SCHEMA = fv.Schema(quasi=["age", "sex"], sensitive=["ill"], hierarchies={"age": AGES})
K = 5


def people(rows: int = 300, seed: int = 0) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    return pd.DataFrame({
        "age": rng.integers(20, 60, rows), "sex": rng.choice(["f", "m"], rows),
        "ill": rng.choice(["flu", "cold", "pox"], rows),
    })  # fmt: skip


def released(frame: pd.DataFrame, age: int = 1, sex: int = 0) -> Release:
    return publish(frame, SCHEMA, [fv.KAnonymity(K)], FullDomain(SCHEMA, {"age": age, "sex": sex}))


def subtracted(new: Release, old: Release, original: pd.DataFrame | None = None) -> fv.attacks.Finding:
    findings = fv.attack(new, original=original, other=old, only=["intersection"])
    [finding] = [finding for finding in findings if "only_here" in finding.details]
    assert "assuming that everybody in both releases" in finding.verdict
    return finding


@pytest.mark.parametrize("with_original", [True, False])
@pytest.mark.parametrize(("joined", "left"), [(1, 0), (3, 0), (0, 1), (0, 4), (2, 1)])
def test_who_joined_and_who_left_is_left_over(joined: int, left: int, with_original: bool) -> None:
    frame = people()
    new, old = released(frame[left:]), released(frame[: len(frame) - joined])
    finding = subtracted(new, old, frame if with_original else None)
    assert finding.level == "danger"
    assert finding.details["only_here"] <= joined and finding.details["only_there"] <= left
    assert finding.details["only_here"] - finding.details["only_there"] == joined - left
    assert finding.affected == finding.details["only_here"] + finding.details["only_there"]


@pytest.mark.parametrize("levels", [(2, 0), (1, 1), (3, 1), (0, 0)])
def test_releases_at_other_levels_are_compared_at_the_coarser(levels: tuple[int, int]) -> None:
    frame = people(2000)
    new, old = released(frame, 1, 0), released(frame[:-1], *levels)
    finding = subtracted(new, old, frame)
    assert (finding.details["only_here"], finding.details["only_there"], finding.level) == (1, 0, "danger")
    without = subtracted(new, old)
    different = [name for name, level, mine in zip(("age", "sex"), levels, (1, 0), strict=True) if level != mine]
    assert without.details["not_compared"] == different
    assert (without.details["only_here"], without.level) == (1, "danger")


def test_a_person_whom_the_old_recipe_does_not_know_is_left_over() -> None:
    frame = people().assign(sex=lambda f: f["sex"].where(f.index < 295, "x"))
    finding = subtracted(released(frame, 1, 0), released(frame[:295], 1, 0), frame)
    assert (finding.details["only_here"], finding.details["only_there"]) == (5, 0)


def test_a_whole_group_may_join() -> None:
    frame = people()
    more = pd.concat([frame, pd.DataFrame({"age": 25, "sex": "f", "ill": ["flu", "cold"] * K})])
    finding = subtracted(released(more), released(frame), more)
    assert (finding.level, finding.details["only_here"], finding.affected) == ("ok", 2 * K, 0)


def test_other_people_are_no_update() -> None:
    """Nobody is assumed to be in both: what is left over of different people says little about anybody."""
    first, second = people(seed=1), people(seed=2)
    assert subtracted(released(first), released(second), pd.concat([first, second])).level == "warn"
    assert subtracted(released(first), released(first), first).level == "ok"


def test_people_in_one_release_only_hide_nobody() -> None:
    """A person known to be in both is hidden among those in both, not among all people of the original."""
    frame = people(400)
    findings = fv.attack(
        released(frame[:200]), original=frame, other=released(frame[200:], 1, 1), only=["intersection"]
    )
    assert all(finding.records < 400 for finding in findings if "k_after" in finding.details)
