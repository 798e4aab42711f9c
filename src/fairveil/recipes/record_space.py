"""RecordSpace and Points: the records of a table, as distances see them.

>>> import pyarrow as pa
>>> from fairveil.data.table import Table
>>> table = Table.from_frame(pa.table({"age": [20, 40, 60], "sex": ["F", "M", "F"]}))
>>> points = RecordSpace.of(table, ["age", "sex"]).points(table)
>>> steps = int(points.rows[1, 0] - points.rows[0, 0]) ** 2 + int(points.costs[0])
>>> round(steps * points.unit, 4)  # (20/σ)² + 2, as on one-hot columns
3.5

Numbers are standardized (Gower: divided by their range) and placed on a grid. It is so fine that it does not matter,
and so coarse that 64-bit sums of distances are exact: ties are real ties, on every machine and in every order of
summation. A missing number is placed at the mean, and differs from every present number as much as two categories
differ.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from math import frexp, isfinite, sqrt
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from fairveil import shapes
from fairveil.data.numeric import exact_sum, is_measurable, numbers_per_value
from fairveil.data.text_form import text_or_none
from fairveil.errors import BadInput, suggest
from fairveil.recipes.stored import Form, Stored, listed, nested, stored

if TYPE_CHECKING:
    from fairveil.data.table import Column, Table
    from fairveil.recipes.distance_kernels import Metric

Distance = Literal["euclidean", "manhattan", "gower"]
FINEST = 16
"""The grid is never finer than 2^-16 standard deviations."""


@dataclass(frozen=True)
class Points:
    """One row per record: grid coordinates of the numeric columns, then codes of the categorical ones."""

    rows: np.ndarray
    numeric: int
    costs: np.ndarray
    offsets: np.ndarray
    power: int
    unit: float  # one grid step as a distance, squared where power is 2

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def metric(self) -> Metric:
        """The distance of these records, for the kernels."""
        from fairveil.recipes.distance_kernels import Metric

        return Metric(self.numeric, self.costs, self.offsets, self.power)


NUMBER = Form(shapes.number())


@dataclass(frozen=True)
class SpaceAxis(Stored):
    """How one column enters the distance: a number by center and scale, or a category by its values, as text."""

    name: str = field(metadata=stored(Form(shapes.text)))
    weight: float = field(metadata=stored(NUMBER))
    center: float = field(default=0.0, metadata=stored(NUMBER))
    scale: float = field(default=0.0, metadata=stored(NUMBER))
    values: tuple[str | None, ...] | None = field(
        default=None,
        metadata=stored(Form(lambda value, where: tuple(map(text_or_none, shapes.many(shapes.cell)(value, where))))),
    )
    missing: bool = field(default=False, metadata=stored(Form(shapes.flag)))

    @property
    def numeric(self) -> bool:
        return self.values is None

    def to_dict(self) -> dict[str, Any]:
        left_out = ("values",) if self.numeric else ("center", "scale", "missing")
        return {key: content for key, content in super().to_dict().items() if key not in left_out}


@dataclass(frozen=True)
class RecordSpace(Stored):
    """The columns that enter the distance, and how; learnt from one table, applicable to any other."""

    distance_kind: Distance = field(metadata=stored(Form(shapes.choice(*get_args(Distance))), key="distance"))
    bits: int = field(metadata=stored(Form(shapes.integer(0, 64))))
    axes: tuple[SpaceAxis, ...] = field(metadata=stored(listed(nested(SpaceAxis)), key="columns"))
    standardize: bool = field(default=True, metadata=stored(Form(shapes.flag), sparse=True))

    @classmethod
    def of(
        cls,
        table: Table,
        names: Sequence[str],
        distance: Distance = "euclidean",
        weights: Mapping[str, float] | None = None,
        standardize: bool = True,
        codes: Collection[str] = (),
    ) -> RecordSpace:
        """Learn a space. Scales come from the data, unless numbers are used as they are. Weights multiply a column's
        share. `codes` are columns of integers that are names."""
        if distance not in get_args(Distance):
            raise BadInput(suggest(distance, get_args(Distance), "distance"))
        weight_of = weights or {}
        axes = tuple(
            _axis(table.column(name), float(weight_of.get(name, 1.0)), distance, standardize, name in codes)
            for name in names
        )
        return cls(distance, _bits(axes, table, 2 if distance == "euclidean" else 1), axes, standardize)

    def learnt_again(self, table: Table) -> RecordSpace:
        """Return the same columns, weights and kind of distance, with the scales and categories of another table."""
        weights = {axis.name: axis.weight for axis in self.axes}
        return RecordSpace.of(table, self.names, self.distance_kind, weights, self.standardize, self.named)

    @property
    def named(self) -> frozenset[str]:
        """The columns whose values are names, including codes."""
        return frozenset(axis.name for axis in self.axes if not axis.numeric)

    @property
    def power(self) -> int:
        return 2 if self.distance_kind == "euclidean" else 1

    @property
    def names(self) -> list[str]:
        return [axis.name for axis in self.axes]

    def points(self, table: Table) -> Points:
        """Return the records of a table as points. A category that is not in the space differs from all others."""
        numbers, codes, costs, sizes = [], [], [], []
        step = 2.0**self.bits
        category = 2 * step**2 if self.power == 2 else step
        for axis in self.axes:
            column = table.column(axis.name)
            if axis.numeric:
                values = numbers_per_value(column)
                coordinates = np.rint(_scaled(axis, values, self.power) * step)
                limit = float(np.iinfo(np.int32).max)
                numbers.append(np.clip(coordinates, -limit, limit).astype(np.int32)[column.codes])
                if not axis.missing:
                    continue
                lookup, size = np.isnan(values), 2
            else:
                code_of = {value: code for code, value in enumerate(axis.values or ())}
                size = len(code_of) + 1
                lookup = np.array([code_of.get(text_or_none(value), len(code_of)) for value in column.domain])
            codes.append(lookup.astype(np.int32)[column.codes])
            costs.append(round(axis.weight * category))
            sizes.append(size)
        rows = np.ascontiguousarray(np.column_stack([*numbers, *codes]).astype(np.int32))
        offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        return Points(rows, len(numbers), np.array(costs, dtype=np.int64), offsets, self.power, step**-self.power)


def _axis(column: Column, weight: float, distance: Distance, standardize: bool, coded: bool) -> SpaceAxis:
    if coded or not is_measurable(column):
        return SpaceAxis(column.name, weight, values=tuple(map(text_or_none, column.domain)))
    numbers = numbers_per_value(column)
    if np.isinf(numbers).any():
        raise BadInput(f"column {column.name!r} contains an infinite number, which has no distance")
    present = ~np.isnan(numbers)
    counts = np.bincount(column.codes, minlength=len(numbers))[present]
    numbers = numbers[present]
    if not counts.sum():
        return SpaceAxis(column.name, weight, 0.0, 0.0, missing=True)
    mean = exact_sum(counts * numbers) / int(counts.sum())
    if not standardize:
        scale = 1.0
    elif distance == "gower":
        used = numbers[counts > 0]
        scale = float(used.max() - used.min())
    else:
        scale = sqrt(exact_sum(counts * (numbers - mean) ** 2) / int(counts.sum()))
    scale = scale if scale > 1e-12 * max(abs(mean), 1e-300) else 0.0  # constant, but for rounding
    return SpaceAxis(column.name, weight, mean, scale, missing=bool(column.has_missing))


def _scaled(axis: SpaceAxis, numbers: np.ndarray, power: int) -> np.ndarray:
    if axis.scale == 0.0:
        return np.zeros(len(numbers))
    scaled = np.nan_to_num((numbers - axis.center) / axis.scale)
    return scaled * (np.sqrt(axis.weight) if power == 2 else axis.weight)


def _bits(axes: Sequence[SpaceAxis], table: Table, power: int) -> int:
    """Return the finest grid on which rows x distance still fits into 62 bits, and a coordinate into 31."""
    largest, reach = 1.0, 1.0
    for axis in axes:
        if axis.numeric:
            away = float(np.abs(_scaled(axis, numbers_per_value(table.column(axis.name)), power)).max(initial=0.0))
            reach = max(reach, away)
            largest += (2 * away) ** power
        largest += 2 * axis.weight
    bits = min(FINEST, (61 - _power_of_two(2 * max(table.rows, 2) * largest)) // power, 30 - _power_of_two(reach))
    if bits < 1:
        raise BadInput("the numbers of the table are too far apart for exact distances: clip the extreme ones")
    return bits


def _power_of_two(number: float) -> int:
    """The exponent of the least power of two that is not below a positive number."""
    part, exponent = frexp(number) if isfinite(number) else (1.0, 1 << 16)
    return exponent - (part == 0.5)
