"""Own files, a shared folder, an FTP and an SFTP server in one tree, and content going between all of them."""

import contextlib
import itertools
import os
import pathlib
import shutil
import time

import pytest

from client import Client
from faulty_line import line_to
from mounting import add_connector, contents, plant, started
from places import KINDS, one_of_each, work_in
from remote_servers import SftpServer
from server import eventually

# What every server takes: FTP's lines have neither line ends nor names that begin with a blank.
TREE = {
    "a.txt": b"hello",
    "empty": b"",
    "Größe und мир.bin": bytes(range(256)) * 300,
    "with space & 100%": b"%41",
    "-rf": b"dash",
    "semi;type=i": b"s",
    "brackets [x] {y} *?": b"b",
    "quote ' \" `": b"q",
    "deep/" + "/".join(f"level {n}" for n in range(12)) + "/file": b"deep",
    "big": bytes(range(251)) * 9000,
    "nothing here": None,
    "deep/also nothing": None,
}


@pytest.fixture(scope="module")
def mounted(build_server, description):
    with one_of_each(build_server, description) as places:
        yield places


def planted():
    folders = {str(parent) for name in TREE for parent in pathlib.PurePath(name).parents if str(parent) != "."}
    return {**TREE, **{name: None for name in folders}}


@pytest.fixture
def clean(mounted):
    yield
    for place in mounted.by_kind.values():
        for item in place.folder.iterdir():
            if item.name == ".coffer-staging":
                continue
            # What was deleted through Coffer may still be taken apart behind.
            if item.is_dir() and not item.is_symlink():
                shutil.rmtree(item, ignore_errors=True)
            else:
                item.unlink(missing_ok=True)


PAIRS = list(itertools.permutations(KINDS, 2))


@pytest.mark.parametrize("source, target", PAIRS, ids=["-to-".join(pair) for pair in PAIRS])
def test_a_tree_is_copied_and_moved(mounted, clean, source, target):
    client, from_place, to_place = mounted.client, mounted[source], mounted[target]
    plant(from_place.folder / "tree", TREE)
    client.copy(from_place.at("tree"), to_place.path).ok()
    assert contents(to_place.folder / "tree") == planted()
    assert contents(from_place.folder / "tree") == planted()
    client.copy(from_place.at("tree"), to_place.path).fails(409)
    client.rename(to_place.at("tree"), "first").ok()
    client.move(from_place.at("tree"), to_place.path).ok()
    assert contents(to_place.folder / "tree") == planted()
    assert not (from_place.folder / "tree").exists()
    assert contents(to_place.folder / "first") == planted()
    names = {item.name for item in to_place.folder.iterdir()} - {".coffer-staging"}
    assert names == {"tree", "first"}, "something incomplete is left"


@pytest.mark.parametrize("kind", KINDS)
def test_every_operation_works(mounted, clean, kind):
    work_in(mounted.client, mounted[kind])


@pytest.mark.parametrize("kind", ("shared", "ftp", "sftp"))
def test_what_another_server_collects_is_never_shown_and_stays_however_old_it_is(mounted, clean, kind):
    """Nothing tells whether that server is still at work; test_mount_crash.py has what this one left."""
    client, place = mounted.client, mounted[kind]
    tree, file = (f".coffer-part-{since:09x}0123456789abcdef" for since in (1, int(time.time())))
    plant(place.folder / tree, TREE)
    (place.folder / file).write_bytes(b"on its way")
    for name in (tree, file):
        os.utime(place.folder / name, (1, 1))
    client.make_folder(place.path, "folder").ok()
    for name in (tree, file, f"{tree}/a.txt"):
        client.info(place.at(name)).fails(404)
    client.make_folder(place.path, file).fails(400)
    for _ in range(3):
        assert client.names(place.path) == ["folder"]
        assert (place.folder / tree / "a.txt").exists() and (place.folder / file).exists()


def test_mounts_are_listed_in_order(mounted, clean):
    listed = [(entry["name"], entry["mount"]) for entry in mounted.client.list().ok()]
    assert listed == [("FTP", "ftp"), ("SFTP", "sftp"), ("Shared", "shared")]
    kinds = [location["kind"] for location in mounted.client.locations().ok()]
    assert kinds == ["own", "ftp", "sftp", "shared"]
    assert "secret" not in str(mounted.client.list().ok()) + mounted.server.log()


def test_mounts_are_told_without_asking_their_servers(mounted, clean):
    """Servers that would never answer."""
    account = mounted.server.add_account()
    client = Client(mounted.server, mounted.server.create_key(account)["key"], mounted.client.description)
    with contextlib.ExitStack() as behind:
        lines, paths = [], []
        for kind, remote in mounted.remotes.items():
            line, options = behind.enter_context(line_to(remote))
            line.swallow()
            lines.append(line)
            paths.append(add_connector(mounted.server, account, kind.upper(), options, stdin="secret\n"))
        assert client.names() == ["FTP", "SFTP"]
        assert [one["path"] for one in client.locations().ok()] == ["", *(f"{path}/" for path in paths)]
        assert [client.info(path).ok()["name"] for path in paths] == ["FTP", "SFTP"]
        assert [line.accepted for line in lines] == [0, 0]


def test_a_server_that_is_away_is_told_and_hurts_nobody_else(mounted, clean):
    account = mounted.server.add_account()
    client = Client(mounted.server, mounted.server.create_key(account)["key"])
    with started(SftpServer) as remotes:
        remote = remotes["sftp"]
        path = add_connector(mounted.server, account, "Away", remote.options())
        assert client.list(path).ok() == []
        remote.stop()
        assert "Away" in client.list(path).fails(502)
        client.put("own", b"x")
        client.move("own", path).fails(502)
        assert client.names() == ["Away", "own"] and client.content("own") == b"x"
        remote.start()
        eventually(lambda: client.list(path).status == 200, "the mount to be back")
