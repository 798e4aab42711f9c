"""Report: what a release promises, costs and leaves open, as one HTML file that opens offline.

`report.html` in a release is made from what is published and from nothing else; the internal report shows the source
as well and is for the data owner's eyes only.

>>> import fairveil as fv
>>> credit = fv.datasets.credit_decisions()
>>> release = fv.search(credit.table, credit.schema, guards=[fv.KAnonymity(3)]).best("loss")
>>> fv.report(release).startswith("<!doctype html>")
True
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from fairveil.errors import BadInput
from fairveil.release.release import Release
from fairveil.reporting.context import Context
from fairveil.reporting.page import page
from fairveil.reporting.plain import as_dict

__all__ = ["public_report", "report", "report_dict"]

MOST_ATTACKED = 200_000
"""Rows of a source up to which the internal report tries the attacks that need it; some draw many tables."""


def report(release: Release | str | Path, *, internal: bool = False) -> str:
    """The report of a release, or of the folder it was saved to, as HTML.

    With `internal` it also shows records before and after, the guards' verdicts on the source, where its risk comes
    from, what attackers reach who hold the source, and what the release was chosen from: keep it to yourself. A folder
    knows nothing of its source, so only a release has an internal report.
    """
    return page(_context(release, internal))


def report_dict(release: Release | str | Path, *, internal: bool = False) -> dict[str, Any]:
    """The same as plain data: the evidence as it stands, and under "report" what was made of it."""
    return as_dict(_context(release, internal))


def public_report(release: Release, evidence: Mapping[str, Any]) -> str:
    """The report that goes into the release folder, from the evidence with the checksums of the other files."""
    return page(Context.of_release(release, evidence))


def _inside(release: Release) -> dict[str, Any]:
    """What the internal report knows better than the evidence: attacks with the source in hand, all of the utility."""
    from fairveil.attacks import attack

    made: dict[str, Any] = {}
    if release.source is not None and release.source.rows <= MOST_ATTACKED:
        made["attacks"] = [finding.to_dict() for finding in attack(release, original=release.source, seed=release.seed)]
    if release.utility is not None:
        from fairveil.release.disclosure import plainly

        made["utility"] = plainly(release.utility)
    return made


def _context(release: Release | str | Path, internal: bool) -> Context:
    if isinstance(release, Release):
        shown = replace(release, show_choice=True) if internal else release
        evidence = shown.evidence()
        return Context.of_release(shown, evidence | _inside(release) if internal else evidence, internal=internal)
    if internal:
        raise BadInput("an internal report needs the release itself: a folder does not hold its source")
    return Context.of_folder(release)
