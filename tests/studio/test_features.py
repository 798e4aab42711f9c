"""The table of what the studio has is complete, and each place that it names is on the page."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from fairveil.studio.refusals import FIELDS

ROOT = Path(__file__).parents[2]
WEB = ROOT / "web" / "src"
ROWS = re.findall(r"^\| (\d+) \| (.+?) \| (.+?) \| (.+?) \|$", (ROOT / "docs/studio-features.md").read_text(), re.M)
FOLDERS = {"Start": ("Welcome",), "every page": ()}
SHARED = ("shell", "components", "candidates", "charts")


def test_every_row_is_there_once() -> None:
    assert [int(number) for number, *_ in ROWS] == list(range(1, 59))


@pytest.mark.parametrize(("number", "feature", "page", "label"), ROWS, ids=[row[0] for row in ROWS])
def test_the_page_calls_it_so(number: str, feature: str, page: str, label: str) -> None:
    folders = [WEB / "perspectives" / name for name in FOLDERS.get(page, (page,))]
    assert all(folder.is_dir() for folder in folders), page
    files = [file for folder in (*folders, *(WEB / name for name in SHARED)) for file in folder.rglob("*.tsx")]
    written = "\n".join(file.read_text(encoding="utf-8") for file in files)
    assert label in written or label in FIELDS.values(), (feature, label)
