"""The rows with PostgreSQL, and with own files in a store of objects. The peer of the latter is rclone in the same bucket."""

import os
import pathlib
import shutil
import tempfile
import time

import drives
import remotes
import stores
from process import fetch
from remote_rows import expect, same_content
from rows import GIB, KIND, PART, TAIL, Figure, Row

CALLERS = 16


class UploadsOnPostgres(Row):
    """Plain files on both sides. The peer is Coffer on SQLite."""

    figures = [Figure(f"4 KiB uploads, {CALLERS} connections, durable, catalog on PostgreSQL, files/s, by SQLite", ">= 0.6")]
    where = "postgres"
    count = 4000

    def prepare(self):
        self.on_sqlite = self.bench.coffer(self.durability)

    def upload(self, server, turn):
        server.call("POST", "/files/folder", name=f"up{turn}")
        body = (PART % "file########.bin").encode() + b"x" * 4096 + TAIL
        head = server.head("POST", f"/files/upload?path=up{turn}", len(body), KIND)
        return [self.bench.load(server, CALLERS, self.count, head + body)]

    def coffer(self, turn):
        return self.upload(self.coffer_server, turn)

    def peer(self, turn):
        return self.upload(self.on_sqlite, turn)


class ObjectRow(Row):
    where = "objects"

    def prepare(self):
        self.store = self.bench.stores.objects.server
        self.bucket = self.coffer_server.settings["COFFER_OBJECTS_BUCKET"]
        self.database = self.coffer_server.settings["COFFER_DATABASE"]

    def there(self, name):
        return f"{drives.NAME}:{self.bucket}/{name}"

    def rclone(self, *words, **more):
        """With as many transfers at once as Coffer gets requests."""
        known = {drives.NAME: self.store.remote()}
        return remotes.rclone_with(known, *words, f"--transfers={CALLERS}", f"--checkers={CALLERS}", **more)


def figures_of(what, up):
    return [Figure(f"{what} up to the store of objects, {CALLERS} connections, files/s, by rclone copy to the same bucket", up),
            Figure("the same listed, seconds, by rclone's operations/list", ""),
            Figure("the same down, files/s, by rclone copy", ">= 1.0")]


class SmallObjects(ObjectRow):
    """Files that go up, are listed and come down again. What comes to Coffer's client is dropped, rclone's is in memory."""

    figures = figures_of("1,000 files of 4 KiB (kept beside the names)", ">= 1.5")
    count, size = 1000, 4096

    def prepare(self):
        super().prepare()
        self.source = self.bench.folder / f"small{self.size}"
        self.source.mkdir()
        for number in range(self.count):
            (self.source / f"file{number:08}.bin").write_bytes(os.urandom(self.size))
        self.control = self.bench.remote("control")
        self.control.add(self.store)

    def coffer(self, turn):
        server, name = self.coffer_server, f"up{self.size}-{turn}"
        server.call("POST", "/files/folder", name=name)
        body = (PART % "file########.bin").encode() + os.urandom(self.size) + TAIL
        head = server.head("POST", f"/files/upload?path={name}", len(body), KIND)
        up = self.bench.load(server, CALLERS, self.count, head + body)
        listing = server.call("GET", "/files", path=name)
        request = server.head("GET", f"/files/download?path={name}/file########.bin")
        return [up, listing, self.bench.load(server, CALLERS, self.count, request)]

    def peer(self, turn):
        there = self.there(f"straight{self.size}-{turn}")
        up = self.rclone("copy", self.source, there)
        fs, _, folder = there.partition(":")
        _, listing = self.control.call("operations/list", fs=f"{fs}:", remote=folder)
        with tempfile.TemporaryDirectory(prefix="bench-", dir="/dev/shm") as came:
            down = self.rclone("copy", there, came)
            expect("files that came", len(list(pathlib.Path(came).iterdir())), self.count)
        return [self.count / up, listing, self.count / down]


class MiddleObjects(SmallObjects):
    figures = figures_of("1,000 files of 64 KiB (an object each)", ">= 1.0")
    size = 65536


class LargeObject(ObjectRow):
    figures = [Figure("1 GiB up to the store of objects through Coffer, bytes/s, by rclone copyto", ">= 0.8"),
               Figure("1 GiB down, dropped, bytes/s, by rclone cat", ">= 0.8")]

    def coffer(self, turn):
        server, large = self.coffer_server, self.bench.large_file()
        part = (PART % "up.bin").encode()
        head = server.head("POST", "/files/upload", len(part) + GIB + len(TAIL), KIND) + part
        up = self.bench.stream("put", server, head, large, TAIL)
        route = "/files/download?path=up.bin"
        if turn == 0:
            url = f"http://127.0.0.1:{server.port}/api/v1{route}"
            same_content(["curl", "-q", "-sSf", "-H", f"X-API-Key: {server.key}", url], large)
        down = self.bench.stream("get", server, server.head("GET", route), expected=GIB)
        server.call("DELETE", "/files", path="up.bin")
        # Coffer would keep its objects for a day, and the store keeps all in memory.
        self.rclone("delete", "--min-size", "1M", self.there(""))
        return [GIB / up, GIB / down]

    def peer(self, turn):
        there = self.there("straight.bin")
        up = self.rclone("copyto", self.bench.large_file(), there)
        with open(os.devnull, "wb") as dropped:
            down = self.rclone("cat", there, stdout=dropped)
        self.rclone("deletefile", there)
        return [GIB / up, GIB / down]


class ObjectNames(ObjectRow):
    """Of names in the catalog alone, of which there are many."""

    count, per_folder, content_bytes = 100_000, 100_000, 0

    def prepare(self):
        super().prepare()
        self.coffer_server.call("POST", "/files/folder", name=self.top)
        stores.Names(self.database, self.count, self.per_folder, self.content_bytes).put_below(self.top)


class RenameFolder(ObjectNames):
    """Each turn renames it and back."""

    figures = [Figure("rename a folder of 100,000 entries, seconds, by that of an empty one", "Coffer < 0.05 s")]
    top = "renamed"

    def prepare(self):
        super().prepare()
        self.coffer_server.call("POST", "/files/folder", name="empty")

    def rename(self, name):
        there = self.coffer_server.call("PUT", "/files/rename", path=name, newName=f"{name}-again")
        back = self.coffer_server.call("PUT", "/files/rename", path=f"{name}-again", newName=name)
        return [(there + back) / 2]

    def coffer(self, turn):
        return self.rename(self.top)

    def peer(self, turn):
        return self.rename("empty")


class CopyTree(ObjectNames):
    figures = [Figure("copy a tree of 10,000 files in the store of objects, seconds, by cp -a of one on a disk", "Coffer < 1 s")]
    count, per_folder, content_bytes, top = 10_000, 100, 4096, "tree"

    def prepare(self):
        super().prepare()
        self.on_disk = self.bench.folder / "tree-on-disk"
        self.bench.create(self.on_disk, self.count, self.content_bytes, 2, self.per_folder, "cached")
        os.sync()

    def coffer(self, turn):
        self.coffer_server.call("POST", "/files/folder", name=f"copy{turn}")
        return [self.coffer_server.call("PUT", "/files/copy", **{"from": self.top, "to": f"copy{turn}"})]

    def peer(self, turn):
        target = self.bench.folder / f"cp{turn}"
        start = time.monotonic()
        remotes.timed_run(["cp", "-a", self.on_disk, target])
        seconds = time.monotonic() - start
        shutil.rmtree(target)
        return [seconds]


class SearchNames(ObjectNames):
    """Those of an account. The peer is what the database takes alone, with the start of psql."""

    figures = [Figure("search of 300,000 names in the store of objects, seconds, by a LIKE of psql", "Coffer < 0.1 s")]
    count, per_folder, top = 300_000, 1000, "searched"

    def coffer(self, turn):
        server = self.coffer_server
        found, seconds = fetch(server.port, "GET", "/api/v2/search?path=searched&q=*777.bin&limit=10000", {"X-API-Key": server.key})
        expect("what was found", found.count(b"\n"), self.count // 1000 + 1)
        return [seconds]

    def peer(self, turn):
        start = time.monotonic()
        found = stores.execute(self.database, "SELECT count(*) FROM nodes WHERE tree = (SELECT tree FROM nodes WHERE "
                               f"name = '{self.top}') AND folded LIKE '%777.bin'")
        expect("what was found", int(found[0]) >= self.count // 1000, True)
        return [time.monotonic() - start]


ROWS = {
    "postgres-uploads": UploadsOnPostgres,
    "objects-small": SmallObjects,
    "objects-middle": MiddleObjects,
    "objects-large": LargeObject,
    "objects-rename": RenameFolder,
    "objects-copy-tree": CopyTree,
    "objects-search": SearchNames,
}
