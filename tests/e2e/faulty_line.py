"""A line to a real server that can be made to break: a TCP proxy on loopback, which knows FTP's data connections.

Counting and matching begin anew with each fault that is set. A fault that has happened `times` times is over."""

import contextlib
import os
import re
import select
import socket
import struct
import threading
import time

CONTROL, DATA = "control", "data"
UP, DOWN = "up", "down"  # To the server; from it.
PASSIVE = re.compile(rb"^227 .*?(\d+,\d+,\d+,\d+),(\d+),(\d+)")
EXTENDED = re.compile(rb"^229 .*?\|\|\|(\d+)\|")
LAST_OF_REPLY = re.compile(rb"^\d\d\d ")
PIECE_BYTES = 64 * 1024


def wrong(data):
    """Every bit pattern but the ends of lines is another."""
    return bytes(byte if byte in b"\r\n" else byte ^ 0x55 for byte in data)


class Fault:
    """What happens, and after how many bytes of one direction or at which line of FTP's control connection."""

    def __init__(self, what, channel, direction, after, line, passes, times, dies):
        self.what, self.channel, self.direction = what, channel, direction
        self.after, self.line, self.passes = after, line, passes
        self.left, self.times, self.dies = after, times, dies
        self.happened = 0

    def concerns(self, wire, direction):
        if self.what == "garble" and direction in wire.garbled:
            return False
        return self.channel in (None, wire.channel) and self.direction == direction and self.happened < self.times

    def reached(self, data, is_line):
        """How many of these bytes still pass before it happens; None while it does not."""
        if self.line is not None:
            if not is_line or not data.startswith(self.line):
                return None
            return len(data) if self.passes else 0
        if self.left < len(data):
            return self.left
        self.left -= len(data)
        return None


class Wire:
    """One connection through the line: a socket to the client and one to the server."""

    def __init__(self, channel, client, server):
        self.channel, self.client, self.server = channel, client, server
        self.garbled, self.muted, self.ended = set(), set(), set()
        self.losing = None  # The fault that loses the next reply.
        self._is_cut = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)

    def ends(self, direction):
        return (self.client, self.server) if direction == UP else (self.server, self.client)

    def cut(self):
        """Each thread that moves bytes stops; the last of them closes."""
        if self.ended != {UP, DOWN}:
            os.eventfd_write(self._is_cut, 1)

    def close(self):
        self.client.close()
        self.server.close()
        os.close(self._is_cut)

    def reset(self):
        for end in (self.client, self.server):
            end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))

    def _wait(self, end, event):
        waiting = select.poll()
        waiting.register(end, event)
        waiting.register(self._is_cut, select.POLLIN)
        if any(ready == self._is_cut for ready, _ in waiting.poll()):
            raise ConnectionResetError

    def receive(self, source, limit):
        self._wait(source, select.POLLIN)
        return source.recv(limit)

    def send(self, sink, data):
        while data:
            self._wait(sink, select.POLLOUT)
            with contextlib.suppress(BlockingIOError):
                data = data[sink.send(data, socket.MSG_DONTWAIT):]


class FaultyLine:
    """Listens on `port` and passes all on to a server on `target` of loopback, but for the faults."""

    def __init__(self, target, is_ftp=False, address="127.0.0.1"):
        self.target, self.is_ftp, self.address = target, is_ftp, address
        self.accepted = 0  # Control connections that the client has made.
        self.passed = {(channel, direction): 0 for channel in (CONTROL, DATA) for direction in (UP, DOWN)}
        self.seen = []  # The control connection's lines, for FTP.
        self.held = threading.Event()
        self._lock = threading.RLock()
        self._faults = []
        self._mode = "serve"
        self._pause_s, self._piece_bytes = 0, PIECE_BYTES
        self._open = threading.Event()
        self._open.set()
        self._wires, self._threads, self._listeners = [], [], []
        # Keeps the port while no server listens on it.
        self._holder = self._bound(0)
        self.port = self._holder.getsockname()[1]
        self._listen()

    # What a test says

    def fault(self, what, *, after=None, line=None, direction=UP, channel=None, passes=False, times=1, dies=False):
        """`what` is "cut", "lose reply" (passes on, but not what is answered next), "truncate" (the rest is lost, with a
        proper end), "garble" or "hold". It happens `after` so many bytes in `direction`, or when a control `line`
        that begins so comes by. `passes`: that line still does. `dies`: afterwards no server is there any more."""
        with self._lock:
            fault = Fault(what, channel, direction, after, line, passes or what == "lose reply", times, dies)
            self._faults.append(fault)
            return fault

    def refuse(self):
        """Nothing listens any more, and what was connected is cut when this returns."""
        self._refuse()
        self._wait_for_all()

    def drop(self, garbage=b""):
        """Connections are accepted, sent `garbage`, and cut at once."""
        with self._lock:
            self._mode, self._garbage = "drop", garbage
            self._cut_all()

    def swallow(self):
        """Connections are accepted, and then nothing happens."""
        with self._lock:
            self._mode = "swallow"
            self._cut_all()

    def slow(self, piece_bytes, pause_s):
        self._piece_bytes, self._pause_s = piece_bytes, pause_s

    def release(self):
        """What was held goes on."""
        self.held.clear()
        self._open.set()

    def mend(self):
        """As new."""
        with self._lock:
            self._faults = []
            for wire in self._wires:
                wire.garbled.clear()
            self._pause_s, self._piece_bytes = 0, PIECE_BYTES
            self.release()
            if self._mode == "refuse":
                self._listen()
            self._mode = "serve"

    def stop(self):
        with self._lock:
            self._mode = "stopped"
            self._open.set()
            self._stop_listening()
            self._cut_all()
            self._holder.close()
        self._wait_for_all()

    # The connections

    def _refuse(self):
        with self._lock:
            self._mode = "refuse"
            self._stop_listening()
            self._cut_all()
            self.release()

    def _wait_for_all(self):
        with self._lock:
            threads = list(self._threads)
        for thread in threads:
            thread.join()

    def _bound(self, port):
        one = socket.socket()
        one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        one.bind((self.address, port))
        return one

    def _listen(self):
        listener = self._bound(self.port)
        listener.listen(64)
        self._listeners.append(listener)
        self._spawn(self._accept, listener)

    def _stop_listening(self):
        for listener in self._listeners:
            with contextlib.suppress(OSError):
                listener.shutdown(socket.SHUT_RDWR)  # Wakes who accepts on it.
            listener.close()
        self._listeners = []

    def _spawn(self, work, *arguments):
        thread = threading.Thread(target=work, args=arguments, daemon=True)
        with self._lock:
            self._threads = [one for one in self._threads if one.is_alive() or one.ident is None]
            self._threads.append(thread)
            thread.start()

    def _cut_all(self):
        for wire in self._wires:
            wire.cut()

    def _accept(self, listener):
        with contextlib.suppress(OSError):
            while True:
                self._connect(listener.accept()[0], self.target, CONTROL)

    def _connect(self, client, port, channel):
        with self._lock:
            if channel == CONTROL:
                self.accepted += 1
            mode = self._mode
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if mode == "drop" and self._garbage:
            with contextlib.suppress(OSError):
                client.sendall(self._garbage)
        if mode not in ("serve", "swallow"):
            client.close()
            return
        server = socket.socket()
        if mode == "serve" and server.connect_ex(("127.0.0.1", port)) != 0:
            client.close()
            server.close()
            return
        if mode == "serve":
            server.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        wire = Wire(channel, client, server)
        if mode == "swallow":
            wire.muted.add(UP)
            wire.ended.add(DOWN)
        with self._lock:
            self._wires.append(wire)
            if self._mode != mode:  # Changed meanwhile.
                wire.cut()
            for direction in (UP, DOWN) if mode == "serve" else (UP,):
                self._spawn(self._pump, wire, direction)

    def _pump(self, wire, direction):
        source, sink = wire.ends(direction)
        lines = self.is_ftp and wire.channel == CONTROL
        rest = b""
        try:
            while data := wire.receive(source, self._piece_bytes):
                if not lines:
                    self._pass(wire, direction, data, False)
                    continue
                *whole, rest = (rest + data).split(b"\n")
                for line in whole:
                    self._pass(wire, direction, self._redirected(line + b"\n", direction), True)
            with contextlib.suppress(OSError):
                sink.shutdown(socket.SHUT_WR)
        except OSError:
            wire.reset()
            with self._lock:
                wire.cut()
        self._end(wire, direction)

    def _end(self, wire, direction):
        with self._lock:
            wire.ended.add(direction)
            if wire.ended != {UP, DOWN}:
                return
            wire.close()
            self._wires.remove(wire)

    def _redirected(self, line, direction):
        """The server's data port becomes one of this line."""
        if direction == UP:
            return line
        if found := PASSIVE.match(line):
            port = self._open_data(int(found[2]) * 256 + int(found[3]))
            return b"227 Entering Passive Mode (127,0,0,1,%d,%d).\r\n" % (port // 256, port % 256)
        if found := EXTENDED.match(line):
            return b"229 Entering Extended Passive Mode (|||%d|).\r\n" % self._open_data(int(found[1]))
        return line

    def _open_data(self, server_port):
        listener = self._bound(0)
        listener.listen(1)
        with self._lock:
            self._listeners.append(listener)
        self._spawn(self._accept_data, listener, server_port)
        return listener.getsockname()[1]

    def _accept_data(self, listener, server_port):
        with contextlib.suppress(OSError):
            self._connect(listener.accept()[0], server_port, DATA)
        with self._lock:
            if listener in self._listeners:
                self._listeners.remove(listener)
        listener.close()

    # The faults

    def _pass(self, wire, direction, data, is_line):
        if is_line:
            self.seen.append((direction, data))
        while data:
            self._open.wait()
            with self._lock:
                fault, count = self._next_fault(wire, direction, data, is_line)
                if fault and fault.what == "lose reply":
                    wire.losing = fault
            self._send(wire, direction, data[:count], is_line)
            data = data[count:]
            if fault is None:
                return
            self._do(fault, wire, direction)

    def _next_fault(self, wire, direction, data, is_line):
        for fault in self._faults:
            if not fault.concerns(wire, direction):
                continue
            count = fault.reached(data, is_line)
            if count is None:
                continue
            fault.happened += 1
            fault.left = fault.after
            return fault, count
        return None, len(data)

    def _send(self, wire, direction, data, is_line):
        if direction in wire.muted:
            return
        if direction in wire.garbled:
            data = wrong(data)
        if wire.losing and direction == DOWN and (not is_line or LAST_OF_REPLY.match(data)):
            self._cut(wire.losing)
        with self._lock:
            self.passed[wire.channel, direction] += len(data)
        sink = wire.ends(direction)[1]
        for at in range(0, len(data), self._piece_bytes):
            if self._pause_s:
                time.sleep(self._pause_s)  # This is what a slow line does.
            wire.send(sink, data[at:at + self._piece_bytes])

    def _do(self, fault, wire, direction):
        if fault.what == "hold":
            self._open.clear()
            self.held.set()
            self._open.wait()
        elif fault.what == "garble":
            wire.garbled.add(direction)
        elif fault.what == "truncate":
            wire.muted.add(direction)
            wire.ends(direction)[1].shutdown(socket.SHUT_WR)
        elif fault.what == "cut":
            self._cut(fault)

    def _cut(self, fault):
        if fault.dies:
            self._refuse()
        raise ConnectionResetError  # The thread that moves bytes cuts the connection then.


@contextlib.contextmanager
def line_to(remote):
    """A line to one of remote_servers.py, and the arguments of `coffer connector add` to use it."""
    line = FaultyLine(remote.port, remote.kind == "ftp")
    options = [re.sub(rf"(^|127\.0\.0\.1:){remote.port}$", rf"\g<1>{line.port}", option) for option in remote.options()]
    try:
        yield line, options
    finally:
        line.stop()
