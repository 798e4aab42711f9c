"""The files and commands of docs/first-hour.md, for benchmarks that run them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from experiments.first_hour.files import FILES

STEPS = ("init", "explore", "release", "verify", "attack", "utility", "report", "apply")
"""The commands in the order in which a user needs them; `init` writes the plan, `release` the folder."""
NAMES = tuple(file.name for file in FILES)


def put(names: Sequence[str], home: Path) -> dict[str, tuple[Path, Path]]:
    """The named files and their new rows, each in a folder of its own; those whose data is not here are left out."""
    places = {}
    for file in FILES:
        if file.name in names:
            (home / file.name).mkdir(parents=True, exist_ok=True)
            places[file.name] = file.put(home / file.name)
    return {name: pair for name, pair in places.items() if pair is not None}


def commands(places: tuple[Path, Path], work: Path) -> dict[str, list[str]]:
    """The arguments of `fairveil` by step; plan and release are kept in the folder `work`."""
    source, new = map(str, places)
    plan, release = str(work / "plan.toml"), str(work / "release")
    return {
        "init": ["init", source, "--out", plan, "--overwrite"],
        "explore": ["explore", plan, "--json", "--top", "1"],
        "release": ["release", plan, "--out", release, "--overwrite"],
        "verify": ["verify", release],
        "attack": ["attack", release, "--original", source],
        "utility": ["utility", release, "--original", source],
        "report": ["report", release, "--out", str(work / "report.html"), "--overwrite"],
        "apply": ["apply", release, new, "--out", str(work / "new.csv"), "--overwrite"],
    }
