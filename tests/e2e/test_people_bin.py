"""The bin in every kind of place: what deleting takes there, restoring with each choice, its end, the quota, rights and crashes."""

import os

import pytest

from client import Client, form
from driving import kinds
from mounting import Call
from people import Person
from places import KINDS, one_of_each
from server import eventually
from test_people_tasks import Folder, check_quota, do, skipped, tree_of
from tus import sql

TREE = {"f.txt": b"file", "sub/a": b"first", "sub/deep/b": b"second", "kept": b"k"}


def bin_of(person, **parameters):
    query = "&".join(f"{name}={value}" for name, value in parameters.items())
    return person.ok("GET", "bin" + (f"?{query}" if query else ""))["entries"]


def in_bin(person, path):
    """The newest item from there."""
    return next(item for item in bin_of(person, limit=200) if item["path"] == path)


def delete(person, *paths):
    task = do(person, "delete", list(paths))
    assert task["state"] == "done" and not task["skippedCount"], task
    return [in_bin(person, path)["id"] for path in paths]


@pytest.fixture(params=KINDS)
def here(request, places):
    return Folder(places, request.param, TREE)


@pytest.fixture
def own_here(places):
    return Folder(places, "own", TREE)


@pytest.fixture
def person(places):
    """With a key of the account that has a place of each kind."""
    key = places.server.create_key(places.account)["key"]
    return Person(places.server, key=key)


@pytest.fixture(scope="module")
def places(build_server, description):
    with one_of_each(build_server, description) as made:
        yield made


def test_a_bin_has_so_many_items(places, person, own_here):
    id_, = delete(person, own_here.at("kept"))
    sql(places.server,
        "INSERT INTO bin_items (id, account_id, place, path, is_folder, deleted_at, state) "
        "WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 200000) "
        f"SELECT 'full-' || n, account_id, place, path, 0, deleted_at - 1, 'kept' FROM bin_items, numbers WHERE id = '{id_}'")
    try:
        # What was counted before lets a hundred in.
        names = [f"more{number}" for number in range(101)]
        own_here.fill(places.client, dict.fromkeys(names, b"x"))
        task = do(person, "delete", [own_here.at(name) for name in names])
        assert task["skippedCount"] > 0 and {item["code"] for item in task["skipped"]} == {"rate_limited"}, task
        assert "200,000 items" in task["skipped"][0]["reason"] and own_here.at(names[-1]) in skipped(task)
        assert names[-1] in own_here.tree()
    finally:
        sql(places.server, "DELETE FROM bin_items WHERE id LIKE 'full-%'")
    delete(person, own_here.at(names[-1]))


# Into the bin and back

def test_deleting_can_be_undone(places, person, here):
    used = places.client.used()
    file, folder = delete(person, here.at("f.txt"), here.at("sub"))
    assert here.tree() == tree_of({"kept": b"k"})
    person.fails("not_found", "GET", "files?path=" + here.at("sub"))
    newest, oldest = bin_of(person)[:2]
    assert (newest["id"], newest["path"], newest["isDirectory"], newest["daysLeft"]) == (folder, here.at("sub"), True, 30)
    assert (oldest["id"], oldest["path"], oldest["isDirectory"], oldest["size"]) == (file, here.at("f.txt"), False, 4)
    assert newest["size"] == (11 if here.kind in ("own", "shared") else None)
    assert places.client.used() == used
    task = do(person, "restore", [folder, file])
    assert task["state"] == "done" and task["sources"] == [here.at("sub"), here.at("f.txt")] and task["destination"] is None
    assert here.tree() == tree_of(TREE) and places.client.used() == used
    assert not {file, folder} & {item["id"] for item in bin_of(person)}
    person.fails("not_found", "POST", "tasks", {"kind": "restore", "sources": [file]})
    check_quota(places)


def test_nothing_shows_the_bin(places, person, here):
    file, = delete(person, here.at("f.txt"))
    hidden = f"{here.place.path}/.coffer-bin".lstrip("/")
    for path in (hidden, f"{hidden}/{file}"):
        person.fails("not_found", "GET", "files?path=" + path)
        assert person.content(path).status_code == 404
        places.client.info(path).fails(404)
        places.client.delete(path).fails(404)
    assert ".coffer-bin" not in places.client.names(here.place.path)
    person.fails("malformed", "POST", "folders", {"path": hidden})
    assert ".coffer-bin" not in person.call("GET", f"search?q=coffer-bin&path={here.place.path}").text


def test_a_place_is_told_to_have_a_bin(person, here):
    assert person.ok("GET", "files?path=" + here.path)["hasBin"] is True


@kinds
def test_without_a_bin_deleting_is_for_good_and_must_be_said(drive, kind):
    drive.plant({"f.txt": b"file"})
    person = Person(drive.client.server, key=drive.client.key)
    assert person.ok("GET", "files?path=" + drive.path)["hasBin"] is False
    for more in ({}, {"permanent": False}):
        told = person.fails("malformed", "POST", "tasks", {"kind": "delete", "sources": [drive.at("f.txt")], **more})
        assert told.startswith('"f.txt" is') and "for good" in told
    assert drive.client.names(drive.path) == ["f.txt"]
    assert do(person, "delete", [drive.at("f.txt")], permanent=True)["state"] == "done"
    assert drive.client.names(drive.path) == []


@kinds
def test_what_is_restored_can_go_to_a_drive(drive, kind):
    person = Person(drive.client.server, key=drive.client.key)
    drive.plant({"f.txt": b"old"})
    drive.client.put("f.txt", b"new")
    item, = delete(person, "f.txt")
    assert do(person, "restore", [item], drive.path, onConflict="replace")["state"] == "done"
    assert drive.client.content(drive.at("f.txt")) == b"new" and bin_of(person) == [] and drive.client.used() == 0


def test_v1_and_permanent_deletions_stay_for_good(places, person, here):
    before = bin_of(person)
    places.client.delete(here.at("f.txt")).ok()
    assert do(person, "delete", [here.at("sub")], permanent=True)["state"] == "done"
    assert bin_of(person) == before and here.tree() == tree_of({"kept": b"k"})
    check_quota(places)


def test_one_path_deleted_twice_has_two_items(places, person, here):
    first, = delete(person, here.at("f.txt"))
    here.fill(places.client, {"f.txt": b"again"})
    second, = delete(person, here.at("f.txt"))
    assert first != second
    task = do(person, "restore", [second, first], onConflict="keepBoth")
    assert task["state"] == "done"
    assert here.tree() == tree_of({**TREE, "f.txt": b"again", "f (2).txt": b"file"})


def test_the_folder_is_made_again_that_it_was_in(places, person, here):
    inner, = delete(person, here.at("sub/deep"))
    outer, = delete(person, here.at("sub"))
    assert do(person, "restore", [inner])["state"] == "done"
    assert here.tree() == tree_of({"f.txt": b"file", "kept": b"k", "sub/deep/b": b"second"})
    assert do(person, "restore", [outer], onConflict="skip")["state"] == "done"
    assert here.tree() == tree_of(TREE)


def test_it_can_go_to_another_folder(places, person, here):
    item, = delete(person, here.at("sub"))
    there = Folder(places, here.kind, {})
    task = do(person, "restore", [item], there.path)
    assert task["state"] == "done" and task["destination"] == there.path
    assert there.tree() == tree_of({"sub/a": b"first", "sub/deep/b": b"second"})
    assert here.tree() == tree_of({"f.txt": b"file", "kept": b"k"})


@pytest.mark.parametrize("target", KINDS)
def test_it_can_go_to_another_place(places, person, target):
    for kind in KINDS:
        if kind == target:
            continue
        here, there = Folder(places, kind, TREE), Folder(places, target, {})
        items = delete(person, here.at("sub"), here.at("f.txt"))
        assert do(person, "restore", items, there.path)["state"] == "done"
        assert there.tree() == tree_of({"f.txt": b"file", "sub/a": b"first", "sub/deep/b": b"second"})
        assert not set(items) & {item["id"] for item in bin_of(person)}
    check_quota(places)


# Where a name is taken

def test_a_taken_name_ends_it_before_anything_is_done(places, person, here):
    items = delete(person, here.at("f.txt"), here.at("kept"))
    here.fill(places.client, {"kept": b"new"})
    task = do(person, "restore", items)
    assert task["state"] == "failed" and "taken" in task["error"]
    assert here.tree() == tree_of({**{name: data for name, data in TREE.items() if name != "f.txt"}, "kept": b"new"})
    assert set(items) <= {item["id"] for item in bin_of(person)}


def test_skipping_leaves_it_in_the_bin(places, person, here):
    item, = delete(person, here.at("f.txt"))
    here.fill(places.client, {"f.txt": b"new"})
    task = do(person, "restore", [item], onConflict="skip")
    assert task["state"] == "done" and set(skipped(task)) == {here.at("f.txt")}
    assert here.tree() == tree_of({**TREE, "f.txt": b"new"})
    assert in_bin(person, here.at("f.txt"))["id"] == item


def test_what_is_replaced_goes_into_the_bin(places, person, here):
    item, = delete(person, here.at("f.txt"))
    here.fill(places.client, {"f.txt": b"newer"})
    assert do(person, "restore", [item], onConflict="replace")["state"] == "done"
    assert here.tree() == tree_of(TREE)
    replaced = in_bin(person, here.at("f.txt"))
    assert replaced["id"] != item and replaced["size"] == 5
    assert do(person, "restore", [replaced["id"]], onConflict="replace")["state"] == "done"
    assert here.tree() == tree_of({**TREE, "f.txt": b"newer"})
    check_quota(places)


@pytest.mark.parametrize("choice", ["replace", "skip"])
def test_folders_are_merged_and_the_rest_stays_in_the_bin(places, person, here, choice):
    item, = delete(person, here.at("sub"))
    here.fill(places.client, {"sub/a": b"new", "sub/deep/c": b"third"})
    task = do(person, "restore", [item], onConflict=choice)
    assert task["state"] == "done"
    kept = b"first" if choice == "replace" else b"new"
    assert here.tree() == tree_of({**TREE, "sub/a": kept, "sub/deep/c": b"third"})
    if choice == "skip":
        assert skipped(task) == {here.at("sub/a"): "Its name is taken there."}
        assert in_bin(person, here.at("sub"))["id"] == item
        assert do(person, "restore", [item], onConflict="replace")["state"] == "done"
        assert here.tree() == tree_of({**TREE, "sub/deep/c": b"third"})
    assert item not in {one["id"] for one in bin_of(person)}
    check_quota(places)


def test_a_file_and_a_folder_never_take_each_others_place(places, person, here):
    item, = delete(person, here.at("f.txt"))
    here.fill(places.client, {"f.txt/inner": b"i"})
    task = do(person, "restore", [item], onConflict="replace")
    assert set(skipped(task)) == {here.at("f.txt")}
    assert in_bin(person, here.at("f.txt"))["id"] == item


# For good

def test_one_item_and_all_can_be_deleted_for_good(build_server, description):
    server = build_server().start()
    account = server.add_account()
    person = Person(server, key=server.create_key(account)["key"])
    client = person.v1()
    for name in ("a", "b", "c"):
        client.put(name, b"12345")
    items = delete(person, "a", "b", "c")
    assert client.used() == 15
    person.ok("DELETE", "bin/" + items[0], status=204)
    assert client.used() == 10 and {item["id"] for item in bin_of(person)} == set(items[1:])
    person.fails("not_found", "DELETE", "bin/" + items[0])
    person.ok("DELETE", "bin", status=204)
    assert client.used() == 0 and bin_of(person) == []
    assert list((server.files_of(account) / ".coffer-bin").iterdir()) == []
    assert not server.wrong_of(account)


def test_emptying_stops_with_the_right_to_it(build_server, description):
    server = build_server().start()
    account = server.add_account()
    key = server.create_key(account)
    person, other = (Person(server, key=one["key"]) for one in (key, server.create_key(account)))
    names = [f"f{number}" for number in range(600)]
    for name in names:
        (server.files_of(account) / name).write_bytes(b"12345")
    assert do(person, "delete", names)["state"] == "done"
    in_all = len(list((server.files_of(account) / ".coffer-bin").iterdir()))
    call = Call(lambda: person.call("DELETE", "bin"))
    eventually(lambda: len(list((server.files_of(account) / ".coffer-bin").iterdir())) < in_all, "the first to go")
    other.ok("DELETE", "keys/" + key["id"], status=204)
    assert call.result().status_code == 401
    assert bin_of(other), "all went although the right had ended"


def test_pages_of_the_bin(person, own_here, places):
    own_here.fill(places.client, {f"n{number}": b"" for number in range(5)})
    names = [own_here.at(f"n{number}") for number in range(5)]
    delete(person, *names)
    seen, cursor = [], None
    while len(seen) < 5:
        page = person.ok("GET", "bin?limit=2" + (f"&cursor={cursor}" if cursor else ""))
        seen += [item["path"] for item in page["entries"]]
        cursor = page["next"]
    assert seen[:5] == names[::-1]
    person.fails("malformed", "GET", "bin?cursor=nonsense")


# The quota

@pytest.fixture
def small(build_server):
    """A person with a quota of 100 bytes, the server, and its account."""
    server = build_server().start()
    account = server.add_account(quota="100")
    return Person(server, key=server.create_key(account)["key"]), server, account


def test_the_oldest_give_way_where_room_is_needed(small):
    person, server, account = small
    client = person.v1()
    for name in ("a", "b", "c"):
        client.put(name, b"x" * 30)
    delete(person, "a")
    delete(person, "b")
    delete(person, "c")
    client.put("new", b"n" * 50)
    assert [item["path"] for item in bin_of(person)] == ["c"] and client.used() == 80
    client.upload("", form(("big", b"b" * 60))).fails(413)
    assert [item["path"] for item in bin_of(person)] == ["c"], "what does not fit in any case takes nothing away"
    client.copy("new", "").fails(409)
    client.make_folder("", "d").ok()
    assert not server.wrong_of(account)


def test_uploads_in_several_requests_copies_and_moves_make_it_give_way_too(small, tmp_path):
    person, server, account = small
    client = person.v1()
    client.make_folder("", "d").ok()
    client.put("keep", b"k" * 40)
    for name in ("a", "b"):
        client.put(name, b"x" * 30)
        delete(person, name)
    made = person.call("POST", "uploads", raw=b"", headers={
        "Tus-Resumable": "1.0.0", "Upload-Length": "20", "Upload-Metadata": "filename dHVz"})
    assert made.status_code == 201 and [item["path"] for item in bin_of(person)] == ["b"]
    client.copy("keep", "d").ok()
    assert bin_of(person) == [] and client.used() == 80
    assert not server.wrong_of(account)


def test_replacing_takes_nothing_from_the_bin_that_it_does_not_need(small):
    person, server, account = small
    client = person.v1()
    client.put("file", b"1" * 60)
    client.put("old", b"2" * 40)
    delete(person, "old")
    client.put("file", b"3" * 60)
    assert client.used() == 100 and len(bin_of(person)) == 1
    assert not server.wrong_of(account)


def test_restoring_needs_no_room(small):
    person, server, account = small
    client = person.v1()
    client.put("file", b"1" * 100)
    item, = delete(person, "file")
    assert do(person, "restore", [item])["state"] == "done"
    assert client.used() == 100 and client.names() == ["file"]
    client.delete("file").ok()
    client.put("file", b"1" * 50)
    item, = delete(person, "file")
    client.put("file", b"2" * 50)
    assert do(person, "restore", [item], onConflict="replace")["state"] == "done"
    assert client.used() == 100 and len(bin_of(person)) == 1 and client.content("file") == b"1" * 50
    assert not server.wrong_of(account)


# Rights

def test_others_see_nothing_of_it(places, person, own_here):
    item, = delete(person, own_here.at("f.txt"))
    other = places.server.add_account()
    stranger = Person(places.server, key=places.server.create_key(other)["key"])
    assert bin_of(stranger) == []
    stranger.fails("not_found", "DELETE", "bin/" + item)
    stranger.fails("not_found", "POST", "tasks", {"kind": "restore", "sources": [item]})
    assert in_bin(person, own_here.at("f.txt"))["id"] == item


def test_a_key_limited_to_a_folder_fills_it_and_reaches_no_more(places, person, here):
    key = places.server.create_key(places.account, here.path)["key"]
    limited = Person(places.server, key=key)
    assert do(limited, "delete", ["sub/deep"])["state"] == "done"
    limited.fails("forbidden", "GET", "bin")
    item = in_bin(person, here.at("sub/deep"))["id"]
    limited.fails("forbidden", "DELETE", "bin/" + item)
    limited.fails("forbidden", "DELETE", "bin")
    limited.fails("forbidden", "POST", "tasks", {"kind": "restore", "sources": [item]})
    assert do(person, "restore", [item])["state"] == "done"
    assert here.tree() == tree_of(TREE)


def test_nothing_beside_its_folder_goes_into_the_bin_by_a_link(places, own_here, person):
    """A link that leaves the folder of a limited key leads nowhere for it."""
    folder = own_here.place.folder / own_here.name
    os.symlink("../kept", folder / "sub" / "out")
    key = places.server.create_key(places.account, own_here.at("sub"))["key"]
    limited = Person(places.server, key=key)
    assert do(limited, "delete", ["out"])["state"] == "failed"
    assert (folder / "kept").read_bytes() == b"k" and (folder / "sub/out").is_symlink()


def test_a_key_that_may_only_read_changes_nothing(places, person, own_here):
    item, = delete(person, own_here.at("f.txt"))
    key = places.server.cli_json("key", "create", "--account", places.account, "--name", "r", "--read-only")["key"]
    places.server.secrets.add(key)
    reader = Person(places.server, key=key)
    assert in_bin(reader, own_here.at("f.txt"))["id"] == item
    for method, path, body in (("DELETE", "bin/" + item, None), ("DELETE", "bin", None),
                               ("POST", "tasks", {"kind": "restore", "sources": [item]})):
        reader.fails("forbidden", method, path, body)
    assert in_bin(person, own_here.at("f.txt"))["id"] == item


def test_keys_and_links_of_what_is_deleted_end(places, person, here):
    key = places.server.create_key(places.account, here.at("sub"))["key"]
    link = person.ok("POST", "links", {"path": here.at("f.txt")}, status=201)
    places.server.secrets.add(link["token"])
    items = delete(person, here.at("sub"), here.at("f.txt"))
    Client(places.server, key).list().fails(401)
    assert person.call("GET", f"guest/{link['token']}").status_code == 404
    assert do(person, "restore", items)["state"] == "done"
    Client(places.server, key).list().fails(401)
    assert person.call("GET", f"guest/{link['token']}").status_code == 404


# Links on the disk

@pytest.mark.parametrize("target", ["kept", "sub", "nowhere"])
def test_a_link_comes_back_as_it_was(places, person, own_here, target):
    folder = own_here.place.folder / own_here.name
    os.symlink(target, folder / "sub" / "link")
    os.symlink("../kept", folder / "sub" / "up")
    item, = delete(person, own_here.at("sub"))
    assert do(person, "restore", [item])["state"] == "done"
    assert os.readlink(folder / "sub/link") == target
    up, = delete(person, own_here.at("sub/up"))
    assert (folder / "kept").read_bytes() == b"k"
    assert do(person, "restore", [up])["state"] == "done"
    assert os.readlink(folder / "sub/up") == "../kept"
    gone, = delete(person, own_here.at("sub/up"))
    person.ok("DELETE", "bin/" + gone, status=204)
    assert (folder / "kept").read_bytes() == b"k"
    check_quota(places)
