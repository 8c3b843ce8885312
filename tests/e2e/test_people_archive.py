"""Files and folders of /api/v2 as one archive: what other programs find in it, and what it tells of the rest."""

import contextlib
import http.client
import io
import os
import pathlib
import shutil
import subprocess
import tarfile
import tempfile
import urllib.parse
import zipfile

import pytest

from driving import kinds
from packing import read_as_stream
from people import PASSWORD, Person
from places import KINDS
from raw import RawConnection
from server import PATIENCE_S, eventually

FORMATS = ("zip", "tar", "tar.zst")
TIME_S = 1_500_000_000
REPORT = "coffer-errors.txt"
MIB = 1024 * 1024
TREE = {"a.txt": b"hello", "photo.jpg": os.urandom(700_000), "nothing": b"", "empty": None, "empty/deep": None,
        "häuser": None, "häuser/日本 😀.txt": b"names" * 100_000, "b": None, "b/with space": b"x"}


def query(*paths, **more):
    return "archive?" + urllib.parse.urlencode([("path", path) for path in paths] + list(more.items()))


def plant(folder, tree):
    """Files and folders with a time."""
    for name, content in tree.items():
        if content is None:
            (folder / name).mkdir(parents=True)
        else:
            (folder / name).write_bytes(content)
        os.chmod(folder / name, 0o777 if content is None else 0o666)
    for name in tree:
        os.utime(folder / name, (TIME_S, TIME_S))


def archive(person, *paths, **more):
    answer = person.call("GET", query(*paths, **more))
    assert answer.status_code == 200, answer.text
    return answer


def unpack(data, form):
    """Contents by names, None for folders, and the times of files."""
    if form == "zip":
        with zipfile.ZipFile(io.BytesIO(data)) as held:
            assert held.testzip() is None
            found = {info.filename.rstrip("/"): None if info.is_dir() else held.read(info) for info in held.infolist()}
            assert len(found) == len(held.infolist())
            return found
    if form == "tar.zst":
        data = subprocess.run(["zstd", "-dc"], input=data, capture_output=True, check=True).stdout
    with tarfile.open(fileobj=io.BytesIO(data)) as held:
        members = held.getmembers()
        found = {member.name: None if member.isdir() else held.extractfile(member).read() for member in members}
        assert len(found) == len(members)
        return found


def below(name, tree):
    return {name: None, **{f"{name}/{path}": content for path, content in tree.items()}}


@pytest.mark.parametrize("form", FORMATS)
def test_a_tree_of_each_kind_of_place_is_in_it(person, place, form):
    _, path, folder = place
    plant(folder, TREE)
    answer = archive(person, path, format=form)
    assert unpack(answer.content, form) == below(folder.name, TREE)
    assert answer.headers["Content-Type"] == {"zip": "application/zip", "tar": "application/x-tar",
                                              "tar.zst": "application/zstd"}[form]
    assert answer.headers["Content-Disposition"].startswith(f'attachment; filename="{folder.name}.{form}"')
    assert answer.headers["Transfer-Encoding"] == "chunked" and "Content-Length" not in answer.headers


@kinds
def test_a_drive_is_in_it_too(drive, kind):
    drive.plant({"a.txt": b"hello", "b": None, "b/c": b"x" * 300_000})
    person = Person(drive.client.server, key=drive.client.key)
    found = unpack(archive(person, drive.path).content, "zip")
    top = next(iter(found)).split("/")[0]
    assert found == below(top, {"a.txt": b"hello", "b": None, "b/c": b"x" * 300_000})


@pytest.mark.parametrize("form", FORMATS)
def test_other_programs_unpack_it(person, own, tmp_path, form):
    name, folder = own
    plant(folder, TREE)
    made = archive(person, name, format=form).content
    (tmp_path / "made").write_bytes(made)
    tools = [["bsdtar", "-xf", "made", "-C", "out"], ["bsdtar", "-xf", "-", "-C", "out"]]
    if form == "zip":
        tools += [["unzip", "-q", "made", "-d", "out"], ["busybox", "unzip", "-q", "made", "-d", "out"],
                  ["7zz", "x", "-bso0", "made", "-oout"], ["/usr/bin/python3", "-m", "zipfile", "-e", "made", "out"]]
    if form == "tar":
        tools.append(["tar", "-xf", "made", "-C", "out"])
    for tool in tools:
        shutil.rmtree(tmp_path / "out", ignore_errors=True)
        (tmp_path / "out").mkdir()
        subprocess.run(tool, cwd=tmp_path, check=True, input=made, env={**os.environ, "LC_ALL": "C.UTF-8", "TZ": "UTC"})
        for path, content in TREE.items():
            item = tmp_path / "out" / name / path
            assert item.is_dir() if content is None else item.read_bytes() == content, tool
            assert content is None or item.stat().st_mtime == TIME_S or tool[0] == "busybox" or "zipfile" in tool, tool
    if form == "zip":
        with zipfile.ZipFile(tmp_path / "made") as held:
            assert {info.external_attr >> 16 for info in held.infolist()} == {0o40755, 0o100644}


def test_a_zip_is_read_as_a_stream(person, own):
    name, folder = own
    block = 256 * 1024
    sizes = {f"{kind}-{size}{end}": size for size in (0, 1, block - 1, block, block + 1, 3 * MIB)
             for kind, end in (("photo", ".jpg"), ("noise", ""), ("text", ".txt"))}
    tree = {path: bytes(size) if path.startswith("text") else os.urandom(size) for path, size in sizes.items()}
    plant(folder, {**tree, "deep": None, "deep/er": None, "deep/er/häuser 😀": b"x"})
    os.symlink(".", folder / "around")  # It is told of in a last entry.
    with person.http.get(f"{person.server.url}/api/v2/{query(name)}", stream=True) as answer:
        found = read_as_stream(answer.raw)
    assert f"{name}/around: " in found.pop(REPORT).decode()
    assert found == {f"{name}/": b"", **{f"{name}/{path}": content for path, content in tree.items()},
                     f"{name}/deep/": b"", f"{name}/deep/er/": b"", f"{name}/deep/er/häuser 😀": b"x"}


def test_funzip_reads_the_first_file_from_a_pipe(person, own):
    name, folder = own
    for path, content in (("large.jpg", os.urandom(MIB)), ("small.jpg", b"small"), ("text", b"text" * 1000)):
        (folder / path).write_bytes(content)
        made = archive(person, f"{name}/{path}").content
        assert subprocess.run(["funzip"], input=made, capture_output=True, check=True).stdout == content


def test_the_archive_has_the_name_asked_for(person, own):
    name, folder = own
    plant(folder, {"größe.txt": b"x"})
    path = f"{name}/größe.txt"
    for wanted, shown in (({}, "größe.txt.zip"), ({"name": "mine"}, "mine.zip"), ({"name": "mine.zip"}, "mine.zip"),
                          ({"name": "日本", "format": "tar.zst"}, "日本.tar.zst")):
        disposition = archive(person, path, **wanted).headers["Content-Disposition"]
        assert f"filename*=UTF-8''{urllib.parse.quote(shown)}" in disposition or f'filename="{shown}"' in disposition
    assert 'filename="files.zip"' in archive(person, path, name).headers["Content-Disposition"]


def test_items_with_one_name_are_numbered(person, own, places):
    name, folder = own
    plant(folder, {"x": None, "y": None, "x/a.txt": b"1", "y/a.txt": b"2", "x/d": None, "y/d": None, "y/d/e": b"3",
                   REPORT: b"4"})
    paths = [f"{name}/{path}" for path in ("x/a.txt", "y/a.txt", "x/a.txt", "x/d", "y/d", REPORT)]
    found = unpack(archive(person, *paths).content, "zip")
    assert found == {"a.txt": b"1", "a (2).txt": b"2", "a (3).txt": b"1", "d": None, "d (2)": None, "d (2)/e": b"3",
                     REPORT: b"4"}


def test_places_are_mixed_and_mounts_have_their_names(person, places):
    name = places.server.new_name("mixed")
    for kind in KINDS:
        places[kind].plant({f"{name}-{kind}": kind.encode()})
    found = unpack(archive(person, *(places[kind].at(f"{name}-{kind}") for kind in KINDS)).content, "zip")
    assert found == {f"{name}-{kind}": kind.encode() for kind in KINDS}
    shared = unpack(archive(person, places["shared"].path).content, "zip")
    assert shared[f"Shared/{name}-shared"] == b"shared" and not any(".coffer" in path for path in shared)


def test_the_root_tells_of_its_mounts(person, places):
    places["own"].plant({"in the root": b"x"})
    found = unpack(archive(person, "").content, "zip")
    assert found["files/in the root"] == b"x"
    report = found[REPORT].decode()
    assert "files/Shared: " in report and "files/FTP: " in report and "files/SFTP: " in report


def test_what_links_lead_to(person, own, tmp_path):
    name, folder = own
    (tmp_path / "secret").write_bytes(b"secret")
    plant(folder, {"real": b"content", "d": None, "d/e": b"x", "fifos": None})
    (folder / "inside").symlink_to("real")
    (folder / "around").symlink_to(".")
    (folder / "outside").symlink_to(tmp_path / "secret")
    os.mkfifo(folder / "fifos/fifo")
    data = archive(person, name).content
    found = unpack(data, "zip")
    report = found.pop(f"{REPORT}").decode()
    assert found == below(name, {"real": b"content", "inside": b"content", "d": None, "d/e": b"x", "fifos": None})
    assert f"{name}/around: " in report and f"{name}: Some of its items" in report and f"{name}/fifos: " in report
    assert b"secret" not in data
    person.fails("not_found", "GET", query(f"{name}/outside"))


@pytest.fixture
def in_memory():
    """A folder that takes many files fast."""
    with tempfile.TemporaryDirectory(prefix="coffer-many-", dir="/dev/shm") as folder:
        yield pathlib.Path(folder)


def test_a_hundred_thousand_small_files(places, person, in_memory):
    tree = in_memory / "tree"
    for group in range(100):
        (tree / f"{group:02}").mkdir(parents=True)
        for number in range(1000):
            (tree / f"{group:02}" / f"{number}.txt").write_bytes(b"%d" % (1000 * group + number))
    share = places.server.cli_json("share", "add", "--name", "Many", "--target", tree, "--account", places.account)
    for form, tool in (("zip", ["unzip", "-q", "made", "-d", "out"]), ("tar", ["tar", "-xf", "made", "-C", "out"]),
                       ("tar.zst", ["bsdtar", "-xf", "made", "-C", "out"])):
        (in_memory / "made").write_bytes(archive(person, f"__adm_{share['id']}", format=form).content)
        (in_memory / "out").mkdir()
        subprocess.run(tool, cwd=in_memory, check=True)
        differ = subprocess.run(["diff", "-r", "-x", ".coffer-staging", tree, in_memory / "out/Many"], capture_output=True)
        assert (differ.returncode, differ.stdout) == (0, b"")
        shutil.rmtree(in_memory / "out")
        if form == "zip":
            with zipfile.ZipFile(in_memory / "made") as held:
                assert held.testzip() is None and len(held.infolist()) == 100_101
    places.server.cli("share", "remove", share["id"])


def memory_kib(server):
    """The most that it ever held."""
    status = open(f"/proc/{server.process.pid}/status").read()
    return int(status.split("VmHWM:")[1].split()[0])


def test_a_file_of_more_than_4_gib_is_zip64_in_constant_memory(person, own, places, tmp_path):
    name, folder = own
    size = 4 * 1024 * MIB + 12_345
    with open(folder / "large.bin", "wb") as file:
        file.truncate(size)
        file.seek(size - 3)
        file.write(b"end")
    before = memory_kib(places.server)
    with person.http.get(f"{person.server.url}/api/v2/{query(name)}", stream=True) as answer, \
            open(tmp_path / "made.zip", "wb") as made:
        for piece in answer.iter_content(MIB):
            made.write(piece)
    assert memory_kib(places.server) - before < 100 * 1024
    listed = subprocess.run(["unzip", "-l", tmp_path / "made.zip"], capture_output=True, text=True, check=True).stdout
    assert str(size) in listed
    with zipfile.ZipFile(tmp_path / "made.zip") as held, held.open(f"{name}/large.bin") as large:
        assert held.getinfo(f"{name}/large.bin").file_size == size
        last = b""
        while block := large.read(8 * MIB):  # Checks the CRC at its end.
            last = (last + block)[-3:]
        assert last == b"end"
    for tool in (["unzip", "-p", "made.zip"], ["bsdtar", "-xOf", "made.zip"]):
        with subprocess.Popen(tool, cwd=tmp_path, stdout=subprocess.PIPE) as unpacking:
            subprocess.run(["cmp", "-", folder / "large.bin"], stdin=unpacking.stdout, check=True)
        assert unpacking.returncode == 0
    os.remove(tmp_path / "made.zip")


class Slow:
    """A download of which the first bytes have been read, and no more until asked."""

    def __init__(self, person, path, form):
        self.connection = http.client.HTTPConnection("127.0.0.1", person.server.port, timeout=PATIENCE_S)
        self.connection.request("GET", "/api/v2/" + query(path, format=form),
                                headers={"X-API-Key": person.http.headers["X-API-Key"]})
        self.answer = self.connection.getresponse()
        assert self.answer.status == 200
        self.first = self.answer.read(100_000)

    def rest(self):
        return self.first + self.answer.read()


@pytest.mark.parametrize("form", ("zip", "tar"))
@pytest.mark.parametrize("change", ("shrinks", "grows", "goes"))
def test_a_file_that_changes_while_it_is_read(person, own, form, change):
    name, folder = own
    content = os.urandom(40 * MIB)
    (folder / "large.zip").write_bytes(content)
    slow = Slow(person, name, form)
    if change == "shrinks":
        os.truncate(folder / "large.zip", 30 * MIB + 5)
    elif change == "grows":
        with open(folder / "large.zip", "ab") as file:
            file.write(b"more" * MIB)
    else:
        (folder / "large.zip").unlink()
    found = unpack(slow.rest(), form)
    if change != "shrinks":
        assert found == below(name, {"large.zip": content})
        return
    filled = content[:30 * MIB + 5] + (bytes(10 * MIB - 5) if form == "tar" else b"")
    assert found[f"{name}/large.zip"] == filled
    assert f"{name}/large.zip: Only the first {30 * MIB + 5} of {40 * MIB} bytes" in found[REPORT].decode()


def test_rights_lost_in_the_middle_tear_it(person, own, places):
    name, folder = own
    for number in range(3):
        (folder / f"{number}.zip").write_bytes(os.urandom(30 * MIB))
    key = places.server.create_key(places.account)
    mine = Person(places.server, key=key["key"])
    slow = Slow(mine, name, "zip")
    places.server.cli("key", "revoke", "--account", places.account, key["id"])
    with pytest.raises(http.client.IncompleteRead):
        slow.rest()


def test_a_client_that_goes_away_ends_the_work(person, own, places):
    name, folder = own
    (folder / "large.zip").write_bytes(os.urandom(60 * MIB))
    slow = Slow(person, name, "zip")

    def is_open():
        links = f"/proc/{places.server.process.pid}/fd"
        for one in os.listdir(links):
            with contextlib.suppress(OSError):
                if os.readlink(f"{links}/{one}").endswith(f"{name}/large.zip"):
                    return True
        return False

    assert is_open()
    slow.connection.sock.close() if slow.connection.sock else None
    slow.answer.close()
    eventually(lambda: not is_open(), "the file to be closed")


def test_old_clients_and_head(person, own):
    name, folder = own
    plant(folder, {"a": b"x" * 100_000})
    key = person.http.headers["X-API-Key"]
    head = person.call("HEAD", query(name), documented=False)
    assert head.status_code == 200 and head.content == b"" and head.headers["Content-Type"] == "application/zip"
    with RawConnection(person.server) as raw:
        raw.send(f"GET /api/v2/{query(name)} HTTP/1.0\r\nX-API-Key: {key}\r\n\r\n")
        whole = raw.reader.read()
    head, _, body = whole.partition(b"\r\n\r\n")
    assert b"Connection: close" in head and b"Transfer-Encoding" not in head
    assert unpack(body, "zip") == below(name, {"a": b"x" * 100_000})


def test_a_key_limited_to_a_folder_and_one_that_only_reads(person, own, places):
    name, folder = own
    plant(folder, {"docs": None, "docs/a": b"mine", "other": b"not mine"})
    made = person.ok("POST", "keys", {"name": "k", "folder": f"{name}/docs", "access": "read"}, status=201)
    limited = Person(places.server, key=made["secret"])
    assert unpack(archive(limited, "a").content, "zip") == {"a": b"mine"}
    assert list(unpack(archive(limited, "").content, "zip").values()) == [None, b"mine"]
    limited.fails("not_found", "GET", query("other"))
    limited.fails("forbidden", "GET", query("../other"))
    limited.fails("forbidden", "GET", query("a", places["shared"].path))


def test_other_accounts_have_other_files(person, own, places):
    name, folder = own
    plant(folder, {"a": b"x"})
    stranger = places.server.add_account()
    other = Person(places.server, key=places.server.create_key(stranger)["key"])
    other.fails("not_found", "GET", query(name))
    other.fails("not_found", "GET", query(places["shared"].path))
    nobody = Person(places.server)
    nobody.fails("unauthenticated", "GET", query(name))


def test_a_session_needs_no_token_to_read(places):
    name = places.server.new_name("reader")
    places.server.add_account(name, password=PASSWORD)
    person = Person(places.server)
    person.sign_in(name)
    person.ok("POST", "folders", {"path": "docs"}, status=201)
    person.csrf = None
    assert unpack(archive(person, "docs").content, "zip") == {"docs": None}


@pytest.mark.parametrize("bad", ["archive", "archive?format=zip", "archive?path=x&format=rar", "archive?path=a%00b",
                                 "archive?path=x&name=", "archive?path=x&name=a%2Fb", "archive?path=x&name=" + "n" * 256,
                                 "archive?path=%FF", "archive?path=x&format=zip&format=tar",
                                 "archive?" + "&".join(["path=x"] * 501)])
def test_bad_input(person, bad):
    person.fails("malformed", "GET", bad)


def test_what_is_not_there_is_told_at_once(person, own, places):
    name, folder = own
    plant(folder, {"a": b"x"})
    person.fails("not_found", "GET", query(name, f"{name}/none"))
    person.fails("not_found", "GET", query("__adm_" + "0" * 16))
    person.fails("forbidden", "GET", query(f"{name}/.."))


def test_a_server_that_is_gone_is_a_problem(person, places):
    place = places["ftp"]
    name = places.server.new_name("going")
    place.plant({f"{name}/{letter}/file": letter.encode() for letter in "abc"})
    places.remotes["ftp"].stop()
    try:
        answer = person.call("GET", query(place.at(name)))
        assert answer.status_code in (502, 503, 504), answer.text
    finally:
        places.remotes["ftp"].start()
