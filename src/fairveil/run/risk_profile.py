"""population_risk: how easily the people of a table are picked out as it is, before anything is generalized.

>>> import pyarrow as pa
>>> from fairveil.data.schema import Schema
>>> table = pa.table({"age": [31, 31, 40], "sex": ["F", "F", "M"], "weight": [10.0, 5.0, 4.0]})
>>> risk = population_risk(table, Schema(quasi=["age", "sex"], weight="weight"))
>>> risk.records.round(3).tolist(), round(risk.measures["expected-reidentifications"], 3), risk.suda.shares
([0.106, 0.106, 0.462], 0.674, {'age': 0.5, 'sex': 0.5})
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from fairveil.counting.cells import numbered_classes
from fairveil.counting.population_sizes import is_declared, people_of, population_columns, sampling_fraction
from fairveil.data.numeric import significant
from fairveil.display import Displayable, DisplayTable
from fairveil.engines import Source, source_of
from fairveil.errors import refuse, suggest
from fairveil.guards import guarded_columns
from fairveil.measures import MEASURES
from fairveil.measures.population_risk import average_journalist_risk, class_risks, risks_in_households, sampled
from fairveil.measures.population_uniqueness import TITLES, Uniqueness, population_uniqueness
from fairveil.measures.suda import Suda, suda_of
from fairveil.measures.summarized import risks_by
from fairveil.progress import Progress, Report
from fairveil.run.given import given_schema

if TYPE_CHECKING:
    from fairveil.data.dialect import Missing
    from fairveil.data.schema import Schema


@dataclass(frozen=True, repr=False)
class PopulationRisk(Displayable):
    """The risks of a table. Without a population, those that need one are missing.

    measures    each measure of risk by name, and the journalist's average
    suda        the SUDA2 scores of the distinct records, and the part of each column in them
    uniqueness  the share of the population that is unique, by the chosen estimator and by each
    fraction    the share of the population that was sampled
    records     the individual risk of each row, or, where rows have no numbers, of each distinct record
    scores      the SUDA2 score of each row, or of each distinct record
    households  the risk of its household, of each row or distinct record, where a column has the role household

    Where the schema says who a record is about, persons are counted.
    """

    measures: Mapping[str, float]
    suda: Suda
    uniqueness: Uniqueness | None
    fraction: float | None
    records: np.ndarray
    scores: np.ndarray
    households: np.ndarray | None = None

    def _headline(self) -> str:
        sampled = "no population declared" if self.fraction is None else f"sampling fraction {self.fraction:.4g}"
        return f"PopulationRisk: highest {self.measures['highest-risk']:.4g} for a prosecutor, {sampled}"

    def _tables(self) -> list[DisplayTable]:
        return [
            DisplayTable(["measure", "value"], [list(pair) for pair in self.measures.items()]),
            *self.suda._tables(),
        ]

    @property
    def estimator(self) -> str:
        """The name of the estimator of the population's uniqueness."""
        return "" if self.uniqueness is None else TITLES.get(self.uniqueness.estimator, "")

    def to_dict(self) -> dict[str, Any]:
        estimates = {} if self.uniqueness is None else dict(self.uniqueness.estimates)
        return {
            "measures": dict(self.measures), "fraction": self.fraction, "estimator": self.estimator,
            "estimates": estimates, "suda_shares": self.suda.shares,
        }  # fmt: skip


def population_risk(
    table: Any, schema: Schema, *, missing: Missing = "category", progress: Progress | Report | bool | None = None
) -> PopulationRisk:
    """The risks of a table as it is: a Table, any data frame, a lazy frame, a path or a source. It is not changed."""
    schema, bar = given_schema(schema), Progress.visible(progress)
    return bar.run(lambda: risk_of_source(source_of(table, missing=missing, progress=bar), schema))


def risk_of_source(source: Source, schema: Schema) -> PopulationRisk:
    """The same without starting a thread."""
    home = [] if schema.household is None else [schema.household]
    schema = replace(schema, pseudonyms=(), plain=())  # the source as it is: nobody sees whose records they are
    names = [*schema.quasi, *population_columns(schema), *guarded_columns((), schema), *home]
    refuse([suggest(name, source.names, "column") for name in names if name not in source.names])
    if not schema.quasi:
        refuse(["no column is quasi: name those that can be linked to other data"])
    if source.has_rows:
        classes, cell_of_row = numbered_classes(source.table.select(names), schema, columns=home)
    else:
        cells = source.count(names)
        classes, cell_of_row = numbered_classes(cells.table(), schema, cells.counts, home)
    of_row, figures = classes.ids[cell_of_row], risks_by(classes, schema)
    households = None
    if schema.household is not None:
        of_household, members = risks_in_households(classes, schema)
        figures["household-risk"] = float(of_household.max(initial=0.0))
        figures["expected-reidentifications-by-household"] = float((of_household * members).sum())
        households = of_household[classes.codes[schema.household][cell_of_row]]
    classes = people_of(classes, schema)
    special = suda_of(classes, schema)
    figures["suda"] = float(special.scores.max(initial=0.0))
    if not is_declared(schema):
        figures = {name: float(significant(value)) for name, value in figures.items()}
        records = 1 / classes.rows[of_row]
        return PopulationRisk(figures, special, None, None, records, special.scores[of_row], households)
    records, people = sampled(classes, schema)
    for measure in MEASURES:
        if "population" in measure.needs and measure.of_classes is not None:
            figures[measure.name] = measure.of_classes(classes, schema)
    figures["average-journalist-risk"] = average_journalist_risk(records, people)
    figures = {name: float(significant(value)) for name, value in figures.items()}  # the order of cells is no matter
    return PopulationRisk(
        figures, special, population_uniqueness(classes, schema), sampling_fraction(classes, schema),
        class_risks(records, people, schema)[of_row], special.scores[of_row], households,
    )  # fmt: skip
