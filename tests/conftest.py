"""What all tests share: a home of their own, and the reason why GPU tests are skipped."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


def _why_no_gpu() -> str:
    spec = importlib.util.spec_from_file_location("extras", ROOT / "scripts" / "extras.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return "no NVIDIA GPU with a working driver" if module.cuda_major() is None else ""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    marked = [item for item in items if item.get_closest_marker("gpu")]
    reason = _why_no_gpu() if marked else ""
    if reason:
        for item in marked:
            item.add_marker(pytest.mark.skip(reason=reason))


@pytest.fixture(scope="session")
def cache_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One cache for all tests: compiling the simulator's fixed routines anew each time takes minutes."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(autouse=True)
def own_home(
    tmp_path_factory: pytest.TempPathFactory, cache_home: Path, monkeypatch: pytest.MonkeyPatch
) -> Path:
    """No test reads or writes the user's history, workspace or caches."""
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("XDG_DATA_HOME", str(home / "data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / "config"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache_home))
    monkeypatch.setenv("WARPDOJO_WORKSPACE", str(home / "workspace"))
    monkeypatch.delenv("WARPDOJO_HOME", raising=False)
    monkeypatch.delenv("WARPDOJO_BANK", raising=False)
    return home
