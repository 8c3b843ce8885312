"""A disk without room: what frees room and what only reads goes on, and the rest is refused with nothing stored."""

import os

import pytest

import tiers
from client import FILES, Client, form
from disks import Disk, SmallDisk, fill, system
from raw import RawConnection, head
from server import eventually

SIZE = 48 << 20
FILES_ON_DISK = 150


@pytest.fixture
def on_disk(build_server):
    """Starts a server, with one account, on a small disk of its own."""
    started = []

    def start(**how):
        server = build_server()
        account = server.add_account()
        server.client = Client(server, server.create_key(account)["key"])
        disk = SmallDisk(server, SIZE, **how)
        started.append(server.start())
        return disk, server.client

    yield start
    for server in started:
        if server.running():
            server.stop()


def put_files(client, count=FILES_ON_DISK):
    client.make_folder("", "folder").ok()
    for number in range(count):
        client.put(f"folder/{number}", b"x" * 1000)
    client.put("large", b"y" * 3_000_000)
    client.put("kept", b"kept")


def expect_full(client, log, size=3_000_000):
    names, used, lines = client.names(), client.used(), log().count("The disk is full.")
    assert client.upload("", form(("new", bytes(size)))).fails(507) == "The disk is full."
    assert client.names() == names and client.used() == used
    eventually(lambda: log().count("The disk is full.") == lines + 1, "one line in the log")


def expect_reading(client):
    assert client.content("kept") == b"kept"
    assert len(client.content("large")) == 3_000_000
    assert client.info("folder").ok()["isDirectory"]
    assert "kept" in client.names()


def expect_deleting(client, fill_again, count=FILES_ON_DISK):
    for number in range(count):
        used = client.used()
        client.delete(f"folder/{number}").ok()
        assert client.used() == used - 1000
        fill_again()
    client.delete("folder").ok()
    client.delete("large").ok()
    assert client.names() == ["kept"]
    assert client.used() == 4


def test_deleting_and_reading_go_on_while_the_disk_is_full(on_disk):
    disk, client = on_disk()
    put_files(client)
    disk.fill()
    assert os.statvfs(disk.folder).f_bavail == 0
    expect_full(client, client.server.log)
    expect_reading(client)
    expect_deleting(client, disk.fill)
    disk.fill()
    expect_full(client, client.server.log)
    client.server.stop()


def test_keys_are_made_and_revoked_while_the_disk_is_full(on_disk):
    disk, client = on_disk()
    client.make_folder("", "folder").ok()
    limited = client.scoped("folder")
    disk.fill()
    key = client.create_key("new").ok()
    assert client.with_key(key["key"]).used() == 0
    client.revoke(key["id"]).ok()
    client.with_key(key["key"]).account().fails(401)
    client.delete("folder").ok()
    limited.list().fails(401)


def test_room_that_returns_is_used_and_kept_back_again(on_disk):
    disk, client = on_disk()
    put_files(client, 10)
    for _ in range(3):
        disk.fill()
        expect_full(client, client.server.log)
        disk.free()
        client.put("new", bytes(3_000_000))
        client.delete("new").ok()
    disk.fill()
    expect_deleting(client, disk.fill, 10)


def tells(server, line):
    """Whether the log has it. A catalog of PostgreSQL is on none of Coffer's disks, so that nothing is reserved or told."""
    return tiers.POSTGRESQL or line in server.log()


def test_a_server_that_finds_too_little_room_takes_it_later(on_disk):
    disk, client = on_disk(free_bytes=2 << 20)
    eventually(lambda: tells(client.server, "no disk space can be reserved for the catalog"), "the lack to be logged")
    expect_full(client, client.server.log)
    disk.free()
    put_files(client, 10)
    eventually(lambda: client.put("kept", b"kept") and tells(client.server, "disk space for the catalog is reserved again"),
               "the room to be taken")
    disk.fill()
    expect_deleting(client, disk.fill, 10)


@pytest.mark.parametrize("end", ["stop", "kill"])
def test_a_server_starts_on_a_full_disk_and_serves_what_is_there(tmp_path, build_server, end):
    disk = Disk(tmp_path / "image", tmp_path / "disk").make("-m", "0", "-b", "4096").mount()
    server = build_server()
    try:
        server.data = disk.folder / "data"
        client = Client(server, server.create_key(server.add_account())["key"])
        server.start()
        put_files(client, 3)
        fill(disk.folder)
        getattr(server, end)()
        server.start()
        expect_reading(client)
        fill(disk.folder)
        client.upload("", form(("new", b"x"))).fails(507)
        client.delete("folder").fails(507)
        (disk.folder / "filling").unlink()
        client.put("new", b"x")
        client.delete("folder").ok()
        server.stop()
    finally:
        if server.running():
            server.kill()
        system("umount", "--lazy", disk.folder)


def test_deleting_and_reading_go_on_where_the_disk_has_blocks(tmp_path, build_server):
    """A journalled file system, which needs blocks for folders too."""
    disk = Disk(tmp_path / "image", tmp_path / "disk").make("-m", "0").mount()
    server = build_server()
    try:
        server.data = disk.folder / "data"
        account = server.add_account()
        client = Client(server, server.create_key(account)["key"])
        server.start()
        put_files(client)
        for number in range(200):
            client.make_folder("folder/sub", str(number))
        fill(disk.folder)
        expect_full(client, server.log, size=20_000_000)
        expect_reading(client)
        expect_deleting(client, lambda: fill(disk.folder))
        server.stop()
    finally:
        if server.running():
            server.kill()
        system("umount", "--lazy", disk.folder)


def announce(server, key, length):
    with RawConnection(server) as connection:
        connection.send(head("POST", FILES + "/upload", "Content-Type: multipart/form-data; boundary=b",
                             f"Content-Length: {length}", key=key))
        return connection.read_answer()


@pytest.mark.parametrize("length", [2**56, 2**63 - 1, SIZE * 2])
def test_what_the_whole_disk_cannot_hold_is_refused_at_once(on_disk, length):
    _, client = on_disk()
    answer = announce(client.server, client.key, length)
    assert answer.status == 507 and "too small" in answer.error(), answer
    assert client.used() == 0 and client.names() == []
    client.put("a", b"content")


def test_no_disk_holds_so_much(server, account):
    answers = [announce(server, account.key, 2**56) for _ in range(20)]
    assert {answer.status for answer in answers} == {507}
    account.client.put("a", b"content")


def test_what_is_over_the_quota_too_is_refused_for_that(server, make_account):
    account = make_account("1000000")
    assert announce(server, account.key, 2**56).status == 413


def test_a_copy_that_the_whole_disk_cannot_hold_is_refused_at_once(account):
    with (account.root / "sparse").open("wb") as sparse:
        sparse.truncate(2**43)
    account.client.make_folder("", "to").ok()
    assert "too small" in account.client.copy("sparse", "to").fails(507)
    assert account.client.names("to") == []
    (account.root / "sparse").unlink()


def test_the_figures_are_read_where_no_room_could_be_kept_back(on_disk):
    disk, client = on_disk(free_bytes=2 << 20)
    eventually(lambda: tells(client.server, "no disk space can be reserved for the catalog"), "the lack to be logged")
    for number in range(20):
        client.put(f"{number}", b"x" * 1000)
    for number in range(20):
        disk.fill()
        assert client.used() == (20 - number) * 1000
        client.delete(f"{number}").ok()
        disk.fill()
        assert client.used() == (19 - number) * 1000
    disk.free()


def test_a_file_larger_than_the_server_may_write_is_refused_and_it_goes_on(build_server):
    """The kernel ends a program with SIGXFSZ that does not expect it."""
    server = build_server()
    server.in_front = ("prlimit", f"--fsize={4 << 20}", "--")
    server.start()
    client = Client(server, server.create_key(server.add_account())["key"])
    client.put("kept", b"kept")
    refusal = "The file is larger than the file system or the server allows."
    assert client.upload("", form(("new", bytes(SIZE)))).fails(507) == refusal
    assert client.names() == ["kept"] and client.used() == len("kept")
    client.put("largest", bytes(4 << 20))
    assert client.used() == (4 << 20) + len("kept")
    server.stop()
