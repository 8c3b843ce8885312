"""A real nginx in front of a server, with the lines of the guide to operation."""

import os
import re
import shutil
import subprocess

from remote_servers import free_port
from server import DIES_WITH_US, REPOSITORY, eventually

LINES = re.search(r"^```\n(location /coffer/ .*?)^```$", (REPOSITORY / "docs/guide/operation.md").read_text(), re.S | re.M)[1]
PROGRAM = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")


class Nginx:
    """Serves a server below the path of those lines, and nothing else. It has a URL and secrets, as servers have."""

    scheme, listen_words, more_lines, lines = "http", "", "", LINES

    def __init__(self, folder, server):
        assert PROGRAM, "no nginx: run script/setup first"
        self.secrets, self.folder, self.target = server.secrets, folder, f"127.0.0.1:{server.port}"
        folder.mkdir()
        eventually(self.begin, "nginx serves")

    def begin(self):
        """False if another process has taken the port meanwhile."""
        self.port = free_port()
        folder, log = self.folder, self.folder / "log"
        kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        places = "".join(f"{kind}_temp_path {folder}/{kind};\n" for kind in kinds)
        lines = self.lines.replace("127.0.0.1:8080", self.target)
        (folder / "nginx.conf").write_text(
            f"daemon off; master_process off; pid {folder}/pid; error_log {log};\nevents {{}}\n"
            f"http {{\naccess_log off;\n{places}server {{ listen 127.0.0.1:{self.port}{self.listen_words};\n"
            f"{self.more_lines}{lines} }}\n}}\n")
        with log.open("wb") as shown:
            self.process = subprocess.Popen([*DIES_WITH_US, PROGRAM, "-p", str(folder), "-c", str(folder / "nginx.conf")],
                                            stdin=subprocess.DEVNULL, stderr=shown)
        # It has its port before it writes who it is.
        eventually(lambda: self.process.poll() is not None or (folder / "pid").exists(), "nginx serves or ends")
        if self.process.poll() is None:
            return True
        assert "Address already in use" in log.read_text(), log.read_text()
        return False

    @property
    def origin(self):
        return f"{self.scheme}://127.0.0.1:{self.port}"

    @property
    def url(self):
        return self.origin + "/coffer"

    def stop(self):
        self.process.terminate()
        self.process.wait()


class TlsNginx(Nginx):
    """The same by HTTPS, with a certificate and its key."""

    scheme, listen_words = "https", " ssl"

    def __init__(self, folder, server, certificate, key):
        self.more_lines = f"ssl_certificate {certificate}; ssl_certificate_key {key};\n"
        super().__init__(folder, server)
