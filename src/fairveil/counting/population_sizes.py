"""The population behind a sample: how many people each class stands for, and which share of them was sampled.

>>> import numpy as np, pyarrow as pa
>>> from fairveil.counting.cells import classes_of
>>> from fairveil.data.schema import Schema
>>> from fairveil.data.table import Table
>>> table = Table.from_frame(pa.table({"age": [31, 31, 40], "w": [10.0, 5.0, 4.0]}))
>>> schema = Schema(quasi=["age"], weight="w")
>>> classes, _ = classes_of(table, schema)
>>> population_sizes(classes, schema).tolist(), round(sampling_fraction(classes, schema), 3)
([15.0, 4.0], 0.158)

A register is counted. Sampling weights are added up; their sum F̂ estimates the people of a class. Where only a size or
a fraction is declared, every class is taken to be sampled by the same share. If F̂ is below the number f of sampled
records, the data would hold more people than there are: measures refuse it, and no guard holds for such a class.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from fairveil.counting.cells import several
from fairveil.data.numeric import is_number, numbers_per_value
from fairveil.data.table import Column
from fairveil.errors import BadInput
from fairveil.messages import counted, verb

if TYPE_CHECKING:
    from fairveil.counting.cells import Classes
    from fairveil.data.schema import Schema

UNDECLARED = (
    "needs to know the population: declare its size, the sampling fraction or a register, or give a column of "
    "sampling weights the role weight"
)


def is_declared(schema: Schema) -> bool:
    """Whether anything is known about the population."""
    return schema.population is not None or schema.weight is not None


def by_register(schema: Schema) -> bool:
    """Whether the population is known person by person."""
    return schema.population is not None and schema.population.register is not None


def by_weight(schema: Schema) -> bool:
    """Whether sampling weights estimate the classes of the population."""
    return schema.weight is not None and not by_register(schema)


def population_columns(schema: Schema) -> tuple[str, ...]:
    """The columns, besides the quasi ones, that the size of a class in the population is computed from."""
    return (schema.weight,) if schema.weight is not None and by_weight(schema) else ()


def people_of(classes: Classes, schema: Schema) -> Classes:
    """Return the same classes with one cell of each person in them, if the schema says who a record is about.

    A weight belongs to a person, so all records of somebody must have the same; raises BadInput otherwise, and if a
    register cannot be compared with the records of people that the release links. Records about nobody known count as
    one person, with the smallest of their weights.
    """
    person, weight = schema.person, schema.weight
    if person is None or weight is None or not by_weight(schema) or not {person, weight} <= {*classes.codes}:
        people = classes.by_person(person)
        if person is not None and schema.links and by_register(schema) and several(people.codes[person], people.ids):
            raise BadInput(
                f"{person!r} is published, so that everybody sees which records are of one person, and a register is "
                "compared with single records: leave that column out, or keep one row per person"
            )
        return people
    persons, weights = classes.codes[person], _weights(classes, schema)[classes.codes[weight]]
    smallest = np.full(classes.sizes[person], np.inf)
    np.minimum.at(smallest, persons, weights)
    differing = np.unique(persons[weights > smallest[persons]])
    unknown = [code for code in differing.tolist() if classes.values(person)[code] is None]
    number = len(differing) - len(unknown)
    if number:
        raise BadInput(
            f"{counted(number, 'person', 'people')} {verb(number, 'has', 'have')} records with different weights in "
            f"{weight!r}: how many people somebody stands for does not change from record to record. Keep one row per "
            "person, or take a weight of persons, such as the longitudinal weight of a panel"
        )
    if unknown:
        order = np.argsort(weights, kind="stable")  # of each person in a class, the first cell remains
        codes = {name: column[order] for name, column in classes.codes.items()}
        classes = replace(classes, ids=classes.ids[order], counts=classes.counts[order], codes=codes)
    return classes.by_person(person)


def groups_of_people(classes: Classes, schema: Schema) -> Classes:
    """Return the groups of people whom the release does not tell apart, with one cell of each person: the classes; if
    it links a person's records, people with records in the same classes."""
    classes = people_of(classes, schema)
    if schema.person is None or not schema.links:
        return classes
    return classes.linked(schema.person).by_person(schema.person)


def population_sizes(classes: Classes, schema: Schema) -> np.ndarray:
    """F, the number of people in the population that each class stands for, counted or estimated."""
    if not is_declared(schema):
        raise BadInput(f"this {UNDECLARED}")
    if not len(classes):
        return np.zeros(0)
    if by_register(schema):
        assert schema.population is not None
        from fairveil.counting.register import register_sizes

        sizes = register_sizes(classes, schema, schema.population)
        short = np.flatnonzero(sizes < classes.rows)
        if len(short):
            unit = "record" if schema.person is None else "person"
            records, people = int(classes.rows[short[0]]), int(sizes[short[0]])
            raise BadInput(
                f"the data has {counted(records, unit)} in a class for which the register has "
                f"{counted(people, 'person', 'people')}: a register has everybody of the population, with the values "
                "of the data, and labels that no hierarchy has cannot be matched with it"
            )
        return sizes
    if by_weight(schema):
        weights = _weights(classes, schema)[classes.codes[str(schema.weight)]]
        return np.bincount(classes.ids, weights=weights * classes.counts, minlength=len(classes))
    return classes.rows / sampling_fraction(classes, schema)


def sampling_fraction(classes: Classes, schema: Schema) -> float:
    """π, the share of the population that was sampled; a person in several classes was sampled once."""
    population = schema.population
    if population is not None and population.fraction is not None:
        return float(population.fraction)
    together = replace(classes, ids=np.zeros_like(classes.ids), rows=np.array([classes.rows.sum()]), persons=None)
    everybody = people_of(together, schema)
    rows = int(everybody.rows.sum())
    if population is not None and population.register is not None:
        from fairveil.counting.register import register_people

        return min(rows / max(register_people(schema, population), 1), 1.0)
    if population is not None:
        return float(population.of_sample(rows, "row" if schema.person is None else "person").fraction or 1.0)
    return float(rows / max(population_sizes(everybody, schema).sum(), 1)) if rows else 1.0


def _weights(classes: Classes, schema: Schema) -> np.ndarray:
    """The sampling weight that each code of the weight column stands for; those that no record has are 1.

    As it was before it was recalibrated: that others were suppressed does not make the people of a class more.
    """
    name = str(schema.weight)
    if name not in classes.codes:
        raise BadInput(f"the sampling weights need column {name!r}, which the data does not have")
    labels = classes.labels[name]
    column = Column(name, classes.codes[name], labels)
    if not is_number(column):
        raise BadInput(f"column {name!r} has the role weight, but does not hold numbers")
    weights = np.ones(len(labels))
    used = np.unique(classes.codes[name])
    weights[used] = numbers_per_value(column)[used] / schema.weight_factor
    if not (weights[used] > 0).all():
        raise BadInput(
            f"column {name!r} has the role weight, and a weight is missing or not above 0: a weight is the number of "
            "people that a record stands for"
        )
    return weights
