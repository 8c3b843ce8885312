"""Tasks that the end of the server interrupted, started again; and tasks that go on when their person signs out."""

import contextlib
import random
import shutil

import pytest

from faulty_line import line_to
from mounting import add_connector, at
from packing import packed
from people import PASSWORD, Person
from places import one_of_each
from server import eventually
from test_people_selections import all_in_bin
from test_people_tasks import Folder, begin, ended, tree_of
from tus import sql

NAMES = [f"{number:04}" for number in range(1500)]
BIG = random.Random(1).randbytes(3_000_000)


@pytest.fixture(scope="module")
def places(build_server, description):
    with one_of_each(build_server, description) as made:
        yield made


@pytest.fixture
def person(places):
    key = places.server.create_key(places.account)["key"]
    return Person(places.server, key=key)


def interrupt(places, person, task, line=None):
    """The task as the next start finds it."""
    places.server.kill()
    if line:
        line.mend()
    places.server.start()
    now = person.ok("GET", "tasks/" + task["id"])
    assert now["state"] == "interrupted" and now["canRestart"], now
    return now


def again(person, task):
    fresh = person.ok("POST", f"tasks/{task['id']}/restart", status=202)
    assert fresh["id"] != task["id"] and fresh["sourceCount"] == task["sourceCount"]
    person.fails("not_found", "GET", "tasks/" + task["id"])
    return ended(person, fresh)


@contextlib.contextmanager
def held(places, person, kind, source="own", **more):
    """A task to a server, held in its second item."""
    server = places.server
    with line_to(places.remotes["sftp"]) as (line, options):
        path = add_connector(server, places.account, server.new_name("held"), options, stdin="secret\n")
        here, there = Folder(places, source, {"first": b"first", "second": BIG, "third": b"third"}), Folder(places, "sftp", {})
        line.fault("hold", after=500_000)
        task = begin(person, kind, [here.at(name) for name in ("first", "second", "third")], at(path, there.name), **more)
        eventually(line.held.is_set, "the middle of the work")
        yield here, there, task, line
        line.mend()


@pytest.mark.parametrize("kind", ["copy", "move"])
@pytest.mark.parametrize("choice", ["fail", "keepBoth", "replace"])
def test_an_interrupted_task_goes_on_where_it_was(places, person, kind, choice):
    with held(places, person, kind, onConflict=choice) as (here, there, task, line):
        eventually(lambda: sql(places.server, f"SELECT sources_done FROM tasks WHERE id = '{task['id']}'") == [("1",)], "the first item")
        task = interrupt(places, person, task, line)
        made = (there.place.folder / there.name / "first").stat()
        end = again(person, task)
        assert end["state"] == "done" and not end["skippedCount"], end
        content = {"first": b"first", "second": BIG, "third": b"third"}
        eventually(lambda: there.tree() == tree_of(content), "what the first try left to go")
        assert here.tree() == tree_of({} if kind == "move" else content)
        now = (there.place.folder / there.name / "first").stat()
        assert (now.st_ino, now.st_ctime_ns) == (made.st_ino, made.st_ctime_ns)


@pytest.mark.parametrize("kind", ["copy", "move", "delete", "restore"])
def test_many_items_are_all_done_in_the_end(places, person, kind):
    tree = dict.fromkeys(NAMES, b"x")
    here, there = Folder(places, "shared", tree), Folder(places, "own", {})
    selection = person.ok("POST", "selections", {"folder": here.path, "items": NAMES}, 201)["id"]
    if kind == "restore":
        deletion = ended(person, person.ok("POST", "tasks", {"kind": "delete", "selection": selection}, 202))
        assert deletion["state"] == "done" and here.tree() == {}
        ids = [item["id"] for item in all_in_bin(person) if item["path"].startswith(here.path)]
        selection = person.ok("POST", "selections", {"items": ids}, 201)["id"]
    body = {"kind": kind, "selection": selection}
    task = person.ok("POST", "tasks", body | ({"destination": there.path} if kind in ("copy", "move") else {}), 202)
    end = again(person, interrupt(places, person, task))
    assert end["state"] == "done", end
    assert set(here.tree()) == (set() if kind in ("move", "delete") else set(NAMES))
    assert set(there.tree()) == (set(NAMES) if kind in ("copy", "move") else set())
    if kind != "copy":
        assert not end["skippedCount"], end


def killed_as(places, task, line, **columns):
    """The server is killed in the copy that was held, and the task is from now on another, as if it had not noted more."""
    places.server.kill()
    line.mend()
    changes = ", ".join(f"{column} = '{value}'" for column, value in columns.items())
    sql(places.server, f"UPDATE tasks SET {changes} WHERE id = '{task['id']}'")


@pytest.mark.parametrize("columns", [
    {"kind": "remove", "on_conflict": "", "permanent": 1}, {"kind": "remove", "on_conflict": ""}, {"kind": "move", "on_conflict": "replace"}
], ids=["for good", "into the bin", "move"])
def test_what_was_created_since_stays(places, person, columns):
    with held(places, person, "copy") as (here, there, task, line):
        eventually(lambda: there.tree().get("first") == b"first", "the first item")
        killed_as(places, task, line, sources_done=0, **columns)
        (here.place.folder / here.name / "first").unlink()
        places.server.start()
        here.fill(places.client, {"first": b"created since"})
        end = again(person, task)
        assert end["state"] == "done", end
        assert [(item["path"], item["reasonCode"]) for item in end["skipped"]] == [(here.at("first"), "created_since")]
        assert here.tree() == {"first": b"created since"}
        assert there.tree()["first"] == b"first"


@pytest.mark.parametrize("columns", [{"kind": "remove", "on_conflict": "", "permanent": 1}, {"kind": "move"}], ids=["deletion", "move"])
def test_what_an_unmounted_disk_does_not_show_is_not_taken_for_done(places, person, columns):
    with held(places, person, "copy", source="shared") as (here, there, task, line):
        killed_as(places, task, line, sources_done=0, **columns)
        top = here.place.folder
        away = top.with_name(top.name + ".away")
        top.rename(away)
        top.mkdir()
        places.server.start()
        end = again(person, task)
        places.server.stop()
        shutil.rmtree(top)
        away.rename(top)
        places.server.start()
        assert end["state"] == "failed" and end["skippedCount"] == 3, end
        assert {item["code"] for item in end["skipped"]} == {"unavailable"}, end
        assert set(here.tree()) == {"first", "second", "third"}


def test_a_task_whose_items_were_all_over_is_not_started_again(places, person):
    with held(places, person, "copy", onConflict="keepBoth") as (here, there, task, line):
        killed_as(places, task, line, sources_done=3)
        places.server.start()
        now = person.ok("GET", "tasks/" + task["id"])
        assert now["state"] == "done" and not now["canRestart"], now
        person.fails("precondition_failed", "POST", f"tasks/{task['id']}/restart")
        assert there.tree()["first"] == b"first"


def test_unpacking_goes_on_with_the_other_archives(places, person):
    archives = {f"{name}.zip": packed("zip", {f"{name}.bin": BIG, f"{name}.txt": name.encode()}) for name in "abc"}
    with line_to(places.remotes["sftp"]) as (line, options):
        path = add_connector(places.server, places.account, places.server.new_name("held"), options, stdin="secret\n")
        here, there = Folder(places, "own", archives), Folder(places, "sftp", {})
        line.fault("hold", after=4_500_000)
        task = begin(person, "unpack", [here.at(name) for name in sorted(archives)], at(path, there.name))
        eventually(line.held.is_set, "the second archive")
        task = interrupt(places, person, task, line)
        end = again(person, task)
        assert end["state"] == "done", end
        # What the ended run left incomplete goes when the folder is listed.
        assert set(person.v1().names(at(path, there.name))) == {f"{name}.{form}" for name in "abc" for form in ("txt", "bin")}
        eventually(lambda: set(there.tree()) == {f"{name}.{form}" for name in "abc" for form in ("txt", "bin")}, "all of them")


def test_two_restarts_at_once_start_one(places, person):
    with held(places, person, "copy") as (here, there, task, line):
        task = interrupt(places, person, task, line)
        fresh = person.ok("POST", f"tasks/{task['id']}/restart", status=202)
        assert person.call("POST", f"tasks/{task['id']}/restart").status_code in (404, 409)
        assert ended(person, fresh)["state"] == "done"
        person.fails("precondition_failed", "POST", f"tasks/{fresh['id']}/restart")


@pytest.fixture
def signed_in(places):
    places.server.cli("account", "password", places.account, stdin=PASSWORD + "\n")
    person = Person(places.server)
    person.sign_in(places.account)
    return person


def test_a_task_goes_on_after_its_session_signed_out(places, person, signed_in):
    with held(places, signed_in, "move") as (here, there, task, line):
        signed_in.ok("DELETE", "session")
        signed_in.fails("unauthenticated", "GET", "tasks")
        line.mend()
        assert ended(person, task)["state"] == "done"
        assert set(there.tree()) == {"first", "second", "third"}


ENDINGS = {
    "the others": lambda places, other: other.ok("DELETE", "sessions", status=204),
    "a new password": lambda places, other: places.server.cli("account", "password", places.account, stdin="another " + PASSWORD + "\n"),
}


@pytest.mark.parametrize("way", ENDINGS)
@pytest.mark.parametrize("signs_out", [False, True])
def test_a_task_ends_with_the_session_that_was_ended(places, person, signed_in, way, signs_out):
    other = Person(places.server)
    other.sign_in(places.account)
    with held(places, signed_in, "move") as (here, there, task, line):
        if signs_out:
            signed_in.ok("DELETE", "session")
        ENDINGS[way](places, other)
        end = ended(person, task)
        assert end["state"] == "failed" and "session ended" in end["error"], end
        line.mend()
    assert set(here.tree()) >= {"second", "third"}
