"""Comparison: the candidates of several methods side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from fairveil.errors import BadInput
from fairveil.frontier.candidates import Candidates, Frontier, Number
from fairveil.guards import Guard
from fairveil.measures import Measure
from fairveil.messages import option, toml
from fairveil.methods.method import Method
from fairveil.published.judge import Judged
from fairveil.recipes.change import Change
from fairveil.release.release import Release

BESIDE = (
    "the release was compared with candidates of methods that look at the data as it is: the promised ε does not cover "
    "the choice among them"
)


@dataclass(frozen=True)
class MethodCandidates:
    """What one method found: the candidates kept, their places among all of its own, and how many those were.

    `place` is the method's own place among the methods that were asked, from 1.
    """

    frontier: Frontier
    index: np.ndarray
    total: int
    place: int = 1


@dataclass(frozen=True, repr=False)
class Comparison(Candidates):
    """The candidates of several methods side by side. `owner` and `place` say whose each is, and which of theirs.

    A candidate is called "2.15", the 15th that the second method found, whether or not all were kept for the
    comparison; where one method was asked, just 15. `asked` is the number of methods, `total` that of all candidates.
    `failed` says which methods found nothing, and why.
    """

    methods_found: tuple[MethodCandidates, ...]
    owner: np.ndarray
    place: np.ndarray
    asked: int
    notes: tuple[str, ...] = ()
    failed: tuple[str, ...] = ()

    @classmethod
    def of(cls, searched: Sequence[MethodCandidates], asked: int, failed: Sequence[str] = ()) -> Comparison:
        frontiers = [method.frontier for method in searched]
        notes = [f"{frontier.proposal.method.kind}: {note}" for frontier in frontiers for note in frontier.notes]
        return cls(
            tuple(searched),
            owner=np.repeat(np.arange(len(searched)), [len(frontier) for frontier in frontiers]),
            place=np.concatenate([np.arange(len(frontier)) for frontier in frontiers]),
            asked=asked,
            notes=(*failed, *notes),
            failed=tuple(failed),
        )

    def __len__(self) -> int:
        return len(self.owner)

    @property
    def parts(self) -> tuple[Frontier, ...]:
        """What each method found."""
        return tuple(method.frontier for method in self.methods_found)

    @property
    def total(self) -> int:
        return sum(method.total for method in self.methods_found)

    @property
    def exhaustive(self) -> bool:
        return all(frontier.exhaustive for frontier in self.parts)

    @property
    def methods(self) -> list[str]:
        """The kind of the method behind each candidate."""
        return [self.method(i).kind for i in range(len(self))]

    @property
    def numbers(self) -> list[Number]:
        return [self.number(i) for i in range(len(self))]

    def _located(self, position: int) -> tuple[Frontier, int]:
        return self.parts[self.owner[position]], int(self.place[position])

    def values(self, measure: str | Measure) -> np.ndarray:
        """One measure for every candidate; NaN where it says nothing about a method's candidates."""
        columns = [frontier.values(measure) for frontier in self.parts]
        places = zip(self.owner, self.place, strict=True)
        return np.array([columns[owner][place] for owner, place in places], dtype=float)

    def baseline(self, names: Sequence[str]) -> dict[str, float]:
        """The same measures of the source itself (`Frontier.baseline`)."""
        return self.parts[0].baseline(names)

    def change(self, position: int) -> Change:
        frontier, place = self._located(position)
        return frontier.change(place)

    def judged(self, position: int, guards: Sequence[Guard] | None = None) -> Judged:
        frontier, place = self._located(position)
        return frontier.judged(place, guards)

    def method(self, position: int) -> Method:
        return self.parts[self.owner[position]].proposal.method

    def label(self, position: int) -> str:
        """The method; methods of one kind are told apart by the settings in which they differ."""
        method = self.method(position)
        kin = [other for other in (frontier.proposal.method for frontier in self.parts) if other.kind == method.kind]
        settings = vars(method).items()
        differing = [
            f"{name.replace('_', ' ')} {toml(value)}"
            for name, value in settings
            if any(vars(other)[name] != value for other in kin)
        ]
        return f"{method.kind} ({', '.join(differing)})" if differing else method.kind

    def levels(self, position: int) -> dict[str, int]:
        frontier, place = self._located(position)
        return frontier.levels(place)

    def number(self, position: int) -> Number:
        method = self.methods_found[self.owner[position]]
        number = int(method.index[self.place[position]]) + 1
        return number if self.asked == 1 else f"{method.place}.{number}"

    def position_of(self, number: Number) -> int:
        """Where the candidate of a number is."""
        place, within = parsed(number, self.asked)
        method = next((method for method in self.methods_found if method.place == place), None)
        if method is None:
            raise BadInput(f"no candidate {number}: method {place} found none")
        if not 1 <= within <= method.total:
            prefix = "" if self.asked == 1 else f"{place}."
            raise BadInput(f"no candidate {number}: there are {prefix}1 to {prefix}{method.total}")
        places = [i for i, called in enumerate(self.numbers) if str(called) == str(number)]
        if not places:
            raise BadInput(
                f"candidate {number} was found, but left out of the comparison: {option('most', ...)} lets more in"
            )
        return places[0]

    def release(self, position: int) -> Release:
        """Publish one candidate; its report can show all others beside it."""
        frontier, place = self._located(position)
        release = frontier.release(place)
        if self.asked > 1 and self.method(position).declares_domains:
            release = replace(release, notes=(*release.notes, BESIDE))
        return replace(release, alternatives=self.alternatives(position), private=(*release.private, *self.failed))

    def some(self, mask: np.ndarray) -> Self:
        return replace(self, owner=self.owner[mask], place=self.place[mask])


def parsed(number: Number, methods: int) -> tuple[int, int]:
    """The method, from 1, and the candidate, from 1, that a number speaks of."""
    words = str(number).strip().split(".")
    if not all(word.isdigit() for word in words) or len(words) > 2:
        raise BadInput(f"no candidate {number!r}: candidates are called 3, or 2.3 for the third of the second method")
    if len(words) == 1 and methods > 1:
        raise BadInput(
            f"candidate {number} could be any method's: say 1.{number} for the first method's, 2.{number} for the "
            "second's, as `explore` shows them"
        )
    method, within = (1, int(words[0])) if len(words) == 1 else (int(words[0]), int(words[1]))
    if not 1 <= method <= methods:
        raise BadInput(f"no candidate {number}: there are {methods} methods")
    return method, within
