"""Who is not let in, and what no answer gives away."""

from __future__ import annotations

import gzip
import io
import re
import stat
import zipfile
from pathlib import Path

import pytest

from fairveil.errors import BadInput
from fairveil.studio.endpoints import endpoints
from fairveil.studio.safety import FREE, WINDOW, AccessControl, Guesses
from tests.studio.client import HOME, PORT, User

SECRET = "Zebulon-Quux"


def stranger(user: User) -> User:
    user.http.cookies.clear()
    return user


def test_guesses_are_slowed_down_and_others_are_not() -> None:
    now = [0.0]
    guesses = Guesses(lambda: now[0])
    waits = [guesses.wait() for _ in range(100)]
    assert waits[:FREE] == [0.0] * FREE and waits == sorted(waits) and waits[-1] >= 4
    now[0] = WINDOW * 2
    assert guesses.wait() == 0.0


def test_behind_a_proxy_its_address_is_the_studios(tmp_path: Path) -> None:
    access = AccessControl.of(tmp_path, 8765, behind="https://Studio.example.org/")
    assert access.knows_host(["studio.example.org"]) and not access.knows_host(["other.example.org"])
    assert access.knows_origin(["https://studio.example.org"], ["same-origin"], page=False)
    assert not access.knows_origin(["http://studio.example.org.evil"], [], page=False)
    assert "Secure" in access.set_cookie() and "Secure" not in AccessControl.of(tmp_path, 8765).set_cookie()
    with pytest.raises(BadInput, match="--behind"):
        AccessControl.of(tmp_path, 8765, behind="studio.example.org")


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1", "127.0.0.1:1", f"evil.example:{PORT}", "", "localhost"])
def test_a_foreign_host_is_refused(user: User, host: str) -> None:
    for path in ("/", "/api/welcome"):
        assert user.http.get(path, headers={"host": host}).status_code == 403


@pytest.mark.parametrize("host", [f"localhost:{PORT}", f"127.0.0.1:{PORT}", f"[::1]:{PORT}", f"LOCALHOST:{PORT}"])
def test_its_own_names_are_known(user: User, host: str) -> None:
    assert user.access.knows_host([host]) and not user.access.knows_host([host, host])
    assert not user.access.knows_host([])


def test_a_name_of_another_address_is_known_if_it_was_given(tmp_path: Path) -> None:
    access = AccessControl.of(tmp_path, 80, "studio.example")
    assert access.knows_host(["studio.example"]) and access.knows_host(["studio.example:80"])
    everywhere = AccessControl.of(tmp_path, 81, "0.0.0.0")
    assert everywhere.knows_host(["192.0.2.7:81"], "192.0.2.7") and not everywhere.knows_host(
        ["192.0.2.7:81"], "10.0.0.1"
    )
    assert not everywhere.knows_host(["evil.example:81"], "192.0.2.7") and not everywhere.knows_host(["0.0.0.0:81"])
    assert not AccessControl.of(tmp_path, 81, "studio.example").knows_host(["192.0.2.7:81"], "192.0.2.7")


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "https://127.0.0.1:8765", f"http://127.0.0.1:{PORT + 1}"]
)
@pytest.mark.parametrize("verb", ["GET", "POST"])
def test_a_foreign_origin_is_refused(user: User, origin: str, verb: str) -> None:
    for path in ("/api/welcome", "/", "/api/sessions"):
        answer = user.http.request(verb, path, headers={"origin": origin}, json={} if verb == "POST" else None)
        assert answer.status_code == 403
    assert user.http.get("/api/welcome", headers={"origin": HOME}).status_code == 200


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_a_request_that_another_page_started_is_refused(user: User, site: str) -> None:
    assert user.http.get("/api/welcome", headers={"sec-fetch-site": site}).status_code == 403
    assert user.http.get("/api/welcome", headers={"sec-fetch-site": "same-origin"}).status_code == 200


def test_every_endpoint_needs_the_cookie(user: User) -> None:
    user.open(dataset="credit_decisions")
    stranger(user)
    for endpoint in endpoints():
        path = re.sub(r"{session}", user.session, endpoint.path)
        path = re.sub(r"{\w+}", "r1", path)
        assert user.http.request(endpoint.verb, path).status_code == 401, endpoint.path
    for path in ("/", "/index.html", "/assets/x.js", "/anything"):
        assert user.http.get(path).status_code == 401
    user.http.cookies.set(user.access.cookie, "guess")
    assert user.http.get("/api/welcome").status_code == 401


def test_the_token_is_exchanged_for_a_cookie_and_leaves_the_address(user: User) -> None:
    answer = stranger(user).http.get("/describe", params={"token": user.access.token, "column": "a b"})
    assert answer.status_code == 303 and answer.headers["location"] == "/describe?column=a+b"
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie and "SameSite=Strict" in cookie and user.access.token not in cookie
    assert user.http.get("/api/welcome").status_code == 200


@pytest.mark.parametrize("path", ["//evil.example/x", "/\\evil.example"])
def test_nobody_is_sent_elsewhere(user: User, path: str) -> None:
    where = user.http.get(f"{HOME}{path}?token={user.access.token}").headers.get("location", "/")
    assert re.match(r"/(?![/\\])", where)


def test_a_wrong_token_gives_nothing(user: User) -> None:
    answer = stranger(user).http.get("/", params={"token": user.access.token[:-1]})
    assert answer.status_code == 401 and "set-cookie" not in answer.headers


def test_the_cookie_survives_a_restart_and_the_token_does_not(tmp_path: Path) -> None:
    first, second = AccessControl.of(tmp_path, PORT), AccessControl.of(tmp_path, PORT)
    assert (first.cookie, first.secret) == (second.cookie, second.secret) and first.token != second.token
    assert AccessControl.of(tmp_path / "..", PORT).cookie != first.cookie
    assert stat.S_IMODE((tmp_path / "cookie").stat().st_mode) == 0o600


def test_every_answer_says_what_browsers_may_do(user: User) -> None:
    for path in ("/", "/api/welcome", "/api/nothing", "/assets/nothing.js"):
        headers = user.http.get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy and "frame-ancestors 'none'" in policy and "unsafe" not in policy
        assert headers["x-content-type-options"] == "nosniff" and headers["referrer-policy"] == "no-referrer"
        assert headers["cache-control"] in ("no-store", "no-cache") and "server" not in headers


def test_only_json_that_says_so_is_taken(user: User) -> None:
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""):
        answer = user.http.post("/api/sessions", content=b"{}", headers={"content-type": kind})
        assert answer.status_code == 415
    json = {"content-type": "application/json"}
    for body in (b"{", b"[]", b'{"x":1}', b"\xff", b'{"name":1}', b"[" * 100_000, b'{"name":NaN}'):
        answer = user.http.post("/api/sessions", content=body, headers=json)
        assert answer.status_code == 400 and set(answer.json()) == {"code", "sentence"}
        assert "Traceback" not in answer.text
    assert user.call("GET", "/api/welcome")["sessions"] == []


def test_verbs_and_paths_that_there_are_not(user: User) -> None:
    user.call("PUT", "/api/welcome", {}, 405)
    for path in ("/api/", "/api/sessions/..%2f..%2fetc", "/api/sessions/x", "/api/none"):
        assert user.http.get(path).status_code in (404, 405)
    for path in (
        "/../sessions.py",
        "/..%2fserving.py",
        "/%2e%2e/serving.py",
        "/assets/..%2f..%2fserving.py",
        "/x%00.js",
    ):
        assert "class App" not in user.http.get(path).text
    user.call("GET", "/api/welcome", status=400, stray=1)


def test_a_fault_of_ours_tells_nothing(user: User, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise KeyError(SECRET)

    monkeypatch.setattr("fairveil.studio.opening._head", broken)
    user.studio.create()
    answer = user.http.get("/api/welcome")
    assert answer.status_code == 500 and SECRET not in answer.text and answer.json()["code"] == "internal"


def test_two_sessions_do_not_see_each_other(user: User) -> None:
    mine = user.open()["id"]
    user.upload("mine.csv", f"name,age\n{SECRET},31\nOther,40\n".encode())
    user.call("PUT", "/settings", {"notes": SECRET})
    other = user.open(dataset="credit_decisions")["id"]
    assert mine != other
    user.search("incognito")
    for path in ("", "/table", "/rows", "/candidates", "/plan"):
        assert SECRET not in user.http.get(f"/api/sessions/{other}{path}").text
    assert user.http.get(f"/api/sessions/{mine}/runs/r1").status_code == 404
    assert user.http.get(f"/api/sessions/{mine}/inspect", params={"candidate": "r1-1"}).status_code == 404


def test_files_are_the_owners_and_go_with_the_session(user: User) -> None:
    user.open()
    user.upload("people.csv", f"name,age\n{SECRET},31\nOther,40\n".encode())
    folder = user.studio.state / "sessions" / user.session
    for path in (user.studio.state, folder.parent, folder, *folder.rglob("*")):
        assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600), path
    user.call("DELETE", "")
    assert not list(folder.parent.iterdir())
    user.call("GET", "", status=404)


@pytest.mark.parametrize(
    "name",
    ["../../evil.csv", "/etc/passwd.csv", "a\0b.csv", "x" * 5000 + ".csv", "<img src=x onerror=alert(1)>.csv", "..csv"],
)
def test_a_hostile_file_name_names_nothing(user: User, name: str) -> None:
    user.open()
    before = set(user.studio.state.rglob("*"))
    user.upload(name, b"a,b\n1,2\n3,4\n")
    made = set(user.studio.state.rglob("*")) - before
    assert {path.name for path in made if path.is_file()} == {"u1.csv"}


def test_values_are_only_ever_json(user: User) -> None:
    user.open()
    hostile = "</script><script>alert(1)</script>"
    user.upload("x.csv", f'a,"{hostile}"\n"{hostile}",1\n=2+2,3\n'.encode())
    answer = user.http.get(f"/api/sessions/{user.session}/rows")
    assert answer.headers["content-type"] == "application/json" and answer.json()["rows"][0][0] == hostile


def test_too_much_is_refused_with_the_limit(tmp_path: Path) -> None:
    user = User(tmp_path, max_upload=1000)
    user.open()
    assert "larger than" in user.upload("x.csv", b"a\n" + b"1\n" * 1000, 413)["sentence"]
    user.upload("x.exe", b"a\n1\n", 400)
    user.upload("x.csv", b"", 400)
    packed = gzip.compress(b"a\n" + b"1\n" * 100_000)
    assert "unpacked" in user.upload("x.csv.gz", packed, 400)["sentence"]
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as zipped:
        zipped.writestr("xl/workbook.xml", b"0" * 100_000)
    assert "unpacked" in user.upload("x.xlsx", archive.getvalue(), 400)["sentence"]
    assert not [path for path in (tmp_path / "sessions").rglob("u*") if path.is_file()]
    assert user.call("GET", "")["document"]["source"] is None
    user.close()


def test_a_broken_file_is_refused_and_changes_nothing(user: User) -> None:
    user.open(dataset="credit_decisions")
    for name, content in (
        ("x.parquet", b"PAR1 nothing"),
        ("x.csv.gz", b"\x1f\x8b nothing"),
        ("x.csv", b"\x00\x01\x02\xff"),
        ("x.toml", b"format = "),
    ):
        answer = user.upload(name, content, 400)
        assert len(answer["sentence"]) < 400 and str(user.studio.state) not in answer["sentence"], answer
    assert user.call("GET", "")["document"]["source"]["dataset"] == "credit_decisions"


def test_only_one_studio_uses_a_state_directory(user: User) -> None:
    with pytest.raises(ValueError, match="another studio"):
        User(user.studio.state)
