"""All k-anonymous generalizations, against ARX's one optimum in the same run, and lattices beyond those.

`python -m benchmarks lattice`: nine columns of Adult (12,960 nodes) at five combinations of k and suppression, and 1.2
million rows made of them. ARX is run where FAIRVEIL_ARX names a folder with its classes and libraries (`*.jar`, or
folders of classes) and Java is there; otherwise its times are those of a quiet machine of two cores, and the line says
so. `--large`: a lattice of fifteen columns and more than 10⁸ nodes, border only, and nearly five million tuples, each
in a process of its own, with time and memory. `--turns N`: repetitions at least, the best of which counts (default 5);
short searches are repeated more often, as ARX is.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

import fairveil as fv
from benchmarks import nine
from benchmarks.timing import ratio
from fairveil.counting import threads
from fairveil.data.table import Column
from fairveil.engines import source_of

CASES = ((5, 0.0, 0.050), (10, 0.0, 0.037), (5, 0.05, 1.543), (10, 0.05, 1.159), (100, 0.05, 0.421))
LARGE_CASES = ((5, 0.0, 3.8), (5, 0.05, 77.0))
"""k, suppression, and the seconds that ARX took on a quiet machine."""
ARX = os.environ.get("FAIRVEIL_ARX", "")
RUNNER = """
import java.io.File;
import java.nio.charset.StandardCharsets;
import org.deidentifier.arx.*;
import org.deidentifier.arx.criteria.KAnonymity;
import org.deidentifier.arx.metric.Metric;

public class Runner {
  public static void main(String[] given) throws Exception {
    Data data = Data.create(new File(given[0]), StandardCharsets.UTF_8, ';');
    for (int i = 0; i < data.getHandle().getNumColumns(); i++) {
      String name = data.getHandle().getAttributeName(i);
      File file = new File(given[1] + "/" + name + ".csv");
      AttributeType levels = AttributeType.Hierarchy.create(file, StandardCharsets.UTF_8, ';');
      data.getDefinition().setAttributeType(name, levels);
    }
    double best = Double.MAX_VALUE;
    for (int turn = 0; turn < Integer.parseInt(given[4]); turn++) {
      data.getHandle().release();
      ARXConfiguration configuration = ARXConfiguration.create();
      configuration.addPrivacyModel(new KAnonymity(Integer.parseInt(given[2])));
      configuration.setSuppressionLimit(Double.parseDouble(given[3]));
      configuration.setQualityModel(Metric.createLossMetric());
      long began = System.nanoTime();
      new ARXAnonymizer().anonymize(data, configuration);
      best = Math.min(best, (System.nanoTime() - began) / 1e9);
    }
    System.out.println(best);
  }
}
"""


def main() -> None:
    options = argparse.ArgumentParser(prog="python -m benchmarks lattice")
    options.add_argument("--large", action="store_true")
    options.add_argument("--only", choices=("wide", "many"), help="one of the large ones, in this process")
    options.add_argument("--turns", type=int, default=5)
    asked = options.parse_args()
    if asked.only:
        {"wide": wide, "many": many}[asked.only]()
        return
    if asked.large:
        for name in ("wide", "many"):
            words = [sys.executable, "-m", "benchmarks", "lattice", "--only", name]
            print(subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True).stdout, end="", flush=True)
        return
    table, schema = nine.load()
    print(f"\nAll k-anonymous generalizations of Adult, nine columns, {threads.count()} threads")
    compare(table, schema, CASES, asked.turns)
    table = repeated(table, 40)
    print(f"\n{table.rows:,} rows, {len(source_of(table).count(nine.NAMES)):,} distinct tuples")
    compare(table, schema, LARGE_CASES, min(asked.turns, 2))


def compare(table: fv.Table, schema: fv.Schema, cases: tuple[tuple[int, float, float], ...], turns: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        nine.write(home, table)
        table.to_frame("pandas").astype(str).to_csv(home / "rows.csv", sep=";", index=False)
        for k, suppression, known in cases:
            guards = [fv.KAnonymity(k, suppression=suppression)]
            seconds, began_of_cpu = float("inf"), time.process_time()
            repeats = max(turns, min(int(2 / known), 100))  # ARX has up to as many
            for _ in range(repeats):
                began = time.perf_counter()
                frontier = fv.search(table, schema, guards=guards)
                frontier.best_position("loss"), frontier.best_position("dm")
                seconds = min(seconds, time.perf_counter() - began)
            cpu = (time.process_time() - began_of_cpu) / repeats
            theirs = arx_seconds(home, k, suppression, min(max(int(6 / known), 1), 100))  # Java warms up
            where = "ARX" if theirs else "ARX on a quiet machine"
            theirs = theirs or known
            print(
                f"  k={k}, {suppression:.0%} suppressed: {len(frontier):,} solutions, the best by loss and dm in "
                f"{seconds * 1e3:.1f} ms ({cpu * 1e3:.1f} ms CPU); {where} {theirs * 1e3:.0f} ms, "
                f"{theirs / seconds:.1f} times as long",
                flush=True,
            )
            ratio(f"{where}, k={k}, suppression {suppression:.0%}, {table.rows:,} rows", theirs / seconds)


def arx_seconds(home: Path, k: int, suppression: float, turns: int) -> float | None:
    """The best time of ARX, warmed up, for its one optimum by loss; None where it cannot be run."""
    if not ARX or shutil.which("javac") is None:
        return None
    places = ":".join([ARX, str(home), *map(str, Path(ARX).rglob("*.jar")), *map(str, Path(ARX).glob("*/"))])
    if not (home / "Runner.class").exists():
        (home / "Runner.java").write_text(RUNNER)
        subprocess.run(["javac", "-nowarn", "-cp", places, "-d", str(home), str(home / "Runner.java")], check=True)
    words = ["java", "-Xmx3g", "-cp", places, "Runner", str(home / "rows.csv"), str(home), str(k), str(suppression)]
    done = subprocess.run([*words, str(turns)], capture_output=True, text=True, check=True)
    return float(done.stdout)


def repeated(table: fv.Table, times: int, changed: float = 0.4) -> fv.Table:
    """The rows so many times, with this share of the values drawn anew from other rows."""
    rng = np.random.default_rng(0)
    rows = np.tile(np.arange(table.rows), times)
    drawn = table.take(rows)
    columns = []
    for column in drawn.columns:
        fresh = rng.random(len(rows)) < changed
        codes = column.codes.copy()
        codes[fresh] = codes[rng.integers(0, len(rows), int(fresh.sum()))]
        columns.append(Column(column.name, codes, column.values))
    return drawn.with_columns(columns)


def wide() -> None:
    """The border of a lattice of fifteen columns."""
    from fairveil.methods.task import Task

    rng = np.random.default_rng(0)
    rows, sizes = 50_000, (64, 64, 32, 32, 16, 16, 16, 8, 8, 8, 8, 4, 4, 4, 4)
    columns = {f"q{i:02}": rng.geometric(0.5, rows).clip(1, size) - 1 for i, size in enumerate(sizes)}
    trees = {}
    for name, size in zip(columns, sizes, strict=True):
        heights = range(1, size.bit_length() - 1)
        trees[name] = fv.hierarchy.from_rows([(str(v), *(f"{h}:{v >> h}" for h in heights), "*") for v in range(size)])
    table = fv.Table.from_frame(framed({name: values.astype(str) for name, values in columns.items()}))
    task = Task.of(table, fv.Schema(quasi=list(columns), hierarchies=trees), [fv.KAnonymity(5)])
    lattice = task.lattice
    print(f"\n{len(columns)} columns, {lattice.size:,} nodes, {rows:,} rows, {len(task.cells):,} distinct tuples")
    for k in (50, 5):
        began = time.perf_counter()
        border = lattice.border(k)
        tell(
            f"  k={k}: {len(border):,} lowest generalizations, below which there is none",
            began,
        )


def many() -> None:
    """All generalizations of nearly five million distinct tuples."""
    rng = np.random.default_rng(0)
    rows, sizes = 6_000_000, (100, 50, 40, 20, 10, 8)
    columns, trees = {}, {}
    for i, size in enumerate(sizes):
        name = f"q{i}"
        columns[name] = (rng.beta(1, 3, rows) * size).astype(np.int64).astype(str)
        steps = [w for w in (2, 5, 10, 25) if w < size]
        trees[name] = fv.hierarchy.from_rows(
            [(str(v), *(f"{w}:{v // w}" for w in lined(steps)), "*") for v in range(size)]
        )
    table = fv.Table.from_frame(framed(columns))
    schema = fv.Schema(quasi=list(columns), hierarchies=trees)
    tuples = len(source_of(table).count(list(columns)))
    print(f"\n{rows:,} rows, {tuples:,} distinct tuples, {len(columns)} columns")
    for suppression in (0.0, 0.02):
        began = time.perf_counter()
        frontier = fv.search(table, schema, guards=[fv.KAnonymity(10, suppression=suppression)])
        frontier.best_position("loss")
        tell(f"  k=10, {suppression:.0%} suppressed: {len(frontier):,} solutions, the best by loss", began)


def lined(steps: list[int]) -> list[int]:
    """Widths that nest: each is a multiple of the one before."""
    nested = [1]
    for step in steps:
        nested.append(nested[-1] * max(step // nested[-1], 2))
    return nested[1:]


def framed(columns: dict[str, np.ndarray]) -> object:
    import pyarrow as pa

    return pa.table({name: pa.array(values) for name, values in columns.items()})


def tell(line: str, began: float) -> None:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    print(f"{line}: {time.perf_counter() - began:.2f} s, peak memory of the process {peak:.2f} GB", flush=True)


if __name__ == "__main__":
    main()
