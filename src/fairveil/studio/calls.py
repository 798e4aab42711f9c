"""Call: one validated request, with everything that an endpoint needs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairveil.errors import BadInput
from fairveil.studio.faults import RequestRefused

if TYPE_CHECKING:
    from fairveil.studio.sessions import OpenSession, Studio

MOST_ROWS = 1000
"""Maximum number of rows in one window."""


@dataclass(frozen=True)
class FileAnswer:
    """A file as a response. A browser saves it as `name`, or displays it if there is none."""

    content: bytes | Path
    type: str
    name: str | None = None


@dataclass(frozen=True)
class Call:
    """One request: `path` has the named parts of the path, `query` the query parameters, converted to their types."""

    studio: Studio
    path: Mapping[str, str] = field(default_factory=dict)
    query: Mapping[str, Any] = field(default_factory=dict)
    body: Any = None
    found: OpenSession | None = None
    uploaded: Path | None = None

    @property
    def session(self) -> OpenSession:
        assert self.found is not None, "the endpoint has no session in its path"
        return self.found

    def need(self, name: str) -> Any:
        """Return a required query parameter."""
        if name not in self.query:
            raise RequestRefused(400, "bad-input", f"{name} is missing in the address")
        return self.query[name]

    def window(self) -> tuple[int, int]:
        offset, limit = int(self.query.get("offset", 0)), int(self.query.get("limit", 100))
        if offset < 0 or not 1 <= limit <= MOST_ROWS:
            raise BadInput(f"a window starts at 0 or later and has 1 to {MOST_ROWS} rows")
        return offset, limit
