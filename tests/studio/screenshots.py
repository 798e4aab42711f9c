"""`python -m tests.studio.screenshots`: the pictures of docs/studio.md, made by a studio as it is now."""

from __future__ import annotations

import tempfile
from pathlib import Path

from tests import browser as chromium
from tests.studio.browser.desk import Desk
from tests.studio.browser.process import Studio
from tests.studio.test_opening import PEOPLE, TOWNS

FOLDER = Path(__file__).parents[2] / "docs" / "studio"
GUARDS = [
    {"kind": "k-anonymity", "k": 10, "suppression": 0.0},
    {"kind": "alpha-protection", "alpha": 1.2, "min_support": 0.05},
]
METHODS = [{"kind": "incognito"}, {"kind": "datafly"}, {"kind": "mondrian"}]
ASPIRATIONS = {"necd": 0.15, "nwp": 0.35}


def main() -> None:
    from playwright.sync_api import sync_playwright

    found = chromium.find()
    if found is None:
        raise SystemExit("no Chromium found: `make .venv/browser.stamp` puts one here")
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as name, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=found, args=chromium.FLAGS)
        studio = Studio(Path(name))
        try:
            desk = Desk(studio, browser).enter()
            take(desk, "welcome")
            join(desk, Path(name))
            session = desk.prepare("adult", GUARDS, METHODS)
            walk(desk)
            pages(desk, session)
            narrow = Desk(studio, browser, viewport={"width": 390, "height": 844}, color_scheme="dark").enter()
            narrow.show(session, "explore")
            take(narrow, "phone")
        finally:
            studio.stop()


def join(desk: Desk, folder: Path) -> None:
    """The dialog in which a further table is joined."""
    (folder / "people.csv").write_text(PEOPLE)
    (folder / "towns.csv").write_text(TOWNS.replace("name", "town"))
    made = desk.ask("POST", "/api/sessions", {"path": str(folder / "people.csv")})["id"]
    desk.show(made, "open")
    desk.page.get_by_role("button", name="Join a table").click()
    path = desk.page.get_by_role("dialog").get_by_role("textbox", name="Or a path on this machine")
    path.fill(str(folder / "towns.csv"))
    path.press("Enter")
    desk.page.get_by_text("have a partner").wait_for()
    take(desk, "join")
    desk.ask("DELETE", f"/api/sessions/{made}")


def walk(desk: Desk) -> None:
    """A walk of two steps, so that there is a path to see."""
    started = finished(desk, desk.own("POST", "/walks", {"aspirations": ASPIRATIONS, "points": 10}))
    step = {"choose": 0, "aspirations": {"necd": 0.3, "nwp": 0.25}}
    finished(desk, desk.own("POST", f"/walks/{started['id']}/step", step))


def finished(desk: Desk, job: dict[str, object]) -> dict[str, object]:
    while job["state"] == "running":
        desk.page.wait_for_timeout(200)
        job = desk.own("GET", f"/jobs/{job['id']}")
    answer = job["answer"]
    assert isinstance(answer, dict), job
    return answer


def pages(desk: Desk, session: str) -> None:
    found = desk.own("POST", "/front", {"measures": ["loss", "k"], "runs": []})
    one, other = found["knee"] or found["ids"][0], found["ids"][0]
    desk.own("PUT", "/clipboard", {"clipboard": [{"candidate": one, "note": "a good compromise"}]})
    desk.own("PUT", "/chosen", {"candidate": one})
    desk.page.reload()  # what was changed behind its back
    for perspective in ("open", "describe", "promise", "search", "steer", "release"):
        desk.show(session, perspective)
        take(desk, perspective)
    desk.show(session, f"explore?selected={one}")
    take(desk, "explore")
    desk.show(session, f"compare/{one}/{other}")
    take(desk, "compare")
    for tab in ("overview", "risk"):
        desk.show(session, f"inspect/{one}/{tab}")
        take(desk, f"inspect-{tab}")


def take(desk: Desk, name: str) -> None:
    desk.page.wait_for_load_state("networkidle")
    desk.page.wait_for_timeout(800)  # charts have drawn
    path = FOLDER / f"{name}.png"
    desk.page.screenshot(path=path)
    print(f"{path.name}: {path.stat().st_size // 1000} kB")


if __name__ == "__main__":
    main()
