"""How the first administrator comes into an empty catalog."""

import concurrent.futures
import re
import stat

import pytest

from costs import most_memory_bytes, processor_s
from people import PASSWORD, Person
from server import PATIENCE_S, run

LINK = re.compile(r"http://127\.0\.0\.1:\d+/set-up#([0-9a-f]{32})")


def link_of(server):
    text = (server.data / "setup-link").read_text()
    assert text.strip() in server.log()
    return LINK.fullmatch(text.strip())[1]


def first(token, **more):
    return {"token": token, "userName": "ann", "password": PASSWORD, **more}


def test_health_needs_no_key(empty):
    server, person = empty
    for path in ("/health/live", "/health/ready"):
        answer = person.http.get(server.url + path, timeout=PATIENCE_S)
        assert answer.status_code == 200 and answer.json() == {"status": "ok"}
    assert person.http.post(server.url + "/health/live", timeout=PATIENCE_S).status_code == 405


@pytest.fixture
def empty(own_server):
    server = own_server()
    return server, Person(server)


def test_the_link_makes_an_administrator_once(empty):
    server, person = empty
    file = server.data / "setup-link"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert person.ok("GET", "setup") == {"open": True}
    session = person.ok("POST", "setup", first(link_of(server), displayName="Ann Lee"))
    assert session["account"]["role"] == "admin" and session["account"]["displayName"] == "Ann Lee"
    person.csrf = session["csrfToken"]
    assert person.ok("GET", "session") == session
    person.v1().call("POST", "/api/v1/files/folder?name=mine", headers={"X-CSRF-Token": person.csrf}).ok()
    assert person.ok("GET", "setup") == {"open": False} and not file.exists()
    another = Person(server)
    another.fails("forbidden", "POST", "setup", first(session["csrfToken"][:32], userName="eve"))
    assert [one["username"] for one in server.cli_json("account", "list")] == ["ann"]
    server.stop()
    server.start()
    assert not file.exists() and person.ok("GET", "session") == session


def test_until_then_nothing_else_opens(empty):
    server, person = empty
    for method, path in [("GET", "/api/v1/files"), ("GET", "/api/v1/account"), ("POST", "/api/v1/keys?name=a")]:
        person.v1().call(method, path).fails(401)
    person.fails("unauthenticated", "GET", "account")
    person.fails("unauthenticated", "POST", "session", {"userName": "admin", "password": ""})
    for token in ("0" * 32, "x", link_of(server).upper() + "0"):
        person.fails("forbidden", "POST", "setup", first(token))
    for body in (first(""), first(link_of(server), userName="Ann"), first(link_of(server), password="short"),
                 first(link_of(server), role="admin"), {"token": link_of(server)}):
        person.fails("malformed", "POST", "setup", body)
    assert person.ok("GET", "setup") == {"open": True} and server.cli_json("account", "list") == []


def test_each_start_has_a_link_of_its_own(empty):
    server, person = empty
    old = link_of(server)
    server.kill()
    server.start()
    assert link_of(server) != old
    person.fails("forbidden", "POST", "setup", first(old))
    person.ok("POST", "setup", first(link_of(server)))


def test_of_many_at_once_one_is_first(empty):
    server, person = empty
    token = link_of(server)

    def attempt(number):
        body = first(token, userName=f"user{number}")
        return Person(server).call("POST", "setup", body).status_code

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        statuses = sorted(pool.map(attempt, range(8)))
    assert statuses == [200] + [403] * 7 and len(server.cli_json("account", "list")) == 1


def test_set_up_that_is_over_hashes_nothing(empty):
    server, person = empty
    person.ok("POST", "setup", first(link_of(server)))

    def costs(count, call):
        begin = processor_s(server.process.pid)
        with concurrent.futures.ThreadPoolExecutor(32) as pool:
            statuses = list(pool.map(lambda number: call(Person(server), number).status_code, range(count)))
        return processor_s(server.process.pid) - begin, statuses

    memory = most_memory_bytes(server.process.pid)
    of_set_up, statuses = costs(40, lambda one, number: one.call("POST", "setup", first("0" * 32, userName=f"user{number}")))
    assert statuses == [403] * 40
    assert most_memory_bytes(server.process.pid) - memory < 160 << 20
    guess = {"userName": "ann", "password": "a guess"}
    of_guesses, statuses = costs(8, lambda one, number: one.call("POST", "session", guess))
    assert statuses == [401] * 8 and of_set_up < of_guesses


def test_an_account_of_the_command_line_closes_it(empty):
    server, person = empty
    link = link_of(server)
    server.add_account("bob")
    assert person.ok("GET", "setup") == {"open": False} and not (server.data / "setup-link").exists()
    person.fails("forbidden", "POST", "setup", first(link))


def test_a_password_file_makes_the_administrator(build_server, tmp_path):
    file = tmp_path / "password"
    file.write_text(PASSWORD + "\n")
    server = build_server(admin_password_file=str(file)).start()
    try:
        person = Person(server)
        assert person.sign_in("admin")["account"]["role"] == "admin"
        assert not (server.data / "setup-link").exists() and PASSWORD not in server.log()
        server.cli("account", "password", "admin", stdin="another good password\n")
        server.stop()
        server.start()
        person.fails("unauthenticated", "POST", "session", {"userName": "admin", "password": PASSWORD})
        Person(server).sign_in("admin", "another good password")
    finally:
        server.stop()


@pytest.mark.parametrize("content, words", [("short\n", "8 to 1024"), (None, "cannot be read"), ("", "empty")])
def test_a_password_file_that_is_none_is_told(tmp_path, content, words):
    file = tmp_path / "password"
    if content is not None:
        file.write_text(content)
    told = run("serve", "--data", tmp_path / "data", "--listen", "127.0.0.1:0",
               environment={"COFFER_ADMIN_PASSWORD_FILE": str(file)})
    assert told.returncode == 1 and words in told.stderr.splitlines()[-1], told
