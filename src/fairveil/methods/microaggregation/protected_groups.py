"""Protected groups: which one is favoured, and how many records of each are in a fairlet.

A group is one combination of the values of the protected columns. The favoured one has the highest positive ratio
(share of favourable decisions); all others are unfavoured. Groups too rare for a seat of their own are merged.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from fairveil.counting.tuples import group_of
from fairveil.errors import BadInput, suggest
from fairveil.messages import literal, option

if TYPE_CHECKING:
    from fairveil.data.table import Column

Composition = Mapping[str, int] | Sequence[int] | None


def seats_in(composition: Mapping[str, int] | Sequence[int]) -> int:
    """Return the size of fairlets of this composition."""
    return int(sum(composition.values() if isinstance(composition, Mapping) else composition))


@dataclass(frozen=True)
class ProtectedGroups:
    """The protected group of each record, 0 … n-1, their names, and which one is favoured.

    A merged group has several combinations of protected values.
    """

    of_row: np.ndarray
    labels: tuple[str, ...]
    favoured: int
    cells: np.ndarray | None = None  # the combination of protected values of each record
    names: tuple[str, ...] = ()  # of each combination

    def labels_of(self, rows: np.ndarray, shown: bool) -> tuple[str, ...]:
        """Return the public names of the groups, derived from these records only.

        They are numbered if the protected values are not published (`shown`).
        """
        if self.cells is None:
            return self.labels
        occurring = np.unique(self.cells[rows])
        group_of_cell = np.zeros(len(self.names), dtype=np.int64)
        group_of_cell[self.cells] = self.of_row
        named = [sorted(self.names[i] for i in occurring if group_of_cell[i] == g) for g in range(len(self.labels))]
        return tuple(
            " | ".join(names) if names and shown else f"group {number}" for number, names in enumerate(named, start=1)
        )

    def of(self, rows: np.ndarray, favourable: np.ndarray, favoured: Any = None) -> ProtectedGroups:
        """Return the same groups of these rows; they decide which is favoured, unless that is given."""
        of_row = self.of_row[rows]
        part = replace(self, of_row=of_row, cells=None if self.cells is None else self.cells[rows])
        return part if favoured is not None else replace(part, favoured=part.best(favourable[rows]))

    def best(self, favourable: np.ndarray) -> int:
        """Return the group with the highest share of favourable decisions."""
        return int(np.argmax(np.bincount(self.of_row, weights=favourable, minlength=len(self.labels)) / self.counts))

    @property
    def counts(self) -> np.ndarray:
        return np.bincount(self.of_row, minlength=len(self.labels))

    def seats(self, size: int, composition: Composition = None) -> np.ndarray:
        """Return how many records of each group a fairlet has: as in the data for this size, or as given."""
        if composition is not None:
            return self._seats_given(composition)
        shares = self.counts / self.counts.sum()
        if len(shares) == 2:  # the paper's rounding (Table 2), but at least one seat per group
            unfavoured = 1 - self.favoured
            m = min(max(int(size * shares[unfavoured] + 0.5), 1), size - 1)
            return np.array([m, size - m]) if unfavoured == 0 else np.array([size - m, m])
        seats: np.ndarray = np.maximum(np.floor(size * shares).astype(np.int64), 1)
        while seats.sum() < size:
            seats[int(np.argmax(size * shares - seats))] += 1
        while seats.sum() > size:
            seats[int(np.argmax(np.where(seats > 1, seats - size * shares, -np.inf)))] -= 1
        return seats

    def _seats_given(self, composition: Mapping[str, int] | Sequence[int]) -> np.ndarray:
        if isinstance(composition, Mapping):
            by_name = {str(name): seats for name, seats in composition.items()}
            if unknown := [name for name in by_name if name not in self.labels]:
                raise BadInput(suggest(unknown[0], self.labels, "protected group"))
            if lacking := [label for label in self.labels if label not in by_name]:
                raise BadInput(f"the composition does not say how many records of group {lacking[0]!r} a fairlet has")
            seats = np.array([by_name[label] for label in self.labels], dtype=np.int64)
        elif len(composition) == len(self.labels) == 2:
            u, f = composition  # the order of a (u, f)-fairlet
            seats = np.array([f, u] if self.favoured == 0 else [u, f], dtype=np.int64)
        else:
            raise BadInput(f"name the seats of each group: {option('composition', dict.fromkeys(self.labels, ...))}")
        if (seats < 1).any():
            raise BadInput(f"a fairlet needs at least one record of each group, not {literal(composition)}")
        return seats


def find_groups(columns: Sequence[Column], favourable: np.ndarray, size: int, favoured: Any = None) -> ProtectedGroups:
    """Return the groups of some protected columns. `favoured` names one by its value (values, for several columns)."""
    rows = len(favourable)
    cells, total = group_of([(column.codes, len(column.values)) for column in columns], rows)
    _, first_row = np.unique(cells, return_index=True)
    names = [" / ".join(str(column.domain[column.codes[row]]) for column in columns) for row in first_row]
    values = favoured if isinstance(favoured, list | tuple) else [favoured]
    favoured_label = None if favoured is None else " / ".join(map(str, values))
    if favoured_label is not None and favoured_label not in names:
        raise BadInput(suggest(favoured_label, names, "protected group"))
    if len(names) < 2:
        column_names = " and ".join(repr(column.name) for column in columns)
        raise BadInput(
            f"fairness needs at least two protected groups, and all records are {names[0]!r} in {column_names}"
        )
    parts = _with_seats(names, np.bincount(cells), size, favoured_label)
    group_of_cell = np.empty(total, dtype=np.int64)
    for group, part in enumerate(parts):
        group_of_cell[part] = group
    of_row = group_of_cell[cells]
    labels = tuple(" | ".join(names[i] for i in part) for part in parts)
    groups = ProtectedGroups(of_row, labels, 0, cells, tuple(names))
    return replace(groups, favoured=groups.best(favourable) if favoured is None else labels.index(favoured_label))


def _with_seats(names: Sequence[str], counts: np.ndarray, size: int, favoured: str | None) -> list[list[Any]]:
    """Merge the two smallest groups while one of them has no seat at this size, or there are too many groups."""

    def rows(part: list[Any]) -> int:
        return int(counts[part].sum())

    parts = [[i] for i in np.argsort(names, kind="stable")]
    while len(parts) > 2:
        smallest, next_smallest, *_ = sorted(
            (part for part in parts if [names[i] for i in part] != [favoured]), key=rows
        )
        if len(parts) <= size and int(size * rows(smallest) / int(counts.sum()) + 0.5) >= 1:
            break
        parts = [part for part in parts if part is not smallest and part is not next_smallest]
        parts.append(sorted([*smallest, *next_smallest], key=lambda i: names[i]))
    return sorted(parts, key=lambda part: names[part[0]])
