"""The rows with a cloud drive on this machine, mounted in Coffer. The peer is rclone on the same drive."""

import json
import os
import shutil
import subprocess

import drives
from process import fetch
from remote_rows import expect, make_small_files, same_content, sizes_in
from rows import GIB, KIND, PART, TAIL, Figure, Row

ENTRIES = 10_000


class DriveRow(Row):
    """Turn 0, which warms up, compares contents; every turn compares sizes."""

    def prepare(self):
        self.drive = self.bench.remote("drive")
        self.mount = self.coffer_server.mount(self.drive, self.drive.password)
        self.large = self.bench.large_file()

    def transfer(self):
        """One by Coffer alone."""
        self.coffer("once")

    def copied(self, folder, turn, seconds):
        """Looks at what a copy made and removes it."""
        came = folder / "large.bin"
        expect("what came", {item: item.stat().st_size for item in folder.iterdir()}, {came: GIB})
        if turn == 0:
            same_content(["cat", came], self.large)
        came.unlink()
        os.sync()  # Else the next would wait for what this has left in memory.
        return [GIB / seconds]


class DriveList(DriveRow):
    figures = [Figure("list 10,000 entries of a drive, seconds, by rclone's operations/list", "<= 1.2")]

    def prepare(self):
        super().prepare()
        self.folder = f"list{ENTRIES}/0000"
        self.bench.create(self.drive.root / f"list{ENTRIES}", ENTRIES, 64, 2, ENTRIES, "cached")
        self.wanted = {item.name: item.stat().st_size for item in (self.drive.root / self.folder).iterdir()}
        self.control = self.bench.remote("control")
        self.control.add(self.drive)

    def coffer(self, turn):
        server = self.coffer_server
        target = f"/api/v1/files?path={self.mount}/{self.folder}"
        listed, seconds = fetch(server.port, "GET", target, {"X-API-Key": server.key})
        return self._done({entry["name"]: entry["size"] for entry in json.loads(listed)["data"]}, seconds)

    def peer(self, turn):
        # Asked as Coffer's rclone is: it would also look up a type for each name.
        options = {"noMimeType": True}
        listed, seconds = self.control.call("operations/list", fs=f"{drives.NAME}:", remote=self.folder, opt=options)
        return self._done({entry["Name"]: entry["Size"] for entry in json.loads(listed)["list"]}, seconds)

    def _done(self, found, seconds):
        expect("the listing has the folder's names and sizes", found == self.wanted, True)
        return [seconds]


class DriveFile(DriveRow):
    """A file on the drive of the size that is copied from it."""

    def prepare(self):
        super().prepare()
        if not (self.drive.root / "large.bin").exists():
            os.link(self.large, self.drive.root / "large.bin")
        self.source = f"{drives.NAME}:large.bin"


class DriveDownload(DriveFile):
    """Both sides do the same with what comes: keep it in a file in memory, or drop it."""

    figures = [
        Figure("1 GiB download from a drive to a file in memory, bytes/s, by rclone copyto", ">= 0.9"),
        Figure("1 GiB download from a drive, dropped, bytes/s, by rclone cat", ">= 0.9"),
    ]

    def prepare(self):
        super().prepare()
        self.route = f"/files/download?path={self.mount}/large.bin"

    def coffer(self, turn):
        server = self.coffer_server
        head = server.head("GET", self.route)
        return [self._keep(turn, lambda target: self.bench.stream("keep", server, head, target)), self.transfer()]

    def transfer(self):
        server = self.coffer_server
        return GIB / self.bench.stream("get", server, server.head("GET", self.route), expected=GIB)

    def peer(self, turn):
        kept = self._keep(turn, lambda target: drives.rclone(self.drive, "copyto", self.source, target))
        # What is dropped cannot be looked at; rclone itself fails where less comes than was announced.
        return [kept, GIB / drives.rclone(self.drive, "cat", self.source, stdout=subprocess.DEVNULL)]

    def _keep(self, turn, get):
        with drives.file_in_memory() as target:
            seconds = get(target)
            expect("the download", target.stat().st_size, GIB)
            if turn == 0:
                same_content(["cat", target], self.large)
        return GIB / seconds


class CopyFromDrive(DriveFile):
    """Each to its own folder on the same disk."""

    figures = [Figure("copy 1 GiB from a drive, bytes/s, by rclone copyto", ">= 0.9")]

    def prepare(self):
        super().prepare()
        self.kept, self.fetched = self.coffer_server.files / "kept", self.bench.folder / "fetched"
        self.kept.mkdir(exist_ok=True)
        self.fetched.mkdir(exist_ok=True)

    def coffer(self, turn):
        seconds = self.coffer_server.call("PUT", "/files/copy", **{"from": f"{self.mount}/large.bin", "to": "kept"})
        return self.copied(self.kept, turn, seconds)

    def peer(self, turn):
        seconds = drives.rclone(self.drive, "copyto", self.source, self.fetched / "large.bin")
        return self.copied(self.fetched, turn, seconds)


class CopyToDrive(DriveRow):
    figures = [Figure("copy 1 GiB to a drive, bytes/s, by rclone copyto", ">= 0.9")]

    def prepare(self):
        super().prepare()
        if not (self.coffer_server.files / "large.bin").exists():
            os.link(self.large, self.coffer_server.files / "large.bin")
        os.sync()

    def coffer(self, turn):
        return self.copied(self.drive.inbox, turn, self.send())

    def send(self):
        return self.coffer_server.call("PUT", "/files/copy", **{"from": "large.bin", "to": f"{self.mount}/inbox"})

    def peer(self, turn):
        seconds = drives.rclone(self.drive, "copyto", self.large, f"{drives.NAME}:inbox/large.bin")
        return self.copied(self.drive.inbox, turn, seconds)


class UploadToDrive(CopyToDrive):
    """A form does not tell how long its file is: Coffer has all of it before the drive gets any."""

    figures = [Figure("1 GiB upload to a drive, bytes/s, by rclone copyto", ">= 0.5")]

    def send(self):
        part = (PART % "large.bin").encode()
        size = len(part) + GIB + len(TAIL)
        head = self.coffer_server.head("POST", f"/files/upload?path={self.mount}/inbox", size, KIND) + part
        return self.bench.stream("put", self.coffer_server, head, self.large, TAIL)


class SmallFiles(DriveRow):
    figures = [
        Figure("copy 2,000 files of 4 KiB to a drive, seconds, by rclone copy", "<= 1.2"),
        Figure("copy 2,000 files of 4 KiB from a drive, seconds, by rclone copy", "<= 1.2"),
    ]

    def prepare(self):
        self.drive = self.bench.remote("drive")
        self.mount = self.coffer_server.mount(self.drive, self.drive.password)
        own = self.coffer_server.files
        self.tree, self.fetched = own / "small", own / "fetched"
        self.peer_fetched = self.bench.folder / "fetched-small"
        self.fetched.mkdir()
        make_small_files(self.tree)
        self.sizes = sizes_in(self.tree)
        os.sync()

    def coffer(self, turn):
        there = self._copy("small", f"{self.mount}/inbox")
        back = self._copy(f"{self.mount}/inbox/small", "fetched")
        return self._done(turn, self.fetched / "small", [there, back])

    def _copy(self, source, target):
        return self.coffer_server.call("PUT", "/files/copy", **{"from": source, "to": target})

    def peer(self, turn):
        place = f"{drives.NAME}:inbox/small"
        there = drives.rclone(self.drive, "copy", self.tree, place)
        back = drives.rclone(self.drive, "copy", place, self.peer_fetched)
        return self._done(turn, self.peer_fetched, [there, back])

    def _done(self, turn, fetched, seconds):
        """Looks at what both ways made and removes it."""
        for copy in (self.drive.inbox / "small", fetched):
            expect("the copy has the tree's names and sizes", sizes_in(copy) == self.sizes, True)
            if turn == 0:
                subprocess.run(["diff", "-r", self.tree, copy], check=True)
            shutil.rmtree(copy)
        os.sync()
        return seconds


ROWS = {
    "drive-list": DriveList,
    "drive-down": DriveDownload,
    "drive-copy": CopyFromDrive,
    "drive-up": CopyToDrive,
    "drive-upload": UploadToDrive,
    "drive-small": SmallFiles,
}
