"""EngineCache: what was counted on an engine is not asked for again."""

from __future__ import annotations

from dataclasses import dataclass, field
from threading import RLock

import pyarrow as pa

from fairveil.counting.cells import Cells
from fairveil.engines.relation import Sizes
from fairveil.engines.value_dictionary import ValueDictionary
from fairveil.recipes.change import Change


@dataclass
class EngineCache:
    """Earlier results: distinct tuples in the engine's spelling, with counts, and the values of columns; `refused` has
    the columns with too many tuples, and why they are."""

    tuples: dict[tuple[str, ...], pa.Table] = field(default_factory=dict)
    refused: dict[tuple[str, ...], str] = field(default_factory=dict)
    spelled: dict[str, ValueDictionary] = field(default_factory=dict)
    cells: dict[tuple[str, ...], Cells] = field(default_factory=dict)
    sizes: dict[tuple[tuple[str, ...], bool], Sizes] = field(default_factory=dict)
    published: tuple[Change, Cells] | None = None  # cells of the rows that a change publishes, counted on the way
    lock: RLock = field(default_factory=RLock, repr=False)
