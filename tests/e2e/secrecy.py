"""What is shown nowhere: how tests of mounts look for it."""

import pathlib
import subprocess

from client import Client
from mounting import Call
from server import BINARY, PATIENCE_S, clean_environment, eventually, files_of


def in_none_of(words, *texts):
    for text in texts:
        for word in words:
            assert word not in text, "a secret is shown"


def of_process(process):
    """What anybody may see of it, and its environment."""
    folder = pathlib.Path(f"/proc/{process}")
    return [(folder / name).read_bytes().decode(errors="replace") for name in ("cmdline", "environ", "comm")]


class Secrets:
    """A mount at `path` of an account, the line to its server, and the words that must not be shown."""

    path = None

    def __init__(self, server, account, line, words):
        self.server, self.account, self.line, self.words = server, account, line, words
        self.client = Client(server, server.create_key(account)["key"])

    def in_none_of(self, *texts):
        in_none_of(self.words, *texts)

    def are_in_no_process(self, label, others=lambda: ()):
        """While the server and the command line have them in hand: both wait for a server that does not answer. `others`
        are the numbers of more processes."""
        self.line.swallow()
        asked = self.line.accepted
        call = Call(lambda: self.client.list(self.path))
        eventually(lambda: self.line.accepted > asked, "the server to ask")
        command = [BINARY, "connector", "test", label, "--account", self.account, *self.server.place()]
        asked = self.line.accepted
        both = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
        with subprocess.Popen(command, **both, env=clean_environment()) as process:
            try:
                eventually(lambda: self.line.accepted > asked or process.poll() is not None, "the command to ask")
                assert process.poll() is None, "the command has ended"
                for one in (process.pid, self.server.process.pid, *others()):
                    self.in_none_of(*of_process(one))
                self.line.mend()
                self.line.refuse()
                self.in_none_of(process.communicate(timeout=PATIENCE_S)[0].decode())
            finally:
                process.kill()
        self.in_none_of(call.result().content.decode())

    def are_on_no_disk(self):
        files = files_of(self.server.folder)
        assert self.server.database or any(file.name.startswith("catalog") for file in files)
        for content in files.values():
            self.in_none_of(content.decode(errors="replace"))
