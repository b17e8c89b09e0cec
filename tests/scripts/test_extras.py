from __future__ import annotations

import importlib.util
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(
    ("major", "extra"), [(None, "cuda13"), (11, "cuda13"), (12, "cuda12"), (13, "cuda13"), (14, "cuda13")]
)
def test_the_extra_follows_the_driver_and_exists(major: int | None, extra: str) -> None:
    spec = importlib.util.spec_from_file_location("extras", ROOT / "scripts" / "extras.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.extras(major) == extra
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert {extra, "torch", "dev"} <= set(project["optional-dependencies"])


def test_runtime_dependencies_are_ranges_and_dev_tools_are_pinned() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert all("==" not in d and ">=" in d for d in project["dependencies"])
    assert all("==" in d for d in project["optional-dependencies"]["dev"])
