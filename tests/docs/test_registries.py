"""Whatever can be named in a plan or on the command line is documented; a page is found by names in code quotes."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path

import pytest
import typer

from fairveil.cli import COMMANDS, app
from fairveil.guards import GUARDS, Guard
from fairveil.learning.classifiers import CLASSIFIERS
from fairveil.measures import MEASURES, Measure
from fairveil.methods import METHODS, Method
from fairveil.run.plan.parsing import KEYS
from fairveil.run.plan.rules import hierarchy_settings

TESTS = Path(__file__).parents[1]
DOCS = TESTS.parent / "docs"
PAGES = {page.name: page.read_text(encoding="utf-8") for page in sorted(DOCS.glob("*.md"))}


def pages_about(name: str) -> list[str]:
    return [text for text in PAGES.values() if f"`{name}`" in text]


def section(page: str, heading: str) -> str:
    """The text under a heading, up to the next one of its rank."""
    rank = heading.split(" ", maxsplit=1)[0]
    assert f"\n{heading}\n" in PAGES[page], f"docs/{page} lacks a section {heading!r}"
    return PAGES[page].split(f"\n{heading}\n")[1].split(f"\n{rank} ")[0]


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.__name__)
def test_every_command_and_option(command: object) -> None:
    name = command.__name__  # type: ignore[attr-defined]
    text = section("cli.md", f"## fairveil {name}")
    shared = PAGES["cli.md"].split("\n## ")[0]
    described = typer.main.get_command(app).commands[name]  # type: ignore[attr-defined]
    options = [option for p in described.params if p.param_type_name == "option" for option in p.opts]
    assert {option for option in options if not re.search(rf"`[^`]*{option}\b", text + shared)} == set()


@pytest.mark.parametrize("place", KEYS)
def test_every_plan_key(place: str) -> None:
    text = section("plan.md", f"### [{place}]" if place else "## The keys")
    assert {key for key in KEYS[place] if f"| `{key}` |" not in text} == set()


SETTINGS = hierarchy_settings()


@pytest.mark.parametrize("kind", SETTINGS)
def test_every_kind_of_hierarchy(kind: str) -> None:
    [line] = [line for line in section("plan.md", "### [hierarchies.COLUMN]").splitlines() if f"| `{kind}` |" in line]
    assert {setting for setting in SETTINGS[kind] if f"`{setting}`" not in line} == set()


@pytest.mark.parametrize("part", [*GUARDS, *METHODS], ids=lambda part: part.kind)
def test_every_guard_and_method_with_its_settings(part: type[Guard] | type[Method]) -> None:
    pages = pages_about(part.kind)
    assert pages, f"no page of docs/ names `{part.kind}`"
    settings = {field.name for field in dataclasses.fields(part)}
    assert {name for name in settings if not any(f"`{name}`" in text for text in pages)} == set()
    index = PAGES["guards.md" if issubclass(part, Guard) else "methods.md"]
    assert f"| `{part.kind}` |" in index, "the overview lacks it"


@pytest.mark.parametrize("measure", MEASURES, ids=lambda measure: measure.name)
def test_every_measure(measure: Measure) -> None:
    low, high = ("∞" if bound == float("inf") else f"{bound:g}" for bound in measure.range)
    line = f"| `{measure.name}` | {measure.family} | {measure.better} | {low} to {high} | {measure.meaning} |"
    assert line in PAGES["measures.md"].splitlines()


@pytest.mark.parametrize("classifier", CLASSIFIERS.names)
def test_every_classifier(classifier: str) -> None:
    for page, heading in (("plan.md", "### [utility]"), ("cli.md", "## fairveil utility")):
        assert f"`{classifier}`" in section(page, heading)


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
