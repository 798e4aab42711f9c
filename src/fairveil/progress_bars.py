"""Progress bars of long calls, on a terminal or in a notebook, unless the caller passed a progress of its own.

A bar appears after a second. There is none if stderr is not a terminal and there is no notebook, if
FAIRVEIL_PROGRESS is 0, off, no or false, or inside `silent()`, for programs that show progress in their own way.
"""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

VARIABLE = "FAIRVEIL_PROGRESS"
DELAY, INTERVAL = 1.0, 0.1
"""Seconds before a bar appears, and between two of its pictures."""
WIDTH = 24
_silent: ContextVar[bool] = ContextVar("no bars", default=False)


@contextmanager
def silent() -> Iterator[None]:
    """Show no progress bars inside this block."""
    before = _silent.set(True)
    try:
        yield
    finally:
        _silent.reset(before)


def automatic() -> ProgressBar | None:
    """Return the progress bar for a terminal or a notebook; None if there should be none."""
    if _silent.get() or os.environ.get(VARIABLE, "").lower() in ("0", "off", "no", "false"):
        return None
    if _in_notebook():
        return NotebookBar()
    return TerminalBar() if sys.stderr is not None and sys.stderr.isatty() else None


def _in_notebook() -> bool:
    """Whether a Jupyter kernel runs this process; IPython is not imported to find out."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return hasattr(shell, "kernel")


class ProgressBar:
    """A progress bar. `report` takes the share done and the current step; `close` removes the bar."""

    def __init__(self) -> None:
        self._next, self._drawn = time.monotonic() + DELAY, False

    def report(self, share: float, what: str) -> None:
        if time.monotonic() >= self._next:
            self._next, self._drawn = time.monotonic() + INTERVAL, True
            self.draw(min(max(share, 0.0), 1.0), what)

    def close(self) -> None:
        if self._drawn:
            self._next, self._drawn = time.monotonic() + DELAY, False
            self.clear()

    def draw(self, share: float, what: str) -> None:
        raise NotImplementedError

    def clear(self) -> None:
        raise NotImplementedError


class TerminalBar(ProgressBar):
    """One line on stderr that is redrawn."""

    def draw(self, share: float, what: str) -> None:
        full = round(share * WIDTH)
        plain = "".join(sign if sign.isprintable() else "?" for sign in what)
        line = f"{'━' * full}{'─' * (WIDTH - full)} {share:4.0%} {plain}"
        self._write(line[: shutil.get_terminal_size().columns - 1])

    def clear(self) -> None:
        self._write("")

    @staticmethod
    def _write(line: str) -> None:
        sys.stderr.write(f"\r\x1b[2K{line}")
        sys.stderr.flush()


class NotebookBar(ProgressBar):
    """An output of the notebook cell that is replaced, and empty at the end."""

    handle: Any = None

    def draw(self, share: float, what: str) -> None:
        from fairveil.markup import shown, tag

        bar = tag("progress", value=f"{share:.3f}", max="1", style="width:16em;vertical-align:middle")
        self._show(tag("div", bar, f" {share:.0%} ", shown(what, 120)), f"{share:.0%} {what}")

    def clear(self) -> None:
        self._show("", "")

    def _show(self, html: str, text: str) -> None:
        from IPython.display import display  # type: ignore[import-not-found]

        picture = {"text/html": html, "text/plain": text}
        if self.handle is None:
            self.handle = display(picture, raw=True, display_id=True)
        else:
            self.handle.update(picture, raw=True)
