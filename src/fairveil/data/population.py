"""Population: the people that the data is a sample of, as far as the publisher knows them.

>>> Population(size=1000).of_sample(100).fraction
0.1
>>> Population(size=1000, fraction=0.1)
Traceback (most recent call last):
fairveil.errors.BadInput: a population is declared by one of size, fraction and register: leave out size or fraction

A register is a table of the whole population with the quasi columns of the data. Nothing of it is published: a recipe
says only that there was one. Sampling weights are a column of the data, and so a role of the schema.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairveil import settings
from fairveil.data.roles import PopulationFacts
from fairveil.data.table import Table
from fairveil.display import Displayable
from fairveil.errors import BadInput
from fairveil.messages import counted

if TYPE_CHECKING:
    from fairveil.data.dialect import Dialect

WITHHELD = "withheld"
"""What a published recipe has in place of a register."""


@dataclass(frozen=True, repr=False)
class Population(PopulationFacts, Displayable):
    """The people that the data is a sample of: how many they are, which share of them the data has, or who they are.

    `register` is a data frame, a Table or a file with the quasi columns of everybody.
    """

    def __post_init__(self) -> None:
        settings.check(self, "population")
        given = [name for name in ("size", "fraction", "register") if getattr(self, name) is not None]
        if len(given) != 1:
            what = f"leave out {' or '.join(given)}" if given else "give one of them"
            raise BadInput(f"a population is declared by one of size, fraction and register: {what}")

    def _headline(self) -> str:
        if self.size is not None:
            return f"Population of {self.size:,}"
        if self.fraction is not None:
            return f"Population: the data is {self.fraction:.4g} of it"
        return "Population with a register" + (f" of {counted(self.table.rows, 'row')}" if not self.withheld else "")

    @property
    def withheld(self) -> bool:
        """Whether a register was used that is not here: a recipe does not contain it."""
        return isinstance(self.register, str) and self.register == WITHHELD

    def of_sample(self, rows: int, unit: str = "row") -> Population:
        """The same population, with the share of it that a sample of so many `rows` is, or of so many persons if these
        are the `unit`, where only its size is known.

        Records that are suppressed later were sampled as well, so the share is fixed before.
        """
        if self.size is None:
            return self
        if self.size < rows:
            raise BadInput(
                f"the population has {self.size:,} people, and the data {counted(rows, unit)}: a population is at "
                "least as large as its sample"
            )
        return Population(fraction=rows / self.size)

    def opened(self, folder: Path, dialect: Dialect) -> Population:
        """The same population with its register read by this `dialect`, if it is a file; paths start in `folder`."""
        if not isinstance(self.register, str | Path) or self.withheld:
            return self
        return replace(self, register=Table.read(folder / self.register, dialect=replace(dialect, sheet=None)))

    @cached_property
    def table(self) -> Table:
        """The register; raises BadInput if it was withheld."""
        if self.withheld:
            raise BadInput(
                "the release was judged by a register of the population, which is not published: anybody who has it "
                "can give it"
            )
        return Table.of(self.register)

    @cached_property
    def matches(self) -> dict[Any, Any]:
        """What was computed from the register so far (`counting/register.py`)."""
        return {}

    def to_dict(self) -> dict[str, Any]:
        """The settings, for the owner's own files; raises BadInput for a register that is not a file."""
        if self.register is not None and not isinstance(self.register, str | Path):
            raise BadInput("a register that is not a file cannot be written into a plan")
        return {name: str(value) if name == "register" else value for name, value in settings.changed(self).items()}

    @property
    def public(self) -> dict[str, Any]:
        """What a release may say of it."""
        return {"register": WITHHELD} if self.register is not None else settings.changed(self)

    @classmethod
    def from_dict(cls, spec: Mapping[str, Any]) -> Population:
        return cls(**settings.read(cls, spec, "population"))
