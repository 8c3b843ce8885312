"""Mounts whose servers cannot be reached, or whose lines break at the login, or are slow."""

import pytest

from client import form
from faulty_line import DOWN, UP
from faulty_mount import CONTENT, KINDS, OLD, SIZE, at_once, both, of_ftp, of_sftp
from mounting import contents


@pytest.mark.parametrize("how", ["dropped", "garbled"])
@both
def test_no_connection(mount, how):
    if how == "dropped":
        mount.line.drop()
    else:
        mount.line.drop(b"\x81\xfe\x00 nothing that makes sense\r\n" * 20)
    mount.fails(mount.client.list(mount.path))
    mount.others_work()
    mount.fails(mount.client.upload(mount.path, form(("a", CONTENT))))
    assert mount.visible() == {}
    mount.again(lambda: mount.client.upload(mount.path, form(("a", CONTENT))))
    assert mount.visible() == {"a": CONTENT}


def all_kinds_of_work_without_a_connection(mount):
    client = mount.client
    mount.plant("there", OLD)
    client.put("own", CONTENT)
    mount.line.refuse()
    for call in (lambda: client.list(mount.path), lambda: client.info(mount.at("there")),
                 lambda: client.download(mount.at("there")), lambda: client.make_folder(mount.path, "new"),
                 lambda: client.make_file(mount.path, "new"), lambda: client.rename(mount.at("there"), "new"),
                 lambda: client.delete(mount.at("there")), lambda: client.copy(mount.at("there"), mount.path),
                 lambda: client.copy(mount.at("there")), lambda: client.move(mount.at("there")),
                 lambda: client.copy("own", mount.path), lambda: client.move("own", mount.path),
                 lambda: client.copy(mount.path), lambda: client.upload(mount.path, form(("there", CONTENT)))):
        mount.fails(call())
    mount.others_work()
    assert mount.visible() == {"there": OLD}
    assert contents(mount.account.root) == {"own": CONTENT} and client.used() == SIZE
    mount.again(lambda: client.move("own", mount.path))
    assert mount.visible() == {"there": OLD, "own": CONTENT}


@of_sftp
def test_wrong_bits_at_the_login(mount):
    mount.line.fault("garble", after=0, direction=DOWN, times=100)
    mount.fails(mount.client.list(mount.path))
    mount.others_work()
    assert mount.again(lambda: mount.client.list(mount.path)).ok() == []


FTP_LOGIN = [(UP, b"USER"), (DOWN, b"331"), (UP, b"PASS"), (DOWN, b"230"), (UP, b"PWD"), (UP, b"FEAT")]


@pytest.mark.parametrize("direction, line", FTP_LOGIN, ids=[line.decode() for _, line in FTP_LOGIN])
@of_ftp
def test_ftp_is_cut_at_the_login(mount, direction, line):
    fault = mount.line.fault("cut", line=line, direction=direction, times=100)
    mount.fails(mount.client.list(mount.path))
    assert fault.happened
    mount.others_work()
    assert mount.again(lambda: mount.client.list(mount.path)).ok() == []


@pytest.mark.parametrize("direction, after", [(DOWN, 10), (DOWN, 300), (UP, 300), (DOWN, 1500), (UP, 1500), (UP, 2000)])
@of_sftp
def test_sftp_is_cut_at_the_login(mount, direction, after):
    fault = mount.line.fault("cut", after=after, direction=direction, dies=True)
    mount.fails(mount.client.list(mount.path))
    assert fault.happened
    mount.others_work()
    assert mount.again(lambda: mount.client.list(mount.path)).ok() == []


def use_a_slow_line(mount):
    content = CONTENT[:200_000]
    mount.line.slow(500, 0.0005)
    mount.client.put(mount.at("file"), content)
    assert mount.client.content(mount.at("file")) == content
    assert mount.client.names(mount.path) == ["file"]
    mount.client.copy(mount.at("file")).ok()
    mount.client.rename(mount.at("file"), "first").ok()
    mount.client.move("file", mount.path).ok()
    assert mount.visible() == {"file": content, "first": content}


@both
def test_connections_that_died_at_rest_are_made_anew_unseen(mount):
    mount.plant("file", OLD)
    mount.client.list(mount.path).ok()
    mount.line.refuse()
    mount.line.mend()
    assert mount.client.names(mount.path) == ["file"]
    mount.line.refuse()
    mount.line.mend()
    assert mount.client.content(mount.at("file")) == OLD
    mount.line.refuse()
    mount.line.mend()
    mount.client.upload(mount.path, form(("other", CONTENT))).ok()
    assert mount.visible() == {"file": OLD, "other": CONTENT}


def ask_a_dead_mount(mount):
    """After three failures it is asked every few seconds, not by each request."""
    mount.line.drop()
    for _ in range(3):
        mount.fails(mount.client.list(mount.path))
    asked = mount.line.accepted
    for _ in range(50):
        mount.fails(mount.client.list(mount.path))
    assert mount.line.accepted - asked < 50
    mount.others_work()
    assert mount.again(lambda: mount.client.list(mount.path)).ok() == []


def test_a_dead_mount_hurts_no_other(make_mount):
    dead, alive = make_mount("ftp"), make_mount("ftp")
    dead.line.drop()
    for _ in range(4):
        dead.fails(dead.client.list(dead.path))
        assert alive.client.list(alive.path).ok() == []


def test_lines_that_serve_badly_or_not_at_all(make_mount):
    """And meanwhile mounts whose lines do."""
    at_once(make_mount, [(kind, work) for kind in KINDS for work in
                         (all_kinds_of_work_without_a_connection, ask_a_dead_mount, use_a_slow_line)])
