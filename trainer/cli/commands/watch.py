"""`warpdojo watch ID FILE`: grade on every save. A save during a grade starts over."""

from __future__ import annotations

import sys
import time
from argparse import Namespace
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

from trainer.bank.library import Library
from trainer.bank.model import Question
from trainer.cli.grading import grade_file, kernel_question, options_of
from trainer.cli.output import Output
from trainer.cli.progress import LiveLine
from trainer.cli.shut import refuse_if_shut
from trainer.errors import CancelledError, Location, UsageError
from trainer.grade.grader import Options
from trainer.grade.result import Grade, grade_json
from trainer.store.workspace import Stamp, stamp
from trainer.worker.backends import Backends, open_backends

POLL_S = 0.1
SETTLE_S = 0.05
"""Editors write a file in several steps; one that changed this recently is looked at again first."""


def run(args: Namespace, out: Output) -> int:
    library = Library.open(args.banks)
    question = kernel_question(library, args.id)
    refuse_if_shut(question.id, out)
    path = Path(args.file)
    if not path.exists():
        raise UsageError("there is no such file", where=Location(path), hint=f"warpdojo start {args.id}")
    options = options_of(args)
    fixed = args.seed is not None
    with open_backends(args.backend, out.warn, spare=True) as backends, ThreadPoolExecutor(1) as pool:
        watcher = _Watcher(library, question, path, backends, out, pool)
        try:
            watcher.loop(options, fixed)
        finally:
            backends.close()  # ends a grade in flight, which the pool would wait for
    return 0


class _Watcher:
    def __init__(
        self,
        library: Library,
        question: Question,
        path: Path,
        backends: Backends,
        out: Output,
        pool: ThreadPoolExecutor,
    ) -> None:
        self.library, self.question, self.path = library, question, path
        self.backends, self.out, self.pool = backends, out, pool
        self.line = LiveLine()

    def loop(self, options: Options, fixed_seed: bool) -> None:
        """Until Ctrl-C. Each grade draws new inputs unless a seed was asked for."""
        seen: Stamp | None = None
        while True:
            now = self._wait_for_change(seen)
            running = self.pool.submit(self._grade, options)
            changed = self._wait_for_end(running, now)
            if changed:
                self.backends.cancel()
            self._show(running)
            seen = now
            if not fixed_seed:
                options = replace(options, seed=(options.seed + 1) % 2**32)

    def _wait_for_change(self, seen: Stamp | None) -> Stamp:
        while True:
            now = stamp(self.path)
            if now is not None and now != seen:
                time.sleep(SETTLE_S)
                if stamp(self.path) == now:
                    return now
            else:
                time.sleep(POLL_S)

    def _wait_for_end(self, running: Future[tuple[Grade, str]], now: Stamp) -> bool:
        """Whether the file was saved again before the grade was done. A deleted file is left alone."""
        while not running.done():
            time.sleep(POLL_S / 2)
            latest = stamp(self.path)
            if latest is not None and latest != now:
                return True
        return False

    def _grade(self, options: Options) -> tuple[Grade, str]:
        return grade_file(
            self.library, self.question, self.path, options, lambda: self.backends, self.line, self.out
        )

    def _show(self, running: Future[tuple[Grade, str]]) -> None:
        try:
            result, source = running.result()
        except CancelledError:
            self.line.clear()
            return
        except UsageError as problem:  # deleted or replaced by a folder: wait for the next save
            self.line.clear()
            print(f"warpdojo: {problem}", file=sys.stderr)
            return
        self.line.clear()
        self.out.emit(grade_json(result))
        if not self.out.as_json:
            from trainer.cli.render import render_grade

            console = self.out.console()
            console.rule(time.strftime("%H:%M:%S"), style="dim")
            render_grade(console, result, source)
        print(f"watching {self.path}, Ctrl-C ends", file=sys.stderr)
