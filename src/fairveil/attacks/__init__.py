"""Attacks: what somebody with other data could do to a release, tried before anybody else does.

>>> import fairveil as fv
>>> credit = fv.datasets.credit_decisions()
>>> release = fv.search(credit.table, credit.schema, guards=[fv.KAnonymity(3)]).best("loss")
>>> findings = fv.attack(release, original=credit.table)
>>> findings.of("linkage").best <= 1 / 3 < findings.of("linkage").details["original"]["best"]
True

This list is the registry that the command line, the evidence and the docs read: one attack a file, each a function of
a Scene (what the attacker has) that gives Findings (how far they got, compared with what, in plain words).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
    row_order,
    similarity,
    skewness,
    uniqueness,
)
from fairveil.attacks.attack import COLUMNS, Attack, Finding, Findings
from fairveil.attacks.dangers import accept_problems, dangers, headline, unaccepted
from fairveil.attacks.scene import Scene
from fairveil.attacks.weaknesses import WEAKNESSES, weaknesses
from fairveil.errors import refuse
from fairveil.plural import counted
from fairveil.progress import Progress, Report
from fairveil.published.folder import Publishing
from fairveil.registry import Registry

ATTACKS: Registry[Attack] = Registry(
    "attack",
    [
        reidentification.ATTACK,
        linkage.ATTACK,
        uniqueness.ATTACK,
        row_order.ATTACK,
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
    ],
)
register = ATTACKS.register

__all__ = [
    "ATTACKS", "COLUMNS", "WEAKNESSES", "Attack", "Finding", "Findings", "Scene", "attack", "cheap", "dangers",
    "first_to_say", "refuse_unknown", "register", "unaccepted", "weaknesses",
]  # fmt: skip

LEAST_CONTROL = 30
"""A control group of fewer people proves nothing."""


def attack(
    release: Publishing,
    original: Any = None,
    known: Sequence[str] | None = None,
    other: Publishing | None = None,
    *,
    control: Any = None,
    only: Sequence[str] | None = None,
    seed: int = 0,
    progress: Progress | Report | bool | None = None,
) -> Findings:
    """Run every attack that the given data allows; `skipped` of the result names the others, and says why.

    `release` and `other` are releases or their folders; `original` and `control` are tables, data frames or files.
    `known` are the columns that the attacker knows about people (by default all quasi columns). `control` holds people
    like those in the data who are not in it. Without it, people of the original who were not published take their
    place, if there are more of them than the suppressed ones. `only` names the attacks to run.
    """
    chosen = list(ATTACKS) if only is None else [ATTACKS.get(name) for name in ATTACKS.names if name in only]
    for name in only or ():
        ATTACKS.get(name)
    progress = Progress.visible(progress)

    def work() -> Findings:
        scene = Scene.of(release, original=original, known=known, other=other, control=control, seed=seed)
        return run(scene, chosen, progress)

    return progress.run(work)


def run(scene: Scene, attacks: Sequence[Attack], progress: Progress) -> Findings:
    """Run these attacks on one scene, as far as it has what they need."""
    findings: list[Finding] = []
    skipped: dict[str, str] = {}
    for number, attempt in enumerate(attacks):
        progress.tell(number / len(attacks), f"trying {attempt.name}")
        why = lacking(scene, attempt)
        results = [] if why else list(attempt.run(scene))
        findings += results
        if not results:
            skipped[attempt.name] = why or "there is nothing in this release to try it on"
    return Findings(findings, skipped)


def cheap(release: Publishing, progress: Progress | None = None, names: Sequence[str] | None = None) -> Findings:
    """The attacks that need nothing but the published table, as `evidence.json` lists them; from other packages only
    these `names`, if given."""
    attempts = [attempt for attempt in ATTACKS.among(names) if attempt.cheap]
    return run(Scene.of(release), attempts, progress or Progress())


def first_to_say(evidence: Mapping[str, Any]) -> list[tuple[str, str]]:
    """What every reader must see first about a release, by name, from its evidence."""
    findings = [finding for finding in evidence.get("attacks", []) if isinstance(finding, Mapping)]
    return headline(findings, evidence.get("weaknesses", {}), [attack.name for attack in ATTACKS if attack.headline])


def refuse_unknown(accept: Sequence[str]) -> None:
    """Refuse names to `accept` that no attack or weakness has."""
    refuse(accept_problems(accept, [*ATTACKS.names, *(name for name in WEAKNESSES if name not in ATTACKS.names)]))


def lacking(scene: Scene, attempt: Attack) -> str:
    """Why an attack cannot be run on a scene; empty when it can."""
    if "table" in attempt.needs and not scene.published.whole:
        return "the columns are published in several tables"
    if "projections" in attempt.needs and scene.published.whole:
        return "the columns are published in one table"
    if not scene.published.rows:
        return "nothing is published"
    if attempt.persons and scene.recipe.invents:
        return "the rows are made of noisy counts: none of them is a person's"
    if "sensitive" in attempt.needs and not scene.sensitive:
        return "the schema names no sensitive column"
    if "plain" in attempt.needs and not any(name in scene.published.names for name in scene.schema.plain):
        return "no column is published as plain"
    if "hierarchies" in attempt.needs and not scene.schema.hierarchies:
        return "the schema names no hierarchy"
    if "other" in attempt.needs and scene.other is None:
        return "it needs a second release of the same people"
    if "other" in attempt.needs and scene.other is not None and not scene.other.published.whole:
        return "the columns of the second release are published in several tables"
    if "original" in attempt.needs and scene.original is None:
        return "it needs the original data"
    counted_only = [s.published for s in (scene, scene.other) if s is not None and not s.published.has_rows]
    if "rows" in attempt.needs and counted_only:
        return f"it looks at single rows of the release, and {counted_only[0].rows:,} are too many to hold"
    if "recoded" in attempt.needs and not scene.recodes:
        return "the recipe does not say how each person of the original was published"
    if "control" in attempt.needs and not scene.has_control:
        return "it needs a control group: people like those in the data who are not in it"
    if "control" in attempt.needs and scene.strangers.rows < LEAST_CONTROL:
        size = counted(scene.strangers.rows, "person", "people")
        return f"the control group has {size}, and fewer than {LEAST_CONTROL} prove nothing"
    return attempt.unfit(scene)
