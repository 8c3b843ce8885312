"""Stops a server before or after one of its system calls: strace holds the thread that makes it."""

import contextlib
import pathlib
import subprocess

from server import DIES_WITH_US, eventually

FOR_EVER = "3600s"


def tasks_of(server):
    return pathlib.Path(f"/proc/{server.process.pid}/task").iterdir()


def holds_all_threads(strace, server):
    tracer = f"TracerPid:\t{strace.pid}\n"
    with contextlib.suppress(FileNotFoundError):  # A thread has ended.
        return all(tracer in (task / "status").read_text() for task in tasks_of(server))


class Stop:
    """Holds the first call that comes by, until the block ends or the server is killed. `calls` are names of strace;
    `when` tells which of them in each thread. With `after`, the call itself is made."""

    def __init__(self, server, calls, after=False, when=1):
        self.server, self.where = server, "delay_exit" if after else "delay_enter"
        self.calls, self.when = calls, when
        self.shown = server.folder / "strace.log"
        self.standing = {}

    def __enter__(self):
        self.shown.write_bytes(b"")
        self.strace = subprocess.Popen(
            [*DIES_WITH_US, "strace", "-f", "-p", str(self.server.process.pid), "-o", str(self.shown), "-e",
             f"trace={self.calls}", "-e", f"inject={self.calls}:{self.where}={FOR_EVER}:when={self.when}"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        eventually(lambda: holds_all_threads(self.strace, self.server), "strace to hold all threads")
        return self

    def reached(self):
        """Whether a thread is held: it stands still in one call from one look to the next."""
        before, self.standing = self.standing, dict(self._standing())
        return bool(set(before.items()) & set(self.standing.items()))

    def _standing(self):
        for task in tasks_of(self.server):
            with contextlib.suppress(FileNotFoundError, ProcessLookupError):
                if "State:\tt" in (task / "status").read_text():
                    yield task.name, (task / "syscall").read_text()

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
