"""Downcoding (Cohen, "Attacks on Deidentification's Defenses", USENIX Security 2022): undoing generalization.

A downcoding of a release Y of the data X is a table Z, strictly more specific than Y, that X still fits into. A minimal
release helps to find one: that nothing less general kept the guards rules out every X for which something would have.
Cohen proves that each minimal, hierarchical release of some data distributions can be downcoded by somebody who
knows the distribution; how far that goes for a given table is an experiment, and this is it.

Per generalized column, the children of every published value are the possible answers. The attacker believes at
first that a record falls under a child as often as people in general do (the original's frequencies where it is given,
standing for public statistics; else all leaves alike). He draws tables from that belief, keeps those for which
the less general release would indeed have broken a guard, and guesses each class's most likely child among the kept.
What "less general" means follows from the release (see `draws.py`): the column one level lower, one of its values
split, or a single class split.

By themselves the guards treat all children alike, so minimality alone, without a belief about frequencies, can never
say which child it is. `bits` is what minimality tells about a column: -log2 of the share of drawn tables kept.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from fairveil.attacks.base import Attack, Finding, Level, percent
from fairveil.attacks.draws import Belief, beliefs, holds, posterior
from fairveil.attacks.scene import Scene, as_published, matched
from fairveil.errors import BadInput
from fairveil.recipe import FullDomain, classes_of

TELLS = 0.01
"""Guesses that minimality adds, as a share of all hidden values, from which on it counts; MUCH: a danger."""
MUCH = 0.1
SURE = 0.95


@dataclass(frozen=True)
class Guess:
    """The attacker's answer for one column: a child per class, and how sure he is. `plain` is without minimality."""

    belief: Belief
    child: np.ndarray
    sure: np.ndarray
    plain: np.ndarray
    bits: float
    capped: bool


def downcoding(scene: Scene) -> Iterable[Finding]:
    believed, skipped = beliefs(scene)
    if not believed:
        return
    rng = np.random.default_rng(scene.seed)
    guesses = []
    for belief in believed:
        after, bits, capped = posterior(scene, belief, rng)
        guesses.append(_guess(scene, belief, after, bits, capped))
    hidden = sum(int(scene.classes.rows[guess.belief.splittable].sum()) for guess in guesses)
    bits = sum(guess.bits for guess in guesses)
    columns: dict[str, dict[str, Any]] = {
        g.belief.name: {"bits": g.bits, "scope": g.belief.scope, "at_least": g.capped} for g in guesses
    }
    details: dict[str, Any] = {"columns": columns, "bits": bits, "hidden_values": hidden, "not_tried": skipped}
    if not scene.recodes or scene.people.rows != (scene.original.rows if scene.original else 0):
        level: Level = "warn" if bits >= 1 else "ok"
        said = f"that nothing less general kept the guards tells {bits:.2f} bits about {hidden:,} hidden values"
        yield Finding("downcoding", level, f"{said}; how many can be guessed shows only against the original",
                      float("nan"), float("nan"), float("nan"), "guessing without knowing that the release is minimal",
                      0, scene.table.rows, details=details)  # fmt: skip
        return
    yield _measured(scene, guesses, bits, details)


def _guess(scene: Scene, belief: Belief, after: np.ndarray, bits: float, capped: bool) -> Guess:
    label = belief.label_of_class
    rows = np.arange(len(label))
    first, plain = after.argmax(axis=1), belief.shares.argmax(axis=1)[label]
    return Guess(belief, belief.children[label, first], after[rows, first], belief.children[label, plain], bits, capped)


def _measured(scene: Scene, guesses: list[Guess], bits: float, details: dict[str, Any]) -> Finding:
    """How many guesses are right for the people of the release, with and without minimality."""
    assert scene.original is not None
    mine, published, total = matched(scene.people, scene.table, scene.schema.quasi)
    class_of = np.full(total, -1, dtype=np.int64)
    class_of[published] = classes_of(scene.table, scene.schema)[1]
    people = np.flatnonzero(scene.members & (class_of[mine] >= 0))
    at = class_of[mine[people]]
    whole = np.ones(len(people), dtype=bool)
    right = plain = sure = sure_right = values = 0
    best = 0.0
    for guess in guesses:
        belief = guess.belief
        asked = belief.splittable[at]
        leaf = scene.original.column(belief.name).codes[people]
        truth = belief.levels.codes[belief.child_level[belief.label_of_class[at]], leaf]
        hit, bare = (truth == guess.child[at]) & asked, (truth == guess.plain[at]) & asked
        whole &= hit | ~asked
        certain = asked & (guess.sure[at] >= SURE)
        right, plain, values = right + int(hit.sum()), plain + int(bare.sum()), values + int(asked.sum())
        sure, sure_right = sure + int(certain.sum()), sure_right + int((hit & certain).sum())
        share = float(hit.sum() / max(asked.sum(), 1))
        best = max(best, share)
        details["columns"][belief.name] |= {"right": share, "without": float(bare.sum() / max(asked.sum(), 1))}
    lower = _could_be_lower(scene)
    details |= {"minimal": None if lower is None else not lower, "sure": sure, "sure_and_right": sure_right}
    gain = (right - plain) / max(values, 1)
    level: Level = "danger" if gain > MUCH else "warn" if gain > TELLS else "ok"
    verdict = (
        f"knowing that nothing less general kept the guards, an attacker guesses {percent(right / max(values, 1))} of "
        f"{values:,} hidden values one level deeper; {percent(plain / max(values, 1))} without knowing it"
    )
    if lower:
        verdict += f"; here he errs, because {lower[0]!r} could have been less general"
    return Finding(
        "downcoding", level, verdict, best, right / max(values, 1), plain / max(values, 1),
        "guessing without knowing that the release is minimal", int(whole.sum()), len(people), details=details,
    )  # fmt: skip


def _could_be_lower(scene: Scene) -> list[str] | None:
    """The columns that the guards allowed one level lower; None where the original does not tell."""
    made = scene.recipe
    assert scene.original is not None
    if not isinstance(made, FullDomain) or scene.original.rows != scene.table.rows + scene.suppressed:
        return None
    found = []
    for name, level in made.levels.items():
        if level:
            try:
                lower = as_published(FullDomain(made.schema, {**made.levels, name: level - 1}), scene.original)
            except BadInput:
                continue
            if holds(scene, classes_of(lower, scene.schema)[0], suppressed=0):
                found.append(name)
    return found


ATTACK = Attack(
    "downcoding",
    frozenset({"table", "hierarchies"}),
    "undoing generalization by the knowledge that nothing less general kept the guards",
    downcoding,
)
