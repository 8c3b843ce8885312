"""Each endpoint's success: exact fields and their types."""

import re
import uuid

import pytest

from client import FILES, form

TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d")

ENTRY = {"name": str, "relativePath": str, "isDirectory": bool, "size": int, "formattedSize": str, "createdAt": "time",
         "modifiedAt": "time", "extension": str, "description": str, "mount": None, "readOnly": bool}
INFO = {"name": str, "path": str, "isDirectory": bool, "size": int, "formattedSize": str, "createdAt": "time",
        "modifiedAt": "time", "extension": str}
ACCOUNT = {"username": str, "displayName": str, "role": str, "storageUsed": int, "storageUsedFormatted": str,
           "storageLimit": int, "storageLimitFormatted": str, "folderScope": str}
LISTED_KEY = {"id": str, "keyPreview": str, "name": str, "folderPath": str, "folderScope": str, "createdAt": "time",
              "lastUsedAt": "time or null"}
NEW_KEY = {"id": str, "key": str, "name": str, "folderPath": str, "folderScope": str, "createdAt": "time"}
LOCATION = {"kind": str, "name": str, "path": str, "target": str, "readOnly": bool}


def has_type(value, kind):
    if kind == "time or null":
        return value is None or has_type(value, "time")
    if kind == "time":
        return isinstance(value, str) and TIME.fullmatch(value) is not None
    return value is None if kind is None else type(value) is kind


def has_fields(record, fields):
    assert set(record) == set(fields)
    for name, kind in fields.items():
        assert has_type(record[name], kind), (name, record[name])
    return record


def has_message(data):
    assert set(data) == {"message"} and isinstance(data["message"], str) and data["message"]


def test_locations_of_a_full_key(client):
    locations = client.locations().ok()
    assert len(locations) == 1
    own = has_fields(locations[0], LOCATION)
    assert own["kind"] == "own" and own["path"] == "" and own["target"] == "Own files"
    assert own["name"] and own["readOnly"] is False


def test_locations_of_a_scoped_key(client):
    client.make_folder("", "docs").ok()
    locations = client.scoped("docs").locations().ok()
    assert len(locations) == 1
    has_fields(locations[0], LOCATION)
    assert locations[0]["kind"] == "scoped" and locations[0]["path"] == ""


def test_listing(client):
    assert client.list().ok() == []
    client.make_folder("", "photos").ok()
    client.put("photos/cat.JPG", b"x" * 1536)
    folder = has_fields(client.list().ok()[0], ENTRY)
    assert {**folder, "createdAt": 0, "modifiedAt": 0} == {
        "name": "photos", "relativePath": "photos", "isDirectory": True, "size": 0, "formattedSize": "--",
        "createdAt": 0, "modifiedAt": 0, "extension": "", "description": "", "mount": None, "readOnly": False}
    file = has_fields(client.list("photos").ok()[0], ENTRY)
    assert {**file, "createdAt": 0, "modifiedAt": 0} == {
        "name": "cat.JPG", "relativePath": "photos/cat.JPG", "isDirectory": False, "size": 1536,
        "formattedSize": "1.5 KB", "createdAt": 0, "modifiedAt": 0, "extension": ".JPG", "description": "",
        "mount": None, "readOnly": False}


@pytest.mark.parametrize("path", [None, "", "/", "//", ".", "/./"])
def test_every_spelling_of_the_root_lists_it(client, path):
    client.put("a.txt", b"a")
    assert client.names(path) == ["a.txt"]


def test_info(client):
    client.put("a.txt", b"abc")
    file = has_fields(client.info("a.txt").ok(), INFO)
    assert (file["name"], file["path"], file["isDirectory"], file["size"], file["formattedSize"],
            file["extension"]) == ("a.txt", "a.txt", False, 3, "3.0 B", ".txt")
    client.make_folder("", "v1.0").ok()
    folder = has_fields(client.info("/v1.0/").ok(), INFO)
    assert (folder["name"], folder["path"], folder["isDirectory"], folder["size"], folder["formattedSize"],
            folder["extension"]) == ("v1.0", "v1.0", True, 0, "--", "")


@pytest.mark.parametrize("path", ["", "/"])
def test_info_of_the_root(client, path):
    root = has_fields(client.info(path).ok(), INFO)
    assert root["name"] == "" and root["path"] == "" and root["isDirectory"] is True


def test_download(client):
    client.put("a.txt", b"hello")
    answer = client.download("a.txt")
    assert answer.status == 200 and answer.content == b"hello"
    assert answer.headers["Content-Length"] == "5" and answer.headers["Accept-Ranges"] == "bytes"
    assert answer.headers["Content-Type"].startswith("text/plain")
    assert answer.headers["Content-Disposition"].startswith("attachment")


@pytest.mark.parametrize("field", ["file", "files"])
def test_upload_of_one_file(client, field):
    data = client.upload("", form(("a.txt", b"hello"), field=field)).ok()
    assert data == {"uploaded": ["a.txt"], "count": 1}
    assert client.content("a.txt") == b"hello"


def test_upload_of_several_files(client):
    data = client.upload(None, form(("a.txt", b"1"), ("b.txt", b"22"), field="files")).ok()
    assert set(data) == {"uploaded", "count"} and data["count"] == 2
    assert sorted(data["uploaded"]) == ["a.txt", "b.txt"]
    assert client.content("b.txt") == b"22"


def test_create_folder(client):
    has_message(client.make_folder("a/b", "c").ok())
    assert client.names("a/b") == ["c"]
    has_message(client.make_folder(None, "top").ok())
    assert client.names() == ["a", "top"]


def test_create_file(client):
    has_message(client.make_file(None, "empty.md").ok())
    assert client.info("empty.md").ok()["size"] == 0
    assert client.content("empty.md") == b""


def test_move(client):
    client.put("a.txt", b"a")
    client.make_folder("", "to").ok()
    has_message(client.move("a.txt", "to").ok())
    assert client.names() == ["to"] and client.content("to/a.txt") == b"a"


def test_copy(client):
    client.put("a.txt", b"a")
    client.make_folder("", "to").ok()
    has_message(client.copy("a.txt", "to").ok())
    assert client.content("a.txt") == client.content("to/a.txt") == b"a"


def test_rename(client):
    client.put("a.txt", b"a")
    has_message(client.rename("a.txt", "b.txt").ok())
    assert client.names() == ["b.txt"] and client.content("b.txt") == b"a"


def test_delete(client):
    client.put("a.txt", b"a")
    has_message(client.delete("a.txt").ok())
    assert client.list().ok() == []
    client.info("a.txt").fails(404)


def test_account(make_account):
    account = make_account("10GiB", "--display-name", "Ada Lovelace", "--role", "user")
    account.client.put("a.bin", b"x" * 2048)
    data = has_fields(account.client.account().ok(), ACCOUNT)
    assert data == {"username": account.name, "displayName": "Ada Lovelace", "role": "user", "storageUsed": 2048,
                    "storageUsedFormatted": "2.0 KB", "storageLimit": 10 << 30, "storageLimitFormatted": "10.0 GB",
                    "folderScope": "Full access"}


def test_account_of_a_scoped_key(client):
    client.make_folder("docs", "inner").ok()
    assert client.scoped("/docs/inner/").account().ok()["folderScope"] == "docs/inner"


def test_administrators_say_so(make_account):
    assert make_account(role="admin").client.account().ok()["role"] == "admin"


def test_keys(client):
    client.make_folder("", "docs").ok()
    created = has_fields(client.create_key("backup job", "docs").ok(), NEW_KEY)
    assert uuid.UUID(created["key"]).version == 4 and str(uuid.UUID(created["key"])) == created["key"]
    assert created["name"] == "backup job" and created["folderPath"] == created["folderScope"] == "docs"
    listed = {key["id"]: has_fields(key, LISTED_KEY) for key in client.keys().ok()}
    assert len(listed) == 2
    key = listed[created["id"]]
    assert key["keyPreview"] == created["key"][:8] + "…" and key["name"] == "backup job"
    assert key["folderPath"] == key["folderScope"] == "docs" and key["createdAt"] == created["createdAt"]
    assert key["lastUsedAt"] is None


def test_an_unscoped_key(client):
    created = has_fields(client.create_key("all").ok(), NEW_KEY)
    assert created["folderPath"] == "" and created["folderScope"] == "Full access"
    listed = {key["id"]: key for key in client.keys().ok()}[created["id"]]
    assert listed["folderPath"] == "" and listed["folderScope"] == "Full access"


def test_revoke(client):
    created = client.create_key("short-lived").ok()
    other = client.with_key(created["key"])
    other.account().ok()
    has_message(client.revoke(created["id"]).ok())
    other.account().fails(401)
    assert created["id"] not in [key["id"] for key in client.keys().ok()]
    client.revoke(created["id"]).fails(404)


@pytest.mark.parametrize("method, path", [
    ("GET", FILES), ("GET", FILES + "/info"), ("GET", FILES + "/download"), ("DELETE", FILES)])
def test_what_is_missing_is_404(client, method, path):
    client.call(method, path, {"path": "no/such/thing"}).fails(404)
