"""A line to a store of objects that counts requests: a TCP proxy on loopback."""

import contextlib
import socket
import threading

METHODS = (b"GET /", b"PUT /", b"POST /", b"DELETE /", b"HEAD /")


class StoreLine:
    def __init__(self, port):
        self._target = ("127.0.0.1", port)
        self._lock = threading.Lock()
        self.requests = 0
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=256)
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                server = socket.create_connection(self._target)
                for end in (client, server):
                    end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                threading.Thread(target=self._move, args=(client, server, True), daemon=True).start()
                threading.Thread(target=self._move, args=(server, client, False), daemon=True).start()

    def _move(self, source, target, is_up):
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                if is_up and data.startswith(METHODS):  # A client waits for each answer before it asks again.
                    with self._lock:
                        self.requests += 1
                target.sendall(data)
        for end in (source, target):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def close(self):
        self._listener.close()
