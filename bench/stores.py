"""What Coffer uses besides its data folder: PostgreSQL, and a store of objects, those of the end-to-end tests."""

import functools

import remotes  # noqa: F401  Which finds the modules of the tests.
from object_store import ObjectStore
from postgres import Postgres, execute


class Stores:
    """Each is started when first asked for."""

    @functools.cached_property
    def postgres(self):
        return Postgres("fsync=on")

    @functools.cached_property
    def objects(self):
        return ObjectStore()

    def settings(self, where):
        """Of a Coffer with a database of its own: `postgres` keeps own files as plain files, `objects` in a bucket."""
        self._count = getattr(self, "_count", 0) + 1
        settings = {"database": self.postgres.new_database(f"bench{self._count}")}
        return settings if where == "postgres" else settings | self.objects.new_bucket()

    def stop(self):
        for name in ("objects", "postgres"):
            if started := self.__dict__.pop(name, None):
                (started.close if name == "objects" else started.stop)()


class Names:
    """Rows of a catalog that are made by SQL, where the API would take minutes: what is measured is not how they come there."""

    def __init__(self, database, count, per_folder, content_bytes):
        self.database, self.count, self.per_folder, self.content_bytes = database, count, per_folder, content_bytes

    def put_below(self, folder):
        """`count` files `file######.bin` in folders `####` below a folder, which is the only one of that name."""
        folders = self.count // self.per_folder
        found, tree = execute(self.database, f"SELECT id, tree FROM nodes WHERE name = '{folder}'")[0].split("|")
        wanted = folders + 2 * self.count
        end = execute(self.database, f"UPDATE node_ids SET next_id = next_id + {wanted} RETURNING next_id")[0]
        first = int(end) - wanted
        time = "CAST(extract(epoch FROM clock_timestamp()) * 1000000000 AS BIGINT)"
        content = f"decode(repeat('41', {self.content_bytes}), 'hex')"
        self._insert("contents (id, size_bytes, bytes)", f"{first + folders + self.count} + n, {self.content_bytes}, {content}", self.count)
        columns = "nodes (id, tree, parent, name, folded, is_hidden, content, size_bytes, created_at, modified_at)"
        name = "lpad(n::text, 4, '0')"
        self._insert(columns, f"{first} + n, {tree}, {found}, {name}, {name}, 0, NULL, 0, {time}, {time}", folders)
        name = "'file' || lpad(n::text, 6, '0') || '.bin'"
        self._insert(columns, f"{first + folders} + n, {tree}, {first} + n / {self.per_folder}, {name}, {name}, 0, "
                     f"{first + folders + self.count} + n, {self.content_bytes}, {time}, {time}", self.count)
        execute(self.database, "VACUUM ANALYZE nodes")  # As PostgreSQL does by itself within a minute.
        execute(self.database, "VACUUM ANALYZE contents")
        execute(self.database, "CHECKPOINT")

    def _insert(self, into, values, count):
        execute(self.database, f"INSERT INTO {into} SELECT {values} FROM generate_series(0, {count - 1}) AS n")
