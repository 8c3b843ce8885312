"""`script/server`, in a tree of its own in which the program is built already."""

import shutil
import subprocess

import pytest

from server import BINARY, PATIENCE_S, REPOSITORY, clean_environment


@pytest.fixture
def tree(tmp_path):
    (tmp_path / "script").mkdir()
    shutil.copy(REPOSITORY / "script/server", tmp_path / "script/server")
    build = tmp_path / "script/build"
    build.write_text("#!/bin/sh\n")
    build.chmod(0o755)
    (tmp_path / "build/release").mkdir(parents=True)
    (tmp_path / "build/release/coffer").symlink_to(BINARY)
    return tmp_path


def start(tree, *arguments):
    return subprocess.run([tree / "script/server", *map(str, arguments)], capture_output=True, text=True,
                          stdin=subprocess.DEVNULL, env=clean_environment(), timeout=PATIENCE_S)


@pytest.mark.parametrize("arguments, words", [
    (["--config", "/nonexist.toml"], ["/nonexist.toml"]),
    (["--bogus"], ["--bogus"]),
    (["--listen", "nohost:99"], ["--listen", "nohost:99"]),
    (["extra"], ["extra"]),
    (["--listen"], ["--listen"]),
], ids=lambda value: " ".join(value))
@pytest.mark.parametrize("has_data", [True, False], ids=["--data", "without --data"])
def test_what_is_wrong_is_told(tree, has_data, arguments, words):
    told = start(tree, *(["--data", tree / "mine"] if has_data else []), *arguments)
    line, = told.stderr.splitlines()
    assert told.returncode != 0 and told.stdout == "" and all(word in line for word in words), told
    assert "--print-config" not in line and "At Most" not in line
    assert not (tree / "mine").exists() and not (tree / "data").exists()


def test_data_is_in_the_checkout_unless_it_is_said(tree):
    """The address is refused, since it is another machine's."""
    started = start(tree, "--listen", "192.0.2.1:1")
    assert started.returncode != 0 and (tree / "data/files").is_dir()
    started = start(tree, "--listen", "192.0.2.1:1", "--data", tree / "mine")
    assert started.returncode != 0 and (tree / "mine/files").is_dir()


def test_the_link_for_set_up_is_printed(tree):
    with subprocess.Popen([tree / "script/server", "--listen", "127.0.0.1:0"], stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, text=True, env=clean_environment()) as process:
        try:
            line = next(line for line in process.stderr if "/set-up#" in line)
        finally:
            process.terminate()
    assert (tree / "data/setup-link").read_text().strip() in line
