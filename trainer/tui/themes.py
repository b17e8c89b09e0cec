"""Two calm themes of our own, and the colours of code in every theme."""

from __future__ import annotations

from textual.theme import Theme

# Used by themes that know nothing of code: readable on dark and on light.
CODE_DEFAULTS = {
    "code-comment": "#7c8290",
    "code-string": "#8a9a5b",
    "code-number": "#b0788f",
    "code-keyword": "#8f7fc0",
    "code-type": "#5f95a5",
    "code-cuda": "#c58a4a",
    "code-function": "#6a8fc5",
    "code-builtin": "#bf7a62",
    "code-directive": "#a8789f",
    "code-escape": "#b0788f",
}

DARK = Theme(
    name="dojo-dark",
    primary="#7fa7d9",
    secondary="#9d8fd0",
    accent="#e0b577",
    foreground="#d5d9e2",
    background="#14161c",
    surface="#1a1d25",
    panel="#232733",
    success="#93c07a",
    warning="#e3b062",
    error="#e4717a",
    dark=True,
    variables={
        "code-comment": "#6d7484",
        "code-string": "#a8c08a",
        "code-number": "#d49bb0",
        "code-keyword": "#a99be0",
        "code-type": "#7fb9c4",
        "code-cuda": "#e0b577",
        "code-function": "#8db4ea",
        "code-builtin": "#e39a7f",
        "code-directive": "#c79fc4",
        "code-escape": "#d49bb0",
        "footer-key-foreground": "#e0b577",
        "footer-background": "#1a1d25",
        "block-cursor-text-style": "none",
        "border": "#3a4152",
        "border-blurred": "#2b303d",
    },
)

LIGHT = Theme(
    name="dojo-light",
    primary="#3f6ea8",
    secondary="#6c5aa8",
    accent="#a06a1c",
    foreground="#2b2f38",
    background="#f6f5f1",
    surface="#eeece5",
    panel="#e2dfd5",
    success="#4c7d33",
    warning="#9a6a10",
    error="#b5404a",
    dark=False,
    variables={
        "code-comment": "#8a8778",
        "code-string": "#5b7a2c",
        "code-number": "#9b4a6a",
        "code-keyword": "#6c5aa8",
        "code-type": "#2f7482",
        "code-cuda": "#a06a1c",
        "code-function": "#3f6ea8",
        "code-builtin": "#a8512e",
        "code-directive": "#86508a",
        "code-escape": "#9b4a6a",
        "footer-key-foreground": "#a06a1c",
        "footer-background": "#eeece5",
        "block-cursor-text-style": "none",
        "border": "#b8b3a4",
        "border-blurred": "#d3cfc3",
    },
)
