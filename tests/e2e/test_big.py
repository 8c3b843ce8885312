"""Big folders, long names, deep paths."""

import contextlib
import json
import os
import pathlib
from urllib.parse import quote

import pytest

from client import form
from people import Person
from raw import RawConnection, head
from server import disk_bytes, eventually, tree_of

MANY = 100_000


@pytest.fixture(scope="module")
def crowd(build_server, account_on):
    server = build_server(stall_timeout_ms=600_000, min_rate_bytes=0).start()  # However slow the machine is.
    account = account_on(server)
    folder = account.root / "crowd"
    folder.mkdir()
    for number in range(MANY - 1000):
        os.close(os.open(folder / f"file{number}.txt", os.O_CREAT | os.O_WRONLY))
    for number in range(1000):
        (folder / f"Folder {number}").mkdir()
    yield account
    server.stop()


def test_a_hundred_thousand_entries_are_listed_in_order(crowd):
    entries = crowd.client.list("crowd").ok()
    assert [entry["name"] for entry in entries] == (
        [f"Folder {number}" for number in range(1000)] + [f"file{number}.txt" for number in range(MANY - 1000)])
    assert all(entry["relativePath"] == "crowd/" + entry["name"] for entry in entries)
    assert all(entry["isDirectory"] == entry["name"].startswith("Folder") for entry in entries)


def test_listings_that_are_not_read_are_bounded(crowd):
    """Its entries are in memory until it was sent; of 100,000 few fit into what an account may have so."""
    with contextlib.ExitStack() as behind:
        waiting = []
        while len(waiting) < 20:
            one = behind.enter_context(RawConnection(crowd.server)).send(head("GET", "/api/v1/files?path=crowd", key=crowd.client.key))
            status = one.reader.readline()
            if b" 429 " in status:
                break
            assert b" 200 " in status
            waiting.append(one)
        assert 2 <= len(waiting) < 20
        refused = crowd.client.list("crowd")
        assert "at once" in refused.fails(429) and int(refused.headers["Retry-After"]) >= 1
        assert crowd.client.list().ok()
        waiting[0].close()
        eventually(lambda: crowd.client.list("crowd").status == 200, "the room of who has gone")
        lines = dict(line.decode().strip().split(": ", 1) for line in iter(waiting[1].reader.readline, b"\r\n"))
        assert len(json.loads(waiting[1].reader.read(int(lines["Content-Length"])))["data"]) == MANY


LONG = '"' * 254


def plant_large_page(account):
    """A folder whose page takes some twenty megabytes: names that take twice their length, below a long path."""
    folder = account.root
    for _ in range(13):
        folder /= LONG
    folder.mkdir(parents=True)
    for number in range(3000):
        (folder / f"{number:04}{LONG[:250]}").touch()
    return str(folder.relative_to(account.root))


@pytest.fixture(params=["text", "json"])
def with_large_pages(request, own_server, account_on):
    server = own_server(log_format=request.param, stall_timeout_ms=600_000, min_rate_bytes=0)  # However slow the machine is.
    accounts = [account_on(server), account_on(server)]
    (path,) = {plant_large_page(one) for one in accounts}
    return server, path, [Person(server, key=one.client.key) for one in accounts]


def unread(behind, server, target, key=None):
    """The status of a request whose answer is not read."""
    one = behind.enter_context(RawConnection(server, receive_bytes=4096)).send(head("GET", target, key=key))
    return one.reader.readline().split()[1]


def test_pages_that_are_not_read_are_bounded_for_each_account(with_large_pages):
    server, path, (person, other) = with_large_pages
    page = "files?limit=3000&path=" + quote(path)
    with contextlib.ExitStack() as behind:
        statuses = [unread(behind, server, "/api/v2/" + page, person.http.headers["X-API-Key"]) for _ in range(30)]
        assert statuses[:2] == [b"200"] * 2 and statuses.count(b"429") >= 10, statuses
        assert unread(behind, server, "/api/v2/" + page, other.http.headers["X-API-Key"]) == b"200"


def test_pages_for_all_guests_of_an_account_are_bounded_together(with_large_pages):
    """However many links it has, and they have a part of its share."""
    server, path, (person, other) = with_large_pages
    top, _, below = path.partition("/")
    page = f"files?limit=3000&path={quote(below)}"
    with contextlib.ExitStack() as behind:
        tokens = [person.ok("POST", "links", {"path": top}, 201)["token"] for _ in range(25)]
        statuses = [unread(behind, server, f"/api/v2/guest/{token}/{page}") for token in tokens]
        assert statuses[0] == b"200" and statuses.count(b"429") >= 10, statuses
        for one in (person, other):
            own = f"/api/v2/files?limit=3000&path={quote(path)}"
            assert unread(behind, server, own, one.http.headers["X-API-Key"]) == b"200"


def threads_of(server):
    return list(pathlib.Path(f"/proc/{server.process.pid}/task").iterdir())


def polling_threads(server):
    """Those that serve connections, while none has a request."""
    return {task.name for task in threads_of(server) if (task / "wchan").read_text() in ("do_epoll_wait", "ep_poll")}


def cpu_ticks(server, names=None):
    stats = [(task / "stat").read_text() for task in threads_of(server) if names is None or task.name in names]
    fields = [stat.rpartition(")")[2].split() for stat in stats]
    return sum(int(one[11]) + int(one[12]) for one in fields)


def test_a_big_listing_is_made_by_no_thread_that_serves_connections(crowd):
    server = crowd.server
    polling = eventually(lambda: polling_threads(server), "the server to be idle")
    before = cpu_ticks(server, polling), cpu_ticks(server)
    for _ in range(5):
        assert len(crowd.client.list("crowd").ok()) == MANY
    in_polling, in_all = cpu_ticks(server, polling) - before[0], cpu_ticks(server) - before[1]
    assert in_polling < in_all / 3, (in_polling, in_all)


def test_a_big_folder_takes_uploads_and_is_deleted_in_one_step(crowd):
    client = crowd.client
    client.put("crowd/file5.txt", b"x" * 100)
    assert client.content("crowd/file5.txt") == b"x" * 100
    client.rename("crowd", "mob").ok()
    assert client.info("mob/file99.txt").ok()["size"] == 0
    client.delete("mob").ok()
    assert client.names() == [] and client.used() == 0


@pytest.mark.parametrize("name", ["n" * 255, "é" * 127 + "x", "日" * 85, "👍" * 63 + "abc"], ids=lambda name: name[:3])
def test_names_of_255_bytes(account, name):
    assert len(name.encode()) == 255
    client = account.client
    client.put(name, b"first")
    client.put(name, b"second")
    assert client.names() == [name] and client.content(name) == b"second"
    client.make_folder("", "d").ok()
    client.copy(name, "d").ok()
    client.rename(name, "short").ok()
    client.rename("short", name).ok()
    client.delete(f"d/{name}").ok()
    client.move(name, "d").ok()
    assert tree_of(account.root) == {"d/", f"d/{name}"}
    client.delete(f"d/{name}").ok()
    client.make_folder("", name).ok()
    scoped = client.scoped(name)
    scoped.put(name, b"inner")
    assert client.content(f"{name}/{name}") == b"inner"
    client.delete(name).ok()
    assert client.used() == 0


@pytest.mark.parametrize("name", ["level", "n" * 30], ids=["short names", "long names"])
def test_sixty_levels(account, name):
    client = account.client
    levels = 60
    path = "/".join([name] * levels)
    client.make_folder("/".join([name] * (levels - 1)), name).ok()
    client.put(f"{path}/a.txt", b"deep")
    assert client.content(f"{path}/a.txt") == b"deep" and client.names(path) == ["a.txt"]
    assert client.info(f"{path}/a.txt").ok()["path"] == f"{path}/a.txt"
    client.make_folder("", "to").ok()
    client.copy(name, "to").ok()
    assert client.content(f"to/{path}/a.txt") == b"deep"
    assert client.scoped(f"to/{path}").content("a.txt") == b"deep"
    client.move(f"{path}/a.txt", "").ok()
    client.move(name, f"to/{path}").ok()
    assert client.names(f"to/{path}/{path}") == []
    assert client.used() == 8 == disk_bytes(account.root)
    client.delete("to").ok()
    assert client.names() == ["a.txt"] and client.used() == 4


def test_deeper_than_any_path_in_one_system_call(account):
    """Folders made on disk one below the other, until their path is longer than the kernel takes at once."""
    name, descriptor = "d" * 200, os.open(account.root, os.O_RDONLY)
    for _ in range(30):
        os.mkdir(name, dir_fd=descriptor)
        deeper = os.open(name, os.O_RDONLY, dir_fd=descriptor)
        os.close(descriptor)
        descriptor = deeper
    os.close(os.open("leaf", os.O_CREAT | os.O_WRONLY, dir_fd=descriptor))
    os.close(descriptor)
    client = account.client
    assert client.info("/".join([name] * 10)).ok()["isDirectory"]
    assert client.info("/".join([name] * 30)).status in (200, 400, 404)
    client.make_folder("", "to").ok()
    assert client.copy(name, "to").status in (200, 400)
    client.account().ok()
    client.delete(name).ok()
    client.delete("to").ok()
    assert client.names() == [] and client.used() == 0


def test_many_small_files_in_many_requests(account):
    with_names = [f"small {number}" for number in range(200)]
    for name in with_names:
        account.client.upload("", form((name, name.encode()))).ok()
    assert account.client.names() == with_names
    assert account.client.used() == sum(map(len, with_names))
