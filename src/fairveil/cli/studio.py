"""fairveil studio: decide in the browser."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from fairveil.cli.options import argument, flag, opt
from fairveil.errors import BadInput, need


def studio(
    file: Annotated[Path | None, argument("[FILE | PLAN]", "A data file or a plan.toml to open.")] = None,
    port: Annotated[int | None, opt("N", "Port to listen on (default: 8765, or a free one).")] = None,
    host: Annotated[str | None, opt("H", "Also listen on this address; others may then reach the studio.")] = None,
    behind: Annotated[
        str | None, opt("URL", "Address of a proxy with TLS and accounts in front of it (docs/studio.md).")
    ] = None,
    no_open: Annotated[bool, flag("--no-open", "Do not open a browser.")] = False,
    state: Annotated[Path | None, opt("DIR", "Where sessions are kept (~/.local/state/fairveil/studio).")] = None,
) -> int:
    """Open the studio in the browser: from a file to a verified release.

    Prints one line with the address; it holds the key, so keep it to yourself. Only this machine can reach it unless
    --host names another address. Sessions stay until you delete them. Ctrl-C ends it.
    """
    for module in ("starlette", "uvicorn", "python_multipart"):
        need(module, "the studio")
    from fairveil.studio.safety import public_address
    from fairveil.studio.sessions import Studio
    from fairveil.studio.starting import default_state, serve

    if port is not None and not 0 <= port <= 65535:
        raise BadInput(f"--port must be an integer from 0 to 65535, not {port}")
    if file is not None and not file.is_file():
        raise BadInput(f"{file} cannot be opened: there is no such file")
    if behind is not None:
        public_address(behind)
    opened = Studio(state or default_state())

    def ready(address: str) -> None:
        print(address, flush=True)
        if not no_open:
            import webbrowser

            webbrowser.open(address)

    if file is not None:
        from fairveil.studio.opening import open_source

        session = opened.create()
        try:
            open_source(session, path=str(file.resolve()))
        except BaseException:
            opened.delete(session.id)
            raise
        opened.opened = session.id
    serve(opened, host=host, port=port, behind=behind, ready=ready)
    return 0
