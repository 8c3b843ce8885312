"""One PostgreSQL server on a unix socket in a scratch folder."""

import contextlib
import os
import pathlib
import pwd
import shutil
import signal
import subprocess
import tempfile

from server import DIES_WITH_US, PATIENCE_S, eventually

PROGRAMS = pathlib.Path("/usr/lib/postgresql/15/bin")
ENVIRONMENT = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"}


def execute(url, statement):
    """What the statement answers, one line for each row, the columns parted by `|`."""
    done = subprocess.run([PROGRAMS / "psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-c", statement, url],
                          capture_output=True, text=True, cwd="/", env=ENVIRONMENT, timeout=PATIENCE_S)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


class Postgres:
    """`options` are more settings of the server, as `name=value`."""

    def __init__(self, *options):
        self.options = options
        # The path stays short: a socket's name has room for 107 bytes.
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="coffer-pg-"))
        self.folder.chmod(0o755)  # For servers of other users, too.
        self.user = None
        if os.geteuid() == 0:  # PostgreSQL refuses to run as root.
            names = {entry.pw_name for entry in pwd.getpwall()}
            self.user = "postgres" if "postgres" in names else "nobody"
            shutil.chown(self.folder, self.user)
        self._make_data()
        self.start()

    def _make_data(self):
        self._run("initdb", "-D", self.folder / "data", "-U", "coffer", "--auth=trust", "--no-sync", "-E", "UTF8",
                  "--locale=C.UTF-8")

    def start(self):
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                [*DIES_WITH_US, PROGRAMS / "postgres", "-D", self.folder / "data", "-c", "listen_addresses=",
                 "-c", "fsync=off", "-c", "max_connections=300", "-k", self.folder,
                 *(word for option in self.options for word in ("-c", option))],
                user=self.user, stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd="/", env=ENVIRONMENT)
        eventually(lambda: self.process.poll() is not None or self._works("pg_isready", "-q", "-h", self.folder),
                   "PostgreSQL to listen")

    def _works(self, program, *arguments):
        done = subprocess.run([PROGRAMS / program, *map(str, arguments)], user=self.user, stdout=subprocess.DEVNULL,
                              cwd="/", env=ENVIRONMENT)
        return done.returncode == 0

    def _run(self, program, *arguments):
        assert self._works(program, *arguments), f"{program} fails"

    def new_database(self, name):
        self._run("createdb", "-h", self.folder, "-U", "coffer", name)
        return f"postgresql://coffer@/{name}?host={self.folder}"

    def wait_for_standbys(self, names):
        """From now on each commit is answered only when these standbys have it; none for an empty list."""
        for statement in (f"ALTER SYSTEM SET synchronous_standby_names = '{names}'", "SELECT pg_reload_conf()"):
            execute(f"postgresql://coffer@/postgres?host={self.folder}", statement)

    def end(self):
        """Ends it at once, as a crash would; the databases stay."""
        self.process.send_signal(signal.SIGQUIT)
        self.process.wait(PATIENCE_S)

    @contextlib.contextmanager
    def away(self):
        """Ended for the block, and there again behind it, however that ends: other tests use it too."""
        self.end()
        try:
            yield
        finally:
            self.start()

    def restart(self):
        self.end()
        self.start()

    def stop(self):
        self.end()
        shutil.rmtree(self.folder, ignore_errors=True)
