"""What each command does when all is well, or when a promise does not hold."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from experiments import EXPERIMENTS
from fairveil import cli

from .conftest import PLAN, Run


@pytest.fixture
def released(plan: Path, fairveil: Run) -> Path:
    out = plan.with_name("out")
    assert fairveil("release", plan, "--out", out).code == 0
    return out


def test_check_says_yes_and_shows_the_worst_class(people: Path, fairveil: Run) -> None:
    result = fairveil("check", people, "--quasi", "sex", "--sensitive", "disease", "--k", 6, "--l", 3)
    assert (result.code, result.err) == (0, "")
    assert "✓ k-anonymity: the smallest class has 6 records (k=6)" in result.out
    assert "worst class: sex = " in result.out


def test_check_says_no_and_names_the_rows(people: Path, fairveil: Run) -> None:
    result = fairveil("check", people, "--quasi", "age", "--quasi", "sex", "--k", 2, "--records", 3)
    assert (result.code, result.err) == (1, "")
    assert "✗ k-anonymity" in result.out
    assert "1, 2, 3, … (12 in all)" in result.out


def test_check_for_a_machine(people: Path, fairveil: Run) -> None:
    result = fairveil("check", people, "--quasi", "sex", "--sensitive", "disease", "--k", 7, "--t", 0.5, "--json")
    assert result.code == 1
    answer = json.loads(result.out)
    assert answer["holds"] is False
    anonymity, closeness = answer["guards"]
    assert anonymity["holds"] is False and anonymity["records"] == list(range(1, 11))
    assert anonymity["worst_class"]["rows"] == 6
    assert closeness["holds"] is True and closeness["records"] == []
    assert sum(entry["rows"] for entry in closeness["worst_class"]["sensitive"]["disease"]) == 6


@pytest.mark.parametrize(
    ("options", "kind"),
    [
        (("--l", "2"), "distinct-diversity"),
        (("--l", "2", "--c", "9"), "recursive-diversity"),
        (("--entropy-l", "1.5"), "entropy-diversity"),
        (("--t", "0.9", "--distance", "ordered"), "t-closeness"),
    ],
)
def test_check_offers_every_guard(options: tuple[str, ...], kind: str, people: Path, fairveil: Run) -> None:
    result = fairveil("check", people, "--quasi", "sex", "--sensitive", "disease", *options)
    assert result.code == 0
    assert f"✓ {kind}" in result.out


@pytest.mark.parametrize(
    ("guard", "short"),
    [
        ("k-anonymity:k=7", ("--k", 7)),
        ("recursive-diversity:c=9,l=2", ("--l", 2, "--c", 9)),
        ("t-closeness:t=0.9,distance=ordered", ("--t", 0.9, "--distance", "ordered")),
        (
            "alpha-protection:alpha=1.5,measure=clift,min_support=2",
            ("--alpha", 1.5, "--measure", "clift", "--min-support", 2),
        ),
        ("situation-testing:legal=zip,age,k=2,limit=0.5", ("--legal", "zip,age", "--neighbours", 2, "--limit", 0.5)),
    ],
)
def test_short_options_are_spellings_of_guard(
    guard: str, short: tuple[object, ...], people: Path, fairveil: Run
) -> None:
    roles: tuple[str, ...] = ("--quasi", "zip,age", "--sensitive", "disease", "--json")
    if guard.startswith(("alpha", "situation")):
        roles = ("--quasi", "zip,age,sex", "--protected", "sex", "--decision", "disease", "--denied", "flu", "--json")
    long, spelled = (fairveil("check", people, *roles, *given) for given in (("--guard", guard), short))
    assert long.code in (0, 1) and long == spelled
    assert len(json.loads(long.out)["guards"]) == 1


def test_check_without_a_bound_says_what_the_file_has(people: Path, fairveil: Run) -> None:
    roles = ("--quasi", "sex", "--sensitive", "disease")
    result = fairveil("check", people, *roles)
    assert (result.code, result.err) == (0, "")
    has = {
        entry["kind"]: entry["value"] for entry in json.loads(fairveil("check", people, *roles, "--json").out)["has"]
    }
    assert f"k-anonymity: k = {has['k-anonymity']:g}" in result.out and "ℓ = " in result.out and "t = " in result.out
    assert set(has) == {"k-anonymity", "distinct-diversity", "entropy-diversity", "recursive-diversity", "t-closeness"}
    for kind, setting, step in (("k-anonymity", "k", 1), ("distinct-diversity", "l", 1), ("t-closeness", "t", -1e-6)):
        value = int(has[kind]) if step == 1 else has[kind]
        assert fairveil("check", people, *roles, "--guard", f"{kind}:{setting}={value}").code == 0
        assert fairveil("check", people, *roles, "--guard", f"{kind}:{setting}={value + step}").code == 1


def test_check_without_a_bound_names_the_worst_rule(promotions: Path, fairveil: Run) -> None:
    result = fairveil("check", promotions, *FAIR, "--quasi", "team")
    assert result.code == 0 and "alpha-protection: α = " in result.out and "→ denied" in result.out


def test_check_with_the_promises_of_a_plan(plan: Path, people: Path, released: Path, fairveil: Run) -> None:
    """The source breaks what the release keeps."""
    assert fairveil("check", people, "--plan", plan).code == 1
    assert fairveil("check", released / "data.csv", "--plan", plan).code == 0
    assert fairveil("check", people, "--plan", plan, "--k", 3).code == 2


def test_release_then_verify_then_tamper(released: Path, fairveil: Run) -> None:
    result = fairveil("verify", released)
    assert (result.code, result.err) == (0, "")
    assert "every promise holds" in result.out
    data = released / "data.csv"
    data.write_text(data.read_text(encoding="utf-8").replace("flu", "cold", 1), encoding="utf-8")
    result = fairveil("verify", released, "--json")
    assert result.code == 1
    assert any("data.csv was changed" in problem for problem in json.loads(result.out)["problems"])


def test_release_drops_identifiers_and_says_what_it_cost(plan: Path, fairveil: Run) -> None:
    out = plan.with_name("out")
    result = fairveil("release", plan, "--out", out)
    assert result.code == 0
    assert "✓ k-anonymity" in result.out and "information lost" in result.out and str(out) in result.out
    header, *rows = list(csv.reader((out / "data.csv").open(encoding="utf-8")))
    assert header == ["age", "zip", "sex", "disease"]
    assert len(rows) == 12


def test_release_for_a_machine_and_as_parquet(plan: Path, fairveil: Run) -> None:
    out = plan.with_name("out")
    result = fairveil("release", plan, "--out", out, "--format", "parquet", "--json")
    assert (result.code, result.err) == (0, "")
    answer = json.loads(result.out)
    assert answer["holds"] is True
    assert answer["rows"]["published"] == pq.read_table(out / "data.parquet").num_rows


def test_a_release_is_only_replaced_when_asked(released: Path, plan: Path, fairveil: Run) -> None:
    before = (released / "evidence.json").read_bytes()
    assert fairveil("release", plan, "--out", released).code == 2
    assert fairveil("release", plan, "--out", released, "--overwrite").code == 0
    assert (released / "evidence.json").read_bytes() == before  # the same input gives the same bytes


def test_an_infeasible_plan_is_answered_with_1(plan: Path, fairveil: Run) -> None:
    plan.write_text(PLAN.replace("l = 2", "l = 4"), encoding="utf-8")
    result = fairveil("release", plan, "--out", plan.with_name("out"))
    assert result.code == 1
    assert result.err.count("\n") == 1
    assert "distinct-diversity" in result.err and "3 different sensitive values" in result.err
    assert not plan.with_name("out").exists()


def test_explore_and_publish_one_candidate(plan: Path, fairveil: Run) -> None:
    result = fairveil("explore", plan, "--json", "--measures", "dm,gh")
    answer = json.loads(result.out)
    assert (result.code, result.err) == (0, "")
    assert answer["exhaustive"] and answer["candidates"] == len(answer["records"])
    losses = [record["loss"] for record in answer["records"]]
    assert losses == sorted(losses)
    chosen = answer["records"][-1]
    assert chosen["gh"] == sum(chosen["levels"].values())
    published = fairveil("release", plan, "--out", plan.with_name("out"), "--candidate", chosen["candidate"], "--json")
    assert json.loads(published.out)["measures"]["gh"] == chosen["gh"]
    assert fairveil("release", plan, "--out", plan.with_name("no"), "--candidate", 10**6).code == 2


def test_explore_as_table_csv_and_pareto(plan: Path, fairveil: Run) -> None:
    table = fairveil("explore", plan, "--top", 2)
    assert table.code == 0 and "more: --top N" in table.out
    rows = list(csv.DictReader(io.StringIO(fairveil("explore", plan, "--csv", "--pareto", "loss,class-size").out)))
    points = [(float(row["loss"]), float(row["class-size"])) for row in rows]
    assert points
    assert not any(a != b and a[0] <= b[0] and a[1] <= b[1] for a in points for b in points)
    assert fairveil("explore", plan, "--csv", "--json").code == 2
    assert fairveil("explore", plan, "--pareto", "los").code == 2


def test_apply_changes_new_rows_alike(released: Path, fairveil: Run) -> None:
    fresh, new = released.with_name("fresh.csv"), released.with_name("new.csv")
    fresh.write_text("age,zip,sex,disease\n22,08541,M,flu\n99,08541,M,flu\n", encoding="utf-8")
    result = fairveil("apply", released, fresh, "--out", new, "--unknown", "suppress")
    assert (result.code, result.err) == (0, "")
    assert "1 of 2 rows" in result.out
    assert fairveil("apply", released, fresh, "--out", new, "--unknown", "suppress").code == 2  # it is there already
    as_published = {tuple(row.values()) for row in csv.DictReader((released / "data.csv").open(encoding="utf-8"))}
    [row] = list(csv.DictReader(new.open(encoding="utf-8")))
    assert row["age"] in {published[0] for published in as_published}


def test_apply_refuses_a_recipe_that_was_changed(released: Path, people: Path, fairveil: Run) -> None:
    recipe = released / "recipe.json"
    recipe.write_text(recipe.read_text(encoding="utf-8").replace('"sex": 0', '"sex": 1') + " ", encoding="utf-8")
    result = fairveil("apply", released, people, "--out", people.with_name("new.csv"))
    assert result.code == 2 and "recipe.json was changed" in result.err
    assert not people.with_name("new.csv").exists()


def test_profile_suggests_roles(people: Path, fairveil: Run) -> None:
    result = fairveil("profile", people)
    assert (result.code, result.err) == (0, "")
    assert "identifier" in result.out and "sensitive" in result.out
    answer = json.loads(fairveil("profile", people, "--json").out)
    assert [column["name"] for column in answer["columns"]] == ["name", "age", "zip", "sex", "disease"]
    assert len(answer["pairs"]) == 10


def test_markup_in_data_is_printed_as_it_is(tmp_path: Path, fairveil: Run) -> None:
    path = tmp_path / "odd.csv"
    path.write_text("[bold]sex[/bold],n\n[red]F[/red],a\n[/],b\n", encoding="utf-8")
    assert "[bold]sex[/bold]" in fairveil("profile", path).out
    result = fairveil("check", path, "--quasi", "[bold]sex[/bold]", "--k", 2)
    assert result.code == 1 and "[red]F[/red]" in result.out


def test_demo_replaces_only_its_own(tmp_path: Path, people: Path, fairveil: Run) -> None:
    out = tmp_path / "demo"
    result = fairveil("demo", "--out", out)
    assert (result.code, result.err) == (0, "")
    assert "✓ k-anonymity" in result.out and str(out) in result.out and "Verified" in result.out
    again = fairveil("demo", "--out", out, "--json")
    assert again.code == 0 and json.loads(again.out)["verified"] is True
    (out / "evidence.json").write_text("{}", encoding="utf-8")
    assert fairveil("demo", "--out", out).code == 2


def test_reproduce_lists_and_runs(tmp_path: Path, fairveil: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    import sys
    import types

    from experiments import Sheet
    from experiments.study import Study

    def run(study: Study) -> Iterator[Sheet]:
        (study.out / "plot.txt").write_text("x")
        rows = [["loss", 0.5, 0.51], ["seed", study.seed, 7]]
        yield Sheet("Table [1]", ["what", "ours", "paper"], rows, ["close"])

    module = types.ModuleType("sample_experiment")
    module.TITLE, module.run = "a sample", run  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "sample_experiment", module)
    monkeypatch.setitem(EXPERIMENTS, "sample", "sample_experiment")
    assert "a sample" in fairveil("reproduce").out
    result = fairveil("reproduce", "sample", "--out", tmp_path, "--seed", 7)
    assert result.code == 0 and "Table [1]" in result.out and "0.51" in result.out and "close" in result.out
    assert (tmp_path / "sample" / "plot.txt").exists()
    answer = json.loads(fairveil("reproduce", "sample", "--out", tmp_path, "--json").out)
    assert answer["sheets"][0]["rows"][0] == {"what": "loss", "ours": 0.5, "paper": 0.51}


def test_help_and_version(fairveil: Run) -> None:
    assert fairveil("--version").out.startswith("fairveil ")
    assert fairveil().out == fairveil("--help").out
    for command in cli.COMMANDS:
        result = fairveil(command.__name__, "--help")
        assert result.code == 0 and command.__doc__ and command.__doc__.splitlines()[0] in result.out


def test_columns_of_a_parquet_file_can_be_kept_as_text(tmp_path: Path, fairveil: Run) -> None:
    path = tmp_path / "people.parquet"
    pq.write_table(pa.table({"zip": [8540, 8541], "age": [30, 31]}), path)
    answer = json.loads(fairveil("profile", path, "--text", "zip", "--json").out)
    assert [column["type"] for column in answer["columns"]] == ["text", "integers"]
    assert fairveil("profile", path, "--text", "zap").code == 2


@pytest.fixture
def promotions(tmp_path: Path) -> Path:
    rows = [("F", "no")] * 8 + [("F", "yes")] * 2 + [("M", "no")] * 4 + [("M", "yes")] * 6
    path = tmp_path / "promotions.csv"
    path.write_text("sex,team,promoted\n" + "".join(f"{sex},{i % 2},{p}\n" for i, (sex, p) in enumerate(rows)))
    return path


FAIR = ("--protected", "sex", "--decision", "promoted", "--denied", "no")


def test_check_names_discriminatory_rules(promotions: Path, fairveil: Run) -> None:
    result = fairveil("check", promotions, "--alpha", 1.5, *FAIR, "--granularity", 1)
    assert result.code == 1
    assert "sex=F → denied, 2 times the others, 8 of 10 people" in result.out
    assert fairveil("check", promotions, "--alpha", 2.5, *FAIR, "--min-support", 8).code == 0


def test_check_of_rules_for_a_machine(promotions: Path, fairveil: Run) -> None:
    result = fairveil("check", promotions, "--alpha", 1.5, *FAIR, "--measure", "clift", "--rules", 1, "--json")
    [guard] = json.loads(result.out)["guards"]
    assert (guard["kind"], guard["holds"], len(guard["details"])) == ("alpha-protection", False, 1)


def test_check_names_who_is_discriminated_against_with_both_shares(promotions: Path, fairveil: Run) -> None:
    tested = ("check", promotions, "--legal", "team", *FAIR, "--neighbours", 3, "--records", 2)
    result = fairveil(*tested)
    assert result.code == 1
    assert "row 1: sex=F, team=0: of the nearest 75.0% are denied in the same group, 40.0% outside of it" in result.out
    assert result.out.count("row ") == 2 and "(8 in all)" in result.out
    [guard] = json.loads(fairveil(*tested, "--json").out)["guards"]
    assert [(d["record"], d["inside"], d["outside"]) for d in guard["details"]] == [(1, 0.75, 0.4), (2, 0.75, 0.4)]
    allowed = fairveil(*tested, "--limit", 0.5)
    assert allowed.code == 0 and "row 1: " in allowed.out  # allowed, and still named
    assert fairveil(*tested, "--threshold", 0.4).code == 0
    elsewhere = fairveil(*tested, "--engine", "duckdb")
    assert elsewhere.code == 1 and "75.0% are denied in the same group, 40.0% outside of it (4 rows)" in elsewhere.out
    for wrong in (("--legal", "team"), ("--legal", "tem", *FAIR), ("--numbers", "sex", *FAIR), (*tested[2:], "--k", 2)):
        assert fairveil("check", promotions, *wrong).code == 2


def test_check_learns_from_a_sample_what_stands_for_a_protected_column(promotions: Path, fairveil: Run) -> None:
    sample = promotions.parent / "census.csv"
    sample.write_text("team,sex,people\n0,F,90\n0,M,10\n1,M,95\n1,F,5\n")
    rows = promotions.read_text().splitlines()
    published = promotions.parent / "published.csv"
    published.write_text("\n".join(line.partition(",")[2] for line in rows) + "\n1,yes\n1,yes\n1,yes\n")
    asked = ("--alpha", 1.2, *FAIR, "--knowledge", sample, "--count", "people")
    for file in (published, promotions):  # a protected column that is still there is not looked at
        result = fairveil("check", file, *asked)
        assert "no-redlining" in result.out and "sex=" not in result.out
    result = fairveil("check", published, *asked)
    assert result.code == 1 and "team=0 → denied, 1.3 times the others, 6 of 10 people" in result.out
    [guard] = json.loads(fairveil("check", published, *asked, "--json").out)["guards"]
    assert guard["knowledge"] == [{"if": ["team"], "then": ["sex"], "confidence": 0.8}]
    rules = promotions.parent / "rules.json"
    rules.write_text('["team -> sex"]')
    assert fairveil("check", published, *asked[:-4], "--knowledge", rules).code == 1
    unsure = fairveil("check", published, *asked, "--confidence", 0.99)
    assert unsure.code == 2 and "no column stands for sex" in unsure.err
    for wrong in (asked[2:], ("--alpha", 1.2, "--protected", "race", *FAIR[2:], *asked[-4:]), (*asked, "--count", "n")):
        assert fairveil("check", published, *wrong).code == 2


def test_check_of_rules_needs_to_know_what_they_are_about(promotions: Path, fairveil: Run) -> None:
    result = fairveil("check", promotions, "--alpha", 1.5, "--protected", "sex")
    assert (result.code, result.err.count("\n")) == (2, 1)
    assert "--alpha needs --protected, --decision and --denied" in result.err
    result = fairveil("check", promotions, "--alpha", 1.5, "--protected", "sexx", *FAIR[2:])
    assert result.code == 2 and "did you mean 'sex'" in result.err
    assert fairveil("check", promotions, "--alpha", 1.5, *FAIR, "--min-support", "many").code == 2
    result = fairveil("check", promotions, "--alpha", 1.5, *FAIR[:4], "--denied", "nope")
    assert result.code == 2 and "nope" in result.err


def test_profile_and_check_take_key_sets(people: Path, fairveil: Run) -> None:
    quasi = ("--quasi", "age,zip,sex")
    keys = json.loads(fairveil("profile", people, *quasi, "--keys", 2, "--json").out)["keys"]
    assert len(keys) == 6 and {"columns", "smallest", "unique"} <= keys[0].keys()
    assert " + ".join(keys[0]["columns"]) in fairveil("profile", people, *quasi, "--keys", 2).out
    said = fairveil("check", people, *quasi, "--guard", "k-anonymity:k=6,keys=sex")
    assert said.code == 0 and "✓ k-anonymity: by sex, the smallest class has 6 records (k=6)" in said.out
    said = fairveil("check", people, *quasi, "--guard", "k-anonymity:k=2,keys=sex,age+sex:3")
    assert said.code == 1 and "by age and sex" in said.out
