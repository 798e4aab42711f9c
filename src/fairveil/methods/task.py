"""Task: one request, validated once; methods see only this."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from fairveil.counting.cells import Cells
from fairveil.counting.lattice import Lattice
from fairveil.data.hierarchy import Levels
from fairveil.data.schema import Schema
from fairveil.data.table import Table
from fairveil.errors import refuse
from fairveil.guards import Guard, KAnonymity
from fairveil.progress import Progress, Report


@dataclass(frozen=True)
class Task:
    """What to publish, under which guards. `levels` are the bound hierarchies of the quasi columns."""

    table: Table
    schema: Schema
    guards: tuple[Guard, ...]
    levels: dict[str, Levels]
    other_levels: dict[str, Levels]
    seed: int = 0
    progress: Progress = field(default_factory=Progress)

    @classmethod
    def of(
        cls,
        table: Table,
        schema: Schema,
        guards: Sequence[Guard],
        seed: int = 0,
        progress: Progress | Report | None = None,
    ) -> Task:
        """Refuse, before any work, whatever is wrong with the request."""
        schema.check(table)
        problems = [problem for guard in guards for problem in guard.check_schema(schema)]
        if not guards:
            problems.append("no guard is given: name at least one promise that the release must keep")
        if sum(isinstance(guard, KAnonymity) for guard in guards) > 1:
            problems.append("k-anonymity is asked for twice: keep the larger k")
        problems += [
            f"k={guard.k} is more than the {table.rows} rows of the table"
            for guard in guards
            if isinstance(guard, KAnonymity) and guard.k > table.rows
        ]
        refuse(problems)
        table = schema.at_levels(table)
        bound = schema.bind(table)
        quasi = {name: bound.pop(name) for name in schema.quasi}
        return cls(table, schema, tuple(guards), quasi, bound, seed, Progress.of(progress))

    @property
    def anonymity(self) -> KAnonymity | None:
        return next((guard for guard in self.guards if isinstance(guard, KAnonymity)), None)

    @property
    def k(self) -> int:
        return self.anonymity.k if self.anonymity else 1

    @property
    def budget(self) -> int:
        """How many rows may be suppressed."""
        return self.anonymity.budget(self.table.rows) if self.anonymity else 0

    @cached_property
    def cells(self) -> Cells:
        """The distinct tuples of everything that guards and measures look at."""
        decision = [self.schema.decision] if self.schema.decision else []
        guarded = [name for guard in self.guards for name in guard.columns(self.schema)]
        return Cells.of(self.table, [*self.schema.quasi, *guarded, *decision], self.other_levels)

    @cached_property
    def lattice(self) -> Lattice:
        return Lattice(self.cells, self.levels, self.progress)

    def report(self, share: float, what: str) -> None:
        """Tell how far the search is; raises Cancelled if it is to end."""
        self.progress.tell(share, what)
