"""Texts of any kind as numbers: hashes, which say which texts may be equal, and their first bytes, to order them by."""

from __future__ import annotations

import numpy as np

from fairveil.counting.kernels.compiling import Int32s, UInt8s, UInt64s, inlined, kernel

_SPREAD = np.uint64(0x9E3779B97F4A7C15)  # as in `group_by.py`


@inlined
def word_at(texts, at):
    """Return eight bytes as one number, the first being the highest."""
    word = np.uint64(0)
    for place in range(8):
        word = (word << np.uint64(8)) | np.uint64(texts[at + place])
    return word


@inlined
def mixed(total, word):
    """Return a hash of a hash and one more word."""
    product = (total ^ word) * _SPREAD
    return product ^ (product >> np.uint64(29))


@kernel
def hashes_of_texts(ends: Int32s, texts: UInt8s, hashes: UInt64s) -> None:
    """Write a hash of each text, equal for equal texts. Text i is from ends[i] to ends[i + 1]."""
    for row in range(len(hashes)):
        at = np.int64(ends[row])
        end = np.int64(ends[row + 1])
        total = np.uint64(end - at)
        while at + 8 <= end:
            total = mixed(total, word_at(texts, at))
            at += 8
        word = np.uint64(0)
        while at < end:
            word = (word << np.uint64(8)) | np.uint64(texts[at])
            at += 1
        hashes[row] = mixed(total, word)


@kernel
def words_of_texts(ends: Int32s, texts: UInt8s, begin: int, words: UInt64s) -> None:
    """Write eight bytes of each text, from the byte `begin` on, as a number: of texts that begin alike, no greater one
    has a smaller number. Bytes that a text lacks are 0."""
    for row in range(len(words)):
        at = np.int64(ends[row]) + begin
        end = np.int64(ends[row + 1])
        word = np.uint64(0)
        for place in range(at, at + 8):
            word = word << np.uint64(8)
            if place < end:
                word = word | np.uint64(texts[place])
        words[row] = word
