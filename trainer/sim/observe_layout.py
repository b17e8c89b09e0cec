"""Memory layout shared by Python and the native observation routines, and what shadow entries mean.

For hazards there is one 64-bit shadow entry per four-byte word for the last writer (or atomic) and one
for the last reader:

    bits 40-63 number of the block, unique over launches; 0: nobody ever
    bits 26-39 how many barriers the block had passed
    bits 16-25 thread in the block
    bits 12-15 which bytes of the word; 0: an atomic
    bit  11    several warps of the block read it in this phase   (readers only)
    bit  10    several blocks of the launch read it               (readers only)
    bits 0-9   number of the access site, 1023 and up the same

so that "concurrent" is arithmetic on the difference of two entries, and nothing needs clearing between
blocks or launches.

The table of sites holds the global side of every site first, then (from SITE_COUNT on) the shared side.
"""

from __future__ import annotations

# Indices into `env.extra`, 64-bit each.
WRITERS, READERS, FIRST_BLOCK, ARENA_BYTES = 0, 1, 2, 3
READ_STAMPS, WRITE_STAMPS, STAMP = 4, 5, 6
SITES, RECORDS, RECORD_COUNT, RECORD_LIMIT = 7, 8, 9, 10
EVENTS, EVENT_COUNT, EVENT_LIMIT, PENDING = 11, 12, 13, 14
FLAGS, LENIENT, ADVISE, SITE_COUNT, POISON = 15, 16, 17, 18, 19

COUNTING, HAZARDS = 1, 2  # bits of FLAGS
TRACKED, UNWRITTEN = 1, 2  # bits of `allocation.spare` (and SITE_WATCH)

SHARED_WRITERS, SHARED_READERS = 0, 1  # indices into `slot.extra`

ENTRIES = 32  # patterns remembered per site
RECORD_BYTES = 160  # site, mask, phase, warp: i32; hits, block: i64; 32 relative addresses: i32
SITE_HEAD = 64  # lo, hi, watch bits: i64; quiet: i32, spare; events by kind: 6 x i32
SITE_BYTES = SITE_HEAD + ENTRIES * RECORD_BYTES
EVENT_BYTES = 64
EVENTS_PER_SITE = 40

# Kinds of event.
WRITE_WRITE, READ_AFTER_WRITE, WRITE_AFTER_READ, UNINITIALISED, SAME_WARP = 1, 2, 3, 4, 5

UNREADY = -1  # as `prior` of an UNINITIALISED event: a copy to the place is under way

EVENT_DRAIN = 100  # EventKind.CUSTOM: the record buffer is full
