"""Guards about the population that the data is a sample of: who else could a published record belong to?

k-map           every class stands for at least k people of the population (Sweeney 2002; El Emam and Dankar 2008). A
                register is counted. Otherwise, if a class of k people was sampled by the share p, the number f of its
                records is Poisson with mean pk, truncated at zero; a class passes with at least k′ records, the
                smallest number that such a class has at most with probability 1 - `significance`. A class of k records
                has k people in any case.
δ-presence      in every class, the share f/F of its people who are in the data lies between `minimum` and `maximum`
                (Nergiz, Atzori and Clifton 2007): nobody learns with certainty that somebody is in the data, or not.
risk-limit      a risk measured against the population is at most a limit.

A class with more records than people keeps none of them. If the population is known by a register, nothing of it is
published: verdicts that hold state the limit, not the figure.

What they leave open: what a class says about its people; that the declared population or its weights are right.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, field, replace
from math import expm1
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from fairveil import measures
from fairveil.counting.cells import several
from fairveil.counting.population_sizes import (
    UNDECLARED,
    by_register,
    by_weight,
    is_declared,
    people_of,
    population_columns,
    population_sizes,
)
from fairveil.errors import BadInput, UnknownPart
from fairveil.guards.guard import ClassGuard, Verdict, quasi_cells
from fairveil.measures import Measure, population_risk, population_uniqueness
from fairveil.messages import counted, option
from fairveil.settings import required, setting

if TYPE_CHECKING:
    from fairveil.counting.cells import Cells, Classes
    from fairveil.counting.lattice import Lattice
    from fairveil.data.schema import Schema

RISKS = tuple(
    measure.name
    for measure in (*population_risk.MEASURES, *population_uniqueness.MEASURES)
    if "household" not in measure.needs  # households are not published
)
"""The measures that a `risk-limit` takes."""


def estimated_k(k: int, fraction: float, significance: float) -> int:
    """k′: the smallest number that a sample of a class of k people has at most with probability 1 - `significance`.

    >>> estimated_k(5, 0.1, 0.01), estimated_k(50, 0.2, 0.05)
    (3, 15)
    """
    mean = fraction * k
    if mean > 700:  # exp would overflow, and the class is as large as it may get
        return k
    term = mean / expm1(mean)  # of one record, given that there is at least one
    total, number = term, 1
    while total < 1 - significance - 1e-15 and term > 0:
        number += 1
        term *= mean / number
        total += term
    return number


@dataclass(frozen=True)
class PopulationGuard(ClassGuard):
    """A guard that compares classes with the population that the data is a sample of."""

    monotone: ClassVar[bool] = True
    published: ClassVar[bool] = True
    alone: ClassVar[bool] = True
    needs: ClassVar[tuple[str, ...]] = ("quasi", "population")

    def columns(self, schema: Schema) -> tuple[str, ...]:
        return population_columns(schema)

    def subjects(self, schema: Schema) -> tuple[str, ...]:
        return ()

    def monotone_on(self, cells: Cells, schema: Schema, suppressing: bool) -> bool:
        """Where somebody is in several classes, they count once in the merged one, and so does their weight: its share
        of the population may be beyond those of both."""
        repeated = schema.person is not None and several(cells.codes[schema.person], quasi_cells(cells, schema))
        return super().monotone_on(cells, schema, suppressing) and not repeated

    def check_schema(self, schema: Schema) -> list[str]:
        return [] if is_declared(schema) else [f"{self.kind} {UNDECLARED}"]

    def verdict(self, classes: Classes, schema: Schema) -> Verdict:
        if schema.population is not None and schema.population.withheld:
            raise RegisterWithheld(self.kind)
        verdict = super().verdict(classes, schema)
        if not (verdict.holds and len(classes) and by_register(schema)):
            return verdict
        kept = f"judged by a register, which is not published: {self.worst_words(self.limit, schema)}"
        return replace(verdict, worst=self.limit, worst_class=None, sentence=kept)


class RegisterWithheld(UnknownPart):
    """A promise was judged by a register of the population, which a release does not contain."""

    @property
    def advice(self) -> str:
        return str(self)

    def __init__(self, kind: str) -> None:
        given = option("register", ...)
        super().__init__(f"{kind} was judged by a register of the population, which is not published: {given} gives it")


@dataclass(frozen=True)
class KMap(PopulationGuard):
    """Every class stands for at least `k` people of the population; up to the share `suppression` of the rows, or
    of the persons where these are counted, may be suppressed to achieve this. `significance` is the chance of an error
    where there is no register."""

    bound: ClassVar[str] = "k"
    kind: ClassVar[str] = "k-map"
    title: ClassVar[str] = "k-map"
    says: ClassVar[str] = "Every person looks the same as at least k − 1 others of the population."
    leaves_open: ClassVar[str] = (
        "an attacker who knows that a person is in the data: only k-anonymity protects against them; whether the "
        "declared population is right"
    )

    k: int = field(metadata=required("minimum number of people in the population who look alike", min=2))
    significance: float = setting(
        0.01, "without a register, the chance that a class with fewer people passes", above=0, below=1
    )
    suppression: float = setting(
        0.0, "share of the records (of the persons, where these are counted) that may be suppressed", min=0, max=1
    )

    def promise(self) -> str:
        return (
            "In the columns by which a person could be recognized, every published record looks the same as at least "
            f"{self.k:,} people of the population that the data is a sample of."
        )

    def budget(self, units: int) -> int:
        return max(min(int(self.suppression * units + 1e-9), units - 1), 0)

    def monotone_on(self, cells: Cells, schema: Schema, suppressing: bool) -> bool:
        if by_register(schema):
            return True
        # a class of small weights spoils the one that it merges with
        return super().monotone_on(cells, schema, False) and not (suppressing and by_weight(schema))

    def values(self, classes: Classes, schema: Schema) -> np.ndarray:
        """The people of each class: counted, or the largest k of which the records of the class are evidence."""
        classes = people_of(classes, schema)
        people, records = population_sizes(classes, schema), classes.rows.astype(float)
        if by_register(schema):
            return people
        pairs, of_class = np.unique(np.column_stack([records, records / people]), axis=0, return_inverse=True)
        evident = [self._evident(int(f), float(share)) for f, share in pairs]
        return np.array(evident, dtype=float)[of_class.reshape(-1)]

    def _evident(self, records: int, share: float) -> float:
        """The largest number up to k of people that the records are evidence of."""
        if share > 1 + 1e-9:
            return 0.0

        def lacks(k: int) -> bool:
            return records < min(k, estimated_k(k, share, self.significance))

        if not lacks(self.k):
            return float(self.k)
        return float(bisect_left(range(1, self.k + 1), True, key=lacks))  # k' grows with k

    def filter_nodes(self, lattice: Lattice, schema: Schema, nodes: np.ndarray) -> np.ndarray | None:
        if by_register(schema) or by_weight(schema) or schema.person is not None:
            return None
        assert schema.population is not None
        share = float(schema.population.of_sample(lattice.cells.rows).fraction or 1.0)
        least = min(self.k, estimated_k(self.k, share, self.significance))
        passing = {node.tobytes() for node in lattice.anonymous(least)}
        return np.fromiter((node.tobytes() in passing for node in nodes), dtype=bool, count=len(nodes))

    def describe(self, worst: float) -> str:
        return f"the smallest class stands for at least {counted(int(worst), 'person', 'people')} (k={self.k})"


@dataclass(frozen=True)
class DeltaPresence(PopulationGuard):
    """The share of the population's people in every class who are in the data is from `minimum` to `maximum`."""

    bound: ClassVar[str] = "maximum"
    kind: ClassVar[str] = "delta-presence"
    title: ClassVar[str] = "δ-presence"
    says: ClassVar[str] = "Nobody learns with much certainty whether a person of the population is in the data."
    higher_is_better: ClassVar[bool] = False
    leaves_open: ClassVar[str] = (
        "people of the population whom no published class could be: they are known not to be in the data; what a class "
        "says about its people"
    )

    maximum: float = field(
        metadata=required("maximum share of the people of a class who may be in the data", above=0, max=1)
    )
    minimum: float = setting(0.0, "minimum share of the people of a class who must be in the data", min=0, max=1)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.minimum > self.maximum:
            raise BadInput(f"{self.kind}: {option('minimum')} must not be above {option('maximum')}")

    def promise(self) -> str:
        return (
            f"Of the people of the population who look like a published record, at least {100 * self.minimum:g} % and "
            f"at most {100 * self.maximum:g} % are in the data."
        )

    def values(self, classes: Classes, schema: Schema) -> np.ndarray:
        classes = people_of(classes, schema)
        shares: np.ndarray = classes.rows / population_sizes(classes, schema)
        return shares

    def within(self, values: np.ndarray) -> np.ndarray:
        slack = 1e-9
        inside: np.ndarray = (values >= self.minimum - slack) & (values <= min(self.maximum, 1.0) + slack)
        return inside

    def worst_of(self, values: np.ndarray) -> int:
        """The largest share; the smallest if that alone is outside the limits."""
        largest, smallest = super().worst_of(values), int(np.argmin(values))
        below = self.within(values[[largest]]).all() and not self.within(values[[smallest]]).all()
        return smallest if below else largest

    def describe(self, worst: float) -> str:
        share = "at most" if self.within(np.array([worst])).all() or worst > self.maximum else "only"
        return (
            f"records are of {share} {worst:.4g} of the people of a class (promised: from {self.minimum:g} to "
            f"{self.maximum:g})"
        )


@dataclass(frozen=True)
class RiskLimit(PopulationGuard):
    """A risk against the population, named by its `measure`, is at most `maximum`."""

    bound: ClassVar[str] = "maximum"
    kind: ClassVar[str] = "risk-limit"
    title: ClassVar[str] = "limit on the risk"
    says: ClassVar[str] = "A chance to pick people out of the population is at most a limit."
    higher_is_better: ClassVar[bool] = False
    leaves_open: ClassVar[str] = "what a class says about its people; whether the declared population is right"

    measure: str = field(metadata=required("the risk to limit", options=RISKS))
    maximum: float = field(metadata=required("maximum value of the measure", min=0))

    @property
    def risk(self) -> Measure:
        return measures.get(self.measure)

    @property
    def per_class(self) -> bool:  # type: ignore[override]
        """Whether the measure is the highest risk of a class: then classes above the limit can be suppressed."""
        return self.risk.of_each is not None

    def promise(self) -> str:
        return f"For the published records, the {self.measure} is at most {self.limit:g}: {self.risk.meaning}."

    def monotone_on(self, cells: Cells, schema: Schema, suppressing: bool) -> bool:
        if self.measure == "population-uniqueness":
            return False  # an estimate
        holds = not suppressing or (self.per_class and not by_weight(schema))
        return holds and super().monotone_on(cells, schema, False)

    def values(self, classes: Classes, schema: Schema) -> np.ndarray:
        classes = people_of(classes, schema)
        if self.risk.of_each is not None:
            return self.risk.of_each(classes, schema)
        assert self.risk.of_classes is not None
        return np.full(len(classes), self.risk.of_classes(classes, schema))

    def passing(self, classes: Classes, schema: Schema) -> np.ndarray:
        return super().passing(classes, schema) if self.per_class else np.ones(len(classes), dtype=bool)

    def verdict(self, classes: Classes, schema: Schema) -> Verdict:
        if self.per_class or not len(classes):
            return super().verdict(classes, schema)
        if schema.population is not None and schema.population.withheld:
            raise RegisterWithheld(self.kind)
        value, unit = float(self.values(classes, schema)[0]), self.unit(schema)
        holds = value <= self.limit * (1 + 1e-9)
        if holds and by_register(schema):
            kept = f"judged by a register, which is not published: {self.worst_words(self.limit, schema)}"
            return Verdict(self, True, self.limit, self.limit, 0, 0, None, kept, unit)
        return Verdict(self, holds, value, self.limit, 0, 0, None, self.worst_words(value, schema), unit)

    def describe(self, worst: float) -> str:
        return f"the {self.measure} of the records is at most {worst:.4g} (limit {self.limit:g})"
