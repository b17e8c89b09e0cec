"""The keys of a screen in one line at its foot; a click presses one.

Textual's own footer makes a widget of each key, and all of them anew whenever the focus moves: a quarter
of the time that a screen takes.
"""

from __future__ import annotations

from dataclasses import dataclass

from textual import events
from textual.binding import Binding
from textual.content import Content
from textual.dom import DOMNode
from textual.keys import format_key
from textual.screen import Screen
from textual.widget import Widget

from trainer.tui.text import assemble, plain

MARGIN, GAP = 1, 2
HELP = "help"


@dataclass(frozen=True)
class KeyPlace:
    """A key in the line, from column `start` up to `end`."""

    key: str
    shown: str
    description: str
    start: int
    end: int

    @property
    def content(self) -> Content:
        return assemble((self.shown, "bold $footer-key-foreground"), f" {self.description}")


class KeyBar(Widget):
    def __init__(self) -> None:
        super().__init__()
        self.places: list[KeyPlace] = []
        self._width = 0

    def on_mount(self) -> None:
        self.screen.bindings_updated_signal.subscribe(self, self._changed)

    def on_resize(self, event: events.Resize) -> None:
        self._width = event.size.width
        self._changed(self.screen)

    def _changed(self, screen: Screen[object]) -> None:
        if not self._width or not self.is_attached or screen is not self.screen:
            return
        bindings = [binding for binding in usable(screen) if binding.show]
        keys = [(b.key, self.app.get_key_display(b), b.description, b.id == HELP) for b in _shown(bindings)]
        places = lay_out(keys, self._width)
        if places != self.places:
            self.places = places
            self.refresh()

    def render(self) -> Content:
        parts: list[Content] = []
        at = 0
        for place in self.places:
            parts += [plain(" " * (place.start - at)), place.content]
            at = place.end
        return Content("").join(parts)

    def on_click(self, event: events.Click) -> None:
        for place in self.places:
            if place.start <= event.x < place.end:
                self.app.simulate_key(place.key)


def usable(screen: Screen[object]) -> list[Binding]:
    """Bindings with words that a key press reaches now.

    What Textual calls active takes keys into account that a widget would hand on: arrows of a list too short
    to scroll, and a slash in a field, which types it.
    """
    field = screen.focused
    found: dict[str, tuple[Binding, bool]] = {}
    for node, bindings in screen._modal_binding_chain:
        for key, binding in bindings:
            state = screen.app._check_action_state(binding.action, node)
            if state is False or _hands_on(node, binding) or (node is not field and _types(field, binding)):
                continue
            if key not in found or (binding.priority and not found[key][0].priority):
                found[key] = binding, bool(state)
    return [binding for binding, enabled in found.values() if enabled and binding.description]


def _hands_on(node: DOMNode, binding: Binding) -> bool:
    """Whether the binding scrolls a widget that cannot, which leaves the key to others."""
    name = f"action_{binding.action}"
    if not isinstance(node, Widget) or getattr(type(node), name, None) is not getattr(Widget, name, node):
        return False
    if binding.action.endswith(("_left", "_right")):
        return not node.allow_horizontal_scroll
    return binding.action.startswith(("scroll_", "page_")) and not node.allow_vertical_scroll


def _types(field: Widget | None, binding: Binding) -> bool:
    """Whether the field with the focus takes the key for itself."""
    if field is None or binding.priority:
        return False
    shown = format_key(binding.key)  # Textual does not know the character of "slash"
    return field.check_consume_key(binding.key, shown if len(shown) == 1 else None)


def _shown(bindings: list[Binding]) -> list[Binding]:
    """The first key of each action that has a place in the line."""
    found: dict[str, Binding] = {}
    for binding in bindings:
        found.setdefault(binding.action, binding)
    return list(found.values())


def lay_out(keys: list[tuple[str, str, str, bool]], width: int) -> list[KeyPlace]:
    """(key, how it is shown, what it does, whether it has to be there) as far as `width` goes: what does
    not fit is left out from the end, but never help."""
    kept = list(keys)
    while len(kept) > 1 and _width(kept) > width:
        kept.remove(next(one for one in reversed(kept) if not one[3]))
    places, at = [], MARGIN
    for key, shown, description, _ in kept:
        end = at + len(shown) + 1 + len(description)
        places.append(KeyPlace(key, shown, description, at, end))
        at = end + GAP
    return places


def _width(keys: list[tuple[str, str, str, bool]]) -> int:
    return MARGIN + sum(len(shown) + 1 + len(text) + GAP for _, shown, text, _ in keys) - GAP
