"""What went wrong in other file managers: each class of published advisory has its test here or is named with
the test that holds it.

    normalise late             test_requests.py (climbing, decoding), test_mount_rights.py, and static routes below
    the second parameter       test_requests.py walks every parameter that ends as a path
    hostile remote names       test_hostile_names.py, test_drive_faults.py (also to FTP)
    symlinks                   test_links.py, test_share_races.py (swapped in flight, in own files and in shares)
    scope confusion            below: what caches may keep; test_keys.py, test_shares.py, test_mount_rights.py, test_drives.py (a key for a folder)
    another's object           test_keys.py, test_concurrency.py, test_mount_rights.py, test_connectors.py
    rights that outlive        test_keys.py, test_shares.py, test_withdrawn_work.py, test_drive_work.py
    one handler forgets        below: the description's routes are walked
    secrets in answers         below, test_connectors.py, test_mount_secrets.py, test_drive_secrets.py,
                               test_drive_tokens.py, and test_drive_redirects.py (a login that is sent on)
    home collisions            below: account names that look the same
    served content             test_downloads.py
    header injection           test_downloads.py, below
    unbounded input            test_http_edge.py, below; from other servers test_hostile_talk.py, test_drive_endless.py
    failed overwrites          test_uploads.py, test_restart.py, test_mount_writing.py, test_mount_stalls.py,
                               test_drive_cuts.py, test_drive_publishing.py
    connector as a way in      test_hostile_talk.py (data connections elsewhere), test_hostile_names.py (links),
                               test_connectors.py (pinned keys), test_mount_tls.py (certificates), test_drive_engine.py
                               (whom the engine answers); who gets an upload in
                               src/backends/rclone/engine/upload_server_test.cc;
                               addresses of this machine in src/mounts/address_policy_test.cc and
                               src/app/remote_access_test.cc, redirects to it in
                               tests/conformance/drive_policy_test.cc
    quota races                test_concurrency.py, test_share_races.py

    login timing, guessing     test_sessions.py, test_people_links.py (passwords of links)
"""

import re
import urllib.parse
import uuid

import pytest
import requests

from client import ACCOUNT, FILES, KEYS, form, multipart
from raw import RawConnection, head
from server import PATIENCE_S, tree_of

METHODS = ("get", "put", "post", "delete", "patch")
CONTENT_TYPE, BODY = multipart([("file", "new.txt", b"x")])


def described_routes(description):
    for path, operations in description.document["paths"].items():
        if path.startswith("/api/v1/"):
            for method in METHODS:
                if method in operations:
                    yield method.upper(), path.replace("{id}", "some-id")


def test_every_described_route_refuses_every_kind_of_bad_key(account, description):
    created = account.client.create_key("revoked").ok()
    account.client.revoke(created["id"]).ok()
    before = tree_of(account.root)
    routes = list(described_routes(description))
    assert len(routes) >= 15
    for method, path in routes:
        for key in (None, "", "nonsense", str(uuid.uuid4()), created["key"]):
            client = account.client.with_key(key)
            for query in ("", "?path=a&name=b&from=a&to=&newName=c&folder=", "?path=.."):
                answer = client.exact(method, path + query, {"Content-Type": CONTENT_TYPE},
                                      BODY if path.endswith("/upload") else None)
                assert answer.status == 401, answer
    assert tree_of(account.root) == before


def test_every_described_route_refuses_other_methods(account, description):
    by_path = {}
    for method, path in described_routes(description):
        by_path.setdefault(path, set()).add(method)
    for path, methods in by_path.items():
        for method in {"PUT", "POST", "DELETE", "PATCH", "GET"} - methods:
            account.client.exact(method, path, documented=False).fails(405)


@pytest.mark.parametrize("target", [
    "/../../../etc/passwd", "/..%2f..%2f..%2fetc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/..%5c..%5cetc%5cpasswd",
    "//etc/passwd", "/.//../etc/passwd", "/api/docs/../../../etc/passwd", "/api/docs/%2e%2e/%2e%2e/etc/passwd",
    "/api/docs/..%2f..%2f..%2fetc%2fpasswd", "/api/%2e%2e/%2e%2e/etc/passwd", "/assets/../../../../etc/passwd",
    "/api/openapi.json/../../../etc/passwd", "/%252e%252e/%252e%252e/etc/passwd", "/etc/passwd", "/api/docs%00.html",
    "/catalog.sqlite", "/data/catalog.sqlite", "/files/", "/coffer.toml"])
def test_static_routes_lead_nowhere_else(server, target):
    with RawConnection(server) as connection:
        answer = connection.send(head("GET", target)).read_answer()
    assert answer.status in (200, 301, 302, 307, 308, 400, 401, 403, 404), answer
    assert b"root:" not in answer.body and b"SQLite format" not in answer.body
    if answer.status == 200:  # A web interface may answer any address with its start page.
        assert answer.headers["content-type"].startswith("text/html") and b"[" not in answer.body[:1]


def test_no_answer_and_no_log_line_holds_a_secret(make_account):
    account = make_account("1000", role="admin")
    client, server = account.client, account.server
    created = client.create_key("watched", None).ok()
    other = client.with_key(created["key"])
    other.put("a.txt", b"x")
    answers = [
        client.keys(), client.account(), client.locations(), client.list(), client.info("a.txt"),
        client.upload("", form(("b", b"x" * 5000))), other.delete("no-such"),
        other.rename("a.txt", ".."), other.move("..", ""), client.create_key("x" * 101),
        client.revoke("unknown"), client.with_key(created["key"] + "x").account(), other.keys()]
    described = client.session.get(server.url + "/api/openapi.json", timeout=PATIENCE_S).text
    listings = [server.cli("key", "list", "--account", account.name, "--json").stdout,
                server.cli("key", "list", "--account", account.name).stdout,
                server.cli("account", "list", "--json").stdout, server.cli("account", "list").stdout]
    texts = [answer.content.decode() + str(answer.headers) for answer in answers] + [described] + listings
    for secret in (created["key"], account.key):
        for text in texts:
            assert secret not in text
    server.check_log()


@pytest.mark.parametrize("word", ["password", "hash", "argon"])
def test_accounts_are_listed_without_their_passwords(make_account, word):
    account = make_account()
    account.server.cli("account", "set", account.name, "--password-stdin", stdin="correct horse battery staple\n")
    for text in (account.server.cli("account", "list", "--json").stdout, account.client.account().content.decode(),
                 account.server.log()):
        assert "correct horse" not in text and "$argon2" not in text
    assert word not in account.client.account().content.decode().lower()


def test_secrets_are_not_kept_in_the_clear(account):
    """Neither the catalog nor any other file in the data folder holds a key."""
    for name in account.server.files_elsewhere():
        with open(name, "rb") as file:
            assert account.key.encode() not in file.read(), name


def test_messages_show_no_place_on_the_server(account):
    client = account.client
    client.put("a", b"x")
    for answer in (client.info("no-such"), client.list("a"), client.download("a/b"), client.move("a", "no-such"),
                   client.delete("../.."), client.create_key("k", "no-such"), client.make_folder("a", "b"),
                   client.info("x" * 300)):
        assert answer.status >= 400
        assert str(account.server.data) not in answer.content.decode() and "/files/" not in answer.content.decode()


@pytest.mark.parametrize("name", ["a\r\nSet-Cookie: x=1", "a\nX-Evil: 1", "a\r\n\r\n<html>"])
def test_names_on_disk_with_line_breaks_inject_no_header(account, name):
    (account.root / name).write_bytes(b"x")
    with RawConnection(account.server) as connection:
        quoted = urllib.parse.quote(name)
        answer = connection.send(head("GET", f"{FILES}/download?path={quoted}", key=account.key)).read_answer()
        assert answer.status == 400 and answer.error()
        assert "set-cookie" not in answer.headers and "x-evil" not in answer.headers
    assert account.client.names() == []


def test_values_in_error_messages_inject_no_header(account):
    with RawConnection(account.server) as connection:
        connection.send(head("GET", "/api/v1/%0d%0aX-Evil:%201", "X-Request-Id: evil%0d%0a", key=account.key))
        answer = connection.read_answer()
        assert answer.status in (400, 404) and "x-evil" not in answer.headers


def test_hostile_text_in_messages_is_json_not_html(client):
    for value in ("<script>alert(1)</script>", '"}{"success":true', "\u2028\u2029", "\U0001f4a9" * 20):
        answer = client.info(value)
        answer.fails(404)
        assert answer.headers["Content-Type"].startswith("application/json")


def test_log_lines_cannot_be_forged(account):
    marker = uuid.uuid4().hex
    for target in (f"{FILES}?path=%0a{marker}+forged", f"/api/v1/%0d%0a{marker}", f"{FILES}/info?path={marker}%1b[31m"):
        account.client.exact("GET", target, documented=False).fails(400, 404)
    for line in account.server.log().splitlines():
        assert not line.startswith(marker) and "\x1b" not in line


@pytest.mark.parametrize("method, target", [
    ("POST", FILES + "/folder?name="), ("POST", KEYS), ("PUT", FILES + "/move"), ("GET", ACCOUNT), ("DELETE", FILES)])
def test_bodies_that_nobody_reads_are_not_collected(account, method, target):
    """A body without end on a route that has none: the server answers, and reads on for a bounded size alone."""
    with RawConnection(account.server) as connection:
        connection.send(head(method, target, "Transfer-Encoding: chunked", key=account.key))
        assert connection.read_answer().status in (200, 400, 413)
        piece = b"10000\r\n" + b"x" * 65536 + b"\r\n"
        try:
            for _ in range(6000):
                connection.send(piece)
            raise AssertionError("375 MiB of an unwanted body were taken")
        except (BrokenPipeError, ConnectionResetError):
            pass


def test_many_parameters_and_deep_paths_are_no_burden(client):
    client.exact("GET", f"{FILES}?{'&'.join(f'p{i}=1' for i in range(1500))}").ok()
    client.exact("GET", f"{FILES}/info?path={'a/' * 3000}").fails(404, 400)
    client.exact("GET", f"{FILES}?path={'/' * 8000}").ok()
    client.exact("GET", f"{FILES}?path={'./' * 4000}").ok()


def test_many_tiny_parts_are_no_burden(client):
    parts = [("note", None, b"") for _ in range(20_000)] + [("file", "a", b"x")]
    assert client.upload("", parts).status in (200, 400, 413)
    client.account().ok()


@pytest.mark.parametrize("one, two", [("Case", "case"), ("caf\u00e9", "cafe\u0301")])
def test_accounts_whose_names_look_the_same_share_no_folder(server, one, two):
    """Either the second name is refused, or both have folders of their own."""
    first = server.cli("account", "add", one, "--quota", "0", ok=False)
    second = server.cli("account", "add", two, "--quota", "0", ok=False)
    if first.returncode == 0 and second.returncode == 0:
        assert not server.files_of(one).samefile(server.files_of(two))


def names_of_accounts(server):
    return [account["username"] for account in server.cli_json("account", "list")]


@pytest.mark.parametrize("name", ["", ".", "..", "a/b", "/a", "../x", "a\\b", "a\nb", "x" * 300, "-a", " ", ".hidden"])
def test_account_names_cannot_leave_their_place(server, name):
    before = {path.name for path in server.data.iterdir()}
    accounts = names_of_accounts(server)
    result = server.cli("account", "add", "--quota", "0", "--", name, ok=False)
    if result.returncode == 0:
        assert name in (".hidden", "-a", " "), "this name must be refused"
        server.cli("account", "remove", "--", name)
    else:
        assert names_of_accounts(server) == accounts
    assert {path.name for path in server.data.iterdir()} == before


def test_cross_origin_requests_are_not_invited(account):
    answer = account.client.call("GET", ACCOUNT, headers={"Origin": "https://evil.example"})
    assert answer.ok() and "Access-Control-Allow-Origin" not in answer.headers


def test_cross_origin_requests_of_a_configured_origin(own_server, account_on):
    server = own_server(cors_origins=["https://app.example"])
    client = account_on(server).client
    answer = client.call("GET", ACCOUNT, headers={"Origin": "https://app.example"})
    assert answer.ok() and answer.headers["Access-Control-Allow-Origin"] == "https://app.example"
    other = client.call("GET", ACCOUNT, headers={"Origin": "https://app.example.evil.example"})
    assert "Access-Control-Allow-Origin" not in other.headers
    preflight = client.session.options(server.url + FILES, timeout=PATIENCE_S, headers={
        "Origin": "https://app.example", "Access-Control-Request-Method": "DELETE",
        "Access-Control-Request-Headers": "x-api-key", "X-API-Key": ""})
    assert preflight.status_code in (200, 204)
    assert "DELETE" in preflight.headers["Access-Control-Allow-Methods"]
    assert re.search("x-api-key", preflight.headers["Access-Control-Allow-Headers"], re.IGNORECASE)


@pytest.mark.parametrize("path", [f"{FILES}/download?path=a", f"{FILES}/info?path=a", FILES, ACCOUNT, KEYS, "/api/v2/files/content?path=a",
                                  "/api/v2/files", "/api/v2/links", f"{FILES}/download?path=none", "/api/openapi.json"])
def test_no_cache_shows_one_persons_answer_to_another(account, path):
    """Nor to the same one when it is old: without a word a cache may guess for how long it serves an answer."""
    account.client.put("a", b"content")
    answer = requests.get(account.server.url + path, headers={"X-API-Key": account.key}, timeout=PATIENCE_S)
    assert answer.headers["Cache-Control"] == "private, no-cache"
