"""The machine-readable description and its page."""

import re

import jsonschema
import pytest

from client import ACCOUNT, FILES, KEYS, Client
from server import PATIENCE_S

# Every route of the contract with its parameters; those with a `!` are required.
ROUTES = {
    ("get", "/api/v1/locations"): [],
    ("get", FILES): ["path"],
    ("delete", FILES): ["path!"],
    ("get", FILES + "/download"): ["path!"],
    ("post", FILES + "/upload"): ["path"],
    ("post", FILES + "/folder"): ["path", "name!"],
    ("post", FILES + "/file"): ["path", "name!"],
    ("put", FILES + "/move"): ["from!", "to"],
    ("put", FILES + "/copy"): ["from!", "to"],
    ("put", FILES + "/rename"): ["path!", "newName!"],
    ("get", FILES + "/info"): ["path!"],
    ("get", ACCOUNT): [],
    ("get", KEYS): [],
    ("post", KEYS): ["name!", "folder"],
    ("delete", KEYS + "/{id}"): ["id!"],
}
every_route = pytest.mark.parametrize("method, path", ROUTES, ids=lambda value: value)


def test_the_description_needs_no_key(server):
    answer = Client(server, None).session.get(server.url + "/api/openapi.json", timeout=PATIENCE_S)
    assert answer.status_code == 200
    assert answer.headers["Content-Type"].split(";")[0] == "application/json"
    document = answer.json()
    assert isinstance(document["openapi"], str) and document["openapi"].startswith("3.1.")
    assert document["info"]["version"] == "1.0.0" and document["info"]["title"]


def test_the_version_is_that_of_the_contract(description):
    assert description.document["openapi"] == "3.1.0"


@every_route
def test_every_route_is_described_with_its_parameters(description, method, path):
    operation = description.document["paths"][path][method]
    parameters = [description.resolve(one) for one in
                  description.document["paths"][path].get("parameters", []) + operation.get("parameters", [])]
    described = {}
    for parameter in parameters:
        if parameter["in"] in ("query", "path"):
            described[parameter["name"]] = parameter
    wanted = {text.rstrip("!"): text.endswith("!") for text in ROUTES[method, path]}
    assert set(described) == set(wanted)
    for name, required in wanted.items():
        assert described[name].get("required", False) == required, name
        assert described[name]["in"] == ("path" if "{" + name + "}" in path else "query")
        assert described[name]["schema"]["type"] == "string"


def test_nothing_else_is_described_under_v1(description):
    found = {(method, path) for path, operations in description.document["paths"].items() if path.startswith("/api/v1/")
             for method in operations if method in ("get", "put", "post", "delete", "patch", "head", "options")}
    assert found - {(method, path) for method, path in found if method in ("head", "options")} == set(ROUTES)


@every_route
def test_every_operation_has_an_id_a_summary_and_a_key(description, method, path):
    document, operation = description.document, description.document["paths"][path][method]
    assert operation["operationId"] and operation.get("summary", operation.get("description"))
    schemes = document["components"]["securitySchemes"]
    by_key = {name for name, scheme in schemes.items()
              if (scheme["type"], scheme.get("in"), scheme.get("name")) == ("apiKey", "header", "X-API-Key")}
    security = operation.get("security", document.get("security"))
    assert security and any(set(choice) & by_key for choice in security) and {} not in security


def test_operation_ids_differ(description):
    ids = [description.document["paths"][path][method]["operationId"] for method, path in ROUTES]
    assert len(set(ids)) == len(ids)


@every_route
def test_every_operation_describes_success_and_401(description, method, path):
    responses = description.document["paths"][path][method]["responses"]
    assert {"200", "401"} <= set(responses)
    assert all(description.resolve(one)["description"] for one in responses.values())
    if ROUTES[method, path]:
        assert "404" in responses
    if not path.endswith("/download"):
        assert "application/json" in description.resolve(responses["200"])["content"]


def test_the_upload_describes_its_form(description):
    content = description.document["paths"][FILES + "/upload"]["post"]["requestBody"]["content"]
    form = description.resolve(content["multipart/form-data"]["schema"])
    assert {"file", "files"} <= set(form["properties"])


def test_the_download_describes_bytes_ranges_and_conditions(description):
    responses = description.document["paths"][FILES + "/download"]["get"]["responses"]
    assert {"200", "206", "304", "416"} <= set(responses)
    assert "application/json" not in description.resolve(responses["200"])["content"]


def test_every_reference_leads_somewhere_and_every_schema_is_one(description):
    def walk(node):
        if isinstance(node, dict):
            if isinstance(node.get("$ref"), str):
                assert description.resolve({"$ref": node["$ref"]}) is not None
            for key, value in node.items():
                if key == "schema":
                    jsonschema.Draft202012Validator.check_schema(value)
                walk(value)
        elif isinstance(node, list):
            for value in node:
                walk(value)

    walk(description.document)
    for schema in description.document["components"]["schemas"].values():
        jsonschema.Draft202012Validator.check_schema(schema)


BAD_BODIES = {
    ("GET", "/api/v1/locations"): [{"success": True, "data": {}}, {"success": True, "data": [{}]}],
    ("GET", FILES): [{"success": True, "data": [{}]}, {"success": True, "data": [{"name": 1}]}, {"success": True}],
    ("POST", FILES + "/upload"): [{"success": True, "data": {"uploaded": ["a"]}},
                                  {"success": True, "data": {"uploaded": "a", "count": 1}}],
    ("PUT", FILES + "/move"): [{"success": True, "data": {}}, {"success": True, "data": "done"}],
    ("GET", FILES + "/info"): [{"success": True, "data": {"name": "a"}}],
    ("GET", ACCOUNT): [{"success": True, "data": {"username": "a"}}],
    ("GET", KEYS): [{"success": True, "data": [{"id": "a"}]}],
    ("POST", KEYS): [{"success": True, "data": {"id": "a", "key": 5}}],
}


@pytest.mark.parametrize("method, path", BAD_BODIES, ids=lambda value: value)
def test_the_schemas_are_strict_enough_to_fail(description, method, path):
    validator = description.validator(method, path, 200)
    for body in BAD_BODIES[method, path]:
        assert list(validator.iter_errors(body)), f"the schema takes {body}"
    refused = description.validator(method, path, 401)
    assert list(refused.iter_errors({"success": False})) and list(refused.iter_errors({"error": "x"}))


def test_the_schemas_take_the_fields_of_every_kind_of_entry(description):
    entry = {"name": "n", "relativePath": "__adm_1", "isDirectory": True, "size": 0, "formattedSize": "--",
             "createdAt": "2026-11-21T06:14:09", "modifiedAt": "2026-11-21T06:14:09", "extension": "", "description": "d",
             "mount": "shared", "mountTarget": "t", "readOnly": True}
    description.check("GET", FILES, 200, {"success": True, "data": [entry]})


def test_the_page_loads_nothing_from_outside(server):
    session = Client(server, None).session
    answer = session.get(server.url + "/api/docs", timeout=PATIENCE_S)
    assert answer.status_code == 200 and answer.headers["Content-Type"].startswith("text/html")
    resources = re.compile(r"""(?:src|href|action|data-url|poster)\s*=\s*["']?([^"'\s>]+)|url\(\s*["']?([^"')]+)|@import\s+["']([^"']+)""")
    pending, seen = ["/api/docs"], set()
    while pending:
        path = pending.pop()
        if path in seen:
            continue
        seen.add(path)
        loaded = session.get(server.url + path, timeout=PATIENCE_S)
        assert loaded.status_code == 200, path
        kind = loaded.headers["Content-Type"]
        if not kind.startswith(("text/html", "text/css")):
            continue
        for match in resources.finditer(loaded.text):
            target = next(filter(None, match.groups()))
            assert not re.match(r"(?:[a-z]+:)?//", target, re.IGNORECASE), f"{path} loads {target}"
            if target.startswith("/") and not target.startswith("/api/v1"):
                pending.append(target.split("#")[0])
    for path in seen:
        text = session.get(server.url + path, timeout=PATIENCE_S).text
        assert not re.search(r"""(?:fetch|import|importScripts)\s*\(?\s*["'`]https?://""", text), path
