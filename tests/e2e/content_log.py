"""The log of small contents as it lies in a data folder after the server has gone, and what a power cut may do to the
files that it holds (src/backends/local/log_file.cc, log_record.cc)."""

import ctypes
import os
import pathlib
import struct

BOOT_ID = pathlib.Path("/proc/sys/kernel/random/boot_id")
BLOCK = 4096
HEAD = struct.Struct("=16s80s16s")
FRAME = struct.Struct("=QQQ")
RECORD = struct.Struct("=QQqIIII qqqQQqqQ")
FORGOTTEN = 1


def siphash(key, content):
    sodium = ctypes.CDLL("libsodium.so.23")
    out = ctypes.create_string_buffer(8)
    sodium.crypto_shorthash(out, content, ctypes.c_ulonglong(len(content)), key)
    return int.from_bytes(out.raw, "little")


def logs(data):
    return sorted((data / "content-log").glob("contents-*.log"))


def frames_of(log):
    """What was appended since the log was last cleared: (sequence, payload)."""
    content = log.read_bytes()
    if len(content) < BLOCK:
        return
    magic, _, key = HEAD.unpack_from(content)
    assert magic.startswith(b"coffer log 2\n"), magic
    at = BLOCK
    while at + FRAME.size <= len(content):
        checked, sequence, size = FRAME.unpack_from(content, at)
        end = at + FRAME.size + size
        if end > len(content) or siphash(key, content[at + 8:end]) != checked:
            return
        yield sequence, content[at + FRAME.size:end]
        at = (end + BLOCK - 1) // BLOCK * BLOCK


def records_of(payload):
    at = 0
    while at < len(payload):
        (sequence, inode, _, _, path_size, content_size, kind, *_) = RECORD.unpack_from(payload, at)
        path = at + RECORD.size
        end = path + path_size + content_size
        yield sequence, inode, kind, os.fsdecode(payload[path:path + path_size])
        at = end


def logged_files(data):
    """The files that the log holds, by their paths: the inode of each."""
    found = {}
    for _, payload in sorted(frame for log in logs(data) for frame in frames_of(log)):
        for sequence, inode, kind, path in records_of(payload):
            if kind == FORGOTTEN:
                found = {name: one for name, one in found.items()
                         if one[0] > sequence or not (name == path or name.startswith(path + "/"))}
            else:
                found[path] = sequence, inode
    return {data / path: inode for path, (_, inode) in found.items()}  # A path that is absolute stays so.


def forget_the_boot(data):
    """The machine's run is another one now; a kernel tells by its id, which stands in the log."""
    boot = BOOT_ID.read_bytes().strip()
    for log in logs(data):
        content = log.read_bytes()
        if len(content) >= BLOCK:
            assert boot in content[:BLOCK]
            log.write_bytes(content.replace(boot, b"0" * len(boot), 1))
    return logs(data)


def cut_power(data, chance):
    """As if the machine had stopped when the server did: of the files in the log, the disk has some, some are missing,
    and of some it has the name alone. Returns how many it does not have."""
    damaged = 0
    for path, inode in logged_files(data).items():
        if chance.random() < 0.2 or not path.is_file() or path.stat().st_ino != inode:
            continue
        damaged += 1
        if chance.random() < 0.5:
            path.unlink()
        else:
            before = path.stat()
            os.truncate(path, 0)
            os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    forget_the_boot(data)
    return damaged
