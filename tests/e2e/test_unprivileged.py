"""A server that is not root, which a folder's mode keeps out."""

import os
import pathlib
import stat
import tempfile

import pytest

from client import Client
from server import Server, eventually

NOBODY = 65534


@pytest.fixture
def scene(tmp_path):
    """An account on a server without privileges, and its folder on the disk. Its catalog is a file, which its user has."""
    for folder in (tmp_path, *tmp_path.parents):
        if os.geteuid() != 0 or folder == pathlib.Path(tempfile.gettempdir()):
            break
        folder.chmod(0o755)
    server = Server(tmp_path)
    account = server.add_account()
    key = server.create_key(account)["key"]
    root = server.files_of(account)
    if os.geteuid() == 0:
        own(server.data)
        server.in_front = ("setpriv", "--reuid", str(NOBODY), "--regid", str(NOBODY), "--clear-groups")
    server.start()
    yield Client(server, key), root
    if server.running():
        server.stop()


def own(top):
    """Everything belongs to the server's user."""
    for folder, folders, names in os.walk(top):
        for name in (".", *folders, *names):
            os.chown(os.path.join(folder, name), NOBODY, NOBODY, follow_symlinks=False)


def make_read_only_tree(root):
    (root / "locked/deep").mkdir(parents=True)
    (root / "locked/deep/file").write_bytes(b"content")
    (root / "locked/deep").chmod(0o555)
    (root / "locked").chmod(0o555)
    if os.geteuid() == 0:
        own(root)


def test_a_folder_that_may_not_be_written_is_copied_with_its_mode(scene):
    client, root = scene
    make_read_only_tree(root)
    client.make_folder("", "to").ok()
    client.copy("locked", "to").ok()
    assert client.content("to/locked/deep/file") == b"content"
    for folder in ("to/locked", "to/locked/deep"):
        assert stat.S_IMODE((root / folder).stat().st_mode) == 0o555


def test_what_was_deleted_is_reclaimed_also_in_folders_that_may_not_be_written(scene):
    client, root = scene
    (root / "top").mkdir()
    make_read_only_tree(root / "top")
    if os.geteuid() == 0:
        own(root)
    client.delete("top").ok()
    staging = client.server.data / "staging"
    eventually(lambda: not [name for _, _, names in os.walk(staging) for name in names], "the files are gone")
