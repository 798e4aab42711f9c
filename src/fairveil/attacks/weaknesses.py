"""Known weaknesses, by name, that a release of this kind has, whatever its data: what `release` warns about.

They follow from the guards, the schema and the recipe, which are published anyway. So an attacker learns nothing new.
For the same reason none says whether the release *is* minimal: only the original shows that (`fv.attack`).
"""

from __future__ import annotations

from collections.abc import Iterator

from fairveil.published.folder import Publishing, published_of
from fairveil.published.published import Published


def weaknesses(release: Publishing) -> dict[str, str]:
    """Name and sentence of each weakness that applies."""
    return dict(_all(published_of(release)))


def _all(published: Published) -> Iterator[tuple[str, str]]:
    schema, recipe = published.schema, published.recipe
    guarded = {
        attack: {name for guard in published.guards if attack in guard.covers for name in guard.columns(schema)}
        for attack in ("homogeneity", "skewness")
    }
    open_columns = [name for name in schema.sensitive if name not in guarded["homogeneity"]]
    if open_columns:
        yield (
            "homogeneity",
            f"no guard looks at {', '.join(open_columns)}: k-anonymity alone allows a class in which everybody has the "
            "same value (add ℓ-diversity or t-closeness)",
        )
    skewed = [name for name in schema.sensitive if name in guarded["homogeneity"] - guarded["skewness"]]
    if skewed:
        yield (
            "skewness and similarity",
            f"ℓ-diversity of {', '.join(skewed)} allows classes far from the whole table, and values that differ only "
            "in name (add t-closeness)",
        )
    if not schema.sensitive:
        yield (
            "attribute disclosure",
            "no column is called sensitive, so nothing is promised about what a class says about its people",
        )
    if schema.plain:
        yield "linkage by plain columns", f"{', '.join(schema.plain)}: published untouched, and no guard looks at it"
    if recipe.minimizes and any(recipe.level_of(name) != 0 for name in schema.quasi):
        yield (
            "minimality and downcoding",
            "if this is the least general release that keeps the guards, that alone says something about the values "
            "behind it (where this matters, choose a release above the minimal border)",
        )
