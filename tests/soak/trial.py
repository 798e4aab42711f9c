"""One random release: made, saved, checked plainly, verified; sometimes made again from rows in another order, or with
other values in the rows that were left out."""

from __future__ import annotations

import random
import tempfile
import traceback
from dataclasses import dataclass, field, replace
from pathlib import Path

import duckdb
import polars
import pyarrow as pa

import fairveil as fv
from fairveil.release.release import Release
from tests.known import ANY_DANGER
from tests.soak.cases import Case, case
from tests.soak.plain import problems


@dataclass
class Result:
    """What came of it: `released`, `infeasible` or `refused`; `faults` is empty where all is well."""

    what: str
    case: str
    faults: list[str] = field(default_factory=list)


def trial(seed: int) -> Result:
    """Make the release of this seed and look for anything wrong with it."""
    tried = case(seed)
    result = Result("refused", tried.describe())
    try:
        with tempfile.TemporaryDirectory(prefix="soak-") as home:
            _try(tried, result, Path(home))
    except Exception:
        result.faults.append(traceback.format_exc(limit=-4))
    return result


def _try(tried: Case, result: Result, home: Path) -> None:
    release = _made(tried, result)
    if release is None:
        return
    folder = release.save(home / "release", format=tried.format, accept=ANY_DANGER).path  # type: ignore[arg-type]
    result.what = "released"
    result.faults += problems(folder, tried.promise)
    if not (verification := fv.verify(folder)):
        result.faults.append(f"verify denies it: {verification.problems}")
    if tried.method.deterministic and tried.seed % 4 == 0:
        shuffled = tried.frame.sample(frac=1, random_state=tried.seed).reset_index(drop=True)
        again = _made(replace(tried, frame=shuffled), Result("", ""))
        if again is None:
            result.faults.append("nothing is released of the rows in another order")
        else:
            changed = _changed(folder, again.save(home / "shuffled", format=tried.format, accept=ANY_DANGER).path)  # type: ignore[arg-type]
            result.faults += [f"in another order, {name} differs" for name in changed]
    if tried.method.deterministic and tried.seed % 4 == 2 and tried.promise.persons:
        result.faults += _elsewhere(tried, home)
    if tried.method.deterministic and tried.seed % 4 == 1 and release.suppressed:
        again = _with_other_suppressed(tried, release)
        if again is not None:
            changed = _changed(folder, again.save(home / "changed", format=tried.format, accept=ANY_DANGER).path)  # type: ignore[arg-type]
            if not any(name.startswith(("data.", "projection-")) for name in changed):
                result.faults += [f"with other suppressed rows, {name} differs" for name in changed]


def _elsewhere(tried: Case, home: Path) -> list[str]:
    """What differs if the rows are on an engine: nothing, but that a note may say where they are."""
    table, made = pa.Table.from_pandas(tried.frame, preserve_index=False), list[Path]()
    engine = "duckdb" if tried.seed % 8 == 2 else "polars"
    there = duckdb.connect().from_arrow(table) if engine == "duckdb" else polars.from_arrow(table).lazy()
    for data in (table, there):
        release = _made(replace(tried, frame=data), Result("", ""))
        if release is not None:
            folder = home / f"place-{len(made)}"
            made.append(release.save(folder, format="parquet", accept=ANY_DANGER).path)
    if len(made) < 2:
        return [f"{engine} releases, and memory does not, or the other way round"] if made else []
    return [f"{name} differs on {engine}" for name in _changed(*made)]


def _made(tried: Case, result: Result) -> Release | None:
    """The release; None where it is refused, or where nothing keeps the guards."""
    try:
        found = fv.search(tried.frame, tried.schema, guards=tried.guards, method=tried.method, seed=1)
    except fv.Infeasible:
        result.what = "infeasible"
        return None
    except fv.BadInput:
        return None
    position = random.Random(tried.seed).randrange(len(found))
    release = found.release(position)
    if not release.holds:
        result.faults.append(f"candidate {position} of {len(found)} does not keep the guards")
        return None
    return release


def _with_other_suppressed(tried: Case, release: Release) -> Release | None:
    """The same people, but one who is not published has other values; None unless the same people are published."""
    if release.source_rows is None:
        return None
    gone = sorted(set(range(len(tried.frame))) - set(release.source_rows.tolist()))
    if not gone:
        return None
    rng, frame = random.Random(tried.seed), tried.frame.copy()
    for name in tried.schema.quasi:
        if frame[name].dtype == float:
            frame.loc[gone[0], name] = 98765432.19
        else:
            frame.loc[gone[0], name] = frame[name].iloc[rng.randrange(len(frame))]
    again = _made(replace(tried, frame=frame), Result("", ""))
    if again is None or again.source_rows is None or set(again.source_rows) != set(release.source_rows):
        return None
    return again


def _changed(before: Path, after: Path) -> list[str]:
    """The files that are not the same, byte by byte."""
    return [file.name for file in before.iterdir() if file.read_bytes() != (after / file.name).read_bytes()]
