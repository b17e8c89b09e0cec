"""The terminal app. Nothing here is imported by a command that does not open it: Textual costs 0.2 s."""

from __future__ import annotations

import gc
from collections.abc import Sequence


def main(banks: Sequence[str] = ()) -> int:
    """Open the app; the exit code when it is left."""
    gc.disable()  # until the first frame: a sixth of the time that it takes
    from trainer.tui.app import WarpDojo
    from trainer.tui.services import Services

    app = WarpDojo(Services.open(banks))
    app.run()
    gc.freeze()  # else the end of the process looks for garbage once more: 0.15 s
    return app.return_code or 0
