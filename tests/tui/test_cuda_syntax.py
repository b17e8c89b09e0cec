"""Which words of CUDA text have which colour, however broken the text is."""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from textual.color import Color
from textual.pilot import Pilot
from textual.theme import BUILTIN_THEMES, Theme

from tests.tui.driving import drive, open_task, until
from trainer.cli.commands.doctor import examine
from trainer.tui import cuda_syntax
from trainer.tui.cuda_syntax import KINDS, highlight
from trainer.tui.services import Services
from trainer.tui.themes import DARK, LIGHT, code_colours
from trainer.tui.widgets.code import code_lines, listing
from trainer.tui.widgets.editor import CudaEditor

SOLUTIONS = Path(__file__).parents[2] / "solutions"
LONG = SOLUTIONS / "bf16-matrix-multiplication" / "07-wgmma.cu"  # macros, inline PTX, templates


def colours(text: str) -> dict[str, str]:
    """Each coloured piece with its kind."""
    rows = text.split("\n")
    return {
        row[s.start : s.end]: s.kind for row, spans in zip(rows, highlight(rows), strict=True) for s in spans
    }


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (
            "__global__ void __launch_bounds__(256) f(const float4* __restrict__ a) {}",
            {
                "__global__": "cuda", "void": "type", "__launch_bounds__": "cuda", "256": "number",
                "f": "function", "const": "keyword", "float4": "type", "__restrict__": "cuda",
            },
        ),
        (
            "void g() { f<4, half><<<grid, 1.5e2f>>>(a); }",
            {
                "void": "type", "g": "function", "f": "function", "4": "number", "half": "type",
                "<<<": "cuda", "1.5e2f": "number", ">>>": "cuda",
            },
        ),
        (
            "template <typename T, int TILE> __device__ T sum(T x) { return x + TILE; }",
            {
                "template": "keyword", "typename": "keyword", "T": "type", "int": "type", "TILE": "number",
                "__device__": "cuda", "sum": "function", "return": "keyword",
            },
        ),
        (
            "s[threadIdx.x] = __shfl_xor_sync(~0u, v, warpSize);",
            {"threadIdx": "cuda", "__shfl_xor_sync": "builtin", "0u": "number", "warpSize": "cuda"},
        ),
        (
            "__shared__ __align__(16) __nv_bfloat16 s[2];",
            {"__shared__": "cuda", "__align__": "cuda", "16": "number", "__nv_bfloat16": "type",
             "2": "number"},
        ),
        (
            'asm volatile("mov.u32 %0, 1;\\n" : "=r"(x));',
            {"asm": "keyword", "volatile": "keyword", '"mov.u32 %0, 1;': "string", "\\n": "escape",
             '"': "string", '"=r"': "string"},
        ),
        (
            '#include <a.h>\n#define TWICE(x) (2 * f(x)) // [red]\n#pragma unroll',
            {"#include": "directive", "<a.h>": "string", "#define": "directive", "TWICE": "function",
             "2": "number", "f": "function", "// [red]": "comment", "#pragma": "directive",
             "unroll": "directive"},
        ),
        ("x; /* a\nint b */ f();", {"/* a": "comment", "int b */": "comment", "f": "function"}),
        ('printf("// no comment");', {"printf": "function", '"// no comment"': "string"}),
        ("// größer ⩾ 数\nint 数 = sizeof(float); // π", {
            "// größer ⩾ 数": "comment", "int": "type", "sizeof": "keyword", "float": "type",
            "// π": "comment",
        }),
    ],
    ids="head launch template warp shared asm directives comment string beyond_ascii".split(),
)  # fmt: skip
def test_words_have_their_colours(text: str, wanted: dict[str, str]) -> None:
    assert colours(text) == wanted


@pytest.mark.parametrize(
    ("text", "word", "kind"),
    [
        ("__global__ void f(int n", "f", "function"),
        ("if (x < 1.5f", "if", "keyword"),
        ("} else {", "else", "keyword"),
        ("for (int i = blockIdx.x * 4; i <", "blockIdx", "cuda"),
        ('printf("no end', "printf", "function"),
        ("__syncthreads(", "__syncthreads", "builtin"),
        ("float4 v = reinterpret_cast<float4*>(", "reinterpret_cast", "keyword"),
        ("const float* input, const", "float", "type"),
        ("dim3 block(TILE, TILE);", "TILE", "number"),
    ],
)
def test_half_a_line_has_the_colours_of_its_words(text: str, word: str, kind: str) -> None:
    assert colours(text).get(word) == kind


@pytest.mark.parametrize("text", ["", "\n\n", "\t", "\0\x07", "\ud800 int", "((((" * 500, "#define A \\"])
def test_no_text_is_too_odd(text: str) -> None:
    rows = text.split("\n")
    assert len(highlight(rows)) == len(rows)
    listing(text)


def test_lines_are_what_they_were() -> None:
    """Cut anywhere, with tabs, other alphabets and the line ends of Windows."""
    text = LONG.read_text().replace("    ", "\t").replace("//", "// π") + "\t// 数"
    for end in range(0, len(text), 997):
        part = text[:end].replace("\n", "\r\n")
        assert [row.plain for row in code_lines(part)] == [row.expandtabs(4) for row in part.splitlines()]


@pytest.mark.parametrize(
    ("theme", "least"),
    [(DARK, 4.5), (LIGHT, 4.5), *((theme, 3.5) for theme in BUILTIN_THEMES.values() if not theme.ansi)],
    ids=lambda value: getattr(value, "name", ""),
)
def test_every_kind_can_be_read(theme: Theme, least: float) -> None:
    colours = {name: Color.parse(colour) for name, colour in code_colours(theme).items()}
    grounds = [Color.parse(theme.to_color_system().generate()["background"])]
    grounds += [colours.pop("code-added"), colours.pop("code-removed")]
    assert set(colours) == {f"code-{kind}" for kind in KINDS}
    assert all(contrast(colour, ground) >= least for colour in colours.values() for ground in grounds)


def contrast(one: Color, other: Color) -> float:
    """As the Web Content Accessibility Guidelines have it: 1 to 21."""
    dark, light = sorted(map(luminance, (one, other)))
    return (light + 0.05) / (dark + 0.05)


def luminance(colour: Color) -> float:
    red, green, blue = (
        part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in colour.normalized
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


# The editor


def in_editor(editor: CudaEditor) -> list[tuple[str, list[object]]]:
    """Each line with the bytes of it that have a colour, as it is drawn."""
    rows = range(editor.document.line_count)
    return [(editor.get_line(row).plain, list(editor._highlights[row])) for row in rows]


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_the_editor_keeps_up_with_edits(services: Services, newline: str) -> None:
    """What is typed, pasted, cut and undone leaves the colours that a file just opened has."""
    rng = random.Random(7)
    pieces = ["", "x", "π 数", "/*", "*/", '"', "\t", "{", "}", "<<<", f"int a;{newline}  float4 b;", newline]

    async def scenario(pilot: Pilot[int]) -> None:
        editor, fresh = CudaEditor(), CudaEditor()
        await pilot.app.mount_all([editor, fresh])
        editor.load_text(LONG.read_text().replace("\n", newline))
        untouched = in_editor(editor)
        for _ in range(60):
            row = rng.randrange(editor.document.line_count)
            column = rng.randrange(len(editor.document.get_line(row)) + 1)
            end = min(row + rng.choice([0, 0, 2]), editor.document.line_count - 1)
            editor.replace(rng.choice(pieces), *sorted([(row, column), (end, 0)]))
            in_editor(editor)
        assert in_editor(editor) != untouched
        while editor.history.undo_stack:
            editor.undo()
        assert in_editor(editor) == untouched
        editor.insert(f"__device__ int π() {{{newline}return 1; }} // 数{newline}", (0, 0))
        fresh.load_text(editor.text)
        assert in_editor(editor) == in_editor(fresh) != untouched

    drive(services, scenario)


def test_typing_shows_colours_of_the_theme(services: Services) -> None:
    async def scenario(pilot: Pilot[int]) -> None:
        screen = await open_task(pilot)
        await pilot.press("E")
        await until(pilot, lambda: type(screen.focused).__name__ == "CudaEditor")
        screen.focused.load_text("")
        for theme in (DARK, LIGHT):
            pilot.app.theme = theme.name
            await pilot.press(*"int ", "enter")
            await pilot.pause()
            style = next(segment.style for segment in screen.focused.render_line(0) if segment.text == "int")
            assert style is not None and style.color is not None
            assert style.color.name == theme.variables["code-type"]

    drive(services, scenario)


@pytest.fixture
def no_tree_sitter(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setitem(sys.modules, "tree_sitter_cuda", None)
    forget = (cuda_syntax._loaded.cache_clear, code_lines.cache_clear)
    for function in forget:
        function()
    yield
    for function in forget:
        function()


@pytest.mark.usefixtures("no_tree_sitter")
def test_without_tree_sitter_code_has_no_colours_and_doctor_says_so(services: Services) -> None:
    async def scenario(pilot: Pilot[int]) -> None:
        screen = await open_task(pilot)
        await pilot.press("E")
        await until(pilot, lambda: type(screen.focused).__name__ == "CudaEditor")
        await pilot.press(*"if")
        assert screen.focused.text.startswith("if")

    drive(services, scenario)
    assert listing("int x;").plain == "    1 int x;"
    checks = {check.name: check for check in examine([])}
    assert not checks["colours"].ok and not checks["colours"].needed
    assert "tree_sitter_cuda" in checks["colours"].detail
