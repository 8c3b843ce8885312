"""PostgreSQL that restarts, stands still, or is heard of no more, under a server that works."""

import contextlib
import os
import pathlib
import signal
import time

import pytest

from client import FILES, Client, form, multipart
from mounting import Call
from people import Person
from postgres import execute
from raw import RawConnection, head
from server import PATIENCE_S, Server, disk_bytes, eventually
from stopping import Stop

QUOTA = 100_000_000
SIZE = 48_000_000


@pytest.fixture
def database(postgres, request):
    return postgres.new_database(f"t{abs(hash(request.node.name))}")


@pytest.fixture
def start(tmp_path):
    """Starts servers on a database of the test's own, and ends them behind it."""
    started = []

    def one(url, has_folders_of=None, **settings):
        server = Server(tmp_path / f"server{len(started)}", url, **settings)
        if has_folders_of:  # Empty: without them the server would take a volume for not mounted.
            for home in has_folders_of.iterdir():
                (server.data / "files" / home.name).mkdir(parents=True)
        started.append(server.start())
        return server

    yield one
    for server in started:
        server.kill()


def begin_upload(account, size):
    """An upload whose quota is reserved and whose content is still to come; it, and the rest of the body."""
    content_type, body = multipart(form(("big", b"x" * size)))
    connection = RawConnection(account.server)
    connection.socket.settimeout(PATIENCE_S)
    connection.send(head("POST", FILES + "/upload", f"Content-Type: {content_type}", f"Content-Length: {len(body)}",
                         "Expect: 100-continue", key=account.key))
    assert connection.read_answer().status == 100
    return connection, body


@contextlib.contextmanager
def all_but_the_end(account, size):
    """An upload whose quota is reserved, and of whose body the server has taken all but the end; it, and the end."""
    connection, body = begin_upload(account, size)
    with connection:
        connection.send(body[:-10])
        eventually(connection.all_is_taken, "the body to be taken")
        yield connection, body[-10:]


def figures(database, account):
    """What is used and reserved, as the catalog has it."""
    row, = execute(database, "SELECT used_bytes, reserved_bytes FROM quota_usage u JOIN accounts a ON "
                                      f"a.id = u.account_id WHERE a.name = '{account.name}'")
    return tuple(map(int, row.split("|")))


def backends(database, condition="true"):
    """The processes that serve connections of Coffer to the database."""
    name = database.partition("?")[0].rpartition("/")[2]
    rows = execute(database, f"SELECT pid FROM pg_stat_activity WHERE datname = '{name}' AND pid <> "
                                      f"pg_backend_pid() AND ({condition})")
    return [int(row) for row in rows]


def holds_lock(database):
    """The processes that hold an advisory lock there."""
    return backends(database, "pid IN (SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted)")


def hold_row(database, account, until):
    """Keeps the account's figures locked until the database ends or `until` is there."""
    def hold():
        execute(database, "BEGIN; SELECT 1 FROM quota_usage WHERE account_id = (SELECT id FROM accounts WHERE "
                                   f"name = '{account.name}') FOR UPDATE; SELECT pg_sleep({PATIENCE_S})")
    call = Call(hold)
    eventually(lambda: backends(database, "query LIKE '%pg_sleep%' AND wait_event = 'PgSleep'"), until)
    return call


def test_what_was_shown_is_counted_although_the_database_restarts(postgres, database, start, account_on):
    """It restarts between showing a file and settling its quota."""
    server = start(database)
    account = account_on(server, str(QUOTA))
    connection, body = begin_upload(account, SIZE)
    with connection:
        hold_row(database, account, "the lock on the figures")
        connection.send(body)
        eventually(lambda: disk_bytes(account.root) == SIZE, "the file to be shown")
        eventually(lambda: backends(database, "wait_event_type = 'Lock'"), "the settlement to wait")
        postgres.restart()
        assert connection.read_answer().status == 200
    eventually(lambda: figures(database, account) == (SIZE, 0), "the figures to be written")
    assert account.client.used() == SIZE
    account.client.put("small", b"y" * 1000)
    assert account.client.used() == SIZE + 1000 == disk_bytes(account.root)
    account.client.delete("big").ok()
    eventually(lambda: figures(database, account) == (1000, 0), "the figures to be written")
    server.stop()


def test_what_an_upload_had_reserved_comes_back_although_the_database_was_away(postgres, database, start, account_on):
    server = start(database)
    account = account_on(server, str(QUOTA))
    connection, body = begin_upload(account, SIZE)
    with contextlib.ExitStack() as away:
        with connection:
            connection.send(body[:1000])
            away.enter_context(postgres.away())
        eventually(lambda: "The catalog failed" in server.log(), "the failure to be logged")
    eventually(lambda: figures(database, account) == (0, 0), "the reservation to be given back")
    server.stop()


def test_a_settlement_that_waits_when_its_line_breaks_counts_once(postgres, line, database, start, account_on):
    """The database goes on with it, and commits it behind the next one's back."""
    server = start(line.url(database))
    account = account_on(server, str(QUOTA))
    with all_but_the_end(account, SIZE) as (connection, end):
        hold_row(database, account, "the lock on the figures")
        connection.send(end)
        assert connection.read_answer().status == 200
    waiting, = eventually(lambda: backends(database, "wait_event_type = 'Lock'"), "the settlement to wait")
    line.cut()
    eventually(lambda: set(backends(database, "wait_event_type = 'Lock'")) > {waiting}, "the next one to wait for it")
    execute(database, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'PgSleep'")
    eventually(lambda: waiting not in backends(database), "the first one to end")
    eventually(lambda: figures(database, account) == (SIZE, 0), "the figures to be written")
    assert account.client.used() == SIZE == disk_bytes(account.root)
    account.client.delete("big").ok()
    eventually(lambda: figures(database, account) == (0, 0), "the figures to be written")
    server.stop()


def test_a_settlement_whose_commit_was_not_heard_of_counts_once(postgres, line, database, start, account_on):
    server = start(line.url(database))
    account = account_on(server, str(QUOTA))
    with all_but_the_end(account, SIZE) as (connection, end):
        line.cut_after_a_commit()
        connection.send(end)
        assert connection.read_answer().status == 200
    eventually(lambda: line.cuts == 1, "the commit of the figures")
    account.client.put("small", b"y" * 1000)
    assert account.client.used() == SIZE + 1000
    eventually(lambda: figures(database, account) == (SIZE + 1000, 0), "the figures to be written")
    server.stop()


def test_a_reservation_whose_commit_was_not_heard_of_is_given_back(postgres, line, database, start, account_on):
    server = start(line.url(database))
    account = account_on(server, str(QUOTA))
    line.cut_after_a_commit()
    account.client.upload("", form(("a", b"x" * 1000))).fails(503)  # Nothing was done.
    eventually(lambda: line.cuts == 1, "the commit of the figures")
    account.client.put("small", b"y" * 10)
    assert account.client.used() == 10
    eventually(lambda: figures(database, account) == (10, 0), "the reservation to be given back")
    server.stop()


FULL = ("CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''Kein Platz'' USING "
        "ERRCODE = ''53100''; END'; CREATE TRIGGER full_disk BEFORE UPDATE ON quota_usage FOR EACH ROW EXECUTE FUNCTION "
        "full_disk()")


def test_deleting_goes_on_while_the_database_has_no_room(database, start, account_on):
    server = start(database)
    account = account_on(server, str(QUOTA))
    account.client.put("a", b"x" * 1000)
    eventually(lambda: figures(database, account) == (1000, 0), "the figures to be written")
    execute(database, FULL)
    assert account.client.upload("", form(("b", b"y"))).fails(507) == "The disk is full."
    account.client.delete("a").ok()
    assert account.client.names() == []
    execute(database, "DROP TRIGGER full_disk ON quota_usage")
    eventually(lambda: figures(database, account) == (0, 0), "the figures to be written")
    server.stop()


# The deadline is the goal here; the limit is generous, and without one nothing ever ended.
def ends(server, call):
    started = time.monotonic()
    answer = call()
    assert answer.status == 503 and time.monotonic() - started < PATIENCE_S, answer
    assert "catalog" in answer.json()["error"] and answer.headers["Retry-After"] == "1", answer
    return answer


def test_a_database_that_ended_is_503_until_it_is_back(postgres, database, start, account_on):
    server = start(database)
    account = account_on(server)
    account.client.put("a", b"x" * 1000)
    person = Person(server, key=account.key)
    # Of a key that was just used, and with quota lent before, an upload needs no answer of the database.
    unused = account.client.with_key(server.create_key(account.name)["key"])
    with postgres.away():
        ends(server, lambda: unused.upload("", form(("b", b"x"))))
        answer = person.call("GET", "links")
        assert answer.status_code == 503 and answer.json()["code"] == "unavailable"
        assert answer.headers["Retry-After"] == "1"
    eventually(lambda: account.client.account().status == 200, "the server to work again")
    account.client.put("b", b"x" * 1000)
    server.stop()


def test_requests_end_when_the_database_is_heard_of_no_more(line, database, start, account_on):
    server = start(line.url(database))
    account = account_on(server)
    account.client.put("a", b"x" * 1000)
    line.stall()
    waiting = [Call(lambda: ends(server, account.client.with_key(account.key).account)) for _ in range(12)]
    for call in waiting:
        call.result()
    line.resume()
    eventually(lambda: account.client.account().status == 200, "the server to work again")
    account.client.put("b", b"x" * 1000)
    server.stop()


def test_requests_end_when_the_database_stands_still(postgres, database, start, account_on):
    server = start(database)
    account = account_on(server)
    account.client.put("a", b"x" * 1000)
    # Of keys that were just used, and with quota lent before, an upload needs no answer of the database.
    keys = [server.create_key(account.name)["key"] for _ in range(2)]
    # First the one that makes the others, of which none is then missed.
    stopped = [postgres.process.pid]
    os.kill(postgres.process.pid, signal.SIGSTOP)
    children = pathlib.Path(f"/proc/{postgres.process.pid}/task/{postgres.process.pid}/children").read_text()
    for process in map(int, children.split()):
        os.kill(process, signal.SIGSTOP)
        stopped.append(process)
    try:
        waiting = [Call(lambda: ends(server, account.client.with_key(keys[0]).account)),
                   Call(lambda: ends(server, lambda: account.client.with_key(keys[1]).upload("", form(("b", b"x")))))]
        for call in waiting:
            call.result()
    finally:
        for process in stopped:
            os.kill(process, signal.SIGCONT)
    eventually(lambda: account.client.account().status == 200, "the server to work again")
    account.client.put("b", b"x" * 1000)
    server.stop()


def test_a_start_ends_when_the_database_is_heard_of_no_more(line, database, start, tmp_path):
    line.stall()
    server = Server(tmp_path / "one", line.url(database))
    done = server.cli("account", "list", ok=False)
    assert done.returncode == 1 and len(done.stderr.splitlines()) == 1, done


def test_a_server_whose_lock_was_ended_goes_on_and_has_it_again(postgres, database, start, account_on):
    server = start(database)
    account = account_on(server, str(QUOTA))
    holder, = holds_lock(database)
    execute(database, f"SELECT pg_terminate_backend({holder})")
    eventually(lambda: holds_lock(database) not in ([], [holder]), "the lock to be held again")
    account.client.put("a", b"x" * 1000)
    assert account.client.used() == 1000
    second = Server(server.folder / "second", database)
    assert serve(second).returncode == 1
    postgres.restart()
    eventually(lambda: account.client.account().status == 200, "the server to work again")
    eventually(lambda: holds_lock(database), "the lock to be held again")
    account.client.put("b", b"x" * 1000)
    assert account.client.used() == 2000
    server.stop()


def serve(server):
    """Runs a server that is expected not to start."""
    return server.cli("serve", "--listen", "127.0.0.1:0", ok=False)


def test_a_server_whose_catalog_another_took_stops_and_writes_nothing(postgres, database, start, account_on):
    first = start(database)
    account = account_on(first, str(QUOTA))
    account.client.put("a", b"x" * 1000)
    connection, body = begin_upload(account, SIZE)
    first.send_signal(signal.SIGSTOP)
    holder, = holds_lock(database)
    execute(database, f"SELECT pg_terminate_backend({holder})")
    second = start(database, has_folders_of=account.root.parent)
    eventually(lambda: figures(database, account) == (0, 0), "its own folder, which is empty, to be counted")
    with connection:
        first.send_signal(signal.SIGCONT)
        connection.try_send(body)
    assert first.wait() == 1
    line = first.log().splitlines()[-1]
    assert "another" in line.lower() and "catalog" in line, line
    assert second.running() and figures(database, account) == (0, 0)
    second.stop()


def test_a_key_of_a_folder_that_was_deleted_while_the_database_was_away_opens_no_other_with_its_inode(
        postgres, database, start, account_on):
    server = start(database)
    account = account_on(server)
    account.client.make_folder("", "docs").ok()
    old = (account.root / "docs").stat().st_ino
    key = Client(server, account.client.create_key("k", "docs").ok()["key"])
    with contextlib.ExitStack() as away:
        with Stop(server, "renameat2", after=True) as stop:
            call = Call(lambda: account.client.delete("docs"))
            assert stop.wait(call)
            away.enter_context(postgres.away())
        call.result()
        eventually(lambda: account.root.stat().st_nlink == 2, "the folder to be away")
        make_with_inode(account.root / "docs", old)
    eventually(lambda: account.client.list().status == 200, "the catalog to be read again")
    key.list().fails(401)


def make_with_inode(path, inode):
    """A folder that has an inode which is free, where its file system gives inodes out again."""
    for number in range(1000):
        made = path.with_name(f"{path.name}-{number}")
        made.mkdir()
        if made.stat().st_ino == inode:
            break
    made.rename(path)
