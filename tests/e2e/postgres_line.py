"""A line to PostgreSQL that can be made to break: a proxy from one Unix socket to another."""

import contextlib
import pathlib
import socket
import tempfile
import threading

SOCKET = ".s.PGSQL.5432"
PIECE_BYTES = 64 * 1024


class Statements:
    """What a client asks PostgreSQL for, read from the bytes that it sends ("Message Formats", section 55.7 of its manual)."""

    def __init__(self):
        self._bytes = b""
        self._has_begun = False
        self._prepared = {}  # Texts by the names of statements.

    def read(self, data):
        """The texts of the statements that are executed by what has come, and the number of answers that are waited for."""
        self._bytes += data
        texts, waits = [], 0
        while message := self._next():
            kind, body = message
            if kind == b"P":
                name, text = body.split(b"\0")[:2]
                self._prepared[name] = text
            elif kind == b"B":
                texts.append(self._prepared[body.split(b"\0")[1]])
            elif kind == b"Q":
                texts.append(body.rstrip(b"\0"))
            waits += kind in (b"Q", b"S")
        return texts, waits

    def _next(self):
        head = 1 if self._has_begun else 0  # The first message has no letter.
        if len(self._bytes) < head + 4:
            return None
        end = head + int.from_bytes(self._bytes[head:head + 4], "big")
        if len(self._bytes) < end:
            return None
        message = self._bytes[:head], self._bytes[head + 4:end]
        self._bytes, self._has_begun = self._bytes[end:], True
        return message


class PostgresLine:
    def __init__(self, postgres):
        self._folder = tempfile.TemporaryDirectory(prefix="coffer-line-")
        self.folder = pathlib.Path(self._folder.name)
        self._target = str(postgres.folder / SOCKET)
        self._lock = threading.Lock()
        self._may_pass = threading.Event()
        self._may_pass.set()
        self._armed = None  # Of what the next commit is cut.
        self._is_away = threading.Event()
        self.cuts = 0
        self.refused = 0  # Connections, while it is away.
        self.trips = 0  # The answers that clients have waited for.
        self._ends = set()
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(self.folder / SOCKET))
        self._listener.listen(64)
        threading.Thread(target=self._accept, daemon=True).start()

    def url(self, url):
        """The database of `url`, which names the server itself, by this line."""
        return url.partition("?")[0] + f"?host={self.folder}"

    def cut_after_a_commit(self, of=b"UPDATE quota_usage", stays_away=False):
        """The next commit of such a statement reaches the server; that it was done is never heard of. `stays_away`: nothing
        can be connected afterwards, until `resume`."""
        with self._lock:
            self._armed = of, stays_away

    def stall(self):
        """Nothing passes any more, and no connection ends."""
        self._may_pass.clear()

    def resume(self):
        self._is_away.clear()
        self._may_pass.set()

    def close(self):
        self._listener.close()
        self.resume()
        self.cut()
        self._folder.cleanup()

    def cut(self):
        """Ends all connections; what the server has had it goes on with."""
        with self._lock:
            ends, self._ends = self._ends, set()
        for end in ends:
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def _accept(self):
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                if self._is_away.is_set():
                    self.refused += 1
                    client.close()
                    continue
                server = socket.socket(socket.AF_UNIX)
                try:
                    server.connect(self._target)
                except OSError:
                    client.close()
                    continue
                with self._lock:
                    self._ends |= {client, server}
                threading.Thread(target=self._move, args=(client, server, True), daemon=True).start()
                threading.Thread(target=self._move, args=(server, client, False), daemon=True).start()

    def _takes_commit(self, texts):
        """Of a transaction of these statements."""
        with self._lock:
            if not self._armed or not any(self._armed[0] in text for text in texts):
                return False
            if self._armed[1]:
                self._is_away.set()
            self._armed = None
            return True

    def _move(self, source, target, is_up):
        in_transaction = []
        statements = Statements()
        with contextlib.suppress(OSError):
            while data := source.recv(PIECE_BYTES):
                self._may_pass.wait()
                texts, waits = statements.read(data) if is_up else ([], 0)
                with self._lock:
                    self.trips += waits
                in_transaction += texts
                if b"COMMIT" in texts:
                    if self._takes_commit(in_transaction):
                        self._lose_the_answer(source, target, data)
                        break
                    in_transaction = []
                target.sendall(data)
        with self._lock:
            self._ends -= {source, target}
        for end in (source, target):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def _lose_the_answer(self, client, server, data):
        self.cuts += 1  # First: what follows from it may be asked for at once.
        # The client's side ends first, so that what the server answers reaches no client.
        client.shutdown(socket.SHUT_RDWR)
        server.sendall(data)
        server.shutdown(socket.SHUT_WR)
