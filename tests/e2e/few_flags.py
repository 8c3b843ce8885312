"""In front of a program: the kernel then refuses it steps that not every file system has, as such a file system does.

    few_flags.py noreplace,exchange,tmpfile,link,times PROGRAM ARGUMENTS

A filter of seccomp(2), so that it goes for whatever way the calls are made, and for all that the program starts."""

import ctypes
import errno
import os
import platform
import struct
import sys

X86 = platform.machine() == "x86_64"
RENAMEAT2, OPENAT, LINKAT, UTIMENSAT = (316, 257, 265, 280) if X86 else (276, 56, 37, 88)
TMPFILE_BIT = 0o20000000
PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, MODE_FILTER = 38, 22, 2
LOAD, IS_EQUAL, HAS_BITS, END = 0x20, 0x15, 0x45, 0x06
ALLOW, ERRNO = 0x7FFF0000, 0x00050000

# The system call, the error, and the argument that has these bits, if not each call is meant.
REFUSED = {
    "noreplace": (RENAMEAT2, errno.EINVAL, 4, 1),
    "exchange": (RENAMEAT2, errno.EINVAL, 4, 2),
    "tmpfile": (OPENAT, errno.EOPNOTSUPP, 2, TMPFILE_BIT),
    "link": (LINKAT, errno.EPERM, None, 0),
    "times": (UTIMENSAT, errno.EINVAL, None, 0),
}


def step(code, value, if_true=0, if_false=0):
    return struct.pack("=HBBI", code, if_true, if_false, value)


def refuse(call, error, argument, bits):
    look = b"" if argument is None else step(LOAD, 16 + 8 * argument) + step(HAS_BITS, bits, 0, 1)
    return step(LOAD, 0) + step(IS_EQUAL, call, 0, len(look) // 8 + 1) + look + step(END, ERRNO | error)


class Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("steps", ctypes.c_char_p)]


def main(names, *command):
    steps = b"".join(refuse(*REFUSED[name]) for name in names.split(",")) + step(END, ALLOW)
    libc = ctypes.CDLL(None, use_errno=True)
    program = Program(len(steps) // 8, steps)
    for call in ((PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), (PR_SET_SECCOMP, MODE_FILTER, ctypes.byref(program), 0, 0)):
        if libc.prctl(*call) != 0:
            raise OSError(ctypes.get_errno(), "prctl")
    os.execvp(command[0], command)


if __name__ == "__main__":
    main(*sys.argv[1:])
