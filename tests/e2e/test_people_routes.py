"""Every route of /api/v2 × every kind of caller: a route without a rule here fails."""

import pytest

from people import PASSWORD, PeopleDescription, Person

ANYONE, SESSION, ACCOUNT, FILES = "anyone", "session", "account", "files"
RULES = {
    ("GET", "setup"): ANYONE,
    ("POST", "setup"): ANYONE,
    ("POST", "session"): ANYONE,
    ("GET", "session"): SESSION,
    ("DELETE", "session"): SESSION,
    ("GET", "sessions"): ACCOUNT,
    ("DELETE", "sessions"): ACCOUNT,
    ("DELETE", "sessions/{id}"): ACCOUNT,
    ("GET", "account"): ACCOUNT,
    ("PATCH", "account"): ACCOUNT,
    ("POST", "account/password"): SESSION,
    ("GET", "keys"): ACCOUNT,
    ("POST", "keys"): ACCOUNT,
    ("DELETE", "keys/{id}"): ACCOUNT,
    ("GET", "files"): FILES,
    ("PATCH", "files"): FILES,
    ("GET", "files/content"): FILES,
    ("PUT", "files/content"): FILES,
    ("POST", "files/content-address"): FILES,
    ("GET", "content/{address}"): ANYONE,
    ("POST", "folders"): FILES,
    ("GET", "tasks"): FILES,
    ("POST", "tasks"): FILES,
    ("GET", "tasks/{id}"): FILES,
    ("DELETE", "tasks/{id}"): FILES,
    ("POST", "uploads"): FILES,
    ("HEAD", "uploads/{id}"): FILES,
    ("PATCH", "uploads/{id}"): FILES,
    ("POST", "uploads/{id}"): FILES,
    ("DELETE", "uploads/{id}"): FILES,
    ("GET", "archive"): FILES,
}
WRITES = {"POST", "PUT", "PATCH", "DELETE"}


@pytest.fixture(scope="module")
def described(server):
    return PeopleDescription(server)


@pytest.fixture
def callers(server, described):
    """Each kind of caller, by what it may do; a session each time, since a call may end it."""
    name = server.new_name("person")
    server.cli("account", "add", name, "--password-stdin", stdin=PASSWORD)
    full = server.create_key(name)
    revoked = server.create_key(name)
    Person(server, described, key=full["key"]).v1().make_folder("", "docs").ok()
    scoped = server.create_key(name, "docs")
    server.cli("key", "revoke", "--account", name, revoked["id"])

    def session():
        person = Person(server, described)
        person.sign_in(name)
        return person

    def session_without_token():
        person = session()
        person.csrf = None
        return person

    return {
        "nothing": lambda: Person(server, described),
        "no key": lambda: Person(server, described, key="nonsense"),
        "revoked key": lambda: Person(server, described, key=revoked["key"]),
        "ended session": lambda: Person(server, described, headers={"Cookie": "coffer_session=" + "0" * 64}),
        "scoped key": lambda: Person(server, described, key=scoped["key"]),
        "full key": lambda: Person(server, described, key=full["key"]),
        "session": session,
        "session without token": session_without_token,
    }


def expected(rule, method, caller):
    """401 or 403 where the rule keeps the caller out, else None."""
    if rule == ANYONE:
        return None
    if caller in ("nothing", "no key", "revoked key", "ended session"):
        return 401
    if (caller == "scoped key" and rule != FILES) or (caller == "full key" and rule == SESSION):
        return 403
    if caller == "session without token" and method in WRITES:
        return 403
    return None


def routes_of(described):
    for path, operations in described.document["paths"].items():
        for method in operations:
            yield method.upper(), path.removeprefix("/api/v2/")


def test_each_route_has_a_rule(described):
    assert set(routes_of(described)) == set(RULES)


@pytest.mark.parametrize("method, path", RULES, ids=" ".join)
def test_each_kind_of_caller_is_kept_out_where_it_must(described, callers, method, path):
    for caller, make in callers.items():
        answer = make().call(method, path.replace("{id}", "some-id"), {} if method in ("POST", "PATCH") else None)
        wanted = expected(RULES[method, path], method, caller)
        assert (answer.status_code == wanted) if wanted else (answer.status_code not in (401, 403)
                                                              or path in ("setup", "session")), (caller, answer.text)


@pytest.mark.parametrize("method, path", RULES, ids=" ".join)
def test_other_methods_are_refused(server, described, callers, method, path):
    methods = {of for of, one in RULES if one == path}
    person = callers["session"]()
    for other in {"GET", "POST", "PUT", "PATCH", "DELETE"} - methods:
        answer = person.call(other, path.replace("{id}", "some-id"), documented=False)
        assert answer.status_code == 405 and set(answer.headers["Allow"].split(", ")) >= methods


def test_what_is_nowhere_is_a_problem_too(described, callers):
    for path in ("", "nothing", "session/", "sessions/a/b"):
        answer = callers["session"]().call("GET", path, documented=False)
        assert answer.status_code in (404, 401), (path, answer.status_code)


def test_the_description_and_its_page_need_no_key(described, callers):
    nothing = callers["nothing"]()
    page = nothing.call("GET", "docs", documented=False)
    assert page.status_code == 200 and "<script" not in page.text and "default-src 'none'" in page.headers["Content-Security-Policy"]
    for _, path in RULES:
        assert f"/api/v2/{path}" in page.text
