"""Archives as tests want them, also such as nobody makes by accident."""

import io
import os
import pathlib
import struct
import subprocess
import tarfile
import tempfile
import zipfile
import zlib

FORMATS = ("zip", "tar", "tar.gz", "tar.bz2", "tar.xz", "tar.zst", "tar.lz4", "7z")
BSDTAR = {"zip": ["--format=zip"], "tar": [], "tar.gz": ["-z"], "tar.bz2": ["-j"], "tar.xz": ["-J"], "tar.zst": [],  # What this version of `bsdtar` packs so it cannot always read itself.
          "tar.lz4": ["--lz4"], "7z": ["--format=7zip"]}
TIME = 1_600_000_000


def packed(format, tree, mtime=TIME):
    """Files by their contents, and folders where that is None, as `bsdtar` packs them."""
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for name, content in tree.items():
            path = root / name
            if content is None:
                path.mkdir(parents=True, exist_ok=True)
                continue
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
            os.utime(path, (mtime, mtime))
        names = sorted({name.split("/")[0] for name in tree})
        made = subprocess.run(["bsdtar", "-c", "-f", "-", *BSDTAR[format], "-C", folder, "--", *names], check=True, capture_output=True)
        if format == "tar.zst":
            made = subprocess.run(["zstd", "-q", "-c"], input=made.stdout, check=True, capture_output=True)
        return made.stdout


def zip_of(*items, method=zipfile.ZIP_DEFLATED):
    """Names and contents, in this order, also one name twice."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", method) as archive:
        for name, content in items:
            with_name = zipfile.ZipInfo(name, (2020, 9, 13, 12, 26, 40))
            with_name.compress_type = method
            archive.writestr(with_name, content)
    return made.getvalue()


def tar_of(*items, mode=""):
    """Names with a content, or with a TarInfo's members."""
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w:" + mode) as archive:
        for name, content in items:
            member = tarfile.TarInfo(name)
            if isinstance(content, dict):
                for key, value in content.items():
                    setattr(member, key, value)
                archive.addfile(member)
            else:
                member.size, member.mtime = len(content), TIME
                archive.addfile(member, io.BytesIO(content))
    return made.getvalue()


def raw_zip(*items):
    """A zip byte by byte. Each item has a name and content, and if wanted a method with what that packed, flags, or a
    Unicode name in its extra field, which belongs to its name or to another one."""
    heads, listed = b"", b""
    for item in items:
        name, content = item["name"], item["content"]
        data = item.get("packed", content)
        extra = b""
        if "unicode" in item:
            body = b"\1" + struct.pack("<I", zlib.crc32(item.get("unicode_of", name))) + item["unicode"].encode()
            extra = struct.pack("<HH", 0x7075, len(body)) + body
        common = struct.pack("<HHHHHIIIHH", 20, item.get("flags", 0), item.get("method", 0), 0, 0x5121, zlib.crc32(content), len(data), len(content),
                             len(name), len(extra))
        listed += b"PK\1\2" + struct.pack("<H", 20) + common + struct.pack("<HHHII", 0, 0, 0, 0, len(heads)) + name + extra
        heads += b"PK\3\4" + common + name + extra + data
    return heads + listed + b"PK\5\6" + struct.pack("<HHHHIIH", 0, 0, len(items), len(items), len(listed), len(heads), 0)


def tar_with_raw_names(*items):
    """A tar whose names are bytes, as old programs write them."""
    made = b""
    for item in items:
        head = bytearray(tarfile.TarInfo("x").tobuf(tarfile.USTAR_FORMAT))
        head[:100] = item["name"].ljust(100, b"\0")
        head[124:136] = b"%011o\0" % len(item["content"])
        head[148:156] = b" " * 8
        head[148:156] = b"%06o\0 " % sum(head)
        made += bytes(head) + item["content"] + bytes(-len(item["content"]) % 512)
    return made + bytes(1024)


def bomb_of(size, ratio_helper=b"\0" * (1 << 20)):
    """A zip of zeros that tells its true size."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive, archive.open("zeros", "w", force_zip64=True) as out:
        for _ in range(size // len(ratio_helper)):
            out.write(ratio_helper)
    return made.getvalue()


def with_xz_dictionary(archive, size_code):
    """An xz whose block asks for another dictionary: 40 is 4 GiB less a byte, 36 is 1 GiB (the .xz format, 5.3.1)."""
    block = bytearray(archive)
    head = 12
    length = (block[head] + 1) * 4
    at = block.index(b"\x21\x01", head, head + length)
    block[at + 2] = size_code
    block[head + length - 4:head + length] = struct.pack("<I", zlib.crc32(bytes(block[head:head + length - 4])))
    return bytes(block)


def read_as_stream(stream):
    """Names and contents of a zip, read as Java's ZipInputStream reads it: once, from its beginning, without the list at its
    end. It refuses what that refuses."""
    rest = b""

    def take(count):
        nonlocal rest
        while len(rest) < count:
            more = stream.read(65_536)
            assert more, "it ends too early"
            rest += more
        taken, rest = rest[:count], rest[count:]
        return taken

    def inflate():
        nonlocal rest
        inflater, packed_size, content = zlib.decompressobj(-15), 0, []
        while not inflater.eof:
            packed = rest or stream.read(65_536)
            assert packed, "it ends too early"
            content.append(inflater.decompress(packed))
            rest = inflater.unused_data
            packed_size += len(packed) - len(rest)
        return b"".join(content), packed_size

    found = {}
    while (head := take(4)) == b"PK\3\4":
        version, flags, method, _, crc, packed_size, size, name_size, extra_size = struct.unpack("<HHHIIIIHH", take(26))
        name, extra = take(name_size), take(extra_size)
        sizes_follow = bool(flags & 8)
        assert flags & ~8 == 0x800 and version <= 45, (name, flags, version)
        assert method == 8 or (method == 0 and not sizes_follow), f"{name}: only DEFLATED entries can have EXT descriptor"
        if method == 8:
            content, found_size = inflate()
        else:
            content, found_size = take(size), size
        if sizes_follow:
            is_long = max(len(content), found_size) > 0xFFFFFFFF
            assert is_long == (b"\1\0\x10\0" in extra)
            mark, crc = struct.unpack("<4sI", take(8))
            assert mark == b"PK\7\10"
            packed_size, size = struct.unpack("<QQ" if is_long else "<II", take(16 if is_long else 8))
        assert (zlib.crc32(content), len(content), found_size) == (crc, size, packed_size), name
        assert name.decode() not in found
        found[name.decode()] = content
    assert head in (b"PK\1\2", b"PK\5\6", b"PK\6\6"), head
    return found
