"""The app over fakes: no compiler, no simulator, a clock that stands still."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from tests.tui.driving import FakeRemote, make_services
from trainer.tui.services import Services

NOW = datetime(2026, 11, 25, 12, 0, tzinfo=UTC)


@pytest.fixture(autouse=True)
def still(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEXTUAL_ANIMATIONS", "none")
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.delenv("EDITOR", raising=False)


@pytest.fixture(autouse=True)
def no_collection() -> Iterator[None]:
    """Collecting garbage takes a fifth of the time of these tests."""
    gc.disable()
    yield
    gc.enable()


@pytest.fixture
def backend() -> FakeRemote:
    return FakeRemote()


@pytest.fixture
def services(backend: FakeRemote) -> Services:
    return make_services(backend, NOW)
