"""What is measured: each row gives Coffer's figures and its peer's, and what their ratio should be."""

import concurrent.futures
import dataclasses
import os
import shutil
import subprocess
import time

BOUNDARY = "----bench"
PART = f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="%s"\r\n\r\n'
TAIL = f"\r\n--{BOUNDARY}--\r\n".encode()
KIND = f"multipart/form-data; boundary={BOUNDARY}"
GIB = 1 << 30


@dataclasses.dataclass
class Figure:
    """One line of the table. The ratio is Coffer's value by the peer's."""

    title: str
    goal: str


class Row:
    figures: list
    durability = "durable"
    access_log = False
    where = "files"  # See Bench.coffer.

    def __init__(self, bench):
        self.bench, self.nginx = bench, bench.nginx
        self.coffer_server = bench.coffer(self.durability, self.access_log, self.where)
        self.prepare()

    def prepare(self):
        pass


class SmallDownload(Row):
    figures = [Figure("1 KiB download, 64 connections, requests/s, by nginx", ">= 1.0")]
    target = "/files/download?path=small.bin"

    def prepare(self):
        content = os.urandom(1024)
        for server in (self.coffer_server, self.nginx):
            (server.files / "small.bin").write_bytes(content)

    def coffer(self, turn):
        return [self.bench.load(self.coffer_server, 64, 60000, self.coffer_server.head("GET", self.target))]

    def peer(self, turn):
        return [self.bench.load(self.nginx, 64, 60000, self.nginx.head("GET", "/small.bin"))]


class Info(SmallDownload):
    figures = [Figure("info, 64 connections, requests/s, by nginx's 1 KiB", ">= 1.0")]
    target = "/files/info?path=small.bin"


class SmallDownloadLogged(SmallDownload):
    figures = [Figure("1 KiB download with the access log, requests/s, by nginx without", ">= 0.9")]
    access_log = True


class InfoLogged(Info):
    figures = [Figure("info with the access log, requests/s, by nginx's 1 KiB without", ">= 0.9")]
    access_log = True


class LargeDownload(Row):
    figures = [
        Figure("1 GiB download, bytes/s, by nginx", ">= 1.0"),
        Figure("1 GiB download, the server's CPU time, by nginx", "<= 1.0"),
    ]

    def prepare(self):
        for server in (self.coffer_server, self.nginx):
            if not (server.files / "large.bin").exists():
                os.link(self.bench.large_file(), server.files / "large.bin")

    def _get(self, server, head):
        cpu = server.cpu_seconds()
        seconds = self.bench.stream("get", server, head)
        return [GIB / seconds, max(server.cpu_seconds() - cpu, 0.01)]

    def coffer(self, turn):
        return self._get(self.coffer_server, self.coffer_server.head("GET", "/files/download?path=large.bin"))

    def peer(self, turn):
        return self._get(self.nginx, self.nginx.head("GET", "/large.bin"))


class RelaxedUpload(Row):
    figures = [Figure("1 GiB upload, relaxed, bytes/s, by nginx PUT", ">= 1.0")]
    durability = "relaxed"

    def coffer(self, turn):
        part = (PART % "up.bin").encode()
        size = len(part) + GIB + len(TAIL)
        head = self.coffer_server.head("POST", "/files/upload", size, KIND) + part
        seconds = self.bench.stream("put", self.coffer_server, head, self.bench.large_file(), TAIL)
        os.unlink(self.coffer_server.files / "up.bin")
        return [GIB / seconds]

    def peer(self, turn):
        seconds = self.bench.stream("put", self.nginx, self.nginx.head("PUT", "/up.bin", GIB), self.bench.large_file())
        os.unlink(self.nginx.files / "up.bin")
        return [GIB / seconds]


class DurableUpload(RelaxedUpload):
    figures = [Figure("1 GiB upload, durable, bytes/s, by dd conv=fsync", ">= 0.8")]
    durability = "durable"

    def peer(self, turn):
        target = self.bench.folder / "dd.bin"
        start = time.monotonic()
        command = ["dd", f"if={self.bench.large_file()}", f"of={target}", "bs=1M", "conv=fsync", "status=none"]
        subprocess.run(command, check=True)
        seconds = time.monotonic() - start
        target.unlink()
        return [GIB / seconds]


class ResumableUpload(DurableUpload):
    """The peer is an upload by /api/v1 to the same server."""

    figures = [Figure("1 GiB by tus, durable, bytes/s, by an upload of /api/v1", ">= 0.9")]

    def coffer(self, turn):
        head = self.coffer_server.tus_head("up.bin", GIB)
        seconds = self.bench.stream("put", self.coffer_server, head, self.bench.large_file())
        os.unlink(self.coffer_server.files / "up.bin")
        return [GIB / seconds]

    def peer(self, turn):
        return RelaxedUpload.coffer(self, turn)


class SmallUploads(Row):
    figures = [Figure("4 KiB uploads, 32 connections, durable, files/s, by a C loop with fsync", ">= 0.8")]

    def coffer(self, turn):
        self.coffer_server.call("POST", "/files/folder", name=f"up{turn}")
        body = (PART % "file########.bin").encode() + b"x" * 4096 + TAIL
        head = self.coffer_server.head("POST", f"/files/upload?path=up{turn}", len(body), KIND)
        return [self.bench.load(self.coffer_server, 32, 4000, head + body)]

    def peer(self, turn):
        return [self.bench.create(self.bench.folder / f"loop{turn}", 4000, 4096, 32, 4000, "fsync")]


class SmallUploadsLogged(SmallUploads):
    figures = [Figure("4 KiB uploads with the access log, files/s, by a C loop with fsync", ">= 0.8")]
    access_log = True


class SmallUploadsOfMany(Row):
    """By as many accounts as connections; the peer is one account with as many."""

    figures = [Figure("4 KiB uploads, durable, 24 accounts at once, files/s, by one account", ">= 1.0")]
    count = 24

    def prepare(self):
        self.accounts = [self.coffer_server.account(f"bench{number}") for number in range(self.count)]

    def requests(self, folder, accounts):
        body = (PART % "file########.bin").encode() + b"x" * 4096 + TAIL
        for account in accounts:
            self.coffer_server.request("POST", "/api/v1/files/folder", account.key, name=folder)
            yield account.head("POST", f"/files/upload?path={folder}", len(body), KIND) + body

    def coffer(self, turn):
        return [self.bench.load(self.coffer_server, self.count, 4800, *self.requests(f"of-many{turn}", self.accounts))]

    def peer(self, turn):
        one = self.requests(f"of-one{turn}", [self.coffer_server])
        return [self.bench.load(self.coffer_server, self.count, 4800, *one)]


class Listing(Row):
    count = 10_000

    def prepare(self):
        self.name = f"list{self.count}"
        self.bench.create(self.coffer_server.files / self.name, self.count, 64, 2, self.count, "cached")

    def coffer(self, turn):
        head = self.coffer_server.head("GET", f"/files?path={self.name}/0000")
        return [self.bench.stream("get", self.coffer_server, head)]

    def peer(self, turn):
        start = time.monotonic()
        command = ["find", self.coffer_server.files / self.name / "0000", "-printf", "%f %s %B@ %T@\\n"]
        subprocess.run(command, check=True, stdout=subprocess.PIPE)
        return [time.monotonic() - start]


class List10K(Listing):
    figures = [Figure("list 10,000 entries, seconds, by find -printf", "<= 1.5")]


class List100K(Listing):
    figures = [Figure("list 100,000 entries, seconds, by find -printf", "<= 1.5")]
    count = 100_000


class ListPage(List100K):
    """What a person waits for who opens a large folder that was looked at within the last minute."""

    figures = [Figure("first page of 100,000 entries when warm, seconds, by find -printf of all", "Coffer < 0.03 s"),
               Figure("first page of them by time when warm, seconds, by find -printf of all", "Coffer < 0.03 s")]

    def coffer(self, turn):
        return [self.coffer_server.request("GET", "/api/v2/files", self.coffer_server.key, path=f"{self.name}/0000", sort=sort)
                for sort in ("name", "modified")]

    def peer(self, turn):
        return super().peer(turn) * 2


class Archive(Row):
    """As tar, so that packing is not what is measured. Both ends are pipes: what goes to /dev/null itself may be skipped."""

    item = "archived"

    def through_a_pipe(self, *command):
        start = time.monotonic()
        packing = subprocess.Popen(command, stdout=subprocess.PIPE)
        subprocess.run(["cat"], stdin=packing.stdout, stdout=subprocess.DEVNULL, check=True)
        if packing.wait() != 0:
            raise RuntimeError(f"{command} failed")
        return [time.monotonic() - start]

    def coffer(self, turn):
        server = self.coffer_server
        return self.through_a_pipe("curl", "-sSfN", "-H", f"X-API-Key: {server.key}",
                                   f"http://127.0.0.1:{server.port}/api/v2/archive?format=tar&path={self.item}")


class ArchiveOfMany(Archive):
    figures = [Figure("archive of 10,000 files of 4 KiB, seconds, by bsdtar -cf", "<= 1.11")]

    def prepare(self):
        self.bench.create(self.coffer_server.files / self.item, 10_000, 4096, 2, 100, "cached")

    def peer(self, turn):
        return self.through_a_pipe("bsdtar", "-cf", "-", "-C", str(self.coffer_server.files), self.item)


class ArchiveOfOne(Archive):
    figures = [Figure("archive of a file of 1 GiB, seconds, by cat", "<= 1.11")]
    item = "large.bin"

    def prepare(self):
        if not (self.coffer_server.files / self.item).exists():
            os.link(self.bench.large_file(), self.coffer_server.files / self.item)

    def peer(self, turn):
        return self.through_a_pipe("cat", str(self.coffer_server.files / self.item))


class Search(Row):
    """Of names in a folder for the search alone, that are in the kernel's memory. Where they lie there tells in how fast they
    are found, so two builds take turns with one folder."""

    figures = [Figure("first of a million names found, seconds, by all of find -name", "Coffer < 0.3 s"),
               Figure("search of 1,000,000 names, seconds, by find -name", "Coffer < 3 s"),
               Figure("search of 1,000,000 names, seconds, by plocate, which looks into an index", "")]
    count = 1_000_000

    def prepare(self):
        self.searched = self.bench.folder.parent / "searched"
        self.index = self.bench.folder / "searched.plocate"
        if not self.searched.exists():
            self.bench.create(self.searched, self.count, 1, 2, 1000, "cached")
        subprocess.run(["updatedb.plocate", "-l", "no", "-U", self.searched, "-o", self.index], check=True)

    def coffer(self, turn):
        lent = self.searched.rename(self.coffer_server.files / "searched")
        start = time.monotonic()
        command = ["curl", "-sSfN", "-H", f"X-API-Key: {self.coffer_server.key}",
                   f"http://127.0.0.1:{self.coffer_server.port}/api/v2/search?path=searched&q=*777.bin&limit=10000"]
        with subprocess.Popen(command, stdout=subprocess.PIPE) as asking:
            asking.stdout.readline()
            first = time.monotonic() - start
            asking.stdout.read()
        whole = time.monotonic() - start
        lent.rename(self.searched)
        return [first, whole, whole]

    def peer(self, turn):
        finding = self.time_of("find", self.searched, "-name", "*777.bin")
        return [finding, finding, self.time_of("plocate", "-d", self.index, "-b", "*777.bin")]

    @staticmethod
    def time_of(*command):
        start = time.monotonic()
        subprocess.run(command, check=True, stdout=subprocess.PIPE)
        return time.monotonic() - start


class Thumbnails(Row):
    """Of photos that were never asked for, four at a time, as a browser does; the peer runs as many at once as Coffer."""

    figures = [Figure("thumbnails of 48 photos of 12 megapixels, seconds, by vipsthumbnail of each", "")]
    count = 48

    def prepare(self):
        self.photo = self.bench.folder / "photo.jpg"
        noise = self.bench.folder / "noise.ppm"
        noise.write_bytes(b"P6 1000 750 255\n" + os.urandom(1000 * 750 * 3))
        command = ["vipsthumbnail", noise, "--size", "4000x3000", "--output", f"{self.photo}[Q=85]"]
        subprocess.run(command, check=True)

    def copies(self, folder):
        folder.mkdir()
        for number in range(self.count):
            shutil.copy(self.photo, folder / f"{number}.jpg")

    def coffer(self, turn):
        self.copies(self.coffer_server.files / f"photos{turn}")
        routes = [f"/api/v2/thumbnails?size=256&path=photos{turn}/{number}.jpg" for number in range(self.count)]
        start = time.monotonic()
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            list(pool.map(lambda route: self.coffer_server.request("GET", route, self.coffer_server.key), routes))
        return [time.monotonic() - start]

    def peer(self, turn):
        folder = self.bench.folder / f"photos{turn}"
        self.copies(folder)

        def one(number):
            command = ["vipsthumbnail", folder / f"{number}.jpg", "--size", "256x256>", "--output", folder / f"{number}.webp"]
            subprocess.run(command, check=True, env={**os.environ, "VIPS_CONCURRENCY": "1"})
        start = time.monotonic()
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            list(pool.map(one, range(self.count)))
        return [time.monotonic() - start]


class CopyTree(Row):
    figures = [Figure("copy a tree of 10,000 files, seconds, by cp -a --reflink=auto", "<= 1.0")]

    def prepare(self):
        self.bench.create(self.coffer_server.files / "tree", 10_000, 4096, 2, 100, "cached")
        os.sync()

    def coffer(self, turn):
        self.coffer_server.call("POST", "/files/folder", name=f"copy{turn}")
        return [self.coffer_server.call("PUT", "/files/copy", **{"from": "tree", "to": f"copy{turn}"})]

    def peer(self, turn):
        target = self.bench.folder / f"cp{turn}"
        start = time.monotonic()
        subprocess.run(["cp", "-a", "--reflink=auto", self.coffer_server.files / "tree", target], check=True)
        seconds = time.monotonic() - start
        shutil.rmtree(target)
        return [seconds]


class DeleteTree(Row):
    figures = [Figure("delete a tree of 100,000 files of 4 KiB, seconds to the answer, by rm -rf", "<= 0.05")]

    def coffer(self, turn):
        self.bench.create(self.coffer_server.files / f"gone{turn}", 100_000, 4096, 2, 1000, "cached")
        seconds = self.coffer_server.call("DELETE", "/files", path=f"gone{turn}")
        self.coffer_server.wait_until_idle()
        return [seconds]

    def peer(self, turn):
        target = self.bench.folder / f"rm{turn}"
        self.bench.create(target, 100_000, 4096, 2, 1000, "cached")
        start = time.monotonic()
        subprocess.run(["rm", "-rf", target], check=True)
        return [time.monotonic() - start]


ROWS = {
    "small-download": SmallDownload,
    "small-download-logged": SmallDownloadLogged,
    "info": Info,
    "info-logged": InfoLogged,
    "large-download": LargeDownload,
    "relaxed-upload": RelaxedUpload,
    "durable-upload": DurableUpload,
    "resumable-upload": ResumableUpload,
    "small-uploads": SmallUploads,
    "small-uploads-logged": SmallUploadsLogged,
    "small-uploads-of-many": SmallUploadsOfMany,
    "list-10k": List10K,
    "list-100k": List100K,
    "list-page": ListPage,
    "archive-of-many": ArchiveOfMany,
    "archive-of-one": ArchiveOfOne,
    "search": Search,
    "thumbnails": Thumbnails,
    "copy-tree": CopyTree,
    "delete-tree": DeleteTree,
}
