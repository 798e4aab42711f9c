"""Choices: the registries as the front end needs them."""

from __future__ import annotations

from functools import cache
from typing import Any, Literal

from fairveil import attacks, guards, measures, methods
from fairveil.data import hierarchy
from fairveil.data.join import Join
from fairveil.data.schema import MAY_JOIN, ROLES, Schema
from fairveil.methods.method import Picture
from fairveil.settings import Setting, Type, sentence_of, settings_of
from fairveil.studio.answers import Answer, Role, number, plain, roles_of
from fairveil.studio.deciding import ROLE_NAMES
from fairveil.studio.document import READING
from fairveil.studio.endpoints import endpoint
from fairveil.studio.refusals import label_of, value_label


class FieldFacts(Answer):
    """One setting, and the label of its field. `minimum` and `maximum` are ends of a slider where there are such;
    `options` the choices, with the labels of each."""

    name: str
    label: str
    type: Type
    required: bool
    default: Any
    minimum: float | None
    maximum: float | None
    options: dict[str, str] | None
    says: str


class PartFacts(Answer):
    """A guard, method or kind of hierarchy that can be asked for; `needs` are the roles without which it is refused.
    `false_values` is a word for why values that a method publishes may be false ("averages", "noise"), `picture` the
    drawing of what it does."""

    kind: str
    title: str
    says: str
    fields: list[FieldFacts]
    leaves_open: str
    needs: list[str]
    false_values: str
    picture: Picture


class MeasureFacts(Answer):
    """`cheap` measures come with every candidate; others are computed when asked for."""

    name: str
    title: str
    family: Literal["loss", "risk", "fairness", "utility"]
    better: Literal["lower", "higher"]
    minimum: float | None
    maximum: float | None
    meaning: str
    cheap: bool
    needs_decision: bool
    needs_population: bool
    needs_household: bool


class AttackTitle(Answer):
    name: str
    title: str
    meaning: str


class RoleFacts(Answer):
    name: Role
    title: str
    says: str
    joins: list[Role]


class Catalog(Answer):
    """Everything that can be chosen, from the registries. It does not change while the server runs."""

    reading: list[FieldFacts]
    joining: list[FieldFacts]
    roles: list[RoleFacts]
    guards: list[PartFacts]
    methods: list[PartFacts]
    hierarchies: list[PartFacts]
    measures: list[MeasureFacts]
    attacks: list[AttackTitle]


@endpoint("GET", "/api/catalog")
@cache
def catalog() -> Catalog:
    roles, says = roles_of(ROLES), {setting.name: setting.says for setting in settings_of(Schema)}
    return Catalog(
        [_field(setting) for setting in READING],
        [_field(setting) for setting in settings_of(Join)],
        [
            RoleFacts(role, ROLE_NAMES[role], says[role], [other for other in roles if {role, other} in MAY_JOIN])
            for role in roles
        ],
        [_part(guard) for guard in guards.GUARDS],
        [_part(method) for method in methods.METHODS],
        [_part(kind) for kind in hierarchy.KINDS],
        [
            MeasureFacts(
                measure.name, measure.title, measure.family, measure.better, number(measure.range[0]),
                number(measure.range[1]), measure.meaning, measure.cost == "summary", "decision" in measure.needs,
                "population" in measure.needs, "household" in measure.needs,
            )
            for measure in measures.MEASURES
        ],
        [AttackTitle(attack.name, attack.title, attack.meaning) for attack in attacks.ATTACKS],
    )  # fmt: skip


def _part(part: Any) -> PartFacts:
    leaves_open, false_values = getattr(part, "leaves_open", ""), getattr(part, "false_values", "")
    fields = [_field(setting) for setting in settings_of(part)]
    needs = list(getattr(part, "needs", ()))
    return PartFacts(
        part.kind, part.title, sentence_of(part), fields, leaves_open, needs, false_values, getattr(part, "picture", "")
    )


def _field(setting: Setting) -> FieldFacts:
    return FieldFacts(
        setting.name, label_of(setting.name), setting.type, setting.required, plain(setting.default),
        setting.minimum if setting.above is None else setting.above,
        setting.maximum if setting.below is None else setting.below,
        None if setting.options is None else {name: value_label(setting.name, name) for name in setting.options},
        setting.says,
    )  # fmt: skip
