"""Folders that keys are limited to, moved from one account's server into a share: others in the share have nothing to do
with that server, whatever becomes of it."""

import pytest

from client import Client
from faulty_line import line_to
from mounting import Call, add_connector, plant, scratch, started
from remote_servers import FtpServer
from server import eventually
from stopping import Stop
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
        self.keys = [ada.key, bob.key]

    def reconnect(self):
        """After a restart of the server."""
        self.ada, self.bob = (Client(self.server, key) for key in self.keys)
        self.key = Client(self.server, self.key.key)

    def lose_server(self):
        """Ada's move is cut off where her key is between two places."""
        self.line.fault("cut", line=b"RNFR", dies=True)
        self.ada.move(f"{self.mount}/dir", self.share).fails(502, 504)
        self.line.mend()
        self.line.drop()
        self.key.list().fails(404)
        self.accepted = self.line.accepted

    def bob_works(self):
        self.bob.create_key("of a folder", f"{self.share}/dir").ok()
        self.bob.create_key("of all", self.share).ok()
        self.bob.rename(f"{self.share}/bob", "robert").ok()

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


@pytest.mark.parametrize("restarts", [False, True], ids=["at-once", "after-a-restart"])
@pytest.mark.parametrize("left", [True, False], ids=["the-source-stands", "the-source-is-gone"])
def test_a_server_that_is_away_fails_no_request_of_others(scene, restarts, left):
    scene.lose_server()
    if restarts:
        scene.server.stop()
        scene.server.start()
        scene.reconnect()
    scene.bob_works()
    scene.bob.rename(f"{scene.share}/dir", "of ada").ok()
    plant(scene.shared, {"dir/mine": b"of bob", "dir/sub/mine": b"of bob"})
    scene.bob.delete(f"{scene.share}/of ada").ok()
    if not restarts:
        assert scene.line.accepted == scene.accepted
    scene.key.list().fails(404)
    if not left:
        (scene.remote.root / "dir").rename(scene.remote.root / "elsewhere")
    scene.line.mend()
    if left:
        eventually(lambda: scene.key.list().status == 200, "the server to be asked again")
        assert scene.key.content("mine") == b"mine"
        assert scope_of(scene.ada, scene.key_id) == f"{scene.mount}/dir"
    else:
        eventually(lambda: scene.key.list().status == 401, "the server to be asked again")


def test_a_key_in_doubt_is_settled_when_the_server_is_back(scene):
    scene.lose_server()
    scene.bob_works()
    (scene.remote.root / "dir").rename(scene.remote.root / "elsewhere")
    scene.line.mend()
    eventually(lambda: scene.key.list().status == 200, "the server to be asked again")
    assert scene.key.content("mine") == b"mine"
    assert scope_of(scene.ada, scene.key_id) == f"{scene.share}/dir"


@pytest.mark.parametrize("after", [False, True], ids=["before-it-left", "after-it-left"])
def test_the_keys_of_others_do_not_wait_for_a_server_that_a_folder_was_moved_to(scene, after):
    plant(scene.shared, {"team/mine": b"of the team"})
    keys = {who: getattr(scene, who).scoped(f"{scene.share}/team") for who in ("ada", "bob")}
    with Stop(scene.server, "renameat2", after=after) as stop:
        move = Call(lambda: scene.ada.with_key(scene.ada.key).move(f"{scene.share}/team", scene.mount))
        assert stop.wait(move)
        if after:
            eventually(lambda: not (scene.shared / "team").exists(), "the folder to leave its name")
        stop.kill_server()
    scene.line.refuse()
    scene.server.start()
    scene.reconnect()
    keys = {who: Client(scene.server, key.key) for who, key in keys.items()}
    scene.bob.create_key("of all", scene.share).ok()
    if after:
        keys["bob"].list().fails(401)
        plant(scene.shared, {"team/mine": b"of others"})
        scene.bob.create_key("of a folder", f"{scene.share}/team").ok()
        keys["ada"].list().fails(404)
    else:
        assert {key.content("mine") for key in keys.values()} == {b"of the team"}
    scene.bob.rename(f"{scene.share}/team", "moved").ok()
    scene.line.mend()
    eventually(lambda: keys["ada"].list().status == 200, "the server to be asked again")
    assert keys["ada"].content("mine") == b"of the team"
    if not after:
        assert keys["bob"].content("mine") == b"of the team"
