"""Plans with anything wrong in them: every value of the wrong type or size is named before any work."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv
import pytest

import fairveil as fv
from fairveil.errors import BadInput, Infeasible
from fairveil.guards import GUARDS
from fairveil.methods import METHODS
from fairveil.toml import dumps
from tests.contracts.people import QUICK, source
from tests.fuzzing.mutations import TOML_VALUES, mutated

GUARDS_OF: dict[str, dict[str, Any]] = {
    "k-anonymity": {"k": 3, "suppression": 0.1},
    "distinct-diversity": {"l": 2, "sensitive": ["illness"]},
    "entropy-diversity": {"l": 1.5},
    "recursive-diversity": {"c": 3.0, "l": 2},
    "known-decision": {"k": 2},
    "t-closeness": {"t": 0.9, "distance": "equal"},
    "alpha-protection": {"alpha": 3.0, "measure": "slift", "min_support": 0.2, "granularity": 2, "contexts": []},
    "no-redlining": {"alpha": 3.0, "knowledge": ["zip -> sex"], "confidence": 0.5},
    "situation-testing": {"legal": ["zip"], "k": 2, "threshold": 0.2, "limit": 1.0},
    "k-map": {"k": 5, "significance": 0.05, "suppression": 0.1},
    "delta-presence": {"maximum": 0.5, "minimum": 0.0},
    "risk-limit": {"measure": "individual-risk", "maximum": 0.5},
}
HIERARCHIES: list[dict[str, Any]] = [
    {"kind": "intervals", "edges": [20, 40, 60], "widths": [10, 20], "open_ended": False},
    {"kind": "intervals", "levels": [[20, 30, 40, 60], [20, 40, 60]]},
    {"kind": "top-code", "above": [50, 40], "below": [25]},
    {"kind": "grouping", "order": list(range(20, 60)), "sizes": [2, 4]},
    {"kind": "mask", "length": 2, "steps": [1, 2], "side": "right", "sign": "*"},
    {"kind": "tree", "rows": [[str(age), "young" if age < 40 else "old", "*"] for age in range(20, 60)]},
    {"kind": "tree", "tree": {"*": {"young": list(range(20, 40)), "old": list(range(40, 60))}}},
    {"kind": "dates", "steps": ["year"]},
    {"kind": "csv", "path": "age.csv", "separator": ";"},
    {"kind": "prefixes", "lengths": [1]},
    {"kind": "frequent", "levels": [[20, 21], [20]]},
    {"kind": "zip3", "small": ["036"], "dated": "2020"},
    {"kind": "suppress"},
]


def plans() -> Iterator[dict[str, Any]]:
    base: dict[str, Any] = {
        "format": 1, "seed": 1, "choose": "loss", "measures": ["k"], "source": {
            "path": "people.csv", "missing": "category", "missing_values": ["?"], "text": ["zip"], "separator": ",",
        },
        "schema": {"identifier": ["name"], "quasi": ["zip", "age", "sex"], "protected": ["sex"],
                   "sensitive": ["illness"], "decision": "credit", "denied": "no", "weights": {"age": 2.0}},
        "population": {"fraction": 0.1},
        "output": {"format": "csv", "order": "sorted"},
        "utility": {"test": 0.3, "classifiers": ["tree"], "queries": 5, "resamples": 5, "seed": 3},
    }  # fmt: skip
    kinds = sorted(METHODS.names)
    for number, guard in enumerate(GUARDS.names):
        for place, rule in enumerate(HIERARCHIES):
            method = kinds[(number * len(HIERARCHIES) + place) % len(kinds)]
            settings = {name: list(v) if isinstance(v, tuple) else v for name, v in QUICK.get(method, {}).items()}
            yield {**base, "hierarchies": {"age": rule}, "guards": [{"kind": guard, **GUARDS_OF.get(guard, {})}],
                   "method": {"kind": method, **settings}}  # fmt: skip


@pytest.fixture
def home(tmp_path: Path) -> Path:
    pa.csv.write_csv(source(), tmp_path / "people.csv")
    (tmp_path / "age.csv").write_text("".join(f"{age};x;*\n" for age in range(20, 60)))
    return tmp_path


def read(text: str, home: Path) -> str | None:
    """What comes out of a plan besides a plan or a sentence."""
    try:
        plan = fv.Plan.from_toml(text, home)
        plan.to_toml()
        if plan.schema is not None:
            plan.schema.bind(plan.data[0])
    except (BadInput, Infeasible) as problem:
        return None if str(problem) and "\n" not in str(problem) else f"it says {str(problem)[:200]!r}"
    except Exception as problem:
        return f"{type(problem).__name__}: {str(problem)[:160]}"
    return None


def test_every_guard_and_hierarchy_is_tried(home: Path) -> None:
    assert set(GUARDS_OF) == set(GUARDS.names)
    assert {rule["kind"] for rule in HIERARCHIES} >= set(fv.hierarchy.KINDS.names)
    assert [fault for document in plans() if (fault := read(dumps(document), home))] == []


def test_damaged_plans(home: Path) -> None:
    faults = []
    for number, document in enumerate(plans()):
        for what, damaged in mutated(document, 12, number, TOML_VALUES):
            try:
                text = dumps(damaged)
            except (BadInput, TypeError):  # what no TOML can say
                continue
            if fault := read(text, home):
                faults.append(f"{what}: {fault}")
    assert faults == []


def test_damaged_text(home: Path) -> None:
    rng, faults = random.Random(0), []
    pieces = [
        "[",
        "]",
        "[[",
        "{",
        "}",
        "=",
        '"',
        "'",
        '"""',
        "\n",
        "#",
        ".",
        "inf",
        "nan",
        "-",
        "1e999",
        "true",
        "\x00",
    ]
    pieces += ["0x" + "f" * 6000, "1979-05-27T07:32:00Z", "07:32:00", "1979-05-27", "\\u0000", "a" * 1000, "9" * 5000]
    for document in plans():
        text = dumps(document)
        for _ in range(15):
            at, width = rng.randrange(len(text)), rng.choice((0, 0, 1, 3, 40))
            damaged = text[:at] + rng.choice(pieces) + text[at + width :]
            if fault := read(damaged, home):
                faults.append(f"{damaged[max(at - 30, 0) : at + 30]!r}: {fault}")
    assert faults == []
