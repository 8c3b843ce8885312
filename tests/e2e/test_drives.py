"""Cloud drives as mounts: every operation on each kind of server that stands for them."""

import pytest

from client import form
from driving import LABEL, MARKER, kinds
from places import work_in
from server import eventually

# What a file system, WebDAV and S3 all take.
ODD = ["with space", " in front", "Größe und мир", "100%", "%41", "a#b", "a?b", "a+b", "[x] {y}", "quote '", 'quote "',
       "semi;colon", "a&b=c", "comma, dot.", "-rf", "back`tick", "dollar $HOME", "star *", "colon: x", "pipe | <x>",
       "~", "!not", "@at", "^caret", "🙂"]
CONTENT = bytes(range(251)) * 1000


@kinds
def test_every_operation_works(drive, kind):
    work_in(drive.client, drive)
    assert drive.everything() == {"a.txt": b"replaced"} and drive.client.used() == 0


@kinds
def test_what_is_not_there_or_is_something_else_is_told(drive, kind):
    client = drive.client
    drive.plant({"file": b"x", "folder": None})
    for answer in (client.list(drive.at("none")), client.list(drive.at("none/deep")), client.info(drive.at("none")),
                   client.download(drive.at("none")), client.download(drive.at("none/deep")),
                   client.delete(drive.at("none")), client.rename(drive.at("none"), "other"),
                   client.copy(drive.at("none"), drive.at("folder")),
                   client.move(drive.at("none"), drive.at("folder"))):
        answer.fails(404)
    for answer in (client.list(drive.at("file")), client.download(drive.at("folder")),
                   client.upload(drive.at("file"), form(("x", b"x"))), client.make_folder(drive.at("file"), "x"),
                   client.move(drive.at("folder"), drive.at("folder"))):
        answer.fails(400)
    client.rename(drive.at("folder"), "file").fails(409)
    client.upload(drive.path, form(("folder", b"x"))).fails(409)
    client.delete(drive.path).fails(403)
    eventually(lambda: drive.everything() == {"file": b"x", "folder": None}, "what was refused to go")


def test_a_drive_is_listed_as_one(make_drive, account):
    place = make_drive("apache", account.server, account.name)
    entry, = account.client.list().ok()
    assert entry["name"] == LABEL and entry["mount"] == "clouddrive" and entry["isDirectory"]
    assert account.client.info(place.path).ok()["name"] == LABEL
    own, location = account.client.locations().ok()
    assert location["kind"] == "drive" and location["path"] == f"{place.path}/" and own["kind"] == "own"


RANGES = [("bytes=0-0", 0, 1), ("bytes=1-3", 1, 4), ("bytes=-2", -2, None), ("bytes=100-", 100, None),
          ("bytes=250998-", 250998, None), ("bytes=250990-999999999", 250990, None), ("bytes=-999999999", 0, None),
          ("bytes=70000-199999", 70000, 200000)]


@kinds
def test_ranges(drive, kind):
    client = drive.client
    drive.plant({"file": CONTENT, "empty": b""})
    whole = client.download(drive.at("file"))
    assert whole.content == CONTENT and whole.headers["ETag"] and whole.headers["Accept-Ranges"] == "bytes"
    for value, first, end in RANGES:
        answer = client.download(drive.at("file"), {"Range": value})
        assert answer.status == 206 and answer.content == CONTENT[first:end], value
    for value in ("bytes=251000-", "bytes=999999-1000000", "bytes=-0"):
        answer = client.download(drive.at("file"), {"Range": value})
        assert answer.fails(416) and answer.headers["Content-Range"] == "bytes */251000", value
    client.download(drive.at("empty"), {"Range": "bytes=0-"}).fails(416)
    several = client.download(drive.at("file"), {"Range": "bytes=0-9,200000-200009,-5"})
    assert several.status == 206 and several.headers["Content-Type"].startswith("multipart/byteranges")
    for part in (CONTENT[:10], CONTENT[200000:200010], CONTENT[-5:]):
        assert b"\r\n\r\n" + part + b"\r\n--" in several.content
    head = client.download(drive.at("file"), method="HEAD")
    assert head.status == 200 and head.headers["Content-Length"] == "251000"
    again = client.download(drive.at("file"), {"If-None-Match": whole.headers["ETag"]})
    assert again.status == 304


@kinds
def test_odd_names(drive, kind):
    client = drive.client
    client.upload(drive.path, form(*((name.replace('"', "%22"), name.encode()) for name in ODD if "%" not in name),
                                   ("100%", b"100%"), ("%41", b"%41"))).ok()
    assert drive.everything() == {name: name.encode() for name in ODD}
    assert set(client.names(drive.path)) == set(ODD)
    client.make_folder(drive.path, "to [here] 100% + #").ok()
    for name in ODD:
        assert client.content(drive.at(name)) == name.encode()
        assert client.info(drive.at(name)).ok()["name"] == name
        client.move(drive.at(name), drive.at("to [here] 100% + #")).ok()
    client.rename(drive.at("to [here] 100% + #"), "?&=").ok()
    client.copy(drive.at("?&="), drive.path).fails(409)
    client.make_folder(drive.path, "%2e%2e").ok()
    client.copy(drive.at("?&="), drive.at("%2e%2e")).ok()
    assert drive.everything("%2e%2e/?&=") == {name: name.encode() for name in ODD}
    client.delete(drive.at("?&=")).ok()
    assert set(client.names(drive.path)) == {"%2e%2e"}


@kinds
def test_names_of_its_own_making_are_not_to_be_had(drive, kind):
    client = drive.client
    client.make_folder(drive.path, "folder").ok()
    for name in (".coffer-part-0000000010123456789abcdef", ".coffer-staging", MARKER):
        client.info(drive.at(f"folder/{name}")).fails(404)
        client.download(drive.at(f"folder/{name}")).fails(404)
        client.delete(drive.at(f"folder/{name}")).fails(404)
        client.make_file(drive.at("folder"), name).fails(400)
        client.upload(drive.at("folder"), form((name, b"hidden"))).fails(400)
    assert client.names(drive.at("folder")) == []
    assert client.names(drive.path) == ["folder"]
    assert drive.everything() == {"folder": None}


@kinds
def test_a_key_for_a_folder_of_a_drive(drive, kind):
    client = drive.client
    drive.plant({"mine/file": b"mine", "mine/deep": None, "theirs/file": b"theirs", "mine too": b"theirs"})
    limited = client.scoped(drive.at("mine"))
    assert limited.content("file") == b"mine" and limited.names() == ["deep", "file"]
    limited.put("deep/new", b"new")
    limited.move("file", "deep").ok()
    for answer in (limited.list(drive.path), limited.download("../theirs/file"), limited.copy("../theirs/file"),
                   limited.delete("../theirs"), limited.move("deep/file", "../theirs"),
                   limited.upload("../theirs", form(("x", b"x"))), limited.info("../mine too")):
        answer.fails(403)
    for answer in (limited.list("theirs"), limited.download("theirs/file"), limited.info("mine too")):
        answer.fails(404)
    assert drive.everything() == {"mine": None, "mine/deep": None, "mine/deep/new": b"new", "mine/deep/file": b"mine",
                                  "theirs": None, "theirs/file": b"theirs", "mine too": b"theirs"}


@kinds
def test_a_read_only_drive(make_drive, account, kind):
    place, client = make_drive(kind, account.server, account.name, "--read-only"), account.client
    before = {"file": b"x", "folder": None}
    place.plant(before)
    client.put("own", b"own")
    assert client.content(place.at("file")) == b"x" and client.names(place.path) == ["folder", "file"]
    for answer in (client.upload(place.path, form(("new", b"x"))), client.upload(place.path, form(("file", b"y"))),
                   client.make_folder(place.path, "new"), client.make_file(place.path, "new"),
                   client.delete(place.at("file")), client.rename(place.at("file"), "new"),
                   client.move("own", place.path),
                   client.move(place.at("file")), client.move(place.at("file"), place.at("folder")),
                   client.copy("own", place.path), client.copy(place.at("file"), place.at("folder"))):
        answer.fails(403)
    client.copy(place.at("file")).ok()
    assert client.content("file") == b"x" and client.content("own") == b"own" and place.everything() == before


@pytest.mark.parametrize("size", [0, 1, 1 << 20, (40 << 20) + 1])
@kinds
def test_contents_of_any_size(drive, kind, size):
    content = (b"0123456789abcdef" * (size // 16 + 1))[:size]
    drive.client.put(drive.at("file"), content)
    assert drive.client.content(drive.at("file")) == content
    assert drive.everything() == {"file": content}
    drive.client.put(drive.at("file"), content[::-1])
    assert drive.everything() == {"file": content[::-1]}
