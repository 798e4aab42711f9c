"""Progress bars of long calls, on a terminal or in a notebook, unless the caller passed a progress of its own.

A bar appears after a second. There is none if stderr is not a terminal and there is no notebook, if
FAIRVEIL_PROGRESS is 0, off, no or false, or inside `silent()`, for programs that show progress in their own way.
"""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

VARIABLE = "FAIRVEIL_PROGRESS"
DELAY, INTERVAL = 1.0, 0.1
"""Seconds before a bar appears, and between two drawings of it."""
WIDTH = 24
Draw = Callable[[float | None, str], None]
"""Draws the share done and the current step; removes the bar if the share is None."""
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
    # IPython is not imported to find out whether a Jupyter kernel runs this process
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    if hasattr(shell, "kernel"):
        return ProgressBar(_notebook_output())
    return ProgressBar(_draw_line) if sys.stderr is not None and sys.stderr.isatty() else None


class ProgressBar:
    """A progress bar. `report` takes the share done and the current step; `close` removes the bar."""

    def __init__(self, draw: Draw) -> None:
        self._draw, self._next, self._drawn = draw, time.monotonic() + DELAY, False

    def report(self, share: float, what: str) -> None:
        if time.monotonic() >= self._next:
            self._next, self._drawn = time.monotonic() + INTERVAL, True
            self._draw(min(max(share, 0.0), 1.0), what)

    def close(self) -> None:
        if self._drawn:
            self._next, self._drawn = time.monotonic() + DELAY, False
            self._draw(None, "")


def _draw_line(share: float | None, what: str) -> None:
    """Redraw one line on stderr."""
    line = ""
    if share is not None:
        full = round(share * WIDTH)
        printable = "".join(character if character.isprintable() else "?" for character in what)
        line = f"{'━' * full}{'─' * (WIDTH - full)} {share:4.0%} {printable}"[: shutil.get_terminal_size().columns - 1]
    sys.stderr.write(f"\r\x1b[2K{line}")
    sys.stderr.flush()


def _notebook_output() -> Draw:
    """Return a function that replaces one output of the notebook cell."""
    from IPython.display import display  # type: ignore[import-not-found]

    from fairveil.markup import shown, tag

    handle: Any = None

    def draw(share: float | None, what: str) -> None:
        nonlocal handle
        picture = {"text/html": "", "text/plain": ""}
        if share is not None:
            bar = tag("progress", value=f"{share:.3f}", max="1", style="width:16em;vertical-align:middle")
            html = tag("div", bar, f" {share:.0%} ", shown(what, 120))
            picture = {"text/html": html, "text/plain": f"{share:.0%} {what}"}
        if handle is None:
            handle = display(picture, raw=True, display_id=True)
        else:
            handle.update(picture, raw=True)

    return draw
