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
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from fairveil.counting.threads import count
from fairveil.errors import is_installed, refuse, suggest
from fairveil.progress import PAUSE, Progress, Report

STAMP = "warm.stamp"
"""The file that says what all kernels were compiled for."""
FAMILIES: tuple[tuple[str, ...], ...] = (
    (
        "incognito",
        "incognito, fair",
        "incognito, fair, suppressing",
        "incognito, persons",
        "datafly",
        "best-first",
        "noisy-table",
    ),
    ("dmpd", "dmpd, C4.5", "tds", "tdr"),
    ("mdav", "fair-mdav"),
    ("roll-up", "roll-up, exceptions", "roll-up, coverage"),
    ("mondrian", "top-down-greedy", "local-suppression", "local-suppression, guarded"),
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


def warm(progress: Progress | Report | None = None, methods: Sequence[str] = ()) -> tuple[int, Path]:
    """Compile the kernels of these methods, or of every method, that are not in the cache yet; return how many were
    compiled, and the folder of the cache.

    Methods whose optional packages are missing are skipped, unless they are named: then BadInput is raised.
    """
    from fairveil.counting.kernels import group_by
    from fairveil.counting.kernels.compiling import cache_folder

    progress = Progress.of(progress)
    folder = cache_folder(group_by.group_firsts)
    stamp = folder / STAMP
    if stamp.is_file() and stamp.read_text(encoding="utf-8") == _stamp():
        return 0, folder
    families = _families(methods)
    compiled = progress.run(lambda: _in_processes(families, progress))
    if folder.is_dir() and not methods:
        stamp.write_text(_stamp(), encoding="utf-8")
    return compiled, folder


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
    listed = {name for family in FAMILIES for name in family}
    families = (*FAMILIES, *((name,) for name in ours if name not in listed))
    kept = [tuple(name for name in family if name.partition(",")[0] in chosen) for family in families]
    return [family for family in kept if family]


def _in_processes(families: list[tuple[str, ...]], progress: Progress) -> int:
    """Run all workloads; returns the number of kernels compiled."""
    todo = iter(families)
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


def _feed(worker: subprocess.Popen[str], todo: Iterator[tuple[str, ...]], done: queue.SimpleQueue[Any]) -> None:
    """Give a process one family after the other, and report each workload that it has finished."""
    assert worker.stdin is not None and worker.stdout is not None and worker.stderr is not None
    for family in todo:
        with contextlib.suppress(OSError):  # the process has ended: its stderr, read below, has the reason
            worker.stdin.write("\t".join(family) + "\n")
            worker.stdin.flush()
        for name in family:
            line = worker.stdout.readline().strip()
            if not line:
                last = worker.stderr.read().strip().splitlines()[-1:]
                done.put(RuntimeError(f"compiling for {name} failed: {' '.join(last) or 'its process ended'}"))
                return
            done.put((name, int(line)))


def workload(name: str) -> None:
    """Make the kernels of a method compile: by a search, its best release, and the recipe on new data."""
    import numpy as np
    import pyarrow as pa

    import fairveil as fv
    from fairveil import methods
    from fairveil.data.table import Column
    from fairveil.learning.inducers import C45

    if name == "dmpd, C4.5":
        x, y = np.random.default_rng(0).random((60, 3)), np.arange(60) % 2
        C45().fit(x, y).predict_proba(x)
        C45().out_of_fold(x, y, 2, np.arange(60) % 3)
        return
    credit = fv.datasets.german_credit()
    few, schema = credit.table.take(np.arange(200)), credit.schema
    kind, *variants = name.split(", ")
    if "persons" in variants:
        who = Column("who", np.arange(few.rows) // 2, pa.array(range(few.rows // 2)))
        few, schema = replace(few, columns=(*few.columns, who)), replace(schema, person="who")
    suppresses = "suppressing" in variants or not {"fair", "persons"} & {*variants}
    guards: list[Any] = [fv.KAnonymity(3, suppression=0.05 if suppresses else 0.0)]
    guards += [fv.AlphaProtection(1.2, "slift", 0.05, 3)] if "fair" in variants else []
    guards += [fv.KnownDecision(3)] if "guarded" in variants else []
    method = methods.from_dict({"kind": kind, **QUICK.get(name, {})})
    release = fv.search(few, schema, guards=guards, method=method).best("loss")
    release.recipe.applied(few, unknown="suppress")
    _ = release.table


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
                workload(name)
            print(misses() - before, flush=True)
            before = misses()


if __name__ == "__main__":
    main()
