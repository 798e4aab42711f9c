"""Messages speak the language of where they are read: no Python on the command line, no options or plan in Python."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

import fairveil as fv
from fairveil import cli, guards, methods
from fairveil.data import hierarchy
from fairveil.errors import BadInput, Infeasible
from fairveil.messages import PLAN as IN_A_PLAN
from fairveil.messages import option, speaking
from fairveil.settings import settings_of
from fairveil.studio.refusals import STUDIO
from fairveil.toml import dumps

from .conftest import PLAN, Run

PYTHON = re.compile(
    r"\b(True|False|None|fv\.|Schema\(|self|dict|tuple)\b|\b\w{2,}=\S|\(\)|<[a-z_.]+ object|\[Errno|\w+Error\b"
)
"""What a reader of Python knows and nobody else: literals, keyword arguments, calls, names of classes. One letter is
mathematics: k=5."""
WRITTEN = re.compile(r'(?<!\S)--[a-z]|\b[a-z_]+ = ("|true|false|\[)|“')
"""What the command line, a plan and the studio write."""
ODD: tuple[Any, ...] = (True, False, -1, 0, 1.5, "x", [], [True], {"a": True})


def python_words(texts: Iterable[str]) -> list[str]:
    """The texts that speak Python, each once."""
    return [text for text in dict.fromkeys(texts) if PYTHON.search(text)]


def wrong_specs(kinds: Any) -> Iterator[dict[str, Any]]:
    """Every setting of every part with every odd value, the other settings as they are by default."""
    for part in kinds:
        needed = {"k": 3, "l": 2, "c": 2.0, "t": 0.5, "alpha": 1.5, "legal": ["age"], "edges": [0, 50]}
        base = {s.name: needed[s.name] for s in settings_of(part) if s.required and s.name in needed}
        for setting in settings_of(part):
            for value in ODD:
                yield {"kind": part.kind, **base, setting.name: value}


def test_wrong_settings_of_every_part_of_a_plan(people: Path) -> None:
    sections: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
        "guards": lambda spec: {"guards": [spec]},
        "methods": lambda spec: {"guards": [{"kind": "k-anonymity", "k": 2}], "methods": [spec]},
        "hierarchies": lambda spec: {"guards": [{"kind": "k-anonymity", "k": 2}], "hierarchies": {"age": spec}},
    }
    kinds: dict[str, Any] = {"guards": guards.GUARDS, "methods": methods.METHODS, "hierarchies": hierarchy.KINDS}
    schema = {"identifier": ["name"], "quasi": ["age", "zip", "sex"], "sensitive": ["disease"]}
    refused = []
    for section, around in sections.items():
        for spec in wrong_specs(kinds[section]):
            content = {"format": 1, "source": {"path": "people.csv"}, "schema": schema, **around(spec)}
            try:
                fv.Plan.from_toml(dumps(content), people.parent)
            except BadInput as problem:
                refused.append(str(problem))
    assert python_words(refused) == []
    assert len(refused) > 300


def commands(plan: Path, people: Path, out: Path) -> list[list[object]]:
    """Wrong command lines, and right ones on data that does not fit: every command in many ways."""
    home = people.parent
    odd, mixed, comma, points = home / "odd.csv", home / "mixed.csv", home / "comma.csv", home / "points.csv"
    odd.write_text("name,age,zip,sex,disease\nZed,99,08540,X,flu\n", encoding="utf-8")
    mixed.write_text("age,sex\n21,F\n22,M\nold,F\n", encoding="utf-8")
    comma.write_text("age;pay\n21;1,500\n22;2,500\n", encoding="utf-8")
    points.write_text('age,pay\n21,"1.5"\n22,"2.5"\n', encoding="utf-8")
    (home / "bytes.csv").write_bytes(b"age,sex\n1,F\n2,\x81\n")
    small = home / "small.toml"
    small.write_text(PLAN.replace("k = 3", "k=13"), encoding="utf-8")
    check: list[list[object]] = [
        ["check", people, "--quasi", "age", *more]
        for more in (
            ["--k", "1"], ["--k", "13"], ["--l", "1", "--sensitive", "disease"], ["--l", "2"], ["--t", "7"],
            ["--entropy-l", "0", "--sensitive", "disease"], ["--l", "2", "--c", "-1", "--sensitive", "disease"],
            ["--k", "2", "--separator", "ab"], ["--k", "2", "--decimal", "x"], ["--k", "2", "--encoding", "utf9"],
            ["--k", "2", "--sheet", "1"], ["--k", "2", "--engine", "duck"], ["--k", "2", "--memory", "much"],
            ["--k", "2", "--engine", "sql"], ["--k", "2", "--table", "people"], ["--k", "2", "--master", "local[2]"],
            ["--alpha", "0.5", "--protected", "sex", "--decision", "disease", "--denied", "flu"],
            ["--alpha", "2", "--protected", "sex", "--decision", "disease", "--denied", "flu", "--min-support", "-1"],
            ["--alpha", "2", "--protected", "sex", "--decision", "disease", "--denied", "flu", "--granularity", "0"],
            ["--alpha", "2", "--protected", "sex", "--decision", "disease", "--denied", "flux"],
            ["--alpha", "2", "--protected", "sex", "--decision", "disease", "--denied", "flu", "--measure", "lift"],
        )
    ]  # fmt: skip
    files: list[list[object]] = [["profile", file] for file in (comma, home / "bytes.csv", home)]
    return [
        *check, *files,
        ["profile", points, "--decimal", ","], ["profile", people, "--engine", "sql"], ["init", people, "--out", plan],
        ["profile", "postgresql://host/db"], ["check", home / "people.cvs", "--quasi", "age", "--k", "2"],
        ["release", plan, "--out", home / "done"], ["release", plan, "--out", home], ["release", plan, "--out", people],
        ["release", small, "--out", out], ["release", plan, "--out", out, "--format", "xlsx"],
        ["release", plan, "--out", out, "--candidate", "99"], ["release", plan, "--out", out, "--candidate", "x"],
        ["release", plan, "--out", out, "--accept", "nothing"], ["release", plan, "--out", out, "--sign", home / "key"],
        ["release", plan, "--out", out, "--engine", "duck"], ["release", plan, "--out", out, "--memory", "1"],
        ["explore", plan, "--compare", "1"], ["explore", plan, "--compare", "1,99"], ["explore", plan, "--pareto", "x"],
        ["explore", plan, "--measures", "cm"], ["explore", plan, "--plot", out], ["explore", plan, "--csv", "--json"],
        ["explore", plan, "--session", out], ["explore", plan, "--preferences", "--csv"],
        ["explore", plan, "--top", "0"],
        ["apply", home / "done", odd, "--out", home / "new.csv"], ["apply", home / "done", odd, "--out", home / "new"],
        ["apply", home / "done", people, "--out", people], ["apply", home, people, "--out", home / "new.csv"],
        ["apply", home / "done", people, "--out", home / "new.csv", "--unknown", "drop"],
        ["attack", home / "done", "--only", "nothing"], ["attack", home / "done", "--known", "nothing"],
        ["attack", home / "done", "--original", mixed], ["attack", home],
        ["check", mixed, "--quasi", "age", "--k", "2"],
        ["utility", home / "done", "--original", mixed],
        ["utility", home / "done", "--original", people, "--test", "2"],
        ["utility", home / "done", "--original", people, "--classifiers", "x"],
        ["report", home / "done", "--out", people], ["report", home / "done", "--out", home / "done" / "x.html"],
        ["report", home / "done"], ["report", home], ["verify", home], ["verify", home / "nowhere"],
        ["verify", home / "done", "--signer", home / "nobody"], ["studio", home / "nothing.csv"],
        ["studio", "--port", "-1"],
        ["reproduce", "nothing"], ["demo", "--out", people], ["completion", "tcsh"],
    ]  # fmt: skip


def test_the_command_line_speaks_no_python(plan: Path, people: Path, fairveil: Run) -> None:
    out = plan.parent / "out"
    assert fairveil("release", plan, "--out", plan.parent / "done").code == 0
    plan.parent.joinpath("done.html").write_text("mine", encoding="utf-8")
    failed, messages = set(), []
    for arguments in commands(plan, people, out):
        said = fairveil(*arguments)
        assert said.code in (1, 2), (arguments, said)
        messages.append((said.err + said.out).replace(str(plan.parent), ""))
        failed.add(arguments[0])
    assert python_words(messages) == []
    assert failed >= {command.__name__ for command in cli.COMMANDS}


@pytest.mark.parametrize(
    ("arguments", "spelled"),
    [
        (["release", "plan.toml", "--out", "done"], "--overwrite"),
        (["apply", "done", "people.csv", "--out", "people.csv"], "--overwrite"),
        (["report", "done", "--out", "people.html"], "--overwrite"),
        (["apply", "done", "odd.csv", "--out", "new.csv"], "--unknown suppress"),
        (["check", "mixed.csv", "--quasi", "age", "--k", "2"], "--missing-values old"),
        (["check", "mixed.csv", "--quasi", "age", "--k", "2"], "--text age"),
        (["check", "comma.csv", "--quasi", "pay", "--k", "2"], "--decimal ,"),
        (["check", "people.csv", "--quasi", "age", "--k", "1"], "--k must be"),
        (["release", "mixed.toml", "--out", "out"], 'text = ["age"]'),
        (["release", "edges.toml", "--out", "out"], "open_ended = true"),
        (["release", "missing.toml", "--out", "out"], 'missing = "drop"'),
    ],
)
def test_options_are_spelled_as_the_command_or_the_plan_spells_them(
    arguments: list[str], spelled: str, plan: Path, people: Path, fairveil: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = plan.parent
    commands(plan, people, home / "out")
    (home / "people.html").write_text("mine", encoding="utf-8")
    (home / "edges.toml").write_text(PLAN.replace(", 50]", "]"), encoding="utf-8")
    (home / "mixed.toml").write_text(
        'format = 1\n[source]\npath = "mixed.csv"\n[schema]\nquasi = ["age", "sex"]\n'
        '[[guards]]\nkind = "k-anonymity"\nk = 2\n'
    )
    (home / "gaps.csv").write_text("age,sex\n1,\n,F\n")
    (home / "missing.toml").write_text(
        (home / "mixed.toml").read_text().replace('"mixed.csv"', '"gaps.csv"\nmissing = "drop"')
    )
    monkeypatch.chdir(home)
    if "done" in arguments:
        assert fairveil("release", plan, "--out", "done").code == 0
    said = fairveil(*arguments)
    assert said.code == 2 and spelled in said.err, said.err


def test_python_speaks_python(plan: Path, people: Path, tmp_path: Path) -> None:
    """The same faults through the API name its arguments, and neither options nor keys."""
    release = fv.Plan.read(plan).run()
    release.save(tmp_path / "done")
    commands(plan, people, tmp_path / "out")
    schema = fv.Schema(identifier="name", quasi=["age", "zip", "sex"], sensitive="disease")
    faults: list[tuple[Callable[[], Any], str]] = [
        (lambda: release.save(tmp_path / "done"), "overwrite=True"),
        (lambda: release.recipe.outcome(tmp_path / "odd.csv"), "unknown='suppress'"),
        (lambda: fv.Table.read(tmp_path / "mixed.csv"), "missing_values=['old']"),
        (lambda: fv.Table.read(tmp_path / "mixed.csv"), "text=['age']"),
        (lambda: fv.Table.read(people, missing="x"), "missing must be 'category' or 'drop'"),  # type: ignore[arg-type]
        (lambda: fv.hierarchy.intervals([0, 10]).bind([99]), "open_ended=True"),
        (
            lambda: fv.explore(people, schema, guards=[fv.KAnonymity(2)], methods=[fv.Incognito()], max_candidates=0),
            "max_candidates must",
        ),
        (lambda: refuse_all(fv.NoRedlining(1.5), schema), "knowledge=["),
        (lambda: fv.MDAV(k=True), "not True"),
        (lambda: fv.KAnonymity(None), "not None"),  # type: ignore[arg-type]
        (lambda: fv.search(people, schema, guards=[fv.KAnonymity(13)]), "k=13"),
    ]
    for fault, spelled in faults:
        with pytest.raises((BadInput, Infeasible)) as refused:
            fault()
        message = str(refused.value)
        assert spelled in message
        assert not WRITTEN.search(message), message


def refuse_all(guard: Any, schema: fv.Schema) -> None:
    raise BadInput("; ".join(guard.check_schema(schema)))


def test_one_option_in_every_language() -> None:
    def spelled() -> tuple[str, ...]:
        return (
            option("min_support"), option("overwrite", True), option("missing", "drop"), option("text", ["a b", "c"]),
            option("levels", {"zip code": 2}),
        )  # fmt: skip

    assert spelled() == (
        "min_support", "overwrite=True", "missing='drop'", "text=['a b', 'c']", "levels={'zip code': 2}",
    )  # fmt: skip
    with speaking(IN_A_PLAN):
        assert spelled() == (
            "min_support", "overwrite = true", 'missing = "drop"', 'text = ["a b", "c"]', 'levels = { "zip code" = 2 }',
        )  # fmt: skip
    with speaking(STUDIO):
        assert spelled()[:4] == (
            "“Min support”", "“Overwrite an existing folder”", "“Missing values”: “Drop the row”",
            "“Text”: “a b”, “c”",
        )  # fmt: skip
    assert spelled()[1] == "overwrite=True"
