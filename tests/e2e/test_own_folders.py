"""The program's own folders on the disk: nothing leads it to the files of others, and it sweeps nothing that others made."""

import os
import pathlib
import shutil

import pytest

from client import form
from disks import own_mounts
from mounting import contents, plant
from people import Person
from test_people_bin import bin_of, delete
from test_people_tasks import do, ended
from test_share_folders import inside

TREE = {"keep": b"first", "0123456789abcdef0123456789abcdef/deep": b"second", "empty": None}
STAGING = ".coffer-staging"
ON_ANOTHER_DISK = ('mount -n -t tmpfs tmpfs "$1" && printf x > "$1/file" && ln -s "$2" "$1/.coffer-staging" && '
                   'shift 2 && exec "$@"')


class Scene:
    """A share with a file, and a folder beside it that is nobody's business."""

    def __init__(self, server, account, folder):
        self.server, self.account, self.client = server, account, account.client
        self.folder, self.outside = folder / "shared", folder / "outside"
        plant(self.outside, TREE)
        plant(self.folder, {"file": b"x"})
        made = server.cli_json("share", "add", "--name", "Team", "--target", self.folder, "--account", account.name)
        self.path = f"__adm_{made['id']}"

    def refuses_changes(self, path):
        """Reading goes on meanwhile."""
        assert STAGING in self.client.upload(path, form(("new", b"x"))).fails(403)
        assert STAGING in self.client.delete(f"{path}/file" if path else "file").fails(403)
        assert self.client.content(f"{path}/file" if path else "file") == b"x"


@pytest.fixture
def scene(build_server, account_on, tmp_path):
    server = build_server()
    server.in_front = own_mounts()
    server.start()
    yield Scene(server, account_on(server), tmp_path)
    if server.running():
        server.stop()


@pytest.mark.parametrize("when", ["at first", "after a crash"])
@pytest.mark.parametrize("target", ["outside", "relative", "own files"])
def test_a_link_in_the_place_of_a_staging_folder_empties_nothing(scene, target, when):
    scene.client.put("own", b"mine")
    if when == "after a crash":
        scene.client.put(f"{scene.path}/first", b"x")
        scene.server.kill()
        shutil.rmtree(scene.folder / STAGING)
    place = {"outside": scene.outside, "relative": pathlib.Path("../outside"), "own files": scene.account.root}[target]
    (scene.folder / STAGING).symlink_to(place)
    before = contents(scene.folder / place)
    if when == "after a crash":
        scene.server.start()
    scene.refuses_changes(scene.path)
    (scene.folder / STAGING).unlink()
    scene.client.put(f"{scene.path}/new", b"new")
    scene.server.stop()
    assert contents(scene.folder / place) == before


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may be other users")
def test_what_another_user_left_is_not_swept(scene):
    scene.client.put(f"{scene.path}/first", b"x")
    scene.server.stop()
    ours, others = (scene.folder / STAGING / f".coffer-part-{number:025x}" for number in (1, 2))
    for folder in (ours, others):
        plant(folder, TREE)
    os.chown(others, 65534, 65534)
    scene.server.start()
    scene.client.put(f"{scene.path}/second", b"x")
    scene.server.stop()
    assert contents(others) == contents(scene.outside) and not ours.exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may be other users")
def test_a_staging_folder_of_another_user_is_not_used(scene):
    """Its owner could read what is collected in it. Reading goes on, and changes when it is gone."""
    plant(scene.folder / STAGING, TREE)
    os.chown(scene.folder / STAGING, 65534, 65534)
    before = contents(scene.folder / STAGING)
    scene.refuses_changes(scene.path)
    assert contents(scene.folder / STAGING) == before
    shutil.rmtree(scene.folder / STAGING)
    scene.client.put(f"{scene.path}/new", b"new")


@pytest.mark.parametrize("where", ["share", "own files"])
def test_a_staging_folder_that_is_removed_is_made_again(scene, where):
    """By another program, under a server that goes on."""
    path, folder = (f"{scene.path}/", scene.folder / STAGING) if where == "share" else ("", scene.server.data / "staging")
    scene.client.put(f"{path}first", b"x")
    shutil.rmtree(folder)
    scene.client.put(f"{path}first", b"new")
    scene.client.make_folder(path.rstrip("/"), "to").ok()
    scene.client.copy(f"{path}first", f"{path}to").ok()
    scene.client.delete(f"{path}first").ok()
    assert folder.is_dir() and scene.client.content(f"{path}to/first") == b"new"


def test_nor_does_a_mount(scene):
    (scene.folder / STAGING).mkdir()
    inside(scene.server, "mount", "-n", "--bind", scene.outside, scene.folder / STAGING)
    before = contents(scene.outside)
    scene.refuses_changes(scene.path)
    scene.server.stop()
    assert contents(scene.outside) == before


def test_nor_does_a_link_in_own_files_on_another_disk(scene):
    before = contents(scene.outside)
    scene.server.stop()
    scene.server.in_front = (*own_mounts(), "sh", "-c", ON_ANOTHER_DISK, "sh", str(scene.account.root), str(scene.outside))
    scene.server.start()
    scene.refuses_changes("")
    scene.server.stop()
    assert contents(scene.outside) == before


def test_a_writable_share_on_a_disk_that_is_read_only_is_read(scene):
    inside(scene.server, "mount", "-n", "--bind", scene.folder, scene.folder)
    inside(scene.server, "mount", "-n", "-o", "remount,bind,ro", scene.folder)
    assert scene.client.content(f"{scene.path}/file") == b"x" and scene.client.names(scene.path) == ["file"]
    assert "read-only" in scene.client.upload(scene.path, form(("new", b"x"))).fails(403)


@pytest.mark.parametrize("owner", [None, pytest.param(65534, marks=pytest.mark.skipif(os.geteuid() != 0, reason="only root may be other users"))])
@pytest.mark.parametrize("name", ["uploads", "thumbnails", "staging", "drives", "files", "recovered"])
def test_a_link_in_the_data_folder_loses_nothing(build_server, tmp_path, name, owner):
    """The server's user may put such a folder on another disk, others may not lead it away."""
    server, outside = build_server().start(), tmp_path / "outside"
    server.stop()
    plant(outside, TREE)
    before = contents(outside)
    shutil.rmtree(server.data / name, ignore_errors=True)
    (server.data / name).symlink_to(outside)
    if owner:
        os.lchown(server.data / name, owner, owner)
        told = server.cli("serve", "--listen", "127.0.0.1:0", ok=False)
        assert told.returncode == 1 and told.stderr.count("\n") == 1 and f"{server.data}/{name} is a link" in told.stderr, told
    else:
        server.start()
        server.add_account()
        server.stop()
    assert before.items() <= contents(outside).items()


@pytest.mark.parametrize("name", [".Coffer-Bin", ".coffer-bin.", ".COFFER-STAGING", ".Coffer-Folder "])
def test_names_of_its_own_are_reserved_in_any_case(client, name):
    """Some file systems take these for the same name."""
    assert "reserved" in client.upload("", form((name, b"x"))).fails(400)
    assert "reserved" in client.make_folder("", name).fails(400)
    client.list(name).fails(404)


def test_a_name_that_only_begins_like_ours_is_anybodys(client, account):
    client.make_folder("", "d").ok()
    (account.root / "d/.coffer-notes").write_bytes(b"notes")
    client.make_folder("", "e").ok()
    client.move("d", "e").ok()
    assert client.content("e/d/.coffer-notes") == b"notes"


LINKS = {"to the bin": ("x", ".coffer-bin"), "in a folder": ("sub/x", "../.coffer-bin"), "by another link": ("x", "y")}


@pytest.mark.parametrize("how", LINKS)
def test_nobody_reaches_a_bin_through_a_link(server, make_account, tmp_path, how):
    """Neither what one account deleted nor what another did, by any way to read, write or delete."""
    ann, bob, folder, (link, target) = make_account(), make_account(), tmp_path / "shared", LINKS[how]
    plant(folder, {"sub/file": b"visible", "deleted/file": b"deleted"})
    made = server.cli_json("share", "add", "--name", ann.name, "--target", folder, "--account", ann.name, "--account", bob.name)
    path, person = f"__adm_{made['id']}", Person(server, key=bob.key)
    item, = delete(Person(server, key=ann.key), f"{path}/deleted")
    (folder / "y").symlink_to(".coffer-bin")
    if how != "by another link":
        (folder / "y").unlink()
    (folder / link).symlink_to(target)
    before = contents(folder / ".coffer-bin")
    client, bin_path = bob.client, f"{path}/{link}"
    for answer in (client.list(bin_path), client.list(f"{bin_path}/{item}"), client.download(f"{bin_path}/{item}/file"),
                   client.info(f"{bin_path}/{item}"), client.upload(f"{bin_path}/{item}", form(("new", b"x"))),
                   client.make_folder(f"{bin_path}/{item}", "new"), client.delete(f"{bin_path}/{item}"),
                   client.copy(f"{bin_path}/{item}"), client.move(f"{bin_path}/{item}"), client.create_key("k", bin_path)):
        answer.fails(404)
    for method, where, body in (("GET", f"files?path={bin_path}", None), ("GET", f"files?path={bin_path}/{item}", None),
                                ("POST", "links", {"path": bin_path, "mode": "read"}),
                                ("POST", "keys", {"name": "k", "access": "full", "folder": bin_path})):
        person.fails("not_found", method, where, body)
    for kind, more in (("delete", {"permanent": True}), ("move", {"destination": ""}), ("copy", {"destination": ""})):
        task = {"kind": kind, "sources": [f"{bin_path}/{item}"], **more}
        answer = person.call("POST", "tasks", task)
        assert answer.status_code == 404 or ended(person, answer.json())["skippedCount"] == 1, answer.text
    assert os.path.basename(link) not in client.names(os.path.dirname(bin_path))
    assert "deleted" not in person.call("GET", f"search?q=file&path={path}").text
    assert contents(folder / ".coffer-bin") == before
    assert client.names() == [ann.name]
    server.cli("share", "remove", made["id"])


def test_a_bin_that_becomes_a_link_forgets_nothing(build_server, account_on, tmp_path):
    """Nor is what lies behind the link measured or deleted."""
    server, folder, outside = build_server().start(), tmp_path / "shared", tmp_path / "shared/other"
    plant(folder, {"deleted/file": b"deleted", "more": b"more", "other/file": b"x"})
    try:
        account = account_on(server)
        made = server.cli_json("share", "add", "--name", "Team", "--target", folder, "--account", account.name)
        path, person = f"__adm_{made['id']}", Person(server, key=account.key)
        item, = delete(person, f"{path}/deleted")
        (folder / ".coffer-bin").rename(tmp_path / "aside")
        (folder / ".coffer-bin").symlink_to("other")
        before = contents(outside)
        assert "is a link" in person.fails("unavailable", "DELETE", f"bin/{item}")
        task = do(person, "delete", [f"{path}/more"])
        assert task["skippedCount"] == 1 and "is a link" in task["skipped"][0]["reason"], task
        server.stop()
        server.start()
        assert [one["id"] for one in bin_of(person)] == [item] and contents(outside) == before
        (folder / ".coffer-bin").unlink()
        (tmp_path / "aside").rename(folder / ".coffer-bin")
        assert do(person, "restore", [item])["state"] == "done"
        assert account.client.content(f"{path}/deleted/file") == b"deleted"
    finally:
        server.stop()
