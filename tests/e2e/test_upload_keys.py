"""Creations of resumable uploads with an Idempotency-Key: sent again, they make no second upload."""

import contextlib
import http.client
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from people import Person
from server import PATIENCE_S
from test_people_bin import delete
from test_tus import settled
from tus import Tus, checksum, figures, sql


def with_key(text):
    return {"Idempotency-Key": text.ljust(16, "-")}


@pytest.mark.parametrize("conflict", ["fail", "replace", "keepBoth"])
@pytest.mark.parametrize("stored", [0, 4, 10])
def test_a_creation_whose_answer_was_lost_makes_no_second_upload(account, tus, stored, conflict):
    content = b"0123456789"
    ask = {"headers": with_key("lost"), "onConflict": conflict}
    first = tus.ask_for(10, body=content[:stored] or None, **ask).is_(201)
    again = tus.ask_for(10, body=content[:stored] or None, **ask).is_(201)
    assert again.headers["Location"] == first.headers["Location"] and again.offset() == stored
    settled(account, 10 if stored == 10 else 0, 0 if stored == 10 else 10)
    if stored < 10:
        # As tus clients do that bring bytes along, but of which the server had got none.
        whole = tus.ask_for(10, body=content, **ask).is_(201)
        assert whole.offset() == stored or whole.offset() == 10
        if whole.offset() < 10:
            tus.patch(first.headers["Location"], stored, content[stored:]).is_(204)
    assert account.client.names() == ["a.txt"] and account.client.content("a.txt") == content
    settled(account, 10)


def test_an_empty_file_is_made_once_by_its_key(account, tus):
    ask = {"headers": with_key("empty"), "onConflict": "keepBoth"}
    place = tus.create(0, **ask)
    assert tus.create(0, **ask) == place and account.client.names() == ["a.txt"]


def test_a_key_is_of_one_file_and_of_one_account(account, make_account, tus):
    place = tus.create(10, **{"headers": with_key("one")})
    for other in ({"length": 11}, {"length": 10, "name": "b.txt"}, {"length": 10, "onConflict": "replace"}):
        assert "draw a new one" in tus.ask_for(**other, headers=with_key("one")).is_(400).detail()
    assert tus.create(10, "b.txt", headers=with_key("two")) != place
    stranger = make_account()
    assert Tus(account.server, stranger.key).create(10, headers=with_key("one")) != place
    tus.delete(place).is_(204)
    assert tus.create(11, headers=with_key("one")) == place, "what is gone has left no trace"


@pytest.mark.parametrize("key", ["", "short", "x" * 129, "with spaces inside", "\u00e9" * 20])
def test_keys_that_are_none(account, tus, key):
    assert "Idempotency-Key" in tus.ask_for(3, body=b"all", headers={"Idempotency-Key": key.encode()}).is_(400).detail()
    assert account.client.names() == []


def test_a_refused_creation_with_a_key_leaves_nothing(make_account):
    account = make_account("20")
    tus = Tus(account.server, account.key)
    for _ in range(2):
        tus.ask_for(30, headers=with_key("much"), body=b"x").is_(413, "over_quota")
        wrong = {**with_key("wrong"), "Upload-Checksum": checksum(b"other")}
        tus.ask_for(10, headers=wrong, body=b"0123456789").is_(460)
    settled(account, 0)


def test_many_at_once_with_one_key_make_one_upload(account, tus):
    ask = {"headers": with_key("race"), "onConflict": "keepBoth"}
    answers = []

    def create():
        while True:
            with contextlib.suppress(http.client.RemoteDisconnected, ConnectionResetError):  # A later one interrupts it.
                answer = tus.ask_for(10, body=b"0123456789", **ask)
                if answer.status not in (409, 503):
                    answers.append(answer.is_(201))
                    return

    threads = [threading.Thread(target=create) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE_S)
    assert len({answer.headers["Location"] for answer in answers}) == 1 and len(answers) == 8
    assert account.client.content("a.txt") == b"0123456789" and account.client.names() == ["a.txt"]
    settled(account, 10)


@pytest.fixture
def limited(account, described):
    """With a key for the folder `f` alone."""
    account.client.make_folder(None, "f").ok()
    account.client.make_folder("f", "sub").ok()
    return Tus(account.server, account.server.create_key(account.name, "f")["key"], described)


def test_a_key_that_the_account_has_used_elsewhere_is_refused(tus, limited):
    """A key of a folder may not see where the other upload goes, and so not what came of it."""
    tus.create(10, headers=with_key("shared"))
    assert "draw a new one" in limited.ask_for(10, headers=with_key("shared")).is_(400).detail()


def test_a_key_whose_upload_was_led_out_of_sight_is_refused(account, limited):
    ask = {"folder": "sub", "headers": with_key("led")}
    limited.create(10, **ask)
    account.client.move("f/sub").ok()
    account.client.make_folder("f", "sub").ok()
    assert "draw a new one" in limited.ask_for(10, **ask).is_(400).detail()


def test_many_at_once_with_one_key_need_its_room_once(make_account):
    """The bin gives way where room is needed, and is not to for what has its room already."""
    account = make_account("10000000")
    account.client.put("old.bin", b"a" * 3_000_000)
    delete(Person(account.server, key=account.key), "old.bin")
    tus = Tus(account.server, account.key)
    with ThreadPoolExecutor(8) as threads:
        places = set(threads.map(lambda _: tus.ask_for(5_000_000, headers=with_key("room")).is_(201).headers["Location"], range(8)))
    assert len(places) == 1
    used, _ = figures(account.server, account.name)
    assert used == 3_000_000
    settled(account, 3_000_000, 5_000_000)


@pytest.fixture
def cut(own_server, account_on):
    """An account on a server of its own, and what leaves its empty uploads as a server does that is killed after it has noted them."""
    server = own_server()
    account = account_on(server)

    def again():
        server.stop()
        sql(server, "UPDATE uploads SET state = 'receiving', content = 0, received_bytes = 0")
        server.start()

    return account, Tus(server, account.key), again


def test_an_empty_file_whose_creation_was_cut_short_is_made_by_the_same_creation(cut):
    account, tus, again = cut
    ask = {"headers": with_key("cut"), "onConflict": "keepBoth"}
    for look in (lambda: tus.create(0, **ask), lambda: tus.head(place).is_(200)):
        place = tus.create(0, **ask)
        account.client.delete("a.txt")
        again()
        look()
        assert account.client.names() == ["a.txt"]
        assert tus.create(0, **ask) == place and account.client.names() == ["a.txt"]
        tus.delete(place).is_(204)
        account.client.delete("a.txt")


def test_an_empty_file_that_was_cut_short_and_cannot_be_made_leaves_nothing(cut):
    account, tus, again = cut
    ask = {"headers": with_key("taken"), "onConflict": "fail"}
    place = tus.create(0, **ask)
    account.client.delete("a.txt")
    again()
    account.client.put("a.txt", b"another's")
    for _ in range(2):
        tus.ask_for(0, **ask).is_(409)
    assert tus.head(place).status == 404 and account.client.content("a.txt") == b"another's"
    assert sql(account.server, "SELECT count(*) FROM uploads") == [("0",)]


def test_an_empty_file_that_was_cut_short_in_a_folder_that_is_gone_says_so(cut):
    account, tus, again = cut
    account.client.make_folder(None, "f").ok()
    place = tus.create(0, folder="f", headers=with_key("gone"))
    account.client.delete("f")
    again()
    assert tus.head(place).status == 409
