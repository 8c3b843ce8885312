"""Providers of OpenID Connect: one that lies as a test wants, and the npm package oidc-provider as it is."""

import base64
import hashlib
import html
import json
import pathlib
import re
import secrets
import shutil
import subprocess
import time
import urllib.parse

import requests
from jwcrypto import jwk, jws

from client import TIMEOUT_S
from server import DIES_WITH_US, PATIENCE_S, REPOSITORY
from small_server import Answers, SmallServer

CLIENT, SECRET = "coffer", "a secret of the client"
PUBLIC_URL = "https://files.example.org"
CALLBACK = "/api/v2/session/oidc/callback"
LOGOUT_EVENT = "http://schemas.openid.net/event/backchannel-logout"


def encoded(content):
    content = content if isinstance(content, bytes) else json.dumps(content).encode()
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()


def new_key(kind="RSA", name=None):
    shapes = {"RSA": {"size": 2048}, "EC": {"crv": "P-256"}, "OKP": {"crv": "Ed25519"}}
    return jwk.JWK.generate(kty=kind, kid=name or secrets.token_hex(4), use="sig", **shapes[kind])


def signed(key, claims, algorithm="RS256", **head):
    """A token; `kid=None` leaves the key's name out."""
    head = {"alg": algorithm, "kid": key.get("kid"), **head}
    token = jws.JWS(json.dumps(claims).encode())
    token.allowed_algs = [algorithm]
    token.add_signature(key, None, json.dumps({name: value for name, value in head.items() if value is not None}), None)
    return token.serialize(compact=True)


class _ProviderAnswers(Answers):
    def say(self, content, status=200, *headers):
        content = content if isinstance(content, bytes) else json.dumps(content).encode()
        self.answer(status, content, "application/json", *headers)

    def respond(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
        outer, path = self.outer, urllib.parse.urlsplit(self.path).path
        outer.asked.append(path)
        if instead := outer.instead.get(path):
            return instead(self)
        if path == "/.well-known/openid-configuration":
            return self.say(outer.metadata)
        if path == "/keys":
            return self.say({"keys": [key.export_public(as_dict=True) for key in outer.keys]})
        if path == "/me" and self.headers["Authorization"] == f"Bearer {outer.access_token}":
            return self.say(outer.userinfo)
        if path == "/token":
            return self.say(*outer.tokens(self.headers, dict(urllib.parse.parse_qsl(body))))
        return self.say({"error": "not_found"}, 404)

    do_GET = do_POST = respond


class LyingProvider(SmallServer):
    """Right in all but what a test changes: `metadata`, `keys`, `claims` of the ID token and its `head`, `userinfo`, whole answers
    by their path (`instead`), and the token itself (`token_of`); `given` was the last one. Codes are given by `agree`, as by a person's browser."""

    answers = _ProviderAnswers

    def __init__(self):
        super().__init__()
        self.issuer = f"http://127.0.0.1:{self.port}"
        self.keys = [new_key()]
        self.algorithm = "RS256"
        self.access_token = secrets.token_hex(16)
        self.claims, self.head, self.instead, self.asked, self.codes = {}, {}, {}, [], {}
        self.userinfo = {"sub": "s-1"}
        self.token_of, self.given = None, None
        self.metadata = {"issuer": self.issuer, "jwks_uri": f"{self.issuer}/keys", "token_endpoint": f"{self.issuer}/token",
                         "authorization_endpoint": f"{self.issuer}/auth", "userinfo_endpoint": f"{self.issuer}/me",
                         "end_session_endpoint": f"{self.issuer}/end"}

    def settings(self, folder):
        secret = pathlib.Path(folder) / "client-secret"
        secret.write_text(SECRET + "\n")
        return {"public_url": PUBLIC_URL, "oidc_issuer": self.issuer, "oidc_client_id": CLIENT,
                "oidc_client_secret_file": str(secret), "oidc_name": "Example ID"}

    def agree(self, address):
        """The query with which the browser comes back that was sent to `address`."""
        asked = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(address).query))
        assert address.startswith(f"{self.issuer}/auth?") and asked["code_challenge_method"] == "S256", address
        assert asked["client_id"] == CLIENT and asked["redirect_uri"] == PUBLIC_URL + CALLBACK, asked
        code = secrets.token_hex(8)
        self.codes[code] = asked
        return {"code": code, "state": asked["state"], "session_state": "what Keycloak adds"}

    def tokens(self, headers, form):
        wanted = "Basic " + base64.b64encode(f"{CLIENT}:{urllib.parse.quote(SECRET)}".encode()).decode()
        asked = self.codes.pop(form.get("code"), None)
        if headers["Authorization"] != wanted:
            return {"error": "invalid_client"}, 401
        verifier = hashlib.sha256(form.get("code_verifier", "").encode()).digest()
        if asked is None or encoded(verifier) != asked["code_challenge"] or form["redirect_uri"] != asked["redirect_uri"]:
            return {"error": "invalid_grant"}, 400
        self.given = self.id_token(asked["nonce"])
        return {"access_token": self.access_token, "token_type": "Bearer", "id_token": self.given}, 200

    def id_token(self, nonce):
        present = int(time.time())
        claims = {"iss": self.issuer, "aud": CLIENT, "sub": "s-1", "sid": "sid-1", "nonce": nonce, "iat": present,
                  "exp": present + 300, "preferred_username": "ann", "name": "Ann", "groups": [], "quota": None, **self.claims}
        claims = {name: value for name, value in claims.items() if value is not None}
        return self.token_of(claims) if self.token_of else signed(self.keys[0], claims, self.algorithm, **self.head)

    def logout_token(self, head=None, key=None, **changes):
        present = int(time.time())
        claims = {"iss": self.issuer, "aud": CLIENT, "iat": present, "exp": present + 120, "jti": secrets.token_hex(8),
                  "sub": "s-1", "sid": "sid-1", "events": {LOGOUT_EVENT: {}}, **changes}
        claims = {name: value for name, value in claims.items() if value is not None}
        return signed(key or self.keys[0], claims, self.algorithm, **{"typ": "logout+jwt", **(head or {})})


class NodeProvider:
    """The npm package oidc-provider, which anybody signs in to by any name; `groups` are those of names. Its keys are new at
    each start."""

    def __init__(self, port, folder, algorithm="RS256", groups=None, backchannel=None):
        self.port, self.issuer = port, f"http://127.0.0.1:{port}"
        self.options = {"port": port, "algorithm": algorithm, "groups": groups or {}, "client": CLIENT, "secret": SECRET,
                        "redirect": PUBLIC_URL + CALLBACK, "home": PUBLIC_URL + "/", "backchannel": backchannel}
        self.folder, self.process = pathlib.Path(folder), None

    settings = LyingProvider.settings

    def start(self):
        node = REPOSITORY / "web/node/bin/node"
        program = [str(node) if node.exists() else shutil.which("node"), str(REPOSITORY / "tests/oidc/provider.mjs")]
        log = self.folder / "provider.log"
        with log.open("ab") as errors:
            self.process = subprocess.Popen([*DIES_WITH_US, *program, json.dumps(self.options)], stdout=subprocess.PIPE, stderr=errors,
                                            text=True)
        assert self.process.stdout.readline() == "ready\n", log.read_text()
        return self

    def stop(self):
        if self.process is not None:
            self.process.kill()
            self.process.wait(PATIENCE_S)
            self.process = None

    def browser(self):
        browser = requests.Session()
        browser.trust_env = False
        return browser

    def sign_in(self, browser, address, name):
        """Goes through the provider's pages as `name`; the address that it sends the browser back to."""
        while True:
            answer = browser.get(address, allow_redirects=False, timeout=TIMEOUT_S)
            if answer.status_code == 200:
                action = html.unescape(re.search(r'action="([^"]+)"', answer.text)[1])
                prompt = re.search(r'name="prompt" value="(\w+)"', answer.text)[1]
                answer = browser.post(urllib.parse.urljoin(address, action), {"prompt": prompt, "login": name, "password": "any"},
                                      allow_redirects=False, timeout=TIMEOUT_S)
            assert answer.status_code in (302, 303), answer.text
            address = urllib.parse.urljoin(address, answer.headers["Location"])
            if not address.startswith(self.issuer):
                return address

    def sign_out(self, browser):
        """As on its own page; it tells its clients then."""
        page = browser.get(f"{self.issuer}/session/end", timeout=TIMEOUT_S).text
        fields = dict(re.findall(r'name="(\w+)" value="([^"]*)"', page))
        action = html.unescape(re.search(r'action="([^"]+)"', page)[1])
        answer = browser.post(urllib.parse.urljoin(self.issuer, action), {**fields, "logout": "yes"}, timeout=TIMEOUT_S)
        assert answer.status_code == 200, answer.text
