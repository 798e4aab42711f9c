"""Bundled data: three real data sets, and the papers' small example tables.

>>> from fairveil.datasets import LOADERS
>>> credit = LOADERS["credit_decisions"]()
>>> credit.schema.quasi
('Sex', 'Race', 'Hours')

Importing this module reads no data: a loader reads its data when it is called.
"""

from __future__ import annotations

from collections.abc import Callable

from fairveil.datasets.dataset import Dataset
from fairveil.datasets.examples import census_sample, credit_decisions, employee_codes, fairlet_sample, rollup_sample
from fairveil.datasets.real import adult, compas, german_credit

LOADERS: dict[str, Callable[..., Dataset]] = {
    loader.__name__: loader
    for loader in (
        adult, german_credit, compas, credit_decisions, employee_codes, census_sample, fairlet_sample, rollup_sample,
    )
}  # fmt: skip

__all__ = [
    "LOADERS", "Dataset", "adult", "census_sample", "compas", "credit_decisions", "employee_codes", "fairlet_sample",
    "german_credit", "rollup_sample",
]  # fmt: skip
