"""Space and Points: the records of a table, as distances see them.

>>> import pyarrow as pa
>>> table = Table.from_frame(pa.table({"age": [20, 40, 60], "sex": ["F", "M", "F"]}))
>>> space = RecordSpace.of(table, ["age", "sex"])
>>> space.distance(space.points(table), 0, 1)  # (20/σ)² + 2, as on one-hot columns
3.5

Numbers are standardized (Gower: divided by their range) and placed on a grid. It is so fine that it does not matter,
and so coarse that 64-bit sums of distances are exact: ties are real ties, on every machine and in every order of
summation. A missing number is placed at the mean, and differs from every present number as much as two categories
differ.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from math import frexp, isfinite, sqrt
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from fairveil import settings, shapes
from fairveil.data.numeric import exact_sum, is_measurable, numbers_per_value
from fairveil.data.table import Column, Table
from fairveil.data.text_form import text_or_none
from fairveil.errors import BadInput, suggest

if TYPE_CHECKING:
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

    def take(self, index: np.ndarray) -> np.ndarray:
        return self.rows[index]

    @property
    def metric(self) -> Metric:
        """The distance of these records, for the kernels."""
        from fairveil.recipes.distance_kernels import Metric

        return Metric(self.numeric, self.costs, self.offsets, self.power)


@dataclass(frozen=True)
class SpaceAxis:
    """How one column enters the distance: a number by center and scale, or a category by its values."""

    name: str
    weight: float
    center: float = 0.0
    scale: float = 0.0
    values: tuple[Any, ...] | None = None
    missing: bool = False

    @property
    def numeric(self) -> bool:
        return self.values is None

    def to_dict(self) -> dict[str, Any]:
        shared: dict[str, Any] = {"name": self.name, "weight": self.weight}
        if self.values is None:
            return {**shared, "center": self.center, "scale": self.scale, "missing": self.missing}
        return {**shared, "values": [text_or_none(value) for value in self.values]}

    def knows(self, value: Any) -> bool:
        """Whether the value is one of the categories; a missing value always is."""
        return value is None or text_or_none(value) in {text_or_none(known) for known in self.values or ()}

    @classmethod
    def from_dict(cls, spec: Mapping[str, Any]) -> SpaceAxis:
        checked = settings.read(cls, spec, "a column of the recipe's space")
        values = checked.get("values")
        return cls(**{**checked, "values": None if values is None else tuple(values)})


@dataclass(frozen=True)
class RecordSpace:
    """The columns that enter the distance, and how; learnt from one table, applicable to any other."""

    axes: tuple[SpaceAxis, ...]
    distance_kind: Distance
    bits: int
    standardize: bool = True

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
        share.

        `codes` are columns of integers that are names.
        """
        if distance not in get_args(Distance):
            raise BadInput(suggest(distance, get_args(Distance), "distance"))
        weight_of = weights or {}
        axes = tuple(
            SpaceAxis(name, float(weight_of.get(name, 1.0)), values=tuple(table.column(name).domain))
            if name in codes
            else _axis(table.column(name), float(weight_of.get(name, 1.0)), distance, standardize)
            for name in names
        )
        return cls(axes, distance, _bits(axes, table, 2 if distance == "euclidean" else 1), standardize)

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
        step, category = 2.0**self.bits, _category_cost(self.power, self.bits)
        for axis in self.axes:
            column = table.column(axis.name)
            if axis.numeric:
                values = numbers_per_value(column)
                coordinates = np.rint(_scaled(axis, values, self.power) * step)
                limit = float(np.iinfo(np.int32).max)
                numbers.append(np.clip(coordinates, -limit, limit).astype(np.int32)[column.codes])
                if axis.missing:
                    codes.append(np.isnan(values).astype(np.int32)[column.codes])
                    costs.append(round(axis.weight * category))
                    sizes.append(2)
            else:
                assert axis.values is not None
                code_of = {text_or_none(value): code for code, value in enumerate(axis.values)}
                lookup = np.array(
                    [code_of.get(text_or_none(value), len(code_of)) for value in column.domain], dtype=np.int32
                )
                codes.append(lookup[column.codes])
                costs.append(round(axis.weight * category))
                sizes.append(len(code_of) + 1)
        rows = np.ascontiguousarray(np.column_stack([*numbers, *codes]).astype(np.int32))
        offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        return Points(rows, len(numbers), np.array(costs, dtype=np.int64), offsets, self.power, step**-self.power)

    def distance(self, points: Points, first: int, second: int) -> float:
        """Return the distance of two records; squared if it is Euclidean."""
        a, b = points.rows[first].astype(np.int64), points.rows[second].astype(np.int64)
        gaps = np.abs(a[: points.numeric] - b[: points.numeric]) ** self.power
        steps = int(gaps.sum() + points.costs @ (a[points.numeric :] != b[points.numeric :]))
        return float(f"{steps * points.unit:.6g}")

    def to_dict(self) -> dict[str, Any]:
        spec = {"distance": self.distance_kind, "bits": self.bits, "columns": [axis.to_dict() for axis in self.axes]}
        return spec if self.standardize else {**spec, "standardize": False}

    @classmethod
    def from_dict(cls, spec: Mapping[str, Any]) -> RecordSpace:
        parts = _SPACE(spec, "space")
        axes = tuple(SpaceAxis.from_dict(axis) for axis in parts["columns"])
        return cls(axes, parts["distance"], parts["bits"], parts.get("standardize", True))


_SPACE = shapes.record(
    {
        "columns": shapes.many(shapes.anything),
        "distance": shapes.choice(*get_args(Distance)),
        "bits": shapes.whole(0, 64),
    },
    {"standardize": shapes.flag},
)


def _axis(column: Column, weight: float, distance: Distance, standardize: bool) -> SpaceAxis:
    if not is_measurable(column):
        return SpaceAxis(column.name, weight, values=tuple(column.domain))
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


def _category_cost(power: int, bits: int) -> float:
    return 2.0 * 4.0**bits if power == 2 else 2.0**bits


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
