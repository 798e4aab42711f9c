"""Plan: what to publish, written down. Everything that the command line and the studio do can be a plan.toml.

format = 1

[source]
dataset = "adult"

[[guards]]
kind = "k-anonymity"
k = 10

`Plan.read` refuses, all at once and before any work, whatever is wrong with the file; `plan.run()` searches and
publishes. docs/plan.md describes every key.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from fairveil import datasets, measures
from fairveil.data.schema import Schema
from fairveil.data.table import Missing, Table
from fairveil.errors import BadInput, Infeasible, refuse
from fairveil.frontier.candidates import Frontier, side_by_side
from fairveil.guards import Guard
from fairveil.methods.base import Method
from fairveil.methods.incognito import Incognito
from fairveil.progress import Report
from fairveil.release.release import Order, Release
from fairveil.run.plan.rules import write_rule
from fairveil.run.plan.toml import dumps
from fairveil.run.plan.tryout import UNFIT, Tryout, counterpart, need_decision, stretch
from fairveil.run.search import search

if TYPE_CHECKING:
    from fairveil.run.explore import Comparison

__all__ = ["Plan", "Source"]


@dataclass(frozen=True)
class Source:
    """Where the data is: a file (with how to read it), or bundled data by name."""

    path: str | None = None
    dataset: str | None = None
    missing: Missing = "category"
    missing_values: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    text: tuple[str, ...] = ()
    separator: str | None = None

    def read(self, folder: Path) -> Table:
        """The table of a file; `folder` is where a relative path starts."""
        return self.read_file(folder / str(self.path))

    def read_file(self, path: Path) -> Table:
        """Another file, read the same way."""
        return Table.read(
            path,
            missing=self.missing,
            missing_values=self.missing_values,
            columns=self.columns or None,
            text=self.text,
            separator=self.separator,
        )


@dataclass(frozen=True)
class Plan:
    """A request as data. Without a schema the bundled data's own is used; `folder` is where paths start."""

    source: Source
    guards: tuple[Guard, ...]
    schema: Schema | None = None
    methods: tuple[Method, ...] = (Incognito(),)
    choose: str = "loss"
    measures: tuple[str, ...] = ()
    format: Literal["csv", "parquet"] = "csv"
    order: Order = "sorted"
    seed: int = 0
    utility: Tryout | None = None
    folder: Path = field(default=Path(), compare=False)

    @classmethod
    def read(cls, path: str | Path) -> Plan:
        """The plan of a file; every problem in it is named at once."""
        from fairveil.run.plan.parsing import load

        return load(Path(path))

    @classmethod
    def from_toml(cls, text: str, folder: str | Path = ".") -> Plan:
        from fairveil.run.plan.parsing import parse

        return parse(text, Path(folder))

    def to_toml(self) -> str:
        """The plan as text that `from_toml` reads back to an equal plan; hierarchies are spelled out."""
        usual = vars(Source())
        source = {name: _plain(value) for name, value in vars(self.source).items() if value != usual[name]}
        searches = [method.to_dict() for method in self.methods]
        content: dict[str, Any] = {"format": 1, "seed": self.seed, "choose": self.choose}
        content |= {"measures": list(self.measures), "source": source}
        if self.schema is not None:
            content |= {
                "schema": _roles(self.schema),
                "hierarchies": {name: write_rule(rule) for name, rule in self.schema.hierarchies.items()},
            }
        content |= {
            "guards": [guard.to_dict() for guard in self.guards],
            **({"method": searches[0]} if len(searches) == 1 else {"methods": searches}),
            "output": {"format": self.format, "order": self.order},
            **({"utility": self.utility.to_dict()} if self.utility is not None else {}),
        }
        return dumps({key: value for key, value in content.items() if value not in ({}, [])})

    def save(self, path: str | Path) -> Path:
        """Write the plan; its files keep their places, relative to the new one where they lie beside or below it."""
        path = Path(path)

        def seen_from_there(file: str) -> str:
            place, home = (self.folder / file).resolve(), path.parent.resolve()
            return (place.relative_to(home) if place.is_relative_to(home) else place).as_posix()

        plan = self
        if self.source.path is not None:
            plan = replace(plan, source=replace(self.source, path=seen_from_there(self.source.path)))
        if self.utility is not None and isinstance(self.utility.test, str):
            plan = replace(plan, utility=replace(self.utility, test=seen_from_there(self.utility.test)))
        aside = path.with_name(f".{path.name}.part")
        try:
            aside.write_text(plan.to_toml(), encoding="utf-8")
            os.replace(aside, path)
        except OSError as problem:
            raise BadInput(f"{path} cannot be written: {problem.strerror}") from None
        return path

    @cached_property
    def data(self) -> tuple[Table, Schema]:
        """The table and its schema, read when first asked for."""
        if self.source.dataset is None:
            assert self.schema is not None, "a plan for a file has a schema"
            return self.source.read(self.folder), self.schema
        wide = {"columns": "all"} if self.source.columns == ("all",) else {}
        bundled = datasets.LOADERS[self.source.dataset](**wide)
        if self.schema is None:
            return bundled.table, bundled.schema
        # what the plan does not spell out is known for bundled data
        used = (*self.schema.quasi, *self.schema.sensitive, *self.schema.levels)
        kept = {name: rule for name, rule in bundled.schema.hierarchies.items() if name in used}
        return bundled.table, replace(self.schema, hierarchies={**kept, **self.schema.hierarchies})

    def search(self, progress: Report | None = None) -> list[Frontier]:
        """The candidates of each method; one that finds none is left out unless all do."""
        return list(self._searches(progress))

    def _searches(self, progress: Report | None) -> Iterator[Frontier]:
        """Method by method, searched when asked for."""
        self._check_measures()
        table, schema = self.data
        asked: dict[str, Any] = {"guards": self.guards, "order": self.order, "seed": self.seed}
        failed: list[Infeasible | BadInput] = []
        for number, method in enumerate(self.methods):
            part = stretch(progress, number / len(self.methods), (number + 1) / len(self.methods))
            try:
                found = search(table, schema, method=method, progress=part, **asked)
            except (Infeasible, BadInput) as problem:
                failed.append(problem)
                if len(failed) == len(self.methods):
                    raise failed[0] from None
            else:
                yield found if len(self.methods) == 1 else found.alike()

    def _check_measures(self) -> None:
        if self.data[1].decision is None:
            asked = dict.fromkeys((self.choose, *self.measures))
            refuse(
                [
                    f"measure {name!r} needs a decision column, and the schema names none"
                    for name in asked
                    if "decision" in measures.get(name).needs
                ]
            )

    def explore(
        self,
        names: Sequence[str] = (),
        *,
        most: int | None = None,
        keep: str | Path | None = None,
        progress: Report | None = None,
    ) -> Comparison:
        """The candidates of all methods side by side, by the plan's measures and `names`: `fv.explore` of this plan.

        Candidates have the numbers that `run` knows them by.
        """
        from fairveil.run.explore import explore

        self._check_measures()
        table, schema = self.data
        return explore(
            table,
            schema,
            guards=self.guards,
            methods=self.methods,
            measures=list(dict.fromkeys((self.choose, *self.measures, *names))),
            most=most,
            keep=keep,
            seed=self.seed,
            progress=progress,
        )

    def run(self, progress: Report | None = None, *, candidate: int | None = None) -> Release:
        """Search, and publish the best candidate by `choose`, or the one of that number.

        All candidates are counted from 1, method by method in the plan's order; a method that finds none counts none.
        Methods after the one whose candidate it is are not searched. With [utility] the release says what it is good
        for (see `plan/tryout.py`).
        """
        if self.utility is None:
            return self._published(*self._picked(progress, candidate))
        need_decision(self.data[1])
        test = self._test()
        if test is not None:
            test.need([*self.data[1].quasi, str(self.data[1].decision)])
        found, frontier, position = self._picked(stretch(progress, 0.0, 0.5), candidate)
        made = self._published(found, frontier, position)
        return self._tried(
            self.utility, made, frontier.proposal.method, test, None if candidate else self.choose, progress
        )

    def _picked(self, progress: Report | None, candidate: int | None) -> tuple[list[Frontier], Frontier, int]:
        """All frontiers that were searched, and which candidate of which is published."""
        found: list[Frontier] = []
        if candidate is None:
            found = self.search(progress)
            return found, *best_of(found, self.choose)
        for frontier in self._searches(progress):
            found.append(frontier)
            if sum(map(len, found)) >= candidate:
                break
        return found, *candidate_of(found, candidate)

    def _published(self, found: Sequence[Frontier], frontier: Frontier, position: int) -> Release:
        made = frontier.release(position)
        return made if len(found) == 1 else replace(made, alternatives=side_by_side(found, frontier, position))

    def _test(self) -> Table | None:
        """The people of the test file, if one is named, read as the source is."""
        if self.utility is None or not isinstance(self.utility.test, str):
            return None
        return replace(self.source, columns=()).read_file(self.folder / self.utility.test)

    def _tried(
        self, tryout: Tryout, made: Release, method: Method, test: Table | None, choose: str | None,
        progress: Report | None,
    ) -> Release:  # fmt: skip
        """The release with what models make of it; to test on its own rows, the search is repeated without those."""
        table, schema = self.data

        def again(rows: Table) -> Release:
            part = stretch(progress, 0.5, 0.9, "once more for testing: ")
            try:
                found = search(rows, schema, guards=self.guards, method=method, seed=self.seed, progress=part)
            except BadInput as problem:  # the whole table was fine, so it is the number of rows
                raise Infeasible(str(problem)) from None
            return counterpart(found, choose, made)

        try:
            found = tryout.run(made, table, test, self.seed, again, stretch(progress, 0.9, 1.0))
        except Infeasible as problem:  # its words are about some rows of the source: not for everybody
            return replace(made, notes=(*made.notes, UNFIT), private=(*made.private, str(problem)))
        return replace(made, utility=found)


def best_of(found: Sequence[Frontier], measure: str) -> tuple[Frontier, int]:
    """The best candidate of all frontiers by one measure; the first of several equal ones."""
    known = measures.get(measure)
    able = [frontier for frontier in found if not np.isnan(frontier.values(measure)).all()]
    if not able:
        kinds = ", ".join(frontier.proposal.method.kind for frontier in found)
        raise BadInput(f"measure {measure!r} does not apply to the candidates of {kinds}: choose by another")
    bests = [(frontier, frontier.best_position(measure)) for frontier in able]
    values = np.array([float(frontier.values(measure)[position]) for frontier, position in bests])
    return bests[known.best(values)]


def candidate_of(found: Sequence[Frontier], number: int) -> tuple[Frontier, int]:
    """The candidate of a number, counted from 1 through the frontiers in order."""
    total = sum(map(len, found))
    if not 1 <= number <= total:
        raise BadInput(f"no candidate {number}: there are 1 to {total}")
    position = number - 1
    for frontier in found:
        if position < len(frontier):
            return frontier, position
        position -= len(frontier)
    raise AssertionError("the number was checked")


def _roles(schema: Schema) -> dict[str, Any]:
    return {name: value for name, value in schema.to_dict().items() if name != "hierarchies"}


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value
