"""Definitions of the library as named arguments, by the descriptors of their members (include/sherd/field.h)."""
import ctypes
import difflib
import inspect
import math
import re

from . import _c
from ._library import encoded, lib, text

_TYPES = {value: word[len("SHERD_FIELD_"):] for word, value in _c.ENUMS["sherd_field_type"].items()}
_SIMPLE = {"REAL": ctypes.c_double, "INT": ctypes.c_int, "INT64": ctypes.c_int64, "UINT64": ctypes.c_uint64,
           "BOOLEAN": ctypes.c_bool, "CHOICE": ctypes.c_int, "NAME": ctypes.c_char_p, "TEXT": ctypes.c_char_p}
_LENGTHS = {"VECTOR": 3, "COLOR": 3, "ROTATION": 4}
HINTS = {"REAL": "float", "INT": "int", "INT64": "int", "UINT64": "int", "BOOLEAN": "bool", "CHOICE": "str",
         "NAME": "str | None", "TEXT": "str | None", "VECTOR": "Vector", "COLOR": "Vector", "ROTATION": "Rotation"}


def unit_part(quantity):
    """'m_s' of a quantity."""
    unit = text(lib.sherd_quantity_unit(quantity))
    return _c.UNITS.get(unit) or re.sub(r"\W+", "_", unit).strip("_").lower() if unit else ""


def plain(markdown):
    """Text of documents without Markdown's marks and links."""
    return re.sub(r"\[([^]]+)\]\([^)]*\)", r"\1", (markdown or "").replace("`", "").replace("**", ""))


class Row:
    """One member as an argument."""

    def __init__(self, field):
        self.member = text(field.name)
        self.kind = _TYPES[field.type]
        self.offset = field.offset
        unit = unit_part(field.quantity) if self.kind in ("REAL", "VECTOR") else ""
        member = self.member.replace("pose.", "").replace(".", "_")
        self.name = f"{member}_{unit}" if unit else member
        self.words = self._words(field) if self.kind == "CHOICE" else []
        self.doc = plain(text(field.doc))
        self.usual = self._usual(field)
        self.range = self._range(field)

    @staticmethod
    def _words(field):
        words = []
        while True:
            word = lib.sherd_field_word(field, len(words)).word
            if not word:
                return words
            words.append(text(word))

    def _usual(self, field):
        if self.kind == "CHOICE" and self.words:
            return self.words[int(field.initial[0])]
        if self.kind in ("NAME", "TEXT"):
            return None
        if self.kind in _LENGTHS:
            return tuple(field.initial[: _LENGTHS[self.kind]])
        convert = {"BOOLEAN": bool, "REAL": float}.get(self.kind, int)
        return convert(field.initial[0])

    def _range(self, field):
        if self.kind not in ("REAL", "INT", "INT64", "UINT64") or field.range.bound == 0:
            return ""
        room = ctypes.create_string_buffer(256)
        return text(lib.sherd_field_range_text(field, room))

    def usual_text(self):
        if isinstance(self.usual, float):
            return {math.inf: "inf"}.get(self.usual, "nan" if math.isnan(self.usual) else f"{self.usual:g}")
        if isinstance(self.usual, tuple):
            return "(" + ", ".join(f"{v:g}" for v in self.usual) + ")"
        return repr(self.usual)

    def describe(self):
        parts = [self.doc or self.member.replace("_", " ")]
        if self.words:
            parts.append("one of " + ", ".join(self.words))
        elif self.range:
            parts.append(self.range)
        return f"    {self.name}: {'; '.join(parts)} (default {self.usual_text()})"

    def hint(self):
        """Its type, as stubs have it."""
        return f"Literal[{', '.join(map(repr, self.words))}]" if self.words else HINTS[self.kind]

    def get(self, address):
        """The value in a struct, as an argument has it."""
        if self.kind in _LENGTHS:
            return tuple((ctypes.c_double * _LENGTHS[self.kind]).from_address(address + self.offset))
        value = _SIMPLE[self.kind].from_address(address + self.offset).value
        return text(value) if self.kind in ("NAME", "TEXT") else self.words[value] if self.words else value

    # ---- setting

    def put(self, address, value, keep):
        if self.kind in _LENGTHS:
            return self._put_numbers(address, value)
        if self.kind == "CHOICE":
            value = self._choice(value)
        elif self.kind in ("NAME", "TEXT"):
            value = encoded(value)
            keep.append(value)
        elif self.kind == "REAL":
            value = number(value, self.name)
        elif self.kind == "BOOLEAN":
            if not isinstance(value, (bool, int)) and type(value).__name__ not in ("bool_", "bool"):
                raise TypeError(f"{self.name}: True or False, got {value!r}")
            value = bool(value)
        else:
            value = self._whole(value)
        _SIMPLE[self.kind].from_address(address + self.offset).value = value
        return None

    def _put_numbers(self, address, value):
        count = _LENGTHS[self.kind]
        numbers = numbers_of(value, count, self.name, f"{count} numbers")
        (ctypes.c_double * count).from_address(address + self.offset)[:] = numbers

    def _choice(self, value):
        if isinstance(value, str) and value in self.words:
            return self.words.index(value)
        raise ValueError(f"{self.name}: one of {', '.join(self.words)}, got {value!r}")

    def _whole(self, value):
        try:
            whole = value.__index__()
        except AttributeError:
            raise TypeError(f"{self.name}: a whole number is needed, got {value!r}") from None
        size = 8 * ctypes.sizeof(_SIMPLE[self.kind])
        low, high = (0, 2**size) if self.kind == "UINT64" else (-(2 ** (size - 1)), 2 ** (size - 1))
        if not low <= whole < high:
            raise ValueError(f"{self.name}: out of range, got {whole}")
        return whole


def number(value, name):
    if isinstance(value, (str, bytes)):
        raise TypeError(f"{name}: a number in the unit that the name says is needed, got {value!r}")
    try:
        return float(value)
    except TypeError:
        raise TypeError(f"{name}: a number is needed, got {value!r}") from None


def numbers_of(values, count, name, what):
    """So many numbers of anything that can be gone through."""
    if isinstance(values, (str, bytes)) or not hasattr(values, "__iter__"):
        raise TypeError(f"{name}: {what} are needed, got {values!r}")
    found = [number(v, name) for v in values]
    if len(found) != count:
        raise ValueError(f"{name}: {what} are needed, got {len(found)}")
    return found


class Definition:
    """A definition struct: its arguments, their documentation, and how they are set."""

    def __init__(self, name, without=()):
        self.name = name
        self.default = getattr(lib, f"{name}_default", None)
        self.struct = getattr(_c, name)
        described = getattr(lib, f"{name}_fields")().contents
        fields = [described.fields[k] for k in range(described.count)]
        rows = [Row(f) for f in fields if f.name and _TYPES[f.type] != "OTHER"]
        self.rows = {row.name: row for row in rows if row.member not in without}

    def make(self, values, keep, extra=()):
        """The struct with these values, and the library's own where there are none."""
        made = self.default() if self.default else self.struct()
        self.put(made, values, keep, extra)
        return made

    def put(self, made, values, keep, extra=()):
        address = ctypes.addressof(made)
        for name, value in values.items():
            row = self.rows.get(name)
            if row is None:
                raise TypeError(self._unknown(name, extra))
            row.put(address, value, keep)

    def differing(self, made):
        """Arguments whose values in a struct are not the usual ones."""
        address, usual = ctypes.addressof(made), self.default()
        values = {name: (row.get(address), row.get(ctypes.addressof(usual))) for name, row in self.rows.items()}
        return {name: value for name, (value, other) in values.items() if value != other}

    def _unknown(self, name, extra):
        known = [*self.rows, *extra]
        begins = [k for k in known if k.startswith(name + "_")]
        near = begins or difflib.get_close_matches(name, known, 1, 0.6)
        hint = f"; did you mean '{near[0]}'?" if near else f"; there are {', '.join(known)}"
        return f"there is no argument '{name}'{hint}"

    def documentation(self):
        return "\n".join(row.describe() for row in self.rows.values())

    def parameters(self):
        return [inspect.Parameter(row.name, inspect.Parameter.KEYWORD_ONLY, default=row.usual, annotation=row.hint())
                for row in self.rows.values()]


def documented(*definitions):
    """Gives a function that takes **options their names, defaults and documentation."""
    def decorate(function):
        signature = inspect.signature(function)
        parameters = [p for p in signature.parameters.values() if p.kind is not inspect.Parameter.VAR_KEYWORD]
        taken = {p.name for p in parameters}
        for definition in definitions:
            parameters += [p for p in definition.parameters() if p.name not in taken]
            taken = {p.name for p in parameters}
        parameters.sort(key=lambda p: p.kind)  # by name only: last
        function.__signature__ = signature.replace(parameters=parameters)
        lines = "\n".join(definition.documentation() for definition in definitions)
        function.__doc__ = f"{inspect.cleandoc(function.__doc__)}\n\n{lines}\n"
        return function
    return decorate
