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
from fairveil.engines import Source, open_source
from fairveil.errors import BadInput
from fairveil.run.plan import Origin
from tests import real_parts
from tests.engines.test_types import (
    PUBLISHED,
    REFUSED,
    add_enum,
    having,
    many_rows,
    postgres_types,
    table_of,
    without_intervals,
)

FILES, POSTGRES = "types of files", "types of PostgreSQL"


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
    if server is not None:
        add_enum(server)
    for name, plan in plans.items():
        if name.startswith(POSTGRES) and engine in ("duckdb", "spark"):  # which read these types from files
            continue
        origin = replace(plan.source, engine=engine)
        if server is not None:
            os.environ["PGPASSWORD"] = server.password
            path = Path(str(plan.source.path))
            if name.startswith(FILES):  # some of which PostgreSQL has not
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


def types(rows: int, folder: Path) -> dict[str, fv.Plan]:
    """Values of every type that the suite publishes, in files and on PostgreSQL, drawn column by column."""
    plans = {}
    for where, kind in (("parquet", FILES), ("postgres", POSTGRES)):
        for number, (_, table) in enumerate(many_rows(where, rows)):
            path = folder / f"{where}-{number}.parquet"
            pq.write_table(without_intervals(table), path)
            schema = fv.Schema(quasi=["q"], plain=[name for name in table.column_names if name != "q"])
            accept = ("homogeneity", "uniqueness")
            plans[f"{kind} {number}"] = fv.Plan(Origin(path=str(path)), (fv.KAnonymity(5),), schema, accept=accept)
    return plans


def refused(folder: Path) -> None:
    """Whether every engine that reads files refuses the other types in the same sentence."""
    cases = having(REFUSED, "parquet")
    path = folder / "refused.parquet"
    pq.write_table(table_of(cases, ("plain",)), path)
    sentences: dict[str, list[str]] = {}
    with ExitStack() as parts:
        for engine in ("memory", "duckdb", "spark"):
            try:
                if engine == "spark":
                    parts.enter_context(real_parts.spark_session())
                source = open_source(path, engine=engine)
            except (real_parts.Absent, BadInput) as absent:
                sentences[engine] = [str(absent)]
                continue
            sentences[engine] = [_refusal(source, f"plain {name}") for name in cases]
    alike = {engine: "the same sentences" if said == sentences["memory"] else f"NOT THE SAME: {said}"
             for engine, said in sentences.items()}  # fmt: skip
    show(f"{len(cases)} types that are refused", alike)


def _refusal(source: Source, name: str) -> str:
    try:
        return f"{name} is published: {source.domain(name).domain}"
    except BadInput as problem:
        return str(problem)


def _kinds(path: Path) -> dict[str, str] | None:
    """The types of PostgreSQL of the columns above."""
    names = pq.read_schema(path).names
    return postgres_types({n[6:]: PUBLISHED[n[6:]] for n in names if n != "q"}) if "q" in names else None


def digest(release: Path) -> str:
    """A checksum of all files of a release: rows, recipe, evidence and report."""
    files = sorted(file for file in release.rglob("*") if file.is_file())
    return hashlib.sha256(b"".join(hashlib.sha256(file.read_bytes()).digest() for file in files)).hexdigest()
