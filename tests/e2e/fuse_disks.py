"""File systems that programs serve by FUSE, on folders and images of the tests' own. They lack steps that disks have."""

import contextlib
import os
import shutil

import pytest

from disks import needs_loop_devices, system
from mounting import scratch, started
from remote_servers import SftpServer

IMAGE_BYTES = 64 << 20


def image(folder, *format_command):
    path = folder / "image"
    with path.open("wb") as file:
        file.truncate(IMAGE_BYTES)
    system(*format_command, path)
    return path


@contextlib.contextmanager
def loop_device(path):
    device = system("losetup", "--find", "--show", path).stdout.strip()
    try:
        yield device
    finally:
        system("losetup", "--detach", device)


@contextlib.contextmanager
def mounted(folder, *command):
    point = folder / "mounted"
    point.mkdir()
    system(*command, point)
    try:
        yield point
    finally:
        system("umount", "--lazy", point)


@contextlib.contextmanager
def of_bindfs(folder):
    (folder / "source").mkdir()
    with mounted(folder, "bindfs", folder / "source") as point:
        yield point


@contextlib.contextmanager
def of_mergerfs(folder):
    (folder / "source").mkdir()
    with mounted(folder, "mergerfs", folder / "source") as point:
        yield point


@contextlib.contextmanager
def of_sshfs(folder):
    with started(SftpServer) as servers:
        server = servers["sftp"]
        options = [f"IdentityFile={server.user_key}", "StrictHostKeyChecking=no", "UserKnownHostsFile=/dev/null",
                   "BatchMode=yes", "idmap=user"]
        with mounted(folder, "sshfs", "-p", server.port, *(word for one in options for word in ("-o", one)),
                     f"root@127.0.0.1:{server.root}") as point:
            yield point


@contextlib.contextmanager
def of_exfat(folder):
    with loop_device(image(folder, "/sbin/mkfs.exfat")) as device, mounted(folder, "mount.exfat-fuse", device) as point:
        yield point


@contextlib.contextmanager
def of_ntfs(folder):
    with loop_device(image(folder, "/sbin/mkfs.ntfs", "-F", "-Q")) as device, mounted(folder, "ntfs-3g", device) as point:
        yield point


FUSE_DISKS = {"bindfs": of_bindfs, "mergerfs": of_mergerfs, "sshfs": of_sshfs, "mount.exfat-fuse": of_exfat,
              "ntfs-3g": of_ntfs}


@contextlib.contextmanager
def fuse_disk(program):
    """Where it is mounted, which only root may do."""
    if os.geteuid() != 0 or not os.path.exists("/dev/fuse"):
        pytest.skip("only root may mount, on a kernel with FUSE")
    assert shutil.which(program), f"no {program}: run script/setup first"
    if program in ("mount.exfat-fuse", "ntfs-3g"):
        needs_loop_devices()
    with scratch("fuse") as folder, FUSE_DISKS[program](folder) as point:
        yield point
