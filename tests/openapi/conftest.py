"""The fixtures of the tests of the description."""

import json
import pathlib
import sys
import urllib.request

import pytest

sys.path[:0] = [str(pathlib.Path(__file__).parent), str(pathlib.Path(__file__).parents[1] / "e2e")]

from server import Server  # noqa: E402


@pytest.fixture
def server(tmp_path):
    started = Server(tmp_path / "server").start()
    yield started
    started.stop()


@pytest.fixture
def document(server):
    """What the server tells of itself."""
    with urllib.request.urlopen(f"{server.url}/api/openapi.json", timeout=60) as answer:
        return json.load(answer)
