"""Disks that lack steps that ext4 has: flags of renameat2, files without a name, hard links, times. All works there, and what is promised less stands in docs/guarantees.md."""

import contextlib
import pathlib
import random
import sys

import pytest

from client import Client, form
from few_flags import REFUSED
from fuse_disks import FUSE_DISKS, fuse_disk
from mounting import contents, scratch
from people import Person
from places import Place, work_in
from server import disk_bytes, eventually
from test_crash_campaign import SEED, Campaign
from test_people_bin import in_bin
from test_people_tasks import do
from tus import Tus

FEW_FLAGS = pathlib.Path(__file__).with_name("few_flags.py")
LACKING = {
    "zfs": "noreplace,exchange",
    "nfs": "noreplace,exchange,tmpfile",
    "smb": "exchange,tmpfile",
    "exfat": "exchange,tmpfile,link",
    "plain": ",".join(REFUSED),
}
LARGE = bytes(range(256)) * 2000


@contextlib.contextmanager
def server_without(build_server, lacking):
    server = build_server()
    if lacking:
        server.in_front = (sys.executable, str(FEW_FLAGS), lacking)
    server.start()
    try:
        yield server
    finally:
        server.stop()


def places_on(server, description, shared):
    account = server.add_account(None, "64MiB")
    share = server.cli_json("share", "add", "--name", "Shared", "--target", shared, "--account", account)
    client = Client(server, server.create_key(account)["key"], description)
    return client, Place("own", "", server.files_of(account)), Place("shared", f"__adm_{share['id']}", shared)


def replace_in_all_ways(server, client, place, keeps_versions):
    """Over what `work_in` left."""
    tus = Tus(server, client.key)
    place.plant({"folder/f.txt": b"old", "folder/sub/deep": LARGE})
    client.upload(place.path, form(("a.txt", LARGE), ("new.txt", b"new"), ("b.txt", b"b"))).ok()
    client.upload(place.path, form(("a.txt", b"small again"), ("b.txt", LARGE))).ok()
    for content in (b"tus", LARGE):
        tus.put(content, name="new.txt", folder=place.path, onConflict="replace", modified="2001-09-09T01:46:40")
        assert client.content(place.at("new.txt")) == content
    tus.ask_for(3, name="new.txt", folder=place.path, onConflict="fail").is_(409)
    tus.put(b"beside", name="new.txt", folder=place.path, onConflict="keepBoth")
    assert client.content(place.at("new (2).txt")) == b"beside"
    person = Person(server, key=client.key)
    tag = person.call("PUT", f"files/content?path={place.at('b.txt')}", raw=b"put",
                      headers={"Content-Type": "application/octet-stream"}).headers["ETag"]
    for status in (204, 412) if keeps_versions else (412,):  # Whoever has not seen the last one replaces nothing.
        answer = person.call("PUT", f"files/content?path={place.at('b.txt')}", raw=b"put again",
                             headers={"Content-Type": "application/octet-stream", "If-Match": tag if keeps_versions else '"other"'})
        assert answer.status_code == status, answer.text
    assert client.content(place.at("b.txt")) == (b"put again" if keeps_versions else b"put")


def change_in_all_ways(server, client, here, there):
    person = Person(server, key=client.key)
    path = here.at("folder")
    assert do(person, "delete", [path])["state"] == "done"
    assert do(person, "restore", [in_bin(person, path)["id"]])["state"] == "done"
    client.rename(path, "renamed").ok()
    assert "itself" in client.move(here.at("renamed"), here.at("renamed/sub")).fails(400)
    client.rename(here.at("renamed"), "a.txt").fails(409)
    client.copy(here.at("renamed"), there.path).ok()
    client.move(there.at("renamed"), here.at("renamed")).ok()
    client.move(here.at("renamed/renamed"), there.path).ok()
    client.make_folder(here.path, "target").ok()
    for conflict in ("fail", "replace", "keepBoth"):
        task = do(person, "copy", [here.at("renamed"), here.at("a.txt")], here.at("target"), onConflict=conflict)
        assert task["state"] == "done", task
    assert sorted(client.names(here.at("target"))) == ["a (2).txt", "a.txt", "renamed", "renamed (2)"]
    client.delete(here.at("target")).ok()
    client.delete(there.at("renamed")).ok()
    assert contents(here.folder / "renamed") == {"f.txt": b"old", "sub": None, "sub/deep": LARGE}


def check_all(server, shared, description, keeps_versions=True):
    client, own, share = places_on(server, description, shared)
    for here, there in ((own, share), (share, own)):
        work_in(client, here)
        replace_in_all_ways(server, client, here, keeps_versions)
        change_in_all_ways(server, client, here, there)
        for name in {name.partition("/")[0] for name in here.visible()}:
            client.delete(here.at(name)).ok()
    eventually(lambda: client.used() == disk_bytes(own.folder), "the true figure")
    assert "0 problems" in server.cli("check").stdout
    assert not [name for name in share.everything() if ".coffer-part" in name]


@pytest.mark.parametrize("kind", LACKING)
def test_all_works_on_a_disk_that_lacks_steps(build_server, description, kind):
    with scratch("shared") as shared, server_without(build_server, LACKING[kind]) as server:
        check_all(server, shared, description)


@pytest.mark.parametrize("program", FUSE_DISKS)
def test_all_works_on_a_disk_of_fuse(build_server, description, program):
    with fuse_disk(program) as shared, server_without(build_server, None) as server:
        # These give an open file another number than the file of that name.
        check_all(server, shared, description, keeps_versions=program not in ("mergerfs", "sshfs"))


@pytest.mark.parametrize("kind", ["nfs", "plain"])
def test_a_disk_that_lacks_steps_keeps_its_promises_in_a_crash(build_server, account_on, kind):
    print(f"COFFER_TEST_SEED={SEED}")
    with scratch("shared") as shared, server_without(build_server, LACKING[kind]) as server:
        made = server.cli_json("share", "add", "--name", "Shared", "--target", shared, "--everyone")
        accounts = [account_on(server, "8GiB"), account_on(server)]
        campaign = Campaign(server, accounts, f"__adm_{made['id']}", shared, random.Random(SEED))
        for round_number in range(3):
            campaign.crash(round_number)
            campaign.start()
            campaign.check()
