"""How numbers are written in the report: few digits, one way for each kind."""

from __future__ import annotations

from math import ceil, floor, isfinite, log10

from fairveil.messages import counted as times

__all__ = ["count", "log_ticks", "number", "percent", "short", "short_percent", "ticks", "times"]


def count(value: float) -> str:
    return f"{value:,.0f}"


def percent(share: float) -> str:
    r"""A share with two or three digits; only zero reads as 0 %.

    >>> [percent(share).replace("\u00a0", " ") for share in (0, 0.00001, 0.0031, 0.4567, 1)]
    ['0 %', 'under 0.01 %', '0.31 %', '45.7 %', '100 %']
    """
    value = 100 * share
    if value in (0, 100):
        return f"{value:.0f}\u00a0%"
    if 0 < value < 0.01:
        return "under 0.01\u00a0%"
    if 99.95 <= value < 100:
        return "over 99.9\u00a0%"
    return f"{value:.2f}\u00a0%" if value < 1 else f"{value:.1f}\u00a0%"


def number(value: float) -> str:
    """Integers in full, other numbers with four digits.

    >>> [number(value) for value in (5, 30162, 0.43218, 1234567.8)]
    ['5', '30,162', '0.4322', '1,234,568']
    """
    if not isfinite(value):
        return "∞" if value > 0 else "−∞" if value < 0 else "undefined"
    if value == round(value) or abs(value) >= 1e4:
        return f"{value:,.0f}"
    return f"{value:.4g}"


def short(value: float) -> str:
    """A number for an axis: 12800 is 12.8k."""
    for size, sign in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if abs(value) >= size:
            return f"{value / size:.3g}{sign}"
    return f"{value:.3g}"


def short_percent(share: float) -> str:
    """A share for an axis: 0.2 is 20 %."""
    return f"{100 * share:.4g}\u00a0%" if share >= 1e-5 or share == 0 else f"{100 * share:.0e}\u00a0%"


def ticks(low: float, high: float, about: int = 5) -> list[float]:
    """Round numbers from at most `low` to at least `high`."""
    if high - low <= 1e-6 * max(abs(low), 1e-6):  # all the same: any span works
        high = low + (abs(low) if abs(low) > 1e-9 else 1.0)
    rough = (high - low) / about
    power = 10.0 ** floor(log10(rough))
    step = next(power * unit for unit in (1, 2, 2.5, 5, 10) if power * unit >= rough * (1 - 1e-9))
    first, last = floor(low / step + 1e-9), ceil(high / step - 1e-9)
    return [float(f"{step * position:.10g}") for position in range(first, last + 1)]


def log_ticks(low: float, high: float) -> list[float]:
    """1, 10, 100 …, from at most `low` to at least `high`, both above zero."""
    first, last = floor(log10(low) + 1e-9), ceil(log10(high) - 1e-9)
    return [float(f"1e{power}") for power in range(first, max(last, first + 1) + 1)]
