"""Memory counters of many kernels: `python -m benchmarks.counters measure|compare`.

measure  runs them on this GPU under Nsight Compute (ncu) and writes tests/data/hardware/kernels_h200.json
compare  shows where the simulator counts otherwise than that file says
"""

from __future__ import annotations

import argparse
import csv
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from benchmarks import machine
from benchmarks.counted import DATA, Counters, Runner, programs
from trainer.cuda import nvrtc
from trainer.errors import MissingToolError, WarpDojoError

METRICS = {
    "global_load_requests": "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
    "global_load_sectors": "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
    "global_store_requests": "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
    "global_store_sectors": "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
    "shared_load_requests": "smsp__sass_inst_executed_op_shared_ld.sum",
    "shared_load_wavefronts": "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
    "shared_store_requests": "smsp__sass_inst_executed_op_shared_st.sum",
    "shared_store_wavefronts": "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
}
PROFILER = "ncu --clock-control none --metrics {metrics} --csv --print-units base"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("what", choices=("measure", "compare", "launch"), help=argparse.SUPPRESS)
    parser.add_argument("--manifest", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    try:
        if options.what == "launch":
            launch_all(options.manifest)
        elif options.what == "measure":
            measure()
        else:
            return compare()
    except WarpDojoError as problem:
        print(problem, file=sys.stderr)
        return problem.exit_code
    return 0


def measure() -> None:
    """Runs `launch` under ncu and writes what it counted."""
    with tempfile.TemporaryDirectory() as folder:
        manifest = Path(folder) / "manifest.json"
        launch = [sys.executable, "-m", "benchmarks.counters", "launch", "--manifest", str(manifest)]
        counted = profiled(METRICS.values(), launch)
        write(counted, json.loads(manifest.read_text()))


def profiled(metrics: Iterable[str], command: Sequence[str]) -> Iterator[tuple[list[int], Counters]]:
    """Runs `command` under ncu: (grid, value of each metric) of every launch, in order."""
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "counters.csv"
        profiler = PROFILER.format(metrics=",".join(metrics)).split()
        try:
            subprocess.run([*profiler, "--log-file", str(table), *command], check=True)
        except FileNotFoundError as problem:
            hint = "Nsight Compute comes with CUDA's toolkit."
            raise MissingToolError("ncu is not on the PATH.", hint=hint) from problem
        except subprocess.CalledProcessError as problem:
            log = table.read_text() if table.exists() else ""
            said = " ".join(line for line in log.splitlines() if "ERROR" in line)
            raise WarpDojoError(f"ncu failed: {said or problem}") from problem
        return launches_of(table.read_text())


def launch_all(manifest: Path) -> None:
    """Runs every program once on the GPU and notes the launches in their order."""
    from trainer.gpu.backend import GpuBackend

    runner = Runner(GpuBackend())
    noted = []
    for program in programs():
        launches = runner.run(program, observe=False).launches
        noted.append(
            {
                "program": program.name,
                "digest": program.digest,
                "launches": [[one.kernel, list(one.grid), list(one.block)] for one in launches],
            }
        )
    about = {"device": runner.backend.device, "compiler": compiler()}
    manifest.write_text(json.dumps({**about, "programs": noted}))


def compiler() -> str:
    """What makes the code: another version may unroll or widen other accesses."""
    return "NVRTC {}.{}".format(*nvrtc.version())


def write(counted: Iterator[tuple[list[int], Counters]], manifest: dict[str, Any]) -> None:
    """Pairs the launches that ncu saw with those that were made, in order, and writes the data file."""
    found = {}
    for program in manifest["programs"]:
        kernels: dict[str, Counters] = {}
        for kernel, grid, _block in program["launches"]:
            seen_grid, metrics = next(counted)
            if seen_grid != grid:
                raise WarpDojoError(f"{program['program']}: ncu saw a grid of {seen_grid}, not {grid}")
            sums = kernels.setdefault(kernel, dict.fromkeys(METRICS, 0))
            for name, metric in METRICS.items():
                sums[name] += metrics[metric]
        found[program["program"]] = {"digest": program["digest"], "kernels": kernels}
    meta = {
        "device": manifest["device"],
        "compiler": manifest["compiler"],
        "tool": "Nsight Compute (ncu)",
        "date": machine.today(),
        "command": "python -m benchmarks.counters measure",
        "metrics": METRICS,
        "note": "sums over the launches of a kernel in one call of solve; global loads include cp.async",
    }
    known = json.loads(DATA.read_text())["programs"] if DATA.exists() else {}
    for name, program in found.items():
        if "known_difference" in known.get(name, {}):
            program["known_difference"] = known[name]["known_difference"]
    DATA.write_text(json.dumps({"meta": meta, "programs": found}, indent=1) + "\n", encoding="utf-8")
    print(DATA)


def launches_of(table: str) -> Iterator[tuple[list[int], Counters]]:
    """(grid, metric values) of each launch in ncu's CSV, in order."""
    lines = [line for line in table.splitlines() if line.startswith('"')]
    by_launch: dict[int, tuple[list[int], Counters]] = {}
    for row in csv.DictReader(lines):
        grid = [int(n) for n in row["Grid Size"].strip("()").split(",")]
        _, metrics = by_launch.setdefault(int(row["ID"]), (grid, {}))
        metrics[row["Metric Name"]] = int(float(row["Metric Value"].replace(",", "")))
    for number in sorted(by_launch):
        yield by_launch[number]


def compare() -> int:
    """Prints every counter that differs; 1 if an unexplained one does."""
    from trainer.sim.backend import SimBackend

    runner = Runner(SimBackend())
    measured = json.loads(DATA.read_text())["programs"]
    equal = explained = differ = 0
    for program in programs():
        there = measured.get(program.name)
        if there is None or there["digest"] != program.digest:
            print(f"{program.name}: not measured as it is now")
            continue
        wrong = differences(there["kernels"], runner.simulated(program))
        reason = there.get("known_difference", "")
        equal += not wrong
        explained += bool(wrong and reason)
        differ += bool(wrong and not reason)
        for line in wrong:
            print(f"{program.name}: {line}" + (f" ({reason})" if reason else ""))
    print(f"{equal} programs equal, {explained} with a known difference, {differ} otherwise")
    return int(differ > 0)


def differences(there: dict[str, Counters], here: dict[str, Counters]) -> list[str]:
    """Readable differences of two sets of counters, by kernel."""
    found = []
    for kernel in sorted(there.keys() | here.keys()):
        one, other = there.get(kernel, {}), here.get(kernel, {})
        found += [
            f"{kernel} {name}: GPU {one.get(name)}, simulator {other.get(name)}"
            for name in METRICS
            if one.get(name) != other.get(name)
        ]
    return found


if __name__ == "__main__":
    sys.exit(main())
