"""API keys: what a scoped key sees, how scopes follow their folders, and when a key dies."""

import pytest

from client import ACCOUNT, FILES, KEYS, form
from people import Person
from server import tree_of
from test_requests import PATHS, UPLOAD, with_value


@pytest.fixture
def tree(account):
    """docs/{a.txt, sub/b.txt}, docs2/c.txt, top.txt"""
    client = account.client
    client.make_folder("docs", "sub").ok()
    client.make_folder("", "docs2").ok()
    for name in ("docs/a.txt", "docs/sub/b.txt", "docs2/c.txt", "top.txt"):
        client.put(name, name.encode())
    return account


def scope_of(client, key_id):
    key = {key["id"]: key for key in client.keys().ok()}[key_id]
    assert key["folderPath"] == key["folderScope"]
    return key["folderPath"]


# Authentication

@pytest.mark.parametrize("key", [None, "", "x", "00000000-0000-4000-8000-000000000000", "0F8FAD5B-D9CB-469F-A165-70867728950E",
                                 "' OR 1=1 --", "x" * 4000])
def test_bad_keys_are_401(client, key):
    client.with_key(key).account().fails(401)


def test_a_key_is_not_taken_in_pieces(account):
    for key in (account.key[:-1], account.key[1:], account.key[:8], account.key + "0", account.key + ", x"):
        account.client.with_key(key).account().fails(401)


def test_the_key_travels_in_its_header_alone(account):
    stranger = account.client.with_key(None)
    for headers in ({"Authorization": f"Bearer {account.key}"}, {"Cookie": f"X-API-Key={account.key}"}):
        stranger.call("GET", ACCOUNT, headers=headers).fails(401)
    account.server.secrets.discard(account.key)  # The access log shows queries.
    stranger.call("GET", ACCOUNT, {"X-API-Key": account.key}).fails(401)
    stranger.call("GET", ACCOUNT, headers={"x-api-key": account.key}).ok()


# What a scoped key sees

def test_paths_are_relative_to_the_scope(tree):
    scoped = tree.client.scoped("docs")
    assert scoped.names() == ["sub", "a.txt"]
    assert scoped.list("sub").ok()[0]["relativePath"] == "sub/b.txt"
    assert scoped.info("/sub/b.txt").ok()["path"] == "sub/b.txt"
    assert scoped.content("sub/b.txt") == b"docs/sub/b.txt"
    scoped.info("top.txt").fails(404)
    scoped.info("docs/a.txt").fails(404)
    root = scoped.info("").ok()
    assert root["name"] == "" and root["path"] == ""


def test_every_write_stays_in_the_scope(tree):
    scoped = tree.client.scoped("docs")
    scoped.put("new.txt", b"x")
    scoped.make_folder("", "made").ok()
    scoped.make_file("made", "empty").ok()
    scoped.copy("sub/b.txt", "").ok()
    scoped.move("a.txt", "made").ok()
    scoped.rename("sub", "renamed").ok()
    scoped.delete("new.txt").ok()
    assert tree_of(tree.root) == {"top.txt", "docs2/", "docs2/c.txt", "docs/", "docs/made/", "docs/made/empty",
                                  "docs/made/a.txt", "docs/b.txt", "docs/renamed/", "docs/renamed/b.txt"}


@pytest.mark.parametrize("value", ["..", "../docs2", "../docs2/c.txt", "sub/../../top.txt", "..%5cdocs2", "__adm_x",
                                   "__adm_x/a", "__conn_x", "/__conn_x/a", ".//__adm_x"])
@pytest.mark.parametrize("method, route, others, parameter", PATHS)
def test_what_lies_outside_the_scope_is_403(scoped, method, route, others, parameter, value):
    extra = UPLOAD if route.endswith("/upload") else {}
    scoped.exact(method, f"{route}?{with_value(others, parameter, value)}", **extra).fails(403)


@pytest.fixture(scope="module")
def scoped(module_account):
    client = module_account.client
    client.make_folder("", "docs").ok()
    client.put("docs/a.txt", b"x")
    return client.scoped("docs")


@pytest.mark.parametrize("act", [
    lambda client: client.delete(""), lambda client: client.delete("/"), lambda client: client.rename("", "x"),
    lambda client: client.move("/", "sub"), lambda client: client.copy(".", "sub")])
def test_the_scope_itself_is_a_root(tree, act):
    scoped = tree.client.scoped("docs")
    act(scoped).fails(403)
    assert scoped.names() == ["sub", "a.txt"]


def test_a_deep_scope_is_spelled_out(tree):
    created = tree.client.create_key("deep", "//docs/./sub/").ok()
    assert created["folderPath"] == created["folderScope"] == "docs/sub"
    deep = tree.client.with_key(created["key"])
    assert deep.names() == ["b.txt"] and deep.account().ok()["folderScope"] == "docs/sub"


@pytest.mark.parametrize("folder", [None, "", "/"])
def test_no_folder_means_full_access(tree, folder):
    created = tree.client.create_key("full", folder).ok()
    assert created["folderPath"] == "" and created["folderScope"] == "Full access"
    assert tree.client.with_key(created["key"]).names() == ["docs", "docs2", "top.txt"]


def test_a_scope_must_be_an_existing_folder(tree):
    tree.client.create_key("k", "no-such").fails(404)
    tree.client.create_key("k", "top.txt").fails(400)
    tree.client.create_key("k", "../x").fails(403)


# A scoped key's view of keys

def test_a_scoped_key_never_widens_itself(tree):
    scoped = tree.client.scoped("docs")
    for folder, path in ((None, "docs"), ("", "docs"), ("/", "docs"), ("sub", "docs/sub")):
        created = scoped.create_key("child", folder).ok()
        assert created["folderPath"] == created["folderScope"] == path
        child = scoped.with_key(created["key"])
        assert child.account().ok()["folderScope"] == path
        child.info("top.txt").fails(404)
    scoped.create_key("k", "docs2").fails(404)
    scoped.create_key("k", "..").fails(403)
    scoped.create_key("k", "../docs2").fails(403)


def test_a_scoped_key_lists_and_revokes_only_keys_in_its_scope(tree):
    client = tree.client
    ids = {label: client.create_key(label, folder).ok()["id"]
           for label, folder in (("same", "docs"), ("below", "docs/sub"), ("beside", "docs2"), ("full", None))}
    scoped = client.scoped("docs", "self")
    listed = {key["name"]: key["folderPath"] for key in scoped.keys().ok()}
    assert listed == {"same": "docs", "below": "docs/sub", "self": "docs"}
    for label in ("beside", "full"):
        scoped.revoke(ids[label]).fails(404)
    scoped.revoke(tree.key_id).fails(404)
    for label in ("same", "below"):
        scoped.revoke(ids[label]).ok()
    assert {key["name"] for key in client.keys().ok()} == {"beside", "full", "self", "test"}


def test_a_key_may_revoke_itself(tree):
    created = tree.client.create_key("self", "docs").ok()
    own = tree.client.with_key(created["key"])
    own.revoke(created["id"]).ok()
    own.list().fails(401)


@pytest.mark.parametrize("key_id", ["x", "..", "%2e%2e", "' OR 1=1", "00000000-0000-4000-8000-000000000000", "0", "-1",
                                    "9" * 40, "x" * 1000])
def test_unknown_ids_are_404(client, key_id):
    client.revoke(key_id).fails(404)


@pytest.mark.parametrize("key_id", ["%zz", "%ff", "%00"])
def test_undecodable_ids_are_refused(client, key_id):
    client.exact("DELETE", f"{KEYS}/{key_id}").fails(400, 404)


def test_another_accounts_keys_do_not_exist(tree, make_account):
    stranger = make_account()
    stranger.client.revoke(tree.key_id).fails(404)
    assert [key["id"] for key in stranger.client.keys().ok()] == [stranger.key_id]
    tree.client.account().ok()


# Scopes follow their folders

@pytest.mark.parametrize("change, scope", [
    (lambda client: client.rename("docs/sub", "renamed"), "docs/renamed"),
    (lambda client: client.rename("docs", "papers"), "papers/sub"),
    (lambda client: client.move("docs/sub", ""), "sub"),
    (lambda client: client.move("docs/sub", "docs2"), "docs2/sub"),
    (lambda client: client.move("docs", "docs2"), "docs2/docs/sub"),
    (lambda client: client.rename("docs2", "docs3"), "docs/sub"),
    (lambda client: client.copy("docs", "docs2"), "docs/sub"),
    (lambda client: client.delete("docs2"), "docs/sub"),
    (lambda client: client.scoped("docs").rename("sub", "inner"), "docs/inner"),
])
def test_a_scope_follows_its_folder(tree, change, scope):
    client = tree.client
    created = client.create_key("follows", "docs/sub").ok()
    scoped = client.with_key(created["key"])
    assert scoped.names() == ["b.txt"]
    change(client).ok()
    assert scoped.content("b.txt") == b"docs/sub/b.txt"
    assert scoped.account().ok()["folderScope"] == scope_of(client, created["id"]) == scope


def test_a_scope_does_not_move_to_a_folder_made_under_the_old_name(tree):
    client = tree.client
    scoped = client.scoped("docs")
    client.rename("docs", "papers").ok()
    client.make_folder("", "docs").ok()
    client.put("docs/private.txt", b"x")
    assert scoped.names() == ["sub", "a.txt"]


def test_folders_that_swap_names_swap_no_keys(tree):
    client = tree.client
    one, two = client.scoped("docs"), client.scoped("docs2")
    client.rename("docs", "tmp").ok()
    client.rename("docs2", "docs").ok()
    client.rename("tmp", "docs2").ok()
    assert one.names() == ["sub", "a.txt"] and two.names() == ["c.txt"]
    assert (one.account().ok()["folderScope"], two.account().ok()["folderScope"]) == ("docs2", "docs")


@pytest.mark.parametrize("deleted", ["docs/sub", "docs"])
def test_deleting_the_folder_or_one_above_revokes_its_keys(tree, deleted):
    client = tree.client
    created = client.create_key("dies", "docs/sub").ok()
    scoped = client.with_key(created["key"])
    scoped.account().ok()
    client.delete(deleted).ok()
    scoped.list().fails(401)
    assert created["id"] not in [key["id"] for key in client.keys().ok()]
    client.make_folder("docs", "sub").ok()
    scoped.list().fails(401)
    client.revoke(created["id"]).fails(404)


def test_deleting_the_folder_by_another_way_revokes_its_keys_too(tree):
    """A link on disk gives the folder a second path; the folder's keys die whichever is used."""
    (tree.root / "alias").symlink_to("docs")
    client = tree.client
    real, aliased = client.scoped("docs/sub"), client.scoped("alias/sub")
    assert aliased.names() == ["b.txt"]
    client.delete("alias/sub").ok()
    client.make_folder("docs", "sub").ok()
    client.put("docs/sub/private.txt", b"x")
    real.list().fails(401)
    aliased.list().fails(401)


def test_a_scope_follows_its_folder_renamed_by_another_way(tree):
    (tree.root / "alias").symlink_to("docs")
    client = tree.client
    real = client.scoped("docs/sub")
    client.rename("alias/sub", "renamed").ok()
    client.make_folder("docs", "sub").ok()
    client.put("docs/sub/private.txt", b"x")
    assert real.names() == ["b.txt"]


def test_a_key_for_a_link_follows_the_folder_that_it_led_to(tree):
    (tree.root / "alias").symlink_to("docs")
    client = tree.client
    aliased = client.scoped("alias")
    client.rename("docs", "renamed").ok()
    client.make_folder("", "docs").ok()
    client.put("docs/private.txt", b"x")
    assert aliased.names() == ["sub", "a.txt"]


@pytest.mark.parametrize("target", [".", "docs/.."])
def test_no_key_or_link_is_made_for_a_link_to_the_root(tree, target):
    """It would be above all others, and show guests everything."""
    (tree.root / "alias").symlink_to(target)
    (tree.root / "docs/up").symlink_to("..")
    person = Person(tree.server, key=tree.key)
    for folder in ("alias", "docs/up"):
        assert "root" in tree.client.create_key("k", folder).fails(400)
        for route, body in (("keys", {"name": "k", "access": "full", "folder": folder}), ("links", {"path": folder})):
            answer = person.call("POST", route, body)
            assert answer.status_code == 400 and "root" in answer.text, answer.text
    assert person.ok("GET", "links") == []
    inner = tree.client.create_key("k", "alias/docs").ok()
    assert inner["folderPath"] == "docs"


def test_deleting_a_link_leaves_the_keys_of_its_target(tree):
    (tree.root / "alias").symlink_to("docs")
    scoped = tree.client.scoped("docs")
    tree.client.delete("alias").ok()
    assert scoped.names() == ["sub", "a.txt"]


def test_deleting_docs_leaves_the_keys_of_docs2(tree):
    client = tree.client
    one, two = client.scoped("docs"), client.scoped("docs2")
    client.delete("docs").ok()
    one.list().fails(401)
    assert two.names() == ["c.txt"]


def test_a_refused_delete_or_rename_changes_no_scope(tree):
    client = tree.client
    scoped = client.scoped("docs")
    client.rename("docs", "docs2").fails(409)
    client.move("docs", "docs/sub").fails(400)
    assert scoped.account().ok()["folderScope"] == "docs"


def test_a_folder_that_vanished_on_disk_is_404(tree):
    scoped = tree.client.scoped("docs2")
    (tree.root / "docs2/c.txt").unlink()
    (tree.root / "docs2").rmdir()
    scoped.list().fails(404)
    scoped.upload("", form(("a", b"x"))).fails(404)
    scoped.info("").fails(404)


# Life and death

def test_last_use_is_null_first_then_a_time(tree):
    created = tree.client.create_key("new").ok()
    by_id = lambda: {key["id"]: key for key in tree.client.keys().ok()}[created["id"]]  # noqa: E731
    assert by_id()["lastUsedAt"] is None
    tree.client.with_key(created["key"]).account().ok()
    assert by_id()["lastUsedAt"] is None or by_id()["lastUsedAt"] >= created["createdAt"]


def test_keys_are_listed_by_creation(client):
    labels = [f"k{i}" for i in range(5)]
    for label in labels:
        client.create_key(label).ok()
    assert [key["name"] for key in client.keys().ok()] == ["test"] + labels


def test_labels_need_not_differ(client):
    one, two = (client.create_key("same").ok() for _ in range(2))
    assert one["id"] != two["id"] and one["key"] != two["key"]
    client.revoke(one["id"]).ok()
    client.with_key(two["key"]).account().ok()


def test_revocation_by_the_command_line_counts_at_once(tree):
    created = tree.client.create_key("cli", "docs").ok()
    key = tree.client.with_key(created["key"])
    for _ in range(3):
        key.account().ok()
    tree.server.cli("key", "revoke", created["id"], "--account", tree.name)
    key.account().fails(401)
    key.download("a.txt").fails(401)


def test_keys_made_by_the_command_line_work_at_once(tree):
    made = tree.server.create_key(tree.name, "docs/sub")
    assert tree.client.with_key(made["key"]).names() == ["b.txt"]
    assert scope_of(tree.client, made["id"]) == "docs/sub"


def test_a_revoked_key_cannot_continue_on_a_kept_alive_connection(tree):
    created = tree.client.create_key("alive").ok()
    other = tree.client.with_key(created["key"])
    other.account().ok()
    tree.client.revoke(created["id"]).ok()
    for method, path in (("GET", ACCOUNT), ("GET", FILES), ("GET", KEYS)):
        other.call(method, path).fails(401)


# Accounts

def test_a_disabled_account_is_401_until_it_is_enabled(tree):
    scoped = tree.client.scoped("docs")
    tree.client.account().ok()
    tree.set("--disabled", "true")
    tree.client.account().fails(401)
    scoped.list().fails(401)
    tree.set("--disabled", "false")
    tree.client.account().ok()
    scoped.list().ok()


def test_a_removed_accounts_keys_are_dead(tree):
    tree.server.cli("account", "remove", tree.name)
    tree.client.account().fails(401)
    tree.client.list().fails(401)


def test_changes_of_an_account_show_in_the_next_request(tree):
    tree.client.account().ok()
    tree.set("--display-name", "Grace Hopper", "--role", "admin", "--quota", "1GiB")
    account = tree.client.account().ok()
    assert (account["displayName"], account["role"], account["storageLimit"]) == ("Grace Hopper", "admin", 1 << 30)


def test_accounts_see_nothing_of_one_another(tree, make_account):
    other = make_account()
    assert other.client.names() == [] and other.client.used() == 0
    other.client.info("docs").fails(404)
    other.client.put("top.txt", b"mine")
    assert tree.client.content("top.txt") == b"top.txt"
