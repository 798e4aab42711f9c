"""Work that is distributed over threads gives the same results in the same order, and fails as it would in one."""

from __future__ import annotations

import threading

import pytest

from fairveil.counting.threads import each_in_threads


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_results_are_in_order_and_the_caller_works_too(threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAIRVEIL_THREADS", str(threads))
    at_once = threading.Barrier(threads, timeout=10)
    workers = []

    def work(piece: int) -> list[int]:
        workers.append(threading.get_ident())
        if piece < threads:
            at_once.wait()  # each of the first pieces is in a thread of its own
        return each_in_threads(lambda inner: piece * inner, range(3))  # in this thread

    assert each_in_threads(work, range(threads + 3)) == [[0, piece, 2 * piece] for piece in range(threads + 3)]
    assert threading.get_ident() in workers
    assert len(set(workers)) == threads


@pytest.mark.parametrize("threads", ["1", "2"])
@pytest.mark.parametrize("broken", [0, 5])
def test_what_a_piece_raises_is_raised(threads: str, broken: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAIRVEIL_THREADS", threads)

    def work(piece: int) -> int:
        if piece == broken:
            raise ValueError(f"piece {piece}")
        return piece

    with pytest.raises(ValueError, match=f"piece {broken}"):
        each_in_threads(work, range(6))
    assert each_in_threads(abs, range(4)) == [0, 1, 2, 3]
