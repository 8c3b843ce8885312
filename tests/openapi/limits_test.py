"""Requests made at random from the description: what it allows is never refused as malformed, and what it does not
allow always is. COFFER_TEST_SEED repeats a run, COFFER_TEST_REQUESTS makes it longer."""

import http.client
import json
import os
import random
import urllib.parse

import pytest

from schema_judge import operations

SEED = int(os.environ.get("COFFER_TEST_SEED", random.SystemRandom().randrange(1 << 32)))
REQUESTS = int(os.environ.get("COFFER_TEST_REQUESTS", "1000"))
ROOT = "/api/v1/files"
REFUSED = {400, 403}  # 403: a path that climbs by "..", or an act on the root itself.
PIECES = ["", ".", "..", "...", "a", "b.txt", ".profile", "..a", "a..", " ", "+", "%2e", "%", "&", "=", "#", "?", '"', "'",
          "ü", "e\u0301", "日本", "😀", "\u00a0", "\u200f", "\ufeff", "\U0010fffe", "\\", "\\..", "..\\x", "x\\..\\y", "/",
          "//", "\0", "\t", "\n", "a\n", "\r", "\x1f", "\x7f", "\x80", "\x85", "\x9f", "a" * 63, "a" * 254, "é" * 127,
          "日" * 85, "😀" * 63, "x" * 100, "ü" * 100]
DISPOSITIONS = ['; filename="{}.txt"', "; filename=plain{}", "; filename*=UTF-8''star%20{}", '; filename=""', "",
                "; filename*=UTF-8''", '; filename=" {}"', '; filename="a\\"{}"', '; size=3; filename="{}"']


class Api:
    def __init__(self, url, key):
        self.connection = http.client.HTTPConnection(urllib.parse.urlsplit(url).netloc, timeout=60)
        self.key = key

    def call(self, method, path, query=(), body=None, headers=None):
        target = path + ("?" + "&".join(f"{name}={quoted(value)}" for name, value in query) if query else "")
        self.connection.request(method, target, body=body, headers={"X-API-Key": self.key, **(headers or {})})
        answer = self.connection.getresponse()
        return answer.status, answer.read()

    def empty_the_account(self):
        for entry in json.loads(self.call("GET", ROOT)[1])["data"]:
            assert self.call("DELETE", ROOT, [("path", entry["relativePath"])])[0] == 200


def quoted(text):
    return urllib.parse.quote(text, safe="")


@pytest.fixture
def api(server):
    print(f"COFFER_TEST_SEED={SEED}")
    return Api(server.url, server.create_key(server.add_account())["key"])


@pytest.fixture
def described(document):
    return {one.id: one for one in operations(document)}


def some_text(chance):
    return "".join(chance.choice(PIECES) for _ in range(chance.choice((1, 1, 1, 2, 3, 4))))


def some_values(operation, chance):
    """Values for the parameters, now and then without one."""
    return {name: some_text(chance) for name in operation.parameters if chance.random() < 0.95 or operation.in_path(name)}


def request_of(operation, values):
    path = operation.path
    query = []
    for name, value in values.items():
        if operation.in_path(name):
            path = path.replace("{" + name + "}", quoted(value))
        else:
            query.append((name, value))
    return path, query


def is_about_two_parameters(values):
    """Into itself or below itself is refused too, which no schema of one parameter tells."""
    source, target = (("/".join(part for part in values.get(name, "").split("/") if part not in ("", ".")))
                      for name in ("from", "to"))
    return "from" in values and (target + "/").startswith(source + "/")


def test_what_the_parameters_allow_is_what_the_server_takes(api, described):
    chance = random.Random(SEED)
    seen = set()
    plain = [one for one in described.values() if one.parameters and not one.form]
    for _ in range(REQUESTS):
        operation = chance.choice(plain)
        values = some_values(operation, chance)
        path, query = request_of(operation, values)
        if is_about_two_parameters(values) or path.endswith("/"):  # An empty key's id is another route.
            continue
        status, body = api.call(operation.method, path, query)
        allowed = operation.allows(values)
        assert status in ({200, 404, 409} if allowed else REFUSED), (operation.id, values, allowed, status, body)
        seen.add((operation.id, allowed))
        if status == 200 and operation.method != "GET":
            api.empty_the_account()
    assert seen == {(one.id, allowed) for one in plain for allowed in (True, False)}


def some_parts(chance):
    return [(chance.choice(("file", "files", "other")), "form-data" + chance.choice(DISPOSITIONS).format(number))
            for number in range(chance.choice((0, 1, 1, 2, 3)))]


def form_of(parts):
    lines = [f'--x\r\nContent-Disposition: {disposition.replace("form-data", f"""form-data; name="{field}" """)}\r\n\r\n'
             f"content\r\n" for field, disposition in parts]
    return "".join([*lines, "--x--\r\n"]).encode()


def test_what_the_form_allows_is_what_the_server_takes(api, described):
    chance = random.Random(SEED)
    upload = described["uploadFiles"]
    seen = set()
    for _ in range(REQUESTS // 5):
        parts = some_parts(chance)
        status, body = api.call("POST", upload.path, (), form_of(parts), {"Content-Type": "multipart/form-data; boundary=x"})
        allowed = upload.allows_form(parts)
        assert status == (200 if allowed else 400), (parts, allowed, status, body)
        seen.add(allowed)
    assert seen == {True, False}


def test_a_parameter_that_is_given_twice_is_refused(api, described):
    for operation in described.values():
        for name, one in operation.parameters.items():
            if one["in"] != "query":
                continue
            query = [(each, "a") for each in operation.parameters if not operation.in_path(each)] + [(name, "a")]
            assert api.call(operation.method, operation.path, query)[0] == 400, (operation.id, name)


def test_without_a_key_nothing_is_allowed(api, described):
    api.key = "none"
    for operation in described.values():
        path, query = request_of(operation, {name: "a" for name in operation.parameters})
        assert api.call(operation.method, path, query)[0] == 401, operation.id
