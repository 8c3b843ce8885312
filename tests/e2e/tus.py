"""A client of tus 1.0.0 for the tests, which says exactly what they want, and looks at each answer."""

import base64
import contextlib
import email.utils
import hashlib
import http.client
import json
import sqlite3
import time
import urllib.parse

from people import PROBLEM_FIELDS
from postgres import execute
from raw import RawConnection, head
from server import PATIENCE_S

UPLOADS = "/api/v2/uploads"
BYTES = "application/offset+octet-stream"
VERSION = {"Tus-Resumable": "1.0.0"}
WEEK_S = 7 * 24 * 3600


def encoded(**values):
    """The value of Upload-Metadata; None leaves one out."""
    pairs = ((name, value if isinstance(value, bytes) else str(value).encode()) for name, value in values.items() if value is not None)
    return ",".join(f"{name} {base64.b64encode(value).decode()}" for name, value in pairs)


def checksum(data, kind="sha1"):
    return f"{kind} {base64.b64encode(hashlib.new(kind, data).digest()).decode()}"


class TusAnswer:
    def __init__(self, method, target, status, headers, body):
        self.method, self.target, self.status, self.headers, self.body = method, target, status, headers, body

    def offset(self):
        return int(self.headers["Upload-Offset"])

    def expires_at(self):
        return email.utils.parsedate_to_datetime(self.headers["Upload-Expires"]).timestamp()

    def problem(self):
        """The word of an error, after it was looked at."""
        assert self.headers["Content-Type"] == "application/problem+json", self
        problem = json.loads(self.body)
        assert set(problem) == PROBLEM_FIELDS and problem["status"] == self.status and problem["detail"], self
        return problem["code"]

    def detail(self):
        return json.loads(self.body)["detail"]

    def is_(self, status, code=None):
        assert self.status == status, self
        assert code is None or self.problem() == code, self
        return self

    def __repr__(self):
        return f"{self.method} {self.target} -> {self.status} {dict(self.headers)} {self.body[:300]!r}"


class Tus:
    """One caller. `description` is that of people.py, or None."""

    def __init__(self, server, key=None, description=None, headers=None):
        self.server, self.description = server, description
        self.headers = {**VERSION, **({"X-API-Key": key} if key else {}), **(headers or {})}
        self.key = key

    def call(self, method, target, headers=None, body=None):
        """A header of None is not sent, also one that always is."""
        sent = {name: value for name, value in {**self.headers, **(headers or {})}.items() if value is not None}
        port, tls = self.server.port, getattr(self.server, "tls", None)
        connection = (http.client.HTTPSConnection("localhost", port, timeout=PATIENCE_S, context=tls) if tls else
                      http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S))
        with contextlib.closing(connection):
            connection.request(method, target, body=body, headers=sent)
            got = connection.getresponse()
            answer = TusAnswer(method, target, got.status, got.headers, got.read())
        return self.checked(answer)

    def checked(self, answer):
        assert answer.headers.get_all("Tus-Resumable") == ["1.0.0"], answer
        if answer.status >= 400 and answer.method != "HEAD":
            answer.problem()
        if self.description:
            self.description.response(answer.method, urllib.parse.urlsplit(answer.target).path, answer.status)
        return answer

    def ask_for(self, length, name="a.txt", folder=None, body=None, headers=None, **metadata):
        """The answer to a creation."""
        sent = {"Upload-Length": str(length), "Upload-Metadata": encoded(filename=name, folder=folder, **metadata)}
        if body is not None:
            sent["Content-Type"] = BYTES
        return self.call("POST", UPLOADS, {**sent, **(headers or {})}, body)

    def create(self, length, name="a.txt", folder=None, **more):
        """Where the new upload is."""
        answer = self.ask_for(length, name, folder, **more).is_(201)
        place = answer.headers["Location"]
        assert place.startswith(UPLOADS + "/") and len(place) == len(UPLOADS) + 33, place
        return place

    def head(self, place):
        answer = self.call("HEAD", place)
        if answer.status == 200:
            assert answer.headers["Cache-Control"] == "no-store" and answer.body == b"", answer
        return answer

    def offset(self, place):
        return self.head(place).is_(200).offset()

    def patch(self, place, offset, data, headers=None):
        return self.call("PATCH", place, {"Content-Type": BYTES, "Upload-Offset": str(offset), **(headers or {})}, data)

    def delete(self, place):
        return self.call("DELETE", place)

    def send(self, place, content, piece=1 << 20):
        """All that is left of it; the last answer."""
        offset = self.offset(place)
        while True:
            answer = self.patch(place, offset, content[offset:offset + piece])
            if answer.status != 204 or answer.offset() == len(content):
                return answer
            assert answer.offset() == offset + piece, answer
            offset = answer.offset()

    def put(self, content, name="a.txt", folder=None, **more):
        place = self.create(len(content), name, folder, **more)
        if content:
            self.send(place, content).is_(204)
        return place

    def begin_patch(self, place, offset, length, *more):
        """A connection on which the head of a PATCH was sent."""
        connection = RawConnection(self.server)
        connection.send(head("PATCH", place, "Tus-Resumable: 1.0.0", f"Content-Type: {BYTES}", f"Upload-Offset: {offset}",
                             f"Content-Length: {length}", *more, key=self.key))
        return connection


def is_on_postgresql(server):
    return bool(server.database) and server.database.startswith("postgresql:")


def sql(server, *statements):
    """Changes or asks the catalog past Coffer; the rows of the last statement."""
    if is_on_postgresql(server):
        return [tuple(row.split("|")) for statement in statements for row in execute(server.database, statement)]
    file = server.database.removeprefix("sqlite://") if server.database else server.data / "catalog.sqlite"
    with contextlib.closing(sqlite3.connect(file, timeout=PATIENCE_S)) as connection, connection:
        for statement in statements:
            rows = connection.execute(statement).fetchall()
        return [tuple(map(str, row)) for row in rows]


def id_of(place):
    return place.rpartition("/")[2]


def age(server, place, seconds):
    """As if the upload had been touched last so long before."""
    sql(server, f"UPDATE uploads SET touched_at = touched_at - {int(seconds) * 10**9} WHERE id = '{id_of(place)}'")


def end_soon(server, account, key):
    """As if this key or link of the account had been made to end by now or in a moment. Another key is made and revoked behind
    it, since the server looks at what it knows of keys anew only after a change of its own."""
    sql(server, f"UPDATE api_keys SET expires_at = {time.time_ns() + 300_000_000} WHERE id = '{key}'")
    server.ask("DELETE", "keys/" + server.create_key(account)["id"], account=account)


def figures(server, name):
    """What an account uses, and what is reserved for it, as the catalog says."""
    (used, reserved), = sql(server, "SELECT u.used_bytes, u.reserved_bytes FROM quota_usage u JOIN accounts a "
                                    f"ON a.id = u.account_id WHERE a.name = '{name}'")
    return int(used), int(reserved)


def spooled(server):
    """The names of the files that bytes of uploads are in, or of the uploads that have objects."""
    if server.settings.get("home_store") == "objects":
        return {upload for upload, in sql(server, "SELECT DISTINCT upload FROM upload_segments")}
    return {item.name for item in (server.data / "uploads").iterdir()}
