"""Images for the tests: whole ones, and such as are made to break decoders."""

import struct
import zlib


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(width, height, pixel=lambda x, y: (x % 256, y % 256, 128)):
    rows = b"".join(b"\0" + b"".join(bytes(pixel(x, y)) for x in range(width)) for y in range(height))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)) +
            chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def interlaced_bomb(side):
    """A PNG of few bytes that says it is a square of that many white pixels, and has to be held whole."""
    packer = zlib.compressobj(9)
    row = b"\0" * (1 + 3 * side)
    data = b"".join(packer.compress(row) for _ in range(side)) + packer.flush()
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 1)) +
            chunk(b"IDAT", data) + chunk(b"IEND", b""))


def size_of(webp):
    """Width and height, as the file tells them (RFC 9649, sections 2.5 to 2.7)."""
    assert webp[:4] == b"RIFF" and webp[8:12] == b"WEBP" and len(webp) == struct.unpack("<I", webp[4:8])[0] + 8
    kind, data = webp[12:16], webp[20:]
    if kind == b"VP8X":
        return int.from_bytes(data[4:7], "little") + 1, int.from_bytes(data[7:10], "little") + 1
    if kind == b"VP8L":
        bits = int.from_bytes(data[1:5], "little")
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    assert kind == b"VP8 " and data[3:6] == b"\x9d\x01\x2a"
    return struct.unpack("<HH", data[6:10])[0] & 0x3FFF, struct.unpack("<HH", data[6:10])[1] & 0x3FFF
