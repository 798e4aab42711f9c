"""docs/report.md speaks of what there is."""

from __future__ import annotations

import re
from pathlib import Path

import fairveil as fv
from fairveil.reporting.sections import INTERNAL, SECTIONS

DOCS = Path(__file__).parent.parent.parent / "docs"


def test_every_section_is_documented() -> None:
    words = (DOCS / "report.md").read_text().lower()
    for section in SECTIONS:
        assert section.title.lower() in words, section.title
    assert len({section.name for section in (*SECTIONS, *INTERNAL)}) == len(SECTIONS) + len(INTERNAL)


def test_every_key_of_the_data_is_documented() -> None:
    credit = fv.datasets.credit_decisions()
    release = fv.search(credit.table, credit.schema, guards=[fv.KAnonymity(3)]).best("loss")
    documented = set(re.findall(r"`(\w+)`", (DOCS / "report.md").read_text()))
    assert set(fv.report_dict(release)["report"]) <= documented
