"""Serving: one ASGI application. Every request passes the door, then goes to an endpoint or to a file of the page.

What endpoints need is loaded once, after the first page was asked for, and their work is done in threads.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from importlib import import_module
from typing import Any
from urllib.parse import parse_qsl

from starlette.concurrency import run_in_threadpool
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from fairveil import shapes
from fairveil.errors import BadInput
from fairveil.messages import speaking
from fairveil.progress_bars import silent
from fairveil.studio.calls import Call, FileAnswer
from fairveil.studio.endpoints import ENDPOINTS, Endpoint
from fairveil.studio.faults import RequestRefused, fault_of
from fairveil.studio.field_names import STUDIO
from fairveil.studio.loading import load
from fairveil.studio.safety import HEADERS, REPORT_POLICY, AccessControl, header, without_token
from fairveil.studio.sessions import Studio
from fairveil.studio.static import page_file, plain_page

MOST_JSON = 32 << 20
"""Bytes of a JSON request: a hierarchy of a million leaves."""


class App:
    """The studio as an ASGI application."""

    def __init__(self, studio: Studio, door: AccessControl) -> None:
        self.studio, self.door = studio, door

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":  # there are no websockets, and nothing to do at the start
            if scope["type"] == "websocket":
                await send({"type": "websocket.close", "code": 1008})
            return
        try:
            with speaking(STUDIO), silent():
                response = await self.answer(scope, receive)
        except ClientDisconnect:
            return
        except Exception as problem:
            response = _fault(problem, api=scope["path"].startswith("/api/"))
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        await response(scope, receive, send)

    async def answer(self, scope: Scope, receive: Receive) -> Response:
        api = scope["path"].startswith("/api/")
        self._let_in(scope, page=not api and scope["method"] in ("GET", "HEAD"))
        token, clean = without_token(scope["path"], scope["query_string"].decode("latin-1"))
        if token is not None and scope["method"] in ("GET", "HEAD") and not api:
            if not self.door.knows_token(token):
                raise RequestRefused(
                    401, "no-token", "This address is of an earlier start: open the one in the terminal."
                )
            return Response(status_code=303, headers={"location": clean, "set-cookie": self.door.set_cookie()})
        if not self.door.knows_cookie(header(scope, b"cookie")):
            raise RequestRefused(401, "no-token", "Open the address that `fairveil studio` printed: it holds the key.")
        if not api:
            return page_file(scope)
        endpoint, parts = _routed(scope["method"], scope["path"])
        await run_in_threadpool(load)
        call = Call(self.studio, parts, _query(endpoint, scope["query_string"].decode("latin-1")))
        if "session" in parts:
            call = replace(call, found=await run_in_threadpool(self.studio.session, parts["session"]))
        request = Request(scope, receive)
        if endpoint.upload:
            from fairveil.studio.receiving import received

            call = replace(call, uploaded=await received(request, call))
        elif endpoint.body is not None:
            call = replace(call, body=_checked(endpoint.body, await _json(request)))
        return await run_in_threadpool(self._done, endpoint, call)

    def _let_in(self, scope: Scope, *, page: bool) -> None:
        reached = (scope.get("server") or ("", 0))[0]
        if not self.door.knows_host(header(scope, b"host"), reached):
            raise RequestRefused(
                403, "foreign-host", "This is not an address of the studio: use the one in the terminal."
            )
        origins, sites = header(scope, b"origin"), header(scope, b"sec-fetch-site")
        if not self.door.knows_origin(origins, sites, page=page, reached=reached):
            raise RequestRefused(403, "foreign-origin", "Only the studio's own pages may ask it.")

    def _done(self, endpoint: Endpoint, call: Call) -> Response:
        try:
            answer = _function(endpoint.does)(call)
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


def application(studio: Studio, door: AccessControl) -> ASGIApp:
    """The application with its answers compressed."""
    return GZipMiddleware(App(studio, door), minimum_size=2000, compresslevel=5)


def as_json(content: Any) -> bytes:
    return json.dumps(content, ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=str).encode()


def _fault(problem: BaseException, *, api: bool = True) -> Response:
    refused = fault_of(problem)
    if not api:
        return plain_page(refused.status, refused.sentence)
    fault = {"code": refused.code, "sentence": refused.sentence}
    return Response(as_json(fault), refused.status, media_type="application/json")


@cache
def _function(name: str) -> Callable[[Call], Any]:
    module, _, function = name.partition(".")
    found: Callable[[Call], Any] = getattr(import_module(f"fairveil.studio.{module}"), function)
    return found


def _pattern(path: str) -> re.Pattern[str]:
    parts = re.split(r"{(\w+)}", path)
    named = [f"(?P<{part}>[A-Za-z0-9_-]{{1,64}})" if place % 2 else re.escape(part) for place, part in enumerate(parts)]
    return re.compile("".join(named))


_PATTERNS = [(endpoint, _pattern(endpoint.path)) for endpoint in ENDPOINTS]


def _routed(verb: str, path: str) -> tuple[Endpoint, Mapping[str, str]]:
    matches = [(endpoint, match) for endpoint, pattern in _PATTERNS if (match := pattern.fullmatch(path))]
    if not matches:
        raise RequestRefused(404, "no-endpoint", "There is nothing at this address.")
    for endpoint, match in matches:
        if endpoint.verb == verb or (verb == "HEAD" and endpoint.verb == "GET"):
            return endpoint, match.groupdict()
    raise RequestRefused(405, "no-verb", f"This address does not take {verb[:10]}.")


def _query(endpoint: Endpoint, text: str) -> dict[str, Any]:
    given = dict(parse_qsl(text, keep_blank_values=True, max_num_fields=20))
    for name in given:
        if name not in endpoint.query:
            raise BadInput(f"{name[:60]!r} is nothing that this address takes")
    try:
        return {name: endpoint.query[name](value) for name, value in given.items()}
    except ValueError:
        raise BadInput("a number is expected in the address") from None


async def _json(request: Request) -> Any:
    """The body, which must be JSON and says so: no form of another page can send that."""
    if request.headers.get("content-type", "").split(";")[0].strip().lower() != "application/json":
        raise RequestRefused(415, "no-json", "The request must be JSON and say so (Content-Type: application/json).")
    body = bytearray()
    async for piece in request.stream():
        body += piece
        if len(body) > MOST_JSON:
            raise RequestRefused(413, "too-large", f"The request is larger than {MOST_JSON >> 20} MB.")
    return shapes.from_json(bytes(body), "the request")


def _checked(shape: type, content: Any) -> Any:
    return shape(**shapes.settings(shape, content, "the request"))
