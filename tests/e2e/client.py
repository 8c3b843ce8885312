"""A caller of the API. Every JSON answer is held against the envelope and the description."""

import http.client
import json
import urllib.parse
import uuid

import requests

import schema
from server import PATIENCE_S

TIMEOUT_S = PATIENCE_S
FILES = "/api/v1/files"
KEYS = "/api/v1/keys"
ACCOUNT = "/api/v1/account"


class Answer:
    def __init__(self, method, target, status, headers, content):
        self.method, self.target, self.status = method, target, status
        self.headers, self.content = headers, content

    def json(self):
        return json.loads(self.content)

    def ok(self):
        """The data of a success."""
        assert self.status == 200, self
        return self.json()["data"]

    def fails(self, *statuses):
        """The message of an expected error."""
        assert self.status in statuses, f"expected {statuses}, got {self}"
        return self.json()["error"]

    def __repr__(self):
        return f"{self.method} {self.target} -> {self.status} {self.content[:300]!r}"


def multipart(parts, boundary=None):
    """The content type and body of a form; a part is (field, file name or None, bytes). Names go out as
    they are, so that a test may send any."""
    boundary = boundary or uuid.uuid4().hex
    body = bytearray()
    for field, name, content in parts:
        name = name.encode() if isinstance(name, str) else name
        body += b"--" + boundary.encode() + b'\r\nContent-Disposition: form-data; name="' + field.encode() + b'"'
        if name is not None:
            body += b'; filename="' + name + b'"\r\nContent-Type: application/octet-stream'
        body += b"\r\n\r\n" + content + b"\r\n"
    body += b"--" + boundary.encode() + b"--\r\n"
    return f"multipart/form-data; boundary={boundary}", bytes(body)


def form(*files, field="file"):
    return [(field, name, content) for name, content in files]


def encode(parameters):
    """A query string; a value of None leaves its parameter out."""
    return urllib.parse.urlencode({key: value for key, value in parameters.items() if value is not None},
                                  quote_via=urllib.parse.quote, safe="")


class Client:
    def __init__(self, server, key, description=None):
        self.server = server
        self.key = key
        self.description = description
        self.session = requests.Session()
        self.session.trust_env = False
        if key is not None:
            self.session.headers["X-API-Key"] = key

    def check(self, answer, documented):
        path = urllib.parse.urlsplit(answer.target).path
        if self.description and documented:
            self.description.response(answer.method, path, answer.status)
        if answer.method == "HEAD" or answer.status == 304:
            assert answer.content == b"", answer
            return answer
        if path == FILES + "/download" and answer.status in (200, 206):
            return answer
        assert answer.headers["Content-Type"].split(";")[0] == "application/json", (answer, answer.headers)
        body = answer.json()
        schema.check_envelope(answer.status, body)
        if self.description and documented:
            self.description.check(answer.method, path, answer.status, body)
        return answer

    def call(self, method, path, parameters=None, headers=None, body=None, documented=True):
        target = path + ("?" + encode(parameters) if parameters else "")
        response = self.session.request(method, self.server.url + target, headers=headers, data=body,
                                        timeout=TIMEOUT_S)
        return self.check(Answer(method, target, response.status_code, response.headers, response.content),
                          documented)

    def exact(self, method, target, headers=None, body=None, documented=True):
        """Sends the target byte by byte as given, which requests would tidy up."""
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=TIMEOUT_S)
        try:
            key = {"X-API-Key": self.key} if self.key is not None else {}
            connection.request(method, target, body=body, headers={**key, **(headers or {})})
            response = connection.getresponse()
            return self.check(Answer(method, target, response.status, response.headers, response.read()), documented)
        finally:
            connection.close()

    # One method for each endpoint

    def locations(self):
        return self.call("GET", "/api/v1/locations")

    def list(self, path=None):
        return self.call("GET", FILES, {"path": path})

    def names(self, path=None):
        return [entry["name"] for entry in self.list(path).ok()]

    def download(self, path, headers=None, method="GET"):
        return self.call(method, FILES + "/download", {"path": path}, headers)

    def content(self, path):
        answer = self.download(path)
        assert answer.status == 200, answer
        return answer.content

    def stream(self, path):
        """A download whose body the caller reads himself."""
        return self.session.get(f"{self.server.url}{FILES}/download?{encode({'path': path})}", stream=True,
                                timeout=TIMEOUT_S)

    def upload(self, path, parts, boundary=None):
        content_type, body = multipart(parts, boundary)
        return self.call("POST", FILES + "/upload", {"path": path}, {"Content-Type": content_type}, body)

    def put(self, path, content):
        """Uploads one file under its whole path and expects it to work."""
        folder, _, name = path.rpartition("/")
        return self.upload(folder, form((name, content))).ok()

    def make_folder(self, path, name):
        return self.call("POST", FILES + "/folder", {"path": path, "name": name})

    def make_file(self, path, name):
        return self.call("POST", FILES + "/file", {"path": path, "name": name})

    def move(self, source, to=None):
        return self.call("PUT", FILES + "/move", {"from": source, "to": to})

    def copy(self, source, to=None):
        return self.call("PUT", FILES + "/copy", {"from": source, "to": to})

    def rename(self, path, new_name):
        return self.call("PUT", FILES + "/rename", {"path": path, "newName": new_name})

    def delete(self, path):
        return self.call("DELETE", FILES, {"path": path})

    def info(self, path):
        return self.call("GET", FILES + "/info", {"path": path})

    def account(self):
        return self.call("GET", ACCOUNT)

    def used(self):
        return self.account().ok()["storageUsed"]

    def keys(self):
        return self.call("GET", KEYS)

    def create_key(self, name, folder=None):
        answer = self.call("POST", KEYS, {"name": name, "folder": folder})
        if answer.status == 200:
            self.server.secrets.add(answer.json()["data"]["key"])
        return answer

    def revoke(self, key_id):
        return self.call("DELETE", f"{KEYS}/{urllib.parse.quote(key_id, safe='')}")

    def with_key(self, key):
        return Client(self.server, key, self.description)

    def scoped(self, folder, label="scoped"):
        """A client whose new key is limited to a folder."""
        return self.with_key(self.create_key(label, folder).ok()["key"])
