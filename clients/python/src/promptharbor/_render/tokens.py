"""Splits a template into texts, outputs and tags."""

from __future__ import annotations

import re
from dataclasses import dataclass

from .values import NeedsService

TRIMMED = "\t\n\v\f\r \u00a0\u1680\u180e\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
"""The characters that Liquid counts as blank. `strip` also removes other characters."""

_START = re.compile(r"\{\{|\{%")
_OUTPUT_END = re.compile(r"""(?:[^'"}]|'[^']*'|"[^"]*"|\}(?!\}))*\}\}""")
_RAW = re.compile(r"\{%(-?)[ \t\r\n]*raw[ \t\r\n]*%\}(.*?)\{%[ \t\r\n]*endraw[ \t\r\n]*(-?)%\}", re.DOTALL)
_TAG = re.compile(r"[ \t\r\n]*(#|[a-z]+)(.*)", re.DOTALL)


@dataclass
class Token:
    """A part of a template.

    Attributes:
        kind: `text`, `output`, or the name of a tag.
        source: The text, or what is inside the tag, without its name.
    """

    kind: str
    source: str


def tokenize(template: str) -> list[Token]:
    """Return the parts of a template, with whitespace removed where a hyphen asks for it."""
    tokens: list[Token] = []
    position = 0
    is_trimmed = False
    while True:
        start = _START.search(template, position)
        text = template[position : start.start() if start else None]
        if is_trimmed:
            text = text.lstrip(TRIMMED)
        if start is None:
            tokens.append(Token("text", text))
            return tokens
        token, trims_before, trims_after, position = _read(template, start.start())
        tokens.append(Token("text", text.rstrip(TRIMMED) if trims_before else text))
        tokens.append(token)
        is_trimmed = trims_after


def _read(template: str, start: int) -> tuple[Token, bool, bool, int]:
    """Return a tag, whether it trims the text before it and the text after it, and where it ends."""
    raw = _RAW.match(template, start)
    if raw:
        return Token("text", raw[2]), raw[1] == "-", raw[3] == "-", raw.end()
    if template.startswith("{{", start):
        found = _OUTPUT_END.match(template, start + 2)
        end = found.end() if found else -1
    else:
        end = template.find("%}", start + 2) + 2
    if end < start + 4:
        raise NeedsService("it has a tag that is not closed")
    inner = template[start + 2 : end - 2]
    trims_before, trims_after = inner.startswith("-"), inner.endswith("-") and len(inner) > 1
    inner = inner[1:] if trims_before else inner
    inner = inner[:-1] if trims_after else inner
    if template.startswith("{{", start):
        return Token("output", inner), trims_before, trims_after, end
    match = _TAG.fullmatch(inner)
    if match is None:
        raise NeedsService("it has a tag without a name")
    name, rest = match[1], match[2]
    if rest and name != "#" and rest[0] not in " \t\r\n":
        raise NeedsService(f"it uses the tag {inner.strip()[:40]!r}")
    return Token(name, rest), trims_before, trims_after, end
