"""Coffer below a path of a proxy: the setting base_path, through nginx with the lines of the guide."""

import re
import urllib.parse

import pytest
import requests

from consent_server import ConsentServer
from nginx import Nginx
from people import PASSWORD, Person
from server import PATIENCE_S, run
from test_people_authorize import BACK, begin
from tus import BYTES, VERSION, encoded

API = "/coffer/api/v2/"


@pytest.fixture(scope="module")
def scene(build_server, tmp_path_factory):
    server = build_server(base_path="/coffer", trusted_proxies=["127.0.0.1"]).start()
    proxy = Nginx(tmp_path_factory.mktemp("nginx") / "it", server)
    yield server, proxy
    proxy.stop()
    server.stop()


@pytest.fixture
def proxy(scene):
    return scene[1]


@pytest.fixture
def person(scene):
    server, proxy = scene
    person = Person(proxy)
    person.sign_in(server.add_account(role="admin", password=PASSWORD))
    return person


def fetch(proxy, address, **headers):
    """An address as a browser has it, without a session."""
    return requests.get(urllib.parse.urljoin(proxy.url + "/", address), headers=headers, timeout=PATIENCE_S, allow_redirects=False)


def below(answer, name="Location"):
    """The header, which leads below the path."""
    assert answer.headers[name].startswith(API), answer.headers
    return answer.headers[name]


def test_files_come_and_go(proxy, person):
    made = person.put("a b.txt", b"one")
    assert made.status_code == 201
    assert person.http.get(proxy.origin + below(made)).content == b"one"
    assert person.page() == (["a b.txt"], None)
    sent = {**VERSION, "Upload-Length": "3", "Upload-Metadata": encoded(filename="b.txt")}
    upload = person.call("POST", "uploads", raw=b"", headers=sent)
    assert upload.status_code == 201
    place = below(upload).removeprefix(API)
    sent = {**VERSION, "Upload-Offset": "0", "Content-Type": BYTES}
    assert person.call("PATCH", place, raw=b"two", headers=sent).status_code == 204
    assert person.content("b.txt").content == b"two"
    assert below(person.call("POST", "folders", {"path": "to"}))
    assert below(person.call("POST", "tasks", {"kind": "copy", "sources": ["b.txt"], "destination": "to"}))
    address = person.ok("POST", "files/content-address", {"path": "b.txt"}, status=201)["address"]
    assert address.startswith(API + "content/") and fetch(proxy, address).content == b"two"


def test_the_cookies_are_for_the_path(scene, proxy):
    server, _ = scene
    name = server.add_account(password=PASSWORD)
    for scheme, mark in (("http", ""), ("https", "__Secure-")):
        person = Person(server, headers={"X-Forwarded-Proto": scheme})
        answer = person.call("POST", "session", {"userName": name, "password": PASSWORD})
        cookies = answer.raw.headers.getlist("Set-Cookie")
        assert [cookie.split("=")[0] for cookie in cookies] == [mark + "coffer_session", mark + "coffer_device"]
        assert all("; Path=/coffer/;" in cookie for cookie in cookies)
        again = Person(server, headers={"X-Forwarded-Proto": scheme, "Cookie": cookies[0].split(";")[0]})
        assert again.ok("GET", "session")["account"]["userName"] == name


def test_a_guest_comes_in(proxy, person):
    assert person.put("shared.txt", b"for all").status_code in (201, 204)
    link = person.ok("POST", "links", {"path": "shared.txt", "password": PASSWORD}, status=201)
    page = fetch(proxy, f"/coffer/s/{link['token']}", Accept="text/html")
    assert page.status_code == 200 and page.headers["Content-Type"].startswith("text/html")
    guest = Person(proxy)
    base = f"guest/{link['token']}"
    answer = guest.call("POST", base + "/session", {"password": PASSWORD})
    assert f"; Path=/coffer/api/v2/{base};" in answer.headers["Set-Cookie"]
    assert guest.call("GET", base + "/content?path=").content == b"for all"


def test_the_interface_and_its_parts(proxy):
    page = fetch(proxy, "files/a/folder", Accept="text/html")
    parts = re.findall(r'(?:src|href)="([^"]+)"', page.text)
    assert parts, "the program was built without its interface"
    for part in parts:
        assert part.startswith("/coffer/") and fetch(proxy, part).status_code == 200, part
    manifest = fetch(proxy, "manifest.webmanifest")
    members = manifest.json()
    for address in (members["start_url"], members["scope"], members["share_target"]["action"], members["icons"][0]["src"]):
        assert urllib.parse.urljoin(manifest.url, address).startswith(proxy.url + "/"), address
    assert fetch(proxy, "service-worker.js").status_code == 200
    # An error that a person sees is a page of the same kind.
    wrong = fetch(proxy, API + "nothing", Accept="text/html")
    assert wrong.status_code == 404 and 'src="/coffer/assets/' in wrong.text
    assert fetch(proxy, "/coffer").headers["Location"].endswith("/coffer/")


def test_the_descriptions_name_it(proxy):
    for address in ("api/openapi.json", "api/v2/openapi.json"):
        assert fetch(proxy, address).json()["servers"] == [{"url": "/coffer"}]
    assert fetch(proxy, "api/docs", Accept="text/html").status_code == 200


def test_a_provider_sends_people_back_to_it(proxy, person):
    with ConsentServer() as provider:
        provider.redirects.add(proxy.url + BACK)
        assert begin(person, provider)["redirect"] == proxy.url + BACK


def test_the_link_for_set_up_has_it(own_server):
    server = own_server(base_path="/a/b")
    assert (server.data / "setup-link").read_text().startswith(f"{server.url}/a/b/set-up#")


def test_the_server_itself_takes_both(scene):
    server, _ = scene
    for path in ("/coffer/health/live", "/health/live"):
        assert requests.get(server.url + path, timeout=PATIENCE_S).status_code == 200
    bare = requests.get(server.url + "/coffer", timeout=PATIENCE_S, allow_redirects=False)
    assert bare.status_code == 308 and bare.headers["Location"] == "/coffer/"


def test_a_wrong_value_is_one_line(tmp_path):
    ended = run("serve", "--data", tmp_path / "data", environment={"COFFER_BASE_PATH": "/coffer/"})
    assert ended.returncode == 1 and ended.stdout == ""
    assert ended.stderr == ("coffer: The environment: COFFER_BASE_PATH must be empty or a path such as /coffer, of letters, "
                            'digits, - and _, without a slash at its end, not "/coffer/".\n')
