"""The store of the bed: Ceph's gateway behind a line that can be made to break."""

import hashlib
import http.server
import pathlib
import tempfile
import threading

import network
from drive_servers import rclone
from faulty_line import DOWN, UP, FaultyLine
from object_store import ObjectStore

BUSY = (b'<?xml version="1.0" encoding="UTF-8"?><Error><Code>SlowDown</Code><Message>Please reduce your request rate.</Message>'
        b"</Error>")


class Busy(http.server.BaseHTTPRequestHandler):
    """A store that says to come again later."""

    protocol_version = "HTTP/1.1"

    def answer(self):
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.send_response(503)
        self.send_header("Content-Type", "application/xml")
        self.send_header("Content-Length", str(len(BUSY)))
        self.end_headers()
        self.wfile.write(BUSY)

    do_GET = do_PUT = do_POST = do_DELETE = do_HEAD = answer

    def log_message(self, *_):
        pass


class BusyServer(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_):
        pass  # Who asked is gone.


class Store:
    def __init__(self):
        self.real = ObjectStore()
        self.line = FaultyLine(self.real.server.port, address=network.HERE)
        self.settings = self.real.new_bucket()
        self.bucket = self.settings["objects_bucket"]
        self.settings["objects_endpoint"] = f"http://{network.HERE}:{self.line.port}"
        self.busy = BusyServer(("127.0.0.1", 0), Busy)
        threading.Thread(target=self.busy.serve_forever, daemon=True).start()

    @property
    def port(self):
        return self.line.port

    # Faults, until `mend`

    def kill(self):
        self.real.server.stop()

    def slow(self):
        self.line.slow(64 * 1024, 0.05)

    def be_busy(self):
        self.line.target = self.busy.server_port
        self.line.drop()  # What is connected, too.
        self.line.mend()

    def truncate(self):
        self.line.fault("truncate", after=20_000, direction=DOWN, times=1000)

    def lose_answers(self):
        """Some of the answers to what took effect."""
        self.line.fault("lose reply", after=60_000, direction=UP, times=1000)

    def mend(self):
        if self.line.target != self.real.server.port:
            self.line.target = self.real.server.port
            self.line.drop()
        if self.real.server.process.poll() is not None:
            self.real.server.start()
        self.line.mend()

    # What is in it

    def objects(self):
        """The sizes by keys."""
        return self.real.objects(self.settings)

    def hashes(self):
        """Of the bytes of all objects, by keys."""
        with tempfile.TemporaryDirectory(prefix="coffer-bucket-") as folder:
            rclone("copy", f"there:{self.bucket}", folder, parameters=self.real.server.remote())
            top = pathlib.Path(folder)
            return {str(file.relative_to(top)): hashlib.sha256(file.read_bytes()).hexdigest()
                    for file in top.rglob("*") if file.is_file()}

    def close(self):
        self.busy.shutdown()
        self.line.stop()
        self.real.close()
