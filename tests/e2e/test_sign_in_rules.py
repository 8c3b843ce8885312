"""Who must have a second factor, and who may sign in with a password."""

import pytest

from authenticator import code
from passkey import Passkey
from people import PASSWORD, Person

SITE = {"public_url": "https://files.example.org"}


def signed_in(server, role="user"):
    browser = Person(server)
    session = browser.sign_in(server.add_account(role=role, password=PASSWORD))
    return browser, session


def is_held(browser):
    """True if the session may do nothing but protect its account."""
    held = browser.call("GET", "files").status_code == 403
    assert browser.v1().account().status == (403 if held else 200)
    assert browser.ok("GET", "session")["needsSecondFactor"] is held
    return held


@pytest.mark.parametrize("rule, user, admin", [("optional", False, False), ("admins", False, True), ("everyone", True, True)])
def test_the_setting_says_who_is_held(own_server, rule, user, admin):
    server = own_server(second_factor=rule)
    for role, expected in (("user", user), ("admin", admin)):
        browser, session = signed_in(server, role)
        assert session["needsSecondFactor"] is expected and is_held(browser) is expected


def test_an_authenticator_lets_one_go_on_in_the_same_session(own_server):
    browser, _ = signed_in(own_server(second_factor="everyone"))
    assert "second factor" in browser.fails("forbidden", "POST", "keys", {"name": "program", "access": "full"})
    secret = browser.ok("POST", "account/totp", status=201)["secret"]
    assert is_held(browser), "it was not confirmed"
    browser.ok("POST", "account/totp/confirm", {"code": code(secret)})
    assert not is_held(browser)
    browser.ok("POST", "keys", {"name": "program", "access": "full"}, status=201)
    browser.ok("DELETE", "account/totp", status=204)
    assert is_held(browser), "it is gone again"
    browser.ok("DELETE", "session")


def test_a_passkey_does_too_and_its_sessions_are_not_held(own_server):
    server = own_server(second_factor="everyone", **SITE)
    browser, _ = signed_in(server)
    passkey = Passkey()
    options = browser.ok("POST", "account/passkeys/options")
    browser.ok("POST", "account/passkeys", {"name": "Phone", "credential": passkey.made(options)}, status=201)
    assert not is_held(browser)
    other = Person(server)
    options = other.ok("POST", "session/passkey/options", {})
    assert other.ok("POST", "session/passkey", {"credential": passkey.shown(options)})["needsSecondFactor"] is False
    assert not is_held(other)


def test_keys_are_not_held(own_server):
    server = own_server(second_factor="everyone")
    key = server.create_key(server.add_account(password=PASSWORD))["key"]
    assert Person(server, key=key).call("GET", "files").status_code == 200


@pytest.mark.parametrize("rule, user, admin", [("everyone", 200, 200), ("admins", 403, 200), ("nobody", 403, 403)])
def test_the_setting_says_who_may_use_a_password(own_server, rule, user, admin):
    server = own_server(password_sign_in=rule)
    for role, expected in (("user", user), ("admin", admin)):
        name = server.add_account(role=role, password=PASSWORD)
        answer = Person(server).call("POST", "session", {"userName": name, "password": PASSWORD})
        assert answer.status_code == expected, answer.text
        wrong = Person(server).call("POST", "session", {"userName": name, "password": "wrong one"})
        assert wrong.status_code == (403 if rule == "nobody" else 401), "a stranger learns nothing of the role"
    assert Person(server).ok("GET", "session/methods")["password"] is (rule != "nobody")
