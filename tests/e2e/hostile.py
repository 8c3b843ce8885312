"""Servers that wish their clients ill: what they answer is what a test puts in."""

import base64
import contextlib
import hashlib
import itertools
import logging
import re
import socket
import struct
import threading

import paramiko

logging.getLogger("paramiko").setLevel(logging.CRITICAL)
PIECE_BYTES = 1 << 16


class HostileServer:
    """Accepts connections on `port` of loopback; each has a thread. `commands` is the commands that it got: lines, or types
    and paths. `unsaid` are names that must not come among it."""

    unsaid = ()

    def __init__(self):
        self.commands = []
        self.sent_bytes = 0
        self.listener = self.listen()
        self.port = self.listener.getsockname()[1]
        self.accepted = 0
        self._open, self._threads, self._lock = set(), [], threading.Lock()
        self._stopped = False
        self._spawn(self._accept)

    @staticmethod
    def listen():
        listener = socket.create_server(("127.0.0.1", 0))
        # Of its connections: what the other end does not read is not sent either.
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, PIECE_BYTES)
        return listener

    def send(self, connection, data):
        for at in range(0, len(data), PIECE_BYTES):
            piece = data[at:at + PIECE_BYTES]
            connection.sendall(piece)
            self.sent_bytes += len(piece)

    def _spawn(self, work, *arguments):
        thread = threading.Thread(target=work, args=arguments, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _accept(self):
        with contextlib.suppress(OSError):
            while True:
                connection = self.keep(self.listener.accept()[0])
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                self.accepted += 1
                self._spawn(self._serve, connection)

    def keep(self, one):
        """A socket that is closed no later than at the end."""
        with self._lock:
            self._open.add(one)
            if self._stopped:
                one.close()
        return one

    def _serve(self, connection):
        with contextlib.suppress(OSError, EOFError), connection:
            self.serve(connection)

    def stop(self):
        with self._lock:
            self._stopped = True
            for one in (self.listener, *self._open):
                with contextlib.suppress(OSError):
                    one.shutdown(socket.SHUT_RDWR)
                one.close()
        for thread in self._threads:
            thread.join()


class Talker(HostileServer):
    """Only talks, whatever is said to it: these pieces."""

    def __init__(self, pieces):
        self.pieces = pieces
        super().__init__()

    def serve(self, connection):
        for piece in self.pieces():
            self.send(connection, piece)

    def check_commands(self):
        """It hears none."""


# Those of RFC 959, 2389, 2428 and 3659 that a client needs.
FTP_VERBS = {b"USER", b"PASS", b"QUIT", b"FEAT", b"OPTS", b"TYPE", b"PWD", b"CWD", b"CDUP", b"EPSV", b"PASV", b"LIST",
             b"MLSD", b"MLST", b"SIZE", b"MDTM", b"MFMT", b"RETR", b"STOR", b"REST", b"DELE", b"MKD", b"RMD", b"RNFR",
             b"RNTO", b"NOOP", b"ABOR"}
FTP_LINE = re.compile(rb"([A-Z]+)(?: ([^\r\n\0]*))?\r\n")


def is_unsaid(name, sent):
    """Whether a path that was sent has the name in it; dots alone are in every other name."""
    return name in sent.split(b"/") if name.strip(b".") == b"" else name in sent


class HostileFtp(HostileServer):
    """Knows the commands of FTP that a client needs to get to its lies. `listing` and `content` are lists of pieces,
    or what makes them; `replies` are by command, and come first."""

    kind = "ftp"

    def __init__(self, listing=(), mlsd=False, content=(b"12345",), size=5, replies=None):
        self.listing, self.mlsd, self.content, self.size = listing, mlsd, content, size
        self.replies = replies or {}
        super().__init__()

    def options(self):
        return ["--kind", "ftp", "--host", "127.0.0.1", "--port", str(self.port), "--user", "eve", "--root", "/",
                "--password-stdin"]

    def serve(self, connection):
        state = {"data": None, "rest": 0}
        connection.sendall(self.replies.get("", b"220 Welcome.\r\n"))
        for line in connection.makefile("rb"):
            command, _, argument = line.strip().decode(errors="replace").partition(" ")
            self.commands.append(line)
            answer = self.replies.get(command)
            if answer is None:
                answer = self.answer(connection, command, argument, state)
            self.send(connection, answer)

    def answer(self, connection, command, argument, state):
        is_folder = argument.strip("/") in ("", "tree")
        if command == "USER":
            return b"331 Password?\r\n"
        if command == "FEAT":
            facts = b" MLST type*;size*;modify*;\r\n" if self.mlsd else b""
            return b"211-Features:\r\n UTF8\r\n" + facts + b"211 End\r\n"
        if command == "PWD":
            return b'257 "/" is here\r\n'
        if command == "CWD":
            return b"250 There.\r\n" if is_folder else b"550 No such folder.\r\n"
        if command in ("SIZE", "MDTM", "MLST") and is_folder and command != "MLST":
            return b"550 Not a file.\r\n"
        if command == "SIZE":
            return b"213 %d\r\n" % self.size
        if command == "MDTM":
            return b"213 20200101000000\r\n"
        if command == "MLST":
            facts = b"type=dir;" if is_folder else b"type=file;size=%d;" % self.size
            return b"250-Here:\r\n " + facts + b"modify=20200101000000; x\r\n250 End\r\n"
        if command == "REST":
            state["rest"] = int(argument)
            return b"350 From there.\r\n"
        if command == "EPSV":
            return b"229 Come (|||%d|)\r\n" % self.open_data(state)
        if command in ("LIST", "MLSD", "NLST"):
            return self.send_data(connection, state, self.listing)
        if command == "RETR":
            rest, state["rest"] = state["rest"], 0
            return self.send_data(connection, state, self.content_from(rest))
        known = {"PASS": b"230 In.", "TYPE": b"200 Fine.", "OPTS": b"200 Fine.", "QUIT": b"221 Bye."}
        return known.get(command, b"502 Never heard of it.") + b"\r\n"

    def content_from(self, rest):
        return (b"".join(self.content)[rest:],)

    def open_data(self, state):
        state["data"] = self.keep(self.listen())
        return state["data"].getsockname()[1]

    def send_data(self, connection, state, pieces):
        connection.sendall(b"150 Here it comes.\r\n")
        with state["data"] as listener:
            data = self.keep(listener.accept()[0])
        with data, contextlib.suppress(OSError):
            for piece in pieces() if callable(pieces) else pieces:
                self.send(data, piece)
        return b"226 Done.\r\n"

    def removals(self):
        """The commands that delete, rename or overwrite."""
        return [line for line in self.commands if line.startswith((b"RNFR", b"DELE", b"RMD", b"STOR"))]

    def check_commands(self):
        """Each is a whole line of a verb that a client has, and no listed name made it."""
        for line in self.commands:
            said = FTP_LINE.fullmatch(line)
            assert said and said[1] in FTP_VERBS, line
            for name in self.unsaid:
                assert not is_unsaid(name, said[2] or b""), (name, line)


class AnyLogin(paramiko.ServerInterface):
    def check_auth_password(self, username, password):
        return paramiko.AUTH_SUCCESSFUL

    def get_allowed_auths(self, username):
        return "password"

    def check_channel_request(self, kind, number):
        return paramiko.OPEN_SUCCEEDED


OK, EOF, NO_SUCH_FILE, FAILURE, UNSUPPORTED = 0, 1, 2, 4, 8
FOLDER, FILE, LINK = 0o40755, 0o100644, 0o120777


def text(value):
    value = value if isinstance(value, bytes) else value.encode()
    return struct.pack(">I", len(value)) + value


def attributes(mode=FILE, size=5, modified=1_577_836_800):
    if mode is None:
        return struct.pack(">IQII", 0x1 | 0x8, size, modified, modified)
    return struct.pack(">IQIII", 0x1 | 0x4 | 0x8, size, mode, modified, modified)


def packet(kind, request, body=b""):
    return struct.pack(">IB", 1 + len(request) + len(body), kind) + request + body


def named(*entries):
    """The body of an answer with names; an entry is a name and its attributes. Where others have a line of `ls`, there is
    the bare name."""
    return struct.pack(">I", len(entries)) + b"".join(text(name) + text(name) + how for name, how in entries)


class HostileSftp(HostileServer):
    """`listing` is a list of entries, or makes lists of them; `replies` are packets by the request's type, made from
    its id, and come first. `tells_modes` is false for a server whose attributes have no permissions, nor types."""

    kind = "sftp"

    def __init__(self, listing=(), content=b"12345", size=5, replies=None, links=None, tells_modes=True):
        self.tells_modes = tells_modes
        self.listing, self.content, self.size = listing, content, size
        self.replies, self.links = replies or {}, links or {}  # Links: their targets by their paths.
        self.key = paramiko.ECDSAKey.generate()
        super().__init__()

    def options(self):
        digest = base64.b64encode(hashlib.sha256(self.key.asbytes()).digest()).decode().rstrip("=")
        return ["--kind", "sftp", "--host", "127.0.0.1", "--port", str(self.port), "--user", "eve", "--root", "/",
                "--password-stdin", "--host-key", f"SHA256:{digest}"]

    def serve(self, connection):
        transport = paramiko.Transport(connection)
        transport.add_server_key(self.key)
        handler = type("Handler", (Subsystem,), {"hostile": self})
        transport.set_subsystem_handler("sftp", handler)
        try:
            transport.start_server(server=AnyLogin())
            transport.join()
        except paramiko.SSHException:
            pass
        finally:
            transport.close()

    def removals(self):
        """The requests that delete or rename: remove, rmdir and rename."""
        return [(kind, path) for kind, path in self.commands if kind in (13, 15, 18)]

    def check_commands(self):
        for _, path in self.commands:
            assert not re.search(rb"[\r\n\0]", path), path
            for name in self.unsaid:
                assert not is_unsaid(name, path), (name, path)


# Requests that begin with a path: open, lstat, setstat, opendir, remove, mkdir, rmdir, realpath, stat, rename, readlink
# and symlink.
WITH_PATHS = {3, 7, 9, 11, 13, 14, 15, 16, 17, 18, 19, 20}


class Subsystem(paramiko.SubsystemHandler):
    """SFTP by hand, so that nothing is put right on the way."""

    hostile = None

    def start_subsystem(self, name, transport, channel):
        self.folders = {}
        self.numbers = itertools.count()
        with contextlib.suppress(OSError, EOFError, struct.error):
            while True:
                length, = struct.unpack(">I", self.read(channel, 4))
                asked = self.read(channel, length)
                answer = self.answer(asked[0], asked[1:5], asked[5:])
                self.hostile.send(channel, answer)
        channel.close()

    @staticmethod
    def read(channel, count):
        data = b""
        while len(data) < count:
            more = channel.recv(count - len(data))
            if not more:
                raise EOFError
            data += more
        return data

    def status(self, request, code):
        return packet(101, request, struct.pack(">I", code) + text("") + text(""))

    def answer(self, kind, request, body):
        hostile = self.hostile
        sent = body[4:4 + struct.unpack(">I", body[:4])[0]] if len(body) >= 4 else b""
        path = sent.decode(errors="replace")
        is_folder = path.strip("/") in ("", "tree")
        if kind in WITH_PATHS:
            hostile.commands.append((kind, sent))
        if kind in hostile.replies:
            return hostile.replies[kind](request)
        if kind == 1:
            return packet(2, struct.pack(">I", 3), b"")
        if kind == 16:
            return packet(104, request, named(("/", attributes(FOLDER))))
        if kind == 7 and path in hostile.links:
            return packet(105, request, attributes(LINK if hostile.tells_modes else None))
        if kind == 19 and path not in hostile.links:
            return self.status(request, FAILURE)
        if kind == 19:
            return packet(104, request, named((hostile.links.get(path, ""), attributes())))
        if kind in (7, 17):
            mode = FOLDER if is_folder else FILE
            return packet(105, request, attributes(mode if hostile.tells_modes else None, hostile.size))
        if kind == 8:
            return packet(105, request, attributes(FILE if hostile.tells_modes else None, hostile.size))
        if kind == 11 and not is_folder and not hostile.tells_modes:
            return self.status(request, FAILURE)
        if kind == 11:
            handle = str(next(self.numbers)).encode()
            self.folders[handle] = iter(hostile.listing() if callable(hostile.listing) else [hostile.listing])
            return packet(102, request, text(handle))
        if kind == 12:
            entries = next(self.folders[path.encode()], None)
            return packet(104, request, named(*entries)) if entries else self.status(request, EOF)
        if kind == 3:
            return packet(102, request, text("file"))
        if kind == 5:
            offset, count = struct.unpack(">QI", body[-12:])
            data = hostile.content[offset:offset + count]
            return packet(103, request, text(data)) if data else self.status(request, EOF)
        if kind == 4:
            return self.status(request, OK)
        return self.status(request, UNSUPPORTED)
