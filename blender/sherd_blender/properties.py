"""What the panels set: of objects that are exported, of scenes, and of runs that were imported."""
import math

import bpy
from bpy.props import BoolProperty, EnumProperty, FloatProperty, FloatVectorProperty, PointerProperty, StringProperty

from . import colors, models

ROLES = [("NONE", "Not in the scene", "Left out of the export, even when selected"),
         ("BODY", "Body", "Breaks: a closed mesh that is filled with elements or material points"),
         ("OBSTACLE", "Obstacle", "Rigid: a closed mesh, or a flat one, which is a plane without end")]
MOTIONS = [("FIXED", "Fixed", "Stays where it is"),
           ("ANIMATED", "Animated", "Moves as its animation does, a frame of the timeline is a frame of the run"),
           ("FREE", "Free", "Falls and is pushed as a rigid body")]
PACKINGS = [("hcp", "Close packed", "Hexagonal close packing, for solids"),
            ("layers", "Layers", "Flat hexagonal layers, for sheets and plates"),
            ("random", "Random", "Random close packing, for solids without a grain"),
            ("tetra", "Tetrahedra", "Elements are tetrahedra, cracks run along their faces"),
            ("shell", "Shell", "Evenly spread layers in a thin wall"),
            ("cubic", "Cubic", "Simple cubic, for loose granules"),
            ("points", "Material points", "Soft solids, sand, snow, fluids"),
            ("fem", "Finite elements", "Tetrahedra that separate at nodes; alone in a scene")]


def update_colors(run, _context):
    tree = bpy.data.node_groups.get(run.id_data.get("sherd_group", ""))
    if tree is not None:
        run.apply(tree)


class SherdObject(bpy.types.PropertyGroup):
    role: EnumProperty(name="Role", items=ROLES, default="BODY")
    packing: EnumProperty(name="Packing", items=PACKINGS, default="hcp")
    size: FloatProperty(name="Size", default=0.002, min=1e-7, soft_max=1.0, precision=5, unit="LENGTH",
                        description="Radius of elements; of tetrahedra the edge, of points their distance. In Blender's units")
    loose: BoolProperty(name="Loose", default=False, description="Granules without bonds")
    density: FloatProperty(name="Density", default=2600.0, min=1e-3, max=1e6, description="kg/m^3")
    youngs_modulus: FloatProperty(name="Young's modulus", default=1.0, min=1e-9, precision=4, description="GPa")
    stiffness_scale: FloatProperty(name="Stiffness scale", default=1.0, min=1e-6, max=1.0, precision=4,
                                   description="Below 1: softer, for longer steps; the same speeds break it")
    poissons_ratio: FloatProperty(name="Poisson's ratio", default=0.2, min=-0.99, max=0.49)
    tensile_strength: FloatProperty(name="Tensile strength", default=3.0, min=1e-9, precision=4, description="MPa")
    shear_strength: FloatProperty(name="Shear strength", default=4.0, min=1e-9, precision=4, description="MPa")
    unbreakable: BoolProperty(name="Unbreakable", default=False)
    calibrate: BoolProperty(name="Calibrate", default=False,
                            description="The values are the solid's, and Sherd finds the bonds (takes seconds)")
    weibull_modulus: FloatProperty(name="Weibull modulus", default=10.0, min=0.0, soft_min=1.0,
                                   description="Scatter of strengths; 0: none, else at least 1")
    friction: FloatProperty(name="Friction", default=0.3, min=0.0)
    model: EnumProperty(name="Model", items=models.CHOICES, default="neo_hookean")
    friction_angle: FloatProperty(name="Friction angle", default=math.radians(30), min=math.radians(1),
                                  max=math.radians(88), subtype="ANGLE")
    velocity: FloatVectorProperty(name="Velocity", default=(0, 0, 0), description="At the start [m/s]")
    angular_velocity: FloatVectorProperty(name="Angular velocity", default=(0, 0, 0),
                                          description="At the start, about the object's origin [rad/s]")
    motion: EnumProperty(name="Motion", items=MOTIONS, default="FIXED")


for _key in models.KEYS.values():
    SherdObject.__annotations__[_key.key] = FloatProperty(
        name=_key.label, default=_key.default, min=_key.low, max=_key.high, precision=4, description=_key.description)


class SherdScene(bpy.types.PropertyGroup):
    folder: StringProperty(name="Folder", subtype="DIR_PATH", default="//sherd",
                           description="Where the scene, its meshes and its run go")
    name: StringProperty(name="Name", default="scene", description="Of the scene and of its folder")
    duration: FloatProperty(name="Duration", default=0.02, min=1e-9, precision=5, description="Simulated time [s]")
    frame_rate: FloatProperty(name="Frames per second", default=1200.0, min=1e-3,
                              description="Of simulated time: each is a frame of the timeline")
    selected_only: BoolProperty(name="Selected only", default=True, description="Else all visible meshes")


class SherdRun(bpy.types.PropertyGroup):
    color_by: EnumProperty(name="Colour by", items=colors.CHOICES, default="MATERIAL", update=update_colors)
    top_speed: FloatProperty(name="Top speed", default=0.0, min=0.0, update=update_colors,
                             description="Where colours end [m/s]; 0: the run's largest")
    top_stress: FloatProperty(name="Top stress", default=0.0, min=0.0, update=update_colors,
                              description="Where colours end [Pa, or share of the strength]; 0: the run's largest")
    top_speed_found: FloatProperty(options={"HIDDEN"})
    top_stress_found: FloatProperty(options={"HIDDEN"})

    def apply(self, tree):
        colors.color_by(tree, self.color_by, self.top_speed or self.top_speed_found,
                        self.top_stress or self.top_stress_found)


CLASSES = (SherdObject, SherdScene, SherdRun)


def register():
    for cls in CLASSES:
        bpy.utils.register_class(cls)
    bpy.types.Object.sherd = PointerProperty(type=SherdObject)
    bpy.types.Object.sherd_run = PointerProperty(type=SherdRun)
    bpy.types.Scene.sherd = PointerProperty(type=SherdScene)


def unregister():
    del bpy.types.Scene.sherd, bpy.types.Object.sherd_run, bpy.types.Object.sherd
    for cls in reversed(CLASSES):
        bpy.utils.unregister_class(cls)
