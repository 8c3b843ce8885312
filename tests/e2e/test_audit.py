"""The audit log: who changed what, when, from where and with what, in the order in which it happened."""

import csv
import datetime
import io
import json

import jsonschema
import pytest
import requests

from mounting import scratch
from people import PASSWORD, Person
from server import eventually
from tus import sql

FIELDS = ["id", "at", "event", "actor", "keyId", "sessionId", "address", "subject", "details"]


@pytest.fixture
def alone(own_server):
    """The administrator of a server of its own, signed in."""
    return administrator_of(own_server())


def administrator_of(server):
    server.add_account("root", role="admin", password=PASSWORD)
    person = Person(server)
    person.sign_in("root")
    person.session = person.ok("GET", "sessions")[0]["id"]
    return person


def events(person, query=""):
    """All of them, the oldest first."""
    found, cursor = [], ""
    while cursor is not None:
        page = person.ok("GET", f"admin/audit?{query}{cursor}")
        found += page["entries"]
        cursor = page["next"] and "&cursor=" + page["next"]
    assert found == sorted(found, key=lambda event: event["at"], reverse=True)
    return found[::-1]


def last(person):
    return events(person)[-1]


def shown(event):
    return {name: event[name] for name in ("event", "actor", "subject", "details")}


def test_what_came_first(alone):
    made, began = events(alone)
    assert shown(made) == {"event": "account.created", "actor": "", "subject": "root", "details": "role=admin, quota=0"}
    assert made["address"] == "" and made["keyId"] is None and made["sessionId"] is None
    assert shown(began) | {"details": ""} == {"event": "session.created", "actor": "root", "subject": "root", "details": ""}
    assert began["address"] == "127.0.0.1" and began["sessionId"] == alone.session and began["keyId"] is None
    assert abs(datetime.datetime.fromisoformat(began["at"]) - datetime.datetime.utcnow()) < datetime.timedelta(minutes=10)


def test_accounts(alone):
    alone.ok("POST", "admin/accounts", {"userName": "ann", "storageLimit": 1000}, status=201)
    told = last(alone)
    assert shown(told) == {"event": "account.created", "actor": "root", "subject": "ann", "details": "role=user, quota=1000"}
    assert told["sessionId"] == alone.session and told["address"] == "127.0.0.1"
    alone.ok("PATCH", "admin/accounts/ann", {"storageLimit": 5, "password": "new and secret words", "disabled": True})
    told = last(alone)
    assert told["event"] == "account.changed" and told["subject"] == "ann"
    assert all(part in told["details"] for part in ("quota=5", "disabled=true", "password")) and "secret" not in str(events(alone))
    alone.ok("DELETE", "admin/accounts/ann", status=204)
    assert shown(last(alone)) == {"event": "account.removed", "actor": "root", "subject": "ann", "details": ""}


def test_what_is_refused_is_not_noted(alone):
    before = events(alone)
    alone.fails("name_taken", "POST", "admin/accounts", {"userName": "root"})
    alone.fails("forbidden", "DELETE", "admin/accounts/root")
    alone.fails("not_found", "PATCH", "admin/accounts/nobody", {"storageLimit": 1})
    alone.fails("not_found", "DELETE", "keys/" + "0" * 32)
    alone.fails("not_found", "DELETE", "admin/sessions/" + "0" * 32)
    assert events(alone) == before


def test_preferences_are_ones_own(alone):
    before = events(alone)
    alone.ok("PATCH", "account", {"preferences": {"theme": "dark"}})
    assert events(alone) == before


def test_keys(alone):
    made = alone.ok("POST", "keys", {"name": "backup", "access": "full"}, status=201)
    secret, made = made["secret"], made["key"]
    alone.server.secrets.add(secret)
    told = last(alone)
    assert told["event"] == "key.created" and told["subject"] == "root" and "backup" in told["details"]
    program = Person(alone.server, key=secret)
    second = program.v1().create_key("second").ok()
    told = last(alone)
    assert told["event"] == "key.created" and told["keyId"] == made["id"] and told["sessionId"] is None and told["actor"] == "root"
    assert program.ok("DELETE", "keys/" + second["id"], status=204) is None
    assert last(alone)["event"] == "key.revoked" and "second" in last(alone)["details"]
    alone.server.cli("key", "revoke", "--account", "root", made["id"])
    told = last(alone)
    assert told["event"] == "key.revoked" and told["actor"] == told["address"] == "" and "backup" in told["details"]
    assert secret not in json.dumps(events(alone))


def test_a_key_and_what_was_made_with_it(alone):
    made = alone.ok("POST", "keys", {"name": "backup", "access": "full"}, status=201)
    program = Person(alone.server, key=made["secret"])
    alone.v1().make_folder("", "docs").ok()
    alone.server.secrets.update({made["secret"], program.ok("POST", "links", {"path": "docs"}, status=201)["token"]})
    for _ in range(2):
        program.v1().create_key("child").ok()
    before = len(events(alone))
    alone.ok("DELETE", f"keys/{made['key']['id']}?made=ends", status=204)
    told = last(alone)
    assert told["event"] == "key.revoked" and told["details"] == f"id={made['key']['id']}, name=backup, made with it=3"
    assert len(events(alone)) == before + 1


def test_shares_and_connectors(alone):
    with scratch("shared") as folder:
        share = alone.server.cli_json("share", "add", "--name", "Team", "--target", folder, "--everyone")
        assert shown(last(alone)) == {"event": "share.created", "actor": "", "subject": "Team", "details": str(folder)}
        alone.ok("PATCH", "admin/shares/" + share["id"], {"readOnly": True})
        assert last(alone)["event"] == "share.changed" and last(alone)["actor"] == "root"
        alone.ok("DELETE", "admin/shares/" + share["id"], status=204)
        assert shown(last(alone)) == {"event": "share.removed", "actor": "root", "subject": "Team", "details": str(folder)}
    made = alone.server.cli_json("connector", "add", "--account", "root", "--name", "Far", "--host", "192.0.2.1", "--user", "u",
                                 "--kind", "ftp", "--password-stdin", "--no-test", stdin="hidden word\n")
    assert last(alone)["event"] == "connector.created" and last(alone)["subject"] == "Far"
    alone.ok("PATCH", "connectors/" + made["id"], {"name": "Further"})
    assert last(alone)["event"] == "connector.changed" and last(alone)["subject"] == "Further" and last(alone)["actor"] == "root"
    alone.ok("DELETE", "connectors/" + made["id"], status=204)
    assert last(alone)["event"] == "connector.removed" and "hidden word" not in json.dumps(events(alone))


def test_sessions(alone):
    server = alone.server
    other = Person(server, headers={"User-Agent": "=HYPERLINK(\"x\")"})
    other.sign_in("root")
    assert last(alone)["details"] == '=HYPERLINK("x")' and last(alone)["event"] == "session.created"
    assert requests.post(server.url + "/api/v2/session", json={"userName": "root", "password": "typed wrongly"}).status_code == 401
    assert shown(last(alone)) == {"event": "session.refused", "actor": "", "subject": "root", "details": ""}
    assert last(alone)["address"] == "127.0.0.1"
    assert requests.post(server.url + "/api/v2/session", json={"userName": PASSWORD, "password": "root"}).status_code in (400, 401)
    assert PASSWORD not in json.dumps(events(alone)) and "typed wrongly" not in json.dumps(events(alone))
    other.ok("DELETE", "session")
    assert last(alone)["event"] == "session.ended" and last(alone)["actor"] == "root"


def test_the_set_up_is_noted(build_server):
    server = build_server()
    server.start()
    token = (server.data / "setup-link").read_text().strip().rpartition("#")[2]
    person = Person(server)
    session = person.ok("POST", "setup", {"token": token, "userName": "first", "password": PASSWORD})
    person.csrf = session["csrfToken"]
    made, began = events(person)
    assert made["event"] == "account.created" and made["subject"] == "first" and began["event"] == "session.created"
    assert token not in json.dumps([made, began])
    server.stop()


def test_filters(alone):
    for name in ("ann", "ben"):
        alone.ok("POST", "admin/accounts", {"userName": name}, status=201)
    assert {event["subject"] for event in events(alone, "event=account.created")} == {"root", "ann", "ben"}
    assert [event["subject"] for event in events(alone, "account=ben")] == ["ben"]
    assert len(events(alone, "account=root")) == 4
    first = events(alone)[0]["at"]
    assert events(alone, "from=" + first) == events(alone)
    assert events(alone, "to=" + first) == [] and events(alone, "from=2200-01-01T00:00:00") == []
    assert events(alone, "event=key.created&account=ben") == []


def test_pages_of_many(alone):
    rows = ", ".join(f"({1_600_000_000_000_000_000 + number // 3}, 'e{number:03}', 'key.created', 'x', '', '', '', 's', '')"
                     for number in range(700))
    sql(alone.server,
        f"INSERT INTO audit_events (at, id, kind, actor, key_id, session_id, address, subject, details) VALUES {rows}")
    sizes, cursor, seen = [], "", []
    while cursor is not None:
        page = alone.ok("GET", "admin/audit?limit=200" + cursor)
        sizes.append(len(page["entries"]))
        seen += [event["id"] for event in page["entries"]]
        cursor = page["next"] and "&cursor=" + page["next"]
    assert sizes == [200, 200, 200, 102] and len(set(seen)) == 702 and seen[2:] == [f"e{number:03}" for number in range(699, -1, -1)]
    lines = alone.call("GET", "admin/audit/export").text.splitlines()
    assert [json.loads(line)["id"] for line in lines] == seen
    rows = list(csv.reader(io.StringIO(alone.call("GET", "admin/audit/export?format=csv").text)))
    assert [row[0] for row in rows[1:]] == seen


def test_exports(alone):
    other = Person(alone.server, headers={"User-Agent": '=cmd|"a", b'})
    other.sign_in("root")
    known = events(alone)[::-1]
    answer = alone.call("GET", "admin/audit/export")
    assert answer.headers["Content-Type"] == "application/x-ndjson" and "audit.jsonl" in answer.headers["Content-Disposition"]
    assert [json.loads(line) for line in answer.text.splitlines()] == known
    content = alone.description.response("GET", "/api/v2/admin/audit/export", 200)["content"]
    validator = jsonschema.Draft202012Validator(content["application/x-ndjson"]["schema"], resolver=alone.description.resolver)
    assert all(validator.is_valid(event) for event in known)
    answer = alone.call("GET", "admin/audit/export?format=csv")
    assert answer.headers["Content-Type"] == "text/csv; charset=utf-8" and "audit.csv" in answer.headers["Content-Disposition"]
    head, *rows = csv.reader(io.StringIO(answer.text, newline=""))
    assert head == FIELDS and len(rows) == len(known)
    assert [dict(zip(head, row))["event"] for row in rows] == [event["event"] for event in known]
    assert rows[0][-1] == "'" + '=cmd|"a", b'  # A spreadsheet takes it for a text.
    assert [row[5] for row in rows] == [event["sessionId"] or "" for event in known]
    only = alone.call("GET", "admin/audit/export?event=account.created").text.splitlines()
    assert [json.loads(line)["subject"] for line in only] == ["root"]


@pytest.mark.parametrize("query", ["event=nothing", "from=yesterday", "limit=0", "limit=201", "cursor=x", "cursor=-", "cursor=1",
                                   "cursor=99999999999999999999-a"])
def test_malformed_questions(alone, query):
    alone.fails("malformed", "GET", "admin/audit?" + query)


def test_malformed_exports(alone):
    alone.fails("malformed", "GET", "admin/audit/export?format=xlsx")
    alone.fails("malformed", "GET", "admin/audit/export?event=nothing")


def test_old_events_go(own_server):
    server = own_server(audit_days=10)
    person = administrator_of(server)
    day = 24 * 3600 * 10**9
    sql(server, f"UPDATE audit_events SET at = at - {11 * day} WHERE kind = 'account.created'",
        f"UPDATE audit_events SET at = at - {9 * day} WHERE kind = 'session.created'")
    assert len(events(person)) == 2
    server.stop()
    server.start()
    eventually(lambda: [event["event"] for event in events(person)] == ["session.created"], "the old event to go")


def test_a_removed_accounts_events_stay(alone):
    alone.server.cli("account", "add", "ann")
    alone.server.cli("account", "remove", "ann")
    assert [event["event"] for event in events(alone, "account=ann")] == ["account.created", "account.removed"]
