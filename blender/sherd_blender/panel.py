"""The tab Sherd in the sidebar of the 3D view."""
import bpy

from . import models, operators, simulate


class _Panel:
    bl_space_type, bl_region_type, bl_category = "VIEW_3D", "UI", "Sherd"


def _lines(layout, text, icon="NONE", width=60):
    """A text of several lines, long ones broken."""
    for line in text.splitlines():
        while line:
            cut = len(line) if len(line) <= width else max(line.rfind(" ", 0, width), width // 2)
            layout.label(text=line[:cut], icon=icon)
            line, icon = line[cut:].strip(), "NONE"


class SHERD_PT_simulate(_Panel, bpy.types.Panel):
    bl_idname, bl_label = "SHERD_PT_simulate", "Simulation"

    def draw(self, context):
        layout, scene = self.layout, context.scene.sherd
        layout.use_property_split = True
        for name in ("name", "folder", "duration", "frame_rate", "selected_only"):
            layout.prop(scene, name)
        layout.operator("sherd.export_scene", icon="EXPORT")
        if simulate.running() and not simulate.left_over():
            process = simulate.Simulation.process
            box = layout.box()
            _lines(box, process.line)
            if hasattr(box, "progress"):  # 4.0 and later
                box.progress(factor=process.share(), text=f"frame {process.frame} of {process.frames}")
            row = box.row()
            row.operator("sherd.peek", icon="HIDE_OFF")
            row.operator("sherd.stop", icon="CANCEL")
            return
        row = layout.row()
        row.operator("sherd.simulate", icon="PLAY")
        row.operator("sherd.simulate", text="Go on", icon="FF").resume = True
        if simulate.Simulation.said:
            _lines(layout.box(), simulate.Simulation.said, "ERROR" if simulate.Simulation.failed else "CHECKMARK")


class SHERD_PT_object(_Panel, bpy.types.Panel):
    bl_idname, bl_label = "SHERD_PT_object", "Object"

    @classmethod
    def poll(cls, context):
        owner = context.active_object
        return owner is not None and owner.type != "EMPTY" and "sherd_key" not in owner

    def draw(self, context):
        layout, s = self.layout, context.active_object.sherd
        layout.use_property_split = True
        layout.prop(s, "role")
        names = {"BODY": self._body(s), "OBSTACLE": self._obstacle(s)}.get(s.role, ())
        for name in names:
            layout.prop(s, name)

    @staticmethod
    def _body(s):
        if s.packing == "points":
            return ["packing", "size", "model", "density", *models.MODELS[s.model][2],
                    *([] if s.model == "fluid" else ["friction"]), "velocity", "angular_velocity"]
        names = ["packing", "size", "density", "youngs_modulus", "poissons_ratio", "friction"]
        if s.packing == "fem":
            names += ["unbreakable"] if s.unbreakable else ["unbreakable", "tensile_strength"]
        else:
            names += ["loose"] if s.loose else ["loose", "unbreakable"]
            names.insert(names.index("youngs_modulus") + 1, "stiffness_scale")
            if not (s.loose or s.unbreakable):
                names += ["tensile_strength", "shear_strength", "weibull_modulus", "calibrate"]
        return names + ["velocity", "angular_velocity"]

    @staticmethod
    def _obstacle(s):
        return ["motion", "friction"] + (["density", "velocity", "angular_velocity"] if s.motion == "FREE" else [])


class SHERD_PT_run(_Panel, bpy.types.Panel):
    bl_idname, bl_label = "SHERD_PT_run", "Run"

    def draw(self, context):
        layout, root = self.layout, operators.find_root(context)
        layout.operator("sherd.import_run", text="Import run", icon="IMPORT")
        if root is None:
            return
        layout.use_property_split = True
        layout.label(text=f"{root.name}: frame {root['sherd_frames'] - 1} of {root['sherd_planned'] - 1}")
        layout.operator("sherd.refresh", icon="FILE_REFRESH")
        run = root.sherd_run
        layout.prop(run, "color_by")
        if run.color_by == "SPEED":
            layout.prop(run, "top_speed")
        if run.color_by == "STRESS":
            layout.prop(run, "top_stress", text=f"Top stress [{root['sherd_stress_unit'] or 'of strength'}]")
        owner = context.active_object
        if owner is not None and "fragment" in owner:
            layout.label(text=f"Fragment {owner['fragment']}: {owner['elements']} elements, {owner['mass_kg']:.4g} kg")


CLASSES = (SHERD_PT_simulate, SHERD_PT_object, SHERD_PT_run)


def register():
    for cls in CLASSES:
        bpy.utils.register_class(cls)


def unregister():
    for cls in reversed(CLASSES):
        bpy.utils.unregister_class(cls)
