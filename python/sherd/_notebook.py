"""How columns and frames appear in notebooks, and as objects of pandas and xarray."""
import html

SHOWN = 10  # rows of a table


def _cell(value):
    return f"{value:.6g}" if isinstance(value, float) else html.escape(str(value))


def table(title, names, columns, count):
    """A table of the first and last rows."""
    half = SHOWN // 2
    rows = range(count) if count <= SHOWN else [*range(half), None, *range(count - half, count)]
    head = "".join(f"<th>{html.escape(name)}</th>" for name in names)
    body = "".join(
        "<tr>" + "".join(f"<td>{'...' if k is None else _cell(_plain(column[k]))}</td>" for column in columns) + "</tr>"
        for k in rows)
    return (f"<table><caption>{html.escape(title)}: {count} rows</caption>"
            f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>")


def _plain(value):
    return value.item() if hasattr(value, "item") else value


def imported(name):
    """A package that is not needed otherwise."""
    try:
        return __import__(name)
    except ImportError:
        raise ImportError(f"this needs {name}, which is not installed: pip install {name}") from None


class Stacked:
    """A column of elements over all frames of a run, shape (frames, elements): [k] reads the frame k, slices and
    iteration read theirs, and numpy.asarray reads all of them."""

    def __init__(self, frames, name):
        self._frames, self.name = frames, name
        first = self[0] if len(frames) else ()
        self.shape = len(frames), len(first)

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, index) -> "Any":
        found = self._frames[index]
        if isinstance(found, list):
            return [frame.elements[self.name] for frame in found]
        return found.elements[self.name]

    def __iter__(self) -> "Iterator[Column]":
        return (self[k] for k in range(len(self)))

    def __array__(self, dtype=None, copy=None):
        numpy = imported("numpy")
        return numpy.array([self[k] for k in range(len(self))], dtype)

    def __repr__(self):
        return f"Stacked({self.name!r}, {self.shape[0]} frames of {self.shape[1]} elements)"

    def xarray(self) -> "Any":
        """An xarray.DataArray with the dimensions frame and element, and the coordinate time_s."""
        xarray, numpy = imported("xarray"), imported("numpy")
        times = [frame.time_s for frame in self._frames]
        return xarray.DataArray(numpy.asarray(self), dims=("frame", "element"), name=self.name,
                                coords={"time_s": ("frame", times)})
