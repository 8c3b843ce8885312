"""What users of other file managers reported as faults, tried on this one. Each test names the project and its report."""

import io
import urllib.parse
import zipfile

import pytest

from client import form
from people import Person
from places import one_of_each
from test_people_links import guest_of, share
from test_people_tasks import ended
from tus import VERSION, Tus

MIB = 1 << 20


@pytest.fixture
def person(account):
    return Person(account.server, key=account.key)


@pytest.fixture
def limited(make_account):
    """An account of 2 MiB, its caller of v1 and of v2."""
    account = make_account(str(2 * MIB))
    return account.client, Person(account.server, key=account.key)


@pytest.fixture(scope="module")
def places(build_server, description):
    with one_of_each(build_server, description) as made:
        yield made


def do(person, kind, sources, destination=None, **more):
    body = {"kind": kind, "sources": sources, **more}
    if destination is not None:
        body["destination"] = destination
    return ended(person, person.ok("POST", "tasks", body, status=202))


# Downloads

def test_a_range_that_ends_behind_the_file_is_cut_there(client):
    """dufs, 735: 416 for `bytes=0-9` of five bytes."""
    client.put("a.txt", b"hello")
    for asked, status, told in (("bytes=0-4", 206, "bytes 0-4/5"), ("bytes=0-5", 206, "bytes 0-4/5"), ("bytes=0-9", 206, "bytes 0-4/5"),
                                ("bytes=3-99999999999999999999", 206, "bytes 3-4/5"), ("bytes=-9", 206, "bytes 0-4/5"), ("bytes=5-", 416, "bytes */5")):
        answer = client.download("a.txt", {"Range": asked})
        assert (answer.status, answer.headers["Content-Range"]) == (status, told), asked


def test_a_resumed_download_never_joins_two_files(client):
    """Dormice, 86: If-Range was not looked at, so that the rest of a newer file was sent."""
    client.put("a.txt", b"abcdef")
    before = client.download("a.txt").headers
    client.put("a.txt", b"UVWXYZ")
    for stale in ("Thu, 01 Jan 1970 00:00:00 GMT", before["ETag"], 'W/"x"', "nonsense"):
        answer = client.download("a.txt", {"Range": "bytes=3-", "If-Range": stale})
        assert (answer.status, answer.content) == (200, b"UVWXYZ"), stale
    now = client.download("a.txt").headers["ETag"]
    assert client.download("a.txt", {"Range": "bytes=3-", "If-Range": now}).content == b"XYZ"


NAMES = ["CE+.7z", "demo(failed) {1} [2].xlsx", "copy of #1 & 50% done?.txt", "Российская Федерация.doc", "Lousã 🏆.js",
         "a;b=c,d.txt", "'quoted' name.txt", " leading and trailing ", "%2e%2e%2f.txt"]


@pytest.mark.parametrize("name", NAMES)
def test_a_name_stays_as_it_is(account, person, name):
    """filebrowser, 1701 and 1312; Gokapi, 306; pydio, 1272; seafile, 1705 and 2280; webida, 210: names with `+`, brackets, blanks or
    letters beyond ASCII were refused, cut, kept in their escaped form, or broke the archive that held them."""
    client = account.client
    client.upload("", form((name, b"by a form"))).ok()
    assert client.names("") == [name] and client.content(name) == b"by a form"
    told = client.download(name).headers["Content-Disposition"]
    assert told.partition("filename*=UTF-8''")[2].partition(";")[0] == urllib.parse.quote(name, safe="!#$&+-.^_`|~"), told
    Tus(account.server, account.key).put(b"by tus", name, onConflict="replace")
    assert client.names("") == [name] and client.content(name) == b"by tus"
    packed = person.call("GET", "archive?" + urllib.parse.urlencode({"path": name}))
    with zipfile.ZipFile(io.BytesIO(packed.content)) as archive:
        assert archive.namelist() == [name] and archive.read(name) == b"by tus"


def test_an_archive_is_called_as_its_folder(account, person):
    """filebrowser, 5255; owncloud/core, 22836: `zip`, or `download`, whatever it held."""
    account.client.make_folder("Brazil 2016", "Beaches").ok()
    for path, name in (("Brazil 2016", "Brazil 2016"), ("Brazil 2016/Beaches", "Beaches")):
        told = person.call("GET", "archive?" + urllib.parse.urlencode({"path": path})).headers["Content-Disposition"]
        assert f'filename="{name}.zip"' in told, told


# Quota

def test_what_is_overwritten_leaves_its_room(limited):
    """owncloud/ocis, 2829; owncloud/core, 40737: a file that fits in the place of its former self was refused."""
    client, person = limited
    client.put("a", bytes(MIB + MIB // 2))
    client.upload("", form(("b", bytes(MIB)))).fails(413)
    client.put("a", bytes(MIB + 3 * MIB // 4))
    assert person.put("a", bytes(MIB)).status_code == 204 and client.used() == MIB
    Tus(person.server, person.http.headers["X-API-Key"]).put(bytes(2 * MIB), "a", onConflict="replace")
    assert client.used() == 2 * MIB and client.names("") == ["a"]


def test_no_file_goes_beyond_the_limit(limited):
    """drakkan/sftpgo, 128: who had a byte left could upload a file of any size."""
    client, person = limited
    client.put("a", bytes(2 * MIB - 1))
    client.upload("", form(("b", bytes(2)))).fails(413)
    assert person.put("b", bytes(2)).status_code == 413
    Tus(person.server, person.http.headers["X-API-Key"]).ask_for(2, "b").is_(413)
    assert client.names("") == ["a"] and client.used() == 2 * MIB - 1


def test_what_a_move_replaces_no_longer_counts(limited):
    """khm39/qftp, 219: a rename over a file never gave its bytes back."""
    client, person = limited
    client.make_folder("", "to").ok()
    for _ in range(5):
        client.put("a", bytes(MIB // 2))
        client.put("to/a", bytes(MIB // 2)) if client.names("to") == [] else None
        assert do(person, "move", ["a"], "to", onConflict="replace")["state"] == "done"
        person.ok("DELETE", "bin", status=204)
        assert client.used() == MIB // 2


def test_another_name_gets_no_credit_of_the_one_it_avoids(limited):
    """gtsteffaniak/filebrowser, 2806: the copy beside a file counted as if it replaced it."""
    client, person = limited
    client.make_folder("", "to").ok()
    client.put("a", bytes(MIB))
    client.put("to/a", bytes(MIB // 2))
    end = do(person, "copy", ["a"], "to", onConflict="keepBoth")
    assert end["state"] == "failed" and end["error"] and client.names("to") == ["a"] and client.used() == MIB + MIB // 2
    client.delete("to/a").ok()
    client.put("to/a", b"")
    assert do(person, "copy", ["a"], "to", onConflict="keepBoth")["state"] == "done" and client.used() == 2 * MIB


def test_a_copy_out_of_a_share_counts(own_server, account_on, tmp_path):
    """owncloud/core, 39895: what was copied from a shared folder into one's own went over the quota."""
    (tmp_path / "share").mkdir()
    (tmp_path / "share/large").write_bytes(bytes(3 * MIB))
    server = own_server(share_roots=[str(tmp_path)])
    account = account_on(server, str(2 * MIB))
    server.cli("share", "add", "--name", "Common", "--target", str(tmp_path / "share"), "--account", account.name)
    path = next(place["path"] for place in account.client.locations().ok() if place["path"])
    account.client.copy(f"{path}/large", "").fails(413)
    end = do(Person(server, key=account.key), "copy", [f"{path}/large"], "")
    assert end["state"] == "failed" and account.client.used() == 0


def test_restoring_needs_no_room_that_the_bin_has_not_given(limited):
    """nextcloud/server, 1354: restored with too little room, folders were neither in their place nor in the bin."""
    client, person = limited
    client.make_folder("", "f").ok()
    client.put("f/a", bytes(MIB))
    assert do(person, "delete", ["f"])["state"] == "done"
    client.put("b", bytes(MIB))
    item, = person.ok("GET", "bin")["entries"]
    assert do(person, "restore", [item["id"]])["state"] == "done"
    assert client.content("f/a") == bytes(MIB) and client.used() == 2 * MIB


# Moves and copies

def test_a_folder_goes_neither_into_itself_nor_below(account, person):
    """filebrowser, 3892 and frontend, 33 (500); Files, 547 and pcmanfm-qt, 858 (folders without end)."""
    client = account.client
    client.make_folder("a", "b").ok()
    client.put("a/file", b"x")
    for target in ("a", "a/b"):
        client.move("a", target).fails(400)
        client.copy("a", target).fails(400)
        for kind in ("copy", "move"):
            for choice in ("fail", "replace", "skip", "keepBoth"):
                answer = person.call("POST", "tasks", {"kind": kind, "sources": ["a"], "destination": target, "onConflict": choice})
                assert answer.status_code == 400 or ended(person, answer.json())["state"] == "failed", answer.text
    assert client.names("") == ["a"] and client.names("a") == ["b", "file"] and client.names("a/b") == []


def test_an_item_goes_to_the_root(account, person):
    """filebrowser, 5683: 403 for a move to the root."""
    client = account.client
    for number, go in enumerate((lambda path: client.move(path, ""), lambda path: client.move(path), lambda path: do(person, "move", [path], ""))):
        client.make_folder("", f"f{number}").ok()
        client.put(f"f{number}/x{number}", b"x")
        go(f"f{number}/x{number}")
        assert client.content(f"x{number}") == b"x"


def test_folders_go_to_and_fro(account, person, places):
    """tine20, 5052; AlistGo/alist, 7432: a folder that came back, or went from a child to a grandchild, was not found or there already."""
    client = places.client
    person = Person(places.server, key=places.server.create_key(places.account)["key"])
    own, shared = places["own"], places["shared"]
    client.make_folder(own.at("one/two"), "three").ok()
    client.put(own.at("one/two/x"), b"x")
    for _ in range(2):
        assert do(person, "move", [own.at("one")], shared.path)["state"] == "done"
        assert do(person, "move", [shared.at("one")], own.path)["state"] == "done"
    assert do(person, "move", [own.at("one/two/x")], own.at("one/two/three"))["state"] == "done"
    assert do(person, "copy", [own.at("one/two")], own.at("one/two/three"))["error"]
    assert client.content(own.at("one/two/three/x")) == b"x"


@pytest.mark.parametrize("kind", ["shared", "ftp", "sftp"])
def test_a_copy_between_places_keeps_its_source(places, kind):
    """AlistGo/alist, 5037: a copy to a mounted drive deleted what it had copied."""
    person = Person(places.server, key=places.server.create_key(places.account)["key"])
    folder = places.server.new_name("kept")
    places.client.make_folder(places["own"].at(folder), "sub").ok()
    places.client.put(places["own"].at(f"{folder}/sub/x"), b"x")
    assert do(person, "copy", [places["own"].at(folder)], places[kind].path)["state"] == "done"
    for place in (places["own"], places[kind]):
        assert places.client.content(place.at(f"{folder}/sub/x")) == b"x"


def test_a_move_that_cannot_copy_deletes_nothing(limited, places):
    """marta, 286; coderaiser/cloudcmd, 400: the source was gone though its copy had failed or was broken off."""
    client, person = limited
    client.make_folder("", "from").ok()
    client.make_folder("", "to").ok()
    client.put("from/a", b"mine")
    client.put("to/a", b"theirs")
    assert do(person, "move", ["from/a"], "to", onConflict="fail")["state"] == "failed"
    assert client.content("from/a") == b"mine" and client.content("to/a") == b"theirs"


# Links and guests

def test_a_link_does_not_open_a_later_file_of_that_name(account, person):
    """9001/copyparty, 960: after its file was deleted, a link opened whatever took the name."""
    client = account.client
    for delete in (lambda: client.delete("a.txt").ok(), lambda: do(person, "delete", ["a.txt"]),
                   lambda: client.rename("a.txt", "b.txt").ok() and client.delete("b.txt").ok()):
        client.put("a.txt", b"shared")
        guest = guest_of(person, share(person, "a.txt"))
        assert guest.at().content == b"shared"
        delete()
        client.put("a.txt", b"another")
        assert guest.get().status_code == 404 and guest.at().status_code == 404


def test_a_link_shows_nothing_beside_its_item(account, person):
    """filebrowser, GHSA-mr74-928f-rw69 (a folder's link opened its parent); copyparty, GHSA-67rw-2x62-mqqm (a file's link, its siblings)."""
    client = account.client
    for name in ("f/shared/in", "f/beside/out", "f/out"):
        client.make_folder("", "f") if client.names("") == [] else None
        folder, _, _ = name.rpartition("/")
        if folder != "f":
            client.make_folder("f", folder.removeprefix("f/"))
        client.put(name, b"x")
    folder, file = guest_of(person, share(person, "f/shared")), guest_of(person, share(person, "f/out"))
    assert folder.names() == ["in"]
    for guest in (folder, file):
        for path in ("beside/out", "out", "f/out", "../out", "shared/../../out", "f/beside/out", "/f/out"):
            assert guest.at(path).status_code in (400, 403, 404), path
            assert guest.get("archive", path=path).status_code in (400, 403, 404), path


def test_nothing_is_told_before_the_password(account, person):
    """FileBrowser Quantum, GHSA-525j-95gf-766f (name and token by another route); filebrowser, 5239 (a link whose password was left
    empty had none)."""
    account.client.make_folder("secret plans/sub", "deep").ok()
    account.client.put("secret plans/sub/deep/x", b"x")
    made = share(person, "secret plans", password="open sesame to guests")
    guest = guest_of(person, made)
    for what in ("", "files", "content", "archive"):
        answer = guest.get(what, path="sub/deep/x") if what in ("content",) else guest.get(what)
        assert "secret plans" not in answer.text and "sub" not in answer.text, answer.text
    for empty in ("", " " * 7, "short"):
        assert person.call("POST", "links", {"path": "secret plans", "password": empty}).status_code == 400
    # owncloud/core, 38108: with a password, folders below the first were refused.
    guest.ok("POST", guest.base + "/session", {"password": "open sesame to guests"}, status=204)
    assert guest.names("sub/deep") == ["x"] and guest.at("sub/deep/x").content == b"x"


def test_a_guest_deletes_nothing(account, person):
    """FileBrowser Quantum, GHSA-fwj3-42wh-8673: a path in a request of a guest deleted any file."""
    account.client.make_folder("", "f").ok()
    account.client.put("f/x", b"x")
    account.client.put("y", b"y")
    guest = guest_of(person, share(person, "f"))
    for what in ("files?path=x", "files?path=../y", "content?path=x", "uploads/..%2f..%2fy", "uploads/" + "0" * 32):
        assert guest.call("DELETE", f"{guest.base}/{what}", headers=VERSION, documented=False).status_code in (400, 403, 404, 405), what
    assert account.client.content("f/x") == b"x" and account.client.content("y") == b"y"


def test_a_picture_with_a_script_runs_nothing(account, person):
    """FileBrowser Quantum, GHSA-mmpx-jh39-wrv6: an SVG of a public share ran its script in the page of who opened it."""
    account.client.put("a.svg", b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
    guest = guest_of(person, share(person, "a.svg"))
    for answer in (guest.at(), guest.call("GET", f"{guest.base}/content?path=&disposition=inline"), person.content("a.svg"),
                   person.content("a.svg", disposition="inline")):
        policy = answer.headers["Content-Security-Policy"]
        assert "sandbox" in policy and "allow-scripts" not in policy and "default-src 'none'" in policy, policy
        assert answer.headers["X-Content-Type-Options"] == "nosniff"


# Uploads in pieces

def test_an_empty_file_is_uploaded_by_tus(account):
    """tusdotnet, 201: an offset that did not fit, for a file of no bytes."""
    tus = Tus(account.server, account.key)
    place = tus.create(0, "empty.txt")
    assert account.client.content("empty.txt") == b"" and tus.offset(place) == 0


def test_an_upload_tells_how_far_it_is_and_how_long(account):
    """tus-node-server, 21: the length was told as the offset, and no length."""
    tus = Tus(account.server, account.key)
    place = tus.create(10, "a.txt")
    tus.patch(place, 0, b"1234").is_(204)
    told = tus.head(place).is_(200).headers
    assert (told["Upload-Offset"], told["Upload-Length"]) == ("4", "10")
