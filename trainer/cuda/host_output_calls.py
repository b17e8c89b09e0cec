"""Printing, randomness, clocks and the ways a host function ends early."""

from __future__ import annotations

import random
import time
from dataclasses import dataclass, field

from trainer.cuda.host_state import Arguments, Handler, HostState
from trainer.cuda.printf import format_printf
from trainer.cuda.status import error_name, error_string
from trainer.errors import DeviceFault

MAX_PRINTED = 64 * 1024


class Exited(Exception):
    """The host function called exit()."""

    def __init__(self, code: int, line: int) -> None:
        super().__init__(code)
        self.code = code
        self.line = line


@dataclass
class OutputCalls:
    state: HostState
    pieces: list[str] = field(default_factory=list)
    printed: int = 0
    random: random.Random = field(default_factory=lambda: random.Random(1))
    texts: dict[str, int] = field(default_factory=dict)  # strings given to the program: their address

    def handlers(self) -> dict[str, Handler]:
        return {
            "vprintf": self.vprintf,
            "wd_write": lambda a: self.emit(self._bytes(a.word(0), a.word(1))),
            "wd_write_signed": lambda a: self.emit(str(a.signed(0))),
            "wd_write_unsigned": lambda a: self.emit(str(a.word(0))),
            "wd_write_float": self.write_float,
            "wd_write_pointer": lambda a: self.emit(hex(a.word(0))),
            "wd_error_name": lambda a: self._text(error_name(a.signed(0))),
            "wd_error_string": lambda a: self._text(error_string(a.signed(0))),
            "wd_rand": lambda a: self.random.getrandbits(31),
            "wd_srand": lambda a: self.random.seed(a.word(0)),
            "wd_nanoseconds": lambda a: time.perf_counter_ns(),
            "wd_exit": self.exit,
            "wd_throw": self.throw,
            "__assertfail": self.assert_failed,
        }

    def begin(self) -> None:
        """Another call of the host function."""
        self.pieces, self.printed = [], 0

    def emit(self, text: str) -> None:
        """What goes past the limit is dropped, with a note."""
        room = MAX_PRINTED - self.printed
        if room <= 0:
            return
        self.pieces.append(text[:room] if len(text) <= room else text[:room] + "\n[more output dropped]\n")
        self.printed += len(text)

    @property
    def text(self) -> str:
        return "".join(self.pieces)

    def vprintf(self, a: Arguments) -> int:
        arguments = a.word(1)

        def read(offset: int, nbytes: int) -> bytes:
            return self.state.memory.read(arguments + offset, nbytes)

        text = format_printf(self.state.read_string(a.word(0)), read, self.state.read_string)
        self.emit(text)
        return len(text)

    def write_float(self, a: Arguments) -> None:
        """As std::ostream prints: precision, then 0 shortest, 1 fixed, 2 scientific."""
        kind = "gfe"[a.signed(2)]
        self.emit(f"{a.real(0):.{a.signed(1)}{kind}}")

    def _bytes(self, address: int, nbytes: int) -> str:
        return self.state.memory.read(address, min(nbytes, MAX_PRINTED)).decode(errors="replace")

    def _text(self, text: str) -> int:
        if text not in self.texts:
            data = text.encode() + b"\0"
            self.texts[text] = self.state.memory.allocate(len(data))
            self.state.memory.write(self.texts[text], data)
        return self.texts[text]

    def exit(self, a: Arguments) -> None:
        raise Exited(a.signed(0), a.line)

    def throw(self, a: Arguments) -> None:
        raise self.state.fault("The host function threw an exception", a.line)

    def assert_failed(self, a: Arguments) -> None:
        raise self._assertion(self.state.read_string(a.word(0)), a.word(2))

    def _assertion(self, expression: str, line: int) -> DeviceFault:
        return self.state.fault(f"assert({expression}) failed in the host function", line)
