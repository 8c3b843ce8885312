"""Holds every answer against the server's own OpenAPI description."""

import functools

import jsonschema

ERROR_FIELDS = {"success", "error"}
SUCCESS_FIELDS = {"success", "data"}


def check_envelope(status, body):
    """The contract's frame around every JSON answer."""
    assert isinstance(body, dict), body
    if status < 400:
        assert set(body) == SUCCESS_FIELDS and body["success"] is True, body
    else:
        assert set(body) == ERROR_FIELDS and body["success"] is False, body
        assert isinstance(body["error"], str) and body["error"].strip(), body


def shortened(body):
    """A long listing's ends stand for the whole, which would take minutes to check."""
    data = body.get("data")
    if isinstance(data, list) and len(data) > 200:
        return {**body, "data": data[:100] + data[-100:]}
    return body


class Description:
    def __init__(self, document):
        self.document = document
        self.resolver = jsonschema.RefResolver.from_schema(document)

    def resolve(self, node):
        while "$ref" in node:
            node = self.resolver.resolve(node["$ref"])[1]
        return node

    @functools.lru_cache(maxsize=None)
    def template_of(self, path):
        if path in self.document["paths"]:
            return path
        parts = path.split("/")
        for template in self.document["paths"]:
            wanted = template.split("/")
            if len(wanted) == len(parts) and all(
                    want == part or (want.startswith("{") and part) for want, part in zip(wanted, parts)):
                return template
        raise AssertionError(f"the description has no path for {path}")

    @functools.lru_cache(maxsize=None)
    def response(self, method, path, status):
        operations = self.document["paths"][self.template_of(path)]
        method = "get" if method == "HEAD" and "head" not in operations else method.lower()
        assert method in operations, f"the description has no {method} for {path}"
        responses = operations[method]["responses"]
        assert str(status) in responses, f"the description has no {status} for {method} {path}"
        return self.resolve(responses[str(status)])

    @functools.lru_cache(maxsize=None)
    def validator(self, method, path, status, media_type="application/json"):
        content = self.response(method, path, status).get("content", {})
        assert media_type in content, f"no {media_type} described for {status} of {method} {path}"
        return jsonschema.Draft202012Validator(content[media_type]["schema"], resolver=self.resolver)

    def check(self, method, path, status, body):
        errors = list(self.validator(method, path, status).iter_errors(shortened(body)))
        assert not errors, f"{method} {path} {status} breaks its schema: {errors[0].message} in {body}"
