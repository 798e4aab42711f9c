"""Guards about the population: every node of small lattices against brute force, and what is told of a register."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.csv as pacsv
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import poisson

import fairveil as fv
from fairveil.counting.cells import classes_of
from fairveil.counting.register import register_sizes
from fairveil.engines import open_source
from fairveil.guards import Guard
from fairveil.guards.population_guards import estimated_k
from fairveil.methods.method import Method
from fairveil.run.plan import Plan
from tests.contracts.people import SCHEMA, contents, quick, source
from tests.known import ANY_DANGER

HIERARCHIES = {
    "zip": fv.hierarchy.mask(2),
    "age": fv.hierarchy.intervals([0, 8], widths=(2, 4)),
    "sex": fv.hierarchy.suppress(),
}
PEOPLE = st.lists(
    st.tuples(st.sampled_from(["00", "01", "10", "11"]), st.integers(0, 7), st.sampled_from("fm")),
    min_size=12, max_size=40,
)  # fmt: skip


def table(rows: list[tuple[str, int, str]], weights: list[float] | None = None) -> pa.Table:
    columns = {name: [row[i] for row in rows] for i, name in enumerate(HIERARCHIES)}
    return pa.table(columns | ({} if weights is None else {"w": weights}))


def label(name: str, value: object, level: int) -> object:
    levels = HIERARCHIES[name].bind([value])
    return levels.labels[level][levels.codes[level][0]] if level <= levels.height else "*"


def generalized(rows: list[tuple[str, int, str]], node: tuple[int, ...]) -> list[tuple[object, ...]]:
    return [tuple(label(n, v, at) for n, v, at in zip(HIERARCHIES, row, node, strict=True)) for row in rows]


GUARDS = st.sampled_from([
    fv.KMap(3), fv.KMap(6, significance=0.2), fv.DeltaPresence(0.5), fv.DeltaPresence(0.6, minimum=0.2),
    fv.RiskLimit("journalist-risk", 0.2), fv.RiskLimit("marketer-risk", 0.15), fv.RiskLimit("individual-risk", 0.3),
    fv.RiskLimit("expected-reidentifications", 3.0),
])  # fmt: skip


def holds(guard: Guard, f: np.ndarray, people: np.ndarray, counted: bool) -> bool:
    """The definition, with plain loops."""
    pairs = list(zip(f.tolist(), people.tolist(), strict=True))
    if isinstance(guard, fv.KMap):
        if counted:
            return all(total >= guard.k for _, total in pairs)
        return all(n >= min(guard.k, _least(guard.k * n / total, guard.significance)) for n, total in pairs)
    if isinstance(guard, fv.DeltaPresence):
        return all(guard.minimum - 1e-9 <= n / total <= guard.maximum + 1e-9 for n, total in pairs)
    assert isinstance(guard, fv.RiskLimit)
    risks = [1 / total if counted else _individual(n, total) for n, total in pairs]
    value = {
        "journalist-risk": max(1 / total for _, total in pairs),
        "marketer-risk": sum(n / total for n, total in pairs) / f.sum(),
        "individual-risk": max(risks),
        "expected-reidentifications": sum(n * risk for (n, _), risk in zip(pairs, risks, strict=True)),
    }[guard.measure]
    return bool(value <= guard.maximum * (1 + 1e-9))


def _least(mean: float, significance: float) -> int:
    absent = poisson.pmf(0, mean)
    return next(n for n in range(1, 999) if (poisson.cdf(n, mean) - absent) / (1 - absent) >= 1 - significance - 1e-12)


def _individual(n: float, total: float) -> float:
    """Σ 1/F over the negative binomial distribution of F."""
    from scipy.stats import nbinom

    beyond = np.arange(0, 3000)
    return float((nbinom.pmf(beyond, n, n / total) / (n + beyond)).sum())


@settings(max_examples=30, deadline=None)
@given(PEOPLE, GUARDS, st.sampled_from(["register", "weight", "fraction"]), st.randoms())
def test_the_search_finds_exactly_the_nodes_that_keep_it(
    rows: list[tuple[str, int, str]], guard: Guard, way: str, random: object
) -> None:
    rng = np.random.default_rng(random.randrange(1 << 30))  # type: ignore[attr-defined]
    sample = [row for row in rows if rng.random() < 0.5] or rows[:1]
    weights = rng.integers(1, 6, len(sample)).astype(float)
    given = table(sample, weights.tolist())
    roles = {"quasi": list(HIERARCHIES), "hierarchies": HIERARCHIES}
    declared = {
        "register": {"drop": ["w"], "population": fv.Population(register=table(rows))},
        "weight": {"weight": "w"},
        "fraction": {"drop": ["w"], "population": fv.Population(fraction=0.25)},
    }[way]
    schema = fv.Schema(**roles, **declared)  # type: ignore[arg-type]
    expected = set()
    heights = [HIERARCHIES[n].bind([row[i] for row in sample]).height for i, n in enumerate(HIERARCHIES)]
    for node in product(*(range(height + 1) for height in heights)):
        shown, everybody = generalized(sample, node), generalized(rows, node)
        classes = sorted({*shown}, key=str)
        f = np.array([float(shown.count(c)) for c in classes])
        people = {
            "register": [float(everybody.count(c)) for c in classes],
            "weight": [float(sum(w for s, w in zip(shown, weights, strict=True) if s == c)) for c in classes],
            "fraction": (f / 0.25).tolist(),
        }[way]
        if holds(guard, f, np.array(people), way == "register"):
            expected.add(node)
    try:
        found = {tuple(map(int, node)) for node in fv.search(given, schema, guards=[guard]).nodes}
    except fv.Infeasible:
        found = set()
    assert found == expected


def test_a_register_may_have_several_rows_of_a_person() -> None:
    """People of both are counted, by sets: each once, in the data and in the register."""
    for seed in range(6):
        rng = np.random.default_rng(seed)
        who = np.concatenate([np.arange(14), rng.integers(0, 14, 46), np.arange(100, 160)])
        register = pd.DataFrame({"who": who, "a": rng.integers(0, 9, 120), "b": rng.choice(list("uv"), 120)})
        data, tree = register.iloc[:60], fv.hierarchy.intervals([0, 9], widths=(3,))
        people = fv.Population(register=register)
        schema = fv.Schema(quasi=["a", "b"], person="who", population=people, hierarchies={"a": tree})
        of_class = register.groupby(["a", "b"])["who"].nunique().loc[list(data.groupby(["a", "b"]).groups)]
        sampled = data.groupby(["a", "b"])["who"].nunique()
        least = int(of_class.min())
        assert fv.check(data, schema, [fv.KMap(max(least, 2))])[0].holds == (least >= 2)
        assert not fv.check(data, schema, [fv.KMap(least + 1)])[0].holds
        share = float((sampled / of_class).max())
        assert fv.check(data, schema, [fv.DeltaPresence(share)])[0].holds
        measures = fv.population_risk(data, schema).measures
        assert measures["journalist-risk"] == pytest.approx(1 / least)
        assert measures["marketer-risk"] == pytest.approx((sampled / of_class).sum() / sampled.sum())
        release = fv.search(data, schema, guards=[fv.KAnonymity(2), fv.KMap(9)], method=fv.Incognito()).best("loss")
        for labels in (
            release.table,
            fv.Table.from_frame(pd.DataFrame({"a": ["*", "0-2", "4"], "b": ["u", "*", "v"]})),
        ):
            classes = classes_of(labels, replace(schema, person=None))[0]
            sizes = register_sizes(classes, schema, people)
            rows = [[classes.values(name)[code] for code in classes.codes[name]] for name in ("a", "b")]
            for number, a, b in zip(classes.ids.tolist(), *rows, strict=True):
                ends = "0-8" if a == "*" else str(a)
                fits = register[
                    register["a"].between(int(ends[0]), int(ends[-1])) & ((register["b"] == b) | (b == "*"))
                ]
                assert sizes[number] == fits["who"].nunique()
            assert labels is not release.table or sizes.min() >= 9


def test_the_estimated_k_is_that_of_the_truncated_poisson_distribution() -> None:
    for k, fraction, significance in product((2, 5, 50, 400), (0.01, 0.1, 0.5), (0.01, 0.05)):
        assert estimated_k(k, fraction, significance) == _least(k * fraction, significance)


BIG = pa.concat_tables([source(rows=120)] * 3)
REGISTERED = replace(SCHEMA, population=fv.Population(register=BIG))
PROMISES = [fv.KAnonymity(3), fv.KMap(7), fv.DeltaPresence(0.9), fv.RiskLimit("marketer-risk", 0.5)]


def test_nothing_of_a_register_is_published_and_who_has_it_can_verify(tmp_path: Path) -> None:
    release = fv.search(source(rows=120), REGISTERED, guards=PROMISES).release(0)
    folder = release.save(tmp_path / "out", accept=ANY_DANGER).path
    recipe = json.loads((folder / "recipe.json").read_text())
    assert recipe["schema"]["population"] == {"register": "withheld"}
    evidence = json.loads((folder / "evidence.json").read_text())
    assert [claim["worst"] for claim in evidence["guards"]][1:] == [7, 0.9, 0.5]  # the promises, not what was found
    # people whom no published class could be change no byte
    others = BIG.set_column(0, "name", pa.array(["x"] * BIG.num_rows))
    twice = replace(SCHEMA, population=fv.Population(register=pa.concat_tables([BIG, others])))
    again = fv.search(source(rows=120), twice, guards=PROMISES)
    same = next(
        i for i in range(len(again)) if again.levels(i) == {n: release.recipe.level_of(n) for n in SCHEMA.quasi}
    )
    assert contents(again.release(same).save(tmp_path / "again", accept=ANY_DANGER).path) == contents(folder)
    without = fv.verify(folder)
    assert not without and not without.problems and "register" in without.unknown
    assert fv.verify(folder, register=BIG)
    small = fv.verify(folder, register=source(rows=120))
    assert not small and "k-map does not hold" in small.problems[0]


def test_register_guards_hold_on_every_method_or_are_refused() -> None:
    from fairveil.methods import METHODS

    for kind in METHODS:
        method: Method = quick(kind)
        try:
            frontier = fv.search(source(rows=120), REGISTERED, guards=PROMISES[:2], method=method)
        except (fv.BadInput, fv.Infeasible):
            continue
        assert all(frontier.judged(i).holds for i in range(min(len(frontier), 3))), kind.kind


@pytest.mark.parametrize("way", ["unchanged", "rounded", "recalibrated"])
def test_weights_are_published_in_the_way_that_is_asked_for(way: str, tmp_path: Path) -> None:
    weights = np.random.default_rng(3).integers(4, 40, 120) / 4 + 1
    given = source(rows=120).append_column("w", pa.array(weights))
    schema = replace(SCHEMA, weight="w", population=None, publish_weight=way)  # type: ignore[arg-type]
    release = fv.search(given, schema, guards=[fv.KAnonymity(3, suppression=0.2), fv.KMap(9)]).release(0)
    values = np.array(release.table.to_arrow()["w"].to_pylist(), dtype=float)
    kept = release.source_rows
    assert release.suppressed and kept is not None
    if way == "unchanged":
        assert (values == weights[kept]).all()
    elif way == "rounded":
        assert (values == np.maximum(np.rint(weights[kept]), 1)).all()
    else:
        assert values == pytest.approx(weights[kept] * 120 / len(kept))
    folder = release.save(tmp_path / "memory", accept=ANY_DANGER, format="parquet").path
    assert fv.verify(folder)
    pacsv.write_csv(given, tmp_path / "people.csv")
    on_engine = open_source(str(tmp_path / "people.csv"), engine="duckdb")
    again = fv.search(on_engine, schema, guards=[fv.KAnonymity(3, suppression=0.2), fv.KMap(9)]).release(0)
    other = again.save(tmp_path / "engine", accept=ANY_DANGER, format="parquet").path
    assert contents(other) == contents(folder)


def test_the_weight_of_a_suppressed_record_changes_no_byte(tmp_path: Path) -> None:
    weights = np.random.default_rng(3).integers(4, 40, 120) / 4 + 1
    schema = replace(SCHEMA, weight="w", population=None, publish_weight="recalibrated")

    def release(of: np.ndarray) -> fv.Frontier:
        given = source(rows=120).append_column("w", pa.array(of))
        return fv.search(given, schema, guards=[fv.KAnonymity(3, suppression=0.2)])

    first = release(weights).release(0)
    left_out = np.setdiff1d(np.arange(120), first.source_rows)  # type: ignore[arg-type]
    assert len(left_out)
    weights[left_out] = 77.7
    folders = [tmp_path / "one", tmp_path / "other"]
    for folder, made in zip(folders, (first, release(weights).release(0)), strict=True):
        made.save(folder, accept=ANY_DANGER)
    assert contents(folders[0]) == contents(folders[1])


@settings(max_examples=12, deadline=None)
@given(PEOPLE, st.sampled_from(["register", "weight"]), st.integers(2, 8), st.randoms())
def test_with_suppression_it_leaves_out_the_classes_that_break_it(
    rows: list[tuple[str, int, str]], way: str, k: int, random: object
) -> None:
    rng = np.random.default_rng(random.randrange(1 << 30))  # type: ignore[attr-defined]
    weights = rng.integers(1, 4, len(rows)).astype(float)
    everybody = [row for row in rows for _ in range(int(rng.integers(1, 3)))]
    guard = fv.KMap(k, significance=0.3, suppression=0.3)
    schema = fv.Schema(
        quasi=list(HIERARCHIES), hierarchies=HIERARCHIES, **({"weight": "w"} if way == "weight" else {
            "drop": ["w"], "population": fv.Population(register=table(everybody))}),
    )  # fmt: skip
    heights = [HIERARCHIES[n].bind([row[i] for row in rows]).height for i, n in enumerate(HIERARCHIES)]
    expected = set()
    for node in product(*(range(height + 1) for height in heights)):
        shown, people = generalized(rows, node), generalized(everybody, node)
        left_out = 0
        for c in {*shown}:
            f = float(shown.count(c))
            total = float(people.count(c)) if way == "register" else sum(
                w for s, w in zip(shown, weights, strict=True) if s == c)  # fmt: skip
            left_out += 0 if holds(guard, np.array([f]), np.array([total]), way == "register") else int(f)
        if left_out <= guard.budget(len(rows)):
            expected.add(node)
    try:
        found = {tuple(map(int, n)) for n in fv.search(table(rows, weights.tolist()), schema, guards=[guard]).nodes}
    except fv.Infeasible:
        found = set()
    assert found == expected


def test_a_plan_has_a_section_for_the_population(tmp_path: Path) -> None:
    given = source(rows=120).append_column("w", pa.array(np.arange(120) % 7 + 2))
    pacsv.write_csv(given, tmp_path / "people.csv")
    pacsv.write_csv(BIG, tmp_path / "register.csv")
    text = """
format = 1
measures = ["individual-risk"]
[source]
path = "people.csv"
[schema]
identifier = ["name"]
quasi = ["zip", "age", "sex"]
drop = ["illness", "credit"{0}]
[hierarchies.age]
kind = "intervals"
edges = [20, 60]
widths = [10, 20]
[population]
{1}
[[guards]]
kind = "k-map"
k = 7
"""
    for dropped, declared in (
        (', "w"', "size = 1200"), (', "w"', "fraction = 0.1"), (', "w"', 'register = "register.csv"'),
        ("", 'weight = "w"'),
    ):  # fmt: skip
        plan = Plan.from_toml(text.format(dropped, declared), tmp_path)
        assert Plan.from_toml(plan.to_toml(), tmp_path) == plan
        assert declared in plan.to_toml()
        release = plan.run()
        assert all(release.verdicts)
        (tmp_path / "deeper").mkdir(exist_ok=True)
        assert all(Plan.read(plan.save(tmp_path / "deeper" / "plan.toml")).run().verdicts)
    for wrong, problem in (
        ("size = 0", "population.size must be"), ("register = 3", "population.register must be"),
        ("size = 5\nfraction = 0.5", "leave out size or fraction"), ("sise = 4", "no key in .population. of the plan"),
        ('size = 5', "a population is at least as large"),
    ):  # fmt: skip
        with pytest.raises(fv.BadInput, match=problem):
            Plan.from_toml(text.format(', "w"', wrong), tmp_path).run()


def test_bundled_data_takes_a_population() -> None:
    text = 'format = 1\n[source]\ndataset = "credit_decisions"\n[population]\nsize = 500\n'
    text += '[[guards]]\nkind = "k-map"\nk = 5\n'
    release = Plan.from_toml(text).run()
    assert all(release.verdicts) and release.schema.population == fv.Population(fraction=release.source.rows / 500)


def test_kept_searches_know_the_register(tmp_path: Path) -> None:
    def candidates(register: pa.Table) -> int:
        schema = replace(SCHEMA, population=fv.Population(register=register))
        return len(fv.explore(source(rows=120), schema, guards=[fv.KMap(12)], methods=[fv.Incognito()], keep=tmp_path))

    assert candidates(pa.concat_tables([BIG] * 4)) > candidates(BIG)


def test_too_few_of_a_class_are_named_if_no_class_has_too_many() -> None:
    """6 of 10 people are in the first class, 2 of 40 in the second."""
    table, register = pa.table({"a": ["x"] * 6 + ["y"] * 2}), pa.table({"a": ["x"] * 10 + ["y"] * 40})
    schema = fv.Schema(quasi=["a"], population=fv.Population(register=register))
    for guard, worst, words, records in (
        (fv.DeltaPresence(0.7, minimum=0.5), 0.05, "only 0.05", 2), (fv.DeltaPresence(0.5), 0.6, "at most 0.6", 6),
        (fv.DeltaPresence(0.5, minimum=0.1), 0.6, "at most 0.6", 8),
    ):  # fmt: skip
        [verdict] = fv.check(table, schema, guard)
        assert (verdict.worst, verdict.broken_rows) == (worst, records) and words in verdict.sentence
        assert verdict.worst_class is not None
