"""Frames of HTTP/2 (RFC 9113) over TLS, for what no library would send."""

import socket
import ssl
import struct

import hpack

from server import PATIENCE_S

DATA, HEADERS, PRIORITY, RST_STREAM, SETTINGS, PUSH_PROMISE, PING, GOAWAY, WINDOW_UPDATE, CONTINUATION = range(10)
END_STREAM, ACK, END_HEADERS = 0x1, 0x1, 0x4
NO_ERROR, PROTOCOL_ERROR, REFUSED_STREAM, CANCEL, ENHANCE_YOUR_CALM = 0x0, 0x1, 0x7, 0x8, 0xB
INITIAL_WINDOW_SIZE = 4
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"


class Ended(Exception):
    """The server has ended the connection."""


class Answer:
    def __init__(self):
        self.interim, self.headers, self.body, self.is_whole, self.error = [], {}, b"", False, None

    @property
    def status(self):
        return int(self.headers.get(":status", 0))

    @property
    def is_over(self):
        return self.is_whole or self.error is not None


class Frames:
    """One connection. Streams are read as long as `read` is called; then windows are given back, unless `window` is set:
    that is what each stream may send in all."""

    def __init__(self, port, window=None, receive_bytes=None):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        context.set_alpn_protocols(["h2"])
        raw = socket.socket()
        if receive_bytes:
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_bytes)
        raw.settimeout(PATIENCE_S)
        raw.connect(("127.0.0.1", port))
        raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket = context.wrap_socket(raw, server_hostname="localhost")
        assert self.socket.selected_alpn_protocol() == "h2"
        self.window, self.gives_windows = window, window is None
        self.encoder, self.decoder = hpack.Encoder(), hpack.Decoder()
        self.answers, self.next_id, self.goaway = {}, 1, None
        self._received = b""
        settings = struct.pack(">HI", INITIAL_WINDOW_SIZE, window) if window is not None else b""
        self.socket.sendall(PREFACE + self.frame(SETTINGS, 0, 0, settings))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    @staticmethod
    def frame(kind, flags, stream, payload=b""):
        return struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload

    def send(self, kind, flags, stream, payload=b""):
        self.send_bytes(self.frame(kind, flags, stream, payload))

    def send_bytes(self, data):
        try:
            self.socket.sendall(data)
        except OSError as error:
            raise Ended from error

    def head(self, method, path, headers=(), **pseudo):
        fields = [(":method", method), (":scheme", "https"), (":path", path), (":authority", "localhost"),
                  *((f":{name}", value) for name, value in pseudo.items()), *dict(headers).items()]
        return self.encoder.encode(fields)

    def ask(self, method, path, headers=(), ends=True):
        """Begins a request; the number of its stream."""
        stream, self.next_id = self.next_id, self.next_id + 2
        self.answers[stream] = Answer()
        self.send(HEADERS, END_HEADERS | (END_STREAM if ends else 0), stream, self.head(method, path, headers))
        return stream

    def send_whole(self, method, path, headers, body, *after):
        """A request and its body in one piece, with frames of kinds and payloads `after` it; the number of its stream."""
        stream, self.next_id = self.next_id, self.next_id + 2
        self.answers[stream] = Answer()
        head = self.frame(HEADERS, END_HEADERS, stream, self.head(method, path, headers))
        rest = b"".join(self.frame(kind, 0, stream, payload) for kind, payload in after)
        self.send_bytes(head + self.frame(DATA, END_STREAM, stream, body) + rest)
        return stream

    def fetch(self, method, path, headers=()):
        return self.wait(self.ask(method, path, headers))

    def wait(self, stream):
        return self.read(lambda: self.answers[stream].is_over).answers[stream]

    def read(self, until):
        while not until():
            self.read_frame()
        return self

    def read_to_end(self):
        """Until the server ends the connection."""
        try:
            while True:
                self.read_frame()
        except Ended:
            return self

    def _take(self, size):
        while len(self._received) < size:
            try:
                data = self.socket.recv(65536)
            except TimeoutError:
                raise
            except OSError as error:
                raise Ended from error
            if not data:
                raise Ended
            self._received += data
        taken, self._received = self._received[:size], self._received[size:]
        return taken

    def read_frame(self):
        head = self._take(9)
        size, kind, flags = int.from_bytes(head[:3], "big"), head[3], head[4]
        stream, payload = int.from_bytes(head[5:], "big"), self._take(size)
        answer = self.answers.get(stream)
        if kind == SETTINGS and not flags & ACK:
            self.send(SETTINGS, ACK, 0)
        elif kind == PING and not flags & ACK:
            self.send(PING, ACK, 0, payload)
        elif kind == GOAWAY:
            self.goaway = int.from_bytes(payload[4:8], "big")
        elif kind == RST_STREAM and answer and not answer.is_whole:
            answer.error = int.from_bytes(payload, "big")
        elif kind == HEADERS:
            assert flags & END_HEADERS
            headers = dict(self.decoder.decode(payload))
            if answer and headers[":status"].startswith("1"):
                answer.interim.append(int(headers[":status"]))
            elif answer:
                answer.headers = headers
        elif kind == DATA and answer:
            answer.body += payload
            if payload and self.gives_windows:
                self.open_window(0, len(payload))
                self.open_window(stream, len(payload))
        if kind in (DATA, HEADERS) and flags & END_STREAM and answer:
            answer.is_whole = True
        return kind, flags, stream, payload

    def open_window(self, stream, size):
        self.send(WINDOW_UPDATE, 0, stream, struct.pack(">I", size))
