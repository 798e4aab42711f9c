"""python -m experiments.first_hour"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

from experiments.first_hour.expert import HELD_OUT, expected, roles_in, unacceptable
from experiments.first_hour.files import FILES
from experiments.first_hour.page import page, verdict
from experiments.first_hour.playing import Hour, play

PAGE = Path(__file__).resolve().parents[2] / "docs" / "first-hour.md"


def held_out(home: Path) -> int:
    """Print the roles of held-out files that an expert would change, and the share that is acceptable."""
    columns = changes = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, wanted in expected(HELD_OUT).items():
            file, plan = home / f"{name}.csv", Path(folder) / f"{name.replace('/', '-')}.toml"
            if not file.exists():
                print(f"{name}: its data is not here")
                continue
            call = [sys.executable, "-m", "fairveil", "init", str(file), "--out", str(plan)]
            subprocess.run(call, check=True, capture_output=True)
            roles = roles_in(plan)
            wrong = unacceptable(wanted, roles)
            columns, changes = columns + len(roles), changes + len(wrong)
            print(f"{name}: {len(roles) - len(wrong)} of {len(roles)}", *wrong, sep="\n    ", flush=True)
    print(f"{columns - changes} of {columns} roles are acceptable ({(columns - changes) / max(columns, 1):.1%})")
    return int(changes > 0.05 * columns)


def main() -> int:
    """Play the files, one after the other; 1 if an expert would complain about one."""
    options = argparse.ArgumentParser(prog="python -m experiments.first_hour")
    options.add_argument(
        "--only", nargs="*", choices=[file.name for file in FILES], help="these files; no page is written"
    )
    options.add_argument("--keep", type=Path, help="keep plans, releases and what is done here, and go on from there")
    options.add_argument(
        "--held-out", type=Path, metavar="DIR", help="judge the roles of held-out files, as DIR/AER/HMDA.csv"
    )
    asked = options.parse_args()
    if asked.held_out:
        return held_out(asked.held_out)
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
