"""The server dies in the middle of work between places: the source is whole, and after the next start nothing of what
was under way is left."""

import os

import pytest

from crash_scene import LABELS, SHAPES, expected
from mounting import open_to_all
from server import disk_bytes, eventually
from stopping import Stop

PARTIAL = ".coffer-part-"
ROUTES = [("own", "sftp"), ("own", "ftp"), ("sftp", "own"), ("sftp", "ftp")]
WORK = [(*route, verb, shape) for route in ROUTES for verb in ("copy", "move") for shape in SHAPES]
WORK += [(*route, verb, "many") for route in (("ftp", "own"), ("ftp", "sftp"), ("shared", "sftp"), ("own", "shared"))
         for verb in ("copy", "move")]
WORK += [("sftp", "sftp", "copy", "many"), ("ftp", "ftp", "copy", "many"), ("ftp", "ftp", "copy", "big")]


@pytest.mark.parametrize("source, target, verb, shape", WORK, ids=[f"{a}-to-{b}-{c}-{d}" for a, b, c, d in WORK])
def test_kill_during_work_between_places(make_scene, source, target, verb, shape):
    scene = make_scene(source, target)
    server, client = scene.server, scene.client
    source, target = scene.route(source, target)
    elsewhere = server.files_elsewhere()
    source.plant(shape)
    call = scene.start_and_hold(verb, source, target)
    server.kill()
    assert call.ended().answer is None
    assert source.files() == expected(shape), "the source is whole"
    assert not (target.folder / "item").exists(), "nothing incomplete has the name"
    scene.mend()
    server.start()
    assert set(client.names(target.path)) <= LABELS, "nothing but the mounts"
    client.info(target.at("item")).fails(404)
    eventually(lambda: client.used() == disk_bytes(scene.account.root), "the recount")
    eventually(lambda: target.left_over() == set(), "the left-over to be swept")
    # What is collected out of sight is noted after a moment, which a line that is held gives it.
    if target.line or (source.line and shape == "many"):
        assert f"interrupted a {verb} of account {scene.account.name} " in server.log()
    eventually(lambda: left_elsewhere(server, elsewhere) == set(), "an empty staging area")
    assert source.files() == expected(shape)
    getattr(client, verb)(source.at("item"), target.path).ok()
    assert target.files() == expected(shape)
    assert source.files() == (expected(shape) if verb == "copy" else {})
    assert client.used() == disk_bytes(scene.account.root)
    server.check_log()


MOVES = [("own", "sftp"), ("own", "ftp"), ("sftp", "own"), ("ftp", "own"), ("sftp", "ftp"), ("ftp", "sftp")]


@pytest.mark.parametrize("source, target", MOVES, ids=["-to-".join(route) for route in MOVES])
def test_kill_while_the_source_of_a_move_has_its_other_name(make_scene, source, target):
    """The copy is complete by then. The next start removes the source, or gives it its name back where the copy on a
    server cannot be known by its times."""
    scene = make_scene(source, target)
    server = scene.server
    source, target = scene.route(source, target)
    source.plant("many")

    def aside():
        return [item.name for item in source.folder.glob("item (not moved *")]

    if source.line:  # Its deletion takes many steps.
        call = scene.start("move", source, target)
        eventually(lambda: aside() or not call.is_alive(), "the other name")
        server.kill()
    else:
        with Stop(server, "renameat2", after=True) as stop:
            call = scene.start("move", source, target)
            assert stop.wait(call), "the source never had its other name"
            stop.kill_server()
    call.ended()
    assert aside() and target.files() == expected("many")
    server.start()
    eventually(lambda: not aside(), "the other name to go")
    # By vsftpd, which keeps no times, and lists none with their seconds. What is copied to a disk is known by its number.
    is_unknown = target.kind != "own" and "ftp" in (source.kind, target.kind)
    ends = [{}, expected("many")] if is_unknown else [{}]
    eventually(lambda: source.left_over() == set(), "what was removed to be deleted")
    assert source.files() in ends and target.files() == expected("many")
    eventually(lambda: scene.client.used() == disk_bytes(scene.account.root), "the recount")


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
    scene.start_and_hold("copy", source, target)
    scene.server.kill()
    scene.mend()
    target.line.refuse()
    scene.server.start()
    scene.client.list(target.path).fails(502)
    assert set(scene.client.names()) == {"SFTP", "item"}
    target.line.mend()
    eventually(lambda: scene.client.list(target.path).status == 200, "the mount to be back")
    assert scene.client.names(target.path) == []
    eventually(lambda: target.left_over() == set(), "the left-over to be swept")
    scene.client.copy("item", target.path).ok()
    assert target.files() == expected(shape)


def test_a_listing_sweeps_what_a_server_left_that_has_ended_and_nothing_else(make_scene):
    """An upload notes no task, so that the name alone tells whose it was; the age tells nothing."""
    scene = make_scene("sftp")
    source, target = scene.ends["own"], scene.ends["sftp"]
    source.plant("many")
    scene.start_and_hold("copy", source, target)
    scene.server.kill()
    scene.mend()
    left = next(name for name in target.names() if "/" not in name.rstrip("/") and name.startswith(PARTIAL))
    tag = left.removeprefix(PARTIAL)[:9]
    ours, foreign = (f"{PARTIAL}{begin}0123456789abcdef" for begin in (tag, "000000001"))
    for name in (ours, foreign):
        (target.folder / name).write_bytes(b"half of an upload")
        os.utime(target.folder / name, (1, 1))
    open_to_all(target.folder / ours, target.folder / foreign)
    scene.server.start()
    assert scene.client.names(target.path) == []
    eventually(lambda: target.left_over() == {foreign}, "what the killed server left to be swept")
    (target.folder / ours).write_bytes(b"once more")
    open_to_all(target.folder / ours)
    # A listing sweeps nothing while the sweep of another of the account is about to end.
    eventually(lambda: scene.client.names(target.path) == [] and target.left_over() == {foreign},
               "a later listing to sweep too")


def test_what_was_left_is_swept_by_a_later_start_if_the_mount_is_away_at_the_first(make_scene):
    """Without anybody looking at it."""
    scene = make_scene("sftp")
    source, target = scene.ends["own"], scene.ends["sftp"]
    source.plant("many")
    scene.start_and_hold("copy", source, target)
    scene.server.kill()
    scene.mend()
    target.line.refuse()
    scene.server.start()
    eventually(lambda: "an incomplete item was not removed" in scene.server.log(), "the sweep to be tried")
    scene.server.kill()
    assert target.left_over() != set()
    target.line.mend()
    scene.server.start()
    eventually(lambda: target.left_over() == set(), "the left-over to be swept")
