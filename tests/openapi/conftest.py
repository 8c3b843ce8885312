"""The fixtures of the tests of the description."""

import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parent))

from running_server import running_server  # noqa: E402


@pytest.fixture
def server(tmp_path):
    with running_server(tmp_path) as started:
        yield started
