"""What all screens have: the services, a line on top, keys below, and a way back."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, ClassVar, TypeVar, cast

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import Screen

from trainer.bank.model import Entry
from trainer.tui.services import Services
from trainer.tui.widgets.key_bar import KeyBar
from trainer.tui.widgets.top_bar import TopBar

if TYPE_CHECKING:
    from trainer.tui.app import WarpDojo


T = TypeVar("T")


class DojoScreen(Screen[None]):
    """Subclasses fill `compose_body`; `crumbs` says where we are."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "back", "Back", id="back", tooltip="To the screen before"),
    ]

    is_shut = False
    """Whether the command palette leads nowhere from here: during an interview."""

    @property
    def dojo(self) -> WarpDojo:
        return cast("WarpDojo", self.app)

    @property
    def services(self) -> Services:
        return self.dojo.services

    @property
    def crumbs(self) -> tuple[str, ...]:
        """Where this screen is, from the home screen on."""
        return ()

    def compose(self) -> ComposeResult:
        yield TopBar(self.crumbs)
        with Vertical(id="body"):
            yield from self.compose_body()
        yield KeyBar()

    def compose_body(self) -> ComposeResult:
        raise NotImplementedError

    def leave(self) -> None:
        """The app is about to end: put away what would be lost."""

    @property
    def loss(self) -> str:
        """What of this screen cannot be put away, in words; "" where nothing is lost."""
        from trainer.tui.widgets.code_pane import CodePane

        return next(filter(None, (pane.loss for pane in self.query(CodePane))), "")

    def action_back(self) -> None:
        self.app.pop_screen()

    def in_background(self, work: Callable[[], T], then: Callable[[T], None]) -> None:
        """Call `work` in a thread and hand what it gives to `then`, if this screen is still there."""

        def finish(result: T) -> None:
            if self.is_mounted:
                then(result)

        def run() -> None:
            result = work()
            self.app.call_later(finish, result)

        threading.Thread(target=run, name=getattr(work, "__name__", "background"), daemon=True).start()

    def practise_next(self, entries: Sequence[Entry], leave: Callable[[], None] = lambda: None) -> None:
        """Open the one of `entries` to take next, after `leave`."""

        def go(best: Entry | None) -> None:
            if best is None:
                self.tell("there is nothing here to practise")
                return
            leave()
            self.dojo.open_question(best.id)

        self.in_background(lambda: self.services.next_best(entries), go)

    def others_of(self, topic: str, here: str) -> list[Entry]:
        """The questions of a topic beside the one that is open."""
        return [entry for entry in self.services.entries if entry.topic == topic and entry.id != here]

    def tell(self, text: str, *, severity: str = "information") -> None:
        self.dojo.tell(text, severity=severity)
