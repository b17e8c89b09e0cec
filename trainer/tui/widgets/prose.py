"""Markdown of questions: code in it has the colours that code has everywhere in the app."""

from __future__ import annotations

import re

from textual.content import Content
from textual.widgets import Markdown
from textual.widgets.markdown import MarkdownBlock, MarkdownFence

from trainer.tui.text import assemble, plain
from trainer.tui.widgets.code import code_lines

CUDA = ("", "cuda", "c", "cpp", "c++", "cu")
_MARK = re.compile(r"// (\d+|this)$")


class CodeFence(MarkdownFence):
    """Textual asks Pygments, which takes CUDA without a host program for a mistake. And it cuts long lines,
    whose end only a mouse can reach; here they go on below."""

    DEFAULT_CSS = """
    CodeFence { overflow: hidden; }
    CodeFence > Label { width: 1fr; }
    """

    @classmethod
    def highlight(cls, code: str, language: str, ansi: bool = False, dark: bool = False) -> Content:
        if language.strip().lower() not in CUDA:
            return plain(code)
        return Content("\n").join([_marked(row) for row in code_lines(code)])


def _marked(row: Content) -> Content:
    """A line that the question is about keeps its colours; its mark stands out."""
    match = _MARK.search(row.plain.rstrip())
    return row if match is None else assemble(row[: match.start()], (match[0], "bold $accent"))


class Prose(Markdown):
    BLOCKS: dict[str, type[MarkdownBlock]] = {  # noqa: RUF012  as Textual declares it
        **Markdown.BLOCKS,
        "fence": CodeFence,
        "code_block": CodeFence,
    }

    def __init__(self, text: str = "", *, id: str | None = None) -> None:
        super().__init__(text, id=id, open_links=False)
