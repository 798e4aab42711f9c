"""Plan: what to publish, as a file. Everything the command line and the studio do can be a plan.toml.

format = 1

[source]
dataset = "adult"

[[guards]]
kind = "k-anonymity"
k = 10

>>> plan = Plan.from_toml('''format = 1
... source.dataset = "adult"
... guards = [{kind = "k-anonymity", k = 10}]''')
>>> plan.guards[0].kind, plan.guards[0].k
('k-anonymity', 10)

`Plan.read` reports all problems of the file at once, before any work; `plan.run()` searches and
publishes. docs/plan.md describes every key.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from fairveil import measures as known_measures
from fairveil.data.population import Population
from fairveil.data.table import Table
from fairveil.errors import BadInput, Infeasible
from fairveil.frontier.frontier import Frontier, Number, parse_number
from fairveil.markup import Html, join, tag
from fairveil.messages import PLAN, option, speaking
from fairveil.progress import Progress, Report
from fairveil.run.explore import explore_request
from fairveil.run.request import Request
from fairveil.run.sections import OUTPUT, PREPARE, Origin, RequestOptions, need_decision
from fairveil.settings import changed, settings_of
from fairveil.shapes import read_bytes

if TYPE_CHECKING:
    from fairveil.release.release import Release, SavedRelease

__all__ = ["Origin", "Plan"]

MAX_CHARACTERS = 4000
"""Characters of a plan that a notebook displays."""
NOT_IN_SCHEMA = ("hierarchies", "read", "population", "weight_factor")
"""The settings of a schema that a plan has elsewhere, or not at all."""
UNFIT = "what the release is good for could not be measured"
"""Published if the search fails without the test rows. The reason is for the owner only: it reveals facts about the
source."""


@dataclass(frozen=True, repr=False)
class Plan(Request):
    """A request that is read from TOML and written to it, and that can be run. Its fields are those of `Request`."""

    def _details(self) -> list[Html]:
        return [tag("pre", join(self.to_toml()[:MAX_CHARACTERS].splitlines(), "\n"))]

    @classmethod
    def read(cls, path: str | Path) -> Plan:
        """The plan of a file; raises with all problems at once."""
        path = Path(path)
        try:
            text = read_bytes(path, "plan").decode("utf-8-sig")
        except UnicodeDecodeError:
            raise BadInput(f"plan {path} is not UTF-8 text") from None
        try:
            return cls.from_toml(text, path.parent)
        except BadInput as problem:
            raise BadInput(f"{path.name}: {problem}") from None

    @classmethod
    def from_toml(cls, text: str, folder: str | Path = ".") -> Plan:
        """The plan in this `text`; relative paths start in `folder`."""
        from fairveil.run.plan.parsing import PlanReader

        with speaking(PLAN):
            return PlanReader(text, Path(folder)).plan()

    def to_toml(self) -> str:
        """The plan as text that `from_toml` reads back to an equal plan; hierarchies are spelled out."""
        from fairveil.toml import dumps

        options = settings_of(RequestOptions)
        content: dict[str, Any] = {"format": 1, "seed": self.seed, "choose": self.choose}
        content |= changed(self, [s for s in options if s.name not in (*OUTPUT, *PREPARE)])
        content["source"] = self.source.to_dict()
        if self.schema is not None:
            roles = self.schema.to_dict()
            content["schema"] = {name: value for name, value in roles.items() if name not in NOT_IN_SCHEMA}
            content["population"] = {} if self.schema.population is None else self.schema.population.to_dict()
            content["hierarchies"] = {name: rule.to_dict() for name, rule in self.schema.hierarchies.items()}
        content["guards"] = [guard.to_dict() for guard in self.guards]
        searches = [method.to_dict() for method in self.methods]
        content |= {"method": searches[0]} if len(searches) == 1 else {"methods": searches}
        output = changed(self, [s for s in options if s.name in OUTPUT])
        content["prepare"] = changed(self, [s for s in options if s.name in PREPARE])
        content["output"] = {"format": self.format, "order": self.order, **output}
        for section, part in (("report", self.about), ("utility", self.utility), ("walk", self.walk)):
            if part is not None:
                content[section] = part.to_dict()
        content["earlier"] = [one.to_dict() for one in self.earlier]
        try:
            return dumps({key: value for key, value in content.items() if value not in ({}, [])})
        except TypeError as problem:
            raise BadInput(f"this plan cannot be written: {problem}") from None

    def save(self, path: str | Path) -> Path:
        """Write the plan; paths still refer to the same files, relative if these are beside or below the plan."""
        from fairveil.data.atomic import write_text

        path = Path(path)

        def seen_from_there(file: str) -> str:
            absolute, home = (self.folder / file).resolve(), path.parent.resolve()
            return (absolute.relative_to(home) if absolute.is_relative_to(home) else absolute).as_posix()

        plan = self
        if self.source.path is not None:
            joins = tuple(join.moved(seen_from_there) for join in self.source.join)
            plan = replace(plan, source=replace(self.source, path=seen_from_there(self.source.path), join=joins))
        if self.utility is not None and isinstance(self.utility.test, str):
            plan = replace(plan, utility=replace(self.utility, test=seen_from_there(self.utility.test)))
        population = None if self.schema is None else self.schema.population
        if population is not None and isinstance(population.register, str):
            moved = Population(register=seen_from_there(population.register))
            plan = replace(plan, schema=replace(plan.schema, population=moved))  # type: ignore[type-var]
        past = tuple(one.moved(seen_from_there) for one in self.earlier)
        write_text(replace(plan, earlier=past).to_toml(), path)
        return path

    def search(self, progress: Progress | Report | bool | None = None) -> list[Frontier]:
        """The candidates of each method; methods that find none are omitted unless all do."""
        return list(explore_request(self, [self.choose], progress=progress).by_method())

    def explore(
        self,
        names: Sequence[str] = (),
        *,
        max_candidates: int | None = None,
        keep: str | Path | None = None,
        progress: Progress | Report | bool | None = None,
    ) -> Frontier:
        """The candidates of all methods side by side, by the plan's measures and `names`: `fv.explore` of this plan.

        Candidates have the numbers that `run` accepts.
        """
        measures = list(dict.fromkeys((self.choose, *self.measures, *names)))
        return explore_request(self, measures, max_candidates=max_candidates, keep=keep, progress=progress)

    def run(self, progress: Progress | Report | bool | None = None, *, candidate: Number | None = None) -> Release:
        """Search, and publish the best candidate by `choose`, or the `candidate` of that number (the plan's
        own unless given).

        A candidate's number is its position among those of its method, from 1, preceded by the method's number if
        there are several, as in "2.15"; then only that method is searched. If a method finds nothing, the release's
        private notes say why. With [utility] the release includes its utility (see `Tryout`).
        """
        progress = Progress.visible(progress)
        if self.walk is not None and candidate is None:
            walk = self.walk
            release = progress.run(lambda: walk.run(self, progress))
        else:
            number = self.candidate if candidate is None else candidate
            release = progress.run(lambda: self._run(progress, number))
        return replace(release, about=self.about)

    def save_release(
        self,
        release: Release,
        path: str | Path,
        *,
        accept: Sequence[str] = (),
        overwrite: bool = False,
        sign: str | Path | None = None,
        progress: Progress | Report | bool | None = None,
    ) -> SavedRelease:
        """Write a release of this plan in its format and into its table; `accept` adds to the dangers that it accepts.

        `overwrite`, `sign` and `progress` are those of `Release.save`.
        """
        return release.save(
            path, format=self.format, table=self.table, accept=[*accept, *self.accept], overwrite=overwrite, sign=sign,
            progress=progress,
        )  # fmt: skip

    def _run(self, progress: Progress, candidate: Number | None) -> Release:
        from fairveil.release.disclosure import UNPUBLISHED, uncovered

        if self.utility is None:
            frontier, position = self._picked(progress, candidate)
            return frontier.release(position)
        rows = None if self.by_cell else self._rows_to_try()
        frontier, position = self._picked(progress.part(0.0, 0.5), candidate)
        release = frontier.release(position)
        try:
            original, test = rows or self._rows_to_try()
            utility = self.utility.run(
                release, original, self.data[1], method=frontier.method(position),
                choose=None if candidate else self.choose, test=test, seed=self.seed, progress=progress.part(0.5, 1.0),
            )  # fmt: skip
        except (Infeasible, BadInput) as problem:  # its message is about rows of the source, so it is not published
            if isinstance(problem, BadInput) and not self.by_cell:
                raise
            note = UNFIT if not uncovered(release) else f"{UNPUBLISHED}: {uncovered(release)}"
            return replace(release, notes=(*release.notes, note), private=(*release.private, str(problem)))
        return replace(release, utility=utility)

    def _picked(self, progress: Progress, candidate: Number | None) -> tuple[Frontier, int]:
        """All candidates, and the position of the one to publish."""
        only = None if candidate is None else parse_number(candidate, len(self.methods))[0]
        by = known_measures.get(self.choose)
        at_once = [] if by.whole_is_best else [self.choose]  # few candidates need to be measured to find the best one
        frontier = explore_request(self, at_once, only=only, progress=progress)
        if candidate is not None:
            return frontier, frontier.position_of(candidate)
        quick = by.whole_is_best and all(result.proposal.whole is not None for result in frontier.results)
        if not quick and np.isnan(frontier.values(by)).all():
            kinds = ", ".join(dict.fromkeys(frontier.methods))
            raise BadInput(f"measure {self.choose!r} does not apply to the candidates of {kinds}: choose by another")
        return frontier, frontier.best_position(by)

    def _rows_to_try(self) -> tuple[Table, Table | None]:
        """All rows of the source, to train models with, and those of the test file, if one is named."""
        assert self.utility is not None
        source, schema = self.open(by_cell=False)  # models need types
        need_decision(schema)
        if not source.has_rows:
            raise BadInput(f"[utility] trains models, which needs rows in memory: take {option('engine', 'memory')}")
        original = source.table
        if not isinstance(self.utility.test, str):
            return original, None
        test = Table.read(self.folder / self.utility.test, dialect=replace(self.source.dialect, sheet=None))
        test.need([*schema.quasi, str(schema.decision)])
        return original, test
