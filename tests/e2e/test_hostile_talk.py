"""Servers that never end, answer nonsense, or send other content than they announced."""

import itertools
import socket
import struct

import pytest

from client import form
from hostile import FOLDER, HostileFtp, HostileSftp, Talker, attributes, packet
from hostile_mount import MOST_OF_A_LISTING_BYTES, hostile_of, kinds, listing_of, mlsd_line, unix_line
from mounting import contents, download

ENDLESS_BYTES = 96 << 20  # An end, for the test's sake.
ENDLESS_WELCOME_BYTES = 8 << 20
ON_THE_WAY_BYTES = 4 << 20  # What a server gets rid of though it is unwanted.


def endless(make_piece, limit=ENDLESS_BYTES):
    """Pieces until there are enough of them."""

    def pieces():
        sent = 0
        for number in itertools.count():
            piece = make_piece(number)
            yield piece
            sent += sum(len(name) for name, _ in piece) if isinstance(piece, list) else len(piece)
            if sent > limit:
                return

    return pieces


@pytest.mark.parametrize("kind, names", [("list", "long"), ("mlsd", "short"), ("sftp", "short"), ("sftp", "long")])
def test_an_endless_listing(make_hostile, kind, names):
    tail = "x" * (200 if names == "long" else 3)
    per_piece = 100 if kind == "sftp" else 1000

    def piece(number):
        every = [f"{number:x}-{each:x}{tail}".encode() for each in range(per_piece)]
        if kind == "sftp":
            return [(name, attributes()) for name in every]
        return b"".join(mlsd_line(name) if kind == "mlsd" else unix_line(name) for name in every)

    most = MOST_OF_A_LISTING_BYTES[kind]
    # Over FTP it stands there as text, and as entries besides.
    mount = make_hostile(hostile_of(kind, endless(piece)), more_bytes=most if kind == "sftp" else 2 * most)
    answer = mount.client.list(mount.path)
    # The memory for listings may end before what a server may send of one.
    if answer.status != 503 or "memory_mib" not in answer.json()["error"]:
        mount.fails(answer)
    assert mount.hostile.sent_bytes < most + ON_THE_WAY_BYTES


@kinds
def test_an_endless_tree(make_hostile, kind):
    """Each folder holds a folder of the same name, and so on."""
    if kind == "sftp":
        hostile = HostileSftp([("tree" * 50, attributes(FOLDER))])
        hostile.replies[7] = lambda request: packet(105, request, attributes(FOLDER))
    else:
        line = mlsd_line(b"tree", kind=b"dir") if kind == "mlsd" else unix_line(b".", mode=b"drwxr-xr-x") + unix_line(
            b"tree", mode=b"drwxr-xr-x")
        replies = {"CWD": b"250 There.\r\n", "SIZE": b"550 A folder.\r\n",
                   "MLST": b"250-Here:\r\n type=dir;modify=20200101000000; x\r\n250 End\r\n"}
        hostile = HostileFtp([line], mlsd=kind == "mlsd", replies=replies)
    mount = make_hostile(hostile)
    mount.fails(mount.client.copy(mount.path))
    assert contents(mount.account.root) == {"own": b"own"}
    assert mount.client.used() == 3


BABBLE = {
    "endless-line": lambda number: b"220 " + b"a" * 65_532 if number == 0 else b"a" * 65_536,
    "endless-lines": lambda number: b"220-And so on.\r\n" * 4000,
    "endless-nothing": lambda number: b"\0" * 65_536,
    "endless-line-ends": lambda number: b"\r\n" * 32_768,
}


@pytest.mark.parametrize("babble", BABBLE)
@pytest.mark.parametrize("kind", ["ftp", "sftp"])
def test_an_endless_welcome(make_hostile, kind, babble):
    talker = Talker(endless(BABBLE[babble], ENDLESS_WELCOME_BYTES))
    options = ["--kind", kind, "--host", "127.0.0.1", "--port", str(talker.port), "--user", "eve", "--root", "/",
               "--password-stdin", *(["--host-key", "SHA256:" + "A" * 43] if kind == "sftp" else [])]
    mount = make_hostile(talker, options=options)
    mount.fails(mount.client.list(mount.path))
    # In SSH whole lines may come before the one that counts, so only time ends them.
    if kind == "ftp" or babble in ("endless-line", "endless-nothing"):
        assert talker.sent_bytes < ON_THE_WAY_BYTES


@pytest.mark.parametrize("command", ["USER", "PASS", "FEAT", "PWD", "CWD", "EPSV", "SIZE"])
def test_an_endless_reply(make_hostile, command):
    mount = make_hostile(HostileFtp(replies={command: b"200-" + b"b" * ENDLESS_WELCOME_BYTES}))
    # Then nothing comes any more, so the connection must be given up by its length alone.
    mount.fails(mount.client.list(mount.path) if command in ("CWD", "EPSV") else mount.client.info(mount.at("file")))
    assert mount.hostile.sent_bytes < ON_THE_WAY_BYTES


NONSENSE = [b"999 What?\r\n", b"-1 \r\n", b"\r\n", b"200\r\n", b"abc\r\n", b"\xff\xfe\x00\r\n", b"2 2 2\r\n",
            b"120 Soon.\r\n250 Now.\r\n", b"421 Go away.\r\n", b"500 No.\r\n", b"331 Password?\r\n"]


@pytest.mark.parametrize("nonsense", NONSENSE, ids=ascii)
def test_an_ftp_server_that_answers_nonsense(make_hostile, nonsense):
    """To all but the login, whose replies decide whether there is a server at all; then it goes away."""

    class Nonsense(HostileFtp):
        answers = 0

        def answer(self, connection, command, argument, state):
            if command in ("USER", "PASS"):
                return super().answer(connection, command, argument, state)
            self.answers += 1
            connection.sendall(nonsense)
            raise EOFError

    mount = make_hostile(Nonsense())
    for call in (lambda: mount.client.list(mount.path), lambda: mount.client.info(mount.at("file")),
                 lambda: mount.client.upload(mount.path, form(("file", b"x"))),
                 lambda: mount.client.copy("own", mount.path)):
        assert mount.check(call(), 404).status != 200 or nonsense.startswith(b"120")
    assert mount.client.content("own") == b"own"


INIT, READ, LSTAT, OPENDIR, READDIR, REALPATH = 1, 5, 7, 11, 12, 16
SFTP_NONSENSE = {
    "other-id": lambda request: packet(105, b"\xde\xad\xbe\xef", attributes()),
    "other-type": lambda request: packet(250, request, b"?" * 100),
    "no-length": lambda request: struct.pack(">I", 0),
    "endless-length": lambda request: struct.pack(">I", 0xffffffff) + b"x" * 100_000,
    "names-that-are-not-there": lambda request: packet(104, request, struct.pack(">I", 0xffffffff)),
    "long-string": lambda request: packet(104, request, struct.pack(">II", 1, 0xfffffff0) + b"x"),
    "data": lambda request: packet(103, request, struct.pack(">I", 0xffffffff) + b"data"),
    "odd-status": lambda request: packet(101, request, struct.pack(">I", 0xffffffff)),
    "twice": lambda request: packet(105, request, attributes()) * 2,
    "many-extensions": lambda request: packet(105, request, struct.pack(">II", 0x80000000, 0xffffffff)),
}


@pytest.mark.parametrize("nonsense", SFTP_NONSENSE)
def test_an_sftp_server_that_answers_nonsense(make_hostile, nonsense):
    """To each kind of request in turn; what needs no such request works."""
    for asked in (INIT, REALPATH, LSTAT, OPENDIR, READDIR, READ):
        replies = {asked: SFTP_NONSENSE[nonsense]}
        mount = make_hostile(HostileSftp([("file", attributes())], replies=replies))
        listed, copied = mount.client.list(mount.path), mount.client.copy(mount.at("file"))
        if asked == READ:
            assert [entry["name"] for entry in listed.ok()] == ["file"]
        elif nonsense != "twice" or asked != LSTAT:
            mount.fails(listed)
        else:
            listed.fails(400, 502)  # The first of the two says well that it is a file.
        if asked in (OPENDIR, READDIR):
            copied.ok()
        else:
            mount.fails(copied)
        assert contents(mount.account.root) == {"own": b"own", **({"file": b"12345"} if copied.status == 200 else {})}


@pytest.mark.parametrize("how", ["pasv", "epsv"])
def test_a_data_port_on_another_host_is_not_called(make_hostile, how):
    with socket.create_server(("127.0.0.2", 0)) as trap:
        trap.setblocking(False)
        port = trap.getsockname()[1]
        replies = {"EPSV": b"229 There (|1|127.0.0.2|%d|)\r\n" % port if how == "epsv" else b"500 No.\r\n",
                   "PASV": b"227 There (127,0,0,2,%d,%d)\r\n" % (port // 256, port % 256)}
        mount = make_hostile(HostileFtp(listing_of("list", [b"a"]), replies=replies))
        mount.check(mount.client.list(mount.path))
        mount.check(mount.client.copy(mount.at("file")))
        with pytest.raises(BlockingIOError):
            trap.accept()


@pytest.mark.parametrize("reply", [b"227 (127,0,0,1,999,999)", b"227 (127,0,0,1)", b"227 ", b"227 (a,b,c,d,e,f)",
                                   b"227 (0,0,0,0,0,0)", b"227 (255,255,255,255,255,255)",
                                   b"227 (-1,-1,-1,-1,-1,-1)", b"227 (127,0,0,1,0,1)"], ids=ascii)
def test_a_data_port_that_is_none(make_hostile, reply):
    replies = {"EPSV": b"500 No.\r\n", "PASV": reply + b"\r\n"}
    mount = make_hostile(HostileFtp(listing_of("list", [b"a"]), replies=replies))
    assert mount.check(mount.client.list(mount.path)).status != 200


def test_the_data_port_is_not_the_servers_own(make_hostile):
    """Or it could be made to talk to itself."""
    hostile = HostileFtp()
    hostile.replies["EPSV"] = b"229 There (|||%d|)\r\n" % hostile.port
    mount = make_hostile(hostile)
    assert mount.check(mount.client.list(mount.path)).status != 200
    assert hostile.accepted < 4


@pytest.mark.parametrize("size, sent", [(10, 5), (5, 10), (0, 5), (5, 0), (3 << 20, 2 << 20), (2 << 20, 3 << 20),
                                        (2**63 - 1, 5)])
@kinds
def test_a_file_of_another_size_than_told(make_hostile, kind, size, sent):
    """Never taken for whole where less comes; where more comes, no more than was announced is passed on."""
    content = b"x" * sent
    mount = make_hostile(hostile_of(kind, listing_of(kind, [b"file"]), size=size,
                                  content=content if kind == "sftp" else (content,)))
    answer = mount.check(mount.client.copy(mount.at("file")), 413, 507)
    found = mount.copied()
    if answer.status == 200:
        assert sent >= size and (mount.account.root / "file").read_bytes() == content[:size]
    else:
        assert found == {"own"}
    assert mount.client.used() == 3 + (size if answer.status == 200 else 0)
    status, got = download(mount.client, mount.at("file"))
    assert status in (None, 200, 502, 504), got
    if status == 200:
        assert sent >= size and got == content[:size]


def test_a_download_that_breaks_off_again_and_again_is_given_up(make_hostile):
    """However the server lures with a few more bytes each time."""

    class Drip(HostileFtp):
        sent = 0

        def content_from(self, rest):
            self.sent += 1
            if self.sent > 200:
                raise EOFError  # Enough is proven.
            return (b"12345",)

    drip = Drip(listing_of("mlsd", [b"file"]), mlsd=True, size=2**30)
    mount = make_hostile(drip)
    assert mount.check(mount.client.copy(mount.at("file"))).status != 200
    assert mount.copied() == {"own"} and drip.sent < 20
