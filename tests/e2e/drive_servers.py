"""Real servers of the kinds that cloud drives talk to, on loopback, each with a folder of its own."""

import os
import shutil
import subprocess

from remote_servers import RemoteServer, accepts, free_port
from server import DIES_WITH_US, PATIENCE_S, REPOSITORY, eventually

SETTINGS = REPOSITORY / "tests/servers"
USER, PASSWORD = "tester", "secret"
SECRETS = ("pass", "secret_access_key", "client_secret", "token")


def rclone(*arguments, stdin=b"", parameters=None):
    """Runs rclone to its end; what it printed. `parameters` are those of the remote `there:`."""
    # With the one variable set it does without S3; the others would be settings of ours.
    ours = {name: value for name, value in os.environ.items()
            if name != "AWS_CA_BUNDLE" and not name.startswith("RCLONE_")}
    there = {f"RCLONE_CONFIG_THERE_{name.upper()}": value for name, value in (parameters or {}).items()}
    return subprocess.run(["rclone", "--config", "", *map(str, arguments)], input=stdin, capture_output=True,
                          env={**ours, **there}, timeout=PATIENCE_S, check=True).stdout


def options_of(remote, root=None):
    """The arguments of `coffer connector add` for a drive, and what it reads from standard input."""
    options = ["--kind", "drive", "--remote-type", remote.type, "--root", remote.top if root is None else root]
    typed = []
    for name, value in remote.parameters().items():
        if name in SECRETS:
            options += ["--param-stdin", name]
            typed.append(value + "\n")
        else:
            options += ["--param", f"{name}={value}"]
    return options, "".join(typed)


class DriveServer(RemoteServer):
    """The arguments of a connector: `type` and `parameters()` as rclone calls them, where passwords stand as they are, and
    `top`, below which the tests may write. After `stop` what is on it is there again with the next `start`."""

    top = ""

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    def options(self):
        return options_of(self)[0]

    def remote(self):
        """The same in the words of `rclone`, above: passwords as it wants them, and the type."""
        parameters = {"type": self.type, **self.parameters()}
        if "pass" in parameters:
            parameters["pass"] = rclone("obscure", parameters["pass"]).decode().strip()
        return parameters


class DavServer(DriveServer):
    """WebDAV over `root`, which changes there show in at once."""

    type = "webdav"

    def parameters(self):
        return {"url": self.url, "vendor": "other", "user": USER, "pass": PASSWORD}


class ApacheDav(DavServer):
    """Apache. It cannot set times. Started by root it works for Debian's account `www-data`."""

    kind = "apache"
    ACCOUNT = "www-data"
    USERS = f"{USER}:{{SHA}}5en6G6MezRroT3XKqkdPOmY/BfQ=\n"  # By hand: a slow hash is made again for each request.

    def __init__(self, folder):
        super().__init__(folder)
        self.folder.chmod(0o755)
        (self.folder / "files").symlink_to("root")  # As the settings call it.
        (self.folder / "own").mkdir()
        (self.folder / "users").write_text(self.USERS)
        shutil.copyfile(SETTINGS / "apache_dav.conf", self.folder / "settings")
        for item in ("root", "own", "users", "settings"):
            self.give(self.folder / item)

    def give(self, item):
        if os.geteuid() == 0:
            shutil.chown(item, self.ACCOUNT, self.ACCOUNT)

    def command(self):
        # In one process, which could not be made to end with ours once it had changed its user.
        account = ["--reuid", self.ACCOUNT, "--regid", self.ACCOUNT, "--clear-groups"] if os.geteuid() == 0 else []
        return ["setpriv", *account, "--pdeathsig", "KILL", "--", "/usr/sbin/apache2", "-X", "-d", str(self.folder),
                "-f", "settings", "-C", f"Listen 127.0.0.1:{self.port}"]


class RcloneDav(DavServer):
    """rclone. It cannot set times, and reads a folder again for each item of a listing: a thousand take 30 s."""

    kind = "rclone"

    def command(self):
        return ["rclone", "serve", "webdav", str(self.root), "--addr", f"127.0.0.1:{self.port}", "--user", USER,
                "--pass", PASSWORD, "--config", "", "--vfs-cache-mode", "off", "--dir-cache-time", "0"]


class S3Server(DriveServer):
    """Ceph's gateway with one bucket, in a cluster of its own, which keeps everything in memory until `close`. `stop`
    ends the gateway alone."""

    kind = type = "s3"
    top = "coffer-test"
    CLUSTER, STORE = "6a1c0d2e-8d0b-4d5d-9d9c-0c5b6a7c8d9e", "f0e1d2c3-1a2b-4c3d-8e9f-a0b1c2d3e4f5"

    def __init__(self, folder):
        super().__init__(folder)
        self.cluster = []

    def parameters(self):
        return {"provider": "Other", "endpoint": self.url, "force_path_style": "true", "access_key_id": USER,
                "secret_access_key": PASSWORD, "region": "us-east-1"}

    def ceph(self, program, *words):
        return [program, "-c", str(self.folder / "ceph.conf"), *words]

    def command(self):
        return self.ceph("radosgw", "-n", "client.admin", "-f", "--rgw-frontends",
                         f"beast endpoint=127.0.0.1:{self.port} tcp_nodelay=1")

    def run(self, command):
        with (self.folder / "log").open("ab") as log:
            subprocess.run(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, check=True, timeout=PATIENCE_S)

    def join(self, command, port):
        """One more process of the cluster, which listens on a port."""
        with (self.folder / "log").open("ab") as log:
            process = subprocess.Popen([*DIES_WITH_US, *command], stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        self.cluster.append(process)
        eventually(lambda: process.poll() is not None or accepts(port), "the cluster to listen")
        assert process.poll() is None, (self.folder / "log").read_text(errors="replace")

    def make_monitor(self):
        port = free_port()
        monitor, places = f"v2:127.0.0.1:{port}", self.folder / "cluster"
        for made in ("monitor", "store"):
            (places / made).mkdir(parents=True)
        (self.folder / "ceph.conf").write_text(
            f"{(SETTINGS / 'ceph.conf').read_text()}fsid = {self.CLUSTER}\nmon_host = {monitor}\n"
            f"mon_data = {places}/monitor\nosd_data = {places}/store\nrgw_data = {places}\nrun_dir = {places}\n"
            f"crash_dir = {places}\n")
        self.run(["monmaptool", "--create", "--fsid", self.CLUSTER, "--addv", "a", f"[{monitor}]",
                  str(places / "monitors")])
        self.run(self.ceph("ceph-mon", "-i", "a", "--mkfs", "--monmap", str(places / "monitors")))
        self.join(self.ceph("ceph-mon", "-i", "a", "-f"), port)

    def make_store(self):
        port = free_port()  # It listens on several, and begins with the first.
        self.run(self.ceph("ceph", "osd", "new", self.STORE))
        self.run(self.ceph("ceph-osd", "-i", "0", "--mkfs", "--osd-uuid", self.STORE))
        self.join(self.ceph("ceph-osd", "-i", "0", "-f", "--ms-bind-port-min", str(port), "--ms-bind-port-max",
                            str(port + 50)), port)

    def start(self):
        if self.cluster:
            return super().start()
        try:
            self.make_monitor()
            self.make_store()
            self.run(self.ceph("radosgw-admin", "user", "create", f"--uid={USER}", f"--display-name={USER}",
                               f"--access-key={USER}", f"--secret-key={PASSWORD}"))
            super().start()
            rclone("mkdir", f"there:{self.top}", parameters=self.remote())
        except BaseException:
            self.close()
            raise
        return self

    def stop(self):
        if self.process:
            self.process.kill()  # It would say goodbye for ten seconds.
            self.process.wait(PATIENCE_S)

    def close(self):
        self.stop()
        for process in self.cluster:
            process.kill()
            process.wait(PATIENCE_S)
        self.cluster.clear()
