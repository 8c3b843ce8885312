"""The rclone that serves the drives of an account: when it starts and ends, who may talk to it, and what it knows."""

import base64
import contextlib
import os
import random
import shutil
import signal

import pytest
import requests
import urllib3

from client import form
from driving import LABEL, OTHER_KIND, TWO_KINDS, Engine, drive_over_line, engines_of, new_name, sockets_of
from drive_servers import PASSWORD, USER
from faulty_line import UP
from mounting import Call
from raw import RawConnection
from server import PATIENCE_S, eventually

CONTENT = random.Random(5).randbytes(64 << 20)  # More than lies in buffers on the way.
OLD = b"old content" * 1000


@pytest.fixture
def served(own_server, account_on, make_drive):
    """A drive on Apache, on a server of the test's own."""
    server = own_server(log_level="debug", access_log=True, stop_timeout_ms=2000)
    account = account_on(server)
    place = make_drive("apache", server, account.name)
    place.server, place.account, place.client = server, account, account.client
    return place


def test_it_starts_when_it_is_first_needed(served):
    client = served.client
    client.put("own", b"x")
    assert client.names() == [LABEL, "own"] and len(client.locations().ok()) == 2
    client.info(served.path).ok()
    client.copy("own", "none").fails(404)
    assert engines_of(served.server) == []
    assert client.names(served.path) == []
    assert len(engines_of(served.server)) == 1


def test_it_is_one_for_all_drives_of_an_account(served, account_on, make_drive):
    other = account_on(served.server)
    places = [(served.client, served),
              (served.client, make_drive("apache", served.server, served.account.name, label="b")),
              (other.client, make_drive("rclone", served.server, other.name)),
              (other.client, make_drive(OTHER_KIND, served.server, other.name, label="b"))]
    calls = [Call(lambda client=client, place=place: client.upload(place.path, form((f"{place.kind}", b"x"))))
             for client, place in places]
    for call in calls:
        call.result().ok()
    assert len(engines_of(served.server)) == 2
    for client, place in places:
        assert place.everything() == {place.kind: b"x"}


def test_the_end_of_one_accounts_cuts_nothing_of_anothers(served, account_on, make_drive):
    other = account_on(served.server)
    place = make_drive("apache", served.server, other.name)
    place.plant({"file": CONTENT})
    answer = other.client.stream(place.at("file"))
    got = answer.raw.read(1 << 20)
    others = engines_of(served.server)
    for _ in range(3):
        served.client.list(served.path).ok()
        Engine(served.server, besides=others).kill()
    while more := answer.raw.read(1 << 20):
        got += more
    assert got == CONTENT


def test_it_ends_with_the_server(served):
    served.client.list(served.path).ok()
    engine = Engine(served.server)
    served.server.stop()
    engine.ended()


def test_it_ends_with_a_server_that_is_killed(served):
    served.client.list(served.path).ok()
    engine = Engine(served.server)
    served.server.kill()
    engine.ended()
    served.server.start()
    assert engines_of(served.server) == []
    served.client.list(served.path).ok()


def test_it_ends_with_a_server_that_is_stopped_during_an_upload(served, over_line):
    with held_upload(over_line) as call:
        engine = Engine(served.server)
        served.server.stop()
        engine.ended()
        call.ended()
    assert over_line.visible() == {}


def test_a_kill_while_it_is_idle_is_not_noticed(served):
    served.client.put(served.at("file"), b"x")
    for _ in range(2):
        Engine(served.server).kill()
        assert [entry["name"] for entry in served.client.list(served.path).ok()] == ["file"]
        assert served.client.content(served.at("file")) == b"x"


def test_a_kill_during_a_download_cuts_it(served):
    served.plant({"file": CONTENT})
    answer = served.client.stream(served.at("file"))
    assert answer.status_code == 200
    got = answer.raw.read(1 << 20)
    Engine(served.server).kill()
    with contextlib.suppress(urllib3.exceptions.HTTPError):
        while more := answer.raw.read(1 << 20):
            got += more
    assert len(got) < len(CONTENT) and CONTENT.startswith(got)
    eventually(lambda: served.client.list(served.path).status == 200, "it serves again")
    assert served.client.content(served.at("file")) == CONTENT


@pytest.fixture
def over_line(served, drive_servers):
    """Another drive of the same account, over a line that may be held."""
    of_line = served.server, served.account.name, drive_servers("apache"), new_name(), "Line"
    with drive_over_line(*of_line) as (place, line):
        place.client, place.line = served.client, line
        yield place


@contextlib.contextmanager
def held_upload(place):
    """An upload that the drive has had the half of."""
    place.client.list(place.path).ok()
    place.line.fault("hold", after=2 << 20, direction=UP)
    call = Call(lambda: place.client.upload(place.path, form(("file", CONTENT[:4 << 20]))))
    assert place.line.held.wait(PATIENCE_S)
    yield call
    place.line.mend()


@pytest.mark.parametrize("before", [{}, {"file": OLD}], ids=["new", "replacing"])
def test_a_kill_during_an_upload_leaves_the_old_content(served, over_line, before):
    place, client = over_line, served.client
    place.plant(before)
    with held_upload(place) as call:
        Engine(served.server).kill()
        assert "Line" in call.result().fails(502)
    assert place.visible() == before
    eventually(lambda: place.everything() == before, "what had come to go")
    eventually(lambda: client.upload(place.path, form(("file", CONTENT[:99_000]))).status == 200, "it serves again")
    assert place.everything() == {"file": CONTENT[:99_000]}


@pytest.mark.parametrize("verb", ["copy", "move"])
def test_a_kill_during_a_copy_leaves_nothing_of_it(served, over_line, verb):
    place, client, tree = over_line, served.client, {f"tree/{number}": CONTENT[number:1 << 20] for number in range(4)}
    client.make_folder("", "tree").ok()
    for name, content in tree.items():
        client.put(name, content)
    client.list(place.path).ok()
    place.line.fault("hold", after=2 << 20, direction=UP)
    call = Call(lambda: getattr(client, verb)("tree", place.path))
    assert place.line.held.wait(PATIENCE_S)
    Engine(served.server).kill()
    place.line.mend()
    assert "Line" in call.result().fails(502)
    eventually(lambda: place.everything() == {}, "nothing is left")
    assert {name: client.content(name) for name in tree} == tree
    eventually(lambda: getattr(client, verb)("tree", place.path).status == 200, "it serves again")
    assert place.everything() == {"tree": None, **tree}
    assert ("tree" in client.names()) == (verb == "copy")


CALLS = ["rc/noop", "rc/noopauth", "core/version", "core/command", "config/dump", "operations/list",
         "options/set", "core/quit"]


@pytest.mark.parametrize("authorization", [None, "coffer:", "coffer:wrong", ":", f"{USER}:{PASSWORD}"])
def test_it_answers_nobody_without_its_password(served, authorization):
    served.client.put(served.at("file"), b"x")
    engine = Engine(served.server)
    headers = {"Authorization": "Basic " + base64.b64encode(authorization.encode()).decode()} if authorization else {}
    session = requests.Session()
    session.trust_env = False
    url = f"http://127.0.0.1:{engine.port()}"
    answers = [session.post(f"{url}/{call}", headers=headers, json={}, timeout=PATIENCE_S) for call in CALLS]
    answers += [session.get(f"{url}/{path}", headers=headers, timeout=PATIENCE_S)
                for path in ("", "metrics", "debug/pprof/cmdline")]
    assert [answer.status_code for answer in answers] == [401] * len(answers)
    assert engine.process in engines_of(served.server)
    assert served.client.content(served.at("file")) == b"x"


def test_it_has_no_connection_of_the_servers(served):
    """Which would not end with the server's."""
    with RawConnection(served.server) as waiting:
        waiting.send("GET / HTTP/1.1\r\n")
        served.client.list(served.path).ok()
        assert Engine(served.server).sockets().isdisjoint(sockets_of(served.server.process.pid))


def test_it_listens_on_loopback_alone(served):
    served.client.list(served.path).ok()
    engine = Engine(served.server)
    ours = [line.split()[1] for line in engine.of_process("net/tcp").splitlines()[1:] if line.split()[3] == "0A"]
    port = f"{engine.port():04X}"
    assert [address for address in ours if address.endswith(port)] == [f"0100007F:{port}"]
    assert not any(line.split()[1].endswith(port) for line in engine.of_process("net/tcp6").splitlines()[1:])


def test_it_gets_nothing_of_the_servers_environment(own_server, account_on, make_drive, monkeypatch):
    """Nor does what stands there change what it does."""
    names = {"RCLONE_CONFIG_HERE_TYPE": "local", "RCLONE_DRY_RUN": "true", "RCLONE_RC_NO_AUTH": "true",
             "AWS_ACCESS_KEY_ID": "from-outside", "AWS_SECRET_ACCESS_KEY": "from-outside-too", "HTTP_PROXY":
             "http://127.0.0.1:9", "http_proxy": "http://127.0.0.1:9"}
    with monkeypatch.context() as outside:
        for name, value in names.items():
            outside.setenv(name, value)
        server = own_server()
    account = account_on(server)
    for kind in TWO_KINDS:
        place = make_drive(kind, server, account.name, label=kind)
        account.client.put(place.at("file"), b"x")
        assert place.everything() == {"file": b"x"}
    environment = Engine(server).environment()
    assert environment["AWS_EC2_METADATA_DISABLED"] == "true"
    missing = environment["GOOGLE_APPLICATION_CREDENTIALS"]
    assert missing.startswith(str(server.data)) and not os.path.exists(missing)
    assert set(environment) <= {"PATH", "HOME", "TMPDIR", "RCLONE_RC_USER", "RCLONE_RC_PASS", "SSL_CERT_FILE",
                                "AWS_EC2_METADATA_DISABLED", "GOMEMLIMIT", "GOOGLE_APPLICATION_CREDENTIALS"}
    assert len(environment["RCLONE_RC_PASS"]) >= 32
    assert environment["HOME"].startswith(str(server.data)) and environment["TMPDIR"].startswith(str(server.data))


def test_nobody_is_told_its_password_or_a_drives(served, account_on, make_drive):
    client = served.client
    client.put(served.at("file"), b"x")
    other = make_drive(OTHER_KIND, served.server, served.account.name, label="Other")
    client.copy(served.at("file"), other.path).ok()
    engine = Engine(served.server)
    own = engine.environment()["RCLONE_RC_PASS"]
    engine.kill()
    answers = [client.list(served.path), client.list(other.path), client.list(other.at("none")), client.list()]
    shown = served.server.log() + Engine(served.server).of_process("cmdline")
    shown += "".join(answer.content.decode() + str(answer.headers) for answer in answers)
    for word in (own, Engine(served.server).environment()["RCLONE_RC_PASS"], PASSWORD, USER):
        assert word not in shown, "a secret is shown"


def test_without_rclone_drives_say_so_and_all_else_works(own_server, account_on, make_drive, monkeypatch, tmp_path):
    os.symlink(shutil.which("setpriv"), tmp_path / "setpriv")  # Starts the server.
    with monkeypatch.context() as outside:
        outside.setenv("PATH", str(tmp_path))
        server = own_server()
    account = account_on(server)
    place, client = make_drive("apache", server, account.name), account.client
    client.put("own", b"own")
    for answer in (client.list(place.path), client.download(place.at("file")),
                   client.upload(place.path, form(("x", b"x"))),
                   client.copy("own", place.path), client.move("own", place.path), client.delete(place.at("file"))):
        message = answer.fails(502)
        assert LABEL in message and "rclone, which is not installed" in message and "\n" not in message
    assert client.names() == [LABEL, "own"] and client.content("own") == b"own"
    assert place.everything() == {} and engines_of(server) == []


def test_what_it_says_and_keeps_stays_in_the_data_folder(served):
    served.client.put(served.at("file"), CONTENT[:1 << 20])
    folder = served.server.data / "drives"
    assert folder.stat().st_mode & 0o777 == 0o700
    engine = Engine(served.server)
    assert [os.readlink(f"/proc/{engine.process}/fd/{number}") for number in (0, 1)] == ["/dev/null"] * 2
    served.server.send_signal(signal.SIGTERM)
    assert served.server.wait() == 0
    assert [file for file in folder.rglob("*") if file.is_file()] == []
