"""Passkeys: what they open, what they are refused for, and what an account has besides."""

import concurrent.futures

import pytest

from passkey import Passkey
from people import PASSWORD, Person
from tus import sql


class Owner:
    def __init__(self, server, passkey=None):
        self.server, self.name = server, server.add_account(password=PASSWORD)
        self.browser = Person(server)
        self.browser.sign_in(self.name)
        self.passkey = passkey or Passkey()
        self.codes = self.add(self.passkey)["recoveryCodes"]
        server.secrets.update(self.codes)

    def add(self, passkey, name="Phone"):
        options = self.browser.ok("POST", "account/passkeys/options")
        return self.browser.ok("POST", "account/passkeys", {"name": name, "credential": passkey.made(options)}, status=201)


@pytest.fixture
def site(own_server):
    """On a server of its own: failures count for the address, which other tests have too."""
    return own_server(public_url="https://files.example.org")


@pytest.fixture
def owner(site):
    return Owner(site)


def show(server, passkey, browser=None, **start):
    browser = browser or Person(server)
    options = browser.ok("POST", "session/passkey/options", start)
    return browser.call("POST", "session/passkey", {"credential": passkey.shown(options)})


def test_one_signs_in_without_a_name(owner):
    browser = Person(owner.server)
    answer = show(owner.server, owner.passkey, browser)
    assert answer.status_code == 200 and answer.json()["account"]["userName"] == owner.name, answer.text
    browser.csrf = answer.json()["csrfToken"]
    assert {one["method"] for one in browser.ok("GET", "sessions")} == {"password", "passkey"}
    listed, = browser.ok("GET", "account/passkeys")
    assert listed["name"] == "Phone" and listed["lastUsedAt"] and listed["isBackedUp"] and listed["counterFellAt"] is None


def test_the_options_are_those_of_the_standard(owner):
    browser = owner.browser
    options = browser.ok("POST", "account/passkeys/options")
    assert options["rp"] == {"id": "files.example.org", "name": "Coffer"} and options["user"]["name"] == owner.name
    assert [one["alg"] for one in options["pubKeyCredParams"]] == [-8, -7, -257] and options["attestation"] == "none"
    assert options["authenticatorSelection"] == {"residentKey": "required", "requireResidentKey": True, "userVerification": "required"}
    assert [one["transports"] for one in options["excludeCredentials"]] == [["internal", "hybrid"]]
    request = browser.ok("POST", "session/passkey/options", {})
    assert request["rpId"] == "files.example.org" and request["userVerification"] == "required" and request["allowCredentials"] == []


def test_the_password_alone_opens_nothing_any_more(owner):
    browser = Person(owner.server)
    answer = browser.ok("POST", "session", {"userName": owner.name, "password": PASSWORD})
    assert answer["secondFactor"] == ["passkey", "recovery"]
    step = browser.ok("POST", "session/passkey/options", {"challenge": answer["challenge"]})
    assert len(step["allowCredentials"]) == 1
    assert show(owner.server, owner.passkey, challenge=answer["challenge"]).status_code == 200
    browser.ok("POST", "session/second-factor", {"challenge": answer["challenge"], "code": owner.codes[0]})
    security = owner.browser.ok("GET", "account/security")
    assert security["hasSecondFactor"] and security["totpSince"] is None and security["recoveryCodes"] == 9


def test_it_is_no_second_step_for_another_account(owner):
    other = Owner(owner.server)
    answer = Person(owner.server).ok("POST", "session", {"userName": owner.name, "password": PASSWORD})
    assert show(owner.server, other.passkey, challenge=answer["challenge"]).status_code == 401


@pytest.mark.parametrize("change", [
    {"is_verified": False}, {"origin": "https://files.example.org.evil.example"}, {"origin": "http://files.example.org"}, {"rp_id": "example.org"},
], ids=["nobody verified", "other origin", "no TLS", "other domain"])
def test_what_is_not_right_is_refused(owner, change):
    for name, value in change.items():
        setattr(owner.passkey, name, value)
    assert show(owner.server, owner.passkey).status_code == 401
    wrong = Passkey(**change)
    options = owner.browser.ok("POST", "account/passkeys/options")
    owner.browser.fails("forbidden", "POST", "account/passkeys", {"name": "Wrong", "credential": wrong.made(options)})
    assert len(owner.browser.ok("GET", "account/passkeys")) == 1


def test_each_answer_counts_once_also_at_the_same_moment(owner):
    browser = Person(owner.server)
    for _ in range(10):
        options = browser.ok("POST", "session/passkey/options", {})
        shown = owner.passkey.shown(options)
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            answers = list(pool.map(lambda _: Person(owner.server).call("POST", "session/passkey", {"credential": shown}), range(2)))
        assert sorted(one.status_code for one in answers) == [200, 401]


def test_an_unknown_one_is_refused_and_noted(owner):
    assert show(owner.server, Passkey()).status_code == 401
    admin = Person(owner.server, key=owner.server.create_key(owner.server.add_account(role="admin"))["key"])
    refused = admin.ok("GET", "admin/audit?event=session.refused")["entries"]
    assert any("No account here has this passkey" in one["details"] for one in refused)


def test_one_that_was_removed_opens_nothing_and_the_last_takes_the_codes(owner):
    second = Passkey()
    assert owner.add(second, "Key")["recoveryCodes"] is None
    first, other = owner.browser.ok("GET", "account/passkeys")
    owner.browser.ok("PATCH", f"account/passkeys/{other['id']}", {"name": "Yellow key"}, status=204)
    owner.browser.ok("DELETE", f"account/passkeys/{first['id']}", status=204)
    assert show(owner.server, owner.passkey).status_code == 401
    assert show(owner.server, second).status_code == 200
    assert [one["name"] for one in owner.browser.ok("GET", "account/passkeys")] == ["Yellow key"]
    owner.browser.ok("DELETE", f"account/passkeys/{other['id']}", status=204)
    owner.browser.fails("not_found", "DELETE", f"account/passkeys/{other['id']}")
    assert owner.browser.ok("GET", "account/security")["recoveryCodes"] == 0
    Person(owner.server).sign_in(owner.name)


def test_nobody_removes_or_renames_those_of_others(owner):
    other = Owner(owner.server)
    one, = owner.browser.ok("GET", "account/passkeys")
    other.browser.fails("not_found", "DELETE", f"account/passkeys/{one['id']}")
    other.browser.fails("not_found", "PATCH", f"account/passkeys/{one['id']}", {"name": "Mine"})


def test_the_same_one_is_added_once(owner):
    options = owner.browser.ok("POST", "account/passkeys/options")
    owner.browser.fails("name_taken", "POST", "account/passkeys", {"name": "Again", "credential": owner.passkey.made(options)})
    owner.browser.fails("forbidden", "POST", "account/passkeys", {"name": "Again", "credential": owner.passkey.made(options)})


def test_a_counter_that_goes_back_is_shown(site):
    owner = Owner(site, Passkey(counter=7))
    owner.passkey.counter = 9
    assert show(site, owner.passkey).status_code == 200
    owner.passkey.counter = 8
    assert show(site, owner.passkey).status_code == 200
    listed, = owner.browser.ok("GET", "account/passkeys")
    assert listed["counterFellAt"]


def test_it_confirms_the_session(owner):
    owner.server.stop()
    sql(owner.server, "UPDATE web_sessions SET confirmed_at = 0")
    owner.server.start()
    owner.browser.fails("unconfirmed", "POST", "account/passkeys/options")
    options = owner.browser.ok("POST", "session/passkey/options", {})
    owner.browser.fails("forbidden", "POST", "session/confirm", {"credential": Passkey().shown(options)})
    owner.browser.fails("malformed", "POST", "session/confirm", {})
    options = owner.browser.ok("POST", "session/passkey/options", {})
    owner.browser.ok("POST", "session/confirm", {"credential": owner.passkey.shown(options)}, status=204)
    owner.browser.ok("POST", "account/passkeys/options")


@pytest.mark.parametrize("credential", [{}, {"id": "AA"}, {"id": "AA", "response": {}}, {"id": "A=", "response": {}},
                                        {"id": "AA", "response": {"clientDataJSON": "e30", "authenticatorData": 1, "signature": "AA"}}])
def test_a_credential_of_another_form_is_malformed(owner, credential):
    Person(owner.server).fails("malformed", "POST", "session/passkey", {"credential": credential}, documented=False)


def test_a_disabled_account_stays_closed(owner):
    owner.server.cli("account", "disable", owner.name)
    assert show(owner.server, owner.passkey).status_code == 403


def test_an_administrator_removes_what_was_lost(owner):
    owner.server.cli("account", "second-factor", "remove", owner.name)
    assert show(owner.server, owner.passkey).status_code == 401
    Person(owner.server).sign_in(owner.name)


@pytest.mark.parametrize("settings", [{}, {"public_url": "https://192.0.2.1"}, {"public_url": "http://files.example.org"},
                                      {"public_url": "https://files.example.org", "passkeys": False}])
def test_where_browsers_would_offer_none_the_server_says_so(own_server, settings):
    server = own_server(**settings)
    browser = Person(server)
    assert browser.ok("GET", "session/methods")["passkeys"] is False
    browser.fails("not_found", "POST", "session/passkey/options", {})


def test_a_server_on_this_machine_is_enough_to_try_it(own_server):
    server = own_server()
    browser = Person(server, headers={"Host": "localhost:8080"})
    assert browser.ok("GET", "session/methods")["passkeys"] is True
    assert browser.ok("POST", "session/passkey/options", {})["rpId"] == "localhost"
