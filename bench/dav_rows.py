"""WebDAV beside Apache's, and downloads by TLS beside nginx's."""

import base64
import os
import pathlib
import re
import subprocess

from process import Process, free_port
from rows import GIB, Figure, Row

MODULES = pathlib.Path("/usr/lib/apache2/modules")
LOADED = ("mpm_event", "authz_core", "dav", "dav_fs")


class Apache(Process):
    """Debian's Apache with mod_dav, whose defaults stand but for what limits a bench."""

    def __init__(self, folder):
        self.folder, self.port, self.files = folder, free_port(), folder / "root"
        self.files.mkdir(parents=True)
        folder.chmod(0o755)
        owner = "User www-data\nGroup www-data\n" if os.geteuid() == 0 else ""
        modules = "".join(f"LoadModule {name}_module {MODULES}/mod_{name}.so\n" for name in LOADED)
        (folder / "settings").write_text(
            f"{modules}{owner}ServerName 127.0.0.1\nListen 127.0.0.1:{self.port}\nPidFile {folder}/pid\nErrorLog {folder}/errors\n"
            f"DefaultRuntimeDir {folder}\nDavLockDB {folder}/locks\nDocumentRoot {self.files}\nMaxKeepAliveRequests 0\n"
            f"KeepAliveTimeout 60\n<Location />\nDav On\n</Location>\n")
        if os.geteuid() == 0:
            for item in (folder, self.files):
                subprocess.run(["chown", "www-data:www-data", item], check=True)
        self.start(["/usr/sbin/apache2", "-X" if os.geteuid() != 0 else "-DFOREGROUND", "-d", folder, "-f", folder / "settings"])


class DavRow(Row):
    durability = "relaxed"  # As Apache, which syncs nothing to the disk.

    def prepare(self):
        self.apache = self.bench.peer("apache", Apache)

    def address(self, server):
        return f"http://127.0.0.1:{server.port}" + ("" if server is self.apache else "/dav")

    @property
    def login(self):
        return base64.b64encode(f"bench:{self.coffer_server.key}".encode()).decode()

    def coffer(self, turn):
        return self.run(self.coffer_server, turn)

    def peer(self, turn):
        return self.run(self.apache, turn)


class DavListing(DavRow):
    figures = [Figure("PROPFIND of 10,000 files, lists/s, by Apache's mod_dav", ">= 2.0")]

    def prepare(self):
        super().prepare()
        for server in (self.coffer_server, self.apache):
            self.bench.create(server.files / "dav-list", 10_000, 64, 2, 10_000, "cached")

    def run(self, server, turn):
        done = subprocess.run(["curl", "-sSf", "-X", "PROPFIND", "-H", "Depth: 1", "-H", f"Authorization: Basic {self.login}", "-o",
                               "/dev/null", "-w", "%{time_total}", self.address(server) + "/dav-list/0000/"],
                              check=True, capture_output=True, text=True)
        return [1 / float(done.stdout)]


class DavUploads(DavRow):
    figures = [Figure("4 KiB PUT by WebDAV, 32 connections, relaxed, files/s, by Apache's mod_dav", ">= 2.0")]

    def run(self, server, turn):
        folder = server.files / f"dav-up{turn}"
        folder.mkdir()
        if os.geteuid() == 0 and server is self.apache:
            subprocess.run(["chown", "www-data:www-data", folder], check=True)
        path = ("" if server is self.apache else "/dav") + f"/dav-up{turn}/file########.bin"
        request = (f"PUT {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Basic {self.login}\r\nContent-Length: 4096\r\n\r\n").encode()
        return [self.bench.load(server, 32, 4000, request + b"x" * 4096)]


class TlsRow(Row):
    """Both with one certificate (P-256) and what each negotiates with OpenSSL: TLS 1.3 with AES-256-GCM."""

    name = "tls.bin"

    def prepare(self):
        self.tls_coffer, self.tls_nginx = self.bench.tls_servers()
        for server in (self.tls_coffer, self.tls_nginx):
            target = server.files / self.name
            if not target.exists():
                self.fill(target)

    def coffer(self, turn):
        return self.run(self.tls_coffer.tls_port, "/api/v1/files/download?path=" + self.name, f"X-API-Key: {self.tls_coffer.key}")

    def peer(self, turn):
        return self.run(self.tls_nginx.tls_port, "/" + self.name, "X-None: 1")


class TlsSmallDownload(TlsRow):
    figures = [Figure("1 KiB download by TLS, 64 connections, requests/s, by nginx", ">= 0.9")]
    name = "tls-small.bin"

    def fill(self, target):
        target.write_bytes(os.urandom(1024))

    def run(self, port, target, header):
        done = subprocess.run(["h2load", "--h1", "-n", "40000", "-c", "64", "-H", header, f"https://127.0.0.1:{port}{target}"],
                              check=True, capture_output=True, text=True)
        assert " 40000 2xx" in done.stdout, done.stdout
        return [float(re.search(r"([\d.]+) req/s", done.stdout)[1])]


class TlsLargeDownload(TlsRow):
    figures = [Figure("1 GiB download by TLS, bytes/s, by nginx", ">= 0.9")]
    name = "tls-large.bin"

    def fill(self, target):
        os.link(self.bench.large_file(), target)

    def run(self, port, target, header):
        done = subprocess.run(["curl", "-sSfk", "--http1.1", "-H", header, "-o", "/dev/null", "-w", "%{time_total} %{size_download}",
                               f"https://127.0.0.1:{port}{target}"], check=True, capture_output=True, text=True)
        seconds, size = done.stdout.split()
        assert int(size) == GIB
        return [GIB / float(seconds)]


ROWS = {
    "dav-list": DavListing,
    "dav-uploads": DavUploads,
    "tls-small-download": TlsSmallDownload,
    "tls-large-download": TlsLargeDownload,
}
