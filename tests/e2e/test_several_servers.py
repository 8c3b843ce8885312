"""Servers that share a catalog on PostgreSQL: what one changes holds for all, and what one leaves when it dies another ends."""

import contextlib
import itertools
import os
import random
import shutil
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
import requests

import tiers

from client import Client, form
from dav import Dav
from event_stream import EventStream, by_key
from mounting import add_connector, at, scratch, started
from people import Person
from postgres import execute
from raw import RawConnection, head
from remote_servers import FtpServer
from server import Server, eventually, run
from several import Nodes
from tus import Tus


class Bed:
    """Two servers, and an account with a shared folder and an FTP server."""

    def __init__(self, folder, database, homes, shared, remotes):
        self.folder, self.homes, self.shared, self.remotes = folder, homes, shared, remotes
        self.nodes = Nodes(folder, database, **homes)
        first = self.nodes[0]
        self.account = first.add_account()
        share = first.cli_json("share", "add", "--name", "Shared", "--target", shared, "--account", self.account)
        self.share = f"__adm_{share['id']}"
        self.ftp = add_connector(first, self.account, "FTP", remotes["ftp"].options(), stdin="secret\n")
        self.key = first.create_key(self.account)["key"]
        self.one, self.two = self.nodes.clients(self.key)


@pytest.fixture
def bed(postgres, object_store, tmp_path):
    with contextlib.ExitStack() as behind:
        shared = behind.enter_context(scratch("shared"))
        remotes = behind.enter_context(started(FtpServer))
        database = postgres.new_database(f"several_{time.monotonic_ns()}")
        made = Bed(tmp_path, database, object_store.new_bucket(), shared, remotes)
        behind.callback(made.nodes.end)
        yield made


def test_all_serve_the_same_places(bed):
    """What one does in own files, a shared folder or on a server, the other shows at once, and the other way round."""
    for place in ("", bed.share, bed.ftp):
        bed.one.upload(place, form(("a.txt", b"from one"))).ok()
        assert bed.two.content(at(place, "a.txt")) == b"from one"
        bed.two.rename(at(place, "a.txt"), "b.txt").ok()
        assert "b.txt" in bed.one.names(place) and "a.txt" not in bed.one.names(place)
        bed.two.delete(at(place, "b.txt")).ok()
        assert "b.txt" not in bed.one.names(place)


def test_what_is_locked_at_one_is_locked_at_all(bed):
    """From the answer on, and of two that lock the same item at once one has it. Also of own files in a store, and of one server
    that dies."""
    here, there = (Dav(node, bed.account, bed.key) for node in bed.nodes.nodes)
    for place in ("", "Shared/"):
        here.put(place + "a.txt", b"old").is_(201)
        for _ in range(10):
            token = here.locked(place + "a.txt")
            there.put(place + "a.txt", b"new").is_(423)
            there.put(place + "a.txt", b"new", If=f"(<{token}>)").is_(204)
            there.unlock(place + "a.txt", token).is_(204)
            here.put(place + "a.txt", b"newer").is_(204)
    with ThreadPoolExecutor(8) as pool:
        for number in range(10):
            here.put(f"{number}.txt", b"x").is_(201)
            asked = [pool.submit(caller.lock, f"{number}.txt") for caller in (here, there) * 4]
            assert sorted(one.result().status for one in asked) == [200] + [423] * 7
    bed.nodes[0].kill()
    there.put("0.txt", b"new").is_(423)


def test_what_was_revoked_counts_nowhere_any_more(bed):
    """From the answer on, though every server remembers rights for a moment."""
    for number in range(6):
        node, other = bed.nodes[number % 2], bed.nodes[(number + 1) % 2]
        key = node.create_key(bed.account)
        here, there = Client(node, key["key"]), Client(other, key["key"])
        for _ in range(20):
            assert here.list(bed.share).ok() == there.list(bed.share).ok()
        Person(node, key=bed.key).ok("DELETE", f"keys/{key['id']}", None, 204)
        there.list(bed.share).fails(401)
        here.list(bed.share).fails(401)


def test_an_account_that_a_command_disables_is_out_everywhere(bed):
    bed.one.list(bed.share).ok()
    bed.two.list(bed.share).ok()
    bed.nodes[0].cli("account", "set", bed.account, "--disabled", "true")
    bed.two.list(bed.share).fails(401)
    bed.one.list(bed.share).fails(401)


def test_a_share_that_is_taken_away_is_gone_everywhere(bed):
    bed.two.list(bed.share).ok()
    bed.nodes[0].cli("share", "remove", bed.share.removeprefix("__adm_"))
    bed.two.list(bed.share).fails(404)
    assert bed.share not in str(bed.two.locations().ok())


def copy(person, source, folder):
    return person.ok("POST", "tasks", {"kind": "copy", "sources": [source], "destination": folder}, 202)


@pytest.mark.parametrize("place", ["ftp"])
def test_streams_tell_what_other_servers_change(bed, place):
    place = getattr(bed, place)
    bed.one.make_folder(place, "docs").ok()
    with EventStream(bed.nodes[1], by_key(bed.key), at(place, "docs")) as stream:
        stream.folder(at(place, "docs"))  # By now the other server knows of this stream.
        bed.one.upload(at(place, "docs"), form(("a.txt", b"a"))).ok()
        stream.folder(at(place, "docs"))
        task = copy(Person(bed.nodes[0], key=bed.key), at(place, "docs"), bed.share if place == bed.ftp else bed.ftp)
        stream.wait_for("task", id=task["id"])


def refused(server):
    """The line with which a server that must not start ends."""
    done = run("serve", "--data", server.data, *(["--database", server.database] if server.database else []), "--listen", "127.0.0.1:0", "--config", server.write_settings())
    assert done.returncode == 1, done
    return done.stderr


def test_another_key_file_is_refused(bed, tmp_path):
    """What one has sealed, such as the password of a server, all must open."""
    node = Server(tmp_path / "other", bed.nodes[0].database, servers="several", **bed.homes)
    key = node.data / "secret.key"
    key.write_bytes(bytes(range(32)))
    key.chmod(0o600)
    assert "copy secret.key" in refused(node)
    bed.nodes.copy_key(node)
    node.start()
    assert Client(node, bed.key).list(bed.ftp).ok() == []
    node.stop()


def test_a_folder_that_only_has_the_same_path_is_not_served(bed):
    """As where the disk is not mounted on one of them: nothing is written to what lies there."""
    assert bed.one.list(bed.share).ok() == [] and bed.two.list(bed.share).ok() == []
    away = bed.shared.with_name(bed.shared.name + "-away")
    bed.shared.rename(away)
    bed.shared.mkdir()
    try:
        assert "not the same" in bed.two.list(bed.share).fails(502, 503)
        bed.two.upload(bed.share, form(("a.txt", b"a"))).fails(502, 503)
        assert list(bed.shared.iterdir()) == []
    finally:
        bed.shared.rmdir()
        away.rename(bed.shared)
    assert bed.two.list(bed.share).ok() == []


def test_another_bucket_is_refused(bed, object_store, tmp_path):
    """Its files would be missing on the other servers, and the other way round."""
    other = Server(tmp_path / "other", bed.nodes[0].database, servers="several", **object_store.new_bucket())
    bed.nodes.copy_key(other)
    assert "it has no mark" in refused(other)


@pytest.mark.parametrize("servers", ["one", "several"])
def test_a_bucket_of_another_catalog_is_refused(bed, postgres, object_store, tmp_path, servers):
    """Each catalog would take the objects of the other for garbage."""
    fresh = f"fresh_{time.monotonic_ns()}"
    other = Server(tmp_path / "other", postgres.new_database(fresh), servers=servers, **bed.homes)
    bed.nodes.copy_key(other)
    for _ in range(2):
        assert "in use by another catalog" in refused(other)
    other.settings.update(object_store.new_bucket())
    other.start()
    other.stop()
    other.settings.update(bed.homes)
    assert "it has another mark" in refused(other)


def test_files_on_a_disk_are_not_forgotten_for_a_bucket(build_server, object_store, account_on):
    """A server whose accounts have files on its disk may begin with a bucket: they stay where they are."""
    server = build_server(**({} if tiers.HOMES == "files" else {"home_store": "files"})).start()
    account = account_on(server)
    account.client.put("a.txt", b"a")
    server.stop()
    server.settings.update(object_store.new_bucket())
    server.start()
    assert Client(server, account.key).content("a.txt") == b"a"
    assert {home["username"]: home["store"] for home in server.cli_json("home", "list")}[account.name] == "files"
    server.stop()


def test_files_on_a_disk_keep_several_servers_out(postgres, object_store, tmp_path):
    """Until they are moved to where all servers can reach them."""
    server = Server(tmp_path / "one", postgres.new_database(f"moved_{time.monotonic_ns()}"), **object_store.new_bucket())
    server.settings["home_store"] = "files"
    server.start()
    name = server.add_account()
    client = Client(server, server.create_key(name)["key"])
    client.put("a.txt", b"a" * 10_000)
    server.stop()
    server.settings.update(servers="several", home_store="objects")
    assert "coffer home move --all --to objects" in refused(server)
    del server.settings["servers"]
    server.start()
    server.cli("home", "move", "--all", "--to", "objects")
    server.stop()
    server.settings["servers"] = "several"
    server.start()
    assert Client(server, client.key).content("a.txt") == b"a" * 10_000
    assert "alone" in server.cli("home", "move", "--all", "--to", "files", ok=False).stderr
    server.stop()


def test_an_upload_that_one_server_has_on_its_disk_is_not_lost(postgres, object_store, tmp_path):
    """It began while that server was alone. Another one leaves it as it is, and says who can go on."""
    homes = object_store.new_bucket()
    first = Server(tmp_path / "one", postgres.new_database(f"disk_{time.monotonic_ns()}"), **homes)
    first.settings["home_store"] = "files"
    first.start()
    name = first.add_account()
    tus = Tus(first, first.create_key(name)["key"])
    content = bytes(range(251)) * 4000
    place, other = tus.create(len(content), "large.bin"), tus.create(len(content), "removed.bin")
    for each in (place, other):
        tus.patch(each, 0, content[:600_000]).is_(204)
    first.cli("home", "move", "--all", "--to", "objects")
    first.stop()
    first.settings.update(servers="several", home_store="objects")
    second = Server(tmp_path / "two", first.database, servers="several", **homes)
    shutil.copy(first.data / "secret.key", second.data / "secret.key")
    second.start()
    try:
        assert "2 unfinished uploads" in second.log()
        elsewhere = Tus(second, tus.key)
        assert elsewhere.offset(place) == 600_000
        refused_there = elsewhere.patch(place, 600_000, content[600_000:]).is_(503, "unavailable")
        assert "another server" in refused_there.detail() and refused_there.headers["Retry-After"] == "10"
        elsewhere.delete(other).is_(204)
        first.start()
        tus.patch(place, 600_000, content[600_000:]).is_(204)
        assert Client(second, tus.key).content("large.bin") == content
        assert Client(second, tus.key).names() == ["large.bin"]
    finally:
        for server in (first, second):
            if server.running():
                server.stop()


def test_a_copy_of_a_data_folder_ends_no_other(bed, tmp_path):
    copy = Server(tmp_path / "copy", bed.nodes[0].database, servers="several", **bed.homes)
    for name in ("secret.key", "folder-id"):
        shutil.copy(bed.nodes[0].data / name, copy.data / name)
    assert "a copy of this data folder" in refused(copy)
    bed.one.upload("", form(("a.txt", b"a"))).ok()


def test_one_that_must_be_alone_keeps_out_and_is_kept_out(bed, tmp_path):
    alone = Server(tmp_path / "alone", bed.nodes[0].database, **bed.homes)
    assert "Another server uses this catalog" in refused(alone)
    sqlite = Server(tmp_path / "sqlite", servers="several", **bed.homes)
    assert "PostgreSQL" in refused(sqlite)
    assert "home_store" in refused(Server(tmp_path / "files", bed.nodes[0].database, servers="several"))


class SlowCopy:
    """A task of one server that waits for the server that it copies to."""

    def __init__(self, bed, node):
        self.person = Person(node, key=bed.key)
        self.id = copy(self.person, at(bed.share, "large"), bed.ftp)["id"]

    def state(self, person=None):
        return (person or self.person).ok("GET", f"tasks/{self.id}")["state"]


def test_what_the_dead_left_is_ended_and_what_others_do_goes_on(bed):
    """A task of a server that is killed is interrupted, and can be started again elsewhere; one of another goes on."""
    first, second = bed.nodes.nodes
    (bed.shared / "large").write_bytes(bytes(64 << 20))
    bed.remotes["ftp"].process.send_signal(signal.SIGSTOP)  # So both are under way.
    try:
        mine, lost = SlowCopy(bed, first), SlowCopy(bed, second)
        eventually(lambda: lost.state(mine.person) == "running", "the task to run")
        second.kill()
        eventually(lambda: lost.state(mine.person) == "interrupted", "the task to be interrupted")
        assert mine.state() in ("running", "waiting")
    finally:
        bed.remotes["ftp"].process.send_signal(signal.SIGCONT)
    assert "ending what a server left" in first.log()
    assert execute(first.database, "SELECT count(*) FROM runs") == ["1"]


def test_a_paused_server_is_not_taken_for_dead_and_goes_on(bed):
    first, second = bed.nodes.nodes
    second.send_signal(signal.SIGSTOP)
    try:
        before = execute(first.database, "SELECT beats FROM runs ORDER BY started_at LIMIT 1")
        eventually(lambda: int(execute(first.database, "SELECT beats FROM runs ORDER BY started_at LIMIT 1")[0])
                   > int(before[0]) + 6, "the other to look at the runs for longer than a silence")
        assert execute(first.database, "SELECT count(*) FROM runs") == ["2"]
    finally:
        second.send_signal(signal.SIGCONT)
    bed.two.upload(bed.share, form(("a.txt", b"again"))).ok()
    assert bed.one.content(at(bed.share, "a.txt")) == b"again"


def test_all_go_on_after_the_database_was_away(bed, postgres):
    for place in ("", bed.share, bed.ftp):
        bed.one.upload(place, form(("a.txt", b"a"))).ok()
    postgres.restart()
    for client in (bed.one, bed.two):
        eventually(lambda: client.list(bed.share).status == 200, "the server to answer again")
        for place in ("", bed.share, bed.ftp):
            client.upload(place, form(("a.txt", b"b"))).ok()
    assert execute(bed.nodes[0].database, "SELECT count(*) FROM runs") == ["2"]
    assert all(node.running() for node in bed.nodes.nodes)


def test_a_server_that_starts_again_ends_what_it_left_at_once(bed):
    first, second = bed.nodes.nodes
    second.kill()
    second.start()
    assert execute(first.database, "SELECT count(*) FROM runs") == ["2"]
    assert "counting files anew" in second.log()


def test_an_upload_goes_on_at_any_server(bed):
    """Its pieces come to one server or the other, also after one was killed, and the file is what was sent."""
    content = bytes(range(251)) * 80_000  # 20 MB: segments, and what is left over.
    clients = [Tus(node, bed.key) for node in bed.nodes.nodes]
    place = clients[0].create(len(content), "large.bin")
    sent = 0
    for number, size in enumerate((1000, 9 << 20, 300_000, 1, 4095)):
        clients[number % 2].patch(place, sent, content[sent:sent + size]).is_(204)
        sent += size
        assert clients[(number + 1) % 2].offset(place) == sent
    bed.nodes[1].kill()
    clients[0].patch(place, sent, content[sent:]).is_(204)
    assert bed.one.content("large.bin") == content
    assert bed.one.used() == len(content)


def test_a_request_of_a_removed_upload_leaves_the_next_with_its_key_alone(bed):
    """The creation that is sent again has the id of the first, which another server still receives."""
    one, two = (Tus(node, bed.key) for node in bed.nodes.nodes)
    ask = {"name": "a.bin", "headers": {"Idempotency-Key": "removed-and-made-anew"}}
    old, new = b"A" * 3_000_000, b"B" * 3_000_000
    for sent in (1, 1_500_000, len(old) - 1):
        place = one.create(len(old), **ask)
        with RawConnection(bed.nodes[0]) as slow:
            slow.send(head("PATCH", place, "Content-Type: application/offset+octet-stream", "Tus-Resumable: 1.0.0",
                           "Upload-Offset: 0", f"Content-Length: {len(old)}", "Expect: 100-continue", key=bed.key))
            assert slow.read_answer().status == 100
            slow.send(old[:sent])
            two.delete(place).is_(204)
            assert two.create(len(new), **ask) == place
            two.patch(place, 0, new[:10]).is_(204)
            slow.send(old[sent:])
            assert slow.read_answer().status not in (200, 204)
        assert two.head(place).is_(200).offset() == 10
        two.patch(place, 10, new[10:]).is_(204)
        assert bed.one.content("a.bin") == new
        two.delete(place)
        bed.one.delete("a.bin").ok()


def test_an_empty_file_that_two_servers_make_at_once_is_there(bed):
    clients = [Tus(node, bed.key) for node in bed.nodes.nodes]
    for number in range(20):
        def make(client):
            return client.ask_for(0, f"{number}.txt", headers={"Idempotency-Key": f"made-at-once-{number:010}"})
        with ThreadPoolExecutor(2) as threads:
            answers = list(threads.map(make, clients))
        assert {answer.status for answer in answers} <= {201, 503} and 201 in {answer.status for answer in answers}, answers
        assert f"{number}.txt" in bed.one.names()


def test_a_version_that_one_server_wrote_is_restored_by_the_other(bed):
    """After the first was killed, and what is used is counted."""
    first, second = bed.nodes.nodes
    one, two = bed.nodes.people(bed.key)
    for content in (b"1" * 10, b"2" * 5000, b"3" * 9_000_000):
        assert one.put("file", content).status_code in (201, 204)
    first.kill()
    versions = two.ok("GET", "versions?path=file")["entries"]
    assert [version["size"] for version in versions] == [5000, 10]
    assert two.call("POST", f"versions/{versions[0]['id']}/restore").status_code == 204
    assert two.content("file").content == b"2" * 5000
    newest, oldest = two.ok("GET", "versions?path=file")["entries"]
    assert two.call("GET", f"versions/{newest['id']}/content").content == b"3" * 9_000_000
    assert two.call("DELETE", f"versions/{oldest['id']}").status_code == 204
    eventually(lambda: bed.two.used() == 9_005_000, "the first one's writes to be counted")


def test_what_was_answered_is_there_after_a_kill(bed):
    """Each upload that a server said to have, by name and bytes, and no more is counted than that."""
    stop, stored, numbers = threading.Event(), [{}, {}], itertools.count()

    def store(number):
        client = Client(bed.nodes[number], bed.key)
        while not stop.is_set():
            name, content = f"{next(numbers)}.bin", os.urandom(random.choice((10, 4096, 4097, 200_000)))
            try:
                if client.upload("", form((name, content))).status == 200:
                    stored[number][name] = content
            except requests.RequestException:
                return

    writers = [threading.Thread(target=store, args=(number,)) for number in (0, 0, 1, 1)]
    for writer in writers:
        writer.start()
    eventually(lambda: len(stored[0]) > 20 and len(stored[1]) > 20, "some uploads")
    bed.nodes[1].kill()
    before = len(stored[0])
    eventually(lambda: len(stored[0]) > before + 10, "uploads beside the dead server")
    stop.set()
    for writer in writers:
        writer.join()
    for name, content in {**stored[0], **stored[1]}.items():
        assert bed.one.content(name) == content
    listed = sum(entry["size"] for entry in bed.one.list("").ok() if not entry["isDirectory"])
    eventually(lambda: bed.one.used() == listed, "the figure to be right again")


def test_garbage_is_what_no_file_has(bed, object_store):
    """Every object in the bucket has its row, and every object of a file is in the bucket."""
    for number in range(4):
        bed.one.upload("", form((f"{number}", os.urandom(9 << 20)))).ok()
    bed.one.make_folder("", "copies").ok()
    bed.two.copy("0", "copies").ok()
    bed.two.delete("1").ok()
    bed.two.upload("", form(("2", b"small"))).ok()
    database = bed.nodes[0].database
    rows = {row.replace("-", "") for row in execute(database, "SELECT id FROM objects")}
    live = {row.replace("-", "") for row in execute(database, "SELECT object FROM segments")}
    kept = {key.rsplit("/", 1)[-1] for key in object_store.objects(bed.homes)} - {"coffer-mark"}
    assert kept <= rows and live <= kept, (kept - rows, live - kept)
    assert len(live) >= 4
