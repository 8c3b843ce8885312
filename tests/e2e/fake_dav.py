"""A small WebDAV server that says what a test wants, true or not."""

import threading
import urllib.parse
from xml.sax.saxutils import escape

from small_server import Answers, SmallServer

PASSWORD = "hush-7up-and-more"
LOST = "lost"  # In place of a status: it is done, and the line is closed without an answer.
FOLDER = "<D:resourcetype><D:collection/></D:resourcetype>"
FILE = "<D:resourcetype/><D:getcontentlength>{}</D:getcontentlength>"
FIRST_TIME = "Sun, 06 Nov 1994 08:49:37 GMT"
XML_BEGIN, XML_END = '<?xml version="1.0"?><D:multistatus xmlns:D="DAV:">', "</D:multistatus>"


def item_xml(href, content, time=FIRST_TIME):
    kind = FOLDER if content is None else FILE.format(len(content))
    return (f"<D:response><D:href>{escape(href)}</D:href><D:propstat><D:prop>{kind}<D:getlastmodified>{time}"
            "</D:getlastmodified></D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response>")


def plain(href):
    return urllib.parse.unquote(href).strip("/")


class _DavAnswers(Answers):
    def handle_any(self):
        dav = self.outer
        path = plain(self.path)
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        dav.before(self.command, path)
        with dav.lock:
            dav.asked.append((self.command, path))
            refused = dav.refuse(self.command, path)
            if refused is None or refused == LOST:
                answer = self.do(path, body)
        if refused == LOST:
            self.close_connection = True
        elif refused is not None:
            self.say(refused)
        else:
            self.say(*answer)

    do_GET = do_HEAD = do_OPTIONS = do_PROPFIND = do_POST = handle_any
    do_PUT = do_MKCOL = do_MOVE = do_COPY = do_DELETE = handle_any

    def do(self, path, body):
        """The status of an answer, and its content."""
        dav, found = self.outer, self.outer.items()
        if self.command == "PROPFIND":
            pieces = dav.listing(path, self.path)
            return (404,) if pieces is None else (207, pieces)
        if self.command in ("GET", "HEAD"):
            return (200, found[path][1]) if found.get(path, (None, None))[1] is not None else (404,)
        if self.command in ("DELETE", "MOVE", "COPY") and path not in found:
            return (404,)
        if self.command == "DELETE":
            dav.take_out(path)
        if self.command in ("MOVE", "COPY"):
            dav.bring(path, plain(urllib.parse.urlsplit(self.headers["Destination"]).path), keeps=self.command == "COPY")
        if self.command == "PUT":
            dav.kept[path] = body
        if self.command == "MKCOL":
            dav.kept[path] = None
        return (201,)

    def say(self, status, content=b""):
        if isinstance(content, bytes):
            return self.answer(status, content, "application/octet-stream", *self.outer.headers())
        self.send_response(status)
        for header in (("Content-Type", "application/xml"), ("Transfer-Encoding", "chunked")):
            self.send_header(*header)
        self.end_headers()
        for piece in map(str.encode, content):
            self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
            self.outer.listed_bytes += len(piece)
        self.wfile.write(b"0\r\n\r\n")


class FakeDav(SmallServer):
    """`entries` are the names in `folder`, or at its top, as they are to stand in the answer (percent-coded or not),
    with contents, or None for folders; `kept` is what clients made of them and beside them, by whole paths. `refuse`
    tells the status of a request by its method and path, or nothing, or LOST; `before` sees each request too, and may
    hold it while others go on. `asked` is what it was asked, and `times`
    are those of files by their paths, where not all are as old."""

    answers = _DavAnswers
    kind = "fake"
    type = "webdav"
    top = ""

    def __init__(self, entries, refuse=lambda method, path: None, folder=""):
        self.entries, self.refuse, self.folder = dict(entries), refuse, folder
        self.asked, self.kept, self.times = [], {}, {}
        self.lock, self.listed_bytes = threading.Lock(), 0
        self.before = lambda method, path: None
        super().__init__()

    def parameters(self):
        return {"url": f"http://127.0.0.1:{self.port}", "vendor": "other", "user": "tester", "pass": PASSWORD}

    def headers(self):
        """More of each answer that is no listing."""
        return []

    def base(self):
        return f"/{self.folder}/" if self.folder else "/"

    def planted(self):
        """Of `entries`, the XML of each, by its path."""
        found = {plain(self.base() + name): (self.base() + name, content) for name, content in self.entries.items()}
        return {**found, **({self.folder: (self.base(), None)} if self.folder else {})}

    def items(self):
        """The XML of each item, and its content, by its path."""
        return self.planted() | {path: ("/" + urllib.parse.quote(path), content)
                                 for path, content in self.kept.items()}

    def contents(self):
        """As clients left it."""
        return {path: content for path, (_, content) in self.items().items()}

    def listing(self, path, asked):
        """The answer to PROPFIND, in pieces; None if nothing is there."""
        found = self.items()
        if path and path not in found:
            return None
        items = [(asked, found[path][1] if path else None)]
        if path == self.folder:
            items = [(self.base(), None), *((self.base() + name, content) for name, content in self.entries.items())]
        elif path == "":
            items.append((self.base(), None))
        items += [found[one] for one in self.kept if one.rpartition("/")[0] == path]
        times = [self.times.get(plain(href), FIRST_TIME) for href, _ in items]
        return [XML_BEGIN, *(item_xml(*item, time) for item, time in zip(items, times, strict=True)), XML_END]

    def take_out(self, path):
        """What is there and below, by its path."""
        gone = {one: content for one, content in self.contents().items() if one == path or one.startswith(path + "/")}
        self.entries = {name: content for name, content in self.entries.items()
                        if plain(self.base() + name) not in gone}
        self.kept = {one: content for one, content in self.kept.items() if one not in gone}
        return gone

    def bring(self, path, target, keeps):
        before = dict(self.entries), dict(self.kept)
        taken = self.take_out(path)
        if keeps:
            self.entries, self.kept = before
        self.take_out(target)
        self.kept.update({target + one.removeprefix(path): content for one, content in taken.items()})
