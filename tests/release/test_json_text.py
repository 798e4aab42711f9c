"""The JSON files of a release are written as Python's own encoder writes them."""

from __future__ import annotations

import json
from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairveil.errors import BadInput
from fairveil.published.folder import json_text
from fairveil.shapes import MAX_NESTING, from_json

scalars = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(), st.dates(), st.sampled_from([1e300, -0.0, 1e16])
)
keys = st.one_of(st.text(), st.integers(), st.booleans(), st.none(), st.floats(allow_nan=False))
values = st.recursive(
    scalars,
    lambda inner: st.one_of(st.lists(inner), st.tuples(inner, inner), st.dictionaries(keys, inner)),
    max_leaves=30,
)


@given(st.dictionaries(st.text(), values))
def test_the_text_is_that_of_the_json_module(content: dict[str, Any]) -> None:
    assert json_text(content) == json.dumps(content, indent=2, ensure_ascii=False, default=str) + "\n"


def test_what_json_lacks_is_text() -> None:
    assert json_text({"day": date(2026, 1, 2)}) == '{\n  "day": "2026-01-02"\n}\n'


def test_nesting_is_limited_where_it_was() -> None:
    assert from_json("[" * MAX_NESTING + "]" * MAX_NESTING, "x") is not None
    with pytest.raises(BadInput, match="nested too deeply"):
        from_json("[" * (MAX_NESTING + 1) + "]" * (MAX_NESTING + 1), "x")
