"""A certificate authority that speaks ACME (Pebble), and Lego, a client of it."""

import json
import os
import shutil
import ssl
import subprocess

import requests

from remote_servers import accepts, free_port
from server import DIES_WITH_US, PATIENCE_S, eventually

NAME = "files.example.org"


def program(name):
    found = shutil.which(name)
    assert found, f"no {name}: run script/setup first"
    return found


class Authority:
    """Looks at challenges at `http_port` of this machine, whatever the name. Its own port has a certificate of this test."""

    def __init__(self, folder, http_port, certificate, key):
        self.folder, self.http_port, self.certificate, self.key = folder, http_port, certificate, key
        folder.mkdir()
        self.processes = []
        eventually(self.begin, "Pebble serves")

    def begin(self):
        """False if another process has taken a port meanwhile."""
        self.port, management, names, control = (free_port() for _ in range(4))
        self.management = f"https://localhost:{management}"
        config = {"listenAddress": f"127.0.0.1:{self.port}", "managementListenAddress": f"127.0.0.1:{management}",
                  "certificate": str(self.certificate), "privateKey": str(self.key), "httpPort": self.http_port, "tlsPort": free_port()}
        (self.folder / "pebble.json").write_text(json.dumps({"pebble": config}))
        self.start("pebble-challtestsrv", "-http01", "", "-https01", "", "-tlsalpn01", "", "-defaultIPv6", "",
                   "-dns01", f"127.0.0.1:{names}", "-management", f"127.0.0.1:{control}")
        self.start("pebble", "-config", self.folder / "pebble.json", "-dnsserver", f"127.0.0.1:{names}")
        ended = lambda: any(process.poll() is not None for process in self.processes)
        eventually(lambda: ended() or all(map(accepts, (self.port, management, control))), "Pebble serves or ends")
        if ended():
            self.stop()
        return bool(self.processes)

    def start(self, name, *arguments):
        # It waits before it looks, and refuses some requests, unless it is told not to.
        settings = os.environ | {"PEBBLE_VA_NOSLEEP": "1", "PEBBLE_WFE_NONCEREJECT": "0"}
        with (self.folder / "log").open("ab") as log:
            self.processes.append(subprocess.Popen([*DIES_WITH_US, program(name), *map(str, arguments)], env=settings,
                                                   stdin=subprocess.DEVNULL, stdout=log, stderr=log))

    def trusted(self):
        """What a browser would need to believe its certificates."""
        root = requests.get(f"{self.management}/roots/0", verify=str(self.certificate), timeout=PATIENCE_S).text
        return ssl.create_default_context(cadata=root)

    def lego(self, webroot, *command):
        """Leaves certificate and key in `certificates`."""
        subprocess.run([program("lego"), "--server", f"https://localhost:{self.port}/dir", "--path", self.folder, "--accept-tos",
                        "--email", f"admin@{NAME}", "--domains", NAME, "--http", "--http.webroot", webroot, *command],
                       check=True, timeout=PATIENCE_S, stdin=subprocess.DEVNULL, env=os.environ | {"LEGO_CA_CERTIFICATES": str(self.certificate)})

    @property
    def certificates(self):
        return self.folder / "certificates" / f"{NAME}.crt", self.folder / "certificates" / f"{NAME}.key"

    def stop(self):
        for process in self.processes:
            process.kill()
            process.wait()
        self.processes = []
