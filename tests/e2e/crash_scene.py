"""A server that ends in the middle of work between places: what the tests of that share."""

import contextlib
import pathlib
import random
import signal
import tempfile

import pytest

from faulty_line import CONTROL, DATA, DOWN, UP, line_to
from mounting import Call, add_connector, at, is_partial, open_to_all, plant, scratch
from server import eventually, tree_of

BIG = {"": random.Random(2).randbytes(6 << 20)}
MANY = {f"folder {folder}/deep/{number}": random.Random(number).randbytes(15_000 + number)
        for folder in range(8) for number in range(12)}
SHAPES = {"big": BIG, "many": MANY}
LABELS = {"SFTP", "FTP", "SHARED"}


def expected(shape):
    return {str(pathlib.PurePath("item") / name): content for name, content in SHAPES[shape].items()}


class End:
    """A place that content comes from or goes to, and the plain folder behind it. `line` leads there, if any does."""

    def __init__(self, kind, path, folder, line=None):
        self.kind, self.path, self.folder, self.line = kind, path, folder, line

    def at(self, name):
        return at(self.path, name)

    def beneath(self, name):
        (self.folder / name).mkdir()
        open_to_all(self.folder / name)
        return End(self.kind, self.at(name), self.folder / name, self.line)

    def plant(self, shape):
        plant(self.folder, expected(shape))

    def hold(self, direction, after=600_000):
        """Stops all when the middle of the content comes by."""
        self.line.fault("hold", after=after, channel=DATA if self.kind == "ftp" else CONTROL, direction=direction)

    def files(self):
        return {name: (self.folder / name).read_bytes() for name in self.names() if not name.endswith("/")}

    def names(self):
        """Also while they change. What a share collects in its own folder for that is not in it."""
        return {name for name in tree_of(self.folder) if not name.startswith(".coffer-staging/")}

    def left_over(self):
        staged = {name for name in tree_of(self.folder) if name.startswith(".coffer-staging/")}
        return {name for name in self.names() if is_partial(name)} | {
            name for name in staged if not name.endswith(("/", ".log", ".lock"))}


class Scene:
    """A server, an account, its own files and mounts."""

    def __init__(self, server, account):
        self.server, self.account, self.client = server, account, account.client
        self.ends = {"own": End("own", "", account.root)}

    def route(self, source, target):
        """Two places, which lie beside each other if they are of one kind."""
        if source == target:
            return self.ends[source].beneath("from"), self.ends[source].beneath("there")
        return self.ends[source], self.ends[target]

    def start_and_hold(self, verb, source, target):
        """The work under way, and held for good in its middle."""
        if not source.line and not target.line:
            return self.start_and_freeze(verb, source, target)
        held = target.line or source.line
        if not target.line:
            source.hold(DOWN)
        elif source.kind == target.kind == "sftp":
            target.hold(UP, 15_000)  # The server copies: nothing but requests comes by.
        else:
            target.hold(UP)
        call = self.start(verb, source, target)
        eventually(lambda: held.held.is_set() or not call.is_alive(), "the middle of the work")
        assert held.held.is_set(), f"it ended before: {call.answer}"
        return call

    def start(self, verb, source, target):
        return Call(lambda: getattr(self.client, verb)(source.at("item"), target.path))

    def start_and_freeze(self, verb, source, target):
        """Where no line can be held, the server itself is, at a moment when something stands there unfinished."""
        call = self.start(verb, source, target)

        def frozen_in_the_middle():
            self.server.send_signal(signal.SIGSTOP)
            status = pathlib.Path(f"/proc/{self.server.process.pid}/stat")
            eventually(lambda: status.read_text().rpartition(")")[2].split()[0] == "T", "the server to stand still")
            if target.left_over():
                return True
            self.server.send_signal(signal.SIGCONT)
            assert call.is_alive(), f"it ended before: {call.answer}"
            return False

        eventually(frozen_in_the_middle, "the middle of the work")
        return call

    def mend(self):
        for end in self.ends.values():
            if end.line:
                end.line.mend()


@pytest.fixture
def make_scene(own_server, account_on, remotes):
    with contextlib.ExitStack() as behind:

        def make(*kinds, **settings):
            shared = behind.enter_context(scratch("shared")) if "shared" in kinds else None
            server = own_server(**{"stop_timeout_ms": 5000, **settings})
            behind.callback(server.kill)  # A clean stop is no matter here.
            scene = Scene(server, account_on(server))
            for kind in set(kinds) - {"own", "shared"}:
                folder = pathlib.Path(tempfile.mkdtemp(dir=remotes[kind].root))
                open_to_all(folder)
                line, options = behind.enter_context(line_to(remotes[kind]))
                path = add_connector(server, scene.account.name, kind.upper(), options, folder.name,
                                     "secret\n" if kind == "ftp" else "")
                scene.ends[kind] = End(kind, path, folder, line)
            if shared:
                made = server.cli_json("share", "add", "--name", "SHARED", "--target", shared, "--everyone")
                scene.ends["shared"] = End("shared", f"__adm_{made['id']}", shared)
            return scene

        yield make
