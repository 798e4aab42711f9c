"""The population kernel counts what plain NumPy counts, and both kernels keep to the definitions."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairveil import datasets, measures
from fairveil.counting.kernels import node_summary
from fairveil.data.schema import Schema
from fairveil.data.table import Table
from fairveil.guards import KAnonymity
from fairveil.methods.lattice_nodes import summarize, summarize_each
from fairveil.methods.preferences import population_kernels as kernel
from fairveil.methods.preferences.evaluator import OF_CLASSES, Evaluator
from fairveil.methods.preferences.grouping_space import GroupingSpace
from fairveil.methods.task import Task
from tests.counting.kernels.calling import from_python

SIZE_GAPS = from_python(node_summary.size_gaps)


def space_of(columns: dict[str, list[int]], k: int = 2, suppression: float = 0.0) -> GroupingSpace:
    table = Table.from_frame(pa.table(columns))
    schema = Schema(quasi=list(columns), weights={name: i + 1.0 for i, name in enumerate(columns)})
    return GroupingSpace.of(Task.of(table, schema, [KAnonymity(k, suppression)]), {})


def twin(space: GroupingSpace, genome: np.ndarray, k: int, budget: int) -> dict[str, float]:
    """Smallest and largest class, effective k and NWP, from the rows, by definition."""
    table, schema = space.task.table, space.task.schema
    groups = space.groups(genome)
    published = np.column_stack([groups[name][table.column(name).codes] for name in groups])
    _, ids, sizes = np.unique(published, axis=0, return_inverse=True, return_counts=True)
    ec = sizes[ids.ravel()]
    left_out = ec < k if (ec < k).sum() <= budget else np.zeros(len(ec), dtype=bool)
    penalty = np.zeros(len(ec))
    for name, codes in groups.items():
        width = np.bincount(codes)[codes[table.column(name).codes]]
        penalty += schema.loss_weight(name) * (width - 1) / max(space.domains[name].size - 1, 1)
    kept = ec[~left_out]
    lost = np.cumsum(np.bincount(ec, minlength=k + 1)[:k])
    effective = int(np.argmax(lost > budget)) if lost[-1] > budget else kept.min() if len(kept) else k
    gaps = np.abs(kept[:, None] - kept[None, :]).sum()
    return {
        "nwp": np.where(left_out, 1.0, penalty).mean(),
        "necd": (kept.max(initial=0) - kept.min(initial=len(ec)) * bool(len(kept))) / max(len(ec) - 1, 1),
        "class-gini": gaps / (2 * len(kept) * kept.sum()) if len(kept) else 0.0,
        "class-variance": (kept.var() if len(kept) else 0.0) / max((len(ec) - 1) / 2, 0.5) ** 2,
        "effective": effective,
    }


@st.composite
def cases(draw):
    rows = draw(st.integers(2, 30))
    columns = {
        f"c{i}": draw(st.lists(st.integers(0, draw(st.integers(1, 6))), min_size=rows, max_size=rows))
        for i in range(draw(st.integers(1, 4)))
    }
    return columns, draw(st.integers(2, min(5, rows))), draw(st.sampled_from([0.0, 0.2, 0.6])), draw(st.integers(0, 99))


@settings(max_examples=60, deadline=None)
@given(cases())
def test_it_counts_what_numpy_counts(case):
    columns, k, suppression, seed = case
    space = space_of(columns, k, suppression)
    genomes = np.random.default_rng(seed).random((6, space.bits)) < 0.5
    names = ["nwp", "necd", "class-gini", "class-variance"]
    evaluator = Evaluator(space, names)
    assert evaluator.compiled
    places = evaluator.look(genomes)
    for genome, place in zip(genomes, places, strict=True):
        expected = twin(space, genome, k, space.task.budget)
        points = dict(zip(names, evaluator.points[place], strict=True))
        assert points == pytest.approx({name: expected[name] for name in names}, abs=1e-9)
        assert evaluator.k[place] == expected["effective"]
        assert (evaluator.shortfall[place] <= 0) == (expected["effective"] >= k)


@pytest.mark.parametrize("suppression", [0.0, 0.05])
@pytest.mark.parametrize("cuts", [0.0, 0.05, 0.4, 0.95, 1.0])
def test_genomes_counted_together_are_counted_as_alone(cuts, suppression):
    rng = np.random.default_rng(5)
    space = space_of({name: (rng.gamma(2, 4, 500) // 1).tolist() for name in "abcd"}, 3, suppression)
    base = rng.random(space.bits) < cuts
    genomes = np.concatenate([base ^ np.eye(space.bits, dtype=bool), base ^ (rng.random((60, space.bits)) < 0.1)])
    evaluator = Evaluator(space, ["class-gini"])
    summary, effective = evaluator.describe(genomes)
    for i, genome in enumerate(genomes):
        alone, alone_effective = evaluator.describe(genome[None])
        assert effective[i] == alone_effective[0]
        for name in ("classes", "smallest", "largest", "squares", "gaps", "unique", "exposed", "loss"):
            np.testing.assert_array_equal(getattr(summary, name)[i], getattr(alone, name)[0], err_msg=name)


def test_keys_too_many_for_an_array_are_hashed():
    rng = np.random.default_rng(1)
    columns = {name: rng.integers(0, 90, 400).tolist() for name in ("a", "b", "c")}
    space = space_of(columns)
    assert np.prod([domain.size for domain in space.domains.values()]) > kernel.DENSE
    genomes = np.stack([np.ones(space.bits, dtype=bool), rng.random(space.bits) < 0.02])
    evaluator = Evaluator(space, ["nwp", "necd"])
    for genome, place in zip(genomes, evaluator.look(genomes), strict=True):
        expected = twin(space, genome, 2, 0)
        assert evaluator.points[place] == pytest.approx([expected["nwp"], expected["necd"]])
        assert evaluator.k[place] == expected["effective"]


def test_every_measure_of_classes_agrees_with_the_general_way():
    credit = datasets.german_credit()
    task = Task.of(credit.table, credit.schema, [KAnonymity(3, suppression=0.05)])
    space = GroupingSpace.of(task, {})
    genomes = np.random.default_rng(0).random((20, space.bits)) < 0.05
    names = sorted(OF_CLASSES)
    evaluator = Evaluator(space, names)
    places = evaluator.look(genomes)
    node_summary = space.summary(genomes, True)
    feasible = evaluator.shortfall[places] <= 0
    assert feasible.any()
    for position, name in enumerate(names):
        general = measures.get(name).of(node_summary)
        assert evaluator.points[places][feasible, position] == pytest.approx(general[feasible]), name


def test_the_number_of_threads_does_not_matter(monkeypatch):
    credit = datasets.german_credit()
    space = GroupingSpace.of(Task.of(credit.table, credit.schema, [KAnonymity(3)]), {})
    genomes = np.random.default_rng(0).random((64, space.bits)) < 0.1
    answers = []
    for threads in ("1", "3"):
        monkeypatch.setenv("FAIRVEIL_THREADS", threads)
        evaluator = Evaluator(space, ["nwp", "necd"])
        places = evaluator.look(genomes)
        answers.append(evaluator.points[places])
    assert (answers[0] == answers[1]).all()


def test_keys_beyond_64_bits_are_grouped_column_after_column(monkeypatch):
    credit = datasets.german_credit()
    space = GroupingSpace.of(Task.of(credit.table, credit.schema, [KAnonymity(3)]), {})
    genomes = np.random.default_rng(0).random((10, space.bits)) < 0.1
    names = sorted(OF_CLASSES)
    compiled = Evaluator(space, names)
    monkeypatch.setattr(GroupingSpace, "packs", False)
    plain = Evaluator(space, names)
    assert plain.one_by_one
    places, others = compiled.look(genomes), plain.look(genomes)
    assert plain.points[others] == pytest.approx(compiled.points[places])
    assert (plain.k[others] == compiled.k[places]).all()


def test_a_genome_is_evaluated_once():
    space = space_of({"a": [1, 2, 3, 4], "b": [1, 1, 2, 2]})
    evaluator = Evaluator(space, ["nwp", "necd"])
    genomes = np.array([[True, False, True, False]] * 3 + [[False] * 4])
    assert evaluator.look(genomes).tolist() == [0, 0, 0, 1]
    assert evaluator.look(genomes[2:]).tolist() == [0, 1]
    assert (len(evaluator), evaluator.asked) == (2, 6)


@given(st.lists(st.integers(1, 40), max_size=20), st.integers(1, 10))
def test_size_gaps(sizes, k):
    kept = [n for n in sizes if n >= k]
    expected = sum(a * b * abs(a - b) for a in kept for b in kept)
    assert SIZE_GAPS(np.array(sizes, dtype=np.int64), k) == expected


@pytest.mark.parametrize("suppression", [0.0, 0.1])
def test_compiled_and_plain_summaries_agree_on_class_sizes(suppression):
    credit = datasets.german_credit()
    task = Task.of(credit.table, credit.schema, [KAnonymity(3, suppression)])
    nodes = task.lattice.anonymous(3, task.budget)[:40]
    compiled, plain = summarize(task, nodes, True), summarize_each(task, task.lattice, nodes)
    for name in ("squares", "cubes", "gaps"):
        assert getattr(compiled, name) == pytest.approx(getattr(plain, name)), name
    for name in ("class-gini", "class-variance"):
        values = measures.get(name).of(compiled)
        assert ((values >= 0) & (values <= 1)).all()
