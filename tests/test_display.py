"""What the API returns shows itself: short in one line, escaped in a notebook; long calls have bars."""

from __future__ import annotations

import html
import io
import re
import sys
from dataclasses import replace
from html.parser import HTMLParser
from types import SimpleNamespace
from typing import Any

import pyarrow as pa
import pytest

import fairveil as fv
from fairveil import progress_bars
from fairveil.display import MAX_SHOWN, Displayable
from fairveil.learning.classifiers import by_name
from fairveil.progress import Progress

EVIL = "<script>alert('x')</script>"
RAW = re.compile(r"<(?!/?(?:div|p|strong|em|table|thead|tbody|tr|th|td|bdi|pre|iframe|progress)\b)", re.IGNORECASE)


class Tags(HTMLParser):
    """Every tag and attribute of a piece of markup, and the rows of its tables."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.rows = 0
        self.feed(text)
        assert self.open == [], "every tag is closed"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open.append(tag)
        self.rows += tag == "tr"
        assert tag not in ("script", "style", "link", "img", "object")
        assert {name for name, _ in attrs} <= {"style", "title", "sandbox", "srcdoc", "value", "max"}

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Everything that the API returns, of data whose names and values are markup."""
    rows = 60
    data = pa.table({
        EVIL: [f"{EVIL}{i % 3}" for i in range(rows)], "age": [20 + i % 40 for i in range(rows)],
        "ill": ["flu", EVIL, "cold"] * 20, "sex": ["F", "M"] * 30, "granted": ["yes", "no", "no", "yes"] * 15,
    })  # fmt: skip
    rule = fv.hierarchy.from_rows([[f"{EVIL}{i}", "*"] for i in range(30)])
    ages = fv.hierarchy.intervals([0, 30, 60], widths=[60])
    schema = fv.Schema(
        quasi=[EVIL, "age"], sensitive="ill", protected="sex", decision="granted", denied="no",
        hierarchies={EVIL: rule, "age": ages},
    )  # fmt: skip
    table = fv.Table.from_frame(data)
    found = fv.search(data, schema, guards=fv.KAnonymity(3))
    release = found.best("loss").described(title=EVIL, publisher=EVIL)
    saved = release.save(tmp_path_factory.mktemp("displayed") / "out", accept=["homogeneity"])
    plan = fv.Plan(fv.Plan.from_toml(PLAN).source, (fv.KAnonymity(2),), schema)
    walk = fv.ReferenceDirection(
        data, schema, guards=[fv.KAnonymity(3)],
        method=fv.Preferences({"nwp": 0.3, "necd": 0.3}, evaluations=100, population=20),
    )  # fmt: skip
    step = walk.step(points=2)
    risk = fv.population_risk(data, replace(schema, population=fv.Population(size=900)))
    return {
        "table": table, "column": table.column(EVIL), "schema": schema, "hierarchy": rule, "intervals": ages,
        "levels": rule.bind([f"{EVIL}{i}" for i in range(25)]), "frontier": found, "release": release,
        "recipe": release.recipe, "outcome": release.recipe.outcome(data), "verdict": release.verdicts[0],
        "checked": fv.check(data, schema, fv.KAnonymity(30))[0], "verification": fv.verify(saved),
        "findings": fv.attack(release, original=data), "finding": fv.attack(release)[0],
        "comparison": fv.explore(data, schema, guards=[fv.KAnonymity(3)], methods=[fv.Incognito(), fv.MDAV(k=3)]),
        "profile": fv.profile(data), "dataset": fv.datasets.credit_decisions(), "report": fv.report(release),
        "utility": fv.utility(release, data, 0.3, classifiers=by_name(["naive-bayes"]), queries=5, resamples=2),
        "plan": plan,
        "step": step, "solution": step.solutions[0], "published": release.published, "change": found.change(0),
        "mdav": fv.search(data, schema, guards=fv.KAnonymity(3), method=fv.MDAV(k=3)).best("loss").recipe,
        "judged": found.judged(0), "saved": saved,
        "keys": fv.key_risks(data, schema, size=2), "attacker": fv.attacker_risks(release)[0],
        "cost": fv.promise_costs(data, schema, guards=fv.KAnonymity(3))[0],
        "depths": fv.explore_depths(data, schema, guards=fv.KAnonymity(3), methods=[fv.Incognito()], depths=[1]),
        "invariance": fv.attacks.m_invariance([release, release], data, "ill"),
        "population": fv.Population(size=900), "risk": risk, "suda": risk.suda, "uniqueness": risk.uniqueness,
    }  # fmt: skip


PLAN = 'format = 1\n[source]\ndataset = "adult"\n[[guards]]\nkind = "k-anonymity"\nk = 5\n'


def test_everything_shows_itself_without_a_word_of_markup(results: dict[str, Any]) -> None:
    for name, result in results.items():
        markup = result._repr_html_()
        tags = Tags(markup)
        assert not RAW.search(markup), name
        assert EVIL not in markup
        assert tags.rows <= 5 * (MAX_SHOWN + 1), name
        assert result._repr_html_() == markup


def test_a_report_is_framed_as_it_is(results: dict[str, Any]) -> None:
    framed = re.search('srcdoc="([^"]*)"', results["report"]._repr_html_())
    assert framed and html.unescape(framed[1]) == results["report"]


def test_one_line_and_never_the_data(results: dict[str, Any]) -> None:
    for name, result in results.items():
        line = repr(result)
        assert "\n" not in line and len(line) < 400, (name, line)
        assert f"{EVIL}1" not in line or name in ("hierarchy", "finding"), (name, line)


def test_a_release_shows_no_more_than_it_publishes(results: dict[str, Any]) -> None:
    """What only suppressed rows hold is in neither picture of a release."""
    people = pa.table({"zip": ["08540"] * 5 + ["99999"], "ill": ["flu", "cold"] * 2 + ["flu", "plague"]})
    schema = fv.Schema(quasi=["zip"], sensitive="ill")
    release = fv.search(people, schema, guards=[fv.KAnonymity(5, suppression=0.2)]).best("loss")
    assert release.suppressed == 1
    for text in (repr(release), release._repr_html_(), repr(release.recipe), release.recipe._repr_html_()):
        assert "99999" not in text and "plague" not in text


def test_every_class_that_shows_itself_is_tried(results: dict[str, Any]) -> None:
    def below(kind: type[Any]) -> set[type[Any]]:
        return {kind, *(inner for child in kind.__subclasses__() for inner in below(child))}

    tried = {base for result in results.values() for base in type(result).__mro__}
    ours = {kind for kind in below(Displayable) if kind.__module__.startswith("fairveil.")} - {Displayable}
    parents = {kind for kind in ours if Displayable in kind.__bases__}
    assert parents - tried == set()


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_bar_on_a_terminal_and_none_elsewhere(monkeypatch: pytest.MonkeyPatch, results: dict[str, Any]) -> None:
    monkeypatch.setattr(progress_bars, "DELAY", 0.0)
    monkeypatch.setattr(progress_bars, "INTERVAL", 0.0)

    def drawn(stream: io.StringIO, **how: Any) -> str:
        monkeypatch.setattr(sys, "stderr", stream)
        results_schema, data = results["schema"], results["table"]
        fv.search(data, results_schema, guards=fv.KAnonymity(3), **how)
        return stream.getvalue()

    shown = drawn(Terminal())
    assert "%" in shown and "searching" in shown and shown.endswith("\r\x1b[2K")
    assert drawn(io.StringIO()) == ""
    assert drawn(Terminal(), progress=False) == ""
    assert drawn(Terminal(), progress=lambda share, what: None) == ""
    monkeypatch.setenv(progress_bars.VARIABLE, "off")
    assert drawn(Terminal()) == ""
    monkeypatch.delenv(progress_bars.VARIABLE)
    with progress_bars.silent():
        assert drawn(Terminal()) == ""


def test_a_bar_in_a_notebook(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the same calls that IPython's display takes."""
    shown: list[dict[str, str]] = []

    class Handle:
        def update(self, picture: dict[str, str], raw: bool) -> None:
            shown.append(picture)

    def display(picture: dict[str, str], raw: bool, display_id: bool) -> Handle:
        shown.append(picture)
        return Handle()

    shell = SimpleNamespace(kernel=object())
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))
    monkeypatch.setitem(sys.modules, "IPython.display", SimpleNamespace(display=display))
    monkeypatch.setattr(progress_bars, "DELAY", 0.0)
    monkeypatch.setattr(progress_bars, "INTERVAL", 0.0)
    progress = Progress.visible(None)
    progress.run(lambda: progress.tell(0.5, f"reading {EVIL}"))
    assert "50%" in shown[0]["text/html"] and EVIL not in shown[0]["text/html"]
    Tags(shown[0]["text/html"])
    assert shown[-1] == {"text/html": "", "text/plain": ""}
