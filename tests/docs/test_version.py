"""The version is the same wherever it is written."""

from __future__ import annotations

import re
from pathlib import Path

import fairveil

ROOT = Path(__file__).parent.parent.parent


def test_the_citation_names_this_version() -> None:
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert re.search(r"^version: (.+)$", citation, re.MULTILINE)[1] == fairveil.__version__  # type: ignore[index]


def test_the_newest_section_of_the_changelog_is_this_version() -> None:
    sections = re.findall(r"^## (.+)$", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert fairveil.__version__ == next(section for section in sections if section != "Unreleased")
