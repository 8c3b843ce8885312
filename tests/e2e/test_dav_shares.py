"""What accounts share with accounts, as WebDAV shows it: names that lead to one owner's things alone, locks that end with the right, and
uploads of clients that lock, where one may only add."""

import urllib.parse

import pytest

from client import form
from dav import DAV
from test_people_shares import ADD, PROPERTY, READ, WRITE, new_sharer, team  # The last two are fixtures.
from test_people_tasks import do


def shown(name, owner):
    return urllib.parse.quote(f"{name} ({owner.name})", "()")


def test_a_share_has_a_name_with_its_owner(team):
    owner, receiver, top, _ = team
    name = shown("team", owner)
    assert receiver.dav.names() == [f"/dav/{name}/"]
    assert receiver.dav.names(name) == [f"/dav/{name}/file"] == receiver.dav.names(top)
    assert receiver.dav.propfind(name, "0").items()[f"/dav/{name}/"][DAV + "displayname"].text == "team"
    receiver.dav.put(f"{name}/new", b"new").is_(201)
    assert owner.client.content("above/team/new") == b"new"
    token = receiver.dav.locked(f"{name}/new")
    lock = receiver.dav.propfind(f"{name}/new", "0", "lockdiscovery").items()[f"/dav/{name}/new"]
    assert lock[DAV + "lockdiscovery"].findtext(f".//{DAV}lockroot/{DAV}href") == f"/dav/{name}/new"
    receiver.dav.unlock(f"{name}/new", token).is_(204)
    receiver.dav.propfind("team").is_(404)
    # Own folders win.
    receiver.client.make_folder("", f"team ({owner.name})").ok()
    assert receiver.dav.names() == sorted([f"/dav/{name}/", f"/dav/{top}/"]) and receiver.dav.names(name) == []


def test_no_name_leads_into_what_another_account_shares(team, new_sharer):
    owner, receiver, _, share = team
    other = new_sharer()
    other.client.make_folder("", "team").ok()
    other.share("team", WRITE, receiver.name)
    name, others = shown("team", owner), shown("team", other)
    assert receiver.dav.names() == sorted([f"/dav/{name}/", f"/dav/{others}/"])
    receiver.dav.put(f"{name}/file", b"for the owner").is_(204)
    owner.person.ok("DELETE", f"shares/{share}", status=204)
    receiver.dav.put(f"{name}/file", b"for the owner").is_(409)
    assert receiver.dav.names() == [f"/dav/{others}/"] and other.client.names("team") == []


def test_two_of_one_name_and_owner_have_their_locations_names(team):
    owner, receiver, top, _ = team
    owner.client.make_folder("", "team").ok()
    second = owner.share("team", WRITE, receiver.name)["location"].rstrip("/")
    assert receiver.dav.names() == sorted([f"/dav/{top}/", f"/dav/{second}/"])
    receiver.dav.put(f"{shown('team', owner)}/file", b"").is_(409)
    receiver.dav.put(f"{second}/file", b"second").is_(201)
    assert owner.client.content("team/file") == b"second"


def test_who_lost_the_right_to_write_keeps_no_lock(team):
    owner, receiver, top, share = team
    token, ended = receiver.dav.locked(f"{top}/file"), receiver.dav.locked(f"{top}/other")

    def refresh():
        return receiver.dav.lock(f"{top}/file", body=None, If=f"(<{token}>)")

    refresh().is_(200)
    for access in (READ, ADD):
        owner.person.ok("PATCH", f"shares/{share}", {"access": access})
        refresh().is_(403)
    # But it ends those that it has.
    receiver.dav.unlock(f"{top}/file", token).is_(204)
    receiver.person.ok("DELETE", f"locks/{ended.removeprefix('urn:uuid:')}", status=204)
    owner.client.put("above/team/file", b"other")
    owner.client.put("above/team/other", b"other")


@pytest.mark.parametrize("way", [READ, ADD, "ended", "disabled"])
def test_a_lock_of_who_lost_the_right_to_write_keeps_nobody(team, way):
    owner, receiver, top, share = team
    token = receiver.dav.locked(top, "infinity")
    owner.dav.put("above/team/file", b"of the owner").is_(423)
    if way == "disabled":
        receiver.account.set("--disabled", "true")
    elif way == "ended":
        owner.person.ok("DELETE", f"shares/{share}", status=204)
    else:
        owner.person.ok("PATCH", f"shares/{share}", {"access": way})
    # Programs lock before they save.
    own = owner.dav.locked("above/team/file")
    owner.dav.put("above/team/file", b"of the owner", If=f"(<{own}>)").is_((201, 204))
    owner.dav.unlock("above/team/file", own).is_(204)
    owner.client.rename("above/team", "crew").ok()
    assert owner.client.content("above/crew/file") == b"of the owner"
    if way in (READ, ADD):
        receiver.dav.unlock(top, token).is_((404, 409))


def test_a_locked_share_is_shown_locked_among_the_locations(team):
    _, receiver, top, _ = team
    token = receiver.dav.locked(top)
    shown_locks = [one[DAV + "lockdiscovery"].findtext(f".//{DAV}locktoken/{DAV}href")
                   for href, one in receiver.dav.propfind("", "1", "lockdiscovery").items().items() if href != "/dav/"]
    assert shown_locks == [token]


# Where one may only add


@pytest.fixture
def box(new_sharer):
    """An owner, one who may add to a folder of it, another who may too, and the path that it has for both."""
    owner, receiver, other = new_sharer(), new_sharer(), new_sharer()
    owner.client.make_folder("box", "inner").ok()
    owner.client.put("box/old", b"old")
    share = owner.share("box", ADD, receiver.name, other.name)
    return owner, receiver, other, share["location"].rstrip("/")


def with_token(token):
    return {"If": f"(<{token}>)"}


def test_a_new_name_is_locked_and_filled(box):
    """As davfs2, GVfs and office programs store a file."""
    owner, receiver, other, top = box
    path = f"{top}/new"
    answer = receiver.dav.lock(path).is_(201)
    token = answer.headers["Lock-Token"][1:-1]
    assert owner.client.content("box/new") == b""
    other.dav.put(path, b"other").is_((403, 423))
    other.dav.lock(path).is_(403)
    receiver.dav.put(path, b"without").is_(423)
    receiver.dav.put(path, b"content", **with_token(token)).is_(204)
    receiver.dav.lock(path, body=None, **with_token(token)).is_(200)
    receiver.dav.call("PROPPATCH", path, PROPERTY, with_token(token)).is_(207)
    receiver.dav.put(path, b"once more", **with_token(token)).is_(204)
    receiver.dav.call("DELETE", path, headers=with_token(token)).is_(403)
    receiver.dav.unlock(path, token).is_(204)
    assert owner.client.content("box/new") == b"once more"
    # It is as any other from then on.
    receiver.dav.put(path, b"again").is_(403)
    receiver.dav.lock(path).is_(403)
    receiver.dav.put(path, b"again", **with_token(token)).is_((403, 412))
    assert owner.client.content("box/new") == b"once more"


def test_an_empty_file_of_ones_own_is_locked_and_filled(box):
    """As Finder and the Explorer store a file."""
    owner, receiver, other, top = box
    path = f"{top}/new"
    receiver.dav.put(path, b"").is_(201)
    other.dav.lock(path).is_(403)
    other.dav.put(path, b"other").is_((403, 423))
    token = receiver.dav.lock(path).is_(200).headers["Lock-Token"][1:-1]
    receiver.dav.lock(path).is_(423)
    receiver.dav.call("PROPPATCH", path, PROPERTY, with_token(token)).is_(207)
    receiver.dav.put(path, b"content", **with_token(token)).is_(204)
    receiver.dav.unlock(path, token).is_(204)
    assert owner.client.content("box/new") == b"content"
    receiver.dav.lock(path).is_(403)


def test_what_was_there_is_not_locked(box):
    owner, receiver, other, top = box
    owner.client.make_file("box", "empty").ok()
    other.dav.put(f"{top}/of%20another", b"").is_(201)
    receiver.dav.put(f"{top}/whole", b"whole").is_(201)
    for name in ("old", "empty", "of%20another", "whole", "inner", ""):
        receiver.dav.lock(f"{top}/{name}", "infinity").is_(403)
        receiver.dav.put(f"{top}/{name}", b"other").is_((403, 405, 423))
    assert owner.client.content("box/old") == b"old"


def test_a_lock_of_one_who_may_only_add_keeps_nobody_who_may_change(box):
    owner, receiver, other, top = box
    owner.client.make_folder("box/inner", "deep").ok()

    def locked(path):
        token = receiver.dav.locked(f"{top}/{path}")
        receiver.dav.put(f"{top}/{path}", b"added", **with_token(token)).is_(204)
        return path, token

    def is_over(path, token):
        """Nothing is left that could be completed, nor a lock."""
        receiver.dav.put(f"{top}/{path}", b"late", **with_token(token)).is_((403, 409, 412, 423))
        receiver.dav.unlock(f"{top}/{path}", token).is_((404, 409))

    one = locked("one")
    owner.client.upload("box", form(("one", b"of the owner"))).ok()
    is_over(*one)
    assert owner.client.content("box/one") == b"of the owner"
    one = locked("two")
    owner.dav.call("DELETE", "box/two").is_(204)
    owner.client.put("box/two", b"of the owner")
    is_over(*one)
    one = locked("inner/deep/three")
    owner.client.delete("box/inner").ok()
    is_over(*one)
    owner.client.make_folder("box/inner", "deep").ok()
    owner.client.put("box/inner/deep/three", b"of the owner")
    is_over(*one)
    one = locked("four")
    token = owner.dav.locked("box", "infinity")
    is_over(*one)
    receiver.dav.lock(f"{top}/five").is_(423)
    owner.dav.unlock("box", token).is_(204)
    assert owner.client.content("box/four") == b"added"


def test_it_ends_with_the_right_to_add(box):
    owner, receiver, _, top = box
    token = receiver.dav.locked(f"{top}/new")
    share, = owner.given()
    owner.person.ok("PATCH", f"shares/{share['id']}", {"access": READ})
    receiver.dav.put(f"{top}/new", b"late", **with_token(token)).is_(403)
    receiver.dav.lock(f"{top}/new", body=None, **with_token(token)).is_(403)
    receiver.dav.unlock(f"{top}/new", token).is_(204)
    assert owner.client.content("box/new") == b""


@pytest.mark.parametrize("method", ["MOVE", "COPY"])
def test_what_cannot_be_replaced_leaves_all_as_it_was(box, method):
    owner, receiver, _, top = box
    receiver.client.put("old", b"mine")
    before = owner.used()
    receiver.dav.move(method, "old", f"{top}/old").is_(403)
    assert owner.client.names("box") == ["inner", "old"] and owner.client.content("box/old") == b"old"
    assert receiver.client.content("old") == b"mine" and owner.used() == before


@pytest.mark.parametrize("way", ["dav", "v1", "fail", "replace", "skip", "keepBoth"])
def test_folders_move_to_where_one_may_only_add(box, way):
    owner, receiver, _, top = box
    receiver.client.make_folder("", "mine").ok()
    receiver.client.put("mine/a", b"a")
    receiver.client.make_folder("mine", "deep").ok()
    receiver.client.put("mine/deep/b", b"b")
    if way == "dav":
        receiver.dav.move("MOVE", "mine/", f"{top}/mine").is_(201)
    elif way == "v1":
        receiver.client.move("mine", top).ok()
    else:
        task = do(receiver.person, "move", ["mine"], destination=top, onConflict=way)
        assert task["state"] == "done", task
    assert owner.client.names("box") == ["inner", "mine", "old"] and owner.client.names("box/mine") == ["deep", "a"]
    assert owner.client.content("box/mine/deep/b") == b"b" and receiver.client.names() == ["box"]
    assert receiver.used() == 0


def test_a_folder_is_copied_without_what_is_in_it_to_where_one_may_only_add(box):
    owner, receiver, _, top = box
    receiver.client.make_folder("", "mine").ok()
    receiver.client.put("mine/a", b"a")
    receiver.dav.call("PROPPATCH", "mine/", PROPERTY).is_(207)
    receiver.dav.move("COPY", "mine/", f"{top}/mine", {"Depth": "0"}).is_(201)
    assert owner.client.names("box") == ["inner", "mine", "old"] and owner.client.names("box/mine") == []
