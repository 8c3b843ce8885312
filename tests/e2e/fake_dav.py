"""A small WebDAV server that says what a test wants, true or not."""

import urllib.parse
from xml.sax.saxutils import escape

from small_server import Answers, SmallServer

FOLDER = "<D:resourcetype><D:collection/></D:resourcetype>"
FILE = "<D:resourcetype/><D:getcontentlength>{}</D:getcontentlength>"


def told(href, content):
    kind = FOLDER if content is None else FILE.format(len(content))
    return (f"<D:response><D:href>{escape(href)}</D:href><D:propstat><D:prop>{kind}<D:getlastmodified>Sun, 06 Nov "
            "1994 08:49:37 GMT</D:getlastmodified></D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat>"
            "</D:response>")


class _DavAnswers(Answers):
    def handle_any(self):
        dav = self.outer
        path = urllib.parse.unquote(self.path).strip("/")
        dav.asked.append((self.command, path))
        length = int(self.headers.get("Content-Length", 0))
        while length > 0:
            length -= len(self.rfile.read(min(length, 1 << 20)))
        if status := dav.refuse(self.command, path):
            return self.say(status)
        base = f"/{dav.folder}/" if dav.folder else "/"
        entries = {base + name: content for name, content in dav.entries.items()}
        found = {urllib.parse.unquote(href).strip("/"): content for href, content in entries.items()}
        if self.command == "GET" and found.get(path) is not None:
            return self.say(200, found[path])
        if self.command == "PROPFIND" and path == dav.folder:
            items = [(base, None), *entries.items()]
        elif self.command == "PROPFIND" and path == "":
            items = [("/", None), (base, None)]
        elif self.command == "PROPFIND" and path in found:
            items = [(self.path, found[path])]
        else:
            return self.say(404 if self.command in ("GET", "PROPFIND") else 201)
        listed = "".join(told(*item) for item in items)
        self.say(207, f'<?xml version="1.0"?><D:multistatus xmlns:D="DAV:">{listed}</D:multistatus>'.encode())

    do_GET = do_HEAD = do_OPTIONS = do_PROPFIND = do_POST = handle_any
    do_PUT = do_MKCOL = do_MOVE = do_COPY = do_DELETE = handle_any

    def say(self, status, content=b""):
        self.answer(status, content, "application/xml" if status == 207 else "application/octet-stream")


class FakeDav(SmallServer):
    """`entries` are the names in `folder`, or at its top, as they are to stand in the answer (percent-coded or not),
    with contents, or None for folders. `refuse` tells the status of a request by its method and path, or nothing. `asked` is
    what it was asked."""

    answers = _DavAnswers
    kind = "fake"
    type = "webdav"
    top = ""

    def __init__(self, entries, refuse=lambda method, path: None, folder=""):
        self.entries, self.refuse, self.folder, self.asked = entries, refuse, folder, []
        super().__init__()

    def parameters(self):
        return {"url": f"http://127.0.0.1:{self.port}", "vendor": "other", "user": "tester",
                "pass": "hush-7up-and-more"}
