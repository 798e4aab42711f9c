"""Reports and attacks of releases whose population is known, whose key sets have bounds of their own, or whose persons
are not published: by every method, none of them breaks off."""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import fairveil as fv
from fairveil.guards import GUARDS
from fairveil.methods import METHODS, Method
from tests.contracts.people import ONE_PER_RECIPE, quick
from tests.known import ANY_DANGER

LEVELS = {"age": fv.hierarchy.intervals([0, 8], widths=(2, 4)), "zip": fv.hierarchy.mask(2)}
ROLES = fv.Schema(
    quasi=["age", "zip"], person="who", sensitive=["ill"], protected=["zip"], decision="got", denied="n",
    hierarchies=LEVELS,
)  # fmt: skip
COUNTING = [method for method in METHODS if method.counts_persons]
SETTINGS: dict[str, dict[str, Any]] = {
    "k-anonymity": {"k": 3, "suppression": 0.2}, "distinct-diversity": {"l": 2}, "entropy-diversity": {"l": 1.1},
    "recursive-diversity": {"c": 9.0, "l": 2}, "t-closeness": {"t": 0.8},
}  # fmt: skip


def visits(seed: int = 0, people: int = 30, rows: int = 90) -> pa.Table:
    rng = np.random.default_rng(seed)
    who = rng.integers(0, people, rows)
    return pa.table({
        "who": who, "age": np.minimum(rng.integers(0, 8, people)[who] + rng.integers(0, 2, rows), 7),
        "zip": [f"{a}{b}" for a, b in rng.integers(0, 2, (people, 2))[who]],
        "ill": rng.choice(["flu", "cold", "pox"], rows), "got": rng.choice(["y", "n"], rows),
    })  # fmt: skip


def examine(release: fv.Release, table: pa.Table, folder: Path) -> str:
    """The internal report, once everything else that looks at a release has looked at it."""
    saved = release.save(folder / "release", accept=ANY_DANGER).path
    for looked_at in (release, saved):
        for original in (None, table):
            fv.attack(looked_at, original=original)
    assert str(fv.report(saved))
    return str(fv.report(release, internal=True))


@pytest.mark.parametrize("method", COUNTING, ids=lambda method: method.kind)
@pytest.mark.parametrize("linked", [False, True], ids=["dropped", "published"])
def test_beside_a_register_of_people_with_several_rows(method: type[Method], linked: bool, tmp_path: Path) -> None:
    table = visits()
    register = pa.concat_tables([table, visits(1)]).select(["who", "age", "zip"])
    schema = replace(ROLES, population=fv.Population(register=register), plain=("who",) if linked else ())
    release = fv.search(table, schema, guards=[fv.KAnonymity(2)], method=quick(method)).best("loss")
    assert "Risk in the population" in (page := examine(release, table, tmp_path)) or "is not known" in page


def test_the_owners_report_counts_persons_beside_a_register(tmp_path: Path) -> None:
    table = visits()
    schema = replace(ROLES, population=fv.Population(register=table.select(["who", "age", "zip"])))
    release = fv.search(table, schema, guards=[fv.KAnonymity(3), fv.KMap(3)], method=fv.Incognito()).best("loss")
    page = examine(release, table, tmp_path)  # everybody of the population is in the data, with several records
    assert "Risk in the population" in page and "is not known" not in page


WEIGHTED = {f"{unit}-{published}": (unit, published)
            for unit in ("records", "persons") for published in ("unchanged", "rounded", "recalibrated")}  # fmt: skip


@pytest.mark.parametrize("way", WEIGHTED)
def test_risks_in_the_population_where_no_guard_looks_at_weights(way: str) -> None:
    """By attacker, in the internal report, and, where readers can count whom it is about, in the public one: the same
    figures as those of the candidate. By records, a person's weight would count again for each record."""
    unit, published = WEIGHTED[way]
    table = visits(people=60, rows=60 if unit == "records" else 150)
    who = np.arange(60) if unit == "records" else table["who"].to_numpy()
    table = table.set_column(0, "who", pa.array(who)).append_column("w", pa.array(who % 7 + 2.25))
    role: dict[str, Any] = {"person": "who"} if unit == "persons" else {"drop": ("who",)}
    role |= {"weight": "w", "publish_weight": published}
    schema = replace(ROLES, **{"person": None, **role})
    frontier = fv.search(table, schema, guards=[fv.KAnonymity(2, suppression=0.3)], method=fv.Incognito())
    names = ["journalist-risk", "marketer-risk", "individual-risk"]
    release = frontier.release(0)
    expected = {name: frontier.values(name)[0] for name in names}
    _, journalist, marketer = fv.attacker_risks(release)
    assert (journalist.highest, marketer.average) == pytest.approx((expected[names[0]], expected[names[1]]))
    for internal in (True, False):
        page = str(fv.report(release, internal=internal))
        assert "Risk in the population" in page
        says_so = f"{100 * expected['individual-risk']:.2g}" in page and "individual risk" in page
        assert says_so == (internal or unit == "records")
        assert ("By records they would look smaller" in page) == (not says_so)


KEYED = [guard for guard in GUARDS if "keys" in {field.name for field in fields(guard)}]


@pytest.mark.parametrize(
    "method", [method for method in ONE_PER_RECIPE if method.counts_persons], ids=lambda method: method.kind
)
@pytest.mark.parametrize("guard", KEYED, ids=lambda guard: guard.kind)
def test_attacks_on_releases_with_key_sets(guard: Any, method: type[Method]) -> None:
    keyed = guard(**SETTINGS[guard.kind], keys=[["age"], ["zip"]])
    guards = [keyed] if keyed.by_size else [fv.KAnonymity(2, suppression=0.3), keyed]
    table = visits(people=15, rows=40)
    for schema in (ROLES, replace(ROLES, plain=("who",))):
        try:
            release = fv.search(table, schema, guards=guards, method=quick(method)).release(-1)
        except (fv.Infeasible, fv.BadInput):
            continue
        for original in (None, table):
            assert fv.attack(release, original=original)


def test_attacks_compare_with_what_key_sets_promise() -> None:
    keyed = fv.KAnonymity(3, keys=[["age"], {"columns": ["zip"], "k": 8}])
    release = fv.search(visits(), ROLES, guards=[keyed], method=fv.Incognito()).release(-1)
    assert release.published.k <= 3
    assert fv.attack(release, original=visits()).of("linkage").level == "ok"
