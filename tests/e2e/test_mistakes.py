"""Mistakes on the command line are called by their names, with the option or word that mends them."""

import os
import re
import subprocess

import pytest

from mounting import scratch, started
from remote_servers import SftpServer
from server import BINARY, PATIENCE_S, clean_environment, run


def refused(told, status=None):
    line, = told.stderr.splitlines()
    assert told.stdout == "" and (told.returncode == status if status else told.returncode > 0), told
    return line


# Words

@pytest.mark.parametrize("words, unknown, meant", [
    (["serv"], "coffer serv", "serve"), (["acount", "add"], "coffer acount", "account"),
    (["account", "ad", "bob"], "coffer account ad", "add"), (["--verison"], "--verison", "--version"),
    (["-x"], "-x", None), (["nonsense"], "coffer nonsense", None), (["account", "--nonsense"], "--nonsense", None),
    (["account", "show", "--help"], "coffer account show", None), (["nonsense", "--help"], "coffer nonsense", None),
    (["help", "serv"], "coffer serv", "serve"), (["account", "add", "bob", "--qouta", "1"], "--qouta", "--quota"),
    (["--version", "--nonsense"], "--nonsense", None)], ids=lambda value: " ".join(value) if isinstance(value, list) else None)
def test_a_word_that_is_not_known_is_named(words, unknown, meant):
    line = refused(run(*words), 2)
    assert unknown in line and "subcommand" not in line, line
    assert (f"did you mean {meant}?" in line) if meant else "did you mean" not in line, line


def test_what_is_missing_is_still_told():
    assert "subcommand is required" in refused(run("account"), 2)
    assert "NAME is required" in refused(run("account", "add"), 2)


@pytest.mark.parametrize("words, option", [
    (["serve", "--data", "--listen"], "--data"), (["serve", "--listen", "--data", "x"], "--listen"),
    (["account", "add", "ann", "--data", "--quota", "1"], "--data"), (["key", "list", "--account", "--json"], "--account")],
    ids=" ".join)
def test_a_forgotten_value_does_not_eat_the_next_option(tmp_path, words, option):
    told = subprocess.run([BINARY, *words], capture_output=True, text=True, cwd=tmp_path, stdin=subprocess.DEVNULL,
                          env=clean_environment(), timeout=PATIENCE_S)
    assert f"{option}: " in refused(told, 2) and "value is missing" in told.stderr
    assert os.listdir(tmp_path) == []


# Settings

@pytest.mark.parametrize("config, words", [
    (".", ["is a folder"]), ("none.toml", ["none.toml", "is not there"])])
def test_a_settings_file_that_is_none(tmp_path, config, words):
    line = refused(run("serve", "--data", tmp_path / "data", "--config", tmp_path / config, "--print-config"))
    assert all(word in line for word in words) and str(tmp_path) in line and "line 0" not in line, line


def test_a_number_is_a_whole_one(tmp_path):
    (tmp_path / "coffer.toml").write_text("threads = 1.5\n")
    assert "whole number" in refused(run("serve", "--data", "x", "--config", tmp_path / "coffer.toml", "--print-config"))


@pytest.mark.parametrize("command", [["serve"], ["account", "list"], ["account", "add", "ada"]], ids=" ".join)
def test_a_data_folder_that_is_a_file(tmp_path, command):
    (tmp_path / "data").write_text("no folder")
    line = refused(run(*command, "--data", tmp_path / "data"), 1)
    assert f"{tmp_path}/data is not a folder" in line, line


# Data of others

@pytest.mark.skipif(os.geteuid() != 0, reason="commands of other users are started, for which it takes root")
@pytest.mark.parametrize("command", [["account", "list"], ["check"]], ids=" ".join)
def test_the_data_folder_of_root_is_not_missing(command):
    with scratch("of-root") as folder:
        folder.chmod(0o755)
        data = folder / "data"
        run("account", "add", "ada", "--data", data)
        data.chmod(0o700)
        told = subprocess.run(["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", BINARY, *command,
                               "--data", data], capture_output=True, text=True, env=clean_environment(),
                              cwd="/", timeout=PATIENCE_S)
        line = refused(told, 1)
        assert "belongs to root: run this as that user, or as root" in line, line


# Options

@pytest.mark.parametrize("options, names", [
    ([], ["--name", "--target"]), (["--name", "x"], ["--target"]), (["--name", "x", "--target", "/srv"], ["--account", "--everyone"])])
def test_a_share_says_which_options_it_needs(server, options, names):
    line = refused(server.cli("share", "add", *options, ok=False), 1)
    assert all(name in line for name in names), line


def test_a_share_of_a_file_or_of_nothing_says_of_what(server, tmp_path):
    (tmp_path / "file").write_text("x")
    line = refused(server.cli("share", "add", "--name", "x", "--target", tmp_path / "file", "--everyone", ok=False), 1)
    assert "a file" in line and f"{tmp_path}/file" in line
    line = refused(server.cli("share", "add", "--name", "x", "--target", "relative", "--everyone", ok=False), 1)
    assert "not there" in line and f"{os.getcwd()}/relative" in line


@pytest.mark.parametrize("options, names", [
    (["--kind", "ftp"], ["--name"]), (["--kind", "ftp", "--name", "x"], ["--host"]),
    (["--kind", "ftp", "--name", "x", "--host", "localhost"], ["--user"]),
    (["--kind", "drive", "--name", "x"], ["--remote-type"]),
    (["--kind", "sftp", "--name", "x", "--host", "localhost", "--user", "u"], ["--host-key", "--trust-on-first-use"]),
    (["--kind", "ftp", "--name", "x", "--host", "localhost", "--user", "u", "--port", "99999"], ["--port", "99999", "65535"])],
    ids=" ".join)
def test_a_connector_says_which_options_it_needs(account, options, names):
    line = refused(account.server.cli("connector", "add", "--account", account.name, *options, ok=False))
    assert all(name in line for name in names), line


def test_the_host_key_that_was_pinned_is_shown(account):
    with started(SftpServer) as remotes:
        options = remotes["sftp"].options()
        at = options.index("--host-key")
        del options[at:at + 2]
        told = account.server.cli("connector", "add", "--account", account.name, "--name", "Far", *options,
                                  "--trust-on-first-use")
        assert remotes["sftp"].fingerprint() in told.stdout


@pytest.mark.parametrize("words", [["account", "set", "x", "--disabled", "maybe"], ["share", "set", "x", "--read-only", "maybe"],
                                   ["connector", "set", "--account", "x", "y", "--read-only", "maybe"]], ids=" ".join)
def test_a_truth_value_is_true_or_false(words):
    line = refused(run(*words, "--data", "x"), 2)
    assert words[-2] in line and "true or false" in line and "maybe" in line, line


def test_a_key_file_of_a_wrong_length(own_server):
    server = own_server()
    server.stop()
    (server.data / "secret.key").write_bytes(b"x" * 31)
    told = server.cli("account", "list", ok=False)
    assert re.search("must have 32 bytes and has 31", refused(told, 1))


def test_one_is_not_many(tmp_path):
    run("account", "add", "ada", "--data", tmp_path / "data")
    assert "1 account checked, 0 problems left." in run("check", "--data", tmp_path / "data").stdout
