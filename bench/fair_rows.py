"""How long one account's requests take while another keeps the server busy. The peer is Coffer itself when quiet."""

import json
import shutil
import threading
import time

from process import fetch
from rows import KIND, PART, TAIL, Figure, Row

COPIES, FILES = 72, 3_000
LISTINGS, ENTRIES = 4, 100_000
SECONDS = 10
SIGN_INS = 8


class Beside(Row):
    """The requests of an account `other` while `load` runs in threads, each until `ended` is set."""

    def prepare(self):
        self.other = self.coffer_server.account("other")
        for number in range(20):
            (self.other.files / f"{number}.txt").write_bytes(b"x")
        self.prepare_load()

    def figures_of(self, target):
        return self.bench.latency(self.coffer_server, SECONDS, self.other.head("GET", target))

    def coffer(self, turn):
        ended = threading.Event()
        threads = [threading.Thread(target=self.load, args=(turn, number, ended)) for number in range(self.callers)]
        for thread in threads:
            thread.start()
        try:
            return self.chosen(self.figures_of(self.target))
        finally:
            ended.set()
            for thread in threads:
                thread.join()
            self.tidy(turn)

    def peer(self, turn):
        return self.chosen(self.figures_of(self.target))

    def tidy(self, turn):
        pass


class ListBesideCopies(Beside):
    what = f"listing of one account while another copies {COPIES} trees of {FILES:,} files"
    figures = [Figure(f"{what}, 75th percentile in seconds, by the same when quiet", "Coffer < 0.3 s"),
               Figure(f"{what}, longest in seconds, by the same when quiet", "")]
    callers, target = COPIES, "/files"

    def prepare_load(self):
        self.bench.create(self.coffer_server.files / "many", FILES, 1024, 2, 100, "cached")

    def chosen(self, times):
        return [times[1], times[3]]

    def load(self, turn, number, ended):
        folder = f"copies{turn}-{number}"
        self.coffer_server.call("POST", "/files/folder", name=folder)
        self.coffer_server.call("PUT", "/files/copy", **{"from": "many", "to": folder})

    def tidy(self, turn):
        for number in range(COPIES):
            shutil.rmtree(self.coffer_server.files / f"copies{turn}-{number}")


class InfoBesideListings(Beside):
    what = f"info by one account while {LISTINGS} listings of {ENTRIES:,} entries run"
    figures = [Figure(f"{what}, 99th percentile in seconds, by the same when quiet", "<= 2"),
               Figure(f"{what}, median in seconds, by the same when quiet", "")]
    callers, target = LISTINGS, "/files/info?path=1.txt"

    def prepare_load(self):
        self.bench.create(self.coffer_server.files / "crowd", ENTRIES, 64, 2, ENTRIES, "cached")

    def chosen(self, times):
        return [times[2], times[0]]

    def load(self, turn, number, ended):
        head = self.coffer_server.head("GET", "/files?path=crowd/0000")
        while not ended.is_set():
            self.bench.stream("get", self.coffer_server, head, head_name=f"head{number}")


class InfoBesideSignIns(Beside):
    """Each of them takes tens of milliseconds of a processor, and 64 MiB, on purpose."""

    what = f"info by one account while {SIGN_INS} sign in over and over"
    figures = [Figure(f"{what}, 99th percentile in seconds, by the same when quiet", ""),
               Figure(f"{what}, median in seconds, by the same when quiet", "")]
    callers, target = SIGN_INS, "/files/info?path=1.txt"

    def prepare_load(self):
        for number in range(SIGN_INS):
            self.coffer_server.person(f"person{number}")

    def chosen(self, times):
        return [times[2], times[0]]

    def load(self, turn, number, ended):
        while not ended.is_set():
            self.coffer_server.sign_in(f"person{number}")


def _upload(server):
    body = (PART % "file########.bin").encode() + b"x" * 1024 + TAIL
    lines = server.head("POST", "/files/upload?path=flooded", len(body), KIND)
    return lines.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n", 1) + body


def _json(text):
    return json.dumps(text).encode()


class SignInBesideFlood(Row):
    """Sign-ins of one person, one after the other, while one account sends a kind of request over and over, whatever is
    answered. The flood's client has the same two processors; where it alone would fill them it has fewer connections."""

    SIGN_INS, TASKS, SOURCES = 20, 200, 1_000
    # What is asked for, the connections, and the request of the server.
    FLOODS = [
        ("lists of tasks", 300, lambda server: server.people_request("GET", "/tasks")),
        ("searches", 64, lambda server: server.people_request("GET", "/search?q=*7.bin&limit=10000")),
        ("archives", 64, lambda server: server.people_request("GET", "/archive?format=zip&path=tree")),
        ("listings of 100,000 entries", 64, lambda server: server.people_request("GET", "/files?path=crowd/0000&limit=10000")),
        ("links with passwords", 300, lambda server: server.people_request("POST", "/links", _json({"path": "none", "mode": "read", "password": "correct horse"}))),
        ("keys that are wrong", 300, lambda server: server.people_request("GET", "/account").replace(server.key.encode(), b"x" * len(server.key))),
        ("small uploads", 300, _upload),
    ]
    figures = [Figure(f"sign-in while one account floods with {what}, longest of {SIGN_INS} in seconds, by the same when quiet",
                      "Coffer < 2 s") for what, _, _ in FLOODS]

    def prepare(self):
        server = self.coffer_server
        server.person("visitor")
        self.bench.create(server.files / "crowd", 100_000, 16, 2, 100_000, "cached")
        self.bench.create(server.files / "tree", 2_000, 4096, 2, 100, "cached")
        server.call("POST", "/files/folder", name="flooded")
        sources = [f"none{number:050}" for number in range(self.SOURCES)]
        headers = {"X-API-Key": server.key, "Content-Type": "application/json"}
        for number in range(self.TASKS):  # Each fails at once, and stays in the list.
            if number % 50 == 49:
                server.wait_until_idle()  # No more than 100 may be under way.
            fetch(server.port, "POST", "/api/v2/tasks", headers, _json({"kind": "delete", "permanent": True, "sources": sources}), 202)

    def longest(self):
        return max(self.coffer_server.sign_in("visitor") for _ in range(self.SIGN_INS))

    def coffer(self, turn):
        return [self.beside(connections, request(self.coffer_server)) for _, connections, request in self.FLOODS]

    def beside(self, connections, request):
        with self.bench.flood(self.coffer_server, connections, request):
            time.sleep(1)  # The flood is there.
            taken = self.longest()
        self.coffer_server.wait_until_idle()
        return taken

    def peer(self, turn):
        return [self.longest()] * len(self.FLOODS)


ROWS = {"sign-in-beside-flood": SignInBesideFlood, "info-beside-sign-ins": InfoBesideSignIns, "list-beside-copies": ListBesideCopies, "info-beside-listings": InfoBesideListings}
