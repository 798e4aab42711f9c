"""Files that mean harm, and requests that come from elsewhere."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import expect

from tests.studio.browser.desk import Desk
from tests.studio.browser.process import Studio

HOSTILE = [
    "<script>window.hit = 1</script>",
    "<img src=x onerror='window.hit = 1'>",
    '"><svg onload="window.hit=1">',
    "\u202egnp.exe\u202c",
    "{{7*7}} ${7*7}",
    "javascript:window.hit=1",
]


def upload(desk: Desk, path: Path) -> None:
    with desk.page.expect_file_chooser() as chooser:
        desk.page.get_by_role("button", name="Choose a file").click()
    chooser.value.set_files(path)


def test_a_broken_file_is_refused_in_one_sentence(desk: Desk, tmp_path: Path) -> None:
    (tmp_path / "broken.parquet").write_bytes(b"PAR1 this is no parquet file PAR1")
    upload(desk, tmp_path / "broken.parquet")
    alert = desk.page.get_by_role("main").get_by_role("alert")
    expect(alert).to_contain_text("truncated, or is not a Parquet file")
    desk.forgive("400")
    assert "Traceback" not in desk.page.content()
    assert desk.page.get_by_role("button", name="Choose a file").is_enabled()


def test_values_and_names_never_become_markup(desk: Desk, tmp_path: Path) -> None:
    quoted = ['"' + value.replace('"', '""') + '"' for value in HOSTILE]
    header = '"<b onclick=window.hit=1>name</b>",group,"denied"'
    lines = [f"{value},{i % 2},{'no' if i % 3 else 'yes'}" for _ in range(4) for i, value in enumerate(quoted)]
    path = tmp_path / "<img src=x onerror=window.hit=1>.csv"
    path.write_text("\n".join([header, *lines]) + "\n")
    upload(desk, path)
    desk.page.get_by_role("navigation", name="Perspectives").wait_for()
    expect(desk.page.get_by_text(HOSTILE[0]).first).to_be_visible()
    own = f"/api/sessions/{desk.session}"
    column = "<b onclick=window.hit=1>name</b>"
    desk.ask(
        "PUT", f"{own}/roles", {"roles": {column: ["quasi"], "group": ["quasi", "protected"], "denied": ["decision"]}}
    )
    desk.ask("PUT", f"{own}/denied", {"denied": ["yes"]})
    desk.ask("PUT", f"{own}/guards", {"guards": [{"kind": "k-anonymity", "k": 2}]})
    desk.ask("PUT", f"{own}/settings", {"methods": [{"kind": "incognito"}, {"kind": "mondrian"}]})
    run = desk.ask("POST", f"{own}/runs", {})["id"]
    desk.finished(run)
    candidate = desk.own("GET", "/candidates")["id"][-1]
    for perspective in ("Open", "Describe", "Promise", "Search", "Explore", "Steer"):
        desk.go(perspective)
    for tab in ("overview", "rows", "columns", "risk", "rules", "attacks"):
        desk.show(desk.session, f"inspect/{candidate}/{tab}")
    expect(desk.page.get_by_role("heading", level=1)).to_be_visible()
    assert desk.page.evaluate("window.hit") is None
    assert desk.page.locator("main script, main img, main b, main svg[onload]").count() == 0


def test_a_second_session_does_not_see_the_first(desk: Desk, sit: Callable[..., Desk], studio: Studio) -> None:
    first = desk.ask("POST", "/api/sessions", {"dataset": "credit_decisions"})["id"]
    second = desk.ask("POST", "/api/sessions", {"dataset": "employee_codes"})["id"]
    desk.show(second, "open")
    expect(desk.page.get_by_role("button", name=re.compile("Employee codes"))).to_be_visible()
    assert "emp" in desk.own("GET", "")["columns"]
    assert desk.ask("GET", f"/api/sessions/{first}")["columns"] != desk.ask("GET", f"/api/sessions/{second}")["columns"]
    # whoever has not the key sees neither
    for path in ("/api/welcome", f"/api/sessions/{first}", f"/api/sessions/{second}/rows?offset=0&limit=5"):
        assert httpx.get(studio.root + path[1:]).status_code == 401


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "evil.example"},
        {"Host": "127.0.0.1.evil.example:{port}"},
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:1"},
    ],
)
def test_a_foreign_host_or_origin_is_refused(studio: Studio, headers: dict[str, str]) -> None:
    """With the right key, and for reading as for writing."""
    sent = {name: value.replace("{port}", str(studio.port)) for name, value in headers.items()}
    with httpx.Client(base_url=studio.root) as client:
        client.get(studio.address)
        assert client.get("/api/welcome").status_code == 200
        assert client.get("/api/welcome", headers=sent).status_code == 403
        assert client.post("/api/sessions", json={"dataset": "credit_decisions"}, headers=sent).status_code == 403


def test_another_sites_page_gets_nothing(desk: Desk, sit: Callable[..., Desk], studio: Studio) -> None:
    """A page of another origin in the same browser, which has the cookie."""
    page = desk.context.new_page()
    page.goto("data:text/html,<title>elsewhere</title>")
    told = page.evaluate(
        "url => fetch(url, {credentials: 'include', mode: 'no-cors'}).then(r => r.type + r.status, e => 'refused')",
        f"{studio.root}api/welcome",
    )
    assert told in ("opaque0", "refused")
    page.close()
