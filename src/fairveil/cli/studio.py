"""fairveil studio: decide in the browser."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from fairveil.errors import BadInput
from fairveil.extras import need


def studio(
    file: Annotated[
        Path | None, typer.Argument(metavar="[FILE | PLAN]", help="A data file or a plan.toml to open at once.")
    ] = None,
    port: Annotated[int | None, typer.Option(metavar="N", help="Listen here; 8765 or a free one if not given.")] = None,
    host: Annotated[
        str | None, typer.Option(metavar="H", help="Listen on this address, too: others may then reach the studio.")
    ] = None,
    no_open: Annotated[bool, typer.Option("--no-open", help="Do not open a browser.")] = False,
    state: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Where sessions are kept (~/.local/state/fairveil/studio).")
    ] = None,
) -> int:
    """Open the studio in the browser: from a file to a verified release.

    Prints one line with the address; it holds the key, so keep it to yourself. Only this machine can reach it unless
    --host names another address. Sessions stay until you delete them. Ctrl-C ends it.
    """
    for module in ("starlette", "uvicorn", "python_multipart"):
        need(module, "the studio")
    from fairveil.studio.sessions import Studio
    from fairveil.studio.starting import default_state, serve

    if port is not None and not 0 <= port <= 65535:
        raise BadInput(f"--port {port}: say a number from 0 to 65535")
    if file is not None and not file.is_file():
        raise BadInput(f"{file} cannot be opened: there is no such file")
    opened = Studio(state or default_state())

    def ready(address: str) -> None:
        print(address, flush=True)
        if not no_open:
            import webbrowser

            webbrowser.open(address)

    if file is not None:
        from fairveil.studio.opening import open_into

        session = opened.create()
        try:
            open_into(session, None, str(file.resolve()))
        except BaseException:
            opened.delete(session.id)
            raise
        opened.opened = session.id
    serve(opened, host=host, port=port, ready=ready)
    return 0
