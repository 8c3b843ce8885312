"""`coffer backup` while the server runs and others write, and `coffer restore` elsewhere: what was acknowledged before is there."""

import hashlib
import itertools
import json
import os
import resource
import shutil
import sqlite3
import stat
import subprocess
import threading

import pytest

from client import Client
from people import Person
from server import BINARY, DIES_WITH_US, PATIENCE_S, Server, clean_environment, eventually, run
from test_people_bin import bin_of
from test_people_tasks import do
from tiers import POSTGRESQL, WHOLE

pytestmark = pytest.mark.skipif(POSTGRESQL, reason="backups are of catalogs on SQLite")


def tree(folder):
    """Every file below a folder, with the hash of its content."""
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in sorted(folder.rglob("*")) if path.is_file()}


def back_up(server, folder):
    done = server.cli("backup", folder, "--json", "--config", server.config_file)
    return json.loads(done.stdout)


def restored(folder, backup, **settings):
    """A server, not yet started, on the data that a restore made."""
    server = Server(folder, **settings)
    server.data.rmdir()
    done = run("restore", backup, "--data", server.data)
    assert done.returncode == 0, done.stderr
    return server


class Writers:
    """Accounts whose clients store, replace, move, delete and restore files until the block ends. Each knows what was acknowledged."""

    def __init__(self, server, names):
        self.server, self.is_over, self.rounds = server, threading.Event(), 0
        self.keys = {name: server.create_key(server.add_account(name))["key"] for name in names}
        self.threads = [threading.Thread(target=self.work, args=(key,)) for key in self.keys.values()]
        self.failures = []

    def work(self, key):
        client = Client(self.server, key)
        try:
            client.make_folder("", "moved 0").ok()
            client.put("moved 0/inside.txt", b"inside")
            for number in itertools.count():
                if self.is_over.is_set():
                    return
                client.put(f"new {number}.bin", content_of(number))
                client.put("replaced.bin", content_of(number))
                client.rename(f"moved {number}", f"moved {number + 1}").ok()
                client.delete(f"new {number - 3}.bin") if number % 5 == 4 else None
                self.rounds += 1
        except Exception as error:  # Told by the test.
            self.failures.append(repr(error))

    def more(self, count=10):
        aim = self.rounds + count
        eventually(lambda: self.failures or self.rounds >= aim, "writers to go on")
        assert self.failures == []

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        self.more()
        return self

    def __exit__(self, *_):
        self.is_over.set()
        for thread in self.threads:
            thread.join()
        assert self.failures == []


def content_of(number):
    """Tells its own length, so that a part of it is known."""
    return (f"{number:08}".encode() * 20_000)[:100_000 + number]


def is_whole(content):
    number = int(content[:8] or b"0")
    return content == content_of(number)


@pytest.mark.parametrize("turn", range(5 if WHOLE else 2))
def test_a_backup_under_load_has_what_was_acknowledged_before_it(own_server, tmp_path, turn):
    server = own_server()
    settled = server.create_key(server.add_account("settled", "50MB"))["key"]
    client = Client(server, settled)
    client.make_folder("", "docs").ok()
    files = {f"docs/{number}.bin": os.urandom(1000 + number * 37) for number in range(60)} | {"large.bin": os.urandom(9 << 20)}
    for path, content in files.items():
        client.put(path, content)
    with Writers(server, ["one", "two", "three"]) as load:
        client.put("just before.txt", b"acknowledged")
        size = back_up(server, tmp_path / "backup")
        load.more()
    client.put("later.txt", b"later")
    assert size["accounts"] == 4 and size["files"] >= len(files) + 1
    copy = restored(tmp_path / "copy", tmp_path / "backup").start()
    there = Client(copy, settled)
    assert there.names() == ["docs", "just before.txt", "large.bin"]
    assert all(there.content(path) == content for path, content in files.items())
    for name, key in load.keys.items():
        other = Client(copy, key)
        names = other.names()
        folders = [one for one in names if one.startswith("moved ")]
        assert folders and all(other.content(f"{one}/inside.txt") == b"inside" for one in folders), (name, names)
        assert all(is_whole(other.content(one)) for one in names if one.endswith(".bin"))
    used = len(b"acknowledged") + sum(map(len, files.values()))
    eventually(lambda: there.used() == used, "the quota to be right")
    found = json.loads(copy.cli("check", "--json").stdout)
    assert found["problems"] == [] and found["corrected"] == []
    copy.stop()


class HeldBackup:
    """The program reads this file when it has copied the catalog, and waits for it until the block ends."""

    def __init__(self, data, target):
        self.key = data / "secret.key"
        self.content = self.key.read_bytes()
        self.key.unlink()
        os.mkfifo(self.key, 0o600)
        self.process = subprocess.Popen([*DIES_WITH_US, BINARY, "backup", str(target), "--data", str(data)], text=True,
                                        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=clean_environment())

    def __enter__(self):
        self.pipe = open(self.key, "wb")
        return self

    def __exit__(self, *_):
        self.pipe.write(self.content)
        self.pipe.close()
        self.told = self.process.communicate(timeout=PATIENCE_S)[0]
        self.code = self.process.returncode
        self.key.unlink()
        self.key.write_bytes(self.content)


def test_an_account_that_is_removed_meanwhile_ends_no_backup(own_server, tmp_path):
    server = own_server()
    keys = {name: server.create_key(server.add_account(name))["key"] for name in ("ann", "bob")}
    for key in keys.values():
        Client(server, key).put("a.txt", b"content")
    with HeldBackup(server.data, tmp_path / "backup") as backup:
        server.cli("account", "remove", "ann", "--purge")
    assert backup.code == 0, backup.told
    copy = restored(tmp_path / "copy", tmp_path / "backup").start()
    assert Client(copy, keys["bob"]).content("a.txt") == b"content"
    copy.stop()


def test_a_backup_beside_a_move_into_a_store_of_objects_is_not_called_whole(own_server, tmp_path):
    server = own_server()
    server.add_account("ann")
    server.stop()
    with HeldBackup(server.data, tmp_path / "backup") as backup, sqlite3.connect(server.data / "catalog.sqlite") as catalog:
        catalog.execute("UPDATE accounts SET home_store = 'objects' WHERE name = 'ann'")
    assert backup.code == 1 and "The own files of ann are being moved" in backup.told, backup.told
    assert not (tmp_path / "backup/backup.json").exists()


def test_what_took_the_name_of_a_shared_folder_meanwhile_is_shared_with_nobody(own_server, tmp_path):
    """The copy of the catalog is older than that of the files, where another folder may have the name."""
    server = own_server()
    keys = {name: server.create_key(server.add_account(name))["key"] for name in ("ann", "bob")}
    owner, files = Person(server, keys["ann"]), Client(server, keys["ann"])
    for folder, content in (("shared", b"shared"), ("kept", b"kept"), ("secret", b"secret")):
        files.make_folder("", folder).ok()
        files.put(f"{folder}/{folder}.txt", content)
    for folder in ("shared", "kept"):
        owner.ok("POST", "shares", {"path": folder, "with": [{"account": "bob"}], "access": "read"}, 201)
        owner.ok("POST", "links", {"path": folder}, 201)
    limited = server.create_key("ann", "shared")["key"]
    with HeldBackup(server.data, tmp_path / "backup") as backup:
        files.rename("shared", "elsewhere").ok()
        files.rename("secret", "shared").ok()
    assert backup.code == 0 and "3 of the keys, links and shares" in backup.told, backup.told
    copy = restored(tmp_path / "copy", tmp_path / "backup").start()
    there = Client(copy, keys["bob"])
    assert [one["name"] for one in there.locations().ok()][1:] == ["kept"]
    assert [one["path"] for one in Person(copy, keys["ann"]).ok("GET", "links")] == ["kept"]
    assert Client(copy, limited).list("").status == 401
    assert Client(copy, keys["ann"]).content("shared/secret.txt") == b"secret"
    copy.stop()


def test_check_of_a_restored_folder_is_clean_before_a_server_ran(own_server, tmp_path):
    server = own_server()
    with Writers(server, ["one", "two"]):
        back_up(server, tmp_path / "backup")
    copy = restored(tmp_path / "copy", tmp_path / "backup")
    done = copy.cli("check")
    assert "0 problems left" in done.stdout


def test_bins_keys_links_and_settings_are_in_a_backup(own_server, tmp_path):
    server = own_server()
    account = server.add_account("ann")
    key = server.create_key(account)["key"]
    client, there = Client(server, key), Person(server, key)
    client.put("deleted.txt", b"deleted")
    do(there, "delete", ["deleted.txt"])
    back_up(server, tmp_path / "backup")
    client.put("deleted later.txt", b"later")
    do(there, "delete", ["deleted later.txt"])
    assert (tmp_path / "backup/settings.toml").read_text() == server.config_file.read_text()
    assert (tmp_path / "backup/secret.key").read_bytes() == (server.data / "secret.key").read_bytes()
    copy = restored(tmp_path / "copy", tmp_path / "backup").start()
    person = Person(copy, key)
    kept, = bin_of(person)
    do(person, "restore", [kept["id"]])
    assert Client(copy, key).content("deleted.txt") == b"deleted"
    assert copy.cli("check").returncode == 0
    copy.stop()


def test_the_settings_file_of_the_data_folder_goes_back_to_it(tmp_path):
    data = tmp_path / "data"
    done = run("account", "add", "ann", "--data", data)
    assert done.returncode == 0, done.stderr
    (data / "coffer.toml").write_text("bin_days = 7\n")
    assert run("backup", tmp_path / "backup", "--data", data).returncode == 0
    assert run("restore", tmp_path / "backup", "--data", tmp_path / "copy").returncode == 0
    assert (tmp_path / "copy/coffer.toml").read_text() == "bin_days = 7\n"
    assert "bin_days = 7" in run("serve", "--print-config", "--data", tmp_path / "copy").stdout


def test_a_settings_file_that_names_another_catalog_is_refused(tmp_path):
    """It would come into force with the data, and the restored catalog would lie unused."""
    data, elsewhere = tmp_path / "data", tmp_path / "elsewhere.sqlite"
    data.mkdir()
    (data / "coffer.toml").write_text(f'database = "sqlite://{elsewhere}"\n')
    done = run("account", "add", "ann", "--data", data)
    assert done.returncode == 0, done.stderr
    assert run("backup", tmp_path / "backup", "--data", data).returncode == 0
    assert "take that line out of it" in refused("restore", tmp_path / "backup", "--data", tmp_path / "copy")
    assert not (tmp_path / "copy").exists()
    elsewhere.unlink()
    (tmp_path / "backup/coffer.toml").write_text("bin_days = 7\n")
    assert run("restore", tmp_path / "backup", "--data", tmp_path / "copy").returncode == 0
    assert "ann" in run("account", "list", "--data", tmp_path / "copy").stdout


def test_only_its_owner_may_read_a_backup_and_what_is_restored(tmp_path):
    data = tmp_path / "data"
    run("account", "add", "ann", "--data", data)
    old = os.umask(0)
    try:
        assert run("backup", tmp_path / "backup", "--data", data).returncode == 0
        for path in (tmp_path / "backup").rglob("*"):
            path.chmod(0o777)  # As a disk without permissions would have it.
        assert run("restore", tmp_path / "backup", "--data", tmp_path / "copy").returncode == 0
    finally:
        os.umask(old)
    assert stat.S_IMODE((tmp_path / "backup").stat().st_mode) == 0o700
    for name in ("", "files"):
        assert stat.S_IMODE((tmp_path / "copy" / name).stat().st_mode) == 0o700
    for name in ("catalog.sqlite", "secret.key"):
        assert stat.S_IMODE((tmp_path / "copy" / name).stat().st_mode) == 0o600


def refused(*command):
    done = run(*command)
    assert done.returncode == 1 and done.stderr.count("\n") == 1, done.stderr
    return done.stderr


def test_folders_that_are_not_empty_are_refused_and_stay_as_they_are(tmp_path):
    data, other = tmp_path / "data", tmp_path / "other"
    run("account", "add", "ann", "--data", data)
    other.mkdir()
    (other / "file").write_text("mine")
    assert "is not empty" in refused("backup", other, "--data", data)
    assert run("backup", tmp_path / "backup", "--data", data).returncode == 0
    assert "is not empty" in refused("restore", tmp_path / "backup", "--data", other)
    assert "is not empty" in refused("restore", tmp_path / "backup", "--data", data)
    assert tree(other) == {"file": hashlib.sha256(b"mine").hexdigest()}


def test_a_backup_inside_the_data_folder_is_refused(tmp_path):
    run("account", "add", "ann", "--data", tmp_path / "data")
    assert "lies in the data folder" in refused("backup", tmp_path / "data/files/backup", "--data", tmp_path / "data")
    assert "lies in the data folder" in refused("backup", tmp_path / "data", "--data", tmp_path / "data")


def test_what_is_no_data_folder_is_not_backed_up(tmp_path):
    assert "There is no data of Coffer" in refused("backup", tmp_path / "backup", "--data", tmp_path / "nothing")
    assert not (tmp_path / "backup").exists()
    (tmp_path / "something").mkdir()
    (tmp_path / "something/notes.txt").write_text("other things")
    assert "There is no data of Coffer" in refused("backup", tmp_path / "backup", "--data", tmp_path / "something")
    assert not (tmp_path / "backup").exists() and os.listdir(tmp_path / "something") == ["notes.txt"]


def test_a_backup_that_was_cut_off_is_not_restored(tmp_path):
    run("account", "add", "ann", "--data", tmp_path / "data")
    run("backup", tmp_path / "backup", "--data", tmp_path / "data")
    (tmp_path / "backup/backup.json").unlink()
    assert "is no whole backup of Coffer" in refused("restore", tmp_path / "backup", "--data", tmp_path / "copy")
    assert not (tmp_path / "copy").exists()


def test_a_backup_of_a_later_program_is_not_restored(tmp_path):
    run("account", "add", "ann", "--data", tmp_path / "data")
    run("backup", tmp_path / "backup", "--data", tmp_path / "data")
    summary = tmp_path / "backup/backup.json"
    summary.write_text(json.dumps(json.loads(summary.read_text()) | {"schema": 9000}))
    assert "schema 9000, which is newer" in refused("restore", tmp_path / "backup", "--data", tmp_path / "copy")
    summary.write_text(json.dumps({"format": 2}))
    assert "has a form that this program does not know" in refused("restore", tmp_path / "backup", "--data", tmp_path / "copy")
    assert not (tmp_path / "copy").exists()


def test_files_that_are_away_are_not_left_out_in_silence(own_server, tmp_path):
    server = own_server()
    account = server.add_account("ann")
    Client(server, server.create_key(account)["key"]).put("file.txt", b"content")
    home = server.files_of(account)
    server.stop()
    home.rename(tmp_path / "away")
    failed = server.cli("backup", tmp_path / "backup", ok=False)
    assert failed.returncode == 1 and "is missing although files were stored in it" in failed.stderr
    assert not (tmp_path / "backup/backup.json").exists()


def test_a_catalog_elsewhere_is_not_copied(postgres, tmp_path):
    url = postgres.new_database("backed_up")
    data = tmp_path / "data"
    assert run("account", "add", "ann", "--data", data, "--database", url).returncode == 0
    assert "pg_dump" in refused("backup", tmp_path / "backup", "--data", data, "--database", url)
    assert not (tmp_path / "backup").exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may be other users")
def test_root_makes_a_backup_for_the_owner_of_the_data(tmp_path):
    for folder in (tmp_path, *tmp_path.parents):
        folder.chmod(folder.stat().st_mode | 0o055) if folder.owner() == "root" and folder.is_relative_to("/tmp/") else None
    data = tmp_path / "data"
    data.mkdir()
    os.chown(data, 12345, 12345)
    assert run("account", "add", "ann", "--data", data).returncode == 0
    assert run("backup", tmp_path / "backup", "--data", data).returncode == 0
    assert run("restore", tmp_path / "backup", "--data", tmp_path / "copy").returncode == 0
    for made in ("backup", "copy"):
        owners = {path.lstat().st_uid for path in [tmp_path / made, *(tmp_path / made).rglob("*")]}
        assert owners == {12345}, made
    assert run("check", "--data", tmp_path / "copy").returncode == 0


def test_a_backup_that_is_killed_leaves_the_server_alone(own_server, tmp_path):
    server = own_server()
    with Writers(server, ["one"]) as load:
        for number in range(5):
            process = subprocess.Popen([*DIES_WITH_US, BINARY, "backup", str(tmp_path / f"backup{number}"), "--data", str(server.data)],
                                       env=clean_environment())
            eventually((tmp_path / f"backup{number}").exists, "the backup to begin")
            process.kill()
            process.wait(PATIENCE_S)
            load.more(2)
        size = back_up(server, tmp_path / "whole")
    assert size["accounts"] == 1
    catalog = sqlite3.connect(f"file:{tmp_path}/whole/catalog.sqlite?mode=ro", uri=True)
    assert catalog.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    catalog.close()


@pytest.fixture
def backup(own_server, tmp_path):
    """A backup with two accounts, one of which has two files and a link."""
    server = own_server()
    server.add_account("bob")
    ann = server.add_account("ann")
    client = Client(server, server.create_key(ann)["key"])
    client.put("one.txt", b"one")
    client.put("large.bin", bytes(6 << 20))
    (server.files_of(ann) / "link").symlink_to("one.txt")
    assert back_up(server, tmp_path / "backup") == {"accounts": 2, "files": 2, "bytes": 3 + (6 << 20), "movedScopes": 0}
    server.stop()
    return tmp_path / "backup"


def restored_size(backup, data):
    done = run("restore", backup, "--data", data, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_a_backup_and_a_data_folder_lie_apart(backup, tmp_path):
    (tmp_path / "link").symlink_to(backup)
    (tmp_path / "up").mkdir()
    before = tree(backup)
    for data in (backup / "sub", backup / "sub/deeper", backup / "files/sub", tmp_path / "link/sub", tmp_path / "up/../backup/sub"):
        assert "lies in" in refused("restore", backup, "--data", data), data
    assert "lies in" in refused("restore", tmp_path / "link", "--data", backup / "sub")
    assert tree(backup) == before and not (backup / "sub").exists()
    data = tmp_path / "around/data"
    assert run("account", "add", "ann", "--data", data).returncode == 0
    assert "lies in" in refused("backup", tmp_path / "around", "--data", data)


def test_a_backup_is_not_made_where_a_link_of_the_data_folder_leads(tmp_path):
    data, disk = tmp_path / "data", tmp_path / "disk"
    assert run("account", "add", "ann", "--data", data).returncode == 0
    (data / "files").rename(disk)
    (data / "files").symlink_to(disk)
    home, = disk.iterdir()
    assert "lies in the data folder" in refused("backup", home / "backup", "--data", data)
    assert os.listdir(home) == []


@pytest.mark.parametrize("member", ["schema", "accounts", "files", "bytes", "program", "begun", "ended"])
def test_a_summary_that_lacks_something_is_refused(backup, tmp_path, member):
    summary = json.loads((backup / "backup.json").read_text())
    for wrong in ({}, {member: -1}, {member: None}):
        kept = {name: value for name, value in summary.items() if name != member}
        (backup / "backup.json").write_text(json.dumps(kept | wrong))
        assert f"its member `{member}` is missing or wrong" in refused("restore", backup, "--data", tmp_path / "copy")
    for text in ("[]", "7", "", '{"format": "1"}'):
        (backup / "backup.json").write_text(text)
        assert "has a form that this program does not know" in refused("restore", backup, "--data", tmp_path / "copy")
    assert not (tmp_path / "copy").exists()


def test_what_a_backup_lost_is_told_and_nothing_is_restored(backup, tmp_path):
    large, = backup.glob("files/*/large.bin")
    large.rename(tmp_path / "large.bin")
    assert "tells of 2 with 6291459: 1 missing" in refused("restore", backup, "--data", tmp_path / "copy")
    large.write_bytes(b"short")
    assert "contents have changed" in refused("restore", backup, "--data", tmp_path / "copy")
    large.parent.rename(tmp_path / "home")
    assert "2 missing" in refused("restore", backup, "--data", tmp_path / "copy")
    (backup / "files").rename(tmp_path / "files")
    assert "files is missing" in refused("restore", backup, "--data", tmp_path / "copy")
    assert not (tmp_path / "copy").exists()


def test_a_catalog_that_is_none_is_refused_first(backup, tmp_path):
    copy, catalog = tmp_path / "copy", backup / "catalog.sqlite"
    content = catalog.read_bytes()
    catalog.unlink()
    assert "catalog.sqlite is missing" in refused("restore", backup, "--data", copy)
    (tmp_path / "elsewhere").write_text("other")
    catalog.symlink_to(tmp_path / "elsewhere")
    assert "catalog.sqlite is not a file" in refused("restore", backup, "--data", copy)
    assert not copy.exists()
    catalog.unlink()
    for wrong in (b"", b"no database" * 1000, content[:4096]):
        catalog.write_bytes(wrong)
        assert "catalog" in refused("restore", backup, "--data", copy)
        assert os.listdir(copy) == []
    catalog.write_bytes(content)
    summary = json.loads((backup / "backup.json").read_text())
    (backup / "backup.json").write_text(json.dumps(summary | {"accounts": 3}))
    assert "has 2 accounts, and backup.json tells of 3" in refused("restore", backup, "--data", copy)
    assert os.listdir(copy) == []
    (backup / "backup.json").write_text(json.dumps(summary))
    assert restored_size(backup, copy) == {"accounts": 2, "files": 2, "bytes": 6291459}


def test_a_restore_that_was_cut_off_is_refused_by_all(backup, tmp_path):
    copy = tmp_path / "copy"
    # The kernel ends the process in the middle of the large file.
    limit = (resource.RLIMIT_FSIZE, (4 << 20, 4 << 20))
    cut = subprocess.run([BINARY, "restore", str(backup), "--data", str(copy)], env=clean_environment(), capture_output=True,
                         preexec_fn=lambda: resource.setrlimit(*limit), timeout=PATIENCE_S)
    assert cut.returncode != 0 and (copy / "catalog.sqlite").exists()
    for command in (["serve", "--listen", "127.0.0.1:0"], ["check"], ["account", "list"], ["account", "add", "eve"],
                    ["backup", tmp_path / "other"], ["restore", backup]):
        assert "did not end: empty the folder and restore again" in refused(*command, "--data", copy), command
    shutil.rmtree(copy)
    assert restored_size(backup, copy)["files"] == 2
    assert not (copy / "restore.unfinished").exists()
    assert run("check", "--data", copy).returncode == 0


def test_only_what_belongs_to_a_backup_is_restored(backup, tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (backup / "etc").symlink_to(tmp_path / "elsewhere")
    (backup / "notes.txt").write_text("mine")
    (backup / "folder").mkdir()
    (backup / "server.lock").write_text("")
    (backup / "catalog.sqlite-wal").write_bytes(b"other")
    copy = tmp_path / "copy"
    restored_size(backup, copy)
    assert sorted(os.listdir(copy)) == ["catalog.sqlite", "files", "secret.key"]
    link, = copy.glob("files/*/link")
    assert link.is_symlink() and link.read_text() == "one"


@pytest.mark.parametrize("name", ["files", "recovered", "secret.key", "coffer.toml", "files/home"])
def test_a_link_in_the_place_of_a_part_is_refused(backup, tmp_path, name):
    if (backup / name).exists():
        (backup / name).rename(tmp_path / "away")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir(0o755)
    (backup / name).symlink_to(elsewhere)
    assert f"{name} is not a f" in refused("restore", backup, "--data", tmp_path / "copy")
    assert not (tmp_path / "copy").exists() and stat.S_IMODE(elsewhere.stat().st_mode) == 0o755
