"""Names of own files in a store of objects, looked for by their index: what is found is what a walk through all folders finds."""

import json
import urllib.parse

import pytest

from client import form
from people import Person
from server import Server
from test_people_tasks import do

FEW = 5000  # Items below a folder that is listed.
TREE = {"photos/Sommer/Größe.jpg": 10, "photos/Sommer/strasse.JPG": 20, "photos/deep/er/and/deeper/photo.png": 30,
        "letters/photo of 50%.txt": 40, "letters/100_percent.txt": 50, "PHOTO": 60}


@pytest.fixture(scope="module")
def account(tmp_path_factory, account_on, object_store):
    server = Server(tmp_path_factory.mktemp("searched"), **object_store.new_bucket()).start()
    made = account_on(server)
    for folder in ("photos", "photos/Sommer", "photos/deep", "photos/deep/er", "photos/deep/er/and", "photos/deep/er/and/deeper",
                   "letters", "many"):
        parent, _, name = folder.rpartition("/")
        made.client.make_folder(parent, name).ok()
    for path, size in TREE.items():
        made.client.put(path, b"x" * size)
    for begin in range(0, FEW + 200, 100):
        made.client.upload("many", form(*((f"number {n}.dat", b"") for n in range(begin, begin + 100)))).ok()
    yield made
    server.kill()


def found(account, key=None, **terms):
    answer = Person(account.server, key=key or account.key).call("GET", "search?" + urllib.parse.urlencode(terms))
    assert answer.status_code == 200, answer.text
    *items, end = [json.loads(line) for line in answer.text.splitlines()]
    assert end["found"] == len(items) and end["unreadFolders"] == 0
    paths = sorted(item["path"] for item in items)
    assert len(set(paths)) == len(paths)
    return paths, end["isLimited"]


def paths(account, **terms):
    return found(account, **terms)[0]


def test_patterns_mean_what_they_mean_on_a_disk(account):
    assert paths(account, q="photo") == ["PHOTO", "letters/photo of 50%.txt", "photos", "photos/deep/er/and/deeper/photo.png"]
    assert paths(account, q="grosse") == ["photos/Sommer/Größe.jpg"]
    assert paths(account, q="STRASSE") == paths(account, q="straße") == ["photos/Sommer/strasse.JPG"]
    assert paths(account, q="*.jpg") == ["photos/Sommer/Größe.jpg", "photos/Sommer/strasse.JPG"]
    assert paths(account, q="gr?sse.jpg") == ["photos/Sommer/Größe.jpg"]
    assert paths(account, q="0%") == ["letters/photo of 50%.txt"]
    assert paths(account, q="0_") == ["letters/100_percent.txt"]
    assert paths(account, q="????") == ["many", "photos/deep"]
    assert paths(account, q="none of these") == []


def test_terms_keep_out(account):
    assert paths(account, q="photo", kind="folder") == ["photos"]
    assert paths(account, q="photo", minSize=40, maxSize=59) == ["letters/photo of 50%.txt"]
    assert paths(account, q="photo", modifiedBefore="2001-01-01T00:00:00") == []


def test_a_limit_ends_it(account):
    found_paths, is_limited = found(account, q="number", limit=1234)
    assert len(found_paths) == 1234 and is_limited
    found_paths, is_limited = found(account, q="number 12?.dat", limit=1000)
    assert len(found_paths) == 10 and not is_limited
    assert len(paths(account, q="number", limit=10_000)) == FEW + 200


def test_a_key_finds_what_is_in_its_folder(account):
    for folder, terms, expected in (("photos", {"q": "photo"}, ["deep/er/and/deeper/photo.png"]),
                                    ("many", {"q": "number 77.dat"}, ["number 77.dat"]), ("many", {"q": "photo"}, [])):
        key = account.server.create_key(account.name, folder)["key"]
        assert found(account, key, **terms)[0] == expected
    assert paths(account, q="photo", path="many") == []
    assert paths(account, q="number 77.dat", path="many") == ["many/number 77.dat"]
    assert paths(account, q="number 77.dat", path="photos") == []


def test_other_accounts_find_nothing(account, account_on):
    assert paths(account_on(account.server), q="photo") == []


def test_what_moves_is_found_where_it_is(account):
    account.client.make_folder("", "before").ok()
    account.client.make_folder("before", "below").ok()
    account.client.put("before/below/moving.txt", b"x")
    account.client.rename("before", "after").ok()
    assert paths(account, q="moving") == ["after/below/moving.txt"]
    account.client.delete("after").ok()
    assert paths(account, q="moving") == []


def test_what_is_in_the_bin_is_not_found(account):
    account.client.put("binned.txt", b"x")
    assert paths(account, q="binned") == ["binned.txt"]
    person = Person(account.server, key=account.key)
    assert do(person, "delete", ["binned.txt"])["state"] == "done"
    assert person.ok("GET", "bin")["entries"][0]["path"] == "binned.txt"
    assert paths(account, q="binned") == []
