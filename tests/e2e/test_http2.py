"""HTTP/2 in the program: what is spoken, bodies that arrive whole, and clients that misbehave."""

import contextlib
import json
import os
import re
import struct
import subprocess

import pytest

import frames
from client import FILES
from dav import basic
from frames import Ended, Frames
from server import eventually, is_sanitized
from test_tls import Tls

MIB = 1024 * 1024
SIZES = [0, 1, 1024, 65_535, 65_536, 65_537, 5 * MIB + 1]
HEALTH = "/health/ready"


class Http2(Tls):
    def __init__(self, server, folder):
        super().__init__(server, folder)
        self.who, self.account, self.name = None, None, None

    def add_files(self):
        self.name = self.server.new_name()
        self.account = self.server.add_account(self.name)
        self.who = {"x-api-key": self.server.create_key(self.account)["key"]}
        self.content = os.urandom(3 * MIB)
        with Frames(self.port) as connection:
            assert self.upload(connection, "a.bin", self.content).status == 200
        return self

    def basic(self):
        return {"authorization": basic(self.name, self.who["x-api-key"])}

    def curl(self, *arguments, port=None, scheme="https", ok=True):
        """What curl prints; the version and the status stand in its last line."""
        done = subprocess.run(["curl", "-s", "--cacert", self.certificate, "-w", "\n%{http_version} %{http_code}", *arguments[:-1],
                               f"{scheme}://localhost:{port or self.port}{arguments[-1]}"], capture_output=True, timeout=120)
        assert done.returncode == 0 or not ok, done
        content, _, line = done.stdout.rpartition(b"\n")
        return content, line.decode()

    def begin_upload(self, connection, size):
        """A request whose body the server waits for."""
        return connection.ask("POST", f"{FILES}/upload", {**self.who, "content-type": "multipart/form-data; boundary=b", "content-length": str(size)},
                              ends=False)

    def upload(self, connection, name, content):
        boundary = "b"
        body = (f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'.encode() + content
                + f"\r\n--{boundary}--\r\n".encode())
        stream = connection.ask("POST", f"{FILES}/upload", {**self.who, "content-type": f"multipart/form-data; boundary={boundary}"}, ends=False)
        send_body(connection, stream, body)
        return connection.wait(stream)

    def download(self, connection, name="a.bin", **headers):
        return connection.ask("GET", f"{FILES}/download?path={name}", {**self.who, **headers})

    def memory(self):
        """Of the program, in bytes."""
        with open(f"/proc/{self.server.process.pid}/status") as status:
            return int(re.search(r"VmRSS:\s+(\d+)", status.read())[1]) * 1024

    def is_served(self):
        with Frames(self.port) as connection:
            return connection.fetch("GET", HEALTH).status == 200


class Windows:
    """How much the server lets a stream send, counted from what it has said."""

    def __init__(self, connection, stream):
        self.left = {0: 65_535, stream: 65_536}
        self.connection = connection

    def wait(self):
        while min(self.left.values()) <= 0:
            kind, _, stream, payload = self.connection.read_frame()
            if kind == frames.WINDOW_UPDATE and stream in self.left:
                self.left[stream] += int.from_bytes(payload, "big")

    def use(self, size):
        for stream in self.left:
            self.left[stream] -= size


def send_body(connection, stream, body):
    windows = Windows(connection, stream)
    while body:
        windows.wait()
        size = min(16_384, *windows.left.values())
        piece, body = body[:size], body[size:]
        windows.use(len(piece))
        connection.send(frames.DATA, 0 if body else frames.END_STREAM, stream, piece)


@pytest.fixture
def http2(build_server, tmp_path):
    server = build_server()
    made = Http2(server, tmp_path / "tls")
    server.start()
    yield made
    if server.running():
        server.stop()


def restarted(served, **settings):
    served.server.stop()
    served.server.settings.update(settings)
    served.server.start()
    return served


def test_it_is_offered_by_tls_alone_and_can_be_turned_off(http2):
    assert http2.curl("--http2", HEALTH)[1] == "2 200"
    assert http2.curl("--http1.1", HEALTH)[1] == "1.1 200"
    assert http2.curl("--http2", HEALTH, port=http2.server.port, scheme="http")[1] == "1.1 200"
    assert http2.curl("--http2-prior-knowledge", HEALTH, port=http2.server.port, scheme="http", ok=False)[1].endswith(" 000")
    restarted(http2, http2=False)
    assert http2.curl("--http2", HEALTH)[1] == "1.1 200"


def test_bodies_are_equal_by_both_versions(http2, tmp_path):
    http2.add_files()
    key = ["-H", f"X-API-Key: {http2.who['x-api-key']}"]
    for size in SIZES:
        content = os.urandom(size)
        file = tmp_path / f"{size}.bin"
        file.write_bytes(content)
        assert http2.curl("--http2", *key, "-F", f"file=@{file}", f"{FILES}/upload")[1] == "2 200"
        address = f"{FILES}/download?path={size}.bin"
        for version in ("--http2", "--http1.1"):
            assert http2.curl(version, *key, address)[0] == content, (size, version)
            assert http2.curl(version, *key, "-H", "Accept-Encoding: zstd, gzip", address)[0] == content, (size, version)
        if size > 70_000:
            for first, last in ((0, 0), (65_535, 65_536), (1, size - 1), (size - 1, size - 1)):
                got, line = http2.curl("--http2", *key, "-H", f"Range: bytes={first}-{last}", address)
                assert (got, line) == (content[first:last + 1], "2 206")


def test_heads_conditions_and_refusals_are_as_by_http11(http2):
    http2.add_files()
    with Frames(http2.port) as connection:
        address = f"{FILES}/download?path=a.bin"
        head = connection.fetch("HEAD", address, http2.who)
        assert head.status == 200 and head.headers["content-length"] == str(len(http2.content)) and head.body == b""
        assert connection.fetch("GET", address, {**http2.who, "if-none-match": head.headers["etag"]}).status == 304
        assert connection.fetch("GET", address).status == 401
        refused = connection.fetch("BREW", address)
        assert refused.status == 405 and refused.headers["allow"] == "GET, HEAD, OPTIONS"
        assert connection.fetch("GET", "/api/v1/nowhere").status == 404
        assert connection.fetch("GET", "/").headers["content-type"].startswith("text/html")
        assert len({answer.headers["x-request-id"] for answer in connection.answers.values()}) == 6
        for name in ("connection", "transfer-encoding"):
            assert not any(name in answer.headers for answer in connection.answers.values())


def test_a_body_is_asked_for_where_the_client_waits(http2):
    http2.add_files()
    with Frames(http2.port) as connection:
        body = b'{"userName": "nobody", "password": "none"}'
        stream = connection.ask("POST", "/api/v2/session", {"content-type": "application/json", "content-length": str(len(body)),
                                                            "expect": "100-continue"}, ends=False)
        answer = connection.read(lambda: connection.answers[stream].interim).answers[stream]
        assert answer.interim == [100] and not answer.is_over
        connection.send(frames.DATA, frames.END_STREAM, stream, body)
        assert connection.wait(stream).status == 401


def test_a_refusal_arrives_although_the_body_was_not_read(http2, tmp_path):
    """curl loses a response if its stream is reset behind it."""
    file = tmp_path / "large.bin"
    with file.open("wb") as large:
        large.truncate(100 * MIB)
    for _ in range(3):
        assert http2.curl("--http2", "-H", "X-API-Key: wrong", "-H", "Expect:", "-F", f"file=@{file}", f"{FILES}/upload")[1] == "2 401"


def test_a_hundred_requests_share_a_connection_with_events(http2):
    http2.add_files()
    with Frames(http2.port) as connection:
        events = connection.ask("GET", "/api/v2/events?folder=", {**http2.who, "accept": "text/event-stream"})
        connection.read(lambda: connection.answers[events].body)
        streams = [http2.download(connection, range="bytes=1-300000") for _ in range(99)]
        connection.read(lambda: all(connection.answers[stream].is_over for stream in streams))
        assert all(connection.answers[stream].body == http2.content[1:300_001] for stream in streams)
        before = len(connection.answers[events].body)
        assert http2.upload(connection, "new.bin", b"new").status == 200
        connection.read(lambda: len(connection.answers[events].body) > before)
        assert not connection.answers[events].is_over


def test_more_than_a_hundred_at_once_are_refused(http2):
    http2.add_files()
    with Frames(http2.port, window=0) as connection:
        streams = [http2.download(connection) for _ in range(101)]
        assert connection.wait(streams[-1]).error == frames.REFUSED_STREAM
        connection.send(frames.RST_STREAM, 0, streams[0], b"\0\0\0\x08")
        eventually(lambda: connection.fetch("HEAD", HEALTH).error is None, "room for another")


def test_a_length_that_is_not_the_bodys_is_an_error(http2):
    http2.add_files()
    with Frames(http2.port) as connection:
        for size, body in ((3, b"four"), (5, b"four")):
            stream = http2.begin_upload(connection, size)
            connection.send(frames.DATA, frames.END_STREAM, stream, body)
            assert connection.wait(stream).error == frames.PROTOCOL_ERROR
        assert connection.fetch("GET", HEALTH).status == 200


@pytest.mark.parametrize("headers", [{"connection": "close"}, {"transfer-encoding": "chunked"}, {"te": "gzip"}, {"upgrade": "x"}, {"keep-alive": "1"}])
def test_headers_of_connections_are_errors(http2, headers):
    with Frames(http2.port) as connection:
        answer = connection.fetch("GET", HEALTH, headers)
        assert answer.error == frames.PROTOCOL_ERROR or answer.status == 400
        assert connection.fetch("GET", HEALTH).status == 200


def test_trailers_are_ignored(http2):
    http2.add_files()
    with Frames(http2.port) as connection:
        body = b'{"userName": "nobody", "password": "none"}'
        stream = connection.ask("POST", "/api/v2/session", {"content-type": "application/json"}, ends=False)
        connection.send(frames.DATA, 0, stream, body)
        trailers = connection.encoder.encode([("x-checksum", "1")])
        connection.send(frames.HEADERS, frames.END_HEADERS | frames.END_STREAM, stream, trailers)
        assert connection.wait(stream).status == 401


def test_streams_that_are_not_read_hold_up_no_other_and_little_memory(http2):
    http2.add_files()
    with Frames(http2.port) as connection:
        connection.wait(http2.download(connection))
    before = http2.memory()
    with Frames(http2.port, window=0) as connection:
        streams = [http2.download(connection) for _ in range(99)]
        assert connection.fetch("HEAD", HEALTH).status == 200
        assert http2.memory() - before < (32 if not is_sanitized() else 256) * MIB
        for stream in streams[:3]:
            connection.open_window(0, len(http2.content))
            connection.open_window(stream, len(http2.content))
            assert connection.wait(stream).body == http2.content
        assert not connection.answers[streams[3]].is_over


def test_a_body_that_does_not_come_is_given_up_alone(http2):
    restarted(http2, stall_timeout_ms=500).add_files()
    with Frames(http2.port) as connection:
        stalled = http2.begin_upload(connection, 1000)
        connection.send(frames.DATA, 0, stalled, b"x")
        download = http2.download(connection)
        assert connection.wait(download).body == http2.content
        assert connection.read(lambda: connection.answers[stalled].status).answers[stalled].status == 408
        assert connection.fetch("GET", HEALTH).status == 200


def test_a_head_that_does_not_end_is_given_up(http2):
    restarted(http2, header_timeout_ms=500)
    for incomplete in (b"", b"\0\0\x10\x01\x05\0\0\0\x03\x82"):  # CONTINUATION is missing; a frame that is not whole.
        with Frames(http2.port) as connection:
            connection.fetch("GET", HEALTH)
            if incomplete:
                connection.send_bytes(incomplete)
            else:
                connection.send(frames.HEADERS, frames.END_STREAM, 3, connection.head("GET", HEALTH))
            assert connection.read_to_end().goaway == frames.ENHANCE_YOUR_CALM


def ended(act):
    """Acts on and on until the server ends the connection, but not for ever."""
    with pytest.raises(Ended):
        for count in range(2_000_000):
            act(count)


def test_rapid_resets_end_the_connection(http2):
    http2.add_files()
    before = http2.memory()
    with Frames(http2.port) as connection:
        head = connection.head("GET", f"{FILES}/download?path=a.bin", http2.who)
        head = connection.head("GET", f"{FILES}/download?path=a.bin", http2.who)  # Now by indices alone.
        sent = 0
        with pytest.raises(Ended):
            for stream in range(1, 40_000, 2):
                connection.send_bytes(connection.frame(frames.HEADERS, frames.END_HEADERS | frames.END_STREAM, stream,
                                                       head) + connection.frame(frames.RST_STREAM, 0, stream, b"\0\0\0\x08"))
                sent += 1
                if sent % 1000 == 0:
                    assert http2.is_served()
    assert sent < 20_000
    assert http2.is_served()
    assert http2.memory() - before < 64 * MIB
    answered = len(re.findall(r"GET /api/v1/files/download", http2.server.log()))
    assert answered < 5_000, "each reset request was served"


@pytest.mark.parametrize("flood", ["ping", "settings", "continuation", "empty_continuation", "priority_of_idle", "window", "unknown"])
def test_floods_take_neither_memory_nor_the_server(http2, flood):
    """A client that does not read what it asks for is not listened to, and then ended as any that stalls."""
    restarted(http2, stall_timeout_ms=1000)
    assert http2.is_served()
    before = http2.memory()
    with Frames(http2.port, receive_bytes=4096) as connection:
        pings = connection.frame(frames.PING, 0, 0, b"01234567") * 1000
        settings = connection.frame(frames.SETTINGS, 0, 0) * 1000
        begin = connection.frame(frames.HEADERS, frames.END_STREAM, 1, connection.head("GET", HEALTH))
        more = connection.encoder.encode([(f"x-{number}", "y" * 100) for number in range(100)])
        acts = {
            "ping": lambda _: connection.send_bytes(pings),
            "settings": lambda _: connection.send_bytes(settings),
            "continuation": lambda n: connection.send_bytes((b"" if n else begin) + connection.frame(frames.CONTINUATION, 0, 1, more)),
            "empty_continuation": lambda n: connection.send_bytes((b"" if n else begin) + connection.frame(frames.CONTINUATION, 0, 1)),
        }
        if flood in acts:
            ended(acts[flood])
        else:
            data = {"priority_of_idle": b"".join(connection.frame(frames.PRIORITY, 0, 2 * n + 1, b"\0\0\0\0\x10") for n in range(1000)),
                    "window": connection.frame(frames.WINDOW_UPDATE, 0, 0, b"\0\0\0\x01") * 1000,
                    "unknown": connection.frame(0x77, 0, 0, b"x" * 100) * 1000}[flood]
            for _ in range(100):
                connection.send_bytes(data)
            assert connection.fetch("GET", HEALTH).status == 200
    assert http2.is_served()
    assert http2.memory() - before < 32 * MIB


def test_a_bomb_of_headers_is_refused_and_the_connection_goes_on(http2):
    before = http2.memory()
    with Frames(http2.port) as connection:
        assert connection.fetch("GET", HEALTH, {"x-large": "y" * 3900}).status == 200
        # An index of one byte stands for 4 KB from the table.
        bomb = connection.head("GET", HEALTH, {"x-large": "y" * 3900})
        bomb += bomb[-1:] * 15_000
        for _ in range(20):
            stream, connection.next_id = connection.next_id, connection.next_id + 2
            connection.answers[stream] = frames.Answer()
            connection.send(frames.HEADERS, frames.END_HEADERS | frames.END_STREAM, stream, bomb)
            assert connection.wait(stream).status == 431
        assert connection.fetch("GET", HEALTH).status == 200
    assert http2.memory() - before < 16 * MIB


def test_a_client_that_goes_leaves_nothing_behind(http2):
    http2.add_files()
    with Frames(http2.port) as connection:
        events = connection.ask("GET", "/api/v2/events?folder=", {**http2.who, "accept": "text/event-stream"})
        connection.read(lambda: connection.answers[events].body)
        upload = http2.begin_upload(connection, 1_000_000)
        connection.send(frames.DATA, 0, upload, b'--b\r\nContent-Disposition: form-data; name="file"; filename="half.bin"\r\n\r\n' + b"x" * 1000)
        for stream in (events, upload):
            connection.send(frames.RST_STREAM, 0, stream, b"\0\0\0\x08")
        # The line in the log comes when the response ends.
        eventually(lambda: "GET /api/v2/events" in http2.server.log(), "the end of the events")
        assert connection.fetch("GET", HEALTH).status == 200
    eventually(lambda: "POST /api/v1/files/upload 400" in http2.server.log(), "the end of the upload")
    assert http2.server.files_of(http2.account).joinpath("a.bin").exists()
    assert not http2.server.files_of(http2.account).joinpath("half.bin").exists()


@pytest.mark.parametrize("path", ["/api/v2/files/content?path=a.bin", "/dav/a.bin"])
@pytest.mark.parametrize("has_length", [True, False])
def test_an_upload_that_is_reset_behind_its_end_leaves_the_old_file(http2, path, has_length):
    http2.add_files()
    length = {"content-length": "1000"} if has_length else {}
    with Frames(http2.port) as connection:
        connection.send_whole("PUT", path, {**http2.who, **http2.basic(), **length}, b"x" * 1000,
                              (frames.RST_STREAM, struct.pack(">I", frames.CANCEL)))
        eventually(lambda: f"PUT {path.split('?')[0]}" in http2.server.log(), "the end of the upload")
        assert connection.fetch("GET", HEALTH).status == 200
    assert http2.server.files_of(http2.account).joinpath("a.bin").read_bytes() == http2.content


def test_a_body_without_a_length_that_comes_with_its_head_is_one(http2):
    http2.add_files()
    names = b'<D:propfind xmlns:D="DAV:"><D:prop><D:getetag/></D:prop></D:propfind>'
    with Frames(http2.port) as connection:
        def answer(method, path, body, **headers):
            return connection.wait(connection.send_whole(method, path, {**http2.basic(), **headers}, body))

        assert answer("MKCOL", "/dav/folder", b"<x/>").status == 415
        assert answer("PUT", "/dav/b.bin", b"0123456789").status == 201
        listed = answer("PROPFIND", "/dav/b.bin", names, depth="0").body
        assert b"getetag" in listed and b"getlastmodified" not in listed
    assert http2.server.files_of(http2.account).joinpath("b.bin").read_bytes() == b"0123456789"


def test_large_heads_of_requests_that_wait_are_refused(http2):
    """They lie in memory as long as their answers are not read."""
    before = http2.memory()
    with contextlib.ExitStack() as behind:
        for _ in range(10):
            connection = behind.enter_context(Frames(http2.port, window=0))
            large = {f"x-large-{number}": "y" * 3700 for number in range(4)}
            streams = [connection.ask("GET", "/", large) for _ in range(100)]
            assert connection.wait(streams[-1]).error == frames.REFUSED_STREAM
            assert not connection.answers[streams[0]].is_over
        assert http2.memory() - before < (24 if not is_sanitized() else 256) * MIB
        assert http2.is_served()


def test_a_stop_lets_running_requests_end(http2):
    http2.add_files()
    with Frames(http2.port, window=0) as connection:
        stream = http2.download(connection)
        connection.read(lambda: connection.answers[stream].headers)
        http2.server.send_signal(15)
        connection.read(lambda: connection.goaway is not None)
        assert connection.goaway == frames.NO_ERROR
        connection.open_window(0, len(http2.content))
        connection.open_window(stream, len(http2.content))
        assert connection.wait(stream).body == http2.content
        connection.read_to_end()
    assert http2.server.wait() == 0
    http2.server.check_log()


def test_the_log_has_a_line_for_each_request(http2):
    restarted(http2, log_format="json")
    with Frames(http2.port) as connection:
        identity = connection.fetch("GET", HEALTH).headers["x-request-id"]
    text, = eventually(lambda: [line for line in http2.server.log().splitlines() if identity in line], "the line")
    line = json.loads(text)
    assert (line["method"], line["target"], line["status"]) == ("GET", HEALTH, 200) and line["sentBytes"] > 0
