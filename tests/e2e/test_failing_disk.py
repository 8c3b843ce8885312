"""A disk that fails when a change shows already: the error is answered, and the quota counts what shows, no less and no
more."""

import contextlib

import pytest

from client import form
from mounting import scratch
from server import disk_bytes
from stopping import Failing
from test_other_disks import server_without

CONTENT = b"content " * 12_500


@pytest.fixture
def scene(server, make_account):
    account = make_account("10 MB")
    with scratch("shared") as folder:
        share = server.cli_json("share", "add", "--name", account.name, "--target", folder, "--account", account.name)
        for path in ("", f"__adm_{share['id']}"):
            account.client.upload(path, form(("file", CONTENT))).ok()
            tree = f"{path}/tree".lstrip("/")
            account.client.make_folder(tree, "below").ok()
            account.client.upload(f"{tree}/below", form(("file", CONTENT))).ok()
        account.client.make_folder("", "to").ok()
        assert account.client.used() == disk_bytes(account.root)
        yield account, f"__adm_{share['id']}", folder
        with contextlib.suppress(AssertionError):
            server.cli("share", "remove", share["id"])


def check(server, account, failing, call):
    with Failing(server, "fsync", failing):
        answer = call()
    assert answer.status == 500, answer
    assert account.client.used() == disk_bytes(account.root)


@pytest.mark.parametrize("item", ["file", "tree"])
def test_a_copy_that_shows_is_counted(server, scene, item):
    account, _, _ = scene
    check(server, account, account.root / "to", lambda: account.client.copy(item, "to"))
    assert account.client.names("to") == [item]


@pytest.mark.parametrize("item", ["file", "tree"])
def test_what_is_deleted_is_not_counted(server, scene, item):
    account, _, _ = scene
    check(server, account, account.root, lambda: account.client.delete(item))
    assert item not in account.client.names("")


@pytest.mark.parametrize("item", ["file", "tree"])
@pytest.mark.parametrize("fails_at", ["1+", 2, 3])
@pytest.mark.parametrize("moves", [False, True], ids=["copy", "move"])
def test_what_comes_from_a_share_is_counted_if_it_shows(server, scene, item, fails_at, moves):
    account, share, _ = scene
    take = account.client.move if moves else account.client.copy
    with Failing(server, "fsync", account.root / "to", when=fails_at):
        take(f"{share}/{item}", "to")
    assert account.client.used() == disk_bytes(account.root)


@pytest.mark.parametrize("item", ["file", "tree"])
@pytest.mark.parametrize("fails_at", [1, 2, 3])
def test_what_moves_to_a_share_is_counted_while_it_shows(server, scene, item, fails_at):
    account, share, folder = scene
    with Failing(server, "fsync", account.root, when=fails_at):
        account.client.move(item, share + "/tree")
    assert account.client.used() == disk_bytes(account.root)
    assert (folder / "tree" / item).exists()


@pytest.mark.parametrize("lacking", ["exchange,tmpfile", "exchange,tmpfile,link"], ids=["put-back", "stays"])
def test_what_replaces_a_file_is_counted_if_it_stays(build_server, account_on, lacking):
    """A disk that can neither let files change places nor keep the old one cannot take the new one back."""
    with server_without(build_server, lacking) as server:
        account = account_on(server, "10 MB")
        account.client.upload("", form(("file", CONTENT))).ok()
        check(server, account, account.root, lambda: account.client.upload("", form(("file", CONTENT * 2))))
        stays = "link" in lacking
        assert (account.root / "file").read_bytes() == CONTENT * (2 if stays else 1)
