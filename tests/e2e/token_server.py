"""A drive whose tokens run out: just enough of HiDrive's API for rclone to list one folder, and the tokens for it."""

import json
import threading
import urllib.parse

from small_server import Answers, SmallServer

LONG_AGO = "2020-01-01T00:00:00Z"


class _TokenAnswers(Answers):
    def say(self, status, content, *headers):
        content = content if isinstance(content, bytes) else json.dumps(content).encode()
        self.answer(status, content, "application/json", *headers)

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        form = dict(urllib.parse.parse_qsl(body.decode()))
        if self.path != "/token" or form.get("grant_type") != "refresh_token":
            self.say(400, {"error": "unsupported_grant_type"})
        elif (made := self.outer.refresh(form.get("refresh_token"))) is None:
            self.say(400, {"error": "invalid_grant"})
        else:
            self.say(200, made)

    def do_GET(self):
        address = urllib.parse.urlsplit(self.path)
        item = self.outer.meta(dict(urllib.parse.parse_qsl(address.query)).get("path"))
        if not self.outer.lets_in(self.headers.get("Authorization")):
            self.say(401, {"code": 401, "msg": "Unauthorized"}, ("WWW-Authenticate", "Bearer"))
        elif item is None or address.path not in ("/api/meta", "/api/dir", "/api/file"):
            self.say(404, {"code": 404, "msg": "Not Found"})
        elif address.path == "/api/file":
            self.say(200, self.outer.CONTENT)
        else:
            self.say(200, item)


class TokenServer(SmallServer):
    """It knows one file in the folder at the top. A refresh token is good once, and the access tokens before the newest
    are good no more, so who forgets what it was handed is locked out. With `keeps_access` they are good, as for requests that
    are under way while another brings a new one. `refreshed` are the refresh tokens that were
    taken, `refused` those that were not."""

    answers = _TokenAnswers
    kind = type = "hidrive"
    top = ""
    CLIENT_ID, CLIENT_SECRET = "coffer-client", "client-secret"
    ACCESS, REFRESH = "access-token-", "refresh-token-"  # With a number behind.
    NAME, CONTENT = "note.txt", b"remembered"

    def __init__(self):
        self.refreshed, self.refused = [], []
        self.lifetime_s, self.keeps_access = 3600, False
        self._number, self._access, self._earlier = 1, None, set()
        self._lock = threading.Lock()
        super().__init__()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    def expired_token(self):
        """What a connector begins with: it must refresh before anything else."""
        return json.dumps({"access_token": f"{self.ACCESS}0", "token_type": "Bearer",
                           "refresh_token": f"{self.REFRESH}{self._number}", "expiry": LONG_AGO})

    def parameters(self):
        """As rclone calls them."""
        return {"endpoint": f"{self.url}/api", "token_url": f"{self.url}/token", "auth_url": f"{self.url}/auth",
                "client_id": self.CLIENT_ID, "client_secret": self.CLIENT_SECRET, "token": self.expired_token()}

    def revoke(self):
        """The newest access token is good no more; who has its refresh token gets another."""
        with self._lock:
            self._access = None

    def lock_out(self):
        """No token of before is good any more, of either kind."""
        with self._lock:
            self._access = None
            self._number += 1

    def refresh(self, token):
        """New tokens for a refresh token, or None."""
        with self._lock:
            if token != f"{self.REFRESH}{self._number}":
                self.refused.append(token)
                return None
            self.refreshed.append(token)
            self._number += 1
            self._earlier.add(self._access)
            self._access = f"{self.ACCESS}{self._number}"
            return {"access_token": self._access, "refresh_token": f"{self.REFRESH}{self._number}",
                    "token_type": "Bearer", "expires_in": self.lifetime_s}

    def lets_in(self, header):
        with self._lock:
            good = self._earlier | {self._access} if self.keeps_access else {self._access}
            return header is not None and header.removeprefix("Bearer ") in good - {None}

    def meta(self, path):
        """What HiDrive tells of an item, or None."""
        file = {"type": "file", "id": "f1", "name": self.NAME, "size": len(self.CONTENT), "mtime": 1000000000}
        return {"/": {"type": "dir", "id": "d1", "name": "root", "mtime": 1000000000, "nmembers": 1, "members": [file]},
                f"/{self.NAME}": file}.get(path)
