"""Folders that an administrator shared, in the one tree of an account."""

import os
import threading

import pytest

from client import Client, form
from server import eventually


@pytest.fixture
def share(own_server, account_on, tmp_path):
    """Shares a fresh folder with an account on a server of its own."""
    server = own_server()

    class Shared:
        def __init__(self):
            self.server = server
            self.account = account_on(server)
            self.client = self.account.client
            self.folder = tmp_path / "shared"
            self.folder.mkdir()

        def add(self, name="Team", *options, who=None):
            who = who or ["--account", self.account.name]
            made = server.cli_json("share", "add", "--name", name, "--target", self.folder, *who, *options)
            return f"__adm_{made['id']}"

    return Shared()


def test_a_share_is_listed_and_described(share):
    path = share.add("Team", "--description", "What we share")
    share.client.make_folder("", "zoo").ok()
    share.client.put("a.txt", b"x")
    entries = share.client.list().ok()
    assert [entry["name"] for entry in entries] == ["zoo", "Team", "a.txt"]
    entry = entries[1]
    assert entry["mount"] == "shared" and entry["mountTarget"] == "Team" and entry["readOnly"] is False
    assert entry["relativePath"] == path and entry["isDirectory"] is True and entry["size"] == 0
    assert entry["description"] == "What we share" and entry["formattedSize"] == "--"
    assert entries[0]["mount"] is None and "mountTarget" not in entries[0]
    locations = share.client.locations().ok()
    assert locations == [
        {"kind": "own", "name": "Own files", "path": "", "target": "Own files", "readOnly": False},
        {"kind": "shared", "name": "Team", "path": path + "/", "target": "Team", "readOnly": False}]
    assert str(share.folder) not in str(entries) + str(locations)
    info = share.client.info(path).ok()
    assert info["name"] == "Team" and info["isDirectory"] is True and info["path"] == path


def test_every_operation_works_in_a_share(share):
    path = share.add()
    client = share.client
    client.put(f"{path}/a.txt", b"hello")
    assert (share.folder / "a.txt").read_bytes() == b"hello"
    assert client.content(f"{path}/a.txt") == b"hello"
    assert client.download(f"{path}/a.txt", {"Range": "bytes=1-2"}).content == b"el"
    client.make_folder(path, "sub/").fails(400)
    client.make_folder(path, "sub").ok()
    client.make_file(f"{path}/sub", "empty").ok()
    client.rename(f"{path}/a.txt", "b.txt").ok()
    client.copy(f"{path}/b.txt", f"{path}/sub").ok()
    client.move(f"{path}/b.txt", f"{path}/sub").fails(409)
    assert client.names(f"{path}/sub") == ["b.txt", "empty"]
    assert client.list(path).ok()[0]["relativePath"] == f"{path}/sub"
    assert client.info(f"{path}/sub/b.txt").ok()["path"] == f"{path}/sub/b.txt"
    client.delete(f"{path}/sub").ok()
    assert client.names(path) == ["b.txt"]
    assert client.used() == 0
    assert client.upload(path, form(("big", b"x" * 100_000))).ok()["uploaded"] == ["big"]


def test_the_top_of_a_share_stays_where_it_is(share):
    path = share.add()
    (share.folder / "file").write_bytes(b"x")
    share.client.make_folder("", "target").ok()
    for answer in (share.client.rename(path, "other"), share.client.move(path, "target"), share.client.delete(path)):
        answer.fails(403)
    share.client.copy(path, "target").ok()
    assert share.client.content("target/Team/file") == b"x"
    share.client.copy(path, path).fails(400)
    share.client.download(path).fails(400)


def test_a_read_only_share_gives_but_does_not_take(share):
    (share.folder / "sub").mkdir()
    (share.folder / "sub/file").write_bytes(b"hello")
    path = share.add("Team", "--read-only")
    client = share.client
    client.put("own", b"x")
    for answer in (client.upload(path, form(("f", b"x"))), client.make_folder(path, "new"),
                   client.make_file(path, "new"), client.rename(f"{path}/sub", "other"),
                   client.move(f"{path}/sub"), client.delete(f"{path}/sub/file"), client.copy("own", path),
                   client.move("own", path)):
        answer.fails(403)
    assert client.content(f"{path}/sub/file") == b"hello"
    client.copy(f"{path}/sub").ok()
    assert client.content("sub/file") == b"hello"
    assert client.list(path).ok()[0]["readOnly"] is True
    assert sorted(os.listdir(share.folder)) == ["sub"]


def test_nobody_else_sees_it_and_withdrawing_acts_at_once(share, account_on):
    path = share.add()
    other = account_on(share.server).client
    assert other.names() == []
    other.list(path).fails(404)
    other.upload(path, form(("f", b"x"))).fails(404)
    share.server.cli("share", "set", "Team", "--account", other_name(share, other),
                     "--no-account", share.account.name)
    share.client.list(path).fails(404)
    assert other.list(path).ok() == []
    share.server.cli("share", "set", "Team", "--everyone")
    assert share.client.list(path).ok() == []
    share.server.cli("share", "set", "Team", "--read-only", "true")
    share.client.make_folder(path, "x").fails(403)
    share.server.cli("share", "remove", "Team")
    share.client.list(path).fails(404)
    assert share.client.names() == [] and len(share.client.locations().ok()) == 1
    assert share.folder.exists()


def other_name(share, client):
    return client.account().ok()["username"]


def test_a_share_with_another_target_leaves_no_key_behind(guests, share, tmp_path):
    path, client, guest = guests
    elsewhere = tmp_path / "elsewhere"
    (elsewhere / "docs").mkdir(parents=True)
    (elsewhere / "docs/private").write_bytes(b"x")
    keys = [guest.scoped(path), guest.scoped(f"{path}/docs"), client.scoped(f"{path}/docs/sub")]
    share.server.cli("share", "set", "Team", "--description", "Ours", "--target", share.folder)
    assert [key.names() for key in keys] == [["docs"], ["sub"], ["file"]]
    share.server.cli("share", "set", "Team", "--target", elsewhere)
    for key in keys:
        key.list().fails(401)
    assert guest.names(f"{path}/docs") == ["private"] and len(guest.keys().ok()) == 1


def test_a_share_made_again_revives_no_key(guests, share):
    path, client, guest = guests
    keys = [guest.scoped(path), guest.scoped(f"{path}/docs")]
    share.server.cli("share", "remove", "Team")
    again = share.add("Team", who=["--everyone"])
    assert again != path and guest.names(f"{again}/docs") == ["sub"]
    for key in keys:
        key.list().fails(404)


def test_keys_can_be_scoped_into_a_share(share):
    (share.folder / "sub").mkdir()
    (share.folder / "sub/file").write_bytes(b"hello")
    (share.folder / "secret").write_bytes(b"x")
    (share.folder / "sub/link").symlink_to("../secret")
    path = share.add()
    key = share.client.create_key("scoped", f"{path}/sub").ok()
    assert key["folderPath"] == f"{path}/sub"
    scoped = share.client.with_key(key["key"])
    assert scoped.names() == ["file"] and scoped.content("file") == b"hello"
    assert [one["kind"] for one in scoped.locations().ok()] == ["scoped"]
    scoped.list(path).fails(403)
    scoped.list(f"{path}/sub").fails(403)
    scoped.download("link").fails(404)
    scoped.put("new", b"x")
    assert (share.folder / "sub/new").exists()
    share.client.rename(f"{path}/sub", "renamed").ok()
    assert scoped.names() == ["file", "new"]
    share.server.cli("share", "set", "Team", "--read-only", "true")
    scoped.make_folder("", "x").fails(403)
    assert scoped.locations().ok()[0]["readOnly"] is True
    share.server.cli("share", "remove", "Team")
    scoped.list().fails(404)
    scoped.locations().fails(404)


def test_a_key_to_a_whole_share_shows_the_shares_name(share):
    (share.folder / "sub").mkdir()
    path = share.add()
    whole, part = share.client.scoped(path), share.client.scoped(f"{path}/sub")
    share.server.cli("share", "set", "Team", "--name", "Renamed")
    assert whole.locations().ok() == [
        {"kind": "scoped", "name": "Renamed", "path": "", "target": path, "readOnly": False}]
    assert [one["name"] for one in part.locations().ok()] == ["sub"]
    share.server.cli("share", "set", "Renamed", "--account", share.server.add_account(),
                     "--no-account", share.account.name)
    for scoped in (whole, part):
        scoped.locations().fails(404)


def test_keys_follow_their_folder_to_another_place(share):
    path = share.add()
    client = share.client
    client.make_folder("docs", "sub").ok()
    client.put("docs/sub/file", b"hello")
    scoped = client.scoped("docs/sub")
    client.move("docs", path).ok()
    assert scoped.account().ok()["folderScope"] == f"{path}/docs/sub"
    client.make_folder("docs", "sub").ok()
    client.put("docs/sub/private", b"x")
    assert scoped.names() == ["file"]
    client.delete(f"{path}/docs").ok()
    scoped.list().fails(401)


def test_a_folder_does_not_go_into_itself_by_two_shares(share):
    """Two shares may lead to one disk, so their paths do not tell."""
    (share.folder / "docs/sub").mkdir(parents=True)
    (share.folder / "docs/file").write_bytes(b"hello")
    above = share.add("Above")
    made = share.server.cli_json("share", "add", "--name", "Within", "--target",
                                 share.folder / "docs/sub", "--account", share.account.name)
    for act in (share.client.move, share.client.copy):
        act(f"{above}/docs", f"__adm_{made['id']}").fails(400)
    assert (share.folder / "docs/file").read_bytes() == b"hello"
    assert share.client.names(f"{above}/docs/sub") == []


def test_what_a_writable_share_collects_is_not_seen_through_another(share):
    writable = share.add("Writable")
    made = share.server.cli_json("share", "add", "--name", "ToRead", "--target", share.folder,
                                 "--everyone", "--read-only")
    above = share.server.cli_json("share", "add", "--name", "Above", "--target",
                                  share.folder.parent, "--account", share.account.name)
    share.client.put(f"{writable}/file", b"x")
    collected = share.folder / ".coffer-staging"
    assert collected.is_dir()
    deep = f"__adm_{above['id']}/{share.folder.name}"
    for top in (f"__adm_{made['id']}", deep):
        assert share.client.names(top) == ["file"]
        share.client.list(f"{top}/.coffer-staging").fails(404)
    share.client.delete(f"{deep}/.coffer-staging").fails(404)
    share.client.copy(deep, f"__adm_{above['id']}/{share.folder.name}").fails(400)
    share.client.make_folder(f"__adm_{above['id']}", "to").ok()
    share.client.copy(deep, f"__adm_{above['id']}/to").ok()
    assert not (share.folder.parent / "to" / share.folder.name / ".coffer-staging").exists()
    assert collected.is_dir()


@pytest.mark.parametrize("plant", [
    lambda folder: os.mkfifo(folder / "pipe"),
    lambda folder: (folder / os.fsdecode(b"caf\xe9")).write_bytes(b"x"),
    lambda folder: (folder / "link").symlink_to("file"),
    lambda folder: (folder / "dead").symlink_to("/nowhere"),
], ids=["pipe", "latin1", "link", "dead link"])
def test_a_move_to_another_place_loses_nothing_that_it_cannot_take_along(share, plant):
    path = share.add()
    (share.folder / "docs/deep").mkdir(parents=True)
    (share.folder / "docs/deep/file").write_bytes(b"x")
    plant(share.folder / "docs/deep")
    before = sorted(os.listdir(os.fsencode(share.folder / "docs/deep")))
    share.client.move(f"{path}/docs").fails(400)
    assert sorted(os.listdir(os.fsencode(share.folder / "docs/deep"))) == before
    assert "docs" not in share.client.names()
    share.client.copy(f"{path}/docs").ok()
    assert "docs" in share.client.names()


@pytest.fixture
def guests(share, account_on):
    """The path of a share with docs/sub/file, the client that changes it, and another who sees it too."""
    path = share.add("Team", who=["--everyone"])
    share.client.make_folder(f"{path}/docs", "sub").ok()
    share.client.put(f"{path}/docs/sub/file", b"hello")
    return path, share.client, account_on(share.server).client


@pytest.mark.parametrize("delete", [
    lambda client, path: client.delete(f"{path}/docs"), lambda client, path: client.delete(f"{path}/docs/sub"),
    lambda client, path: client.scoped(f"{path}/docs").delete("sub")])
def test_deleting_a_shared_folder_revokes_the_keys_of_all(guests, delete):
    path, client, guest = guests
    client.make_folder(path, "docs2").ok()
    beside = guest.scoped(f"{path}/docs2")
    created = guest.create_key("dies", f"{path}/docs/sub").ok()
    scoped = guest.with_key(created["key"])
    assert scoped.names() == ["file"]
    delete(client, path).ok()
    scoped.list().fails(401)
    assert created["id"] not in [key["id"] for key in guest.keys().ok()]
    client.make_folder(f"{path}/docs", "sub").ok()
    client.put(f"{path}/docs/sub/private", b"x")
    scoped.list().fails(401)
    assert beside.names() == []


@pytest.mark.parametrize("change, scope", [
    (lambda client, path: client.rename(f"{path}/docs/sub", "renamed"), "docs/renamed"),
    (lambda client, path: client.rename(f"{path}/docs", "papers"), "papers/sub"),
    (lambda client, path: client.move(f"{path}/docs/sub", path), "sub"),
    (lambda client, path: client.scoped(f"{path}/docs").rename("sub", "inner"), "docs/inner"),
])
def test_the_keys_of_all_follow_a_shared_folder(guests, change, scope):
    path, client, guest = guests
    keys = [guest.scoped(f"{path}/docs/sub"), client.scoped(f"{path}/docs/sub")]
    assert [key.names() for key in keys] == [["file"], ["file"]]
    change(client, path).ok()
    client.make_folder(f"{path}/docs", "sub").ok()
    client.put(f"{path}/docs/sub/private", b"x")
    for key in keys:
        assert key.names() == ["file"]
        assert key.account().ok()["folderScope"] == f"{path}/{scope}"


def test_the_keys_of_all_follow_a_folder_to_another_share(guests, share, tmp_path):
    path, client, guest = guests
    (tmp_path / "more").mkdir()
    made = share.server.cli_json("share", "add", "--name", "More", "--target", tmp_path / "more", "--everyone")
    scoped = guest.scoped(f"{path}/docs/sub")
    client.move(f"{path}/docs", f"__adm_{made['id']}").ok()
    assert scoped.names() == ["file"]
    assert scoped.account().ok()["folderScope"] == f"__adm_{made['id']}/docs/sub"


def test_keys_of_others_do_not_follow_out_of_a_share(guests):
    path, client, guest = guests
    guest.make_folder("docs", "sub").ok()
    guest.put("docs/sub/private", b"x")
    theirs, mine = guest.scoped(f"{path}/docs/sub"), client.scoped(f"{path}/docs/sub")
    assert theirs.names() == mine.names() == ["file"]
    client.move(f"{path}/docs").ok()
    theirs.list().fails(401)
    assert mine.names() == ["file"] and mine.account().ok()["folderScope"] == "docs/sub"
    client.move("docs", path).ok()
    theirs.list().fails(401)
    assert mine.account().ok()["folderScope"] == f"{path}/docs/sub"


def test_a_move_into_a_share_takes_the_movers_keys_alone(guests):
    path, client, guest = guests
    for one in (client, guest):
        one.make_folder("papers", "sub").ok()
        one.put("papers/sub/own", b"x")
    mine, theirs = client.scoped("papers/sub"), guest.scoped("papers/sub")
    client.move("papers", path).ok()
    assert mine.account().ok()["folderScope"] == f"{path}/papers/sub"
    assert theirs.account().ok()["folderScope"] == "papers/sub" and theirs.names() == ["own"]


def test_content_goes_between_a_share_and_own_files(share):
    path = share.add()
    client = share.client
    client.make_folder("", "tree/deep").fails(400)
    client.make_folder("tree", "deep").ok()
    client.put("tree/deep/file", b"hello" * 1000)
    client.put("tree/empty", b"")
    used = client.used()
    client.copy("tree", path).ok()
    assert (share.folder / "tree/deep/file").read_bytes() == b"hello" * 1000
    assert client.used() == used
    client.copy("tree", path).fails(409)
    client.delete("tree").ok()
    assert client.used() == 0
    client.move(f"{path}/tree").ok()
    assert client.content("tree/deep/file") == b"hello" * 1000 and client.content("tree/empty") == b""
    assert not (share.folder / "tree").exists() and client.used() == used
    client.move("tree/deep/file", path).ok()
    assert (share.folder / "file").read_bytes() == b"hello" * 1000 and client.used() == 0


def test_the_quota_holds_for_what_comes_from_a_share(own_server, account_on, tmp_path):
    server = own_server()
    account = account_on(server, "1000")
    folder = tmp_path / "shared"
    folder.mkdir()
    (folder / "tree").mkdir()
    (folder / "tree/one").write_bytes(b"x" * 600)
    (folder / "tree/two").write_bytes(b"x" * 600)
    made = server.cli_json("share", "add", "--name", "Team", "--target", folder, "--everyone")
    path = f"__adm_{made['id']}"
    account.client.copy(f"{path}/tree").fails(413)
    account.client.move(f"{path}/tree").fails(413)
    assert account.client.names() == ["Team"] and account.client.used() == 0
    assert (folder / "tree/two").exists()
    account.client.move(f"{path}/tree/one").ok()
    assert account.client.used() == 600
    assert os.listdir(server.files_of(account.name)) == ["one"]


@pytest.mark.parametrize("options, says", [
    (["--name", "a/b", "--target", "{folder}", "--everyone"], "name"),
    (["--name", "__adm_x", "--target", "{folder}", "--everyone"], "__adm_"),
    (["--name", "x", "--target", "{folder}/none", "--everyone"], "not there"),
    (["--name", "x", "--target", "{data}", "--everyone"], "data folder"),
    (["--name", "x", "--target", "{data}/files", "--everyone"], "data folder"),
    (["--name", "x", "--target", "/", "--everyone"], "data folder"),
    (["--name", "x", "--target", "{folder}"], "who sees"),
    (["--name", "x", "--target", "{folder}", "--account", "nobody"], "no account nobody"),
    (["--name", "x", "--target", "{folder}", "--everyone", "--account", "a"], "not both"),
    (["--name", "taken", "--target", "{folder}", "--everyone"], "exists already"),
])
def test_what_cannot_be_shared_is_told_in_one_line(server, tmp_path, options, says):
    if not any(share["name"] == "taken" for share in server.cli_json("share", "list")):
        server.cli("share", "add", "--name", "taken", "--target", tmp_path, "--account", server.add_account())
    given = [option.format(folder=tmp_path, data=server.data) for option in options]
    before = server.cli("share", "list").stdout
    result = server.cli("share", "add", *given, ok=False)
    assert result.returncode != 0 and result.stdout == ""
    assert says in result.stderr and result.stderr.count("\n") == 1
    assert server.cli("share", "list").stdout == before


def test_large_files_of_a_read_only_share_are_answered(share):
    content = os.urandom(1 << 20) * 33
    (share.folder / "large").write_bytes(content)
    path = share.add("Team", "--read-only")
    client = share.client
    head = client.download(f"{path}/large", method="HEAD")
    assert head.status == 200 and int(head.headers["Content-Length"]) == len(content)
    assert client.content(f"{path}/large") == content
    assert client.download(f"{path}/large", {"Range": "bytes=5-9"}).content == content[5:10]
    client.copy(f"{path}/large").ok()
    assert client.content("large") == content
    assert client.info(f"{path}/large").ok()["size"] == len(content)
    assert os.listdir(share.folder) == ["large"]


def test_a_share_that_many_use_first_at_once_is_opened_once(share):
    path = share.add()
    share.server.kill()
    for number in range(100):
        left = share.folder / ".coffer-staging" / f".coffer-part-{number:025x}"
        left.mkdir(parents=True)
        for name in range(20):
            (left / str(name)).write_bytes(b"x")
    share.server.start()
    callers = [threading.Thread(target=Client(share.server, share.client.key).list, args=(path,)) for _ in range(16)]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()
    eventually(lambda: not [name for _, _, names in os.walk(share.folder) for name in names], "all left is reclaimed")
