"""A small balancer: each connection goes to the next server that says to be ready."""

import contextlib
import http.client
import selectors
import socket
import threading

PIECE_BYTES = 64 * 1024


class Balancer:
    """`places` returns the (address, port) of each server, or None of one that does not run."""

    PERIOD_S = 1
    PATIENCE_S = 2

    def __init__(self, places, address):
        self._places, self._ready, self._next = places, [], 0
        self._is_over = threading.Event()
        self._listener = socket.create_server((address, 0), backlog=64)
        self.address, self.port = address, self._listener.getsockname()[1]
        for work in (self._look, self._accept):
            threading.Thread(target=work, daemon=True).start()

    def close(self):
        self._is_over.set()
        self._listener.close()

    def _look(self):
        while not self._is_over.is_set():
            self._ready = [place for place in self._places() if place and self._is_ready(place)]
            self._is_over.wait(self.PERIOD_S)

    def _is_ready(self, place):
        connection = http.client.HTTPConnection(*place, timeout=self.PATIENCE_S)
        try:
            connection.request("GET", "/health/ready")
            return connection.getresponse().status == 200
        except OSError:
            return False
        finally:
            connection.close()

    def _accept(self):
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _connected(self):
        ready = self._ready
        for _ in ready:
            self._next += 1
            with contextlib.suppress(OSError):
                return socket.create_connection(ready[self._next % len(ready)], timeout=self.PATIENCE_S)
        return None

    def _serve(self, client):
        server = self._connected()
        with contextlib.ExitStack() as ends:
            ends.callback(client.close)
            if server is None:
                return
            ends.callback(server.close)
            server.settimeout(None)
            with contextlib.suppress(OSError), selectors.DefaultSelector() as waiting:
                waiting.register(client, selectors.EVENT_READ, server)
                waiting.register(server, selectors.EVENT_READ, client)
                while True:
                    for ready, _ in waiting.select():
                        data = ready.fileobj.recv(PIECE_BYTES)
                        if not data:
                            return  # Clients here end what they have begun before they close.
                        ready.data.sendall(data)
