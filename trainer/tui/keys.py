"""Keys that the user bound to actions: which of them can be."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import combinations

from textual.app import App
from textual.binding import Binding, InvalidBinding
from textual.dom import DOMNode
from textual.keys import Keys, format_key
from textual.screen import Screen

from trainer.store.config import Mistake, Reading

NEEDED = ("enter", "escape", "tab", "shift+tab", "up", "down", "ctrl+c", "ctrl+p")
"""Keys that move about everywhere: only what has them from the start may keep them."""
TYPED_IN = ("editor.", "notes.", "search.", "settings.", "words.")
"""Actions of places where one types, by the beginning of their names: no letters for these."""
_MODIFIERS = ("ctrl", "alt", "shift", "super", "meta", "hyper")
_NAMES = {key.value for key in Keys if not key.value.startswith("<")}


@dataclass(frozen=True)
class Actions:
    """What there is to bind."""

    keys: Mapping[str, tuple[str, ...]]
    """Keys that each action has from the start."""
    together: frozenset[frozenset[str]]
    """Pairs of actions that may be open to the same key press."""


Problem = tuple[str, str, str]
"""The name of an entry of [keys], why it cannot be, and what could."""


def checked(reading: Reading) -> tuple[dict[str, str], list[Mistake]]:
    """What can be bound, and what is wrong with the rest. Loads all screens: 0.3 s when called first."""
    if not reading.config.keys:
        return {}, []
    good, problems = judge(reading.config.keys, actions())
    return good, [reading.mistake(*problem) for problem in problems]


def judge(bound: Mapping[str, str], known: Actions) -> tuple[dict[str, str], list[Problem]]:
    good: dict[str, str] = {}
    problems: list[Problem] = []
    for name, value in bound.items():
        problem = _alone(name, value, known)
        if problem is None:
            good[name] = value
        else:
            problems.append(problem)
    while clash := next(_clashes(good, known), None):
        problems.append(clash)
        del good[clash[0]]
    return good, problems


def _alone(name: str, value: str, known: Actions) -> Problem | None:
    """What is wrong with an entry whatever the others are."""
    if name not in known.keys:
        near = get_close_matches(name, known.keys, 1, 0.5)
        meant = f"did you mean {near[0]}? " if near else ""
        return name, f"there is no action {name!r}", f"{meant}the help of a screen (?) names its own"
    try:
        keys = split(value)
    except InvalidBinding:
        return name, f"{name} has no key", 'e.g. "f9", or "f9,ctrl+g" for two'
    for key in keys:
        if not is_key(key):
            likely = key.strip().lower().replace("-", "+")
            hint = f'did you mean "{likely}"?' if is_key(likely) else "keys are e.g. g, G, f9, ctrl+g, space"
            return name, f'{name} is "{value}", which is no key', hint
        if key in known.keys[name]:
            continue
        if key in NEEDED:
            return name, f"{name} is {key}, which is needed elsewhere", "take f9 or ctrl+g, say"
        if name.startswith(TYPED_IN) and is_character(key):
            return name, f"{name} is {format_key(key)}, which is typed there", "take f9 or ctrl+g, say"
    return None


def _clashes(good: Mapping[str, str], known: Actions) -> Iterator[Problem]:
    """Entries whose key another action of the same screen has; of two entries the later is at fault."""
    now = {**known.keys, **{name: split(value) for name, value in good.items()}}
    for name in reversed(list(good)):
        for other in known.keys:
            both = set(now[name]) & set(now[other])
            if other != name and both and frozenset({name, other}) in known.together:
                if set(known.keys[name]) & set(known.keys[other]):
                    continue  # they share one from the start: the one stands for the other
                told = f"{name} is {format_key(min(both))}, which {other} has"
                yield name, told, f"give {other} another key as well"


def split(value: str) -> tuple[str, ...]:
    """Keys by their full names. Raises InvalidBinding where there are none."""
    return tuple(b.key for b in Binding.make_bindings([Binding(value, "", "")]))


def is_key(key: str) -> bool:
    *modifiers, last = key.split("+")
    known = last in _NAMES or is_character(last)
    return known and all(modifier in _MODIFIERS for modifier in modifiers)


def is_character(key: str) -> bool:
    return key == "space" or (len(format_key(key)) == 1 and key not in _NAMES)


def actions() -> Actions:
    import trainer.tui as here

    for module in pkgutil.walk_packages(here.__path__, f"{here.__name__}."):
        importlib.import_module(module.name)
    nodes = [node for node in _below(DOMNode) if node.__module__.startswith(here.__name__)]
    everywhere = [b for node in nodes if issubclass(node, App) for b in bindings_of(node)]
    widgets = [b for node in nodes if not issubclass(node, (App, Screen)) for b in bindings_of(node)]
    keys = {b.id: split(b.key) for node in nodes for b in bindings_of(node) if b.id}
    together: set[frozenset[str]] = set()
    for node in nodes:
        if issubclass(node, Screen):
            own = list(bindings_of(node))
            inside = {_place(b) for b in own} - {""}
            shown = [*own, *everywhere, *(b for b in widgets if _place(b) in inside)]
            together |= {frozenset({a.id, b.id}) for a, b in combinations(shown, 2) if a.id and b.id}
    return Actions(keys, frozenset(together))


def _place(binding: Binding) -> str:
    place, dot, _ = (binding.id or "").partition(".")
    return place if dot else ""


def bindings_of(node: type[DOMNode]) -> Iterator[Binding]:
    """Those of ours that a node has, with what it inherits."""
    for base in node.__mro__:
        declared: Iterable[object] = base.__dict__.get("BINDINGS", ())
        yield from (b for b in declared if isinstance(b, Binding) and b.id)


def _below(base: type[DOMNode]) -> Iterator[type[DOMNode]]:
    for node in base.__subclasses__():
        yield node
        yield from _below(node)
