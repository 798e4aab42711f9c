"""Every fenced block of README.md, CONTRIBUTING.md and docs/, and how it is run.

A block that cannot be run has a comment above it, `<!-- not run: why -->`. Everything runs in a copy of docs/examples,
page by page, from top to bottom.
"""

from __future__ import annotations

import re
import shutil
import tomllib
from dataclasses import dataclass
from pathlib import Path

import fairveil as fv
from docs.making.session import Session

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
SHELLS = ("sh", "bash", "console")
SHOWN = ("text", "json", "csv", "")
"""Languages of blocks that show something and are nothing to run."""
BUILT = ("{run}", "{registry}", "{toctree}", "{include}", "{glossary}")
"""Blocks that the build of the site reads or runs."""
BLOCK = re.compile(r"(?:<!-- not run: (?P<why>[^>]*?) -->\n+)?^ *(?P<fence>```+)(?P<language>[^\s`]*)[^\n]*\n(?P<text>.*?)^ *(?P=fence)$", re.M | re.S)  # fmt: skip  # noqa: E501


@dataclass(frozen=True)
class Snippet:
    """One fenced block: where it is, its language, its text, and why it is not run, if it is not."""

    page: Path
    line: int
    language: str
    text: str
    why_not: str | None

    @property
    def place(self) -> str:
        return f"{self.page.relative_to(ROOT)}:{self.line}"


def snippets(page: Path) -> list[Snippet]:
    text = page.read_text(encoding="utf-8")
    return [Snippet(page, text[: match.start("fence")].count("\n") + 1, match["language"], match["text"], match["why"])
            for match in BLOCK.finditer(text)]  # fmt: skip


def session(folder: Path) -> Session:
    """A fresh copy of the folder that the pages speak of."""
    shutil.copytree(ROOT / "docs" / "examples", folder)
    return Session(folder)


def run(snippet: Snippet, where: Session) -> None:
    """Run one block, as it is printed."""
    if snippet.language == "python":
        where.python(snippet.text)
    elif snippet.language in SHELLS:
        where.shell(snippet.text)
    else:
        _read_plan(snippet.text, where.folder)


def _read_plan(text: str, folder: Path) -> None:
    """A whole plan is kept for the blocks after it; a piece of one is completed and must be accepted."""
    keys = tomllib.loads(text)
    if "format" in keys:
        (folder / "plan.toml").write_text(text, encoding="utf-8")
        fv.Plan.read(folder / "plan.toml")
        return
    data = "german_credit" if "marital_status" in text else "adult"
    rest = {"source": f'[source]\ndataset = "{data}"\n', "guards": '[[guards]]\nkind = "k-anonymity"\nk = 5\n'}
    if "url" in keys.get("source", {}):
        rest["schema"] = '[schema]\nquasi = ["age"]\n'
    if "marital_status" in text:
        rest["schema"] = '[schema]\nquasi = ["marital_status", "job"]\nprotected = ["sex"]\ndecision = "class"\n' \
                         'denied = "bad"\ndrop = ["sex"]\n'  # fmt: skip
    whole = "format = 1\n" + text + "\n".join(part for name, part in rest.items() if name not in keys)
    fv.Plan.from_toml(whole, folder)
