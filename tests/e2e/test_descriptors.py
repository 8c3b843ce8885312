"""What a server does that may open few files: work goes before connections that only wait."""

import resource

import pytest

from client import FILES, Client, form, multipart
from raw import RawConnection, head
from server import eventually

DESCRIPTORS = 128
FLOOD = 300


@pytest.fixture
def few(build_server):
    """A server that may open few files, with one account."""
    one = build_server()
    one.in_front = ("prlimit", f"--nofile={DESCRIPTORS}:{DESCRIPTORS}", "--")
    one.start()
    one.account = one.add_account()
    one.client = Client(one, one.create_key(one.account)["key"])
    yield one
    one.stop()


@pytest.fixture
def flood():
    """Opens connections that say nothing; they are closed behind the test."""
    opened = []

    def open_some(server, count=FLOOD, first=b""):
        for _ in range(count):
            opened.append(RawConnection(server))
            opened[-1].try_send(first)
        return opened[-count:]

    yield open_some
    for connection in opened:
        connection.close()


@pytest.mark.parametrize("first", [b"", b"GET /api/v1/account HTTP/1.1\r\nHost: "], ids=["silent", "half a head"])
def test_connections_without_a_request_give_way(few, flood, first):
    flood(few, first=first)
    for number in range(10):
        few.client.put(f"{number}.bin", bytes(200_000))
        assert len(few.client.content(f"{number}.bin")) == 200_000
    assert len(few.client.names()) == 10


def test_connections_between_requests_give_way(few, flood):
    for _ in range(DESCRIPTORS):
        [connection] = flood(few, 1)
        assert connection.send(head("GET", "/api/v1/account")).read_answer().status == 401
    few.client.put("a", b"x" * 200_000)


def test_a_request_under_way_never_gives_way(few, flood):
    content_type, body = multipart(form(("a.bin", bytes(300_000))))
    with RawConnection(few) as upload:
        upload.send(head("POST", FILES + "/upload", f"Content-Type: {content_type}", f"Content-Length: {len(body)}",
                         key=few.client.key))
        upload.send(body[:200_000])
        eventually(upload.all_is_taken, "the first part was taken")
        flood(few)
        few.client.put("b.bin", bytes(300_000))
        upload.send(body[200_000:])
        assert upload.read_answer().data()["uploaded"] == ["a.bin"]


def limit_descriptors(server, count):
    resource.prlimit(server.process.pid, resource.RLIMIT_NOFILE, (count, DESCRIPTORS))


def test_a_request_that_cannot_open_its_file_may_come_again(few):
    """The limit sinks below what is open, so that no request can open anything."""
    few.client.make_folder("", "folder").ok()
    few.client.put("folder/a", b"x" * 200_000)
    calls = [lambda client: client.download("folder/a"), lambda client: client.list("folder"),
             lambda client: client.info("folder/a"), lambda client: client.upload("folder", form(("b", bytes(200_000)))),
             lambda client: client.make_folder("folder", "c"), lambda client: client.rename("folder/a", "d"),
             lambda client: client.copy("folder/a", ""), lambda client: client.delete("folder/a"),
             lambda client: client.delete("folder")]
    clients = [few.client.with_key(few.client.key) for _ in calls]
    for client in clients:
        client.used()  # Each has its connection now.
    limit_descriptors(few, 1)
    for number, (call, client) in enumerate(zip(calls, clients)):
        answer = call(client)
        assert "too many files open" in answer.fails(503) and answer.headers["Retry-After"] == "1", (number, answer)
    eventually(lambda: few.log().count("too many files open") >= len(calls), "each to be logged")
    limit_descriptors(few, DESCRIPTORS)
    assert few.client.names("folder") == ["a"] and few.client.names() == ["folder"]
    assert few.client.content("folder/a") == b"x" * 200_000 and few.client.used() == 200_000


def test_a_lack_of_descriptors_is_logged_and_passes(few, flood):
    """The limit sinks below what is open, so that nothing can be accepted."""
    resource.prlimit(few.process.pid, resource.RLIMIT_NOFILE, (1, DESCRIPTORS))
    waiting = flood(few, 20, head("GET", "/api/v1/account"))
    eventually(lambda: "cannot accept" in few.log(), "that nothing can be accepted is logged")
    resource.prlimit(few.process.pid, resource.RLIMIT_NOFILE, (DESCRIPTORS, DESCRIPTORS))
    for connection in waiting:
        assert connection.read_answer().status == 401
