"""Plan: what to publish, as a file. Everything the command line and the studio do can be a plan.toml.

format = 1

[source]
dataset = "adult"

[[guards]]
kind = "k-anonymity"
k = 10

`Plan.read` reports all problems of the file at once, before any work; `plan.run()` searches and
publishes. docs/plan.md describes every key.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from fairveil.data.atomic import write_text
from fairveil.data.schema import Schema
from fairveil.data.table import Table
from fairveil.engines import Source
from fairveil.errors import BadInput, Infeasible
from fairveil.frontier.frontier import Frontier, Number, parse_number
from fairveil.markup import Html, join, tag
from fairveil.messages import option
from fairveil.methods.method import Method
from fairveil.progress import Progress, Report
from fairveil.release.disclosure import UNPUBLISHED, uncovered
from fairveil.release.release import Release
from fairveil.run.explore import explore_request
from fairveil.run.plan.rules import write_rule
from fairveil.run.request import Origin, Request
from fairveil.run.request.tryout import UNFIT, Tryout, counterpart, need_decision
from fairveil.run.search import search
from fairveil.toml import dumps

__all__ = ["Origin", "Plan"]

MAX_CHARACTERS = 4000
"""Characters of a plan that a notebook displays."""


@dataclass(frozen=True, repr=False)
class Plan(Request):
    """A request that is read from TOML and written to it, and that can be run. Its fields are those of `Request`."""

    def _details(self) -> list[Html]:
        return [tag("pre", join(self.to_toml()[:MAX_CHARACTERS].splitlines(), "\n"))]

    @classmethod
    def read(cls, path: str | Path) -> Plan:
        """The plan of a file; raises with all problems at once."""
        from fairveil.run.plan.parsing import load

        return load(Path(path))

    @classmethod
    def from_toml(cls, text: str, folder: str | Path = ".") -> Plan:
        from fairveil.run.plan.parsing import parse

        return parse(text, Path(folder))

    def to_toml(self) -> str:
        """The plan as text that `from_toml` reads back to an equal plan; hierarchies are spelled out."""
        searches = [method.to_dict() for method in self.methods]
        content: dict[str, Any] = {"format": 1, "seed": self.seed, "choose": self.choose}
        content |= {"measures": list(self.measures), "accept": list(self.accept), "source": self.source.to_dict()}
        if self.candidate is not None:
            content["candidate"] = str(self.candidate)
        if self.schema is not None:
            content |= {
                "schema": _roles(self.schema),
                "hierarchies": {name: write_rule(rule) for name, rule in self.schema.hierarchies.items()},
            }
        content |= {
            "guards": [guard.to_dict() for guard in self.guards],
            **({"method": searches[0]} if len(searches) == 1 else {"methods": searches}),
            "output": {
                "format": self.format,
                "order": self.order,
                **({} if self.table is None else {"table": self.table}),
            },
            "report": self.about.to_dict(),
            **({"utility": self.utility.to_dict()} if self.utility is not None else {}),
            **({"walk": self.walk.to_dict()} if self.walk is not None else {}),
        }
        try:
            return dumps({key: value for key, value in content.items() if value not in ({}, [])})
        except TypeError as problem:
            raise BadInput(f"this plan cannot be written: {problem}") from None

    def save(self, path: str | Path) -> Path:
        """Write the plan; paths still refer to the same files, relative if these are beside or below the plan."""
        path = Path(path)

        def seen_from_there(file: str) -> str:
            place, home = (self.folder / file).resolve(), path.parent.resolve()
            return (place.relative_to(home) if place.is_relative_to(home) else place).as_posix()

        plan = self
        if self.source.path is not None:
            plan = replace(plan, source=replace(self.source, path=seen_from_there(self.source.path)))
        if self.utility is not None and isinstance(self.utility.test, str):
            plan = replace(plan, utility=replace(self.utility, test=seen_from_there(self.utility.test)))
        write_text(plan.to_toml(), path)
        return path

    def search(self, progress: Progress | Report | bool | None = None) -> list[Frontier]:
        """The candidates of each method; methods that find none are omitted unless all do."""
        progress = Progress.visible(progress)
        return progress.run(lambda: list(self._compared(progress).by_method()))

    def _compared(self, progress: Progress, only: int | None = None) -> Frontier:
        """Candidates of all methods, or of the one at a place, with the measure the plan chooses by."""
        return explore_request(self, [self.choose], only=only, progress=progress)

    def explore(
        self,
        names: Sequence[str] = (),
        *,
        most: int | None = None,
        keep: str | Path | None = None,
        progress: Progress | Report | bool | None = None,
    ) -> Frontier:
        """The candidates of all methods side by side, by the plan's measures and `names`: `fv.explore` of this plan.

        Candidates have the numbers that `run` accepts.
        """
        shown = list(dict.fromkeys((self.choose, *self.measures, *names)))
        return explore_request(self, shown, most=most, keep=keep, progress=progress)

    def run(self, progress: Progress | Report | bool | None = None, *, candidate: Number | None = None) -> Release:
        """Search, and publish the best candidate by `choose`, or the `candidate` of that number (the plan's
        own unless given).

        A candidate's number is its place among those of its method, from 1, preceded by the method's place if
        there are several, as in "2.15"; then only that method is searched. If a method finds nothing, the release's
        private notes say why. With [utility] the release includes its utility (see `request/tryout.py`).
        """
        progress = Progress.visible(progress)
        if self.walk is not None and candidate is None:
            walk, (table, schema) = self.walk, self.data
            found = progress.run(lambda: walk.run(table, schema, self.guards, self.methods, self.seed, progress))
        else:
            picked = self.candidate if candidate is None else candidate
            found = progress.run(lambda: self._run(progress, picked))
        return replace(found, about=self.about)

    def _run(self, progress: Progress, candidate: Number | None) -> Release:
        tryout = self.utility
        if tryout is None:
            comparison, position = self._picked(progress, candidate)
            return comparison.release(position)
        need_decision(self.data[1])
        self._table(self.data[0])  # before any work
        test = self._test()
        if test is not None:
            test.need([*self.data[1].quasi, str(self.data[1].decision)])
        comparison, position = self._picked(progress.part(0.0, 0.5), candidate)
        release, method = comparison.release(position), comparison.method(position)
        return self._tried(tryout, release, method, test, None if candidate else self.choose, progress)

    def _picked(self, progress: Progress, candidate: Number | None) -> tuple[Frontier, int]:
        """All candidates, and the place of the one to publish."""
        if candidate is not None:
            comparison = self._compared(progress, only=parse_number(candidate, len(self.methods))[0])
            return comparison, comparison.position_of(candidate)
        comparison = self._compared(progress)
        if np.isnan(comparison.values(self.choose)).all():
            kinds = ", ".join(dict.fromkeys(comparison.methods))
            raise BadInput(f"measure {self.choose!r} does not apply to the candidates of {kinds}: choose by another")
        return comparison, comparison.best_position(self.choose)

    @staticmethod
    def _table(source: Source) -> Table:
        """All rows, to train models with."""
        if not source.has_rows:
            raise BadInput(
                f"[utility] trains models, which needs the rows in memory: take {option('engine', 'memory')}"
            )
        [rows] = source.blocks()
        return rows

    def _test(self) -> Table | None:
        """The test file as a table, if one is named, read like the source."""
        if self.utility is None or not isinstance(self.utility.test, str):
            return None
        return self.source.read_file(self.folder / self.utility.test)

    def _tried(
        self,
        tryout: Tryout,
        release: Release,
        method: Method,
        test: Table | None,
        choose: str | None,
        progress: Progress,
    ) -> Release:
        """The release with its utility for models; to test on its own rows, the search is repeated without them."""
        source, schema = self.data
        table = self._table(source)

        def again(rows: Table) -> Release:
            search_progress = progress.part(0.5, 0.9, "once more for testing: ")
            try:
                frontier = search(
                    rows, schema, guards=self.guards, method=method, seed=self.seed, progress=search_progress
                )
            except BadInput as problem:  # the full table was valid: there are too few rows
                raise Infeasible(str(problem)) from None
            return counterpart(frontier, choose, release)

        try:
            utility = tryout.run(release, table, test, self.seed, again, progress.part(0.9, 1.0))
        except Infeasible as problem:  # its message is about rows of the source, so it is not published
            note = UNFIT if not uncovered(release) else f"{UNPUBLISHED}: {uncovered(release)}"
            return replace(release, notes=(*release.notes, note), private=(*release.private, str(problem)))
        return replace(release, utility=utility)


def _roles(schema: Schema) -> dict[str, Any]:
    return {name: value for name, value in schema.to_dict().items() if name not in ("hierarchies", "read")}
