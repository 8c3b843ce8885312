"""Archives unpacked by tasks: from and into every kind of place, each format, names that are taken, and hostile archives."""

import concurrent.futures
import contextlib
import gzip
import itertools
import os
import random
import subprocess
import tarfile
import zipfile

import pytest

from driving import kinds
from faulty_line import DATA, DOWN, line_to
from mounting import add_connector, at
from packing import FORMATS, TIME, bomb_of, packed, raw_zip, tar_of, with_xz_dictionary, zip_of
from people import Person
from places import KINDS
from server import disk_bytes, eventually, is_sanitized
from test_people_tasks import Folder, begin, check_quota, do, ended, skipped, tree_of

TREE = {"top.txt": b"top", "sub/a.txt": b"first", "sub/deep/b": random.Random(1).randbytes(300_000), "sub/nothing": b"",
        "h\u00e4user/\u65e5\u672c": b"names", "empty/inner": None}
UNPACKED = tree_of({name: content for name, content in TREE.items() if content is not None}, "empty", "empty/inner")


def unpack(person, archives, target, **more):
    return do(person, "unpack", archives, target, **more)


@pytest.fixture
def unpacked(places, person):
    """Unpacks an archive into a folder of own files: the task, and what is there then."""

    def do_it(archive, tree=(), name="archive", **more):
        here, there = Folder(places, "own", {name: archive}), Folder(places, "own", dict(tree))
        task = unpack(person, [here.at(name)], there.path, **more)
        check_quota(places)
        return task, there.tree(), here.at(name), there

    return do_it


# Formats and places

@pytest.mark.parametrize("source, target", itertools.product(KINDS, KINDS))
def test_between_each_two_places(places, person, source, target):
    for format in ("zip", "tar.zst"):
        here, there = Folder(places, source, {"a." + format: packed(format, TREE)}), Folder(places, target, {})
        task = unpack(person, [here.at("a." + format)], there.path)
        assert task["state"] == "done" and not task["skipped"] and task["error"] is None, task
        assert (task["kind"], task["sources"], task["destination"]) == ("unpack", [here.at("a." + format)], there.path)
        assert there.tree() == UNPACKED
    if target == "own":
        check_quota(places)


@pytest.mark.parametrize("format", FORMATS)
def test_each_format(places, person, format):
    here, there = Folder(places, "own", {"archive": packed(format, TREE)}), Folder(places, "own", {})
    task = unpack(person, [here.at("archive")], there.path)
    assert task["state"] == "done" and not task["skipped"], task
    assert there.tree() == UNPACKED
    assert task["bytesDone"] == sum(len(content or b"") for content in TREE.values())
    times = {os.stat(there.place.folder / there.name / name).st_mtime for name, content in TREE.items() if content is not None}
    assert times == {TIME}
    check_quota(places)


@kinds
def test_with_a_drive(drive, kind):
    person = Person(drive.client.server, key=drive.client.key)
    drive.plant({"a.zip": packed("zip", TREE), "to/top.txt": b"old"})
    assert unpack(person, [drive.at("a.zip")], "", onConflict="replace")["state"] == "done"
    assert drive.client.content("sub/deep/b") == TREE["sub/deep/b"]
    drive.client.put("b.7z", packed("7z", TREE))
    task = unpack(person, ["b.7z"], drive.at("to"), onConflict="replace")
    assert task["state"] == "done" and not task["skipped"], task
    assert drive.everything("to") == UNPACKED


@pytest.mark.parametrize("source", KINDS)
def test_large_ones(places, person, source):
    large = random.Random(2).randbytes(33 << 20)
    here = Folder(places, source, {"a.zip": packed("zip", {"large": large, "small": b"s"}), "b.tar": packed("tar", {"other": large})})
    there = Folder(places, "own", {})
    task = unpack(person, [here.at("a.zip"), here.at("b.tar")], there.path)
    assert task["state"] == "done" and task["bytesDone"] == task["bytesTotal"] == 2 * len(large) + 1, task
    assert there.tree() == tree_of({"large": large, "small": b"s", "other": large})
    check_quota(places)


def test_more_than_four_gibibytes_in_one_item(places, person, tmp_path):
    """What would take so much is left out where its name is taken, so nothing is stored."""
    size = (4 << 30) + 5
    os.truncate(os.open(tmp_path / "huge", os.O_CREAT | os.O_WRONLY), size)
    (tmp_path / "after").write_bytes(b"behind it")
    archive = places["shared"].folder / "huge.zip"
    os.system(f"cd {tmp_path} && zip -q -1 {archive} huge after")
    with zipfile.ZipFile(archive) as made:
        assert made.getinfo("huge").file_size == size
    there = Folder(places, "own", {"huge": b"taken"})
    task = unpack(person, [places["shared"].at("huge.zip")], there.path, onConflict="skip")
    archive.unlink()
    assert task["state"] == "done" and set(skipped(task)) == {there.at("huge")}
    assert there.tree() == tree_of({"huge": b"taken", "after": b"behind it"})


# Names that are taken

OLD = {"top.txt": b"old", "sub/a.txt": b"old", "sub/kept": b"kept"}
NEW = {"top.txt": b"new", "sub/a.txt": b"new", "sub/b.txt": b"more", "free": b"free"}
RESULTS = {
    "skip": {**OLD, "sub/b.txt": b"more", "free": b"free"},
    "replace": {**NEW, "sub/kept": b"kept"},
    "keepBoth": {**OLD, "top (2).txt": b"new", "sub (2)/a.txt": b"new", "sub (2)/b.txt": b"more", "free": b"free"},
}


@pytest.mark.parametrize("choice", sorted(RESULTS))
@pytest.mark.parametrize("target", KINDS)
def test_each_choice_in_each_place(places, person, target, choice):
    for format in ("zip", "tar.gz"):
        here, there = Folder(places, "own", {"a": packed(format, NEW)}), Folder(places, target, OLD)
        task = unpack(person, [here.at("a")], there.path, onConflict=choice)
        assert task["state"] == "done" and task["onConflict"] == choice, task
        assert there.tree() == tree_of(RESULTS[choice])
        names = {there.at("top.txt"), there.at("sub/a.txt")} if choice == "skip" else set()
        assert set(skipped(task)) == names
    check_quota(places)


@pytest.mark.parametrize("target", KINDS)
@pytest.mark.parametrize("taken", ["top.txt", "sub/a.txt"])
def test_fail_does_nothing_where_the_names_can_be_seen_beforehand(places, person, target, taken):
    for format in ("zip", "tar"):
        here, there = Folder(places, "own", {"a": packed(format, NEW)}), Folder(places, target, {taken: b"old"})
        task = unpack(person, [here.at("a")], there.path)
        assert task["state"] == "failed" and "taken" in task["error"] and "Nothing was done" in task["error"], task
        assert there.tree() == tree_of({taken: b"old"})


def test_fail_ends_at_the_first_name_that_is_taken(unpacked):
    task, tree, _, _ = unpacked(tar_of(("a", b"first"), ("b", b"new"), ("c", b"third"), mode="gz"), {"b": b"old"})
    assert task["state"] == "failed" and '"b" is taken' in task["error"] and task["itemsDone"] == 1
    assert tree == tree_of({"a": b"first", "b": b"old"})


@pytest.mark.parametrize("choice", ["replace", "skip"])
def test_a_file_and_a_folder_never_take_each_others_place(unpacked, choice):
    task, tree, _, there = unpacked(zip_of(("a", b"file"), ("b/inner", b"in"), ("b/more/x", b"x"), ("c", b"free")),
                                    {"a/inner": b"there", "b": b"there"}, onConflict=choice)
    assert task["state"] == "done" and set(skipped(task)) == {there.at("a"), there.at("b/inner"), there.at("b/more/x")}
    assert tree == tree_of({"a/inner": b"there", "b": b"there", "c": b"free"})


@pytest.mark.parametrize("choice, wanted", [("replace", {"a": b"two"}), ("skip", {"a": b"one"}), ("keepBoth", {"a": b"one", "a (2)": b"two"}),
                                            ("fail", {"a": b"one"})])
def test_a_name_that_is_twice_in_it_is_taken_the_second_time(unpacked, choice, wanted):
    task, tree, _, _ = unpacked(tar_of(("a", b"one"), ("a", b"two")), onConflict=choice)
    assert tree == tree_of(wanted) and task["state"] == ("failed" if choice == "fail" else "done")


def unpack_at_once(person, archives, target, **more):
    """The tasks of several that begin at the same moment."""
    with concurrent.futures.ThreadPoolExecutor(len(archives)) as pool:
        begun = list(pool.map(lambda archive: begin(person, "unpack", [archive], target, **more), archives))
    return [ended(person, task) for task in begun]


@pytest.mark.parametrize("target", KINDS)
def test_several_tasks_at_once_keep_all(places, person, target):
    """Each name at the top is one task's alone, and so is what is in a folder there."""
    tops = range(10)
    tree = {f"{n}.txt": b"top" for n in tops} | {f"sub{n}/{name}": name.encode() for n in tops for name in "ab"}
    here = Folder(places, "own", {"a.zip": packed("zip", tree)})
    wanted = {f"{n}{number}.txt": b"top" for n in tops for number in ("", " (2)")}
    wanted |= {f"sub{n}{number}/{name}": name.encode() for n in tops for number in ("", " (2)") for name in "ab"}
    for _ in range(10 if target in ("own", "shared") else 2):
        there = Folder(places, target, {})
        for found in unpack_at_once(person, [here.at("a.zip")] * 2, there.path, onConflict="keepBoth"):
            assert found["state"] == "done" and not found["skipped"], found
        assert there.tree() == tree_of(wanted)
    if target == "own":
        check_quota(places)


@pytest.mark.parametrize("target", KINDS)
def test_several_tasks_at_once_of_which_one_may(places, person, target):
    tree = {"sub/a.txt": b"first", "sub/b.txt": b"second"}
    here = Folder(places, "own", {"a.tar.gz": packed("tar.gz", tree)})
    for _ in range(20 if target in ("own", "shared") else 3):
        there = Folder(places, target, {})
        found = unpack_at_once(person, [here.at("a.tar.gz")] * 2, there.path, onConflict="fail")
        assert sorted(task["state"] for task in found) == ["done", "failed"], found
        assert all("taken" in task["error"] for task in found if task["state"] == "failed"), found
        assert there.tree() == tree_of(tree)


def test_hundreds_of_taken_names(unpacked):
    """Each finds another name without asking for all of them again."""
    old = {"a.txt": b"old"} | {f"a ({n}).txt": b"old" for n in range(2, 500)}
    task, tree, _, _ = unpacked(tar_of(*[("a.txt", b"%d" % n) for n in range(300)]), old, onConflict="keepBoth")
    assert task["state"] == "done" and not task["skipped"], task
    assert tree == tree_of(old | {f"a ({n + 500}).txt": b"%d" % n for n in range(300)})


def test_several_archives(places, person):
    here = Folder(places, "own", {"a.zip": zip_of(("docs/a", b"a")), "b.tar": tar_of(("docs/b", b"b")), "no": b"no archive", "c.7z": packed("7z", {"c": b"c"})})
    there = Folder(places, "own", {})
    task = unpack(person, [here.at(name) for name in ("a.zip", "b.tar", "no", "none", "c.7z")], there.path)
    assert task["state"] == "failed" and task["error"].startswith('"no": ') and set(skipped(task)) == {here.at("no"), here.at("none")}
    assert there.tree() == tree_of({"docs/a": b"a", "docs/b": b"b", "c": b"c"})
    both = Folder(places, "own", {})
    assert unpack(person, [here.at("a.zip"), here.at("b.tar")], both.path, onConflict="keepBoth")["state"] == "done"
    assert both.tree() == tree_of({"docs/a": b"a", "docs (2)/b": b"b"})


# Names and kinds of items that nothing is made of

SLIPS = ["../x", "/../x", "a/../../x", "a/../x", "..", "..\\x", "a\\..\\..\\x", "C:\\..\\x", "C:/../x", "//server/../x", "a/.coffer-bin/x",
         ".coffer-staging/x", ".coffer-part-" + "0" * 25, ".coffer-folder", "a\nb", "n" * 256, "a/" + "n" * 300 + "/b"]


@pytest.mark.parametrize("form", ["zip", "tar"])
def test_no_item_leaves_the_folder(places, person, form):
    outside = Folder(places, "own", {})
    items = [(name, b"slip") for name in SLIPS] + [("good", b"good")]
    archive = zip_of(*items) if form == "zip" else tar_of(*items)
    places.client.make_folder(outside.path, "in").ok()
    places.client.put(outside.at("archive"), archive)
    task = unpack(person, [outside.at("archive")], outside.at("in"), onConflict="skip")
    assert task["state"] == "done", task
    assert outside.tree() == tree_of({"archive": archive, "in/good": b"good"}), task
    assert task["skippedCount"] == len(SLIPS) and set(skipped(task)) == {outside.at("archive")}
    assert all("left out" in item["reason"] for item in task["skipped"])


def test_names_of_mounts_are_kept_at_the_root(account):
    person = Person(account.server, key=account.key)
    account.client.put("a.zip", zip_of(("__adm_x/a", b"a"), ("__conn_y", b"a"), ("in/__adm_x", b"fine")))
    task = unpack(person, ["a.zip"], "")
    assert task["state"] == "done" and set(skipped(task)) == {"__adm_x/a", "__conn_y"}
    assert set(account.client.names()) == {"a.zip", "in"} and account.client.content("in/__adm_x") == b"fine"


def test_links_and_devices_are_left_out(unpacked, places):
    archive = tar_of(("real", b"real"), ("up", {"type": tarfile.SYMTYPE, "linkname": "/etc"}), ("up/passwd", b"through it"),
                     ("hard", {"type": tarfile.LNKTYPE, "linkname": "real"}), ("fifo", {"type": tarfile.FIFOTYPE}),
                     ("null", {"type": tarfile.CHRTYPE, "devmajor": 1, "devminor": 3}))
    task, tree, source, _ = unpacked(archive)
    assert task["state"] == "done" and task["skippedCount"] == 4
    assert tree == tree_of({"real": b"real", "up/passwd": b"through it"}), "a folder of that name, not the link"
    assert {item["reason"].split()[0] for item in task["skipped"]} == {'"up"', '"hard"', '"fifo"', '"null"'}


def test_a_link_on_the_disk_is_not_followed_out_of_the_place(places, person, tmp_path):
    here = Folder(places, "own", {"a.zip": zip_of(("out/x", b"x"), ("good", b"good"))})
    there = Folder(places, "own", {})
    os.symlink(tmp_path, there.place.folder / there.name / "out")
    task = unpack(person, [here.at("a.zip")], there.path, onConflict="replace")
    assert list(tmp_path.iterdir()) == [] and there.tree()["good"] == b"good", task


@pytest.mark.parametrize("name, flags, wanted", [("M\u00fcll.txt".encode("cp437"), 0, "M\u00fcll.txt"), ("M\u00fcll.txt".encode(), 0x800, "M\u00fcll.txt"),
                                                 ("M\u00fcll.txt".encode(), 0, "M\u00fcll.txt")])
def test_names_of_zips(unpacked, name, flags, wanted):
    task, tree, _, _ = unpacked(raw_zip({"name": name, "content": b"content", "flags": flags}))
    assert task["state"] == "done" and tree == tree_of({wanted: b"content"}), task


# What is no whole archive

@pytest.mark.parametrize("content", [b"", b"just a text", b"PK", b"\x1f\x8b" + b"x" * 50, gzip.compress(b"a text")],
                         ids=["empty", "text", "PK", "gz", "packed text"])
def test_no_archive(unpacked, content):
    task, tree, _, _ = unpacked(content)
    assert task["state"] == "failed" and task["error"].startswith('"archive": '), task
    assert tree == {}


def test_a_tar_may_be_the_zeros_at_its_end_alone(unpacked):
    task, tree, _, _ = unpacked(bytes(100_000))
    assert task["state"] == "done" and task["skippedCount"] == 0 and tree == {}, task


def test_a_folder_is_no_archive(places, person):
    here, there = Folder(places, "own", {"sub/a": b"a"}), Folder(places, "own", {})
    task = unpack(person, [here.at("sub")], there.path)
    assert task["state"] == "failed" and set(skipped(task)) == {here.at("sub")} and there.tree() == {}


@pytest.mark.parametrize("format", FORMATS)
def test_a_truncated_one_shows_nothing_torn(unpacked, format):
    tree = {name: random.Random(name).randbytes(200_000) for name in "abcdef"}
    whole = packed(format, tree)
    task, found, _, _ = unpacked(whole[:len(whole) // 2])
    assert task["state"] == "failed" and "damaged" in task["error"], task
    assert all(tree[name] == content for name, content in found.items())


@pytest.mark.parametrize("target", KINDS)
def test_a_damaged_item_is_left_out_and_the_others_are_unpacked(places, person, target):
    archive = bytearray(zip_of(("a", b"first"), ("b", b"DAMAGED"), ("c", b"third"), method=zipfile.ZIP_STORED))
    archive[archive.index(b"DAMAGED")] ^= 1
    here, there = Folder(places, "own", {"a.zip": bytes(archive)}), Folder(places, target, {"b": b"old"})
    task = unpack(person, [here.at("a.zip")], there.path, onConflict="replace")
    assert task["state"] == "done" and set(skipped(task)) == {there.at("b")} and "checksum" in skipped(task)[there.at("b")], task
    eventually(lambda: there.tree() == tree_of({"a": b"first", "b": b"old", "c": b"third"}), "what came of the damaged item to go")


# Bombs

@pytest.mark.parametrize("target", ["shared", "own"])
def test_a_zip_of_zeros_is_refused(places, person, target):
    here, there = Folder(places, "own", {"bomb.zip": bomb_of(1100 << 20)}), Folder(places, target, {})
    task = unpack(person, [here.at("bomb.zip")], there.path)
    assert task["state"] == "failed" and "more than" in task["error"], task
    assert there.tree() == {}
    check_quota(places)


def test_a_packed_bomb_that_is_passed_over_is_refused(places, person):
    """What is left out of a packed tar has to be unpacked all the same."""
    item = tarfile.TarInfo("taken")
    item.size = 600 << 20
    bomb = gzip.compress((item.tobuf() + bytes(item.size)) * 2 + bytes(1024), 6)
    here, there = Folder(places, "own", {"bomb": bomb}), Folder(places, "shared", {"taken": b"t"})
    task = unpack(person, [here.at("bomb")], there.path, onConflict="skip")
    assert task["state"] == "failed" and "more than" in task["error"], task
    assert there.tree() == tree_of({"taken": b"t"})


@pytest.mark.parametrize("layers", [1, 2])
def test_little_that_unpacks_to_no_end_is_refused(unpacked, layers):
    """All of the archive is read in one block, and what is passed over is unpacked nowhere."""
    item = tarfile.TarInfo("../taken")
    item.size = 1 << 45
    head = subprocess.run("zstd -q -19 -c", shell=True, input=item.tobuf() + bytes(64 << 20), capture_output=True, check=True).stdout
    bomb = head + subprocess.run("head -c 4G /dev/zero | zstd -q -3 -c", shell=True, capture_output=True, check=True).stdout
    for _ in range(layers - 1):
        bomb = subprocess.run("zstd -q -19 -c", shell=True, input=bomb, capture_output=True, check=True).stdout
    task, tree, _, _ = unpacked(bomb)
    assert task["state"] == "failed" and ("more than" in task["error"] or "more than once" in task["error"]), task
    assert tree == {}


def test_what_is_passed_over_in_a_7z_counts_too(places, person):
    """It has to be unpacked all the same, and takes no room."""
    bomb = packed("7z", {"taken/a": bytes(600 << 20), "taken/b": bytes(600 << 20)})
    for target in ("shared", "own"):
        here, there = Folder(places, "own", {"bomb": bomb}), Folder(places, target, {"taken": b"t"})
        task = unpack(person, [here.at("bomb")], there.path, onConflict="skip")
        assert task["state"] == "failed" and "more than" in task["error"], task
        assert there.tree() == tree_of({"taken": b"t"})


@pytest.mark.parametrize("code, is_taken", [(28, True), (36, False), (40, False)], ids=["64 MiB", "1 GiB", "4 GiB"])
def test_memory_is_bounded(unpacked, code, is_taken):
    is_taken = is_taken or is_sanitized()  # Its own memory needs more addresses than any bound leaves.
    task, tree, _, _ = unpacked(with_xz_dictionary(tar_of(("a", b"a"), mode="xz"), code))
    assert task["state"] == ("done" if is_taken else "failed") and tree == tree_of({"a": b"a"} if is_taken else {}), task
    if not is_taken:
        assert "memory" in task["error"], task


def test_a_quota_bounds_it_as_it_goes(make_account):
    account = make_account("3000000")
    person = Person(account.server, key=account.key)
    account.client.put("small.zip", zip_of(("a", b"\0" * 1_000_000), ("b", b"\0" * 1_500_000), ("c", b"\0" * 1_000_000)))
    task = unpack(person, ["small.zip"], "")
    assert task["state"] == "failed" and "quota" in task["error"]
    assert set(account.client.names()) == {"small.zip", "a", "b"}
    assert account.client.used() == disk_bytes(account.root) and not account.server.wrong_of(account.name)


def test_too_many_items_are_refused(places, person):
    folder = tar_of(("d/", {"type": tarfile.DIRTYPE}))[:512]
    here, there = Folder(places, "own", {"many": gzip.compress(folder * 250_010 + bytes(1024), 1)}), Folder(places, "own", {})
    task = unpack(person, [here.at("many")], there.path, onConflict="skip")
    assert task["state"] == "failed" and "250000" in task["error"].replace(",", ""), task
    assert there.tree() == tree_of({}, "d")


@pytest.mark.parametrize("name", ["d/" * 101 + "x", "x/" * 2100 + "x"])
def test_too_deep_or_long_names_end_it(unpacked, name):
    task, tree, _, _ = unpacked(tar_of(("first", b"first"), (name, b"deep"), ("last", b"last")))
    assert task["state"] == "failed" and ("deep" in task["error"] or "long" in task["error"]), task
    assert tree == tree_of({"first": b"first"})


# Rights, stopping and crashes

def test_a_key_limited_to_a_folder_reaches_no_more(places, person):
    here = Folder(places, "own", {"in/a.zip": zip_of(("x", b"x"), ("../y", b"y")), "out.zip": zip_of(("z", b"z"))})
    key = places.server.create_key(places.account, here.at("in"))["key"]
    limited = Person(places.server, key=key)
    task = unpack(limited, ["a.zip"], "")
    assert task["state"] == "done" and task["sources"] == ["a.zip"] and set(skipped(task)) == {"a.zip"}
    limited.fails("forbidden", "POST", "tasks", {"kind": "unpack", "sources": ["../out.zip"], "destination": ""})
    assert unpack(limited, ["out.zip"], "")["state"] == "failed"
    limited.fails("forbidden", "POST", "tasks", {"kind": "unpack", "sources": ["a.zip"], "destination": places["sftp"].path})
    assert set(here.tree()) == {"in", "in/a.zip", "in/x", "out.zip"}


def test_what_is_wrong_is_refused_at_once(places, person):
    read_only = places.server.cli_json("share", "add", "--name", "RO", "--target", places["shared"].folder, "--account", places.account, "--read-only")
    here = Folder(places, "shared", {"a.zip": zip_of(("x", b"x"))})
    way = f"__adm_{read_only['id']}"
    for body, code in (({"sources": [here.at("a.zip")]}, "malformed"), ({"sources": [here.at("a.zip")], "destination": "", "permanent": True}, "malformed"),
                       ({"sources": [places["shared"].path], "destination": ""}, "malformed"),
                       ({"sources": [here.at("a.zip")], "destination": way}, "forbidden")):
        person.fails(code, "POST", "tasks", {"kind": "unpack", **body})
    there = Folder(places, "own", {})
    assert unpack(person, [f"{way}/{here.name}/a.zip"], there.path)["state"] == "done" and there.tree() == tree_of({"x": b"x"})
    places.server.cli("share", "remove", read_only["id"])


@pytest.fixture
def frail(places):
    """A folder of an SFTP server behind a line, its path by way of that, the plain folder, and the line."""
    with line_to(places.remotes["sftp"]) as (line, options):
        path = add_connector(places.server, places.account, places.server.new_name("frail"), options, stdin="secret\n")
        here = Folder(places, "sftp", {})
        yield at(path, here.name), here, line


CONTENTS = {f"f{number}": random.Random(number).randbytes(400_000) for number in range(8)}


@pytest.mark.parametrize("format", ["zip", "tar", "tar.gz", "7z"])
def test_an_archive_whose_server_goes(places, person, frail, format):
    path, here, line = frail
    here.fill(places.client, {"a": packed(format, CONTENTS)})
    there = Folder(places, "own", {})
    line.fault("cut", after=1_500_000, direction=DOWN, dies=True)
    task = unpack(person, [at(path, "a")], there.path, onConflict="skip")
    assert task["state"] == "failed" and task["error"], task
    assert all(CONTENTS[name] == content for name, content in there.tree().items())
    line.mend()
    check_quota(places)


def test_a_folder_whose_server_goes(places, person, frail):
    path, there, line = frail
    here = Folder(places, "own", {"a": packed("tar", CONTENTS)})
    line.fault("cut", after=1_500_000, dies=True)
    task = unpack(person, [here.at("a")], path, onConflict="skip")
    assert task["state"] == "failed" and task["error"], task
    shown = {name.partition("/")[2]: content for name, content in there.place.visible().items() if name.startswith(there.name + "/")}
    assert 0 < len(shown) < len(CONTENTS) and all(CONTENTS[name] == content for name, content in shown.items())
    line.mend()


def test_stopping_waits_for_no_slow_server(places, person):
    with line_to(places.remotes["ftp"]) as (line, options):
        path = add_connector(places.server, places.account, places.server.new_name("slow"), options, stdin="secret\n")
        there = Folder(places, "ftp", {})
        there.fill(places.client, {"a": packed("tar", CONTENTS)})
        here = Folder(places, "own", {})
        line.slow(200, 0.05)
        task = begin(person, "unpack", [at(path, f"{there.name}/a")], here.path)
        eventually(lambda: line.passed[DATA, DOWN] > 1000, "the first bytes")
        person.ok("DELETE", "tasks/" + task["id"], status=204)
        assert ended(person, task)["state"] == "cancelled"


def test_a_share_that_is_withdrawn_ends_it(places, person, tmp_path):
    shared = tmp_path / "shared"
    shared.mkdir()
    share = places.server.cli_json("share", "add", "--name", places.server.new_name("S"), "--target", shared, "--account", places.account)
    here = Folder(places, "own", {"a": tar_of(*((f"f{number}", b"content") for number in range(20_000)), mode="gz")})
    task = begin(person, "unpack", [here.at("a")], f"__adm_{share['id']}")
    eventually(lambda: (shared / "f10").exists(), "the first items")
    places.server.cli("share", "remove", share["id"])
    end = ended(person, task)
    shown = [item for item in shared.iterdir() if not item.name.startswith(".")]
    assert end["state"] == "failed" and len(shown) < 20_000 and {item.read_bytes() for item in shown} == {b"content"}, end


@pytest.fixture
def slow(places, person):
    """A task in its middle on an archive that has much left: begun by a key of its own."""
    count = 20_000
    archive = tar_of(*((f"f{number}", b"content") for number in range(count)), mode="gz")
    here, there = Folder(places, "own", {"a.tar.gz": archive}), Folder(places, "own", {})
    key = places.server.create_key(places.account)
    asker = Person(places.server, key=key["key"])
    task = begin(asker, "unpack", [here.at("a.tar.gz")], there.path)
    eventually(lambda: (there.place.folder / there.name / "f10").exists(), "the first items")
    return task, there, key, count


def test_a_destination_that_is_renamed_is_not_made_again(places, person):
    archive = tar_of(*((f"d{number}/f", b"content") for number in range(3000)), mode="gz")
    here, there = Folder(places, "own", {"a.tar.gz": archive}), Folder(places, "own", {})
    task = begin(person, "unpack", [here.at("a.tar.gz")], there.path)
    folder = there.place.folder / there.name
    eventually(lambda: (folder / "d10").exists(), "the first items")
    # It is refused while an item comes.
    eventually(lambda: places.client.rename(there.path, there.name + "renamed").status == 200, "the folder to be renamed")
    end = ended(person, task)
    assert not folder.exists() and end["skippedCount"] > 0, end
    assert (folder.parent / (there.name + "renamed") / "d9" / "f").read_bytes() == b"content"


def test_stopping_leaves_what_is_whole(places, person, slow):
    task, there, _, count = slow
    person.ok("DELETE", "tasks/" + task["id"], status=204)
    end = ended(person, task)
    tree = there.tree()
    assert end["state"] == "cancelled" and 10 <= len(tree) < count and set(tree.values()) == {b"content"}
    check_quota(places)


def test_a_revoked_key_ends_it(places, person, slow):
    task, there, key, count = slow
    places.client.revoke(key["id"]).ok()
    end = ended(person, task)
    tree = there.tree()
    assert end["state"] == "failed" and len(tree) < count and set(tree.values()) == {b"content"}, end
    check_quota(places)


def test_a_kill_leaves_nothing_torn(own_server, account_on):
    server = own_server()
    account = account_on(server)
    person = Person(server, key=account.key)
    contents = {f"d{number % 7}/f{number}": random.Random(number).randbytes(random.Random(number).choice((0, 100, 300_000))) for number in range(400)}
    account.client.put("a.tar", tar_of(*contents.items()))
    account.client.make_folder("", "to").ok()
    for _ in range(3):
        task = begin(person, "unpack", ["a.tar"], "to", onConflict="skip")
        eventually(lambda: any((account.root / "to").iterdir()), "the first items")
        server.kill()
        server.start()
        assert person.ok("GET", "tasks/" + task["id"])["state"] in ("interrupted", "done")
        shown = {str(path.relative_to(account.root / "to")): path.read_bytes() for path in (account.root / "to").rglob("*") if path.is_file()}
        assert all(contents[name] == content for name, content in shown.items())
        eventually(lambda: account.client.used() == disk_bytes(account.root), "the true figure")
    assert do(person, "unpack", ["a.tar"], "to", onConflict="skip")["state"] == "done"
    assert {str(path.relative_to(account.root / "to")) for path in (account.root / "to").rglob("*") if path.is_file()} == set(contents)
    assert not server.wrong_of(account.name)


def test_no_process_stays(places, person):
    here, there = Folder(places, "own", {"a.zip": packed("zip", TREE), "no": b"no"}), Folder(places, "own", {})
    unpack(person, [here.at("a.zip"), here.at("no")], there.path)

    def helpers():
        found = []
        for name in os.listdir("/proc"):
            with contextlib.suppress(OSError):
                if name.isdigit() and open(f"/proc/{name}/cmdline", "rb").read().startswith(b"coffer-unpack"):
                    found += [name] if f"PPid:\t{places.server.process.pid}\n" in open(f"/proc/{name}/status").read() else []
        return found

    eventually(lambda: not helpers(), "the processes to go")


def test_the_command_line_lists_them(places, person):
    here, there = Folder(places, "own", {"a.zip": zip_of(("x", b"x"))}), Folder(places, "own", {})
    task = unpack(person, [here.at("a.zip")], there.path)
    listed = {one["id"]: one["kind"] for one in places.server.cli_json("task", "list", "--account", places.account)}
    assert listed[task["id"]] == "unpack"
