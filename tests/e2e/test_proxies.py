"""The proxies of deploy/proxies in front of a server: files pass, clients have their own addresses, and cannot choose others."""

import os
import re
import shutil
import subprocess

import pytest
import requests
from requests.adapters import HTTPAdapter

from haproxy import replaced
from people import PASSWORD
from remote_servers import accepts, free_port
from server import DIES_WITH_US, PATIENCE_S, REPOSITORY, eventually

FILES = REPOSITORY / "deploy/proxies"
# Not that of the proxy, which the server trusts.
CLIENT = "127.0.0.2"
FORGED = "203.0.113.9"


class FromAddress(HTTPAdapter):
    def init_poolmanager(self, *arguments, **more):
        super().init_poolmanager(*arguments, source_address=(CLIENT, 0), **more)


class Proxy:
    """Serves a server over TLS by one of the files, changed as little as it takes on this machine."""

    def __init__(self, kind, folder, server):
        self.kind, self.folder, self.server, self.secrets = kind, folder, server, set()
        folder.mkdir()
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", folder / "key.pem", "-out",
                        folder / "certificate.pem", "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"],
                       check=True, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.certificate = folder / "certificate.pem"
        eventually(self.begin, f"{kind} serves")

    def begin(self):
        """False if another process has taken a port meanwhile."""
        self.port, self.plain_port = free_port(), free_port()
        command = {"nginx": self.nginx, "haproxy": self.haproxy, "caddy": self.caddy}[self.kind]()
        with (self.folder / "log").open("wb") as log:
            self.process = subprocess.Popen([*DIES_WITH_US, *map(str, command)], stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                            env={**os.environ, "HOME": str(self.folder), "XDG_DATA_HOME": str(self.folder)})
        eventually(lambda: self.process.poll() is not None or accepts(self.port), "the proxy serves or ends")
        if self.process.poll() is None:
            return True
        log = (self.folder / "log").read_text()
        assert re.search("in use|cannot bind", log), log
        return False

    def text(self, name):
        return replaced((FILES / name).read_text(), r"127\.0\.0\.1:8080", f"127.0.0.1:{self.server.port}")

    def nginx(self):
        folder = self.folder
        text = replaced(self.text("nginx.conf"), r"^    listen \[::\].*\n", "")
        text = replaced(replaced(text, r"listen 80;", f"listen 127.0.0.1:{self.plain_port};"), r"listen 443 ", f"listen 127.0.0.1:{self.port} ")
        text = replaced(text, r"/etc/\S+/fullchain\.pem", str(self.certificate))
        text = replaced(text, r"/etc/\S+/privkey\.pem", str(folder / "key.pem"))
        places = "".join(f"{kind}_temp_path {folder}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        (folder / "nginx.conf").write_text(f"daemon off; master_process off; pid {folder}/pid; error_log stderr;\nevents {{}}\n"
                                           f"http {{\naccess_log off;\n{places}{text}\n}}\n")
        return [program("nginx"), "-p", folder, "-c", folder / "nginx.conf"]

    def haproxy(self):
        text = replaced(self.text("haproxy.cfg"), r"bind :443", f"bind 127.0.0.1:{self.port}")
        text = replaced(text, r"^    bind :80$", f"    bind 127.0.0.1:{self.plain_port}")
        text = replaced(replaced(text, r"/dev/log local0", "stdout format raw local0"), r"^    (user|group) haproxy\n", "")
        text = replaced(text, r"/etc/haproxy/coffer\.pem", str(self.folder / "coffer.pem"))
        (self.folder / "coffer.pem").write_text(self.certificate.read_text() + (self.folder / "key.pem").read_text())
        (self.folder / "haproxy.cfg").write_text(text)
        return [program("haproxy"), "-db", "-f", self.folder / "haproxy.cfg"]

    def caddy(self):
        """Its own certificates take an ACME server, so it is given one here."""
        text = replaced(self.text("Caddyfile"), r"^files\.example\.org \{$", f"https://localhost:{self.port} {{\n\tbind 127.0.0.1\n"
                        f"\ttls {self.certificate} {self.folder}/key.pem")
        options = f"{{\n\tadmin off\n\thttp_port {self.plain_port}\n}}\n"
        (self.folder / "Caddyfile").write_text(options + text)
        return [program("caddy"), "run", "--adapter", "caddyfile", "--config", self.folder / "Caddyfile"]

    @property
    def url(self):
        return f"https://localhost:{self.port}"

    def session(self):
        made = requests.Session()
        made.trust_env, made.verify = False, str(self.certificate)
        made.mount("https://", FromAddress())
        made.mount("http://", FromAddress())
        return made

    def stop(self):
        self.process.terminate()
        self.process.wait(PATIENCE_S)


def program(name):
    found = shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin")
    assert found, f"no {name}: run script/setup first"
    return found


@pytest.fixture(scope="module")
def server(build_server):
    made = build_server(trusted_proxies=["127.0.0.1"]).start()
    yield made
    made.stop()


@pytest.fixture(scope="module", params=["nginx", "haproxy", "caddy"])
def proxy(request, server, tmp_path_factory):
    made = Proxy(request.param, tmp_path_factory.mktemp("proxy") / "it", server)
    yield made
    made.stop()


@pytest.fixture
def account(server):
    name = server.add_account(password=PASSWORD)
    return name, server.create_key(name)["key"]


def test_files_of_any_size_pass_both_ways(proxy, account):
    http, key = proxy.session(), {"X-API-Key": account[1]}
    content = os.urandom(12 << 20)
    sent = http.post(f"{proxy.url}/api/v1/files/upload", files={"file": ("large.bin", content)}, headers=key, timeout=PATIENCE_S)
    assert sent.status_code == 200 or sent.status_code == 201, sent.text
    got = http.get(f"{proxy.url}/api/v1/files/download", params={"path": "large.bin"}, headers=key, timeout=PATIENCE_S)
    assert got.content == content


def test_clients_have_their_own_address_and_cannot_choose_another(proxy, account):
    http = proxy.session()
    signed = http.post(f"{proxy.url}/api/v2/session", json={"userName": account[0], "password": PASSWORD},
                       headers={"Origin": proxy.url, "X-Forwarded-For": FORGED, "X-Forwarded-Proto": "http", "Forwarded": f"for={FORGED}"},
                       timeout=PATIENCE_S)
    assert signed.status_code in (200, 201), signed.text
    assert "Secure" in signed.headers["Set-Cookie"], "the server knows that the client came by HTTPS"
    listed = http.get(f"{proxy.url}/api/v2/sessions", timeout=PATIENCE_S).json()
    sessions = listed["entries"] if isinstance(listed, dict) else listed
    assert [one["address"] for one in sessions] == [CLIENT]


def test_events_come_at_once(proxy, account, server):
    http, key = proxy.session(), {"X-API-Key": account[1]}
    with http.get(f"{proxy.url}/api/v2/events", params={"folder": ""}, headers=key, stream=True, timeout=PATIENCE_S) as stream:
        assert stream.status_code == 200, stream.text
        lines = stream.iter_lines(chunk_size=1)
        assert next(lines), "the first block is there before anything has changed"
        requests.post(f"{server.url}/api/v1/files/folder", params={"path": "", "name": "new"}, headers=key, timeout=PATIENCE_S)
        assert next(line for line in lines if line.startswith(b"event: folder"))


@pytest.mark.parametrize("proxy", ["nginx", "haproxy"], indirect=True)  # Caddy sends to the one port that a machine has for it.
def test_whoever_comes_without_tls_is_sent_to_it(proxy):
    answer = proxy.session().get(f"http://127.0.0.1:{proxy.plain_port}/x?y=z", headers={"Host": "files.example.org"},
                                 allow_redirects=False, timeout=PATIENCE_S)
    assert answer.status_code == 308 and answer.headers["Location"] == "https://files.example.org/x?y=z"


def test_the_files_name_the_setting_that_they_need():
    for file in FILES.iterdir():
        assert 'trusted_proxies = ["127.0.0.1"]' in file.read_text(), file
