"""Equal records of a CSV file that follow one another, found without parsing them."""

from __future__ import annotations

import numpy as np

from fairveil.counting.kernels.compiling import Int64s, UInt8s, helper, kernel

COMMA, QUOTE, LINE, RETURN = 44, 34, 10, 13
BLOCK = 256
"""Bytes that are compared before it is looked whether they differed."""
INCOMPLETE, IRREGULAR = -1, -2


@helper
def _end(data, start, size):
    """Return where the record ends that starts here, after its line break; INCOMPLETE if that is further on, IRREGULAR
    for what readers may take for something else: blank lines, carriage returns, quotation marks inside of a field."""
    if start < size and data[start] == LINE:
        return IRREGULAR
    i = start
    while i < size:
        if data[i] == QUOTE:
            i += 1
            while i < size and (data[i] != QUOTE or (i + 1 < size and data[i + 1] == QUOTE)):
                if data[i] == QUOTE:
                    i += 1
                i += 1
            i += 1
            if i >= size:
                return INCOMPLETE
            if data[i] != COMMA and data[i] != LINE:
                return IRREGULAR
        else:
            while i < size and data[i] != COMMA and data[i] != LINE:
                if data[i] == QUOTE or data[i] == RETURN:
                    return IRREGULAR
                i += 1
            if i >= size:
                return INCOMPLETE
        i += 1
        if data[i - 1] == LINE:
            return i
    return INCOMPLETE


@helper
def _repeated(data, start, length, size):
    """Return for how many bytes the data goes on as it was `length` bytes before."""
    i = start
    while i + BLOCK <= size:
        different = np.uint64(0)
        for j in range(i, i + BLOCK):
            different |= data[j] ^ data[j - length]
        if different != 0:
            break
        i += BLOCK
    while i < size and data[i] == data[i - length]:
        i += 1
    return i - start


@kernel
def equal_records(data: UInt8s, size: int, distinct: UInt8s, counts: Int64s) -> tuple[int, int, int, bool]:
    """Copy the first of equal records that follow one another to `distinct`, one after the other, and write how many
    they are to `counts`.

    Returns how many were copied, their bytes, how many of the `size` bytes were read, which end with a record, and
    whether the rest is to be parsed: the next record is irregular. Stops when `counts` is full.
    """
    start, copied, runs = 0, 0, 0
    irregular = False
    while start < size and runs < len(counts):
        end = _end(data, start, size)
        if end < 0:
            irregular = end == IRREGULAR
            break
        length = end - start
        for i in range(length):
            distinct[copied + i] = data[start + i]
        copied += length
        counts[runs] = 1 + _repeated(data, end, length, size) // length
        start += counts[runs] * length
        runs += 1
    return runs, copied, start, irregular
