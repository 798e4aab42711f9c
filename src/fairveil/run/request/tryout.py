"""Tryout: the [utility] section of a plan. Models are tested on people who are not in their training data.

`test` is a file with such people: then models learn from the release itself. Or it is a share of the source: then the
release still holds everybody, and the search is repeated without that share, so that neither the models nor the
recipe of their training data have seen the people they are tested on. The report then states the utility of this
second release. It has fewer rows, so its utility is slightly lower than that of the published one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairveil.data.dialect import Dialect
from fairveil.data.readers import column_names
from fairveil.data.schema import Schema
from fairveil.data.table import Table
from fairveil.errors import BadInput, refuse
from fairveil.frontier.frontier import Frontier
from fairveil.learning.classifiers import by_name, problems_of
from fairveil.progress import Progress
from fairveil.release.release import Release
from fairveil.settings import setting
from fairveil.shapes import is_whole, shape

if TYPE_CHECKING:
    from fairveil.evaluation.utility import Utility

UNFIT = "what the release is good for could not be measured"
"""Published if the search fails without the test rows. The reason is for the owner only: it reveals facts about the
source."""

SEED = shape("an integer of at least 0", lambda value: is_whole(value) and 0 <= value < 1 << 63)


def _is_test(value: Any) -> bool:
    return (isinstance(value, str) and bool(value)) or (isinstance(value, float) and 0 < value < 1)


@dataclass(frozen=True)
class Tryout:
    """The settings of [utility]. Without a seed of its own, the request's is used."""

    test: float | str = field(
        default=0.3,
        metadata=setting(
            "people to test models on: a share of the source, or a file of others",
            shape=shape("a share of the rows between 0 and 1, or a file", _is_test),
        ),
    )
    classifiers: tuple[str, ...] = field(
        default=("tree", "logistic"), metadata=setting("the classifiers to train", metavar="NAMES")
    )
    queries: int = field(default=500, metadata=setting("random counting queries to compare", min=1, max=1_000_000))
    resamples: int = field(
        default=200, metadata=setting("resamples of the test rows that intervals are taken from", min=2, max=100_000)
    )
    seed: int | None = field(
        default=None, metadata=setting("the seed of the random choices of this section", shape=SEED)
    )

    def problems(self, folder: Path, schema: Schema | None, dialect: Dialect = Dialect()) -> list[str]:  # noqa: B008 - frozen
        """Problems that can be found before any data is read."""
        problems = [f"utility.classifiers: {problem}" for problem in problems_of(self.classifiers)]
        if schema is not None and schema.decision is None:
            problems.append("[utility] needs a decision column to learn: name it in [schema]")
        if isinstance(self.test, str):
            try:
                header = column_names(folder / self.test, replace(dialect, sheet=None))
            except BadInput as problem:
                return [*problems, f"utility.test: {problem}"]
            needed = () if schema is None else (*schema.quasi, *([schema.decision] if schema.decision else []))
            problems += [f"utility.test: {self.test} has no column {name!r}" for name in needed if name not in header]
        return problems

    def to_dict(self) -> dict[str, Any]:
        """The settings that differ from their default, and always `test`."""
        usual = vars(Tryout())
        settings = {f.name: getattr(self, f.name) for f in fields(self)}
        changed = {name: value for name, value in settings.items() if name == "test" or value != usual[name]}
        return {name: list(value) if isinstance(value, tuple) else value for name, value in changed.items()}

    def run(
        self,
        release: Release,
        original: Table,
        test: Table | None,
        seed: int,
        remake: Callable[[Table], Release],
        progress: Progress | None = None,
    ) -> Utility:
        from fairveil.evaluation.utility import utility  # slow to load, and most plans measure nothing

        return utility(
            release, original, self.test if test is None else test,
            classifiers=by_name(self.classifiers), queries=self.queries, resamples=self.resamples,
            seed=seed if self.seed is None else self.seed, remake=remake, progress=progress,
        )  # fmt: skip


def counterpart(frontier: Frontier, choose: str | None, release: Release) -> Release:
    """The candidate of a repeated search that corresponds to the release: best by the same measure, or, if it was
    picked by number, the one of the nearest loss."""
    if choose is not None:
        return frontier.best(choose)
    gaps = abs(frontier.values("loss") - release.measures["loss"])
    return frontier.release(int(gaps.argmin()))


def need_decision(schema: Schema) -> None:
    refuse([] if schema.decision else ["[utility] needs a decision column to learn, and the schema names none"])
