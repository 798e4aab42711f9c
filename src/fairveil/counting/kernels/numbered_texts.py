"""Texts that all begin alike and end in digits, as integers: numbers of people, cases and accounts."""

from __future__ import annotations

import numpy as np

from fairveil.counting.kernels.compiling import Bools, Int32s, Int64s, UInt8s, kernel

MOST_DIGITS = 18


@kernel
def keys_of_numbered(ends: Int32s, texts: UInt8s, start: UInt8s, missing: Bools, limit: int, keys: Int64s) -> bool:
    """Write a key of each text, equal for equal texts only, of which those that are `missing` have 0; return whether
    all texts are `start` and then digits, and all keys below `limit`.

    Text i is from ends[i] to ends[i + 1]. Texts of each length have keys of their own, so that `7` and `07` differ.
    """
    begin = len(start)
    highest = np.full(MOST_DIGITS + 1, -1, dtype=np.int64)  # the highest number of each number of digits
    for row in range(len(keys)):
        at = np.int64(ends[row])
        end = np.int64(ends[row + 1])
        number = np.int64(0)
        if not missing[row]:
            if end - at <= begin or end - at > begin + MOST_DIGITS:
                return False
            for place in range(begin):
                if texts[at + place] != start[place]:
                    return False
            for place in range(at + begin, end):
                digit = np.int64(texts[place]) - 48
                if digit < 0 or digit > 9:
                    return False
                number = number * 10 + digit
            if number >= limit:
                return False
            highest[end - at - begin] = max(highest[end - at - begin], number)
        keys[row] = number
    first = np.zeros(MOST_DIGITS + 1, dtype=np.int64)  # the key of the number 0 of so many digits
    total = 1
    for digits in range(MOST_DIGITS + 1):
        first[digits] = total
        total += highest[digits] + 1
    if total > limit:
        return False
    for row in range(len(keys)):
        if not missing[row]:
            keys[row] += first[ends[row + 1] - ends[row] - begin]
    return True
