"""A share or connector that is led to another place while something that was begun before goes on, or waits to: nothing is read,
written or deleted in the new place on behalf of the old one, and no key or link comes to open it."""

import pytest

from faulty_line import line_to
from mounting import Call, add_connector, plant, scratch, started
from people import Person
from remote_servers import FtpServer
from server import eventually
from test_people_bin import bin_of, delete
from test_people_tasks import do, ended
from tus import Tus, sql

OTHERS = {"docs/mine": b"of others", "docs/b": b"of others", "docs/c": b"of others"}


class Scene:
    """A share, and a connector whose line can be held; each has a folder `docs`, also where it is led to."""

    def __init__(self, server, account, remote, line, options, folder):
        self.server, self.account, self.remote, self.line = server, account, remote, line
        self.team, self.other = folder / "team", folder / "other"
        self.docs = {"docs/mine": b"mine", "docs/b": b"b", "docs/c": b"c"}
        for root, tree in ((self.team, self.docs), (self.other, OTHERS)):
            plant(root, tree)
        plant(remote.root, self.docs | {f"elsewhere/{name}": content for name, content in OTHERS.items()})
        plant(account.root, {"own/a": b"a", "own/b": b"b"})
        self.share_id = server.cli_json("share", "add", "--name", "Team", "--target", self.team, "--everyone")["id"]
        self.share = f"__adm_{self.share_id}"
        self.mount = add_connector(server, account.name, "Far", options, stdin="secret\n")
        self.root = options[options.index("--root") + 1] if "--root" in options else ""
        self.person = Person(server, key=account.key)

    def lead_share(self):
        self.server.cli("share", "set", self.share_id, "--target", self.other)

    def lead_connector(self, root=None):
        """To the folder `elsewhere`, if no other is given."""
        root = f"{self.root}/elsewhere" if root is None else root
        self.server.cli("connector", "set", "Far", "--account", self.account.name, "--root", root, "--no-test")

    def hold(self, line, work):
        self.line.fault("hold", line=line)
        answer = work()
        eventually(self.line.held.is_set, "the middle of the work")
        return answer

    def begin(self, kind, sources, destination=None, **more):
        task = {"kind": kind, "sources": sources, **more}
        if destination is not None:
            task["destination"] = destination
        return self.person.ok("POST", "tasks", task, status=202)

    def others_are_untouched(self):
        assert {name: (self.other / name).read_bytes() for name in OTHERS} == OTHERS
        elsewhere = self.remote.root / "elsewhere"
        assert {name: (elsewhere / name).read_bytes() for name in OTHERS} == OTHERS
        assert {item.name for item in self.other.iterdir()} - {".coffer-staging"} == {"docs"}
        assert sorted(item.name for item in (self.other / "docs").iterdir()) == ["b", "c", "mine"]


@pytest.fixture
def scene(own_server, account_on):
    server = own_server()
    with started(FtpServer) as remotes, line_to(remotes["ftp"]) as (line, options), scratch("led") as folder:
        yield Scene(server, account_on(server), remotes["ftp"], line, options, folder)


TASKS = [
    ("delete", ["{mount}/docs/mine", "{share}/docs/b"], None, b"DELE"),
    ("move", ["{mount}/docs/mine", "{share}/docs/b"], "", b"RETR"),
    ("copy", ["{mount}/docs/mine", "{share}/docs/b"], "", b"RETR"),
    ("copy", ["{mount}/docs/mine", "own"], "{share}", b"RETR"),
]


@pytest.mark.parametrize("kind, sources, destination, line", TASKS)
def test_a_task_does_not_go_on_in_the_place_that_a_share_leads_to_now(scene, kind, sources, destination, line):
    places = {"mount": scene.mount, "share": scene.share}
    sources = [one.format(**places) for one in sources]
    destination = destination and destination.format(**places)
    more = {"permanent": True} if kind == "delete" else {}
    task = scene.hold(line, lambda: scene.begin(kind, sources, destination, **more))
    scene.lead_share()
    scene.line.mend()
    end = ended(scene.person, task)
    text = (end.get("error") or "") + "".join(item["reason"] for item in end["skipped"])
    assert "another place" in text, end
    scene.others_are_untouched()
    assert not (scene.account.root / "b").exists()


def test_a_task_does_not_go_on_in_the_place_that_a_connector_leads_to_now(scene):
    task = scene.hold(b"DELE", lambda: scene.begin(
        "delete", [f"{scene.mount}/docs/mine", f"{scene.mount}/docs/b", f"{scene.mount}/docs/c"], permanent=True))
    scene.lead_connector()
    scene.line.mend()
    end = ended(scene.person, task)
    assert "another place" in "".join(item["reason"] for item in end["skipped"]), end
    scene.others_are_untouched()


def test_a_merge_ends_when_its_source_is_led_elsewhere(scene):
    plant(scene.account.root, {"docs/mine": b"old", "docs/b": b"old", "docs/c": b"old"})
    task = scene.hold(b"RETR", lambda: scene.begin("move", [f"{scene.mount}/docs"], "", onConflict="replace"))
    scene.lead_connector()
    scene.line.mend()
    assert ended(scene.person, task)["state"] != "done"
    scene.others_are_untouched()
    assert b"of others" not in {item.read_bytes() for item in (scene.account.root / "docs").iterdir()}


@pytest.mark.parametrize("led", ["share", "connector"])
@pytest.mark.parametrize("restarts", [False, True])
def test_an_upload_in_pieces_does_not_go_on_into_another_place(scene, led, restarts):
    tus = Tus(scene.server, scene.account.key)
    folder = f"{getattr(scene, 'share' if led == 'share' else 'mount')}/docs"
    upload = tus.create(10, "new", folder)
    assert tus.patch(upload, 0, b"12345").status == 204
    if restarts:
        scene.server.stop()
        scene.server.start()
    if led == "share":
        scene.lead_share()
    else:
        scene.lead_connector()
    tus = Tus(scene.server, scene.account.key)
    answer = tus.patch(upload, 5, b"67890")
    assert (answer.status, "another place" in answer.detail()) == (403, True), answer
    scene.others_are_untouched()
    if led == "share":
        scene.server.cli("share", "set", scene.share_id, "--target", scene.team)
    else:
        scene.lead_connector(scene.root)
    assert tus.patch(upload, tus.offset(upload), b"67890"[tus.offset(upload) - 5:]).status == 204
    assert scene.account.client.content(f"{folder}/new") == b"1234567890"


@pytest.mark.parametrize("led", ["share", "connector"])
def test_a_bin_shows_what_lies_in_the_place_that_it_leads_to(scene, led):
    """What lies in the place of before is listed again when the mount leads back; it is not looked for in another one."""
    share, person = led == "share", scene.person
    path, root = (scene.share, scene.team) if share else (scene.mount, scene.remote.root)
    item, = delete(person, f"{path}/docs/mine")
    if share:
        scene.lead_share()
    else:
        scene.lead_connector()
    assert bin_of(person) == []
    person.fails("not_found", "DELETE", f"bin/{item}")
    person.fails("not_found", "POST", "tasks", {"kind": "restore", "sources": [item]})
    person.ok("DELETE", "bin", status=204)
    scene.server.stop()
    scene.server.start()
    person = Person(scene.server, key=scene.account.key)
    assert bin_of(person) == []
    scene.others_are_untouched()
    if share:
        scene.server.cli("share", "set", scene.share_id, "--target", scene.team)
    else:
        scene.lead_connector(scene.root)
    assert [one["id"] for one in bin_of(person)] == [item]
    assert do(person, "restore", [item])["state"] == "done"
    assert (root / "docs/mine").read_bytes() == b"mine"


def test_what_is_due_in_a_place_that_a_share_does_not_lead_to_is_forgotten(scene):
    item, = delete(scene.person, f"{scene.share}/docs/mine")
    scene.lead_share()
    scene.server.stop()
    sql(scene.server, f"UPDATE bin_items SET deleted_at = deleted_at - {40 * 24 * 3600 * 10**9}")
    scene.server.start()
    eventually(lambda: not sql(scene.server, "SELECT id FROM bin_items"), "the record to go")
    assert (scene.team / ".coffer-bin" / item).read_bytes() == b"mine"
    scene.others_are_untouched()


@pytest.mark.parametrize("kind", ["key", "link"])
def test_no_key_or_link_is_made_for_a_folder_of_the_place_that_it_does_not_lead_to_any_more(scene, kind):
    path = f"{scene.mount}/docs"
    body = {"name": "k", "access": "full", "folder": path} if kind == "key" else {"path": path, "mode": "read"}
    scene.line.fault("hold", after=20)
    call = Call(lambda: scene.person.call("POST", "keys" if kind == "key" else "links", body))
    eventually(lambda: scene.line.held.is_set() or not call.is_alive(), "the look at the folder")
    scene.lead_connector()
    scene.line.mend()
    answer = call.result()
    assert answer.status_code in (403, 404, 409), answer.text
    assert scene.person.ok("GET", "links") == []
    assert [key["folder"] for key in scene.person.ok("GET", "keys") if key["folder"]] == []


def test_a_folder_below_the_login_is_another_than_one_of_that_name_at_the_top(scene):
    """Though the target that is shown is the same."""
    folder = f"{scene.root}/elsewhere".strip("/")
    scene.lead_connector(folder)
    tus = Tus(scene.server, scene.account.key)
    upload = tus.create(10, "new", f"{scene.mount}/docs")
    assert tus.patch(upload, 0, b"12345").status == 204
    scene.lead_connector("/" + folder)
    answer = tus.patch(upload, 5, b"67890")
    assert (answer.status, "another place" in answer.detail()) == (403, True), answer


def test_a_change_of_a_connector_that_waits_for_its_server_undoes_no_other(scene):
    """Or the connector would lead back to where its keys were not revoked for."""
    place = f"connectors/{scene.mount.removeprefix('__conn_')}"
    scene.line.fault("hold", line=b"LIST")
    call = Call(lambda: scene.person.call("PATCH", place, {"password": "secret"}))
    eventually(scene.line.held.is_set, "the trial of the password")
    scene.lead_connector()
    scene.line.mend()
    answer = call.result()
    assert (answer.status_code, "at the same time" in answer.json()["detail"]) == (409, True)
    (connector,) = scene.server.cli_json("connector", "list", "--account", scene.account.name)
    assert connector["target"].endswith("/elsewhere")


def test_a_move_ends_in_the_folder_that_a_link_led_to_when_it_began(scene):
    for folder in ("rel1", "rel2"):
        plant(scene.team, {f"{folder}/K/file": folder.encode()})
    for link, folder in (("cur", "rel1"), ("cur2", "rel2")):
        (scene.team / link).symlink_to(folder)
    task = scene.hold(b"RNTO", lambda: scene.begin("move", [f"{scene.share}/cur/K"], scene.mount))
    for old, new in (("cur", "old"), ("cur2", "cur")):
        scene.person.ok("PATCH", "files", {"path": f"{scene.share}/{old}", "newName": new}, status=204)
    scene.line.mend()
    assert ended(scene.person, task)["state"] == "done"
    assert not (scene.team / "rel1/K").exists()
    assert [item.name for item in (scene.team / "rel2").iterdir()] == ["K"]
    assert (scene.team / "rel2/K/file").read_bytes() == b"rel2"


@pytest.mark.parametrize("settings", ["[]", "{}", "no JSON"])
def test_a_connector_whose_settings_are_damaged_hides_no_other_place(scene, settings):
    scene.server.stop()
    sql(scene.server, f"UPDATE connectors SET settings = '{settings}'")
    scene.server.start()
    client = scene.account.client
    assert {"own", "Team", "Far"} <= {entry["name"] for entry in client.list().ok()}
    assert client.content(f"{scene.share}/docs/b") == b"b"
    assert "damaged" in client.list(scene.mount).json()["error"]
