"""What one account has under way, however much and however slow, leaves the server to the others."""

import contextlib
import pathlib

import pytest

from mounting import Call, contents, plant
from server import eventually
from stopping import Stop

COPIES = 72
AT_ONCE = 3  # As core/tasks/task_runner.h says.
TREE = {f"folder {folder}/{number}.txt": b"content" for folder in range(3) for number in range(5)}


class Held:
    """As many copies by one account, none of which ends: the disk does not answer."""

    def __init__(self, server, account, stop):
        self.server, self.account, self.stop = server, account, stop
        self.calls = [Call(lambda target=f"to{number}": account.client.copy("tree", target)) for number in range(COPIES)]
        eventually(self.all_came, "all requests to come")

    def all_came(self):
        return self.sockets() > COPIES and self.stop.reached()

    def sockets(self):
        count = 0
        for entry in pathlib.Path(f"/proc/{self.server.process.pid}/fd").iterdir():
            with contextlib.suppress(FileNotFoundError):  # It was closed meanwhile.
                count += entry.readlink().name.startswith("socket:")
        return count

    def under_way(self):
        return [call for call in self.calls if call.is_alive()]


@pytest.fixture
def scene(own_server, account_on):
    server = own_server()
    ada, bob = account_on(server), account_on(server)
    plant(ada.root / "tree", TREE)
    for number in range(COPIES):
        (ada.root / f"to{number}").mkdir()
    bob.client.put("file", b"x")
    with Stop(server, "syncfs") as stop:
        yield Held(server, ada, stop), bob
    if server.running():
        server.kill()


def test_copies_that_hang_delay_no_short_request(scene):
    held, bob = scene
    for _ in range(3):
        assert bob.client.names() == ["file"] and bob.client.content("file") == b"x"
        assert len(held.account.client.names()) == COPIES + 1
        assert held.account.client.info("tree").ok()["isDirectory"]
    assert len(held.under_way()) == COPIES, "all of that was answered while the copies hung"
    held.stop.__exit__()
    for call in held.calls:
        call.result().ok()
    expected = contents(held.account.root / "tree")
    for number in range(COPIES):
        assert contents(held.account.root / f"to{number}" / "tree") == expected


def test_copies_that_wait_for_others_stop_when_the_right_to_them_is_lost(scene):
    held, bob = scene
    held.server.cli("key", "revoke", held.account.key_id, "--account", held.account.name)
    # Of those at work some may not have come to the disk yet, and stop too.
    eventually(lambda: len(held.under_way()) <= AT_ONCE, "those that wait to stop")
    answers = [call.result() for call in held.calls if not call.is_alive()]
    assert {answer.status for answer in answers} == {401}
    assert bob.client.names() == ["file"]
    held.stop.__exit__()
    assert {call.result().status for call in held.calls} == {401}
    for number in range(COPIES):
        assert not list((held.account.root / f"to{number}").iterdir())
