"""Sources: the data of a session, read once per set of reading options."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairveil.errors import BadInput, refuse, suggest
from fairveil.studio.api import READING
from fairveil.studio.uploads import SAVED

if TYPE_CHECKING:
    from fairveil.engines import Source
    from fairveil.run.request import Origin

MOST_KEPT = 2
"""Maximum number of tables in memory: the current and the previous one, for undo."""


class Sources:
    """The tables of one session."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._tables: dict[str, Source] = {}
        self._lock = threading.RLock()

    def origin(self, spec: Mapping[str, Any]) -> Origin:
        """Return the source in the form of a plan, with full paths."""
        from fairveil.run.request import Origin

        given = {name: _setting(value) for name, value in spec.get("options", {}).items()}
        known = [setting.name for setting in READING]
        refuse([suggest(name, known, "reading option") for name in given if name not in known])
        if "dataset" in spec:
            return Origin(dataset=spec["dataset"])
        return Origin.of({"path": str(self.path(spec)), **given})

    def path(self, spec: Mapping[str, Any]) -> Path:
        """Return the path of the file; an upload is always in the session's own folder."""
        if "upload" not in spec:
            return Path(str(spec.get("path", "")))
        if not SAVED.fullmatch(str(spec["upload"])):
            raise BadInput("this session names an upload that cannot be one")
        return self.folder / "uploads" / str(spec["upload"])

    def key(self, spec: Mapping[str, Any]) -> str:
        """Return the part of the spec that determines the data, as text."""
        return json.dumps({name: spec[name] for name in spec if name not in ("title", "rows")}, sort_keys=True)

    def source(self, spec: Mapping[str, Any]) -> Source:
        """Return the data, read on first use."""
        key = self.key(spec)
        with self._lock:
            if key not in self._tables:
                self._tables[key] = self._read(spec)
                while len(self._tables) > MOST_KEPT:
                    del self._tables[next(iter(self._tables))]
            else:
                self._tables[key] = self._tables.pop(key)
            return self._tables[key]

    def _read(self, spec: Mapping[str, Any]) -> Source:
        """Read the data into memory, since the studio displays rows."""
        from fairveil.engines import source_of

        origin = self.origin(spec)
        if origin.dataset is not None:
            return source_of(bundled(origin.dataset).table)
        try:
            return origin.open(Path(), rows=True)
        except BadInput as problem:
            if "upload" not in spec:
                raise
            # the message must not contain the file's name on disk (a number) or the path of its folder
            place, title = str(self.path(spec)), str(spec.get("title", ""))
            raise BadInput(str(problem).replace(place, title).replace(Path(place).name, title)) from None


def bundled(name: str) -> Any:
    from fairveil.datasets import LOADERS

    if name not in LOADERS:
        raise BadInput(suggest(name, LOADERS, "example"))
    return LOADERS[name]()


def _setting(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
