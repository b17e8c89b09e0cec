"""The terminal as Textual drives it, except that no input ends the app, and that a signal to end does so
in order: with what was typed kept, workers killed and the terminal as it was."""

from __future__ import annotations

import asyncio
import os
import re
import selectors
import signal
import threading
from codecs import getincrementaldecoder
from typing import TYPE_CHECKING, cast

from textual._parser import ParseError
from textual._xterm_parser import BRACKETED_PASTE_END, BRACKETED_PASTE_START, XTermParser
from textual.drivers.linux_driver import LinuxDriver

if TYPE_CHECKING:
    from trainer.tui.app import WarpDojo

CHUNK_BYTES = 4096
LOOK_S = 0.1
"""How long the thread waits for input before it looks whether it shall end."""
END_S = 2.0
"""A terminal that is gone can make the end wait: then the process just ends."""
ENDING = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)


class PatientDriver(LinuxDriver):
    def start_application_mode(self) -> None:
        loop = asyncio.get_running_loop()
        for one in ENDING:
            if signal.getsignal(one) is not signal.SIG_IGN:  # as nohup leaves it
                loop.add_signal_handler(one, self._end, one)
        super().start_application_mode()  # type: ignore[no-untyped-call]

    def _end(self, told: signal.Signals) -> None:
        code = 128 + told
        last_resort = threading.Timer(END_S, os._exit, (code,))
        last_resort.daemon = True
        last_resort.start()
        cast("WarpDojo", self._app).end(code)

    def run_input_thread(self) -> None:
        """As Textual's, where bytes that are not UTF-8 (a paste in Latin-1) and sequences of a terminal that
        Textual cannot read raise."""
        parser = _Parser(self._debug)
        decode = getincrementaldecoder("utf-8")("replace").decode
        pastes = Pastes()
        with selectors.SelectSelector() as selector:
            selector.register(self.fileno, selectors.EVENT_READ)
            while not self.exit_event.is_set():
                if selector.select(LOOK_S):
                    data = self._read()
                    if not data:
                        os.kill(os.getpid(), signal.SIGHUP)
                        return
                    self._take(parser, pastes.cleaned(decode(data)))
                self._take(parser, "")

    def _read(self) -> bytes:
        """b"" where the terminal is gone."""
        try:
            return os.read(self.fileno, CHUNK_BYTES)
        except OSError:
            return b""

    def _take(self, parser: _Parser, text: str) -> None:
        """Where no text came: look whether an Escape that came last is the key."""
        try:
            for message in parser.feed(text) if text else parser.tick():
                self.process_message(message)
        except (ValueError, OverflowError, ParseError):
            parser.begin_again()


class _Parser(XTermParser):
    def begin_again(self) -> None:
        """After a sequence that made it raise; what it knows of the terminal stays."""
        self._gen = self.parse(self._tokens.append)
        self._awaiting = next(self._gen)
        self._timeout_time = None


class Pastes:
    """Control characters in pasted text, replaced: at an Escape Textual takes the rest of a line for keys."""

    _CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")

    def __init__(self) -> None:
        self._inside = False
        self._begun = ""  # the beginning of a mark, at the end of what was read last

    def cleaned(self, text: str) -> str:
        """What was read next, as the parser shall see it. Of a paste the beginning of what may be its end
        waits for the rest; outside nothing waits: it may be the Escape key."""
        done = ""
        while True:
            mark = BRACKETED_PASTE_END if self._inside else BRACKETED_PASTE_START
            held, self._begun = self._begun, ""
            part, found, rest = (held + text).partition(mark)
            if not found:
                self._begun = _beginning(mark, part)
            if self._inside:
                part = self._CONTROL.sub("\N{REPLACEMENT CHARACTER}", part.removesuffix(self._begun)) + found
            else:
                part = (part + found)[len(held) :]
            done += part
            if not found:
                return done
            self._inside, text = not self._inside, rest


def _beginning(mark: str, text: str) -> str:
    """The longest beginning of `mark` that `text` ends with."""
    return next((mark[:n] for n in range(len(mark) - 1, 0, -1) if text.endswith(mark[:n])), "")
