"""A topic: the words that say what a column, or a value, is about."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass
from functools import cached_property


@dataclass(frozen=True)
class Topic:
    """Words that say what a column is about. A word with a + needs all its parts in the name; one with a = in front has
    to be the whole name."""

    kind: str
    weight: float
    about: str
    listed: str

    @cached_property
    def words(self) -> frozenset[frozenset[str]]:
        return frozenset(frozenset(entry.removeprefix("=").split("+")) for entry in self.listed.split())

    @cached_property
    def _anywhere(self) -> frozenset[frozenset[str]]:
        return frozenset(frozenset(entry.split("+")) for entry in self.listed.split() if entry[0] != "=")

    @cached_property
    def _alone(self) -> frozenset[str]:
        return frozenset(entry[1:] for entry in self.listed.split() if entry[0] == "=")

    def said_by(self, words: Set[str], whole: str = "") -> bool:
        """Whether these words of a name, which is `whole` without its signs, say so."""
        return any(entry <= words for entry in self._anywhere) or whole in self._alone
