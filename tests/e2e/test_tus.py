"""Resumable uploads: tus 1.0.0, its rules one by one, what the quota, the rights and the names make of it."""

import base64
import random
import subprocess
import threading
import time

import pytest

from client import form
from mounting import add_connector, scratch, started
from people import PASSWORD, Person
from raw import LAST_CHUNK, RawConnection, chunk, head
from remote_servers import SftpServer
from server import PATIENCE_S, disk_bytes, eventually
from tus import BYTES, UPLOADS, WEEK_S, Tus, age, checksum, encoded, figures, id_of, spooled, sql

CONTENT = random.Random(1).randbytes(3_000_001)
MOST = 1 << 44


def settled(account, used, reserved=0):
    """The figures, which the disk bears out."""
    eventually(lambda: figures(account.server, account.name) == (used, reserved), f"{used} used and {reserved} reserved")
    assert account.client.used() == disk_bytes(account.root) == used
    assert account.server.wrong_of(account.name) == []


# Creation and what is told of it

def test_a_file_comes_in_pieces(account, tus):
    account.client.make_folder("", "docs").ok()
    place = tus.create(len(CONTENT), "a.bin", "docs")
    assert tus.offset(place) == 0
    for begin, end in ((0, 1), (1, 70_000), (70_000, 2_000_000)):
        assert tus.patch(place, begin, CONTENT[begin:end]).is_(204).offset() == end
        assert tus.offset(place) == end
        assert account.client.names("docs") == []
    answer = tus.patch(place, 2_000_000, CONTENT[2_000_000:]).is_(204)
    assert answer.offset() == len(CONTENT)
    assert account.client.content("docs/a.bin") == CONTENT
    assert spooled(account.server) & {id_of(place)} == set()
    settled(account, len(CONTENT))


def test_what_is_told_of_an_upload(tus):
    metadata = encoded(filename="a.txt", filetype="text/plain", other="") + ",alone"
    answer = tus.call("POST", UPLOADS, {"Upload-Length": "10", "Upload-Metadata": metadata}).is_(201)
    assert time.time() + WEEK_S - 60 < answer.expires_at() < time.time() + WEEK_S + 60
    told = tus.head(answer.headers["Location"]).is_(200)
    assert told.headers["Upload-Length"] == "10" and told.headers["Upload-Metadata"] == metadata and told.offset() == 0
    assert told.expires_at() == answer.expires_at()
    assert tus.patch(answer.headers["Location"], 0, b"12").is_(204).expires_at() >= answer.expires_at()


def test_a_creation_may_bring_bytes(account, tus):
    answer = tus.ask_for(10, body=b"12345").is_(201)
    assert answer.offset() == 5 and tus.offset(answer.headers["Location"]) == 5
    assert tus.patch(answer.headers["Location"], 5, b"67890").is_(204).offset() == 10
    assert account.client.content("a.txt") == b"1234567890"
    whole = tus.ask_for(3, "b.txt", body=b"all").is_(201)
    assert whole.offset() == 3 and account.client.content("b.txt") == b"all"
    settled(account, 13)


def test_an_empty_file_is_there_at_once(account, tus):
    place = tus.create(0, "empty")
    assert account.client.content("empty") == b"" and tus.offset(place) == 0
    tus.ask_for(0, "empty").is_(409, "name_taken")
    tus.ask_for(0, "empty2", body=b"").is_(201)
    assert account.client.names() == ["empty", "empty2"]
    settled(account, 0)
    assert spooled(account.server) & {id_of(place)} == set()


def test_a_creation_that_fails_leaves_nothing(account, tus):
    before = spooled(account.server)
    tus.ask_for(3, body=b"1234").is_(413, "malformed")
    tus.ask_for(3, body=b"123", headers={"Upload-Checksum": checksum(b"124")}).is_(460, "precondition_failed")
    tus.ask_for(3, body=b"123", headers={"Content-Type": "text/plain"}).is_(415, "malformed")
    tus.ask_for(3, body=b"123", headers={"Upload-Checksum": "md5 AAAA"}).is_(400, "malformed")
    assert sql(account.server, f"SELECT count(*) FROM uploads WHERE name = 'a.txt' AND account_id = "
                               f"(SELECT id FROM accounts WHERE name = '{account.name}')") == [("0",)]
    assert account.client.names() == [] and spooled(account.server) == before
    settled(account, 0)


def test_options_need_no_key(server):
    for path in (UPLOADS, UPLOADS + "/some-id"):
        answer = Tus(server, headers={"Tus-Resumable": None}).call("OPTIONS", path).is_(204)
        assert answer.headers["Tus-Version"] == "1.0.0" and answer.headers["Tus-Max-Size"] == str(MOST)
        assert set(answer.headers["Tus-Extension"].split(",")) == {
            "creation", "creation-with-upload", "checksum", "expiration", "termination"}
        assert answer.headers["Tus-Checksum-Algorithm"] == "sha1,sha256"
        assert "POST" in answer.headers["Allow"] and answer.body == b""


def test_another_version_is_refused(tus):
    place = tus.create(10)
    for version in (None, "0.2.2", "1.0.1", "1.0.0, 1.0.0", ""):
        for method, path in (("POST", UPLOADS), ("HEAD", place), ("PATCH", place), ("DELETE", place), ("POST", place)):
            answer = tus.call(method, path, {"Tus-Resumable": version})
            assert answer.status == 412 and answer.headers["Tus-Version"] == "1.0.0", answer
    assert tus.offset(place) == 0


@pytest.mark.parametrize("headers", [
    {"Upload-Length": None}, {"Upload-Length": "-1"}, {"Upload-Length": "1.5"}, {"Upload-Length": ""},
    {"Upload-Length": "99999999999999999999"}, {"Upload-Metadata": None}, {"Upload-Metadata": "filename"},
    {"Upload-Metadata": "filename ?"}, {"Upload-Metadata": encoded(filename="a") + "," + encoded(filename="b")},
    {"Upload-Metadata": encoded(name="a")}, {"Upload-Metadata": "filename YQ==,k " + "QUJD" * 2100},
    {"Upload-Metadata": ",".join(f"k{i}" for i in range(33)) + ",filename YQ=="},
    {"Upload-Metadata": encoded(filename="a/b")}, {"Upload-Metadata": encoded(filename="..")},
    {"Upload-Metadata": encoded(filename="a\nb")}, {"Upload-Metadata": encoded(filename=b"\xff")},
    {"Upload-Metadata": encoded(filename="x" * 256)}, {"Upload-Metadata": encoded(filename="__adm_x")},
    {"Upload-Metadata": encoded(filename=".coffer-staging")},
    {"Upload-Metadata": encoded(filename="a", folder=b"\xff")},
    {"Upload-Metadata": encoded(filename="a", onConflict="skip")}, {"Upload-Metadata": encoded(filename="a", onConflict="Replace")},
    {"Upload-Defer-Length": "1"}, {"Upload-Concat": "partial"},
], ids=str)
def test_a_malformed_creation_is_refused(account, tus, headers):
    given = {"Upload-Length": "10", "Upload-Metadata": encoded(filename="a.txt"), **headers}
    tus.call("POST", UPLOADS, given).is_(400, "malformed")
    settled(account, 0)


def test_why_skip_is_refused_is_told(tus):
    assert "skip" in tus.ask_for(1, onConflict="skip").is_(400, "malformed").detail()


def test_where_an_upload_cannot_go(account, tus):
    account.client.put("file", b"")
    tus.ask_for(1, folder="nowhere").is_(404, "not_found")
    tus.ask_for(1, folder="file").is_(400, "malformed")
    tus.ask_for(1, folder="../x").is_(403, "forbidden")
    tus.ask_for(1, folder="__adm_nothing").is_(404, "not_found")
    tus.ask_for(MOST + 1).is_(413, "over_quota")
    assert account.client.names() == ["file"]


# Going on

def test_a_wrong_offset_is_refused(tus):
    place = tus.create(10)
    for offset in (1, 9, 10, 11, 1 << 62):
        tus.patch(place, offset, b"x").is_(409, "precondition_failed")
    tus.patch(place, 0, b"12345").is_(204)
    for offset in (0, 4, 6):
        tus.patch(place, offset, b"x").is_(409, "precondition_failed")
    for offset in ("", "-1", "x", "5 ", None):
        answer = tus.call("PATCH", place, {"Content-Type": BYTES, "Upload-Offset": offset}, b"x")
        assert answer.status == (204 if offset == "5 " else 400), answer
        if offset == "5 ":  # White space around a value is none of it.
            assert answer.offset() == 6
    assert tus.offset(place) == 6


def test_another_media_type_is_refused(tus):
    place = tus.create(10)
    for media_type in (None, "application/octet-stream", "application/json"):
        tus.patch(place, 0, b"x", {"Content-Type": media_type}).is_(415, "malformed")
    assert tus.offset(place) == 0


def test_more_than_was_announced_is_refused(account, tus):
    place = tus.create(5)
    tus.patch(place, 0, b"123456").is_(413, "malformed")
    assert tus.offset(place) == 0
    chunked = (chunk(piece) for piece in (b"123", b"456"))
    with RawConnection(account.server) as connection:
        connection.send(head("PATCH", place, "Tus-Resumable: 1.0.0", f"Content-Type: {BYTES}", "Upload-Offset: 0",
                             "Transfer-Encoding: chunked", key=account.key))
        connection.send(b"".join(chunked) + LAST_CHUNK)
        assert connection.read_answer().status == 413
    assert account.client.names() == []
    offset = tus.offset(place)
    assert offset < 5
    tus.patch(place, offset, b"12345"[offset:]).is_(204)
    assert account.client.content("a.txt") == b"12345"


def test_chunked_bytes_are_taken(account, tus):
    place = tus.create(len(CONTENT))
    pieces = [CONTENT[at:at + 77_777] for at in range(0, len(CONTENT), 77_777)]
    with RawConnection(account.server) as connection:
        connection.send(head("PATCH", place, "Tus-Resumable: 1.0.0", f"Content-Type: {BYTES}", "Upload-Offset: 0",
                             "Transfer-Encoding: chunked", key=account.key))
        connection.send(b"".join(map(chunk, pieces)) + LAST_CHUNK)
        assert connection.read_answer().status == 204
    assert account.client.content("a.txt") == CONTENT


def test_no_bytes_change_nothing(tus):
    place = tus.create(5)
    assert tus.patch(place, 0, b"").is_(204).offset() == 0
    tus.patch(place, 0, b"12").is_(204)
    assert tus.patch(place, 2, b"").is_(204).offset() == 2


@pytest.mark.parametrize("kind", ["sha1", "sha256"])
def test_checksums(account, tus, kind):
    place = tus.create(len(CONTENT))
    first, second = CONTENT[:2_500_000], CONTENT[2_500_000:]
    tus.patch(place, 0, first, {"Upload-Checksum": checksum(second, kind)}).is_(460, "precondition_failed")
    assert tus.offset(place) == 0
    tus.patch(place, 0, first, {"Upload-Checksum": checksum(first, kind)}).is_(204)
    tus.patch(place, len(first), second, {"Upload-Checksum": checksum(first, kind)}).is_(460)
    assert tus.offset(place) == len(first) and account.client.names() == []
    tus.patch(place, len(first), second, {"Upload-Checksum": checksum(second, kind)}).is_(204)
    assert account.client.content("a.txt") == CONTENT
    settled(account, len(CONTENT))


@pytest.mark.parametrize("text", ["", "sha1", "md5 " + base64.b64encode(bytes(16)).decode(), "sha1 " + "A" * 44, "sha256 !!"])
def test_a_malformed_checksum_is_refused(tus, text):
    place = tus.create(10)
    tus.patch(place, 0, b"x", {"Upload-Checksum": text}).is_(400, "malformed")
    assert tus.offset(place) == 0


def test_what_came_before_the_connection_broke_is_kept(account, tus):
    place = tus.create(len(CONTENT))
    with tus.begin_patch(place, 0, len(CONTENT)) as connection:
        connection.send(CONTENT[:2_000_000])
        eventually(connection.all_is_taken, "what was sent to be taken")
    assert tus.offset(place) == 2_000_000
    tus.send(place, CONTENT).is_(204)
    assert account.client.content("a.txt") == CONTENT


def test_with_a_checksum_nothing_of_it_is(tus):
    place = tus.create(len(CONTENT))
    tus.patch(place, 0, CONTENT[:10]).is_(204)
    with tus.begin_patch(place, 10, len(CONTENT) - 10, f"Upload-Checksum: {checksum(CONTENT[10:])}") as connection:
        connection.send(CONTENT[10:2_000_000])
        eventually(connection.all_is_taken, "what was sent to be taken")
    assert tus.offset(place) == 10


@pytest.mark.parametrize("method", ["PATCH", "HEAD", "DELETE"])
def test_a_later_request_takes_over_from_one_that_stalls(account, tus, method):
    place = tus.create(len(CONTENT))
    with tus.begin_patch(place, 0, len(CONTENT)) as stalled:
        stalled.send(CONTENT[:100_000])
        eventually(stalled.all_is_taken, "what was sent to be taken")
        if method == "HEAD":
            assert tus.offset(place) == 100_000
        elif method == "PATCH":
            tus.patch(place, 0, b"x").is_(409, "precondition_failed")
        else:
            tus.delete(place).is_(204)
            tus.head(place).is_(404)
            tus.patch(place, 0, b"x").is_(404, "not_found")
        assert stalled.is_closed()
    if method != "DELETE":
        tus.send(place, CONTENT).is_(204)
        assert account.client.content("a.txt") == CONTENT


def test_many_at_once_store_one_whole_file(account, tus):
    """Clients that all think that the upload is theirs: whichever gets through, the content is right."""
    place = tus.create(len(CONTENT))
    ended = threading.Event()

    def go_on(seed):
        chance = random.Random(seed)
        while not ended.is_set():
            told = tus.head(place)
            if told.status == 423:
                continue
            offset = told.is_(200).offset()
            if offset == len(CONTENT):
                ended.set()
                return
            try:
                tus.patch(place, offset, CONTENT[offset:offset + chance.randrange(1, 900_000)])
            except (ConnectionError, OSError):
                pass  # Another one took over.
            except Exception as error:
                assert "RemoteDisconnected" in repr(error), error

    threads = [threading.Thread(target=go_on, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE_S)
    assert ended.is_set() and account.client.content("a.txt") == CONTENT
    settled(account, len(CONTENT))


def test_the_end_can_be_asked_for_again(account, tus):
    """The answer to the last bytes may be lost."""
    place = tus.put(b"12345")
    assert tus.offset(place) == 5
    assert tus.patch(place, 5, b"").is_(204).offset() == 5
    tus.patch(place, 0, b"12345").is_(409)
    tus.patch(place, 5, b"6").is_(413)
    tus.delete(place).is_(204)
    tus.head(place).is_(404)
    assert account.client.content("a.txt") == b"12345"
    settled(account, 5)


def test_the_method_can_be_overridden(account, tus):
    place = tus.create(5)
    override = {"Content-Type": BYTES, "Upload-Offset": "0"}
    assert tus.call("POST", place, {**override, "X-HTTP-Method-Override": "PATCH"}, b"123").is_(204).offset() == 3
    tus.call("POST", place, {**override, "X-HTTP-Method-Override": "GET"}, b"123").is_(400, "malformed")
    tus.call("POST", place, override, b"123").is_(400, "malformed")
    tus.call("POST", place, {"X-HTTP-Method-Override": "DELETE"}).is_(204)
    tus.head(place).is_(404)
    settled(account, 0)


def test_what_never_was_is_not_found(tus):
    for place in (UPLOADS + "/nothing", UPLOADS + "/" + "0" * 32, UPLOADS + "/%2e%2e", UPLOADS + "/" + "x" * 5000):
        tus.head(place).is_(404)
        tus.patch(place, 0, b"x").is_(404, "not_found")
        tus.delete(place).is_(404, "not_found")


def test_curl_can_do_it(account, tus, tmp_path):
    (tmp_path / "content").write_bytes(CONTENT)
    common = ["curl", "-sS", "-D", "-", "-o", "/dev/null", "-H", f"X-API-Key: {account.key}", "-H", "Tus-Resumable: 1.0.0"]

    def curl(*words):
        return subprocess.run([*common, *words], capture_output=True, text=True, check=True, timeout=PATIENCE_S).stdout

    told = curl("-X", "POST", "-H", f"Upload-Length: {len(CONTENT)}", "-H", f"Upload-Metadata: {encoded(filename='by curl')}",
                account.server.url + UPLOADS)
    place = told.partition("Location: ")[2].split()[0]
    told = curl("-X", "PATCH", "-H", "Upload-Offset: 0", "-H", f"Content-Type: {BYTES}", "--data-binary",
                f"@{tmp_path / 'content'}", account.server.url + place)
    assert "204 No Content" in told and f"Upload-Offset: {len(CONTENT)}" in told
    assert f"Upload-Offset: {len(CONTENT)}" in curl("-I", account.server.url + place)
    assert account.client.content("by curl") == CONTENT


# Names that are taken

def test_a_taken_name_fails(account, tus):
    account.client.put("a.txt", b"old")
    account.client.make_folder("", "d").ok()
    for more in ({}, {"onConflict": "fail"}):
        tus.ask_for(3, **more).is_(409, "name_taken")
    for conflict in ("fail", "replace"):
        tus.ask_for(3, "d", onConflict=conflict).is_(409, "name_taken")
    assert account.client.content("a.txt") == b"old"
    settled(account, 3)


def test_a_name_that_is_taken_meanwhile_fails_at_the_end(account, tus):
    place = tus.create(3)
    account.client.put("a.txt", b"other")
    tus.patch(place, 0, b"new").is_(409, "name_taken")
    assert account.client.content("a.txt") == b"other" and tus.offset(place) == 2
    settled(account, 5, 3)
    tus.patch(place, 2, b"w").is_(409, "name_taken")
    account.client.delete("a.txt").ok()
    assert tus.patch(place, 2, b"w").is_(204).offset() == 3
    assert account.client.content("a.txt") == b"new"
    settled(account, 3)


def test_replacing(account, tus):
    account.client.put("a.txt", b"an old file")
    tus.put(CONTENT, onConflict="replace")
    assert account.client.content("a.txt") == CONTENT and account.client.names() == ["a.txt"]
    tus.put(b"small", onConflict="replace")
    assert account.client.content("a.txt") == b"small"
    tus.put(b"", onConflict="replace")
    assert account.client.content("a.txt") == b""
    tus.put(b"b", "b.txt", onConflict="replace")
    settled(account, 1)


def test_a_folder_that_comes_meanwhile_is_never_replaced(account, tus):
    place = tus.create(3, onConflict="replace")
    account.client.make_folder("", "a.txt").ok()
    tus.patch(place, 0, b"new").is_(409, "name_taken")
    account.client.delete("a.txt").ok()
    tus.patch(place, 2, b"w").is_(204)
    assert account.client.content("a.txt") == b"new"


def test_keeping_both(account, tus):
    longest = "x" * 251 + ".txt"
    umlauts = "ä" * 127
    for name, others in (("a.txt", ["a (2).txt", "a (3).txt"]), ("a.tar.gz", ["a.tar (2).gz"]), (".profile", [".profile (2)"]),
                         ("plain", ["plain (2)"]), (longest, ["x" * 247 + " (2).txt"]), (umlauts, ["ä" * 125 + " (2)"]),
                         ("d", ["d (2)"])):
        if name == "d":
            account.client.make_folder("", "d").ok()
        else:
            account.client.put(name, b"old")
        for number, other in enumerate(others):
            content = f"new {number}".encode()
            tus.put(content, name, onConflict="keepBoth")
            assert account.client.content(other) == content
        if name != "d":
            assert account.client.content(name) == b"old"
    tus.put(b"free", "free.txt", onConflict="keepBoth")
    assert account.client.content("free.txt") == b"free"


def test_many_of_one_name_are_all_kept(account, tus):
    places = [tus.create(5, onConflict="keepBoth") for _ in range(8)]
    contents = [f"no. {number}".encode() for number in range(8)]
    threads = [threading.Thread(target=tus.patch, args=(place, 0, content)) for place, content in zip(places, contents)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE_S)
    names = account.client.names()
    assert sorted(account.client.content(name) for name in names) == contents
    assert set(names) == {"a.txt", *(f"a ({number}).txt" for number in range(2, 9))}
    settled(account, 40)


# Quota

def test_quota_is_reserved_from_the_creation_on(make_account, described):
    account = make_account("1000")
    tus = Tus(account.server, account.key, described)
    tus.ask_for(1001).is_(413, "over_quota")
    place = tus.create(600)
    settled(account, 0, 600)
    tus.ask_for(401, "b").is_(413, "over_quota")
    account.client.upload("", form(("c", b"x" * 401))).fails(413)
    account.client.put("c", b"x" * 400)
    tus.ask_for(1, "b").is_(413, "over_quota")
    settled(account, 400, 600)
    tus.patch(place, 0, b"y" * 600).is_(204)
    settled(account, 1000)
    account.client.delete("c").ok()
    other = tus.create(400, "b")
    tus.delete(other).is_(204)
    settled(account, 600)
    tus.put(b"z" * 400, "b")
    settled(account, 1000)


def test_what_is_replaced_makes_room(make_account, described):
    account = make_account("1000")
    tus = Tus(account.server, account.key, described)
    account.client.put("a.txt", b"x" * 900)
    tus.ask_for(1001, onConflict="replace").is_(413, "over_quota")
    tus.ask_for(950, onConflict="keepBoth").is_(413, "over_quota")
    place = tus.create(950, onConflict="replace")
    settled(account, 900, 50)
    tus.patch(place, 0, b"y" * 950).is_(204)
    settled(account, 950)


def test_what_was_to_be_replaced_goes_meanwhile(make_account, described):
    """Then it needs more than was reserved: the bytes stay until there is room."""
    account = make_account("1000")
    tus = Tus(account.server, account.key, described)
    account.client.put("a.txt", b"x" * 900)
    place = tus.create(950, onConflict="replace")
    account.client.delete("a.txt").ok()
    account.client.put("b", b"z" * 900)
    tus.patch(place, 0, b"y" * 950).is_(413, "over_quota")
    settled(account, 900, 50)
    account.client.delete("b").ok()
    tus.patch(place, 949, b"y").is_(204)
    assert account.client.content("a.txt") == b"y" * 950
    settled(account, 950)


def test_an_account_has_so_many_unfinished_uploads(account, tus):
    server = account.server
    place = tus.create(1)
    columns = ("account_id, folder, name, shown_name, on_conflict, metadata, modified_at, length_bytes, received_bytes, "
               "state, created_at, touched_at, link_id")
    for number in range(999):
        sql(server, f"INSERT INTO uploads (id, quota_bytes, {columns}) SELECT '{account.name}-{number}', 0, {columns} "
                    f"FROM uploads WHERE id = '{id_of(place)}'")
    answer = tus.ask_for(1).is_(429, "rate_limited")
    assert "too many" in answer.detail()
    tus.patch(place, 0, b"x").is_(204)
    again = tus.create(1, "b.txt")
    tus.ask_for(1, "c.txt").is_(429)
    tus.delete(again).is_(204)
    tus.create(1, "c.txt")
    settled(account, 1, 1)


def test_finished_uploads_leave_few_rows(account, tus):
    place = tus.create(0)
    columns = ("account_id, folder, name, shown_name, on_conflict, metadata, modified_at, length_bytes, received_bytes, "
               "quota_bytes, state, created_at, touched_at, link_id, leads_to")
    sql(account.server, "INSERT INTO uploads (id, " + columns + ") "
        "WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 1200) "
        f"SELECT '{account.name}-' || n, {columns} FROM uploads, numbers WHERE id = '{id_of(place)}'")
    tus.create(0, "b.txt")
    rows = sql(account.server, f"SELECT count(*) FROM uploads WHERE account_id = (SELECT id FROM accounts WHERE name = '{account.name}')")
    assert int(rows[0][0]) == 1000
    settled(account, 0)


# What was not touched for a week

def test_what_was_not_touched_for_a_week_is_gone(account, tus):
    for ask, code in ((tus.head, None), (lambda place: tus.patch(place, 1, b"x"), "not_found"), (tus.delete, "not_found")):
        place = tus.create(100)
        tus.patch(place, 0, b"x").is_(204)
        age(account.server, place, WEEK_S - 60)
        assert tus.offset(place) == 1
        settled(account, 0, 100)
        age(account.server, place, 120)
        ask(place).is_(410, code)
        ask(place).is_(404, code)
        settled(account, 0)
        assert id_of(place) not in spooled(account.server)


def test_bytes_that_were_lost_are_told_as_gone(account, tus):
    place = tus.create(100)
    tus.patch(place, 0, b"x" * 50).is_(204)
    (account.server.data / "uploads" / id_of(place)).write_bytes(b"short")
    tus.patch(place, 50, b"x").is_(410, "not_found")
    tus.head(place).is_(404)
    settled(account, 0)


def test_a_start_sweeps_what_is_old_and_what_nothing_knows(own_server, account_on):
    server = own_server()
    account = account_on(server, "10000")
    tus = Tus(server, account.key)
    old, young, done, fresh = tus.create(100), tus.create(200, "b"), tus.put(b"done", "c"), tus.put(b"fresh", "d")
    for place in (old, young):
        tus.patch(place, 0, b"x").is_(204)
    age(server, old, WEEK_S + 1)
    age(server, young, WEEK_S - 60)
    age(server, done, 24 * 3600 + 1)
    server.stop()
    (server.data / "uploads" / ("0" * 32)).write_bytes(b"of no upload")
    server.start()
    eventually(lambda: spooled(server) == {id_of(young)}, "the sweep")
    eventually(lambda: sql(server, "SELECT count(*) FROM uploads") == [("2",)], "the sweep")
    for place, status in ((old, 404), (young, 200), (done, 404), (fresh, 200)):
        tus.head(place).is_(status)
    settled(account, 9, 200)
    server.cli("account", "remove", account.name)
    server.stop()
    server.start()
    eventually(lambda: spooled(server) == set(), "the sweep")


# Rights

def test_accounts_never_see_each_others(account, make_account, described):
    mine, theirs = (Tus(one.server, one.key, described) for one in (account, make_account()))
    place = mine.create(10)
    for method in ("HEAD", "PATCH", "DELETE"):
        theirs.call(method, place, {"Content-Type": BYTES, "Upload-Offset": "0"}, b"x" if method == "PATCH" else None).is_(404)
    with mine.begin_patch(place, 0, 10) as connection:  # Nor do they end a request of another.
        connection.send(b"12345")
        eventually(connection.all_is_taken, "what was sent to be taken")
        theirs.head(place).is_(404)
        theirs.delete(place).is_(404)
        assert connection.send(b"67890").read_answer().status == 204


def test_a_scoped_key_reaches_those_in_its_folder(account, described):
    client = account.client
    for folder in ("docs", "docs/deep", "docs2", "other"):
        client.make_folder(*folder.rpartition("/")[::2]).ok()
    full, scoped = (Tus(account.server, key, described) for key in (account.key, client.scoped("docs").key))
    inside = [full.create(5, folder=folder) for folder in ("docs", "docs/deep")]
    outside = [full.create(5, folder=folder) for folder in (None, "docs2", "other")]
    for place in outside:
        scoped.head(place).is_(404)
        scoped.patch(place, 0, b"12345").is_(404, "not_found")
        scoped.delete(place).is_(404, "not_found")
    for place in inside:
        scoped.patch(place, 0, b"12345").is_(204)
    scoped.put(b"from the key", "b.txt")
    scoped.put(b"deeper", "c.txt", "deep")
    scoped.ask_for(1, folder="docs").is_(404, "not_found")
    scoped.ask_for(1, folder="../other").is_(403, "forbidden")
    scoped.ask_for(1, folder="__adm_x").is_(403, "forbidden")
    assert client.content("docs/a.txt") == client.content("docs/deep/a.txt") == b"12345"
    assert client.content("docs/b.txt") == b"from the key" and client.content("docs/deep/c.txt") == b"deeper"
    mine = scoped.create(5, "d.txt")
    full.patch(mine, 0, b"12345").is_(204)
    assert client.content("docs/d.txt") == b"12345"


def test_a_read_only_key_reaches_none(server, described):
    name = server.new_name("person")
    server.add_account(name, password=PASSWORD)
    person = Person(server)
    person.sign_in(name)
    made = person.ok("POST", "keys", {"name": "reads", "access": "read"}, status=201)
    server.secrets.add(made["secret"])
    reads = Tus(server, made["secret"], described)
    writes = Tus(server, server.create_key(name)["key"], described)
    place = writes.create(5)
    reads.ask_for(5, "b").is_(403, "forbidden")
    reads.head(place).is_(403)
    reads.patch(place, 0, b"x").is_(403, "forbidden")
    reads.delete(place).is_(403, "forbidden")
    assert writes.offset(place) == 0


def test_a_session_needs_its_token(server, described):
    name = server.new_name("person")
    server.add_account(name, password=PASSWORD)
    person = Person(server)
    person.sign_in(name)
    cookie = {"Cookie": f"coffer_session={person.cookie}"}
    with_token = Tus(server, headers={**cookie, "X-CSRF-Token": person.csrf}, description=described)
    without = Tus(server, headers=cookie, description=described)
    place = with_token.create(5)
    without.ask_for(5).is_(403, "forbidden")
    without.patch(place, 0, b"x").is_(403, "forbidden")
    without.delete(place).is_(403, "forbidden")
    assert without.offset(place) == 0  # Which changes nothing.
    with_token.call("PATCH", place, {"Content-Type": BYTES, "Upload-Offset": "0", "Origin": "https://evil.example"}, b"x").is_(403)
    with_token.patch(place, 0, b"12345").is_(204)
    Tus(server, description=described).ask_for(1).is_(401, "unauthenticated")
    Tus(server, "nonsense", described).head(place).is_(401)


def test_other_origins_get_the_headers_where_they_are_allowed(own_server, account_on):
    server = own_server(cors_origins=["https://app.example"])
    account = account_on(server)
    tus = Tus(server, account.key, headers={"Origin": "https://app.example"})
    asked = {"Access-Control-Request-Method": "PATCH", "Access-Control-Request-Headers": "upload-offset"}
    with RawConnection(server) as connection:
        lines = [f"{name}: {value}" for name, value in {"Origin": "https://app.example", **asked}.items()]
        answer = connection.send(head("OPTIONS", UPLOADS, *lines)).read_answer()
    allowed = {name.strip().lower() for name in answer.headers["access-control-allow-headers"].split(",")}
    assert {"tus-resumable", "upload-length", "upload-offset", "upload-metadata", "upload-checksum",
            "x-http-method-override", "content-type", "x-api-key"} <= allowed
    answer = tus.ask_for(3)
    exposed = {name.strip().lower() for name in answer.headers["Access-Control-Expose-Headers"].split(",")}
    assert {"location", "upload-offset", "upload-length", "upload-expires", "upload-metadata", "tus-resumable",
            "tus-version", "tus-extension", "tus-max-size", "tus-checksum-algorithm"} <= exposed
    assert tus.call("OPTIONS", UPLOADS).headers["Tus-Max-Size"] == str(MOST)


@pytest.fixture(scope="module")
def remote():
    with started(SftpServer) as remotes:
        yield remotes["sftp"]


WITHDRAWALS = [("key", "own", 401), ("key", "share", 401), ("key", "mount", 401), ("account", "own", 401),
               ("account", "mount", 401), ("membership", "share", 403), ("writing to the share", "share", 403),
               ("writing to the mount", "mount", 403), ("the mount", "mount", 409), ("the share", "share", 409)]


@pytest.mark.parametrize("is_under_way", [False, True], ids=["between requests", "in a request"])
@pytest.mark.parametrize("what, where, status", WITHDRAWALS)
def test_a_withdrawn_right_stores_nothing(server, make_account, remote, described, what, where, status, is_under_way):
    account = make_account("10000")
    with scratch("shared") as shared:
        (remote.root / account.name).mkdir()
        share = server.cli_json("share", "add", "--name", account.name, "--target", shared, "--account", account.name)["id"]
        mount = add_connector(server, account.name, "Far away", remote.options(), account.name)
        folder = {"own": None, "share": f"__adm_{share}", "mount": mount}[where]
        on_disk = {"own": account.root, "share": shared, "mount": remote.root / account.name}[where]
        key = account.client.create_key("uploads").ok()
        tus = Tus(server, key["key"], described)
        place = tus.create(10, folder=folder)
        connector = ["--account", account.name, "Far away"]
        withdraw = {
            "key": ["key", "revoke", key["id"], "--account", account.name],
            "account": ["account", "set", account.name, "--disabled", "true"],
            "membership": ["share", "set", share, "--account", server.add_account(), "--no-account", account.name],
            "writing to the share": ["share", "set", share, "--read-only", "true"],
            "the share": ["share", "remove", share],
            "writing to the mount": ["connector", "set", *connector, "--read-only", "true"],
            "the mount": ["connector", "remove", *connector],
        }[what]
        if is_under_way:
            with tus.begin_patch(place, 0, 10) as connection:
                connection.send(b"12345")
                eventually(connection.all_is_taken, "what was sent to be taken")
                server.cli(*withdraw)
                assert connection.send(b"67890").read_answer().status == status
        else:
            tus.patch(place, 0, b"12345").is_(204)
            server.cli(*withdraw)
            tus.patch(place, 5, b"67890").is_(status)
        # A name that it had out of sight is reclaimed behind the answer.
        eventually(lambda: not [item for item in on_disk.rglob("*") if item.is_file()], "nothing to be left")
        reserved = 10 if where == "own" else 0
        eventually(lambda: figures(server, account.name) == (0, reserved), "the reservation to be what it was")
        if what != "the share":
            server.cli("share", "remove", share)


# Places

def test_a_folder_that_goes_meanwhile(account, tus):
    account.client.make_folder("", "docs").ok()
    place = tus.create(5, folder="docs")
    account.client.delete("docs").ok()
    tus.patch(place, 0, b"12345").is_(409, "precondition_failed")
    settled(account, 0, 5)
    account.client.make_folder("", "docs").ok()
    offset = tus.offset(place)
    tus.patch(place, offset, b"12345"[offset:]).is_(204)
    assert account.client.content("docs/a.txt") == b"12345"
    settled(account, 5)


@pytest.mark.parametrize("by", ["rename", "move", "parent", "task"])
@pytest.mark.parametrize("of", ["whole key", "limited key"])
def test_an_upload_follows_its_folder(account, described, of, by):
    client = account.client
    for path in ("top/docs", "elsewhere"):
        client.make_folder(*path.rpartition("/")[::2]).ok()
    key = client.create_key("limited", folder="top/docs").ok()["key"] if of == "limited key" else account.key
    tus = Tus(account.server, key, described)
    place = tus.create(5, folder="" if of == "limited key" else "top/docs")
    tus.patch(place, 0, b"12").is_(204)
    if by == "rename":
        client.rename("top/docs", "papers").ok()
    elif by == "move":
        client.move("top/docs", "elsewhere").ok()
    elif by == "parent":
        client.rename("top", "renamed").ok()
    else:
        person = Person(account.server, account.key)
        task = person.ok("POST", "tasks", {"kind": "move", "sources": ["top/docs"], "destination": "elsewhere"}, 202)
        eventually(lambda: person.ok("GET", "tasks/" + task["id"])["state"] == "done", "the move")
    there = {"rename": "top/papers", "move": "elsewhere/docs", "parent": "renamed/docs", "task": "elsewhere/docs"}[by]
    client.make_folder("top", "docs").ok()
    assert tus.offset(place) == 2
    tus.patch(place, 2, b"345").is_(204)
    assert client.content(there + "/a.txt") == b"12345" and client.names("top/docs") == []
    settled(account, 5)


def test_a_server_that_is_away_gets_it_later(account, tus, remote):
    (remote.root / account.name).mkdir()
    mount = add_connector(account.server, account.name, "Far away", remote.options(), account.name)
    place = tus.create(len(CONTENT), folder=mount)
    tus.patch(place, 0, CONTENT[:-1]).is_(204)
    remote.stop()
    try:
        answer = tus.patch(place, len(CONTENT) - 1, CONTENT[-1:])
        assert answer.status in (502, 504), answer
    finally:
        remote.start()
    assert tus.offset(place) == len(CONTENT) - 1

    def published():
        answer = tus.patch(place, len(CONTENT) - 1, CONTENT[-1:])
        assert answer.status in (204, 502, 504), answer
        return answer.status == 204

    eventually(published, "the server to be asked again")
    assert (remote.root / account.name / "a.txt").read_bytes() == CONTENT
    assert account.client.used() == 0


def test_a_share_on_another_disk(account, tus):
    """Where the bytes cannot take their place without a copy."""
    import pathlib
    import shutil
    import tempfile
    other = pathlib.Path(tempfile.mkdtemp(prefix="coffer-share-", dir="/dev/shm"))
    assert other.stat().st_dev != account.server.data.stat().st_dev
    share = account.server.cli_json("share", "add", "--name", account.name, "--target", other, "--account", account.name)["id"]
    try:
        tus.put(CONTENT, folder=f"__adm_{share}", modified="2001-09-09T01:46:40")
        assert (other / "a.txt").read_bytes() == CONTENT and (other / "a.txt").stat().st_mtime == 1_000_000_000
        tus.put(b"new", folder=f"__adm_{share}", onConflict="replace")
        tus.put(b"newer", folder=f"__adm_{share}", onConflict="keepBoth")
        assert (other / "a.txt").read_bytes() == b"new" and (other / "a (2).txt").read_bytes() == b"newer"
        tus.ask_for(1, folder=f"__adm_{share}").is_(409, "name_taken")
    finally:
        account.server.cli("share", "remove", share)
        shutil.rmtree(other)


def test_on_its_own_disk_nothing_is_copied(account, tus):
    place = tus.create(len(CONTENT))
    tus.patch(place, 0, CONTENT[:-1]).is_(204)
    inode = (account.server.data / "uploads" / id_of(place)).stat().st_ino
    tus.patch(place, len(CONTENT) - 1, CONTENT[-1:]).is_(204)
    status = (account.root / "a.txt").stat()
    assert status.st_ino == inode and status.st_nlink == 1
