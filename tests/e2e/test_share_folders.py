"""Shares whose folder becomes another one on the disk: replaced, gone, mounted over, or never to be shared."""

import os
import pathlib
import shutil
import subprocess

import pytest

from client import FILES, encode, form, multipart
from disks import own_mounts
from raw import RawConnection, head
from server import eventually, tree_of

HALF = b"half " * (2 << 20)


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "top"


@pytest.fixture
def share(server, make_account, folder):
    folder.mkdir()
    account = make_account()
    made = server.cli_json("share", "add", "--name", account.name, "--target", folder, "--account", account.name)
    account.share, account.path = made["id"], f"__adm_{made['id']}"
    yield account
    server.cli("share", "remove", made["id"])


def shown(folder):
    return {name for name in tree_of(folder) if not name.startswith(".coffer-staging")}


@pytest.mark.parametrize("how", ["writable", "read-only", "link"])
def test_a_folder_that_takes_the_place_of_another_is_the_share(server, share, folder, how):
    client, path, aside = share.client, share.path, folder.with_name("aside")
    client.put(f"{path}/old", b"old")
    if how == "read-only":
        server.cli("share", "set", share.name, "--read-only", "true")
    if how == "link":
        folder.rename(aside)
        folder.symlink_to(aside)
    assert client.content(f"{path}/old") == b"old"
    if how == "link":
        folder.unlink()
    else:
        folder.rename(aside)
    folder.mkdir()
    (folder / "new").write_bytes(b"new")
    client.download(f"{path}/old").fails(404)
    assert client.content(f"{path}/new") == b"new" and client.names(path) == ["new"]
    if how == "read-only":
        return
    client.put(f"{path}/more", b"more")
    client.make_folder(path, "sub").ok()
    assert shown(folder) == {"new", "more", "sub/"} and shown(aside) == {"old"}


def test_a_folder_that_is_gone_is_not_found_until_it_is_back(share, folder):
    client, path, aside = share.client, share.path, folder.with_name("aside")
    client.put(f"{path}/file", b"x")
    folder.rename(aside)
    for answer in (client.list(path), client.download(f"{path}/file"), client.info(f"{path}/file"),
                   client.upload(path, form(("new", b"x"))), client.delete(f"{path}/file")):
        assert "not there any more" in answer.fails(404)
    folder.write_bytes(b"a file")
    assert "not there any more" in client.list(path).fails(404)
    folder.unlink()
    assert client.names() == [share.name]
    aside.rename(folder)
    assert client.content(f"{path}/file") == b"x" and shown(folder) == {"file"}


def test_what_began_in_the_old_folder_is_refused(server, share, folder):
    client, path, aside = share.client, share.path, folder.with_name("aside")
    content_type, body = multipart(form(("late", HALF + HALF)))
    with RawConnection(server) as connection:
        connection.send(head("POST", f"{FILES}/upload?{encode({'path': path})}", f"Content-Type: {content_type}",
                             f"Content-Length: {len(body)}", key=share.key))
        connection.send(body[:len(HALF)])
        eventually(connection.all_is_taken, "the first half to be taken")
        folder.rename(aside)
        folder.mkdir()
        client.put(f"{path}/early", b"early")
        connection.send(body[len(HALF):])
        assert connection.read_answer().status == 404
    assert shown(folder) == {"early"} and shown(aside) == set()
    client.put(f"{path}/next", HALF)
    assert shown(folder) == {"early", "next"} and shown(aside) == set()


def test_the_folder_of_before_is_not_held_open_once_another_is_shared(server, share, folder):
    def held():
        fds = pathlib.Path(f"/proc/{server.process.pid}/fd")
        return [fd for fd in fds.iterdir() if os.path.lexists(fd) and str(folder) in os.readlink(fd)]

    share.client.list(share.path).ok()
    assert held()
    other = folder.with_name("other")
    other.mkdir()
    server.cli("share", "set", share.name, "--target", other)
    assert share.client.list(share.path).ok() == [] and not held()


def test_a_disk_that_is_mounted_over_it_is_the_share(build_server, account_on, tmp_path):
    """In mounts of the server's own, which every user may make."""
    server, folder = build_server(), tmp_path / "shared"
    folder.mkdir()
    server.in_front = own_mounts()
    server.start()
    try:
        account = account_on(server)
        made = server.cli_json("share", "add", "--name", "Disk", "--target", folder, "--account", account.name)
        path = f"__adm_{made['id']}"
        account.client.put(f"{path}/below", b"x")
        inside(server, "mount", "-n", "-t", "tmpfs", "tmpfs", folder)
        assert account.client.list(path).ok() == []
        account.client.put(f"{path}/on the disk", b"x")
        assert shown(folder) == {"below"}
        inside(server, "umount", "-n", "--lazy", folder)
        assert account.client.names(path) == ["below"]
    finally:
        server.stop()


def inside(server, *command):
    """A command in the mounts, and the root, of the server."""
    user = [] if os.geteuid() == 0 else ["--user", "--preserve-credentials"]
    subprocess.run(["nsenter", "--target", str(server.process.pid), *user, "--mount", "--root", *map(str, command)], check=True)


KERNELS = [name for name in ("/proc", "/proc/sys", "/sys", "/sys/kernel", "/sys/fs/cgroup", "/dev", "/dev/pts") if os.path.isdir(name)]


@pytest.mark.parametrize("target", KERNELS)
def test_what_the_kernel_shows_of_itself_is_not_shared(server, share, folder, target):
    for command in (["add", "--name", "kernel", "--account", share.name], ["set", share.name]):
        told = server.cli("share", *command, "--target", target, ok=False)
        assert told.returncode == 1 and told.stdout == "" and told.stderr.count("\n") == 1, told
        assert "kernel" in told.stderr and "cannot be shared" in told.stderr
    shutil.rmtree(folder)
    folder.symlink_to(target)
    assert "not there any more" in share.client.list(share.path).fails(404)
    assert "kernel" in server.cli("share", "test", share.name, ok=False).stderr
