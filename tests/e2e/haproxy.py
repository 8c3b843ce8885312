"""A real HAProxy in front of several servers, with the file of deploy/systemd."""

import os
import re
import shutil
import signal
import socket
import ssl
import subprocess

import requests

from remote_servers import accepts, free_port
from server import DIES_WITH_US, PATIENCE_S, REPOSITORY, eventually

LINES = (REPOSITORY / "deploy/systemd/haproxy.cfg").read_text()
PROGRAM = shutil.which("haproxy", path=f"{os.environ['PATH']}:/usr/sbin")


def replaced(text, pattern, value):
    """Each place must be there, so that the file that is tested is the one that is shipped."""
    changed, count = re.subn(pattern, value, text, flags=re.M)
    assert count, pattern
    return changed


class Balancer:
    """Serves the nodes over TLS. It has a URL and secrets, as servers have, and what clients need to trust it."""

    def __init__(self, folder, nodes):
        assert PROGRAM, "no haproxy: run script/setup first"
        self.folder, self.nodes, self.secrets = folder, nodes, set()
        folder.mkdir()
        self.certificate = folder / "certificate.pem"
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", folder / "key.pem", "-out",
                        self.certificate, "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"],
                       check=True, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        (folder / "coffer.pem").write_text(self.certificate.read_text() + (folder / "key.pem").read_text())
        self.tls = ssl.create_default_context(cafile=str(self.certificate))
        eventually(self.begin, "HAProxy serves")

    def settings(self):
        text = LINES
        for pattern, value in (
                (r"^    bind :80$", f"    bind 127.0.0.1:{self.plain_port}"), (r"bind :443", f"bind 127.0.0.1:{self.port}"),
                (r"/etc/haproxy/coffer\.pem", str(self.folder / "coffer.pem")), (r"/dev/log local0", "stdout format raw local0"),
                (r"^    (user|group) haproxy\n", ""), (r"/run/haproxy/admin\.sock", str(self.folder / "admin.sock"))):
            text = replaced(text, pattern, value)
        for number, node in enumerate(self.nodes, 1):
            text = replaced(text, rf"10\.0\.0\.1{number}:8080", f"127.0.0.1:{node.port}")
        return text

    def begin(self):
        """False if another process has taken a port meanwhile."""
        self.port, self.plain_port = free_port(), free_port()
        (self.folder / "haproxy.cfg").write_text(self.settings())
        with self.log_file.open("ab") as log:
            self.process = subprocess.Popen([*DIES_WITH_US, PROGRAM, "-db", "-f", str(self.folder / "haproxy.cfg")],
                                            stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        eventually(lambda: self.process.poll() is not None or accepts(self.port), "HAProxy serves or ends")
        if self.process.poll() is None:
            return True
        assert "cannot bind socket" in self.log(), self.log()
        return False

    @property
    def log_file(self):
        return self.folder / "log"

    def log(self):
        return self.log_file.read_text(errors="replace")

    @property
    def url(self):
        return f"https://localhost:{self.port}"

    def trusted(self, session):
        session.trust_env, session.verify = False, str(self.certificate)
        return session

    def get(self, path):
        return self.trusted(requests.Session()).get(self.url + path, timeout=PATIENCE_S)

    def states(self):
        """Whether each server is up, by its name in the backend `ready`."""
        with socket.socket(socket.AF_UNIX) as asked:
            asked.settimeout(PATIENCE_S)
            asked.connect(str(self.folder / "admin.sock"))
            asked.sendall(b"show stat\n")
            rows = [line.split(",") for line in asked.makefile().read().splitlines()]
        names = rows[0]
        found = [dict(zip(names, row)) for row in rows[1:] if len(row) > 1]
        return {row["svname"]: row["status"] for row in found if row["# pxname"] == "ready" and row["svname"] != "BACKEND"}

    def is_up(self, number):
        return self.states()[f"node{number + 1}"].startswith("UP")

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(PATIENCE_S)

