"""fairveil: publish personal data that is private, fair and useful, and decide between the three.

>>> import fairveil as fv
>>> adult = fv.datasets.adult()
>>> frontier = fv.search(adult.table, adult.schema, guards=[fv.KAnonymity(50)])
>>> release = frontier.best("loss")
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

__version__ = "0.2.0"

# The stub has the names, for type checkers; each is imported when first used, so that `import fairveil` is quick
_LINES = (Path(__file__).parent / "__init__.pyi").read_text(encoding="utf-8").splitlines()
_HOMES = {line.split()[-1]: line.split()[1].rstrip(".") for line in _LINES if line.startswith("from .")}

__all__ = ["__version__", *_HOMES]  # noqa: PLE0604 - names only


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'fairveil' has no attribute {name!r}")
    home = f"fairveil{_HOMES[name]}"
    public = None if home == "fairveil" else getattr(import_module(home), name, None)
    globals()[name] = import_module(f"{home}.{name}") if public is None else public
    return globals()[name]


def __dir__() -> list[str]:
    return sorted(__all__)
