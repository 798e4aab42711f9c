"""A hospital's file, made up: bundled data has no names, phone numbers, birth dates or doctors' notes.

The words are common ones; no row is anybody's.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

SURNAMES = [
    "Müller", "Schmidt", "Schneider", "Fischer", "Weber", "Meyer", "Wagner", "Becker", "Schulz", "Hoffmann", "Koch",
    "Bauer", "Richter", "Klein", "Wolf", "Schröder", "Neumann", "Schwarz", "Zimmermann", "Braun", "Krüger", "Lange",
]  # fmt: skip
FIRST = ["Anna", "Ben", "Clara", "David", "Emma", "Finn", "Greta", "Hans", "Ida", "Jonas", "Karla", "Leon", "Mia"]
CHAPTERS = "EEEIIIIIIJJJKKKMMMMNNSSFFZCCGH"
WARDS = ["surgery", "medicine", "children", "eye", "ear", "skin", "heart", "nerves", "birth", "emergency"]
PAINS = ["chest pain", "a broken arm", "fever", "short breath", "back pain", "a fall", "dizziness", "a cough"]


def stays(rows: int, most: int) -> pd.DataFrame:
    """Stays in a hospital; up to so many are one patient's."""
    rng = np.random.default_rng(7)
    patient = np.sort(rng.integers(0, max(rows // 2, 1), rows)) if most > 1 else np.arange(rows)
    number = pd.Series(patient).groupby(patient).cumcount().to_numpy()
    patient = np.where(number < most, patient, rows + np.arange(rows))  # more stays are somebody else's
    who, person = np.unique(patient, return_inverse=True)
    n = len(who)
    born = np.datetime64("1930-01-01") + (rng.beta(2, 1.6, n) * 34_000).astype(int).astype("timedelta64[D]")
    surnames, first = rng.choice(SURNAMES, n), rng.choice(FIRST, n)
    postcode = np.where(rng.random(n) < 0.7, rng.integers(10_115, 10_320, n), rng.integers(1_067, 1_300, n))
    people = pd.DataFrame({
        "patient_id": [f"P{i:06d}" for i in rng.permutation(n)],
        "surname": surnames, "first_name": first,
        "email": [f"{name.lower()}{i}@example.org" for i, name in enumerate(first)],
        "phone": [f"+49 30 {number}" for number in 1_000_000 + rng.permutation(n)],
        "insurance_no": [f"{'ABCD'[i % 4]}{i:09d}" for i in rng.permutation(n)],
        "born": born.astype(str), "postcode": [f"{code:05d}" for code in postcode],
        "sex": rng.choice(["F", "M", "F", "M", "D"], n, p=[0.3, 0.3, 0.2, 0.195, 0.005]),
    })  # fmt: skip
    admitted = np.datetime64("2023-01-01T00:00") + rng.integers(0, 730 * 24 * 60, rows).astype("timedelta64[m]")
    codes = [f"{rng.choice(list(CHAPTERS))}{rng.integers(10, 60)}.{rng.integers(0, 10)}" for _ in range(400)]
    weight = 1 / np.arange(1, 401)
    cost = np.round(rng.lognormal(7.5, 0.8, rows), 2)
    visits = pd.DataFrame({
        "ward": rng.choice(WARDS, rows), "admitted": [str(moment).replace("T", " ") + ":00" for moment in admitted],
        "days": rng.geometric(0.2, rows), "icd": rng.choice(codes, rows, p=weight / weight.sum()),
        "cost": [("NULL" if i % 41 == 0 else f"{amount:.2f}") for i, amount in enumerate(cost)],
        "note": [f"came in with {pain} on day {i}, seen by the doctor on duty, sent home with tablets"
                 for i, pain in enumerate(rng.choice(PAINS, rows))],
        "readmitted": rng.choice(["yes", "no"], rows, p=[0.2, 0.8]),
    })  # fmt: skip
    return pd.concat([people.iloc[person].reset_index(drop=True), visits], axis=1).astype(str)
