"""Messages with descriptors over a Unix socket pair: eight bytes of length, four of how many descriptors.

A socket pair and not two pipes, because only a socket can hand over the shared memory that large
arrays travel in.
"""

from __future__ import annotations

import array
import os
import socket
import struct

from trainer.worker.limits import MAX_MESSAGE_BYTES, MAX_SHARED_ARRAYS

_HEADER = struct.Struct("<QI")


class ChannelClosed(Exception):
    """The other side is gone."""


class ChannelBroken(Exception):
    """The other side sent what cannot be a message."""


class Channel:
    """One end. Blocking; `fileno` is for select."""

    def __init__(self, sock: socket.socket) -> None:
        self._socket = sock

    def fileno(self) -> int:
        return self._socket.fileno()

    def close(self) -> None:
        self._socket.close()

    def send(self, message: bytes, descriptors: list[int], timeout_s: float | None = None) -> None:
        """Sends all of it and closes the descriptors, sent or not. Raises TimeoutError, ChannelClosed."""
        try:
            self._socket.settimeout(timeout_s)
            header = _HEADER.pack(len(message), len(descriptors))
            socket.send_fds(self._socket, [header], descriptors)
            self._socket.sendall(message)
        except TimeoutError:
            raise
        except OSError as error:
            raise ChannelClosed(str(error)) from error
        finally:
            for fd in descriptors:
                os.close(fd)

    def receive(self) -> tuple[bytes, list[int]]:
        """The next message and its descriptors. Raises ChannelClosed, ChannelBroken."""
        try:
            self._socket.settimeout(None)
            return self._receive()
        except OSError as error:
            raise ChannelClosed(str(error)) from error

    def _receive(self) -> tuple[bytes, list[int]]:
        header, descriptors = self._receive_header()
        length, count = _HEADER.unpack(header)
        if length > MAX_MESSAGE_BYTES or count != len(descriptors):
            for fd in descriptors:
                os.close(fd)
            raise ChannelBroken(f"a message of {length} bytes with {len(descriptors)} of {count} descriptors")
        try:
            return self._receive_exactly(length), descriptors
        except BaseException:
            for fd in descriptors:
                os.close(fd)
            raise

    def _receive_header(self) -> tuple[bytes, list[int]]:
        space = socket.CMSG_SPACE(MAX_SHARED_ARRAYS * array.array("i").itemsize)
        header, ancillary, _flags, _address = self._socket.recvmsg(_HEADER.size, space)
        if not header:
            raise ChannelClosed("end of file")
        descriptors = array.array("i")
        for level, kind, data in ancillary:
            if level == socket.SOL_SOCKET and kind == socket.SCM_RIGHTS:
                descriptors.frombytes(data[: len(data) - len(data) % descriptors.itemsize])
        for fd in descriptors:
            os.set_inheritable(fd, False)
        return header + self._receive_exactly(_HEADER.size - len(header)), list(descriptors)

    def _receive_exactly(self, count: int) -> bytes:
        data = bytearray(count)
        view = memoryview(data)
        got = 0
        while got < count:
            step = self._socket.recv_into(view[got:])
            if step == 0:
                raise ChannelClosed("end of file inside a message")
            got += step
        return bytes(data)
