"""What those who receive a share see when it changes while they are at work, and when it reaches them in several ways; and what its
owner sees of them."""

import contextlib

import pytest

from client import FILES, encode, form
from event_stream import EventStream, by_key
from people import Person
from test_people_shares import ADD, READ, WRITE, names_of, new_sharer
from test_rights_rechecked import Download, plant_sparse

OWNER = "The Owner"


@pytest.fixture
def pair(server, new_sharer):
    """An owner with a folder, and somebody else."""
    owner, receiver = new_sharer(), new_sharer()
    server.ask("PATCH", f"admin/accounts/{owner.name}", {"displayName": OWNER})
    owner.client.make_folder("", "team").ok()
    owner.client.put("team/file", b"content")
    return owner, receiver


@pytest.fixture
def new_group(server):
    made = []

    def make(*members):
        made.append(server.ask("POST", "admin/groups", {"name": server.new_name("group"), "members": names_of(*members)}))
        return made[-1]

    yield make
    for group in made:
        with contextlib.suppress(AssertionError):
            server.ask("DELETE", f"admin/groups/{group['id']}")


def top_of(share):
    return share["location"].rstrip("/")


# In several ways


def test_what_is_received_by_name_and_by_group_is_there_once(pair, new_group):
    owner, receiver = pair
    group = new_group(receiver)
    by_group = owner.share("team", READ, groups=[group["name"]])
    by_name = owner.share("team", WRITE, receiver.name)
    received, = receiver.received()
    assert (received["id"], received["access"]) == (by_group["id"], WRITE)
    assert received["through"] == [{"account": receiver.name, "group": None, "displayName": receiver.name}]
    location, = [one for one in receiver.client.locations().ok() if one["kind"] == "shared"]
    assert (location["path"], location["readOnly"]) == (by_group["location"], False)
    assert [one["relativePath"] for one in receiver.client.list("").ok()] == [top_of(by_group)]
    assert receiver.dav.names() == [f"/dav/team%20({owner.name})/"]
    for share in (by_group, by_name):
        receiver.client.put(f"{top_of(share)}/by {share['id']}", b"new")
        assert receiver.person.ok("GET", f"shares/{share['id']}")["access"] == WRITE
    owner.person.ok("PATCH", f"shares/{by_name['id']}", {"access": READ})
    received, = receiver.received()
    assert received["access"] == READ
    assert [one["group"] for one in received["through"]] == [None, group["name"]]
    receiver.client.upload(top_of(by_name), form(("other", b"x"))).fails(403)
    owner.person.ok("DELETE", f"shares/{by_group['id']}", status=204)
    assert receiver.tops() == [by_name["location"]]


def test_who_leaves_leaves_all_ways(pair, new_group):
    owner, receiver = pair
    group = new_group(receiver)
    first = owner.share("team", READ, groups=[group["name"]])
    owner.share("team", WRITE, receiver.name)
    receiver.person.ok("DELETE", f"shares/{first['id']}", status=204)
    assert receiver.tops() == [] and receiver.received() == []
    assert [share["id"] for share in owner.given()] == [first["id"]], "the other had nobody else"


def test_a_share_whose_only_group_is_removed_ends(pair, new_group, server):
    owner, receiver = pair
    group = new_group(receiver)
    share = owner.share("team", READ, groups=[group["name"]])
    with EventStream(owner.server, by_key(owner.key)) as stream:
        server.ask("DELETE", f"admin/groups/{group['id']}")
        stream.wait_for("account")
    assert owner.given() == []
    owner.person.fails("not_found", "PATCH", f"shares/{share['id']}", {"with": [{"account": receiver.name}]})
    event = server.ask("GET", f"admin/audit?account={owner.name}")["entries"][0]
    assert (event["event"], event["details"]) == ("item.unshared", "path=team, read, nobody receives it any more")


# While one is at work


@pytest.mark.parametrize("before, after", [(READ, WRITE), (WRITE, READ), (ADD, WRITE), (WRITE, ADD)])
def test_another_access_is_told_where_the_folder_is_open(pair, before, after):
    owner, receiver = pair
    share = owner.share("team", before, receiver.name)
    top = top_of(share)
    with EventStream(owner.server, by_key(receiver.key), top) as stream:
        owner.person.ok("PATCH", f"shares/{share['id']}", {"access": after})
        told = [stream.next(), stream.next()]
        assert sorted(kind for kind, _ in told) == ["account", "folder"], told
    file, = receiver.person.ok("GET", f"files?path={top}")["entries"]
    assert file["readOnly"] == (after != WRITE)


def test_the_owners_other_pages_hear_what_is_shared(pair):
    owner, receiver = pair
    with EventStream(owner.server, by_key(owner.key)) as stream:
        share = owner.share("team", READ, receiver.name)
        stream.wait_for("account")
        owner.person.ok("DELETE", f"shares/{share['id']}", status=204)
        stream.wait_for("account")


def test_a_refusal_names_who_decides(pair):
    owner, receiver = pair
    share = owner.share("team", READ, receiver.name)
    top = top_of(share)
    put = receiver.person.put(f"{top}/new", b"new")
    assert put.status_code == 403 and put.json()["detail"] == f"{OWNER} shares this for reading only."
    owner.person.ok("PATCH", f"shares/{share['id']}", {"access": ADD})
    detail = receiver.person.fails("forbidden", "PATCH", "files", {"path": f"{top}/file", "newName": "other"})
    assert detail == f"{OWNER} lets you add files and folders here, but neither change nor delete any."


ENDS = {
    "the member leaves": lambda owner, share, group, server, who: server.ask(
        "PATCH", f"admin/groups/{group['id']}", {"removedMembers": [who.name]}),
    "the group is removed": lambda owner, share, group, server, who: server.ask("DELETE", f"admin/groups/{group['id']}"),
    "the owner ends it": lambda owner, share, group, server, who: owner.person.ok("DELETE", f"shares/{share['id']}", status=204),
    "the member takes it away": lambda owner, share, group, server, who: who.person.ok("DELETE", f"shares/{share['id']}", status=204),
    "the owner is disabled": lambda owner, share, group, server, who: owner.account.set("--disabled", "true"),
}


@pytest.mark.parametrize("way", ["v1", "v2", "dav", "archive", "link"])
@pytest.mark.parametrize("end", ENDS)
def test_a_download_ends_with_the_share(pair, new_group, server, end, way):
    owner, receiver = pair
    group = new_group(receiver)
    share = owner.share("team", READ, groups=[group["name"]])
    plant_sparse(owner.account.root / "team")
    path = encode({"path": top_of(share) + "/large"})
    key, headers = receiver.key, []
    if way == "link":
        target, key = f"/api/v2/guest/{receiver.person.ok('POST', 'links', {'path': top_of(share) + '/large'}, 201)['token']}/content", None
    elif way == "dav":
        target, key, headers = f"/dav/{top_of(share)}/large", None, [f"Authorization: {receiver.dav.headers['Authorization']}"]
    else:
        target = {"v1": f"{FILES}/download?{path}", "v2": f"/api/v2/files/content?{path}", "archive": f"/api/v2/archive?{path}&format=tar"}[way]
    download = Download(server, target, *headers, key=key)
    ENDS[end](owner, share, group, server, receiver)
    assert download.is_cut_off()


@pytest.mark.parametrize("end", ENDS)
def test_events_in_it_end_with_the_share(pair, new_group, server, end):
    owner, receiver = pair
    group = new_group(receiver)
    share = owner.share("team", READ, groups=[group["name"]])
    top = top_of(share)
    scoped = server.create_key(receiver.name, top)["key"]
    with EventStream(server, by_key(receiver.key), "", top) as stream, EventStream(server, by_key(scoped), "") as limited:
        ENDS[end](owner, share, group, server, receiver)
        stream.wait_for("unshared", path=top + "/")
        stream.folder(top)
        (owner.account.root / "team/unseen").mkdir()
        receiver.client.make_folder("", "seen").ok()
        assert ("folder", {"path": top}) not in stream.folder("")
        limited.read_to_end()


# Links of those who receive it


def test_the_owner_sees_and_ends_links_that_others_made_in_it(pair, new_sharer, server):
    owner, receiver = pair
    other = new_sharer()
    owner.client.make_folder("team", "inner").ok()
    share = owner.share("team", WRITE, receiver.name, other.name)
    top = top_of(share)
    owner.person.ok("POST", "links", {"path": "team"}, 201)
    link = receiver.person.ok("POST", "links", {"path": f"{top}/inner", "mode": "upload"}, 201)
    shown, = owner.person.ok("GET", "links?of=receivers")
    assert (shown["id"], shown["path"], shown["mode"], shown["by"]) == (link["id"], "team/inner", "upload", receiver.name)
    assert shown["token"] is None and link["by"] is None
    assert [one["id"] for one in receiver.person.ok("GET", "links")] == [link["id"]]
    assert receiver.person.ok("GET", "links?of=receivers") == other.person.ok("GET", "links?of=receivers") == []
    other.person.fails("not_found", "DELETE", f"links/{link['id']}")
    owner.client.rename("team", "crew").ok()
    assert owner.person.ok("GET", "links?of=receivers")[0]["path"] == "crew/inner"
    owner.person.ok("DELETE", f"links/{link['id']}", status=204)
    Person(server).fails("not_found", "GET", f"guest/{link['token']}")
    assert owner.person.ok("GET", "links?of=receivers") == receiver.person.ok("GET", "links") == []
    event = server.ask("GET", f"admin/audit?account={receiver.name}")["entries"][0]
    assert (event["event"], event["actor"], event["subject"]) == ("link.ended", owner.name, receiver.name)


def test_links_of_those_who_lost_it_are_not_shown(pair):
    owner, receiver = pair
    owner.client.put("notes.txt", b"notes")
    share = owner.share("notes.txt", READ, receiver.name)
    receiver.person.ok("POST", "links", {"path": f"{top_of(share)}/notes.txt"}, 201)
    assert [one["path"] for one in owner.person.ok("GET", "links?of=receivers")] == ["notes.txt"]
    owner.person.ok("DELETE", f"shares/{share['id']}", status=204)
    assert owner.person.ok("GET", "links?of=receivers") == []
