"""Uniqueness: columns that were published untouched can identify people on their own, whatever k is.

The data owner says that plain columns cannot be linked. The attack supposes that this is wrong: it counts the records
that are the only one with their value, in each plain column, and together with the quasi columns. Sensitive columns and
the decision are untouched, too. Nobody should know them; but one that is nearly a name, such as an exact salary,
identifies people to everybody who does.
"""

from __future__ import annotations

from collections.abc import Iterable

from fairveil.attacks.attack import Attack, Finding, Level, percent
from fairveil.attacks.scene import Scene
from fairveil.plural import counted, verb

MANY = 0.05
"""From this share of unique records on, plain columns are dangerous to publish, since somebody may know them."""
NEARLY = 0.5
"""From this share on, any column is nearly a name, and so are plain columns together with the quasi columns."""


def uniqueness(scene: Scene) -> Iterable[Finding]:
    content, rows, schema = scene.content, scene.rows, scene.schema
    plain = [name for name in schema.plain if name in content.names]
    other = [n for n in content.names if n not in (*schema.quasi, *plain, *schema.pseudonyms)]
    alone = {name: content.sizes([name]).get(1, 0) for name in (*plain, *other)}
    telling = [name for name in other if alone[name] > MANY * rows]
    looked_at = [*plain, *telling]
    if not looked_at:
        return
    sizes = content.sizes([*schema.quasi, *(plain or telling)])
    single, total = sizes.get(1, 0), sum(sizes.values())
    worst = max(looked_at, key=lambda name: alone[name])
    danger = (plain and single > NEARLY * rows) or any(
        alone[name] > (MANY if name in plain else NEARLY) * rows for name in looked_at
    )
    level: Level = "danger" if danger else "warn" if single else "ok"
    together = "plain columns" if plain else " and ".join(telling)
    verdict = (
        f"{counted(single, 'record')} of {rows:,} ({percent(single / rows)}) {verb(single, 'is', 'are')} unique by the "
        f"quasi columns and {together} together"
    )
    if alone[worst]:
        verdict += (
            f", {alone[worst]:,} ({percent(alone[worst] / rows)}) by {worst!r} alone, which is published untouched"
        )
    yield Finding(
        "uniqueness", level, verdict, 1 / min(sizes), total / rows, len(scene.classes.rows) / rows,
        "somebody who knows only the quasi columns", single, rows,
        details={"unique_by_column": {name: alone[name] / rows for name in looked_at}},
    )  # fmt: skip


ATTACK = Attack(
    "uniqueness",
    frozenset({"table"}),
    "picking people out by columns that were published untouched",
    uniqueness,
    cheap=True,
    headline=True,
)
