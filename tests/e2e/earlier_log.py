"""The log of small contents that an earlier version left in a data folder (src/backends/local/earlier_log.cc)."""

import ctypes
import os
import struct
import subprocess

BLOCK = 4096
HEAD = struct.Struct("=16s80s16s")
FRAME = struct.Struct("=QQ")
RECORD = struct.Struct("=QQqIIII qqqQQqqQ")
KEY = b"sixteen bytes ok"


def siphash(content):
    sodium = ctypes.CDLL("libsodium.so.23")
    out = ctypes.create_string_buffer(8)
    sodium.crypto_shorthash(out, content, ctypes.c_ulonglong(len(content)), KEY)
    return out.raw


def born_at(folder):
    seconds, nanoseconds = subprocess.check_output(["stat", "--format=%.9W", folder], text=True).split(".")
    return int(seconds), int(nanoseconds)


def record_of(data, home, sequence, name, content):
    root = os.fsencode(home.relative_to(data))
    path = root + b"/" + os.fsencode(name)
    inode = home.stat().st_ino
    modified = 1_700_000_000
    head = RECORD.pack(sequence, 1, modified, 0, len(path), len(content), 0, 0, 0, 0, inode, inode, *born_at(home), len(root))
    return head + path + content


def leave_log(data, home, files):
    """A log of another run of the machine, which holds these files of an account; of each of them, a crash took all."""
    log = HEAD.pack(b"coffer log 2\n", b"boot=another run\n", KEY).ljust(BLOCK, b"\0")
    for sequence, (name, content) in enumerate(files.items(), 1):
        payload = record_of(data, home, sequence, name, content)
        frame = FRAME.pack(sequence, len(payload)) + payload
        frame = siphash(frame) + frame
        log += frame.ljust(-(-len(frame) // BLOCK) * BLOCK, b"\0")
    (data / "content-log").mkdir()
    (data / "content-log/contents-1.log").write_bytes(log)
