"""A folder of files that is gone, as where a volume is not mounted, is not the same as one that was emptied."""

import os

import pytest

from client import form
from server import run


@pytest.fixture
def stopped(own_server, account_on):
    """A server that has stopped, with an account that holds bytes and one that never stored any."""
    server = own_server()
    holder, idle = account_on(server), account_on(server)
    holder.client.put("a.txt", b"x" * 1000)
    server.stop()
    return server, holder, idle


def used(server, account):
    figure, = [one["storageUsed"] for one in server.cli_json("account", "list") if one["username"] == account.name]
    return figure


def serve(server):
    return run("serve", *server.place(), "--listen", "127.0.0.1:0")


def test_a_server_refuses_to_start_without_all_files(stopped):
    server, holder, idle = stopped
    files, away = server.data / "files", server.folder / "away"
    files.rename(away)
    for told in (serve(server), server.cli("check", ok=False), server.cli("account", "list", ok=False),
                 server.cli("account", "add", "new", ok=False)):
        line = told.stderr.splitlines()[-1]
        assert told.returncode == 1 and told.stdout == "" and str(files) in line, told
        assert "missing" in line and "mount" in line and "by hand" in line
        assert not files.exists()
    away.rename(files)
    assert server.cli("check").stdout.count("corrected") == 0
    server.start()
    assert holder.client.download("a.txt").content == b"x" * 1000


def test_files_that_never_were_are_made(own_server, account_on):
    server = own_server()
    account_on(server)
    server.stop()
    for folder in (server.data / "files").iterdir():
        folder.rmdir()
    (server.data / "files").rmdir()
    server.start()
    account_on(server).client.put("a", b"x")


def test_the_missing_folder_of_one_account_stays_missing(stopped):
    server, holder, idle = stopped
    away = server.folder / "away"
    holder.root.rename(away)
    told = server.cli("check", ok=False)
    assert told.returncode == 1 and "1 problem" in told.stdout and "corrected" not in told.stdout, told
    assert any(holder.name in line and str(holder.root) in line and "missing" in line for line in told.stdout.splitlines())
    assert not holder.root.exists() and used(server, holder) == 1000

    server.start()
    warning, = [line for line in server.log().splitlines() if str(holder.root) in line]
    assert "warning" in warning and holder.name in warning and "missing" in warning
    holder.client.list().fails(404)
    holder.client.upload("", form(("b.txt", b"y"))).fails(404)
    holder.client.locations().ok()
    assert holder.client.used() == 1000 and not holder.root.exists()
    idle.client.put("b.txt", b"y")
    server.stop()

    away.rename(holder.root)
    assert "0 problems" in server.cli("check").stdout
    server.start()
    assert holder.client.names() == ["a.txt"]


def test_a_crash_does_not_make_it_empty(stopped):
    server, holder, idle = stopped
    server.start()
    server.kill()
    away = server.folder / "away"
    holder.root.rename(away)
    server.start()
    assert holder.client.used() == 1000 and not holder.root.exists()
    server.kill()
    server.cli("check", ok=False)
    assert used(server, holder) == 1000 and not holder.root.exists()


def test_shares_are_seen_all_the_same(stopped, tmp_path):
    server, holder, idle = stopped
    shared = tmp_path / "shared"
    shared.mkdir()
    (shared / "s.txt").write_bytes(b"s")
    share = server.cli_json("share", "add", "--name", "Team", "--target", shared, "--everyone")
    holder.root.rename(server.folder / "away")
    server.start()
    assert holder.client.download(f"__adm_{share['id']}/s.txt").content == b"s"


def test_it_may_be_gone_on_purpose(stopped):
    server, holder, idle = stopped
    holder.root.rename(server.folder / "away")
    holder.root.mkdir(mode=0o700)
    assert "corrected" in server.cli("check").stdout
    server.start()
    assert holder.client.used() == 0 and holder.client.names() == []


def test_an_account_that_never_stored_anything_gets_its_folder(stopped):
    server, holder, idle = stopped
    idle.root.rmdir()
    server.cli("account", "remove", holder.name)
    for entry in os.listdir(holder.root):
        (holder.root / entry).unlink()
    holder.root.rmdir()
    server.start()
    idle.client.put("a.txt", b"x")
    server.stop()
    assert "0 problems" in server.cli("check").stdout
