"""A share of `make soak` in every run: random releases, checked from their files by code that knows no fairveil."""

from __future__ import annotations

import ast
from pathlib import Path
from types import ModuleType
from typing import ClassVar

import pytest

from tests.soak import persons, plain
from tests.soak.cases import QUICK
from tests.soak.trial import trial

FIRST, GROUP, GROUPS = 1_000_000, 20, 10


@pytest.mark.parametrize("group", range(GROUPS))
def test_random_releases_keep_every_promise(group: int) -> None:
    results = [trial(seed) for seed in range(FIRST + group * GROUP, FIRST + (group + 1) * GROUP)]
    assert [(result.case, result.faults) for result in results if result.faults] == []
    assert sum(result.what == "released" for result in results) > GROUP / 2


def test_every_method_is_tried() -> None:
    from fairveil.methods import METHODS

    assert set(QUICK) == {method.kind for method in METHODS}


@pytest.mark.parametrize("checks", [plain, persons])
def test_the_checks_share_nothing_with_the_product(checks: ModuleType) -> None:
    tree = ast.parse(Path(str(checks.__file__)).read_text(encoding="utf-8"))
    imported = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    imported |= {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert not [name for name in imported - {persons.__name__} if name.startswith(("fairveil", "tests"))]


class TestThePlainChecksFindWhatIsBroken:
    """The checks themselves, on folders that break a promise: a check that finds nothing is no check."""

    rows: ClassVar = [dict(zip("qsy", row, strict=True)) for row in ("anf", "anf", "bmf", "bfy")]
    promise = plain.Promise(["q"], sensitive=["s"], protected=["q"], decision="y", denied="f")

    @pytest.mark.parametrize(
        "guard",
        [
            {"kind": "k-anonymity", "k": 3},
            {"kind": "distinct-diversity", "l": 2},
            {"kind": "entropy-diversity", "l": 1.5},
            {"kind": "recursive-diversity", "c": 1.0, "l": 2},
            {"kind": "t-closeness", "t": 0.2},
            {"kind": "t-closeness", "t": 0.2, "distance": "ordered"},
            {"kind": "alpha-protection", "alpha": 1.5, "measure": "slift", "min_support": 1},
            {"kind": "situation-testing", "legal": ["s"], "k": 1, "threshold": 0.2, "limit": 0.1},
        ],
        ids=lambda guard: guard["kind"],
    )
    def test_a_broken_guard(self, guard: dict[str, object]) -> None:
        assert plain._whole(self.rows, guard, self.promise)

    def test_projections_that_can_be_joined(self) -> None:
        tables = {
            "projection-1": [{"a": 1, "s": 0}, {"a": 2, "s": 1}] * 2,
            "projection-2": [{"b": 1, "s": 0}, {"b": 1, "s": 1}] * 2,
        }
        promise = plain.Promise(["a", "b"])
        assert not plain._split(tables, {"kind": "k-anonymity", "k": 2}, promise)
        assert plain._split(tables, {"kind": "k-anonymity", "k": 5}, promise)

    @pytest.mark.parametrize(
        "guard",
        [
            {"kind": "k-anonymity", "k": 3},
            {"kind": "k-anonymity", "k": 2, "keys": [["q"], {"columns": ["q"], "k": 3}]},
            {"kind": "distinct-diversity", "l": 2},
            {"kind": "entropy-diversity", "l": 1.5},
            {"kind": "recursive-diversity", "c": 3.0, "l": 2},
            {"kind": "t-closeness", "t": 0.3, "distance": "equal"},
        ],
        ids=lambda guard: guard["kind"],
    )
    def test_a_guard_that_persons_break(self, guard: dict[str, object]) -> None:
        """Five records of two persons in the first class, who both have `n`; nobody in the second has it."""
        rows = [dict(zip("qs", row, strict=True)) | {"row": f"R{at}"} for at, row in enumerate(WITH_PERSONS)]
        who = dict(zip((row["row"] for row in rows), "ppprr" + "xyz", strict=True))
        assert persons.broken_by_persons(rows, guard, ["q"], ["s"], who, linked=False)

    def test_linked_records(self) -> None:
        """Every class has two persons, and nobody has the same classes as somebody else."""
        rows = [{"q": q, "row": f"R{at}"} for at, q in enumerate("abbcca")]
        who, guard = dict(zip((row["row"] for row in rows), "ppqqrr", strict=True)), {"kind": "k-anonymity", "k": 2}
        broken = [persons.broken_by_persons(rows, guard, ["q"], [], who, linked) for linked in (False, True)]
        assert not broken[0] and broken[1]

    @pytest.mark.parametrize(
        ("rows", "guards", "stated"),
        [
            (["R0", "R1", "R2"], [], {"source": 3, "suppressed": 2, "published": 2}),
            (["R0", "R1"], [{"suppression": 0.5}], {"source": 3, "suppressed": 2, "published": 1}),
            (["R0", "R1"], [{"suppression": 0.7}], {"source": 3, "suppressed": 1, "published": 2}),
        ],
        ids=["some of their records", "too many", "another number"],
    )
    def test_persons_who_are_left_out(
        self, rows: list[str], guards: list[dict[str, float]], stated: dict[str, int]
    ) -> None:
        who = dict(zip(("R0", "R1", "R2", "R3", "R4"), "ppqqr", strict=True))
        assert persons.left_out_by_persons([{"row": row} for row in rows], guards, who, True, stated)


WITH_PERSONS = ("an", "am", "ao", "an", "am", "bm", "bo", "bu")
