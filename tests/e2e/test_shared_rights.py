"""A shared folder of a group, with setgid and a default access control list: what Coffer makes there, whichever way it comes, is as
what any program makes there."""

import os
import struct

import pytest

from client import Client, form
from mounting import scratch
from packing import zip_of
from people import Person
from places import Place
from test_people_tasks import do
from tus import Tus

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root may give folders to other groups")

GROUP, READER = 4321, 1234
ACCESS, DEFAULT = "system.posix_acl_access", "system.posix_acl_default"
NOBODY = 0xFFFFFFFF
LIST = struct.pack("<I", 2) + b"".join(struct.pack("<HHI", *entry) for entry in (
    (0x01, 7, NOBODY), (0x02, 7, READER), (0x04, 5, NOBODY), (0x08, 4, GROUP), (0x10, 7, NOBODY), (0x20, 0, NOBODY)))
LARGE = bytes(range(256)) * 2000


def rights_of(item):
    status = item.stat()
    lists = {name: os.getxattr(item, name) for name in os.listxattr(item) if name in (ACCESS, DEFAULT)}
    return status.st_gid, status.st_mode, lists


class Team:
    def __init__(self, server, description, folder):
        self.server, self.folder = server, folder
        folder.chmod(0o2775)
        os.chown(folder, 0, GROUP)
        os.setxattr(folder, DEFAULT, LIST)
        account = server.add_account(None, "0")
        share = server.cli_json("share", "add", "--name", "Team", "--target", folder, "--account", account)
        self.client = Client(server, server.create_key(account)["key"], description)
        self.person, self.tus = Person(server, key=self.client.key), Tus(server, self.client.key)
        self.place, self.own = Place("shared", f"__adm_{share['id']}", folder), Place("own", "", server.files_of(account))

    def reference(self, is_folder=False):
        item = self.folder / "reference"
        item.mkdir(0o755) if is_folder else item.touch(0o666)
        rights = rights_of(item)
        item.rmdir() if is_folder else item.unlink()
        return rights


@pytest.fixture
def team(build_server, description):
    with scratch("team") as folder:
        server = build_server().start()
        try:
            yield Team(server, description, folder)
        finally:
            server.stop()


def test_every_way_in_makes_files_as_others_do(team):
    client, place = team.client, team.place
    client.upload(place.path, form(("small", b"x"), ("large", LARGE), ("empty", b""))).ok()
    client.make_file(place.path, "made").ok()
    team.tus.put(b"tus", name="tus small", folder=place.path)
    team.tus.put(LARGE, name="tus large", folder=place.path)
    team.person.call("PUT", f"files/content?path={place.at('put')}", raw=b"put", headers={"Content-Type": "application/octet-stream"})
    team.own.plant({"archive.zip": zip_of(("packed", b"packed"))})
    assert do(team.person, "unpack", ["archive.zip"], place.path)["state"] == "done"
    files = [item for item in team.folder.rglob("*") if item.is_file() and ".coffer" not in str(item)]
    assert len(files) == 8
    for item in files:
        assert rights_of(item) == team.reference(), item


def test_copies_and_moves_have_the_groups_rights(team):
    team.own.plant({"tree/file": b"file", "tree/sub/deep": LARGE, "single": b"single"})
    for path in (team.own.folder / "tree/file", team.own.folder / "single"):
        path.chmod(0o644)
    team.client.copy("tree", team.place.path).ok()
    team.client.move("single", team.place.path).ok()
    team.client.make_folder(team.place.path, "inner").ok()
    team.client.copy(team.place.at("tree"), team.place.at("inner")).ok()
    for top in ("tree", "inner/tree"):
        for folder in (top, f"{top}/sub"):
            group, mode, lists = rights_of(team.folder / folder)
            assert (group, mode & 0o2000, lists) == (GROUP, 0o2000, lists | {DEFAULT: LIST}), folder
        for name in ("file", "sub/deep"):
            assert (team.folder / top / name).stat().st_gid == GROUP
            assert ACCESS in os.listxattr(team.folder / top / name)
    assert (team.folder / "single").stat().st_gid == GROUP


@pytest.mark.parametrize("content", [b"new", LARGE], ids=["small", "large"])
@pytest.mark.parametrize("way", ["upload", "tus", "put", "copy"])
def test_an_overwrite_keeps_what_the_file_had(team, way, content):
    file = team.folder / "file"
    file.write_bytes(b"old")
    os.chown(file, READER, GROUP + 1)
    file.chmod(0o640)
    os.setxattr(file, "user.kept", b"value")
    os.setxattr(file, ACCESS, LIST)
    before, owner = rights_of(file), file.stat().st_uid
    if way == "upload":
        team.client.upload(team.place.path, form(("file", content))).ok()
    elif way == "tus":
        team.tus.put(content, name="file", folder=team.place.path, onConflict="replace")
    elif way == "put":
        team.person.call("PUT", f"files/content?path={team.place.at('file')}", raw=content, headers={"Content-Type": "application/octet-stream"})
    else:
        team.own.plant({"file": content})
        assert do(team.person, "copy", ["file"], team.place.path, onConflict="replace")["state"] == "done"
    assert file.read_bytes() == content
    assert (rights_of(file), file.stat().st_uid, os.getxattr(file, "user.kept")) == (before, owner, b"value")


@pytest.mark.parametrize("route", [("own", "place"), ("place", "own"), ("place", "place")], ids="-to-".join)
def test_sparse_files_stay_sparse_in_copies(team, route):
    source, target = (getattr(team, name) for name in route)
    with (source.folder / "sparse").open("wb") as file:
        file.truncate(64 << 20)
        for at in (5_000_000, 40_000_000):
            file.seek(at)
            file.write(b"data")
    team.client.make_folder(target.path, "copied").ok()
    team.client.copy(source.at("sparse"), target.at("copied")).ok()
    copied = target.folder / "copied/sparse"
    assert copied.stat().st_blocks * 512 < 1_000_000
    assert copied.read_bytes() == (source.folder / "sparse").read_bytes()
