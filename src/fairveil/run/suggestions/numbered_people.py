"""Columns that number people, whatever they are called: all rows with a value have the same sex, birth date or name.

A patient has several visits, and one date of birth. So a column of many values that repeat, and of which each settles
what people keep for life, numbers people. Villages, firms and titles settle nothing of that kind, whatever they are
called.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from fairveil.run.suggestions.column_evidence import MAX_EACH
from fairveil.run.suggestions.column_facts import NEARLY, SEVERAL, Facts
from fairveil.run.suggestions.column_topics import TOPICS, kinds_in

if TYPE_CHECKING:
    from fairveil.engines import Source

COMPARED = 20_000
"""Rows that are compared, neighbours among them: rows of one person are often neighbours."""
CANDIDATES, OTHERS = 20, 40
"""Most columns that may number people, and most columns that people keep for life."""
ALL = 0.98
"""The share of the values that repeat which have to settle another column."""
FEWEST = 20
"""Of fewer values it is not said whether they number people; below SEVERAL, that they do if they settle two columns."""
MAX_MEMBERS, ALONE = 8, 0.5
"""The most rows of a group on average, and the largest share of rows that are a group of their own."""
SCATTERED, ORDERLY = 1.7, 1.2
"""How many times more blocks of neighbours than values there may be, and steps in all than those up, or down, of rows
that are not sorted."""
COMMON = 0.9
"""A column in which a larger share of the rows agree is settled by chance."""


NAMES = [topic for topic in TOPICS if topic.about == "names of people"]
KEPT = [topic for topic in TOPICS if topic.about in ("sex or gender", "race, colour or origin")]
"""What people keep for life; an age, a marital status or a name may change."""


def settled_by(source: Source, columns: Sequence[Facts]) -> Mapping[str, tuple[str, ...]]:
    """For columns of many values that repeat: those that people keep for life and that each of their values settles;
    none where nothing is known that people keep for life."""
    repeating = [column for column in columns if _repeats(column)][:CANDIDATES]
    kept = [column.name for column in columns if column.distinct > 1 and (
        "ground" in kinds_in(column.words) or any(topic.said_by(column.words) for topic in NAMES))]  # fmt: skip
    if not source.has_rows or not repeating or not kept:
        return {}
    table = source.table
    blocks = max(-(-table.rows // COMPARED), 1)
    rows = np.arange(table.rows)[(np.arange(table.rows) // 100) % blocks == 0]
    words = {column.name: column.words for column in columns}
    lifelong = {name: table.column(name).codes[rows] for name in kept[:OTHERS]}
    settled = {}
    for column in repeating:
        codes = table.column(column.name).codes[rows]
        order = np.argsort(codes, kind="stable")
        again = codes[order][1:] == codes[order][:-1]
        if again.sum() < SEVERAL:
            continue
        told_apart = {name: values for name, values in lifelong.items()
                      if name != column.name and np.bincount(values).max() < COMMON * len(rows)}  # fmt: skip
        names = tuple(name for name, values in told_apart.items() if _settles(values[order], again))
        examined = any(topic.said_by(words[name]) for name in told_apart for topic in KEPT)
        if (names and (column.distinct >= SEVERAL or len(names) > 1)) or (examined and not names):
            settled[column.name] = names
    return settled


def in_blocks(source: Source, columns: Sequence[Facts]) -> set[str]:
    """Integers and codes of many values, each of which a few neighbouring rows hold and nearly no others: they number
    groups of rows. A file that is sorted by a measurement has more rows for each value, or values of one row; of fewer
    values, those that a file is sorted by may be a measurement."""
    several = [column for column in columns if _repeats(column) and column.look in ("integers", "codes")
               and column.distinct >= FEWEST and column.rows <= MAX_MEMBERS * column.distinct
               and column.unique < ALONE]  # fmt: skip
    if not source.has_rows:
        return set()
    codes = {column.name: source.table.column(column.name).codes for column in several[:CANDIDATES]}
    return {name for name, own in codes.items() if _is_in_blocks(own)}


def _is_in_blocks(codes: np.ndarray) -> bool:
    """Whether each value is held by neighbours; of fewer values, also nearly, if the rows are not in their order."""
    steps, values = np.diff(codes.astype(np.int64)), len(np.unique(codes))
    blocks = int(np.count_nonzero(steps)) + 1
    if values >= SEVERAL:
        return blocks == values
    ordered = int(max(np.count_nonzero(steps > 0), np.count_nonzero(steps < 0)))
    return blocks <= SCATTERED * values and ORDERLY * ordered < blocks


def _repeats(column: Facts) -> bool:
    looks = ("integers", "codes", "text", "postcodes", "ICD codes")
    several = FEWEST <= column.distinct <= column.rows / 1.1 and column.rows <= MAX_EACH * column.distinct
    return several and column.look in looks and column.unique < NEARLY and not column.decimal


def _settles(values: np.ndarray, again: np.ndarray) -> bool:
    """Whether a row has the value of the row before, wherever that is of the same number."""
    return float((values[1:] == values[:-1])[again].mean()) >= ALL
