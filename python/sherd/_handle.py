"""Who owns an object of the library, and which thread uses it now."""
import threading

from ._columns import Lender, require_returned
from ._errors import BorrowError, BusyError, InputError


class Handle:
    """An object of the library that one thread at a time may use: `with handle as pointer:`.

    It is destroyed when nothing needs it any more: neither its Python object nor columns borrowed of it.
    """

    def __init__(self, pointer, destroy, what, keep=()):
        self.pointer, self._destroy, self.what = pointer, destroy, what
        self.keep = list(keep)  # what the object borrows
        self.lender = Lender()
        self.borrowing = 0  # `with world.borrow()` blocks that are open
        self._lock = threading.Lock()
        self._closed = None  # why it can't be used any more

    def __enter__(self):
        if not self._lock.acquire(False):
            raise BusyError(f"this {self.what} is in use", self.what,
                            "one thread at a time may use it; give each thread its own, or use a lock")
        try:
            if self._closed or not self.pointer:
                raise InputError(self._closed or f"this {self.what} was closed", self.what)
            return self.pointer
        except BaseException:  # KeyboardInterrupt among them
            self._lock.release()
            raise

    def __exit__(self, *unused):
        self._lock.release()

    @property
    def is_the_librarys(self):
        """What a callback is shown: its memory may be gone when the callback is over."""
        return self._destroy is None

    def require_own(self, call):
        """Raises where `call` would change memory that somebody looks at."""
        if self.borrowing:
            raise BorrowError(f"{call} within `with world.borrow()`", self.what, "leave the block first")
        require_returned(self.lender, call)

    def expire(self, why):
        """Of what belongs to the library: from here on it can't be used. Waits for a thread that does."""
        with self._lock:
            self._closed = why
            self.pointer = None

    def close(self):
        """Destroys the object now, unless columns of it are still borrowed: then, when these are gone."""
        with self:
            if self.borrowing:
                raise BorrowError("close() within `with world.borrow()`", self.what, "leave the block first")
            self._closed = f"this {self.what} was closed"
            if not self.lender.lent_after_collection():
                self._release()

    def _release(self):
        pointer, self.pointer = self.pointer, None
        if pointer and self._destroy is not None:
            self._destroy(pointer)
        self.keep.clear()

    def __del__(self):
        try:
            self._release()
        except AttributeError:
            pass  # it was never made
