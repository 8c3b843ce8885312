"""Archives that other systems make: their methods, their names, and what is wrong with single items of them."""

import io
import random
import subprocess
import zipfile

import pytest

from packing import packed, raw_zip, tar_of, tar_with_raw_names, zip_of
from test_people_tasks import Folder, skipped, tree_of
from test_people_unpack import unpacked

# What Deflate does not have: lengths above 258 and distances above 32 KiB.
LARGE = random.Random(3).randbytes(50_000) * 3 + b"x" * 200_000


def seven_zip(folder, *arguments):
    """A zip of a large file and a small one, as 7-Zip packs it."""
    (folder / "large").write_bytes(LARGE)
    (folder / "small").write_bytes(b"small")
    subprocess.run(["7zz", "a", "-tzip", *arguments, "made.zip", "large", "small"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    return (folder / "made.zip").read_bytes()


# Methods

@pytest.mark.parametrize("method", ["Copy", "Deflate", "Deflate64", "BZip2", "LZMA"])
def test_each_method_is_unpacked(unpacked, tmp_path, method):
    task, tree, _, _ = unpacked(seven_zip(tmp_path, "-mm=" + method))
    assert task["state"] == "done" and not task["skipped"], task
    assert tree == tree_of({"large": LARGE, "small": b"small"})


def test_zstd_and_xz_in_a_zip_are_unpacked(unpacked):
    items = [{"name": name.encode(), "content": LARGE, "method": method,
              "packed": subprocess.run([name, "-q", "-c"], input=LARGE, check=True, capture_output=True).stdout} for name, method in (("zstd", 93), ("xz", 95))]
    task, tree, _, _ = unpacked(raw_zip(*items))
    assert task["state"] == "done" and tree == tree_of({"zstd": LARGE, "xz": LARGE}), task


def test_an_unknown_method_leaves_the_others(unpacked, tmp_path):
    made = seven_zip(tmp_path, "-mm=PPMd")
    with zipfile.ZipFile(io.BytesIO(made)) as archive:
        large = archive.getinfo("large")
    begin = large.header_offset + 30 + len(large.filename)
    by_ppmd = {"name": b"odd", "content": LARGE, "packed": made[begin:begin + large.compress_size], "method": large.compress_type}
    assert large.compress_type == 98
    for odd in ({"name": b"odd", "content": b"odd", "method": 6}, by_ppmd):
        task, tree, archive, _ = unpacked(raw_zip(odd, {"name": b"good", "content": b"good"}))
        assert task["state"] == "done" and tree == tree_of({"good": b"good"}), task
        assert task["skippedCount"] == 1 and "method" in skipped(task)[archive], task


def test_one_encrypted_item_leaves_the_others(unpacked, tmp_path):
    for name in ("secret", "open"):
        (tmp_path / name).write_bytes(name.encode())
    subprocess.run("zip -q -P password a.zip secret && zip -q a.zip open", shell=True, cwd=tmp_path, check=True)
    task, tree, archive, _ = unpacked((tmp_path / "a.zip").read_bytes())
    assert task["state"] == "done" and tree == tree_of({"open": b"open"}), task
    assert skipped(task) == {archive: '"secret" in it is left out. It is encrypted. Encrypted items cannot be unpacked here.'}
    assert task["skipped"][0]["reasonCode"] == "archive_encrypted"


@pytest.mark.parametrize("cipher", ["ZipCrypto", "AES256"])
def test_where_nothing_is_unpacked_the_first_reason_is_told(unpacked, tmp_path, cipher):
    task, tree, _, _ = unpacked(seven_zip(tmp_path, "-mem=" + cipher, "-psecret"))
    assert task["state"] == "failed" and task["errorReason"] == "archive_encrypted" and tree == {}, task
    assert task["error"] == '"archive": It is encrypted. Encrypted items cannot be unpacked here.' and task["skippedCount"] == 2


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_damaged_item_of_each_packing_method_leaves_the_others(unpacked, method):
    archive = bytearray(zip_of(("a", b"first"), ("b", random.Random(4).randbytes(5000)), ("c", b"third"), method=method))
    with_items = zipfile.ZipFile(io.BytesIO(bytes(archive)))
    archive[with_items.getinfo("b").header_offset + 2000] ^= 0x10
    task, tree, _, there = unpacked(bytes(archive))
    assert task["state"] == "done" and set(skipped(task)) == {there.at("b")}, task
    assert skipped(task)[there.at("b")].startswith("It is damaged") and tree == tree_of({"a": b"first", "c": b"third"})


def test_a_zip_behind_a_program_is_unpacked(unpacked):
    task, tree, _, _ = unpacked(b"MZ" + random.Random(5).randbytes(70_000) + zip_of(("a", b"a")))
    assert task["state"] == "done" and tree == tree_of({"a": b"a"}), task


def test_a_tar_that_ends_with_a_zip_is_a_tar(unpacked):
    inner = zip_of(("x", b"x"))
    task, tree, _, _ = unpacked(tar_of(("a", b"a"), ("inner.zip", inner)))
    assert task["state"] == "done" and tree == tree_of({"a": b"a", "inner.zip": inner}), task


# Names

# One of single bytes, and one of several; the tests of their tables have all sets.
MAKERS = [("ibm866", "cp866", "\u041f\u0440\u0438\u0432\u0435\u0442.txt"), ("shift_jis", "cp932", "\u65e5\u672c/\u8868.txt")]


@pytest.mark.parametrize("form", ["zip", "tar"])
@pytest.mark.parametrize("set, codec, name", MAKERS)
def test_names_in_the_makers_character_set(unpacked, form, set, codec, name):
    items = [{"name": name.encode(codec), "content": b"a"}, {"name": "\u00fcber".encode(), "content": b"b"}]
    archive = raw_zip(*items) if form == "zip" else tar_with_raw_names(*items)
    task, tree, _, _ = unpacked(archive, characterSet=set)
    assert task["state"] == "done" and not task["skipped"], task
    assert tree == tree_of({name: b"a", "\u00fcber": b"b"})


def test_without_a_choice_no_item_of_a_tar_is_lost(unpacked):
    task, tree, _, _ = unpacked(tar_with_raw_names({"name": "M\u00fcll \u20ac".encode("cp1252"), "content": b"a"}))
    assert task["state"] == "done" and tree == tree_of({"M\u00fcll \u20ac": b"a"}), task


def test_a_name_that_is_not_in_the_set_is_told(unpacked):
    task, tree, archive, _ = unpacked(raw_zip({"name": b"a\x93", "content": b"a"}, {"name": b"good", "content": b"b"}), characterSet="shift_jis")
    assert task["state"] == "done" and tree == tree_of({"good": b"b"}), task
    assert "\\x93" in skipped(task)[archive] and "character set" in skipped(task)[archive]


def test_the_unicode_extra_field(unpacked):
    items = [{"name": b"M\x81ll", "content": b"a", "unicode": "\u041c\u0443\u0441\u043e\u0440"}, {"name": b"changed", "content": b"b", "unicode": "old", "unicode_of": b"before"}]
    task, tree, _, _ = unpacked(raw_zip(*items))
    assert task["state"] == "done" and tree == tree_of({"\u041c\u0443\u0441\u043e\u0440": b"a", "changed": b"b"}), task


def test_backslashes_of_windows(unpacked):
    items = [{"name": b"a\\", "content": b""}, {"name": b"a\\b\\c.txt", "content": b"c"}, {"name": b"\x95\x5c\\d", "content": b"d"}]
    task, tree, _, _ = unpacked(raw_zip(*items), characterSet="shift_jis")
    assert task["state"] == "done" and tree == tree_of({"a/b/c.txt": b"c", "\u8868/d": b"d"}), task


@pytest.mark.parametrize("form", ["zip", "tar"])
def test_absolute_names_are_unpacked_below(unpacked, form):
    items = [{"name": name, "content": name} for name in (b"/root/a", b"C:/users/b", b"//server/share/c", b"/../d", b"plain")]
    archive = raw_zip(*items) if form == "zip" else tar_with_raw_names(*items)
    task, tree, source, _ = unpacked(archive)
    assert task["state"] == "done" and task["skippedCount"] == 1 and "lead out" in skipped(task)[source], task
    assert tree == tree_of({"root/a": b"/root/a", "users/b": b"C:/users/b", "server/share/c": b"//server/share/c", "plain": b"plain"})


def test_a_character_set_is_one_that_there_is(places, person):
    here = Folder(places, "own", {"a.zip": packed("zip", {"a": b"a"})})
    for body in ({"kind": "unpack", "characterSet": "latin1"}, {"kind": "copy", "characterSet": "ibm437"}):
        person.fails("malformed", "POST", "tasks", {"sources": [here.at("a.zip")], "destination": "", **body})
