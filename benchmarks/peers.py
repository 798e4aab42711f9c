"""Other tools on the same work, each in a process of its own: one that is not here, fails or is too slow is a line."""

from __future__ import annotations

import importlib.util
import multiprocessing
import time
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

from benchmarks.timing import ratio


@dataclass(frozen=True)
class Peer:
    """How it went: seconds of the work itself, without starting Python, or why there are none."""

    seconds: float | None
    finished: bool = False
    trouble: str = ""

    def against(self, name: str, ours: float) -> str:
        """A line that compares, and the ratio noted under its name."""
        if self.seconds is None:
            return self.trouble
        times = self.seconds / ours
        if not self.finished:
            return f"stopped after {self.seconds:.0f} s: more than {times:,.0f} times ours"
        ratio(name, times)
        return f"{self.seconds:.2f} s, {times:,.0f} times ours"


def peer(package: str, prepare: Callable[[], Callable[[], Any]], limit: float = 60.0) -> Peer:
    """One run of the work that `prepare`, a function of a module, makes: it imports and loads, untimed. The run is
    stopped after so many seconds."""
    if importlib.util.find_spec(package) is None:
        return Peer(None, trouble=f"{package} is not installed: `make bench` installs it")
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe(duplex=False)
    process = context.Process(target=_timed, args=(there, prepare))
    process.start()
    there.close()
    try:
        said = here.recv()
        if said == "ready":
            if not here.poll(limit):
                return Peer(limit)
            said = here.recv()
    except EOFError:
        said = "ended without an answer"
    finally:
        process.kill()
        process.join()
    if isinstance(said, str):
        return Peer(None, trouble=f"{package} fails here: {said}")
    return Peer(said, finished=True)


def _timed(answer: Connection, prepare: Callable[[], Callable[[], Any]]) -> None:
    try:
        work = prepare()
        answer.send("ready")
        start = time.perf_counter()
        work()
        answer.send(time.perf_counter() - start)
    except BaseException as error:  # whatever a peer raises is its line
        lines = str(error).strip().splitlines() or [""]
        answer.send(f"{type(error).__name__}: {lines[0]}"[:160])
