"""What a field declares is what a file must hold, and all that it holds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

import pytest

from fairveil.errors import BadInput
from fairveil.recipes.stored import NODE, NUMBER, Form, Stored, listed, nested, per_column, stored
from fairveil.shapes import flag, name


@dataclass(frozen=True)
class Step(Stored):
    also = {"kind": name}  # noqa: RUF012

    at: Any = field(metadata=stored(NUMBER))
    last: str = field(metadata=stored(Form(name), order=1))
    nodes: tuple[Any, ...] = field(metadata=stored(listed(NODE), key="names"))
    strict: bool = field(default=True, metadata=stored(Form(flag), sparse=True))
    memory: int = 0

    def to_dict(self) -> dict[str, Any]:
        return {"kind": "step", **super().to_dict()}

    def check(self) -> None:
        if self.last == "nowhere":
            raise BadInput("it leads nowhere")


@dataclass(frozen=True)
class Steps(Stored):
    steps: Mapping[str, Step] = field(metadata=stored(per_column(nested(Step))))


STEP = Step(Decimal("0.1"), "top", ((1, "x"), (0, None)), memory=3)


def test_fields_are_written_by_key_and_order_and_defaults_left_out() -> None:
    assert list(STEP.to_dict().items()) == [
        ("kind", "step"), ("at", "0.1"), ("names", [[1, "x"], [0, None]]), ("last", "top"),
    ]  # fmt: skip
    assert Step(1, "top", (), strict=False).to_dict()["strict"] is False


def test_what_is_written_is_read() -> None:
    steps = Steps({"a": Step(2, "top", ()), "b": Step(Decimal("0.1"), "top", ((1, "x"),), strict=False)})
    assert Steps.from_dict(steps.to_dict()) == steps


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"at": []}, "at must be one plain value, not a list of 0"),
        ({"names": [[-1, "x"]]}, r"names\[0\] must be an integer from 0 to 10,000, not -1"),
        ({"nodes": []}, "no key in it: 'nodes': did you mean 'names'"),
        ({"kind": ""}, "kind must be a name"),
        ({"last": "nowhere"}, "it leads nowhere"),
        ({"at": [], "kind": ""}, "2 problems"),
    ],
)
def test_what_does_not_fit_is_refused(change: dict[str, Any], problem: str) -> None:
    with pytest.raises(BadInput, match=problem):
        Step.from_dict({**STEP.to_dict(), **change})


def test_only_fields_with_a_default_may_be_missing() -> None:
    spec = STEP.to_dict()
    assert Step.from_dict(spec).strict
    del spec["last"]
    with pytest.raises(BadInput, match="last is missing"):
        Step.from_dict(spec)
