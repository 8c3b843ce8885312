"""Locks that are taken by WebDAV hold for every interface, whatever changes the item, and outlive the server."""

import pytest

from client import form
from dav import DAV, SHARED, Dav, dav_of
from people import Person
from test_people_tasks import ended
from tus import Tus


@pytest.fixture
def dav(account):
    return dav_of(account)


@pytest.fixture
def person(account):
    return Person(account.server, key=account.key)


def task_error(person, body):
    """What a task tells that ends with an error."""
    started = person.ok("POST", "tasks", body, 202)
    task = ended(person, started)
    return task["skipped"][0]["code"] if task["skipped"] else task["errorCode"]


# Every way in which a client can change `d/a.txt`, or `d` with all in it, besides WebDAV itself.
ITEM_CHANGES = {
    "v1 upload": lambda a, p: a.client.upload("d", form(("a.txt", b"new"))).status,
    "v1 rename": lambda a, p: a.client.rename("d/a.txt", "b.txt").status,
    "v1 move": lambda a, p: a.client.move("d/a.txt", "").status,
    "v1 delete": lambda a, p: a.client.delete("d/a.txt").status,
    "v1 rename folder": lambda a, p: a.client.rename("d", "e").status,
    "v1 move folder": lambda a, p: a.client.move("d", "other").status,
    "v1 delete folder": lambda a, p: a.client.delete("d").status,
    "v2 content": lambda a, p: p.call("PUT", "files/content?path=d/a.txt", raw=b"new").status_code,
    "v2 rename": lambda a, p: p.call("PATCH", "files", {"path": "d/a.txt", "newName": "b.txt"}).status_code,
    "tus": lambda a, p: Tus(a.server, a.key).ask_for(3, "a.txt", "d", b"new", {"Content-Type": "application/offset+octet-stream"},
                                                    onConflict="replace").status,
    "tus of nothing": lambda a, p: Tus(a.server, a.key).ask_for(0, "a.txt", "d", onConflict="replace").status,
    "task move": lambda a, p: task_error(p, {"kind": "move", "sources": ["d/a.txt"], "destination": ""}),
    "task delete": lambda a, p: task_error(p, {"kind": "delete", "sources": ["d/a.txt"]}),
    "task delete for good": lambda a, p: task_error(p, {"kind": "delete", "sources": ["d/a.txt"], "permanent": True}),
    "task delete folder": lambda a, p: task_error(p, {"kind": "delete", "sources": ["d"]}),
    "task copy over": lambda a, p: task_error(p, {"kind": "copy", "sources": ["other/a.txt"], "destination": "d",
                                                  "onConflict": "replace"}),
    "task move over": lambda a, p: task_error(p, {"kind": "move", "sources": ["other/a.txt"], "destination": "d",
                                                  "onConflict": "replace"}),
}
# And in which something new comes into `d`.
FOLDER_CHANGES = {
    "v1 upload": lambda a, p: a.client.upload("d", form(("b.txt", b"new"))).status,
    "v1 file": lambda a, p: a.client.make_file("d", "b.txt").status,
    "v1 folder": lambda a, p: a.client.make_folder("d", "b").status,
    "v1 copy": lambda a, p: a.client.copy("other/b.txt", "d").status,
    "v1 move": lambda a, p: a.client.move("other/b.txt", "d").status,
    "v2 content": lambda a, p: p.call("PUT", "files/content?path=d/b.txt", raw=b"new").status_code,
    "v2 folder": lambda a, p: p.call("POST", "folders", {"path": "d/b"}).status_code,
    "tus": lambda a, p: Tus(a.server, a.key).ask_for(3, "b.txt", "d", b"new", {"Content-Type": "application/offset+octet-stream"}).status,
    "task copy": lambda a, p: task_error(p, {"kind": "copy", "sources": ["other/b.txt"], "destination": "d"}),
    "task move": lambda a, p: task_error(p, {"kind": "move", "sources": ["other/b.txt"], "destination": "d"}),
}


@pytest.fixture
def tree(account):
    account.client.make_folder("", "d").ok()
    account.client.make_folder("", "other").ok()
    for path in ("d/a.txt", "other/a.txt", "other/b.txt"):
        account.client.put(path, path.encode())
    return account.root


def state(root):
    return {str(path.relative_to(root)): path.read_bytes() if path.is_file() else None for path in root.rglob("*")
            if ".coffer" not in str(path)}


@pytest.mark.parametrize("change", ITEM_CHANGES)
def test_a_locked_file_is_changed_by_nobody(account, dav, person, tree, change):
    token = dav.locked("d/a.txt")
    before = state(tree)
    assert ITEM_CHANGES[change](account, person) in (423, "locked")
    assert state(tree) == before
    dav.unlock("d/a.txt", token).is_(204)
    assert ITEM_CHANGES[change](account, person) not in (423, "locked")
    assert state(tree) != before


@pytest.mark.parametrize("depth", ["0", "infinity"])
@pytest.mark.parametrize("change", FOLDER_CHANGES)
def test_into_a_locked_folder_comes_nothing(account, dav, person, tree, change, depth):
    token = dav.locked("d", depth)
    before = state(tree)
    assert FOLDER_CHANGES[change](account, person) in (423, "locked")
    assert state(tree) == before
    dav.unlock("d", token).is_(204)
    assert FOLDER_CHANGES[change](account, person) not in (423, "locked")
    assert state(tree) != before


@pytest.mark.parametrize("change", ITEM_CHANGES)
def test_a_deep_lock_covers_what_is_in_the_folder(account, dav, person, tree, change):
    dav.locked("d", "infinity")
    before = state(tree)
    assert ITEM_CHANGES[change](account, person) in (423, "locked")
    assert state(tree) == before


def test_a_flat_lock_leaves_the_content_of_files_free(account, dav, tree):
    dav.locked("d", "0")
    dav.put("d/a.txt", b"new").is_(204)
    account.client.put("d/a.txt", b"newer")
    account.client.delete("d/a.txt").fails(423)


def test_the_answer_says_who_has_it(account, dav, person, tree):
    dav.locked("d/a.txt")
    detail = person.fails("locked", "PUT", "files/content?path=d/a.txt", raw=b"new")
    assert account.name in detail and "since 20" in detail
    dav.put("d/a.txt", b"new").is_(423, "lock-token-submitted")


def test_who_names_the_lock_may_change_the_item(account, dav, tree):
    token = dav.locked("d/a.txt")
    dav.put("d/a.txt", b"new", If=f"(<{token}>)").is_(204)
    dav.put("d/a.txt", b"new", If="(<urn:uuid:other>)").is_(412)
    dav.put("d/a.txt", b"new", If="(<DAV:no-lock>)(Not <DAV:no-lock>)").is_(423)
    dav.call("DELETE", "d", None, {"If": f"</dav/d/a.txt> (<{token}>)"}).is_(204)
    # Gone with the item:
    dav.call("MKCOL", "d").is_(201)
    dav.put("d/a.txt", b"another").is_(201)


def test_a_lock_is_of_the_account_that_took_it(account, make_account, dav, tmp_path):
    shared = tmp_path / "shared"
    shared.mkdir()
    (shared / "a.txt").write_bytes(b"old")
    other = make_account()
    name = account.server.new_name("Team")
    account.server.cli("share", "add", "--name", name, "--target", shared, "--account", account.name, "--account", other.name)
    theirs = dav_of(other)
    token = dav.locked(f"{name}/a.txt")
    for answer in (theirs.put(f"{name}/a.txt", b"new"), theirs.put(f"{name}/a.txt", b"new", If=f"(<{token}>)")):
        answer.is_(423)
    theirs.unlock(f"{name}/a.txt", token).is_(403)
    theirs.lock(f"{name}/a.txt").is_(423)
    found = theirs.propfind(f"{name}/a.txt", "0", "lockdiscovery").items()[f"/dav/{name}/a.txt"]
    assert found[DAV + "lockdiscovery"].find(f".//{DAV}locktoken/{DAV}href").text == token
    dav.unlock(f"{name}/a.txt", token).is_(204)
    theirs.put(f"{name}/a.txt", b"new").is_(204)


@pytest.mark.parametrize("method", ["COPY", "MOVE"])
@pytest.mark.parametrize("locked", ["new.txt", "d/a.txt", "d"])
def test_an_overwrite_that_is_refused_leaves_all_as_it_was(account, dav, tree, method, locked):
    dav.put("new.txt", b"new").is_(201)
    dav.locked(locked)
    before = state(tree)
    answer = dav.move(method, "new.txt", "d/a.txt")
    assert answer.status == (204 if (method, locked) == ("COPY", "new.txt") else 423), answer
    assert answer.status == 204 or state(tree) == before


def test_missing_folders_are_made_beside_locks(account, dav, tree):
    dav.locked("d/a.txt")
    account.client.make_folder("x/y", "z").ok()
    account.client.make_folder("d/x", "y").ok()
    dav.locked("other", "0")
    account.client.make_folder("other/x", "y").fails(423)


def test_shares_that_overlap_have_their_locks_in_common(account, dav, tmp_path):
    inner = tmp_path / "outer" / "inner"
    inner.mkdir(parents=True)
    names = [account.server.new_name("Place") for _ in range(2)]
    for name, folder in zip(names, (inner.parent, inner)):
        account.server.cli("share", "add", "--name", name, "--target", folder, "--account", account.name)
    token = dav.locked(f"{names[0]}/inner", "infinity")
    dav.put(f"{names[1]}/a.txt", b"new").is_(423)
    dav.put(f"{names[1]}/a.txt", b"new", If=f"</dav/{names[0]}/inner> (<{token}>)").is_(201)


def test_a_symbolic_link_leads_to_the_same_lock(account, dav, tree):
    (tree / "link").symlink_to("d")
    dav.locked("d/a.txt")
    dav.put("link/a.txt", b"new").is_(423)


def test_shared_locks_are_of_several(account, dav, tree):
    first, second = dav.locked("d/a.txt", body=SHARED), dav.locked("d/a.txt", body=SHARED)
    dav.lock("d/a.txt").is_(423, "no-conflicting-lock")
    dav.put("d/a.txt", b"new").is_(423)
    dav.put("d/a.txt", b"new", If=f"(<{first}>)").is_(204)
    dav.unlock("d/a.txt", first).is_(204)
    dav.put("d/a.txt", b"new").is_(423)
    dav.unlock("d/a.txt", second).is_(204)
    dav.unlock("d/a.txt", second).is_(409, "lock-token-matches-request-uri")


def test_a_free_name_is_locked_with_an_empty_file(account, dav):
    answer = dav.lock("new.txt").is_(201)
    assert account.client.content("new.txt") == b""
    dav.put("new.txt", b"x").is_(423)
    dav.put("new.txt", b"x", If=f"({answer.headers['Lock-Token']})").is_(204)
    dav.lock("none/new.txt").is_(409)


def test_times_have_bounds(dav):
    dav.put("a.txt", b"a").is_(201)
    for asked, least, most in (("Infinite", 3_590, 3_600), ("Second-1", 50, 60), ("Second-120", 110, 120), (None, 590, 600)):
        answer = dav.lock("a.txt", Timeout=asked)
        left = int(answer.body.split(b"Second-")[1].split(b"<")[0])
        assert least <= left <= most, (asked, left)
        token = answer.headers["Lock-Token"]
        answer = dav.call("LOCK", "a.txt", None, {"If": f"({token})", "Timeout": "Second-200"}).is_(200)
        assert 190 <= int(answer.body.split(b"Second-")[1].split(b"<")[0]) <= 200
        dav.unlock("a.txt", token[1:-1]).is_(204)
    dav.call("LOCK", "a.txt", None, {"If": "(<urn:uuid:none>)"}).is_(412)
    dav.call("LOCK", "a.txt").is_(400)


def test_an_account_has_a_bound_of_locks(account, dav):
    dav.put("a.txt", b"a").is_(201)
    for _ in range(32):
        dav.locked("a.txt", body=SHARED)
    dav.lock("a.txt", body=SHARED).is_(429)
    owner = SHARED.replace(b"somebody", b"x" * 2_000)
    dav.put("b.txt", b"b").is_(201)
    dav.lock("b.txt", body=owner).is_(400)


def test_a_lock_outlives_the_server(own_server, account_on):
    server = own_server()
    account = account_on(server)
    dav, person = dav_of(account), Person(server, key=account.key)
    dav.put("a.txt", b"old").is_(201)
    token = dav.locked("a.txt")
    server.kill()
    server.start()
    person.fails("locked", "PUT", "files/content?path=a.txt", raw=b"new")
    dav.put("a.txt", b"new", If=f"(<{token}>)").is_(204)
    dav.unlock("a.txt", token).is_(204)
    person.ok("PUT", "files/content?path=a.txt", raw=b"newer", status=204)


def test_a_key_of_a_folder_ends_no_lock_above_it(account):
    account.client.make_folder("", "lim").ok()
    mine = dav_of(account)
    token = mine.locked("", "infinity")
    limited = Dav(account.server, account.name, account.client.scoped("lim").key)
    limited.unlock("", token).is_(403)
    mine.put("out.txt", b"x").is_(423)
    mine.unlock("", token).is_(204)
    token = limited.locked("")
    limited.unlock("", token).is_(204)


def test_a_removed_account_leaves_no_lock(account, make_account, tmp_path):
    shared = tmp_path / "shared"
    shared.mkdir()
    (shared / "a.txt").write_bytes(b"old")
    other = make_account()
    name = account.server.new_name("Team")
    account.server.cli("share", "add", "--name", name, "--target", shared, "--account", account.name, "--account", other.name)
    dav_of(other).locked(f"{name}/a.txt")
    mine = Dav(account.server, account.name, account.key)
    mine.put(f"{name}/a.txt", b"new").is_(423)
    account.server.cli("account", "remove", other.name)
    mine.put(f"{name}/a.txt", b"new").is_(204)


# Seen and ended by /api/v2


def locks_of(person, path):
    return person.ok("GET", f"locks?path={path}")["entries"]


def test_locks_are_listed(account, dav, person, tree):
    assert locks_of(person, "d/a.txt") == []
    token = dav.locked("d/a.txt")
    deep = dav.locked("other", "infinity")
    lock, = locks_of(person, "d/a.txt")
    assert lock["id"] == token.removeprefix("urn:uuid:") and lock["path"] == "d/a.txt" and lock["account"] == account.name
    assert (lock["isDeep"], lock["isShared"], lock["mayEnd"]) == (False, False, True) and lock["lockedAt"] < lock["expiresAt"]
    # Of the folder: what is in it, by which the folder cannot be moved.
    assert [one["path"] for one in locks_of(person, "d")] == ["d/a.txt"]
    below, = locks_of(person, "other/b.txt")
    assert below["path"] == "other" and below["isDeep"] and below["id"] in deep
    person.fails("not_found", "GET", "locks?path=d/none.txt")
    person.fails("malformed", "GET", "locks?path=")


def test_a_lock_above_the_folder_of_a_key_has_no_path(account, tree):
    dav_of(account).locked("d", "infinity")
    account.client.make_folder("d", "x").fails(423)
    limited = Person(account.server, key=account.client.scoped("d").key)
    lock, = locks_of(limited, "a.txt")
    assert lock["path"] == "" and lock["mayEnd"]  # The key's own folder.
    limited.ok("DELETE", f"locks/{lock['id']}", status=204)
    dav_of(account).locked("", "infinity")
    lock, = locks_of(limited, "a.txt")
    assert lock["path"] is None and not lock["mayEnd"]
    limited.fails("forbidden", "DELETE", f"locks/{lock['id']}")


def shared_place(account, other, folder):
    folder.mkdir()
    (folder / "a.txt").write_bytes(b"old")
    name = account.server.new_name("Team")
    made = account.server.cli_json("share", "add", "--name", name, "--target", folder, "--account", account.name, "--account", other.name)
    return name, "__adm_" + made["id"]


def test_its_account_and_administrators_end_a_lock_and_nobody_else(account, make_account, tmp_path):
    other = make_account()
    name, prefix = shared_place(account, other, tmp_path / "shared")
    token = dav_of(other).locked(f"{name}/a.txt")
    mine, theirs = Person(account.server, key=account.key), Person(account.server, key=other.key)
    lock, = locks_of(mine, f"{prefix}/a.txt")
    assert lock["account"] == other.name and lock["path"] == f"{prefix}/a.txt" and not lock["mayEnd"]
    mine.fails("forbidden", "DELETE", f"locks/{lock['id']}")
    dav_of(account).put(f"{name}/a.txt", b"new").is_(423)
    admin = make_account(role="admin")
    assert not [one for one in Person(account.server, key=admin.key).ok("GET", "admin/audit?event=lock.broken")["entries"]
                if one["subject"] == other.name]
    Person(account.server, key=admin.key).ok("DELETE", f"locks/{lock['id']}", status=204)
    dav_of(account).put(f"{name}/a.txt", b"new").is_(204)
    event, = [one for one in Person(account.server, key=admin.key).ok("GET", "admin/audit?event=lock.broken")["entries"]
              if one["subject"] == other.name]
    assert event["actor"] == admin.name and str(tmp_path / "shared/a.txt") in event["details"]
    # The program that had it finds it gone.
    dav_of(other).put(f"{name}/a.txt", b"late", If=f"(<{token}>)").is_(412)
    theirs.fails("not_found", "DELETE", f"locks/{lock['id']}")
    dav_of(other).locked(f"{name}/a.txt")
    lock, = locks_of(theirs, f"{prefix}/a.txt")
    theirs.ok("DELETE", f"locks/{lock['id']}", status=204)
    assert locks_of(mine, f"{prefix}/a.txt") == []


def test_a_key_ends_no_lock_beyond_its_rights(account, tree):
    mine = dav_of(account)
    mine.locked("other/a.txt")
    lock, = locks_of(Person(account.server, key=account.key), "other/a.txt")
    reader = account.server.cli_json("key", "create", "--account", account.name, "--name", "reader", "--read-only")["key"]
    assert not locks_of(Person(account.server, key=reader), "other/a.txt")[0]["mayEnd"]
    for key in (reader, account.client.scoped("d").key):
        Person(account.server, key=key).fails("forbidden", "DELETE", f"locks/{lock['id']}")
    limited = Person(account.server, key=account.client.scoped("other").key)
    assert locks_of(limited, "a.txt")[0]["path"] == "a.txt"
    limited.ok("DELETE", f"locks/{lock['id']}", status=204)


def test_a_lock_of_a_share_itself_is_shown(account, make_account, tmp_path):
    other = make_account()
    name, prefix = shared_place(account, other, tmp_path / "shared")
    mine = dav_of(account)
    token = mine.locked(name, "infinity")
    theirs = dav_of(other)

    def told(listing, href):
        return [found.text for found in listing.items()[href][DAV + "lockdiscovery"].iter(DAV + "href") if found.text.startswith("urn:")]

    assert told(theirs.propfind(name, "1", "lockdiscovery"), f"/dav/{name}/") == [token]
    assert told(theirs.propfind(name, "1", "lockdiscovery"), f"/dav/{name}/a.txt") == [token]
    assert told(theirs.propfind("", "1", "lockdiscovery"), f"/dav/{name}/") == [token]
    assert [lock["path"] for lock in locks_of(Person(account.server, key=other.key), prefix)] == [prefix]


@pytest.mark.parametrize("locked", ["d/a.txt", "d"])
def test_an_upload_that_began_before_the_lock_is_published_after_it(account, dav, tree, locked):
    """The last part is refused, and what was received stays: with the lock gone the same upload ends."""
    tus = Tus(account.server, account.key)
    upload = tus.create(6, "a.txt", "d", onConflict="replace")
    assert tus.patch(upload, 0, b"one").status == 204
    token = dav.locked(locked, "infinity")
    assert tus.patch(upload, 3, b"two").status == 423
    assert account.client.content("d/a.txt") == b"d/a.txt"
    dav.unlock(locked, token).is_(204)
    assert tus.patch(upload, tus.offset(upload), b"two"[tus.offset(upload) - 3:]).status == 204
    assert account.client.content("d/a.txt") == b"onetwo"
