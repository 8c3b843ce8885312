"""A copy to a name that another one, which is under way, is to show: it is refused at once, since only one can succeed."""

import pytest

from faulty_line import CONTROL, DOWN, line_to
from mounting import add_connector, contents, plant, started
from remote_servers import SftpServer
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
