"""The command line."""

from __future__ import annotations


def main(argv: list[str] | None = None) -> int:
    """Run `warpdojo`; returns the exit code."""
    from trainer.cli.main import run

    return run(argv)
