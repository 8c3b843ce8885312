"""Servers are replaced by those of the next release one by one, while the others serve."""

import pathlib
import subprocess
import threading
import time

import pytest
import requests

from client import Client, form
from postgres import ENVIRONMENT, PROGRAMS, execute
from server import BINARY, DIES_WITH_US, eventually
from several import Nodes

# The same program with one more migration, which adds (src/catalog/testing/9000_next.sql).
NEXT = str(pathlib.Path(BINARY).with_name("coffer_next"))


@pytest.fixture
def nodes(postgres, object_store, tmp_path):
    made = Nodes(tmp_path, postgres.new_database(f"upgraded_{time.monotonic_ns()}"), **object_store.new_bucket())
    yield made
    made.end()


class Load:
    """Callers of one server that store and read, until the block ends; none of their requests may fail."""

    def __init__(self, node, key):
        self.node, self.key, self.is_over, self.count = node, key, threading.Event(), 0
        self.failures = []
        self.threads = [threading.Thread(target=self.work, args=(number,)) for number in range(3)]

    def work(self, number):
        client = Client(self.node, self.key)
        while not self.is_over.is_set():
            content = f"{number} {self.count}".encode()
            try:
                client.upload("", form((f"{number}.txt", content))).ok()
                assert client.content(f"{number}.txt") == content
            except (AssertionError, requests.RequestException) as error:
                self.failures.append(repr(error))
            self.count += 1

    def more(self):
        aim = self.count + 10
        eventually(lambda: self.count >= aim, "some requests")

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        self.more()
        return self

    def __exit__(self, *_):
        self.more()
        self.is_over.set()
        for thread in self.threads:
            thread.join()


def schema_of(node):
    return int(execute(node.database, "SELECT max(version) FROM schema_migrations")[0])


def test_servers_of_two_releases_serve_beside_each_other(nodes):
    one, two = nodes[0], nodes[1]
    key = one.create_key(one.add_account())["key"]
    before = schema_of(one)
    with Load(one, key) as load:
        two.stop()
        two.binary = NEXT
        two.start()
        assert schema_of(one) == 9000 > before
        load.more()
        Client(two, key).upload("", form(("of the next.txt", b"next"))).ok()
        assert Client(one, key).content("of the next.txt") == b"next"
    assert load.failures == []
    one.kill()  # An earlier one that dies meanwhile comes back.
    one.start()
    assert Client(one, key).content("of the next.txt") == b"next"
    with Load(two, key) as load:
        one.stop()
        one.binary = NEXT
        one.start()
        load.more()
    assert load.failures == []


def test_an_upgrade_is_taken_back(nodes):
    one, two = nodes[0], nodes[1]
    key = one.create_key(one.add_account())["key"]
    two.stop()
    two.binary = NEXT
    two.start()
    Client(two, key).upload("", form(("a.txt", b"a"))).ok()
    two.stop()
    two.binary = BINARY
    two.start()
    assert Client(two, key).content("a.txt") == b"a"


def test_a_start_that_dies_while_it_adds_leaves_the_schema_as_it_was(nodes):
    one, two = nodes[0], nodes[1]
    key = one.create_key(one.add_account())["key"]
    before = schema_of(one)
    two.stop()
    two.binary = NEXT
    with Load(one, key) as load, Held(one.database):
        starting = threading.Thread(target=fails_to_start, args=(two,))
        starting.start()
        eventually(lambda: execute(one.database, WAITING) != ["0"], "it to wait for the table")
        load.more()  # Beside it, for a table that it wants for itself.
        two.process.kill()
        starting.join()
    assert load.failures == [] and schema_of(one) == before
    two.start()
    assert schema_of(one) == 9000


WAITING = "SELECT count(*) FROM pg_locks WHERE NOT granted AND mode = 'AccessExclusiveLock'"


def fails_to_start(node):
    with pytest.raises(AssertionError):
        node.start()


class Held:
    """A transaction that has read the accounts and does not end."""

    def __init__(self, database):
        self.database = database

    def __enter__(self):
        self.session = subprocess.Popen([*DIES_WITH_US, PROGRAMS / "psql", "-X", "-q", self.database], stdin=subprocess.PIPE,
                                        stdout=subprocess.DEVNULL, cwd="/", env=ENVIRONMENT)
        self.session.stdin.write(b"BEGIN; SELECT 1 FROM accounts;\n")
        self.session.stdin.flush()
        eventually(lambda: execute(self.database, HOLDERS) != ["0"], "the transaction to hold the table")

    def __exit__(self, *_):
        self.session.communicate(b"ROLLBACK;\n")


HOLDERS = ("SELECT count(*) FROM pg_stat_activity WHERE state = 'idle in transaction' AND query LIKE '%FROM accounts%' "
           "AND application_name = 'psql'")
