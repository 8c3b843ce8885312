"""The server dies in the middle of work between mounts: the source is whole, and after the next start nothing of what
was under way is left. And it does not end such work because a client has gone."""

import contextlib
import pathlib
import random
import tempfile

import pytest

from client import FILES, encode
from faulty_line import CONTROL, DATA, DOWN, UP, line_to
from mounting import Call, add_connector, at, is_partial, plant, started
from raw import RawConnection, head
from remote_servers import FtpServer, SftpServer
from server import disk_bytes, eventually, tree_of

BIG = {"": random.Random(2).randbytes(6 << 20)}
MANY = {f"folder {folder}/deep/{number}": random.Random(number).randbytes(15_000 + number)
        for folder in range(8) for number in range(12)}
SHAPES = {"big": BIG, "many": MANY}
ROUTES = [("own", "sftp"), ("own", "ftp"), ("sftp", "own"), ("sftp", "ftp")]


class End:
    """A place that content comes from or goes to, and the plain folder behind it."""

    def __init__(self, kind, path, folder, line=None):
        self.kind, self.path, self.folder, self.line = kind, path, folder, line

    def at(self, name):
        return at(self.path, name)

    def plant(self, shape):
        plant(self.folder, expected(shape))

    def hold(self, direction):
        """Stops all when the middle of the content comes by."""
        channel = DATA if self.kind == "ftp" else CONTROL
        self.line.fault("hold", after=600_000, channel=channel, direction=direction)

    def files(self):
        return {name: (self.folder / name).read_bytes() for name in self.names() if not name.endswith("/")}

    def names(self):
        """Also while they change."""
        return tree_of(self.folder)

    def left_over(self):
        return [name for name in self.names() if is_partial(name)]


@pytest.fixture(scope="module")
def remotes():
    with started(FtpServer, SftpServer) as remotes:
        yield remotes


class Scene:
    """A server, an account, its own files and mounts."""

    def __init__(self, server, account):
        self.server, self.account, self.client = server, account, account.client
        self.ends = {"own": End("own", "", account.root)}


@pytest.fixture
def make_scene(own_server, account_on, remotes):
    with contextlib.ExitStack() as behind:

        def make(*kinds):
            server = own_server(stop_timeout_ms=5000)
            behind.callback(server.kill)  # A clean stop is no matter here.
            scene = Scene(server, account_on(server))
            for kind in set(kinds) - {"own"}:
                folder = pathlib.Path(tempfile.mkdtemp(dir=remotes[kind].root))
                folder.chmod(0o777)
                line, options = behind.enter_context(line_to(remotes[kind]))
                path = add_connector(server, scene.account.name, kind.upper(), options, folder.name,
                                     "secret\n" if kind == "ftp" else "")
                scene.ends[kind] = End(kind, path, folder, line)
            return scene

        yield make


def expected(shape):
    return {str(pathlib.PurePath("item") / name): content for name, content in SHAPES[shape].items()}


def start_and_hold(scene, verb, source, target):
    """The work under way, and held for good in its middle."""
    if target.line:
        held = target.line
        target.hold(UP)
    else:
        held = source.line
        source.hold(DOWN)
    caller = Call(lambda: getattr(scene.client, verb)(source.at("item"), target.path))
    eventually(lambda: held.held.is_set() or not caller.is_alive(), "the middle of the work")
    assert held.held.is_set(), f"it ended before: {caller.answer}"
    return caller


def mend(scene):
    for end in scene.ends.values():
        if end.line:
            end.line.mend()


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("verb", ["copy", "move"])
@pytest.mark.parametrize("route", ROUTES, ids=["-to-".join(route) for route in ROUTES])
def test_kill_during_work_between_places(make_scene, route, verb, shape):
    scene = make_scene(*route)
    server, client = scene.server, scene.client
    source, target = (scene.ends[kind] for kind in route)
    elsewhere = server.files_elsewhere()
    source.plant(shape)
    caller = start_and_hold(scene, verb, source, target)
    server.kill()
    assert caller.ended().answer is None
    assert source.files() == expected(shape), "the source is whole"
    assert not (target.folder / "item").exists(), "nothing incomplete has the name"
    mend(scene)
    server.start()
    assert set(client.names(target.path)) <= {"SFTP", "FTP"}, "nothing but the mounts"
    client.info(target.at("item")).fails(404)
    eventually(lambda: client.used() == disk_bytes(scene.account.root), "the recount")
    eventually(lambda: target.left_over() == [], "the left-over to be swept")
    if target.line or shape == "many":  # A file for own files is collected out of sight, and noted after a moment.
        assert f"interrupted a {verb} of account" in server.log()
    eventually(lambda: left_elsewhere(server, elsewhere) == set(), "an empty staging area")
    assert source.files() == expected(shape)
    getattr(client, verb)(source.at("item"), target.path).ok()
    assert target.files() == expected(shape)
    assert source.files() == (expected(shape) if verb == "copy" else {})
    assert client.used() == disk_bytes(scene.account.root)
    server.check_log()


def left_elsewhere(server, before):
    """Files beside the accounts' that were not there before, the database's and the logs of contents left out."""
    return {name for name in server.files_elsewhere() - before
            if not name.endswith(("-wal", "-shm", "-journal", ".lock", ".log"))}


@pytest.mark.parametrize("shape", SHAPES)
def test_what_was_left_is_swept_later_if_the_mount_is_away_at_the_start(make_scene, shape):
    """It never shows meanwhile, and the start does not wait for it."""
    scene = make_scene("sftp")
    source, target = scene.ends["own"], scene.ends["sftp"]
    source.plant(shape)
    start_and_hold(scene, "copy", source, target)
    scene.server.kill()
    mend(scene)
    target.line.refuse()
    scene.server.start()
    scene.client.list(target.path).fails(502)
    assert set(scene.client.names()) == {"SFTP", "item"}
    assert target.left_over() != []
    target.line.mend()
    eventually(lambda: scene.client.list(target.path).status == 200, "the mount to be back")
    assert scene.client.names(target.path) == []
    eventually(lambda: target.left_over() == [], "the left-over to be swept")
    scene.client.copy("item", target.path).ok()
    assert target.files() == expected(shape)


def test_what_was_left_is_swept_by_a_later_start_if_the_mount_is_away_at_the_first(make_scene):
    """Without anybody looking at it."""
    scene = make_scene("sftp")
    source, target = scene.ends["own"], scene.ends["sftp"]
    source.plant("many")
    start_and_hold(scene, "copy", source, target)
    scene.server.kill()
    mend(scene)
    target.line.refuse()
    scene.server.start()
    eventually(lambda: "an incomplete item was not removed" in scene.server.log(), "the sweep to be tried")
    scene.server.kill()
    assert target.left_over() != []
    target.line.mend()
    scene.server.start()
    eventually(lambda: target.left_over() == [], "the left-over to be swept")


def start_and_hold_within(scene, mount):
    """A copy from one folder of a mount to another, which the server behind it does; held in its middle."""
    mount.plant("many")
    into = End(mount.kind, mount.at("into"), mount.folder / "into", mount.line)
    into.folder.mkdir()
    into.folder.chmod(0o777)
    mount.line.fault("hold", after=12_000, channel=CONTROL, direction=UP)
    caller = Call(lambda: scene.client.copy(mount.at("item"), into.path))
    eventually(lambda: mount.line.held.is_set() or not caller.is_alive(), "the middle of the work")
    assert mount.line.held.is_set(), f"it ended before: {caller.answer}"
    return caller, into


@pytest.mark.parametrize("kind", ["sftp", "ftp"])
def test_kill_during_a_copy_within_a_mount(make_scene, kind):
    scene = make_scene(kind)
    mount = scene.ends[kind]
    caller, into = start_and_hold_within(scene, mount)
    scene.server.kill()
    assert caller.ended().answer is None
    assert len(into.left_over()) > 1
    mend(scene)
    scene.server.start()
    eventually(lambda: into.names() == set(), "the left-over to be swept")
    assert mount.files() == expected("many")
    scene.client.copy(mount.at("item"), into.path).ok()
    assert into.files() == expected("many")


@pytest.mark.parametrize("kind", ["sftp", "ftp"])
def test_a_server_that_is_stopped_during_a_copy_within_a_mount_leaves_nothing(make_scene, kind):
    scene = make_scene(kind)
    mount = scene.ends[kind]
    caller, into = start_and_hold_within(scene, mount)
    scene.server.send_signal(15)
    eventually(lambda: "long work is interrupted" in scene.server.log(), "the copy to be told to stop")
    mend(scene)
    assert scene.server.wait() == 0
    caller.ended()
    assert into.names() == set()
    assert mount.files() == expected("many")


@pytest.mark.parametrize("route", [("own", "sftp"), ("own", "ftp"), ("sftp", "own")], ids="-to-".join)
@pytest.mark.parametrize("verb", ["copy", "move"])
def test_a_client_that_goes_does_not_end_the_work(make_scene, route, verb):
    scene = make_scene(*route)
    source, target = (scene.ends[kind] for kind in route)
    source.plant("many")
    scene.server.kill()
    scene.server.start()  # After that it counts what was put there behind its back.
    held = target.line or source.line
    target.hold(UP) if target.line else source.hold(DOWN)
    with RawConnection(scene.server) as connection:
        query = encode({"from": source.at("item"), "to": target.path})
        connection.send(head("PUT", f"{FILES}/{verb}?{query}", "Content-Length: 0", key=scene.account.key))
        assert held.held.wait(60)
    assert not (target.folder / "item").exists()
    held.release()
    eventually(lambda: {name for name in target.names() if not name.endswith("/")} == set(expected("many")),
               "the work to be done")
    assert target.files() == expected("many")
    if verb == "move":
        eventually(lambda: source.names() == set(), "the source to be deleted")
    eventually(lambda: scene.client.used() == disk_bytes(scene.account.root), "the figure to be right")
    assert source.files() == (expected("many") if verb == "copy" else {})


def test_a_server_that_is_stopped_during_work_leaves_nothing(make_scene):
    """A clean stop in the middle: the work is given up, and swept by the stop or the next start."""
    scene = make_scene("sftp")
    source, target = scene.ends["own"], scene.ends["sftp"]
    source.plant("many")
    caller = start_and_hold(scene, "move", source, target)
    scene.server.send_signal(15)
    target.line.release()
    assert scene.server.wait() == 0
    caller.ended()
    scene.server.start()
    eventually(lambda: target.left_over() == [], "the left-over to be swept")
    both = source.files(), target.files()
    assert both in ((expected("many"), {}), ({}, expected("many"))), "all is at one of the places"
