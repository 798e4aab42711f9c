"""Hierarchies: the generalization levels of one attribute, from as-is (level 0) to a single value (the last).

>>> from fairveil.data import hierarchy
>>> age = hierarchy.intervals([0, 20, 40, 60], widths=(20, 40))
>>> levels = age.bind([5, 19, 20, 44])
>>> levels.labels[1], levels.codes[1].tolist()
(('0-19', '20-39', '40-59'), [0, 0, 1, 2])

Each kind is a rule that can be written to a plan and applied to unseen values; `bind` turns it into the lookup table
that searches work on.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from fairveil.data.hierarchy.automatic import automatic
from fairveil.data.hierarchy.by_rule import (
    Dates,
    Frequent,
    Grouping,
    Mask,
    Prefixes,
    Suppress,
    dates,
    frequent,
    grouping,
    mask,
    prefixes,
    suppress,
)  # fmt: skip
from fairveil.data.hierarchy.hierarchy import TOP, Hierarchy, Levels
from fairveil.data.hierarchy.intervals import Intervals, intervals
from fairveil.data.hierarchy.top_code import TopCode, top_code
from fairveil.data.hierarchy.tree import Tree, from_rows, read_csv, read_taxonomies, tree, write_csv
from fairveil.data.hierarchy.zip3 import Zip3, zip3
from fairveil.errors import BadInput
from fairveil.registry import Registry
from fairveil.shapes import part

KINDS: Registry[type[Hierarchy]] = Registry(
    "hierarchy kind", [Tree, Intervals, TopCode, Mask, Prefixes, Dates, Grouping, Frequent, Zip3, Suppress]
)
register = KINDS.register

__all__ = [
    "KINDS", "TOP", "Dates", "Frequent", "Grouping", "Hierarchy", "Intervals", "Levels", "Mask", "Prefixes", "Suppress",
    "TopCode", "Tree", "Zip3", "automatic", "dates", "frequent", "from_dict", "from_rows", "given", "grouping",
    "intervals", "mask", "prefixes", "read_csv", "read_taxonomies", "register", "suppress", "top_code", "tree",
    "write_csv", "zip3",
]  # fmt: skip


def from_dict(spec: Mapping[str, Any]) -> Hierarchy:
    """Return the hierarchy that `to_dict` wrote or that a plan describes."""
    hierarchy: Hierarchy = part(KINDS, spec)
    return hierarchy


def given(rule: Any) -> Hierarchy:
    """Return `rule`, or the hierarchy that a dictionary stands for: groups and their values, nested as deep as you
    like; each value and its group; or what `to_dict` wrote.

    >>> given({"a": "vowel", "b": "other"}).bind(["a", "b"]).labels[1]
    ('vowel', 'other')
    """
    if isinstance(rule, Hierarchy):
        return rule
    if not isinstance(rule, Mapping):
        raise BadInput(f"a hierarchy is a dictionary or one of fv.hierarchy, not a {type(rule).__name__}")
    if rule.get("kind") in KINDS.names:
        return from_dict(rule)
    if all(isinstance(group, str) or not isinstance(group, Iterable) for group in rule.values()):
        return from_rows(rule.items())
    return tree(rule)
