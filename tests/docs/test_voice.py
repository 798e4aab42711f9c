"""Phrases that no docstring, message, comment or page may use, and what to write instead."""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
EVERYWHERE = {
    r"half a sign": "an unpaired surrogate",
    r"zones? of time": "time zone",
    r"what went out": "the published data",
    r"what is told\b": "what is disclosed",
    r"who is let in": "access control",
    r"how hardly": "how much",
    r"any answer will do": "the result is undefined",
    r"split instead of blur": "decomposition",
    r"a row of rooms": "a sequence of packages",
    r"what lives there": "contents",
    r"(is|are) there already": "already exists",
    r"(is|are) none of (the|these|its|them)\b": "is not one of, are not",
    r"(is|are) not believed": "is rejected",
    r"is not a whole\b": "is truncated, or is not",
    r"whole numbers?\b": "integer",
    r"truth values?\b": "Boolean",
    r"(decimal|control|first|one) signs?\b": "character, decimal separator",
    r"shows? (itself|themselves)": "is displayed; Notebook output",
    r"whole or not at all": "completely or not at all; atomically",
    r"nothing half-written": "no incomplete file",
    r"read off (the|it|its)\b": "derived from, taken from, inferred from",
    r"gives? (it|something|nothing|everything|sex|people) away": "reveals, discloses",
    r"in spite of": "despite",
    r"\bdear to\b": "expensive to",
    r"\bwhoever\b": "anybody who, an attacker who",
    r"\banew\b": "again; is regenerated",
    r"\bbeforehand\b": "in advance",
    r"a fault of fairveil": "an internal error",
    r"looked at\b": "examined, considered",
    r"is gone already": "no longer exists",
    r"tells more than": "discloses more than",
    r"\b(to|have|of|that) so many (distinct|codes|attributes|columns|places)": "this many",
}
"""Patterns, case-insensitive, and what to write instead: in the package, the front end and the documentation."""
IN_PROSE = {
    r"is no number": "is not a number; is not allowed",
}
"""The same for the pages of the documentation only: in the sources it is also said of tables without numbers."""
QUOTES = re.compile(r"""^[rbfuRBFU]*(\"{3}|'{3}|"|')|(\"{3}|'{3}|"|')$|^#""")
TEXT = (tokenize.STRING, tokenize.COMMENT, getattr(tokenize, "FSTRING_MIDDLE", -1))


def prose(path: Path) -> str:
    """The words of a file on one line: all of a page, and of Python its string literals and comments."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".md":
        text = re.sub(r"```.*?```|`[^`]*`", "", text, flags=re.DOTALL)
    if path.suffix == ".py":
        tokens = tokenize.generate_tokens(io.StringIO(text).readline)
        text = " ".join(QUOTES.sub("", token.string) for token in tokens if token.type in TEXT)
    return re.sub(r"\s+", " ", text)


def pages() -> list[Path]:
    """What is written by hand; pages of results are generated from experiments."""
    return [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]


def sources() -> list[Path]:
    package = (path for path in (ROOT / "src" / "fairveil").rglob("*") if path.suffix in (".py", ".toml", ".html"))
    web = (path for path in (ROOT / "web" / "src").rglob("*") if path.suffix in (".ts", ".tsx"))
    return [*package, *web, *(ROOT / "docs" / "making").glob("*.py")]


def faults(paths: list[Path], phrases: dict[str, str]) -> Iterator[str]:
    for path in paths:
        text = prose(path)
        for pattern, instead in phrases.items():
            for match in re.finditer(pattern, text, re.IGNORECASE):
                around = text[max(match.start() - 40, 0) : match.end() + 40]
                yield f"{path.relative_to(ROOT)}: “…{around}…”: instead of “{match.group()}” write: {instead}"


def test_the_pages_use_plain_technical_english() -> None:
    found = list(faults(pages(), EVERYWHERE | IN_PROSE))
    assert not found, "\n".join(found)


def test_the_sources_use_plain_technical_english() -> None:
    found = list(faults(sources(), EVERYWHERE))
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.md", "It says\nwhat went out."),
        ("a.py", 'X = (\n    "what went "\n    "out"\n)\n'),
        ("a.ts", "// What went out"),
    ],
)
def test_a_phrase_is_found_across_lines(name: str, text: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    assert re.search("what went out", prose(tmp_path / name), re.IGNORECASE)
