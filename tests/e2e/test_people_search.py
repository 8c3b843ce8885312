"""Names looked for in /api/v2: in every kind of place, with every term, by everyone who may, line by line."""

import json
import os
import urllib.parse

import jsonschema
import pytest

from driving import kinds
from people import PASSWORD, Person
from places import KINDS
from raw import RawConnection
from server import eventually

OLD_S, NEW_S = 1_500_000_000, 1_700_000_000


def query(q, **terms):
    return "search?" + urllib.parse.urlencode({"q": q, **terms})


def lines_of(person, q, **terms):
    """What was found, and how it ended; each line is held against the description."""
    answer = person.call("GET", query(q, **terms))
    assert answer.status_code == 200, answer.text
    lines = [json.loads(line) for line in answer.text.splitlines()]
    described = person.description.response("GET", "/api/v2/search", 200)["content"]["application/x-ndjson"]
    validator = jsonschema.Draft202012Validator(described["schema"], resolver=person.description.resolver)
    for line in lines[:50] + lines[-1:]:
        assert not list(validator.iter_errors(line)), line
    *items, end = lines
    assert end["found"] == len(items) and all("path" in item for item in items)
    return items, end


def paths_of(person, q, **terms):
    items, _ = lines_of(person, q, **terms)
    paths = sorted(item["path"] for item in items)
    assert len(set(paths)) == len(paths)
    return paths


def plant(folder, tree):
    """Files by their sizes, folders where that is None."""
    for name, size in tree.items():
        (folder / name).mkdir(parents=True) if size is None else (folder / name).write_bytes(b"x" * size)
        os.chmod(folder / name, 0o777 if size is None else 0o666)


def test_names_are_found_in_each_kind_of_place(person, place):
    _, path, folder = place
    plant(folder, {"Photo": None, "Photo/deep": None, "Photo/deep/my PHOTO.jpg": 5, "other.txt": 1, "größe.TXT": 2})
    assert paths_of(person, "photo", path=path) == [f"{path}/Photo", f"{path}/Photo/deep/my PHOTO.jpg"]
    assert paths_of(person, "*.txt", path=path) == [f"{path}/größe.TXT", f"{path}/other.txt"]
    assert paths_of(person, "GRÖSSE", path=path) == [f"{path}/größe.TXT"]
    assert paths_of(person, "?ther.txt", path=path) == [f"{path}/other.txt"]
    assert paths_of(person, "none", path=path) == []
    (item, *_), end = lines_of(person, "my photo", path=path)
    info, = (entry for entry in person.ok("GET", "files?" + urllib.parse.urlencode({"path": f"{path}/Photo/deep"}))["entries"])
    assert item == info
    assert end == {"found": 1, "unreadFolders": 0, "isLimited": False}


@kinds
def test_names_are_found_on_a_drive(drive, kind):
    drive.plant({"a": None, "a/photo.jpg": b"x", "b": b"x"})
    person = Person(drive.client.server, key=drive.client.key)
    assert paths_of(person, "photo") == [drive.at("a/photo.jpg")]


def test_all_places_are_looked_through_from_the_root(person, places):
    word = places.server.new_name("everywhere")
    for kind in KINDS:
        places[kind].plant({f"{word}-folder": None, f"{word}-folder/{word}.txt": b"x"})
    assert paths_of(person, word) == sorted(
        path for kind in KINDS for path in (places[kind].at(f"{word}-folder"), places[kind].at(f"{word}-folder/{word}.txt")))


def test_each_term_keeps_something_out(person, own):
    name, folder = own
    plant(folder, {"item small": 10, "item large": 1000, "item folder": None})
    os.utime(folder / "item small", (OLD_S, OLD_S))
    os.utime(folder / "item large", (NEW_S, NEW_S))
    os.utime(folder / "item folder", (OLD_S, OLD_S))

    def names(**terms):
        return [path.split(" ")[-1] for path in paths_of(person, "item", path=name, **terms)]

    assert names() == ["folder", "large", "small"]
    assert names(kind="file") == ["large", "small"] and names(kind="folder") == ["folder"]
    assert names(minSize=10) == ["large", "small"] and names(minSize=11) == ["large"] and names(minSize=1001) == []
    assert names(maxSize=10) == ["folder", "small"] and names(minSize=10, maxSize=10) == ["small"]
    assert names(modifiedAfter="2017-07-14T02:40:00") == ["folder", "large", "small"]
    assert names(modifiedAfter="2017-07-14T02:40:01Z") == ["large"]
    assert names(modifiedBefore="2017-07-14T02:40:00") == []
    assert names(modifiedBefore="2017-07-14T02:40:01") == ["folder", "small"]
    assert names(kind="file", minSize=5, modifiedAfter="2020-01-01T00:00:00") == ["large"]


def test_a_limit_ends_it(person, own):
    name, folder = own
    plant(folder, {f"item {number}": 0 for number in range(20)})
    items, end = lines_of(person, "item", path=name, limit=7)
    assert len(items) == 7 and end["isLimited"]
    items, end = lines_of(person, "item", path=name, limit=20)
    assert len(items) == 20 and not end["isLimited"]


def test_links_are_found_and_not_followed(person, own, tmp_path):
    name, folder = own
    (tmp_path / "outside secret").write_bytes(b"x")
    plant(folder, {"d": None, "d/secret": 1})
    (folder / "secret around").symlink_to(".")
    (folder / "secret outside").symlink_to(tmp_path)
    assert paths_of(person, "secret", path=name) == [f"{name}/d/secret", f"{name}/secret around"]


def test_a_key_limited_to_a_folder_finds_what_is_in_it(person, own, places):
    name, folder = own
    plant(folder, {"docs": None, "docs/word.txt": 1, "word.txt": 1})
    made = person.ok("POST", "keys", {"name": "k", "folder": f"{name}/docs", "access": "read"}, status=201)
    limited = Person(places.server, key=made["secret"])
    assert paths_of(limited, "word") == ["word.txt"]
    limited.fails("forbidden", "GET", query("word", path=places["shared"].path))
    limited.fails("forbidden", "GET", query("word", path=".."))


def test_other_accounts_find_nothing(own, places):
    name, folder = own
    plant(folder, {"very special word": 1})
    other = places.server.new_name("other")
    places.server.add_account(other, password=PASSWORD)
    stranger = Person(places.server)
    stranger.fails("unauthenticated", "GET", query("word"))
    stranger.sign_in(other)
    stranger.csrf = None
    assert paths_of(stranger, "word") == []
    stranger.fails("not_found", "GET", query("word", path=name))
    stranger.fails("not_found", "GET", query("word", path=places["shared"].path))


def test_a_server_that_is_gone_counts_as_unread(person, places, own):
    name, folder = own
    word = places.server.new_name("still")
    plant(folder, {word: 1})
    places.remotes["ftp"].stop()
    try:
        items, end = lines_of(person, word)
        assert [item["path"] for item in items] == [f"{name}/{word}"] and end["unreadFolders"] == 1
    finally:
        places.remotes["ftp"].start()


def test_many_folders_are_looked_through_and_streamed(person, own):
    name, folder = own
    for number in range(300):
        plant(folder, {f"{number}": None, **{f"{number}/item {each}": 0 for each in range(20)}})
    items, end = lines_of(person, "ITEM", path=name, limit=10_000)
    assert len({item["path"] for item in items}) == 6_000 and not end["isLimited"]
    assert person.call("HEAD", query("item"), documented=False).content == b""


def test_a_client_that_goes_ends_it(person, own, places):
    """No folder of the tree is opened any more; the tree is far more than fits into the sockets."""
    name, folder = own
    for number in range(400):
        plant(folder, {f"{number}": None, **{f"{number}/{'long ' * 40}{each}": 0 for each in range(30)}})
    with RawConnection(places.server) as raw:
        raw.send(f"GET /api/v2/{query('long', path=name, limit=10_000)} HTTP/1.1\r\nHost: a\r\n"
                 f"X-API-Key: {person.http.headers['X-API-Key']}\r\n\r\n")
        assert raw.reader.readline().startswith(b"HTTP/1.1 200")
    pid = places.server.process.pid

    def is_idle():
        return not any(f"/{name}" in os.readlink(f"/proc/{pid}/fd/{one}") for one in os.listdir(f"/proc/{pid}/fd")
                       if os.path.islink(f"/proc/{pid}/fd/{one}"))

    eventually(is_idle, "the search to end")
    assert len(paths_of(person, "long", path=name, limit=10)) == 10


@pytest.mark.parametrize("bad", ["search", "search?q=", "search?q=" + "x" * 256, "search?q=x&kind=link",
                                 "search?q=x&limit=0", "search?q=x&limit=10001", "search?q=x&limit=many",
                                 "search?q=x&minSize=-1", "search?q=x&maxSize=1.5", "search?q=x&modifiedAfter=yesterday",
                                 "search?q=x&modifiedBefore=2020-13-01T00:00:00", "search?q=x&q=y", "search?q=%00",
                                 "search?q=%FF", "search?q=x&path=a%00"])
def test_bad_input(person, bad):
    person.fails("malformed", "GET", bad)


def test_where_nothing_can_be_looked_for(person, own):
    name, folder = own
    plant(folder, {"file": 1})
    person.fails("not_found", "GET", query("x", path=f"{name}/none"))
    person.fails("malformed", "GET", query("x", path=f"{name}/file"))
    person.fails("forbidden", "GET", query("x", path=f"{name}/.."))
