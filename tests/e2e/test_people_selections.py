"""Selections: any number of items for tasks and archives, named in several requests."""

import contextlib
import os

import pytest

from people import Person
from places import KINDS, one_of_each
from raw import RawConnection, head
from test_people_archive import REPORT, unpack
from test_people_tasks import Folder, ended, skipped
from tus import sql

NAMES = [f"{number:04} " + "x" * 75 for number in range(1000)]


@pytest.fixture(scope="module")
def places(build_server, description):
    with one_of_each(build_server, description) as made:
        yield made


@pytest.fixture
def person(places):
    key = places.server.create_key(places.account)["key"]
    return Person(places.server, key=key)


def select(person, folder, items, piece=600):
    made = person.ok("POST", "selections", {"folder": folder, "items": items[:piece]}, 201)
    for begin in range(piece, len(items), piece):
        made = person.ok("POST", "selections/" + made["id"], {"folder": folder, "items": items[begin:begin + piece]})
    assert made["count"] == len(items)
    return made["id"]


def begin(person, kind, selection, destination=None, **more):
    body = {"kind": kind, "selection": selection, **more}
    if destination is not None:
        body["destination"] = destination
    return person.ok("POST", "tasks", body, 202)


def work(person, kind, selection, destination=None, **more):
    task = ended(person, begin(person, kind, selection, destination, **more))
    assert task["state"] == "done" and not task["skippedCount"], task
    return task


def test_a_body_takes_memory_for_what_it_announces(places, person):
    """Those that have begun to send a small one leave room for others."""
    folder, body = Folder(places, "own", {"a": b"x"}), b'{"items":["a"]}'
    key = places.server.create_key(places.account)["key"]
    with contextlib.ExitStack() as under_way:
        for _ in range(20):
            connection = under_way.enter_context(RawConnection(places.server))
            connection.send(head("POST", "/api/v2/selections", "Content-Type: application/json", f"Content-Length: {len(body)}",
                                 "Expect: 100-continue", key=key))
            assert connection.read_answer().status == 100  # It waits for the body.
        select(person, folder.path, ["a"])


def all_in_bin(person):
    items, cursor = [], ""
    while cursor is not None:
        page = person.ok("GET", "bin?limit=200" + (f"&cursor={cursor}" if cursor else ""))
        items, cursor = items + page["entries"], page["next"]
    return items


@pytest.fixture(params=["own", "shared"])
def here(request, places):
    return Folder(places, request.param, dict.fromkeys(NAMES, b"x"))


def test_a_thousand_paths_in_a_share_are_copied_moved_and_deleted(places, person):
    here, there = Folder(places, "shared", dict.fromkeys(NAMES, b"x")), Folder(places, "shared", {})
    task = work(person, "copy", select(person, here.path, NAMES), there.path)
    assert task["sourceCount"] == 1000 and len(task["sources"]) <= 100 and task["sources"][0] == here.at(NAMES[0])
    assert set(there.tree()) == set(here.tree()) == set(NAMES)
    work(person, "delete", select(person, there.path, NAMES))
    assert there.tree() == {}
    work(person, "move", select(person, here.path, NAMES), there.path)
    assert here.tree() == {} and set(there.tree()) == set(NAMES)


@pytest.mark.parametrize("kind", KINDS)
def test_a_selection_works_in_each_place(places, person, kind):
    here, there = Folder(places, kind, dict.fromkeys("abc", b"x")), Folder(places, "own", {})
    work(person, "copy", select(person, here.path, ["a", "b"], 1), there.path)
    work(person, "delete", select(person, here.path, ["a", "c"]))
    assert set(there.tree()) == {"a", "b"} and set(here.tree()) == {"b"}


def test_a_restored_selection_brings_all_back(places, person, here):
    work(person, "delete", select(person, here.path, NAMES))
    assert here.tree() == {}
    items = [item["id"] for item in all_in_bin(person) if item["path"].startswith(here.path)]
    task = work(person, "restore", select(person, "", items))
    assert set(here.tree()) == set(NAMES) and task["sources"][0].startswith(here.path)


def test_what_is_gone_by_its_turn_is_told(places, person):
    there = Folder(places, "own", {"a": b"x"})
    here = Folder(places, "shared", dict.fromkeys(NAMES, b"x"))
    names = NAMES + ["gone"]
    task = ended(person, begin(person, "copy", select(person, here.path, names), there.path))
    assert task["state"] == "done" and task["skippedCount"] == 1 and set(skipped(task)) == {here.at("gone")}
    task = ended(person, begin(person, "delete", select(person, here.path, ["gone"])))
    assert task["state"] == "failed" and task["errorCode"] == "not_found", task


def download(person, selection, **more):
    query = "&".join(f"{name}={value}" for name, value in {"selection": selection, **more}.items())
    answer = person.call("GET", "archive?" + query)
    assert answer.status_code == 200, answer.text
    return answer


def test_six_hundred_items_are_one_archive(places, person, here):
    selection = select(person, here.path, NAMES[:600])
    (here.place.folder / here.name / NAMES[7]).unlink() if here.kind == "shared" else places.client.delete(here.at(NAMES[7])).ok()
    assert person.call("HEAD", "archive?selection=" + selection).status_code == 200
    for form in ("zip", "tar"):
        answer = download(person, selection, format=form)
        found = unpack(answer.content, form)
        report = found.pop(REPORT)
        assert set(found) == set(NAMES[:600]) - {NAMES[7]} and NAMES[7].encode() in report
        assert "files." + form in answer.headers["Content-Disposition"]


def test_an_archive_of_one_selected_folder_has_its_name(places, person):
    here = Folder(places, "own", {"sub/a": b"x"})
    answer = download(person, select(person, here.path, ["sub"]))
    assert set(unpack(answer.content, "zip")) == {"sub", "sub/a"} and "sub.zip" in answer.headers["Content-Disposition"]


def test_an_archive_of_one_selected_share_has_its_name(places, person):
    answer = download(person, select(person, "", [places["shared"].path]))
    assert 'filename="Shared.zip"' in answer.headers["Content-Disposition"]


def test_a_selection_is_of_its_account_alone(places, person):
    here = Folder(places, "own", {"a": b"x"})
    selection = select(person, here.path, ["a"])
    other = Person(places.server, key=places.server.create_key(places.server.add_account(None, "0"))["key"])
    other.fails("not_found", "POST", "selections/" + selection, {"items": ["b"]})
    other.fails("not_found", "POST", "tasks", {"kind": "delete", "selection": selection})
    other.fails("not_found", "GET", "archive?selection=" + selection)
    assert set(here.tree()) == {"a"}


def test_a_limited_key_reaches_only_its_folder(places, person):
    here, there = Folder(places, "own", {"a": b"x"}), Folder(places, "own", {"b": b"x"})
    limited = Person(places.server, key=places.server.create_key(places.account, here.path)["key"])
    selection = select(person, there.path, ["b"])
    limited.fails("not_found", "POST", "tasks", {"kind": "delete", "selection": selection})
    limited.fails("not_found", "GET", "archive?selection=" + selection)
    task = work(limited, "delete", select(limited, "", ["a"]), permanent=True)
    assert task["sources"] == ["a"] and here.tree() == {} and set(there.tree()) == {"b"}
    assert task["id"] in {one["id"] for one in limited.ok("GET", "tasks")}


def test_a_selection_is_used_once_by_a_task(places, person):
    here = Folder(places, "own", {"a": b"x"})
    selection = select(person, here.path, ["a"])
    work(person, "delete", selection)
    person.fails("not_found", "POST", "tasks", {"kind": "delete", "selection": selection})
    rows = sql(places.server, f"SELECT count(*) FROM selections WHERE id = '{selection}'")
    assert int(rows[0][0]) == 0


def test_limits(places, person):
    names = [str(number) for number in range(100_000)]
    selection = select(person, "", names, 10_000)
    for many in ({str(number): 1 for number in range(2001)}, {"folder": "", "items": [[]] * 30_000}):
        assert "2000 members or 20000 values" in person.fails("malformed", "POST", "selections", many)
    assert "100,000" in person.fails("malformed", "POST", "selections/" + selection, {"items": ["more"]})
    for body in ({"items": []}, {"items": names[:10_001]}, {"items": ["a/../b"]}, {"items": [""]}, {"folder": "a"}):
        assert person.call("POST", "selections", body).status_code in (400, 403), body
    answer = person.call("POST", "selections", raw=b'{"items": ["' + b"x" * (1 << 20) + b'"]}', headers={"Content-Type": "application/json"})
    assert answer.status_code == 400 and "more than 1" in answer.json()["detail"]
    for kind, body in (("delete", {}), ("delete", {"sources": ["a"], "selection": selection}), ("unpack", {"selection": selection, "destination": ""})):
        person.fails("malformed", "POST", "tasks", {"kind": kind, **body})
    person.fails("malformed", "GET", "archive")
    person.fails("malformed", "GET", f"archive?path=a&selection={selection}")
    person.fails("malformed", "POST", "tasks", {"kind": "delete", "selection": select(person, "", ["a", "a"])})


def test_an_old_selection_gives_way(places, person):
    here = Folder(places, "own", {"a": b"x"})
    first = select(person, here.path, ["a"])
    for _ in range(8):
        last = select(person, here.path, ["a"])
    person.fails("not_found", "GET", "archive?selection=" + first)
    work(person, "delete", last)


def test_a_hundred_thousand(places, person):
    here = Folder(places, "shared", {})
    folder = here.place.folder / here.name
    names = [f"{number:05}" for number in range(100_000)]
    for name in names:
        os.close(os.open(folder / name, os.O_CREAT | os.O_WRONLY, 0o666))
    os.chmod(folder, 0o777)
    selection = select(person, here.path, names, 10_000)
    task = begin(person, "delete", selection, permanent=True)
    while task["state"] not in ("done", "failed"):
        task = person.ok("GET", "tasks/" + task["id"])
    assert task["state"] == "done" and task["itemsDone"] == 100_000 and here.tree() == {}, task
