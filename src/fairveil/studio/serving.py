"""Serving: one ASGI application. A request passes access control, then goes to an endpoint or to a file of the page.

The modules of the endpoints are loaded once, after the first page was requested, and endpoints run in threads.
"""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import cache
from importlib import import_module
from typing import Any
from urllib.parse import parse_qsl

from starlette.concurrency import run_in_threadpool
from starlette.convertors import StringConvertor, register_url_convertor
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route, Router
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from fairveil import settings, shapes
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

MAX_JSON = 32 << 20
"""Maximum number of bytes of a JSON request: a hierarchy of a million leaves."""


class _Name(StringConvertor):
    """A part of a path that names a session, a run or the like."""

    regex = "[A-Za-z0-9_-]{1,64}"


register_url_convertor("name", _Name())


class App:
    """The studio as an ASGI application."""

    def __init__(self, studio: Studio, access: AccessControl) -> None:
        self.studio, self.access = studio, access
        routes = [
            Route(re.sub(r"{(\w+)}", r"{\1:name}", endpoint.path), self._handler(endpoint), methods=[endpoint.verb])
            for endpoint in ENDPOINTS
        ]
        self.router = Router(routes, redirect_slashes=False, default=_page)

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

        scope["app"] = self  # so that a route raises HTTPException for a wrong method
        try:
            with speaking(STUDIO), silent():
                await (self._admitted(scope) or self.router)(scope, receive, send_safely)
        except ClientDisconnect:
            return
        except Exception as problem:
            if started:
                raise
            if isinstance(problem, HTTPException):
                problem = RequestRefused(405, "no-verb", f"This address does not take {scope['method'][:10]}.")
            await _fault(problem, api=_is_api(scope))(scope, receive, send_safely)

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
            await run_in_threadpool(load)
            parts = request.path_params
            call = Call(self.studio, parts, _query(endpoint, request.scope["query_string"].decode("latin-1")))
            if "session" in parts:
                call = replace(call, found=await run_in_threadpool(self.studio.session, parts["session"]))
            if endpoint.upload:
                from fairveil.studio.receiving import received

                call = replace(call, uploaded=await received(request, call))
            elif endpoint.body is not None:
                call = replace(call, body=_checked(endpoint.body, await _json(request)))
            return await run_in_threadpool(self._done, endpoint, call)

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


def application(studio: Studio, access: AccessControl) -> ASGIApp:
    """Return the application with compressed responses."""
    return GZipMiddleware(App(studio, access), minimum_size=2000, compresslevel=5)


def _is_api(scope: Scope) -> bool:
    path: str = scope["path"]
    return path.startswith("/api/")


async def _page(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer with a file of the front end: no endpoint has this path."""
    if _is_api(scope):
        raise RequestRefused(404, "no-endpoint", "There is nothing at this address.")
    await page_file(scope)(scope, receive, send)


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
    endpoint_function: Callable[[Call], Any] = getattr(import_module(f"fairveil.studio.{module}"), function)
    return endpoint_function


def _query(endpoint: Endpoint, text: str) -> dict[str, Any]:
    given = dict(parse_qsl(text, keep_blank_values=True, max_num_fields=20))
    for name in given:
        if name not in endpoint.query:
            raise BadInput(f"{name[:60]!r} is not a parameter of this address")
    try:
        return {name: endpoint.query[name](value) for name, value in given.items()}
    except ValueError:
        raise BadInput("a parameter of the address must be an integer") from None


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


def _checked(shape: type, content: Any) -> Any:
    return shape(**settings.read(shape, content, "the request"))
