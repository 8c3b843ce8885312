"""A client of /api/v2/events over a bare socket, which reads them as the WHATWG's HTML standard says."""

import json
import socket
import time
import urllib.parse

from server import PATIENCE_S


class EventStream:
    """One connection, begun: what changes from now on is told. `who` has the header lines of the caller; nothing may take
    longer than `patience_s`."""

    def __init__(self, server, who, *folders, last_id=None, receive_bytes=None, version="1.1", address="127.0.0.1",
                 patience_s=PATIENCE_S):
        query = urllib.parse.urlencode([("folder", folder) for folder in folders])
        headers = {**who, "Accept": "text/event-stream"}
        if last_id is not None:
            headers["Last-Event-ID"] = last_id
        self.socket = socket.socket()
        if receive_bytes:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_bytes)
        self.socket.settimeout(patience_s)
        self.socket.connect((address, server.port))
        if tls := getattr(server, "tls", None):
            self.socket = tls.wrap_socket(self.socket, server_hostname="localhost")
        lines = [f"GET /api/v2/events?{query} HTTP/{version}", "Host: localhost", *(f"{name}: {value}" for name, value in headers.items())]
        self.socket.sendall("\r\n".join((*lines, "", "")).encode())
        self.file = self.socket.makefile("rb")
        self.status = int(self.file.readline().split()[1])
        self.headers = {}
        while (line := self.file.readline().strip()):
            name, _, value = line.decode().partition(":")
            self.headers[name.lower()] = value.strip()
        self.is_chunked = self.headers.get("transfer-encoding") == "chunked"
        self.last_id, self.retry = last_id, None
        self._text, self._first, self.is_whole, self.blanks = "", True, False, 0
        if self.status != 200:
            self.problem = json.loads(self.file.read(int(self.headers["content-length"])))
            return
        assert self.headers["content-type"] == "text/event-stream" and self.headers["cache-control"] == "no-store", self.headers
        assert self.headers["x-accel-buffering"] == "no" and "content-encoding" not in self.headers, self.headers
        assert self._block() is None and self.retry, "the first block has the id alone"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.file.close()
        self.socket.close()

    def _more(self):
        """False at the end."""
        if not self.is_chunked:
            got = self.file.read1(65536)
            self._text += got.decode()
            return bool(got)
        size = self.file.readline()
        if not size or size == b"0\r\n":
            self.is_whole = bool(size)
            return False
        data = self.file.read(int(size, 16) + 2)
        assert data.endswith(b"\r\n"), data
        self._text += data[:-2].decode()
        return True

    def _block(self):
        """An event, None where the block has none, False at the end."""
        while "\n\n" not in self._text:
            if not self._more():
                return False
        block, _, self._text = self._text.partition("\n\n")
        kind, data = "message", []
        for line in block.split("\n"):
            name, _, value = line.partition(":")
            value = value.removeprefix(" ")
            if name == "event":
                kind = value
            elif name == "data":
                data.append(value)
            elif name == "id":
                self.last_id = value
            elif name == "retry":
                self.retry = int(value)
        return (kind, json.loads("\n".join(data))) if data else None

    def next(self):
        """The next event; None at the end."""
        end = time.monotonic() + PATIENCE_S
        while (event := self._block()) is None:
            assert time.monotonic() < end, "nothing was told"
            self.blanks += 1  # That the line stands, and where.
        return event or None

    def wait_for(self, kind, **data):
        """Reads on until such an event has come; all that came before it."""
        before = []
        while (event := self.next()) != (kind, data):
            assert event, f"the stream ended before {kind} {data}: {before}"
            before.append(event)
        return before

    def folder(self, path):
        return self.wait_for("folder", path=path)

    def read_to_end(self):
        """What came until the server ended it in order."""
        events = []
        while (event := self.next()) is not None:
            events.append(event)
        assert self.is_whole or not self.is_chunked, events
        return events


def by_key(key):
    return {"X-API-Key": key}


def by_session(person):
    return {"Cookie": f"coffer_session={person.cookie}"}
