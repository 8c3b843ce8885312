"""Tests of the places that people sign in by: what they tell, what they foresee, and that they change nothing."""

import json

import pytest

from identity_provider import SECRET, LyingProvider, new_key
from ldap_server import BASE, PASSWORD, READER, READER_PASSWORD, LdapServer
from people import PASSWORD as OWN_PASSWORD
from people import Person
from server import run
from test_confirmation import grows_old

TEST = "admin/sign-in/test"


@pytest.fixture
def provider():
    with LyingProvider() as made:
        yield made


@pytest.fixture(scope="module")
def directory(tmp_path_factory):
    made = LdapServer(tmp_path_factory.mktemp("ldap") / "slapd")
    yield made
    made.stop()


@pytest.fixture
def root_of():
    """An administrator of a server, signed in."""
    def make(server):
        server.add_account("root-account", role="admin", password=OWN_PASSWORD)
        root = Person(server)
        root.sign_in("root-account")
        return root
    return make


def unchanged(server):
    return server.cli_json("account", "list"), server.ask("GET", "admin/audit?limit=200")["entries"]


def claims(**changes):
    return {"claims": {"sub": "s-1", "preferred_username": "ann", "name": "Ann", **changes}}


def test_a_provider_is_asked_anew_each_time(own_server, provider, tmp_path, root_of):
    root = root_of(own_server(**provider.settings(tmp_path)))
    test = root.ok("POST", TEST, {})
    assert test["directory"] is test["proxy"] is test["outcome"] is None
    told = test["provider"]
    assert told["metadata"]["problem"] is told["keys"]["problem"] is None
    assert (told["usableKeys"], told["algorithms"]) == (1, ["RS256", "PS256"])
    provider.keys = [new_key("EC"), new_key("OKP")]
    told = root.ok("POST", TEST, {})["provider"]
    assert (told["usableKeys"], told["algorithms"]) == (2, ["ES256", "EdDSA"])
    provider.keys = []
    told = root.ok("POST", TEST, {})["provider"]
    assert "no key" in told["keys"]["problem"] and told["usableKeys"] == 0
    provider.metadata = {**provider.metadata, "issuer": "https://elsewhere.example"}
    told = root.ok("POST", TEST, {})["provider"]
    assert told["metadata"]["problem"] and told["keys"] is None
    provider.instead["/.well-known/openid-configuration"] = lambda answers: answers.answer(500, b"a secret", "text/plain")
    answer = root.call("POST", TEST, {})
    assert "500" in answer.json()["provider"]["metadata"]["problem"]
    assert "a secret" not in answer.text and SECRET not in answer.text


def test_claims_tell_what_a_sign_in_would_do_and_nothing_is_done(own_server, provider, tmp_path, root_of):
    server = own_server(**provider.settings(tmp_path), oidc_groups_claim="groups", oidc_admin_groups=["admins"],
                        oidc_allowed_groups=["staff"], oidc_group_quotas=["staff=5GB"])
    root = root_of(server)
    server.add_account("ann")
    root.ok("POST", "admin/groups", {"name": "staff", "fromProvider": True}, 201)
    before = unchanged(server)
    outcome = root.ok("POST", TEST, claims(groups=["staff", "admins", "others"]))["outcome"]
    assert outcome == {"refusal": None, "isNew": True, "userName": "ann2", "displayName": "Ann", "role": "admin",
                       "storageLimit": 5 << 30, "groups": ["staff"], "namesake": "ann"}
    outcome = root.ok("POST", TEST, claims(groups=["others"]))["outcome"]
    assert outcome["refusal"] == "Only members of certain groups may sign in." and outcome["userName"] is None
    assert "nothing is said of groups" in root.ok("POST", TEST, claims())["outcome"]["refusal"]
    for wrong in ({"claims": {}}, claims(sub=""), claims(iss="https://elsewhere.example"), {"claims": []}, {"directoryName": "ann"},
                  {**claims(), "directoryName": "ann"}):
        root.fails("malformed", "POST", TEST, wrong)
    assert unchanged(server) == before
    server.cli("account", "link", "ann", provider.issuer, "s-1")
    outcome = root.ok("POST", TEST, claims(preferred_username="other", groups=["staff"], iss=provider.issuer))["outcome"]
    assert (outcome["isNew"], outcome["userName"], outcome["namesake"]) == (False, "ann", None)
    server.cli("account", "disable", "ann")
    assert "disabled" in root.ok("POST", TEST, claims(groups=["staff"]))["outcome"]["refusal"]


def test_a_directory_tells_which_step_fails(own_server, directory, tmp_path, root_of):
    server = own_server(**directory.settings(tmp_path), ldap_admin_groups=["admins"])
    root = root_of(server)
    told = root.ok("POST", TEST, {})["directory"]
    assert told["bind"]["problem"] is told["base"]["problem"] is told["search"] is told["found"] is None
    before = unchanged(server)
    test = root.ok("POST", TEST, {"directoryName": "ann"})
    assert test["directory"]["found"] is True
    assert (test["outcome"]["userName"], test["outcome"]["role"], test["outcome"]["isNew"]) == ("ann", "admin", True)
    for name in ("nobody", "*", "*)(uid=*"):
        test = root.ok("POST", TEST, {"directoryName": name})
        assert test["directory"]["found"] is False and test["outcome"] is None, name
    assert unchanged(server) == before
    server.add_account("bob", password=OWN_PASSWORD)
    assert "has a password here" in root.ok("POST", TEST, {"directoryName": "bob"})["outcome"]["refusal"]

    def told_with(**settings):
        server.stop()
        server.settings.update(settings)
        server.start()
        answer = root.call("POST", TEST, {"directoryName": "ann"})
        assert READER_PASSWORD not in answer.text and PASSWORD not in answer.text
        return answer.json()["directory"], answer.json()["outcome"]

    assert "Passwords are not taken" in told_with(password_sign_in="nobody")[1]["refusal"]
    told, _ = told_with(ldap_base=f"ou=nowhere,{BASE}")
    assert "ldap_base" in told["base"]["problem"] and told["search"] is None
    (tmp_path / "wrong").write_text("wrong\n")
    told, _ = told_with(ldap_bind_dn=READER, ldap_bind_password_file=str(tmp_path / "wrong"))
    assert "its own sign-in" in told["bind"]["problem"] and told["base"] is None
    told, _ = told_with(ldap_url="ldap://127.0.0.1:1")
    assert told["bind"]["problem"] and told["bind"]["milliseconds"] < 30_000


def test_administrators_alone_ask_and_confirmed_ones(own_server, provider, tmp_path, root_of):
    server = own_server(**provider.settings(tmp_path))
    root = root_of(server)
    server.add_account("ann", password=OWN_PASSWORD)
    ann = Person(server)
    ann.sign_in("ann")
    ann.fails("forbidden", "POST", TEST, {})
    root.ok("POST", TEST, {})
    grows_old(root)
    provider.asked.clear()
    root.fails("unconfirmed", "POST", TEST, {})
    assert provider.asked == []


def test_the_command_asks_the_server_that_runs(own_server, provider, tmp_path, root_of):
    server = own_server(**provider.settings(tmp_path))
    root_of(server)
    shown = server.cli("sign-in", "test").stdout
    assert "metadata" in shown and "works" in shown and "RS256" in shown
    file = tmp_path / "claims.json"
    file.write_text(json.dumps(claims()["claims"]))
    assert "ann (new)" in server.cli("sign-in", "test", "--claims", str(file)).stdout
    assert server.cli_json("sign-in", "test", "--claims", str(file))["outcome"]["userName"] == "ann"
    file.write_text("[]")
    assert "no JSON object" in server.cli("sign-in", "test", "--claims", str(file), ok=False).stderr
    assert "no directory" in server.cli("sign-in", "test", "--name", "ann", ok=False).stderr
    provider.metadata["jwks_uri"] += "-gone"
    broken = server.cli("sign-in", "test", ok=False)
    assert broken.returncode == 1 and "keys" in broken.stdout and "Usable" not in broken.stdout
    server.stop()
    without = run("sign-in", "test", "--data", server.data)
    assert without.returncode == 1 and "No server runs" in without.stderr
