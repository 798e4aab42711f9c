"""The glossary has every word that the product prints."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

import fairveil as fv
from fairveil.recipes import RECIPES
from fairveil.reporting import glossary
from fairveil.run.suggestions.first_plan import ORDER
from fairveil.settings import sentence_of

HOME = Path(__file__).parents[2]
PAGE = (HOME / "docs" / "glossary.md").read_text(encoding="utf-8")
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


JARGON = re.compile(r"\b[A-Z]{2,}\d*\b|[^\W\d_]*[α-ωℓ][\w-]*|(?<=[a-z,] )[A-Z][^\W\d_]+(?:['-][^\W\d_]+)*")
"""Acronyms, words with Greek letters, and names in the middle of a sentence: what readers look up."""
NO_TERMS = {
    "formats": "CSV Excel Parquet SAS SPSS Stata URL UTF GB",
    "programs": "ARX OpenDP OpenSSH's PGPASSWORD Python SSH TLS TypeScript",
    "pages and keys of the studio": "Describe Enter Explore Run Shift",
    "examples and placeholders": "Bari DIR Rome WIDTH",
    "not printed": "Endpoints INTEGERS LEAD NONE",
    "part of a definition": "ℓ-th",
}
"""Other words of this form that are printed."""
ROOMS = (
    "reporting",
    "attacks",
    "cli",
    "guards",
    "measures",
    "methods",
    "recipes",
    "run",
    "studio",
    "release",
    "choice",
)
LISTS = (
    "topics_known.py",
    "topics_secret.py",
    "column_values.py",
    "known_names.py",
    "column_words.py",
    "looks.py",
    "fields_offices.py",
    "fields_studies.py",
    "fields_surveys.py",
)
"""Modules of words of columns, which are not printed."""


def sentences_of_python(code: str) -> Iterator[str]:
    """Texts of several words in a module, but for docstrings; what is filled in is left out."""
    tree, done = ast.parse(code), set[int]()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            done.add(id(node.value))
        if isinstance(node, ast.JoinedStr):
            done |= {id(part) for part in node.values}
            yield "".join(str(part.value) if isinstance(part, ast.Constant) else "…" for part in node.values)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in done:
            yield node.value


def sentences_of_studio(code: str) -> list[str]:
    return re.findall(r">([^<>{}=;]*[a-z] [^<>{}=;]*)<", code) + re.findall(r'"([^"\n]*[a-z] [^"\n]*)"', code)


def jargon() -> dict[str, str]:
    """The words that need an explanation, each with a file that prints it."""
    words: dict[str, str] = {}
    modules = [file for room in ROOMS for file in (HOME / "src" / "fairveil" / room).rglob("*.py")]
    pages = [*(HOME / "web" / "src").rglob("*.tsx")]
    for file in [*(file for file in modules if file.name not in LISTS), *pages]:
        read = sentences_of_python if file.suffix == ".py" else sentences_of_studio
        for text in read(file.read_text(encoding="utf-8")):
            if " " in text:
                plain = re.sub(r"`[^`]*`", "", text.replace("’", "'"))
                words |= {word: file.name for word in JARGON.findall(plain) if word not in words}
    return words


def test_every_word_that_readers_look_up_is_explained() -> None:
    """A new acronym, symbol or name in a sentence of report, terminal or studio needs an entry, or a place above."""
    text, others = PAGE.lower().replace("’", "'"), {word for line in NO_TERMS.values() for word in line.split()}
    words = jargon()
    assert {word: file for word, file in words.items() if word.lower() not in text and word not in others} == {}
    assert {"NCP", "ℓ-diversity"} <= words.keys()


def test_a_new_word_is_noticed() -> None:
    texts = list(
        sentences_of_python('"""A docstring of Shannon."""\nprint(f"as {x} of Kullback and Leibler, in KL bits")')
    )
    assert [word for text in texts for word in JARGON.findall(text)] == ["Kullback", "Leibler", "KL"]


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
