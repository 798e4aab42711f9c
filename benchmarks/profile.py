"""Where the CPU time of each command goes, with the plan that `init` writes: `python -m benchmarks profile`

Each command runs in a process of its own, as a user types it. A timer of CPU time interrupts it every few
milliseconds; the time since the interrupt before is booked on the stacks of the threads that work at that moment, so
all of the process's CPU time is booked. Time inside libraries and compiled kernels counts for the module of fairveil
that called them. `imports` is loading modules.
Options: `--only FILE …`, `--steps STEP …`, `--functions N` to list the functions that take longest with all they call.
"""

from __future__ import annotations

import argparse
import json
import os
import runpy
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import defaultdict
from pathlib import Path
from types import FrameType
from typing import Any

HERE = Path(__file__).resolve().parents[1]
INTERVAL = 0.004
"""CPU seconds between interrupts."""
LISTED = 6
"""Phases shown per command."""
DEFAULT = ("adult", "bank", "electricity", "hospital", "breast_cancer", "malades")


def main() -> None:
    from benchmarks.hour import NAMES, STEPS, commands, put

    options = argparse.ArgumentParser(prog="python -m benchmarks profile")
    options.add_argument("--only", nargs="*", choices=NAMES, default=list(DEFAULT))
    options.add_argument("--steps", nargs="*", choices=STEPS, default=list(STEPS))
    options.add_argument("--functions", type=int, default=0, metavar="N")
    options.add_argument("--folder", type=Path, help="plans and releases are kept here; steps can then be run alone")
    asked = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        home = asked.folder or Path(folder)
        for name, places in put(asked.only, home).items():
            print(f"\n{name}: CPU seconds by command, and of its phases")
            for step, words in commands(places, home / name).items():
                if step in asked.steps or not asked.folder:
                    _show(step, profiled(words), asked.functions)


def profiled(words: list[str]) -> dict[str, Any]:
    """The phases of one command, in a process of its own."""
    with tempfile.NamedTemporaryFile(suffix=".json") as answer:
        call = [sys.executable, __file__, answer.name, *words]
        environment = {**os.environ}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)  # users have compiled modules
        done = subprocess.run(call, env=environment, capture_output=True, text=True, check=False)
        text = Path(answer.name).read_text(encoding="utf-8")
    if done.returncode > (words[0] == "attack") or not text:  # 1: an attack is a danger
        raise RuntimeError(f"fairveil {' '.join(words)} ends with {done.returncode}:\n{done.stderr}")
    found: dict[str, Any] = json.loads(text)
    return found


def _show(step: str, found: dict[str, Any], functions: int) -> None:
    phases = sorted(found["phases"].items(), key=lambda item: -item[1])
    rest = sum(seconds for _, seconds in phases[LISTED:])
    parts = [f"{phase} {seconds:.2f}" for phase, seconds in phases[:LISTED]]
    print(f"  {step:<8} {found['cpu']:6.2f}  {', '.join(parts)}, rest {rest:.2f}", flush=True)
    own = {name: seconds for name, seconds in found["functions"].items() if not name.startswith(("cli/", "__main__"))}
    for name, seconds in sorted(own.items(), key=lambda item: -item[1])[:functions]:
        print(f"        {seconds:6.2f}  {name}")


def waits(frame: FrameType) -> bool:
    """Whether a thread waits for another one."""
    return frame.f_code.co_filename.endswith(
        ("threading.py", "queue.py", "progress.py", "interrupts.py", f"futures{os.sep}_base.py")
    )


class Sampler:
    """Books CPU time on stacks."""

    def __init__(self, package: str) -> None:
        self.package = package + os.sep
        self.phases: dict[str, float] = defaultdict(float)
        self.functions: dict[str, float] = defaultdict(float)
        self.last = 0.0  # the process began with none

    def book(self, number: int, frame: FrameType | None) -> None:
        """Book the time since the last call on the stacks of the threads that do not wait for another one."""
        now = time.process_time()
        spent, self.last = now - self.last, now
        main = threading.main_thread().ident
        others = [stack for thread, stack in sys._current_frames().items() if thread != main]
        working = [stack for stack in (frame, *others) if stack and not waits(stack) and self._own(stack)]
        for stack in working:
            self._book(spent / len(working), stack)
        if not working:
            self._book(spent, frame)

    def _own(self, frame: FrameType | None) -> bool:
        """Whether the package has a part in a stack."""
        while frame is not None and not frame.f_code.co_filename.startswith(self.package):
            frame = frame.f_back
        return frame is not None

    def _book(self, spent: float, frame: FrameType | None) -> None:
        phase, seen = "", set()
        while frame is not None:
            code = frame.f_code
            phase = phase or self._phase(code.co_filename)
            if code.co_filename.startswith(self.package):
                seen.add(f"{code.co_filename.removeprefix(self.package)}:{code.co_qualname}")
            frame = frame.f_back
        self.phases[phase or "start of Python"] += spent
        for function in seen:
            self.functions[function] += spent

    def _phase(self, file: str) -> str:
        """What a frame of this file stands for; empty if its caller decides."""
        if file.startswith("<frozen importlib"):
            return "imports"
        if file.endswith(f"kernels{os.sep}compiling.py"):
            return ""
        return file.removeprefix(self.package).removesuffix(".py") if file.startswith(self.package) else ""


def worker(answer: str, words: list[str]) -> None:
    """Run one command under the sampler, and write its phases; what it prints is its own."""
    source = HERE / "src" / "fairveil"
    sampler = Sampler(str(source))
    sys.argv = ["fairveil", *words]
    sys.path[0] = str(source.parent)
    signal.signal(signal.SIGPROF, sampler.book)
    signal.setitimer(signal.ITIMER_PROF, INTERVAL, INTERVAL)
    leave = os._exit  # the command's own end

    def finish(code: int) -> None:
        signal.setitimer(signal.ITIMER_PROF, 0)
        sampler.book(0, None)
        found = {"cpu": time.process_time(), "phases": sampler.phases, "functions": sampler.functions}
        Path(answer).write_text(json.dumps(found), encoding="utf-8")
        leave(code)

    os._exit = finish  # type: ignore[assignment]
    runpy.run_module("fairveil", run_name="__main__")


if __name__ == "__main__":
    worker(sys.argv[1], sys.argv[2:])
