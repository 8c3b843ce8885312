"""litmus, the test suite for WebDAV servers, passes whole and without a warning."""

import os
import re
import subprocess

import pytest

from mounting import add_connector, started
from remote_servers import SftpServer

GROUPS = {"basic": 16, "copymove": 13, "props": 30, "locks": 41, "http": 4}


def passes(folder, group, url, account):
    done = subprocess.run(["litmus", "-k", url, account.name, account.key], capture_output=True, text=True, timeout=300,
                          cwd=folder, env={**os.environ, "TESTS": group})
    found = re.search(r"of (\d+) tests run: (\d+) passed, (\d+) failed", done.stdout)
    assert found and [int(number) for number in found.groups()] == [GROUPS[group], GROUPS[group], 0], done.stdout
    assert "WARNING" not in done.stdout, done.stdout


@pytest.mark.parametrize("group", GROUPS)
def test_own_files_pass_litmus(account, tmp_path, group):
    passes(tmp_path, group, f"{account.server.url}/dav/", account)


@pytest.mark.parametrize("group", GROUPS)
def test_a_share_passes_litmus(account, tmp_path, group):
    shared = tmp_path / "shared"
    shared.mkdir()
    name = account.server.new_name("Team ")
    account.server.cli("share", "add", "--name", name, "--target", shared, "--account", account.name)
    passes(tmp_path, group, f"{account.server.url}/dav/{name.replace(' ', '%20')}/", account)


@pytest.mark.parametrize("group", ["basic", "copymove", "http"])  # The others set properties, which servers do not keep.
def test_an_sftp_server_passes_litmus(account, tmp_path, group):
    with started(SftpServer) as remotes:
        place = add_connector(account.server, account.name, "SFTP", remotes["sftp"].options(), stdin="secret\n")
        passes(tmp_path, group, f"{account.server.url}/dav/{place}/", account)
