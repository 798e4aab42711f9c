"""What more rows cost: a model with three measured constants, checked on a point that it has not seen, and what it says
of 10⁹ and 10¹¹ rows. `python -m benchmarks scale` prints it; docs/scale.md explains it.

count    seconds a row and counted column: reading, hashing, grouping on the engine
search   seconds a cell: whatever is done with cells, in one process
publish  seconds a row: recoding by lookup, ordering, writing, checking what was written
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.engines import QUASI, generate, write_plan
from benchmarks.timing import show

SIZES = (1_000_000, 2_000_000, 4_000_000, 8_000_000)
"""The model is fitted to all but the last one, and the last one is predicted."""
CELL_BYTES = 8 * (len(QUASI) + 3)
NETWORK = 1e9
"""Bytes a second into the process that searches: an assumption, not a measurement."""
MOST_CELLS = 100_000_000
"""About what one process searches in 32 GB; beyond it values are merged on the engine first."""
CHILD = """
import json, sys, time
import fairveil as fv
plan = fv.Plan.read(sys.argv[1])
clock = [time.perf_counter()]
source, schema = plan.data
cells = len(source.count([*schema.quasi, *schema.sensitive, schema.decision]))
clock.append(time.perf_counter())
release = plan.run()
clock.append(time.perf_counter())
release.save(sys.argv[2], format="parquet", accept=fv.attacks.ATTACKS.names)
clock.append(time.perf_counter())
print(json.dumps([cells, *(later - sooner for sooner, later in zip(clock, clock[1:]))]))
"""


@dataclass(frozen=True)
class Point:
    """One measured run."""

    rows: int
    cells: int
    count: float
    search: float
    publish: float


@dataclass(frozen=True)
class Model:
    """Each cost is a start and a slope; cells grow as a power of the rows."""

    count: tuple[float, float]
    search: tuple[float, float]
    publish: tuple[float, float]
    growth: tuple[float, float]

    @classmethod
    def fitted(cls, points: list[Point]) -> Model:
        rows = np.array([point.rows for point in points], dtype=float)
        cells = np.array([point.cells for point in points], dtype=float)

        def line(x: np.ndarray, y: list[float]) -> tuple[float, float]:
            slope, start = np.polyfit(x, np.array(y), 1)
            return float(max(start, 0.0)), float(max(slope, 0.0))

        power, first = np.polyfit(np.log(rows), np.log(cells), 1)
        return cls(
            line(rows, [point.count for point in points]),
            line(cells, [point.search for point in points]),
            line(rows, [point.publish for point in points]),
            (float(np.exp(first)), float(power)),
        )

    def cells(self, rows: float) -> float:
        return min(self.growth[0] * rows ** self.growth[1], rows, MOST_CELLS)

    def at(self, rows: float, nodes: int = 1) -> dict[str, float]:
        """Seconds of each part. Nodes count and publish their share of the rows; each sends its own cells to one
        process, which searches; lookup tables go back, which is nothing."""
        cells, share = self.cells(rows), rows / nodes
        sent = min(self.cells(share), share) * nodes * CELL_BYTES / NETWORK if nodes > 1 else 0.0
        parts = {
            "count": self.count[0] + self.count[1] * share,
            "send": sent,
            "search": self.search[0] + self.search[1] * cells,
            "publish": self.publish[0] + self.publish[1] * share,
        }
        return {**parts, "all": sum(parts.values())}


def measure(rows: int, runs: int = 2) -> Point:
    """The best of some runs, part by part."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        generate(rows, folder / "people.parquet")
        plan = write_plan(folder, folder / "people.parquet", "duckdb")
        seen = []
        for turn in range(runs):
            command = [sys.executable, "-c", CHILD, plan, folder / f"out{turn}"]
            said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
            seen.append(json.loads(said.splitlines()[-1]))
    cells, *parts = (min(part) for part in zip(*seen, strict=True))
    return Point(rows, cells, *parts)


def main(sizes: tuple[int, ...] = SIZES) -> None:
    points = [measure(rows) for rows in sizes]
    *seen, unseen = points
    guess, model = Model.fitted(seen).at(unseen.rows), Model.fitted(points)
    show(
        "constants",
        {
            "count": f"{model.count[1] / (len(QUASI) + 2) * 1e9:.1f} ns a row and column",
            "search": f"{model.search[1] * 1e6:.2f} µs a cell ({1 / max(model.search[1], 1e-12):,.0f} cells a second)",
            "publish": f"{model.publish[1] * 1e9:.0f} ns a row",
            "cells": f"{model.growth[0]:.3g} · rows^{model.growth[1]:.2f}",
        },
    )
    show(
        f"{unseen.rows:,} rows, predicted from fewer and measured",
        {
            part: f"{guess[part]:6.2f} s predicted, {getattr(unseen, part):6.2f} s measured"
            for part in ("count", "search", "publish")
        },
    )
    places = ((10**9, 1), (10**9, 10), (10**11, 100), (10**11, 1000))
    show(
        "further than was measured",
        {
            f"{rows:.0e} rows, {nodes:,} nodes": ", ".join(f"{p} {s:,.0f} s" for p, s in model.at(rows, nodes).items())
            for rows, nodes in places
        },
    )


if __name__ == "__main__":
    main()
