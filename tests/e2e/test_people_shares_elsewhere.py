"""Shares of accounts where own files lie in a store of objects, with several servers, after kill -9, and in races."""

import threading
import time

import pytest

from client import Client, form
from people import Person
from server import eventually
from several import Nodes
from test_people_shares import READ, WRITE, Sharer
from test_people_tasks import do


class Account:
    """What a Sharer is made of."""

    def __init__(self, server, quota="0"):
        self.server, self.name = server, server.add_account(None, quota)
        self.key = server.create_key(self.name)["key"]
        self.client = Client(server, self.key)


def sharer(server, quota="0"):
    return Sharer(Account(server, quota))


def test_own_files_in_a_store_of_objects(own_server, object_store):
    server = own_server(**object_store.new_bucket())
    owner, receiver = sharer(server, "1000"), sharer(server)
    owner.client.make_folder("", "team").ok()
    owner.client.put("team/file", b"content")
    top = owner.share("team", WRITE, receiver.name)["location"].rstrip("/")
    receiver.client.put(f"{top}/new", b"x" * 500)
    receiver.client.upload(top, form(("more", b"x" * 500))).fails(413)
    receiver.client.put(f"{top}/file", b"other")
    page = receiver.person.ok("GET", f"versions?path={top}/file")
    assert page["entries"] == [], "versions are the owner's"
    assert len(owner.person.ok("GET", "versions?path=team/file")["entries"]) == 1
    found = receiver.person.call("GET", "search?q=new").text
    assert f"{top}/new" in found
    owner.client.rename("team", "crew").ok()
    assert receiver.client.content(f"{top}/file") == b"other"
    do(receiver.person, "delete", [f"{top}/new"])
    assert [item["path"] for item in owner.bin()] == ["crew/new"]
    single = owner.share("crew/file", WRITE, receiver.name)["location"].rstrip("/")
    receiver.client.put(f"{single}/file", b"third")
    assert owner.client.content("crew/file") == b"third" and receiver.client.names(single) == ["file"]
    owner.client.delete("crew").ok()
    assert receiver.tops() == [] and owner.given() == []


def test_several_servers_see_each_change_at_once(postgres, object_store, tmp_path):
    nodes = Nodes(tmp_path, postgres.new_database("people_shares"), **object_store.new_bucket())
    try:
        owner, receiver = sharer(nodes[0]), sharer(nodes[0])
        there = Client(nodes[1], receiver.key)
        owner.client.make_folder("", "team").ok()
        for turn in range(5):
            share = owner.share("team", WRITE, receiver.name)
            top = share["location"].rstrip("/")
            there.put(f"{top}/file{turn}", b"x")
            owner.person.ok("PATCH", f"shares/{share['id']}", {"access": READ})
            there.upload(top, form(("refused", b"x"))).fails(403)
            Client(nodes[1], owner.key).rename("team", f"team{turn}").ok()
            assert f"file{turn}" in receiver.client.names(top)
            owner.client.rename(f"team{turn}", "team").ok()
            assert f"file{turn}" in there.names(top)
            Person(nodes[1], key=owner.key).ok("DELETE", f"shares/{share['id']}", status=204)
            receiver.client.list(top).fails(404)
            there.list(top).fails(404)
        group = nodes[0].ask("POST", "admin/groups", {"name": "crew", "members": [receiver.name]})
        top = owner.share("team", READ, groups=["crew"])["location"].rstrip("/")
        assert "file0" in there.names(top)
        nodes[1].ask("PATCH", f"admin/groups/{group['id']}", {"members": []})
        receiver.client.list(top).fails(404)
    finally:
        nodes.end()


def test_a_share_is_the_items_own_after_a_kill(own_server):
    """The owner renames all the time, and the server dies in the middle: receivers see the item, or nothing, and never another."""
    server = own_server()
    owner, receiver = sharer(server), sharer(server)
    owner.client.make_folder("", "a").ok()
    owner.client.put("a/mark", b"team")
    share = owner.share("a", WRITE, receiver.name)
    top = share["location"].rstrip("/")

    def rename():
        for turn in range(10_000):
            try:
                owner.client.rename("ab"[turn % 2], "ba"[turn % 2])
            except Exception:  # The server died.
                return

    for _ in range(3):
        worker = threading.Thread(target=rename)
        worker.start()
        seen = 0
        while seen < 20:
            answer = receiver.client.list(top)
            if answer.status == 200:
                assert [entry["name"] for entry in answer.ok()] == ["mark"]
                seen += 1
            else:
                assert answer.status in (404, 503), answer
        server.kill()
        worker.join()
        server.start()
        name, = [name for name in owner.client.names("") if name in "ab"]
        answer = receiver.client.list(top)
        if answer.status == 404:  # It was not known where the item was.
            assert owner.given() == []
            top = owner.share(name, WRITE, receiver.name)["location"].rstrip("/")
        assert receiver.client.names(top) == ["mark"]
        if name == "b":
            owner.client.rename("b", "a").ok()


def test_an_upload_that_is_under_way_when_the_share_ends_stores_nothing(own_server):
    server = own_server()
    owner, receiver = sharer(server), sharer(server)
    owner.client.make_folder("", "team").ok()
    share = owner.share("team", WRITE, receiver.name)
    top = share["location"].rstrip("/")
    half = receiver.tus.create(8, "half", top)
    receiver.tus.patch(half, 0, b"half").is_(204)
    owner.client.rename("team", "crew").ok()
    receiver.tus.patch(half, 4, b"more").is_(204)
    assert owner.client.content("crew/half") == b"halfmore", "an upload goes on where its folder went"
    half = receiver.tus.create(8, "other", top)
    receiver.tus.patch(half, 0, b"half").is_(204)
    owner.person.ok("PATCH", f"shares/{share['id']}", {"access": READ})
    assert receiver.tus.patch(half, 4, b"more").status in (403, 404)
    owner.person.ok("DELETE", f"shares/{share['id']}", status=204)
    assert receiver.tus.head(half).status in (403, 404)
    assert owner.client.names("crew") == ["half"]
    eventually(lambda: owner.server.wrong_of(owner.name) == [], "what was held is given back")


@pytest.mark.parametrize("rounds", [10])
def test_who_ends_a_share_while_others_write_there_is_obeyed(own_server, rounds):
    server = own_server()
    owner, receiver = sharer(server), sharer(server)
    owner.client.make_folder("", "team").ok()
    for turn in range(rounds):
        share = owner.share("team", WRITE, receiver.name)
        top = share["location"].rstrip("/")
        ended = threading.Event()
        late = []

        def write():
            number = 0
            while True:
                was_ended = ended.is_set()
                status = receiver.client.upload(top, form((f"{turn}-{number}", b"x"))).status
                number += 1
                if was_ended:
                    late.append(status)
                    return

        writer = threading.Thread(target=write)
        writer.start()
        time.sleep(0.05)
        owner.person.ok("DELETE", f"shares/{share['id']}", status=204)
        ended.set()
        writer.join()
        assert late == [404]
    assert owner.used() == len(owner.client.names("team"))


def test_links_on_the_disk_lead_out_of_no_share(own_server):
    server = own_server()
    owner, receiver = sharer(server), sharer(server)
    owner.client.make_folder("", "team").ok()
    owner.client.put("secret", b"secret")
    folder = server.files_of(owner.name) / "team"
    (folder / "out").symlink_to("../secret")
    (folder / "up").symlink_to("..")
    (folder / "system").symlink_to("/etc")
    top = owner.share("team", WRITE, receiver.name)["location"].rstrip("/")
    assert receiver.client.names(top) == []
    for path in ("out", "up/secret", "system/passwd"):
        receiver.client.download(f"{top}/{path}").fails(404)
    receiver.client.upload(f"{top}/up", form(("x", b"x"))).fails(404)
    owner.person.ok("POST", "shares", {"path": "team/up", "with": [{"account": receiver.name}], "access": READ}, 400)
