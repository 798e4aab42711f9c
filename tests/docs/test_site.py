"""The documentation site: it builds offline without a warning, loads nothing from elsewhere, and no link is lost.

`python -m sphinx -W` is what `make docs` runs. It also runs the commands of the tutorial, and fails where one does.
"""

from __future__ import annotations

import inspect
import json
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from types import ModuleType
from urllib.parse import unquote, urldefrag

import pytest
import typer

import fairveil as fv
from docs.making import api, frontiers
from docs.making.tables import TABLES
from fairveil.cli import app
from tests.test_rooms import ORDER

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
LOADED = {
    "script": "src",
    "img": "src",
    "link": "href",
    "iframe": "src",
    "source": "src",
    "video": "src",
    "audio": "src",
}
"""What a browser loads by itself, by tag."""


class Page(HTMLParser):
    """What a built page links to, loads, and can be linked at."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.anchors |= {value for name in ("id", "name") if (value := given.get(name))}
        if tag == "a" and given.get("href"):
            self.links.append(str(given["href"]))
        if tag in LOADED and given.get(LOADED[tag]) and given.get("rel") not in ("index", "search", "next", "prev"):
            self.loads.append(str(given[LOADED[tag]]))


def elsewhere(address: str) -> bool:
    return bool(re.match(r"(?:[a-z]+:)?//", address))


def test_the_site(tmp_path: Path) -> None:
    """One build, and all that is asked of it: a second build would take as long again."""
    out = tmp_path / "site"
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-b", "html", "-d", str(tmp_path / "trees")]
    done = subprocess.run([*command, str(DOCS), str(out)], capture_output=True, text=True, cwd=ROOT, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in out.rglob("*.html")}
    every_page_is_in_the_navigation(out, pages)
    nothing_is_loaded_from_elsewhere(out, pages)
    every_link_leads_somewhere(out, pages)
    the_reference_is_whole(out)
    tutorial = (out / "tutorial.html").read_text(encoding="utf-8")
    assert "every promise holds" in tutorial and "rows written to new-published.csv" in tutorial


def every_page_is_in_the_navigation(out: Path, pages: dict[Path, Page]) -> None:
    linked = set(pages[out / "index.html"].links)
    written = {path.relative_to(DOCS).with_suffix(".html").as_posix() for path in DOCS.rglob("*.md")} - {"index.html"}
    assert len(written) > 30
    assert written - linked == set()


def nothing_is_loaded_from_elsewhere(out: Path, pages: dict[Path, Page]) -> None:
    assert {
        load for page in pages.values() for load in page.loads if elsewhere(load) or load.startswith("data:")
    } == set()
    styles = "\n".join(path.read_text(encoding="utf-8") for path in out.rglob("*.css"))
    styles += "\n".join(re.findall(r"<style>.*?</style>", "".join(p.read_text(encoding="utf-8") for p in pages), re.S))
    called = re.findall(r"(?:url\(|@import)\s*['\"]?([^'\")\s;]+)", styles)
    assert [address for address in called if elsewhere(address)] == []


def every_link_leads_somewhere(out: Path, pages: dict[Path, Page]) -> None:
    lost = []
    for path, page in pages.items():
        for link in page.links:
            address, anchor = urldefrag(unquote(link))
            if elsewhere(link) or link.startswith("mailto:"):
                continue
            target = (path.parent / address).resolve() if address else path
            known = pages[target].anchors if target in pages else None
            if not target.exists() or (anchor and known is not None and anchor not in known):
                lost.append(f"{path.relative_to(out)} -> {link}")
    assert lost == []


def the_reference_is_whole(out: Path) -> None:
    names, attacks = ((out / "reference" / f"{page}.html").read_text(encoding="utf-8") for page in ("api", "attacks"))
    modules = [name for name in fv.__all__ if isinstance(getattr(fv, name), ModuleType)]
    expected = [name for name in fv.__all__ if name not in (*modules, "__version__")]
    expected += [f"{module}.{name}" for module in modules for name in api.functions_of(getattr(fv, module))]
    assert [name for name in expected if f'id="fairveil.{name}"' not in names] == []
    assert [name for name in fv.attacks.ATTACKS.names if f'<span class="pre">{name}</span>' not in attacks] == []


def test_every_option_and_setting_has_words() -> None:
    described = typer.main.get_command(app)
    options = [(name, p.name) for name, command in described.commands.items()  # type: ignore[attr-defined]
               for p in command.params if not getattr(p, "hidden", False) and not p.help]  # fmt: skip
    assert options == []
    for name in [name for name in TABLES if not name.endswith("options") and not name.startswith("command")]:
        assert [line for line in TABLES[name]().splitlines() if re.search(r"\|\s*\|$", line)] == [], name


@pytest.mark.parametrize("name", [name for name in fv.__all__ if name != "__version__"])
def test_every_public_name_is_explained(name: str) -> None:
    """A sentence, and a word about every argument."""
    assert name not in api.missing_names()
    doc = inspect.getdoc(getattr(fv, name)) or ""
    assert len(doc.split()) >= 4, f"{name} has no docstring"
    assert api.unexplained(name) == []


@pytest.mark.parametrize("name", [name for name in fv.__all__ if isinstance(getattr(fv, name), ModuleType)])
def test_every_function_of_a_public_module_has_a_docstring(name: str) -> None:
    module = getattr(fv, name)
    assert [part for part in api.functions_of(module) if not inspect.getdoc(getattr(module, part))] == []


def test_the_picture_of_the_architecture_has_every_room_in_its_order() -> None:
    drawn = (DOCS / "pictures" / "architecture.svg").read_text(encoding="utf-8")
    assert re.findall(r'class="room"[^>]*>(\w+)<', drawn) == [room for room in ORDER if room != "__main__"]


def test_the_pictures_of_frontiers_are_those_of_their_figures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    figures = json.loads(frontiers.FIGURES.read_text(encoding="utf-8"))
    assert {point["data"] for point in figures["privacy"]} == set(frontiers.TITLES)
    committed = {
        name: (frontiers.PICTURES / name).read_text(encoding="utf-8") for name in ("privacy.svg", "fairness.svg")
    }
    monkeypatch.setattr(frontiers, "PICTURES", tmp_path)
    frontiers.draw(figures)
    assert {name: (tmp_path / name).read_text(encoding="utf-8") for name in committed} == committed


def test_what_which_method_says_is_what_was_measured() -> None:
    """The sentences of docs/which-method.md that compare, against the figures that they are read off."""
    points = frontiers.found_by_now()
    hidden = {(p["data"], p["k"], p["method"]): p["entropy"] for p in points["privacy"] if "entropy" in p}
    cases = [(data, k) for data, ks in frontiers.KS.items() for k in ks]
    assert all(hidden[data, k, "mdav"] > hidden[data, k, "mondrian"] for data, k in cases)
    assert all(hidden[data, k, "preferences"] < hidden[data, k, "incognito"] for data, k in cases)
    assert round(hidden["german_credit", 10, "mondrian"] / hidden["adult", 10, "mondrian"]) == 3
    assert (
        min(v for (data, k, _), v in hidden.items() if (data, k) == ("german_credit", 10))
        == (hidden["german_credit", 10, "dmpd"])
    )
    gap = {(p["data"], p["label"]): p[frontiers.GAP] for p in points["fairness"] if frontiers.GAP in p}
    assert all(gap[data, "fair-mdav, τ = 0"] < 0.55 * gap[data, "mondrian"] for data in frontiers.TITLES)
    assert max((value, label) for (data, label), value in gap.items() if data == "german_credit")[1].startswith("incog")


@pytest.mark.parametrize("name", [n for n in fv.__all__ if not isinstance(getattr(fv, n), ModuleType | str)])
def test_every_public_name_has_an_example_and_types(name: str) -> None:
    """Doctests are run with the tests; the call of a guard or method is run here."""
    part = getattr(fv, name)
    example = api.example(part)
    assert ">>>" in api.docstring(part) or example
    if example and ">>>" not in example:
        eval(example.split("\n")[1], {"fv": fv})
    assert inspect.isclass(part) or "Returns `" in api.types(part)
