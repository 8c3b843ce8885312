"""Long work with cloud drives: its right is withdrawn, its client goes, its server stops. What is at the target then is
all of it or nothing."""

import random

import pytest

from driving import LABEL, TWO_KINDS, Engine, drive_over_line, new_name
from faulty_line import DOWN, UP
from mounting import at, contents, plant
from server import disk_bytes, eventually
from withdrawing import HeldWork, ask_and_go

ITEM = {"item": None, **{f"item/folder {folder}": None for folder in range(2)},
        **{f"item/folder {folder}/{number}": random.Random(number).randbytes(100_000 + number)
           for folder in range(2) for number in range(8)}}


class Scene(HeldWork):
    """An account's own files, and a drive."""

    def __init__(self, server, account, place, line):
        super().__init__(server, account, line, LABEL)
        self.place = place

    def hold(self, verb, source, target, after, direction):
        self.client.list(self.place.path).ok()
        return super().hold(verb, source, target, after=after, direction=direction)


@pytest.fixture
def scene(own_server, account_on, drive_servers, kind):
    server = own_server(stop_timeout_ms=2000)
    account = account_on(server)
    with drive_over_line(server, account.name, drive_servers(kind), new_name()) as (place, line):
        yield Scene(server, account, place, line)


CASES = [("copy", "to", "connector"), ("move", "to", "connector"), ("copy", "to", "writing to the connector"), ("copy", "to", "account"),
         ("copy", "from", "connector"), ("move", "from", "writing to the connector"), ("move", "from", "account")]


@pytest.mark.parametrize("verb, way, what", CASES, ids=lambda part: part.replace(" ", "-"))
@pytest.mark.parametrize("kind", TWO_KINDS)
def test_work_whose_right_is_withdrawn_stops(scene, verb, way, what):
    if way == "to":
        plant(scene.account.root, ITEM)
        call = scene.hold(verb, "item", scene.place.path, 600_000, UP)
    else:
        scene.place.plant(ITEM)
        call = scene.hold(verb, scene.place.at("item"), "", 600_000, DOWN)
    scene.withdraw(what)
    scene.refuses(call, what)
    if way == "to":
        assert contents(scene.account.root) == ITEM
        eventually(lambda: scene.place.everything() == {}, "nothing at the destination")
    else:
        assert scene.place.everything() == ITEM
        eventually(lambda: contents(scene.account.root) == {}, "nothing at the destination")


@pytest.mark.parametrize("what", ["connector", "account"])
@pytest.mark.parametrize("kind", TWO_KINDS)
def test_a_copy_within_a_drive_stops(scene, what):
    scene.place.plant({**ITEM, "into": None})
    call = scene.hold("copy", scene.place.at("item"), scene.place.at("into"), 4000, UP)
    scene.withdraw(what)
    scene.refuses(call, what)
    eventually(lambda: scene.place.everything() == {**ITEM, "into": None}, "nothing at the destination")


@pytest.mark.parametrize("what", ["connector", "writing to the connector"])
@pytest.mark.parametrize("kind", TWO_KINDS)
def test_a_single_file_that_is_given_up_leaves_nothing(scene, what):
    """Its length is known, so that it goes to the drive as it comes."""
    content = random.Random(99).randbytes(4 << 20)
    plant(scene.account.root, {"file": content})
    call = scene.hold("copy", "file", scene.place.path, 2 << 20, UP)
    assert scene.place.visible() == {}
    scene.withdraw(what)
    scene.refuses(call, what)
    eventually(lambda: scene.place.kept() == {}, "what had come to go")
    assert contents(scene.account.root) == {"file": content}


@pytest.mark.parametrize("verb", ["copy", "move"])
@pytest.mark.parametrize("kind", TWO_KINDS)
def test_a_client_that_goes_does_not_end_the_work(scene, verb):
    scene.place.plant(ITEM)
    scene.client.list(scene.place.path).ok()
    scene.line.fault("hold", after=600_000, direction=DOWN)
    ask_and_go(scene.account, verb, scene.place.at("item"), "", scene.line.held)
    assert not (scene.account.root / "item").exists()
    scene.line.mend()
    eventually((scene.account.root / "item").exists, "the work to be done")
    assert contents(scene.account.root) == ITEM
    eventually(lambda: scene.place.everything() == (ITEM if verb == "copy" else {}), "the source to be as it should")
    eventually(lambda: scene.client.used() == disk_bytes(scene.account.root), "the figure to be right")


@pytest.mark.parametrize("kill", [False, True], ids=["stopped", "killed"])
@pytest.mark.parametrize("way", ["to", "from", "within"])
@pytest.mark.parametrize("kind", TWO_KINDS)
def test_a_server_that_ends_during_work_leaves_nothing(scene, way, kill):
    place, folder = scene.place, {"into": None}
    place.plant({**ITEM, **folder} if way != "to" else folder)
    if way == "to":
        plant(scene.account.root, ITEM)
    source = "item" if way == "to" else place.at("item")
    target = "" if way == "from" else place.at("into")
    call = scene.hold("copy", source, target, 4000 if way == "within" else 600_000, DOWN if way == "from" else UP)
    engine = Engine(scene.server)
    if kill:
        scene.server.kill()
    else:
        scene.server.send_signal(15)
        assert scene.server.wait() == 0
    engine.ended()
    call.ended()
    scene.line.mend()
    scene.server.start()
    scene.client.info(at(target, "item")).fails(404)
    there = {**ITEM, **folder} if way != "to" else folder
    eventually(lambda: {name for name in place.visible()} == set(there), "the target to be as before")
    eventually(lambda: place.kept() == there, "the left-over to be swept")
    own = ITEM if way == "to" else {}
    eventually(lambda: contents(scene.account.root) == own, "the left-over at home to be swept")
    eventually(lambda: scene.client.copy(source, target).status == 200, "the same work to be done")
    assert (contents(scene.account.root) if way == "from" else place.visible("into")) == ITEM
