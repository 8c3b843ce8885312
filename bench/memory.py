"""How much memory the server takes: these rows have limits, not peers."""

import contextlib
import json
import re
import socket

import drive_rows
import remote_rows
import rows
from process import fetch, memory_mib


def _extra(server, work):
    before = server.memory_mib()
    server.reset_peak()
    work()
    return server.memory_mib("VmHWM") - before


def _idle_connections(server, count):
    request = server.head("GET", "/account")
    held = []
    try:
        for _ in range(count):
            connection = socket.create_connection(("127.0.0.1", server.port), 30)
            connection.sendall(request)
            if b" 200 " not in connection.recv(65536)[:20]:
                raise RuntimeError("a connection was refused")
            held.append(connection)
        return server.memory_mib()
    finally:
        for connection in held:
            connection.close()


def measure(bench):
    """Titles, limits in MiB and figures in MiB."""
    server = bench.fresh_coffer()
    yield "idle, memory, with the interface for people", 24, server.memory_mib()
    for title, kind in (("download", rows.LargeDownload), ("upload", rows.DurableUpload), ("copy", rows.CopyTree)):
        row = kind(bench)
        yield f"{title}, memory on top", 16, _extra(row.coffer_server, lambda row=row: row.coffer("memory"))
    yield "10,000 idle connections, memory", 200, _idle_connections(bench.fresh_coffer(), 10_000)


STALLED = 300  # Readers at once: several for each kind of what a client can ask for and leave.


def _largest_part(server):
    """Of the interface, by its path."""
    page, _ = fetch(server.port, "GET", "/", {})
    parts = set(re.findall(r'(?:src|href)="(/[^"]+\.js)"', page.decode()))
    return max(parts, key=lambda part: len(fetch(server.port, "GET", part, {})[0]))


def _large_requests(bench, server, account, entries):
    """What an account can ask for that is large, and how."""
    bench.create(account.files / "many", entries, 64, 2, entries, "cached")
    bench.create(account.files / "archived", entries // 10, 4096, 2, 100, "cached")
    headers = {"X-API-Key": account.key, "Content-Type": "application/json"}
    task = json.dumps({"kind": "delete", "sources": [f"{'missing' * 8}/{number}" for number in range(1_000)]})
    for _ in range(50):
        fetch(server.port, "POST", "/api/v2/tasks", headers, task, 202)
    targets = ["/api/v1/files?path=many/0000", "/api/v2/files?limit=10000&path=many/0000",
               "/api/v2/search?q=*&limit=10000", "/api/v2/archive?format=zip&path=archived",
               "/api/v2/archive?format=tar.zst&path=archived", "/api/v2/tasks", _largest_part(server)]
    return [f"GET {target} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-API-Key: {account.key}\r\n\r\n".encode() for target in targets]


def _peak_when_stalled(server, requests):
    """They take turns, and of each answer only its status is read."""
    server.wait_until_idle()
    server.reset_peak()
    with contextlib.ExitStack() as behind:
        held = []
        for number in range(STALLED):
            connection = behind.enter_context(socket.socket())
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            connection.settimeout(600)
            connection.connect(("127.0.0.1", server.port))
            connection.sendall(requests[number % len(requests)])
            held.append(connection)
        for connection in held:
            if (status := connection.recv(12)[9:]) not in (b"200", b"429", b"503"):
                raise RuntimeError(f"a stalled reader got {status}")
        server.wait_until_idle()
        return server.memory_mib("VmHWM")


def measure_stalled(bench):
    """Of one account, and of twelve at once."""
    server = bench.fresh_coffer()
    requests = _large_requests(bench, server, server, 100_000)
    yield f"peak memory of the process under {STALLED} stalled readers", 256, _peak_when_stalled(server, requests)
    server = bench.fresh_coffer()
    requests = [request for number in range(12)
                for request in _large_requests(bench, server, server.account(f"reader{number}"), 20_000)]
    yield "the same, of twelve accounts", 256, _peak_when_stalled(server, requests)


def measure_mounts(bench):
    """The same of transfers with FTP and SFTP servers, each with a server that had no work before."""
    for title, kind in (
        ("download from an FTP mount", remote_rows.FtpDownload),
        ("download from an SFTP mount", remote_rows.SftpDownload),
        ("copy from an SFTP to an FTP mount", remote_rows.SftpToFtp),
    ):
        bench.fresh_coffer()
        row = kind(bench)
        yield f"{title}, memory on top", 16, _extra(row.coffer_server, lambda row=row: row.coffer("memory"))


def measure_drives(bench):
    """Coffer's peak and its rclone's, of a server just started; they may not have been at the same time."""
    for title, kind in (
        ("download from a drive", drive_rows.DriveDownload),
        ("copy to a drive", drive_rows.CopyToDrive),
        ("upload to a drive", drive_rows.UploadToDrive),
    ):
        bench.fresh_coffer()
        row = kind(bench)
        row.transfer()
        peaks = [memory_mib(pid, "VmHWM") for pid in row.coffer_server.pids()]
        remote_rows.expect("Coffer's processes", len(peaks), 2)
        yield f"{title}, memory with rclone's", 160, sum(peaks)


ROWS = {"memory": measure, "stalled-memory": measure_stalled, "mount-memory": measure_mounts, "drive-memory": measure_drives}
