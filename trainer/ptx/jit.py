"""LLVM behind one small class: IR text in, native code in this process out."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from trainer.ptx import half_support, object_cache
from trainer.ptx.layout import OFFSET, SIZE, WARP_BYTES

_FIELD = re.compile(
    r"^(?P<indent>\s*)(?P<head>.*\bptr )(?P<base>%[\w.]+)->(?P<field>\w+\.\w+)"
    r"(?:\[(?P<index>%?[\w.]+)(?:\s*x\s*(?P<scale>\d+))?\])?(?P<tail>.*)$"
)
_WIDE = re.compile(r"\s*(?:%[\w.]+ = load|store) <(?:W|16) x")
_SIZE = re.compile(r"sizeof\((\w+)\)")
_OFFSETOF = re.compile(r"offsetof\((\w+\.\w+)\)")
_TO_LANES = re.compile(r"\s*(%[\w.]+) = call <W x i1> @wd_lanes\(i32 (%?[\w.-]+)\)")
_TO_BITS = re.compile(r"\s*(%[\w.]+) = call i32 @wd_bits\(<W x i1> (%[\w.]+)\)")


def _convert_lanes(line: str, width: int) -> str:
    """`wd_lanes` (lane mask to vector of i1) and `wd_bits` (back) are written out in place."""
    if match := _TO_LANES.match(line):
        result, mask = match.groups()
        if width == 32:
            return f"  {result} = bitcast i32 {mask} to <32 x i1>"
        return f"  {result}.n = trunc i32 {mask} to iW\n  {result} = bitcast iW {result}.n to <W x i1>"
    if match := _TO_BITS.match(line):
        result, lanes = match.groups()
        if width == 32:
            return f"  {result} = bitcast <32 x i1> {lanes} to i32"
        return f"  {result}.n = bitcast <W x i1> {lanes} to iW\n  {result} = zext iW {result}.n to i32"
    return line


def expand(template: str, width: int) -> str:
    """Fill in a runtime template.

    `<W x T>` becomes a vector of `width` lanes, `iW` an integer of as many bits,
    `ptr %base->struct.field` (also `[index x scale]`) an address computed just before,
    `sizeof(struct)` and `offsetof(struct.field)` numbers; `call ... @wd_lanes(i32 %m)` the vector of i1
    that a lane mask is, `call i32 @wd_bits(<W x i1> %v)` the mask that a vector is.
    """
    lines = []
    for number, line in enumerate(template.split("\n")):
        match = _FIELD.match(line)
        if match:
            offset, address = OFFSET[match["field"]], f"%field.{number}"
            lines.append(f"  {address} = getelementptr i8, ptr {match['base']}, i64 {offset}")
            if match["index"]:
                scaled = f"%index.{number}"
                lines.append(f"  {scaled} = mul i64 {match['index']}, {match['scale'] or 1}")
                lines.append(f"  {address}.i = getelementptr i8, ptr {address}, i64 {scaled}")
                address += ".i"
            line = f"{match['indent']}{match['head']}{address}{match['tail']}"
        if "align" not in line and _WIDE.match(line):
            line += ", align 64"  # frames and stack buffers are; LLVM would assume the vector's own size
        lines.append(_convert_lanes(line, width) if "@wd_" in line else line)
    text = "\n".join(lines)
    text = _SIZE.sub(lambda m: str(SIZE[m.group(1)]), text)
    text = _OFFSETOF.sub(lambda m: str(OFFSET[m.group(1)]), text)
    text = text.replace("WARPBYTES", str(WARP_BYTES)).replace("WIDTH", str(width))
    text = text.replace("@wd_", f"@wd{width}_")
    return text.replace("<W x", f"<{width} x").replace("vW", f"v{width}").replace("iW", f"i{width}")


class Jit:
    """Compiles IR text and keeps the native code for the life of the process."""

    def __init__(self) -> None:
        import llvmlite.binding as llvm

        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        self.llvm: Any = llvm
        self.cpu = llvm.get_host_cpu_name()
        features = llvm.get_host_cpu_features()
        self.features = features.flatten()
        self.machines: dict[int, Any] = {}
        self.engine: Any = llvm.create_mcjit_compiler(llvm.parse_assembly(""), self.machine(1))
        if half_support.needed(llvm.get_default_triple(), dict(features)):
            self.add(half_support.SYMBOLS, level=1)

    def machine(self, level: int) -> Any:
        """The target machine for a code generation level (0 to 3)."""
        if level not in self.machines:
            target = self.llvm.Target.from_default_triple()
            self.machines[level] = target.create_target_machine(
                cpu=self.cpu, features=self.features, opt=level, codemodel="jitdefault", jit=True
            )
        return self.machines[level]

    def add(self, text: str, *, level: int, keep: bool = False) -> None:
        """Compile a module; `level` is that of code generation (0 to 3).

        LLVM's own passes do not run: the text is as it should be, and they take longer than they save.
        `keep`: its native code is worth keeping on disk for the next process.
        """
        name = ""
        data: bytes | None = None
        if keep:
            version = self.llvm.llvm_version_info
            name = object_cache.key(text, level, self.cpu, self.features, version)
            data = object_cache.load(name)
        if data is None:
            data = self._compile(text, level)
            if keep:
                object_cache.store(name, data)
        self.engine.add_object_file(self.llvm.ObjectFileRef.from_data(data))

    def _compile(self, text: str, level: int) -> bytes:
        llvm = self.llvm
        module = llvm.parse_assembly(text)
        machine = self.machine(level)
        return bytes(machine.emit_object(module))

    def address(self, name: str) -> int:
        """Native address of a function."""
        self.engine.finalize_object()
        return int(self.engine.get_function_address(name))


@cache
def jit() -> Jit:
    """The process's compiler; created when first needed (importing LLVM costs about 0.1 s)."""
    return Jit()
