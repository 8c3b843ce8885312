"""HTTP over a bare socket, for what no library would send."""

import json
import pathlib
import socket

from server import PATIENCE_S


class RawAnswer:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    def error(self):
        """The message, once the envelope has been checked."""
        body = json.loads(self.body)
        assert set(body) == {"success", "error"} and body["success"] is False, body
        assert isinstance(body["error"], str) and body["error"], body
        return body["error"]

    def data(self):
        assert self.status == 200, self
        body = json.loads(self.body)
        assert set(body) == {"success", "data"} and body["success"] is True, body
        return body["data"]

    def __repr__(self):
        return f"{self.status} {self.headers} {self.body[:300]!r}"


class RawConnection:
    def __init__(self, server, receive_bytes=None):
        self.socket = socket.socket()
        if receive_bytes:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_bytes)
        self.socket.settimeout(PATIENCE_S)
        self.socket.connect(("127.0.0.1", server.port))
        self.reader = self.socket.makefile("rb")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.reader.close()
        self.socket.close()

    def send(self, data):
        self.socket.sendall(data if isinstance(data, bytes) else data.encode())
        return self

    def try_send(self, data):
        """Sends as far as the other side takes it."""
        try:
            self.send(data)
        except (BrokenPipeError, ConnectionResetError):
            pass
        return self

    def all_is_taken(self):
        """Whether the server has read what was sent, as far as the system knows."""
        ours, theirs = (f"0100007F:{port:04X}" for _, port in (self.socket.getsockname(), self.socket.getpeername()))
        lines = [line.split() for line in pathlib.Path("/proc/net/tcp").read_text().splitlines()[1:]]
        waiting = [line[4] for line in lines if {line[1], line[2]} == {ours, theirs}]
        return len(waiting) == 2 and set(waiting) == {"00000000:00000000"}

    def end_sending(self):
        self.socket.shutdown(socket.SHUT_WR)
        return self

    def read_answer(self, head_only=False):
        line = self.reader.readline()
        assert line.startswith(b"HTTP/1.1 "), f"no status line: {line!r}"
        status = int(line.split()[1])
        headers = {}
        while (line := self.reader.readline()) not in (b"\r\n", b""):
            name, _, value = line.decode("latin-1").partition(":")
            headers[name.lower()] = value.strip()
        if status < 200 or status in (204, 304) or head_only:
            return RawAnswer(status, headers, b"")
        if headers.get("transfer-encoding") == "chunked":
            return RawAnswer(status, headers, self._read_chunks())
        length = int(headers["content-length"])
        body = self.reader.read(length)
        assert len(body) == length, "the answer was cut off"
        return RawAnswer(status, headers, body)

    def _read_chunks(self):
        body = b""
        while size := int(self.reader.readline().split(b";")[0], 16):
            body += self.reader.read(size)
            self.reader.readline()
        self.reader.readline()
        return body

    def is_closed(self):
        """Waits for the other side: true if it closes without sending more."""
        try:
            return self.reader.read(1) == b""
        except ConnectionResetError:
            return True


def head(method, target, *headers, key=None):
    lines = [f"{method} {target} HTTP/1.1", "Host: 127.0.0.1", *headers]
    if key:
        lines.append(f"X-API-Key: {key}")
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def chunk(data):
    return f"{len(data):x}\r\n".encode() + data + b"\r\n"


LAST_CHUNK = b"0\r\n\r\n"
