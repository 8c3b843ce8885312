"""Servers whose listings hold names, sizes, dates and links that cannot be."""

import re
import struct

import pytest

from hostile import LINK, HostileFtp, HostileSftp, attributes
from hostile_mount import LABEL, files_of, hostile_of, kinds, listing_of, mlsd_line, unix_line
from mounting import contents

BAD_NAMES = [b"../x", b"..", b".", b"a/b", b"/etc/passwd", b"../../../../../../../../../tmp/coffer-was-here",
             b"..\\x/..", b"cr\rlf", b"line\nend", b"nul\0nul", b"bell\x07", b"escape\x1b[2J", b"delete\x7f",
             b"bad\xff\xfeutf8", b"\xc0\xae\xc0\xae", b"\xed\xa0\x80", b"long" * 1024, b"longer" * 12_000]


each_name = pytest.mark.parametrize("name", BAD_NAMES, ids=lambda name: ascii(name[:12].decode("latin-1")))


def begun_by(kind, name):
    """In FTP a name with the end of a line in it is another one, as far as that, and a line that makes no sense."""
    return {part.decode() for part in re.split(rb"[\r\n]", name)[:-1]} if kind != "sftp" else set()


@kinds
@each_name
def test_a_bad_name_is_not_shown(make_hostile, kind, name):
    mount = make_hostile(hostile_of(kind, listing_of(kind, [name, b"fine.txt"]), unsaid=[name]))
    assert set(mount.sane_names()) == {"fine.txt", *begun_by(kind, name)}


@kinds
@each_name
def test_a_copy_of_bad_names_stays_in_its_folder(make_hostile, kind, name):
    mount = make_hostile(hostile_of(kind, files_of(kind, [name, b"fine.txt"]), unsaid=[name]))
    mount.check(mount.client.copy(mount.path)).ok()
    copies = {f"{LABEL}/{each}": b"12345" for each in ("fine.txt", *begun_by(kind, name))}
    assert contents(mount.account.root) == {"own": b"own", LABEL: None, **copies}
    assert mount.client.content(mount.at("fine.txt")) == b"12345"
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
        lines += [b"total -1\r\n", b"\r\n", b" \r\n", b"drwxr-xr-x\r\n"]
        listing = [b"".join(lines)]
    mount = make_hostile(hostile_of(kind, listing))
    mount.sane_names()
    for entry in mount.client.list(mount.path).ok():
        assert entry["size"] is None or entry["size"] >= 0
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d", entry["modifiedAt"]), entry
    mount.check(mount.client.info(mount.at("size0")))


def test_a_line_that_is_too_long(make_hostile):
    lines = [unix_line(b".", mode=b"drwxr-xr-x"), b"-" * 100_000 + b"\r\n", unix_line(b"fine.txt")]
    assert make_hostile(hostile_of("list", [b"".join(lines)])).sane_names() == ["fine.txt"]


@pytest.mark.parametrize("kind", ["list", "mlsd"])
def test_a_listing_without_sense_is_no_empty_folder(make_hostile, kind):
    """What cannot be understood must not look as if everything were gone; a copy of it says so too."""
    mount = make_hostile(hostile_of(kind, [b"ls: .: Permission denied\r\n"]))
    for answer in (mount.client.list(mount.path), mount.client.copy(mount.path)):
        mount.fails(answer)
    assert contents(mount.account.root) == {"own": b"own"}


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
