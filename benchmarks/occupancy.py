"""Resident blocks that the driver of this GPU counts: `python -m benchmarks.occupancy`.

Asks for kernels of known registers, block sizes and shared memory, and writes the answers into
tests/data/hardware/occupancy_h200.json. A test compares them with the simulator's calculator.
"""

from __future__ import annotations

import json
import sys
from itertools import product
from pathlib import Path

from benchmarks import machine
from benchmarks.counters import compiler
from trainer.cuda.compile import compile_submission
from trainer.errors import WarpDojoError
from trainer.gpu.device import LoadedModule, properties
from trainer.gpu.driver import Driver, FunctionAttribute
from trainer.quiz.proof import occupying
from trainer.quiz.run import SIGNATURE

DATA = Path(__file__).resolve().parent.parent / "tests" / "data" / "hardware" / "occupancy_h200.json"
REGISTERS = (24, 32, 33, 37, 40, 48, 56, 64, 65, 72, 80, 96, 100, 128, 168, 255)
THREADS = (32, 64, 96, 128, 192, 256, 320, 384, 512, 768, 1024)
SHARED_KIB = (0, 2, 4, 8, 16, 24, 32, 40, 48, 100, 227)


def main() -> int:
    try:
        rows = measure()
    except WarpDojoError as problem:
        print(problem, file=sys.stderr)
        return problem.exit_code
    meta = {
        "device": machine.gpu(),
        "compiler": compiler(),
        "date": machine.today(),
        "command": "python -m benchmarks.occupancy",
        "note": "blocks: cuOccupancyMaxActiveBlocksPerMultiprocessor",
    }
    columns = ["registers", "threads", "shared_kib", "blocks"]
    head = json.dumps({"meta": meta, "columns": columns}, indent=1).removesuffix("\n}")
    lines = ",\n  ".join(map(json.dumps, rows))
    DATA.write_text(f'{head},\n "rows": [\n  {lines}\n ]\n}}\n', encoding="utf-8")
    print(f"{DATA}: {len(rows)} rows")
    return 0


def measure() -> list[list[int]]:
    """Registers, threads, KiB of shared memory and resident blocks of every combination."""
    driver = Driver()
    arch = "compute_{}{}".format(*properties(driver).compute_capability)
    rows = []
    for registers in REGISTERS:
        program = compile_submission(occupying(32, registers, 0), SIGNATURE, arch=arch)
        module = LoadedModule(driver, program)
        function = module.function(program.kernels[0].symbol)
        got = driver.function_attribute(function, FunctionAttribute.REGISTERS)
        if got != registers:
            raise WarpDojoError(f"the compiler gave {got} registers, not {registers}")
        most = max(SHARED_KIB) * 1024
        driver.set_function_attribute(function, FunctionAttribute.MAX_DYNAMIC_SHARED, most)
        for threads, kib in product(THREADS, SHARED_KIB):
            blocks = driver.resident_blocks(function, threads, kib * 1024)
            rows.append([registers, threads, kib, blocks])
        module.close()
    return rows


if __name__ == "__main__":
    sys.exit(main())
