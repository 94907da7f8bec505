"""Columns of numbers: copies as numpy's arrays, without numpy as array.array; and views of the library's memory."""
import array
import ctypes
import gc
import weakref

from . import _notebook
from ._errors import BorrowError

try:
    import numpy
except ImportError:
    numpy = None

_CODES = {ctypes.c_double: "d", ctypes.c_float: "f", ctypes.c_uint8: "B", ctypes.c_uint16: "H", ctypes.c_int32: "i",
          ctypes.c_uint32: "I", ctypes.c_int64: "q"}


def _memory(pointer, count):
    """A ctypes array at the memory of a pointer; it keeps nothing alive by itself."""
    return (pointer._type_ * count).from_address(ctypes.addressof(pointer.contents))


def copied(pointer, count):
    """A copy of `count` numbers; empty where the pointer is NULL."""
    code = _CODES[pointer._type_]
    if not pointer or count <= 0:
        return numpy.empty(0, code) if numpy else array.array(code)
    block = _memory(pointer, count)
    if numpy:
        return numpy.frombuffer(block, code).copy()
    column = array.array(code)
    column.frombytes(memoryview(block).cast("B"))
    return column


def room(ctype, count):
    """Memory for the library to fill, and the column that it then is."""
    block = (ctype * max(count, 1))()
    return block, lambda: copied(ctypes.cast(block, ctypes.POINTER(ctype)), count)


# ---------------------------------------------------------------- given by the user

def _integers(values, code, name):
    """Whole numbers that fit the column's type."""
    given = numpy.asarray(values)
    made = given.astype(code)
    if given.dtype.kind not in "iub" and not (given == made).all() or (made.astype("q") != given).any():
        raise ValueError(f"{name}: whole numbers of {array.array(code).itemsize} bytes are needed")
    return numpy.ascontiguousarray(made)


def given(values, ctype, name, count=None):
    """(pointer, count, what to keep) of a sequence, a buffer or an array."""
    code = _CODES[ctype]
    if numpy:
        column = _integers(values, code, name) if code in "BHIiq" else numpy.ascontiguousarray(values, code)
        if column.ndim != 1:
            raise ValueError(f"{name}: a column is needed, not {column.ndim} dimensions")
        length, address = column.size, column.ctypes.data
    else:
        try:
            column = array.array(code, values)
        except (OverflowError, TypeError) as error:
            raise type(error)(f"{name}: {error}") from None
        address, length = column.buffer_info()
    if count is not None and length != count:
        raise ValueError(f"{name}: {count} numbers are needed, got {length}")
    return ctypes.cast(address, ctypes.POINTER(ctype)), length, column


# ---------------------------------------------------------------- several columns

class Columns:
    """Columns of equal length, as attributes with their units in the names. Copies: they are the caller's own."""

    def __init__(self, count, columns, title="Columns"):
        self.__dict__.update(columns)
        self._count, self._names, self._title = count, tuple(columns), title

    def __len__(self) -> int:
        return self._count

    @property
    def names(self) -> "tuple[str, ...]":
        """Names of the columns."""
        return self._names

    def __getitem__(self, name: str) -> "Column":
        if name not in self._names:
            raise KeyError(name)
        return getattr(self, name)

    def __getattr__(self, name: str) -> "Column":
        names = self.__dict__.get("_names", ())
        raise AttributeError(f"there is no column '{name}'; there are {', '.join(names)}")

    def __iter__(self) -> "Iterator[str]":
        return iter(self._names)

    def keys(self) -> "tuple[str, ...]":
        """Names of the columns; so dict(columns) works, and pandas.DataFrame(dict(columns))."""
        return self._names

    def __repr__(self):
        return f"{self._title}({self._count} rows: {', '.join(self._names)})"

    def _repr_html_(self):
        return _notebook.table(self._title, self._names, [self[name] for name in self._names], self._count)

    def pandas(self) -> "Any":
        """A pandas.DataFrame with these columns."""
        return _notebook.imported("pandas").DataFrame({name: self[name] for name in self._names})


def copies(count, pointers, only=(), title="Columns"):
    """Columns of copies of {name: pointer}; `only`: names of some of them."""
    unknown = [name for name in only if name not in pointers]
    if unknown:
        raise AttributeError(f"there is no column '{unknown[0]}'; there are {', '.join(pointers)}")
    return Columns(count, {name: copied(p, count) for name, p in pointers.items() if not only or name in only}, title)


# ---------------------------------------------------------------- borrowed

def _viewed(block, code):
    """A read-only view of a block, which lives as long as the view and everything made of it."""
    if numpy:
        return numpy.frombuffer(memoryview(block).cast("B").toreadonly(), code)
    return memoryview(block).cast("B").cast(code).toreadonly()


_BLOCKS = {}


def _block(pointer, count, owner):
    """A ctypes array that keeps the owner of its memory alive, and can be watched by weak references."""
    key = pointer._type_, count
    if key not in _BLOCKS:
        _BLOCKS[key] = type("Block", (pointer._type_ * count,), {})
    block = _BLOCKS[key].from_address(ctypes.addressof(pointer.contents))
    block.owner = owner
    return block


class Lender:
    """Knows which views of an owner's memory are alive."""

    def __init__(self):
        self._blocks = []  # (name, weak reference)

    def lend(self, name, pointer, count, owner):
        code = _CODES[pointer._type_]
        if not pointer or count <= 0:
            return copied(pointer, 0)
        if owner.is_the_librarys:
            return _viewed((pointer._type_ * count).from_buffer_copy(_block(pointer, count, None)), code)
        block = _block(pointer, count, owner)
        self._blocks.append((name, weakref.ref(block)))
        return _viewed(block, code)

    def lent(self):
        """Names of columns that somebody still has."""
        self._blocks = [(name, ref) for name, ref in self._blocks if ref() is not None]
        return sorted({name for name, _ in self._blocks})

    def lent_after_collection(self):
        if self.lent():
            gc.collect()  # what is in circles
        return self.lent()


class LentColumns:
    """Columns of a world's own memory, read-only; only within `with world.borrow()`."""

    def __init__(self, view, block, count, pointers):
        self._view, self._block, self._count, self._pointers = view, block, count, pointers

    def __len__(self):
        return self._count

    def __dir__(self):
        return [*super().__dir__(), *self._pointers]

    def __getattr__(self, name):
        pointers = self.__dict__.get("_pointers", {})
        if name not in pointers:
            raise AttributeError(f"there is no column '{name}'; there are {', '.join(pointers)}")
        return self._view._lend(self._block, name, pointers[name], self._count)

    def __getitem__(self, name):
        if name not in self._pointers:
            raise KeyError(name)
        return getattr(self, name)


def require_returned(lender, what):
    """Raises while views of memory that is about to change are alive."""
    names = lender.lent()
    if names:
        raise BorrowError(f"{what} would change columns that are borrowed: {', '.join(names)}", "World",
                          "leave `with world.borrow()`, and let go of arrays and slices from within it; "
                          "copies (world.elements()) may be kept")
