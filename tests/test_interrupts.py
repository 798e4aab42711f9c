"""Ctrl-C while work is done in the main thread is raised once: after the work, or soon where that looks at no sign."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from fairveil.progress import Progress


@pytest.fixture(autouse=True)
def as_python_starts() -> Iterator[None]:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    signal.signal(signal.SIGINT, before)


def pressed() -> None:
    os.kill(os.getpid(), signal.SIGINT)


def patient(progress: Progress) -> Callable[[], Any]:
    def work() -> None:
        pressed()
        for _ in range(100):
            time.sleep(0.001)
        assert progress.cancelled  # it went on, and may look

    return work


def test_work_that_looks_returns_first() -> None:
    progress = Progress()
    with pytest.raises(KeyboardInterrupt):
        progress.run(patient(progress))


def test_work_within_work_is_told_as_well() -> None:
    outer, inner = Progress(), Progress()
    with pytest.raises(KeyboardInterrupt):
        outer.run(lambda: inner.run(patient(inner)))
    assert outer.cancelled


def test_a_press_as_the_work_ends_is_not_lost() -> None:
    with pytest.raises(KeyboardInterrupt):
        Progress().run(pressed)


def press_and_sleep() -> None:
    pressed()
    time.sleep(30)


@pytest.mark.parametrize("again", [1, 2])
def test_work_that_does_not_look_is_interrupted_soon(again: int) -> None:
    for _ in range(again):
        began = time.monotonic()
        with pytest.raises(KeyboardInterrupt):
            Progress().run(press_and_sleep)
        assert time.monotonic() - began < 2
    assert Progress().run(lambda: 1) == 1


KERNELS_IN_A_LOOP = """
import os, signal, threading, time
import numpy as np
from fairveil.counting.kernels.group_by import group_firsts
from fairveil.interrupts import interruptible

keys, groups = np.arange(5), np.arange(5)
for _ in range(5):
    try:
        with interruptible(np.zeros(1, dtype=np.uint8)):
            threading.Timer(0.02, os.kill, (os.getpid(), signal.SIGINT)).start()
            end = time.monotonic() + 30
            while time.monotonic() < end:
                group_firsts(keys, groups)
    except KeyboardInterrupt:
        print("interrupted")
"""


def test_work_that_is_always_in_a_kernel_is_interrupted_without_a_crash() -> None:
    done = subprocess.run(
        [sys.executable, "-c", KERNELS_IN_A_LOOP], capture_output=True, text=True, timeout=200, check=False
    )
    assert (done.returncode, done.stdout.split()) == (0, ["interrupted"] * 5), done.stderr


def test_work_begun_ahead_gives_its_result_or_its_exception_when_asked() -> None:
    def fail() -> None:
        raise ValueError("of the work")

    for progress in (Progress(), Progress.of(None)):
        assert progress.begin(lambda: 7)() == 7
        broken = progress.begin(fail)  # raises nothing yet
        with pytest.raises(ValueError, match="of the work"):
            broken()


def test_work_begun_ahead_goes_on_beside_the_caller() -> None:
    seen = threading.Event()
    result = Progress().begin(lambda: seen.wait(60))
    seen.set()
    assert result()
