"""A process that does work in forks of itself, so that each can be interrupted without loading everything anew.

One JSON document per line comes in: {"command": […]} for the command line, or {"method": {…}} for a search in Python.
Out comes the process id of the fork, which it says itself before it begins, then, once it is at work, "at work", and in
the end its exit code. What it prints goes to a file.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from pathlib import Path
from typing import Any

import fairveil as fv
from fairveil import cli, methods
from fairveil.progress import Progress

INTERRUPTED = 130
OUT = os.dup(1)
"""Where the test listens; what the work prints goes elsewhere."""


def main(folder: Path) -> None:
    plan = fv.Plan.read(folder / "plan.toml")
    source, schema = plan.data
    for line in sys.stdin:
        work = json.loads(line)
        child = os.fork()
        if not child:
            _say(os.getpid())
            _work(work, source, schema, plan, folder)
        _, status = os.waitpid(child, 0)
        _say(os.waitstatus_to_exitcode(status))


def _work(work: dict[str, Any], source: Any, schema: fv.Schema, plan: fv.Plan, folder: Path) -> None:
    """Never returns."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    run = Progress.run

    def told(progress: Progress, job: Any) -> Any:
        Progress.run = run  # type: ignore[method-assign]
        _say("at work")
        return run(progress, job)

    Progress.run = told  # type: ignore[method-assign, assignment]
    with open(folder / "printed", "w") as printed:
        os.dup2(printed.fileno(), 2)
        sys.stderr = printed
        os.dup2(printed.fileno(), 1)
        if "command" in work:
            sys.argv = ["fairveil", *work["command"]]
            cli.main()
        try:
            fv.search(source, schema, guards=plan.guards, method=methods.from_dict(work["method"]))
        except KeyboardInterrupt:
            os._exit(INTERRUPTED)
        os._exit(0)


def _say(text: object) -> None:
    os.write(OUT, f"{text}\n".encode())


if __name__ == "__main__":
    main(Path(sys.argv[1]))
