"""Servers whose listings hold names, sizes, dates and links that cannot be."""

import re
import struct

import pytest

from hostile import LINK, HostileFtp, HostileSftp, attributes
from hostile_mount import LABEL, hostile_of, is_sane, kinds, listing_of, mlsd_line, unix_line

BAD_NAMES = [b"../x", b"..", b".", b"a/b", b"/etc/passwd", b"../../../../../../../../../tmp/coffer-was-here",
             b"..\\x/..", b"cr\rlf", b"line\nend", b"nul\0nul", b"bell\x07", b"escape\x1b[2J", b"delete\x7f",
             b"bad\xff\xfeutf8", b"\xc0\xae\xc0\xae", b"\xed\xa0\x80", b"long" * 1024, b"longer" * 12_000]


@kinds
def test_bad_names_are_not_shown(make_hostile, kind):
    mount = make_hostile(hostile_of(kind, listing_of(kind, [*BAD_NAMES, b"fine.txt"])))
    names = mount.sane_names()
    assert names is None or "fine.txt" in names


@pytest.mark.parametrize("kind", ["list", "sftp"])
@pytest.mark.parametrize("name", BAD_NAMES, ids=lambda name: ascii(name[:12].decode("latin-1")))
def test_a_copy_of_bad_names_stays_in_its_folder(make_hostile, kind, name):
    if kind == "sftp":
        listing = [(name, attributes()), (b"fine.txt", attributes())]
    else:
        listing = [unix_line(b".", mode=b"drwxr-xr-x") + unix_line(name) + unix_line(b"fine.txt")]
    mount = make_hostile(hostile_of(kind, listing))
    answer = mount.check(mount.client.copy(mount.path))
    found = mount.copied()
    assert all(each == "own" or each.startswith(LABEL + "/") for each in found), found
    assert all(is_sane(part) for each in found for part in each.split("/") if part), found
    if answer.status == 200:
        assert f"{LABEL}/fine.txt" in found
        assert (mount.account.root / LABEL / "fine.txt").read_bytes() == b"12345"
    else:
        assert found == {"own"}
    mount.check(mount.client.download(mount.at("fine.txt")))
    assert mount.client.used() == sum(file.stat().st_size for file in mount.account.root.rglob("*") if file.is_file())


SIZES = [b"-1", b"-9223372036854775808", b"9223372036854775807", b"18446744073709551615", b"99999999999999999999999999",
         b"many", b"", b"0x10", b"1e9", b"5 5"]
DATES = [b"00000000000000", b"99999999999999", b"20201301000000", b"2020", b"", b"-1", b"20200230000000",
         b"99990101000000", b"20200101000000.99999999999999999999999999999999"]
LIST_DATES = [b"Jan 99 2020", b"Foo  1  2020", b"Jan  1 99999", b"Jan  1 25:61", b"Jan  1  0000", b"Feb 29 12:00",
              b"Feb 30  2021", b"Dec 31  9999", b"Jan -1  2020"]


@kinds
def test_odd_sizes_and_dates(make_hostile, kind):
    if kind == "sftp":
        listing = [(f"size{size:x}", attributes(size=size)) for size in (2**64 - 1, 2**63, 2**63 - 1, 0)]
        listing += [(f"date{date:x}", attributes(modified=date)) for date in (0, 2**31, 2**32 - 1)]
        listing += [(f"mode{mode:o}", attributes(mode)) for mode in (0, 0o160000, 0o177777, 0o10644, 0o20644, 0o140644)]
        listing += [("flags", struct.pack(">I", 0)), ("extended", struct.pack(">II", 0x80000000, 0))]
    elif kind == "mlsd":
        lines = [mlsd_line(b"size%d" % number, size) for number, size in enumerate(SIZES)]
        lines += [mlsd_line(b"date%d" % number, date=date) for number, date in enumerate(DATES)]
        lines += [b"\r\n", b"; ;\r\n", b"=;=; x\r\n", b"type=; y\r\n", b" z\r\n", b"type=file" * 1000 + b"; w\r\n"]
        listing = [b"".join(lines)]
    else:
        lines = [unix_line(b".", mode=b"drwxr-xr-x")]
        lines += [unix_line(b"size%d" % number, size) for number, size in enumerate(SIZES)]
        lines += [unix_line(b"date%d" % number, date=date) for number, date in enumerate(LIST_DATES)]
        lines += [unix_line(b"mode", mode=mode) for mode in (b"?---------", b"crw-r--r--", b"prw-r--r--", b"-" * 5000)]
        lines += [b"total -1\r\n", b"\r\n", b" \r\n", b"drwxr-xr-x\r\n", b"-" * 100_000 + b"\r\n"]
        listing = [b"".join(lines)]
    mount = make_hostile(hostile_of(kind, listing))
    mount.sane_names()
    for entry in mount.client.list(mount.path).json().get("data", []):
        assert entry["size"] is None or entry["size"] >= 0
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d", entry["modifiedAt"]), entry
    mount.check(mount.client.info(mount.at("size0")))


@pytest.mark.parametrize("target", ["/etc/passwd", "../../../etc/passwd", "link", "."])
@pytest.mark.parametrize("kind", ["list", "sftp"])
def test_links_to_outside_are_not_followed(make_hostile, kind, target):
    if kind == "sftp":
        hostile = HostileSftp([("link", attributes(LINK)), ("fine.txt", attributes())], links={"/link": target})
    else:
        hostile = HostileFtp([unix_line(b".", mode=b"drwxr-xr-x") + unix_line(b"fine.txt") +
                              unix_line(b"link -> " + target.encode(), mode=b"lrwxrwxrwx")])
    mount = make_hostile(hostile)
    mount.sane_names()
    mount.check(mount.client.copy(mount.path), 400, 404)
    assert not any(each.rstrip("/").endswith("link") for each in mount.copied())
    mount.check(mount.client.copy(mount.at("link")), 404)
