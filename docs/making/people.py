"""The made-up people of docs/examples: `python -m docs.making.people` writes people.csv, people.xlsx and others.csv.

Nobody in them exists. They are drawn so that the pages have something to show: postcodes give away the ward, illness
depends on age, and women are denied more often.
"""

from __future__ import annotations

import csv
import datetime
from pathlib import Path

import numpy as np

EXAMPLES = Path(__file__).parent.parent / "examples"
HEADER = ("name", "born", "zip", "sex", "height", "ward", "diagnosis", "granted", "remark")
WARDS = ("north", "east", "south", "west")


def drawn(rows: int, seed: int) -> list[tuple[object, ...]]:
    """So many people, each a row."""
    rng = np.random.default_rng(seed)
    people: list[tuple[object, ...]] = []
    for number in range(rows):
        age, ward = int(rng.integers(18, 90)), int(rng.integers(4))
        born = datetime.date(2024 - age, 1, 1) + datetime.timedelta(days=int(rng.integers(365)))
        sex = str(rng.choice(["female", "male"]))
        shares = [0.4, 0.35, 0.2, 0.05] if age < 50 else [0.2, 0.2, 0.25, 0.35]
        ill = rng.choice(["flu", "cold", "asthma", "diabetes"], p=shares)
        granted = "yes" if rng.random() < (0.7 if sex == "male" else 0.5) else "no"
        height = round(float(rng.normal(179 if sex == "male" else 166, 6)), 1)
        postcode = f"{8540 + 70 * (ward // 2) + int(rng.integers(10)):05}"
        name = f"P{seed}{number:03}"
        people.append((name, born, postcode, sex, height, WARDS[ward], str(ill), granted, "none"))
    return people


def main() -> None:
    import openpyxl

    for name, rows, seed in (("people.csv", 300, 1), ("others.csv", 120, 2)):
        with (EXAMPLES / name).open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(HEADER)
            writer.writerows(drawn(rows, seed))
    book = openpyxl.Workbook()
    book.active.title = "2024"
    for row in [HEADER, *drawn(300, 1)]:
        book.active.append(row)
    book.save(EXAMPLES / "people.xlsx")


if __name__ == "__main__":
    main()
