"""fairveil: publish personal data that is private, fair and useful, and decide between the three.

>>> import fairveil as fv
>>> adult = fv.datasets.adult()
>>> found = fv.search(adult.table, adult.schema, guards=[fv.KAnonymity(50)])
>>> release = found.best("loss")
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

# name -> module it lives in; loaded when first used, so that `import fairveil` stays quick
_HOMES = {
    "Table": "table",
    "Schema": "schema",
    "KAnonymity": "guards",
    "DistinctDiversity": "guards",
    "EntropyDiversity": "guards",
    "RecursiveDiversity": "guards",
    "TCloseness": "guards",
    "AlphaProtection": "guards",
    "NoRedlining": "guards",
    "SituationTesting": "guards",
    "background_knowledge": "guards",
    "Incognito": "methods",
    "BestFirst": "methods",
    "DMPD": "methods",
    "TDS": "methods",
    "TDR": "methods",
    "DMPDClassifier": "methods.dmpd.classifier",
    "Projections": "projections",
    "RollUp": "methods",
    "Mondrian": "methods",
    "TopDownGreedy": "methods",
    "Datafly": "methods",
    "NoisyTable": "methods",
    "MDAV": "methods",
    "FairMDAV": "methods",
    "Preferences": "methods",
    "ReferenceDirection": "choice.reference_direction",
    "Frontier": "frontier",
    "Release": "release",
    "search": "searching",
    "explore": "exploring",
    "utility": "evaluation.utility",
    "Comparison": "exploring",
    "verify": "verifying",
    "attack": "attacks",
    "report": "reporting",
    "report_dict": "reporting",
    "check": "checking",
    "profile": "profiling",
    "Plan": "plan",
    "BadInput": "errors",
    "Infeasible": "errors",
    "Cancelled": "errors",
}
_MODULES = ("attacks", "datasets", "guards", "hierarchy", "measures", "methods")

__all__ = ["__version__", *_HOMES, *_MODULES]  # noqa: PLE0604 - both hold names only


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        globals()[name] = getattr(import_module(f"fairveil.{_HOMES[name]}"), name)
        return globals()[name]
    if name in _MODULES:
        return import_module(f"fairveil.{name}")
    raise AttributeError(f"module 'fairveil' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
