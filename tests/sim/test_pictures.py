from __future__ import annotations

from trainer.sim.pictures import bank_grid, sector_strip
from trainer.sim.report import WorstRequest


def request(stride: int, active: int = 0xFFFFFFFF, cost: int = 1) -> WorstRequest:
    return WorstRequest((0, 0, 0), 0, active, tuple(lane * stride for lane in range(32)), cost)


def test_a_coalesced_request_fills_four_sectors_of_one_line() -> None:
    text = sector_strip(request(4), 4, unicode=False)
    assert text.splitlines()[1].count("## 32/32 x8") == 4
    assert "4 sectors touched, 128 of 128 bytes used" in text


def test_a_strided_request_shows_how_little_of_each_sector_it_uses() -> None:
    text = sector_strip(request(32), 4, unicode=False)
    assert text.count("++  4/32 x1") == 32
    assert "32 sectors touched, 128 of 1024 bytes used" in text


def test_a_scattered_request_is_cut_short() -> None:
    assert "... and 16 lines more" in sector_strip(request(128), 4)


def test_a_column_read_puts_all_lanes_on_one_bank() -> None:
    lines = bank_grid(request(128, cost=32), 4, unicode=False).splitlines()
    assert all(line[11:] == "#" + "." * 31 for line in lines[1:33])
    assert lines[33][11:] == "w" + "." * 31
    assert lines[-2] == "32 wavefronts; the busiest bank serves 32 different words"
    assert lines[-1] == "# wants another word of its bank than a lane that is served with it"


def test_a_padded_column_is_a_diagonal_of_single_words() -> None:
    lines = bank_grid(request(132), 4).splitlines()
    assert [line[11:].index("□") for line in lines[1:33]] == list(range(32))
    assert lines[-1] == "1 wavefront; the busiest bank serves 1 different word"


def test_lanes_that_share_a_word_or_are_served_apart_do_not_wait() -> None:
    broadcast = WorstRequest((0, 0, 0), 0, 0xFFFFFFFF, (0,) * 31 + (128,), 2)
    cells = [line[11] for line in bank_grid(broadcast, 4, unicode=False).splitlines()[1:33]]
    assert cells == ["#"] * 32  # all want bank 0, and one of them another word
    wide = bank_grid(request(16, cost=4), 16, unicode=False)
    assert "#" not in wide and wide.splitlines()[-1].startswith("4 wavefronts")
    rows_of_two = bank_grid(request(32, cost=8), 16, unicode=False).splitlines()
    assert rows_of_two[1][11:] == "####" + "." * 28


def test_inactive_lanes_are_left_out() -> None:
    assert len(bank_grid(request(4, active=0b101), 4).splitlines()) == 1 + 2 + 2
