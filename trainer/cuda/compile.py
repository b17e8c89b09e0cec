"""`compile_submission`: a submission's text to a `Program`, by NVRTC alone.

Two compiles. The host text with `-rdc=true` gives the PTX of the host function, where a launch is
a pair of calls and every API function an external one (see `host.py`). The device text gives the
kernels exactly as CuPy's RawModule compiles them, plus what ptxas knows about them. Templates are
instantiated by the host function; the second compile is asked for the same instances by name.
"""

from __future__ import annotations

import contextlib
import re
import time

from trainer.cuda import nvrtc
from trainer.cuda.advice import advice, lacking, library_part
from trainer.cuda.checks import misused_kernels
from trainer.cuda.demangle import Unnameable, demangle, pretty
from trainer.cuda.diagnostics import clean, merge, parse_log, render
from trainer.cuda.host_only import explained
from trainer.cuda.includes import FILE_NAME, include_folders
from trainer.cuda.model import Diagnostic, Program, Severity, Signature
from trainer.cuda.resources import entries, kernel_resources
from trainer.cuda.signature import check_signature, find_entry, missing_entry, probe, probed_types
from trainer.cuda.source import Prepared, prepare
from trainer.cuda.traps import TRAPS
from trainer.errors import CompileError, Location, UnsupportedError

_STANDARD, _NEWER_STANDARD = "--std=c++17", "--std=c++20"
_HOST_OPTIONS = ("-rdc=true", "--fmad=false", "-DWARPDOJO_HOST")
# What CuPy's RawModule adds by itself.
_RAW_MODULE_OPTIONS = ("--device-as-default-execution-space", "-ftz=true")
_ENTRY_FUNCTION = r"\.func\s+(?:\([^)]*\)\s*)?((?:_ZL?\d+)?{entry}\w*)\s*\("
_EXTERNAL = re.compile(r"\.extern\s+\.func\s+(?:\([^)]*\)\s*)?([\w$]+)")
_SYMBOL = re.compile(r"\bmov\.[ub]64\s+%\w+, ([A-Za-z_$][\w$]*);\s*cvta\.(?:const|global)\.u64")
_CUDA_CALL = re.compile(r"(?:__)?cu(?=da[A-Z]|[A-Z])")
_LIBRARY = re.compile(r"\bthrust\b|\bcub\b|\biterator_traits\b")
_PTX_LINE = re.compile(r"^ptxas application ptx input, line (\d+); error\s*: (.*)$", re.MULTILINE)
_LOC = re.compile(r"\s*\.loc\s+1\s+(\d+)\s")
_GENERATED = re.compile(r"^(?:\$|__unnamed|_ZZ|_ZTV|_ZTS|_ZTI)")


def compile_submission(
    source: str, signature: Signature, *, arch: str = "compute_90", from_cache: bool = False
) -> Program:
    """Compiles for `arch` (a virtual architecture; its real one gives registers and spills).

    The language is C++17, nvcc's own choice, and C++20 where a file needs that. With `from_cache`, NVRTC
    may give what it compiled before: sooner, but without what ptxas reports.

    Raises CompileError (with diagnostics at the user's lines), UnsupportedError for a feature that
    no backend can run, MissingToolError without NVRTC.
    """
    prepared = prepare(source, signature.entry)
    try:
        return _compile(prepared, signature, arch, from_cache, _STANDARD)
    except CompileError as error:
        if not error.diagnostics:  # nothing that the compiler said
            raise
        with contextlib.suppress(CompileError):
            return _compile(prepared, signature, arch, from_cache, _NEWER_STANDARD)
        raise


def _compile(prepared: Prepared, signature: Signature, arch: str, from_cache: bool, standard: str) -> Program:
    started = time.perf_counter()
    entry = find_entry(prepared.scan, signature)
    host = _compile_host(prepared, signature, arch, standard, with_probe=entry is not None)
    expressions = _name_expressions(host.ptx)
    options = _options(prepared, arch, standard)
    device = nvrtc.compile_text(
        prepared.device_text,
        (
            *options,
            *_RAW_MODULE_OPTIONS,
            f"-arch={_real(arch, prepared)}",
            "--ptxas-options=-v",
            *(() if from_cache else nvrtc.without_cache()),
        ),
        name=FILE_NAME,
        name_expressions=expressions,
    )
    text = prepared.scan.source
    misused = misused_kernels(prepared.scan)
    said = [*parse_log(host.log, text), *explained(parse_log(device.log, text), prepared.hidden)]
    diagnostics = merge([*misused, *(d for d in said if d.line or not misused)])
    if misused or not host.ok or not device.ok:
        if _PTX_LINE.search(device.log):
            diagnostics = merge(
                [*diagnostics, *_assembler_errors(prepared, options, expressions, arch, device.log)]
            )
        raise _failure(diagnostics, prepared, host.log + device.log)
    symbol = _entry_symbol(host.ptx, prepared, signature)
    types = probed_types(host.ptx)
    if types is not None:
        line = prepared.scan.line_of(entry.start) if entry else 0
        check_signature(types, signature, entry, line)
    _refuse_unknown_calls(host.ptx, prepared)
    _check_every_kernel(host.ptx, device.ptx, prepared)
    return Program(
        source=prepared.original,
        entry=symbol,
        host_ptx=host.ptx,
        device_ptx=device.ptx,
        gpu_source=prepared.device_text,
        name_expressions=expressions,
        options=options,
        kernels=kernel_resources(device.ptx, device.log),
        diagnostics=diagnostics,
        log=render(diagnostics, prepared.original),
        compile_s=time.perf_counter() - started,
        cubin=device.cubin,
    )


def _options(prepared: Prepared, arch: str, standard: str) -> tuple[str, ...]:
    """What RawModule is given; it chooses `-arch` itself unless sm_90a is needed."""
    options = [standard, "-lineinfo", *(f"-I{folder}" for folder in include_folders())]
    options.append("--pre-include=warpdojo/prelude.h")
    if prepared.accelerated:
        options.append(f"-arch={_real(arch, prepared)}")
    return tuple(options)


def _real(arch: str, prepared: Prepared) -> str:
    return arch.replace("compute_", "sm_").rstrip("a") + ("a" if prepared.accelerated else "")


def _compile_host(
    prepared: Prepared, signature: Signature, arch: str, standard: str, *, with_probe: bool
) -> nvrtc.NvrtcOutput:
    text = prepared.host_text + "\n" + (probe(signature.entry) if with_probe else "")
    options = (standard, "-lineinfo", *(f"-I{folder}" for folder in include_folders()))
    return nvrtc.compile_text(
        text,
        (
            *options,
            "--pre-include=warpdojo/prelude.h",
            "--device-as-default-execution-space",
            *_HOST_OPTIONS,
            f"-arch={arch}",
        ),
        name=FILE_NAME,
    )


def _assembler_errors(
    prepared: Prepared, options: tuple[str, ...], expressions: tuple[str, ...], arch: str, log: str
) -> list[Diagnostic]:
    """ptxas names lines of the PTX: of inline assembly that NVRTC does not look at."""
    virtual = _real(arch, prepared).replace("sm_", "compute_")
    ptx = nvrtc.compile_text(
        prepared.device_text,
        (*(o for o in options if not o.startswith("-arch")), *_RAW_MODULE_OPTIONS, f"-arch={virtual}"),
        name=FILE_NAME,
        name_expressions=expressions,
    ).ptx.split("\n")
    found = []
    for number, message in _PTX_LINE.findall(log):
        line = next((m for text in reversed(ptx[: int(number)]) if (m := _LOC.match(text))), None)
        found.append(Diagnostic(int(line.group(1)) if line else 0, 0, Severity.ERROR, f"ptxas: {message}"))
    return found


def _failure(
    diagnostics: tuple[Diagnostic, ...], prepared: Prepared, log: str
) -> CompileError | UnsupportedError:
    errors = [d for d in diagnostics if d.severity is Severity.ERROR]
    first = errors[0] if errors else None
    rendered = render(diagnostics, prepared.original)
    lacks = lacking(log) or (library_part(prepared.scan.source) if _LIBRARY.search(rendered) else "")
    if lacks:
        return UnsupportedError(
            f"{lacks} is not available to host functions here.",
            where=Location(FILE_NAME, _line_of_word(prepared, lacks) or None),
            hint=advice(log, prepared.missing) or "Write it as kernels of your own.",
        )
    count = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
    unplaced = re.search(r"error\s*: (.+)", log)
    message = f"{first.message}{count}" if first else clean(unplaced.group(1)) if unplaced else ""
    return CompileError(
        message or "The file does not compile.",
        where=Location(FILE_NAME, first.line or None, first.column or None) if first else Location(FILE_NAME),
        hint=advice(log, prepared.missing),
        log=rendered,
        diagnostics=diagnostics,
    )


def _name_expressions(host_ptx: str) -> tuple[str, ...]:
    """Instances of kernel templates, and the variables that the host function reads or writes."""
    expressions = []
    for symbol in entries(host_ptx):
        try:
            name = demangle(symbol)
        except Unnameable as error:
            raise UnsupportedError(
                "A kernel template is launched with a lambda or a type local to a function.",
                hint="Give it a name at file scope: a functor `struct` instead of the lambda.",
            ) from error
        if name.is_template:
            expressions.append(name.text)
    addressed = dict.fromkeys(_SYMBOL.findall(host_ptx))
    expressions += [f"&{pretty(symbol)}" for symbol in addressed if _is_users_variable(symbol)]
    return tuple(expressions)


def _is_users_variable(symbol: str) -> bool:
    """Not a string literal, a static of a function, or an object of a library."""
    name = pretty(symbol)
    if _GENERATED.match(symbol) or name.startswith(("std::", "thrust::")):
        return False
    return name != symbol or not symbol.startswith("_Z")


def _entry_symbol(host_ptx: str, prepared: Prepared, signature: Signature) -> str:
    names = re.findall(_ENTRY_FUNCTION.format(entry=re.escape(signature.entry)), host_ptx)
    for name in names:
        if name == signature.entry or re.match(rf"_ZL?{len(signature.entry)}{signature.entry}", name):
            return str(name)
    raise missing_entry(prepared.scan, signature)


def _refuse_unknown_calls(host_ptx: str, prepared: Prepared) -> None:
    for name in _EXTERNAL.findall(host_ptx):
        if name in TRAPS or "wd_signature_of" in name:
            continue
        readable = pretty(name).split("<")[0]
        line = _line_of_word(prepared, readable.split("::")[-1])
        where = Location(FILE_NAME, line or None)
        if readable.startswith("cublas"):
            raise CompileError(
                f"cuBLAS ({readable}) is not available to a submission.",
                where=where,
                hint="Write the kernel yourself: that is the exercise.",
            )
        if _CUDA_CALL.match(readable):
            raise UnsupportedError(
                f"{_CUDA_CALL.sub('cu', readable)} is not available to host functions here.",
                where=where,
                hint="Host code here allocates, copies, launches and prints.",
            )
        raise CompileError(
            f"`{readable}` is declared but nowhere defined.",
            where=where,
            hint="A submission is one file: define every function it calls.",
        )


def _line_of_word(prepared: Prepared, word: str) -> int:
    match = re.search(rf"\b{re.escape(word)}\b", prepared.scan.code)
    return prepared.scan.line_of(match.start()) if match else 0


def _check_every_kernel(host_ptx: str, device_ptx: str, prepared: Prepared) -> None:
    lost = set(entries(host_ptx)) - set(entries(device_ptx))
    if lost:
        name = pretty(min(lost))
        raise UnsupportedError(
            f"The kernel {name} cannot be compiled apart from the host function.",
            where=Location(FILE_NAME, _line_of_word(prepared, name.split("<")[0]) or None),
            hint="Give its template arguments names at file scope.",
        )
