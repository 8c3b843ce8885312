"""What becomes of the files of an account that is removed: no other account ever gets them."""

import contextlib
import json
import sqlite3

import pytest

from client import Client
from server import REPOSITORY, Server, tree_of

MIGRATIONS = REPOSITORY / "src/catalog/migrations"


@pytest.fixture
def own(own_server):
    return own_server()


@pytest.fixture
def ada(own, account_on):
    account = account_on(own)
    account.client.put("diary", b"secret")
    account.client.make_folder("", "d").ok()
    return account


def add_again(account):
    account.server.add_account(account.name)
    return Client(account.server, account.server.create_key(account.name)["key"])


def test_a_new_account_of_the_name_gets_no_file_of_the_old_one(own, ada):
    own.cli("account", "remove", ada.name)
    client = add_again(ada)
    assert client.names() == [] and client.used() == 0
    client.put("new", b"x")
    assert own.files_of(ada.name) != ada.root
    assert (ada.root / "diary").read_bytes() == b"secret" and tree_of(ada.root) == {"diary", "d/"}


def test_nor_after_several_times_and_a_restart(own, ada):
    homes = {ada.root}
    for _ in range(3):
        own.cli("account", "remove", ada.name)
        own.stop()
        own.start()
        assert add_again(ada).names() == []
        homes.add(own.files_of(ada.name))
    assert len(homes) == 4


def test_removing_says_where_the_files_stay(own, ada):
    told = own.cli("account", "remove", ada.name).stdout
    assert ada.name in told and str(ada.root) in told and told.count("\n") == 1
    assert (ada.root / "diary").exists()
    other = own.add_account()
    root = own.files_of(other)
    told = json.loads(own.cli("account", "remove", other, "--json").stdout)
    assert told == {"removed": other, "homeFolder": str(root), "purged": False}


def test_purging_deletes_them(own, ada):
    (ada.root / "locked/deep").mkdir(parents=True)
    (ada.root / "locked/deep/file").write_bytes(b"x")
    (ada.root / "locked/deep").chmod(0o500)
    (ada.root / "locked").chmod(0o500)
    (ada.root / "elsewhere").symlink_to(own.folder)
    told = own.cli("account", "remove", ada.name, "--purge").stdout
    assert ada.name in told and "all its files" in told
    assert not ada.root.exists() and own.config_file.exists()
    assert not [name for name in tree_of(own.data) if name.rstrip("/").endswith(ada.root.name)]
    ada.client.list().fails(401)
    assert add_again(ada).names() == [] and own.files_of(ada.name) != ada.root
    own.stop()
    own.start()


def test_what_was_kept_is_no_problem_for_the_check_but_strangers_are(own, ada):
    own.cli("account", "remove", ada.name)
    shown = own.cli("check").stdout
    line, = [line for line in shown.splitlines() if ada.root.name in line]
    assert ada.name in line and "removed" in line and "0 problems" in shown
    (own.data / "files/stranger").mkdir()
    shown = own.cli("check", ok=False)
    assert shown.returncode == 1 and "files/stranger belongs to no account" in shown.stdout


@pytest.fixture
def own_with_a_file(tmp_path):
    """A server whose catalog is a file, whichever database the others have."""
    server = Server(tmp_path).start()
    yield server
    if server.running():
        server.stop()


def test_accounts_of_an_older_version_keep_their_folders(own_with_a_file, account_on):
    """Their folder has the account's name alone."""
    own = own_with_a_file
    ada = account_on(own)
    ada.client.put("diary", b"secret")
    ada.client.make_folder("", "d").ok()
    own.stop()
    older = own.data / "files" / ada.name
    ada.root.rename(older)
    downgrade(own.data)
    own.start()
    assert own.files_of(ada.name) == older
    assert set(ada.client.names()) == {"diary", "d"} and ada.client.used() == 6
    own.cli("account", "remove", ada.name)
    assert add_again(ada).names() == [] and (older / "diary").exists()
    assert "0 problems" in own.cli("check").stdout


def downgrade(data):
    """The catalog as it was before homes had names of their own: what its tables had then of what they have now."""
    (data / "catalog.sqlite").rename(data / "newer.sqlite")
    with contextlib.closing(sqlite3.connect(data / "catalog.sqlite")) as catalog:
        catalog.executescript("CREATE TABLE schema_migrations (version BIGINT NOT NULL PRIMARY KEY, applied_at BIGINT NOT NULL);")
        for migration in sorted(MIGRATIONS.glob("*.sql"))[:5]:
            catalog.executescript(migration.read_text())
        catalog.execute("ATTACH ? AS newer", [str(data / "newer.sqlite")])
        for table, in catalog.execute("SELECT name FROM main.sqlite_master WHERE type = 'table'").fetchall():
            columns = ", ".join(row[1] for row in catalog.execute(f"PRAGMA main.table_info({table})"))
            catalog.execute(f"DELETE FROM main.{table}")
            catalog.execute(f"INSERT INTO main.{table} ({columns}) SELECT {columns} FROM newer.{table}")
        catalog.execute("DELETE FROM main.schema_migrations WHERE version > 5")
        catalog.commit()
    (data / "newer.sqlite").unlink()
