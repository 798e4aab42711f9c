"""Recipes: what methods learn, one kind per file. `recipe` defines a recipe; this list is the registry of kinds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fairveil.errors import BadInput
from fairveil.recipes.change import Change
from fairveil.recipes.outcome import Outcome
from fairveil.recipes.recipe import Recipe
from fairveil.registry import Registry
from fairveil.shapes import made, record, shown

RECIPES: Registry[type[Recipe]] = Registry(
    "recipe kind",
    homes={
        "full-domain": "fairveil.recipes.full_domain.FullDomain",
        "grouping": "fairveil.recipes.free_grouping.FreeGrouping",
        "noisy-full-domain": "fairveil.recipes.full_domain.NoisyDomain",
        "cut-tree": "fairveil.recipes.cut_tree.CutTree",
        "boxes": "fairveil.recipes.boxes.Boxes",
        "hidden-cells": "fairveil.recipes.hidden_cells.HiddenCells",
        "microaggregation": "fairveil.recipes.microaggregated.Microaggregated",
        "cut": "fairveil.recipes.recoding.Cut",
        "decomposition": "fairveil.recipes.decomposition.Decomposition",
    },
)
register = RECIPES.register

__all__ = ["RECIPES", "Change", "Outcome", "Recipe", "from_dict", "register"]


def from_dict(spec: Mapping[str, Any]) -> Recipe:
    """Return the recipe that `to_dict` wrote."""
    record({}, more=True)(spec, "the recipe")
    if spec.get("format") != 1:
        raise BadInput(
            f"a recipe of format {shown(spec.get('format'))} cannot be read by this version, which reads format 1"
        )
    kind = RECIPES.get(spec.get("kind"))
    recipe: Recipe = made(lambda: kind.from_dict(spec), f"the {kind.kind} recipe")
    return recipe
