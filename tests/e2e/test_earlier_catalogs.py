"""A data folder of each earlier schema is served by this program, in one start; what it was is kept; later ones are refused."""

import hashlib
import pathlib
import random
import sqlite3
import subprocess
import time

import pytest

from client import Client
from earlier import BIN_FROM, DELETED, FILES, KEY, KEY_OF_BOB, KEY_OF_DOCS, LINK, ROWS, VERSIONS, digest_of, make_data
from people import Person
from server import BINARY, DIES_WITH_US, Server, clean_environment, run
from test_people_bin import bin_of
from test_people_tasks import do
from tiers import POSTGRESQL, WHOLE

pytestmark = pytest.mark.skipif(POSTGRESQL, reason="the catalogs are on SQLite")

NEXT = str(pathlib.Path(BINARY).with_name("coffer_next"))
EARLIER = VERSIONS[:-1]
# Each migration that adds to what was there, and the last ones; all of them in the whole tier.
DAILY = sorted({1, 2, 13, 14, 31, 44} | set(EARLIER[-3:]))


@pytest.fixture
def shared(tmp_path):
    folder = tmp_path / "shared"
    folder.mkdir()
    (folder / "photo.jpg").write_bytes(b"photo")
    return folder


@pytest.fixture
def earlier(tmp_path, shared):
    """A server on the data of an earlier version, not yet started."""
    def make(version):
        server = Server(tmp_path / f"schema{version}")
        make_data(server.data, version, shared)
        return server

    return make


def rows_of(catalog, query="SELECT max(version) FROM schema_migrations"):
    made = sqlite3.connect(f"file:{catalog}?mode=ro", uri=True)
    try:
        return made.execute(query).fetchall()
    finally:
        made.close()


def bytes_of(folder):
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(folder.glob("catalog*"))
            if path.suffix != ".lock"}  # Which tells who had it last.


def test_the_rows_are_of_the_secrets_that_the_tests_have():
    text = "".join(file.read_text() for file in ROWS.glob("*.sql"))
    assert all(digest_of(secret) in text for secret in (KEY, KEY_OF_DOCS, KEY_OF_BOB, LINK))


@pytest.mark.parametrize("version", EARLIER if WHOLE else DAILY)
def test_an_earlier_data_folder_is_served(earlier, version):
    server = earlier(version)
    assert rows_of(server.data / "catalog.sqlite") == [(version,)]
    server.start()
    ann, docs, bob = (Client(server, key) for key in (KEY, KEY_OF_DOCS, KEY_OF_BOB))
    assert ann.content("letter.txt") == FILES["ann/letter.txt"] and bob.content("b.txt") == FILES["bob/b.txt"]
    assert docs.names() == ["plan.txt"] and docs.content("plan.txt") == FILES["ann/docs/plan.txt"]
    if version >= 2:
        share, = [one for one in ann.locations().ok() if one["kind"] == "shared"]
        assert share["name"] == "Photos" and ann.content(share["path"] + "photo.jpg") == b"photo"
    if version >= BIN_FROM:
        person = Person(server, KEY)
        kept, = bin_of(person)
        do(person, "restore", [kept["id"]])
        assert ann.content("deleted.txt") == DELETED
    bob.put("new.txt", b"new")
    assert server.cli("check").returncode == 0
    server.stop()
    assert rows_of(server.data / "catalog.sqlite") == [(VERSIONS[-1],)]
    # What it was, for whoever goes back.
    kept = server.data / f"catalog.schema-{version}.sqlite"
    assert rows_of(kept) == [(version,)] and rows_of(kept, "SELECT name FROM accounts ORDER BY name") == [("ann",), ("bob",)]
    assert kept.stat().st_mode & 0o777 == 0o600


def test_only_the_last_copy_is_kept(earlier):
    server = earlier(EARLIER[0])
    (server.data / "catalog.schema-0.sqlite").write_bytes(b"of an earlier upgrade")
    (server.data / "catalog.schema-1.sqlite.part").write_bytes(b"of a start that was cut off")
    server.start()
    server.stop()
    assert [path.name for path in server.data.glob("catalog.*schema*")] == ["catalog.schema-1.sqlite"]


def test_a_new_catalog_leaves_no_copy(tmp_path):
    server = Server(tmp_path).start()
    server.stop()
    assert list(server.data.glob("catalog.*schema*")) == []


def test_a_later_catalog_is_refused_and_stays_as_it_is(tmp_path):
    server = Server(tmp_path)
    server.binary = NEXT
    server.start()
    server.add_account("ann")
    server.stop()
    before = bytes_of(server.data)
    for command in (["serve", "--listen", "127.0.0.1:0"], ["check"], ["account", "list"], ["backup", str(tmp_path / "backup")]):
        refused = run(*command, "--data", server.data)
        assert refused.returncode == 1, command
        assert f"schema 9000, which is newer than this program's {VERSIONS[-1]}" in refused.stderr
    assert bytes_of(server.data) == before
    server.start()
    server.stop()


def test_one_goes_back_with_the_catalog_that_was_kept(tmp_path):
    """As the guide to operation says it."""
    server = Server(tmp_path).start()
    key = server.create_key(server.add_account("ann"))["key"]
    Client(server, key).put("file.txt", b"content")
    server.stop()
    server.binary = NEXT
    server.start()
    server.stop()
    for end in ("", "-wal", "-shm"):
        (server.data / f"catalog.sqlite{end}").unlink(missing_ok=True)
    (server.data / f"catalog.schema-{VERSIONS[-1]}.sqlite").rename(server.data / "catalog.sqlite")
    server.binary = BINARY
    server.start()
    assert Client(server, key).content("file.txt") == b"content"
    server.stop()
    assert server.cli("check").returncode == 0


@pytest.mark.parametrize("moment", range(20 if WHOLE else 4))
def test_a_start_that_is_killed_while_it_migrates_leaves_a_catalog_that_the_next_one_takes(earlier, moment):
    """Whatever was done by then: all migrations are one transaction, and the copy appears whole."""
    server = earlier(1)
    catalog = sqlite3.connect(server.data / "catalog.sqlite")
    catalog.executemany("INSERT INTO api_keys VALUES (?, 1, 'many', 'earl', 'docs', ?, 1, NULL)",
                        ((f"{number:08}-0000-4000-8000-000000000000", f"{number:064x}") for number in range(20_000)))
    catalog.commit()
    catalog.close()
    killed = random.Random(moment).uniform(0, 0.25)
    process = subprocess.Popen([*DIES_WITH_US, BINARY, "serve", "--data", str(server.data), "--listen", "127.0.0.1:0"],
                               stderr=subprocess.DEVNULL, env=clean_environment())
    time.sleep(killed)
    process.kill()
    process.wait()
    copy = server.data / "catalog.schema-1.sqlite"
    version, = rows_of(server.data / "catalog.sqlite")[0]
    assert version in (1, VERSIONS[-1])
    assert not copy.exists() or rows_of(copy, "PRAGMA integrity_check") == [("ok",)]
    server.start()
    assert Client(server, KEY).content("letter.txt") == FILES["ann/letter.txt"]
    assert rows_of(server.data / "catalog.sqlite", "SELECT count(*) FROM api_keys WHERE name = 'many'") == [(20_000,)]
    server.stop()
