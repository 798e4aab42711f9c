"""What a method hands back: candidate recipes that keep the guards, best described by their summary."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from fairveil.counting.summary import Summary
from fairveil.errors import BadInput, refuse, suggest
from fairveil.methods.task import Task
from fairveil.recipes.base import Recipe


@dataclass(frozen=True)
class Proposal:
    """Candidates of one method. `summary(full)` describes them all; entropies and information gains cost
    extra and may be NaN unless `full`.

    `exhaustive`: these are all solutions there are; else `notes` say what was not looked at. `remarks()` are more
    notes, which take time to find. `task` is what the recipes apply to, where it is not the source itself. `values`
    are measures that the method itself has taken of every candidate, by name.
    """

    method: Method
    recipes: Sequence[Recipe]
    summary: Callable[[bool], Summary]
    exhaustive: bool = True
    notes: tuple[str, ...] = ()
    remarks: Callable[[], tuple[str, ...]] = tuple
    task: Task | None = None
    values: Mapping[str, np.ndarray] = dataclasses.field(default_factory=dict)


@dataclass(frozen=True)
class Method:
    """A search that proposes recipes which keep the guards."""

    kind: ClassVar[str] = ""
    deterministic: ClassVar[bool] = True  # the same task gives the same bytes

    def __post_init__(self) -> None:
        for f in dataclasses.fields(self):
            value = getattr(self, f.name)
            if isinstance(f.default, bool) and not isinstance(value, bool):
                raise BadInput(f"{self.kind}: {f.name} must be true or false, not {value!r}")

    def search(self, task: Task) -> Proposal:
        raise NotImplementedError

    def to_dict(self) -> dict[str, Any]:
        return {"kind": self.kind, **dataclasses.asdict(self)}

    @classmethod
    def from_dict(cls, spec: Mapping[str, Any]) -> Method:
        known = [f.name for f in dataclasses.fields(cls)]
        refuse([suggest(key, known, f"setting of method {cls.kind}") for key in spec if key not in known])
        return cls(**spec)
