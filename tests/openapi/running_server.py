"""A server of its own for a test of the description."""

import contextlib
import json
import os
import socket
import subprocess
import time
import urllib.request


class RunningServer:
    def __init__(self, folder, port):
        self.folder, self.url = folder, f"http://127.0.0.1:{port}"

    def command(self, *arguments):
        run = [os.environ["COFFER_BIN"], *arguments, "--data", self.folder / "data"]
        return subprocess.run(run, capture_output=True, text=True, check=True, env=plain_environment()).stdout

    def key_of_new_account(self, name):
        self.command("account", "add", name)
        return json.loads(self.command("key", "create", "--account", name, "--name", "test", "--json"))["key"]

    def description(self):
        with urllib.request.urlopen(f"{self.url}/api/openapi.json", timeout=60) as answer:
            return json.load(answer)


def plain_environment():
    return {key: value for key, value in os.environ.items() if not key.startswith("COFFER_")}


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextlib.contextmanager
def running_server(folder):
    """Started and listening; it is stopped behind the block."""
    port, log_file = free_port(), folder / "log"
    command = [os.environ["COFFER_BIN"], "serve", "--data", folder / "data", "--listen", f"127.0.0.1:{port}"]
    with open(log_file, "w") as log, subprocess.Popen(command, stdout=log, stderr=log,
                                                      env=plain_environment()) as process:
        try:
            deadline = time.monotonic() + 60
            while not listens(port):
                assert process.poll() is None and time.monotonic() < deadline, log_file.read_text()
                time.sleep(0.05)
            yield RunningServer(folder, port)
        finally:
            process.terminate()
            process.wait(60)


def listens(port):
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
    except OSError:
        return False
    return True
