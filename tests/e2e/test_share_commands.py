"""What else an administrator does with shares: looks whether they work, names them anew, and is kept from sharing the
data folder by another way."""

import shutil

import pytest

from mounting import scratch


@pytest.fixture
def folder():
    with scratch("shared") as made:
        yield made


@pytest.fixture
def share(server, make_account, folder):
    account = make_account()
    made = server.cli_json("share", "add", "--name", account.name, "--target", folder, "--account", account.name)
    account.share, account.path = made, f"__adm_{made['id']}"
    yield account
    server.cli("share", "remove", made["id"])


def refuses(server, *arguments):
    done = server.cli("share", *arguments, ok=False)
    assert done.returncode != 0 and done.stdout == "" and done.stderr.count("\n") == 1, done
    return done.stderr


def test_whether_a_share_works(server, share, folder):
    for which in (share.name, share.share["id"]):
        assert server.cli_json("share", "test", which) == {"works": True}
    assert server.cli("share", "test", share.name).stdout == "It works.\n"
    aside = folder.rename(folder.with_suffix(".aside"))
    try:
        assert "not there" in refuses(server, "test", share.name)
        folder.write_bytes(b"a file")
        assert "is a file" in refuses(server, "test", share.name)
        folder.unlink()
    finally:
        aside.rename(folder)
    assert server.cli_json("share", "test", share.name) == {"works": True}
    assert "no such share" in refuses(server, "test", "none").lower()


def test_an_id_is_found_before_a_name_that_looks_like_it(server, share, folder):
    other = server.cli_json("share", "add", "--name", share.share["id"], "--target", folder, "--account", share.name)
    changed = server.cli_json("share", "set", share.share["id"], "--description", "by its id")
    assert changed["id"] == share.share["id"]
    server.cli("share", "remove", other["id"])


def test_a_share_has_another_name_and_the_same_place(server, share, folder):
    (folder / "sub").mkdir()
    (folder / "sub/file").write_bytes(b"x")
    scoped = share.client.scoped(f"{share.path}/sub")
    changed = server.cli_json("share", "set", share.name, "--name", f"new {share.name}")
    assert changed == {**share.share, "name": f"new {share.name}"}
    assert share.client.names() == [f"new {share.name}"]
    assert [one["name"] for one in share.client.locations().ok()][1:] == [f"new {share.name}"]
    assert share.client.content(f"{share.path}/sub/file") == b"x" and scoped.content("file") == b"x"
    assert "no such share" in refuses(server, "test", share.name).lower()


def test_a_share_takes_no_name_that_cannot_be(server, share, make_account, folder):
    other = make_account()
    server.cli("share", "add", "--name", other.name, "--target", folder, "--account", other.name)
    for name, says in ((other.name, "exists already"), ("a/b", "name"), ("..", "name"), ("", "name"),
                       ("__adm_x", "__adm_"), ("a\nb", "name")):
        assert says in refuses(server, "set", share.name, "--name", name)
    assert share.client.names() == [share.name]
    server.cli("share", "remove", other.name)


@pytest.mark.parametrize("below", ["", "files", "..", "staging"])
@pytest.mark.parametrize("when", ["added", "changed", "later"])
def test_a_link_to_the_data_folder_is_not_shared(server, share, folder, below, when):
    """Whether it was one when it was shared, or became one behind that."""
    link = folder / "link"
    target = server.data / below
    target.mkdir(exist_ok=True)
    if when == "later":
        link.mkdir()
        server.cli("share", "set", share.name, "--target", link)
        assert share.client.list(share.path).ok() == []
        shutil.rmtree(link)
        link.symlink_to(target)
        share.client.list(share.path).fails(502)
        server.cli("share", "set", share.name, "--read-only", "true")  # It is opened anew.
        for answer in (share.client.list(share.path), share.client.download(f"{share.path}/secret.key"),
                       share.client.list(f"{share.path}/files")):
            answer.fails(502)
            assert str(server.data) not in answer.content.decode()
        assert share.client.names() == [share.name]
        assert "symbolic link" in refuses(server, "test", share.name)
        return
    link.symlink_to(target)
    if when == "changed":
        message = refuses(server, "set", share.name, "--target", link)
    else:
        message = refuses(server, "add", "--name", "linked", "--target", link, "--account", share.name)
    assert "data folder" in message and str(server.data) not in message
    assert share.client.names() == [share.name] and share.client.list(share.path).ok() != share.client.list().ok()
