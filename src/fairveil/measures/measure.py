"""What a measure is: a name, a direction, a range, one line of meaning, and a formula.

A measure is computed from one of three things, which determines its cost:

summary    a summary of all candidates at once: cheap, part of every release's evidence
classes    the equivalence classes of one published release
published  a published release and its source; it may train classifiers, so it is computed only where asked for
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, Protocol

import numpy as np

from fairveil.counting.cells import Classes
from fairveil.counting.population_sizes import UNDECLARED, is_declared
from fairveil.counting.summary import Summary
from fairveil.data.numeric import significant
from fairveil.data.schema import Schema
from fairveil.data.table import Column, Table
from fairveil.errors import BadInput

Cost = Literal["summary", "classes", "published"]


class MeasuredRelease(Protocol):
    """What a measure may read of one published release."""

    @property
    def schema(self) -> Schema: ...

    @property
    def seed(self) -> int: ...

    @property
    def tables(self) -> Mapping[str, Table]:
        """What is published, by name: one table, or one per projection."""
        ...

    @property
    def source_rows(self) -> np.ndarray | None:
        """The row of the source behind each row of the only table; None where there is none: projections, noise."""
        ...

    @property
    def classes(self) -> Classes | None:
        """The equivalence classes of the only table; None where the columns are split into projections."""
        ...

    def recode(self, rows: Table) -> tuple[Mapping[str, Table], np.ndarray]:
        """Other rows as the recipe publishes them, still in their order, and which of the given rows they are."""
        ...

    def columns(self, rows: Table, name: str) -> list[Column]:
        """The columns of one published table as the recipe would publish them for other rows, none left out."""
        ...

    def covers(self, rows: Table) -> Mapping[str, np.ndarray]:
        """Whether what the only table publishes is true: per quasi column, for each of the rows behind it."""
        ...


def not_in_summary(summary: Summary) -> np.ndarray:
    return np.full(len(summary), np.nan)


@dataclass(frozen=True)
class Measure:
    """One number about a release. `of`, `of_classes` and `of_published` are the ways to compute it: one is enough."""

    name: str
    family: Literal["loss", "risk", "fairness", "utility"]
    better: Literal["lower", "higher"]
    range: tuple[float, float]
    meaning: str
    of: Callable[[Summary], np.ndarray] = not_in_summary
    needs: frozenset[str] = frozenset()  # "decision", "household", "population", "levels", "full" (a full summary)
    of_classes: Callable[[Classes, Schema], float] | None = None
    of_published: Callable[[MeasuredRelease, Table], Mapping[str, float]] | None = None
    """From a published release and its source to this measure, by name, and to others that come with it."""
    columns: Callable[[Schema], Sequence[str]] = lambda schema: ()
    """The columns, besides the quasi ones and the decision, that `of_classes` looks at."""
    of_each: Callable[[Classes, Schema], np.ndarray] | None = None
    """The same of each class, for a measure that is the highest of its classes."""
    trains: bool = False
    """Whether it trains classifiers: that is slow, and the result depends on folds and seed."""
    whole_is_best: bool = False
    """Whether a candidate is never better than if none of its rows were suppressed, which is quickly computed: then
    most candidates need not be measured to find the best one."""
    of_sizes: bool = False
    """Whether `of` looks at nothing but the sizes of classes and the rows, which are quicker to compute alone."""
    title: str = ""
    """What people read instead of its name, which is by default the name in words."""
    by_persons: Mapping[str, str] = field(default_factory=dict, hash=False)
    """Its `title` and `meaning` where persons are counted, if they differ."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "title", self.title or self.name.replace("-", " "))

    @property
    def cost(self) -> Cost:
        """What it is computed from."""
        if self.of_published is not None:
            return "published"
        return "summary" if self.of_classes is None else "classes"

    def counting(self, person: str | None) -> Measure:
        """The same in the words for what is counted, given the column that says who a record is about."""
        given = {"title": self.title, "meaning": self.meaning, **({} if person is None else self.by_persons)}
        return replace(self, title=given["title"], meaning=given["meaning"])

    def lacks(self, schema: Schema) -> str:
        """Why it cannot be computed with this schema, in a sentence; empty if it can."""
        if "decision" in self.needs and schema.decision is None:
            return f"measure {self.name!r} needs a decision column, and the schema names none"
        if "household" in self.needs and schema.household is None:
            return f"measure {self.name!r} needs a column with the role household, and the schema names none"
        if "population" in self.needs and not is_declared(schema):
            return f"measure {self.name!r} {UNDECLARED}"
        return ""

    def best(self, values: np.ndarray) -> int:
        """The position of the best value; the first of equal ones, never NaN."""
        if np.isnan(values).all():
            raise BadInput(f"measure {self.name!r} says nothing about these candidates")
        values = significant(values)
        return int(np.nanargmin(values) if self.better == "lower" else np.nanargmax(values))

    def loses(self, values: np.ndarray) -> np.ndarray:
        """The values, negated where higher is better, so that several measures can be compared."""
        return values if self.better == "lower" else -values
