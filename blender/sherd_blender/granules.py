"""Granules: a point for each, and a modifier that puts balls there."""
import bpy

GROUP = "Sherd granules"


def _socket(tree, name, kind, direction):
    if hasattr(tree, "interface"):  # 4.0 and later
        return tree.interface.new_socket(name, in_out=direction, socket_type=kind).identifier
    sockets = tree.inputs if direction == "INPUT" else tree.outputs
    return sockets.new(kind, name).identifier


def group():
    """Balls of the attribute `radius` at points, of the material that the modifier names."""
    found = bpy.data.node_groups.get(GROUP)
    if found is not None:
        return found
    tree = bpy.data.node_groups.new(GROUP, "GeometryNodeTree")
    _socket(tree, "Geometry", "NodeSocketGeometry", "INPUT")
    tree["sherd_material"] = _socket(tree, "Material", "NodeSocketMaterial", "INPUT")
    _socket(tree, "Geometry", "NodeSocketGeometry", "OUTPUT")
    if hasattr(tree, "is_modifier"):
        tree.is_modifier = True
    new, link = tree.nodes.new, tree.links.new
    given, made = new("NodeGroupInput"), new("NodeGroupOutput")
    points, ball, smooth = new("GeometryNodeInstanceOnPoints"), new("GeometryNodeMeshIcoSphere"), \
        new("GeometryNodeSetShadeSmooth")
    radius, material = new("GeometryNodeInputNamedAttribute"), new("GeometryNodeSetMaterial")
    ball.inputs["Radius"].default_value, ball.inputs["Subdivisions"].default_value = 1.0, 2
    radius.data_type = "FLOAT"
    radius.inputs["Name"].default_value = "radius"
    link(ball.outputs["Mesh"], smooth.inputs["Geometry"])
    link(smooth.outputs["Geometry"], material.inputs["Geometry"])
    link(given.outputs["Material"], material.inputs["Material"])
    link(given.outputs["Geometry"], points.inputs["Points"])
    link(material.outputs["Geometry"], points.inputs["Instance"])
    link(next(s for s in radius.outputs if s.enabled and s.name == "Attribute"), points.inputs["Scale"])
    link(points.outputs["Instances"], made.inputs["Geometry"])
    for k, node in enumerate(tree.nodes):
        node.location = (200 * (k % 4), -200 * (k // 4))
    return tree


def show(owner, material):
    """The modifier on an object of points; one that is there already keeps its material."""
    if owner.modifiers.get(GROUP) is not None:
        return
    modifier = owner.modifiers.new(GROUP, "NODES")
    modifier.node_group = group()
    modifier[modifier.node_group["sherd_material"]] = material
