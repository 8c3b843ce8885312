"""What clients did and were answered, with the times of one clock: that of this process."""

import collections
import hashlib
import http.client
import json
import socket
import threading
import time

import client as api
from schema import check_envelope

OK, REFUSED, UNKNOWN = "ok", "refused", "unknown"
TIMEOUT_S = 13  # More than a server waits for its database.
now = time.monotonic


def digest(content):
    return hashlib.sha256(content).hexdigest()[:16]


class Reply:
    """`status` is None where no answer came. `outcome`: OK took effect, REFUSED did not, and UNKNOWN may have, or may yet."""

    def __init__(self, status, headers=None, body=b"", was_sent=True):
        self.status, self.headers, self.body = status, headers or {}, body
        if status is None:
            self.outcome = UNKNOWN if was_sent else REFUSED
        elif status < 300:
            self.outcome = OK
        else:
            self.outcome = REFUSED if status < 500 or status in (503, 507) else UNKNOWN

    def json(self):
        return json.loads(self.body)


class History:
    """Safe from any thread."""

    def __init__(self):
        self._lock = threading.Lock()
        self.entries = []

    def add(self, **entry):
        with self._lock:
            self.entries.append(entry)
        return entry


class Statistics:
    """Of all calls: how many by kind and by status, and what no server may answer. Safe from any thread."""

    def __init__(self):
        self._lock = threading.Lock()
        self.operations, self.statuses = collections.Counter(), collections.Counter()
        self.breaches = []

    def note(self, kind, target, reply):
        breach = wrong_in(reply)
        with self._lock:
            self.operations[kind] += 1
            self.statuses[str(reply.status)] += 1
            if breach:
                self.breaches.append(f"{kind} {target}: {breach}: {reply.status} {reply.body[:300]!r}")

    def take_breaches(self):
        with self._lock:
            breaches, self.breaches = self.breaches, []
        return breaches


def wrong_in(reply):
    """What is wrong with an answer, whatever was asked; None if nothing is."""
    if reply.status is None or reply.status < 400:
        return None
    if reply.status >= 500 and reply.status not in (503, 504, 507):
        return "a status that no trouble excuses"
    if reply.status == 503 and not reply.headers.get("Retry-After"):
        return "503 without Retry-After"
    if reply.body:
        return wrong_in_body(reply)
    return None


def wrong_in_body(reply):
    try:
        body = reply.json()
        if reply.headers.get("Content-Type", "").startswith("application/problem+json"):
            assert body["status"] == reply.status and body["code"] and body["detail"], body
        else:
            check_envelope(reply.status, body)
    except (AssertionError, ValueError, KeyError) as error:
        return f"neither envelope nor problem ({error})"
    return None


class Caller:
    """One client with a key, of one thread. `places` are those with an address and a port that it may send to: servers, and a
    balancer."""

    def __init__(self, places, statistics, chance, key=None, headers=None):
        self.places, self.statistics, self.chance = places, statistics, chance
        self.headers = {**({"X-API-Key": key} if key else {}), **(headers or {})}
        self._connections = {}

    def some_place(self):
        return self.chance.randrange(len(self.places))

    def _connection(self, place, timeout):
        at = (self.places[place].address, self.places[place].port)
        address, connection = self._connections.get(place, (None, None))
        if address != at or connection is None or connection.timeout != timeout:
            self._drop(place)
            connection = http.client.HTTPConnection(*at, timeout=timeout)
            self._connections[place] = at, connection
        return connection

    def _drop(self, place):
        if place in self._connections:
            self._connections.pop(place)[1].close()

    def call(self, kind, place, method, target, body=None, headers=None, timeout=TIMEOUT_S):
        """A body that is neither bytes nor None is sent as JSON."""
        sent = {**self.headers, **(headers or {})}
        if body is not None and not isinstance(body, (bytes, bytearray)):
            body, sent["Content-Type"] = json.dumps(body).encode(), "application/json"
        reply = self._reply(place, method, target, body, sent, timeout)
        if reply.status is None:
            self._drop(place)
        self.statistics.note(kind, f"{method} {target}", reply)
        return reply

    def _reply(self, place, method, target, body, headers, timeout):
        if self.places[place].port is None:
            return Reply(None, was_sent=False)  # It does not run.
        connection = self._connection(place, timeout)
        was_sent = connection.sock is not None
        try:
            if not was_sent:
                connection.connect()
                connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            was_sent = True
            connection.request(method, target, body=body, headers=headers)
            got = connection.getresponse()
            return Reply(got.status, got.headers, got.read())
        except (OSError, http.client.HTTPException):
            return Reply(None, was_sent=was_sent)

    # Calls of files

    def upload(self, kind, place, folder, *files):
        content_type, body = api.multipart(api.form(*files))
        return self.call(kind, place, "POST", f"{api.FILES}/upload?{api.encode({'path': folder})}", body,
                         {"Content-Type": content_type})

    def put(self, kind, place, path, content, headers=None):
        return self.call(kind, place, "PUT", f"/api/v2/files/content?{api.encode({'path': path})}", content, headers)

    def get(self, kind, place, path):
        return self.call(kind, place, "GET", f"/api/v2/files/content?{api.encode({'path': path})}")

    def delete(self, kind, place, path):
        return self.call(kind, place, "DELETE", f"{api.FILES}?{api.encode({'path': path})}")

    def list(self, kind, place, path=""):
        return self.call(kind, place, "GET", f"{api.FILES}?{api.encode({'path': path})}")

    def make_folder(self, kind, place, folder, name):
        return self.call(kind, place, "POST", f"{api.FILES}/folder?{api.encode({'path': folder, 'name': name})}")

    def move(self, kind, place, path, to):
        return self.call(kind, place, "PUT", f"{api.FILES}/move?{api.encode({'from': path, 'to': to})}")

    def rename(self, kind, place, path, name):
        return self.call(kind, place, "PUT", f"{api.FILES}/rename?{api.encode({'path': path, 'newName': name})}")

    def copy(self, kind, place, path, to):
        return self.call(kind, place, "PUT", f"{api.FILES}/copy?{api.encode({'from': path, 'to': to})}")

    def surely(self, what, call):
        """For work at rest: repeats what is refused for a moment; the reply, which is a success."""
        end = now() + 60
        while True:
            reply = call()
            if reply.outcome == OK:
                return reply
            assert now() < end, f"{what} is not done at rest: {reply.status} {reply.body[:300]!r}"
            time.sleep(0.2)
