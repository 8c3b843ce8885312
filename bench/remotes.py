"""The FTP and SFTP servers that are mounted, those of the end-to-end tests, and the clients that Coffer is held against."""

import os
import pathlib
import re
import subprocess
import sys
import time

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "tests/e2e"))

from remote_servers import FtpServer, SftpServer  # noqa: E402


class PlainSftpServer(SftpServer):
    """Its shells read nobody's settings: rclone starts one for each file that it compares."""

    def __init__(self, folder):
        super().__init__(folder)
        with (self.folder / "config").open("a") as config:
            config.write(f"SetEnv HOME={self.folder}\n")


SERVERS = {kind.kind: kind for kind in (FtpServer, PlainSftpServer)}


def timed_run(command, stdout=subprocess.PIPE, **more):
    """A client's run, what it says, and its seconds; what it complains of is only shown when it fails."""
    words = [str(word) for word in command]
    start = time.monotonic()
    run = subprocess.run(words, stdout=stdout, stderr=subprocess.PIPE, text=True, **more)
    seconds = time.monotonic() - start
    if run.returncode:
        raise RuntimeError(f"{command[0]}: {run.stderr[-2000:]}")
    return run, seconds


def curl_get(ftp, name):
    """Drops a file of the FTP server; its size, and seconds from connecting to the last byte."""
    options = ["-o", "/dev/null", "-w", "%{size_download} %{time_total}"]
    run, _ = timed_run(["curl", "-q", "-sSf", *options, ftp_url(ftp, name)])
    size, seconds = run.stdout.split()
    return int(size), float(seconds)


def ftp_url(ftp, name):
    return f"ftp://127.0.0.1:{ftp.port}/{ftp.root.name}/{name}"


def sftp_get(sftp, name, target):
    """Gets a file by OpenSSH's sftp, all as it is by default; the bytes that came, and seconds."""
    options = ["UserKnownHostsFile=/dev/null", "StrictHostKeyChecking=no", "IdentityAgent=none", "LogLevel=VERBOSE"]
    command = ["sftp", "-F", "none", "-b", "-", "-i", sftp.user_key, "-P", sftp.port]
    command += [word for option in options for word in ("-o", option)]
    run, seconds = timed_run([*command, "root@127.0.0.1"], input=f'get "{sftp.root / name}" "{target}"\n')
    return int(re.search(r"^Transferred: .* received (\d+) bytes", run.stderr, re.M)[1]), seconds


def rclone(command, source, target, *servers):
    """Seconds of an rclone that knows the servers by their kinds."""
    known = {server.kind: {"type": server.kind, "host": "127.0.0.1", "port": server.port, **_login(server)}
             for server in servers}
    return rclone_with(known, command, source, target)


def is_of_rclone(variable):
    """Whether it changes what rclone does; with the last one set it does without S3."""
    return variable.startswith("RCLONE_") or variable == "AWS_CA_BUNDLE"


def rclone_with(known, *words, stdout=subprocess.PIPE):
    """Seconds of an rclone with its own defaults; `known` has the parameters of its remotes by their names."""
    environment = {name: value for name, value in os.environ.items() if not is_of_rclone(name)}
    for remote, parameters in known.items():
        for name, value in parameters.items():
            environment[f"RCLONE_CONFIG_{remote}_{name}".upper()] = str(value)
    return timed_run(["rclone", "--config", "/dev/null", *words], stdout, env=environment)[1]


def _login(server):
    if server.kind == "sftp":
        return {"user": "root", "key_file": server.user_key}
    return {"user": "anonymous", "pass": timed_run(["rclone", "obscure", "any password"])[0].stdout.strip()}
