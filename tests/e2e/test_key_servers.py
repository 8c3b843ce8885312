"""Folders that keys are limited to, on a server that is lost while they are renamed or moved. Others in a share that they are
moved into have nothing to do with that server."""

import pytest

from client import Client
from faulty_line import line_to
from mounting import Call, add_connector, plant, scratch, started
from remote_servers import FtpServer
from server import eventually
from stopping import Stop, interrupted
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


def test_another_account_may_change_a_copy_before_the_keys_have_followed(scene):
    """It need not wait for the mover's server, and the key never opens the folder that it then makes there."""
    below = scene.ada.create_key("below", f"{scene.mount}/dir/sub").ok()
    move = scene.hold_move(b"RNFR")
    assert (scene.shared / "dir/sub/mine").exists()
    scene.ada.create_key("of the copy", f"{scene.share}/dir").fails(409)
    scene.bob.create_key("of the copy", f"{scene.share}/dir").ok()
    scene.bob.rename(f"{scene.share}/bob", "robert").ok()
    scene.bob.rename(f"{scene.share}/dir/sub", "of bob").ok()
    scene.ada.with_key(below["key"]).list().fails(401)
    scene.bob.delete(f"{scene.share}/dir").ok()
    scene.bob.make_folder(scene.share, "dir").ok()
    scene.bob.put(f"{scene.share}/dir/mine", b"of bob")
    assert move.is_alive(), "all of that was done while the mover's server was waited for"
    scene.line.mend()
    move.result()
    scene.key.list().fails(401)


def lead_share_elsewhere(scene, folder):
    """To where others have a folder with the name of the one that is moved."""
    plant(folder, {"dir/mine": b"of others", "dir/sub/mine": b"of others"})
    (share,) = scene.server.cli_json("share", "list")
    scene.server.cli("share", "set", share["name"], "--target", folder)


def test_a_key_does_not_follow_into_a_share_that_is_led_elsewhere_meanwhile(scene, tmp_path):
    move = scene.hold_move(b"RNFR")
    lead_share_elsewhere(scene, tmp_path)
    scene.line.mend()
    assert "another place" in move.result().fails(403)
    scene.key.list().fails(401)
    assert (scene.remote.root / "dir/sub/mine").read_bytes() == b"below"


def test_nothing_is_moved_to_where_a_share_does_not_lead_any_more(scene, tmp_path):
    move = scene.hold_move(b"RETR")
    lead_share_elsewhere(scene, tmp_path)
    scene.line.mend()
    assert "another place" in move.result().fails(403)
    assert scope_of(scene.ada, scene.key_id) == f"{scene.mount}/dir" and scene.key.content("sub/mine") == b"below"
    assert not (scene.shared / "dir").exists() and (tmp_path / "dir/mine").read_bytes() == b"of others"


def test_a_key_does_not_follow_into_a_server_folder_that_a_connector_leaves_meanwhile(scene):
    plant(scene.account.root, {"own/mine": b"own"})
    plant(scene.remote.root, {"elsewhere/own/mine": b"of others"})
    made = scene.ada.create_key("own", "own").ok()
    key = scene.ada.with_key(made["key"])
    move = scene.hold("move", "own", scene.mount, line=b"RNTO")
    scene.server.cli("connector", "set", "Far away", "--account", scene.account.name, "--root", "elsewhere", "--no-test")
    scene.line.mend()
    assert "another place" in move.result().fails(403)
    key.list().fails(401)
    assert scene.ada.content("own/mine") == b"own"


def test_a_refused_move_leaves_the_keys_with_the_source(scene):
    move = scene.hold_move(b"RNFR")
    plant(scene.remote.root, {"dir/late/mine": b"late"})
    scene.line.mend()
    assert "changed" in move.result().fails(409)
    assert scope_of(scene.ada, scene.key_id) == f"{scene.mount}/dir"
    assert scene.key.content("late/mine") == b"late"
    scene.bob.delete(f"{scene.share}/dir").ok()
    assert scene.key.content("mine") == b"mine"


def test_a_server_that_is_lost_in_the_middle_of_a_move_fails_no_request_of_others(scene):
    scene.line.fault("cut", line=b"RNFR", dies=True)
    scene.ada.move(f"{scene.mount}/dir", scene.share).fails(502, 504)
    scene.line.mend()
    scene.line.drop()
    assert interrupted(scene.server) == {scene.key_id}
    accepted = scene.line.accepted
    scene.bob.create_key("of a folder", f"{scene.share}/dir").ok()
    scene.bob.create_key("of all", scene.share).ok()
    scene.bob.rename(f"{scene.share}/dir", "of ada").ok()
    plant(scene.shared, {"dir/mine": b"of bob", "dir/sub/mine": b"of bob"})
    scene.bob.delete(f"{scene.share}/of ada").ok()
    scene.key.list().fails(401)
    assert scene.line.accepted == accepted


@pytest.mark.parametrize("passes", [False, True], ids=["not-done", "done"])
def test_keys_are_revoked_where_the_outcome_of_a_rename_is_not_heard_of(scene, passes):
    scene.line.fault("cut", line=b"RNTO", passes=passes, dies=True)
    answer = scene.ada.rename(f"{scene.mount}/dir", "new")
    if passes and answer.status == 200:  # The server was looked at over another connection before that one was lost too.
        assert interrupted(scene.server) == set()
        return
    answer.fails(502, 504)
    assert interrupted(scene.server) == {scene.key_id}
    scene.line.mend()
    name = "new" if passes else "dir"
    eventually(lambda: scene.ada.list(f"{scene.mount}/{name}").status == 200, "the server to be asked again")
    plant(scene.remote.root, {"dir/mine": b"of others", "new/mine": b"of others"})
    scene.key.list().fails(401)
    scene.ada.create_key("another", f"{scene.mount}/{name}").ok()


@pytest.mark.parametrize("after", [False, True], ids=["before-it-left", "after-it-left"])
def test_a_start_does_not_wait_for_a_server_that_a_folder_was_moved_to(scene, after):
    plant(scene.shared, {"team/mine": b"of the team"})
    made = {who: getattr(scene, who).create_key("k", f"{scene.share}/team").ok() for who in ("ada", "bob")}
    with Stop(scene.server, "renameat2", after=after) as stop:
        move = Call(lambda: scene.ada.with_key(scene.ada.key).move(f"{scene.share}/team", scene.mount))
        assert stop.wait(move)
        stop.kill_server()
    scene.line.refuse()
    scene.server.start()
    scene.reconnect()
    assert interrupted(scene.server) == {key["id"] for key in made.values()}
    plant(scene.shared, {"team/mine": b"of others"})
    for key in made.values():
        Client(scene.server, key["key"]).list().fails(401)
    scene.bob.create_key("of a folder", f"{scene.share}/team").ok()
    scene.bob.rename(f"{scene.share}/team", "moved").ok()
