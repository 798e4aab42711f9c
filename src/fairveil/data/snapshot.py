"""Snapshot: the one state of the data that a run sees, from its first query to the last byte of a release.

A run is several queries, and other sessions may change the data between them. Either all queries see one state (a
transaction, a pinned version, rows in memory), or a token of the state (identity, size and times of files, a checksum
of rows) is compared before the first query and after the last byte. A change is refused, and nothing is published.

>>> rows = [1, 2]
>>> snapshot = Snapshot(lambda: tuple(rows), "the list")
>>> snapshot.begin()
>>> rows.append(3)
>>> snapshot.check()
Traceback (most recent call last):
    ...
fairveil.errors.BadInput: the list changed while it was read, so nothing is published: run again when it is at rest
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

from fairveil.errors import BadInput, Cancelled

State = Hashable
"""A token that differs where the data does. It is never published: it could confirm guesses about the data."""
GRAIN = 20_000_000
"""Nanoseconds within which two changes of a file may have the same time."""
COARSE = 2_000_000_000
"""The same on file systems that store whole seconds, or every second one."""


class Snapshot:
    """The state of one source, shared by everything that is derived from it. Without `state`, or once it is `settled`,
    all queries see the same state. A text describes it for the owner, as `described` or by the time of the first query;
    `notes` say how the rows were put together.
    """

    def __init__(
        self, state: Callable[[], State] | None = None, name: str = "the source", described: str = "",
        notes: Sequence[str] = (),
    ) -> None:  # fmt: skip
        self.name, self.notes, self._state, self._described = name, tuple(notes), state, described
        self._first: list[State] = []

    def __str__(self) -> str:
        return self._described or self.name

    def begin(self) -> None:
        """Remember the state, before the first query."""
        if self._state is None or self._first:
            return
        since = datetime.now(UTC)
        self._first.append(self._state())  # of two threads, the first counts
        if self._first[0] is None:
            self._state, self._described = None, f"{self.name}, which cannot tell whether it changes meanwhile"
        self._described = self._described or f"{self.name}, unchanged since {since:%Y-%m-%d %H:%M:%S} UTC"

    def check(self) -> None:
        """Raise BadInput if the state is no longer the one at the first query."""
        try:
            changed = self._changed()
        except Exception:
            raise BadInput(
                f"{self.name} can no longer be read, so nothing is published: whether it changed is not known"
            ) from None
        if changed:
            raise self.changed()

    def _changed(self) -> bool:
        return self._state is not None and bool(self._first) and self._state() != self._first[0]

    def settle(self) -> None:
        """Check it for the last time: all rows have been read."""
        self.check()
        self._state = None

    @contextmanager
    def explaining(self) -> Iterator[None]:
        """Raise an error in this block as a change of the source, if it did change."""
        try:
            yield
        except Cancelled:
            raise
        except Exception:
            changed = False
            with suppress(Exception):  # the engine that failed may not answer any more
                changed = self._changed()
            if changed:
                raise self.changed() from None
            raise

    def changed(self) -> BadInput:
        return BadInput(f"{self.name} changed while it was read, so nothing is published: run again when it is at rest")


class JoinedSnapshot(Snapshot):
    """The states of several sources whose rows are joined; `fit` says for the owner how they fit."""

    def __init__(self, parts: Sequence[Snapshot], fit: str) -> None:
        names = dict.fromkeys(part.name for part in parts)
        super().__init__(name=" and ".join(names), notes=[*(note for part in parts for note in part.notes), fit])
        self.parts = tuple(parts)

    def __str__(self) -> str:
        return " joined with ".join(map(str, self.parts))

    def begin(self) -> None:
        for part in self.parts:
            part.begin()

    def check(self) -> None:
        for part in self.parts:
            part.check()

    def settle(self) -> None:
        for part in self.parts:
            part.settle()

    def _changed(self) -> bool:
        return any(part._changed() for part in self.parts)

    def changed(self) -> BadInput:
        for part in self.parts:
            with suppress(Exception):
                if part._changed():
                    return part.changed()
        return super().changed()


def stamp(path: Path) -> State:
    """Identity, size and times of a file: different after any change. Where the file system has no identities, its
    SHA-256 is in their place."""
    status = path.stat()
    newest = max(status.st_mtime_ns, status.st_ctime_ns)
    grain = GRAIN if newest % 1_000_000_000 else COARSE
    if 0 <= (age := time.time_ns() - newest) < grain:  # a change right now might not be seen
        time.sleep((grain - age) / 1e9)
        status = path.stat()
    identity: State = (status.st_dev, status.st_ino)
    if not status.st_ino:
        with path.open("rb") as file:
            identity = hashlib.file_digest(file, "sha256").hexdigest()
    return str(path), identity, status.st_size, status.st_mtime_ns, status.st_ctime_ns


def changed_at(path: Path) -> str:
    """The time of a file's last change, for display."""
    return f"{datetime.fromtimestamp(path.stat().st_mtime, UTC):%Y-%m-%d %H:%M:%S} UTC"
