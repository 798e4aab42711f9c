"""ε covers everything: with the noise held still, two neighbouring sources give the same bytes but for the counts.

Neighbours differ by one row that is added, removed or changed; it may hold a value that nobody else has, one that the
hierarchy does not know, a missing one, or one of another type.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from dataclasses import replace
from datetime import date
from functools import cache
from math import exp, sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy import stats

import fairveil as fv
from fairveil.data.writers import Format
from fairveil.methods import noisy_choice, noisy_table
from fairveil.methods.noise import PrivacyBudget
from fairveil.methods.task import Task
from fairveil.run.plan import Plan
from fairveil.run.sections import Tryout

MANY = fv.AlphaProtection(1e6)
NOISE = fv.NoisyTable(0.5, public={"y": ["no", "yes"]})

TREES: dict[str, tuple[list[Any], fv.hierarchy.Hierarchy | None]] = {
    "integers": ([1, 2, 3, 4], fv.hierarchy.from_rows([[str(i), "lh"[i // 4], "*"] for i in range(1, 7)])),
    "numbers": ([0.5, 1.0, 2.0], fv.hierarchy.from_rows([["0.5", "*"], ["1.0", "*"], ["2.0", "*"], ["7.25", "*"]])),
    "text": (["a", "b", "c"], fv.hierarchy.tree({"*": {"x": ["a", "b"], "y": ["c", "d", "e"]}})),
    "two tops": (["a", "c"], fv.hierarchy.from_rows([["a", "x"], ["b", "x"], ["c", "y"]])),
    "true or false": ([True, False], fv.hierarchy.from_rows([["True", "*"], ["False", "*"]])),
    "dates": ([date(2020, 1, 1), date(2020, 2, 1)], fv.hierarchy.from_rows([[f"2020-0{i}-01", "*"] for i in (1, 2)])),
    "mask": (["10", "11", "20"], fv.hierarchy.mask(2)),
    "intervals": ([21, 35, 59], fv.hierarchy.intervals([20, 60], widths=(10, 20))),
    "open intervals": ([21, 35, 59], fv.hierarchy.intervals([20, 60], widths=(10, 20), open_ended=True)),
    "fractions": ([0.1, 0.25, 0.3], fv.hierarchy.intervals([0.0, 0.4], widths=(0.1, 0.2))),
    "by date": ([date(2020, 1, 1), date(2021, 3, 1)], fv.hierarchy.dates()),
    "nothing known": (["u", "v", "w"], None),
}  # fmt: skip
NOT_TOLD = ("mask", "by date", "nothing known")
"""Columns that no hierarchy says the values of: nothing of them is published."""
STRANGE: list[Any] = [None, "never seen", 5, 6.5, True, date(2024, 2, 29), "07", -1, float("nan"), "", "é\n;", 1e12]


@pytest.fixture(autouse=True)
def still(monkeypatch: pytest.MonkeyPatch) -> None:
    """No noise at all, and always the same choice: whatever differs then differs because of the data."""

    def exact(counts: np.ndarray, epsilon: float, budget: PrivacyBudget) -> np.ndarray:
        budget.pay(epsilon)
        return np.asarray(counts) + 3  # no cell is ever empty, as noise would have it

    def fixed(scores: Any, epsilon: float, budget: PrivacyBudget, **settings: Any) -> int:
        budget.pay(epsilon)
        return CHOICE % len(scores)

    monkeypatch.setattr(noisy_table, "noisy_counts", exact)
    monkeypatch.setattr(noisy_choice, "choose", fixed)


CHOICE = 0


def published(
    frame: pd.DataFrame, schema: fv.Schema, folder: Path, format: Format = "csv", **method: Any
) -> dict[str, str]:
    """Every file of the release folder, with the counts taken out: rows of data, and numbers that follow from them."""
    frontier = fv.search(frame, schema, guards=[MANY], method=fv.NoisyTable(**method))
    release = frontier.release(0)
    release.save(folder, format=format, overwrite=True)
    if format == "parquet":
        data = pd.read_parquet(folder / "data.parquet")
        types = str(data.dtypes.to_dict())
        lines = [types, *sorted({str(row) for row in data.itertuples(index=False)})]
    else:
        header, *rows = (folder / "data.csv").read_text().splitlines()
        lines = [header, *sorted(set(rows))]
    evidence = json.loads((folder / "evidence.json").read_text())
    for counted in ("rows", "measures", "loss_per_column", "guards", "files", "seal", "attacks"):
        kept = evidence.pop(counted, None)
        assert isinstance(kept, dict | list | str)
        evidence[counted] = sorted(kept) if isinstance(kept, dict) else None
    return {  # the report follows from the other files: saving has made it again from them and compared
        "names": str(sorted(file.name for file in folder.iterdir())),
        "data": "\n".join(lines),
        "recipe": (folder / "recipe.json").read_text(),
        "evidence": json.dumps(evidence, sort_keys=True),
        "candidates": str(frontier.nodes.tolist()),
    }


def public(kind: str) -> dict[str, Any]:
    return {"y": ["no", "yes"], **({"q": False} if kind in NOT_TOLD else {})}


def neighbours(frame: pd.DataFrame, column: str, value: Any) -> list[pd.DataFrame]:
    added = pd.concat([frame, frame.iloc[[0]].assign(**{column: [value]})], ignore_index=True)
    changed = frame.astype({column: object})
    changed.loc[1, column] = value
    return [added, changed.infer_objects(), frame.drop(index=2).reset_index(drop=True)]


def people(values: list[Any], rows: int = 24) -> pd.DataFrame:
    return pd.DataFrame({
        "q": [values[i % len(values)] for i in range(rows)],
        "sex": ["f", "m", "m"] * (rows // 3),
        "y": ["no", "yes"] * (rows // 2),
    })  # fmt: skip


def schema_of(rule: fv.hierarchy.Hierarchy | None) -> fv.Schema:
    rules = {"sex": fv.hierarchy.tree({"*": ["f", "m"]}), **({"q": rule} if rule is not None else {})}
    return fv.Schema(quasi=["q", "sex"], protected=["sex"], decision="y", denied="no", hierarchies=rules)


@pytest.mark.parametrize(("format", "choice"), [("csv", 0), ("parquet", 1)])
@pytest.mark.parametrize("kind", TREES)
def test_neighbours_differ_in_counts_only(
    kind: str, format: Format, choice: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    values, rule = TREES[kind]
    frame, schema = people(values), schema_of(rule)
    monkeypatch.setattr(sys.modules[__name__], "CHOICE", choice)
    base = published(frame, schema, tmp_path / "base", format, public=public(kind))
    for place, value in list(enumerate([values[0], *STRANGE]))[choice::2]:  # the other half in the other format
        near = neighbours(frame, "q", value)[place % 3]
        assert published(as_read(near), schema, tmp_path / "near", format, public=public(kind)) == base, value
    near = neighbours(frame, "y", "a decision that nobody else has")[choice]
    assert published(near, schema, tmp_path / "near", format, public=public(kind)) == base


def as_read(frame: pd.DataFrame) -> pd.DataFrame:
    """A column of several types as a reader gives it: text."""
    mixed = [c for c in frame if frame[c].dtype == object and len({type(v) for v in frame[c].dropna()}) > 1]
    return frame.assign(**{c: [None if pd.isna(v) else str(v) for v in frame[c]] for c in mixed})


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_any_neighbours_of_any_table(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    home = tmp_path_factory.mktemp("any")
    kind = data.draw(st.sampled_from(sorted(TREES)))
    values, rule = TREES[kind]
    rows = data.draw(st.integers(2, 30))
    frame = pd.DataFrame({
        "q": [data.draw(st.sampled_from([*values, None])) for _ in range(rows)],
        "sex": [data.draw(st.sampled_from(["f", "m", None, "x"])) for _ in range(rows)],
        "y": [data.draw(st.sampled_from(["no", "yes", None])) for _ in range(rows)],
    })  # fmt: skip
    row = {
        "q": [data.draw(st.sampled_from([*values, *STRANGE]))],
        "sex": ["f"],
        "y": [data.draw(st.sampled_from(["no", "maybe", None]))],
    }
    near = as_read(pd.concat([frame.astype(object), pd.DataFrame(row).astype(object)], ignore_index=True))
    missing = data.draw(st.sampled_from([(), ("q",), ("q", "y")]))
    first, second = (
        published(as_read(table), schema_of(rule), home / name, public=public(kind), missing=missing)
        for table, name in ((frame.astype(object), "a"), (near, "b"))
    )
    assert first == second


def test_declared_values_decide_the_type_and_the_missing_value(tmp_path: Path) -> None:
    frame = people([17, 18])
    schema = fv.Schema(quasi=["q", "sex"], decision="y", denied="no", protected=["sex"])
    declared = {"q": [17, 18, 19], "sex": ["f", "m"], "y": ["no", "yes"]}
    base = published(frame, schema, tmp_path / "a", public=declared)
    for place, value in enumerate(STRANGE):
        near = neighbours(frame, "q", value)[place % 2]
        assert published(as_read(near), schema, tmp_path / "b", public=declared) == base
    listed = published(frame, schema, tmp_path / "c", public=declared, missing=["q"])
    assert ',"f","no"' in listed["data"].splitlines()


def test_a_csv_file_is_no_way_around(tmp_path: Path) -> None:
    """A column that one more row makes one of other numbers; text among numbers the reader refuses by itself."""
    rule = fv.hierarchy.from_rows([["01", "*"], ["02", "*"], ["03", "*"]])
    lines = ["q,sex,y", *(f"0{1 + i % 2},{'fm'[i % 2]},{('no', 'yes')[i % 2]}" for i in range(20))]
    answers = []
    for name, more in (("a", []), ("b", [",f,no"]), ("c", ["3.5,f,no"]), ("d", ["1,f,no"]), ("e", ["1,é,oui"])):
        (tmp_path / f"{name}.csv").write_text("\n".join([*lines, *more]) + "\n")
        table = fv.Table.read(tmp_path / f"{name}.csv")
        answers.append(published(table, schema_of(rule), tmp_path / name, public={"y": ["no", "yes"]}))
    assert all(answer == answers[0] for answer in answers)


@pytest.mark.parametrize("strange", ["unknown", None])
def test_a_request_is_not_refused_because_of_a_value(strange: str | None) -> None:
    """An answer that depends on one row is an output, too; many such rows are worth a note with noise of its own."""
    frame = people(["a", "b"], rows=420)
    frame.loc[:200, ["q", "y"]] = [strange, strange]
    release = fv.search(
        frame, schema_of(TREES["text"][1]), guards=[MANY], method=fv.NoisyTable(public={"y": ["no", "yes"]})
    ).release(0)
    assert any("not counted" in note for note in release.private)
    assert "not counted" not in json.dumps(release.evidence())


def test_nothing_of_the_source_is_counted_exactly(tmp_path: Path) -> None:
    frame = people(["a", "b", "c"], rows=3000)
    release = fv.search(frame, schema_of(TREES["text"][1]), guards=[MANY], method=NOISE).release(0)
    folder = release.save(tmp_path / "out").path
    rows = json.loads((folder / "evidence.json").read_text())["rows"]
    assert rows["source"] == rows["published"] + rows["suppressed"] == len(pd.read_csv(folder / "data.csv"))
    assert release.risk_before == {}
    words = (folder / "report.html").read_text()
    assert "3,000" not in words
    assert "No record of the source was left out" not in words
    assert "In the source it was" not in words


def test_a_measure_that_compares_with_the_source_cannot_choose() -> None:
    frontier = fv.search(people(["a", "b", "c"]), schema_of(TREES["text"][1]), guards=[MANY], method=NOISE)
    assert np.isnan(frontier.values("accuracy")).all()


def test_a_tryout_that_fails_leaves_the_same_note(tmp_path: Path) -> None:
    """Whether a second search without the test rows finds something depends on the source."""
    people(["a", "b", "c"], rows=600).to_csv(tmp_path / "p.csv", index=False)
    notes = []
    for k in (2, 590):
        plan = Plan.from_toml('format = 1\n[source]\npath = "p.csv"\n[schema]\nquasi = ["q", "sex"]\ndecision = "y"\n'
                              f'[[guards]]\nkind = "k-anonymity"\nk = {k}\n[method]\nkind = "noisy-table"\n'
                              'public = {q = false, sex = ["f", "m"], y = ["no", "yes"]}\n',
                              tmp_path)  # fmt: skip
        release = Plan(plan.source, plan.guards, plan.schema, plan.methods, folder=tmp_path,
                       utility=Tryout(test=0.5, classifiers=("tree",), queries=5, resamples=2)).run()  # fmt: skip
        notes.append(release.evidence()["notes"])
    assert notes[0] == notes[1]


def test_a_choice_beside_other_methods_is_not_covered() -> None:
    frame = people(["a", "b", "c"], rows=60)
    compared = fv.explore(
        frame,
        schema_of(TREES["text"][1]),
        guards=[fv.KAnonymity(2)],
        methods=[replace(NOISE, epsilon=5.0), fv.Incognito()],
    )
    of_noise = next(i for i in range(len(compared)) if compared.method(i).kind == "noisy-table")
    assert any("does not cover the choice" in note for note in compared.release(of_noise).evidence()["notes"])


# The counts themselves, with real noise


@cache
def histogram(more: tuple[Any, ...], epsilon: float, runs: int) -> Counter[tuple[int, ...]]:
    """How often each release came out: its level, and its four counts."""
    rows = [("a", "no"), ("b", "yes"), *more]
    method = fv.NoisyTable(epsilon, choice=0.5, public={"y": ["no", "yes"]})
    schema = fv.Schema(quasi=["q"], decision="y", denied="no", protected=["q"],
                       hierarchies={"q": fv.hierarchy.tree({"*": ["a", "b"]})})  # fmt: skip
    frame = pd.DataFrame(rows, columns=["q", "y"])
    task = Task.of(fv.Table.from_frame(frame), schema, [MANY], bind=False)
    counted, _ = noisy_choice.counted_in(task, method._domains(task))
    seen: Counter[tuple[int, ...]] = Counter()
    for _ in range(runs):
        budget = PrivacyBudget(epsilon)
        base = method._choose(counted, task.guards, budget)
        try:
            table = method._noisy(task, counted, base, budget)
        except fv.Infeasible:
            seen[(-1,)] += 1
            continue
        cells = np.bincount(2 * table.column("q").codes.astype(int) + table.column("y").codes, minlength=4)
        seen[(int(base[0]), *map(int, cells))] += 1
    return seen


@pytest.mark.parametrize("row", [("a", "no"), ("b", "yes"), ("never seen", "no"), (None, "yes")])
def test_the_odds_of_every_release_stay_within_e_to_the_epsilon(
    row: tuple[Any, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Choice and counts together, on neighbouring tables: for each release and for unions of many of them."""
    monkeypatch.undo()
    epsilon, runs = 1.0, 1200
    one, other = histogram((), epsilon, runs), histogram((row,), epsilon, runs)
    every = one + other
    events = [{r for r in every if len(r) > 1 and r[at] <= most} for at in range(1, 5) for most in range(6)]
    events += [{r for r in every if r[0] == level} for level in (-1, 0, 1)]
    events += [{r} for r, n in every.items() if n > 20]
    slack = 5 * sqrt(0.25 / runs)
    for event in events:
        p, q = (sum(seen[release] for release in event) / runs for seen in (one, other))
        assert p <= exp(epsilon) * (q + slack) + slack
        assert q <= exp(epsilon) * (p + slack) + slack


def test_the_noise_is_distributed_as_opendp_says(monkeypatch: pytest.MonkeyPatch) -> None:
    """A contingency table of one big cell, 4,000 times, against the discrete Laplace of the share of ε left for it."""
    monkeypatch.undo()
    from fairveil.methods.noise import noisy_counts

    epsilon = 0.8
    noise = noisy_counts(np.full(40_000, 100), epsilon, PrivacyBudget(epsilon)) - 100
    q = exp(-epsilon)
    support = np.arange(-8, 9)
    expected = (1 - q) / (1 + q) * q ** np.abs(support)
    observed = np.array([(noise == value).sum() for value in support])
    rest = len(noise) - observed.sum()
    answer = stats.chisquare([*observed, rest], [*(expected * len(noise)), (1 - expected.sum()) * len(noise)])
    assert answer.pvalue > 1e-6


def test_a_hierarchy_that_was_read_off_the_data_is_refused() -> None:
    table = fv.Table.from_frame(pd.DataFrame({"q": ["Bern", "Rome", "Oslo", "Linz"] * 3, "y": ["no", "yes"] * 6}))
    schema = fv.Schema(quasi=["q"], decision="y", hierarchies=fv.hierarchy.automatic(table, ["q"]))
    with pytest.raises(fv.BadInput, match="the hierarchy of 'q' was learnt from the data"):
        fv.search(table, schema, guards=[fv.KAnonymity(2)], method=NOISE)
