"""Signed addresses of one file's content: what they open, and when they end."""


import pytest
import requests

from people import PASSWORD, Person
from places import KINDS, one_of_each
from server import PATIENCE_S, eventually


@pytest.fixture(scope="module")
def places(build_server, description):
    with one_of_each(build_server, description) as made:
        yield made


@pytest.fixture
def key(places):
    return places.server.create_key(places.account)


@pytest.fixture
def person(places, key):
    return Person(places.server, key=key["key"])


@pytest.fixture
def file(places):
    name = places.server.new_name("film")
    places.client.put(name, b"the content")
    return name


def address_of(person, path, **more):
    made = person.ok("POST", "files/content-address", {"path": path, **more}, status=201)
    person.server.secrets.add(made["address"].rpartition("/")[2])
    return made["address"]


def get(person, address, method="GET", **headers):
    return requests.request(method, person.server.url + address, headers=headers, timeout=PATIENCE_S)


@pytest.mark.parametrize("kind", KINDS)
def test_an_address_reads_its_file_without_any_header(places, person, kind):
    name = places.server.new_name("film")
    places[kind].plant({name: bytes(range(256)) * 40})
    path = places[kind].at(name)
    address = address_of(person, path)
    whole = get(person, address)
    assert whole.status_code == 200 and whole.content == bytes(range(256)) * 40
    assert whole.headers["Content-Disposition"].startswith("attachment;") and "sandbox" in whole.headers["Content-Security-Policy"]
    part = get(person, address, Range="bytes=255-257")
    assert part.status_code == 206 and part.content == b"\xff\x00\x01"
    assert get(person, address, "HEAD").headers["Content-Length"] == "10240"
    assert get(person, address_of(person, path, disposition="inline")).headers["Content-Disposition"].startswith("inline;")
    for method in ("PUT", "POST", "DELETE", "PATCH"):
        assert get(person, address, method).status_code == 405


def test_an_address_expires(person, file):
    address = address_of(person, file, expiresInSeconds=2)
    assert get(person, address).status_code == 200
    eventually(lambda: get(person, address).status_code == 404, "the address to expire")


def test_what_is_no_address_opens_nothing(person, file):
    address = address_of(person, file)
    for changed in (address[:-1], address + "A", address[:-9] + "AAAA" + address[-5:], "/api/v2/content/AAAA",
                    "/api/v2/content/" + "A" * 8000):
        answer = get(person, changed)
        assert answer.status_code in (404, 431) and answer.headers["Content-Type"] == "application/problem+json"
    assert get(person, address).content == b"the content"


def test_what_cannot_be_an_address_is_refused(person, places, file):
    places.client.make_folder("", "a folder").ok()
    for body in ({"path": "a folder"}, {"path": ""}, {}, {"path": file, "expiresInSeconds": 0},
                 {"path": file, "expiresInSeconds": 3601}, {"path": file, "expiresInSeconds": "60"},
                 {"path": file, "disposition": "shown"}, {"path": file, "more": 1}):
        person.fails("malformed", "POST", "files/content-address", body)
    person.fails("not_found", "POST", "files/content-address", {"path": "none"})


def revoked(places, key):
    places.server.cli("key", "revoke", "--account", places.account, key["id"])


def disabled(places, key):
    places.server.cli("account", "disable", places.account)
    return lambda: places.server.cli("account", "enable", places.account)


def deleted(places, key):
    places.client.delete("docs/film").ok()


def renamed(places, key):
    places.client.rename("docs", "other").ok()
    return lambda: places.client.rename("other", "docs").ok()


@pytest.mark.parametrize("end", [revoked, disabled, deleted, renamed])
@pytest.mark.parametrize("limited", [False, True], ids=["full reach", "limited"])
def test_an_address_ends_with_the_right_of_who_asked(places, end, limited):
    places.client.make_folder("", "docs")
    places.client.put("docs/film", b"the content")
    key = places.server.create_key(places.account, "docs" if limited else None)
    asking = Person(places.server, key=key["key"])
    address = address_of(asking, "film" if limited else "docs/film")
    assert get(asking, address).content == b"the content"
    undo = end(places, key)
    answer = get(asking, address)
    if undo:
        undo()
    assert answer.status_code == 404 and b"the content" not in answer.content


def test_a_share_that_is_withdrawn_takes_its_addresses_along(places, person):
    places["shared"].plant({"film": b"shared content"})
    address = address_of(person, places["shared"].at("film"))
    assert get(person, address).content == b"shared content"
    share = places["shared"].path.removeprefix("__adm_")
    other = places.server.add_account()
    places.server.cli("share", "set", share, "--account", other, "--no-account", places.account)
    try:
        assert get(person, address).status_code == 404
    finally:
        places.server.cli("share", "set", share, "--account", places.account)


def test_an_address_of_a_session_ends_with_it(places):
    name = places.server.new_name("person")
    places.server.add_account(name, password=PASSWORD)
    browser = Person(places.server)
    browser.sign_in(name)
    browser.put("film", b"mine")
    address = address_of(browser, "film")
    assert get(browser, address).content == b"mine"
    browser.ok("DELETE", "session")
    assert get(browser, address).status_code == 404


def test_no_log_holds_an_address(places, person, file):
    address = address_of(person, file)
    get(person, address)
    get(person, address + "x")
    eventually(lambda: places.server.log().count("GET /api/v2/content/{address} ") >= 2, "the requests to be logged")
    assert address.rpartition("/")[2] not in places.server.log()


def test_a_reader_may_make_an_address_and_no_more_than_read(places, file):
    name = places.server.new_name("person")
    places.server.add_account(name, password=PASSWORD)
    owner = Person(places.server)
    owner.sign_in(name)
    owner.put("film", b"mine")
    made = owner.ok("POST", "keys", {"name": "reader", "access": "read"}, status=201)
    places.server.secrets.add(made["secret"])
    reader = Person(places.server, key=made["secret"])
    assert get(reader, address_of(reader, "film")).content == b"mine"
    assert reader.put("film", b"other").status_code == 403


def test_a_page_of_another_site_may_play_it(person, file):
    """Whether it sees the bytes is for CORS to say."""
    answer = get(person, address_of(person, file), Origin="https://elsewhere.example")
    assert answer.content == b"the content" and "Access-Control-Allow-Origin" not in answer.headers


@pytest.mark.parametrize("kind", KINDS)
def test_an_address_is_of_that_content_alone(places, person, kind):
    """Another file under the same name is another content."""
    path = places[kind].at("of-that-content")
    places.client.put(path, b"first")
    address = address_of(person, path)
    assert get(person, address).content == b"first"
    places.client.put(path, b"another one")
    assert get(person, address).status_code == 404
    assert get(person, address_of(person, path)).content == b"another one"
