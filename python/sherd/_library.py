"""Finds, checks and loads libsherd."""
import ctypes
import os

from . import _c
from ._errors import OF_STATUS, Error, LibraryError

SONAME = "libsherd.so.0"
_FOLDER = os.path.dirname(os.path.abspath(__file__))
_BUNDLED = os.path.join(_FOLDER, "lib")  # of a wheel: the library, and what it needs in load.txt's order


def _candidates():
    given = os.environ.get("SHERD_LIBRARY")
    if given:
        return [given]
    bundled = os.path.join(_BUNDLED, SONAME)
    return [bundled] if os.path.exists(bundled) else [SONAME]


def _load_bundled_needs():
    """A wheel brings what the library needs; what is loaded already is found by the linker by its name."""
    try:
        with open(os.path.join(_BUNDLED, "load.txt"), encoding="utf-8") as names:
            for name in names.read().split():
                ctypes.CDLL(os.path.join(_BUNDLED, name))
    except OSError as error:
        raise LibraryError(str(error), _BUNDLED, "install the wheel again") from None


def _open():
    (path,) = _candidates()
    if path.startswith(_BUNDLED + os.sep):
        _load_bundled_needs()
    try:
        return ctypes.CDLL(path), path
    except OSError as error:
        raise LibraryError(str(error), path, "install libsherd0, or name the library in SHERD_LIBRARY") from None


# ---------------------------------------------------------------- is it the one that this package describes?

_WORD = (1 << 64) - 1
_PRIME = 0x100000001B3


def layout_numbers():
    """Sizes and offsets as Python has them, in the order of src/base/layout/layout_rows.h."""
    yield _c.INTERFACE
    for struct in _c.STRUCTS:
        yield ctypes.sizeof(struct)
        for name, _ in struct._fields_:
            member = getattr(struct, name)
            yield member.offset
            yield member.size
    for values in _c.ENUMS.values():
        for value in values.values():
            yield value & _WORD


def layout_hash():
    """As base/hash.c has it, of 64-bit words."""
    value = 0xCBF29CE484222325
    for word in layout_numbers():
        value = ((value ^ word) * _PRIME) & _WORD
        value ^= value >> 29
    return value


def _check_layout(library, path):
    hint = "install libsherd0 and python3-sherd of the same version"
    try:
        function = library.sherd_layout_hash
    except AttributeError:
        raise LibraryError("this library is older than this Python package", path, hint) from None
    function.restype, function.argtypes = ctypes.c_uint64, []
    if function() != layout_hash():
        library.sherd_version.restype = ctypes.c_char_p
        raise LibraryError(f"this library ({library.sherd_version().decode()}) lays its structs out otherwise than "
                           "this Python package", path, hint)


def _declare(library):
    for name, (result, parameters) in _c.FUNCTIONS.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, parameters


lib, library_path = _open()
_check_layout(lib, library_path)
_declare(lib)


# ---------------------------------------------------------------- errors, texts

def text(value):
    """A C string's text; None: there is none."""
    return None if value is None else value.decode("utf-8", "surrogateescape")


def encoded(value):
    """Text or a path as bytes for C."""
    if value is None:
        return None
    data = os.fsencode(value) if isinstance(value, os.PathLike) or isinstance(value, bytes) else \
        str(value).encode("utf-8", "surrogateescape")
    if b"\0" in data:
        raise ValueError("texts can't hold zero characters")
    return data


def exception(error):
    """The exception of a sherd_error."""
    kind = OF_STATUS[error.status] if 0 < error.status < len(OF_STATUS) else Error
    return kind(text(error.what) or text(lib.sherd_status_name(error.status)), text(error.where), text(error.hint))


def check(status, error):
    """Raises unless the status is SHERD_OK."""
    if status:
        raise exception(error)


def owned(pointer, error):
    """The pointer, unless it is NULL."""
    if not pointer:
        raise exception(error)
    return pointer


def version():
    """The library's version."""
    return text(lib.sherd_version())
