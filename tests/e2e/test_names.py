"""What a new item may be called, at every place where a name enters."""

import pytest

from client import form

BAD = {
    "slash": "a/b", "leading slash": "/a", "backslash": "a\\b", "only a backslash": "\\", "dot": ".", "two dots": "..",
    "null": "a\0b", "line feed": "a\nb", "carriage return": "a\rb", "tab": "a\tb", "escape": "\x1b[0m",
    "delete": "a\x7f", "C1 control": "a\u0085b", "256 bytes": "x" * 256, "256 bytes in 128 characters": "é" * 128,
}
GOOD = ["a", "x" * 255, "é" * 127, "👍" * 63, " leading", "trailing ", "trailing.", ".hidden", "...", "..a", "a..b", "CON",
        "%2e%2e", "%2F", "it's", "a+b&c=d?#.txt", "-rf", "~", "e\u0301", "*?<>|:", "日本語.txt", "\u202egpj.exe", "__ad_x",
        "x__adm_1", "__CONN", "\u00a0", "$(id)", "{}", "名前 mit Ümläuten.tar.gz"]
RESERVED = ["__adm_", "__adm_x", "__conn_", "__conn_1.txt"]


def create_folder(client, path, name):
    return client.make_folder(path, name)


def create_file(client, path, name):
    return client.make_file(path, name)


def upload(client, path, name):
    return client.upload(path, form((name, b"x")))


def rename(client, path, name):
    old = "old.tmp"
    client.make_file(path, old).ok()
    answer = client.rename(f"{path}/{old}", name)
    if answer.status != 200:
        assert old in client.names(path)
        client.delete(f"{path}/{old}").ok()
    return answer


PLACES = [create_folder, create_file, upload, rename]


@pytest.mark.parametrize("place", PLACES, ids=lambda place: place.__name__)
def test_good_names_work_and_come_back_unchanged(client, place):
    client.make_folder("", "d").ok()
    for name in GOOD:
        place(client, "d", name).ok()
        assert client.info(f"d/{name}").ok()["name"] == name
    assert sorted(client.names("d")) == sorted(GOOD)
    for name in GOOD:
        client.delete(f"d/{name}").ok()
    assert client.names("d") == []


@pytest.mark.parametrize("place", [create_folder, create_file, rename], ids=lambda place: place.__name__)
def test_bad_names_are_400_and_leave_nothing(client, place):
    client.make_folder("", "d").ok()
    for why, name in BAD.items():
        answer = place(client, "d", name)
        assert answer.status == 400, (why, answer)
    assert client.names("d") == [] and client.names() == ["d"]


@pytest.mark.parametrize("name", [".", "..", "a/.", "a/..", "x" * 256, "é" * 128, "a\x01b", "a\x7f", "a\u0085b", b"\xff.txt",
                                  b"\xc0\xae", b"a\0b"], ids=repr)
def test_bad_file_names_in_an_upload_are_400_and_store_nothing(client, name):
    client.upload("", [("files", "good.txt", b"x"), ("files", name, b"x")]).fails(400)
    assert client.names() == []


@pytest.mark.parametrize("name", ["C:\\fakepath\\a.txt", "..\\a.txt", "d\\a.txt"])
def test_a_backslash_never_gets_into_an_uploaded_name(account, name):
    answer = account.client.upload("", form((name, b"x")))
    if answer.status != 400:  # What comes before the last one is a folder, or an escape as in any quoted text.
        assert all("\\" not in stored for stored in answer.ok()["uploaded"])
    assert all("\\" not in path.name for path in account.root.rglob("*"))
    assert account.client.list().status == 200


@pytest.mark.parametrize("place", PLACES, ids=lambda place: place.__name__)
@pytest.mark.parametrize("name", RESERVED)
def test_reserved_names_are_refused_at_the_root_only(client, place, name):
    place(client, "", name).fails(400)
    assert client.names() == []
    client.make_folder("", "d").ok()
    place(client, "d", name).ok()
    assert client.names("d") == [name]


@pytest.mark.parametrize("operation", ["move", "copy"])
@pytest.mark.parametrize("name", RESERVED)
@pytest.mark.parametrize("to", [None, "", "/"])
def test_reserved_names_do_not_reach_the_root_by_move_or_copy(client, operation, name, to):
    client.make_folder("", "d").ok()
    client.make_file("d", name).ok()
    getattr(client, operation)(f"d/{name}", to).fails(400)
    assert client.names() == ["d"] and client.names("d") == [name]


@pytest.mark.parametrize("name, stored", [
    ("folder/a.txt", "a.txt"), ("/etc/passwd", "passwd"), ("../../a.txt", "a.txt"), ("a/b/c/d.txt", "d.txt"),
    ("__adm_x/a.txt", "a.txt"), ("/a.txt", "a.txt")])
def test_folders_in_an_uploaded_file_name_are_dropped(account, name, stored):
    assert account.client.upload("", form((name, b"x"))).ok()["uploaded"] == [stored]
    assert [path.name for path in account.root.rglob("*")] == [stored]


def test_a_quoted_quotation_mark_is_part_of_the_file_name(client):
    client.upload("", [("file", 'a\\"b.txt', b"x")]).ok()
    assert client.names() == ['a"b.txt']


def test_names_with_quotes_work_everywhere_else(client):
    client.make_folder("", 'a "b" c').ok()
    client.make_file('a "b" c', "it's").ok()
    assert client.names('a "b" c') == ["it's"]


@pytest.mark.parametrize("label", ["k", "x" * 100, "é" * 100, "a/b\\c", "..", "__adm_x", "<script>", "  "])
def test_labels_of_keys_are_free_text(client, label):
    assert client.create_key(label).ok()["name"] == label
    assert label in [key["name"] for key in client.keys().ok()]


@pytest.mark.parametrize("label", ["x" * 101, "é" * 101, "a\nb", "a\0", "\x7f", "\u0085"], ids=ascii)
def test_labels_of_keys_have_bounds(client, label):
    client.create_key(label).fails(400)
    assert len(client.keys().ok()) == 1
