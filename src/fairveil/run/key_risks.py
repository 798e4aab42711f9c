"""key_risks: how easily people are picked out by every set of up to m columns, as the table is.

>>> import fairveil as fv
>>> credit = fv.datasets.credit_decisions()
>>> found = key_risks(credit.table, credit.schema, size=2)
>>> found[0].columns, found[0].smallest, found[0].unique
(('Race', 'Hours'), 1, 5)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fairveil.counting.cells import Classes
from fairveil.engines import Relation, source_of
from fairveil.errors import refuse, suggest
from fairveil.measures.key_risk import KeySetRisks, key_set_risks
from fairveil.progress import Progress, Report
from fairveil.run.given import given_schema

if TYPE_CHECKING:
    from fairveil.data.dialect import Missing
    from fairveil.data.schema import Schema


def key_risks(
    table: Any, schema: Schema, *, size: int = 3, missing: Missing = "category",
    progress: Progress | Report | bool | None = None,
) -> KeySetRisks:  # fmt: skip
    """The risk of every set of up to `size` quasi columns, the riskiest first: the smallest class, and the records that
    are unique. `table` is a Table, any data frame, a lazy frame, a path or a source; it is not changed."""
    schema, bar = given_schema(schema), Progress.visible(progress)
    return bar.run(lambda: key_risks_of(source_of(table, missing=missing, progress=bar), schema, size, bar))


def key_risks_of(source: Relation, schema: Schema, size: int, progress: Progress) -> KeySetRisks:
    """The same without starting a thread."""
    names = list(schema.quasi)
    needed = [*names, *([] if schema.person is None else [schema.person])]
    refuse([suggest(name, source.names, "column") for name in needed if name not in source.names])
    refuse([] if names else ["no column is quasi: name those that can be linked to other data"])
    classes = Classes.of(source.count(needed), names)
    return key_set_risks(classes, names, size, progress.check, schema.person)
