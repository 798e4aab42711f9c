"""Progress: how far long work is, what it does, what it has found so far, and how it is stopped.

>>> progress = Progress(lambda share, what: print(f"{share:.0%} {what}"))
>>> progress.tell(0.5, "counting")
50% counting
>>> half = progress.part(0.5, 1.0)
>>> half.tell(0.5, "searching")
75% searching
>>> half.cancel()
>>> progress.tell(0.9, "saving")
Traceback (most recent call last):
fairveil.errors.Cancelled: cancelled while saving

Wherever a `progress` is taken, a plain function of the share done and a few words will do. If it returns False, the
work is cancelled.
"""

from __future__ import annotations

import contextlib
import contextvars
import os
import threading
from collections.abc import Callable, Iterable
from queue import SimpleQueue
from typing import Any, TypeVar

import numpy as np

from fairveil.errors import Cancelled
from fairveil.interrupts import interruptible
from fairveil.progress_bars import automatic

R = TypeVar("R")
Report = Callable[[float, str], object]
"""Called with the share done (0 to 1) and the current step; the work is cancelled if it returns False."""
PAUSE = 0.02
"""Seconds between two checks whether work in a thread is finished or cancelled."""
GRACE = 0.1
"""Seconds that work which was cancelled has to end by itself: it may be cleaning up."""


class Progress:
    """The progress of a piece of work; `part` returns the progress of a step of it.

    `report` is called with the share done and a short description, `on_found` with the records of candidates as they
    are found. `share` and `what` are the latest report. `found` has the records of all candidates so far, also after
    the run was cancelled. Compiled searches check `stop` while they run. `watched` is False if the caller passed no
    progress, so that nobody can cancel through it. All of this is thread-safe.
    """

    def __init__(self, report: Report | None = None, on_found: Callable[[list[Any]], object] | None = None) -> None:
        self.share, self.what = 0.0, ""
        self._found: dict[int, list[Any] | Callable[[], Iterable[Any]]] = {}
        self.stop = np.zeros(1, dtype=np.uint8)
        self.watched = True
        self._report, self._on_found = report, on_found
        self._close: Callable[[], object] = lambda: None
        self._lock = threading.RLock()

    @classmethod
    def of(cls, progress: Progress | Report | None) -> Progress:
        """Return a Progress for what a caller passed: a Progress, a function, or None."""
        if isinstance(progress, Progress):
            return progress
        own = cls(progress)
        own.watched = progress is not None
        return own

    @classmethod
    def visible(cls, progress: Progress | Report | bool | None) -> Progress:
        """Return the Progress of a call that may take long: None shows a progress bar, False shows nothing."""
        if progress is not None and not isinstance(progress, bool):
            return cls.of(progress)
        bar = None if progress is False else automatic()
        if bar is None:
            return cls.of(None)
        own = cls(bar.report)
        own.watched, own._close = False, bar.close
        return own

    @property
    def cancelled(self) -> bool:
        return bool(self.stop[0])

    def cancel(self) -> None:
        """Stop the work at its next report; a caller that waits in `run` returns at once."""
        self.stop[0] = 1

    def check(self, what: str = "") -> None:
        """Raise Cancelled if the work was cancelled; `what` is the current step."""
        if self.cancelled:
            raise Cancelled(f"cancelled while {what or self.what or 'working'}")

    def tell(self, share: float, what: str) -> None:
        """Report the `share` done and `what` is being done; raises Cancelled if the work was cancelled."""
        self.check(what)
        with self._lock:
            self.share, self.what = share, what
            if self._report is not None and self._report(share, what) is False:
                self.cancel()
        self.check(what)

    def __call__(self, share: float, what: str) -> bool:
        """Same as `tell`, for code that takes a plain function."""
        self.tell(share, what)
        return True

    @property
    def found(self) -> list[Any]:
        """The records of all candidates so far."""
        with self._lock:
            return [record for method_number in self._found for record in self._records(method_number)]

    def _records(self, method_number: int) -> list[Any]:
        records = self._found[method_number]
        if not isinstance(records, list):
            records = self._found[method_number] = list(records())
        return records

    def add(self, records: Callable[[], Iterable[Any]], method_number: int = 1) -> None:
        """Report the `records` of candidates that the method with this `method_number` has found, instead of those that
        it reported before. They are made at once only if `on_found` wants them: those of thousands of candidates take
        as long as a search."""
        with self._lock:
            self._found[method_number] = records
            if self._on_found is None:
                return
            fresh = self._records(method_number)
            if fresh and self._on_found(fresh) is False:
                self.cancel()

    def forget(self) -> None:
        """Drop the candidates. They refer to their source, and it to this: it is closed when nobody uses it."""
        with self._lock:
            self._found.clear()

    def offer(self, proposal: Callable[[], Any]) -> None:
        """Say what a method would propose if it ended now; `proposal` is called only now and then, if it is wanted."""

    def part(self, start: float, end: float, before: str = "") -> Progress:
        """Return the progress of a step, from the share `start` to `end`; its words start with `before`."""
        return StepProgress(self, start, end, before)

    def beside(self) -> Progress:
        """Return the progress of work that is done beside this one: both are cancelled together, and only this one
        reports."""
        own = Progress()
        own.stop, own.watched = self.stop, self.watched
        return own

    def run(self, work: Callable[[], R]) -> R:
        """Return the result of `work`, done in its own thread, so that cancelling and Ctrl-C take effect at once.

        Work that cannot be interrupted, such as training a classifier, then continues and its result is discarded. If
        nobody watches, the work is done in the caller's thread: a thread slows a short search down by some percent.
        """
        return self.begin(work)()

    def begin(self, work: Callable[[], R]) -> Callable[[], R]:
        """Start `work` in its own thread, and return the function that waits for its result as `run` does. If nobody
        watches, that function does the work."""
        if not self.watched:
            return lambda: self._unwatched(work)
        answer: list[R] = []
        problem: list[BaseException] = []
        done = threading.Event()
        context = contextvars.copy_context()

        def body() -> None:
            try:
                answer.append(context.run(work))
            except BaseException as raised:
                problem.append(raised)
            finally:
                done.set()

        def result() -> R:
            try:
                while not done.wait(PAUSE):
                    if self.cancelled and not done.wait(GRACE):
                        self.check()
            except BaseException:
                self.cancel()
                done.wait(GRACE)
                raise
            self.check()  # the result of compiled work that was stopped is undefined, so it is not returned
            if problem:
                raise problem[0]
            return answer[0]

        _worker().jobs.put(body)
        return result

    def _unwatched(self, work: Callable[[], R]) -> R:
        try:
            return self._here(work)
        finally:
            self._close()

    def _here(self, work: Callable[[], R]) -> R:
        """Return the result of `work`, done in this thread; Ctrl-C still interrupts it."""
        try:
            with interruptible(self.stop):
                answer = work()
        except Exception:
            if self.cancelled:  # compiled work saw the signal before Python did, so its result is undefined
                raise KeyboardInterrupt from None
            raise
        if self.cancelled:
            raise KeyboardInterrupt
        return answer


class _Worker(threading.Thread):
    """A thread that runs one job after the other. It is reused because a new thread starts with cold memory."""

    def __init__(self, process: int) -> None:
        super().__init__(name="fairveil-work", daemon=True)
        self.process, self.jobs = process, SimpleQueue[Callable[[], None]]()
        self.start()

    def run(self) -> None:
        while True:
            self.jobs.get()()
            _idle.append(self)


_idle: list[_Worker] = []


def _worker() -> _Worker:
    """Return an idle thread; threads of the parent of a forked process do not exist in this one."""
    while _idle:
        with contextlib.suppress(IndexError):  # another thread took it
            worker = _idle.pop()
            if worker.process == os.getpid():
                return worker
    return _Worker(os.getpid())


class StepProgress(Progress):
    """The progress of a step; its reports go to the progress of the whole work."""

    def __init__(self, whole: Progress, start: float, end: float, before: str) -> None:
        super().__init__()
        self.whole, self.start, self.end, self.before = whole, start, end, before
        self.stop, self.watched = whole.stop, whole.watched

    def tell(self, share: float, what: str) -> None:
        self.share, self.what = share, what
        self.whole.tell(self.start + (self.end - self.start) * min(share, 1.0), self.before + what)

    @property
    def found(self) -> list[Any]:
        return self.whole.found

    def add(self, records: Callable[[], Iterable[Any]], method_number: int = 1) -> None:
        self.whole.add(records, method_number)

    def offer(self, proposal: Callable[[], Any]) -> None:
        self.whole.offer(proposal)
