"""Accounts share with accounts and groups: who may do what, by each interface; and what becomes of a share when its item, its owner
or those who receive it change."""

import contextlib
import io
import json
import urllib.parse
import zipfile

import pytest

from client import form
from dav import dav_of
from event_stream import EventStream, by_key
from guests import Guest
from people import Person
from test_people_tasks import do, ended
from tus import Tus

READ, ADD, WRITE = "read", "add", "write"
PROPERTY = (b'<D:propertyupdate xmlns:D="DAV:"><D:set><D:prop><colour xmlns="urn:x">red</colour></D:prop></D:set>'
            b"</D:propertyupdate>")
STATUS_OF = {"forbidden": 403, "not_found": 404, "name_taken": 409}


class Sharer:
    """An account, and its callers of each interface."""

    def __init__(self, account):
        self.account, self.name, self.key = account, account.name, account.key
        self.server = account.server
        self.client, self.person, self.dav = account.client, Person(account.server, key=account.key), dav_of(account)
        self.tus = Tus(account.server, account.key)

    def share(self, path, access, *names, groups=()):
        receivers = [{"account": name} for name in names] + [{"group": name} for name in groups]
        return self.person.ok("POST", "shares", {"path": path, "with": receivers, "access": access}, 201)

    def given(self):
        return self.person.ok("GET", "shares")

    def received(self):
        return self.person.ok("GET", "shares?direction=withMe")

    def tops(self):
        return [one["path"] for one in self.client.locations().ok() if one["kind"] == "shared"]

    def bin(self):
        return self.person.ok("GET", "bin")["entries"]

    def used(self):
        return self.client.used()


def names_of(*sharers):
    return [sharer.name for sharer in sharers]


@pytest.fixture(scope="module")
def new_sharer(server, account_on):
    return lambda quota="0": Sharer(account_on(server, quota))


@pytest.fixture(scope="module")
def roles(new_sharer):
    """The owner of a folder, and accounts by what they may do in it, each with the path that it has for them."""
    owner = new_sharer()
    owner.client.make_folder("", "team").ok()
    shared = {}
    for access in (READ, ADD, WRITE):
        receiver = new_sharer()
        shared[access] = receiver, owner.share("team", access, receiver.name)["location"].rstrip("/")
    top = shared[WRITE][1]
    shared["stranger"] = new_sharer(), top
    ended = new_sharer()
    share = owner.share("team", WRITE, ended.name)
    owner.person.ok("DELETE", f"shares/{share['id']}", status=204)
    shared["ended"] = ended, share["location"].rstrip("/")
    disabled, of_disabled = new_sharer(), new_sharer()
    disabled.client.make_folder("", "team").ok()
    share = disabled.share("team", WRITE, of_disabled.name)
    disabled.account.set("--disabled", "true")
    shared["disabled owner"] = of_disabled, share["location"].rstrip("/")
    return owner, shared


class Try:
    """One operation by one account, on files of its own that the owner has put into the folder."""
    count = 0

    def __init__(self, owner, sharer, top):
        Try.count += 1
        self.owner, self.sharer, self.top = owner, sharer, top
        self.file, self.new = f"file{Try.count}", f"new{Try.count}"
        owner.client.put(f"team/{self.file}", b"content")
        self.client, self.person, self.dav = sharer.client, sharer.person, sharer.dav

    @property
    def path(self):
        return f"{self.top}/{self.file}"

    @property
    def new_path(self):
        return f"{self.top}/{self.new}"

    def task(self, kind, source, to=None, **more):
        """The status that its only item would have by itself."""
        body = {"kind": kind, "sources": [source], **({"destination": to} if to else {}), **more}
        answer = self.person.call("POST", "tasks", body)
        if answer.status_code != 202:
            return answer.status_code
        task = ended(self.person, answer.json())
        return STATUS_OF[task["skipped"][0]["code"]] if task["skipped"] else 200


def dav_put(tried, name):
    return tried.dav.put(f"{tried.top}/{name}", b"by dav").status


def dav_lock_new(tried):
    answer = tried.dav.lock(tried.new_path)
    if answer.status == 201:
        tried.dav.unlock(tried.new_path, answer.headers["Lock-Token"][1:-1]).is_(204)
    return answer.status


def tus_new(tried):
    made = tried.sharer.tus.ask_for(4, tried.new, tried.top)
    if made.status != 201:
        return made.status
    return tried.sharer.tus.patch(made.headers["Location"], 0, b"tus!").status


def make_link(tried):
    return tried.person.call("POST", "links", {"path": tried.path}).status_code


def make_key(tried):
    return tried.client.create_key("scoped", tried.top).status


def archived(tried):
    answer = tried.person.call("GET", "archive?" + urllib.parse.urlencode({"path": tried.path, "format": "zip"}))
    if answer.status_code == 200:
        assert zipfile.ZipFile(io.BytesIO(answer.content)).read(tried.file) == b"content"
    return answer.status_code


def found(tried):
    answer = tried.person.call("GET", "search?" + urllib.parse.urlencode({"q": tried.file, "path": tried.top}))
    if answer.status_code == 200:
        paths = [json.loads(line).get("path") for line in answer.text.splitlines()]
        assert tried.path in paths, answer.text
    return answer.status_code


READS = {
    "v1 list": lambda t: t.client.list(t.top).status,
    "v1 info": lambda t: t.client.info(t.path).status,
    "v1 download": lambda t: t.client.download(t.path).status,
    "v1 copy out": lambda t: t.client.copy(t.path, "").status,
    "v2 list": lambda t: t.person.call("GET", "files?" + urllib.parse.urlencode({"path": t.top})).status_code,
    "v2 content": lambda t: t.person.content(t.path).status_code,
    "v2 copy out": lambda t: t.task("copy", t.path, "copies"),
    "v2 archive": archived,
    "v2 search": found,
    "v2 link": make_link,
    "v2 key": make_key,
    "dav list": lambda t: t.dav.propfind(t.top).status,
    "dav get": lambda t: t.dav.call("GET", t.path).status,
}
ADDITIONS = {
    "v1 upload": lambda t: t.client.upload(t.top, form((t.new, b"new"))).status,
    "v1 folder": lambda t: t.client.make_folder(t.top, t.new).status,
    "v1 file": lambda t: t.client.make_file(t.top, t.new).status,
    "v1 copy in": lambda t: (t.client.put(t.new, b"own"), t.client.copy(t.new, t.top))[1].status,
    "v1 move in": lambda t: (t.client.put(t.new, b"own"), t.client.move(t.new, t.top))[1].status,
    "v2 put": lambda t: t.person.put(t.new_path, b"new").status_code,
    "v2 folder": lambda t: t.person.call("POST", "folders", {"path": t.new_path}).status_code,
    "v2 tus": tus_new,
    "v2 copy in": lambda t: (t.client.put(t.new, b"own"), t.task("copy", t.new, t.top))[1],
    "dav put": lambda t: dav_put(t, t.new),
    "dav mkcol": lambda t: t.dav.call("MKCOL", t.new_path).status,
    "dav lock of a new name": dav_lock_new,
}
CHANGES = {
    "v1 overwrite": lambda t: t.client.upload(t.top, form((t.file, b"other"))).status,
    "v1 rename": lambda t: t.client.rename(t.path, t.new).status,
    "v1 move out": lambda t: t.client.move(t.path, "").status,
    "v1 delete": lambda t: t.client.delete(t.path).status,
    "v2 overwrite": lambda t: t.person.put(t.path, b"other").status_code,
    "v2 rename": lambda t: t.person.call("PATCH", "files", {"path": t.path, "newName": t.new}).status_code,
    "v2 move out": lambda t: t.task("move", t.path, "moved"),
    "v2 delete": lambda t: t.task("delete", t.path),
    "v2 delete for good": lambda t: t.task("delete", t.path, permanent=True),
    "dav overwrite": lambda t: dav_put(t, t.file),
    "dav move": lambda t: t.dav.move("MOVE", t.path, t.new_path).status,
    "dav delete": lambda t: t.dav.call("DELETE", t.path).status,
    "dav properties": lambda t: t.dav.call("PROPPATCH", t.path, PROPERTY).status,
    "dav lock": lambda t: t.dav.lock(t.path).status,
}
MAY = {READ: (READS,), ADD: (READS, ADDITIONS), WRITE: (READS, ADDITIONS, CHANGES), "stranger": (), "ended": (), "disabled owner": ()}


@pytest.mark.parametrize("operation", [*READS, *ADDITIONS, *CHANGES])
def test_each_operation_by_each_role(roles, operation):
    owner, shared = roles
    for role, (sharer, top) in shared.items():
        sharer.client.make_folder("", "copies")
        sharer.client.make_folder("", "moved")
        tried = Try(owner, sharer, top)
        run = (READS | ADDITIONS | CHANGES)[operation]
        status = run(tried)
        left = owner.client.names("team")
        if any(operation in group for group in MAY[role]):
            assert status < 300, (role, operation, status)
            continue
        # By WebDAV a folder that is not there is a conflict for what is to be in it.
        missing = 409 if operation in ("dav put", "dav overwrite", "dav mkcol", "dav lock", "dav lock of a new name") else 404
        assert status == (403 if MAY[role] else missing), (role, operation, status)
        assert tried.file in left and tried.new not in left, (role, operation, left)
        assert owner.client.content(f"team/{tried.file}") == b"content"


def test_it_stands_among_the_locations_as_any_shared_folder(roles):
    owner, shared = roles
    for access, (sharer, top) in shared.items():
        found = {one["path"]: one for one in sharer.client.locations().ok()}
        if access not in (READ, ADD, WRITE):
            assert top + "/" not in found
            continue
        location = found[top + "/"]
        assert (location["kind"], location["name"], location["readOnly"]) == ("shared", "team", access == READ)
        assert location["target"] == f"{owner.name}: team"
        entry, = [one for one in sharer.client.list("").ok() if one["relativePath"] == top]
        assert entry["isDirectory"] and entry["mount"] == "shared" and entry["readOnly"] == (access == READ)
    assert not any(path.startswith("__adm_") for path in owner.tops()), "an owner does not receive its own"


def test_a_root_of_a_share_stays(roles):
    _, shared = roles
    sharer, top = shared[WRITE]
    sharer.client.rename(top, "other").fails(403)
    sharer.client.move(top, "copies").fails(403)
    sharer.client.delete(top).fails(403)


def test_only_own_items_can_be_shared(roles, new_sharer):
    _, shared = roles
    (sharer, top), other = shared[WRITE], new_sharer()
    sharer.client.make_folder(top, "inner")
    body = {"path": top + "/inner", "with": [{"account": other.name}], "access": READ}
    sharer.person.fails("forbidden", "POST", "shares", body)
    sharer.person.fails("forbidden", "POST", "shares", body | {"path": top})
    sharer.person.fails("malformed", "POST", "shares", body | {"path": "/"})
    sharer.person.fails("not_found", "POST", "shares", body | {"path": "nothing"})


def test_whom_it_can_be_shared_with(new_sharer):
    owner, other = new_sharer(), new_sharer()
    owner.client.make_folder("", "team").ok()
    body = {"path": "team", "with": [{"account": other.name}], "access": READ}
    for wrong in ([{"account": "nobody"}], [{"group": "no group"}], [{"account": other.name}, {"account": "nobody"}]):
        owner.person.fails("not_found", "POST", "shares", body | {"with": wrong})
    for wrong in ([], [{"account": owner.name}], [{"account": other.name, "group": "x"}], [{"name": "x"}], "x"):
        owner.person.fails("malformed", "POST", "shares", body | {"with": wrong})
    owner.person.fails("malformed", "POST", "shares", body | {"access": "all"})
    other.account.set("--disabled", "true")
    owner.person.fails("not_found", "POST", "shares", body)
    assert owner.given() == []


# Its life


@pytest.fixture
def team(new_sharer):
    """An owner, one who receives a folder of it to write, and the path that it has there."""
    owner, receiver = new_sharer(), new_sharer()
    owner.client.make_folder("above", "team").ok()
    owner.client.put("above/team/file", b"content")
    share = owner.share("above/team", WRITE, receiver.name)
    return owner, receiver, share["location"].rstrip("/"), share["id"]


def test_it_follows_its_item(team):
    owner, receiver, top, _ = team
    key = receiver.client.scoped(top)
    owner.client.rename("above/team", "crew").ok()
    assert receiver.client.content(f"{top}/file") == key.content("file") == b"content"
    assert [one["name"] for one in receiver.client.locations().ok()][1:] == ["crew"]
    owner.client.rename("above", "beyond").ok()
    owner.client.move("beyond/crew", "").ok()
    assert receiver.client.content(f"{top}/file") == key.content("file") == b"content"
    assert owner.given()[0]["path"] == "crew"
    # Another folder that gets the name is another folder.
    owner.client.make_folder("above", "team").ok()
    assert receiver.client.names(top) == ["file"]


@pytest.mark.parametrize("end", ["delete", "delete above", "to the bin", "by moving it away", "by dav"])
def test_it_ends_with_its_item(team, new_sharer, end):
    owner, receiver, top, _ = team
    if end == "delete":
        owner.client.delete("above/team").ok()
    elif end == "delete above":
        owner.client.delete("above").ok()
    elif end == "to the bin":
        assert do(owner.person, "delete", ["above/team"])["state"] == "done"
    elif end == "by dav":
        owner.dav.call("DELETE", "above/team").is_(204)
    else:
        other = new_sharer()
        other.client.make_folder("", "place").ok()
        place = other.share("place", WRITE, owner.name)["location"].rstrip("/")
        owner.client.move("above/team", place).ok()
    assert owner.given() == [] and top + "/" not in receiver.tops()
    receiver.client.list(top).fails(404)
    owner.client.make_folder("above", "team").ok()
    receiver.client.list(top).fails(404)


def test_what_is_restored_is_shared_no_more(team):
    owner, receiver, top, _ = team
    do(owner.person, "delete", ["above/team"])
    item, = owner.bin()
    do(owner.person, "restore", [item["id"]])
    assert owner.client.content("above/team/file") == b"content"
    assert owner.given() == [] and receiver.tops() == []


def test_what_is_deleted_in_it_goes_into_the_owners_bin(team):
    owner, receiver, top, _ = team
    used = owner.used()
    do(receiver.person, "delete", [f"{top}/file"])
    item, = owner.bin()
    assert item["path"] == "above/team/file" and receiver.bin() == [] and owner.used() == used
    do(owner.person, "restore", [item["id"]])
    assert receiver.client.content(f"{top}/file") == b"content"
    do(receiver.person, "delete", [f"{top}/file"])
    owner.person.ok("DELETE", "bin", status=204)
    assert owner.used() == used - len(b"content")


def test_it_counts_in_the_owners_quota(new_sharer):
    owner, receiver = new_sharer("1000"), new_sharer("100")
    owner.client.make_folder("", "team").ok()
    top = owner.share("team", WRITE, receiver.name)["location"].rstrip("/")
    receiver.client.put(f"{top}/large", b"x" * 700)
    assert owner.used() == 700 and receiver.used() == 0
    receiver.client.upload(top, form(("more", b"x" * 400))).fails(413)
    assert receiver.person.put(f"{top}/more", b"x" * 400).status_code == 413
    assert receiver.dav.put(f"{top}/more", b"x" * 400).status == 507
    assert receiver.tus.ask_for(400, "more", top).status == 413
    # What is only announced keeps no room from the owner.
    held = receiver.tus.create(250, "held", top)
    owner.client.put("own", b"x" * 100)
    receiver.tus.patch(held, 0, b"x" * 250).is_(413)
    receiver.tus.delete(held).is_(204)
    receiver.client.move(f"{top}/large", "").fails(413)
    receiver.client.put("small", b"x" * 50)
    receiver.client.move("small", top).ok()
    assert owner.used() == 850 and receiver.used() == 0
    receiver.client.move(f"{top}/small", "").ok()
    assert owner.used() == 800 and receiver.used() == 50
    receiver.client.delete(f"{top}/large").ok()
    assert owner.used() == 100
    assert owner.server.wrong_of(owner.name) == [] == receiver.server.wrong_of(receiver.name)


@pytest.mark.parametrize("access", [ADD, WRITE])
def test_what_others_announce_leaves_the_owners_bin_alone(new_sharer, access):
    owner, receiver = new_sharer("1000"), new_sharer()
    owner.client.make_folder("", "drop").ok()
    owner.client.put("old", b"x" * 600)
    owner.dav.call("DELETE", "old").is_(204)
    top = owner.share("drop", access, receiver.name)["location"].rstrip("/")
    receiver.tus.ask_for(900, "large", top).is_(413)
    place = receiver.tus.create(400, "fits", top)
    receiver.tus.send(place, b"x" * 400).is_(204)
    assert [item["path"] for item in owner.bin()] == ["old"] and owner.used() == 1000
    assert owner.server.wrong_of(owner.name) == []


def test_rights_change_with_the_next_request(team):
    owner, receiver, top, share = team
    owner.person.ok("PATCH", f"shares/{share}", {"access": READ})
    receiver.client.upload(top, form(("new", b"new"))).fails(403)
    owner.person.ok("PATCH", f"shares/{share}", {"access": ADD})
    receiver.client.put(f"{top}/new", b"new")
    receiver.client.delete(f"{top}/new").fails(403)
    owner.person.ok("PATCH", f"shares/{share}", {"access": WRITE})
    receiver.client.delete(f"{top}/new").ok()
    owner.account.set("--disabled", "true")
    receiver.client.list(top).fails(404)
    assert receiver.received() == []
    owner.account.set("--disabled", "false")
    assert receiver.client.names(top) == ["file"]
    owner.person.ok("DELETE", f"shares/{share}", status=204)
    receiver.client.list(top).fails(404)


def test_those_who_receive_it_are_changed(team, new_sharer):
    owner, receiver, top, share = team
    other = new_sharer()
    changed = owner.person.ok("PATCH", f"shares/{share}", {"with": [{"account": other.name}]})
    assert [one["account"] for one in changed["with"]] == [other.name]
    receiver.client.list(top).fails(404)
    assert other.client.names(top) == ["file"]
    for who in (receiver, other):
        who.person.fails("not_found", "PATCH", f"shares/{share}", {"access": READ})
    receiver.person.fails("not_found", "DELETE", f"shares/{share}")
    assert other.received()[0]["with"] == [] and other.received()[0]["path"] is None


def test_one_who_receives_it_takes_it_from_its_locations(team, new_sharer):
    owner, receiver, top, share = team
    other = new_sharer()
    owner.person.ok("PATCH", f"shares/{share}", {"with": [{"account": receiver.name}, {"account": other.name}]})
    receiver.person.ok("DELETE", f"shares/{share}", status=204)
    receiver.client.list(top).fails(404)
    assert other.client.names(top) == ["file"]
    assert [one["account"] for one in owner.given()[0]["with"]] == [other.name]
    receiver.person.fails("not_found", "DELETE", f"shares/{share}")


def test_those_who_receive_it_stay_while_they_are_disabled(team, new_sharer):
    owner, receiver, top, share = team
    other = new_sharer()
    receiver.account.set("--disabled", "true")
    shown = [{"account": one["account"]} for one in owner.given()[0]["with"]]
    changed = owner.person.ok("PATCH", f"shares/{share}", {"with": [*shown, {"account": other.name}]})
    assert sorted(one["account"] for one in changed["with"]) == sorted(names_of(receiver, other))
    receiver.account.set("--disabled", "false")
    assert receiver.client.names(top) == other.client.names(top) == ["file"]
    # Who is taken away is new when it is named again.
    owner.person.ok("PATCH", f"shares/{share}", {"with": [{"account": other.name}]})
    receiver.account.set("--disabled", "true")
    owner.person.fails("not_found", "PATCH", f"shares/{share}", {"with": [*shown, {"account": other.name}]})
    assert [one["account"] for one in owner.given()[0]["with"]] == [other.name]


@pytest.fixture
def group(server, new_sharer):
    member = new_sharer()
    made = server.ask("POST", "admin/groups", {"name": server.new_name("group"), "members": [member.name]})
    yield made, member
    with contextlib.suppress(AssertionError):
        server.ask("DELETE", f"admin/groups/{made['id']}")


def test_members_of_a_group_receive_it(server, new_sharer, group):
    made, member = group
    owner, late = new_sharer(), new_sharer()
    owner.client.make_folder("", "team").ok()
    share = owner.share("team", READ, groups=[made["name"]])
    top = share["location"].rstrip("/")
    assert share["with"] == [{"account": None, "group": made["name"], "displayName": made["name"]}]
    assert member.client.names(top) == [] and late.tops() == []
    path = f"admin/groups/{made['id']}"
    server.ask("PATCH", path, {"addedMembers": [late.name, owner.name]})
    assert late.client.names(top) == [] and owner.tops() == []
    late.person.ok("DELETE", f"shares/{share['id']}", status=204)
    assert late.tops() == [] and member.tops() == [top + "/"]
    server.ask("PATCH", path, {"removedMembers": [member.name]})
    member.client.list(top).fails(404)
    server.ask("PATCH", path, {"addedMembers": [member.name]})
    assert member.tops() == [top + "/"]
    server.ask("DELETE", path)
    member.client.list(top).fails(404)
    assert owner.given() == []


def test_those_who_left_receive_it_when_they_are_named_anew(new_sharer, group):
    made, member = group
    owner, other = new_sharer(), new_sharer()
    owner.client.make_folder("", "team").ok()
    share = owner.share("team", READ, groups=[made["name"]])
    the_group, the_member, the_other = {"group": made["name"]}, {"account": member.name}, {"account": other.name}

    def name(*receivers):
        owner.person.ok("PATCH", f"shares/{share['id']}", {"with": receivers})
        return member.tops()

    def leave():
        member.person.ok("DELETE", f"shares/{share['id']}", status=204)
        assert member.tops() == []

    there = [share["location"]]
    leave()
    assert name(the_group, the_other) == [], "the group was there"
    assert name(the_other) == [] and name(the_other, the_group) == there
    leave()
    assert name(the_group, the_member) == there
    assert name(the_group) == there
    leave()
    # By itself and by its group it leaves once.
    assert name(the_group, the_member) == there
    leave()
    assert name(the_group) == []


def test_a_file_is_a_location_that_holds_it(new_sharer):
    owner, reader, writer = new_sharer(), new_sharer(), new_sharer()
    owner.client.put("notes.txt", b"first")
    owner.client.put("secret.txt", b"secret")
    tops = {who.name: owner.share("notes.txt", access, who.name)["location"].rstrip("/") for who, access in ((reader, READ), (writer, WRITE))}
    top = tops[reader.name]
    assert reader.client.names(top) == ["notes.txt"] and reader.client.content(f"{top}/notes.txt") == b"first"
    for hidden in ("secret.txt", "../secret.txt", "notes.txt/x"):
        assert reader.client.download(f"{top}/{hidden}").status in (403, 404)
    assert reader.client.upload(top, form(("notes.txt", b"x"))).status == 403
    top = tops[writer.name]
    writer.client.put(f"{top}/notes.txt", b"second")
    assert writer.person.put(f"{top}/notes.txt", b"third").status_code == 204
    assert writer.dav.put(f"{top}/notes.txt", b"fourth").status == 204
    assert owner.client.content("notes.txt") == b"fourth"
    writer.client.upload(top, form(("other", b"x"))).fails(403)
    writer.client.make_folder(top, "other").fails(403)
    writer.client.rename(f"{top}/notes.txt", "other").fails(403)
    writer.client.move(f"{top}/notes.txt", "").fails(403)
    writer.client.delete(f"{top}/notes.txt").fails(403)
    assert writer.dav.call("DELETE", f"{top}/notes.txt").status == 403
    writer.person.fails("forbidden", "POST", "tasks", {"kind": "delete", "sources": [f"{top}/notes.txt"]})
    assert sorted(owner.client.names("")) == ["notes.txt", "secret.txt"]
    owner.client.rename("notes.txt", "renamed.txt").ok()
    assert writer.client.names(top) == ["renamed.txt"] and writer.client.content(f"{top}/renamed.txt") == b"fourth"
    owner.person.fails("malformed", "POST", "shares", {"path": "secret.txt", "with": [{"account": reader.name}], "access": ADD})
    owner.client.delete("renamed.txt").ok()
    writer.client.list(top).fails(404)


def test_locks_of_a_file_that_is_shared_tell_and_hold_nothing_beside_it(new_sharer):
    owner, reader, writer = new_sharer(), new_sharer(), new_sharer()
    owner.client.make_folder("", "docs").ok()
    for name in ("notes.txt", "secret.txt"):
        owner.client.put(f"docs/{name}", b"content")
    top = owner.share("docs/notes.txt", READ, reader.name)["location"].rstrip("/")
    writers_top = owner.share("docs/notes.txt", WRITE, writer.name)["location"].rstrip("/")
    secret = owner.dav.locked("docs/secret.txt")
    assert reader.person.ok("GET", f"locks?path={top}")["entries"] == []
    assert "secret" not in reader.dav.propfind(top, "1").body.decode()
    for name in ("secret.txt", "nothing.txt"):
        writer.dav.lock(f"{writers_top}/{name}").is_(403)
    owner.dav.unlock("docs/secret.txt", secret).is_(204)
    # That of the location is of the file alone.
    token = writer.dav.locked(writers_top, "infinity")
    owner.dav.put("docs/notes.txt", b"new").is_(423)
    owner.dav.unlock("docs/secret.txt", owner.dav.locked("docs/secret.txt")).is_(204)
    writer.dav.unlock(writers_top, token).is_(204)
    # A lock of the file is seen at the location and at the file.
    own = owner.dav.locked("docs/notes.txt")
    for path in (top, f"{top}/notes.txt"):
        found = reader.dav.propfind(path, "0", "lockdiscovery")
        assert own in found.body.decode(), path
    assert reader.dav.propfind(top, "1", "lockdiscovery").body.count(own.encode()) == 2


# What is limited to it


def test_a_link_of_one_who_receives_it_gives_no_more_than_that(team):
    owner, receiver, top, share = team
    link = receiver.person.ok("POST", "links", {"path": top}, 201)
    upload = receiver.person.ok("POST", "links", {"path": top, "mode": "upload"}, 201)
    guest = Person(owner.server)
    assert [one["name"] for one in guest.ok("GET", f"guest/{link['token']}/files")["entries"]] == ["file"]
    owner.person.ok("PATCH", f"shares/{share}", {"access": READ})
    receiver.person.fails("forbidden", "POST", "links", {"path": top, "mode": "upload"})
    made, _ = Guest(owner.server, upload["token"]).upload(b"new", filename="new")
    assert made.status_code == 403, made.text
    owner.person.ok("DELETE", f"shares/{share}", status=204)
    guest.fails("not_found", "GET", f"guest/{link['token']}/files")


def test_a_key_limited_to_a_folder_in_it_follows_and_ends(team):
    owner, receiver, top, share = team
    owner.client.make_folder("above/team/inner", "deep").ok()
    keys = {"inner": receiver.client.scoped(f"{top}/inner"), "deep": receiver.client.scoped(f"{top}/inner/deep")}
    keys["inner"].put("by key", b"1")
    owner.client.rename("above/team/inner", "moved").ok()
    assert keys["inner"].names("") == ["deep", "by key"] and keys["deep"].names("") == []
    receiver.client.rename(f"{top}/moved", "again").ok()
    assert keys["inner"].names("") == ["deep", "by key"]
    owner.client.delete("above/team/again/deep").ok()
    keys["deep"].list("").fails(401)
    owner.person.ok("DELETE", f"shares/{share}", status=204)
    keys["inner"].list("").fails(404)


def test_keys_and_links_of_the_owner_follow_what_others_do_in_it(team):
    owner, receiver, top, _ = team
    owner.client.make_folder("above/team", "inner").ok()
    key = owner.client.scoped("above/team/inner")
    link = owner.person.ok("POST", "links", {"path": "above/team/inner"}, 201)
    receiver.client.rename(f"{top}/inner", "moved").ok()
    assert key.names("") == [] and owner.person.ok("GET", "links")[0]["path"] == "above/team/moved"
    # Taken to where the owner has nothing, it is gone for the owner.
    receiver.client.move(f"{top}/moved", "").ok()
    key.list("").fails(401)
    assert owner.person.ok("GET", "links") == []
    Person(owner.server).fails("not_found", "GET", f"guest/{link['token']}/files")
    owner.client.make_folder("", "moved").ok()
    key.list("").fails(401)


def test_shares_in_shares(team, new_sharer):
    owner, receiver, top, _ = team
    owner.client.make_folder("above/team", "inner").ok()
    other = new_sharer()
    inner = owner.share("above/team/inner", WRITE, receiver.name, other.name)["location"].rstrip("/")
    receiver.client.put(f"{inner}/x", b"x")
    assert receiver.client.content(f"{top}/inner/x") == b"x"
    # A folder cannot go into itself, by whatever path.
    receiver.client.copy(f"{top}/inner", inner).fails(400)
    receiver.client.move(f"{top}/inner", inner).fails(400)
    receiver.client.rename(f"{top}/inner", "renamed").ok()
    assert other.client.content(f"{inner}/x") == receiver.client.content(f"{inner}/x") == b"x"
    receiver.client.delete(f"{top}/renamed").ok()
    other.client.list(inner).fails(404)
    assert [one["path"] for one in owner.given()] == ["above/team"]


def test_locks_hold_whatever_path_leads_there(team):
    owner, receiver, top, _ = team
    token = receiver.dav.locked(f"{top}/file")
    owner.client.upload("above/team", form(("file", b"other"))).fails(423)
    assert owner.dav.put("above/team/file", b"other").status == 423
    owner.client.delete("above").fails(423)
    receiver.dav.unlock(f"{top}/file", token)
    owner.client.put("above/team/file", b"other")
    token = owner.dav.locked("above/team/file")
    receiver.client.upload(top, form(("file", b"other"))).fails(423)


def test_it_is_told(team, new_sharer):
    owner, receiver, top, share = team
    with EventStream(owner.server, by_key(receiver.key), "", top) as stream:
        other = owner.share("above", READ, receiver.name)
        stream.wait_for("shared", path=other["location"])
        owner.person.ok("DELETE", f"shares/{other['id']}", status=204)
        stream.wait_for("unshared", path=other["location"])
        owner.client.put("above/team/new", b"new")
        stream.folder(top)
        owner.person.ok("DELETE", f"shares/{share}", status=204)
        stream.wait_for("unshared", path=top + "/")


def test_what_is_done_is_noted(team, server):
    owner, receiver, top, share = team
    owner.person.ok("PATCH", f"shares/{share}", {"access": READ})
    owner.person.ok("DELETE", f"shares/{share}", status=204)
    events = server.ask("GET", f"admin/audit?account={owner.name}")["entries"]
    noted = [(event["event"], event["details"]) for event in events if event["event"].startswith("item.")]
    assert [event for event, _ in noted] == ["item.unshared", "item.share_changed", "item.shared"]
    assert noted[-1][1] == f"path=above/team, write, with={receiver.name}"


def test_an_account_that_is_removed_takes_its_shares_along(server, team, new_sharer):
    owner, receiver, top, _ = team
    other = new_sharer()
    other.client.make_folder("", "place").ok()
    other.share("place", READ, owner.name)
    receiver.tus.create(50, "half", top)
    server.ask("DELETE", f"admin/accounts/{receiver.name}")
    owner.client.put("after", b"x")
    assert owner.given() == [] and server.wrong_of(owner.name) == []
    server.ask("DELETE", f"admin/accounts/{owner.name}")
    assert other.given() == []


# People


def test_people_are_found_by_their_names(server, new_sharer):
    who = new_sharer()
    ann = server.add_account("ann." + server.new_name("find"), "0")
    server.ask("PATCH", f"admin/accounts/{ann}", {"displayName": "Zoë Ånkersen"})
    group = server.ask("POST", "admin/groups", {"name": "Annual " + server.new_name("find")})
    for text in ("ann.f", "ANN.", "anker", "zoe", "find"):
        found = who.person.ok("GET", "people?" + urllib.parse.urlencode({"q": text}))
        assert {"account": ann, "group": None, "displayName": "Zoë Ånkersen"} in found or text == "find", (text, found)
    found = who.person.ok("GET", "people?q=annual")
    assert [one["group"] for one in found] == [group["name"]]
    assert who.person.ok("GET", "people?q=nkersen") == [], "in the middle of a word"
    assert who.person.ok("GET", f"people?q={who.name}") == [] or who.name not in str(who.person.ok("GET", f"people?q={who.name}"))
    who.person.fails("malformed", "GET", "people?q=a")
    who.person.fails("malformed", "GET", "people")
    server.cli("account", "set", ann, "--disabled", "true")
    assert who.person.ok("GET", "people?q=anker") == []
    server.ask("DELETE", f"admin/groups/{group['id']}")


def test_strangers_are_neither_found_nor_shared_with_where_the_setting_says_so(own_server, account_on):
    server = own_server(share_with="groups")
    one, other, stranger = (Sharer(account_on(server)) for _ in range(3))
    group = server.ask("POST", "admin/groups", {"name": "crew", "members": names_of(one, other)})
    assert [found["account"] for found in one.person.ok("GET", "people?q=us")] == [other.name]
    assert [found["group"] for found in one.person.ok("GET", "people?q=cr")] == ["crew"]
    assert stranger.person.ok("GET", "people?q=us") == stranger.person.ok("GET", "people?q=cr") == []
    one.client.make_folder("", "team").ok()
    one.share("team", READ, other.name, groups=["crew"])
    body = {"path": "team", "with": [{"account": stranger.name}], "access": READ}
    one.person.fails("not_found", "POST", "shares", body)
    stranger.client.make_folder("", "team").ok()
    stranger.person.fails("not_found", "POST", "shares", body | {"with": [{"group": "crew"}]})
    # Those who were shared with before stay.
    server.ask("DELETE", f"admin/groups/{group['id']}")
    share, = one.given()
    one.person.ok("PATCH", f"shares/{share['id']}", {"with": [{"account": other.name}]})
    assert other.client.names(share["location"]) == []
