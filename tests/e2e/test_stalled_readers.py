"""Who asks for much and takes nothing: the server's memory stays bounded, and others are served."""

import contextlib
import os
import pathlib
import re
import threading
from urllib.parse import quote

import pytest
import requests

from client import TIMEOUT_S
from hostile import HostileFtp
from hostile_mount import memory, unix_line
from mounting import add_connector
from people import Person
from raw import RawConnection, head
from server import is_sanitized

MOST_MORE_BYTES = 96 << 20
ENTRIES = 20_000


class Place:
    """A server with two accounts that have the same files."""

    def __init__(self, server, one, other):
        self.server, self.one, self.other = server, one, other
        self.person = Person(server, key=one.client.key)

    def peak_of(self, work):
        """How much more memory the process had at once than before."""
        pathlib.Path(f"/proc/{self.server.process.pid}/clear_refs").write_text("5")  # The peak begins anew.
        before = memory(self.server, "VmRSS")
        work()
        return memory(self.server, "VmHWM") - before


def plant(root):
    for top in ("crowd", "photos"):
        (root / top).mkdir()
    for number in range(ENTRIES):
        os.close(os.open(root / "crowd" / f"{number:05}{'n' * 200}", os.O_CREAT | os.O_WRONLY))
    (root / "photos" / "large.raw").write_bytes(os.urandom(16 << 20))


@pytest.fixture(scope="module")
def planted(build_server, account_on):
    server = build_server(stall_timeout_ms=600_000, min_rate_bytes=0).start()  # However slow the machine is.
    accounts = [account_on(server), account_on(server)]
    for account in accounts:
        plant(account.root)
    server.stop()
    return server, *accounts


@pytest.fixture
def place(planted):
    """The server just started, so that no earlier work has made it large."""
    server, one, other = planted
    server.start()
    yield Place(server, one, other)
    server.stop()


def ask(behind, place, account, targets, times=1):
    """The statuses of requests that are all sent before the first answer is looked at; none is read further. `times`: how
    often over the same connection, so that it is more than the kernel takes."""
    key = account.client.key if account else None
    asked = [behind.enter_context(RawConnection(place.server, receive_bytes=4096)).send(head("GET", target, key=key) * times)
             for target in targets]
    return [int(one.reader.readline().split()[1]) for one in asked]


def check_is_bounded(place, targets, own=None, least=2, times=1, most=MOST_MORE_BYTES):
    """`own`: the target for the other account, which is served meanwhile."""
    statuses = []

    def stall():
        account = None if own is None else place.one
        statuses.extend(ask(behind, place, account, targets, times))
        if own:
            assert ask(behind, place, place.other, [own]) == [200]

    with contextlib.ExitStack() as behind:
        more = place.peak_of(stall)
    assert set(statuses) <= {200, 429}, statuses
    assert statuses.count(200) >= least, statuses
    assert more < most or is_sanitized(), f"{more / 2**20:.0f} MiB"


def largest_part(server):
    """Of the interface, by its address: of those that the page names, and those that they name."""
    sizes, found = {}, {"/"}
    while found:
        part = found.pop()
        text = requests.get(server.url + part, timeout=TIMEOUT_S, headers={"Accept-Encoding": "identity"}).text
        sizes[part] = len(text)
        found |= {"/" + name for name in re.findall(r"assets/[\w.-]+\.m?js", text)} - sizes.keys()
    return max(sizes, key=sizes.get)


@pytest.mark.parametrize("what", ["interface", "description"])
def test_what_the_program_holds_anyway(place, what):
    """Without an account, and more of them than accounts may have of anything."""
    target = largest_part(place.server) if what == "interface" else "/api/v2/openapi.json"
    check_is_bounded(place, [target] * 300, least=300, times=40)


@pytest.mark.parametrize("form", ["zip", "tar", "tar.zst"])
def test_archives(place, form):
    target = f"/api/v2/archive?format={form}&path=photos"
    check_is_bounded(place, [target] * 150, target)


def test_archives_of_guests(place):
    """They have a part of the account's share; it is served beside them."""
    tokens = [place.person.ok("POST", "links", {"path": "photos"}, 201)["token"] for _ in range(3)]
    targets = [f"/api/v2/guest/{token}/archive?format=zip&path=large.raw" for token in tokens]
    own = "/api/v2/archive?format=zip&path=photos"
    with contextlib.ExitStack() as behind:
        statuses = []
        more = place.peak_of(lambda: statuses.extend(ask(behind, place, None, targets * 60)))
        assert set(statuses) == {200, 429}, statuses
        assert ask(behind, place, place.one, [own] * 5) == [200] * 5
    assert more < MOST_MORE_BYTES or is_sanitized(), f"{more / 2**20:.0f} MiB"


def test_searches(place):
    target = "/api/v2/search?q=n&limit=10000"
    check_is_bounded(place, [target] * 150, target)


def test_listings(place):
    check_is_bounded(place, ["/api/v1/files?path=crowd"] * 40, "/api/v1/files?path=crowd")


def test_listings_of_servers(place):
    """Of many servers at once: what they send counts as it comes, and not only what is made of it."""
    lines = b"".join(unix_line(b"%05d" % number + b"n" * 180) for number in range(25_000))
    hostile = HostileFtp([unix_line(b".", mode=b"drwxr-xr-x") + lines])
    try:
        paths = [add_connector(place.server, place.one.name, f"far {number}", hostile.options(), stdin="secret\n")
                 for number in range(12)]
        check_is_bounded(place, [f"/api/v1/files?path={path}" for path in paths], "/api/v1/files?path=crowd", least=0)
        with contextlib.ExitStack() as behind:  # All at once, none may have had room; alone, each has.
            assert ask(behind, place, place.one, [f"/api/v1/files?path={paths[0]}"]) == [200]
    finally:
        hostile.stop()


def test_pages_of_one_entry_of_a_folder_that_changes(place):
    """Each is of a folder as it is now, which is read as a whole for it."""
    crowd, is_over = place.one.root / "crowd", threading.Event()

    def change():
        while not is_over.is_set():
            (crowd / "coming").touch()
            (crowd / "coming").rename(crowd / "going")
            (crowd / "going").unlink()

    changing = threading.Thread(target=change)
    changing.start()
    try:
        target = "/api/v2/files?path=crowd&limit=1"
        check_is_bounded(place, [target] * 60, target)
    finally:
        is_over.set()
        changing.join()


def test_lists_of_tasks(place):
    """Of a thousand sources each, which were not there."""
    sources = [f"{'gone' * 10}/{number}" for number in range(1_000)]
    for _ in range(40):
        place.person.ok("POST", "tasks", {"kind": "delete", "sources": sources}, 202)
    check_is_bounded(place, ["/api/v2/tasks"] * 150, "/api/v2/tasks")


def test_pages_of_long_names(place):
    folder = place.one.root
    for _ in range(13):
        folder /= '"' * 254
    folder.mkdir(parents=True)
    for number in range(2_000):
        (folder / (f"{number:04}" + '"' * 250)).touch()
    path = quote(str(folder.relative_to(place.one.root)))
    # Many are made at once before it is seen that there is no room for all: 85 to 102 MiB, and 200 if nothing held them.
    check_is_bounded(place, [f"/api/v2/files?limit=2000&path={path}"] * 40, "/api/v2/files?path=crowd", most=144 << 20)
