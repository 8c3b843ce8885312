"""Trees going to, from, within and between cloud drives: the same afterwards, and counted rightly."""

import itertools

import pytest

from driving import OTHER_KIND, TWO_KINDS, mount_drive, new_name
from mounting import at, contents
from places import KINDS, one_of_each
from server import disk_bytes

PLACES = (*KINDS, *TWO_KINDS)
ROUTES = [pair for pair in itertools.permutations(PLACES, 2) if set(pair) & set(TWO_KINDS)]
# What every server takes.
TREE = {
    "a.txt": b"hello",
    "nothing": b"",
    "nothing here": None,
    "Größe und мир.bin": bytes(range(256)) * 300,
    "100% [x] {y} + #": b"%41",
    "deep": None,
    "deep/also nothing": None,
    "deep/one": None,
    "deep/one/two": None,
    "deep/one/two/file": b"deep",
    "big": bytes(range(251)) * 9000,
}
BYTES = sum(len(content or b"") for content in TREE.values())


def new_folder(routes, kind, name):
    """For a test alone."""
    routes.client.make_folder(routes[kind].path, name).ok()
    return Below(routes[kind], name)


class Below:
    def __init__(self, place, name):
        self.place, self.name, self.path = place, name, place.at(name)

    def at(self, name):
        return at(self.path, name)

    def plant(self, tree):
        self.place.plant({f"{self.name}/{name}": content for name, content in tree.items()})

    def everything(self, below=""):
        return self.place.everything(at(self.name, below))


@pytest.fixture(scope="module")
def routes(build_server, description, drive_servers):
    with one_of_each(build_server, description, quota="100MB") as places:
        for kind in TWO_KINDS:
            places.by_kind[kind] = mount_drive(places.server, places.account, drive_servers(kind), new_name(), label=kind)
        yield places


@pytest.fixture
def ends(routes, request):
    """Two folders, which are deleted afterwards."""
    made = [new_folder(routes, kind, name) for kind, name in zip(request.param, ("from", "to"))]
    before = routes.client.used()
    yield routes.client, *made, before
    for end in made:
        routes.client.delete(end.path).ok()
    eventually_counted(routes)


def eventually_counted(routes):
    assert routes.client.used() == disk_bytes(routes["own"].folder)


ids = ["-to-".join(route) for route in ROUTES]


def check_route(client, source, target, used, counts):
    """A copy, and a move of the same."""
    source.plant({f"tree/{name}": content for name, content in TREE.items()})
    client.copy(source.at("tree"), target.path).ok()
    assert target.everything("tree") == TREE and source.everything("tree") == TREE
    assert set(client.names(target.at("tree"))) == {name for name in TREE if "/" not in name}
    assert client.names(target.at("tree/nothing here")) == []
    client.copy(source.at("tree"), target.path).fails(409)
    client.rename(target.at("tree"), "first").ok()
    client.move(source.at("tree"), target.path).ok()
    assert target.everything() == {"first": None, "tree": None, **{f"{top}/{name}": content for name, content
                                                                  in TREE.items() for top in ("first", "tree")}}
    assert source.everything() == {} and client.names(source.path) == []
    assert client.used() == used + counts * BYTES


@pytest.mark.parametrize("ends", ROUTES, ids=ids, indirect=True)
def test_a_tree_is_copied_and_moved(ends, request):
    client, source, target, used = ends
    if source.place.kind == "own":
        # Planted behind its back it would not be counted; it comes from the target, which is a drive.
        target.plant({f"tree/{name}": content for name, content in TREE.items()})
        client.move(target.at("tree"), source.path).ok()
        assert client.used() == used + BYTES and source.everything("tree") == TREE
    check_route(client, source, target, used, 2 if target.place.kind == "own" else 0)


@pytest.mark.parametrize("ends", [(kind, kind) for kind in TWO_KINDS], ids=TWO_KINDS, indirect=True)
def test_a_tree_is_copied_and_moved_within_a_drive(ends):
    client, source, target, used = ends
    check_route(client, source, target, used, 0)


@pytest.mark.parametrize("ends", [(kind, kind) for kind in TWO_KINDS], ids=TWO_KINDS, indirect=True)
def test_what_cannot_be_copied_within_a_drive(ends):
    client, source, target, _ = ends
    source.plant({"tree/file": b"x", "file": b"x"})
    target.plant({"tree/file": b"y", "file": b"y"})
    before = source.everything(), target.everything()
    for verb in (client.copy, client.move):
        verb(source.at("tree"), source.at("tree")).fails(400)
        verb(source.at("tree"), target.path).fails(409)
        verb(source.at("file"), target.path).fails(409)
        verb(source.at("file"), target.at("none")).fails(404)
        verb(source.at("file"), target.at("file")).fails(400)
    assert (source.everything(), target.everything()) == before


@pytest.mark.parametrize("ends", [("own", "apache"), ("apache", "own"), (OTHER_KIND, "own"), ("own", OTHER_KIND), (OTHER_KIND, "apache")],
                         ids="-to-".join, indirect=True)
def test_one_file_goes(ends):
    client, source, target, used = ends
    own = 10_000 * (source.place.kind == "own")
    client.put(source.at("file"), b"x" * 10_000)
    assert client.used() == used + own
    client.copy(source.at("file"), target.path).ok()
    assert source.everything() == target.everything() == {"file": b"x" * 10_000}
    client.delete(target.at("file")).ok()
    client.move(source.at("file"), target.path).ok()
    assert source.everything() == {} and target.everything() == {"file": b"x" * 10_000}
    assert client.used() == used + 10_000 * (target.place.kind == "own")


@pytest.mark.parametrize("kind", TWO_KINDS)
def test_the_quota_holds_for_what_comes_from_a_drive(make_drive, make_account, kind):
    account = make_account("1MB")
    place, client = make_drive(kind, account.server, account.name), account.client
    tree = {"tree": None, **{f"tree/{number}": b"x" * 300_000 for number in range(5)}}
    place.plant(tree)
    for verb in (client.copy, client.move):
        verb(place.at("tree")).fails(413)
        assert client.used() == 0 and contents(account.root) == {} and place.everything() == tree
    client.copy(place.at("tree/1")).ok()
    assert client.used() == 300_000
    # A drive has no quota of the account's.
    client.put(place.at("large"), b"x" * 2_000_000)
    client.copy(place.at("tree"), place.at("tree")).fails(400)
    assert client.used() == 300_000
