"""What a cloud drive is logged in to with is shown nowhere: not in answers and logs, also when calls fail, not in the
lists of processes, and not in what lies on the disk."""

import pytest

from client import form
from driving import LABEL, Engine, engines_of
from fake_dav import PASSWORD, FakeDav
from faulty_line import FaultyLine
from mounting import add_connector, at
from secrecy import Secrets

USER = "ada-of-the-clouds"
REMOTES = {
    "webdav": {"vendor": "other", "user": USER, "pass": PASSWORD},
    "s3": {"provider": "Other", "access_key_id": USER, "secret_access_key": PASSWORD, "region": "us-east-1"},
}
kinds = pytest.mark.parametrize("kind", REMOTES)


class Secretive(Secrets):
    """A drive at a server that answers nonsense, over a line."""

    def __init__(self, server, kind, dav):
        super().__init__(server, server.add_account(), FaultyLine(dav.port), (PASSWORD, USER))
        url = f"http://127.0.0.1:{self.line.port}"
        options = ["--kind", "drive", "--remote-type", kind, "--root", "bucket" if kind == "s3" else "",
                   "--param", f"{'endpoint' if kind == 's3' else 'url'}={url}"]
        typed = [value for name, value in REMOTES[kind].items() if value in (USER, PASSWORD)]
        for name, value in REMOTES[kind].items():
            options += ["--param-stdin", name] if value in typed else ["--param", f"{name}={value}"]
        self.path = add_connector(server, self.account, LABEL, options, stdin="".join(f"{one}\n" for one in typed))


@pytest.fixture
def secretive(own_server, kind):
    server = own_server(log_level="debug", access_log=True, stop_timeout_ms=1000)
    with FakeDav({"file": b"x"}) as dav:
        made = Secretive(server, kind, dav)
        made.dav = dav
        yield made
        made.line.stop()


@kinds
def test_secrets_are_in_no_answer_and_no_log(secretive):
    client, server, path = secretive.client, secretive.server, secretive.path
    answers = []

    def ask():
        client.upload("", form(("own", b"own")))
        answers.extend([client.list(path), client.list(), client.locations(), client.info(path),
                        client.info(at(path, "file")), client.download(at(path, "file")), client.copy(at(path, "file")),
                        client.upload(path, form(("new", b"x"))), client.copy("own", path),
                        client.delete(at(path, "x")),
                        client.rename(at(path, "file"), "other"), client.make_folder(path, "new")])

    ask()
    for status in (400, 401, 403, 404, 409, 500, 507):
        secretive.dav.refuse = lambda method, where, status=status: status
        ask()
    Engine(server).kill()
    ask()
    secretive.line.drop(b"nonsense\r\n")
    ask()
    assert {200, 502} <= {answer.status for answer in answers}
    of_account = ["--account", secretive.account]
    printed = [server.cli("connector", *words, *of_account, ok=False)
               for words in (["test", LABEL], ["test", LABEL, "--json"], ["set", LABEL, "--name", "Other"],
                             ["set", "Other", "--root", "other"], ["set", "Other", "--param", "nonsense=x"],
                             ["remove", "Other"])]
    secretive.in_none_of(*(answer.content.decode() + str(answer.headers) for answer in answers),
                         *(one.stdout + one.stderr for one in printed), server.log())


@kinds
def test_secrets_are_not_in_the_lists_of_processes(secretive):
    secretive.are_in_no_process(LABEL, others=lambda: [Engine(secretive.server).process])


@kinds
def test_secrets_are_not_on_the_disk_in_the_clear(secretive):
    secretive.client.list(secretive.path)
    secretive.client.upload(secretive.path, form(("new", b"x" * 200_000)))
    assert engines_of(secretive.server)
    secretive.are_on_no_disk()
