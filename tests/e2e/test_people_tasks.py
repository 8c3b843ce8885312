"""Tasks of /api/v2: many items at once between places of every kind, each choice where a name is taken, and who may see,
stop and forget them."""

import contextlib
import itertools
import random

import pytest

from faulty_line import line_to
from mounting import add_connector, at
from people import PASSWORD, Person
from places import KINDS, one_of_each
from server import PATIENCE_S, disk_bytes, eventually
from tus import sql

ENDED = {"done", "failed", "cancelled", "interrupted"}
SOURCE = {"f.txt": b"new", "sub/inner.txt": b"new inner", "sub/only.txt": b"only", "free.txt": b"free"}
TARGET = {"f.txt": b"old", "sub/inner.txt": b"old inner", "sub/kept.txt": b"kept"}


@pytest.fixture(scope="module")
def places(build_server, description):
    with one_of_each(build_server, description) as made:
        yield made


@pytest.fixture
def person(places):
    key = places.server.create_key(places.account)["key"]
    return Person(places.server, key=key)


class Folder:
    """A new folder in a place: its path, and the plain one behind it."""

    def __init__(self, places, kind, tree):
        place = places[kind]
        self.name = places.server.new_name("tasks")
        self.place, self.kind = place, kind
        self.path = place.at(self.name)
        places.client.make_folder(place.path, self.name).ok()
        self.fill(places.client, tree)

    def fill(self, client, tree):
        if self.kind != "own":
            return self.place.plant({f"{self.name}/{name}": content for name, content in tree.items()})
        for folder in sorted({name.rpartition("/")[0] for name in tree} - {""}):
            parent, _, name = folder.rpartition("/")
            answer = client.make_folder(self.at(parent) if parent else self.path, name)
            assert answer.status in (200, 409), answer  # A folder on the way to another is there.
        for name in tree:
            client.put(self.at(name), tree[name])
        return None

    def at(self, name):
        return at(self.path, name)

    def tree(self):
        return self.place.everything(self.name)


def tree_of(files, *folders):
    """What is there with these files: the folders that they are in too, and others."""
    parents = {parent for name in files for parent in itertools.accumulate(name.split("/")[:-1], "{}/{}".format)}
    return {**dict.fromkeys((*parents, *folders)), **files}


def begin(person, kind, sources, destination=None, **more):
    body = {"kind": kind, "sources": sources, **more}
    if destination is not None:
        body["destination"] = destination
    return person.ok("POST", "tasks", body, 202)


def ended(person, task):
    return eventually(lambda: (now := person.ok("GET", "tasks/" + task["id"]))["state"] in ENDED and now, "the end of a task")


def do(person, kind, sources, destination=None, **more):
    return ended(person, begin(person, kind, sources, destination, **more))


def test_ended_tasks_leave_the_catalog(places, person):
    here, there = Folder(places, "own", {"f.txt": b"x"}), Folder(places, "own", {})
    id_ = do(person, "copy", [here.at("f.txt")], there.path)["id"]
    sql(places.server,
        "INSERT INTO tasks (id, account_id, kind, from_path, to_path, state, bytes_done, bytes_total, items_done, items_total, "
        "error, left_over, created_at, updated_at) "
        "WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 250) "
        "SELECT 'old-' || n, account_id, kind, from_path, to_path, state, 0, 0, 0, 0, '', '', created_at - n, updated_at "
        f"FROM tasks, numbers WHERE id = '{id_}'")
    do(person, "copy", [here.at("f.txt")], there.path, onConflict="keepBoth")
    assert int(sql(places.server, "SELECT count(*) FROM tasks WHERE account_id = "
                   f"(SELECT account_id FROM tasks WHERE id = '{id_}')")[0][0]) == 201
    assert id_ in {task["id"] for task in person.ok("GET", "tasks")}


def check_quota(places):
    root = places.server.files_of(places.account)
    eventually(lambda: places.client.used() == disk_bytes(root), "the true figure")
    assert "0 problems" in places.server.cli("check").stdout


def read_only_key(places):
    made = places.server.cli_json("key", "create", "--account", places.account, "--name", "reader", "--read-only")
    places.server.secrets.add(made["key"])
    return made["key"]


def skipped(task):
    return {item["path"]: item["reason"] for item in task["skipped"]}


COPIED = {"f.txt": b"new", "sub/inner.txt": b"new inner", "sub/only.txt": b"only", "sub/kept.txt": b"kept", "free.txt": b"free"}
RESULTS = {
    "fail": (TARGET, SOURCE),
    "skip": ({**TARGET, "sub/only.txt": b"only", "free.txt": b"free"}, {"f.txt": b"new", "sub/inner.txt": b"new inner"}),
    "replace": (COPIED, {}),
    "keepBoth": ({**TARGET, "f (2).txt": b"new", "sub (2)/inner.txt": b"new inner", "sub (2)/only.txt": b"only", "free.txt": b"free"}, {}),
}


@pytest.mark.parametrize("kind", ["copy", "move"])
@pytest.mark.parametrize("choice", sorted(RESULTS))
@pytest.mark.parametrize("source, target", itertools.product(KINDS, KINDS))
def test_each_choice_between_each_two_places(places, person, source, target, choice, kind):
    here, there = Folder(places, source, SOURCE), Folder(places, target, TARGET)
    task = do(person, kind, [here.at(name) for name in ("f.txt", "sub", "free.txt")], there.path, onConflict=choice)
    wanted, left = RESULTS[choice]
    assert there.tree() == tree_of(wanted), task
    assert here.tree() == tree_of(SOURCE if kind == "copy" else left), task
    assert task["kind"] == kind and task["destination"] == there.path and task["onConflict"] == choice
    if choice == "fail":
        assert task["state"] == "failed" and "taken" in task["error"] and task["itemsDone"] == 0
        assert task["errorCode"] == "name_taken"
    else:
        assert task["state"] == "done" and task["error"] is None and task["errorCode"] is None
        names = {here.at("f.txt"), here.at("sub/inner.txt")} if choice == "skip" else set()
        assert set(skipped(task)) == names and task["skippedCount"] == len(names)
        assert all(item["code"] == "name_taken" for item in task["skipped"]), task
    if kind == "move" and choice in ("replace", "keepBoth"):
        assert not (here.place.folder / here.name / "sub").exists()
    if "own" in (source, target):
        check_quota(places)


@pytest.mark.parametrize("choice", ["replace", "skip"])
@pytest.mark.parametrize("place", KINDS)
def test_a_file_and_a_folder_never_take_each_others_place(places, person, place, choice):
    here = Folder(places, place, {"a": b"file", "b/inner": b"in", "c": b"free"})
    there = Folder(places, place, {"a/inner": b"there", "b": b"there"})
    task = do(person, "move", [here.at("a"), here.at("b"), here.at("c")], there.path, onConflict=choice)
    assert task["state"] == "done" and set(skipped(task)) == {here.at("a"), here.at("b")}
    assert here.tree() == tree_of({"a": b"file", "b/inner": b"in"})
    assert there.tree() == tree_of({"a/inner": b"there", "b": b"there", "c": b"free"})


@pytest.mark.parametrize("place", KINDS)
def test_where_it_is_already(places, person, place):
    here = Folder(places, place, {"a.txt": b"content", "sub/b": b"b"})
    for kind, choice in itertools.product(("copy", "move"), ("replace", "skip")):
        task = do(person, kind, [here.at("a.txt"), here.at("sub")], here.path, onConflict=choice)
        assert task["state"] == "done" and set(skipped(task)) == {here.at("a.txt"), here.at("sub")}, task
        assert here.tree() == tree_of({"a.txt": b"content", "sub/b": b"b"})
    assert do(person, "copy", [here.at("a.txt")], here.path)["state"] == "failed"
    assert do(person, "copy", [here.at("a.txt"), here.at("sub")], here.path, onConflict="keepBoth")["state"] == "done"
    assert here.tree() == tree_of({"a.txt": b"content", "a (2).txt": b"content", "sub/b": b"b", "sub (2)/b": b"b"})
    assert do(person, "move", [here.at("sub")], here.at("sub"), onConflict="replace")["state"] == "failed"
    assert here.tree()["sub/b"] == b"b"


@pytest.mark.parametrize("kind", ["copy", "move"])
def test_two_ways_to_one_file_lose_nothing(places, person, kind):
    other = add_connector(places.server, places.account, places.server.new_name("again"), places.remotes["sftp"].options(), stdin="secret\n")
    share = places.server.cli_json("share", "add", "--name", "Again", "--target", places["shared"].folder, "--account", places.account)
    for place, way in (("sftp", other), ("shared", f"__adm_{share['id']}")):
        here = Folder(places, place, {"a.txt": b"content", "sub/b": b"b"})
        task = do(person, kind, [here.at("a.txt"), here.at("sub")], at(way, here.name), onConflict="replace")
        assert here.tree() == tree_of({"a.txt": b"content", "sub/b": b"b"}), task
    places.server.cli("share", "remove", share["id"])


def test_what_cannot_be_done_with_one_is_told_and_the_others_are_done(places, person):
    here, there = Folder(places, "own", {"a": b"a", "b": b"b"}), Folder(places, "sftp", {})
    task = do(person, "copy", [here.at("a"), here.at("missing"), here.at("b")], there.path)
    assert task["state"] == "done" and set(skipped(task)) == {here.at("missing")}
    assert there.tree() == tree_of({"a": b"a", "b": b"b"}) and task["itemsDone"] == 2 and task["bytesDone"] == 2
    task = do(person, "copy", [here.at("missing")], there.path)
    assert task["state"] == "failed" and task["error"] and set(skipped(task)) == {here.at("missing")}
    task = do(person, "move", [here.at("a")], at(there.path, "nowhere"))
    assert task["state"] == "failed" and here.tree() == tree_of({"a": b"a", "b": b"b"})


def test_two_sources_of_one_name(places, person):
    here = Folder(places, "own", {"one/a": b"1", "two/a": b"2"})
    there = Folder(places, "ftp", {})
    sources = [here.at("one/a"), here.at("two/a")]
    assert do(person, "copy", sources, there.path)["state"] == "failed" and there.tree() == tree_of({})
    assert do(person, "copy", sources, there.path, onConflict="keepBoth")["state"] == "done"
    assert there.tree() == tree_of({"a": b"1", "a (2)": b"2"})
    assert do(person, "move", sources, there.path, onConflict="replace")["state"] == "done"
    assert there.tree() == tree_of({"a": b"2", "a (2)": b"2"}) and here.tree() == {"one": None, "two": None}
    check_quota(places)


@pytest.mark.parametrize("place", KINDS)
def test_deleting(places, person, place):
    here = Folder(places, place, {"a": b"a", "sub/b": b"b", "kept": b"k"})
    for body in ({"destination": ""}, {"permanent": True, "destination": ""}, {"permanent": True, "onConflict": "skip"}):
        person.fails("malformed", "POST", "tasks", {"kind": "delete", "sources": [here.at("a")], **body})
    task = do(person, "delete", [here.at("a"), here.at("sub"), here.at("none")], permanent=True)
    assert task["state"] == "done" and set(skipped(task)) == {here.at("none")} and task["itemsDone"] == 2
    assert task["destination"] is None and task["onConflict"] is None
    assert here.tree() == tree_of({"kept": b"k"})
    check_quota(places)


@pytest.mark.parametrize("body, code", [
    ({"kind": "copy", "sources": ["a"]}, "malformed"), ({"kind": "copy", "sources": [], "destination": ""}, "malformed"),
    ({"kind": "copy", "sources": ["a"] * 1001, "destination": ""}, "malformed"),
    ({"kind": "copy", "sources": ["a", "a"], "destination": ""}, "malformed"),
    ({"kind": "copy", "sources": [""], "destination": ""}, "malformed"),
    ({"kind": "copy", "sources": ["../a"], "destination": ""}, "forbidden"),
    ({"kind": "copy", "sources": "a", "destination": ""}, "malformed"), ({"kind": "copy", "sources": [1], "destination": ""}, "malformed"),
    ({"kind": "link", "sources": ["a"], "destination": ""}, "malformed"),
    ({"kind": "copy", "sources": ["a"], "destination": "", "onConflict": "ask"}, "malformed"),
    ({"kind": "copy", "sources": ["a"], "destination": "", "permanent": True}, "malformed"),
    ({"kind": "restore", "sources": ["a"], "permanent": True}, "malformed"), ({"kind": "restore", "sources": ["a"]}, "not_found"),
    ({"kind": "restore", "sources": ["a", "a"]}, "malformed"),
    ({"kind": "copy", "sources": ["__adm_none/a"], "destination": ""}, "not_found"),
    ({"kind": "copy", "sources": ["a"], "destination": "__adm_none"}, "not_found"),
], ids=lambda value: str(value)[:70])
def test_what_is_wrong_is_refused_at_once(person, body, code):
    before = person.ok("GET", "tasks")
    person.fails(code, "POST", "tasks", body)
    assert person.ok("GET", "tasks") == before


def test_mounts_cannot_be_moved_or_deleted(places, person):
    for kind in ("shared", "ftp", "sftp"):
        path = places[kind].path
        person.fails("forbidden", "POST", "tasks", {"kind": "delete", "sources": [path], "permanent": True})
        person.fails("forbidden", "POST", "tasks", {"kind": "move", "sources": [path], "destination": ""})


def test_a_full_quota_ends_it_and_leaves_what_was_done(make_account):
    account = make_account("100000")
    person = Person(account.server, key=account.key)
    account.client.make_folder("", "to").ok()
    account.client.put("a", b"x" * 30_000)
    account.client.put("b", b"x" * 50_000)
    task = do(person, "copy", ["b", "a"], "to")
    assert task["state"] == "failed" and "quota" in task["error"] and task["errorCode"] == "over_quota"
    assert account.client.names("to") == [] and account.client.used() == disk_bytes(account.root) == 80_000
    account.client.put("to/a", b"x" * 19_000)
    task = do(person, "copy", ["a"], "to", onConflict="replace")
    assert task["state"] == "failed" and "quota" in task["error"] and account.client.content("to/a") == b"x" * 19_000
    account.client.delete("b").ok()
    task = do(person, "copy", ["a"], "to", onConflict="replace")
    assert task["state"] == "done" and account.client.used() == disk_bytes(account.root)


def test_who_may_see_and_end_them(places, person, make_account):
    here, there = Folder(places, "own", {"in/a": b"a", "out": b"o"}), Folder(places, "own", {})
    task = do(person, "copy", [here.at("out")], there.path)
    inner = do(person, "copy", [here.at("in/a")], here.at("in"), onConflict="keepBoth")
    assert [item["id"] for item in person.ok("GET", "tasks")][:2] == [inner["id"], task["id"]]
    key = places.server.create_key(places.account, here.at("in"))["key"]
    limited = Person(places.server, key=key)
    assert [item["id"] for item in limited.ok("GET", "tasks")] == [inner["id"]]
    seen = limited.ok("GET", "tasks/" + inner["id"])
    assert seen["sources"] == ["a"] and seen["destination"] == ""
    for method in ("GET", "DELETE"):
        limited.fails("not_found", method, "tasks/" + task["id"])
    assert do(limited, "copy", ["a"], "", onConflict="keepBoth")["state"] == "done"
    limited.fails("forbidden", "POST", "tasks", {"kind": "copy", "sources": ["a"], "destination": places["sftp"].path})
    reader = Person(places.server, key=read_only_key(places))
    assert reader.ok("GET", "tasks/" + task["id"])["state"] == "done"
    for method, path, body in (("DELETE", "tasks/" + task["id"], None), ("POST", "tasks", {"kind": "copy", "sources": [here.at("out")], "destination": ""})):
        reader.fails("forbidden", method, path, body)
    person.ok("DELETE", "tasks/" + task["id"], status=204)
    person.fails("not_found", "GET", "tasks/" + task["id"])
    assert task["id"] not in [item["id"] for item in person.ok("GET", "tasks")]
    assert there.tree() == tree_of({"out": b"o"})


def test_accounts_never_see_each_others(account, make_account):
    person = Person(account.server, key=account.key)
    account.client.put("a", b"a")
    task = do(person, "copy", ["a"], "", onConflict="keepBoth")
    other = Person(account.server, key=make_account().key)
    assert other.ok("GET", "tasks") == []
    for method in ("GET", "DELETE"):
        other.fails("not_found", method, "tasks/" + task["id"])
    assert person.ok("GET", "tasks/" + task["id"])["state"] == "done"


@pytest.fixture
def held(places, person):
    """A task held in its middle, and what holds it: `mend` lets it go on."""
    server = places.server
    with line_to(places.remotes["sftp"]) as (line, options):
        path = add_connector(server, places.account, server.new_name("held"), options, stdin="secret\n")
        here = Folder(places, "own", {"first": b"first", "second": random.Random(1).randbytes(3_000_000), "third": b"third"})
        name = server.new_name("held")
        places.client.make_folder(path, name).ok()
        line.fault("hold", after=500_000)
        task = begin(person, "move", [here.at(name) for name in ("first", "second", "third")], at(path, name))
        eventually(line.held.is_set, "the middle of the work")
        yield here, places["sftp"].folder / name, task, line


def test_one_that_is_stopped_leaves_what_is_whole(places, person, held):
    here, folder, task, line = held
    now = eventually(lambda: (now := person.ok("GET", "tasks/" + task["id"]))["bytesTotal"] == 3_000_010 and now, "all to be counted")
    assert now["state"] == "running" and now["sourceCount"] == 3
    person.ok("DELETE", "tasks/" + task["id"], status=204)
    line.mend()
    end = ended(person, task)
    assert end["state"] == "cancelled" and end["secondsLeft"] is None and end["bytesPerSecond"] == 0
    eventually(lambda: [item.name for item in folder.iterdir()] == ["first"], "what is not whole to be gone")
    assert set(here.tree()) == {"second", "third"}
    check_quota(places)
    person.ok("DELETE", "tasks/" + task["id"], status=204)
    person.fails("not_found", "DELETE", "tasks/" + task["id"])


def test_it_says_how_far_it_is(person, held):
    here, folder, task, line = held
    eventually(lambda: person.ok("GET", "tasks/" + task["id"])["bytesDone"] > 5, "the bytes of the second to count")
    line.mend()
    end = ended(person, task)
    assert end["state"] == "done" and end["bytesDone"] == end["bytesTotal"] == 3_000_010 and end["itemsDone"] == end["itemsTotal"] == 3
    assert {item.name for item in folder.iterdir()} == {"first", "second", "third"} and here.tree() == tree_of({})
    assert person.ok("GET", "tasks")[0] == end


def test_a_session_sees_them_and_needs_its_token(account):
    account.server.cli("account", "password", account.name, stdin=PASSWORD + "\n")
    person = Person(account.server)
    person.sign_in(account.name)
    account.client.put("a", b"a")
    task = do(person, "copy", ["a"], "", onConflict="keepBoth")
    assert account.client.names() == ["a", "a (2)"]
    token, person.csrf = person.csrf, None
    for method, path, body in (("DELETE", "tasks/" + task["id"], None), ("POST", "tasks", {"kind": "copy", "sources": ["a"], "destination": ""})):
        person.fails("forbidden", method, path, body)
    person.csrf = token
    assert Person(account.server, key=account.key).ok("GET", "tasks/" + task["id"])["state"] == "done"


def test_a_restart_tells_what_was_interrupted(own_server, account_on):
    server = own_server()
    account = account_on(server)
    person = Person(server, key=account.key)
    account.client.put("a", b"a")
    done = do(person, "copy", ["a"], "", onConflict="keepBoth")
    for name in ("one", "two"):
        account.client.make_folder("", name).ok()
    tree = account.root / "tree"
    tree.mkdir()
    for number in range(3000):
        (tree / f"{number}").write_bytes(b"x" * 100)
    server.kill()
    server.start()
    task = begin(person, "copy", ["tree", "a"], "one")
    server.kill()
    server.start()
    now = person.ok("GET", "tasks/" + task["id"])
    assert now["state"] in ("interrupted", "done") and person.ok("GET", "tasks/" + done["id"])["state"] == "done"
    names = account.client.names("one")
    assert names in ([], ["a"], ["tree"], ["a", "tree"], ["tree", "a"]), names
    if "tree" in names:
        assert len(account.client.names("one/tree")) == 3000
    again = do(person, "copy", ["tree", "a"], "one", onConflict="skip")
    assert again["state"] == "done" and len(account.client.names("one/tree")) == 3000
    eventually(lambda: account.client.used() == disk_bytes(account.root), "the true figure")
    server.stop()
    assert "0 problems" in server.cli("check").stdout


@contextlib.contextmanager
def held_replacement(places, person, kind, source):
    """A task that replaces a file on a server, held in its middle: both folders, the content, the task and its line."""
    with line_to(places.remotes["sftp"]) as (line, options):
        path = add_connector(places.server, places.account, places.server.new_name("slow"), options, stdin="secret\n")
        content = random.Random(7).randbytes(8 << 20)
        here, there = Folder(places, source, {"f": content}), Folder(places, "sftp", {"f": b"old"})
        line.fault("hold", after=1_000_000)
        task = begin(person, kind, [here.at("f")], at(path, there.name), onConflict="replace")
        assert line.held.wait(PATIENCE_S)
        yield here, there, content, task, line


def test_a_copy_over_a_file_whose_source_grows_meanwhile_replaces_nothing(places, person):
    """A part of what the source is by then does not pass for it."""
    with held_replacement(places, person, "copy", "shared") as (here, there, content, task, line):
        with (here.place.folder / here.name / "f").open("ab") as file:
            file.write(b"more")
        line.mend()
        task = ended(person, task)
        assert task["state"] == "failed" and "changed while it was read" in task["error"], task
        # What had come is removed behind the task.
        eventually(lambda: there.tree() == tree_of({"f": b"old"}), "the rest of the copy to go")
        assert here.tree() == tree_of({"f": content + b"more"})


def test_a_move_over_a_file_whose_key_is_revoked_leaves_the_source_its_name(places, person):
    key = places.client.create_key("moves").ok()
    with held_replacement(places, Person(places.server, key=key["key"]), "move", "own") as (here, there, content, task, line):
        places.server.cli("key", "revoke", key["id"], "--account", places.account)
        line.mend()
        task = ended(person, task)
        assert task["state"] == "failed" and task["errorCode"] == "unauthenticated", task
        assert here.tree() == tree_of({"f": content}) and there.tree()["f"] == b"old"
        # What had come is removed behind the task.
        eventually(lambda: there.tree() == tree_of({"f": b"old"}), "the rest of the copy to go")
        check_quota(places)


def test_a_move_over_a_file_whose_source_changes_meanwhile_keeps_both(places, person):
    """What is written into the source behind its reader is in no copy, so the source must stay."""
    with held_replacement(places, person, "move", "own") as (here, there, content, task, line):
        source, = (here.place.folder / here.name).iterdir()  # It has a name of its own meanwhile.
        with source.open("r+b") as file:
            file.write(b"written meanwhile")
        line.mend()
        task = ended(person, task)
        assert task["state"] == "failed" and "changed while it was moved" in task["error"], task
        kept = b"written meanwhile" + content[len(b"written meanwhile"):]
        assert here.tree() == tree_of({"f": kept}) and there.tree() == tree_of({"f": content})
        check_quota(places)
