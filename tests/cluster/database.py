"""The database of the bed: PostgreSQL over TCP, and a standby that takes its place."""

import contextlib
import shutil
import signal

import network
from postgres import Postgres, execute
from server import PATIENCE_S, eventually

PORTS = (5501, 5502)
NAME = "bed"


class Primary(Postgres):
    """The server itself, by a socket in its folder and on one of PORTS."""

    def __init__(self, port, source=None):
        self.port, self._source = port, source
        super().__init__(f"port={port}", f"listen_addresses={network.HERE}")

    @property
    def url(self):
        return f"postgresql://coffer@/{NAME}?host={self.folder}&port={self.port}"

    def _make_data(self):
        data = self.folder / "data"
        if self._source:
            self._run("pg_basebackup", "-h", self._source.folder, "-p", self._source.port, "-U", "coffer", "-D", data, "-R",
                      "-X", "stream", "-c", "fast", "--no-sync")
            with (data / "postgresql.auto.conf").open("a") as settings:
                settings.write("primary_conninfo = '" + f"host={self._source.folder} port={self._source.port} user=coffer "
                               "application_name=standby'\nsynchronous_standby_names = ''\n")
            return
        super()._make_data()
        with (data / "pg_hba.conf").open("a") as rules:
            rules.write("host all all 10.99.0.0/24 trust\n")

    def _works(self, program, *arguments):
        if program == "pg_isready":
            arguments = (*arguments, "-p", self.port)
        return super()._works(program, *arguments)

    def new_database(self, name):
        self._run("createdb", "-h", self.folder, "-p", self.port, "-U", "coffer", name)

    def ask(self, statement):
        return execute(self.url, statement)

    def end_connections_from(self, address):
        """As if the network had told it that they are gone."""
        self.ask(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE client_addr = '{address}'")


class Database:
    """What servers reach at network.HERE, port network.DATABASE_PORT."""

    url = f"postgresql://coffer@{network.HERE}:{network.DATABASE_PORT}/{NAME}"

    def __init__(self):
        self.primary = Primary(PORTS[0])
        self.primary.new_database(NAME)
        self._standby = None

    @property
    def port(self):
        return self.primary.port

    def ask(self, statement):
        return self.primary.ask(statement)

    def surely(self, statement):
        """As `ask`, as soon as it answers: another fault may keep it from that."""
        def answer():
            with contextlib.suppress(AssertionError):
                return [self.ask(statement)]

        return eventually(answer, "the database to answer")[0]

    def add_standby(self):
        """From its return on, what is committed is on the standby too."""
        port, = set(PORTS) - {self.port}
        self._standby = Primary(port, self.primary)
        eventually(lambda: self.ask("SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming'") == ["1"],
                   "the standby to follow")
        self.ask("ALTER SYSTEM SET synchronous_standby_names = 'standby'")
        self.ask("SELECT pg_reload_conf()")
        eventually(lambda: self.ask("SELECT sync_state FROM pg_stat_replication") == ["sync"], "the standby to be synchronous")

    def lose_primary(self):
        self.primary.process.send_signal(signal.SIGKILL)
        self.primary.process.wait(PATIENCE_S)
        # Its children end when they see that it is gone, and answer nobody any more.

    def promote(self):
        """Of the standby. The old one is removed."""
        old, self.primary, self._standby = self.primary, self._standby, None
        self.primary.ask("SELECT pg_promote()")
        shutil.rmtree(old.folder, ignore_errors=True)

    def stop(self):
        for one in (self._standby, self.primary):
            if one:
                one.stop()
