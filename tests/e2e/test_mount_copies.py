"""What a copy keeps and what it sends: times, and no content where the server itself can copy."""

import itertools
import os

import pytest

from faulty_mount import CONTENT, SIZE, both, of_sftp
from mounting import at, contents, open_to_all, plant
from places import KINDS, one_of_each, work_in
from remote_servers import PureFtpd, SftpServerWithoutTimes

OF_1601_S, OF_2500_S = -11_644_473_600, 16_725_225_600
LONG_AGO_S = 1_234_567_890
TREE = {"file": b"hello", "deep/below/file": b"x" * 100_000, "empty": None}


def moved_bytes(line):
    return sum(line.passed.values())


@both
def test_a_rename_sends_no_content(mount):
    mount.plant("folder/file", CONTENT)
    mount.client.list(mount.path).ok()
    before = moved_bytes(mount.line)
    mount.client.rename(mount.at("folder/file"), "other").ok()
    mount.client.move(mount.at("folder/other"), mount.path).ok()
    mount.client.rename(mount.at("folder"), "renamed").ok()
    assert mount.visible() == {"renamed": None, "other": CONTENT}
    assert moved_bytes(mount.line) - before < SIZE // 20


@of_sftp
def test_a_copy_within_sftp_sends_no_content(mount):
    mount.plant("folder/file", CONTENT)
    mount.plant("target/old", b"old")
    mount.client.list(mount.path).ok()
    before = moved_bytes(mount.line)
    mount.client.copy(mount.at("folder/file"), mount.at("target")).ok()
    mount.client.copy(mount.at("folder"), mount.at("target")).ok()
    assert contents(mount.folder / "target") == {"old": b"old", "file": CONTENT, "folder": None, "folder/file": CONTENT}
    assert moved_bytes(mount.line) - before < SIZE // 20


@pytest.fixture(scope="module")
def places(build_server, description):
    """This FTP server lets times be set."""
    with one_of_each(build_server, description, ftp=PureFtpd) as made:
        yield made


def times_of(folder):
    return {str(item.relative_to(folder)): int(item.stat().st_mtime) for item in folder.rglob("*") if item.is_file()}


@pytest.mark.parametrize("verb", ["copy", "move"])
@pytest.mark.parametrize("route", itertools.product(KINDS, KINDS), ids="-to-".join)
def test_files_keep_their_times(places, tmp_path, route, verb):
    client = places.client
    source, target = (places[kind] for kind in route)
    plant(source.folder / "from", {f"tree/{name}": content for name, content in TREE.items()})
    for item in (source.folder / "from/tree").rglob("*"):
        os.utime(item, (LONG_AGO_S, LONG_AGO_S))
    (target.folder / "to").mkdir()
    open_to_all(target.folder / "to")
    try:
        before = times_of(source.folder / "from/tree")
        getattr(client, verb)(at(source.path, "from/tree"), at(target.path, "to")).ok()
        assert times_of(target.folder / "to/tree") == before == dict.fromkeys(before, LONG_AGO_S)
        shown = client.info(at(target.path, "to/tree/file")).ok()
        assert shown["modifiedAt"] == "2009-02-13T23:31:30"
    finally:
        for path in (at(source.path, "from"), at(target.path, "to")):
            client.delete(path).ok()


@pytest.mark.parametrize("verb", ["copy", "move"])
@pytest.mark.parametrize("route", [route for route in itertools.product(KINDS, KINDS) if len(set(route)) == 2], ids="-to-".join)
def test_a_time_that_cannot_be_kept_is_no_time(places, route, verb):
    """A file system in memory holds such times, a disk the nearest that it knows."""
    client = places.client
    source, target = (places[kind] for kind in route)
    plant(source.folder / "from", {"early": b"early", "late": b"late"})
    (target.folder / "to").mkdir()
    open_to_all(target.folder / "to")
    for name, time_s in (("early", OF_1601_S), ("late", OF_2500_S)):
        os.utime(source.folder / "from" / name, (time_s, time_s))
    try:
        for name in ("early", "late"):
            getattr(client, verb)(at(source.path, f"from/{name}"), at(target.path, "to")).ok()
            assert client.content(at(target.path, f"to/{name}")) == name.encode()
        assert client.info(at(target.path, "to/late")).ok()["modifiedAt"] < "2100"
    finally:
        for path in (at(source.path, "from"), at(target.path, "to")):
            client.delete(path).ok()


def test_a_server_that_sets_no_times_is_written_to(build_server, description):
    with one_of_each(build_server, description, sftp=SftpServerWithoutTimes) as places:
        work_in(places.client, places["sftp"])
        plant(places["own"].folder, {f"tree/{name}": content for name, content in TREE.items()})
        places.client.copy("tree", places["sftp"].path).ok()
        places.client.copy(places["sftp"].at("tree"), places["sftp"].at("folder")).fails(404)
        places.client.make_folder(places["sftp"].path, "folder").ok()
        places.client.copy(places["sftp"].at("tree"), places["sftp"].at("folder")).ok()
        assert contents(places["sftp"].folder / "folder/tree") == contents(places["own"].folder / "tree")
