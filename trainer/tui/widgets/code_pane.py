"""The user's file beside the task: shown as it is on the disk, or edited here. Nothing typed is lost."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.message import Message
from textual.timer import Timer
from textual.widgets import Static

from trainer.errors import UsageError
from trainer.store.text_file import TextFile
from trainer.store.workspace import Draft, Stamp, free_beside, put_beside, read_source, stamp, write_file
from trainer.tui.screens.confirm import ConfirmScreen
from trainer.tui.screens.conflict import Choice, ConflictScreen
from trainer.tui.text import plain
from trainer.tui.widgets.code import CodeView
from trainer.tui.widgets.editor import CudaEditor

LOOK_S = 0.2
"""How often the file is looked at. A look is one `stat`; events are missing on NFS, WSL and in containers."""
DRAFT_S = 0.7
"""Edits are at most this long nowhere but in memory."""


class CodePane(Vertical):
    """Shows `path`. `exists` and `editing` say what it shows; messages say what happened to the file."""

    @dataclass
    class Changed(Message):
        """Something outside wrote the file, or took it away; or the editor here was opened or closed."""

        saved: bool

    @dataclass
    class Saved(Message):
        """What is in the editor is in the file; go on with `then`: "", "grade" or "close". `wrote` is False
        where it was there before, and where it was not to be saved."""

        then: str
        wrote: bool = False

    @dataclass
    class Told(Message):
        """What the user should hear."""

        text: str
        severity: str = "warning"

    def __init__(self, path: Path, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.path = path
        self.editing = False
        self._editor = CudaEditor(id="editor")
        self._begun = TextFile.of(b"")  # the file that the edits began with, or that was saved last
        self._draft = Draft(path)
        self._draft_timer: Timer | None = None
        self._notes = {"file": "", "draft": ""}  # what is amiss, as long as it is
        self._notes_line = Static("", id="edit-notes")
        self._seen: Stamp | None = None
        self._moving: Stamp | None = None  # a save that may not be complete yet

    def compose(self) -> ComposeResult:
        yield CodeView(id="code")
        yield self._notes_line
        yield self._editor

    def on_mount(self) -> None:
        self.show_file()
        self.set_interval(LOOK_S, self._look)

    def on_unmount(self) -> None:
        self.keep_draft()
        self._draft.release()

    @property
    def exists(self) -> bool:
        return self._seen is not None

    @property
    def changed(self) -> bool:
        """Whether something was typed that is not in the file that the editor knows."""
        return self.editing and self._editor.content != self._begun.text

    @property
    def has_draft(self) -> bool:
        """Whether there are edits that were not saved, from before."""
        return not self.editing and self._draft.read() is not None

    def show_file(self) -> bool:
        """Read the file again; whether it is another one than before."""
        before, self._seen = self._seen, stamp(self.path)
        view = self.query_one(CodeView)
        if self._seen is None:
            view.show_content(plain("no file yet: e or E makes it", "$foreground-muted"))
        elif not self.editing:
            try:
                view.show(read_source(self.path))
            except UsageError as problem:
                view.show_content(plain(str(problem)))
        return self._seen != before

    def _look(self) -> None:
        """A save counts when it looks the same twice: editors write in several steps."""
        now = stamp(self.path)
        if now == self._seen:
            self._moving = None
        elif now is None:
            self.show_file()
            self._note("file", "the file is gone; saving writes it again" if self.editing else "")
            self.post_message(self.Changed(saved=False))
        elif now == self._moving:
            self._moving = None
            if self.editing:
                self._follow()
            self.show_file()
            self.post_message(self.Changed(saved=True))
        else:
            self._moving = now

    # Editing here

    def edit(self) -> None:
        """Open the editor, with what was typed before and not saved."""
        if not self._draft.claim():
            self._tell("it is being edited in another window of Warp Dojo: save and close it there first")
            return
        self._trying(self._open_or_ask)

    def _open_or_ask(self) -> None:
        file, draft = TextFile.read(self.path), self._draft.read()
        if draft is None or draft == file.text:
            self._open(file)
        elif self._draft.begun_from() == file.fingerprint:
            self._open(file, draft)
            self._tell("edits that were not saved last time are back; Escape saves, ctrl+z takes them away")
        else:
            self._ask(self._open_chosen)

    def _open_chosen(self, choice: Choice | None) -> None:
        file, draft = TextFile.read(self.path), self._draft.read()
        if choice is None or draft is None:
            self._draft.release()
        elif choice is Choice.MINE:
            self._put_beside("theirs", file.data)
            self._open(file, draft)
        else:
            self._put_beside("draft", draft.encode())
            self._open(file)

    def _open(self, file: TextFile, draft: str | None = None) -> None:
        self._begun = file
        self.editing = True
        self.add_class("-editing")
        editor = self._editor
        editor.load_text(file.text)
        if draft is not None:
            editor.replace(draft, editor.document.start, editor.document.end)
            editor.move_cursor((0, 0))
        self.keep_draft()
        editor.focus()
        self.post_message(self.Changed(saved=False))

    def _close(self) -> None:
        self.editing = False
        self.remove_class("-editing")
        self._draft.release()
        for about in self._notes:
            self._note(about, "")
        self.show_file()

    def _follow(self) -> None:
        """Another program saved the file: take that over where nothing is lost, else say so."""
        try:
            file = TextFile.read(self.path)
        except UsageError as problem:
            self._note("file", f"another program saved this file: {problem.message}")
            return
        editor = self._editor
        if file.text == editor.content:
            self._begun = file
        elif not self.changed:
            self._begun = file
            at = editor.cursor_location
            editor.load_text(file.text)
            editor.move_cursor(at)
        elif file.data != self._begun.data:
            self._note("file", "another program saved this file; saving here asks which version goes on")
            return
        self._note("file", "")

    # What was typed and not saved

    @on(CudaEditor.Changed)
    def _edited(self) -> None:
        if self.editing and self._draft_timer is None:
            self._draft_timer = self.set_timer(DRAFT_S, self.keep_draft, name="draft")

    def keep_draft(self) -> bool:
        """Put edits where a crash does not reach them; False where that fails, which is said."""
        if self._draft_timer is not None:
            self._draft_timer.stop()
            self._draft_timer = None
        if not self.editing:
            return True
        if not self.changed:
            self._draft.drop()
        else:
            try:
                self._draft.keep(self._editor.content, self._begun.fingerprint)
            except UsageError as problem:
                self._note("draft", f"{problem}\nyour edits are nowhere but in this window")
                return False
        self._note("draft", "")
        return True

    @property
    def loss(self) -> str:
        """What would be lost if the app ended now."""
        return "" if self.keep_draft() else f"What you typed in {self.path.name} can be kept nowhere."

    @on(CudaEditor.Discard)
    def _leave_without_saving(self, event: CudaEditor.Discard) -> None:
        event.stop()

        def leave(yes: bool | None) -> None:
            if yes:
                self._draft.drop()
                self._close()
                self.post_message(self.Saved("close"))

        if self.changed or not self.exists:
            lost = f"What you typed in {self.path.name} since the last save is lost."
            question = f"Leave without saving? {lost}"
            self.app.push_screen(ConfirmScreen(question, "Leave"), leave)
        else:
            leave(True)

    # Saving

    @on(CudaEditor.Asked)
    def _save_asked(self, event: CudaEditor.Asked) -> None:
        event.stop()
        self.save(event.then)

    def save(self, then: str = "") -> None:
        """Write what was changed, and go on with `then`. Asks where another program wrote the file."""
        on_disk = self._bytes()
        if not self.changed and on_disk is not None:
            self._go_on(then)
        elif on_disk in (None, self._begun.data, self._to_write):
            self._trying(partial(self._write, then))
        else:
            self._trying(partial(self._ask, partial(self._save_chosen, then)))

    def _save_chosen(self, then: str, choice: Choice | None) -> None:
        on_disk = self._bytes()
        if choice is Choice.MINE:
            if on_disk is not None:
                self._put_beside("theirs", on_disk)
            self._write(then)
        elif choice is Choice.THEIRS:
            self._put_beside("draft", self._to_write)
            self._draft.drop()
            self._close()
            if then != "close":
                self.edit()
            self._go_on(then if self.editing else "close")

    @property
    def _to_write(self) -> bytes:
        return self._begun.changed_to(self._editor.content)

    def _bytes(self) -> bytes | None:
        """None where there is no file, or none that can be read."""
        try:
            return self.path.read_bytes()
        except OSError:
            return None

    def _write(self, then: str) -> None:
        data = self._to_write
        write_file(self.path, data)
        self._begun = TextFile.of(data)
        self._seen = stamp(self.path)
        self.keep_draft()
        self._note("file", "")
        self._go_on(then, wrote=True)

    def _go_on(self, then: str, *, wrote: bool = False) -> None:
        if then == "close" and self.editing:
            self._close()
        self.post_message(self.Saved(then, wrote))

    # What is said

    def _trying(self, do: Callable[[], None]) -> None:
        """What cannot be done is said; the text stays, in the editor and as a draft."""
        try:
            do()
        except UsageError as problem:
            kept = "\nyour edits are kept as a draft" if self.changed and self.keep_draft() else ""
            if not self.editing:
                self._draft.release()
            self._tell(f"{problem}{kept}", "error")

    def _ask(self, then: Callable[[Choice | None], None]) -> None:
        def answered(choice: Choice | None) -> None:
            self._trying(partial(then, choice))

        theirs, draft = (free_beside(self.path, ending).name for ending in ("theirs", "draft"))
        self.app.push_screen(ConflictScreen(self.path.name, theirs, draft), answered)

    def _put_beside(self, ending: str, data: bytes) -> None:
        beside = put_beside(self.path, ending, data)
        self._tell(f"the other version is in {beside.name}")

    def _tell(self, text: str, severity: str = "warning") -> None:
        self.post_message(self.Told(text, severity))

    def _note(self, about: str, text: str) -> None:
        """A line above the text, for as long as it holds."""
        if self._notes[about] == text or not self.is_attached:
            return
        self._notes[about] = text
        shown = "\n".join(filter(None, self._notes.values()))
        self._notes_line.update(plain(shown))
        self._notes_line.display = bool(shown)
