"""Logging in to a drive at its provider: POST /api/v2/connectors/authorize."""

import base64
import json
import threading

import pytest
import requests

from consent_server import ConsentServer
from disks import own_mounts
from mounting import Call
from people import People, Person
from remote_servers import certificate
from secrecy import in_none_of
from server import PATIENCE_S, eventually
from token_server import TokenServer

PATH = "connectors/authorize"
BACK = "/settings/connectors/authorized"
HIDDEN = (TokenServer.CLIENT_SECRET, TokenServer.ACCESS, TokenServer.REFRESH)


@pytest.fixture(scope="module")
def people(server):
    return People(server)


@pytest.fixture
def admin(people):
    return people.new("admin")


@pytest.fixture
def provider(server):
    with ConsentServer() as provider:
        provider.redirects.add(server.url + BACK)
        yield provider


def begin(person, provider, **more):
    return person.ok("POST", PATH, {"provider": provider.type, "parameters": {**provider.parameters(), **more}})


def agreed(person, provider):
    """What ends a login."""
    begun = begin(person, provider)
    _, sent_back = provider.consent(begun["address"])
    return {"login": begun["login"], **sent_back}


def hold_up(provider):
    """Answers nothing until the end of the test; the event says that somebody waits."""
    waits, ends = threading.Event(), threading.Event()

    def answer(handler):
        waits.set()
        ends.wait(PATIENCE_S)
        handler.close_connection = True

    provider.instead = answer
    return waits, ends


def uses(person, provider, parameters):
    """The drive works with what the login gave."""
    body = {"kind": "drive", "name": "Cloud", "provider": provider.type, "parameters": {**provider.parameters(), **parameters}}
    made = person.ok("POST", "connectors", body, status=201)
    place = f"__conn_{made['id']}"
    assert person.v1().names(place) == [provider.NAME]
    assert person.v1().content(f"{place}/{provider.NAME}") == provider.CONTENT
    assert made["drive"]["parameters"]["token"] is None
    return made


def test_a_drive_is_logged_in_to_at_its_provider(admin, provider):
    answer = admin.call("POST", PATH, {"provider": provider.type, "parameters": provider.parameters()})
    begun = answer.json()
    assert answer.status_code == 200 and answer.headers["Cache-Control"] == "no-store"
    assert begun["redirect"] == admin.server.url + BACK and begun["expiresAt"] and begun["parameters"] is None
    assert begun["secretVariable"] == "RCLONE_HIDRIVE_CLIENT_SECRET"
    in_none_of(HIDDEN, answer.text)
    page, sent_back = provider.consent(begun["address"])
    assert page == begun["redirect"] and set(sent_back) >= {"code", "state"}
    answer = admin.call("POST", PATH, {"login": begun["login"], "code": sent_back["code"], "state": sent_back["state"]})
    ended = answer.json()
    assert answer.status_code == 200 and answer.headers["Cache-Control"] == "no-store"
    assert {name for name, value in ended.items() if value is not None} == {"parameters"}
    token = json.loads(ended["parameters"]["token"])
    assert set(token) == {"access_token", "token_type", "refresh_token", "expiry"} and token["expiry"].endswith("Z")
    form, = provider.asked
    assert "Authorization" not in form and form["client_secret"] == provider.CLIENT_SECRET
    assert admin.ok("GET", "connectors")["entries"] == []
    uses(admin, provider, ended["parameters"])


def test_a_user_logs_in_where_the_settings_let_it(own_server):
    server = own_server(private_connectors=True)
    user = People(server).new()
    with ConsentServer() as provider:
        provider.redirects.add(server.url + BACK)
        uses(user, provider, user.ok("POST", PATH, agreed(user, provider))["parameters"])


def test_a_user_reaches_no_private_address(people, provider):
    user = people.new()
    for url, part in ((provider.url, "https://"), (f"https://127.0.0.1:{provider.port}", "public"), ("https://localhost", "public")):
        body = {"provider": provider.type, "parameters": {**provider.parameters(), "token_url": f"{url}/token",
                                                          "auth_url": "https://a.example/auth", "endpoint": "https://a.example/api"}}
        assert part in user.fails("malformed", "POST", PATH, body)
    assert provider.asked == []


@pytest.fixture
def people_of_a_named_machine(build_server, tmp_path):
    """The server finds its own machine by a name that does not say so."""
    hosts = tmp_path / "hosts"
    hosts.write_text("127.0.0.1 localhost\n127.0.0.1 provider.example\n")
    server = build_server()
    server.in_front = (*own_mounts(), "sh", "-c", 'mount -n --bind "$1" /etc/hosts && shift && exec "$@"', "sh", str(hosts))
    server.start()
    try:
        yield People(server)
    finally:
        server.stop()


def test_a_name_that_leads_to_a_private_address_is_not_connected_to(people_of_a_named_machine, provider):
    def asked(person):
        parameters = {"client_id": "c", "token_url": f"https://provider.example:{provider.port}/token", "auth_url": "https://a.example/auth"}
        begun = person.ok("POST", PATH, {"provider": provider.type, "parameters": parameters})
        state = begun["address"].partition("&state=")[2].partition("&")[0]
        return person.fails("unavailable", "POST", PATH, {"login": begun["login"], "code": "x", "state": state})

    assert "not allowed" in asked(people_of_a_named_machine.new())
    # Who may reach it finds it by that name, and a server that has no TLS.
    assert "not allowed" not in asked(people_of_a_named_machine.new("admin"))


@pytest.mark.parametrize("provider_type, parameters", [
    ("drive", {}), ("drive", {"client_secret": "hush-7up"}), ("pcloud", {"client_id": "c", "client_secret": "hush-7up"}), ("putio", {})])
def test_without_a_client_or_a_way_back_the_command_is_left(people, provider_type, parameters):
    begun = people.new().ok("POST", PATH, {"provider": provider_type, "parameters": parameters})
    assert begun["address"] is None and begun["login"] is None and begun["expiresAt"] is None and begun["parameters"] is None
    command, told = begun["command"].rsplit(" ", 1)
    assert command == f'rclone authorize "{provider_type}"'
    told = json.loads(base64.b64decode(told.strip('"') + "=="))
    assert told == {name: value for name, value in parameters.items() if name != "client_secret"}
    assert (begun["secretVariable"] is not None) == ("client_secret" in parameters)


@pytest.mark.parametrize("name, scope, words", [
    ("drive", "https%3A%2F%2Fwww.googleapis.com%2Fauth%2Fdrive", ("access_type=offline", "prompt=consent")),
    ("dropbox", "files.content.read", ("token_access_type=offline",)),
    ("onedrive", "offline_access", ()), ("box", "", ()), ("yandex", "", ())])
def test_providers_are_asked_at_their_own_addresses(people, name, scope, words):
    begun = people.new().ok("POST", PATH, {"provider": name, "parameters": {"client_id": "mine"}})
    address, _, query = begun["address"].partition("?")
    fields = query.split("&")
    assert address.startswith("https://") and "client_id=mine" in fields and "code_challenge_method=S256" in fields
    assert "response_type=code" in fields and set(words) <= set(fields)
    assert any(field.startswith("scope=") and scope in field for field in fields) == (scope != "")


def test_what_cannot_be_is_told(admin):
    for body, part in (({"provider": "nonsense"}, "take one of"), ({"provider": "webdav", "parameters": {"url": "https://a.example"}}, "parameters instead"),
                       ({"provider": "drive", "parameters": {"env_auth": "true"}}, "env_auth"), ({}, "provider"),
                       ({"provider": "zoho", "parameters": {"client_id": "c"}}, "region"), ({"code": "x"}, "login, state and code"),
                       ({"login": "x", "state": "y", "code": "z", "provider": "drive"}, "no other"), ({"nothing": 1}, "nothing")):
        assert part in admin.fails("malformed", "POST", PATH, body), body
    admin.fails("not_found", "POST", PATH, {"id": "none"})


def test_a_login_is_good_for_its_account_its_state_and_once(people, admin, provider):
    answer = agreed(admin, provider)
    other = people.new("admin")
    assert "Another account" in other.fails("malformed", "POST", PATH, answer)
    for member, value in (("state", agreed(admin, provider)["state"]), ("state", "x"), ("login", answer["login"][:-8] + "AAAAAAA="),
                          ("login", "x"), ("login", agreed(admin, provider)["login"])):
        assert "begin it again" in admin.fails("malformed", "POST", PATH, {**answer, member: value})
    assert provider.asked == []
    assert "refuses the code" in admin.fails("malformed", "POST", PATH, {**answer, "code": "another"})
    admin.ok("POST", PATH, answer)
    assert "again" in admin.fails("malformed", "POST", PATH, answer)


def test_a_code_of_another_login_is_refused_by_its_verifier(admin, provider):
    one, other = agreed(admin, provider), agreed(admin, provider)
    assert "refuses the code" in admin.fails("malformed", "POST", PATH, {**one, "code": other["code"]})


def test_what_an_administrator_began_is_not_ended_without_that_right(people, admin, provider):
    boss = people.new("admin")
    answer = agreed(boss, provider)
    admin.ok("PATCH", f"admin/accounts/{boss.name}", {"role": "user"})
    boss.sign_in(boss.name)
    assert "administrator" in boss.fails("malformed", "POST", PATH, answer)
    assert provider.asked == []


def test_a_client_that_is_refused_is_told(admin, provider):
    begun = begin(admin, provider, client_secret="wrong-secret")
    _, sent_back = provider.consent(begun["address"])
    answer = {"login": begun["login"], **sent_back}
    message = admin.fails("malformed", "POST", PATH, answer)
    assert "client_secret" in message and "wrong-secret" not in message


def html(handler):
    handler.answer(200, b"<html>hush-7up</html>", "text/html")


def moved(handler):
    handler.answer(307, b"{}", "application/json", ("Location", f"{handler.outer.url}/elsewhere"))


def broken(handler):
    handler.answer(500, b'{"access_token":"hush-7up"}', "application/json")


def huge(handler):
    handler.answer(200, b'{"access_token":"' + b"x" * 1_000_000 + b'"}', "application/json")


def hung_up(handler):
    handler.close_connection = True
    handler.connection.close()


def short_lived(handler):
    handler.say(200, {"access_token": "hush-7up", "expires_in": 3600})


def odd(handler):
    handler.say(200, {"access_token": {"hush-7up": 1}, "expires_in": []})


@pytest.mark.parametrize("instead", [html, moved, broken, huge, hung_up, short_lived, odd])
def test_a_provider_that_misbehaves_is_told_in_own_words(admin, provider, instead):
    answer = agreed(admin, provider)
    provider.instead = instead
    message = admin.fails("unavailable", "POST", PATH, answer)
    assert "hush-7up" not in message and "rovider" in message
    assert len(provider.asked) == 1
    admin.ok("GET", "connectors")


def test_a_provider_that_is_gone_is_told(admin, server):
    with ConsentServer() as provider:
        provider.redirects.add(server.url + BACK)
        answer = agreed(admin, provider)
    assert "cannot be reached" in admin.fails("unavailable", "POST", PATH, answer)


def test_a_provider_that_says_nothing_holds_up_nobody(own_server):
    server = own_server(stop_timeout_ms=1000)
    admin = People(server).new("admin")
    with ConsentServer() as provider:
        provider.redirects.add(server.url + BACK)
        answers = [agreed(admin, provider) for _ in range(6)]
        waits, ends = hold_up(provider)
        calls = [Call(lambda answer=answer: admin.call("POST", PATH, answer)) for answer in answers]
        try:
            eventually(lambda: waits.is_set() and len(provider.asked) == 6, "the provider to be asked")
            other = People(server).new()
            other.v1().make_folder("", "docs").ok()
            server.stop()
        finally:
            ends.set()
        for call in calls:
            try:
                assert call.result().status_code in (502, 503, 504)
            except requests.exceptions.ConnectionError:
                pass  # It was cut off by the end.


@pytest.mark.parametrize("is_trusted", [True, False], ids=["trusted", "not trusted"])
def test_a_certificate_is_checked(build_server, tmp_path, is_trusted):
    made = certificate(tmp_path)
    server = build_server()
    server.in_front = ("env", f"SSL_CERT_FILE={made[0]}") if is_trusted else ()
    server.start()
    try:
        admin = People(server).new("admin")
        with ConsentServer(made) as provider:
            provider.redirects.add(server.url + BACK)
            answer = agreed(admin, provider)
            if is_trusted:
                token = admin.ok("POST", PATH, answer)["parameters"]["token"]
                assert json.loads(token)["access_token"].startswith(provider.ACCESS)
            else:
                assert "certificate" in admin.fails("unavailable", "POST", PATH, answer)
                assert provider.asked == []
    finally:
        server.stop()


def test_people_are_sent_back_to_this_server_alone(people, admin):
    body = {"provider": "drive", "parameters": {"client_id": "c"}}
    host = admin.server.url.partition("://")[2]
    own = admin.ok("POST", PATH, body, headers={"Origin": f"https://{host}"})
    assert own["redirect"] == f"https://{host}{BACK}"
    admin.fails("forbidden", "POST", PATH, body, headers={"Origin": "https://elsewhere.example"})
    key = admin.server.create_key(admin.name)["key"]
    by_key = Person(admin.server, key=key)
    for origin in ("https://elsewhere.example", "null", f"ftp://{host}", f"https://{host}.elsewhere.example"):
        assert by_key.ok("POST", PATH, body, headers={"Origin": origin})["redirect"] == admin.server.url + BACK
    assert by_key.ok("POST", PATH, body)["redirect"] == admin.server.url + BACK


def test_a_drive_that_is_there_is_logged_in_to_again(admin, provider):
    made = uses(admin, provider, admin.ok("POST", PATH, agreed(admin, provider))["parameters"])
    place = f"__conn_{made['id']}"
    provider.lock_out()
    begun = admin.ok("POST", PATH, {"id": made["id"]})
    in_none_of(HIDDEN, json.dumps(begun))
    _, sent_back = provider.consent(begun["address"])
    found = admin.ok("POST", PATH, {"login": begun["login"], **sent_back})["parameters"]
    admin.ok("PATCH", f"connectors/{made['id']}", {"parameters": found})
    assert admin.v1().names(place) == [provider.NAME]
    # Its secrets go nowhere else.
    elsewhere = {"id": made["id"], "parameters": {"token_url": "http://127.0.0.1:1/token"}}
    assert "said again" in admin.fails("malformed", "POST", PATH, elsewhere)
    other = Person(admin.server, key=admin.server.create_key(People(admin.server).new("admin").name)["key"])
    other.fails("not_found", "POST", PATH, {"id": made["id"]})


def test_codes_tokens_and_secrets_are_told_nowhere(own_server):
    server = own_server(log_level="debug", access_log=True)
    admin = People(server).new("admin")
    with ConsentServer() as provider:
        provider.redirects.add(server.url + BACK)
        answer = agreed(admin, provider)
        refused = admin.call("POST", PATH, {**answer, "state": "x"})
        ended = admin.call("POST", PATH, answer)
        again = admin.call("POST", PATH, answer)
        page = requests.get(f"{server.url}{BACK}", params={"code": answer["code"], "state": answer["state"]}, timeout=PATIENCE_S)
    assert (refused.status_code, ended.status_code, again.status_code) == (400, 200, 400)
    words = (*HIDDEN, *provider.codes, answer["state"], answer["login"])
    in_none_of(words, refused.text, again.text, page.text, server.log())
    eventually(lambda: f"GET {BACK}?" in server.log(), "the page to be logged")
    in_none_of(words, server.log(), json.dumps(admin.ok("GET", "admin/audit")))
