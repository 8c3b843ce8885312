"""Drives that one logs in to with a token, which runs out and is renewed: what is handed over is kept, sealed."""

import shutil

import pytest

from client import Client
from driving import LABEL, Engine
from drive_servers import options_of
from mounting import Call, add_connector, at
from postgres import Postgres
from secrecy import in_none_of
from server import Server, eventually, files_of
from token_server import TokenServer

SECRETS = (TokenServer.CLIENT_SECRET, TokenServer.ACCESS, TokenServer.REFRESH)
SHORT_S = 5  # rclone takes what runs out so soon for run out: each request brings another.


class Login:
    """A drive whose token has run out."""

    def __init__(self, server, tokens):
        self.server, self.tokens, self.account = server, tokens, server.add_account()
        self.client = Client(server, server.create_key(self.account)["key"])
        options, typed = options_of(tokens)
        self.path = add_connector(server, self.account, LABEL, options, stdin=typed)
        self.note = at(self.path, TokenServer.NAME)

    def works(self):
        assert self.client.names(self.path) == [TokenServer.NAME]
        assert self.client.content(self.note) == TokenServer.CONTENT
        assert self.tokens.refused == []

    def restart(self, kill=False):
        self.server.kill() if kill else self.server.stop()
        self.server.start()


@pytest.fixture
def login(own_server):
    with TokenServer() as tokens:
        yield Login(own_server(log_level="debug", access_log=True), tokens)


def refreshed(*numbers):
    return [f"{TokenServer.REFRESH}{number}" for number in numbers]


def test_a_token_that_ran_out_is_renewed_once(login):
    assert login.tokens.refreshed == []
    login.works()
    login.works()
    assert login.tokens.refreshed == refreshed(1)


@pytest.mark.parametrize("kill", [False, True], ids=["stopped", "killed"])
def test_a_renewed_token_is_there_after_a_restart(login, kill):
    login.works()
    login.restart(kill)
    login.works()
    assert login.tokens.refreshed == refreshed(1)


def test_tokens_that_are_renewed_again_and_again_are_kept(login):
    """Also when a download was the last to bring one."""
    login.tokens.lifetime_s = SHORT_S
    for _ in range(3):
        login.works()
        login.restart()
    login.works()
    count = len(login.tokens.refreshed)
    assert count >= 4 and login.tokens.refreshed == refreshed(*range(1, count + 1))


@pytest.fixture
def shared_login(tmp_path):
    """On a catalog on PostgreSQL, which commands of other data folders may use too."""
    postgres = Postgres()
    server = Server(tmp_path / "first", postgres.new_database("tokens")).start()
    with TokenServer() as tokens:
        yield Login(server, tokens)
        server.stop()
    postgres.stop()


def test_a_token_that_another_process_renewed_is_taken_up(shared_login, tmp_path):
    """The one that this process knows is good no more, of either kind."""
    login = shared_login
    login.works()
    login.tokens.revoke()
    other = Server(tmp_path / "other", login.server.database)
    shutil.copy(login.server.data / "secret.key", other.data)
    other.cli("connector", "test", LABEL, "--account", login.account)
    assert login.tokens.refreshed == refreshed(1, 2)
    assert login.client.names(login.path) == [TokenServer.NAME]
    assert login.client.content(login.note) == TokenServer.CONTENT
    login.restart()
    assert login.client.names(login.path) == [TokenServer.NAME]


def test_many_at_once_renew_it_without_losing_one(login):
    login.tokens.lifetime_s, login.tokens.keeps_access = SHORT_S, True
    for call in [Call(lambda: login.client.content(login.note)) for _ in range(8)]:
        assert call.result() == TokenServer.CONTENT
    login.restart()
    login.works()


def test_an_engine_that_died_is_told_the_newest_token(login):
    login.works()
    Engine(login.server).kill()
    eventually(lambda: login.client.list(login.path).status == 200, "the drive to serve again")
    login.works()
    assert login.tokens.refreshed == refreshed(1)


def test_a_login_that_was_revoked_is_told(login):
    login.works()
    login.tokens.lock_out()
    login.restart()
    for answer in (login.client.list(login.path), login.client.download(login.note),
                   login.client.make_folder(login.path, "x")):
        message = answer.fails(502)
        assert LABEL in message and "login" in message and "\n" not in message
        in_none_of(SECRETS, answer.content.decode())
    assert login.client.names() == [LABEL]
    in_none_of(SECRETS, login.server.log())


def test_a_drive_is_logged_in_to_anew(login):
    login.works()
    login.tokens.lock_out()
    login.restart()
    login.client.list(login.path).fails(502)
    login.server.cli("connector", "authorize", LABEL, "--account", login.account,
                     stdin=login.tokens.expired_token() + "\n")
    eventually(lambda: login.client.list(login.path).status == 200, "the new login to be used")
    assert login.client.names(login.path) == [TokenServer.NAME]


def test_tokens_are_told_nowhere(login):
    login.works()
    of_account = ["--account", login.account]
    printed = [login.server.cli("connector", *words, *of_account, ok=False)
               for words in (["list"], ["list", "--json"], ["test", LABEL], ["test", LABEL, "--json"])]
    answers = [login.client.list(), login.client.locations(), login.client.info(login.path),
               login.client.list(at(login.path, "none")), login.client.make_folder(login.path, "new")]
    in_none_of(SECRETS, *(one.stdout + one.stderr for one in printed), *(answer.content.decode() for answer in answers),
                login.server.log())
    login.restart()
    login.works()
    in_none_of(SECRETS, *(content.decode(errors="replace") for content in files_of(login.server.folder).values()))
