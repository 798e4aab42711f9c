"""Presets: what they put into a plan, and what they refuse."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv
import pytest

import fairveil as fv
from fairveil.data.hierarchy.zip3 import SMALL
from fairveil.run.plan.presets import PRESETS

HEAD = 'format = 1\npreset = "{}"\n[source]\npath = "people.csv"\n[schema]\nquasi = ["sex"]\nplain = ["weight"]\n'
GUARD = '[[guards]]\nkind = "k-anonymity"\nk = {}\n'
NAMES = ["Ada Byron", "Alan Turing", "Grace Hopper", "Edsger Dijkstra", "Donald Knuth", "Barbara Liskov"]


@pytest.fixture
def people(tmp_path: Path) -> Path:
    rows = 240
    table = pa.table({
        "name": [f"{NAMES[i % 6]} {'abcdefghij'[i % 10] * 3}" for i in range(rows)],
        "email": [f"p{i}@example.org" for i in range(rows)],
        "ssn": [f"{100 + i:03d}-{10 + i % 80}-{1000 + i}" for i in range(rows)],
        "zip": [("02139", "03601", "10027", "89301")[i % 4] for i in range(rows)],
        "age": [20 + i % 76 for i in range(rows)],
        "admission": [date(2020 + i % 3, 1 + i % 12, 1 + i % 28) for i in range(rows)],
        "date_of_birth": [date(1920 + i % 80, 1 + i % 12, 1 + i % 28) for i in range(rows)],
        "sex": ["f" if i % 2 else "m" for i in range(rows)], "weight": [50 + i % 40 for i in range(rows)],
    })  # fmt: skip
    pa.csv.write_csv(table, tmp_path / "people.csv")
    return tmp_path


LEAST = {"ema-0070": 12, "cell-count": 11, "cell-count-3": 3, "cell-count-5": 5, "cell-count-10": 10}


@pytest.mark.parametrize(("preset", "k"), LEAST.items())
def test_a_rule_on_counts_becomes_a_guard_that_the_plan_shows(people: Path, preset: str, k: int) -> None:
    lines = 'identifier = ["name", "email", "ssn"]\ndrop = ["zip", "age", "admission", "date_of_birth"]\n'
    text = HEAD.format(preset) + lines
    plan = fv.Plan.from_toml(text, people)
    assert plan.guards == (fv.KAnonymity(k),)
    assert f"k = {k}" in plan.to_toml() and "preset" not in plan.to_toml()
    assert fv.Plan.from_toml(plan.to_toml(), people) == plan
    assert fv.Plan.from_toml(text + GUARD.format(k + 1), people).guards == (fv.KAnonymity(k + 1),)
    with pytest.raises(fv.BadInput, match=f"preset {preset} needs k-anonymity with k of at least {k}, not {k - 1}"):
        fv.Plan.from_toml(text + GUARD.format(k - 1), people)


def test_the_highest_risk_of_ema_is_below_its_limit() -> None:
    assert 1 / 12 < 0.09 < 1 / 11


def test_safe_harbor_is_a_rule_on_columns(people: Path, tmp_path: Path) -> None:
    plan = fv.Plan.from_toml(HEAD.format("hipaa-safe-harbor") + GUARD.format(5), people)
    schema = plan.schema
    assert schema is not None and schema.quasi == ("sex",)
    assert set(schema.identifier) == {"name", "email", "ssn", "date_of_birth"}
    assert dict(schema.levels) == {"zip": 1, "age": 1, "admission": 1}
    shown = plan.to_toml()
    assert all(text in shown for text in ('kind = "zip3"', '"036"', "Census 2000", "above = [90]", 'steps = ["year"]'))
    assert fv.Plan.from_toml(shown, people) == plan
    table = plan.run(progress=False).table
    values: dict[str, set[Any]] = {name: {str(value) for value in table.column(name).domain} for name in table.names}
    assert set(values) == {"zip", "age", "admission", "sex", "weight"}
    assert values["zip"] == {"021", "000", "100"} and values["admission"] == {"2020", "2021", "2022"}
    assert values["age"] == {*map(str, range(20, 90)), "90+"}


def test_safe_harbor_promises_no_k(people: Path) -> None:
    with pytest.raises(fv.BadInput, match="no guard is given"):
        fv.Plan.from_toml(HEAD.format("hipaa-safe-harbor"), people)
    assert "not k" in PRESETS["hipaa-safe-harbor"]


def test_the_list_of_postcodes_can_be_replaced() -> None:
    assert fv.hierarchy.zip3().paths(["03601", 893, "02139"])[0] == [["000", "*"], ["008", "*"], ["021", "*"]]
    newer = fv.hierarchy.zip3(["021"], dated="Census 2020")
    assert newer.paths(["02139", "03601"])[0] == [["000", "*"], ["036", "*"]]
    assert len(SMALL) == 17
    with pytest.raises(fv.BadInput, match="three digits each, not '21'"):
        fv.hierarchy.zip3(["21"])


def test_an_unknown_preset_is_refused_by_name(people: Path) -> None:
    with pytest.raises(fv.BadInput, match="no preset 'ema-70': did you mean 'ema-0070'"):
        fv.Plan.from_toml(HEAD.format("ema-70") + GUARD.format(5), people)


@pytest.mark.parametrize("preset", ["ema-0070", "cell-count", "cell-count-3", "cell-count-5", "cell-count-10"])
@pytest.mark.parametrize("sets", ['keys = ["sex+race"]', "subsets = 2", "subsets = 1"])
def test_a_promise_on_key_sets_is_not_the_one_of_a_preset(preset: str, sets: str) -> None:
    """Which is about all quasi columns together, and is added beside it."""
    start = f'format = 1\npreset = "{preset}"\n[source]\ndataset = "adult"\n'
    plan = fv.Plan.from_toml(f'{start}[[guards]]\nkind = "k-anonymity"\nk = 50\n{sets}\n')
    (whole,) = (guard for guard in plan.guards if isinstance(guard, fv.KAnonymity) and guard.on_all)
    assert [whole] == list(fv.Plan.from_toml(start).guards)
    assert len(plan.guards) == 2


def test_safe_harbor_drops_places_and_numbers_however_few_there_are_and_leaves_states(tmp_path: Path) -> None:
    """Fifteen patients with several visits each, in three cities of thirty states."""
    rows, states = 300, [f"State {chr(65 + i)}{'abc'[i % 3]}" for i in range(30)]
    table = pa.table({
        "mrn": [f"M{i % 15:05d}" for i in range(rows)], "account": [f"AC-{i % 15}" for i in range(rows)],
        "city": [("Albany", "Troy", "Utica")[i % 3] for i in range(rows)],
        "County": [("Kings", "Cook")[i % 2] for i in range(rows)], "home_street": ["Main St", "Oak Ave"] * 150,
        "precinct": [i % 4 for i in range(rows)], "state": [states[i % 30] for i in range(rows)],
        "birth_country": [f"Land {'abcdefghijklmnopqrstuvwxyz'[i % 26]}" for i in range(rows)],
        "city_size": ["small", "large"] * 150, "has_phone": ["yes", "no"] * 150,
        "home": [i % 15 // 2 for i in range(rows)],
    })  # fmt: skip
    pa.csv.write_csv(table, tmp_path / "visits.csv")
    start = 'format = 1\npreset = "hipaa-safe-harbor"\n[source]\npath = "visits.csv"\n[schema]\n'
    quasi = 'quasi = ["state", "birth_country", "city_size", "has_phone"]\n'
    places = {"city", "County", "home_street", "precinct"}
    plan = fv.Plan.from_toml(start + quasi + 'drop = ["home"]\n' + GUARD.format(2), tmp_path)
    assert plan.schema is not None and set(plan.schema.identifier) == {*places, "mrn", "account"}
    assert plan.schema.quasi == ("state", "birth_country", "city_size", "has_phone")
    roles = 'person = "mrn"\nhousehold = "home"\npseudonyms = ["mrn"]\n'
    plan = fv.Plan.from_toml(start + quasi + roles + GUARD.format(2), tmp_path)
    assert plan.schema is not None and set(plan.schema.identifier) == {*places, "account"}
    assert (plan.schema.person, plan.schema.household, plan.schema.pseudonyms) == ("mrn", "home", ())
    published = plan.run(progress=False)
    assert published.verdicts[0].unit == "persons" and set(published.table.names) == {*plan.schema.quasi}
