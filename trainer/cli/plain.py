"""Terminals that show ASCII only: what stands for the signs that they lack."""

from __future__ import annotations

import codecs
import unicodedata
from collections.abc import Mapping

HANDLER = "warpdojo-plain"
ROOM = 4
"""Columns that lines keep free: a sign may need more than one of them."""

_ASKED_FOR = ("PYTHONIOENCODING", "PYTHONUTF8")
_PLAIN = ("C", "POSIX")
_SIGNS = {
    "·": "*", "×": "x", "“": '"', "”": '"', "‘": "'", "’": "'", "…": "...", "–": "-", "—": "-", "−": "-",
    "²": "^2", "³": "^3", "ᵀ": "^T", "√": "sqrt", "∂": "d", "Σ": "sum ", "≤": "<=", "≥": ">=", "≠": "!=",
    "→": "->", "←": "<-", "•": "*", "°": " deg", "µ": "u", "μ": "mu", "α": "alpha", "β": "beta", "γ": "gamma",
    "ε": "eps", "σ": "sigma", "✓": "+", "✗": "x", "█": "#", "■": "#", "□": "o", "▒": "+",
    "─": "-", "━": "-", "│": "|", "π": "pi", "±": "+-",
    # The app: one cell for one cell, and picked beside not picked.
    "○": "o", "●": "@", "◐": "%", "◇": "&", "◷": "t", "▸": ">", "›": ">", "▲": "^", "▼": "v", "⏎": "<",
    "░": ".", "▓": "%", "╱": "/", **dict.fromkeys("╭╮╰╯┌┐└┘├┤┬┴┼", "+"), **dict.fromkeys("▏▎▍▌▋▊▉▐▕┃", "|"),
    **dict.fromkeys("▁▂▃▔", "-"), **dict.fromkeys("▄▅▆▇", "#"),
}  # fmt: skip


def is_plain(environ: Mapping[str, str], utf8_mode: bool) -> bool:
    """Whether the locale that was asked for is "C", which knows ASCII only.

    Python writes UTF-8 there all the same (PEP 538, PEP 540: `utf8_mode`, and it sets LC_CTYPE itself).
    A locale that nobody chose is none that was asked for: there, terminals do show UTF-8.
    """
    if any(name in environ for name in _ASKED_FOR):
        return False
    if environ.get("LC_ALL"):
        return environ["LC_ALL"] in _PLAIN
    return utf8_mode and environ.get("LANG") in _PLAIN


def register() -> None:
    """Make HANDLER known as a way to encode what an encoding lacks."""
    codecs.register_error(HANDLER, _replaced)


def _replaced(error: UnicodeError) -> tuple[str | bytes, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(map(spelled, error.object[error.start : error.end])), error.end


def spelled(sign: str) -> str:
    """What stands for a sign in ASCII: "?" where nothing does."""
    if sign in _SIGNS:
        return _SIGNS[sign]
    return unicodedata.normalize("NFKD", sign).encode("ascii", "ignore").decode() or "?"
