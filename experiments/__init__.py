"""The papers' experiments, each in a folder of its own; `fairveil reproduce NAME` runs one. README.md tells how.

Each has a module `experiment.py` with `TITLE` (one line) and `run(study) -> Iterator[Sheet]`: it computes its tables
through `study.once`, which keeps what is done, writes pictures into `study.out`, and yields each sheet as soon as it is
finished. It prints nothing. The paper's own numbers are in `papers/NAME.toml`.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

EXPERIMENTS: dict[str, str] = {
    "incognito": "experiments.incognito.experiment",
    "preferences": "experiments.preferences.experiment",
    "fair-mdav": "experiments.fair_mdav.experiment",
    "decomposition": "experiments.decomposition.experiment",
    "rollup": "experiments.rollup.experiment",
}
"""Name on the command line -> module that holds the experiment."""


@dataclass(frozen=True)
class Sheet:
    """A table to print, what it tells of the paper's numbers and claims, and the pictures that go with it.

    `of` names the paper's tables and figures that it shows, as `papers/NAME.toml` does; a sheet without goes beyond the
    paper. `ours` has our value for each number that the paper prints, `holds` whether each of its claims is true here.
    """

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Any]]
    notes: Sequence[str] = ()
    of: Sequence[str] = ()
    ours: Mapping[str, float] = field(default_factory=dict)
    holds: Mapping[str, bool] = field(default_factory=dict)
    pictures: Sequence[str] = ()
    not_bundled: Sequence[str] = ()
    """Files that the sheet was made from and that do not come with the project."""
    seconds: float = 0.0


def not_bundled(name: str) -> Path | None:
    """Where data is that the package does not have, a file or folder: among the data of the experiments, in the folder
    FAIRVEIL_DATA, or in one beside the project. None if it is not here."""
    asked = os.environ.get("FAIRVEIL_DATA")
    beside = [folder / "shared" / "data" for folder in (Path.cwd().parent, Path(__file__).resolve().parents[2])]
    folders = [Path(__file__).resolve().with_name("data"), *([Path(asked)] if asked else []), *beside]
    return next((folder / name for folder in folders if (folder / name).exists()), None)
