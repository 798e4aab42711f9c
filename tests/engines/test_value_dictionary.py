"""Texts that an engine hands over plain, or dictionary-encoded: the same dictionary and the same codes."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairveil.engines.value_dictionary import CellReader, ValueDictionary, coded_texts
from fairveil.errors import BadInput

TEXTS = st.lists(st.sampled_from(["a", "b", "1", "1.0", "", None]), min_size=1, max_size=12)


@given(TEXTS, st.booleans(), st.data())
def test_encoded_texts_are_read_as_plain_ones(texts: list[str | None], inferred: bool, data: st.DataObject) -> None:
    reader = CellReader(texts=frozenset({"x"}) if inferred else frozenset())
    plain = pa.array(texts, pa.string())
    counts = np.ones(len(texts), dtype=np.int64)
    unused = pa.array([*dict.fromkeys(text for text in texts if text is not None), "unused"])
    foreign = pa.DictionaryArray.from_arrays(pa.array([unused.to_pylist().index(t) if t is not None else None
                                                       for t in texts], pa.int32()), unused)  # fmt: skip
    cut = data.draw(st.integers(0, len(texts)))
    ours = coded_texts(pa.table({"x": pa.chunked_array([plain[:cut], plain[cut:]], pa.string())}))["x"]
    try:
        expected = ValueDictionary.of("x", plain, counts, reader)
    except BadInput:  # numbers among words
        for given_texts in (ours, foreign):
            with pytest.raises(BadInput):
                ValueDictionary.of("x", given_texts, counts, reader)
        return
    for given_texts in (ours, foreign):
        dictionary = ValueDictionary.of("x", given_texts, counts, reader)
        assert dictionary.values.equals(expected.values) and dictionary.missing == expected.missing
        assert dictionary.spellings.equals(expected.spellings)
        assert expected.encode(given_texts).tolist() == expected.encode(plain).tolist()


@pytest.mark.parametrize("late", ["c", None])
def test_a_text_that_was_not_counted_is_refused(late: str | None) -> None:
    known = ValueDictionary.of("x", pa.array(["a", "b"]), np.ones(2, dtype=np.int64), CellReader())
    for texts in (pa.array(["a", late], pa.string()), pa.array(["a", late], pa.string()).dictionary_encode()):
        with pytest.raises(BadInput, match="was not among those counted before"):
            known.encode(texts)
