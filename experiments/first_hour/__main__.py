"""python -m experiments.first_hour"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path

from experiments.first_hour.files import FILES
from experiments.first_hour.page import page, verdict
from experiments.first_hour.playing import Hour, play

PAGE = Path(__file__).resolve().parents[2] / "docs" / "first-hour.md"


def main() -> int:
    """Play the files, one after the other; 1 if a careful owner would complain about one."""
    options = argparse.ArgumentParser(prog="python -m experiments.first_hour")
    options.add_argument(
        "--only", nargs="*", choices=[file.name for file in FILES], help="these files; no page is written"
    )
    options.add_argument("--keep", type=Path, help="keep plans, releases and what is done here, and go on from there")
    asked = options.parse_args()
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
    if not asked.only:
        PAGE.write_text(page(hours))
    return int(any(verdict(hour) != "accepted" for hour in hours))


if __name__ == "__main__":
    sys.exit(main())
