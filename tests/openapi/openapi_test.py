"""The description that a running server gives of itself is valid OpenAPI, and makes clients that work."""

import json
import pathlib
import subprocess

HERE = pathlib.Path(__file__).parent


def node(*arguments, folder=None):
    return subprocess.run(["node", *map(str, arguments)], capture_output=True, text=True, cwd=folder)


def write_description(document, folder):
    path = folder / "openapi.json"
    path.write_text(json.dumps(document))
    return path


def test_the_served_document_is_valid(document, tmp_path):
    assert document["openapi"].startswith("3.1.")
    run = node(HERE / "validate.mjs", write_description(document, tmp_path))
    assert run.returncode == 0, run.stdout + run.stderr


def test_the_validator_refuses_a_broken_document(tmp_path):
    broken = {"openapi": "3.1.0", "info": {"title": "x", "version": "1"}, "paths": {"/a": {"get": {"responses": 5}}}}
    (tmp_path / "broken.json").write_text(json.dumps(broken))
    run = node(HERE / "validate.mjs", tmp_path / "broken.json")
    assert run.returncode == 1 and "responses" in run.stderr


def compile_client(document, folder):
    """Generates the client's types, and compiles the client with them: what does not fit does not compile."""
    for name in ("client.ts", "tsconfig.json"):
        (folder / name).write_text((HERE / name).read_text())
    (folder / "package.json").write_text('{"type": "module"}')
    (folder / "node_modules").symlink_to(HERE / "node_modules")
    generated = node(HERE / "generate.mjs", write_description(document, folder), folder / "description.d.ts")
    assert generated.returncode == 0, generated.stdout + generated.stderr
    compiled = node("node_modules/typescript/bin/tsc", "--project", ".", folder=folder)
    assert compiled.returncode == 0, compiled.stdout + compiled.stderr
    return folder / "out" / "client.js"


def test_a_generated_client_lists_uploads_and_downloads(server, document, tmp_path):
    key = server.create_key(server.add_account())["key"]
    folder = tmp_path / "client"
    folder.mkdir()
    run = node(HERE / "run_client.mjs", compile_client(document, folder), server.url, key)
    assert run.returncode == 0, run.stderr
    assert run.stdout.splitlines() == ["bytes.bin 70000", "empty 0", "hello.txt 5"]
