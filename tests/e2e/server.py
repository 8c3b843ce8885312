"""Starts the real program and talks to its command line."""

import contextlib
import errno
import http.client
import json
import os
import pathlib
import re
import signal
import socket
import stat
import subprocess
import threading
import time

from own_files import OwnFiles

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
BINARY = str((REPOSITORY / os.environ.get("COFFER_BIN", "build/release/coffer")).resolve())
LISTENING = re.compile(r"listening on http://[\d.]+:(\d+)")
BROKEN = re.compile(r"AddressSanitizer|LeakSanitizer|ThreadSanitizer|runtime error:|terminate called")
PATIENCE_S = 180
# In front of a program: when the test process ends, however it does, so does that.
DIES_WITH_US = ("setpriv", "--pdeathsig", "KILL", "--")


def eventually(condition, what):
    """Waits until `condition` holds; the limit only ends a test that has failed anyway."""
    end = time.monotonic() + PATIENCE_S
    while not (result := condition()):
        assert time.monotonic() < end, f"never happened: {what}"
        time.sleep(0.01)
    return result


def is_sanitized():
    """Whether the program was built to watch itself, which takes memory and time."""
    program = pathlib.Path(BINARY)
    return program.exists() and re.search(rb"__[at]san_init", program.read_bytes()) is not None


def clean_environment():
    return {key: value for key, value in os.environ.items() if not key.startswith("COFFER_")}


def run(*arguments, stdin="", environment=None):
    """Runs the program to its end; what it printed and returned."""
    return subprocess.run([BINARY, *map(str, arguments)], input=stdin, capture_output=True, text=True,
                          errors="replace", env={**clean_environment(), **(environment or {})},
                          timeout=PATIENCE_S)


class CommandConnection(http.client.HTTPConnection):
    """To the socket at which a server takes what an administrator commands on its machine."""

    def __init__(self, data):
        super().__init__("localhost", timeout=PATIENCE_S)
        self.data = data

    def connect(self):
        folder = os.open(self.data, os.O_PATH)  # The path itself may be longer than an address.
        try:
            self.sock = socket.socket(socket.AF_UNIX)
            self.sock.settimeout(self.timeout)
            self.sock.connect(f"/proc/self/fd/{folder}/command.sock")
        finally:
            os.close(folder)


def toml(value):
    return json.dumps(value)  # Strings, numbers, booleans and arrays of them read the same.


class Server:
    """One `coffer serve` on a data folder of its own, and the commands beside it."""

    def __init__(self, folder, database=None, **settings):
        self.folder = pathlib.Path(folder)
        self.data = self.folder / "data"
        self.data.mkdir(parents=True, exist_ok=True)
        self.log_file = self.folder / "server.log"
        self.config_file = self.folder / "coffer.toml"
        self.database = database
        self.settings = settings
        if database:
            self.settings["database"] = database
        self.secrets = set()
        self.in_front = ()  # What starts the program, if not just we.
        self.address = "127.0.0.1"
        self.process = None
        self.port = None
        self.wanted_port = 0  # Of the next start; 0 is a free one.
        self.binary = BINARY
        self._names = 0
        self._homes = {}

    def write_settings(self):
        lines = [f"{key} = {toml(value)}\n" for key, value in self.settings.items()]
        self.config_file.write_text("".join(lines))
        return self.config_file

    def start(self):
        self.write_settings()
        self.process = subprocess.Popen(
            [*DIES_WITH_US, *self.in_front, self.binary, "serve", "--data", str(self.data), "--listen",
             f"{self.address}:{self.wanted_port}", "--config", str(self.config_file)],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
            env=clean_environment())
        self.port = None
        ready = threading.Event()
        self._follower = threading.Thread(target=self._follow_log, args=(self.process, ready), daemon=True)
        self._follower.start()
        if not ready.wait(PATIENCE_S) or not self.port:
            self.kill()
            raise AssertionError(f"the server did not start:\n{self.log()[-3000:]}")
        return self

    def _follow_log(self, process, ready):
        with self.log_file.open("ab", buffering=0) as log:
            for line in process.stderr:
                log.write(line)
                found = LISTENING.search(line.decode(errors="replace"))
                if found:
                    self.port = int(found[1])
                    ready.set()
        ready.set()

    @property
    def url(self):
        return f"http://{self.address}:{self.port}"

    def log(self):
        return self.log_file.read_text(errors="replace") if self.log_file.exists() else ""

    def running(self):
        return self.process is not None and self.process.poll() is None

    def send_signal(self, number):
        self.process.send_signal(number)

    def wait(self):
        """Waits for the end of the process; its exit status."""
        status = self.process.wait(PATIENCE_S)
        self._follower.join(PATIENCE_S)
        return status

    def stop(self):
        """A clean stop; fails the test if the server had ended before or does not end well."""
        assert self.running(), f"the server had died:\n{self.log()[-3000:]}"
        self.send_signal(signal.SIGTERM)
        assert self.wait() == 0, self.log()[-3000:]
        self.check_log()

    def kill(self):
        if self.running():
            self.process.kill()
        self.wait()

    def check_log(self):
        log = self.log()
        assert not BROKEN.search(log), log[-5000:]
        for secret in self.secrets:
            assert secret not in log, "a secret stands in the log"

    # The command line

    def place(self):
        """The options that lead a command to this server's data."""
        config = ["--config", str(self.config_file)] if "home_store" in self.settings and self.config_file.exists() else []
        return ["--data", str(self.data), *config] + (["--database", self.database] if self.database else [])

    def cli(self, *arguments, stdin="", ok=True):
        result = run(*arguments, *self.place(), stdin=stdin)
        if ok:
            assert result.returncode == 0, f"{arguments}: {result.stdout}{result.stderr}"
        return result

    def cli_json(self, *arguments, stdin=""):
        return json.loads(self.cli(*arguments, "--json", stdin=stdin).stdout)

    def ask(self, method, path, body=None, account=None):
        """What the running server answers to a command, as the program sends it. `path` is below /api/v2/, `account` who
        acts, where that matters. Tests of commands run the program; this is for all that they stand on."""
        headers = {"Content-Type": "application/json"} | ({"X-Coffer-Account": account} if account else {})
        with contextlib.closing(CommandConnection(self.data)) as connection:
            connection.request(method, "/api/v2/" + path, json.dumps(body) if body is not None else None, headers)
            answer = connection.getresponse()
            content = answer.read()
        assert answer.status < 300, (method, path, answer.status, content)
        return json.loads(content) if content else None

    def new_name(self, prefix="user"):
        self._names += 1
        return f"{prefix}{self._names}"

    def add_account(self, name=None, quota="0", *options, role="user", password=None):
        """`options` are more of those of the command."""
        name = name or self.new_name()
        if self.takes_commands() and not options and quota.isdigit():
            given = {"password": password} if password else {}
            made = self.ask("POST", "admin/accounts", {"userName": name, "role": role, "storageLimit": int(quota), **given})
        else:
            given = (["--role", role] if role != "user" else []) + (["--password-stdin"] if password else [])
            made = self.cli_json("account", "add", name, "--quota", quota, *given, *options, stdin=password or "")
        self._homes[name] = made["homeFolder"]
        return name

    def takes_commands(self):
        return self.running() and (self.data / "command.sock").exists()

    def create_key(self, account, folder=None, label="test"):
        if self.takes_commands():
            made = self.ask("POST", "keys", {"name": label, "access": "full"} | ({"folder": folder} if folder else {}), account)
            key = {**made["key"], "key": made["secret"]}
        else:
            key = self.cli_json("key", "create", "--account", account, "--name", label, *(["--folder", folder] if folder else []))
        self.secrets.add(key["key"])
        return key

    def wrong_of(self, account):
        """What `coffer check` finds wrong of one account, whatever other tests left of others on a shared server."""
        found = json.loads(self.cli("check", "--json", ok=False).stdout)
        corrected = [one for one in found["corrected"] if one["username"] == account]
        return corrected + [problem for problem in found["problems"] if problem.startswith(account + ":")]

    def files_of(self, account):
        """The folder of an account's files."""
        if self.settings.get("home_store") == "objects":
            return OwnFiles(self, account)
        if home := self._homes.pop(account, None):  # As it was just made; later the program is asked.
            return pathlib.Path(home)
        home, = [one["homeFolder"] for one in self.cli_json("account", "list") if one["username"] == account]
        return pathlib.Path(home)

    def files_elsewhere(self):
        """Every regular file in the data folder outside the accounts' own trees: staging shows here."""
        found = set()
        for folder, folders, names in os.walk(self.data):
            if pathlib.Path(folder) == self.data:
                folders[:] = set(folders) - {"files"}
            found.update(path for name in names if is_regular(path := os.path.join(folder, name)))
        return found


def is_regular(path):
    """False also for a file that is gone meanwhile."""
    with contextlib.suppress(FileNotFoundError):
        return stat.S_ISREG(os.lstat(path).st_mode)
    return False


def disk_bytes(root):
    """The bytes of the regular files below a folder, which may go meanwhile."""
    if isinstance(root, OwnFiles):
        return root.stored_bytes()
    total = 0
    for folder, _, names in os.walk(root):
        for name in names:
            with contextlib.suppress(FileNotFoundError):
                status = os.lstat(os.path.join(folder, name))
                total += status.st_size if stat.S_ISREG(status.st_mode) else 0
    return total


def data_of(path):
    """The content of a file; nothing of one that is all hole, which may be as large as one likes."""
    with path.open("rb", buffering=0) as file:
        try:
            file.seek(0, os.SEEK_DATA)
        except OSError as error:
            assert error.errno == errno.ENXIO, error
            return b""
        file.seek(0)
        return file.readall()


def files_of(folder):
    """The content of every regular file below a folder, by its path; files may go meanwhile."""
    if isinstance(folder, OwnFiles):
        return folder.contents()
    found = {}
    for above, _, names in os.walk(folder):
        for path in (pathlib.Path(above) / name for name in names):
            try:
                if path.is_file():
                    found[path] = data_of(path)
            except FileNotFoundError:
                pass
    return found


def tree_of(root):
    """Every item below a folder, as relative names; folders end in a slash."""
    if isinstance(root, OwnFiles):
        return root.names()
    found = set()
    for folder, folders, names in os.walk(root):
        relative = os.path.relpath(folder, root)
        found.update(os.path.normpath(os.path.join(relative, name)) + "/" for name in folders)
        found.update(os.path.normpath(os.path.join(relative, name)) for name in names)
    return found
