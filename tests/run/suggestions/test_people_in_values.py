"""What values say of people whatever a column is called: names, codes that number them, and what all of them have."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import fairveil as fv
from fairveil.run.suggestions.fitting import fitted
from fairveil.run.suggestions.looks import look_of

ROWS = 600
SURNAMES = [
    "Ashford",
    "Bell",
    "Cole",
    "Dunmore",
    "Evans",
    "Fairley",
    "Garrick",
    "Hollins",
    "Ingram",
    "Jessop",
    "Kirkby",
    "Lomax",
]


def people(**more: object) -> pd.DataFrame:
    """Some columns of a register, and others."""
    rng = np.random.default_rng(3)
    frame = {
        "sex": rng.choice(["f", "m"], ROWS),
        "age": rng.integers(20, 80, ROWS),
        "diagnosis": rng.choice(list("abc"), ROWS),
    }
    return pd.DataFrame(frame | more)


def drawn(*values: str | int) -> np.ndarray:
    return np.random.default_rng(4).choice(values, ROWS)


@pytest.mark.parametrize("name", ["alumno", "Sachbearbeiter", "medecin_traitant", "landlord", "defendant", "x7"])
def test_names_of_people_are_left_out_whatever_the_column_is_called(name: str) -> None:
    plan = fv.init(people(**{name: drawn(*SURNAMES)}), progress=False)
    assert plan.schema is not None and plan.schema.roles(name)[0] in ("identifier", "drop")


@pytest.mark.parametrize(
    "codes", [[f"{n * 7919 % 65536:04x}{n:04x}" for n in range(50)], range(48211, 48211 + 40 * 37, 37)]
)
def test_codes_that_nothing_explains_are_left_out(codes: list[str]) -> None:
    plan = fv.init(people(column_9=drawn(*codes)), progress=False)
    assert plan.schema is not None and plan.schema.roles("column_9")[0] in ("identifier", "person", "drop")


@pytest.mark.parametrize(
    ("name", "role"),
    [("psu", "quasi"), ("Muttersprache", "quasi"), ("niveau_etudes", "quasi"), ("stadtteil", "quasi"),
     ("civilite", "quasi"), ("arret_travail_jours", "sensitive"), ("Kaltmiete", "sensitive"),
     ("nota_lengua", "sensitive"), ("rs429358", "sensitive"), ("tabagisme", "sensitive"), ("Vorstrafen", "sensitive"),
     ("becas", "sensitive"), ("syndique", "sensitive")],
)  # fmt: skip
def test_topics_in_four_languages(name: str, role: str) -> None:
    plan = fv.init(people(**{name: drawn(1, 2, 3, 4)}), progress=False)
    assert plan.schema is not None and plan.schema.roles(name)[0] == role


def test_a_value_that_everybody_has_does_not_make_the_plan_fail(tmp_path: Path) -> None:
    """All are well at some visit, and all have a first and a second one."""
    rng, rows = np.random.default_rng(5), 3 * ROWS
    who, visit = np.arange(rows) // 3, np.arange(rows) % 3 + 1
    later = rng.choice(["well", "ill", "worse"], rows)
    frame = pd.DataFrame({
        "patient_id": 1000 + who, "sex": rng.choice(["f", "m"], ROWS)[who], "age": rng.integers(20, 80, ROWS)[who],
        "visit": visit, "disease_state": np.where(visit == rng.integers(1, 4, ROWS)[who], "well", later),
    })  # fmt: skip
    plan = fv.init(frame, progress=False)
    assert plan.schema is not None and plan.schema.person == "patient_id" and "disease_state" in plan.schema.sensitive
    saved = plan.save_release(plan.run(progress=False), tmp_path / "release", progress=False)
    assert saved and fv.verify(tmp_path / "release")


def test_secrets_that_few_have_are_published_and_guarded() -> None:
    rare = np.where(np.arange(ROWS) % 45 == 0, "positive", "negative")
    plan = fv.init(people(hiv=rare), progress=False)
    assert (
        plan.schema is not None
        and "hiv" in plan.schema.sensitive
        and any("hiv" in guard.columns(plan.schema) for guard in plan.guards[1:])
    )


def test_months_and_dates_without_signs_are_dates(tmp_path: Path) -> None:
    rng = np.random.default_rng(6)
    month, year = rng.integers(1, 13, ROWS), rng.integers(1940, 2000, ROWS)
    frame = people(
        Geburtsmonat=[f"{m:02d}/{y}" for m, y in zip(month, year, strict=True)],
        SRVC_DT=(year + 20) * 10_000 + month * 100 + 7,
    )
    frame.to_csv(tmp_path / "register.csv", index=False)
    for data in (frame, tmp_path / "register.csv"):
        plan = fv.init(data, progress=False)
        assert plan.schema is not None and {"Geburtsmonat", "SRVC_DT"} <= {*plan.schema.quasi}
        published = plan.run(progress=False).to_frame("pandas").astype(str)
        assert (
            not published["Geburtsmonat"].str.contains("/").any() and not published["SRVC_DT"].str.contains("-").any()
        )


def test_texts_are_joined_in_pairs() -> None:
    table = fv.Table.of(pd.DataFrame({"band": ["65+", "<25", "25-44", "45-64"] * 20}))
    column = table.column("band")
    spec = fitted(column, np.full(4, 20), look_of(column.domain, "band"))
    assert spec is not None and {row[1] for row in spec[0]["rows"]} == {"25-44 or <25", "45-64 or 65+"}
    assert fitted(column, np.array([20, 20, 20, 3]), "text") is None  # a plan would name somebody's
