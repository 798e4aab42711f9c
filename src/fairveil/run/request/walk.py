"""WalkSteps: a plan's [walk] section: the steps along reference directions that led to a solution, to be repeated.

The first step goes from `start` (the worst point unless given) toward the method's aspirations. Each of `steps` goes on
from a solution of the step before, and `pick` is the solution of the last step that is published; both count from 1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from fairveil.errors import BadInput
from fairveil.progress import Progress
from fairveil.settings import read, setting
from fairveil.shapes import each, many, number, record, whole

if TYPE_CHECKING:
    from fairveil.data.schema import Schema
    from fairveil.guards import Guard
    from fairveil.methods.method import Method
    from fairveil.release.release import Release

_STEP = record({"choose": whole(1)}, {"aspirations": each(number()), "points": whole(1)})


@dataclass(frozen=True)
class WalkSteps:
    """The settings of [walk]."""

    pick: int = field(metadata=setting("the solution of the last step that is published", min=1))
    points: int = field(default=10, metadata=setting("preference points of the first step", min=1))
    start: Mapping[str, float] | None = field(
        default=None, metadata=setting("where the first step starts; by default at the worst point")
    )
    steps: Sequence[Mapping[str, Any]] = field(
        default=(),
        metadata=setting(
            "further steps: `choose` a solution of the step before, and optionally other `aspirations` and `points`",
            shape=many(_STEP),
        ),
    )

    @classmethod
    def from_dict(cls, spec: Any) -> WalkSteps:
        return cls(**read(cls, spec, "walk"))

    def to_dict(self) -> dict[str, Any]:
        content: dict[str, Any] = {"pick": self.pick, "points": self.points, "start": self.start}
        return {key: value for key, value in {**content, "steps": list(self.steps)}.items() if value not in (None, [])}

    def run(
        self, table: Any, schema: Schema, guards: Sequence[Guard], methods: Sequence[Method], seed: int,
        progress: Progress,
    ) -> Release:  # fmt: skip
        """Repeat the steps and publish the solution."""
        from fairveil.frontier.reference_direction import ReferenceDirection
        from fairveil.methods.preferences import Preferences

        method = next((method for method in methods if isinstance(method, Preferences)), None)
        if method is None:
            raise BadInput("[walk] goes along the aspirations of the method preferences: name it in [method]")
        direction = ReferenceDirection(
            table, schema, guards=guards, method=method, start=self.start, points=self.points, seed=seed,
            progress=progress,
        )  # fmt: skip
        direction.step()
        for step in self.steps:
            aspirations, points = step.get("aspirations"), step.get("points")
            direction.step(int(step["choose"]) - 1, aspirations=aspirations, points=points)
        return direction.release(self.pick - 1)
