"""How often a drive is asked for many small files, which is what their transfer takes; and that as few requests tell
all the same when something is wrong."""

import collections
import random
import threading

import pytest

from client import form
from driving import fails
from fake_dav import LOST
from mounting import Call, at, contents, is_partial, plant
from server import PATIENCE_S, eventually

FOLDERS, FILES = 3, 40
# What a provider may call a file, and rclone's filters take for more than its letters.
NAMES = [f"file {number}" for number in range(FILES - 6)] + ["a{b}", "x}}y", "{{z}}", "*?", "ü $^[c] (d)|", "- + #"]
TREE = {"tree": None}
for folder in range(FOLDERS):
    TREE[f"tree/{folder}"] = None
    TREE |= {f"tree/{folder}/{name}": random.Random(f"{folder} {name}").randbytes(4096) for name in NAMES}
COUNT = FOLDERS * FILES


def counted(dav, work):
    """What the drive was asked meanwhile, by method."""
    before = len(dav.asked)
    work().ok()
    return collections.Counter(method for method, _ in dav.asked[before:])


def of_account(account):
    return {name: content for name, content in contents(account.root).items() if name != "own"}


@pytest.fixture
def full(fake, account):
    """A drive that holds the tree, and its path."""
    dav, path = fake({})
    dav.kept.update(TREE)
    account.client.list(path).ok()
    return dav, path


@pytest.fixture
def empty(fake, account):
    """A drive that holds nothing, for an account that has the tree."""
    dav, path = fake({})
    plant(account.root, TREE)
    account.client.list(path).ok()
    return dav, path


@pytest.mark.parametrize("verb", ["copy", "move"])
def test_small_files_go_to_a_drive_with_three_requests_each(empty, account, verb):
    """rclone makes the folder, puts the file and looks at it."""
    dav, path = empty
    asked = counted(dav, lambda: getattr(account.client, verb)("tree", path))
    assert dav.contents() == TREE
    assert asked["PUT"] == COUNT and asked["MOVE"] == 1
    assert asked.total() <= 3 * COUNT + 10 * (FOLDERS + 1) + 12, asked
    assert ("tree" in contents(account.root)) == (verb == "copy")


@pytest.mark.parametrize("verb", ["copy", "move"])
def test_small_files_come_from_a_drive_with_one_request_each(full, account, verb):
    dav, path = full
    asked = counted(dav, lambda: getattr(account.client, verb)(at(path, "tree"), ""))
    assert of_account(account) == TREE
    assert asked["GET"] == COUNT
    assert asked.total() <= COUNT + 15 * (FOLDERS + 1), asked
    assert dav.contents() == (TREE if verb == "copy" else {})


@pytest.mark.parametrize("how, status", [(403, 403), (500, 502), (507, 502), (LOST, 502)])
@pytest.mark.parametrize("verb", ["copy", "move"])
def test_a_file_that_a_drive_does_not_take_leaves_nothing(empty, account, verb, how, status):
    dav, path = empty
    dav.refuse = lambda method, where: how if method == "PUT" and where.endswith("1/file 7") else None
    fails(getattr(account.client, verb)("tree", path), status)
    eventually(lambda: dav.contents() == {}, "nothing to stay")
    assert of_account(account) == TREE


def test_a_file_that_a_drive_cuts_is_not_taken_for_whole(empty, account):
    dav, path = empty

    def cut(method, where):
        if method == "PROPFIND" and is_partial(where):
            dav.kept.update({name: b"short" for name in dav.kept if name.endswith("1/file 7")})

    dav.before = cut
    account.client.move("tree", path).fails(500, 502)
    eventually(lambda: dav.contents() == {}, "nothing to stay")
    assert of_account(account) == TREE


@pytest.mark.parametrize("verb", ["copy", "move"])
def test_a_file_that_a_drive_does_not_give_leaves_nothing(full, account, verb):
    dav, path = full
    dav.refuse = lambda method, where: 403 if method == "GET" and where.endswith("1/file 7") else None
    fails(getattr(account.client, verb)(at(path, "tree"), ""), 403, 502)
    assert of_account(account) == {} and dav.contents() == TREE


def test_a_file_that_changes_while_it_comes_is_one_or_the_other(full, account):
    """In its content and time, and not in its size."""
    dav, path = full
    where, new = "tree/1/file 7", bytes(4096)

    def change(method, asked):
        if method == "GET" and asked == where:
            with dav.lock:
                dav.kept[where] = new
                dav.times[where] = "Sun, 06 Nov 2024 08:49:37 GMT"

    dav.before = change
    answer = account.client.move(at(path, "tree"), "")
    if answer.status == 200:
        assert contents(account.root)[where] == new
    else:
        assert of_account(account) == {} and dav.contents() == TREE | {where: new}


def test_a_file_that_goes_while_others_come_is_left_out(full, account):
    dav, path = full
    gone = "tree/1/file 7"

    def go(method, asked):
        if method == "GET" and asked.startswith("tree/1/"):
            with dav.lock:
                dav.kept.pop(gone, None)

    dav.before = go
    account.client.copy(at(path, "tree"), "").ok()
    assert of_account(account) == {name: content for name, content in TREE.items() if name != gone}


def test_an_upload_does_not_wait_for_another_that_the_drive_is_slow_to_show(fake, account):
    dav, path = fake({"slow": b"old"})
    account.client.list(path).ok()
    held, go_on = threading.Event(), threading.Event()

    def hold(method, where):
        if method == "MOVE" and where == "slow":
            held.set()
            assert go_on.wait(PATIENCE_S)

    dav.before = hold
    slow = Call(lambda: account.client.upload(path, form(("slow", b"new"))))
    assert held.wait(PATIENCE_S)
    account.client.upload(path, form(("quick", b"content"))).ok()
    account.client.make_folder(path, "folder").ok()
    assert dav.contents()["quick"] == b"content" and slow.is_alive()
    go_on.set()
    slow.result().ok()
    eventually(lambda: dav.contents() == {"slow": b"new", "quick": b"content", "folder": None}, "what was replaced to go")
