"""Cloud drives as mounts: what the tests of them share."""

import contextlib
import os
import pathlib
import secrets
import select
import signal
import subprocess
import tempfile

import pytest

import mounting
import tiers
from drive_servers import PASSWORD, ApacheDav, RcloneDav, S3Server, options_of, rclone
from fake_dav import PASSWORD as FAKE_PASSWORD, FakeDav
from faulty_line import line_to
from mounting import add_connector, at, is_partial, started
from remote_servers import processes_of
from server import PATIENCE_S, eventually

MAKERS = {"apache": ApacheDav, "rclone": RcloneDav, "s3": S3Server}
OTHER_KIND = "s3" if tiers.WHOLE else "rclone"  # A Ceph cluster takes more of a small machine than all that is tested on it.
TWO_KINDS = ("apache", OTHER_KIND)
KINDS = tuple(MAKERS)  # Of these, too, the daily tier leaves out S3.
LABEL = "Far away"
MARKER = ".coffer-folder"  # Keeps an empty folder where a provider has none.

kinds = pytest.mark.parametrize("kind", KINDS)


class DrivePlace:
    """A mount, and a folder of a server of drive_servers.py that is its root."""

    def __init__(self, remote, path, folder):
        self.remote, self.kind, self.path, self.folder = remote, remote.kind, path, folder

    def at(self, name):
        return at(self.path, name)

    def plant(self, tree):
        """Files by their contents, and folders where that is None, behind Coffer's back."""
        if self.kind == "s3":
            with tempfile.TemporaryDirectory() as made:
                plant_with_markers(pathlib.Path(made), tree)
                rclone("copy", made, self.there(), parameters=self.remote.remote())
            return
        mounting.plant(self.remote.root / self.folder, tree)
        if self.kind == "apache":
            for folder, folders, files in os.walk(self.remote.root / self.folder):
                for name in (".", *folders, *files):
                    self.remote.give(pathlib.Path(folder) / name)

    def there(self):
        return "there:" + at(self.remote.top, self.folder)

    def everything(self, below=""):
        """All that is there, as in mounting.contents: also what is hidden, but for the markers of empty folders."""
        if self.kind != "s3":
            return self.on_disk(self.remote.root / self.folder / below)
        with tempfile.TemporaryDirectory() as got:
            eventually(lambda: self.fetch(below, got), "nothing to go while it is read")
            return mounting.contents(pathlib.Path(got), but=lambda name: name.endswith(MARKER))

    @staticmethod
    def on_disk(folder):
        """Something may go while it is read: then all is read again."""

        def read():
            with contextlib.suppress(FileNotFoundError):
                return (mounting.contents(folder) if folder.exists() else {},)
            return None

        return eventually(read, "nothing to go while it is read")[0]

    def fetch(self, below, folder):
        try:
            rclone("sync", at(self.there(), below), folder, "--retries", "1", parameters=self.remote.remote())
        except subprocess.CalledProcessError as error:
            assert b"NoSuchKey" in error.stderr, error.stderr
            return False
        return True

    def kept(self, below=""):
        """All but what Apache was being sent when that broke off, which it hides."""
        return {name: content for name, content in self.everything(below).items() if ".davfs.tmp" not in name}

    def visible(self, below=""):
        """All that a listing would show."""
        return {name: content for name, content in self.kept(below).items() if not is_partial(name)}


def plant_with_markers(folder, tree):
    mounting.plant(folder, tree)
    for name, content in tree.items():
        if content is None:
            (folder / name / MARKER).touch()


@pytest.fixture(scope="session")
def drive_servers():
    """A server by its kind, started when it is first asked for."""
    with contextlib.ExitStack() as behind:
        running = {}

        def get(kind):
            if kind not in running:
                running[kind] = behind.enter_context(started(MAKERS[kind]))[kind]
            return running[kind]

        yield get


def new_name():
    return f"drive-{secrets.token_hex(6)}"


def mount_drive(server, account, remote, folder, *more, label=LABEL, options=None):
    """A connector to a folder of a drive, which is made."""
    if remote.kind != "s3":
        (remote.root / folder).mkdir(parents=True, exist_ok=True)
        if remote.kind == "apache":
            remote.give(remote.root / folder)
    arguments, typed = options_of(remote, at(remote.top, folder))
    if options is not None:  # Those of a line to it.
        arguments = options
        arguments[arguments.index("--root") + 1] = at(remote.top, folder)
    path = add_connector(server, account, label, [*arguments, *more], stdin=typed)
    return DrivePlace(remote, path, folder)


@pytest.fixture
def make_drive(drive_servers):
    """A drive in a folder of its own."""

    def make(kind, server, account, *more, label=LABEL):
        return mount_drive(server, account, drive_servers(kind), new_name(), *more, label=label)

    return make


@pytest.fixture
def drive(make_drive, account, kind):
    """One of `kind`, for an account of its own of the shared server."""
    place = make_drive(kind, account.server, account.name)
    place.account, place.client = account, account.client
    return place


def engines_of(server):
    """The process numbers of the rclones that a server has started."""
    engines = []
    for process in processes_of(server.process.pid):
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):  # It has ended meanwhile.
            if pathlib.Path(f"/proc/{process}/comm").read_text().strip() == "rclone":
                engines.append(process)
    return engines


def sockets_of(process):
    """As the system tells them apart."""
    opened = set()
    for link in pathlib.Path(f"/proc/{process}/fd").iterdir():
        with contextlib.suppress(FileNotFoundError):
            opened.add(os.readlink(link))
    return {one for one in opened if one.startswith("socket:")}


class Engine:
    """The one rclone of a server, which must be there, besides those with the process numbers `besides`."""

    def __init__(self, server, besides=()):
        self.process, = set(engines_of(server)) - set(besides)
        self._watched = os.pidfd_open(self.process)

    def kill(self):
        signal.pidfd_send_signal(self._watched, signal.SIGKILL)
        self.ended()

    def ended(self):
        """Waits for that."""
        assert select.select([self._watched], [], [], PATIENCE_S)[0], "rclone does not end"
        os.close(self._watched)

    def of_process(self, name):
        return pathlib.Path(f"/proc/{self.process}/{name}").read_bytes().decode()

    def environment(self):
        return dict(line.split("=", 1) for line in self.of_process("environ").split("\0") if line)

    def sockets(self):
        return sockets_of(self.process)

    def port(self):
        """The one that it listens on."""
        sockets = {socket.removeprefix("socket:[").rstrip("]") for socket in self.sockets()}
        lines = [line.split() for line in self.of_process("net/tcp").splitlines()[1:]]
        port, = {int(line[1].split(":")[1], 16) for line in lines if line[3] == "0A" and line[9] in sockets}
        return port


@contextlib.contextmanager
def drive_over_line(server, account, remote, folder, label=LABEL):
    """A drive, and the line to its server that may break."""
    with line_to(remote) as (line, options):
        yield mount_drive(server, account, remote, folder, label=label, options=options), line


@pytest.fixture
def fake(account):
    """Makes drives on servers that say what a test wants; a server, and the path of its mount."""
    with contextlib.ExitStack() as behind:

        def make(*what, make_dav=FakeDav, **more):
            dav = behind.enter_context(make_dav(*what, **more))
            options, typed = options_of(dav)
            account.client.put("own", b"own")
            return dav, add_connector(account.server, account.name, LABEL, options, stdin=typed)

        yield make


def fails(answer, *statuses):
    """As a drive should: it is named where it does not serve, and no secret is shown."""
    message = answer.fails(*statuses)
    assert LABEL in message or answer.status == 403, message
    assert "\n" not in message and "drive-" not in message and "127.0.0.1" not in message, message
    for secret in (FAKE_PASSWORD, PASSWORD, "__conn_", "rc/", "{"):
        assert secret not in message, message
    return message
