"""Recipe: what a method learnt, as a plain description of the change that can be applied to new data."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Protocol, Self, overload

import numpy as np

from fairveil import shapes
from fairveil.data.population import Population
from fairveil.data.schema import Domains, Schema
from fairveil.data.table import Column, Table
from fairveil.data.text_form import as_text
from fairveil.display import Displayable, DisplayTable
from fairveil.errors import BadInput, refuse, short
from fairveil.messages import option
from fairveil.recipes.outcome import ONLY, Outcome
from fairveil.recipes.stored import Form, Stored, listed, nested, per_column, stored

if TYPE_CHECKING:
    from fairveil.counting.cells import Cells


@dataclass(frozen=True)
class GroupValues:
    """The distinct values of one column in each group: all that a recipe of groups learns from it.

    `groups` are ascending from 0 without gaps; `counts` has the number of rows with each value and group.

    >>> import pyarrow as pa
    >>> age = Column("age", np.array([0, 1, 1]), pa.array([31, 40]))
    >>> pairs = GroupValues(age, np.array([0, 0, 1]), np.array([2, 1, 4]))
    >>> pairs.starts.tolist(), pairs.rows_of_value.tolist()
    ([0, 2], [2, 5])
    """

    column: Column
    groups: np.ndarray
    counts: np.ndarray

    @cached_property
    def starts(self) -> np.ndarray:
        """The index of the first pair of each group."""
        return np.flatnonzero(np.diff(self.groups, prepend=-1))

    @cached_property
    def rows_of_value(self) -> np.ndarray:
        """The number of rows with each value."""
        rows = np.bincount(self.column.codes, weights=self.counts, minlength=len(self.column.values))
        return rows.astype(np.int64)

    @property
    def margin(self) -> Column:
        """The column with each value once."""
        return Column(self.column.name, np.arange(len(self.column.values)), self.column.values)


Unknown = Literal["refuse", "suppress"]
Indices = np.ndarray | None
"""The group or count of each row, or the position of each group in the recipe's list; None where none is needed."""
Part = tuple["Recipe", int, Indices]
"""The recipe of a block, the number of its groups, and the index of each group in its list."""
Narrowed = tuple["Recipe", Indices, Indices]
"""A recipe, and the groups and positions of a change with it."""
Pairs = Callable[[str], GroupValues]
"""The values of a column, by name, in each group."""


class PublishedCounts(Domains, Protocol):
    """A published table, as far as a recipe needs it to recognize its own values."""

    def count(self, names: Sequence[str]) -> Cells: ...


@dataclass(frozen=True, repr=False)
class Recipe(Stored, Displayable):
    """What a method learns. Other code asks a recipe for these traits, never for its type:

    groups_rows  rows are put into groups, and a change must say which row is in which; otherwise equal values of a
                 column are always published alike, and cells show everything that the recipe does
    splits       the columns are published in several tables
    minimizes    searches look for the least general recipe of this kind, and attackers can use that
    invents      the published rows are made up of noisy counts: none of them is a person's
    row_by_row   what a new row becomes does not depend on the rows beside it

    `complete` names the fields that need an entry for each quasi column; a recipe that `needs_known` values cannot be
    applied if every row holds an unknown one. `known` lists the values of `unlisted` columns that are published: new
    data may have no others there. Recipes of 0.1 have no such list.
    """

    kind: ClassVar[str] = ""
    title: ClassVar[str] = ""  # what people read instead of the kind
    says: ClassVar[str] = ""  # one sentence for the owner of the data
    groups_rows: ClassVar[bool] = False
    splits: ClassVar[bool] = False
    minimizes: ClassVar[bool] = False
    invents: ClassVar[bool] = False
    row_by_row: ClassVar[bool] = True
    also: ClassVar[Mapping[str, shapes.Shape]] = {"format": shapes.integer(1, 1), "kind": shapes.name}
    complete: ClassVar[tuple[str, ...]] = ()
    needs_known: ClassVar[bool] = True

    schema: Schema = field(metadata=stored(nested(Schema), order=1))
    known: Mapping[str, tuple[str, ...]] | None = field(
        default=None, kw_only=True, metadata=stored(per_column(listed(Form(shapes.text))), sparse=True, order=2)
    )

    def _headline(self) -> str:
        levels = {name: self.level_of(name) for name in self.schema.quasi}
        in_words = [f"{name} level {level}" for name, level in levels.items() if level is not None]
        joint, listed = (": ", in_words) if in_words else (" of ", self.schema.quasi)
        return f"Recipe ({self.title or self.kind}){joint}{', '.join(listed[:6])}{', …' * (len(in_words) > 6)}"

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
        return name not in (*schema.levels, *schema.identifier) and not (
            name == schema.weight and schema.publish_weight != "unchanged"
        )

    @property
    def unlisted(self) -> list[str]:
        """The quasi columns that are published as they are, of which no hierarchy lists the values."""
        names = () if self.invents else self.schema.quasi
        return [n for n in names if self.publishes_as_read(n) and not self.schema.hierarchy(n).extra_leaves()]

    def knowing(self, *tables: Domains) -> Self:
        """Return the recipe with the values of unlisted columns in these tables, unless it has such a list already."""
        if self.known is not None or not self.unlisted:
            return self
        columns = {name: [table.domain(name) for table in tables if name in table.names] for name in self.unlisted}
        return replace(self, known={name: tuple(sorted(texts_in(values))) for name, values in columns.items()})

    def lowered(self, name: str) -> Recipe | None:
        """Return the same recipe with one column a level lower; None if it has no levels or is at the lowest."""
        return None

    def listed_losses(self, column: Column) -> np.ndarray | None:
        """Return the loss (g-1)/(N-1) of each value of a published quasi column; None if only the source tells N."""
        return None

    def labels_of(self, name: str) -> set[str | None] | None:
        """Return all labels that a quasi column may be published as, if the recipe lists them."""
        return None

    def claimed(self) -> Mapping[str, Any]:
        """Return claims about a release that no file can prove, such as differential privacy."""
        return {}

    @overload
    def apply(self, data: Table | str | Path, *, unknown: Unknown = "refuse") -> Outcome: ...

    @overload
    def apply(self, data: Any, *, unknown: Unknown = "refuse") -> Any: ...

    def apply(self, data: Any, *, unknown: Unknown = "refuse") -> Any:
        """Apply the recipe, without the data that it was learnt from, to new data, in the order of its rows.

        A data frame of any kind gives a frame of the same kind (lazy ones are computed now), or several by name where
        the recipe splits the columns. A Table, or a file that is read as the source was, gives an Outcome, as
        `outcome` does of anything. An unknown value is refused by name, or its rows are suppressed.
        """
        outcome = self.outcome(data, unknown=unknown)
        if isinstance(data, Table | str | Path):
            return outcome
        from fairveil.data.frames import framed_as

        frames = {name: framed_as(data, table) for name, table in outcome.tables.items()}
        return frames if self.splits else frames[ONLY]

    def outcome(self, table: Any, *, unknown: Unknown = "refuse") -> Outcome:
        """Return what the recipe makes of new data, as `apply` takes it, with the cost of each published value."""
        table = Table.of(table, self.schema.read)
        table.need(self.needed)
        known = self.known_rows(table, unknown)
        usable = table if known is None else table.take(known).compact()
        fresh = self.regroup(usable, self.groups_of(usable), None) if self.groups_rows else self.recode(usable)
        return fresh if known is None else replace(fresh, rows=table.rows, source_rows=known)

    def applied(self, table: Any, *, unknown: Unknown = "refuse") -> Outcome:
        """Return other rows as this recipe generalizes them, to be examined and not published: values of unlisted
        columns may be new."""
        return self._of_any_values.outcome(table, unknown=unknown)

    @cached_property
    def _of_any_values(self) -> Self:
        """The same recipe, without the list of known values."""
        return self if self.known is None else replace(self, known=None)

    def judged_by(self, register: Any) -> Recipe:
        """Return the same recipe with the register of the population that guards were judged by."""
        if self.schema.population is None or self.schema.population.register is None:
            raise BadInput("no promise of the release was judged by a register: leave it out")
        population = Population(register=Table.of(register, self.schema.read))
        return replace(self, schema=replace(self.schema, population=population))

    def refuse_invented(self) -> None:
        """Raise BadInput if new data cannot be published as the source was."""
        if self.invents:
            raise BadInput(
                f"a {self.kind} recipe is not applied to new data: only its counts have noise, and true rows would be "
                "published; search the new data instead"
            )

    @property
    def needed(self) -> Sequence[str]:
        """The columns that new data must have."""
        return self.schema.quasi

    @property
    def climbing(self) -> Sequence[str]:
        """The columns whose values must have a place in what the recipe learnt; other columns may hold any value."""
        return self.schema.quasi

    def knows(self, column: Column) -> np.ndarray:
        """Return which values of a column the recipe knows: those in its hierarchy, and missing ones."""
        rule = self.schema.hierarchy(column.name)
        known = np.ones(len(column.values), dtype=bool)
        if rule.bound(column.domain)[1]:  # remembered: rows are recoded by the same levels
            present = [value for value in column.domain if value is not None]
            known[: len(present)] = [rule.positions(value) for value in present]
        return known

    def known_rows(self, table: Table, unknown: Unknown) -> np.ndarray | None:
        """Return the rows of new data whose values are all known, or None for all rows; raises BadInput for unknown
        values, unless their rows may be suppressed."""
        keep = np.ones(table.rows, dtype=bool)
        problems = []
        checked = dict.fromkeys([*self.climbing, *(self.known or ())])
        for column in (table.column(name).compact() for name in checked if name in table):
            try:
                known = self.knows(column) if column.name in self.climbing else np.ones(len(column.values), dtype=bool)
            except BadInput as problem:
                problems.append(str(problem))
                continue
            known = known & self._published(column)
            strange = [value for value, fits in zip(column.domain, known, strict=True) if not fits]
            if strange and unknown == "refuse":
                problems.append(strangers(column.name, strange))
                continue
            if not known.all():
                keep &= known[column.codes]
            if self.needs_known and table.rows and not keep.any():
                example = f"{strange[0]!r} in {column.name!r}"
                raise BadInput(f"no row is left: each holds a value that the recipe does not know, such as {example}")
        refuse(problems)
        return None if keep.all() else np.flatnonzero(keep)

    def _published(self, column: Column) -> np.ndarray:
        """Return which values of a column are among those that its list of known values has, if there is one."""
        listed = (self.known or {}).get(column.name)
        return np.array([listed is None or value is None or as_text(value) in listed for value in column.domain])

    def refuse_unlisted(self, data: Domains) -> None:
        """Raise BadInput for values of unlisted columns that are not known."""
        columns = [data.domain(name) for name in self.known or ()]
        strange = {c.name: [c.domain[i] for i in np.flatnonzero(~self._published(c))] for c in columns}
        refuse([strangers(name, values) for name, values in strange.items() if values])

    def groups_of(self, table: Table) -> np.ndarray:
        """Return the group of each row of new data, for recipes that group rows."""
        raise NotImplementedError

    def recode(self, table: Table, counts: Indices = None) -> Outcome:
        """Return the source as published, or cells of it with their counts; only for recipes that do not group rows."""
        return self.outcome(table)

    def regroup(self, table: Table, groups: np.ndarray, positions: Indices) -> Outcome:
        """Return the source with each row published like its group; rows of group -1 are suppressed."""
        raise NotImplementedError

    def narrowed(self, rows: Table, counts: Indices, groups: Indices, positions: Indices) -> Narrowed:
        """Return the same recipe, learnt only from rows that are published (or cells with their counts), and the groups
        of these rows in it. A recipe is published, so it must not depend on suppressed rows."""
        schema = self.schema.narrowed(rows, counts)
        if groups is None:
            return replace(self, schema=schema), groups, positions
        occurring, of_row = np.unique(groups, return_inverse=True)
        positions = occurring if positions is None else positions[occurring]
        recipe, fresh = self.relearnt(schema, pairs_of(rows, of_row), positions, np.bincount(of_row))
        return recipe, of_row.astype(np.int64), fresh

    @property
    def part(self) -> Recipe:
        """What `joined` needs of a recipe that was learnt from one block."""
        return self

    def joined(self, parts: Sequence[Part], pairs: Pairs, sizes: np.ndarray) -> tuple[Recipe, Indices]:
        """Return one recipe for rows that were grouped block by block, each block by a recipe like this one, and the
        index of each group in it. Groups are numbered consecutively over all blocks, and have these `sizes`."""
        raise NotImplementedError

    def shown_by_group(self, name: str) -> Column | None:
        """Return what each group in the list publishes of a column; None if values are published as they are."""
        raise NotImplementedError

    def relearnt(self, schema: Schema, pairs: Pairs, positions: Indices, sizes: np.ndarray) -> tuple[Recipe, Indices]:
        """Return the same recipe, learnt from some of its groups, now at `positions`, and their new positions."""
        raise NotImplementedError

    def paid(self, pairs: GroupValues, positions: Indices) -> tuple[float, float]:
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
        return list(self.applied(table, unknown="suppress").tables[name].columns)

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
        """Return the columns of published tables that should have been removed, and values of another recipe."""
        schema, table = self.schema, tables[ONLY]
        problems = [f"column {name!r} should have been removed" for name in table.names if name not in schema.published]
        problems += [
            f"column {name!r} holds {strays[0]!r}, which the recipe does not publish"
            for name in schema.quasi
            if name in table.names and (strays := self.strays(table.domain(name)))
        ]
        problems += self.known_problems(tables)
        for name, level in schema.levels.items():
            values = table.domain(name).domain if name in table.names else []
            rule = schema.hierarchy(name)
            strays = [value for value in values if value is not None and not rule.admits(level, value)]
            problems += [f"column {name!r} holds {v!r}, which is not a value of its level {level}" for v in strays[:1]]
        return problems

    def known_problems(self, tables: Mapping[str, PublishedCounts]) -> list[str]:
        """Return the columns whose list of known values is not that of the published values."""
        problems = []
        for name, values in (self.known or {}).items():
            columns = [table.domain(name) for table in tables.values() if name in table.names]
            strays = set(values) ^ texts_in(columns)
            if self.splits:  # another projection may publish labels
                strays &= set(values)
            problems += [f"known: {name!r} and the published values differ by {min(strays)!r}"] if strays else []
        return problems

    def to_dict(self) -> dict[str, Any]:
        """Return the recipe as JSON."""
        return {"format": 1, "kind": self.kind, **super().to_dict()}

    def check(self) -> None:
        quasi = self.schema.quasi
        parts = {name: getattr(self, name) for name in self.complete}
        gone = [(key, name) for key, part in parts.items() for name in quasi if name not in part]
        more = [(key, name) for key, part in parts.items() for name in part if name not in quasi]
        refuse([
            *(f"{key}.{short(name)} is missing, although it is a quasi column" for key, name in gone),
            *(f"{key}.{short(name)} is not a quasi column" for key, name in more),
        ])  # fmt: skip


def texts_in(columns: Iterable[Column]) -> set[str]:
    """Return the values of columns, as text, without missing ones."""
    return {as_text(value) for column in columns for value in column.domain if value is not None}


def pairs_of(rows: Table, groups: np.ndarray) -> Pairs:
    """Return the values of each column of a table in groups of its rows, which are numbered from 0 without gaps."""
    order = np.argsort(groups, kind="stable")
    ordered, once = groups[order], np.ones(len(groups), dtype=np.int64)
    return lambda name: GroupValues(rows.column(name).take(order), ordered, once)


def extremes(values: np.ndarray, groups: np.ndarray, total: int, beyond: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the smallest and the largest value in each of `total` groups; `beyond` and -1 if it has none."""
    smallest, largest = np.full(total, beyond), np.full(total, -1)
    np.minimum.at(smallest, groups, values)
    np.maximum.at(largest, groups, values)
    return smallest, largest


def strangers(column: str, values: Sequence[Any]) -> str:
    """Return the message that refuses values of new data that a recipe does not know."""
    listed = ", ".join(repr(value) for value in values[:3]) + (", …" if len(values) > 3 else "")
    what = "a value" if len(values) == 1 else "values"
    leave_out = option("unknown", "suppress")
    return f"column {column!r} holds {what} that the recipe does not know: {listed} ({leave_out} suppresses such rows)"


def alike(one: Column, other: Column) -> np.ndarray:
    """Return whether two columns have equal values in each row, whatever their types."""
    number_of: dict[Any, int] = {}
    first, second = (
        np.array([number_of.setdefault(as_text(value), len(number_of)) for value in column.domain], dtype=np.int64)
        for column in (one, other)
    )
    equal: np.ndarray = first[one.codes] == second[other.codes]
    return equal
