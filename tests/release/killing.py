"""Saving a release in processes that are killed: at each step of the file system, or at any moment.

python -m tests.release.killing FOLDER --steps [EVERY]   kill before each (or every n-th) call that touches files
python -m tests.release.killing FOLDER --moments N       kill N times at random moments, by signal

Each is done for a new target and for one that is overwritten; every second step also without the system's one-step
renames. Prints how many kills there were, and everything that went wrong: a release that is neither the old nor the
new one, one that is lost, and whatever the next run leaves behind.
"""

from __future__ import annotations

import argparse
import builtins
import fcntl
import gc
import io
import os
import random
import shutil
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa

import fairveil as fv
from fairveil.data import renaming
from fairveil.data.atomic import write_text
from tests.known import ANY_DANGER

CALLS = ("mkdir", "open", "write", "fsync", "rename", "replace", "link", "unlink", "rmdir")
"""Calls that change files: before one that only looks at them, they are as before the next that changes them."""
Contents = dict[str, bytes]


def releases() -> tuple[fv.Release, fv.Release]:
    people = pa.table({"age": [21, 22, 33, 34, 45, 46] * 5, "sex": list("fmfmfm") * 5})
    schema = fv.Schema(quasi=["age", "sex"], hierarchies={"age": fv.hierarchy.intervals([20, 60], widths=(10, 20, 40))})
    frontier = fv.search(people, schema, guards=[fv.KAnonymity(5)])
    return frontier.release(0), frontier.release(len(frontier) - 1)


def contents(folder: Path) -> Contents | None:
    return {file.name: file.read_bytes() for file in folder.iterdir()} if folder.is_dir() else None


def die_before(number: int) -> None:
    """Count every call that may change a file, and end like a killed process before the one of this number."""
    made = 0

    def counted(call: Callable[..., Any]) -> Callable[..., Any]:
        def wrapper(*arguments: Any, **settings: Any) -> Any:
            nonlocal made
            made += 1
            if made == number:
                os._exit(9)  # as a kill does it: nothing is flushed, nothing is cleaned up
            return call(*arguments, **settings)

        return wrapper

    for name in CALLS:
        setattr(os, name, counted(getattr(os, name)))
    fcntl.flock = counted(fcntl.flock)
    builtins.open = io.open = counted(io.open)
    if renaming.system_rename is not None:
        renaming.system_rename = counted(renaming.system_rename)


def in_child(work: Callable[[], object]) -> int:
    child = os.fork()
    if child:
        return child
    try:
        work()
        os._exit(0)
    except BaseException as problem:
        print(f"{type(problem).__name__}: {problem}", flush=True)
        os._exit(1)


class Judge:
    """What may be seen after a kill."""

    def __init__(self, home: Path, overwrite: bool) -> None:
        self.out, self.overwrite, self.kills, self.problems = home / "out", overwrite, 0, list[str]()
        self.old, self.new = releases()
        for release, name in ((self.old, "old"), (self.new, "new")):
            release.save(home / name, accept=ANY_DANGER)
        self.bytes = {name: contents(home / name) for name in ("old", "new")}
        for name in ("old", "new"):
            fv.verify(home / name)  # whatever has to be compiled is
        self.home = home
        gc.freeze()  # a child that collects garbage copies all pages of its parent
        gc.disable()

    def save(self) -> None:
        self.new.save(self.out, overwrite=self.overwrite, accept=ANY_DANGER)

    def prepare(self) -> None:
        if contents(self.out) != (self.bytes["old"] if self.overwrite else None):
            shutil.rmtree(self.out, ignore_errors=True)
            if self.overwrite:
                shutil.copytree(self.home / "old", self.out)

    def look(self, when: str, one_step: bool) -> None:
        self.kills += 1
        allowed = [self.bytes["new"], self.bytes["old"] if self.overwrite else None]
        between = [None] if self.overwrite and not one_step else []
        if contents(self.out) not in allowed + between:
            self.problems.append(f"{when}: a half release, or a lost one")
        write_text("the next run", self.home / "note.txt")
        if contents(self.out) not in allowed:
            self.problems.append(f"{when}: the next run does not bring the release back")
        leftover = sorted(set(os.listdir(self.home)) - {"out", "old", "new", "note.txt"})
        if leftover:
            self.problems.append(f"{when}: the next run leaves {leftover}")


def steps(judge: Judge, every: int, one_step: bool) -> None:
    system, number = renaming.system_rename, random.Random(0).randrange(every)
    while True:
        number += every
        judge.prepare()
        renaming.system_rename = system if one_step else None

        def work(number: int = number) -> None:
            die_before(number)
            judge.save()

        code = os.waitstatus_to_exitcode(os.waitpid(in_child(work), 0)[1])
        judge.look(f"before call {number}, {one_step=}, {judge.overwrite=}", one_step)
        renaming.system_rename = system
        if code == 0:
            return
        if code != 9:
            judge.problems.append(f"before call {number}: it ended with {code}")
            return


def moments(judge: Judge, times: int) -> None:
    begin = time.perf_counter()
    judge.prepare()
    os.waitpid(in_child(judge.save), 0)
    long, rng = time.perf_counter() - begin, random.Random(1)
    for _ in range(times):
        judge.prepare()
        child = in_child(judge.save)
        pause = rng.random() * long
        time.sleep(pause)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        judge.look(f"after {pause:.4f} s, {judge.overwrite=}", one_step=True)


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--steps", type=int, default=0)
    parser.add_argument("--moments", type=int, default=0)
    wanted = parser.parse_args()
    kills, problems = 0, list[str]()
    for overwrite in (False, True):
        home = wanted.folder / str(overwrite)
        home.mkdir()
        judge = Judge(home, overwrite)
        if wanted.steps:
            steps(judge, wanted.steps, one_step=True)
            steps(judge, 2 * wanted.steps, one_step=False)  # most calls are the same
        if wanted.moments:
            moments(judge, wanted.moments // 2)
        kills, problems = kills + judge.kills, problems + judge.problems
    print(*problems, f"{kills} kills, {len(problems)} problems", sep="\n")
    return len(problems) > 0


if __name__ == "__main__":
    sys.exit(main())
