"""Addresses: URLs of databases, which are stored in plans and in the shell's history and so contain no secret.

A secret comes from the environment: from a variable that the driver knows (PGPASSWORD), or from one that the URL names
as ${NAME}. Options of a URL are an allow-list: the value of any other option might be a secret.

>>> Address.of("postgresql://reader@db.example.org:5433/clinic?sslmode=require").options
{'sslmode': 'require'}
>>> Address.of("postgresql://reader:hunter2@db.example.org/clinic")
Traceback (most recent call last):
    ...
fairveil.errors.BadInput: the URL of postgresql://db.example.org/clinic contains a password: leave it out and set \
PGPASSWORD in the environment, or write ${NAME} in its place
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import parse_qsl, quote, unquote

from fairveil.data.readers import MOTHERDUCK, SECRET, refuse_secret
from fairveil.errors import BadInput

IN_FILES = ("duckdb://", "sqlite://")
"""The URLs of databases that are files."""
_VARIABLE = re.compile(r"\$\{(\w+)\}")
_URL = re.compile(
    r"(?P<scheme>[A-Za-z][\w+.-]*)://(?:(?P<user>[^@:/?#]*)(?P<password>:[^@/?#]*)?@)?"
    r"(?P<host>(?:\[[0-9A-Fa-f:.]*\]|[\w.${}-]|%2[Ff]|,)*(?::(?:\d+|\$\{\w+\}))?(?:,[\w.-]+(?::\d+)?)*)"
    r"(?P<path>/[^@?#;]*)?(?:\?(?P<query>[^#]*))?"
)
_OPTIONS = frozenset([
    "account", "application_name", "authenticator", "catalog", "channel_binding", "charset", "client_encoding",
    "cluster", "connect_timeout", "database", "dataset", "dataset_id", "dbname", "gssencmode", "host", "hostaddr",
    "http_path", "keepalives", "keepalives_count", "keepalives_idle", "keepalives_interval", "krbsrvname",
    "load_balance_hosts", "location", "min_protocol_version", "options", "passfile", "port", "project",
    "project_id", "read_only", "region", "requiressl", "role", "schema", "secure", "server_hostname", "service",
    "servicefile", "source", "ssl", "ssl_ca", "ssl_max_protocol_version", "ssl_min_protocol_version", "sslcert",
    "sslcompression", "sslcrl", "sslkey", "sslmode", "sslnegotiation", "sslrootcert", "sslsni",
    "target_session_attrs", "tcp_user_timeout", "timezone", "tz", "unix_socket", "user", "warehouse",
])  # fmt: skip
"""Options whose values are no secrets. `sslkey` and `passfile` are paths."""
_VALUE = re.compile(r"[^;&=]*")
_SETTINGS = re.compile(r"(?:\s*-c\s*[\w.]+=[^;&\s]*)*\s*")


@dataclass(frozen=True)
class Address:
    """The parts of a URL, with variables replaced by their values. Its text, for messages, has neither user nor
    options; `secrets` are the values that must not appear in any message."""

    scheme: str
    user: str = ""
    password: str = field(default="", repr=False)
    host: str = ""
    port: str = ""
    path: str = ""
    options: Mapping[str, str] = field(default_factory=dict, repr=False)
    text: str = ""
    secrets: tuple[str, ...] = field(default=(), repr=False)

    def __str__(self) -> str:
        return self.text

    @classmethod
    def of(cls, url: str) -> Address:
        """The parts of a URL; raises BadInput for one that contains a secret or names a variable that is not set."""
        refuse_password(url)
        match = _URL.fullmatch(url)
        assert match is not None
        secrets: list[str] = []

        def value(text: str | None) -> str:
            return _VARIABLE.sub(looked_up, unquote(text or ""))

        def looked_up(name: re.Match[str]) -> str:
            if name[1] not in os.environ:
                raise BadInput(f"{redacted(url)} uses ${{{name[1]}}}: set it in the environment")
            secrets.append(os.environ[name[1]])
            return os.environ[name[1]]

        hosts = [host.rpartition(":") if re.search(r":[^\]:]+$", host) else (host, "", "")
                 for host in (match["host"] or "").split(",")]  # fmt: skip
        options = {key: value(text)
                   for key, text in parse_qsl(match["query"] or "", keep_blank_values=True)}  # fmt: skip
        return cls(
            match["scheme"].lower(), value(match["user"]), value((match["password"] or "")[1:]),
            value(",".join(host.strip("[]") for host, _, _ in hosts)), value(",".join(port for _, _, port in hosts)),
            value((match["path"] or "")[1:]), options, redacted(url), tuple(secrets),
        )  # fmt: skip


def refuse_password(url: str) -> None:
    """Raise BadInput for a URL with a secret, or with parts that cannot be told apart from one."""
    match, place = _URL.fullmatch(url), redacted(url)
    written_scheme = re.match(r"([A-Za-z][\w+.-]*)://", url)
    scheme = written_scheme[1].lower() if written_scheme else "postgresql"
    if match is None:
        raise BadInput(
            f"the URL of {place} cannot be read: write {scheme}://user@host:port/database, with %40 for @, %2F for / "
            "and %23 for # inside a name, and without a password"
        )
    password = (match["password"] or "")[1:]
    user = unquote(match["user"] or "")
    written = "a password" if (password and not _VARIABLE.fullmatch(password)) or ":" in user else None
    for key, text in parse_qsl(match["query"] or "", keep_blank_values=True):
        values = _SETTINGS if key.lower() == "options" else _VALUE
        allowed = key.lower() in _OPTIONS and values.fullmatch(text) and not SECRET.search(text)
        if not allowed and not _VARIABLE.fullmatch(text):
            known = key.lower() in _OPTIONS or SECRET.search(f"{key}=")
            written = written or ("a password" if known else f"the option {key[:40]!r}, which may be a secret")
    if written is None and "=" in (match["path"] or "") and SECRET.search(match["path"]):
        written = "a password"
    if written is not None:
        variable = "PGPASSWORD" if scheme.startswith("postgres") else "a variable"
        raise BadInput(
            f"the URL of {place} contains {written}: leave it out and set {variable} in the environment, or write "
            "${NAME} in its place"
        )


def refuse_keywords(location: str) -> None:
    """Raise BadInput, without repeating it, for a location that is neither a URL nor a file and may have a password."""
    if MOTHERDUCK.match(location) or ("://" not in location and not os.path.exists(location)):
        refuse_secret(location)


def database_url(file: str | Path) -> str | None:
    """The URL of a database file of DuckDB or SQLite, recognized by its first bytes; None of any other file."""
    try:
        if not Path(file).is_file():  # opening a pipe would block
            return None
        with Path(file).open("rb") as content:
            start = content.read(16)
    except (OSError, ValueError):
        return None
    kind = "duckdb" if start[8:12] == b"DUCK" else "sqlite" if start.startswith(b"SQLite format 3") else None
    return None if kind is None else f"{kind}://{quote(Path(file).absolute().as_posix())}"


def redacted(url: str) -> str:
    """The URL without user, password and options; only its scheme if it is not certain where the password ends."""
    match = _URL.fullmatch(url)
    scheme = re.match(r"\s*([A-Za-z][\w+.-]*)", url)
    if match is None or "@" in (match["query"] or "") or SECRET.search(match["path"] or ""):
        return f"{scheme[1] if scheme else 'this'}://…"
    return f"{match['scheme']}://{match['host'] or 'this machine'}{match['path'] or ''}"
