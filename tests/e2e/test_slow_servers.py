"""Accounts whose servers do not answer hold up nobody's thumbnails of files on this machine's disks, and no unpacking there."""

import contextlib

import pytest

from faulty_line import line_to
from images import png
from mounting import Call, add_connector, plant, started
from packing import zip_of
from people import Person
from remote_servers import FtpServer
from server import eventually
from test_people_tasks import begin, do
from test_people_thumbnails import ask, made

ACCOUNTS, OF_EACH = 3, 2


class Owner:
    """An account, and its own line to a server that sends no content."""

    def __init__(self, server, account, line, options):
        self.line, self.person = line, Person(server, key=account.key)
        self.mount = add_connector(server, account.name, "Far away", options, stdin="secret\n")
        line.fault("hold", line=b"RETR")


@pytest.fixture
def scene(own_server, account_on):
    server = own_server()
    with started(FtpServer) as remotes, contextlib.ExitStack() as lines:
        remote = remotes["ftp"]
        files = {"picture": png(300, 200), "archive": zip_of(("a", b"a"), ("b/c", b"c"))}
        plant(remote.root, {f"{number}.{ending}": files[name] for number in range(OF_EACH)
                            for name, ending in (("picture", "png"), ("archive", "zip"))})
        owners = [Owner(server, account_on(server), *lines.enter_context(line_to(remote))) for _ in range(ACCOUNTS)]
        quick = account_on(server)
        plant(quick.root, {"own.png": files["picture"], "own.zip": files["archive"]})
        (quick.root / "to").mkdir()
        yield owners, Person(server, key=quick.key)
        for owner in owners:
            owner.line.release()


def all_held(owners):
    eventually(lambda: all(owner.line.held.is_set() for owner in owners), "each server to be asked for a content")


def test_slow_servers_hold_up_nobodys_thumbnails(scene):
    owners, quick = scene
    calls = [Call(lambda owner=owner, number=number: ask(owner.person, f"{owner.mount}/{number}.png"))
             for owner in owners for number in range(OF_EACH)]
    all_held(owners)
    assert made(quick, "own.png") == (256, 171)
    assert all(call.is_alive() for call in calls), "that was answered while the servers were waited for"


def test_slow_servers_hold_up_nobodys_unpacking(scene):
    owners, quick = scene
    tasks = [(owner, begin(owner.person, "unpack", [f"{owner.mount}/{number}.zip"], ""))
             for owner in owners for number in range(OF_EACH)]
    all_held(owners)
    assert do(quick, "unpack", ["own.zip"], "to")["state"] == "done"
    states = {owner.person.ok("GET", "tasks/" + task["id"])["state"] for owner, task in tasks}
    assert states <= {"running", "waiting"}, "that was done while the servers were waited for"
