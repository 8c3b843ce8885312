"""Work between places goes on when its client goes, and is given up when the server stops."""

import pytest

from crash_scene import expected
from faulty_line import DOWN, UP
from server import disk_bytes, eventually
from withdrawing import ask_and_go


@pytest.mark.parametrize("route", [("own", "sftp"), ("own", "ftp"), ("sftp", "own")], ids="-to-".join)
@pytest.mark.parametrize("verb", ["copy", "move"])
def test_a_client_that_goes_does_not_end_the_work(make_scene, route, verb):
    scene = make_scene(*route)
    source, target = scene.route(*route)
    source.plant("many")
    scene.server.kill()
    scene.server.start()  # After that it counts what was put there behind its back.
    held = target.line or source.line
    target.hold(UP) if target.line else source.hold(DOWN)
    ask_and_go(scene.account, verb, source.at("item"), target.path, held.held)
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
    call = scene.start_and_hold("move", source, target)
    scene.server.send_signal(15)
    target.line.release()
    assert scene.server.wait() == 0
    call.ended()
    scene.server.start()
    eventually(lambda: target.left_over() == set(), "the left-over to be swept")
    both = source.files(), target.files()
    assert both in ((expected("many"), {}), ({}, expected("many"))), "all is at one of the places"


@pytest.mark.parametrize("kind", ["sftp", "ftp"])
def test_a_server_that_is_stopped_during_a_copy_within_a_mount_leaves_nothing(make_scene, kind):
    scene = make_scene(kind)
    source, target = scene.route(kind, kind)
    source.plant("many")
    call = scene.start_and_hold("copy", source, target)
    scene.server.send_signal(15)
    eventually(lambda: "long work is interrupted" in scene.server.log(), "the copy to be interrupted")
    scene.mend()
    assert scene.server.wait() == 0
    call.ended()
    assert target.names() == set()
    assert source.files() == expected("many")


STOP_S = 25  # Less than the deadlines for a remote server, and much more than the stop may take.


@pytest.mark.parametrize("source, target, verb", [("own", "ftp", "move"), ("sftp", "own", "copy")])
def test_a_stop_does_not_wait_for_a_line_that_stands_still(make_scene, source, target, verb):
    scene = make_scene(source, target, stop_timeout_ms=1000)
    source, target = scene.route(source, target)
    source.plant("many")
    scene.server.kill()
    scene.server.start()  # After that it counts what was put there behind its back.
    eventually(lambda: scene.client.used() == disk_bytes(scene.account.root), "the recount")
    call = scene.start_and_hold(verb, source, target)
    scene.server.send_signal(15)
    assert scene.server.process.wait(STOP_S) == 0
    call.ended()
    assert source.files() == expected("many")
    assert not (target.folder / "item").exists()
    scene.mend()
    scene.server.start()
    scene.client.info(target.at("item")).fails(404)
    eventually(lambda: target.left_over() == set(), "the left-over to be swept")
    assert source.files() == expected("many") and scene.client.used() == disk_bytes(scene.account.root)
