"""The rows with FTP and SFTP servers on this machine, mounted in Coffer. They need root, as those servers do."""

import os
import pathlib
import subprocess

import remotes
from remote_servers import ftp_account
from rows import GIB, Figure, Row

FILES, PER_FOLDER, FILE_BYTES = 2000, 100, 4096


def expect(what, found, wanted):
    if found != wanted:
        raise RuntimeError(f"{what}: {found} instead of {wanted}")


def same_content(command, file):
    """Fails unless what the command prints is the file."""
    with subprocess.Popen([str(word) for word in command], stdout=subprocess.PIPE) as source:
        subprocess.run(["cmp", "-", file], stdin=source.stdout, check=True)
    expect(command[0], source.returncode, 0)


class RemoteRow(Row):
    """Turn 0, which warms up, compares contents; every turn compares sizes."""

    def serve(self, kind):
        """A server, where it is in Coffer's tree, and the 1 GiB file in it."""
        server = self.bench.remote(kind)
        if not (server.root / "large.bin").exists():
            os.link(self.bench.large_file(), server.root / "large.bin")
        return server, self.coffer_server.mount(server)


class RemoteDownload(RemoteRow):
    kind = ""

    def prepare(self):
        self.remote, self.mount = self.serve(self.kind)

    def coffer(self, turn):
        route = f"/files/download?path={self.mount}/large.bin"
        server = self.coffer_server
        if turn == 0:
            url = f"http://127.0.0.1:{server.port}/api/v1{route}"
            same_content(["curl", "-q", "-sSf", "-H", f"X-API-Key: {server.key}", url], self.bench.large_file())
        return [GIB / self.bench.stream("get", server, server.head("GET", route), expected=GIB)]


class FtpDownload(RemoteDownload):
    figures = [Figure("1 GiB download from an FTP mount, bytes/s, by curl from the server", ">= 0.9")]
    kind = "ftp"

    def peer(self, turn):
        if turn == 0:
            same_content(["curl", "-q", "-sSf", remotes.ftp_url(self.remote, "large.bin")], self.bench.large_file())
        size, seconds = remotes.curl_get(self.remote, "large.bin")
        expect("curl", size, GIB)
        return [GIB / seconds]


class SftpDownload(RemoteDownload):
    figures = [Figure("1 GiB download from an SFTP mount, bytes/s, by sftp from the server", ">= 0.9")]
    kind = "sftp"

    def peer(self, turn):
        if turn == 0:
            whole = self.bench.folder / "sftp.bin"
            remotes.sftp_get(self.remote, "large.bin", whole)
            same_content(["cat", whole], self.bench.large_file())
            whole.unlink()
        received, seconds = remotes.sftp_get(self.remote, "large.bin", "/dev/null")
        expect("sftp received 1 GiB and what belongs to it", GIB <= received < 1.02 * GIB, True)
        return [GIB / seconds]


class SftpToFtp(RemoteRow):
    figures = [Figure("copy 1 GiB from an SFTP to an FTP mount, bytes/s, by rclone", ">= 1.0")]

    def prepare(self):
        (self.sftp, self.source), (self.ftp, self.target) = self.serve("sftp"), self.serve("ftp")
        self.inbox = self.ftp.root / "inbox"
        if not self.inbox.exists():
            self.inbox.mkdir()
            os.chown(self.inbox, *ftp_account())

    def coffer(self, turn):
        places = {"from": f"{self.source}/large.bin", "to": f"{self.target}/inbox"}
        return self._done(turn, self.coffer_server.call("PUT", "/files/copy", **places))

    def peer(self, turn):
        places = f"sftp:{self.sftp.root}/large.bin", f"ftp:{self.ftp.root.name}/inbox/large.bin"
        return self._done(turn, remotes.rclone("copyto", *places, self.sftp, self.ftp))

    def _done(self, turn, seconds):
        """Looks at the copy and removes it."""
        copy = self.inbox / "large.bin"
        expect("the copy", {item: item.stat().st_size for item in self.inbox.iterdir()}, {copy: GIB})
        if turn == 0:
            same_content(["cat", copy], self.bench.large_file())
        copy.unlink()
        return [GIB / seconds]


class SmallFromSftp(RemoteRow):
    figures = [Figure("copy 2,000 files of 4 KiB from an SFTP mount, files/s, by rclone", ">= 1.0")]

    def prepare(self):
        self.sftp, self.mount = self.serve("sftp")
        self.tree = self.sftp.root / "small"
        make_small_files(self.tree)
        self.sizes = sizes_in(self.tree)

    def coffer(self, turn):
        name = f"small{turn}"
        self.coffer_server.call("POST", "/files/folder", name=name)
        os.sync()  # Else it would wait for what the turn before has left in memory.
        seconds = self.coffer_server.call("PUT", "/files/copy", **{"from": f"{self.mount}/small", "to": name})
        return self._done(turn, self.coffer_server.files / name / "small", seconds)

    def peer(self, turn):
        target = self.bench.folder / f"rclone{turn}"
        os.sync()
        return self._done(turn, target, remotes.rclone("copy", f"sftp:{self.tree}", target, self.sftp))

    def _done(self, turn, copy, seconds):
        expect("the copy has the tree's names and sizes", sizes_in(copy) == self.sizes, True)
        if turn == 0:
            subprocess.run(["diff", "-r", self.tree, copy], check=True)
        return [FILES / seconds]


def make_small_files(tree):
    for i in range(FILES):
        file = tree / f"{i // PER_FOLDER:04}/file{i:06}.bin"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(os.urandom(FILE_BYTES))


def sizes_in(folder):
    """The sizes of the files below a folder, by their names in it."""
    files = (item for item in pathlib.Path(folder).rglob("*") if item.is_file())
    return {item.relative_to(folder): item.stat().st_size for item in files}


ROWS = {
    "ftp-down": FtpDownload,
    "sftp-down": SftpDownload,
    "sftp-ftp": SftpToFtp,
    "sftp-small": SmallFromSftp,
}
