"""Every page: axe finds nothing, in light and dark, wide and narrow; nothing is cut off; the console is silent."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.studio.browser.desk import Desk
from tests.studio.browser.process import Studio
from tests.studio.codes import CODES

TABS = ("overview", "rows", "columns", "risk", "rules", "use", "attacks")
GUARDS = [
    {"kind": "k-anonymity", "k": 2, "suppression": 0.2},
    {"kind": "alpha-protection", "alpha": 3.0, "min_support": 2},
]
LOOKS: dict[str, dict[str, Any]] = {
    "light": {"color_scheme": "light"},
    "twice as large": {"viewport": {"width": 640, "height": 400}, "device_scale_factor": 2},
    "dark and narrow": {"color_scheme": "dark", "viewport": {"width": 390, "height": 844}},
}


@pytest.mark.parametrize("look", LOOKS)
def test_every_page(studio: Studio, sit: Callable[..., Desk], look: str) -> None:
    desk = sit(studio, **LOOKS[look])
    check(desk)
    session = desk.prepare("credit_decisions", GUARDS, [{"kind": "incognito"}, {"kind": "datafly"}])
    ids = desk.own("GET", "/candidates")["id"]
    for perspective in ("open", "describe", "promise", "search", "explore", "steer", "release"):
        show(desk, session, perspective)
    show(desk, session, f"explore?selected={ids[0]}")
    desk.page.get_by_role("button", name="As useful as possible within my promises").click()
    small_bar(desk)
    check(desk)
    show(desk, session, f"compare/{ids[0]}/{ids[-1]}")
    for tab in TABS:
        show(desk, session, f"inspect/{ids[0]}/{tab}")
        expect(desk.page.get_by_role("tab", selected=True)).to_be_in_viewport(ratio=1)
    empty = desk.ask("POST", "/api/sessions", {})["id"]
    for perspective in ("open", "describe", "promise", "search", "explore", "steer", "compare", "inspect", "release"):
        show(desk, empty, perspective)


def small_bar(desk: Desk) -> None:
    """What was selected never covers a third of the page, also where everything is twice as large."""
    usual = desk.page.viewport_size
    for size in (usual, {"width": 640, "height": 400}, {"width": 320, "height": 500}):
        desk.page.set_viewport_size(size)
        bar = desk.page.get_by_role("region", name="Selected candidate").bounding_box()
        assert bar and bar["height"] <= size["height"] / 3, (size, bar)
    desk.page.set_viewport_size(usual)


def show(desk: Desk, session: str, where: str) -> None:
    desk.show(session, where)
    check(desk)


def check(desk: Desk) -> None:
    desk.audit()
    desk.fits()
    words = desk.page.evaluate(TEXT)
    assert not (found := sorted(set(CODES.findall(words)))), (desk.page.url, found)


TEXT = """() => {
    const copy = document.querySelector("main").cloneNode(true);
    copy.querySelectorAll(".code, pre").forEach(element => element.remove());
    return [copy.textContent, ...[...copy.querySelectorAll("[aria-label]")].map(it => it.ariaLabel)].join("\\n");
}"""
"""What a page says, without the codes that stand second, behind a title, and without the plan."""
