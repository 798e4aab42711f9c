"""Recipe: what a method learnt, as a plain description of the change that can be applied to new data."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Protocol

import numpy as np

from fairveil.counting.cells import Cells
from fairveil.data.schema import Domains, Schema
from fairveil.data.table import Column, Table
from fairveil.data.text_form import as_text
from fairveil.display import Displayable, DisplayTable
from fairveil.recipes.group_values import GroupValues
from fairveil.recipes.new_data import Unknown, placed_rows, without
from fairveil.recipes.outcome import ONLY, Outcome

Part = tuple["Recipe", int, "np.ndarray | None"]
"""The recipe of a block, the number of its groups, and the index of each group in its list."""
Narrowed = tuple["Recipe", np.ndarray | None, np.ndarray | None]
"""A recipe, and the groups and places of a change with it."""


class PublishedCounts(Domains, Protocol):
    """A published table, as far as a recipe needs it to recognize its own values."""

    def count(self, names: Sequence[str]) -> Cells: ...


@dataclass(frozen=True, repr=False)
class Recipe(Displayable):
    """What a method learns. Other code asks a recipe for these traits, never for its type:

    groups_rows  rows are put into groups, and a change must say which row is in which; otherwise equal values of a
                 column are always published alike, and cells show everything that the recipe does
    splits       the columns are published in several tables
    minimizes    searches look for the least general recipe of this kind, and attackers can use that
    invents      the published rows are made up of noisy counts: none of them is a person's
    """

    kind: ClassVar[str] = ""
    groups_rows: ClassVar[bool] = False
    splits: ClassVar[bool] = False
    minimizes: ClassVar[bool] = False
    invents: ClassVar[bool] = False

    schema: Schema

    def _headline(self) -> str:
        levels = {name: self.level_of(name) for name in self.schema.quasi}
        levels_in_words = [f"{name} level {level}" for name, level in levels.items() if level is not None]
        listed = (
            f": {', '.join(levels_in_words[:6])}{', …' * (len(levels_in_words) > 6)}"
            if levels_in_words
            else f" of {', '.join(self.schema.quasi[:6])}"
        )
        return f"Recipe {self.kind}{listed}"

    def _tables(self) -> list[DisplayTable]:
        levels = {name: self.level_of(name) for name in self.schema.quasi}
        rows = [
            [name, ", ".join(self.schema.roles(name)), f"level {levels[name]}" if levels.get(name) is not None else ""]
            for name in self.schema.columns
        ]
        return [DisplayTable(["column", "role", "published as"], rows)]

    @property
    def table_names(self) -> tuple[str, ...]:
        """The names of the published tables."""
        return (ONLY,)

    def level_of(self, name: str) -> int | None:
        """Return the level at which all values of a column are published; None if there is no such level."""
        return None

    def publishes_as_read(self, name: str) -> bool:
        """Whether the values of a column are published as they are in the source."""
        schema = self.schema
        if name in schema.quasi:
            return self.level_of(name) == 0
        return name not in schema.levels and name not in schema.identifier

    def lowered(self, name: str) -> Recipe | None:
        """Return the same recipe with one column a level lower; None if it has no levels or is at the lowest."""
        return None

    def listed_losses(self, column: Column) -> np.ndarray | None:
        """Return the loss (g-1)/(N-1) of each value of a published quasi column, if recipe and hierarchies determine
        it; None if the leaves are the values of the source."""
        return None

    def labels_of(self, name: str) -> set[str | None] | None:
        """Return all labels that a quasi column may be published as, if the recipe lists them."""
        return None

    def claimed(self) -> Mapping[str, Any]:
        """Return claims about a release that no file can prove, such as differential privacy."""
        return {}

    def apply(self, table: Any, *, unknown: Unknown = "refuse") -> Outcome:
        """Apply the recipe to new data: a table, a data frame or a file. It uses nothing of the data that it was learnt
        from.

        A file is read as the source was. An unknown value is refused by name, or its rows are suppressed.
        """
        table = Table.of(table, self.schema.read)
        table.need(self.schema.quasi)
        known = self.known_rows(table, unknown)
        usable = table if known is None else table.take(known).compact()
        fresh = self.regroup(usable, self.groups_of(usable), None) if self.groups_rows else self.recode(usable)
        return without(fresh, table.rows, known)

    @property
    def climbing(self) -> Sequence[str]:
        """The columns whose values must be in their hierarchy."""
        return self.schema.quasi

    def known_rows(self, table: Table, unknown: Unknown) -> np.ndarray | None:
        """Return the rows of new data whose values the recipe knows; None if it knows all. Raises BadInput for other
        values, unless their rows may be suppressed."""
        return placed_rows(table, self.schema, self.climbing, unknown)

    def groups_of(self, table: Table) -> np.ndarray:
        """Return the group of each row of new data, for recipes that group rows."""
        raise NotImplementedError

    def recode(self, table: Table, counts: np.ndarray | None = None) -> Outcome:
        """Return the source as published, or cells of it with their counts; only for recipes that do not group rows."""
        return self.apply(table)

    def regroup(self, table: Table, groups: np.ndarray, places: np.ndarray | None) -> Outcome:
        """Return the source with each row published like its group; rows of group -1 are suppressed."""
        raise NotImplementedError

    def narrowed(
        self, rows: Table, counts: np.ndarray | None, groups: np.ndarray | None, places: np.ndarray | None
    ) -> Narrowed:
        """Return the same recipe, learnt only from rows that are published (or cells with their counts).

        `groups` are those of these rows, and are returned as the groups of the new recipe. A recipe is published, so it
        must not depend on suppressed rows.
        """
        return replace(self, schema=self.schema.narrowed(rows, counts)), groups, places

    @property
    def part(self) -> Recipe:
        """What `joined` needs of a recipe that was learnt from one block."""
        return self

    def joined(
        self, parts: Sequence[Part], pairs: Callable[[str], GroupValues], sizes: np.ndarray
    ) -> tuple[Recipe, np.ndarray | None]:
        """Return one recipe for rows that were grouped block by block, each block by a recipe like this one, and the
        index of each group in it. Groups are numbered consecutively over all blocks, and have these `sizes`."""
        raise NotImplementedError

    def shown_by_group(self, name: str) -> Column | None:
        """Return what each group in the list publishes of a column; None if values are published as they are."""
        raise NotImplementedError

    def relearnt(
        self, schema: Schema, pairs: Callable[[str], GroupValues], places: np.ndarray | None, sizes: np.ndarray
    ) -> tuple[Recipe, np.ndarray | None]:
        """Return the same recipe, learnt from some of its groups, and their indices; `places` are those in this
        recipe."""
        raise NotImplementedError

    def paid(self, pairs: GroupValues, places: np.ndarray | None) -> tuple[float, float]:
        """Return loss and hidden bits of one column, summed over the rows of all groups."""
        raise NotImplementedError

    def shown(self, tables: Mapping[str, Table]) -> Recipe:
        """Return the same recipe without values that do not occur in these published tables."""
        if not self.schema.learns:
            return self
        labels = {
            name: {str(value) for table in tables.values() if name in table for value in table.column(name).domain}
            for name in self.schema.hierarchies
        }
        return replace(self, schema=self.schema.shown(labels))

    def columns(self, table: Table, name: str) -> list[Column]:
        """Return the columns of one published table for other rows, in the order of those rows."""
        return list(self.apply(table, unknown="suppress").tables[name].columns)

    def covers(self, rows: Table, published: Table) -> dict[str, np.ndarray]:
        """Return per quasi column whether the published value of each of these rows includes its true value."""
        expected = self.recode(rows).tables[ONLY]
        return {name: alike(expected.column(name), published.column(name)) for name in self.schema.quasi}

    def strays(self, column: Column) -> list[Any]:
        """Return the values of a published quasi column that this recipe cannot have published."""
        raise NotImplementedError

    def lacks(self, tables: Mapping[str, PublishedCounts]) -> list[str]:
        """Return what is missing from published tables, so that they cannot be checked."""
        needed = self.schema.published
        return [f"column {name!r} is missing from the data" for name in needed if name not in tables[ONLY].names]

    def problems(self, tables: Mapping[str, PublishedCounts]) -> list[str]:
        """Return the values and columns of published tables that this recipe cannot have published."""
        return wrong_columns(self, tables[ONLY])

    def to_dict(self) -> dict[str, Any]:
        """Return the recipe as JSON: its parts between its format and kind and its schema."""
        return {"format": 1, "kind": self.kind, **self.parts(), "schema": self.schema.to_dict()}

    def parts(self) -> dict[str, Any]:
        """Return the recipe's own parts as JSON."""
        raise NotImplementedError

    @classmethod
    def from_dict(cls, spec: Mapping[str, Any]) -> Recipe:
        raise NotImplementedError


def alike(one: Column, other: Column) -> np.ndarray:
    """Return whether two columns have equal values in each row, whatever their types."""
    place: dict[Any, int] = {}
    numbers = [[place.setdefault(as_text(value), len(place)) for value in column.domain] for column in (one, other)]
    first, second = (
        np.array(of, dtype=np.int64)[column.codes] for of, column in zip(numbers, (one, other), strict=True)
    )
    return first == second


def wrong_columns(recipe: Recipe, table: Domains) -> list[str]:
    """Return the problems of a published table: identifiers that should have been removed, and values that no
    generalization at the recipe's level gives."""
    schema = recipe.schema
    problems = [f"column {name!r} should have been removed" for name in table.names if name not in schema.published]
    problems += [
        f"column {name!r} holds {strays[0]!r}, which the recipe does not publish"
        for name in schema.quasi
        if name in table.names and (strays := recipe.strays(table.domain(name)))
    ]
    for name, level in schema.levels.items():
        values = table.domain(name).domain if name in table.names else []
        strays = [value for value in values if value is not None and not schema.hierarchy(name).admits(level, value)]
        if strays:
            problems.append(f"column {name!r} holds {strays[0]!r}, which is not a value of its level {level}")
    return problems
