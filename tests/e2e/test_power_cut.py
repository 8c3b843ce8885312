"""The machine stops in the middle of work: only what reached the disk survives. The disk is an image on a
loop device, and the cut is a copy of it while the server is halted. Needs the right to mount."""

import pathlib
import random
import re
import signal
import threading

import pytest

from client import Client, form
from disks import Disk, system
from server import Server, eventually

CALLERS = 4
SIZES = (0, 10, 4096, 30_000, 100_000)
BOOT_ID = pathlib.Path("/proc/sys/kernel/random/boot_id")


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


def forget_the_boot(data):
    """The machine's run is another one now; a kernel tells by its id, which stands in the log."""
    boot = BOOT_ID.read_bytes().strip()
    logs = list(data.glob("staging/*/*/contents-*.log"))
    for log in logs:
        content = log.read_bytes()
        assert boot in content[:4096]
        log.write_bytes(content.replace(boot, b"0" * len(boot), 1))
    return logs


def lost(found, acknowledged, unsure):
    return {name for name in set(found) | set(acknowledged)
            if name not in unsure and found.get(name) != acknowledged.get(name)}


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
    after = new_disk("after")
    system("cp", "--sparse=always", disk.image, after.image)
    server.send_signal(signal.SIGCONT)
    for caller in callers:
        caller.join()
    server.stop()
    disk.unmount()

    after.repair()
    after.mount()
    assert forget_the_boot(after.folder / "data")
    second = start(after.folder)
    home = next((after.folder / "data/files").iterdir())
    for folder, files, unsure in acknowledged:
        found = {file.name: file.read_bytes() for file in (home / folder).iterdir()}
        assert not lost(found, files, unsure), second.log()[-2000:]
    used = Client(second, key).used()
    assert used == sum(file.stat().st_size for file in home.rglob("*") if file.is_file())
    assert re.search(r"\d+ files that a crash of the machine took were written again", second.log())
    second.stop()
