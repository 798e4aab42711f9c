"""Names of columns may be integers or tuples wherever a column is named, not only in a schema."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import fairveil as fv

NAMES: dict[str, list[Any]] = {
    "integers": [0, 1, 2, 3],
    "numpy's": list(np.arange(4)),
    "tuples": [("a", 0), ("a", 1), ("b", 0), ("b", 1)],
}


@pytest.mark.parametrize("kind", NAMES)
def test_keys_and_persons_and_earlier_releases(kind: str) -> None:
    who, age, sex, ill = names = NAMES[kind]
    rows = [(i, 20 + i % 3, "fm"[i % 2], "xyz"[i % 3]) for i in range(60)]
    people = pd.DataFrame(rows, columns=pd.Index(names, tupleize_cols=True))
    schema = fv.Schema(quasi=[age, sex], sensitive=[ill], drop=[who])
    guard = fv.KAnonymity(2, keys=[[age, sex], {"columns": [sex], "k": 5}])
    assert fv.search(people, schema, guards=guard).best("loss").holds
    plain = fv.KAnonymity(2)
    first = fv.search(people, schema, guards=plain).best("loss")
    again = fv.search(people, schema, guards=plain, earlier=[fv.Earlier(first, source=people, key=who)])
    assert len(again)
    assert len(fv.one_row_per_person(pd.concat([people, people]), person=who, keep="first", by=age)) == len(people)
