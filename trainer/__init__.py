"""Warp Dojo: practise GPU-kernel interviews in the terminal."""

__version__ = "0.1.0"
