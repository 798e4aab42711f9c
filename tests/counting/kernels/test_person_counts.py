"""Pairs of a cell and a person, counted without sorting, are those of a plain count."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from fairveil.counting.kernels.hashed_texts import hashes_of_texts, words_of_texts
from fairveil.counting.kernels.numbered_texts import keys_of_numbered
from fairveil.counting.kernels.person_counts import by_cell, pairs_by_person, stable_order


@pytest.mark.parametrize("interpreted", [True, False])
@pytest.mark.parametrize(("rows", "people", "cells"), [(0, 1, 1), (1, 1, 1), (300, 40, 9), (300, 2, 90), (300, 1, 1)])
def test_pairs_are_those_of_a_plain_count(interpreted: bool, rows: int, people: int, cells: int) -> None:
    rng = np.random.default_rng(rows + people)
    who, where = (rng.integers(0, size, rows).astype(np.int32) for size in (people, cells))
    count, turn = (kernel.py_func if interpreted else kernel for kernel in (pairs_by_person, by_cell))
    of_pair, times = (np.empty(rows, dtype=np.int32) for _ in range(2))
    starts, rows_of = (np.empty(people + extra, dtype=np.int64) for extra in (1, 0))
    count(who, where, cells, of_pair, times, starts, rows_of)
    of_pair, times = of_pair[: starts[-1]], times[: starts[-1]]
    expected = Counter(zip(where.tolist(), who.tolist(), strict=True))
    for person in range(people):
        theirs = slice(starts[person], starts[person + 1])
        counted = dict(zip(of_pair[theirs].tolist(), times[theirs].tolist(), strict=True))
        assert counted == {cell: number for (cell, other), number in expected.items() if other == person}
    assert rows_of.tolist() == np.bincount(who, minlength=people).tolist()
    of_cell = np.empty(len(of_pair), dtype=np.int32)
    persons, counts = (np.empty(len(of_pair), dtype=np.int64) for _ in range(2))
    turn(of_pair, times, starts, cells, of_cell, persons, counts)
    assert list(zip(of_cell.tolist(), persons.tolist(), counts.tolist(), strict=True)) == [
        (*pair, number) for pair, number in sorted(expected.items())
    ]


@pytest.mark.parametrize("interpreted", [True, False])
def test_equal_codes_keep_their_order(interpreted: bool) -> None:
    codes = np.random.default_rng(0).integers(0, 9, 200).astype(np.int32)
    order = (stable_order.py_func if interpreted else stable_order)(codes, 9)
    assert order.tolist() == np.argsort(codes, kind="stable").tolist()


@pytest.mark.parametrize("interpreted", [False, True])
@pytest.mark.parametrize(
    ("texts", "numbered"),
    [(["p1", "p01", "p1", "p20", ""], True), (["p1", "q1"], False), (["p1", "p1a"], False), (["p1", "p99999"], False)],
)
def test_keys_of_numbered_texts_differ_where_the_texts_do(texts: list[str], numbered: bool, interpreted: bool) -> None:
    ends = np.cumsum([0, *map(len, texts)], dtype=np.int32)
    data, missing = np.frombuffer("".join(texts).encode(), dtype=np.uint8), np.array([not text for text in texts])
    keys, start = np.empty(len(texts), dtype=np.int64), np.frombuffer(b"p", dtype=np.uint8)
    written = (keys_of_numbered.py_func if interpreted else keys_of_numbered)(ends, data, start, missing, 100, keys)
    assert written == numbered
    if numbered:
        pairs = {*zip(texts, keys.tolist(), strict=True)}
        assert len(pairs) == len({*texts}) == len({key for _, key in pairs}) and keys[-1] == 0 and keys.max() < 100


@pytest.mark.parametrize("interpreted", [False, True])
def test_hashes_and_words_of_texts(interpreted: bool) -> None:
    """Equal texts have equal hashes, these different ones have different ones, and words are ordered as the texts."""
    texts = ["", "a", "b", "ab", "ba", "a\0", "abcdefgh", "abcdefghi", "abcdefghabcdefgh", "é", "abcdefgh", "a"]
    encoded = [text.encode() for text in texts]
    ends, data = np.cumsum([0, *map(len, encoded)], dtype=np.int32), np.frombuffer(b"".join(encoded), dtype=np.uint8)
    hashes, words = (np.empty(len(texts), dtype=np.uint64) for _ in range(2))
    with np.errstate(over="ignore"):
        (hashes_of_texts.py_func if interpreted else hashes_of_texts)(ends, data, hashes)
        (words_of_texts.py_func if interpreted else words_of_texts)(ends, data, 0, words)
    assert len({*zip(texts, hashes.tolist(), strict=True)}) == len({*texts}) == len({*hashes.tolist()})
    assert words.tolist() == [int.from_bytes(text[:8].ljust(8, b"\0"), "big") for text in encoded]
    words_of_texts(ends[6:9], data, 3, words[:2])
    assert words[:2].tolist() == [int.from_bytes(text[3:11].ljust(8, b"\0"), "big") for text in encoded[6:8]]
