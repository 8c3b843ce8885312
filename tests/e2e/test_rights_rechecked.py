"""A right is withdrawn while an upload is under way: it is refused when the upload is to be shown, nothing of it is
stored, and no quota stays reserved for it."""

import contextlib
import json
import select
import time

import pytest

from client import FILES, encode, form, multipart
from mounting import Call, add_connector, scratch, started
from people import PASSWORD, Person
from raw import LAST_CHUNK, RawConnection, chunk, head
from remote_servers import SftpServer
from server import disk_bytes, eventually, files_of, tree_of
from stopping import Stop

LARGE = b"large content " * (33 * 1024 * 1024 // 14)
SMALL = form(("new", b"small content"))
SEVERAL = form(("one", b"1" * 1000), ("old", b"2" * 1000), ("three", b"3" * 100_000))
UPLOADS = {  # The parts, and whether the length is announced.
    "empty": (form(("new", b"")), True),
    "small": (SMALL, True),
    "small-chunked": (SMALL, False),
    "several": (SEVERAL, True),
    "large": (form(("new", LARGE)), True),
    "large-chunked": (form(("new", LARGE)), False),
}
QUOTA = 100_000_000


class Scene:
    """An account with a folder that keys are limited to, in its own files, a share or a mount."""

    def __init__(self, server, account, folders, share, connector):
        self.server, self.account, self.client = server, account, account.client
        self.folders = folders
        self.share = share
        self.paths = {"own": "", "share": f"__adm_{share}", "mount": connector}
        self.connector = ["--account", account.name, "Far away"]
        for place in folders:
            self.client.make_folder(self.paths[place], "docs").ok()
            self.client.upload(self.docs(place), form(("old", b"as it was"))).ok()

    def docs(self, place):
        return f"{self.paths[place]}/docs".lstrip("/")

    def on_disk(self, place):
        """All but what a share keeps for itself."""
        names = {name for name in tree_of(self.folders[place]) if not name.startswith(".coffer-staging")}
        return names, {path: content for path, content in files_of(self.folders[place]).items()
                       if ".coffer-staging" not in str(path)}

    def withdraw(self, what, key):
        name = self.account.name
        if what == "the key's folder":
            return self.client.delete(self.docs("own")).ok()
        if what == "the name of the key's folder":
            return self.client.rename(self.docs("own"), "renamed").ok()
        if what == "the membership":
            return self.server.cli("share", "set", self.share, "--account", self.server.add_account(), "--no-account", name)
        return self.server.cli(*{
            "the key": ["key", "revoke", key["id"], "--account", name],
            "the account": ["account", "set", name, "--disabled", "true"],
            "the account for good": ["account", "remove", name],
            "the share": ["share", "remove", self.share],
            "writing to the share": ["share", "set", self.share, "--read-only", "true"],
            "the connector": ["connector", "remove", *self.connector],
            "writing to the connector": ["connector", "set", *self.connector, "--read-only", "true"],
        }[what])


@pytest.fixture(scope="module")
def remote():
    with started(SftpServer) as remotes:
        yield remotes["sftp"]


@pytest.fixture
def scene(server, make_account, remote):
    account = make_account(str(QUOTA))
    with scratch("shared") as folder:
        remote_folder = remote.root / account.name
        remote_folder.mkdir()
        share = server.cli_json("share", "add", "--name", account.name, "--target", folder, "--account", account.name)
        connector = add_connector(server, account.name, "Far away", remote.options(), account.name)
        folders = {"own": account.root, "share": folder, "mount": remote_folder}
        yield Scene(server, account, folders, share["id"], connector)
        with contextlib.suppress(AssertionError):  # Tests remove it too.
            server.cli("share", "remove", share["id"])


class HeldUpload:
    """An upload that the server has let begin, all but the end of which has been sent."""

    def __init__(self, scene, key, path, kind):
        parts, tells_length = UPLOADS[kind]
        content_type, body = multipart(parts)
        cut = len(body) - 40  # In the middle of the last boundary.
        length = f"Content-Length: {len(body)}" if tells_length else "Transfer-Encoding: chunked"
        self.pieces = [body[:cut], body[cut:]] if tells_length else [chunk(body[:cut]), chunk(body[cut:]) + LAST_CHUNK]
        self.connection = RawConnection(scene.server)
        self.connection.send(head("POST", f"{FILES}/upload?{encode({'path': path})}", f"Content-Type: {content_type}",
                                  length, "Expect: 100-continue", key=key))
        assert self.connection.read_answer().status == 100
        self.connection.send(self.pieces[0])
        eventually(self.connection.all_is_taken, "what was sent to be taken")

    def end(self):
        with self.connection:
            return self.connection.send(self.pieces[1]).read_answer()


RIGHTS_OF_ALL = [("the key", 401), ("the account", 401), ("the account for good", 401)]
WITHDRAWALS = [
    *((what, place, status) for place in ("own", "share", "mount") for what, status in RIGHTS_OF_ALL),
    ("the membership", "share", 403), ("writing to the share", "share", 403), ("the share", "share", 404),
    ("writing to the connector", "mount", 403), ("the connector", "mount", 404),
]


@pytest.mark.parametrize("upload", UPLOADS)
@pytest.mark.parametrize("what, place, status", WITHDRAWALS, ids=lambda part: str(part).replace(" ", "-"))
def test_an_upload_whose_right_is_withdrawn_stores_nothing(scene, what, place, status, upload):
    key = scene.client.create_key("uploads").ok()
    before = scene.on_disk(place)
    held = HeldUpload(scene, key["key"], scene.docs(place), upload)
    scene.withdraw(what, key)
    answer = held.end()
    assert answer.status == status, answer
    assert "under way" in answer.error()
    if what != "the account for good" or place != "own":  # What becomes of its files is another matter.
        eventually(lambda: scene.on_disk(place) == before, "nothing of it to be stored")
    if what == "the key":
        everything_is_free(scene)


TO_BEGIN = {  # How a long body begins.
    "v1": ("POST", lambda folder: f"{FILES}/upload?{encode({'path': folder})}", "multipart/form-data; boundary=b",
           b'--b\r\nContent-Disposition: form-data; name="file"; filename="new"\r\n\r\n'),
    "v2": ("PUT", lambda folder: f"/api/v2/files/content?{encode({'path': folder + '/new'})}", "text/plain", b""),
}


@pytest.mark.parametrize("version", TO_BEGIN)
@pytest.mark.parametrize("place", ["own", "share", "mount"])
def test_a_long_upload_ends_long_before_its_last_byte(scene, place, version):
    key = scene.client.create_key("uploads").ok()
    before = scene.on_disk(place)
    method, target, content_type, begin = TO_BEGIN[version]
    with RawConnection(scene.server) as connection:
        connection.send(head(method, target(scene.docs(place)), f"Content-Type: {content_type}", f"Content-Length: {QUOTA // 2}",
                             key=key["key"]))
        connection.send(begin + b"x")
        eventually(connection.all_is_taken, "what was sent to be taken")
        scene.withdraw("the key", key)

        sent = []

        def is_answered():
            connection.try_send(b"x" * 8192)  # Fast enough not to be slow.
            sent.append(8192)
            return select.select([connection.socket], [], [], 0)[0]

        eventually(is_answered, "the answer")
        assert connection.read_answer().status == 401
        assert sum(sent) < QUOTA // 4, "it ended with its last byte"
    eventually(lambda: scene.on_disk(place) == before, "nothing of it to be stored")
    everything_is_free(scene)


def everything_is_free(scene):
    """An upload that takes all the room but a little is taken."""
    room = QUOTA - disk_bytes(scene.account.root) - 1000
    body = form(("room", bytes(room)))
    eventually(lambda: scene.client.upload("", body).status == 200, "the reservation to be given back")
    assert scene.client.used() == disk_bytes(scene.account.root)


@pytest.mark.parametrize("upload", ["small", "large"])
@pytest.mark.parametrize("what, status", [("the key", 401), ("the account", 401), ("the key's folder", 401),
                                          ("the name of the key's folder", 404)])
def test_an_upload_by_a_key_of_a_folder_stores_nothing(scene, what, status, upload):
    key = scene.client.create_key("uploads", scene.docs("own")).ok()
    held = HeldUpload(scene, key["key"], "", upload)
    scene.withdraw(what, key)
    if what.endswith("folder"):
        scene.client.make_folder("", "docs").ok()  # Of others, and not what the key was made for.
    before = scene.on_disk("own")
    answer = held.end()
    assert answer.status == status, answer
    eventually(lambda: scene.on_disk("own") == before, "nothing of it to be stored")


@pytest.mark.parametrize("place", ["own", "share", "mount"])
def test_an_upload_whose_rights_are_another_persons_matter_is_stored(scene, make_account, place):
    other = make_account()
    held = HeldUpload(scene, scene.account.key, scene.docs(place), "small")
    scene.server.cli("account", "set", other.name, "--disabled", "true")
    scene.server.cli("share", "set", scene.share, "--account", make_account().name)
    assert held.end().status == 200
    assert scene.client.content(f"{scene.docs(place)}/new") == b"small content"


@pytest.mark.parametrize("place", ["own", "share"])
@pytest.mark.parametrize("name, size", [("new", 100_000), ("old", 1000), ("new", 2_000_000)])
def test_an_upload_whose_key_is_revoked_while_the_disk_is_busy_stores_nothing(scene, place, name, size):
    client, docs = scene.client, scene.docs(place)
    key = client.create_key("uploads").ok()
    before = scene.on_disk(place)
    with Stop(scene.server, "fsync,sync_file_range") as stop:
        call = Call(lambda: client.with_key(key["key"]).upload(docs, form((name, bytes(size)))))
        assert stop.wait(call)
        scene.withdraw("the key", key)
    assert "under way" in call.result().fails(401)
    eventually(lambda: scene.on_disk(place) == before, "nothing of it to be stored")
    everything_is_free(scene)


@pytest.mark.parametrize("place", ["own", "share"])
def test_a_copy_within_a_place_whose_key_is_revoked_shows_nothing(scene, place):
    client, docs = scene.client, scene.docs(place)
    client.upload(docs, form(("large", LARGE))).ok()
    client.make_folder(docs, "to").ok()
    key = client.create_key("copier").ok()
    with Stop(scene.server, "fsync") as stop:
        call = Call(lambda: client.with_key(key["key"]).copy(f"{docs}/large", f"{docs}/to"))
        assert stop.wait(call)
        scene.withdraw("the key", key)
    assert "under way" in call.result().fails(401)
    assert client.names(f"{docs}/to") == []


def test_a_folder_is_taken_away_at_once_whatever_else_is_being_deleted(own_server, account_on):
    """Its rights were looked at just before: other folders that are still counted do not come between."""
    server = own_server()
    account = account_on(server)
    others = [f"other{number}" for number in range(12)]
    for name in (*others, "mine"):
        (account.root / name / "below").mkdir(parents=True)
    with Stop(server, "getdents64") as stop:
        deletes = [Call(lambda name=name: account.client.with_key(account.key).delete(name)) for name in others]
        eventually(stop.reached, "the others to be held")
        last = Call(lambda: account.client.with_key(account.key).delete("mine"))
        eventually(lambda: not (account.root / "mine").exists(), "the folder to be taken away")
    assert [call.result().status for call in (*deletes, last)] == [200] * 13


# Downloads

SPARSE = 64 << 30  # Of no disk, and more than is read within the time after which a download is looked at again.


class Download:
    """One that has begun, of a file that takes long."""

    def __init__(self, server, target, *headers, key=None):
        self.connection = RawConnection(server, receive_bytes=65536)
        self.connection.send(head("GET", target, *headers, key=key))
        assert b" 200 " in self.connection.reader.readline()
        while self.connection.reader.readline() != b"\r\n":
            pass
        assert len(self.connection.reader.read(1 << 20)) == 1 << 20

    def is_cut_off(self):
        count = 1 << 20
        with self.connection, contextlib.suppress(ConnectionResetError):
            while piece := self.connection.reader.read(1 << 20):
                count += len(piece)
        return count < SPARSE


def plant_sparse(folder):
    with open(folder / "large", "wb") as file:
        file.truncate(SPARSE)


@pytest.mark.parametrize("what, place", [("the key", "own"), ("the account", "own"), ("the membership", "share"),
                                         ("the share", "share"), ("the connector", "mount")])
def test_a_download_ends_with_the_right_to_it(scene, what, place):
    plant_sparse(scene.folders[place] / "docs")
    key = scene.client.create_key("downloads").ok()
    path = encode({"path": scene.docs(place) + "/large"})
    download = Download(scene.server, f"{FILES}/download?{path}", key=key["key"])
    scene.withdraw(what, key)
    assert download.is_cut_off()


@pytest.mark.parametrize("what", ["the session", "the link", "the key of an archive"])
def test_a_download_in_another_way_ends_with_the_right_to_it(server, what):
    name = server.add_account(password=PASSWORD)
    plant_sparse(server.files_of(name))
    person, other = Person(server), Person(server)
    person.sign_in(name)
    other.sign_in(name)
    if what == "the session":
        download = Download(server, "/api/v2/files/content?path=large", f"Cookie: coffer_session={other.cookie}")
        person.ok("DELETE", "sessions", status=204)
    elif what == "the link":
        link = person.ok("POST", "links", {"path": "large"}, status=201)
        download = Download(server, f"/api/v2/guest/{link['token']}/content")
        person.ok("DELETE", f"links/{link['id']}", status=204)
    else:
        key = person.ok("POST", "keys", {"name": "archive", "access": "read"}, status=201)
        download = Download(server, "/api/v2/archive?path=large&format=tar", key=key["secret"])
        person.ok("DELETE", f"keys/{key['key']['id']}", status=204)
    assert download.is_cut_off()


@pytest.mark.parametrize("route, body", [("selections", {"folder": "", "items": ["docs"]}), ("files/content-address", {"path": "docs"})])
def test_a_body_whose_end_comes_after_the_right_was_lost_does_nothing(account, route, body):
    key = account.client.create_key("k").ok()
    account.client.put("docs", b"x")
    data = json.dumps(body).encode()
    with RawConnection(account.server) as connection:
        begun = time.monotonic()
        connection.send(head("POST", f"/api/v2/{route}", "Content-Type: application/json", f"Content-Length: {len(data)}",
                             "Expect: 100-continue", key=key["key"]))
        assert connection.read_answer().status == 100  # It waits for the body.
        account.client.revoke(key["id"]).ok()
        # A body that comes at once is not asked about again.
        eventually(lambda: time.monotonic() - begun > 0.2, "the body to be late")
        assert connection.send(data).read_answer().status == 401
