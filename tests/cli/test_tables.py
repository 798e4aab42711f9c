"""What the commands print: tables that fit any terminal, numbers of things in plain English."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from rich.cells import cell_len

from fairveil import cli, guards, methods
from fairveil.cli.table_layout import laid_out
from fairveil.data import hierarchy
from fairveil.settings import sentence_of

from .conftest import Run

AGE, ZIP = "age_at_the_day_of_the_last_interview", "postcode of the household, first five digits"
PLAN = f"""\
format = 1
choose = "loss"
measures = ["k", "average-risk", "cm"]

[source]
path = "people.csv"
text = ["{ZIP}"]

[schema]
quasi = ["{AGE}", "{ZIP}"]
sensitive = ["disease"]
protected = ["sex"]
decision = "granted"
denied = "no"

[hierarchies."{AGE}"]
kind = "intervals"
edges = [0, 20, 40, 60]
widths = [20]

[hierarchies."{ZIP}"]
kind = "mask"
length = 5

[[guards]]
kind = "k-anonymity"
k = 2

[[methods]]
kind = "incognito"

[[methods]]
kind = "mdav"
k = 2
"""
ONE = re.compile(r"(?<![\d.,–-])1 (?!is\b|was\b|has\b|this\b|minus\b|does\b|plus\b|class\b|loss\b)[a-z-]+s\b")
"""One of several things."""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    rows = [
        f"{20 + i % 30},0854{i % 4},{'FM'[i % 2]},{('flu', 'cold', 'asthma')[i % 3]},{('yes', 'no')[i % 5 > 2]}"
        for i in range(40)
    ]
    (tmp_path / "people.csv").write_text("\n".join([f'{AGE},"{ZIP}",sex,disease,granted', *rows]), encoding="utf-8")
    (tmp_path / "plan.toml").write_text(PLAN, encoding="utf-8")
    return tmp_path


def printing(home: Path) -> dict[str, list[object]]:
    """Every command that prints tables, in an order in which each finds what it needs."""
    people = home / "people.csv"
    text = ["--text", ZIP]
    return {
        "profile": ["profile", people, *text],
        "check": ["check", people, "--quasi", AGE, "--k", "2"],
        "init": ["init", people, "--out", home / "first.toml", "--overwrite"],
        "explore": ["explore", home / "plan.toml", "--explain"],
        "compare": ["explore", home / "plan.toml", "--compare", "1.1,2.1"],
        "release": ["release", home / "plan.toml", "--out", home / "out", "--overwrite", "--candidate", "1.1",
                    "--accept", "homogeneity,uniqueness"],
        "verify": ["verify", home / "out"],
        "attack": ["attack", home / "out", "--original", people],
        "apply": ["apply", home / "out", people, "--out", home / "new.csv", "--overwrite", "--unknown", "suppress"],
        "report": ["report", home / "out", "--overwrite"],
        "utility": ["utility", home / "out", "--original", people, "--queries", "5", "--resamples", "2",
                    "--classifiers", "naive-bayes"],
    }  # fmt: skip


def table_lines(text: str) -> list[str]:
    """The lines of tables: what stands around a rule, and rows that are written one under the other."""
    sentences = ("    ", "  candidate 1.", "  candidate 2.")
    return [line for line in text.splitlines() if line.startswith(" ") and not line.startswith(sentences)]


def test_every_table_fits_every_terminal(home: Path, fairveil: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []
    for width in (60, 80, 120, None):
        monkeypatch.delenv("COLUMNS", raising=False)
        if width is not None:
            monkeypatch.setenv("COLUMNS", str(width))
        for name, arguments in printing(home).items():
            if width != 60 and name not in ("profile", "verify") and (width, name) != (None, "attack"):
                continue  # the same tables, and trying all of them takes long
            said = fairveil(*arguments)
            assert said.code in (0, 1) and not said.err, (name, said)
            lines = table_lines(said.out)
            assert [line for line in lines if cell_len(line) > (width or 200)] == [], name
            assert not ONE.search(said.out), (name, ONE.search(said.out))
            seen.append(bool(lines))
            if name == "profile":  # nothing of a name is lost, however narrow
                assert "".join(AGE.split("_")) in re.sub(r"[\s_]", "", said.out)
            if name == "explore":
                assert "mdav, averages" in " ".join(said.out.split())
    assert sum(seen) >= 10


def test_a_table_says_the_same_at_every_width() -> None:
    names = ["column", "distinct values", "because"]
    rows = [["a-rather-long-name-without-spaces", "12,345", "it looks like a postcode"], ["ø" * 30, "7", "界" * 40]]
    numeric = [False, True, False]
    for width in range(20, 140, 7):
        lines = laid_out(names, rows, numeric, width)
        assert all(cell_len(line) <= width for line in lines), width
        signs = "".join(lines).replace(" ", "").replace("─", "")
        assert signs.count("ø") == 30 and signs.count("界") == 40 and signs.count("12,345") == 1


@pytest.mark.parametrize("part", [*guards.GUARDS, *methods.METHODS, *hierarchy.KINDS], ids=lambda part: part.kind)
def test_every_part_has_one_plain_sentence(part: type) -> None:
    sentence = sentence_of(part)
    assert 20 <= len(sentence) <= 120 and sentence.endswith(".") and sentence.count(". ") == 0
    assert not re.search(r"[`_=<>\[\]]|\blattice|\bgenetic|\bheurist|\bfull-domain|\brecoding", sentence)
    assert sentence[0].isupper()


def test_every_command_is_tried() -> None:
    quiet = {"demo", "studio", "reproduce", "completion"}  # they take long, or print no table of their own
    assert {command.__name__ for command in cli.COMMANDS} - quiet <= {
        str(arguments[0]) for arguments in printing(Path()).values()
    }
