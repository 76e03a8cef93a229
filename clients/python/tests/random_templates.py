"""Random templates and variables, including unusual ones."""

from __future__ import annotations

import random
from typing import Any

NAMES = ("a", "b", "name", "items", "user", "deep", "flag", "none", "n", "x", "text", "tags")
FIELDS = ("name", "size", "first", "last", "tags", "missing", "length", "x")
WORDS = ("", " ", "Hello", "a,b,c", "Zoë & <b>", "1", "2.50", "-3", "true", "日本", "😀", "\n", "\t x ", "x" * 60, "it's", "ÀÉß")
FILTERS = (
    "upcase", "downcase", "capitalize", "strip", "lstrip", "rstrip", "strip_newlines", "newline_to_br",
    "escape", "first", "last", "size", "reverse", "sort", "uniq", "compact", "json", "abs", "ceil",
    "floor", "round", "url_encode", "join", "truncate", "truncatewords", "date", "where: 'x'", "escape_once",
)
FILTERS_WITH_ARGUMENT = (
    "default", "append", "prepend", "remove", "remove_first", "split", "join", "plus", "minus", "times",
    "divided_by", "modulo", "at_least", "at_most", "round", "truncate", "truncatewords", "slice", "map",
    "concat", "replace", "replace_first",
)
FILTERS_WITH_ARGUMENTS = ("replace", "replace_first", "truncate", "truncatewords", "slice")
OPERATORS = ("==", "!=", ">", "<", ">=", "<=", "contains", "and", "or")


class Generator:
    """Creates templates from a seed."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def template(self) -> str:
        """Return a template of a few parts."""
        return self._parts(self._random.randint(1, 4), depth=0, in_loop=False)

    def variables(self) -> dict[str, Any]:
        """Return a value for each name."""
        return {name: self._value(depth=0) for name in NAMES}

    def _pick(self, options: Any) -> Any:
        return self._random.choice(options)

    def _chance(self, share: float) -> bool:
        return self._random.random() < share

    def _value(self, depth: int) -> Any:
        kind = self._random.randint(0, 9 if depth < 2 else 6)
        if kind <= 2:
            return self._pick(WORDS)
        if kind == 3:
            return self._random.randint(-20, 200)
        if kind == 4:
            return self._pick((0.5, -2.5, 1.005, 3.0, 1e21, 1e-7, 0.1 + 0.2, 2.675, 123456.789, 0))
        if kind == 5:
            return self._pick((True, False))
        if kind == 6:
            return None
        if kind == 7:
            return [self._value(depth + 1) for _ in range(self._random.randint(0, 4))]
        if kind == 8:
            return [self._pick((self._random.randint(0, 9), str(self._random.randint(0, 9)))) for _ in range(4)]
        names = self._random.sample(FIELDS, self._random.randint(0, 4))
        return {name: self._value(depth + 1) for name in names}

    def _parts(self, count: int, depth: int, in_loop: bool) -> str:
        return "".join(self._part(depth, in_loop) for _ in range(count))

    def _open(self) -> tuple[str, str]:
        return self._pick(("", "", "", "-")), self._pick(("", "", "", "-"))

    def _tag(self, inner: str) -> str:
        before, after = self._open()
        space = self._pick((" ", " ", " ", "\n", "  "))
        return f"{{%{before}{space}{inner}{space}{after}%}}"

    def _part(self, depth: int, in_loop: bool) -> str:
        kind = self._random.randint(0, 13 if depth < 3 else 4)
        if kind <= 1:
            return self._pick(("text ", " \n ", "x", "{ }", "é😀 ", "\u00a0", "}} ", "'\"", "\ufeff"))
        if kind <= 4:
            before, after = self._open()
            space = self._pick((" ", "", "  "))
            if before or after:
                space = " "
            return f"{{{{{before}{space}{self._filtered(in_loop)}{space}{after}}}}}"
        if kind <= 6:
            return self._conditional(depth, in_loop)
        if kind <= 8:
            return self._loop(depth)
        if kind == 9:
            return self._tag(f"assign {self._pick(NAMES)} = {self._filtered(in_loop)}")
        if kind == 10:
            body = self._parts(self._random.randint(0, 2), depth + 1, in_loop)
            return self._tag(f"capture {self._pick(NAMES)}") + body + self._tag("endcapture")
        if kind == 11:
            return self._case(depth, in_loop)
        if kind == 12:
            return self._pick(
                (
                    "{% comment %} {{ a }} x {% endcomment %}",
                    "{% raw %} {{ a }} {% if %} {% endraw %}",
                    " {%- raw %} x {% endraw -%} ",
                    "{% # a note %}",
                    "{% cycle 'a', 'b' %}",
                    "{% echo a %}",
                    "{% increment n %}",
                )
            )
        return self._tag(self._pick(("break", "continue"))) if in_loop else "end"

    def _conditional(self, depth: int, in_loop: bool) -> str:
        kind = self._pick(("if", "if", "unless"))
        text = self._tag(f"{kind} {self._condition(in_loop)}") + self._parts(1, depth + 1, in_loop)
        if self._chance(0.3):
            text += self._tag(f"elsif {self._condition(in_loop)}") + self._parts(1, depth + 1, in_loop)
        if self._chance(0.4):
            text += self._tag("else") + self._parts(1, depth + 1, in_loop)
        return text + self._tag(f"end{kind}")

    def _loop(self, depth: int) -> str:
        variable = self._pick(NAMES)
        low, high = self._random.randint(0, 3), self._random.randint(0, 5)
        collection = self._pick((self._path(False), self._path(False), f"({low}..{high})", f"(1..{self._pick(NAMES)})"))
        extras = ""
        for each in ("limit: 2", "offset: 1", "reversed", "limit: n"):
            if self._chance(0.15):
                extras += f" {each}"
        text = self._tag(f"for {variable} in {collection}{extras}")
        text += self._parts(self._random.randint(1, 2), depth + 1, True)
        if self._chance(0.2):
            text += self._tag("else") + "none"
        return text + self._tag("endfor")

    def _case(self, depth: int, in_loop: bool) -> str:
        text = self._tag(f"case {self._path(in_loop)}")
        for _ in range(self._random.randint(1, 3)):
            joint = self._pick((", ", " or "))
            values = joint.join(self._operand(in_loop) for _ in range(self._random.randint(1, 2)))
            text += self._tag(f"when {values}") + self._parts(1, depth + 1, in_loop)
        if self._chance(0.5):
            text += self._tag("else") + self._parts(1, depth + 1, in_loop)
        return text + self._tag("endcase")

    def _condition(self, in_loop: bool) -> str:
        parts = [self._operand(in_loop)]
        for _ in range(self._random.randint(0, 3)):
            parts += [self._pick(OPERATORS), self._operand(in_loop)]
        return " ".join(parts)

    def _operand(self, in_loop: bool) -> str:
        return self._pick((self._path(in_loop), self._path(in_loop), self._literal()))

    def _literal(self) -> str:
        return str(self._pick(("'a'", '"Hello"', "1", "0", "-3", "2.5", "1.50", "true", "false", "nil", "empty", "blank", "''", "' '", "null")))

    def _path(self, in_loop: bool) -> str:
        if in_loop and self._chance(0.3):
            return f"forloop.{self._pick(('index', 'index0', 'first', 'last', 'length', 'rindex', 'rindex0'))}"
        text = str(self._pick(NAMES))
        for _ in range(self._pick((0, 0, 0, 1, 1, 2))):
            text += self._pick((f".{self._pick(FIELDS)}", "[0]", "[-1]", "['name']", f"[{self._pick(NAMES)}]"))
        return text

    def _filtered(self, in_loop: bool) -> str:
        text = self._condition(in_loop) if self._chance(0.05) else self._operand(in_loop)
        for _ in range(self._pick((0, 0, 1, 1, 2, 3))):
            kind = self._random.randint(0, 5)
            if kind <= 2:
                text += f" | {self._pick(FILTERS)}"
            elif kind <= 4:
                text += f" | {self._pick(FILTERS_WITH_ARGUMENT)}: {self._argument(in_loop)}"
            else:
                name = self._pick(FILTERS_WITH_ARGUMENTS)
                text += f" | {name}: {self._argument(in_loop)}, {self._argument(in_loop)}"
        return text

    def _argument(self, in_loop: bool) -> str:
        return str(self._pick(("'a'", "','", "' '", "2", "3", "-1", "0.5", "10", "'name'", self._path(in_loop))))
