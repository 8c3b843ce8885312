"""Copies and moves between shares that hold some of the same folders: an item may go to where it already is, or a folder
into itself, by paths that do not tell."""

import itertools

import pytest

from client import FILES as FILES_PATH, encode, multipart
from raw import LAST_CHUNK, RawConnection, chunk, head
from server import files_of, tree_of

# Each is the folder of another share, or a link to it.
SHARES = {"outer": "", "inner": "sub", "linked": "sub", "deep": "sub/deep"}
FILES = {"file": b"top", "sub/file": b"mine", "sub/deep/file": b"deeper", "sub/deep/empty/file": b"deepest"}


class Scene:
    def __init__(self, server, account, folder):
        self.client, self.folder = account.client, folder / "outer"
        for name, content in FILES.items():
            (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
            (self.folder / name).write_bytes(content)
        (folder / "link").symlink_to(self.folder / "sub")
        targets = {name: self.folder / path for name, path in SHARES.items()} | {"linked": folder / "link"}
        self.tops = {name: "__adm_" + server.cli_json("share", "add", "--name", name, "--target", target, "--account",
                                                      account.name)["id"] for name, target in targets.items()}

    def paths(self, path):
        """All paths of a folder or file of the disk, by each share that holds it."""
        found = []
        for name, top in self.tops.items():
            if path == SHARES[name]:
                found.append(top)
            elif path.startswith(SHARES[name] + "/") or not SHARES[name]:
                found.append(f"{top}/{path.removeprefix(SHARES[name]).strip('/')}")
        return found

    def state(self):
        """All that requests show; what the server keeps for itself lies hidden in each share."""
        shown = {name for name in tree_of(self.folder) if ".coffer" not in name}
        return shown, {path: content for path, content in files_of(self.folder).items() if ".coffer" not in str(path)}

    def routes(self, source, target):
        """From each path of one to each path of the other."""
        return itertools.product(self.paths(source), self.paths(target))


@pytest.fixture
def scene(own_server, account_on, tmp_path):
    server = own_server()
    return Scene(server, account_on(server), tmp_path)


OPERATIONS = pytest.mark.parametrize("operation", ["copy", "move"])
TAKEN = pytest.mark.parametrize("taken", [None, "file", "folder"])


@OPERATIONS
@TAKEN
@pytest.mark.parametrize("target", ["sub", "sub/deep", "sub/deep/empty"])
def test_a_folder_does_not_go_into_itself(scene, operation, target, taken):
    place = scene.folder / target / "sub"
    if taken == "file":
        place.write_bytes(b"taken")
    elif taken == "folder":
        place.mkdir()
    before = scene.state()
    for source, folder in scene.routes("sub", target):
        is_top = "/" not in source
        answer = getattr(scene.client, operation)(source, folder)
        answer.fails(*((400, 403) if is_top and operation == "move" else (400,)))
        assert scene.state() == before, (source, folder)


@OPERATIONS
@pytest.mark.parametrize("target", ["sub/deep", "sub/deep/empty"])
def test_a_folder_in_a_share_does_not_go_into_itself(scene, operation, target):
    before = scene.state()
    for source, folder in scene.routes("sub/deep", target):
        is_top = "/" not in source
        answer = getattr(scene.client, operation)(source, folder)
        answer.fails(*((400, 403) if is_top and operation == "move" else (400,)))
        assert scene.state() == before, (source, folder)


@pytest.mark.parametrize("item", ["sub/file", "sub/deep", "sub/deep/file", "sub/deep/empty"])
def test_a_copy_to_where_the_item_is_is_refused(scene, item):
    """A share's own folder has the name of the share, so that its copy could stand beside it."""
    before = scene.state()
    for source, folder in scene.routes(item, item.rpartition("/")[0]):
        if "/" not in source:
            continue
        scene.client.copy(source, folder).fails(409)
        assert scene.state() == before, (source, folder)


@pytest.mark.parametrize("item", ["sub/file", "sub/deep", "sub/deep/file", "sub/deep/empty"])
def test_a_move_to_where_the_item_is_changes_nothing(scene, item):
    before = scene.state()
    for source, folder in scene.routes(item, item.rpartition("/")[0]):
        answer = scene.client.move(source, folder)
        if "/" in source:
            answer.ok()
        else:
            answer.fails(403)
        assert scene.state() == before, (source, folder)


@OPERATIONS
@pytest.mark.parametrize("item", ["sub/file", "sub/deep"])
def test_items_go_elsewhere_by_any_share(scene, operation, item):
    name = item.rpartition("/")[2]
    for number, source in enumerate(path for path in scene.paths(item) if "/" in path):
        content = files_of(scene.folder / item)
        target = scene.folder / f"to {number}"
        target.mkdir()
        getattr(scene.client, operation)(source, f"{scene.tops['outer']}/to {number}").ok()
        assert (target / name).exists() and (scene.folder / item).exists() == (operation == "copy")
        if operation == "move":
            (target / name).rename(scene.folder / item)
        assert files_of(scene.folder / item) == content


@OPERATIONS
def test_a_folder_does_not_go_into_itself_by_a_link(account, operation):
    root = account.root
    (root / "a/b").mkdir(parents=True)
    (root / "a/file").write_bytes(b"mine")
    (root / "to").symlink_to("a")
    (root / "a/deep").symlink_to("b")
    before = tree_of(root)
    for source, target in [("a", "to"), ("a", "to/b"), ("a", "to/deep"), ("a/b", "to/deep"), ("to/b", "a/deep")]:
        getattr(account.client, operation)(source, target).fails(400)
        assert tree_of(root) == before, (source, target)


def test_a_link_is_not_copied_into_its_folder(account):
    """A copy of it takes what is in the folder."""
    root = account.root
    (root / "a/b").mkdir(parents=True)
    (root / "to").symlink_to("a")
    before = tree_of(root)
    for target in ("a", "a/b", "to/b"):
        account.client.copy("to", target).fails(400)
        assert tree_of(root) == before, target
    account.client.make_folder("", "else").ok()
    account.client.copy("to", "else").ok()
    assert tree_of(root / "else") == {"to/", "to/b/"}


@pytest.fixture
def home_in_share(own_server, account_on, tmp_path):
    """An account whose folder was put on another disk by a link, which is shared too: no path tells of the two."""
    server = own_server()
    account = account_on(server)
    home = tmp_path / "disk/homes/hers"
    (home / "sub/deep").mkdir(parents=True)
    (home / "sub/file").write_bytes(b"mine")
    server.stop()
    account.root.rmdir()
    account.root.symlink_to(home)
    server.start()
    top = "__adm_" + server.cli_json("share", "add", "--name", "disk", "--target", tmp_path / "disk", "--account",
                                     account.name)["id"]
    return account.client, home, f"{top}/homes/hers"


@OPERATIONS
def test_a_folder_does_not_go_into_itself_by_own_files(home_in_share, operation):
    client, home, top = home_in_share
    before = files_of(home)
    for source, folder in [("sub", f"{top}/sub"), ("sub", f"{top}/sub/deep"), (f"{top}/sub", "sub"),
                           (f"{top}/sub", "sub/deep"), (top, "sub"), (f"{top}/sub/deep", "sub/deep")]:
        getattr(client, operation)(source, folder).fails(400)
        assert files_of(home) == before and client.names("sub") == ["deep", "file"], (source, folder)
        assert client.names("sub/deep") == []


@OPERATIONS
def test_an_item_that_goes_to_where_it_is_by_own_files_stays(home_in_share, operation):
    client, home, top = home_in_share
    before = files_of(home)
    for source, folder in [("sub/file", f"{top}/sub"), (f"{top}/sub/file", "sub"), ("sub", top), (f"{top}/sub", "")]:
        getattr(client, operation)(source, folder).fails(409)
        assert files_of(home) == before, (source, folder)


LARGE = b"large content " * 200_000


def begin_upload(server, client, folder, name, content):
    """All of an upload but its last bytes; what sends these and gives the answer."""
    content_type, body = multipart([("file", name, content)])
    connection = RawConnection(server)
    target = FILES_PATH + "/upload?" + encode({"path": folder})
    connection.send(head("POST", target, f"Content-Type: {content_type}", "Transfer-Encoding: chunked", key=client.key) +
                    chunk(body[:-30]))

    def finish():
        connection.send(chunk(body[-30:]) + LAST_CHUNK)
        return connection.read_answer()

    return finish


@pytest.mark.parametrize("operation, content", [("delete", b"small"), ("delete", LARGE), ("move", LARGE), ("rename", LARGE)],
                         ids=["delete-small", "delete-large", "move", "rename"])
def test_nothing_is_stored_in_a_share_whose_folder_was_taken_away(scene, operation, content):
    """What was deleted or moved away is still there, since much else is being reclaimed before it."""
    client, (outer, inner) = scene.client, (scene.tops["outer"], scene.tops["inner"])
    client.put(f"{inner}/first", b"opens it")
    (scene.folder / "much").mkdir()
    for number in range(20_000):
        (scene.folder / f"much/{number}").touch()
    finish = begin_upload(client.server, client, inner, "new", content)
    client.delete(f"{outer}/much").ok()
    if operation == "delete":
        client.delete(f"{outer}/sub").ok()
    elif operation == "move":
        client.move(f"{outer}/sub", "").ok()
    else:
        client.rename(f"{outer}/sub", "other").ok()
    assert finish().status == 404
    assert not [path for path in files_of(scene.folder) if path.name == "new"]
    if operation == "move":
        assert "new" not in client.names("sub")
