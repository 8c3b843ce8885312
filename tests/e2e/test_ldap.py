"""Passwords that a directory knows: who gets an account by one, and what a directory that is away does to the others."""

import pytest

from authenticator import code
from dav import Dav
from ldap_server import BASE, PASSWORD, LdapServer, group, person
from people import PASSWORD as OWN_PASSWORD
from people import Person
from test_several_servers import refused
from test_tls import make_certificate


@pytest.fixture(scope="module")
def directory(tmp_path_factory):
    folder = tmp_path_factory.mktemp("ldap")
    made = LdapServer(folder / "slapd", make_certificate(folder / "tls"))
    yield made
    made.stop()


@pytest.fixture
def with_directory(own_server, directory, tmp_path):
    def make(**settings):
        server = own_server(**{**directory.settings(tmp_path), **settings})
        server.add_account("root-account", role="admin", password=OWN_PASSWORD)
        server.secrets.add(PASSWORD)
        return server

    return make


def answer(server, name, password=PASSWORD):
    return Person(server).call("POST", "session", {"userName": name, "password": password})


def signed_in(server, name, password=PASSWORD):
    browser = Person(server)
    browser.sign_in(name, password)
    return browser


def test_a_right_password_gives_an_account_and_all_else_does_not(with_directory, directory):
    server = with_directory(ldap_admin_groups=["admins"])
    for name, password in (("ann", "wrong"), ("ann", ""), ("nobody", PASSWORD), ("*", PASSWORD), ("*)(uid=*", PASSWORD),
                           (")(uid=ann", PASSWORD), ("", PASSWORD)):
        assert answer(server, name, password).status_code in (400, 401), (name, password)
    ann = signed_in(server, "ann")
    account = ann.ok("GET", "account")
    assert (account["userName"], account["displayName"], account["role"]) == ("ann", "Ann Example", "admin")
    assert signed_in(server, "bob").ok("GET", "account")["role"] == "user"
    # Again: the same account.
    assert signed_in(server, "ann").ok("GET", "account")["userName"] == "ann"
    assert {one["username"] for one in server.cli_json("account", "list")} == {"root-account", "ann", "bob"}


def test_own_passwords_count_as_before_and_names_are_not_taken_over(with_directory, directory):
    server = with_directory()
    server.add_account("ann", password=OWN_PASSWORD)
    assert signed_in(server, "ann", OWN_PASSWORD).ok("GET", "account")["userName"] == "ann"
    assert answer(server, "ann").status_code == 401, "it has a password of its own"
    server.add_account("bob")  # Without a password: another one than the directory's.
    assert signed_in(server, "bob").ok("GET", "account")["userName"] == "bob2"


def test_an_account_is_linked_by_an_administrator(with_directory, directory):
    server = with_directory(ldap_create_accounts=False)
    server.add_account("robert")
    server.cli("account", "link", "robert", f"ldap:{BASE}", directory.id_of("bob"))
    assert signed_in(server, "bob").ok("GET", "account")["userName"] == "robert"


def test_a_person_is_known_again_under_another_name(with_directory, directory):
    directory.add(person("carl", "Carl Example"))
    server = with_directory()
    signed_in(server, "carl").v1().put("kept.txt", b"kept")
    directory.change(f"dn: uid=carl,ou=people,{BASE}\nchangetype: modrdn\nnewrdn: uid=karl\ndeleteoldrdn: 1\n")
    browser = signed_in(server, "karl")
    assert browser.ok("GET", "account")["userName"] == "carl" and browser.v1().names() == ["kept.txt"]
    assert answer(server, "carl").status_code == 401


def test_groups_decide_who_may_sign_in(with_directory, directory):
    directory.add(person("dora", "Dora Example") + group("guests", "dora"))
    server = with_directory(ldap_allowed_groups=["staff", f"cn=none,{BASE}"])
    assert answer(server, "dora").status_code == 403
    assert answer(server, "dora", "wrong").status_code == 401
    directory.change(f"dn: cn=staff,ou=groups,{BASE}\nchangetype: modify\nadd: member\nmember: uid=dora,ou=people,{BASE}\n")
    signed_in(server, "dora")
    directory.change(f"dn: cn=staff,ou=groups,{BASE}\nchangetype: modify\ndelete: member\nmember: uid=dora,ou=people,{BASE}\n")
    assert answer(server, "dora").status_code == 403


def test_a_person_without_an_account_gets_none_where_that_is_set(with_directory):
    server = with_directory(ldap_create_accounts=False)
    assert answer(server, "ann").status_code == 403
    assert {one["username"] for one in server.cli_json("account", "list")} == {"root-account"}


def test_a_directory_that_is_away_is_no_wrong_password(with_directory, directory):
    server = with_directory()
    signed_in(server, "ann")
    directory.stop()
    try:
        for _ in range(15):  # More than one may guess.
            assert answer(server, "ann").status_code == 503
        signed_in(server, "root-account", OWN_PASSWORD)
        server.stop()
        server.start()  # It does not wait for a directory.
        signed_in(server, "root-account", OWN_PASSWORD)
    finally:
        directory.start()
    signed_in(server, "ann")


def test_wrong_passwords_of_the_directory_are_slowed(with_directory):
    server = with_directory()
    spellings = ["ann", "ANN", " ann", "Ann", "aNN", "\uff41nn"] * 2
    assert [answer(server, name, "wrong").status_code for name in spellings].count(429) >= 1


@pytest.mark.parametrize("way", ["start_tls", "ldaps"])
def test_tls_is_spoken_and_its_certificate_looked_at(with_directory, directory, tmp_path, way):
    words = {"ldap_start_tls": True} if way == "start_tls" else {"ldap_url": directory.tls_url}
    server = with_directory(**words)  # The system trusts no such certificate.
    assert answer(server, "ann").status_code == 503
    server.stop()
    other, _ = make_certificate(tmp_path / "other")
    server.settings["ldap_ca_file"] = str(other)
    server.start()
    assert answer(server, "ann").status_code == 503
    server.stop()
    server.settings["ldap_ca_file"] = str(directory.tls[0])
    server.start()
    signed_in(server, "ann")


def test_the_password_confirms_and_does_not_go_round_a_second_factor(with_directory):
    server = with_directory(webdav_passwords=True)
    ann = signed_in(server, "ann")
    ann.fails("forbidden", "POST", "session/confirm", {"password": "wrong"})
    ann.ok("POST", "session/confirm", {"password": PASSWORD}, 204)
    Dav(server, "ann", PASSWORD).propfind("", "0").is_(207)
    secret = ann.ok("POST", "account/totp", status=201)["secret"]
    server.secrets.add(secret)
    server.secrets.update(ann.ok("POST", "account/totp/confirm", {"code": code(secret)})["codes"])
    assert answer(server, "ann").json()["secondFactor"] == ["totp", "recovery"]
    Dav(server, "ann", PASSWORD).propfind("", "0").is_(401)


def test_the_rules_of_passwords_are_for_those_of_the_directory_too(with_directory):
    server = with_directory(ldap_admin_groups=["admins"], second_factor="admins", password_sign_in="admins")
    assert answer(server, "bob").status_code == 403 and answer(server, "bob", "wrong").status_code == 401
    ann = signed_in(server, "ann")
    assert ann.ok("GET", "session")["needsSecondFactor"] and ann.call("GET", "files").status_code == 403
    secret = ann.ok("POST", "account/totp", status=201)["secret"]
    server.secrets.add(secret)
    server.secrets.update(ann.ok("POST", "account/totp/confirm", {"code": code(secret)})["codes"])
    assert ann.call("GET", "files").status_code == 200


def test_for_nobody_the_directory_is_not_asked(with_directory, directory):
    server = with_directory(password_sign_in="nobody")
    assert answer(server, "ann").status_code == 403
    assert {one["username"] for one in server.cli_json("account", "list")} == {"root-account"}


def test_what_the_directory_knows_is_changed_there(with_directory):
    server = with_directory(ldap_admin_groups=["admins"])
    ann, bob = signed_in(server, "ann"), signed_in(server, "bob")
    assert bob.ok("GET", "account/security")["hasPassword"]
    assert "directory" in bob.fails("forbidden", "POST", "account/password", {"current": PASSWORD, "new": OWN_PASSWORD})
    assert "directory" in ann.fails("forbidden", "PATCH", "admin/accounts/bob", {"role": "admin"})
    ann.ok("PATCH", "admin/accounts/bob", {"storageLimit": 1000, "displayName": "Robert"})
    account = signed_in(server, "bob").ok("GET", "account")
    assert (account["displayName"], account["storageLimit"]) == ("Robert", 1000), "and what it does not say stays"


def test_accounts_are_in_the_groups_that_the_directory_names(with_directory):
    server = with_directory()
    root = signed_in(server, "root-account", OWN_PASSWORD)
    made = root.ok("POST", "admin/groups", {"name": "staff", "fromProvider": True}, 201)
    signed_in(server, "ann")
    assert root.ok("GET", f"admin/groups/{made['id']}")["members"] == ["ann"]


def test_a_name_of_several_people_holds_up_nobody_else(with_directory, directory):
    directory.add(person("twin", "Twin One") + person("twin-2", "Twin One"))
    server = with_directory(ldap_filter="(|(uid={name})(cn={name}))")
    for _ in range(5):
        assert answer(server, "Twin One").status_code == 503
    signed_in(server, "ann")


@pytest.mark.parametrize("settings, words", [({"ldap_base": ""}, "ldap_base"), ({"ldap_filter": "(uid=ann)"}, "{name}"),
                                             ({"ldap_url": "http://ldap.example.org"}, "ldaps://"),
                                             ({"ldap_bind_password_file": ""}, "ldap_bind_dn")])
def test_wrong_settings_are_told_at_the_start(build_server, directory, tmp_path, settings, words):
    assert words in refused(build_server(**{**directory.settings(tmp_path), **settings}))
