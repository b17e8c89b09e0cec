"""Which keys of the settings can be bound, and what is said about the others."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from tests.tui.driving import make_services
from trainer.gpu.probe import GpuProbe
from trainer.store.config import Config
from trainer.tui.keys import Actions, actions, judge


@pytest.fixture(scope="module")
def known() -> Actions:
    return actions()


@pytest.mark.parametrize(
    ("name", "keys", "words"),
    [
        ("task.gradee", "f9", "did you mean task.grade?"),
        ("task.grade", "notakey!!", "which is no key"),
        ("task.grade", "F9", 'did you mean "f9"?'),
        ("task.grade", "Ctrl-G", 'did you mean "ctrl+g"?'),
        ("task.grade", "", "has no key"),
        ("task.grade", "enter", "needed elsewhere"),
        ("task.grade", "ctrl+p", "needed elsewhere"),
        ("task.hint", "g", "which task.grade has"),
        ("home.next", "?", "is ?, which help has"),  # of the whole app
        ("quiz.pick", "s", "which quiz.skip has"),  # a field in a screen
        ("editor.save", "s", "typed there"),
    ],
)
def test_a_key_that_cannot_be_is_named_with_what_can(
    known: Actions, name: str, keys: str, words: str
) -> None:
    good, [problem] = judge({name: keys, "home.progress": "f9,ctrl+g"}, known)
    assert words in " ".join(problem) and good == {"home.progress": "f9,ctrl+g"}


def test_two_new_bindings_on_one_key_leave_the_first(known: Actions) -> None:
    good, [problem] = judge({"task.grade": "b", "task.hint": "b"}, known)
    assert good == {"task.grade": "b"} and problem[0] == "task.hint"


def test_keys_may_be_swapped_and_those_of_other_screens_used_again(known: Actions) -> None:
    wanted = {"task.grade": "h", "task.hint": "g", "home.next": "x", "quiz.go": "enter,f9", "back": "escape"}
    assert judge(wanted, known) == (wanted, [])


def test_every_action_may_have_the_keys_that_it_has_anyway(known: Actions) -> None:
    wanted = {name: ",".join(keys) for name, keys in known.keys.items()}
    assert judge(wanted, known) == (wanted, [])


@pytest.mark.parametrize(
    ("backend", "usable", "words"),
    [
        ("auto", False, "simulating A100"),
        ("gpu", False, "no grading on gpu"),
        ("sim", True, "simulating A100"),
    ],
)
def test_the_first_screen_says_what_grades_where(backend: str, usable: bool, words: str) -> None:
    probe = GpuProbe(usable, "" if usable else f"{'The NVIDIA driver is far too old for all of this. ' * 2}")
    config = Config(backend=backend, device="A100")
    services = make_services(
        None, datetime.now(UTC), config=config, probe=lambda: probe, clock_mhz=lambda _: 0
    )
    line = services.machine()[1]
    assert words in line and len(line) <= 62
