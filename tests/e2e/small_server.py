"""HTTP servers of the tests that say what a test wants: they run on a thread, on a free port of loopback."""

import functools
import http.server
import threading


class SmallServer:
    """Serves from the beginning until it is closed, each request by an `answers` that knows it as `outer`."""

    answers = None  # A class beneath Answers.

    def __init__(self):
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(self.answers, self))
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    @property
    def port(self):
        return self._server.server_port

    def close(self):
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def __enter__(self):
        return self

    def __exit__(self, *failure):
        self.close()


class Answers(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def __init__(self, outer, *connection):
        self.outer = outer
        super().__init__(*connection)

    def answer(self, status, content, kind, *headers):
        self.send_response(status)
        for name, value in (("Content-Type", kind), ("Content-Length", str(len(content))), *headers):
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    def log_message(self, *what):
        pass
