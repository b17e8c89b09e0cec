"""What the content lint finds, as data."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from trainer.errors import Location

SPARE = 0.25
"""Share of the tolerance that a right float32 result may use."""


class Severity(StrEnum):
    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True)
class Finding:
    """Something wrong with a content file."""

    where: Location
    severity: Severity
    message: str
    hint: str = ""
