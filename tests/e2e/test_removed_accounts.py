"""What becomes of the files of an account that is removed: no other account ever gets them."""

import contextlib
import json
import sqlite3

import pytest

from client import Client
from server import Server, tree_of


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
    """The catalog as it was before homes had names of their own."""
    with contextlib.closing(sqlite3.connect(data / "catalog.sqlite")) as catalog, catalog:
        catalog.executescript("""
            DROP INDEX accounts_by_home;
            ALTER TABLE accounts DROP COLUMN home;
            DROP TABLE removed_homes;
            ALTER TABLE runs DROP COLUMN partial_tag;
            DROP TABLE ended_runs;
            DROP TABLE uploads;
            ALTER TABLE tasks DROP COLUMN sources;
            ALTER TABLE tasks DROP COLUMN on_conflict;
            ALTER TABLE tasks DROP COLUMN bytes_per_second;
            ALTER TABLE tasks DROP COLUMN skipped_count;
            ALTER TABLE tasks DROP COLUMN skipped;
            ALTER TABLE tasks DROP COLUMN is_forgotten;
            ALTER TABLE tasks DROP COLUMN stop_wanted;
            ALTER TABLE tasks DROP COLUMN error_code;
            DROP TABLE web_sessions;
            DROP TABLE sign_in_failures;
            DROP TABLE setup_token;
            DROP TABLE audit_events;
            ALTER TABLE accounts DROP COLUMN preferences;
            ALTER TABLE api_keys DROP COLUMN makers;
            ALTER TABLE api_keys DROP COLUMN read_only;
            ALTER TABLE api_keys DROP COLUMN expires_at;
            DROP TABLE links;
            DROP TABLE bin_items;
            DELETE FROM api_keys WHERE is_link = 1;
            ALTER TABLE api_keys DROP COLUMN is_link;
            DELETE FROM schema_migrations WHERE version >= 6;
        """)
