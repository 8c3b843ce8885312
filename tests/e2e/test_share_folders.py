"""Shares whose folder becomes another one on the disk: replaced, also by a link, gone, mounted over, or never to be
shared."""

import os
import pathlib
import subprocess

import pytest

from client import FILES, encode, form, multipart
from disks import own_mounts
from mounting import contents
from people import Person
from raw import RawConnection, head
from server import eventually, tree_of
from tus import Tus, sql

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


@pytest.mark.parametrize("how", ["writable", "read-only"])
def test_a_folder_that_takes_the_place_of_another_is_the_share(server, share, folder, how):
    client, path, aside = share.client, share.path, folder.with_name("aside")
    client.put(f"{path}/old", b"old")
    if how == "read-only":
        server.cli("share", "set", share.name, "--read-only", "true")
    assert client.content(f"{path}/old") == b"old"
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


def test_a_share_that_was_made_through_a_link_keeps_the_folder(server, share, folder):
    """That the link led to then, wherever it leads to later."""
    client, path, link, secret = share.client, share.path, folder.with_name("link"), folder.with_name("secret")
    secret.mkdir()
    (secret / "key").write_bytes(b"secret")
    client.put(f"{path}/file", b"x")
    link.symlink_to(folder)
    changed = server.cli_json("share", "set", share.name, "--target", link)
    assert changed["target"] == str(folder)
    link.unlink()
    link.symlink_to(secret)
    assert client.names(path) == ["file"] and client.content(f"{path}/file") == b"x"


@pytest.mark.parametrize("above", [False, True], ids=["the-folder", "one-above"])
def test_a_link_in_the_place_of_a_folder_is_not_followed(server, share, folder, above):
    """Neither by who asks for it nor by a check of the data; and nothing of the share is lost."""
    client, outside = share.client, folder.with_name("outside")
    inner = folder / "inner"
    inner.mkdir()
    server.cli("share", "set", share.name, "--target", inner)
    path = share.path
    client.put(f"{path}/file", b"x")
    client.make_folder(path, "sub").ok()
    client.put(f"{path}/sub/mine", b"mine")
    limited, uploads = client.scoped(f"{path}/sub"), Tus(server, share.key)
    place = uploads.create(2, "late", path)
    uploads.patch(place, 0, b"l").is_(204)
    (outside / "inner/sub").mkdir(parents=True)
    (outside / "inner/file").write_bytes(b"secret")
    (outside / "inner" / os.fsdecode(b"beyond-it\xff")).write_bytes(b"secret")  # No other test has such a name.
    replaced, leads_to = (folder, outside) if above else (inner, outside / "inner")
    replaced.rename(replaced.with_name("aside"))
    replaced.symlink_to(leads_to)
    before = contents(outside)
    people = Person(server, share.key)
    for answer in (client.list(path), client.download(f"{path}/file"), client.upload(path, form(("new", b"x"))),
                   client.delete(f"{path}/file"), client.make_folder(path, "new"), limited.list()):
        told = answer.fails(502)
        assert "symbolic link" in told and str(outside) not in told and str(folder) not in told
    uploads.patch(place, 1, b"l").is_(502)
    people.fails("unavailable", "GET", f"files?path={path}")
    told = server.cli("share", "test", share.name, ok=False)
    assert told.returncode == 1 and "symbolic link" in told.stderr
    told = server.cli("check", ok=False).stdout
    assert f"share {share.name}: {inner}: A symbolic link stands there" in told and "beyond-it" not in told
    assert contents(outside) == before
    replaced.unlink()
    replaced.with_name("aside").rename(replaced)
    assert client.content(f"{path}/file") == b"x" and limited.content("mine") == b"mine"
    received = uploads.offset(place)
    uploads.patch(place, received, b"ll"[received:]).is_(204)
    assert client.content(f"{path}/late") == b"ll"


def test_a_folder_of_an_earlier_version_is_resolved_once(build_server, account_on, tmp_path):
    """Its row has the path through a link. A key that is limited to it stays."""
    server, folder, link = build_server().start(), tmp_path / "shared", tmp_path / "link"
    folder.mkdir()
    link.symlink_to(folder)
    try:
        account = account_on(server)
        made = server.cli_json("share", "add", "--name", "Old", "--target", folder, "--account", account.name)
        path = f"__adm_{made['id']}"
        account.client.make_folder(path, "sub").ok()
        key = account.client.scoped(f"{path}/sub")
        server.stop()
        sql(server, f"UPDATE shares SET target = '{link}', is_resolved = 0")
        server.start()
        eventually(lambda: account.client.list(path).status == 200, "the folder to be resolved")
        assert [share["target"] for share in server.cli_json("share", "list")] == [str(folder)]
        key.put("file", b"x")
        server.stop()
        folder.rename(tmp_path / "aside")
        folder.symlink_to(tmp_path / "aside")
        server.start()
        key.list().fails(502)
    finally:
        server.stop()


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
