"""Attacks: what somebody with other data could do to a release, tried before anybody else does.

>>> import fairveil as fv
>>> credit = fv.datasets.credit_decisions()
>>> release = fv.search(credit.table, credit.schema, guards=[fv.KAnonymity(3)]).best("loss")
>>> found = fv.attack(release, original=credit.table)
>>> found.of("linkage").best <= 1 / 3 < found.of("linkage").details["original"]["best"]
True

This list is the registry that the command line, the evidence and the docs read: one attack a file, each a function of
a Scene (what the attacker holds) that gives Findings (how far he got, compared with what, and in plain words).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from fairveil.attacks import (
    background,
    downcoding,
    homogeneity,
    inference,
    intersection,
    linkage,
    membership,
    minimality,
    reidentification,
    rejoin,
    similarity,
    skewness,
    uniqueness,
)
from fairveil.attacks.base import COLUMNS, Attack, Finding, Findings
from fairveil.attacks.scene import Scene
from fairveil.attacks.weaknesses import weaknesses
from fairveil.errors import BadInput, suggest
from fairveil.release.release import Release

ATTACKS: tuple[Attack, ...] = (
    reidentification.ATTACK,
    linkage.ATTACK,
    uniqueness.ATTACK,
    homogeneity.ATTACK,
    background.ATTACK,
    skewness.ATTACK,
    similarity.ATTACK,
    downcoding.ATTACK,
    minimality.ATTACK,
    rejoin.ATTACK,
    intersection.ATTACK,
    membership.ATTACK,
    inference.ATTACK,
)

__all__ = ["ATTACKS", "COLUMNS", "Attack", "Finding", "Findings", "Scene", "attack", "cheap", "weaknesses"]

LEAST_CONTROL = 30
"""A control group of fewer people says nothing."""


def attack(
    release: Release | str | Path,
    original: Any = None,
    known: Sequence[str] | None = None,
    other: Release | str | Path | None = None,
    *,
    control: Any = None,
    only: Sequence[str] | None = None,
    seed: int = 0,
) -> Findings:
    """Run every attack for which there is enough to go on; the answer's `skipped` says which were not, and why.

    `release` and `other` are releases or their folders; `original` and `control` are tables, data frames or files.
    `known` are the columns that the attacker knows of people (all quasi columns unless said otherwise). `control` are
    people like those in the data who are not in it; without it, those of the original who were not published serve,
    if they are more than just the suppressed ones. `only` names the attacks to run.
    """
    names = [one.name for one in ATTACKS]
    for name in only or ():
        if name not in names:
            raise BadInput(suggest(name, names, "attack"))
    scene = Scene.of(release, original=original, known=known, other=other, control=control, seed=seed)
    return run(scene, [one for one in ATTACKS if only is None or one.name in only])


def run(scene: Scene, attacks: Sequence[Attack]) -> Findings:
    """These attacks on one scene, as far as there is enough to go on."""
    found: list[Finding] = []
    skipped: dict[str, str] = {}
    for one in attacks:
        why = lacking(scene, one)
        results = [] if why else list(one.run(scene))
        found += results
        if not results:
            skipped[one.name] = why or "this release holds nothing to try it on"
    return Findings(found, skipped)


def cheap(release: Release | str | Path) -> Findings:
    """The attacks that need nothing but the published table; what `evidence.json` may tell everybody."""
    return run(Scene.of(release), [one for one in ATTACKS if one.cheap])


def lacking(scene: Scene, one: Attack) -> str:
    """Why an attack cannot be run on a scene; empty when it can."""
    if "table" in one.needs and scene.parts is not None:
        return "the columns are published in several tables"
    if "projections" in one.needs and scene.parts is None:
        return "the columns are published in one table"
    if not scene.table.rows:
        return "nothing is published"
    if "sensitive" in one.needs and not scene.sensitive:
        return "the schema names no sensitive column"
    if "plain" in one.needs and not any(name in scene.table for name in scene.schema.plain):
        return "no column is published as plain"
    if "hierarchies" in one.needs and not scene.schema.hierarchies:
        return "the schema names no hierarchy"
    if "other" in one.needs and scene.other is None:
        return "it needs a second release of the same people"
    if "other" in one.needs and scene.other is not None and scene.other.parts is not None:
        return "the columns of the second release are published in several tables"
    if "original" in one.needs and scene.original is None:
        return "it needs the original data"
    if "recoded" in one.needs and not scene.recodes:
        return "the recipe does not tell how each person of the original was published"
    if "control" in one.needs and not scene.has_control:
        return "it needs a control group: people like those in the data who are not in it"
    if "control" in one.needs and scene.strangers.rows < LEAST_CONTROL:
        return f"the control group has {scene.strangers.rows} people, and fewer than {LEAST_CONTROL} say nothing"
    return one.unfit(scene)
