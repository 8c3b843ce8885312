"""How a request is read: decoding, parameters, routes, methods, and which error comes first."""

import urllib.parse

import pytest

from client import ACCOUNT, FILES, KEYS, multipart
from server import PATIENCE_S, tree_of

CONTENT_TYPE, BODY = multipart([("file", "new.txt", b"x")])
UPLOAD = {"headers": {"Content-Type": CONTENT_TYPE}, "body": BODY}

# Every parameter that ends as a path: method, route, the other parameters, its name.
PATHS = [
    ("GET", FILES, "", "path"),
    ("GET", FILES + "/info", "", "path"),
    ("GET", FILES + "/download", "", "path"),
    ("POST", FILES + "/upload", "", "path"),
    ("POST", FILES + "/folder", "name=new", "path"),
    ("POST", FILES + "/file", "name=new", "path"),
    ("PUT", FILES + "/move", "to=", "from"),
    ("PUT", FILES + "/move", "from=a.txt", "to"),
    ("PUT", FILES + "/copy", "to=", "from"),
    ("PUT", FILES + "/copy", "from=a.txt", "to"),
    ("PUT", FILES + "/rename", "newName=new", "path"),
    ("DELETE", FILES, "", "path"),
    ("POST", KEYS, "name=new", "folder"),
]
NAMES = [
    ("POST", FILES + "/folder", "path=", "name"),
    ("POST", FILES + "/file", "path=", "name"),
    ("PUT", FILES + "/rename", "path=a.txt", "newName"),
    ("POST", KEYS, "", "name"),
]


def identify(value):
    return value if isinstance(value, str) else None


def send(client, method, route, query):
    extra = UPLOAD if route.endswith("/upload") else {}
    return client.exact(method, f"{route}?{query}", **extra)


def with_value(others, parameter, value):
    return "&".join(filter(None, [others, f"{parameter}={value}"]))


@pytest.fixture(scope="module")
def tree(module_account):
    """An account that refused requests leave as it is."""
    client = module_account.client
    for name in ("a.txt", "a b.txt", "a+b.txt", "ü.txt", "%2e%2e", "..a", "a=b&c.txt", "100%.txt"):
        client.put(name, name.encode())
    client.make_folder("d", "e").ok()
    client.put("d/e/f.txt", b"deep")
    (module_account.root / "back\\slash").write_bytes(b"odd")
    return client


@pytest.fixture
def untouched(module_account, tree):
    before = tree_of(module_account.root)
    yield tree
    assert tree_of(module_account.root) == before


@pytest.mark.parametrize("query, name", [
    ("path=a+b.txt", "a b.txt"),
    ("path=a%20b.txt", "a b.txt"),
    ("path=a%2Bb.txt", "a+b.txt"),
    ("path=a%2bb.txt", "a+b.txt"),
    ("path=%C3%BC.txt", "ü.txt"),
    ("path=%252e%252e", "%2e%2e"),
    ("path=%252E%252E", None),
    ("path=..a", "..a"),
    ("path=a%3Db%26c.txt", "a=b&c.txt"),
    ("path=a=b%26c.txt", "a=b&c.txt"),
    ("path=100%25.txt", "100%.txt"),
    ("path=back%5Cslash", "back\\slash"),
    ("path=/d//e/./f.txt", "f.txt"),
    ("path=d%2Fe%2ff.txt", "f.txt"),
    ("path=./d/e//", "e"),
    ("pa%74h=a.txt", "a.txt"),
    ("path=a.txt&", "a.txt"),
    ("&&path=a.txt", "a.txt"),
    ("path", ""),
    ("path=", ""),
    ("path=a.txt&other=1&other=2", "a.txt"),
    ("Path=zzz&path=a.txt", "a.txt"),
    ("path=...", None),
    ("path=A.TXT", None),
])
def test_decoding(tree, query, name):
    answer = tree.exact("GET", f"{FILES}/info?{query}")
    if name is None:
        answer.fails(404)
    else:
        assert answer.ok()["name"] == name


def test_a_target_in_absolute_form_is_understood(tree):
    answer = tree.exact("GET", f"{tree.server.url}{FILES}/info?path=a.txt", documented=False)
    assert answer.ok()["name"] == "a.txt"


BROKEN = ["%zz", "%", "%2", "a%g0", "%ff", "%c0%ae", "%ed%a0%80", "%f4%90%80%80", "%c3", "%00", "a%00b", "%0a", "%0D",
          "%1f", "%7f", "%C2%80", "%09"]


@pytest.mark.parametrize("value", BROKEN)
@pytest.mark.parametrize("method, route, others, parameter", PATHS + NAMES, ids=identify)
def test_undecodable_values_are_400(untouched, method, route, others, parameter, value):
    send(untouched, method, route, with_value(others, parameter, value)).fails(400)


CLIMBING = ["..", "/..", "../", "../x", "d/..", "d/../a.txt", "%2e%2e", "%2e.", ".%2E/x", "..%2fx", "%2e%2e%2fx",
            "..%5cx", "d%5c..", "d%5C..%5Ca.txt", "..\\x", "./..", "d//../..", "%2e%2e%5c%2e%2e", "d/e/../../../x"]


@pytest.mark.parametrize("value", CLIMBING)
@pytest.mark.parametrize("method, route, others, parameter", PATHS, ids=identify)
def test_climbing_is_403_wherever_a_path_enters(untouched, method, route, others, parameter, value):
    send(untouched, method, route, with_value(others, parameter, value)).fails(403)


@pytest.mark.parametrize("value", ["%252e%252e/x", "%252e%252e%252fx", "..;", ".../x", "%EF%BC%8E%EF%BC%8E/x",
                                   "%E2%80%A4%E2%80%A4/x"])
@pytest.mark.parametrize("method, route, others, parameter",
                         [row for row in PATHS if not row[1].endswith("/folder")], ids=identify)
def test_what_only_looks_like_climbing_is_an_ordinary_name(untouched, method, route, others, parameter, value):
    # "%2e%2e" is a file in this tree, so what lies below it may also be called a wrong use of a file.
    send(untouched, method, route, with_value(others, parameter, value)).fails(404, 400)


@pytest.mark.parametrize("method, route, others, parameter", PATHS + NAMES, ids=identify)
def test_a_parameter_given_twice_is_400_and_named(untouched, method, route, others, parameter):
    query = with_value(with_value(others, parameter, "a.txt"), parameter, "a.txt")
    assert parameter in send(untouched, method, route, query).fails(400)


@pytest.mark.parametrize("method, route, query, missing", [
    ("GET", FILES + "/info", "", "path"),
    ("GET", FILES + "/download", "", "path"),
    ("GET", FILES + "/download", "path=", "path"),
    ("DELETE", FILES, "", "path"),
    ("POST", FILES + "/folder", "path=d", "name"),
    ("POST", FILES + "/folder", "name=", "name"),
    ("POST", FILES + "/file", "path=d", "name"),
    ("POST", FILES + "/file", "name=", "name"),
    ("PUT", FILES + "/move", "to=d", "from"),
    ("PUT", FILES + "/move", "from=&to=d", "from"),
    ("PUT", FILES + "/copy", "to=d", "from"),
    ("PUT", FILES + "/copy", "from=&to=d", "from"),
    ("PUT", FILES + "/rename", "newName=x", "path"),
    ("PUT", FILES + "/rename", "path=a.txt", "newName"),
    ("PUT", FILES + "/rename", "path=a.txt&newName=", "newName"),
    ("POST", KEYS, "", "name"),
    ("POST", KEYS, "folder=d", "name"),
    ("POST", KEYS, "name=", "name"),
])
def test_a_missing_parameter_is_400_and_named(untouched, method, route, query, missing):
    message = send(untouched, method, route, query).fails(400)
    if query != "path=":
        assert missing in message


@pytest.mark.parametrize("root", ["", "%2F", ".", "/./"])
@pytest.mark.parametrize("method, route, query", [
    ("PUT", FILES + "/rename", "newName=x&path="),
    ("DELETE", FILES, "path="),
])
def test_the_root_is_not_renamed_or_deleted(untouched, method, route, query, root):
    send(untouched, method, route, query + root).fails(403)


@pytest.mark.parametrize("root", ["%2F", ".", "/./"])
@pytest.mark.parametrize("operation", ["move", "copy"])
def test_the_root_is_not_moved_or_copied(untouched, operation, root):
    send(untouched, "PUT", f"{FILES}/{operation}", f"to=d&from={root}").fails(403)


@pytest.mark.parametrize("method, route, query", [
    ("GET", FILES, "path=a.txt"),
    ("GET", FILES + "/download", "path=d"),
    ("PUT", FILES + "/move", "from=d&to=a.txt"),
    ("PUT", FILES + "/copy", "from=d&to=a.txt"),
    ("POST", KEYS, "name=k&folder=a.txt"),
])
def test_a_file_where_a_folder_is_needed_or_the_other_way_is_400(untouched, method, route, query):
    send(untouched, method, route, query).fails(400)


@pytest.mark.parametrize("prefix", ["__adm_", "__adm_x", "__conn_x", "__conn_00000000-0000-4000-8000-000000000000"])
@pytest.mark.parametrize("rest", ["", "/", "/a.txt"])
@pytest.mark.parametrize("method, route, others, parameter", PATHS, ids=identify)
def test_mounts_that_do_not_exist_are_404(untouched, method, route, others, parameter, prefix, rest):
    send(untouched, method, route, with_value(others, parameter, prefix + rest)).fails(404)


# Which error, where several apply

@pytest.mark.parametrize("method, route, others, parameter", PATHS, ids=identify)
def test_401_comes_before_all_else(untouched, method, route, others, parameter):
    stranger = untouched.with_key(None)
    for value in ("..", "%zz", "no/such", "x&" + parameter + "=y"):
        send(stranger, method, route, with_value(others, parameter, value)).fails(401)
    send(stranger, method, route, "").fails(401)


@pytest.mark.parametrize("method, route, query", [
    ("PUT", FILES + "/rename", "path=../x"),
    ("PUT", FILES + "/rename", "path=../x&newName=a/b"),
    ("PUT", FILES + "/rename", "path=no-such&newName=a/b"),
    ("PUT", FILES + "/rename", "path=&newName=a/b"),
    ("POST", FILES + "/folder", "path=../x"),
    ("POST", FILES + "/folder", "path=../x&name=a/b"),
    ("POST", FILES + "/file", "path=no-such&name=."),
    ("POST", FILES + "/file", "path=..&name="),
    ("PUT", FILES + "/move", "to=.."),
    ("PUT", FILES + "/move", "from=..&to=%zz"),
    ("PUT", FILES + "/copy", "from=%ff&to=.."),
    ("POST", KEYS, "folder=.."),
    ("POST", KEYS, "folder=no-such&name=%01"),
])
def test_400_for_the_form_comes_before_403_and_404(untouched, method, route, query):
    send(untouched, method, route, query).fails(400)


@pytest.mark.parametrize("query", ["from=no-such&to=..", "from=..&to=no-such", "from=__adm_x/a&to=.."])
@pytest.mark.parametrize("operation", ["move", "copy"])
def test_403_comes_before_404(untouched, operation, query):
    send(untouched, "PUT", f"{FILES}/{operation}", query).fails(403)


def test_404_comes_before_409(untouched):
    untouched.move("no-such/a.txt", "").fails(404)
    untouched.rename("no-such", "a.txt").fails(404)


def test_409_comes_before_413(make_account):
    account = make_account("1000")
    account.client.put("a.bin", b"x" * 800)
    account.client.make_folder("d", "a.bin").ok()
    account.client.copy("a.bin", "d").fails(409)


# Routes and methods

@pytest.mark.parametrize("path", ["/api/v1/nothing", "/api/v1", "/api/v3/account", "/api/v1/files/none/such",
                                  "/api/v1/keys/a/b", "/api/v1/accountx", "/api/v1/account/x", "/api/v1/../v1/accoun"])
def test_unknown_routes_are_404(client, path):
    client.exact("GET", path, documented=False).fails(404)


ROUTES = {
    "/api/v1/locations": {"GET"}, FILES: {"GET", "DELETE"}, FILES + "/download": {"GET"}, FILES + "/upload": {"POST"},
    FILES + "/folder": {"POST"}, FILES + "/file": {"POST"}, FILES + "/move": {"PUT"}, FILES + "/copy": {"PUT"},
    FILES + "/rename": {"PUT"}, FILES + "/info": {"GET"}, ACCOUNT: {"GET"}, KEYS: {"GET", "POST"},
    KEYS + "/some-id": {"DELETE"},
}


@pytest.mark.parametrize("path", ROUTES)
@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "DELETE", "PATCH", "TRACE", "PROPFIND", "get"])
def test_wrong_methods_are_405_with_allow(client, path, method):
    if method in ROUTES[path]:
        return
    answer = client.exact(method, path, documented=False)
    answer.fails(405)
    allowed = {word.strip() for word in answer.headers["Allow"].split(",")}
    assert ROUTES[path] <= allowed <= ROUTES[path] | {"HEAD", "OPTIONS"}
    assert ("HEAD" in allowed) == ("GET" in allowed)


@pytest.mark.parametrize("query", ["/api/v1/locations", FILES, FILES + "?path=d", FILES + "/info?path=a.txt",
                                   FILES + "/download?path=a.txt", ACCOUNT, "/api/openapi.json"])
def test_head_answers_as_get_does_without_the_body(tree, query):
    get = tree.session.get(tree.server.url + query, headers={"Accept-Encoding": "identity"}, timeout=PATIENCE_S)
    head = tree.exact("HEAD", query, documented=False)
    assert get.status_code == head.status == 200 and head.content == b""
    assert head.headers["Content-Length"] == get.headers["Content-Length"]
    assert head.headers["Content-Type"] == get.headers["Content-Type"]


@pytest.mark.parametrize("target, status", [(FILES + "?path=no-such", 404), (FILES + "?path=..", 403),
                                            (FILES + "/info", 400), ("/api/v1/nothing", 404)])
def test_head_carries_the_errors_too(tree, target, status):
    assert tree.exact("HEAD", target, documented=False).status == status


def test_head_needs_a_key_too(tree):
    assert tree.with_key(None).exact("HEAD", ACCOUNT).status == 401


def test_a_request_body_where_none_belongs_does_no_harm(tree):
    for body in (b"{}", b"x" * 100_000):
        assert tree.call("GET", ACCOUNT, body=body).ok()["username"]
        tree.call("POST", FILES + "/folder", {"name": ""}, body=body).fails(400)


def test_query_keys_do_not_come_from_the_body(client):
    body = urllib.parse.urlencode({"name": "x"})
    client.call("POST", FILES + "/folder", headers={"Content-Type": "application/x-www-form-urlencoded"},
                body=body).fails(400)
