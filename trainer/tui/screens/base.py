"""What all screens have: the services, a line on top, keys below, and a way back."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, cast

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import Screen
from textual.widgets import Footer

from trainer.tui.services import Services
from trainer.tui.widgets.top_bar import TopBar

if TYPE_CHECKING:
    from trainer.tui.app import WarpDojo


class DojoScreen(Screen[None]):
    """Subclasses fill `compose_body`; `crumbs` says where we are."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "back", "Back", id="back", tooltip="To the screen before"),
    ]

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
        yield Footer(show_command_palette=False)

    def compose_body(self) -> ComposeResult:
        raise NotImplementedError

    def leave(self) -> None:
        """The app is about to end: put away what would be lost."""

    def action_back(self) -> None:
        self.app.pop_screen()

    def tell(self, text: str, *, severity: str = "information") -> None:
        self.dojo.tell(text, severity=severity)
