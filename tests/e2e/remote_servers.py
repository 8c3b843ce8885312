"""Real FTP and SFTP servers on loopback, each with a folder of its own. Started by root, whose accounts they need."""

import contextlib
import os
import pathlib
import pwd
import select
import signal
import socket
import subprocess

from server import DIES_WITH_US, PATIENCE_S, REPOSITORY, eventually

SSHD = "/usr/sbin/sshd"
VSFTPD = "/usr/sbin/vsftpd"
UNPACKED = REPOSITORY / "build/servers"  # By script/setup: Debian does not install pure-ftpd beside vsftpd.


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def accepts(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def key_pair(file, passphrase=""):
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", passphrase, "-f", str(file)], check=True)
    return file


def certificate(folder):
    """A certificate for 127.0.0.1 that vouches for itself, and its key."""
    made, key = folder / "cert.pem", folder / "key.pem"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                    "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1",
                    "-keyout", str(key), "-out", str(made)], check=True, capture_output=True)
    return made, key


def processes_of(process):
    """The processes that a process has started, and theirs."""
    started = []
    with contextlib.suppress(FileNotFoundError):  # A child is that of a thread.
        for thread in pathlib.Path(f"/proc/{process}/task").iterdir():
            with contextlib.suppress(FileNotFoundError):
                started += map(int, (thread / "children").read_text().split())
    return started + [below for child in started for below in processes_of(child)]


def end(processes):
    """Ends orphaned processes, and waits for that. A session of sshd may sleep through a kind word."""
    with contextlib.ExitStack() as seen:
        ending = []
        for process in processes:
            with contextlib.suppress(ProcessLookupError):
                ending.append(os.pidfd_open(process))
                seen.callback(os.close, ending[-1])
                signal.pidfd_send_signal(ending[-1], signal.SIGKILL)
        for process in ending:
            assert select.select([process], [], [], PATIENCE_S)[0], "a server's process does not end"


class RemoteServer:
    """A process that serves `root` on `port`."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.root = self.folder / "root"
        self.root.mkdir(parents=True)
        self.port = free_port()
        self.process = None

    def start(self):
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen([*DIES_WITH_US, *self.command()], stdin=subprocess.DEVNULL, stdout=log,
                                            stderr=log)
        try:
            eventually(lambda: self.process.poll() is not None or accepts(self.port), "the server to listen")
            assert self.process.poll() is None, (self.folder / "log").read_text(errors="replace")
        except BaseException:
            self.stop()
            raise
        return self

    def stop(self):
        """Ends it, and the connections that it has handed to processes of their own."""
        if self.process and self.process.poll() is None:
            sessions = processes_of(self.process.pid)
            self.process.terminate()
            self.process.wait(PATIENCE_S)
            end(sessions)

    def close(self):
        """Ends it for good; after `stop` it may `start` again."""
        self.stop()


class SftpServer(RemoteServer):
    kind = "sftp"
    PROGRAM = "internal-sftp"

    def __init__(self, folder):
        super().__init__(folder)
        self.host_key = key_pair(self.folder / "host_key")
        self.user_key = key_pair(self.folder / "user_key")
        (self.folder / "authorized").write_text((self.folder / "user_key.pub").read_text())
        (self.folder / "config").write_text(
            f"ListenAddress 127.0.0.1\nPort {self.port}\nHostKey {self.host_key}\nPidFile none\n"
            f"AuthorizedKeysFile {self.folder / 'authorized'}\nStrictModes no\nUsePAM no\n"
            f"PermitRootLogin yes\nSubsystem sftp {self.PROGRAM}\nMaxStartups 1000\n")
        pathlib.Path("/run/sshd").mkdir(exist_ok=True)  # Compiled into the program.

    def command(self):
        return [SSHD, "-D", "-e", "-f", str(self.folder / "config")]

    def fingerprint(self):
        shown = subprocess.run(["ssh-keygen", "-lf", f"{self.host_key}.pub"], check=True, capture_output=True, text=True)
        return shown.stdout.split()[1]

    def options(self):
        """The arguments of `coffer connector add`."""
        return ["--kind", "sftp", "--host", "127.0.0.1", "--port", str(self.port), "--user", "root",
                "--root", str(self.root), "--private-key", str(self.user_key), "--host-key", self.fingerprint()]


class SftpServerWithoutTimes(SftpServer):
    """Refuses to set times, modes and owners, as some servers of companies do."""

    PROGRAM = "internal-sftp -P setstat,fsetstat"


def ftp_account():
    account = pwd.getpwnam("ftp")  # Made by the package vsftpd.
    return account.pw_uid, account.pw_gid


class FtpServer(RemoteServer):
    """vsftpd: LIST alone, and no times. `tls` is "explicit" or "implicit"; `wants_password` takes any."""

    kind = "ftp"
    SETTINGS = ("listen=YES\nlisten_address=127.0.0.1\nbackground=NO\nanonymous_enable=YES\nlocal_enable=NO\n"
                "write_enable=YES\nanon_upload_enable=YES\nanon_mkdir_write_enable=YES\n"
                "anon_other_write_enable=YES\nanon_world_readable_only=NO\nanon_umask=022\nftp_username=ftp\n"
                "seccomp_sandbox=NO\nisolate_network=NO\nmdtm_write=YES\npasv_address=127.0.0.1\n"
                "use_localtime=NO\n")

    def __init__(self, folder, wants_password=False, tls=None):
        super().__init__(folder)
        # Anonymous logins are all that needs no user of the system; the top itself may not be writable then.
        self.top, self.tls = self.root, tls
        self.root = self.top / "files"
        empty = self.folder / "empty"
        for made in (self.root, empty):
            made.mkdir()
        for made in (self.folder, self.top):
            made.chmod(0o755)
        os.chown(self.root, *ftp_account())
        settings = self.SETTINGS + (f"listen_port={self.port}\nanon_root={self.top}\nsecure_chroot_dir={empty}\n"
                                    f"no_anon_password={'NO' if wants_password else 'YES'}\n")
        (self.folder / "config").write_text(settings + (self.tls_settings() if tls else ""))

    def tls_settings(self):
        self.certificate, key = certificate(self.folder)
        return ("ssl_enable=YES\nallow_anon_ssl=YES\nforce_anon_logins_ssl=YES\nforce_anon_data_ssl=YES\n"
                f"rsa_cert_file={self.certificate}\nrsa_private_key_file={key}\nssl_ciphers=HIGH\n"
                f"implicit_ssl={'YES' if self.tls == 'implicit' else 'NO'}\n")

    def command(self):
        return [VSFTPD, str(self.folder / "config")]

    def options(self):
        return ["--kind", "ftp", "--host", "127.0.0.1", "--port", str(self.port), "--user", "anonymous",
                "--root", "files", "--password-stdin", *(["--tls", self.tls] if self.tls else [])]


class PureFtpd(RemoteServer):
    """pure-ftpd: MLSD, and MFMT for times. Its one account is `tester`, `secret`."""

    kind = "ftp"
    HASH = "$1$coffer$wvkQLSd7Qq3wHqusNXhUZ0"  # Written by hand: the tool's own take a second for each login.

    def __init__(self, folder):
        super().__init__(folder)
        assert (UNPACKED / "usr/sbin/pure-ftpd").exists(), "no pure-ftpd: run script/setup first"
        self.folder.chmod(0o755)
        os.chown(self.root, *ftp_account())
        accounts = self.folder / "passwd"
        user, group = ftp_account()
        accounts.write_text(f"tester:{self.HASH}:{user}:{group}::{self.root}/./::::::::::::\n")
        subprocess.run([UNPACKED / "usr/bin/pure-pw", "mkdb", self.folder / "accounts.pdb", "-f", accounts], check=True)

    def command(self):
        # -E no anonymous users, -A everybody in a folder of his own, -H no names of hosts, -c and -C how many clients,
        # -u the least user number, -g where the process number goes.
        return [str(UNPACKED / "usr/sbin/pure-ftpd"), "-S", f"127.0.0.1,{self.port}", "-l",
                f"puredb:{self.folder / 'accounts.pdb'}", "-E", "-A", "-H", "-c", "100", "-C", "100", "-u", "1",
                "-g", str(self.folder / "pid")]

    def options(self):
        return ["--kind", "ftp", "--host", "127.0.0.1", "--port", str(self.port), "--user", "tester", "--root", "/",
                "--password-stdin"]
