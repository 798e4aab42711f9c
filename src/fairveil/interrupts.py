"""Ctrl-C while a compiled search runs in the main thread.

Python answers a signal only between two of its own instructions, so a search that runs for a minute would be
interrupted after a minute. The system's handler, however, writes the number of the signal to a pipe at once. A thread
that waits at its other end sets the flag that compiled searches check, and the search returns.

KeyboardInterrupt is raised by the code that asked for the work, once it has returned. Work that checks no flag is
interrupted after a moment.
"""

from __future__ import annotations

import contextlib
import os
import signal
import threading
import time
from collections.abc import Iterator
from functools import cache
from types import FrameType

import numpy as np

PATIENCE = 0.25
"""Seconds after which work that was told to stop, and has not, is interrupted wherever it is."""


class _Watch(threading.Thread):
    """Sets the flags in `stops` at Ctrl-C; `earlier`, the previous file descriptor, still receives every signal."""

    def __init__(self) -> None:
        super().__init__(name="fairveil-interrupts", daemon=True)
        self.stops: list[np.ndarray] = []
        self.earlier = -1
        self.impatient = self.raised = False
        self._reader, self.writer = os.pipe()
        os.set_blocking(self.writer, False)
        self.start()

    def run(self) -> None:
        while True:
            numbers = os.read(self._reader, 64)
            pressed = signal.SIGINT in numbers and not self.impatient
            if pressed:
                self.tell()
            if self.earlier >= 0:
                with contextlib.suppress(OSError):
                    os.write(self.earlier, numbers)
            if pressed:
                self._press_again()

    def tell(self) -> None:
        for stop in self.stops:
            stop[0] = 1

    def _press_again(self) -> None:
        """Interrupt work that was told to stop and is still running after a moment."""
        stopping, until = list(self.stops), time.monotonic() + PATIENCE
        while self._at_work(stopping) and time.monotonic() < until:
            time.sleep(0.01)
        while self._at_work(stopping) and not self.raised:
            self.impatient = True
            signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)  # type: ignore[arg-type]
            time.sleep(0.01)

    def _at_work(self, stopping: list[np.ndarray]) -> bool:
        return any(stop is other for stop in self.stops for other in stopping)


@cache
def _watch(process: int) -> _Watch:
    """Return the watch of this process; a forked process does not inherit the thread."""
    return _Watch()


def _noted(number: int, frame: FrameType | None) -> None:
    """Set the flags instead of raising; they are set here as well, for work that is about to finish."""
    watch = _watch(os.getpid())
    watch.tell()
    if not watch.impatient or watch.raised:
        return
    watch.raised = True
    signal.default_int_handler(number, frame)


@contextlib.contextmanager
def interruptible(stop: np.ndarray) -> Iterator[None]:
    """Inside this block Ctrl-C sets `stop` instead of raising KeyboardInterrupt; the caller raises it."""
    handler = signal.getsignal(signal.SIGINT)
    is_ours = handler in (signal.default_int_handler, _noted)  # any other handler keeps its meaning
    if threading.current_thread() is not threading.main_thread() or not is_ours:
        yield
        return
    watch = _watch(os.getpid())
    if handler is not _noted:
        watch.impatient = watch.raised = False
    watch.stops.append(stop)
    earlier = signal.set_wakeup_fd(watch.writer, warn_on_full_buffer=False)
    if earlier != watch.writer:
        watch.earlier = earlier
    signal.signal(signal.SIGINT, _noted)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
        signal.set_wakeup_fd(earlier, warn_on_full_buffer=False)
        watch.stops.pop()
