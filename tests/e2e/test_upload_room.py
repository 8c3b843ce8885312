"""What unfinished uploads take of the server's disk: lent on files that go, bounded for mounts, and seen by their owner."""

import pytest

from mounting import add_connector, scratch, started
from people import Person
from remote_servers import SftpServer
from server import eventually
from tus import Tus, id_of, spooled, sql

from test_tus import settled


@pytest.fixture(scope="module")
def remote():
    with started(SftpServer) as servers:
        yield servers["sftp"]


def test_replacing_one_file_is_lent_for_once(make_account, described):
    """No more may lie there beyond the quota than the files take that go in the end."""
    size = 8 << 20
    account = make_account(str(size))
    tus = Tus(account.server, account.key, described)
    tus.put(b"x" * size)
    answers = [tus.ask_for(size, onConflict="replace") for _ in range(30)]
    assert sorted(answer.status for answer in answers) == [201] + [413] * 29
    place, = (answer.headers["Location"] for answer in answers if answer.status == 201)
    settled(account, size, 0)
    tus.delete(place).is_(204)
    tus.send(tus.create(size, onConflict="replace"), b"y" * size).is_(204)
    settled(account, size)
    account.client.delete("a.txt").ok()
    for name in ("a", "b"):
        tus.put(b"1" * (size // 2), name)
    places = [tus.create(size // 2, name, onConflict="replace") for name in ("a", "b")]
    for place in places:
        tus.send(place, b"2" * (size // 2)).is_(204)
    settled(account, size)


@pytest.fixture(scope="module")
def bounded(build_server):
    """A server on which an account's uploads to mounts take a million bytes at most."""
    server = build_server(mount_uploads_limit=1_000_000).start()
    yield server
    server.stop()


@pytest.mark.parametrize("kind", ["share", "server"])
def test_what_waits_for_a_mount_is_bounded(bounded, account_on, described, kind):
    account = account_on(bounded, "1000")
    tus = Tus(bounded, account.key, described)
    with scratch("shared") as shared, started(SftpServer) as servers:
        if kind == "share":
            made = bounded.cli_json("share", "add", "--name", account.name, "--target", shared, "--account", account.name)
            folder, on_disk = f"__adm_{made['id']}", shared
        else:
            folder = add_connector(bounded, account.name, "Far away", servers["sftp"].options())
            on_disk = servers["sftp"].root
        assert "976.6 KB" in tus.ask_for(1_000_001, folder=folder).is_(413, "over_quota").detail()
        first, second = (tus.create(800_000, name, folder) for name in ("a", "b"))
        tus.patch(first, 0, b"x" * 700_000).is_(204)
        tus.patch(second, 0, b"y" * 100_000).is_(204)
        tus.patch(second, 100_000, b"y" * 700_000).is_(413, "over_quota")
        assert tus.offset(second) <= 200_000  # The first can be finished.
        sizes = [(bounded.data / "uploads" / id_of(place)).stat().st_size for place in (first, second)]
        assert sum(sizes) <= 1_000_000
        held = [upload["held"] for upload in Person(bounded, account.key).ok("GET", "uploads")["entries"]]
        assert sorted(held) == sorted(sizes)
        tus.patch(first, 700_000, b"x" * 100_000).is_(204)
        tus.send(second, b"y" * 800_000).is_(204)
        assert (on_disk / "a").read_bytes() == b"x" * 800_000 and (on_disk / "b").read_bytes() == b"y" * 800_000
        settled(account, 0)


def test_uploads_to_a_mount_that_is_gone_are_swept(own_server, account_on, remote):
    server = own_server()
    account = account_on(server, "1000")
    tus = Tus(server, account.key)
    with scratch("shared") as shared:
        share = server.cli_json("share", "add", "--name", account.name, "--target", shared, "--account", account.name)["id"]
        mount = add_connector(server, account.name, "Far away", remote.options())
        places = [tus.create(10, folder=folder) for folder in (f"__adm_{share}", mount)]
        for place in places:
            tus.patch(place, 0, b"12345").is_(204)
        stays = tus.create(10)
        server.stop()
        server.start()
        eventually(lambda: tus.offset(places[0]) == 5, "the server to be back")
        server.cli("share", "remove", share)
        server.cli("connector", "remove", "--account", account.name, "Far away")
        server.stop()
        server.start()
        eventually(lambda: sql(server, "SELECT id FROM uploads") == [(id_of(stays),)], "the sweep")
        eventually(lambda: spooled(server) == set(), "the sweep")


def test_unfinished_uploads_are_listed_for_their_owner(account, tus, described):
    person = Person(account.server, account.key)
    account.client.make_folder("", "docs").ok()
    places = [tus.create(10, "a"), tus.create(20, "b", "docs"), tus.create(30, "c")]
    tus.patch(places[1], 0, b"12345").is_(204)
    tus.put(b"done", "d")
    first = person.ok("GET", "uploads?limit=2")
    assert [upload["path"] for upload in first["entries"]] == ["c", "docs/b"]
    rest = person.ok("GET", "uploads?cursor=" + first["next"])
    assert [upload["path"] for upload in rest["entries"]] == ["a"] and rest["next"] is None
    one = first["entries"][1]
    assert one["id"] == id_of(places[1]) and (one["size"], one["received"], one["held"]) == (20, 5, 20)
    assert one["linkId"] is None and one["keyId"] and one["address"] == "127.0.0.1"
    assert one["startedAt"] <= one["touchedAt"] < one["expiresAt"]
    assert person.ok("GET", "account")["storageReserved"] == 60
    limited = Person(account.server, account.client.create_key("limited", folder="docs").ok()["key"])
    assert [upload["path"] for upload in limited.ok("GET", "uploads")["entries"]] == ["b"]
    for place in places:
        tus.delete(place).is_(204)
    assert person.ok("GET", "uploads") == {"entries": [], "next": None}
    settled(account, 4)
