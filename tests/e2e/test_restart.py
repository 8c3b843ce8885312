"""Stopping, dying and starting again."""

import contextlib
import os
import signal
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
import requests

from client import FILES, form, multipart
from guests import begin_upload, guest_of, offset_of, send, share
from mounting import Call
from people import Person
from raw import RawConnection, head
from server import DIES_WITH_US, PATIENCE_S, disk_bytes, eventually, run, tree_of
from stopping import Stop
from tus import sql

UPLOAD = FILES + "/upload"


def test_everything_survives_a_restart(own_server, account_on):
    server = own_server()
    account = account_on(server, "10MiB", "--display-name", "Ada")
    account.client.make_folder("docs", "sub").ok()
    account.client.put("docs/a.txt", b"hello")
    scoped = account.client.scoped("docs", "scoped one")
    scoped.list().ok()
    dead = account.client.create_key("dead").ok()
    account.client.revoke(dead["id"]).ok()
    gone = account.client.scoped("docs/sub")
    account.client.delete("docs/sub").ok()
    before = account.client.account().ok()
    server.stop()
    server.start()
    assert account.client.account().ok() == before
    assert account.client.content("docs/a.txt") == b"hello" and scoped.content("a.txt") == b"hello"
    account.client.with_key(dead["key"]).account().fails(401)
    gone.account().fails(401)
    keys = {key["name"]: key for key in account.client.keys().ok()}
    assert set(keys) == {"test", "scoped one"}
    # Uses are written behind, but no later than at a clean stop.
    assert keys["scoped one"]["lastUsedAt"] is not None


def test_requests_before_the_stop_finish_and_new_connections_are_refused(own_server, account_on):
    server = own_server()
    account = account_on(server)
    content = os.urandom(48 << 20)
    account.client.put("big", content)
    with account.client.stream("big") as response:
        first = response.raw.read(1000)
        server.send_signal(signal.SIGTERM)
        eventually(lambda: refuses(server), "the port to be closed")
        assert first + response.raw.read() == content
    assert server.wait() == 0


def refuses(server):
    try:
        RawConnection(server).close()
    except (ConnectionRefusedError, ConnectionResetError):  # Reset: it was in the queue of the closing listener.
        return True
    return False


def test_an_upload_that_runs_at_the_stop_finishes(own_server, account_on):
    server = own_server()
    account = account_on(server)
    content_type, body = multipart(form(("a", b"x" * 500_000)))
    with RawConnection(server) as connection:
        connection.send(head("POST", UPLOAD, f"Content-Type: {content_type}", f"Content-Length: {len(body)}",
                             "Expect: 100-continue", key=account.key))
        assert connection.read_answer().status == 100
        connection.send(body[:1000])
        server.send_signal(signal.SIGTERM)
        eventually(lambda: refuses(server), "the port to be closed")
        assert connection.send(body[1000:]).read_answer().data()["count"] == 1
    assert server.wait() == 0
    server.start()
    assert account.client.content("a") == b"x" * 500_000


def test_what_does_not_finish_in_time_is_cut_off(own_server, account_on):
    server = own_server(stop_timeout_ms=200)
    account = account_on(server)
    (account.root / "big").write_bytes(b"x" * (64 << 20))
    with RawConnection(server) as connection:
        connection.send(head("GET", f"{FILES}/download?path=big", key=account.key))
        assert connection.reader.readline().startswith(b"HTTP/1.1 200")
        server.send_signal(signal.SIGTERM)
        assert server.wait() == 0
    server.start()
    account.client.account().ok()


def test_what_a_delete_that_is_cut_off_had_freed_is_counted(own_server, account_on):
    server = own_server(stop_timeout_ms=300)
    account = account_on(server)
    account.client.make_folder("", "folder").ok()
    account.client.put("folder/file", b"x" * 5000)
    assert account.client.used() == 5000
    with Stop(server, "getdents64") as stop:
        delete = Call(lambda: account.client.delete("folder"))
        assert stop.wait(delete)
        server.send_signal(signal.SIGTERM)
        eventually(lambda: "cut off" in server.log(), "the stop to cut it off")
    delete.ended()  # What it had begun goes on.
    assert server.wait() == 0
    server.start()
    assert account.client.names() == []
    eventually(lambda: account.client.used() == 0, "the count")


def counted_slowly(folder):
    """In front of a server: it reads this folder for ever. It dies with what holds it."""
    return ("strace", "-f", "-o", "/dev/null", "-P", str(folder), "-e", "trace=getdents64", "-e",
            "inject=getdents64:delay_enter=3600s:when=1+", *DIES_WITH_US)


def test_a_start_serves_while_files_are_counted(build_server, account_on):
    server = build_server().start()
    limited, other = account_on(server, "1MiB"), account_on(server)
    for account in (limited, other):
        account.client.put("a", b"x" * 5000)
    server.kill()
    (limited.root / "by hand").write_bytes(b"y" * 77)
    server.in_front = counted_slowly(limited.root)
    server.start()
    other.client.put("b", b"x" * 5000)
    assert other.client.names() == ["a", "b"]
    eventually(lambda: other.client.used() == 10_000, "the count of the other")
    assert limited.client.content("a") == b"x" * 5000 and limited.client.used() == 5000
    limited.client.rename("a", "renamed").ok()
    # No byte is reserved on a figure that may be wrong.
    upload = Call(lambda: limited.client.put("b", b"z"))
    other.client.put("c", b"x")  # What is asked later is served meanwhile.
    assert upload.is_alive() and not (limited.root / "b").exists()
    server.kill()
    assert upload.ended().answer is None
    assert not (limited.root / "b").exists()
    server.in_front = ()
    server.start()
    limited.client.put("b", b"z")
    assert limited.client.used() == 5078
    server.stop()
    server.start()
    assert "counting" not in server.log().rpartition("listening")[0].rpartition("listening")[2]
    server.stop()


def guest_for(account):
    """Of a link by which files are sent into its folder `drop`."""
    account.client.make_folder("", "drop").ok()
    person = Person(account.server, key=account.key)
    return guest_of(person, share(person, "drop", mode="upload"))


def test_what_guests_send_waits_for_the_count_too(build_server, account_on):
    server = build_server().start()
    limited, other = account_on(server, "1MiB"), account_on(server)
    guest, other_guest = guest_for(limited), guest_for(other)
    made = begin_upload(guest, 5)
    assert made.status_code == 201
    server.kill()
    sql(server, "UPDATE quota_usage SET used_bytes = 1048576")  # Wrong: it is empty.
    server.in_front = counted_slowly(limited.root)
    server.start()
    sending = Call(lambda: send(guest, made, 0, b"12345"))
    assert other_guest.upload(b"12345", filename="f")[1].status_code == 204  # What is asked later is served meanwhile.
    assert sending.is_alive()
    server.kill()
    assert sending.ended().answer is None
    server.in_front = ()
    server.start()
    assert offset_of(guest, made) == 0
    assert send(guest, made, 0, b"12345").status_code == 204
    assert limited.client.content("drop/f") == b"12345"
    server.stop()


def test_interrupt_from_the_terminal_stops_cleanly_too(own_server):
    server = own_server()
    server.send_signal(signal.SIGINT)
    assert server.wait() == 0


def test_idle_connections_do_not_hold_up_a_stop(own_server, account_on):
    server = own_server(stop_timeout_ms=600_000)
    account = account_on(server)
    with RawConnection(server) as unused, RawConnection(server) as idle:
        idle.send(head("GET", "/api/v1/account", key=account.key)).read_answer().data()
        server.stop()
        assert unused.is_closed() and idle.is_closed()


def test_a_second_server_on_the_same_data_is_refused(own_server, account_on):
    server = own_server()
    account = account_on(server)
    options = ["--database", server.database] if server.database else []
    second = run("serve", "--data", server.data, "--listen", "127.0.0.1:0", *options)
    assert second.returncode != 0
    lines = [line for line in second.stderr.splitlines() if line.strip()]
    assert "listening" not in second.stderr and str(server.data) in lines[-1]
    account.client.account().ok()
    server.stop()
    server.start()


def content_of(worker, number):
    return f"{worker}-{number};".encode() * (4000 * (1 + number % 5))


def possible_contents(path):
    """What an upload in the test below may have left under a name, if it is whole."""
    if path.name != "over":
        worker, number, _ = path.name.split("-")
        return [content_of(int(worker), int(number))]
    start = path.read_bytes()[:40].split(b";")[0]
    if b"-" not in start:
        return [b"0" * 200_000]
    return [content_of(*map(int, start.split(b"-")))]


@pytest.mark.parametrize("round_number", range(4))
def test_kill_during_uploads(own_server, account_on, round_number):
    """Whatever was answered is there, whole; nothing is torn; the quota is the disk's; staging is empty."""
    server = own_server()
    account = account_on(server, "1GiB")
    account.client.put("over", b"0" * 200_000)
    server.stop()
    server.start()
    elsewhere = server.files_elsewhere()
    acknowledged, dead = {}, threading.Event()
    enough = threading.Semaphore(0)

    def write(worker):
        client = account.client.with_key(account.key)
        number = 0
        while not dead.is_set():
            number += 1
            names = [f"{worker}-{number}-{part}" for part in range(2)]
            content = content_of(worker, number)
            try:
                client.upload("", form(*((name, content) for name in names), ("over", content))).ok()
            except (requests.RequestException, OSError):
                return
            acknowledged.update(dict.fromkeys(names, content))
            enough.release()

    with ThreadPoolExecutor(4) as pool:
        writers = [pool.submit(write, worker) for worker in range(4)]
        for _ in range(3 + 5 * round_number):
            assert enough.acquire(timeout=PATIENCE_S)
        server.kill()
        dead.set()
        for writer in writers:
            writer.result()
    server.start()
    used = eventually(lambda: account.client.used() == disk_bytes(account.root) and account.client.used(), "the recount")
    for name, content in acknowledged.items():
        assert (account.root / name).read_bytes() == content
    for path in account.root.iterdir():
        assert path.read_bytes() in possible_contents(path), path
    eventually(lambda: extra_files(server, elsewhere) == set(), "an empty staging area")
    account.client.put("after", b"x" * 1000)
    assert account.client.used() == used + 1000 == disk_bytes(account.root)


def extra_files(server, before):
    """Files beside the accounts' that were not there before, the database's own left out."""
    return {name for name in server.files_elsewhere() - before
            if not name.endswith(("-wal", "-shm", "-journal", ".lock"))}


def test_kill_during_copies_and_deletes(own_server, account_on):
    server = own_server()
    account = account_on(server, "1GiB")
    for folder in range(4):
        account.client.make_folder("tree", f"{folder}").ok()
        account.client.upload(f"tree/{folder}", form(*((f"{i}", b"x" * 1000) for i in range(50)))).ok()
    started = threading.Semaphore(0)

    def work(worker):
        client = account.client.with_key(account.key)
        try:
            for turn in range(1000):
                client.make_folder("", f"to{worker}-{turn}").ok()
                started.release()
                client.copy("tree", f"to{worker}-{turn}").ok()
                if turn % 2:
                    client.delete(f"to{worker}-{turn}").ok()
        except (requests.RequestException, OSError):
            return

    with ThreadPoolExecutor(3) as pool:
        workers = [pool.submit(work, worker) for worker in range(3)]
        for _ in range(12):
            assert started.acquire(timeout=PATIENCE_S)
        server.kill()
        for worker in workers:
            worker.result()
    server.start()
    eventually(lambda: account.client.used() == disk_bytes(account.root), "the recount")
    for path in account.root.iterdir():
        trees = [path] if path.name == "tree" else shown_in(path)
        for tree in trees:  # A copy is there whole or not at all.
            assert sum(file.is_file() for file in tree.rglob("*")) == 200, tree
    assert account.client.names("tree") == ["0", "1", "2", "3"]


def shown_in(folder):
    """What anybody can see there: where a copy begins, a crash leaves an empty folder out of sight."""
    return [item for item in folder.iterdir() if not item.name.startswith(".coffer-part-")]


def test_a_kill_as_a_copy_begins_leaves_nothing_that_shows_or_stays(own_server, account_on):
    server = own_server()
    account = account_on(server)
    for folder in ("tree", "to"):
        account.client.make_folder("", folder).ok()
    account.client.put("tree/a", b"x")
    with Stop(server, "renameat2") as stop:  # It takes the new folder to where the copy is collected.
        call = Call(lambda: account.client.copy("tree", "to"))
        assert stop.wait(call)
        stop.kill_server()
    with contextlib.suppress(requests.RequestException):
        call.result()
    left, = (account.root / "to").iterdir()
    assert shown_in(account.root / "to") == [] and list(left.iterdir()) == []
    server.start()
    assert account.client.names("to") == []
    eventually(lambda: not left.exists(), "what was left to be removed")


def test_the_figure_is_true_after_a_kill_beside_changes_by_hand(own_server, account_on):
    server = own_server()
    account = account_on(server)
    account.client.put("a", b"x" * 1000)
    server.kill()
    (account.root / "b").write_bytes(b"y" * 500)
    server.start()
    eventually(lambda: account.client.used() == 1500, "the recount")


def test_a_port_that_is_taken_is_one_clear_line(own_server, tmp_path):
    server = own_server()
    second = run("serve", "--data", tmp_path / "other", "--listen", f"127.0.0.1:{server.port}")
    assert second.returncode != 0 and str(server.port) in second.stderr.splitlines()[-1]


def test_files_lie_in_the_open(own_server, account_on):
    server = own_server()
    account = account_on(server)
    account.client.make_folder("", "d").ok()
    account.client.put("d/a.txt", b"plain")
    assert account.root.parent == server.data / "files" and account.root.name.startswith(f"{account.name}-")
    assert tree_of(account.root) == {"d/", "d/a.txt"}
    assert (account.root / "d/a.txt").read_bytes() == b"plain"
