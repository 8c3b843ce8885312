"""What each operation does to files and folders."""

import datetime
import os

import pytest

from client import form
from server import tree_of


def on_disk(account, *names):
    """Makes items directly on disk: folders end in a slash."""
    for name in names:
        path = account.root / name
        if name.endswith("/"):
            path.mkdir(parents=True)
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(name.encode())


# Listings

def test_order_of_a_listing(account):
    folders = ["alpha/", "Beta9/", "beta10/", "Beta10x/", "Zeta/"]
    files = ["1.txt", "2.txt", "10.txt", "A.txt", "a.txt", "b.txt", "é.txt", "file02", "file2", "file10", "File11", "Z"]
    on_disk(account, *reversed(files), *reversed(folders))
    assert account.client.names() == [name.rstrip("/") for name in folders] + files


def test_very_long_numbers_are_in_order(account):
    numbers = ["9" * 19, "9" * 20, "1" + "0" * 20, "1" + "0" * 100, "1" + "0" * 99 + "1"]
    on_disk(account, *reversed(numbers))
    assert account.client.names() == numbers


@pytest.mark.parametrize("size, text", [
    (0, "0.0 B"), (1, "1.0 B"), (1023, "1023.0 B"), (1024, "1.0 KB"), (1536, "1.5 KB"), (10 << 10, "10.0 KB"),
    (1 << 20, "1.0 MB"), (5 * 1024 * 1024 // 2, "2.5 MB"), (1 << 30, "1.0 GB"), (3435973837, "3.2 GB"),
    (1 << 40, "1.0 TB")])
def test_sizes_are_formatted(account, size, text):
    with (account.root / "sparse").open("wb") as file:
        file.truncate(size)
    info = account.client.info("sparse").ok()
    assert (info["size"], info["formattedSize"]) == (size, text)
    entry = account.client.list().ok()[0]
    assert (entry["size"], entry["formattedSize"]) == (size, text)


@pytest.mark.parametrize("name, extension", [
    ("a.txt", ".txt"), ("a.tar.gz", ".gz"), ("A.JPG", ".JPG"), (".profile", ""), (".a.b", ".b"), ("none", ""),
    ("dot.", "."), ("a b.c d", ".c d"), ("..x", ".x"), ("ä.ö", ".ö")])
def test_extensions(account, name, extension):
    on_disk(account, name)
    assert account.client.info(name).ok()["extension"] == extension
    assert account.client.list().ok()[0]["extension"] == extension


@pytest.mark.parametrize("time", ["2026-11-21T06:14:09", "1999-12-31T23:59:59", "1970-01-01T00:00:00",
                                  "2040-02-29T12:00:00"])
def test_modification_times_are_utc(account, time):
    on_disk(account, "a.txt", "d/")
    seconds = datetime.datetime.fromisoformat(time).replace(tzinfo=datetime.timezone.utc).timestamp()
    for name in ("a.txt", "d"):
        os.utime(account.root / name, ns=(0, int(seconds) * 10**9 + 999_999_999))
        assert account.client.info(name).ok()["modifiedAt"] == time
    assert [entry["modifiedAt"] for entry in account.client.list().ok()] == [time, time]


def test_names_that_are_not_utf8_are_not_listed(account):
    on_disk(account, "good.txt")
    (account.root / os.fsdecode(b"bad\xff.txt")).write_bytes(b"x")
    (account.root / os.fsdecode(b"bad\xfe")).mkdir()
    assert account.client.names() == ["good.txt"]


# Create

def test_create_folder_refuses_a_taken_name(client):
    client.put("file", b"x")
    client.make_folder("", "folder").ok()
    client.make_folder("", "file").fails(409)
    client.make_folder("", "folder").fails(409)
    assert client.content("file") == b"x"


def test_create_folder_below_a_file_fails(client):
    client.put("file", b"x")
    client.make_folder("file", "sub").fails(400, 404, 409)
    client.make_folder("file/a/b", "sub").fails(400, 404, 409)
    assert client.names() == ["file"]


@pytest.mark.parametrize("path", ["x" * 256, "a/back\\slash/b", "é" * 128 + "/c"], ids=len)
def test_missing_parents_obey_the_rules_of_names(client, path):
    client.make_folder(path, "new").fails(400)
    assert client.names() == []


def test_parents_found_on_disk_keep_their_odd_names(account):
    on_disk(account, "back\\slash/")
    account.client.make_folder("back\\slash/a", "b").ok()
    assert tree_of(account.root) == {"back\\slash/", "back\\slash/a/", "back\\slash/a/b/"}


def test_create_file_needs_its_parent(client):
    client.make_file("no/such", "a.txt").fails(404)
    assert client.names() == []


def test_create_file_does_nothing_if_the_name_is_taken(client):
    client.put("a.txt", b"content")
    client.make_folder("d", "a.txt").ok()
    before = client.info("a.txt").ok()
    client.make_file("", "a.txt").ok()
    client.make_file("", "d").ok()
    client.make_file("d", "a.txt").ok()
    assert client.content("a.txt") == b"content" and client.info("a.txt").ok() == before
    assert client.info("d/a.txt").ok()["isDirectory"]


# Upload

def test_upload_replaces_a_file(client):
    client.put("a.txt", b"long old content")
    client.put("a.txt", b"new")
    assert client.content("a.txt") == b"new" and client.names() == ["a.txt"]


def test_upload_does_not_replace_a_folder(account):
    client = account.client
    client.make_folder("name", "inner").ok()
    client.upload("", form(("first", b"1"), ("name", b"2"), ("last", b"3"))).fails(409)
    assert tree_of(account.root) == {"name/", "name/inner/"}


def test_upload_needs_its_folder(client):
    client.upload("no/such", form(("a", b"x"))).fails(404)
    client.put("file", b"x")
    client.upload("file", form(("a", b"x"))).fails(400, 404)
    assert client.names() == ["file"]


# Move and copy

OPERATIONS = pytest.mark.parametrize("operation", ["move", "copy"])


@OPERATIONS
@pytest.mark.parametrize("to", [None, "", "/"])
def test_an_empty_destination_is_the_root(client, operation, to):
    client.make_folder("", "d").ok()
    client.put("d/a.txt", b"x")
    getattr(client, operation)("d/a.txt", to).ok()
    assert client.content("a.txt") == b"x"
    assert client.names("d") == ([] if operation == "move" else ["a.txt"])


@OPERATIONS
def test_a_tree_goes_along_whole(account, operation):
    on_disk(account, "from/a.txt", "from/b/c/deep.txt", "from/empty/", "to/")
    os.utime(account.root / "from/b/c/deep.txt", (10**9, 10**9))
    getattr(account.client, operation)("from", "to").ok()
    copied = {"from/", "from/a.txt", "from/b/", "from/b/c/", "from/b/c/deep.txt", "from/empty/"}
    assert tree_of(account.root / "to") == copied
    assert (account.root / "from").exists() == (operation == "copy")
    assert account.client.content("to/from/b/c/deep.txt") == b"from/b/c/deep.txt"
    assert account.client.info("to/from/b/c/deep.txt").ok()["modifiedAt"] == "2001-09-09T01:46:40"


@OPERATIONS
def test_destinations_must_be_existing_folders(account, operation):
    on_disk(account, "a.txt", "file")
    act = getattr(account.client, operation)
    act("a.txt", "no/such").fails(404)
    act("a.txt", "file").fails(400)
    act("no-such", "").fails(404)
    assert tree_of(account.root) == {"a.txt", "file"}


@OPERATIONS
@pytest.mark.parametrize("taken", ["to/x", "to/x/"])
@pytest.mark.parametrize("source", ["x", "x/"])
def test_taken_names_are_refused(account, operation, source, taken):
    on_disk(account, source, taken)
    before = tree_of(account.root)
    getattr(account.client, operation)("x", "to").fails(409)
    assert tree_of(account.root) == before


@OPERATIONS
@pytest.mark.parametrize("to", ["d", "d/", "/d/inner", "d/inner/deep"])
def test_a_folder_does_not_go_into_itself(account, operation, to):
    on_disk(account, "d/inner/deep/", "d/a.txt", "d2/")
    before = tree_of(account.root)
    getattr(account.client, operation)("d", to).fails(400)
    assert tree_of(account.root) == before
    getattr(account.client, operation)("d", "d2").ok()


def test_copy_beside_itself_is_refused(account):
    on_disk(account, "d/a.txt")
    account.client.copy("d/a.txt", "d").fails(409)
    account.client.copy("d", "").fails(409)
    assert tree_of(account.root) == {"d/", "d/a.txt"}


def test_move_to_where_it_is_changes_nothing(account):
    on_disk(account, "d/a.txt")
    assert account.client.move("d/a.txt", "d").status in (200, 409)
    assert account.client.move("d", "").status in (200, 409)
    assert tree_of(account.root) == {"d/", "d/a.txt"}


# Rename

def test_rename_of_a_folder_keeps_what_is_in_it(account):
    on_disk(account, "d/a.txt")
    account.client.rename("d", "e").ok()
    assert tree_of(account.root) == {"e/", "e/a.txt"}


@pytest.mark.parametrize("taken", ["b", "b/"])
@pytest.mark.parametrize("source", ["a", "a/"])
def test_rename_to_a_taken_name_is_refused(account, source, taken):
    on_disk(account, source, taken)
    before = tree_of(account.root)
    account.client.rename("a", "b").fails(409)
    assert tree_of(account.root) == before


@pytest.mark.parametrize("source", ["d/Name", "d/Name/"])
def test_rename_to_the_same_name_and_to_another_case(account, source):
    on_disk(account, source)
    account.client.rename("d/Name", "Name").ok()
    assert account.client.names("d") == ["Name"]
    account.client.rename("d/Name", "nAME").ok()
    assert account.client.names("d") == ["nAME"]


def test_rename_needs_the_item(client):
    client.rename("no-such", "x").fails(404)
    client.rename("no-such", "no-such").fails(404)


# Delete

def test_delete_takes_folders_with_all_in_them(account):
    on_disk(account, "d/a/b/c.txt", "d/x.txt", "d2/keep.txt", "e.txt")
    account.client.delete("d").ok()
    assert tree_of(account.root) == {"d2/", "d2/keep.txt", "e.txt"}
    account.client.delete("d").fails(404)


def test_delete_of_an_odd_name_found_on_disk(account):
    on_disk(account, "back\\slash")
    account.client.delete("back\\slash").ok()
    assert tree_of(account.root) == set()


@pytest.mark.parametrize("path", ["file/x", "file/x/y"])
def test_nothing_lies_below_a_file(account, path):
    on_disk(account, "file")
    client = account.client
    for answer in (client.info(path), client.download(path), client.list(path), client.delete(path),
                   client.rename(path, "n"), client.move(path, ""), client.copy(path, "")):
        answer.fails(404, 400)
    assert tree_of(account.root) == {"file"}


@pytest.mark.parametrize("name", ["x" * 256, "é" * 200, "x" * 5000], ids=len)
def test_names_longer_than_any_file_system_takes_do_not_exist(account, name):
    client = account.client
    for answer in (client.info(name), client.download(name), client.list(name), client.delete(name),
                   client.rename(name, "n"), client.move(name, ""), client.copy("x", name)):
        answer.fails(404, 400)
