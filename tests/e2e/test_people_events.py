"""Server-sent events of /api/v2: each kind of change in each kind of place, who is told, what is told after an absence,
and what ends a stream."""

import contextlib
import datetime
import os
import pathlib
import shutil
import signal

import pytest

from client import form
from driving import mount_drive
from event_stream import EventStream, by_key, by_session
from mounting import at
from people import PASSWORD, Person
from people_places import new_folder
from places import KINDS, Place, one_of_each
from server import eventually
from test_people_tasks import ended
from tus import Tus

MIB = 1024 * 1024
ON_DISKS = ("own", "shared")


@pytest.fixture(scope="module")
def places(build_server, description, drive_servers):
    """One of each, and a drive."""
    with one_of_each(build_server, description) as made:
        drive = mount_drive(made.server, made.account, drive_servers("rclone"), "events")
        made.by_kind["drive"] = Place("drive", drive.path, drive.remote.root / drive.folder)
        made.key = made.server.create_key(made.account)["key"]
        yield made


@pytest.fixture
def person(places):
    return Person(places.server, key=places.key)


@pytest.fixture
def watch(places):
    """Begins streams, of the account with a place of each kind unless it is said otherwise."""
    with contextlib.ExitStack() as behind:
        yield lambda *folders, server=places.server, key=places.key, who=None, **more: behind.enter_context(
            EventStream(server, by_key(key) if who is None else who, *folders, **more))


class Folder:
    """A new folder in a place, with a file a.txt, a folder sub with a file, and another folder beside it."""

    def __init__(self, places, kind):
        self.places, self.client, self.kind = places, places.client, kind
        self.path, self.disk = new_folder(places, places[kind])
        self.other, _ = new_folder(places, places[kind])
        for name, folder in (("a.txt", self.path), ("in.txt", self.other)):
            self.client.upload(folder, form((name, b"hello"))).ok()
        self.client.make_folder(self.path, "sub").ok()
        self.client.upload(self.at("sub"), form(("inner.txt", b"inner"))).ok()

    def at(self, name):
        return at(self.path, name)

    def do(self, person, kind, sources, destination=None, **more):
        body = {"kind": kind, "sources": sources, "onConflict": "fail", **more}
        if destination is not None:
            body["destination"] = destination
        if kind == "delete":
            del body["onConflict"]
        task = ended(person, person.ok("POST", "tasks", body, 202))
        assert task["state"] == "done", task


@pytest.fixture(params=(*KINDS, "drive"))
def folder(request, places):
    return Folder(places, request.param)


@pytest.fixture(params=ON_DISKS)
def disk_folder(request, places):
    return Folder(places, request.param)


def tus_upload(folder, content):
    Tus(folder.places.server, folder.places.key).put(content, "tus.bin", folder.path)


CHANGES = {
    "upload": lambda folder, _: folder.client.upload(folder.path, form(("new.txt", b"new"))).ok(),
    "upload of nothing": lambda folder, _: folder.client.upload(folder.path, form(("empty.txt", b""))).ok(),
    "replace": lambda folder, _: folder.client.upload(folder.path, form(("a.txt", b"another"))).ok(),
    "new content": lambda folder, person: person.put(folder.at("a.txt"), b"another").raise_for_status(),
    "resumable upload": lambda folder, _: tus_upload(folder, b"resumed"),
    "large upload": lambda folder, _: tus_upload(folder, os.urandom(32 * MIB)),
    "new folder": lambda folder, _: folder.client.make_folder(folder.path, "made").ok(),
    "new file": lambda folder, _: folder.client.make_file(folder.path, "made.txt").ok(),
    "rename": lambda folder, _: folder.client.rename(folder.at("a.txt"), "b.txt").ok(),
    "move in": lambda folder, _: folder.client.move(at(folder.other, "in.txt"), folder.path).ok(),
    "move out": lambda folder, _: folder.client.move(folder.at("a.txt"), folder.other).ok(),
    "copy in": lambda folder, _: folder.client.copy(at(folder.other, "in.txt"), folder.path).ok(),
    "copy of a folder": lambda folder, _: folder.client.copy(folder.other, folder.path).ok(),
    "delete": lambda folder, _: folder.client.delete(folder.at("a.txt")).ok(),
    "delete of a folder": lambda folder, _: folder.client.delete(folder.at("sub")).ok(),
    "task that copies": lambda folder, person: folder.do(person, "copy", [at(folder.other, "in.txt")], folder.path),
    "task that moves": lambda folder, person: folder.do(person, "move", [folder.at("sub")], folder.other),
    "task that deletes": lambda folder, person: folder.do(person, "delete", [folder.at("sub")], permanent=True),
    "move to own files": lambda folder, _: folder.client.move(folder.at("a.txt"), new_folder(folder.places, folder.places["own"])[0]).ok(),
    "move of the folder": lambda folder, _: folder.client.move(folder.path, folder.other).ok(),
    "rename of the folder": lambda folder, _: folder.client.rename(folder.path, folder.path.rpartition("/")[2] + "-renamed").ok(),
    "delete of the folder itself": lambda folder, _: folder.client.delete(folder.path).ok(),
}


@pytest.mark.parametrize("change", CHANGES)
def test_each_change_through_coffer_is_told(folder, person, watch, change):
    stream = watch(folder.path)
    CHANGES[change](folder, person)
    before = stream.folder(folder.path)
    assert all(kind in ("task", "account") for kind, _ in before), before


def test_what_goes_into_the_bin_and_comes_back_is_told(places, person, watch):
    folder = Folder(places, "own")
    stream = watch(folder.path)
    folder.do(person, "delete", [folder.at("a.txt")])
    stream.folder(folder.path)
    item, = [one for one in person.ok("GET", "bin?limit=200")["entries"] if one["path"] == folder.at("a.txt")]
    folder.do(person, "restore", [item["id"]])
    stream.folder(folder.path)


def test_a_change_elsewhere_is_not_told(folder, person, watch):
    stream = watch(folder.path)
    client = folder.client
    client.upload(folder.other, form(("other.txt", b""))).ok()
    client.upload(folder.at("sub"), form(("other.txt", b""))).ok()
    client.make_folder(at(folder.other, "deep"), "deeper").ok()
    client.list(folder.path).ok()
    client.content(folder.at("a.txt"))
    client.make_folder(folder.path, "last").ok()
    assert not [event for event in stream.folder(folder.path) if event[0] == "folder"]


def test_several_folders_are_told_apart(places, watch):
    folders = [Folder(places, kind) for kind in (*KINDS, "drive")]
    stream = watch(*(folder.path for folder in folders))
    for folder in folders:
        folder.client.make_folder(folder.path, "made").ok()
        stream.folder(folder.path)


def test_the_path_is_followed_and_not_the_folder(folder, watch):
    folder.client.make_folder(folder.path, "deep").ok()
    path, client = folder.at("deep"), folder.client
    stream = watch(path)
    client.rename(folder.path, folder.path.rpartition("/")[2] + "-away").ok()
    stream.folder(path)
    parent, _, name = folder.path.rpartition("/")
    client.make_folder(parent, name).ok()
    client.make_folder(folder.path, "deep").ok()
    stream.folder(path)
    client.upload(path, form(("file", b""))).ok()
    stream.folder(path)
    client.delete(path).ok()
    stream.folder(path)
    client.make_folder(folder.path, "deep").ok()
    stream.folder(path)


def test_a_folder_that_is_not_there_yet_is_told_of_when_it_comes(folder, watch):
    path = folder.at("later/deep")
    stream = watch(path)
    folder.client.make_folder(folder.at("later"), "deep").ok()
    stream.folder(path)
    folder.client.upload(path, form(("file", b""))).ok()
    stream.folder(path)


DISK_CHANGES = {
    "a new file": lambda disk: (disk / "new").write_bytes(b"new"),
    "a new folder": lambda disk: (disk / "folder").mkdir(),
    "a file written": lambda disk: (disk / "a.txt").write_bytes(b"changed"),
    "a rename": lambda disk: (disk / "a.txt").rename(disk / "b.txt"),
    "a move out": lambda disk: (disk / "a.txt").rename(disk.parent / "away.txt"),
    "a deletion": lambda disk: (disk / "a.txt").unlink(),
    "a tree deleted": lambda disk: shutil.rmtree(disk / "sub"),
    "a time": lambda disk: os.utime(disk / "a.txt", (1, 1)),
    "a link": lambda disk: (disk / "link").symlink_to("a.txt"),
    "the folder itself renamed": lambda disk: disk.rename(disk.with_name(disk.name + "-away")),
    "the folder itself deleted": lambda disk: shutil.rmtree(disk),
}


@pytest.mark.parametrize("change", DISK_CHANGES)
def test_each_change_straight_on_the_disk_is_told(disk_folder, watch, change):
    stream = watch(disk_folder.path)
    DISK_CHANGES[change](disk_folder.disk)
    assert stream.folder(disk_folder.path) == []


def test_a_folder_on_the_disk_is_followed_by_its_path(disk_folder, watch):
    stream = watch(disk_folder.path)
    disk = disk_folder.disk
    for _ in range(3):
        shutil.rmtree(disk)
        stream.folder(disk_folder.path)
        disk.mkdir()
        stream.folder(disk_folder.path)
        (disk / "file").write_bytes(b"")
        stream.folder(disk_folder.path)


def test_what_others_change_in_a_share_is_told(places, watch):
    folder = Folder(places, "shared")
    other = places.server.add_account()
    share = folder.path.partition("/")[0].removeprefix("__adm_")
    places.server.cli("share", "set", share, "--account", other)
    key = places.server.create_key(other)["key"]
    stream = watch(folder.path)
    of_other = watch(folder.path, key=key)
    places.client.with_key(key).upload(folder.path, form(("of-other.txt", b"x"))).ok()
    assert stream.folder(folder.path) == [] and of_other.folder(folder.path) == []
    folder.client.upload(folder.path, form(("of-one.txt", b"x"))).ok()
    assert of_other.folder(folder.path) == []


# Tasks and the account


def test_a_task_is_told_of_from_its_begin_to_its_end(places, person, watch):
    folder = Folder(places, "own")
    stream = watch()
    task = person.ok("POST", "tasks", {"kind": "copy", "sources": [folder.path], "destination": folder.other}, 202)
    state = None
    while state != "done":
        stream.wait_for("task", id=task["id"])
        state = person.ok("GET", "tasks/" + task["id"])["state"]
    person.ok("DELETE", "tasks/" + task["id"], status=204)
    stream.wait_for("task", id=task["id"])
    person.fails("not_found", "GET", "tasks/" + task["id"])


def test_the_account_is_told_of(own_server, account_on, watch, tmp_path):
    server = own_server()
    account = account_on(server, "1000")
    person = Person(server, key=account.key)
    stream = watch("", server=server, key=account.key)
    account.client.put("a.txt", b"x" * 100)
    stream.wait_for("account")
    account.client.delete("a.txt").ok()
    stream.wait_for("account")
    account.set("--quota", "5000")
    stream.wait_for("account")
    person.ok("PATCH", "account", {"displayName": "Another"})
    stream.wait_for("account")
    (tmp_path / "shared").mkdir()
    server.cli("share", "add", "--name", "Shared", "--target", tmp_path / "shared", "--account", account.name)
    stream.folder("")
    server.cli("key", "create", "--account", account.name, "--name", "Another")
    account.client.make_folder("", "made").ok()
    assert stream.folder("") in ([], [("account", {})])


# Who is told what


def test_accounts_are_told_nothing_of_each_other(places, watch):
    others = [places.server.add_account() for _ in range(2)]
    keys = [places.server.create_key(other)["key"] for other in others]
    clients = [places.client.with_key(key) for key in keys]
    streams = [watch("", "docs", key=key) for key in keys]
    for client in clients:
        client.make_folder("", "docs").ok()
        client.make_file("docs", "file").ok()
    assert streams[0].folder("docs") in ([("folder", {"path": ""})], [])
    for stream in streams:
        stream.close()
    first, second = (watch("", key=key) for key in keys)
    clients[0].upload("docs", form(("used.txt", b"used"))).ok()
    clients[0].make_folder("", "of-first").ok()
    first.folder("")
    clients[1].make_folder("", "of-second").ok()
    assert second.folder("") == []


def test_a_key_limited_to_a_folder_is_told_of_that_alone(folder, person, watch):
    server, client = folder.places.server, folder.client
    key = server.create_key(folder.places.account, folder.path)["key"]
    stream = watch("", "sub", key=key)
    within = client.with_key(key)
    client.make_folder(folder.other, "beside").ok()
    folder.do(person, "copy", [at(folder.other, "in.txt")], at(folder.other, "beside"))
    client.put("used-elsewhere.txt", b"used")
    within.make_folder("sub", "made").ok()
    # On servers the folders above might have been made too.
    assert set(str(event) for event in stream.folder("sub")) <= {str(("folder", {"path": ""}))}
    within.make_folder("", "made").ok()
    assert stream.folder("") == []
    of_key = Person(server, key=key)
    task = of_key.ok("POST", "tasks", {"kind": "copy", "sources": ["a.txt"], "destination": "made"}, 202)
    stream.wait_for("task", id=task["id"])
    client.delete("used-elsewhere.txt").ok()


def test_a_key_limited_to_a_folder_does_not_notice_tasks_elsewhere(places, person, watch):
    within, other = Folder(places, "own"), Folder(places, "own")
    stream = watch("", key=places.server.create_key(places.account, within.path)["key"])
    for number in range(12):
        other.do(person, "copy", [at(other.other, "in.txt")], other.path, onConflict="replace" if number else "fail")
    within.client.make_folder(within.path, "made").ok()
    assert stream.folder("") == []
    assert stream.blanks < 3, "each task was noticed"


def test_a_limited_key_watches_nothing_outside(places, watch):
    own, _ = new_folder(places, places["own"])
    key = places.server.create_key(places.account, own)["key"]
    refused = watch(places["shared"].path, key=key)
    assert refused.status == 403 and refused.problem["code"] == "forbidden", refused.problem
    assert watch("../", key=key).status in (400, 403)


def test_a_key_that_only_reads_is_told_too(places, watch):
    folder = Folder(places, "own")
    key = places.server.cli_json("key", "create", "--account", places.account, "--name", "reads", "--read-only")["key"]
    stream = watch(folder.path, key=key)
    folder.client.make_folder(folder.path, "made").ok()
    stream.folder(folder.path)


def test_what_cannot_be_watched_is_refused(places, watch):
    for folders, status, code in ((["__adm_nothing"], 404, "not_found"), (["a\x01b"], 400, "malformed"), ([str(i) for i in range(17)], 400, "malformed")):
        refused = watch(*folders)
        assert (refused.status, refused.problem["code"]) == (status, code), refused.problem
    assert watch(who={}).status == 401
    assert len(watch(*(["docs"] * 16)).headers) > 0


def test_an_item_with_a_hidden_name_is_not_told_of(places, watch):
    folder = Folder(places, "own")
    stream = watch(folder.path)
    (folder.disk / (".coffer-part-" + 25 * "0")).write_bytes(b"")
    (folder.disk / "folder").mkdir()
    stream.folder(folder.path)
    assert watch(at(folder.path, ".coffer-bin")).status == 404


# After an absence


def test_who_comes_again_and_missed_nothing_is_told_nothing(folder, watch):
    stream = watch(folder.path)
    folder.client.make_folder(folder.path, "first").ok()
    stream.folder(folder.path)
    # Another change may still be on its way to be told.
    stream.close()
    again = watch(folder.path, last_id=stream.last_id)
    again.close()
    last = watch(folder.path, last_id=again.last_id)
    folder.client.make_folder(folder.path, "second").ok()
    told = iter(lambda: last.next()[0], None)  # A task that other tests began may be told of too.
    assert next(kind for kind in told if kind not in ("task", "account")) in ("folder", "resync")


def test_a_quiet_absence_is_not_told_of(disk_folder, watch):
    stream = watch(disk_folder.path)
    first = stream.last_id
    for _ in range(3):
        stream.close()
        stream = watch(disk_folder.path, last_id=stream.last_id)
        assert stream.last_id == first
    (disk_folder.disk / "new").mkdir()
    assert stream.folder(disk_folder.path) == []


def test_what_was_missed_is_told_by_one_resync(folder, watch):
    stream = watch(folder.path)
    stream.close()
    for name in ("one", "two", "three"):
        folder.client.make_folder(folder.path, name).ok()
    stream = watch(folder.path, last_id=stream.last_id)
    assert stream.next() == ("resync", {})
    folder.client.make_folder(folder.path, "last").ok()
    assert stream.next() == ("folder", {"path": folder.path})


def test_an_event_that_was_lost_on_the_way_is_a_resync(disk_folder, watch):
    stream = watch(disk_folder.path)
    before = stream.last_id
    (disk_folder.disk / "new").mkdir()
    stream.folder(disk_folder.path)
    stream.close()
    assert watch(disk_folder.path, last_id=before).next() == ("resync", {})


@pytest.mark.parametrize("id", ("nonsense", "1-2-3", "-", "0" * 5000), ids=("words", "numbers", "none", "long"))
def test_an_id_that_is_not_known_is_a_resync(places, watch, id):
    assert watch(last_id=id).next() == ("resync", {})


def test_ids_are_of_their_caller_and_folders(places, watch):
    folder = Folder(places, "own")
    stream = watch(folder.path)
    other = places.server.create_key(places.server.add_account())["key"]
    second = places.server.create_key(places.account)["key"]
    for again in (watch("", key=other, last_id=stream.last_id), watch(folder.path, key=second, last_id=stream.last_id),
                  watch(folder.other, last_id=stream.last_id)):
        assert again.next() == ("resync", {})
    folder.client.make_folder(folder.path, "made").ok()
    assert stream.folder(folder.path) == []
    # Its own comes back while the old connection still stands: that one ends.
    again = watch(folder.path, last_id=stream.last_id)
    stream.read_to_end()
    folder.client.make_folder(folder.path, "again").ok()
    again.folder(folder.path)


@pytest.mark.parametrize("end", ("stop", "kill"))
def test_a_restart_is_told_by_one_resync(own_server, account_on, watch, end):
    server = own_server()
    account = account_on(server)
    stream = watch("", server=server, key=account.key)
    getattr(server, end)()
    server.start()
    again = watch("", server=server, key=account.key, last_id=stream.last_id)
    assert again.next() == ("resync", {})
    account.client.make_folder("", "made").ok()
    assert again.next() == ("folder", {"path": ""})


def test_what_the_kernel_could_not_tell_is_a_resync(own_server, account_on, watch):
    server = own_server()
    account = account_on(server)
    stream = watch("", server=server, key=account.key)
    length = int(pathlib.Path("/proc/sys/fs/inotify/max_queued_events").read_text())
    (account.root / "one").write_bytes(b"")
    stream.folder("")
    server.send_signal(signal.SIGSTOP)
    for _ in range(length):
        (account.root / "one").rename(account.root / "two")
        (account.root / "two").rename(account.root / "one")
    server.send_signal(signal.SIGCONT)
    stream.wait_for("resync")
    (account.root / "last").write_bytes(b"")
    stream.folder("")


def test_who_does_not_read_keeps_nothing_waiting(places, watch):
    folder = Folder(places, "own")
    slow = watch(folder.path, receive_bytes=1024)
    quick = watch(folder.path)
    for i in range(300):
        (folder.disk / f"file{i}").write_bytes(b"")
    quick.folder(folder.path)
    folder.client.make_folder(folder.path, "made").ok()
    slow.folder(folder.path)


# What ends a stream


def test_a_stream_ends_with_its_key(places, watch):
    key = places.server.create_key(places.account)
    stream, other = watch("", key=key["key"]), watch("")
    places.server.cli("key", "revoke", "--account", places.account, key["id"])
    stream.read_to_end()
    assert watch("", key=key["key"], last_id=stream.last_id).status == 401
    places.client.make_folder("", places.server.new_name("made")).ok()
    other.folder("")


def test_a_stream_ends_when_its_key_expires(places, person, watch):
    def stream_of(life_s):
        """None on a machine that is so slow that the key has ended already."""
        soon = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=life_s)
        wanted = {"name": "short", "access": "full", "expiresAt": soon.strftime("%Y-%m-%dT%H:%M:%S.%f")}
        made = person.call("POST", "keys", wanted)
        if made.status_code == 400:
            return None
        key = made.json()["secret"]
        places.server.secrets.add(key)
        stream = watch("", key=key)
        return stream if stream.status == 200 else None

    next(filter(None, map(stream_of, (1, 4, 16, 64)))).read_to_end()


def test_a_stream_ends_with_its_session(places, watch):
    name = places.server.new_name("person")
    places.server.add_account(name, password=PASSWORD)
    person = Person(places.server)
    person.sign_in(name)
    stream = watch("", who=by_session(person))
    person.v1().make_folder("", "made").ok()
    stream.folder("")
    person.ok("DELETE", "session")
    stream.read_to_end()


def test_streams_end_with_their_account(places, watch):
    for end in (("account", "disable"), ("account", "remove")):
        name = places.server.add_account()
        stream = watch("", key=places.server.create_key(name)["key"])
        places.server.cli(*end, name)
        stream.read_to_end()


def test_a_stream_ends_when_its_keys_folder_moves(places, watch):
    path, _ = new_folder(places, places["own"])
    stream = watch("", key=places.server.create_key(places.account, path)["key"])
    places.client.rename(path, path + "-moved").ok()
    stream.read_to_end()


def test_a_share_that_is_withdrawn_is_told_of_no_more(own_server, account_on, watch, tmp_path):
    server = own_server()
    account, other = account_on(server), account_on(server)
    (tmp_path / "shared/sub").mkdir(parents=True)
    share = server.cli_json("share", "add", "--name", "Shared", "--target", tmp_path / "shared", "--account", account.name,
                            "--account", other.name)
    path = f"__adm_{share['id']}/sub"
    stream = watch("", path, server=server, key=account.key)
    scoped = watch("", server=server, key=server.create_key(account.name, path)["key"])
    server.cli("share", "set", share["id"], "--no-account", account.name)
    stream.folder(path)
    scoped.read_to_end()
    (tmp_path / "shared/sub/unseen").mkdir()
    (account.root / "seen").mkdir()
    assert ("folder", {"path": path}) not in stream.folder("")
    server.cli("share", "set", share["id"], "--account", account.name)
    stream.folder(path)
    (tmp_path / "shared/sub/seen").mkdir()
    stream.folder(path)


def test_a_share_whose_folder_is_replaced_is_followed(own_server, account_on, watch, tmp_path):
    server = own_server()
    account = account_on(server)
    (tmp_path / "shared").mkdir()
    share = server.cli_json("share", "add", "--name", "Shared", "--target", tmp_path / "shared", "--account", account.name)
    path = f"__adm_{share['id']}"
    stream = watch(path, server=server, key=account.key)
    (tmp_path / "shared").rename(tmp_path / "old")
    (tmp_path / "shared").mkdir()
    stream.folder(path)
    (tmp_path / "shared/new").mkdir()
    stream.folder(path)


def test_a_server_that_stops_ends_all_streams_and_waits_for_none(own_server, account_on, watch):
    server = own_server(stop_timeout_ms=3_600_000)
    account = account_on(server)
    streams = [watch("", server=server, key=account.key) for _ in range(10)] + [watch("", server=server, key=account.key, version="1.0")]
    server.stop()
    for stream in streams:
        stream.read_to_end()


# Limits


def test_an_account_has_so_many_streams(own_server, account_on, watch):
    server = own_server()
    account, other = account_on(server), account_on(server)
    streams = [watch(server=server, key=account.key) for _ in range(32)]
    refused = watch(server=server, key=account.key)
    assert refused.status == 429 and refused.problem["code"] == "rate_limited" and int(refused.headers["retry-after"]) > 0, refused.problem
    assert watch(server=server, key=other.key).status == 200
    streams[7].close()

    def begins_again():
        again = watch(server=server, key=account.key)
        return again.status == 200

    eventually(begins_again, "a place that is free")
    account.client.make_folder("", "made").ok()


def threads_of(server):
    return len(os.listdir(f"/proc/{server.process.pid}/task"))


def descriptors_of(server):
    return len(os.listdir(f"/proc/{server.process.pid}/fd"))


def test_idle_streams_cost_no_thread_and_one_descriptor_each_and_go_with_their_clients(own_server, account_on, watch):
    server = own_server()
    accounts = [account_on(server) for _ in range(10)]
    for account in accounts:
        account.client.make_folder("", "docs").ok()
    with EventStream(server, by_key(accounts[0].key), "", "docs"):
        pass
    threads, descriptors = threads_of(server), descriptors_of(server)
    streams = [watch("", "docs", server=server, key=account.key) for account in accounts for _ in range(20)]
    # To open so many at once may have threads of the pools begin, which are far fewer.
    assert threads_of(server) <= threads + len(streams) // 2
    assert descriptors_of(server) <= descriptors + len(streams) + 2 * len(accounts)
    for stream in streams:
        stream.close()
    eventually(lambda: descriptors_of(server) <= descriptors + 2 * len(accounts), "connections to be closed when their clients left")


def test_head_and_the_metrics(own_server, account_on, watch, tmp_path):
    (tmp_path / "token").write_text("a token for the metrics")
    server = own_server(metrics_token_file=str(tmp_path / "token"))
    account = account_on(server)
    person = Person(server, key=account.key)

    def streams():
        page = person.http.get(server.url + "/metrics", headers={"Authorization": "Bearer a token for the metrics"}).text
        line, = [line for line in page.splitlines() if line.startswith("coffer_event_streams ")]
        return float(line.split()[1])

    assert person.call("HEAD", "events").status_code == 200
    eventually(lambda: streams() == 0, "no stream")
    stream = watch(server=server, key=account.key)
    assert streams() == 1
    stream.close()
    eventually(lambda: streams() == 0, "its end")
