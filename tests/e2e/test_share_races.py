"""Shares whose folders change under the requests, and copies from them that come together."""

import os
import threading

import pytest

from client import form
from mounting import Call, contents, scratch
from server import disk_bytes, eventually

SECRET = b"outside of the share"
ROUNDS = 100
QUOTA = 1_000_000


@pytest.fixture
def shared(server, make_account):
    """A shared folder, who sees it, and where for him."""
    with scratch("shared") as folder:
        account = make_account(str(QUOTA))
        made = server.cli_json("share", "add", "--name", account.name, "--target", folder, "--account", account.name)
        account.folder, account.path = folder, f"__adm_{made['id']}"
        yield account
        server.cli("share", "remove", account.name)


def test_a_link_swapped_in_never_leads_out_of_a_share(shared, tmp_path):
    """`swap` is by turns a folder of the share and a link to the outside. What is answered is of the inside."""
    outside, folder, client, path = tmp_path / "outside", shared.folder, shared.client, shared.path
    (outside / "sub").mkdir(parents=True)
    (outside / "file").write_bytes(SECRET)
    (folder / "real/sub").mkdir(parents=True)
    (folder / "real/file").write_bytes(b"inside")
    (folder / "copies").mkdir()
    before, done, swaps = contents(outside), threading.Event(), 0

    def swap():
        nonlocal swaps
        while not done.is_set():
            (folder / "swap").symlink_to(outside)
            os.unlink(folder / "swap")
            os.rename(folder / "real", folder / "swap")
            os.rename(folder / "swap", folder / "real")
            swaps += 1

    swapper = Call(swap)
    try:
        for number in range(ROUNDS):
            answer = client.download(f"{path}/swap/file")
            assert (answer.status, answer.content) == (200, b"inside") or answer.status == 404, answer
            answers = [client.list(f"{path}/swap"), client.info(f"{path}/swap/file"),
                       client.copy(f"{path}/swap/file", f"{path}/copies"), client.copy(f"{path}/swap/file"),
                       client.upload(f"{path}/swap", form((f"planted {number}", b"x"))),
                       client.make_file(f"{path}/swap", f"made {number}"), client.delete(f"{path}/swap/sub"),
                       client.rename(f"{path}/swap/file", "renamed")]
            for answer in answers:
                assert answer.status in (200, 404, 409) and SECRET not in answer.content, answer
            client.rename(f"{path}/real/renamed", "file")
            for copy in (f"{path}/copies/file", "file"):
                if client.info(copy).status == 200:
                    assert client.content(copy) == b"inside"
                    client.delete(copy).ok()
    finally:
        done.set()
        swapper.result()
    assert swaps > ROUNDS and contents(outside) == before


def test_a_share_whose_folder_is_swapped_for_a_link_never_leaves(shared, tmp_path):
    """By turns the folder itself is a link to the outside. What is answered is of the folder, or nothing."""
    outside, folder, client, path = tmp_path / "outside", shared.folder, shared.client, shared.path
    outside.mkdir()
    (outside / "file").write_bytes(SECRET)
    (folder / "file").write_bytes(b"inside")
    aside, before, done, swaps = folder.with_name(f"{folder.name}.aside"), contents(outside), threading.Event(), 0

    def swap():
        nonlocal swaps
        while not done.is_set():
            folder.rename(aside)
            folder.symlink_to(outside)
            folder.unlink()
            aside.rename(folder)
            swaps += 1

    swapper = Call(swap)
    try:
        for number in range(ROUNDS):
            answers = [client.download(f"{path}/file"), client.list(path), client.copy(f"{path}/file"), client.delete("file"),
                       client.upload(path, form((f"new {number}", b"x"))), client.delete(f"{path}/new {number}")]
            for answer in answers:
                assert answer.status in (200, 404, 409, 502) and SECRET not in answer.content, answer
    finally:
        done.set()
        swapper.result()
    assert swaps > ROUNDS and contents(outside) == before
    assert client.content(f"{path}/file") == b"inside"


def test_copies_from_a_share_at_once_never_pass_the_quota(shared):
    """Nine of a fifth each: five fit."""
    size = QUOTA // 5
    for number in range(9):
        (shared.folder / f"tree {number}").mkdir()
        for part in range(4):
            (shared.folder / f"tree {number}/{part}").write_bytes(os.urandom(size // 4))
    calls = [Call(lambda number=number: shared.client.with_key(shared.key).copy(f"{shared.path}/tree {number}"))
             for number in range(9)]
    while any(call.is_alive() for call in calls):
        assert disk_bytes(shared.root) <= QUOTA and shared.client.used() <= QUOTA
    statuses = sorted(call.result().status for call in calls)
    assert statuses == [200] * 5 + [413] * 4
    assert shared.client.used() == QUOTA == disk_bytes(shared.root)
    shared.client.copy(f"{shared.path}/tree 0/0").fails(413)
    copied = {name for name in shared.client.names() if name.startswith("tree ")}
    assert len(copied) == 5
    for name in copied:
        assert contents(shared.root / name) == contents(shared.folder / name)
        shared.client.delete(name).ok()
    eventually(lambda: shared.client.used() == 0, "the figure to follow")
