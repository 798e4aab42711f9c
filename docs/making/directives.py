"""Directives of the documentation, in addition to plain Markdown.

{registry} api       the Python reference (docs/making/api.py), or `attacks`, the list of all attacks
{run}                commands that are run while the site is built, shown with their output. The commands of a page run
                     in one folder, in order. `:lines: 12` shows the beginning only, `:quiet:` shows no output.
SVG pictures are inlined, so that they take the colours of the page, light or dark.
"""

from __future__ import annotations

import re
import tempfile
from fnmatch import filter as filter_names
from pathlib import Path
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.docutils import SphinxDirective

from docs.making import api, tables
from docs.making.session import Failed, Session


class Registry(SphinxDirective):
    """A list that is derived from a registry when the site is built."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        text = {"api": api.reference, "attacks": tables.attack_list}[self.arguments[0]]()
        return list(self.parse_text_to_nodes(text, allow_section_headings=True))


class Run(SphinxDirective):
    """Commands and their output."""

    has_content = True
    option_spec: ClassVar[dict[str, Any]] = {
        "lines": directives.positive_int,
        "quiet": directives.flag,
    }

    def run(self) -> list[nodes.Node]:
        text = "\n".join(self.content)
        session = _session(self.env.docname)
        try:
            printed = session.shell(text)
        except Failed as problem:
            raise self.error(str(problem)) from problem
        shown = nodes.literal_block(text, text, language="sh")
        if "quiet" in self.options or not printed.strip():
            return [shown]
        return [shown, _output(printed, self.options.get("lines"))]


SESSIONS: dict[str, tuple[Session, Any]] = {}


def _session(page: str) -> Session:
    if page not in SESSIONS:
        folder = tempfile.TemporaryDirectory(prefix="fairveil-docs-")
        SESSIONS[page] = Session(Path(folder.name)), folder
    return SESSIONS[page][0]


def _output(printed: str, most: int | None) -> nodes.Node:
    lines = [line.rstrip() for line in printed.strip("\n").splitlines()]
    lines = [line for line, before in zip(lines, ["x", *lines], strict=False) if line or before]
    if most is not None and len(lines) > most:
        lines = [*lines[:most], "…"]
    text = "\n".join(lines)
    return nodes.literal_block(text, text, language="text", classes=["output"])


class Inline(SphinxPostTransform):
    """Pictures in SVG as part of the page."""

    default_priority = 5
    formats = ("html",)

    def run(self, **_: Any) -> None:
        for picture in list(self.document.findall(nodes.image)):
            path = Path(self.env.srcdir) / picture["uri"]
            if path.suffix == ".svg" and path.is_file():
                alt = picture.get("alt", "")
                drawing = re.sub(r"<\?xml.*?\?>\s*", "", path.read_text(encoding="utf-8"))
                html = f'<div class="picture" role="img" aria-label="{_quoted(alt)}">{drawing}</div>'
                picture.replace_self(nodes.raw("", html, format="html"))


def _quoted(text: str) -> str:
    return text.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;")


def _end(app: Sphinx, problem: Exception | None) -> None:
    for _, folder in SESSIONS.values():
        folder.cleanup()
    SESSIONS.clear()


def _complete(app: Sphinx) -> None:
    if missing := api.missing_names():
        raise ExtensionError(f"docs/making/api.py has no chapter for {', '.join(sorted(missing))}")


def _present(app: Sphinx, page: str, source: list[str]) -> None:
    """A pattern of the navigation that no page fits yet is left out: Sphinx would warn of it."""
    if page == "index":
        known = app.env.found_docs
        lines = source[0].split("\n")
        source[0] = "\n".join(
            line for line in lines if not re.fullmatch(r"[\w/-]+\*", line) or filter_names(known, line)
        )


def setup(app: Sphinx) -> dict[str, Any]:
    app.add_directive("registry", Registry)
    app.add_directive("run", Run)
    app.add_post_transform(Inline)
    app.connect("builder-inited", _complete)
    app.connect("source-read", _present)
    app.connect("build-finished", _end)
    return {"parallel_read_safe": False, "version": "1"}
