"""Every route of /api/v2 × every kind of caller: a route without a rule here fails."""

import pytest

from people import PASSWORD, Person

ANYONE, SESSION, ACCOUNT, FILES, ADMIN = "anyone", "session", "account", "files", "administrator"
RULES = {
    ("GET", "setup"): ANYONE,
    ("POST", "setup"): ANYONE,
    ("POST", "session"): ANYONE,
    ("GET", "session"): SESSION,
    ("DELETE", "session"): SESSION,
    ("POST", "session/confirm"): SESSION,
    ("POST", "session/second-factor"): ANYONE,
    ("GET", "account/security"): SESSION,
    ("POST", "account/totp"): SESSION,
    ("DELETE", "account/totp"): SESSION,
    ("POST", "account/totp/confirm"): SESSION,
    ("POST", "account/recovery-codes"): SESSION,
    ("DELETE", "admin/accounts/{name}/second-factor"): ADMIN,
    ("POST", "session/passkey/options"): ANYONE,
    ("POST", "session/passkey"): ANYONE,
    ("GET", "account/passkeys"): SESSION,
    ("POST", "account/passkeys"): SESSION,
    ("POST", "account/passkeys/options"): SESSION,
    ("PATCH", "account/passkeys/{id}"): SESSION,
    ("DELETE", "account/passkeys/{id}"): SESSION,
    ("GET", "admin/accounts/{name}/identities"): ADMIN,
    ("POST", "admin/accounts/{name}/identities"): ADMIN,
    ("DELETE", "admin/accounts/{name}/identities/{id}"): ADMIN,
    ("GET", "session/methods"): ANYONE,
    ("POST", "session/proxy"): ANYONE,
    ("POST", "session/proxy/confirm"): SESSION,
    ("POST", "admin/sign-in/test"): ADMIN,
    ("GET", "session/oidc/start"): ANYONE,
    ("GET", "session/oidc/callback"): ANYONE,
    ("GET", "session/oidc/confirm"): SESSION,
    ("POST", "session/oidc/backchannel-logout"): ANYONE,
    ("GET", "account/identities"): SESSION,
    ("GET", "account/identities/start"): SESSION,
    ("DELETE", "account/identities/{id}"): SESSION,
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
    ("POST", "tasks/{id}/restart"): FILES,
    ("GET", "bin"): ACCOUNT,
    ("DELETE", "bin"): ACCOUNT,
    ("DELETE", "bin/{id}"): ACCOUNT,
    ("GET", "versions"): FILES,
    ("GET", "versions/{id}/content"): FILES,
    ("POST", "versions/{id}/restore"): FILES,
    ("DELETE", "versions/{id}"): FILES,
    ("GET", "locks"): FILES,
    ("DELETE", "locks/{id}"): FILES,
    ("GET", "uploads"): FILES,
    ("POST", "uploads"): FILES,
    ("HEAD", "uploads/{id}"): FILES,
    ("PATCH", "uploads/{id}"): FILES,
    ("POST", "uploads/{id}"): FILES,
    ("DELETE", "uploads/{id}"): FILES,
    ("POST", "selections"): FILES,
    ("POST", "selections/{id}"): FILES,
    ("GET", "archive"): FILES,
    ("GET", "connectors"): ACCOUNT,
    ("POST", "connectors"): ACCOUNT,
    ("GET", "connectors/providers"): ACCOUNT,
    ("POST", "connectors/authorize"): ACCOUNT,
    ("POST", "connectors/test"): ACCOUNT,
    ("GET", "connectors/{id}"): ACCOUNT,
    ("PATCH", "connectors/{id}"): ACCOUNT,
    ("DELETE", "connectors/{id}"): ACCOUNT,
    ("GET", "admin/accounts"): ADMIN,
    ("POST", "admin/accounts"): ADMIN,
    ("GET", "admin/accounts/{name}"): ADMIN,
    ("PATCH", "admin/accounts/{name}"): ADMIN,
    ("DELETE", "admin/accounts/{name}"): ADMIN,
    ("GET", "admin/shares"): ADMIN,
    ("POST", "admin/shares"): ADMIN,
    ("GET", "admin/shares/{id}"): ADMIN,
    ("PATCH", "admin/shares/{id}"): ADMIN,
    ("DELETE", "admin/shares/{id}"): ADMIN,
    ("POST", "admin/shares/{id}/test"): ADMIN,
    ("GET", "admin/folders"): ADMIN,
    ("GET", "admin/connectors"): ADMIN,
    ("POST", "admin/connectors"): ADMIN,
    ("GET", "admin/connectors/{id}"): ADMIN,
    ("PATCH", "admin/connectors/{id}"): ADMIN,
    ("DELETE", "admin/connectors/{id}"): ADMIN,
    ("GET", "admin/sessions"): ADMIN,
    ("DELETE", "admin/sessions/{id}"): ADMIN,
    ("GET", "admin/server"): ADMIN,
    ("GET", "admin/settings"): ADMIN,
    ("GET", "admin/audit"): ADMIN,
    ("GET", "admin/audit/export"): ADMIN,
    ("GET", "search"): FILES,
    ("GET", "events"): FILES,
    ("GET", "thumbnails"): FILES,
    ("GET", "links"): ACCOUNT,
    ("POST", "links"): ACCOUNT,
    ("DELETE", "links/{id}"): ACCOUNT,
    ("GET", "shares"): ACCOUNT,
    ("POST", "shares"): ACCOUNT,
    ("GET", "shares/{id}"): ACCOUNT,
    ("PATCH", "shares/{id}"): ACCOUNT,
    ("DELETE", "shares/{id}"): ACCOUNT,
    ("GET", "people"): ACCOUNT,
    ("GET", "admin/groups"): ADMIN,
    ("POST", "admin/groups"): ADMIN,
    ("GET", "admin/groups/{id}"): ADMIN,
    ("PATCH", "admin/groups/{id}"): ADMIN,
    ("DELETE", "admin/groups/{id}"): ADMIN,
    ("GET", "guest/{token}"): ANYONE,
    ("POST", "guest/{token}/session"): ANYONE,
    ("GET", "guest/{token}/files"): ANYONE,
    ("GET", "guest/{token}/content"): ANYONE,
    ("GET", "guest/{token}/archive"): ANYONE,
    ("POST", "guest/{token}/uploads"): ANYONE,
    ("HEAD", "guest/{token}/uploads/{id}"): ANYONE,
    ("PATCH", "guest/{token}/uploads/{id}"): ANYONE,
    ("POST", "guest/{token}/uploads/{id}"): ANYONE,
    ("DELETE", "guest/{token}/uploads/{id}"): ANYONE,
}
REFUSED = "refused"  # For its right or its form, whichever is looked at first.
# What lets everyone of its rule in may still say 401 or 403 by itself: no folder is shared by the settings here.
SAYS_SO_ITSELF = ("setup", "session", "admin/folders")
WRITES = {"POST", "PUT", "PATCH", "DELETE"}


@pytest.fixture(scope="module")
def callers(server):
    """Each kind of caller, by what it may do."""
    name = server.new_name("person")
    server.add_account(name, password=PASSWORD)
    full = server.create_key(name)
    revoked = server.create_key(name)
    Person(server, key=full["key"]).v1().make_folder("", "docs").ok()
    scoped = server.create_key(name, "docs")
    server.cli("key", "revoke", "--account", name, revoked["id"])
    admin = server.new_name("admin")
    server.add_account(admin, role="admin", password=PASSWORD)
    of_admin = server.create_key(admin)
    Person(server, key=of_admin["key"]).v1().make_folder("", "docs").ok()
    scoped_of_admin = server.create_key(admin, "docs")
    reading = {who: server.cli_json("key", "create", "--account", who, "--name", "reads", "--read-only")["key"] for who in (name, admin)}
    server.secrets.update(reading.values())

    signed_in = {}

    def session(of=name, has_token=True):
        """The one of before, unless a call has ended it: each password that is looked at takes a tenth of a second."""
        person = signed_in.get((of, has_token))
        if person is None or person.call("GET", "session").status_code != 200:
            person = signed_in[of, has_token] = Person(server)
            person.sign_in(of)
            if not has_token:
                person.csrf = None
        return person

    return {
        "nothing": lambda: Person(server),
        "no key": lambda: Person(server, key="nonsense"),
        "revoked key": lambda: Person(server, key=revoked["key"]),
        "ended session": lambda: Person(server, headers={"Cookie": "coffer_session=" + "0" * 64}),
        "scoped key": lambda: Person(server, key=scoped["key"]),
        "full key": lambda: Person(server, key=full["key"]),
        "session": session,
        "session without token": lambda: session(has_token=False),
        "reading key": lambda: Person(server, key=reading[name]),
        "administrator": lambda: session(admin),
        "administrator without token": lambda: session(admin, has_token=False),
        "administrator's key": lambda: Person(server, key=of_admin["key"]),
        "administrator's scoped key": lambda: Person(server, key=scoped_of_admin["key"]),
        "administrator's reading key": lambda: Person(server, key=reading[admin]),
    }


def expected(rule, method, caller):
    """401 or 403 where the rule keeps the caller out, else None."""
    if rule == ANYONE:
        return None
    if caller in ("nothing", "no key", "revoked key", "ended session"):
        return 401
    if ("scoped key" in caller and rule != FILES) or ("key" in caller and rule == SESSION):
        return 403
    if "administrator" not in caller and rule == ADMIN:
        return 403
    if "without token" in caller and method in WRITES:
        return 403
    if "reading key" in caller and method in WRITES | {"HEAD"}:  # Which takes an upload over from who is at work on it.
        return REFUSED if rule == FILES else 403
    return None


def routes_of(described):
    for path, operations in described.document["paths"].items():
        for method in operations:
            yield method.upper(), path.removeprefix("/api/v2/")


def test_each_route_has_a_rule(described):
    assert set(routes_of(described)) == set(RULES)


@pytest.mark.parametrize("method, path", RULES, ids=" ".join)
def test_each_kind_of_caller_is_kept_out_where_it_must(callers, method, path):
    for caller, make in callers.items():
        answer = make().call(method, path.replace("{id}", "some-id").replace("{name}", "nobody"), {} if method in ("POST", "PATCH") else None)
        wanted = expected(RULES[method, path], method, caller)
        if wanted == REFUSED:
            assert answer.status_code >= 400, (caller, answer.text)
        elif wanted:
            assert answer.status_code == wanted, (caller, answer.text)
        else:
            assert answer.status_code not in (401, 403) or path in SAYS_SO_ITSELF, (caller, answer.text)


@pytest.mark.parametrize("method, path", RULES, ids=" ".join)
def test_other_methods_are_refused(server, callers, method, path):
    methods = {of for of, one in RULES if one == path}
    person = callers["session"]()
    for other in {"GET", "POST", "PUT", "PATCH", "DELETE"} - methods:
        answer = person.call(other, path.replace("{id}", "some-id").replace("{name}", "nobody"), documented=False)
        assert answer.status_code == 405 and set(answer.headers["Allow"].split(", ")) >= methods


def test_what_is_nowhere_is_a_problem_too(callers):
    for path in ("", "nothing", "session/", "sessions/a/b"):
        answer = callers["session"]().call("GET", path, documented=False)
        assert answer.status_code in (404, 401), (path, answer.status_code)


def test_the_description_and_its_page_need_no_key(callers):
    nothing = callers["nothing"]()
    page = nothing.call("GET", "docs", documented=False)
    assert page.status_code == 200 and "default-src 'none'" in page.headers["Content-Security-Policy"]
    described = nothing.call("GET", "openapi.json", documented=False).json()["paths"]
    for _, path in RULES:
        assert f"/api/v2/{path}" in described


@pytest.fixture(scope="module")
def token(callers):
    """Guests without a link are told nothing else."""
    return callers["administrator"]().ok("POST", "links", {"path": "docs"}, 201)["token"]


@pytest.mark.parametrize("method, path", [route for route in RULES if "uploads" not in route[1] and route[1] != "session/oidc/callback"],
                         ids=" ".join)
def test_no_route_passes_over_a_parameter_that_it_does_not_know(callers, token, method, path):
    """DELETE of the bin with `?id=…` would empty it. Those of tus take all from headers, as that protocol has it; at
    the address of the way back from a provider, that one adds parameters of its own."""
    filled = path.replace("{id}", "some-id").replace("{name}", "nobody").replace("{address}", "none").replace("{token}", token)
    # What lacks one that it needs says that first.
    needed = {"archive": "path=x", "search": "q=x", "thumbnails": "path=x&size=64", "files": "path=x", "files/content": "path=x",
              "versions": "path=x", "people": "q=xy", "locks": "path=x"}
    query = "&".join(filter(None, ["nothing=1", needed.get(path.removeprefix("guest/{token}/"))]))
    answer = callers["administrator"]().call(method, f"{filled}?{query}", documented=False)
    assert answer.status_code == 400, (answer.status_code, answer.text)
    assert method == "HEAD" or 'no parameter "nothing"' in answer.json()["detail"], answer.text
