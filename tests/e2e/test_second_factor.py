"""Codes of an authenticator besides the password: who is asked, what counts once, and how one gets in without."""

import concurrent.futures

import pytest

from authenticator import code
from people import PASSWORD, Person
from tus import sql

OTHER = "another good password"


class Owner:
    """An account whose second factor is on, and what its person has."""

    def __init__(self, server, name):
        self.server, self.name = server, name
        self.browser = Person(server)
        self.browser.sign_in(name)
        made = self.browser.ok("POST", "account/totp", status=201)
        self.secret = made["secret"]
        server.secrets.add(self.secret)
        self.codes = self.browser.ok("POST", "account/totp/confirm", {"code": code(self.secret, -1)})["codes"]
        server.secrets.update(self.codes)

    def challenge(self, browser=None, password=PASSWORD):
        answer = (browser or Person(self.server)).call("POST", "session", {"userName": self.name, "password": password})
        assert answer.status_code == 200 and "Set-Cookie" not in answer.headers, answer.text
        assert answer.json()["secondFactor"] == ["totp", "recovery"]
        return answer.json()["challenge"]

    def complete(self, shown, browser=None, challenge=None):
        browser = browser or Person(self.server)
        return browser.call("POST", "session/second-factor", {"challenge": challenge or self.challenge(browser), "code": shown})


@pytest.fixture
def owner(own_server):
    """On a server of its own: wrong codes count for the address, which other tests have too."""
    server = own_server()
    return Owner(server, server.add_account(password=PASSWORD))


def test_it_is_set_up_step_by_step(server):
    name = server.add_account(password=PASSWORD)
    browser = Person(server)
    browser.sign_in(name)
    assert browser.ok("GET", "account/security") == {"hasPassword": True, "totpSince": None, "hasSecondFactor": False, "isConfirmed": True, "recoveryCodes": 0}
    browser.fails("precondition_failed", "POST", "account/totp/confirm", {"code": "123456"})
    browser.fails("precondition_failed", "POST", "account/recovery-codes")
    browser.fails("not_found", "DELETE", "account/totp")
    first = browser.ok("POST", "account/totp", status=201)
    second = browser.ok("POST", "account/totp", status=201)
    assert second["secret"] != first["secret"] and second["uri"] == f"otpauth://totp/Coffer:{name}?secret={second['secret']}&issuer=Coffer"
    browser.fails("forbidden", "POST", "account/totp/confirm", {"code": code(first["secret"])})
    Person(server).sign_in(name)  # Nothing is asked for yet.
    codes = browser.ok("POST", "account/totp/confirm", {"code": code(second["secret"])})["codes"]
    assert len(set(codes)) == 10
    shown = browser.ok("GET", "account/security")
    assert shown["totpSince"] and shown["recoveryCodes"] == 10
    browser.fails("name_taken", "POST", "account/totp")
    assert browser.ok("GET", "session")["account"]["userName"] == name, "open sessions stay"


def test_a_password_alone_opens_nothing(owner):
    browser = Person(owner.server)
    owner.challenge(browser)
    browser.fails("unauthenticated", "GET", "session")
    assert browser.v1().account().status == 401


def test_a_code_opens_a_session_once(owner):
    shown = code(owner.secret)
    browser = Person(owner.server)
    answer = owner.complete(shown, browser)
    assert answer.status_code == 200 and answer.json()["account"]["userName"] == owner.name
    browser.csrf = answer.json()["csrfToken"]
    assert {one["method"] for one in browser.ok("GET", "sessions")} == {"password", "password+totp"}
    assert owner.complete(shown).status_code == 401
    assert owner.complete(code(owner.secret, -1)).status_code == 401, "it confirmed the authenticator"
    assert owner.complete(code(owner.secret, 5)).status_code == 401


def test_of_two_requests_at_once_with_one_code_one_wins(owner):
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for pair in range(10):
            shown = owner.codes[pair]
            challenges = [owner.challenge(), owner.challenge()]
            answers = list(pool.map(lambda one: owner.complete(shown, challenge=one).status_code, challenges))
            assert sorted(answers) == [200, 401]


def test_recovery_codes_count_once_and_are_renewed(owner):
    assert owner.complete(owner.codes[0].upper().replace("-", " ")).status_code == 200
    assert owner.complete(owner.codes[0]).status_code == 401
    assert owner.browser.ok("GET", "account/security")["recoveryCodes"] == 9
    fresh = owner.browser.ok("POST", "account/recovery-codes")["codes"]
    owner.server.secrets.update(fresh)
    assert owner.complete(owner.codes[1]).status_code == 401
    assert owner.complete(fresh[0]).status_code == 200


def test_wrong_codes_wait_and_the_next_address_does_not(owner):
    challenge = owner.challenge()
    answers = [owner.complete("000000", challenge=challenge).status_code for _ in range(12)]
    assert set(answers[:10]) == {401} and answers[-1] == 429
    assert owner.complete(owner.codes[0], challenge=challenge).status_code == 429
    assert owner.browser.ok("GET", "session")


@pytest.mark.parametrize("challenge", ["", "x", "A" * 200, "AAAA" * 20000])
def test_what_is_no_challenge_is_refused(server, challenge):
    answer = Person(server).call("POST", "session/second-factor", {"challenge": challenge, "code": "123456"})
    assert answer.status_code in (400, 401)


def test_a_challenge_ends_with_the_password(owner):
    challenge = owner.challenge()
    owner.browser.ok("POST", "account/password", {"current": PASSWORD, "new": OTHER}, status=204)
    assert owner.complete(owner.codes[0], challenge=challenge).status_code == 401
    assert owner.complete(owner.codes[0], challenge=owner.challenge(password=OTHER)).status_code == 200


def test_a_password_is_not_changed_by_one_who_has_no_code(own_server):
    server = own_server()
    owner = Owner(server, server.add_account("ann", password=PASSWORD))
    server.stop()
    sql(server, "UPDATE web_sessions SET confirmed_at = 0")
    server.start()
    owner.browser.fails("unconfirmed", "POST", "account/password", {"current": PASSWORD, "new": OTHER})
    owner.browser.ok("POST", "session/confirm", {"password": PASSWORD, "code": owner.codes[0]}, status=204)
    owner.browser.ok("POST", "account/password", {"current": PASSWORD, "new": OTHER}, status=204)


def test_a_confirmation_takes_both(owner):
    confirm = lambda **body: owner.browser.call("POST", "session/confirm", {"password": PASSWORD, **body}).status_code
    assert confirm() == 400
    assert confirm(code="000000") == 403
    assert confirm(password="wrong one", code=owner.codes[0]) == 403
    assert confirm(code=owner.codes[0]) == 204
    assert confirm(code=owner.codes[0]) == 403, "it was used"
    assert owner.browser.ok("GET", "session"), "who is signed in stays so"


def test_it_is_turned_off(owner):
    owner.browser.ok("DELETE", "account/totp", status=204)
    Person(owner.server).sign_in(owner.name)
    assert owner.browser.ok("GET", "account/security") == {"hasPassword": True, "totpSince": None, "hasSecondFactor": False, "isConfirmed": True, "recoveryCodes": 0}


def test_an_administrator_turns_it_off_for_one_who_lost_it(owner):
    server = owner.server
    admin = Person(server, key=server.create_key(server.add_account(role="admin"))["key"])
    shown = lambda: admin.ok("GET", f"admin/accounts/{owner.name}")["hasSecondFactor"]
    assert shown()
    admin.ok("DELETE", f"admin/accounts/{owner.name}/second-factor", status=204)
    assert not shown()
    admin.fails("not_found", "DELETE", f"admin/accounts/{owner.name}/second-factor")
    admin.fails("not_found", "DELETE", "admin/accounts/nobody/second-factor")
    Person(server).sign_in(owner.name)
    other = Person(server, key=server.create_key(server.add_account())["key"])
    other.fails("forbidden", "DELETE", f"admin/accounts/{owner.name}/second-factor")


def test_the_command_line_turns_it_off(owner):
    said = owner.server.cli("account", "second-factor", "remove", owner.name)
    assert "password alone" in said.stdout
    Person(owner.server).sign_in(owner.name)
    assert owner.server.cli("account", "second-factor", "remove", owner.name, ok=False).returncode != 0


def test_the_audit_log_tells_it(owner):
    owner.complete("000000")
    owner.browser.ok("POST", "account/recovery-codes")
    owner.browser.ok("DELETE", "account/totp", status=204)
    admin = Person(owner.server, key=owner.server.create_key(owner.server.add_account(role="admin"))["key"])
    events = [event["event"] for event in admin.ok("GET", f"admin/audit?account={owner.name}")["entries"]]
    assert {"second_factor.added", "recovery_codes.made", "second_factor.removed", "session.refused"} <= set(events)


def test_it_holds_after_a_kill(own_server):
    server = own_server()
    owner = Owner(server, server.add_account("ann", password=PASSWORD))
    shown = code(owner.secret)
    assert owner.complete(shown).status_code == 200
    server.kill()
    server.start()
    assert owner.complete(shown).status_code == 401
    assert owner.complete(owner.codes[0]).status_code == 200
