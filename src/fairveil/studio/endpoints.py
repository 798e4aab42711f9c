"""Endpoints: functions that answer requests. A signature is all that is declared of what one takes and returns: the
server checks requests by it, and `contract` generates the front end's types from it.

    @endpoint("GET", "/rows?offset&limit")
    def rows(session: OpenSession, offset: Offset = 0, limit: Limit = 100) -> Window[list[Cell]]: ...

A path is one of a session unless it starts with /api. `studio`, `session` and `uploaded` come from the server; parts of
the path are in braces, query parameters after the question mark (texts as they are, others in JSON), and all others are
the fields of a JSON body. If a function returns None, it has changed the session, and the answer is the session.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import MISSING, dataclass, field, make_dataclass
from functools import cached_property
from importlib import import_module
from inspect import Parameter, signature
from types import NoneType
from typing import Annotated, Any, Literal, TypeVar, get_type_hints

from fairveil.settings import required

HOMES = (
    "opening", "further_tables", "amending", "choices", "looking", "deciding", "suggesting", "column_types", "people",
    "hierarchy_editor", "problems", "searching", "steering", "inspecting", "risks", "releasing", "jobs",
)  # fmt: skip
"""The modules that contain endpoints."""
SESSION = "/api/sessions/{session}"
MAX_ROWS = 1000
"""Maximum number of rows in one window."""
Offset = Annotated[int, required(min=0)]
Limit = Annotated[int, required(min=1, max=MAX_ROWS)]
F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True)
class Endpoint:
    """A function that answers one verb on one path."""

    verb: Literal["GET", "POST", "PUT", "DELETE"]
    path: str
    query: tuple[str, ...]
    function: Callable[..., Any]

    @cached_property
    def hints(self) -> dict[str, Any]:
        return get_type_hints(self.function, include_extras=True)

    @property
    def answer(self) -> Any:
        from fairveil.studio.opening import Session

        return Session if self.hints["return"] is NoneType else self.hints["return"]

    @property
    def uploads(self) -> bool:
        return "uploaded" in self.hints

    @cached_property
    def types(self) -> dict[str, Any]:
        """The types of the query parameters and of the fields of the body."""
        return get_type_hints(self.parameters)

    @property
    def has_body(self) -> bool:
        return any(name not in self.query for name in self.types)

    @cached_property
    def parameters(self) -> type:
        """The query parameters and the fields of the body as a dataclass, so that they are checked as settings."""
        fields = []
        for name, parameter in signature(self.function).parameters.items():
            if name in ("studio", "session", "uploaded") or f"{{{name}}}" in self.path:
                continue
            hint, default = self.hints[name], MISSING if parameter.default is Parameter.empty else parameter.default
            declared = getattr(hint, "__metadata__", (None,))[0]
            fields.append((name, hint, field(default=default, metadata=declared)))
        return make_dataclass("Parameters", fields)


_declared: list[Endpoint] = []
_lock = threading.Lock()


def endpoint(verb: Literal["GET", "POST", "PUT", "DELETE"], address: str) -> Callable[[F], F]:
    """Declare a function as an endpoint."""
    path, _, query = address.partition("?")

    def declare(function: F) -> F:
        where = path if path.startswith("/api") else SESSION + path
        _declared.append(Endpoint(verb, where, tuple(filter(None, query.split("&"))), function))
        return function

    return declare


def endpoints() -> Sequence[Endpoint]:
    """Return all endpoints. Their modules are imported on first use, so that the server listens before large packages
    are loaded, and in one thread, since circular imports fail in two."""
    with _lock:
        for home in HOMES:
            import_module(f"fairveil.studio.{home}")
    return sorted(_declared, key=lambda endpoint: HOMES.index(endpoint.function.__module__.rpartition(".")[2]))
