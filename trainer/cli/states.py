"""The history as commands use it: a broken one costs a warning, never the command."""

from __future__ import annotations

from collections.abc import Mapping

from trainer.cli.output import Output
from trainer.errors import StoreError
from trainer.store.history import History


def known_states(out: Output) -> Mapping[str, str]:
    """What was tried or accepted; empty without a readable history."""
    try:
        with History.existing() as history:
            return history.states() if history else {}
    except StoreError as problem:
        out.warn(str(problem))
        return {}
