"""An account's own connectors by /api/v2, and those of all accounts for administrators."""

import contextlib
import itertools
import socket

import pytest

from drive_servers import PASSWORD as DRIVE_PASSWORD, RcloneDav
from faulty_line import line_to
from mounting import Call, started
from people import People, Person
from remote_servers import FtpServer, SftpServer, free_port, key_pair
from server import eventually

SECRET = "hush-7up-and-more"
NAMES = itertools.count()
KEY = "SHA256:" + "A" * 43


@pytest.fixture(scope="module")
def people(server):
    return People(server)


@pytest.fixture
def person(people):
    return people.new()


@pytest.fixture
def admin(people):
    return people.new("admin")


@pytest.fixture(scope="module")
def remotes():
    with started(FtpServer, SftpServer, RcloneDav) as servers:
        yield servers


def ftp_body(remote, **more):
    return {"kind": "ftp", "name": f"ftp{next(NAMES)}", "host": "127.0.0.1", "port": remote.port, "user": "anonymous",
            "root": "files", "password": SECRET, **more}


def sftp_body(remote, **more):
    return {"kind": "sftp", "name": f"sftp{next(NAMES)}", "host": "127.0.0.1", "port": remote.port, "user": "root",
            "root": str(remote.root), "privateKey": remote.user_key.read_text(), "hostKey": remote.fingerprint(), **more}


def drive_body(remote, **more):
    return {"kind": "drive", "name": f"drive{next(NAMES)}", "provider": remote.type, "root": remote.top,
            "parameters": remote.parameters(), **more}


BODIES = {"ftp": ftp_body, "sftp": sftp_body, "drive": drive_body}
kinds = pytest.mark.parametrize("kind", BODIES)


def remote_of(remotes, kind):
    return remotes[kind] if kind in remotes else next(one for one in remotes.values() if isinstance(one, RcloneDav))


def stored(name="stored", **more):
    """One at a public address that is not tried."""
    return {"kind": "ftp", "name": name, "host": "files.example.org", "user": "ann", "password": SECRET, "test": False, **more}


def test_an_account_has_so_many_connectors(person):
    made = [person.ok("POST", "connectors", stored(f"c{number}"), 201)["id"] for number in range(100)]
    answer = person.call("POST", "connectors", stored("more"))
    assert answer.status_code == 429 and answer.json()["code"] == "rate_limited" and answer.headers["Retry-After"], answer
    assert "100 connectors" in answer.json()["detail"]
    person.call("DELETE", "connectors/" + made[0])
    person.ok("POST", "connectors", stored("more"), 201)


@kinds
def test_a_connector_from_making_to_removing(admin, remotes, kind):
    remote = remote_of(remotes, kind)
    (remote.root / "a.txt").write_bytes(b"remote")
    (remote.root / "a.txt").chmod(0o666)
    body = BODIES[kind](remote, description="Mine", readOnly=True)
    answer = admin.call("POST", "connectors", body)
    made = answer.json()
    assert answer.status_code == 201, made
    assert answer.headers["Location"] == f"/api/v2/connectors/{made['id']}"
    assert (made["kind"], made["name"], made["description"], made["readOnly"]) == (kind, body["name"], "Mine", True)
    assert made["mayBePrivate"] and (made["drive"] if kind == "drive" else made["server"])
    place, v1 = f"__conn_{made['id']}", admin.v1()
    assert v1.content(f"{place}/a.txt") == b"remote"
    v1.make_folder(place, "more").fails(403)
    shown = admin.ok("GET", f"connectors/{made['id']}")
    assert shown["health"]["state"] == "works" and shown["health"]["lookedAt"] and shown["health"]["message"] == ""
    assert shown in admin.ok("GET", "connectors")["entries"]
    renamed = admin.ok("PATCH", f"connectors/{made['id']}", {"name": "Other", "description": ""})
    assert renamed["name"] == "Other" and renamed["readOnly"] and renamed["target"] == made["target"]
    admin.ok("PATCH", f"connectors/{made['id']}", {"readOnly": False})
    v1.make_folder(place, "more").ok()
    admin.ok("DELETE", f"connectors/{made['id']}", status=204)
    v1.list(place).fails(404)
    assert (remote.root / "more").is_dir()
    for method, body in (("GET", None), ("PATCH", {}), ("DELETE", None)):
        admin.fails("not_found", method, f"connectors/{made['id']}", body)


@kinds
def test_a_test_stores_nothing(admin, remotes, kind):
    body = BODIES[kind](remote_of(remotes, kind))
    assert admin.ok("POST", "connectors/test", body) == {"works": True, "hostKey": None}
    del body["name"]
    assert admin.ok("POST", "connectors/test", body)["works"]
    assert admin.ok("GET", "connectors")["entries"] == []


@kinds
def test_what_does_not_work_is_told_and_not_stored(admin, remotes, kind):
    remote = remote_of(remotes, kind)
    body = BODIES[kind](remote)
    if kind == "drive":
        body["parameters"] = {**body["parameters"], "pass": "wrong-password"}
    elif kind == "sftp":
        body["privateKey"] = key_pair(remote.folder / f"other{next(NAMES)}").read_text()
    else:
        body["port"] = free_port()
    for path in ("connectors/test", "connectors"):
        answer = admin.call("POST", path, body)
        assert answer.status_code == 502 and answer.json()["code"] == "unavailable", answer.text
    assert admin.ok("GET", "connectors")["entries"] == []
    admin.ok("POST", "connectors", {**body, "test": False}, status=201)


def test_a_host_key_is_confirmed_by_a_person(admin, remotes):
    sftp = remotes["sftp"]
    body = sftp_body(sftp)
    del body["hostKey"]
    assert "host key" in admin.fails("malformed", "POST", "connectors", body)
    shown = admin.ok("POST", "connectors/test", {**body, "privateKey": "no key at all"})
    assert shown == {"works": False, "hostKey": sftp.fingerprint()}
    assert admin.ok("POST", "connectors/test", {**body, "hostKey": shown["hostKey"]})["works"]
    made = admin.ok("POST", "connectors", {**body, "hostKey": shown["hostKey"]}, status=201)
    assert made["server"]["hostKey"] == sftp.fingerprint() and made["server"]["usesPrivateKey"]
    trusting = admin.ok("POST", "connectors", {**body, "name": "trusting", "trustHostKey": True}, status=201)
    assert trusting["server"]["hostKey"] == sftp.fingerprint()
    wrong = admin.fails("unavailable", "POST", "connectors/test", {**body, "hostKey": KEY})
    assert "host key" in wrong


def test_a_stored_one_is_tested_with_what_is_typed(admin, person, remotes):
    ftp = remotes["ftp"]
    made = admin.ok("POST", "connectors", ftp_body(ftp), status=201)
    assert admin.ok("POST", "connectors/test", {"id": made["id"]})["works"]
    admin.fails("not_found", "POST", "connectors/test", {"id": made["id"], "root": "nowhere"})
    # The stored password goes to its own server alone.
    assert "again" in admin.fails("malformed", "POST", "connectors/test", {"id": made["id"], "port": free_port()})
    admin.fails("unavailable", "POST", "connectors/test", {"id": made["id"], "port": free_port(), "password": SECRET})
    person.fails("not_found", "POST", "connectors/test", {"id": made["id"]})
    assert admin.ok("GET", f"connectors/{made['id']}")["server"]["port"] == ftp.port


def test_health_follows_the_server(admin, remotes):
    with line_to(remotes["ftp"]) as (line, options):
        port = int(options[options.index("--port") + 1])
        made = admin.ok("POST", "connectors", ftp_body(remotes["ftp"], port=port, test=False), status=201)
        health = admin.ok("GET", f"connectors/{made['id']}")["health"]
        assert health == {"state": "unknown", "message": "", "lookedAt": None}
        v1 = admin.v1()
        v1.list(f"__conn_{made['id']}").ok()
        assert admin.ok("GET", f"connectors/{made['id']}")["health"]["state"] == "works"
        line.refuse()
        line.drop()
        for _ in range(3):
            v1.list(f"__conn_{made['id']}").fails(502, 504)
        health = admin.ok("GET", f"connectors/{made['id']}")["health"]
        assert health["state"] == "fails" and health["message"] and health["lookedAt"]


@pytest.mark.parametrize("body, words", [
    ({}, ["name"]), (stored(name=""), ["name"]), (stored(name="a/b"), ["name"]), (stored(name="__conn_x"), ["__conn_"]),
    (stored(kind="smb"), ["kind", "ftp, sftp, drive"]), (stored(host=None), ["host"]), (stored(host="a b"), ["host"]),
    (stored(host="x" * 254), ["253"]), (stored(user=None), ["user"]), (stored(user=""), ["user"]),
    (stored(port=0), ["port", "65535"]), (stored(port=65536), ["port"]), (stored(port="21"), ["port"]),
    (stored(tls="ssl"), ["tls"]), (stored(root="x" * 4097), ["root"]), (stored(hostKey=KEY), ["SFTP"]),
    (stored(hostKey="SHA256:short"), ["hostKey"]), (stored(password="x" * 1025), ["password", "1024"]),
    (stored(privateKey="k"), ["password", "private key"]), (stored(passphrase="p"), ["passphrase"]),
    (stored(provider="s3"), ["provider"]), (stored(parameters={"url": "x"}), ["parameters"]),
    (stored(description="d" * 1001), ["1000"]), (stored(kind="sftp"), ["host key"]), (stored(secret="x"), ["secret"]),
    ({"kind": "drive", "name": "d"}, ["provider"]), ({"kind": "drive", "name": "d", "provider": "local"}, ["local"]),
    ({"kind": "drive", "name": "d", "provider": "webdav", "host": "x"}, ["host"]),
    ({"kind": "drive", "name": "d", "provider": "webdav", "parameters": {"url": 5}}, ["parameters"]),
    ({"kind": "drive", "name": "d", "provider": "webdav", "parameters": {"url": "x" * 17000}}, ["16 KB"]),
    ({"kind": "drive", "name": "d", "provider": "webdav", "parameters": {str(n): "" for n in range(101)}}, ["100"]),
    ({"kind": "drive", "name": "d", "provider": "webdav", "parameters": {"url": "https://dav.example.org", "auth_proxy": "x"}}, []),
])
def test_what_cannot_be_a_connector_is_named(person, body, words):
    body = {name: value for name, value in body.items() if value is not None}
    detail = person.fails("malformed", "POST", "connectors", body)
    assert all(word in detail for word in words) and SECRET not in detail, detail
    assert person.ok("GET", "connectors")["entries"] == []


def test_a_test_needs_a_kind_or_an_id(person):
    assert "kind" in person.fails("malformed", "POST", "connectors/test", {"host": "x"})
    person.fails("not_found", "POST", "connectors/test", {"id": "nowhere"})


def test_names_are_unique_for_the_account(people, person):
    person.ok("POST", "connectors", stored(), status=201)
    person.fails("name_taken", "POST", "connectors", stored())
    people.new().ok("POST", "connectors", stored(), status=201)
    other = person.ok("POST", "connectors", stored("other"), status=201)
    person.fails("name_taken", "PATCH", f"connectors/{other['id']}", {"name": "stored"})


@kinds
def test_users_lead_connectors_to_public_addresses_alone(person, remotes, kind):
    """One who is no administrator must not reach what listens on this machine, not even to ask for a host key."""
    remote = remote_of(remotes, kind)
    body = BODIES[kind](remote)
    if kind == "drive":
        body["parameters"]["url"] = f"https://127.0.0.1:{remote.port}"
    for path in ("connectors", "connectors/test"):
        answer = person.call("POST", path, body)
        assert answer.status_code in (400, 502) and "allowed" in answer.text, answer.text
    if kind == "sftp":
        del body["hostKey"]
        for given in (body, {**body, "trustHostKey": True}):
            assert remote.fingerprint() not in person.call("POST", "connectors/test", given).text
    if kind != "drive":
        made = person.ok("POST", "connectors", {**BODIES[kind](remote), "test": False}, status=201)
        assert not made["mayBePrivate"]
        person.v1().list(f"__conn_{made['id']}").fails(502)
        person.fails("unavailable", "POST", "connectors/test", {"id": made["id"]})
    assert not any(one["mayBePrivate"] for one in person.ok("GET", "connectors")["entries"])


def test_what_an_administrator_gave_is_not_led_elsewhere_by_its_user(admin, person, remotes):
    ftp, sftp = remotes["ftp"], remotes["sftp"]
    given = admin.ok("POST", "admin/connectors", ftp_body(ftp, userName=person.name), status=201)
    assert given["userName"] == person.name and given["mayBePrivate"]
    place, v1 = f"__conn_{given['id']}", person.v1()
    v1.list(place).ok()
    assert person.ok("PATCH", f"connectors/{given['id']}", {"name": "Mine"})["mayBePrivate"]
    v1.list(place).ok()
    assert "again" in person.fails("malformed", "PATCH", f"connectors/{given['id']}", {"port": sftp.port})
    led = person.call("PATCH", f"connectors/{given['id']}", {"port": sftp.port, "password": "x"})
    assert led.status_code == 502 and "allowed" in led.text
    for elsewhere in ({"root": ""}, {"user": "somebody"}):
        assert "again" in person.fails("malformed", "PATCH", f"connectors/{given['id']}", {**elsewhere, "test": False})
    assert person.ok("PATCH", f"connectors/{given['id']}", {"user": "anonymous", "test": False})["mayBePrivate"]
    led = person.ok("PATCH", f"connectors/{given['id']}", {"root": "", "password": SECRET, "test": False})
    assert not led["mayBePrivate"]
    v1.list(place).fails(502)
    vouched = admin.ok("PATCH", f"admin/connectors/{given['id']}", {"host": "127.0.0.1", "root": "files"})
    assert vouched["mayBePrivate"]
    v1.list(place).ok()


def test_a_drive_that_an_administrator_gave_is_not_led_elsewhere_without_its_secrets(admin, person):
    parameters = {"url": "https://dav.example.org", "vendor": "other", "user": "ada", "pass": SECRET}
    body = {"kind": "drive", "name": f"drive{next(NAMES)}", "provider": "webdav", "root": "inside", "parameters": parameters}
    given = admin.ok("POST", "admin/connectors", {**body, "userName": person.name, "test": False}, status=201)
    path = f"connectors/{given['id']}"
    for elsewhere in ({"root": ""}, {"parameters": {"user": "somebody"}}, {"root": "", "parameters": {"vendor": "nextcloud"}}):
        assert "again" in person.fails("malformed", "PATCH", path, {**elsewhere, "test": False})
    person.ok("PATCH", path, {"root": "inside/below", "test": False})
    led = person.ok("PATCH", path, {"root": "", "parameters": {"user": "somebody", "pass": "own"}, "test": False})
    assert not led["mayBePrivate"]


def test_what_an_administrator_made_read_only_stays_so(admin, person, remotes):
    given = admin.ok("POST", "admin/connectors", ftp_body(remotes["ftp"], userName=person.name, readOnly=True), status=201)
    own = person.ok("POST", "connectors", stored(readOnly=True), status=201)
    person.ok("PATCH", f"connectors/{own['id']}", {"readOnly": False})
    admin.ok("PATCH", f"admin/connectors/{own['id']}", {"readOnly": True})
    for one in (given, own):
        assert "administrator" in person.fails("forbidden", "PATCH", f"connectors/{one['id']}", {"readOnly": False, "name": "x"})
        assert person.ok("PATCH", f"connectors/{one['id']}", {"description": "mine"})["readOnly"]
        assert not admin.ok("PATCH", f"admin/connectors/{one['id']}", {"readOnly": False})["readOnly"]
        person.ok("PATCH", f"connectors/{one['id']}", {"readOnly": True})
        person.ok("PATCH", f"connectors/{one['id']}", {"readOnly": False})


def test_accounts_never_see_each_others(people, admin, person):
    mine = person.ok("POST", "connectors", stored(), status=201)
    for other in (people.new(), admin):
        assert other.ok("GET", "connectors")["entries"] == []
        for method, path, body in (("GET", "", None), ("PATCH", "", {"name": "taken"}), ("DELETE", "", None)):
            other.fails("not_found", method, f"connectors/{mine['id']}{path}", body)
        other.fails("not_found", "POST", "connectors/test", {"id": mine["id"]})
    assert person.ok("GET", "connectors")["entries"] == [mine]


def test_administrators_see_and_manage_all(admin, person, people):
    mine = person.ok("POST", "connectors", stored(), status=201)
    listed = admin.ok("GET", f"admin/connectors?account={person.name}")
    assert listed == {"entries": [{**mine, "userName": person.name}], "next": None}
    assert admin.ok("GET", f"admin/connectors/{mine['id']}") == listed["entries"][0]
    changed = admin.ok("PATCH", f"admin/connectors/{mine['id']}", {"name": "Renamed", "readOnly": True})
    assert person.ok("GET", f"connectors/{mine['id']}")["name"] == "Renamed" == changed["name"]
    assert not changed["mayBePrivate"]
    admin.fails("not_found", "POST", "admin/connectors", stored(userName="nobody"))
    admin.ok("DELETE", f"admin/connectors/{mine['id']}", status=204)
    for method, body in (("GET", None), ("PATCH", {}), ("DELETE", None)):
        admin.fails("not_found", method, f"admin/connectors/{mine['id']}", body)
    assert person.ok("GET", "connectors")["entries"] == []


def test_lists_come_in_parts(admin, people):
    owner = people.new()
    made = [owner.ok("POST", "connectors", stored(f"part{number}"), status=201)["name"] for number in range(3)]
    for path in ("connectors", f"admin/connectors?account={owner.name}"):
        asking = owner if path == "connectors" else admin
        names, cursor = [], None
        for _ in range(3):
            query = {"limit": 1, **({"cursor": cursor} if cursor else {})}
            part = asking.ok("GET", path + ("&" if "?" in path else "?") + "&".join(f"{k}={v}" for k, v in query.items()))
            names += [one["name"] for one in part["entries"]]
            cursor = part["next"]
        assert names == made and cursor is None


def test_another_place_revokes_the_keys_limited_to_it(admin, remotes):
    ftp = remotes["ftp"]
    made = admin.ok("POST", "connectors", ftp_body(ftp), status=201)
    key = admin.server.create_key(admin.name, f"__conn_{made['id']}")["key"]
    limited = Person(admin.server, key=key).v1()
    admin.ok("PATCH", f"connectors/{made['id']}", {"password": SECRET + "2"})
    limited.list().ok()
    admin.ok("PATCH", f"connectors/{made['id']}", {"root": ""})
    limited.list().fails(401)


def test_parameters_that_are_secret_are_never_shown(admin, remotes):
    remote = remote_of(remotes, "drive")
    made = admin.ok("POST", "connectors", drive_body(remote), status=201)
    parameters = made["drive"]["parameters"]
    assert parameters["pass"] is None and parameters["url"] == remote.parameters()["url"]
    assert made["drive"]["provider"] == remote.type
    # Another address needs them again.
    assert "again" in admin.fails("malformed", "PATCH", f"connectors/{made['id']}", {"parameters": {"url": "http://127.0.0.1:1/"}})
    admin.ok("PATCH", f"connectors/{made['id']}", {"parameters": remote.parameters()})
    admin.v1().list(f"__conn_{made['id']}").ok()
    assert admin.ok("POST", "connectors/test", {"id": made["id"]})["works"]
    wrong = {"id": made["id"], "parameters": {"pass": "wrong-password"}}
    admin.fails("unavailable", "POST", "connectors/test", wrong)


def test_providers_are_told_for_forms(person):
    providers = {one["type"]: one for one in person.ok("GET", "connectors/providers")}
    assert {"webdav", "s3", "drive"} <= set(providers) and not {"local", "alias", "crypt"} & set(providers)
    options = {option["name"]: option for option in providers["webdav"]["options"]}
    assert options["pass"]["isSecret"] and options["url"]["isAddress"] and options["url"]["isRequired"]
    assert providers["drive"]["usesOAuth"] and not providers["webdav"]["usesOAuth"]


def test_secrets_are_in_no_answer_and_no_log(own_server, remotes):
    server = own_server(log_level="debug")
    admin = People(server).new("admin")
    sftp, dav = remotes["sftp"], remote_of(remotes, "drive")
    locked = key_pair(sftp.folder / f"locked{next(NAMES)}", SECRET)
    with (sftp.folder / "authorized").open("a") as authorized:
        authorized.write(locked.with_suffix(".pub").read_text())
    bodies = [ftp_body(remotes["ftp"]), sftp_body(sftp, privateKey=locked.read_text(), passphrase=SECRET), drive_body(dav)]
    answers = []
    for body in bodies:
        wrong = {**body, "port": 1} if body["kind"] != "drive" else {**body, "parameters": {**body["parameters"], "vendor": "no such"}}
        answers += [admin.call("POST", path, given) for path in ("connectors", "connectors/test") for given in (body, wrong)]
        made = admin.ok("GET", "connectors")["entries"][-1]
        place = f"connectors/{made['id']}"
        answers += [admin.call(*call) for call in (("GET", place), ("GET", f"admin/{place}"), ("PATCH", place, {"description": "x"}),
                                                   ("PATCH", place, {"name": "a/b"}), ("GET", "connectors"),
                                                   ("GET", "admin/connectors"), ("GET", "admin/settings"))]
    assert {answer.status_code for answer in answers} >= {200, 201, 400}
    words = [SECRET, *locked.read_text().split("\n")[1:-2]]
    for text in (*(answer.text for answer in answers), server.log()):
        assert not any(word in text for word in words)
    parameters = [one["drive"]["parameters"] for one in admin.ok("GET", "connectors")["entries"] if one["drive"]]
    assert parameters and all(DRIVE_PASSWORD not in one.values() for one in parameters)


def test_a_read_only_key_changes_no_connector(person):
    made = person.ok("POST", "connectors", stored(), status=201)
    key = person.server.cli_json("key", "create", "--account", person.name, "--name", "reads", "--read-only")["key"]
    reader = Person(person.server, key=key)
    assert reader.ok("GET", "connectors")["entries"] == [made]
    for method, path, body in (("POST", "connectors", stored("more")), ("POST", "connectors/test", {"id": made["id"]}),
                               ("PATCH", f"connectors/{made['id']}", {"name": "x"}), ("DELETE", f"connectors/{made['id']}", None)):
        assert "only read" in reader.fails("forbidden", method, path, body)


def test_a_right_that_ends_while_a_server_is_tried_stores_nothing(admin, people, remotes):
    """The login is held up and works then; meanwhile the one who asks was demoted, disabled or removed."""
    ways = {"demoted": lambda name: admin.ok("PATCH", f"admin/accounts/{name}", {"role": "user"}),
            "disabled": lambda name: admin.ok("PATCH", f"admin/accounts/{name}", {"disabled": True}),
            "removed": lambda name: admin.ok("DELETE", f"admin/accounts/{name}", status=204)}
    owner = people.new()
    for way, end in ways.items():
        for path, more in (("connectors", {}), ("admin/connectors", {"userName": owner.name})):
            asking = people.new("admin")
            with line_to(remotes["ftp"]) as (line, options):
                port = int(options[options.index("--port") + 1])
                line.fault("hold", after=0)
                call = Call(lambda: asking.call("POST", path, ftp_body(remotes["ftp"], port=port, **more)))
                eventually(line.held.is_set, "the login to be held up")
                end(asking.name)
                line.release()
                answer = call.result()
            assert answer.status_code == 401, (way, path, answer.text)
    assert owner.ok("GET", "connectors")["entries"] == []


def test_questions_to_servers_that_say_nothing_keep_no_other_waiting(build_server, remotes):
    server = build_server(stop_timeout_ms=100).start()
    people = People(server)
    one, other = people.new("admin"), people.new("admin")
    healthy = sftp_body(remotes["sftp"])
    del healthy["hostKey"]

    def is_answered_before_them():
        with contextlib.ExitStack() as behind:
            listener = behind.enter_context(socket.create_server(("127.0.0.1", 0), backlog=64))
            body = {**healthy, "port": listener.getsockname()[1]}
            calls = [Call(lambda: one.call("POST", "connectors/test", body)) for _ in range(40)]
            for _ in range(32):  # All that an account has.
                behind.enter_context(listener.accept()[0])
            assert other.ok("POST", "connectors/test", healthy)["hostKey"] == remotes["sftp"].fingerprint()
            if not all(call.is_alive() for call in calls):
                return False
            server.stop()
            for call in calls:
                call.ended()
            return True

    # A machine may be so slow that they come to their own deadline meanwhile, but hardly each time.
    assert any(is_answered_before_them() for _ in range(4))
