#!/usr/bin/python3
"""Prints the files that an image needs beside the programs themselves: libraries, also those that are loaded late, a line each."""

import pathlib
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import parts  # noqa: E402


def main():
    program = sys.argv[1]
    modules = sorted(map(str, pathlib.Path("/usr/lib/x86_64-linux-gnu").glob("vips-modules-*/*.so")))
    found = parts.libraries_of_program(program) | parts.libraries_of("/usr/bin/vipsthumbnail", *modules)
    for path in sorted(set(found.values()) | set(modules)):
        print(path)


if __name__ == "__main__":
    main()
