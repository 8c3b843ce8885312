"""Clients of WebDAV: rclone itself, and what Windows' and macOS' clients send, in their order."""

import hashlib
import os
import subprocess

import pytest

from dav import DAV, EXCLUSIVE, Dav, dav_of
from nginx import TlsNginx
from people import Person
from server import PATIENCE_S
from test_tls import make_certificate

WINDOWS = {"User-Agent": "Microsoft-WebDAV-MiniRedir/10.0.19045", "translate": "f"}
FINDER = {"User-Agent": "WebDAVFS/3.0.0 (03008000) Darwin/22.6.0 (x86_64)"}


@pytest.fixture
def dav(account):
    return dav_of(account)


@pytest.fixture
def person(account):
    return Person(account.server, key=account.key)


def obscured(secret):
    return subprocess.run(["rclone", "obscure", "-"], input=secret, capture_output=True, text=True, check=True).stdout.strip()


def rclone(account, *arguments, url=None, **more):
    remote = {"RCLONE_WEBDAV_URL": f"{url or account.server.url}/dav/", "RCLONE_WEBDAV_VENDOR": "owncloud",
              "RCLONE_WEBDAV_USER": account.name, "RCLONE_WEBDAV_PASS": obscured(account.key), **more}
    done = subprocess.run(["rclone", "--config", "", *map(str, arguments)], capture_output=True, text=True, timeout=PATIENCE_S,
                          env={"PATH": os.environ["PATH"], "HOME": "/nonexistent", **remote})
    assert done.returncode == 0, done.stderr
    return done.stderr


def test_rclone_transfers_what_changed_and_no_more(account, tmp_path):
    source = tmp_path / "source"
    (source / "folder ü").mkdir(parents=True)
    for number in range(20):
        (source / "folder ü" / f"{number} & %.bin").write_bytes(os.urandom(1_000 * number))
    rclone(account, "sync", source, ":webdav:backup")
    assert "There was nothing to transfer" in rclone(account, "sync", "-v", source, ":webdav:backup")
    rclone(account, "check", "--download", source, ":webdav:backup")
    # Of the same size: only its time tells.
    changed = source / "folder ü" / "7 & %.bin"
    changed.write_bytes(bytes(7_000))
    os.utime(changed, (1_600_000_000, 1_600_000_000))
    log = rclone(account, "sync", "-v", source, ":webdav:backup")
    assert "7 & %.bin: Copied" in log and log.count(": Copied") == 1, log
    rclone(account, "check", "--download", source, ":webdav:backup")
    rclone(account, "moveto", ":webdav:backup", ":webdav:other")
    rclone(account, "check", "--download", source, ":webdav:other")
    rclone(account, "purge", ":webdav:other")
    assert account.client.names() == []


def test_rclone_renames_by_a_proxy_that_speaks_https(own_server, account_on, tmp_path):
    """The program sees the proxy's http alone; what is moved goes to an https address."""
    server = own_server(base_path="/coffer", trusted_proxies=["127.0.0.1"])
    account = account_on(server)
    certificate, key = make_certificate(tmp_path / "tls")
    proxy = TlsNginx(tmp_path / "nginx", server, certificate, key)
    try:
        trust = {"url": proxy.url, "RCLONE_CA_CERT": str(certificate)}
        source = tmp_path / "source"
        source.mkdir()
        (source / "ä & b.bin").write_bytes(os.urandom(100_000))
        rclone(account, "sync", source, ":webdav:one", **trust)
        rclone(account, "moveto", ":webdav:one", ":webdav:two", **trust)
        rclone(account, "moveto", ":webdav:two/ä & b.bin", ":webdav:two/c.bin", **trust)
        assert account.client.names() == ["two"] and account.client.names("two") == ["c.bin"]
        assert account.client.content("two/c.bin") == (source / "ä & b.bin").read_bytes()
    finally:
        proxy.stop()


def in_gnome(folder, key, address, commands):
    """What the commands print in a session without a screen, where gio, the client of GNOME's Files, has mounted the address."""
    run = folder / "run"
    run.mkdir(mode=0o700)
    script = f"set -eu\nprintf '%s\\n' \"$KEY\" | gio mount {address} >/dev/null\n{commands}\ngio mount -u {address}\n"
    done = subprocess.run(["dbus-run-session", "--", "bash", "-c", script], capture_output=True, text=True, timeout=PATIENCE_S * 4,
                          env={"PATH": os.environ["PATH"], "HOME": str(folder), "XDG_RUNTIME_DIR": str(run), "KEY": key, "LC_ALL": "C.UTF-8"})
    assert done.returncode == 0, (done.stdout, done.stderr)
    return done.stdout


def test_gnome_mounts_copies_renames_and_deletes(account, person, tmp_path):
    address = f"dav://{account.name}@127.0.0.1:{account.server.port}/dav/"
    large = tmp_path / "large.bin"
    with large.open("wb") as out:
        for _ in range(1024):
            out.write(os.urandom(1 << 20))
    account.client.make_folder("", "folder").ok()
    shown = in_gnome(tmp_path, account.key, address, f"""
        gio list {address}
        gio copy {large} {address}large.bin
        gio rename {address}large.bin "new ä & name.bin" >/dev/null
        gio mkdir {address}folder/inner
        gio save {address}folder/note.txt <<<"a note"
        gio cat {address}folder/note.txt
        gio move {address}folder/note.txt {address}folder/inner/note.txt
        gio info -a standard::size "{address}new ä & name.bin"
        gio remove {address}folder/inner/note.txt
    """)
    assert shown.startswith("folder\na note\n") and f"standard::size: {1 << 30}" in shown, shown
    assert account.client.names() == ["folder", "new ä & name.bin"] and account.client.names("folder") == ["inner"]
    assert (account.root / "new ä & name.bin").stat().st_size == 1 << 30
    with large.open("rb") as one, (account.root / "new ä & name.bin").open("rb") as other:
        assert hashlib.file_digest(one, "sha256").digest() == hashlib.file_digest(other, "sha256").digest()
    assert [item["path"] for item in person.ok("GET", "bin")["entries"]] == ["folder/inner/note.txt"]


def test_windows_maps_a_drive_and_copies_a_file_to_it(account, dav):
    def ask(method, path, body=None, headers=None, top="/dav/"):
        return dav.call(method, path, body, {**WINDOWS, **(headers or {})}, top=top)

    nobody = Dav(account.server)
    nobody.call("OPTIONS", "", None, WINDOWS, top="/").is_(200)
    nobody.call("PROPFIND", "", None, {**WINDOWS, "Depth": "0"}).is_(401)
    answer = ask("OPTIONS", "").is_(200)
    assert answer.headers["MS-Author-Via"] == "DAV" and "2" in answer.headers["DAV"]
    ask("PROPFIND", "", None, {"Depth": "0", "Content-Length": "0"}).is_(207)
    ask("PROPFIND", "", None, {"Depth": "1", "Content-Length": "0"}).is_(207)
    ask("PROPFIND", "desktop.ini", None, {"Depth": "0"}).is_(404)
    # A file is made empty, locked, described, filled, and let go.
    ask("PROPFIND", "report.docx", None, {"Depth": "0"}).is_(404)
    ask("PUT", "report.docx", b"").is_(201)
    token = ask("LOCK", "report.docx", EXCLUSIVE, {"Timeout": "Second-3600", "Content-Type": 'text/xml; charset="utf-8"'}
                ).is_(200).headers["Lock-Token"]
    times = "".join(f"<Z:{name}>Sun, 13 Sep 2020 12:26:40 GMT</Z:{name}>"
                    for name in ("Win32CreationTime", "Win32LastAccessTime", "Win32LastModifiedTime"))
    change = (f'<?xml version="1.0" encoding="utf-8" ?><D:propertyupdate xmlns:D="DAV:" xmlns:Z="urn:schemas-microsoft-com:"><D:set>'
              f"<D:prop>{times}<Z:Win32FileAttributes>00000020</Z:Win32FileAttributes></D:prop></D:set></D:propertyupdate>")
    statuses = ask("PROPPATCH", "report.docx", change, {"If": f"({token})"}).is_(207).statuses()
    assert len(statuses) == 4 and set(statuses.values()) == {200}
    ask("HEAD", "report.docx").is_(200)
    ask("PUT", "report.docx", b"content", {"If": f"({token})"}).is_(204)
    ask("PROPPATCH", "report.docx", change, {"If": f"({token})"}).is_(207)
    ask("UNLOCK", "report.docx", None, {"Lock-Token": token}).is_(204)
    assert account.client.content("report.docx") == b"content"
    assert (account.root / "report.docx").stat().st_mtime == 1_600_000_000
    # It is renamed and deleted.
    host = f"http://127.0.0.1:{account.server.port}/dav/"
    ask("MOVE", "report.docx", None, {"Destination": host + "old%20report.docx", "Overwrite": "F"}).is_(201)
    ask("DELETE", "old%20report.docx").is_(204)


def test_finder_mounts_for_writing_and_saves(account, dav):
    def ask(method, path, body=None, headers=None):
        return dav.call(method, path, body, {**FINDER, **(headers or {})})

    assert "2" in ask("OPTIONS", "").is_(200).headers["DAV"].split(", ")  # Without locks Finder mounts for reading alone.
    wanted = ("quota-available-bytes", "quota-used-bytes", "getcontentlength", "getlastmodified", "resourcetype")
    dav.propfind("", "0", *wanted, **FINDER).is_(207)
    # A new file: empty, locked, then chunked.
    for name, content in (("._photo.jpg", b"attributes"), ("photo.jpg", b"p" * 100_000)):
        ask("PROPFIND", name, None, {"Depth": "0"}).is_(404)
        ask("PUT", name, b"").is_(201)
        token = ask("LOCK", name, EXCLUSIVE, {"Depth": "0", "Timeout": "Second-600"}).is_(200).headers["Lock-Token"]
        pieces = [content[start:start + 30_000] for start in range(0, len(content), 30_000)]
        ask("PUT", name, iter(pieces), {"If": f"({token})", "X-Expected-Entity-Length": str(len(content))}).is_(204)
        ask("UNLOCK", name, None, {"Lock-Token": token}).is_(204)
        assert account.client.content(name) == content
    # Saved as applications do: beside it, and in its place.
    ask("PUT", "photo.jpg.sb-1", b"edited").is_(201)
    ask("MOVE", "photo.jpg.sb-1", None, {"Destination": f"{account.server.url}/dav/photo.jpg", "Overwrite": "T"}).is_(204)
    assert ask("GET", "photo.jpg", None, {"Range": "bytes=0-2"}).is_(206).body == b"edi"
    assert set(dav.propfind("", "1", *wanted).items()) == {"/dav/", "/dav/._photo.jpg", "/dav/photo.jpg"}
    assert DAV + "quota-used-bytes" in dav.propfind("", "0", *wanted).items()["/dav/"]
