"""Trees of folders one in another: no way makes one that is deeper than all can handle, and those of other programs cost no more
for each folder than flat ones."""

import os
import re
import subprocess

import pytest

from mounting import Call
from people import Person
from server import BINARY, DIES_WITH_US, clean_environment, eventually, files_of
from stopping import holds_all_threads
from test_people_tasks import do

DEEPEST = 200
LEVELS = 600
OPENED = re.compile(r'openat2?\([^"]*"([^"]*)"')


def plant_deep(folder, levels, name="deep"):
    """A tree by another program, which goes down by handles."""
    at = os.open(folder, os.O_RDONLY)
    for level in range(levels):
        next_name = name if level == 0 else "d"
        os.mkdir(next_name, dir_fd=at)
        below = os.open(next_name, os.O_RDONLY, dir_fd=at)
        os.close(at)
        at = below
    os.close(os.open("file", os.O_CREAT | os.O_WRONLY, dir_fd=at))
    os.close(at)


class Opens:
    """The paths that a process opens, until the block ends."""

    def __init__(self, folder, process=None):
        self.log, self.process = folder / "opens.log", process

    def command(self):
        return ["strace", "-f", "-s", "100000", "-o", str(self.log), "-e", "trace=openat,openat2"]

    def __enter__(self):
        self.strace = subprocess.Popen([*DIES_WITH_US, *self.command(), "-p", str(self.process.process.pid)],
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        eventually(lambda: holds_all_threads(self.strace, self.process), "strace to hold all threads")
        return self

    def __exit__(self, *_):
        self.strace.terminate()
        self.strace.wait()

    def check(self):
        """Linear: a path has so many names at most, and each folder is opened a few times."""
        paths = OPENED.findall(self.log.read_text())
        deep = [path for path in paths if path.startswith("d") or "/d" in path]
        assert deep and max(path.count("/") for path in deep) <= 64, max(deep, key=len)
        assert len(deep) <= 4 * LEVELS


def test_no_folders_are_made_deeper(make_account):
    account = make_account()
    client = account.client
    client.make_folder("/".join("d" * (DEEPEST - 1)), "d").ok()
    assert "200 deep" in client.make_folder("/".join("d" * DEEPEST), "d").fails(400)
    assert "200 deep" in client.make_folder("/".join("x" * 3000), "x").fails(400)
    assert client.names() == ["d"]
    client.put("/".join("d" * DEEPEST) + "/file", b"deep")
    assert client.content("/".join("d" * DEEPEST) + "/file") == b"deep"


@pytest.mark.parametrize("way", ["v1", "task"])
def test_moves_double_no_depth(make_account, way):
    account = make_account()
    client, person = account.client, Person(account.server, key=account.key)
    client.make_folder("", "a").ok()
    bottom, depth = "a", 1
    for _ in range(15):
        client.make_folder("", "b").ok()
        client.copy("a", "b").ok()
        if way == "v1":
            moved = client.move("b", bottom)
            is_moved = moved.status == 200
        else:
            task = do(person, "move", ["b"], bottom)
            is_moved = task["state"] == "done" and not task["skippedCount"]
        if not is_moved:
            assert client.names() == ["a", "b"]
            break
        bottom, depth = f"{bottom}/b/{bottom}", 2 * depth + 1
    assert DEEPEST / 3 < depth <= DEEPEST
    client.delete("a").ok()


@pytest.mark.parametrize("work", ["bin", "delete", "check"])
def test_a_walk_opens_no_long_paths(own_server, account_on, work):
    server = own_server()
    account = account_on(server)
    plant_deep(account.root, LEVELS)
    person = Person(server, key=account.key)
    if work == "check":
        opens = Opens(server.folder)
        server.stop()
        subprocess.run([*opens.command(), BINARY, "check", *server.place()], env=clean_environment(), check=True)
    else:
        with Opens(server.folder, server) as opens:
            if work == "bin":
                assert do(person, "delete", ["deep"])["state"] == "done"
            else:
                account.client.delete("deep").ok()
        assert account.client.names() == []
    subprocess.run(["rm", "-rf", account.root], check=True)  # As deep as that, Python removes nothing.
    opens.check()


def test_a_purge_that_was_killed_is_ended_by_the_next_start(own_server, account_on):
    server = own_server()
    account = account_on(server)
    for folder in range(100):
        (account.root / str(folder)).mkdir()
        for number in range(200):
            (account.root / str(folder) / str(number)).touch()
    call = Call(lambda: server.cli("account", "remove", account.name, "--purge"))
    eventually(lambda: not account.root.exists(), "the purge to begin")
    server.kill()
    call.ended()
    left = files_of(server.data / "staging")
    assert left, "it was over before the server was killed"
    server.start()
    eventually(lambda: not files_of(server.data / "staging"), "what was left to go")
    assert account.name not in [one["username"] for one in server.cli_json("account", "list")]


def test_the_files_of_an_account_of_another_program_are_purged(own_server, account_on):
    server = own_server()
    account = account_on(server)
    plant_deep(account.root, LEVELS)
    server.cli("account", "remove", account.name, "--purge")
    assert not account.root.exists()
