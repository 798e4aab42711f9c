"""From a file to a verified release: by mouse, and by keyboard alone."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from playwright.sync_api import expect

from fairveil import cli
from tests.studio.browser.desk import Desk

LONG = 60_000


def test_from_adult_to_a_verified_release(desk: Desk, tmp_path: Path) -> None:
    page = desk.page
    desk.open_example("Adult")
    set_role(desk, "marital-status", "protected")
    promise(desk, "k-anonymity", {"k": "10"})
    promise(desk, "α-protection", {"Alpha": "1.2"})
    search(desk, "datafly")
    page.reload()  # the page forgets nothing
    desk.go("Explore")
    first = click_on_the_frontier(desk)
    selected_in_the_lattice(desk, first)
    selected_in_the_table(desk, first)
    page.get_by_role("button", name="Keep on clipboard").click()
    second = pick_in_the_table(desk, first)
    selected_in_the_lattice(desk, second)
    page.get_by_role("button", name="Keep on clipboard").click()
    clips = page.get_by_role("list", name="Kept candidates")
    expect(clips.get_by_role("listitem")).to_have_count(2)
    clips.get_by_role("textbox", name=f"Note on {first}").fill("the modest one")
    for id in (first, second):
        desk.tick(clips.get_by_role("checkbox", name=f"Compare {id}"))
    page.get_by_role("button", name="Compare the two").click()
    compared(desk, first, second)
    assert {"candidate": first, "note": "the modest one"} in desk.own("GET", "")["document"]["clipboard"]
    steer(desk)
    desk.go("Explore")
    pick_in_the_table(desk, None)
    page.get_by_role("button", name="Release this").click()
    export(desk, tmp_path / "release")


def test_the_same_by_keyboard_alone(desk: Desk, tmp_path: Path) -> None:
    """Only Tab, arrows, Enter, space and letters. `reach` presses Tab until the control that is meant has the focus."""
    page = desk.page
    press(desk, "button", re.compile("^Adult"))
    page.get_by_role("navigation", name="Perspectives").wait_for()
    follow(desk, "Describe")
    reach(desk, "button", re.compile("^Role of marital-status"))
    page.keyboard.press("Enter")
    page.keyboard.type("Prot")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name=re.compile("^Role of marital-status: (?!.*rotected)"))).to_be_attached()
    page.keyboard.press("Escape")
    for kind, field, value in (("k-anonymity", "k", "10"), ("α-protection", "Alpha", "1.2")):
        follow(desk, "Promise")
        press(desk, "button", "Add a promise")
        press(desk, "button", re.compile(f"^{kind}"))
        page.get_by_role("region", name=kind).wait_for()
        reach(desk, "textbox", f"{field}, exactly", inside=kind)
        page.keyboard.press("Control+a")
        page.keyboard.type(value)
        page.keyboard.press("Tab")
    promised(desk)
    follow(desk, "Search")
    reach(desk, "checkbox", re.compile("Datafly"))
    page.keyboard.press("Space")
    expect(page.get_by_role("checkbox", name=re.compile("Datafly"))).to_be_checked()
    press(desk, "button", re.compile("^Run"))
    page.get_by_role("button", name=re.compile("^Delete Run")).wait_for()
    desk.finished()
    follow(desk, "Explore")
    reach(desk, "application", re.compile("candidates by"))
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    first = selected(desk)
    assert first in frontier(desk)
    selected_in_the_lattice(desk, first)
    press(desk, "button", "Keep on clipboard")
    reach(desk, "application", re.compile("^Lattice"))
    page.keyboard.press("m")  # the next minimal one
    page.keyboard.press("Enter")
    second = selected(desk)
    assert second != first
    press(desk, "button", "Keep on clipboard")
    for id in (first, second):
        reach(desk, "checkbox", f"Compare {id}")
        page.keyboard.press("Space")
    press(desk, "button", "Compare the two")
    compared(desk, first, second)
    follow(desk, "Steer")
    reach(desk, "slider", "Goal")
    before = page.get_by_role("slider", name="Goal", exact=True).get_attribute("aria-valuetext")
    page.keyboard.press("ArrowRight")
    assert page.get_by_role("slider", name="Goal", exact=True).get_attribute("aria-valuetext") != before
    press(desk, "button", "Find solutions")
    page.get_by_role("button", name="Solution 1", exact=True).wait_for(timeout=LONG)
    press(desk, "button", "Solution 1")
    press(desk, "button", "Continue from here")
    expect(page.get_by_role("list", name="Steps of the walk").get_by_role("listitem")).to_have_count(2, timeout=LONG)
    follow(desk, "Explore")
    reach(desk, "grid", "Candidates")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    press(desk, "button", "Release this")
    page.get_by_role("heading", name="Release", level=1).wait_for()
    reach(desk, "radio", "Download a zip")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")
    reach(desk, "textbox", "Folder on this machine")
    page.keyboard.type(str(tmp_path / "release"))
    press(desk, "button", "Publish and verify")
    verified(desk, tmp_path / "release")


# the steps


def set_role(desk: Desk, column: str, role: str) -> None:
    """Takes a role of a column away and sees it gone."""
    desk.go("Describe")
    desk.page.get_by_role("button", name=re.compile(f"^Role of {column}:")).click()
    desk.page.get_by_role("menuitemcheckbox", name=re.compile(role, re.I)).click()
    expect(desk.page.get_by_role("button", name=re.compile(f"^Role of {column}: (?!.*rotected)"))).to_be_visible()
    assert role not in desk.own("GET", "")["document"]["roles"][column]


def promise(desk: Desk, kind: str, settings: dict[str, str]) -> None:
    desk.go("Promise")
    desk.page.get_by_role("button", name="Add a promise").click()
    desk.page.get_by_role("dialog").get_by_role("button", name=re.compile(f"^{kind}")).click()
    card = desk.page.get_by_role("region", name=kind)
    for field, value in settings.items():
        box = card.get_by_role("textbox", name=f"{field}, exactly")
        box.fill(value)
        box.press("Tab")


def promised(desk: Desk) -> None:
    for _ in range(50):
        guards = {guard["kind"]: guard for guard in desk.own("GET", "")["document"]["guards"]}
        if guards.get("k-anonymity", {}).get("k") == 10 and guards.get("alpha-protection", {}).get("alpha") == 1.2:
            return
        desk.page.wait_for_timeout(50)
    raise AssertionError(guards)


def search(desk: Desk, method: str) -> None:
    """Runs incognito, which is ticked, and another; candidates are there while or once it runs."""
    promised(desk)
    desk.go("Search")
    desk.tick(desk.page.get_by_role("checkbox", name=re.compile(method, re.I)))
    desk.page.get_by_role("button", name=re.compile("^Run")).click()
    expect(desk.page.get_by_text(re.compile(r"\d+ candidates?")).first).to_be_visible(timeout=LONG)
    head = desk.finished()
    assert head["found"] > 100 and [spec["kind"] for spec in head["methods"]] == ["incognito", method]


def frontier(desk: Desk) -> list[str]:
    across, up = (desk.page.get_by_role("button", name=name).inner_text() for name in axes(desk))
    named = {measure["title"]: measure["name"] for measure in desk.ask("GET", "/api/catalog")["measures"]}
    ids: list[str] = desk.own("POST", "/front", {"measures": [named[across], named[up]], "runs": []})["ids"]
    return ids


def axes(desk: Desk) -> list[Any]:
    return [re.compile("Horizontal$"), re.compile("Vertical$")]


def click_on_the_frontier(desk: Desk) -> str:
    """Points are pixels of a canvas: click in a raster until one on the frontier is hit."""
    chart = desk.page.get_by_role("application", name=re.compile("candidates by"))
    chart.wait_for()
    wanted, box = set(frontier(desk)), chart.bounding_box()
    assert box and wanted
    for row in range(2, 18):
        for column in range(3, 20):
            chart.click(position={"x": box["width"] * column / 20, "y": box["height"] * row / 20})
            bar = desk.page.get_by_role("region", name="Selected candidate")
            if bar.count() and selected(desk) in wanted:
                return selected(desk)
    raise AssertionError("no point of the frontier can be clicked")


def selected(desk: Desk) -> str:
    text = desk.page.get_by_role("region", name="Selected candidate").locator("strong").inner_text()
    return text.split()[0]


def selected_in_the_lattice(desk: Desk, id: str) -> None:
    columns = desk.own("GET", "/candidates")
    place = columns["id"].index(id)
    words = ", ".join(
        f"{name} {levels[place]} of {columns['heights'][name]}" for name, levels in columns["levels"].items()
    )
    expect(desk.page.get_by_role("list", name="Selected in the lattice")).to_contain_text(
        f"{words}: keeps every promise"
    )


def selected_in_the_table(desk: Desk, id: str) -> None:
    row = desk.page.get_by_role("grid", name="Candidates").get_by_role("row", selected=True)
    expect(row).to_contain_text(id)


def pick_in_the_table(desk: Desk, other_than: str | None) -> str:
    rows = desk.page.get_by_role("grid", name="Candidates").get_by_role("row", selected=False)
    rows.filter(has_text=re.compile("Incognito")).nth(1).click()
    expect(desk.page.get_by_role("region", name="Selected candidate")).to_be_visible()
    id = selected(desk)
    assert id != other_than
    return id


def compared(desk: Desk, one: str, other: str) -> None:
    page = desk.page
    page.get_by_role("heading", name="Compare", level=1).wait_for()
    table = page.get_by_role("region", name="Measures of both candidates")
    for id in (one, other):
        expect(table.get_by_role("columnheader", name=id)).to_be_visible()
    answer = desk.own("GET", f"/compare?one={one}&other={other}")
    names = [column["name"] for column, _ in answer["columns"]]
    shown = page.get_by_role("region", name="Columns of both candidates").get_by_role("rowheader")
    expect(shown).to_have_count(len(names))


def steer(desk: Desk) -> None:
    """One step, a turn, and another step; then back."""
    page = desk.page
    desk.go("Steer")
    plane = page.get_by_role("group", name="Plane of loss of detail and highest risk")
    box = plane.bounding_box()
    assert box
    page.mouse.move(box["x"] + box["width"] * 0.6, box["y"] + box["height"] * 0.6)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 0.35, box["y"] + box["height"] * 0.7, steps=4)
    page.mouse.up()
    goal = page.get_by_role("slider", name="Goal", exact=True).get_attribute("aria-valuetext")
    page.get_by_role("button", name="Find solutions").click()
    page.get_by_role("button", name="Solution 1", exact=True).click(timeout=LONG)
    page.get_by_role("button", name="Continue from here").click()
    steps = page.get_by_role("list", name="Steps of the walk").get_by_role("listitem")
    expect(steps).to_have_count(2, timeout=LONG)
    expect(steps.first).to_contain_text(str(goal))
    page.get_by_role("button", name="Go back to step 1").click()
    expect(steps).to_have_count(1)


def export(desk: Desk, folder: Path) -> None:
    page = desk.page
    page.get_by_role("heading", name="Release", level=1).wait_for()
    page.get_by_role("radio", name=re.compile("folder", re.I)).click()
    page.get_by_role("textbox", name="Folder on this machine").fill(str(folder))
    page.get_by_role("button", name="Publish and verify").click()
    verified(desk, folder)


def verified(desk: Desk, folder: Path) -> None:
    published = desk.page.get_by_role("region", name="Published")
    expect(published).to_contain_text("every promise holds", timeout=LONG)
    assert cli.run(["verify", str(folder)]) == 0


# the keyboard

FOCUSED = "element => element.isConnected ? element === document.activeElement : null"


def reach(desk: Desk, role: str, name: Any, inside: str | None = None) -> None:
    """Tab until it has the focus."""
    where = desk.page.get_by_role("region", name=inside) if inside else desk.page
    target = where.get_by_role(role, name=name, exact=isinstance(name, str)).first
    target.wait_for(state="attached")
    element = target.element_handle()  # finding it by its role again for every Tab would take most of the time
    for _ in range(250):
        focused = element.evaluate(FOCUSED)
        if focused is None:  # it was drawn anew
            element = target.element_handle()
            focused = element.evaluate(FOCUSED)
        if focused:
            desk.page.keyboard.up("Tab")
            return
        desk.page.keyboard.down("Tab")  # held down: it goes on with every further one
    raise AssertionError(f"Tab does not reach {role} {name}")


def press(desk: Desk, role: str, name: Any) -> None:
    reach(desk, role, name)
    desk.page.keyboard.press("Enter")


def follow(desk: Desk, perspective: str) -> None:
    reach(desk, "link", re.compile(f"^{perspective}"))
    desk.page.keyboard.press("Enter")
    link = desk.page.get_by_role("link", name=re.compile(f"^{perspective}")).first
    expect(link).to_have_attribute("aria-current", "page")
