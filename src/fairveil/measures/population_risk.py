"""How likely somebody is picked out by an attacker who compares the release with the whole population.

f are the records of a class in the sample, F the people of the population who would be published alike
(`counting/population_sizes.py`), n all records and u the classes:

prosecutor   knows that the person is in the data: 1/f. These are the measures `highest-risk` and `average-risk`.
journalist   does not know it: 1/F, at most 1/min F; on average max(u/ΣF, marketer).
marketer     wants as many as possible: (1/n)·Σ f/F of the records are right.
individual   F is not known, only estimated by F̂: E[1/F | f], where F given f is negative binomial with p = f/F̂
             (Benedetti and Franconi 1998; Franconi and Polettini 2004). With p = 1 it is 1/f. A register leaves
             nothing to estimate: then it is 1/F.

The individual risk of a household is that of its riskiest event, that any member is recognized: 1 - Π(1 - r).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fairveil.counting.population_sizes import (
    by_register,
    groups_of_people,
    is_declared,
    people_of,
    population_columns,
    population_sizes,
)
from fairveil.counting.tuples import first_rows
from fairveil.data.schema import Schema
from fairveil.errors import BadInput
from fairveil.measures.measure import Measure
from fairveil.messages import counted

if TYPE_CHECKING:
    from fairveil.counting.cells import Classes

INF = float("inf")
POPULATION = frozenset({"population"})
TERMS = 64
"""Terms of the series, which then differs from its limit by less than a float does."""
SMALL = 40
"""From this number of records on, the series converges at once."""

Floats = NDArray[np.float64]


def individual_risks(records: ArrayLike, people: ArrayLike, *, approximate: bool = False) -> Floats:
    """E[1/F | f] for each class of f `records` and F̂ estimated `people`; infinite where F̂ < f.

    >>> individual_risks([3, 10, 2], [108, 100, 2]).round(9).tolist()
    [0.013552968, 0.010976006, 0.5]

    (p^f / f)·₂F₁(f, f; f+1; 1-p) = (p/f)·₂F₁(1, 1; f+1; 1-p) = ∫ s^(f-1) / (1 + ρs) ds over [0, 1], with
    ρ = (1-p)/p. The integral gives r(1) = ln(1 + ρ)/ρ and r(f+1) = (1/f - r(f))/ρ, which is stable for ρ > 1; else, and
    for many records, the series converges fast. `approximate` takes p/(f - (1-p)) for f > 2, as sdcMicro does: that is
    slightly more.
    """
    f, total = np.asarray(records, dtype=float), np.asarray(people, dtype=float)
    pairs, of_class = np.unique(np.column_stack([f, total]), axis=0, return_inverse=True)
    f, total = pairs.T
    q = np.clip(1 - f / np.maximum(total, f), 0.0, 1.0)
    p = 1 - q
    series, term = np.ones(len(f)), np.ones(len(f))
    for k in range(TERMS):
        term = term * (k + 1) / (f + 1 + k) * q
        series += term
    risks = p / f * series
    steep = (f < SMALL) & (q > p)
    rho = np.where(steep, q / p, 1.0)
    recurring = np.log1p(rho) / rho
    for size in range(1, SMALL):
        risks = np.where(steep & (f == size), recurring, risks)
        recurring = (1 / size - recurring) / rho
    if approximate:
        risks = np.where(f > 2, p / (f - q), risks)
    risks[total < f * (1 - 1e-12)] = INF
    of_each: Floats = risks[of_class.reshape(-1)]
    return of_each


def journalist_risks(records: ArrayLike, people: ArrayLike) -> Floats:
    """1/F for each class; infinite where F < f."""
    f, total = np.asarray(records, dtype=float), np.asarray(people, dtype=float)
    return np.where(total < f * (1 - 1e-12), INF, 1 / np.maximum(total, 1e-300))


def marketer_risk(records: np.ndarray, people: np.ndarray) -> float:
    """The share of records that are right if everybody is linked: (1/n)·Σ f/F."""
    return float((records / people).sum() / records.sum())


def average_journalist_risk(records: np.ndarray, people: np.ndarray) -> float:
    """max(u/ΣF, (1/n)·Σ f/F)."""
    return max(len(records) / float(people.sum()), marketer_risk(records, people))


def household_risks(risks: ArrayLike, households: ArrayLike) -> Floats:
    """1 - Π(1 - r) over the members of each record's household.

    >>> household_risks([0.5, 0.5, 0.1], ["a", "a", "b"]).round(2).tolist()
    [0.75, 0.75, 0.1]
    """
    _, household = np.unique(np.asarray(households), return_inverse=True)
    safe = np.ones(int(household.max(initial=-1)) + 1)
    np.multiply.at(safe, household, 1 - np.asarray(risks, dtype=float))
    together: Floats = 1 - safe[household]
    return together


def sampled(classes: Classes, schema: Schema) -> tuple[np.ndarray, np.ndarray]:
    """f and F of every class; raises BadInput if the population is not declared or smaller than the sample."""
    classes = groups_of_people(classes, schema)
    records, people = classes.rows.astype(float), population_sizes(classes, schema)
    short = np.flatnonzero(people < records * (1 - 1e-12))
    if len(short):
        rows, weight = int(records[short[0]]), people[short[0]]
        raise BadInput(
            f"the sampling weights of a class of {counted(rows, 'record')} add up to {weight:g}: that is fewer people "
            "than the data has, so no risk follows from them (weights are numbers of people)"
        )
    return records, people


def class_risks(records: ArrayLike, people: ArrayLike, schema: Schema) -> Floats:
    """The individual risk in each class: estimated, or known from a register."""
    return (journalist_risks if by_register(schema) else individual_risks)(records, people)


def risks_in_households(classes: Classes, schema: Schema) -> tuple[Floats, NDArray[np.int64]]:
    """The risk of each household that somebody of it is picked out, by its code; and how many records or persons of the
    classes it has. A person is picked out in any of their classes."""
    assert schema.household is not None
    classes = groups_of_people(classes, schema)
    of_class = class_risks(*sampled(classes, schema), schema) if is_declared(schema) else 1 / classes.rows
    household = classes.codes[schema.household]
    safe, size = np.ones(classes.sizes[schema.household]), classes.sizes[schema.household]
    np.multiply.at(safe, household, (1 - of_class[classes.ids]) ** classes.counts)
    once, weights = np.arange(len(household)), classes.counts
    if schema.person is not None:
        pairs = [(household, size), (classes.codes[schema.person], classes.sizes[schema.person])]
        once, weights = first_rows(pairs, len(household))[1], np.ones(len(household), dtype=np.int64)
    return 1 - safe, np.bincount(household[once], weights=weights[once], minlength=size).astype(np.int64)


def household_columns(schema: Schema) -> tuple[str, ...]:
    """The columns, besides the quasi ones, that the risk of a household is computed from."""
    named = (schema.household, schema.person)
    return (*population_columns(schema), *(name for name in named if name is not None))


def household_risk(classes: Classes, schema: Schema) -> float:
    """The highest of the households; NaN where there are none."""
    if schema.household is None or schema.household not in classes.codes or not len(classes):
        return float("nan")
    return float(risks_in_households(classes, schema)[0].max())


Formula = Callable[[np.ndarray, np.ndarray, Schema], float]
Each = Callable[[ArrayLike, ArrayLike, Schema], np.ndarray]


def _measure(name: str, highest: float, meaning: str, formula: Formula, each: Each | None = None) -> Measure:
    def of_classes(classes: Classes, schema: Schema) -> float:
        if not is_declared(schema) or not len(classes):
            return float("nan")
        return float(formula(*sampled(classes, schema), schema))

    def of_each(classes: Classes, schema: Schema) -> np.ndarray:
        assert each is not None
        classes = people_of(classes, schema)
        return each(classes.rows, population_sizes(classes, schema), schema)

    return Measure(
        name, "risk", "lower", (0, highest), meaning, needs=POPULATION, of_classes=of_classes,
        of_each=None if each is None else of_each, columns=population_columns,
    )  # fmt: skip


MEASURES = (
    _measure("individual-risk", 1, "highest chance to pick out a person, given the sampling weights of their class",
             lambda f, people, schema: class_risks(f, people, schema).max(), class_risks),
    _measure("expected-reidentifications", INF, "number of published people that are picked out on average: the "
             "individual risks, summed", lambda f, people, schema: (f * class_risks(f, people, schema)).sum()),
    _measure("journalist-risk", 1, "highest chance to pick out somebody of whom nobody knows whether they are in the "
             "data: one over the people of the population in the smallest class",
             lambda f, people, schema: journalist_risks(f, people).max(),
             lambda f, people, schema: journalist_risks(f, people)),
    _measure("marketer-risk", 1, "share of the published people that are picked out if everybody is linked with the "
             "population", lambda f, people, schema: marketer_risk(f, people)),
    Measure("household-risk", "risk", "lower", (0, 1), "highest chance that somebody of a household is picked out, "
            "given the individual risks of its members", needs=frozenset({"household"}), of_classes=household_risk,
            columns=household_columns),
)  # fmt: skip
