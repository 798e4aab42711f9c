"""Guards that tell sensitive values apart at a coarser level than they are published at.

A column may be published in intervals of 100 and judged in intervals of 1,000: amounts that are nearly the same then
count as one, whatever their labels say. This is the protected level of extended p-sensitive k-anonymity (Campan and
Truta 2006). Merging values never makes a class more diverse, so whatever holds at the coarser level also holds for
the published values: fewer values are different, the most frequent one is more frequent, and entropy is smaller.
t-closeness has no such setting. It only becomes weaker when values merge.

The recipe has the hierarchy, so anybody can judge the published values again.

>>> import pyarrow as pa
>>> import fairveil as fv
>>> table = pa.table({"sex": ["f", "f"], "cost": [1010, 1930]})
>>> rule = fv.hierarchy.intervals([0, 5000], widths=(100, 1000))
>>> schema = fv.Schema(quasi=["sex"], sensitive=["cost"], hierarchies={"cost": rule}, levels={"cost": 1})
>>> guards = [fv.DistinctDiversity(2), fv.DistinctDiversity(2, judged={"cost": 2})]
>>> [verdict.holds for verdict in fv.check(table, schema, guards)]
[True, False]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from fairveil.counting.cells import Cells, Classes
from fairveil.counting.spellings import Labels, SpeltAlike
from fairveil.errors import BadInput, suggest
from fairveil.guards.guard import SensitiveGuard
from fairveil.messages import option
from fairveil.settings import setting
from fairveil.shapes import Shape, is_integer, shape, wrong

if TYPE_CHECKING:
    from fairveil.data.hierarchy import Hierarchy
    from fairveil.data.schema import Schema
    from fairveil.guards.projections import Projections

LEVELS = "a section such as {cost = 2}, or texts such as cost:2: columns, each with a level of its hierarchy"
_ANY_LEVELS: Shape = shape(LEVELS, lambda value: isinstance(value, str | list | tuple | Mapping))
Counted = TypeVar("Counted", bound=Cells | Classes)


@dataclass(frozen=True)
class Merged:
    """The values of a column at a coarser level: the new code of each code, the new labels, and their spellings."""

    codes: NDArray[np.int64]
    labels: tuple[Any, ...]
    spelt: SpeltAlike


@dataclass(frozen=True)
class JudgedGuard(SensitiveGuard):
    """A guard of sensitive values that may judge a column at a coarser level than that at which it is published."""

    _: KW_ONLY
    judged: Mapping[str, int] = setting(
        {}, "the level of a sensitive column's hierarchy at which its values are told apart, such as cost:2, if it is "
        "published finer", shape=_ANY_LEVELS
    )  # fmt: skip

    def __post_init__(self) -> None:
        super().__post_init__()
        given: Any = (self.judged,) if isinstance(self.judged, str) else self.judged
        if not isinstance(given, Mapping):  # as texts: cost:2
            given = {name: _integer(level) for name, _, level in (str(text).rpartition(":") for text in given)}
        named = all(isinstance(name, str) and name for name in given)
        if not named or not all(is_integer(level) and level >= 1 for level in given.values()):
            raise wrong(f"{self.kind}: {option('judged')}", LEVELS, self.judged)
        object.__setattr__(self, "judged", dict(given))

    def to_dict(self) -> dict[str, Any]:
        spec = super().to_dict()
        return spec if self.judged else {name: value for name, value in spec.items() if name != "judged"}

    @property
    def subject(self) -> str:
        return super().subject + self.at_levels()

    def at_levels(self) -> str:
        """At which levels columns are judged, for sentences; empty if none is."""
        return "".join(f", {name} judged at level {level} of its hierarchy" for name, level in self.judged.items())

    def check_schema(self, schema: Schema) -> list[str]:
        problems, columns = super().check_schema(schema), self.columns(schema)
        for name, level in self.judged.items():
            rule, where = schema.hierarchies.get(name), f"{self.kind}: {name!r} is judged at level {level}"
            if name not in columns:
                problems.append(f"{self.kind}: {suggest(name, columns, 'sensitive column')} (in judged)")
            elif rule is None or rule.learnt:
                problems.append(f"{where}, and needs a hierarchy" + (" of your own" if rule is not None else ""))
            elif rule.height is not None and level >= rule.height:
                problems.append(f"{where}, and all are one value from level {rule.height} of its hierarchy on")
        return problems

    def levels_of(self, published: Mapping[str, int]) -> list[tuple[str, int, int]]:
        """The columns that are judged at a coarser level than they are `published` at, and both levels."""
        pairs = [(name, published.get(name, 0), level) for name, level in self.judged.items()]
        return [(name, low, high) for name, low, high in pairs if low < high]

    def as_judged(self, cells: Counted, schema: Schema) -> Counted:
        """The same cells or classes, with the values of each judged column at its level."""
        for name, low, high in self.levels_of(schema.levels):
            if name not in cells.codes:
                raise BadInput(f"{self.kind} needs column {name!r}, which the data does not have")
            merged = _merged(cells, name, low, high, schema)
            cells = replace(
                cells,
                codes={**cells.codes, name: merged.codes[cells.codes[name]]},
                sizes={**cells.sizes, name: max(len(merged.labels), 1)},
                labels={**cells.labels, name: merged.labels},
                spelt={**cells.spelt, **merged.spelt},
            )
        return cells

    def values(self, classes: Classes, schema: Schema) -> np.ndarray:
        return super().values(self.as_judged(classes, schema), schema)

    def monotone_on(self, cells: Cells, schema: Schema, suppressing: bool) -> bool:
        return super().monotone_on(self.as_judged(cells, schema), schema, suppressing)

    def labels_judged(self, parts: Projections, name: str, labels: Sequence[Any]) -> list[Any]:
        """What the values of a sensitive column of projections are judged as."""
        for judged, low, high in self.levels_of(parts.levels):
            if judged == name:
                return _raised(parts.hierarchies[name], labels, low, high)
        return list(labels)


def _merged(cells: Cells | Classes, name: str, low: int, high: int, schema: Schema) -> Merged:
    """What the codes of a column stand for at a coarser level; computed once for all classes of the same cells."""
    labels, key = cells.labels[name], (name, high)
    known = cells.spelt.get(key)
    if known is None or known[0] is not labels:
        known = cells.spelt[key] = (labels, _at_level(name, labels, low, high, schema))
    merged: Merged = known[1]
    return merged


def _at_level(name: str, labels: Labels, low: int, high: int, schema: Schema) -> Merged:
    values = labels.to_pylist() if hasattr(labels, "to_pylist") else list(labels)
    raised = _raised(schema.hierarchy(name), values, low, high)
    code_of = {label: code for code, label in enumerate(dict.fromkeys(raised))}
    return Merged(np.array([code_of[label] for label in raised], dtype=np.int64), tuple(code_of), {})


def _raised(rule: Hierarchy, values: Sequence[Any], low: int, high: int) -> list[Any]:
    """Values at a coarser level, whether they are labels of level `low` or, in a table that is checked, as they are."""
    at_low = all(value is None or rule.admits(low, value) for value in values)
    return rule.raised(values, low if at_low else 0, high)


def _integer(text: str) -> int | None:
    return int(text) if text.isdecimal() else None
