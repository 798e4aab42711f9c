"""Sorting 64-bit keys by their digits, and counting equal ones: five times as fast as a comparing sort."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fairveil.counting.kernels.compiling import Int32s, Int64s, helper, kernel
from fairveil.counting.kernels.group_by import clear, find, table_bits

DIGIT = 11
"""Bits of a digit at most: more than 2048 places to write to do not fit into a cache."""


@helper
def _varying(keys):
    """Return the number of bits up to the highest one in which keys differ."""
    varying = 0
    for i in range(1, len(keys)):
        varying |= keys[i] ^ keys[0]
    bits = 0
    while bits < 63 and (varying >> bits) != 0:
        bits += 1
    return bits


@helper
def _moved(source, target, shift, width):
    """Copy keys in the order of one digit (stable); returns False, without a copy, if all have the same."""
    last = (1 << width) - 1
    places = np.zeros(1 << width, dtype=np.int64)
    for i in range(len(source)):
        places[(source[i] >> shift) & last] += 1
    if places[(source[0] >> shift) & last] == len(source):
        return False
    start = 0
    for digit in range(1 << width):
        size = places[digit]
        places[digit] = start
        start += size
    for i in range(len(source)):
        key = source[i]
        digit = (key >> shift) & last
        target[places[digit]] = key
        places[digit] += 1
    return True


@helper
def _counted(ordered, keys, counts):
    """Write the distinct ones of sorted keys and the count of each to the front; returns their number.

    `ordered` may be one of the other two: what is written is behind what is read.
    """
    distinct, start = 0, 0
    for i in range(1, len(ordered) + 1):
        if i == len(ordered) or ordered[i] != ordered[start]:
            key = ordered[start]
            counts[distinct] = i - start
            keys[distinct] = key
            distinct += 1
            start = i
    return distinct


@kernel
def count_keys(keys: Int64s, counts: Int64s) -> int:
    """Put the distinct keys, sorted, to the front of `keys`, and the number of each to the front of `counts`, which has
    the same length; returns their number. Keys are not negative."""
    n = len(keys)
    if n == 0:
        return 0
    bits = _varying(keys)
    passes = (bits + DIGIT - 1) // DIGIT
    width = 0
    if passes > 0:
        width = (bits + passes - 1) // passes
    in_keys = True
    for step in range(passes):
        if in_keys:
            if _moved(keys, counts, step * width, width):
                in_keys = False
        elif _moved(counts, keys, step * width, width):
            in_keys = True
    if in_keys:
        return _counted(keys, keys, counts)
    return _counted(counts, keys, counts)


@kernel
def merge_counts(keys: Int64s, counts: Int64s, others: Int64s, their_counts: Int64s, to: Int64s, sums: Int64s) -> int:
    """Merge two sorted sets of distinct keys into `to`, and their counts into `sums`; returns the number of keys."""
    i, j, n = 0, 0, 0
    while i < len(keys) or j < len(others):
        if j == len(others) or (i < len(keys) and keys[i] < others[j]):
            to[n] = keys[i]
            sums[n] = counts[i]
            i += 1
        elif i == len(keys) or others[j] < keys[i]:
            to[n] = others[j]
            sums[n] = their_counts[j]
            j += 1
        else:
            to[n] = keys[i]
            sums[n] = counts[i] + their_counts[j]
            i += 1
            j += 1
        n += 1
    return n


@kernel
def hashed_keys(keys: Int64s, slots: Int32s) -> int:
    """Fill the hash table of distinct keys, of 2^`table_bits` slots; returns that exponent."""
    bits = table_bits(len(keys))
    clear(slots, bits)
    for i in range(len(keys)):
        position, _ = find(keys[i], keys, slots, bits)
        slots[position] = i
    return bits


class Fields(NamedTuple):
    """Some groups of bits of a number, and what each is multiplied by in the sum of all."""

    shifts: Int64s
    masks: Int64s
    factors: Int64s


@kernel
def keep_and_tally(
    numbers: Int64s, low: int, mask: int, excluded: Int64s, slots: Int32s, bits: int, fields: Fields, totals: Int64s,
    kept: Int64s,
) -> int:  # fmt: skip
    """Write the keys of numbers, which are all but their `low` bits, to the front of `kept`, but for those whose masked
    bits are among the `excluded` keys (hashed by `hashed_keys`); returns how many are kept. The sum of the fields of
    each number that is kept says to which of the totals one is added, if there are any."""
    n = 0
    for i in range(len(numbers)):
        number = numbers[i]
        at = -1
        if len(excluded) > 0:
            _, at_key = find((number >> low) & mask, excluded, slots, bits)
            at = at_key
        if at < 0:
            kept[n] = number >> low
            n += 1
            if len(totals) > 0:
                place = 0
                for field in range(len(fields.shifts)):
                    place += ((number >> fields.shifts[field]) & fields.masks[field]) * fields.factors[field]
                totals[place] += 1
    return n
