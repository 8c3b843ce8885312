"""Mounts of servers that lie, babble and never end. Coffer answers each request as it should, shows only names that
can be, stays small and goes on serving. Nothing that such a server says makes a file outside the folder of a copy."""

import itertools
import pathlib
import re
import socket
import struct

import pytest

from client import form
from hostile import FILE, FOLDER, LINK, HostileFtp, HostileSftp, Talker, attributes
from mounting import add_connector, at, download
from server import tree_of

LABEL = "Evil twin"
PASSWORD = "hush-7up"
MOST_MORE_BYTES = 64 << 20
ENDLESS_BYTES = 96 << 20  # An end, for the test's sake.
ENDLESS_WELCOME_BYTES = 8 << 20
LONGEST_NAME_BYTES = 1024

BAD_NAMES = [b"../x", b"..", b".", b"a/b", b"/etc/passwd", b"../../../../../../../../../tmp/coffer-was-here",
             b"..\\x/..", b"cr\rlf", b"line\nend", b"nul\0nul", b"bell\x07", b"escape\x1b[2J", b"delete\x7f",
             b"bad\xff\xfeutf8", b"\xc0\xae\xc0\xae", b"\xed\xa0\x80", b"long" * 1024, b"longer" * 12_000]


class Mount:
    def __init__(self, account, server, hostile, path):
        self.account, self.client, self.server = account, account.client, server
        self.hostile, self.path = hostile, path

    def at(self, name):
        return at(self.path, name)

    def check(self, answer, *others):
        """Any sane answer."""
        assert answer.status in (200, 502, 504, *others), answer
        content = answer.content.decode()
        assert PASSWORD not in content and str(self.server.data) not in content
        if answer.status in (502, 504):
            assert LABEL in answer.json()["error"], f"the mount is not named: {answer}"
        return answer

    def sane_names(self):
        answer = self.check(self.client.list(self.path))
        if answer.status != 200:
            return None
        names = [entry["name"] for entry in answer.ok()]
        for name in names:
            assert is_sane(name), ascii(name[:100])
        return names

    def copied(self):
        """What a copy of the whole mount has brought; nothing outside its folder."""
        return tree_of(self.account.root)


def is_sane(name):
    return name not in ("", ".", "..") and "/" not in name and not re.search(r"[\x00-\x1f\x7f]", name) and \
        len(name.encode("utf-8", "strict")) <= LONGEST_NAME_BYTES


def memory(server, field):
    status = pathlib.Path(f"/proc/{server.process.pid}/status").read_text()
    return int(re.search(rf"{field}:\s+(\d+) kB", status)[1]) * 1024


def everything_else(server):
    """All in and around the server's folder but the accounts' own files."""
    return {name for name in tree_of(server.folder)
            if not name.startswith(("data/files/", "data/staging/"))
            and not name.endswith(("-wal", "-shm", "-journal"))}


@pytest.fixture
def make_mount(server, make_account):
    """A mount of a hostile server, and when the test is over: is Coffer well?"""
    hostiles, accounts, before = [], [], everything_else(server)

    def make(hostile, options=None):
        hostiles.append(hostile)
        account = make_account()
        path = add_connector(server, account.name, LABEL, options or hostile.options(), stdin=PASSWORD + "\n")
        account.client.put("own", b"own")
        accounts.append(account)
        pathlib.Path(f"/proc/{server.process.pid}/clear_refs").write_text("5")  # The peak begins anew.
        return Mount(account, server, hostile, path)

    resident = memory(server, "VmRSS")
    try:
        yield make
        assert server.running()
        peak = memory(server, "VmHWM")
        for account in accounts:
            assert account.client.content("own") == b"own"
            account.client.put("after", b"after")
        assert everything_else(server) == before
        assert not pathlib.Path("/tmp/coffer-was-here").exists()
        assert peak - resident <= MOST_MORE_BYTES, f"grew by {(peak - resident) >> 20} MiB"
    finally:
        for hostile in hostiles:
            hostile.stop()


def unix_line(name, size=b"5", date=b"Jan  1  2020", mode=b"-rw-r--r--"):
    return mode + b" 1 eve eve " + size + b" " + date + b" " + name + b"\r\n"


def mlsd_line(name, size=b"5", date=b"20200101000000", kind=b"file"):
    return b"type=" + kind + b";size=" + size + b";modify=" + date + b"; " + name + b"\r\n"


def listing_of(kind, names):
    """Files of these names, and a folder of each too."""
    if kind == "sftp":
        return [(name, attributes(mode)) for name in names for mode in (FILE, FOLDER)]
    if kind == "mlsd":
        lines = [line for name in names for line in (mlsd_line(name), mlsd_line(name, kind=b"dir"))]
    else:
        lines = [line for name in names for line in (unix_line(name), unix_line(name, mode=b"drwxr-xr-x"))]
        lines.insert(0, unix_line(b".", mode=b"drwxr-xr-x"))
    return [b"".join(lines)]


def hostile_of(kind, listing, **more):
    if kind == "sftp":
        return HostileSftp(listing, **more)
    return HostileFtp(listing, mlsd=kind == "mlsd", **more)


kinds = pytest.mark.parametrize("kind", ["list", "mlsd", "sftp"])


@kinds
def test_bad_names_are_not_shown(make_mount, kind):
    mount = make_mount(hostile_of(kind, listing_of(kind, [*BAD_NAMES, b"fine.txt"])))
    names = mount.sane_names()
    assert names is None or "fine.txt" in names


@pytest.mark.parametrize("kind", ["list", "sftp"])
@pytest.mark.parametrize("name", BAD_NAMES, ids=lambda name: ascii(name[:12].decode("latin-1")))
def test_a_copy_of_bad_names_stays_in_its_folder(make_mount, kind, name):
    if kind == "sftp":
        listing = [(name, attributes()), (b"fine.txt", attributes())]
    else:
        listing = [unix_line(b".", mode=b"drwxr-xr-x") + unix_line(name) + unix_line(b"fine.txt")]
    mount = make_mount(hostile_of(kind, listing))
    answer = mount.check(mount.client.copy(mount.path))
    found = mount.copied()
    assert all(each == "own" or each.startswith(LABEL + "/") for each in found), found
    assert all(is_sane(part) for each in found for part in each.split("/") if part), found
    if answer.status == 200:
        assert f"{LABEL}/fine.txt" in found
        assert (mount.account.root / LABEL / "fine.txt").read_bytes() == b"12345"
    else:
        assert found == {"own"}
    mount.check(mount.client.download(mount.at("fine.txt")))
    assert mount.client.used() == sum(file.stat().st_size for file in mount.account.root.rglob("*") if file.is_file())


SIZES = [b"-1", b"-9223372036854775808", b"9223372036854775807", b"18446744073709551615", b"99999999999999999999999999",
         b"many", b"", b"0x10", b"1e9", b"5 5"]
DATES = [b"00000000000000", b"99999999999999", b"20201301000000", b"2020", b"", b"-1", b"20200230000000",
         b"99990101000000", b"20200101000000.99999999999999999999999999999999"]
LIST_DATES = [b"Jan 99 2020", b"Foo  1  2020", b"Jan  1 99999", b"Jan  1 25:61", b"Jan  1  0000", b"Feb 29 12:00",
              b"Feb 30  2021", b"Dec 31  9999", b"Jan -1  2020"]


@kinds
def test_odd_sizes_and_dates(make_mount, kind):
    if kind == "sftp":
        listing = [(f"size{size:x}", attributes(size=size)) for size in (2**64 - 1, 2**63, 2**63 - 1, 0)]
        listing += [(f"date{date:x}", attributes(modified=date)) for date in (0, 2**31, 2**32 - 1)]
        listing += [(f"mode{mode:o}", attributes(mode)) for mode in (0, 0o160000, 0o177777, 0o10644, 0o20644, 0o140644)]
        listing += [("flags", struct.pack(">I", 0)), ("extended", struct.pack(">II", 0x80000000, 0))]
    elif kind == "mlsd":
        lines = [mlsd_line(b"size%d" % number, size) for number, size in enumerate(SIZES)]
        lines += [mlsd_line(b"date%d" % number, date=date) for number, date in enumerate(DATES)]
        lines += [b"\r\n", b"; ;\r\n", b"=;=; x\r\n", b"type=; y\r\n", b" z\r\n", b"type=file" * 1000 + b"; w\r\n"]
        listing = [b"".join(lines)]
    else:
        lines = [unix_line(b".", mode=b"drwxr-xr-x")]
        lines += [unix_line(b"size%d" % number, size) for number, size in enumerate(SIZES)]
        lines += [unix_line(b"date%d" % number, date=date) for number, date in enumerate(LIST_DATES)]
        lines += [unix_line(b"mode", mode=mode) for mode in (b"?---------", b"crw-r--r--", b"prw-r--r--", b"-" * 5000)]
        lines += [b"total -1\r\n", b"\r\n", b" \r\n", b"drwxr-xr-x\r\n", b"-" * 100_000 + b"\r\n"]
        listing = [b"".join(lines)]
    mount = make_mount(hostile_of(kind, listing))
    mount.sane_names()
    for entry in mount.client.list(mount.path).json().get("data", []):
        assert entry["size"] is None or entry["size"] >= 0
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d", entry["modifiedAt"]), entry
    mount.check(mount.client.info(mount.at("size0")))


@pytest.mark.parametrize("target", ["/etc/passwd", "../../../etc/passwd", "link", "."])
@pytest.mark.parametrize("kind", ["list", "sftp"])
def test_links_to_outside_are_not_followed(make_mount, kind, target):
    if kind == "sftp":
        hostile = HostileSftp([("link", attributes(LINK)), ("fine.txt", attributes())], links={"/link": target})
    else:
        hostile = HostileFtp([unix_line(b".", mode=b"drwxr-xr-x") + unix_line(b"fine.txt") +
                              unix_line(b"link -> " + target.encode(), mode=b"lrwxrwxrwx")])
    mount = make_mount(hostile)
    mount.sane_names()
    mount.check(mount.client.copy(mount.path), 400, 404)
    assert not any(each.rstrip("/").endswith("link") for each in mount.copied())
    mount.check(mount.client.copy(mount.at("link")), 404)


def packet(kind, request, body=b""):
    return struct.pack(">IB", 1 + len(request) + len(body), kind) + request + body


# What never ends


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
def test_an_endless_listing(make_mount, kind, names):
    tail = "x" * (200 if names == "long" else 3)
    per_piece = 100 if kind == "sftp" else 1000

    def piece(number):
        every = [f"{number:x}-{each:x}{tail}".encode() for each in range(per_piece)]
        if kind == "sftp":
            return [(name, attributes()) for name in every]
        return b"".join(mlsd_line(name) if kind == "mlsd" else unix_line(name) for name in every)

    mount = make_mount(hostile_of(kind, endless(piece)))
    mount.check(mount.client.list(mount.path), 500)


@pytest.mark.parametrize("kind", ["mlsd", "sftp"])
def test_an_endless_tree(make_mount, kind):
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
    mount = make_mount(hostile)
    mount.check(mount.client.copy(mount.path), 500)
    assert mount.copied() == {"own"}
    assert mount.client.used() == 3


BABBLE = {
    "endless-line": lambda number: b"220 " + b"a" * 65_532 if number == 0 else b"a" * 65_536,
    "endless-lines": lambda number: b"220-And so on.\r\n" * 4000,
    "endless-nothing": lambda number: b"\0" * 65_536,
    "endless-line-ends": lambda number: b"\r\n" * 32_768,
}


@pytest.mark.parametrize("babble", BABBLE)
@pytest.mark.parametrize("kind", ["ftp", "sftp"])
def test_an_endless_welcome(make_mount, kind, babble):
    talker = Talker(endless(BABBLE[babble], ENDLESS_WELCOME_BYTES))
    options = ["--kind", kind, "--host", "127.0.0.1", "--port", str(talker.port), "--user", "eve", "--root", "/",
               "--password-stdin", *(["--host-key", "SHA256:" + "A" * 43] if kind == "sftp" else [])]
    mount = make_mount(talker, options=options)
    assert mount.check(mount.client.list(mount.path)).status != 200


@pytest.mark.parametrize("command", ["USER", "PASS", "FEAT", "PWD", "CWD", "EPSV", "SIZE"])
def test_an_endless_reply(make_mount, command):
    mount = make_mount(HostileFtp(replies={command: b"200-" + b"b" * (8 << 20)}))
    # Then nothing comes any more, so the connection must be given up by its length alone.
    mount.check(mount.client.info(mount.at("file") if command == "SIZE" else mount.path), 404)
    mount.check(mount.client.list(mount.path), 500)


# Nonsense

NONSENSE = [b"999 What?\r\n", b"-1 \r\n", b"\r\n", b"200\r\n", b"abc\r\n", b"\xff\xfe\x00\r\n", b"2 2 2\r\n",
            b"120 Soon.\r\n250 Now.\r\n", b"421 Go away.\r\n", b"500 No.\r\n", b"331 Password?\r\n"]


@pytest.mark.parametrize("nonsense", NONSENSE, ids=ascii)
def test_an_ftp_server_that_answers_nonsense(make_mount, nonsense):
    """To all but the login, whose replies decide whether there is a server at all; then it goes away."""

    class Nonsense(HostileFtp):
        answers = 0

        def answer(self, connection, command, argument, state):
            if command in ("USER", "PASS"):
                return super().answer(connection, command, argument, state)
            self.answers += 1
            connection.sendall(nonsense)
            raise EOFError

    mount = make_mount(Nonsense())
    for call in (lambda: mount.client.list(mount.path), lambda: mount.client.info(mount.at("file")),
                 lambda: mount.client.upload(mount.path, form(("file", b"x"))),
                 lambda: mount.client.copy("own", mount.path)):
        assert mount.check(call(), 404).status != 200 or nonsense.startswith(b"120")
    assert mount.client.content("own") == b"own"


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
def test_an_sftp_server_that_answers_nonsense(make_mount, nonsense):
    """To each kind of request in turn."""
    for asked in (1, 16, 7, 11, 12, 5):
        replies = {asked: SFTP_NONSENSE[nonsense]}
        mount = make_mount(HostileSftp([("file", attributes())], replies=replies))
        mount.check(mount.client.list(mount.path), 400, 403, 404)
        mount.check(mount.client.copy(mount.at("file")), 400, 403, 404, 409)
        assert mount.client.content("own") == b"own"


# Data connections elsewhere


@pytest.mark.parametrize("how", ["pasv", "epsv"])
def test_a_data_port_on_another_host_is_not_called(make_mount, how):
    with socket.create_server(("127.0.0.2", 0)) as trap:
        trap.setblocking(False)
        port = trap.getsockname()[1]
        replies = {"EPSV": b"229 There (|1|127.0.0.2|%d|)\r\n" % port if how == "epsv" else b"500 No.\r\n",
                   "PASV": b"227 There (127,0,0,2,%d,%d)\r\n" % (port // 256, port % 256)}
        mount = make_mount(HostileFtp(listing_of("list", [b"a"]), replies=replies))
        mount.check(mount.client.list(mount.path))
        mount.check(mount.client.copy(mount.at("file")))
        with pytest.raises(BlockingIOError):
            trap.accept()


@pytest.mark.parametrize("reply", [b"227 (127,0,0,1,999,999)", b"227 (127,0,0,1)", b"227 ", b"227 (a,b,c,d,e,f)",
                                   b"227 (0,0,0,0,0,0)", b"227 (255,255,255,255,255,255)",
                                   b"227 (-1,-1,-1,-1,-1,-1)", b"227 (127,0,0,1,0,1)"], ids=ascii)
def test_a_data_port_that_is_none(make_mount, reply):
    replies = {"EPSV": b"500 No.\r\n", "PASV": reply + b"\r\n"}
    mount = make_mount(HostileFtp(listing_of("list", [b"a"]), replies=replies))
    assert mount.check(mount.client.list(mount.path)).status != 200


def test_the_data_port_is_not_the_servers_own(make_mount):
    """Or it could be made to talk to itself."""
    hostile = HostileFtp()
    hostile.replies["EPSV"] = b"229 There (|||%d|)\r\n" % hostile.port
    mount = make_mount(hostile)
    assert mount.check(mount.client.list(mount.path)).status != 200
    assert hostile.accepted < 4


# Files that are not what they are said to be


@pytest.mark.parametrize("size, sent", [(10, 5), (5, 10), (0, 5), (5, 0), (3 << 20, 2 << 20), (2 << 20, 3 << 20),
                                        (2**63 - 1, 5)])
@kinds
def test_a_file_of_another_size_than_told(make_mount, kind, size, sent):
    """Never taken for whole where less comes; where more comes, no more than was told is passed on."""
    content = b"x" * sent
    mount = make_mount(hostile_of(kind, listing_of(kind, [b"file"]), size=size,
                                  content=content if kind == "sftp" else (content,)))
    answer = mount.check(mount.client.copy(mount.at("file")), 413)
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


def test_a_download_that_breaks_off_again_and_again_is_given_up(make_mount):
    """However the server lures with a few more bytes each time."""

    class Drip(HostileFtp):
        sent = 0

        def content_from(self, rest):
            self.sent += 1
            if self.sent > 200:
                raise EOFError  # Enough is proven.
            return (b"12345",)

    drip = Drip(listing_of("mlsd", [b"file"]), mlsd=True, size=2**30)
    mount = make_mount(drip)
    assert mount.check(mount.client.copy(mount.at("file"))).status != 200
    assert mount.copied() == {"own"} and drip.sent < 20
