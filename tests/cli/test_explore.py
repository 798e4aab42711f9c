"""fairveil explore with several methods: one table, one numbering, remembered, drawn, compared and explained."""

from __future__ import annotations

import csv
import io
import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

import fairveil as fv
from fairveil.counting.rounding import coarse_share
from fairveil.run.amendments import costs_of_all_repairs, costs_of_promises
from fairveil.run.plan import Plan
from tests.cli.conftest import PLAN, Run

SEVERAL = """
[[methods]]
kind = "incognito"

[[methods]]
kind = "mdav"
k = 3

[[methods]]
kind = "dmpd"

[[methods]]
kind = "mdav"
k = 4

[[methods]]
kind = "mondrian"
"""


@pytest.fixture
def several(plan: Path) -> Path:
    plan.write_text('choose = "loss"\n' + PLAN.lstrip() + SEVERAL, encoding="utf-8")
    return plan


def test_all_methods_stand_in_one_table(several: Path, fairveil: Run) -> None:
    result = fairveil("explore", several, "--json", "--measures", "k")
    answer = json.loads(result.out)
    assert (result.code, result.err) == (0, "")
    methods = {record["method"] for record in answer["records"]}
    assert methods == {"incognito", "mdav (k 3)", "mdav (k 4)", "mondrian"}
    assert any(note.startswith("dmpd: ") for note in answer["notes"])  # there is no decision to learn
    numbers = [record["candidate"].split(".") for record in answer["records"]]
    per_method = Counter(method for method, _ in numbers)
    assert set(per_method) == {"1", "2", "4", "5"} and sum(per_method.values()) == answer["candidates"]
    assert {(m, str(n)) for m in per_method for n in range(1, per_method[m] + 1)} == set(map(tuple, numbers))
    table = fairveil("explore", several)
    assert table.code == 0 and "mdav (k 4), averages" in table.out and "note: dmpd: " in table.out
    assert "are false, which loss does not charge" in table.out


def test_methods_of_several_kinds_are_compared_by_what_compares_them(plan: Path, fairveil: Run) -> None:
    plan.write_text(PLAN + SEVERAL, encoding="utf-8")
    answer = json.loads(fairveil("explore", plan, "--json").out)
    assert answer["chosen_by"] == "entropy"
    assert {record["false_values"] for record in answer["records"]} == {"", "averages"}
    assert "which loss does not charge" not in fairveil("explore", plan).out
    plan.write_text("truthful = true\n" + PLAN.lstrip() + SEVERAL, encoding="utf-8")
    records = json.loads(fairveil("explore", plan, "--json").out)["records"]
    assert {record["method"] for record in records} == {"incognito", "mondrian"}
    only = SEVERAL.split("[[methods]]")[2].replace("kind", "[method]\nkind")
    plan.write_text("truthful = true\n" + PLAN.lstrip() + only, encoding="utf-8")
    refused = fairveil("explore", plan)
    assert refused.code == 2 and "truthful = true leaves no method: mdav publishes false values" in refused.err


def test_release_publishes_what_explore_numbered(several: Path, fairveil: Run, tmp_path: Path) -> None:
    """Also where a method finds nothing, and where only some candidates are compared."""
    records = json.loads(fairveil("explore", several, "--json", "--max-candidates", 2, "--measures", "k").out)[
        "records"
    ]
    kinds = [method.kind for method in Plan.read(several).methods]
    assert len(records) < sum(map(len, Plan.read(several).search()))
    for record in records:
        number = record["candidate"]
        assert record["method"].startswith(kinds[int(number.split(".")[0]) - 1])
        out = tmp_path / f"out-{number}"
        evidence = json.loads(fairveil("release", several, "--out", out, "--candidate", number, "--json").out)
        shown = coarse_share(record["loss"], evidence["rows"]["published"])
        assert evidence["measures"]["loss"] in (
            pytest.approx(record["loss"]),
            shown,
        )
        assert evidence["measures"]["k"] == record["k"]


def test_a_candidate_is_published_without_searching_other_methods(
    several: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fv.Mondrian, "search", lambda *_: pytest.fail("not needed"))
    assert Plan.read(several).run(candidate="1.1").holds


def test_a_number_stays_its_own_when_another_method_finds_more(several: Path, fairveil: Run) -> None:
    def numbers(text: str) -> dict[str, float]:
        several.write_text(text, encoding="utf-8")
        records = json.loads(fairveil("explore", several, "--json").out)["records"]
        return {record["candidate"]: record["entropy"] for record in records if record["method"].startswith("mondrian")}

    few = PLAN.replace("k = 3", "k = 6") + SEVERAL
    assert few != PLAN + SEVERAL
    assert set(numbers(few)) == set(numbers(PLAN + SEVERAL)) == {"5.1"}


def test_what_was_kept_is_not_searched_again(several: Path, fairveil: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = several.with_name("kept")
    first = fairveil("explore", several, "--csv", "--keep", kept, "--max-candidates", 2)
    assert first.code == 0 and len(list(kept.glob("*.json"))) == 4
    monkeypatch.setattr(fv.Incognito, "search", lambda *_: pytest.fail("searched again"))
    monkeypatch.setattr(fv.Mondrian, "search", lambda *_: pytest.fail("searched again"))
    assert fairveil("explore", several, "--csv", "--keep", kept, "--max-candidates", 2).out == first.out


def test_two_candidates_column_by_column(several: Path, fairveil: Run) -> None:
    records = json.loads(fairveil("explore", several, "--json").out)["records"]
    one, other = records[0], records[-1]
    pair = f"{one['candidate']},{other['candidate']}"
    answer = json.loads(fairveil("explore", several, "--json", "--compare", pair).out)
    assert [record["candidate"] for record in answer["records"]] == [one["candidate"], other["candidate"]]
    assert [column["column"] for column in answer["columns"]] == ["age", "zip", "sex"]
    for column in answer["columns"]:
        lost, lost_other = column["one"]["lost"], column["other"]["lost"]
        assert column["keeps_more"] == ("both alike" if lost == lost_other else "one" if lost < lost_other else "other")
    mean = sum(column["one"]["lost"] for column in answer["columns"]) / 3
    assert mean == pytest.approx(one["loss"])
    assert "keeps more" in fairveil("explore", several, "--compare", pair).out


def test_candidates_in_words(several: Path, fairveil: Run) -> None:
    result = fairveil("explore", several, "--csv", "--explain", "--pareto", "loss")
    rows = list(csv.DictReader(io.StringIO(result.out)))
    assert rows and all("is on the frontier of loss" in row["beaten"] for row in rows)
    answer = json.loads(fairveil("explore", several, "--json", "--explain").out)
    last = answer["records"][-1]
    assert f"candidate {rows[0]['candidate']} beats it" in last["beaten"]
    assert last["loses"].startswith("loses ")
    assert "candidate 1.1 (incognito): keeps" in fairveil("explore", several, "--explain", "--top", 100).out


@pytest.mark.parametrize("measures", ["loss,k", "loss,k,average-risk"])
def test_a_plot(several: Path, fairveil: Run, measures: str) -> None:
    drawn = several.with_name("frontier.png")
    result = fairveil("explore", several, "--pareto", measures, "--plot", drawn)
    assert result.code == 0 and str(drawn) in result.out
    assert drawn.read_bytes().startswith(b"\x89PNG")


def test_the_earlier_spelling_of_max_candidates_is_accepted(several: Path, fairveil: Run) -> None:
    outputs = [fairveil("explore", several, "--csv", spelled, 1).out for spelled in ("--most", "--max-candidates")]
    assert outputs[0] == outputs[1] != fairveil("explore", several, "--csv").out
    assert "--most" not in fairveil("explore", "--help").out


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--compare", "1"), "two different candidates"),
        (("--compare", "1,1"), "two different candidates"),
        (("--compare", "1.1,1.100000"), "no candidate 1.100000"),
        (("--compare", "1.1,9.1"), "there are 5 methods"),
        (("--compare", "1.1,3.1"), "method 3 found none"),
        (("--compare", "1.1,2"), "is ambiguous"),
        (("--compare", "1.1,1.2", "--max-candidates", 1), "not among the candidates kept"),
        (("--most", 1, "--max-candidates", 1), "--most is the earlier spelling of --max-candidates"),
        (("--plot", "frontier.jpeg"), "must end in .png"),
        (("--plot", "frontier.png"), "two or three measures"),
        (("--keep", "plan.toml/kept"), "cannot be written"),
    ],
)
def test_bad_requests(several: Path, fairveil: Run, options: tuple[object, ...], sentence: str) -> None:
    options = tuple(several.parent / o if isinstance(o, str) and "/" in o else o for o in options)
    result = fairveil("explore", several, *options)
    assert result.code == 2 and sentence in result.err


def test_an_interrupt_stops_all_methods(tmp_path: Path) -> None:
    plan = tmp_path / "plan.toml"
    methods = '[[methods]]\nkind = "preferences"\nevaluations = 100000000\nlargest = 1\n'
    plan.write_text(
        'format = 1\n[source]\ndataset = "adult"\n[[guards]]\nkind = "k-anonymity"\nk = 10\n' + methods,
        encoding="utf-8",
    )
    code = "import sys; from fairveil import cli; print('ready', flush=True); sys.exit(cli.run(sys.argv[1:]))"
    command = [sys.executable, "-c", code, "explore", str(plan)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=dict(os.environ)) as process:
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(3)
        process.send_signal(signal.SIGINT)
        _, result = process.communicate(timeout=60)
    assert process.returncode == 130 and b"interrupted" in result


def test_what_if_prints_what_python_returns(plan: Path, fairveil: Run) -> None:
    plan.write_text(PLAN, encoding="utf-8")
    answer = json.loads(fairveil("explore", plan, "--json", "--what-if").out)["what_if"]
    request = Plan.read(plan)
    own = [*costs_of_promises(request), *costs_of_all_repairs(request)]
    assert [(entry["change"], entry["danger"], entry["cost"]) for entry in answer] == [
        (cost.amendment.sentence, cost.danger, cost.cost) for cost in own
    ]
    assert answer and f"{answer[0]['change']}: {answer[0]['cost']}" in fairveil("explore", plan, "--what-if").out
