"""What a method is, and what it returns: candidate changes that keep the guards, and a summary of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from itertools import compress
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np

from fairveil.counting.summary import Summary
from fairveil.errors import Infeasible, need
from fairveil.methods.task import Task
from fairveil.recipes.change import Change
from fairveil.settings import Part

if TYPE_CHECKING:
    from fairveil.data.numeric import Meaning
    from fairveil.data.schema import Schema
    from fairveil.recipes.recipe import Recipe

Picture = Literal["", "columns", "values", "regions", "cells", "averages", "noise", "split", "steps"]
"""What a method does to a table, as the studio draws it: whole columns become coarser, values are grouped, regions of
records are formed, single cells are hidden, and so on."""


class Recipes(Sequence[Change]):
    """Changes that are described by their recipes alone: `make` turns an entry of `entries` into a recipe on demand.
    `left_out` says what none of them publishes (`left_out.published_alone`)."""

    def __init__(self, entries: Any, make: Callable[[Any], Recipe], left_out: Mapping[str, Any] = {}) -> None:
        self.entries, self.make, self.left_out = entries, make, left_out

    def __len__(self) -> int:
        return len(self.entries)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return Recipes(self.entries[index], self.make, self.left_out)
        return Change(self.make(self.entries[index]), **self.left_out)


@dataclass(frozen=True)
class Proposal:
    """Candidates of one method. `summary(full)` describes them all; entropies and information gains take
    longer and may be NaN unless `full`.

    exhaustive  these are all solutions there are; otherwise `notes` say what was not examined
    remarks     more notes for the owner only, which take time to find
    task        the task that the changes belong to, if it is not the one that was searched
    values      measures that the method itself has computed for every candidate, by name
    nodes       levels per candidate and quasi column, where the candidates are nodes of the lattice
    private     notes for the owner only: they reveal facts about the source
    whole       the summary as if no row were suppressed, which needs no classes; `some` describes the candidates at
                some positions, without what needs a decision. Both None where there is no such shortcut
    sizes       the summary of all candidates, with nothing but what the sizes of their classes tell; None likewise
    """

    method: Method
    changes: Sequence[Change]
    summary: Callable[[bool], Summary]
    exhaustive: bool = True
    notes: tuple[str, ...] = ()
    remarks: Callable[[], tuple[str, ...]] = tuple
    task: Task | None = None
    values: Mapping[str, np.ndarray] = field(default_factory=dict)
    nodes: np.ndarray | None = None
    private: tuple[str, ...] = ()
    whole: Callable[[], Summary] | None = None
    some: Callable[[np.ndarray], Summary] | None = None
    sizes: Callable[[], Summary] | None = None


@dataclass(frozen=True)
class Method(Part):
    """A search that proposes changes which keep the guards. Other code asks it for these traits:

    deterministic     the same task gives the same bytes
    declares_domains  it knows what columns can hold without looking at the data, and refuses no value that occurs there
    whole_domains     it generalizes all values of a column alike, and never below the level at which the column keeps k
                      by itself
    needs_rows        it looks at rows, not only at cells
    false_values      one word for why values that it publishes may be false ("averages", "noise"); empty if whatever it
                      says of a row covers that row's true value
    blockwise         it puts near rows into groups, which can be done block by block
    reaches_top       it finds a release wherever one with every quasi column at its top, or in one group, keeps the
                      guards
    walks             it can be led along reference directions (`frontier/reference_direction.py`)
    counts_persons    its releases keep what is promised about persons who have several records
    needs             the roles without which it is refused
    picture           which drawing shows what it does
    packages          the optional modules that it imports (`fairveil.errors`)
    """

    deterministic: ClassVar[bool] = True
    declares_domains: ClassVar[bool] = False
    false_values: ClassVar[str] = ""
    counts_persons: ClassVar[bool] = True
    needs: ClassVar[tuple[str, ...]] = ("quasi",)
    packages: ClassVar[tuple[str, ...]] = ()
    blockwise: ClassVar[bool] = False
    whole_domains: ClassVar[bool] = False
    picture: ClassVar[Picture] = ""
    walks: ClassVar[bool] = False

    @property
    def reaches_top(self) -> bool:
        return False

    @property
    def needs_rows(self) -> bool:
        return False

    def need_packages(self) -> None:
        """Raise BadInput unless the optional packages that it imports are installed."""
        for module in self.packages:
            need(module, self.kind)

    def for_blocks(self) -> Sequence[Method]:
        """The settings to try block by block, in their order; none may decide by the rows of one block what is
        published of all of them."""
        return (self,)

    def mixes(self, schema: Schema) -> Sequence[str]:
        """The columns whose values must be mixed in every block, so that no block is cut along them."""
        return ()

    def meanings(self, task: Task) -> Mapping[str, Meaning]:
        """How the method interprets integer columns (code or quantity) that the schema does not declare."""
        return {}

    def questions(self, task: Task) -> tuple[str, ...]:
        """Questions for the owner, with the default that was used; never published."""
        return ()

    def search(self, task: Task) -> Proposal:
        raise NotImplementedError


def propose(
    task: Task, method: Method, changes: Sequence[Change], notes: Sequence[str], values: Mapping[str, np.ndarray] = {}
) -> Proposal:
    """A few candidates of a search that did not look at everything, each described by what it would publish.

    Only those whose release keeps the guards are offered. Where k alone decides, the searches count as the judge does.
    """
    if task.other_guards or task.budget:
        kept = np.array([why_broken(task, change) is None for change in changes], dtype=bool)
        if not kept.any():
            raise Infeasible(f"{method.kind} found no release that keeps the guards ({why_broken(task, changes[-1])})")
        changes = list(compress(changes, kept))
        values = {name: column[kept] for name, column in values.items()}
    return Proposal(
        method, changes, lambda full: stacked(task.judge(change).summary for change in changes), exhaustive=False,
        notes=tuple(notes), values=values,
    )  # fmt: skip


def stacked(summaries: Iterable[Summary]) -> Summary:
    """Return the summaries of single candidates as one summary of all."""
    singles, names = list(summaries), [f.name for f in fields(Summary)]
    return Summary(**{name: np.concatenate([getattr(single, name) for single in singles]) for name in names})


def why_broken(task: Task, change: Change) -> str | None:
    """Why a change does not keep the guards, or None where it does."""
    return "; ".join(f"{v.guard.kind}: {v.sentence}" for v in task.judge(change).verdicts if not v) or None


def grown(task: Task, method: Method, learn: Callable[[int], Change]) -> Change:
    """What a method learns with the smallest groups, doubled from the guards' k up to all rows, that keep them."""
    k = max(task.k, 2)
    while True:
        change = learn(min(k, task.rows))
        problem = why_broken(task, change)
        if problem is None:
            return change
        if k >= task.rows:
            raise Infeasible(
                f"{method.kind} found no release that keeps the guards, not even with all records in one group "
                f"({problem})"
            )
        k *= 2
