"""Servers on one PostgreSQL and one store of objects, each with a share of the processor as if on a machine of its own."""

import contextlib
import os
import pathlib
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent.parent / "tests/e2e")]

from groups import Group  # noqa: E402
from lines import StoreLine  # noqa: E402
from load import Caller, Generator  # noqa: E402
from object_store import ObjectStore  # noqa: E402
from postgres import ENVIRONMENT, PROGRAMS, Postgres, execute  # noqa: E402
from postgres_line import PostgresLine  # noqa: E402
from remote_servers import processes_of  # noqa: E402
from several import Nodes  # noqa: E402


# Durable. Checkpoints and vacuums come between the measurements, since they are not of one operation.
STEADY = ("fsync=on", "checkpoint_timeout=1h", "max_wal_size=8GB", "autovacuum=off")


class LockSampler:
    """Looks ten times a second who waits for a lock."""

    def __init__(self, database):
        text = ("SELECT count(*) FILTER (WHERE wait_event_type = 'Lock'), count(*) FILTER (WHERE state = 'active' AND "
                "pid <> pg_backend_pid()) FROM pg_stat_activity WHERE datname = current_database() \\watch 0.1\n")
        self._psql = subprocess.Popen([PROGRAMS / "psql", "-X", "-q", "-A", "-t", database], stdin=subprocess.PIPE,
                                      stdout=subprocess.PIPE, text=True, cwd="/", env=ENVIRONMENT)
        self._psql.stdin.write(text)
        self._psql.stdin.flush()

    def end(self):
        """The samples of all connections at work, and those of them that waited for a lock."""
        self._psql.terminate()
        lines = [line.split("|") for line in self._psql.communicate()[0].splitlines() if "|" in line]
        return sum(int(line[1]) for line in lines), sum(int(line[0]) for line in lines)


class Bed:
    """`callers` connections to each server, each with an account and a folder of its own, and as many that share one."""

    def __init__(self, folder, callers):
        self.folder, self.callers = folder, callers
        self._behind = contextlib.ExitStack()
        self.generator = Generator(folder)
        self.store = ObjectStore()
        self._behind.callback(self.store.close)
        self.postgres = Postgres(*STEADY)
        self._behind.callback(self.postgres.stop)
        self.database = self.postgres.new_database("bench")
        self.settings = {**self.store.new_bucket(), "access_log": False}
        self.own, self.hot, self.groups, self.key = [], [], {}, None
        self.group("load", os.getpid())

    def close(self):
        self._behind.close()
        self.groups["load"].leave(os.getpid())
        for group in self.groups.values():
            group.remove()

    @contextlib.contextmanager
    def nodes(self, kind, **settings):
        """None yet; `add` starts one more. All that are ever made seal with the same key."""
        nodes = Nodes(self.folder / kind, settings.pop("database", self.database), 0, **{**self.settings, **settings})
        first = self.folder / kind / "node0/data"
        first.mkdir(parents=True)
        if self.key:
            (first / "secret.key").write_bytes(self.key)
            (first / "secret.key").chmod(0o600)
        try:
            yield nodes
            self.key = (first / "secret.key").read_bytes()
        finally:
            nodes.end()

    @contextlib.contextmanager
    def lines(self):
        with contextlib.ExitStack() as behind:
            database = PostgresLine(self.postgres)
            behind.callback(database.close)
            store = StoreLine(self.store.server.port)
            behind.callback(store.close)
            yield database, store

    def make_callers(self, nodes, most):
        """Accounts, keys and files, made through the first server."""
        first = nodes[0]
        shared = first.create_key(first.add_account("shared"))["key"]
        for number in range(most * self.callers):
            account = first.add_account(f"caller{number}")
            self.own.append(Caller(first.create_key(account)["key"], "own", "mine"))
            self.hot.append(Caller(shared, "hot", f"of{number}"))
        self._send(first, [*self.own, self.hot[0]], Caller.write_folder)
        self._send(first, [*self.own, *self.hot], Caller.write_own)

    def _send(self, node, callers, write):
        pairs = []
        for number, caller in enumerate(callers):
            pairs.append((node.port, self.folder / f"setup{number}"))
            write(caller, pairs[-1][1])
        self.generator.run(600, 1, pairs)

    def pairs(self, nodes, callers, kinds):
        """The callers of these servers, as the generator wants them."""
        pairs = []
        for number, caller in enumerate(callers[:len(nodes) * self.callers]):
            pairs.append((nodes[number // self.callers].port, self.folder / f"program{number}"))
            caller.write(pairs[-1][1], kinds)
        return pairs

    def settle(self):
        execute(self.database, "VACUUM ANALYZE")
        execute(self.database, "CHECKPOINT")

    def group(self, name, *processes):
        if name not in self.groups:
            self.groups[name] = Group(name)
        self.groups[name].add(*processes)
        return self.groups[name]

    def group_postgres(self):
        process = self.postgres.process.pid
        return self.group("postgres", process, *processes_of(process))

    def group_store(self):
        running = [self.store.server.process, *self.store.server.cluster]
        return self.group("store", *(process.pid for process in running))

    def figures(self):
        """Of PostgreSQL: bytes of its log, deadlocks, and transactions that were rolled back."""
        text = ("SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0'), deadlocks, xact_rollback FROM pg_stat_database "
                "WHERE datname = current_database()")
        return dict(zip(("wal_bytes", "deadlocks", "rollbacks"), map(int, execute(self.database, text)[0].split("|"))))


class Watch:
    """What is used between its making and `end`."""

    def __init__(self, bed, node_groups):
        self.bed, self._nodes = bed, node_groups
        self._before, self._start = self._take(), time.monotonic()

    def _take(self):
        return {"node": sum(group.seconds() for group in self._nodes), **self.bed.figures(),
                **{name: self.bed.groups[name].seconds() for name in ("postgres", "store", "load")}}

    def end(self):
        now = self._take()
        used = {name: now[name] - before for name, before in self._before.items()}
        used["seconds"] = time.monotonic() - self._start
        # Other work on the machine gives way, so what counts is what is left to it.
        used["left"] = 1 - sum(used[name] for name in ("node", "postgres", "store", "load")) / used["seconds"] / os.cpu_count()
        return used
