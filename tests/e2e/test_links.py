"""Symbolic links and other things that are neither file nor folder, put on the disk behind the server's back."""

import os
import socket
import stat
import threading

import pytest

from client import form
from server import tree_of

SECRET = b"outside the account"


@pytest.fixture
def linked(account, tmp_path):
    """An account full of links; `outside` is a folder that no request may reach."""
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.txt").write_bytes(SECRET)
    (outside / "sub").mkdir()
    root = account.root
    (root / "d/inner").mkdir(parents=True)
    (root / "d/real.txt").write_bytes(b"real")
    (root / "other.txt").write_bytes(b"other")
    links = {
        "good-file": "d/real.txt", "good-folder": "d", "d/up": "../other.txt", "d/sideways": "inner",
        "absolute": str(root / "d/real.txt"), "absolute-folder": str(root / "d"), "leaving": str(outside),
        "leaving-file": str(outside / "secret.txt"), "climbing": os.path.relpath(outside, root),
        "climbing-file": os.path.relpath(outside / "secret.txt", root), "account": "..", "broken": "no-such",
        "loop": "loop", "loop-a": "loop-b", "loop-b": "loop-a", "magic": "/proc/self/root", "cwd": "/proc/self/cwd",
    }
    for name, target in links.items():
        (root / name).symlink_to(target)
    account.outside = outside
    return account


HIDDEN = ["absolute", "absolute-folder", "leaving", "leaving-file", "climbing", "climbing-file", "account", "broken",
          "loop", "loop-a", "magic", "cwd"]


def test_links_beneath_the_root_are_followed(linked):
    client = linked.client
    assert client.content("good-file") == b"real" and client.content("good-folder/real.txt") == b"real"
    assert client.content("d/up") == b"other"
    assert client.info("good-folder").ok()["isDirectory"] and client.info("good-file").ok()["size"] == 4
    assert set(client.names("good-folder")) == {"inner", "sideways", "real.txt", "up"}
    assert client.names("d/sideways") == []


def test_only_links_that_lead_somewhere_are_listed(linked):
    entries = {entry["name"]: entry for entry in linked.client.list().ok()}
    assert set(entries) == {"d", "good-folder", "good-file", "other.txt"}
    assert entries["good-folder"]["isDirectory"] and not entries["good-file"]["isDirectory"]
    assert entries["good-file"]["size"] == 4


@pytest.mark.parametrize("name", HIDDEN)
def test_other_links_are_as_if_they_were_not_there(linked, name):
    client = linked.client
    for path in (name, name + "/", name + "/secret.txt", name + "/sub"):
        for answer in (client.info(path), client.download(path), client.list(path), client.copy(path, "d"),
                       client.make_file(path, "new"), client.upload(path, form(("new", b"x"))),
                       client.copy("other.txt", path), client.move("other.txt", path),
                       client.create_key("k", path)):
            answer.fails(404)
    assert tree_of(linked.outside) == {"secret.txt", "sub/"}
    assert linked.client.names("d/inner") == []


@pytest.mark.parametrize("name", HIDDEN)
def test_nothing_is_made_moved_or_deleted_through_such_a_link(linked, name):
    client = linked.client
    for path in (name + "/secret.txt", name + "/sub"):
        for answer in (client.delete(path), client.rename(path, "x"), client.move(path, "d")):
            answer.fails(404)
    assert client.make_folder(name, "new").status in (404, 409, 400)
    assert client.make_folder(name + "/sub", "new").status in (404, 409, 400)
    assert tree_of(linked.outside) == {"secret.txt", "sub/"}
    assert (linked.outside / "secret.txt").read_bytes() == SECRET


@pytest.mark.parametrize("name", ["leaving-file", "climbing-file", "broken", "absolute"])
def test_uploading_onto_such_a_link_never_writes_through_it(linked, name):
    linked.client.upload("", form((name, b"overwritten")))
    linked.client.make_file("", name)
    assert (linked.outside / "secret.txt").read_bytes() == SECRET
    assert (linked.root / "d/real.txt").read_bytes() == b"real"
    assert not (linked.root / "no-such").exists()


@pytest.mark.parametrize("name, target", [("good-file", "d/real.txt"), ("good-folder", "d"), ("d/up", "other.txt")])
def test_delete_removes_the_link_and_never_its_target(linked, name, target):
    linked.client.delete(name).ok()
    assert not os.path.lexists(linked.root / name) and (linked.root / target).exists()
    assert linked.client.content("d/real.txt") == b"real"


@pytest.mark.parametrize("name", HIDDEN)
def test_delete_of_any_link_leaves_its_target(linked, name):
    answer = linked.client.delete(name)
    assert answer.status in (200, 404)
    assert (linked.outside / "secret.txt").read_bytes() == SECRET and (linked.outside / "sub").is_dir()
    assert (linked.root / "d/real.txt").read_bytes() == b"real"


def test_delete_of_a_tree_follows_no_link(linked):
    tree = linked.root / "tree"
    tree.mkdir()
    (tree / "out").symlink_to(linked.outside)
    (tree / "relative").symlink_to("../d")
    (tree / "file").symlink_to("../other.txt")
    os.mkfifo(tree / "fifo")
    linked.client.delete("tree").ok()
    assert tree_of(linked.outside) == {"secret.txt", "sub/"}
    assert linked.client.content("d/real.txt") == b"real" and linked.client.content("other.txt") == b"other"


def test_copy_of_a_tree_leaves_links_out(linked):
    tree = linked.root / "tree"
    tree.mkdir()
    (tree / "plain.txt").write_bytes(b"plain")
    (tree / "out").symlink_to(linked.outside)
    (tree / "relative").symlink_to("plain.txt")
    os.mkfifo(tree / "fifo")
    linked.client.copy("tree", "d").ok()
    assert tree_of(linked.root / "d/tree") == {"plain.txt"}


def test_for_a_scoped_key_its_folder_is_the_root(linked):
    scoped = linked.client.scoped("d")
    scoped.download("up").fails(404)
    scoped.info("up").fails(404)
    assert set(scoped.names()) == {"inner", "sideways", "real.txt"}
    assert scoped.names("sideways") == []


@pytest.fixture
def special(account):
    names = {"fifo", "socket"}
    os.mkfifo(account.root / "fifo")
    with socket.socket(socket.AF_UNIX) as listener:
        here = os.getcwd()
        os.chdir(account.root)  # The path of a socket has room for 107 bytes.
        try:
            listener.bind("socket")
        finally:
            os.chdir(here)
    try:
        os.mknod(account.root / "device", stat.S_IFCHR | 0o666, os.makedev(1, 5))
        names.add("device")
    except PermissionError:
        pass  # Only root makes devices.
    (account.root / "to-fifo").symlink_to("fifo")
    account.special = names | {"to-fifo"}
    return account


def test_fifos_sockets_and_devices_are_neither_listed_nor_opened(special):
    client = special.client
    client.make_folder("", "d").ok()
    assert client.names() == ["d"]
    for name in special.special:
        for answer in (client.info(name), client.download(name), client.list(name), client.copy(name, "d"),
                       client.upload(name, form(("x", b"x")))):
            answer.fails(404)
    assert client.names("d") == []


def test_a_link_swapped_in_while_requests_run_never_leads_outside(linked):
    """The folder `swap` is by turns real and a link to the outside; every answer is one of the two worlds'."""
    root, client = linked.root, linked.client
    (root / "real").mkdir()
    (root / "real/secret.txt").write_bytes(b"inside")
    done = threading.Event()

    def swap():
        while not done.is_set():
            (root / "swap").symlink_to(linked.outside)
            os.unlink(root / "swap")
            os.rename(root / "real", root / "swap")
            os.rename(root / "swap", root / "real")

    swapper = threading.Thread(target=swap)
    swapper.start()
    try:
        for _ in range(150):
            answer = client.download("swap/secret.txt")
            assert (answer.status, answer.content) == (200, b"inside") or answer.status == 404
            client.upload("swap", form(("planted", b"x")))
            client.delete("swap/sub")
            client.make_file("swap", "made")
    finally:
        done.set()
        swapper.join()
    assert tree_of(linked.outside) == {"secret.txt", "sub/"}
