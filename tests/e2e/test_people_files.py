"""Folders of /api/v2, page by page: every order, what changes between two pages, and what is not sent twice."""

import gzip
import os
import subprocess
from urllib.parse import quote

import pytest

from people import Person

ORDERS = [(sort, order) for sort in ("name", "size", "modified") for order in ("asc", "desc")]


def fill(place, below, items):
    """Files by their sizes and times, folders where that is None."""
    place.plant({f"{below}/{name}": None if size is None else b"x" * size[0] for name, size in items.items()})
    for name, size in items.items():
        if size is not None:
            os.utime(place.folder / below / name, (size[1], size[1]))


DAY = 86_400  # An FTP server tells no more of what is old.
ITEMS = {"b2": (30, 10**9 + 2 * DAY), "B10": (10, 10**9 + 6 * DAY), "a": (30, 10**9 + 4 * DAY), "z": (0, 10**9),
         "sub1": None, "Sub2": None, "\u00e4": (7, 10**9 + 6 * DAY)}


@pytest.mark.parametrize("limit", [1, 2, 3, 10000])
def test_pages_hold_every_item_once_in_order(person, place, limit):
    at, path, folder = place
    fill(at, folder.name, ITEMS)
    by_name = ["a", "\u00e4", "b2", "B10", "z"]
    size = {name: item[0] for name, item in ITEMS.items() if item}
    time = {name: item[1] for name, item in ITEMS.items() if item}
    keys = {"name": by_name.index, "size": lambda n: (size[n], by_name.index(n)),
            "modified": lambda n: (time[n], by_name.index(n))}
    for sort, order in ORDERS:
        names = [name for page in person.pages(path, sort=sort, order=order, limit=limit) for name in page]
        assert names[2:] == sorted(by_name, key=keys[sort], reverse=order == "desc"), (sort, order)
        folders = ["sub1", "Sub2"] if order == "asc" else ["Sub2", "sub1"]
        assert sorted(names[:2], key=str.lower) == ["sub1", "Sub2"] and (sort == "modified" or names[:2] == folders)


def test_mounts_stand_between_folders_and_files_at_the_root(person, places):
    places.client.make_folder("", "zz-folder").ok()
    places.client.put("aa-file", b"x")
    for order in ("asc", "desc"):
        names = [name for page in person.pages("", order=order, limit=1) for name in page]
        assert names.index("zz-folder") < names.index("FTP") < names.index("SFTP") < names.index("Shared")
        assert names.index("Shared") < names.index("aa-file") and len(names) == len(set(names))
    entries = person.ok("GET", "files")["entries"]
    kinds = {entry["name"]: (entry["mount"], entry["path"]) for entry in entries if entry["mount"]}
    assert kinds == {"FTP": ("ftp", places["ftp"].path), "SFTP": ("sftp", places["sftp"].path),
                     "Shared": ("shared", places["shared"].path)}


IN_ORDER = {"": ["apa", "\u00e4pple", "zon"], "sv": ["apa", "zon", "\u00e4pple"], "de": ["apa", "\u00e4pple", "zon"]}


@pytest.mark.parametrize("others", [0, 600])
def test_names_stand_in_the_order_of_a_language(person, own, others):
    """Also in a large folder, which is kept from page to page, for each language by itself."""
    name, folder = own
    for item in IN_ORDER[""]:
        (folder / item).write_bytes(b"")
        (folder / f"{item} folder").mkdir()
    for number in range(others):
        (folder / f"m{number:04}").write_bytes(b"")
    os.utime(folder, (10**9, 10**9))
    for limit in (2, 400):
        for language, in_order in IN_ORDER.items():
            asked = {"limit": limit, **({"language": language} if language else {})}
            for order in ("asc", "desc"):
                names = [item for page in person.pages(name, order=order, **asked) for item in page if item[0] != "m"]
                expected = in_order if order == "asc" else in_order[::-1]
                assert names == [f"{item} folder" for item in expected] + expected, (asked, order)


def test_a_page_goes_on_in_the_language_of_the_one_before(person, own):
    name, folder = own
    for item in IN_ORDER[""]:
        (folder / item).write_bytes(b"")
    _, cursor = person.page(name, limit=1, language="sv")
    assert person.page(name, limit=1, language="sv", cursor=cursor)[0] == ["zon"]
    for other in ("", "&language=de"):
        assert "language" in person.fails("malformed", "GET", f"files?path={name}&cursor={cursor}{other}")
    for unknown in ("xx", "sv-SE", "SV", ""):
        assert "zh-Hant" in person.fails("malformed", "GET", f"files?path={name}&language={unknown}")


def test_a_page_tells_what_its_folder_is_called(person, places, own):
    name, folder = own
    (folder / "in").mkdir()
    share = places["shared"]
    share.plant({"sub/file": b"x"})
    def called(who, path=""):
        return who.ok("GET", "files?path=" + quote(path))["name"]
    assert called(person) == "" and called(person, name) == name and called(person, f"{name}/in") == "in"
    assert called(person, share.path) == "Shared" and called(person, f"{share.path}/sub") == "sub"
    for path, expected in ((name, name), (share.path, "Shared"), (f"{share.path}/sub", "sub")):
        key = places.server.create_key(places.account, path)["key"]
        assert called(Person(places.server, key=key)) == expected, path


@pytest.mark.parametrize("sort, order", ORDERS)
def test_what_comes_and_goes_between_pages_moves_nothing_else(person, own, sort, order):
    name, folder = own
    for number in range(1, 2000):
        (folder / f"f{number:04}").write_bytes(b"x" * (number % 7))
        os.utime(folder / f"f{number:04}", (10**9 + number % 5, 10**9 + number % 5))
    first, cursor = person.page(name, sort=sort, order=order, limit=700)
    gone, seen = first[-1], set(first)
    (folder / gone).unlink()
    (folder / "a-new").write_bytes(b"")
    rest = []
    while cursor:
        page, cursor = person.page(name, sort=sort, order=order, limit=700, cursor=cursor)
        rest += page
    assert not seen & set(rest) and len(rest) == len(set(rest))
    assert seen | set(rest) | {"a-new"} == {f"f{number:04}" for number in range(1, 2000)} | {"a-new"}


def test_a_large_folder_shows_each_change_at_once(person, own, places):
    """Also where what it holds is kept from page to page."""
    name, folder = own
    for number in range(1200):
        (folder / f"f{number:04}").write_bytes(b"")
    os.utime(folder, (10**9, 10**9))
    for _ in range(3):
        assert sum(len(page) for page in person.pages(name, limit=1000)) == 1200
    (folder / "f0000").write_bytes(b"more")  # The folder itself does not change.
    entry = person.ok("GET", f"files?path={name}")["entries"][0]
    assert (entry["name"], entry["size"]) == ("f0000", 4)
    for change, expected in ((lambda: (folder / "f0001").unlink(), 1199),
                             (lambda: (folder / "g").mkdir(), 1200),
                             (lambda: places.client.put(f"{name}/new", b"x"), 1201),
                             (lambda: places.client.delete(f"{name}/f0002").ok(), 1200),
                             (lambda: places.client.rename(f"{name}/f0003", "h").ok(), 1200)):
        change()
        assert sum(len(page) for page in person.pages(name, limit=1000)) == expected
    assert person.page(name, limit=1)[0] == ["g"] and "h" in person.page(name, order="desc", limit=5)[0]


def test_a_page_that_is_the_same_is_not_sent_again(person, place, places):
    at, path, folder = place
    fill(at, folder.name, {"a": (1, 10**9), "b": (2, 10**9)})
    def ask(etag=None):
        return person.call("GET", f"files?path={quote(path)}", headers={"If-None-Match": etag} if etag else {})
    first = ask()
    etag = first.headers["ETag"]
    for known in (etag, etag.removeprefix("W/"), f'"other", {etag}', "*"):
        same = ask(known)
        assert same.status_code == 304 and same.content == b"" and same.headers["ETag"] == etag
    assert ask('"other"').status_code == 200
    at.plant({f"{folder.name}/a": b"longer than before"})
    changed = ask(etag)
    assert changed.status_code == 200 and changed.headers["ETag"] != etag
    places.client.delete(at.at(f"{folder.name}/b")).ok()
    gone = ask(changed.headers["ETag"])
    assert gone.status_code == 200 and [entry["name"] for entry in gone.json()["entries"]] == ["a"]


def test_pages_and_descriptions_are_packed_as_the_client_likes(person, own):
    name, folder = own
    for number in range(300):
        (folder / f"f{number:04}").write_bytes(b"")
    for path in (f"/api/v2/files?path={name}&limit=300", "/api/openapi.json", "/api/v2/openapi.json"):
        answers = {}
        for coding in ("identity", "gzip", "zstd"):
            answer = person.http.get(person.server.url + path, headers={"Accept-Encoding": coding}, stream=True)
            assert answer.headers.get("Content-Encoding", "identity") == coding and "Accept-Encoding" in answer.headers["Vary"]
            answers[coding] = answer.raw.read(decode_content=False)
        assert gzip.decompress(answers["gzip"]) == answers["identity"] and len(answers["gzip"]) < len(answers["identity"]) / 3
        unpacked = subprocess.run(["zstd", "-dc"], input=answers["zstd"], stdout=subprocess.PIPE, check=True).stdout
        assert unpacked == answers["identity"]
    short = person.http.get(person.server.url + f"/api/v2/files?path={name}&limit=1", headers={"Accept-Encoding": "gzip"})
    assert "Content-Encoding" not in short.headers
    etag = short.headers["ETag"]
    plain = person.http.get(person.server.url + f"/api/v2/files?path={name}&limit=1",
                            headers={"Accept-Encoding": "identity", "If-None-Match": etag})
    assert plain.status_code == 304


def test_what_is_no_page_is_refused(person, own):
    name, folder = own
    for letter in "abc":
        (folder / letter).write_bytes(b"")
    _, cursor = person.page(name, limit=1)
    for query in ("limit=0", "limit=10001", "limit=x", "limit=-1", "limit=", "sort=colour", "sort=", "order=up", "cursor=%21",
                  "cursor=AAAA", "cursor=" + "A" * 2000, f"cursor={cursor}x!", f"cursor={cursor}&sort=size",
                  f"cursor={cursor}&order=desc", "path=..", "path=a&path=b", "path=%ff"):
        path = "" if query.startswith("path") else f"path={name}&"
        assert person.call("GET", f"files?{path}{query}").status_code in (400, 403), query
    person.fails("not_found", "GET", "files?path=" + name + "/none")
    person.fails("malformed", "GET", f"files?path={name}/a")
    person.fails("not_found", "GET", "files?path=__adm_0000&cursor=" + cursor)


def test_a_folder_is_made_and_items_are_renamed(person, place):
    at, path, folder = place
    made = person.call("POST", "folders", {"path": f"{path}/new/deep"})
    assert made.status_code == 201 and made.headers["Location"] == "/api/v2/files?path=" + quote(f"{path}/new/deep")
    person.fails("name_taken", "POST", "folders", {"path": f"{path}/new/deep"})
    person.ok("PATCH", "files", {"path": f"{path}/new", "newName": "other"}, status=204)
    at.plant({f"{folder.name}/file": b"x"})
    person.fails("name_taken", "PATCH", "files", {"path": f"{path}/file", "newName": "other"})
    person.fails("not_found", "PATCH", "files", {"path": f"{path}/none", "newName": "x"})
    person.ok("PATCH", "files", {"path": f"{path}/file", "newName": "file"}, status=204)
    assert sorted(at.everything(folder.name)) == ["file", "other", "other/deep"]
    for body in ({"path": "", "newName": "x"}, {"path": f"{path}/file", "newName": "a/b"}, {"path": f"{path}/file"},
                 {"path": f"{path}/file", "newName": ""}, {"path": f"{path}/file", "newName": ".."}):
        assert person.call("PATCH", "files", body).status_code in (400, 403)
    for wrong in ("", "../x", "a/" + "x" * 300):
        assert person.call("POST", "folders", {"path": wrong}).status_code in (400, 403), wrong
    assert sorted(at.everything(folder.name)) == ["file", "other", "other/deep"]


def test_a_key_limited_to_a_folder_sees_and_changes_that_alone(person, places, own):
    name, folder = own
    (folder / "in").mkdir()
    (folder / "out").write_bytes(b"x")
    key = places.server.create_key(places.account, f"{name}/in")["key"]
    limited = Person(places.server, key=key)
    (folder / "in/file").write_bytes(b"x")
    assert limited.page()[0] == ["file"] and limited.ok("GET", "files")["entries"][0]["path"] == "file"
    limited.ok("POST", "folders", {"path": "made"}, status=201)
    limited.ok("PATCH", "files", {"path": "file", "newName": "renamed"}, status=204)
    assert sorted(os.listdir(folder / "in")) == ["made", "renamed"]
    for path in (f"{name}", "../out", places["shared"].path, "out"):
        assert limited.call("GET", "files?path=" + quote(path)).status_code in (400, 403, 404)
        assert limited.call("PATCH", "files", {"path": path, "newName": "x"}).status_code in (400, 403, 404)


def test_what_is_read_only_is_listed_and_not_changed(places, person):
    share = places["shared"].path.removeprefix("__adm_")
    places["shared"].plant({"kept/file": b"x"})
    places.server.cli("share", "set", share, "--read-only", "true")
    try:
        entry, = person.ok("GET", f"files?path=__adm_{share}/kept")["entries"]
        assert entry["readOnly"]
        person.fails("forbidden", "POST", "folders", {"path": f"__adm_{share}/kept/new"})
        person.fails("forbidden", "PATCH", "files", {"path": f"__adm_{share}/kept/file", "newName": "x"})
        answer = person.put(f"__adm_{share}/kept/file", b"new")
        assert answer.status_code == 403 and places["shared"].everything("kept") == {"file": b"x"}
    finally:
        places.server.cli("share", "set", share, "--read-only", "false")


def test_two_accounts_never_see_each_other(places, person, own):
    name, folder = own
    (folder / "mine").write_bytes(b"x" * 10)
    other = places.server.add_account()
    stranger = Person(places.server, key=places.server.create_key(other)["key"])
    assert stranger.page()[0] == []
    for path in (name, places["shared"].path, places["sftp"].path):
        stranger.fails("not_found", "GET", "files?path=" + path)
    assert stranger.content(f"{name}/mine").status_code == 404
    assert stranger.put(f"{name}/mine", b"theirs").status_code == 404 and (folder / "mine").read_bytes() == b"x" * 10
