"""A whole run of a scene over the library's own loop (include/sherd/run.h)."""
import ctypes
import os
import signal
import threading

from . import _c
from ._errors import InputError
from ._handle import Handle
from ._library import check, encoded, lib, text
from ._load import Run
from ._progress import Progress
from ._results import enum_words, struct
from ._world import STOP, FragmentList, WorldQueries, load_scene

_ANSWERS = _c.ENUMS["sherd_run_answer"]
_STAGES = enum_words("sherd_run_stage")
_LEVELS = enum_words("sherd_message_level")


class RunWorld(WorldQueries):
    """The world of a run in progress, to look at within a callback."""

    def __init__(self, pointer):
        self._handle = Handle(pointer, None, "world of a run")


class RunView:
    """What a callback sees of a run. Only valid during the callback; columns are copies and may be kept."""

    def __init__(self, view):
        # The library gives its world as const; queries are declared with the same pointer type.
        self._view = view
        self._world = None

    def _now(self):
        if self._view is None:
            raise InputError("this view of a run is over", "RunView", "copy what is needed within the callback")
        return self._view

    def _expire(self):
        self._view = None
        if self._world is not None:
            self._world._handle.expire("the callback that showed this world is over")

    @property
    def frame(self) -> int:
        """The last complete frame; -1: none yet."""
        return self._now().frame

    @property
    def frame_count(self) -> int:
        """Frames to compute after frame 0."""
        return self._now().plan.frames

    @property
    def resumed_at(self) -> int:
        """The frame at which this call began; -1: anew."""
        return self._now().resumed_at

    @property
    def time_s(self) -> float:
        """Simulated time now."""
        return self.world.time_s

    @property
    def fraction(self) -> float:
        """Of the simulated time, 0 to 1."""
        return self._now().fraction

    @property
    def time_left_s(self) -> float:
        """At the speed so far; -1: not known yet."""
        return self._now().time_left

    @property
    def folder(self) -> str:
        """The run's folder."""
        return text(self._now().folder)

    @property
    def stats(self) -> "Stats | None":
        """Figures of the last complete frame; None: there is none yet."""
        stats = self._now().stats
        return struct(stats.contents) if stats else None

    @property
    def fragments(self) -> FragmentList:
        """Fragments of the last complete frame."""
        view = self._now()
        count = view.model.contents.element_count if view.model else 0
        return FragmentList(view.fragments, count)

    @property
    def world(self) -> RunWorld:
        """The world: elements(), bonds(), energy() and so on."""
        if self._world is None:
            self._world = RunWorld(self._now().world)
        return self._world


class _Signals:
    """Ctrl-C while the library runs: noted, and answered by a stop between two steps.

    The handler never raises, because an exception in the middle of ctypes' own code would be lost.
    """

    def __init__(self, stop):
        self._stop, self._former, self.raised = stop, None, None

    def __enter__(self):
        if threading.current_thread() is threading.main_thread():
            self._former = signal.getsignal(signal.SIGINT)
            if self._former is not None and self._former not in (signal.SIG_IGN, signal.SIG_DFL):
                signal.signal(signal.SIGINT, self._note)
            else:
                self._former = None
        return self

    def _note(self, number, frame):
        try:
            self._former(number, frame)  # Python's own raises KeyboardInterrupt
        except BaseException as error:
            if self.raised is None:
                self.raised = error.with_traceback(None)
            lib.sherd_stop_request(ctypes.byref(self._stop))

    def __exit__(self, *unused):
        if self._former is not None:
            signal.signal(signal.SIGINT, self._former)


class _Callbacks:
    """The library's callbacks in Python. What they raise stops the run and is raised when it has stopped."""

    def __init__(self, stop, on_frame, on_message, progress):
        self._stop, self._on_frame, self._on_message, self._progress = stop, on_frame, on_message, progress
        self.raised, self.messages = None, []

    def fill(self, definition):
        kinds = dict(_c.sherd_run_def._fields_)
        definition.on_progress = kinds["on_progress"](self._step)
        definition.on_frame = kinds["on_frame"](self._frame)
        definition.on_message = kinds["on_message"](self._message)

    def _failed(self, error):
        if self.raised is None:
            self.raised = error
        lib.sherd_stop_request(ctypes.byref(self._stop))

    def _step(self, _, pointer):
        try:
            if self._progress and self.raised is None:
                self._look(pointer, self._progress.step)
        except BaseException as error:
            self._failed(error)

    @staticmethod
    def _look(pointer, function):
        view = RunView(pointer.contents)
        try:
            return function(view)
        finally:
            view._expire()

    def _frame(self, _, pointer):
        try:
            if self.raised is not None:
                return _ANSWERS["SHERD_RUN_STOP"]
            if self._progress:
                self._look(pointer, self._progress.frame)
            answer = self._look(pointer, self._on_frame) if self._on_frame else None
            return _ANSWERS["SHERD_RUN_STOP" if isinstance(answer, str) and answer == STOP else "SHERD_RUN_GO_ON"]
        except BaseException as error:
            self._failed(error)
            return _ANSWERS["SHERD_RUN_STOP"]

    def _message(self, _, pointer):
        try:
            message = pointer.contents
            level, parts = _LEVELS[message.level], (message.where, message.what, message.hint)
            where, what, hint = (text(part) or "" for part in parts)
            told = f"{where}: {what}" if where else what
            told = f"{told} ({hint})" if hint else told
            self.messages.append((level, told))
            if self._on_message:
                self._on_message(level, told)
            elif self._progress and level not in ("info", "note"):
                self._progress.message(level, told)
        except BaseException as error:
            self._failed(error)


def _definition(scene, folder, threads, frames, resume, overwrite, pictures, summary, keep):
    for name, value in (("resume", resume), ("overwrite", overwrite), ("pictures", pictures), ("summary", summary)):
        if not isinstance(value, (bool, int)):
            raise TypeError(f"{name}: True or False is needed, got {value!r}")
    words = {name: _c.ENUMS[f"sherd_{name}"] for name in ("run_begin", "foreign_files", "run_pictures", "run_summary")}
    definition = lib.sherd_run_def_default()
    definition.scene = scene.pointer
    keep.append(encoded(folder))
    definition.folder = keep[-1]
    definition.threads = threads
    definition.frames = -1 if frames is None else frames
    definition.begin = words["run_begin"]["SHERD_RUN_RESUME" if resume else "SHERD_RUN_ANEW"]
    definition.foreign = words["foreign_files"]["SHERD_FOREIGN_OVERWRITE" if overwrite else "SHERD_FOREIGN_KEEP"]
    definition.pictures = words["run_pictures"]["SHERD_RUN_PICTURES_AS_SCENE" if pictures else
                                                "SHERD_RUN_PICTURES_NONE"]
    definition.summary = words["run_summary"]["SHERD_RUN_SUMMARY_MAKE" if summary else "SHERD_RUN_SUMMARY_NONE"]
    return definition


def _progress_of(wanted):
    if wanted is None:
        wanted = Progress()
        return wanted if wanted._terminal or wanted._display else None
    return Progress() if wanted is True else wanted or None


def _default_folder(scene):
    room = ctypes.create_string_buffer(_c.CONSTANTS["SHERD_RUN_FOLDER"])
    return text(lib.sherd_run_folder(scene.pointer, room))


def run(scene: "Path", set: "Mapping[str, Any] | None" = None, out: "Path | None" = None,
        on_frame: "Callable[[RunView], Any] | None" = None, *, variant: "str | None" = None, threads: int = 0,
        frames: "int | None" = None, resume: bool = False, overwrite: bool = False, pictures: bool = True,
        summary: bool = True, on_message: "Callable[[str, str], Any] | None" = None,
        progress: "bool | None" = None) -> Run:
    """Runs a scene file to its end, as `sherd run` does, and returns the Run that is then in its folder.

    set: {"bodies.plate.packing.hcp.radius": "2 mm", ...}: other values than the scene's, as `sherd run --set`
    out: the run's folder (default out/NAME)
    on_frame: called with a RunView when a frame is on disk; sherd.STOP as its answer ends the run. What it raises
        stops the run, too, and is raised here.
    frames: to compute after frame 0 (default: as many as the scene says)
    resume: go on with the run in the folder, bit for bit
    overwrite: write over files of others in the folder
    pictures, summary: False: no pictures; no report, lists, animation and video
    on_message: called with (level, text) for each note and warning; default: warnings are printed where progress is
    progress: True, False or None (default): where there is a terminal or a notebook

    Ctrl-C ends the run between two steps with KeyboardInterrupt; `resume=True` goes on. Other Python threads
    run all the while.
    """
    stop, keep, error, result = _c.sherd_stop(), [], _c.sherd_error(), _c.sherd_run_result()
    loaded = load_scene(os.fspath(scene), set, variant)
    folder = os.fspath(out) if out is not None else _default_folder(loaded)
    callbacks = _Callbacks(stop, on_frame, on_message, _progress_of(progress))
    definition = _definition(loaded, folder, threads, frames, resume, overwrite, pictures, summary, keep)
    definition.stop = ctypes.pointer(stop)
    callbacks.fill(definition)
    with loaded, _Signals(stop) as signals:
        status = lib.sherd_run_scene(ctypes.byref(definition), ctypes.byref(result), ctypes.byref(error))
    if callbacks._progress:
        callbacks._progress.end()
    raised = signals.raised or callbacks.raised
    if raised is not None:
        raise raised
    check(status, error)
    made = Run(folder)
    made.result, made.messages = struct(result), callbacks.messages
    return made
