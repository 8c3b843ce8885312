"""HTTP as broken and hostile clients speak it, over bare sockets."""

import contextlib
import json
import os

import pytest

from client import ACCOUNT, FILES, multipart
from raw import LAST_CHUNK, RawConnection, chunk, head
from server import eventually

HOST = "Host: 127.0.0.1\r\n"
UPLOAD = FILES + "/upload"


def request(line, *headers, host=HOST):
    return (line + "\r\n" + host + "".join(header + "\r\n" for header in headers) + "\r\n").encode("latin-1")


def get(*headers, host=HOST):
    return request(f"GET {ACCOUNT} HTTP/1.1", *headers, host=host)


def post(*headers):
    return request(f"POST {UPLOAD} HTTP/1.1", "Content-Type: multipart/form-data; boundary=b", *headers)


# What could be read in two ways, so that a proxy and the server would disagree where a request ends.
SMUGGLING = {
    "length and chunked": post("Content-Length: 5", "Transfer-Encoding: chunked") + LAST_CHUNK,
    "chunked and length": post("Transfer-Encoding: chunked", "Content-Length: 5") + LAST_CHUNK,
    "two lengths": post("Content-Length: 5", "Content-Length: 6") + b"12345",
    "the same length twice": post("Content-Length: 5", "Content-Length: 5") + b"12345",
    "a list of lengths": post("Content-Length: 5, 5") + b"12345",
    "a negative length": post("Content-Length: -5"),
    "a length with a sign": post("Content-Length: +5") + b"12345",
    "a hexadecimal length": post("Content-Length: 0x5") + b"12345",
    "a length with a blank": post("Content-Length: 1 5") + b"12345",
    "an empty length": post("Content-Length: "),
    "an overflowing length": post("Content-Length: 18446744073709551617"),
    "a length that is no number": post("Content-Length: five"),
    "gzip": post("Transfer-Encoding: gzip"),
    "chunked, gzip": post("Transfer-Encoding: chunked, gzip"),
    "gzip, chunked": post("Transfer-Encoding: gzip, chunked") + LAST_CHUNK,
    "chunked twice": post("Transfer-Encoding: chunked, chunked") + LAST_CHUNK,
    "chunked in two headers": post("Transfer-Encoding: chunked", "Transfer-Encoding: chunked") + LAST_CHUNK,
    "identity and chunked": post("Transfer-Encoding: identity", "Transfer-Encoding: chunked") + LAST_CHUNK,
    "identity": post("Transfer-Encoding: identity"),
    "xchunked": post("Transfer-Encoding: xchunked") + LAST_CHUNK,
    "quoted chunked": post('Transfer-Encoding: "chunked"') + LAST_CHUNK,
    "chunked with a parameter": post("Transfer-Encoding: chunked;q=1") + LAST_CHUNK,
    "an empty encoding": post("Transfer-Encoding: "),
    "chunked with a vertical tab": post("Transfer-Encoding: \vchunked") + LAST_CHUNK,
    "chunked over two lines": post("Transfer-Encoding:\r\n chunked") + LAST_CHUNK,
    "no Host": get(host=""),
    "two Hosts": get("Host: other"),
    "the same Host twice": get("Host: 127.0.0.1"),
    "a Host with blanks": get(host="Host: a b\r\n"),
    "a Host with a slash": get(host="Host: a/b\r\n"),
    "a folded header": get("X-Any: a\r\n b"),
    "a folded header after a tab": get("X-Any: a\r\n\tb"),
    "a folded first header": request(f"GET {ACCOUNT} HTTP/1.1", host=" X: y\r\n" + HOST),
    "a blank before the colon": get("X-Any : a"),
    "a tab before the colon": get("X-Any\t: a"),
    "a blank before the colon of a length": post("Content-Length : 5") + b"12345",
    "a blank in a header name": get("X Any: a"),
    "a header without a colon": get("X-Any"),
    "a header without a name": get(": a"),
    "a header name with odd letters": get("X-(Any): a"),
    "a header name beyond ASCII": get("X-Ä: a"),
    "a NUL in a value": get("X-Any: a\0b"),
    "a NUL in a name": get("X-A\0ny: a"),
    "a NUL in the target": request(f"GET {ACCOUNT}\0 HTTP/1.1"),
    "a bare carriage return in a value": get("X-Any: a\rb"),
    "a control character in a value": get("X-Any: a\x01b"),
    "bare line feeds": get().replace(b"\r\n", b"\n"),
    "one bare line feed": get("X-Any: a").replace(b"X-Any: a\r\n", b"X-Any: a\n"),
    "a bare line feed behind the request line": get().replace(b"HTTP/1.1\r\n", b"HTTP/1.1\n"),
    "a bare line feed at the end": get()[:-2] + b"\n",
    "two blanks in the request line": request(f"GET  {ACCOUNT} HTTP/1.1"),
    "a tab in the request line": request(f"GET\t{ACCOUNT}\tHTTP/1.1"),
    "a blank in the target": request("GET /api/v1/ac count HTTP/1.1"),
    "no version": request(f"GET {ACCOUNT}"),
    "no target": request("GET HTTP/1.1"),
    "a relative target": request("GET api/v1/account HTTP/1.1"),
    "another protocol": request(f"GET {ACCOUNT} FTP/1.1"),
    "a lower-case protocol": request(f"GET {ACCOUNT} http/1.1"),
    "an odd version": request(f"GET {ACCOUNT} HTTP/1.1x"),
    "a method with odd letters": request(f"GE(T {ACCOUNT} HTTP/1.1"),
    "TLS": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\x42" * 64 + b"\r\n\r\n",
    "SSH": b"SSH-2.0-OpenSSH_9.2p1\r\n\r\n",
    "noise": bytes(range(1, 256)) + b"\r\n\r\n",
}


@pytest.mark.parametrize("data", SMUGGLING.values(), ids=SMUGGLING.keys())
def test_ambiguous_requests_are_400_and_the_connection_closes(account, data):
    key = f"X-API-Key: {account.key}\r\n".encode()
    at = data.find(HOST.encode())
    data = data[:at] + key + data[at:] if at > 0 else data
    following = request(f"GET {FILES} HTTP/1.1", f"X-API-Key: {account.key}")
    with RawConnection(account.server) as connection:
        connection.send(data + following)
        answer = connection.read_answer()
        assert answer.status == 400, answer
        assert answer.error() and answer.headers["connection"].lower() == "close"
        assert answer.headers["content-type"].startswith("application/json")
        assert connection.is_closed(), "a second request was answered"
    account.client.account().ok()


@pytest.mark.parametrize("line", [f"GET {ACCOUNT} HTTP/2.0", f"GET {ACCOUNT} HTTP/3.0",
                                  f"GET {ACCOUNT} HTTP/0.9", "PRI * HTTP/2.0"])
def test_other_versions_are_505(server, line):
    with RawConnection(server) as connection:
        answer = connection.send(request(line)).read_answer()
        assert answer.status == 505 and answer.error()
        assert connection.is_closed()


@pytest.mark.parametrize("data", [
    get(*(f"X-Header-{i}: {'x' * 100}" for i in range(200))), get("X-Long: " + "x" * 40_000),
    get("X-" + "y" * 40_000 + ": x"), request(f"GET {FILES}?path={'x' * 40_000} HTTP/1.1"), get(*["a: b"] * 8000),
    b"GET /" + b"x" * 100_000], ids=["many headers", "a long value", "a long name", "a long target", "tiny headers", "no end"])
def test_too_long_a_head_is_431(server, data):
    with RawConnection(server) as connection:
        answer = connection.try_send(data).read_answer()
        assert answer.status == 431 and answer.error()
        assert connection.is_closed()


def test_a_head_close_to_the_limit_is_taken(account):
    with RawConnection(account.server) as connection:
        connection.send(get("X-Long: " + "x" * 14_000, f"X-API-Key: {account.key}"))
        assert connection.read_answer().data()["username"] == account.name


BAD_CHUNKS = {
    "no size": b"\r\nabc\r\n", "no number": b"xyz\r\nabc\r\n", "a sign": b"+3\r\nabc\r\n", "a minus": b"-3\r\nabc\r\n",
    "0x": b"0x3\r\nabc\r\n", "overflow": b"10000000000000003\r\nabc\r\n", "many digits": b"f" * 40 + b"\r\nabc\r\n",
    "blank before": b" 3\r\nabc\r\n", "bare line feed": b"3\nabc\r\n", "data too long": b"3\r\nabcdef\r\n",
    "data without end": b"3\r\nabcX\r\n0\r\n\r\n", "bare line feed behind data": b"3\r\nabc\n0\r\n\r\n",
    "a long extension": b"3;" + b"x" * 100_000 + b"\r\nabc\r\n",
}


@pytest.mark.parametrize("body", BAD_CHUNKS.values(), ids=BAD_CHUNKS.keys())
def test_broken_chunks_are_400_and_the_connection_closes(account, body):
    with RawConnection(account.server) as connection:
        connection.send(post("Transfer-Encoding: chunked", f"X-API-Key: {account.key}"))
        connection.try_send(chunk(b'--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n') + body)
        connection.try_send(b"0\r\n\r\n" + get(f"X-API-Key: {account.key}"))
        answer = connection.read_answer()
        assert answer.status == 400 and answer.error()
        assert connection.is_closed()
    assert account.client.names() == [] and account.client.used() == 0


@pytest.mark.parametrize("cut", [1, 7, 1000, None])
@pytest.mark.parametrize("extension", [b"", b";name=value", b';a="b"'], ids=str)
def test_chunked_uploads(account, cut, extension):
    content_type, body = multipart([("file", "a.bin", bytes(range(256)) * 8)])
    step = cut or len(body)
    with RawConnection(account.server) as connection:
        connection.send(head("POST", UPLOAD, f"Content-Type: {content_type}", "Transfer-Encoding: chunked",
                             key=account.key))
        pieces = [body[at:at + step] for at in range(0, len(body), step)]
        connection.send(b"".join(b"%X%s\r\n%s\r\n" % (len(piece), extension, piece) for piece in pieces))
        connection.send(b"0\r\nTrailer: ignored\r\n\r\n")
        assert connection.read_answer().data()["count"] == 1
        # The connection is still in step.
        connection.send(head("GET", ACCOUNT, key=account.key))
        assert connection.read_answer().data()["storageUsed"] == 2048
    assert account.client.content("a.bin") == bytes(range(256)) * 8


def test_pipelined_requests_are_answered_in_order(account):
    client = account.client
    for i in range(10):
        client.put(f"{i}.txt", str(i).encode() * (i + 1))
    with RawConnection(account.server) as connection:
        connection.send(b"".join(head("GET", f"{FILES}/download?path={i}.txt", key=account.key) for i in range(10)))
        for i in range(10):
            answer = connection.read_answer()
            assert (answer.status, answer.body) == (200, str(i).encode() * (i + 1))


def test_pipelined_writes_and_errors_stay_in_step(account):
    content_type, body = multipart([("file", "a.txt", b"hello")])
    upload = head("POST", UPLOAD, f"Content-Type: {content_type}", f"Content-Length: {len(body)}", key=account.key) + body
    with RawConnection(account.server) as connection:
        connection.send(upload + head("GET", f"{FILES}/info?path=none", key=account.key)
                        + head("HEAD", f"{FILES}/download?path=a.txt", key=account.key)
                        + head("DELETE", f"{FILES}?path=a.txt", key=account.key)
                        + head("GET", FILES, key=account.key))
        assert connection.read_answer().data()["uploaded"] == ["a.txt"]
        assert connection.read_answer().status == 404
        assert connection.read_answer(head_only=True).headers["content-length"] == "5"
        assert connection.read_answer().status == 200
        assert connection.read_answer().data() == []


def test_keep_alive_and_close(account):
    with RawConnection(account.server) as connection:
        for _ in range(5):
            connection.send(head("GET", ACCOUNT, key=account.key)).read_answer().data()
        answer = connection.send(head("GET", ACCOUNT, "Connection: close", key=account.key)).read_answer()
        assert answer.data() and answer.headers["connection"].lower() == "close"
        assert connection.is_closed()


def test_http_1_0_closes_unless_asked_to_stay(account):
    def old(*headers):
        return request(f"GET {ACCOUNT} HTTP/1.0", f"X-API-Key: {account.key}", *headers)
    with RawConnection(account.server) as connection:
        assert connection.send(old()).read_answer().data()
        assert connection.is_closed()
    with RawConnection(account.server) as connection:
        for _ in range(2):
            assert connection.send(old("Connection: keep-alive")).read_answer().data()


def test_a_request_that_arrives_byte_by_byte(account):
    with RawConnection(account.server) as connection:
        for byte in head("GET", ACCOUNT, key=account.key):
            connection.send(bytes([byte]))
        assert connection.read_answer().data()["username"] == account.name


def test_empty_lines_before_a_request_are_skipped(account):
    with RawConnection(account.server) as connection:
        assert connection.send(b"\r\n" + head("GET", ACCOUNT, key=account.key)).read_answer().data()


def test_two_keys_are_not_a_choice(account):
    with RawConnection(account.server) as connection:
        answer = connection.send(head("GET", ACCOUNT, "X-API-Key: wrong", key=account.key)).read_answer()
        assert answer.status in (400, 401) and answer.error()


def test_an_answer_before_the_body_was_read_can_be_read(account):
    """No key, and a body far larger than any buffer: the 401 arrives although the client still sends."""
    with RawConnection(account.server) as connection:
        connection.send(head("POST", UPLOAD, "Content-Type: multipart/form-data; boundary=b", "Content-Length: 100000000"))
        answer = connection.read_answer()
        assert answer.status == 401 and answer.error()
        connection.try_send(b"x" * 100_000)
        assert connection.is_closed()


def test_a_small_refused_body_keeps_the_connection_in_step(account):
    with RawConnection(account.server) as connection:
        connection.send(head("GET", ACCOUNT, "Content-Length: 5", key=account.key) + b"GET /")
        assert connection.read_answer().data()
        connection.send(head("GET", ACCOUNT, key=account.key))
        assert connection.read_answer().data()


def test_an_unknown_expectation_is_refused_or_ignored(account):
    with RawConnection(account.server) as connection:
        answer = connection.send(head("GET", ACCOUNT, "Expect: miracles", key=account.key)).read_answer()
        assert answer.status in (200, 417)


def test_every_answer_has_a_request_id_and_a_date(account):
    with RawConnection(account.server) as connection:
        ids = set()
        for _ in range(3):
            answer = connection.send(head("GET", ACCOUNT, key=account.key)).read_answer()
            assert answer.headers["date"].endswith(" GMT")
            ids.add(answer.headers["x-request-id"])
        assert len(ids) == 3


def test_a_client_that_closes_in_the_middle_of_a_head(account):
    for data in (b"", b"G", b"GET /api", head("GET", ACCOUNT)[:-1]):
        with RawConnection(account.server) as connection:
            connection.send(data).end_sending()
            rest = connection.reader.read()
            assert rest == b"" or rest.startswith((b"HTTP/1.1 400", b"HTTP/1.1 408"))
    account.client.account().ok()


@pytest.fixture(scope="module")
def impatient(build_server):
    one = build_server(header_timeout_ms=200, idle_timeout_ms=200, stall_timeout_ms=200).start()
    one.account = one.add_account()
    one.key = one.create_key(one.account)["key"]
    yield one
    one.stop()


def asked(one, request, **more):
    """A connection on which an answer has begun. One before it may have been closed as idle while this process stood still."""
    def attempt():
        connection = RawConnection(one, **more)
        with contextlib.suppress(ConnectionError):
            if connection.send(request).reader.peek(1):
                return connection
        connection.close()
        return None

    return eventually(attempt, "the answer to begin")


def rest_of(connection):
    """What comes until the server closes, which it may have done before all was sent."""
    try:
        return connection.reader.read()
    except ConnectionResetError:
        return b""


def test_a_slow_head_is_cut_off(impatient):
    with RawConnection(impatient) as connection:
        rest = rest_of(connection.try_send(b"GET /api/v1/account HTTP/1.1\r\nHost: "))
        assert rest == b"" or rest.startswith(b"HTTP/1.1 408")


def test_an_idle_connection_is_closed(impatient):
    with asked(impatient, head("GET", ACCOUNT, key=impatient.key)) as connection:
        connection.read_answer().data()
        assert connection.is_closed()


def test_a_stalled_body_is_cut_off_and_leaves_nothing(impatient):
    elsewhere = impatient.files_elsewhere()
    with RawConnection(impatient) as connection:
        connection.try_send(head("POST", UPLOAD, "Content-Type: multipart/form-data; boundary=b", "Content-Length: 1000",
                                 key=impatient.key))
        connection.try_send(b'--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nhello')
        rest = rest_of(connection)
        if rest:
            line, _, tail = rest.partition(b"\r\n")
            assert line.split()[1] in (b"400", b"408")
            assert json.loads(tail.partition(b"\r\n\r\n")[2])["success"] is False
    assert list(impatient.files_of(impatient.account).iterdir()) == []
    assert impatient.files_elsewhere() <= elsewhere


def test_a_reader_that_stalls_is_cut_off(impatient):
    """Of what nobody pauses, such as a listing, which is in memory."""
    folder = impatient.files_of(impatient.account) / "crowd"
    folder.mkdir()
    for number in range(30_000):
        (folder / f"{number:05}{'n' * 200}").touch()
    with asked(impatient, head("GET", f"{FILES}?path=crowd", key=impatient.key), receive_bytes=4096) as connection:
        assert connection.reader.readline().startswith(b"HTTP/1.1 200")
        # The server gives up although nothing was read; what it had sent before is all there is.
        eventually(lambda: open_sockets(impatient) == 0, "the end of the stalled connection")


def open_sockets(one):
    """How many connections the server's process holds."""
    inodes = set()
    for descriptor in os.listdir(f"/proc/{one.process.pid}/fd"):
        try:
            target = os.readlink(f"/proc/{one.process.pid}/fd/{descriptor}")
        except FileNotFoundError:
            continue
        if target.startswith("socket:"):
            inodes.add(target[8:-1])
    with open(f"/proc/{one.process.pid}/net/tcp", encoding="ascii") as table:
        rows = [line.split() for line in table][1:]
    return sum(row[9] in inodes and row[1].endswith(f":{one.port:04X}") and row[3] == "01" for row in rows)
