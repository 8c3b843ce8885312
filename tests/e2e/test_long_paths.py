"""Paths that are longer than what servers take: they are no outage, and lose nothing."""

import pytest

from mounting import add_connector, contents, plant, started
from remote_servers import FtpServer, PureFtpd, SftpServer

each_server = pytest.mark.parametrize("make", [FtpServer, PureFtpd, SftpServer])


@each_server
def test_who_asks_for_long_paths_keeps_no_owner_out(make_account, make):
    with started(make) as remotes:
        remote, = remotes.values()
        account = make_account()
        path = add_connector(account.server, account.name, "far", remote.options(),
                             stdin="secret\n" if remote.kind == "ftp" else "")
        plant(remote.root, {"sub": None, "own": b"own"})
        limited = account.client.scoped(f"{path}/sub")
        # Where servers hang up on a line: vsftpd and pure-ftpd at about 4096 bytes.
        for size in (255, 3000, *range(3980, 4110), 5000, 12_000):
            name = "/".join(["x" * 100] * (size // 101) + ["y" * (size % 101 or 1)])
            limited.list(name).fails(400, 404)
            limited.download(name).fails(400, 404)
            account.client.list(f"{path}/{name}").fails(400, 404)
        assert sorted(account.client.names(path)) == ["own", "sub"]
        assert account.client.content(f"{path}/own") == b"own"


@each_server
@pytest.mark.parametrize("length", [3900, 4040, 4060])
def test_what_lies_too_deep_is_moved_whole_or_stays(make_account, make, length):
    """On the server's disk, where a path may have 4095 bytes."""
    with started(make) as remotes:
        remote, = remotes.values()
        account = make_account()
        path = add_connector(account.server, account.name, "far", remote.options(),
                             stdin="secret\n" if remote.kind == "ftp" else "")
        left = length - len(str(remote.root)) - len("/tree") - len("/f")
        names = ["d" * 250] * (left // 251)
        names += ["e" * (left % 251 - 1)] if left % 251 > 1 else []
        folder = "/".join(["tree", *names])
        before = {f"{folder}/f": b"deep", "tree/near": b"near"}
        plant(remote.root, before)
        moved = account.client.move(f"{path}/tree")
        there = contents(remote.root)
        for name, content in before.items():
            # Asked for: on this machine's disk its path may be longer than what other programs can read.
            assert there.get(name) == content or account.client.content(name) == content, moved
        if moved.status == 200:
            assert there == {}
        assert account.client.list(path).status == 200
