"""Clients that are slow, send all before they read, or send in the smallest pieces."""

import http.client
import random
import select

import pytest

from client import FILES, encode, form, multipart
from faulty_mount import of_ftp
from mounting import Call, at, contents, is_partial, plant
from raw import LAST_CHUNK, RawConnection, chunk, head
from server import PATIENCE_S, eventually

UPLOAD = FILES + "/upload"
MIB = 1 << 20
PACE_S = 0.01


def writes_of(server):
    """How many times the process has called write(2) and its kin; a thread that wakes another does too."""
    with open(f"/proc/{server.process.pid}/io", encoding="ascii") as text:
        return int(dict(line.split(":") for line in text)["syscw"])


# Content in the smallest pieces


@pytest.fixture
def alone(own_server, account_on):
    """On a server that does nothing else: what earlier tests have left for it to do would be counted too."""
    return account_on(own_server())


def test_chunks_of_one_byte_are_collected_before_they_are_written(alone):
    account = alone
    content = bytes(range(256)) * 1200
    content_type, body = multipart(form(("a.bin", content)))
    before = writes_of(account.server)
    with RawConnection(account.server) as connection:
        connection.send(head("POST", UPLOAD, f"Content-Type: {content_type}", "Transfer-Encoding: chunked",
                             key=account.key))
        connection.send(b"".join(b"1\r\n%c\r\n" % byte for byte in body) + LAST_CHUNK)
        assert connection.read_answer().data()["count"] == 1
    assert account.client.content("a.bin") == content
    assert writes_of(account.server) - before < 1000


@pytest.mark.parametrize("framing", ["chunked", "length"])
def test_packets_of_one_byte_are_collected_before_they_are_written(alone, framing):
    account = alone
    content = bytes(MIB) + bytes(range(256))
    content_type, body = multipart(form(("a.bin", content)))
    length = "Transfer-Encoding: chunked" if framing == "chunked" else f"Content-Length: {len(body)}"
    wrap = chunk if framing == "chunked" else bytes
    whole, tail = body[:MIB], body[MIB:]
    with RawConnection(account.server) as connection:
        connection.send(head("POST", UPLOAD, f"Content-Type: {content_type}", length, key=account.key) + wrap(whole))
        eventually(connection.all_is_taken, "the large part was taken")
        before = writes_of(account.server)
        for start in range(len(tail) - 1):
            connection.send(wrap(tail[start:start + 1]))
            eventually(connection.all_is_taken, "the byte was taken")
        connection.send(wrap(tail[-1:]) + (LAST_CHUNK if framing == "chunked" else b""))
        assert connection.read_answer().data()["count"] == 1
    assert account.client.content("a.bin") == content
    assert writes_of(account.server) - before < 200


# Bodies that do not end


@of_ftp
def test_slow_uploads_of_a_limited_key_leave_connections_to_others(mount):
    """A server has few of them for a mount, and each upload takes one for as long as it lasts; a copy needs two."""
    mount.client.make_folder(mount.path, "sub").ok()
    mount.client.make_folder(mount.path, "to").ok()
    limited = mount.client.scoped(at(mount.path, "sub"))
    content = random.Random(1).randbytes(2 * MIB)
    content_type, body = multipart(form(("slow", content)))

    def on_their_way():
        return [name for name in contents(mount.folder) if is_partial(name)]

    connections = [RawConnection(mount.account.server) for _ in range(3)]
    try:
        for connection in connections:
            connection.send(head("POST", f"{UPLOAD}?{encode({'path': ''})}", f"Content-Type: {content_type}",
                                 f"Content-Length: {len(body)}", key=limited.key))
            connection.try_send(body[:-MIB // 2])
        eventually(lambda: len(on_their_way()) >= 2, "uploads on their way")
        mount.client.put(mount.at("own"), content)
        mount.client.copy(mount.at("own"), mount.at("to")).ok()
        assert len(on_their_way()) == 2, "it waited for the others"
    finally:
        for connection in connections:
            connection.close()
    assert mount.visible()["own"] == content


@of_ftp
def test_copies_of_a_limited_key_leave_connections_to_others(mount):
    """Each takes two, and is as slow as the line."""
    mount.client.make_folder(mount.path, "sub").ok()
    limited = mount.client.scoped(at(mount.path, "sub"))
    content = random.Random(2).randbytes(16 * MIB)
    plant(mount.folder / "sub", {"one": content, "two": content, "to": None})

    def on_their_way():
        return [name for name in contents(mount.folder / "sub/to") if is_partial(name)]

    mount.line.slow(4096, 0.01)
    copies = [Call(lambda name=name: limited.copy(name, "to")) for name in ("one", "two")]
    eventually(on_their_way, "a copy on its way")
    for _ in range(3):  # The second copy asks for its connections somewhere between them.
        mount.client.put(mount.at("own"), b"content")
    assert on_their_way() and all(copy.is_alive() for copy in copies), "it waited for the others"
    mount.line.mend()
    for copy in copies:
        copy.result().ok()
    assert contents(mount.folder / "sub/to") == {"one": content, "two": content}
    assert mount.visible()["own"] == b"content"


# Answers before the body


@pytest.fixture
def full(make_account):
    return make_account("1000000")


def answer_to(account, body, **headers):
    """The answer that Python's own client gets, which sends all of a body before it reads."""
    connection = http.client.HTTPConnection("127.0.0.1", account.server.port, timeout=PATIENCE_S)
    try:
        connection.request("POST", UPLOAD, body=body, headers={
            "X-API-Key": account.key, "Content-Type": "multipart/form-data; boundary=b", **headers})
        response = connection.getresponse()
        response.read()
        return response.status
    finally:
        connection.close()


@pytest.mark.parametrize("size_mib", [1, 12, 32, 100])
def test_who_sends_all_before_reading_gets_the_answer(full, size_mib):
    _, body = multipart(form(("a", bytes(size_mib * MIB))), "b")
    assert answer_to(full, body) == 413
    assert answer_to(full, body, **{"X-API-Key": "none"}) == 401
    assert full.client.used() == 0


def test_who_sends_chunks_before_reading_gets_the_answer(full):
    _, body = multipart(form(("a", bytes(12 * MIB))), "b")
    assert answer_to(full, (body[at:at + 65536] for at in range(0, len(body), 65536))) == 413


def test_a_body_without_end_is_cut_off(full):
    sent = 0
    piece = chunk(bytes(MIB))
    with RawConnection(full.server) as connection:
        connection.send(head("POST", UPLOAD, "Content-Type: multipart/form-data; boundary=b",
                             "Transfer-Encoding: chunked", key="none"))
        while sent < 1024 * MIB:
            try:
                connection.send(piece)
            except (BrokenPipeError, ConnectionResetError):
                break
            sent += len(piece)
    assert 200 * MIB < sent < 400 * MIB


# Slow clients


@pytest.fixture(scope="module")
def strict(build_server):
    """A server that wants 20 bytes in a fifth of a second."""
    one = build_server(min_rate_bytes=100, min_rate_window_ms=200).start()
    one.account = one.add_account()
    one.key = one.create_key(one.account)["key"]
    yield one
    one.stop()


def trickle(connection, data, pace_s=PACE_S):
    """Sends a byte now and then; stops at the answer. How many bytes it came to."""
    for sent in range(len(data)):
        connection.try_send(data[sent:sent + 1])
        if select.select([connection.socket], [], [], pace_s)[0]:
            return sent + 1
    return len(data)


def upload_head(server, length):
    return upload_head_of(server.key, length)


def upload_head_of(key, length):
    return head("POST", UPLOAD, "Content-Type: multipart/form-data; boundary=b", f"Content-Length: {length}", key=key)


def test_a_body_slower_than_the_least_rate_is_cut_off(strict):
    _, body = multipart(form(("slow", bytes(5000))), "b")
    with RawConnection(strict) as connection:
        connection.send(upload_head(strict, len(body)) + body[:200])
        assert trickle(connection, body[200:], 0.05) < len(body) - 200, "all of it was taken"
        assert connection.read_answer().status == 408
    assert list(strict.files_of(strict.account).glob("slow")) == []


def test_a_slow_body_above_the_least_rate_is_taken(build_server):
    """For more than two seconds."""
    one = build_server(min_rate_bytes=5, min_rate_window_ms=1000).start()
    try:
        one.key = one.create_key(one.add_account())["key"]
        _, body = multipart(form(("slow", bytes(100))), "b")
        with RawConnection(one) as connection:
            connection.send(upload_head(one, len(body)))
            assert trickle(connection, body) == len(body)
            assert connection.read_answer().status == 200
    finally:
        one.stop()


@pytest.mark.parametrize("target", [f"{FILES}/download?path=big", "/api/v2/archive?format=tar&path=big"])
def test_what_is_paused_goes_on(build_server, target):
    """Longer than a body may stand still, and slower than it may come."""
    one = build_server(stall_timeout_ms=100, min_rate_bytes=100 * MIB, min_rate_window_ms=200).start()
    try:
        account = one.add_account()
        (one.files_of(account) / "big").write_bytes(bytes(64 * MIB))
        key = one.create_key(account)["key"]
        with RawConnection(one) as connection:
            connection.send(head("GET", target, "Connection: close", key=key))
            assert connection.reader.readline().startswith(b"HTTP/1.1 200")
            for _ in range(4):
                with RawConnection(one) as stalled:
                    assert stalled.send(upload_head_of(key, 1000)).read_answer().status == 408
            assert sum(map(len, iter(lambda: connection.socket.recv(MIB), b""))) > 64 * MIB - 65536
    finally:
        one.stop()
