"""The command line."""

from __future__ import annotations


def main(argv: list[str] | None = None) -> int:
    """Run `warpdojo`; returns the exit code."""
    try:
        from trainer.cli.main import run
    except KeyboardInterrupt:
        return 130
    return run(argv)
