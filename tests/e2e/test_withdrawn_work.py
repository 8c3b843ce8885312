"""A right is withdrawn while work that needs it is under way: the work stops, its source is whole, and nothing of it is
left at the destination."""

import pathlib
import random
import tempfile

import pytest

from faulty_line import CONTROL, DOWN, UP, line_to
from mounting import add_connector, at, plant, started
from people import Person
from remote_servers import SftpServer
from server import disk_bytes, eventually, tree_of
from withdrawing import HeldWork

ITEM = {f"item/folder {folder}/{number}": random.Random(number).randbytes(20_000 + number)
        for folder in range(4) for number in range(12)}
NAME = "Far away"


@pytest.fixture(scope="module")
def remote():
    with started(SftpServer) as remotes:
        yield remotes["sftp"]


class Place:
    """Where work goes from or to, and the plain folder behind it."""

    def __init__(self, path, folder):
        self.path, self.folder = path, folder

    def is_whole(self):
        return {name: (self.folder / name).read_bytes() for name in ITEM} == ITEM

    def names(self):
        """All on the disk but a share's own folder for what is not complete."""
        return {name for name in tree_of(self.folder) if not name.startswith(".coffer-staging")}


class Scene(HeldWork):
    """An account with its own files, a share, and a connector over a line that can be held."""

    def __init__(self, server, account, line, places):
        super().__init__(server, account, line, NAME)
        self.places = places

    def withdraw(self, what):
        share = self.places["share"].path.removeprefix("__adm_")
        of_share = {
            "share": lambda: ["share", "remove", share],
            "membership": lambda: ["share", "set", share, "--account", self.server.add_account(),
                                   "--no-account", self.account.name],
            "writing to the share": lambda: ["share", "set", share, "--read-only", "true"],
        }
        if what in of_share:
            self.server.cli(*of_share[what]())
        else:
            super().withdraw(what)

    def hold(self, verb, source, target, **fault):
        return super().hold(verb, at(source.path, "item"), target.path, channel=CONTROL, **fault)

    def used(self):
        """As the command line tells it, which asks no account's leave."""
        accounts = self.server.cli_json("account", "list")
        return next(account["storageUsed"] for account in accounts if account["username"] == self.account.name)


@pytest.fixture
def scene(own_server, account_on, remote, tmp_path):
    server = own_server()
    account = account_on(server)
    folder = pathlib.Path(tempfile.mkdtemp(dir=remote.root))
    shared = tmp_path / "shared"
    shared.mkdir()
    share = server.cli_json("share", "add", "--name", "Team", "--target", shared, "--account", account.name)
    with line_to(remote) as (line, options):
        connector = add_connector(server, account.name, NAME, options, folder.name)
        yield Scene(server, account, line, {"own": Place("", account.root), "connector": Place(connector, folder),
                                            "share": Place(f"__adm_{share['id']}", shared)})


CASES = [
    ("copy", "own", "connector", "connector"),
    ("move", "own", "connector", "connector"),
    ("copy", "own", "connector", "writing to the connector"),
    ("copy", "own", "connector", "account"),
    ("copy", "own", "connector", "key"),
    ("move", "connector", "share", "key"),
    ("copy", "connector", "own", "connector"),
    ("move", "connector", "own", "writing to the connector"),
    ("move", "connector", "own", "account"),
    ("copy", "connector", "share", "share"),
    ("copy", "connector", "share", "membership"),
    ("copy", "connector", "share", "writing to the share"),
    ("move", "share", "connector", "writing to the share"),
]


@pytest.mark.parametrize("verb, source, target, what", CASES, ids=lambda part: part.replace(" ", "-"))
def test_work_between_places_stops(scene, verb, source, target, what):
    source, target = scene.places[source], scene.places[target]
    plant(source.folder, ITEM)
    direction = UP if target is scene.places["connector"] else DOWN
    call = scene.hold(verb, source, target, after=300_000, direction=direction)
    scene.withdraw(what)
    scene.refuses(call, what)
    assert source.is_whole()
    eventually(lambda: target.names() == set(), "nothing at the destination")


def test_what_was_reserved_for_work_that_stops_is_free_again(scene):
    source, target = scene.places["connector"], scene.places["own"]
    plant(source.folder, ITEM)
    call = scene.hold("copy", source, target, after=300_000, direction=DOWN)
    scene.withdraw("connector")
    scene.refuses(call, "connector")
    eventually(lambda: scene.used() == disk_bytes(scene.account.root) == 0, "nothing to be counted")


@pytest.mark.parametrize("what", ["connector", "writing to the connector", "account", "key"])
def test_a_copy_within_a_mount_stops(scene, what):
    mount = scene.places["connector"]
    plant(mount.folder, ITEM)
    into = Place(at(mount.path, "into"), mount.folder / "into")
    into.folder.mkdir()
    call = scene.hold("copy", mount, into, after=12_000, direction=UP)
    scene.withdraw(what)
    scene.refuses(call, what)
    assert mount.is_whole()
    eventually(lambda: into.names() == set(), "nothing at the destination")


def test_a_step_of_a_task_stops(scene):
    """A move takes the right to write where its source is, until that is deleted."""
    share, connector = scene.places["share"], scene.places["connector"]
    plant(share.folder, ITEM)
    person = Person(scene.server, key=scene.account.key)
    scene.line.fault("hold", channel=CONTROL, after=300_000, direction=UP)
    made = person.ok("POST", "tasks", {"kind": "move", "sources": [at(share.path, "item")], "destination": connector.path}, 202)
    eventually(scene.line.held.is_set, "the middle of the work")
    scene.withdraw("writing to the share")
    scene.line.mend()
    task = eventually(lambda: (one := person.ok("GET", "tasks/" + made["id"]))["state"] not in ("waiting", "running") and one,
                      "the end of the task")
    assert task["state"] == "failed" and task["errorCode"] == "forbidden" and "read-only" in task["error"], task
    assert share.is_whole()
    eventually(lambda: connector.names() == set(), "nothing at the destination")


LARGE, OLD = random.Random(1).randbytes(1 << 20) * 96, b"old"


@pytest.mark.parametrize("what", ["key", "writing to the share"])
def test_a_file_that_is_to_replace_another_is_moved_whole_or_not_at_all(scene, what):
    """Whenever the right is lost: before the other one's place is taken, or behind all."""
    share, own = scene.places["share"], scene.places["own"]
    plant(share.folder, {"f": LARGE})
    plant(own.folder, {"into/f": OLD})
    person = Person(scene.server, key=scene.account.key)
    person.ok("POST", "tasks", {"kind": "move", "sources": [at(share.path, "f")], "destination": "into", "onConflict": "replace"}, 202)
    scene.withdraw(what)
    ended = ("done", "failed", "cancelled")
    (task,) = eventually(lambda: [one for one in scene.server.cli_json("task", "list", "--account", scene.account.name)
                                  if one["state"] in ended], "the end of the task")
    here = {name: (share.folder / name).read_bytes() == LARGE for name in share.names()}
    there = (own.folder / "into/f").read_bytes()
    assert (task["state"], here, there == LARGE, there == OLD) in [("done", {}, True, False), ("failed", {"f": True}, False, True)]
    assert tree_of(own.folder / "into") == {"f"}


def test_what_was_to_be_replaced_goes_meanwhile(scene):
    """The file is moved, or it stays and that is told: it is never said to be there."""
    share, own = scene.places["share"], scene.places["own"]
    person = Person(scene.server, key=scene.account.key)
    for number in range(30):
        name = f"g{number}"
        plant(share.folder, {name: b"new"})
        plant(own.folder, {f"into/{name}": OLD})
        made = person.ok("POST", "tasks", {"kind": "move", "sources": [at(share.path, name)], "destination": "into", "onConflict": "replace"}, 202)
        scene.client.delete(f"into/{name}")
        task = eventually(lambda: next((one for one in person.ok("GET", "tasks") if one["id"] == made["id"] and one["state"] not in ("waiting", "running")), None),
                          "the end of the task")
        told = [item["reason"] for item in task["skipped"]]
        if (share.folder / name).exists():
            assert task["state"] == "failed" and "no longer exists" in told[0], task
        else:
            assert (task["state"], told) == ("done", []), task
