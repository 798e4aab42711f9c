"""What commands print: results on stdout, everything else on stderr; bars only on a terminal.

Values and labels come from data that cannot be trusted. They are printed literally, never as markup, and control
and bidirectional characters that a terminal would interpret are escaped, in every form of output.
"""

from __future__ import annotations

import json
import shutil
import sys
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from math import isfinite, isnan
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairveil.cli.lean import load_arrays, load_learners

if TYPE_CHECKING:
    from fairveil.guards import Verdict
    from fairveil.measures import Measure
    from fairveil.progress import Progress

WIDE = 200
"""Maximum width of a table without a terminal."""


def clean(value: object) -> str:
    """Text that is safe to print: one line, no control characters."""
    text = str(value)
    return text if text.isprintable() else "".join(char if char.isprintable() else repr(char)[1:-1] for char in text)


def say(text: str = "") -> None:
    """Print a sentence; on a terminal it is wrapped between words, with a hanging indent."""
    line = clean(text)
    width = shutil.get_terminal_size().columns
    if not sys.stdout.isatty() or len(line) <= width:
        print(line)
        return
    indent = " " * (len(line) - len(line.lstrip()))
    wrapped = textwrap.wrap(
        line.lstrip(), width, initial_indent=indent, subsequent_indent=f"{indent}  ", break_long_words=False,
        break_on_hyphens=False,
    )  # fmt: skip
    print(*wrapped, sep="\n")


def warn(text: str) -> None:
    print(f"fairveil: {clean(text)}", file=sys.stderr)


def say_json(content: Any) -> None:
    print(as_json(content))


def as_json(content: Any) -> str:
    """One JSON document; infinite numbers become null, dates become text.

    Characters that a terminal would interpret, such as bidirectional controls, are written as JSON escapes, so
    that a program reads the same text.
    """
    text = json.dumps(_finite(content), indent=2, ensure_ascii=False, default=str)
    if text.isprintable():
        return text
    return "".join(char if char == "\n" or char.isprintable() else json.dumps(char)[1:-1] for char in text)


def say_csv(rows: Iterable[Iterable[object]]) -> None:
    """Print CSV lines; each value is safe to print."""
    import csv

    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerows([clean(value) for value in row] for row in rows)


def _finite(content: Any) -> Any:
    if isinstance(content, float):
        return content if isfinite(content) else None
    if isinstance(content, dict):
        return {str(key): _finite(value) for key, value in content.items()}
    return [_finite(value) for value in content] if isinstance(content, list | tuple) else content


def say_table(columns: Sequence[str], rows: Sequence[Sequence[object]], title: str = "") -> None:
    """Print a table fitted to the terminal; numbers to the right."""
    from fairveil.cli.table_layout import laid_out

    numeric = [
        bool(rows) and all(isinstance(row[position], int | float) for row in rows) for position in range(len(columns))
    ]
    cells = [[clean(number(cell) if isinstance(cell, float) else cell) for cell in row] for row in rows]
    width = shutil.get_terminal_size(fallback=(WIDE, 24)).columns
    lines = laid_out([clean(name) for name in columns], cells, numeric, width)
    print("", *([clean(title)] if title else []), *lines, "", sep="\n")


def number(value: float) -> str:
    """Four significant digits; integers in full."""
    if not isfinite(value):
        return "–" if isnan(value) else str(value)
    return f"{value:,.0f}" if float(value).is_integer() and abs(value) < 1e15 else f"{value:.4g}"


def share(value: float) -> str:
    """A share in percent, never rounded to zero."""
    return "0 %" if value == 0 else f"{value:.1%}".replace("%", " %") if value >= 0.001 else "<0.1 %"


def short(file: str) -> str:
    """The name of a file or database in a progress bar."""
    return "the database" if "://" in file else Path(file).name


def mark(verdict: Verdict) -> str:
    return f"{'✓' if verdict else '✗'} {verdict.guard.kind}: {verdict.sentence}"


@contextmanager
def working(what: str, *, frames: bool = False, every: float | None = None) -> Iterator[Progress]:
    """The progress of long work, shown as a bar on a terminal.

    `frames`: the work may use SciPy and scikit-learn, which otherwise stay unloaded. `every`: without a terminal, a
    line reports progress every so many seconds.
    """
    if frames:
        load_learners()
    else:
        load_arrays()
    from fairveil.progress import Progress

    if not sys.stderr.isatty():
        progress = Progress()
        with _reporting(progress, every):
            try:
                yield progress
            finally:
                progress.forget()
        return
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bars

    console = Console(stderr=True)
    columns = (BarColumn(), TextColumn("{task.description}", markup=False), TimeElapsedColumn())
    # stdout appears above the bar, unless it is redirected
    with Bars(*columns, console=console, transient=True, redirect_stdout=sys.stdout.isatty()) as bars:
        task = bars.add_task(clean(what), total=None)

        def report(done: float, doing: str) -> None:
            bars.update(task, total=1.0, completed=done, description=clean(doing))

        progress = Progress(report)
        try:
            yield progress
        finally:
            progress.forget()


@contextmanager
def _reporting(progress: Progress, every: float | None) -> Iterator[None]:
    """Print a line to stderr every so many seconds, even if the work reports nothing."""
    import threading
    import time

    started, done = time.monotonic(), threading.Event()

    def report() -> None:
        while not done.wait(every):
            minutes = (time.monotonic() - started) / 60
            warn(f"{progress.share:.0%} after {minutes:.0f} min: {progress.what or 'working'}")

    thread = threading.Thread(target=report, name="fairveil-reporting", daemon=True)
    if every is not None:
        thread.start()
    try:
        yield
    finally:
        done.set()
        if every is not None:
            thread.join()


def called(measure: Measure) -> str:
    """A measure by its title, with the name by which options ask for it."""
    return measure.title if measure.title == measure.name else f"{measure.title} ({measure.name})"
