"""How long one account's requests take while another keeps the server busy. The peer is Coffer itself when quiet."""

import shutil
import threading

from rows import Figure, Row

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


ROWS = {"info-beside-sign-ins": InfoBesideSignIns, "list-beside-copies": ListBesideCopies, "info-beside-listings": InfoBesideListings}
