"""Whether every engine gives the same release, byte for byte: of generated people, Adult, and values of every type."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pyarrow.parquet as pq

import fairveil as fv
from benchmarks.timing import show
from fairveil.errors import BadInput
from fairveil.run.plan import Origin
from tests import real_parts
from tests.engines.test_types import PUBLISHED, drawn


def same_everywhere(plans: dict[str, fv.Plan], folder: Path) -> None:
    """The release of each plan from every engine that is here, against the one from memory."""
    lines: dict[str, dict[str, str]] = {name: {} for name in plans}
    with ExitStack() as parts:
        for engine in ("memory", "duckdb", "spark", "sql"):
            try:
                origins = dict(_on(engine, plans, folder, parts))
            except (real_parts.Absent, BadInput) as absent:  # a part that is not here is a line of the output
                lines = {name: {**found, engine: str(absent)[:100]} for name, found in lines.items()}
                continue
            for name, origin in origins.items():
                out, start = folder / f"{name}-{engine}", time.perf_counter()
                replace(plans[name], source=origin).run().save(out, format="parquet", accept=plans[name].accept)
                taken = time.perf_counter() - start
                alike = digest(out) == digest(folder / f"{name}-memory")
                against = "" if engine == "memory" else "the same, " if alike else "NOT THE SAME, "
                lines[name][engine] = f"{digest(out)[:12]}, {against}{taken:.1f} s"
    for name, found in lines.items():
        show(f"{name}, checksum of the release", found)


def _on(engine: str, plans: dict[str, fv.Plan], folder: Path, parts: ExitStack) -> Iterator[tuple[str, Origin]]:
    """Where each plan finds its data on an engine; PostgreSQL's tables are filled here."""
    if engine == "spark":
        session = parts.enter_context(real_parts.spark_session())
        for setting in ("spark.sql.codegen.wholeStage", "spark.sql.adaptive.enabled"):
            session.conf.set(setting, "true")  # which pays off with a million rows, and not in tests
    server = parts.enter_context(real_parts.postgres_server()) if engine == "sql" else None
    for name, plan in plans.items():
        origin = replace(plan.source, engine=engine)
        if server is not None:
            os.environ["PGPASSWORD"] = server.password
            path = Path(str(plan.source.path))
            if name == "types of files":  # some of which PostgreSQL has not
                continue
            real_parts.copy_parquet(path, server, name, _kinds(path))
            origin = replace(origin, path=None, url=server.url, table=name)
        yield name, origin


def adult(folder: Path) -> fv.Plan:
    bundled = fv.datasets.adult()
    pq.write_table(bundled.table.to_arrow(), folder / "adult.parquet")
    guards = (fv.KAnonymity(10, suppression=0.02),)
    accept = ("homogeneity", "uniqueness")
    return fv.Plan(Origin(path=str(folder / "adult.parquet")), guards, bundled.schema, accept=accept)


SHARED = ("text", "UUID", "padded", "truth", "int64", "float32", "float64", "decimal", "38 places", "day",
          "microseconds", "Berlin", "time in us", "duration in us")  # fmt: skip
"""Types that all engines have; Spark joins each column with its values, so of those that are alike one will do."""
FILES = ("no value", "uint32", "uint64", "float16", "nanoseconds", "zoned nanoseconds", "time in ms", "time in ns",
         "duration in s", "duration in ns")  # fmt: skip
"""Types of Parquet files that PostgreSQL has not."""


def types(rows: int, folder: Path, engine: str) -> fv.Plan:
    """Values of every type that an engine has, drawn column by column."""
    names = SHARED if engine == "postgres" else (*SHARED[:2], *FILES)
    cases = {name: PUBLISHED[name] for name in names}
    table, path = drawn(cases, rows), folder / f"types-{engine}.parquet"
    pq.write_table(table, path)
    schema = fv.Schema(quasi=["q"], plain=[name for name in table.column_names if name != "q"])
    return fv.Plan(Origin(path=str(path)), (fv.KAnonymity(5),), schema, accept=("homogeneity", "uniqueness"))


def _kinds(path: Path) -> dict[str, str] | None:
    """The types of PostgreSQL of the columns above."""
    names = pq.read_schema(path).names
    return {n: PUBLISHED[n[6:]].postgres if n != "q" else "text" for n in names} if "q" in names else None


def digest(release: Path) -> str:
    """A checksum of all files of a release: rows, recipe, evidence and report."""
    files = sorted(file for file in release.rglob("*") if file.is_file())
    return hashlib.sha256(b"".join(hashlib.sha256(file.read_bytes()).digest() for file in files)).hexdigest()
