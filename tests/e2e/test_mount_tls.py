"""FTP over TLS: both ways of it, and no password to a server whose certificate is not trusted."""

import contextlib
import functools

import pytest

from client import Client
from faulty_line import UP, line_to
from mounting import add_connector, contents, plant, started
from remote_servers import FtpServer

PASSWORD = "hush-7up"
TREE = {"folder/file": b"hello", "big": bytes(range(256)) * 5000, "empty": None}
both_ways = pytest.mark.parametrize("tls", ["explicit", "implicit"])


@pytest.fixture
def remote(tls):
    with started(functools.partial(FtpServer, wants_password=True, tls=tls)) as remotes:
        yield remotes["ftp"]


@pytest.fixture
def trusting(build_server, remote):
    server = build_server()
    server.in_front = ("env", f"SSL_CERT_FILE={remote.certificate}")
    with contextlib.ExitStack() as behind:
        server.start()
        behind.callback(server.stop)
        yield server


@both_ways
def test_everything_works_over_tls(trusting, remote, tls):
    account = trusting.add_account()
    client = Client(trusting, trusting.create_key(account)["key"])
    path = add_connector(trusting, account, "Safe", remote.options(), stdin=f"{PASSWORD}\n")
    assert client.list(path).ok() == []
    plant(trusting.files_of(account) / "tree", TREE)
    client.copy("tree", path).ok()
    assert contents(remote.root / "tree") == {**TREE, "folder": None}
    assert client.content(f"{path}/tree/big") == TREE["big"]
    client.put(f"{path}/new", b"new")
    client.copy(f"{path}/tree", f"{path}/tree/empty").fails(400)
    client.copy(f"{path}/tree/folder", f"{path}/tree/empty").ok()
    client.rename(f"{path}/new", "other").ok()
    assert client.names(path) == ["tree", "other"]
    client.delete(f"{path}/tree").ok()
    client.move(f"{path}/other").ok()
    assert (trusting.files_of(account) / "other").read_bytes() == b"new"
    assert client.names(path) == []


@both_ways
def test_a_certificate_that_nobody_vouches_for_is_refused(account, remote, tls):
    path = add_connector(account.server, account.name, "Unknown", remote.options(), stdin=f"{PASSWORD}\n")
    message = account.client.list(path).fails(502)
    assert "Unknown" in message and "certificate is not trusted" in message
    tested = account.server.cli("connector", "test", "--account", account.name, "Unknown", ok=False)
    assert tested.returncode != 0 and "certificate is not trusted" in tested.stderr


@pytest.mark.parametrize("tls", [None])
def test_a_server_without_tls_is_not_sent_the_password(account, remote, tls):
    with line_to(remote) as (line, options):
        path = add_connector(account.server, account.name, "Open", [*options, "--tls", "explicit"],
                             stdin=f"{PASSWORD}\n")
        assert "does not offer TLS" in account.client.list(path).fails(502)
        said = [words for direction, words in line.seen if direction == UP]
    assert any(words.startswith(b"AUTH") for words in said) and not any(words.startswith(b"PASS") for words in said)
