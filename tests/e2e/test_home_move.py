"""Own files are moved between plain files and a store of objects: there and back with equal hashes and times, while others work,
cut off at any point, and refused where something would be lost."""

import contextlib
import hashlib
import http.client
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import threading

import pytest
import requests

from client import Client, form
from disks import SmallDisk
from people import Person
from postgres import ENVIRONMENT, PROGRAMS, execute
from server import BINARY, DIES_WITH_US, PATIENCE_S, CommandConnection, Server, clean_environment, eventually, run
from tus import Tus, is_on_postgresql, sql

MEBIBYTE = 1 << 20
SIZES = [0, 1, 4095, 4096, 4097, 100_000, 8 * MEBIBYTE - 1, 8 * MEBIBYTE, 8 * MEBIBYTE + 1, 20 * MEBIBYTE]
ODD_NAMES = ["with blanks ", "äöü ß 漢字 🎉", "e\u0301 and é", "-rf *", "%41%2f?#&=+;", "'\"`$(x)", "C:", "a\\b", ".hidden", "n" * 255,
             "CAPITALS", "capitals"]
SENTENCE = "Your files are being moved to another place; try again in a few minutes."


def hash_of(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def on_disk(root):
    """The hash and time of each file, and the time of each folder, by their paths; also of what is hidden."""
    found = {}
    for folder, folders, names in os.walk(root):
        for name in folders:
            path = pathlib.Path(folder, name)
            found[str(path.relative_to(root)) + "/"] = path.stat().st_mtime_ns
        for name in names:
            path = pathlib.Path(folder, name)
            found[str(path.relative_to(root))] = (hash_of(path), path.stat().st_mtime_ns)
    return found


def shown(client, folder=""):
    """The hash and time of each file as clients see them, and the times of folders."""
    found = {}
    for entry in client.list(folder).ok():
        path = f"{folder}/{entry['name']}" if folder else entry["name"]
        if entry["isDirectory"]:
            found[path + "/"] = entry["modifiedAt"]
            found |= shown(client, path)
        else:
            found[path] = (hashlib.sha256(client.content(path)).hexdigest(), entry["modifiedAt"])
    return found


class Gateway:
    """A line to the store that can be held still, so that a move is where a test wants it."""

    def __init__(self, port):
        self.port_behind = port
        self.open = threading.Event()
        self.open.set()
        self.after = None  # So many pieces pass before it holds by itself.
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self._serve, daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    def _serve(self):
        with contextlib.suppress(OSError):
            while True:
                near, _ = self.listener.accept()
                try:
                    far = socket.create_connection(("127.0.0.1", self.port_behind))
                except ConnectionRefusedError:  # The store is away.
                    near.close()
                    continue
                for one, other, counts in ((near, far, True), (far, near, False)):
                    threading.Thread(target=self._pass_on, args=(one, other, counts), daemon=True).start()

    def _pass_on(self, one, other, counts):
        with contextlib.suppress(OSError):
            while data := one.recv(1 << 16):
                if counts and self.after is not None and data[:4] in (b"PUT ", b"GET "):
                    self.after -= 1
                    if self.after <= 0:
                        self.after = None
                        self.open.clear()
                self.open.wait()
                other.sendall(data)
        for end in (one, other):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def hold(self, after=0):
        if after:
            self.after = after
        else:
            self.open.clear()

    def let_go(self):
        self.after = None
        self.open.set()

    def close(self):
        self.let_go()
        self.listener.close()


class Scene:
    """A server whose new accounts have plain files, with a store of objects behind a gateway."""

    def __init__(self, folder, database, object_store):
        self.gateway = Gateway(object_store.server.port)
        settings = {**object_store.new_bucket(), "home_store": "files", "objects_endpoint": self.gateway.url}
        self.server = Server(folder, database, **settings)

    def account(self, *options):
        name = self.server.add_account(None, *options)
        return name, Client(self.server, self.server.create_key(name)["key"])

    def again(self, client):
        """The client of the same key, after the server was started anew."""
        return Client(self.server, client.key)

    def root(self, name):
        return next(self.server.data.glob(f"files/{name}-*"), self.server.data / "files" / name)

    def home(self, name):
        return next(home for home in self.server.cli_json("home", "list") if home["username"] == name)

    def begin(self, name, to):
        """The command, under way."""
        return subprocess.Popen([*DIES_WITH_US, BINARY, "home", "move", "--account", name, "--to", to, "--json", *self.server.place()],
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=clean_environment())

    def move(self, name, to, ok=True):
        return self.server.cli("home", "move", "--account", name, "--to", to, ok=ok)

    def state(self):
        """How far the last move is, as the command hears it."""
        with contextlib.closing(CommandConnection(self.server.data)) as connection:
            connection.request("GET", "/command/home-move")
            answer = connection.getresponse()
            content = json.loads(answer.read())
        return content if answer.status == 200 else None

    def in_phase(self, phase):
        state = eventually(lambda: (state := self.state()) and (state["phase"] == phase or state["hasEnded"]) and state, phase)
        assert state["phase"] == phase and not state["hasEnded"], state

    def names_in_catalog(self, name):
        """How many own files and folders of the account have names there that are in use."""
        query = ("SELECT count(*) FROM nodes JOIN trees ON nodes.parent = -trees.id JOIN accounts ON accounts.id = trees.id "
                 f"WHERE accounts.name = '{name}'")
        return int(sql(self.server, query)[0][0])


@contextlib.contextmanager
def ended(scene):
    scene.server.start()
    yield scene
    scene.gateway.let_go()
    if scene.server.running():
        scene.server.stop()
    scene.gateway.close()


@pytest.fixture
def scene(object_store, new_database, tmp_path):
    with ended(Scene(tmp_path / "scene", new_database(f"move_{tmp_path.name}"[:50]), object_store)) as made:
        yield made


def real_files(count=250, most=2 * MEBIBYTE):
    found = []
    for folder, folders, names in os.walk("/usr/share/doc"):
        folders.sort()
        for path in (pathlib.Path(folder, name) for name in sorted(names)):
            if path.is_file() and not path.is_symlink() and path.stat().st_size <= most:
                found.append(path)
        if len(found) >= count:
            break
    return found[:count]


def fill(root):
    """Several hundred files of all sizes, odd names, empty folders, and times of long ago."""
    for number, source in enumerate(real_files()):
        target = root / "real" / f"{number % 17}" / source.parent.name / source.name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(source, target)
    (root / "sizes").mkdir()
    for size in SIZES:
        (root / "sizes" / str(size)).write_bytes(os.urandom(size))
    (root / "odd").mkdir()
    for number, name in enumerate(ODD_NAMES):
        (root / "odd" / name).write_bytes(name.encode() * number)
        (root / "odd" / f"folder {number}" / name).mkdir(parents=True)
    (root / "empty" / "below").mkdir(parents=True)
    deep = root / "deep" / "/".join(["d"] * 150)
    deep.mkdir(parents=True)
    (deep / "file").write_bytes(b"deep")
    for number, path in enumerate(sorted(root.rglob("*"), reverse=True)):
        os.utime(path, ns=(10**18, 10**18 + number * 1_000_003))


def counted(scene, name):
    """The sum that the catalog has, and what it should be."""
    used = scene.server.cli_json("account", "list")
    used, = [one["storageUsed"] for one in used if one["username"] == name]
    return used


def delete_to_bin(scene, client, path):
    person = Person(scene.server, key=client.key)
    task = person.ok("POST", "tasks", {"kind": "delete", "sources": [path]}, 202)
    eventually(lambda: person.ok("GET", f"tasks/{task['id']}")["state"] == "done", "the deletion")
    return person


def test_there_and_back(scene):
    """Everything is there with its hash and time, for clients and on the disk, and the bin works on both sides."""
    name, client = scene.account()
    root = scene.root(name)
    fill(root)
    scene.server.cli("check", ok=False)  # Counts what was put there past the server.
    client.put("deleted.txt", b"deleted")
    person = delete_to_bin(scene, client, "deleted.txt")
    before, seen, used = on_disk(root), shown(client), counted(scene, name)
    assert len(before) > 300 and any(path.startswith(".coffer-bin/") for path in before)
    key = scene.server.create_key(name, folder="sizes")["key"]

    done = scene.move(name, "objects")
    assert "moved to the store of objects" in done.stdout, done
    assert scene.home(name)["store"] == "objects" and not root.exists()
    assert shown(client) == seen and counted(scene, name) == used
    assert Client(scene.server, key).content("4097") == client.content("sizes/4097")
    item, = person.ok("GET", "bin")["entries"]
    assert item["path"] == "deleted.txt"
    assert scene.server.cli("check").stdout.endswith(" 0 problems left.\n")

    scene.server.stop()
    scene.server.start()
    client = scene.again(client)
    assert shown(client) == seen

    scene.move(name, "files")
    assert on_disk(scene.root(name)) == before
    assert shown(client) == seen and counted(scene, name) == used
    assert scene.names_in_catalog(name) == 0
    assert scene.server.cli("check").stdout.endswith(" 0 problems left.\n")
    assert "is in plain files" in scene.move(name, "files").stdout


def test_all_accounts_and_one_that_is_added_meanwhile(scene):
    names = [scene.account()[0] for _ in range(3)]
    for name in names:
        (scene.root(name) / "file").write_bytes(os.urandom(100_000))
    scene.gateway.hold()
    command = subprocess.Popen([*DIES_WITH_US, BINARY, "home", "move", "--all", "--to", "objects", *scene.server.place()],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=clean_environment())
    scene.in_phase("copying")
    late, client = scene.account()
    client.upload("", form(("late", b"late"))).ok()
    scene.gateway.let_go()
    printed, wrong = command.communicate(timeout=PATIENCE_S)
    assert command.returncode == 0, wrong
    assert sorted(line.partition(":")[0] for line in printed.splitlines()) == sorted([*names, late])
    assert {home["store"] for home in scene.server.cli_json("home", "list")} == {"objects"}
    assert client.content("late") == b"late"


def test_all_tells_at_the_end_which_were_not_moved(scene):
    """Those behind one that cannot be moved are moved all the same."""
    names = [scene.account()[0] for _ in range(3)]
    (scene.root(names[0]) / "link").symlink_to("nowhere")
    done = scene.server.cli("home", "move", "--all", "--to", "objects", ok=False)
    assert done.returncode == 1, done
    assert done.stderr.splitlines()[-1].endswith(f"Not moved: {names[0]}. Call the command again to go on."), done
    assert [scene.home(name)["store"] for name in names] == ["files", "objects", "objects"]


def test_writes_are_refused_and_reads_go_on(scene):
    """Whoever writes, and in one sentence."""
    name, client = scene.account()
    client.upload("", form(("a", b"a"), ("b", b"b"), ("large", os.urandom(MEBIBYTE)))).ok()
    key = client.key
    tus = Tus(scene.server, key)
    person = delete_to_bin(scene, client, "b")
    place = tus.create(6, "tus")
    tus.patch(place, 0, b"abc").is_(204)
    scene.gateway.hold()
    command = scene.begin(name, "objects")
    scene.in_phase("copying")
    for answer in (client.upload("", form(("c", b"c"))), client.make_folder("", "folder"), client.delete("a"),
                   client.rename("a", "z"), client.make_file("", "new"), client.copy("a", "copy"), client.move("a", "moved")):
        assert answer.status == 503 and answer.json()["error"] == SENTENCE and answer.headers["Retry-After"] == "60", answer
    assert tus.ask_for(3, "other").is_(503, "unavailable").detail() == SENTENCE
    assert tus.patch(place, 3, b"def").is_(503, "unavailable").detail() == SENTENCE
    assert client.content("a") == b"a" and {"a", "large"} <= set(client.names())
    assert len(person.ok("GET", "bin")["entries"]) == 1
    gone = scene.server.cli("account", "remove", name, ok=False)
    assert gone.returncode == 1 and "moved" in gone.stderr, gone
    assert "moved" in scene.move(name, "objects", ok=False).stderr
    scene.gateway.let_go()
    assert command.wait(PATIENCE_S) == 0, command.communicate()
    client.upload("", form(("c", b"c"))).ok()
    # An upload in pieces goes on where it was, and its bytes lie where they lay.
    tus.send(place, b"abcdef")
    assert client.content("tus") == b"abcdef" and client.content("c") == b"c"
    assert not [path for path in scene.server.data.glob("files/*/*")]


def test_uploads_that_run_across_the_beginning(scene):
    """Each is there whole if it was acknowledged, and not there at all if it was refused."""
    name, client = scene.account()
    key = client.key
    outcomes, stop = {}, threading.Event()

    def upload(number):
        mine = Client(scene.server, key)
        count = 0
        while not stop.is_set():
            path, content = f"{number}-{count}", f"{number}-{count}".encode() * (1 + 3000 * (count % 5))
            outcomes[path] = (mine.upload("", form((path, content))).status, content)
            count += 1

    threads = [threading.Thread(target=upload, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    eventually(lambda: len(outcomes) > 30, "some uploads")
    scene.move(name, "objects")
    eventually(lambda: any(status == 503 for status, _ in outcomes.values()) or len(outcomes) > 500, "refusals")
    count = len(outcomes)
    eventually(lambda: len(outcomes) > count + 20, "uploads after the move")
    scene.move(name, "files")
    stop.set()
    for thread in threads:
        thread.join()
    assert {status for status, _ in outcomes.values()} <= {200, 503}
    there = {path for path, (status, _) in outcomes.items() if status == 200}
    assert set(client.names()) == there
    for path in there:
        assert client.content(path) == outcomes[path][1], path
    assert counted(scene, name) == sum(len(outcomes[path][1]) for path in there)


def small_tree(root):
    for folder in ("a", "b/c", "empty"):
        (root / folder).mkdir(parents=True)
    for number in range(40):
        (root / ("a" if number % 2 else "b/c") / f"{number}").write_bytes(os.urandom(number * 1000))
    (root / "large").write_bytes(os.urandom(17 * MEBIBYTE))
    for path in sorted(root.rglob("*"), reverse=True):
        os.utime(path, ns=(10**18, 10**18 + 123_456_789))


class SlowSwitch:
    """A writer of the catalog's database that keeps the switch waiting."""

    def __init__(self, scene):
        if is_on_postgresql(scene.server):
            program, lock = [PROGRAMS / "psql", "-X", "-q", "-A", "-t", scene.server.database], "BEGIN; SELECT phase FROM home_moves FOR UPDATE;"
        else:
            program, lock = ["sqlite3", scene.server.data / "catalog.sqlite"], "BEGIN IMMEDIATE; SELECT phase FROM home_moves;"
        self.process = subprocess.Popen([*DIES_WITH_US, *program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd="/",
                                        env=ENVIRONMENT)
        self.process.stdin.write(lock + "\n")
        self.process.stdin.flush()
        assert self.process.stdout.readline() == "copying\n"

    def end(self):
        self.process.communicate("ROLLBACK;\n", PATIENCE_S)


@pytest.fixture
def on_postgresql(request, postgres, object_store, tmp_path):
    database = postgres.new_database(f"switch{abs(hash(request.node.name))}")
    with ended(Scene(tmp_path / "scene", database, object_store)) as made:
        yield made


@pytest.fixture
def on_sqlite(object_store, tmp_path):
    with ended(Scene(tmp_path / "scene", None, object_store)) as made:
        yield made


@pytest.fixture(params=["on_sqlite", "on_postgresql"])
def on_each_database(request):
    return request.getfixturevalue(request.param)


@pytest.mark.parametrize("after", [1, 5, 20, 41, 60])
@pytest.mark.parametrize("direction", ["there", "back"])
def test_a_server_that_is_killed_while_it_copies(scene, direction, after):
    """Before and after, the source is what is served; the next call goes on."""
    name, client = scene.account()
    root = scene.root(name)
    small_tree(root)
    before = on_disk(root)
    seen = shown(client)
    to = "objects"
    if direction == "back":
        scene.move(name, "objects")
        to = "files"
    scene.gateway.hold(after=after)
    command = scene.begin(name, to)
    eventually(lambda: not scene.gateway.open.is_set() or command.poll() is not None, "the hold")
    if command.poll() is None:
        scene.in_phase("copying")
    scene.server.kill()
    scene.gateway.let_go()
    command.communicate(timeout=PATIENCE_S)
    scene.server.start()
    client = scene.again(client)
    assert scene.home(name)["store"] != to or not scene.home(name)["move"]
    assert shown(client) == seen
    client.upload("", form(("since", b"since"))).ok()  # The gate is open.
    seen = shown(client)
    scene.move(name, to)
    assert shown(client) == seen
    scene.move(name, "files")
    assert {path: one for path, one in on_disk(scene.root(name)).items() if path != "since"} == before
    assert scene.server.cli("check").stdout.endswith(" 0 problems left.\n")


def collects(server):
    """True if the server has a file open that has no name yet."""
    links = pathlib.Path(f"/proc/{server.process.pid}/fd").iterdir()
    with contextlib.suppress(FileNotFoundError):
        return any("/staging/" in os.readlink(link) for link in links)


def test_a_server_that_is_killed_while_it_waits_for_writes(scene):
    name, client = scene.account()
    client.put("file", b"content")
    connection = http.client.HTTPConnection("127.0.0.1", scene.server.port)
    boundary = "x"
    connection.putrequest("POST", "/api/v1/files/upload?path=")
    connection.putheader("X-API-Key", client.key)
    connection.putheader("Content-Type", f"multipart/form-data; boundary={boundary}")
    connection.putheader("Content-Length", "1000000")
    connection.endheaders()
    connection.send(f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="slow"\r\n\r\nbegin'.encode() + bytes(200_000))
    eventually(lambda: collects(scene.server), "the upload")
    command = scene.begin(name, "objects")
    scene.in_phase("waiting")
    assert client.upload("", form(("c", b"c"))).status == 503
    scene.server.kill()
    command.communicate(timeout=PATIENCE_S)
    connection.close()
    scene.server.start()
    client = scene.again(client)
    assert client.names() == ["file"] and client.content("file") == b"content"
    scene.move(name, "objects")
    assert client.content("file") == b"content" and scene.home(name)["store"] == "objects"


@pytest.mark.parametrize("is_killed", [True, False])
def test_a_server_that_is_killed_at_the_switch(on_each_database, is_killed):
    """The switch has taken place or not, and either is whole."""
    scene = on_each_database
    name, client = scene.account()
    root = scene.root(name)
    small_tree(root)
    scene.move(name, "objects")
    seen = shown(client)
    scene.gateway.hold(after=3)
    command = scene.begin(name, "files")
    eventually(lambda: not scene.gateway.open.is_set(), "the hold")
    switch = SlowSwitch(scene)
    scene.gateway.let_go()
    scene.in_phase("switching")
    if is_killed:
        scene.server.kill()
        switch.end()
        command.communicate(timeout=PATIENCE_S)
        scene.server.start()
        client = scene.again(client)
        assert scene.home(name)["store"] == "objects"
        assert shown(client) == seen
        scene.move(name, "files")
    else:
        switch.end()
        assert command.wait(PATIENCE_S) == 0, command.communicate()
    assert scene.home(name)["store"] == "files" and shown(client) == seen
    assert scene.server.cli("check").stdout.endswith(" 0 problems left.\n")


def test_a_switch_whose_answer_is_late_is_waited_for(on_postgresql, postgres):
    """PostgreSQL waits for a standby that is away: the server gives the commit up, and it is made later all the same. Meanwhile
    nobody may write in either place."""
    scene = on_postgresql
    name, client = scene.account()
    small_tree(scene.root(name))
    scene.move(name, "objects")
    seen = shown(client)
    scene.gateway.hold(after=3)
    command = scene.begin(name, "files")
    eventually(lambda: not scene.gateway.open.is_set(), "the hold")
    postgres.wait_for_standbys("nobody")
    scene.gateway.let_go()
    waiting = ("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%home_moves%FOR UPDATE'")
    eventually(lambda: execute(scene.server.database, waiting) == ["1"] or command.poll() is not None, "the server to look for it")
    assert command.poll() is None
    assert client.upload("", form(("lost", b"lost"))).status == 503
    postgres.wait_for_standbys("")
    assert command.wait(PATIENCE_S) == 0, command.communicate()
    assert scene.home(name)["store"] == "files" and shown(client) == seen
    client.upload("", form(("since", b"since"))).ok()
    scene.server.stop()
    scene.server.start()
    assert scene.again(client).content("since") == b"since"


def with_versions(scene):
    """An account in the store whose files have versions, and the sum of its files."""
    name, client = scene.account()
    scene.move(name, "objects")
    for round in range(3):
        client.put("file", bytes([round]) * (1000 + round))
    client.put("other", b"other")
    eventually(lambda: counted(scene, name) == 3003 + 5, "the versions to count")
    return name, client, 1002 + 5


def test_versions_go_with_the_move_to_plain_files_if_they_may(scene):
    """Without the option nothing is moved, and the refusal names it."""
    name, client, of_files = with_versions(scene)
    seen = shown(client)
    refused = scene.move(name, "files", ok=False)
    assert refused.returncode == 1 and "--drop-versions" in refused.stderr, refused
    assert not scene.home(name)["move"] and counted(scene, name) == 3003 + 5
    wrong = scene.server.cli("home", "move", "--account", name, "--to", "objects", "--drop-versions", ok=False)
    assert wrong.returncode in (1, 2), wrong
    done = scene.server.cli("home", "move", "--account", name, "--to", "files", "--drop-versions")
    assert "Versions of 2" in done.stdout, done
    assert shown(client) == seen and counted(scene, name) == of_files
    assert scene.server.cli("check").stdout.endswith(" 0 problems left.\n")


def test_a_server_that_is_killed_when_versions_go(on_each_database):
    """The files are whole, the sum is right at the next start, and the next call goes on."""
    scene = on_each_database
    name, client, of_files = with_versions(scene)
    client.put("large", os.urandom(9 * MEBIBYTE))
    of_files += 9 * MEBIBYTE
    seen = shown(client)
    scene.gateway.hold(after=1)
    command = subprocess.Popen([*DIES_WITH_US, BINARY, "home", "move", "--account", name, "--to", "files", "--drop-versions",
                                *scene.server.place()], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=clean_environment())
    eventually(lambda: not scene.gateway.open.is_set(), "the hold")
    switch = SlowSwitch(scene)
    scene.gateway.let_go()
    scene.in_phase("switching")
    if is_on_postgresql(scene.server):
        eventually(lambda: sql(scene.server, "SELECT count(*) FROM versions")[0][0] in (0, "0"), "the removal of versions")
    scene.server.kill()
    switch.end()
    command.communicate(timeout=PATIENCE_S)
    scene.server.start()
    client = scene.again(client)
    assert scene.home(name)["store"] == "objects" and shown(client) == seen
    left = int(sql(scene.server, "SELECT coalesce(sum(size_bytes), 0) FROM versions")[0][0])
    eventually(lambda: counted(scene, name) == of_files + left, "the count")
    scene.server.cli("home", "move", "--account", name, "--to", "files", "--drop-versions")
    assert shown(client) == seen and counted(scene, name) == of_files
    assert scene.server.cli("check").stdout.endswith(" 0 problems left.\n")


def test_what_a_kill_after_the_switch_leaves_goes_at_the_next_start(on_each_database):
    """As if the server had died just then: the row says that the source is still to be removed."""
    scene = on_each_database
    name, client = scene.account()
    root = scene.root(name)
    small_tree(root)
    seen = shown(client)
    shutil.copytree(root, scene.server.data / "kept", symlinks=True)
    scene.move(name, "objects")
    scene.server.kill()
    (scene.server.data / "kept").rename(root)
    sql(scene.server, "INSERT INTO home_moves (account_id, home, target, phase, begun_at) "
                      f"SELECT id, home, 'objects', 'clearing', 0 FROM accounts WHERE name = '{name}'")
    scene.server.start()
    eventually(lambda: not root.exists() and not scene.home(name)["move"], "the removal of the source")
    assert shown(scene.again(client)) == seen


def test_interrupted_and_called_again(scene):
    """Ctrl-C ends the move soon, writes go on, and the next call goes on where it was."""
    name, client = scene.account()
    small_tree(scene.root(name))
    scene.gateway.hold(after=12)
    command = scene.begin(name, "objects")
    eventually(lambda: not scene.gateway.open.is_set(), "the hold")
    command.send_signal(signal.SIGINT)
    eventually(lambda: client.upload("", form(("x", b"x"))).status == 503, "the refusal")
    scene.gateway.let_go()
    printed, _ = command.communicate(timeout=PATIENCE_S)
    assert command.returncode == 1
    assert "stopped" in json.loads(printed)["failed"][0]["error"], printed
    assert scene.home(name) | {"folder": ""} == {"username": name, "store": "files", "folder": "", "move": {"to": "objects", "phase": "copying"}}
    client.upload("", form(("x", b"x"))).ok()
    seen = shown(client)
    scene.move(name, "objects")
    assert shown(client) == seen


def test_a_move_is_taken_back_by_one_to_where_the_files_are(scene):
    name, client = scene.account()
    small_tree(scene.root(name))
    seen = shown(client)
    scene.gateway.hold(after=12)
    command = scene.begin(name, "objects")
    eventually(lambda: not scene.gateway.open.is_set(), "the hold")
    command.send_signal(signal.SIGINT)
    scene.gateway.let_go()
    assert command.wait(PATIENCE_S) == 1
    assert "is in plain files" in scene.move(name, "files").stdout
    assert not scene.home(name)["move"] and scene.names_in_catalog(name) == 0
    assert shown(client) == seen


def test_a_store_that_is_away_in_the_middle(scene, object_store):
    name, client = scene.account()
    small_tree(scene.root(name))
    seen = shown(client)
    scene.gateway.hold(after=12)
    command = scene.begin(name, "objects")
    eventually(lambda: not scene.gateway.open.is_set(), "the hold")
    object_store.server.stop()
    scene.gateway.let_go()
    try:
        _, wrong = command.communicate(timeout=PATIENCE_S)
        assert command.returncode == 1 and scene.home(name)["store"] == "files"
        assert shown(client) == seen
        client.upload("", form(("since", b"since"))).ok()
    finally:
        object_store.server.start()
        scene.gateway.port_behind = object_store.server.port
    seen = shown(client)
    # Each call goes on; the first may find that the store was away a moment ago.
    eventually(lambda: scene.move(name, "objects", ok=False).returncode == 0, "the move")
    assert shown(client) == seen


def test_a_full_quota(scene):
    name, client = scene.account("100000")
    client.upload("", form(("full", bytes(100_000)))).ok()
    assert client.upload("", form(("more", b"x"))).status == 413
    for to in ("objects", "files"):
        scene.move(name, to)
        assert counted(scene, name) == 100_000 and client.upload("", form(("more", b"x"))).status == 413
    assert client.content("full") == bytes(100_000)


def test_a_disk_that_is_too_small_on_the_way_back(scene, tmp_path, object_store):
    """It is told before anything is copied; and where it fills meanwhile, nothing stays on it."""
    small = Scene(tmp_path / "small", None, object_store)
    SmallDisk(small.server, 60 * MEBIBYTE)
    small.server.start()
    disk = small.server.data = pathlib.Path(f"/proc/{small.server.process.pid}/root{small.server.data}")
    try:
        name, client = small.account()
        for number in range(3):
            client.upload("", form((f"large{number}", os.urandom(10 * MEBIBYTE)))).ok()
        seen = shown(client)
        small.move(name, "objects")
        (disk / "filling").write_bytes(bytes(25 * MEBIBYTE))
        refused = small.move(name, "files", ok=False)
        assert refused.returncode == 1 and "has room for" in refused.stderr, refused
        assert not small.home(name)["move"]
        (disk / "filling").unlink()
        small.gateway.hold(after=2)
        command = small.begin(name, "files")
        eventually(lambda: not small.gateway.open.is_set(), "the hold")
        with contextlib.suppress(OSError), (disk / "filling").open("wb", buffering=0) as filling:
            while True:
                filling.write(bytes(MEBIBYTE))
        small.gateway.let_go()
        command.communicate(timeout=PATIENCE_S)
        assert command.returncode == 1
        assert small.home(name)["store"] == "objects"
        (disk / "filling").unlink()
        assert shown(client) == seen
        small.move(name, "files")
        assert shown(client) == seen
    finally:
        small.gateway.let_go()
        small.server.stop()
        small.gateway.close()


def test_what_a_store_cannot_have_is_told_before(scene):
    name, client = scene.account()
    root = scene.root(name)
    (root / "good").write_bytes(b"good")
    os.symlink("good", root / "link")
    os.mkfifo(root / "pipe")
    os.link(root / "good", root / "twin")
    (pathlib.Path(os.fsdecode(os.fsencode(root) + b"/bad\xff"))).write_bytes(b"bad")
    before = sorted(os.listdir(os.fsencode(root)))
    refused = scene.move(name, "objects", ok=False)
    assert refused.returncode == 1
    for text in ("4 items", '"link" is a symbolic link', '"pipe"', "hard link", "bad\\xff"):
        assert text in refused.stderr, refused.stderr
    assert scene.home(name)["store"] == "files" and not scene.home(name)["move"]
    assert sorted(os.listdir(os.fsencode(root))) == before
    client.upload("", form(("new", b"new"))).ok()


def test_a_file_that_somebody_changes_on_the_disk_is_moved_as_it_is(scene):
    name, client = scene.account()
    root = scene.root(name)
    small_tree(root)
    scene.gateway.hold(after=25)
    command = scene.begin(name, "objects")
    eventually(lambda: not scene.gateway.open.is_set(), "the hold")
    for path in (root / "a" / "1", root / "b" / "c" / "2", root / "large"):
        path.write_bytes(b"changed " + path.name.encode())
    (root / "added").write_bytes(b"added")
    (root / "a" / "3").unlink()
    scene.gateway.let_go()
    assert command.wait(PATIENCE_S) == 0, command.communicate()
    assert client.content("a/1") == b"changed 1" and client.content("large") == b"changed large"
    assert client.content("added") == b"added" and "3" not in client.names("a")


def test_settings_without_the_store_are_refused(scene):
    """Files in objects would look as if they were gone."""
    name, client = scene.account()
    client.put("file", b"content")
    scene.move(name, "objects")
    scene.server.stop()
    with_store = dict(scene.server.settings)
    for setting in [setting for setting in with_store if setting.startswith("objects_")]:
        del scene.server.settings[setting]
    done = run("serve", "--data", scene.server.data, *(["--database", scene.server.database] if scene.server.database else []),
               "--listen", "127.0.0.1:0", "--config", scene.server.write_settings())
    assert done.returncode == 1 and "objects_endpoint" in done.stderr, done
    scene.server.settings.update(with_store, home_store="objects")  # That is for new accounts.
    scene.server.start()
    assert scene.again(client).content("file") == b"content"
    assert scene.home(scene.account()[0])["store"] == "objects"


def test_nothing_is_moved_without_a_server(scene):
    name, _ = scene.account()
    scene.server.stop()
    refused = scene.move(name, "objects", ok=False)
    assert refused.returncode == 1 and "coffer serve" in refused.stderr, refused
    assert scene.home(name)["store"] == "files"
    scene.server.start()


def test_wrong_words(scene):
    for words in (["--to", "objects"], ["--account", "x", "--all", "--to", "objects"], ["--all"], ["--all", "--to", "tape"]):
        assert scene.server.cli("home", "move", *words, ok=False).returncode in (1, 2)
    refused = scene.move("nobody", "objects", ok=False)
    assert refused.returncode == 1 and "no such account" in refused.stderr, refused
    assert requests.get(scene.server.url + "/command/homes", timeout=PATIENCE_S).status_code == 404
    assert requests.post(scene.server.url + "/command/home-move?account=x&to=files", timeout=PATIENCE_S).status_code == 404
