"""What it costs to work block by block: loss, seconds and memory of methods that need rows, exact and in blocks.

`python -m benchmarks.blocks [times]`: Adult's rows so many times over (default 1), a tenth of the values redrawn, on
DuckDB. `python -m benchmarks.blocks --rows 1000000 3000000` instead shows how the memory of a whole release grows with
the rows of a file: each run is a process of its own.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq

import fairveil as fv
from benchmarks.memory import peak
from benchmarks.timing import show
from fairveil.data.table import Table
from fairveil.datasets.dataset import Dataset
from fairveil.engines import InMemoryTable, open_source
from fairveil.methods.blocks.block_search import in_blocks
from fairveil.methods.method import Method, Proposal
from fairveil.methods.task import Task

K = 10
SHARES = (4, 16, 64)
"""Blocks have at most one so many-th of the rows."""
METHODS: dict[str, Method] = {m.kind: m for m in (fv.Mondrian(), fv.TopDownGreedy(), fv.MDAV(), fv.FairMDAV(size=K))}


def adult(times: int) -> Dataset:
    """Adult so many times over; in the copies a tenth of the values are those of other people."""
    data = fv.datasets.adult()
    if times == 1:
        return data
    random = np.random.default_rng(0)
    rows = np.tile(np.arange(data.table.rows), times)
    columns = []
    for column in data.table.columns:
        redrawn = (random.random(len(rows)) < 0.1) & (np.arange(len(rows)) >= data.table.rows)
        columns.append(column.take(np.where(redrawn, random.permutation(rows), rows)))
    return replace(data, table=Table(tuple(columns)))


def loss_of(task: Task, proposal: Proposal) -> float:
    judged = (proposal.task or task).judge(proposal.changes[0])
    assert judged.holds
    return float(fv.measures.get("loss").of(judged.summary)[0])


def against_exact(times: int) -> None:
    """Loss and time of each method, all rows at once and in ever smaller blocks."""
    data = adult(times)
    lines = {}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "adult.parquet"
        pq.write_table(data.table.to_arrow(), path)
        for method in METHODS.values():
            task = Task.of(InMemoryTable(data.table), data.schema, [fv.KAnonymity(K)])
            start = time.perf_counter()
            exact = loss_of(task, method.search(task))
            line = [f"exact {exact:.4f} in {time.perf_counter() - start:.1f} s"]
            task = Task.of(open_source(path, engine="duckdb"), data.schema, [fv.KAnonymity(K)])
            for share in SHARES:
                start = time.perf_counter()
                proposal = in_blocks(method, task, data.table.rows // share)
                loss, seconds = loss_of(task, proposal), time.perf_counter() - start
                line.append(f"{proposal.notes[-1].split()[2]} blocks {loss:.4f} in {seconds:.1f} s")
            lines[f"loss of {method.kind}"] = ", ".join(line)
    show(f"Row methods block by block, {data.table.rows:,} rows of Adult, k = {K}", lines)


def released(path: Path, kind: str, out: Path) -> None:
    """One release on DuckDB in this process: prints its seconds and the peak of resident memory."""
    schema = fv.Schema(
        identifier=["id"], quasi=["age", "region", "education", "job", "marital", "born"], sensitive=["diagnosis"],
        protected=["sex"], decision="granted", denied="no", plain=["sex", "cost", "children"],
    )  # fmt: skip
    source = open_source(path, engine="duckdb", memory="1GB")
    before, start = peak(), time.perf_counter()
    found = fv.search(source, schema, guards=[fv.KAnonymity(K)], method=METHODS[kind])
    searched = peak()
    found.release(0).save(out, format="parquet", accept=fv.attacks.ATTACKS.names)
    figures = {"seconds": time.perf_counter() - start, "note": found.proposal.notes[-1]}
    print(json.dumps({**figures, "before": before / 1024, "searched": searched / 1024, "peak": peak() / 1024}))


def memory(sizes: list[int], kinds: list[str]) -> None:
    """How the memory of a whole release grows with the rows."""
    from benchmarks.engines import generate

    with tempfile.TemporaryDirectory() as name:
        for kind in kinds:
            lines = {}
            for rows in sizes:
                path = Path(name) / f"{rows}.parquet"
                if not path.exists():
                    generate(rows, path)
                command = [sys.executable, "-W", "ignore", "-m", "benchmarks.blocks", "--release", str(path), kind,
                           str(Path(name) / f"{kind}-{rows}")]  # fmt: skip
                said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
                found = json.loads(said.splitlines()[-1])
                lines[f"{rows:,} rows"] = (
                    f"{found['note']}; {found['seconds']:.0f} s, {found['searched']:.2f} GB resident after the search, "
                    f"{found['peak']:.2f} GB at most ({found['before']:.2f} GB before)"
                )
            show(f"Memory of {kind} on DuckDB", lines)


def main() -> None:
    parser = argparse.ArgumentParser(description="What it costs to work block by block.")
    parser.add_argument("times", type=int, nargs="?", default=1)
    parser.add_argument("--rows", type=int, nargs="*", default=[])
    parser.add_argument("--methods", nargs="*", default=["mondrian"], choices=list(METHODS))
    parser.add_argument("--release", nargs=3, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.release:
        released(Path(asked.release[0]), asked.release[1], Path(asked.release[2]))
    elif asked.rows:
        memory(asked.rows, asked.methods)
    else:
        against_exact(asked.times)


if __name__ == "__main__":
    main()
