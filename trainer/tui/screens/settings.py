"""What can be chosen; every change is written to the settings file at once."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.widgets import Input, Select, Static

from trainer.sim.devices import MODELS
from trainer.store.config import BACKENDS, LANGUAGES
from trainer.store.paths import config_file
from trainer.tui.screens.base import DojoScreen
from trainer.tui.text import plain

_WORDS = {
    "theme": ("Theme", "how it looks"),
    "editor": ("Editor", "else $VISUAL, then $EDITOR"),
    "backend": ("Grade on", "auto: a GPU if there is one"),
    "device": ("Modelled GPU", "what the simulator models"),
    "workspace": ("Your files", "a folder, else ~/warpdojo"),
    "language": ("Language", "of questions, not of this app"),
}
_NAMES = {"": "as the system says", "en": "English", "zh": "中文"}


class SettingsScreen(DojoScreen):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "back", "Back", id="settings.back", tooltip="To the screen before"),
    ]

    @property
    def crumbs(self) -> tuple[str, ...]:
        return ("settings",)

    def compose_body(self) -> ComposeResult:
        with VerticalScroll(id="settings"):
            for name, (title, remark) in _WORDS.items():
                with Horizontal(classes="setting"):
                    yield Static(plain(title), classes="setting-name")
                    yield self._field(name)
                    yield Static(plain(remark, "$foreground-muted"), classes="setting-remark")
            yield Static(
                plain(f"All of this, and other keys, in {config_file()}", "$foreground-muted"),
                id="settings-file",
            )

    def _field(self, name: str) -> Input | Select[str]:
        value = getattr(self.services.config, name)
        choices = {
            "theme": [(theme, theme) for theme in sorted(self.app.available_themes)],
            "backend": [(choice, choice) for choice in BACKENDS],
            "device": [(model, model) for model in MODELS],
            "language": [(_NAMES[choice], choice) for choice in LANGUAGES],
        }
        if name not in choices:
            return Input(value, id=name, compact=True)
        known = [choice for _, choice in choices[name]]
        shown = value if value in known else self.app.theme if name == "theme" else known[0]
        return Select(choices[name], value=shown, id=name, allow_blank=False, compact=True)

    @on(Select.Changed)
    def _chosen(self, event: Select.Changed) -> None:
        self._set(str(event.select.id), str(event.value))

    @on(Input.Submitted)
    @on(Input.Blurred)
    def _typed(self, event: Input.Submitted | Input.Blurred) -> None:
        self._set(str(event.input.id), event.value.strip())

    def _set(self, name: str, value: str) -> None:
        if name == "theme":
            self.app.theme = value  # which is kept
        else:
            self.dojo.set_config(name, value)
