"""Sessions: a private folder each, below the studio's state directory. The token gives access to all sessions.

session.json   the document and its history
uploads/       uploaded files; they are removed only with the folder
runs/          candidates of runs, and walks
memory/        results of finished methods (`run/cache.py`)
releases/      releases that can be downloaded

Folders are 0700 and files 0600. A session accesses only its own folder, and no request contains a path in it.
"""

from __future__ import annotations

import json
import os
import re
import secrets
import shutil
import threading
from collections import deque
from collections.abc import Callable
from contextvars import ContextVar
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from fairveil import shapes
from fairveil.data.atomic import private_folder, sweep, write_text
from fairveil.errors import BadInput
from fairveil.studio.history import History
from fairveil.studio.refusals import RequestRefused, unknown

if TYPE_CHECKING:
    from fairveil.frontier.reference_direction import ReferenceDirection
    from fairveil.studio.document import Sources
    from fairveil.studio.jobs import Job
    from fairveil.studio.runs import Run
    from fairveil.studio.steering import Relay

try:
    import fcntl
except ImportError:  # without file locks two studios may share one folder
    fcntl = None  # type: ignore[assignment]

_ID = re.compile(r"[0-9a-f]{16}")
SEEN: ContextVar[int | None] = ContextVar("SEEN", default=None)
"""The version of the session that the sender of a request has seen; None: they do not say."""
BY: ContextVar[str] = ContextVar("BY", default="")
"""Who sends a request, as a proxy in front of the studio says."""
WINDOW: ContextVar[str] = ContextVar("WINDOW", default="")
"""The browser window that sends a request, by a number that it draws; what it changed itself it has seen."""
RECENT = 200
"""Number of changes that are told to somebody who has not seen them."""
MAX_UPLOAD = 2 << 30
"""Maximum number of bytes of an uploaded file."""


class Studio:
    """All sessions of one state directory, which only one studio at a time may use."""

    def __init__(self, state: Path, *, max_upload: int = MAX_UPLOAD) -> None:
        self.state, self.max_upload = state, max_upload
        self.opened: str | None = None
        for folder in (state, state / "sessions"):
            private_folder(folder)
        self._hold = _locked(state)
        sweep(state / "sessions")
        self._sessions: dict[str, OpenSession] = {}
        self._lock = threading.RLock()

    def create(self) -> OpenSession:
        session = OpenSession(self.state / "sessions" / secrets.token_hex(8))
        session.save()
        with self._lock:
            self._sessions[session.id] = session
        return session

    def session(self, id: str) -> OpenSession:
        """Return the session of an id, read from its folder on first use."""
        with self._lock:
            if id not in self._sessions:
                folder = self.state / "sessions" / id
                if not _ID.fullmatch(id) or not (folder / "session.json").is_file():
                    raise unknown("session", id)
                self._sessions[id] = OpenSession.read(folder)
            return self._sessions[id]

    def ids(self) -> list[str]:
        """Return the ids of all sessions, the last changed first."""
        files = [path for path in (self.state / "sessions").glob("*/session.json") if _ID.fullmatch(path.parent.name)]
        return [path.parent.name for path in sorted(files, key=lambda path: -path.stat().st_mtime)]

    def delete(self, id: str) -> None:
        """Stop the session's work, and remove its folder with all files."""
        session = self.session(id)
        session.close()
        with self._lock:
            self._sessions.pop(id, None)
        # renamed first, so that a half-removed folder is not a session
        gone = session.folder.with_name(f".{id}-{secrets.token_hex(4)}")
        os.rename(session.folder, gone)
        shutil.rmtree(gone)

    def close(self) -> None:
        for session in list(self._sessions.values()):
            session.close()
        if self._hold is not None:
            os.close(self._hold)
            self._hold = None


def _locked(state: Path) -> int | None:
    """Lock this directory against other studios until the process ends; remove leftovers of killed ones."""
    for left in (state / "sessions").glob(".*-*"):
        if left.is_dir() and not left.is_symlink():
            shutil.rmtree(left, ignore_errors=True)
    if fcntl is None:
        return None
    handle = os.open(state / "lock", os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(handle)
        raise BadInput(
            f"another studio uses {state}: continue there, stop it, or name another folder with --state"
        ) from None
    return handle


class OpenSession:
    """An open session: its document on disk, and its state in memory."""

    def __init__(self, folder: Path, history: History | None = None) -> None:
        from fairveil.studio.document import Sources

        self.folder, self.history = folder, history or History()
        self.lock = threading.RLock()
        self.jobs: dict[str, Job[Any]] = {}
        self.walks: dict[str, tuple[ReferenceDirection, Relay]] = {}
        self.kept: dict[Any, Any] = {}
        self.recent: deque[tuple[int, str, str]] = deque(maxlen=RECENT)
        self.sources: Sources = Sources(folder)
        self.closed = False
        private_folder(folder)

    @classmethod
    def read(cls, folder: Path) -> OpenSession:
        path = folder / "session.json"
        try:
            history = History.from_dict(shapes.from_json(shapes.read_bytes(path, "session"), "the session's file"))
        except BadInput as problem:
            raise RequestRefused(409, "damaged-session", f"This session cannot be read: {problem}.") from None
        return cls(folder, history)

    @cached_property
    def runs(self) -> dict[str, Run]:
        """The runs, read on first use: a list of sessions does not need them."""
        from fairveil.studio.runs import read_runs

        with self.lock:
            return read_runs(self)

    @property
    def id(self) -> str:
        return self.folder.name

    @property
    def document(self) -> dict[str, Any]:
        return self.history.document

    def folder_of(self, name: str) -> Path:
        """Return a folder of the session, created on first use; raises if the session was deleted."""
        if self.closed:
            raise unknown("session", self.id)
        folder = self.folder / name
        private_folder(folder)
        return folder

    def next_number(self, kind: str) -> int:
        """Return a number that nothing of this kind in the session has had, also before a restart."""
        with self.lock:
            used = [int(id[1:]) for id in (*self.runs, *self.jobs) if id[0] == kind and id[1:].isdecimal()]
            folders = ("runs", "releases", "uploads")
            names = (path.name for folder in folders for path in (self.folder / folder).glob(f"{kind}*"))
            used += [int(match[1]) for name in names if (match := re.match(rf"{kind}(\d+)", name))]
            return max(used, default=0) + 1

    def reserve(self, kind: str, folder: str, ending: str) -> tuple[str, Path]:
        """Return a new id of this kind, and its file, which is created empty so that nothing else gets the number."""
        with self.lock:
            id = f"{kind}{self.next_number(kind)}"
            path = self.folder_of(folder) / f"{id}{ending}"
            path.touch(mode=0o600)
        return id, path

    def change(self, sentence: str, edit: Callable[[dict[str, Any]], object]) -> None:
        """Change the document, in memory and on disk, with an entry in the history."""
        from fairveil.studio.document import edited

        with self.lock:
            self._refuse_unseen()
            if self.history.change(sentence, partial(edited, edit), BY.get()):
                self._changed(sentence)

    def _refuse_unseen(self) -> None:
        """Refuse a change by somebody who has not seen the last ones: it could overwrite what they decided."""
        seen = SEEN.get()
        SEEN.set(None)  # further changes of the same request are its own
        if seen is None or seen == self.history.version:
            return
        unseen, own = [entry for entry in self.recent if entry[0] > seen], WINDOW.get()
        missed = [sentence for _, window, sentence in unseen if not own or window != own]
        if not missed and len(unseen) == self.history.version - seen:  # changes of a job that the window started
            return
        what = f": {'; '.join(missed[-3:])}" if missed else ""
        raise RequestRefused(
            409, "changed-meanwhile",
            f"Nothing was done, because this session was changed since you looked{what}. Look at it, and try again.",
        )  # fmt: skip

    def _changed(self, sentence: str) -> None:
        by = BY.get()
        self.recent.append((self.history.version, WINDOW.get(), f"{by}: {sentence}" if by else sentence))
        self.save()

    def label(self, section: Literal["runs", "walks"], id: str, name: str | None, note: str | None) -> None:
        """Set the name and note of a run or walk; what is None stays."""
        given = {key: value for key, value in (("name", name), ("note", note)) if value is not None}
        words = {"name": f"named {id} {name}", "note": f"changed the note of {id}"}
        sentence = " and ".join(words[key] for key in given)
        self.change(sentence[:1].upper() + sentence[1:], lambda document: document[section][id].update(given))

    def remove(self, section: Literal["runs", "walks"], id: str) -> None:
        """Remove a run or walk from the document; its file is kept until the session is deleted: undo restores it."""

        def edit(document: dict[str, Any]) -> None:
            del document[section][id]
            document["clipboard"] = [c for c in document["clipboard"] if not c["candidate"].startswith(f"{id}-")]
            if str(document["chosen"]).startswith(f"{id}-"):
                document["chosen"] = None

        self.change(f"Removed {self.document[section][id]['name']}", edit)

    def travel(self, move: Callable[[History], object]) -> None:
        """Undo, redo, or go to any step."""
        with self.lock:
            self._refuse_unseen()
            before = self.history.position
            move(self.history)
            self._changed("Undid a step" if self.history.position < before else "Redid a step")

    def save(self) -> None:
        with self.lock:
            if self.closed:
                raise unknown("session", self.id)
            text = json.dumps(self.history.to_dict(), ensure_ascii=False, separators=(",", ":"))
            write_text(text, self.folder / "session.json", private=True)

    def keep(self, key: Any, make: Callable[[], Any]) -> Any:
        """Return the cached result of `make` for this key; a few results are cached."""
        with self.lock:
            if key in self.kept:
                self.kept[key] = self.kept.pop(key)
                return self.kept[key]
        result = make()
        with self.lock:
            self.kept[key] = result
            while len(self.kept) > 24:
                del self.kept[next(iter(self.kept))]
        return result

    def close(self) -> None:
        """Stop all running work."""
        with self.lock:
            self.closed = True
            runs = self.runs.values() if "runs" in vars(self) else ()
            jobs = [*self.jobs.values(), *(run.job for run in runs if run.job is not None)]
        for job in jobs:
            job.progress.cancel()
        for job in jobs:
            job.stop(1.0)
