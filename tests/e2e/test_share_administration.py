"""Shared folders by /api/v2, which lie beneath the setting share_roots."""

import os

import pytest

from people import PASSWORD, Person


class Scene:
    """A server whose settings name a folder with a team's folder in it, its administrator, and a user."""

    def __init__(self, server, root):
        self.server, self.root = server, root
        server.add_account("root", role="admin", password=PASSWORD)
        server.add_account("ann", password=PASSWORD)
        self.admin, self.ann = Person(server), Person(server)
        self.admin.sign_in("root")
        self.ann.sign_in("ann")

    def share(self, **body):
        given = {"name": "Team", "folder": f"{self.root}/team", "accounts": ["ann"], **body}
        return self.admin.ok("POST", "admin/shares", given, status=201)

    def names(self, path=None):
        query = "" if path is None else f"?path={path}"
        return [one["name"] for one in self.admin.ok("GET", f"admin/folders{query}")["entries"]]


@pytest.fixture
def scene(own_server, tmp_path):
    root = tmp_path / "root"
    (root / "team" / "plans").mkdir(parents=True)
    (root / "team" / "a.txt").write_text("shared")
    (tmp_path / "outside" / "private").mkdir(parents=True)
    return Scene(own_server(share_roots=[str(root)]), root)


def test_a_share_from_making_to_withdrawing(scene):
    answer = scene.admin.call("POST", "admin/shares", {"name": "Team", "folder": f"{scene.root}/team", "accounts": ["ann"],
                                                       "readOnly": True, "description": "Plans"})
    made = answer.json()
    assert answer.status_code == 201 and answer.headers["Location"] == f"/api/v2/admin/shares/{made['id']}"
    assert made["folder"] == f"{scene.root}/team" and made["accounts"] == ["ann"] and not made["everyone"]
    assert scene.admin.ok("GET", "admin/shares")["entries"] == [made] == [scene.admin.ok("GET", f"admin/shares/{made['id']}")]
    place, v1 = f"__adm_{made['id']}", scene.ann.v1()
    assert v1.content(f"{place}/a.txt") == b"shared"
    v1.make_folder(place, "more").fails(403)
    changed = scene.admin.ok("PATCH", f"admin/shares/{made['id']}", {"readOnly": False, "name": "All"})
    assert not changed["readOnly"] and changed["name"] == "All" and changed["description"] == "Plans"
    v1.make_folder(place, "more").ok()
    scene.admin.ok("PATCH", f"admin/shares/{made['id']}", {"accounts": ["root"]})
    v1.list(place).fails(404)
    everyone = scene.admin.ok("PATCH", f"admin/shares/{made['id']}", {"everyone": True})
    assert everyone["everyone"] and everyone["accounts"] == []
    v1.list(place).ok()
    scene.admin.ok("DELETE", f"admin/shares/{made['id']}", status=204)
    v1.list(place).fails(404)
    assert (scene.root / "team/more").is_dir()
    for method, body in (("GET", None), ("PATCH", {}), ("DELETE", None)):
        scene.admin.fails("not_found", method, f"admin/shares/{made['id']}", body)


@pytest.mark.parametrize("body, code, word", [
    ({"name": None}, "malformed", "name"), ({"name": ""}, "malformed", "name"), ({"name": "a/b"}, "malformed", "name"),
    ({"name": "__adm_x"}, "malformed", "__adm_"), ({"folder": None}, "malformed", "folder"),
    ({"folder": "relative"}, "malformed", "absolute"), ({"folder": "/" + "x" * 4096}, "malformed", "4095"),
    ({"accounts": []}, "malformed", "who sees"), ({"accounts": ["nobody"]}, "not_found", "nobody"),
    ({"accounts": "ann"}, "malformed", "accounts"), ({"accounts": ["ann"], "everyone": True}, "malformed", "both"),
    ({"accounts": ["ann"] * 1001}, "malformed", "1000"), ({"description": "d" * 1001}, "malformed", "1000"),
    ({"writable": True}, "malformed", "writable"),
])
def test_what_cannot_be_a_share_is_named(scene, body, code, word):
    given = {"name": "Team", "folder": f"{scene.root}/team", "accounts": ["ann"], **body}
    given = {name: value for name, value in given.items() if value is not None}
    assert word in scene.admin.fails(code, "POST", "admin/shares", given)
    assert scene.admin.ok("GET", "admin/shares")["entries"] == []


def test_names_of_shares_are_unique(scene):
    scene.share()
    scene.admin.fails("name_taken", "POST", "admin/shares", {"name": "Team", "folder": str(scene.root), "everyone": True})
    other = scene.share(name="Other")
    scene.admin.fails("name_taken", "PATCH", f"admin/shares/{other['id']}", {"name": "Team"})


def lay_traps(scene):
    outside = scene.root.parent / "outside"
    (scene.root / "out").symlink_to(outside)
    (scene.root / "up").symlink_to("../outside")
    (scene.root / "team/deep").symlink_to(outside / "private")
    (scene.root / "loop").symlink_to("loop")
    (scene.root / "in").symlink_to("team")
    (scene.root / "file").write_text("")
    (scene.root.parent / "root2").mkdir()
    return outside


@pytest.mark.parametrize("folder, code", [
    ("{outside}", "forbidden"), ("/", "forbidden"), ("/etc", "forbidden"), ("{root}2", "forbidden"), ("{root}/../outside", "forbidden"),
    ("{root}/team/../../outside", "forbidden"), ("{root}/out", "forbidden"), ("{root}/out/private", "forbidden"),
    ("{root}/up", "forbidden"), ("{root}/team/deep", "forbidden"), ("{root}/loop", "forbidden"), ("{root}/file", "malformed"),
    ("{root}/none", "not_found"), ("{root}/%2e%2e/outside", "not_found"), ("{data}", "forbidden"), ("{data}/files", "forbidden"),
])
def test_nothing_outside_the_roots_is_picked_or_shared(scene, folder, code):
    outside = lay_traps(scene)
    share = scene.share()
    folder = folder.format(outside=outside, root=scene.root, data=scene.server.data)
    encoded = folder.replace("%", "%25")
    scene.admin.fails(code, "GET", f"admin/folders?path={encoded}")
    scene.admin.fails(code, "POST", "admin/shares", {"name": "Trap", "folder": folder, "everyone": True})
    scene.admin.fails(code, "PATCH", f"admin/shares/{share['id']}", {"folder": folder})
    assert [one["folder"] for one in scene.admin.ok("GET", "admin/shares")["entries"]] == [f"{scene.root}/team"]


def test_folders_are_picked_beneath_the_roots(scene):
    lay_traps(scene)
    os.mkdir(bytes(scene.root) + b"/not-utf8-\xff")
    (scene.root / "line\nbreak").mkdir()
    assert scene.names() == [str(scene.root)]
    assert scene.names(scene.root) == ["in", "team"]
    assert scene.names(f"{scene.root}/team") == ["plans"] == scene.names(f"{scene.root}//team/./")
    entries = scene.admin.ok("GET", f"admin/folders?path={scene.root}&limit=1")
    assert entries == {"entries": [{"name": "in", "path": f"{scene.root}/in"}], "next": "in"}
    assert scene.admin.ok("GET", f"admin/folders?path={scene.root}&limit=1&cursor=in")["entries"][0]["name"] == "team"
    # A link that stays beneath is kept as where it leads to.
    assert scene.share(folder=f"{scene.root}/in")["folder"] == f"{scene.root}/team"


def test_a_link_put_in_later_leads_nowhere(scene):
    (scene.root / "team").rename(scene.root / "moved")
    (scene.root / "team").symlink_to(scene.root.parent / "outside")
    scene.admin.fails("forbidden", "GET", f"admin/folders?path={scene.root}/team")
    scene.admin.fails("forbidden", "POST", "admin/shares", {"name": "T", "folder": f"{scene.root}/team", "everyone": True})


def test_the_servers_own_data_is_not_shown(own_server, tmp_path):
    server = own_server()
    server.stop()
    server.settings["share_roots"] = [str(server.folder), "/"]
    server.start()
    (server.folder / "beside").mkdir()
    scene = Scene(server, server.folder)
    assert scene.names() == sorted(["/", str(server.folder)])
    assert "beside" in scene.names(server.folder) and "data" not in scene.names(server.folder)
    for folder in (server.data, server.data / "files", server.data / "staging"):
        scene.admin.fails("forbidden", "GET", f"admin/folders?path={folder}")
    scene.admin.fails("malformed", "POST", "admin/shares", {"name": "All", "folder": str(server.folder), "everyone": True})
    scene.admin.fails("malformed", "POST", "admin/shares", {"name": "All", "folder": "/proc/self", "everyone": True})


def test_without_roots_folders_are_shared_on_the_command_line_alone(own_server, tmp_path):
    (tmp_path / "team").mkdir()
    scene = Scene(own_server(), tmp_path)
    for method, path, body in (("GET", "admin/folders", None), ("GET", f"admin/folders?path={tmp_path}", None),
                               ("POST", "admin/shares", {"name": "Team", "folder": str(tmp_path / "team"), "everyone": True})):
        assert "share_roots" in scene.admin.fails("forbidden", method, path, body)
    made = scene.server.cli_json("share", "add", "--name", "Team", "--target", str(tmp_path / "team"), "--account", "ann")
    changed = scene.admin.ok("PATCH", f"admin/shares/{made['id']}", {"everyone": True, "readOnly": True})
    assert changed["everyone"] and changed["readOnly"]
    scene.admin.fails("forbidden", "PATCH", f"admin/shares/{made['id']}", {"folder": str(tmp_path)})
    scene.admin.ok("DELETE", f"admin/shares/{made['id']}", status=204)


@pytest.mark.parametrize("roots, word", [(["relative"], "absolute"), (["/srv/../etc"], "absolute"), ("/srv", "list")])
def test_roots_that_cannot_be_are_refused_at_the_start(tmp_path, own_server, roots, word):
    server = own_server()
    server.stop()
    server.settings["share_roots"] = roots
    with pytest.raises(AssertionError, match="did not start"):
        server.start()
    assert "share_roots" in server.log() and word in server.log()


def test_another_folder_revokes_the_keys_of_the_old_one(scene):
    (scene.root / "second/plans").mkdir(parents=True)
    share = scene.share()
    key = scene.server.create_key("ann", f"__adm_{share['id']}/plans")
    limited = Person(scene.server, key=key["key"]).v1()
    limited.list().ok()
    scene.admin.ok("PATCH", f"admin/shares/{share['id']}", {"folder": f"{scene.root}/second"})
    limited.list().fails(401)


def test_a_share_is_found_by_its_id_alone(scene):
    first = scene.share()
    impostor = scene.share(name=first["id"], folder=f"{scene.root}/team/plans")
    assert scene.admin.ok("GET", f"admin/shares/{first['id']}")["name"] == "Team"
    scene.admin.fails("not_found", "DELETE", "admin/shares/Team")
    scene.admin.ok("DELETE", f"admin/shares/{impostor['id']}", status=204)
    assert [one["id"] for one in scene.admin.ok("GET", "admin/shares")["entries"]] == [first["id"]]


def test_accounts_are_added_and_taken_away_one_by_one(scene):
    share = scene.share()
    target = f"admin/shares/{share['id']}"
    for name in ("bob", "eve"):
        scene.server.add_account(name)
    assert scene.admin.ok("PATCH", target, {"addedAccounts": ["bob", "ann"]})["accounts"] == ["ann", "bob"]
    changed = scene.admin.ok("PATCH", target, {"addedAccounts": ["eve"], "removedAccounts": ["ann", "bob"]})
    assert changed == {**share, "accounts": ["eve"]}
    assert scene.admin.ok("PATCH", target, {"accounts": ["ann"], "addedAccounts": ["bob"]})["accounts"] == ["ann", "bob"]
    for body, code in (({"removedAccounts": ["ann", "bob"]}, 400), ({"addedAccounts": ["nobody"]}, 404),
                       ({"everyone": True, "addedAccounts": ["eve"]}, 400)):
        answer = scene.admin.call("PATCH", target, body)
        assert answer.status_code == code, answer.text
    assert scene.admin.ok("GET", target)["accounts"] == ["ann", "bob"]
