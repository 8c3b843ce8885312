"""A real nginx in front of a server, with the lines of the guide to operation."""

import os
import re
import shutil
import socket
import subprocess

from server import DIES_WITH_US, REPOSITORY, eventually

LINES = re.search(r"^```\n(location .*?)^```$", (REPOSITORY / "docs/guide/operation.md").read_text(), re.S | re.M)[1]
PROGRAM = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as found:
        return found.getsockname()[1]


class Nginx:
    """Serves a server below the path of those lines, and nothing else. It has a URL and secrets, as servers have."""

    def __init__(self, folder, server):
        self.secrets, self.port = server.secrets, free_port()
        folder.mkdir()
        kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        places = "".join(f"{kind}_temp_path {folder}/{kind};\n" for kind in kinds)
        lines = LINES.replace("127.0.0.1:8080", f"127.0.0.1:{server.port}")
        (folder / "nginx.conf").write_text(
            f"daemon off; master_process off; pid {folder}/pid; error_log {folder}/log;\nevents {{}}\n"
            f"http {{\naccess_log off;\n{places}server {{ listen 127.0.0.1:{self.port};\n{lines} }}\n}}\n")
        self.process = subprocess.Popen([*DIES_WITH_US, PROGRAM, "-p", str(folder), "-c", str(folder / "nginx.conf")],
                                        stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)
        eventually(self.answers, "nginx serves")

    def answers(self):
        assert self.process.poll() is None, self.process.stderr.read()
        with socket.socket() as line:
            return line.connect_ex(("127.0.0.1", self.port)) == 0

    @property
    def origin(self):
        return f"http://127.0.0.1:{self.port}"

    @property
    def url(self):
        return self.origin + "/coffer"

    def stop(self):
        self.process.terminate()
        self.process.wait()
        self.process.stderr.close()
