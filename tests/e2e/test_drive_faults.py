"""Cloud drives that are away, slow, full, or refuse the login: told by name and nothing secret, and over when it
is over. What cannot be a name is neither shown nor copied."""

import pytest

from client import form
from driving import LABEL, drive_over_line, fails, mount_drive, new_name
from drive_servers import ApacheDav
from fake_dav import PASSWORD
from faulty_line import DOWN
from hostile_mount import everything_else, is_sane
from mounting import Call, at, started
from server import eventually, tree_of

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


def test_who_asks_a_drive_that_is_away_is_answered_without_asking_it_each_time(account, drive_servers):
    with drive_over_line(account.server, account.name, drive_servers("apache"), new_name()) as (place, line):
        account.client.list(place.path).ok()
        line.drop()
        for _ in range(3):
            fails(account.client.list(place.path), 502)
        before = line.accepted
        assert "lately" in fails(account.client.list(place.path), 502)
        assert line.accepted == before
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
        assert line.held.wait(60)
        calls += [Call(lambda: client.names(place.path)) for _ in range(20)]
        client.put(other.at("file"), b"y")
        assert client.content(other.at("file")) == b"y" and set(client.names()) == {"Still", LABEL}
        line.mend()
        assert calls[0].result() == b"x" * (8 << 20)
        for call in calls[1:]:
            assert call.result() == ["file"]


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
UNFIT = ["//x", "a%00b", "a%0Ab", "%01", "%7F", "a%0D%0Ab", "n" * 4096, "a/../b", "%5C..%5Cx"]
HOSTILE = IMPOSSIBLE + UNFIT


def test_names_that_cannot_be_are_neither_shown_nor_copied(fake, account, server):
    dav, path = fake({"good": b"good", **{name: b"hostile" for name in HOSTILE}})
    account.client.list(path)  # Makes the folders of the engine.
    before = everything_else(server)
    entries = account.client.list(path)
    assert entries.status in (200, 502), entries
    if entries.status == 200:
        names = [entry["name"] for entry in entries.ok()]
        assert "good" in names and all(is_sane(name) for name in names), names
    for name in HOSTILE:
        for answer in (account.client.download(f"{path}/{name}"), account.client.copy(f"{path}/{name}")):
            assert answer.status != 500, answer
    # What is sane may have been copied, to where the copy then is in the way of another.
    assert account.client.copy(path).status in (200, 400, 403, 404, 409, 502)
    assert account.client.move(path).status in (400, 403, 404, 409, 502)
    assert account.client.content("own") == b"own"
    assert all(is_sane(part) for name in tree_of(account.root) for part in name.rstrip("/").split("/"))
    assert everything_else(server) == before


@pytest.mark.parametrize("name", HOSTILE, ids=lambda name: name[:20].replace("/", "|"))
def test_a_folder_with_a_name_that_cannot_be(fake, account, name):
    """What it holds besides may be copied. A move would lose what cannot be taken along."""
    dav, path = fake({"good": b"good", name: b"hostile"}, folder="tree")
    answer = account.client.copy(at(path, "tree"))
    assert answer.status in (200, 400, 404, 502), answer
    if answer.status == 200:
        assert tree_of(account.root) <= {"own", "tree/", "tree/good", "tree/b",
                                         "tree/" + 2 * "\N{REPLACEMENT CHARACTER}"}
        assert account.client.content("tree/good") == b"good"
        account.client.delete("tree").ok()
    account.client.copy(at(path, "tree"), at(path, "tree")).fails(400, 404, 502)
    if name in UNFIT:
        # 500: what is listed and not there looks as if it had gone meanwhile.
        account.client.move(at(path, "tree")).fails(400, 404, 500, 502)
        assert tree_of(account.root) == {"own"}
        assert not [method for method, _ in dav.asked if method in ("DELETE", "MOVE", "PUT", "COPY")], dav.asked
