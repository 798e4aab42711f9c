"""The papers' experiments, each in a file of its own; `fairveil reproduce NAME` runs one.

An experiment is a module with `TITLE` (one line) and `run(out, *, full, seed, progress) -> list[Sheet]`: it
computes tables, writes its plots into the folder `out`, and returns the tables. It prints nothing. Long runs keep
what is done in `out` and go on from there.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

EXPERIMENTS: dict[str, str] = {
    "incognito": "experiments.incognito",
    "preferences": "experiments.preferences",
    "fair-mdav": "experiments.fair_mdav",
    "decomposition": "experiments.decomposition",
    "rollup": "experiments.rollup",
}
"""Name on the command line -> module that holds the experiment."""


@dataclass(frozen=True)
class Sheet:
    """A table to print: ours beside the paper's, and what explains a difference."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Any]]
    notes: Sequence[str] = ()


def not_bundled(name: str) -> Path | None:
    """Where data that may not be bundled is, a file or folder: in the folder FAIRVEIL_DATA, or one beside the project.

    None if it is not here.
    """
    asked = os.environ.get("FAIRVEIL_DATA")
    beside = [Path.cwd().parent, Path(__file__).resolve().parents[2]]
    folders = ([Path(asked)] if asked else []) + [folder / "shared" / "data" for folder in beside]
    return next((folder / name for folder in folders if (folder / name).exists()), None)
