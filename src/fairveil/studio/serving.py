"""Serving: one ASGI application. A request passes access control, then goes to an endpoint or to a file of the page.

Endpoints are loaded at the first request for one, and run in threads. The page is the built front end: files of
`static`, and its first page for every other path. Names of assets contain a hash of their content, so browsers may
cache them forever; the first page is requested each time.
"""

from __future__ import annotations

import asyncio
import hashlib
import html
import re
from collections.abc import Awaitable, Callable
from functools import cached_property
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

from starlette.concurrency import run_in_threadpool
from starlette.convertors import StringConvertor, register_url_convertor
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Route, Router
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from fairveil import settings, shapes
from fairveil.errors import refuse
from fairveil.messages import speaking
from fairveil.progress_bars import silent
from fairveil.studio.endpoints import Endpoint, endpoints
from fairveil.studio.refusals import STUDIO, RequestRefused, refusal_of
from fairveil.studio.safety import HEADERS, REPORT_POLICY, AccessControl, header, without_token
from fairveil.studio.sessions import BY, SEEN, WINDOW, Studio
from fairveil.studio.uploads import received

MAX_JSON = 32 << 20
"""Maximum number of bytes of a JSON request: a hierarchy of a million leaves."""

VERSION_HEADER, WINDOW_HEADER = "x-fairveil-version", "x-fairveil-window"
USER_HEADER = "x-forwarded-user"
"""Who sends a request, as the proxy says that the studio is behind; only shown, never a permission."""
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


class _Name(StringConvertor):
    """A part of a path that names a session, a run or the like."""

    regex = "[A-Za-z0-9_-]{1,64}"


register_url_convertor("name", _Name())


class App:
    """The studio as an ASGI application."""

    def __init__(self, studio: Studio, access: AccessControl) -> None:
        self.studio, self.access = studio, access

    @cached_property
    def router(self) -> Router:
        routes = [
            Route(re.sub(r"{(\w+)}", r"{\1:name}", endpoint.path), self._handler(endpoint), methods=[endpoint.verb])
            for endpoint in endpoints()
        ]
        return Router(routes, redirect_slashes=False)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":  # there are no websockets, and there is nothing to do at startup
            if scope["type"] == "websocket":
                await send({"type": "websocket.close", "code": 1008})
            return
        started = False

        async def send_safely(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        scope["app"] = self  # so that the router raises HTTPException for a wrong path or method
        try:
            with speaking(STUDIO), silent():
                app: ASGIApp = self._admitted(scope) or await self._application(scope)
                await app(scope, receive, send_safely)
        except ClientDisconnect:
            return
        except Exception as problem:
            if started:
                raise
            if isinstance(problem, RequestRefused) and problem.code == "no-token" and _brings_key(scope):
                await asyncio.sleep(self.access.guesses.wait())
            if isinstance(problem, HTTPException) and problem.status_code == 404:
                problem = RequestRefused(404, "no-endpoint", "There is nothing at this address.")
            elif isinstance(problem, HTTPException):
                problem = RequestRefused(405, "no-verb", f"This address does not accept {scope['method'][:10]}.")
            await _fault(problem, api=_is_api(scope))(scope, receive, send_safely)

    async def _application(self, scope: Scope) -> ASGIApp:
        return await run_in_threadpool(lambda: self.router) if _is_api(scope) else page_file(scope)

    def _admitted(self, scope: Scope) -> Response | None:
        """Check that a request may enter. Returns a redirect that sets the cookie where the address has the token."""
        page = not _is_api(scope) and scope["method"] in ("GET", "HEAD")
        self._check_origin(scope, page=page)
        token, clean = without_token(scope["path"], scope["query_string"].decode("latin-1"))
        if token is not None and page:
            if not self.access.knows_token(token):
                raise RequestRefused(
                    401, "no-token", "This address belongs to an earlier start: open the one in the terminal."
                )
            return Response(status_code=303, headers={"location": clean, "set-cookie": self.access.set_cookie()})
        if not self.access.knows_cookie(header(scope, b"cookie")):
            raise RequestRefused(
                401, "no-token", "Open the address that `fairveil studio` printed: it contains the key."
            )
        return None

    def _handler(self, endpoint: Endpoint) -> Callable[[Request], Awaitable[Response]]:
        async def handle(request: Request) -> Response:
            given: dict[str, Any] = dict(request.path_params)
            content = _query(endpoint, request.scope["query_string"].decode("latin-1"))
            if "studio" in endpoint.hints:
                given["studio"] = self.studio
            if "session" in given:
                given["session"] = await run_in_threadpool(self.studio.session, given["session"])
            if endpoint.has_body and not endpoint.uploads:
                body = await _json(request)
                content = {**content, **body} if isinstance(body, dict) else body
            given |= settings.read(endpoint.parameters, content, "the request")
            if endpoint.uploads:  # received last: a refused request leaves no file
                limit = self.studio.max_upload
                given["uploaded"] = await received(request, given["session"], given.get("name", ""), limit)
            window = request.headers.get(WINDOW_HEADER, "")[:40]
            by = request.headers.get(USER_HEADER, "")[:80] if self.access.behind else ""
            return await run_in_threadpool(_answered, endpoint, given, _seen(request), window, by)

        return handle

    def _check_origin(self, scope: Scope, *, page: bool) -> None:
        reached = (scope.get("server") or ("", 0))[0]
        if not self.access.knows_host(header(scope, b"host"), reached):
            raise RequestRefused(
                403, "foreign-host", "This is not an address of the studio: use the one in the terminal."
            )
        origins, sites = header(scope, b"origin"), header(scope, b"sec-fetch-site")
        if not self.access.knows_origin(origins, sites, page=page, reached=reached):
            raise RequestRefused(403, "foreign-origin", "Only the studio's own pages may send requests to it.")


def application(studio: Studio, access: AccessControl) -> ASGIApp:
    """Return the application with compressed responses."""
    return GZipMiddleware(App(studio, access), minimum_size=2000, compresslevel=5)


def _brings_key(scope: Scope) -> bool:
    """Whether a request has a key, right or wrong."""
    return bool(header(scope, b"cookie")) or b"token=" in scope["query_string"]


def _is_api(scope: Scope) -> bool:
    path: str = scope["path"]
    return path.startswith("/api/")


def _seen(request: Request) -> int | None:
    """Return the version of the session that the sender has seen, if they say so."""
    text = request.headers.get(VERSION_HEADER, "")
    return int(text) if text.isdecimal() and len(text) < 16 else None


def _answered(endpoint: Endpoint, given: dict[str, Any], seen: int | None, window: str, by: str) -> Response:
    """Call an endpoint in a thread of its own, for a window that has seen this version of the session."""
    from fairveil.studio.answers import FileAnswer, as_json

    SEEN.set(seen)
    WINDOW.set(window)
    BY.set("".join(sign for sign in by if sign.isprintable()))
    try:
        answer = endpoint.function(**given)
        if answer is None:
            from fairveil.studio.opening import show

            answer = show(given["session"])
    except Exception as problem:
        return _fault(problem)
    if not isinstance(answer, FileAnswer):
        return Response(as_json(answer), media_type="application/json")
    headers = {}
    if answer.name is not None:
        headers["content-disposition"] = f'attachment; filename="{re.sub("[^A-Za-z0-9._-]", "_", answer.name)}"'
    if answer.type.startswith("text/html"):
        headers |= {"content-security-policy": REPORT_POLICY, "x-frame-options": "SAMEORIGIN"}
    if isinstance(answer.content, bytes):
        return Response(answer.content, media_type=answer.type, headers=headers)
    return FileResponse(answer.content, media_type=answer.type, headers=headers)


def _fault(problem: BaseException, *, api: bool = True) -> Response:
    refused = refusal_of(problem)
    if not api:
        return plain_page(refused.status, refused.sentence)
    return JSONResponse({"code": refused.code, "sentence": refused.sentence}, refused.status)


def _query(endpoint: Endpoint, text: str) -> dict[str, Any]:
    given = dict(parse_qsl(text, keep_blank_values=True, max_num_fields=20))
    refuse([f"{name[:60]!r} is not a parameter of this address" for name in given if name not in endpoint.query])
    content: dict[str, Any] = {}
    for name, value in given.items():
        is_text = endpoint.types[name] is str
        content[name] = value if is_text else shapes.from_json(value, f"the parameter {name} of the address")
    return content


async def _json(request: Request) -> Any:
    """Return the body, which must be declared as JSON: no form of another site can send that."""
    if request.headers.get("content-type", "").split(";")[0].strip().lower() != "application/json":
        raise RequestRefused(415, "no-json", "The request must be JSON and say so (Content-Type: application/json).")
    body = bytearray()
    async for piece in request.stream():
        body += piece
        if len(body) > MAX_JSON:
            raise RequestRefused(413, "too-large", f"The request is larger than {MAX_JSON >> 20} MB.")
    return shapes.from_json(bytes(body), "the request")


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
