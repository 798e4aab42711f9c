"""A studio as its user starts it: the command in a process of its own."""

from __future__ import annotations

import re
import socket
import subprocess
import sys
from pathlib import Path

STATIC = Path(__file__).parents[3] / "src" / "fairveil" / "studio" / "static" / "index.html"


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


class Studio:
    """`fairveil studio` on a port of its own; `restart` ends it and starts it again on the same state."""

    def __init__(self, state: Path, *arguments: str) -> None:
        self.state, self.port, self.arguments = state, free_port(), arguments
        self.start()

    def start(self) -> None:
        command = [sys.executable, "-m", "fairveil", "studio", *self.arguments, "--no-open"]
        self.process = subprocess.Popen(
            [*command, "--port", str(self.port), "--state", str(self.state)], stdout=subprocess.PIPE, text=True
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        found = re.search(r"http://\S+", line)
        assert found, f"the studio did not say where it listens: {line!r}"
        self.address = found.group()

    @property
    def root(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(20)

    def restart(self) -> None:
        self.stop()
        self.start()
