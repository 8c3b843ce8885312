"""The cloud drive that is mounted, which is Apache's WebDAV of the end-to-end tests, and rclone without Coffer."""

import contextlib
import json
import os
import pathlib
import tempfile

import remotes  # Which finds the modules of the tests.
from drive_servers import PASSWORD, ApacheDav
from process import fetch
from remote_servers import RemoteServer

NAME = "drive"  # What the peers call it.


class Drive(ApacheDav):
    """Its folder is on the disk that Coffer's is on."""

    def __init__(self, folder):
        super().__init__(folder)
        self.password = PASSWORD
        self.inbox = self.root / "inbox"
        self.inbox.mkdir()
        self.give(self.inbox)

    def options(self):
        """What `coffer connector add` takes; it reads the password."""
        shown = [word for name, value in self.parameters().items() if name != "pass"
                 for word in ("--param", f"{name}={value}")]
        return ["--kind", "drive", "--remote-type", self.type, *shown, "--param-stdin", "pass"]


class Control(RemoteServer):
    """rclone's remote control with its own defaults. What it learns of drives stays in its memory."""

    def command(self):
        without = [f"--unset={name}" for name in os.environ if remotes.is_of_rclone(name)]
        return ["env", *without, "rclone", "--config", "", "rcd", "--rc-no-auth", "--rc-addr", f"127.0.0.1:{self.port}"]

    def call(self, method, **parameters):
        """The answer's JSON, and seconds."""
        return fetch(self.port, "POST", f"/{method}", {"Content-Type": "application/json"}, json.dumps(parameters))

    def add(self, drive):
        self.call("config/create", name=NAME, type=drive.type, parameters=drive.parameters(),
                  opt={"obscure": True, "nonInteractive": True})


SERVERS = {"drive": Drive, "control": Control}


def rclone(drive, *words, **more):
    """Seconds of an rclone that knows the drive, with the start of the process."""
    return remotes.rclone_with({NAME: drive.remote()}, *words, **more)


@contextlib.contextmanager
def file_in_memory():
    """Where a file can be put that takes no disk. It goes in the end."""
    with tempfile.TemporaryDirectory(prefix="bench-", dir="/dev/shm") as folder:
        yield pathlib.Path(folder) / "file"
