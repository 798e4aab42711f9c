"""History: a document and its changes, each of which can be undone.

A change is stored as a difference, key by key, so that a long history of a large document stays small.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from fairveil.errors import BadInput
from fairveil.shapes import anything, integer, many, record, text

FORMAT = 1
MAX_STEPS = 1000
"""Maximum number of steps in a history; older ones can no longer be undone."""

Difference = list[tuple[list[str], Any, Any]]
"""Paths of the entries that changed, each with its value before and after; absent entries are `ABSENT`."""
ABSENT = {"absent": True}


def difference(before: Mapping[str, Any], after: Mapping[str, Any], path: tuple[str, ...] = ()) -> Difference:
    """Return the entries in which two documents differ, down to entries that are not both sections."""
    changes: Difference = []
    for key in dict.fromkeys([*before, *after]):
        old, new = before.get(key, ABSENT), after.get(key, ABSENT)
        if old == new:
            continue
        if isinstance(old, dict) and isinstance(new, dict) and not path and ABSENT not in (old, new):
            changes += difference(old, new, (key,))
        else:
            changes.append(([*path, key], old, new))
    return changes


def apply(document: dict[str, Any], changes: Difference, *, back: bool) -> dict[str, Any]:
    """Return the document with these changes applied, or undone."""
    changed = deepcopy(document)
    for path, old, new in changes:
        section = changed
        for key in path[:-1]:
            section = section[key]
        value = old if back else new
        if value == ABSENT:
            section.pop(path[-1], None)
        else:
            section[path[-1]] = deepcopy(value)
    return changed


def _blank() -> dict[str, Any]:
    from fairveil.studio.document import blank  # it loads large packages: not before the server listens

    return blank()


@dataclass
class History:
    """A document and its changes; the first `position` of them are in effect."""

    document: dict[str, Any] = field(default_factory=_blank)
    changes: list[dict[str, Any]] = field(default_factory=list)
    position: int = 0
    version: int = 0

    def change(self, sentence: str, edit: Callable[[dict[str, Any]], object], by: str = "") -> bool:
        """Edit the document, on behalf of somebody if known; changes that were undone are discarded. Returns whether
        anything changed."""
        edited = deepcopy(self.document)
        edit(edited)
        changes = difference(self.document, edited)
        if not changes:
            return False
        entry = {"sentence": sentence, "at": now(), "changes": changes, **({"by": by} if by else {})}
        self.changes = [*self.changes[: self.position], entry][-MAX_STEPS:]
        self.document, self.position, self.version = edited, len(self.changes), self.version + 1
        return True

    def go_to(self, position: int) -> None:
        """Undo or redo until this number of changes is in effect."""
        if not 0 <= position <= len(self.changes):
            raise BadInput(f"the history has 0 to {len(self.changes)} steps, not {position}")
        while self.position > position:
            self.position -= 1
            self.document = apply(self.document, self.changes[self.position]["changes"], back=True)
        while self.position < position:
            self.document = apply(self.document, self.changes[self.position]["changes"], back=False)
            self.position += 1
        self.version += 1

    def undo(self) -> None:
        if not self.position:
            raise BadInput("there is nothing to undo")
        self.go_to(self.position - 1)

    def redo(self) -> None:
        if self.position == len(self.changes):
            raise BadInput("there is nothing to redo")
        self.go_to(self.position + 1)

    def to_dict(self) -> dict[str, Any]:
        return {"format": FORMAT, **vars(self)}

    @classmethod
    def from_dict(cls, content: Any) -> History:
        from fairveil.studio.document import checked, current_parts

        read = _SHAPE(current_parts(content), "the session")
        del read["format"]
        return cls(**{**read, "document": _blank() | checked(read["document"], "the document")})


_SHAPE = record({
    "format": integer(FORMAT, FORMAT), "position": integer(0, MAX_STEPS), "version": integer(0), "document": anything,
    "changes": many(record({"sentence": text, "at": text, "changes": many(many(anything, 3))}, {"by": text})),
})  # fmt: skip


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
