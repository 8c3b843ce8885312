"""What becomes of the bin's items over time: when they are old, when their account, share or connector goes, when rights
are withdrawn, and when the server is killed at any moment."""

import os
import random
import shutil
import threading

import pytest
import requests

from client import Client
from faulty_line import CONTROL, line_to
from mounting import Call, add_connector, at, scratch, started
from people import Person
from places import KINDS, Place, one_of_each
from remote_servers import FtpServer, PureFtpd, SftpServer, processes_of
from server import PATIENCE_S, disk_bytes, eventually
from stopping import Stop
from test_people_bin import TREE, bin_of, delete, in_bin
from test_people_tasks import Folder, begin, do, ended, skipped, tree_of
from tus import sql

SEED = int(os.environ.get("COFFER_TEST_SEED", random.SystemRandom().randrange(1 << 32)))
DAY_NS = 24 * 3600 * 10**9


@pytest.fixture(scope="module")
def places(build_server, description):
    with one_of_each(build_server, description) as made:
        yield made


@pytest.fixture
def person(places):
    return caller_of(places.server, places.account)


def caller_of(server, account):
    return Person(server, key=server.create_key(account)["key"])


def restarted(server):
    server.stop()
    server.start()


def bins_of(place):
    """What lies in the bin of a place, as the disk has it."""
    folder = place.folder / ".coffer-bin"
    return sorted(item.name for item in folder.iterdir()) if folder.exists() else []


# Time

def test_old_items_are_deleted_for_good(places, person):
    folders = {kind: Folder(places, kind, TREE) for kind in KINDS}
    old = {kind: delete(person, here.at("sub"))[0] for kind, here in folders.items()}
    young = {kind: delete(person, here.at("f.txt"))[0] for kind, here in folders.items()}
    sql(places.server, *(f"UPDATE bin_items SET deleted_at = deleted_at - {30 * DAY_NS} WHERE id = '{item}'" for item in old.values()))
    restarted(places.server)
    for kind, here in folders.items():
        eventually(lambda: old[kind] not in bins_of(here.place), f"the old item to go, {kind}")
        assert in_bin(person, here.at("f.txt"))["id"] == young[kind] and young[kind] in bins_of(here.place)
    assert not set(old.values()) & {item["id"] for item in bin_of(person, limit=200)}
    assert not places.server.wrong_of(places.account)


def test_the_days_are_a_setting(build_server):
    server = build_server(bin_days=2).start()
    account = server.add_account()
    person = caller_of(server, account)
    person.v1().put("a", b"1")
    delete(person, "a")
    assert bin_of(person)[0]["daysLeft"] == 2
    sql(server, f"UPDATE bin_items SET deleted_at = deleted_at - {DAY_NS}")
    assert bin_of(person)[0]["daysLeft"] == 1
    server.stop()


# What an item's place, account and rights are worth

@pytest.fixture
def shared(build_server):
    """A server with a share that two accounts see."""
    with scratch("shared") as folder:
        server = build_server().start()
        one, other = server.add_account(), server.add_account()
        share = server.cli_json("share", "add", "--name", "Shared", "--target", folder, "--account", one, "--account", other)
        yield server, one, other, Place("shared", f"__adm_{share['id']}", folder), share["id"]
        server.stop()


def test_each_sees_what_it_deleted_itself_in_a_share(shared):
    server, one, other, place, _ = shared
    place.plant({"a": b"a", "b": b"b"})
    first, second = caller_of(server, one), caller_of(server, other)
    mine, = delete(first, place.at("a"))
    theirs, = delete(second, place.at("b"))
    assert [item["id"] for item in bin_of(first)] == [mine] and [item["id"] for item in bin_of(second)] == [theirs]
    first.fails("not_found", "DELETE", "bin/" + theirs)
    first.ok("DELETE", "bin", status=204)
    assert bins_of(place) == [theirs]


def test_what_a_removed_account_deleted_in_a_share_goes_for_good(shared):
    server, one, other, place, _ = shared
    place.plant({"a": b"a", "b": b"b"})
    delete(caller_of(server, one), place.at("a"))
    kept, = delete(caller_of(server, other), place.at("b"))
    server.cli("account", "remove", one)
    restarted(server)
    eventually(lambda: bins_of(place) == [kept], "the item of the removed account to go")
    assert [item["id"] for item in bin_of(caller_of(server, other))] == [kept]


def test_in_what_became_read_only_an_item_stays(shared):
    server, one, _, place, share = shared
    place.plant({"a": b"a"})
    person = caller_of(server, one)
    person.v1().put("own", b"o")
    item, mine = delete(person, place.at("a"), "own")
    server.cli("share", "set", share, "--read-only", "true")
    assert {each["id"] for each in bin_of(person)} == {item, mine}
    person.fails("forbidden", "DELETE", "bin/" + item)
    person.fails("forbidden", "POST", "tasks", {"kind": "restore", "sources": [item]})
    person.ok("DELETE", "bin", status=204)
    assert [each["id"] for each in bin_of(person)] == [item] and bins_of(place) == [item]
    assert person.ok("GET", "files?path=" + place.path)["hasBin"] is False
    server.cli("share", "set", share, "--read-only", "false")
    assert do(person, "restore", [item])["state"] == "done"
    assert place.visible() == {"a": b"a"}


def test_what_was_withdrawn_is_not_seen(shared):
    server, one, other, place, share = shared
    place.plant({"a": b"a"})
    person = caller_of(server, one)
    item, = delete(person, place.at("a"))
    server.cli("share", "set", share, "--no-account", one)
    assert bin_of(person) == []
    person.fails("not_found", "DELETE", "bin/" + item)
    person.fails("not_found", "POST", "tasks", {"kind": "restore", "sources": [item]})
    server.cli("share", "set", share, "--account", one)
    assert [each["id"] for each in bin_of(person)] == [item]
    server.cli("share", "remove", share)
    assert bin_of(person) == [] and bins_of(place) == [item], "the folder of a share is left as it is"


def test_a_connector_that_is_removed_takes_its_items_along(build_server):
    with started(SftpServer) as remotes:
        remote = remotes["sftp"]
        server = build_server().start()
        account = server.add_account()
        place = Place("sftp", add_connector(server, account, "Far", remote.options(), stdin="secret\n"), remote.root)
        place.plant({"a": b"a"})
        person = caller_of(server, account)
        item, = delete(person, place.at("a"))
        server.cli("connector", "remove", "--account", account, "Far")
        assert bin_of(person) == []
        person.fails("not_found", "DELETE", "bin/" + item)
        server.stop()


def delete_while_held(server, person, account, name):
    """The task of a deletion that waits until the small files in a folder are safe, whose key is revoked meanwhile."""
    client = person.v1()
    for number in range(20):
        client.put(f"{name}/small {number}", b"content")
    key = client.create_key("deletes").ok()
    limited = Person(server, key=key["key"])
    with Stop(server, "fsync,sync_file_range,syncfs") as stop:
        task = begin(limited, "delete", [name])
        stop.wait(Call(lambda: ended(person, task)))
        server.cli("key", "revoke", key["id"], "--account", account)
    return ended(person, task)


def test_a_deletion_whose_key_is_revoked_while_the_disk_is_busy_takes_nothing(build_server):
    server = build_server().start()
    account = server.add_account()
    person = caller_of(server, account)
    person.v1().make_folder("", "docs").ok()
    for _ in range(5):  # What is held may be the server's own tidying, which a deletion need not wait for.
        task = delete_while_held(server, person, account, "docs")
        if task["state"] != "done":
            break
        assert do(person, "restore", [bin_of(person)[0]["id"]])["state"] == "done"
    assert task["state"] == "failed" and len(person.v1().names("docs")) == 20
    assert bin_of(person) == [] and not server.wrong_of(account)
    server.stop()


# Crashes

@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("work", ["delete", "restore", "discard"])
@pytest.mark.parametrize("kind", ["own", "shared"])
def test_a_server_that_is_killed_at_the_change_of_names(places, kind, work, after):
    for _ in range(5):  # What is held may be a name that the server's own tidying changes.
        if ends_at_the_change_of_names(places, kind, work, after):
            return
    raise AssertionError("the name was never held")


def ends_at_the_change_of_names(places, kind, work, after):
    """False where it was another name that was held before this one."""
    here = Folder(places, kind, TREE)
    person = caller_of(places.server, places.account)
    item = delete(person, here.at("sub"))[0] if work != "delete" else None
    body = {"delete": {"kind": "delete", "sources": [here.at("sub")]}, "restore": {"kind": "restore", "sources": [item]}}
    with Stop(places.server, "renameat2,renameat,rename", after=after) as stop:
        if work == "discard":
            call = Call(lambda: person.call("DELETE", "bin/" + item))
        else:
            call = Call(lambda: ended(person, person.ok("POST", "tasks", body[work], 202)))
        assert stop.wait(call)
        stop.kill_server()
    with pytest.raises(requests.ConnectionError):
        call.result()
    places.server.start()
    person = caller_of(places.server, places.account)
    whole = {"sub": None, "sub/a": b"first", "sub/deep": None, "sub/deep/b": b"second"}
    there = {name: data for name, data in here.tree().items() if name.startswith("sub")}
    is_untouched = there == (whole if work == "delete" else {})
    if after and is_untouched and work != "discard":
        return False
    if work == "discard":
        eventually(lambda: item not in bins_of(here.place), "the item to go")
        assert there == {} and not [one for one in bin_of(person) if one["id"] == item]
    elif (work == "delete") == after:
        assert there == {}
        found = eventually(lambda: [one for one in bin_of(person) if one["path"] == here.at("sub")], "the item to be listed")
        assert len(found) == 1 and do(person, "restore", [found[0]["id"]])["state"] == "done"
        assert here.tree() == tree_of(TREE)
    else:
        assert there == whole
        eventually(lambda: not sql(places.server, "SELECT id FROM bin_items WHERE state = 'open'"), "the item to be settled")
        assert not [one for one in bin_of(person) if one["path"] == here.at("sub")]
    assert not places.server.wrong_of(places.account)
    return True


class Worker(threading.Thread):
    """Deletes files of a folder, restores them and deletes some for good, until the server is gone."""

    def __init__(self, places, here, chance, answered):
        super().__init__(daemon=True)
        self.person = caller_of(places.server, places.account)
        self.here, self.chance, self.answered = here, chance, answered
        self.discarded, self.error = set(), None

    def run(self):
        try:
            while True:
                self.step()
                self.answered()
        except requests.ConnectionError:
            pass
        except Exception as error:  # Shown by the test.
            self.error = error

    def step(self):
        mine = [item for item in bin_of(self.person, limit=200) if item["path"].startswith(self.here.path + "/")]
        if mine and self.chance.random() < 0.5:
            item = self.chance.choice(mine)
            task = do(self.person, "restore", [item["id"]])
            assert task["state"] == "done", task
            return
        there = sorted({name.partition("/")[0] for name in self.here.tree()})
        if there:
            task = do(self.person, "delete", [self.here.at(self.chance.choice(there))])
            assert task["state"] == "done" and not skipped(task), task


@pytest.mark.parametrize("count", range(3))
def test_a_server_that_is_killed_at_any_moment(places, count):
    chance = random.Random(f"{SEED} {count}")
    tree = {f"{name}/{inner}": inner.encode() for name in "abcd" for inner in ("x", "y")}
    folders = [Folder(places, kind, tree) for kind in KINDS]
    left = chance.randrange(10, 60)
    lock = threading.Lock()

    def answered():
        nonlocal left
        with lock:
            left -= 1
            if left == 0:
                places.server.process.kill()

    workers = [Worker(places, here, chance, answered) for here in folders]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(PATIENCE_S)
        assert not worker.is_alive() and not worker.error, (SEED, worker.error)
    places.server.kill()
    for remote in places.remotes.values():  # What it was asked for just before may be done later.
        eventually(lambda: not processes_of(remote.process.pid), "the sessions of before to end")
    places.server.start()
    person = caller_of(places.server, places.account)
    eventually(lambda: not sql(places.server, "SELECT id FROM bin_items WHERE state <> 'kept'"), "all to be settled")
    for here in folders:
        there = {name.partition("/")[0] for name in here.tree()}
        binned = [item["path"].rpartition("/")[2] for item in bin_of(person, limit=200) if item["path"].startswith(here.path + "/")]
        assert sorted([*there, *binned]) == list("abcd"), (SEED, here.kind)
        items = [item["id"] for item in bin_of(person, limit=200) if item["path"].startswith(here.path + "/")]
        if items:
            assert do(person, "restore", items)["state"] == "done"
        assert here.tree() == tree_of(tree), (SEED, here.kind)
    assert not places.server.wrong_of(places.account)
    assert places.client.used() == disk_bytes(places["own"].folder)


# Places that are not what they were

@pytest.fixture
def movable(build_server, tmp_path):
    """A person with a share whose folder can be put away, as a disk that is not mounted, and put back."""
    folder = tmp_path / "disk"
    folder.mkdir()
    server = build_server().start()
    account = server.add_account()
    share = server.cli_json("share", "add", "--name", "Shared", "--target", folder, "--account", account)
    yield caller_of(server, account), Place("shared", f"__adm_{share['id']}", folder), tmp_path / "away"
    server.stop()


def test_what_lies_on_a_disk_that_is_not_mounted_stays_in_the_bin(movable):
    person, place, away = movable
    place.plant({"a": b"a", "b": b"b", "kept": b"k"})
    first, second = delete(person, place.at("a"), place.at("b"))
    place.folder.rename(away)
    place.folder.mkdir()
    assert do(person, "restore", [first])["state"] == "failed"
    assert {item["id"] for item in bin_of(person)} == {first, second}
    person.fails("unavailable", "DELETE", "bin/" + second)
    shutil.rmtree(place.folder / ".coffer-staging", ignore_errors=True)
    place.folder.rmdir()
    away.rename(place.folder)
    assert do(person, "restore", [first])["state"] == "done"
    assert place.visible() == {"a": b"a", "kept": b"k"}
    restarted(person.server)
    assert [item["id"] for item in bin_of(person)] == [second]
    person.ok("DELETE", "bin/" + second, status=204)
    eventually(lambda: bins_of(place) == [], "what was to go to be deleted")


def test_what_was_removed_from_the_bin_by_hand_is_forgotten(movable):
    person, place, _ = movable
    place.plant({"a": b"a", "kept": b"k"})
    item, = delete(person, place.at("a"))
    (place.folder / ".coffer-bin" / item).unlink()
    (place.folder / ".coffer-bin").rmdir()
    assert do(person, "restore", [item])["state"] == "failed"
    assert bin_of(person) == []


def test_a_bin_that_is_a_link_takes_nothing(movable):
    person, place, _ = movable
    place.plant({"a": b"a", "public": None})
    (place.folder / ".coffer-bin").symlink_to("public")
    task = do(person, "delete", [place.at("a")])
    assert task["state"] == "failed" and "is a link" in task["error"]
    assert place.visible() == {"a": b"a", "public": None} and bin_of(person) == []


def test_a_folder_is_not_moved_away_from_a_bin_that_lies_in_it(build_server, tmp_path):
    server = build_server().start()
    account = server.add_account()
    outer = Place("shared", "", tmp_path)
    outer.plant({"folder/inner/stay": b"s", "folder/inner/gone": b"g"})
    shares = [server.cli_json("share", "add", "--name", name, "--target", target, "--account", account)["id"]
              for name, target in (("Outer", tmp_path), ("Inner", tmp_path / "folder/inner"))]
    person = caller_of(server, account)
    item, = delete(person, f"__adm_{shares[1]}/gone")
    task = do(person, "move", [f"__adm_{shares[0]}/folder"], "")
    assert task["state"] == "failed" and "bin" in task["error"], task
    assert do(person, "restore", [item])["state"] == "done"
    assert (tmp_path / "folder/inner/gone").read_bytes() == b"g"
    assert do(person, "move", [f"__adm_{shares[0]}/folder"], "")["state"] == "done"
    assert person.v1().content("folder/inner/gone") == b"g"
    server.stop()


@pytest.mark.parametrize("work", ["restore", "move"])
def test_a_link_is_no_folder_to_be_emptied_into_another(places, person, work):
    here = Folder(places, "own", {"big/x": b"x", "big/y": b"y", "from/kept": b"k"})
    folder = here.place.folder / here.name
    os.symlink("../big", folder / "from/l")
    (folder / "to/l").mkdir(parents=True)
    if work == "restore":
        item, = delete(person, here.at("from/l"))
        task = do(person, "restore", [item], here.at("to"), onConflict="replace")
    else:
        task = do(person, "move", [here.at("from/l")], here.at("to"), onConflict="replace")
    assert set(skipped(task)) == {here.at("from/l")}
    assert work == "restore" or "It is a link" in skipped(task)[here.at("from/l")]  # From the bin it leads nowhere here.
    assert {name.name for name in (folder / "big").iterdir()} == {"x", "y"} and list((folder / "to/l").iterdir()) == []
    if work == "restore":
        assert in_bin(person, here.at("from/l"))["id"] == item
    else:
        assert os.readlink(folder / "from/l") == "../big"


def test_a_name_that_nothing_is_given_any_more_comes_back_under_another(places, person):
    here = Folder(places, "own", {"kept": b"k"})
    (here.place.folder / here.name / "a\\b").write_bytes(b"old")
    item, = delete(person, here.at("a\\b"))
    assert do(person, "restore", [item])["state"] == "done"
    assert here.tree() == tree_of({"kept": b"k", "a_b": b"old"})


def test_nothing_is_deleted_that_a_copy_goes_into(places, person):
    """As it is not renamed either."""
    here = Folder(places, "own", {"from/large": b"x" * 40_000_000, "to/kept": b"k"})
    with Stop(places.server, "copy_file_range") as stop:
        copying = Call(lambda: do(person, "copy", [here.at("from/large")], here.at("to")))
        assert stop.wait(copying)
        task = do(person, "delete", [here.at("to")])
    assert copying.result()["state"] == "done"
    assert task["state"] == "failed" and "copied or moved into" in task["error"], task
    assert here.tree()["to/large"] == b"x" * 40_000_000


# What a restoring replaces

def test_a_restoring_that_does_not_fit_leaves_what_it_was_to_replace(build_server, description, tmp_path):
    with scratch("shared") as shared:
        server = build_server().start()
        try:
            account = server.add_account(None, "3000000")
            share = server.cli_json("share", "add", "--name", "Shared", "--target", shared, "--account", account)
            person, client = caller_of(server, account), Client(server, server.create_key(account)["key"], description)
            (shared / "f").write_bytes(b"n" * 2_000_000)
            item = delete(person, f"__adm_{share['id']}/f")[0]
            client.put("f", b"o" * 1_000_000)
            client.put("other", b"x" * 1_500_000)
            task = do(person, "restore", [item], "", onConflict="replace")
            assert task["state"] == "failed" and task["errorCode"] == "over_quota", task
            assert client.content("f") == b"o" * 1_000_000 and client.content("other") == b"x" * 1_500_000
            assert [entry["id"] for entry in person.ok("GET", "bin")["entries"]] == [item]
            assert "0 problems" in server.cli("check").stdout
        finally:
            server.stop()


@pytest.mark.parametrize("target", KINDS)
@pytest.mark.parametrize("source", KINDS)
def test_what_a_restoring_replaces_is_in_the_bin(places, person, source, target):
    here, there = Folder(places, source, {"f": b"new"}), Folder(places, target, {"f": b"old", "f (2)": b"second"})
    item = delete(person, here.at("f"))[0]
    task = do(person, "restore", [item], there.path, onConflict="replace")
    assert task["state"] == "done" and not task["skipped"] and task["itemsDone"] == 1, task
    assert there.tree() == tree_of({"f": b"new", "f (2)": b"second"})
    assert do(person, "restore", [in_bin(person, there.at("f"))["id"]], here.path)["state"] == "done" and here.tree() == tree_of({"f": b"old"})


def test_what_a_server_did_not_delete_is_still_in_the_bin(places, person):
    with line_to(places.remotes["sftp"]) as (line, options):
        path = add_connector(places.server, places.account, places.server.new_name("frail"), options, stdin="secret\n")
        here = Folder(places, "sftp", {"f": b"kept"})
        item = delete(person, at(path, here.name) + "/f")[0]
        line.refuse()
        person.fails("unavailable", "DELETE", "bin/" + item)
        assert item in [entry["id"] for entry in bin_of(person, limit=200)]
        line.mend()
        eventually(lambda: do(person, "restore", [item])["state"] == "done", "the server to be known to be there again")
        assert here.tree() == tree_of({"f": b"kept"})


def test_a_deletion_whose_server_was_lost_meanwhile_shows_when_that_is_back(places, person):
    with line_to(places.remotes["ftp"]) as (line, options):
        path = add_connector(places.server, places.account, places.server.new_name("lost"), options, stdin="secret\n")
        here = Folder(places, "ftp", {"f": b"kept"})
        file = at(path, here.name) + "/f"
        fault = line.fault("lose reply", line=b"RNTO", channel=CONTROL, dies=True)
        assert do(person, "delete", [file])["state"] == "failed" and fault.happened
        shown = lambda: [item["id"] for item in bin_of(person, limit=200) if item["path"] == file]
        assert here.tree() == tree_of({}) and shown() == []
        line.mend()
        eventually(shown, "what was deleted to show in the bin")
        assert do(person, "restore", shown())["state"] == "done"
        assert here.tree() == tree_of({"f": b"kept"})


@pytest.mark.parametrize("make", [FtpServer, PureFtpd])
def test_what_a_server_does_not_show_for_now_stays_in_the_bin(build_server, make):
    server = build_server().start()
    account = server.add_account()
    person = caller_of(server, account)
    with started(make) as remotes:
        remote, = remotes.values()
        path = add_connector(server, account, "remote", remote.options(), stdin="secret\n")
        place = Place(remote.kind, path, remote.root)
        place.plant({"a": b"a", "b": b"b", "kept": b"k"})
        first, second = delete(person, place.at("a"), place.at("b"))
        folder = remote.root / ".coffer-bin"
        before = folder.stat()
        os.chown(folder, 0, 0)
        folder.chmod(0)
        task = do(person, "restore", [first])
        assert (task["state"], task["errorCode"]) == ("failed", "unavailable"), task
        assert person.call("DELETE", "bin/" + second).status_code == 502
        assert person.call("DELETE", "bin").status_code == 502
        assert {item["id"] for item in bin_of(person)} == {first, second} == set(bins_of(place))
        os.chown(folder, before.st_uid, before.st_gid)
        folder.chmod(before.st_mode & 0o7777)
        assert do(person, "restore", [first])["state"] == "done"
        person.ok("DELETE", "bin/" + second, status=204)
        assert place.visible() == {"a": b"a", "kept": b"k"} and bins_of(place) == []
    server.stop()
