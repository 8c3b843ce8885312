"""What clients do in a round: each workload has clients, each of a thread of its own, that note a history, and looks at rest what
came of it. Accounts are made once; what a round makes lies in a folder of its own."""

import random
import threading
import time

import client as api
from checks import (check_bank, check_folder_keys, check_register, check_rest, check_revocation, check_set, check_tree,
                    check_uploads)
from history import OK, UNKNOWN, Caller, History, digest, now
from tus import BYTES, UPLOADS, VERSION, encoded

INLINE_BYTES = 4096
TREE_ROWS = ("WITH RECURSIVE below AS (SELECT n.id, n.size_bytes, n.content FROM nodes n WHERE parent = -(SELECT id FROM accounts "
             "WHERE name = '{0}') UNION ALL SELECT n.id, n.size_bytes, n.content FROM nodes n JOIN below ON n.parent = below.id) ")
VERSION_BYTES = "SELECT COALESCE(SUM(size_bytes), 0) FROM versions WHERE node IN (SELECT id FROM below)"


class Round:
    """Of one round: its number, whether its load is over, and what was done to servers meanwhile."""

    def __init__(self, number, seed):
        self.number, self.seed = number, seed
        self.is_over = threading.Event()
        self.killed = set()  # The numbers of servers that ended.
        self.disturbed = set()  # Those that were cut off or stood still.
        self.is_shared = False  # The database or the store was disturbed, which concerns all.

    def chance(self, *who):
        return random.Random(f"{self.seed} {self.number} {who}")


class Workload:
    """An account of its own. `bed` has `servers`, `places` (servers and the balancer), `statistics` and `database`."""

    name = None
    clients = 1
    pause_s = 0.05
    quota = "0"

    def __init__(self, bed):
        self.bed = bed
        self.account = bed.servers[0].add_account(f"{self.name}-account", self.quota, password="correct horse battery")
        self.key = bed.servers[0].create_key(self.account)["key"]
        self.caller = self.new_caller(random.Random(self.name))
        self.histories = {}
        self.prepare()

    def prepare(self):
        """Once."""

    def new_caller(self, chance, key=None):
        return Caller(self.bed.places, self.bed.statistics, chance, key or self.key)

    def begin(self, round_):
        """Before the load of a round, at rest."""
        self.history = History()

    def threads(self, round_):
        return [lambda number=number: self.run(round_, number) for number in range(self.clients)]

    def run(self, round_, number):
        chance = round_.chance(self.name, number)
        caller = self.new_caller(chance)
        while not round_.is_over.is_set():
            self.act(round_, caller, chance, number)
            round_.is_over.wait(chance.random() * 2 * self.pause_s)

    def note(self, op, call, **more):
        """Calls, and notes what was done when."""
        begin = now()
        reply = call()
        self.history.add(op=op, begin=begin, end=now(), outcome=reply.outcome, status=reply.status, **more)
        return reply

    def rest(self, round_):
        """What is wrong, when all is at rest."""
        raise NotImplementedError

    # At rest

    def listed(self, server, path=""):
        found = self.caller.surely(f"{self.name}: listing {path!r}", lambda: self.caller.list("rest", server, path))
        return found.json()["data"]

    def read(self, server, path):
        return self.caller.surely(f"{self.name}: reading {path!r}", lambda: self.caller.get("rest", server, path)).body

    def remove(self, path):
        server = self.caller.chance.randrange(len(self.bed.servers))
        self.caller.surely(f"{self.name}: removing {path!r}", lambda: self.caller.delete("rest", server, path))

    def make_folder(self, folder, name):
        self.caller.surely(f"{self.name}: making {name!r}", lambda: self.caller.make_folder("rest", 0, folder, name))

    # Of the catalog

    def amounts(self):
        """What is used, reserved and named, with the versions."""
        rows = self.bed.database.ask(
            TREE_ROWS.format(self.account) + "SELECT used_bytes, reserved_bytes, (SELECT COALESCE(SUM(size_bytes), 0) FROM below "
            f"WHERE content IS NOT NULL) + ({VERSION_BYTES}) FROM quota_usage u JOIN accounts a ON a.id = u.account_id WHERE a.name = '{self.account}'")
        return tuple(int(number) for number in rows[0].split("|"))

    def version_bytes(self):
        return int(self.bed.database.ask(TREE_ROWS.format(self.account) + VERSION_BYTES)[0])


class SetLoad(Workload):
    """1: uploads of names that are used once, one or two files each, and deletions."""

    name = "set"
    clients = 3
    SIZES = (1, 700, INLINE_BYTES, INLINE_BYTES + 1, 60_000, 60_000, 300_000, 2_000_000)
    KEPT_ROUNDS = 3  # Then its files are looked at again, and become garbage.

    def prepare(self):
        self.kept = {}

    def begin(self, round_):
        super().begin(round_)
        self.kept[f"round{round_.number}"] = self.history.entries
        self.wrong_later = []
        self.folder = f"round{round_.number}"
        self.mine = [[] for _ in range(self.clients)]
        self.make_folder("", self.folder)
        if (old := f"round{round_.number - self.KEPT_ROUNDS}") in self.kept:
            self.wrong_later = [f"{old}, later: {one}" for one in self.judge(old, self.kept.pop(old))]
            self.remove(old)

    def act(self, round_, caller, chance, number):
        if self.mine[number] and chance.random() < 0.2:
            name = self.mine[number].pop(chance.randrange(len(self.mine[number])))
            self.note("delete", lambda: caller.delete("delete", caller.some_place(), f"{self.folder}/{name}"), name=name)
            return
        count = chance.choice((1, 1, 1, 2))
        files = {f"{number}-{len(self.history.entries)}-{one}": chance.randbytes(chance.choice(self.SIZES)) for one in range(count)}
        if count == 1 and chance.random() < 0.5:
            (name, content), = files.items()
            send = lambda: caller.put("put", caller.some_place(), f"{self.folder}/{name}", content, {"If-None-Match": "*"})
        else:
            send = lambda: caller.upload("upload", caller.some_place(), self.folder, *files.items())
        reply = self.note("add", send, files={name: digest(content) for name, content in files.items()})
        if reply.outcome == OK:
            self.mine[number] += files

    def rest(self, round_):
        return self.judge(self.folder, self.history.entries) + self.wrong_later

    def judge(self, folder, entries):
        listings = [{entry["name"] for entry in self.listed(server, folder)} for server in range(len(self.bed.servers))]
        contents = {name: digest(self.read(number % len(listings), f"{folder}/{name}"))
                    for number, name in enumerate(sorted(listings[0]))}
        return check_set(entries, listings, contents)


class RegisterLoad(Workload):
    """2: few names that are written, replaced by version, and read. A value is one whole content."""

    name = "register"
    clients = 4
    FILES = 3

    def prepare(self):
        self.values = {}
        for number in range(self.FILES):
            self.caller.surely("a file", lambda number=number: self.caller.put("rest", 0, f"file{number}", b"first"))

    def begin(self, round_):
        super().begin(round_)
        self.first = {f"file{number}": self.value_of(self.read(0, f"file{number}")) for number in range(self.FILES)}
        self.versions = [{} for _ in range(self.clients)]

    @staticmethod
    def value_of(content):
        """A name for it; that of a mixture is none that was written."""
        head = content[:64].split(b";")[0]
        is_whole = content == content_of(head, len(content))
        return head.decode(errors="replace") if is_whole else f"{head!r} and others in {len(content)} bytes"

    def act(self, round_, caller, chance, number):
        name, versions = f"file{chance.randrange(self.FILES)}", self.versions[number]
        place = caller.some_place()
        if name in versions and chance.random() < 0.5:
            value, version = versions.pop(name)
            wanted = {"If-Match": version}
            new = f"{round_.number}.{number}.{len(self.history.entries)}"
            reply = self.note("swap", lambda: self.write(caller, chance, place, name, new, wanted), name=name, value=new, expected=value)
        elif chance.random() < 0.15:
            new = f"{round_.number}.{number}.{len(self.history.entries)}"
            self.note("write", lambda: self.write(caller, chance, place, name, new, None), name=name, value=new)
        else:
            begin = now()
            reply = caller.get("get", place, name)
            is_read = reply.outcome == OK
            value = self.value_of(reply.body) if is_read else "absent" if reply.status == 404 else None
            self.history.add(op="read", begin=begin, end=now(), outcome=OK if value else UNKNOWN, status=reply.status, name=name,
                             value=value)
            if is_read:
                versions[name] = value, reply.headers["ETag"]

    @staticmethod
    def write(caller, chance, place, name, value, headers):
        return caller.put("put", place, name, content_of(value.encode(), chance.choice((30, 30, 6000, 70_000))), headers)

    def rest(self, round_):
        wrong = []
        for name, first in self.first.items():
            for server in range(len(self.bed.servers)):
                begin = now()
                value = self.value_of(self.read(server, name))
                self.history.add(op="read", begin=begin, end=now(), outcome=OK, status=200, name=name, value=value)
            entries = [entry for entry in self.history.entries if entry["name"] == name]
            wrong += [f"{name}: {one}" for one in check_register(entries, first)]
        return wrong


def content_of(head, size):
    """`size` bytes that say throughout what they are."""
    mark = head + b";"
    return head if size <= len(mark) else (mark * (size // len(mark) + 1))[:size]


class BankLoad(Workload):
    """3: files come and go where the quota is always nearly used up."""

    name = "bank"
    clients = 3
    LIMIT = 1_500_000
    quota = str(LIMIT)
    NAMES = 12

    def begin(self, round_):
        super().begin(round_)
        self.samples = []

    def threads(self, round_):
        return [*super().threads(round_), lambda: self.sample(round_)]

    def act(self, round_, caller, chance, number):
        name, place = f"{chance.randrange(self.NAMES)}", caller.some_place()
        if chance.random() < 0.25:
            self.note("delete", lambda: caller.delete("delete", place, name))
        else:
            content = chance.randbytes(chance.choice((10, 4000, 100_000, 250_000, 400_000)))
            self.note("add", lambda: caller.put("put", place, name, content))

    def sample(self, round_):
        while not round_.is_over.wait(0.3):
            try:
                self.samples.append(self.amounts())
            except (AssertionError, OSError):
                pass  # The database is away.

    def rest(self, round_):
        wrong = check_bank(self.samples, self.LIMIT, round_.killed)
        end = now() + 30  # Until what a dead server left was counted again.
        while True:
            listed = [entry for entry in self.listed(0) if not entry["isDirectory"]]
            used, reserved, by_names = self.amounts()
            kept = self.version_bytes()
            at_rest = check_rest(used, reserved, by_names, kept + sum(entry["size"] for entry in listed),
                                 kept + sum(len(self.read(number % 3, entry["name"])) for number, entry in enumerate(listed)))
            if not at_rest or now() > end:
                return wrong + at_rest
            time.sleep(0.5)


class TreeLoad(Workload):
    """4: folders are moved into one another at random. A folder is told by its name before the dot, which stays."""

    name = "tree"
    clients = 3
    FOLDERS = 20

    def prepare(self):
        for number in range(self.FOLDERS):
            self.make_folder("", f"f{number}.0")
            self.caller.surely("a file", lambda number=number: self.caller.put("rest", 0, f"f{number}.0/m{number}.0", b"m"))
        self.expected = {f"{kind}{number}" for number in range(self.FOLDERS) for kind in "fm"}

    def some_path(self, caller, chance):
        """Of a folder; "" if it is not known."""
        path = ""
        while True:
            reply = caller.list("list", caller.some_place(), path)
            if reply.outcome != OK:
                return ""
            folders = [entry["name"] for entry in reply.json()["data"] if entry["isDirectory"]]
            if not folders or (path and chance.random() < 0.4):
                return path
            path = f"{path}/{chance.choice(folders)}".lstrip("/")

    def act(self, round_, caller, chance, number):
        path, place = self.some_path(caller, chance), caller.some_place()
        if not path:
            return
        if chance.random() < 0.25:
            identity = path.rpartition("/")[2].partition(".")[0]
            self.note("rename", lambda: caller.rename("rename", place, path, f"{identity}.{round_.number}-{number}-{chance.randrange(99)}"))
        else:
            to = self.some_path(caller, chance) if chance.random() < 0.7 else ""
            self.note("move", lambda: caller.move("move", place, path, to))

    def walk(self, server, path=""):
        for entry in self.listed(server, path):
            below = f"{path}/{entry['name']}".lstrip("/")
            yield below, entry["name"].partition(".")[0]
            if entry["isDirectory"]:
                yield from self.walk(server, below)

    def rest(self, round_):
        walks = [list(self.walk(server)) for server in range(len(self.bed.servers))]
        rows = int(self.bed.database.ask(
            "SELECT count(*) FROM nodes n JOIN accounts a ON a.id = n.tree WHERE n.parent <> 0 AND a.name = "
            f"'{self.account}'")[0])
        return check_tree(walks, self.expected, rows)


class RightsLoad(Workload):
    """5: keys, sessions and links are made, used on all servers and withdrawn."""

    name = "rights"
    clients = 2
    pause_s = 0.2

    def prepare(self):
        self.make_folder("", "docs")
        self.caller.surely("a file", lambda: self.caller.put("rest", 0, "docs/a.txt", b"a"))

    def act(self, round_, caller, chance, number):
        right = f"{chance.choice(('key', 'key', 'link', 'session'))} {round_.number}.{number}.{len(self.history.entries)}"
        made = getattr(self, "make_" + right.partition(" ")[0])(caller, right)
        if made is None:
            return
        uses, revoke = made
        stop = threading.Event()
        threads = [threading.Thread(target=self.use, args=(right, place, uses, stop, chance.random()))
                   for place in range(len(self.bed.places))]
        for thread in threads:
            thread.start()
        stop.wait(0.4)
        self.note("revoke", revoke, right=right)
        stop.wait(0.7)
        stop.set()
        for thread in threads:
            thread.join()

    def use(self, right, place, uses, stop, seed):
        target, headers = uses
        caller = Caller(self.bed.places, self.bed.statistics, random.Random(seed), headers=headers)
        while not stop.is_set():
            self.note("use", lambda: caller.call("use of a right", place, "GET", target), right=right, place=place)
            stop.wait(0.03)

    def granted(self, right, call, status):
        reply = self.note("grant", call, right=right)
        return reply if reply.status == status else None

    def make_key(self, caller, right):
        made = self.granted(right, lambda: caller.call("make key", caller.some_place(), "POST", "/api/v2/keys",
                                                       {"name": right, "access": "full"}), 201)
        if not made:
            return None
        made = made.json()
        return ((f"{api.FILES}?path=docs", {"X-API-Key": made["secret"]}),
                lambda: caller.call("revoke key", caller.some_place(), "DELETE", f"/api/v2/keys/{made['key']['id']}"))

    def make_link(self, caller, right):
        made = self.granted(right, lambda: caller.call("make link", caller.some_place(), "POST", "/api/v2/links", {"path": "docs"}), 201)
        if not made:
            return None
        made = made.json()
        return ((f"/api/v2/guest/{made['token']}/files", {}),
                lambda: caller.call("remove link", caller.some_place(), "DELETE", f"/api/v2/links/{made['id']}"))

    def make_session(self, caller, right):
        person = Caller(self.bed.places, self.bed.statistics, caller.chance)
        made = self.granted(right, lambda: person.call("sign in", caller.some_place(), "POST", "/api/v2/session",
                                                       {"userName": self.account, "password": "correct horse battery"}), 200)
        if not made:
            return None
        cookies = [one.partition(";")[0] for one in made.headers.get_all("Set-Cookie")]
        headers = {"Cookie": "; ".join(cookies)}
        person.headers = {**headers, "X-CSRF-Token": made.json()["csrfToken"]}
        return (("/api/v2/files?path=docs", headers),
                lambda: person.call("sign out", caller.some_place(), "DELETE", "/api/v2/session"))

    def rest(self, round_):
        return check_revocation(self.history.entries)


class FolderKeysLoad(Workload):
    """5: keys of two folders, whose names change places all the time."""

    name = "folders"
    clients = 3
    pause_s = 0.03
    IDENTITIES = ("one", "two")
    NAMES = ("docs", "other", "third")

    def prepare(self):
        self.keys, self.ended_keys = {}, 0
        for identity, name in zip(self.IDENTITIES, self.NAMES):
            self.make_folder("", name)
            self.caller.surely("a file", lambda n=name, i=identity: self.caller.put("rest", 0, f"{n}/who", i.encode()))
            self.make_key(identity, name)

    def make_key(self, identity, name):
        made = self.caller.surely("a key", lambda: self.caller.call(
            "rest", 0, "POST", "/api/v2/keys", {"name": identity, "access": "full", "folder": name}))
        self.keys[identity] = made.json()["secret"]

    def act(self, round_, caller, chance, number):
        if number == 0:
            name, new = chance.sample(self.NAMES, 2)
            self.note("rename", lambda: caller.rename("rename", caller.some_place(), name, new))
            return
        identity = chance.choice(self.IDENTITIES)
        keyed = Caller(self.bed.places, self.bed.statistics, chance, self.keys[identity])
        if chance.random() < 0.3:
            name = f"{identity}-{round_.number}-{number}-{len(self.history.entries)}"
            self.note("write", lambda: keyed.put("put", keyed.some_place(), name, chance.randbytes(chance.choice((9, 5000)))),
                      identity=identity, seen=None)
        else:
            reply = keyed.get("get", keyed.some_place(), "who")
            self.history.add(op="read", at=now(), identity=identity, status=reply.status,
                             seen=reply.body.decode() if reply.outcome == OK else None)

    def rest(self, round_):
        places, folders, wrong = {}, {}, []
        for entry in self.listed(0):
            identity = self.read(1, f"{entry['name']}/who").decode()
            folders[identity] = entry["name"]
            names = [one["name"] for one in self.listed(2, entry["name"])]
            places[identity] = {name.partition("-")[0] for name in names if name != "who"}
            if len(names) > 60:
                for name in names:
                    if name != "who":
                        self.remove(f"{entry['name']}/{name}")
        if set(places) != set(self.IDENTITIES):
            wrong.append(f"the folders are {set(places)}")
        for identity in self.IDENTITIES:
            wrong += self.look_by_key(identity, round_, folders)
        return wrong + check_folder_keys(self.history.entries, places)


    def look_by_key(self, identity, round_, folders):
        """A rename that was interrupted ends the folder's keys, on all servers: then there is a new one."""
        keyed, outcomes = self.new_caller(random.Random(1), self.keys[identity]), set()
        for server in range(len(self.bed.servers)):
            end = now() + 30
            while (reply := keyed.get("rest", server, "who")).status not in (200, 401) and now() < end:
                time.sleep(0.1)
            outcomes.add(reply.body.decode() if reply.outcome == OK else reply.status)
        if outcomes == {identity}:
            return []
        if outcomes == {401} and (round_.killed or round_.is_shared or round_.disturbed):
            self.ended_keys += 1
            self.make_key(identity, folders[identity])
            return []
        return [f"the key of {identity} leads to {outcomes}"]


class TusLoad(Workload):
    """6: uploads in pieces that come to random servers, two of them at once."""

    name = "tus"
    clients = 2
    SIZES = (1000, 50_000, 3_000_000, 3_000_000, 12_000_000)

    def begin(self, round_):
        super().begin(round_)
        self.uploads = []
        for entry in self.listed(0):
            self.remove(entry["name"])

    def call(self, caller, kind, place, method, target, headers=None, body=None):
        return caller.call(kind, place, method, target, body, {**VERSION, **(headers or {})})

    def act(self, round_, caller, chance, number):
        content = chance.randbytes(chance.choice(self.SIZES))
        name = f"{number}-{len(self.uploads)}-{len(content)}"
        reply = self.call(caller, "tus create", caller.some_place(), "POST", UPLOADS,
                          {"Upload-Length": str(len(content)), "Upload-Metadata": encoded(filename=name)})
        if reply.outcome != OK:
            return
        upload = {"name": name, "size": len(content), "sent": digest(content), "content": content, "place": reply.headers["Location"],
                  "how": []}
        self.uploads.append(upload)
        while not round_.is_over.is_set() and not self.push(caller, upload):
            pass

    def push(self, caller, upload, place=None):
        """A piece or two; True when all is there."""
        chance, size = caller.chance, upload["size"]
        reply = self.call(caller, "tus head", caller.some_place() if place is None else place, "HEAD", upload["place"])
        if reply.status != 200:
            upload["how"].append(("head", reply.status))
            time.sleep(0.1)
            return reply.status in (404, 410)
        offset = int(reply.headers["Upload-Offset"])
        if offset == size:
            return True
        lengths = [max(1, min(size - offset, chance.choice((10_000, 400_000, 2_000_000, 9_000_000, size)))) for _ in range(2)]
        threads = [threading.Thread(target=self.patch, args=(upload, offset, length, chance.random())) for length in lengths]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return False

    def patch(self, upload, offset, length, seed):
        caller = self.new_caller(random.Random(seed))
        place = caller.some_place()
        reply = self.call(caller, "tus patch", place, "PATCH", upload["place"], {"Content-Type": BYTES, "Upload-Offset": str(offset)},
                          upload["content"][offset:offset + length])
        upload["how"].append((place, offset, length, reply.status))

    def rest(self, round_):
        for number, upload in enumerate(self.uploads):
            end = now() + 60
            while not self.push(self.caller, upload, number % len(self.bed.servers)) and now() < end:
                pass
        names = {entry["name"] for entry in self.listed(0)}
        for number, upload in enumerate(self.uploads):
            is_there = upload["name"] in names
            upload["found"] = digest(self.read(number % len(self.bed.servers), upload["name"])) if is_there else None
            upload.pop("content")
            self.history.add(op="upload", **upload)
        return check_uploads(self.uploads) + [f"{name} was never sent" for name in names - {one["name"] for one in self.uploads}]


LOADS = (SetLoad, RegisterLoad, BankLoad, TreeLoad, RightsLoad, FolderKeysLoad, TusLoad)
