"""WebDAV: who may call it, what it lists and changes, and that it is the same tree as that of the other interfaces."""

import base64
import email.utils
import hashlib
import os
import pathlib
import socket
import urllib.parse

import pytest

from authenticator import code
from dav import DAV, EXCLUSIVE, SHARED, Dav, basic, dav_of
from hostile_mount import memory
from mounting import Call
from people import PASSWORD, Person
from raw import RawConnection

TIMES = "urn:schemas-microsoft-com:"
PROPERTY = ('<D:propertyupdate xmlns:D="DAV:"><D:set><D:prop><colour xmlns="urn:x">red</colour></D:prop></D:set>'
            "</D:propertyupdate>")


@pytest.fixture
def dav(account):
    return dav_of(account)


@pytest.fixture
def person(account):
    return Person(account.server, key=account.key)


# Who calls


def test_a_key_is_the_password(account):
    for name, key, status in ((account.name, account.key, 207), (account.name.upper(), account.key, 207), ("other", account.key, 401),
                              (account.name, "wrong", 401), (account.name, "", 401)):
        assert Dav(account.server, name, key).propfind("", "0").status == status, (name, key)
    answer = Dav(account.server).propfind("", "0").is_(401)
    assert answer.headers["WWW-Authenticate"].startswith("Basic realm=")
    nobody = Dav(account.server)
    nobody.headers["Authorization"] = "Bearer " + account.key
    nobody.propfind("", "0").is_(401)
    nobody.headers = {"X-API-Key": account.key}
    nobody.propfind("", "0").is_(207)


def test_the_password_of_the_account_is_not_taken(make_account):
    account = make_account(password="correct horse battery")
    Dav(account.server, account.name, "correct horse battery").propfind("", "0").is_(401)


def test_a_setting_lets_passwords_in(own_server, account_on):
    server = own_server(webdav_passwords=True)
    name = server.add_account(password=PASSWORD)
    dav = Dav(server, name, PASSWORD)
    dav.put("a.txt", b"a").is_(201)
    assert dav.names() == ["/dav/a.txt"]
    Dav(server, name, PASSWORD + "x").propfind("", "0").is_(401)
    for user in (b"\xff", b"m\xfcller", name.encode() + b"\0x", b"a\nb"):
        sent = {"Authorization": "Basic " + base64.b64encode(user + b":" + PASSWORD.encode()).decode()}
        Dav(server).call("PROPFIND", "", None, {"Depth": "0", **sent}).is_(401)
    dav_of(account_on(server)).propfind("", "0").is_(207)
    # All requests are of one session, which is seen and ended as others are.
    person = Person(server)
    person.sign_in(name)
    session, = [one for one in person.ok("GET", "sessions") if not one["current"]]
    person.ok("DELETE", f"sessions/{session['id']}", status=204)
    dav.propfind("", "0").is_(207)
    again, = [one for one in person.ok("GET", "sessions") if not one["current"]]
    assert again["id"] != session["id"]
    # A changed password is not taken any more.
    person.ok("POST", "account/password", {"current": PASSWORD, "new": "another " + PASSWORD}, status=204)
    dav.propfind("", "0").is_(401)


def test_a_password_alone_does_not_go_round_a_second_factor(own_server):
    server = own_server(webdav_passwords=True)
    name = server.add_account(password=PASSWORD)
    dav = Dav(server, name, PASSWORD)
    dav.propfind("", "0").is_(207)
    owner = Person(server)
    owner.sign_in(name)
    secret = owner.ok("POST", "account/totp", status=201)["secret"]
    server.secrets.add(secret)
    server.secrets.update(owner.ok("POST", "account/totp/confirm", {"code": code(secret)})["codes"])
    assert b"key" in dav.propfind("", "0").is_(401).body
    assert b"key" in Dav(server, name, PASSWORD).propfind("", "0").is_(401).body


def test_files_of_macos_can_be_refused(own_server, account_on):
    account = account_on(own_server(webdav_mac_files="refuse"))
    dav = dav_of(account)
    for name in ("._a.txt", ".DS_Store"):
        dav.put(name, b"x").is_(403)
        dav.lock(name).is_(403)
        dav.call("MKCOL", name).is_(403)
        dav.put("a.txt", b"a")
        for method in ("COPY", "MOVE"):
            dav.move(method, "a.txt", name).is_(403)
    dav.put(".hidden", b"x").is_(201)
    assert dav.names() == ["/dav/.hidden", "/dav/a.txt"]


def test_other_machines_need_https(own_server, account_on):
    server = own_server(trusted_proxies=["127.0.0.1"])
    account = account_on(server)
    dav = dav_of(account)
    far = {"X-Forwarded-For": "192.0.2.7"}
    assert b"HTTPS" in dav.call("PROPFIND", "", None, {"Depth": "0", **far}).is_(403).body
    dav.call("PROPFIND", "", None, {"Depth": "0", "X-Forwarded-Proto": "https", **far}).is_(207)
    dav.call("PROPFIND", "", None, {"Depth": "0"}).is_(207)
    dav.call("OPTIONS", "", None, far).is_(200)


def test_a_limited_key_sees_its_folder_alone(account):
    account.client.make_folder("", "scans").ok()
    account.client.put("scans/a.txt", b"a")
    account.client.put("secret.txt", b"s")
    dav = Dav(account.server, account.name, account.client.create_key("scanner", "scans").ok()["key"])
    assert dav.names() == ["/dav/a.txt"]
    dav.call("GET", "secret.txt").is_(404)
    dav.call("GET", "..%2Fsecret.txt").is_(400)
    dav.call("GET", "%2E%2E/secret.txt").is_(403)
    dav.put("b.txt", b"b").is_(201)
    assert account.client.content("scans/b.txt") == b"b"
    dav.move("COPY", "a.txt", "../c.txt").is_(403)


def test_a_key_that_may_only_read_changes_nothing(account):
    account.client.put("a.txt", b"a")
    key = account.server.cli_json("key", "create", "--account", account.name, "--name", "reader", "--read-only")["key"]
    dav = Dav(account.server, account.name, key)
    assert dav.call("GET", "a.txt").is_(200).body == b"a"
    for method in ("PUT", "DELETE", "MKCOL", "LOCK", "PROPPATCH", "UNLOCK"):
        dav.call(method, "a.txt", b"" if method == "PUT" else None).is_(403)
    for method in ("COPY", "MOVE"):
        dav.move(method, "a.txt", "b.txt").is_(403)
    assert account.client.content("a.txt") == b"a"


def test_a_revoked_key_ends_at_once(account):
    made = account.client.create_key("device").ok()
    dav = Dav(account.server, account.name, made["key"])
    dav.propfind("", "0").is_(207)
    account.client.revoke(made["id"]).ok()
    dav.propfind("", "0").is_(401)


def test_webdav_can_be_turned_off(own_server, account_on):
    account = account_on(own_server(webdav=False))
    dav_of(account).propfind("", "0").is_(404)


# What is there


def test_options_tell_what_is_spoken(account):
    nobody = Dav(account.server)
    for top, path in (("/dav/", ""), ("/dav/", "any/where"), ("/dav", ""), ("/", "")):
        answer = nobody.call("OPTIONS", path, top=top).is_(200)
        assert answer.headers["DAV"] == "1, 2, 3" and answer.headers["MS-Author-Via"] == "DAV"
    allowed = nobody.call("POST", "").is_(405).headers["Allow"].split(", ")
    assert {"PROPFIND", "PROPPATCH", "MKCOL", "COPY", "MOVE", "LOCK", "UNLOCK", "PUT", "DELETE", "OPTIONS"} <= set(allowed)
    assert set(nobody.call("PROPFIND", "", None, {"Depth": "1"}, top="/").items()) == {"/", "/dav/"}


def test_a_folder_is_listed(account, dav):
    account.client.put("a b&ü%.txt", b"12345")
    account.client.make_folder("", "folder").ok()
    items = dav.propfind().items()
    assert set(items) == {"/dav/", "/dav/folder/", "/dav/" + urllib.parse.quote("a b&ü%.txt", safe="")}
    file = items["/dav/a%20b%26%C3%BC%25.txt"]
    assert file[DAV + "getcontentlength"].text == "5" and file[DAV + "displayname"].text == "a b&ü%.txt"
    assert file[DAV + "resourcetype"].find(DAV + "collection") is None
    assert items["/dav/folder/"][DAV + "resourcetype"].find(DAV + "collection") is not None
    assert DAV + "getetag" not in items["/dav/folder/"]
    dav.propfind("folder", "1").is_(207)
    dav.propfind("folder", "infinity").is_(403, "propfind-finite-depth")
    dav.call("PROPFIND", "folder").is_(403, "propfind-finite-depth")
    dav.propfind("none", "0").is_(404)
    dav.propfind("folder", "2").is_(400)
    for method in ("GET", "HEAD"):
        dav.call(method, "folder").is_(200)
    answer = dav.call("PROPFIND", "", None, {"Depth": "0"}, top="/dav")
    assert set(answer.items()) == {"/dav/"}


def test_a_large_folder_is_listed_whole(account, dav):
    account.client.make_folder("", "many").ok()
    folder = account.root / "many"
    for number in range(4_100):
        (folder / f"{number}.txt").write_bytes(b"")
    names = dav.names("many/")
    assert len(names) == 4_100 and len(set(names)) == 4_100


LARGE = 20_000


def fill(folder, count):
    folder.mkdir(exist_ok=True)
    for number in range(count):
        (folder / f"{number:06}-of-a-folder-with-very-many-files.txt").touch()


@pytest.mark.parametrize("count", [LARGE, 100_000])
def test_a_large_folder_is_listed_in_little_memory(own_server, account_on, count):
    """Only a part of it is held at a time, however many files there are, and whatever is done with the answer."""
    server = own_server()
    account = account_on(server)
    dav = dav_of(account)
    account.client.make_folder("", "many").ok()
    fill(account.root / "many", 2_000)
    assert len(dav.propfind("many", "1").items()) == 2_001
    fill(account.root / "many", count)
    pathlib.Path(f"/proc/{server.process.pid}/clear_refs").write_text("5")  # The peak begins anew.
    before = memory(server, "VmRSS")
    answer = dav.propfind("many", "1").is_(207)
    assert answer.body.count(b"<D:response>") == count + 1 and answer.body.rstrip().endswith(b"</D:multistatus>")
    assert memory(server, "VmHWM") - before < (8 << 20 if count > LARGE else 3 << 20)


def test_deep_locks_of_many_are_not_held_for_each_item_of_a_page(own_server, account_on):
    server = own_server()
    account = account_on(server)
    dav = dav_of(account)
    path, owner = [], b"<D:owner>" + b"x" * 900 + b"</D:owner>"
    for level in range(6):
        path.append(f"f{level}")
        account.client.make_folder("/".join(path[:-1]), path[-1]).ok()
    for level in range(6):
        for _ in range(30):
            dav.locked("/".join(path[:level + 1]), "infinity", body=SHARED.replace(b"</D:lockinfo>", owner + b"</D:lockinfo>"))
    fill(account.root.joinpath(*path), 400)
    assert len(dav.propfind("/".join(path), "0").items()) == 1
    pathlib.Path(f"/proc/{server.process.pid}/clear_refs").write_text("5")
    before = memory(server, "VmRSS")
    answer = dav.propfind("/".join(path), "1", "lockdiscovery").is_(207)
    assert answer.body.count(b"<D:activelock>") == 401 * 180
    assert memory(server, "VmHWM") - before < 40 << 20


@pytest.mark.parametrize("call", ["DELETE", "MOVE", "COPY", "PROPPATCH", "LOCK", "MKCOL"])
def test_conditions_hold_for_every_change(account, dav, call):
    tag = dav.put("a.txt", b"one").is_(201).headers["ETag"]
    target = {"Destination": "/dav/b.txt"} if call in ("MOVE", "COPY") else {}
    body = {"PROPPATCH": PROPERTY, "LOCK": EXCLUSIVE}.get(call)
    dav.call(call, "a.txt", body, {"If-Match": '"other"', **target}).is_(412)
    dav.call(call, "a.txt", body, {"If-None-Match": tag, **target}).is_(412)
    assert account.client.names() == ["a.txt"]
    if call != "MKCOL":
        dav.call(call, "a.txt", body, {"If-Match": tag, **target}).is_((200, 201, 204, 207))


@pytest.mark.parametrize("method", ["COPY", "MOVE"])
def test_a_copy_or_a_hard_link_of_the_source_is_replaced_by_it(account, dav, method):
    dav.put("a.txt", b"one").is_(201)
    os.link(account.root / "a.txt", account.root / "b.txt")
    dav.move(method, "a.txt", "b.txt").is_(204)
    assert account.client.content("b.txt") == b"one" and ("a.txt" in account.client.names()) == (method == "COPY")


def test_a_folder_alone_is_copied_where_its_folder_is(dav):
    dav.call("MKCOL", "a").is_(201)
    dav.move("COPY", "a", "none/x/y", {"Depth": "0"}).is_(409)
    assert dav.names() == ["/dav/a/"]


def test_a_name_of_xml_is_no_element(dav):
    """Written without its prefix, as others are, it would make answers unreadable."""
    dav.put("a.txt", b"x").is_(201)
    dav.lock("a.txt", body=EXCLUSIVE.replace(b"</D:lockinfo>", b"<D:owner><xml:a/></D:owner></D:lockinfo>")).is_(400)
    assert len(dav.propfind("", "1").items()) == 2


def test_who_is_locked_out_is_told_of_which_item(account, dav):
    dav.put("a%20b.txt", b"x").is_(201)
    dav.locked("a%20b.txt")
    for answer in (dav.call("DELETE", "a%20b.txt"), dav.move("MOVE", "a%20b.txt", "c.txt")):
        answer.is_(423)
        assert b"<D:lock-token-submitted><D:href>/dav/a%20b.txt</D:href></D:lock-token-submitted>" in answer.body


def test_etags_are_those_of_the_other_interfaces(account, dav, person):
    tag = dav.put("a.txt", b"one").is_(201).headers["ETag"]
    assert person.content("a.txt").headers["ETag"] == tag == dav.call("GET", "a.txt").headers["ETag"]
    assert dav.propfind("a.txt", "0").items()["/dav/a.txt"][DAV + "getetag"].text == tag
    dav.put("a.txt", b"two", **{"If-Match": '"other"'}).is_(412)
    dav.put("a.txt", b"two", **{"If-None-Match": "*"}).is_(412)
    dav.put("a.txt", b"two", If=f"([{tag}x])").is_(400)
    dav.put("a.txt", b"two", If='(["other"])').is_(412)
    assert dav.put("a.txt", b"two", If=f"([{tag}])").is_(204).headers["ETag"] != tag
    assert account.client.content("a.txt") == b"two"


def test_minimal_answers_leave_out_what_is_not_there(dav):
    dav.put("a.txt", b"a").is_(201)
    answer = dav.propfind("a.txt", "0", "getetag", "none", Prefer="return=minimal")
    assert b"404" not in answer.body and answer.headers["Preference-Applied"] == "return=minimal"
    assert b"404 Not Found" in dav.propfind("a.txt", "0", "getetag", "none").body


def test_quota_is_told_when_asked_for(make_account):
    account = make_account("1000")
    dav = dav_of(account)
    dav.put("a.txt", b"x" * 300).is_(201)
    room = dav.propfind("", "0", "quota-available-bytes", "quota-used-bytes").items()["/dav/"]
    assert room[DAV + "quota-used-bytes"].text == "300" and room[DAV + "quota-available-bytes"].text == "700"
    assert DAV + "quota-used-bytes" not in dav.propfind("", "0").items()["/dav/"]
    dav.put("b.txt", b"x" * 701).is_(507)
    assert dav.names() == ["/dav/a.txt"]


def test_a_mount_has_its_name(account, dav, tmp_path):
    shared = tmp_path / "shared"
    shared.mkdir()
    (shared / "a.txt").write_bytes(b"shared")
    name = account.server.new_name("Team & ")
    prefix = "__adm_" + account.server.cli_json("share", "add", "--name", name, "--target", shared, "--account", account.name)["id"]
    href = f"/dav/{urllib.parse.quote(name)}/"
    assert dav.names() == [href]
    assert dav.names(href[5:]) == [href + "a.txt"] == dav.names(prefix)
    assert dav.call("GET", href[5:] + "a.txt").is_(200).body == b"shared"
    dav.move("COPY", href[5:] + "a.txt", "own.txt").is_(201)
    dav.move("MOVE", "own.txt", href[5:] + "b.txt").is_(201)
    assert (shared / "b.txt").read_bytes() == b"shared"
    dav.call("DELETE", href[5:]).is_(403)
    dav.call("MKCOL", urllib.parse.quote(name)).is_(405)
    account.client.make_folder("", name).ok()
    assert dav.names() == sorted([href, f"/dav/{prefix}/"]) and dav.names(href[5:]) == []


def test_a_name_is_found_in_either_form(account, dav):
    composed, decomposed = "caf\u00e9", "cafe\u0301"
    dav.call("MKCOL", urllib.parse.quote(decomposed)).is_(201)
    assert dav.names() == [f"/dav/{urllib.parse.quote(decomposed)}/"]  # As it was sent.
    dav.put(urllib.parse.quote(f"{composed}/{composed}.txt"), b"a").is_(201)
    assert dav.call("GET", urllib.parse.quote(f"{decomposed}/{decomposed}.txt")).is_(200).body == b"a"
    dav.put(urllib.parse.quote(f"{decomposed}/{decomposed}.txt"), b"b").is_(204)
    dav.call("MKCOL", urllib.parse.quote(composed)).is_(405)
    assert account.client.names() == [decomposed] and account.client.names(decomposed) == [f"{composed}.txt"]


# Changes


@pytest.mark.parametrize("character", ["\ufffe", "\uffff"])
def test_a_name_that_xml_cannot_have_is_shown(dav, character):
    name = urllib.parse.quote(f"a{character}b")
    dav.put(name, b"content").is_(201)
    found = dav.propfind("", "1").items()
    assert found[f"/dav/{name}"][DAV + "displayname"].text == "a\ufffdb"
    assert dav.call("GET", name).is_(200).body == b"content"


def test_a_deleted_item_goes_into_the_bin(account, dav, person):
    dav.put("a.txt", b"a").is_(201)
    dav.call("MKCOL", "folder").is_(201)
    dav.call("DELETE", "a.txt").is_(204)
    dav.call("DELETE", "folder", None, {"Depth": "0"}).is_(400)
    dav.call("DELETE", "folder").is_(204)
    dav.call("DELETE", "folder").is_(404)
    assert {item["path"] for item in person.ok("GET", "bin")["entries"]} == {"a.txt", "folder"}


def test_folders_are_made_in_folders_that_are_there(dav):
    dav.call("MKCOL", "a/b").is_(409)
    dav.call("MKCOL", "a/").is_(201)
    dav.call("MKCOL", "a").is_(405)
    dav.call("MKCOL", "a/b", b"<x/>").is_(415)
    dav.put("a/b/c.txt", b"").is_(409)
    dav.put("a", b"").is_(405)
    dav.put("a/", b"").is_(405)


@pytest.mark.parametrize("method", ["COPY", "MOVE"])
def test_what_is_overwritten_goes_into_the_bin(account, dav, person, method):
    dav.put("new.txt", b"new").is_(201)
    dav.put("old.txt", b"old").is_(201)
    dav.move(method, "new.txt", "old.txt", {"Overwrite": "F"}).is_(412)
    assert account.client.content("old.txt") == b"old"
    dav.move(method, "new.txt", "old.txt").is_(204)
    assert account.client.content("old.txt") == b"new"
    assert dav.names() == (["/dav/new.txt", "/dav/old.txt"] if method == "COPY" else ["/dav/old.txt"])
    item, = person.ok("GET", "bin")["entries"]
    assert item["path"] == "old.txt"


def test_a_name_that_many_elements_have_is_not_multiplied(account, dav):
    dav.put("a.txt", b"a").is_(201)
    names = "".join(f"<x:n{number}/>" for number in range(600))
    for root, wrapped in (("propfind", f"<D:prop>{names}</D:prop>"), ("propertyupdate", f"<D:set><D:prop>{names}</D:prop></D:set>")):
        body = f'<D:{root} xmlns:D="DAV:" xmlns:x="urn:{"n" * 59_000}">{wrapped}</D:{root}>'
        method = "PROPFIND" if root == "propfind" else "PROPPATCH"
        dav.call(method, "a.txt", body, {"Depth": "0"}).is_(400)


@pytest.mark.parametrize("other", ["back", "again", "rename", "delete"])
def test_a_move_beside_another_change_loses_nothing(account, dav, other):
    """Both go on, or one is refused; what a move would have replaced is in the bin only if something has taken its place."""
    calls = {
        "back": lambda: dav.move("MOVE", "b", "a"),
        "again": lambda: dav.move("MOVE", "a", "b"),
        "rename": lambda: account.client.rename("a", "c"),
        "delete": lambda: account.client.delete("a"),
    }
    for _ in range(15):
        dav.put("a", b"source").is_((201, 204))
        dav.put("b", b"target").is_((201, 204))
        moving, changing = Call(lambda: dav.move("MOVE", "a", "b")), Call(calls[other])
        moved = moving.result().status
        changing.result()
        there = {path.name: path.read_bytes() for path in account.root.iterdir() if path.is_file()}
        assert there, (moved, other)
        if moved not in (201, 204) and other != "back":
            assert there.get("b") == b"target" or other == "again", (moved, there)
        for name in there:
            account.client.delete(name).ok()


def test_a_move_that_fails_by_a_link_leaves_what_it_would_replace(account, dav):
    account.client.make_folder("", "d").ok()
    dav.put("d/x", b"kept").is_(201)
    (account.root / "link").symlink_to("d")
    assert dav.move("MOVE", "d", "link/x").status >= 400
    assert account.client.content("d/x") == b"kept"


@pytest.mark.parametrize("method", ["COPY", "MOVE"])
def test_nothing_goes_into_itself(account, dav, method):
    account.client.make_folder("a", "b").ok()
    for path, to in (("a", "a"), ("a", "a/c"), ("a/b", "a"), ("a", "")):
        dav.move(method, path, to).is_(403)
    dav.move(method, "none", "c").is_(404)
    dav.move(method, "a/b", "none/c").is_(409)
    assert account.client.names("a") == ["b"]


def test_a_destination_may_name_the_address_of_the_server(own_server, account_on):
    """Behind a proxy that passes on a host of its own."""
    account = account_on(own_server(public_url="https://files.example.org"))
    dav = Dav(account.server, account.name, account.key)
    dav.put("a.txt", b"a").is_(201)
    dav.call("MOVE", "a.txt", None, {"Destination": "https://files.example.org/dav/b.txt"}).is_(201)
    dav.call("MOVE", "b.txt", None, {"Destination": "https://elsewhere.example.org/dav/c.txt"}).is_(502)
    assert dav.names() == ["/dav/b.txt"]


def test_a_destination_may_be_a_whole_address(account, dav):
    dav.put("a.txt", b"a").is_(201)
    host = f"127.0.0.1:{account.server.port}"
    for number, address in enumerate((f"http://{host}/dav/", f"https://{host}/dav/", "/dav/")):
        dav.call("COPY", "a.txt", None, {"Destination": f"{address}copy{number}.txt"}).is_(201)
    for address in ("http://elsewhere.example/dav/b.txt", "/other/b.txt", f"http://{host}/b.txt"):
        dav.call("COPY", "a.txt", None, {"Destination": address}).is_(502)
    dav.call("COPY", "a.txt", None, {"Destination": "b.txt"}).is_(400)
    dav.call("COPY", "a.txt").is_(400)
    assert len(dav.names()) == 4


def test_a_part_of_a_file_is_not_taken_for_the_whole(dav):
    dav.put("a.txt", b"0123456789").is_(201)
    dav.put("a.txt", b"xx", **{"Content-Range": "bytes 0-1/10"}).is_(400)
    assert dav.call("GET", "a.txt").body == b"0123456789"
    assert dav.call("GET", "a.txt", None, {"Range": "bytes=2-3"}).is_(206).body == b"23"


def test_an_upload_that_breaks_off_changes_nothing(account, dav):
    dav.put("a.txt", b"old").is_(201)
    head = (f"PUT /dav/a.txt HTTP/1.1\r\nHost: a\r\nAuthorization: {basic(account.name, account.key)}\r\n"
            "Content-Length: 100000\r\n\r\n").encode()
    with socket.create_connection(("127.0.0.1", account.server.port)) as line:
        line.sendall(head + b"x" * 50_000)
    assert dav.call("GET", "a.txt").body == b"old" and dav.names() == ["/dav/a.txt"]


def test_a_server_that_is_killed_keeps_the_old_content(own_server, account_on):
    server = own_server()
    account = account_on(server)
    dav = dav_of(account)
    dav.put("a.txt", b"old").is_(201)
    head = (f"PUT /dav/a.txt HTTP/1.1\r\nHost: a\r\nAuthorization: {basic(account.name, account.key)}\r\n"
            "Content-Length: 100000000\r\n\r\n").encode()
    with socket.create_connection(("127.0.0.1", server.port)) as line:
        line.sendall(head + b"x" * 10_000_000)
        server.kill()
    server.start()
    assert dav.call("GET", "a.txt").body == b"old" and dav.names() == ["/dav/a.txt"]


# Properties


def proppatch(dav, path, change):
    body = f'<D:propertyupdate xmlns:D="DAV:" xmlns:W="{TIMES}" xmlns:X="urn:x">{change}</D:propertyupdate>'
    return dav.call("PROPPATCH", path, body)


def test_times_are_set_and_told(account, dav):
    moment = 1_600_000_000
    date = email.utils.formatdate(moment, usegmt=True)
    dav.put("a.txt", b"a", **{"X-OC-Mtime": str(moment)}).is_(201)
    assert account.root.joinpath("a.txt").stat().st_mtime == moment
    assert dav.propfind("a.txt", "0").items()["/dav/a.txt"][DAV + "getlastmodified"].text == date
    for name, later in (("D:getlastmodified", moment + 60), ("W:Win32LastModifiedTime", moment + 120)):
        date = email.utils.formatdate(later, usegmt=True)
        change = f"<D:set><D:prop><{name}>{date}</{name}></D:prop></D:set>"
        assert list(proppatch(dav, "a.txt", change).is_(207).statuses().values()) == [200]
        assert account.root.joinpath("a.txt").stat().st_mtime == later
    dav.put("a.txt", b"a", **{"X-OC-Mtime": "now"}).is_(400)
    assert "X-OC-MTime" not in dav.put("a.txt", b"a", **{"X-OC-Mtime": "0"}).is_(204).headers


def test_properties_of_clients_are_kept(account, dav):
    dav.put("a.txt", b"a").is_(201)
    change = "<D:set><D:prop><X:author>Ada &amp; <X:b>Bob</X:b></X:author><W:Win32FileAttributes>00000020</W:Win32FileAttributes></D:prop></D:set>"
    assert set(proppatch(dav, "a.txt", change).is_(207).statuses().values()) == {200}
    dav.put("a.txt", b"other").is_(204)
    dav.move("MOVE", "a.txt", "b.txt").is_(201)
    dav.move("COPY", "b.txt", "c.txt").is_(201)
    account.client.rename("c.txt", "d.txt").ok()
    for name in ("b.txt", "d.txt"):
        found = dav.propfind(name, "0").items()["/dav/" + name]
        assert found["{urn:x}author"].text == "Ada & " and found["{urn:x}author"][0].text == "Bob"
        assert found[f"{{{TIMES}}}Win32FileAttributes"].text == "00000020"
    proppatch(dav, "b.txt", "<D:remove><D:prop><X:author/></D:prop></D:remove>").is_(207)
    assert "{urn:x}author" not in dav.propfind("b.txt", "0").items()["/dav/b.txt"]


def test_all_properties_are_changed_or_none(dav):
    dav.put("a.txt", b"a").is_(201)
    change = "<D:set><D:prop><X:one>1</X:one><D:getetag>mine</D:getetag></D:prop></D:set>"
    assert proppatch(dav, "a.txt", change).is_(207).statuses() == {"{urn:x}one": 424, DAV + "getetag": 403}
    large = f"<D:set><D:prop><X:one>{'x' * 4_000}</X:one></D:prop></D:set>"
    assert proppatch(dav, "a.txt", large).is_(207).statuses() == {"{urn:x}one": 507}
    assert "{urn:x}one" not in dav.propfind("a.txt", "0").items()["/dav/a.txt"]


OWNCLOUD = "http://owncloud.org/ns"


def checksum_of(dav, path):
    body = f'<D:propfind xmlns:D="DAV:" xmlns:o="{OWNCLOUD}"><D:prop><o:checksums/></D:prop></D:propfind>'
    found = dav.call("PROPFIND", path, body, {"Depth": "0"}).items()["/dav/" + path].get(f"{{{OWNCLOUD}}}checksums")
    return None if found is None else found.findtext(f"{{{OWNCLOUD}}}checksum")


def test_checksums_are_looked_at_and_known_as_long_as_they_are_right(account, dav):
    sha1, sha256 = (f"{name}:{hashlib.new(name, b'content').hexdigest()}" for name in ("sha1", "sha256"))
    dav.put("a.txt", b"old").is_(201)
    assert checksum_of(dav, "a.txt") is None
    for wrong in (sha1[:-1] + ("0" if sha1[-1] != "0" else "1"), "SHA1:12", sha256[:-2] + "zz"):
        dav.put("a.txt", b"content", **{"OC-Checksum": wrong}).is_(400)
    assert account.client.content("a.txt") == b"old"
    dav.put("a.txt", b"content", **{"OC-Checksum": "ADLER32:00000000"}).is_(204)
    assert checksum_of(dav, "a.txt") is None
    proppatch(dav, "a.txt", "<D:set><D:prop><X:author>Ada</X:author></D:prop></D:set>").is_(207)
    for sent in (sha256, sha1):
        dav.put("a.txt", b"content", **{"OC-Checksum": sent}).is_(204)
        assert checksum_of(dav, "a.txt").lower() == sent
    assert dav.propfind("a.txt", "0").items()["/dav/a.txt"]["{urn:x}author"].text == "Ada"
    assert b"owncloud" not in dav.propfind("a.txt", "0").body
    dav.move("MOVE", "a.txt", "b.txt").is_(201)
    assert checksum_of(dav, "b.txt").lower() == sha1
    set_by_client = f'<D:set><D:prop><o:checksums xmlns:o="{OWNCLOUD}">SHA1:00</o:checksums></D:prop></D:set>'
    assert set(proppatch(dav, "b.txt", set_by_client).is_(207).statuses().values()) == {403}
    account.client.put("b.txt", b"another")
    assert checksum_of(dav, "b.txt") is None


# Hostile bodies

LAUGHS = ('<!DOCTYPE a [<!ENTITY a0 "ha">' + "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 10)) +
          "]><D:propfind xmlns:D='DAV:'><D:prop>&a9;</D:prop></D:propfind>")
BODIES = {
    "laughs": LAUGHS, "external": '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>',
    "deep": "<a>" * 10_000 + "</a>" * 10_000, "wide": "<a>" + "<b/>" * 10_000 + "</a>", "text": "hello", "cut": "<a><b>",
    "prefix": "<x:a/>", "other": "<a/>",
}


@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("method", ["PROPFIND", "PROPPATCH", "LOCK"])
def test_a_body_that_is_no_request_is_refused(dav, method, body):
    dav.put("a.txt", b"a").is_(201)
    dav.call(method, "a.txt", BODIES[body], {"Depth": "0"}).is_(400)


def test_a_body_without_end_is_not_read_to_it(account, dav):
    dav.put("a.txt", b"a").is_(201)
    with RawConnection(account.server) as line:
        line.send((f"PROPFIND /dav/a.txt HTTP/1.1\r\nHost: a\r\nDepth: 0\r\nAuthorization: {basic(account.name, account.key)}\r\n"
                   f"Content-Length: {1 << 30}\r\n\r\n").encode() + b"<a>" + b"x" * 100_000)
        assert line.read_answer().status == 400
