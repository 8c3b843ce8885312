"""The program's commands, its configuration, and what they do beside a running server."""

import json
import os
import re
import tomllib
import uuid

import pytest

from client import Client
from server import REPOSITORY, eventually, run

COMMANDS = [["serve"], ["account"], ["account", "add"], ["account", "list"], ["account", "set"], ["account", "remove"],
            ["key"], ["key", "create"], ["key", "list"], ["key", "revoke"], ["check"], ["version"]]


@pytest.mark.parametrize("command", [[], *COMMANDS], ids=" ".join)
def test_help_for_every_command(command):
    result = run(*command, "--help")
    assert result.returncode == 0 and result.stderr == ""
    assert "Usage" in result.stdout or "usage" in result.stdout
    assert command == [] or command[-1] in result.stdout


def test_the_help_names_every_command():
    text = run("--help").stdout
    for command in COMMANDS:
        assert command[0] in text


def test_version():
    result = run("version")
    assert result.returncode == 0 and re.search(r"\d+\.\d+\.\d+", result.stdout)


def fails_with_one_line(result):
    assert result.returncode != 0
    lines = [line for line in result.stderr.splitlines() if line.strip()]
    assert len(lines) == 1 and result.stdout == "", result
    assert result.returncode > 0 and "terminate" not in result.stderr
    return lines[0]


def test_command_line_errors_are_not_crashes(tmp_path):
    for arguments in ([], ["nonsense"], ["serve", "--nonsense"], ["account"], ["account", "nonsense"], ["key", "create"],
                      ["account", "add"], ["serve", "--data"], ["version", "more"]):
        result = run(*arguments)
        assert result.returncode > 0 and (result.stderr or result.stdout), arguments


@pytest.mark.parametrize("arguments, word", [
    (["account", "add", "taken"], ""),
    (["account", "add", "a/b"], ""),
    (["account", "add", "x", "--quota", "much"], "quota"),
    (["account", "add", "x", "--quota", "-1"], ""),
    (["account", "add", "x", "--quota", "1.5"], "quota"),
    (["account", "add", "x", "--quota", "0.0001KiB"], "quota"),
    (["account", "set", "taken", "--quota", "0.5"], "quota"),
    (["account", "add", "x", "--role", "king"], "king"),
    (["account", "set", "nobody", "--quota", "1"], ""),
    (["account", "set", "taken", "--disabled", "perhaps"], "perhaps"),
    (["account", "remove", "nobody"], ""),
    (["key", "create", "--account", "nobody", "--name", "k"], ""),
    (["key", "create", "--account", "taken", "--name", "k", "--folder", "none"], ""),
    (["key", "create", "--account", "taken", "--name", "k", "--folder", "../x"], ""),
    (["key", "create", "--account", "taken", "--name", ""], ""),
    (["key", "create", "--account", "taken", "--name", "x" * 101], ""),
    (["key", "list", "--account", "nobody"], ""),
    (["key", "revoke", "no-such-id", "--account", "taken"], ""),
    (["key", "revoke", "no-such-id", "--account", "nobody"], ""),
], ids=lambda value: " ".join(value)[:60] if isinstance(value, list) else None)
def test_errors_are_one_line_and_a_status(server, taken, arguments, word):
    line = fails_with_one_line(server.cli(*arguments, ok=False))
    assert word in line


@pytest.fixture(scope="module")
def taken(server):
    server.cli("account", "add", "taken", "--quota", "0")


def test_account_lists(make_account):
    account = make_account("10GiB", "--display-name", "Ada Lovelace", "--role", "admin")
    listed = {one["username"]: one for one in account.server.cli_json("account", "list")}
    text = json.dumps(listed[account.name])
    assert "Ada Lovelace" in text and str(10 << 30) in text and "admin" in text and "false" in text
    plain = account.server.cli("account", "list").stdout
    assert any(account.name in line and "Ada Lovelace" in line for line in plain.splitlines())
    heads, *lines = plain.splitlines()
    assert heads.split("  ")[0] == "NAME" and heads.index("DISPLAY NAME") == next(
        line.index("Ada Lovelace") for line in lines if line.startswith(account.name))


@pytest.mark.parametrize("quota, size", [("10GiB", 10 << 30), ("1048576", 1 << 20), ("0", 0), ("1.5MiB", 3 << 19),
                                         ("2 GB", 2 << 30), ("5k", 5120)])
def test_quotas_as_people_write_them(make_account, quota, size):
    assert make_account(quota).client.account().ok()["storageLimit"] == size


def test_an_account_without_options(server, account_on):
    server.cli("account", "add", "plain")
    key = server.create_key("plain")
    account = Client(server, key["key"]).account().ok()
    assert account["username"] == "plain" and account["role"] == "user" and account["displayName"]


def test_key_create_prints_the_secret_once(account):
    created = account.server.create_key(account.name, label="from the shell")
    assert uuid.UUID(created["key"]).version == 4 and created["id"]
    plain = account.server.cli("key", "create", "--account", account.name, "--name", "plain").stdout
    secrets = re.findall(r"\b[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\b", plain)
    assert len(secrets) >= 1
    account.server.secrets.add(secrets[0])
    assert any(account.client.with_key(one).account().status == 200 for one in secrets)
    listed = account.server.cli_json("key", "list", "--account", account.name)
    assert {key["name"] for key in listed} == {"test", "from the shell", "plain"}
    assert created["key"] not in json.dumps(listed)
    assert created["id"] in {key["id"] for key in listed}
    text = account.server.cli("key", "list", "--account", account.name).stdout
    assert "from the shell" in text and created["id"] in text and created["key"] not in text


def test_keys_of_another_account_are_not_revoked(account, make_account):
    other = make_account()
    fails_with_one_line(account.server.cli("key", "revoke", account.key_id, "--account", other.name, ok=False))
    account.client.account().ok()


def test_accounts_made_beside_the_server_count_at_once(make_account):
    account = make_account("1000")
    account.client.put("a", b"x")
    account.server.cli("account", "remove", account.name)
    account.client.account().fails(401)
    assert account.name not in {one["username"] for one in account.server.cli_json("account", "list")}


def test_passwords_come_from_standard_input_alone(server):
    name = server.new_name()
    server.cli("account", "add", name, "--quota", "0", "--password-stdin", stdin="a long enough password\n")
    assert "a long enough password" not in server.cli("account", "list", "--json").stdout
    fails = server.cli("account", "set", name, "--password-stdin", stdin="", ok=False)
    assert fails.returncode > 0


# check

def usage(account):
    return account.client.used()


def test_check_mends_a_wrong_figure(account):
    account.client.put("a", b"x" * 1000)
    account.client.put("b", b"x" * 500)
    account.server.cli("check", ok=False)  # Other tests leave folders that belong to no account.
    assert usage(account) == 1500
    (account.root / "a").unlink()
    (account.root / "by hand").write_bytes(b"y" * 77)
    (account.root / "folder").mkdir()
    (account.root / "folder/deep").write_bytes(b"z" * 3)
    (account.root / "link").symlink_to("b")
    assert account.name in account.server.cli("check", ok=False).stdout
    assert usage(account) == 580


def test_check_reports_names_that_are_not_utf8(account):
    (account.root / "d").mkdir()
    (account.root / "d" / os.fsdecode(b"bad\xffname")).write_bytes(b"x")
    result = account.server.cli("check", ok=False)
    report = result.stdout + result.stderr
    assert "UTF-8" in report and "name" in report and account.name in report


def test_check_reports_them_in_shares_too(own_server, account_on, tmp_path):
    """Once for each share, whoever sees it, and where the folder is gone it says so."""
    server, folder = own_server(), tmp_path / "shared"
    accounts = [account_on(server), account_on(server)]
    (folder / "sub").mkdir(parents=True)
    server.cli("share", "add", "--name", "Team", "--target", folder, "--everyone")
    accounts[0].client.names()
    assert "0 problems" in server.cli("check").stdout
    (folder / "sub" / os.fsdecode(b"bad\xffname")).write_bytes(b"x")
    (folder / "two\nlines").mkdir()
    told = server.cli("check", ok=False)
    assert told.returncode == 1 and "2 problems" in told.stdout
    assert [line for line in sorted(told.stdout.splitlines()) if line.startswith("share Team: ")] == [
        f"share Team: {name} cannot be listed: its name is not UTF-8 or has control characters." for name in (r"sub/bad\xffname", r"two\x0alines")]
    folder.rename(tmp_path / "elsewhere")
    told = server.cli("check", ok=False)
    assert told.returncode == 1 and f"share Team: {folder}: No such file or directory." in told.stdout


def test_check_prints_json_too(own_server, account_on, tmp_path):
    server = own_server()
    account = account_on(server)
    account.client.put("a", b"x" * 1000)
    server.stop()
    clean = {"accounts": 1, "problemCount": 0, "problems": [], "corrected": [], "notes": []}
    assert server.cli_json("check") == clean
    (account.root / "by hand").write_bytes(b"y" * 77)
    figures = {"username": account.name, "recordedBytes": 1000, "countedBytes": 1077}
    assert server.cli_json("check") == clean | {"corrected": [figures]}
    (account.root / os.fsdecode(b"bad\xffname")).write_bytes(b"")
    server.start()
    server.kill()
    plain, told = server.cli("check", ok=False), server.cli("check", "--json", ok=False)
    found = json.loads(told.stdout)
    assert plain.returncode == told.returncode == 1 and told.stderr == ""
    assert found["problemCount"] == 1 and r"bad\xffname" in found["problems"][0]
    assert set(found["problems"]) <= set(plain.stdout.splitlines())
    nothing = run("check", "--json", "--data", tmp_path / "nothing")
    assert nothing.returncode == 1 and nothing.stdout == "" and json.loads(nothing.stderr)["success"] is False


def test_check_works_while_no_server_runs(own_server, account_on):
    server = own_server()
    account = account_on(server)
    account.client.put("a", b"x" * 1000)
    server.stop()
    (account.root / "a").write_bytes(b"x" * 10)
    server.cli("check")
    server.start()
    assert account.client.used() == 10


# Configuration

def printed(tmp_path, *arguments, config=None, environment=None):
    if config is not None:
        (tmp_path / "coffer.toml").write_text(config)
        arguments = ("--config", tmp_path / "coffer.toml", *arguments)
    result = run("serve", "--data", tmp_path / "data", "--print-config", *arguments, environment=environment)
    assert result.returncode == 0, result.stderr
    return result.stdout


def setting(text, key):
    return tomllib.loads(text)[key]


def test_flags_outweigh_the_environment_which_outweighs_the_file(tmp_path):
    config = 'listen = "127.0.0.1:1001"\n'
    environment = {"COFFER_LISTEN": "127.0.0.1:1002"}
    flag = ("--listen", "127.0.0.1:1003")
    assert setting(printed(tmp_path), "listen") == "127.0.0.1:8080"
    assert setting(printed(tmp_path, config=config), "listen") == "127.0.0.1:1001"
    assert setting(printed(tmp_path, config=config, environment=environment), "listen") == "127.0.0.1:1002"
    assert setting(printed(tmp_path, *flag, config=config, environment=environment), "listen") == "127.0.0.1:1003"


@pytest.mark.parametrize("key, text, value", [
    ("durability", '"relaxed"', "relaxed"), ("log_level", '"debug"', "debug"), ("access_log", "false", False),
    ("threads", "3", 3), ("header_timeout_ms", "1234", 1234), ("idle_timeout_ms", "1", 1), ("stall_timeout_ms", "5", 5),
    ("stop_timeout_ms", "6", 6), ("cors_origins", '["https://a.example", "https://b.example"]',
                                  ["https://a.example", "https://b.example"])])
def test_every_key_works_in_the_file_and_in_the_environment(tmp_path, key, text, value):
    assert setting(printed(tmp_path, config=f"{key} = {text}\n"), key) == value
    plain = ",".join(value) if isinstance(value, list) else str(value).lower() if isinstance(value, bool) else str(value)
    assert setting(printed(tmp_path, environment={f"COFFER_{key.upper()}": plain}), key) == value


def test_every_setting_stands_in_the_help_and_in_the_readme(tmp_path):
    readme = (REPOSITORY / "README.md").read_text()
    text = run("serve", "--help").stdout
    settings = tomllib.loads(run("serve", "--data", "x", "--print-config").stdout)
    assert len(settings) >= 15
    for key, value in settings.items():
        variable = f"COFFER_{key.upper()}"
        assert f"  {key}, {variable}\n" in text
        row, = [line for line in readme.splitlines() if line.startswith(f"| `{key}` |")]
        default = "" if key == "data" else json.dumps(value) if not isinstance(value, str) else value
        assert row.endswith(f"| `{default}` |" if default else "| |"), row
    assert set(re.findall(r"COFFER_[A-Z0-9_]+[A-Z0-9]", text)) == {f"COFFER_{key.upper()}" for key in settings}
    assert "SSL_CERT_FILE" in readme and "SSL_CERT_FILE" in text
    assert "coffer serve --help" in run("--help").stdout


def test_the_printed_configuration_is_a_configuration(tmp_path):
    text = printed(tmp_path, config='threads = 2\ncors_origins = ["https://a.example"]\n')
    assert printed(tmp_path, config=text) == text


@pytest.mark.parametrize("config, words", [
    ('lisen = "127.0.0.1:0"', ["lisen", "listen"]), ("header_timeout = 5", ["header_timeout", "header_timeout_ms"]),
    ('durabilty = "durable"', ["durabilty", "durability"]), ('listen = 5', ["listen"]), ('threads = "many"', ["threads"]),
    ('durability = "fast"', ["durability"]), ("threads = -1", ["threads"]), ("listen = ", []),
    ('log_level = "loud"', ["log_level"]), ("access_log = 3", ["access_log"]), ("cors_origins = 3", ["cors_origins"]),
    ('cors_origins = ["foo"]', ["cors_origins", "foo"]),
    ("stop_timeout_ms = -5", ["stop_timeout_ms"])])
def test_wrong_configurations_are_one_clear_line(tmp_path, config, words):
    (tmp_path / "coffer.toml").write_text(config + "\n")
    result = run("serve", "--data", tmp_path / "data", "--config", tmp_path / "coffer.toml", "--print-config")
    line = fails_with_one_line(result)
    assert all(word in line for word in words), line


@pytest.mark.parametrize("variable, words", [
    ("COFFER_THREADS", ["COFFER_THREADS"]), ("COFFER_ACCESS_LOG", ["COFFER_ACCESS_LOG"])])
def test_wrong_environments_are_one_clear_line(tmp_path, variable, words):
    result = run("serve", "--data", tmp_path / "data", "--print-config", environment={variable: "what"})
    line = fails_with_one_line(result)
    assert all(word.lower().removeprefix("coffer_") in line.lower() for word in words), line


def test_variables_of_others_are_ignored_with_one_line(own_server, tmp_path):
    """Kubernetes sets them for a service of the name coffer."""
    links = {"COFFER_PORT": "tcp://10.0.0.7:80", "COFFER_SERVICE_HOST": "10.0.0.7", "COFFER_SERVICE_PORT": "80",
             "COFFER_PORT_80_TCP": "tcp://10.0.0.7:80", "COFFER_LISEN": "127.0.0.1:1"}
    result = run("serve", "--data", tmp_path / "data", "--print-config", environment=links)
    line, = result.stderr.splitlines()
    assert result.returncode == 0 and all(name in line for name in links) and "COFFER_LISTEN?" in line, result
    assert setting(result.stdout, "listen") == "127.0.0.1:8080"
    added = run("account", "add", "ada", "--data", tmp_path / "data", environment=links)
    assert added.returncode == 0 and added.stderr.count("\n") == 1 and "COFFER_PORT" in added.stderr, added


def test_an_address_that_is_none_is_one_clear_line(tmp_path):
    result = run("serve", "--data", tmp_path / "data", "--listen", "nowhere:at:all")
    assert result.returncode > 0 and "nowhere" in result.stderr.splitlines()[-1]


def test_a_missing_configuration_file_is_one_clear_line(tmp_path):
    result = run("serve", "--data", tmp_path / "data", "--config", tmp_path / "none.toml", "--print-config")
    assert "none.toml" in fails_with_one_line(result)


def test_an_unreachable_database_is_one_clear_line(tmp_path):
    for arguments in (["account", "list"], ["check"], ["serve", "--listen", "127.0.0.1:0"]):
        result = run(*arguments, "--data", tmp_path / "data", "--database", f"postgresql:///x?host={tmp_path}&user=x")
        assert result.returncode > 0 and "terminate" not in result.stderr
        assert len([line for line in result.stderr.splitlines() if line.strip()]) <= 3


def test_a_catalog_that_is_none_is_one_clear_line(tmp_path):
    (tmp_path / "catalog").write_bytes(b"this is no database, but it is long enough to look at" * 100)
    result = run("account", "list", "--data", tmp_path / "data", "--database", f"sqlite://{tmp_path}/catalog")
    fails_with_one_line(result)


def test_the_access_log_can_be_switched_off(own_server, account_on):
    server = own_server(access_log=False)
    account = account_on(server)
    account.client.info("needle-in-the-log").fails(404)
    server.stop()
    assert "needle-in-the-log" not in server.log()


def test_the_access_log_has_a_line_for_each_request(account):
    needle = uuid.uuid4().hex
    request_id = account.client.info(needle).headers["X-Request-Id"]
    line = eventually(lambda: [line for line in account.server.log().splitlines() if request_id in line], "a line")[0]
    assert "404" in line and "GET" in line
    assert account.key not in line
