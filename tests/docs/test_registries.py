"""Whatever can be named in a plan or on the command line is documented, by tables that declarations generate."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from docs.making import tables
from fairveil.cli import COMMANDS
from fairveil.learning.classifiers import CLASSIFIERS
from fairveil.run.plan.parsing import KEYS

TESTS = Path(__file__).parents[1]
DOCS = TESTS.parent / "docs"
PAGES = {page.name: page.read_text(encoding="utf-8") for page in sorted(DOCS.glob("*.md"))}


def section(page: str, heading: str) -> str:
    """The text under a heading, up to the next one of its rank."""
    rank = heading.split(" ", maxsplit=1)[0]
    assert f"\n{heading}\n" in PAGES[page], f"docs/{page} lacks a section {heading!r}"
    return PAGES[page].split(f"\n{heading}\n")[1].split(f"\n{rank} ")[0]


@pytest.mark.parametrize("name", [page.name for page in tables.PAGES if "<!-- table:" in PAGES[page.name]])
def test_the_tables_of_a_page_are_those_of_the_declarations(name: str) -> None:
    now = tables.rewritten(PAGES[name])
    stale = [line for line in PAGES[name].splitlines() if line not in now.splitlines()]
    assert PAGES[name] == now, f"docs/{name} is stale: run `{tables.COMMAND}`; it would replace {stale}"


def test_every_table_stands_in_one_place() -> None:
    """A new command, section of a plan or list is documented; no comment is left open."""
    named = [source for text in PAGES.values() for source in tables.sources(text)]
    assert sorted(named) == sorted(tables.TABLES)
    assert sum(text.count("<!-- table:") for text in PAGES.values()) == len(named)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.__name__)
def test_every_command_has_a_section(command: Callable[..., int]) -> None:
    assert tables.sources(section("cli.md", f"## fairveil {command.__name__}")) == [f"command {command.__name__}"]


@pytest.mark.parametrize("name", KEYS)
def test_every_section_of_a_plan_has_a_section(name: str) -> None:
    text = section("plan.md", f"### [{name}]" if name else "## The keys")
    assert tables.sources(text)[0] == f"plan {name}".strip()


@pytest.mark.parametrize(
    ("text", "markdown"),
    [
        (
            "With --epsilon: a group's, not others', such as 'a b'",
            "With `--epsilon`: a group's, not others', such as `\"a b\"`",
        ),
        ("see docs/which-method.md, `--k` or [[guards]]", "see [which method](which-method.md), `--k` or `[[guards]]`"),
        ("such as 2024-*.csv, sc://host or co-author", "such as `2024-*.csv`, `sc://host` or co-author"),
    ],
)
def test_a_plain_sentence_is_marked_up(text: str, markdown: str) -> None:
    assert tables.marked(text) == markdown


@pytest.mark.parametrize("classifier", CLASSIFIERS.names)
def test_every_classifier(classifier: str) -> None:
    for page, heading in (("plan.md", "### [utility]"), ("cli.md", "## fairveil utility")):
        assert re.search(rf"\b{classifier}\b", section(page, heading))


@pytest.mark.parametrize("name", PAGES)
def test_links_between_pages_lead_somewhere(name: str) -> None:
    links = re.findall(r"\]\(([^)#]+?)(?:#[^)]*)?\)", PAGES[name])
    assert {link for link in links if "://" not in link and not (DOCS / link).exists()} == set()


def test_every_promise_names_tests_that_exist() -> None:
    code = "\n".join(path.read_text(encoding="utf-8") for path in TESTS.rglob("test_*.py"))
    named = {name for page in PAGES.values() for name in re.findall(r"`((?:test_|Test)\w+)`", page)}
    assert len(named) > 30
    assert {name for name in named if not re.search(rf"^ *(?:def|class) {name}\b", code, re.MULTILINE)} == set()


def test_every_promise_has_a_test() -> None:
    text = section("promises.md", "## What every release promises")
    rows = [line for line in text.splitlines() if line.startswith("| ") and "tested by" not in line]
    assert len(rows) > 10
    assert [row for row in rows if not re.search(r"`(?:test_|Test)\w+`", row.split(" | ")[-1])] == []
