"""Cloud drives on the command line: how they are made, shown, changed and logged in to. No drive need be reachable."""

import base64
import json
import os
import pty
import select
import subprocess
import termios

import pytest

from server import BINARY, PATIENCE_S, clean_environment, files_of
from test_connectors import Owner

SECRET = "hunter-2-and-more"
USER = "ada-of-the-clouds"
DAV = ["--kind", "drive", "--remote-type", "webdav", "--param", "url=http://127.0.0.1:9/dav"]
LOGIN = {"access_token": SECRET, "token_type": "Bearer", "refresh_token": "r", "expiry": "2099-01-31T12:00:00Z"}
TOKEN = json.dumps(LOGIN)
PRINTED = "Paste the following into your remote machine --->\n{}\n<---End paste\n"


@pytest.fixture
def owner(server, description):
    return Owner(server, description)


@pytest.fixture
def engine(server):
    """For what needs rclone."""
    server.cli("connector", "providers")


def add(owner, *more, stdin=f"{SECRET}\n"):
    return owner.json("add", "--name", "Cloud", *DAV, "--param", f"user={USER}", "--param-stdin", "pass", *more,
                      stdin=stdin)


def test_a_drive_is_made_listed_changed_and_removed(owner):
    made = add(owner, "--root", "/some//folder/", "--description", "Far away", "--read-only")
    assert made["kind"] == "drive" and made["type"] == "webdav" and made["root"] == "some/folder"
    assert made["target"] == "webdav:some/folder" and made["readOnly"] is True
    assert made["parameters"] == {"url": "http://127.0.0.1:9/dav", "user": USER, "pass": None}
    assert owner.json("list") == [made]
    assert "webdav:some/folder  read-only" in owner.run("list").stdout
    entry, = owner.client.list().ok()
    assert entry["name"] == "Cloud" and entry["description"] == "Far away" and entry["mount"] == "clouddrive"
    changed = owner.json("set", "Cloud", "--name", "Sky", "--read-only", "false", "--root", "",
                         "--param", "vendor=nextcloud", "--param", "user=")
    assert changed == {**made, "name": "Sky", "readOnly": False, "root": "", "target": "webdav:",
                       "parameters": {"url": "http://127.0.0.1:9/dav", "vendor": "nextcloud", "pass": None}}
    assert owner.json("remove", "Sky") == {"removed": "Sky"}
    assert owner.json("list") == [] and owner.client.list().ok() == []


def test_no_parameter_is_stored_in_the_clear_and_no_secret_told(owner, server):
    made = owner.run("add", "--name", "Sealed", *DAV, "--param", f"user={USER}", "--param", f"pass={SECRET}", "--json")
    output = made.stdout + made.stderr + owner.run("list").stdout + owner.run("list", "--json").stdout + server.log()
    output += str(owner.client.list().ok()) + str(owner.client.locations().ok())
    output += owner.run("set", "Sealed", "--param", f"bearer_token={SECRET}", "--json").stdout
    output += owner.run("test", "Sealed", ok=False).stderr
    assert SECRET not in output
    for file, content in files_of(server.data).items():
        assert SECRET.encode() not in content and USER.encode() not in content, file


def test_another_address_needs_the_secrets_again(owner):
    before = add(owner)
    assert "again: pass" in owner.refuses("set", "Cloud", "--param", "url=http://127.0.0.2:9/dav")
    assert owner.json("list") == [before]
    moved = owner.json("set", "Cloud", "--param", "url=http://127.0.0.2:9/dav", "--param-stdin", "pass",
                       stdin="another\n")
    assert moved["parameters"]["url"] == "http://127.0.0.2:9/dav" and moved["id"] == before["id"]


def test_a_line_of_standard_input_goes_to_each_parameter_in_turn(owner):
    stdin = "http://127.0.0.1:9/b=c\nann\n"
    made = owner.json("add", "--name", "Lines", "--kind", "drive", "--remote-type", "webdav", "--param-stdin", "url",
                      "--param-stdin", "user", stdin=stdin)
    assert made["parameters"] == {"url": "http://127.0.0.1:9/b=c", "user": "ann"}
    assert "standard input" in owner.refuses("set", "Lines", "--param-stdin", "pass", stdin="").lower()


@pytest.mark.parametrize("options, says", [
    (["--kind", "drive"], "--remote-type"),
    (["--kind", "drive", "--remote-type", "local"], "is not allowed"),
    (["--kind", "drive", "--remote-type", "crypt", "--param", "remote=/etc"], "is not allowed"),
    (["--kind", "drive", "--remote-type", "nextcloud"], "as webdav"),
    (["--kind", "drive", "--remote-type", "sftp"], "connector of the kind sftp"),
    (["--kind", "drive", "--remote-type", "webdav"], "url"),
    (["--kind", "drive", "--remote-type", "s3", "--param", "env_auth=true"], "env_auth"),
    (["--kind", "drive", "--remote-type", "drive", "--param", "service_account_file=/etc/passwd"],
     "service_account_file"),
    (["--kind", "drive", "--remote-type", "drive"], "connector authorize"),
    ([*DAV, "--param", "key_file=/etc/passwd"], "key_file"),
    ([*DAV, "--param", "config_is_local=true"], "config_"),
    ([*DAV, "--param", SECRET], "a name, = and a value"),
    ([*DAV, "--param", f"={SECRET}"], "a name, = and a value"),
    ([*DAV, "--param", "user=a", "--param", "user=b"], "twice"),
    ([*DAV, "--param-file", SECRET], "a name, = and a file"),
    ([*DAV, "--param-stdin", "pass"], "line"),
    ([*DAV, "--root", "../up"], ".."),
    ([*DAV, "--host", "x.example"], "--host is for FTP and SFTP"),
    ([*DAV, "--user", "ann"], "--user is for FTP and SFTP"),
    ([*DAV, "--password-stdin"], "--password-stdin is for FTP and SFTP"),
    ([*DAV, "--tls", "none"], "--tls is for FTP and SFTP"),
    (["--kind", "ftp", "--host", "x.example", "--user", "ann", "--remote-type", "webdav"], "of the kind drive"),
    (["--kind", "sftp", "--host", "x.example", "--user", "ann", "--param", "a=b"], "of the kind drive"),
    (["--kind", "sftp", "--host", "x.example", "--user", "ann", "--param-file", "a=b"], "--param-file is for"),
])
def test_what_cannot_be_is_told_in_one_line(owner, options, says):
    output = owner.refuses("add", "--name", "X", *options)
    assert says in output and SECRET not in output
    assert owner.json("list") == []


def test_each_kind_is_changed_by_its_own_options(owner):
    before = add(owner)
    assert "--port is for FTP" in owner.refuses("set", "Cloud", "--port", "21")
    assert "not expected: --remote-type s3" in owner.refuses("set", "Cloud", "--remote-type", "s3")
    assert "env_auth" in owner.refuses("set", "Cloud", "--param", "env_auth=true")
    assert owner.json("list") == [before]
    owner.json("add", "--name", "Files", "--kind", "ftp", "--host", "x.example", "--user", "ann")
    assert "of the kind drive" in owner.refuses("set", "Files", "--param", "a=b")
    assert "no cloud drive" in owner.refuses("authorize", "Files", stdin=TOKEN)


@pytest.mark.parametrize("options, stdin, says", [
    (["--name", "X"], TOKEN, "--remote-type"),
    (["--remote-type", "dropbox"], TOKEN, "needs a name"),
    (["--remote-type", "webdav", "--name", "X"], TOKEN, "not logged in to in a browser"),
    (["--remote-type", "jottacloud", "--name", "X"], TOKEN, "not logged in to in a browser"),
    (["--remote-type", "zoho", "--name", "X"], TOKEN, "Give the option region"),
    (["--remote-type", "local", "--name", "X"], TOKEN, "is not allowed"),
    (["--remote-type", "drive", "--name", "X", "--param", "service_account_file=/x"], TOKEN, "service_account_file"),
    (["--remote-type", "drive", "--name", "X", "--host", "x.example"], TOKEN, "not expected: --host"),
    (["--remote-type", "drive", "--name", "X"], "", "no login"),
    (["--remote-type", "drive", "--name", "X"], SECRET, "no login"),
    (["--remote-type", "drive", "--name", "X"], json.dumps({"token": SECRET}), "no login"),
    (["--remote-type", "drive", "--name", "X"], json.dumps({**LOGIN, "more": 1}), "option token"),
    (["nowhere"], TOKEN, "no such connector"),
    (["nowhere", "--root", "x"], TOKEN, "connector set"),
])
def test_a_login_that_cannot_be_is_told_in_one_line(owner, options, stdin, says):
    output = owner.refuses("authorize", *options, "--token-stdin", stdin=stdin)
    assert says in output and SECRET not in output
    assert owner.json("list") == []


class Terminal:
    """The command line with a person before it."""

    def __init__(self, server, *arguments):
        self.screen, theirs = pty.openpty()
        self.before = termios.tcgetattr(theirs)
        self.program = subprocess.Popen([BINARY, *arguments, *server.place()], stdin=theirs, stdout=theirs,
                                        stderr=theirs, env=clean_environment())
        self.theirs, self.shown = theirs, ""

    def wait_for(self, text):
        while text not in self.shown:
            assert select.select([self.screen], [], [], PATIENCE_S)[0], self.shown
            self.shown += os.read(self.screen, 65536).decode()

    def types(self, text):
        for at in range(0, len(text), 1000):  # A terminal takes so much at once.
            os.write(self.screen, text[at:at + 1000].encode())

    def end(self):
        """All that was shown."""
        self.program.wait(PATIENCE_S)
        while select.select([self.screen], [], [], 0)[0]:
            self.shown += os.read(self.screen, 65536).decode()
        assert termios.tcgetattr(self.theirs) == self.before
        os.close(self.screen)
        os.close(self.theirs)
        return self.shown


def authorizing(owner, *more, provider="dropbox"):
    return Terminal(owner.server, "connector", "authorize", "--account", owner.name, "--remote-type", provider,
                    "--name", "Box", *more)


def test_a_person_is_told_what_to_run_and_may_paste_long_tokens_unseen(owner):
    terminal = authorizing(owner)
    terminal.wait_for("gives up")
    assert 'rclone authorize "dropbox" "e30"\r\n' in terminal.shown
    terminal.types(PRINTED.format(json.dumps({**LOGIN, "access_token": SECRET * 500})))
    shown = terminal.end()
    assert SECRET not in shown and "no login" not in shown


def test_other_commands_run_while_a_person_logs_in(own_server, account_on):
    """Also where no server runs, and the command itself uses the data folder."""
    server = own_server()
    account = account_on(server)
    server.stop()
    terminal = Terminal(server, "connector", "authorize", "--account", account.name, "--remote-type", "dropbox", "--name", "Box")
    terminal.wait_for("gives up")
    try:
        assert [one["username"] for one in server.cli_json("account", "list")] == [account.name]
        server.start()
    finally:
        terminal.types("\x03")
        terminal.end()


def test_the_client_secret_goes_by_the_environment_and_other_parameters_into_the_command(owner):
    terminal = authorizing(owner, "--param", "region=de", "--param-stdin", "client_secret", provider="onedrive")
    terminal.wait_for("client_secret: ")
    terminal.types(f"{SECRET}\n")
    terminal.wait_for("gives up")
    blob = base64.b64encode(b'{"region":"de"}').decode().rstrip("=")
    assert f'rclone authorize "onedrive" "{blob}"' in terminal.shown
    assert "as RCLONE_ONEDRIVE_CLIENT_SECRET" in terminal.shown
    terminal.types("\x03")
    terminal.end()


def test_what_a_person_types_for_a_secret_does_not_show(owner):
    terminal = Terminal(owner.server, "connector", "add", "--no-test", "--account", owner.name, "--name", "Typed", *DAV,
                        "--param-stdin", "pass", "--param-stdin", "user")
    terminal.wait_for("pass: ")
    terminal.types(f"wrong\x15{SECRET}x\x7f\n")
    terminal.wait_for("user: ")
    terminal.types(f"{USER}\n")
    shown = terminal.end()
    assert SECRET not in shown and USER not in shown and "webdav:" in shown
    made, = owner.json("list")
    assert made["parameters"]["user"] == USER


def test_a_person_may_give_up_before_a_secret(owner):
    terminal = Terminal(owner.server, "connector", "add", "--no-test", "--account", owner.name, "--name", "X", *DAV,
                        "--param-stdin", "pass")
    terminal.wait_for("pass: ")
    terminal.types("some\x03")
    assert "nothing was changed" in terminal.end() and terminal.program.returncode == 1
    assert owner.json("list") == []


def account_key(email="robot@project.example"):
    return json.dumps({"type": "service_account", "client_email": email, "private_key_id": "1",
                       "private_key": f"-----BEGIN PRIVATE KEY-----\n{SECRET}\n-----END PRIVATE KEY-----\n",
                       "token_uri": "https://oauth2.googleapis.com/token"}, indent=2) + "\n"


def test_a_parameter_of_many_lines_comes_from_a_file(owner, tmp_path):
    (tmp_path / "key.json").write_text(account_key())
    made = owner.json("add", "--name", "Robot", "--kind", "drive", "--remote-type", "drive",
                      "--param-file", f"service_account_credentials={tmp_path / 'key.json'}")
    assert made["parameters"] == {"service_account_credentials": None}
    key = owner.client.scoped(f"__conn_{made['id']}")
    (tmp_path / "key.json").write_text(account_key().replace(SECRET, "another"))
    owner.run("set", "Robot", "--param-file", f"service_account_credentials={tmp_path / 'key.json'}")
    key.account().ok()
    (tmp_path / "key.json").write_text(account_key("another@project.example"))
    owner.run("set", "Robot", "--param-file", f"service_account_credentials={tmp_path / 'key.json'}")
    key.account().fails(401)
    (tmp_path / "pass").write_text(f"{SECRET}\r\n")
    made = owner.json("add", "--name", "Dav", *DAV, "--param-file", f"pass={tmp_path / 'pass'}")
    assert made["parameters"] == {"url": "http://127.0.0.1:9/dav", "pass": None}


@pytest.mark.parametrize("content, says", [
    (None, "The file for pass cannot be read: No such file or directory."),
    ("", "The file for pass is empty."),
    ("x" * (64 * 1024 + 1), "The file for pass has more than 64 KB."),
    ("a\nb\n", "in one line"),
])
def test_a_file_that_cannot_be_a_parameter_is_told_in_one_line(owner, tmp_path, content, says):
    file = tmp_path / SECRET
    if content is not None:
        file.write_text(content)
    output = owner.refuses("add", "--name", "X", *DAV, "--param-file", f"pass={file}")
    assert says in output and SECRET not in output
    assert "cannot be read: Is a directory" in owner.refuses("add", "--name", "X", *DAV,
                                                             "--param-file", f"pass={tmp_path}")


def test_a_person_may_give_up(owner):
    terminal = authorizing(owner)
    terminal.wait_for("gives up")
    terminal.types("{\n\x03")
    assert "nothing was changed" in terminal.end() and terminal.program.returncode == 1


@pytest.mark.parametrize("printed", [
    TOKEN,
    PRINTED.format(TOKEN),
    PRINTED.format(base64.b64encode(json.dumps({"token": TOKEN}).encode()).decode().rstrip("=")),
    "2099/01/31 12:00:00 NOTICE: Got code\n" + PRINTED.format(json.dumps(LOGIN, indent=1)),
])
def test_a_drive_is_made_of_what_rclone_authorize_prints(owner, engine, printed):
    made = owner.json("authorize", "--remote-type", "dropbox", "--name", "Box", "--root", "a", stdin=printed)
    assert made["target"] == "dropbox:a" and made["parameters"] == {"token": None}
    assert owner.json("list") == [made]
    assert "exists already" in owner.refuses("authorize", "--remote-type", "dropbox", "--name", "Box", stdin=printed)


def test_a_login_is_renewed(owner, engine):
    made = owner.json("authorize", "--remote-type", "drive", "--name", "Mine", "--param", "scope=drive",
                      "--param-stdin", "client_secret", stdin=f"{SECRET}\n{TOKEN}\n")
    assert made["parameters"] == {"client_secret": None, "scope": "drive", "token": None}
    assert owner.json("authorize", "Mine", stdin=PRINTED.format(TOKEN.replace(SECRET, "new"))) == made


def test_the_providers_are_told_with_their_options(server, engine):
    providers = {one["type"]: one for one in json.loads(server.cli("connector", "providers", "--json").stdout)}
    assert {"drive", "onedrive", "s3", "webdav"} <= set(providers) and "local" not in providers
    assert providers["drive"]["usesOAuth"] and not providers["webdav"]["usesOAuth"]
    options = {option["name"]: option for option in providers["webdav"]["options"]}
    assert options["url"]["isAddress"] and options["pass"]["isSecret"] and "bearer_token_command" not in options
    lines = server.cli("connector", "providers").stdout.splitlines()
    assert lines.pop(0).split() == ["TYPE", "LOG-IN", "NAME"]
    assert len(lines) == len(providers) and ["drive", "OAuth", "Google", "Drive"] in [line.split() for line in lines]
