"""The studio as its user meets it: how long one waits, in a real browser.

Goals on an idle machine: the first screen within 1 s of the command, a click on a point within 100 ms with thousands of
candidates loaded, a whole lattice (27,000 nodes of Adult, 115,200 of nine columns of codes) within 0.3 s, a file of a
million rows within 5 s, and at most 600 MB for the server after each.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from tests import browser as chromium
from tests.studio.browser.desk import Desk
from tests.studio.browser.process import Studio

ROWS = 1_000_000
TIMES = 5
CODE_LENGTHS = (4, 4, 3, 3, 3, 3, 2, 2, 1)
"""Digits of the columns of codes: 115,200 generalizations."""
# From the release of the pointer to the first frame in which the page has changed.
STOPWATCH = """selector => {
    let from = 0;
    addEventListener("pointerup", () => { from = performance.now(); }, {capture: true, once: true});
    window.took = new Promise(done => {
        const watch = new MutationObserver(() => {
            if (!from) return;
            watch.disconnect();
            requestAnimationFrame(() => setTimeout(() => done(performance.now() - from)));
        });
        const all = {subtree: true, childList: true, characterData: true, attributes: true};
        watch.observe(document.querySelector(selector), all);
    });
}"""


def main() -> None:
    from playwright.sync_api import sync_playwright

    found = chromium.find()
    if found is None:
        raise SystemExit("no Chromium found: `make .venv/browser.stamp` puts one here")
    with tempfile.TemporaryDirectory() as name, sync_playwright() as driver:
        folder = Path(name)
        browser = driver.chromium.launch(executable_path=found, args=chromium.FLAGS)
        print(f"first screen after the command: {first_screen(folder, browser):.2f} s (goal 1 s)")
        studio = Studio(folder / "state")
        try:
            desk = Desk(studio, browser).enter()
            guards = [{"kind": "k-anonymity", "k": 10, "suppression": 0.02}]
            desk.prepare("adult", guards, [{"kind": "incognito"}])
            candidates, click = a_click(desk)
            print(f"click on a point, {candidates:,} candidates loaded: {click:.0f} ms (goal 100 ms)")
            nodes, drawn = the_lattice(desk)
            print(f"lattice of {nodes:,} nodes laid out and drawn: {drawn:.0f} ms (goal 300 ms)")
            print(f"memory of the server: {megabytes(studio):,.0f} MB at most (goal 600 MB)")
            print(f"a file of {ROWS:,} rows opens: {a_large_file(desk, folder):.2f} s (goal 5 s)")
            print(f"memory of the server: {megabytes(studio):,.0f} MB at most (goal 600 MB)")
        finally:
            studio.stop()
        studio = Studio(folder / "wide")
        try:
            desk = Desk(studio, browser).enter()
            open_codes(desk, folder / "codes.csv")
            desk.go("Explore")
            nodes, drawn = the_lattice(desk)
            print(f"lattice of {nodes:,} nodes laid out and drawn: {drawn:.0f} ms (goal 300 ms)")
            print(f"memory of the server: {megabytes(studio):,.0f} MB at most (goal 600 MB)")
        finally:
            studio.stop()


def megabytes(studio: Studio) -> float:
    """The most memory that the server has had, in MB."""
    lines = Path(f"/proc/{studio.process.pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1000


def open_codes(desk: Desk, path: Path) -> None:
    """A session with nine columns of codes whose digits are masked one by one, searched."""
    chance = np.random.default_rng(0)
    columns = [[f"{code:0{length}d}" for code in chance.integers(0, 10**length, 5000)] for length in CODE_LENGTHS]
    names = [f"code_{number}" for number in range(len(columns))]
    lines = [",".join(names), *(",".join(row) for row in zip(*columns, strict=True))]
    path.write_text("\n".join(lines), encoding="ascii")
    made = desk.ask("POST", "/api/sessions", {"path": str(path), "options": {"text": names}})["id"]
    own = f"/api/sessions/{made}"
    desk.ask("PUT", f"{own}/roles", {"roles": {name: ["quasi"] for name in names}})
    for name, length in zip(names, CODE_LENGTHS, strict=True):
        desk.ask("PUT", f"{own}/hierarchy?column={name}", {"spec": {"kind": "mask", "length": length}})
    desk.ask("PUT", f"{own}/guards", {"guards": [{"kind": "k-anonymity", "k": 10, "suppression": 0.02}]})
    desk.ask("PUT", f"{own}/settings", {"methods": [{"kind": "incognito"}]})
    run = desk.ask("POST", f"{own}/runs", {})["id"]
    desk.show(made, "search")
    desk.finished(run)


def first_screen(folder: Path, browser: Any) -> float:
    """The command in a fresh process, until its first page is there in a browser that runs."""
    took = []
    for attempt in range(3):
        began = time.perf_counter()
        studio = Studio(folder / f"first-{attempt}")
        try:
            desk = Desk(studio, browser).enter()
            took.append(time.perf_counter() - began)
            desk.context.close()
        finally:
            studio.stop()
    return median(took)


def a_click(desk: Desk) -> tuple[int, float]:
    """Clicks all over the scatter; those that select another point count."""
    desk.go("Explore")
    chart = desk.page.get_by_role("application", name="candidates by")
    chart.wait_for()
    desk.page.wait_for_load_state("networkidle")
    box = chart.bounding_box()
    assert box
    places = [
        (box["x"] + box["width"] * x / 10, box["y"] + box["height"] * y / 10) for x in range(2, 10) for y in range(2, 9)
    ]
    before, took = None, []
    desk.page.mouse.click(*places[len(places) // 2])
    for place in places:
        desk.page.evaluate(STOPWATCH, "main")
        desk.page.mouse.click(*place)
        now = desk.page.url
        if now != before:
            took.append(desk.page.evaluate("window.took"))
        before = now
    return len(desk.own("GET", "/candidates")["id"]), median(took)


def the_lattice(desk: Desk) -> tuple[int, float]:
    """The box that adds the nodes which keep nothing: the whole lattice is laid out and drawn anew."""
    box = desk.page.get_by_role("checkbox", name="Show nodes that are neither")
    box.wait_for(state="attached")
    took = []
    for _ in range(TIMES):
        desk.page.evaluate(STOPWATCH, ".lattice")
        box.locator("xpath=ancestor::label").click()
        took.append(desk.page.evaluate("window.took"))
        box.locator("xpath=ancestor::label").click()
    run = desk.own("GET", "")["runs"][0]["id"]
    return desk.own("GET", f"/runs/{run}/lattice")["size"], median(took)


def a_large_file(desk: Desk, folder: Path) -> float:
    """A CSV by its path, until its first rows and facts of its columns are shown."""
    path = folder / "people.csv"
    people(path)
    desk.page.goto(desk.studio.root + "#/")
    desk.page.get_by_role("textbox", name="Or a path on this machine").fill(str(path))
    began = time.perf_counter()
    desk.page.get_by_role("button", name="Open", exact=True).click()
    desk.page.get_by_role("cell", name="town-").first.wait_for(timeout=60_000)
    return time.perf_counter() - began


def people(path: Path) -> None:
    import pyarrow as pa
    from pyarrow import csv

    chance = np.random.default_rng(0)
    town = np.char.add("town-", chance.integers(0, 400, ROWS).astype(str))
    columns = {
        "age": chance.integers(16, 95, ROWS),
        "town": town,
        "sex": chance.choice(["f", "m"], ROWS),
        "children": chance.poisson(1.3, ROWS),
        "income": chance.lognormal(10, 0.6, ROWS).round(0),
        "job": chance.choice([f"job-{i}" for i in range(60)], ROWS),
        "denied": chance.choice(["yes", "no"], ROWS),
    }
    csv.write_csv(pa.table(columns), path)


if __name__ == "__main__":
    main()
