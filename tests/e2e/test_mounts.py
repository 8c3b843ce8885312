"""Own files, a shared folder, an FTP and an SFTP server in one tree, and content going between all of them."""

import contextlib
import itertools
import pathlib
import shutil
import time

import pytest

from client import Client, form
from faulty_line import line_to
from mounting import add_connector, at, contents, plant, scratch, started
from remote_servers import FtpServer, SftpServer
from server import eventually

KINDS = ("own", "shared", "ftp", "sftp")
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


class Place:
    """One of the four, and the plain folder behind it."""

    def __init__(self, kind, path, folder):
        self.kind, self.path, self.folder = kind, path, folder

    def at(self, name):
        return at(self.path, name)


class Mounted:
    def __init__(self, server, client, places, remotes):
        self.server, self.client, self.places, self.remotes = server, client, places, remotes


@pytest.fixture(scope="module")
def mounted(build_server, description):
    with contextlib.ExitStack() as behind:
        remotes = behind.enter_context(started(FtpServer, SftpServer))
        shared = behind.enter_context(scratch("shared"))
        server = build_server().start()
        behind.callback(server.stop)
        account = server.add_account()
        client = Client(server, server.create_key(account)["key"], description)
        share = server.cli_json("share", "add", "--name", "Shared", "--target", shared, "--account", account)
        places = {"own": Place("own", "", server.files_of(account)),
                  "shared": Place("shared", f"__adm_{share['id']}", shared)}
        for kind, remote in remotes.items():
            path = add_connector(server, account, kind.upper(), remote.options(), stdin="secret\n")
            places[kind] = Place(kind, path, remote.root)
        yield Mounted(server, client, places, remotes)


def planted():
    folders = {str(parent) for name in TREE for parent in pathlib.PurePath(name).parents if str(parent) != "."}
    return {**TREE, **{name: None for name in folders}}


@pytest.fixture
def clean(mounted):
    yield
    for place in mounted.places.values():
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
    client, from_place, to_place = mounted.client, mounted.places[source], mounted.places[target]
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
    client, place = mounted.client, mounted.places[kind]
    client.upload(place.path, form(("a.txt", b"hello"), ("b.txt", b"x" * 200_000))).ok()
    assert (place.folder / "a.txt").read_bytes() == b"hello"
    assert client.content(place.at("b.txt")) == b"x" * 200_000
    assert client.download(place.at("a.txt"), {"Range": "bytes=1-3"}).content == b"ell"
    assert client.download(place.at("a.txt"), {"Range": "bytes=-2"}).content == b"lo"
    client.upload(place.path, form(("a.txt", b"replaced"))).ok()
    assert client.content(place.at("a.txt")) == b"replaced"
    client.make_folder(place.at("new/deep"), "folder").ok()
    client.make_folder(place.at("new/deep"), "folder").fails(409)
    client.make_file(place.at("new"), "empty").ok()
    client.copy(place.at("a.txt"), place.at("new")).ok()
    client.move(place.at("b.txt"), place.at("new/deep")).ok()
    client.rename(place.at("new"), "other").ok()
    assert client.names(place.at("other")) == ["deep", "a.txt", "empty"]
    assert client.info(place.at("other/deep/b.txt")).ok()["size"] == 200_000
    client.list(place.at("a.txt")).fails(400)
    client.download(place.at("other")).fails(400)
    client.list(place.at("none")).fails(404)
    client.delete(place.at("other")).ok()
    client.delete(place.at("other")).fails(404)
    assert "other" not in {item.name for item in place.folder.iterdir()}


@pytest.mark.parametrize("kind", ("shared", "ftp", "sftp"))
def test_what_was_left_incomplete_is_never_shown_and_swept_when_old(mounted, clean, kind):
    client, place = mounted.client, mounted.places[kind]
    old, new = (f".coffer-part-{since:09x}0123456789abcdef" for since in (1, int(time.time())))
    plant(place.folder / old, TREE)
    (place.folder / new).write_bytes(b"on its way")
    client.make_folder(place.path, "folder").ok()
    for name in (old, new, f"{old}/a.txt"):
        client.info(place.at(name)).fails(404)
    client.make_folder(place.path, new).fails(400)
    assert client.names(place.path) == ["folder"]
    eventually(lambda: not (place.folder / old).exists(), "the old one to be swept")
    assert client.names(place.path) == ["folder"] and (place.folder / new).exists()


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
