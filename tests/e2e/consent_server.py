"""The drive of token_server.py, whose tokens come by a person's consent: an OAuth 2.0 server (RFC 6749, RFC 7636) of oauthlib."""

import os
import ssl
import types
import urllib.parse

import requests
from oauthlib.oauth2 import RequestValidator, WebApplicationServer

from server import PATIENCE_S
from token_server import TokenServer, _TokenAnswers

os.environ["OAUTHLIB_INSECURE_TRANSPORT"] = "1"  # It is on loopback.


class _ConsentAnswers(_TokenAnswers):
    def pass_on(self, ask, body=""):
        headers, content, status = ask(f"{self.outer.url}{self.path}", self.command, body, dict(self.headers))
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(content or ""))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write((content or "").encode())

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
        form = dict(urllib.parse.parse_qsl(body))
        if self.path == "/token" and form.get("grant_type") == "authorization_code":
            self.outer.asked.append(form)
            if self.outer.instead:
                return self.outer.instead(self)
            return self.pass_on(self.outer.grants.create_token_response, body)
        if self.path == "/token" and (made := self.outer.refresh(form.get("refresh_token"))):
            return self.say(200, made)
        return self.say(400, {"error": "invalid_grant"})

    def do_GET(self):
        if not self.path.startswith("/auth?"):
            return super().do_GET()
        def agree(address, method, body, headers):
            scopes, credentials = self.outer.grants.validate_authorization_request(address, method, body, headers)
            return self.outer.grants.create_authorization_response(address, method, body, headers, scopes, credentials)
        return self.pass_on(agree)


class _Rules(RequestValidator):
    """Strict: PKCE by S256 is needed, and a code is good once, for its client and redirect address."""

    def __init__(self, outer):
        self.outer, self.codes = outer, {}

    def validate_client_id(self, client_id, request):
        return client_id == self.outer.CLIENT_ID

    def validate_redirect_uri(self, client_id, redirect_uri, request):
        return redirect_uri in self.outer.redirects

    def validate_response_type(self, client_id, response_type, client, request):
        return response_type == "code"

    def validate_scopes(self, client_id, scopes, client, request):
        return scopes == ["rw,user"]

    def is_pkce_required(self, client_id, request):
        return True

    def save_authorization_code(self, client_id, code, request):
        assert request.code_challenge_method == "S256"
        self.codes[code["code"]] = types.SimpleNamespace(challenge=request.code_challenge, redirect=request.redirect_uri)
        self.outer.codes.append(code["code"])

    def client_authentication_required(self, request):
        return True

    def authenticate_client(self, request):
        request.client = types.SimpleNamespace(client_id=request.client_id)
        return (request.client_id, request.client_secret) == (self.outer.CLIENT_ID, self.outer.CLIENT_SECRET)

    def validate_grant_type(self, client_id, grant_type, client, request):
        return grant_type == "authorization_code"

    def validate_code(self, client_id, code, client, request):
        request.user, request.scopes = "ann", ["rw,user"]
        return code in self.codes

    def get_code_challenge(self, code, request):
        return self.codes[code].challenge

    def get_code_challenge_method(self, code, request):
        return "S256"

    def confirm_redirect_uri(self, client_id, code, redirect_uri, client, request):
        return redirect_uri == self.codes[code].redirect

    def invalidate_authorization_code(self, client_id, code, request):
        del self.codes[code]

    def save_bearer_token(self, token, request):
        pass


class ConsentServer(TokenServer):
    """`redirects` are the addresses that its client may send people to, `codes` those it gave, `asked` the forms in which
    codes came back; `instead` answers these, where it is set."""

    answers = _ConsentAnswers

    def __init__(self, certificate=None):
        self.redirects, self.codes, self.asked, self.instead = set(), [], [], None
        self.certificate, _ = certificate or (None, None)
        self.grants = WebApplicationServer(_Rules(self), token_generator=self._new_access,
                                           refresh_token_generator=self._new_refresh)
        super().__init__()
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(*certificate)
            self._server.socket = context.wrap_socket(self._server.socket, server_side=True, do_handshake_on_connect=False)

    @property
    def url(self):
        return f"http{'s' if self.certificate else ''}://127.0.0.1:{self.port}"

    def _new_access(self, request, **more):
        with self._lock:
            self._number += 1
            self._access = f"{self.ACCESS}{self._number}"
            return self._access

    def _new_refresh(self, request, **more):
        return f"{self.REFRESH}{self._number}"

    def parameters(self):
        """Without a token."""
        return {name: value for name, value in super().parameters().items() if name != "token"}

    def consent(self, address):
        """A person agrees: what their browser is sent back with, and where to."""
        assert address.startswith(f"{self.url}/auth?"), address
        answer = requests.get(address, allow_redirects=False, timeout=PATIENCE_S, verify=self.certificate)
        assert answer.status_code == 302, answer.text
        target = urllib.parse.urlsplit(answer.headers["Location"])
        return target._replace(query="").geturl(), dict(urllib.parse.parse_qsl(target.query))
