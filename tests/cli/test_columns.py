from __future__ import annotations

import pytest

from trainer.cli.columns import Column, Step, display_width, laid_out

COLUMNS = (Column("id"), Column("title"), Column("at"), Column("us", right=True))
ROWS = (("relu", "Rectified linear", "2026-11-30 09:00", "1.50"), ("top-k", "前 k 个", "2026-11-29", "10.25"))
STEPS = (Step("title", 10), Step("at", 10, brief=True), Step("at"), Step("title"), Step("id", 3))


@pytest.mark.parametrize(
    ("width", "row"),
    [
        (60, "relu   Rectified linear  2026-11-30 09:00   1.50"),
        (42, "relu   Rectified…  2026-11-30 09:00   1.50"),
        (40, "relu   Rectified lin…  2026-11-30   1.50"),
        (29, "relu   Rectified line…   1.50"),
        (15, "relu    1.50"),
        (10, "re…   1.50"),
    ],
)
def test_columns_give_way_in_their_order_and_share_what_is_left(width: int, row: str) -> None:
    heading, first, _ = laid_out(COLUMNS, ROWS, width, STEPS)
    assert first == row
    assert heading.split() == [c.title for c in COLUMNS if c.title in heading] and heading.endswith("us")


@pytest.mark.parametrize("width", [1, 5, 12, 20, 33, 47])
def test_no_line_is_wider_than_there_is_room(width: int) -> None:
    assert max(map(display_width, laid_out(COLUMNS, ROWS, width, STEPS))) <= width
