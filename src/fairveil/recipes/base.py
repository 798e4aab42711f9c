"""Recipe: what was learnt, as a plain description of the change that can be applied to new data.

>>> import pyarrow as pa
>>> from fairveil.data import hierarchy
>>> table = Table.from_frame(pa.table({"zip": ["1010", "1011", "2020"]}))
>>> recipe = FullDomain(Schema(quasi=["zip"], hierarchies={"zip": hierarchy.mask(4)}), {"zip": 2})
>>> recipe.apply(table).table.to_arrow()["zip"].to_pylist()
['10**', '10**', '20**']
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib import import_module
from typing import Any, ClassVar, Literal, Protocol, runtime_checkable

import numpy as np

from fairveil.counting.cells import Cells, Classes
from fairveil.counting.summary import Summary, hidden_bits, summarize_classes
from fairveil.data.arrow import texts
from fairveil.data.pseudonyms import pseudonymize
from fairveil.data.schema import Schema
from fairveil.data.table import Column, Table, narrow
from fairveil.errors import BadInput, suggest

Unknown = Literal["refuse", "suppress"]


@dataclass(frozen=True)
class Outcome:
    """A table after a recipe: what would be published, and what each published value costs.

    `penalties[column]` are loss and hidden bits per published code; `levels[column]` level and height, where the
    method works with levels. Rows that were left out so far are counted in `rows`, the rows of the source.
    Where a value's cost depends on more than the value, `row_costs[column]` are loss and hidden bits per row instead.
    `source_rows` are the rows of the source, where some were left out; `facts` go into the evidence.

    `parts` are the tables that are published instead, where a recipe splits the columns; `table` then holds only what
    all parts share, so that nobody publishes the split columns side by side by mistake.
    """

    table: Table
    rows: int
    penalties: Mapping[str, tuple[np.ndarray, np.ndarray]]
    full_entropy: Mapping[str, float]
    levels: Mapping[str, tuple[int, int]]
    row_costs: Mapping[str, tuple[np.ndarray, np.ndarray]] = field(default_factory=dict)
    source_rows: np.ndarray | None = None
    facts: Mapping[str, Any] = field(default_factory=dict)
    parts: tuple[Table, ...] | None = None

    @property
    def files(self) -> dict[str, Table]:
        """What is written, by file name without its ending."""
        if self.parts is None:
            return {"data": self.table}
        return {f"projection-{number}": part for number, part in enumerate(self.parts, start=1)}

    def take(self, index: np.ndarray) -> Outcome:
        fewer = {name: (loss[index], bits[index]) for name, (loss, bits) in self.row_costs.items()}
        rows = index if self.source_rows is None else self.source_rows[index]
        return replace(self, table=self.table.take(index), row_costs=fewer, source_rows=rows)

    def paid(self, name: str) -> tuple[float, float]:
        """Loss and hidden bits of one column, summed over the rows."""
        if name in self.row_costs:
            loss, bits = self.row_costs[name]
            return float(loss.sum()), float(bits.sum())
        rows = np.bincount(self.table.column(name).codes, minlength=len(self.penalties[name][0]))
        loss, bits = self.penalties[name]
        return float(rows @ loss), float(rows @ bits)

    def summary(self, schema: Schema) -> Summary:
        classes, _ = classes_of(self.table, schema)
        paid = {name: self.paid(name) for name in schema.quasi}
        return summarize_classes(
            classes, schema, rows=self.rows, paid=paid, full_entropy=self.full_entropy, levels=self.levels
        )


class Recipe(Protocol):
    """Every method's result."""

    kind: ClassVar[str]

    @property
    def schema(self) -> Schema: ...

    def apply(self, table: Table, *, unknown: Unknown = "refuse") -> Outcome: ...

    def strays(self, column: Column) -> list[Any]:
        """Values of a published quasi column that this recipe cannot have published."""
        ...

    def to_dict(self) -> dict[str, Any]: ...


@runtime_checkable
class Split(Protocol):
    """A recipe that publishes several tables, each with some of the columns."""

    @property
    def schema(self) -> Schema: ...

    @property
    def subsets(self) -> tuple[tuple[str, ...], ...]: ...

    def part_problems(self, position: int, part: Table) -> list[str]:
        """What one published table holds that this recipe cannot have published there."""
        ...


@dataclass(frozen=True)
class FullDomain:
    """Every value of a quasi column generalized to the same level of its hierarchy."""

    kind: ClassVar[str] = "full-domain"
    schema: Schema
    levels: Mapping[str, int]

    def apply(self, table: Table, *, unknown: Unknown = "refuse") -> Outcome:
        """Generalize; identifiers go, all else stays. A value without a place is refused by name, or its rows go."""
        table.need(self.schema.quasi)
        rows = table.rows
        if unknown == "suppress":
            table = without_unknown(table, self.schema, self.schema.quasi)
        bound = {name: self.schema.hierarchy(name).bind(table.column(name).domain, name) for name in self.schema.quasi}
        fresh, penalties, entropies, levels = [], {}, {}, {}
        for name, hierarchy in bound.items():
            column, level = table.column(name), self.levels[name]
            if not 0 <= level <= hierarchy.height:
                raise BadInput(f"recipe asks for level {level} of {name!r}, whose hierarchy has 0…{hierarchy.height}")
            counts = np.bincount(column.codes, minlength=hierarchy.leaves)
            penalties[name] = (hierarchy.penalties[level], hidden_bits(counts, hierarchy.codes[level]))
            entropies[name] = float(hidden_bits(counts, hierarchy.codes[-1])[0])
            levels[name] = (level, hierarchy.height)
            if level:
                codes = narrow(hierarchy.codes[level], len(hierarchy.labels[level]))[column.codes]
                fresh.append(Column(name, codes, texts(hierarchy.labels[level])))
        return Outcome(settle(table.with_columns(fresh), self.schema), rows, penalties, entropies, levels)

    def strays(self, column: Column) -> list[Any]:
        rule, level = self.schema.hierarchy(column.name), self.levels[column.name]
        return [value for value in column.domain if value is not None and not rule.admits(level, value)]

    def to_dict(self) -> dict[str, Any]:
        return {"format": 1, "kind": self.kind, "levels": dict(self.levels), "schema": self.schema.to_dict()}

    @classmethod
    def from_dict(cls, spec: Mapping[str, Any]) -> FullDomain:
        return cls(Schema.from_dict(spec["schema"]), {name: int(level) for name, level in spec["levels"].items()})


@dataclass(frozen=True)
class NoisyDomain(FullDomain):
    """The generalization of a differentially private table, and what is claimed of the noise in it.

    Applied to new data it generalizes them and adds no noise: new data have made no bargain.
    """

    kind: ClassVar[str] = "noisy-full-domain"
    claims: Mapping[str, Any] = field(default_factory=dict)

    def apply(self, table: Table, *, unknown: Unknown = "refuse") -> Outcome:
        outcome = super().apply(table, unknown=unknown)
        lost = dict.fromkeys(outcome.full_entropy, float("nan"))  # nobody knows the values below the noisy ones
        return replace(outcome, full_entropy=lost)

    def to_dict(self) -> dict[str, Any]:
        return {**super().to_dict(), "claims": dict(self.claims)}

    @classmethod
    def from_dict(cls, spec: Mapping[str, Any]) -> NoisyDomain:
        plain = FullDomain.from_dict(spec)
        return cls(plain.schema, plain.levels, dict(spec["claims"]))


RECIPES: dict[str, str] = {
    "full-domain": "fairveil.recipes.base.FullDomain",
    "grouping": "fairveil.recipes.grouping.FreeGrouping",
    "noisy-full-domain": "fairveil.recipes.base.NoisyDomain",
    "cut-tree": "fairveil.methods.mondrian.CutTree",
    "boxes": "fairveil.methods.top_down_greedy.Boxes",
    "microaggregation": "fairveil.recipes.groups.Microaggregated",
    "cut": "fairveil.recipes.cut.Cut",
    "decomposition": "fairveil.recipes.decomposition.Decomposition",
}
"""Kind -> where it lives; a recipe with a module of its own builds on this one, so it is loaded when needed."""


def from_dict(spec: Mapping[str, Any]) -> Recipe:
    """The recipe that `to_dict` wrote."""
    if spec.get("format") != 1:
        raise BadInput(f"a recipe of format {spec.get('format')!r} cannot be read by this version (format 1 is)")
    if spec.get("kind") not in RECIPES:
        raise BadInput(suggest(spec.get("kind"), RECIPES, "recipe kind"))
    module, name = RECIPES[spec["kind"]].rsplit(".", 1)
    made: Recipe = getattr(import_module(module), name).from_dict(spec)
    return made


def without_unknown(table: Table, schema: Schema, names: Sequence[str]) -> Table:
    """The rows whose values all have a place in the hierarchies of these columns."""
    keep = np.ones(table.rows, dtype=bool)
    for name in names:
        column, rule = table.column(name), schema.hierarchy(name)
        placed = np.array([value is None or not rule.paths([value])[1] for value in column.domain])
        keep &= placed[column.codes]
        if table.rows and not keep.any():
            strange = next((value for value, fits in zip(column.domain, placed, strict=True) if not fits), None)
            raise BadInput(
                f"no row is left: each holds a value that the recipe does not know, such as {strange!r} in {name!r}"
            )
    return table.take(np.flatnonzero(keep)).compact()


def settle(table: Table, schema: Schema) -> Table:
    """What is published of the columns that no method changes: identifiers dropped or made pseudonyms, `drop` columns
    gone, those with a fixed level at that level.

    A column that the schema does not know is refused, so that new data brings nothing along by accident.
    """
    bare = [name for name in table.names if name not in schema.columns]
    if bare:
        raise BadInput(f"column {bare[0]!r} has no role in the recipe's schema: leave it out first")
    gone = {*schema.drop, *(name for name in schema.identifier if name not in schema.pseudonyms)}
    left = schema.at_levels(table.drop(gone))
    return left.with_columns(pseudonymize(left.column(name)) for name in schema.pseudonyms if name in left)


def classes_of(table: Table, schema: Schema, counts: np.ndarray | None = None) -> tuple[Classes, np.ndarray]:
    """The equivalence classes of a table as it is, with all columns that guards may ask for, and each row's class.

    `counts`: how many rows each row stands for.
    """
    table.need(schema.quasi)
    decision = [schema.decision] if schema.decision else []
    others = [name for name in (*schema.sensitive, *schema.protected, *decision) if name in table]
    levels = {
        name: schema.hierarchies[name].bind(table.column(name).domain, name)
        for name in others
        if name in schema.hierarchies and name not in (*schema.quasi, *schema.levels)
    }
    cells = Cells.of(table, [*schema.quasi, *others], levels, counts)
    classes = Classes.of(cells, schema.quasi)
    return classes, narrow(classes.ids, len(classes))[cells.cell_of_row]
