"""How an experiment is run: where, at which size, with which seed; and what is done, so that it is not done again.

>>> from tempfile import mkdtemp
>>> study = Study(Path(mkdtemp()))
>>> study.once({"what": "a sum"}, lambda: 1 + 1)
2
>>> Study(study.out).once({"what": "a sum"}, lambda: 1 / 0)  # done already: it is in the file
2
"""

from __future__ import annotations

import json
import platform
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any, Literal, TypeVar

from experiments import EXPERIMENTS, Sheet
from fairveil import __version__
from fairveil.data.interval_edges import exact_edges
from fairveil.progress import Progress

T = TypeVar("T")
Size = Literal["tiny", "quick", "full"]
"""Tiny is for tests; quick ends within five minutes; full is the paper's own size."""


@cache
def versions() -> dict[str, str]:
    """Of everything that a result may depend on."""
    libraries = ("numpy", "scipy", "scikit-learn", "pymoo")
    return {
        "fairveil": __version__,
        "python": platform.python_version(),
        **{name: version(name) for name in libraries},
    }


class Kept:
    """Results in a file, one line of JSON each, by what they are results of, and under which versions.

    A line is written in one go; one that was cut off, or was written under other versions, is ignored.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.entries: dict[str, dict[str, Any]] = {}
        self._ends = True
        if path.is_file():
            text = path.read_text(encoding="utf-8", errors="replace")
            self._ends = not text or text.endswith("\n")
            for line in text.splitlines():
                self._remember(line)

    def _remember(self, line: str) -> None:
        try:
            entry = json.loads(line)
            if entry["versions"] == versions():
                self.entries[_key(entry["of"])] = {"value": entry["value"], "seconds": float(entry["seconds"])}
        except (ValueError, KeyError, TypeError):
            return  # cut off

    def get(self, of: Mapping[str, Any]) -> dict[str, Any] | None:
        return self.entries.get(_key(of))

    def add(self, of: Mapping[str, Any], value: Any, seconds: float) -> dict[str, Any]:
        """Keep a result; what is given back is as it will be read, so that going on gives the very same."""
        line = json.dumps({"of": of, "versions": versions(), "seconds": seconds, "value": value}, ensure_ascii=False)
        with self.path.open("a", encoding="utf-8") as file:
            file.write(line + "\n" if self._ends else f"\n{line}\n")
        self._ends = True
        self._remember(line)
        return self.entries[_key(of)]


def _key(of: Mapping[str, Any]) -> str:
    return json.dumps(of, sort_keys=True, ensure_ascii=False)


@dataclass
class Study:
    """One run of an experiment. What `once` has computed is in `out/kept.jsonl`; the next run goes on from there."""

    out: Path
    size: Size = "quick"
    seed: int = 0
    progress: Progress = field(default_factory=Progress)

    def __post_init__(self) -> None:
        self.out.mkdir(parents=True, exist_ok=True)
        self.kept = Kept(self.out / "kept.jsonl")
        self._started = time.perf_counter()
        self._used: set[str] = set()
        self._extra = 0.0

    @property
    def full(self) -> bool:
        return self.size == "full"

    def pick(self, *, tiny: T, quick: T, full: T) -> T:
        """What fits the size of this run."""
        return {"tiny": tiny, "quick": quick, "full": full}[self.size]

    def tell(self, share: float, what: str) -> None:
        """Say how far the experiment is; here it stops if somebody has cancelled it."""
        self.progress.tell(share, what)

    def once(self, of: Mapping[str, Any], compute: Callable[[], Any]) -> Any:
        """The result of `compute`, which is plain data, unless it is kept under these settings and this seed."""
        named = {**of, "seed": self.seed}
        entry = self.kept.get(named)
        if entry is None:
            self.progress.check()
            started = time.perf_counter()
            value = compute()
            seconds = time.perf_counter() - started
            entry = self.kept.add(named, value, round(seconds, 3))
            self._extra -= seconds
        if _key(named) not in self._used:
            self._used.add(_key(named))
            self._extra += entry["seconds"]
        return entry["value"]

    @property
    def seconds(self) -> float:
        """How long the experiment took, with what earlier runs did of it."""
        return max(time.perf_counter() - self._started + self._extra, 0.0)


def finished(name: str, study: Study) -> Iterator[Sheet]:
    """The sheets of an experiment as they are finished, each with its duration; Ctrl-C is answered at once.

    Numbers are cut between any two values, as the papers do, not on the grid of a release.
    """
    sheets = iter(import_module(EXPERIMENTS[name]).run(study))
    before = study.seconds
    while True:
        with exact_edges():
            sheet = study.progress.run(lambda: next(sheets, None))
        if sheet is None:
            return
        now = study.seconds
        yield replace(sheet, seconds=round(now - before, 1))
        before = now
