"""A backup of several servers, with the commands of docs/guide/many-nodes.md, is served by others."""

import os
import shutil
import subprocess
import time

import pytest

from client import Client, form
from drive_servers import rclone
from postgres import ENVIRONMENT, PROGRAMS
from server import PATIENCE_S, Server, eventually
from several import Nodes
from tus import Tus


class Bed:
    """Two servers with files of all kinds."""

    def __init__(self, folder, postgres, store):
        self.folder, self.postgres, self.store, self.homes = folder, postgres, store, store.new_bucket()
        self.nodes = Nodes(folder, postgres.new_database(f"saved_{time.monotonic_ns()}"), **self.homes)
        self.key = self.nodes[0].create_key(self.nodes[0].add_account())["key"]
        self.one, self.two = self.nodes.clients(self.key)
        self.files = {"small.txt": b"small", "docs/large.bin": os.urandom(20 << 20), "docs/middle.bin": os.urandom(300_000)}
        self.one.make_folder("", "docs").ok()
        for path, content in self.files.items():
            self.two.put(path, content)
        self.begun = os.urandom(12 << 20)
        self.place = Tus(self.nodes[0], self.key).create(len(self.begun), "begun.bin")
        Tus(self.nodes[1], self.key).patch(self.place, 0, self.begun[:10 << 20]).is_(204)

    def dump(self):
        """While the servers run."""
        file = self.folder / "coffer.dump"
        self.run("pg_dump", "-Fc", "-f", file, self.nodes.database)
        return file

    def run(self, program, *arguments):
        subprocess.run([PROGRAMS / program, *map(str, arguments)], check=True, cwd="/", env=ENVIRONMENT, timeout=PATIENCE_S)

    def change(self):
        """After the backup: what it must not know of, and what it has and is gone meanwhile."""
        self.one.delete("docs/large.bin").ok()
        self.two.put("small.txt", b"changed")
        self.one.put("docs/middle.bin", os.urandom(200_000))
        self.two.put("later.bin", os.urandom(200_000))

    def restored(self, dump, **settings):
        """A server on a database of its own, with the key file of the others and nothing else of theirs."""
        database = self.postgres.new_database(f"restored_{time.monotonic_ns()}")
        self.run("pg_restore", "--no-owner", "-d", database, dump)
        server = Server(self.folder / f"restored{time.monotonic_ns()}", database, servers="several", **{**self.homes, **settings})
        shutil.copy(self.folder / "secret.key", server.data / "secret.key")
        return server.start()

    def is_as_before(self, server):
        client = Client(server, self.key)
        assert client.names() == ["docs", "small.txt"] and client.names("docs") == ["large.bin", "middle.bin"]
        for path, content in self.files.items():
            assert client.content(path) == content
        total = sum(map(len, self.files.values()))
        eventually(lambda: client.used() == total, "the sum of bytes")
        tus = Tus(server, self.key)
        assert tus.offset(self.place) == 10 << 20
        tus.patch(self.place, 10 << 20, self.begun[10 << 20:]).is_(204)
        assert client.content("begun.bin") == self.begun
        assert server.cli("check").returncode == 0


@pytest.fixture
def bed(postgres, object_store, tmp_path):
    made = Bed(tmp_path, postgres, object_store)
    shutil.copy(made.nodes[0].data / "secret.key", tmp_path / "secret.key")
    yield made
    made.nodes.end()


def test_a_copy_is_served_beside_the_running_servers(bed):
    """The database first, the bucket after it: a copy of the bucket that is made later has all that the database names."""
    dump = bed.dump()
    bed.change()
    there = bed.store.server.remote()
    bucket = bed.homes["objects_bucket"]
    rclone("copy", f"there:{bucket}", f"there:{bucket}-copy", parameters=there)
    server = bed.restored(dump, objects_bucket=f"{bucket}-copy")
    bed.is_as_before(server)
    assert bed.one.content("small.txt") == b"changed" and "begun.bin" not in bed.one.names()
    server.stop()


def test_the_bucket_serves_an_older_database(bed):
    """Where only the database is lost: the store still has the objects of deleted files, for objects_keep_days."""
    dump = bed.dump()
    bed.change()
    bed.nodes.end()
    server = bed.restored(dump)
    bed.is_as_before(server)
    second = Server(bed.folder / "second", server.database, servers="several", **bed.homes)
    shutil.copy(bed.folder / "secret.key", second.data / "secret.key")
    second.start()
    Client(second, bed.key).upload("", form(("after.txt", b"after"))).ok()
    assert Client(server, bed.key).content("after.txt") == b"after"
    second.stop()
    server.stop()
