"""8: what a server has under way outlives others' starts and ends."""

import io
import random
import socket
import time
import zipfile

import client as api
from checks import check_living
from history import now
from tus import BYTES, UPLOADS, VERSION, encoded
from workloads import Workload


class LivingLoad(Workload):
    """On one server in each round: a task, an upload in pieces, and one whose bytes come slowly."""

    name = "living"
    ITEMS = 300
    HALF = 1_500_000
    PIECES = 40

    def prepare(self):
        archive = io.BytesIO()
        with zipfile.ZipFile(archive, "w") as made:
            for number in range(self.ITEMS):
                made.writestr(f"{number}.txt", f"{number}" * 50)
        self.caller.surely("an archive", lambda: self.caller.put("rest", 0, "many.zip", archive.getvalue()))

    def begin(self, round_):
        super().begin(round_)
        chance = round_.chance("living")
        self.number = chance.randrange(len(self.bed.servers))
        self.folder = f"round{round_.number}"
        for entry in self.listed(0):
            if entry["name"] != "many.zip":
                self.remove(entry["name"])
        self.make_folder("", self.folder)
        reply = self.caller.surely("a task", lambda: self.caller.call("make task", self.number, "POST", "/api/v2/tasks", {
            "kind": "unpack", "sources": ["many.zip"], "destination": self.folder, "onConflict": "skip"}))
        self.task = reply.json()["id"]
        content = random.Random(round_.number).randbytes(self.HALF)
        reply = self.caller.surely("an upload", lambda: self.caller.call("tus create", self.number, "POST", UPLOADS, None, {
            **VERSION, "Upload-Length": str(2 * self.HALF), "Upload-Metadata": encoded(filename=f"half{round_.number}")}))
        self.place = reply.headers["Location"]
        self.caller.surely("half of it", lambda: self.caller.call("tus patch", self.number, "PATCH", self.place, content, {
            **VERSION, "Content-Type": BYTES, "Upload-Offset": "0"}))
        self.slow = None

    def threads(self, round_):
        return [lambda: self.send_slowly(round_)]

    def send_slowly(self, round_):
        """A form whose bytes come over some seconds."""
        server = self.bed.servers[self.number]
        content_type, body = api.multipart(api.form(("slow", bytes(self.PIECES * 1000))))
        head = (f"POST {api.FILES}/upload?path={self.folder} HTTP/1.1\r\nHost: bed\r\nX-API-Key: {self.key}\r\n"
                f"Content-Type: {content_type}\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n").encode()
        try:
            with socket.create_connection((server.address, server.port), timeout=30) as line:
                line.sendall(head)
                for at in range(0, len(body), len(body) // self.PIECES + 1):
                    line.sendall(body[at:at + len(body) // self.PIECES + 1])
                    time.sleep(0.1)
                self.slow = line.makefile("rb").readline().split()[1].decode()
        except (OSError, IndexError):
            self.slow = "none"
        self.bed.statistics.operations["slow upload"] += 1

    def state_of_task(self):
        end = now() + 60
        while True:
            task = self.caller.surely("the task", lambda: self.caller.call("rest", 0, "GET", f"/api/v2/tasks/{self.task}")).json()
            if task["state"] not in ("running", "waiting") or now() > end:
                return task["state"]
            time.sleep(0.1)

    def rest(self, round_):
        lives = self.number not in round_.killed
        is_free = lives and self.number not in round_.disturbed and not round_.is_shared
        state = self.state_of_task()
        entries = [{"what": f"upload at {server}", "expected": {self.HALF}, "found": self.offset(server)}
                   for server in range(len(self.bed.servers))]
        if is_free:
            entries.append({"what": "the task", "expected": {"done"}, "found": state})
            entries.append({"what": "a slow upload", "expected": {"200"}, "found": self.slow})
        elif lives:
            entries.append({"what": "the task", "expected": {"done", "failed"}, "found": state})
        held = self.bed.database.ask("SELECT u.reserved_bytes >= " + str(2 * self.HALF) + " FROM quota_usage u JOIN accounts a "
                                     f"ON a.id = u.account_id WHERE a.name = '{self.account}'")
        entries.append({"what": "the room of the upload", "expected": {"t"}, "found": held[0]})
        self.caller.surely("ending it", lambda: self.caller.call("rest", 0, "DELETE", self.place, None, VERSION))
        return check_living(entries)

    def offset(self, server):
        reply = self.caller.surely("its offset", lambda: self.caller.call("rest", server, "HEAD", self.place, None, VERSION))
        return int(reply.headers["Upload-Offset"])
