"""What /health/ready says to a balancer: of the store of objects, of PostgreSQL, and of a server that is told to stop."""

import contextlib
import signal
import time

import pytest
import requests

from client import Client
from object_store import ObjectStore
from postgres import Postgres
from raw import RawConnection, head
from server import PATIENCE_S, eventually
from several import Nodes


@contextlib.contextmanager
def ended(thing):
    try:
        yield thing
    finally:
        (getattr(thing, "close", None) or thing.stop)()


@pytest.fixture(scope="module")
def bed(tmp_path_factory):
    """One server with what it needs, which tests take away."""
    with ended(Postgres()) as postgres, ended(ObjectStore()) as store:
        nodes = Nodes(tmp_path_factory.mktemp("ready"), postgres.new_database("ready"), 1, **store.new_bucket())
        yield nodes[0], postgres, store
        nodes.end()


def ready(server):
    """The status, and the reason where it is not ready."""
    answer = requests.get(server.url + "/health/ready", timeout=PATIENCE_S)
    return answer.status_code, answer.json().get("detail")


def is_ready(server):
    return ready(server) == (200, None)


def test_a_server_without_its_store_is_not_ready(bed):
    server, _, store = bed
    assert is_ready(server)
    store.server.stop()
    eventually(lambda: ready(server) == (503, "The store of objects does not answer."), "the store to be missed")
    assert requests.get(server.url + "/health/live", timeout=PATIENCE_S).status_code == 200
    store.server.start()
    eventually(lambda: is_ready(server), "the store to be found again")


def test_a_store_that_stands_still_is_told_in_time(bed):
    server, _, store = bed
    store.server.process.send_signal(signal.SIGSTOP)
    try:
        eventually(lambda: ready(server) == (503, "The store of objects does not answer."), "the store to be missed")
    finally:
        store.server.process.send_signal(signal.SIGCONT)
    eventually(lambda: is_ready(server), "the store to be found again")


def test_a_server_without_its_catalog_is_not_ready(bed):
    server, postgres, _ = bed
    with postgres.away():
        eventually(lambda: ready(server) == (503, "The catalog does not answer."), "the catalog to be missed")
    eventually(lambda: is_ready(server), "the catalog to be found again")


def test_many_questions_are_few_requests_to_the_store(bed):
    server, _, store = bed
    log = store.folder / "log"
    before, begun = log.read_text(errors="replace").count("probe/none"), time.monotonic()
    for _ in range(200):
        assert is_ready(server)
    asked = log.read_text(errors="replace").count("probe/none") - before
    assert asked <= 2 * (time.monotonic() - begun) + 2


def test_a_server_that_drains_serves_and_says_that_it_is_not_ready(own_server, account_on):
    server = own_server(drain_ms=600_000)
    account = account_on(server)
    account.client.put("a.txt", b"a")
    with RawConnection(server) as kept:
        kept.send(head("GET", "/api/v1/account", key=account.key)).read_answer().data()
        server.send_signal(signal.SIGTERM)
        eventually(lambda: ready(server) == (503, "The server is stopping."), "the server to drain")
        last = kept.send(head("GET", "/api/v1/account", key=account.key)).read_answer()
        assert last.status == 200 and last.headers["connection"] == "close"
    account.client.put("b.txt", b"b")
    assert Client(server, account.key).content("a.txt") == b"a"
    server.send_signal(signal.SIGTERM)  # Another one ends it at once.
    assert server.wait() == 0
    server.check_log()
