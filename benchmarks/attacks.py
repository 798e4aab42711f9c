"""What attacking costs: the attacks that every release runs, and all of them, against publishing it."""

from __future__ import annotations

from dataclasses import replace

import fairveil as fv
from benchmarks.timing import best_of, show


def main() -> None:
    adult = fv.datasets.adult()
    quasi = [name for name in adult.schema.quasi if name != "occupation"]
    schema = replace(adult.schema, quasi=quasi, sensitive=["occupation"])
    found = fv.search(adult.table, schema, guards=[fv.KAnonymity(5, suppression=0.05)])
    position = found.best_position("loss")
    release = found.release(position)
    times = best_of(
        3,
        {
            "publish": lambda: found.release(position),
            "cheap attacks": lambda: fv.attacks.cheap(release),
            "all attacks": lambda: fv.attack(release, adult.table, control=adult.test, other=release),
        },
    )
    publish = times["publish"]
    rows = {name: f"{seconds:.3f} s, {seconds / publish:.2f} times publishing" for name, seconds in times.items()}
    show(f"Attacks on Adult, {release.table.rows:,} rows", rows)


if __name__ == "__main__":
    main()
