"""The people that every contract is tried on: a small table with every role, its schema, and quick methods."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

import fairveil as fv
from fairveil.counting.cells import Cells
from fairveil.data.snapshot import Snapshot
from fairveil.data.table import Column, Table
from fairveil.data.writers import piece_rows, write_pieces
from fairveil.engines import InMemoryTable, PublishedTable, Sizes
from fairveil.engines.relation import arrow_schema
from fairveil.methods import METHODS, Method

GUARDS = [fv.KAnonymity(3)]


def source(seed: int = 0, rows: int = 80, missing: bool = False) -> pa.Table:
    rng = np.random.default_rng(seed)
    zips: list[str | None] = [f"{a}{b}" for a, b in rng.integers(0, 3, size=(rows, 2))]
    if missing:
        zips[0] = zips[5] = None
    sex = rng.choice(["f", "m"], rows)
    decision = np.where(rng.random(rows) < np.where(sex == "f", 0.3, 0.6), "yes", "no")
    return pa.table({"name": [f"p{i}" for i in range(rows)], "zip": pa.array(zips), "age": rng.integers(20, 60, rows),
                     "sex": pa.array(sex), "illness": pa.array(rng.choice(["flu", "cold", "pox"], rows)),
                     "credit": pa.array(decision)})  # fmt: skip


SCHEMA = fv.Schema(
    identifier=["name"], quasi=["zip", "age", "sex"], protected=["sex"], sensitive=["illness"],
    decision="credit", denied="no", population=fv.Population(fraction=0.1),
    hierarchies={"zip": fv.hierarchy.mask(2), "age": fv.hierarchy.intervals([20, 60], widths=(10, 20))},
)  # fmt: skip

QUICK: dict[str, dict[str, Any]] = {
    "best-first": {"time_limit": 5.0},
    "noisy-table": {"epsilon": 20.0, "public": ("zip", "sex", "credit")},
    "preferences": {"evaluations": 200, "population": 20},
    "dmpd": {"generations": 3, "population": 10, "folds": 3},
}
"""Settings with which a method answers at once."""


ONE_PER_RECIPE = [
    method for method in METHODS if method.kind not in ("best-first", "roll-up", "datafly", "tdr", "mdav")
]
"""Methods for what depends on the recipe only: those left out have recipes of the same kinds as Incognito, TDS and
Fair-MDAV."""


def quick(method: type[Method]) -> Method:
    return method(**QUICK.get(method.kind, {}))


def search(method: Method, frame: object, **settings: Any) -> fv.Frontier:
    return fv.search(frame, SCHEMA, guards=settings.pop("guards", GUARDS), method=method, **settings)


def frames(published: Any) -> list[Any]:
    """What was published as a list of data frames, one of them unless the columns are split."""
    return published if isinstance(published, list) else [published]


def contents(folder: Path) -> dict[str, bytes]:
    """Every file of a folder, byte for byte."""
    files = sorted(file for file in folder.rglob("*") if file.is_file())
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in files}


class OnlyCounts:
    """A source that counts and never hands out a row: what is larger than memory.

    It publishes distinct rows with their counts, or rows that stay `elsewhere` until they are written.
    """

    has_rows = False
    engine = None
    by_cell = False
    inferred: frozenset[str] = frozenset()
    decimal = "."
    snapshot = Snapshot()

    def __init__(self, frame: object, *, elsewhere: bool = False) -> None:
        self._memory = InMemoryTable(Table.from_frame(frame))
        self.elsewhere = elsewhere
        self.rows, self.dropped, self.kind, self.names = self._memory.rows, 0, "pyarrow", self._memory.names
        self.snapshot = self._memory.snapshot

    def need(self, names: Sequence[str]) -> None:
        self._memory.need(names)

    def domain(self, name: str) -> Column:
        return self._memory.domain(name)

    def type_of(self, name: str) -> pa.DataType:
        return self._memory.type_of(name)

    def count(self, names: Sequence[str], levels: Mapping[str, Any] | None = None) -> Cells:
        return self._memory.count(names, levels)

    def sizes(self, names: Sequence[str], *, named: bool = False) -> Sizes:
        return self._memory.sizes(names, named=named)

    def frequent(self, name: str, most: int) -> tuple[list[Any], int]:
        return self._memory.frequent(name, most)

    @property
    def table(self) -> Table:
        raise AssertionError("a row was asked for")

    def pieces(self, rows: int) -> Generator[pa.Table, None, None]:
        raise AssertionError("a row was asked for")

    def watched(self, progress: Any) -> OnlyCounts:
        return self

    def cell_by_cell(self) -> OnlyCounts:
        return self

    def at_levels(self, schema: fv.Schema) -> OnlyCounts:
        return self

    def publish(self, change: Any, *, order: Any = "sorted") -> tuple[dict[str, PublishedTable], None]:
        published, _ = self._memory.publish(change, order=order)
        cells = {name: table.count(table.names) for name, table in published.items()}
        if self.elsewhere:
            return {name: Staying(table.table) for name, table in published.items()}, None
        return {name: InMemoryTable(distinct.table(), distinct.counts) for name, distinct in cells.items()}, None

    def fingerprint(self) -> str:
        return self._memory.fingerprint()


class Staying(InMemoryTable):
    """Published rows that nobody sees before they are written."""

    has_rows = False
    formats = ("parquet", "parts")

    @property
    def table(self) -> Table:
        raise AssertionError("a row was asked for")

    def write(self, folder: Path, name: str, format: Any, progress: fv.Progress) -> None:
        write_pieces(self.pieces(piece_rows()), self.rows, arrow_schema(self), folder, name, format, progress)
