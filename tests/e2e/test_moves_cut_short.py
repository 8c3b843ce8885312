"""What happens to the source of a move just before it is deleted: all that was in it, and what came to it last, shows
somewhere, and is counted where a quota counts it."""

import itertools
import os
import pathlib
import shutil
import subprocess

import pytest

from client import Client
from mounting import Call, contents, plant
from people import Person
from server import eventually
from stopping import Stop
from test_people_tasks import do

FILES = {f"{folder}/{number}": b"x" * 10 for folder in range(40) for number in range(100)}
TRIES = 20


@pytest.fixture
def scene(own_server, account_on, tmp_path):
    server = own_server()

    class Scene:
        account = account_on(server)
        client = account.client
        folder = tmp_path / "shared"

        def __init__(self):
            self.server, self.home = server, self.account.root
            self.folder.mkdir()
            made = server.cli_json("share", "add", "--name", "Team", "--target", self.folder, "--everyone")
            self.share = f"__adm_{made['id']}"

        def plant(self):
            """The server counts what it finds after a crash."""
            self.server.kill()
            for place in (self.home / "p", self.home / "q", self.folder / "src"):
                shutil.rmtree(place, ignore_errors=True)
            plant(self.home / "p/src", FILES)
            self.server.start()
            eventually(self.used_is_exact, "the files to be counted")

        def aside(self):
            """The other name of the source, once it has one; None if the move ended before that was seen."""
            mover = Call(lambda: Client(server, self.account.key).move("p/src", self.share))
            while mover.is_alive():
                others = [name for name in os.listdir(self.home / "p") if name != "src"]
                if others:
                    return mover, others[0]
            return mover.ended(), None

        def when_aside(self, change):
            """Does something while the source has its other name; gives what the move answered."""
            for _ in range(TRIES):
                self.plant()
                mover, name = self.aside()
                if name:
                    assert name.startswith("src (not moved ")
                    change()
                    return mover
            pytest.fail("the other name was never seen")

        def shown(self):
            """The files that the interface shows at the source and at the target, each with how often."""
            found = {}
            for place in (self.home, self.folder):
                for item in place.rglob("*"):
                    if item.is_file() and ".coffer-" not in str(item):
                        name = "/".join(item.parts[-2:])
                        found[name] = found.get(name, 0) + 1
            return found

        def used_is_exact(self):
            on_disk = sum(item.stat().st_size for item in self.home.rglob("*") if item.is_file())
            return self.client.used() == on_disk

    return Scene()


def is_refused(answer):
    """A parent is not changed until the move has nothing left to do but to delete its source."""
    return answer.status != 200 and "being moved" in answer.fails(409)


def test_a_parent_that_is_renamed(scene):
    def rename():
        if is_refused(scene.client.rename("p", "q")):
            os.rename(scene.home / "p", scene.home / "q")

    mover = scene.when_aside(rename)
    answer = mover.result()
    assert answer.status in (200, 409), answer.content
    scene.server.stop()
    scene.server.start()
    names = scene.client.names("q")
    if answer.status == 409:
        assert [name.split(" (")[0] for name in names] == ["src"]
    assert scene.shown().keys() == FILES.keys()
    eventually(scene.used_is_exact, "the used storage to be exact")


def test_a_parent_that_is_deleted(scene):
    answer = scene.when_aside(lambda: is_refused(scene.client.delete("p"))).result()
    assert answer.status in (200, 409), answer.content
    assert {str(item.relative_to(scene.folder / "src")) for item in (scene.folder / "src").rglob("*") if item.is_file()} == (
        FILES.keys())
    eventually(scene.used_is_exact, "the used storage to be exact")


@pytest.mark.parametrize("name", ["item", "item/sub/a"], ids=["file", "folder"])
def test_what_another_made_at_the_target_is_not_taken_for_the_copy(scene, name):
    """It has all of the copy's names and sizes when the next start looks."""

    def clear():
        for place in (scene.home, scene.folder):
            subprocess.run(["rm", "-rf", place / "item"], check=True)

    plant(scene.home, {name: b"mine"})
    # Of the changes of names it is the one in this folder.
    with Stop(scene.server, "renameat2", after=True, name=scene.home) as stop:
        mover = Call(lambda: Client(scene.server, scene.account.key).move("item", scene.share))
        assert stop.wait(mover)
        stop.kill_server()
    mover.ended()
    assert not_moved(scene)
    assert (scene.folder / name).exists()
    clear()
    plant(scene.folder, {name: b"ours"})
    scene.server.start()
    eventually(lambda: (scene.home / name).exists(), "the source to have its own name")
    assert not not_moved(scene)
    assert (scene.home / name).read_bytes() == b"mine" and (scene.folder / name).read_bytes() == b"ours"


def not_moved(scene):
    """The names that moves give their sources for a moment."""
    return [pathlib.Path(folder, name) for place in (scene.home, scene.folder)
            for folder, folders, files in os.walk(place)  # Which passes over what is deleted meanwhile.
            for name in folders + files if "(not moved " in name]


def test_a_server_that_is_killed(scene):
    """The next start ends the move: what had the other name is at one of the two places, under its own."""
    scene.when_aside(scene.server.kill)
    assert scene.shown().keys() == FILES.keys()
    scene.server.start()
    eventually(lambda: not not_moved(scene), "the other name to go")
    assert scene.shown().keys() == FILES.keys()
    eventually(lambda: set(scene.shown().values()) == {1}, "it to stand in one place")
    eventually(scene.used_is_exact, "the used storage to be exact")


@pytest.mark.parametrize("to_share", [True, False], ids=["into-a-share", "out-of-a-share"])
@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
def test_a_move_that_a_kill_cut_off_stands_in_one_place(scene, to_share, after):
    """At each change of a name in turn."""
    server, tree = scene.server, {"a": b"a", "sub/b": b"b", "empty": None}
    source, target = (scene.home, scene.folder) if to_share else (scene.folder, scene.home)
    paths = ("item", scene.share) if to_share else (f"{scene.share}/item", "")

    def stands_once():
        stands = [place for place in (source, target) if (place / "item").exists()]
        return len(stands) == 1 and contents(stands[0] / "item") == wanted and not not_moved(scene)

    wanted = {"sub": None} | tree
    for step in itertools.count(1):
        for place in (source, target):
            shutil.rmtree(place / "item", ignore_errors=True)
        plant(source / "item", tree)
        with Stop(server, "renameat2", after=after, when=step) as stop:
            mover = Call(lambda: Client(server, scene.account.key).move(*paths))
            if is_held := stop.wait(mover):
                stop.kill_server()
        mover.ended()
        if not is_held:
            break
        server.start()
        eventually(stands_once, f"the item to stand in one place after step {step}")
    assert step > 2 and stands_once()


def test_what_came_to_the_source_of_a_move_that_was_killed_is_kept(scene):
    scene.when_aside(scene.server.kill)
    parked, = not_moved(scene)
    (parked / "0/new").write_bytes(b"new")
    scene.server.start()
    eventually((scene.home / "p/src/0/new").exists, "the source to have its own name again")
    assert not not_moved(scene)
    assert {str(item.relative_to(scene.folder / "src")) for item in (scene.folder / "src").rglob("*") if item.is_file()} == FILES.keys()
    eventually(scene.used_is_exact, "the used storage to be exact")


@pytest.mark.parametrize("onto", ["file", "folder"])
def test_a_move_onto_another_item_that_was_killed_leaves_no_other_name(scene, onto):
    """A file that takes the place of another one has the other name while it is read; a folder that was emptied too."""
    name, seen = "item" if onto == "file" else "item/a", 0
    # As the threads of the server share the calls, a step may be reached by one try and not by another.
    for step in itertools.islice(itertools.cycle(range(1, 7)), 60):
        for place in (scene.home, scene.folder):
            subprocess.run(["rm", "-rf", place / "item"], check=True)
        plant(scene.home, {name: b"new"})
        plant(scene.folder, {name: b"old"})
        person = Person(scene.server, key=scene.account.key)
        with Stop(scene.server, "renameat2", after=True, when=step) as stop:
            task = Call(lambda: do(person, "move", ["item"], scene.share, onConflict="replace"))
            if is_held := stop.wait(task):
                stop.kill_server()
        task.ended()
        if not is_held:
            task.result()
            assert (scene.folder / name).read_bytes() == b"new" and not (scene.home / "item").exists()
            if seen:
                break
            continue
        seen += len(not_moved(scene))
        scene.server.start()
        eventually(lambda: not not_moved(scene), "the other name to go")
        stands = [place / name for place in (scene.home, scene.folder) if (place / name).exists()]
        assert b"new" in [item.read_bytes() for item in stands], step
        eventually(scene.used_is_exact, "the used storage to be exact")
    assert seen and not is_held, "a move with the other name, and one that nothing held, were to be seen"


def test_a_file_whose_name_is_taken_each_time(scene):
    """Its last content is never lost, and all that lies on the disk shows and is counted."""
    done = []

    def write():
        for number in itertools.count():
            content, is_last = f"{number}".encode(), bool(done)  # The last one begins when nothing moves any more.
            scene.client.put("file", content)
            if is_last:
                return content

    writer = Call(write)
    other = Client(scene.server, scene.account.key)
    for number in range(60):
        other.move("file", scene.share)
        shutil.move(scene.folder / "file", scene.folder / f"{number}") if (scene.folder / "file").exists() else None
    done.append(True)
    last = writer.result()
    assert (scene.home / "file").read_bytes() == last
    assert not [item for item in scene.home.rglob("*") if item.name.startswith(".coffer")]
    eventually(scene.used_is_exact, "the used storage to be exact")


def test_a_name_that_leaves_no_room_for_more(scene):
    name = "é" * 127
    plant(scene.home / "p", {f"{name}/1": b"x"})
    scene.client.move(f"p/{name}", scene.share).ok()
    assert (scene.folder / name / "1").read_bytes() == b"x"
    assert os.listdir(scene.home / "p") == []
