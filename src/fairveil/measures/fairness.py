"""How differently groups of people fare: from predictions against the truth, or from decisions in the data alone.

>>> import numpy as np
>>> counts = tally(None, np.array([1, 1, 0, 1, 0, 0]), np.array(["m", "m", "m", "f", "f", "f"]))
>>> round(get("demographic-parity-difference").of(counts), 3), round(get("disparate-impact").of(counts), 3)
(0.333, 0.5)

Everything is computed from one table of counts, a line per group. Where Fairlearn defines a score, this is the same
number; the equalised odds *score* is the paper's sum (González-Zelaya et al., Eq. 2), the difference is Fairlearn's
maximum. A group without positives (or negatives) has no rate there and does not count.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from fairveil.errors import BadInput, suggest

Z95 = 1.959963984540054
"""The 97.5 % point of the normal distribution."""


@dataclass(frozen=True)
class Tally:
    """Counts per group: records, those given the favourable answer, and both among truly favourable ones.

    Without a truth (decisions in the data alone) the last two are None.
    """

    labels: tuple[Any, ...]
    rows: np.ndarray
    positive: np.ndarray
    truly: np.ndarray | None = None
    true_positive: np.ndarray | None = None

    def _need_truth(self) -> tuple[np.ndarray, np.ndarray]:
        if self.truly is None or self.true_positive is None:
            raise BadInput("this score compares predictions with the truth, and only decisions are given")
        return self.truly, self.true_positive

    @property
    def rates(self) -> np.ndarray:
        """The positive ratio (selection rate) of each group."""
        return _share(self.positive, self.rows)

    @property
    def true_rates(self) -> np.ndarray:
        truly, hit = self._need_truth()
        return _share(hit, truly)

    @property
    def false_rates(self) -> np.ndarray:
        truly, hit = self._need_truth()
        return _share(self.positive - hit, self.rows - truly)


@dataclass(frozen=True)
class Score:
    """One number about fairness: a name, a direction, what it means, and a formula on the tally."""

    name: str
    better: Literal["lower", "higher"]
    range: tuple[float, float]
    meaning: str
    of: Callable[[Tally], float]


@dataclass(frozen=True)
class Ratio:
    """One group's positive ratio with its 95 % interval (Wilson)."""

    group: Any
    rows: int
    positive: int
    ratio: float
    low: float
    high: float


def tally(truth: Any, answer: Any, groups: Any, favourable: Any = 1) -> Tally:
    """Count; `truth` may be None. Labels are taken as favourable where they equal `favourable` (or are in it)."""
    said = _is_good(answer, favourable)
    held = np.asarray(groups)
    real = None if truth is None else _is_good(truth, favourable)
    if len(held) != len(said) or (real is not None and len(real) != len(said)):
        raise BadInput("answers, groups and truth must have the same length")
    if not len(said):
        raise BadInput("there are no records to be fair to")
    if held.ndim == 2:
        labels, ids = np.unique(held, axis=0, return_inverse=True)
        names = tuple(tuple(label.tolist()) for label in labels)
    else:
        flat, ids = np.unique(held, return_inverse=True)
        names = tuple(flat.tolist())
    ids = ids.ravel()

    def per_group(mask: np.ndarray) -> np.ndarray:
        return np.bincount(ids[mask], minlength=len(names))

    everyone = np.ones(len(said), dtype=bool)
    if real is None:
        return Tally(names, per_group(everyone), per_group(said))
    return Tally(names, per_group(everyone), per_group(said), per_group(real), per_group(real & said))


def of_table(table: Any, schema: Any, protected: str | None = None) -> Tally:
    """The tally of a table's own decisions, by its protected column (all of them together unless one is named)."""
    if schema.decision is None or not schema.denied_values:
        raise BadInput("fairness of decisions needs a decision column and its denied values")
    names = [protected] if protected else list(schema.protected)
    if not names:
        raise BadInput("fairness needs a protected column, and the schema names none")
    decision = table.column(schema.decision)
    good = np.ones(len(decision.values), dtype=bool)
    for value in schema.denied_values:
        if str(value) in map(str, decision.domain):
            good[decision.code_of(value)] = False
    columns = [table.column(name) for name in names]
    labels = [np.array([str(v) for v in column.domain], dtype=object)[column.codes] for column in columns]
    joined = labels[0] if len(labels) == 1 else np.array([" / ".join(row) for row in zip(*labels, strict=True)])
    return tally(None, good[decision.codes], joined)


def positive_ratios(counts: Tally, z: float = Z95) -> list[Ratio]:
    """Each group's positive ratio with a Wilson score interval, which keeps within 0 and 1."""
    found = []
    for group, n, k in zip(counts.labels, counts.rows.tolist(), counts.positive.tolist(), strict=True):
        p = k / n
        middle, wide = p + z * z / (2 * n), z * np.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
        whole = 1 + z * z / n
        low, high = max((middle - wide) / whole, 0.0), min((middle + wide) / whole, 1.0)
        found.append(Ratio(group, n, k, p, float(low), float(high)))
    return found


def _is_good(labels: Any, favourable: Any) -> np.ndarray:
    held = labels.to_numpy() if hasattr(labels, "to_numpy") else np.asarray(labels)
    if held.dtype == bool and not isinstance(favourable, list | tuple | set | frozenset) and favourable == 1:
        return held
    wanted = list(favourable) if isinstance(favourable, list | tuple | set | frozenset) else [favourable]
    return np.isin(held, np.array(wanted, dtype=held.dtype if held.dtype != bool else None))


def _share(part: np.ndarray, whole: np.ndarray) -> np.ndarray:
    return np.divide(part, whole, out=np.full(len(whole), np.nan), where=whole > 0)


def _gap(rates: np.ndarray) -> float:
    return float(np.nanmax(rates) - np.nanmin(rates)) if (~np.isnan(rates)).any() else 0.0


def _quotient(rates: np.ndarray) -> float:
    """Smallest over largest rate; groups that all get nothing are treated alike."""
    if not (~np.isnan(rates)).any() or np.nanmax(rates) == 0:
        return 1.0
    return float(np.nanmin(rates) / np.nanmax(rates))


SCORES: tuple[Score, ...] = (
    Score("demographic-parity-difference", "lower", (0, 1),
          "largest minus smallest positive ratio of a group (Eq. 1)", lambda t: _gap(t.rates)),
    Score("demographic-parity-ratio", "higher", (0, 1),
          "smallest over largest positive ratio of a group", lambda t: _quotient(t.rates)),
    Score("disparate-impact", "higher", (0, 1),
          "the same ratio under its legal name; the four-fifths rule wants 0.8 of it", lambda t: _quotient(t.rates)),
    Score("equalised-odds-score", "lower", (0, 2),
          "gap of the true positive rates plus gap of the true negative rates (Eq. 2)",
          lambda t: _gap(t.true_rates) + _gap(t.false_rates)),
    Score("equalised-odds-difference", "lower", (0, 1),
          "the larger of the two gaps", lambda t: max(_gap(t.true_rates), _gap(t.false_rates))),
    Score("equalised-odds-ratio", "higher", (0, 1),
          "the smaller of the two rates' smallest over largest",
          lambda t: min(_quotient(t.true_rates), _quotient(t.false_rates))),
    Score("equal-opportunity-difference", "lower", (0, 1),
          "gap of the true positive rates", lambda t: _gap(t.true_rates)),
)  # fmt: skip


def get(name: str) -> Score:
    """The fairness score of that name."""
    for score in SCORES:
        if score.name == name:
            return score
    raise BadInput(suggest(name, [score.name for score in SCORES], "fairness score"))
