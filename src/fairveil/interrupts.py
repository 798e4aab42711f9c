"""Ctrl-C while a compiled search runs in the main thread.

Python answers a signal only between two of its own instructions, so a search that runs for a minute would be
interrupted after a minute. The system's handler, however, writes the number of the signal to a pipe at once. A thread
that waits at its other end sets the sign that compiled searches look at; the search returns, and Python goes on to
raise KeyboardInterrupt as usual. Nothing is to be done on the way, so a search takes as long as without it.
"""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from collections.abc import Iterator
from functools import cache

import numpy as np


class _Watch(threading.Thread):
    """Sets the signs in `stops` when Ctrl-C is pressed; `earlier` is told of every signal as before."""

    def __init__(self) -> None:
        super().__init__(name="fairveil-interrupts", daemon=True)
        self.stops: list[np.ndarray] = []
        self.earlier = -1
        self._reader, self.writer = os.pipe()
        os.set_blocking(self.writer, False)
        self.start()

    def run(self) -> None:
        while True:
            numbers = os.read(self._reader, 64)
            if signal.SIGINT in numbers:
                for stop in self.stops:
                    stop[0] = 1
            if self.earlier >= 0:
                with contextlib.suppress(OSError):
                    os.write(self.earlier, numbers)


@cache
def _watch(process: int) -> _Watch:
    """One for the process: a forked one has not inherited the thread."""
    return _Watch()


@contextlib.contextmanager
def interruptible(stop: np.ndarray) -> Iterator[None]:
    """While this lasts, Ctrl-C sets `stop`, if it would raise KeyboardInterrupt here."""
    if threading.current_thread() is not threading.main_thread() or not _raises():
        yield
        return
    watch = _watch(os.getpid())
    watch.stops.append(stop)
    earlier = signal.set_wakeup_fd(watch.writer, warn_on_full_buffer=False)
    if earlier != watch.writer:
        watch.earlier = earlier
    try:
        yield
    finally:
        signal.set_wakeup_fd(earlier, warn_on_full_buffer=False)
        watch.stops.pop()


def _raises() -> bool:
    """Whether Ctrl-C does what Python does by default; somebody else's handler knows better what it is to mean."""
    return signal.getsignal(signal.SIGINT) is signal.default_int_handler
