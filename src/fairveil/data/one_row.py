"""one_row_per_person: a way to prepare data in which people have several rows, before anything else sees it.

>>> import pyarrow as pa
>>> visits = pa.table({"who": ["p", "q", "p"], "year": [2021, 2022, 2024], "town": ["A", "B", "C"]})
>>> one_row_per_person(visits, person="who", keep="latest", by="year").to_pylist()
[{'who': 'q', 'year': 2022, 'town': 'B'}, {'who': 'p', 'year': 2024, 'town': 'C'}]

What is left out is not published; what is left has one row per person, so promises by persons and by rows are the same.
Rows without a person's number count as one person, as they do where persons are counted.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from fairveil.data.numeric import is_measurable, numbers_per_value
from fairveil.data.table import Table
from fairveil.errors import BadInput, suggest
from fairveil.messages import literal, option

Keep = Literal["latest", "first", "random"]
KEEP: tuple[Keep, ...] = ("latest", "first", "random")


def one_row_per_person(frame: Any, *, person: str, keep: Keep = "latest", by: str | None = None, seed: int = 0) -> Any:
    """Return the frame with one row of each person, in the order of the rows: the `latest` or the `first` by a column
    of dates or numbers, or a `random` one. `person` is the column that says who a row is about, `by` that of the dates.

    Of rows with the same date the first remains, and one without a date only if no other row of the person has any. A
    frame of pandas, Polars or PyArrow, or a Table, is returned as its kind.
    """
    if isinstance(frame, Table):
        return frame.take(kept_rows(frame, person, keep, by, seed))
    import narwhals as nw  # here, because plans that prepare nothing do not need it

    try:
        native = nw.from_native(frame, eager_only=True)
    except TypeError:
        raise BadInput(
            f"a {type(frame).__name__} is not a data frame in memory: collect it first, or keep one row per person in "
            "the query itself, such as by row_number() over (partition by … order by …) = 1"
        ) from None
    named = [name for name in dict.fromkeys((person, by)) if name is not None]
    missing = [name for name in named if name not in native.columns]
    if missing:
        raise BadInput(suggest(missing[0], list(native.columns), "column"))
    rows = kept_rows(Table.from_frame(native.select(named).to_native()), person, keep, by, seed)
    return native[rows.tolist()].to_native()


def kept_rows(table: Table, person: str, keep: Keep, by: str | None, seed: int) -> np.ndarray:
    """Return the numbers of the rows that remain, in order."""
    if keep not in KEEP:
        raise BadInput(f"one row per person is the latest, the first or a random one, not {literal(keep)}")
    if by is None and keep != "random":
        raise BadInput(f"the {keep} row of a person needs a column of dates or numbers: name it ({option('by', ...)})")
    table.need([name for name in (person, by) if name is not None])
    if keep == "random":
        order = np.random.default_rng(seed).permutation(table.rows)
    else:
        column = table.column(str(by))
        if not is_measurable(column):
            raise BadInput(f"column {by!r} does not hold dates or numbers, so it does not say which row is the {keep}")
        when = numbers_per_value(column)[column.codes]
        order = np.argsort(-when if keep == "latest" else when, kind="stable")  # NaN is last in both
    _, firsts = np.unique(table.column(person).codes[order], return_index=True)
    return np.sort(order[firsts])
