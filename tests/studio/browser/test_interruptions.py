"""What must survive: a reload, another tab, a restart of the server, a run that is stopped."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from urllib.parse import urlsplit

from playwright.sync_api import expect

from tests.studio.browser.desk import Desk
from tests.studio.browser.process import Studio

GUARDS = [{"kind": "k-anonymity", "k": 3, "suppression": 0.2}]


def test_a_restart_of_the_server_loses_nothing(own_studio: Studio, sit: Callable[..., Desk]) -> None:
    desk = sit(own_studio)
    session = desk.prepare("credit_decisions", GUARDS, [{"kind": "incognito"}, {"kind": "datafly"}])
    desk.go("Explore")
    desk.page.get_by_role("grid", name="Candidates").get_by_role("row", selected=False).nth(1).click()
    desk.page.get_by_role("button", name="Keep on clipboard").click()
    expect(desk.page.get_by_role("list", name="Kept candidates").get_by_role("listitem")).to_have_count(1)
    before = (desk.own("GET", "")["document"], desk.own("GET", "/candidates"))
    own_studio.restart()
    desk.page.goto(own_studio.address)  # a new key
    desk.show(session, "explore")
    expect(desk.page.get_by_role("list", name="Kept candidates").get_by_role("listitem")).to_have_count(1)
    assert (desk.own("GET", "")["document"], desk.own("GET", "/candidates")) == before
    desk.page.get_by_role("application", name=re.compile("candidates by")).wait_for()
    desk.forgive("ERR_CONNECTION")  # while it was down
    desk.forgive("401")  # with the old key


def test_a_reload_keeps_the_selection_and_a_second_tab_sees_the_same_session(desk: Desk) -> None:
    desk.prepare("credit_decisions", GUARDS, [{"kind": "incognito"}])
    desk.go("Explore")
    desk.page.get_by_role("grid", name="Candidates").get_by_role("row", selected=False).nth(1).click()
    bar = desk.page.get_by_role("region", name="Selected candidate")
    said = bar.inner_text()
    desk.page.reload()
    expect(bar).to_be_visible()
    assert bar.inner_text() == said
    other = desk.context.new_page()
    other.goto(desk.page.url)
    expect(other.get_by_role("region", name="Selected candidate")).to_be_visible()
    bar.get_by_role("button", name="Keep on clipboard").click()
    expect(desk.page.get_by_role("list", name="Kept candidates").get_by_role("listitem")).to_have_count(1)
    other.reload()
    expect(other.get_by_role("list", name="Kept candidates").get_by_role("listitem")).to_have_count(1)


def test_a_running_search_is_polled_without_fetching_the_session(desk: Desk) -> None:
    made = desk.ask("POST", "/api/sessions", {"dataset": "adult"})["id"]
    own = f"/api/sessions/{made}"
    desk.ask("PUT", f"{own}/guards", {"guards": [{"kind": "k-anonymity", "k": 10}]})
    desk.ask("PUT", f"{own}/settings", {"methods": [{"kind": "preferences", "evaluations": 10_000_000}]})
    desk.show(made, "describe")  # where nothing but the session is polled
    run = desk.ask("POST", f"{own}/runs", {})["id"]
    desk.page.reload()
    desk.settled()
    paths: list[str] = []
    desk.page.on("request", lambda request: paths.append(urlsplit(request.url).path))
    for _ in range(100):
        if paths.count(f"{own}/pulse") >= 4:
            break
        desk.page.wait_for_timeout(100)
    assert set(paths) == {f"{own}/pulse"}
    assert len(json.dumps(desk.own("GET", "/pulse"))) < 500
    desk.own("PUT", "/settings", {"name": "changed in another tab"})
    expect(desk.page.get_by_role("button", name=re.compile("changed in another tab"))).to_be_visible()
    desk.own("POST", f"/runs/{run}/cancel")


def test_a_run_is_cancelled_and_can_be_started_again(desk: Desk) -> None:
    made = desk.ask("POST", "/api/sessions", {"dataset": "adult"})["id"]
    own = f"/api/sessions/{made}"
    desk.ask("PUT", f"{own}/guards", {"guards": [{"kind": "k-anonymity", "k": 10}]})
    desk.ask("PUT", f"{own}/settings", {"methods": [{"kind": "preferences", "evaluations": 10_000_000}]})
    desk.show(made, "search")
    desk.page.get_by_role("button", name=re.compile("^Run")).click()
    desk.page.get_by_role("button", name="Cancel").click()
    desk.finished(state="cancelled")
    expect(desk.page.get_by_role("button", name="Start again")).to_be_visible()
    expect(desk.page.get_by_text(re.compile("cancelled", re.I)).first).to_be_visible()
