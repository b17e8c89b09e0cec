"""How events become findings: decoding, counting, merging."""

from __future__ import annotations

from dataclasses import replace

from tests.sim.test_hazards import INDEX, only_hazard, try_kernel
from trainer.sim.hazards import LaunchShape, Party, merge, unflatten
from trainer.sim.report import Hazard, HazardKind, Space
from trainer.sim.sites import Site

RACE = Hazard(
    HazardKind.SHARED_RACE, 7, "k", (0, 0, 0), (33, 0, 0), "s[1]", "first", other_line=5,
    other_thread=(1, 0, 0), other_block=(0, 0, 0),
)  # fmt: skip


def test_linear_numbers_become_coordinates() -> None:
    assert unflatten(0, (4, 3, 2)) == (0, 0, 0)
    assert unflatten(23, (4, 3, 2)) == (3, 2, 1)
    assert unflatten(5, (4, 3, 2)) == (1, 1, 0)


def test_a_shadow_entry_says_who_did_it() -> None:
    sites = {9: Site(9, 42, "store", Space.SHARED, 4)}
    entry = (105 << 40) | (3 << 26) | (77 << 16) | (15 << 12) | 9
    party = Party.of(entry, LaunchShape("k", (8, 1, 1), (256, 1, 1), first_block=100), sites)
    assert (party.block, party.thread, party.line, party.several) == (5, 77, 42, False)


def test_an_entry_of_a_site_beyond_the_last_number_has_no_line() -> None:
    entry = (1 << 40) | 1023
    assert Party.of(entry, LaunchShape("k", (1, 1, 1), (32, 1, 1), 1), {}).line is None


def test_both_sides_of_one_mistake_are_one_finding() -> None:
    other_side = replace(RACE, line=5, other_line=7, message="second", count=3)
    (finding,) = merge([RACE, other_side])
    assert (finding.message, finding.count) == ("first", 4)


def test_different_lines_kernels_and_kinds_stay_apart() -> None:
    found = merge([RACE, replace(RACE, line=9), replace(RACE, kernel="l"), replace(RACE, fatal=False)])
    assert len(found) == 4
    assert [h.fatal for h in found] == [True, True, True, False]


def test_what_got_no_record_is_still_counted() -> None:
    body = "__shared__ float s[1];\n" + INDEX + "for (int k = 0; k < 100; ++k) s[0] = threadIdx.x + k;\n"
    hazard = only_hazard(try_kernel(body + "__syncthreads();\nif (i < n) out[i] = s[0];"))
    assert hazard.count == 4 * 7 * 32  # each lane of each warp but the first, in four blocks
