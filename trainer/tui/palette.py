"""What the command palette lists. Textual's own provider would take titles of questions for markup."""

from __future__ import annotations

from textual.command import DiscoveryHit, Hit, Hits, Provider

from trainer.tui.text import plain


class Commands(Provider):
    """The commands of the app, their words taken as they are.

    The palette hands texts and helps to `Content.from_markup`, which leaves content alone."""

    async def discover(self) -> Hits:
        for command in sorted(self.app.get_system_commands(self.screen), key=lambda command: command.title):
            if command.discover:
                yield DiscoveryHit(
                    plain(command.title),
                    command.callback,
                    text=command.title,
                    help=plain(command.help),  # type: ignore[arg-type]  # content will do as well
                )

    async def search(self, query: str) -> Hits:
        matcher = self.matcher(query)
        for command in self.app.get_system_commands(self.screen):
            shown = plain(command.title)
            score, places = matcher.fuzzy_search.match(query, shown.plain)
            if score <= 0:
                continue
            for place in places:
                if not shown.plain[place].isspace():
                    shown = shown.stylize(matcher.match_style, place, place + 1)
            yield Hit(
                score,
                shown,
                command.callback,
                text=shown.plain,
                help=plain(command.help),  # type: ignore[arg-type]
            )
