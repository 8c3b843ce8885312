"""Drives that list without end: refused by a clear word, while Coffer stays small and goes on serving."""

import itertools

import pytest

from drive_servers import options_of
from fake_dav import XML_BEGIN, FakeDav, item_xml
from hostile_mount import MOST_OF_A_LISTING_BYTES
from mounting import contents

ENDLESS_BYTES = 96 << 20  # An end, for the test's sake; it is none that XML would have.
MOST_BYTES = MOST_OF_A_LISTING_BYTES["sftp"]


class HostileDav(FakeDav):
    """As hostile_mount.py wants its servers."""

    def __init__(self):
        super().__init__({})

    def options(self):
        return options_of(self)[0]

    def check_commands(self):
        pass

    stop = FakeDav.close


class EndlessFolder(HostileDav):
    """A folder at the top that has no end."""

    def __init__(self, tail, is_folder):
        super().__init__()
        self.tail, self.is_folder = tail, is_folder

    def listing(self, path, asked):
        return None if path else self.pieces()

    def pieces(self):
        yield XML_BEGIN + item_xml("/", None)
        sent = 0
        for number in itertools.count():
            names = (f"/{number:x}-{each:x}{self.tail}" for each in range(500))
            piece = "".join(item_xml(name + "/", None) if self.is_folder else item_xml(name, b"x") for name in names)
            yield piece
            sent += len(piece)
            if sent > ENDLESS_BYTES:
                yield "</D:multistatus>"
                return


class EndlessTree(HostileDav):
    """Each folder holds folders, and so on."""

    def __init__(self, names):
        super().__init__()
        self.names = names

    def listing(self, path, asked):
        above = f"/{path}/" if path else "/"
        return [XML_BEGIN, item_xml(above, None), *(item_xml(f"{above}{name}/", None) for name in self.names),
                "</D:multistatus>"]


@pytest.fixture
def with_engine(fake, account):
    """Its folders are not what a hostile drive has made."""
    account.client.list(fake({})[1]).ok()


def refused(mount, answer):
    """For what is too much, or too slow where the machine reads it more slowly than Coffer waits."""
    mount.fails(answer)
    assert answer.status == 504 or (answer.status == 502 and "too " in answer.json()["error"]), answer
    assert contents(mount.account.root) == {"own": b"own"} and mount.client.used() == 3


CASES = [(200, False, "list"), (200, False, "copy"), (200, True, "list"), (3, False, "list")]


@pytest.mark.parametrize("tail, is_folder, verb", CASES)
def test_an_endless_folder(with_engine, make_hostile, tail, is_folder, verb):
    mount = make_hostile(EndlessFolder("x" * tail, is_folder), more_bytes=2 * MOST_BYTES)
    refused(mount, getattr(mount.client, verb)(mount.path))


TREES = {"deep": ["tree"], "long": ["tree" * 50], "wide": [f"tree {number}" for number in range(300)]}


@pytest.mark.parametrize("kind, verb", [("deep", "copy"), ("deep", "delete"), ("long", "move"), ("wide", "copy")])
def test_an_endless_tree(with_engine, make_hostile, kind, verb):
    names = TREES[kind]
    mount = make_hostile(EndlessTree(names), more_bytes=2 * MOST_BYTES)
    refused(mount, getattr(mount.client, verb)(mount.at(names[0])))
    assert {method for method, _ in mount.hostile.asked} <= {"PROPFIND", "OPTIONS", "HEAD", "GET"}
