"""One PostgreSQL server on a unix socket in a scratch folder."""

import os
import pathlib
import pwd
import shutil
import subprocess
import tempfile

PROGRAMS = pathlib.Path("/usr/lib/postgresql/15/bin")


class Postgres:
    def __init__(self):
        # The path stays short: a socket's name has room for 107 bytes.
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="coffer-pg-"))
        self.user = None
        if os.geteuid() == 0:  # PostgreSQL refuses to run as root.
            names = {entry.pw_name for entry in pwd.getpwall()}
            self.user = "postgres" if "postgres" in names else "nobody"
            shutil.chown(self.folder, self.user)
        self._run("initdb", "-D", self.folder / "data", "-U", "coffer", "--auth=trust", "--no-sync", "-E", "UTF8",
                  "--locale=C.UTF-8")
        options = f"-c listen_addresses='' -c fsync=off -c max_connections=300 -k {self.folder}"
        self._run("pg_ctl", "-D", self.folder / "data", "-l", self.folder / "log", "-w", "-o", options, "start")

    def _run(self, program, *arguments):
        subprocess.run([PROGRAMS / program, *map(str, arguments)], check=True, user=self.user,
                       stdout=subprocess.DEVNULL, cwd="/",
                       env={"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"})

    def new_database(self, name):
        self._run("createdb", "-h", self.folder, "-U", "coffer", name)
        return f"postgresql://coffer@/{name}?host={self.folder}"

    def stop(self):
        self._run("pg_ctl", "-D", self.folder / "data", "-m", "immediate", "-w", "stop")
        shutil.rmtree(self.folder, ignore_errors=True)
