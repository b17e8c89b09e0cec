"""YAML with its line numbers: every mistake in a file is reported at its place.

`read` gives the root `Value`; a Value wraps a node and hands out checked Python values or raises
ContentError naming file, line and field.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

import yaml

from trainer.bank.model import Text
from trainer.errors import ContentError, Location

_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # the C parser is ten times faster
_LANGUAGE = re.compile(r"[a-z]{2}(-[A-Za-z]{2,4})?")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_MAX_BYTES = 1 << 20
_MANY = 40  # names that are too many to list


def nearest(name: str, known: Iterable[str]) -> str:
    """"did you mean ...?" for the known name most like `name`, else the list of what is known, if short."""
    import difflib  # only after a mistake: listing questions should not wait for it

    options = sorted(map(str, known))
    close = difflib.get_close_matches(name, options, n=1)
    if close:
        return f"did you mean {close[0]!r}?"
    return f"known here: {', '.join(options)}" if len(options) <= _MANY else ""


def place_of(word: str, path: Path) -> Location:
    """The first line of a file with `word`, for what is only known to be wrong beside other files."""
    try:
        lines = read_text(path).splitlines()
    except ContentError:
        lines = []
    return Location(path, next((number for number, line in enumerate(lines, 1) if word in line), None))


def read_text(path: Path) -> str:
    """The text of a content file. Raises ContentError if it cannot be read as UTF-8 text."""
    try:
        if path.stat().st_size > _MAX_BYTES:
            raise ContentError("is larger than 1 MB", where=Location(path))
        text = path.read_text(encoding="utf-8-sig")  # editors of Windows begin a file with a mark
    except OSError as error:
        raise ContentError(f"cannot be read: {error.strerror}", where=Location(path)) from error
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        where = Location(path, line)
        raise ContentError("is not UTF-8 text", where=where, hint="Save it as UTF-8.") from error
    if control := _CONTROL.search(text):
        line = text.count("\n", 0, control.start()) + 1
        raise ContentError(f"holds the control character {control[0]!r}", where=Location(path, line))
    return text


# What the parser says -> what most likely is wrong.
_ADVICE = {
    "did not find expected '-' indicator": "The entries of one list start in the same column.",
    "did not find expected key": "The keys of one mapping start in the same column.",
    "found character that cannot start any token": "Text that starts with ` @ or % needs quotes; "
    "the lines of a '|' block are indented more than its key.",
}
_QUOTES = "Text with ': ' or '#' in it, or starting with a bracket or '*', needs quotes or a '|' block."


def _syntax_error(error: yaml.YAMLError, path: Path, text: str) -> ContentError:
    """The parser's complaint as one of ours, at the line where it stopped."""
    mark = getattr(error, "problem_mark", None)
    where = Location(path, mark.line + 1, mark.column + 1) if mark else Location(path)
    problem = getattr(error, "problem", None) or str(error).splitlines()[0]
    hint = _ADVICE.get(problem, _QUOTES)
    line = (text.splitlines()[mark.line : mark.line + 1] or [""])[0] if mark else ""
    if "\t" in line[: len(line) - len(line.lstrip())]:
        problem, hint = "the line is indented with a tab", "YAML takes spaces only."
    return ContentError(f"is not valid YAML: {problem}", where=where, hint=hint)


def read(path: Path) -> Value:
    """The root of a YAML file. Raises ContentError if it is missing, unreadable, empty or bad YAML."""
    return compose(read_text(path), path)


def compose(text: str, path: Path) -> Value:
    """The root of YAML text that comes from `path`."""
    try:
        node = yaml.compose(text, Loader=_Loader)
    except yaml.YAMLError as error:
        raise _syntax_error(error, path, text) from error
    if node is None:
        raise ContentError("is empty", where=Location(path))
    return Value(node, path, "")


@dataclass(frozen=True)
class Value:
    """One YAML node. `name` is its path in the file, e.g. "cases[2].sizes"; "" is the root."""

    node: yaml.Node
    file: Path
    name: str

    @property
    def where(self) -> Location:
        return Location(self.file, self.node.start_mark.line + 1)

    def fail(self, message: str, hint: str = "") -> NoReturn:
        subject = f"{self.name}: " if self.name else ""
        raise ContentError(subject + message, where=self.where, hint=hint)

    def _wrong_type(self, wanted: str) -> NoReturn:
        self.fail(f"should be {wanted}, not {self.describe()}")

    def describe(self) -> str:
        """What this node is, in words, for error messages."""
        if isinstance(self.node, yaml.MappingNode):
            return "a mapping"
        if isinstance(self.node, yaml.SequenceNode):
            return "a list"
        if self.node.tag.endswith(":null"):
            return "nothing"
        return repr(self.node.value if len(self.node.value) <= 40 else self.node.value[:37] + "...")

    def child(self, node: yaml.Node, name: str) -> Value:
        return Value(node, self.file, name)

    def fields(self, known: Iterable[str] | None = None, required: Iterable[str] = ()) -> dict[str, Value]:
        """A mapping by key. Unknown, repeated and missing keys are errors; `known` None allows any key."""
        if not isinstance(self.node, yaml.MappingNode):
            self._wrong_type("a mapping")
        found: dict[str, Value] = {}
        for key_node, value_node in self.node.value:
            key = self.child(key_node, self.name).string()
            at = self.child(key_node, self.name)
            if key in found:
                at.fail(f"{key!r} is given twice")
            if known is not None and key not in known:
                at.fail(f"{key!r} is not known", nearest(key, known))
            found[key] = self.child(value_node, f"{self.name}.{key}" if self.name else key)
        for key in required:
            if key not in found:
                self._missing(key, found, {*required, *(known or ())})
        return found

    def _missing(self, key: str, found: Iterable[str], known: set[str]) -> NoReturn:
        import difflib

        close = difflib.get_close_matches(key, sorted(set(found) - known), n=1, cutoff=0.75)
        self.fail(f"{key!r} is missing", f"is it meant by {close[0]!r}?" if close else "")

    def items(self) -> list[Value]:
        """The elements of a list."""
        if not isinstance(self.node, yaml.SequenceNode):
            self._wrong_type("a list")
        return [self.child(n, f"{self.name}[{i}]") for i, n in enumerate(self.node.value)]

    @property
    def is_list(self) -> bool:
        return isinstance(self.node, yaml.SequenceNode)

    @property
    def is_mapping(self) -> bool:
        return isinstance(self.node, yaml.MappingNode)

    def _scalar(self, wanted: str, *kinds: str) -> str:
        if not isinstance(self.node, yaml.ScalarNode) or self.node.tag.rpartition(":")[2] not in kinds:
            self._wrong_type(wanted)
        return str(self.node.value)

    def string(self) -> str:
        return self._scalar("text", "str")

    def expression(self) -> str:
        """The source of an expression: text or a plain number."""
        return self._scalar("an expression", "str", "int")

    def formula(self) -> str:
        """The source of a formula: text or any plain number."""
        return self._scalar("a formula", "str", "int", "float")

    def boolean(self) -> bool:
        return self._scalar("true or false", "bool").lower() in ("true", "yes", "on")

    def integer(self) -> int:
        text = self._scalar("a whole number", "int")
        try:
            return int(text.replace("_", ""))
        except ValueError:
            self._wrong_type("a whole number in decimal digits")

    def number(self) -> float:
        """A number; also one like 5e-6, which YAML takes for text because it has no dot."""
        text = self._scalar("a number", "int", "float", "str")
        try:
            return float(text.replace(".nan", "nan").replace(".inf", "inf"))
        except ValueError:
            self._wrong_type("a number")

    def choice(self, options: Iterable[str]) -> str:
        text = self.string()
        if text not in options:
            self.fail(f"{text!r} is not known", nearest(text, options))
        return text

    def text(self) -> Text:
        """Text in one language (taken as English) or a mapping from language to text."""
        if not self.is_mapping:
            return {"en": self._filled()}
        fields = self.fields()
        if "en" not in fields:
            hint = "A text with ': ' in it needs quotes; a mapping holds languages, one of which is English."
            self.fail("'en' is missing", hint)
        for language, value in fields.items():
            if not _LANGUAGE.fullmatch(language):
                value.fail(f"{language!r} is no language code", "Use codes such as en or zh.")
        return {language: value._filled() for language, value in fields.items()}

    def _filled(self) -> str:
        text = self._scalar("text or a mapping by language", "str").strip()
        if not text:
            self.fail("should not be empty")
        return text

    def plain(self) -> Any:
        """Numbers and nested lists of numbers, as Python values."""
        if self.is_list:
            return [item.plain() for item in self.items()]
        if self.node.tag.endswith(":int"):
            return self.integer()
        return self.number()
