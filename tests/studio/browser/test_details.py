"""What is not on the straight way: hierarchies of every kind, dangers, signatures, releases that stay known, ranges."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from playwright.sync_api import expect

from fairveil import cli
from tests.studio.browser.desk import Desk
from tests.studio.browser.test_strangers import upload

CODES = ("E11.9", "E66", "I10", "I21.4", "M54.5", "M10")
DECIDED = ("no", "yes", "yes", "yes")
TOWNS = ("Rome", "Bari", "Turin", "Milan", "Pisa", "Lecce", "Como")


@pytest.fixture
def patients(desk: Desk, tmp_path: Path) -> Desk:
    """A file of patients, open, with the suggested roles."""
    lines = [
        f"p{i}@example.org;{CODES[i % 6]};{TOWNS[i % 7 if i % 3 else 0]};{20 + i % 50};{i * 7 % 900},5;{DECIDED[i % 4]}"
        for i in range(240)
    ]
    path = tmp_path / "patients.csv"
    path.write_text("\n".join(["mail;code;town;age;paid;approved", *lines]) + "\n")
    upload(desk, path)
    desk.page.get_by_text("HIPAA Safe Harbor: e-mail addresses").wait_for()
    desk.page.get_by_role("button", name="Accept all suggestions").click()
    desk.page.get_by_text("every column has a role").wait_for()
    return desk


KINDS = (
    ("code", "Prefixes", "prefixes"),
    ("age", "Top and bottom coding", "top-code"),
    ("town", "Frequent values", "frequent"),
    ("town", "Ordered groups", "grouping"),
    ("town", "Suggested", "tree"),
    ("town", "Learned from the data", "tree"),
)


def test_a_file_is_uploaded_with_reading_options(desk: Desk, tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_text("age;sex,job\n31;F,cook\n40;M,clerk\n")
    desk.page.get_by_role("button", name="Reading options").click()
    for label in ("Delimiter", "Encoding", "Decimal separator"):
        expect(desk.page.get_by_role("button", name=label)).to_contain_text("Detect automatically")
    desk.page.get_by_role("button", name="Delimiter").click()
    desk.page.get_by_role("option", name="Semicolon").click()
    upload(desk, tmp_path / "people.csv")
    desk.page.get_by_role("navigation", name="Perspectives").wait_for()
    opened = desk.own("GET", "")
    assert opened["columns"] == ["age", "sex,job"] and opened["document"]["source"]["options"] == {"separator": ";"}
    expect(desk.page.get_by_role("button", name="Delimiter")).to_contain_text("Semicolon")


def test_hierarchies_are_built_exported_and_imported(patients: Desk) -> None:
    patients.own("PUT", "/roles", {"roles": {"code": ["quasi"], "age": ["quasi"], "town": ["quasi"]}})
    for column in ("code", "age", "town"):  # without those that were suggested
        patients.own("PUT", f"/hierarchy?column={column}", {"spec": None})
    patients.page.reload()
    for column, kind, made in KINDS:
        patients.show(patients.session, f"describe/{column}")
        there_and_back(patients, column, kind, made)


def there_and_back(desk: Desk, column: str, kind: str, made: str) -> None:
    page = desk.page
    panel = page.get_by_role("region", name="Hierarchy", exact=True)
    panel.get_by_role("button", name="Build", exact=True).click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("radio", name=kind, exact=True).click()
    dialog.get_by_role("region", name="Levels").wait_for()
    dialog.get_by_role("button", name="Use this hierarchy").click()
    expect(page.get_by_role("treegrid", name=f"Hierarchy of {column}")).to_be_visible()
    assert desk.own("GET", "")["document"]["hierarchies"][column]["kind"] == made
    nodes = desk.own("GET", f"/hierarchy?column={column}")["nodes"]
    with page.expect_download() as download:
        panel.get_by_role("link", name="Export").click()
    text = Path(download.value.path()).read_text()
    panel.get_by_role("button", name="Remove").click()
    expect(panel.get_by_text("No hierarchy yet")).to_be_visible()
    panel.get_by_role("button", name="Import").click()
    dialog.get_by_role("textbox", name="Or paste it").fill(text)
    dialog.get_by_role("button", name="Import").click()
    expect(page.get_by_role("treegrid", name=f"Hierarchy of {column}")).to_be_visible()
    assert desk.own("GET", f"/hierarchy?column={column}")["nodes"] == nodes
    panel.get_by_role("button", name="Remove").click()
    expect(panel.get_by_text("No hierarchy yet")).to_be_visible()


def test_dangers_are_accepted_and_a_signed_release_stays_known(patients: Desk, tmp_path: Path) -> None:
    desk, page, folder, key = patients, patients.page, tmp_path / "signed", tmp_path / "key"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(key)], check=True)
    desk.own("PUT", "/roles", {"roles": {"paid": ["plain"], "age": ["quasi"], "code": ["plain"], "town": ["quasi"]}})
    desk.own("PUT", "/guards", {"guards": [{"kind": "k-anonymity", "k": 3}]})
    desk.own("PUT", "/settings", {"methods": [{"kind": "incognito"}]})
    desk.finished(desk.own("POST", "/runs", {})["id"])
    desk.page.reload()  # it has not seen what was changed beside it
    desk.show(desk.session, "release")
    page.get_by_role("button", name=re.compile("^Choose the best")).click()
    page.get_by_role("radio", name="A folder").click()
    page.get_by_role("textbox", name="Folder on this machine").fill(str(folder))
    page.get_by_role("button", name="Sign the release").click()
    page.get_by_role("textbox", name="Private key on this machine").fill(str(key))
    page.get_by_role("button", name="Publish and verify").click()
    danger = page.get_by_role("group", name="Dangers").get_by_role(
        "checkbox", name=re.compile("people singled out", re.I)
    )
    expect(danger).not_to_be_checked()
    assert not folder.exists()
    repairs = page.get_by_role("list", name=re.compile("^Repairs of"))
    page.get_by_role("button", name=re.compile("^Show repairs")).first.press("Enter")
    expect(repairs.first.get_by_text("repairs it").first).to_be_visible()
    desk.audit()
    desk.tick(danger)
    page.get_by_role("button", name="Publish and verify").click()
    published = page.get_by_role("region", name="Published", exact=True)
    expect(published).to_contain_text("every promise holds")
    page.reload()
    expect(published).to_contain_text(str(folder))
    expect(published).to_contain_text("evidence.json.sig")
    signers = tmp_path / "signers"
    signers.write_text(f"me@example.org {' '.join((tmp_path / 'key.pub').read_text().split()[:2])}\n")
    assert cli.run(["verify", str(folder), "--signer", f"{signers}:me@example.org"]) == 0


def test_a_range_of_rows_is_selected_the_frontier_zoomed_and_a_run_deleted(desk: Desk) -> None:
    page = desk.page
    guards = [{"kind": "k-anonymity", "k": 2, "suppression": 0.2}]
    desk.prepare("credit_decisions", guards, [{"kind": "incognito"}, {"kind": "mdav"}])
    desk.go("Explore")
    expect(page.get_by_role("list", name="Methods")).to_contain_text("(MDAV) (averages)")
    rows = page.get_by_role("grid", name="Candidates").get_by_role("row")
    rows.nth(1).click()
    rows.nth(4).click(modifiers=["Shift"])
    expect(page.get_by_role("region", name="Selected candidate")).to_contain_text("4 candidates")
    rows.nth(2).click(modifiers=["Control"])
    expect(page.get_by_role("region", name="Selected candidate")).to_contain_text("3 candidates")
    assert page.evaluate("String(getSelection())") == ""
    rows.nth(1).click()
    chart = page.get_by_role("application", name=re.compile("candidates by"))
    whole = chart.screenshot()
    tools = page.get_by_role("group", name="Zoom of the frontier")
    tools.get_by_role("button", name="Zoom in").click()
    expect(tools.get_by_role("button", name="Zoom in")).to_be_focused()
    assert chart.screenshot() != whole
    chart.focus()
    page.keyboard.press("0")
    page.keyboard.press("+")
    assert chart.screenshot() != whole
    desk.go("Search")
    page.get_by_role("button", name=re.compile("^Delete Run 1")).click()
    expect(page.get_by_role("button", name=re.compile("^Delete Run 1"))).to_have_count(0)
    page.get_by_role("button", name=re.compile("^Undo")).click()
    expect(page.get_by_role("button", name=re.compile("^Delete Run 1"))).to_be_visible()


def test_people_and_key_sets_by_form(desk: Desk) -> None:
    page = desk.page
    desk.open_example("Credit")
    desk.go("Describe")
    page.get_by_role("button", name=re.compile("What is known of the population$")).click()
    page.get_by_role("option", name="Its number of people").click()
    page.get_by_role("textbox", name="People in the population").fill("500")
    page.keyboard.press("Tab")
    expect(page.get_by_role("textbox", name="People in the population")).to_have_value("500")
    desk.go("Promise")
    page.get_by_role("button", name="Start with k-anonymity").click()
    page.get_by_role("button", name="More settings").click()
    page.get_by_role("button", name="Add a set of columns").click()
    desk.tick(page.get_by_role("group", name="Set 1").get_by_role("checkbox", name="Sex"))
    page.get_by_role("textbox", name="k of set 1").fill("3")
    page.keyboard.press("Tab")
    desk.audit()
    page.get_by_role("button", name="Add an earlier release").click()
    desk.audit()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Remove k-anonymity").wait_for()
    document = desk.own("GET", "")["document"]
    assert document["population"] == {"size": 500}
    assert document["guards"][0]["keys"] == [{"columns": ["Sex"], "k": 3}]
