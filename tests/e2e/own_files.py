"""An account's own files where they are on no disk: what tests do with the folder of an account, over the API and the catalog."""

import contextlib
import sqlite3

import requests

TIMEOUT_S = 180


class OwnFiles:
    """A file or folder, like a pathlib.Path as far as names and contents go. What only a disk has, such as links, times that
    are set and rights, it has not: tests of that are named in tiers.py."""

    def __init__(self, server, account, path="", key=()):
        self.server, self.account, self.path = server, account, path
        self._key = key or []  # Made when first needed, and then that of all paths.

    def __truediv__(self, name):
        return OwnFiles(self.server, self.account, "/".join(part for part in (self.path, str(name).strip("/")) if part), self._key)

    def __str__(self):
        return self.path

    def __eq__(self, other):
        return isinstance(other, OwnFiles) and (self.account, self.path) == (other.account, other.path)

    def __hash__(self):
        return hash((self.account, self.path))

    @property
    def name(self):
        return self.path.rpartition("/")[2]

    @property
    def parent(self):
        return OwnFiles(self.server, self.account, self.path.rpartition("/")[0], self._key)

    def _call(self, method, target, **more):
        if not self._key:
            self._key.append(self.server.create_key(self.account, label="own files")["key"])
        return requests.request(method, f"{self.server.url}/api/v1/files{target}", timeout=TIMEOUT_S,
                                headers={"X-API-Key": self._key[0]}, **more)

    def _info(self):
        """None if there is no such item."""
        if not self.path:
            return {"isDirectory": True, "size": 0}
        answer = self._call("GET", "/info", params={"path": self.path})
        assert answer.status_code in (200, 404), answer.text
        return answer.json()["data"] if answer.status_code == 200 else None

    def exists(self):
        return self._info() is not None

    def is_dir(self):
        return bool((info := self._info()) and info["isDirectory"])

    def is_file(self):
        return bool((info := self._info()) and not info["isDirectory"])

    def read_bytes(self):
        answer = self._call("GET", "/download", params={"path": self.path})
        if answer.status_code == 404:
            raise FileNotFoundError(self.path)
        assert answer.status_code == 200, answer.text
        return answer.content

    def write_bytes(self, content):
        answer = self._call("POST", "/upload", params={"path": self.parent.path}, files={"file": (self.name, content)})
        assert answer.status_code == 200, answer.text

    def read_text(self):
        return self.read_bytes().decode()

    def write_text(self, text):
        self.write_bytes(text.encode())

    def mkdir(self, parents=False, exist_ok=False):
        if parents and self.parent.path and not self.parent.exists():
            self.parent.mkdir(parents=True)
        answer = self._call("POST", "/folder", params={"path": self.parent.path, "name": self.name})
        assert answer.status_code == 200 or (exist_ok and answer.status_code == 409), answer.text

    def unlink(self):
        answer = self._call("DELETE", "", params={"path": self.path})
        assert answer.status_code == 200, answer.text

    def iterdir(self):
        answer = self._call("GET", "", params={"path": self.path})
        if self.path and answer.status_code == 404:
            return  # It is gone meanwhile.
        assert answer.status_code == 200, answer.text
        for entry in answer.json()["data"]:
            if not entry["name"].startswith(("__adm_", "__conn_")):
                yield self / entry["name"]

    def rglob(self, pattern):
        assert pattern == "*", pattern
        for item in self.iterdir():
            yield item
            if item.is_dir():
                yield from item.rglob(pattern)

    def stored_bytes(self):
        """By the names in the catalog, those in the bin too, and the versions."""
        assert not self.path
        of_tree = f"(SELECT id FROM accounts WHERE name = '{self.account}')"
        query = (f"WITH RECURSIVE below AS (SELECT id, size_bytes, content FROM nodes WHERE parent = -{of_tree} "
                 "UNION ALL SELECT n.id, n.size_bytes, n.content FROM nodes n JOIN below ON n.parent = below.id) "
                 "SELECT COALESCE(SUM(size_bytes), 0) FROM (SELECT size_bytes FROM below WHERE content IS NOT NULL UNION ALL "
                 f"SELECT size_bytes FROM versions WHERE tree = {of_tree}) AS all_of_it")
        if self.server.database:
            from postgres import execute  # Which stands on the module that needs this one.
            return int(execute(self.server.database, query)[0])
        with contextlib.closing(sqlite3.connect(self.server.data / "catalog.sqlite")) as catalog:
            return catalog.execute(query).fetchone()[0]

    def contents(self):
        return {item: item.read_bytes() for item in self.rglob("*") if item.is_file()}

    def names(self):
        """As tree_of tells those of a disk."""
        below = len(self.path) + 1 if self.path else 0
        return {item.path[below:] + "/" * item.is_dir() for item in self.rglob("*")}
