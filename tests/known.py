"""What a test knows about a release although its type leaves it open."""

from __future__ import annotations

import numpy as np

import fairveil as fv
from fairveil.attacks import ATTACKS
from fairveil.recipes.decomposition import Decomposition
from fairveil.recipes.full_domain import FullDomain
from fairveil.recipes.recipe import Recipe

ANY_DANGER = tuple(ATTACKS.names)
"""Every danger, accepted where a test is about something else."""


def levels_of(release: fv.Release) -> dict[str, int]:
    """The levels of a full-domain release, by column."""
    assert isinstance(release.recipe, FullDomain)
    return dict(release.recipe.levels)


def source_rows_of(release: fv.Release) -> np.ndarray:
    """The rows of the source behind a release that was computed from one."""
    assert release.source_rows is not None
    return release.source_rows


def subsets_of(recipe: Recipe) -> tuple[tuple[str, ...], ...]:
    """The columns of each table of a decomposition."""
    assert isinstance(recipe, Decomposition)
    return recipe.subsets
