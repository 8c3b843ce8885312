"""A proxy in front of the server says who people are: a real nginx with the lines of the guide, and headers that lie."""

import contextlib
import http.client
import json
import re
import urllib.parse

import pytest
import requests

from client import TIMEOUT_S
from dav import Dav
from nginx import Nginx
from people import PASSWORD, Person
from server import REPOSITORY, run
from small_server import Answers, SmallServer

GUIDE = (REPOSITORY / "docs/guide/operation.md").read_text()
LINES = re.search(r"^```\n(location = /authenticate .*?)^```$", GUIDE, re.S | re.M)[1]
SETTINGS = {"trusted_proxies": ["127.0.0.1"], "proxy_user_header": "X-Remote-User", "proxy_groups_header": "X-Remote-Groups"}
ELSEWHERE = "127.0.0.2"  # An address that is no trusted proxy's.


class _Verifies(Answers):
    def do_GET(self):
        """People show `as=NAME` in a cookie here, and who is nobody is refused."""
        asked = re.search(r"as=([^;]*)", self.headers.get("Cookie") or "")
        self.outer.asked.append(self.headers["X-Original-URI"])
        groups = self.outer.groups
        named = [] if asked is None else [("Remote-User", urllib.parse.unquote(asked[1]))]
        if groups is not None:
            named.append(("Remote-Groups", groups))
        self.answer(200 if asked else 401, b"", "text/plain", *named)


class Verifier(SmallServer):
    """The program that knows who people are."""

    answers = _Verifies

    def __init__(self):
        super().__init__()
        self.asked, self.groups = [], None


class SigningNginx(Nginx):
    """With the lines of the guide, at the top of its address."""

    def __init__(self, folder, server, verifier):
        self.lines = LINES.replace("127.0.0.1:9091", f"127.0.0.1:{verifier.port}")
        super().__init__(folder, server)

    @property
    def url(self):
        return self.origin


@pytest.fixture
def verifier():
    with Verifier() as made:
        yield made


@pytest.fixture
def behind(own_server, verifier, tmp_path):
    """A server with an administrator, and the nginx in front of it."""
    fronts = []

    def start(**settings):
        server = own_server(**{**SETTINGS, **settings})
        server.add_account("root-account", role="admin", password=PASSWORD)
        fronts.append(SigningNginx(tmp_path / f"nginx-{len(fronts)}", server, verifier))
        return server, fronts[-1]

    yield start
    for front in fronts:
        front.stop()


def browser(front, name):
    """Of a person who is `name` at the proxy; nobody, if it is None."""
    person = Person(front)
    if name is not None:
        person.http.cookies.set("as", urllib.parse.quote(name))
    return person


def signed_in(front, name):
    person = browser(front, name)
    session = person.ok("POST", "session/proxy", {})
    person.csrf = session["csrfToken"]
    front.secrets.add(person.csrf)
    front.secrets.update(value for cookie, value in person.http.cookies.items() if cookie != "as")
    return person


def refusals(server):
    return [one["details"] for one in server.ask("GET", "admin/audit?event=session.refused")["entries"]]


def direct(server, *headers, method="POST", path="/api/v2/session/proxy", body=b"{}", kind="application/json", address=None):
    """The answer to a request past the nginx, from this machine's address, which is trusted, or from another one: its status, text
    and cookies."""
    source = (address, 0) if address else None
    with contextlib.closing(http.client.HTTPConnection("127.0.0.1", server.port, TIMEOUT_S, source_address=source)) as connection:
        connection.putrequest(method, path)
        for name, value in (*headers, ("Content-Type", kind), ("Content-Length", str(len(body)))):
            connection.putheader(name, value)
        connection.endheaders(body)
        answer = connection.getresponse()
        return answer.status, answer.read().decode(), answer.headers.get_all("Set-Cookie", [])


def user(name):
    return "X-Remote-User", name


def test_people_whom_the_proxy_names_have_sessions_of_their_own(behind):
    server, front = behind()
    assert browser(front, None).ok("GET", "session/methods")["proxy"] is True
    ann = signed_in(front, "Ann@example.org")
    assert ann.ok("GET", "account")["userName"] == "ann"
    assert [one["method"] for one in ann.ok("GET", "sessions")] == ["proxy"]
    # After that the header is not looked at: the session is what counts.
    ann.http.cookies.set("as", "bob")
    assert ann.ok("GET", "account")["userName"] == "ann"
    ann.v1().put("kept.txt", b"kept")
    assert signed_in(front, "Ann@example.org").v1().names() == ["kept.txt"]
    assert signed_in(front, "bob").ok("GET", "account")["userName"] == "bob"
    ann.ok("DELETE", "session")
    ann.fails("unauthenticated", "GET", "account")


def test_links_keys_and_dav_pass_without_the_proxys_sign_in(behind, verifier):
    server, front = behind()
    ann = signed_in(front, "ann")
    ann.v1().put("shown.txt", b"shown")
    key = ann.ok("POST", "keys", {"name": "program", "access": "full"}, 201)["secret"]
    link = ann.ok("POST", "links", {"path": "shown.txt", "mode": "read"}, 201)
    front.secrets.update((key, link["token"]))
    verifier.asked.clear()
    nobody = requests.Session()
    nobody.trust_env = False
    assert nobody.get(f"{front.url}/s/{link['token']}", timeout=TIMEOUT_S).status_code == 200
    guest = nobody.get(f"{front.url}/api/v2/guest/{link['token']}/content", timeout=TIMEOUT_S)
    assert guest.content == b"shown", guest.text
    assert nobody.get(f"{front.url}/api/v1/files", headers={"X-API-Key": key}, timeout=TIMEOUT_S).status_code == 200
    Dav(front, "ann", key).propfind("", "0").is_(207)
    assert verifier.asked == []
    # What a client says itself is removed on the way, and the page of the sign-in takes the proxy's sign-in.
    lying = {"X-Remote-User": "root-account"}
    assert nobody.get(f"{front.url}/api/v1/files", headers={"X-API-Key": key, **lying}, timeout=TIMEOUT_S).status_code == 200
    assert nobody.get(f"{front.url}/sign-in", headers=lying, timeout=TIMEOUT_S).status_code == 401
    assert nobody.post(f"{front.url}/api/v2/session/proxy", json={}, headers=lying, timeout=TIMEOUT_S).status_code == 401
    answer = requests.post(f"{front.url}/api/v2/session/proxy", json={}, headers=lying, cookies={"as": "ann"}, timeout=TIMEOUT_S)
    assert answer.json()["account"]["userName"] == "ann"


def test_the_header_of_anybody_else_is_refused_everywhere(behind):
    server, _ = behind()
    for method, path in (("POST", "/api/v2/session/proxy"), ("GET", "/api/v1/files"), ("GET", "/api/v2/session/methods"), ("GET", "/"),
                         ("GET", "/s/any"), ("PROPFIND", "/dav/"), ("GET", "/health/live"), ("OPTIONS", "/api/v2/files")):
        for header in ("X-Remote-User", "x-remote-groups"):
            status, text, _ = direct(server, (header, "root-account"), method=method, path=path, address=ELSEWHERE)
            assert status == 400 and "trusted_proxies" in text, (method, path, header, status, text)
        assert direct(server, method=method, path=path, address=ELSEWHERE)[0] != 400, (method, path)
    assert json.loads(direct(server, method="GET", path="/api/v2/session/methods", address=ELSEWHERE)[1])["proxy"] is False
    status, _, cookies = direct(server, address=ELSEWHERE)
    assert status == 401 and not cookies


def test_what_is_no_name_signs_nobody_in(behind):
    server, _ = behind()
    refused = ["", "ann,root", "ann, root", "a" * 256, "a\tb", b"\xff\xfe"]
    for name in refused:
        status, _, cookies = direct(server, user(name))
        assert status == 400 and not cookies, name
    assert direct(server, user("ann"), ("X-Remote-Groups", "g" * 257))[0] == 400
    assert len(refusals(server)) == len(refused) + 1
    # One of the proxy, and one of a client that the proxy let pass.
    assert direct(server, user("ann"), user("root"))[0] == 400
    groups = "X-Remote-Groups", "staff"
    assert direct(server, user("ann"), groups, groups)[0] == 400
    assert direct(server)[0] == 401
    assert {one["username"] for one in server.cli_json("account", "list")} == {"root-account"}
    assert direct(server, user("ann"), groups)[0] == 200


def test_pages_of_others_open_no_session(behind):
    server, _ = behind()
    assert direct(server, user("ann"), ("Origin", "https://elsewhere.example"))[0] == 403
    assert direct(server, user("ann"), ("Origin", "null"))[0] == 403
    assert direct(server, user("ann"), kind="application/x-www-form-urlencoded")[0] == 400
    assert direct(server, user("ann"), kind="text/plain")[0] == 400
    assert direct(server, user("ann"), method="GET", body=b"")[0] == 405
    assert direct(server, user("ann"), ("Origin", server.url))[0] == 200


def test_names_are_linked_by_an_administrator_alone(behind):
    server, front = behind(proxy_create_accounts=False)
    server.add_account("ann", password=PASSWORD)
    browser(front, "ann").fails("forbidden", "POST", "session/proxy", {})
    server.cli("account", "link", "ann", "proxy", "ann")
    ann = signed_in(front, "ann")
    assert ann.ok("GET", "account")["userName"] == "ann"
    browser(front, "ANN").fails("forbidden", "POST", "session/proxy", {})
    server.cli("account", "disable", "ann")
    browser(front, "ann").fails("forbidden", "POST", "session/proxy", {})
    ann.fails("unauthenticated", "GET", "account")


def test_groups_give_access_and_roles(behind, verifier):
    server, front = behind(proxy_allowed_groups=["staff"], proxy_admin_groups=["admins"])
    for groups in (None, "", "guests, staff people"):
        verifier.groups = groups
        browser(front, "ann").fails("forbidden", "POST", "session/proxy", {})
    noted = server.ask("GET", "admin/audit?event=session.refused")["entries"]
    assert {one["subject"] for one in noted} == {"ann"}  # So that an administrator finds it.
    verifier.groups = "guests, staff , admins"
    assert signed_in(front, "ann").ok("GET", "account")["role"] == "admin"
    verifier.groups = "staff"
    assert signed_in(front, "ann").ok("GET", "account")["role"] == "user"
    root = Person(server)
    root.sign_in("root-account")
    assert "The proxy gives" in root.fails("forbidden", "PATCH", "admin/accounts/ann", {"role": "admin"})


def test_the_proxy_confirms_its_own_people(behind):
    server, front = behind()
    ann = signed_in(front, "ann")
    ann.ok("POST", "session/proxy/confirm", {}, 204)
    ann.http.cookies.set("as", "bob")
    ann.fails("forbidden", "POST", "session/proxy/confirm", {})
    signed_in(front, "bob")
    ann.fails("forbidden", "POST", "session/proxy/confirm", {})
    root = Person(front)
    root.sign_in("root-account")
    root.http.cookies.set("as", "ann")
    root.fails("forbidden", "POST", "session/proxy/confirm", {})


def test_a_server_that_could_not_tell_proxies_does_not_start(build_server):
    def complaint(**settings):
        server = build_server(**settings)
        ended = run("serve", "--data", server.data, "--listen", "127.0.0.1:0", "--config", server.write_settings())
        assert ended.returncode == 1
        return ended.stderr

    assert "trusted_proxies must name the proxy" in complaint(proxy_user_header="X-Remote-User")
    assert "proxy_user_header must be set" in complaint(proxy_groups_header="X-Remote-Groups", trusted_proxies=["127.0.0.1"])
    for name in ("cookie", "Host", "X-API-Key"):
        assert "that no client sends by itself" in complaint(proxy_user_header=name, trusted_proxies=["127.0.0.1"])
    assert "two headers" in complaint(proxy_user_header="X-A", proxy_groups_header="x-a", trusted_proxies=["127.0.0.1"])
    assert "a header's name" in complaint(proxy_user_header="X User", trusted_proxies=["127.0.0.1"])
