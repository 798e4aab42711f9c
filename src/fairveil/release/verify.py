"""Verify: re-read a release's files and re-check every promise, from the files alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fairveil import recipes
from fairveil.errors import BadInput
from fairveil.guards import Verdict
from fairveil.progress import Progress, Report
from fairveil.published.folder import EVIDENCE, RECIPE, Loaded, load, load_json, seal, sha256


@dataclass(frozen=True)
class Verification:
    """True when every file is as it was sealed and every promise holds; otherwise what is wrong."""

    path: Path
    problems: tuple[str, ...]
    verdicts: tuple[Verdict, ...]
    rows: int

    def __bool__(self) -> bool:
        return not self.problems

    def to_dict(self) -> dict[str, Any]:
        return {
            "holds": bool(self),
            "rows": self.rows,
            "problems": list(self.problems),
            "guards": [verdict.to_dict() for verdict in self.verdicts],
        }


def verify(path: str | Path, *, progress: Progress | Report | None = None) -> Verification:
    """Check a release folder. A folder that is no release is bad input; a broken promise gives False."""
    folder, progress = Path(path), Progress.of(progress)
    return progress.run(lambda: _verified(folder, progress))


def _verified(folder: Path, progress: Progress) -> Verification:
    evidence = load_json(folder / EVIDENCE)
    problems = changed_files(folder, evidence, progress)
    recipe = recipes.from_dict(load_json(folder / RECIPE))
    if not evidence.get("guards"):
        problems.append("the evidence promises nothing")
    try:
        loaded = load(folder, progress)
        tables = loaded.published.tables
        lacking = recipe.lacks(tables)
        if lacking:
            return Verification(folder, (*problems, *lacking), (), loaded.published.rows)
        problems += recipe.problems(tables)
        verdicts = loaded.published.verdicts()
    except BadInput as problem:
        return Verification(folder, (*problems, str(problem)), (), 0)
    problems += [f"{verdict.guard.kind} does not hold: {verdict.sentence}" for verdict in verdicts if not verdict]
    return _counted(loaded, problems, verdicts)


def _counted(loaded: Loaded, problems: list[str], verdicts: tuple[Verdict, ...]) -> Verification:
    rows = loaded.published.rows
    claimed = loaded.evidence.get("rows", {}).get("published")
    if verdicts and claimed != rows:
        problems = [*problems, f"the evidence says {claimed} rows, the data has {rows}"]
    return Verification(loaded.path, tuple(problems), verdicts, rows)


def changed_files(folder: Path, evidence: Mapping[str, Any], progress: Progress) -> list[str]:
    """Files that are not as they were sealed."""
    problems = []
    if seal(evidence) != evidence.get("seal"):
        problems.append("evidence.json was changed after it was sealed")
    files = evidence.get("files", {})
    for name, checksum in files.items():
        progress.check(f"reading {name}")
        if not (folder / name).is_file():
            problems.append(f"{name} is missing")
        elif sha256(folder / name) != checksum:
            problems.append(f"{name} was changed: its SHA-256 is not the one in the evidence")
    extra = sorted(file.name for file in folder.iterdir() if file.name not in (*files, EVIDENCE))
    return problems + [f"{name} does not belong to the release" for name in extra]
