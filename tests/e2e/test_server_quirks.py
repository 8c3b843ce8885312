"""Servers that tell less than others, or tell it in another way: used as far as they can do. No item vanishes without a
word, and nothing is deleted that was not copied."""

import os

import pytest

from hostile import HostileFtp, HostileSftp, attributes
from hostile_mount import entry_of, hostile_of, listing, unix_line
from mounting import add_connector, contents, started
from people import Person
from remote_servers import FtpServer, SftpServer

FOLDER_MODE = b"drwxr-xr-x"
# What Windows of Western Europe writes; the bytes of the names are no UTF-8.
NAMES = {"café": b"caf\xe9", "50 €": b"50 \x80"}


def entries_of(kind, names, unseen):
    """A listing with files of these names, and some more that no listing can show. One of FTP tells when the folder
    `tree` was changed."""
    entries = [entry_of(kind, name) for name in [*names, *unseen]]
    return listing(kind, entries if kind == "sftp" else [*entries, entry_of(kind, b"tree", is_folder=True)])


def page_of(mount, path):
    return Person(mount.server, mount.client.key).ok("GET", f"files?path={path}")


def test_a_server_without_permissions_is_used(make_hostile):
    files = ("file", "data.txt", "song.mp3", "photo", "server-backup.log")
    names = [(name, attributes(None)) for name in (*files, "tree", "link")]
    mount = make_hostile(HostileSftp(names, links={"/link": "/etc/passwd", "/tree/link": "/"}, tells_modes=False))
    page = page_of(mount, mount.path)
    assert {entry["name"]: entry["isDirectory"] for entry in page["entries"]} == dict.fromkeys(files, False) | {"tree": True}
    assert page["leftOut"] == 1
    assert mount.client.content(mount.at("file")) == b"12345"
    assert "file" in [entry["name"] for entry in mount.client.list(mount.at("tree")).ok()]


def test_a_link_of_it_is_not_followed_out(make_hostile):
    mount = make_hostile(HostileSftp([("link", attributes(None))], links={"/link": "/etc/passwd"}, tells_modes=False))
    mount.client.download(mount.at("link")).fails(404)
    mount.client.copy(mount.at("link")).fails(404)
    assert contents(mount.account.root) == {"own": b"own"}


def test_a_link_to_what_the_set_lacks_is_a_link(make_hostile):
    hostile = HostileSftp([("link", attributes(None))], links={"/link": b"/tree/\xff"}, tells_modes=False)
    mount = make_hostile(hostile, [*hostile.options(), "--character-set", "shift_jis"])
    page = page_of(mount, mount.path)
    assert not page["entries"] and page["leftOut"] == 1
    mount.client.download(mount.at("link")).fails(404)


@pytest.mark.parametrize("kind", ["list", "sftp"])
def test_what_cannot_be_shown_is_counted(make_hostile, kind):
    mount = make_hostile(hostile_of(kind, entries_of(kind, [b"fine.txt"], [b"caf\xe9", b"bell\x07"])))
    page = page_of(mount, mount.path)
    assert [entry["name"] for entry in page["entries"] if not entry["isDirectory"]] == ["fine.txt"]
    assert page["leftOut"] == 2


def test_what_cannot_be_shown_of_own_files_is_counted(account):
    for name in (b"fine.txt", b"caf\xe9"):
        with open(bytes(account.root) + b"/" + name, "wb") as file:
            file.write(b"x")
    (account.root / "away").symlink_to("/etc/passwd")
    page = Person(account.server, account.key).ok("GET", "files")
    assert [entry["name"] for entry in page["entries"]] == ["fine.txt"]
    assert page["leftOut"] == 2


def test_a_line_with_another_date_is_an_item(make_hostile):
    dates = [b"21. Okt 15:26", b"2026-11-21 15:26", b"21.11.2026 15:26", "21 нояб. 2026".encode()]
    lines = [unix_line(b"%d" % number, date=date) for number, date in enumerate(dates)]
    mount = make_hostile(HostileFtp([unix_line(b".", mode=FOLDER_MODE) + b"".join(lines)]))
    page = page_of(mount, mount.path)
    assert [entry["name"] for entry in page["entries"]] == ["0", "1", "2", "3"]
    assert page["leftOut"] == 0
    assert page["entries"][1]["modifiedAt"] == "2026-11-21T15:26:00"


@pytest.mark.parametrize("kind", ["list", "sftp"])
@pytest.mark.parametrize("unseen", [b"caf\xe9", b"bell\x07"])
def test_a_folder_with_something_unseen_is_not_moved(make_hostile, kind, unseen):
    hostile = hostile_of(kind, entries_of(kind, [b"fine.txt"], [unseen]))
    mount = make_hostile(hostile)
    mount.client.move(mount.at("tree")).fails(400)
    assert contents(mount.account.root) == {"own": b"own"}
    assert hostile.commands and not hostile.removals()


@pytest.fixture(params=[FtpServer, SftpServer], ids=["ftp", "sftp"])
def western(request, account):
    """A mount of a server whose names are in windows-1252: its folder on disk, and its path."""
    with started(request.param) as servers:
        server, = servers.values()
        for name in NAMES.values():
            file = bytes(server.root) + b"/" + name
            with open(file, "wb") as made:
                made.write(name)
        server.root.chmod(0o777)
        path = add_connector(account.server, account.name, "West", [*server.options(), "--character-set", "windows-1252"],
                             stdin="x\n" if server.kind == "ftp" else "")
        yield server.root, path


def on_disk(folder):
    return set(os.listdir(bytes(folder)))


def test_names_of_another_character_set(western, account):
    folder, path = western
    client = account.client
    assert set(client.names(path)) == set(NAMES)
    for name, on_server in NAMES.items():
        assert client.content(f"{path}/{name}") == on_server
    client.put(f"{path}/œuvre", b"new")
    client.rename(f"{path}/café", "crème").ok()
    client.delete(f"{path}/50 €").ok()
    client.make_folder(path, "été").ok()
    assert on_disk(folder) == {b"\x9cuvre", b"cr\xe8me", b"\xe9t\xe9"}
    assert set(client.names(path)) == {"œuvre", "crème", "été"}


@pytest.mark.parametrize("path", [".\u200b./.\u200b./etc/passwd", "\u200b", "caf\u200bé", "50 €\u200e", ".coffer\u2060-bin"])
def test_a_name_with_something_invisible_is_no_other_name(western, account, path):
    folder, mount = western
    before = on_disk(folder)
    client = account.client
    client.download(f"{mount}/{path}").fails(400)
    client.delete(f"{mount}/{path}").fails(400)
    client.make_folder(mount, path.split("/")[0]).fails(400)
    client.rename(f"{mount}/café", path.split("/")[0]).fails(400)
    assert on_disk(folder) == before


def test_a_name_that_the_set_lacks(western, account):
    folder, path = western
    before = on_disk(folder)
    refused = account.client.make_folder(path, "日本").fails(400)
    assert "windows-1252" in str(refused) and "日" in str(refused)
    account.client.rename(f"{path}/café", "日本").fails(400)
    assert on_disk(folder) == before
