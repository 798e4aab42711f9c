"""The document: all that was decided in a session, and a history in which every change can be taken back.

A change is kept as what it did to the document, key by key, so that a long history of a large document stays small.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from fairveil import shapes
from fairveil.errors import BadInput
from fairveil.shapes import anything, each, many, number, optional, record, text, whole

FORMAT = 1
LONGEST = 1000
"""Steps of a history; older ones cannot be taken back any more."""
BLANK: Mapping[str, Any] = {
    "name": "", "notes": "", "source": None, "roles": {}, "denied": [], "weights": {}, "levels": {},
    "whole_numbers": {}, "pseudonyms": [], "hierarchies": {}, "guards": [], "methods": [{"kind": "incognito"}],
    "measures": [], "choose": "loss", "seed": 0, "order": "sorted", "format": "csv", "accept": [], "report": {},
    "runs": {}, "walks": {}, "clipboard": [], "chosen": None,
}  # fmt: skip
REQUEST = ("source", "roles", "denied", "weights", "levels", "whole_numbers", "pseudonyms", "hierarchies", "guards",
           "seed", "order")  # fmt: skip
"""What the result of a search depends on, besides its methods."""

Difference = list[tuple[list[str], Any, Any]]
"""Places that changed, each with what was there before and after; absent entries are `ABSENT`."""
ABSENT = {"absent": True}


def difference(before: Mapping[str, Any], after: Mapping[str, Any], place: tuple[str, ...] = ()) -> Difference:
    """Where two documents differ, down to entries that are not both sections."""
    found: Difference = []
    for key in dict.fromkeys([*before, *after]):
        old, new = before.get(key, ABSENT), after.get(key, ABSENT)
        if old == new:
            continue
        if isinstance(old, dict) and isinstance(new, dict) and len(place) < 1 and ABSENT not in (old, new):
            found += difference(old, new, (*place, key))
        else:
            found.append(([*place, key], old, new))
    return found


def apply(document: dict[str, Any], changes: Difference, *, back: bool) -> dict[str, Any]:
    """The document with these changes made, or taken back."""
    changed = deepcopy(document)
    for place, old, new in changes:
        section = changed
        for key in place[:-1]:
            section = section[key]
        value = old if back else new
        if value == ABSENT:
            section.pop(place[-1], None)
        else:
            section[place[-1]] = deepcopy(value)
    return changed


@dataclass
class History:
    """A document and its changes; the first `position` of them are in effect."""

    document: dict[str, Any] = field(default_factory=lambda: deepcopy(dict(BLANK)))
    changes: list[dict[str, Any]] = field(default_factory=list)
    position: int = 0
    version: int = 0

    def change(self, sentence: str, edit: Callable[[dict[str, Any]], object]) -> bool:
        """Edit the document; what was undone before is gone. False where nothing changed."""
        edited = deepcopy(self.document)
        edit(edited)
        changes = difference(self.document, edited)
        if not changes:
            return False
        entry = {"sentence": sentence, "at": now(), "changes": changes}
        self.changes = [*self.changes[: self.position], entry][-LONGEST:]
        self.document, self.position, self.version = edited, len(self.changes), self.version + 1
        return True

    def go_to(self, position: int) -> None:
        """Undo or redo until so many changes are in effect."""
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
        checked = _SHAPE(content, "the session")
        del checked["format"]
        return cls(**{**checked, "document": {**deepcopy(dict(BLANK)), **checked["document"]}})


_SECTION = record({}, more=True)
_SHAPE = record({
    "format": whole(FORMAT, FORMAT), "position": whole(0, LONGEST), "version": whole(0),
    "document": record({}, {
        "name": text, "notes": text, "source": optional(_SECTION), "roles": each(many(text)), "denied": many(anything),
        "weights": each(number()), "levels": each(whole()), "whole_numbers": each(shapes.choice("code", "quantity")),
        "pseudonyms": many(text), "hierarchies": each(_SECTION),
        "guards": many(_SECTION), "methods": many(_SECTION), "measures": many(text), "choose": text, "seed": whole(0),
        "order": shapes.choice("sorted", "keep"), "format": shapes.choice("csv", "parquet"), "accept": many(text),
        "report": each(text), "runs": each(_SECTION), "walks": each(_SECTION), "clipboard": many(_SECTION),
        "chosen": optional(text),
    }),
    "changes": many(record({"sentence": text, "at": text, "changes": many(many(anything, 3))})),
})  # fmt: skip


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
