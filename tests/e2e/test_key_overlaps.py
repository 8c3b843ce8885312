"""Keys that are limited to a folder which several shares hold: whatever share it is renamed, moved or deleted through, they
follow it or are revoked, and never reach another folder that gets its name."""

import subprocess

import pytest

from client import Client
from mounting import Call
from stopping import Stop, interrupted
from test_keys import scope_of
from tus import sql

# The shares: `outer` is a folder, `inner` one in it, and `linked` the same as `inner` by way of a link.
DOCS = {"outer": "inner/docs", "inner": "docs", "linked": "docs"}


class Scene:
    """An account that sees each of the shares alone, and one that sees all."""

    def __init__(self, server, account_on, folder):
        self.server, self.folder = server, folder / "outer"
        (self.folder / "inner").mkdir(parents=True)
        (folder / "link").symlink_to(self.folder / "inner")
        targets = {"outer": self.folder, "inner": self.folder / "inner", "linked": folder / "link"}
        self.accounts = {name: account_on(server) for name in (*targets, "all")}
        self.tops = {}
        for name, target in targets.items():
            who = [word for seen_by in (name, "all") for word in ("--account", self.accounts[seen_by].name)]
            self.tops[name] = "__adm_" + server.cli_json("share", "add", "--name", name, "--target", target, *who)["id"]
        (self.folder / "inner/docs/sub").mkdir(parents=True)
        (self.folder / "inner/docs/mine").write_bytes(b"mine")
        (self.folder / "inner/docs/sub/mine").write_bytes(b"mine")

    def docs(self, share):
        return f"{self.tops[share]}/{DOCS[share]}"

    def client(self, who):
        return Client(self.server, self.accounts[who].key)

    def key(self, who, path):
        """A new key of an account: its id, and a client with it."""
        key = self.client(who).create_key("k", path).ok()
        return key["id"], Client(self.server, key["key"])

    def make_anew(self, *names):
        """Other folders get the names, by hand."""
        for name in names:
            (self.folder / name / "sub").mkdir(parents=True, exist_ok=True)
            (self.folder / name / "foreign").write_bytes(b"of others")
            (self.folder / name / "sub/foreign").write_bytes(b"of others")


@pytest.fixture
def scene(own_server, account_on, tmp_path):
    return Scene(own_server(), account_on, tmp_path)


def is_blind(key):
    """Whether a key opens nothing."""
    return key.list().status in (401, 404)


PAIRS = [(by, of) for by in DOCS for of in DOCS if by != of]


@pytest.mark.parametrize("below", ["", "/sub"])
@pytest.mark.parametrize("by, of", PAIRS)
def test_a_delete_revokes_those_of_other_shares(scene, by, of, below):
    _, key = scene.key(of, scene.docs(of) + below)
    scene.client(by).delete(scene.docs(by)).ok()
    scene.make_anew("inner/docs")
    key.list().fails(401)


@pytest.mark.parametrize("below", ["", "/sub"])
@pytest.mark.parametrize("by, of", PAIRS)
def test_a_rename_takes_those_of_other_shares_along(scene, by, of, below):
    key_id, key = scene.key(of, scene.docs(of) + below)
    scene.client(by).rename(scene.docs(by), "renamed").ok()
    scene.make_anew("inner/docs")
    assert key.content("mine") == b"mine" and "foreign" not in key.names()
    assert scope_of(scene.client(of), key_id) == f"{scene.docs(of).removesuffix('docs')}renamed{below}"


@pytest.mark.parametrize("who", ["inner", "all"])
def test_a_folder_that_leaves_a_share_is_followed_where_the_account_sees_it(scene, who):
    _, key = scene.key(who, scene.docs("inner"))
    scene.client("outer").move(scene.docs("outer"), scene.tops["outer"]).ok()
    scene.make_anew("inner/docs")
    if who == "all":
        assert key.content("mine") == b"mine"
    else:
        assert is_blind(key)


def test_a_folder_that_leaves_for_own_files_takes_only_its_accounts_keys_along(scene):
    _, own = scene.key("all", scene.docs("inner"))
    _, other = scene.key("inner", scene.docs("inner"))
    scene.client("all").move(scene.docs("outer"), "").ok()
    scene.make_anew("inner/docs")
    assert own.content("mine") == b"mine"
    other.list().fails(401)


@pytest.mark.parametrize("scope", ["", "/docs"], ids=["the-share", "a-folder-in-it"])
@pytest.mark.parametrize("how", ["delete", "rename"])
def test_a_share_that_loses_its_own_folder_keeps_no_keys_for_the_next_one(scene, how, scope):
    _, key = scene.key("inner", scene.tops["inner"] + scope)
    _, of_all = scene.key("all", scene.tops["inner"] + scope)
    outer = scene.client("outer")
    if how == "delete":
        outer.delete(f"{scene.tops['outer']}/inner").ok()
    else:
        outer.rename(f"{scene.tops['outer']}/inner", "elsewhere").ok()
    scene.make_anew("inner/docs")
    assert is_blind(key)
    if how == "delete":
        of_all.list().fails(401)
    else:
        assert "foreign" not in of_all.names() and of_all.list().status == 200


def test_others_in_the_shares_are_left_alone(scene):
    for name in ("docs2", "doc"):
        (scene.folder / "inner" / name).mkdir()
    (scene.folder / "docs").mkdir()
    keys = [scene.key("inner", f"{scene.tops['inner']}/docs2"), scene.key("linked", f"{scene.tops['linked']}/doc"),
            scene.key("outer", f"{scene.tops['outer']}/docs"), scene.key("inner", scene.tops["inner"])]
    scene.client("outer").delete(scene.docs("outer")).ok()
    assert all(key.list().ok() is not None for _, key in keys)


def test_a_delete_that_fails_revokes_none(scene):
    _, key = scene.key("inner", scene.docs("inner"))
    held = scene.folder / "inner/docs"
    subprocess.run(["chattr", "+i", held], check=True)
    try:
        assert scene.client("outer").delete(scene.docs("outer")).status in (403, 500)
    finally:
        subprocess.run(["chattr", "-i", held], check=True)
    assert key.content("mine") == b"mine"


@pytest.mark.parametrize("verb", ["delete", "rename"])
@pytest.mark.parametrize("after", [False, True], ids=["before-it", "after-it"])
def test_a_crash_at_the_change_through_another_share_revokes_those_of_all_shares(scene, verb, after):
    keys = dict(scene.key(who, scene.docs(of)) for who, of in (("inner", "inner"), ("all", "inner"), ("linked", "linked")))
    _, other = scene.key("inner", scene.tops["inner"])
    outer = scene.client("outer")
    outer.make_folder(scene.tops["outer"], "first").ok()  # What only the first change does is done.
    outer.rename(f"{scene.tops['outer']}/first", "renamed").ok()
    outer.delete(f"{scene.tops['outer']}/renamed").ok()
    act = {"delete": lambda: outer.delete(scene.docs("outer")), "rename": lambda: outer.rename(scene.docs("outer"), "renamed")}[verb]
    with Stop(scene.server, "renameat2", after=after) as stop:
        call = Call(act)
        assert stop.wait(call)
        stop.kill_server()
    call.ended()
    assert (scene.folder / "inner/docs").exists() is not after
    scene.server.start()
    assert interrupted(scene.server) == set(keys)
    for key in keys.values():
        Client(scene.server, key.key).list().fails(401)
    assert Client(scene.server, other.key).list().status == 200


def test_changes_that_an_older_version_left_end_with_their_keys(scene):
    """It noted what tells the folders apart, and kept the keys to decide of them later."""
    key_id, key = scene.key("inner", scene.docs("inner"))
    other_id, other = scene.key("all", f"{scene.docs('inner')}/sub")
    scene.server.stop()
    folder = (scene.folder / "inner/docs").stat()
    sql(scene.server, f"INSERT INTO scope_changes (id, account_id, from_path, from_identity, to_path, to_identity, started_at) "
                      f"SELECT 'older', account_id, scope, '{folder.st_ino}.7', '{scene.tops['inner']}/new', '{folder.st_ino}', 5 "
                      f"FROM api_keys WHERE id = '{key_id}'",
        f"UPDATE api_keys SET change_id = 'older' WHERE id = '{key_id}'",
        f"UPDATE api_keys SET change_id = 'with no note' WHERE id = '{other_id}'")
    scene.server.start()
    assert interrupted(scene.server) == {key_id, other_id}
    for one in (key, other):
        Client(scene.server, one.key).list().fails(401)
    scene.client("inner").rename(scene.docs("inner"), "new").ok()
    assert scene.key("inner", f"{scene.tops['inner']}/new")[1].content("mine") == b"mine"


@pytest.mark.parametrize("has_key", [False, True], ids=["the-first-key", "one-more-key"])
@pytest.mark.parametrize("how", ["request", "command"])
def test_a_key_made_in_one_share_during_a_delete_through_another_opens_no_other(scene, has_key, how):
    if has_key:
        scene.key("outer", scene.docs("outer"))
    make = {"request": lambda: scene.client("inner").create_key("meanwhile", scene.docs("inner")).json()["data"]["key"],
            "command": lambda: scene.server.create_key(scene.accounts["inner"].name, scene.docs("inner"))["key"]}[how]

    def attempt():
        try:
            return make()
        except (AssertionError, KeyError, TypeError):
            return None  # Refused, as it may be.

    outer = scene.client("outer")
    with Stop(scene.server, "renameat2") as stop:
        delete = Call(lambda: outer.delete(scene.docs("outer")))
        assert stop.wait(delete)
        creation = Call(attempt)
        stop.lasts(creation)
    delete.result().ok()
    made = creation.result()
    scene.make_anew("inner/docs")
    if made:
        Client(scene.server, made).list().fails(401)


def test_another_account_of_the_same_share_is_treated_alike(scene):
    _, key = scene.key("all", scene.docs("inner"))
    scene.client("inner").delete(scene.docs("inner")).ok()
    scene.make_anew("inner/docs")
    key.list().fails(401)


@pytest.mark.parametrize("how", ["delete", "rename"])
def test_a_share_whose_link_was_changed_keeps_its_folder(scene, how):
    outer = scene.client("outer")
    (scene.folder / "next/docs").mkdir(parents=True)
    _, key = scene.key("linked", scene.docs("linked"))
    link = scene.folder.with_name("link")
    link.unlink()
    link.symlink_to(scene.folder / "next")
    assert key.content("mine") == b"mine"
    if how == "delete":
        outer.delete(scene.docs("outer")).ok()
    else:
        outer.rename(scene.docs("outer"), "renamed").ok()
    scene.make_anew("inner/docs", "next/docs")
    if how == "delete":
        key.list().fails(401)
    else:
        assert key.content("mine") == b"mine" and "foreign" not in key.names()


def test_a_link_that_is_renamed_in_another_share_leads_no_share_elsewhere(scene):
    """A share that was made through a link in another share, in which a person gives the link's name to another link."""
    outer, top = scene.client("outer"), scene.tops["outer"]
    (scene.folder / "other/docs").mkdir(parents=True)
    (scene.folder / "other/docs/foreign").write_bytes(b"of others")
    (scene.folder / "cur").symlink_to("inner")
    (scene.folder / "new").symlink_to("other")
    made = scene.server.cli_json("share", "add", "--name", "by-link", "--target", scene.folder / "cur",
                                 "--account", scene.accounts["inner"].name)
    docs = f"__adm_{made['id']}/docs"
    _, key = scene.key("inner", docs)
    outer.rename(f"{top}/cur", "old").ok()
    outer.rename(f"{top}/new", "cur").ok()
    assert key.content("mine") == b"mine" and key.names() == ["sub", "mine"]
    assert "foreign" not in scene.client("inner").names(docs)
