"""Signing in with a password, and what a session may do and until when."""

import concurrent.futures
import contextlib
import http.client
import re

import pytest

from costs import processor_s
from people import PASSWORD, Person
from server import PATIENCE_S, eventually

OTHER = "another good password"


@pytest.fixture
def name(server):
    name = server.new_name("person")
    server.cli("account", "add", name, "--password-stdin", "--display-name", "A Person", stdin=PASSWORD + "\n")
    return name


@pytest.fixture
def browser(server):
    return lambda **more: Person(server, **more)


@pytest.fixture
def person(browser, name):
    one = browser()
    one.sign_in(name)
    return one


def test_a_session_reaches_the_account(server, browser, name):
    person = browser(headers={"User-Agent": "Test Browser"})
    session = person.sign_in(name)
    assert session["account"] == {"userName": name, "displayName": "A Person", "role": "user", "storageUsed": 0, "storageReserved": 0,
                                  "storageLimit": 0, "preferences": {}}
    assert person.ok("GET", "session") == session
    one, = person.ok("GET", "sessions")
    assert one["current"] and one["agent"] == "Test Browser" and one["address"] == "127.0.0.1"
    listed, = server.cli_json("session", "list", "--account", name)
    assert listed["id"] == one["id"] and listed["agent"] == "Test Browser"
    assert person.v1().account().ok()["username"] == name


def test_the_cookie_is_for_this_server_alone(browser, name):
    person = browser()
    answer = person.call("POST", "session", {"userName": name, "password": PASSWORD})
    session, device = answer.raw.headers.getlist("Set-Cookie")
    assert re.fullmatch(r"coffer_session=[0-9a-f]{64}; Path=/; HttpOnly; SameSite=Strict; Max-Age=7776000", session)
    assert re.fullmatch(r"coffer_device=[0-9a-f]{32}\.[0-9a-f]{32}; Path=/; HttpOnly; SameSite=Strict; Max-Age=31536000", device)
    person.csrf = answer.json()["csrfToken"]
    gone = person.call("DELETE", "session").headers["Set-Cookie"]
    assert gone.startswith("coffer_session=; ") and gone.endswith("; Max-Age=0")


def test_what_is_wrong_is_refused_alike(server, browser, name):
    without = server.add_account()
    disabled = server.new_name("person")
    server.add_account(disabled, password=PASSWORD)
    server.cli("account", "disable", disabled)
    tries = [(name, "wrong password"), (name, ""), (name, PASSWORD + " "), ("no-such-name", PASSWORD), (without, ""),
             (disabled, PASSWORD), (name.upper(), PASSWORD), ("", PASSWORD)]
    answers = {browser().fails("unauthenticated", "POST", "session", {"userName": user, "password": password})
               for user, password in tries}
    assert answers == {"The user name or the password is wrong."}


@pytest.mark.parametrize("body, words", [
    ({"userName": "a"}, ['"password"', "missing"]),
    ({"userName": 5, "password": "x"}, ['"userName"', "text"]),
    ({"userName": "a\n", "password": "x"}, ['"userName"', "control"]),
    ({"userName": "a" * 101, "password": "x"}, ['"userName"', "100"]),
    ({"userName": "a", "password": "x" * 1025}, ['"password"', "1024"]),
    ({"userName": "a", "password": None}, ['"password"']),
    ({"userName": "a", "password": "x", "passwort": "x"}, ['"passwort"']),
    ([], ["object"]), ("text", ["object"]), (None, ["object"]),
])
def test_a_body_that_is_none_is_named(browser, body, words):
    detail = browser().fails("malformed", "POST", "session", body if body is not None else None,
                             **({} if body is not None else {"raw": "null",
                                                             "headers": {"Content-Type": "application/json"}}))
    assert all(word in detail for word in words), detail


@pytest.mark.parametrize("raw, name", [
    ('{"userName":"a","password":"x","userName":"b"}', "userName"),
    (r'{"userName":"a","password":"x","p\u0061ssword":"y"}', "password"),
    ('{"userName":"a","password":"x","' + "n" * 101 + '":1,"' + "n" * 101 + '":[{}]}', "n" * 100),
    ('{"userName":"a","password":"x","more":[{"a":{"b":1,"c":{},"b":2}}]}', "b"),
], ids=["top", "escaped", "long", "nested"])
def test_a_member_that_is_given_twice_is_named(browser, raw, name):
    detail = browser().fails("malformed", "POST", "session", raw=raw, headers={"Content-Type": "application/json"})
    assert detail == f'The body has the member "{name}" twice.'


@pytest.mark.parametrize("raw, content_type", [
    ("{", "application/json"), ("", "application/json"), ('{"userName":"a","password":"x"}', "text/plain"),
    ('{"userName":"a","password":"x"}', "application/x-www-form-urlencoded"), ("[" * 100, "application/json"),
    ('{"a":"' + "x" * 70_000 + '"}', "application/json"), (b'{"userName":"\xff","password":"x"}', "application/json"),
], ids=["cut", "empty", "text", "form", "deep", "large", "not UTF-8"])
def test_what_is_no_json_is_refused(browser, raw, content_type):
    browser().fails("malformed", "POST", "session", raw=raw, headers={"Content-Type": content_type})


def test_signing_out_ends_the_session(server, browser, person):
    cookie, csrf = person.cookie, person.csrf
    person.ok("DELETE", "session")
    again = browser(headers={"Cookie": f"coffer_session={cookie}"})
    again.csrf = csrf
    again.fails("unauthenticated", "GET", "session")
    again.v1().account().fails(401)


def test_sessions_are_ended_one_by_one_or_together(browser, name, person):
    others = [browser() for _ in range(3)]
    for other in others:
        other.sign_in(name)
    ids = {one["id"]: one for one in person.ok("GET", "sessions")}
    assert len(ids) == 4 and [one["current"] for one in ids.values()] == [True, False, False, False]
    first = next(one["id"] for one in others[0].ok("GET", "sessions") if one["current"])
    person.ok("DELETE", f"sessions/{first}", status=204)
    others[0].fails("unauthenticated", "GET", "session")
    person.fails("not_found", "DELETE", f"sessions/{first}")
    person.ok("DELETE", "sessions", status=204)
    for other in others:
        other.fails("unauthenticated", "GET", "session")
    assert len(person.ok("GET", "sessions")) == 1


def test_another_accounts_sessions_are_not_there(server, browser, person):
    other_name = server.new_name("person")
    server.add_account(other_name, password=PASSWORD)
    other = browser()
    other.sign_in(other_name)
    (mine,), (theirs,) = person.ok("GET", "sessions"), other.ok("GET", "sessions")
    other.fails("not_found", "DELETE", f"sessions/{mine['id']}")
    other.ok("DELETE", "sessions", status=204)
    assert person.ok("GET", "sessions") == [mine] and mine["id"] != theirs["id"]


@pytest.mark.parametrize("change", [
    ("account", "disable"), ("account", "set", "--role", "admin"), ("account", "password"), ("session", "end", "--all"),
    ("account", "remove"),
], ids=" ".join)
def test_changes_by_an_administrator_end_sessions_at_once(server, name, person, change):
    group, command, *options = change
    of = ["--account", name] if group == "session" else [name]
    person.ok("GET", "session")
    server.cli(group, command, *of, *options, stdin=OTHER + "\n")
    person.fails("unauthenticated", "GET", "session")
    person.v1().account().fails(401)
    if command == "disable":
        server.cli("account", "enable", name)
        person.fails("unauthenticated", "GET", "session")


def test_a_new_password_ends_the_other_sessions(browser, name, person):
    other = browser()
    other.sign_in(name)
    person.fails("forbidden", "POST", "account/password", {"current": "wrong one", "new": OTHER})
    for bad in ("short", "x" * 1025):
        person.fails("malformed", "POST", "account/password", {"current": PASSWORD, "new": bad})
    other.ok("GET", "session")
    person.ok("POST", "account/password", {"current": PASSWORD, "new": OTHER}, status=204)
    person.ok("GET", "session")
    other.fails("unauthenticated", "GET", "session")
    browser().fails("unauthenticated", "POST", "session", {"userName": name, "password": PASSWORD})
    browser().sign_in(name, OTHER)


def test_what_a_session_writes_needs_its_token(server, browser, name, person):
    other = browser()
    other.sign_in(name)
    stranger_name = server.new_name("person")
    server.add_account(stranger_name, password=PASSWORD)
    stranger = browser()
    stranger.sign_in(stranger_name)
    good, tokens = person.csrf, [None, "", "0" * 64, other.csrf, stranger.csrf, person.cookie]
    for token in tokens:
        headers = {} if token is None else {"X-CSRF-Token": token}
        person.csrf = None
        for method, path, body in [("PATCH", "account", {"displayName": "Stolen"}), ("DELETE", "session", None),
                                   ("DELETE", "sessions", None)]:
            assert "X-CSRF-Token" in person.fails("forbidden", method, path, body, headers=headers)
        v1 = person.v1()
        for method, path in [("POST", "/api/v1/files/folder?name=stolen"), ("POST", "/api/v1/keys?name=stolen"),
                             ("DELETE", "/api/v1/files?path=a"), ("POST", "/api/v1/files/upload")]:
            v1.call(method, path, headers=headers).fails(403)
    person.csrf = good
    # Another test may have shared a folder with all meanwhile.
    assert person.ok("GET", "account")["displayName"] == "A Person" and "stolen" not in person.v1().names()
    person.v1().call("POST", "/api/v1/files/folder?name=mine", headers={"X-CSRF-Token": good}).ok()


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://127.0.0.1", "http://127.0.0.1:1", "127.0.0.1"])
def test_pages_of_other_sites_may_not_write(browser, name, person, origin):
    person.fails("forbidden", "PATCH", "account", {"displayName": "Stolen"}, headers={"Origin": origin})
    person.v1().call("POST", "/api/v1/files/folder?name=stolen",
                     headers={"Origin": origin, "X-CSRF-Token": person.csrf}).fails(403)
    browser().fails("forbidden", "POST", "session", {"userName": name, "password": PASSWORD}, headers={"Origin": origin})
    assert person.ok("GET", "account")["displayName"] == "A Person"


def test_a_write_that_names_two_origins_is_refused(server, person):
    """A proxy or a program may have sent both; neither of them is believed."""
    evil = "https://evil.example"
    for origins in ((server.url, evil), (evil, server.url), (server.url, server.url)):
        with contextlib.closing(http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE_S)) as connection:
            connection.putrequest("POST", "/api/v1/files/folder?name=stolen")
            cookies = "; ".join(f"{name}={value}" for name, value in person.http.cookies.items())
            for header, value in [("Cookie", cookies), ("X-CSRF-Token", person.csrf), ("Content-Length", "0"),
                                  *(("Origin", origin) for origin in origins)]:
                connection.putheader(header, value)
            connection.endheaders()
            assert connection.getresponse().status == 403, origins
    assert person.v1().names() == []


def test_the_servers_own_pages_may(server, person):
    person.ok("PATCH", "account", {"displayName": "Mine"}, headers={"Origin": server.url})


def test_a_key_is_looked_at_before_the_cookie(server, browser, name, person):
    key = server.create_key(name)["key"]
    person.http.headers["X-API-Key"] = key
    person.csrf = None
    person.v1().make_folder("", "by key").ok()
    person.http.headers["X-API-Key"] = "nonsense"
    person.v1().account().fails(401)


def test_keys_reach_what_is_theirs(server, browser, name):
    full = browser(key=server.create_key(name)["key"])
    assert full.ok("GET", "account")["userName"] == name
    assert full.ok("GET", "sessions") == []
    for method, path in [("GET", "session"), ("DELETE", "session")]:
        full.fails("forbidden", method, path)
    full.fails("forbidden", "POST", "account/password", {"current": PASSWORD, "new": OTHER})
    full.v1().make_folder("", "docs").ok()
    scoped = browser(key=server.create_key(name, "docs")["key"])
    for method, path, body in [("GET", "account", None), ("PATCH", "account", {}), ("GET", "sessions", None),
                               ("DELETE", "sessions", None), ("GET", "session", None)]:
        scoped.fails("forbidden", method, path, body)


def test_an_account_keeps_preferences(person):
    kept = {"view": "grid", "columns": ["name", "size"], "nested": {"ü": None}}
    assert person.ok("PATCH", "account", {"preferences": kept})["preferences"] == kept
    changed = person.ok("PATCH", "account", {"displayName": "Ann Lee"})
    assert changed["displayName"] == "Ann Lee" and changed["preferences"] == kept
    for body in ({"preferences": []}, {"preferences": {"a": "x" * 17_000}}, {"displayName": ""},
                 {"displayName": "x" * 101}, {"role": "admin"}):
        person.fails("malformed", "PATCH", "account", body)
    assert person.ok("GET", "account") == changed


def test_sessions_outlive_a_restart(own_server):
    server = own_server()
    server.add_account("ann", password=PASSWORD)
    person = Person(server)
    person.sign_in("ann")
    for end in (server.stop, server.kill):
        end()
        server.start()
        assert person.ok("GET", "session")["account"]["userName"] == "ann"


def test_guessing_has_to_wait_and_other_addresses_have_not(own_server):
    """Failures by one address hold up neither another address nor, for long, anyone at the same one."""
    server = own_server(trusted_proxies=["127.0.0.1"])
    server.add_account("ann", password=PASSWORD)

    def at(address):
        return Person(server, headers={"X-Forwarded-For": address})

    guesser, statuses = at("203.0.113.1"), []

    def has_to_wait_long():
        answer = guesser.call("POST", "session", {"userName": "ann", "password": "a guess"})
        statuses.append(answer.status_code)
        return answer.status_code == 429 and int(answer.headers["Retry-After"]) >= 2

    # Each wait is longer than the one before: however slow the machine is, one is long enough for the next request.
    eventually(has_to_wait_long, "guessing to be slowed down")
    assert statuses[:10] == [401] * 10
    answer = guesser.call("POST", "session", {"userName": "ann", "password": PASSWORD})
    assert answer.status_code == 429 and answer.json()["code"] == "rate_limited"
    assert 1 <= int(answer.headers["Retry-After"]) <= 60
    newcomer = at("198.51.100.1")
    newcomer.sign_in("ann")
    assert newcomer.ok("GET", "sessions")[0]["address"] == "198.51.100.1"
    newcomer = at("203.0.113.1")
    eventually(lambda: newcomer.call("POST", "session", {"userName": "ann", "password": PASSWORD}).status_code == 200,
               "the wait to end")


def test_an_address_has_to_wait_whatever_names_it_tries(own_server):
    server = own_server()

    def guess(number):
        body = {"userName": f"name{number}", "password": "a guess"}
        return Person(server).call("POST", "session", body).status_code

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        statuses = list(pool.map(guess, range(60)))
    # More than 30 where the machine is so slow that waits end meanwhile.
    assert 30 <= statuses.count(401) <= 40 and statuses.count(429) == 60 - statuses.count(401)


def test_right_passwords_at_once_from_one_address_are_all_let_in(own_server):
    server = own_server()
    names = [server.add_account(password=PASSWORD) for _ in range(45)]

    def sign_in(name):
        return Person(server).call("POST", "session", {"userName": name, "password": PASSWORD}).status_code

    with concurrent.futures.ThreadPoolExecutor(45) as pool:
        assert list(pool.map(sign_in, names)) == [200] * 45


def test_a_guessing_address_locks_nobody(own_server):
    """All stand behind one address, as behind a proxy that is not trusted."""
    server = own_server()
    server.add_account("ann", password=PASSWORD)
    ann, left, stranger = Person(server), Person(server), Person(server)
    ann.sign_in("ann")
    left.sign_in("ann")
    left.ok("DELETE", "session")

    def holds_up_a_stranger():
        stranger.call("POST", "session", {"userName": server.new_name("nobody"), "password": "a guess"})
        answer = Person(server).call("POST", "session", {"userName": "ann", "password": PASSWORD})
        return answer.status_code == 429 and int(answer.headers["Retry-After"]) <= 8

    eventually(holds_up_a_stranger, "guessing to be slowed down")
    left.csrf = None
    left.sign_in("ann")
    ann.ok("POST", "account/password", {"current": PASSWORD, "new": OTHER}, status=204)
    ann.ok("DELETE", "session")
    ann.csrf = None
    ann.sign_in("ann", OTHER)


def test_a_proxy_that_is_not_trusted_is_shown(own_server):
    server = own_server()
    server.add_account("ann", role="admin", password=PASSWORD)
    person = Person(server)
    person.sign_in("ann")
    assert person.ok("GET", "admin/server")["untrustedProxies"] == []
    for _ in range(2):
        Person(server, headers={"X-Forwarded-For": "203.0.113.1"}).ok("GET", "setup")
    proxy, = person.ok("GET", "admin/server")["untrustedProxies"]
    assert proxy["address"] == "127.0.0.1" and proxy["requests"] == 2
    server.stop()
    assert server.log().count("requests come through 127.0.0.1, which trusted_proxies does not name") == 1


def test_an_unknown_name_takes_as_long(server, browser, name):
    """The hash is made in either case: a name that is unknown is not answered in a fraction of the time."""
    def took(user):
        """Of the processor, which does not hang on what else the machine does."""
        begin = processor_s(server.process.pid)
        for _ in range(4):
            browser().fails("unauthenticated", "POST", "session", {"userName": user, "password": "a guess"})
        return processor_s(server.process.pid) - begin

    assert took("no-such-person") > took(name) / 3 > 0


def test_behind_https_the_cookie_is_for_https(own_server):
    server = own_server(trusted_proxies=["127.0.0.0/8"])
    server.add_account("ann", password=PASSWORD)
    https = {"X-Forwarded-Proto": "https"}
    person = Person(server, headers=https)
    answer = person.call("POST", "session", {"userName": "ann", "password": PASSWORD})
    cookie, device = answer.raw.headers.getlist("Set-Cookie")
    assert cookie.startswith("__Host-coffer_session=") and cookie.endswith("; Secure")
    assert device.startswith("__Host-coffer_device=") and device.endswith("; Secure")
    token = cookie.split(";")[0].split("=")[1]
    for name, works in (("__Host-coffer_session", True), ("coffer_session", False)):
        again = Person(server, headers={**https, "Cookie": f"{name}={token}"})
        assert again.call("GET", "session").status_code == (200 if works else 401)


def test_what_a_client_says_of_itself_counts_from_proxies_alone(browser, name, person):
    forged = browser(headers={"X-Forwarded-For": "203.0.113.99", "X-Forwarded-Proto": "https"})
    answer = forged.call("POST", "session", {"userName": name, "password": PASSWORD})
    assert answer.headers["Set-Cookie"].startswith("coffer_session=")
    assert {one["address"] for one in person.ok("GET", "sessions")} == {"127.0.0.1"}


def test_no_secret_of_a_session_is_kept_or_shown(own_server):
    server = own_server(log_level="debug")
    server.add_account("ann", password=PASSWORD)
    person = Person(server)
    person.sign_in("ann")
    person.ok("GET", "sessions")
    server.stop()
    words = [person.cookie.encode(), person.csrf.encode(), PASSWORD.encode()]
    for file in server.folder.rglob("*"):
        if file.is_file():
            content = file.read_bytes()
            assert not any(word in content for word in words), file
