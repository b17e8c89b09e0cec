"""Names of the external functions that the host function may call; `host.py` answers them."""

from __future__ import annotations

import re
from functools import cache

from trainer.cuda.includes import INCLUDE_ROOT

LAUNCH_BUFFER = "__cudaCDP2GetParameterBufferV2"
LAUNCH = "__cudaCDP2LaunchDeviceV2"


@cache
def _declared() -> frozenset[str]:
    text = (INCLUDE_ROOT / "warpdojo" / "traps.h").read_text()
    return frozenset(re.findall(r"\b(wd_\w+)\(", text))


# Of the driver API, which a submission gets from <cuda.h>.
_DRIVER = {"cuTensorMapEncodeTiled", "cuInit"}

TRAPS = _declared() | _DRIVER | {LAUNCH_BUFFER, LAUNCH, "vprintf", "malloc", "free", "__assertfail"}
