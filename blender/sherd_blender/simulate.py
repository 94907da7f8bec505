"""`sherd run` in the background: start, progress, stop, and the run is imported when it is done."""
import os
import time

import bpy

from . import command, export_scene, frame_values, operators, preferences

INTERVAL = 0.25  # between looks at its progress [s]


class Simulation:
    """The one that this Blender runs."""

    process = None
    said = ""      # how the last one ended
    failed = False
    stopped = False


def running():
    return Simulation.process is not None


def left_over():
    """A process that has ended unseen: the file was closed that the operator was of."""
    return running() and Simulation.process.status() is not None


def start(context, resume=False):
    """Writes the scene, checks it, starts the command."""
    if left_over():
        Simulation.process.finish()
        Simulation.process = None
    if running():
        raise command.CommandError("a simulation is running already")
    if resume:
        _, path, out = export_scene.paths(context.scene)
        sherd = preferences.sherd(context)
    else:
        export, _ = operators.checked(context)
        path, out, sherd = export.path, export.out, preferences.sherd(context)
    Simulation.process = command.Process(sherd, path, out, resume)
    Simulation.said, Simulation.failed, Simulation.stopped = "", False, False


def look(context):
    """Whether it still runs; at its end what is to be done then is done."""
    process = Simulation.process
    if process is None:
        return False
    if process.status() is None:
        return True
    Simulation.process = None
    status, said = process.finish()
    if status != 0 and not Simulation.stopped:
        Simulation.failed = True
        Simulation.said = "\n".join(command.errors_of(said)) or f"sherd run ended with status {status}"
        return False
    Simulation.said = "stopped" if Simulation.stopped else process.line
    try:
        show(context, process.out)
    except operators.PROBLEMS as error:
        Simulation.failed, Simulation.said = True, str(error)
    return False


def show(context, out):
    """Imports the run, or refreshes it where it was imported before."""
    root = next((r for r in frame_values.roots() if os.path.abspath(r["sherd_folder"]) == os.path.abspath(out)), None)
    operators.load(context, out, root, **({} if root else {"start": context.scene.frame_start}))


def stop():
    if running():
        Simulation.stopped = True
        Simulation.process.stop()


class SHERD_OT_simulate(bpy.types.Operator):
    """Export the scene and simulate it in the background; the run is imported when it is done"""
    bl_idname, bl_label = "sherd.simulate", "Simulate"

    resume: bpy.props.BoolProperty(default=False, options={"HIDDEN", "SKIP_SAVE"})

    @classmethod
    def poll(cls, _context):
        return not running() or left_over()

    def execute(self, context):
        try:
            start(context, self.resume)
        except operators.PROBLEMS as error:
            Simulation.failed, Simulation.said = True, str(error)
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        if bpy.app.background:  # no timers there: wait
            while look(context):
                time.sleep(0.02)
            return self._end()
        self.timer = context.window_manager.event_timer_add(INTERVAL, window=context.window)
        context.window_manager.progress_begin(0, 100)
        context.window_manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context, event):
        if event.type != "TIMER":
            return {"PASS_THROUGH"}
        if running():
            context.window_manager.progress_update(100 * Simulation.process.share())
        for area in context.screen.areas if context.screen else ():
            if area.type == "VIEW_3D":
                area.tag_redraw()
        if look(context):
            return {"PASS_THROUGH"}
        context.window_manager.event_timer_remove(self.timer)
        context.window_manager.progress_end()
        return self._end()

    def _end(self):
        if Simulation.failed:
            self.report({"ERROR"}, Simulation.said)
            return {"CANCELLED"}
        self.report({"INFO"}, Simulation.said)
        return {"FINISHED"}


class SHERD_OT_stop(bpy.types.Operator):
    """Stop the simulation: it writes a checkpoint, from which it can go on"""
    bl_idname, bl_label = "sherd.stop", "Stop"

    @classmethod
    def poll(cls, _context):
        return running()

    def execute(self, _context):
        stop()
        return {"FINISHED"}


class SHERD_OT_peek(bpy.types.Operator):
    """Import what the running simulation has so far"""
    bl_idname, bl_label = "sherd.peek", "Show so far"

    @classmethod
    def poll(cls, _context):
        return running() and Simulation.process.frame > 0

    def execute(self, context):
        try:
            show(context, Simulation.process.out)
        except operators.PROBLEMS as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        return {"FINISHED"}


CLASSES = (SHERD_OT_simulate, SHERD_OT_stop, SHERD_OT_peek)


def register():
    for cls in CLASSES:
        bpy.utils.register_class(cls)


def unregister():
    stop()
    for cls in reversed(CLASSES):
        bpy.utils.unregister_class(cls)
