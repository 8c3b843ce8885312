"""Thousands of real files go through every operation and come back byte by byte."""

import os
import pathlib

import pytest

from client import form
from server import disk_bytes, tree_of

WANTED = 2500
SOURCES = ["/usr/share/perl", "/usr/share/doc", "/usr/share/cmake-3.25", "/usr/share/zoneinfo", "/usr/share/i18n",
           "/usr/share/locale"]
LARGEST = 1 << 20
FILES_PER_REQUEST = 200


def usable(name):
    try:
        raw = name.encode()
    except UnicodeEncodeError:
        return False
    return "\\" not in name and len(raw) <= 255 and name.isprintable()


def collect():
    """Relative folder → its files on this machine, about WANTED in all."""
    folders, count = {}, 0
    for source in SOURCES:
        for folder, subfolders, names in os.walk(source):
            subfolders[:] = sorted(filter(usable, subfolders))
            here = [pathlib.Path(folder, name) for name in sorted(names) if usable(name)]
            here = [path for path in here if path.is_file() and not path.is_symlink() and path.stat().st_size <= LARGEST]
            folders[os.path.relpath(folder, "/usr/share")] = here
            count += len(here)
            if count >= WANTED:
                return folders
    return folders


@pytest.fixture(scope="module")
def real(tmp_path_factory):
    folders = collect()
    count = sum(map(len, folders.values()))
    if count < WANTED:  # A bare machine: make the rest.
        made = tmp_path_factory.mktemp("made")
        for number in range(WANTED - count):
            (made / f"file {number}.dat").write_bytes(os.urandom(number % 5000))
        folders["made"] = sorted(made.iterdir())
    return folders


def same_tree(root, folders):
    """True if the folder on disk holds exactly these files, byte by byte."""
    wanted = {os.path.normpath(os.path.join(folder, path.name)): path for folder, paths in folders.items() for path in paths}
    found = {name for name in tree_of(root) if not name.endswith("/")}
    assert found == set(wanted)
    return all((root / name).read_bytes() == path.read_bytes() for name, path in wanted.items())


def test_a_real_tree_goes_through_everything(make_account, real):
    account = make_account("4GiB")
    client = account.client
    client.put("before", b"x" * 123)
    total = sum(path.stat().st_size for paths in real.values() for path in paths)

    client.make_folder("", "tree").ok()
    for folder, paths in real.items():
        target = f"tree/{folder}"
        if client.info(target).status == 404:
            parent, _, name = target.rpartition("/")
            client.make_folder(parent, name).ok()
        for at in range(0, len(paths), FILES_PER_REQUEST):
            batch = paths[at:at + FILES_PER_REQUEST]
            data = client.upload(target, form(*((path.name, path.read_bytes()) for path in batch), field="files")).ok()
            assert data == {"uploaded": [path.name for path in batch], "count": len(batch)}
    assert client.used() == total + 123
    assert same_tree(account.root / "tree", real)

    for folder, paths in real.items():
        files = {entry["name"]: entry for entry in client.list(f"tree/{folder}").ok() if not entry["isDirectory"]}
        assert {name: entry["size"] for name, entry in files.items()} == {path.name: path.stat().st_size for path in paths}
        assert all(entry["relativePath"] == os.path.normpath(f"tree/{folder}/{name}") for name, entry in files.items())

    client.make_folder("", "copies").ok()
    client.copy("tree", "copies").ok()
    assert client.used() == 2 * total + 123 == disk_bytes(account.root)
    assert same_tree(account.root / "copies/tree", real)

    client.rename("tree", "renamed tree").ok()
    client.make_folder("deep/er", "est").ok()
    client.move("renamed tree", "deep/er/est").ok()
    assert client.used() == 2 * total + 123
    assert same_tree(account.root / "deep/er/est/renamed tree", real)

    for folder, paths in real.items():
        for path in paths[::5]:
            assert client.content(f"deep/er/est/renamed tree/{folder}/{path.name}") == path.read_bytes()

    client.delete("copies").ok()
    assert client.used() == total + 123
    for folder, paths in list(real.items())[:20]:
        for path in paths[:10]:
            client.delete(f"deep/er/est/renamed tree/{folder}/{path.name}").ok()
    assert client.used() == disk_bytes(account.root)
    client.delete("deep").ok()
    assert client.used() == 123 and tree_of(account.root) == {"before"}
    assert client.content("before") == b"x" * 123
