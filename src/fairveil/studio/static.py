"""The built front end: files of `static`, and its first page for every other path.

Names of assets contain a hash of their content, so browsers may cache them forever. The first page is requested each
time.
"""

from __future__ import annotations

import hashlib
import html
import re
from pathlib import Path

from starlette.responses import FileResponse, Response
from starlette.types import Scope

from fairveil.studio.faults import RequestRefused
from fairveil.studio.safety import header

HOME = Path(__file__).parent / "static"
TYPES = {
    ".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml", ".png": "image/png", ".ico": "image/x-icon", ".woff2": "font/woff2",
    ".json": "application/json", ".webmanifest": "application/manifest+json", ".map": "application/json",
    ".txt": "text/plain; charset=utf-8",
}  # fmt: skip
_HASHED = re.compile(r"assets/.+-[A-Za-z0-9_-]{8,}\.\w+")
MISSING = (
    "The studio's pages are not built. In a clone of the project run `make studio`; an installed fairveil brings them."
)


def page_file(scope: Scope) -> Response:
    """Return a file of the front end, or its first page."""
    if scope["method"] not in ("GET", "HEAD"):
        raise RequestRefused(405, "no-verb", "Pages can only be read.")
    wanted = scope["path"].lstrip("/")
    path = _inside(wanted)
    if path is None and (wanted.startswith("assets/") or Path(wanted).suffix in TYPES):
        raise RequestRefused(404, "no-file", "There is no such file.")
    if path is None:
        path = HOME / "index.html"
    if not path.is_file():
        return plain_page(503, MISSING)
    if _HASHED.fullmatch(path.relative_to(HOME).as_posix()):
        lasting = {"cache-control": "private, max-age=31536000, immutable"}
        return FileResponse(path, media_type=TYPES[path.suffix], headers=lasting)
    content = path.read_bytes()
    tag = f'"{hashlib.sha256(content).hexdigest()[:32]}"'
    headers = {"cache-control": "no-cache", "etag": tag}
    if tag in header(scope, b"if-none-match"):
        return Response(status_code=304, headers=headers)
    return Response(content, media_type=TYPES[path.suffix], headers=headers)


def _inside(wanted: str) -> Path | None:
    """Return a file of the front end; None for any path outside its folder."""
    if "\0" in wanted or "\\" in wanted:
        return None
    path = (HOME / wanted).resolve()
    inside = path.is_relative_to(HOME.resolve()) and path.suffix in TYPES
    return HOME / path.relative_to(HOME.resolve()) if inside and path.is_file() else None


def plain_page(status: int, sentence: str) -> Response:
    """Return a page with one sentence, if there is no other page."""
    body = (
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>fairveil studio</title>'
        f"<h1>fairveil studio</h1><p>{html.escape(sentence)}</p></html>"
    )
    return Response(body, status, media_type="text/html; charset=utf-8")
