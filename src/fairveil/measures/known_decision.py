"""The anonymity level of roll-up rules (Caruccio et al. 2022, section 6): how many records an attacker who also knows a
person's decision finds at least. The guard `known-decision` promises it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairveil.measures.measure import Measure

if TYPE_CHECKING:
    from fairveil.counting.cells import Classes
    from fairveil.data.schema import Schema


def level(classes: Classes, schema: Schema) -> float:
    """Return the records of the smallest class and decision, or their persons; NaN if nothing is published."""
    if schema.decision is None or not len(classes):
        return float("nan")
    return float(classes.histogram(schema.decision, person=schema.person).counts.min())


MEASURES = (
    Measure(
        "level", "risk", "higher", (1, float("inf")),
        "records of the smallest equivalence class with one decision, or persons where these are counted",
        needs=frozenset({"decision"}), of_classes=level, title="smallest class and decision",
    ),
)  # fmt: skip
