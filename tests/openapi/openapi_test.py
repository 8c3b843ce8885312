"""The description that a running server gives of itself is valid OpenAPI."""

import json
import os
import pathlib
import socket
import subprocess
import time
import urllib.request

import pytest

HERE = pathlib.Path(__file__).parent


@pytest.fixture
def server(tmp_path):
    """The base URL of a server on a port of its own."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [os.environ["COFFER_BIN"], "serve", "--data", tmp_path / "data", "--listen", f"127.0.0.1:{port}"]
    plain = {key: value for key, value in os.environ.items() if not key.startswith("COFFER_")}
    log_file = tmp_path / "log"
    with open(log_file, "w") as log, subprocess.Popen(command, stdout=log, stderr=log, env=plain) as process:
        deadline = time.monotonic() + 60
        while True:
            assert process.poll() is None, (tmp_path / "log").read_text()
            try:
                socket.create_connection(("127.0.0.1", port), timeout=1).close()
                break
            except OSError:
                assert time.monotonic() < deadline, (tmp_path / "log").read_text()
                time.sleep(0.05)
        yield f"http://127.0.0.1:{port}"
        process.terminate()
        process.wait(60)


def validate(path):
    return subprocess.run(["node", HERE / "validate.mjs", path], capture_output=True, text=True)


def test_the_served_document_is_valid(server, tmp_path):
    with urllib.request.urlopen(f"{server}/api/openapi.json") as answer:
        document = answer.read()
    assert json.loads(document)["openapi"].startswith("3.1.")
    (tmp_path / "openapi.json").write_bytes(document)
    run = validate(tmp_path / "openapi.json")
    assert run.returncode == 0, run.stdout + run.stderr


def test_the_validator_refuses_a_broken_document(tmp_path):
    broken = {"openapi": "3.1.0", "info": {"title": "x", "version": "1"}, "paths": {"/a": {"get": {"responses": 5}}}}
    (tmp_path / "broken.json").write_text(json.dumps(broken))
    run = validate(tmp_path / "broken.json")
    assert run.returncode == 1 and "responses" in run.stderr
