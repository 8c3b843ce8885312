"""Stops a server before or after one of its system calls: strace holds the thread that makes it. What a stop in the middle of
a change leaves of keys."""

import contextlib
import pathlib
import re
import subprocess

from server import DIES_WITH_US, eventually
from tus import sql

FOR_EVER = "3600s"

# What strace writes: a line of a thread for each call, or, if others come between, one for its beginning and one for its end.
LINE = re.compile(r"^(\d+) +(.+)$", re.MULTILINE)
BEGUN = re.compile(r"(\w+)\(")
ENDED = re.compile(r"\) += ")


def interrupted(server):
    """The ids of the keys that were revoked because the change of their folder was interrupted, as the audit log tells them.
    The log has a line for each."""
    told = sql(server, "SELECT subject, details FROM audit_events WHERE kind = 'key.revoked' AND details LIKE '%interrupted%'")
    revoked = {re.match(r"id=(\w+), ", details)[1]: account for account, details in told}
    for key_id, account in revoked.items():
        line = f"key {key_id} of account {account} was revoked"
        eventually(lambda: line in server.log(), "the line in the log")  # It is written behind the answer.
        assert server.log().count(line) == 1
    return set(revoked)


def tasks_of(server):
    return pathlib.Path(f"/proc/{server.process.pid}/task").iterdir()


def holds_all_threads(strace, server):
    tracer = f"TracerPid:\t{strace.pid}\n"
    with contextlib.suppress(FileNotFoundError):  # A thread has ended.
        return all(tracer in (task / "status").read_text() for task in tasks_of(server))


class Stop:
    """Holds the first call that comes by, until the block ends or the server is killed. `calls` are names of strace;
    `when` tells which of them in each thread; `name`, that only those count which name such an item, or are about a
    folder of this path. With `after`, the call itself is made."""

    def __init__(self, server, calls, after=False, when=1, name=None):
        self.server, self.is_after = server, after
        self.only = ["-P", str(name)] if name else []
        self.calls, self.when = calls, when
        self.shown = server.folder / "strace.log"

    def __enter__(self):
        self.shown.write_bytes(b"")
        where = "delay_exit" if self.is_after else "delay_enter"
        self.strace = subprocess.Popen(
            [*DIES_WITH_US, "strace", "-f", "-p", str(self.server.process.pid), "-o", str(self.shown), *self.only, "-e",
             f"trace={self.calls}", "-e", f"inject={self.calls}:{where}={FOR_EVER}:when={self.when}"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        eventually(lambda: holds_all_threads(self.strace, self.server), "strace to hold all threads")
        return self

    def reached(self):
        """Whether a thread is held, by what strace wrote. That a thread stands still would not tell: each does in each of
        its calls, until strace has the processor."""
        threads = {}
        for thread, line in LINE.findall(self.shown.read_text()):
            threads.setdefault(thread, []).append(line)
        return any(map(self._is_held, threads.values()))

    def _is_held(self, lines):
        if self.is_after:
            return lines[-1].endswith("(DELAYED)")
        begun = [match[1] for line in lines if (match := BEGUN.match(line))]
        return bool(begun) and begun.count(begun[-1]) == self.when and not ENDED.search(lines[-1])

    def wait(self, call):
        """Until it is held; whether it is, before the call under way has ended."""
        eventually(lambda: self.reached() or not call.is_alive(), "the call to come by")
        return call.is_alive()

    def lasts(self, call):
        """Gives another call the time that it takes where nothing holds it; what is held goes on behind. Nothing depends
        on how long that is: a call that waits for the held one only ends later."""
        call.join(1)

    def kill_server(self):
        """The held call is not made, or has been, and nothing after it is."""
        self.server.process.kill()
        self.strace.kill()  # What it holds is dead only when it lets go.
        self.strace.wait()
        self.server.kill()

    def __exit__(self, *_):
        self.strace.terminate()  # Lets all go on.
        self.strace.wait()


class Failing:
    """Calls fail that are about the file or folder, until the block ends, as on a broken disk: all of them, or one in
    each thread."""

    def __init__(self, server, calls, path, when="1+"):
        self.server, self.calls, self.path, self.when = server, calls, path, when

    def __enter__(self):
        self.strace = subprocess.Popen(
            [*DIES_WITH_US, "strace", "-f", "-p", str(self.server.process.pid), "-o", "/dev/null", "-P", str(self.path),
             "-e", f"trace={self.calls}", "-e", f"inject={self.calls}:error=EIO:when={self.when}"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        eventually(lambda: holds_all_threads(self.strace, self.server), "strace to hold all threads")
        return self

    def __exit__(self, *_):
        self.strace.terminate()
        self.strace.wait()
