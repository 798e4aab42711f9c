"""The glossary has every word that the product prints."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

import fairveil as fv
from fairveil.recipes import RECIPES
from fairveil.reporting import glossary
from fairveil.run.suggestions.first_plan import ORDER
from fairveil.settings import sentence_of

PAGE = (Path(__file__).parents[2] / "docs" / "glossary.md").read_text(encoding="utf-8")
TERMS = re.findall(r"^([^\s:<|#*].*)\n  ", PAGE, re.M)
PARTS: list[Any] = [
    part
    for registry in (
        fv.guards.GUARDS, fv.methods.METHODS, fv.measures.MEASURES, fv.attacks.ATTACKS, RECIPES, fv.hierarchy.KINDS,
    )
    for part in registry
]  # fmt: skip


@pytest.mark.parametrize("part", PARTS, ids=lambda part: getattr(part, "kind", "") or part.name)
def test_every_registered_part(part: Any) -> None:
    name, title = getattr(part, "kind", "") or part.name, getattr(part, "title", "")
    assert f"| `{name}` |" in PAGE and (not title or f"| {title} |" in PAGE)
    assert len((getattr(part, "meaning", "") or sentence_of(part)).split()) > 3


@pytest.mark.parametrize("word", [
    "cut-tree", "Mondrian", "non-uniform entropy", "discernibility", "downcoding", "Cramér's V", "NCP", "slift",
    "SUDA2",
    "total variation distance", "earth mover's distance", "prosecutor risk", "journalist risk", "marketer risk",
])  # fmt: skip
def test_words_of_reports_and_tables(word: str) -> None:
    assert word in TERMS


@pytest.mark.parametrize("role", [field.name for field in fields(fv.Schema) if field.name in ORDER])
def test_every_role(role: str) -> None:
    assert role in TERMS


def test_every_role_is_looked_for() -> None:
    assert {*ORDER} <= {field.name for field in fields(fv.Schema)}


def test_what_the_report_explains_is_explained_here() -> None:
    """The report's own glossary has no word that this one lacks."""
    text = PAGE.lower()
    assert [word for word in glossary.terms() if word.lower() not in text] == []


def test_recipes_and_measures_have_titles_of_their_own() -> None:
    for parts in (list(fv.measures.MEASURES), list(RECIPES)):
        titles = [part.title for part in parts]
        assert len(set(titles)) == len(titles) and all(len(title) > 2 and "_" not in title for title in titles)


def test_terms_are_in_order() -> None:
    plain = [term.lower().translate(str.maketrans({"α": "alpha", "ℓ": "l", "δ": "delta", "é": "e"})) for term in TERMS]
    assert plain == sorted(plain) and len(set(plain)) == len(plain)
