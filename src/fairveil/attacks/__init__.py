"""Attacks: what somebody with other data could do to a release, tried before anybody else does.

>>> import fairveil as fv
>>> credit = fv.datasets.credit_decisions()
>>> release = fv.search(credit.table, credit.schema, guards=[fv.KAnonymity(3)]).best("loss")
>>> findings = fv.attack(release, original=credit.table)
>>> findings.of("linkage").best <= 1 / 3 < findings.of("linkage").details["original"]["best"]
True

This list is the registry that the command line, the evidence and the docs read: one family of attacks a file, each a
function of a Scene (what the attacker has) that gives Findings (how far they got, compared with what, in plain words).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from fairveil.attacks.attack import COLUMNS, Attack, Finding, Findings
from fairveil.attacks.derivation import derivation
from fairveil.attacks.downcoding import downcoding
from fairveil.attacks.identification import reidentification, row_order, uniqueness
from fairveil.attacks.invariance import m_invariance
from fairveil.attacks.linkage import linkage
from fairveil.attacks.members import inference, membership
from fairveil.attacks.minimality import minimality_of
from fairveil.attacks.rejoin import rejoining
from fairveil.attacks.scene import Scene
from fairveil.attacks.sensitive import any_column, background, homogeneity, similarity, skewness
from fairveil.attacks.several_releases import intersection
from fairveil.attacks.trajectory import trajectory
from fairveil.attacks.weaknesses import LOUD, WEAKNESSES, dangers, weaknesses
from fairveil.errors import refuse, suggest
from fairveil.messages import counted
from fairveil.progress import Progress, Report
from fairveil.registry import Registry

if TYPE_CHECKING:
    from fairveil.published.folder import Publishing

ATTACKS: Registry[Attack] = Registry(
    "attack",
    [
        reidentification, linkage, uniqueness, row_order, derivation, homogeneity, background, skewness, similarity,
        any_column, downcoding, minimality_of, rejoining, intersection, membership, inference, trajectory,
    ],
)  # fmt: skip
register = ATTACKS.register

__all__ = [
    "ATTACKS", "COLUMNS", "WEAKNESSES", "Attack", "Finding", "Findings", "Scene", "attack", "cheap", "dangers",
    "first_to_say", "m_invariance", "refuse_unknown", "register", "tried", "weaknesses",
]  # fmt: skip

MIN_CONTROL = 30  # a control group of fewer people proves nothing


def attack(
    release: Publishing,
    original: Any = None,
    known: Sequence[str] | None = None,
    other: Publishing | Sequence[Publishing] | None = None,
    *,
    control: Any = None,
    only: Sequence[str] | None = None,
    seed: int = 0,
    published: Any = None,
    table: str | None = None,
    progress: Progress | Report | bool | None = None,
) -> Findings:
    """Run every attack that the given data allows; `skipped` of the result names the others, and says why.

    `release` and `other` (one or several) are releases or their folders; `original` and `control` are tables, data
    frames, files, databases, lazy frames or sources; an original may have people of any of the releases. `known` are
    the columns that the attacker knows about people (by default all quasi columns). `control` holds people
    like those in the data who are not in it.
    Without it, people of the original who were not published take their place, if there are more of them than the
    suppressed ones. `only` names the attacks to run. `published` and `table`
    say where the rows of a release are that are in a database (see `verify`); those of `other` are in the same one.
    """
    for name in only or ():
        ATTACKS.get(name)  # raises where there is none
    chosen = [attempt for attempt in ATTACKS if only is None or attempt.name in only]
    given: dict[str, Any] = {"original": original, "known": known, "other": other, "control": control, "seed": seed}
    progress = Progress.visible(progress)
    located = {"database": published, "table": table}
    return progress.run(lambda: run(Scene.of(release, **given, **located, progress=progress), chosen, progress))


def run(scene: Scene, attacks: Sequence[Attack], progress: Progress) -> Findings:
    """Run these attacks on one scene, as far as it has what they need."""
    findings: list[Finding] = []
    skipped: dict[str, str] = {}
    for number, attempt in enumerate(attacks):
        progress.tell(number / len(attacks), f"trying {attempt.name}")
        why = lacking(scene, attempt)
        results = [] if why else list(attempt.run(scene))
        if scene.published.schema.person is not None and not (attempt.by_person and scene.described is not None):
            results = [replace(finding, verdict=f"{finding.verdict} (records are counted)") for finding in results]
        findings += results
        if not results:
            skipped[attempt.name] = why or "there is nothing in this release to try it on"
    return Findings(findings, skipped)


def cheap(release: Publishing, progress: Progress | None = None, names: Sequence[str] | None = None) -> Findings:
    """The attacks that need nothing but the published table, as `evidence.json` lists them; from other packages only
    these `names`, if given."""
    attempts = [attempt for attempt in ATTACKS.among(names) if attempt.cheap]
    return run(Scene.of(release), attempts, progress or Progress())


def tried(evidence: Mapping[str, Any]) -> list[Any]:
    """All that the evidence says of attacks: of those by persons whose column is not published, and of all others."""
    return [*evidence.get("by_persons", []), *evidence.get("attacks", [])]


def first_to_say(evidence: Mapping[str, Any]) -> list[tuple[str, str]]:
    """What every reader must see first about a release, by name, from its evidence: loud weaknesses, dangers, accepted
    dangers that only the source shows, and the warnings of attacks that are headlines."""
    headlines = {attack.name for attack in ATTACKS if attack.headline}
    findings = [
        (str(finding.get("attack", "")), str(finding.get("verdict", "")))
        for finding in tried(evidence)
        if isinstance(finding, Mapping)
        and (
            finding.get("level") == "danger" or (finding.get("level") == "warn" and finding.get("attack") in headlines)
        )
    ]
    named = {name for name, _ in findings}
    loud = {name: str(why) for name, why in evidence.get("weaknesses", {}).items() if name in LOUD}
    unseen = [
        (attack.name, f"{attack.meaning}: that this is possible shows only in the source")
        for attack in ATTACKS
        if attack.name in evidence.get("accepted", []) and attack.name not in named
    ]
    return [*((name, why) for name, why in loud.items() if name not in named), *findings, *unseen]


def refuse_unknown(accept: Sequence[str]) -> None:
    """Refuse names to `accept` that no attack or weakness has."""
    known = list(dict.fromkeys([*ATTACKS.names, *WEAKNESSES]))
    refuse([suggest(name, known, "attack or weakness") for name in accept if name not in known])


def lacking(scene: Scene, attempt: Attack) -> str:
    """Why an attack cannot be run on a scene; empty when it can."""
    needs, published, others = attempt.needs, scene.published, scene.others
    if "table" in needs and not published.whole:
        return "the columns are published in several tables"
    if "projections" in needs and published.whole:
        return "the columns are published in one table"
    if not published.rows:
        return "nothing is published"
    if attempt.persons and published.recipe.invents:
        return "the rows are made of noisy counts: none of them is a person's"
    if "sensitive" in needs and not scene.sensitive:
        return "the schema names no sensitive column"
    if "plain" in needs and not any(name in published.names for name in published.schema.plain):
        return "no column is published as plain"
    if "hierarchies" in needs and not published.schema.hierarchies:
        return "the schema names no hierarchy"
    if "other" in needs and not others:
        return "it needs a second release of the same people"
    if "other" in needs and not all(other.published.whole for other in others):
        return "the columns of the second release are published in several tables"
    if "original" in needs and scene.original is None:
        return "it needs the original data"
    counted_only = [s.published for s in (scene, *others) if not s.published.has_rows]
    if "rows" in needs and counted_only:
        return f"it needs single rows of the release, and {counted_only[0].rows:,} are too many to hold"
    if "recoded" in needs and not scene.recodes:
        return "the recipe does not say how each person of the original was published"
    if "control" in needs and not scene.has_control:
        return "it needs a control group: people like those in the data who are not in it"
    if "control" in needs and scene.strangers.rows < MIN_CONTROL:
        size = counted(scene.strangers.rows, "person", "people")
        return f"the control group has {size}, and fewer than {MIN_CONTROL} prove nothing"
    return attempt.unfit(scene)
