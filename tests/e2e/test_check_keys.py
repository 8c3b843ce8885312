"""`coffer check` looks where keys lead, also into mounts, and says where it cannot."""

import pytest

from mounting import add_connector, scratch, started
from remote_servers import SftpServer


@pytest.fixture
def scene(own_server, account_on):
    server = own_server()
    account = account_on(server)
    with scratch("shared") as folder, started(SftpServer) as remotes:
        share = server.cli_json("share", "add", "--name", "Team", "--target", folder, "--account", account.name)
        mount = add_connector(server, account.name, "Far away", remotes["sftp"].options())
        account.folders = {"own": account.root, "share": folder, "mount": remotes["sftp"].root}
        account.paths = {"own": "docs", "share": f"__adm_{share['id']}/docs", "mount": f"{mount}/docs"}
        account.remote = remotes["sftp"]
        for place, path in account.paths.items():
            (account.folders[place] / "docs").mkdir()
            account.client.create_key(place, path).ok()
        yield account


def lines_of_keys(account):
    shown = account.server.cli("check", ok=False)
    return shown.returncode, [line for line in shown.stdout.splitlines() if "the folder of the key" in line]


def test_folders_that_are_there_are_no_problem(scene):
    assert lines_of_keys(scene) == (0, [])


@pytest.mark.parametrize("place", ["own", "share", "mount"])
def test_a_folder_that_is_gone_is_missing(scene, place):
    (scene.folders[place] / "docs").rmdir()
    status, [line] = lines_of_keys(scene)
    assert status == 1 and f"({place}) is missing: {scene.paths[place]}." in line


def test_a_server_that_does_not_answer_is_said_to(scene):
    scene.remote.stop()
    status, [line] = lines_of_keys(scene)
    assert status == 1 and "(mount) cannot be read now (" in line and "missing" not in line


def test_a_location_that_was_withdrawn_is_said_to_be(scene):
    scene.server.cli("share", "set", "Team", "--account", scene.server.add_account(), "--no-account", scene.name)
    status, [line] = lines_of_keys(scene)
    assert status == 1 and "(share) is in a location that the account does not have" in line
