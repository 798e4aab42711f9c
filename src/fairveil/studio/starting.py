"""Starting and stopping the server: one line when it is ready, no logs, a clean shutdown at Ctrl-C."""

from __future__ import annotations

import os
import signal
import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import uvicorn

from fairveil.errors import BadInput
from fairveil.studio.endpoints import endpoints
from fairveil.studio.safety import AccessControl
from fairveil.studio.serving import application
from fairveil.studio.sessions import Studio

PORT = 8765


def default_state() -> Path:
    """Return the default state directory."""
    base = os.environ.get("XDG_STATE_HOME", "")
    home = Path(base) if base.startswith("/") else Path.home() / ".local" / "state"
    return home / "fairveil" / "studio"


def serve(
    studio: Studio,
    *,
    host: str | None = None,
    port: int | None = None,
    behind: str | None = None,
    ready: Callable[[str], object],
) -> None:
    """Serve until Ctrl-C or SIGTERM. `ready` gets the address, token included, once the server answers."""
    listener = _listening(host or "127.0.0.1", port)
    number = listener.getsockname()[1]
    access = AccessControl.of(studio.state, number, host, behind)
    name = access.hosts[-1] if host and host not in ("0.0.0.0", "::") else "localhost" if host else "127.0.0.1"
    address = f"{access.behind or f'http://{name}:{number}'}/?token={access.token}"
    config = uvicorn.Config(
        application(studio, access), loop="asyncio", http="h11", ws="none", lifespan="off", access_log=False,
        log_config=None, log_level="critical", server_header=False, date_header=False, timeout_graceful_shutdown=2,
        h11_max_incomplete_event_size=64 << 10,
    )  # fmt: skip
    server = _Server(config, lambda: ready(address))
    try:
        server.run(sockets=[listener])
    finally:
        studio.close()


class _Server(uvicorn.Server):
    """A server that reports when it is ready, and ends normally at Ctrl-C."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], object]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets=sockets)
        self._ready()
        threading.Thread(target=endpoints, name="studio-warm", daemon=True).start()  # the first clicks will need them

    async def serve(self, sockets: list[socket.socket] | None = None) -> None:
        for number in (signal.SIGINT, signal.SIGTERM):
            with suppress(ValueError):  # not the main thread: its caller stops it
                signal.signal(number, self._end)
        await self._serve(sockets)

    def _end(self, *_: Any) -> None:
        self.force_exit = self.should_exit
        self.should_exit = True


def _listening(host: str, port: int | None) -> socket.socket:
    """Return a listening socket; if the usual port is taken, another one."""
    wanted = [PORT, 0] if port is None else [port]
    reason = ""
    for number in wanted:
        try:
            family, kind, protocol, _, address = socket.getaddrinfo(
                host, number, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
            )[0]
            listener = socket.socket(family, kind, protocol)
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind(address)
            listener.listen(128)
            return listener
        except (OSError, OverflowError) as problem:
            reason = getattr(problem, "strerror", None) or "there is no such address"
    raise BadInput(f"the studio cannot listen on {host}:{wanted[-1]}: {reason}")
