"""Apache signs people in at a provider of OpenID Connect and says who they are, with the lines of the guide."""

import http.client
import json
import pathlib
import re
import secrets
import subprocess
import urllib.parse

import pytest

from client import TIMEOUT_S
from identity_provider import CLIENT, SECRET, LyingProvider
from people import PASSWORD
from remote_servers import free_port
from server import DIES_WITH_US, REPOSITORY, eventually

GUIDE = (REPOSITORY / "docs/guide/operation.md").read_text()
LINES = re.search(r"^```\n(OIDCProviderMetadataURL .*?)^```$", GUIDE, re.S | re.M)[1]
HOST = "files.example.org"
PROGRAM = "/usr/sbin/apache2"
MODULES = pathlib.Path("/usr/lib/apache2/modules")
LOADED = ("mpm_event", "authn_core", "authz_core", "authz_user", "auth_openidc", "headers", "proxy", "proxy_http")


class SigningApache:
    """In the place of one at https://files.example.org."""

    def __init__(self, folder, server, provider):
        self.folder, self.server, self.provider = folder, server, provider
        folder.mkdir()
        eventually(self.begin, "Apache serves")

    def begin(self):
        """False if another process has taken the port meanwhile."""
        self.port, log = free_port(), self.folder / "log"
        lines = LINES.replace("https://id.example.org", self.provider.issuer).replace("127.0.0.1:8080", f"127.0.0.1:{self.server.port}")
        lines = lines.replace("the-secret-at-the-provider", f'"{SECRET}"')
        lines = re.sub(r"^(OIDCCryptoPassphrase) .*$", rf"\1 {secrets.token_hex(16)}", lines, flags=re.M)
        modules = "".join(f"LoadModule {name}_module {MODULES}/mod_{name}.so\n" for name in LOADED)
        (self.folder / "settings").write_text(f"{modules}ServerName https://{HOST}\nListen 127.0.0.1:{self.port}\nPidFile {self.folder}/pid\n"
                                              f"ErrorLog {log}\nDefaultRuntimeDir {self.folder}\n{lines}")
        self.process = subprocess.Popen([*DIES_WITH_US, PROGRAM, "-X", "-d", self.folder, "-f", self.folder / "settings"],
                                        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=(self.folder / "errors").open("wb"))
        eventually(lambda: self.process.poll() is not None or self.answers(), "Apache serves or ends")
        assert self.process.poll() is None or "could not bind" in (self.folder / "errors").read_text(), (self.folder / "errors").read_text()
        return self.process.poll() is None

    def answers(self):
        try:
            return Browser(self).ask("GET", "/")[0] > 0
        except OSError:
            return False

    def stop(self):
        self.process.terminate()
        self.process.wait()


class Browser:
    """Keeps cookies, as one that speaks TLS with Apache."""

    def __init__(self, apache):
        self.apache, self.cookies = apache, {}

    def ask(self, method, path, body=None, **headers):
        connection = http.client.HTTPConnection("127.0.0.1", self.apache.port, timeout=TIMEOUT_S)
        headers |= {"Host": HOST, "Accept": "text/html" if method == "GET" else "application/json", "Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())}
        connection.request(method, path, body, headers | ({"Content-Type": "application/json"} if body else {}))
        answer = connection.getresponse()
        text = answer.read().decode()
        for cookie in answer.headers.get_all("Set-Cookie", []):
            name, _, value = cookie.partition(";")[0].partition("=")
            self.cookies[name] = value
            if value:
                self.apache.server.secrets.add(value)
        connection.close()
        return answer.status, answer.headers.get("Location"), text

    def sign_in(self):
        status, address, text = self.ask("GET", "/sign-in")
        assert status == 302, ((self.apache.folder / "log").read_text(), text)
        asked = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(address).query))
        assert asked["client_id"] == CLIENT and asked["redirect_uri"] == f"https://{HOST}/back-from-provider", asked
        code = secrets.token_hex(8)
        self.apache.provider.codes[code] = asked
        status, address, text = self.ask("GET", "/back-from-provider?" + urllib.parse.urlencode({"code": code, "state": asked["state"]}))
        assert status == 302 and urllib.parse.urlsplit(address).path == "/sign-in", ((self.apache.folder / "log").read_text(), text)


@pytest.fixture
def apache(own_server, tmp_path):
    server = own_server(trusted_proxies=["127.0.0.1"], proxy_user_header="X-Remote-User", proxy_groups_header="X-Remote-Groups",
                        proxy_allowed_groups=["staff"])
    server.add_account("root-account", role="admin", password=PASSWORD)
    with LyingProvider() as provider:
        made = SigningApache(tmp_path / "apache", server, provider)
        yield made
        made.stop()


def test_people_of_a_provider_have_sessions(apache):
    apache.provider.claims = {"groups": ["guests", "staff"]}
    person = Browser(apache)
    assert person.ask("POST", "/api/v2/session/proxy", "{}")[0] == 401
    assert person.ask("GET", "/")[0] == 200
    person.sign_in()
    status, _, text = person.ask("POST", "/api/v2/session/proxy", "{}")
    assert status == 200 and json.loads(text)["account"]["userName"] == "s-1", text
    assert person.ask("GET", "/api/v2/files")[0] == 200


def test_groups_that_do_not_come_in_give_none(apache):
    apache.provider.claims = {"groups": ["guests"]}
    person = Browser(apache)
    person.sign_in()
    assert person.ask("POST", "/api/v2/session/proxy", "{}")[0] == 403


def test_nobody_names_themselves(apache):
    """Neither where Apache signs people in, nor elsewhere."""
    person = Browser(apache)
    named = {"X-Remote-User": "ann", "X-Remote-Groups": "staff"}
    assert person.ask("POST", "/api/v2/session/proxy", "{}", **named)[0] == 401
    assert person.ask("GET", "/api/v2/session/methods", **named)[0] == 200
    assert person.ask("GET", "/api/v2/files", **named)[0] == 401
