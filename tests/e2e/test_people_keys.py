"""Keys of /api/v2: those that may only read, that end by themselves, and that made others, in /api/v1 too."""

import datetime
import json
from unittest.mock import ANY

import pytest
import requests

from client import FILES, TIMEOUT_S, form
from people import PASSWORD, Person
from server import PATIENCE_S, eventually
from tus import end_soon


@pytest.fixture
def person(server):
    name = server.new_name("person")
    server.add_account(name, password=PASSWORD)
    one = Person(server)
    one.name = name
    one.sign_in(name)
    return one


def make(person, **body):
    made = person.ok("POST", "keys", {"name": "a key", "access": "full", **body}, status=201)
    person.server.secrets.add(made["secret"])
    return made


def with_key(person, made):
    return Person(person.server, key=made["secret"])


def utc(seconds):
    when = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=seconds)
    return when.strftime("%Y-%m-%dT%H:%M:%S")


def test_a_key_is_made_listed_and_revoked(person):
    answer = person.call("POST", "keys", {"name": "laptop", "access": "full"})
    made = answer.json()
    assert answer.status_code == 201 and answer.headers["Location"] == f"/api/v2/keys/{made['key']['id']}"
    assert person.ok("GET", "keys") == [made["key"]]
    assert made["secret"].startswith(made["key"]["preview"].rstrip("…")) and made["key"]["expiresAt"] is None
    program = with_key(person, made)
    program.v1().account().ok()
    assert person.v1().keys().ok()[0]["id"] == made["key"]["id"]
    person.ok("DELETE", f"keys/{made['key']['id']}", status=204)
    program.v1().account().fails(401)
    person.fails("not_found", "DELETE", f"keys/{made['key']['id']}")


@pytest.fixture
def places(person, tmp_path):
    """A folder in own files and one in a writable share, each with a file; their paths."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/a.txt").write_bytes(b"shared")
    shared = person.server.cli_json("share", "add", "--name", person.server.new_name("share"), "--target", str(tmp_path),
                                    "--account", person.name)
    writer = with_key(person, make(person)).v1()
    writer.make_folder("", "docs").ok()
    writer.put("docs/a.txt", b"own")
    return {"own": "docs", "share": f"__adm_{shared['id']}/docs"}, writer


@pytest.mark.parametrize("place", ["own", "share"])
@pytest.mark.parametrize("limited", [False, True], ids=["full reach", "limited"])
def test_a_key_that_may_only_read_writes_nothing(person, places, place, limited):
    paths, writer = places
    folder = paths[place]
    made = make(person, access="read", **({"folder": folder} if limited else {}))
    assert made["key"]["access"] == "read"
    reader = with_key(person, made)
    v1, base = reader.v1(), "" if limited else folder + "/"
    assert v1.content(base + "a.txt") in (b"own", b"shared") and "a.txt" in v1.names(base)
    assert all(one["readOnly"] for one in v1.locations().ok())
    for answer in (v1.upload(base, form(("b.txt", b"x"))), v1.upload(base, form(("a.txt", b"x"))), v1.make_folder(base, "b"),
                   v1.make_file(base, "b"), v1.rename(base + "a.txt", "b.txt"), v1.delete(base + "a.txt"),
                   v1.move(base + "a.txt", base), v1.copy(base + "a.txt", base), v1.create_key("more"), v1.revoke("some-id")):
        assert "only read" in answer.fails(403) or "read-only" in answer.fails(403)
    if not limited:
        reader.fails("forbidden", "POST", "keys", {"name": "more", "access": "full"})
        reader.fails("forbidden", "DELETE", f"keys/{made['key']['id']}")
    assert writer.names(folder) == ["a.txt"] and len(person.ok("GET", "keys")) == 2


def test_a_key_ends_by_itself(person):
    made = make(person, expiresAt=utc(600))
    program = with_key(person, made)
    program.v1().account().ok()
    assert person.ok("GET", "keys") == [{**made["key"], "lastUsedAt": ANY}]
    end_soon(person.server, person.name, made["key"]["id"])
    eventually(lambda: program.v1().account().status == 401, "the key to end")
    assert "expired" in program.fails("unauthenticated", "GET", "account")
    ended, = (key for key in person.ok("GET", "keys") if key["id"] == made["key"]["id"])
    assert ended["expiresAt"] < made["key"]["expiresAt"]


def test_an_address_of_content_ends_with_the_key_that_made_it(person):
    key = make(person)
    program = with_key(person, key)
    program.v1().put("film", b"the content")
    made = program.ok("POST", "files/content-address", {"path": "film"}, status=201)["address"]
    person.server.secrets.add(made.rpartition("/")[2])
    read = lambda: requests.get(person.server.url + made, timeout=TIMEOUT_S).status_code
    assert read() == 200
    end_soon(person.server, person.name, key["key"]["id"])
    eventually(lambda: read() == 404, "the address to end")


def test_what_a_key_makes_ends_with_it_at_the_latest(person):
    end = utc(600)
    person.v1().make_folder("", "docs").ok()
    maker = with_key(person, make(person, expiresAt=end))
    for body, expected in (({}, end), ({"expiresAt": utc(9000)}, end), ({"expiresAt": utc(60)}, None)):
        made = maker.ok("POST", "keys", {"name": "next", "access": "full", **body}, status=201)
        assert made["key"]["expiresAt"] == (expected or body["expiresAt"])
        link = maker.ok("POST", "links", {"path": "docs", **body}, status=201)
        person.server.secrets.update({made["secret"], link["token"]})
        assert link["expiresAt"] == (expected or body["expiresAt"])
    old = maker.v1().create_key("by v1").ok()
    assert next(key for key in person.ok("GET", "keys") if key["id"] == old["id"])["expiresAt"] == end


def made_by_key(person):
    """A key, and a chain of keys that each made the next; with a link of the first. Their descriptions."""
    person.v1().make_folder("", "docs").ok()
    first = make(person)
    program = with_key(person, first)
    link = program.ok("POST", "links", {"path": "docs"}, status=201)
    person.server.secrets.add(link["token"])
    second = make(program, folder="docs")
    third = with_key(person, second).v1().create_key("by a limited one").ok()
    person.server.secrets.add(third["key"])
    return first, second, third, link


def makers(person, kind):
    return {one["id"]: one["makers"] for one in person.ok("GET", kind)}


def test_what_was_made_with_a_key_says_so(person):
    first, second, third, link = made_by_key(person)
    own = person.ok("POST", "links", {"path": "docs"}, status=201)
    ids = [first["key"]["id"], second["key"]["id"], third["id"]]
    assert makers(person, "keys") == {ids[0]: [], ids[1]: [ids[0]], ids[2]: [ids[1], ids[0]]}
    assert makers(person, "links") == {link["id"]: [ids[0]], own["id"]: []}
    shown = person.server.cli_json("key", "list", "--account", person.name)
    assert {key["id"]: key["makers"] for key in shown} == makers(person, "keys")
    assert "makers" not in json.dumps(person.v1().keys().ok())
    person.ok("DELETE", f"keys/{ids[1]}", status=204)
    assert makers(person, "keys") == {ids[0]: [], ids[2]: [ids[1], ids[0]]}
    person.ok("DELETE", f"keys/{ids[0]}?made=stays", status=204)
    assert makers(person, "keys") == {ids[2]: [ids[1], ids[0]]} and makers(person, "links")[link["id"]] == [ids[0]]
    with_key(person, {"secret": third["key"]}).v1().account().ok()
    person.fails("not_found", "DELETE", f"keys/{ids[0]}")
    person.ok("DELETE", f"keys/{ids[0]}?made=ends", status=204)
    assert makers(person, "keys") == {} and makers(person, "links") == {own["id"]: []}
    person.fails("not_found", "DELETE", f"keys/{ids[0]}?made=ends")


def test_what_was_made_with_a_key_ends_with_it(person):
    first, second, third, link = made_by_key(person)
    other = make(person, name="another")
    with_key(person, {"secret": third["key"]}).v1().revoke(second["key"]["id"]).ok()
    person.fails("malformed", "DELETE", f"keys/{first['key']['id']}?made=all")
    person.ok("DELETE", f"keys/{first['key']['id']}?made=ends", status=204)
    assert makers(person, "keys") == {other["key"]["id"]: []} and makers(person, "links") == {}
    for secret in (first["secret"], second["secret"], third["key"]):
        with_key(person, {"secret": secret}).v1().account().fails(401)
    assert requests.get(f"{person.server.url}/api/v2/guest/{link['token']}", timeout=TIMEOUT_S).status_code == 404


@pytest.mark.parametrize("by", ["delete", "bin"])
def test_what_was_made_with_a_key_that_went_with_its_folder_is_ended_by_its_id(person, by):
    person.v1().make_folder("", "docs").ok()
    person.v1().make_folder("docs", "sub").ok()
    first = make(person)
    second = make(with_key(person, first), folder="docs")
    third = with_key(person, second).v1().create_key("below", "sub").ok()
    person.server.secrets.add(third["key"])
    person.v1().move("docs/sub", "").ok()
    if by == "delete":
        person.v1().delete("docs").ok()
    else:
        person.ok("POST", "tasks", {"kind": "delete", "sources": ["docs"]}, status=202)
        eventually(lambda: second["key"]["id"] not in makers(person, "keys"), "the folder's key to be revoked")
    assert makers(person, "keys") == {first["key"]["id"]: [], third["id"]: [second["key"]["id"], first["key"]["id"]]}
    person.ok("DELETE", f"keys/{second['key']['id']}?made=ends", status=204)
    assert makers(person, "keys") == {first["key"]["id"]: []}


def test_a_leaked_key_that_revokes_itself_hides_nothing_that_it_made(person):
    setup = make(person)
    leaked, good = (make(with_key(person, setup), name=name) for name in ("printer", "printer"))
    successor = make(with_key(person, leaked), name="printer")
    with_key(person, leaked).ok("DELETE", f"keys/{leaked['key']['id']}", status=204)
    person.ok("DELETE", f"keys/{leaked['key']['id']}?made=ends", status=204)
    with_key(person, successor).v1().account().fails(401)
    assert list(makers(person, "keys")) == [setup["key"]["id"], good["key"]["id"]]


def test_an_upload_that_outlives_its_key_stores_nothing(person):
    made = make(person, expiresAt=utc(2))
    program = with_key(person, made)

    def body():
        yield b'--b\r\nContent-Disposition: form-data; name="file"; filename="late.txt"\r\n\r\nsome'
        eventually(lambda: program.v1().account().status == 401, "the key to end")
        yield b"\r\n--b--\r\n"

    answer = program.http.post(person.server.url + FILES + "/upload", data=body(),
                               headers={"Content-Type": "multipart/form-data; boundary=b"}, timeout=PATIENCE_S)
    assert answer.status_code == 401 and person.v1().names() == []


@pytest.mark.parametrize("body, words", [
    ({}, ["name"]), ({"name": "a"}, ["access"]), ({"name": "a", "access": "write"}, ["access", "full, read"]),
    ({"name": "", "access": "full"}, ["name"]), ({"name": "a" * 101, "access": "full"}, ["100"]),
    ({"name": "a", "access": "full", "expiresAt": "tomorrow"}, ["expiresAt", "UTC"]),
    ({"name": "a", "access": "full", "expiresAt": "2027-13-01T00:00:00"}, ["expiresAt"]),
    ({"name": "a", "access": "full", "expiresAt": "2020-01-01T00:00:00"}, ["future"]),
    ({"name": "a", "access": "full", "folder": 5}, ["folder"]),
])
def test_a_key_that_cannot_be_is_named(person, body, words):
    detail = person.fails("malformed", "POST", "keys", body)
    assert all(word in detail for word in words), detail
    assert person.ok("GET", "keys") == []


def test_folders_of_keys_are_looked_at(person):
    person.fails("not_found", "POST", "keys", {"name": "a", "access": "full", "folder": "nowhere"})
    person.fails("forbidden", "POST", "keys", {"name": "a", "access": "full", "folder": "../etc"})


@pytest.mark.parametrize("time", ["2037-01-31T00:00:00", "2037-01-31T00:00:00Z", "2037-01-31T00:00:00.123Z"])
def test_times_are_taken_as_programs_write_them(person, time):
    assert make(person, expiresAt=time)["key"]["expiresAt"] == "2037-01-31T00:00:00"


def test_the_command_line_makes_such_keys(person):
    made = person.server.cli_json("key", "create", "--account", person.name, "--name", "cli", "--read-only", "--expires",
                                  "2037-01-31T00:00:00")
    person.server.secrets.add(made["key"])
    one, = person.ok("GET", "keys")
    assert one["access"] == "read" and one["expiresAt"] == "2037-01-31T00:00:00"
    listed = person.server.cli("key", "list", "--account", person.name).stdout
    assert "read-only" in listed and "2037-01-31T00:00:00" in listed
    refused = person.server.cli("key", "create", "--account", person.name, "--name", "x", "--expires", "soon", ok=False)
    assert refused.returncode == 1 and "--expires" in refused.stderr
