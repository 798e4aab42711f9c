"""What a run of the benchmarks found, kept as one JSON file: what was printed, named ratios, curves, the machine."""

from __future__ import annotations

import datetime
import importlib.metadata
import io
import json
import os
import platform
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks import timing

PACKAGES = (
    *("numpy", "pyarrow", "pandas", "polars", "duckdb"),
    *("anjana", "crowds", "anonypy", "pycanon", "fairlearn"),
)


@dataclass
class Results:
    """A run: the command, where and with what, and of every benchmark its output, seconds, ratios and curves."""

    about: dict[str, Any]
    benchmarks: dict[str, dict[str, Any]] = field(default_factory=dict)

    @classmethod
    def started(cls, names: list[str]) -> Results:
        timing.RATIOS.clear()
        timing.SERIES.clear()
        return cls({
            "command": " ".join(["python -m benchmarks", *names]),
            "day": datetime.date.today().isoformat(),
            "machine": f"{os.cpu_count()} cores, {platform.machine()}, {platform.system()}, {memory():.0f} GB",
            "python": platform.python_version(),
            "versions": {name: version for name in PACKAGES if (version := version_of(name))},
        })  # fmt: skip

    def add(self, name: str, text: str, seconds: float) -> None:
        """What has been noted since the last one is this one's."""
        earlier = [done["ratios"] for done in self.benchmarks.values()]
        drawn = [done["series"] for done in self.benchmarks.values()]
        self.benchmarks[name] = {
            "seconds": seconds,
            "printed": text,
            "ratios": {k: v for k, v in timing.RATIOS.items() if not any(k in of for of in earlier)},
            "series": {k: v for k, v in timing.SERIES.items() if not any(k in of for of in drawn)},
        }

    def write(self, path: Path) -> None:
        """Benchmarks that were kept there before and were not run now stay."""
        before = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {"benchmarks": {}}
        now = {name: {**done, "about": self.about} for name, done in self.benchmarks.items()}
        text = json.dumps({"benchmarks": {**before["benchmarks"], **now}}, indent=1, ensure_ascii=False)
        path.write_text(text + "\n", encoding="utf-8")


def version_of(package: str) -> str | None:
    with suppress(importlib.metadata.PackageNotFoundError):
        return importlib.metadata.version(package)
    return None


def memory() -> float:
    """Of the machine, in GB."""
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9


class Both(io.StringIO):
    """Keeps what is printed and shows it."""

    def write(self, text: str) -> int:
        sys.__stdout__.write(text)  # type: ignore[union-attr]
        sys.__stdout__.flush()  # type: ignore[union-attr]
        return super().write(text)


@contextmanager
def listening() -> Iterator[io.StringIO]:
    said = Both()
    with redirect_stdout(said):
        yield said
