"""Attacks on who is in the data, and what it costs them. Both compare with a control group: people like those in the
data who are not in it.

membership  The attacker knows some columns of a person and says "is in it" if any row could be the person's. Success is
            the mean of two shares, of the members whom they find and of the others whom they rule out: 50 % is a coin
            toss.
inference   A model trained on the release guesses people's sensitive values. Two models are tried, and the one that
            leaks more is reported: the most frequent value among the rows that look like the person, and naive Bayes
            over all rows, as in the deFinetti attack (Kifer 2009). What a model says about everybody is science, and a
            release is made for it. Only success *beyond* that on the control group is a leak: what members lose by
            being in the data.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from fairveil.attacks.attack import Finding, Level, attempt, percent
from fairveil.attacks.scene import Scene, matched
from fairveil.counting.spellings import known_codes
from fairveil.data.coding import alike
from fairveil.data.table import Table

CLEAR = 0.6  # from this success on, membership is more than chance; from CERTAIN on, it says much
CERTAIN = 0.8
LEAK = 0.02
"""More success than on the control group is a leak if it exceeds this and chance; above GROSS it is a danger."""
GROSS = 0.1


def candidates(scene: Scene, people: Table) -> np.ndarray:
    """How many published rows could be each person's."""
    mine, published, total = matched(people, scene.published.table, scene.known)
    return np.bincount(published, minlength=total)[mine]


@attempt("table", "rows", "original", "recoded", "control", persons=False, title="membership in the data")
def membership(scene: Scene) -> Iterable[Finding]:
    """Deciding whether a person is in the data at all, compared with people who are not."""
    inside = candidates(scene, scene.people)[scene.members]
    outside = candidates(scene, scene.strangers)
    members_found, ruled_out = float((inside > 0).mean()), float((outside == 0).mean())
    success = (members_found + ruled_out) / 2
    error = float(np.sqrt(ruled_out * (1 - ruled_out) / len(outside)) / 2)
    level: Level = "danger" if success > CERTAIN else "warn" if success - 2 * error > CLEAR else "ok"
    verdict = (
        f"an attacker guesses correctly whether a person is in the data in {percent(success)} of the cases (a coin: "
        f"50 %): {percent(ruled_out)} of {len(outside):,} people who are not in it have no row that could be theirs"
    )
    yield Finding(
        "membership", level, verdict, success, success, 0.5, "a coin",
        int((outside == 0).sum()), len(outside),
        details={"members_found": members_found, "others_ruled_out": ruled_out, "auc": _auc(inside, outside),
                 "margin": 2 * error, "known": list(scene.known)},
    )  # fmt: skip


def _auc(inside: np.ndarray, outside: np.ndarray) -> float:
    """How often a member has more candidates than somebody else, ties counting half."""
    values, inverse = np.unique(np.concatenate([inside, outside]), return_inverse=True)
    member_share = np.bincount(inverse[: len(inside)], minlength=len(values)) / len(inside)
    other_share = np.bincount(inverse[len(inside) :], minlength=len(values)) / len(outside)
    return float((member_share * (np.cumsum(other_share) - other_share / 2)).sum())


@attempt("table", "rows", "sensitive", "original", "recoded", "control", persons=False, title="inference by a model")
def inference(scene: Scene) -> Iterable[Finding]:
    """Guessing sensitive values by a model trained on the release, compared with people who are not in it."""
    members = scene.people.take(np.flatnonzero(scene.members))
    groups = (members, scene.strangers)
    for column in scene.sensitive:
        features = [name for name in scene.known if name != column]
        if not features or any(column not in people for people in groups):
            continue
        seen: tuple[Table, ...] = (scene.published.table, *groups)
        if not scene.published.counts_missing(column):
            seen = tuple(_with_value(table, column) for table in seen)
        if not all(table.rows for table in seen):
            continue
        rates = {name: _try(seen, model, column, features) for name, model in MODELS.items()}
        name = max(rates, key=lambda model: rates[model][0] - rates[model][1])
        inside, outside, margin = rates[name]
        usual = float(scene.published.sensitive(column).overall().max())
        leak = inside - outside
        level: Level = "ok" if leak <= max(LEAK, margin) else "danger" if leak > GROSS else "warn"
        leaked = f"{percent(leak)} more for being in it" if leak > margin else "no more than chance"
        verdict = (
            f"a model trained on the release guesses {column} right for {percent(inside)} of its people and for "
            f"{percent(outside)} of others: {leaked}; always guessing the most frequent value is right for "
            f"{percent(usual)}"
        )
        yield Finding(
            "inference", level, verdict, max(max(pair[:2]) for pair in rates.values()), inside, outside,
            "the same model on people who are not in the data", round(max(leak, 0) * seen[1].rows), seen[1].rows,
            column,
            {"model": name, "leak": leak, "margin": margin, "most_frequent": usual, "control": seen[2].rows,
             "known": features, "models": {n: {"members": a, "others": b} for n, (a, b, _) in rates.items()}},
        )  # fmt: skip


Model = Callable[[Table, np.ndarray, list[str], Table], np.ndarray]
"""From a published table, the sensitive codes of its rows, the known columns and people: a guess for each."""


def _with_value(table: Table, column: str) -> Table:
    """The rows with a known value of a column."""
    return table.take(np.flatnonzero(known_codes(table.column(column)) >= 0))


def _try(seen: Sequence[Table], model: Model, column: str, features: list[str]) -> tuple[float, float, float]:
    """The share of members and of others that a model is right about, and the difference that chance may cause."""
    table, *groups = seen
    label = table.column(column).codes.astype(np.int64)
    right = [model(table, label, features, people) == _true_values(table, column, people) for people in groups]
    margin = 2 * float(np.sqrt(sum(hit.var() / len(hit) for hit in right)))
    return float(right[0].mean()), float(right[1].mean()), margin


def _true_values(table: Table, column: str, people: Table) -> np.ndarray:
    """The true value of each person, in the codes of the published column; -1 for a value that is not in it."""
    published = table.column(column)
    (codes, own), size = alike([people.column(column), published])
    lookup = np.full(size, -1, dtype=np.int64)
    lookup[own] = published.codes
    return lookup[codes]


def class_frequencies(table: Table, label: np.ndarray, features: list[str], people: Table) -> np.ndarray:
    """The most frequent value among the published rows that look like the person; of all rows where there is none."""
    size = int(label.max()) + 1
    mine, published, total = matched(people, table, features)
    pairs, counts = np.unique(published * size + label, return_counts=True)
    order = np.lexsort((-pairs, counts))  # the most frequent last, of equals the first value
    top = np.full(total, np.bincount(label).argmax())
    top[(pairs // size)[order]] = (pairs % size)[order]
    return top[mine]


def naive_bayes(table: Table, label: np.ndarray, features: list[str], people: Table) -> np.ndarray:
    """Naive Bayes with one added to every count; a value that is not published says nothing."""
    size = int(label.max()) + 1
    score = np.tile(np.log(np.maximum(np.bincount(label, minlength=size), 0.5) / len(label)), (people.rows, 1))
    for name in features:
        (mine, published), values = alike([people.column(name), table.column(name)])
        counts = np.bincount(published * size + label, minlength=values * size).reshape(values, size) + 1.0
        likely = np.log(counts / counts.sum(axis=0))
        likely[np.bincount(published, minlength=values) == 0] = 0
        score += likely[mine]
    guess: np.ndarray = score.argmax(axis=1)
    return guess


MODELS: dict[str, Model] = {"class frequencies": class_frequencies, "naive Bayes": naive_bayes}
