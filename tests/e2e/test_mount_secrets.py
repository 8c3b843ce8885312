"""What a connector logs in with is shown nowhere: not in answers and logs, not in the lists of processes, and not in what
lies on the disk."""

import pytest

from faulty_line import line_to
from mounting import add_connector, started
from remote_servers import FtpServer, SftpServer, key_pair
from secrecy import Secrets

PASSWORD = "hush-7up-and-more"
PASSPHRASE = "open-sesame-and-more"


@pytest.fixture
def talkative(own_server):
    return own_server(log_level="debug", access_log=True, stop_timeout_ms=1000)


class Secretive(Secrets):
    """A mount, the line to its server, and the words that must not be shown."""

    def __init__(self, server, account, path, line, words):
        super().__init__(server, account, line, words)
        self.path = path


@pytest.fixture
def secretive(talkative, kind):
    account = talkative.add_account()
    with started(FtpServer if kind == "ftp" else SftpServer) as remotes, line_to(remotes[kind]) as (line, options):
        if kind == "ftp":
            words, stdin = [PASSWORD], PASSWORD
        else:
            key = key_pair(remotes[kind].folder / "locked", PASSPHRASE)
            with (remotes[kind].folder / "authorized").open("a") as authorized:
                authorized.write(key.with_suffix(".pub").read_text())
            options[options.index("--private-key") + 1] = str(key)
            options.append("--password-stdin")
            words, stdin = [PASSPHRASE, *key.read_text().split("\n")[1:-2]], PASSPHRASE
        path = add_connector(talkative, account, "Secret", options, stdin=stdin + "\n")
        yield Secretive(talkative, account, path, line, words)


kinds = pytest.mark.parametrize("kind", ["ftp", "sftp"])


@kinds
def test_secrets_are_in_no_answer_and_no_log(secretive, kind):
    client, server = secretive.client, secretive.server
    answers = [client.list(secretive.path), client.list(), client.locations(), client.info(secretive.path),
               client.download(f"{secretive.path}/none"), client.copy(secretive.path, secretive.path)]
    answers[0].ok()
    of_account = ["--account", secretive.account]
    printed = [server.cli("connector", *words, *of_account, ok=False)
               for words in (["list"], ["list", "--json"], ["test", "Secret"], ["set", "Secret", "--name", "Other"],
                             ["set", "Other", "--port", "1"], ["test", "Other", "--json"], ["remove", "Other"])]
    secretive.line.drop(b"nonsense\r\n")
    answers += [client.list(secretive.path)]
    secretive.in_none_of(*(answer.content.decode() + str(answer.headers) for answer in answers),
                         *(one.stdout + one.stderr for one in printed), server.log())


@kinds
def test_secrets_are_not_in_the_lists_of_processes(secretive, kind):
    """While the server and the command line have them in hand: both wait for a server that does not answer."""
    secretive.client.list(secretive.path).ok()
    secretive.are_in_no_process("Secret")


@kinds
def test_secrets_are_not_on_the_disk_in_the_clear(secretive, kind):
    secretive.client.list(secretive.path).ok()
    secretive.are_on_no_disk()
