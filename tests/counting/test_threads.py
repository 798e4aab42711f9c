"""Work in threads: results in order, nothing waits for itself, and exceptions arrive."""

from __future__ import annotations

from collections.abc import Iterator
from contextvars import ContextVar
from threading import Thread

import pytest

from fairveil.counting.threads import ahead, each_in_threads, side_by_side

WORD = ContextVar("WORD", default="")


@pytest.fixture(autouse=True)
def two_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAIRVEIL_THREADS", "2")


def test_work_inside_of_work_does_not_wait_for_itself() -> None:
    results: list[list[list[int]]] = []

    def squares() -> list[int]:
        return each_in_threads(lambda number: number * number, range(40))

    once = Thread(target=lambda: results.append(side_by_side(squares, squares, squares)), daemon=True)
    once.start()
    once.join(timeout=60)
    assert results == [[[number * number for number in range(40)]] * 3]


def test_the_first_exception_in_order_is_raised() -> None:
    def fail(word: str) -> None:
        raise ValueError(word)

    with pytest.raises(ValueError, match="second"):
        side_by_side(lambda: 1, lambda: fail("second"), lambda: fail("third"))
    with pytest.raises(ValueError, match="7"):
        each_in_threads(lambda number: fail("7") if number == 7 else None, range(9))


def test_threads_know_what_the_caller_set() -> None:
    WORD.set("known")
    assert side_by_side(WORD.get, WORD.get, WORD.get) == ["known"] * 3
    assert list(ahead(WORD.get() for _ in range(3))) == ["known"] * 3


def test_what_is_taken_ahead_comes_in_order_and_fails_where_it_fails() -> None:
    def items() -> Iterator[int]:
        yield from range(5)
        raise ValueError("at the end")

    with pytest.raises(ValueError, match="at the end"):
        list(ahead(items()))
    assert list(ahead([])) == [] and list(ahead("abc")) == ["a", "b", "c"]
