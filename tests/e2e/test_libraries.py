"""A server has in memory what it needs, and not what others would need."""

import pathlib

from client import Client
from server import Server


def test_a_server_with_its_own_files_alone_loads_nothing_for_other_servers(tmp_path):
    server = Server(tmp_path / "data", None).start()
    client = Client(server, server.create_key(server.add_account())["key"])
    client.put("a.txt", b"a" * 100_000)
    assert client.content("a.txt") == b"a" * 100_000
    maps = pathlib.Path(f"/proc/{server.process.pid}/maps").read_text()
    assert "libsqlite3" in maps
    assert [name for name in ("libcurl", "libpq", "libgnutls", "libldap") if name in maps] == []
    server.stop()
