"""What callers ask the servers for: a program of requests for each connection, which `bench/mix.c` sends."""

import os
import pathlib
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
BOUNDARY = "----bench"
PART = f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="%s"\r\n\r\n'
SMALL, LARGE = 4096, 65536
ENTRIES = 20  # Of the folder that is listed.
# What is measured one by one, and the requests of it; upper-case letters are kinds of requests (see Caller.request).
PROGRAMS = {"info": "I", "download of 4 KiB": "D", "download of 64 KiB": "G", f"list {ENTRIES} entries": "L",
            "upload and delete of 4 KiB": "UX", "upload and delete of 64 KiB": "BY", "rename there and back": "MN"}
MIX = "DDILDDILDDILDDIL" + "DGUX"  # 70 % reads, 20 % listings, the rest uploads and deletions.


class Caller:
    """Requests with a key, in a folder that others may use too: `name` is what its new files begin with."""

    def __init__(self, key, folder, name):
        self.key, self.folder, self.name = key, folder, name

    def _request(self, method, path, body=b"", kind=None):
        lines = [f"{method} /api/v1{path} HTTP/1.1", "Host: 127.0.0.1", f"X-API-Key: {self.key}"]
        lines += [f"Content-Type: {kind}"] if kind else []
        lines += [f"Content-Length: {len(body)}"] if body else []
        return "\r\n".join([*lines, "", ""]).encode() + body

    def _upload(self, name, size):
        body = (PART % name).encode() + b"x" * size + f"\r\n--{BOUNDARY}--\r\n".encode()
        return self._request("POST", f"/files/upload?path={self.folder}", body, f"multipart/form-data; boundary={BOUNDARY}")

    def _rename(self, name, new_name):
        return self._request("PUT", f"/files/rename?path={self.folder}/{name}&newName={new_name}")

    def request(self, kind):
        small, large, renamed = (f"{self.name}-{letter}" for letter in ("s########", "l########", "renamed"))
        return {
            "D": lambda: self._request("GET", f"/files/download?path={self.folder}/0.bin"),
            "I": lambda: self._request("GET", f"/files/info?path={self.folder}/1.bin"),
            "L": lambda: self._request("GET", f"/files?path={self.folder}"),
            "U": lambda: self._upload(small, SMALL),
            "X": lambda: self._request("DELETE", f"/files?path={self.folder}/{small}"),
            "M": lambda: self._rename(renamed, f"{renamed}-again"),
            "N": lambda: self._rename(f"{renamed}-again", renamed),
            "B": lambda: self._upload(large, LARGE),
            "Y": lambda: self._request("DELETE", f"/files?path={self.folder}/{large}"),
            "G": lambda: self._request("GET", f"/files/download?path={self.folder}/large.bin"),
        }[kind]()

    def write(self, file, kinds):
        self._write(file, ((kind, self.request(kind)) for kind in kinds))

    def write_own(self, file):
        """The file that it renames."""
        self._write(file, [("A", self._upload(f"{self.name}-renamed", SMALL))])

    def write_folder(self, file):
        """What is there before, for one round."""
        made = [self._request("POST", f"/files/folder?path=&name={self.folder}")]
        made += [self._upload(f"{number}.bin", SMALL) for number in range(ENTRIES - 2)] + [self._upload("large.bin", LARGE)]
        self._write(file, (("A", request) for request in made))

    @staticmethod
    def _write(file, requests):
        with file.open("wb") as out:
            for kind, request in requests:
                out.write(f"{kind}{len(request)}\n".encode() + request)


class Generator:
    def __init__(self, folder):
        self.folder, self._first = folder, 0
        command = ["gcc", "-std=gnu11", "-D_GNU_SOURCE", "-O2", HERE.parent / "mix.c", HERE.parent / "client.c", "-o", folder / "mix"]
        subprocess.run(command, check=True)

    def run(self, seconds, rounds, pairs):
        """`pairs` are ports and files. The seconds it took, and the number of answers by kind; fails if one was no success."""
        words = [str(word) for pair in pairs for word in pair]
        done = subprocess.run([self.folder / "mix", str(seconds), str(rounds), *words], check=True, stdout=subprocess.PIPE, text=True,
                              env={**os.environ, "FIRST": str(self._first)})
        self._first += 1_000_000
        took, *lines = done.stdout.splitlines()
        counts = {}
        for line in lines:
            kind, status, count = line.split()
            if status != "2":
                raise RuntimeError(f"{count} requests of kind {kind} were answered with {status}xx")
            counts[kind] = counts.get(kind, 0) + int(count)
        return float(took), counts

