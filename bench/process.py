"""The two servers that are measured, and what the kernel says of them."""

import base64
import contextlib
import http.client
import json
import os
import pathlib
import resource
import signal
import socket
import subprocess
import time
import urllib.parse

PASSWORD = "correct horse battery"
TICKS = os.sysconf("SC_CLK_TCK")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def memory_mib(pid, what):
    lines = pathlib.Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith(what + ":"))


def fetch(port, method, target, headers, body=None, status=200):
    """What is answered over a new connection, and seconds until all of it is there."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=600)
    start = time.monotonic()
    connection.request(method, target, body, headers)
    answer = connection.getresponse()
    content = answer.read()
    seconds = time.monotonic() - start
    connection.close()
    if answer.status != status:
        raise RuntimeError(f"{method} {target}: {answer.status} {content[:300]!r}")
    return content, seconds


class Process:
    """A server on a port of this machine."""

    def start(self, command, **environment):
        soft = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, soft))
        self.log = open(self.folder / "log", "ab")
        self.process = subprocess.Popen(
            [str(word) for word in command], stdout=self.log, stderr=self.log, env={**os.environ, **environment}
        )
        end = time.monotonic() + 60
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return
            except OSError:
                if self.process.poll() is not None or time.monotonic() > end:
                    raise RuntimeError(f"did not start: {(self.folder / 'log').read_text()[-2000:]}") from None
                time.sleep(0.02)

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(120)  # Coffer gives running work twice its `stop_timeout_ms`, a minute.
        self.log.close()

    def pids(self):
        """Of it and of its children. The kernel tells them for each thread, of which some may just have ended."""
        children = []
        for thread in pathlib.Path(f"/proc/{self.process.pid}/task").iterdir():
            with contextlib.suppress(FileNotFoundError, ProcessLookupError):
                children += (thread / "children").read_text().split()
        return [self.process.pid, *map(int, children)]

    def cpu_seconds(self):
        total = 0
        for pid in self.pids():
            fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            total += int(fields[11]) + int(fields[12])
        return total / TICKS

    def memory_mib(self, what="VmRSS"):
        return memory_mib(self.process.pid, what)

    def reset_peak(self):
        pathlib.Path(f"/proc/{self.process.pid}/clear_refs").write_text("5")

    def wait_until_idle(self):
        """Waits until half a second went by without work, so that one run's rest is not in the next."""
        before = -1.0
        while before != (now := self.cpu_seconds()):
            before = now
            time.sleep(0.5)

    def request(self, method, route, key=None, **query):
        """Seconds until the whole answer is there."""
        target = route + ("?" + urllib.parse.urlencode(query) if query else "")
        return fetch(self.port, method, target, {"X-API-Key": key} if key else {})[1]


class Coffer(Process):
    def __init__(self, program, folder, durability, access_log, **settings):
        self.folder, self.port, self._program, self._mounts = folder, free_port(), program, {}
        self.tls_port = int(settings["tls_listen"].rpartition(":")[2]) if "tls_listen" in settings else None
        self.settings = {f"COFFER_{name.upper()}": str(value) for name, value in settings.items()}
        folder.mkdir(parents=True)
        data = ["--data", folder / "data"]
        self._accounts = {}
        self.key, self.files = self._add_account("bench")
        self.start(
            [program, "serve", *data, "--listen", f"127.0.0.1:{self.port}"],
            COFFER_ACCESS_LOG="true" if access_log else "false",
            COFFER_LOG_LEVEL="info" if access_log else "warning",
            COFFER_DURABILITY=durability,
            **self.settings,
        )

    def _run(self, *command, stdin=""):
        return subprocess.run(
            [str(word) for word in command], check=True, input=stdin, capture_output=True, text=True, env={**os.environ, **self.settings}
        ).stdout

    def mount(self, remote, secret="any password"):
        """Where a server of the end-to-end tests is in the tree; mounted when first asked for."""
        if remote not in self._mounts:
            command = [self._program, "connector", "add", "--account", "bench", "--name", remote.kind, "--json"]
            added = self._run(*command, "--data", self.folder / "data", *remote.options(), stdin=f"{secret}\n")
            self._mounts[remote] = f"__conn_{json.loads(added)['id']}"
        return self._mounts[remote]

    def account(self, name):
        """Another account of the same server, made when first asked for."""
        if name not in self._accounts:
            self._accounts[name] = Account(*self._add_account(name))
        return self._accounts[name]

    def _add_account(self, name):
        data = ["--data", self.folder / "data"]
        added = self._run(self._program, "account", "add", name, "--json", *data)
        created = self._run(self._program, "key", "create", "--account", name, "--name", "bench", "--json", *data)
        return json.loads(created)["key"], pathlib.Path(json.loads(added)["homeFolder"])

    def person(self, name):
        """An account that signs in with a password."""
        self._run(self._program, "account", "add", name, "--password-stdin", "--data", self.folder / "data", stdin=PASSWORD)

    def sign_in(self, name):
        body = json.dumps({"userName": name, "password": PASSWORD})
        return fetch(self.port, "POST", "/api/v2/session", {"Content-Type": "application/json"}, body)[1]

    def call(self, method, route, **query):
        return self.request(method, "/api/v1" + route, self.key, **query)

    def head(self, method, path, body_bytes=None, kind=None):
        return _api_head(self.key, method, path, body_bytes, kind)

    def people_request(self, method, path, body=b"", kind="application/json"):
        """A whole request of /api/v2 that ends its connection."""
        lines = [f"{method} /api/v2{path} HTTP/1.1", "Host: 127.0.0.1", f"X-API-Key: {self.key}", "Connection: close"]
        return _head(lines, len(body), kind if body else None) + body

    def tus_head(self, name, size):
        """Of a resumable upload whose creation brings all its bytes."""
        metadata = "filename " + base64.b64encode(name.encode()).decode()
        lines = ["POST /api/v2/uploads HTTP/1.1", "Host: 127.0.0.1", f"X-API-Key: {self.key}", "Tus-Resumable: 1.0.0",
                 f"Upload-Length: {size}", f"Upload-Metadata: {metadata}"]
        return _head(lines, size, "application/offset+octet-stream")


class Account:
    """One more account of a Coffer."""

    def __init__(self, key, files):
        self.key, self.files = key, files

    def head(self, method, path, body_bytes=None, kind=None):
        return _api_head(self.key, method, path, body_bytes, kind)


class Nginx(Process):
    def __init__(self, folder, certificate=None, key=None):
        self.folder, self.port = folder, free_port()
        self.files = folder / "root"
        self.files.mkdir(parents=True)
        by_tls = ""
        if certificate:
            self.tls_port = free_port()
            by_tls = (f"listen 127.0.0.1:{self.tls_port} ssl backlog=4096; ssl_certificate {certificate}; ssl_certificate_key {key}; "
                      "ssl_protocols TLSv1.2 TLSv1.3; ")
        (folder / "nginx.conf").write_text(
            f"""daemon off; worker_processes {os.cpu_count()}; pid {folder}/pid; error_log {folder}/log;
{'user root;' if os.getuid() == 0 else ''}
events {{ worker_connections 20000; }}
http {{
  access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000000; keepalive_timeout 300;
  client_max_body_size 0; client_body_temp_path {folder}/body; proxy_temp_path {folder}/t1;
  fastcgi_temp_path {folder}/t2; uwsgi_temp_path {folder}/t3; scgi_temp_path {folder}/t4;
  server {{ listen 127.0.0.1:{self.port} backlog=4096; {by_tls}root {self.files}; location / {{ dav_methods PUT; }} }}
}}
"""
        )
        self.start(["/usr/sbin/nginx", "-p", folder, "-c", folder / "nginx.conf"])

    def head(self, method, path, body_bytes=None):
        return _head([f"{method} {path} HTTP/1.1", "Host: 127.0.0.1"], body_bytes, None)


def _api_head(key, method, path, body_bytes, kind):
    lines = [f"{method} /api/v1{path} HTTP/1.1", "Host: 127.0.0.1", f"X-API-Key: {key}"]
    return _head(lines, body_bytes, kind)


def _head(lines, body_bytes, kind):
    if kind:
        lines.append(f"Content-Type: {kind}")
    if body_bytes is not None:
        lines.append(f"Content-Length: {body_bytes}")
    return "\r\n".join([*lines, "", ""]).encode()
