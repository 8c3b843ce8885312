"""Versions of files in a store of objects: what an overwrite replaced is listed, opened, restored and deleted, goes with its file,
counts, and gives way. On plain files there are none."""

import os
import urllib.parse

import pytest

from client import Client, form
from event_stream import EventStream, by_key
from people import Person
from server import Server, eventually
from test_people_tasks import do
from tus import Tus, sql

DAY_NS = 86_400 * 10**9


class Owner:
    """An account, by a key of its own, with a folder of its own in what is tested."""

    def __init__(self, server, quota="0"):
        self.server = server
        self.name = server.add_account(server.new_name("owner"), quota)
        key = server.create_key(self.name)
        self.key, self.key_id = key["key"], key["id"]
        self.person, self.client = Person(server, key=self.key), Client(server, self.key)

    def put(self, path, content, **more):
        answer = self.person.put(path, content, **more)
        assert answer.status_code in (201, 204), answer.text
        return answer

    def write(self, path, *contents):
        for content in contents:
            self.put(path, content)

    def versions(self, path):
        page = self.person.ok("GET", "versions?" + urllib.parse.urlencode({"path": path}))
        assert page["next"] is None
        return page["entries"]

    def open(self, version, **more):
        return self.person.call("GET", f"versions/{version['id']}/content", **more)

    def contents(self, path):
        """Of the versions, the one that was replaced last first."""
        return [self.open(version).content for version in self.versions(path)]

    def restore(self, version, **headers):
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        return self.person.call("POST", f"versions/{version['id']}/restore", headers=sent)

    def remove(self, version):
        return self.person.call("DELETE", f"versions/{version['id']}")

    def content(self, path):
        answer = self.person.content(path)
        assert answer.status_code == 200, answer.text
        return answer.content

    def has_versions(self, path=""):
        return self.person.ok("GET", "files?" + urllib.parse.urlencode({"path": path}))["hasVersions"]

    def used(self):
        return self.client.used()

    def check(self):
        """What is told to be used is what is there: the files, those in the bin, and the versions."""
        there = self.server.files_of(self.name).stored_bytes()
        assert self.used() == there
        return there


@pytest.fixture(scope="module")
def store(object_store, new_database, tmp_path_factory):
    """A server whose own files are objects, and one that can be started on the same again."""
    server = Server(tmp_path_factory.mktemp("versions"), new_database("versions"), **object_store.new_bucket()).start()
    yield server
    if server.running():
        server.stop()


@pytest.fixture
def owner(store):
    return Owner(store)


SIZES = {"small": 10, "inline": 4096, "object": 4097, "segments": 9 << 20}


@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)
def test_an_overwrite_keeps_what_it_replaced(owner, size):
    first, second = os.urandom(size), os.urandom(size + 1)
    made = owner.put("file.bin", first)
    assert owner.versions("file.bin") == [] and owner.has_versions()
    owner.put("file.bin", second)
    version, = owner.versions("file.bin")
    assert (version["size"], version["by"], version["keyId"]) == (size, owner.name, owner.key_id)
    opened = owner.open(version)
    assert opened.content == first and opened.headers["ETag"] == made.headers["ETag"]
    assert opened.headers["Content-Disposition"].startswith("attachment") and "file.bin" in opened.headers["Content-Disposition"]
    assert owner.content("file.bin") == second
    assert owner.check() == 2 * size + 1
    restored = owner.restore(version)
    assert restored.status_code == 204 and restored.headers["ETag"] == made.headers["ETag"]
    assert owner.content("file.bin") == first and owner.contents("file.bin") == [second]
    assert owner.check() == 2 * size + 1
    assert owner.remove(owner.versions("file.bin")[0]).status_code == 204
    assert owner.versions("file.bin") == [] and owner.check() == size


def test_ranges_conditions_and_disposition(owner):
    owner.write("page.html", b"0123456789", b"new")
    version, = owner.versions("page.html")
    whole = owner.open(version)
    part = owner.open(version, headers={"Range": "bytes=2-4"})
    assert part.status_code == 206 and part.content == b"234"
    assert owner.open(version, headers={"Range": "bytes=20-"}).status_code == 416
    assert owner.open(version, headers={"If-None-Match": whole.headers["ETag"]}).status_code == 304
    assert owner.open(version, headers={"If-Match": '"other"'}).status_code == 412
    shown = owner.person.call("GET", f"versions/{version['id']}/content?disposition=inline")
    assert shown.headers["Content-Disposition"].startswith("inline") and "sandbox" in shown.headers["Content-Security-Policy"]
    head = owner.person.call("HEAD", f"versions/{version['id']}/content")
    assert head.headers["Content-Length"] == "10"


def test_no_version_of_nothing_and_of_writes_that_fail(owner):
    owner.write("file", b"", b"first")
    assert owner.versions("file") == []
    assert owner.person.put("file", b"second", If_Match='"other"').status_code == 412
    assert owner.person.put("file", b"second", If_None_Match="*").status_code == 412
    assert owner.versions("file") == [] and owner.content("file") == b"first"


def test_the_newest_are_first_and_so_many_are_kept(owner):
    owner.write("file", *(b"%d" % number for number in range(25)))
    assert owner.contents("file") == [b"%d" % number for number in range(23, 3, -1)]
    assert owner.check() == sum(len(b"%d" % number) for number in range(4, 25))


def test_every_way_to_write_keeps_a_version(owner):
    owner.write("file", b"1")
    owner.client.upload("", form(("file", b"by v1"))).ok()
    tus = Tus(owner.server, owner.key)
    tus.put(b"by tus", "file", onConflict="replace")
    assert owner.contents("file") == [b"by v1", b"1"]
    owner.person.ok("POST", "folders", {"path": "there"}, 201)
    owner.write("there/file", b"there")
    task = do(owner.person, "copy", ["file"], "there", onConflict="replace")
    assert task["state"] == "done", task
    assert owner.content("there/file") == b"by tus" and owner.contents("there/file") == [b"there"]


def test_a_file_that_is_moved_over_another_makes_that_a_version(owner):
    """The target's versions stay, and those of the source go with it."""
    owner.person.ok("POST", "folders", {"path": "there"}, 201)
    owner.write("file", b"source 1", b"source 2")
    owner.write("there/file", b"target 1", b"target 2")
    task = do(owner.person, "move", ["file"], "there", onConflict="replace")
    assert task["state"] == "done", task
    assert owner.content("there/file") == b"source 2" and owner.contents("there/file") == [b"target 2", b"target 1"]
    assert owner.check() == 24


def test_versions_go_with_their_file(owner):
    owner.person.ok("POST", "folders", {"path": "a/b"}, 201)
    owner.write("a/b/file", b"1", b"22")
    version, = owner.versions("a/b/file")
    owner.client.copy("a/b/file", "").ok()
    assert owner.versions("file") == []
    owner.client.rename("a/b/file", "other").ok()
    owner.client.rename("a", "c").ok()
    assert owner.contents("c/b/other") == [b"1"] and owner.open(version).content == b"1"
    do(owner.person, "delete", ["c"])
    for method, what in (("GET", "/content"), ("POST", "/restore"), ("DELETE", "")):
        owner.person.fails("not_found", method, f"versions/{version['id']}{what}")
    assert owner.check() == 5
    item, = owner.person.ok("GET", "bin")["entries"]
    do(owner.person, "restore", [item["id"]])
    assert owner.contents("c/b/other") == [b"1"]
    do(owner.person, "delete", ["c"], permanent=True)
    assert owner.open(version).status_code == 404 and owner.check() == 2
    do(owner.person, "delete", ["file"])
    owner.person.ok("DELETE", "bin", None, 204)
    assert owner.check() == 0


def test_what_is_binned_with_its_versions_is_freed_with_them(owner):
    owner.write("file", b"1" * 100, b"2" * 10)
    do(owner.person, "delete", ["file"])
    assert owner.check() == 110
    item, = owner.person.ok("GET", "bin")["entries"]
    owner.person.ok("DELETE", f"bin/{item['id']}", None, 204)
    assert owner.check() == 0


def test_restoring_names_the_state_of_the_file(owner):
    first = owner.put("file", b"1").headers["ETag"]
    second = owner.put("file", b"22").headers["ETag"]
    version, = owner.versions("file")
    assert owner.restore(version, If_Match=first).status_code == 412
    assert owner.content("file") == b"22" and len(owner.versions("file")) == 1
    assert owner.restore(version, If_Match=second).status_code == 204
    assert owner.content("file") == b"1"


def test_who_may_not_see_a_file_sees_no_version(owner, store):
    owner.person.ok("POST", "folders", {"path": "a"}, 201)
    owner.person.ok("POST", "folders", {"path": "b"}, 201)
    owner.write("a/file", b"1", b"22")
    version, = owner.versions("a/file")

    def refused(person, code="not_found"):
        for method, what in (("GET", "/content"), ("POST", "/restore"), ("DELETE", "")):
            person.fails(code, method, f"versions/{version['id']}{what}")

    other = Owner(store)
    other.write("a", b"x")
    refused(other.person)
    refused(Person(store, key=store.create_key(owner.name, folder="b")["key"]))
    refused(Person(store), "unauthenticated")
    for wrong in ("0", "-1", "x", "99999999999999999999", str(2**63 - 1)):
        owner.person.fails("not_found", "DELETE", f"versions/{wrong}")
    within = Person(store, key=store.create_key(owner.name, folder="a")["key"])
    assert within.ok("GET", "versions?path=file")["entries"] == owner.versions("a/file")
    within.fails("not_found", "GET", "versions?path=a/file")
    assert within.call("GET", f"versions/{version['id']}/content").content == b"1"
    reader = owner.person.ok("POST", "keys", {"name": "reader", "access": "read"}, 201)["secret"]
    reader = Person(store, key=reader)
    assert reader.call("GET", f"versions/{version['id']}/content").content == b"1"
    reader.fails("forbidden", "POST", f"versions/{version['id']}/restore")
    reader.fails("forbidden", "DELETE", f"versions/{version['id']}")
    assert within.call("POST", f"versions/{version['id']}/restore").status_code == 204
    assert owner.content("a/file") == b"1"
    assert owner.versions("a/file")[0]["keyId"] != owner.key_id


def test_folders_and_missing_files_have_no_list(owner):
    owner.person.ok("POST", "folders", {"path": "a"}, 201)
    owner.person.fails("malformed", "GET", "versions?path=a")
    owner.person.fails("not_found", "GET", "versions?path=none")


def test_restoring_and_deleting_are_events(owner):
    owner.write("file", b"1", b"22")
    version, = owner.versions("file")
    with EventStream(owner.server, by_key(owner.key), "") as stream:
        assert owner.restore(version).status_code == 204
        stream.folder("")
        assert owner.remove(owner.versions("file")[0]).status_code == 204
        stream.folder("")


# Room

LIMIT = 1000


def fill(owner, in_versions, in_bin, of_file):
    """A file of that size with so many bytes in versions, of ten bytes each but for the oldest, and so many bytes in the bin."""
    if in_bin:
        owner.write("binned", b"b" * in_bin)
        do(owner.person, "delete", ["binned"])
    sizes = [in_versions - 10 * (in_versions > 10), 10 * (in_versions > 10)]
    owner.write("versioned", *(b"v" * size for size in sizes if size), *[b""] * (in_versions > 0))
    owner.write("file", b"f" * of_file)
    assert owner.check() == in_versions + in_bin + of_file


@pytest.mark.parametrize("in_versions", [0, 10, 300])
@pytest.mark.parametrize("in_bin", [0, 300])
@pytest.mark.parametrize("size", [0, 1, 100, 400, 401, 700, 1000, 1001])
@pytest.mark.parametrize("target", ["new", "file"])
def test_versions_give_way_before_the_bin_does(store, in_versions, in_bin, size, target):
    """Whatever is written: it fits where it would without them; the bin is touched only if all versions do not suffice; and what is
    replaced stays if there is room for it."""
    owner = Owner(store, str(LIMIT))
    of_file = 400
    fill(owner, in_versions, in_bin, of_file)
    freed = of_file if target == "file" else 0
    answer = owner.person.put(target, b"n" * size)
    used = owner.check()
    assert used <= LIMIT
    binned = sum(item["size"] for item in owner.person.ok("GET", "bin")["entries"])
    versioned = sum(len(content) for content in owner.contents("versioned")) if in_versions else 0
    if size > LIMIT - of_file + freed:
        assert answer.status_code == 413 and used == in_versions + in_bin + of_file
        return
    assert answer.status_code in (201, 204), answer.text
    assert owner.content(target) == b"n" * size
    kept = owner.contents("file")
    needed = size + of_file - freed + in_bin  # Without any version.
    if needed <= LIMIT:
        assert binned == in_bin
    if size + of_file + in_bin <= LIMIT and target == "file":
        assert kept == [b"f" * of_file]  # There was room for both, once older ones went.
    if binned < in_bin:
        assert versioned == 0
    if size + of_file + in_versions + in_bin <= LIMIT:
        assert (versioned, binned) == (in_versions, in_bin)


def test_the_oldest_of_all_files_go_first(store):
    owner = Owner(store, "1000")
    owner.write("a", b"a" * 300, b"")
    owner.write("b", b"b" * 300, b"")
    owner.write("new", b"n" * 500)
    assert owner.versions("a") == [] and owner.contents("b") == [b"b" * 300]
    assert owner.check() == 800


def test_an_upload_in_pieces_takes_the_room_of_versions(store):
    owner = Owner(store, "1000")
    owner.write("a", b"a" * 600, b"")
    owner.write("file", b"f" * 300)
    Tus(store, owner.key).put(b"n" * 500, "file", onConflict="replace")
    assert owner.content("file") == b"n" * 500 and owner.contents("file") == [b"f" * 300] and owner.versions("a") == []
    assert owner.check() == 800


# Time and settings

def age(server, owner, days):
    sql(server, f"UPDATE versions SET replaced_at = replaced_at - {days * DAY_NS} WHERE tree = "
                f"(SELECT id FROM accounts WHERE name = '{owner.name}')")


def sweep(server):
    """What is done each hour is done at each start, unless it was done a moment ago."""
    server.stop()
    sql(server, "DELETE FROM jobs")
    server.start()


def test_old_versions_expire(own_store):
    owner = Owner(own_store)
    owner.write("file", b"1" * 100, b"2" * 10, b"3")
    age(own_store, owner, 29)
    owner.write("file", b"4")
    sweep(own_store)
    assert owner.contents("file") == [b"3", b"2" * 10, b"1" * 100]
    age(own_store, owner, 1)
    sweep(own_store)
    eventually(lambda: owner.contents("file") == [b"3"], "the old ones to go")
    eventually(lambda: owner.used() == 2, "that to be counted")
    owner.check()


def value_of(admin, key):
    one, = (one for one in admin.ok("GET", "admin/settings") if one["key"] == key)
    return one["value"]


def test_settings_change_while_the_server_runs(own_store):
    owner = Owner(own_store)

    def set_live(**settings):
        own_store.settings.update(settings)
        own_store.write_settings()
        admin = Person(own_store, key=own_store.create_key(own_store.add_account(role="admin"))["key"])
        for key, value in settings.items():
            eventually(lambda: value_of(admin, key) == value, f"{key} to be read again")

    owner.write("file", *(b"%d" % number for number in range(6)))
    set_live(versions_kept=2)
    owner.write("file", b"6")
    assert owner.contents("file") == [b"5", b"4"]
    set_live(version_days=0)
    assert not owner.has_versions()
    owner.write("file", b"7")
    assert owner.contents("file") == [b"5", b"4"] and owner.check() == 3
    sweep(own_store)
    eventually(lambda: owner.versions("file") == [], "all to go")
    eventually(lambda: owner.used() == 1, "that to be counted")


@pytest.fixture
def own_store(object_store, new_database, tmp_path):
    server = Server(tmp_path, new_database(f"versions_{os.urandom(4).hex()}"), **object_store.new_bucket()).start()
    yield server
    if server.running():
        server.stop()


def test_they_are_counted_after_a_crash(own_store):
    owner = Owner(own_store)
    owner.write("file", b"1" * 100, b"2" * 10)
    owner.write("binned", b"1" * 1000, b"2")
    do(owner.person, "delete", ["binned"])
    sql(own_store, "UPDATE quota_usage SET used_bytes = 7")
    own_store.kill()
    own_store.start()
    eventually(lambda: owner.used() == 1111, "all to be counted")


def test_objects_of_versions_are_no_garbage(object_store, tmp_path, new_database):
    """As long as they are versions; then their objects go."""
    settings = object_store.new_bucket()
    server = Server(tmp_path, new_database("versions_garbage"), **settings).start()
    try:
        owner = Owner(server)
        owner.write("file", os.urandom(10_000), os.urandom(20_000))
        sweep(server)
        sizes = lambda: sorted(size for key, size in object_store.objects(settings).items() if key != "coffer-mark")
        assert sizes() == [10_000, 20_000]
        version, = owner.versions("file")
        assert len(owner.open(version).content) == 10_000
        assert owner.remove(version).status_code == 204
        sql(server, "UPDATE objects SET changed_at = 0")
        eventually(lambda: (sweep(server), sql(server, "UPDATE objects SET changed_at = 0 WHERE state = 2"), sizes() == [20_000])[-1],
                   "the object to go")
    finally:
        server.stop()


# Plain files

def test_plain_files_have_none(tmp_path, new_database):
    """The page tells so, a list is empty, and no id is known."""
    server = Server(tmp_path, new_database("versions_files"), home_store="files").start()
    try:
        owner = Owner(server)
        owner.write("file", b"1", b"22")
        assert owner.has_versions() is False and owner.versions("file") == []
        for method, what in (("GET", "/content"), ("POST", "/restore"), ("DELETE", "")):
            owner.person.fails("not_found", method, f"versions/1{what}")
        owner.person.fails("not_found", "GET", "versions?path=none")
        owner.person.fails("malformed", "GET", "versions?path=")
        assert owner.used() == 2
    finally:
        server.stop()
