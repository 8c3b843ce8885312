"""Which error an answer tells where two apply: 401, 400 for the form of the request, 403, 404, 409, 413, in this order.

Each row of the tables is one request and the two errors that it deserves; the first of them is the answer."""

import pytest

from client import FILES, KEYS, encode, multipart
from mounting import add_connector, plant, scratch, started
from remote_servers import SftpServer

ORDER = (401, 400, 403, 404, 409, 413)
QUOTA = 4000
BIG = b"b" * 3000  # Fits once, not twice.
PARTIAL = ".coffer-part-069217f3a0011223344556677"  # No request can ask for it.
BAD_NAME = "a/b"
CONTENT_TYPE, SMALL_BODY = multipart([("file", "new.txt", b"x")])
BIG_BODY = multipart([("file", "new.txt", BIG * 4)], "boundary")[1]


class Scene:
    """Own files near the quota, a share that is read-only, one that is not, a mount, and keys."""

    def __init__(self, account, read_only, writable, mount):
        self.client, self.scoped = account.client, account.client.scoped("d")
        self.words = {"RO": read_only, "RW": writable, "MOUNT": mount}

    def path(self, text):
        first, slash, rest = text.partition("/")
        return self.words.get(first, first) + slash + rest

    def send(self, key, method, route, parameters, body=b""):
        client = {"full": self.client, "scoped": self.scoped,
                  "wrong": self.client.with_key("00000000-0000-4000-8000-000000000000")}[key]
        values = {name: self.path(value) for name, value in parameters.items()}
        is_upload = route.endswith("/upload")
        headers = {"Content-Type": "multipart/form-data; boundary=boundary" if body else CONTENT_TYPE}
        extra = {"headers": headers, "body": body or SMALL_BODY} if is_upload else {}
        return client.exact(method, f"{route}?{encode(values)}", **extra)


@pytest.fixture(scope="module")
def scene(server, module_account, tmp_path_factory):
    account = module_account
    account.client.put("big", BIG)
    for folder in ("d/sub", "full", "full/share"):
        account.client.make_folder("", folder.split("/")[0]) if "/" not in folder else account.client.make_folder(
            *folder.split("/")).ok()
    account.set("--quota", str(QUOTA))
    with scratch("order") as top, started(SftpServer) as remotes:
        paths = []
        for name, *options in (("closed", "--read-only"), ("open",)):
            plant(top / name, {"big": BIG, "file": b"x", "d/big": BIG, "taken/big": b"x"})
            made = server.cli_json("share", "add", "--name", f"{account.name} {name}", "--target", top / name,
                                   "--account", account.name, *options)
            paths.append(f"__adm_{made['id']}")
        plant(remotes["sftp"].root, {"big": BIG, "file": b"x", "d/big": BIG, "taken/big": b"x"})
        paths.append(add_connector(server, account.name, "Far", remotes["sftp"].options()))
        account.client.make_folder("", f"{account.name} open").ok()  # The name that a copy of the share would take.
        yield Scene(account, *paths)
        for name in ("closed", "open"):
            server.cli("share", "remove", f"{account.name} {name}")


def case(first, second, key, method, route, body=b"", **parameters):
    label = f"{method}-{route.removeprefix('/api/v1/')}-{first}-before-{second}-{'-'.join(parameters.values())}"
    return pytest.param(first, second, key, method, route, parameters, body, id=label.replace("/", "."))


GET, POST, PUT, DELETE = "GET", "POST", "PUT", "DELETE"
LIST, INFO, DOWNLOAD, UPLOAD = FILES, FILES + "/info", FILES + "/download", FILES + "/upload"
FOLDER, FILE, MOVE, COPY, RENAME = FILES + "/folder", FILES + "/file", FILES + "/move", FILES + "/copy", FILES + "/rename"

# A key that is not valid, and one more fault of each kind that the endpoint knows.
WITHOUT_KEY = [
    *(case(401, 400, "wrong", GET, route, path="a\x01") for route in (LIST, INFO, DOWNLOAD)),
    *(case(401, 403, "wrong", GET, route, path="..") for route in (LIST, INFO, DOWNLOAD)),
    *(case(401, 404, "wrong", GET, route, path="none") for route in (LIST, INFO, DOWNLOAD)),
    case(401, 400, "wrong", POST, UPLOAD, path="a\x01"), case(401, 403, "wrong", POST, UPLOAD, path="RO"),
    case(401, 404, "wrong", POST, UPLOAD, path="none"), case(401, 413, "wrong", POST, UPLOAD, BIG_BODY, path=""),
    case(401, 400, "wrong", POST, FOLDER, path="", name=BAD_NAME), case(401, 403, "wrong", POST, FOLDER, path="RO", name="n"),
    case(401, 404, "wrong", POST, FOLDER, path="__adm_none", name="n"), case(401, 409, "wrong", POST, FOLDER, path="", name="d"),
    case(401, 400, "wrong", POST, FILE, path="", name=BAD_NAME), case(401, 403, "wrong", POST, FILE, path="RO", name="n"),
    case(401, 404, "wrong", POST, FILE, path="none", name="n"),
    case(401, 400, "wrong", PUT, RENAME, path="d", newName=BAD_NAME), case(401, 403, "wrong", PUT, RENAME, path="RO/d", newName="n"),
    case(401, 404, "wrong", PUT, RENAME, path="none", newName="n"), case(401, 409, "wrong", PUT, RENAME, path="d", newName="full"),
    *(one for verb in (MOVE, COPY) for one in (
        case(401, 400, "wrong", PUT, verb, **{"from": "d", "to": "d/sub"}),
        case(401, 403, "wrong", PUT, verb, **{"from": "d", "to": "RO"}),
        case(401, 404, "wrong", PUT, verb, **{"from": "none", "to": "full"}),
        case(401, 409, "wrong", PUT, verb, **{"from": "RW/big", "to": ""}),
        case(401, 413, "wrong", PUT, verb, **{"from": "RW/big", "to": "d"}))),
    case(401, 400, "wrong", DELETE, FILES, path="a\x01"), case(401, 403, "wrong", DELETE, FILES, path=""),
    case(401, 404, "wrong", DELETE, FILES, path="none"),
    case(401, 400, "wrong", POST, KEYS, name=""), case(401, 403, "wrong", POST, KEYS, name="k", folder=".."),
    case(401, 404, "wrong", POST, KEYS, name="k", folder="none"), case(401, 404, "wrong", DELETE, KEYS + "/none"),
]

# The form of the request before what is there.
FORM = [
    case(400, 403, "scoped", POST, FOLDER, path="RW", name=BAD_NAME),
    case(400, 403, "full", POST, FOLDER, path="RO", name=BAD_NAME),
    case(400, 403, "full", POST, FOLDER, path="..", name=""),
    case(400, 404, "full", POST, FOLDER, path="__adm_none", name=BAD_NAME),
    case(400, 403, "full", POST, FILE, path="RO", name=BAD_NAME),
    case(400, 404, "full", POST, FILE, path="none", name=BAD_NAME),
    case(400, 404, "full", POST, FILE, path="__adm_none", name=BAD_NAME),
    case(400, 403, "full", PUT, RENAME, path="", newName=BAD_NAME),
    case(400, 403, "full", PUT, RENAME, path="RO/d", newName=BAD_NAME),
    case(400, 403, "full", PUT, RENAME, path="..", newName=""),
    case(400, 404, "full", PUT, RENAME, path="none", newName=BAD_NAME),
    case(400, 404, "full", PUT, RENAME, path="none", newName="__adm_x"),
    case(400, 403, "full", PUT, MOVE, **{"from": "RO/d", "to": "RO/d/sub"}),
    case(400, 403, "full", PUT, COPY, **{"from": "RO/d", "to": "RO/d/sub"}),
    case(400, 404, "full", PUT, MOVE, **{"from": "none", "to": "none/sub"}),
    case(400, 404, "full", PUT, COPY, **{"from": "none", "to": "none/sub"}),
    case(400, 404, "full", PUT, MOVE, **{"from": "d/__adm_x", "to": ""}),
    case(400, 404, "full", PUT, COPY, **{"from": "d/__conn_x", "to": ""}),
    case(400, 403, "full", PUT, MOVE, **{"from": "RO/__adm_x", "to": ""}),
    case(400, 404, "full", PUT, COPY, **{"from": "RO/__adm_x", "to": ""}),
    case(400, 403, "full", POST, KEYS, name="", folder=".."),
    case(400, 404, "full", POST, KEYS, name="a\x01", folder="none"),
    case(400, 403, "scoped", POST, KEYS, name="", folder="RW"),
]

# What may not be before what is not.
RIGHTS = [
    *(case(403, 404, "scoped", GET, route, path=path) for route in (LIST, INFO, DOWNLOAD)
      for path in ("RW/none", "__adm_none", f"RW/{PARTIAL}")),
    case(403, 404, "full", POST, UPLOAD, path="RO/none"), case(403, 404, "scoped", POST, UPLOAD, path="RW/none"),
    case(403, 404, "full", POST, UPLOAD, path=f"RO/{PARTIAL}"),
    case(403, 409, "full", POST, FOLDER, path="RO", name="d"), case(403, 409, "scoped", POST, FOLDER, path="RW", name="d"),
    case(403, 404, "full", POST, FOLDER, path=f"RO/{PARTIAL}", name="d"),
    case(403, 404, "full", POST, FILE, path="RO/none", name="n"), case(403, 404, "scoped", POST, FILE, path="RW/none", name="n"),
    case(403, 404, "full", PUT, RENAME, path="RO/none", newName="n"), case(403, 409, "full", PUT, RENAME, path="RO/file", newName="d"),
    case(403, 409, "full", PUT, RENAME, path="", newName="d"), case(403, 404, "scoped", PUT, RENAME, path="RW/none", newName="n"),
    case(403, 404, "full", PUT, RENAME, path=f"RO/{PARTIAL}", newName="n"),
    case(403, 404, "full", PUT, MOVE, **{"from": "RO/none", "to": "d"}),
    case(403, 404, "full", PUT, MOVE, **{"from": "RO/big", "to": "none"}),
    case(403, 404, "full", PUT, MOVE, **{"from": "none", "to": "RO"}),
    case(403, 404, "full", PUT, MOVE, **{"from": "/", "to": "none"}),
    case(403, 404, "full", PUT, MOVE, **{"from": "RW", "to": "none"}),
    case(403, 409, "full", PUT, MOVE, **{"from": "RO/big", "to": ""}),
    case(403, 409, "full", PUT, MOVE, **{"from": "big", "to": "RO"}),
    case(403, 413, "full", PUT, MOVE, **{"from": "RO/big", "to": "d"}),
    case(403, 404, "full", PUT, COPY, **{"from": "none", "to": "RO"}),
    case(403, 404, "full", PUT, COPY, **{"from": "/", "to": "none"}),
    case(403, 404, "scoped", PUT, COPY, **{"from": "none", "to": "RW"}),
    case(403, 409, "full", PUT, COPY, **{"from": "big", "to": "RO"}),
    case(403, 404, "full", DELETE, FILES, path="RO/none"), case(403, 404, "scoped", DELETE, FILES, path="RW/none"),
    case(403, 404, "full", DELETE, FILES, path=f"RO/{PARTIAL}"),
    case(403, 404, "scoped", POST, KEYS, name="k", folder="RW/none"),
]

# What is not before what is taken, and that before what does not fit.
EXISTENCE = [
    *(case(404, 409, "full", PUT, RENAME, path=f"{place}none", newName="big") for place in ("", "RW/", "MOUNT/")),
    *(case(404, 409, "full", PUT, MOVE, **{"from": f"{place}none/big", "to": to})
      for place in ("", "RW/", "MOUNT/") for to in ("", "RW", "MOUNT")),
    *(case(404, 409, "full", PUT, COPY, **{"from": f"{place}none/big", "to": to})
      for place in ("", "RW/", "MOUNT/") for to in ("", "RW", "MOUNT")),
    case(404, 413, "full", POST, UPLOAD, BIG_BODY, path="none"),
    *(case(404, 413, "full", PUT, verb, **{"from": source, "to": "none"})
      for verb in (MOVE, COPY) for source in ("RW/big", "MOUNT/big")),
    case(404, 413, "full", PUT, COPY, **{"from": "big", "to": "none"}),
    *(case(409, 413, "full", PUT, verb, **{"from": source, "to": ""})
      for verb in (MOVE, COPY) for source in ("RW/big", "RW/d/big", "RW/d", "MOUNT/big", "MOUNT/d/big", "MOUNT/d")),
    case(409, 413, "full", PUT, COPY, **{"from": "RO/big", "to": ""}),
    case(409, 413, "full", PUT, COPY, **{"from": "RO/d", "to": ""}),
    case(409, 413, "full", PUT, COPY, **{"from": "RW", "to": ""}),
]


@pytest.mark.parametrize("first, second, key, method, route, parameters, body",
                         [*WITHOUT_KEY, *FORM, *RIGHTS, *EXISTENCE])
def test_the_first_of_two_errors_is_told(scene, first, second, key, method, route, parameters, body):
    assert ORDER.index(first) < ORDER.index(second)
    answer = scene.send(key, method, route, parameters, body)
    assert answer.status == first, answer


@pytest.mark.parametrize("key, method, route, parameters, status", [
    ("full", POST, UPLOAD, {"path": ""}, 413), ("full", PUT, COPY, {"from": "RW/big", "to": "d"}, 413),
    ("full", PUT, COPY, {"from": "MOUNT/big", "to": "d"}, 413), ("full", PUT, MOVE, {"from": "RW/d", "to": "full"}, 413),
    ("full", PUT, COPY, {"from": "MOUNT/d", "to": "full"}, 413), ("full", PUT, COPY, {"from": "RW", "to": "d"}, 413),
    ("full", PUT, COPY, {"from": "big", "to": "d"}, 413), ("full", PUT, RENAME, {"path": "big", "newName": "d"}, 409)])
def test_without_the_first_error_the_second_is_told(scene, key, method, route, parameters, status):
    """So that each row above has two to choose from."""
    body = BIG_BODY if route == UPLOAD else b""
    assert scene.send(key, method, route, parameters, body).status == status
