"""IR that limits how often an instruction reports the same kind of event (runtime-template syntax)."""

from __future__ import annotations

REPORTS = 8  # of a kind of event, for each instruction and launch: an event costs microseconds


def unless_told(field: str) -> str:
    """Branches to `tell`, or to `done` when `site.<field>` has counted REPORTS of this instruction.

    Needs `%env` and `i32 %site`.
    """
    return f"""\
  %sites = load ptr, ptr %env->env.sites
  %site.wide = zext i32 %site to i64
  %site.offset = mul i64 %site.wide, sizeof(site)
  %own = getelementptr i8, ptr %sites, i64 %site.offset
  %told = load i64, ptr %own->site.{field}
  %told.next = add i64 %told, 1
  store i64 %told.next, ptr %own->site.{field}
  %enough = icmp uge i64 %told, {REPORTS}
  br i1 %enough, label %done, label %tell
"""
