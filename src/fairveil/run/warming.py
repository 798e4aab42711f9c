"""Compile kernels before they are needed, by searches on a few rows in one process per core.

Each process works on one family of methods at a time, because methods of a family share kernels. A compiled kernel is
written to the cache atomically, so an interrupted run loses only the kernels being compiled.
"""

from __future__ import annotations

import contextlib
import queue
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fairveil.counting.threads import count
from fairveil.errors import refuse, suggest
from fairveil.extras import is_installed
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
"""Workloads that share kernels, the longest families first. A method that is not listed forms its own family. A
workload is the name of a method, with variants after a comma."""
QUICK: dict[str, dict[str, Any]] = {
    "preferences": {"evaluations": 100},
    "dmpd": {"generations": 1, "population": 4},
    "best-first": {"time_limit": 1.0},
    "noisy-table": {"epsilon": 20.0, "public": {"class": ["bad", "good"]}},
    "roll-up, exceptions": {"exceptions": 0.01},
    "roll-up, coverage": {"coverage": 0.5},
}
"""Settings that shorten a workload, or make it use other kernels."""


@dataclass(frozen=True)
class Warmed:
    """How many kernels were compiled, and the folder of the cache."""

    compiled: int
    folder: Path


def warm(progress: Progress | Report | None = None, methods: Sequence[str] = ()) -> Warmed:
    """Compile the kernels of these methods, or of every method, that are not in the cache yet.

    Methods whose optional packages are missing are skipped, unless they are named: then BadInput is raised.
    """
    from fairveil.counting.kernels import group_by
    from fairveil.counting.kernels.compiling import cache_folder

    progress = Progress.of(progress)
    folder = cache_folder(group_by.group_firsts)
    if is_warm(folder):
        return Warmed(0, folder)
    families = _families(methods)
    compiled = progress.run(lambda: _in_processes(families, progress))
    if folder.is_dir() and not methods:
        (folder / STAMP).write_text(_stamp(), encoding="utf-8")
    return Warmed(compiled, folder)


def is_warm(folder: Path) -> bool:
    """Whether all kernels were compiled from the current sources for this machine."""
    stamp = folder / STAMP
    return stamp.is_file() and stamp.read_text(encoding="utf-8") == _stamp()


def _stamp() -> str:
    """What the cache depends on: versions, processor, sources, and the methods that can run."""
    import llvmlite.binding  # type: ignore[import-untyped]
    import numba

    from fairveil.counting.kernels import compiling

    machine = (sys.version, numba.__version__, llvmlite.binding.get_host_cpu_name())
    return repr((*machine, compiling.sources(compiling.PACKAGE), _families()))


def _families(wanted: Sequence[str] = ()) -> list[tuple[str, ...]]:
    """The workloads of the wanted methods, or of every method of the package that can run, by family."""
    from fairveil.methods import METHODS

    ours = {method.kind: method for method in METHODS if method.__module__.startswith("fairveil.")}
    refuse([suggest(name, ours, "method") for name in wanted if name not in ours])
    for name in wanted:
        ours[name]().need_packages()
    chosen = set(wanted) or {name for name, method in ours.items() if all(map(is_installed, method.packages))}
    listed = {_method(name) for family in FAMILIES for name in family}
    families = (*FAMILIES, *((name,) for name in ours if name not in listed))
    kept = [tuple(name for name in family if _method(name) in chosen) for family in families]
    return [family for family in kept if family]


def _method(workload: str) -> str:
    """The method of a workload; C4.5 is an inducer of DMPD."""
    return "dmpd" if workload == "c4.5" else workload.partition(",")[0]


def _in_processes(families: list[tuple[str, ...]], progress: Progress) -> int:
    """Run all workloads; returns the number of kernels compiled."""
    todo: queue.SimpleQueue[tuple[str, ...]] = queue.SimpleQueue()
    for family in families:
        todo.put(family)
    done: queue.SimpleQueue[tuple[str, int] | Exception] = queue.SimpleQueue()
    workers = [
        subprocess.Popen(
            [sys.executable, "-m", __name__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            text=True, start_new_session=True,  # Ctrl-C reaches only this process, which ends them
        )
        for _ in range(min(count(), len(families)))
    ]  # fmt: skip
    try:
        for worker in workers:
            threading.Thread(target=_feed, args=(worker, todo, done), daemon=True).start()
        workloads, finished, compiled = sum(map(len, families)), 0, 0
        while finished < workloads:
            try:
                answer = done.get(timeout=PAUSE)
            except queue.Empty:
                progress.check("compiling")
                continue
            if isinstance(answer, Exception):
                raise answer
            finished, compiled = finished + 1, compiled + answer[1]
            progress.tell(finished / workloads, f"compiled for {answer[0]}")
        return compiled
    finally:
        for worker in workers:
            worker.kill()
            worker.wait()


def _feed(worker: subprocess.Popen[str], todo: queue.SimpleQueue[Any], done: queue.SimpleQueue[Any]) -> None:
    """Give a process one family after the other, and report each workload that it has finished."""
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
            pass  # the process has ended: its stderr, read below, has the reason
        for name in family:
            line = worker.stdout.readline().strip()
            if not line:
                last = worker.stderr.read().strip().splitlines()[-1:]
                done.put(RuntimeError(f"compiling for {name} failed: {' '.join(last) or 'its process ended'}"))
                return
            done.put((name, int(line)))


def workload(name: str) -> Callable[[], object]:
    """A function that makes the kernels of a method compile: a search, its best release, and the recipe on new data."""
    import numpy as np

    import fairveil as fv
    from fairveil import methods

    credit = fv.datasets.german_credit()
    few = credit.table.take(np.arange(200))
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
    """Read families of workloads from stdin, run them, and print how many kernels each compiled."""
    from fairveil.counting.kernels.compiling import KERNELS
    from fairveil.errors import Infeasible

    def misses() -> int:
        return sum(sum(kernel.stats.cache_misses.values()) for kernel in KERNELS)

    before = 0
    for family in sys.stdin:
        for name in family.rstrip("\n").split("\t"):
            with contextlib.suppress(Infeasible):
                workload(name)()
            print(misses() - before, flush=True)
            before = misses()


if __name__ == "__main__":
    main()
