from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.bank.small_bank import QUESTION, make_bank
from trainer.bank.index import question_files, read_entry
from trainer.bank.model import Kind, LibraryGemm, Question, Role, localized
from trainer.bank.schema import load_question
from trainer.errors import ContentError


def load(folder: Path, text: str = QUESTION) -> Question:
    root = make_bank(folder, text)
    return load_question(root, read_entry(question_files(root)[0]))


def refusal(folder: Path, old: str, new: str) -> ContentError:
    assert old in QUESTION
    with pytest.raises(ContentError) as caught:
        load(folder, QUESTION.replace(old, new))
    return caught.value


def test_a_question_is_read_whole(tmp_path: Path) -> None:
    question = load(tmp_path)
    assert (question.id, question.topic, question.kind, question.level) == (
        "double",
        "basics",
        Kind.KERNEL,
        "easy",
    )
    task = question.task
    assert task is not None
    assert str(task.signature) == 'extern "C" void solve(const float* x, float* y, int N)'
    assert [a.role for a in task.arguments] == [Role.INPUT, Role.OUTPUT, Role.SCALAR]
    assert task.arguments[0].dtype == "float32" and task.arguments[0].shape == ("N",)
    assert [c.name for c in task.cases] == ["N=1", "N=2", "N=70", "N=9, equal"]
    assert task.cases[3].values == "equal"
    assert task.limits == {"N": (1, 100)}
    assert task.examples[0].outputs == {"y": [2.0, 5.0]}
    assert task.starter.name == "double.cu"


def test_an_array_to_be_overwritten_is_input_and_output(tmp_path: Path) -> None:
    text = QUESTION.replace("type: float*, shape: [N]", "type: float*, shape: [N], inout: true")
    task = load(tmp_path, text.replace("N: 2}", "y: [0.0, 0.0], N: 2}")).task
    assert task is not None
    role = task.arguments[1].role
    assert role is Role.INOUT and role.is_read and role.is_written
    assert set(task.examples[0].inputs) == {"x", "y", "N"} and set(task.examples[0].outputs) == {"y"}


def test_text_without_a_translation_falls_back_to_english(tmp_path: Path) -> None:
    text = QUESTION.replace("title: Double it", "title: {en: Double it, zh: 加倍}")
    title = load(tmp_path, text).title
    assert localized(title, "zh") == "加倍"
    assert localized(title, "fr") == "Double it"


def test_lists_of_sizes_are_read_side_by_side(tmp_path: Path) -> None:
    two = QUESTION.replace("- {name: N, type: int}", "- {name: N, type: int}\n  - {name: M, type: int}")
    two = two.replace("limits: {N: [1, 100]", "limits: {N: [1, 100], M: [1, 9]")
    for line in ("N: 100", "N: 64", "2.5], N: 2"):
        two = two.replace(line, f"{line}, M: 1")
    text = two.replace("{N: [1, 2, 70]}", "{N: [1, 2], M: [5, 6]}").replace("{N: 9}", "{N: 9, M: 9}")
    task = load(tmp_path, text).task
    assert task is not None
    assert [dict(c.sizes) for c in task.cases[:2]] == [{"N": 1, "M": 5}, {"N": 2, "M": 6}]


MISTAKES = [
    # old, new, line, part of the message, part of the hint
    ("level: easy", "level: esay", 2, "'esay' is not known", "'easy'"),
    ("statement:", "statment:", 4, "'statment' is not known", "'statement'"),
    ("hints: [one, two, three]\n", "", 1, "'hints' is missing", ""),
    ("hints: [one, two, three]", "hints: one", 5, "hints: should be a list, not 'one'", ""),
    ("hints: [one,", "hints: [{zh: x},", 5, "'en' is missing", ""),
    ("title: Double it", "title: ''", 3, "should not be empty", ""),
    ("const float*", "const flaot*", 7, "'const flaot*' is no type", "'float'"),
    ("{name: x,", "{name: 2x,", 7, "'2x' is no name in C", ""),
    ("{name: y,", "{name: x,", 8, "two arguments named 'x'", ""),
    ("type: float*, shape: [N]", "type: float*", 8, "'shape' is missing", ""),
    ("type: float*, shape: [N]", "type: float*, shape: [M]", 8, "'M' is no whole-number argument", "N"),
    ("type: float*, shape: [N]", "type: float*, shape: [N + ]", 8, "N +", ""),
    ("const float*, shape: [N]", "const float*, shape: [N], zeroed: true", 7, "only an output", ""),
    ("type: float*", "type: const float*", 7, "no argument is an output", "not const"),
    ("type: int}", "type: int, zeroed: true}", 9, "only pointers", ""),
    ("const float*, shape: [N]", "const float*, shape: [N], inout: true", 7, "pointer to const", ""),
    ("float*, shape: [N]}\n  - {name: N", "float*, shape: [N], inout: true, zeroed: true}\n  - {name: N", 8,
     "only an output", ""),
    ("kind: ulp", "kind: ulps", 14, "'ulps' is not known", "'ulp'"),
    ("bound: 2", "bound: two", 14, "should be a number, not 'two'", ""),
    ("bound: 2", "bound: 0", 14, "should be above 0", ""),
    ("kind: ulp", "kind: exact", 14, "exact comparison has no bound", ""),
    ("N: [1, 2, 70]", "N: [1, 2, 2]", 16, "the case 'N=2' is there twice", ""),
    ("N: [1, 2, 70]", "N: [1, 2, x]", 16, "should be a whole number, not 'x'", ""),
    ("N: [1, 2, 70]", "M: [1, 2, 70]", 16, "'M' is not known", "N"),
    ("N: [1, 2, 70]", "N: [1, 2, 101]", 16, "101 is outside the limits, 1 to 100", ""),
    ("timed: {sizes: {N: 100}}", "timed: {sizes: {N: [1, 2]}}", 18, "should be a single case", ""),
    ("8 * N", "8 * rows", 20, "'rows' is no whole-number argument", ""),
    ("flops: N", "flops: N.real", 20, "N.real", ""),
    ("flops: N", "flopz: N", 20, "'flopz' is not known", "'flops'"),
    ("limits: {N: [1, 100]}", "limits: {N: [100, 1]}", 10, "above the largest", ""),
    ("limits: {N: [1, 100]}", "limits: {}", 10, "limits: the size 'N' is missing", "N: [1, 1000000]"),
    ("limits: {N: [1, 100]}\n", "", 1, "'limits' is missing", ""),
    ("inputs: {x: [1.0, 2.5], N: 2}", "inputs: {x: [1.0, 2.5]}", 12, "'N' is missing", ""),
    ("level: easy", "level: easy\nlevel: hard", 3, "'level' is given twice", ""),
    ("level: easy", "level: [easy", 3, "is not valid YAML", ""),
    ("  - {name: y,", "\t- {name: y,", 8, "the line is indented with a tab", "spaces only"),
    ("  - {name: y,", "   - {name: y,", 8, "is not valid YAML", "start in the same column"),
    ("level: easy", "levl: easy", 1, "'level' is missing", "is it meant by 'levl'?"),
    ("hints: [one,", "hints: [{a note: one},", 5, "'en' is missing", "needs quotes"),
    ("const float*", "const int8_t*", 7, "no type that an argument can have", "write 'signed char'"),
]


@pytest.mark.parametrize(("old", "new", "line", "message", "hint"), MISTAKES)
def test_a_mistake_is_reported_at_its_line(
    tmp_path: Path, old: str, new: str, line: int, message: str, hint: str
) -> None:
    error = refusal(tmp_path, old, new)
    assert message in error.message
    assert hint in error.hint
    assert error.where is not None and error.where.line == line
    assert Path(error.where.file) == tmp_path / "questions" / "basics" / "double.yaml"


def test_a_kind_that_is_none_is_an_error(tmp_path: Path) -> None:
    error = refusal(tmp_path, "kind: kernel", "kind: kernal")
    assert "'kernal' is not known" in error.message and "'kernel'" in error.hint


@pytest.mark.parametrize("name", ["kernels/double.cu", "questions/basics/double.py"])
def test_a_missing_companion_file_is_named(tmp_path: Path, name: str) -> None:
    root = make_bank(tmp_path)
    (tmp_path / name).unlink()
    with pytest.raises(ContentError, match=Path(name).name):
        load_question(root, read_entry(question_files(root)[0]))


def test_a_file_that_is_not_text_is_refused_at_its_line(tmp_path: Path) -> None:
    root = make_bank(tmp_path)
    path = question_files(root)[0]
    path.write_bytes(QUESTION.encode().replace(b"Double it", b"Double \xff"))
    with pytest.raises(ContentError) as caught:
        read_entry(path)
    assert str(caught.value).startswith(f"{path}:3: is not UTF-8")


@pytest.mark.parametrize("text", ["", "# nothing\n", "- a\n- b\n", "just words\n"])
def test_a_file_without_a_mapping_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(ContentError):
        load(tmp_path, text)


def test_a_control_character_is_refused_at_its_line(tmp_path: Path) -> None:
    error = refusal(tmp_path, "Double it", "Double \0it")
    assert "control character" in error.message
    assert error.where is not None and error.where.line == 3


def test_whatever_is_in_a_file_the_answer_is_a_question_or_a_refusal_with_a_line(tmp_path: Path) -> None:
    rng = random.Random(1)
    scraps = [
        "{",
        "]",
        ": ",
        "- ",
        "null",
        "1e400",
        "-5",
        '"',
        "&a",
        "*a",
        "<<: *a",
        "? ",
        "!!x",
        "true",
        "|",
    ]
    for _ in range(300):
        start = rng.randrange(len(QUESTION))
        text = QUESTION[:start] + rng.choice(scraps) + QUESTION[start + rng.choice([0, 1, 8, 30]) :]
        try:
            load(tmp_path, text)
        except ContentError as error:
            assert error.where is not None and error.where.line


def test_a_task_may_name_the_arithmetic_that_it_allows_and_a_library_call(tmp_path: Path) -> None:
    old = "cost: {dram_bytes: 8 * N, flops: N}"
    call = "library: {left: x, right: x, result: y, rows: 1, inner: N, columns: N // 2}"
    task = load(tmp_path, QUESTION.replace(old, f"{old[:-1]}, arithmetic: tensor}}\n{call}")).task
    assert task is not None and task.cost.arithmetic == "tensor"
    assert task.library == LibraryGemm("x", "x", "y", "1", "N", "N // 2", "1")


def test_a_library_call_names_pointers_and_sizes(tmp_path: Path) -> None:
    old = "cost: {dram_bytes: 8 * N, flops: N}"
    call = "library: {left: x, right: N, result: y, rows: 1, inner: N, columns: N}"
    error = refusal(tmp_path, old, f"{old}\n{call}")
    assert error.where is not None and "N" in error.message
