"""Release: recipe, published data and evidence, saved as a folder that anybody can verify.

data.csv, data.parquet or data/part-… (projection-1, projection-2, … where the columns are split), recipe.json,
report.html, evidence.json (verdicts, measures, counts, versions, the SHA-256 of each file). It is written to a
temporary folder, verified from its files, flushed to disk and renamed into place in one step. The same input, seed and
version give the same bytes: it contains no date except one that the publisher gives (`about`). Rows are sorted by
value, because the order of the source could identify people.

>>> import tempfile
>>> import fairveil as fv
>>> credit = fv.datasets.credit_decisions()
>>> release = fv.search(credit.table, credit.schema, guards=fv.KAnonymity(3)).best("loss")
>>> with tempfile.TemporaryDirectory() as folder:
...     saved = release.save(f"{folder}/out", accept=fv.attacks.ATTACKS.names)
...     bool(fv.verify(f"{folder}/out"))
True
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date as Day
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from fairveil import measures
from fairveil.data.about import About
from fairveil.data.atomic import refuse_link, refuse_parent, whole_folder
from fairveil.data.writers import FORMATS, Format
from fairveil.display import Displayable, DisplayTable
from fairveil.engines import InMemoryTable, Order, Source, source_of
from fairveil.errors import BadInput, Danger, Infeasible
from fairveil.guards import Guard, Verdict
from fairveil.messages import option
from fairveil.progress import Progress, Report
from fairveil.published.folder import EVIDENCE, RECIPE, REPORT, is_release, json_text, seal, sha256
from fairveil.published.judge import Judged, judge
from fairveil.published.published import Published
from fairveil.recipes.change import Change
from fairveil.recipes.recipe import Recipe
from fairveil.release.alternatives import Alternatives

if TYPE_CHECKING:  # most releases are made without trying models
    from fairveil.attacks import Findings
    from fairveil.counting.cells import Classes
    from fairveil.counting.summary import Summary
    from fairveil.data.schema import Schema
    from fairveil.data.table import Table
    from fairveil.engines.relation import PublishedTable
    from fairveil.evaluation.utility import Utility
    from fairveil.recipes.outcome import Outcome, PersonCounts
    from fairveil.release.destinations import Destination
    from fairveil.release.figures import PublishedPeople
    from fairveil.release.verify import Computed, Verification


@dataclass(frozen=True, repr=False)
class SavedRelease(Displayable, os.PathLike[str]):
    """A release folder that was written: its `path`, its `evidence`, the `verification` of its files, and the accepted
    `dangers`, by name.

    It is a path-like object: `fv.verify(saved)` and `open(saved / "report.html")` work.
    """

    path: Path
    evidence: Mapping[str, Any]
    verification: Verification
    dangers: Mapping[str, str]

    def _headline(self) -> str:
        return f"Release in {self.verification._headline()}"

    def _tables(self) -> list[DisplayTable]:
        return self.verification._tables()

    def __fspath__(self) -> str:
        return str(self.path)

    def __truediv__(self, name: str) -> Path:
        return self.path / name


@dataclass(frozen=True, repr=False)
class Release(Displayable):
    """What is published, and the evidence for it.

    `source` and `alternatives` are for the publisher. Of the source, `save` writes only a few rounded figures. It
    writes the alternatives only with `show_choice`, because they show whether the release is minimal, of `utility`, if
    measured, only what `release/disclosure.py` allows, and never `private` notes. `invented`: the published rows are
    not rows of the given data, but of a noisy table.
    """

    judged: Judged
    guards: tuple[Guard, ...]
    source: Source = field(repr=False, compare=False)
    order: Order = "sorted"
    seed: int = 0
    notes: tuple[str, ...] = ()
    invented: bool = False
    alternatives: Alternatives | None = field(default=None, repr=False, compare=False)
    show_choice: bool = False
    utility: Utility | None = field(default=None, repr=False, compare=False)
    private: tuple[str, ...] = field(default=(), repr=False, compare=False)
    about: About = field(default_factory=About)

    def _headline(self) -> str:
        """The headline, from published facts only."""
        title = f" “{self.about.title}”" if self.about.title else ""
        kept = ", ".join(f"{verdict.guard.kind} {'✓' if verdict.holds else '✗'}" for verdict in self.judged.verdicts)
        rows = (
            f"{self.outcome.rows - self.suppressed:,} of {self.outcome.rows:,} records"
            if not self.invented
            else "noisy"
        )
        return f"Release{title} ({self.recipe.title or self.recipe.kind}): {rows}; {kept or 'nothing is promised'}"

    def _tables(self) -> list[DisplayTable]:
        verdicts = [["✓" if v.holds else "✗", v.guard.kind, v.sentence] for v in self.judged.verdicts]
        return [DisplayTable(["", "guard", "finding"], verdicts), *self.recipe._tables()]

    @cached_property
    def _content(self) -> tuple[Mapping[str, PublishedTable], np.ndarray | None]:
        """The published tables, and the source row behind each of their rows, if known."""
        return self.source.publish(self.judged.change, order=self.order)

    @cached_property
    def published(self) -> Published:
        """What is published, computed on first access."""
        content, rows = self._content
        source_rows = None if self.invented else rows
        judged, person = self.judged.sized, self.schema.person
        hidden = person is not None and not self.schema.links and judged is not None and len(judged) > 0
        smallest = int(judged.people(person).min()) if hidden and judged is not None else None
        return Published(
            self.recipe, content, self.guards, self.suppressed, self.seed, self.order, source_rows,
            persons=self.persons, smallest=smallest,
        )  # fmt: skip

    def judged_classes(self, columns: Sequence[str]) -> Classes | None:
        """The published classes as they were judged, described by these `columns`, too, as far as they are published;
        None if several tables are published."""
        judged, change = self.judged, self.judged.change
        others = [name for name in columns if name in self.schema.published]
        if judged.classes is None or {*others} <= {*judged.classes.codes}:
            return judged.classes
        return judge(self.source, self.schema, self.guards, change, (*change.columns, *others)).classes

    def described(self, *, title: str = "", dataset: str = "", publisher: str = "", date: str | Day = "") -> Release:
        """The same release with the texts that its report begins with: a `title`, the name of the `dataset`, its
        `publisher`, a `date`."""
        return replace(self, about=About(title, dataset, publisher, str(date)))

    @cached_property
    def recipe(self) -> Recipe:
        """What was done, with the published values of columns that are published as they are."""
        recipe = self.judged.change.recipe
        return recipe.knowing(*self._content[0].values()) if recipe.unlisted else recipe

    @property
    def outcome(self) -> Outcome:
        return self.judged.outcome

    @property
    def table(self) -> Table:
        """The published table; where the columns are split, the columns that all tables have."""
        return self.published.table

    @property
    def source_rows(self) -> np.ndarray | None:
        """The source row behind each published row; None where it is not known: rows of an engine have no order."""
        return self.published.source_rows if self.source.ordered else None

    @cached_property
    def original(self) -> Table:
        """All rows of the source; they are not published."""
        return self.source.table

    @property
    def schema(self) -> Schema:
        return self.recipe.schema

    @cached_property
    def verdicts(self) -> tuple[Verdict, ...]:
        """The guards' verdicts on the change; `save` computes them again from the written rows."""
        judged = self.judged.verdicts
        same = tuple(verdict.guard for verdict in judged) == self.guards
        return judged if same else self.published.verdicts()

    @property
    def holds(self) -> bool:
        return all(self.verdicts)

    @property
    def suppressed(self) -> int:
        return self.judged.suppressed

    @property
    def persons(self) -> PersonCounts | None:
        """The persons of the source, those of whom records are suppressed, and those who are published; None where
        records are counted."""
        return self.outcome.persons

    @property
    def dropped(self) -> int:
        return self.source.dropped

    @property
    def snapshot(self) -> str:
        """The state of the source that is published, for the owner: it is in no file of the release."""
        return str(self.source.snapshot)

    def __index__(self) -> int:
        """The position of the candidate in its frontier, so that `frontier.values("loss")[release]` is its loss."""
        if self.alternatives is None:
            raise TypeError("this release was not chosen from a frontier")
        return self.alternatives.chosen

    def to_frame(self, kind: str | None = None) -> Any:
        """The published data as a data frame, of the input's kind by default; a list where columns are split. A lazy
        frame is computed when it is used: by then, its data must still be the data that was judged."""
        from fairveil.engines.publishing import published_frame

        with self.source.snapshot.explaining():
            frames = [published_frame(self.source, table, kind) for table in self.published.content.values()]
        self.source.snapshot.check()
        return frames if self.recipe.splits else frames[0]

    @property
    def summary(self) -> Summary:
        return self.judged.summary

    @cached_property
    def measures(self) -> dict[str, float]:
        """The value of every measure that applies and is cheap, by name."""
        return measures.of_summary(self.summary)

    @cached_property
    def risk_before(self) -> dict[str, float]:
        """The risk measures of the published people before the change, to a tenth of a percent. They are for the owner:
        somebody who knows all other people could find a person's value by them. Empty for a noisy table."""
        return {} if self.invented or not self.published.rows else self.published_people.risks

    @cached_property
    def published_people(self) -> PublishedPeople:
        """The published rows of the source, for the figures that only the owner can compute."""
        from fairveil.release.figures import kept_people

        return kept_people(self)

    @cached_property
    def findings_by_persons(self) -> Findings:
        """What attacks that count persons find, where only the owner knows who a record is about; else nothing."""
        from fairveil.release.source_dangers import findings_by_persons

        return findings_by_persons(self)

    def evidence(self, progress: Progress | Report | None = None, *, accepted: Sequence[str] = ()) -> dict[str, Any]:
        """Return the evidence without the checksums that `save` adds; `accepted` names dangers (see `save`)."""
        computed: dict[str, Any] | None = vars(self).get("_evidence")
        if computed is None:
            from fairveil.release.evidence import evidence

            computed = vars(self)["_evidence"] = evidence(self, self.published, Progress.of(progress))
        return {**computed, "accepted": sorted(set(accepted))}

    def save(
        self,
        path: str | Path,
        *,
        format: Format = "csv",
        table: str | None = None,
        overwrite: bool = False,
        accept: Sequence[str] = (),
        sign: str | Path | None = None,
        progress: Progress | Report | bool | None = None,
    ) -> SavedRelease:
        """Write the release folder, completely or not at all, and return its path, evidence and verification.

        `format` is "csv", "parquet" or "parts" (a folder of Parquet files). An existing release is replaced only with
        `overwrite`. If an attack on the release is a danger, `accept` must name it, such as ["homogeneity"], or
        `fairveil.Danger` is raised and nothing is written; the evidence lists what was accepted. With `table` the rows
        become a table of this name in the database that holds the source, and the folder holds the rest. `sign` names
        an SSH key to sign the evidence with (docs/signing.md).
        """
        from fairveil.release.destinations import destination_of

        path, progress = Path(path), Progress.visible(progress)
        if format not in FORMATS:
            raise BadInput(
                f"{option('format')} must be 'csv', 'parquet', or 'parts' (a folder of Parquet files), not {format!r}"
            )
        accept = [accept] if isinstance(accept, str) else accept
        if accept:
            from fairveil.attacks import refuse_unknown

            refuse_unknown(accept)
        if sign is not None:
            from fairveil.release.signing import refuse_key

            refuse_key(sign)
        if not self.guards:
            raise BadInput("a release without guards promises nothing, and is not written: name at least one")
        with self.source.snapshot.explaining():
            contents = progress.run(lambda: self.published.content)  # publishing takes long, and can be cancelled
        if table is None and any(format not in content.formats for content in contents.values()):
            raise BadInput(
                "the rows stay on their engine, and can be written as Parquet only: use "
                f"{option('format', 'parquet')} or {option('format', 'parts')}"
            )
        if not progress.run(lambda: self.holds):
            broken = "; ".join(v.sentence for v in self.verdicts if not v)
            raise Infeasible(f"this release does not keep its promises and is not written: {broken}")
        refuse_target(path, overwrite=overwrite)
        with (
            destination_of(self.source, self.recipe, path, format, table, overwrite=overwrite) as destination,
            whole_folder(path, replaces=is_release if overwrite else None, last=destination.commit) as folder,
            self.source.snapshot.explaining(),
        ):
            written, known_dangers, computed = self._write(folder, destination, accept, progress)
            if sign is not None:
                from fairveil.release.signing import sign as sign_folder

                sign_folder(folder, sign)
            progress.tell(0.9, "checking the files")
            verification = _verified(folder, path, progress.part(0.9, 1.0), computed)
            progress.run(self.source.snapshot.check)
            progress.check(f"saving {path.name}")
        return SavedRelease(path, written, verification, known_dangers)

    def _write(
        self, folder: Path, destination: Destination, accept: Sequence[str], progress: Progress
    ) -> tuple[dict[str, Any], dict[str, str], Computed]:
        """Write everything; return the evidence, the dangers, and all that was computed from the written rows."""
        from fairveil.attacks import dangers
        from fairveil.release.claims import claims
        from fairveil.release.evidence import evidence_of
        from fairveil.release.source_dangers import findings_of
        from fairveil.release.verify import Computed
        from fairveil.reporting import public_report

        progress.tell(0.0, "writing the data")
        known_of_source: Callable[[], list[dict[str, Any]]] | None = None
        claimed: Callable[[], dict[str, Any]] | None = None
        if self._is_idle(destination):
            known_of_source = progress.begin(self._look_at_source)
            claimed = progress.begin(lambda: claims(self.published, progress.beside()))
        written = destination.write(self.published.content, folder, progress)
        is_same = claimed is not None and _is_same(written, self.published.content)
        published = self.published if is_same else replace(self.published, content=written)
        for table in written.values() if not self.invented else ():
            if table.rows + self.suppressed != self.outcome.rows:
                raise Infeasible(
                    f"nothing is written: {self.outcome.rows:,} rows were judged, but {table.rows:,} would be "
                    f"published and {self.suppressed:,} left out"
                )
        if claimed is not None and is_same:
            stated = claimed()
        else:
            stated = progress.run(lambda: claims(published, progress.part(0.3, 0.8)))
        source_findings = None if known_of_source is None else known_of_source()
        evidence = progress.run(lambda: evidence_of(self, published, stated))
        vars(self)["_evidence"] = dict(evidence)  # so that `evidence` returns the same
        progress.tell(0.8, "looking for columns that undo others")
        known_dangers = dangers(progress.run(lambda: findings_of(self, published, source_findings)))
        evidence |= destination.entries
        evidence["accepted"] = sorted(name for name in known_dangers if name in accept)
        refused = [f"{name}: {sentence}" for name, sentence in known_dangers.items() if name not in accept]
        if refused:
            raise Danger(
                f"nothing is written, because attacks on the release are a danger; {'; '.join(refused)}; fix it, or "
                f"accept each by name: {option('accept', ['NAME'])}",
                known_dangers,
                evidence,
            )
        _write_json(folder / RECIPE, self.recipe.to_dict())
        files = sorted(file for file in folder.rglob("*") if file.is_file())
        known = destination.checksums
        evidence["files"] = {file.relative_to(folder).as_posix(): known.get(file) or sha256(file) for file in files}
        progress.tell(0.8, "writing the report")
        report, page = folder / REPORT, progress.run(lambda: public_report(published, evidence))
        report.write_text(page, encoding="utf-8", newline="\n")
        evidence["files"][report.name] = sha256(report)
        evidence["seal"] = seal(evidence)
        _write_json(folder / EVIDENCE, evidence)
        return evidence, known_dangers, Computed(published, stated, page)

    def _is_idle(self, destination: Destination) -> bool:
        """Whether the engine of the source has nothing to do while the rows are written: these are in memory."""
        in_memory = all(content.formats == FORMATS for content in self.published.content.values())
        people = self.published.rows and not (self.invented or self.recipe.invents)
        return bool(people) and self.source.engine is not None and in_memory and not destination.uses_engine

    def _look_at_source(self) -> list[dict[str, Any]]:
        """Compute what needs the source and not the written rows; return what only the source shows to be a danger."""
        from fairveil.release.source_dangers import source_dangers

        _ = self.published_people, self.findings_by_persons
        return source_dangers(self)


def publish(
    data: Any,
    schema: Schema,
    guards: Sequence[Guard],
    change: Change | Recipe,
    *,
    order: Order = "sorted",
    seed: int = 0,
    notes: Sequence[str] = (),
) -> Release:
    """Return the release of any data by a change, or by a recipe that needs nothing else."""
    source = source_of(data)
    whole = Change(change) if isinstance(change, Recipe) else change
    judged = judge(source, schema, guards, whole)
    return Release(judged, tuple(guards), source, order=order, seed=seed, notes=tuple(notes))


def refuse_target(path: Path, *, overwrite: bool = False) -> None:
    """Raise BadInput if a release cannot be written to this folder."""
    refuse_link(path)
    if path.exists() and not (overwrite and is_release(path)):
        hint = f"choose another name, or use {option('overwrite', True)}" if is_release(path) else "choose another name"
        raise BadInput(f"{path} already exists: {hint}")
    refuse_parent(path)


def _verified(folder: Path, path: Path, progress: Progress, computed: Computed) -> Verification:
    """Verify the written files; raises Infeasible if they do not verify."""
    from fairveil.release.verify import verify_written

    verification = progress.run(lambda: verify_written(folder, progress, computed))
    if verification.problems:
        reason = verification.problems[0].replace(str(folder), str(path))
        raise Infeasible(f"{path} is not written, because its files would not verify: {reason}")
    return replace(verification, path=path)


def _is_same(written: Mapping[str, PublishedTable], given: Mapping[str, PublishedTable]) -> bool:
    """Whether tables that were read back are, value by value, those that were written."""
    pairs = [(written.get(name), table) for name, table in given.items()]
    return all(isinstance(a, InMemoryTable) and isinstance(b, InMemoryTable) and a.equals(b) for a, b in pairs)


def _write_json(path: Path, content: Mapping[str, Any]) -> None:
    path.write_text(json_text(content), encoding="utf-8", newline="\n")
