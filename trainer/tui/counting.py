"""Run the kernel of an analysis in a worker process, for the pictures of its marked lines."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.message import Message
from textual.message_pump import MessagePump

from trainer.errors import WarpDojoError

if TYPE_CHECKING:
    from trainer.bank.quiz import Analysis
    from trainer.quiz.run import Marked
    from trainer.tui.grading import Grader


@dataclass
class Counted(Message):
    """What the simulator saw at each mark, or why there is nothing."""

    analysis: Analysis
    lines: Sequence[Marked]
    problem: str = ""


def count(analysis: Analysis, grader: Grader, target: MessagePump) -> None:
    """Post a `Counted` to `target`, some tenths of a second later."""

    def work() -> None:
        from trainer.quiz.run import marked_lines

        try:
            backends = grader.backends("sim", lambda text: None)
            end = Counted(analysis, marked_lines(analysis, backends.primary))
        except WarpDojoError as problem:
            end = Counted(analysis, (), problem.message)
        except Exception as problem:
            from trainer.crash import report

            end = Counted(analysis, (), report(problem))
        target.post_message(end)

    threading.Thread(target=work, name="count", daemon=True).start()
