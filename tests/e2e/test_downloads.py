"""Downloads: ranges, conditions, headers."""

import email
import os
import time
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import unquote

import pytest

from client import FILES

CONTENT = bytes(range(256)) * 4  # 1024 bytes


@pytest.fixture(scope="module")
def client(module_account):
    module_account.client.put("a.bin", CONTENT)
    module_account.client.put("empty", b"")
    return module_account.client


def ranged(client, value, **headers):
    return client.download("a.bin", {"Range": value, **headers})


@pytest.mark.parametrize("value, first, last", [
    ("bytes=0-0", 0, 0), ("bytes=0-99", 0, 99), ("bytes=100-", 100, 1023), ("bytes=-10", 1014, 1023),
    ("bytes=1000-5000", 1000, 1023), ("bytes=-5000", 0, 1023), ("bytes=1023-1023", 1023, 1023), ("bytes=0-", 0, 1023),
    ("bytes=512-767", 512, 767), ("Bytes=1-2", 1, 2), ("bytes=0-99999999999999999999", 0, 1023), ("bytes= 1-2", 1, 2)])
def test_single_ranges(client, value, first, last):
    answer = ranged(client, value)
    assert answer.status == 206, answer
    assert answer.content == CONTENT[first:last + 1]
    assert answer.headers["Content-Range"] == f"bytes {first}-{last}/1024"
    assert answer.headers["Content-Length"] == str(last - first + 1)
    assert answer.headers["ETag"] == client.download("a.bin").headers["ETag"]


@pytest.mark.parametrize("value", ["bytes=1024-", "bytes=5000-6000", "bytes=-0", "bytes=1024-1024,2000-"])
def test_unsatisfiable_ranges_are_416(client, value):
    answer = ranged(client, value)
    answer.fails(416)
    assert answer.headers["Content-Range"] == "bytes */1024"


@pytest.mark.parametrize("value", ["bytes=", "bytes", "bytes=a-b", "bytes=5-2", "lines=0-1", "bytes=1-2-3", "0-1",
                                   "bytes=--5", "bytes=-", "bytes=1 -2x", "bytes=0-1;2-3", "", "bytes=0x1-2"])
def test_malformed_ranges_are_ignored(client, value):
    answer = ranged(client, value)
    assert answer.status == 200 and answer.content == CONTENT and "Content-Range" not in answer.headers


def parts_of(answer):
    kind = answer.headers["Content-Type"]
    assert kind.startswith("multipart/byteranges; boundary="), kind
    message = email.message_from_bytes(b"Content-Type: " + kind.encode() + b"\r\n\r\n" + answer.content)
    # The email parser is made for text; the parts are cut out by their framing here.
    boundary = b"--" + message.get_boundary().encode()
    pieces = answer.content.split(boundary)
    assert pieces[-1].startswith(b"--")
    parts = []
    for piece in pieces[1:-1]:
        heads, _, body = piece.partition(b"\r\n\r\n")
        fields = email.message_from_bytes(heads.lstrip(b"\r\n") + b"\r\n\r\n")
        parts.append((fields["Content-Range"], body[:-2], fields["Content-Type"]))
    return parts


@pytest.mark.parametrize("value, expected", [
    ("bytes=0-9,100-109", [(0, 9), (100, 109)]),
    ("bytes=0-0,-1", [(0, 0), (1023, 1023)]),
    ("bytes=10-19 , 500-599,\t1000-", [(10, 19), (500, 599), (1000, 1023)]),
    ("bytes=0-9,5000-6000,20-29", [(0, 9), (20, 29)]),
])
def test_several_ranges(client, value, expected):
    answer = ranged(client, value)
    assert answer.status == 206
    assert answer.headers["Content-Length"] == str(len(answer.content))
    assert "Content-Range" not in answer.headers
    assert [(text, body) for text, body, _ in parts_of(answer)] == [
        (f"bytes {first}-{last}/1024", CONTENT[first:last + 1]) for first, last in expected]
    assert all(kind == client.download("a.bin").headers["Content-Type"] for _, _, kind in parts_of(answer))


@pytest.mark.parametrize("value", ["bytes=" + ",".join(["0-1023"] * 200), "bytes=" + ",".join(["0-"] * 1000)])
def test_many_overlapping_ranges_never_cost_more_than_the_file(client, value):
    answer = ranged(client, value)
    assert answer.status in (200, 206, 416)
    assert len(answer.content) < 2 * len(CONTENT)


def test_a_single_satisfiable_one_of_several_is_enough(client):
    answer = ranged(client, "bytes=0-9,5000-")
    assert answer.status == 206 and CONTENT[:10] in answer.content


def test_an_empty_file(client):
    answer = client.download("empty")
    assert answer.status == 200 and answer.content == b"" and answer.headers["Content-Length"] == "0"
    for value in ("bytes=0-", "bytes=0-0"):
        client.download("empty", {"Range": value}).fails(416)


def test_if_range(client):
    headers = client.download("a.bin").headers
    assert ranged(client, "bytes=0-9", **{"If-Range": headers["ETag"]}).status == 206
    assert ranged(client, "bytes=0-9", **{"If-Range": '"other"'}).status == 200
    assert ranged(client, "bytes=0-9", **{"If-Range": "W/" + headers["ETag"]}).status == 200
    assert ranged(client, "bytes=0-9", **{"If-Range": "Thu, 01 Jan 1970 00:00:00 GMT"}).status == 200
    whole = ranged(client, "bytes=0-9", **{"If-Range": '"other"'})
    assert whole.content == CONTENT


def test_if_range_by_a_date_needs_an_old_one(account):
    """Within the second that a date names the file may have changed twice."""
    account.client.put("a", CONTENT)
    for age_s, status in ((1, 200), (3600, 206)):
        modified = int(time.time()) - age_s
        os.utime(account.root / "a", (modified, modified))
        date = account.client.download("a").headers["Last-Modified"]
        answer = account.client.download("a", {"Range": "bytes=0-9", "If-Range": date})
        assert (answer.status, len(answer.content)) == (status, 10 if status == 206 else len(CONTENT))


def test_a_range_of_a_replaced_file_under_its_old_etag_is_the_whole_new_file(account):
    account.client.put("a", b"old" * 100)
    etag = account.client.download("a").headers["ETag"]
    account.client.put("a", b"new" * 100)
    answer = account.client.download("a", {"Range": "bytes=10-19", "If-Range": etag})
    assert answer.status == 200 and answer.content == b"new" * 100


def test_etags_are_strong_and_change_with_the_content(account):
    client, seen = account.client, set()
    for content in (b"one", b"two", b"six", b"longer"):
        client.put("a", content)
        etag = client.download("a").headers["ETag"]
        assert etag.startswith('"') and etag.endswith('"') and len(etag) > 2
        assert etag == client.download("a").headers["ETag"]
        seen.add(etag)
    assert len(seen) == 4


@pytest.mark.parametrize("value, status", [
    ("{etag}", 304), ("W/{etag}", 304), ("*", 304), ('"other"', 200), ('"x", {etag} , "y"', 304), ('"a,b", {etag}', 304)])
def test_if_none_match(client, value, status):
    etag = client.download("a.bin").headers["ETag"]
    answer = client.download("a.bin", {"If-None-Match": value.format(etag=etag)})
    assert answer.status == status and answer.headers["ETag"] == etag


def test_if_modified_since(client):
    modified = client.download("a.bin").headers["Last-Modified"]
    for value, status in ((modified, 304), ("Fri, 31 Dec 2100 00:00:00 GMT", 304), ("Thu, 01 Jan 1970 00:00:00 GMT", 200),
                          ("nonsense", 200)):
        assert client.download("a.bin", {"If-Modified-Since": value}).status == status
    # If-None-Match decides where both are sent.
    both = {"If-Modified-Since": modified, "If-None-Match": '"other"'}
    assert client.download("a.bin", both).status == 200


def test_if_match_and_if_unmodified_since(client):
    etag = client.download("a.bin").headers["ETag"]
    assert client.download("a.bin", {"If-Match": etag}).status == 200
    assert client.download("a.bin", {"If-Match": "*"}).status == 200
    assert client.download("a.bin", {"If-Match": '"other"'}).status == 412
    assert client.download("a.bin", {"If-Unmodified-Since": "Thu, 01 Jan 1970 00:00:00 GMT"}).status == 412


def test_last_modified_is_the_files_own_time(account):
    (account.root / "a").write_bytes(b"x")
    os.utime(account.root / "a", (10**9, 10**9))
    assert account.client.download("a").headers["Last-Modified"] == "Sun, 09 Sep 2001 01:46:40 GMT"


def test_conditions_come_before_ranges(client):
    etag = client.download("a.bin").headers["ETag"]
    assert ranged(client, "bytes=0-9", **{"If-None-Match": etag}).status == 304
    assert ranged(client, "bytes=9999-", **{"If-None-Match": etag}).status == 304


def test_head_of_a_download(client):
    answer = client.download("a.bin", method="HEAD")
    assert answer.status == 200 and answer.content == b""
    get = client.download("a.bin")
    for name in ("Content-Length", "Content-Type", "ETag", "Last-Modified", "Accept-Ranges", "Content-Disposition"):
        assert answer.headers[name] == get.headers[name]


@pytest.mark.parametrize("name, kinds", [
    ("a.txt", {"text/plain"}), ("a.html", {"text/html"}), ("a.svg", {"image/svg+xml"}), ("a.png", {"image/png"}),
    ("a.JPG", {"image/jpeg"}), ("a.pdf", {"application/pdf"}), ("a.json", {"application/json"}),
    ("a.zip", {"application/zip"}), ("a.mp4", {"video/mp4"}), ("a", {"application/octet-stream"}),
    ("a.unknown-thing", {"application/octet-stream"}), (".png", {"application/octet-stream", "image/png"})])
def test_media_types_and_how_they_are_served(client, name, kinds):
    client.put(name, b"<script>alert(1)</script>")
    headers = client.download(name).headers
    assert headers["Content-Type"].split(";")[0] in kinds
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Content-Disposition"].startswith("attachment")


@pytest.mark.parametrize("name", ["plain.txt", "two words.txt", "ü.txt", "日本語.txt", 'quote".txt', "semi;colon.txt",
                                  "per%20cent.txt", "comma,.txt", "a=b.txt", "'single'.txt", "👍.txt", "(round).txt", "*",
                                  "\u202egpj.txt", "x" * 255])
def test_content_disposition_carries_any_name(client, name):
    client.put(name.replace('"', '\\"'), b"x")
    value = client.download(name).headers["Content-Disposition"]
    assert all(32 <= ord(letter) < 127 for letter in value), value
    message = email.message_from_string(f"Content-Disposition: {value}\n\n")
    assert message.get_content_disposition() == "attachment"
    assert "filename*=UTF-8''" in value
    extended = value.split("filename*=UTF-8''", 1)[1].split(";")[0]
    assert unquote(extended) == name
    assert not set(extended) & set(" \"'()*,/:;<=>?@[\\]{}")


def test_a_backslash_in_a_name_on_disk_is_escaped(module_account, client):
    (module_account.root / 'odd\\"name').write_bytes(b"x")
    value = client.download('odd\\"name').headers["Content-Disposition"]
    message = email.message_from_string(f"Content-Disposition: {value}\n\n")
    assert message.get_content_disposition() == "attachment"


def test_downloads_need_a_key(client):
    client.with_key(None).download("a.bin").fails(401)


def test_a_download_that_the_client_leaves_does_no_harm(account):
    account.client.put("big", os.urandom(8 << 20))
    for _ in range(3):
        with account.client.stream("big") as response:
            assert len(response.raw.read(1000)) == 1000
    assert account.client.info("big").ok()["size"] == 8 << 20


def test_parallel_ranges_put_together_are_the_file(account):
    content = os.urandom(3_000_001)
    account.client.put("big", content)
    step = 250_000

    def piece(at):
        other = account.client.with_key(account.key)
        return other.call("GET", FILES + "/download", {"path": "big"}, {"Range": f"bytes={at}-{at + step - 1}"}).content

    with ThreadPoolExecutor(6) as pool:
        assert b"".join(pool.map(piece, range(0, len(content), step))) == content
