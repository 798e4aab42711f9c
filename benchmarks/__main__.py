"""`make bench`: every benchmark, one after the other. Name some to run only those."""

from __future__ import annotations

import importlib
import pkgutil
import sys

import benchmarks

SHARED_PARTS = ("timing", "cost", "arx_adult", "plain_greedy", "__main__")


def main() -> None:
    names = [module.name for module in pkgutil.iter_modules(benchmarks.__path__) if module.name not in SHARED_PARTS]
    wanted = sys.argv[1:] or names
    sys.argv = sys.argv[:1]
    for name in wanted:
        if name not in names:
            raise SystemExit(f"no benchmark {name!r}: there are {', '.join(names)}")
        importlib.import_module(f"benchmarks.{name}").main()


if __name__ == "__main__":
    main()
