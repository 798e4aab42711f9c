"""Helpers of kernels, callable from a test."""

from __future__ import annotations

from typing import Any

from numba import njit


def from_python(helper: Any) -> Any:
    return njit(helper.py_func)
