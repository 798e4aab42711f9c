"""From a file to a described table, by keyboard alone; and two windows that change the same session."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import expect

from tests.studio.browser.desk import Desk
from tests.studio.browser.process import Studio
from tests.studio.browser.test_journey import press
from tests.studio.test_opening import PEOPLE, TOWNS, clinic

WIDE, ENLARGED, PHONE = ({"width": width, "height": height} for width, height in ((1280, 800), (640, 400), (390, 844)))
LOOKS: tuple[tuple[Any, Any], ...] = (("light", WIDE), ("light", ENLARGED), ("dark", PHONE))
DRAWN = "() => new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn)))"


def test_ten_columns_in_two_keys(studio: Studio, desk: Desk, tmp_path: Path) -> None:
    path = tmp_path / ("a-very-long-name-without-any-space" * 4 + ".csv")
    path.write_bytes(clinic())
    field = desk.page.get_by_role("textbox", name="Or a path on this machine")
    field.focus()
    desk.page.keyboard.type(str(path))
    desk.page.keyboard.press("Enter")
    desk.page.get_by_role("heading", name="Suggestions").wait_for()
    press(desk, "button", "Accept all suggestions")
    desk.page.get_by_text("every column has a role").wait_for()
    document = desk.own("GET", "")["document"]
    assert len(document["roles"]) == 7 and "age" in document["hierarchies"]
    press(desk, "textbox", "Only rows with")
    desk.page.keyboard.type("age >= 30")
    desk.page.keyboard.press("Enter")
    desk.page.get_by_role("button", name="Remove the condition age >= 30").wait_for()
    desk.show(desk.session, "promise")
    press(desk, "button", "Use the suggested promises")
    desk.page.get_by_role("heading", name="k-anonymity").wait_for()
    document = desk.own("GET", "")["document"]
    assert len(document["guards"]) > 1 and "mondrian" in {method["kind"] for method in document["methods"]}
    desk.show(desk.session, "describe/visit")
    press(desk, "button", "Read as dates: change…")
    desk.page.get_by_role("dialog").get_by_role("table").wait_for()
    desk.audit()
    desk.page.keyboard.press("Escape")


def test_a_further_table_is_joined_by_keyboard(studio: Studio, sit: Callable[..., Desk], tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_text(PEOPLE)
    (tmp_path / "towns.csv").write_text(TOWNS.replace("name", "town"))
    desk = sit(studio, color_scheme="dark", viewport=PHONE)
    made = desk.ask("POST", "/api/sessions", {"path": str(tmp_path / "people.csv")})["id"]
    desk.show(made, "open")
    press(desk, "button", "Join a table")
    desk.page.get_by_role("textbox", name="Or a path on this machine").wait_for()
    check(desk)
    for _ in range(8):
        desk.page.keyboard.press("Tab")
        if desk.page.evaluate("document.activeElement.tagName") == "INPUT":
            break
    desk.page.keyboard.type(str(tmp_path / "towns.csv"))
    desk.page.keyboard.press("Enter")
    desk.page.get_by_text("100 rows of 200 have a partner").wait_for()  # both have the column town
    check(desk)
    press(desk, "button", "Join")
    desk.page.get_by_text("have a partner in towns.csv").wait_for()
    desk.settled()
    check(desk)
    assert desk.own("GET", "")["columns"] == ["id", "age", "town", "region"]
    press(desk, "button", "Remove towns.csv")
    desk.page.get_by_text("have a partner in towns.csv").wait_for(state="detached")


def test_the_pages_before_the_search(desk: Desk, tmp_path: Path) -> None:
    path = tmp_path / ("long" * 30 + ".csv")
    path.write_bytes(clinic())
    desk.page.get_by_role("button", name="A database").click()
    desk.page.get_by_role("textbox", name="Address of the database").wait_for()
    check(desk)
    session = desk.ask("POST", "/api/sessions", {"path": str(path)})["id"]
    desk.show(session, "open")
    desk.page.get_by_role("button", name="Accept all suggestions").wait_for()
    check(desk)
    for where in ("describe", "describe/visit", "promise"):
        desk.show(session, where)
        check(desk)


def check(desk: Desk) -> None:
    """In every look; it keeps the last."""
    for scheme, size in LOOKS:
        desk.page.emulate_media(color_scheme=scheme)
        desk.page.set_viewport_size(size)
        desk.page.evaluate(DRAWN)
        desk.audit()
        desk.fits()


def test_a_second_window_is_not_overwritten(studio: Studio, sit: Callable[..., Desk]) -> None:
    first, second = sit(studio), sit(studio)
    session = first.ask("POST", "/api/sessions", {"dataset": "credit_decisions"})["id"]
    for desk in (first, second):
        desk.show(session, "promise")
    first.page.get_by_role("button", name="Start with k-anonymity").click()
    first.page.get_by_role("heading", name="k-anonymity").wait_for()
    second.page.get_by_role("button", name="Start with k-anonymity").click()
    expect(second.page.get_by_text("this session was changed since you looked")).to_be_visible()
    expect(second.page.get_by_text("Promised k-anonymity")).to_be_visible()
    second.page.get_by_role("heading", name="k-anonymity").wait_for()
    second.forgive("409")


def test_opening_is_cancelled(studio: Studio, desk: Desk) -> None:
    """The answer about the job is held back, as of a file that takes long; the session goes with the cancel."""
    before = len(desk.ask("GET", "/api/welcome")["sessions"])
    running = '{"id":"j1","what":"","state":"running","share":0.4,"doing":"","seconds":1,"error":null,"answer":null}'
    answer = {"content_type": "application/json", "body": running}
    desk.page.route("**/opening", lambda route: route.fulfill(**answer))
    desk.page.route("**/jobs/*", lambda route: route.fulfill(**answer))
    desk.page.get_by_role("button", name="Adult Census Income").click()
    expect(desk.page.get_by_role("progressbar")).to_have_attribute("aria-valuenow", "40")
    desk.page.get_by_role("button", name="Cancel").click()
    desk.page.get_by_role("button", name="Choose a file").wait_for()
    desk.page.unroute_all()
    assert len(desk.ask("GET", "/api/welcome")["sessions"]) == before
