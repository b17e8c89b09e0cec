"""Two calm themes of our own, and the colours of code in every theme."""

from __future__ import annotations

from textual.theme import BUILTIN_THEMES, Theme

from trainer.store.config import Mistake, Reading

# Also for themes that know nothing of code: 4.5 to 1 on our own backgrounds, at least 3.5 to 1 on theirs.
# "added" and "removed" lie under the changed lines of a diff.
CODE_ON_DARK = {
    "code-comment": "#8a91a1",
    "code-string": "#a8c08a",
    "code-escape": "#d49bb0",
    "code-number": "#d49bb0",
    "code-keyword": "#a99be0",
    "code-directive": "#c79fc4",
    "code-type": "#7fb9c4",
    "code-cuda": "#e0b577",
    "code-builtin": "#e39a7f",
    "code-function": "#8db4ea",
    "code-added": "#202d24",
    "code-removed": "#352026",
}
CODE_ON_LIGHT = {
    "code-comment": "#6a675a",
    "code-string": "#4f6d22",
    "code-escape": "#8f3f5f",
    "code-number": "#8f3f5f",
    "code-keyword": "#6250a0",
    "code-directive": "#7a457e",
    "code-type": "#27666f",
    "code-cuda": "#8a5610",
    "code-builtin": "#9a4724",
    "code-function": "#33609a",
    "code-added": "#e2eeda",
    "code-removed": "#f7e4e2",
}
# The terminal's own colours, those of the sixteen that can be read on black and on white.
CODE_IN_ANSI = {
    "code-comment": "ansi_bright_black",
    "code-string": "ansi_green",
    "code-escape": "ansi_green",
    "code-number": "ansi_magenta",
    "code-keyword": "ansi_bright_blue",
    "code-directive": "ansi_magenta",
    "code-type": "ansi_cyan",
    "code-cuda": "ansi_red",
    "code-builtin": "ansi_red",
    "code-function": "ansi_default",
    "code-added": "ansi_default",
    "code-removed": "ansi_default",
}


def code_colours(theme: Theme) -> dict[str, str]:
    """For a theme that may have none of its own."""
    return CODE_IN_ANSI if theme.ansi else CODE_ON_DARK if theme.dark else CODE_ON_LIGHT


def row_colours(theme: Theme, *, sixteen: bool) -> dict[str, str]:
    """The row that has the focus, and what is faint. A terminal of sixteen colours has few greys: there a
    tint is the background itself on some themes, and faint text the tint."""
    if not sixteen:
        return {"row-chosen": f"{theme.primary} 25%"}
    chosen = "#0000aa" if theme.dark else f"{theme.primary} 25%"
    muted = theme.to_color_system().generate()["foreground-muted"]
    return {"row-chosen": chosen, "foreground-disabled": muted}


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
        **CODE_ON_DARK,
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
        **CODE_ON_LIGHT,
        "footer-key-foreground": "#a06a1c",
        "footer-background": "#eeece5",
        "block-cursor-text-style": "none",
        "border": "#b8b3a4",
        "border-blurred": "#d3cfc3",
    },
)

NAMES = tuple(sorted({*BUILTIN_THEMES, DARK.name, LIGHT.name}))


def theme_mistakes(reading: Reading) -> list[Mistake]:
    """What is wrong with the theme of the settings: only the app knows which there are."""
    wanted = reading.config.theme
    if wanted in NAMES:
        return []
    return [reading.mistake("theme", f'theme is "{wanted}"', f"known: {', '.join(NAMES)}")]
