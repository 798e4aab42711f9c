"""The studio speaks of what its page shows: fields by their labels, and nothing of Python or the command line."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import fairveil as fv
from fairveil.studio.choices import catalog
from fairveil.studio.refusals import FIELDS, titled
from tests.studio.client import User
from tests.studio.codes import CODES

FOREIGN = re.compile(r"\b(True|False|None)\b|\b\w{2,}=\S|(?<!\S)--[a-z]|\b[a-z]+_[a-z]+\b")
"""What the page never writes."""


@pytest.mark.parametrize(
    ("verb", "place", "body", "label"),
    [
        ("PUT", "/guards", {"guards": [{"kind": "k-anonymity", "k": 1}]}, "“k” must be"),
        ("PUT", "/guards", {"guards": [{"kind": "alpha-protection", "alpha": 2, "min_support": -1}]}, "“Min support”"),
        ("PUT", "/guards", {"guards": [{"kind": "k-anonymity", "k": True}]}, "not true"),
        ("PUT", "/settings", {"methods": [{"kind": "best-first", "time_limit": -1}]}, "“Time limit”"),
        ("PUT", "/settings", {"methods": [{"kind": "mondrian", "numeric": 3}]}, "“Numeric”"),
        ("PUT", "/settings", {"report": {"date": "soon"}}, "“Date” must be a day"),
        ("PUT", "/settings", {"report": {"titel": "x"}}, "did you mean 'title'?"),
    ],
)
def test_a_wrong_field_is_called_what_it_is_called(
    verb: str, place: str, body: dict[str, object], label: str, credit: User
) -> None:
    sentence = credit.call(verb, place, body, 400)["sentence"]
    assert label in sentence and not FOREIGN.search(sentence), sentence


def test_files_that_cannot_be_read(user: User) -> None:
    user.open()
    refused = user.upload("mixed.csv", b"age,sex\n21,F\n22,M\nold,F\n", 400, missing_values=["?"])["sentence"]
    assert "“Treat as missing”: “old”" in refused and not FOREIGN.search(refused)


def test_labels_are_those_of_the_page() -> None:
    pages = "\n".join(path.read_text(encoding="utf-8") for path in Path("web/src/perspectives").rglob("*.tsx"))
    written = [label for label in FIELDS.values() if f'"{label}"' in pages or f" {label}\n" in pages]
    sent = {field.label for field in catalog().reading if "of a CSV file" in field.says}
    sent |= {field.label for field in catalog().joining}
    sent |= {field.label for part in catalog().guards for field in part.fields}
    assert {*FIELDS.values()} - {*written} - sent == set()


def test_choices_are_words() -> None:
    fields = [field for part in (*catalog().guards, *catalog().methods) for field in part.fields]
    labels = [label for field in fields for label in (field.options or {}).values()]
    assert labels and not [label for label in labels if FOREIGN.search(label) or "lift" in label]


def test_the_head_of_the_report_goes_into_plan_and_release(credit: User, tmp_path: Path) -> None:
    document = credit.call("PUT", "/settings", {"report": {"title": "Ours", "date": "2026-11-16", "publisher": ""}})
    assert document["document"]["report"] == {"title": "Ours", "date": "2026-11-16"}
    credit.call("PUT", "/guards", {"guards": [{"kind": "k-anonymity", "k": 3}]})
    assert '[report]\ntitle = "Ours"' in credit.call("GET", "/plan")
    assert credit.call("POST", "/undo")["document"]["report"]


@pytest.mark.parametrize("part", [*fv.guards.GUARDS, *fv.methods.METHODS], ids=lambda part: part.kind)
def test_a_sentence_has_titles_instead_of_codes(part: Any) -> None:
    for text in (f"{part.kind} needs a decision column", f"no release keeps {part.kind} and k-anonymity"):
        words = titled(text)
        assert part.title in words or part.kind in part.title
        assert not CODES.findall(words)
        assert titled(words) == words


def test_a_search_that_fails_says_so_without_codes(user: User) -> None:
    user.open(dataset="credit_decisions")
    guards = [{"kind": "distinct-diversity", "l": 9}, {"kind": "alpha-protection", "alpha": 1.01}]
    guards.append({"kind": "k-anonymity", "k": 9})
    for kind in ("incognito", "roll-up", "mondrian", "fair-mdav", "datafly", "top-down-greedy", "dmpd"):
        head = user.search(kind, guards=guards)["run"]
        said = " ".join([*head["failed"], *head["notes"], head["error"] or ""])
        assert said and not CODES.findall(said), (kind, said)


def test_a_run_without_a_lattice_is_no_mistake(user: User) -> None:
    user.open(dataset="credit_decisions")
    run = user.search("mondrian")["run"]["id"]
    assert user.call("GET", f"/runs/{run}/lattice")["size"] == 0
