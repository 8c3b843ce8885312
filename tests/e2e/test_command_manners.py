"""What people expect of a command line: where its errors go, what it tries, what it answers to."""

import json
import os
import re
import signal
import subprocess

import pytest

from disks import own_mounts
from driving import new_name
from mounting import scratch, started
from remote_servers import PureFtpd, SftpServer
from server import BINARY, PATIENCE_S, clean_environment, eventually, run


def in_shell(script, *arguments):
    """Runs a line of a shell in which `$0` is the program."""
    return subprocess.run(["sh", "-c", script, BINARY, *map(str, arguments)], capture_output=True, text=True,
                          env=clean_environment(), timeout=PATIENCE_S)


def test_a_closing_terminal_does_not_end_the_server(own_server, account_on):
    server = own_server()
    server.send_signal(signal.SIGHUP)
    account_on(server).client.put("a", b"x")
    server.send_signal(signal.SIGHUP)
    server.stop()


@pytest.mark.parametrize("output", [">/dev/full", ">&-"])
@pytest.mark.parametrize("form", ["", "--json"])
def test_a_key_whose_secret_could_not_be_printed_is_revoked(account, output, form):
    told = in_shell(f'"$0" key create --name lost {form} "$@" {output}', "--account", account.name, *account.server.place())
    assert told.returncode == 1 and "revoked" in told.stderr and told.stderr.count("\n") == 1, told
    assert [key["name"] for key in account.server.cli_json("key", "list", "--account", account.name)] == ["test"]


@pytest.mark.parametrize("command", ["account list", "account list --json", "check"])
@pytest.mark.parametrize("output", [">/dev/full", ">&-"])
def test_output_that_cannot_be_written_is_an_error(account, command, output):
    told = in_shell(f'"$0" {command} "$@" {output}', *account.server.place())
    assert told.returncode == 1 and "output cannot be written" in told.stderr, told
    account.client.list().ok()


@pytest.mark.parametrize("command", ["version", "--version", "--help", "help account", "serve --data x --print-config"])
def test_so_it_is_without_a_data_folder(command):
    told = in_shell(f'"$0" {command} >/dev/full')
    assert told.returncode == 1 and "output cannot be written" in told.stderr, told


def test_what_is_not_expected_is_listed_in_its_order(account):
    told = run("version", "one", "two", "three")
    assert told.returncode == 2 and "one two three" in told.stderr
    told = account.server.cli("account", "list", "one", "two", ok=False)
    assert told.returncode == 2 and "one two" in told.stderr


@pytest.mark.parametrize("words", [[], ["account"], ["account", "add"], ["connector", "authorize"], ["account", "ls"]], ids=" ".join)
def test_help_is_a_command_too(words):
    told, asked = run("help", *words), run(*words, "--help")
    assert told.returncode == 0 and told.stderr == "" and "Usage" in told.stdout
    assert told.stdout.split() == asked.stdout.split()


def test_help_of_what_is_not_there():
    for words in (["nonsense"], ["account", "nonsense"]):
        told = run("help", *words)
        assert told.returncode == 2 and told.stdout == "" and "nonsense" in told.stderr and told.stderr.count("\n") == 1


def test_short_names(account):
    server = account.server
    assert server.cli("account", "ls").stdout == server.cli("account", "list").stdout
    of_account = ["--account", account.name]
    assert server.cli_json("key", "ls", *of_account) == server.cli_json("key", "list", *of_account)
    server.cli("key", "rm", account.key_id, *of_account)
    assert server.cli_json("connector", "ls", *of_account) == []
    assert server.cli_json("share", "ls") == server.cli_json("share", "list")
    server.cli("account", "rm", account.name)
    account.client.list().fails(401)


def test_the_version_is_an_option_too():
    assert run("--version").stdout == run("version").stdout and run("--version").returncode == 0


def test_no_help_shows_how_the_program_is_made():
    commands = ["serve", "check", "version", "account add", "account set", "share add", "share set", "key create",
                "connector add", "connector set", "connector authorize"]
    for command in commands:
        text = run(*command.split(), "--help").stdout
        assert "->" not in text and "ENUM" not in text and "{true}" not in text, text
    assert re.search(r"--tls MODE.*none, explicit", run("connector", "add", "--help").stdout, re.S)


# Errors for programs

@pytest.mark.parametrize("arguments", [
    ["account", "add", "a/b"], ["account", "remove", "nobody"], ["key", "create", "--account", "nobody", "--name", "k"],
    ["share", "remove", "none"], ["connector", "list", "--account", "nobody"], ["account", "list", "x"],
    ["account", "add", "x", "--quota", "much"], ["connector", "add"]], ids=" ".join)
def test_errors_are_json_where_that_is_asked_for(server, arguments):
    plain = server.cli(*arguments, ok=False)
    told = server.cli(*arguments, "--json", ok=False)
    assert told.returncode == plain.returncode > 0 and told.stdout == ""
    error = json.loads(told.stderr)
    assert error == {"success": False, "error": plain.stderr.removeprefix("coffer: ").rstrip("\n")}


def names_of_accounts(server):
    """Not what they use, which other tests' accounts may still be told anew."""
    return [(one["username"], one["displayName"]) for one in server.cli_json("account", "list")]


@pytest.mark.parametrize("arguments", [
    ["account", "add", b"a\xff"], ["account", "add", "new", "--display-name", b"\xff"], ["account", b"l\xc3"],
    ["share", "add", "--name", b"\xff", "--target", "/srv", "--everyone"], ["check", b"--\xff"]])
def test_arguments_that_are_not_utf8_are_refused_before_anything_is_done(server, arguments):
    before = names_of_accounts(server)
    words = [os.fsdecode(word) for word in arguments]
    plain, told = server.cli(*words, ok=False), server.cli(*words, "--json", ok=False)
    assert told.returncode == plain.returncode == 2 and told.stdout == plain.stdout == ""
    assert "not UTF-8" in plain.stderr and r"\x" in plain.stderr and plain.stderr.count("\n") == 1
    assert json.loads(told.stderr) == {"success": False, "error": plain.stderr.removeprefix("coffer: ").rstrip("\n")}
    assert names_of_accounts(server) == before


def test_a_data_folder_of_the_environment_is_utf8_too(tmp_path):
    told = run("account", "list", "--json", environment={"COFFER_DATA": str(tmp_path) + os.fsdecode(b"/\xff")})
    assert told.returncode == 1 and "COFFER_DATA" in json.loads(told.stderr)["error"]


@pytest.mark.parametrize("arguments", [
    ["share", "add", "--name", "s", "--everyone", "--target"], ["account", "list", "--data"], ["check", "--config"]])
def test_a_path_that_is_empty_is_named(server, arguments):
    told = server.cli(*arguments, "", ok=False)
    assert told.returncode == 2 and told.stdout == "" and told.stderr.count("\n") == 1
    assert f"{arguments[-1]}: must not be empty" in told.stderr


def test_warnings_are_json_too(tmp_path):
    told = run("account", "add", "ada", "--json", "--data", tmp_path / "data", environment={"COFFER_PORT": "tcp://10.0.0.1:80"})
    assert told.returncode == 0 and "COFFER_PORT" in json.loads(told.stderr)["warning"]


def test_accounts_and_keys_are_called_as_in_the_api(account):
    account.client.put("a", b"x" * 100)
    api = account.client.account().ok()

    def listed():
        return {one["username"]: one for one in account.server.cli_json("account", "list")}[account.name]

    eventually(lambda: listed()["storageUsed"] == api["storageUsed"] == 100, "the catalog to have the figure")
    shown = listed()
    assert {name: shown[name] for name in shown.keys() & api.keys()} == {
        name: api[name] for name in ("username", "displayName", "role", "storageUsed", "storageLimit")}
    assert shown["disabled"] is False and shown["createdAt"]
    key, = account.server.cli_json("key", "list", "--account", account.name)
    later = {"access": "full", "expiresAt": None, "makers": []}  # As /api/v2 calls them.
    assert {**key, "lastUsedAt": None} == {**account.client.keys().ok()[0], **later, "lastUsedAt": None}


# Shares

@pytest.fixture
def shared(server, make_account):
    with scratch("shared") as folder:
        accounts = [make_account() for _ in range(3)]
        made = server.cli_json("share", "add", "--name", new_name(), "--target", folder, "--everyone")
        yield made, accounts
        server.cli("share", "remove", made["id"])


def test_everyone_is_not_dropped_silently(server, shared):
    share, (one, two, three) = shared
    told = server.cli("share", "set", share["id"], "--account", one.name, ok=False)
    assert told.returncode == 1 and "--no-everyone" in told.stderr, told
    assert two.client.names() == [share["name"]]
    changed = server.cli_json("share", "set", share["id"], "--no-everyone", "--account", one.name)
    assert changed["everyone"] is False and changed["accounts"] == [one.name]
    assert one.client.names() == [share["name"]] and two.client.names() == []


def test_accounts_are_added_and_taken_away(server, shared):
    share, (one, two, three) = shared
    server.cli("share", "set", share["id"], "--no-everyone", "--account", one.name, "--account", two.name)
    changed = server.cli_json("share", "set", share["id"], "--account", three.name, "--no-account", one.name)
    assert sorted(changed["accounts"]) == sorted([two.name, three.name])
    told = server.cli("share", "set", share["id"], "--no-account", two.name, "--no-account", three.name, ok=False)
    assert told.returncode == 1 and "accounts to see it" in told.stderr
    assert two.client.names() == [share["name"]]
    told = server.cli("share", "set", share["id"], "--no-everyone", "--everyone", ok=False)
    assert told.returncode == 2
    assert server.cli_json("share", "set", share["id"], "--everyone")["everyone"] is True


# Connectors

@pytest.fixture
def ftp():
    with started(PureFtpd) as remotes:
        yield remotes["ftp"]


def add(account, *options, stdin=""):
    return account.server.cli("connector", "add", "--account", account.name, "--name", "Far", *options, stdin=stdin, ok=False)


def connectors(account):
    return account.server.cli_json("connector", "list", "--account", account.name)


def test_a_wrong_password_adds_nothing(account, ftp):
    told = add(account, *ftp.options(), stdin="wrong\n")
    assert told.returncode == 1 and told.stdout == "" and "refused the login" in told.stderr, told
    assert connectors(account) == [] and account.client.names() == []
    assert add(account, *ftp.options(), "--no-test", stdin="wrong\n").returncode == 0
    account.server.cli("connector", "remove", "--account", account.name, "Far")
    assert add(account, *ftp.options(), stdin="secret\n").returncode == 0
    assert account.client.names() == ["Far"]


def test_a_wrong_password_replaces_none(account, ftp):
    assert add(account, *ftp.options(), stdin="secret\n").returncode == 0
    before = connectors(account)
    change = ["connector", "set", "--account", account.name, "Far"]
    told = account.server.cli(*change, "--password-stdin", stdin="wrong\n", ok=False)
    assert told.returncode == 1 and "refused the login" in told.stderr, told
    assert connectors(account) == before
    account.client.list(f"__conn_{before[0]['id']}").ok()
    ftp.stop()
    account.server.cli(*change, "--description", "Labels are not tried")
    account.server.cli(*change, "--no-test", "--password-stdin", stdin="wrong\n")
    ftp.start()
    account.client.list(f"__conn_{before[0]['id']}").fails(502)


def test_a_wrong_passphrase_adds_nothing(account, tmp_path):
    with started(SftpServer) as remotes:
        remote = remotes["sftp"]
        locked = tmp_path / "locked"
        locked.write_bytes(remote.user_key.read_bytes())
        locked.chmod(0o600)
        subprocess.run(["ssh-keygen", "-q", "-p", "-P", "", "-N", "right phrase", "-f", locked], check=True,
                       stdout=subprocess.DEVNULL)
        options = remote.options()
        options[options.index("--private-key") + 1] = str(locked)
        told = add(account, *options, "--password-stdin", stdin="wrong phrase\n")
        assert told.returncode == 1 and told.stdout == "" and told.stderr.count("\n") == 1, told
        assert connectors(account) == []
        assert add(account, *options, "--password-stdin", stdin="right phrase\n").returncode == 0


def test_a_drive_with_a_wrong_password_is_not_added(account, drive_servers):
    remote = drive_servers("apache")
    options = ["--kind", "drive", "--remote-type", remote.type]
    for name, value in remote.parameters().items():
        if name != "pass":
            options += ["--param", f"{name}={value}"]
    told = add(account, *options, "--param-stdin", "pass", stdin="wrong\n")
    assert told.returncode == 1 and told.stdout == "" and "login" in told.stderr, told
    assert connectors(account) == []
    assert add(account, *options, "--param-stdin", "pass", stdin=remote.parameters()["pass"] + "\n").returncode == 0


@pytest.mark.parametrize("kind", ["ftp", "sftp"])
def test_a_name_that_is_not_known_is_told(account, kind):
    more = ["--host-key", "SHA256:" + "A" * 43] if kind == "sftp" else []
    told = add(account, "--kind", kind, "--host", "no-such-host.invalid", "--user", "u", "--password-stdin", *more, stdin="x\n")
    assert told.returncode == 1 and "name is not known: no-such-host.invalid." in told.stderr, told


# Folders that cannot be written

def test_a_read_only_data_folder_is_one_plain_line(own_server, account_on, tmp_path):
    server = own_server()
    account_on(server)
    server.stop()
    script = 'mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" && shift && exec "$0" "$@"'
    for command in (["account", "list"], ["check"], ["serve", "--listen", "127.0.0.1:0"], ["account", "add", "ann"]):
        told = subprocess.run([*own_mounts(), "sh", "-c", script, BINARY, server.data, *command, *map(str, server.place())],
                              capture_output=True, text=True, env=clean_environment(), timeout=PATIENCE_S)
        line, = told.stderr.splitlines()
        assert told.returncode == 1 and str(server.data) in line and "Read-only file system" in line, told
        assert "sqlite" not in line.replace(str(server.data), "")


def test_a_catalog_that_cannot_be_written_names_itself(tmp_path):
    run("account", "add", "ada", "--data", tmp_path / "data", "--database", f"sqlite://{tmp_path}/catalog.db")
    (tmp_path / "catalog.db").unlink()
    (tmp_path / "catalog.db").write_bytes(b"this is no database, but it is long enough to look at" * 100)
    told = run("account", "list", "--data", tmp_path / "data", "--database", f"sqlite://{tmp_path}/catalog.db")
    assert told.returncode == 1 and f"{tmp_path}/catalog.db" in told.stderr and "sqlite3_" not in told.stderr, told
