"""Editing in place: nothing that anybody wrote is lost, and nothing changes that nobody changed."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from textual import events
from textual.pilot import Pilot
from textual.widgets.text_area import Selection

from tests.tui.driving import drive, open_task, text_of, told, until, until_screen
from trainer.store.text_file import TextFile
from trainer.store.workspace import Draft, stamp
from trainer.tui.services import Services

TEXT = "".join(f"line {number}\n" for number in range(7))


@pytest.fixture
def file(services: Services) -> Path:
    path = services.workspace / "relu.cu"
    path.parent.mkdir(parents=True)
    path.write_text(TEXT)
    return path


async def open_editor(pilot: Pilot[int]) -> Any:
    screen = await open_task(pilot)
    await pilot.press("E")
    await until(pilot, lambda: type(screen.focused).__name__ == "CudaEditor")
    return screen.focused


async def until_closed(pilot: Pilot[int]) -> None:
    await until(pilot, lambda: type(pilot.app.focused).__name__ == "Statement")


def editing(
    services: Services,
    scenario: Callable[[Pilot[int], Any], Awaitable[None]],
    size: tuple[int, int] = (80, 24),
) -> None:
    async def run(pilot: Pilot[int]) -> None:
        await scenario(pilot, await open_editor(pilot))

    drive(services, run, size)


# What lies on the disk


@pytest.mark.parametrize(
    "data", [b"a\r\nb\rc\n", b"a \x1b[2J\x0c b"], ids=["line ends", "control characters"]
)
def test_a_buffer_that_was_not_changed_is_never_written(services: Services, file: Path, data: bytes) -> None:
    file.write_bytes(data)
    before = stamp(file)

    async def scenario(pilot: Pilot[int], editor: Any) -> None:
        await pilot.press("x", "backspace", "escape")
        await until_closed(pilot)
        assert stamp(file) == before and file.read_bytes() == data

    editing(services, scenario)


def test_a_save_of_another_program_right_before_escape_stays(services: Services, file: Path) -> None:
    async def scenario(pilot: Pilot[int], editor: Any) -> None:
        file.write_text("newer")
        await pilot.press("escape")
        await until_closed(pilot)
        assert file.read_text() == "newer"

    editing(services, scenario)


def test_an_edit_changes_its_line_and_nothing_else(services: Services, file: Path) -> None:
    file.write_bytes(b"one\r\ntwo \x1b[2J\x0c\x00A0\n".replace(b"\x00A0", "\u2028".encode()) + b"three\r\n")
    before = file.read_bytes()

    async def scenario(pilot: Pilot[int], editor: Any) -> None:
        assert "two �[2J��" in text_of(pilot.app)
        assert editor.document.line_count == 4
        await pilot.press("X", "escape")
        await until_closed(pilot)
        assert file.read_bytes() == b"X" + before

    editing(services, scenario)


@pytest.mark.parametrize("data", [b"// caf\xe9\n", b"\x7fELF\0"], ids=["latin 1", "binary"])
def test_what_is_not_utf_8_is_not_opened_here(services: Services, file: Path, data: bytes) -> None:
    file.write_bytes(data)

    async def scenario(pilot: Pilot[int]) -> None:
        screen = await open_task(pilot)
        await pilot.press("E")
        await until(pilot, lambda: "not UTF-8 text: edit it with e" in told(pilot.app))
        assert not screen.pane.editing and file.read_bytes() == data

    drive(services, scenario)


def test_a_file_that_vanishes_from_under_the_editor_is_written_again(services: Services, file: Path) -> None:
    async def scenario(pilot: Pilot[int], editor: Any) -> None:
        file.unlink()
        await until(pilot, lambda: "the file is gone; saving writes it again" in text_of(pilot.app))
        assert "e makes it" not in text_of(pilot.app)
        await pilot.press("escape")
        await until_closed(pilot)
        assert file.read_text() == TEXT

    editing(services, scenario)


# Two versions


@pytest.mark.parametrize("mine", [True, False], ids=["mine", "theirs"])
def test_a_draft_never_replaces_a_file_that_has_changed_since(
    services: Services, file: Path, mine: bool
) -> None:
    Draft(file).keep("old work\n", TextFile.of(b"the file of that time").fingerprint)

    async def scenario(pilot: Pilot[int]) -> None:
        screen = await open_task(pilot)
        assert "there are edits that were not saved" in text_of(pilot.app)
        await pilot.press("E")
        await until_screen(pilot, "ConflictScreen")
        await pilot.press("escape")
        await until_screen(pilot, "TaskScreen")
        assert not screen.pane.editing and Draft(file).read() == "old work\n"
        await pilot.press("E")
        await until_screen(pilot, "ConflictScreen")
        await pilot.press("m" if mine else "f")
        await until(pilot, lambda: screen.pane.editing)
        assert screen.focused.text == ("old work\n" if mine else TEXT)
        beside, data = ("theirs", TEXT) if mine else ("draft", "old work\n")
        assert file.with_name(f"relu.cu.{beside}").read_text() == data
        assert f"relu.cu.{beside}" in told(pilot.app)
        await pilot.press("escape")
        await until(pilot, lambda: not screen.pane.editing)
        assert file.read_text() == ("old work\n" if mine else TEXT)
        assert Draft(file).read() is None

    drive(services, scenario)


@pytest.mark.parametrize("mine", [True, False], ids=["mine", "theirs"])
def test_saving_over_another_programs_version_asks_and_keeps_both(
    services: Services, file: Path, mine: bool
) -> None:
    async def scenario(pilot: Pilot[int], editor: Any) -> None:
        await pilot.press("X")
        file.write_bytes(b"of another\r\n")
        await until(pilot, lambda: "another program saved this file" in text_of(pilot.app))
        await pilot.press("escape")
        await until_screen(pilot, "ConflictScreen")
        await pilot.press("escape")
        assert editor.text.startswith("Xline") and file.read_bytes() == b"of another\r\n"
        await pilot.press("escape")
        await until_screen(pilot, "ConflictScreen")
        await pilot.press("m" if mine else "f")
        await until_closed(pilot)
        assert file.read_bytes() == (b"X" + TEXT.encode() if mine else b"of another\r\n")
        beside, data = ("theirs", b"of another\r\n") if mine else ("draft", b"X" + TEXT.encode())
        assert file.with_name(f"relu.cu.{beside}").read_bytes() == data
        assert "another program" not in text_of(pilot.app)

    editing(services, scenario)


def test_the_question_names_the_files_that_will_be_made(services: Services, file: Path) -> None:
    for taken in ("relu.cu.draft", "relu.cu.draft2", "relu.cu.theirs"):
        file.with_name(taken).touch()

    async def scenario(pilot: Pilot[int], editor: Any) -> None:
        await pilot.press("X")
        file.write_text("of another\n")
        await pilot.press("ctrl+s")
        await until_screen(pilot, "ConflictScreen")
        text = text_of(pilot.app)
        assert "relu.cu.draft3" in text and "relu.cu.theirs2" in text
        await pilot.press("f")
        await until(pilot, lambda: "the other version is in relu.cu.draft3" in told(pilot.app))

    editing(services, scenario)


def test_after_the_choice_of_theirs_editing_goes_on_with_it(services: Services, file: Path) -> None:
    async def scenario(pilot: Pilot[int], editor: Any) -> None:
        await pilot.press("X")
        file.write_text("of another\n")
        await pilot.press("ctrl+s")
        await until_screen(pilot, "ConflictScreen")
        await pilot.press("f")
        await until(pilot, lambda: editor.text == "of another\n" and editor.has_focus)
        await pilot.press("Y", "ctrl+s")
        await until(pilot, lambda: file.read_text() == "Yof another\n")

    editing(services, scenario)


def test_one_file_is_edited_in_one_window_only(services: Services, file: Path) -> None:
    other = Draft(file)
    assert other.claim()
    other.keep("typing now", TextFile.read(file).fingerprint)

    async def scenario(pilot: Pilot[int]) -> None:
        screen = await open_task(pilot)
        await pilot.press("E")
        await until(pilot, lambda: "edited in another window" in told(pilot.app))
        assert not screen.pane.editing
        other.release()
        await pilot.press("E")
        await until(pilot, lambda: screen.pane.editing)
        await pilot.press("escape")
        await until_closed(pilot)

    drive(services, scenario)
    assert other.claim()  # closing has let go
    other.release()


# Leaving


def test_ctrl_r_leaves_without_saving_and_asks_where_something_is_lost(
    services: Services, file: Path
) -> None:
    async def scenario(pilot: Pilot[int], editor: Any) -> None:
        assert "Discard" in text_of(pilot.app)
        await pilot.press("X", "ctrl+r")
        await until_screen(pilot, "ConfirmScreen")
        await pilot.press("n")
        assert editor.text.startswith("X")
        await pilot.press("ctrl+r", "y")
        await until_closed(pilot)
        assert file.read_text() == TEXT and Draft(file).read() is None
        await pilot.press("E", "ctrl+r")
        await until_closed(pilot)

    editing(services, scenario)


def test_g_beside_an_open_editor_saves_first_and_beside_a_draft_says_so(
    services: Services, file: Path
) -> None:
    async def scenario(pilot: Pilot[int]) -> None:
        screen = await open_task(pilot)
        await pilot.press("E")
        await until(pilot, lambda: screen.pane.editing)
        await pilot.press("X")
        screen.query_one("#statement").focus()
        await pilot.press("g")
        await until(pilot, lambda: "F4 shows all of it" in text_of(pilot.app))
        await pilot.press("v")
        result = await until_screen(pilot, "ResultScreen")
        assert result.source == "X" + TEXT

    async def with_draft(pilot: Pilot[int]) -> None:
        await open_task(pilot)
        await pilot.press("g")
        assert "not in this grade" in told(pilot.app)
        await until_screen(pilot, "ResultScreen")

    drive(services, scenario, (140, 40))
    Draft(file).keep("typed later", TextFile.read(file).fingerprint)
    drive(services, with_draft)


# Keys


@pytest.mark.parametrize("all_of_it", [False, True])
def test_undo_of_a_long_paste_lives(services: Services, file: Path, all_of_it: bool) -> None:
    async def scenario(pilot: Pilot[int], editor: Any) -> None:
        if all_of_it:
            await pilot.press("f7")
        pilot.app.post_message(events.Paste("pasted\n" * 40))
        await until(pilot, lambda: "pasted" in editor.text)
        await pilot.press("ctrl+z", "ctrl+y", "ctrl+z")
        assert editor.text == TEXT

    editing(services, scenario)


def test_tab_and_shift_tab_move_the_lines_that_are_selected(services: Services, file: Path) -> None:
    file.write_text("a\n\n\tb\n  c\nd\n")

    async def scenario(pilot: Pilot[int], editor: Any) -> None:
        editor.selection = Selection((0, 0), (4, 0))
        await pilot.press("tab")
        assert editor.text == "    a\n\n    \tb\n      c\nd\n"
        assert editor.selection == Selection((0, 0), (4, 0))
        await pilot.press("shift+tab", "shift+tab")
        assert editor.text == "a\n\nb\nc\nd\n"
        await pilot.press("ctrl+z", "ctrl+z", "ctrl+z")
        assert editor.text == "a\n\n\tb\n  c\nd\n"
        editor.move_cursor((3, 3))
        await pilot.press("shift+tab", "X", "tab")
        assert editor.text == "a\n\n\tb\ncX  \nd\n"

    editing(services, scenario)


def test_enter_keeps_the_indentation(services: Services, file: Path) -> None:
    file.write_text("  \tif (a) {b}\n")

    async def scenario(pilot: Pilot[int], editor: Any) -> None:
        editor.move_cursor((0, 11))
        await pilot.press("enter", "X")
        assert editor.text == "  \tif (a) {\n  \tXb}\n"
        editor.move_cursor((0, 1))
        await pilot.press("enter", "X")
        assert editor.text.startswith(" \n X \tif")

    editing(services, scenario)


def test_keys_that_come_all_at_once_keep_their_order(services: Services, file: Path) -> None:
    """As from a terminal that knows no pasting."""
    file.write_text("")

    async def scenario(pilot: Pilot[int], editor: Any) -> None:
        for key in ("a", "enter", "tab", "b", "enter", "shift+tab", "c"):
            pilot.app.post_message(events.Key(key, key if len(key) == 1 else None))
        await until(pilot, lambda: "c" in editor.text)
        assert editor.text == "a\n    b\nc"

    editing(services, scenario)


def test_ctrl_home_and_ctrl_end_go_all_the_way(services: Services, file: Path) -> None:
    async def scenario(pilot: Pilot[int], editor: Any) -> None:
        await pilot.press("ctrl+end")
        assert editor.cursor_location == (7, 0)
        await pilot.press("ctrl+shift+home")
        assert editor.selected_text == TEXT
        await pilot.press("ctrl+end", "ctrl+home")
        assert editor.selection == Selection.cursor((0, 0))

    editing(services, scenario)


def test_colours_stay_with_their_words_behind_a_control_character(services: Services, file: Path) -> None:
    file.write_bytes(b"/* \x1b */ int x;\n")

    async def scenario(pilot: Pilot[int], editor: Any) -> None:
        line = editor.get_line(0).plain.encode()
        assert {line[a:b].decode(): kind for a, b, kind in editor._highlights[0]}["int"] == "type"

    editing(services, scenario)


def test_half_a_character_from_the_terminal_does_not_stop_saving(services: Services, file: Path) -> None:
    async def scenario(pilot: Pilot[int], editor: Any) -> None:
        editor.post_message(events.Key("x", "\ud800"))
        pilot.app.post_message(events.Paste("\udcff"))
        await pilot.press("escape")
        await until_closed(pilot)
        assert file.read_text().endswith(TEXT)

    editing(services, scenario)


def test_ctrl_c_says_how_to_leave(services: Services) -> None:
    async def scenario(pilot: Pilot[int]) -> None:
        await pilot.press("ctrl+c")
        await until(pilot, lambda: "ctrl+q leaves Warp Dojo" in told(pilot.app))

    drive(services, scenario)
