"""Mounts of servers that lie, babble and never end: what the tests of them share. Coffer answers each request as it
should, shows only names that can be, stays small and goes on serving. Nothing that such a server says makes a file
outside the folder of a copy."""

import pathlib
import re

import pytest

from hostile import FILE, FOLDER, HostileFtp, HostileSftp, attributes
from mounting import add_connector, at
from server import is_sanitized, tree_of

LABEL = "Evil twin"
PASSWORD = "hush-7up"
# For requests, connections and blocks of content; a sanitizer keeps what was freed.
MOST_MORE_BYTES = 16 << 20 if not is_sanitized() else 1 << 30
MOST_OF_A_LISTING_BYTES = {"list": 24 << 20, "mlsd": 24 << 20, "sftp": 48 << 20}  # Then it is refused.
LONGEST_NAME_BYTES = 1024


class HostileMount:
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

    def fails(self, answer):
        """As a mount should."""
        assert self.check(answer).status in (502, 504), answer
        return answer

    def sane_names(self):
        """What a listing shows."""
        names = [entry["name"] for entry in self.check(self.client.list(self.path)).ok()]
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
    """All in and around the server's folder but the accounts' own files, what they are collected in, and the link to set
    up, which goes with the first account."""
    return {name for name in tree_of(server.folder)
            if not name.startswith(("data/files/", "data/staging/", "data/setup-link"))
            and not name.endswith(("-wal", "-shm", "-journal"))}


@pytest.fixture
def make_hostile(server, make_account):
    """A mount of a hostile server, and when the test is over: is Coffer well?"""
    hostiles, accounts, before = [], [], everything_else(server)
    may_grow = MOST_MORE_BYTES

    def make(hostile, options=None, more_bytes=0):
        """`more_bytes`: what it may well take besides."""
        nonlocal may_grow
        may_grow += more_bytes
        hostiles.append(hostile)
        account = make_account()
        path = add_connector(server, account.name, LABEL, options or hostile.options(), stdin=PASSWORD + "\n")
        account.client.put("own", b"own")
        accounts.append(account)
        pathlib.Path(f"/proc/{server.process.pid}/clear_refs").write_text("5")  # The peak begins anew.
        return HostileMount(account, server, hostile, path)

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
        assert peak - resident <= may_grow, f"grew by {(peak - resident) >> 20} MiB"
        for hostile in hostiles:
            hostile.check_commands()
    finally:
        for hostile in hostiles:
            hostile.stop()


def unix_line(name, size=b"5", date=b"Jan  1  2020", mode=b"-rw-r--r--"):
    return mode + b" 1 eve eve " + size + b" " + date + b" " + name + b"\r\n"


def mlsd_line(name, size=b"5", date=b"20200101000000", kind=b"file"):
    return b"type=" + kind + b";size=" + size + b";modify=" + date + b"; " + name + b"\r\n"


def entry_of(kind, name, is_folder=False):
    if kind == "sftp":
        return name, attributes(FOLDER if is_folder else FILE)
    if kind == "mlsd":
        return mlsd_line(name, kind=b"dir" if is_folder else b"file")
    return unix_line(name, mode=b"drwxr-xr-x" if is_folder else b"-rw-r--r--")


def listing(kind, entries):
    """What a server answers; one that knows LIST alone also lists the folder itself."""
    if kind == "sftp":
        return entries
    return [b"".join([entry_of(kind, b".", is_folder=True), *entries] if kind == "list" else entries)]


def files_of(kind, names):
    return listing(kind, [entry_of(kind, name) for name in names])


def listing_of(kind, names):
    """Files of these names, and a folder of each too."""
    return listing(kind, [entry_of(kind, name, is_folder) for name in names for is_folder in (False, True)])


def hostile_of(kind, listing, unsaid=(), **more):
    hostile = HostileSftp(listing, **more) if kind == "sftp" else HostileFtp(listing, mlsd=kind == "mlsd", **more)
    hostile.unsaid = unsaid
    return hostile


kinds = pytest.mark.parametrize("kind", ["list", "mlsd", "sftp"])
