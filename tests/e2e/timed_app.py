"""`warpdojo` with a clock that a test moves: real time plus the seconds in the file that comes first.

Moving it looks like sleep, which would be asked about; so no gap is long enough for that here.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from trainer.cli import main
from trainer.interview import session
from trainer.tui.services import Services

offset = Path(sys.argv[1])
opened = Services.open


def now() -> datetime:
    return datetime.now(UTC) + timedelta(seconds=float(offset.read_text()))


def open_services(banks: Sequence[str] = ()) -> Services:
    services = opened(banks)
    services.now = now
    return services


session.GAP_S = 1e9
Services.open = open_services  # type: ignore[method-assign,assignment]
sys.exit(main(sys.argv[2:]))
