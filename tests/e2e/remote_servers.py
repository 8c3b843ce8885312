"""Real FTP and SFTP servers on loopback, each with a folder of its own."""

import contextlib
import os
import pathlib
import pwd
import signal
import socket
import subprocess

from server import eventually

SSHD = "/usr/sbin/sshd"
VSFTPD = "/usr/sbin/vsftpd"


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def accepts(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def key_pair(file):
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(file)], check=True)
    return file


def processes_of(process):
    """The processes that a process has started, and theirs."""
    with contextlib.suppress(FileNotFoundError):
        started = [int(child) for child in pathlib.Path(f"/proc/{process}/task/{process}/children").read_text().split()]
        return started + [below for child in started for below in processes_of(child)]
    return []


class RemoteServer:
    """A process that serves `root` on `port`."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.root = self.folder / "root"
        self.root.mkdir(parents=True)
        self.port = free_port()
        self.process = None

    def start(self):
        log = (self.folder / "log").open("ab")
        self.process = subprocess.Popen(self.command(), stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        eventually(lambda: self.process.poll() is not None or accepts(self.port), "the server to listen")
        assert self.process.poll() is None, (self.folder / "log").read_text(errors="replace")
        return self

    def stop(self):
        """Ends it, and the connections that it has handed to processes of their own."""
        if self.process and self.process.poll() is None:
            sessions = processes_of(self.process.pid)
            self.process.terminate()
            self.process.wait()
            for session in sessions:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(session, signal.SIGTERM)


class SftpServer(RemoteServer):
    kind = "sftp"

    def __init__(self, folder):
        super().__init__(folder)
        self.host_key = key_pair(self.folder / "host_key")
        self.user_key = key_pair(self.folder / "user_key")
        (self.folder / "authorized").write_text((self.folder / "user_key.pub").read_text())
        (self.folder / "config").write_text(
            f"ListenAddress 127.0.0.1\nPort {self.port}\nHostKey {self.host_key}\nPidFile none\n"
            f"AuthorizedKeysFile {self.folder / 'authorized'}\nStrictModes no\nUsePAM no\n"
            "PermitRootLogin yes\nSubsystem sftp internal-sftp\n")
        pathlib.Path("/run/sshd").mkdir(exist_ok=True)

    def command(self):
        return [SSHD, "-D", "-e", "-f", str(self.folder / "config")]

    def fingerprint(self):
        shown = subprocess.run(["ssh-keygen", "-lf", f"{self.host_key}.pub"], check=True, capture_output=True, text=True)
        return shown.stdout.split()[1]

    def options(self):
        """What `coffer connector add` is told."""
        return ["--kind", "sftp", "--host", "127.0.0.1", "--port", str(self.port), "--user", "root",
                "--root", str(self.root), "--private-key", str(self.user_key), "--host-key", self.fingerprint()]


class FtpServer(RemoteServer):
    kind = "ftp"

    def __init__(self, folder):
        super().__init__(folder)
        # Anonymous logins are all that needs no user of the system; the top itself may not be writable then.
        self.top = self.root
        self.root = self.top / "files"
        self.root.mkdir()
        for made in (self.folder, self.top):
            made.chmod(0o755)
        os.chown(self.root, *self.owner())
        (self.folder / "config").write_text(
            f"listen=YES\nlisten_address=127.0.0.1\nlisten_port={self.port}\nbackground=NO\n"
            "anonymous_enable=YES\nlocal_enable=NO\nwrite_enable=YES\nanon_upload_enable=YES\n"
            "anon_mkdir_write_enable=YES\nanon_other_write_enable=YES\nanon_world_readable_only=NO\n"
            f"anon_root={self.top}\nanon_umask=022\nno_anon_password=YES\nftp_username=ftp\n"
            "seccomp_sandbox=NO\nisolate_network=NO\nsecure_chroot_dir=/var/empty\nmdtm_write=YES\n"
            "pasv_address=127.0.0.1\nuse_localtime=NO\n")
        pathlib.Path("/var/empty").mkdir(exist_ok=True)

    @staticmethod
    def owner():
        account = pwd.getpwnam("ftp")  # Made by the package vsftpd.
        return account.pw_uid, account.pw_gid

    def command(self):
        return [VSFTPD, str(self.folder / "config")]

    def options(self):
        return ["--kind", "ftp", "--host", "127.0.0.1", "--port", str(self.port), "--user", "anonymous",
                "--root", "files", "--password-stdin"]
