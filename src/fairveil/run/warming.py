"""Compile every kernel before it is needed: real searches on a few rows, in as many processes as there are cores.

A process is given one family after the other; what the methods of a family share is compiled once. What is compiled is
kept on disk piece by piece, whole or not at all, so stopping in between loses only the pieces at work.
"""

from __future__ import annotations

import contextlib
import queue
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fairveil.counting.threads import count
from fairveil.progress import PAUSE, Progress, Report

STAMP = "warm.stamp"
FAMILIES: tuple[tuple[str, ...], ...] = (
    ("incognito", "incognito, fair", "incognito, fair, suppressing", "datafly", "best-first", "noisy-table"),
    ("dmpd", "c4.5", "tds", "tdr"),
    ("mdav", "fair-mdav"),
    ("roll-up", "roll-up, exceptions", "roll-up, coverage"),
    ("mondrian", "top-down-greedy"),
    ("preferences",),
)
"""Errands whose kernels are related; the longest families first. A method that is in none makes its own."""
QUICK: dict[str, dict[str, Any]] = {
    "preferences": {"evaluations": 100},
    "dmpd": {"generations": 1, "population": 4},
    "best-first": {"time_limit": 1.0},
    "noisy-table": {"epsilon": 20.0, "public": {"class": ["bad", "good"]}},
    "roll-up, exceptions": {"exceptions": 0.01},
    "roll-up, coverage": {"coverage": 0.5},
}
"""Settings that make an errand short, or lead it to other kernels."""


@dataclass(frozen=True)
class Warmed:
    """What was compiled, and where it is kept."""

    compiled: int
    folder: Path


def warm(progress: Progress | Report | None = None) -> Warmed:
    """Compile whatever is not compiled yet."""
    from fairveil.counting.kernels import group_by
    from fairveil.counting.kernels.compiling import cache_folder

    progress = Progress.of(progress)
    folder = cache_folder(group_by.group_firsts)
    if is_warm(folder):
        return Warmed(0, folder)
    compiled = progress.run(lambda: _in_processes(_families(), progress))
    if folder.is_dir():
        (folder / STAMP).write_text(_stamp(), encoding="utf-8")
    return Warmed(compiled, folder)


def is_warm(folder: Path) -> bool:
    """Whether all was compiled before, from these sources, for this machine."""
    stamp = folder / STAMP
    return stamp.is_file() and stamp.read_text(encoding="utf-8") == _stamp()


def _stamp() -> str:
    import llvmlite.binding  # type: ignore[import-untyped]
    import numba

    from fairveil.counting.kernels import compiling

    machine = (sys.version, numba.__version__, llvmlite.binding.get_host_cpu_name())
    return repr((*machine, compiling.sources(Path(compiling.__file__).parent)))


def _families() -> list[tuple[str, ...]]:
    """All errands: those of FAMILIES, and of every other method of the package."""
    from fairveil.methods import METHODS

    listed = {name for family in FAMILIES for name in family}
    ours = [method.kind for method in METHODS if method.__module__.startswith("fairveil.")]
    return [*FAMILIES, *((kind,) for kind in ours if kind not in listed)]


def _in_processes(families: list[tuple[str, ...]], progress: Progress) -> int:
    """Do all errands; returns how many kernels were compiled."""
    todo: queue.SimpleQueue[tuple[str, ...]] = queue.SimpleQueue()
    for family in families:
        todo.put(family)
    done: queue.SimpleQueue[tuple[str, int] | Exception] = queue.SimpleQueue()
    workers = [
        subprocess.Popen(
            [sys.executable, "-m", __name__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            text=True, start_new_session=True,  # Ctrl-C is for us: we end them
        )
        for _ in range(min(count(), len(families)))
    ]  # fmt: skip
    try:
        for worker in workers:
            threading.Thread(target=_feed, args=(worker, todo, done), daemon=True).start()
        errands, finished, compiled = sum(map(len, families)), 0, 0
        while finished < errands:
            try:
                answer = done.get(timeout=PAUSE)
            except queue.Empty:
                progress.check("compiling")
                continue
            if isinstance(answer, Exception):
                raise answer
            finished, compiled = finished + 1, compiled + answer[1]
            progress.tell(finished / errands, f"compiled for {answer[0]}")
        return compiled
    finally:
        for worker in workers:
            worker.kill()
            worker.wait()


def _feed(worker: subprocess.Popen[str], todo: queue.SimpleQueue[Any], done: queue.SimpleQueue[Any]) -> None:
    """Give a process one family after the other; tell of each errand that it has done."""
    assert worker.stdin is not None and worker.stdout is not None and worker.stderr is not None
    while True:
        try:
            family = todo.get_nowait()
        except queue.Empty:
            return
        try:
            worker.stdin.write("\t".join(family) + "\n")
            worker.stdin.flush()
        except OSError:
            pass  # it has ended, and the next lines say why
        for name in family:
            line = worker.stdout.readline().strip()
            if not line:
                last = worker.stderr.read().strip().splitlines()[-1:]
                done.put(RuntimeError(f"compiling for {name} failed: {' '.join(last) or 'its process ended'}"))
                return
            done.put((name, int(line)))


def errand(name: str) -> Callable[[], object]:
    """What compiles what a method needs: a search on a few rows, its best release, and the recipe on new data."""
    import fairveil as fv
    from fairveil import methods

    credit = fv.datasets.german_credit()
    few = credit.table.take(range(200))
    if name == "c4.5":
        return _trees
    fair = fv.AlphaProtection(1.2, "slift", 0.05, 3)
    guards: list[Any] = [fv.KAnonymity(3, suppression=0.05 if "suppressing" in name or "fair" not in name else 0.0)]
    guards += [fair] if "fair" in name.split(", ") else []
    method = methods.from_dict({"kind": name.split(",", maxsplit=1)[0], **QUICK.get(name, {})})

    def work() -> object:
        release = fv.search(few, credit.schema, guards=guards, method=method).best("loss")
        return release.recipe.apply(few, unknown="suppress"), release.table

    return work


def _trees() -> object:
    import numpy as np

    from fairveil.learning.c45 import C45

    x, y = np.random.default_rng(0).random((60, 3)), np.arange(60) % 2
    tree = C45().fit(x, y)
    return tree.predict_proba(x), C45().out_of_fold(x, y, 2, np.arange(60) % 3)


def main() -> None:
    """A process that does errands: their names come in, and out comes how many kernels each compiled."""
    from fairveil.counting.kernels.compiling import KERNELS
    from fairveil.errors import Infeasible

    def misses() -> int:
        return sum(sum(kernel.stats.cache_misses.values()) for kernel in KERNELS)

    before = 0
    for family in sys.stdin:
        for name in family.rstrip("\n").split("\t"):
            with contextlib.suppress(Infeasible):
                errand(name)()
            print(misses() - before, flush=True)
            before = misses()


if __name__ == "__main__":
    main()
