"""Microaggregate (González-Zelaya et al., Algorithm 3): what a cluster publishes in place of its records' values.

Numbers and points in time publish their mean (or median, or an interval around all of them), everything else its
mode, ties to the lowest value; so do integers that are codes (`data/numeric.py`). If most values of a cluster
are missing, it publishes a missing value. With "majority" it publishes only a value that more than half of its records
have, and a missing value otherwise: one-hot columns whose means are rounded, as in the authors' own experiments.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Context, Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np
import pyarrow as pa

from fairveil.data.numeric import is_measurable, is_number, numbers_per_value
from fairveil.data.table import Column, narrow
from fairveil.errors import BadInput, suggest
from fairveil.recipes.microaggregated import intervals_of

if TYPE_CHECKING:
    from fairveil.methods.microaggregation.clusters import Clusters
    from fairveil.recipes.record_space import Points

EXACT = Context(prec=80)
Publish = Literal["mean", "median", "interval"]
Categories = Literal["mode", "majority"]


@dataclass(frozen=True)
class Aggregates:
    """One column after aggregation: what each cluster publishes, as codes into `values`."""

    codes: np.ndarray
    values: pa.Array

    @classmethod
    def of(cls, published: Sequence[Any], typed: pa.DataType) -> Aggregates:
        """Return the values that clusters publish as codes into the distinct ones, ascending, None last."""
        distinct = sorted({value for value in published if value is not None}) + [None] * (None in published)
        code_of = {value: code for code, value in enumerate(distinct)}
        return cls(np.array([code_of[value] for value in published], dtype=np.int64), pa.array(distinct, typed))

    def column(self, name: str, of_row: np.ndarray) -> Column:
        return Column(name, narrow(self.codes[of_row], len(self.values)), self.values).compact()


def how_to_publish(
    column: Column, publish: Publish | Mapping[str, Publish], code: bool = False, categories: Categories = "mode"
) -> str:
    """Return the kind of value that this column publishes; for codes it is `categories`, unless the column is named."""
    setting = publish if isinstance(publish, str) else publish.get(column.name, "mean")
    if setting not in get_args(Publish):
        raise BadInput(suggest(setting, get_args(Publish), "published value"))
    if setting == "interval" and pa.types.is_timestamp(column.values.type):
        raise BadInput(
            f"column {column.name!r} holds points in time, which publish a mean or a median, not an interval"
        )
    named = not isinstance(publish, str) and column.name in publish
    return setting if is_measurable(column) and (named or not code) else categories


def aggregate(column: Column, clusters: Clusters, kind: str, integers: bool = False) -> Aggregates:
    """Return the values that the clusters publish; `integers` keeps integers integers."""
    inside = clusters.of_row >= 0
    of_row, codes = clusters.of_row[inside], column.codes[inside]
    if kind in get_args(Categories):
        most_frequent = modes(of_row, codes, clusters.count, len(column.values))
        if kind == "majority":
            holders = np.bincount(of_row[codes == most_frequent[of_row]], minlength=clusters.count)
            return _or_missing(column, np.where(2 * holders > clusters.sizes, most_frequent, -1))
        used, published = np.unique(most_frequent, return_inverse=True)
        return Aggregates(published, column.values.take(pa.array(used)))
    if kind == "interval":
        return Aggregates.of(intervals_of(replace(column, codes=codes), of_row, clusters.count), pa.string())
    numbers = numbers_per_value(column)
    if is_number(column) and len(np.unique(numbers)) < len(numbers):  # some are equal as floats
        return _exact(column, codes, of_row, clusters, kind)
    numbers = numbers[codes]
    present = ~np.isnan(numbers)
    counts = np.bincount(of_row[present], minlength=clusters.count)
    center = (_means if kind == "mean" else _medians)(of_row[present], numbers[present], counts)
    center[2 * counts < clusters.sizes] = np.nan  # most are missing
    used, published = np.unique(center, return_inverse=True)  # NaN comes last, once
    return Aggregates(published, _typed(used, column.values.type, integers))


def _or_missing(column: Column, codes: np.ndarray) -> Aggregates:
    """Return the values with these codes; -1 is a missing value, as is the column's own code of one."""
    domain = column.domain
    codes = np.where([code < 0 or domain[code] is None for code in codes.tolist()], len(domain), codes)
    used, published = np.unique(codes, return_inverse=True)
    return Aggregates(published, column.values.take(pa.array(used, mask=used == len(domain))))


def _exact(column: Column, codes: np.ndarray, of_row: np.ndarray, clusters: Clusters, kind: str) -> Aggregates:
    """Return means and medians in the column's own type, with its full precision."""
    domain, typed = column.domain, column.values.type
    digits = typed.scale if pa.types.is_decimal(typed) else 0
    values: list[Any] = []
    for members in np.split(codes[np.argsort(of_row, kind="stable")], np.cumsum(clusters.sizes)[:-1]):
        numbers = sorted(Fraction(domain[code]) for code in members if domain[code] is not None)
        if 2 * len(numbers) < len(members):
            values.append(None)
            continue
        n = len(numbers)
        middle = sum(numbers) / n if kind == "mean" else (numbers[(n - 1) // 2] + numbers[n // 2]) / 2
        scaled = round(middle * 10**digits)
        values.append(Decimal(scaled).scaleb(-digits, EXACT) if pa.types.is_decimal(typed) else scaled)
    return Aggregates.of(values, typed)


def modes(of_row: np.ndarray, codes: np.ndarray, clusters: int, size: int) -> np.ndarray:
    """Return the most frequent code of each cluster; the lowest of equally frequent ones."""
    pairs, counts = np.unique(of_row * size + codes, return_counts=True)
    order = np.lexsort((pairs % size, -counts, pairs // size))
    firsts = np.searchsorted((pairs // size)[order], np.arange(clusters))
    return pairs[order][firsts] % size


def _means(of_row: np.ndarray, numbers: np.ndarray, counts: np.ndarray) -> np.ndarray:
    means: np.ndarray = np.bincount(of_row, weights=numbers, minlength=len(counts)) / np.maximum(counts, 1)
    return means


def _medians(of_row: np.ndarray, numbers: np.ndarray, counts: np.ndarray) -> np.ndarray:
    order = np.lexsort((numbers, of_row))
    starts = np.concatenate([[0], np.cumsum(counts)[:-1]])
    low, high = starts + np.maximum(counts - 1, 0) // 2, starts + counts // 2
    last = max(len(order) - 1, 0)
    ascending = numbers[order] if len(order) else np.zeros(1)
    medians: np.ndarray = (ascending[np.minimum(low, last)] + ascending[np.minimum(high, last)]) / 2
    return medians


def _typed(numbers: np.ndarray, kind: pa.DataType, integers: bool) -> pa.Array:
    """Return numbers in the column's own type if it can represent them: times always, integers if `integers`."""
    timed = pa.types.is_date(kind) or pa.types.is_timestamp(kind)
    if timed or (integers and pa.types.is_integer(kind)):
        integral = pa.array(np.rint(np.nan_to_num(numbers)).astype(np.int64), mask=np.isnan(numbers))
        return (integral.cast(pa.int32()) if pa.types.is_date32(kind) else integral).cast(kind)
    return pa.array(numbers, mask=np.isnan(numbers))


def distinct(aggregates: Mapping[str, Aggregates], clusters: int) -> tuple[dict[str, tuple[Any, ...]], np.ndarray]:
    """Return the distinct combinations of published values, in order, and the index of each cluster among them."""
    if not aggregates:
        return {}, np.zeros(clusters, dtype=np.int64)
    codes = np.column_stack([aggregated.codes for aggregated in aggregates.values()])
    combinations, positions = np.unique(codes, axis=0, return_inverse=True)
    values = {
        name: tuple(aggregated.values.take(pa.array(combinations[:, column])).to_pylist())
        for column, (name, aggregated) in enumerate(aggregates.items())
    }
    return values, positions.ravel().astype(np.int64)


def information_loss(points: Points, clusters: Clusters) -> dict[str, float]:
    """Return Equation 3 and SSE/SST, over the clustered records, in the (Euclidean) space of these points.

    SSE and SST are squared distances of the records from their cluster's mean, and from the mean of all of them.
    """
    inside = clusters.of_row >= 0
    of_row, rows, count = clusters.of_row[inside], points.rows[inside], max(int(inside.sum()), 1)
    sse = _squares(points, rows, of_row, np.maximum(clusters.sizes, 1).astype(float)) * points.unit
    sst = _squares(points, rows, np.zeros_like(of_row), np.array([count], dtype=float)) * points.unit
    return {"information_loss": float(np.sqrt(sse / count)), "sse_over_sst": sse / sst if sst else 0.0}


def _squares(points: Points, rows: np.ndarray, of_row: np.ndarray, sizes: np.ndarray) -> float:
    total = 0.0
    for a in range(points.numeric):
        x = rows[:, a].astype(float)
        sums = np.bincount(of_row, weights=x, minlength=len(sizes))
        total += float(((x - (sums / sizes)[of_row]) ** 2).sum())
    for a, cost in enumerate(points.costs):
        size = int(points.offsets[a + 1] - points.offsets[a])
        pairs, counts = np.unique(of_row * size + rows[:, points.numeric + a], return_counts=True)
        squares = np.bincount(pairs // size, weights=counts.astype(float) ** 2, minlength=len(sizes))
        total += float(cost) / 2 * float((sizes - squares / sizes).sum())
    return total
