"""The bytes of one file in /api/v2: ranges, conditions, and new content that never takes the place of what nobody saw."""

import hashlib
import itertools
import os
import threading

import pytest

from people import Person
from places import KINDS, one_of_each
from raw import RawConnection, head
from server import eventually

LARGE = bytes(range(256)) * 5000
SIZES = {"empty": b"", "small": b"new content", "large": LARGE}


@pytest.fixture(scope="module")
def places(build_server, description):
    with one_of_each(build_server, description, quota="100MB") as made:
        yield made


@pytest.fixture
def person(places):
    key = places.server.create_key(places.account)["key"]
    return Person(places.server, key=key)


@pytest.fixture(params=KINDS)
def place(request, places):
    """An empty folder in one of each kind of place, its path, and what is in it now."""
    place = places[request.param]
    name = places.server.new_name("content")
    places.client.make_folder(place.path, name).ok()
    return place, place.at(name), lambda: place.everything(name)


@pytest.fixture
def own(places):
    name = places.server.new_name("content")
    places.client.make_folder("", name).ok()
    return name, places["own"].folder / name


def etag_of(person, path):
    answer = person.content(path, method="HEAD")
    assert answer.status_code == 200, answer.text
    return answer.headers["ETag"]


def test_content_is_read_with_ranges_and_conditions(person, place):
    at, path, _ = place
    at.plant({f"{path.split('/')[-1]}/page.html": b"<script>alert(1)</script>"})
    whole = person.content(f"{path}/page.html")
    assert whole.content == b"<script>alert(1)</script>" and whole.headers["Content-Disposition"].startswith("attachment;")
    shown = person.content(f"{path}/page.html", disposition="inline")
    assert shown.headers["Content-Disposition"].startswith("inline;") and shown.headers["Content-Type"] == "text/html"
    for answer in (whole, shown):
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert "sandbox" in answer.headers["Content-Security-Policy"].split("; ")
    at.plant({f"{path.split('/')[-1]}/{name}": b"alert(1)" for name in ("code.js", "code.mjs", "style.css")})
    for name in ("code.js", "code.mjs", "style.css"):  # With nosniff no page runs or applies them.
        assert person.content(f"{path}/{name}", disposition="inline").headers["Content-Type"] == "text/plain"
    part = person.content(f"{path}/page.html", {"Range": "bytes=1-6"})
    assert part.status_code == 206 and part.content == b"script" and "sandbox" in part.headers["Content-Security-Policy"]
    etag = whole.headers["ETag"]
    assert person.content(f"{path}/page.html", {"If-None-Match": etag}).status_code == 304
    assert person.content(f"{path}/page.html", {"If-Match": etag}).content == whole.content
    assert person.content(f"{path}/page.html", {"If-Match": '"other"'}).json()["code"] == "precondition_failed"
    assert person.content(f"{path}/page.html", {"Range": "bytes=99-"}).status_code == 416
    assert person.content(path).status_code == 400 and person.content(f"{path}/none").status_code == 404
    assert person.content(f"{path}/page.html", disposition="shown").status_code == 400


@pytest.mark.parametrize("content", SIZES.values(), ids=SIZES)
def test_content_is_stored_and_replaced(person, place, content):
    at, path, everything = place
    made = person.put(f"{path}/a file.txt", content)
    assert made.status_code == 201 and made.headers["Location"].endswith("/a%20file.txt")
    assert everything() == {"a file.txt": content}
    assert person.http.get(person.server.url + made.headers["Location"]).content == content
    replaced = person.put(f"{path}/a file.txt", content + b"!")
    assert replaced.status_code == 204 and "Location" not in replaced.headers
    assert everything() == {"a file.txt": content + b"!"}
    for answer in (made, replaced):
        assert ("ETag" in answer.headers) == (at.kind in ("own", "shared")), at.kind
    if "ETag" in replaced.headers:
        assert replaced.headers["ETag"] == etag_of(person, f"{path}/a file.txt")


@pytest.mark.parametrize("content", SIZES.values(), ids=SIZES)
def test_content_replaces_only_what_the_request_names(person, place, content):
    at, path, everything = place
    file = f"{path}/file"
    assert person.put(file, content, If_Match="*").status_code == 412 and everything() == {}
    assert person.put(file, b"first", If_None_Match="*").status_code == 201
    assert person.put(file, content, If_None_Match="*").json()["code"] == "precondition_failed"
    first = etag_of(person, file)
    assert person.put(file, content, If_None_Match=first).status_code == 412
    assert person.put(file, content, If_None_Match="W/" + first).status_code == 412
    assert person.put(file, content, If_Match='"other", "another"').status_code == 412
    assert person.put(file, content, If_Match="W/" + first).status_code == 412  # Weak ones never match (RFC 9110, 13.1.1).
    assert person.put(file, content, If_Unmodified_Since="Sat, 21 Nov 2015 06:14:09 GMT").status_code == 412
    assert everything() == {"file": b"first"}
    assert person.put(file, b"the second", If_Match=f'"other", {first}').status_code == 204
    stale = person.put(file, content, If_Match=first)
    assert stale.status_code == 412 and everything() == {"file": b"the second"}
    assert person.put(file, content, If_Match="*").status_code == 204 and everything() == {"file": content}
    assert person.put(file, b"third", If_None_Match=first).status_code == 204 and everything() == {"file": b"third"}


def test_a_folder_is_never_replaced(person, place, places):
    at, path, everything = place
    places.client.make_folder(path, "folder").ok()
    for conditions in ({}, {"If_Match": "*"}, {"If_None_Match": "*"}):
        answer = person.put(f"{path}/folder", b"x", **conditions)
        assert answer.json()["code"] == "name_taken", answer.text
    assert person.put(f"{path}/none/file", b"x").status_code == 404
    assert person.put(f"{path}/folder/..", b"x").status_code in (400, 403)
    eventually(lambda: everything() == {"folder": None}, "what was collected to be removed")


@pytest.mark.parametrize("rival", ["put", "upload", "host", "deleted", "renamed", "folder"])
def test_what_changes_while_the_content_comes_is_not_overwritten(person, place, places, rival):
    """The condition holds when the content is shown, not only when the request came."""
    at, path, everything = place
    person.put(f"{path}/file", b"seen by the writer")
    etag = etag_of(person, f"{path}/file")
    content = os.urandom(1 << 20) * 24  # More than the connection holds, so that the server reads when the rival comes.

    def body():
        yield content[:-1000]
        {"put": lambda: person.put(f"{path}/file", b"of a rival"),
         "upload": lambda: places.client.put(f"{path}/file", b"of a rival"),
         "host": lambda: at.plant({f"{path.split('/')[-1]}/file": b"of a rival"}),
         "deleted": lambda: places.client.delete(f"{path}/file").ok(),
         "renamed": lambda: places.client.rename(f"{path}/file", "elsewhere").ok(),
         "folder": lambda: (places.client.delete(f"{path}/file").ok(), places.client.make_folder(path, "file").ok())}[rival]()
        yield content[-1000:]

    answer = Person(places.server, headers=person.http.headers).put(f"{path}/file", body(), If_Match=etag)
    assert answer.status_code == (409 if rival == "folder" else 412), answer.text
    expected = {"deleted": {}, "renamed": {"elsewhere": b"seen by the writer"}, "folder": {"file": None}}
    eventually(lambda: everything() == expected.get(rival, {"file": b"of a rival"}), "what came to be removed")


@pytest.mark.parametrize("kind", ["own", "shared"])
def test_of_many_writers_one_wins_each_time(person, places, kind):
    """As editors do: read, change, write if nobody else did; each change is there in the end, once."""
    path = places[kind].at(places.server.new_name("counter"))
    assert person.put(path, b"0", If_None_Match="*").status_code == 201
    refused = itertools.count()

    def count():
        mine = Person(places.server, headers=person.http.headers)
        for _ in range(15):
            while True:
                now = mine.content(path)
                answer = mine.put(path, b"%d" % (int(now.content) + 1), If_Match=now.headers["ETag"])
                assert answer.status_code in (204, 412), answer.text
                if answer.status_code == 204:
                    break
                next(refused)

    threads = [threading.Thread(target=count) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert person.content(path).content == b"60"


@pytest.mark.parametrize("kind", ["own", "shared"])
def test_of_many_that_want_a_name_to_be_new_one_gets_it(person, places, kind):
    path, answers = places[kind].at(places.server.new_name("once")), []
    def write(number):
        mine = Person(places.server, headers=person.http.headers)
        answers.append((mine.put(path, b"%d" % number, If_None_Match="*").status_code, number))
    threads = [threading.Thread(target=write, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    winner, = [number for status, number in answers if status == 201]
    assert sorted(status for status, _ in answers) == [201] + [412] * 7
    assert person.content(path).content == b"%d" % winner


def test_a_link_is_seen_as_the_file_behind_it(person, own):
    name, folder = own
    (folder / "target").write_bytes(b"behind")
    (folder / "link").symlink_to("target")
    etag = etag_of(person, f"{name}/link")
    (folder / "target").write_bytes(b"behind, changed")
    assert person.put(f"{name}/link", b"new", If_Match=etag).status_code == 412
    assert person.put(f"{name}/link", b"new", If_Match=etag_of(person, f"{name}/link")).status_code == 204
    assert (folder / "target").read_bytes() == b"behind, changed" and (folder / "link").read_bytes() == b"new"


def test_a_part_or_another_form_of_a_file_does_not_pass_for_it(person, own):
    name, folder = own
    for headers in ({"Content_Range": "bytes 0-4/10"}, {"Content_Encoding": "gzip"}):
        answer = person.put(f"{name}/file", b"12345", **headers)
        assert answer.json()["code"] == "malformed" and os.listdir(folder) == []


@pytest.mark.parametrize("announced", [True, False], ids=["announced", "chunked"])
def test_content_over_the_quota_changes_nothing(person, places, own, announced):
    name, folder = own
    used = places.client.used()
    person.put(f"{name}/file", b"as it was")
    content = b"x" * 110_000_000
    answer = person.put(f"{name}/file", content if announced else iter([content]))
    assert answer.json()["code"] == "over_quota" and (folder / "file").read_bytes() == b"as it was"
    eventually(lambda: places.client.used() == used + 9, "what was reserved to be given back")


def test_a_connection_that_breaks_changes_nothing(person, places, own):
    name, folder = own
    person.put(f"{name}/file", b"as it was")
    key = person.http.headers["X-API-Key"]
    for framing in ("Content-Length: 1000", "Transfer-Encoding: chunked"):
        with RawConnection(places.server) as connection:
            connection.send(head("PUT", f"/api/v2/files/content?path={name}/file", framing, key=key))
            connection.send(b"x" * 500 if "Length" in framing else b"5\r\nxxxxx\r\n")
        assert (folder / "file").read_bytes() == b"as it was"
    person.put(f"{name}/other", b"y")
    assert sorted(os.listdir(folder)) == ["file", "other"]


def test_rights_that_go_while_the_content_comes_store_nothing(person, places, own):
    name, folder = own
    key = places.server.create_key(places.account)
    writer = Person(places.server, key=key["key"])

    def body():
        yield b"x" * 1000
        places.server.cli("key", "revoke", "--account", places.account, key["id"])
        yield b"y" * 1000

    assert writer.put(f"{name}/file", body()).status_code == 401 and os.listdir(folder) == []


def test_what_is_stored_counts(person, places, own):
    name, folder = own
    used = places.client.used()
    person.put(f"{name}/file", b"x" * 1000)
    assert places.client.used() == used + 1000
    person.put(f"{name}/file", b"x" * 300)
    assert places.client.used() == used + 300
    person.put(f"{name}/file", b"x" * 5000, If_Match='"other"')
    eventually(lambda: places.client.used() == used + 300, "what was reserved to be given back")


def test_a_large_file_goes_both_ways_unchanged(person, place):
    at, path, everything = place
    content = os.urandom(1 << 20) * 40
    assert person.put(f"{path}/large", iter([content[:1 << 20]] + [content[1 << 20:]])).status_code == 201
    got = person.content(f"{path}/large").content
    assert hashlib.sha256(got).digest() == hashlib.sha256(content).digest()
    assert person.content(f"{path}/large", {"Range": "bytes=20971520-20971529"}).content == content[20971520:20971530]
