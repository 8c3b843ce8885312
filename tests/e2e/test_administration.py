"""Administration by /api/v2: accounts, sessions, settings. What is refused changes nothing."""

import concurrent.futures
import itertools

import pytest

from people import PASSWORD, Person

OTHER_PASSWORD = "battery staple horse"
NAMES = itertools.count()


@pytest.fixture
def new_account(server):
    def make(role="user", prefix="someone"):
        name = server.new_name(prefix)
        server.add_account(name, role=role, password=PASSWORD)
        return name

    return make


@pytest.fixture
def signed_in(server):
    def open_one(name, password=PASSWORD, on=server):
        person = Person(on)
        person.sign_in(name, password)
        person.name = name
        return person

    return open_one


@pytest.fixture
def admin(new_account, signed_in):
    return signed_in(new_account("admin", "admin"))


@pytest.fixture
def alone(own_server):
    """The one administrator of a server, which has a user besides."""
    server = own_server()
    for name, role in (("root", "admin"), ("ann", "user")):
        server.add_account(name, role=role, password=PASSWORD)
    person = Person(server)
    person.sign_in("root")
    return person


def test_an_account_from_making_to_removing(server, admin):
    name = f"fresh{next(NAMES)}"
    body = {"userName": name, "displayName": "Fräulein", "storageLimit": 1000, "password": PASSWORD}
    answer = admin.call("POST", "admin/accounts", body)
    made = answer.json()
    assert answer.status_code == 201 and answer.headers["Location"] == f"/api/v2/admin/accounts/{name}"
    assert made["role"] == "user" and not made["disabled"] and made["hasPassword"] and made["lastSeenAt"] is None
    assert (made["displayName"], made["storageLimit"], made["storageUsed"]) == ("Fräulein", 1000, 0)
    person = Person(server)
    person.sign_in(name)
    person.v1().put("a.txt", b"12345")
    assert admin.ok("GET", f"admin/accounts/{name}")["storageUsed"] == 5
    changed = admin.ok("PATCH", f"admin/accounts/{name}", {"storageLimit": 4, "displayName": "Fresh"})
    assert changed["displayName"] == "Fresh" and changed["storageLimit"] == 4
    assert person.ok("GET", "account")["storageLimit"] == 4
    home = server.files_of(name)
    admin.ok("DELETE", f"admin/accounts/{name}", status=204)
    assert person.call("GET", "account").status_code == 401 and (home / "a.txt").read_bytes() == b"12345"
    admin.fails("not_found", "GET", f"admin/accounts/{name}")
    admin.fails("not_found", "DELETE", f"admin/accounts/{name}")
    admin.fails("not_found", "PATCH", f"admin/accounts/{name}", {})


def test_a_removed_accounts_files_can_go_too(server, admin, new_account, signed_in):
    name = new_account()
    signed_in(name).v1().put("docs.txt", b"secret plans")
    home = server.files_of(name)
    admin.fails("malformed", "DELETE", f"admin/accounts/{name}?files=burn")
    admin.ok("DELETE", f"admin/accounts/{name}?files=purge", status=204)
    assert not home.exists()


@pytest.mark.parametrize("body, code, words", [
    ({}, "malformed", ["userName"]), ({"userName": "Ann"}, "malformed", ["a-z"]), ({"userName": ""}, "malformed", []),
    ({"userName": "a" * 65}, "malformed", ["64"]), ({"userName": "../x"}, "malformed", ["a-z"]),
    ({"userName": "x", "role": "owner"}, "malformed", ["role", "admin"]),
    ({"userName": "x", "password": "short"}, "malformed", ["8"]),
    ({"userName": "x", "password": "p" * 1025}, "malformed", ["1024"]),
    ({"userName": "x", "displayName": "d" * 101}, "malformed", ["100"]),
    ({"userName": "x", "storageLimit": -1}, "malformed", ["storageLimit"]),
    ({"userName": "x", "storageLimit": "1GiB"}, "malformed", ["storageLimit"]),
    ({"userName": "x", "isAdmin": True}, "malformed", ["isAdmin"]),
])
def test_what_cannot_be_an_account_is_named(admin, body, code, words):
    detail = admin.fails(code, "POST", "admin/accounts", body)
    assert all(word in detail for word in words), detail


def test_names_are_unique_also_when_made_at_once(server, admin):
    key = server.create_key(admin.name)["key"]
    name = f"race{next(NAMES)}"

    def make(_):
        return Person(server, key=key).call("POST", "admin/accounts", {"userName": name}).status_code

    with concurrent.futures.ThreadPoolExecutor(6) as pool:
        assert sorted(pool.map(make, range(6))) == [201] + [409] * 5


@pytest.mark.parametrize("change, signs_in_with", [
    ({"password": OTHER_PASSWORD}, OTHER_PASSWORD), ({"role": "admin"}, PASSWORD), ({"disabled": True}, None)])
def test_what_takes_the_ground_from_sessions_ends_them_at_once(server, admin, new_account, signed_in, change,
                                                                signs_in_with):
    name = new_account()
    sessions = [signed_in(name) for _ in range(2)]
    key = Person(server, key=server.create_key(name)["key"])
    admin.ok("PATCH", f"admin/accounts/{name}", change)
    for session in sessions:
        session.fails("unauthenticated", "GET", "account")
    assert key.call("GET", "account").status_code == (200 if signs_in_with else 401)
    if signs_in_with:
        signed_in(name, signs_in_with)
    else:
        Person(server).fails("unauthenticated", "POST", "session", {"userName": name, "password": PASSWORD})
        admin.ok("PATCH", f"admin/accounts/{name}", {"disabled": False})
        signed_in(name)


@pytest.mark.parametrize("change", [{"displayName": "New"}, {"storageLimit": 5}, {"role": "user"}, {"disabled": False}])
def test_other_changes_leave_sessions(admin, new_account, signed_in, change):
    name = new_account()
    person = signed_in(name)
    admin.ok("PATCH", f"admin/accounts/{name}", change)
    person.ok("GET", "account")


def test_the_last_administrator_stays(alone):
    for method, body in (("PATCH", {"role": "user"}), ("PATCH", {"disabled": True}), ("DELETE", None)):
        assert "administrator" in alone.fails("forbidden", method, "admin/accounts/root", body)
        assert alone.ok("GET", "account")["role"] == "admin"
    # One who cannot get in is none to leave it to.
    alone.ok("POST", "admin/accounts", {"userName": "second", "role": "admin"}, status=201)
    alone.fails("forbidden", "DELETE", "admin/accounts/root")
    alone.ok("PATCH", "admin/accounts/second", {"password": PASSWORD, "disabled": True})
    alone.fails("forbidden", "DELETE", "admin/accounts/root")
    alone.ok("PATCH", "admin/accounts/second", {"disabled": False})
    alone.ok("DELETE", "admin/accounts/root", status=204)
    alone.fails("unauthenticated", "GET", "account")


def test_of_two_administrators_who_demote_each_other_one_stays(own_server):
    server = own_server()
    for _ in range(5):
        people = []
        for name in ("one", "two"):
            if not server.cli("account", "set", name, "--role", "admin", ok=False).returncode == 0:
                server.add_account(name, role="admin", password=PASSWORD)
            person = Person(server)
            person.sign_in(name)
            people.append((person, {"one": "two", "two": "one"}[name]))
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            statuses = sorted(pool.map(lambda pair: pair[0].call("PATCH", f"admin/accounts/{pair[1]}", {"role": "user"}).status_code,
                                       people))
        roles = [one["role"] for one in server.cli_json("account", "list")]
        assert statuses[0] == 200 and statuses[1] in (401, 403) and sorted(roles) == ["admin", "user"]


def test_an_administrator_who_is_demoted_is_none_at_once(server, admin, new_account, signed_in):
    name = new_account("admin")
    session = signed_in(name)
    key = Person(server, key=server.create_key(name)["key"])
    key.ok("GET", "admin/accounts?limit=1")
    admin.ok("PATCH", f"admin/accounts/{name}", {"role": "user"})
    session.fails("unauthenticated", "GET", "admin/accounts")
    for path in ("accounts", "shares", "connectors", "sessions", "settings", "folders"):
        key.fails("forbidden", "GET", f"admin/{path}")
    key.fails("forbidden", "PATCH", f"admin/accounts/{name}", {"role": "admin"})
    key.fails("forbidden", "POST", "admin/accounts", {"userName": "sneaky", "role": "admin"})
    assert admin.ok("GET", f"admin/accounts/{name}")["role"] == "user"


def test_lists_come_in_parts(admin, new_account):
    made = {new_account(prefix="page") for _ in range(3)}
    names, cursor = [], ""
    while cursor is not None:
        part = admin.ok("GET", f"admin/accounts?limit=2&cursor={cursor}")
        assert 1 <= len(part["entries"]) <= 2
        names += [one["userName"] for one in part["entries"]]
        cursor = part["next"]
    assert names == sorted(set(names)) and made <= set(names) and admin.name in names
    for limit in ("0", "201", "-1", "many", "1.5", ""):
        assert "limit" in admin.fails("malformed", "GET", f"admin/accounts?limit={limit}")
    admin.fails("malformed", "GET", "admin/accounts?cursor=" + "x" * 1001)


def test_when_an_account_was_last_seen(server, admin, new_account, signed_in):
    name = new_account()
    assert admin.ok("GET", f"admin/accounts/{name}")["lastSeenAt"] is None
    person = signed_in(name)
    session, = person.ok("GET", "sessions")
    assert admin.ok("GET", f"admin/accounts/{name}")["lastSeenAt"] == session["lastSeenAt"]


def test_sessions_of_all_accounts(admin, new_account, signed_in):
    name = new_account()
    first, second = signed_in(name), signed_in(name)
    listed = admin.ok("GET", f"admin/sessions?account={name}")
    assert [one["userName"] for one in listed["entries"]] == [name, name] and listed["next"] is None
    assert [one["id"] for one in listed["entries"]] == [one["id"] for one in second.ok("GET", "sessions")]
    own, = [one for one in admin.ok("GET", f"admin/sessions?account={admin.name}")["entries"]]
    assert own["current"] and own["address"] == "127.0.0.1" and "requests" in own["agent"]
    page = admin.ok("GET", f"admin/sessions?account={name}&limit=1")
    rest = admin.ok("GET", f"admin/sessions?account={name}&limit=1&cursor={page['next']}")
    assert page["entries"] + rest["entries"] == listed["entries"] and rest["next"] is None
    admin.ok("DELETE", f"admin/sessions/{listed['entries'][0]['id']}", status=204)
    first.fails("unauthenticated", "GET", "account")
    second.ok("GET", "account")
    admin.fails("not_found", "DELETE", f"admin/sessions/{listed['entries'][0]['id']}")
    assert admin.ok("GET", "admin/sessions?account=nobody") == {"entries": [], "next": None}


def test_the_settings_in_force_and_where_they_came_from(own_server):
    server = own_server(log_level="debug", cors_origins=["https://files.example.org"])
    server.add_account("root", role="admin", password=PASSWORD)
    person = Person(server)
    person.sign_in("root")
    settings = {one["key"]: one for one in person.ok("GET", "admin/settings")}
    assert (settings["log_level"]["value"], settings["log_level"]["origin"]) == ("debug", "file")
    assert settings["cors_origins"]["value"] == ["https://files.example.org"]
    assert settings["listen"]["origin"] == "command line" and settings["threads"]["origin"] == "default"
    assert settings["share_roots"]["value"] == [] and settings["access_log"]["value"] is True
    shown = server.cli("serve", "--print-config").stdout
    assert set(settings) == {line.split(" = ")[0] for line in shown.splitlines() if " = " in line}
    if server.database:
        assert settings["database"]["value"] == "postgresql://…"


def test_no_secret_is_in_an_answer_or_the_log(own_server):
    server = own_server(log_level="debug")
    server.add_account("root", role="admin", password=PASSWORD)
    person = Person(server)
    person.sign_in("root")
    key = server.create_key("root")["key"]
    answers = [person.call("POST", "admin/accounts", {"userName": "ann", "password": OTHER_PASSWORD}),
               person.call("PATCH", "admin/accounts/ann", {"password": PASSWORD + "!"}),
               person.call("PATCH", "admin/accounts/ann", {"password": "2short"}),
               *(person.call("GET", f"admin/{path}") for path in ("accounts", "accounts/ann", "sessions", "settings", "shares"))]
    words = [PASSWORD, OTHER_PASSWORD, "2short", key, person.cookie, person.csrf, "$argon2", *([server.database] if server.database else [])]
    for text in (*(answer.text for answer in answers), server.log()):
        assert not any(word in text for word in words)
