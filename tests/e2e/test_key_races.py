"""Keys that are limited to a folder, while its name changes: such a key reaches what it was made for and nothing else,
whatever others do at any moment of the change."""

import subprocess

import pytest

from client import form
from mounting import Call, add_connector, plant, started
from people import Person
from remote_servers import SftpServer
from stopping import Stop
from test_keys import scope_of
from test_people_tasks import do


@pytest.fixture
def account(own_server, account_on):
    account = account_on(own_server())
    for name in ("docs", "docs/sub"):
        (account.root / name).mkdir()
        (account.root / name / "mine").write_bytes(name.encode())
    return account


@pytest.fixture
def immutable(account):
    """Folders that no user of the system can rename or remove, made so by `chattr +i`."""
    held = []

    def hold(folder):
        subprocess.run(["chattr", "+i", folder], check=True)
        held.append(folder)

    yield hold
    for folder in held:
        subprocess.run(["chattr", "-i", folder], check=True)


@pytest.mark.parametrize("held", ["docs", "docs/sub"])
def test_a_delete_that_fails_revokes_no_key(account, immutable, held):
    client = account.client
    keys = [client.scoped("docs"), client.scoped("docs/sub")]
    (account.root / "docs/elsewhere").mkdir()
    immutable(account.root / held)
    assert client.delete(held).status in (403, 500)
    assert (account.root / "docs/sub/mine").exists()
    assert keys[0].content("mine") == b"docs" and keys[1].content("mine") == b"docs/sub"


def test_a_rename_that_fails_moves_no_key(account, immutable):
    client = account.client
    key = client.create_key("k", "docs/sub").ok()
    immutable(account.root / "docs")
    assert client.rename("docs/sub", "renamed").status in (403, 500)
    assert scope_of(client, key["id"]) == "docs/sub"
    assert client.with_key(key["key"]).content("mine") == b"docs/sub"


def test_a_rename_that_fails_takes_no_key_from_the_new_name(account):
    """Another client makes a folder of the new name, and a key for it, just before the rename."""
    client = account.client
    old = client.create_key("old", "docs").ok()
    with Stop(account.server, "renameat2") as stop:
        rename = Call(lambda: client.with_key(account.key).rename("docs", "new"))
        assert stop.wait(rename)
        (account.root / "new").mkdir()
        (account.root / "new/mine").write_bytes(b"new")
        creation = Call(lambda: client.with_key(account.key).create_key("meanwhile", "new"))
        stop.lasts(creation)
    rename.result().fails(409)
    made = creation.result().ok()
    assert scope_of(client, old["id"]) == "docs" and scope_of(client, made["id"]) == "new"
    assert client.with_key(made["key"]).content("mine") == b"new"
    assert client.with_key(old["key"]).content("mine") == b"docs"


@pytest.mark.parametrize("has_key", [False, True], ids=["the-first-key", "one-more-key"])
@pytest.mark.parametrize("how", ["request", "command"])
def test_a_key_made_for_a_folder_that_is_being_deleted_opens_no_other(account, has_key, how):
    client = account.client
    if has_key:
        client.create_key("before", "docs").ok()
    make = {"request": lambda: client.with_key(account.key).create_key("meanwhile", "docs").json()["data"]["key"],
            "command": lambda: account.server.create_key(account.name, "docs")["key"]}[how]

    def attempt():
        try:
            return make()
        except (AssertionError, KeyError):
            return None  # Refused, as it may be.

    with Stop(account.server, "renameat2") as stop:
        delete = Call(lambda: client.with_key(account.key).delete("docs"))
        assert stop.wait(delete)
        creation = Call(attempt)
        stop.lasts(creation)
    delete.result().ok()
    made = creation.result()
    client.make_folder("", "docs").ok()
    client.upload("docs", form(("private", b"of others"))).ok()
    if made:
        client.with_key(made).list().fails(401)


def test_a_key_of_a_folder_that_is_being_renamed_waits_and_sees_it(account):
    client = account.client
    key = client.scoped("docs")
    with Stop(account.server, "renameat2") as stop:
        rename = Call(lambda: client.with_key(account.key).rename("docs", "new"))
        assert stop.wait(rename)
        (account.root / "new").mkdir()  # Of others, for a moment.
        (account.root / "new/private").write_bytes(b"of others")
        seen = Call(lambda: key.list())
        stop.lasts(seen)
        (account.root / "new/private").unlink()
        (account.root / "new").rmdir()
    rename.result().ok()
    answer = seen.result()
    assert answer.status == 404 or [entry["name"] for entry in answer.ok()] == ["sub", "mine"], answer
    assert key.names() == ["sub", "mine"]


def test_an_upload_shows_in_the_folder_that_its_key_was_made_for(account):
    """The folder gets another name, and its own is taken, while the content is written to the disk."""
    client, content = account.client, bytes(900_000)
    key = client.scoped("docs")
    key.put("first", b"first")  # What only the first upload does is done.
    with Stop(account.server, "sync_file_range") as stop:
        upload = Call(lambda: key.upload("", form(("up", content))))
        assert stop.wait(upload)
        rename = Call(lambda: client.with_key(account.key).rename("docs", "renamed"))
        stop.lasts(rename)
        if not rename.is_alive():
            (account.root / "docs").mkdir()
            (account.root / "docs/up").write_bytes(b"of others")
    rename.result().ok()
    if upload.result().status == 200:
        assert (account.root / "renamed/up").read_bytes() == content
    assert not (account.root / "docs/up").exists() or (account.root / "docs/up").read_bytes() == b"of others"
    assert key.names() == client.with_key(account.key).names("renamed")


@pytest.mark.parametrize("item", ["mine", "sub"])
def test_a_copy_shows_before_the_folder_of_its_key_goes(account, item):
    """It is deleted while the copy is about to show. Once that has begun, the key opens nothing."""
    client = account.client
    key = client.scoped("docs")
    (account.root / "docs/to").mkdir()
    for first in ("mine", "sub"):  # What only the first copies do is done.
        key.copy(first, "to").ok()
        key.delete(f"to/{first}").ok()
    with Stop(account.server, "renameat2", name=item) as stop:
        copy = Call(lambda: key.copy(item, "to"))
        assert stop.wait(copy)
        delete = Call(lambda: client.with_key(account.key).delete("docs"))
        stop.lasts(delete)
        assert item in key.with_key(key.key).names()
    copy.result().ok()
    delete.result().ok()
    key.list().fails(401)
    assert not (account.root / "docs").exists()


def test_a_rename_to_a_taken_name_keeps_the_keys_where_no_inode_tells_folders_apart(account):
    with started(SftpServer) as remotes:
        remote = remotes["sftp"]
        mount = add_connector(account.server, account.name, "Far away", remote.options())
        for name in ("docs", "taken"):
            (remote.root / name).mkdir()
            (remote.root / name / "mine").write_bytes(name.encode())
        keys = {name: account.client.scoped(f"{mount}/{name}") for name in ("docs", "taken")}
        account.client.rename(f"{mount}/docs", "taken").fails(409)
        for name, key in keys.items():
            assert key.content("mine") == name.encode()


FLIPPED = {
    "rename": lambda person: person.call("PATCH", "files", {"path": "cur/K", "newName": "new"}),
    "delete": lambda person: do(person, "delete", ["cur/K"], permanent=True),
    "bin": lambda person: do(person, "delete", ["cur/K"]),
    "move": lambda person: do(person, "move", ["cur/K"], "to"),
}


@pytest.mark.parametrize("how", FLIPPED)
def test_a_link_that_is_flipped_during_a_change(account, how):
    """Before each look at the disk in turn: a key opens its own folder then, or nothing."""
    root, step, is_held = account.root, 0, True
    while is_held:
        step += 1
        (root / "to").mkdir(exist_ok=True)
        for one in ("one", "two"):
            plant(root / one, {"K/mine": f"{one} {step}".encode()})
        (root / "cur").unlink(missing_ok=True)
        (root / "cur").symlink_to("one")
        keys = {one: account.client.scoped(f"{one}/K") for one in ("one", "two")}
        person = Person(account.server, key=account.key)
        with Stop(account.server, "openat2", when=step) as stop:
            call = Call(lambda person=person: FLIPPED[how](person))
            is_held = stop.wait(call)
            (root / "new").symlink_to("two")
            (root / "new").rename(root / "cur")
        call.result()
        for one in ("one", "two"):
            plant(root / one, {"K/mine": b"of others"} if not (root / one / "K").exists() else {})
        opened = [one for one, key in keys.items() if key.list().status == 200]
        assert opened, step  # At most one of both folders has changed.
        for one in opened:
            assert keys[one].content("mine") == f"{one} {step}".encode(), (step, one)
        for folder in [root / "to/K", root / "one", root / "two", *root.glob("*/new")]:
            subprocess.run(["rm", "-rf", folder], check=True)
    assert step > 2
