"""Schema: the role of each column, and the settings of the roles.

>>> schema = Schema(quasi=["age", "sex"], protected=["sex"], decision="income", denied="<=50K")
>>> schema.roles("sex")
('quasi', 'protected')

identifier  identifies people by itself: dropped, or replaced by a keyed pseudonym if listed in `pseudonyms`
quasi       can be linked to other data: generalized until the guards hold
sensitive   what nobody may learn about a person: published unchanged, guarded by ℓ-diversity or t-closeness
protected   a ground on which nobody may be discriminated against; usually quasi or sensitive as well, or dropped
decision    the outcome that is learnt from the data; `denied` are its unfavourable values
plain       published unchanged and assumed not to be linkable
person      who a record is about, where people have several: guards then count persons; dropped unless it is also a
            pseudonym or plain
household   to which household a person belongs: dropped
weight      how many people of the population a record stands for: never generalized
drop        left out of the release

`levels` publish a sensitive, protected or plain column at a fixed level of its hierarchy, whatever the method does: a
column that is sensitive and protected may have to be generalized before any generalization of the quasi columns is
fair. `whole_numbers` declares columns of integers as a "code" or a "quantity": microaggregation publishes the most
frequent code, and the mean of quantities. By default names and values decide (`data/numeric.py`).
`read` is the dialect of the source, so that new files are read in the same way.

`population` says what is known about the people that the data is a sample of; where only the weights are, they say it.
`publish_weight` says whether weights are published unchanged, rounded, or multiplied by one number (`weight_factor`)
that makes up for suppressed records.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any, Literal, Protocol, get_args

import numpy as np

from fairveil import settings
from fairveil.data.dialect import Dialect
from fairveil.data.hierarchy import Hierarchy, Levels, from_dict, given, suppress
from fairveil.data.numeric import Meaning, is_number, numbers_per_value, significant
from fairveil.data.population import Population
from fairveil.data.roles import Roles
from fairveil.data.table import Column, Table, narrow
from fairveil.display import Displayable, DisplayTable
from fairveil.errors import BadInput, refuse, suggest
from fairveil.messages import counted, literal, verb
from fairveil.settings import setting
from fairveil.shapes import column_name, columns, each, optional

ROLES = ("identifier", "quasi", "sensitive", "protected", "decision", "plain", "person", "household", "weight", "drop")
SINGLE = ("decision", "person", "household", "weight")
"""The roles that only one column can have."""
MAY_JOIN = {
    frozenset(pair.split())
    for pair in (
        "quasi protected",
        "sensitive protected",
        "sensitive decision",
        "plain protected",
        "protected drop",
        "plain person",
    )
}
"""The pairs of roles that one column may have."""


_SPARSE: Mapping[str, Any] = {"publish_weight": "unchanged", "weight_factor": 1.0}
"""Settings that are left out of a file where they have these defaults, so that files without them stay as they were."""


class Domains(Protocol):
    """Data whose columns and values a schema can ask for: a table, or any source."""

    @property
    def names(self) -> list[str]: ...

    def domain(self, name: str) -> Column: ...


@dataclass(frozen=True, repr=False)
class Schema(Roles, Displayable):
    """Columns by role. Every column of the table needs one; nothing is guessed. `read` is the dialect of the source.

    A hierarchy may be a dictionary: of groups and their values, nested as deep as you like, or of each value and its
    group.

    >>> schema = Schema(quasi=["job", 0], hierarchies={"job": {"care": ["nurse", "doctor"], "arts": ["actor"]}})
    >>> schema.quasi, schema.hierarchy("job").bind(["actor", "doctor", "nurse"]).labels[1]
    (('job', '0'), ('arts', 'care'))
    """

    hierarchies: Mapping[str, Hierarchy] = setting(
        {}, "the generalization levels of each column", shape=each(lambda rule, position: from_dict(rule))
    )
    weights: Mapping[str, float] = setting({}, "for each quasi column, its weight in weighted losses; 1 by default")
    levels: Mapping[str, int] = setting(
        {}, "for sensitive, protected or plain columns, the level at which they are published, whatever the method does"
    )
    whole_numbers: Mapping[str, Meaning] = setting({}, "for columns of integers, what they are: 'code' or 'quantity'")
    publish_weight: Literal["unchanged", "rounded", "recalibrated"] = setting(
        "unchanged", "how sampling weights are published: recalibrated ones also stand for the suppressed records"
    )
    weight_factor: float = setting(1.0, "by what recalibrated weights were multiplied; known once published", above=0)
    population: Population | None = setting(
        None, "the people that the data is a sample of",
        shape=optional(lambda spec, position: spec if isinstance(spec, Population) else Population.from_dict(spec)),
    )  # fmt: skip
    read: Dialect = setting(Dialect(), shape=lambda spec, position: Dialect.from_dict(spec), compare=False)

    def _headline(self) -> str:
        quasi = f"{', '.join(self.quasi[:6])}{', …' * (len(self.quasi) > 6)}"
        return f"Schema: {counted(len(self.columns), 'column')}, quasi: {quasi or 'none'}"

    def _tables(self) -> list[DisplayTable]:
        rows = [
            [name, ", ".join(self.roles(name)), self.hierarchies[name].kind if name in self.hierarchies else ""]
            for name in self.columns
        ]
        return [DisplayTable(["column", "role", "hierarchy"], rows)]

    def __post_init__(self) -> None:
        for role in (*ROLES, "pseudonyms"):
            value = getattr(self, role)
            if role not in SINGLE:
                object.__setattr__(self, role, tuple(columns(value, role)))
            elif value is not None:
                object.__setattr__(self, role, column_name(value))
        for mapping in ("hierarchies", "weights", "levels", "whole_numbers"):
            by_column = {column_name(name): value for name, value in getattr(self, mapping).items()}
            object.__setattr__(self, mapping, by_column)
        object.__setattr__(self, "hierarchies", {name: given(rule) for name, rule in self.hierarchies.items()})
        refuse(self._clashes())

    def _clashes(self) -> list[str]:
        problems = [
            f"column {name!r} cannot be both {first} and {second}"
            for name, roles in self._roles.items()
            for first, second in combinations(roles, 2)
            if frozenset((first, second)) not in MAY_JOIN
        ]
        problems += [
            f"column {name!r} is named twice in {role}: name it once"
            for role in (*ROLES, "pseudonyms") if role not in SINGLE
            for name, times in Counter(getattr(self, role)).items() if times > 1
        ]  # fmt: skip
        problems += [
            f"{suggest(name, self.identifier, 'identifier')} (in pseudonyms)"
            for name in self.pseudonyms
            if name not in (*self.identifier, self.person)
        ]
        problems += [
            f"weight of {name!r} must be positive, not {weight}"
            for name, weight in self.weights.items()
            if not weight > 0
        ]
        for name, level in self.levels.items():
            others = [role for role in self.roles(name) if role not in ("sensitive", "protected", "plain")]
            for role in others[:1]:
                problems.append(f"column {name!r} has a level but is {role}: levels are for sensitive and plain ones")
            if self.hierarchy(name).learnt:  # its labels could disclose values of suppressed rows
                problems.append(
                    f"column {name!r} has a level, and its hierarchy was inferred from the data: give it your own, "
                    "for example from a CSV file"
                )
            if isinstance(level, bool) or not isinstance(level, int) or level < 1:
                problems.append(f"level of {name!r} must be an integer of at least 1, not {literal(level)}")
        problems += [
            f'the integers of {name!r} must be a "code" or a "quantity", not {literal(meaning)}'
            for name, meaning in self.whole_numbers.items()
            if meaning not in get_args(Meaning)
        ]
        if self.denied is not None and self.decision is None:
            problems.append("denied values are given, but no decision column")
        return problems

    @property
    def columns(self) -> list[str]:
        """Every column that has a role, once."""
        return list(self._roles)

    @property
    def published(self) -> list[str]:
        """Every column that is published, if the columns are not split: all but identifiers, persons, households and
        dropped columns."""
        left_out = {*self.drop, *self.identifier, self.person, self.household} - {*self.pseudonyms, *self.plain}
        return [name for name in self.columns if name not in left_out]

    @property
    def untouched(self) -> tuple[str, ...]:
        """The columns that are published on the assumption that nobody can link them: plain ones and weights."""
        return (*self.plain, *([] if self.weight is None else [self.weight]))

    @property
    def links(self) -> bool:
        """Whether the release says which records are of one person."""
        return self.person is not None and self.person in self.published

    @property
    def denied_values(self) -> tuple[Any, ...]:
        if self.denied is None:
            return ()
        return tuple(self.denied) if isinstance(self.denied, list | tuple | set | frozenset) else (self.denied,)

    def roles(self, name: str) -> tuple[str, ...]:
        return self._roles.get(name, ())

    @cached_property
    def _roles(self) -> dict[str, tuple[str, ...]]:
        roles: dict[str, tuple[str, ...]] = {}
        for role in ROLES:
            value = getattr(self, role)
            for name in dict.fromkeys([] if value is None else [value] if role in SINGLE else value):
                roles[name] = (*roles.get(name, ()), role)
        return roles

    def loss_weight(self, name: str) -> float:
        """The share of a quasi column in weighted losses; shares of all quasi columns sum to 1."""
        total = sum(self.weights.get(column, 1.0) for column in self.quasi)
        return self.weights.get(name, 1.0) / total

    def without(self, names: Collection[str]) -> Schema:
        """The schema with these columns, not the decision, in the role drop, and nothing else said of them."""
        roles = ("identifier", "quasi", "sensitive", "protected", "plain", "pseudonyms")
        kept: dict[str, Any] = {
            role: tuple(name for name in getattr(self, role) if name not in names) for role in roles
        }
        for part in ("hierarchies", "weights", "levels", "whole_numbers"):
            kept[part] = {name: value for name, value in getattr(self, part).items() if name not in names}
        kept |= {role: None for role in ("person", "household", "weight") if getattr(self, role) in names}
        dropped = tuple(name for name in names if name not in self.drop)
        return dataclasses.replace(self, drop=(*self.drop, *dropped), **kept)

    def name_problems(self, names: Sequence[str]) -> list[str]:
        """Problems with a table whose columns have these names."""
        named = [(name, f"role {roles[0]}") for name, roles in self._roles.items()]
        by_column: dict[str, Mapping[str, Any]] = {
            "hierarchy": self.hierarchies, "weight": self.weights, "level": self.levels,
            "whole_numbers": self.whole_numbers,
        }  # fmt: skip
        named += [(name, what) for what, columns in by_column.items() for name in columns]
        present = set(names)
        problems = [f"{suggest(name, names, 'column')} ({what})" for name, what in named if name not in present]
        if without_role := [repr(name) for name in names if name not in self._roles]:
            subject = verb(len(without_role), "column has", "columns have")
            problems.append(f"{subject} no role: {', '.join(without_role)} (give each one of {', '.join(ROLES)})")
        weighted = [name for name in self.weights if name in present and name not in self.quasi]
        problems += [f"column {name!r} has a weight but is not quasi" for name in weighted]
        if not self.quasi:
            problems.append("no column is quasi: name those that can be linked to other data")
        return problems

    def denied_problems(self, data: Domains) -> list[str]:
        """Denied values that do not occur in the decision column."""
        if self.decision is None or self.decision not in data.names:
            return []
        problems = []
        for value in self.denied_values:
            try:
                data.domain(self.decision).code_of(value)
            except BadInput as problem:
                problems.append(str(problem))
        return problems

    def check(self, data: Domains) -> None:
        """Raise BadInput with all problems of the schema with this data."""
        refuse([*self.name_problems(data.names), *self.denied_problems(data)])

    def at_levels(self, table: Table) -> Table:
        """The table with the columns of `levels` generalized, and with weights rounded if they are published so; what
        is so already is not changed."""
        columns = [self._at_level(table.column(name), level) for name, level in self.levels.items() if name in table]
        if self.weight is not None and self.publish_weight == "rounded" and self.weight in table:
            columns.append(self._weighed(table.column(self.weight), lambda weights: np.maximum(np.rint(weights), 1)))
        changed = [column for column in columns if column is not table.column(column.name)]
        return table.with_columns(changed) if changed else table

    def _at_level(self, column: Column, level: int) -> Column:
        from fairveil.data.arrow import texts
        from fairveil.data.canonical import in_order

        rule = self.hierarchy(column.name)
        if not all(value is None or rule.admits(level, value) for value in column.domain):
            bound = rule.bind(column.domain, column.name)
            if level > bound.height:
                raise BadInput(f"level {level} of {column.name!r} does not exist: its hierarchy has 0…{bound.height}")
            codes = narrow(bound.codes[level], len(bound.labels[level]))[column.codes]
            column = Column(column.name, codes, texts(bound.labels[level])).compact()
        return in_order(column, self)

    def settled(self, name: str) -> bool:
        """Whether `at_levels` changes this column."""
        return name in self.levels or (name == self.weight and self.publish_weight == "rounded")

    def recalibrated(self, table: Table) -> Table:
        """The table with its weights multiplied by `weight_factor`."""
        if self.weight is None or self.weight_factor == 1 or self.weight not in table:
            return table
        return table.with_columns([self._weighed(table.column(self.weight), lambda w: w * self.weight_factor)])

    def _weighed(self, column: Column, change: Callable[[np.ndarray], np.ndarray]) -> Column:
        """A column of weights, each changed; equal ones become one value."""
        import pyarrow as pa

        if not is_number(column):
            raise BadInput(f"column {column.name!r} has the role weight, but does not hold numbers")
        weights = numbers_per_value(column)
        changed = significant(change(weights), 9)
        if np.array_equal(changed, weights, equal_nan=True):
            return column
        values, codes = np.unique(changed, return_inverse=True)  # a missing one is the last
        labels = pa.array(values, mask=np.isnan(values))
        return Column(column.name, narrow(codes.reshape(-1), len(values))[column.codes], labels).compact()

    def bind(self, data: Domains) -> dict[str, Levels]:
        """The levels of every quasi column and of others with a hierarchy; raises BadInput with all problems."""
        bound: dict[str, Levels] = {}
        problems: list[str] = []
        for name in dict.fromkeys([*self.quasi, *self.hierarchies]):
            if name in self.levels:
                continue  # its values are no longer leaves
            levels, column_problems = self.hierarchy(name).bound(data.domain(name).domain)
            bound[name] = levels
            problems += [f"hierarchy of {name!r}: {problem}" for problem in column_problems]
        refuse(problems)
        return bound

    def hierarchy(self, name: str) -> Hierarchy:
        """The hierarchy of a column; by default the values of a column are published unchanged or suppressed."""
        return self.hierarchies.get(name) or suppress()

    def narrowed(self, rows: Table, counts: np.ndarray | None = None) -> Schema:
        """The schema with hierarchies inferred from these `rows` alone, or without them for missing columns.

        `counts`: how many rows each row of the table stands for.
        """
        return self.narrowed_each(lambda name: (rows.column(name), counts) if name in rows else None)

    def narrowed_each(self, of: Callable[[str], tuple[Column, np.ndarray | None] | None]) -> Schema:
        """The same, where `of` returns each column, and how many rows each of its rows stands for."""
        if not self.learns:
            return self
        rules = {}
        for name, rule in self.hierarchies.items():
            column = of(name) if rule.learnt else None
            if column is not None:
                rules[name] = rule.narrowed(*column)
            elif not rule.learnt:
                rules[name] = rule
        return dataclasses.replace(self, hierarchies=rules)

    def shown(self, labels: Mapping[str, Set[str]]) -> Schema:
        """The schema with inferred hierarchies reduced to the values that published `labels` name."""
        rules = {name: rule.shown(labels.get(name, frozenset())) for name, rule in self.hierarchies.items()}
        return dataclasses.replace(self, hierarchies=rules) if self.learns else self

    @property
    def learns(self) -> bool:
        """Whether a hierarchy was inferred from the data."""
        return any(rule.learnt for rule in self.hierarchies.values())

    def to_dict(self) -> dict[str, Any]:
        content = {f.name: getattr(self, f.name) for f in dataclasses.fields(self)}
        content |= {"hierarchies": None, "read": self.read.to_dict()}
        content = {
            name: list(value) if isinstance(value, tuple | set | frozenset) else value
            for name, value in content.items()
            if value not in (None, (), {}) and (name not in _SPARSE or value != _SPARSE[name])
        }
        if self.population is not None:
            content["population"] = self.population.public
        return content | {"hierarchies": {name: rule.to_dict() for name, rule in self.hierarchies.items()}}

    @classmethod
    def from_dict(cls, spec: Mapping[str, Any]) -> Schema:
        return cls(**settings.read(cls, spec, "the schema"))
