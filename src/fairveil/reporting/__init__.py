"""Report: what a release promises, costs and leaves open, as one HTML file that opens offline, or as plain data.

`report.html` in a release is made only from what is published. The internal report also shows the source and is for
the data owner's eyes only. `run/report.py` makes either one, from a release or from its folder.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from fairveil.reporting.context import OwnerView, ReportContext
from fairveil.reporting.page import as_dict, page

if TYPE_CHECKING:
    from fairveil.published.published import Published

__all__ = ["OwnerView", "ReportContext", "as_dict", "page", "public_report"]


def public_report(published: Published, evidence: Mapping[str, Any]) -> str:
    """The report that goes into the release folder, from the evidence with the checksums of the other files."""
    return page(ReportContext(published, evidence))
