"""After the first frame: load what the next keys would wait for, and keep the collector from pausing them.

A full collection over all that Textual and NumPy made takes 90 ms, in which no key is answered. Frozen,
these objects are never looked at again; and full collections become rare, since screens that were closed
are found by the middle ones.
"""

from __future__ import annotations

import gc
import sys
import threading
import time
from importlib import import_module

_NEXT = (
    "trainer.tui.screens.task",
    "trainer.tui.screens.quiz",
    "trainer.tui.screens.topic",
    "trainer.bank.schema",
    "trainer.tui.grading",
    "trainer.worker.attempt",
    "trainer.worker.client",
    "trainer.tui.screens.search",
    "trainer.tui.screens.help",
)
_THRESHOLDS = 5_000, 10, 200
_SWITCH_S = 0.001
"""A thread that grades lets go of the interpreter this soon when a key wants it, not after 5 ms."""
_BREATH_S = 0.01
"""Between two modules, for keys that are pressed meanwhile."""


def settle_in() -> None:
    """Call once the first frame is there."""
    sys.setswitchinterval(_SWITCH_S)
    gc.freeze()
    gc.set_threshold(*_THRESHOLDS)
    gc.enable()
    threading.Thread(target=_load, name="warm", daemon=True).start()


def _load() -> None:
    from trainer.tui.cuda_syntax import grammar

    for name in _NEXT:
        time.sleep(_BREATH_S)
        import_module(name)
    grammar()
    gc.freeze()
