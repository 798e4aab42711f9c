"""`make bench`: every benchmark, one after the other. Name some to run only those, or one with its options."""

from __future__ import annotations

import importlib
import pkgutil
import sys

import benchmarks

SHARED_PARTS = ("timing", "cost", "arx_adult", "plain_greedy", "same", "__main__")


def main() -> None:
    names = [module.name for module in pkgutil.iter_modules(benchmarks.__path__) if module.name not in SHARED_PARTS]
    given = sys.argv[1:]
    options = next((place for place, word in enumerate(given) if word.startswith("-")), len(given))
    wanted = given[:options] or names
    if given[options:] and len(wanted) != 1:
        raise SystemExit(f"{given[options]} is an option of one benchmark: name that one before it")
    sys.argv = [sys.argv[0], *given[options:]]
    for name in wanted:
        if name not in names:
            raise SystemExit(f"no benchmark {name!r}: there are {', '.join(names)}")
        importlib.import_module(f"benchmarks.{name}").main()


if __name__ == "__main__":
    main()
