"""Uploads: the form's odd shapes, large and many files, and requests that break off."""

import hashlib
import os
import socket
import struct
import threading

import pytest

from client import FILES, form, multipart
from raw import RawConnection, head
from server import disk_bytes, eventually, tree_of

UPLOAD = FILES + "/upload"
PIECE = os.urandom(1 << 20)


class GeneratedForm:
    """A body that is made while it is sent: one file of so many mebibytes."""

    def __init__(self, name, mebibytes):
        self.start = f'--b\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'.encode()
        self.end = b"\r\n--b--\r\n"
        self.mebibytes = mebibytes
        self.digest = hashlib.sha256()

    def __len__(self):
        return len(self.start) + (self.mebibytes << 20) + len(self.end)

    def __iter__(self):
        yield self.start
        for number in range(self.mebibytes):
            piece = number.to_bytes(8, "big") + PIECE[8:]
            self.digest.update(piece)
            yield piece
        yield self.end


def send_form(client, path, body, chunked=False):
    headers = {"Content-Type": "multipart/form-data; boundary=b"}
    return client.call("POST", UPLOAD, {"path": path}, headers, iter(body) if chunked else body)


def digest_of(response):
    digest = hashlib.sha256()
    for piece in response.iter_content(1 << 20):
        digest.update(piece)
    return digest.hexdigest()


@pytest.mark.parametrize("chunked", [False, True], ids=["with length", "chunked"])
def test_a_large_file_comes_back_whole(account, chunked):
    body = GeneratedForm("big.bin", 64)
    assert send_form(account.client, "", body, chunked).ok() == {"uploaded": ["big.bin"], "count": 1}
    assert account.client.used() == 64 << 20
    with account.client.stream("big.bin") as response:
        assert digest_of(response) == body.digest.hexdigest()


@pytest.mark.parametrize("field", ["file", "files"])
def test_five_hundred_files_in_one_request(account, field):
    files = [(f"file {i}.txt", f"content {i}".encode()) for i in range(500)]
    data = account.client.upload("", form(*files, field=field)).ok()
    assert data["count"] == 500 and data["uploaded"] == [name for name, _ in files]
    assert account.client.names() == [name for name, _ in files]
    assert account.client.used() == sum(len(content) for _, content in files) == disk_bytes(account.root)
    assert all((account.root / name).read_bytes() == content for name, content in files)


def test_both_fields_count_and_others_are_ignored(client):
    data = client.upload("", [
        ("note", None, b"plain text"), ("files", "a.txt", b"a"), ("file", "b.txt", b"b"), ("upload", "c.txt", b"c"),
        ("Files", "d.txt", b"d"), ("file[]", "e.txt", b"e"), ("files", "f.txt", b"f"), ("path", None, b"elsewhere"),
        ("file", "", b""), ("files", "", b"")]).ok()
    assert data["count"] == 3 and data["uploaded"] == ["a.txt", "b.txt", "f.txt"]
    assert client.names() == ["a.txt", "b.txt", "f.txt"]


@pytest.mark.parametrize("parts", [
    [], [("note", None, b"x")], [("file", "", b"")], [("file", None, b"just a field")], [("other", "a.txt", b"x")]],
    ids=["none", "other field", "empty name", "no file name", "other file"])
def test_no_file_is_400(client, parts):
    client.upload("", parts).fails(400)
    assert client.names() == []


@pytest.mark.parametrize("names", [["a.txt", "a.txt"], ["x/a.txt", "y/a.txt"], ["b.txt", "a.txt", "c.txt", "a.txt"]], ids=str)
def test_the_same_name_twice_is_400_and_stores_nothing(client, names):
    client.upload("", form(*((name, b"x") for name in names), field="files")).fails(400)
    assert client.names() == []


def test_names_that_differ_in_case_are_different_files(client):
    client.upload("", form(("a.txt", b"lower"), ("A.txt", b"upper"))).ok()
    assert client.content("a.txt") == b"lower" and client.content("A.txt") == b"upper"


@pytest.mark.parametrize("content", [
    b"", b"\r\n", b"--", b"--b", b"\r\n--", b"\r\n--x", b"\r\n-", b"--b--\r\n", b"\r\n--c\r\n", b"\n--b\n",
    b"\r--b", b"\r\n" * 1000, b"-" * 5000, b"\r\n\r\n--", b"\0" * 100, b"text\r\n", b"\r\n--a--\r\n",
    b'Content-Disposition: form-data; name="file"; filename="evil"\r\n\r\n'], ids=repr)
def test_content_that_looks_like_framing(client, content):
    if b"\r\n--b" in b"\r\n" + content:
        boundary = "b-and-more"
    else:
        boundary = "b"
    client.upload("", form(("a", content), ("z", b"after")), boundary).ok()
    assert client.content("a") == content and client.content("z") == b"after"


@pytest.mark.parametrize("boundary", ["b", "x" * 70, "----WebKitFormBoundary7MA4YWxkTrZu0gW", "a'()+_,-./:=?z", "0"])
def test_boundaries(client, boundary):
    _, body = multipart(form(("a", b"x" * 100)), boundary)
    header = {"Content-Type": f'multipart/form-data; boundary="{boundary}"'}
    assert client.call("POST", UPLOAD, headers=header, body=body).ok()["count"] == 1


@pytest.mark.parametrize("content_type", [
    None, "", "application/json", "multipart/form-data", "multipart/form-data; boundary=", "text/plain; boundary=b",
    "multipart/mixed; boundary=b", "multipart/form-data; boundary=" + "x" * 71, "multipart/form-data; boundary=b\u00e4",
    "application/x-www-form-urlencoded", "multipart/form-data; border=b"], ids=repr)
def test_other_content_types_are_400(client, content_type):
    _, body = multipart(form(("a", b"x")), "b")
    headers = {} if content_type is None else {"Content-Type": content_type.encode("latin-1")}
    client.call("POST", UPLOAD, headers=headers, body=body).fails(400)
    assert client.names() == []


def test_a_preamble_and_an_epilogue_are_dropped(client):
    _, body = multipart(form(("a", b"x")), "b")
    headers = {"Content-Type": "multipart/form-data; boundary=b"}
    client.call("POST", UPLOAD, headers=headers, body=b"preamble\r\n" + body + b"epilogue\r\n--b\r\n").ok()
    assert client.names() == ["a"] and client.content("a") == b"x"


BROKEN = {
    "empty": b"", "no boundary at all": b"hello", "only the first boundary": b"--b\r\n",
    "no end": b'--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nhello',
    "no end behind a whole file": b'--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nhello\r\n--b\r\n',
    "cut in the last boundary": b'--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nhello\r\n--b-',
    "no disposition": b"--b\r\nContent-Type: text/plain\r\n\r\nhello\r\n--b--\r\n",
    "another disposition": b'--b\r\nContent-Disposition: attachment; filename="a"\r\n\r\nhello\r\n--b--\r\n',
    "head without an end": b'--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n--b--\r\n',
    "huge part head": b'--b\r\nContent-Disposition: form-data; name="file"; filename="' + b"x" * 20_000 + b'"\r\n\r\n\r\n--b--\r\n',
}


@pytest.mark.parametrize("body", BROKEN.values(), ids=BROKEN.keys())
def test_broken_forms_are_400_and_store_nothing(account, body):
    answer = account.client.call("POST", UPLOAD, headers={"Content-Type": "multipart/form-data; boundary=b"}, body=body)
    answer.fails(400)
    assert tree_of(account.root) == set() and account.client.used() == 0


# Requests that break off

def begin(account, files, missing):
    """Sends an upload but for its last `missing` bytes."""
    content_type, body = multipart(files)
    connection = RawConnection(account.server)
    connection.send(head("POST", UPLOAD, f"Content-Type: {content_type}", f"Content-Length: {len(body)}",
                         key=account.key))
    connection.send(body[:len(body) - missing])
    return connection


def reset(connection):
    connection.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


def half_close(connection):
    connection.end_sending()
    answer = connection.read_answer()
    assert answer.status == 400 and answer.error()
    connection.close()


@pytest.mark.parametrize("end", [reset, half_close], ids=["reset", "half-closed"])
@pytest.mark.parametrize("missing", [1, 30, 200_000, 3_000_000])
def test_a_broken_off_upload_changes_nothing(make_account, end, missing):
    account = make_account("10MiB")
    account.client.put("old", b"old content")
    elsewhere = account.server.files_elsewhere()
    end(begin(account, form(("first", PIECE), ("old", PIECE), ("last", PIECE)), missing))
    eventually(lambda: account.server.files_elsewhere() <= elsewhere, "an empty staging area")
    assert tree_of(account.root) == {"old"} and account.client.content("old") == b"old content"
    assert account.client.used() == len(b"old content")
    # What was set aside for the upload is free again, to the byte.
    room = (10 << 20) - account.client.used()
    eventually(lambda: account.client.upload("", form(("rest", b"x" * room))).status == 200, "the room is back")


def test_nothing_is_visible_before_the_end(account):
    account.client.put("old", b"old content")
    connection = begin(account, form(("first", PIECE), ("old", PIECE)), 10)
    assert account.client.names() == ["old"] and account.client.content("old") == b"old content"
    assert account.client.used() == len(b"old content")
    reset(connection)


def test_readers_see_the_old_bytes_or_the_new_never_a_mixture(account):
    contents = {bytes([letter]) * 300_000 for letter in b"abcdef"}
    account.client.put("file", b"a" * 300_000)
    done, seen, wrong = threading.Event(), set(), []

    def read():
        client = account.client.with_key(account.key)
        while not done.is_set():
            content = client.content("file")
            if content not in contents:
                wrong.append(content)
            seen.add(content[:1])

    readers = [threading.Thread(target=read) for _ in range(3)]
    for reader in readers:
        reader.start()
    try:
        for _ in range(10):
            for content in sorted(contents):
                account.client.put("file", content)
    finally:
        done.set()
        for reader in readers:
            reader.join()
    assert not wrong and seen
    assert account.client.used() == 300_000 == disk_bytes(account.root)


def test_a_failing_request_leaves_none_of_its_files_and_the_old_ones_whole(account):
    client = account.client
    client.make_folder("", "taken").ok()
    client.put("b", b"old")
    elsewhere = account.server.files_elsewhere()
    client.upload("", form(("a", b"new"), ("b", b"new"), ("taken", b"new"), ("c", b"new"))).fails(409)
    client.upload("", form(("a", b"new"), ("b", b"new"), ("..", b"new"))).fails(400)
    client.upload("", form(("a", b"new"), ("b", b"new"), ("b", b"new"))).fails(400)
    assert tree_of(account.root) == {"taken/", "b"} and client.content("b") == b"old"
    assert client.used() == 3
    eventually(lambda: account.server.files_elsewhere() <= elsewhere, "an empty staging area")


def test_uploads_leave_files_of_ordinary_rights(account):
    account.client.put("a", b"x")
    mode = (account.root / "a").stat().st_mode
    assert mode & 0o7111 == 0 and mode & 0o600 == 0o600
