"""Where the command is."""
import bpy
from bpy.props import StringProperty

from . import command


class SherdPreferences(bpy.types.AddonPreferences):
    bl_idname = __package__

    command_path: StringProperty(name="Command", subtype="FILE_PATH", default="",
                                 description="The program `sherd`; empty: the one on the PATH")

    def draw(self, _context):
        self.layout.prop(self, "command_path")
        try:
            self.layout.label(text=command.find(bpy.path.abspath(self.command_path)), icon="CHECKMARK")
        except command.CommandError as error:
            self.layout.label(text=str(error), icon="ERROR")


def sherd(context):
    """The command's path; CommandError when there is none."""
    addon = context.preferences.addons.get(__package__)
    path = addon.preferences.command_path if addon is not None else ""
    return command.find(bpy.path.abspath(path) if path else "")


def register():
    bpy.utils.register_class(SherdPreferences)


def unregister():
    bpy.utils.unregister_class(SherdPreferences)
