"""How differently groups of people fare: from predictions against the truth, or from decisions in the data alone.

>>> import numpy as np
>>> counts = tally(None, np.array([1, 1, 0, 1, 0, 0]), np.array(["m", "m", "m", "f", "f", "f"]))
>>> round(formula("demographic-parity-difference")(counts), 3), round(formula("disparate-impact")(counts), 3)
(0.333, 0.5)

Everything is computed from one table of counts, one row per group. Where Fairlearn defines a score, this is the same
number; the equalised odds *score* is the paper's sum (González-Zelaya et al., Eq. 2), the difference is Fairlearn's
maximum. A group without positives (or negatives) has no rate there and does not count.

As measures of a release, `MEASURES` look at the published decisions; scores that compare predictions with the truth
need a classifier (`accuracy.FAIRNESS`). Both use the same formulas.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from fairveil.counting.tuples import first_rows, group_of
from fairveil.data.text_form import as_text
from fairveil.errors import BadInput, suggest
from fairveil.measures.measure import Measure

if TYPE_CHECKING:
    from fairveil.counting.cells import Classes
    from fairveil.data.schema import Schema
    from fairveil.data.table import Table

Z95 = 1.959963984540054
"""The 97.5 % point of the normal distribution."""

Formula = Callable[["GroupCounts"], float]


@dataclass(frozen=True)
class GroupCounts:
    """Counts per group: records, those given the favourable answer, and both among truly favourable ones.

    Without a truth (decisions in the data alone) the last two are None.
    """

    labels: tuple[Any, ...]
    rows: np.ndarray
    positive: np.ndarray
    truly: np.ndarray | None = None
    true_positive: np.ndarray | None = None

    @property
    def rates(self) -> np.ndarray:
        """The positive ratio (selection rate) of each group."""
        return _share(self.positive, self.rows)

    @property
    def true_rates(self) -> np.ndarray:
        """The true positive rate of each group."""
        truly, hit = self._need_truth()
        return _share(hit, truly)

    @property
    def false_rates(self) -> np.ndarray:
        """The false positive rate of each group."""
        truly, hit = self._need_truth()
        return _share(self.positive - hit, self.rows - truly)

    def _need_truth(self) -> tuple[np.ndarray, np.ndarray]:
        if self.truly is None or self.true_positive is None:
            raise BadInput("this score compares predictions with the truth, and only decisions are given")
        return self.truly, self.true_positive


@dataclass(frozen=True)
class Score:
    """One number about fairness: a name, a direction, a range, what it compares, and a formula on the tally.

    `needs_truth`: it compares predictions with the truth, so that decisions alone are not enough.
    """

    name: str
    better: Literal["lower", "higher"]
    range: tuple[float, float]
    meaning: str
    formula: Formula
    needs_truth: bool = False


@dataclass(frozen=True)
class Ratio:
    """One group's positive ratio with its 95 % interval (Wilson)."""

    group: Any
    rows: int
    positive: int
    ratio: float
    low: float
    high: float


def tally(truth: Any, answer: Any, groups: Any, favourable: Any = 1) -> GroupCounts:
    """Count per group; `truth` may be None. Labels are favourable where they equal `favourable` (or are in it)."""
    favoured = _is_among(answer, favourable)
    members = np.asarray(groups)
    truly = None if truth is None else _is_among(truth, favourable)
    if len(members) != len(favoured) or (truly is not None and len(truly) != len(favoured)):
        raise BadInput("answers, groups and truth must have the same length")
    if not len(favoured):
        raise BadInput("there are no records to be fair to")
    labels, ids = np.unique(members, axis=0 if members.ndim == 2 else None, return_inverse=True)
    names = tuple(map(tuple, labels.tolist())) if members.ndim == 2 else tuple(labels.tolist())
    records = [np.ones(len(favoured), dtype=bool), favoured]
    if truly is not None:
        records += [truly, truly & favoured]
    return GroupCounts(names, *(np.bincount(ids.ravel()[mask], minlength=len(names)) for mask in records))


def of_table(table: Table, schema: Schema, protected: str | None = None) -> GroupCounts:
    """The tally of a table's own decisions, by its protected column (all of them together unless one is named)."""
    if schema.decision is None or not schema.denied_values:
        raise BadInput("fairness of decisions needs a decision column and its denied values")
    names = [protected] if protected else list(schema.protected)
    if not names:
        raise BadInput("fairness needs a protected column, and the schema names none")
    decision = table.column(schema.decision)
    return tally(None, is_favourable(decision.domain, schema)[decision.codes], groups_of(table, names))


def of_classes(classes: Classes, schema: Schema) -> GroupCounts | None:
    """The tally of published decisions, by the protected columns as published; None if these or any row are missing."""
    names = [name for name in schema.protected if name in classes.codes]
    decision = schema.decision or ""
    if decision not in classes.codes or not schema.denied_values or not names or not len(classes):
        return None
    groups, total = group_of([(classes.codes[name], classes.sizes[name]) for name in names], len(classes.counts))
    favourable = is_favourable(classes.values(decision), schema)[classes.codes[decision]]
    rows = np.bincount(groups, classes.counts, minlength=total)
    return GroupCounts(tuple(range(total)), rows, np.bincount(groups, classes.counts * favourable, minlength=total))


def is_favourable(decisions: Iterable[Any], schema: Schema) -> np.ndarray:
    """Which of these decisions are not denials."""
    return ~np.isin([as_text(decision) for decision in decisions], [as_text(value) for value in schema.denied_values])


def groups_of(table: Table, names: Sequence[str]) -> np.ndarray:
    """The protected group of each row: its value, or its values together."""
    labels, numbers = numbered_groups(table, names)
    groups: np.ndarray = labels[numbers]
    return groups


def numbered_groups(table: Table, names: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
    """The protected groups, sorted, and the number of each row's among them."""
    from fairveil.learning.encoding import texts

    columns = [table.column(name) for name in names]
    groups, firsts = first_rows([(column.codes, len(column.values)) for column in columns], table.rows)
    one_each = table.select(names).take(firsts)
    values = zip(*(texts(one_each, name) for name in names), strict=True)
    labels, numbers = np.unique([" / ".join(row) for row in values], return_inverse=True)
    return labels, numbers[groups]


def positive_ratios(counts: GroupCounts, z: float = Z95) -> list[Ratio]:
    """Each group's positive ratio with a Wilson score interval, which stays between 0 and 1."""
    n, p = counts.rows, counts.rates
    middle, wide = p + z * z / (2 * n), z * np.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    low, high = np.maximum((middle - wide) / (1 + z * z / n), 0.0), np.minimum((middle + wide) / (1 + z * z / n), 1.0)
    columns = (counts.labels, *(column.tolist() for column in (n, counts.positive, p, low, high)))
    return [Ratio(*row) for row in zip(*columns, strict=True)]


def _is_among(labels: Any, favourable: Any) -> np.ndarray:
    values = labels.to_numpy() if hasattr(labels, "to_numpy") else np.asarray(labels)
    accepted = list(favourable) if isinstance(favourable, list | tuple | set | frozenset) else [favourable]
    if values.dtype == bool and accepted == [1]:
        return values
    return np.isin(values, np.array(accepted, dtype=values.dtype if values.dtype != bool else None))


def _share(part: np.ndarray, whole: np.ndarray) -> np.ndarray:
    shares: np.ndarray = np.divide(part, whole, out=np.full(len(whole), np.nan), where=whole > 0)
    return shares


def _gap(rates: np.ndarray) -> float:
    known = rates[~np.isnan(rates)]
    return float(known.max() - known.min()) if len(known) else 0.0


def _quotient(rates: np.ndarray) -> float:
    """The minimum over the maximum rate; groups whose rates are all 0 are treated alike."""
    known = rates[~np.isnan(rates)]
    return float(known.min() / known.max()) if known.any() else 1.0


SCORES = (
    Score("demographic-parity-difference", "lower", (0, 1),
          "largest minus smallest share of favourable decisions among the protected groups",
          lambda t: _gap(t.rates)),
    Score("demographic-parity-ratio", "higher", (0, 1),
          "smallest over largest share of favourable decisions among the protected groups",
          lambda t: _quotient(t.rates)),
    Score("disparate-impact", "higher", (0, 1),
          "demographic-parity-ratio under its legal name: by the four-fifths rule it should be at least 0.8",
          lambda t: _quotient(t.rates)),
    Score("equalised-odds-score", "lower", (0, 2),
          "gap between the protected groups in the true positive rate, plus the gap in the true negative rate",
          lambda t: _gap(t.true_rates) + _gap(t.false_rates), needs_truth=True),
    Score("equalised-odds-difference", "lower", (0, 1),
          "the larger of the gaps between the protected groups in the true and in the false positive rate",
          lambda t: max(_gap(t.true_rates), _gap(t.false_rates)), needs_truth=True),
    Score("equalised-odds-ratio", "higher", (0, 1),
          "smallest over largest rate among the protected groups, of true or of false positives, whichever is less",
          lambda t: min(_quotient(t.true_rates), _quotient(t.false_rates)), needs_truth=True),
    Score("equal-opportunity-difference", "lower", (0, 1),
          "gap between the protected groups in the true positive rate",
          lambda t: _gap(t.true_rates), needs_truth=True),
)  # fmt: skip
"""Every score, with its formula on a tally; the first three need only decisions."""


def formula(name: str) -> Formula:
    """The formula of a fairness score."""
    by_name = {score.name: score.formula for score in SCORES}
    if name not in by_name:
        raise BadInput(suggest(name, by_name, "fairness score"))
    return by_name[name]


def scores(counts: GroupCounts) -> dict[str, float]:
    """Every score of predictions against the truth."""
    return {score.name: score.formula(counts) for score in SCORES}


def _of_decisions(score: Score) -> Measure:
    def of(classes: Classes, schema: Schema) -> float:
        counts = of_classes(classes, schema)
        return float("nan") if counts is None else score.formula(counts)

    return Measure(score.name, "fairness", score.better, score.range, score.meaning, of_classes=of,
                   columns=lambda schema: schema.protected)  # fmt: skip


MEASURES = tuple(_of_decisions(score) for score in SCORES if not score.needs_truth)
