"""One random release: made, saved, checked plainly, verified; sometimes made again from rows in another order, or with
other values in the rows that were left out."""

from __future__ import annotations

import random
import tempfile
import traceback
from dataclasses import dataclass, field, replace
from pathlib import Path

import pandas as pd

import fairveil as fv
from fairveil.release.release import Release
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
    folder = release.save(home / "release", format=tried.format, **ACCEPT)  # type: ignore[arg-type]
    result.what = "released"
    result.faults += problems(folder, tried.promise)
    if not (verification := fv.verify(folder)):
        result.faults.append(f"verify denies it: {verification.problems}")
    if tried.method.deterministic and tried.seed % 4 == 0:
        shuffled = tried.frame.sample(frac=1, random_state=tried.seed).reset_index(drop=True)
        result.faults += _differences(tried, shuffled, folder, home / "shuffled", "in another order")
    if tried.method.deterministic and tried.seed % 4 == 1 and release.suppressed:
        changed = _other_suppressed(tried, release)
        if changed is not None:
            result.faults += _differences(tried, changed, folder, home / "changed", "with other suppressed rows")


ACCEPT: dict[str, object] = {}


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


def _other_suppressed(tried: Case, release: Release) -> pd.DataFrame | None:
    """The same people, but one who is not published has values of other people, and a number of their own."""
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
    return frame


def _differences(tried: Case, frame: pd.DataFrame, before: Path, after: Path, how: str) -> list[str]:
    """Files that differ although the published data do not."""
    other = _made(replace(tried, frame=frame), Result("", ""))
    if other is None:
        return [f"nothing is released {how}"] if how == "in another order" else []
    other.save(after, format=tried.format, **ACCEPT)  # type: ignore[arg-type]
    changed = [file.name for file in before.iterdir() if file.read_bytes() != (after / file.name).read_bytes()]
    data = [name for name in changed if name.startswith(("data.", "projection-"))]
    if data and how != "in another order":
        return []  # something else is published, so something else may be said
    return [f"{how}, {', '.join(changed)} differ"] if changed else []
