"""Groups: what administrators do with them, by the API and the command line, and those that follow a provider of sign-in."""

import unicodedata

import pytest

from people import Person
from test_provider_sign_in import Browser, provider, start_with  # noqa: F401


@pytest.fixture(scope="module")
def admin(server):
    name = server.add_account(role="admin")
    return Person(server, key=server.create_key(name)["key"])


def test_a_group_is_made_changed_and_removed(server, admin):
    one, other = sorted((server.add_account(), server.add_account()))
    name = server.new_name("group")
    made = admin.ok("POST", "admin/groups", {"name": name, "description": "All of us", "members": [other, one, one],
                                             "defaultQuotaBytes": 1000}, 201)
    assert (made["members"], made["defaultQuotaBytes"], made["fromProvider"]) == ([one, other], 1000, False)
    path = f"admin/groups/{made['id']}"
    assert admin.ok("GET", path) == made and made in admin.ok("GET", "admin/groups?limit=200")["entries"]
    changed = admin.ok("PATCH", path, {"name": name + " renamed", "removedMembers": [one], "removesDefaultQuota": True, "fromProvider": True})
    assert changed == made | {"name": name + " renamed", "members": [other], "defaultQuotaBytes": None, "fromProvider": True}
    assert admin.ok("PATCH", path, {"members": [one]})["members"] == [one]
    assert admin.ok("PATCH", path, {}) == admin.ok("GET", path)
    server.ask("DELETE", f"admin/accounts/{one}")
    assert admin.ok("GET", path)["members"] == []
    admin.ok("DELETE", path, status=204)
    admin.fails("not_found", "GET", path)
    admin.fails("not_found", "DELETE", path)
    kinds = [event["event"] for event in admin.ok("GET", "admin/audit?limit=200")["entries"] if event["subject"] in (name, name + " renamed")]
    assert kinds[0] == "group.removed" and kinds[-1] == "group.created" and set(kinds[1:-1]) == {"group.changed"}


def test_what_is_no_group_changes_nothing(server, admin):
    name = server.new_name("group")
    made = admin.ok("POST", "admin/groups", {"name": name}, 201)
    path = f"admin/groups/{made['id']}"
    admin.fails("name_taken", "POST", "admin/groups", {"name": name})
    other = admin.ok("POST", "admin/groups", {"name": name + " other"}, 201)
    admin.fails("name_taken", "PATCH", f"admin/groups/{other['id']}", {"name": name})
    for wrong in ({}, {"name": ""}, {"name": "x" * 101}, {"name": "a\nb"}, {"name": "y", "members": "z"}, {"name": "y", "quota": 1}):
        admin.fails("malformed", "POST", "admin/groups", wrong)
    admin.fails("not_found", "POST", "admin/groups", {"name": "y", "members": ["nobody"]})
    admin.fails("not_found", "PATCH", path, {"name": "z", "addedMembers": ["nobody"]})
    assert admin.ok("GET", path) == made
    assert not [one for one in admin.ok("GET", "admin/groups?limit=200")["entries"] if one["name"] in ("y", "z")]


def test_names_that_look_alike_are_one(server, admin):
    name = server.new_name("group") + " É"
    made = admin.ok("POST", "admin/groups", {"name": name}, 201)
    other = admin.ok("POST", "admin/groups", {"name": server.new_name("group")}, 201)
    for same in (name.lower(), name.upper(), unicodedata.normalize("NFD", name), unicodedata.normalize("NFD", name.lower())):
        assert name in admin.fails("name_taken", "POST", "admin/groups", {"name": same})
        admin.fails("name_taken", "PATCH", f"admin/groups/{other['id']}", {"name": same})
        assert server.cli("group", "add", "--name", same, ok=False).returncode != 0
        # Its own name does not stand in its way.
        assert admin.ok("PATCH", f"admin/groups/{made['id']}", {"name": same})["name"] == same
        assert admin.ok("PATCH", f"admin/groups/{made['id']}", {"name": name}) == made
    assert admin.ok("GET", f"admin/groups/{other['id']}") == other


def test_a_quota_is_one_that_an_account_can_have(server, admin):
    name, most = server.new_name("group"), 2**63 - 1
    for wrong in (most + 1, 2**64 - 1, 2**64, -1):
        admin.fails("malformed", "POST", "admin/groups", {"name": name, "defaultQuotaBytes": wrong})
    made = admin.ok("POST", "admin/groups", {"name": name, "defaultQuotaBytes": most}, 201)
    assert made["defaultQuotaBytes"] == most
    admin.fails("malformed", "PATCH", f"admin/groups/{made['id']}", {"defaultQuotaBytes": most + 1})
    assert admin.ok("GET", f"admin/groups/{made['id']}") == made


def test_commands_do_what_the_page_does(server):
    account, name = server.add_account(), server.new_name("group")
    made = server.cli_json("group", "add", "--name", name, "--member", account, "--quota", "10GB", "--description", "Staff")
    assert (made["members"], made["defaultQuotaBytes"]) == ([account], 10 * 2**30)
    assert made in server.cli_json("group", "list")
    assert name in server.cli("group", "list").stdout
    changed = server.cli_json("group", "set", name, "--no-member", account, "--no-quota", "--from-provider", "true")
    assert (changed["members"], changed["defaultQuotaBytes"], changed["fromProvider"]) == ([], None, True)
    assert server.cli("group", "add", "--name", name, ok=False).returncode != 0
    assert server.cli("group", "set", name, "--quota", "lots", ok=False).returncode != 0
    assert server.cli_json("group", "remove", name) == {"removed": name}
    assert server.cli("group", "remove", name, ok=False).returncode != 0


def test_groups_follow_the_provider(start_with, provider):  # noqa: F811
    server = start_with(provider, oidc_groups_claim="groups")
    groups = {name: server.ask("POST", "admin/groups", {"name": name, "fromProvider": name != "local", **more})["id"] for name, more in (
        ("staff", {"defaultQuotaBytes": 5000}), ("crew", {"defaultQuotaBytes": 7000}), ("local", {}))}

    def members():
        return {name: server.ask("GET", f"admin/groups/{id_}")["members"] for name, id_ in groups.items()}

    def sign_in(claim):
        provider.claims = {"groups": claim}
        browser = Browser(server)
        browser.sign_in_at(provider)
        return browser.account()

    name = sign_in(["staff", "crew", "unknown"])
    assert server.ask("GET", f"admin/accounts/{name}")["storageLimit"] == 7000, "the largest"
    assert members() == {"staff": [name], "crew": [name], "local": []}
    assert len(server.ask("GET", "admin/groups")["entries"]) == 3, "none is made"
    server.ask("PATCH", f"admin/groups/{groups['local']}", {"members": [name]})
    sign_in(["crew", "local"])
    assert members() == {"staff": [], "crew": [name], "local": [name]}
    provider.userinfo = {"sub": "s-1"}
    sign_in(None)
    assert members() == {"staff": [], "crew": [name], "local": [name]}, "a claim that is missing says nothing"
    sign_in([])
    assert members() == {"staff": [], "crew": [], "local": [name]}
