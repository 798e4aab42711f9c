"""Free grouping by preference: orders, recipes, the optimizer, and releases that keep their guards."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fairveil as fv
from fairveil import hierarchy
from fairveil.choice.achievement import efficiency
from fairveil.counting.cells import classes_of
from fairveil.data.schema import Schema
from fairveil.data.table import Table
from fairveil.errors import BadInput, Infeasible
from fairveil.methods import from_dict
from fairveil.methods.preferences import Explorer, Preferences
from fairveil.methods.preferences.bound import least_achievement
from fairveil.methods.preferences.grouping_space import GroupingSpace
from fairveil.methods.preferences.nsga2 import standing_of, winners
from fairveil.methods.preferences.optimizer import respect_nodes
from fairveil.methods.preferences.ordered_domain import OrderedDomain
from fairveil.methods.task import Task
from fairveil.recipes import from_dict as recipe_from_dict
from fairveil.recipes.free_grouping import FreeGrouping
from tests.known import ANY_DANGER

QUICK: dict[str, Any] = {"evaluations": 1_000, "population": 20}


@pytest.fixture(scope="module")
def credit():
    return fv.datasets.german_credit()


def small_table(rows: int = 60, seed: int = 0) -> tuple[Table, Schema]:
    rng = np.random.default_rng(seed)
    frame = pa.table(
        {
            "age": rng.integers(18, 60, rows),
            "job": rng.choice(np.array(["nurse", "doctor", "cook", "waiter", None]), rows).tolist(),
            "ill": rng.choice(["flu", "cold", "gout"], rows),
        }
    )
    jobs = hierarchy.tree({"*": {"health": ["nurse", "doctor"], "kitchen": ["waiter", "cook"]}})
    ages = hierarchy.intervals([10, 70], widths=(10, 20))
    return Table.from_frame(frame), Schema(
        quasi=["age", "job"], sensitive=["ill"], hierarchies={"age": ages, "job": jobs}
    )


# orders and levels


def test_categories_stand_as_the_hierarchy_lists_them():
    rule = hierarchy.from_rows([("b", "X", "*"), ("z", "Y", "*"), ("a", "X", "*"), ("q", "Y", "*")])
    domain = OrderedDomain.of("c", ["a", "b", "q", "z"], rule)
    assert domain.labels == ("b", "a", "z", "q")  # siblings together, in the order of the list
    assert domain.slots.tolist() == [1, 0, 3, 2]
    assert domain.cuts_of_level(1).tolist() == [False, True, False]


def test_numbers_stand_in_their_order_and_missing_last():
    schema = small_table()[1]
    domain = OrderedDomain.of("age", [*range(18, 24), None], schema.hierarchy("age"))
    assert domain.labels[-2:] == ("23", "missing")
    assert domain.levels.labels[1] == ("10-19", "20-29", None)


def test_granularity_covers_the_range_of_the_hierarchy():
    domain = OrderedDomain.of("age", [18, 22, 59], hierarchy.intervals([0, 100], widths=(5, 10, 50)), 5)
    assert domain.size == 20
    assert domain.labels[3:5] == ("15-19", "20-24")
    assert [len(names) for names in domain.levels.labels] == [20, 10, 2, 1]


def test_levels_that_split_a_band_are_left_out():
    domain = OrderedDomain.of("age", [18, 22, 59], hierarchy.intervals([0, 60], widths=(4, 12)), 6)
    assert [len(names) for names in domain.levels.labels] == [10, 5, 1]


@pytest.mark.parametrize(
    ("column", "width", "message"), [("job", 5, "applies to numbers only"), ("age", 0, "must be above 0")]
)
def test_bad_granularity_is_refused(column, width, message):
    table, schema = small_table()
    with pytest.raises(BadInput, match=message):
        fv.search(table, schema, guards=[fv.KAnonymity(2)], method=Preferences(granularity={column: width}, **QUICK))


def test_granularity_of_an_unknown_column_is_refused():
    table, schema = small_table()
    with pytest.raises(BadInput, match="no quasi column 'agee': did you mean 'age'"):
        fv.search(table, schema, guards=[fv.KAnonymity(2)], method=Preferences(granularity={"agee": 5}))


# recipes


def recipe_of(table, schema, cuts: dict[str, list[int]], granularity=None):
    space = GroupingSpace.of(Task.of(table, schema, [fv.KAnonymity(2)]), granularity or {})
    genome = np.zeros(space.bits, dtype=bool)
    for name, span in zip(space.domains, space.spans, strict=True):
        genome[[span.start + place - 1 for place in cuts[name]]] = True
    return space.recipe(genome)


def test_groups_have_readable_labels():
    table, schema = small_table()
    recipe = recipe_of(table, schema, {"age": [2, 3], "job": [2]}, {"age": 10})
    assert recipe.groups["age"].labels == ("10-29", "30-39", "40-69")
    assert recipe.groups["job"].labels == ("health", "kitchen or missing")
    odd = recipe_of(table, schema, {"age": [1], "job": [1, 4]}, {"age": 10})
    assert odd.groups["job"].labels == ("nurse", "doctor | kitchen", "missing")


def test_a_recipe_is_applied_to_new_data():
    table, schema = small_table()
    recipe = recipe_of(table, schema, {"age": [20], "job": [2]})
    ages = table.column("age").domain
    new = pa.table({"age": [ages[0] + 0.5, ages[20]], "job": ["cook", None], "ill": ["flu", "flu"]})
    made = recipe.outcome(Table.from_frame(new)).table.to_arrow()
    assert (ages[19], ages[20]) == (46, 48)
    assert made["age"].to_pylist() == ["<47", "≥47"]
    assert made["job"].to_pylist() == ["kitchen or missing"] * 2


def test_values_without_a_place_are_refused_or_left_out():
    table, schema = small_table()
    recipe = recipe_of(table, schema, {"age": [20], "job": [2]})
    new = Table.from_frame(pa.table({"age": [30, 99], "job": ["pilot", "cook"], "ill": ["flu", "flu"]}))
    with pytest.raises(BadInput, match=r"column 'age' holds a value that the recipe does not know: 99"):
        recipe.outcome(new)
    outcome = recipe.outcome(new, unknown="suppress")
    assert (outcome.table.rows, outcome.rows) == (0, 2)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10_000), st.booleans())
def test_a_recipe_survives_json_and_measures_as_searched(seed, banded):
    import json

    table, schema = small_table(30, seed % 7)
    space = GroupingSpace.of(Task.of(table, schema, [fv.KAnonymity(2)]), {"age": 5} if banded else {})
    genome = np.random.default_rng(seed).random(space.bits) < 0.3
    recipe = space.recipe(genome)
    again = recipe_from_dict(json.loads(json.dumps(recipe.to_dict())))
    outcome, other = recipe.outcome(table), again.outcome(table)
    assert outcome.table.to_arrow().equals(other.table.to_arrow())
    searched, published = space.summary(genome[None], True), outcome.summary(schema)
    for name in ("nwp", "necd", "entropy", "k", "class-gini", "class-variance", "dm"):
        measure = fv.measures.get(name)
        assert measure.of(searched) == pytest.approx(measure.of(published), abs=1e-9), name
    assert all(not recipe.strays(outcome.table.column(name)) for name in schema.quasi)


# the optimizer


def test_the_papers_selection():
    f = np.array([[0.5, -1], [0.4, -3], [0.1, 2], [0.2, 2], [0.1, 5], [0.1, 2]])
    rank, crowding = np.array([1.0, 0, 0, 1, 1, 0]), np.array([1.0, 1, 1, 1, 1, 5])
    pairs = np.array([[0, 1], [0, 2], [2, 0], [2, 3], [4, 3], [2, 5]])
    won = winners(pairs, standing_of(f, rank, crowding), np.random.default_rng(0))
    # by rank; the feasible one, twice; by ach; by shortfall; by crowding
    assert won.tolist() == [1, 0, 0, 2, 3, 5]


def test_undecided_tournaments_are_drawn():
    f, same = np.zeros((2, 2)), np.zeros(2)
    won = winners(np.tile([0, 1], (400, 1)), standing_of(f, same, same), np.random.default_rng(0))
    assert 140 < won.sum() < 260


def brute_force(explorer: Explorer, wish) -> float:
    every = np.array(list(product([False, True], repeat=explorer.space.bits)))
    places = explorer.evaluator.look(every)
    feasible = places[explorer.evaluator.shortfall[places] <= 0]
    return float(wish.achievement(explorer.evaluator.points[feasible]).min())


@pytest.mark.parametrize("seed", range(3))
def test_it_finds_the_best_of_all_groupings(seed):
    table, schema = small_table(80, seed)
    method = Preferences({"necd": 0.3, "nwp": 0.3}, {"age": 6}, evaluations=4_000, population=40)
    explorer = Explorer(Task.of(table, schema, [fv.KAnonymity(4)]), method)
    best = explorer.solve(method.wish(), seed)
    reached = method.wish().achievement(explorer.evaluator.points[[best]])[0]
    assert reached == pytest.approx(brute_force(Explorer(explorer.task, method), method.wish()))


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("bias", [1.0, 0.02])
def test_the_descent_takes_nothing_from_nsga_2(credit, seed, bias):
    """With the same seed it only goes on from what NSGA-II alone finds, and no more groupings are evaluated in all."""
    task = Task.of(credit.table, credit.schema, [fv.KAnonymity(3)])
    reached = {}
    for polish in (1.0, 0.0):
        method = Preferences({"necd": bias, "nwp": 0.2}, evaluations=1_500, population=20, polish=polish)
        explorer = Explorer(task, method)
        start = len(explorer.evaluator)
        best = explorer.solve(method.wish(), seed)
        reached[polish] = method.wish().achievement(explorer.evaluator.points[[best]])[0]
        assert len(explorer.evaluator) - start <= method.evaluations
        again = Explorer(task, method)
        again.solve(method.wish(), seed + 100)  # what was evaluated before changes nothing
        repeated = again.solve(method.wish(), seed)
        assert (again.evaluator.genomes[repeated] == explorer.evaluator.genomes[best]).all()
    assert reached[1.0] <= reached[0.0]


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 1000), st.integers(2, 6), st.sampled_from([0.05, 0.3, 1.0]), st.sampled_from(["free", "nodes"]))
def test_never_worse_than_the_exact_full_domain_optimum(seed, k, bias, groups):
    table, schema = small_table(40, seed)
    method = Preferences({"necd": bias, "nwp": 0.2}, groups=groups, evaluations=60, population=10, polish=0.2)
    task, wish = Task.of(table, schema, [fv.KAnonymity(k)], seed), method.wish()
    explorer = Explorer(task, method)
    best = explorer.solve(wish, seed)
    evaluator = explorer.evaluator
    # the optimum once more, by another way: every full-domain node from the plain lattice
    frontier = fv.search(table, schema, guards=[fv.KAnonymity(k)])
    exact = wish.achievement(np.column_stack([frontier.values("necd"), frontier.values("nwp")])).min()
    assert wish.achievement(evaluator.points[[explorer.full_domain_best(wish)]])[0] == pytest.approx(exact)
    assert wish.achievement(evaluator.points[[best]])[0] <= exact + 1e-12
    assert evaluator.shortfall[best] <= 0


def test_every_group_is_a_node_where_asked(credit):
    method = Preferences({"necd": 0.5, "nwp": 0.2}, groups="nodes", **QUICK)
    frontier = fv.search(credit.table, credit.schema, guards=[fv.KAnonymity(3)], method=method)
    levels = credit.schema.bind(credit.table)
    recipe = frontier.recipe(0)
    assert isinstance(recipe, FreeGrouping)
    for name, groups in recipe.groups.items():
        known = {str(label) for labels in levels[name].labels for label in labels}
        assert set(groups.labels) <= known


@given(st.integers(0, 10_000))
@settings(max_examples=25, deadline=None)
def test_repair_leaves_what_is_right(seed):
    table, schema = small_table()
    space = GroupingSpace.of(Task.of(table, schema, [fv.KAnonymity(2)]), {"age": 5})
    repair = respect_nodes(space)
    genomes = np.random.default_rng(seed).random((5, space.bits)) < 0.2
    once = repair(genomes)
    assert (repair(once) == once).all()
    assert (once >= genomes).all()  # it only ever cuts
    for genome in once:
        for name, codes in space.groups(genome).items():
            levels = space.domains[name].levels.codes
            nodes = {tuple(np.flatnonzero(row == code)) for row in levels for code in set(row.tolist())}
            assert {tuple(np.flatnonzero(codes == code)) for code in set(codes.tolist())} <= nodes


# guards and releases


@pytest.mark.parametrize(
    "guards",
    [
        [fv.KAnonymity(3)],
        [fv.KAnonymity(3, suppression=0.1)],
        [fv.KAnonymity(2), fv.DistinctDiversity(2)],
        [fv.TCloseness(0.25)],
        [fv.KAnonymity(3, suppression=0.1), fv.EntropyDiversity(1.5)],
    ],
    ids=lambda guards: "+".join(guard.kind for guard in guards),
)
def test_releases_keep_their_guards(guards, tmp_path):
    table, schema = small_table(120, 3)
    method = Preferences({"necd": 0.5, "nwp": 0.3}, granularity={"age": 5}, evaluations=400, population=20)
    frontier = fv.search(table, schema, guards=guards, method=method, measures=["nwp", "necd"])
    for position in range(min(len(frontier), 4)):
        release = frontier.release(position)
        assert release.holds
        assert release.measures["nwp"] == pytest.approx(frontier.values("nwp")[position])
        assert release.measures["necd"] == pytest.approx(frontier.values("necd")[position])
    frontier.release(0).save(tmp_path / "out", accept=ANY_DANGER)
    assert fv.verify(tmp_path / "out")


def test_alpha_protection_is_kept(credit):
    method = Preferences({"necd": 0.5, "nwp": 0.3}, evaluations=300, population=20)
    guards = [fv.KAnonymity(3), fv.AlphaProtection(1.2, measure="slift", min_support=0.05)]
    frontier = fv.search(credit.table, credit.schema, guards=guards, method=method)
    plain = fv.search(credit.table, credit.schema, guards=guards[:1], method=method)
    assert all(frontier.release(position).holds for position in range(min(len(frontier), 3)))
    assert not guards[1].verdict(
        classes_of(plain.release(0).table, credit.schema)[0], credit.schema
    )  # it costs something
    assert frontier.values("nwp")[0] > plain.values("nwp")[0]


def test_candidate_0_is_the_solution_of_choice(credit):
    method = Preferences({"necd": 0.3, "nwp": 0.3}, **QUICK)
    frontier = fv.search(credit.table, credit.schema, guards=[fv.KAnonymity(3)], method=method)
    assert frontier.nearest_position({"necd": 0.3, "nwp": 0.3}) == 0
    points = np.column_stack([frontier.values("necd"), frontier.values("nwp")])
    assert efficiency(points)[0] == "strong"
    assert any("a better one may exist" in note for note in frontier.notes)
    assert not frontier.exhaustive


def test_same_seed_same_release(credit, tmp_path, monkeypatch):
    method = Preferences({"necd": 0.3, "nwp": 0.3}, **QUICK)
    for threads in ("1", "2"):
        monkeypatch.setenv("FAIRVEIL_THREADS", threads)
        frontier = fv.search(credit.table, credit.schema, guards=[fv.KAnonymity(3)], method=method, seed=7)
        frontier.release(0).save(tmp_path / threads)
    for name in ("data.csv", "recipe.json", "evidence.json"):
        assert (tmp_path / "1" / name).read_bytes() == (tmp_path / "2" / name).read_bytes()


def test_three_objectives_with_one_that_looks_at_the_decision(credit):
    method = Preferences({"class-gini": 0.4, "nwp": 0.3, "cm": 0.3}, evaluations=200, population=10)
    frontier = fv.search(credit.table, credit.schema, guards=[fv.KAnonymity(3)], method=method)
    wish = method.wish()
    points = np.column_stack([frontier.values(name) for name in wish.names])
    assert wish.choose(points, frontier.values("k")) == 0


def test_infeasible_says_why():
    table, schema = small_table(30)
    with pytest.raises(Infeasible, match="distinct-diversity"):
        fv.search(table, schema, guards=[fv.DistinctDiversity(4)], method=Preferences(**QUICK))


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ({"groups": "fre"}, "did you mean 'free'"),
        ({"evaluations": 0}, "evaluations must be an integer"),
        ({"mutation": 2.0}, "mutation must be a number from 0 to 1"),
        ({"aspirations": {"nwpp": 0.1}}, "did you mean 'nwp'"),
    ],
)
def test_bad_settings_are_refused(setting, message):
    with pytest.raises(BadInput, match=message):
        Preferences(**setting)


@pytest.mark.parametrize(("measure", "message"), [("gh", "counts levels"), ("cm", "needs a decision column")])
def test_measures_that_have_no_value_here_are_refused(measure, message):
    table, schema = small_table()
    with pytest.raises(BadInput, match=message):
        method = Preferences({measure: 0.5}, ideal={"gh": 0})
        fv.search(table, schema, guards=[fv.KAnonymity(2)], method=method)


def test_a_plan_can_spell_it_out():
    method = Preferences({"nwp": 0.1}, {"age": 5}, groups="nodes")
    assert from_dict(method.to_dict()) == method


def test_progress_can_cancel():
    table, schema = small_table()
    with pytest.raises(fv.Cancelled):
        fv.search(table, schema, guards=[fv.KAnonymity(2)], method=Preferences(**QUICK), progress=lambda *_: False)


# what other guards allow, by brute force in plain Python


def groupings_of(size: int) -> list[tuple[int, ...]]:
    """The group of each of the values in a row, every way to cut them."""
    return [
        tuple(int(group) for group in np.concatenate([[0], np.cumsum(cuts)]))
        for cuts in product((0, 1), repeat=size - 1)
    ]


def plain_cases(seed: int) -> tuple[Table, Schema, list[dict[str, str]]]:
    """Three small columns in the order of their hierarchies, a sensitive and a protected one, a decision."""
    rng = np.random.default_rng(seed)
    rows = [
        {
            "a": str(rng.choice(list("wxyz"))), "b": str(rng.choice(list("pqr"))), "sex": str(rng.choice(["f", "m"])),
            "ill": str(rng.choice(["flu", "cold", "gout"], p=[0.6, 0.3, 0.1])),
        }
        for _ in range(70)
    ]  # fmt: skip
    for row in rows:
        row["good"] = "yes" if rng.random() < 0.35 + 0.3 * (row["sex"] == "m") + 0.15 * (row["a"] in "wx") else "no"
    flat = {
        name: hierarchy.from_rows([(value, "*") for value in values])
        for name, values in {"a": "wxyz", "b": "pqr", "sex": ("f", "m")}.items()
    }
    table = Table.from_frame(pa.table({name: [row[name] for row in rows] for name in rows[0]}))
    return table, Schema(quasi=["a", "b", "sex"], sensitive=["ill"], protected=["sex"], decision="good", denied="no",
                         hierarchies=flat), rows  # fmt: skip


def close_enough(published: list[tuple[int, ...]], rows: list[dict[str, str]], t: float) -> bool:
    """t-closeness by its definition, every two values of the sensitive column one apart."""

    def shares(chosen: list[dict[str, str]]) -> dict[str, float]:
        return {value: sum(row["ill"] == value for row in chosen) / len(chosen) for value in ("flu", "cold", "gout")}

    whole = shares(rows)
    for shown in set(published):
        own = shares([row for row, group in zip(rows, published, strict=True) if group == shown])
        if sum(abs(own[value] - whole[value]) for value in whole) / 2 > t + 1e-9:
            return False
    return True


def protective(published: list[tuple[int, ...]], rows: list[dict[str, str]], alpha: float) -> bool:
    """slift of sex=s, B → good=no for every context B of published groups of a and b, by its definition."""
    for context in product(*({None, *(shown[place] for shown in published)} for place in (0, 1))):
        inside = [
            (shown[2], row["good"] == "no")
            for shown, row in zip(published, rows, strict=True)
            if all(asked is None or asked == shown[place] for place, asked in enumerate(context))
        ]
        if len({shown for shown, _ in inside}) < 2:
            continue  # sex is not published apart, or nobody of the other sex is there: no contrast
        for sex in {shown for shown, _ in inside}:
            own = [bad for shown, bad in inside if shown == sex]
            rest = [bad for shown, bad in inside if shown != sex]
            p1, p2 = sum(own) / len(own), sum(rest) / len(rest)
            if p1 > 0 and (p2 == 0 or p1 / p2 >= alpha - 1e-12):
                return False
    return True


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("promise", ["t-closeness", "alpha-protection"])
def test_other_guards_as_constraints_against_brute_force(promise: str, seed: int) -> None:
    table, schema, rows = plain_cases(seed)
    guard = {
        "t-closeness": fv.TCloseness(0.25),
        "alpha-protection": fv.AlphaProtection(1.6, "slift", min_support=1, contexts=("quasi",)),
    }[promise]
    method = Preferences({"necd": 0.4, "nwp": 0.4}, evaluations=2_000)
    explorer = Explorer(Task.of(table, schema, [fv.KAnonymity(3), guard]), method)
    wish, best = method.wish(), np.inf
    values = {"a": "wxyz", "b": "pqr", "sex": "fm"}
    feasible = 0
    for groups in product(*(groupings_of(len(values[name])) for name in values)):
        maps = {name: dict(zip(values[name], of, strict=True)) for (name, of) in zip(values, groups, strict=True)}
        published = [tuple(maps[name][row[name]] for name in values) for row in rows]
        sizes = [published.count(shown) for shown in set(published)]
        keeps = close_enough(published, rows, 0.25) if promise == "t-closeness" else protective(published, rows, 1.6)
        if min(sizes) < 3 or not keeps:
            continue
        feasible += 1
        loss = np.mean([
            (groups[place].count(shown[place]) - 1) / (len(values[name]) - 1)
            for shown in published for place, name in enumerate(values)
        ])  # fmt: skip
        best = min(best, wish.achievement(np.array([[(max(sizes) - min(sizes)) / len(rows), loss]]))[0])
    place = explorer.solve(wish, 0)
    assert wish.achievement(explorer.evaluator.points[[place]])[0] == pytest.approx(best)
    assert (explorer.evaluator.shortfall <= 0).sum() == feasible


# how good it can be at best


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 1000), st.integers(2, 8), st.sampled_from([0.0, 0.1]), st.sampled_from([1, 4, 64]))
def test_no_grouping_is_below_the_bound(seed, k, suppression, effort):
    table, schema = small_table(50, seed)
    method = Preferences({"necd": 1.0, "nwp": 0.2}, {"age": 10}, evaluations=5_000)
    explorer = Explorer(Task.of(table, schema, [fv.KAnonymity(k, suppression=suppression)]), method)
    optimum = brute_force(explorer, method.wish())
    assert least_achievement(explorer.space, method.wish(), effort) <= optimum + 1e-9


def test_the_bound_of_all_columns_together_is_the_optimum():
    """Every grouping of the small column is tried beside the best one of the large: nothing is left to relax."""
    table, schema = small_table(60, 1)
    method = Preferences({"nwp": 0.2}, {"age": 10}, evaluations=5_000)
    explorer = Explorer(Task.of(table, schema, [fv.KAnonymity(4)]), method)
    optimum = brute_force(explorer, method.wish())
    assert least_achievement(explorer.space, method.wish(), 64) == pytest.approx(optimum)
    assert least_achievement(explorer.space, method.wish(), 1) < optimum
