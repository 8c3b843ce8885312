"""A copy to a name that another one, which is under way, is to show: it is refused at once, since only one can succeed."""

import contextlib

import pytest

from faulty_line import CONTROL, DOWN, line_to
from mounting import add_connector, contents, plant, started
from remote_servers import SftpServer
from server import files_of
from withdrawing import HeldWork

ITEM = {f"item/{number}": bytes([number]) * 50_000 for number in range(20)}


@pytest.fixture(scope="module")
def remote():
    with started(SftpServer) as remotes:
        yield remotes["sftp"]


@pytest.fixture
def work(own_server, account_on, remote):
    """A copy from afar to `item` among the account's own files, held in its middle; and another item of that name."""
    server = own_server()
    account = account_on(server)
    plant(remote.root, ITEM)
    account.client.make_folder("", "near").ok()
    account.client.make_folder("near", "item").ok()
    account.client.put("near/item/file", b"x")
    with line_to(remote) as (line, options):
        far = add_connector(server, account.name, "Far away", options)
        held = HeldWork(server, account, line, "Far away")
        held.call = held.hold("copy", f"{far}/item", "", after=300_000, channel=CONTROL, direction=DOWN)
        yield held


def test_the_second_is_refused_at_once_and_the_first_goes_on(work):
    client = work.client
    assert "already" in client.with_key(work.account.key).copy("near/item").fails(409)
    work.line.mend()
    work.call.result().ok()
    assert contents(work.account.root / "item") == {name.removeprefix("item/"): content for name, content in ITEM.items()}
    client.delete("item").ok()
    client.copy("near/item").ok()


def test_the_name_is_free_once_the_first_has_failed(work):
    work.withdraw("connector")
    work.refuses(work.call, "connector")
    work.client.with_key(work.account.key).copy("near/item").ok()
    assert contents(work.account.root / "item") == {"file": b"x"}


def test_the_folder_that_something_is_copied_into_keeps_its_name(work, remote):
    """What is collected lies in it: nothing would find it under another name, nor count it."""
    client = work.client.with_key(work.account.key)
    client.make_folder("", "to").ok()
    with line_to(remote) as (line, options):
        far = add_connector(work.server, work.account.name, "Far too", options)
        held = HeldWork(work.server, work.account, line, "Far too")
        held.call = held.hold("copy", f"{far}/item", "to", after=300_000, channel=CONTROL, direction=DOWN)
        assert "into this folder" in client.rename("to", "other").fails(409)
        client.move("to", "near").fails(409)
        client.delete("to").ok()
        line.mend()
        assert held.call.result().status != 200
    client.make_folder("", "to").ok()
    client.rename("to", "other").ok()


@pytest.fixture
def into(work, remote):
    """Begins a copy or move from afar into a folder, and holds it in its middle."""
    with contextlib.ExitStack() as lines:

        def begin(verb, folder):
            line, options = lines.enter_context(line_to(remote))
            far = add_connector(work.server, work.account.name, "Far too", options)
            held = HeldWork(work.server, work.account, line, "Far too")
            held.call = held.hold(verb, f"{far}/item", folder, after=300_000, channel=CONTROL, direction=DOWN)
            return held

        yield begin


def ended_well(held, folder):
    """All of it is there, and nothing else."""
    held.line.mend()
    held.call.result().ok()
    assert contents(folder) == {"item": None, **ITEM}


def is_counted(account):
    # Also what is all zeros, and stored as a hole.
    assert account.client.used() == sum(path.stat().st_size for path in files_of(account.root))


def test_a_folder_reached_by_a_link_keeps_its_name(work, into):
    client, root = work.client.with_key(work.account.key), work.account.root
    client.make_folder("", "real").ok()
    client.make_folder("real", "sub").ok()
    (root / "link").symlink_to("real")
    held = into("copy", "link/sub")
    for path in ("real", "real/sub", "link/sub"):
        assert "into this folder" in client.rename(path, "other").fails(409)
    client.move("link/sub", "near").fails(409)
    ended_well(held, root / "real/sub")
    client.rename("real", "other").ok()


@pytest.mark.parametrize("change", [lambda client: client.delete("link"), lambda client: client.rename("link", "other")],
                         ids=["delete", "rename"])
def test_what_is_copied_by_a_link_does_not_need_it_any_more(work, into, change):
    client, root = work.client.with_key(work.account.key), work.account.root
    client.make_folder("", "real").ok()
    client.make_folder("real", "sub").ok()
    (root / "link").symlink_to("real")
    work.withdraw("connector")
    work.refuses(work.call, "connector")
    held = into("copy", "link/sub")
    change(client).ok()
    ended_well(held, root / "real/sub")
    is_counted(work.account)


@pytest.mark.parametrize("verb", ["copy", "move"])
def test_a_folder_in_shares_that_overlap_keeps_its_name(work, into, tmp_path, verb):
    client, folder = work.client.with_key(work.account.key), tmp_path / "outer"
    (folder / "in/to").mkdir(parents=True)
    (folder / "link").symlink_to("in")
    outer, inner = ("__adm_" + work.server.cli_json("share", "add", "--name", name, "--target", target, "--everyone")["id"]
                    for name, target in [("outer", folder), ("inner", folder / "in")])
    held = into(verb, f"{inner}/to")
    for path in (f"{outer}/in/to", f"{outer}/in", f"{outer}/link/to", f"{inner}/to"):
        assert "into this folder" in client.rename(path, "other").fails(409)
        client.move(path, "near").fails(409)
    ended_well(held, folder / "in/to")
    client.rename(f"{outer}/in", "other").ok()
    assert contents(folder / "other/to") == {"item": None, **ITEM}


def test_a_folder_that_something_is_copied_into_keeps_its_place(work, into, tmp_path):
    client = work.client.with_key(work.account.key)
    (tmp_path / "shared").mkdir()
    share = "__adm_" + work.server.cli_json("share", "add", "--name", "Shared", "--target", tmp_path / "shared", "--everyone")["id"]
    client.make_folder("above", "to").ok()
    held = into("copy", "above/to")
    for path in ("above", "above/to"):
        assert "into this folder" in client.move(path, share).fails(409)
    ended_well(held, work.account.root / "above/to")
    client.move("above", share).ok()
    assert contents(tmp_path / "shared/above/to") == {"item": None, **ITEM}


def test_nothing_is_copied_into_a_folder_that_is_moved_to_another_place(work, remote):
    client, root = work.client.with_key(work.account.key), work.account.root
    plant(root / "box", ITEM)
    with line_to(remote) as (line, options):
        far = add_connector(work.server, work.account.name, "Far too", options)
        held = HeldWork(work.server, work.account, line, "Far too")
        held.call = held.hold("move", "box", far, after=300_000, channel=CONTROL)
        assert "renamed or moved" in client.copy("near", "box").fails(409)
        line.mend()
        held.call.result().ok()
    assert contents(remote.root / "box") == {"item": None, **ITEM} and not (root / "box").exists()
