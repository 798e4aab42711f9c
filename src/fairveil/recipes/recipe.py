"""Recipe: what was learnt, as a plain description of the change that can be applied to new data.

Outcome  a table after a recipe: what would be published, and what each published value costs
Recipe   what every recipe can do, and the traits that other code asks for
Change   what is done to one source: a recipe, and what the recipe alone does not say about that source
"""

from __future__ import annotations

import base64
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Literal, Protocol

import numpy as np

from fairveil import shapes
from fairveil.counting.cells import Cells, Classes, classes_of
from fairveil.counting.summary import Summary, summarize_classes
from fairveil.data.pseudonyms import pseudonymize
from fairveil.data.schema import Domains, Schema
from fairveil.data.table import Column, Table
from fairveil.data.text_form import as_text
from fairveil.display import Displayable, DisplayTable
from fairveil.errors import BadInput, refuse, short
from fairveil.messages import option
from fairveil.plural import counted
from fairveil.recipes.group_values import GroupValues
from fairveil.shapes import Shape

Unknown = Literal["refuse", "suppress"]
ONLY = "data"
"""The name of the published table if there is only one."""
GROUP = "\0group"
"""The column of a source that says which row is in which group, where rows were put into groups on an engine."""
Part = tuple["Recipe", int, "np.ndarray | None"]
"""The recipe of a block, the number of its groups, and their places in it."""
Narrowed = tuple["Recipe", np.ndarray | None, np.ndarray | None]
"""A recipe, and groups and places of a change with it."""


@dataclass(frozen=True, repr=False)
class Outcome(Displayable):
    """A table after a recipe: what would be published, by name, and what each published value costs.

    tables        one table, or one per projection where a recipe splits the columns
    rows          of the source, those that were left out so far included
    penalties     per column, loss and hidden bits of each published code
    row_costs     the same per row, for columns where a value's cost depends on more than the value
    full_entropy  per column, the bits of the source
    levels        per column, level and height, where the recipe works with levels
    source_rows   the row of the source behind each row of the only table, where some were left out
    counts        how many rows each row of the only table stands for, where it holds cells
    totals        per column, loss and hidden bits of all rows, where they were summed up before
    facts         what the method reports about it, for the evidence
    """

    tables: Mapping[str, Table]
    rows: int
    penalties: Mapping[str, tuple[np.ndarray, np.ndarray]]
    full_entropy: Mapping[str, float]
    levels: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    row_costs: Mapping[str, tuple[np.ndarray, np.ndarray]] = field(default_factory=dict)
    source_rows: np.ndarray | None = None
    counts: np.ndarray | None = None
    totals: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    facts: Mapping[str, Any] = field(default_factory=dict)

    def _headline(self) -> str:
        return f"Outcome: {self.published_rows:,} of {counted(self.rows, 'row')} published"

    def _tables(self) -> list[DisplayTable]:
        return [sheet for table in self.tables.values() for sheet in table._tables()]

    @property
    def table(self) -> Table:
        """The only table; if there are several, the columns that all of them have."""
        return shared_table(self.tables)

    def take(self, index: np.ndarray) -> Outcome:
        """Only these rows of the only table."""
        costs = {name: (loss[index], bits[index]) for name, (loss, bits) in self.row_costs.items()}
        rows = index if self.source_rows is None else self.source_rows[index]
        counts = None if self.counts is None else self.counts[index]
        return replace(
            self, tables={ONLY: self.table.take(index)}, row_costs=costs, source_rows=rows, counts=counts
        )  # fmt: skip

    def paid(self, name: str) -> tuple[float, float]:
        """Loss and hidden bits of one column, summed over the rows."""
        if name in self.totals:
            return self.totals[name]
        if name in self.row_costs:
            loss, bits = self.row_costs[name]
            return float(loss.sum()), float(bits.sum())
        loss, bits = self.penalties[name]
        rows = np.bincount(self.table.column(name).codes, weights=self.counts, minlength=len(loss))
        return float(rows @ loss), float(rows @ bits)

    def measured_as(self, other: Outcome) -> Outcome:
        """The same tables with the figures of another outcome: those of a search, which knows the whole source."""
        totals = {name: other.paid(name) for name in other.full_entropy}
        return replace(self, totals=totals, full_entropy=other.full_entropy, levels=other.levels)

    @property
    def published_rows(self) -> int:
        """How many rows are published."""
        return self.table.rows if self.counts is None else int(self.counts.sum())

    def summary(self, schema: Schema, classes: Classes | None = None) -> Summary:
        """All that measures need to know about it; `classes` are those of the only table, if they are known."""
        if classes is None:
            classes, _ = classes_of(self.table, schema, self.counts, ())
        paid = {name: self.paid(name) for name in schema.quasi}
        return summarize_classes(
            classes, schema, rows=self.rows, paid=paid, full_entropy=self.full_entropy, levels=self.levels
        )


class PublishedCounts(Domains, Protocol):
    """A published table, as far as a recipe can tell whether it is one of its own."""

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
        told = [f"{name} level {level}" for name, level in levels.items() if level is not None]
        listed = (
            f": {', '.join(told[:6])}{', …' * (len(told) > 6)}" if told else f" of {', '.join(self.schema.quasi[:6])}"
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
        """The names of the tables that are published."""
        return (ONLY,)

    def level_of(self, name: str) -> int | None:
        """The level at which all values of a column are published; None where there is no such level."""
        return None

    def publishes_as_read(self, name: str) -> bool:
        """Whether the values of a column are published as they are in the source."""
        schema = self.schema
        if name in schema.quasi:
            return self.level_of(name) == 0
        return name not in schema.levels and name not in schema.identifier

    def lowered(self, name: str) -> Recipe | None:
        """The same recipe with one column a level lower; None where it has no levels, or is at the lowest."""
        return None

    def listed_losses(self, column: Column) -> np.ndarray | None:
        """The loss (g-1)/(N-1) of each value of a published quasi column, where recipe and hierarchies alone tell; None
        where the leaves are the values of the source."""
        return None

    def labels_of(self, name: str) -> set[str | None] | None:
        """All that a quasi column may be published as, where the recipe lists it."""
        return None

    def claimed(self) -> Mapping[str, Any]:
        """Claims about a release that no file can prove, such as differential privacy."""
        return {}

    def apply(self, table: Any, *, unknown: Unknown = "refuse") -> Outcome:
        """The recipe on new data, a table, any data frame or a file: it knows nothing of the data it was learnt from.

        A file is read as the source was. A value that has no place in it is refused by name, or its rows are left out.
        """
        raise NotImplementedError

    def recode(self, table: Table, counts: np.ndarray | None = None) -> Outcome:
        """The source as the recipe publishes it, or cells of it with their counts, unless the recipe groups rows."""
        return self.apply(table)

    def regroup(self, table: Table, groups: np.ndarray, places: np.ndarray | None) -> Outcome:
        """The source with each row published like its group; rows of group -1 are left out."""
        raise NotImplementedError

    def narrowed(
        self, rows: Table, counts: np.ndarray | None, groups: np.ndarray | None, places: np.ndarray | None
    ) -> Narrowed:
        """The same recipe as learnt from rows that are published, or cells with their counts, and from nothing else.

        `groups` are those of these rows, and come back as the groups in the new recipe. What a recipe learns must not
        depend on rows that are left out: it is published.
        """
        return replace(self, schema=self.schema.narrowed(rows, counts)), groups, places

    @property
    def part(self) -> Recipe:
        """What `joined` needs to know of a recipe that was learnt from one block."""
        return self

    def joined(
        self, parts: Sequence[Part], pairs: Callable[[str], GroupValues], sizes: np.ndarray
    ) -> tuple[Recipe, np.ndarray | None]:
        """One recipe for rows that were put into groups block by block, each block by a recipe like this one, and the
        place of each group in it. Groups are numbered through all blocks, and have these `sizes`."""
        raise NotImplementedError

    def shown_by_group(self, name: str) -> Column | None:
        """What each place in the list of groups publishes of a column; None where values are published as they are."""
        raise NotImplementedError

    def relearnt(
        self, schema: Schema, pairs: Callable[[str], GroupValues], places: np.ndarray | None, sizes: np.ndarray
    ) -> tuple[Recipe, np.ndarray | None]:
        """The same recipe as learnt from some of its groups, and their places in it; `places` are those in this one."""
        raise NotImplementedError

    def paid(self, pairs: GroupValues, places: np.ndarray | None) -> tuple[float, float]:
        """Loss and hidden bits of one column, summed over the rows of all groups."""
        raise NotImplementedError

    def shown(self, tables: Mapping[str, Table]) -> Recipe:
        """The same recipe without values that these published tables do not name."""
        if not self.schema.learns:
            return self
        labels = {
            name: {str(value) for table in tables.values() if name in table for value in table.column(name).domain}
            for name in self.schema.hierarchies
        }
        return replace(self, schema=self.schema.shown(labels))

    def columns(self, table: Table, name: str) -> list[Column]:
        """The columns of one published table for other rows, in the order of those rows."""
        return list(self.apply(table, unknown="suppress").tables[name].columns)

    def covers(self, rows: Table, published: Table) -> dict[str, np.ndarray]:
        """Per quasi column, whether the published value of each of these rows stands for its true one (too)."""
        expected = self.recode(rows).tables[ONLY]
        return {name: alike(expected.column(name), published.column(name)) for name in self.schema.quasi}

    def strays(self, column: Column) -> list[Any]:
        """Values of a published quasi column that this recipe cannot have published."""
        raise NotImplementedError

    def lacks(self, tables: Mapping[str, PublishedCounts]) -> list[str]:
        """What published tables lack, so that they cannot be judged."""
        needed = self.schema.published
        return [f"column {name!r} is missing from the data" for name in needed if name not in tables[ONLY].names]

    def problems(self, tables: Mapping[str, PublishedCounts]) -> list[str]:
        """What published tables hold that this recipe cannot have published."""
        return wrong_columns(self, tables[ONLY])

    def to_dict(self) -> dict[str, Any]:
        raise NotImplementedError

    @classmethod
    def from_dict(cls, spec: Mapping[str, Any]) -> Recipe:
        raise NotImplementedError


def alike(one: Column, other: Column) -> np.ndarray:
    """Whether two columns hold the same in each row, whatever their types."""
    place: dict[Any, int] = {}
    numbers = [[place.setdefault(as_text(value), len(place)) for value in column.domain] for column in (one, other)]
    first, second = (
        np.array(of, dtype=np.int64)[column.codes] for of, column in zip(numbers, (one, other), strict=True)
    )
    return first == second


def parts_of(spec: Mapping[str, Any], **own: Shape) -> dict[str, Any]:
    """What a recipe is made of, checked: its own parts, and what every recipe has."""
    every: dict[str, Shape] = {
        "format": shapes.whole(1, 1),
        "kind": shapes.name,
        "schema": shapes.record({}, more=True),
    }
    parts: dict[str, Any] = shapes.record({**every, **own})(spec, "")
    return parts


def need_all(schema: Schema, parts: Mapping[str, Any], place: str) -> None:
    """Refuse parts that are not those of exactly the quasi columns."""
    gone = [f"{place}.{short(name)} is missing, and a quasi column" for name in schema.quasi if name not in parts]
    more = [f"{place}.{short(name)} is there, and no quasi column" for name in parts if name not in schema.quasi]
    refuse([*gone, *more])


SIDE = shapes.either(shapes.record({"level": shapes.whole(0, 1000), "name": shapes.cell}), shapes.many(shapes.cell, 2))
"""One side of a box: a node of a hierarchy, or the two ends of an interval with what else holds for it."""
MOST_PACKED = 1 << 25
"""Numbers in a packed array, unless the source tells how many rows there are."""


@dataclass(frozen=True, repr=False)
class Change(Displayable):
    """What is done to one source. Kept beside its recipe, it publishes the same rows again.

    groups      the group of each row of the source, for recipes that group rows; -1: the row is not published
    places      of each group, its place in the recipe's list of groups; None: the group is its place
    corrected   columns whose values were corrected: the code of each row among the column's own values
    suppressed  which cells over `columns` (`Source.count`) are not published; None: all are
    staged      rows are in groups where they are: the source's column GROUP says which row is in which
    facts       what the method reports about it, for the evidence
    """

    recipe: Recipe
    groups: np.ndarray | None = None
    places: np.ndarray | None = None
    corrected: Mapping[str, np.ndarray] = field(default_factory=dict)
    facts: Mapping[str, Any] = field(default_factory=dict)
    columns: tuple[str, ...] = ()
    suppressed: np.ndarray | None = None
    staged: bool = False

    def _headline(self) -> str:
        return f"Change by {self.recipe._headline()}"

    def outcome(self, table: Table, counts: np.ndarray | None = None) -> Outcome:
        """The source, or cells of it with their counts, as published; suppressed cells are still in it."""
        if self.groups is None:
            return self.recipe.recode(table, counts)
        outcome = self.recipe.regroup(self._correct(table), self.groups, self.places)
        return replace(outcome, facts=self.facts)

    def _correct(self, table: Table) -> Table:
        return table.with_columns(replace(table.column(name), codes=codes) for name, codes in self.corrected.items())

    def of_rows(self, table: Table, index: np.ndarray, counts: np.ndarray | None = None) -> Outcome:
        """What is published of the rows (or cells with their counts) at this index, as an outcome of all of them."""
        if len(index) == table.rows:
            return self.outcome(table, counts)
        rows = self._correct(table).take(index).compact()
        part = replace(self, groups=_at(self.groups, index), corrected={})
        outcome = part.outcome(rows, None if counts is None else counts[index])
        inside = index if outcome.source_rows is None else index[outcome.source_rows]
        return replace(outcome, rows=table.rows if counts is None else int(counts.sum()), source_rows=inside)

    def narrowed(self, table: Table, index: np.ndarray, counts: np.ndarray | None = None) -> Change:
        """The same change, its recipe learnt only from the rows (or cells with their counts) at this index."""
        rows = table.take(index).compact()
        chosen = None if counts is None else counts[index]
        recipe, groups, places = self.recipe.narrowed(rows, chosen, _at(self.groups, index), self.places)
        if self.groups is None or groups is None:
            return replace(self, recipe=recipe)
        all_groups = np.full(len(self.groups), -1, dtype=np.int64)
        all_groups[index] = groups
        return replace(self, recipe=recipe, groups=all_groups, places=places)

    def to_dict(self) -> dict[str, Any]:
        """As JSON; arrays are packed. It says which row is in which group, so it must not be published."""
        return {
            "recipe": self.recipe.to_dict(),
            "groups": _packed(self.groups),
            "places": _packed(self.places),
            "corrected": {name: _packed(codes) for name, codes in self.corrected.items()},
            "facts": dict(self.facts),
        }

    @classmethod
    def from_dict(cls, spec: Mapping[str, Any], rows: int | None = None) -> Change:
        """What `to_dict` wrote, for a source of so many rows if that is known."""
        from fairveil.recipes import from_dict

        packed = _packed_shape(MOST_PACKED if rows is None else rows)
        parts = shapes.record({
            "recipe": lambda value, place: from_dict(value), "groups": shapes.optional(packed),
            "places": shapes.optional(packed), "corrected": shapes.each(packed), "facts": shapes.each(shapes.anything),
        })(spec, "the change")  # fmt: skip
        by_row = [codes for codes in (parts["groups"], *parts["corrected"].values()) if codes is not None]
        if any(len(codes) != (len(by_row[0]) if rows is None else rows) for codes in by_row):
            raise BadInput("the change must say something of each row of the source")
        return cls(parts["recipe"], parts["groups"], parts["places"], parts["corrected"], parts["facts"])


def _at(groups: np.ndarray | None, index: np.ndarray) -> np.ndarray | None:
    return None if groups is None else groups[index]


def _packed(numbers: np.ndarray | None) -> str | None:
    if numbers is None:
        return None
    return base64.b85encode(zlib.compress(numbers.astype("<i8").tobytes())).decode()


def _packed_shape(most: int) -> Shape:
    """An array that `_packed` wrote, of at most so many numbers: a short text may unpack to more than any memory."""

    def unpack(value: Any, place: str) -> np.ndarray:
        shapes.text(value, place)
        unpacking = zlib.decompressobj()
        try:
            raw = unpacking.decompress(base64.b85decode(value), 8 * most + 1)
        except (ValueError, zlib.error):
            raise BadInput(f"{place} is no packed array") from None
        if not unpacking.eof or len(raw) % 8 or len(raw) > 8 * most:
            raise BadInput(f"{place} must be a packed array of at most {most:,} numbers")
        return np.frombuffer(raw, dtype="<i8").astype(np.int64)

    return unpack


def shared_table(tables: Mapping[str, Table]) -> Table:
    """The only table; if there are several, the columns that all of them have, as they are in the first."""
    listed = list(tables.values())
    if len(listed) == 1 and ONLY in tables:
        return listed[0]
    if not listed:
        return Table(())
    return listed[0].select([name for name in listed[0].names if all(name in table for table in listed)])


def strangers(column: str, values: Sequence[Any]) -> str:
    """The sentence that refuses values of new data which a recipe does not know."""
    shown = ", ".join(repr(value) for value in values[:3]) + (", …" if len(values) > 3 else "")
    what = "a value" if len(values) == 1 else "values"
    leave_out = option("unknown", "suppress")
    return f"column {column!r} holds {what} that the recipe does not know: {shown} ({leave_out} leaves such rows out)"


def placed_rows(table: Table, schema: Schema, names: Sequence[str], unknown: Unknown) -> np.ndarray | None:
    """The rows whose values all have a place in the hierarchies of these columns; None if all have one.

    Other values are refused unless their rows may be suppressed.
    """
    keep = np.ones(table.rows, dtype=bool)
    problems = []
    for name in names:
        column, rule = table.column(name), schema.hierarchy(name)
        present = [value for value in column.domain if value is not None]
        placed = np.ones(len(column.values), dtype=bool)
        if rule.paths(present)[1]:
            placed[: len(present)] = [rule.places(value) for value in present]
        strange = [value for value, fits in zip(column.domain, placed, strict=True) if not fits]
        if strange and unknown == "refuse":
            problems.append(strangers(name, strange))
            continue
        keep &= placed[column.codes]
        if table.rows and not keep.any():
            raise BadInput(
                f"no row is left: each holds a value that the recipe does not know, such as {strange[0]!r} in {name!r}"
            )
    refuse(problems)
    return None if keep.all() else np.flatnonzero(keep)


def renamed(before: Schema, after: Schema, column: Column) -> dict[tuple[int, str | None], str | None]:
    """How nodes above the values of a column, by level and label, are called in another version of its hierarchy."""
    old, new = (schema.hierarchy(column.name).bind(column.domain, column.name) for schema in (before, after))
    return {
        (level, _text(old.labels[level][old.codes[level, leaf]])): _text(new.labels[level][new.codes[level, leaf]])
        for level in range(min(old.height, new.height) + 1)
        for leaf in range(len(column.values))
    }


def _text(label: Any) -> str | None:
    return None if label is None else str(label)


def without(outcome: Outcome, rows: int, source_rows: np.ndarray | None) -> Outcome:
    """The outcome of some rows as an outcome of their whole table, which has `rows` rows."""
    return outcome if source_rows is None else replace(outcome, rows=rows, source_rows=source_rows)


def settle(table: Table, schema: Schema) -> Table:
    """What is published of the columns that no method changes: identifiers are dropped or become pseudonyms, `drop`
    columns are dropped, and columns with a fixed level are published at that level.

    A column that the schema does not know is refused, so that nothing of new data is published by accident.
    """
    known = set(schema.columns)
    bare = [name for name in table.names if name not in known]
    if bare:
        raise BadInput(f"column {bare[0]!r} has no role in the recipe's schema: leave it out first")
    published = schema.at_levels(table.drop(set(schema.columns).difference(schema.published)))
    return published.with_columns(
        pseudonymize(published.column(name)) for name in schema.pseudonyms if name in published
    )


def wrong_columns(recipe: Recipe, table: Domains) -> list[str]:
    """Identifiers that should be gone, and published values that no generalization at the recipe's level gives."""
    schema = recipe.schema
    problems = [f"column {name!r} should have been left out" for name in table.names if name not in schema.published]
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
