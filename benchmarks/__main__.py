"""`make bench`: every benchmark, one after the other. Name some to run only those, or one with its options.

With `--keep FILE` everything that was printed is kept there with its ratios, the machine and the versions: that is what
`python -m benchmarks.page` writes docs/results/speed.md from. A benchmark that fails is a line at the end, and exit
code 1; the others are run all the same.
"""

from __future__ import annotations

import importlib
import sys
import time
import traceback
from collections.abc import Sequence
from pathlib import Path

from benchmarks import kept

NAMES = (
    "startup", "incognito", "alpha", "preferences", "dmpd", "rollup", "mdav", "attacks", "utility", "judging",
    "group_by", "growth", "scale", "path", "first", "blocks", "engines", "studio", "before", "wide", "persons",
    "profile", "commands", "methods", "lattice", "key_sets",
)  # fmt: skip
"""Every benchmark, in the order of `make bench`."""
ALONE = (
    "first",
    "lattice",
    "engines",
    "studio",
    "blocks",
    "before",
    "wide",
    "persons",
    "profile",
    "commands",
    "key_sets",
)
"""Only run when they are named: they need Spark and PostgreSQL, a browser, an older checkout, or compile everything."""


def main() -> int:
    given = sys.argv[1:]
    keep = None
    if "--keep" in given:
        place = given.index("--keep")
        if place + 1 >= len(given):
            raise SystemExit("--keep needs the name of a file")
        keep = Path(given[place + 1])
        del given[place : place + 2]
    options = next((place for place, word in enumerate(given) if word.startswith("-")), len(given))
    wanted = given[:options] or [name for name in NAMES if name not in ALONE]
    unknown = next((name for name in wanted if name not in NAMES), None)
    if unknown is not None:
        raise SystemExit(f"no benchmark {unknown!r}: there are {', '.join(NAMES)}")
    if given[options:] and len(wanted) != 1:
        raise SystemExit(f"{given[options]} is an option of one benchmark: name that one before it")
    sys.argv = [sys.argv[0], *given[options:]]
    return run(wanted, keep, given[options:])


def run(names: list[str], keep: Path | None, options: Sequence[str] = ()) -> int:
    """Each benchmark in turn, with these options; how many of them failed is said last."""
    failed = []
    results = kept.Results.started(names)
    for name in names:
        began = time.perf_counter()
        with kept.listening() as said:
            try:
                importlib.import_module(f"benchmarks.{name}").main()
            except Exception:  # one that fails must not take the others with it
                traceback.print_exc()
                failed.append(name)
        if name not in failed:
            results.add(" ".join([name, *options]), said.getvalue(), time.perf_counter() - began)
    if keep is not None:
        results.write(keep)
    if failed:
        print(f"\nfailed: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
