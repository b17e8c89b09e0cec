"""The user's file beside the task: shown as it is on the disk, or edited here. Nothing typed is lost."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.message import Message
from textual.timer import Timer

from trainer.errors import UsageError
from trainer.store.workspace import Draft, Stamp, read_source, stamp, write_source
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
        """The editor here wrote the file; go on with `then`: "", "grade" or "close"."""

        then: str

    @dataclass
    class Told(Message):
        """What the user should hear."""

        text: str
        severity: str = "warning"

    def __init__(self, path: Path, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.path = path
        self.editing = False
        self._on_disk = ""  # the text that the editor began with or saved last
        self._draft_timer: Timer | None = None
        self._draft_problem = ""
        self._seen: Stamp | None = None
        self._moving: Stamp | None = None  # a save that may not be complete yet

    def compose(self) -> ComposeResult:
        yield CodeView(id="code")
        yield CudaEditor(id="editor")

    def on_mount(self) -> None:
        self.show_file()
        self.set_interval(LOOK_S, self._look)

    @property
    def exists(self) -> bool:
        return self._seen is not None

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
            self.post_message(self.Changed(saved=False))
        elif now == self._moving:
            self._moving = None
            if self.editing:
                self._changed_under_the_editor()
            self.show_file()
            self.post_message(self.Changed(saved=True))
        else:
            self._moving = now

    # Editing here

    def edit(self) -> None:
        """Open the editor, with what a crash left behind."""
        try:
            text = read_source(self.path)
        except UsageError as problem:
            self.post_message(self.Told(str(problem), "error"))
            return
        draft = Draft(self.path).read()
        if draft is not None and draft != text:
            told = "edits that were not saved last time are back; Escape saves them, ctrl+z takes them away"
            self.post_message(self.Told(told))
        self._on_disk = text
        self.editing = True
        self.add_class("-editing")
        editor = self.query_one(CudaEditor)
        editor.load_text(text)
        if draft is not None and draft != text:
            editor.replace(draft, editor.document.start, editor.document.end)
            editor.move_cursor((0, 0))
        editor.focus()
        self.post_message(self.Changed(saved=False))

    def _changed_under_the_editor(self) -> None:
        """Another program saved the file: follow it where nothing is lost, else say so."""
        try:
            text = read_source(self.path)
        except UsageError:
            return
        editor = self.query_one(CudaEditor)
        if text == editor.text:
            self._on_disk = text
        elif editor.text == self._on_disk:
            self._on_disk = text
            editor.load_text(text)
        else:
            warning = "another program saved this file; saving here replaces what it wrote"
            self.post_message(self.Told(warning))

    @on(CudaEditor.Changed)
    def _edited(self) -> None:
        if self.editing and self._draft_timer is None:
            self._draft_timer = self.set_timer(DRAFT_S, self.keep_draft, name="draft")

    def keep_draft(self) -> bool:
        """Put edits where a crash does not reach them; False where that fails, which is told once."""
        self._draft_timer = None
        if not self.editing:
            return True
        text = self.query_one(CudaEditor).text
        draft = Draft(self.path)
        if text == self._on_disk:
            draft.drop()
            return True
        try:
            draft.keep(text)
        except UsageError as problem:
            if str(problem) != self._draft_problem:
                self.post_message(self.Told(f"{problem}\nyour edits are nowhere but in this window"))
            self._draft_problem = str(problem)
            return False
        self._draft_problem = ""
        return True

    @on(CudaEditor.Asked)
    def _save(self, event: CudaEditor.Asked) -> None:
        event.stop()
        editor = self.query_one(CudaEditor)
        try:
            write_source(self.path, editor.text)
        except UsageError as problem:
            kept = "\nyour edits are kept as a draft" if self.keep_draft() else ""
            self.post_message(self.Told(f"{problem}{kept}", "error"))
            return
        if self._draft_timer is not None:
            self._draft_timer.stop()
            self._draft_timer = None
        Draft(self.path).drop()
        self._on_disk = editor.text
        self._seen = stamp(self.path)
        if event.then == "close":
            self.editing = False
            self.remove_class("-editing")
            self.show_file()
        self.post_message(self.Saved(event.then))
