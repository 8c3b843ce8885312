"""What a copy keeps and what it sends: times, and no content where the server itself can copy."""

import itertools
import os

import pytest

from faulty_mount import CONTENT, SIZE, both, of_sftp
from mounting import at, contents, open_to_all, plant
from places import KINDS, one_of_each
from remote_servers import PureFtpd

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
