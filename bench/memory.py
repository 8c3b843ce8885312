"""How much memory the server takes: these rows have limits, not peers."""

import socket

import drive_rows
import remote_rows
import rows
from process import memory_mib


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


ROWS = {"memory": measure, "mount-memory": measure_mounts, "drive-memory": measure_drives}
