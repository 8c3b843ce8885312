"""A share that holds a folder of another disk: it is read there as everywhere, and what cannot be changed says so."""

import pytest

from client import form
from disks import own_mounts
from people import Person
from server import files_of
from test_people_tasks import do
from test_share_folders import inside

TREE = {"one/a": b"first", "one/deep/b": b"second" * 20_000}


class Scene:
    def __init__(self, server, account, folder):
        self.server, self.client, self.folder = server, account.client, folder
        made = server.cli_json("share", "add", "--name", "Disks", "--target", folder, "--account", account.name)
        self.path = f"__adm_{made['id']}"
        self.person = Person(server, key=account.key)
        for name in ("here", "there"):
            (folder / name).mkdir()
        inside(server, "mount", "-n", "-t", "tmpfs", "tmpfs", folder / "there")
        for place in (self.folder, self.seen):
            for name, content in TREE.items():
                path = place / ("here" if place == self.folder else "there") / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)

    @property
    def seen(self):
        """The folder as the server sees it, with the other disk."""
        return type(self.folder)(f"/proc/{self.server.process.pid}/root{self.folder}")

    def at(self, path):
        return f"{self.path}/{path}"

    def state(self):
        return {path: content for path, content in files_of(self.seen).items() if ".coffer" not in str(path)}


@pytest.fixture
def scene(build_server, account_on, tmp_path):
    server, folder = build_server(), tmp_path / "shared"
    folder.mkdir()
    server.in_front = own_mounts()
    server.start()
    try:
        yield Scene(server, account_on(server), folder)
    finally:
        server.stop()


def test_it_is_read(scene):
    assert sorted(scene.client.names(scene.at("there/one"))) == ["a", "deep"]
    for name, content in TREE.items():
        assert scene.client.content(scene.at("there/" + name)) == content
    scene.client.copy(scene.at("there/one")).ok()
    assert scene.client.content("one/deep/b") == TREE["one/deep/b"]


@pytest.mark.parametrize("source, target", [("here", "there"), ("there", "here"), ("there/one/deep", "there")])
def test_a_move_says_so_and_changes_nothing(scene, source, target):
    before, name = scene.state(), "b" if "deep" in source else "one"
    answer = scene.client.move(scene.at(f"{source}/{name}"), scene.at(target))
    if source.partition("/")[0] == target:  # On one disk a rename is all it takes.
        answer.ok()
        assert scene.client.content(scene.at("there/b")) == TREE["one/deep/b"]
        return
    assert "another disk" in answer.fails(403)
    assert scene.state() == before


@pytest.mark.parametrize("content", [b"small", b"large" * 100_000], ids=["small", "large"])
@pytest.mark.parametrize("name", ["a", "new"])
def test_what_goes_there_says_so(scene, content, name):
    before = scene.state()
    assert "another disk" in scene.client.upload(scene.at("there/one"), form((name, content))).fails(403)
    assert "another disk" in scene.client.copy(scene.at("here/one/deep"), scene.at("there/one/deep")).fails(403)
    assert scene.state() == before


@pytest.mark.parametrize("permanent", [True, False])
def test_what_is_to_be_deleted_there_says_so(scene, permanent):
    before = scene.state()
    task = do(scene.person, "delete", [scene.at("there/one")], permanent=permanent)
    assert [item["path"] for item in task["skipped"]] == [scene.at("there/one")] and "another disk" in task["skipped"][0]["reason"], task
    assert "another disk" in scene.client.delete(scene.at("there/one")).fails(403)
    assert scene.state() == before and scene.person.ok("GET", "bin")["entries"] == []


def test_a_folder_with_a_disk_in_it_keeps_its_place(scene):
    disk = scene.folder / "above" / "disk"
    disk.mkdir(parents=True)
    inside(scene.server, "mount", "-n", "-t", "tmpfs", "tmpfs", disk)
    above = scene.at("above")
    for answer in (scene.client.rename(above, "renamed"), scene.client.delete(above), scene.client.move(above, scene.at("here"))):
        assert "disk is mounted" in answer.fails(409)
    for answer in (scene.client.rename(above + "/disk", "renamed"), scene.client.delete(above + "/disk")):
        answer.fails(403, 409)
    for permanent in (True, False):
        task = do(scene.person, "delete", [above], permanent=permanent)
        assert "disk is mounted" in task["skipped"][0]["reason"], task
    assert scene.client.names(above) == ["disk"]
