"""What can be chosen; every change is written to the settings file at once."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.widgets import Input, Select, Static

from trainer.sim.devices import MODELS, find
from trainer.store.config import BACKENDS, LANGUAGES, setting_problem
from trainer.store.paths import config_file, unwritable
from trainer.store.workspace import workspace
from trainer.tui.screens.base import DojoScreen
from trainer.tui.text import assemble, lines, plain

_WORDS = {
    "theme": ("Theme", "how it looks"),
    "editor": ("Editor", "else $VISUAL, then $EDITOR"),
    "backend": ("Grade on", "auto: a GPU if there is one"),
    "device": ("Modelled GPU", "what the simulator models"),
    "workspace": ("Your files", "a folder, else ~/warpdojo"),
    "language": ("Language", "of questions, not of this app"),
}
_NAMES = {"": "as the system says", "en": "English", "zh": "中文"}


class Choice(Select[str]):
    """Textual's, with a key that has a name."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "enter,down,space,up", "show_overlay", "Change", id="settings.change", tooltip="Open the choices"
        ),
    ]


class SettingsScreen(DojoScreen):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "back", "Back", id="settings.back", tooltip="To the screen before"),
        Binding("tab", "app.focus_next", "Next", id="settings.next", tooltip="To the next setting"),
        Binding(
            "shift+tab", "app.focus_previous", "Before", id="settings.before", tooltip="To the one before"
        ),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._shown: dict[str, str] = {}
        """What each field stands at."""

    @property
    def crumbs(self) -> tuple[str, ...]:
        return ("settings",)

    def compose_body(self) -> ComposeResult:
        with VerticalScroll(id="settings", can_focus=False):
            yield Static(id="mistakes")
            for name, (title, _) in _WORDS.items():
                with Horizontal(classes="setting"):
                    yield Static(plain(title), classes="setting-name")
                    yield self._field(name)
                    yield Static(self._remark(name), id=f"remark-{name}", classes="setting-remark")
            yield Static(
                plain(f"All of this, and other keys, in {config_file()}", "$foreground-muted"),
                id="settings-file",
            )

    def on_mount(self) -> None:
        self._show_mistakes()
        if self.services.mistakes:
            self.app.clear_notifications()  # which say the same, and lie on it
        self.query_one("#theme").focus()

    def _show_mistakes(self) -> None:
        """What is wrong in the file, and left out."""
        shown = self.query_one("#mistakes", Static)
        found = [mistake.short for mistake in self.services.mistakes]
        shown.display = bool(found)
        head = assemble(("▲ wrong in the settings file, left out:", "bold $text-warning"))
        shown.update(lines(head, *found))

    def _field(self, name: str) -> Input | Select[str]:
        value = getattr(self.services.config, name)
        choices = {
            "theme": [(theme, theme) for theme in sorted(self.app.available_themes)],
            "backend": [(choice, choice) for choice in BACKENDS],
            "device": [(model, model) for model in MODELS],
            "language": [(_NAMES[choice], choice) for choice in LANGUAGES],
        }
        if name not in choices:
            self._shown[name] = value
            return Input(value, id=name, compact=True)
        known = [choice for _, choice in choices[name]]
        if name == "device":
            value = find(value).name
        shown = value if value in known else self.app.theme
        self._shown[name] = shown
        return Choice(choices[name], value=shown, id=name, allow_blank=False, compact=True)

    def _remark(self, name: str) -> Content:
        return plain(_WORDS[name][1], "$foreground-muted")

    @on(Select.Changed)
    def _chosen(self, event: Select.Changed) -> None:
        self._set(str(event.select.id), str(event.value))

    @on(Input.Submitted)
    @on(Input.Blurred)
    def _typed(self, event: Input.Submitted | Input.Blurred) -> None:
        self._set(str(event.input.id), event.value.strip())

    def _set(self, name: str, value: str) -> None:
        if value == self._shown[name]:
            return  # opening the screen changes nothing
        problem = self._problem(name, value)
        remark = plain(f"not kept: {problem}", "$text-error") if problem else self._remark(name)
        self.query_one(f"#remark-{name}", Static).update(remark)
        if problem:
            return
        self._shown[name] = value
        if name == "theme":
            self.app.theme = value  # which is kept
        else:
            self.dojo.set_config(name, value)
        self._show_mistakes()

    def _problem(self, name: str, value: str) -> str:
        """Why a value cannot be kept; "" where it can."""
        wrong = setting_problem(name, value)
        if wrong is not None:
            return wrong[0]
        return unwritable(workspace(value)) if name == "workspace" and value else ""
