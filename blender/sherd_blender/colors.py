"""Materials of runs, and what they are coloured by.

One group of shader nodes for each run, which all materials of the run have between their colour and their shader:
`color by` links another chain to its output. Values are attributes: of objects that move rigidly custom properties with
keyframes, of vertices and granules attributes of the mesh, which frame_values.py brings up to date.
"""
import bpy

CHOICES = [("MATERIAL", "Material", "The colour of the material"),
           ("FRAGMENT", "Fragment", "A colour for each fragment"),
           ("SPEED", "Speed", "Blue: slow, red: as fast as the top of the range"),
           ("STRESS", "Stress", "Von Mises' where the run has stresses (output.stress), else share of the strength")]
RAMP = [(0.0, (0.02, 0.03, 0.25)), (0.25, (0.03, 0.25, 0.75)), (0.5, (0.2, 0.65, 0.35)), (0.75, (0.95, 0.7, 0.08)),
        (1.0, (0.75, 0.03, 0.02))]


def _sum_of_attributes(tree, name):
    """What the object, the mesh or the instance says; the others are 0."""
    total = None
    for kind in ("OBJECT", "GEOMETRY", "INSTANCER"):
        node = tree.nodes.new("ShaderNodeAttribute")
        node.attribute_type, node.attribute_name = kind, name
        value = node.outputs["Fac"]
        if total is not None:
            add = tree.nodes.new("ShaderNodeMath")
            add.operation = "ADD"
            tree.links.new(total, add.inputs[0])
            tree.links.new(value, add.inputs[1])
            value = add.outputs[0]
        total = value
    return total


def _ramp(tree, value, label):
    divide = tree.nodes.new("ShaderNodeMath")
    divide.operation, divide.use_clamp, divide.name = "DIVIDE", True, f"{label} over top"
    tree.links.new(value, divide.inputs[0])
    ramp = tree.nodes.new("ShaderNodeValToRGB")
    ramp.name = label
    while len(ramp.color_ramp.elements) < len(RAMP):
        ramp.color_ramp.elements.new(0.5)
    for element, (at, color) in zip(ramp.color_ramp.elements, RAMP):
        element.position, element.color = at, (*color, 1.0)
    tree.links.new(divide.outputs[0], ramp.inputs[0])
    return ramp


def _socket(tree, name, direction):
    if hasattr(tree, "interface"):  # 4.0 and later
        tree.interface.new_socket(name, in_out=direction, socket_type="NodeSocketColor")
    elif direction == "INPUT":
        tree.inputs.new("NodeSocketColor", name)
    else:
        tree.outputs.new("NodeSocketColor", name)


def make_group(name):
    tree = bpy.data.node_groups.new(name, "ShaderNodeTree")
    _socket(tree, "Color", "INPUT")
    _socket(tree, "Color", "OUTPUT")
    tree.nodes.new("NodeGroupInput").name = "MATERIAL"
    tree.nodes.new("NodeGroupOutput").name = "Output"
    noise = tree.nodes.new("ShaderNodeTexWhiteNoise")
    noise.noise_dimensions, noise.name = "1D", "FRAGMENT"
    tree.links.new(_sum_of_attributes(tree, "fragment"), noise.inputs["W"])
    _ramp(tree, _sum_of_attributes(tree, "speed"), "SPEED")
    _ramp(tree, _sum_of_attributes(tree, "stress"), "STRESS")
    for k, node in enumerate(tree.nodes):
        node.location = (220 * (k % 8), -220 * (k // 8))
    return tree


def color_by(tree, choice, top_speed, top_stress):
    """Links what is asked for to the group's output."""
    for label, top in (("SPEED", top_speed), ("STRESS", top_stress)):
        node = tree.nodes.get(f"{label} over top")
        if node is not None:
            node.inputs[1].default_value = top if top > 0.0 else 1.0
    source, output = tree.nodes.get(choice), tree.nodes.get("Output")
    if source is None or output is None:
        return False
    tree.links.new(source.outputs["Color"], output.inputs[0])
    return True


def make_material(name, key, color, roughness, transmission=0.0, group=None):
    """A material, with the group between colour and shader where there is one."""
    material = bpy.data.materials.new(name)
    material["sherd_key"] = key
    material.diffuse_color = (*color, 1.0)
    material.use_nodes = True
    tree = material.node_tree
    shader = next(n for n in tree.nodes if n.type == "BSDF_PRINCIPLED")
    shader.inputs["Roughness"].default_value = roughness
    for socket in ("Transmission", "Transmission Weight"):  # until 3.6, later
        if socket in shader.inputs:
            shader.inputs[socket].default_value = transmission
    if group is None:
        shader.inputs["Base Color"].default_value = (*color, 1.0)
        return material
    chooser = tree.nodes.new("ShaderNodeGroup")
    chooser.node_tree = group
    chooser.inputs[0].default_value = (*color, 1.0)
    chooser.location = (shader.location[0] - 220, shader.location[1])
    tree.links.new(chooser.outputs[0], shader.inputs["Base Color"])
    return material
