"""Change: what is done to one source, a recipe and what the recipe alone does not say about that source."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from fairveil import shapes
from fairveil.data.numeric import significant
from fairveil.display import Displayable
from fairveil.errors import BadInput
from fairveil.recipes.recipe import Recipe

if TYPE_CHECKING:
    from fairveil.data.table import Table
    from fairveil.recipes.outcome import Outcome
    from fairveil.shapes import Shape

GROUP = "\0group"
"""The column of a source with the group of each row, where rows were grouped on an engine."""
MAX_PACKED = 1 << 25
"""Maximum number of integers in a packed array, unless the number of rows of the source is known."""


@dataclass(frozen=True, repr=False)
class Change(Displayable):
    """What is done to one source. Kept beside its recipe, it publishes the same rows again.

    groups      the group of each row of the source, for recipes that group rows; -1: the row is not published
    positions   of each group, its position in the recipe's list of groups; None: the group is its position
    corrected   columns whose values were corrected: the code of each row among the column's own values
    suppressed  which cells over `columns` (`Source.count`) are not published; None: all are
    staged      rows are in groups where they are: the source's column GROUP says which row is in which
    facts       what the method reports about it, for the evidence
    """

    recipe: Recipe
    groups: np.ndarray | None = None
    positions: np.ndarray | None = None
    corrected: Mapping[str, np.ndarray] = field(default_factory=dict)
    facts: Mapping[str, Any] = field(default_factory=dict)
    columns: tuple[str, ...] = ()
    suppressed: np.ndarray | None = None
    staged: bool = False

    def _headline(self) -> str:
        return f"Change by {self.recipe._headline()}"

    def outcome(self, table: Table, counts: np.ndarray | None = None) -> Outcome:
        """Return the source, or cells of it with their counts, as published; suppressed cells are still included."""
        if self.groups is None:
            return self.recipe.recode(table, counts)
        outcome = self.recipe.regroup(self._correct(table), self.groups, self.positions)
        return replace(outcome, facts=self.facts)

    def _correct(self, table: Table) -> Table:
        return table.with_columns(replace(table.column(name), codes=codes) for name, codes in self.corrected.items())

    def of_rows(self, table: Table, index: np.ndarray, counts: np.ndarray | None = None) -> Outcome:
        """Return the outcome of the rows (or cells with counts) at this index, as part of the outcome of all rows."""
        if len(index) == table.rows:
            return self.outcome(table, counts)
        rows = self._correct(table).take(index).compact()
        part = replace(self, groups=None if self.groups is None else self.groups[index], corrected={})
        outcome = part.outcome(rows, None if counts is None else counts[index])
        inside = index if outcome.source_rows is None else index[outcome.source_rows]
        return replace(outcome, rows=table.rows if counts is None else int(counts.sum()), source_rows=inside)

    def recalibrated(self, units: int, published: int) -> Change:
        """Return the same change, of which the published weights also stand for the suppressed rows, or persons where
        these are counted, if the schema asks for it. Only the number of those is used, which is published anyway, not
        their weights."""
        schema = self.recipe.schema
        if schema.weight is None or schema.publish_weight != "recalibrated" or not published:
            return self
        factor = float(significant(units / published))
        return replace(self, recipe=replace(self.recipe, schema=replace(schema, weight_factor=factor)))

    def narrowed(self, table: Table, index: np.ndarray, counts: np.ndarray | None = None) -> Change:
        """Return the same change, with a recipe learnt only from the rows (or cells with counts) at this index."""
        rows, chosen = table.take(index).compact(), None if counts is None else counts[index]
        if self.groups is None:
            return replace(self, recipe=self.recipe.narrowed(rows, chosen, None, self.positions)[0])
        recipe, groups, positions = self.recipe.narrowed(rows, chosen, self.groups[index], self.positions)
        assert groups is not None
        all_groups = np.full(len(self.groups), -1, dtype=np.int64)
        all_groups[index] = groups
        return replace(self, recipe=recipe, groups=all_groups, positions=positions)

    def to_dict(self) -> dict[str, Any]:
        """Return the change as JSON. It contains the group of each row, so it must not be published."""
        packed: dict[str, Any] = {"groups": _packed(self.groups), "places": _packed(self.positions)}
        if self.suppressed is not None:
            packed |= {"columns": list(self.columns), "suppressed": _packed(self.suppressed)}
        corrected = {name: _packed(codes) for name, codes in self.corrected.items()}
        return {"recipe": self.recipe.to_dict(), **packed, "corrected": corrected, "facts": dict(self.facts)}

    @classmethod
    def from_dict(cls, spec: Mapping[str, Any], rows: int | None = None) -> Change:
        """Return the change that `to_dict` wrote, for a source with this many rows, if known."""
        from fairveil.recipes import from_dict

        packed = _packed_shape(MAX_PACKED if rows is None else rows)
        parts = shapes.record(
            {
                "recipe": lambda value, where: from_dict(value), "groups": shapes.optional(packed),
                "places": shapes.optional(packed), "corrected": shapes.each(packed),
                "facts": shapes.each(shapes.anything),
            },
            {"columns": shapes.many(shapes.text), "suppressed": lambda value, where: packed(value, where) > 0},
        )(spec, "the change")  # fmt: skip
        by_row = [codes for codes in (parts["groups"], *parts["corrected"].values()) if codes is not None]
        if any(len(codes) != (len(by_row[0]) if rows is None else rows) for codes in by_row):
            raise BadInput("the change must have one entry per row of the source")
        return cls(positions=parts.pop("places"), columns=tuple(parts.pop("columns", ())), **parts)


def _packed(numbers: np.ndarray | None) -> str | None:
    if numbers is None:
        return None
    return base64.b85encode(zlib.compress(numbers.astype("<i8").tobytes())).decode()


def _packed_shape(max_length: int) -> Shape:
    """Return the shape of an array written by `_packed`, of at most `max_length` integers: a short text may decompress
    to more than fits into memory."""

    def unpack(value: Any, where: str) -> np.ndarray:
        shapes.text(value, where)
        unpacking = zlib.decompressobj()
        try:
            raw = unpacking.decompress(base64.b85decode(value), 8 * max_length + 1)
        except (ValueError, zlib.error):
            raise BadInput(f"{where} is not a packed array") from None
        if not unpacking.eof or len(raw) % 8 or len(raw) > 8 * max_length:
            raise BadInput(f"{where} must be a packed array of at most {max_length:,} integers")
        return np.frombuffer(raw, dtype="<i8").astype(np.int64)

    return unpack
