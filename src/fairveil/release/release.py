"""Release: recipe, published data and evidence; a folder that anybody can verify.

data.csv or data.parquet (projection-1, projection-2, … where the columns are split), recipe.json, report.html,
evidence.json (verdicts, measures, counts, versions, the SHA-256 of each file). It is written aside and renamed into
place when whole. The same input, seed and version give the same bytes: there is no date in it. Rows are published in
the order of their values, because the order of the source could tell whose row is whose.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
import pyarrow.parquet

import fairveil
from fairveil import measures
from fairveil.counting.cells import Cells, Classes, group_of
from fairveil.counting.summary import Summary
from fairveil.data.arrow import plain
from fairveil.data.schema import Schema
from fairveil.data.table import Column, Table
from fairveil.errors import BadInput, Infeasible
from fairveil.guards import ClassGuard, Guard, Verdict
from fairveil.guards.projections import Projections
from fairveil.recipes.base import Outcome, Recipe, classes_of
from fairveil.release.alternatives import Alternatives

if TYPE_CHECKING:
    from fairveil.evaluation.utility import Utility

Format = Literal["csv", "parquet"]
Order = Literal["sorted", "keep"]
FORMULA_SIGNS = "=+@\t\r-"  # the minus last: between two signs it would mean a range


@dataclass(frozen=True)
class Release:
    """What is published, and the evidence for it. `source_rows` are the rows of the source, in published order.

    `source` and `alternatives` are for those who decide. Of the source a few rounded numbers are written; of the
    alternatives nothing, unless `show_choice`, because they show whether the release is minimal. Of `utility`, where
    it was measured, what `evaluation/disclosure.py` allows is written; of the `private` notes nothing.
    """

    recipe: Recipe
    outcome: Outcome
    guards: tuple[Guard, ...]
    verdicts: tuple[Verdict, ...]
    source_rows: np.ndarray
    dropped: int = 0
    seed: int = 0
    notes: tuple[str, ...] = ()
    source: Table | None = field(default=None, repr=False, compare=False)
    alternatives: Alternatives | None = field(default=None, repr=False, compare=False)
    show_choice: bool = False
    utility: Utility | None = field(default=None, repr=False, compare=False)
    private: tuple[str, ...] = field(default=(), repr=False, compare=False)

    @property
    def table(self) -> Table:
        return self.outcome.table

    @property
    def schema(self) -> Schema:
        return self.recipe.schema

    @property
    def holds(self) -> bool:
        return all(self.verdicts)

    @property
    def suppressed(self) -> int:
        return self.outcome.rows - self.table.rows

    def to_frame(self, kind: str | None = None) -> Any:
        """The published data as a data frame of the kind that came in; a list of them where columns are split."""
        if self.outcome.parts is not None:
            return [part.to_frame(kind) for part in self.outcome.parts]
        return self.table.to_frame(kind)

    @cached_property
    def summary(self) -> Summary:
        return self.outcome.summary(self.schema)

    @cached_property
    def measures(self) -> dict[str, float]:
        """Every measure that applies, by name."""
        values = {
            measure.name: float(measure.of(self.summary)[0])
            for measure in measures.MEASURES
            if measure.cost == "summary"
        }
        return {name: value for name, value in values.items() if np.isfinite(value)}

    @cached_property
    def risk_before(self) -> dict[str, float]:
        """The risk measures of the source, to a tenth of a percent: enough to compare, too little to undo anything."""
        if self.source is None:
            return {}
        found = measures.risks(Cells.of(self.source, self.schema.quasi).counts)
        return {name: round(value, 3) for name, value in found.items()}

    def evidence(self) -> dict[str, Any]:
        """All that is claimed, without the checksums that `save` adds.

        The attacks in it look at nothing but what is published, so they tell nobody anything new.
        """
        from fairveil.attacks import cheap, weaknesses

        useful, withheld = self._useful()
        return {
            "format": 1,
            "fairveil": fairveil.__version__,
            "versions": {"python": platform.python_version(), "numpy": np.__version__, "pyarrow": pa.__version__},
            "seed": self.seed,
            "rows": {
                "source": self.outcome.rows + self.dropped,
                "dropped_for_missing_values": self.dropped,
                "suppressed": self.suppressed,
                "published": self.table.rows,
            },
            "holds": self.holds,
            "guards": [verdict.to_dict() for verdict in self.verdicts],
            "measures": {name: _told(name, value) for name, value in self.measures.items()},
            "loss_per_column": {
                name: _rounded(float((paid + self.suppressed) / self.outcome.rows))
                for name, paid in zip(self.schema.quasi, self.summary.loss[0], strict=True)
            },
            **({"facts": dict(self.outcome.facts)} if self.outcome.facts else {}),
            "types": _types(self.table)
            if self.outcome.parts is None
            else {name: _types(part) for name, part in self.outcome.files.items()},
            "attacks": [finding.to_dict() for finding in cheap(self)],
            "weaknesses": weaknesses(self),
            **({"utility": useful} if useful else {}),
            "notes": [*self.notes, *withheld],
            "levels": {name: list(level) for name, level in self.outcome.levels.items()},
            **({"risk_before": self.risk_before} if self.source is not None else {}),
            **({"alternatives": self.alternatives.to_dict()} if self.alternatives and self.show_choice else {}),
            **({"claims": dict(self.recipe.claims)} if hasattr(self.recipe, "claims") else {}),
        }

    def _useful(self) -> tuple[dict[str, Any] | None, list[str]]:
        """What may be said of the utility, and a note where nothing may."""
        if self.utility is None:
            return None, []
        from fairveil.release.disclosure import public, withheld

        why = withheld(self.utility, self)
        return public(self.utility, self), [f"what the release is good for is not published: {why}"] if why else []

    def save(self, path: str | Path, *, format: Format = "csv", overwrite: bool = False) -> Path:
        """Write the release folder, whole or not at all."""
        path = Path(path)
        if format not in ("csv", "parquet"):
            raise BadInput(f"format {format!r}: say 'csv' or 'parquet'")
        if not self.holds:
            broken = "; ".join(v.sentence for v in self.verdicts if not v)
            raise Infeasible(f"this release does not keep its promises and is not written: {broken}")
        refuse_target(path, overwrite=overwrite)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            aside = Path(tempfile.mkdtemp(prefix=f".{path.name}-", dir=path.parent))
        except OSError as problem:
            raise BadInput(f"{path} cannot be written: {problem.strerror}") from None
        try:
            self._write(aside, format)
            aside.chmod(0o755)
            if path.exists():
                old = aside.with_name(aside.name + "-old")
                path.rename(old)
                try:
                    aside.rename(path)
                finally:  # interrupted in between, too, one whole release is there
                    if path.exists():
                        shutil.rmtree(old)
                    else:
                        old.rename(path)
            else:
                aside.rename(path)
        except OSError as problem:
            raise BadInput(f"{path} cannot be written: {problem.strerror}") from None
        finally:
            shutil.rmtree(aside, ignore_errors=True)
        return path

    def _write(self, folder: Path, format: Format) -> None:
        from fairveil.reporting import public_report

        evidence = self.evidence()
        for name, table in self.outcome.files.items():
            write = write_csv if format == "csv" else _write_parquet
            write(table, folder / f"{name}.{format}")
        _write_json(folder / "recipe.json", self.recipe.to_dict())
        evidence["files"] = {file.name: sha256(file) for file in sorted(folder.iterdir())}
        report = folder / "report.html"
        report.write_text(public_report(self, evidence), encoding="utf-8", newline="\n")
        evidence["files"][report.name] = sha256(report)
        evidence["seal"] = seal(evidence)
        _write_json(folder / "evidence.json", evidence)


def refuse_target(path: Path, *, overwrite: bool = False) -> None:
    """Refuse a folder that a release cannot be written to, before any work."""
    if path.exists() and not (overwrite and is_release(path)):
        hint = "choose another name, or overwrite it" if is_release(path) else "choose another name"
        raise BadInput(f"{path} is there already: {hint}")
    _refuse_parent(path)


def refuse_file_target(path: Path, *, overwrite: bool = False) -> None:
    """Refuse a file that data cannot be written to, before any work."""
    if not path.name.endswith((".csv", ".parquet")):
        raise BadInput(f"{path} must be a .csv or .parquet file")
    if path.exists() and not (overwrite and path.is_file()):
        raise BadInput(f"{path} is there already: choose another name" + (", or overwrite it" * path.is_file()))
    _refuse_parent(path)


def _refuse_parent(path: Path) -> None:
    parent = next(folder for folder in path.absolute().parents if folder.exists())
    if not parent.is_dir():
        raise BadInput(f"{path} cannot be written: {parent} is not a folder")
    if not os.access(parent, os.W_OK | os.X_OK):
        raise BadInput(f"{path} cannot be written: no permission to write in {parent}")


def write_file(table: Table, path: Path) -> None:
    """One table as a CSV or Parquet file, whole or not at all."""
    aside = path.with_name(f".{path.name}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        (write_csv if path.name.endswith(".csv") else _write_parquet)(table, aside)
        aside.replace(path)
    except OSError as problem:
        raise BadInput(f"{path} cannot be written: {problem.strerror}") from None
    finally:
        aside.unlink(missing_ok=True)


def publish(
    table: Table,
    schema: Schema,
    guards: Sequence[Guard],
    recipe: Recipe,
    *,
    order: Order = "sorted",
    seed: int = 0,
    notes: Sequence[str] = (),
) -> Release:
    """Apply a recipe, leave out the classes that break a guard as far as the budget allows, and check the rest."""
    outcome = recipe.apply(table)
    if outcome.parts is not None:
        found = Projections.published(outcome.parts, schema).check(guards)
        rows = np.arange(outcome.table.rows)
        return Release(recipe, outcome, tuple(guards), found, rows, table.dropped, seed, tuple(notes), source=table)
    kept = np.arange(outcome.table.rows)
    classes, class_of_row = classes_of(outcome.table, schema)
    budget = max((guard.budget(table.rows) for guard in guards if hasattr(guard, "budget")), default=0)
    passing = passing_classes(classes, schema, guards)
    if 0 < int(classes.rows[~passing].sum()) <= budget:
        kept = kept[passing[class_of_row]]
        classes = classes.keep(passing)
    verdicts = tuple(guard.verdict(classes, schema) for guard in guards)
    if order == "sorted":
        kept = kept[content_order(outcome.table.take(kept))]
    taken = outcome.take(kept)
    source_rows = kept if taken.source_rows is None else taken.source_rows
    return Release(recipe, taken, tuple(guards), verdicts, source_rows, table.dropped, seed, tuple(notes), source=table)


def passing_classes(classes: Classes, schema: Schema, guards: Sequence[Guard]) -> np.ndarray:
    """Which classes keep every guard that classes keep by themselves."""
    passing = np.ones(len(classes), dtype=bool)
    for guard in guards:
        if isinstance(guard, ClassGuard):
            passing &= guard.passing(classes, schema)
    return passing


def content_order(table: Table) -> np.ndarray:
    """The rows in the order of their values, column after column."""
    order = np.arange(table.rows)
    keys = []
    for column in table.columns:
        ranks = plain(pc.rank(column.values, sort_keys="ascending", tiebreaker="dense"))
        keys.append(ranks[column.codes])
    groups, total = group_of([(c.codes, len(c.values)) for c in table.columns], table.rows)
    first = np.zeros(total, dtype=np.int64)
    first[groups[::-1]] = order[::-1]
    distinct = np.lexsort([key[first] for key in reversed(keys)])  # sort each distinct row once
    place = np.empty(total, dtype=np.int64)
    place[distinct] = np.arange(total)
    return np.argsort(place[groups], kind="stable")


def write_csv(table: Table, path: Path) -> None:
    """CSV whose text, names of columns included, no spreadsheet takes for a formula: a leading = + - @ gets an
    apostrophe before it."""
    safe = replace(table, columns=tuple(_quoted(column) for column in table.columns))
    options = pa.csv.WriteOptions(quoting_style="needed")
    writer = None
    with path.open("wb") as sink:
        for batch in safe.batches():
            writer = writer or pa.csv.CSVWriter(sink, batch.schema, write_options=options)
            writer.write_table(batch)
        if writer is None:
            pa.csv.write_csv(safe.to_arrow(), sink, options)
        else:
            writer.close()


def _quoted(column: Column) -> Column:
    column = replace(column, name="'" + column.name if _is_risky(column.name) else column.name)
    if not pa.types.is_string(column.values.type):
        return column
    risky = pc.match_substring_regex(column.values, f"^'*[{FORMULA_SIGNS}]")
    if not risky.true_count:
        return column
    return replace(column, values=pc.if_else(risky, pc.binary_join_element_wise("'", column.values, ""), column.values))


def unquoted(table: Table) -> Table:
    """The inverse of what `write_csv` does to text that looks like a formula."""

    def undo(column: Column) -> Column:
        name = column.name
        column = replace(column, name=name[1:] if name.startswith("'") and _is_risky(name) else name)
        if not pa.types.is_string(column.values.type):
            return column
        risky = pc.match_substring_regex(column.values, f"^'+[{FORMULA_SIGNS}]")
        if not risky.true_count:
            return column
        return replace(column, values=pc.if_else(risky, pc.utf8_slice_codeunits(column.values, 1), column.values))

    return replace(table, columns=tuple(undo(column) for column in table.columns))


def _is_risky(name: str) -> bool:
    return name.lstrip("'").startswith(tuple(FORMULA_SIGNS))


def _types(table: Table) -> dict[str, str]:
    return {column.name: str(column.values.type) for column in table.columns}


def _write_parquet(table: Table, path: Path) -> None:
    schema = table.to_arrow(slice(0, 0)).schema
    with pa.parquet.ParquetWriter(path, schema) as writer:
        for batch in table.batches():
            writer.write_table(batch)


def _write_json(path: Path, content: dict[str, Any]) -> None:
    path.write_text(json.dumps(content, indent=2, ensure_ascii=False, default=str) + "\n", encoding="utf-8")


def is_release(path: Path) -> bool:
    return (path / "evidence.json").is_file() and (path / "recipe.json").is_file()


def sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def seal(evidence: dict[str, Any]) -> str:
    """A checksum of everything that the evidence says, so that a changed promise shows."""
    said = {key: value for key, value in evidence.items() if key != "seal"}
    return hashlib.sha256(json.dumps(said, sort_keys=True, ensure_ascii=False, default=str).encode()).hexdigest()


def _told(name: str, value: float) -> float:
    """Entropy looks below the published values: of a small source all its digits would tell the counts there."""
    return round(value, 3) if name == "entropy" else _rounded(value)


def _rounded(value: float) -> float:
    """Twelve digits: all that is meant, and the same on every machine."""
    return float(f"{value:.12g}")
