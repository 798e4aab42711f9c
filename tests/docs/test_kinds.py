"""Every page says on its first lines which of four kinds it is, and stands under that kind in the index."""

from __future__ import annotations

import re
from fnmatch import fnmatch
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
KINDS = {
    "Tutorial": "Tutorials",
    "How-to guide": "How-to guides",
    "Reference": "Reference",
    "Explanation": "Explanation",
}
"""What a page says, and the caption that it stands under."""
PAGES = [page for page in sorted(DOCS.rglob("*.md")) if page.parent.name != "results" and page.name != "index.md"]


def lists() -> dict[str, list[str]]:
    """The pages under each caption of the index."""
    text = (DOCS / "index.md").read_text(encoding="utf-8")
    blocks = re.findall(r":caption: ([^\n]+)\n\n(.*?)```", text, re.S)
    return {caption: names.split() for caption, names in blocks}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_says_its_kind_and_stands_under_it(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    if included := re.match(r"```\{include\} (\S+)", text):
        text = (page.parent / included[1]).read_text(encoding="utf-8")
    first = [line for line in text.splitlines() if line.strip()][:3]
    kind = next((kind for kind in KINDS if f"*{kind}*" in first), None)
    assert kind is not None, f"{page.name}: after its title it says one of {', '.join(f'*{kind}*' for kind in KINDS)}"
    name = page.relative_to(DOCS).with_suffix("").as_posix()
    [caption] = [caption for caption, names in lists().items() if any(fnmatch(name, each) for each in names)]
    assert caption in (KINDS[kind], "Project"), f"{page.name} stands under {caption} and says *{kind}*"


def test_the_index_has_a_list_for_every_kind() -> None:
    assert list(lists()) == [*KINDS.values(), "Project"]
