"""The machine stops in the middle of work: only what reached the disk survives. The disk is an image on a
loop device, and the cut is a copy of it while the server is halted. Needs the right to mount."""

import random
import signal
import threading
import time

import pytest

from client import Client, form
from disks import Disk, system
from earlier_log import leave_log
from server import Server, eventually

CALLERS = 4
CLOCK_REALTIME_COARSE = 5  # Of clock_gettime(2); Python has no name for it.
SIZES = (0, 10, 4096, 30_000, 100_000)


@pytest.fixture
def new_disk(tmp_path):
    disks = []

    def make(name):
        disks.append(Disk(tmp_path / f"{name}.img", tmp_path / name))
        return disks[-1]

    yield make
    for disk in disks:
        system("umount", "--lazy", disk.folder, may_fail=True)


@pytest.fixture
def start(new_disk):
    """Starts servers on disks; a test that fails does not leave them running."""
    servers = []

    def one(folder):
        servers.append(Server(folder).start())
        return servers[-1]

    yield one
    for server in servers:
        if server.running():
            server.send_signal(signal.SIGCONT)
            server.kill()


class Caller(threading.Thread):
    """Changes a folder of its own at random and knows what was acknowledged there."""

    def __init__(self, client, number, stop):
        super().__init__(daemon=True)
        self.client, self.folder, self.stop = client, f"caller{number}", stop
        self.random = random.Random(number)
        self.files = {}
        self.unsure = ()  # The names that the call under way changes.
        self.calls = 0
        client.make_folder("", self.folder).ok()

    def run(self):
        while not self.stop.is_set():
            self.change()
            self.unsure = ()
            self.calls += 1

    def change(self):
        name = f"f{self.calls}"
        old = self.random.choice(sorted(self.files)) if self.files else None
        kind = self.random.random()
        if old is None or kind < 0.7:
            self.upload(name)
        elif kind < 0.8:
            self.upload(old)
        elif kind < 0.9:
            self.unsure = (old, name)
            self.client.rename(f"{self.folder}/{old}", name).ok()
            self.files[name] = self.files.pop(old)
        else:
            self.unsure = (old,)
            self.client.delete(f"{self.folder}/{old}").ok()
            del self.files[old]

    def upload(self, name):
        content = bytes([self.random.randrange(256)]) * self.random.choice(SIZES)
        self.unsure = (name,)
        self.client.upload(self.folder, form((name, content))).ok()
        self.files[name] = content


def lost(found, acknowledged, unsure):
    return {name for name in set(found) | set(acknowledged)
            if name not in unsure and found.get(name) != acknowledged.get(name)}


def copy_of(disk, new_disk):
    after = new_disk("after")
    system("cp", "--sparse=always", disk.image, after.image)
    return after


def cut_power(server, disk, new_disk):
    """From here on the disk is what a power cut left of it."""
    server.send_signal(signal.SIGSTOP)
    after = copy_of(disk, new_disk)
    server.send_signal(signal.SIGCONT)
    server.stop()
    disk.unmount()
    after.repair()
    after.mount(disk.folder)


@pytest.fixture
def lazy_disk(new_disk):
    """Without a journal, so that nothing reaches it that was not asked for."""
    return new_disk("disk").make("-O", "^has_journal").mount()


@pytest.fixture
def lazy(lazy_disk, start):
    server = start(lazy_disk.folder)
    server.account = server.add_account()
    server.client = Client(server, server.create_key(server.account)["key"])
    return server


def share_of(server, folder):
    folder.mkdir(exist_ok=True)
    made = server.cli_json("share", "add", "--name", folder.name, "--target", folder, "--everyone")
    system("sync", "-f", folder)
    return f"__adm_{made['id']}"


def test_a_new_version_wins_over_an_old_one_whose_removal_by_hand_was_not_on_the_disk(lazy, lazy_disk, new_disk):
    folder = lazy.files_of(lazy.account) / "folder"
    folder.mkdir()
    for number in range(40):  # Whatever is written of other files' inodes takes none in their middle along.
        (folder / f"beside{number}").touch()
        if number == 20:
            (folder / "file").write_bytes(b"old")
    system("sync", "-f", folder)
    made_at = (folder / "file").stat().st_ctime_ns
    while time.clock_gettime_ns(CLOCK_REALTIME_COARSE) <= made_at:
        pass  # Within one tick of the clock that files' times are from, there is no earlier and later.
    (folder / "file").unlink()
    (folder / "takes its inode").touch()
    lazy.client.put("folder/file", b"new")
    cut_power(lazy, lazy_disk, new_disk)
    assert (folder / "file").read_bytes() == b"new"


def test_a_delete_and_a_rename_through_a_share_in_another_are_not_undone(lazy, lazy_disk, new_disk):
    outer = share_of(lazy, lazy_disk.folder / "outer")
    inner = share_of(lazy, lazy_disk.folder / "outer/inner")
    lazy.client.put(f"{outer}/inner/deleted", b"x")
    lazy.client.put(f"{outer}/inner/renamed", b"y")
    lazy.client.put(f"{inner}/deleted above", b"z")
    lazy.client.delete(f"{inner}/deleted").ok()
    lazy.client.rename(f"{inner}/renamed", "name").ok()
    lazy.client.delete(f"{outer}/inner/deleted above").ok()
    cut_power(lazy, lazy_disk, new_disk)
    lazy.start()
    assert lazy.client.names(outer) == ["inner"] and lazy.client.names(inner) == ["name"]
    assert lazy.client.names(f"{outer}/inner") == ["name"]
    assert lazy.client.content(f"{inner}/name") == b"y"
    lazy.stop()


def test_a_file_of_a_share_outlasts_it(lazy, lazy_disk, new_disk):
    share = share_of(lazy, lazy_disk.folder / "share")
    lazy.client.put(f"{share}/file", b"content")
    cut_power(lazy, lazy_disk, new_disk)
    lazy.start()
    assert lazy.client.content(f"{share}/file") == b"content"
    lazy.stop()


@pytest.mark.parametrize("call, when", [("linkat", 1), ("linkat", 3), ("linkat", 4), ("rename", 1)])
def test_the_log_of_an_earlier_version_is_read_through_one(lazy, lazy_disk, new_disk, call, when):
    """The power fails in the middle of the reading: the next start goes on."""
    files = {f"file{number}": bytes([number]) * 5000 for number in range(4)}
    home = lazy.files_of(lazy.account)
    lazy.stop()
    leave_log(lazy.data, home, files)
    system("sync", "-f", home)
    lazy.in_front = ("strace", "-f", "-o", "/dev/null", "-e", f"trace={call}",
                     "-e", f"inject={call}:signal=KILL:when={when}")
    with pytest.raises(AssertionError, match="did not start"):
        lazy.start()
    after = copy_of(lazy_disk, new_disk)
    lazy_disk.unmount()
    after.repair()
    after.mount(lazy_disk.folder)
    lazy.in_front = ()
    lazy.start()
    assert {name: lazy.client.content(name) for name in files} == files
    assert not (lazy.data / "content-log").exists() and not (lazy.data / "recovered").exists()
    lazy.stop()


@pytest.mark.parametrize("options", [("-O", "^has_journal"), ("-j",)], ids=["without-journal", "with-journal"])
def test_nothing_acknowledged_is_lost(new_disk, start, options):
    disk = new_disk("disk").make(*options).mount()
    server = start(disk.folder)
    key = server.create_key(server.add_account())["key"]
    stop = threading.Event()
    callers = [Caller(Client(server, key), number, stop) for number in range(CALLERS)]
    for caller in callers:
        caller.start()
    eventually(lambda: sum(caller.calls for caller in callers) > 600, "600 calls")
    stop.set()
    server.send_signal(signal.SIGSTOP)
    acknowledged = [(caller.folder, dict(caller.files), caller.unsure) for caller in callers]
    after = copy_of(disk, new_disk)
    server.send_signal(signal.SIGCONT)
    for caller in callers:
        caller.join()
    server.stop()
    disk.unmount()

    after.repair()
    after.mount()
    second = start(after.folder)
    home = next((after.folder / "data/files").iterdir())
    for folder, files, unsure in acknowledged:
        found = {file.name: file.read_bytes() for file in (home / folder).iterdir()}
        assert not lost(found, files, unsure), second.log()[-2000:]
    used = Client(second, key).used()
    assert used == sum(file.stat().st_size for file in home.rglob("*") if file.is_file())
    second.stop()


def test_the_first_upload_of_an_account_outlasts_it(lazy, lazy_disk, new_disk):
    account = lazy.add_account()
    client = Client(lazy, lazy.create_key(account)["key"])
    client.put("file", b"content")
    cut_power(lazy, lazy_disk, new_disk)
    lazy.start()
    assert client.content("file") == b"content"
    lazy.stop()


@pytest.mark.parametrize("others", [0, 5, 40])
def test_a_file_in_a_new_folder_outlasts_it(lazy, lazy_disk, new_disk, others):
    """Also where nothing else that is synced shares a block of inodes with the folders."""
    home = lazy.files_of(lazy.account)
    for number in range(others):
        (home / str(number)).touch()
    lazy.client.make_folder("", "folder").ok()
    for number in range(others):
        (home / "folder" / str(number)).touch()
    lazy.client.make_folder("folder", "deep").ok()
    lazy.client.put("folder/deep/file", b"content")
    cut_power(lazy, lazy_disk, new_disk)
    lazy.start()
    assert lazy.client.content("folder/deep/file") == b"content"
    lazy.stop()


def test_what_was_purged_stays_so(lazy, lazy_disk, new_disk):
    home = lazy.files_of(lazy.account)
    system("sync", "-f", home)
    lazy.cli("account", "remove", lazy.account, "--purge")
    cut_power(lazy, lazy_disk, new_disk)
    assert not home.exists()
    lazy.start()
    lazy.stop()
