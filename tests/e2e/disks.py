"""File systems of the tests' own: small ones, which can be filled, and images."""

import errno
import os
import pathlib
import re
import subprocess

import pytest

# Where the program then finds a file system in memory in place of its folder, with what that held.
ON_A_SMALL_DISK = ('mount -n -t tmpfs -o "size=$2,mode=700" tmpfs "$1.disk" && cp -a "$1/." "$1.disk" && '
                   'mount -n --move "$1.disk" "$1" && { [ "$3" = all ] || { cat /dev/zero > "$1/filling" || truncate -s "-$3" "$1/filling"; } } && '
                   'shift 3 && exec "$@"')
PIECE = bytes(1 << 20)


def is_root_a_mount():
    """Not so in a chroot whose folder is no mount: what is mounted there cannot be kept from the outside as a whole."""
    mounts = pathlib.Path("/proc/self/mountinfo").read_text().splitlines()
    return any(line.split()[4] == "/" for line in mounts)


def own_mounts():
    """In front of a command: mounts of its own, as whichever user; as other users than root it believes to be root."""
    if os.geteuid() != 0:
        return ("unshare", "--mount", "--user", "--map-root-user", "--")
    return ("unshare", "--mount", *([] if is_root_a_mount() else ["--propagation", "unchanged"]), "--")


def system(*arguments, may_fail=False):
    done = subprocess.run(list(map(str, arguments)), capture_output=True, text=True)
    assert may_fail or done.returncode == 0, (arguments, done.stdout, done.stderr)
    return done


class SmallDisk:
    """The data folder of a server in a mount namespace of its own: no privilege is needed, nothing stays."""

    def __init__(self, server, size_bytes, free_bytes=None):
        self.server = server
        pathlib.Path(f"{server.data}.disk").mkdir()
        server.in_front = (*own_mounts(), "sh", "-c", ON_A_SMALL_DISK, "sh", str(server.data), str(size_bytes),
                           str(free_bytes or "all"))

    @property
    def folder(self):
        """The server's data folder as the server sees it."""
        return pathlib.Path(f"/proc/{self.server.process.pid}/root{self.server.data}")

    def fill(self):
        """Takes what is left, to the last byte."""
        fill(self.folder)

    def free(self):
        (self.folder / "filling").unlink()


def fill(folder):
    with (folder / "filling").open("ab", buffering=0) as filling:
        for piece in (PIECE, PIECE[:4096], PIECE[:1]):
            try:
                while filling.write(piece):
                    pass
            except OSError as error:
                assert error.errno == errno.ENOSPC, error


def needs_loop_devices():
    if not re.search(r"^ *\d+ loop$", pathlib.Path("/proc/devices").read_text(), re.MULTILINE):
        pytest.skip("this kernel has no loop devices")


class Disk:
    """A file system in a file, which only root can mount, in no namespace but the first."""

    def __init__(self, image, mount_point):
        if os.geteuid() != 0:
            pytest.skip("only root may mount a disk image")
        self.image, self.folder = image, mount_point
        mount_point.mkdir()

    def make(self, *options):
        with self.image.open("wb") as image:
            image.truncate(256 << 20)
        system("/sbin/mkfs.ext4", "-q", "-F", *options, self.image)
        return self

    def mount(self, folder=None):
        self.folder = folder or self.folder
        done = system("mount", "-o", "loop", self.image, self.folder, may_fail=True)
        if done.returncode != 0:
            needs_loop_devices()
        assert done.returncode == 0, done.stderr
        return self

    def repair(self):
        done = system("/sbin/e2fsck", "-fy", self.image, may_fail=True)
        assert done.returncode in (0, 1), done.stdout + done.stderr

    def unmount(self):
        system("umount", self.folder)
