"""Registry: all parts of one sort, by name. Plans, command line, reports and docs read these lists.

>>> class Colour:
...     def __init__(self, name): self.name = name
>>> colours = Registry("colour", [Colour("red"), Colour("green")])
>>> _ = colours.register(Colour("blue"))
>>> colours.names, colours.get("blue").name
(['red', 'green', 'blue'], 'blue')
>>> colours.get("gren")
Traceback (most recent call last):
fairveil.errors.BadInput: no colour 'gren': did you mean 'green'?

An entry is known by its `name`, a class by its `kind`. `homes` name the modules of entries that are loaded when they
are first used. An entry that is registered from outside can be used wherever the built-in ones can.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module
from typing import Any, Generic, TypeVar

from fairveil.errors import BadInput, suggest

T = TypeVar("T")


class Registry(Generic[T]):
    """An ordered list with names, to which anybody may add."""

    def __init__(self, what: str, entries: Iterable[T] = (), homes: Mapping[str, str] | None = None) -> None:
        self.what = what
        self._entries: dict[str, T | str] = {_name(entry): entry for entry in entries}
        self._entries |= homes or {}

    @property
    def names(self) -> list[str]:
        return list(self._entries)

    def __contains__(self, name: object) -> bool:
        return name in self._entries

    def __len__(self) -> int:
        return len(self._entries)

    def __iter__(self) -> Iterator[T]:
        return iter([self.get(name) for name in self._entries])

    def get(self, name: Any) -> T:
        """The entry of that name; refused with the nearest one where there is none."""
        if not isinstance(name, str) or name not in self._entries:
            raise BadInput(suggest(name, self._entries, self.what))
        entry = self._entries[name]
        if isinstance(entry, str):
            module, _, attribute = entry.rpartition(".")
            entry = self._entries[name] = getattr(import_module(module), attribute)
        return entry

    def register(self, entry: T) -> T:
        """Add an entry; also as a decorator of a class. A name that is taken is refused."""
        name = _name(entry)
        if not name or not isinstance(name, str):
            raise BadInput(f"a {self.what} needs a name to be registered by")
        if name in self._entries and self._entries[name] is not entry:
            raise BadInput(f"there is a {self.what} {name!r} already: choose another name")
        self._entries[name] = entry
        return entry

    def unregister(self, name: str) -> None:
        """Take an entry out again."""
        self._entries.pop(name, None)


def _name(entry: Any) -> Any:
    return getattr(entry, "kind", None) or getattr(entry, "name", None)
