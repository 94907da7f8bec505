"""Import, refresh, export."""
import os

import bpy
from bpy.props import FloatProperty, IntProperty, StringProperty

from . import command, export_scene, frame_values, import_run, piece_file, preferences

PROBLEMS = (command.CommandError, piece_file.PieceFileError, export_scene.ExportError, OSError, ValueError)


def pieces_path(folder):
    """The file of pieces and the caches are in a folder of their own in that of the run."""
    return os.path.join(folder, "blender", "run.pieces")


def load(context, folder, root=None, **options):
    """Exports the run's pieces and makes objects of them. -> what to tell"""
    folder = os.path.abspath(folder)
    path = pieces_path(folder)
    command.export_pieces(preferences.sherd(context), folder, path)
    run = import_run.Import(context, path, folder, root, **options)
    seconds, count = run.make()
    told = f"{run.file.frame_count} frames, {count} objects in {seconds:.1f} s"
    return run.root, told


def find_root(context):
    """The run of the active object, else the only one there is."""
    owner = context.active_object
    while owner is not None:
        if "sherd_folder" in owner:
            return owner
        owner = owner.parent
    found = [root for root in frame_values.roots() if root.name in context.scene.objects]
    return found[0] if len(found) == 1 else None


class SHERD_OT_import_run(bpy.types.Operator):
    """Import a run of Sherd, finished or in progress: fragments with keyframes, what bends, granules, obstacles"""
    bl_idname, bl_label, bl_options = "sherd.import_run", "Sherd run", {"REGISTER", "UNDO"}

    directory: StringProperty(name="Folder of the run", subtype="DIR_PATH")
    start: IntProperty(name="First frame", default=1, description="Of the timeline, where the run begins")
    step: FloatProperty(name="Frames per frame", default=1.0, min=0.01,
                        description="Frames of the timeline for each frame of the run: 2 is half as fast")
    tolerance: FloatProperty(name="Rigid within", default=0.5, min=0.0, soft_max=3.0,
                             description="Mean radii of elements by which the vertices of a piece may leave a rigid motion "
                             "and it still gets keyframes; what bends more has its vertices in a cache. At least 0.2")
    filter_folder: bpy.props.BoolProperty(default=True, options={"HIDDEN"})

    def invoke(self, context, _event):
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}

    def execute(self, context):
        try:
            root, told = load(context, bpy.path.abspath(self.directory), start=self.start, step=self.step,
                              tolerance=self.tolerance)
        except PROBLEMS as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        context.view_layer.objects.active = root
        self.report({"INFO"}, told)
        return {"FINISHED"}


class SHERD_OT_refresh(bpy.types.Operator):
    """Read the run again, which may have grown. Materials, names and modifiers stay"""
    bl_idname, bl_label, bl_options = "sherd.refresh", "Refresh", {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context):
        return find_root(context) is not None

    def execute(self, context):
        root = find_root(context)
        if root is None:
            self.report({"ERROR"}, "make a part of the run active first: there are several")
            return {"CANCELLED"}
        try:
            _, told = load(context, bpy.path.abspath(root["sherd_folder"]), root)
        except PROBLEMS as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        self.report({"INFO"}, told)
        return {"FINISHED"}


def checked(context):
    """Writes the scene and lets the command check it. -> (exporter, what it says)"""
    export = export_scene.Export(context)
    path = export.write()
    return export, command.call([preferences.sherd(context), "check", path], "sherd check")


class SHERD_OT_export_scene(bpy.types.Operator):
    """Write the scene and its meshes, and check it with `sherd check`"""
    bl_idname, bl_label = "sherd.export_scene", "Export scene"

    def execute(self, context):
        try:
            export, said = checked(context)
        except PROBLEMS as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        print(said)
        notes = sum("note" in line or "warning" in line for line in said.splitlines())
        self.report({"INFO"}, f"{export.path}: checked, {notes} notes (on the console)")
        return {"FINISHED"}


CLASSES = (SHERD_OT_import_run, SHERD_OT_refresh, SHERD_OT_export_scene)


def menu_import(self, _context):
    self.layout.operator(SHERD_OT_import_run.bl_idname, text="Sherd run (folder)")


def register():
    for cls in CLASSES:
        bpy.utils.register_class(cls)
    bpy.types.TOPBAR_MT_file_import.append(menu_import)


def unregister():
    bpy.types.TOPBAR_MT_file_import.remove(menu_import)
    for cls in reversed(CLASSES):
        bpy.utils.unregister_class(cls)
