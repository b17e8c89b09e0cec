"""Ten questions of the bank by keyboard in the app: one answered wrong, one skipped, both met again."""

from __future__ import annotations

from textual.pilot import Pilot

from tests.tui.driving import drive, until, until_screen, until_text
from trainer.bank.quiz import Form
from trainer.quiz.draw import LETTERS, Drawn
from trainer.quiz.judge import solution
from trainer.tui.services import Services

MISSED, SKIPPED = 3, 6


def keys_of(drawn: Drawn, *, right: bool) -> list[str]:
    """What somebody presses to answer."""
    if drawn.form is Form.LINES:
        numbers = solution(drawn).split() if right else ["977"] * len(solution(drawn).split())
        return [key for number in numbers for key in (*number, "enter")]
    if drawn.form is Form.NUMERIC:
        number = solution(drawn) if right else "123456"
        return [*("full_stop" if sign == "." else sign for sign in number), "enter"]
    letters = list(solution(drawn))
    if not right and drawn.form is Form.ORDERING:
        letters.reverse()
    elif not right:
        letters = [next(a for a in LETTERS if a not in letters)] if len(letters) == 1 else letters[:1]
    return letters if drawn.form is Form.SINGLE else [*letters, "enter"]


def test_a_session_of_ten(services: Services) -> None:
    async def scenario(pilot: Pilot[int]) -> None:
        await pilot.press("z")
        screen = await until_screen(pilot, "QuizScreen")
        asked = list(screen.session.questions)
        assert len(asked) == 10
        for turn in [*range(10), MISSED, SKIPPED]:
            await until(pilot, lambda drawn=asked[turn]: screen.drawn is drawn and screen.judgement is None)
            again = turn in (MISSED, SKIPPED) and screen.session.is_back
            await until_text(pilot, f"{turn + 1}/10{' again' if again else ''}")
            if turn == SKIPPED and not again:
                await pilot.press("s")
                continue
            right = turn != MISSED or again
            await pilot.press(*keys_of(asked[turn], right=right))
            await until(pilot, lambda: screen.judgement is not None)
            assert screen.judgement.right is right, asked[turn].question.id
            await pilot.press("enter")
        await until_text(pilot, "Done", "9 of 10 right at once")

    drive(services, scenario)
