"""Cloud drives that are away, slow, full, or refuse the login: reported by name without secrets, and over when it
is over. What cannot be a name is neither shown nor copied."""

import random
import re

import pytest

from client import form
from driving import LABEL, drive_over_line, fails, mount_drive, new_name
from drive_servers import ApacheDav
from fake_dav import PASSWORD
from faulty_line import DOWN, UP, line_to
from hostile_mount import everything_else, is_sane
from mounting import Call, add_connector, at, started
from remote_servers import FtpServer
from server import PATIENCE_S, eventually, tree_of

def test_a_drive_that_is_away_is_told_and_is_back_with_its_server(account):
    client = account.client
    with started(ApacheDav) as servers:
        remote = servers["apache"]
        place = mount_drive(account.server, account.name, remote, new_name())
        client.put(place.at("file"), b"x")
        client.put("own", b"own")
        remote.stop()
        for call in (client.list, client.info, client.download, client.copy, client.move, client.delete):
            fails(call(place.at("file")), 502)
        fails(client.upload(place.path, form(("new", b"x"))), 502)
        fails(client.move("own", place.path), 502)
        assert client.names() == [LABEL, "own"] and client.content("own") == b"own"
        remote.start()
        eventually(lambda: client.list(place.path).status == 200, "the drive to be back")
        assert client.content(place.at("file")) == b"x" and place.everything() == {"file": b"x"}


def is_refused_unasked(client, place, line):
    before = line.accepted
    if "lately" not in fails(client.list(place.path), 502):
        return False  # The first failures, or, on a slow machine, the next try.
    assert line.accepted == before
    return True


def test_who_asks_a_drive_that_is_away_is_answered_without_asking_it_each_time(account, drive_servers):
    with drive_over_line(account.server, account.name, drive_servers("apache"), new_name()) as (place, line):
        account.client.list(place.path).ok()
        line.drop()
        eventually(lambda: is_refused_unasked(account.client, place, line), "the drive to be asked no more")
        line.mend()
        eventually(lambda: account.client.list(place.path).status == 200, "the drive to be back")


def test_a_line_that_stands_still_holds_nobody_else(account, drive_servers, make_drive):
    client = account.client
    with drive_over_line(account.server, account.name, drive_servers("apache"), new_name(), "Still") as (place, line):
        place.plant({"file": b"x" * (8 << 20)})
        other = make_drive("apache", account.server, account.name)
        client.list(place.path).ok()
        line.fault("hold", after=4 << 20, direction=DOWN)
        calls = [Call(lambda: client.content(place.at("file")))]
        assert line.held.wait(PATIENCE_S)
        calls += [Call(lambda: client.names(place.path)) for _ in range(20)]
        client.put(other.at("file"), b"y")
        assert client.content(other.at("file")) == b"y" and set(client.names()) == {"Still", LABEL}
        line.mend()
        assert calls[0].result() == b"x" * (8 << 20)
        for call in calls[1:]:
            assert call.result() == ["file"]


def test_a_slow_line_is_no_fault(account, drive_servers):
    """However long it takes as a whole."""
    client, content = account.client, random.Random(11).randbytes(1 << 20)
    with drive_over_line(account.server, account.name, drive_servers("apache"), new_name()) as (place, line):
        place.plant({"file": content, "replaced": b"old"})
        client.list(place.path).ok()
        line.slow(4096, 0.01)
        assert client.content(place.at("file")) == content
        client.put(place.at("replaced"), content)
        client.put("own", content)
        client.copy("own", place.path).ok()
        line.mend()
        eventually(lambda: place.everything() == {"file": content, "replaced": content, "own": content},
                   "what was replaced to go")


def test_a_drive_that_takes_connections_and_is_silent_is_told(account, drive_servers):
    """Once it has been waited for. Then it is left alone."""
    with drive_over_line(account.server, account.name, drive_servers("apache"), new_name()) as (place, line):
        account.client.list(place.path).ok()
        line.swallow()
        assert "in time" in fails(account.client.list(place.path), 504)
        line.mend()
        eventually(lambda: account.client.list(place.path).status == 200, "the drive to be back")


# 400 and the like have no meaning of their own.
@pytest.mark.parametrize("status, expected, words", [
    (401, 502, "login"), (403, 403, "refuses"), (507, 502, "no space"), (500, 502, "reached"), (503, 502, "reached"),
    (429, 502, "too much"), (400, 502, "refuses"), (301, 502, "refuses")])
def test_what_a_drive_refuses_is_told(fake, account, status, expected, words):
    """The file that was to be replaced is not touched."""
    dav, path = fake({"file": b"old content"}, refuse=lambda method, where: status if method == "PUT" else None)
    asked = [account.client.upload(path, form(("file", b"y" * 300_000))), account.client.copy("own", path),
             account.client.upload(path, form(("new", b"y")))]
    for answer in asked:
        assert words in fails(answer, expected)
    assert account.client.content(at(path, "file")) == b"old content" and account.client.names(path) == ["file"]
    assert {method for method, where in dav.asked if where == "file"} <= {"PROPFIND", "GET", "HEAD"}
    assert "PUT" in {method for method, _ in dav.asked} and "MOVE" not in {method for method, _ in dav.asked}
    assert dav.contents() == {"file": b"old content"}


def test_a_login_that_is_refused_is_told(fake, account):
    dav, path = fake({"file": b"x"}, refuse=lambda method, where: 401)
    for answer in (account.client.list(path), account.client.download(at(path, "file")),
                   account.client.upload(path, form(("new", b"y")))):
        assert "login" in fails(answer, 502)
    assert account.client.content("own") == b"own" and PASSWORD not in account.server.log()
    dav.refuse = lambda method, where: None
    eventually(lambda: account.client.list(path).status == 200, "the drive to be back")


# No server can have these in a folder, and rclone leaves them out by itself.
IMPOSSIBLE = ["../x", "..%2Fx", "%2e%2e/x", "..", "%2e%2e", ".", "/etc/passwd", "a/b", "a%2Fb", "a/./b",
              "http://127.0.0.1:9/x", "http:%2F%2Fx", "%FF%FE"]
UNFIT = ["a%00b", "a%0Ab", "%01", "%7F", "a%0D%0Ab", "n" * 4096, "%5C..%5Cx"]
NOT_THERE = ["//x", "a/../b"]  # Another name is listed, and nothing is there.
HOSTILE = IMPOSSIBLE + UNFIT + NOT_THERE
REPLACED = 2 * "\N{REPLACEMENT CHARACTER}"
SHOWN = {"%FF%FE": REPLACED, "a/../b": "b"}  # What is made of some of them, which is a name,
SHOWN_AT_THE_TOP = {**SHOWN, "../x": "x", "/etc/passwd": "passwd"}
SHOWN_BELOW = {**SHOWN, "//x": "x"}
COPIED = {"%FF%FE": REPLACED}  # and is there.

each_name = pytest.mark.parametrize("name", HOSTILE, ids=lambda name: name[:20].replace("/", "|"))


def shown(shown_as, name):
    return sorted({"good", *([shown_as[name]] if name in shown_as else [])})


@each_name
def test_a_name_that_cannot_be_is_not_shown(fake, account, server, name):
    dav, path = fake({"good": b"good", name: b"hostile"})
    client = account.client
    client.list(path).ok()  # Makes the folders of the engine.
    before = everything_else(server)
    assert client.names(path) == shown(SHOWN_AT_THE_TOP, name) and all(map(is_sane, client.names(path)))
    # Who asks for it gets what the drive has there, if it can be a path at all.
    for answer in (client.download(f"{path}/{name}"), client.copy(f"{path}/{name}")):
        assert answer.status in (200, 400, 403, 404, 502), answer
    assert all(is_sane(part) for one in tree_of(account.root) for part in one.rstrip("/").split("/"))
    assert client.content(at(path, "good")) == b"good"
    assert everything_else(server) == before and client.content("own") == b"own"


@each_name
def test_a_copy_of_names_that_cannot_be_stays_in_its_folder(fake, account, name):
    dav, path = fake({"good": b"good", name: b"hostile"})
    account.client.copy(path).ok()
    copies = {f"{LABEL}/{each}" for each in shown(COPIED, name)}
    assert tree_of(account.root) == {"own", f"{LABEL}/", *copies}
    assert account.client.content(f"{LABEL}/good") == b"good"


@each_name
def test_a_folder_with_a_name_that_cannot_be(fake, account, name):
    """What it holds besides may be copied. A move would lose what cannot be taken along."""
    dav, path = fake({"good": b"good", name: b"hostile"}, folder="tree")
    client = account.client
    assert client.names(at(path, "tree")) == shown(SHOWN_BELOW, name)
    client.copy(at(path, "tree")).ok()
    assert tree_of(account.root) == {"own", "tree/", *(f"tree/{each}" for each in shown(COPIED, name))}
    assert client.content("tree/good") == b"good"
    client.delete("tree").ok()
    client.copy(at(path, "tree"), at(path, "tree")).fails(400)
    if name in IMPOSSIBLE:
        client.move(at(path, "tree")).ok()
        assert client.content("tree/good") == b"good"
        return
    client.move(at(path, "tree")).fails(409 if name in NOT_THERE else 400)
    assert tree_of(account.root) == {"own"} and client.content(at(path, "tree/good")) == b"good"
    assert not [method for method, _ in dav.asked if method in ("DELETE", "MOVE", "PUT", "COPY")], dav.asked


def test_names_that_cannot_be_are_told_to_no_other_server(fake, account):
    """FTP would take the rest of a line for a command."""
    dav, path = fake({"good": b"good", **{name: b"hostile" for name in HOSTILE}}, folder="tree")
    with started(FtpServer) as remotes, line_to(remotes["ftp"]) as (line, options):
        ftp = add_connector(account.server, account.name, "FTP", options, stdin="secret\n")
        account.client.copy(at(path, "tree"), ftp).ok()
        assert tree_of(remotes["ftp"].root) == {"tree/", "tree/good", f"tree/{REPLACED}"}
        sent = [text for direction, text in line.seen if direction == UP]
    assert any(b"good" in text for text in sent)
    for text in sent:
        assert re.fullmatch(rb"[A-Z]{3,4}( [^\x00-\x1f\x7f]{1,300})?\r\n", text), text
        assert b".." not in text and b"passwd" not in text and b"127.0.0.1:9" not in text, text
