"""report: what a release promises, costs and leaves open, for a release object or its folder.

>>> import fairveil as fv
>>> credit = fv.datasets.credit_decisions()
>>> release = fv.search(credit.table, credit.schema, guards=[fv.KAnonymity(3)]).best("loss")
>>> fv.report(release).startswith("<!doctype html>")
True
"""

from __future__ import annotations

import html
import os
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from fairveil.attacks import attack
from fairveil.counting.population_sizes import population_columns
from fairveil.errors import BadInput
from fairveil.progress import Progress, Report
from fairveil.published.folder import published_of
from fairveil.release.disclosure import plainly
from fairveil.release.verify import verify_and_load
from fairveil.reporting import OwnerView, ReportContext, as_dict, page
from fairveil.reporting.context import readable
from fairveil.shapes import made

if TYPE_CHECKING:
    from fairveil.release.release import Release

T = TypeVar("T")


class ReportPage(str):
    """A report as HTML, which a notebook shows in a separate frame, isolated from the notebook."""

    def __repr__(self) -> str:
        return f"<Report: a page of {max(len(self) // 1000, 1):,} kB; write it to a file that ends in .html>"

    def _repr_html_(self) -> str:
        style = "width:100%;height:40em;border:1px solid gray"
        return f'<iframe title="Report" sandbox="" style="{style}" srcdoc="{html.escape(self)}"></iframe>'


MAX_ATTACKED = 200_000
"""Maximum rows of a source for which the internal report runs attacks on it; some draw many tables."""


def report(
    release: Release | str | os.PathLike[str],
    *,
    internal: bool = False,
    published: Any = None,
    table: str | None = None,
    progress: Progress | Report | bool | None = None,
) -> ReportPage:
    """The report of a `release`, or of the folder it was saved to, as HTML.

    With `internal` it also shows records before and after, the guards' verdicts on the source, where its risk comes
    from, what attackers with the source achieve, and what the release was chosen from: keep it private. A folder
    does not hold its source, so only a release has an internal report. `published` and `table` say where the rows of a
    release are that are in a database (see `verify`).
    """
    progress = Progress.visible(progress)
    located = {"published": published, "table": table}
    return ReportPage(progress.run(lambda: _created(page, release, internal, located, progress)))


def report_dict(
    release: Release | str | os.PathLike[str],
    *,
    internal: bool = False,
    published: Any = None,
    table: str | None = None,
    progress: Progress | Report | bool | None = None,
) -> dict[str, Any]:
    """The report of a `release` or folder as plain data: the evidence as is, and what is derived from it under
    "report"; with `internal` also what only the owner may see, and with `published` and `table` from a database, as in
    `report`."""
    progress = Progress.visible(progress)
    located = {"published": published, "table": table}
    return progress.run(lambda: _created(as_dict, release, internal, located, progress))


def _created(
    create: Callable[[ReportContext], T], release: Release | str | os.PathLike[str], internal: bool,
    located: Mapping[str, Any], progress: Progress,
) -> T:  # fmt: skip
    """The result of `create` for a release or a folder, which is verified first, its rows where they are `located`."""
    if not isinstance(release, str | os.PathLike):
        published_of(release)  # raises for anything else
        return create(_context(release, internal, progress))
    if internal:
        raise BadInput("an internal report needs the release itself: a folder does not hold its source")

    def from_folder() -> T:
        verification, loaded = verify_and_load(release, **located, progress=progress.part(0.0, 0.9))
        return create(ReportContext(loaded.published, readable(loaded.evidence), verification.problems))

    created: T = made(from_folder, f"what {release} says")
    return created


def attacked_with_source(release: Release) -> bool:
    """Whether the internal report runs attacks that use the rows of the source; else only what is published."""
    return release.source.has_rows and release.source.rows <= MAX_ATTACKED


def _context(release: Release, internal: bool, progress: Progress) -> ReportContext:
    if not internal:
        return ReportContext(release.published, release.evidence(progress))
    # the internal report also has the risk before, what the release was chosen from, attacks that use the source, and
    # the full utility
    evidence = release.evidence(progress.part(0.0, 0.5)) | {"risk_before": release.risk_before}
    if release.alternatives is not None and (sketch := release.alternatives.to_dict()) is not None:
        evidence["alternatives"] = sketch
    if attacked_with_source(release):
        findings = attack(release, original=release.original, seed=release.seed, progress=progress.part(0.5, 1.0))
        evidence["attacks"] = [finding.to_dict() for finding in findings]
        evidence.pop("by_persons", None)  # they are among them, with their figures
    if release.utility is not None:
        evidence["utility"] = plainly(release.utility)
    classes = release.judged_classes(population_columns(release.schema))
    return ReportContext(release.published, evidence, inside=OwnerView(release.source, release.private, classes))
