"""Sign-in at a provider of OpenID Connect: at one that lies in each way that a client must notice, and at a real one.

The names of most cases are those of the OpenID Foundation's conformance suite for clients."""

import base64
import contextlib
import hashlib
import hmac
import socket
import time
import urllib.parse

import pytest
import requests

from client import TIMEOUT_S
from identity_provider import CALLBACK, CLIENT, PUBLIC_URL, LyingProvider, NodeProvider, encoded, new_key, signed
from people import PASSWORD, Person
from server import eventually
from tus import sql

ROOT = "root"


class Browser(Person):
    """A person's browser at a server whose provider is `provider`."""

    def __init__(self, server):
        super().__init__(server)
        self.http.headers["Accept"] = "application/json"

    def get(self, path, **query):
        if query:
            path += "?" + urllib.parse.urlencode(query)
        return self.http.get(self.server.url + path, allow_redirects=False, timeout=TIMEOUT_S)

    def start(self, path="/api/v2/session/oidc/start", **query):
        """The address at the provider that the browser is sent to."""
        answer = self.get(path, **query)
        assert answer.status_code == 303, answer.text
        return answer.headers["Location"]

    def come_back(self, query):
        return self.get(CALLBACK, **query)

    def sign_in_at(self, provider, **changes):
        return self.come_back({**provider.agree(self.start()), **changes})

    def account(self):
        """The name of the account that is signed in; None if none is."""
        answer = self.get("/api/v2/session")
        return answer.json()["account"]["userName"] if answer.status_code == 200 else None


def refusals(server):
    return [one["details"] for one in server.ask("GET", "admin/audit?event=session.refused")["entries"]]


@pytest.fixture
def provider():
    with LyingProvider() as made:
        yield made


@pytest.fixture
def start_with(own_server, tmp_path):
    """Starts a server with an administrator, whose people sign in at a provider."""
    def start(provider, **settings):
        server = own_server(**provider.settings(tmp_path), **settings)
        server.add_account(ROOT, role="admin", password=PASSWORD)
        return server
    return start


def changed_claims(**claims):
    def change(provider):
        provider.claims = claims
    return change


def flipped(algorithm, kind):
    def change(provider):
        provider.keys, provider.algorithm = [new_key(kind)], algorithm
        def token_of(claims):
            head, content, signature = signed(provider.keys[0], claims, algorithm).split(".")
            raw = bytearray(base64.urlsafe_b64decode(signature + "=="))
            raw[7] ^= 1
            return f"{head}.{content}.{encoded(bytes(raw))}"
        provider.token_of = token_of
    return change


def with_secret(secret_of):
    def change(provider):
        def token_of(claims):
            text = f"{encoded({'alg': 'HS256', 'kid': provider.keys[0].get('kid')})}.{encoded(claims)}"
            return f"{text}.{encoded(hmac.digest(secret_of(provider), text.encode(), 'sha256'))}"
        provider.token_of = token_of
    return change


def without_signature(provider):
    provider.token_of = lambda claims: f"{encoded({'alg': 'none'})}.{encoded(claims)}."


def no_key_that_fits(provider):
    provider.token_of = lambda claims: signed(new_key("EC"), claims, "ES256", kid=None)
    provider.keys = [new_key(), new_key()]


def another_key(provider):
    stranger = new_key(name=provider.keys[0].get("kid"))
    provider.token_of = lambda claims: signed(stranger, claims)


def other_userinfo(provider):
    provider.claims, provider.userinfo = {"groups": None}, {"sub": "s-2", "groups": []}


def many_keys(provider):
    def answer(answers):
        with contextlib.suppress(OSError):
            answers.say(b'{"keys":[],"more":"' + b"x" * 10_000_000 + b'"}')
        answers.close_connection = True
    provider.instead["/keys"] = answer


def endless_keys(provider):
    def pour(answers):
        answers.send_response(200)
        answers.end_headers()
        try:
            while True:
                answers.wfile.write(b" " * 65536)
        except OSError:
            answers.close_connection = True
    provider.instead["/keys"] = pour


def redirected_tokens(provider):
    provider.instead["/token"] = lambda answers: answers.say({}, 307, ("Location", f"{provider.issuer}/elsewhere"))


def at_other_times(**seconds):
    def change(provider):
        present = int(time.time())
        provider.claims = {name: present + offset for name, offset in seconds.items()}
    return change


REFUSED = {
    "invalid-iss": changed_claims(iss="https://id.example.org"),
    "invalid-aud": changed_claims(aud="another"),
    "missing-aud": changed_claims(aud=None),
    "missing-sub": changed_claims(sub=None),
    "missing-iat": changed_claims(iat=None),
    "missing-exp": changed_claims(exp=None),
    "nonce-invalid": changed_claims(nonce="another"),
    "nonce-missing": changed_claims(nonce=None),
    "azp-of-another": changed_claims(aud=[CLIENT, "another"], azp="another"),
    "several-audiences": changed_claims(aud=[CLIENT, "another"]),
    "at-hash-of-another": changed_claims(at_hash="77QmUPtjPfzWtF2AnpK9RQ"),
    "expired": at_other_times(iat=-400, exp=-61),
    "of-the-future": at_other_times(iat=120, exp=400),
    "invalid-sig-rs256": flipped("RS256", "RSA"),
    "invalid-sig-ps256": flipped("PS256", "RSA"),
    "invalid-sig-es256": flipped("ES256", "EC"),
    "invalid-sig-eddsa": flipped("EdDSA", "OKP"),
    "invalid-sig-hs256": with_secret(lambda provider: b"a secret of the client"),
    "hs256-with-the-public-key": with_secret(lambda provider: provider.keys[0].export_to_pem()),
    "idtoken-sig-none": without_signature,
    "kid-absent-multiple-jwks": no_key_that_fits,
    "key-of-another": another_key,
    "userinfo-invalid-sub": other_userinfo,
}
UNAVAILABLE = {"keys-of-10-mb": many_keys, "endless-keys": endless_keys, "redirect-of-tokens": redirected_tokens}


@pytest.mark.parametrize("case", [*REFUSED, *UNAVAILABLE])
def test_what_proves_nobody_opens_nothing(start_with, provider, case):
    server = start_with(provider, oidc_groups_claim="groups")
    (REFUSED | UNAVAILABLE)[case](provider)
    browser = Browser(server)
    answer = browser.sign_in_at(provider)
    assert answer.status_code == (401 if case in REFUSED else 502), answer.text
    assert browser.account() is None and "coffer_session" not in browser.http.cookies
    noted, = refusals(server)
    assert noted == answer.json()["detail"]
    assert "/elsewhere" not in provider.asked
    assert len(server.ask("GET", "admin/accounts")["entries"]) == 1


def without_key_name(provider):
    provider.head = {"kid": None}


def by(algorithm, kind):
    def change(provider):
        provider.keys, provider.algorithm = [new_key(kind)], algorithm
    return change


def with_userinfo(provider):
    provider.claims = {"groups": None, "preferred_username": None}
    provider.userinfo = {"sub": "s-1", "preferred_username": "ann", "groups": ["staff"]}


def with_hash(provider):
    digest = hashlib.sha256(provider.access_token.encode()).digest()
    provider.claims = {"at_hash": encoded(digest[:16]), "aud": [CLIENT, "another"], "azp": CLIENT}


ACCEPTED = {
    "kid-absent-single-jwks": without_key_name,
    "idtoken-sig-rs256": by("RS256", "RSA"),
    "idtoken-sig-ps256": by("PS256", "RSA"),
    "idtoken-sig-es256": by("ES256", "EC"),
    "idtoken-sig-eddsa": by("EdDSA", "OKP"),
    "scope-userinfo-claims": with_userinfo,
    "at-hash": with_hash,
    "clocks-that-differ": at_other_times(iat=50, exp=-50),
}


@pytest.mark.parametrize("case", ACCEPTED)
def test_what_proves_a_person_signs_in(start_with, provider, case):
    server = start_with(provider, oidc_groups_claim="groups")
    ACCEPTED[case](provider)
    browser = Browser(server)
    answer = browser.sign_in_at(provider)
    assert (answer.status_code, answer.headers["Location"]) == (303, "/"), answer.text
    assert browser.account() == "ann"
    assert refusals(server) == []
    assert "code=" not in server.log() and "state=" not in server.log()


def test_a_provider_whose_metadata_is_of_another_is_not_asked(start_with, provider):
    server = start_with(provider)
    provider.metadata["issuer"] += "/"
    answer = Browser(server).get("/api/v2/session/oidc/start")
    assert answer.status_code == 502 and answer.json()["detail"] == "The provider's metadata is of another issuer."


@pytest.mark.parametrize("name", ["another", None])
def test_keys_that_change_sign_in_at_once(start_with, provider, name):
    """signing-key-rotation, also just before the signing; and keys that keep their name."""
    server = start_with(provider)
    assert Browser(server).sign_in_at(provider).status_code == 303
    browser = Browser(server)
    back = provider.agree(browser.start())
    provider.keys = [new_key(name=name or provider.keys[0].get("kid"))]
    assert browser.come_back(back).status_code == 303
    assert provider.asked.count("/keys") == 2


def test_an_answer_counts_once_in_its_browser(start_with, provider):
    server = start_with(provider)
    browser, stranger = Browser(server), Browser(server)
    back = provider.agree(browser.start())
    stranger.start()
    assert stranger.come_back(back).status_code == 401, "the state is of another browser"
    assert Browser(server).come_back(back).status_code == 401, "a browser that began nothing"
    cookies = browser.http.cookies.copy()
    assert browser.come_back({**back, "iss": "https://evil.example.org"}).status_code == 401
    assert "/token" not in provider.asked, "the code was shown to the wrong provider"
    browser.http.cookies = cookies
    assert browser.come_back(back).status_code == 401, "the state was used"
    again = provider.agree(browser.start())
    assert browser.come_back({"state": again["state"], "error": "access_denied"}).status_code == 401
    assert browser.sign_in_at(provider, iss=provider.issuer).status_code == 303
    assert browser.account() == "ann"
    assert len(refusals(server)) == 5


def test_the_cookie_of_the_way_back(start_with, provider):
    answer = Browser(start_with(provider)).get("/api/v2/session/oidc/start", prompt="login", **{"return": "/files?path=a"})
    assert "prompt=login" in answer.headers["Location"]
    name, *rules = answer.headers["Set-Cookie"].split("; ")
    assert name.startswith("coffer_oidc=") and len(name) < 2000
    assert set(rules) == {"Path=/", "HttpOnly", "SameSite=Lax", "Max-Age=600"}


@pytest.mark.parametrize("path, led_to", [("/files?path=a", "/files?path=a"), ("//evil.example.org", "/"), ("https://evil.example.org", "/")])
def test_the_person_comes_back_to_a_page_of_the_server(start_with, provider, path, led_to):
    browser = Browser(start_with(provider))
    answer = browser.come_back(provider.agree(browser.start(**{"return": path})))
    assert answer.headers["Location"] == led_to


def test_role_and_quota_follow_the_groups(start_with, provider):
    server = start_with(provider, oidc_groups_claim="realm.roles", oidc_admin_groups=["admins"],
                        oidc_group_quotas=["staff=100GiB", "*=1GiB"], oidc_allowed_groups=["staff", "admins"])
    def sign_in(groups):
        provider.claims = {"realm": {"roles": groups}}
        assert Browser(server).sign_in_at(provider).status_code == 303
        shown = server.ask("GET", "admin/accounts/ann")
        return shown["role"], shown["storageLimit"]
    assert sign_in(["staff"]) == ("user", 100 << 30)
    assert sign_in(["admins"]) == ("admin", 1 << 30)
    changes = [one["details"] for one in server.ask("GET", "admin/audit?event=account.changed")["entries"]]
    assert changes == [f"role=admin, quota={1 << 30}, by {provider.issuer}"]
    assert sign_in(["staff"]) == ("user", 100 << 30)


def test_who_is_in_no_allowed_group_is_told_so(start_with, provider):
    server = start_with(provider, oidc_groups_claim="groups", oidc_allowed_groups=["staff"])
    for groups in [], ["guests"], None:
        provider.claims, provider.userinfo = {"groups": groups}, {"sub": "s-1"}
        browser = Browser(server)
        answer = browser.sign_in_at(provider)
        assert answer.status_code == 403, answer.text
        assert browser.account() is None
    page = browser.http.get(server.url + CALLBACK, headers={"Accept": "text/html"}, timeout=TIMEOUT_S)
    assert page.status_code == 401 and page.headers["Content-Type"].startswith("text/html"), "no loop"


def test_the_last_administrator_stays_one(start_with, provider):
    server = start_with(provider, oidc_groups_claim="groups", oidc_admin_groups=["admins"])
    provider.claims = {"groups": ["admins"]}
    assert Browser(server).sign_in_at(provider).status_code == 303
    server.ask("PATCH", f"admin/accounts/{ROOT}", {"role": "user"})
    provider.claims = {"groups": []}
    assert Browser(server).sign_in_at(provider).status_code == 303
    assert server.ask("GET", "admin/accounts/ann")["role"] == "admin"


def test_names_open_no_account(start_with, provider):
    server = start_with(provider)
    provider.claims = {"preferred_username": ROOT, "email": "root@example.org"}
    browser = Browser(server)
    assert browser.sign_in_at(provider).status_code == 303
    assert browser.account() == "root2"


def test_without_new_accounts_an_owner_links_theirs(start_with, provider):
    server = start_with(provider, oidc_create_accounts=False)
    assert Browser(server).sign_in_at(provider).status_code == 403
    owner = Browser(server)
    owner.sign_in(ROOT)
    address = owner.start("/api/v2/account/identities/start", **{"return": "/settings"})
    answer = owner.come_back(provider.agree(address))
    assert (answer.status_code, answer.headers["Location"]) == (303, "/settings")
    identity, = owner.ok("GET", "account/identities")
    assert (identity["issuer"], identity["subject"]) == (provider.issuer, "s-1")
    browser = Browser(server)
    assert browser.sign_in_at(provider).status_code == 303
    assert browser.account() == ROOT
    assert owner.call("DELETE", f"account/identities/{identity['id']}").status_code == 204
    assert Browser(server).sign_in_at(provider).status_code == 403


def test_a_link_needs_a_session(start_with, provider):
    server = start_with(provider)
    assert Browser(server).get("/api/v2/account/identities/start").status_code == 401
    owner = Browser(server)
    owner.sign_in(ROOT)
    back = provider.agree(owner.start("/api/v2/account/identities/start"))
    owner.ok("DELETE", "session")
    assert owner.come_back(back).status_code == 401
    assert Browser(server).sign_in_at(provider).status_code == 303
    assert [one["userName"] for one in server.ask("GET", "admin/accounts")["entries"]] == ["ann", ROOT]


def logout(server, token, field="logout_token"):
    return requests.post(server.url + "/api/v2/session/oidc/backchannel-logout", {field: token}, timeout=TIMEOUT_S)


@pytest.mark.parametrize("named", ["both", "session", "person"])
def test_a_sign_out_at_the_provider_ends_the_sessions(start_with, provider, named):
    server = start_with(provider)
    browser, other = Browser(server), Browser(server)
    assert browser.sign_in_at(provider).status_code == 303
    provider.claims = {"sid": "sid-2"}
    assert other.sign_in_at(provider).status_code == 303
    missing = {"both": {}, "session": {"sub": None}, "person": {"sid": None}}[named]
    token = provider.logout_token(**missing)
    answer = logout(server, token)
    assert (answer.status_code, answer.content, answer.headers["Cache-Control"]) == (200, b"", "no-store")
    assert browser.account() is None
    assert other.account() == (None if named == "person" else "ann")
    again = logout(server, token)
    assert again.status_code == 400 and again.json()["error"] == "invalid_request", "it was used"
    assert logout(server, provider.logout_token(**missing)).status_code == 200, "nothing is there"


def test_what_is_no_logout_token_ends_nothing(start_with, provider):
    server = start_with(provider)
    browser = Browser(server)
    assert browser.sign_in_at(provider).status_code == 303
    claims = {"iss": provider.issuer, "aud": CLIENT, "sub": "s-1", "jti": "j", "iat": int(time.time()), "exp": int(time.time()) + 60}
    wrong = [
        provider.logout_token(nonce="n"),
        provider.logout_token(events=None),
        provider.logout_token(jti=None),
        provider.logout_token(sub=None, sid=None),
        provider.logout_token(aud="another"),
        provider.logout_token(iss="https://id.example.org"),
        provider.logout_token(exp=int(time.time()) - 61),
        provider.logout_token(head={"typ": "at+jwt"}),
        provider.logout_token(key=new_key(name=provider.keys[0].get("kid"))),
        f"{encoded({'alg': 'none', 'typ': 'logout+jwt'})}.{encoded(claims)}.",
        provider.id_token("n"),
        "", "a.b.c",
    ]
    for token in wrong:
        answer = logout(server, token)
        assert answer.status_code == 400 and set(answer.json()) == {"error", "error_description"}, token
    assert logout(server, provider.logout_token(), "token").status_code == 400
    json_body = requests.post(server.url + "/api/v2/session/oidc/backchannel-logout", json={}, timeout=TIMEOUT_S)
    assert json_body.status_code == 400
    assert browser.account() == "ann"


def test_without_a_provider_there_is_none(server):
    browser = Browser(server)
    assert browser.ok("GET", "session/methods") == {"password": True, "passkeys": False, "provider": None, "proxy": False}
    for path in "session/oidc/start", "session/oidc/callback":
        assert browser.get("/api/v2/" + path).status_code == 404
    assert logout(server, "token").status_code == 404


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def test_a_provider_that_is_down_stops_nothing_else(start_with, tmp_path):
    provider = NodeProvider(free_port(), tmp_path)
    server = start_with(provider)
    browser = Browser(server)
    assert browser.ok("GET", "session/methods")["provider"] == {"name": "Example ID"}
    answer = browser.get("/api/v2/session/oidc/start")
    assert answer.status_code == 502 and "provider" in answer.json()["detail"], answer.text
    browser.sign_in(ROOT)
    assert browser.account() == ROOT
    provider.start()
    try:
        eventually(lambda: browser.get("/api/v2/session/oidc/start").status_code == 303, "the provider is found")
    finally:
        provider.stop()


@pytest.mark.parametrize("algorithm", ["RS256", "PS256", "ES256", "EdDSA"])
def test_people_sign_in_at_a_real_provider(start_with, tmp_path, algorithm):
    provider = NodeProvider(free_port(), tmp_path, algorithm, {"ann": ["staff"]}).start()
    try:
        server = start_with(provider, oidc_groups_claim="groups", oidc_group_quotas=["staff=100GiB"])
        def sign_in():
            browser = Browser(server)
            back = provider.sign_in(provider.browser(), browser.start(), "ann")
            assert back.startswith(PUBLIC_URL + CALLBACK), back
            assert browser.come_back(dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(back).query))).status_code == 303
            return browser
        assert sign_in().account() == "ann"
        shown = server.ask("GET", "admin/accounts/ann")
        assert (shown["storageLimit"], shown["displayName"]) == (100 << 30, "The person ann")
        provider.stop()
        provider.start()  # With other keys.
        assert sign_in().account() == "ann"
        assert len(server.ask("GET", "admin/accounts")["entries"]) == 2
    finally:
        provider.stop()


def test_a_sign_out_at_a_real_provider_ends_the_session(own_server, tmp_path):
    port = free_port()
    provider = NodeProvider(port, tmp_path)
    server = own_server(**provider.settings(tmp_path))
    server.add_account(ROOT, role="admin", password=PASSWORD)
    provider.options["backchannel"] = server.url + "/api/v2/session/oidc/backchannel-logout"
    provider.start()
    try:
        browser, there = Browser(server), provider.browser()
        back = provider.sign_in(there, browser.start(), "ann")
        assert browser.come_back(dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(back).query))).status_code == 303
        assert browser.account() == "ann"
        provider.sign_out(there)
        eventually(lambda: browser.account() is None, "the session ends")
    finally:
        provider.stop()


def grow_old(server):
    server.stop()
    sql(server, "UPDATE web_sessions SET confirmed_at = 0")
    server.start()


def test_an_account_without_a_password_confirms_at_the_provider(start_with, provider):
    server = start_with(provider)
    browser = Browser(server)
    assert browser.sign_in_at(provider).status_code == 303
    browser.csrf = browser.ok("GET", "session")["csrfToken"]
    grow_old(server)
    browser.fails("unconfirmed", "POST", "keys", {"name": "program", "access": "full"})
    address = browser.start("/api/v2/session/oidc/confirm", **{"return": "/settings/api-keys"})
    asked = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(address).query))
    assert (asked["prompt"], asked["max_age"]) == ("login", "0")
    provider.claims = {"auth_time": int(time.time())}
    answer = browser.come_back(provider.agree(address))
    assert (answer.status_code, answer.headers["Location"]) == (303, "/settings/api-keys")
    browser.ok("POST", "keys", {"name": "program", "access": "full"}, status=201)


@pytest.mark.parametrize("claims", [{}, {"auth_time": 1000}, {"auth_time": "now"}, {"sub": "s-2"}], ids=["no time", "long ago", "no number", "another person"])
def test_what_does_not_show_the_person_anew_confirms_nothing(start_with, provider, claims):
    server = start_with(provider)
    browser = Browser(server)
    assert browser.sign_in_at(provider).status_code == 303
    browser.csrf = browser.ok("GET", "session")["csrfToken"]
    grow_old(server)
    address = browser.start("/api/v2/session/oidc/confirm")
    provider.claims = {"auth_time": int(time.time()), **claims} if "sub" in claims else claims
    assert browser.come_back(provider.agree(address)).status_code in (401, 403)
    browser.fails("unconfirmed", "POST", "keys", {"name": "program", "access": "full"})


def test_what_the_provider_gives_is_not_changed_by_hand(start_with, provider):
    server = start_with(provider, oidc_groups_claim="groups", oidc_admin_groups=["admins"], oidc_group_quotas=["*=1GB"])
    assert Browser(server).sign_in_at(provider).status_code == 303
    admin = Browser(server)
    admin.sign_in(ROOT)
    assert "provider" in admin.fails("forbidden", "PATCH", "admin/accounts/ann", {"role": "admin"})
    assert "provider" in admin.fails("forbidden", "PATCH", "admin/accounts/ann", {"storageLimit": 5})
    admin.ok("PATCH", "admin/accounts/ann", {"role": "user", "displayName": "Ann B."})
    other = server.add_account(password=PASSWORD)
    admin.ok("PATCH", f"admin/accounts/{other}", {"role": "admin", "storageLimit": 5})


def test_a_sign_out_here_leads_to_the_one_at_the_provider(start_with, provider):
    server = start_with(provider)
    browser = Browser(server)
    assert browser.sign_in_at(provider).status_code == 303
    browser.csrf = browser.ok("GET", "session")["csrfToken"]
    address = browser.ok("DELETE", "session")["logoutUrl"]
    assert address.startswith(provider.issuer + "/end?") and "post_logout_redirect_uri=" in address
    hint = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(address).query))["id_token_hint"]
    assert hint == provider.given, "the provider asks nobody whether they mean it"
    assert "coffer_oidc_proof" not in browser.http.cookies
    by_password = Browser(server)
    by_password.sign_in(ROOT)
    assert by_password.ok("DELETE", "session") == {"logoutUrl": None}


def test_a_token_that_is_too_long_for_a_cookie_is_shown_to_nobody(start_with, provider):
    server = start_with(provider)
    browser = Browser(server)
    assert browser.sign_in_at(provider).status_code == 303
    assert browser.http.cookies.get("coffer_oidc_proof", path="/api/v2/session") == provider.given
    provider.claims = {"groups": ["x" * 3000]}
    assert browser.sign_in_at(provider).status_code == 303
    browser.csrf = browser.ok("GET", "session")["csrfToken"]
    assert "id_token_hint" not in browser.ok("DELETE", "session")["logoutUrl"], "nor that of the sign-in before"


@pytest.mark.parametrize("ends", [False, True])
def test_a_sign_out_at_the_provider_ends_keys_if_the_setting_says_so(start_with, provider, ends):
    server = start_with(provider, oidc_logout_ends_keys=ends)
    assert Browser(server).sign_in_at(provider).status_code == 303
    key = Person(server, key=server.create_key("ann")["key"])
    assert logout(server, provider.logout_token()).status_code == 200
    assert key.call("GET", "files").status_code == (401 if ends else 200)


def test_a_provider_that_is_down_at_the_start_is_noted(start_with, provider):
    provider.instead["/.well-known/openid-configuration"] = lambda answers: answers.say({}, 500)
    server = start_with(provider)
    answer = Browser(server).get("/api/v2/session/oidc/start")
    assert answer.status_code == 502 and "mount" not in answer.text
    noted = server.ask("GET", "admin/audit?event=session.refused")["entries"]
    assert noted and noted[0]["details"]


def test_administrators_link_and_unlink(start_with, provider):
    server = start_with(provider, oidc_create_accounts=False)
    name = server.add_account(password=PASSWORD)
    server.cli("account", "link", name, provider.issuer, "s-1")
    browser = Browser(server)
    assert browser.sign_in_at(provider).status_code == 303
    assert browser.account() == name
    linked, = server.ask("GET", f"admin/accounts/{name}/identities")
    assert (linked["issuer"], linked["subject"]) == (provider.issuer, "s-1")
    assert "another account" in server.cli("account", "link", ROOT, provider.issuer, "s-1", ok=False).stderr
    server.cli("account", "unlink", name, provider.issuer, "s-1")
    assert server.ask("GET", f"admin/accounts/{name}/identities") == []
    assert "no such" in server.cli("account", "unlink", name, provider.issuer, "s-1", ok=False).stderr
    assert Browser(server).sign_in_at(provider).status_code == 403
