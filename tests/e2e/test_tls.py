"""TLS in the program: what is spoken, and certificates that come and go while it runs."""

import contextlib
import datetime
import hashlib
import http.client
import os
import re
import socket
import ssl
import subprocess

import pytest
import requests

from client import FILES
from people import Person
from server import eventually
from test_several_servers import refused


UNVERIFIED = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
UNVERIFIED.check_hostname, UNVERIFIED.verify_mode = False, ssl.CERT_NONE


def make_certificate(folder, days="30", key=None):
    """Certificate and key of `localhost`, put in place as renewals do, by new files."""
    folder.mkdir(exist_ok=True)
    new_key, new_certificate = folder / "new.key", folder / "new.crt"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", days, "-subj",
                    "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", new_key, "-out", new_certificate],
                   check=True, capture_output=True)
    os.replace(new_key, folder / "tls.key")
    os.replace(new_certificate, folder / "tls.crt")
    return folder / "tls.crt", folder / "tls.key"


class Tls:
    """A server with TLS, by a certificate of its own or a given one with its key."""

    def __init__(self, server, folder, pair=None):
        self.server, self.folder = server, folder
        self.certificate, self.key_file = pair or make_certificate(folder)
        server.settings.update(tls_listen="127.0.0.1:0", tls_certificate=str(self.certificate), tls_key=str(self.key_file))

    @property
    def port(self):
        """The line that tells it comes behind that of the other port."""
        def found():
            return re.findall(r"listening on https://.*:(\d+)", self.server.log().rpartition("listening on http://")[2])

        return int(eventually(found, "the port with TLS")[-1])

    def context(self, **versions):
        context = ssl.create_default_context(cafile=self.certificate)
        for name, version in versions.items():
            setattr(context, name, version)
        return context

    def serial(self):
        """That of the certificate that a new connection sees."""
        with socket.create_connection(("127.0.0.1", self.port)) as raw, UNVERIFIED.wrap_socket(raw) as by_tls:
            return hashlib.sha256(by_tls.getpeercert(True)).hexdigest()

    def spoken(self, **versions):
        with socket.create_connection(("127.0.0.1", self.port)) as raw:
            with self.context(**versions).wrap_socket(raw, server_hostname="localhost") as by_tls:
                return by_tls.version(), by_tls.cipher()[0]

    def fetch(self, method, path, key, **more):
        return requests.request(method, f"https://localhost:{self.port}{path}", verify=str(self.certificate),
                                headers={"X-API-Key": key}, timeout=60, **more)


@pytest.fixture
def tls(build_server, tmp_path):
    server = build_server()
    made = Tls(server, tmp_path / "tls")
    server.start()
    yield made
    if server.running():
        server.stop()


def test_files_go_up_and_down_whole(tls):
    key = tls.server.create_key(tls.server.add_account())["key"]
    content = os.urandom(20_000_000)
    sent = tls.fetch("POST", f"{FILES}/upload", key, files={"file": ("a.bin", content)})
    assert sent.status_code == 200, sent.text
    assert tls.fetch("GET", f"{FILES}/download?path=a.bin", key).content == content
    part = requests.get(f"https://localhost:{tls.port}{FILES}/download?path=a.bin", verify=str(tls.certificate),
                        headers={"X-API-Key": key, "Range": "bytes=65535-131072"}, timeout=60)
    assert part.status_code == 206 and part.content == content[65535:131073]


def test_new_protocols_and_forward_secrecy_alone(tls):
    assert tls.spoken()[0] == "TLSv1.3"
    version, cipher = tls.spoken(maximum_version=ssl.TLSVersion.TLSv1_2)
    assert version == "TLSv1.2" and cipher.startswith("ECDHE-")
    for more in (["-tls1_1", "-cipher", "ALL:@SECLEVEL=0"], ["-tls1_2", "-cipher", "AES128-SHA"], ["-tls1_2", "-cipher", "ECDHE-ECDSA-AES128-SHA"],
                 ["-groups", "P-521"], ["-groups", "X448"]):
        done = subprocess.run(["openssl", "s_client", "-connect", f"127.0.0.1:{tls.port}", *more], input=b"", capture_output=True)
        assert b"Cipher is (NONE)" in done.stdout, more


def test_the_least_version_can_be_raised(tls):
    tls.server.stop()
    tls.server.settings["tls_min"] = "1.3"
    tls.server.start()
    assert tls.spoken()[0] == "TLSv1.3"
    with pytest.raises(ssl.SSLError):
        tls.spoken(maximum_version=ssl.TLSVersion.TLSv1_2)


def test_a_request_without_tls_is_told_so(tls):
    answer = requests.get(f"http://127.0.0.1:{tls.port}/health/ready", timeout=60)
    assert answer.status_code == 400 and "begin the address with https://" in answer.text


def test_who_speaks_other_protocols_alone_is_refused(tls):
    """So that its bytes are never taken for HTTP (RFC 7301, section 3.2)."""
    context = tls.context()
    context.set_alpn_protocols(["ftp"])
    with socket.create_connection(("127.0.0.1", tls.port), 60) as line, pytest.raises(ssl.SSLError, match="(?i)no.application.protocol"):
        context.wrap_socket(line, server_hostname="localhost")


def test_a_session_by_tls_is_for_tls_alone(tls):
    name = tls.server.add_account(password="correct horse")
    answer = requests.post(f"https://localhost:{tls.port}/api/v2/session", json={"userName": name, "password": "correct horse"},
                           verify=str(tls.certificate), timeout=60)
    assert answer.status_code == 200
    cookie = answer.headers["Set-Cookie"]
    assert cookie.startswith("__Host-") and "; Secure" in cookie


def test_a_renewed_certificate_comes_into_force_and_open_connections_stay(tls):
    before = tls.serial()
    with contextlib.closing(http.client.HTTPSConnection("localhost", tls.port, context=UNVERIFIED, timeout=60)) as connection:
        def answers():
            connection.request("GET", "/health/ready")
            answer = connection.getresponse()
            answer.read()
            return answer.status == 200 and not answer.will_close

        assert answers()
        make_certificate(tls.folder)
        eventually(lambda: tls.serial() != before, "the new certificate")
        assert answers()
    eventually(lambda: "a new certificate is in force" in tls.server.log(), "the line in the log")


def test_a_wrong_renewal_leaves_the_old_certificate_in_force(tls):
    before = tls.serial()
    good = tls.key_file.read_bytes()
    tls.key_file.write_bytes(make_certificate(tls.folder / "other")[1].read_bytes())
    eventually(lambda: "does not belong to the certificate" in tls.server.log(), "the warning")
    assert tls.serial() == before
    tls.key_file.write_text("no key")
    eventually(lambda: "of tls_key cannot be used" in tls.server.log(), "the other warning")
    assert tls.serial() == before
    tls.key_file.write_bytes(good)
    eventually(lambda: "a new certificate is in force" in tls.server.log(), "the right key to be taken")
    assert tls.serial() == before


def test_browsers_are_told_to_use_nothing_else(tls):
    def told(url):
        return requests.get(url + "/health/live", verify=False, timeout=60).headers.get("Strict-Transport-Security")

    assert told(f"https://127.0.0.1:{tls.port}") is None
    tls.server.stop()
    tls.server.settings["hsts_days"] = 30
    tls.server.start()
    assert told(f"https://127.0.0.1:{tls.port}") == "max-age=2592000"
    assert told(tls.server.url) is None, "that came without TLS (RFC 6797, section 7.2)"


def test_administrators_and_metrics_see_when_the_certificate_ends(tls, tmp_path):
    token = tmp_path / "token"
    token.write_text("a token for metrics\n")
    tls.server.stop()
    tls.server.settings["metrics_token_file"] = str(token)
    tls.server.start()
    admin = Person(tls.server, key=tls.server.create_key(tls.server.add_account(role="admin"))["key"])
    shown = admin.ok("GET", "admin/server")["certificate"]
    said = subprocess.run(["openssl", "x509", "-noout", "-enddate", "-dateopt", "iso_8601", "-in", tls.certificate], check=True, capture_output=True, text=True)
    ends_at = datetime.datetime.strptime(said.stdout.strip(), "notAfter=%Y-%m-%d %H:%M:%SZ").replace(tzinfo=datetime.timezone.utc)
    assert shown == {"expiresAt": ends_at.strftime("%Y-%m-%dT%H:%M:%S"), "problem": None}
    metrics = requests.get(tls.server.url + "/metrics", headers={"Authorization": "Bearer a token for metrics"}, timeout=60).text
    assert float(re.search(r"^coffer_tls_certificate_expires_seconds (.*)$", metrics, re.M)[1]) == ends_at.timestamp()
    tls.key_file.write_text("no key")
    problem = eventually(lambda: admin.ok("GET", "admin/server")["certificate"]["problem"], "the problem")
    assert "tls_key" in problem
    make_certificate(tls.folder, days="60")
    eventually(lambda: admin.ok("GET", "admin/server")["certificate"]["problem"] is None, "the new certificate")
    assert admin.ok("GET", "admin/server")["certificate"]["expiresAt"] > shown["expiresAt"]


def test_a_server_without_tls_has_no_certificate(server):
    admin = Person(server, key=server.create_key(server.add_account(role="admin"))["key"])
    assert admin.ok("GET", "admin/server")["certificate"] is None


@pytest.mark.parametrize("settings, line", [
    ({"tls_certificate": ""}, "tls_certificate and tls_key must be set"),
    ({"tls_key": "/none/there"}, "/none/there of tls_key cannot be used: No such file or directory"),
    ({"tls_listen": "anywhere"}, "must be an IP address, a colon and a port"),
    ({"tls_min": "1.1"}, "tls_min must be one of"),
])
def test_what_cannot_be_is_told_in_one_line(build_server, tmp_path, settings, line):
    server = build_server()
    Tls(server, tmp_path / "tls")
    server.settings.update(settings)
    assert line in refused(server)
