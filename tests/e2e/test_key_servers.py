"""Folders that keys are limited to, moved from one account's server into a share: others in the share have nothing to do
with that server, whatever becomes of it."""

import pytest

from faulty_line import line_to
from mounting import add_connector, plant, scratch, started
from remote_servers import FtpServer
from test_keys import scope_of
from withdrawing import HeldWork


@pytest.fixture
def remote():
    with started(FtpServer) as remotes:
        yield remotes["ftp"]


@pytest.fixture
def line_and_options(remote):
    with line_to(remote) as both:
        yield both


@pytest.fixture
def shared():
    with scratch("shared") as folder:
        yield folder


@pytest.fixture
def scene(own_server, account_on, remote, line_and_options, shared):
    line, options = line_and_options
    server = own_server()
    return Scene(server, account_on(server), account_on(server), remote, line, options, shared)


class Scene(HeldWork):
    """Ada's `dir` on her own server, for which she has a key; Bob sees the same share as she does."""

    def __init__(self, server, ada, bob, remote, line, options, shared):
        super().__init__(server, ada, line, "Far away")
        self.remote, self.shared = remote, shared
        share = server.cli_json("share", "add", "--name", "Team", "--target", shared, "--everyone")
        self.share = f"__adm_{share['id']}"
        self.mount = add_connector(server, ada.name, "Far away", options, stdin="secret\n")
        plant(remote.root, {"dir/mine": b"mine", "dir/sub/mine": b"below"})
        plant(shared, {"bob/file": b"of bob"})
        made = ada.client.create_key("ada's", f"{self.mount}/dir").ok()
        self.key, self.key_id = ada.client.with_key(made["key"]), made["id"]
        self.ada, self.bob = ada.client.with_key(ada.key), bob.client.with_key(bob.key)

    def hold_move(self, line):
        return self.hold("move", f"{self.mount}/dir", self.share, line=line)


def test_who_shares_a_folder_does_not_wait_for_another_accounts_server(scene):
    move = scene.hold_move(b"DELE")
    scene.bob.rename(f"{scene.share}/bob", "robert").ok()
    scene.bob.create_key("of a folder", f"{scene.share}/robert").ok()
    scene.bob.create_key("of all", scene.share).ok()
    scene.bob.rename(f"{scene.share}/dir", "of ada").ok()
    scene.bob.delete(f"{scene.share}/robert").ok()
    assert move.is_alive()
    assert scope_of(scene.ada, scene.key_id) == f"{scene.share}/of ada"
    assert scene.key.content("mine") == b"mine"
    scene.line.mend()
    move.result().ok()
    assert scene.key.content("sub/mine") == b"below"
    assert not (scene.remote.root / "dir").exists()
