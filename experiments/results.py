"""Results as data: the sheets of one run, with the command, seed, versions and seconds that made them.

They are committed in `experiments/results`, one file per experiment and size; `experiments.pages` makes docs/results of
them. The pictures of a run go beside its page.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from experiments import Sheet
from experiments.study import Size, Study, versions
from fairveil.data.atomic import write_text

HOME = Path(__file__).resolve().parent
RESULTS = HOME / "results"
PAGES = HOME.parent / "docs" / "results"
COLOURS = 64
"""Of a committed picture: enough for plots, and a quarter of the bytes."""


@dataclass(frozen=True)
class Results:
    """The sheets of one experiment at one size."""

    name: str
    size: Size
    seed: int
    versions: dict[str, str]
    cores: int
    sheets: tuple[Sheet, ...]

    @property
    def command(self) -> str:
        full = " --full" if self.size == "full" else ""
        return f"fairveil reproduce {self.name}{full} --seed {self.seed} --keep"

    @property
    def seconds(self) -> float:
        return sum(sheet.seconds for sheet in self.sheets)


def path_of(name: str, size: Size, folder: Path = RESULTS) -> Path:
    return folder / f"{name}-{size}.json"


def load(name: str, size: Size, folder: Path = RESULTS) -> Results | None:
    path = path_of(name, size, folder)
    if not path.is_file():
        return None
    content = json.loads(path.read_text(encoding="utf-8"))
    content.pop("command")
    return Results(**{**content, "sheets": tuple(Sheet(**sheet) for sheet in content["sheets"])})


def keep(name: str, study: Study, sheets: Sequence[Sheet], *, whole: bool, folder: Path = RESULTS) -> None:
    """Put finished sheets in the place of those of the same title; `whole`: older ones that are left go."""
    before = load(name, study.size, folder)
    fresh = {sheet.title: sheet for sheet in map(plain, sheets)}
    older = () if whole or before is None else before.sheets
    kept = [fresh.pop(sheet.title, sheet) for sheet in older]
    results = Results(name, study.size, study.seed, versions(), os.cpu_count() or 1, (*kept, *fresh.values()))
    content: dict[str, Any] = {"command": results.command, **asdict(results)}
    write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", path_of(name, study.size, folder))


def plain(sheet: Sheet) -> Sheet:
    """A sheet as JSON gives it back: numbers of Python, lists; times to a tenth of a second."""
    content = json.loads(json.dumps(asdict(sheet), default=lambda number: number.item()))
    return replace(Sheet(**content), seconds=round(sheet.seconds, 1))


def keep_pictures(
    name: str, study: Study, sheets: Sequence[Sheet], pages: Path = PAGES, folder: Path = RESULTS
) -> None:
    """The pictures of the sheets beside their page, in few colours; a quick run leaves those of a full one alone."""
    from PIL import Image

    from fairveil.data.atomic import whole_files

    full = load(name, "full", folder) if study.size == "quick" else None
    taken = {picture for sheet in (full.sheets if full else ()) for picture in sheet.pictures}
    for picture in (picture for sheet in sheets for picture in sheet.pictures if picture not in taken):
        target = pages / name / picture
        target.parent.mkdir(parents=True, exist_ok=True)
        with Image.open(study.out / picture) as image, whole_files([target]) as asides:
            image.convert("RGB").quantize(COLOURS).save(asides[target], format="PNG", optimize=True)
