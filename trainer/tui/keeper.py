"""Writes to the history, one after the other, in a thread: a locked file never makes a key wait."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from dataclasses import dataclass

from trainer.errors import StoreError, UsageError

Work = Callable[[], None]
Failed = Callable[[str], None]


@dataclass
class _Order:
    work: Work
    failed: Failed


class Keeper:
    """`keep` never waits; `settle` gives what is on its way a moment before the process ends."""

    def __init__(self) -> None:
        self._orders: queue.Queue[_Order] = queue.Queue()
        self._pending = 0
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None

    def keep(self, work: Work, failed: Failed) -> None:
        """Call `work` in the thread; what it could not do (StoreError, UsageError) is told to `failed`."""
        with self._changed:
            self._pending += 1
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="keeper", daemon=True)
            self._thread.start()
        self._orders.put(_Order(work, failed))

    def settle(self, timeout_s: float) -> bool:
        """Whether all is written, after `timeout_s` at the latest."""
        with self._changed:
            return self._changed.wait_for(lambda: not self._pending, timeout_s)

    def _run(self) -> None:
        while True:
            order = self._orders.get()
            try:
                order.work()
            except (StoreError, UsageError) as problem:
                order.failed(str(problem))
            finally:
                with self._changed:
                    self._pending -= 1
                    self._changed.notify_all()
