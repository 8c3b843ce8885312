"""What changes who may use an account wants a session whose person showed lately who they are."""

import pytest

from people import PASSWORD, Person
from tus import sql

OTHER = "another good password"


@pytest.fixture
def person(own_server):
    server = own_server()
    server.add_account("ann", role="admin", password=PASSWORD)
    server.add_account("bob", password=PASSWORD)
    one = Person(server)
    one.sign_in("ann")
    return one


def grows_old(person):
    """As if its person had signed in long ago."""
    person.server.stop()
    sql(person.server, "UPDATE web_sessions SET confirmed_at = 0")
    person.server.start()


CHANGES = [("POST", "keys", {"name": "a key", "access": "full"}, 201), ("POST", "admin/accounts", {"userName": "new"}, 201),
           ("PATCH", "admin/accounts/bob", {"password": OTHER}, 200), ("PATCH", "admin/accounts/bob", {"role": "admin"}, 200),
           ("PATCH", "admin/accounts/bob", {"disabled": True}, 200), ("DELETE", "admin/accounts/bob?files=purge", None, 204)]


@pytest.mark.parametrize("method, path, body, status", CHANGES, ids=[f"{path} {' '.join(body or {})}" for _, path, body, _ in CHANGES])
def test_it_is_asked_for_and_then_holds(person, method, path, body, status):
    grows_old(person)
    assert "session/confirm" in person.fails("unconfirmed", method, path, body)
    assert person.ok("GET", "keys") == []
    person.fails("forbidden", "POST", "session/confirm", {"password": "wrong one"})
    person.fails("unconfirmed", method, path, body)
    person.ok("POST", "session/confirm", {"password": PASSWORD}, status=204)
    person.ok(method, path, body, status=status)


def test_v1_makes_no_key_either(person):
    grows_old(person)
    assert "session/confirm" in person.v1().create_key("a key").fails(403)
    person.ok("POST", "session/confirm", {"password": PASSWORD}, status=204)
    person.v1().create_key("a key").ok()


def test_a_sign_in_confirms(person):
    person.ok("POST", "keys", {"name": "a key", "access": "full"}, status=201)


def test_what_changes_no_right_needs_none(person):
    grows_old(person)
    person.ok("PATCH", "account", {"displayName": "Ann"})
    person.ok("PATCH", "admin/accounts/bob", {"storageLimit": 5000, "displayName": "Bob"})
    person.v1().make_folder("", "docs").ok()


def test_keys_and_commands_need_none(person):
    key = person.ok("POST", "keys", {"name": "a key", "access": "full"}, status=201)["secret"]
    grows_old(person)
    program = Person(person.server, key=key)
    program.ok("POST", "keys", {"name": "another", "access": "full"}, status=201)
    program.ok("PATCH", "admin/accounts/bob", {"role": "admin"})
    program.fails("forbidden", "POST", "session/confirm", {"password": PASSWORD})
    person.server.cli("account", "add", "eve")


def test_a_session_confirms_itself_alone(person):
    other = Person(person.server)
    other.sign_in("ann")
    grows_old(person)
    other.ok("POST", "session/confirm", {"password": PASSWORD}, status=204)
    other.ok("POST", "keys", {"name": "a key", "access": "full"}, status=201)
    person.fails("unconfirmed", "POST", "keys", {"name": "a key", "access": "full"})


def test_sessions_of_an_earlier_version_go_on_and_are_asked(person):
    session, = person.ok("GET", "sessions")
    assert session["method"] == "password"
    grows_old(person)
    assert person.ok("GET", "session")["account"]["userName"] == "ann"
    person.fails("unconfirmed", "POST", "keys", {"name": "a key", "access": "full"})
