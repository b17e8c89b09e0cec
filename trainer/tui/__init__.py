"""The terminal app. Nothing here is imported by a command that does not open it: Textual costs 0.2 s."""

from __future__ import annotations

import gc
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from trainer.tui.app import WarpDojo


def main(banks: Sequence[str] = (), opening: Callable[[WarpDojo], None] | None = None) -> int:
    """Open the app, and in it what `opening` opens; the exit code when it is left."""
    gc.disable()  # until the first frame: a sixth of the time that it takes
    from trainer.tui.app import WarpDojo
    from trainer.tui.services import Services

    def ready(app: WarpDojo) -> None:
        from trainer.tui.warm import settle_in

        settle_in()
        if opening is not None:
            opening(app)

    app = WarpDojo(Services.open(banks), ready, shown=True)
    app.run()
    gc.freeze()  # else the end of the process looks for garbage once more: 0.15 s
    return app.return_code or 0
