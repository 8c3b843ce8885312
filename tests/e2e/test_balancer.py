"""Three servers behind HAProxy, with the file of deploy/systemd: people and programs work while servers stop and die."""

import contextlib
import http.client
import itertools
import os
import threading
import time

import pytest
import requests

from client import Client
from event_stream import EventStream, by_key
from haproxy import Balancer
from object_store import ObjectStore
from server import PATIENCE_S, eventually
from several import Nodes
from tus import Tus

# More than two looks of HAProxy, a second apart, and what they take: as deploy/systemd/coffer.toml has it.
DRAIN_MS = 5000


@pytest.fixture(scope="module")
def store():
    """Not that of other modules, since a test takes it away."""
    made = ObjectStore()
    yield made
    made.close()


class Bed:
    def __init__(self, folder, database, homes):
        self.nodes = Nodes(folder, database, 3, trusted_proxies=["127.0.0.1"], drain_ms=DRAIN_MS, **homes)
        for node in self.nodes.nodes:
            node.wanted_port = node.port  # Also after it has started again.
        self.balancer = Balancer(folder / "balancer", self.nodes.nodes)
        self.account = self.nodes[0].add_account()
        self.key = self.nodes[0].create_key(self.account)["key"]
        self.client = Client(self.balancer, self.key)
        self.balancer.trusted(self.client.session)
        self.all_are_up()

    def all_are_up(self):
        eventually(lambda: all(map(self.balancer.is_up, range(3))), "all servers to be up")

    def end(self):
        self.balancer.stop()
        self.nodes.end()


@pytest.fixture
def bed(postgres, store, tmp_path):
    made = Bed(tmp_path, postgres.new_database(f"balanced_{time.monotonic_ns()}"), store.new_bucket())
    yield made
    made.end()


class Load:
    """Callers that read a file and store small ones through the balancer, each with a connection that it keeps for ten
    requests, until the block ends. `failures` are requests without the answer that they should have; each is made again, and
    `lost` are those for which that did not help. `stored` are the contents that were acknowledged."""

    def __init__(self, bed, callers=6):
        self.bed, self.is_over, self.numbers = bed, threading.Event(), itertools.count()
        self.failures, self.lost, self.stored, self.counts = [], [], {}, {"GET": 0, "PUT": 0}
        self.content = os.urandom(50_000)
        bed.client.put("read.bin", self.content)
        self.threads = [threading.Thread(target=self.work, args=(number,)) for number in range(callers)]

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.is_over.set()
        for thread in self.threads:
            thread.join(PATIENCE_S)

    def connection(self):
        balancer = self.bed.balancer
        return http.client.HTTPSConnection("localhost", balancer.port, timeout=PATIENCE_S, context=balancer.tls)

    def work(self, number):
        for turn in itertools.count(number):
            with contextlib.closing(self.connection()) as connection:
                for _ in range(10):
                    if self.is_over.is_set():
                        return
                    self.until_it_works(connection, "GET" if turn % 2 else "PUT")

    def until_it_works(self, connection, method):
        name, content = (f"{next(self.numbers)}.bin", os.urandom(3000)) if method == "PUT" else ("read.bin", None)
        for _ in range(20):
            failure = self.failure_of(connection, method, name, content)
            if failure is None:
                self.counts[method] += 1
                if content:
                    self.stored[name] = content
                return
            self.failures.append((method, *failure))
            connection.close()  # It opens anew with the next request.
        self.lost.append((method, name))

    def failure_of(self, connection, method, name, content):
        try:
            connection.request(method, f"/api/v2/files/content?path={name}", content, {"X-API-Key": self.bed.key})
            answer = connection.getresponse()
            body = answer.read()
        except (OSError, http.client.HTTPException) as error:
            return (repr(error),)
        is_right = answer.status in (200, 201, 204) if content else answer.status == 200 and body == self.content
        return None if is_right else (answer.status, body[:200])

    def more(self, count):
        """Until so many more requests have ended well."""
        aim = sum(self.counts.values()) + count
        eventually(lambda: sum(self.counts.values()) >= aim, "some requests")

    def all_is_there(self):
        assert self.lost == [] and len(self.stored) > 100 and self.counts["GET"] > 100
        for name, content in self.stored.items():
            assert self.bed.client.content(name) == content


def test_no_request_fails_while_each_server_is_restarted(bed):
    with Load(bed) as load:
        load.more(50)
        for number, node in enumerate(bed.nodes.nodes):
            node.stop()
            assert not bed.balancer.is_up(number), "it has seen it while the server drained"
            load.more(100)
            node.start()
            bed.all_are_up()
            load.more(50)
    assert load.failures == []
    load.all_is_there()


class TusBehindBalancer(Tus):
    """An answer of the balancer itself, such as 502 when a server died, has nothing of Coffer's."""

    def checked(self, answer):
        return answer if answer.headers["Content-Type"] == "text/html" else super().checked(answer)


class Upload(threading.Thread):
    """A file in pieces, which asks how far it is after each failure, as clients of tus do."""

    def __init__(self, bed, name):
        super().__init__()
        self.tus, self.content = TusBehindBalancer(bed.balancer, bed.key), os.urandom(6 << 20)
        self.place = self.tus.create(len(self.content), name)
        self.sent = 0

    def run(self):
        end = time.monotonic() + PATIENCE_S
        while self.sent < len(self.content) and time.monotonic() < end:
            with contextlib.suppress(OSError, http.client.HTTPException):
                answer = self.tus.patch(self.place, self.sent, self.content[self.sent:self.sent + 60_000])
                if answer.status == 204:
                    self.sent = answer.offset()
                    continue
                answer = self.tus.head(self.place)
                self.sent = answer.offset() if answer.status == 200 else self.sent


class Listener(threading.Thread):
    """Whoever listens to a folder, and connects again when the connection ends. `heard` counts what it is told."""

    def __init__(self, bed):
        super().__init__(daemon=True)
        self.bed, self.is_over, self.heard, self.connected = bed, False, 0, 0

    def run(self):
        while not self.is_over:
            with contextlib.suppress(OSError, ValueError, AssertionError, IndexError):
                with EventStream(self.bed.balancer, by_key(self.bed.key), "") as stream:
                    self.connected += 1
                    while (block := stream._block()) is not False:
                        self.heard += block is not None


def test_a_server_that_dies_loses_nothing(bed):
    """What was acknowledged is there; what was under way works when it is done again; uploads in pieces and events go on."""
    listener, upload = Listener(bed), Upload(bed, "large.bin")
    listener.start()
    upload.start()
    with Load(bed) as load:
        for number, node in enumerate(bed.nodes.nodes):
            load.more(50)
            node.kill()
            eventually(lambda: not bed.balancer.is_up(number), "the balancer to see it")
            heard = listener.heard
            load.more(60)
            eventually(lambda: listener.heard > heard, "an event after that")
            node.start()
            bed.all_are_up()
    upload.join(PATIENCE_S)
    assert bed.client.content("large.bin") == upload.content
    assert listener.connected >= 2, "the server of the stream has died"
    load.all_is_there()
    assert len(load.failures) <= 3 * 6, "only what was under way at a server that died"
    listener.is_over = True


def test_where_no_server_is_ready_those_that_live_do_what_they_can(bed, store):
    """As while the store is away for all: names and small files need none."""
    bed.client.put("small.txt", b"small")
    bed.client.put("large.bin", bytes(100_000))
    store.server.stop()
    try:
        eventually(lambda: not any(map(bed.balancer.is_up, range(3))), "no server to be ready")
        assert bed.client.content("small.txt") == b"small"
        bed.client.rename("small.txt", "renamed.txt").ok()
        bed.client.put("another.txt", b"another")
        assert bed.client.download("large.bin").status == 503
    finally:
        store.server.start()
    bed.all_are_up()
    assert bed.client.content("large.bin") == bytes(100_000)


def test_the_servers_know_who_asks_and_how(bed):
    """The address of the client, not one that it gives itself; and that the connection has TLS, by the cookie."""
    with contextlib.closing(http.client.HTTPSConnection("localhost", bed.balancer.port, context=bed.balancer.tls)) as connection:
        connection.request("GET", "/api/v1/account", headers={"X-API-Key": bed.key, "X-Forwarded-For": "203.0.113.9",
                                                              "X-Forwarded-Proto": "http"})
        assert connection.getresponse().status == 200
    logs = lambda: "".join(node.log() for node in bed.nodes.nodes)
    eventually(lambda: "127.0.0.1 GET /api/v1/account" in logs(), "the line in a log")
    assert "203.0.113.9" not in logs()
    name = bed.nodes[0].add_account(password="a long password of a test")
    session = bed.balancer.trusted(requests.Session())
    answer = session.post(bed.balancer.url + "/api/v2/session", json={"userName": name, "password": "a long password of a test"})
    assert answer.status_code == 200 and "Secure" in answer.headers["Set-Cookie"]
    plain = requests.get(f"http://127.0.0.1:{bed.balancer.plain_port}/files?a=b", allow_redirects=False)
    assert plain.status_code == 308 and plain.headers["Location"].startswith("https://")


def test_a_body_is_passed_on_as_it_comes(bed, store):
    """Of a large upload, parts are in the store while the client still sends it."""
    with contextlib.closing(http.client.HTTPSConnection("localhost", bed.balancer.port, context=bed.balancer.tls)) as connection:
        connection.putrequest("PUT", "/api/v2/files/content?path=streamed.bin")
        for name, value in {"X-API-Key": bed.key, "Content-Length": str(40 << 20)}.items():
            connection.putheader(name, value)
        connection.endheaders()
        connection.send(bytes(20 << 20))
        eventually(lambda: len(store.objects(bed.nodes.settings)) >= 3, "parts of it in the store")
        connection.send(bytes(20 << 20))
        assert connection.getresponse().status == 201
    assert bed.client.content("streamed.bin") == bytes(40 << 20)
