"""Share links and the guests who come by them, in every kind of place: what they open, what they follow, and their ends."""

import concurrent.futures
import datetime
import io
import random
import zipfile

import pytest

from client import KEYS, form
from costs import processor_s
from driving import kinds
from guests import Guest, guest_of, listed, share
from mounting import plant
from people import PASSWORD, Person
from people_places import new_folder
from server import eventually
from tus import BYTES, VERSION, encoded, end_soon

SECRET = "open sesame to guests"


def run_task(person, kind, sources, destination, **more):
    """The task, when it has ended."""
    task = person.ok("POST", "tasks", {"kind": kind, "sources": sources, "destination": destination, **more}, 202)
    return eventually(lambda: (told := person.ok("GET", "tasks/" + task["id"]))["state"] in ("done", "failed") and told, "the task")


def ended(person, guest):
    """Nothing is opened any more, and the list knows nothing of it."""
    return guest.get().status_code == 404 and guest.base.removeprefix("guest/") not in [
        link["token"] for link in person.ok("GET", "links")]


# What guests reach

def test_a_folder_is_read_by_a_link(person, tree):
    path, _ = tree
    made = share(person, f"{path}/shared")
    assert made["path"] == f"{path}/shared" and made["isDirectory"] and made["mode"] == "read" and not made["hasPassword"]
    assert listed(person, made)["token"] == made["token"]
    guest = guest_of(person, made)
    shown = guest.get().json()
    assert shown["name"] == "shared" and shown["isDirectory"] and not shown["needsPassword"] and shown["downloadsLeft"] is None
    assert guest.names() == ["sub", "a.txt"] and guest.names("sub") == ["b.txt"]
    assert guest.at("a.txt").content == b"first" and guest.at("sub/b.txt").content == b"second"
    part = guest.at("a.txt", {"Range": "bytes=1-2"})
    assert part.status_code == 206 and part.content == b"ir"
    assert guest.at("a.txt", {"If-None-Match": part.headers["ETag"]}).status_code == 304
    assert "sandbox" in part.headers["Content-Security-Policy"]
    archive = zipfile.ZipFile(io.BytesIO(guest.get("archive", path="").content))
    assert {archive.read(name) for name in archive.namelist() if not name.endswith("/")} == {b"first", b"second"}
    assert {name.split("/")[0] for name in archive.namelist()} == {"shared"}
    assert 'filename="shared.zip"' in guest.get("archive", path="").headers["Content-Disposition"]


def test_names_stand_in_the_order_of_the_guests_language(person, own):
    name, folder = own
    for item in ("apa", "zon", "\u00e4pple"):
        (folder / item).write_bytes(b"")
    guest = guest_of(person, share(person, name))
    def names(**query):
        return [entry["name"] for entry in guest.get("files", path="", **query).json()["entries"]]
    assert names() == ["apa", "\u00e4pple", "zon"] and names(language="sv") == ["apa", "zon", "\u00e4pple"]
    first = guest.get("files", path="", language="sv", limit=1).json()
    assert names(language="sv", cursor=first["next"]) == ["zon", "\u00e4pple"]


def test_a_link_to_a_folder_opens_nothing_else(person, places, tree):
    path, _ = tree
    guest = guest_of(person, share(person, f"{path}/shared"))
    for outside in ("../beside.txt", "..", "sub/../../beside.txt", "/../beside.txt"):
        assert guest.at(outside).status_code in (400, 403), outside
    for outside in ("beside.txt", f"{path}/beside.txt", "shared/a.txt"):
        assert guest.at(outside).status_code in (403, 404), outside
    assert guest.at(places["shared"].path).status_code in (403, 404)
    for method, what in (("PUT", "content"), ("DELETE", "files"), ("PATCH", "files"), ("POST", "files")):
        assert guest.call(method, f"{guest.base}/{what}?path=a.txt", documented=False).status_code == 405
    made, _ = guest.upload(b"x", filename="new.txt")
    assert made.status_code == 403 and guest.names() == ["sub", "a.txt"]


def test_one_file_is_read_by_a_link(person, tree):
    path, _ = tree
    made = share(person, f"{path}/shared/a.txt")
    assert not made["isDirectory"]
    guest = guest_of(person, made)
    shown = guest.get().json()
    assert (shown["name"], shown["size"], shown["isDirectory"]) == ("a.txt", 5, False)
    answer = guest.at()
    assert answer.content == b"first" and "a.txt" in answer.headers["Content-Disposition"]
    for other in ("a.txt", "sub/b.txt", "beside.txt"):
        assert guest.at(other).status_code == 404
    assert guest.get("files").status_code == 400 and guest.get("archive", path="").status_code == 400
    made, _ = guest.upload(b"x", filename="new.txt")
    assert made.status_code == 403


def test_a_file_of_the_root_is_read_by_a_link(person, places):
    name = places.server.new_name("file")
    person.put(name, b"at the top")
    guest = guest_of(person, share(person, name))
    assert guest.at().content == b"at the top" and guest.get().json()["name"] == name
    person.v1().rename(name, name + "2").ok()
    assert guest.at().content == b"at the top" and guest.get().json()["name"] == name + "2"


def test_a_mount_is_read_by_a_link(person, places):
    for kind in ("shared", "ftp", "sftp"):
        guest = guest_of(person, share(person, places[kind].path))
        assert guest.get().json()["name"] in ("Shared", "FTP", "SFTP") and guest.get("files").status_code == 200
    assert "Share a folder" in person.fails("malformed", "POST", "links", {"path": "/"})


def test_a_token_is_no_key_and_a_key_no_token(person, tree):
    path, _ = tree
    made = share(person, f"{path}/shared")
    program = Person(person.server, key=made["token"])
    program.v1().account().fails(401)
    program.fails("unauthenticated", "GET", "files")
    assert made["id"] not in [key["id"] for key in person.ok("GET", "keys")]
    person.fails("not_found", "DELETE", f"keys/{made['id']}")
    key = person.ok("POST", "keys", {"name": "k", "access": "read", "folder": f"{path}/shared"}, status=201)
    person.server.secrets.add(key["secret"])
    assert Guest(person.server, key["secret"]).get().status_code == 404
    person.fails("not_found", "DELETE", f"links/{key['key']['id']}")
    assert guest_of(person, made).get().status_code == 200


def test_a_key_that_may_only_read_learns_no_token(person, places, tree):
    """What a link opens may be more than reading, and outlives the key."""
    path, _ = tree
    for mode in ("read", "upload"):
        share(person, f"{path}/shared", mode=mode)
    reading = places.server.cli_json("key", "create", "--name", "reads", "--account", places.account, "--read-only")["key"]
    assert {link["token"] for link in Person(places.server, key=reading).ok("GET", "links")} == {None}
    assert all(link["token"] for link in person.ok("GET", "links"))


@kinds
def test_links_into_a_drive(drive, kind):
    """Read, followed and ended there as elsewhere, and uploads too."""
    drive.plant({"shared/a.txt": b"first", "beside.txt": b"not theirs"})
    person = Person(drive.client.server, key=drive.client.key)
    folder, file = share(person, drive.at("shared")), share(person, drive.at("shared/a.txt"))
    sending = guest_of(person, share(person, drive.at("shared"), mode="upload"))
    of_folder, of_file = guest_of(person, folder), guest_of(person, file)
    assert of_folder.names() == ["a.txt"] and of_folder.at("a.txt").content == of_file.at().content == b"first"
    assert of_folder.at("beside.txt").status_code == 404 and of_folder.at("../beside.txt").status_code in (400, 403)
    assert sending.upload(b"theirs", filename="a.txt")[1].status_code == 204
    assert of_folder.names() == ["a (2).txt", "a.txt"] and of_folder.at("a (2).txt").content == b"theirs"
    person.v1().rename(drive.at("shared"), "renamed").ok()
    assert of_folder.names() == ["a (2).txt", "a.txt"] and of_file.at().content == b"first"
    person.v1().delete(drive.at("renamed/a.txt")).ok()
    assert ended(person, of_file) and of_folder.names() == ["a (2).txt"]
    person.v1().delete(drive.at("renamed")).ok()
    assert ended(person, of_folder) and ended(person, sending)


# What a link follows, and what ends it

def test_a_link_follows_its_folder(person, tree):
    path, _ = tree
    made = share(person, f"{path}/shared")
    guest, v1 = guest_of(person, made), person.v1()
    v1.rename(f"{path}/shared", "renamed").ok()
    assert guest.names() == ["sub", "a.txt"] and listed(person, made)["path"] == f"{path}/renamed"
    v1.make_folder(path, "deep").ok()
    v1.move(f"{path}/renamed", f"{path}/deep").ok()
    assert guest.at("a.txt").content == b"first" and listed(person, made)["path"] == f"{path}/deep/renamed"
    v1.rename(f"{path}/deep", "deeper").ok()
    assert guest.at("a.txt").content == b"first" and guest.get().json()["name"] == "renamed"


@pytest.mark.parametrize("what", ["shared", "shared/large.bin"])
def test_a_download_goes_on_while_its_folder_is_renamed(person, tree, what):
    path, _ = tree
    content = random.Random(1).randbytes(1 << 20) * 48
    person.put(f"{path}/shared/large.bin", content)
    guest = guest_of(person, share(person, f"{path}/{what}"))
    address = f"{person.server.url}/api/v2/{guest.base}/content?path=" + ("large.bin" if what == "shared" else "")
    with guest.http.get(address, stream=True) as answer:
        first = answer.raw.read(1000)
        person.v1().rename(f"{path}/shared", "renamed").ok()
        assert first + answer.raw.read() == content


def test_a_link_follows_its_file(person, tree):
    path, _ = tree
    made = share(person, f"{path}/shared/a.txt")
    guest, v1 = guest_of(person, made), person.v1()
    v1.rename(f"{path}/shared/a.txt", "c.txt").ok()
    assert guest.at().content == b"first" and listed(person, made)["path"] == f"{path}/shared/c.txt"
    v1.move(f"{path}/shared/c.txt", f"{path}/shared/sub").ok()
    assert guest.at().content == b"first" and guest.get().json()["name"] == "c.txt"
    v1.rename(f"{path}/shared", "renamed").ok()
    assert guest.at().content == b"first" and listed(person, made)["path"] == f"{path}/renamed/sub/c.txt"
    person.put(f"{path}/renamed/sub/c.txt", b"new content")
    assert guest.at().content == b"new content"


@pytest.mark.parametrize("what", ["shared", "shared/a.txt"])
def test_a_link_follows_its_item_to_another_kind_of_place(person, places, place, tree, what):
    path, _ = tree
    other, _ = new_folder(places, places["own" if place[0] is places["shared"] else "shared"])
    made = share(person, f"{path}/{what}")
    guest, name = guest_of(person, made), what.rsplit("/", 1)[-1]
    person.v1().move(f"{path}/{what}", other).ok()
    assert listed(person, made)["path"] == f"{other}/{name}"
    assert guest.at("a.txt" if what == "shared" else "").content == b"first"


@pytest.mark.parametrize("where", ["same place", "other place"])
def test_a_link_follows_a_file_that_replaces_another(person, places, place, tree, where):
    path, _ = tree
    other, folder = path, tree[1]
    if where == "other place":
        other, folder = new_folder(places, places["own" if place[0] is places["shared"] else "shared"])
    plant(folder, {"target/a.txt": b"old content"})
    moved, there = share(person, f"{path}/shared/a.txt"), share(person, f"{other}/target/a.txt")
    assert run_task(person, "move", [f"{path}/shared/a.txt"], f"{other}/target", onConflict="replace")["skippedCount"] == 0
    assert guest_of(person, moved).at().content == guest_of(person, there).at().content == b"first"
    assert listed(person, moved)["path"] == listed(person, there)["path"] == f"{other}/target/a.txt"


def test_links_of_a_folder_that_is_merged_end(person, tree):
    """The other folder has more than was shared; links of files in it follow."""
    path, folder = tree
    plant(folder, {"target/shared/other.txt": b"not shared"})
    merged, inside = share(person, f"{path}/shared"), share(person, f"{path}/shared/a.txt")
    assert run_task(person, "move", [f"{path}/shared"], f"{path}/target", onConflict="replace")["skippedCount"] == 0
    assert ended(person, guest_of(person, merged))
    assert listed(person, inside)["path"] == f"{path}/target/shared/a.txt"
    assert guest_of(person, inside).at().content == b"first"


@pytest.mark.parametrize("what", ["shared", "shared/a.txt", "shared/sub"])
@pytest.mark.parametrize("by", ["v1", "task", "parent"])
def test_a_link_dies_with_its_item(person, tree, what, by):
    path, _ = tree
    made = share(person, f"{path}/{what}")
    guest = guest_of(person, made)
    assert guest.get().status_code == 200
    gone = path if by == "parent" else f"{path}/{what}"
    if by == "task":
        person.ok("POST", "tasks", {"kind": "delete", "sources": [gone], "permanent": True}, status=202)
        eventually(lambda: ended(person, guest), "the link to end")
    else:
        person.v1().delete(gone).ok()
    assert ended(person, guest)
    if by == "v1" and what == "shared/a.txt":
        person.put(f"{path}/{what}", b"another of that name")
        assert guest.at().status_code == 404


def test_a_link_that_was_ended_opens_nothing(person, tree):
    path, _ = tree
    made = share(person, f"{path}/shared")
    guest = guest_of(person, made)
    assert guest.get().status_code == 200
    person.ok("DELETE", f"links/{made['id']}", status=204)
    assert ended(person, guest)
    person.fails("not_found", "DELETE", f"links/{made['id']}")
    for token in ("nonsense", "0" * 32, "%2e%2e"):
        assert Guest(person.server, token).get().status_code == 404


def utc(seconds):
    when = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=seconds)
    return when.strftime("%Y-%m-%dT%H:%M:%S.%f")


def test_a_link_ends_by_itself(places, person, own):
    path, folder = own
    (folder / "a.txt").write_bytes(b"x")
    person.fails("malformed", "POST", "links", {"path": path, "expiresAt": utc(-1)})
    made = share(person, path, expiresAt=utc(600))
    guest = guest_of(person, made)
    assert guest.at("a.txt").content == b"x" and guest.get().json()["expiresAt"] == made["expiresAt"]
    end_soon(places.server, places.account, made["id"])
    eventually(lambda: guest.get().status_code == 404, "the link to end")
    assert guest.at("a.txt").status_code == 404 and listed(person, made)["expiresAt"]


# Passwords

def test_a_password_is_asked_for(person, own):
    path, folder = own
    (folder / "a.txt").write_bytes(b"x")
    made = share(person, path, password=SECRET)
    assert made["hasPassword"] and SECRET not in str(made)
    guest = guest_of(person, made)
    shown = guest.get().json()
    assert shown["needsPassword"] and {shown[name] for name in ("name", "isDirectory", "size", "expiresAt")} == {None}
    for answer in (guest.at("a.txt"), guest.get("files"), guest.get("archive", path="")):
        assert answer.status_code == 401 and "password" in answer.json()["detail"]
    guest.fails("unauthenticated", "POST", f"{guest.base}/session", {"password": "wrong, this one"})
    assert guest.at("a.txt").status_code == 401
    answer = guest.call("POST", f"{guest.base}/session", {"password": SECRET})
    assert answer.status_code == 204
    cookie = answer.headers["Set-Cookie"]
    assert "HttpOnly" in cookie and "SameSite=Strict" in cookie and f"Path=/api/v2/{guest.base};" in cookie
    person.server.secrets.add(guest.cookie)
    assert guest.at("a.txt").content == b"x" and guest.names() == ["a.txt"] and not guest.get().json()["needsPassword"]
    other = guest_of(person, share(person, path, password=SECRET))
    other.http.headers["Cookie"] = f"coffer_guest={guest.cookie}"
    assert other.at("a.txt").status_code == 401
    for body in ({}, {"password": 1}, {"password": SECRET, "more": 1}):
        other.fails("malformed", "POST", f"{other.base}/session", body)
    for short in ("", "short", "x" * 1025):
        person.fails("malformed", "POST", "links", {"path": path, "password": short})


def test_guessing_a_password_is_slowed(person, own):
    guest, statuses = guest_of(person, share(person, own[0], password=SECRET)), []

    def has_to_wait():
        answer = guest.call("POST", f"{guest.base}/session", {"password": "wrong, this one"})
        statuses.append(answer.status_code)
        return answer.status_code == 429 and int(answer.headers["Retry-After"]) >= 1

    eventually(has_to_wait, "guessing to be slowed down")  # However slow the machine is, one of the waits is long enough.
    assert statuses[:-1] == [401] * (len(statuses) - 1) and len(statuses) > 10


def test_a_link_to_nothing_hashes_nothing(person, own):
    process = person.server.process.pid

    def costs(count, path, status):
        begin = processor_s(process)
        with concurrent.futures.ThreadPoolExecutor(32) as pool:
            answers = pool.map(lambda _: person.call("POST", "links", {"path": path, "password": PASSWORD}), range(count))
            assert {answer.status_code for answer in answers} == {status}
        return processor_s(process) - begin

    assert costs(40, own[0] + "/nothing", 404) < costs(8, own[0], 201)


def test_a_page_of_another_site_is_refused(person, own):
    guest = guest_of(person, share(person, own[0], password=SECRET))
    for method, what, status in (("POST", "session", 403), ("GET", "files", 401)):  # What is read, CORS keeps from it.
        answer = guest.call(method, f"{guest.base}/{what}", {"password": SECRET} if method == "POST" else None,
                            headers={"Origin": "https://elsewhere.example"})
        assert answer.status_code == status and "Access-Control-Allow-Origin" not in answer.headers


def test_a_page_of_another_site_uploads_nothing(person, own):
    """It needs no password, and no cookie keeps such a page out where a link has none."""
    path, folder = own
    guest = guest_of(person, share(person, path, mode="upload"))
    other = {**VERSION, "Origin": "https://elsewhere.example"}
    creation = {"Upload-Length": "3", "Upload-Metadata": encoded(filename="a.txt")}
    sent = {"Content-Type": BYTES, "Upload-Offset": "0"}
    refused = guest.call("POST", f"{guest.base}/uploads", raw=b"", headers={**other, **creation})
    assert refused.status_code == 403
    made = guest.call("POST", f"{guest.base}/uploads", raw=b"", headers={**VERSION, **creation})
    place = made.headers["Location"].removeprefix("/api/v2/")
    assert guest.call("PATCH", place, raw=b"abc", headers={**other, **sent}).status_code == 403
    assert guest.call("DELETE", place, headers=other).status_code == 403
    own_page = {**VERSION, "Origin": person.server.url}
    assert guest.call("HEAD", place, headers=own_page).headers["Upload-Offset"] == "0" and not (folder / "a.txt").exists()
    assert guest.call("PATCH", place, raw=b"abc", headers={**own_page, **sent}).status_code == 204
    assert (folder / "a.txt").read_bytes() == b"abc"


# Uploads by guests

def test_guests_upload_and_see_nothing(person, tree):
    path, folder = tree
    made = share(person, f"{path}/shared", mode="upload")
    guest = guest_of(person, made)
    assert guest.get().json()["mode"] == "upload"
    for answer in (guest.get("files"), guest.at("a.txt"), guest.get("archive", path="")):
        assert answer.status_code == 403 and "uploads alone" in answer.json()["detail"]
    created, sent = guest.upload(b"from a guest", filename="new.txt")
    assert created.headers["Location"].startswith(f"/api/v2/{guest.base}/uploads/") and sent.status_code == 204
    assert (folder / "shared/new.txt").read_bytes() == b"from a guest"
    assert guest.upload(b"", filename="nothing.txt")[0].status_code == 201
    for choice in ({}, {"onConflict": "replace"}, {"onConflict": "fail"}):
        assert guest.upload(b"again", filename="a.txt", **choice)[1].status_code == 204
    assert (folder / "shared/a.txt").read_bytes() == b"first" and (folder / "shared/a (2).txt").read_bytes() == b"again"
    assert {item.name for item in (folder / "shared").iterdir()} == {
        "a.txt", "a (2).txt", "a (3).txt", "a (4).txt", "new.txt", "nothing.txt", "sub"}
    for elsewhere in ("sub", "none", f"{path}"):
        assert guest.upload(b"x", filename="x.txt", folder=elsewhere)[0].status_code == 400
    for bad in ("../x.txt", "a/b.txt", "..", "__adm_1"):
        assert guest.upload(b"x", filename=bad)[0].status_code == 400, bad


def test_an_upload_under_way_ends_with_its_link_and_leaves_nothing(person, own):
    path, folder = own
    made = share(person, path, mode="upload")
    guest = guest_of(person, made)
    creation = guest.call("POST", f"{guest.base}/uploads", raw=b"", headers={
        **VERSION, "Upload-Length": "500000", "Upload-Metadata": encoded(filename="late.bin")})

    def body():
        yield bytes(300_000)
        eventually(lambda: person.ok("GET", "account")["storageReserved"] > 0, "the first bytes")
        person.ok("DELETE", f"links/{made['id']}", status=204)
        yield bytes(200_000)

    sent = guest.http.patch(person.server.url + creation.headers["Location"], data=body(), headers={
        **VERSION, "Content-Type": BYTES, "Upload-Offset": "0"})
    assert sent.status_code in (401, 404), sent.text
    assert person.ok("GET", "uploads")["entries"] == [] and person.ok("GET", "account")["storageReserved"] == 0
    assert not (folder / "late.bin").exists()


def test_guests_go_on_with_their_own_uploads_alone(person, own):
    path, _ = own
    for name in ("one", "two"):
        person.v1().make_folder(path, name).ok()
    one, two = (guest_of(person, share(person, f"{path}/{name}", mode="upload")) for name in ("one", "two"))
    made, _ = one.upload(b"", filename="a.txt")
    made = one.call("POST", f"{one.base}/uploads", raw=b"", headers={
        **VERSION, "Upload-Length": "6", "Upload-Metadata": encoded(filename="b.txt")})
    upload = made.headers["Location"].rpartition("/")[2]
    bytes_of = {**VERSION, "Content-Type": BYTES, "Upload-Offset": "0"}
    assert two.call("HEAD", f"{two.base}/uploads/{upload}", headers=VERSION).status_code == 404
    assert two.call("PATCH", f"{two.base}/uploads/{upload}", raw=b"theirs", headers=bytes_of).status_code == 404
    assert two.call("DELETE", f"{two.base}/uploads/{upload}", headers=VERSION).status_code == 404
    assert one.call("PATCH", f"{one.base}/uploads/{upload}", raw=b"abc", headers=bytes_of).status_code == 204
    assert one.call("HEAD", f"{one.base}/uploads/{upload}", headers=VERSION).headers["Upload-Offset"] == "3"
    rest = {**bytes_of, "Upload-Offset": "3"}
    assert one.call("PATCH", f"{one.base}/uploads/{upload}", raw=b"def", headers=rest).status_code == 204
    assert person.content(f"{path}/one/b.txt").content == b"abcdef"
    answer = one.call("POST", f"{one.base}/uploads", raw=b"", headers={"Upload-Length": "6", "Upload-Metadata": encoded(filename="c")})
    assert answer.status_code == 412 and answer.headers["Tus-Resumable"] == "1.0.0"


def test_uploads_need_a_folder_that_can_be_written(person, places, own, tmp_path):
    path, folder = own
    (folder / "a.txt").write_bytes(b"x")
    person.fails("malformed", "POST", "links", {"path": f"{path}/a.txt", "mode": "upload"})
    person.fails("not_found", "POST", "links", {"path": f"{path}/none", "mode": "upload"})
    person.fails("not_found", "POST", "links", {"path": f"{path}/none"})
    person.fails("malformed", "POST", "links", {"path": path, "mode": "write"})
    made = places.server.cli_json("share", "add", "--name", places.server.new_name("reads"), "--target", str(tmp_path),
                                  "--account", places.account, "--read-only")
    person.fails("forbidden", "POST", "links", {"path": f"__adm_{made['id']}", "mode": "upload"})


# Never more than the maker may

def test_a_withdrawn_share_is_open_to_no_guest(maker, tmp_path):
    (tmp_path / "a.txt").write_bytes(b"shared")
    server = maker.server
    made = server.cli_json("share", "add", "--name", server.new_name("share"), "--target", str(tmp_path), "--account", maker.name)
    path = f"__adm_{made['id']}"
    reading, sending = (guest_of(maker, share(maker, path, mode=mode)) for mode in ("read", "upload"))
    assert reading.at("a.txt").content == b"shared" and sending.upload(b"x", filename="b.txt")[1].status_code == 204
    server.cli("share", "set", made["id"], "--read-only", "true")
    assert reading.at("a.txt").content == b"shared" and sending.upload(b"x", filename="c.txt")[0].status_code == 403
    server.cli("share", "remove", made["id"])
    assert reading.at("a.txt").status_code in (403, 404) and sending.upload(b"x", filename="c.txt")[0].status_code in (403, 404)
    assert {item.name for item in tmp_path.iterdir() if not item.name.startswith(".")} == {"a.txt", "b.txt"}


def test_what_others_do_in_a_share_is_followed_too(maker, tmp_path):
    """A share is the same for all: another account renames and deletes what this one has links to."""
    server = maker.server
    plant(tmp_path, {"docs/a.txt": b"shared", "docs/b.txt": b"beside"})
    other = server.new_name("other")
    server.add_account(other)
    key = server.create_key(other)["key"]
    made = server.cli_json("share", "add", "--name", server.new_name("share"), "--target", str(tmp_path),
                           "--account", maker.name, "--account", other)
    path = f"__adm_{made['id']}"
    folder, file = share(maker, f"{path}/docs"), share(maker, f"{path}/docs/a.txt")
    of_folder, of_file = guest_of(maker, folder), guest_of(maker, file)
    stranger = Person(server, key=key).v1()
    stranger.rename(f"{path}/docs", "papers").ok()
    assert of_folder.names() == ["a.txt", "b.txt"] and of_file.at().content == b"shared"
    stranger.rename(f"{path}/papers/a.txt", "c.txt").ok()
    assert of_file.at().content == b"shared" and listed(maker, file)["path"] == f"{path}/papers/c.txt"
    stranger.make_folder("", "mine").ok()
    stranger.move(f"{path}/papers/c.txt", "mine").ok()
    assert ended(maker, of_file) and of_folder.names() == ["b.txt"]  # What left the share is the other's alone.
    stranger.delete(f"{path}/papers").ok()
    assert ended(maker, of_folder)


def test_a_disabled_account_lets_no_guest_in(maker):
    guest = guest_of(maker, share(maker, "docs"))
    assert guest.at("a.txt").content == b"own"
    maker.server.cli("account", "disable", maker.name)
    assert guest.at("a.txt").status_code == 404
    maker.server.cli("account", "enable", maker.name)
    assert guest.at("a.txt").content == b"own"
    maker.server.cli("account", "remove", maker.name)
    assert guest.get().status_code == 404


def test_the_quota_counts_what_guests_upload(maker):
    guest = guest_of(maker, share(maker, "docs", mode="upload"))
    made, _ = guest.upload(b"x" * 1_000_000, filename="big")
    assert made.status_code == 413 and made.json()["code"] == "over_quota"
    assert guest.upload(b"x" * 500_000, filename="fits")[1].status_code == 204
    assert maker.v1().used() == 500_003 and maker.server.wrong_of(maker.name) == []


def test_links_are_their_makers_alone(maker, server):
    made = share(maker, "docs")
    other = server.new_name("other")
    server.add_account(other, password=PASSWORD)
    stranger = Person(server)
    stranger.sign_in(other)
    assert stranger.ok("GET", "links") == []
    stranger.fails("not_found", "DELETE", f"links/{made['id']}")
    reading = Person(server, key=server.cli_json(
        "key", "create", "--account", maker.name, "--name", "reads", "--read-only")["key"])
    reading.fails("forbidden", "POST", "links", {"path": "docs"})
    reading.fails("forbidden", "DELETE", f"links/{made['id']}")
    assert guest_of(maker, made).at("a.txt").content == b"own"


def test_an_account_has_so_many_links(maker):
    for _ in range(1000):
        last = maker.ok("POST", "links", {"path": "docs/a.txt"}, status=201)
    answer = maker.call("POST", "links", {"path": "docs/a.txt"})
    assert answer.status_code == 429 and "1000 links" in answer.json()["detail"] and answer.headers["Retry-After"]
    maker.ok("DELETE", f"links/{last['id']}", status=204)
    share(maker, "docs")


def test_links_are_in_the_audit_log(maker):
    made = share(maker, "docs", password=SECRET, maxDownloads=2)
    maker.ok("DELETE", f"links/{made['id']}", status=204)
    admin = maker.server.new_name("admin")
    maker.server.add_account(admin, role="admin", password=PASSWORD)
    watcher = Person(maker.server)
    watcher.sign_in(admin)
    events = watcher.ok("GET", f"admin/audit?account={maker.name}&limit=2")["entries"]
    assert [event["event"] for event in events] == ["link.ended", "link.created"]
    for event in events:
        assert event["actor"] == event["subject"] == maker.name and event["sessionId"]
        assert event["details"] == "path=docs, read, password, downloads=2"


def test_links_outlive_a_kill(build_server, description):
    server = build_server().start()
    try:
        name = server.add_account(None, "0")
        person = Person(server, key=server.create_key(name)["key"])
        person.v1().make_folder("", "docs").ok()
        person.v1().upload("docs", form(("a.txt", b"content"))).ok()
        made = share(person, "docs", maxDownloads=2)
        assert guest_of(person, made).at("a.txt").content == b"content"
        server.kill()
        server.start()
        assert guest_of(person, made).at("a.txt").content == b"content" and guest_of(person, made).at("a.txt").status_code == 403
    finally:
        server.stop()


def test_v1_shows_nothing_of_links(person, own):
    made = share(person, own[0])
    keys = person.http.get(person.server.url + KEYS)
    assert keys.status_code == 200 and made["id"] not in keys.text
