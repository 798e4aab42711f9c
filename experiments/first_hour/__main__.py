"""python -m experiments.first_hour"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from experiments.first_hour.files import FILES
from experiments.first_hour.labelled import kinds_of_changes, labelled_files
from experiments.first_hour.names import unacceptable_names
from experiments.first_hour.page import page, verdict
from experiments.first_hour.playing import Hour, play
from experiments.first_hour.unseen import Judged, files, hidden_cells, judge, summary

PAGE = Path(__file__).resolve().parents[2] / "docs" / "first-hour.md"


def judged(home: Path | None, names: Sequence[str], released: bool) -> int:
    """Judge first plans for files that the suggestions were not made for; print what an expert says of each."""
    results = []
    with tempfile.TemporaryDirectory() as folder:
        for name, place, wanted in files(home, Path(folder), names):
            if place is None:
                print(f"{name}: its data is not here")
                continue
            results.append(judge(name, place, wanted, Path(folder), released))
            print(results[-1].line(), flush=True)
    return total(results)


def judged_labels(folder: Path, released: bool) -> int:
    """Judge first plans for the files of a folder that have labels beside them; print what an expert says of each."""
    results = []
    with tempfile.TemporaryDirectory() as releases:
        for name, place, wanted, person in labelled_files(folder):
            results.append(judge(name, place, wanted, Path(releases), released, person))
            print(results[-1].line(), flush=True)
    print(kinds_of_changes([change for file in results for change in file.changes]))
    return total(results)


def judged_names() -> int:
    """Print which roles an expert would change that names.txt wrote down; 1 if they are more than 5 %."""
    columns, changes = unacceptable_names()
    print("\n".join(changes))
    print(f"{columns - len(changes)} of {columns} roles are acceptable ({1 - len(changes) / columns:.1%})")
    return int(len(changes) > 0.05 * columns)


def total(results: Sequence[Judged]) -> int:
    """Print the figures over all files; 1 if more than 5 % of the roles would be changed."""
    print(summary(results))
    return int(sum(len(file.changes) for file in results) > 0.05 * sum(file.columns for file in results))


def main() -> int:
    """Play the files, one after the other; 1 if an expert would complain about one."""
    options = argparse.ArgumentParser(prog="python -m experiments.first_hour")
    options.add_argument(
        "--only", nargs="*", choices=[file.name for file in FILES], help="these files; no page is written"
    )
    options.add_argument("--keep", type=Path, help="keep plans, releases and what is done here, and go on from there")
    options.add_argument(
        "--held-out", type=Path, metavar="DIR", help="judge extracts and held-out files, as DIR/AER/HMDA.csv"
    )
    options.add_argument(
        "--extracts", nargs="*", metavar="NAME", help="judge extracts, which need no data: all, or these"
    )
    options.add_argument(
        "--labelled", type=Path, metavar="DIR", help="judge files with labels beside them, as DIR/people.csv and .json"
    )
    options.add_argument(
        "--names", action="store_true", help="judge roles by 2,400 names of columns, which need no data"
    )
    options.add_argument("--roles", action="store_true", help="judge the roles alone; nothing is published")
    asked = options.parse_args()
    if asked.held_out or asked.extracts is not None:
        return judged(asked.held_out, asked.extracts or (), not asked.roles)
    if asked.names:
        return judged_names()
    if asked.labelled:
        return judged_labels(asked.labelled, not asked.roles)
    with tempfile.TemporaryDirectory() as folder:
        home, hours = asked.keep or Path(folder), []
        for file in FILES:
            if asked.only and file.name not in asked.only:
                continue
            done = home / file.name / "hour.json"
            hour = Hour(**json.loads(done.read_text())) if done.exists() and not asked.only else play(file, done.parent)
            if hour is None:
                print(f"{file.name}: its data is not here")
                continue
            done.write_text(json.dumps(vars(hour)))
            hours.append(hour)
            print(
                f"{hour.name}: {hour.roles}; {hour.method}, {hour.figures}, {hour.seconds}: {verdict(hour)}", flush=True
            )
    print(hidden_cells([hour.hidden for hour in hours]))
    if not asked.only:
        PAGE.write_text(page(hours))
    return int(any(verdict(hour) != "accepted" for hour in hours))


if __name__ == "__main__":
    sys.exit(main())
