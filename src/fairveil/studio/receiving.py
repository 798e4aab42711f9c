"""Receiving an upload: streamed into the session's folder, within the size limit, completely or not at all."""

from __future__ import annotations

from pathlib import Path

from starlette.requests import Request

from fairveil.data.atomic import whole_files
from fairveil.studio.calls import Call
from fairveil.studio.faults import RequestRefused
from fairveil.studio.uploads import ending_of, too_large


async def received(request: Request, call: Call) -> Path:
    """Store the file and return its path. Its name is a number; only the extension comes from the browser."""
    if request.headers.get("content-type", "").split(";")[0].strip().lower() != "application/octet-stream":
        raise RequestRefused(415, "no-bytes", "A file is sent as bytes (Content-Type: application/octet-stream).")
    most = call.studio.most_upload
    announced = request.headers.get("content-length", "0")
    if announced.isdigit() and int(announced) > most:
        raise RequestRefused(413, "too-large", too_large(most))
    ending = ending_of(str(call.query.get("name", "")))
    session = call.session
    with session.lock:
        folder = session.folder_of("uploads")
        place = folder / f"u{session.next_number('u')}{ending}"
        place.touch(mode=0o600)  # reserves the number
    try:
        with whole_files([place], private=True) as files:
            size = 0
            with files[place].open("wb") as stream:
                async for piece in request.stream():
                    size += len(piece)
                    if size > most:
                        raise RequestRefused(413, "too-large", too_large(most))
                    stream.write(piece)
            if not size:
                raise RequestRefused(400, "bad-input", "The file is empty.")
    except BaseException:
        place.unlink(missing_ok=True)
        raise
    return place
