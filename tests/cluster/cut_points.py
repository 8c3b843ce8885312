"""9: a server is killed at each of its calls to the database and the store in the middle of each operation, and the others look."""

import random
import signal
import subprocess
import time

from history import OK, REFUSED, Caller, digest, now
from server import DIES_WITH_US
from tus import BYTES, UPLOADS, VERSION, encoded
from workloads import Workload

CALLS = ("sendto", "recvfrom")  # Those of libpq and libcurl. It is killed before what they do.
MOST = 14  # Calls of a kind in one operation of one thread.
LARGE = 9 << 20  # Two segments.


def content(mark, size):
    return random.Random(mark).randbytes(size)


class CutPoints(Workload):
    """An account whose tree is made anew for each cut."""

    name = "cuts"

    def __init__(self, cluster):
        super().__init__(cluster)
        self.victim = 0
        self.cuts = 0

    # The operations: what is there before, the call, and what is there afterwards; a path ends in a slash for a folder

    BEFORE = {"old": ("o", 5000), "small": ("s", 100), "a/": None, "a/b/": None, "a/b/file": ("f", 6000), "a/x": ("x", 10), "c/": None}

    def operations(self):
        before = self.BEFORE
        without = lambda *paths: {path: what for path, what in before.items() if path not in paths}
        moved = {path.replace("a/", "c/a/", 1) if path.startswith("a/") else path: what for path, what in before.items()}
        renamed = {path.replace("a/", "new/", 1) if path.startswith("a/") else path: what for path, what in before.items()}
        copied = {**before, **{"c/" + path: what for path, what in before.items() if path.startswith("a/")}}
        put = lambda path, what: lambda one: one.put("cut", self.victim, path, content(*what))
        return {
            "put small": (put("new", ("n", 50)), {**before, "new": ("n", 50)}),
            "put large": (put("new", ("n", LARGE)), {**before, "new": ("n", LARGE)}),
            "replace by small": (put("old", ("n", 60)), {**before, "old": ("n", 60)}),
            "replace by large": (put("small", ("n", LARGE)), {**before, "small": ("n", LARGE)}),
            "two files": (lambda one: one.upload("cut", self.victim, "c", ("1", content("1", 5000)), ("2", content("2", 30))),
                          {**before, "c/1": ("1", 5000), "c/2": ("2", 30)}),
            "make folder": (lambda one: one.make_folder("cut", self.victim, "a", "n"), {**before, "a/n/": None}),
            "rename file": (lambda one: one.rename("cut", self.victim, "old", "renamed"), {**without("old"), "renamed": before["old"]}),
            "rename folder": (lambda one: one.rename("cut", self.victim, "a", "new"), renamed),
            "move folder": (lambda one: one.move("cut", self.victim, "a", "c"), moved),
            "copy folder": (lambda one: one.copy("cut", self.victim, "a", "c"), copied),
            "delete file": (lambda one: one.delete("cut", self.victim, "old"), without("old")),
            "delete folder": (lambda one: one.delete("cut", self.victim, "a"),
                              {path: what for path, what in before.items() if not path.startswith("a/")}),
            "bin": (lambda one: one.call("cut", self.victim, "POST", "/api/v2/tasks", {"kind": "delete", "sources": ["old"]}), without("old")),
            "tus": (self.send_in_pieces, {**before, "pieces": ("p", 3_000_000)}),
        }

    def send_in_pieces(self, one):
        data = content("p", 3_000_000)
        reply = one.call("cut", self.victim, "POST", UPLOADS, None, {**VERSION, "Upload-Length": str(len(data)),
                                                                    "Upload-Metadata": encoded(filename="pieces")})
        self.place = reply.headers.get("Location") if reply.outcome == OK else None
        for at in (0, 1_500_000):
            if reply.outcome == OK:
                reply = one.call("cut", self.victim, "PATCH", self.place, data[at:at + 1_500_000], {
                    **VERSION, "Content-Type": BYTES, "Upload-Offset": str(at)})
        return reply

    def finish_pieces(self, other):
        """At another server, from where it is."""
        data = content("p", 3_000_000)
        end = now() + 60
        while now() < end:
            reply = self.caller.call("cut", other, "HEAD", self.place, None, VERSION)
            if reply.status == 200:
                at = int(reply.headers["Upload-Offset"])
                if at == len(data):
                    return
                self.caller.call("cut", other, "PATCH", self.place, data[at:], {**VERSION, "Content-Type": BYTES, "Upload-Offset": str(at)})
            elif reply.status in (404, 410):
                return

    # The trees

    def tree(self, server, path=""):
        found = {}
        for entry in self.listed(server, path):
            below = f"{path}/{entry['name']}".lstrip("/")
            if entry["isDirectory"]:
                found[below + "/"] = None
                found.update(self.tree(server, below))
            else:
                found[below] = digest(self.read(server, below))
        return found

    @staticmethod
    def digests(tree):
        return {path: what and digest(content(*what)) for path, what in tree.items()}

    def make(self):
        found = self.tree(1)
        wanted = self.digests(self.BEFORE)
        for path in sorted(found):
            if found[path] != wanted.get(path, "") and "/" not in path.rstrip("/"):
                self.remove(path.rstrip("/"))
        found = self.tree(1)
        for path in sorted({top.partition("/")[0] for top in found}):
            if {p: d for p, d in found.items() if p.partition("/")[0] == path} != \
                    {p: d for p, d in wanted.items() if p.partition("/")[0] == path}:
                self.remove(path)
        found = self.tree(1)
        for path, what in self.BEFORE.items():
            if path in found:
                continue
            if what is None:
                folder, _, name = path.rstrip("/").rpartition("/")
                self.make_folder(folder, name)
            else:
                self.caller.surely(path, lambda p=path, w=what: self.caller.put("rest", 1, p, content(*w)))

    # The cuts

    def cut_all(self, names=None):
        """Of those operations, or all; what is wrong."""
        wrong = []
        for name, (call, after) in self.operations().items():
            if names is not None and name not in names:
                continue
            for syscall in CALLS:
                for when in range(1, MOST):
                    found, is_dead = self.cut(name, call, after, syscall, when)
                    wrong += [f"{name}, killed at {syscall} {when}: {one}" for one in found]
                    if not is_dead:
                        break
        return wrong + self.figures()

    def cut(self, name, call, after, syscall, when):
        """What is wrong, and whether it died."""
        self.make()
        server = self.bed.servers[self.victim]
        before = server.process
        self.bed.supervisor.held.add(self.victim)
        self.bed.supervisor.expected.add(self.victim)
        one = Caller(self.bed.places, self.bed.statistics, random.Random(when), self.key)
        tracer = subprocess.Popen(
            [*DIES_WITH_US, "strace", "-f", "-p", str(before.pid), "-o", "/dev/null", "-e", f"trace={syscall}", "-e",
             f"inject={syscall}:signal=KILL:when={when}"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        tracer.stderr.readline()  # That it is attached.
        reply = call(one)
        is_dead = reply.status is None
        tracer.send_signal(signal.SIGKILL if is_dead else signal.SIGTERM)
        try:
            tracer.wait(10)
        except subprocess.TimeoutExpired:  # It waits for threads of a server that died behind its answer.
            tracer.kill()
            tracer.wait()
        tracer.stderr.close()
        self.cuts += is_dead
        if is_dead:
            before.kill()
        wrong = self.judge(name, reply, after)
        if not before.poll() and not is_dead:
            self.bed.supervisor.expected.discard(self.victim)
        self.bed.supervisor.held.discard(self.victim)
        self.wait_for(before, is_dead)
        return wrong, is_dead

    def wait_for(self, before, is_dead):
        server, end = self.bed.servers[self.victim], now() + 60
        while (is_dead and server.process is before) or not server.running() or not server.port:
            assert now() < end, "the server does not start again"
            time.sleep(0.02)

    def wait_for_tasks(self):
        end = now() + 60
        while now() < end:
            tasks = self.caller.surely("tasks", lambda: self.caller.call("rest", 1, "GET", "/api/v2/tasks")).json()
            if all(task["state"] not in ("waiting", "running") for task in tasks):
                return

    def judge(self, name, reply, after):
        if name == "bin":
            self.wait_for_tasks()
        wanted = [self.digests(after)] if reply.outcome == OK else [self.digests(self.BEFORE)]
        if reply.outcome not in (OK, REFUSED):
            wanted.append(self.digests(after))
        if name == "tus" and self.place:
            self.finish_pieces(1)
            wanted = [self.digests(after)]
        if name == "bin" and reply.outcome == OK:
            wanted.append(self.digests(self.BEFORE))  # The task goes on by itself, and may have been interrupted.
        end = now() + 30
        while True:
            trees = [self.tree(1), self.tree(2)]
            if all(tree in wanted for tree in trees) and (trees[0] == trees[1] or name == "bin"):
                return []
            if now() > end:
                return [f"answered {reply.status}, found {trees}, wanted {wanted}"]

    def figures(self):
        """What is used, when what was left was counted again."""
        end = now() + 60
        while True:
            used, _, stored = self.amounts()
            if used == stored:
                return []
            if now() > end:
                return [f"{used} bytes are used of {stored} after all cuts"]

    def rest(self, round_):
        return []
