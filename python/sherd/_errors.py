"""Errors of the library as exceptions, with where, what and hint."""


class Error(Exception):
    """An error of the library. `where` (file:line:column, argument or function) and `hint` may be empty."""

    what: str
    where: str
    hint: str

    def __init__(self, what: str, where: str = "", hint: str = ""):
        self.what, self.where, self.hint = what, where, hint
        super().__init__("\n".join(part for part in (f"{where}: {what}" if where else what, hint) if part))

    def __str__(self):
        return self.args[0]

    def __reduce__(self):
        return type(self), (self.what, self.where, self.hint)


class InputError(Error, ValueError):
    """A wrong value, file or definition."""


class OutOfMemoryError(Error, MemoryError):
    """There is not enough memory."""


class FileError(Error, OSError):
    """The system refused to read or write."""


class UnstableError(Error, ArithmeticError):
    """The simulation became unstable: time step too large, not-a-number, energy growth."""


class UnsupportedError(Error, NotImplementedError):
    """Valid, but this version of the library can't do it."""


class InterruptedRunError(Error):
    """A run was asked to stop."""


class LibraryError(Error, ImportError):
    """The shared library is missing, or is of another version than this package."""


class BusyError(Error, RuntimeError):
    """A world, a run or a shape is in use by another thread, or by this one further up."""


class BorrowError(Error, RuntimeError):
    """What is borrowed was used too long, or something was to change while it is borrowed."""


class SceneError(InputError):
    """A scene file is wrong; `errors` holds every error that was found in it."""

    errors: "list[Error]"

    def __init__(self, what: str, where: str = "", hint: str = "", errors: "Sequence[Error]" = ()):
        super().__init__(what, where, hint)
        self.errors = list(errors)

    def __reduce__(self):
        return type(self), (self.what, self.where, self.hint, self.errors)


OF_STATUS = [None, InputError, OutOfMemoryError, FileError, UnstableError, UnsupportedError, InterruptedRunError]
