"""Tells by the served description alone whether a request is valid."""

import re

import jsonschema

FORM = "multipart/form-data"


def pattern(validator, wanted, instance, schema):
    """As ECMA-262 reads it, where `$` is the end alone and not also the place before a last line break."""
    if validator.is_type(instance, "string") and not re.search(re.sub(r"\$$", r"\\Z", wanted), instance):
        yield jsonschema.ValidationError(f"{instance!r} does not match {wanted!r}")


def max_bytes(validator, limit, instance, schema):
    """A keyword of our own, since `maxLength` counts characters."""
    if validator.is_type(instance, "string") and len(instance.encode()) > limit:
        yield jsonschema.ValidationError(f"{instance!r} has more than {limit} bytes")


def max_component_bytes(validator, limit, instance, schema):
    """The same for what stands between slashes."""
    for component in instance.split("/"):
        yield from max_bytes(validator, limit, component, schema)


def max_name_bytes(validator, limit, instance, schema):
    """The same for the last of these that is not dropped."""
    components = [component for component in instance.split("/") if component not in ("", ".")]
    yield from max_bytes(validator, limit, components[-1] if components else "", schema)


VALIDATOR = jsonschema.validators.extend(
    jsonschema.Draft202012Validator,
    {"pattern": pattern, "x-maxBytes": max_bytes, "x-maxComponentBytes": max_component_bytes,
     "x-maxNameBytes": max_name_bytes})


class Operation:
    def __init__(self, method, path, described):
        self.method, self.path, self.described = method, path, described
        self.id = described["operationId"]
        self.parameters = {one["name"]: one for one in described["parameters"]}
        body = described.get("requestBody", {}).get("content", {})
        self.form = body.get(FORM)

    def in_path(self, name):
        return self.parameters[name]["in"] == "path"

    def allows(self, values):
        """Whether these parameters are valid; one that is left out is not in `values`."""
        missing = [name for name, one in self.parameters.items() if one["required"] and name not in values]
        return not missing and all(self.allows_value(name, value) for name, value in values.items())

    def allows_value(self, name, value):
        return VALIDATOR(self.parameters[name]["schema"]).is_valid(value)

    def allows_form(self, parts):
        """Parts are (field, value of the Content-Disposition header); one whose header is not as described is none of
        the described fields."""
        fields = {}
        for field, disposition in parts:
            header = self.form["encoding"].get(field, {}).get("headers", {}).get("Content-Disposition")
            if header is None or VALIDATOR(header["schema"]).is_valid(disposition):
                fields.setdefault(field, []).append("content")
        if "file" in fields:
            fields["file"] = fields["file"][0]
        return VALIDATOR(self.form["schema"]).is_valid(fields)


def operations(document):
    return [Operation(method.upper(), path, described) for path, methods in document["paths"].items()
            for method, described in methods.items()]
