"""How likely somebody is picked out by comparing the release with the population that it is a sample of."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING

from fairveil.counting.population_sizes import by_register, is_declared, sampling_fraction
from fairveil.errors import BadInput
from fairveil.markup import Html, join, table, tag
from fairveil.measures import MEASURES
from fairveil.measures.population_uniqueness import TITLES, population_uniqueness
from fairveil.reporting.numbers import number, percent

if TYPE_CHECKING:
    from fairveil.reporting.context import ReportContext


def population(c: ReportContext) -> Html | None:
    """The measures that need a population; none that a register tells, or that count persons whose column is not
    published, except in the internal report."""
    classes, schema = c.published.classes, c.published.visible
    by_persons = schema.person != c.schema.person
    if c.inside is not None and c.inside.classes is not None and (by_register(schema) or by_persons):
        classes, schema, by_persons = c.inside.classes, c.schema, False
    hidden = by_register(schema) and not c.internal
    if classes is None or not len(classes) or not is_declared(schema) or hidden or c.recipe.invents:
        return None
    if by_persons:
        return tag(
            "p",
            "The data is a sample of a population, and the risks in it are those of persons, whose column is not "
            "published. By records they would look smaller, because the people whom a class stands for would be "
            "counted once for each record. Promises about them were judged by persons when the release was made.",
        )
    measures = [measure for measure in MEASURES if "population" in measure.needs and measure.of_classes is not None]
    try:
        values = {measure: measure.of_classes(classes, schema) for measure in measures if measure.of_classes}
    except BadInput as problem:  # averages and cut intervals are not values that a register has
        return tag("p", f"The risk in the population is not known: {problem}.")
    rows = [
        [measure.title, (percent if measure.range[1] == 1 else number)(float(f"{value:.9g}")), measure.meaning]
        for measure, value in values.items()
        if isfinite(value)
    ]
    estimator = TITLES.get(population_uniqueness(classes, schema).estimator, "no estimator")
    sampled = float(f"{sampling_fraction(classes, schema):.9g}")
    said = (
        f"The data is a sample of {percent(sampled)} of a population. The attacker does not know who is in it. The "
        f"population’s uniqueness is by {estimator}. These figures are as right as the weights, size or fraction that "
        "the publisher declared."
    )
    return join([tag("p", said), table("Risk in the population", ["measure", "value", "meaning"], rows, [1])])
