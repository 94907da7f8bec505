"""Sherd breaks things: simulation of solids that bend, crack and shatter.

    import sherd
    run = sherd.run("plate.yaml", set={"duration": "5 ms"}, out="out/plate")
    print(run.stats.time_s[-1], len(run.fragments()))

sherd.run runs a scene file, sherd.load reads a finished run, sherd.World is a world of one's own. Everything is in
SI units, and names say which: gravity_m_s2, time_s, energy().kinetic_j.
"""
from ._calibrate import calibrate
from ._columns import Columns
from ._errors import (BorrowError, BusyError, Error, FileError, InputError, InterruptedRunError, LibraryError,
                      OutOfMemoryError, SceneError, UnstableError, UnsupportedError)
from ._library import library_path, version
from ._load import Frame, Frames, Run, Table, load
from ._materials import material, materials
from ._notebook import Stacked
from ._results import (BodyBonds, BodyGlue, BodyInfo, Bounds, Break, Calibration, Diagnosis, ElementInfo, Energy, Fragment,
                       MaterialFigures, MemoryUse, MotionKey, Pose, ProbeReading, Quat, Region, RunResult, SolverCounts, SplitSteps, Stats,
                       StepPlan, StepTimes, Struct, Vec3)
from ._run import STOP, RunView, RunWorld, run
from ._shapes import Motion, Packing, Shape, Weakness
from ._world import Borrowed, FragmentList, Id, World, WorldQueries

__version__ = version()

__all__ = [
    "BodyBonds", "BodyGlue", "BodyInfo", "BorrowError", "Borrowed", "Bounds", "Break", "BusyError", "Calibration", "Columns",
    "Diagnosis", "ElementInfo", "Energy", "Error", "FileError", "Fragment", "FragmentList", "Frame", "Frames", "Id",
    "InputError", "InterruptedRunError", "LibraryError", "MaterialFigures", "MemoryUse", "Motion", "MotionKey", "OutOfMemoryError", "Packing", "Pose",
    "ProbeReading", "Quat", "Region", "Run", "RunResult", "RunView", "RunWorld", "STOP", "SceneError", "Shape",
    "SolverCounts", "SplitSteps", "Stacked", "Stats", "StepPlan", "StepTimes", "Struct", "Table", "UnstableError", "UnsupportedError", "Vec3",
    "Weakness", "World", "WorldQueries", "calibrate", "library_path", "load", "material", "materials", "run", "version",
]

for _name in __all__:
    if isinstance(globals()[_name], type):
        globals()[_name].__module__ = "sherd"
del _name
