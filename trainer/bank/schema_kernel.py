"""A kernel task: what `solve` gets, the cases it is checked with, sizes, cost and tolerance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from trainer.bank import expressions
from trainer.bank.model import (
    Argument,
    CaseSpec,
    Cost,
    Entry,
    Example,
    KernelTask,
    LibraryGemm,
    Role,
    Tolerance,
)
from trainer.bank.oracle import lazy_oracle
from trainer.bank.roots import Root
from trainer.bank.source import Value, nearest
from trainer.cuda.model import Parameter, Signature
from trainer.errors import ContentError, Location

_COMMON = ("kind", "level", "title", "statement", "hints")
_KERNEL_REQUIRED = ("arguments", "limits", "tolerance", "cases", "timed", "modelled", "cost")
_KERNEL = (*_KERNEL_REQUIRED, "examples", "accumulates", "large", "library")
_TOLERANCES = ("exact", "ulp", "terms")
_MAX_CASES = 200
ARITHMETIC = ("fp32", "tensor")

# C element type -> NumPy name of the same width.
_DTYPES = {
    "float": "float32",
    "double": "float64",
    "half": "float16",
    "__half": "float16",
    "__nv_bfloat16": "bfloat16",
    "nv_bfloat16": "bfloat16",
    "int": "int32",
    "unsigned int": "uint32",
    "short": "int16",
    "unsigned short": "uint16",
    "char": "int8",
    "signed char": "int8",
    "unsigned char": "uint8",
    "long long": "int64",
    "unsigned long long": "uint64",
    "size_t": "uint64",
}

# Names that other headers have for them; the signature shows what C calls the type.
_ALIASES = {
    "int8_t": "signed char",
    "uint8_t": "unsigned char",
    "int16_t": "short",
    "uint16_t": "unsigned short",
    "int32_t": "int",
    "uint32_t": "unsigned int",
    "unsigned": "unsigned int",
    "int64_t": "long long",
    "uint64_t": "unsigned long long",
    "long": "long long",
    "bool": "unsigned char",
}

Limits = Mapping[str, tuple[int, int]]


def fields_of(value: Value) -> dict[str, Value]:
    return value.fields((*_COMMON, *_KERNEL), required=(*_COMMON, *_KERNEL_REQUIRED))


def kernel_task(fields: Mapping[str, Value], root: Root, entry: Entry) -> KernelTask:
    arguments = _arguments(fields["arguments"])
    sizes = tuple(a.name for a in arguments if a.role is Role.SCALAR and "int" in a.dtype)
    limits = _limits(fields["limits"], sizes)
    tolerance = _tolerance(fields["tolerance"])
    starter, oracle = root.kernels / f"{entry.id}.cu", entry.path.with_suffix(".py")
    for path, role in ((starter, "starter"), (oracle, "oracle")):
        if not path.is_file():
            raise ContentError(f"the {role} {path} is missing", where=Location(entry.path))
    return KernelTask(
        arguments=arguments,
        signature=Signature("solve", tuple(Parameter(a.name, a.ctype) for a in arguments)),
        tolerance=tolerance,
        cases=_cases(fields["cases"], sizes, limits),
        timed=_one_case(fields["timed"], sizes, limits),
        modelled=_one_case(fields["modelled"], sizes, limits),
        cost=_cost(fields["cost"], sizes),
        oracle=lazy_oracle(oracle, needs_terms=tolerance.kind == "terms"),
        starter=starter,
        solutions=root.solutions / entry.id,
        accumulates="accumulates" in fields and fields["accumulates"].boolean(),
        limits=limits,
        examples=_examples(fields["examples"], arguments) if "examples" in fields else (),
        library=_library(fields["library"], arguments, sizes) if "library" in fields else None,
        large=_one_case(fields["large"], sizes, limits) if "large" in fields else None,
    )


def _arguments(value: Value) -> tuple[Argument, ...]:
    items = value.items()
    parsed = [_argument(item) for item in items]
    sizes = {a.name for a in parsed if a.role is Role.SCALAR and "int" in a.dtype}
    seen: set[str] = set()
    for item, argument in zip(items, parsed, strict=True):
        if argument.name in seen:
            item.fail(f"there are two arguments named {argument.name!r}")
        seen.add(argument.name)
        if argument.shape:
            for dimension in item.fields()["shape"].items():
                _check_expression(dimension, sizes)
    if not any(a.role.is_written for a in parsed):
        value.fail("no argument is an output", "An output is a pointer to something that is not const.")
    return tuple(parsed)


def _argument(value: Value) -> Argument:
    fields = value.fields(("name", "type", "shape", "zeroed", "inout"), required=("name", "type"))
    name = fields["name"].string()
    if not name.isidentifier():
        fields["name"].fail(f"{name!r} is no name in C")
    ctype, role, dtype = _ctype(fields["type"])
    if role is Role.SCALAR:
        for key in ("shape", "zeroed", "inout"):
            if key in fields:
                fields[key].fail("only pointers have this")
        return Argument(name, ctype, role, dtype)
    if "shape" not in fields:
        value.fail("'shape' is missing", "A pointer needs the sizes of its array, such as [M, N].")
    shape = tuple(d.expression() for d in fields["shape"].items())
    if not shape:
        fields["shape"].fail("should have at least one dimension")
    inout = "inout" in fields and fields["inout"].boolean()
    if inout and role is Role.INPUT:
        fields["inout"].fail("a pointer to const cannot be written through")
    role = Role.INOUT if inout else role
    zeroed = "zeroed" in fields and fields["zeroed"].boolean()
    if zeroed and role.is_read:
        fields["zeroed"].fail("only an output can be zeroed")
    return Argument(name, ctype, role, dtype, shape, zeroed)


def _ctype(value: Value) -> tuple[str, Role, str]:
    """The C type as written in the signature, what it makes the argument, and its element type."""
    words = value.string().replace("*", " * ").split()
    constant, pointer = words[:1] == ["const"], words[-1:] == ["*"]
    element = " ".join(words[1 if constant else 0 : -1 if pointer else None])
    if element not in _DTYPES:
        hint = f"write {_ALIASES[element]!r}" if element in _ALIASES else nearest(element, _DTYPES)
        value.fail(f"{value.string()!r} is no type that an argument can have", hint)
    role = (Role.INPUT if constant else Role.OUTPUT) if pointer else Role.SCALAR
    ctype = ("const " if constant and pointer else "") + element + ("*" if pointer else "")
    return ctype, role, _DTYPES[element]


def _check_expression(value: Value, sizes: Sequence[str] | set[str]) -> str:
    text = value.expression()
    try:
        unknown = sorted(expressions.names(text) - set(sizes))
    except ContentError as error:
        value.fail(error.message, error.hint)
    if unknown:
        value.fail(f"{unknown[0]!r} is no whole-number argument", nearest(unknown[0], sizes))
    return text


def _limits(value: Value, sizes: Sequence[str]) -> Limits:
    limits = {}
    for name, item in value.fields(sizes).items():
        bounds = item.items()
        if len(bounds) != 2:
            item.fail("should be [least, largest]")
        least, largest = (b.integer() for b in bounds)
        if least > largest:
            item.fail(f"the least size, {least}, is above the largest, {largest}")
        limits[name] = (least, largest)
    for name in sizes:
        if name not in limits:
            value.fail(f"the size {name!r} is missing", f"Say how small and how large: {name}: [1, 1000000].")
    return limits


def _tolerance(value: Value) -> Tolerance:
    fields = value.fields(("kind", "bound"), required=("kind",))
    kind = fields["kind"].choice(_TOLERANCES)
    if kind == "exact":
        if "bound" in fields:
            fields["bound"].fail("exact comparison has no bound")
        return Tolerance(kind)
    if "bound" not in fields:
        value.fail("'bound' is missing")
    bound = fields["bound"].number()
    if not 0 < bound < 1e6:
        fields["bound"].fail("should be above 0")
    return Tolerance(kind, bound)


def _cases(value: Value, sizes: Sequence[str], limits: Limits) -> tuple[CaseSpec, ...]:
    cases: list[CaseSpec] = []
    for item in value.items():
        for case in _expand(item, sizes, limits):
            if case.name in {c.name for c in cases}:
                item.fail(f"the case {case.name!r} is there twice")
            cases.append(case)
    if not cases:
        value.fail("should have at least one case")
    if len(cases) > _MAX_CASES:
        value.fail(f"{len(cases)} cases are too many; the limit is {_MAX_CASES}")
    return tuple(cases)


def _one_case(value: Value, sizes: Sequence[str], limits: Limits) -> CaseSpec:
    cases = _expand(value, sizes, limits)
    if len(cases) != 1:
        value.fail("should be a single case, with one number for each size")
    return cases[0]


def _expand(value: Value, sizes: Sequence[str], limits: Limits) -> list[CaseSpec]:
    """The cases of one entry: sizes given as lists of equal length are read side by side."""
    fields = value.fields(("sizes", "values"), required=("sizes",))
    family = fields["values"].string() if "values" in fields else "random"
    columns = fields["sizes"].fields(sizes, required=sizes)
    lists = {n: [i.integer() for i in v.items()] for n, v in columns.items() if v.is_list}
    if len({len(numbers) for numbers in lists.values()}) > 1:
        lengths = ", ".join(f"{name} has {len(numbers)}" for name, numbers in lists.items())
        fields["sizes"].fail(f"lists of sizes should be equally long: {lengths}")
    count = len(next(iter(lists.values()))) if lists else 1
    single = {n: v.integer() for n, v in columns.items() if n not in lists}
    cases = []
    for i in range(count):
        chosen = {n: lists[n][i] if n in lists else single[n] for n in sizes}
        for name, size in chosen.items():
            least, largest = limits[name]
            if not least <= size <= largest:
                columns[name].fail(f"{size} is outside the limits, {least} to {largest}")
        text = ", ".join(f"{name}={size}" for name, size in chosen.items())
        name = text if family == "random" else f"{text}, {family}"
        cases.append(CaseSpec(name, chosen, family, value.where.line))
    return cases


def _cost(value: Value, sizes: Sequence[str]) -> Cost:
    fields = value.fields(("dram_bytes", "flops", "arithmetic"), required=("dram_bytes", "flops"))
    arithmetic = fields["arithmetic"].choice(ARITHMETIC) if "arithmetic" in fields else ARITHMETIC[0]
    dram_bytes, flops = (_check_expression(fields[key], sizes) for key in ("dram_bytes", "flops"))
    return Cost(dram_bytes, flops, arithmetic)


def _library(value: Value, arguments: Sequence[Argument], sizes: Sequence[str]) -> LibraryGemm:
    names, extents = ("left", "right", "result"), ("rows", "inner", "columns")
    fields = value.fields((*names, *extents, "batch"), required=(*names, *extents))
    pointers = [a.name for a in arguments if a.role is not Role.SCALAR]
    left, right, result = (fields[key].choice(pointers) for key in names)
    rows, inner, columns = (_check_expression(fields[key], sizes) for key in extents)
    batch = _check_expression(fields["batch"], sizes) if "batch" in fields else "1"
    return LibraryGemm(left, right, result, rows, inner, columns, batch)


def _examples(value: Value, arguments: Sequence[Argument]) -> tuple[Example, ...]:
    outputs = [a.name for a in arguments if a.role.is_written]
    inputs = [a.name for a in arguments if a.role is not Role.OUTPUT]
    examples = []
    for item in value.items():
        fields = item.fields(("inputs", "outputs"), required=("inputs", "outputs"))
        given = fields["inputs"].fields(inputs, required=inputs)
        wanted = fields["outputs"].fields(outputs, required=outputs)
        examples.append(
            Example(
                {n: v.plain() for n, v in given.items()},
                {n: v.plain() for n, v in wanted.items()},
                item.where.line,
            )
        )
    return tuple(examples)
