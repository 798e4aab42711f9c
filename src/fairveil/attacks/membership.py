"""Membership: deciding from the release whether a person is in the data at all.

The attacker knows some columns of a person and looks for rows that could be the person's. If there is one, they say "is
in it". A control group, people like those in the data who are not in it, shows how often they are wrong. Success is the
mean of two shares, of the members whom they find and of the others whom they rule out: 50 % is a coin toss.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from fairveil.attacks.attack import Attack, Finding, Level, percent
from fairveil.attacks.scene import Scene, matched
from fairveil.data.table import Table

CLEAR = 0.6
"""From this success on, the attack is more than chance; from CERTAIN on, it says much."""
CERTAIN = 0.8


def candidates(scene: Scene, people: Table) -> np.ndarray:
    """How many published rows could be each person's."""
    mine, published, total = matched(people, scene.table, scene.known)
    return np.bincount(published, minlength=total)[mine]


def membership(scene: Scene) -> Iterable[Finding]:
    inside = candidates(scene, scene.people)[scene.members]
    outside = candidates(scene, scene.strangers)
    members_found, ruled_out = float((inside > 0).mean()), float((outside == 0).mean())
    success = (members_found + ruled_out) / 2
    error = float(np.sqrt(ruled_out * (1 - ruled_out) / len(outside)) / 2)
    level: Level = "danger" if success > CERTAIN else "warn" if success - 2 * error > CLEAR else "ok"
    verdict = (
        f"an attacker guesses rightly whether a person is in the data in {percent(success)} of the cases "
        f"(a coin: 50 %): "
        f"{percent(ruled_out)} of {len(outside):,} people who are not in it have no row that could be theirs"
    )
    yield Finding(
        "membership", level, verdict, success, success, 0.5, "a coin",
        int((outside == 0).sum()), len(outside),
        details={"members_found": members_found, "others_ruled_out": ruled_out, "auc": _auc(inside, outside),
                 "margin": 2 * error, "known": list(scene.known)},
    )  # fmt: skip


def _auc(inside: np.ndarray, outside: np.ndarray) -> float:
    """How often a member has more candidates than somebody else, ties counting half."""
    values, place = np.unique(np.concatenate([inside, outside]), return_inverse=True)
    member_share = np.bincount(place[: len(inside)], minlength=len(values)) / len(inside)
    other_share = np.bincount(place[len(inside) :], minlength=len(values)) / len(outside)
    return float((member_share * (np.cumsum(other_share) - other_share / 2)).sum())


ATTACK = Attack(
    "membership",
    frozenset({"table", "rows", "original", "recoded", "control"}),
    "deciding whether a person is in the data at all, compared with people who are not",
    membership,
    persons=False,
)
