"""A caller of /api/v2, as a browser or with a key. Every answer is held against the description."""

import json
import urllib.parse

import requests

from client import Client, TIMEOUT_S
from schema import Description

PASSWORD = "correct horse battery"
PROBLEM_FIELDS = {"type", "title", "status", "detail", "code"}


class PeopleDescription(Description):
    def check_answer(self, method, path, answer):
        """The status is described, and the body is what is described for it."""
        content = self.response(method, path, answer.status_code).get("content", {})
        if not content:
            assert answer.content == b"", answer.content
            return
        if "*/*" in content:
            return  # A file's bytes.
        if set(content) == {"application/x-ndjson", "text/csv"}:
            assert answer.headers["Content-Type"].partition(";")[0] in content, answer.headers
            return  # As with lines below.
        if "text/event-stream" in content:
            assert answer.headers["Content-Type"] == "text/event-stream", answer.headers
            return  # It has no end; event_stream.py reads it.
        media_type, = content
        assert answer.headers["Content-Type"] == media_type, answer.headers
        if method == "HEAD":
            assert answer.content == b"", answer.content
            return
        if media_type == "application/x-ndjson":
            return  # Each line is held against it where it is read.
        errors = list(self.validator(method, path, answer.status_code, media_type).iter_errors(answer.json()))
        assert not errors, f"{method} {path}: {errors[0].message} in {answer.text}"


_descriptions = []


def people_description(server):
    """Of the program, which all servers run: the first that is asked tells it."""
    if not _descriptions:
        _descriptions.append(PeopleDescription(requests.get(server.url + "/api/v2/openapi.json", timeout=TIMEOUT_S).json()))
    return _descriptions[0]


class Person:
    """One browser, or one program with a key. `csrf` is what it shows besides the cookie."""

    def __init__(self, server, key=None, headers=None):
        self.server, self.description = server, people_description(server)
        self.http = requests.Session()
        self.http.trust_env = False
        self.http.headers.update(headers or {})
        if key:
            self.http.headers["X-API-Key"] = key
        self.csrf = None

    def call(self, method, path, body=None, headers=None, raw=None, documented=True):
        """Paths are below /api/v2/. The answer, after it was checked."""
        path = "/api/v2/" + path
        sent = dict(headers or {})
        if self.csrf is not None and method not in ("GET", "HEAD"):
            sent.setdefault("X-CSRF-Token", self.csrf)
        if body is not None:
            raw = json.dumps(body)
            sent.setdefault("Content-Type", "application/json")
        is_endless = method == "GET" and urllib.parse.urlsplit(path).path == "/api/v2/events"
        answer = self.http.request(method, self.server.url + path, data=raw, headers=sent, timeout=TIMEOUT_S, stream=is_endless)
        if answer.status_code >= 400 and method != "HEAD":
            problem = answer.json()
            assert answer.headers["Content-Type"] == "application/problem+json", answer.headers
            assert set(problem) == PROBLEM_FIELDS and problem["status"] == answer.status_code, problem
        if documented:
            self.description.check_answer(method, urllib.parse.urlsplit(path).path, answer)
        if is_endless:
            answer.close()
        return answer

    def ok(self, method, path, body=None, status=200, **more):
        answer = self.call(method, path, body, **more)
        assert answer.status_code == status, (answer.status_code, answer.text)
        return answer.json() if answer.content else None

    def fails(self, code, method, path, body=None, **more):
        """Of the problem with that word, its text."""
        answer = self.call(method, path, body, **more)
        assert answer.status_code >= 400 and answer.json()["code"] == code, (answer.status_code, answer.text)
        return answer.json()["detail"]

    def sign_in(self, name, password=PASSWORD):
        session = self.ok("POST", "session", {"userName": name, "password": password})
        self.csrf = session["csrfToken"]
        self.server.secrets.update((self.csrf, *self.http.cookies.values()))
        return session

    @property
    def cookie(self):
        """Of the session or of a guest. Another one tells that the browser is known."""
        value, = [value for name, value in self.http.cookies.items() if not name.endswith("coffer_device")]
        return value

    def page(self, path="", **order):
        """One page of a folder: names, and the cursor of the next."""
        page = self.ok("GET", "files?" + urllib.parse.urlencode({"path": path, **order}))
        return [entry["name"] for entry in page["entries"]], page["next"]

    def pages(self, path="", **order):
        """The names of all pages, in order."""
        names, cursor = self.page(path, **order)
        yield names
        while cursor:
            names, cursor = self.page(path, cursor=cursor, **order)
            yield names

    def content(self, path, headers=None, method="GET", **more):
        """The answer to a download."""
        query = urllib.parse.urlencode({"path": path, **more})
        return self.call(method, "files/content?" + query, headers=headers)

    def put(self, path, data, **headers):
        """The answer to a file's new content; headers have `_` for `-`."""
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        return self.call("PUT", "files/content?" + urllib.parse.urlencode({"path": path}), raw=data, headers=sent)

    def v1(self):
        """The same caller of v1."""
        client = Client(self.server, None)
        client.session = self.http
        if self.csrf is not None:
            client.session = requests.Session()
            client.session.trust_env, client.session.cookies = False, self.http.cookies
            client.session.headers.update({**self.http.headers, "X-CSRF-Token": self.csrf})
        return client


class People:
    """Those of one server, each new and signed in."""

    def __init__(self, server):
        self.server = server

    def new(self, role="user"):
        person = Person(self.server)
        person.name = self.server.add_account(self.server.new_name(f"person-{role}"), role=role, password=PASSWORD)
        person.sign_in(person.name)
        return person
