"""One server for each catalog and data folder, and what `check` does beside one and without."""

import socket

import pytest

from client import FILES
from raw import RawConnection, head
from server import Server, eventually
from tus import is_on_postgresql, sql

HEADROOM = 100_000_000


@pytest.fixture
def catalog(new_database, tmp_path):
    """The address of a catalog outside of any data folder."""
    return new_database(f"apart_{tmp_path.name}") or f"sqlite://{tmp_path}/apart.db"


@pytest.fixture
def first(catalog, tmp_path):
    server = Server(tmp_path / "first", catalog).start()
    yield server
    if server.running():
        server.stop()


def serve(server):
    """The one line with which a server that must not start ends."""
    done = server.cli("serve", "--listen", "127.0.0.1:0", ok=False)
    assert done.returncode == 1 and "listening" not in done.stderr, done
    line, = [line for line in done.stderr.splitlines() if line.strip()]
    return line


def begin_upload(account, announced):
    """An upload that announces so much and has sent nothing of it."""
    connection = RawConnection(account.server)
    connection.send(head("POST", FILES + "/upload", "Content-Type: multipart/form-data; boundary=b",
                         f"Content-Length: {announced}", "Expect: 100-continue", key=account.key))
    return connection


def test_a_second_server_on_the_same_catalog_is_refused(first, account_on, tmp_path):
    """Also one with a data folder of its own; what the first promised and does goes on."""
    account = account_on(first, str(HEADROOM))
    with begin_upload(account, 80_000_000) as upload:
        assert upload.read_answer().status == 100
        line = serve(Server(tmp_path / "second", first.database))
        assert str(first.process.pid) in line and socket.gethostname() in line and "catalog" in line, line
        with begin_upload(account, 80_000_000) as more:
            assert more.read_answer().status == 413
    account.client.put("a", b"x" * 1000)
    assert account.client.used() == 1000


def test_a_second_server_on_the_same_data_folder_is_refused_whatever_its_catalog(first, account_on, new_database, tmp_path):
    account_on(first)
    second = Server(tmp_path / "first", new_database(f"other_{tmp_path.name}") or f"sqlite://{tmp_path}/other.db")
    line = serve(second)
    assert str(first.process.pid) in line and str(first.data) in line, line
    assert not (tmp_path / "other.db").exists()


def test_a_link_to_the_catalog_is_the_same_catalog(tmp_path):
    (tmp_path / "link.db").symlink_to(tmp_path / "real.db")
    one = Server(tmp_path / "one", f"sqlite://{tmp_path}/real.db").start()
    line = serve(Server(tmp_path / "two", f"sqlite://{tmp_path}/link.db"))
    assert str(one.process.pid) in line
    one.stop()


def test_a_server_may_start_when_the_other_was_killed(first, tmp_path):
    first.kill()
    second = Server(tmp_path / "second", first.database).start()
    second.stop()


def make_older(server):
    """Takes the notes of changes of the schema away that no other server may run beside, as if the server were of an earlier
    version."""
    breaking = int(sql(server, "SELECT fact FROM shared_facts WHERE name = 'last_breaking_migration'")[0][0])
    sql(server, f"DELETE FROM schema_migrations WHERE version >= {breaking}")
    return version(server)


def version(server):
    return int(sql(server, "SELECT max(version) FROM schema_migrations")[0][0])


@pytest.mark.parametrize("has_own_folder", [False, True])
def test_a_second_serve_changes_no_schema(first, tmp_path, has_own_folder):
    older = make_older(first)
    line = serve(Server(tmp_path / ("second" if has_own_folder else "first"), first.database))
    assert str(first.process.pid) in line, line
    assert version(first) == older


def test_check_changes_no_schema_under_a_server(first):
    older = make_older(first)
    done = first.cli("check", ok=False)
    assert done.returncode == 1
    line, = done.stderr.splitlines()
    assert "schema" in line and str(first.process.pid) in line, line
    assert version(first) == older


def test_other_commands_leave_the_catalog_to_the_server(first):
    older = make_older(first)
    first.cli("account", "add", "zoe")
    assert [one["username"] for one in first.cli_json("account", "list")] == ["zoe"]
    assert version(first) == older


def test_a_command_of_another_data_folder_does_not_write_beside_a_server(first, account_on, tmp_path):
    """On SQLite, where the server keeps rows in memory; PostgreSQL is for several."""
    account_on(first)
    other = Server(tmp_path / "other", first.database)
    told = other.cli("account", "add", "zoe", ok=False)
    if is_on_postgresql(first):
        assert told.returncode == 0 and "zoe" in [one["username"] for one in first.cli_json("account", "list")]
    else:
        assert told.returncode == 1 and str(first.process.pid) in told.stderr, told


def kill_in_the_middle(server, account):
    """Ends the server while quota is reserved and a file is there that no figure knows."""
    account.client.put("a", b"x" * 1000)
    with begin_upload(account, 5_000_000) as upload:
        assert upload.read_answer().status == 100
        server.kill()
    (account.root / "b").write_bytes(b"y" * 500)


def reserved(server, account):
    (figure,), = sql(server, "SELECT reserved_bytes FROM quota_usage u JOIN accounts a ON a.id = u.account_id "
                             f"WHERE a.name = '{account.name}'")
    return float(figure)


def test_check_counts_anew_after_a_kill(first, account_on):
    account = account_on(first, str(HEADROOM))
    kill_in_the_middle(first, account)
    done = first.cli("check")
    assert "1500" in done.stdout and "0 problems" in done.stdout, done.stdout
    assert reserved(first, account) == 0
    assert "1500" in first.cli("check").stdout
    first.start()
    assert account.client.used() == 1500
    assert "did not stop cleanly" not in first.log()


def test_check_counts_anew_although_it_finds_problems(first, account_on):
    account = account_on(first, str(HEADROOM))
    kill_in_the_middle(first, account)
    (account.root / "odd\x01name").write_bytes(b"")
    assert first.cli("check", ok=False).returncode == 1
    first.start()
    assert account.client.used() == 1500


def test_check_beside_a_server_leaves_what_that_has_reserved(first, account_on):
    account = account_on(first, str(HEADROOM))
    with begin_upload(account, 80_000_000) as upload:
        assert upload.read_answer().status == 100
        done = first.cli("check", ok=False)
        assert done.returncode == 1 and "is being written to" in done.stdout, done
        with begin_upload(account, 80_000_000) as more:
            assert more.read_answer().status == 413
    account.client.put("a", b"x" * 1000)
    eventually(lambda: first.cli("check", ok=False).returncode == 0, "a check when all is quiet")


def test_check_mends_figures_that_are_broken(first, account_on):
    account = account_on(first)
    account.client.put("a", b"x" * 1000)
    first.stop()
    sql(first, "UPDATE quota_usage SET reserved_bytes = 9223372036854775807")
    first.cli("check")
    assert reserved(first, account) == 0
    first.start()
    account.client.put("b", b"x" * 1000)
    assert account.client.used() == 2000


def test_a_start_mends_figures_that_are_broken(first, account_on):
    account = account_on(first)
    first.stop()
    sql(first, "UPDATE quota_usage SET reserved_bytes = 9223372036854775807")
    first.start()
    account.client.put("b", b"x" * 1000)
    assert account.client.used() == 1000
