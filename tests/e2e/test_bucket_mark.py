"""Whose a bucket is: the catalog's whose mark it has. No other stores in it, takes its objects for garbage, or is given them."""

import re
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from client import Client, form
from drive_servers import rclone
from object_store import ObjectStore
from server import Server, eventually
from test_several_servers import refused

BYTES = b"a" * 1_000_000  # Too many to lie in the catalog.


@pytest.fixture
def new_catalog(postgres, tmp_path):
    """A server that has not been started on its catalog yet."""
    def make(**homes):
        name = f"marked_{time.monotonic_ns()}"
        return Server(tmp_path / name, postgres.new_database(name), **homes)

    return make


def client_on(server):
    return Client(server, server.create_key(server.add_account())["key"])


def test_a_bucket_whose_mark_is_gone_is_nobodys(new_catalog, object_store, tmp_path):
    """Its catalog does not take it for its own any more, and no other takes it for empty."""
    homes = object_store.new_bucket()
    one = new_catalog(**homes).start()
    client = client_on(one)
    client.put("a.bin", BYTES)
    one.stop()
    mark = f"there:{homes['objects_bucket']}/coffer-mark"
    rclone("deletefile", mark, parameters=object_store.server.remote())
    assert "it has objects, but no mark" in refused(new_catalog(**homes))
    line = refused(one)
    assert "it has no mark" in line
    (tmp_path / "mark").write_text(re.search(r"store the text ([0-9a-f]{32}) as the object coffer-mark", line)[1])
    rclone("copyto", tmp_path / "mark", mark, parameters=object_store.server.remote())
    one.start()
    assert client.content("a.bin") == BYTES
    one.stop()


def test_of_several_new_catalogs_one_gets_the_bucket(new_catalog, object_store):
    def starts(server):
        try:
            server.start()
        except AssertionError:
            return False
        return True

    for _ in range(3):
        homes = object_store.new_bucket()
        servers = [new_catalog(**homes) for _ in range(3)]
        for server in servers:
            server.add_account()  # Their catalogs are there, so that all come to the bucket at the same time.
        with ThreadPoolExecutor(len(servers)) as threads:  # A server ends with the thread that has started it.
            started = list(threads.map(starts, servers))
            assert started.count(True) == 1, started
            servers[started.index(True)].stop()
        for server, has_started in zip(servers, started):
            assert has_started or "in use by another catalog" in server.log()


@pytest.fixture
def stopped_store():
    """A store that does not run yet, and two buckets in it: of another catalog, and an empty one."""
    store = ObjectStore()
    buckets = store.new_bucket(), store.new_bucket()
    try:
        yield store, *buckets
    finally:
        store.close()


def test_a_store_that_was_away_is_looked_at_before_it_is_used(new_catalog, stopped_store):
    """A server that starts without its store waits for it, and then looks first whose the bucket is."""
    store, taken, empty = stopped_store
    owner = new_catalog(**taken).start()
    client_on(owner).put("a.bin", BYTES)
    objects = store.objects(taken)
    strangers = [new_catalog(**taken), new_catalog(**empty)]
    strangers[1].start()
    strangers[1].stop()
    strangers[1].settings.update(taken)
    friend = new_catalog(**store.new_bucket())
    store.server.stop()
    for server in (*strangers, friend):
        server.start()
    store.server.start()
    for server in strangers:
        client = client_on(server)
        text = {"in use by another catalog", "it has another mark"}
        eventually(lambda: any(each in server.log() for each in text) or client.upload("", form(("b.bin", BYTES))) is None,
                   "the server to look at the bucket")
        assert client.upload("", form(("b.bin", BYTES))).status == 503
        server.stop()
    client = client_on(friend)
    eventually(lambda: client.upload("", form(("b.bin", BYTES))).status == 200, "the store to be found again")
    friend.stop()
    assert store.objects(taken) == objects
    owner.stop()
