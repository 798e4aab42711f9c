"""Sorting inside kernels. NumPy's sorts take the compiler longer than most kernels: over a second each."""

from __future__ import annotations

import numpy as np

from fairveil.counting.kernels.compiling import helper

FEW = 16
"""Arrays of at most this many numbers are sorted by insertion."""


@helper
def sort(numbers, n):
    """Sort the first n numbers in place."""
    bounds = np.empty(128, dtype=np.int64)  # the parts to be sorted; the smaller one is sorted first, so 128 are enough
    bounds[0], bounds[1] = 0, n - 1
    depth = 2
    while depth > 0:
        depth -= 2
        low, high = bounds[depth], bounds[depth + 1]
        while high - low >= FEW:
            pivot = _middle(numbers[low], numbers[(low + high) >> 1], numbers[high])
            i, j = low, high
            while i <= j:
                while numbers[i] < pivot:
                    i += 1
                while pivot < numbers[j]:
                    j -= 1
                if i <= j:
                    swap = numbers[i]
                    numbers[i] = numbers[j]
                    numbers[j] = swap
                    i += 1
                    j -= 1
            if j - low < high - i:
                bounds[depth], bounds[depth + 1] = i, high
                high = j
            else:
                bounds[depth], bounds[depth + 1] = low, j
                low = i
            depth += 2
        for i in range(low + 1, high + 1):
            number = numbers[i]
            j = i - 1
            while j >= low and numbers[j] > number:
                numbers[j + 1] = numbers[j]
                j -= 1
            numbers[j + 1] = number


@helper
def _middle(a, b, c):
    """Return the median of three numbers."""
    if a < b:
        return b if b < c else (c if a < c else a)
    return a if a < c else (c if b < c else b)


@helper
def merge_order(values, order, spare, n):
    """Sort the first n of `order` by the values that they point to (stable); `spare` has the same length."""
    width = 1
    while width < n:
        for low in range(0, n, 2 * width):
            middle, high = min(low + width, n), min(low + 2 * width, n)
            i, j = low, middle
            for position in range(low, high):
                if i < middle and (j >= high or not values[order[j]] < values[order[i]]):
                    spare[position] = order[i]
                    i += 1
                else:
                    spare[position] = order[j]
                    j += 1
        for position in range(n):
            order[position] = spare[position]
        width *= 2
