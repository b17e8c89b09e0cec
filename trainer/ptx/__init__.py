# ruff: noqa: E501  (code in another language reads better unbroken)
"""PTX engine: NVRTC's PTX to native code, a warp of 32 lanes at a time.

    module = parse_module(ptx)                       # trainer.ptx.parse
    engine = Engine(module)                          # trainer.ptx.engine
    engine.launch("kernel", grid, block, 0, parameter_bytes, memory)

Adding an instruction: put a handler into a module of `trainer.ptx.lower` (named in its registry):

    @lowers("popc")                                  # base operation, or "add.f16" (operation.lasttype) first
    def popc(ctx: Context, instruction: Instruction) -> None:
        kind = instruction.modifiers[-1]             # "b32" | "b64"
        source = ctx.read(instruction.operands[1], kind)     # <W x i32>, any lane may be garbage outside ctx.mask
        count = ctx.unary_intrinsic("llvm.ctpop", source)
        ctx.write(instruction.operands[0], ctx.convert(count, I32))

Rules: unknown modifiers -> `ctx.unsupported()`; `ctx.read` accepts registers, literals, special registers and
symbols; values are `<W x T>` with W = ctx.width (32, or 1 in host functions); f16 reads as half, bf16 and packed
types as integers; predicates are <W x i1>. `ctx.write` blends under the guard by itself. Side effects must
honour `ctx.mask` (<W x i1>) / `ctx.mask_bits` (i32). Memory goes through `ctx.memory` (trainer.ptx.lower.access):
`load(space, scalar type, count, addresses) -> [values]`, `store(...)`, with addresses from `ctx.address(operand)`.
Multi-destination: `instruction.operands[0]` may be `Pair(first, second)` or `Vector(elements)`.
Long or looping code: write a routine in IR text and call it with `ctx.call_helper(name, text, result, args)`.
Exceptional events: `ctx.event(EventKind.ABSENT_LANE, mask_bits)`; rare slow operations: `ctx.call_python`.
Helpers: ctx.constant, ctx.float_constant, ctx.splat, ctx.lane_ids, ctx.bits (i1 vector -> i32), ctx.lanes (back),
ctx.convert, ctx.load_field("warp.alive"), ctx.slot_field("slot.x", I32), ctx.scratch.
"""
