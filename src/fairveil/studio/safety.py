"""Safety: the checks that every request must pass first, and the security headers of every response.

Host    must be one of the studio's own names with its port, so that other names that resolve to it are rejected
Origin  must be the studio's own if present; pages of another site or port are rejected, even with GET
token   random at each start, part of the address that the command prints. It is exchanged for a cookie (HttpOnly,
        SameSite=Strict) and removed from the address. The cookie's secret is in the state directory, so that a page
        survives a restart; an address from an earlier start is invalid.

Both are compared in constant time. A cookie is sent to every port of a host; so its name is unique to the studio, and
its value is rejected without the right Host and Origin.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

from fairveil.data.atomic import write_text
from fairveil.errors import BadInput

FREE, SLOWEST, WINDOW = 10, 50, 60.0
"""Wrong keys that are refused at once, further ones that each add a tenth of a second, and seconds that they count."""
LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
POLICY = "; ".join([
    "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data: blob:", "font-src 'self'",
    "connect-src 'self'", "manifest-src 'self'", "worker-src 'self'", "frame-src 'self'", "base-uri 'none'",
    "form-action 'none'", "frame-ancestors 'none'", "object-src 'none'",
])  # fmt: skip
REPORT_POLICY = "; ".join([
    "default-src 'none'", "style-src 'unsafe-inline'", "img-src data:", "base-uri 'none'", "form-action 'none'",
    "frame-ancestors 'self'", "sandbox",
])  # fmt: skip
"""For the report of a release, a self-contained page: it cannot run scripts or load anything."""
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "cache-control": "no-store",
}


class Guesses:
    """Requests with a wrong key of the last minute: the more there are, the longer the next one waits for its refusal.
    Somebody with the right key never waits."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._times: deque[float] = deque(maxlen=FREE + SLOWEST)

    def wait(self) -> float:
        """Note a wrong key, and return the seconds that its refusal waits."""
        now = self._clock()
        self._times.append(now)
        while now - self._times[0] > WINDOW:
            self._times.popleft()
        return 0.1 * max(len(self._times) - FREE, 0)


@dataclass(frozen=True)
class AccessControl:
    """Access control: the names and port of the studio, the token of this start, and the cookie's secret."""

    hosts: tuple[str, ...]
    port: int
    token: str
    cookie: str
    secret: str = field(repr=False)
    anywhere: bool = False
    behind: str | None = None
    guesses: Guesses = field(default_factory=Guesses, repr=False)

    @classmethod
    def of(cls, state: Path, port: int, host: str | None = None, behind: str | None = None) -> AccessControl:
        """Access control of a state directory; `host` is a further name that `--host` allows, and `behind` the address
        of a proxy in front of it, such as https://studio.example.org."""
        own = {"0.0.0.0": (), "::": ()}.get(host or "", (_bracketed(host),) if host else ())
        name = f"fairveil-{hashlib.sha256(str(state.resolve()).encode()).hexdigest()[:12]}"
        anywhere = host in ("0.0.0.0", "::")
        token, secret = secrets.token_urlsafe(24), _kept_secret(state)
        return cls((*LOOPBACK, *own), port, token, name, secret, anywhere, behind and public_address(behind))

    def names(self, reached: str = "") -> set[str]:
        """Return the allowed Host headers; browsers omit port 80. If the studio listens on all addresses of the
        machine, this includes the address that was `reached`: an IP address, which no other site's name can be."""
        hosts = [*self.hosts, *([_bracketed(reached)] if self.anywhere and reached else [])]
        plain = set(hosts) if self.port == 80 else set()
        plain |= {self.behind.partition("://")[2]} if self.behind else set()
        return plain | {f"{host}:{self.port}" for host in hosts}

    def knows_host(self, values: Iterable[str], reached: str = "") -> bool:
        given = list(values)
        return len(given) == 1 and given[0].lower() in self.names(reached)

    def knows_origin(self, origins: Iterable[str], sites: Iterable[str], *, page: bool, reached: str = "") -> bool:
        """Whether the request has no origin, or the studio's own. By Sec-Fetch-Site, other sites may open only the
        first page, which shows nothing without the cookie."""
        own = {f"http://{name}" for name in self.names(reached)} | ({self.behind} if self.behind else set())
        if any(origin.lower() not in own for origin in origins):
            return False
        return all(site in ("same-origin", "none") or page for site in sites)

    def knows_token(self, token: str) -> bool:
        return hmac.compare_digest(token.encode(), self.token.encode())

    def knows_cookie(self, headers: Iterable[str]) -> bool:
        """Whether one of the request's cookies is the studio's."""
        pairs = (pair.strip().partition("=") for header in headers for pair in header.split(";"))
        given = [value for name, _, value in pairs if name == self.cookie]
        return any(hmac.compare_digest(value.encode(), self.secret.encode()) for value in given)

    def set_cookie(self) -> str:
        secure = "; Secure" if self.behind and self.behind.startswith("https:") else ""
        return f"{self.cookie}={self.secret}; Path=/; HttpOnly; SameSite=Strict{secure}"


def public_address(address: str) -> str:
    """Return the scheme, host and port of an address; raises BadInput if it is not one."""
    parts = urlsplit(address)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.path.strip("/") or parts.username:
        raise BadInput("--behind must be the address of a proxy, such as https://studio.example.org, without a path")
    return f"{parts.scheme}://{parts.netloc.lower()}"


def _bracketed(host: str) -> str:
    return f"[{host.lower()}]" if ":" in host and not host.startswith("[") else host.lower()


def _kept_secret(state: Path) -> str:
    """Return the secret of a state directory, created on first use."""
    path = state / "cookie"
    try:
        kept = path.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        kept = ""
    if len(kept) < 32:
        kept = secrets.token_urlsafe(32)
        write_text(kept, path, private=True)
    return kept


def without_token(path: str, query: str) -> tuple[str | None, str]:
    """Return the token of an address, and the address without it: always a path of this server."""
    pairs = parse_qsl(query, keep_blank_values=True)
    token = next((value for name, value in pairs if name == "token"), None)
    rest = urlencode([(name, value) for name, value in pairs if name != "token"])
    clean = "/" + quote(path.lstrip("/\\"), safe="/")
    return token, clean + (f"?{rest}" if rest else "")


def header(scope: Any, name: bytes) -> list[str]:
    """Return all values of a header of the request."""
    return [value.decode("latin-1") for key, value in scope["headers"] if key == name]
