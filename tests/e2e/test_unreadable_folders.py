"""Folders on a server that it may not read: vsftpd lists them as empty, and says in words alone that it did not look. The
sshd of these tests is root, who may read all."""

import os

import pytest

from client import Client
from mounting import add_connector, contents, is_partial, started
from people import Person
from places import Place
from remote_servers import FtpServer, PureFtpd
from test_people_bin import bin_of, delete
from test_people_tasks import do

CONTENT = {"tree/open/a": b"a", "tree/shut/b": b"b"}


@pytest.fixture(params=[FtpServer, PureFtpd], ids=["vsftpd", "pure-ftpd"])
def place(request, server):
    with started(request.param) as remotes:
        remote, = remotes.values()
        account = server.add_account()
        path = add_connector(server, account, "far", remote.options(), stdin="secret\n")
        made = Place(remote.kind, path, remote.root)
        made.plant(CONTENT)
        made.server, made.account = server, account
        yield made


@pytest.fixture
def client(place):
    return Client(place.server, place.server.create_key(place.account)["key"])


def shut(folder, mode):
    """For the server's user, who is neither its owner nor of its group."""
    os.chown(folder, 0, 0)
    folder.chmod(mode)


def files_of(place):
    return {name: content for name, content in contents(place.folder, but=is_partial).items() if content is not None}


def test_what_may_not_be_read_is_not_taken_for_empty(place, client):
    shut(place.folder / "tree/shut", 0o711)
    client.list(place.at("tree/shut")).fails(403, 404, 502)
    client.copy(place.at("tree"), "").fails(403, 404, 409, 502)
    client.move(place.at("tree"), "").fails(403, 404, 409, 502)
    assert contents(place.server.files_of(place.account)) == {}
    client.make_folder(place.path, "within").ok()
    client.copy(place.at("tree"), place.at("within")).fails(403, 404, 409, 502)
    assert files_of(place) == CONTENT


def test_what_may_not_be_read_is_not_gone_from_the_bin(place):
    person = Person(place.server, key=place.server.create_key(place.account)["key"])
    item = delete(person, place.at("tree"))[0]
    folder = place.folder / ".coffer-bin"
    before = folder.stat()
    shut(folder / item, 0)
    shut(folder, 0o733)
    answers = [do(person, "restore", [item])["state"], person.call("DELETE", "bin/" + item).status_code]
    assert (folder / item / "shut/b").exists()
    assert [entry["id"] for entry in bin_of(person)] == [item], answers
    os.chown(folder, before.st_uid, before.st_gid)
    folder.chmod(before.st_mode & 0o7777)
    os.chown(folder / item, before.st_uid, before.st_gid)
    (folder / item).chmod(0o755)
    assert do(person, "restore", [item])["state"] == "done"
    assert files_of(place) == CONTENT
