"""How quickly things start: `import fairveil` and `fairveil --help` against `import numpy`, and CSV to release."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks import nine
from benchmarks.timing import best_of, ratio, show
from fairveil.data.release_csv import write_csv


def process(*command: str) -> None:
    subprocess.run(command, check=True, capture_output=True)


def write_plan(folder: Path, suppression: float) -> Path:
    """Adult's nine columns as a CSV file, and the plan to publish it 5-anonymously."""
    table, schema = nine.load()
    write_csv(table, folder / "adult.csv")
    hierarchies = {name: {"kind": "csv", "path": path.name} for name, path in nine.write(folder, table).items()}
    lines = [
        "format = 1",
        "[source]",
        'path = "adult.csv"',
        "[schema]",
        f"quasi = {list(schema.quasi)}",
    ]
    for name, rule in hierarchies.items():
        lines += [f'[hierarchies."{name}"]', *(f'{key} = "{value}"' for key, value in rule.items())]
    lines += ["[[guards]]", 'kind = "k-anonymity"', "k = 5", f"suppression = {suppression}"]
    plan = folder / f"plan-{suppression}.toml"
    plan.write_text("\n".join(lines))
    return plan


def main() -> None:
    python = sys.executable
    fairveil = str(Path(python).with_name("fairveil"))
    work = {
        "import numpy": lambda: process(python, "-c", "import numpy"),
        "import fairveil": lambda: process(python, "-c", "import fairveil"),
        "fairveil --help": lambda: process(fairveil, "--help"),
    }
    times = best_of(7, work)
    numpy = times["import numpy"]
    ratio("import numpy / import fairveil", numpy / times["import fairveil"])
    ratio("import numpy / fairveil --help", numpy / times["fairveil --help"])
    rows = {name: f"{seconds:.3f} s, {seconds / numpy:.2f} times import numpy" for name, seconds in times.items()}
    with tempfile.TemporaryDirectory() as folder:
        for suppression, arx in ((0.0, 1.7), (0.05, 3.0)):
            plan = write_plan(Path(folder), suppression)
            out = str(Path(folder) / "release")

            def release(plan: str = str(plan), out: str = out) -> None:
                process(fairveil, "release", plan, "--out", out, "--overwrite")

            seconds = best_of(5, {"release": release})["release"]
            ratio(f"ARX, CSV to release, suppression {suppression:.0%}", arx / seconds)
            rows[f"CSV in, release out, suppression {suppression:.0%}"] = (
                f"{seconds:.2f} s, {seconds / arx:.2f} of ARX's {arx} s"
            )
    show("A fresh process, kernels cached", rows)


if __name__ == "__main__":
    main()
