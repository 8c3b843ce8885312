"""A caller of WebDAV. Paths are as in addresses, below /dav/."""

import base64
import contextlib
import http.client
import xml.etree.ElementTree as ElementTree

from server import PATIENCE_S

DAV = "{DAV:}"
EXCLUSIVE = (b'<?xml version="1.0"?><D:lockinfo xmlns:D="DAV:"><D:lockscope><D:exclusive/></D:lockscope><D:locktype><D:write/>'
             b"</D:locktype><D:owner><D:href>somebody</D:href></D:owner></D:lockinfo>")
SHARED = EXCLUSIVE.replace(b"exclusive", b"shared")


class DavAnswer:
    def __init__(self, method, target, status, headers, body):
        self.method, self.target, self.status, self.headers, self.body = method, target, status, headers, body

    def is_(self, status, condition=None):
        """`status` is one, or some; `condition` is the precondition that the body names."""
        assert self.status in (status if isinstance(status, tuple) else (status,)), self
        if condition:
            assert ElementTree.fromstring(self.body)[0].tag == DAV + condition, self
        return self

    def items(self):
        """Of a multistatus: by address, what each property that is there holds, as an element."""
        assert self.status == 207, self
        found = {}
        for response in ElementTree.fromstring(self.body):
            properties = {}
            for stat in response.findall(DAV + "propstat"):
                if " 200 " in stat.findtext(DAV + "status"):
                    properties.update({one.tag: one for one in stat.find(DAV + "prop")})
            found[response.findtext(DAV + "href")] = properties
        return found

    def statuses(self):
        """Of a multistatus about one item: the status of each property."""
        found = {}
        for stat in ElementTree.fromstring(self.body).iter(DAV + "propstat"):
            for one in stat.find(DAV + "prop"):
                found[one.tag] = int(stat.findtext(DAV + "status").split()[1])
        return found

    def __repr__(self):
        return f"{self.method} {self.target} -> {self.status} {dict(self.headers)} {self.body[:400]!r}"


def basic(name, password):
    return "Basic " + base64.b64encode(f"{name}:{password}".encode()).decode()


class Dav:
    def __init__(self, server, name=None, key=None):
        self.server = server
        self.headers = {"Authorization": basic(name, key)} if name else {}

    def call(self, method, path, body=None, headers=None, top="/dav/"):
        sent = {**self.headers, **(headers or {})}
        with contextlib.closing(http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=PATIENCE_S)) as connection:
            connection.request(method, top + path, body=body, headers={name: value for name, value in sent.items() if value is not None})
            got = connection.getresponse()
            return DavAnswer(method, top + path, got.status, got.headers, got.read())

    def put(self, path, content, **headers):
        return self.call("PUT", path, content, headers)

    def propfind(self, path="", depth="1", *names, **headers):
        """`names` are of `DAV:`; none asks for all."""
        body = None
        if names:
            wanted = "".join(f"<D:{name}/>" for name in names)
            body = f'<D:propfind xmlns:D="DAV:"><D:prop>{wanted}</D:prop></D:propfind>'
        return self.call("PROPFIND", path, body, {"Depth": depth, **headers})

    def names(self, path=""):
        """The addresses of what is in a folder."""
        return sorted(href for href in self.propfind(path, "1", "resourcetype").items())[1:]

    def move(self, method, path, to, headers=None):
        return self.call(method, path, None, {"Destination": "/dav/" + to, **(headers or {})})

    def lock(self, path, depth="0", body=EXCLUSIVE, **headers):
        return self.call("LOCK", path, body, {"Depth": depth, "Content-Type": "application/xml", **headers})

    def locked(self, path, depth="0", **more):
        """The token of a new lock."""
        answer = self.lock(path, depth, **more)
        assert answer.status in (200, 201), answer
        return answer.headers["Lock-Token"][1:-1]

    def unlock(self, path, token):
        return self.call("UNLOCK", path, None, {"Lock-Token": f"<{token}>"})


def dav_of(account):
    return Dav(account.server, account.name, account.key)
