"""A report as a parser sees it: which elements and attributes there are, and the text."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser

ELEMENTS = {
    *("html", "head", "meta", "title", "style", "body", "header", "nav", "main", "section", "footer", "div", "span"),
    *("h1", "h2", "h3", "p", "ul", "li", "a", "dl", "dt", "dd", "strong", "code", "pre", "bdi", "del", "i"),
    *("table", "caption", "thead", "tbody", "tr", "th", "td", "figure", "figcaption"),
    *("svg", "text", "line", "rect", "circle", "polygon"),
}


@dataclass
class Page(HTMLParser):
    """All elements in order, with their attributes; the text without the style sheet."""

    elements: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    open: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in ("meta", "line", "rect", "circle", "polygon"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        assert self.open and self.open[-1] == tag, f"</{tag}> closes {self.open[-3:]}"
        self.open.pop()

    def handle_data(self, data: str) -> None:
        if "style" not in self.open:
            self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join(self.words)

    def all(self, tag: str) -> list[dict[str, str]]:
        return [attributes for name, attributes in self.elements if name == tag]


def read(html: str) -> Page:
    """Parsed; whatever is not an element that reports are made of, or could load or run something, fails here."""
    page = Page()
    page.feed(html)
    page.close()
    assert page.open == []
    assert {name for name, _ in page.elements} <= ELEMENTS
    for name, attributes in page.elements:
        assert not [
            key for key in attributes if key.startswith("on") or key in ("src", "srcset", "style", "xlink:href")
        ]
        assert attributes.get("href", "#").startswith("#"), (name, attributes)
    return page
