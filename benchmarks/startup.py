"""How quickly things start: `import fairveil` and `fairveil --help` against `import numpy`, and CSV to release."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.timing import best_of, show


def process(*command: str) -> None:
    subprocess.run(command, check=True, capture_output=True)


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
    rows = {name: f"{seconds:.3f} s, {seconds / numpy:.2f} times import numpy" for name, seconds in times.items()}
    plan = Path(__file__).parent / "arx_adult.toml"
    with tempfile.TemporaryDirectory() as folder:
        for suppression, arx in ((0.0, 1.7), (0.05, 3.0)):
            written = Path(folder) / f"plan-{suppression}.toml"
            written.write_text(
                plan.read_text().replace("SUPPRESSION", str(suppression)).replace("HERE", str(plan.parent))
            )
            out = str(Path(folder) / "release")

            def release(plan_file: str = str(written), out: str = out) -> None:
                process(fairveil, "release", plan_file, "--out", out, "--overwrite")

            seconds = best_of(5, {"release": release})["release"]
            rows[f"CSV in, release out, suppression {suppression:.0%}"] = (
                f"{seconds:.2f} s, {seconds / arx:.2f} of ARX's {arx} s"
            )
    show("A fresh process, kernels cached", rows)


if __name__ == "__main__":
    main()
