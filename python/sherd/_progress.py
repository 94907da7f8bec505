"""Progress of a run: a line that is rewritten in a terminal and in Jupyter, a line for each frame elsewhere."""
import sys
import time

_REDRAW = 0.1  # seconds between lines that are rewritten


def duration(seconds):
    """"1 h 05 min", "3 min 20 s", "12 s"."""
    if seconds < 0:
        return "?"
    if seconds < 60:
        return f"{seconds:.0f} s"
    minutes = int(seconds // 60)
    if minutes < 60:
        return f"{minutes} min {seconds % 60:02.0f} s"
    return f"{minutes // 60} h {minutes % 60:02d} min"


def _jupyter():
    """IPython's display function within a notebook, else None."""
    shell = sys.modules.get("IPython")
    shell = shell and shell.get_ipython()
    if shell is None or type(shell).__name__ != "ZMQInteractiveShell":
        return None
    from IPython.display import display
    return display


class Progress:
    """What is seen of a run."""

    def __init__(self, stream=None):
        self._stream = stream or sys.stderr
        self._display = _jupyter()
        self._terminal = self._display is None and self._stream.isatty()
        self._handle, self._shown, self._lines = None, 0.0, False

    @staticmethod
    def line(view):
        stats = view.stats
        return (f"frame {view.frame}/{view.frame_count}  t {1e3 * view.time_s:.3f} ms  broken {stats.broken_bonds}  "
                f"fragments {stats.fragments}  time left {duration(view.time_left_s)}")

    def step(self, view):
        if (self._terminal or self._display) and time.monotonic() - self._shown >= _REDRAW and view.frame >= 0:
            self._show(view)

    def frame(self, view):
        self._show(view)

    def _show(self, view):
        self._shown = time.monotonic()
        if self._display:
            self._rewrite_cell(view)
            return
        begin, end = ("\r\033[K", "") if self._terminal else ("", "\n")
        self._stream.write(f"{begin}{self.line(view)}{end}")
        self._stream.flush()
        self._lines = self._terminal

    def _rewrite_cell(self, view):
        share = max(0.0, min(1.0, view.fraction))
        data = {"text/plain": self.line(view),
                "text/html": f'<progress value="{share:.4f}" max="1" style="width:60%"></progress> '
                             f"<code>{self.line(view)}</code>"}
        if self._handle is None:
            self._handle = self._display(data, raw=True, display_id=True)
        else:
            self._handle.update(data, raw=True)

    def end(self):
        if self._lines:
            self._stream.write("\n")
            self._stream.flush()

    def message(self, level, text):
        if self._lines:
            self._stream.write("\n")
            self._lines = False
        self._stream.write(f"{level}: {text}\n")
        self._stream.flush()
