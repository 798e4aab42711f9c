"""Registry: all parts of one sort, by name. Plans, command line, studio, reports and docs read these lists.

>>> class Colour:
...     def __init__(self, name): self.name = name
>>> colours = Registry("colour", [Colour("red"), Colour("green")])
>>> _ = colours.register(Colour("blue"))
>>> colours.names, colours.get("blue").name
(['red', 'green', 'blue'], 'blue')
>>> colours.get("gren")
Traceback (most recent call last):
fairveil.errors.UnknownPart: no colour 'gren': did you mean 'green'?

An entry is known by its `name`, a class by its `kind`. `homes` name the modules of entries that are loaded when they
are first used; `further` loads the rest of the built-in ones, when a name is asked for that none of the others has. A
registered entry can be used wherever the built-in ones can.

Installed packages provide parts by an entry point in the group "fairveil":

    [project.entry-points."fairveil"]
    mine = "mine.parts"             # a module that registers its parts when it is imported,
    more = "mine.parts:register"    # or a function that registers them

They are loaded when a registry is listed or asked for a name that it does not know, so `import fairveil` stays quick.
A package that cannot be loaded is reported by a warning, once, and in the message about the unknown name.
"""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib import import_module
from threading import RLock
from typing import Any, Generic, TypeVar

from fairveil.errors import BadInput, BrokenPackage, UnknownPart, suggest

GROUP = "fairveil"
T = TypeVar("T")


class _Packages:
    """The installed packages that provide parts, loaded once."""

    def __init__(self) -> None:
        self.loaded = False
        self.problems: list[str] = []
        self._lock = RLock()

    def load(self) -> None:
        with self._lock:
            if self.loaded:  # also while they are being loaded, by a package that lists a registry
                return
            self.loaded = True
            if not _any_installed():
                return
            from importlib.metadata import entry_points

            for entry in entry_points(group=GROUP):
                try:
                    provided = entry.load()
                    if callable(provided):
                        provided()
                except Exception as problem:
                    reason = str(problem).split("\n", maxsplit=1)[0][:200] or type(problem).__name__
                    self.problems.append(f"the parts of {entry.value!r} are not available: {reason}")
                    warnings.warn(self.problems[-1], BrokenPackage, stacklevel=2)


def _any_installed() -> bool:
    """Whether an installed package may have an entry point of the group: asking importlib takes longer than a look at
    the folders. A place on the path that is not a folder, such as an archive, may have anything."""
    for place in sys.path:
        try:
            names = [name for name in os.listdir(place or ".") if name.endswith((".dist-info", ".egg-info", ".egg"))]
        except OSError:
            if os.path.exists(place):
                return True
            continue
        for name in names:
            try:
                with open(os.path.join(place, name, "entry_points.txt"), "rb") as file:
                    if f"[{GROUP}]".encode() in file.read().replace(b" ", b""):
                        return True
            except OSError:
                if name.endswith(".egg"):
                    return True
    return False


packages = _Packages()


class Registry(Generic[T]):
    """An ordered list of named parts that can be extended."""

    def __init__(
        self,
        what: str,
        entries: Iterable[T] = (),
        homes: Mapping[str, str] | None = None,
        further: Callable[[], Iterable[T]] | None = None,
    ) -> None:
        self.what = what
        self._entries: dict[str, T | str] = {_name(entry): entry for entry in entries}
        self._entries |= homes or {}
        self._own = frozenset(self._entries)
        self._further = further
        self._lock = RLock()

    def _load_further(self) -> None:
        with self._lock:
            if self._further is not None:
                rest = {_name(entry): entry for entry in self._further()}
                first = {name: entry for name, entry in self._entries.items() if name in self._own}
                self._own, self._further = self._own.union(rest), None
                self._entries = {**first, **rest, **self._entries}

    @property
    def own(self) -> frozenset[str]:
        """The names of the built-in entries."""
        self._load_further()
        return self._own

    @property
    def names(self) -> list[str]:
        self._load_further()
        packages.load()
        return list(self._entries)

    def __contains__(self, name: object) -> bool:
        return name in self._entries or name in self.names

    def __len__(self) -> int:
        return len(self.names)

    def __iter__(self) -> Iterator[T]:
        return iter([self.get(name) for name in self.names])

    def get(self, name: Any) -> T:
        """The entry of that name; raises UnknownPart, with the nearest name, if there is none."""
        if not isinstance(name, str) or name not in self:
            raise UnknownPart("; ".join([suggest(name, self.names, self.what), *packages.problems]), self.what, name)
        entry = self._entries[name]
        if isinstance(entry, str):
            module, _, attribute = entry.rpartition(".")
            entry = self._entries[name] = getattr(import_module(module), attribute)
        return entry

    def among(self, names: Iterable[str] | None) -> list[T]:
        """The built-in entries, and of all others those with these names; None: all of them."""
        chosen = None if names is None else self.own.union(names)
        return [self.get(name) for name in self.names if chosen is None or name in chosen]

    def register(self, entry: T) -> T:
        """Add an entry; also usable as a class decorator. Raises BadInput if another entry has the name."""
        self._load_further()
        name = _name(entry)
        if not name or not isinstance(name, str):
            raise BadInput(f"a {self.what} needs a name to be registered by")
        if name in self._entries and self._entries[name] is not entry:
            raise BadInput(f"a {self.what} {name!r} already exists: choose another name")
        self._entries[name] = entry
        return entry

    def unregister(self, name: str) -> None:
        """Remove an entry."""
        self._load_further()
        self._entries.pop(name, None)


def postponed(package: str, homes: Iterable[str]) -> Callable[[str], Any]:
    """The `__getattr__` of a package that loads names when they are first used. `homes` are their places below it.

    >>> postponed("fairveil", ["registry.Registry", "errors.BadInput"])("Registry") is Registry
    True
    """
    modules = {name: f"{package}.{module}" for module, _, name in (home.rpartition(".") for home in homes)}

    def load(name: str) -> Any:
        if name not in modules:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = vars(sys.modules[package])[name] = getattr(import_module(modules[name]), name)
        return value

    return load


def _name(entry: Any) -> Any:
    return getattr(entry, "kind", None) or getattr(entry, "name", None)
