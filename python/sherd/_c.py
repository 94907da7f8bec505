"""The C interface of libsherd for ctypes. Written by scripts/make-python from include/sherd: do not edit."""
import ctypes as c

INTERFACE = 0x2f5197b856d5678f

class sherd_shape(c.Structure):
    pass


class sherd_weakness(c.Structure):
    pass


class sherd_fragments(c.Structure):
    pass


class sherd_run(c.Structure):
    pass


class sherd_surface(c.Structure):
    pass


class sherd_texture_image(c.Structure):
    pass


class sherd_world(c.Structure):
    pass


class sherd_scene_storage(c.Structure):
    pass


class sherd_environment(c.Structure):
    pass


class sherd_layers(c.Structure):
    pass


class sherd_table_writer(c.Structure):
    pass


class sherd_table(c.Structure):
    pass


class sherd_error(c.Structure):
    pass


sherd_error._fields_ = [
    ("status", c.c_int),
    ("where", c.c_char * 512),
    ("what", c.c_char * 512),
    ("hint", c.c_char * 512),
]


class sherd_range(c.Structure):
    pass


sherd_range._fields_ = [
    ("bound", c.c_int),
    ("low", c.c_double),
    ("high", c.c_double),
    ("infinite", c.c_bool),
    ("zero", c.c_bool),
]


class sherd_word(c.Structure):
    pass


sherd_word._fields_ = [
    ("word", c.c_char_p),
    ("doc", c.c_char_p),
]


class sherd_field(c.Structure):
    pass


sherd_field._fields_ = [
    ("name", c.c_char_p),
    ("key", c.c_char_p),
    ("type", c.c_int),
    ("offset", c.c_size_t),
    ("quantity", c.c_int),
    ("range", sherd_range),
    ("initial", c.c_double * 4),
    ("choices", c.POINTER(c.c_char_p)),
    ("choice", c.CFUNCTYPE(sherd_word, c.c_int)),
    ("hint", c.c_char_p),
    ("flags", c.c_uint),
    ("maps", c.c_uint),
    ("digest", c.CFUNCTYPE(c.c_uint64, c.c_void_p, c.c_uint64)),
    ("doc", c.c_char_p),
    ("values", c.c_char_p),
    ("usual", c.c_char_p),
]


class sherd_definition(c.Structure):
    pass


sherd_definition._fields_ = [
    ("name", c.c_char_p),
    ("size", c.c_size_t),
    ("fields", c.POINTER(sherd_field)),
    ("count", c.c_int),
]


class sherd_vec2(c.Structure):
    pass


sherd_vec2._fields_ = [
    ("x", c.c_double),
    ("y", c.c_double),
]


class sherd_vec3(c.Structure):
    pass


sherd_vec3._fields_ = [
    ("x", c.c_double),
    ("y", c.c_double),
    ("z", c.c_double),
]


class sherd_quat(c.Structure):
    pass


sherd_quat._fields_ = [
    ("x", c.c_double),
    ("y", c.c_double),
    ("z", c.c_double),
    ("w", c.c_double),
]


class sherd_pose(c.Structure):
    pass


sherd_pose._fields_ = [
    ("position", sherd_vec3),
    ("rotation", sherd_quat),
]


class sherd_bounds(c.Structure):
    pass


sherd_bounds._fields_ = [
    ("low", sherd_vec3),
    ("high", sherd_vec3),
]
sherd_element_index = c.c_int32
sherd_bond_index = c.c_int64
sherd_body_index = c.c_int32


class sherd_material_id(c.Structure):
    pass


sherd_material_id._fields_ = [
    ("index1", c.c_uint16),
    ("generation", c.c_uint16),
]


class sherd_body_id(c.Structure):
    pass


sherd_body_id._fields_ = [
    ("index1", c.c_uint32),
    ("generation", c.c_uint32),
]


class sherd_obstacle_id(c.Structure):
    pass


sherd_obstacle_id._fields_ = [
    ("index1", c.c_uint16),
    ("generation", c.c_uint16),
]


class sherd_driver_id(c.Structure):
    pass


sherd_driver_id._fields_ = [
    ("index1", c.c_uint16),
    ("generation", c.c_uint16),
]


class sherd_mesh_material(c.Structure):
    pass


sherd_mesh_material._fields_ = [
    ("color", c.c_float * 3),
    ("roughness", c.c_float),
    ("metal", c.c_float),
    ("opacity", c.c_float),
    ("picture", c.c_int32),
]


class sherd_mesh_picture(c.Structure):
    pass


sherd_mesh_picture._fields_ = [
    ("name", c.c_char_p),
    ("bytes", c.POINTER(c.c_uint8)),
    ("size", c.c_size_t),
]


class sherd_mesh(c.Structure):
    pass


sherd_mesh._fields_ = [
    ("vertex_count", c.c_int32),
    ("triangle_count", c.c_int32),
    ("vertices", c.POINTER(c.c_double)),
    ("triangles", c.POINTER(c.c_int32)),
    ("normals", c.POINTER(c.c_double)),
    ("face_kind", c.POINTER(c.c_uint8)),
    ("uv", c.POINTER(c.c_float)),
    ("color", c.POINTER(c.c_float)),
    ("group", c.POINTER(c.c_int32)),
    ("group_count", c.c_int32),
    ("group_names", c.c_char_p),
    ("materials", c.POINTER(sherd_mesh_material)),
    ("picture_count", c.c_int32),
    ("pictures", c.POINTER(sherd_mesh_picture)),
    ("note_count", c.c_int32),
    ("notes", c.c_char_p),
]


class sherd_mesh_report(c.Structure):
    pass


sherd_mesh_report._fields_ = [
    ("merged_vertices", c.c_int32),
    ("degenerate_triangles", c.c_int32),
    ("duplicate_triangles", c.c_int32),
    ("flipped_triangles", c.c_int32),
    ("filled_holes", c.c_int32),
    ("widest_filled_hole", c.c_double),
    ("boundary_edges", c.c_int32),
    ("non_manifold_edges", c.c_int32),
    ("self_intersections", c.c_int32),
    ("components", c.c_int32),
    ("volume", c.c_double),
    ("bounds", sherd_bounds),
]


class sherd_wrap_def(c.Structure):
    pass


sherd_wrap_def._fields_ = [
    ("edge_length", c.c_double),
    ("thickness", c.c_double),
    ("least_volume", c.c_double),
]


class sherd_wrap_report(c.Structure):
    pass


sherd_wrap_report._fields_ = [
    ("edge_length", c.c_double),
    ("turned_triangles", c.c_int32),
    ("inner_triangles", c.c_int32),
    ("pieces", c.c_int32),
    ("left_out", c.c_int32),
    ("volume", c.c_double),
    ("distance", c.c_double),
    ("farthest", c.c_double),
    ("closed_share", c.c_double),
]



class sherd_bond_law_info(c.Structure):
    pass


sherd_bond_law_info._fields_ = [
    ("word", c.c_char_p),
    ("doc", c.c_char_p),
    ("has_energy", c.c_bool),
    ("history", c.c_int),
]


class sherd_central_info(c.Structure):
    pass


sherd_central_info._fields_ = [
    ("word", c.c_char_p),
    ("doc", c.c_char_p),
    ("reach", c.c_double),
    ("dimensions", c.c_int),
]


class sherd_breakage_info(c.Structure):
    pass


sherd_breakage_info._fields_ = [
    ("word", c.c_char_p),
    ("doc", c.c_char_p),
    ("magnitude", c.c_bool),
    ("bending", c.c_double),
    ("shear", c.c_double),
    ("twisting", c.c_double),
    ("breaks", c.c_bool),
    ("measure", c.c_int),
]


class sherd_material_def(c.Structure):
    pass


sherd_material_def._fields_ = [
    ("cookie", c.c_uint32),
    ("name", c.c_char_p),
    ("density", c.c_double),
    ("youngs_modulus", c.c_double),
    ("shear_modulus", c.c_double),
    ("law", c.c_int),
    ("central", c.c_int),
    ("reach", c.c_double),
    ("shear_correction", c.c_double),
    ("bond_radius", c.c_int),
    ("breakage", c.c_int),
    ("tensile_strength", c.c_double),
    ("shear_strength", c.c_double),
    ("fracture_energy", c.c_double),
    ("fracture_toughness", c.c_double),
    ("strict", c.c_bool),
    ("yield_stress", c.c_double),
    ("hardening_modulus", c.c_double),
    ("fracture_strain", c.c_double),
    ("fracture_displacement", c.c_double),
    ("separation_force", c.c_double),
    ("rate_time", c.c_double),
    ("rate_exponent", c.c_double),
    ("weibull_modulus", c.c_double),
    ("bond_damping", c.c_double),
    ("restitution", c.c_double),
    ("friction", c.c_double),
    ("rolling_friction", c.c_double),
    ("grain_stiffening", c.c_double),
    ("grain_strengthening", c.c_double),
    ("grain_direction", sherd_vec3),
    ("seed", c.c_uint64),
    ("model", c.c_int),
    ("friction_angle", c.c_double),
    ("friction_cone", c.c_int),
    ("critical_compression", c.c_double),
    ("critical_extension", c.c_double),
    ("hardening", c.c_double),
    ("bulk_modulus", c.c_double),
    ("fluid_exponent", c.c_double),
    ("damage_length", c.c_double),
    ("damage_time", c.c_double),
    ("residual_stiffness", c.c_double),
    ("cohesion", c.c_double),
    ("compaction_hardening", c.c_double),
    ("initial_compaction", c.c_double),
]


class sherd_bond_scale(c.Structure):
    pass


sherd_bond_scale._fields_ = [
    ("stiffness", c.c_double),
    ("strength", c.c_double),
]
sherd_bond_scale_function = c.CFUNCTYPE(sherd_bond_scale, c.c_void_p, sherd_vec3, sherd_vec3)


class sherd_cut_face(c.Structure):
    pass


sherd_cut_face._fields_ = [
    ("cut", c.c_int),
    ("distance", c.c_double),
    ("beyond", c.c_double),
    ("normal", sherd_vec3),
]
sherd_cut_face_function = c.CFUNCTYPE(c.c_int, c.c_void_p, sherd_vec3, c.c_double, c.c_int, c.POINTER(sherd_cut_face))



class sherd_weakness_def(c.Structure):
    pass


sherd_weakness_def._fields_ = [
    ("cookie", c.c_uint32),
    ("kind", c.c_int),
    ("strength", c.c_double),
    ("stiffness", c.c_double),
    ("seed", c.c_uint64),
    ("size", c.c_double),
    ("octaves", c.c_int),
    ("share", c.c_double),
    ("contrast", c.c_double),
    ("stretch", sherd_vec3),
    ("irregularity", c.c_double),
    ("warp", c.c_double),
    ("wall", c.c_double),
    ("mesh", c.POINTER(sherd_mesh)),
    ("channel", c.c_int),
    ("invert", c.c_bool),
    ("depth", c.c_double),
    ("point_count", c.c_int),
    ("points", c.POINTER(sherd_vec3)),
    ("along", sherd_vec3),
    ("radius", c.c_double),
    ("falloff", c.c_double),
    ("cut", c.c_int),
    ("point", sherd_vec3),
    ("normal", sherd_vec3),
    ("shape", c.POINTER(sherd_shape)),
]


class sherd_weakness_list(c.Structure):
    pass


sherd_weakness_list._fields_ = [
    ("count", c.c_int),
    ("items", c.POINTER(c.POINTER(sherd_weakness))),
]


class sherd_fracture_def(c.Structure):
    pass


sherd_fracture_def._fields_ = [
    ("cookie", c.c_uint32),
    ("wall_count", c.c_int),
    ("walls", c.POINTER(c.POINTER(sherd_weakness))),
    ("criterion", c.c_int),
    ("tensile_strength", c.c_double),
    ("shear_strength", c.c_double),
    ("threshold", c.c_double),
    ("fracture_energy", c.c_double),
    ("scatter", c.c_double),
    ("seed", c.c_uint64),
    ("glued", c.POINTER(sherd_shape)),
]


class sherd_tetra_mesh(c.Structure):
    pass


sherd_tetra_mesh._fields_ = [
    ("vertex_count", c.c_int32),
    ("tetra_count", c.c_int32),
    ("vertices", c.POINTER(c.c_double)),
    ("tetras", c.POINTER(c.c_int32)),
]


class sherd_tetra_quality(c.Structure):
    pass


sherd_tetra_quality._fields_ = [
    ("angle_min", c.c_double),
    ("angle_max", c.c_double),
    ("quality_min", c.c_double),
    ("quality_mean", c.c_double),
    ("edge_min", c.c_double),
    ("edge_mean", c.c_double),
    ("edge_max", c.c_double),
    ("slivers", c.c_int32),
]


class sherd_tetra_lattice_def(c.Structure):
    pass


sherd_tetra_lattice_def._fields_ = [
    ("cookie", c.c_uint32),
    ("size", c.c_double),
    ("jitter", c.c_double),
    ("seed", c.c_uint64),
    ("quality", c.c_double),
    ("max_tetrahedra", c.c_int64),
    ("threads", c.c_int),
]


class sherd_tetra_report(c.Structure):
    pass


sherd_tetra_report._fields_ = [
    ("other_elements", c.c_int64),
    ("turned", c.c_int32),
    ("flat", c.c_int32),
    ("unused", c.c_int32),
    ("groups", c.c_int32),
    ("group_names", c.c_char * 96),
]


class sherd_body_def(c.Structure):
    pass


sherd_body_def._fields_ = [
    ("cookie", c.c_uint32),
    ("name", c.c_char_p),
    ("count", sherd_element_index),
    ("x", c.POINTER(c.c_double)),
    ("y", c.POINTER(c.c_double)),
    ("z", c.POINTER(c.c_double)),
    ("radius", c.POINTER(c.c_double)),
    ("material", sherd_material_id),
    ("bonding", c.c_int),
    ("bond_reach", c.c_double),
    ("bond_count", sherd_bond_index),
    ("bond_i", c.POINTER(sherd_element_index)),
    ("bond_j", c.POINTER(sherd_element_index)),
    ("bond_section", c.POINTER(c.c_double)),
    ("bond_factor", c.POINTER(c.c_double)),
    ("volume", c.POINTER(c.c_double)),
    ("solid_fraction", c.c_double),
    ("cell_fraction", c.c_double),
    ("point_spacing", c.c_double),
    ("tetra", c.POINTER(sherd_tetra_mesh)),
    ("shape", c.POINTER(sherd_shape)),
    ("fracture", c.POINTER(sherd_fracture_def)),
    ("bond_scale", sherd_bond_scale_function),
    ("bond_scale_context", c.c_void_p),
    ("cut_faces", sherd_cut_face_function),
    ("cut_faces_context", c.c_void_p),
    ("pose", sherd_pose),
    ("velocity", sherd_vec3),
    ("angular_velocity", sherd_vec3),
]


class sherd_body_info(c.Structure):
    pass


sherd_body_info._fields_ = [
    ("name", c.c_char_p),
    ("first", sherd_element_index),
    ("count", sherd_element_index),
    ("material", c.c_uint16),
]


class sherd_body_bonds(c.Structure):
    pass


sherd_body_bonds._fields_ = [
    ("count", sherd_bond_index),
    ("weakened", sherd_bond_index),
    ("strengthened", sherd_bond_index),
    ("softened", sherd_bond_index),
    ("stiffened", sherd_bond_index),
    ("broken", sherd_bond_index),
    ("least_strength", c.c_double),
    ("largest_strength", c.c_double),
    ("least_stiffness", c.c_double),
    ("largest_stiffness", c.c_double),
    ("cells", sherd_element_index),
    ("walls", c.c_double),
    ("reduced", sherd_bond_index),
    ("least_reduction", c.c_double),
    ("unreduced_radius", c.c_double),
    ("pieces", sherd_element_index),
    ("apart", sherd_element_index),
]


class sherd_break(c.Structure):
    pass


sherd_break._fields_ = [
    ("bond", sherd_bond_index),
    ("time", c.c_double),
    ("place", sherd_vec3),
    ("energy", c.c_double),
    ("i", sherd_element_index),
    ("j", sherd_element_index),
    ("body", sherd_body_index),
    ("mode", c.c_int),
    ("piece_i", c.c_int32),
    ("piece_j", c.c_int32),
]


class sherd_packing_tetra(c.Structure):
    pass


sherd_packing_tetra._fields_ = [
    ("size", c.c_double),
    ("model", c.c_int),
    ("generator", c.c_int),
    ("jitter", c.c_double),
    ("quality", c.c_double),
    ("time_limit", c.c_double),
    ("mesh_file", c.c_char_p),
    ("mesh_scale", c.c_double),
]


class sherd_packing_def(c.Structure):
    pass


sherd_packing_def._fields_ = [
    ("cookie", c.c_uint32),
    ("kind", c.c_int),
    ("radius", c.c_double),
    ("spacing", c.c_double),
    ("radius_tolerance", c.c_double),
    ("layers", c.c_int),
    ("orientation", c.c_int),
    ("angle", c.c_double),
    ("jitter", c.c_double),
    ("seed", c.c_uint64),
    ("size_low", c.c_double),
    ("size_high", c.c_double),
    ("sizes", c.c_int),
    ("bond_range", c.c_double),
    ("max_elements", c.c_int64),
    ("threads", c.c_int),
    ("tetra", sherd_packing_tetra),
]


class sherd_packing(c.Structure):
    pass


sherd_packing._fields_ = [
    ("count", c.c_int32),
    ("x", c.POINTER(c.c_double)),
    ("y", c.POINTER(c.c_double)),
    ("z", c.POINTER(c.c_double)),
    ("radius", c.POINTER(c.c_double)),
    ("shape_volume", c.c_double),
    ("element_volume", c.c_double),
    ("solid_fraction", c.c_double),
    ("cell_volume_match", c.c_double),
    ("surface_gap_mean", c.c_double),
    ("surface_gap_max", c.c_double),
    ("face_gap", c.c_double),
    ("face_normal", sherd_vec3),
    ("lattice_radius", c.c_double),
    ("layers", c.c_int),
    ("radius_least", c.c_double),
    ("radius_most", c.c_double),
    ("size_count", c.c_int32 * 16),
    ("bonds_per_element", c.c_double),
    ("bridges", c.c_int32),
    ("left_out", c.c_int32),
    ("parts", c.c_int32),
    ("volume", c.POINTER(c.c_double)),
    ("bond_count", sherd_bond_index),
    ("bond_i", c.POINTER(sherd_element_index)),
    ("bond_j", c.POINTER(sherd_element_index)),
    ("bond_section", c.POINTER(c.c_double)),
    ("tetra", c.POINTER(sherd_tetra_mesh)),
    ("tetra_quality", sherd_tetra_quality),
    ("weakened_bonds", sherd_bond_index),
    ("bond_factor", c.POINTER(c.c_double)),
]


class sherd_calibration_def(c.Structure):
    pass


sherd_calibration_def._fields_ = [
    ("cookie", c.c_uint32),
    ("packing", sherd_packing_def),
    ("layers", c.c_int),
    ("bond_reach", c.c_double),
    ("youngs_modulus", c.c_double),
    ("poissons_ratio", c.c_double),
    ("law", c.c_int),
    ("shear_correction", c.c_double),
    ("bond_radius", c.c_int),
    ("breakage", c.c_int),
    ("tensile_strength", c.c_double),
    ("shear_strength", c.c_double),
    ("weibull_modulus", c.c_double),
    ("yield_stress", c.c_double),
    ("hardening_modulus", c.c_double),
    ("fracture_energy", c.c_double),
    ("body", c.POINTER(sherd_packing)),
    ("bar_width", c.c_double),
    ("with_table", c.c_bool),
    ("cache_folder", c.c_char_p),
    ("threads", c.c_int),
]


class sherd_calibration_curve(c.Structure):
    pass


sherd_calibration_curve._fields_ = [
    ("count", c.c_int),
    ("strain", c.c_double * 160),
    ("stress", c.c_double * 160),
]


class sherd_calibration_bonds(c.Structure):
    pass


sherd_calibration_bonds._fields_ = [
    ("youngs_modulus", c.c_double),
    ("shear_modulus", c.c_double),
    ("tensile_strength", c.c_double),
    ("shear_strength", c.c_double),
    ("yield_stress", c.c_double),
    ("hardening_modulus", c.c_double),
    ("fracture_energy", c.c_double),
]


class sherd_calibration(c.Structure):
    pass


sherd_calibration._fields_ = [
    ("full", sherd_calibration_bonds),
    ("bar_stiffness", c.c_double),
    ("bar", sherd_calibration_bonds),
    ("guess", sherd_calibration_bonds),
    ("youngs_modulus", c.c_double),
    ("poissons_ratio", c.c_double),
    ("tensile_strength", c.c_double),
    ("shear_strength", c.c_double),
    ("guess_youngs_modulus", c.c_double),
    ("guess_poissons_ratio", c.c_double),
    ("yield_stress", c.c_double),
    ("hardening_modulus", c.c_double),
    ("fracture_energy", c.c_double),
    ("guess_fracture_energy", c.c_double),
    ("fracture_radius", c.c_double),
    ("stretched_strength", c.c_double),
    ("pressed_strength", c.c_double),
    ("strength_radius", c.c_double),
    ("axis_modulus", c.c_double * 3),
    ("axis_poissons_ratio", c.c_double * 3),
    ("axis_strength", c.c_double * 3),
    ("bending_modulus", c.c_double),
    ("torsion_modulus", c.c_double),
    ("poissons_low", c.c_double),
    ("poissons_high", c.c_double),
    ("poissons_ratio_reached", c.c_bool),
    ("tensile_strength_reached", c.c_bool),
    ("shear_strength_reached", c.c_bool),
    ("hardening_reached", c.c_bool),
    ("elements", c.c_int),
    ("own_bars", c.c_bool),
    ("tests", c.c_int),
    ("cached", c.c_bool),
    ("seconds", c.c_double),
    ("tension", sherd_calibration_curve),
    ("torsion", sherd_calibration_curve),
]


class sherd_stiffness_task(c.Structure):
    pass


sherd_stiffness_task._fields_ = [
    ("body", c.POINTER(sherd_packing)),
    ("shape", c.POINTER(sherd_shape)),
    ("bonds", c.POINTER(sherd_material_def)),
    ("bond_reach", c.c_double),
    ("youngs_modulus", c.c_double),
    ("yield_stress", c.c_double),
    ("threads", c.c_int),
]


class sherd_body_stiffness_result(c.Structure):
    pass


sherd_body_stiffness_result._fields_ = [
    ("reason", c.c_char_p),
    ("axis", sherd_vec3 * 3),
    ("tension", c.c_double),
    ("bending", c.c_double * 2),
    ("yield", c.c_double),
    ("hardening", c.c_double),
    ("thickness", c.c_double),
    ("elements", c.c_int),
]


class sherd_energy(c.Structure):
    pass


sherd_energy._fields_ = [
    ("kinetic", c.c_double),
    ("elastic", c.c_double),
    ("gravity", c.c_double),
    ("contact", c.c_double),
    ("work", c.c_double),
    ("dissipated_bonds", c.c_double),
    ("dissipated_fracture", c.c_double),
    ("dissipated_contact", c.c_double),
    ("dissipated_friction", c.c_double),
    ("dissipated_integration", c.c_double),
    ("balance_error", c.c_double),
    ("max_stress_ratio", c.c_double),
    ("dissipated_onset", c.c_double),
    ("dissipated_softening", c.c_double),
    ("dissipated_plastic", c.c_double),
]
sherd_fragment_id = c.c_int32


class sherd_fragment_input(c.Structure):
    pass


sherd_fragment_input._fields_ = [
    ("element_count", sherd_element_index),
    ("mass", c.POINTER(c.c_double)),
    ("radius", c.POINTER(c.c_double)),
    ("bond_count", sherd_bond_index),
    ("bond_i", c.POINTER(sherd_element_index)),
    ("bond_j", c.POINTER(sherd_element_index)),
    ("bond_broken", c.POINTER(c.c_uint8)),
    ("component", c.POINTER(sherd_element_index)),
]


class sherd_fragment(c.Structure):
    pass


sherd_fragment._fields_ = [
    ("id", sherd_fragment_id),
    ("parent", sherd_fragment_id),
    ("count", sherd_element_index),
    ("first", sherd_element_index),
    ("mass", c.c_double),
    ("volume", c.c_double),
]


class sherd_fragment_view(c.Structure):
    pass


sherd_fragment_view._fields_ = [
    ("count", c.c_int32),
    ("fragments", c.POINTER(sherd_fragment)),
    ("element_fragment", c.POINTER(sherd_fragment_id)),
    ("element_slot", c.POINTER(c.c_int32)),
    ("next_id", sherd_fragment_id),
]



class sherd_fragment_motion(c.Structure):
    pass


sherd_fragment_motion._fields_ = [
    ("rest_center", sherd_vec3),
    ("pose", sherd_pose),
]


class sherd_bond_load(c.Structure):
    pass


sherd_bond_load._fields_ = [
    ("force", sherd_vec3),
    ("moment", sherd_vec3),
    ("normal_force", c.c_double),
    ("shear_force", c.c_double),
    ("bending_moment", c.c_double),
    ("twisting_moment", c.c_double),
    ("energy", c.c_double),
    ("stress_ratio", c.c_double),
    ("damage", c.c_double),
    ("plastic_strain", c.c_double),
]


class sherd_contact_force(c.Structure):
    pass


sherd_contact_force._fields_ = [
    ("i", sherd_element_index),
    ("j", sherd_element_index),
    ("i_obstacle", c.c_int32),
    ("j_obstacle", c.c_int32),
    ("place", sherd_vec3),
    ("normal", sherd_vec3),
    ("normal_force", c.c_double),
    ("friction", sherd_vec3),
    ("overlap", c.c_double),
]


class sherd_probe_reading(c.Structure):
    pass


sherd_probe_reading._fields_ = [
    ("force", sherd_vec3),
    ("torque", sherd_vec3),
    ("displacement", sherd_vec3),
    ("rotation", sherd_vec3),
    ("force_least", sherd_vec3),
    ("force_largest", sherd_vec3),
    ("torque_least", sherd_vec3),
    ("torque_largest", sherd_vec3),
]


class sherd_run_info(c.Structure):
    pass


sherd_run_info._fields_ = [
    ("name", c.c_char_p),
    ("scene_path", c.c_char_p),
    ("scene_text", c.c_char_p),
    ("variant", c.c_char_p),
    ("setting_count", c.c_int),
    ("settings", c.POINTER(c.c_char_p)),
    ("machine", c.c_char_p),
    ("version", c.c_char_p),
    ("simd", c.c_char_p),
    ("duration", c.c_double),
    ("frame_interval", c.c_double),
    ("frames_planned", c.c_int64),
]


class sherd_run_model(c.Structure):
    pass


sherd_run_model._fields_ = [
    ("element_count", sherd_element_index),
    ("rest_x", c.POINTER(c.c_double)),
    ("rest_y", c.POINTER(c.c_double)),
    ("rest_z", c.POINTER(c.c_double)),
    ("radius", c.POINTER(c.c_double)),
    ("mass", c.POINTER(c.c_double)),
    ("material", c.POINTER(c.c_uint16)),
    ("bond_count", sherd_bond_index),
    ("bond_i", c.POINTER(sherd_element_index)),
    ("bond_j", c.POINTER(sherd_element_index)),
    ("body_count", c.c_int),
    ("bodies", c.POINTER(sherd_body_info)),
    ("material_count", c.c_int),
    ("material_names", c.POINTER(c.c_char_p)),
    ("obstacle_count", c.c_int),
    ("obstacle_names", c.POINTER(c.c_char_p)),
    ("tetras", c.POINTER(c.POINTER(sherd_tetra_mesh))),
    ("bond_section", c.POINTER(c.c_float)),
    ("glue_count", sherd_bond_index),
    ("piece", c.POINTER(c.c_int32)),
]


class sherd_run_stats(c.Structure):
    pass


sherd_run_stats._fields_ = [
    ("frame", c.c_int64),
    ("time", c.c_double),
    ("steps", c.c_int64),
    ("time_step", c.c_double),
    ("energy", sherd_energy),
    ("elements", c.c_int64),
    ("bonds", c.c_int64),
    ("broken_bonds", c.c_int64),
    ("fragments", c.c_int64),
    ("newton_iterations", c.c_int64),
    ("linear_iterations", c.c_int64),
    ("wall", c.c_double),
    ("state_hash", c.c_uint64),
    ("momentum", sherd_vec3),
    ("angular_momentum", sherd_vec3),
    ("implicit_steps", c.c_int64),
    ("unsettled_steps", c.c_int64),
    ("torn", c.c_int64),
]


class sherd_run_column(c.Structure):
    pass


sherd_run_column._fields_ = [
    ("name", c.c_char_p),
    ("per", c.c_int),
    ("values", c.POINTER(c.c_float)),
]


class sherd_run_frame(c.Structure):
    pass


sherd_run_frame._fields_ = [
    ("index", c.c_int64),
    ("time", c.c_double),
    ("x", c.POINTER(c.c_double)),
    ("y", c.POINTER(c.c_double)),
    ("z", c.POINTER(c.c_double)),
    ("qx", c.POINTER(c.c_double)),
    ("qy", c.POINTER(c.c_double)),
    ("qz", c.POINTER(c.c_double)),
    ("qw", c.POINTER(c.c_double)),
    ("vx", c.POINTER(c.c_double)),
    ("vy", c.POINTER(c.c_double)),
    ("vz", c.POINTER(c.c_double)),
    ("stress_ratio", c.POINTER(c.c_float)),
    ("element_fragment", c.POINTER(sherd_fragment_id)),
    ("bond_broken", c.POINTER(c.c_uint8)),
    ("obstacles", c.POINTER(sherd_pose)),
    ("stats", sherd_run_stats),
    ("column_count", c.c_int),
    ("columns", c.POINTER(sherd_run_column)),
    ("break_count", c.c_int64),
    ("breaks", c.POINTER(sherd_break)),
    ("contact_count", c.c_int64),
    ("contacts", c.POINTER(sherd_contact_force)),
]


class sherd_run_checkpoint(c.Structure):
    pass


sherd_run_checkpoint._fields_ = [
    ("frame", c.c_int64),
    ("state", c.c_void_p),
    ("state_size", c.c_size_t),
    ("element_fragment", c.POINTER(sherd_fragment_id)),
    ("element_count", sherd_element_index),
    ("next_fragment", sherd_fragment_id),
    ("extra", c.c_void_p),
    ("extra_size", c.c_size_t),
]



class sherd_run_breaks(c.Structure):
    pass


sherd_run_breaks._fields_ = [
    ("bond_count", sherd_bond_index),
    ("broken", c.POINTER(c.c_int64)),
    ("intact", c.POINTER(c.c_int64)),
    ("frame_count", c.c_int64),
    ("known", c.c_int64),
    ("time", c.POINTER(c.c_double)),
    ("event_count", c.c_int64),
    ("event_capacity", c.c_int64),
    ("events", c.POINTER(sherd_break)),
    ("event", c.POINTER(c.c_int64)),
]


class sherd_wind(c.Structure):
    pass


sherd_wind._fields_ = [
    ("velocity", sherd_vec3),
    ("drag", c.c_double),
    ("density", c.c_double),
    ("gust", c.c_double),
    ("gust_size", c.c_double),
    ("gust_seed", c.c_int),
    ("vortex", c.c_double),
    ("vortex_radius", c.c_double),
    ("vortex_center", sherd_vec3),
    ("vortex_axis", sherd_vec3),
]


class sherd_blast(c.Structure):
    pass


sherd_blast._fields_ = [
    ("position", sherd_vec3),
    ("charge", c.c_double),
    ("time", c.c_double),
]


class sherd_pressure(c.Structure):
    pass


sherd_pressure._fields_ = [
    ("value", c.c_double),
    ("source", sherd_vec3),
    ("reach", c.c_double),
]


class sherd_motion_key(c.Structure):
    pass


sherd_motion_key._fields_ = [
    ("time", c.c_double),
    ("translation", sherd_vec3),
    ("rotation", sherd_vec3),
]


class sherd_motion(c.Structure):
    pass


sherd_motion._fields_ = [
    ("key_count", c.c_int),
    ("keys", c.POINTER(sherd_motion_key)),
    ("velocity", sherd_vec3),
    ("angular_velocity", sherd_vec3),
    ("pivot", sherd_vec3),
]


class sherd_region(c.Structure):
    pass


sherd_region._fields_ = [
    ("body", sherd_body_id),
    ("shape", c.POINTER(sherd_shape)),
    ("pose", sherd_pose),
]


class sherd_driver_def(c.Structure):
    pass


sherd_driver_def._fields_ = [
    ("cookie", c.c_uint32),
    ("name", c.c_char_p),
    ("region", sherd_region),
    ("drive", c.c_int),
    ("motion", sherd_motion),
    ("free_axes", c.c_bool * 3),
    ("force", sherd_vec3),
    ("force_key_count", c.c_int),
    ("force_times", c.POINTER(c.c_double)),
    ("force_factors", c.POINTER(c.c_double)),
    ("wind", sherd_wind),
    ("blast", sherd_blast),
    ("pressure", sherd_pressure),
]


class sherd_obstacle_def(c.Structure):
    pass


sherd_obstacle_def._fields_ = [
    ("cookie", c.c_uint32),
    ("name", c.c_char_p),
    ("kind", c.c_int),
    ("is_plane", c.c_bool),
    ("shape", c.POINTER(sherd_shape)),
    ("pose", sherd_pose),
    ("motion", sherd_motion),
    ("density", c.c_double),
    ("mass", c.c_double),
    ("velocity", sherd_vec3),
    ("angular_velocity", sherd_vec3),
    ("friction", c.c_double),
    ("restitution", c.c_double),
    ("sticky", c.c_bool),
]


class sherd_surface_body(c.Structure):
    pass


sherd_surface_body._fields_ = [
    ("shape", c.POINTER(sherd_shape)),
    ("first", sherd_element_index),
    ("count", sherd_element_index),
    ("kind", c.c_int),
    ("tetra", c.POINTER(sherd_tetra_mesh)),
    ("wall_count", c.c_int),
    ("walls", c.POINTER(c.POINTER(sherd_weakness))),
]


class sherd_surface_roughness(c.Structure):
    pass


sherd_surface_roughness._fields_ = [
    ("amplitude", c.c_double),
    ("size", c.c_double),
    ("seed", c.c_uint64),
]


class sherd_surface_method_info(c.Structure):
    pass


sherd_surface_method_info._fields_ = [
    ("word", c.c_char_p),
    ("doc", c.c_char_p),
]


class sherd_surface_def(c.Structure):
    pass


sherd_surface_def._fields_ = [
    ("cookie", c.c_uint32),
    ("body_count", c.c_int),
    ("bodies", c.POINTER(sherd_surface_body)),
    ("element_count", sherd_element_index),
    ("rest_x", c.POINTER(c.c_double)),
    ("rest_y", c.POINTER(c.c_double)),
    ("rest_z", c.POINTER(c.c_double)),
    ("radius", c.POINTER(c.c_double)),
    ("bond_count", sherd_bond_index),
    ("bond_i", c.POINTER(sherd_element_index)),
    ("bond_j", c.POINTER(sherd_element_index)),
    ("method", c.c_int),
    ("cell_size", c.c_double),
    ("smoothing", c.c_double),
    ("outer_edge", c.c_double),
    ("chips", c.c_bool),
    ("crack_gap", c.c_double),
    ("inner_uv_scale", c.c_double),
    ("roughness", sherd_surface_roughness),
    ("rigid", c.c_bool),
    ("smallest", c.c_int),
    ("threads", c.c_int),
]



class sherd_surface_piece(c.Structure):
    pass


sherd_surface_piece._fields_ = [
    ("fragment", sherd_fragment_id),
    ("version", c.c_uint64),
    ("body", c.c_int),
    ("element_count", sherd_element_index),
    ("mesh", c.POINTER(sherd_mesh)),
    ("bones", c.POINTER(sherd_element_index)),
    ("weights", c.POINTER(c.c_float)),
]


class sherd_surface_pose(c.Structure):
    pass


sherd_surface_pose._fields_ = [
    ("x", c.POINTER(c.c_double)),
    ("y", c.POINTER(c.c_double)),
    ("z", c.POINTER(c.c_double)),
    ("qx", c.POINTER(c.c_double)),
    ("qy", c.POINTER(c.c_double)),
    ("qz", c.POINTER(c.c_double)),
    ("qw", c.POINTER(c.c_double)),
]



class sherd_texture(c.Structure):
    pass


sherd_texture._fields_ = [
    ("kind", c.c_int),
    ("size", c.c_double),
    ("grain", sherd_vec3),
    ("contrast", c.c_double),
    ("seed", c.c_uint64),
    ("image", c.POINTER(sherd_texture_image)),
]


class sherd_texture_look(c.Structure):
    pass


sherd_texture_look._fields_ = [
    ("word", c.c_char_p),
    ("doc", c.c_char_p),
    ("color", c.c_uint32),
    ("roughness", c.c_double),
    ("coat", c.c_double),
    ("metal", c.c_double),
    ("share", c.c_double),
    ("inner", c.c_int),
]


class sherd_method_info(c.Structure):
    pass


sherd_method_info._fields_ = [
    ("word", c.c_char_p),
    ("doc", c.c_char_p),
    ("explicit_steps", c.c_bool),
    ("implicit_steps", c.c_bool),
    ("even_steps", c.c_bool),
]


class sherd_solver_counts(c.Structure):
    pass


sherd_solver_counts._fields_ = [
    ("explicit_steps", c.c_int64),
    ("implicit_steps", c.c_int64),
    ("newton_iterations", c.c_int64),
    ("linear_iterations", c.c_int64),
    ("rejected_steps", c.c_int64),
    ("switches", c.c_int64),
    ("divisions", c.c_int64),
    ("unsettled_steps", c.c_int64),
    ("asleep_steps", c.c_int64),
]


class sherd_step_times(c.Structure):
    pass


sherd_step_times._fields_ = [
    ("bonds", c.c_double),
    ("contact", c.c_double),
    ("search", c.c_double),
    ("points", c.c_double),
    ("implicit", c.c_double),
]


class sherd_split_steps(c.Structure):
    pass


sherd_split_steps._fields_ = [
    ("steps", c.c_int64),
    ("parts", c.c_int64),
    ("finest", c.c_int64),
    ("deepest", c.c_double),
]



class sherd_world_def(c.Structure):
    pass


sherd_world_def._fields_ = [
    ("cookie", c.c_uint32),
    ("gravity", sherd_vec3),
    ("threads", c.c_int),
    ("time_step", c.c_double),
    ("time_step_safety", c.c_double),
    ("contact_skin", c.c_double),
    ("contacts", c.c_bool),
    ("precision", c.c_int),
    ("sleep", c.c_bool),
    ("method", c.c_int),
    ("time_step_in_limits", c.c_double),
    ("accuracy", c.c_double),
    ("scheme", c.c_int),
    ("optimizer", c.c_int),
    ("as_printed", c.c_bool),
    ("implicit_elements", c.c_int64),
    ("paper_fracture", c.c_bool),
    ("contact_potential", c.c_int),
    ("contact_barrier", c.c_double),
    ("contact_stiffness", c.c_double),
    ("regions", c.c_bool),
    ("mass_scaling", c.c_double),
    ("point_kernel", c.c_int),
    ("point_transfer", c.c_int),
    ("point_contact", c.c_int),
    ("flip", c.c_double),
]


class sherd_rope_def(c.Structure):
    pass


sherd_rope_def._fields_ = [
    ("radius", c.c_double),
    ("length", c.c_double),
    ("strands", c.c_int),
    ("plies", c.c_int),
    ("filled", c.c_bool),
    ("pitch", c.c_double),
    ("ply_pitch", c.c_double),
    ("core", c.c_bool),
    ("path_count", c.c_int),
    ("path", c.POINTER(sherd_vec3)),
]


class sherd_woven_def(c.Structure):
    pass


sherd_woven_def._fields_ = [
    ("radius", c.c_double),
    ("warp", c.c_int),
    ("weft", c.c_int),
    ("warp_distance", c.c_double),
    ("weft_distance", c.c_double),
    ("weave", c.c_int),
    ("crimp", c.c_double),
]


class sherd_knitted_def(c.Structure):
    pass


sherd_knitted_def._fields_ = [
    ("radius", c.c_double),
    ("rows", c.c_int),
    ("columns", c.c_int),
    ("row_distance", c.c_double),
    ("column_distance", c.c_double),
]


class sherd_yarn_def(c.Structure):
    pass


sherd_yarn_def._fields_ = [
    ("cookie", c.c_uint32),
    ("kind", c.c_int),
    ("rope", sherd_rope_def),
    ("woven", sherd_woven_def),
    ("knitted", sherd_knitted_def),
    ("spacing", c.c_double),
    ("fiber_share", c.c_double),
    ("glue", c.c_int),
    ("max_elements", c.c_int64),
]


class sherd_diagnostics(c.Structure):
    pass


sherd_diagnostics._fields_ = [
    ("count", c.c_int),
    ("errors", c.POINTER(sherd_error)),
    ("dropped", c.c_int),
]


class sherd_scene_face(c.Structure):
    pass


sherd_scene_face._fields_ = [
    ("texture", c.c_int),
    ("roughness", c.c_double),
    ("coat", c.c_double),
    ("metal", c.c_double),
]


class sherd_scene_appearance(c.Structure):
    pass


sherd_scene_appearance._fields_ = [
    ("outer", sherd_scene_face),
    ("inner", sherd_scene_face),
    ("has_texture", c.c_bool),
    ("has_roughness", c.c_bool),
    ("has_metal", c.c_bool),
    ("size", c.c_double),
    ("contrast", c.c_double),
    ("seed", c.c_uint64),
    ("grain", sherd_vec3),
    ("grains", c.c_double),
    ("image", c.c_char_p),
    ("picture", c.POINTER(sherd_texture_image)),
    ("has_inner_color", c.c_bool),
    ("inner_color", sherd_vec3),
]


class sherd_scene_material(c.Structure):
    pass


sherd_scene_material._fields_ = [
    ("def", sherd_material_def),
    ("stiffness_scale", c.c_double),
    ("color", sherd_vec3),
    ("has_color", c.c_bool),
    ("appearance", sherd_scene_appearance),
    ("opacity", c.c_double),
    ("refractive_index", c.c_double),
    ("color_depth", c.c_double),
    ("calibrate", c.c_bool),
    ("poissons_ratio", c.c_double),
    ("where", c.c_char_p),
    ("law_where", c.c_char_p),
    ("restitution_where", c.c_char_p),
]


class sherd_scene_seam(c.Structure):
    pass


sherd_scene_seam._fields_ = [
    ("body", c.c_int),
    ("where", c.c_char_p),
    ("part", c.c_int),
    ("other", c.c_int),
    ("at", sherd_vec3),
]


class sherd_scene_group(c.Structure):
    pass


sherd_scene_group._fields_ = [
    ("name", c.c_char_p),
    ("look", sherd_mesh_material),
    ("picture", c.POINTER(sherd_texture_image)),
]


class sherd_scene_body(c.Structure):
    pass


sherd_scene_body._fields_ = [
    ("name", c.c_char_p),
    ("shape", c.POINTER(sherd_shape)),
    ("shape_digest", c.c_uint64),
    ("packing", sherd_packing_def),
    ("is_yarn", c.c_bool),
    ("yarn", sherd_yarn_def),
    ("loose", c.c_bool),
    ("weakness", sherd_weakness_list),
    ("weakness_digest", c.c_uint64),
    ("is_fractured", c.c_bool),
    ("fracture", sherd_fracture_def),
    ("fracture_digest", c.c_uint64),
    ("bond_reach", c.c_double),
    ("material", c.c_int),
    ("pose", sherd_pose),
    ("velocity", sherd_vec3),
    ("angular_velocity", sherd_vec3),
    ("color", sherd_vec3),
    ("has_color", c.c_bool),
    ("group_count", c.c_int),
    ("groups", c.POINTER(sherd_scene_group)),
    ("where", c.c_char_p),
]


class sherd_scene_obstacle(c.Structure):
    pass


sherd_scene_obstacle._fields_ = [
    ("def", sherd_obstacle_def),
    ("shape_digest", c.c_uint64),
    ("color", sherd_vec3),
    ("has_color", c.c_bool),
    ("group_count", c.c_int),
    ("groups", c.POINTER(sherd_scene_group)),
    ("visible", c.c_bool),
    ("has_appearance", c.c_bool),
    ("appearance", sherd_scene_appearance),
    ("where", c.c_char_p),
]


class sherd_scene_driver(c.Structure):
    pass


sherd_scene_driver._fields_ = [
    ("def", sherd_driver_def),
    ("shape_digest", c.c_uint64),
    ("body", c.c_int),
    ("where", c.c_char_p),
]


class sherd_scene_probe(c.Structure):
    pass


sherd_scene_probe._fields_ = [
    ("name", c.c_char_p),
    ("on_obstacle", c.c_bool),
    ("index", c.c_int),
]


class sherd_scene_range(c.Structure):
    pass


sherd_scene_range._fields_ = [
    ("fixed", c.c_bool),
    ("low", c.c_double),
    ("high", c.c_double),
]


class sherd_scene_camera_key(c.Structure):
    pass


sherd_scene_camera_key._fields_ = [
    ("time", c.c_double),
    ("position", sherd_vec3),
    ("target", sherd_vec3),
    ("fov", c.c_double),
    ("focus", c.c_double),
]


class sherd_scene_camera(c.Structure):
    pass


sherd_scene_camera._fields_ = [
    ("automatic", c.c_bool),
    ("position", sherd_vec3),
    ("target", sherd_vec3),
    ("fov", c.c_double),
    ("aperture", c.c_double),
    ("focus", c.c_double),
    ("key_count", c.c_int),
    ("keys", c.POINTER(sherd_scene_camera_key)),
]


class sherd_scene_sky(c.Structure):
    pass


sherd_scene_sky._fields_ = [
    ("kind", c.c_int),
    ("image", c.c_char_p),
    ("rotation", c.c_double),
    ("sun_azimuth", c.c_double),
    ("sun_elevation", c.c_double),
    ("sun_size", c.c_double),
    ("haze", c.c_double),
    ("brightness", c.c_double),
]


class sherd_scene_lamp(c.Structure):
    pass


sherd_scene_lamp._fields_ = [
    ("position", sherd_vec3),
    ("target", sherd_vec3),
    ("width", c.c_double),
    ("height", c.c_double),
    ("color", sherd_vec3),
    ("brightness", c.c_double),
]


class sherd_scene_clip(c.Structure):
    pass


sherd_scene_clip._fields_ = [
    ("point", sherd_vec3),
    ("normal", sherd_vec3),
]


class sherd_scene_render(c.Structure):
    pass


sherd_scene_render._fields_ = [
    ("enabled", c.c_bool),
    ("width", c.c_int),
    ("height", c.c_int),
    ("samples", c.c_int),
    ("quality", c.c_int),
    ("exr", c.c_int),
    ("video", c.c_bool),
    ("color_by", c.c_int),
    ("range", sherd_scene_range),
    ("legend", c.c_bool),
    ("background", sherd_vec3),
    ("camera", sherd_scene_camera),
    ("clip", sherd_scene_clip),
    ("sky", sherd_scene_sky),
    ("lamp_count", c.c_int),
    ("lamps", c.POINTER(sherd_scene_lamp)),
    ("exposure", c.c_double),
    ("bounces", c.c_int),
    ("shutter", c.c_double),
]


class sherd_scene_surface(c.Structure):
    pass


sherd_scene_surface._fields_ = [
    ("enabled", c.c_bool),
    ("method", c.c_int),
    ("inner_uv_scale", c.c_double),
    ("cell_size", c.c_double),
    ("smoothing", c.c_double),
    ("chips", c.c_bool),
    ("crack_gap", c.c_double),
    ("roughness", sherd_surface_roughness),
]


class sherd_scene_dust(c.Structure):
    pass


sherd_scene_dust._fields_ = [
    ("enabled", c.c_bool),
    ("amount", c.c_double),
    ("size", c.c_double),
    ("energy", c.c_double),
    ("drag", c.c_double),
    ("seed", c.c_uint64),
]


class sherd_scene_debris(c.Structure):
    pass


sherd_scene_debris._fields_ = [
    ("enabled", c.c_bool),
    ("exponent", c.c_double),
    ("pieces", c.c_int),
    ("elements", c.c_int),
    ("smallest", c.c_double),
    ("seed", c.c_uint64),
]


class sherd_scene_output(c.Structure):
    pass


sherd_scene_output._fields_ = [
    ("frame_rate", c.c_double),
    ("probe_rate", c.c_double),
    ("surface", sherd_scene_surface),
    ("dust", sherd_scene_dust),
    ("debris", sherd_scene_debris),
    ("stress", c.c_bool),
    ("bond_loads", c.c_bool),
    ("contacts", c.c_bool),
    ("meshes", c.c_uint32),
    ("render", sherd_scene_render),
]


class sherd_scene_key(c.Structure):
    pass


sherd_scene_key._fields_ = [
    ("key", c.c_char_p),
    ("where", c.c_char_p),
]



class sherd_scene(c.Structure):
    pass


sherd_scene._fields_ = [
    ("name", c.c_char_p),
    ("duration", c.c_double),
    ("world", sherd_world_def),
    ("output", sherd_scene_output),
    ("material_count", c.c_int),
    ("body_count", c.c_int),
    ("obstacle_count", c.c_int),
    ("driver_count", c.c_int),
    ("probe_count", c.c_int),
    ("materials", c.POINTER(sherd_scene_material)),
    ("bodies", c.POINTER(sherd_scene_body)),
    ("obstacles", c.POINTER(sherd_scene_obstacle)),
    ("drivers", c.POINTER(sherd_scene_driver)),
    ("probes", c.POINTER(sherd_scene_probe)),
    ("solver_key_count", c.c_int),
    ("solver_keys", c.POINTER(sherd_scene_key)),
    ("variant_count", c.c_int),
    ("variants", c.POINTER(c.c_char_p)),
    ("note_count", c.c_int),
    ("notes", c.POINTER(c.c_char_p)),
    ("warning_count", c.c_int),
    ("warnings", c.POINTER(c.c_char_p)),
    ("seam_count", c.c_int),
    ("seams", c.POINTER(sherd_scene_seam)),
    ("path", c.c_char_p),
    ("variant", c.c_char_p),
    ("override_count", c.c_int),
    ("overrides", c.POINTER(c.c_char_p)),
    ("text", c.c_char_p),
    ("text_size", c.c_size_t),
    ("digest", c.c_uint64),
    ("storage", c.POINTER(sherd_scene_storage)),
]


class sherd_scene_options(c.Structure):
    pass


sherd_scene_options._fields_ = [
    ("variant", c.c_char_p),
    ("override_count", c.c_int),
    ("overrides", c.POINTER(c.c_char_p)),
]


class sherd_scene_calibration(c.Structure):
    pass


sherd_scene_calibration._fields_ = [
    ("material", c.c_int),
    ("body", c.c_int),
    ("def", sherd_calibration_def),
    ("result", sherd_calibration),
    ("bonds", sherd_material_def),
]


class sherd_scene_build(c.Structure):
    pass


sherd_scene_build._fields_ = [
    ("body_count", c.c_int),
    ("packings", c.POINTER(c.POINTER(sherd_packing))),
    ("packed_with", c.POINTER(c.c_int)),
    ("material_ids", c.POINTER(sherd_material_id)),
    ("body_ids", c.POINTER(sherd_body_id)),
    ("body_bonds", c.POINTER(sherd_body_bonds)),
    ("obstacle_ids", c.POINTER(sherd_obstacle_id)),
    ("driver_ids", c.POINTER(sherd_driver_id)),
    ("calibration_count", c.c_int),
    ("calibrations", c.POINTER(sherd_scene_calibration)),
    ("packing_wall", c.c_double),
    ("calibration_wall", c.c_double),
]


class sherd_finding(c.Structure):
    pass


sherd_finding._fields_ = [
    ("level", c.c_int),
    ("text", c.c_char * 320),
]


class sherd_diagnosis(c.Structure):
    pass


sherd_diagnosis._fields_ = [
    ("count", c.c_int),
    ("findings", sherd_finding * 16),
]


class sherd_given_columns(c.Structure):
    pass


sherd_given_columns._fields_ = [
    ("rest_x", c.POINTER(c.c_double)),
    ("rest_y", c.POINTER(c.c_double)),
    ("rest_z", c.POINTER(c.c_double)),
    ("radius", c.POINTER(c.c_double)),
    ("mass", c.POINTER(c.c_double)),
    ("material", c.POINTER(c.c_uint16)),
    ("bond_section", c.POINTER(c.c_float)),
]


class sherd_glue_particle(c.Structure):
    pass


sherd_glue_particle._fields_ = [
    ("i", sherd_element_index),
    ("j", sherd_element_index),
    ("piece_i", c.c_int32),
    ("piece_j", c.c_int32),
    ("body", sherd_body_index),
    ("place", sherd_vec3),
    ("area", c.c_double),
    ("tensile_strength", c.c_double),
    ("shear_strength", c.c_double),
    ("threshold", c.c_double),
    ("traction", sherd_vec3),
    ("normal_traction", c.c_double),
    ("shear_traction", c.c_double),
    ("broken", c.c_bool),
]


class sherd_color(c.Structure):
    pass


sherd_color._fields_ = [
    ("r", c.c_float),
    ("g", c.c_float),
    ("b", c.c_float),
]


class sherd_render_material(c.Structure):
    pass


sherd_render_material._fields_ = [
    ("outer_color", sherd_color),
    ("inner_color", sherd_color),
    ("outer_roughness", c.c_double),
    ("inner_roughness", c.c_double),
    ("outer_coat", c.c_double),
    ("inner_coat", c.c_double),
    ("outer_metal", c.c_double),
    ("inner_metal", c.c_double),
    ("outer_texture", sherd_texture),
    ("inner_texture", sherd_texture),
    ("surface", c.c_int),
    ("refractive_index", c.c_double),
    ("absorption", sherd_color),
]


class sherd_render_group(c.Structure):
    pass


sherd_render_group._fields_ = [
    ("color", sherd_color),
    ("roughness", c.c_double),
    ("metal", c.c_double),
    ("texture", sherd_texture),
]


class sherd_render_mesh(c.Structure):
    pass


sherd_render_mesh._fields_ = [
    ("name", c.c_char_p),
    ("vertex_count", c.c_int32),
    ("triangle_count", c.c_int32),
    ("vertices", c.POINTER(c.c_double)),
    ("triangles", c.POINTER(c.c_int32)),
    ("normals", c.POINTER(c.c_double)),
    ("face_kind", c.POINTER(c.c_uint8)),
    ("colors", c.POINTER(c.c_float)),
    ("outer_colors", c.POINTER(c.c_float)),
    ("motions", c.POINTER(c.c_double)),
    ("rest", c.POINTER(c.c_double)),
    ("uv", c.POINTER(c.c_float)),
    ("group", c.POINTER(c.c_int32)),
    ("group_count", c.c_int32),
    ("groups", c.POINTER(sherd_render_group)),
    ("object_name", c.c_char_p),
    ("material_name", c.c_char_p),
    ("material", sherd_render_material),
]


class sherd_render_spheres(c.Structure):
    pass


sherd_render_spheres._fields_ = [
    ("name", c.c_char_p),
    ("count", c.c_int32),
    ("x", c.POINTER(c.c_double)),
    ("y", c.POINTER(c.c_double)),
    ("z", c.POINTER(c.c_double)),
    ("radius", c.POINTER(c.c_double)),
    ("colors", c.POINTER(c.c_float)),
    ("motions", c.POINTER(c.c_double)),
    ("object_name", c.c_char_p),
    ("material_name", c.c_char_p),
    ("material", sherd_render_material),
]


class sherd_render_ground(c.Structure):
    pass


sherd_render_ground._fields_ = [
    ("kind", c.c_int),
    ("point", sherd_vec3),
    ("normal", sherd_vec3),
    ("color", sherd_color),
    ("roughness", c.c_double),
    ("coat", c.c_double),
    ("metal", c.c_double),
    ("texture", sherd_texture),
]


class sherd_camera(c.Structure):
    pass


sherd_camera._fields_ = [
    ("position", sherd_vec3),
    ("target", sherd_vec3),
    ("up", sherd_vec3),
    ("vertical_fov", c.c_double),
    ("aperture", c.c_double),
    ("focus", c.c_double),
]


class sherd_render_light(c.Structure):
    pass


sherd_render_light._fields_ = [
    ("key_azimuth", c.c_double),
    ("key_elevation", c.c_double),
    ("key_angular_radius", c.c_double),
    ("key_irradiance", sherd_color),
    ("sky_zenith", sherd_color),
    ("sky_horizon", sherd_color),
]


class sherd_render_lamp(c.Structure):
    pass


sherd_render_lamp._fields_ = [
    ("position", sherd_vec3),
    ("target", sherd_vec3),
    ("width", c.c_double),
    ("height", c.c_double),
    ("radiance", sherd_color),
]



class sherd_sky_def(c.Structure):
    pass


sherd_sky_def._fields_ = [
    ("sun_azimuth", c.c_double),
    ("sun_elevation", c.c_double),
    ("sun_diameter", c.c_double),
    ("haze", c.c_double),
    ("brightness", c.c_double),
]


class sherd_render_clip(c.Structure):
    pass


sherd_render_clip._fields_ = [
    ("point", sherd_vec3),
    ("normal", sherd_vec3),
]


class sherd_render_scene(c.Structure):
    pass


sherd_render_scene._fields_ = [
    ("cookie", c.c_uint32),
    ("meshes", c.POINTER(sherd_render_mesh)),
    ("mesh_count", c.c_int32),
    ("spheres", c.POINTER(sherd_render_spheres)),
    ("sphere_batch_count", c.c_int32),
    ("ground", sherd_render_ground),
    ("camera", sherd_camera),
    ("camera_opens", c.POINTER(sherd_camera)),
    ("camera_closes", c.POINTER(sherd_camera)),
    ("light", sherd_render_light),
    ("environment", c.POINTER(sherd_environment)),
    ("lamps", c.POINTER(sherd_render_lamp)),
    ("lamp_count", c.c_int32),
    ("clip", sherd_render_clip),
    ("exposure", c.c_double),
    ("width", c.c_int32),
    ("height", c.c_int32),
    ("samples_per_pixel", c.c_int32),
    ("bounces", c.c_int32),
    ("denoise", c.c_int),
    ("quality", c.c_int),
    ("threads", c.c_int32),
    ("seed", c.c_uint64),
]


class sherd_image(c.Structure):
    pass


sherd_image._fields_ = [
    ("width", c.c_int32),
    ("height", c.c_int32),
    ("pixels", c.POINTER(c.c_uint8)),
]



class sherd_layer_ids(c.Structure):
    pass


sherd_layer_ids._fields_ = [
    ("id", c.c_uint32 * 6),
    ("coverage", c.c_float * 6),
]


class sherd_layer_pixel(c.Structure):
    pass


sherd_layer_pixel._fields_ = [
    ("r", c.c_float),
    ("g", c.c_float),
    ("b", c.c_float),
    ("alpha", c.c_float),
    ("normal", c.c_float * 3),
    ("depth", c.c_float),
    ("object", sherd_layer_ids),
    ("material", sherd_layer_ids),
]


class sherd_material_figures(c.Structure):
    pass


sherd_material_figures._fields_ = [
    ("name", c.c_char_p),
    ("about", c.c_char_p),
    ("density", c.c_double),
    ("youngs_modulus", c.c_double),
    ("poissons_ratio", c.c_double),
    ("tensile_strength", c.c_double),
    ("compressive_strength", c.c_double),
    ("shear_strength", c.c_double),
    ("fracture_energy", c.c_double),
    ("fracture_toughness", c.c_double),
    ("yield_stress", c.c_double),
    ("hardening_modulus", c.c_double),
    ("fracture_strain", c.c_double),
    ("weibull_modulus", c.c_double),
    ("friction", c.c_double),
    ("restitution", c.c_double),
    ("bond_damping", c.c_double),
    ("friction_angle", c.c_double),
    ("grain_stiffening", c.c_double),
    ("grain_strengthening", c.c_double),
    ("grain_direction", sherd_vec3),
    ("model", c.c_int),
    ("points", c.c_int),
    ("color", sherd_vec3),
    ("opacity", c.c_double),
    ("varies", c.c_char_p),
    ("sources", c.c_char_p),
]


class sherd_message(c.Structure):
    pass


sherd_message._fields_ = [
    ("level", c.c_int),
    ("where", c.c_char_p),
    ("what", c.c_char_p),
    ("hint", c.c_char_p),
]
sherd_message_callback = c.CFUNCTYPE(None, c.c_void_p, c.POINTER(sherd_message))


class sherd_point_view(c.Structure):
    pass


sherd_point_view._fields_ = [
    ("count", c.c_int64),
    ("element", c.POINTER(c.c_int32)),
    ("x", c.POINTER(c.c_double)),
    ("y", c.POINTER(c.c_double)),
    ("z", c.POINTER(c.c_double)),
    ("vx", c.POINTER(c.c_double)),
    ("vy", c.POINTER(c.c_double)),
    ("vz", c.POINTER(c.c_double)),
    ("b_xx", c.POINTER(c.c_double)),
    ("b_yy", c.POINTER(c.c_double)),
    ("b_zz", c.POINTER(c.c_double)),
    ("b_yz", c.POINTER(c.c_double)),
    ("b_xz", c.POINTER(c.c_double)),
    ("b_xy", c.POINTER(c.c_double)),
    ("rest_volume", c.POINTER(c.c_double)),
    ("state", c.POINTER(c.c_double)),
    ("piece", c.POINTER(c.c_uint32)),
]


class sherd_point_state(c.Structure):
    pass


sherd_point_state._fields_ = [
    ("b_xx", c.c_double),
    ("b_yy", c.c_double),
    ("b_zz", c.c_double),
    ("b_yz", c.c_double),
    ("b_xz", c.c_double),
    ("b_xy", c.c_double),
    ("rest_volume", c.c_double),
    ("state", c.c_double),
    ("piece", c.c_int64),
]


class sherd_export_format(c.Structure):
    pass


sherd_export_format._fields_ = [
    ("word", c.c_char_p),
    ("place", c.c_char_p),
    ("rest_place", c.c_char_p),
    ("needs", c.c_int),
    ("in_runs", c.c_bool),
    ("whole", c.c_bool),
    ("doc", c.c_char_p),
]


class sherd_replay_def(c.Structure):
    pass


sherd_replay_def._fields_ = [
    ("cookie", c.c_uint32),
    ("run", c.POINTER(sherd_run)),
    ("scene", c.POINTER(sherd_scene)),
    ("folder", c.c_char_p),
    ("first", c.c_int64),
    ("last", c.c_int64),
    ("place", c.c_char_p),
    ("pose", c.c_int),
    ("foreign", c.c_int),
    ("threads", c.c_int),
    ("max_size", c.c_int64),
    ("page", c.c_int),
    ("on_frame", c.CFUNCTYPE(None, c.c_void_p, c.c_char_p, c.c_int64, c.c_int64)),
    ("on_message", sherd_message_callback),
    ("context", c.c_void_p),
]


class sherd_export_result(c.Structure):
    pass


sherd_export_result._fields_ = [
    ("damaged", c.c_int64),
    ("pieces", c.c_int),
    ("left_out", c.c_int64),
    ("crumbs_left_out", c.c_int64),
    ("size", c.c_int64),
]


class sherd_step_plan(c.Structure):
    pass


sherd_step_plan._fields_ = [
    ("limit", c.c_double),
    ("interval", c.c_double),
    ("frames", c.c_int64),
    ("samples_per_frame", c.c_int64),
    ("dt", c.c_double),
    ("steps_per_sample", c.c_int64),
]


class sherd_stop(c.Structure):
    pass


sherd_stop._fields_ = [
    ("requested", c.c_int),
]


class sherd_run_view(c.Structure):
    pass


sherd_run_view._fields_ = [
    ("scene", c.POINTER(sherd_scene)),
    ("build", c.POINTER(sherd_scene_build)),
    ("world", c.POINTER(sherd_world)),
    ("folder", c.c_char_p),
    ("plan", sherd_step_plan),
    ("model", c.POINTER(sherd_run_model)),
    ("fragments", sherd_fragment_view),
    ("frame", c.c_int64),
    ("resumed_at", c.c_int64),
    ("stats", c.POINTER(sherd_run_stats)),
    ("fraction", c.c_double),
    ("time_left", c.c_double),
    ("stepping_wall", c.c_double),
    ("last_step_wall", c.c_double),
    ("pictures_left", c.c_int64),
]


class sherd_run_def(c.Structure):
    pass


sherd_run_def._fields_ = [
    ("cookie", c.c_uint32),
    ("scene", c.POINTER(sherd_scene)),
    ("packed", c.POINTER(sherd_scene_build)),
    ("scene_path", c.c_char_p),
    ("scene_options", sherd_scene_options),
    ("folder", c.c_char_p),
    ("threads", c.c_int),
    ("frames", c.c_int64),
    ("begin", c.c_int),
    ("foreign", c.c_int),
    ("pictures", c.c_int),
    ("summary", c.c_int),
    ("stop", c.POINTER(sherd_stop)),
    ("on_stage", c.CFUNCTYPE(None, c.c_void_p, c.c_int, c.POINTER(sherd_run_view))),
    ("on_progress", c.CFUNCTYPE(None, c.c_void_p, c.POINTER(sherd_run_view))),
    ("on_frame", c.CFUNCTYPE(c.c_int, c.c_void_p, c.POINTER(sherd_run_view))),
    ("on_message", sherd_message_callback),
    ("context", c.c_void_p),
]


class sherd_run_result(c.Structure):
    pass


sherd_run_result._fields_ = [
    ("end", c.c_int),
    ("begun", c.c_bool),
    ("readable", c.c_bool),
    ("frame", c.c_int64),
    ("resumed_at", c.c_int64),
    ("steps", c.c_int64),
    ("bonds", sherd_bond_index),
    ("glue_count", sherd_bond_index),
    ("broken_glue", c.c_int64),
    ("cut_bonds", c.c_int64),
    ("plan", sherd_step_plan),
    ("stats", sherd_run_stats),
    ("solver", sherd_solver_counts),
    ("split", sherd_split_steps),
    ("mean_step", c.c_double),
    ("limit", c.c_double),
    ("wall", c.c_double),
    ("pictures_wall", c.c_double),
    ("render_wall", c.c_double),
    ("waited_wall", c.c_double),
    ("formats", c.c_uint32),
    ("missing_pictures", c.c_int64),
    ("warnings", c.c_int),
    ("integration", c.c_char * 80),
    ("diagnosis", sherd_diagnosis),
]


class sherd_stress(c.Structure):
    pass


sherd_stress._fields_ = [
    ("xx", c.c_float),
    ("yy", c.c_float),
    ("zz", c.c_float),
    ("xy", c.c_float),
    ("yz", c.c_float),
    ("zx", c.c_float),
]


class sherd_column(c.Structure):
    pass


sherd_column._fields_ = [
    ("name", c.c_char_p),
    ("kind", c.c_int),
]


class sherd_cell(c.Union):
    pass


sherd_cell._fields_ = [
    ("integer", c.c_int64),
    ("number", c.c_double),
    ("text", c.c_char_p),
]



class sherd_probe_row(c.Structure):
    pass


sherd_probe_row._fields_ = [
    ("frame", c.c_int64),
    ("time", c.c_double),
    ("name", c.c_char_p),
    ("kind", c.c_char_p),
    ("reading", sherd_probe_reading),
]



class sherd_element_view(c.Structure):
    pass


sherd_element_view._fields_ = [
    ("count", sherd_element_index),
    ("x", c.POINTER(c.c_double)),
    ("y", c.POINTER(c.c_double)),
    ("z", c.POINTER(c.c_double)),
    ("qx", c.POINTER(c.c_double)),
    ("qy", c.POINTER(c.c_double)),
    ("qz", c.POINTER(c.c_double)),
    ("qw", c.POINTER(c.c_double)),
    ("vx", c.POINTER(c.c_double)),
    ("vy", c.POINTER(c.c_double)),
    ("vz", c.POINTER(c.c_double)),
    ("wx", c.POINTER(c.c_double)),
    ("wy", c.POINTER(c.c_double)),
    ("wz", c.POINTER(c.c_double)),
]


class sherd_element_info(c.Structure):
    pass


sherd_element_info._fields_ = [
    ("rest", sherd_vec3),
    ("radius", c.c_double),
    ("mass", c.c_double),
    ("material", c.c_uint16),
    ("body", sherd_body_index),
]


class sherd_bond_view(c.Structure):
    pass


sherd_bond_view._fields_ = [
    ("count", sherd_bond_index),
    ("i", c.POINTER(sherd_element_index)),
    ("j", c.POINTER(sherd_element_index)),
    ("broken", c.POINTER(c.c_uint8)),
    ("broken_count", sherd_bond_index),
]


class sherd_body_glue(c.Structure):
    pass


sherd_body_glue._fields_ = [
    ("pieces", c.c_int32),
    ("count", c.c_int64),
    ("broken", c.c_int64),
    ("torn", c.c_int64),
    ("least_energy", c.c_double),
]


class sherd_memory_use(c.Structure):
    pass


sherd_memory_use._fields_ = [
    ("elements", c.c_size_t),
    ("bonds", c.c_size_t),
    ("contacts", c.c_size_t),
    ("implicit", c.c_size_t),
    ("total", c.c_size_t),
]


class sherd_region_info(c.Structure):
    pass


sherd_region_info._fields_ = [
    ("number", c.c_int),
    ("count", c.c_int),
    ("elements", sherd_element_index),
    ("asleep", sherd_element_index),
    ("implicit", c.c_bool),
    ("counts", sherd_solver_counts),
]


class sherd_state_sink(c.Structure):
    pass


sherd_state_sink._fields_ = [
    ("take", c.CFUNCTYPE(c.c_bool, c.c_void_p, c.c_void_p, c.c_size_t)),
    ("context", c.c_void_p),
]

STRUCTS = [
    sherd_error,
    sherd_range,
    sherd_word,
    sherd_field,
    sherd_definition,
    sherd_vec2,
    sherd_vec3,
    sherd_quat,
    sherd_pose,
    sherd_bounds,
    sherd_material_id,
    sherd_body_id,
    sherd_obstacle_id,
    sherd_driver_id,
    sherd_mesh_material,
    sherd_mesh_picture,
    sherd_mesh,
    sherd_mesh_report,
    sherd_wrap_def,
    sherd_wrap_report,
    sherd_bond_law_info,
    sherd_central_info,
    sherd_breakage_info,
    sherd_material_def,
    sherd_bond_scale,
    sherd_cut_face,
    sherd_weakness_def,
    sherd_weakness_list,
    sherd_fracture_def,
    sherd_tetra_mesh,
    sherd_tetra_quality,
    sherd_tetra_lattice_def,
    sherd_tetra_report,
    sherd_body_def,
    sherd_body_info,
    sherd_body_bonds,
    sherd_break,
    sherd_packing_tetra,
    sherd_packing_def,
    sherd_packing,
    sherd_calibration_def,
    sherd_calibration_curve,
    sherd_calibration_bonds,
    sherd_calibration,
    sherd_stiffness_task,
    sherd_body_stiffness_result,
    sherd_energy,
    sherd_fragment_input,
    sherd_fragment,
    sherd_fragment_view,
    sherd_fragment_motion,
    sherd_bond_load,
    sherd_contact_force,
    sherd_probe_reading,
    sherd_run_info,
    sherd_run_model,
    sherd_run_stats,
    sherd_run_column,
    sherd_run_frame,
    sherd_run_checkpoint,
    sherd_run_breaks,
    sherd_wind,
    sherd_blast,
    sherd_pressure,
    sherd_motion_key,
    sherd_motion,
    sherd_region,
    sherd_driver_def,
    sherd_obstacle_def,
    sherd_surface_body,
    sherd_surface_roughness,
    sherd_surface_method_info,
    sherd_surface_def,
    sherd_surface_piece,
    sherd_surface_pose,
    sherd_texture,
    sherd_texture_look,
    sherd_method_info,
    sherd_solver_counts,
    sherd_step_times,
    sherd_split_steps,
    sherd_world_def,
    sherd_rope_def,
    sherd_woven_def,
    sherd_knitted_def,
    sherd_yarn_def,
    sherd_diagnostics,
    sherd_scene_face,
    sherd_scene_appearance,
    sherd_scene_material,
    sherd_scene_seam,
    sherd_scene_group,
    sherd_scene_body,
    sherd_scene_obstacle,
    sherd_scene_driver,
    sherd_scene_probe,
    sherd_scene_range,
    sherd_scene_camera_key,
    sherd_scene_camera,
    sherd_scene_sky,
    sherd_scene_lamp,
    sherd_scene_clip,
    sherd_scene_render,
    sherd_scene_surface,
    sherd_scene_dust,
    sherd_scene_debris,
    sherd_scene_output,
    sherd_scene_key,
    sherd_scene,
    sherd_scene_options,
    sherd_scene_calibration,
    sherd_scene_build,
    sherd_finding,
    sherd_diagnosis,
    sherd_given_columns,
    sherd_glue_particle,
    sherd_color,
    sherd_render_material,
    sherd_render_group,
    sherd_render_mesh,
    sherd_render_spheres,
    sherd_render_ground,
    sherd_camera,
    sherd_render_light,
    sherd_render_lamp,
    sherd_sky_def,
    sherd_render_clip,
    sherd_render_scene,
    sherd_image,
    sherd_layer_ids,
    sherd_layer_pixel,
    sherd_material_figures,
    sherd_message,
    sherd_point_view,
    sherd_point_state,
    sherd_export_format,
    sherd_replay_def,
    sherd_export_result,
    sherd_step_plan,
    sherd_stop,
    sherd_run_view,
    sherd_run_def,
    sherd_run_result,
    sherd_stress,
    sherd_column,
    sherd_cell,
    sherd_probe_row,
    sherd_element_view,
    sherd_element_info,
    sherd_bond_view,
    sherd_body_glue,
    sherd_memory_use,
    sherd_region_info,
    sherd_state_sink,
]

ENUMS = {
    "sherd_status": {
        "SHERD_OK": 0,
        "SHERD_ERROR_INPUT": 1,
        "SHERD_ERROR_MEMORY": 2,
        "SHERD_ERROR_IO": 3,
        "SHERD_ERROR_UNSTABLE": 4,
        "SHERD_ERROR_UNSUPPORTED": 5,
        "SHERD_ERROR_INTERRUPTED": 6,
    },
    "constants_1": {
        "SHERD_ERROR_TEXT_SIZE": 512,
    },
    "constants_2": {
        "SHERD_PERCENT_TEXT": 32,
    },
    "constants_3": {
        "SHERD_LENGTH_TEXT": 32,
    },
    "sherd_quantity": {
        "SHERD_QUANTITY_NUMBER": 0,
        "SHERD_QUANTITY_LENGTH": 1,
        "SHERD_QUANTITY_TIME": 2,
        "SHERD_QUANTITY_MASS": 3,
        "SHERD_QUANTITY_ANGLE": 4,
        "SHERD_QUANTITY_SPEED": 5,
        "SHERD_QUANTITY_ANGULAR_SPEED": 6,
        "SHERD_QUANTITY_ACCELERATION": 7,
        "SHERD_QUANTITY_DENSITY": 8,
        "SHERD_QUANTITY_STRESS": 9,
        "SHERD_QUANTITY_FORCE": 10,
        "SHERD_QUANTITY_FREQUENCY": 11,
        "SHERD_QUANTITY_FRACTURE_ENERGY": 12,
        "SHERD_QUANTITY_TOUGHNESS": 13,
        "SHERD_QUANTITY_COUNT": 14,
    },
    "sherd_field_type": {
        "SHERD_FIELD_OTHER": 0,
        "SHERD_FIELD_REAL": 1,
        "SHERD_FIELD_VECTOR": 2,
        "SHERD_FIELD_INT": 3,
        "SHERD_FIELD_INT64": 4,
        "SHERD_FIELD_UINT64": 5,
        "SHERD_FIELD_BOOLEAN": 6,
        "SHERD_FIELD_CHOICE": 7,
        "SHERD_FIELD_COLOR": 8,
        "SHERD_FIELD_ROTATION": 9,
        "SHERD_FIELD_NAME": 10,
        "SHERD_FIELD_TEXT": 11,
    },
    "sherd_bound": {
        "SHERD_BOUND_NONE": 0,
        "SHERD_BOUND_FROM": 1,
        "SHERD_BOUND_ABOVE": 2,
    },
    "constants_7": {
        "SHERD_FIELD_NOT_PHYSICS": 1,
        "SHERD_FIELD_REQUIRED": 2,
        "SHERD_FIELD_UNSET": 4,
        "SHERD_FIELD_BY_HAND": 8,
    },
    "constants_8": {
        "SHERD_MAP_SCENE": 1,
        "SHERD_MAP_SOLVER": 2,
        "SHERD_MAP_MATERIAL": 4,
        "SHERD_MAP_GRAIN": 8,
        "SHERD_MAP_BODY": 16,
        "SHERD_MAP_HCP": 32,
        "SHERD_MAP_LAYERS": 64,
        "SHERD_MAP_CUBIC": 128,
        "SHERD_MAP_RANDOM": 256,
        "SHERD_MAP_TETRA": 512,
        "SHERD_MAP_SHELL": 1024,
        "SHERD_MAP_ROPE": 2048,
        "SHERD_MAP_WOVEN": 4096,
        "SHERD_MAP_KNITTED": 8192,
        "SHERD_MAP_OBSTACLE": 16384,
        "SHERD_MAP_FREE": 32768,
        "SHERD_MAP_MOTION": 65536,
        "SHERD_MAP_MOTION_KEY": 131072,
        "SHERD_MAP_DRIVER": 262144,
        "SHERD_MAP_REGION": 524288,
        "SHERD_MAP_OUTPUT": 1048576,
        "SHERD_MAP_SURFACE": 2097152,
        "SHERD_MAP_ROUGHNESS": 4194304,
        "SHERD_MAP_RENDER": 8388608,
        "SHERD_MAP_CAMERA": 16777216,
        "SHERD_MAP_CLIP": 33554432,
        "SHERD_MAP_POINTS": 67108864,
        "SHERD_MAP_CAMERA_KEY": 134217728,
        "SHERD_MAP_SKY": 268435456,
        "SHERD_MAP_LAMP": 536870912,
        "SHERD_MAP_DUST": 8,
        "SHERD_MAP_DEBRIS": 131072,
        "SHERD_MAP_APPEARANCE": 536870912,
        "SHERD_MAP_INNER": 1073741824,
        "SHERD_MAP_WIND": 268435456,
        "SHERD_MAP_BLAST": 536870912,
        "SHERD_MAP_PRESSURE": 33554432,
    },
    "constants_9": {
        "SHERD_FIELD_TEXT_SIZE": 256,
    },
    "sherd_face_kind": {
        "SHERD_FACE_OUTER": 0,
        "SHERD_FACE_INNER": 1,
    },
    "sherd_solid_model": {
        "SHERD_SOLID_MODEL_BONDED": 0,
        "SHERD_SOLID_MODEL_COROTATED": 1,
        "SHERD_SOLID_MODEL_NEO_HOOKEAN": 2,
        "SHERD_SOLID_MODEL_HENCKY": 3,
        "SHERD_SOLID_MODEL_SNOW": 4,
        "SHERD_SOLID_MODEL_SAND": 5,
        "SHERD_SOLID_MODEL_FLUID": 6,
        "SHERD_SOLID_MODEL_PHASE_FIELD": 7,
        "SHERD_SOLID_MODEL_NACC": 8,
        "SHERD_SOLID_MODEL_COUNT": 9,
    },
    "sherd_bond_law": {
        "SHERD_BOND_LAW_QUATERNION": 0,
        "SHERD_BOND_LAW_LU": 1,
        "SHERD_BOND_LAW_ROD": 2,
        "SHERD_BOND_LAW_CENTRAL": 3,
        "SHERD_BOND_LAW_COUNT": 4,
    },
    "sherd_central_form": {
        "SHERD_CENTRAL_SPRINGS": 0,
        "SHERD_CENTRAL_EQUAL_SPRINGS": 1,
        "SHERD_CENTRAL_PERIDYNAMICS": 2,
        "SHERD_CENTRAL_PERIDYNAMICS_LAYER": 3,
        "SHERD_CENTRAL_COUNT": 4,
    },
    "sherd_breakage": {
        "SHERD_BREAKAGE_TENSILE": 0,
        "SHERD_BREAKAGE_ABSOLUTE": 1,
        "SHERD_BREAKAGE_NONE": 2,
        "SHERD_BREAKAGE_ROD": 3,
        "SHERD_BREAKAGE_HYDROSTATIC": 4,
        "SHERD_BREAKAGE_PRINCIPAL": 5,
        "SHERD_BREAKAGE_COUNT": 6,
    },
    "sherd_contact_potential_kind": {
        "SHERD_CONTACT_LINEAR": 0,
        "SHERD_CONTACT_HERTZ": 1,
        "SHERD_CONTACT_BARRIER": 2,
        "SHERD_CONTACT_POTENTIAL_COUNT": 3,
    },
    "sherd_breakage_measure": {
        "SHERD_BREAKAGE_OF_BONDS": 0,
        "SHERD_BREAKAGE_MEAN_STRESS": 1,
        "SHERD_BREAKAGE_PRINCIPAL_STRESS": 2,
    },
    "sherd_bond_radius": {
        "SHERD_BOND_RADIUS_MEAN": 0,
        "SHERD_BOND_RADIUS_MINIMUM": 1,
    },
    "sherd_friction_cone": {
        "SHERD_FRICTION_CONE_COMPRESSION": 0,
        "SHERD_FRICTION_CONE_MEAN": 1,
    },
    "sherd_weakness_kind": {
        "SHERD_WEAKNESS_NOISE": 0,
        "SHERD_WEAKNESS_VORONOI": 1,
        "SHERD_WEAKNESS_PAINT": 2,
        "SHERD_WEAKNESS_CURVE": 3,
        "SHERD_WEAKNESS_CUT": 4,
        "SHERD_WEAKNESS_REGION": 5,
        "SHERD_WEAKNESS_KIND_COUNT": 6,
    },
    "sherd_cut_kind": {
        "SHERD_CUT_PLANE": 0,
        "SHERD_CUT_DISC": 1,
        "SHERD_CUT_POLYGON": 2,
        "SHERD_CUT_SHAPE": 3,
        "SHERD_CUT_SHEET": 4,
    },
    "sherd_paint_channel": {
        "SHERD_PAINT_RED": 0,
        "SHERD_PAINT_GREEN": 1,
        "SHERD_PAINT_BLUE": 2,
        "SHERD_PAINT_MEAN": 3,
    },
    "sherd_glue_criterion": {
        "SHERD_GLUE_STRESS": 0,
        "SHERD_GLUE_FORCE": 1,
    },
    "sherd_bonding": {
        "SHERD_BONDING_NEAR": 0,
        "SHERD_BONDING_NONE": 1,
        "SHERD_BONDING_LIST": 2,
    },
    "sherd_break_mode": {
        "SHERD_BREAK_TENSION": 0,
        "SHERD_BREAK_SHEAR": 1,
        "SHERD_BREAK_BENDING": 2,
        "SHERD_BREAK_TWISTING": 3,
        "SHERD_BREAK_COMPRESSION": 4,
        "SHERD_BREAK_MODE_COUNT": 5,
    },
    "sherd_packing_kind": {
        "SHERD_PACKING_HCP": 0,
        "SHERD_PACKING_HEX_LAYERS": 1,
        "SHERD_PACKING_CUBIC": 2,
        "SHERD_PACKING_RANDOM": 3,
        "SHERD_PACKING_TETRA": 4,
        "SHERD_PACKING_SHELL": 5,
        "SHERD_PACKING_POINTS": 6,
    },
    "sherd_packing_orientation": {
        "SHERD_PACKING_ORIENT_AUTO": 0,
        "SHERD_PACKING_ORIENT_AXES": 1,
    },
    "sherd_packing_sizes": {
        "SHERD_PACKING_SIZES_RADIUS": 0,
        "SHERD_PACKING_SIZES_VOLUME": 1,
    },
    "sherd_tetra_generator": {
        "SHERD_TETRA_LATTICE": 0,
        "SHERD_TETRA_GMSH": 1,
    },
    "sherd_tetra_model": {
        "SHERD_TETRA_BONDED": 0,
        "SHERD_TETRA_FEM": 1,
    },
    "constants_30": {
        "SHERD_PACKING_SIZE_CLASSES": 16,
    },
    "constants_31": {
        "SHERD_CALIBRATION_VERSION": 7,
    },
    "constants_32": {
        "SHERD_CALIBRATION_POINTS": 160,
    },
    "sherd_run_per": {
        "SHERD_RUN_PER_ELEMENT": 0,
        "SHERD_RUN_PER_BOND": 1,
    },
    "constants_34": {
        "SHERD_RUN_MOST_COLUMNS": 32,
    },
    "sherd_drive": {
        "SHERD_DRIVE_MOTION": 0,
        "SHERD_DRIVE_FORCE": 1,
        "SHERD_DRIVE_NONE": 2,
        "SHERD_DRIVE_WIND": 3,
        "SHERD_DRIVE_BLAST": 4,
        "SHERD_DRIVE_PRESSURE": 5,
    },
    "sherd_obstacle_kind": {
        "SHERD_OBSTACLE_FIXED": 0,
        "SHERD_OBSTACLE_DRIVEN": 1,
        "SHERD_OBSTACLE_FREE": 2,
    },
    "sherd_surface_kind": {
        "SHERD_SURFACE_SOLID": 0,
        "SHERD_SURFACE_YARNS": 1,
        "SHERD_SURFACE_SHEET": 2,
    },
    "constants_38": {
        "SHERD_ROUGHNESS_LEAST_SIZE": 4,
    },
    "sherd_surface_method": {
        "SHERD_SURFACE_AUTO": 0,
        "SHERD_SURFACE_TUBES": 1,
        "SHERD_SURFACE_SHEETS": 2,
        "SHERD_SURFACE_TETRA_FACES": 3,
        "SHERD_SURFACE_CUT": 4,
        "SHERD_SURFACE_MARCHING": 5,
        "SHERD_SURFACE_FLUID": 6,
        "SHERD_SURFACE_BLOBS": 7,
        "SHERD_SURFACE_METHOD_COUNT": 8,
    },
    "constants_40": {
        "SHERD_SURFACE_BONES": 12,
    },
    "sherd_texture_kind": {
        "SHERD_TEXTURE_PLAIN": 0,
        "SHERD_TEXTURE_WOOD": 1,
        "SHERD_TEXTURE_CONCRETE": 2,
        "SHERD_TEXTURE_MARBLE": 3,
        "SHERD_TEXTURE_GLAZE": 4,
        "SHERD_TEXTURE_CERAMIC": 5,
        "SHERD_TEXTURE_METAL": 6,
        "SHERD_TEXTURE_COUNT": 7,
    },
    "sherd_method": {
        "SHERD_METHOD_EXPLICIT": 0,
        "SHERD_METHOD_IMPLICIT": 1,
        "SHERD_METHOD_AUTO": 2,
        "SHERD_METHOD_COUNT": 3,
    },
    "sherd_precision": {
        "SHERD_PRECISION_MIXED": 0,
        "SHERD_PRECISION_DOUBLE": 1,
    },
    "sherd_scheme": {
        "SHERD_SCHEME_AUTO": 0,
        "SHERD_SCHEME_EULER": 1,
        "SHERD_SCHEME_MIDPOINT": 2,
        "SHERD_SCHEME_BDF2": 3,
        "SHERD_SCHEME_LEFT_POINT": 4,
        "SHERD_SCHEME_LINEAR_EULER": 5,
    },
    "sherd_step_optimizer": {
        "SHERD_STEP_OPTIMIZER_NEWTON": 0,
        "SHERD_STEP_OPTIMIZER_ALGORITHM_1": 1,
        "SHERD_STEP_OPTIMIZER_ALGORITHM_2": 2,
        "SHERD_STEP_OPTIMIZER_ALGORITHM_3": 3,
        "SHERD_STEP_OPTIMIZER_COUNT": 4,
    },
    "sherd_point_kernel": {
        "SHERD_POINT_KERNEL_CUBIC": 0,
        "SHERD_POINT_KERNEL_QUADRATIC": 1,
    },
    "sherd_point_transfer": {
        "SHERD_POINT_TRANSFER_AFFINE": 0,
        "SHERD_POINT_TRANSFER_FLIP": 1,
        "SHERD_POINT_TRANSFER_APIC": 2,
    },
    "sherd_point_contact": {
        "SHERD_POINT_CONTACT_SURFACES": 0,
        "SHERD_POINT_CONTACT_PAIRWISE": 1,
    },
    "sherd_yarn_kind": {
        "SHERD_YARN_ROPE": 0,
        "SHERD_YARN_WOVEN": 1,
        "SHERD_YARN_KNITTED": 2,
    },
    "sherd_weave": {
        "SHERD_WEAVE_PLAIN": 0,
        "SHERD_WEAVE_TWILL": 1,
        "SHERD_WEAVE_SATIN": 2,
    },
    "sherd_yarn_glue": {
        "SHERD_YARN_GLUE_NONE": 0,
        "SHERD_YARN_GLUE_EDGES": 1,
        "SHERD_YARN_GLUE_ALL": 2,
    },
    "constants_52": {
        "SHERD_DIAGNOSTICS_MAX": 100,
    },
    "constants_53": {
        "SHERD_SCENE_DIGEST_VERSION": 5,
    },
    "sherd_scene_color_by": {
        "SHERD_SCENE_COLOR_MATERIAL": 0,
        "SHERD_SCENE_COLOR_FRAGMENT": 1,
        "SHERD_SCENE_COLOR_SPEED": 2,
        "SHERD_SCENE_COLOR_STRESS_RATIO": 3,
        "SHERD_SCENE_COLOR_STRESS": 4,
        "SHERD_SCENE_COLOR_PRINCIPAL_STRESS": 5,
        "SHERD_SCENE_COLOR_MEAN_STRESS": 6,
        "SHERD_SCENE_COLOR_STRESS_XX": 7,
        "SHERD_SCENE_COLOR_STRESS_YY": 8,
        "SHERD_SCENE_COLOR_STRESS_ZZ": 9,
        "SHERD_SCENE_COLOR_STRESS_XY": 10,
        "SHERD_SCENE_COLOR_STRESS_YZ": 11,
        "SHERD_SCENE_COLOR_STRESS_ZX": 12,
    },
    "sherd_scene_sky_kind": {
        "SHERD_SCENE_SKY_STUDIO": 0,
        "SHERD_SCENE_SKY_DARK": 1,
        "SHERD_SCENE_SKY_CLEAR": 2,
        "SHERD_SCENE_SKY_IMAGE": 3,
    },
    "sherd_scene_quality": {
        "SHERD_SCENE_QUALITY_AUTO": 0,
        "SHERD_SCENE_QUALITY_FINAL": 1,
        "SHERD_SCENE_QUALITY_PREVIEW": 2,
    },
    "constants_57": {
        "SHERD_DIAGNOSIS_FINDINGS": 16,
        "SHERD_FINDING_TEXT": 320,
    },
    "sherd_report_level": {
        "SHERD_REPORT_GOOD": 0,
        "SHERD_REPORT_NOTE": 1,
        "SHERD_REPORT_WARNING": 2,
        "SHERD_REPORT_BAD": 3,
    },
    "constants_59": {
        "SHERD_BYTES_TEXT": 48,
    },
    "sherd_render_surface": {
        "SHERD_RENDER_OPAQUE": 0,
        "SHERD_RENDER_GLASS": 1,
    },
    "sherd_render_ground_kind": {
        "SHERD_RENDER_GROUND_NONE": 0,
        "SHERD_RENDER_GROUND_PLANE": 1,
    },
    "constants_62": {
        "SHERD_RENDER_MOST_LAMPS": 64,
    },
    "sherd_render_denoise": {
        "SHERD_RENDER_DENOISE_OFF": 0,
        "SHERD_RENDER_DENOISE_ON": 1,
    },
    "sherd_render_quality": {
        "SHERD_RENDER_FINAL": 0,
        "SHERD_RENDER_PREVIEW": 1,
    },
    "constants_65": {
        "SHERD_RENDER_PREVIEW_SAMPLES": 4,
    },
    "constants_66": {
        "SHERD_VIDEO_RATE_MAX": 30,
    },
    "constants_67": {
        "SHERD_LAYER_RANKS": 6,
    },
    "sherd_exr_pixels": {
        "SHERD_EXR_NONE": 0,
        "SHERD_EXR_HALF": 1,
        "SHERD_EXR_FLOAT": 2,
    },
    "sherd_message_level": {
        "SHERD_MESSAGE_INFO": 0,
        "SHERD_MESSAGE_NOTE": 1,
        "SHERD_MESSAGE_WARNING": 2,
        "SHERD_MESSAGE_SHORTFALL": 3,
        "SHERD_MESSAGE_ERROR": 4,
    },
    "sherd_export_needs": {
        "SHERD_EXPORT_FROM_RUN": 0,
        "SHERD_EXPORT_FROM_SCENE": 1,
        "SHERD_EXPORT_FROM_MESHES": 2,
    },
    "sherd_foreign_files": {
        "SHERD_FOREIGN_KEEP": 0,
        "SHERD_FOREIGN_OVERWRITE": 1,
    },
    "sherd_replay_pose": {
        "SHERD_REPLAY_FRAME": 0,
        "SHERD_REPLAY_REST": 1,
    },
    "sherd_replay_page": {
        "SHERD_REPLAY_PAGE_ALONE": 0,
        "SHERD_REPLAY_PAGE_SERVED": 1,
    },
    "constants_74": {
        "SHERD_DAMAGED_NAMES": 120,
    },
    "constants_75": {
        "SHERD_STEP_PLAN_TEXT": 320,
    },
    "sherd_run_answer": {
        "SHERD_RUN_GO_ON": 0,
        "SHERD_RUN_STOP": 1,
    },
    "sherd_run_stage": {
        "SHERD_RUN_BUILT": 0,
        "SHERD_RUN_OPENED": 1,
        "SHERD_RUN_STEPPED": 2,
    },
    "sherd_run_begin": {
        "SHERD_RUN_ANEW": 0,
        "SHERD_RUN_RESUME": 1,
    },
    "sherd_run_pictures": {
        "SHERD_RUN_PICTURES_AS_SCENE": 0,
        "SHERD_RUN_PICTURES_NONE": 1,
    },
    "sherd_run_summary": {
        "SHERD_RUN_SUMMARY_MAKE": 0,
        "SHERD_RUN_SUMMARY_NONE": 1,
    },
    "constants_81": {
        "SHERD_RUN_FOLDER": 512,
    },
    "sherd_run_end": {
        "SHERD_RUN_FAILED": 0,
        "SHERD_RUN_STOPPED": 1,
        "SHERD_RUN_FINISHED": 2,
    },
    "constants_83": {
        "SHERD_RUN_ENERGY_TEXT": 80,
    },
    "sherd_simd": {
        "SHERD_SIMD_BASELINE": 0,
        "SHERD_SIMD_AVX2": 1,
        "SHERD_SIMD_AVX512": 2,
    },
    "sherd_column_kind": {
        "SHERD_COLUMN_INTEGER": 0,
        "SHERD_COLUMN_NUMBER": 1,
        "SHERD_COLUMN_EXACT": 2,
        "SHERD_COLUMN_HASH": 3,
        "SHERD_COLUMN_TEXT": 4,
    },
    "constants_86": {
        "SHERD_STATS_COLUMN_COUNT": 37,
        "SHERD_PROBE_COLUMN_COUNT": 28,
        "SHERD_BREAK_COLUMN_COUNT": 14,
    },
}

CONSTANTS = {name: value for values in ENUMS.values() for name, value in values.items()}

# name: (result, parameters)
FUNCTIONS = {
    "sherd_assertion_failed": (None, [c.c_char_p, c.c_char_p, c.c_int]),
    "sherd_status_name": (c.c_char_p, [c.c_int]),
    "sherd_printable": (c.c_char_p, [c.c_char_p, c.c_size_t, c.c_char_p]),
    "sherd_percent_text": (c.c_char_p, [c.c_double, c.c_char_p]),
    "sherd_length_text": (c.c_char_p, [c.c_double, c.c_char_p]),
    "sherd_quantity_unit": (c.c_char_p, [c.c_int]),
    "sherd_field_word": (sherd_word, [c.POINTER(sherd_field), c.c_int]),
    "sherd_field_range_text": (c.c_char_p, [c.POINTER(sherd_field), c.c_char_p]),
    "sherd_mesh_create": (c.POINTER(sherd_mesh), [c.c_int32, c.c_int32, c.POINTER(sherd_error)]),
    "sherd_mesh_destroy": (None, [c.POINTER(sherd_mesh)]),
    "sherd_mesh_copy": (c.POINTER(sherd_mesh), [c.POINTER(sherd_mesh), c.POINTER(sherd_error)]),
    "sherd_mesh_volume": (c.c_double, [c.POINTER(sherd_mesh)]),
    "sherd_mesh_bounds": (sherd_bounds, [c.POINTER(sherd_mesh)]),
    "sherd_mesh_read": (c.POINTER(sherd_mesh), [c.c_char_p, c.c_double, c.POINTER(sherd_error)]),
    "sherd_mesh_repair": (c.c_int, [c.POINTER(sherd_mesh), c.c_char_p, c.POINTER(sherd_mesh_report), c.POINTER(sherd_error)]),
    "sherd_mesh_wrap": (c.POINTER(sherd_mesh), [c.POINTER(sherd_mesh), c.c_char_p, c.POINTER(sherd_wrap_def), c.POINTER(sherd_wrap_report), c.POINTER(sherd_error)]),
    "sherd_mesh_write_ply": (c.c_int, [c.POINTER(sherd_mesh), c.c_char_p, c.POINTER(sherd_error)]),
    "sherd_mesh_write_stl": (c.c_int, [c.POINTER(sherd_mesh), c.c_char_p, c.POINTER(sherd_error)]),
    "sherd_shape_box": (c.POINTER(sherd_shape), [sherd_vec3, c.POINTER(sherd_error)]),
    "sherd_shape_sphere": (c.POINTER(sherd_shape), [c.c_double, c.POINTER(sherd_error)]),
    "sherd_shape_cylinder": (c.POINTER(sherd_shape), [c.c_double, c.c_double, c.POINTER(sherd_error)]),
    "sherd_shape_capsule": (c.POINTER(sherd_shape), [c.c_double, c.c_double, c.POINTER(sherd_error)]),
    "sherd_shape_torus": (c.POINTER(sherd_shape), [c.c_double, c.c_double, c.POINTER(sherd_error)]),
    "sherd_shape_revolve": (c.POINTER(sherd_shape), [c.POINTER(sherd_vec2), c.c_int, c.POINTER(sherd_error)]),
    "sherd_shape_extrude": (c.POINTER(sherd_shape), [c.POINTER(sherd_vec2), c.c_int, c.c_double, c.POINTER(sherd_error)]),
    "sherd_shape_text": (c.POINTER(sherd_shape), [c.c_char_p, c.c_char_p, c.c_double, c.c_double, c.POINTER(sherd_error)]),
    "sherd_shape_mesh": (c.POINTER(sherd_shape), [c.POINTER(sherd_mesh), c.POINTER(sherd_error)]),
    "sherd_shape_union": (c.POINTER(sherd_shape), [c.POINTER(sherd_shape), c.POINTER(sherd_shape), c.POINTER(sherd_error)]),
    "sherd_shape_union_of": (c.POINTER(sherd_shape), [c.POINTER(c.POINTER(sherd_shape)), c.c_int, c.POINTER(sherd_error)]),
    "sherd_shape_difference": (c.POINTER(sherd_shape), [c.POINTER(sherd_shape), c.POINTER(sherd_shape), c.POINTER(sherd_error)]),
    "sherd_shape_placed": (c.POINTER(sherd_shape), [c.POINTER(sherd_shape), sherd_pose, c.POINTER(sherd_error)]),
    "sherd_shape_destroy": (None, [c.POINTER(sherd_shape)]),
    "sherd_shape_distance": (c.c_double, [c.POINTER(sherd_shape), sherd_vec3]),
    "sherd_shape_normal": (sherd_vec3, [c.POINTER(sherd_shape), sherd_vec3]),
    "sherd_shape_bounds": (sherd_bounds, [c.POINTER(sherd_shape)]),
    "sherd_shape_volume": (c.c_double, [c.POINTER(sherd_shape)]),
    "sherd_shape_surface": (c.POINTER(sherd_mesh), [c.POINTER(sherd_shape), c.c_double, c.POINTER(sherd_error)]),
    "sherd_bond_law_describe": (c.POINTER(sherd_bond_law_info), [c.c_int]),
    "sherd_central_describe": (c.POINTER(sherd_central_info), [c.c_int]),
    "sherd_breakage_describe": (c.POINTER(sherd_breakage_info), [c.c_int]),
    "sherd_material_def_default": (sherd_material_def, []),
    "sherd_material_def_fields": (c.POINTER(sherd_definition), []),
    "sherd_weakness_def_default": (sherd_weakness_def, []),
    "sherd_weakness_def_fields": (c.POINTER(sherd_definition), []),
    "sherd_weakness_create": (c.POINTER(sherd_weakness), [c.POINTER(sherd_weakness_def), c.POINTER(sherd_error)]),
    "sherd_weakness_destroy": (None, [c.POINTER(sherd_weakness)]),
    "sherd_weakness_amount": (c.c_double, [c.POINTER(sherd_weakness), sherd_vec3, sherd_vec3]),
    "sherd_weakness_list_scale": (sherd_bond_scale, [c.c_void_p, sherd_vec3, sherd_vec3]),
    "sherd_weakness_list_faces": (c.c_int, [c.c_void_p, sherd_vec3, c.c_double, c.c_int, c.POINTER(sherd_cut_face)]),
    "sherd_fracture_def_default": (sherd_fracture_def, []),
    "sherd_fracture_def_fields": (c.POINTER(sherd_definition), []),
    "sherd_tetra_mesh_destroy": (None, [c.POINTER(sherd_tetra_mesh)]),
    "sherd_tetra_mesh_volume": (c.c_double, [c.POINTER(sherd_tetra_mesh)]),
    "sherd_tetra_mesh_boundary": (c.POINTER(sherd_mesh), [c.POINTER(sherd_tetra_mesh), c.POINTER(sherd_error)]),
    "sherd_tetra_mesh_quality": (sherd_tetra_quality, [c.POINTER(sherd_tetra_mesh)]),
    "sherd_tetra_lattice_def_default": (sherd_tetra_lattice_def, []),
    "sherd_tetra_lattice_def_fields": (c.POINTER(sherd_definition), []),
    "sherd_tetra_mesh_fill": (c.POINTER(sherd_tetra_mesh), [c.POINTER(sherd_shape), c.POINTER(sherd_tetra_lattice_def), c.POINTER(sherd_error)]),
    "sherd_tetra_mesh_read": (c.POINTER(sherd_tetra_mesh), [c.c_char_p, c.c_double, c.POINTER(sherd_tetra_report), c.POINTER(sherd_error)]),
    "sherd_tetra_mesh_gmsh": (c.POINTER(sherd_tetra_mesh), [c.POINTER(sherd_mesh), c.c_double, c.c_double, c.POINTER(sherd_error)]),
    "sherd_body_def_default": (sherd_body_def, []),
    "sherd_body_def_fields": (c.POINTER(sherd_definition), []),
    "sherd_packing_kind_name": (c.c_char_p, [c.c_int]),
    "sherd_packing_def_default": (sherd_packing_def, []),
    "sherd_packing_def_fields": (c.POINTER(sherd_definition), []),
    "sherd_packing_create": (c.POINTER(sherd_packing), [c.POINTER(sherd_shape), c.POINTER(sherd_packing_def), c.POINTER(sherd_error)]),
    "sherd_packing_destroy": (None, [c.POINTER(sherd_packing)]),
    "sherd_calibration_def_default": (sherd_calibration_def, []),
    "sherd_calibration_def_fields": (c.POINTER(sherd_definition), []),
    "sherd_calibrate": (c.c_int, [c.POINTER(sherd_calibration_def), c.POINTER(sherd_calibration), c.POINTER(sherd_error)]),
    "sherd_calibration_apply": (None, [c.POINTER(sherd_calibration), c.POINTER(sherd_packing), c.POINTER(sherd_material_def)]),
    "sherd_calibration_stiffness": (c.c_int, [c.POINTER(sherd_stiffness_task), c.POINTER(sherd_body_stiffness_result), c.POINTER(sherd_error)]),
    "sherd_fragments_create": (c.POINTER(sherd_fragments), [c.POINTER(sherd_error)]),
    "sherd_fragments_destroy": (None, [c.POINTER(sherd_fragments)]),
    "sherd_fragments_update": (c.c_int, [c.POINTER(sherd_fragments), c.POINTER(sherd_fragment_input), c.POINTER(sherd_error)]),
    "sherd_fragments_view": (sherd_fragment_view, [c.POINTER(sherd_fragments)]),
    "sherd_fragments_restore": (c.c_int, [c.POINTER(sherd_fragments), c.POINTER(sherd_fragment_id), sherd_element_index, sherd_fragment_id, c.POINTER(sherd_error)]),
    "sherd_run_open": (c.POINTER(sherd_run), [c.c_char_p, c.POINTER(sherd_error)]),
    "sherd_run_close": (None, [c.POINTER(sherd_run)]),
    "sherd_run_get_info": (sherd_run_info, [c.POINTER(sherd_run)]),
    "sherd_run_get_model": (sherd_run_model, [c.POINTER(sherd_run)]),
    "sherd_run_frame_count": (c.c_int64, [c.POINTER(sherd_run)]),
    "sherd_run_ignored_bytes": (c.c_int64, [c.POINTER(sherd_run)]),
    "sherd_run_read_frame": (c.POINTER(sherd_run_frame), [c.POINTER(sherd_run), c.c_int64, c.POINTER(sherd_error)]),
    "sherd_run_frame_destroy": (None, [c.POINTER(sherd_run_frame)]),
    "sherd_run_read_stats": (c.c_int, [c.POINTER(sherd_run), c.c_int64, c.POINTER(sherd_run_stats), c.POINTER(sherd_error)]),
    "sherd_run_read_breaks": (c.POINTER(sherd_run_breaks), [c.POINTER(sherd_run), c.c_int64, c.POINTER(sherd_error)]),
    "sherd_run_breaks_destroy": (None, [c.POINTER(sherd_run_breaks)]),
    "sherd_run_read_checkpoint": (c.POINTER(sherd_run_checkpoint), [c.POINTER(sherd_run), c.POINTER(sherd_error)]),
    "sherd_run_checkpoint_destroy": (None, [c.POINTER(sherd_run_checkpoint)]),
    "sherd_motion_fields": (c.POINTER(sherd_definition), []),
    "sherd_driver_def_default": (sherd_driver_def, []),
    "sherd_driver_def_fields": (c.POINTER(sherd_definition), []),
    "sherd_obstacle_def_default": (sherd_obstacle_def, []),
    "sherd_obstacle_def_fields": (c.POINTER(sherd_definition), []),
    "sherd_surface_method_describe": (sherd_surface_method_info, [c.c_int]),
    "sherd_surface_def_default": (sherd_surface_def, []),
    "sherd_surface_def_fields": (c.POINTER(sherd_definition), []),
    "sherd_surface_create": (c.POINTER(sherd_surface), [c.POINTER(sherd_surface_def), c.POINTER(sherd_error)]),
    "sherd_surface_destroy": (None, [c.POINTER(sherd_surface)]),
    "sherd_surface_update": (c.c_int, [c.POINTER(sherd_surface), c.POINTER(sherd_fragment_view), c.POINTER(c.c_uint8), c.POINTER(sherd_error)]),
    "sherd_surface_piece_count": (c.c_int, [c.POINTER(sherd_surface)]),
    "sherd_surface_get_piece": (sherd_surface_piece, [c.POINTER(sherd_surface), c.c_int]),
    "sherd_surface_pose_all": (None, [c.POINTER(sherd_surface), c.POINTER(sherd_surface_pose), c.POINTER(c.POINTER(c.c_double)), c.POINTER(c.POINTER(c.c_double))]),
    "sherd_texture_image_read": (c.POINTER(sherd_texture_image), [c.c_char_p, c.POINTER(sherd_error)]),
    "sherd_texture_image_destroy": (None, [c.POINTER(sherd_texture_image)]),
    "sherd_texture_describe": (sherd_texture_look, [c.c_int]),
    "sherd_method_describe": (sherd_method_info, [c.c_int]),
    "sherd_world_def_default": (sherd_world_def, []),
    "sherd_world_def_fields": (c.POINTER(sherd_definition), []),
    "sherd_yarn_def_default": (sherd_yarn_def, []),
    "sherd_yarn_def_fields": (c.POINTER(sherd_definition), []),
    "sherd_yarn_create": (c.POINTER(sherd_packing), [c.POINTER(sherd_yarn_def), c.POINTER(sherd_error)]),
    "sherd_diagnostics_free": (None, [c.POINTER(sherd_diagnostics)]),
    "sherd_scene_load": (c.POINTER(sherd_scene), [c.c_char_p, c.POINTER(sherd_scene_options), c.POINTER(sherd_diagnostics)]),
    "sherd_scene_parse": (c.POINTER(sherd_scene), [c.c_char_p, c.c_size_t, c.c_char_p, c.POINTER(sherd_scene_options), c.POINTER(sherd_diagnostics)]),
    "sherd_scene_destroy": (None, [c.POINTER(sherd_scene)]),
    "sherd_scene_locate": (None, [c.POINTER(sherd_scene), c.POINTER(sherd_error)]),
    "sherd_scene_pack_body": (c.POINTER(sherd_packing), [c.POINTER(sherd_scene), c.c_int, c.c_int, c.POINTER(sherd_error)]),
    "sherd_scene_calibration_task": (sherd_calibration_def, [c.POINTER(sherd_scene), c.c_int, c.POINTER(sherd_packing)]),
    "sherd_scene_create_world": (c.POINTER(sherd_world), [c.POINTER(sherd_scene), c.c_int, c.POINTER(sherd_scene_build), c.POINTER(sherd_error)]),
    "sherd_scene_build_free": (None, [c.POINTER(sherd_scene_build)]),
    "sherd_diagnosis_make": (None, [c.POINTER(sherd_diagnosis), c.POINTER(sherd_run), c.POINTER(sherd_scene)]),
    "sherd_folder_create": (c.c_int, [c.c_char_p, c.POINTER(sherd_error)]),
    "sherd_folder_exists": (c.c_bool, [c.c_char_p]),
    "sherd_file_exists": (c.c_bool, [c.c_char_p]),
    "sherd_file_size": (c.c_int64, [c.c_char_p]),
    "sherd_file_write": (c.c_int, [c.c_char_p, c.c_void_p, c.c_size_t, c.POINTER(sherd_error)]),
    "sherd_file_refuse": (c.c_int, [c.c_char_p, c.c_int64, c.POINTER(sherd_error)]),
    "sherd_bytes_text": (c.c_char_p, [c.c_double, c.c_char_p]),
    "sherd_given_columns_create": (c.c_bool, [c.POINTER(sherd_given_columns), c.POINTER(sherd_world)]),
    "sherd_given_columns_free": (None, [c.POINTER(sherd_given_columns)]),
    "sherd_pictures_check": (c.c_int, [c.POINTER(sherd_error)]),
    "sherd_color_srgb": (sherd_color, [c.c_uint32]),
    "sherd_color_map": (sherd_color, [c.c_double]),
    "sherd_color_map_signed": (sherd_color, [c.c_double]),
    "sherd_color_categorical": (sherd_color, [c.c_int64]),
    "sherd_render_absorption": (sherd_color, [sherd_color, c.c_double]),
    "sherd_render_material_default": (sherd_render_material, []),
    "sherd_camera_frame_bounds": (sherd_camera, [sherd_bounds, c.c_double]),
    "sherd_camera_orbit": (sherd_camera, [sherd_bounds, c.c_double, c.c_double, c.c_double]),
    "sherd_environment_read": (c.POINTER(sherd_environment), [c.c_char_p, c.c_double, c.c_double, c.POINTER(sherd_error)]),
    "sherd_sky_def_default": (sherd_sky_def, []),
    "sherd_environment_sky": (c.POINTER(sherd_environment), [c.POINTER(sherd_sky_def), c.POINTER(sherd_error)]),
    "sherd_environment_destroy": (None, [c.POINTER(sherd_environment)]),
    "sherd_render_scene_default": (sherd_render_scene, []),
    "sherd_render": (c.POINTER(sherd_image), [c.POINTER(sherd_render_scene), c.POINTER(sherd_error)]),
    "sherd_image_create": (c.POINTER(sherd_image), [c.c_int32, c.c_int32, c.POINTER(sherd_error)]),
    "sherd_image_destroy": (None, [c.POINTER(sherd_image)]),
    "sherd_image_write_png": (c.c_int, [c.POINTER(sherd_image), c.c_char_p, c.POINTER(sherd_error)]),
    "sherd_video_from_frames": (c.c_int, [c.c_char_p, c.c_int, c.c_int, c.c_double, c.c_char_p, c.POINTER(sherd_error)]),
    "sherd_render_layers": (c.POINTER(sherd_image), [c.POINTER(sherd_render_scene), c.POINTER(c.POINTER(sherd_layers)), c.POINTER(sherd_error)]),
    "sherd_layers_destroy": (None, [c.POINTER(sherd_layers)]),
    "sherd_layers_pixel": (sherd_layer_pixel, [c.POINTER(sherd_layers), c.c_int32, c.c_int32]),
    "sherd_exr_available": (c.c_bool, []),
    "sherd_layers_write_exr": (c.c_int, [c.POINTER(sherd_layers), c.c_int, c.c_char_p, c.POINTER(sherd_error)]),
    "sherd_material_library_count": (c.c_int, []),
    "sherd_material_library_at": (c.POINTER(sherd_material_figures), [c.c_int]),
    "sherd_material_library_find": (c.POINTER(sherd_material_figures), [c.c_char_p]),
    "sherd_material_named": (c.c_int, [c.c_char_p, c.POINTER(sherd_material_def), c.POINTER(sherd_error)]),
    "sherd_world_points": (sherd_point_view, [c.POINTER(sherd_world)]),
    "sherd_world_point_states": (None, [c.POINTER(sherd_world), c.POINTER(sherd_point_state)]),
    "sherd_export_format_count": (c.c_int, []),
    "sherd_export_format_get": (c.POINTER(sherd_export_format), [c.c_int]),
    "sherd_export_format_find": (c.c_int, [c.c_char_p]),
    "sherd_replay_def_default": (sherd_replay_def, []),
    "sherd_replay_export": (c.c_int, [c.POINTER(sherd_replay_def), c.c_int, c.POINTER(sherd_export_result), c.POINTER(sherd_error)]),
    "sherd_export_result_text": (c.c_char_p, [c.POINTER(sherd_export_result), c.c_char_p, c.c_char_p, c.c_size_t]),
    "sherd_replay_export_place": (c.c_char_p, [c.POINTER(sherd_replay_def), c.c_int, c.c_char_p, c.c_size_t]),
    "sherd_replay_render": (c.c_int, [c.POINTER(sherd_replay_def), c.POINTER(sherd_error)]),
    "sherd_run_damaged_frames": (c.c_int64, [c.POINTER(sherd_run), c.c_int64, c.c_int64, c.c_char_p]),
    "sherd_step_plan_make": (sherd_step_plan, [c.POINTER(sherd_scene), c.c_double]),
    "sherd_step_plan_text": (c.c_char_p, [c.POINTER(sherd_step_plan), c.POINTER(sherd_world_def), c.POINTER(sherd_world), c.c_char_p]),
    "sherd_stop_request": (None, [c.POINTER(sherd_stop)]),
    "sherd_stop_requested": (c.c_bool, [c.POINTER(sherd_stop)]),
    "sherd_run_def_default": (sherd_run_def, []),
    "sherd_run_folder": (c.c_char_p, [c.POINTER(sherd_scene), c.c_char_p]),
    "sherd_run_scene": (c.c_int, [c.POINTER(sherd_run_def), c.POINTER(sherd_run_result), c.POINTER(sherd_error)]),
    "sherd_scene_tell_packings": (None, [c.POINTER(sherd_scene), c.POINTER(sherd_scene_build), sherd_message_callback, c.c_void_p]),
    "sherd_scene_tell_warnings": (None, [c.POINTER(sherd_scene), c.POINTER(sherd_scene_build), c.POINTER(sherd_step_plan), sherd_message_callback, c.c_void_p]),
    "sherd_simd_choose": (c.c_int, [c.c_char_p, c.POINTER(sherd_error)]),
    "sherd_simd_level": (c.c_int, []),
    "sherd_simd_machine": (c.c_int, []),
    "sherd_simd_name": (c.c_char_p, [c.c_int]),
    "sherd_stress_principal": (None, [c.POINTER(sherd_stress), c.POINTER(c.c_double)]),
    "sherd_stress_von_mises": (c.c_double, [c.POINTER(sherd_stress)]),
    "sherd_table_writer_create": (c.POINTER(sherd_table_writer), [c.c_char_p, c.POINTER(sherd_column), c.c_int, c.POINTER(sherd_error)]),
    "sherd_table_writer_row": (c.c_int, [c.POINTER(sherd_table_writer), c.POINTER(sherd_cell), c.POINTER(sherd_error)]),
    "sherd_table_writer_close": (c.c_int, [c.POINTER(sherd_table_writer), c.POINTER(sherd_error)]),
    "sherd_stats_columns": (c.POINTER(sherd_column), []),
    "sherd_stats_cells": (None, [c.POINTER(sherd_run_stats), c.POINTER(sherd_cell)]),
    "sherd_table_read": (c.POINTER(sherd_table), [c.c_char_p, c.POINTER(sherd_error)]),
    "sherd_table_destroy": (None, [c.POINTER(sherd_table)]),
    "sherd_table_row_count": (c.c_int64, [c.POINTER(sherd_table)]),
    "sherd_table_column_count": (c.c_int, [c.POINTER(sherd_table)]),
    "sherd_table_column_name": (c.c_char_p, [c.POINTER(sherd_table), c.c_int]),
    "sherd_table_find_column": (c.c_int, [c.POINTER(sherd_table), c.c_char_p]),
    "sherd_table_text": (c.c_char_p, [c.POINTER(sherd_table), c.c_int64, c.c_int]),
    "sherd_table_number": (c.c_double, [c.POINTER(sherd_table), c.c_int64, c.c_int]),
    "sherd_version": (c.c_char_p, []),
    "sherd_layout_hash": (c.c_uint64, []),
    "sherd_world_elements": (sherd_element_view, [c.POINTER(sherd_world)]),
    "sherd_world_element": (sherd_element_info, [c.POINTER(sherd_world), sherd_element_index]),
    "sherd_world_element_force": (sherd_vec3, [c.POINTER(sherd_world), sherd_element_index]),
    "sherd_world_bonds": (sherd_bond_view, [c.POINTER(sherd_world)]),
    "sherd_world_break_count": (sherd_bond_index, [c.POINTER(sherd_world)]),
    "sherd_world_breaks": (None, [c.POINTER(sherd_world), c.POINTER(sherd_break)]),
    "sherd_world_forget_breaks": (None, [c.POINTER(sherd_world)]),
    "sherd_world_components": (None, [c.POINTER(sherd_world), c.POINTER(sherd_element_index)]),
    "sherd_world_bond_sections": (None, [c.POINTER(sherd_world), c.POINTER(c.c_float)]),
    "sherd_world_bond_loads": (None, [c.POINTER(sherd_world), c.POINTER(sherd_bond_load)]),
    "sherd_world_asleep_count": (sherd_element_index, [c.POINTER(sherd_world)]),
    "sherd_world_body_bonds": (sherd_body_bonds, [c.POINTER(sherd_world), c.c_int]),
    "sherd_world_body_glue": (sherd_body_glue, [c.POINTER(sherd_world), c.c_int]),
    "sherd_world_glue_count": (sherd_bond_index, [c.POINTER(sherd_world)]),
    "sherd_world_glue": (None, [c.POINTER(sherd_world), c.POINTER(sherd_glue_particle)]),
    "sherd_world_broken_count": (c.c_int64, [c.POINTER(sherd_world)]),
    "sherd_world_torn_count": (c.c_int64, [c.POINTER(sherd_world)]),
    "sherd_world_body_count": (c.c_int, [c.POINTER(sherd_world)]),
    "sherd_world_body": (sherd_body_info, [c.POINTER(sherd_world), c.c_int]),
    "sherd_world_obstacle_count": (c.c_int, [c.POINTER(sherd_world)]),
    "sherd_world_obstacle_pose": (sherd_pose, [c.POINTER(sherd_world), c.c_int]),
    "sherd_world_stress_ratio": (None, [c.POINTER(sherd_world), c.POINTER(c.c_float)]),
    "sherd_world_stress": (None, [c.POINTER(sherd_world), c.POINTER(sherd_stress)]),
    "sherd_world_energy": (sherd_energy, [c.POINTER(sherd_world)]),
    "sherd_world_momentum": (sherd_vec3, [c.POINTER(sherd_world)]),
    "sherd_world_angular_momentum": (sherd_vec3, [c.POINTER(sherd_world)]),
    "sherd_world_probe_driver": (sherd_probe_reading, [c.POINTER(sherd_world), sherd_driver_id]),
    "sherd_world_probe_obstacle": (sherd_probe_reading, [c.POINTER(sherd_world), sherd_obstacle_id]),
    "sherd_world_reset_probes": (None, [c.POINTER(sherd_world)]),
    "sherd_world_touching_count": (c.c_int64, [c.POINTER(sherd_world)]),
    "sherd_world_contact_forces": (c.POINTER(sherd_contact_force), [c.POINTER(sherd_world), c.POINTER(c.c_int64), c.POINTER(sherd_error)]),
    "sherd_world_free_contact_forces": (None, [c.POINTER(sherd_contact_force)]),
    "sherd_world_state_hash": (c.c_uint64, [c.POINTER(sherd_world)]),
    "sherd_world_memory": (sherd_memory_use, [c.POINTER(sherd_world)]),
    "sherd_world_create": (c.POINTER(sherd_world), [c.POINTER(sherd_world_def), c.POINTER(sherd_error)]),
    "sherd_world_destroy": (None, [c.POINTER(sherd_world)]),
    "sherd_world_add_material": (sherd_material_id, [c.POINTER(sherd_world), c.POINTER(sherd_material_def), c.POINTER(sherd_error)]),
    "sherd_world_add_body": (sherd_body_id, [c.POINTER(sherd_world), c.POINTER(sherd_body_def), c.POINTER(sherd_error)]),
    "sherd_world_add_obstacle": (sherd_obstacle_id, [c.POINTER(sherd_world), c.POINTER(sherd_obstacle_def), c.POINTER(sherd_error)]),
    "sherd_world_add_driver": (sherd_driver_id, [c.POINTER(sherd_world), c.POINTER(sherd_driver_def), c.POINTER(sherd_error)]),
    "sherd_world_stable_time_step": (c.c_double, [c.POINTER(sherd_world), c.POINTER(sherd_error)]),
    "sherd_world_element_time_step": (c.c_double, [c.POINTER(sherd_world)]),
    "sherd_world_set_time_step": (c.c_int, [c.POINTER(sherd_world), c.c_double, c.POINTER(sherd_error)]),
    "sherd_world_time_step": (c.c_double, [c.POINTER(sherd_world)]),
    "sherd_world_time": (c.c_double, [c.POINTER(sherd_world)]),
    "sherd_world_step_count": (c.c_int64, [c.POINTER(sherd_world)]),
    "sherd_world_step": (c.c_int, [c.POINTER(sherd_world), c.c_int64, c.POINTER(sherd_error)]),
    "sherd_world_advance": (c.c_int, [c.POINTER(sherd_world), c.c_double, c.POINTER(sherd_error)]),
    "sherd_world_advance_towards": (c.c_int, [c.POINTER(sherd_world), c.c_double, c.c_int64, c.POINTER(sherd_error)]),
    "sherd_world_move_driver": (c.c_int, [c.POINTER(sherd_world), sherd_driver_id, c.POINTER(sherd_motion_key), c.POINTER(sherd_error)]),
    "sherd_world_move_obstacle": (c.c_int, [c.POINTER(sherd_world), sherd_obstacle_id, c.POINTER(sherd_motion_key), c.POINTER(sherd_error)]),
    "sherd_world_driver_key": (sherd_motion_key, [c.POINTER(sherd_world), sherd_driver_id]),
    "sherd_world_obstacle_key": (sherd_motion_key, [c.POINTER(sherd_world), sherd_obstacle_id]),
    "sherd_world_explicit_reason": (c.c_char_p, [c.POINTER(sherd_world)]),
    "sherd_world_check_method": (c.c_int, [c.POINTER(sherd_world), c.c_int, c.POINTER(sherd_error)]),
    "sherd_world_solver_counts": (sherd_solver_counts, [c.POINTER(sherd_world)]),
    "sherd_world_step_times": (sherd_step_times, [c.POINTER(sherd_world)]),
    "sherd_world_split_steps": (sherd_split_steps, [c.POINTER(sherd_world)]),
    "sherd_world_region": (sherd_region_info, [c.POINTER(sherd_world), sherd_element_index]),
    "sherd_world_check": (c.c_int, [c.POINTER(sherd_world), c.POINTER(sherd_error)]),
    "sherd_world_save": (c.c_int, [c.POINTER(sherd_world), c.POINTER(c.c_void_p), c.POINTER(c.c_size_t), c.POINTER(sherd_error)]),
    "sherd_world_save_pieces": (c.c_int, [c.POINTER(sherd_world), c.POINTER(sherd_state_sink), c.POINTER(c.c_size_t), c.POINTER(sherd_error)]),
    "sherd_world_restore": (c.c_int, [c.POINTER(sherd_world), c.c_void_p, c.c_size_t, c.POINTER(sherd_error)]),
    "sherd_world_free_state": (None, [c.c_void_p]),
}

# Members that are enums
ENUM_MEMBERS = {
    "sherd_error": {'status': 'sherd_status'},
    "sherd_range": {'bound': 'sherd_bound'},
    "sherd_field": {'type': 'sherd_field_type', 'quantity': 'sherd_quantity'},
    "sherd_breakage_info": {'measure': 'sherd_breakage_measure'},
    "sherd_material_def": {'law': 'sherd_bond_law', 'central': 'sherd_central_form', 'bond_radius': 'sherd_bond_radius', 'breakage': 'sherd_breakage', 'model': 'sherd_solid_model', 'friction_cone': 'sherd_friction_cone'},
    "sherd_weakness_def": {'kind': 'sherd_weakness_kind', 'channel': 'sherd_paint_channel', 'cut': 'sherd_cut_kind'},
    "sherd_fracture_def": {'criterion': 'sherd_glue_criterion'},
    "sherd_body_def": {'bonding': 'sherd_bonding'},
    "sherd_break": {'mode': 'sherd_break_mode'},
    "sherd_packing_tetra": {'model': 'sherd_tetra_model', 'generator': 'sherd_tetra_generator'},
    "sherd_packing_def": {'kind': 'sherd_packing_kind', 'orientation': 'sherd_packing_orientation', 'sizes': 'sherd_packing_sizes'},
    "sherd_calibration_def": {'law': 'sherd_bond_law', 'bond_radius': 'sherd_bond_radius', 'breakage': 'sherd_breakage'},
    "sherd_run_column": {'per': 'sherd_run_per'},
    "sherd_driver_def": {'drive': 'sherd_drive'},
    "sherd_obstacle_def": {'kind': 'sherd_obstacle_kind'},
    "sherd_surface_body": {'kind': 'sherd_surface_kind'},
    "sherd_surface_def": {'method': 'sherd_surface_method'},
    "sherd_texture": {'kind': 'sherd_texture_kind'},
    "sherd_texture_look": {'inner': 'sherd_texture_kind'},
    "sherd_world_def": {'precision': 'sherd_precision', 'method': 'sherd_method', 'scheme': 'sherd_scheme', 'optimizer': 'sherd_step_optimizer', 'contact_potential': 'sherd_contact_potential_kind', 'point_kernel': 'sherd_point_kernel', 'point_transfer': 'sherd_point_transfer', 'point_contact': 'sherd_point_contact'},
    "sherd_woven_def": {'weave': 'sherd_weave'},
    "sherd_yarn_def": {'kind': 'sherd_yarn_kind', 'glue': 'sherd_yarn_glue'},
    "sherd_scene_face": {'texture': 'sherd_texture_kind'},
    "sherd_scene_sky": {'kind': 'sherd_scene_sky_kind'},
    "sherd_scene_render": {'quality': 'sherd_scene_quality', 'color_by': 'sherd_scene_color_by'},
    "sherd_scene_surface": {'method': 'sherd_surface_method'},
    "sherd_finding": {'level': 'sherd_report_level'},
    "sherd_render_material": {'surface': 'sherd_render_surface'},
    "sherd_render_ground": {'kind': 'sherd_render_ground_kind'},
    "sherd_render_scene": {'denoise': 'sherd_render_denoise', 'quality': 'sherd_render_quality'},
    "sherd_material_figures": {'model': 'sherd_solid_model', 'points': 'sherd_solid_model'},
    "sherd_message": {'level': 'sherd_message_level'},
    "sherd_export_format": {'needs': 'sherd_export_needs'},
    "sherd_replay_def": {'pose': 'sherd_replay_pose', 'foreign': 'sherd_foreign_files', 'page': 'sherd_replay_page'},
    "sherd_run_def": {'begin': 'sherd_run_begin', 'foreign': 'sherd_foreign_files', 'pictures': 'sherd_run_pictures', 'summary': 'sherd_run_summary', 'on_frame': 'sherd_run_answer'},
    "sherd_run_result": {'end': 'sherd_run_end'},
    "sherd_column": {'kind': 'sherd_column_kind'},
}

# Units of comments and quantities, as Python's names have them
UNITS = {
    "m": "m",
    "m^2": "m2",
    "m^3": "m3",
    "m/s": "m_s",
    "m/s^2": "m_s2",
    "rad": "rad",
    "rad/s": "rad_s",
    "rad or deg": "rad",
    "s": "s",
    "Hz": "hz",
    "kg": "kg",
    "kg/m^3": "kg_m3",
    "N": "n",
    "N m": "nm",
    "Pa": "pa",
    "J": "j",
    "J/m^2": "j_m2",
    "Pa m^0.5": "pa_sqrt_m",
    "kg m/s": "kg_m_s",
    "kg m^2/s": "kg_m2_s",
    "bytes": "bytes",
}

# Of members, from their comments: (unit in names, what it is)
MEMBERS = {
    "sherd_error": {
        "status": ('', 'never SHERD_OK after a failure'),
        "where": ('', 'file:line:column, member or function; may be empty'),
        "what": ('', 'what is wrong, with the offending value'),
        "hint": ('', 'what to do about it; may be empty'),
    },
    "sherd_range": {
        "bound": ('', 'which bounds apply'),
        "low": ('', 'high = INFINITY: any that is finite'),
        "high": ('', 'high = INFINITY: any that is finite'),
        "infinite": ('', 'INFINITY is in, too'),
        "zero": ('', '0 is in, too, although it is below low'),
    },
    "sherd_word": {
        "word": ('', 'as scenes write it; what it means'),
        "doc": ('', 'as scenes write it; what it means'),
    },
    "sherd_field": {
        "name": ('', 'of the member, "time_step", "tetra.size"; NULL: a key of scenes alone'),
        "key": ('', 'in scenes; NULL: the name, behind its last dot'),
        "type": ('', 'its C type'),
        "offset": ('bytes', 'in the definition [bytes]'),
        "quantity": ('', 'its unit'),
        "range": ('', 'its valid values'),
        "initial": ('', "as the default function sets it, x y z w; a choice's number"),
        "choices": ('', 'CHOICE: its words in the order of the enum, NULL-terminated; or, where a table elsewhere has them, what gives the word of each number.'),
        "choice": ('', ''),
        "hint": ('', 'what to do about a value that is out of range, or NULL'),
        "flags": ('', ''),
        "maps": ('', 'SHERD_MAP_...: in which maps of a scene the key stands; 0: in none'),
        "digest": ('', "How it enters the fingerprint if not as the number it is. Gets the whole definition. What is OTHER and has none is covered by another row's."),
        "doc": ('', "For readers, with Markdown's marks: what it is; what it may be and its default where the row's own values don't say it."),
        "values": ('', "For readers, with Markdown's marks: what it is; what it may be and its default where the row's own values don't say it."),
        "usual": ('', "For readers, with Markdown's marks: what it is; what it may be and its default where the row's own values don't say it."),
    },
    "sherd_definition": {
        "name": ('', 'of the struct, "sherd_material_def"'),
        "size": ('bytes', 'of the struct [bytes]'),
        "fields": ('', 'its members (count)'),
        "count": ('', 'in the order in which they enter the fingerprint'),
    },
    "sherd_vec2": {
        "x": ('', 'components'),
        "y": ('', 'components'),
    },
    "sherd_vec3": {
        "x": ('', 'components'),
        "y": ('', 'components'),
        "z": ('', 'components'),
    },
    "sherd_quat": {
        "x": ('', 'components'),
        "y": ('', 'components'),
        "z": ('', 'components'),
        "w": ('', 'components'),
    },
    "sherd_pose": {
        "position": ('m', '[m]'),
        "rotation": ('', '[-] unit quaternion'),
    },
    "sherd_bounds": {
        "low": ('m', 'corners [m]'),
        "high": ('m', 'corners [m]'),
    },
    "sherd_material_id": {
        "index1": ('', 'number from 1, 0 for null; always 1 for a valid handle'),
        "generation": ('', 'number from 1, 0 for null; always 1 for a valid handle'),
    },
    "sherd_body_id": {
        "index1": ('', 'number from 1, 0 for null'),
        "generation": ('', 'always 1 for a valid handle'),
    },
    "sherd_obstacle_id": {
        "index1": ('', 'number from 1, 0 for null; always 1 for a valid handle'),
        "generation": ('', 'number from 1, 0 for null; always 1 for a valid handle'),
    },
    "sherd_driver_id": {
        "index1": ('', 'number from 1, 0 for null; always 1 for a valid handle'),
        "generation": ('', 'number from 1, 0 for null; always 1 for a valid handle'),
    },
    "sherd_mesh_material": {
        "color": ('', 'red, green, blue of the base, linear, 0..1 [-]'),
        "roughness": ('', 'of the gloss, 0..1 [-]'),
        "metal": ('', '1: bare metal [-]'),
        "opacity": ('', '1: opaque [-]'),
        "picture": ('', "of the mesh's pictures, a factor on the base's colour; -1: none"),
    },
    "sherd_mesh_picture": {
        "name": ('', "of the file; of one inside a model's file, the model's with its number"),
        "bytes": ('', '(size)'),
        "size": ('', 'number of bytes'),
    },
    "sherd_mesh": {
        "vertex_count": ('', 'n'),
        "triangle_count": ('', 'm'),
        "vertices": ('m', 'x, y, z [m] (n x 3)'),
        "triangles": ('', 'corners, counter-clockwise seen from outside (m x 3)'),
        "normals": ('', 'optional, unit vectors per vertex [-] (n x 3)'),
        "face_kind": ('', 'optional, sherd_face_kind per triangle (m)'),
        "uv": ('', 'optional, texture coordinates u, v of each corner [-] (m x 3 x 2)'),
        "color": ('', 'optional, painted red, green, blue per vertex, 0..1 (n x 3)'),
        "group": ('', 'optional, material group of each triangle, -1: none (m)'),
        "group_count": ('', '0 without `group`'),
        "group_names": ('', "one after the other, each with its '\\0'"),
        "materials": ('', 'optional, what groups look like (group_count)'),
        "picture_count": ('', '0 without `materials`'),
        "pictures": ('', 'of the materials (picture_count)'),
        "note_count": ('', "of what a file's reader had to leave out, or sherd_shape_display_mesh"),
        "notes": ('', '"file:line: what", one after the other, each with its \'\\0\''),
    },
    "sherd_mesh_report": {
        "merged_vertices": ('', 'coincident corners made one'),
        "degenerate_triangles": ('', 'zero area, removed'),
        "duplicate_triangles": ('', 'same corners, removed'),
        "flipped_triangles": ('', 'turned to agree with their neighbours, or whole mesh inside out'),
        "filled_holes": ('', 'small holes closed'),
        "widest_filled_hole": ('m', 'the largest of them, across [m]; 0: none'),
        "boundary_edges": ('', 'edges with one triangle, left over after repair'),
        "non_manifold_edges": ('', 'edges with three or more triangles, left over after repair'),
        "self_intersections": ('', 'pairs of triangles that cut each other (counted up to 1000)'),
        "components": ('', 'connected pieces'),
        "volume": ('m3', '[m^3] after repair'),
        "bounds": ('', 'after repair'),
    },
    "sherd_wrap_def": {
        "edge_length": ('m', "Edges of the new surface's triangles are about as long [m], > 0. Walls thinner than that get holes."),
        "thickness": ('m', '0 (default): the mesh bounds a solid. Else it is a sheet of this thickness [m], half of it to either side'),
        "least_volume": ('m3', 'new pieces, and cavities, of less are left out [m^3], >= 0; default 0'),
    },
    "sherd_wrap_report": {
        "edge_length": ('m', 'that was possible within memory [m]'),
        "turned_triangles": ('', 'of the old surface'),
        "inner_triangles": ('', 'of it, walls inside: left out'),
        "pieces": ('', 'of the new surface; left out: see least_volume'),
        "left_out": ('', 'of the new surface; left out: see least_volume'),
        "volume": ('m3', '[m^3]'),
        "distance": ('m', 'Distance of the old surface from the new one, where it is the outside: 99 % are nearer than `distance`, all that was sampled than `farthest` [m].'),
        "farthest": ('m', 'Distance of the old surface from the new one, where it is the outside: 99 % are nearer than `distance`, all that was sampled than `farthest` [m].'),
        "closed_share": ('', "Fraction of the new surface's area farther than one edge from the old one, where that was open."),
    },
    "sherd_bond_law_info": {
        "word": ('', 'name in scenes'),
        "doc": ('', 'one line for people'),
        "has_energy": ('', 'true if loads are the gradient of an energy, as implicit steps need'),
        "history": ('', 'history variables that each bond stores, as floats'),
    },
    "sherd_central_info": {
        "word": ('', 'name in scenes'),
        "doc": ('', 'one line for people'),
        "reach": ('', 'default reach of bonds, in spacings of elements'),
        "dimensions": ('', 'of a peridynamic horizon: 3 in solids, 2 in a layer; 0: springs'),
    },
    "sherd_breakage_info": {
        "word": ('', 'name in scenes'),
        "doc": ('', 'one line for people'),
        "magnitude": ('', 'true: uses |F_n|, so compression breaks bonds too'),
        "bending": ('', 'weights in the sums of stresses [-], > 0'),
        "shear": ('', 'weights in the sums of stresses [-], > 0'),
        "twisting": ('', 'weights in the sums of stresses [-], > 0'),
        "breaks": ('', 'false: bonds never break'),
        "measure": ('', 'which stress counts'),
    },
    "sherd_material_def": {
        "cookie": ('', 'set by sherd_material_def_default; any other value is rejected'),
        "name": ('', 'for messages; copied, may be NULL'),
        "density": ('kg_m3', 'of an element [kg/m^3], > 0, default 2600'),
        "youngs_modulus": ('pa', 'E of bonds [Pa], > 0, default 1e9'),
        "shear_modulus": ('pa', 'G of bonds [Pa], > 0, default 4e8'),
        "law": ('', 'default SHERD_BOND_LAW_QUATERNION'),
        "central": ('', 'law CENTRAL: stiffness, default SPRINGS'),
        "reach": ('', 'Law CENTRAL: bonds join all elements of a body within this distance, in spacings (twice the mean radius) [-], 1 to 4; 0 (default): 2 for springs, 3 for peridynamics.'),
        "shear_correction": ('', 'kappa of the shear stiffness kappa G S [-], (0, 1]; 0 (default): 5/6 with law ROD, else 1.'),
        "bond_radius": ('', 'default SHERD_BOND_RADIUS_MEAN, with every law'),
        "breakage": ('', 'default SHERD_BREAKAGE_TENSILE, with every law'),
        "tensile_strength": ('pa', 'sigma_c [Pa], > 0, default INFINITY: never breaks'),
        "shear_strength": ('pa', 'tau_c [Pa], > 0, default INFINITY: never breaks'),
        "fracture_energy": ('j_m2', "Fracture energy G_f of a crack [J/m^2], > 0. Bonds then soften at their strength: their traction falls linearly and reaches zero, where they break, when their part of the crack's area has taken G_f (docs/theory/physics.md 3). 0: from the toughness; both 0 (default): bonds break at once."),
        "fracture_toughness": ('pa_sqrt_m', 'K_Ic [Pa m^0.5], > 0, instead of the energy: G_f = K_Ic^2 (1 - nu^2) / E with nu = E / (2 G) - 1, limited to [0, 0.5]. Default 0.'),
        "strict": ('', 'Bonds that are so long that they store more than their part of G_f at their strength get a lower strength, which keeps G_f (sherd_world_body_bonds reports by how much). True: bodies with such bonds are rejected. Default false.'),
        "yield_stress": ('pa', "sigma_y [Pa], > 0; default INFINITY: bonds do not yield. Bonds with law ROD yield by a radial return of all their strains together (docs/theory/physics.md 3). Factors on a bond's strengths apply to its yield stress too."),
        "hardening_modulus": ('pa', 'H_m, slope of yield stress over plastic strain [Pa], >= 0, default 0'),
        "fracture_strain": ('', 'eps_f [-], > 0: a yielding bond breaks when its plastic elongation exceeds eps_f times its length. 0 (default): not by strain.'),
        "fracture_displacement": ('m', '[m], > 0: a yielding bond breaks when its plastic elongation exceeds this, for any length; at most one of this and fracture_strain. 0 (default): not by displacement.'),
        "separation_force": ('n', "tau [N], > 0: finite elements separate where the largest eigenvalue of the separation tensor exceeds this force, not tensile_strength times a node's area. 0 (default): not given."),
        "rate_time": ('s', 't_c [s], > 0: rate dependence. The damage of a bond above its strength grows at the rate (stress / strength - 1)^n / t_c, and the bond breaks at 1 (docs/theory/physics.md 3). Not with softening, yielding, or criteria of elements. 0 (default): bonds break at once.'),
        "rate_exponent": ('', 'n [-], (0, 20], default 2'),
        "weibull_modulus": ('', 'Weibull modulus of the scatter of both strengths, >= 1; 0 (default): no scatter. One factor per bond, with mean 1'),
        "bond_damping": ('', "Damping ratio zeta of a bond's stretch between its two elements [-], >= 0, default 0.02. All modes get the same relaxation time: c = beta k, beta = 2 zeta sqrt(m_eff / k_n)."),
        "restitution": ('', 'rebound speed over impact speed of two elements [-], (0, 1], default 0.5'),
        "friction": ('', 'Coulomb coefficient [-], >= 0; NAN (default): 0.3, with FLUID 0'),
        "rolling_friction": ('', 'Coefficient mu_r of rolling friction of elements [-], >= 0, default 0: the couple against rolling is at most mu_r R F_n, R the effective radius (docs/papers/rolling-friction.md)'),
        "grain_stiffening": ('', 'lambda of [BDEM21] (30): E, G times 1 + lambda (d_g . d_b)^4, >= 0'),
        "grain_strengthening": ('', 'the same for strengths, default 0'),
        "grain_direction": ('', "d_g in the body's rest frame; normalised; default x"),
        "seed": ('', 'of the scatter of strengths'),
        "model": ('', "Constitutive law. BONDED (default): elements and bonds. Others are for material points, which have no bonds: density, youngs_modulus and shear_modulus are then the solid's, nu = E / (2 G) - 1, and with HENCKY yield_stress is von Mises'."),
        "friction_angle": ('rad', 'SAND: angle phi [rad], (0, pi/2)'),
        "friction_cone": ('', 'SAND: cone for that angle, default MEAN'),
        "critical_compression": ('', 'SNOW: elastic principal stretches stay in [1 - compression, 1 + extension] [-], (0, 0.5], defaults 0.025 and 0.0075.'),
        "critical_extension": ('', 'SNOW: elastic principal stretches stay in [1 - compression, 1 + extension] [-], (0, 0.5], defaults 0.025 and 0.0075.'),
        "hardening": ('', 'SNOW: moduli are multiplied by exp(hardening (1 - J_p)), >= 0, default 10'),
        "bulk_modulus": ('pa', 'FLUID: K [Pa], > 0; 0: not given'),
        "fluid_exponent": ('', 'FLUID: gamma of p = K / gamma (J^-gamma - 1), > 1, default 7'),
        "damage_length": ('m', 'PHASE_FIELD (docs/papers/cd-mpm.md): damage is driven by the largest principal stress over tensile_strength or, if that is INFINITY, by the tensile energy over fracture_energy. l0 [m], >= 0; 0 (default): damage is local'),
        "damage_time": ('s', 'relaxation time eta of damage [s], >= 0, default 0: it follows at once'),
        "residual_stiffness": ('', 'r, share of the tensile stiffness that stays [-], [0, 1), default 0.001'),
        "cohesion": ('', 'NACC, with friction_angle: tensile over compressive strength beta [-], >= 0, default 0.8'),
        "compaction_hardening": ('', 'xi [-], >= 0, default 3'),
        "initial_compaction": ('', '-log J_p at the start [-], >= 0, default 0.03'),
    },
    "sherd_bond_scale": {
        "stiffness": ('', '[-], >= 0'),
        "strength": ('', '[-], >= 0'),
    },
    "sherd_cut_face": {
        "cut": ('', 'number of the cut, from 0, the same on both sides'),
        "distance": ('m', "of the element's centre from the face along `normal`, >= 0 [m]"),
        "beyond": ('m', "distance of the foot point beyond the cut's edge, 0 within it [m]"),
        "normal": ('', 'unit vector from the element to the face'),
    },
    "sherd_weakness_def": {
        "cookie": ('', 'set by sherd_weakness_def_default; any other value is rejected'),
        "kind": ('', 'default NOISE'),
        "strength": ('', 'Factors on bonds where the pattern applies fully, >= 0, default 1; linear in between. Bonds with a factor of 0 are broken from the start.'),
        "stiffness": ('', 'Factors on bonds where the pattern applies fully, >= 0, default 1; linear in between. Bonds with a factor of 0 are broken from the start.'),
        "seed": ('', 'NOISE, VORONOI'),
        "size": ('m', 'NOISE: wavelength of the largest features. VORONOI: edge of a cube as large as the mean fragment. [m], > 0'),
        "octaves": ('', 'NOISE each half as large and half as strong as the one before, 1 to 16, default 4'),
        "share": ('', 'of the body that is more weak than not, [0, 1], default 0.5'),
        "contrast": ('', '1 (default): all degrees are equally frequent; large: weak or not; > 0'),
        "stretch": ('', 'VORONOI of cells along the axes, > 0 each, default (1, 1, 1)'),
        "irregularity": ('', '0: cubes; 1 (default): most irregular'),
        "warp": ('', 'bends walls: 0 (default) flat, 1 strongly bent'),
        "wall": ('m', 'bonds nearer to a wall than half of this are weak too [m], default 0'),
        "mesh": ('', 'PAINT, CUT SHEET PAINT: with colours; open meshes are fine; copied'),
        "channel": ('', 'PAINT'),
        "invert": ('', 'dark is weak'),
        "depth": ('m', "depth below the mesh's surface [m], default INFINITY"),
        "point_count": ('', 'CURVE: a polyline; points of CUT POLYGON, in one plane. Copied.'),
        "points": ('', ''),
        "along": ('', 'CURVE goes through the body in this direction; 0 (default): it does not'),
        "radius": ('m', 'CURVE: half its width; CUT DISC [m]'),
        "falloff": ('m', 'CURVE, PAINT, REGION: width of the soft edge beyond [m], default 0'),
        "cut": ('', 'CUT'),
        "point": ('', 'PLANE, DISC (its centre); the normal has any length'),
        "normal": ('', 'PLANE, DISC (its centre); the normal has any length'),
        "shape": ('', 'CUT SHAPE, REGION; borrowed for the life of the weakness'),
    },
    "sherd_weakness_list": {
        "count": ('', 'number of patterns'),
        "items": ('', 'the patterns, borrowed (count)'),
    },
    "sherd_fracture_def": {
        "cookie": ('', 'set by sherd_fracture_def_default; any other value is rejected'),
        "wall_count": ('', 'number of walls, >= 0'),
        "walls": ('', "Walls in the body's rest frame (wall_count), of kind VORONOI or CUT; borrowed while the body is added. Neighbouring points without a wall between them belong to one piece."),
        "criterion": ('', 'default STRESS'),
        "tensile_strength": ('pa', 'STRESS: normal and shear traction at which glue breaks [Pa], >= 0. Default INFINITY: never; 0: no glue. FORCE: INFINITY.'),
        "shear_strength": ('pa', 'STRESS: normal and shear traction at which glue breaks [Pa], >= 0. Default INFINITY: never; 0: no glue. FORCE: INFINITY.'),
        "threshold": ('n', 'FORCE: relative force c_g at a node at which the glue there breaks [N], >= 0; it works in tension, and the stress that it means depends on the grid. INFINITY: never. STRESS: NAN (default).'),
        "fracture_energy": ('j_m2', 'Fracture energy G_f of glue, which softens beyond its strength [J/m^2], >= 0. 0 (default): glue breaks at once.'),
        "scatter": ('', 'Strengths and threshold are multiplied by a factor that is uniform in [1 - scatter, 1 + scatter], [0, 1], default 0.'),
        "seed": ('', 'of the random factors, default 0'),
        "glued": ('', 'Glue exists inside this shape only, in the rest frame; borrowed. NULL (default): everywhere.'),
    },
    "sherd_tetra_mesh": {
        "vertex_count": ('', 'n'),
        "tetra_count": ('', 'm'),
        "vertices": ('m', 'x, y, z [m] (n x 3)'),
        "tetras": ('', 'corners a, b, c, d with (b-a) x (c-a) . (d-a) > 0 (m x 4)'),
    },
    "sherd_tetra_quality": {
        "angle_min": ('rad', 'extreme dihedral angles [rad]; regular: 70.5 degrees'),
        "angle_max": ('rad', 'extreme dihedral angles [rad]; regular: 70.5 degrees'),
        "quality_min": ('', 'smallest 6 sqrt2 V / l_rms^3 [-]: 1 regular, 0 flat'),
        "quality_mean": ('', 'mean of the same [-]'),
        "edge_min": ('m', 'lengths of edges, mean over all tetrahedra [m]'),
        "edge_mean": ('m', 'lengths of edges, mean over all tetrahedra [m]'),
        "edge_max": ('m', 'lengths of edges, mean over all tetrahedra [m]'),
        "slivers": ('', 'tetrahedra of quality below SHERD_TETRA_SLIVER'),
    },
    "sherd_tetra_lattice_def": {
        "cookie": ('', 'set by sherd_tetra_lattice_def_default; any other value is rejected'),
        "size": ('m', 'requested mean edge length [m], > 0'),
        "jitter": ('', 'Random displacement of vertices over `size` [-], [0, 0.5], default 0.3, so that cracks do not follow planes of the lattice. Displacements that would spoil tetrahedra are shortened.'),
        "seed": ('', 'of the displacements'),
        "quality": ('', 'smallest quality after displacements [-], [0, 0.5], default 0.25'),
        "max_tetrahedra": ('', 'more tetrahedra are an error, default 50 million'),
        "threads": ('', '>= 0, 0 (default): all of the machine'),
    },
    "sherd_tetra_report": {
        "other_elements": ('', 'points, lines, triangles, ...: ignored'),
        "turned": ('', 'tetrahedra that were inside out'),
        "flat": ('', 'tetrahedra without volume, left out'),
        "unused": ('', 'nodes without a tetrahedron, left out'),
        "groups": ('', 'physical groups of volumes, which are ignored'),
        "group_names": ('', 'names of the first of these, "soft, hard", or their numbers'),
    },
    "sherd_body_def": {
        "cookie": ('', 'set by sherd_body_def_default; any other value is rejected'),
        "name": ('', 'for messages; copied, may be NULL'),
        "count": ('', "Number of elements n, >= 1. Their data are in the body's rest frame."),
        "x": ('m', 'centres [m] (n)'),
        "y": ('m', 'centres [m] (n)'),
        "z": ('m', 'centres [m] (n)'),
        "radius": ('m', '[m] (n), > 0'),
        "material": ('', 'of all elements and bonds'),
        "bonding": ('', 'default NEAR'),
        "bond_reach": ('', 'NEAR: largest bonded gap over the smaller radius [-], default 0.15'),
        "bond_count": ('', 'LIST: number of bonds'),
        "bond_i": ('', 'LIST: element numbers in the body (bond_count)'),
        "bond_j": ('', 'LIST: element numbers in the body (bond_count)'),
        "bond_section": ('m2', "LIST: cross-section area of each bond [m^2], > 0 (bond_count). A bond has the stiffness and the strength of a round rod of that section. NULL (default): a circle of the material's bond_radius."),
        "bond_factor": ('', "LIST: factor on each bond's moduli and strengths [-], > 0 (bond_count). Together with the section it sets stretching and bending stiffness independently. NULL (default): 1."),
        "volume": ('m3', "Volume of solid that each element represents [m^3], > 0 (n). Its mass is density times volume; contact and rotational inertia (I = 2/5 m r^2) are those of its sphere. NULL (default): the sphere's volume."),
        "solid_fraction": ('', "Fraction of the body's space that the elements' spheres or `volume`s fill [-], > 0, default 1. Stresses refer to that space (sherd/stress.h). Use the packing's solid_fraction if it has no `volume`; close packings have 0.7405."),
        "cell_fraction": ('', "The same within the packing's cells, 0.7405 in close packings; 0 (default): solid_fraction. Bonds with the law CENTRAL refer to that volume, as bodies' faces cut cells."),
        "point_spacing": ('m', "Spacing of the lattice if the elements are material points [m], > 0; each then needs its `volume`. The grid's nodes are two spacings apart. Requires a material with a solid model and bonding NONE; all bodies of a world share one spacing. Default 0: spheres and bonds."),
        "tetra": ('', 'Finite elements: element k is tetrahedron k of this mesh, in the rest frame, with its mass; a LIST has the pairs that share faces. Borrowed. All bodies of a world have one, or none. NULL (default): spheres and bonds, or points.'),
        "shape": ('', 'Material points: the solid that they fill, in the rest frame. Contact acts on its surface. Borrowed. NULL (default): the surface of cubes around the points.'),
        "fracture": ('', 'Material points: pieces, and the glue that joins them until it breaks. Borrowed. NULL (default): one piece that does not break.'),
        "bond_scale": ('', "Art direction: returns factors on each bond's moduli and strengths. NULL (default): 1."),
        "bond_scale_context": ('', 'passed to bond_scale'),
        "cut_faces": ('', 'Returns the faces of pre-cracks that bond_scale makes. NULL (default): elements touch as spheres across pre-cracks too.'),
        "cut_faces_context": ('', 'passed to cut_faces'),
        "pose": ('', 'Placement: x_world = R x_rest + position. Elements start with orientation R.'),
        "velocity": ('m_s', "of the body's origin [m/s]"),
        "angular_velocity": ('rad_s', "about the body's origin, world axes [rad/s]"),
    },
    "sherd_body_info": {
        "name": ('', 'owned by the world; empty if none was given'),
        "first": ('', 'its elements are contiguous: the first one, and how many'),
        "count": ('', 'its elements are contiguous: the first one, and how many'),
        "material": ('', "index into the world's materials, from 0"),
    },
    "sherd_body_bonds": {
        "count": ('', 'bonds, pre-cracks included'),
        "weakened": ('', "Bonds that bond_scale changed: with lower or higher strength, lower or higher stiffness than the material's, and pre-cracks (broken from the start)."),
        "strengthened": ('', "Bonds that bond_scale changed: with lower or higher strength, lower or higher stiffness than the material's, and pre-cracks (broken from the start)."),
        "softened": ('', "Bonds that bond_scale changed: with lower or higher strength, lower or higher stiffness than the material's, and pre-cracks (broken from the start)."),
        "stiffened": ('', "Bonds that bond_scale changed: with lower or higher strength, lower or higher stiffness than the material's, and pre-cracks (broken from the start)."),
        "broken": ('', "Bonds that bond_scale changed: with lower or higher strength, lower or higher stiffness than the material's, and pre-cracks (broken from the start)."),
        "least_strength": ('', 'Extreme factors of bond_scale on bonds that are not broken [-]: least <= 1, largest >= 1.'),
        "largest_strength": ('', 'Extreme factors of bond_scale on bonds that are not broken [-]: least <= 1, largest >= 1.'),
        "least_stiffness": ('', 'Extreme factors of bond_scale on bonds that are not broken [-]: least <= 1, largest >= 1.'),
        "largest_stiffness": ('', 'Extreme factors of bond_scale on bonds that are not broken [-]: least <= 1, largest >= 1.'),
        "cells": ('', 'Connected parts by the bonds that bond_scale leaves more than half of their strength: the pieces if all weak walls break. 0: bond_scale weakens and breaks none.'),
        "walls": ('', 'mean factor on the strength of the others, broken ones left out; 0: there are none'),
        "reduced": ('', 'Number of bonds whose strength was reduced so that breaking dissipates the fracture energy.'),
        "least_reduction": ('', 'smallest factor on strengths [-]; largest element radius without reduction, INFINITY if none [m]'),
        "unreduced_radius": ('m', 'smallest factor on strengths [-]; largest element radius without reduction, INFINITY if none [m]'),
        "pieces": ('', 'Connected parts by all bonds, pre-cracks included; elements outside the largest part.'),
        "apart": ('', 'Connected parts by all bonds, pre-cracks included; elements outside the largest part.'),
    },
    "sherd_break": {
        "bond": ('', "number of the bond; particles of glue follow the world's bonds"),
        "time": ('s', 'end of the step in which it broke [s]'),
        "place": ('m', 'midpoint between the centres of its elements, or position of the glue [m]'),
        "energy": ('j', 'Elastic energy that it stored when it broke, >= 0; 0 for glue [J]. The sum over all breaks is dissipated_fracture; what bonds lost while they softened is in dissipated_softening (sherd_energy).'),
        "i": ('', 'its elements, i < j'),
        "j": ('', 'its elements, i < j'),
        "body": ('', 'the body of both'),
        "mode": ('', 'the load that broke it; TENSION or SHEAR for glue'),
        "piece_i": ('', 'glue: the pieces of i and j in their body, from 0; -1 for a bond'),
        "piece_j": ('', 'glue: the pieces of i and j in their body, from 0; -1 for a bond'),
    },
    "sherd_packing_tetra": {
        "size": ('m', 'requested mean edge length [m], > 0; unused with a mesh file'),
        "model": ('', 'default BONDED'),
        "generator": ('', 'default LATTICE'),
        "jitter": ('', 'LATTICE: see sherd_tetra_lattice_def, default 0.3'),
        "quality": ('', 'LATTICE: see sherd_tetra_lattice_def, default 0.25'),
        "time_limit": ('s', 'GMSH: its time limit [s], > 0, default 10'),
        "mesh_file": ('', '.msh file to read instead of meshing the shape; borrowed, NULL: none'),
        "mesh_scale": ('', 'metres per unit of the file, > 0, default 1'),
    },
    "sherd_packing_def": {
        "cookie": ('', 'set by sherd_packing_def_default; any other value is rejected'),
        "kind": ('', 'default HCP'),
        "radius": ('m', 'Element radius [m], > 0, changed by up to `radius_tolerance` to fit the shape. Unused by TETRA and POINTS.'),
        "spacing": ('m', 'POINTS: of the lattice, half the spacing of grid nodes [m], > 0'),
        "radius_tolerance": ('', 'Largest relative change of the radius to fit layers exactly [-], [0, 0.5], default 0.1.'),
        "layers": ('', 'HEX_LAYERS: number of layers, 0: as many as fit the thickness. SHELL: number of layers across the wall, 0: one. Others: 0.'),
        "orientation": ('', 'lattices, default AUTO'),
        "angle": ('rad', "HCP, HEX_LAYERS: angle of the lattice's rows about the normal of its layers [rad], within one turn, default 0. Cracks follow rows."),
        "jitter": ('', 'Largest random displacement of centres over the radius; POINTS: of rows along themselves, over the spacing [-], [0, 0.5], default 0. Scenes give points of sand 0.3.'),
        "seed": ('', 'of all random numbers'),
        "size_low": ('', 'RANDOM: smallest and largest radius over `radius` [-], [0.05, 20], low <= high <= 10 low, defaults 1 and 1. [BDEM21] Fig. 18 has 0.9 and 4.'),
        "size_high": ('', 'RANDOM: smallest and largest radius over `radius` [-], [0.05, 20], low <= high <= 10 low, defaults 1 and 1. [BDEM21] Fig. 18 has 0.9 and 4.'),
        "sizes": ('', 'RANDOM: distribution of sizes, default RADIUS'),
        "bond_range": ('', 'RANDOM: elements are bonded if the distance of their centres is at most this times the sum of their radii [-], [1, 1.5], default 1.1: delta_0 of [RBDEM] 4.1.'),
        "max_elements": ('', 'more elements are an error, default 50 million'),
        "threads": ('', '>= 0, 0 (default): all of the machine'),
        "tetra": ('', 'TETRA: the mesh'),
    },
    "sherd_packing": {
        "count": ('', 'n'),
        "x": ('m', 'centres [m] (n)'),
        "y": ('m', 'centres [m] (n)'),
        "z": ('m', 'centres [m] (n)'),
        "radius": ('m', '[m] (n)'),
        "shape_volume": ('m3', 'How well the elements represent the solid: [m^3]'),
        "element_volume": ('m3', "sum of the spheres' volumes [m^3]"),
        "solid_fraction": ('', 'element_volume / shape_volume'),
        "cell_volume_match": ('', 'volume of the filled lattice cells / shape_volume, ideally 1'),
        "surface_gap_mean": ('m', 'mean gap between outermost elements and the surface [m]'),
        "surface_gap_max": ('m', 'largest of these gaps [m]'),
        "face_gap": ('m', 'Lattices: largest gap between a flat face of the shape and all elements along it, of faces with more than 8 % of the outermost elements; 0 if there is none [m].'),
        "face_normal": ('', "outward normal of that face, in the shape's frame"),
        "lattice_radius": ('m', 'radius after fitting [m]'),
        "layers": ('', 'close-packed layers across the thinnest extent'),
        "radius_least": ('m', 'RANDOM: smallest and largest radius [m]'),
        "radius_most": ('m', 'RANDOM: smallest and largest radius [m]'),
        "size_count": ('', 'histogram of radii, from least to most'),
        "bonds_per_element": ('', 'mean number of bonds per element'),
        "bridges": ('', 'bonds beyond bond_range that connect elements without neighbours'),
        "left_out": ('', 'elements removed because they are too far from all others'),
        "parts": ('', 'RANDOM, TETRA: parts of the solid without a bond between them. RANDOM has one for each piece of the shape, TETRA also bits of films thinner than a tetrahedron.'),
        "volume": ('m3', 'Data that some packings have; NULL if elements are spheres bonded to near ones. solid that each element represents [m^3] (n)'),
        "bond_count": ('', 'm'),
        "bond_i": ('', 'i < j, in order of (i, j) (m); NULL: bond near elements'),
        "bond_j": ('', 'i < j, in order of (i, j) (m); NULL: bond near elements'),
        "bond_section": ('m2', 'cross-section area of bonds [m^2] (m); NULL: from radii'),
        "tetra": ('', 'TETRA: the mesh, owned; element k is tetrahedron k. Otherwise NULL.'),
        "tetra_quality": ('', 'TETRA: quality of the mesh, otherwise 0'),
        "weakened_bonds": ('', 'TETRA: bonds of slivers, with sections below their faces'),
        "bond_factor": ('', "factor on each bond's moduli and strengths [-], > 0 (m); NULL: 1"),
    },
    "sherd_calibration_def": {
        "cookie": ('', 'set by sherd_calibration_def_default; anything else is refused'),
        "packing": ('', 'Its seed does not matter, and its radius only beside a fracture energy; default hcp.'),
        "layers": ('', 'of plates of hcp or layers, 1 to 4; 0 = thicker: a solid (default)'),
        "bond_reach": ('', 'as sherd_body_def.bond_reach'),
        "youngs_modulus": ('pa', 'of the solid [Pa], > 0, default 1e9'),
        "poissons_ratio": ('', 'of the solid, within (-1, 0.5], default 0.2'),
        "law": ('', 'of the bonds, default quaternion. Bars are at rest implicitly: bonds of a law without an energy are found as if it were the default'),
        "shear_correction": ('', "as sherd_material_def's, default 0"),
        "bond_radius": ('', 'likewise, default mean'),
        "breakage": ('', "default tensile; one that never breaks: strengths don't count"),
        "tensile_strength": ('pa', 'of the solid [Pa], > 0 or INFINITY, default INFINITY'),
        "shear_strength": ('pa', 'of the solid, in torsion [Pa], > 0 or INFINITY, default INFINITY'),
        "weibull_modulus": ('', "scatter of bonds' strengths, 0 = none (default). Strengths asked for are those of the test bars with their scatter"),
        "yield_stress": ('pa', 'Of the solid in tension, with law ROD: the line of stress over plastic strain (src/calibration/yield_test.h). [Pa], > 0 or INFINITY, the default: does not yield'),
        "hardening_modulus": ('pa', 'its slope [Pa], >= 0, default 0'),
        "fracture_energy": ('j_m2', 'Of the solid: what a crack across a bar takes, as bonds soften (src/calibration/fracture_test.h). With a tensile strength, and without a yield stress. G_f [J/m^2], >= 0, default 0: bonds break at once'),
        "body": ('', "A body's packing of tetrahedra from elsewhere: bars are cut out of it, where it has room for one, instead of made of the packing's kind. Borrowed; NULL (default)."),
        "bar_width": ('', 'of test bars in element radii, [8, 64], default 16'),
        "with_table": ('', 'measure bending and the third direction too and keep curves: the cache is then not read; default false'),
        "cache_folder": ('', 'NULL = the user\'s (default), "" = none'),
        "threads": ('', '0 = all'),
    },
    "sherd_calibration_curve": {
        "count": ('', '0: not run, or taken from the cache'),
        "strain": ('', 'nominal, of the gauge while elastic [-]'),
        "stress": ('pa', "over the shape's section [Pa]"),
    },
    "sherd_calibration_bonds": {
        "youngs_modulus": ('pa', '[Pa]'),
        "shear_modulus": ('pa', '[Pa]'),
        "tensile_strength": ('pa', '[Pa]'),
        "shear_strength": ('pa', '[Pa]'),
        "yield_stress": ('pa', "INFINITY, 0: they don't yield [Pa]"),
        "hardening_modulus": ('pa', "INFINITY, 0: they don't yield [Pa]"),
        "fracture_energy": ('j_m2', "0: they don't soften [J/m^2]"),
    },
    "sherd_calibration": {
        "full": ('', 'Bonds for a geometric stiffness of the packing of 1: that is the share of the shape that elements of a lattice fill, or the affine modulus of other packings. sherd_calibration_apply computes it, and so the bonds, for a body; that of the test bars is, in the mean, bar_stiffness.'),
        "bar_stiffness": ('', ''),
        "bar": ('', "A bar's bonds, the guess by homogenisation alone, and the measured results of the bars."),
        "guess": ('', "A bar's bonds, the guess by homogenisation alone, and the measured results of the bars."),
        "youngs_modulus": ('pa', 'of the bars that decide [Pa], [-]'),
        "poissons_ratio": ('', 'of the bars that decide [Pa], [-]'),
        "tensile_strength": ('pa', 'INFINITY: not tested [Pa]'),
        "shear_strength": ('pa', 'INFINITY: not tested [Pa]'),
        "guess_youngs_modulus": ('', 'of the guessed bonds, by homogenisation'),
        "guess_poissons_ratio": ('', 'of the guessed bonds, by homogenisation'),
        "yield_stress": ('pa', 'INFINITY, 0: not tested [Pa]'),
        "hardening_modulus": ('pa', 'INFINITY, 0: not tested [Pa]'),
        "fracture_energy": ('j_m2', '0: not tested [J/m^2]. The guess is what cracks take of bonds with the fracture energy requested.'),
        "guess_fracture_energy": ('j_m2', '0: not tested [J/m^2]. The guess is what cracks take of bonds with the fracture energy requested.'),
        "fracture_radius": ('m', 'up to which elements carry it with these bonds; 0: not tested [m]'),
        "stretched_strength": ('pa', 'What bars bear that are pulled on to five times the strain that they would have their strength at were they elastic: more than that where a lattice of bonds that soften hardens [Pa].'),
        "pressed_strength": ('pa', 'What bars bear at least that are pressed, of materials whose shear strength c a twisted bar does not show, which breaks by tension before: 4 c^2 over the tensile strength is what such solids should. 0: not tested [Pa].'),
        "strength_radius": ('m', 'Up to which bonds can make a solid that has the strength requested beside the fracture energy; 0: not tested [m]. Of larger elements r it has the share sqrt(strength_radius / r) of it, and so says tensile_strength.'),
        "axis_modulus": ('pa', 'Along x, y and z; 0 = not measured. Bars along x decide for lattices, whose rows they follow, those along x and y, in the mean, for other packings. The rest is only measured with_table. [Pa]'),
        "axis_poissons_ratio": ('', 'mean of both sides'),
        "axis_strength": ('pa', '[Pa]'),
        "bending_modulus": ('pa', "from a bar's curvature [Pa]"),
        "torsion_modulus": ('pa', 'of shear [Pa]'),
        "poissons_low": ('', 'within reach of this packing'),
        "poissons_high": ('', 'within reach of this packing'),
        "poissons_ratio_reached": ('', 'else the nearest was taken'),
        "tensile_strength_reached": ('', "else it is less, for the fracture energy's sake"),
        "shear_strength_reached": ('', 'else the nearest was taken'),
        "hardening_reached": ('', 'Within a tenth of what is asked for, or bonds do not harden because nothing is asked for: bars have a slope of about half a per cent of E in any case.'),
        "elements": ('', 'of a bar'),
        "own_bars": ('', "cut out of the body: `full` is what its bonds are, and directions those of the body's extents, the longest first"),
        "tests": ('', 'bars loaded, 0 from the cache'),
        "cached": ('', ''),
        "seconds": ('', 'wall time it took'),
        "tension": ('', ''),
        "torsion": ('', ''),
    },
    "sherd_stiffness_task": {
        "body": ('', 'borrowed'),
        "shape": ('', 'that it fills, borrowed; NULL: no prediction'),
        "bonds": ('', 'of sherd_calibration_apply, borrowed'),
        "bond_reach": ('', 'as sherd_body_def.bond_reach'),
        "youngs_modulus": ('pa', 'requested [Pa], > 0'),
        "yield_stress": ('pa', 'requested [Pa]; 0 or INFINITY: none'),
        "threads": ('', '0 = all'),
    },
    "sherd_body_stiffness_result": {
        "reason": ('', 'Why there is no prediction, static; NULL: there is one. A piece must be at least twice as long as it is wide, of an even section, and of at most 20000 elements.'),
        "axis": ('', "Along the bar, along the longer and the shorter side of its section; in the body's rest frame."),
        "tension": ('', "Young's modulus over that asked for"),
        "bending": ('', "Towards axis 1 and axis 2: moment over curvature, over that of the shape's section with the Young's modulus asked for."),
        "yield": ('pa', 'Pulled until it flows: over the yield stress asked for, and the slope of stress over plastic strain [Pa]. 0: not asked.'),
        "hardening": ('pa', 'Pulled until it flows: over the yield stress asked for, and the slope of stress over plastic strain [Pa]. 0: not asked.'),
        "thickness": ('m', "of the section's shorter side [m]"),
        "elements": ('', 'of the piece'),
    },
    "sherd_energy": {
        "kinetic": ('j', 'of elements and free rigid bodies, translation and rotation'),
        "elastic": ('j', 'stored in intact bonds'),
        "gravity": ('j', 'potential energy relative to the start'),
        "contact": ('j', 'stored in contact and friction springs'),
        "work": ('j', 'done on the system by drivers and driven obstacles'),
        "dissipated_bonds": ('j', 'by bond damping, and vibration left in what fell asleep'),
        "dissipated_fracture": ('j', 'elastic energy of bonds when they broke'),
        "dissipated_contact": ('j', 'by contact damping'),
        "dissipated_friction": ('j', 'by sliding'),
        "dissipated_integration": ('j', 'By the time integration; negative if energy was gained. From implicit steps, and from explicit ones whose loads change between the two half kicks: where bonds break, where softening bonds close and open, where steps become implicit or change their length. It closes the balance of such steps, so balance_error is that of all others.'),
        "balance_error": ('', 'Relative error of the energy balance: stored + dissipated - work - start, over the largest stored energy. It refers to the energy that velocity Verlet conserves, K - dt^2/8 sum (m |a|^2 + I |dw/dt|^2) + V, about which K + V oscillates.'),
        "max_stress_ratio": ('', 'largest stress over strength of all intact bonds'),
        "dissipated_onset": ('j', 'By contacts that begin or end within an explicit step; negative if energy was gained. 0 for a pair without other forces.'),
        "dissipated_softening": ('j', 'by softening bonds as they open (sherd/material.h)'),
        "dissipated_plastic": ('j', 'plastic work of yielding bonds'),
    },
    "sherd_fragment_input": {
        "element_count": ('', 'n'),
        "mass": ('kg', '[kg] (n)'),
        "radius": ('m', '[m] (n)'),
        "bond_count": ('', 'm'),
        "bond_i": ('', 'ends of each bond (m)'),
        "bond_j": ('', 'ends of each bond (m)'),
        "bond_broken": ('', '0 intact, else broken (m)'),
        "component": ('', 'Lowest element in the component of each element (sherd_world_components); it replaces the bonds. NULL: components are found from the bonds (n)'),
    },
    "sherd_fragment": {
        "id": ('', 'its identity'),
        "parent": ('', 'the fragment that it broke off; 0 if it existed from the start'),
        "count": ('', 'number of elements'),
        "first": ('', 'lowest element index'),
        "mass": ('kg', '[kg]'),
        "volume": ('m3', "of its elements' spheres [m^3]"),
    },
    "sherd_fragment_view": {
        "count": ('', 'number of fragments'),
        "fragments": ('', 'in order of `first` (count)'),
        "element_fragment": ('', 'fragment of each element (n)'),
        "element_slot": ('', 'index into `fragments` of each element (n)'),
        "next_id": ('', 'the id of the next new fragment'),
    },
    "sherd_fragment_motion": {
        "rest_center": ('m', 'centre of mass in the rest frame of its body [m]'),
        "pose": ('', 'x_world = R (x_rest - rest_center) + position'),
    },
    "sherd_bond_load": {
        "force": ('n', 'F [N]'),
        "moment": ('nm', 'M [N m]'),
        "normal_force": ('n', '-F.n, tension positive [N]'),
        "shear_force": ('n', 'magnitude of F across n, >= 0 [N]'),
        "bending_moment": ('nm', 'magnitude of M across n, >= 0 [N m]'),
        "twisting_moment": ('nm', '-M.n, positive if j is turned right-handed about n against i [N m]'),
        "energy": ('j', 'elastic energy, and plastic work of the present step [J]'),
        "stress_ratio": ('', "Stress over strength by the material's criterion, of the bond or of its elements [-]: at 1 the bond breaks, or softens further. 0 for bonds that never break."),
        "damage": ('', 'softening bonds: fraction of stiffness lost, 0 to 1'),
        "plastic_strain": ('', 'Yielding bonds: equivalent plastic elongation over length [-], >= 0.'),
    },
    "sherd_contact_force": {
        "i": ('', 'Elements: i is on the first side, j on the second; i < j for two elements. -1 if that side is an obstacle.'),
        "j": ('', 'Elements: i is on the first side, j on the second; i < j for two elements. -1 if that side is an obstacle.'),
        "i_obstacle": ('', 'obstacles on the two sides; -1 if that side is an element'),
        "j_obstacle": ('', 'obstacles on the two sides; -1 if that side is an element'),
        "place": ('m', 'where it acts: in the middle of the overlap [m]'),
        "normal": ('', 'unit vector towards the first side'),
        "normal_force": ('n', '>= 0 [N]'),
        "friction": ('n', 'friction force, perpendicular to the normal [N]'),
        "overlap": ('m', 'of the two surfaces [m]'),
    },
    "sherd_probe_reading": {
        "force": ('n', 'mean force [N]'),
        "torque": ('nm', "mean torque about the region's mean position or the obstacle's origin [N m]"),
        "displacement": ('m', "of the region's mean position or the obstacle's origin [m]"),
        "rotation": ('rad', "rotation vector, prescribed or the mean of the elements' [rad]"),
        "force_least": ('n', 'Smallest and largest force of a single step since then, by component, because averages smooth peaks. A step with prescribed loads at both ends counts both. While the world is divided into regions, the load of one is added to the means of the others. [N]'),
        "force_largest": ('n', 'Smallest and largest force of a single step since then, by component, because averages smooth peaks. A step with prescribed loads at both ends counts both. While the world is divided into regions, the load of one is added to the means of the others. [N]'),
        "torque_least": ('nm', 'the same of the torque [N m]'),
        "torque_largest": ('nm', 'the same of the torque [N m]'),
    },
    "sherd_run_info": {
        "name": ('', 'of the scene'),
        "scene_path": ('', 'where it was read from'),
        "scene_text": ('', 'the file as it was'),
        "variant": ('', '--variant'),
        "setting_count": ('', 'may be 0'),
        "settings": ('', 'other inputs that affect results: "path=value" as given to --set'),
        "machine": ('', 'processor, threads: for the report, not compared on resume'),
        "version": ('', 'of Sherd'),
        "simd": ('', 'that computed the start: sherd_simd_name; "" if unknown'),
        "duration": ('s', '[s]'),
        "frame_interval": ('s', '[s]'),
        "frames_planned": ('', 'with frame 0; of a run that is read as last planned'),
    },
    "sherd_run_model": {
        "element_count": ('', 'n'),
        "rest_x": ('m', "in the body's rest frame [m] (n)"),
        "rest_y": ('m', "in the body's rest frame [m] (n)"),
        "rest_z": ('m', "in the body's rest frame [m] (n)"),
        "radius": ('m', '[m] (n)'),
        "mass": ('kg', '[kg] (n)'),
        "material": ('', 'index into materials (n)'),
        "bond_count": ('', 'm: bonds, then particles of glue'),
        "bond_i": ('', '(m)'),
        "bond_j": ('', '(m)'),
        "body_count": ('', 'number of bodies'),
        "bodies": ('', 'elements of bodies are contiguous (body_count)'),
        "material_count": ('', 'number of materials'),
        "material_names": ('', '(material_count)'),
        "obstacle_count": ('', 'number of obstacles'),
        "obstacle_names": ('', '(obstacle_count)'),
        "tetras": ('', 'Meshes of bodies made of tetrahedra, NULL for others (body_count); NULL: there are none.'),
        "bond_section": ('m2', 'area [m^2]; NULL: not known, as in files of format 3 (m)'),
        "glue_count": ('', 'Of the m, how many are particles of glue between pieces of material points (sherd/glue.h): the last ones. 0 in files that do not tell.'),
        "piece": ('', 'of its body that each element belongs to; NULL: there is no glue (n)'),
    },
    "sherd_run_stats": {
        "frame": ('', 'number of the frame, from 0'),
        "time": ('s', '[s]'),
        "steps": ('', 'since the start, but those in which everything slept'),
        "time_step": ('s', '[s]'),
        "energy": ('', 'energies of the world'),
        "elements": ('', 'numbers of elements, bonds, broken bonds and fragments'),
        "bonds": ('', 'numbers of elements, bonds, broken bonds and fragments'),
        "broken_bonds": ('', 'numbers of elements, bonds, broken bonds and fragments'),
        "fragments": ('', 'numbers of elements, bonds, broken bonds and fragments'),
        "newton_iterations": ('', 'since the start; 0 for the explicit method'),
        "linear_iterations": ('', 'since the start; 0 for the explicit method'),
        "wall": ('s', '[s] of computing since the start'),
        "state_hash": ('', 'sherd_world_state_hash'),
        "momentum": ('kg_m_s', '[kg m/s]'),
        "angular_momentum": ('kg_m2_s', 'about the origin [kg m^2/s]'),
        "implicit_steps": ('', 'Since the start, as sherd_solver_counts; 0 in files that do not tell.'),
        "unsettled_steps": ('', 'Since the start, as sherd_solver_counts; 0 in files that do not tell.'),
        "torn": ('', 'pairs of material points, as sherd_world_torn_count; 0 in files that do not tell'),
    },
    "sherd_run_column": {
        "name": ('', 'as in tables, with its unit: "temperature_k"; 1 to 63 letters, digits and _'),
        "per": ('', 'what its values belong to'),
        "values": ('', 'finite or not (n or m)'),
    },
    "sherd_run_frame": {
        "index": ('', '0, 1, 2, ... without gaps'),
        "time": ('s', '[s]'),
        "x": ('m', 'position [m] (n)'),
        "y": ('m', 'position [m] (n)'),
        "z": ('m', 'position [m] (n)'),
        "qx": ('', 'orientation, unit quaternion (n)'),
        "qy": ('', 'orientation, unit quaternion (n)'),
        "qz": ('', 'orientation, unit quaternion (n)'),
        "qw": ('', 'orientation, unit quaternion (n)'),
        "vx": ('m_s', 'velocity [m/s] (n)'),
        "vy": ('m_s', 'velocity [m/s] (n)'),
        "vz": ('m_s', 'velocity [m/s] (n)'),
        "stress_ratio": ('', 'NULL when writing: all 0 (n)'),
        "element_fragment": ('', 'NULL when writing: all 0 (n)'),
        "bond_broken": ('', '0 intact, else broken; glue, too (m)'),
        "obstacles": ('', '(obstacle_count of the model)'),
        "stats": ('', 'its row of stats.csv'),
        "column_count": ('', '0 unless a model or a law adds columns; at most SHERD_RUN_MOST_COLUMNS'),
        "columns": ('', 'each name once per element and once per bond (column_count)'),
        "break_count": ('', '0 in files that do not tell'),
        "breaks": ('', 'since the frame before, as sherd_world_breaks has them (break_count)'),
        "contact_count": ('', 'number of contacts; 0 if they are not recorded'),
        "contacts": ('', 'As sherd_world_contact_forces has them (contact_count); NULL: they are not recorded.'),
    },
    "sherd_run_checkpoint": {
        "frame": ('', 'the last frame written before it; -1: none yet'),
        "state": ('', 'from sherd_world_save'),
        "state_size": ('', 'number of bytes'),
        "element_fragment": ('', 'for sherd_fragments_restore (element_count)'),
        "element_count": ('', 'number of elements'),
        "next_fragment": ('', 'id of the next new fragment'),
        "extra": ('', 'data of the caller; may be NULL'),
        "extra_size": ('', 'number of bytes'),
    },
    "sherd_run_breaks": {
        "bond_count": ('', 'number m of bonds and particles of glue'),
        "broken": ('', 'the first frame in which it is known to be broken; -1: it is not (m)'),
        "intact": ('', 'the last frame before in which it is known to be intact; -1: none (m)'),
        "frame_count": ('', 'frames examined'),
        "known": ('', 'the last frame up to which all breaks are known; -1: none'),
        "time": ('s', 'of each frame; NAN: damaged [s] (frame_count)'),
        "event_count": ('', 'number of recorded breaks; capacity of `events`'),
        "event_capacity": ('', 'number of recorded breaks; capacity of `events`'),
        "events": ('', 'in order of frames, then as sherd_world_breaks has them (event_count)'),
        "event": ('', "which one is the bond's; -1: none (m)"),
    },
    "sherd_wind": {
        "velocity": ('m_s', 'of the air far from vortices and without gusts [m/s]'),
        "drag": ('', 'coefficient, >= 0 [-]'),
        "density": ('kg_m3', 'of the air, > 0 [kg/m^3]'),
        "gust": ('m_s', 'Gusts: root of the mean square of their speed, >= 0 [m/s], and their size, > 0 [m]. They are carried along by `velocity` and are free of divergence.'),
        "gust_size": ('m', 'Gusts: root of the mean square of their speed, >= 0 [m/s], and their size, > 0 [m]. They are carried along by `velocity` and are free of divergence.'),
        "gust_seed": ('', 'another number gives other gusts'),
        "vortex": ('m_s', 'A vortex: speed around the axis at the distance `vortex_radius`, where it is largest [m/s]; 0 (default): none. With s = r / vortex_radius it is vortex s exp((1 - s^2) / 2).'),
        "vortex_radius": ('m', '[m], > 0'),
        "vortex_center": ('m', 'a point of its axis [m]'),
        "vortex_axis": ('', 'any length > 0'),
    },
    "sherd_blast": {
        "position": ('m', 'of the charge [m]'),
        "charge": ('kg', 'mass of TNT, > 0 [kg]'),
        "time": ('s', 'of the detonation, >= 0 [s]'),
    },
    "sherd_pressure": {
        "value": ('pa', '[Pa]'),
        "source": ('m', 'Only on faces that see this point, as those around a cavity see its middle, and only within `reach` of it [m]; not-a-number (default): on all faces.'),
        "reach": ('m', '> 0 [m], INFINITY (default): no limit'),
    },
    "sherd_motion_key": {
        "time": ('s', '[s], strictly increasing along the table'),
        "translation": ('m', 'from the start [m]'),
        "rotation": ('rad', 'rotation vector about the pivot, world axes [rad]'),
    },
    "sherd_motion": {
        "key_count": ('', 'number of keys, >= 0'),
        "keys": ('', 'copied when the driver or obstacle is added (key_count)'),
        "velocity": ('m_s', 'constant velocity [m/s]'),
        "angular_velocity": ('rad_s', 'about the pivot, world axes [rad/s]'),
        "pivot": ('m', 'centre of rotations, in the world at time 0 [m]'),
    },
    "sherd_region": {
        "body": ('', 'only elements of this body; null: all bodies'),
        "shape": ('', 'only elements whose centre is inside; NULL: all'),
        "pose": ('', 'of the shape in the world'),
    },
    "sherd_driver_def": {
        "cookie": ('', 'set by sherd_driver_def_default; any other value is rejected'),
        "name": ('', 'copied, may be NULL'),
        "region": ('', 'the elements that it acts on'),
        "drive": ('', 'what it prescribes, default NONE'),
        "motion": ('', 'MOTION: the prescribed motion'),
        "free_axes": ('', 'MOTION: leave translation along x, y, z free (rollers), default false. With any free axis, rotations are free too.'),
        "force": ('n', 'FORCE: total [N], multiplied by the table below'),
        "force_key_count": ('', 'length of the table of FORCE, WIND or PRESSURE, 0 (default): constant'),
        "force_times": ('s', 'Strictly increasing times [s] and factors [-] (force_key_count), linear in between and constant outside: of the force, of the velocity of the air, or of the pressure. Borrowed while the driver is added.'),
        "force_factors": ('', 'Strictly increasing times [s] and factors [-] (force_key_count), linear in between and constant outside: of the force, of the velocity of the air, or of the pressure. Borrowed while the driver is added.'),
        "wind": ('', 'WIND'),
        "blast": ('', 'BLAST'),
        "pressure": ('', 'PRESSURE'),
    },
    "sherd_obstacle_def": {
        "cookie": ('', 'set by sherd_obstacle_def_default; any other value is rejected'),
        "name": ('', 'copied, may be NULL'),
        "kind": ('', 'default FIXED'),
        "is_plane": ('', 'True: the half-space below the plane through pose.position with normal R e_z. Default false.'),
        "shape": ('', 'in its own frame; borrowed for the life of the world'),
        "pose": ('', 'at time 0'),
        "motion": ('', 'DRIVEN: its motion'),
        "density": ('kg_m3', 'FREE: [kg/m^3]; mass, centre and inertia follow from the shape'),
        "mass": ('kg', 'FREE: [kg]; > 0 overrides density'),
        "velocity": ('m_s', 'FREE: of and about the centre of mass, world axes [m/s], [rad/s]'),
        "angular_velocity": ('rad_s', 'FREE: of and about the centre of mass, world axes [m/s], [rad/s]'),
        "friction": ('', 'Coulomb coefficient, >= 0; NAN (default): that of the material in contact'),
        "restitution": ('', '[0, 1]; NAN (default): that of the material in contact'),
        "sticky": ('', 'true: material points in contact move with it; default false'),
    },
    "sherd_surface_body": {
        "shape": ('', "in the body's rest frame; borrowed. NULL: no mesh wanted (loose granules: draw their spheres instead)"),
        "first": ('', 'its elements'),
        "count": ('', 'its elements'),
        "kind": ('', 'default SOLID'),
        "tetra": ('', 'Not NULL: elements are the tetrahedra of this mesh, in its order, and their faces make the surface. NULL: `shape` decides. Borrowed.'),
        "wall_count": ('', 'Walls between its fragments, as in <sherd/fracture.h>: cut surfaces lie on these walls instead of half way between elements. Borrowed like the definition; default none.'),
        "walls": ('', '(wall_count)'),
    },
    "sherd_surface_roughness": {
        "amplitude": ('m', 'largest displacement [m], >= 0; 0 (default): smooth'),
        "size": ('m', 'Size of the largest bumps [m], at least four amplitudes; 0 (default): four amplitudes'),
        "seed": ('', 'Seed of the noise'),
    },
    "sherd_surface_method_info": {
        "word": ('', 'in scenes; NULL: there is no such method'),
        "doc": ('', 'description'),
    },
    "sherd_surface_def": {
        "cookie": ('', 'set by sherd_surface_def_default'),
        "body_count": ('', 'The undeformed model. Borrowed until the surface is destroyed.'),
        "bodies": ('', ''),
        "element_count": ('', 'n'),
        "rest_x": ('m', "rest positions in each body's own frame [m] (n)"),
        "rest_y": ('m', "rest positions in each body's own frame [m] (n)"),
        "rest_z": ('m', "rest positions in each body's own frame [m] (n)"),
        "radius": ('m', '[m] (n)'),
        "bond_count": ('', 'm'),
        "bond_i": ('', '(m)'),
        "bond_j": ('', '(m)'),
        "method": ('', 'How to mesh. default SHERD_SURFACE_AUTO'),
        "cell_size": ('', "Size of the grid's cells [mean radii]; 0 (default): 0.75 when marched and of blobs, 0.5 when cut along walls, else 1"),
        "smoothing": ('', 'Width of the Gaussian weights [mean radii]; 0 (default): 2.2 when cut, 0.9 of blobs, else 1.5'),
        "outer_edge": ('', 'When cut: length of the edges of curved outer surfaces [mean radii]; 0 (default): 1'),
        "chips": ('', 'When cut: fragments of few elements and thin ones are drawn as angular chips, cells that tile their part of the body. Default true; false rounds them.'),
        "crack_gap": ('', 'Opening drawn for cracks inside a fragment [mean radii]; 0: none, default 0.03'),
        "inner_uv_scale": ('m', 'Length that one unit of texture coordinates covers on inner faces [m], >= 0; 0 (default): the largest extent of the body.'),
        "roughness": ('', ''),
        "rigid": ('', 'Pieces have no skinning: their bones may be NULL, and vertices cannot follow elements; default false'),
        "smallest": ('', 'fragments with fewer elements get no mesh (draw spheres), default 1'),
        "threads": ('', '0 = all'),
    },
    "sherd_surface_piece": {
        "fragment": ('', 'the fragment'),
        "version": ('', 'changes exactly when the mesh does; unique over all pieces'),
        "body": ('', 'its body, from 0'),
        "element_count": ('', 'number of its elements'),
        "mesh": ('', 'closed, outward, normals and face_kind present; borrowed'),
        "bones": ('', 'Skinning, unless pieces are rigid: each vertex follows some elements of its fragment, with weights that sum to 1, some of them negative. Unused entries have weight 0 and a valid index. (vertices x SHERD_SURFACE_BONES)'),
        "weights": ('', '(vertices x SHERD_SURFACE_BONES)'),
    },
    "sherd_surface_pose": {
        "x": ('m', '[m]'),
        "y": ('m', '[m]'),
        "z": ('m', '[m]'),
        "qx": ('', 'unit quaternions'),
        "qy": ('', 'unit quaternions'),
        "qz": ('', 'unit quaternions'),
        "qw": ('', 'unit quaternions'),
    },
    "sherd_texture": {
        "kind": ('', 'PLAIN, 0: one colour'),
        "size": ('m', 'of its features [m], > 0; any for plain ones'),
        "grain": ('', "along wood's fibres and metal's brush, in the rest frame, any length; 0: x"),
        "contrast": ('', '[0, 4]: 0 plain, 1 as the real thing'),
        "seed": ('', 'of its random features'),
        "image": ('', "Takes the kind's place in colour. By the mesh's texture coordinates, or, where it has none, projected along the axes of the rest frame, `size` wide. Borrowed, may be NULL."),
    },
    "sherd_texture_look": {
        "word": ('', 'name in scenes, one line for people; static'),
        "doc": ('', 'name in scenes, one line for people; static'),
        "color": ('', '0xRRGGBB, sRGB'),
        "roughness": ('', 'of sherd_render_material'),
        "coat": ('', 'of sherd_render_material'),
        "metal": ('', '[0, 1]'),
        "share": ('', "its size, of the cube root of a body's bounding box"),
        "inner": ('', 'where it broke'),
    },
    "sherd_method_info": {
        "word": ('', 'name in scenes; NULL if there is no such method'),
        "doc": ('', 'one line for people'),
        "explicit_steps": ('', 'true if it takes steps below the stability limit T'),
        "implicit_steps": ('', 'true if it takes longer steps'),
        "even_steps": ('', 'True if all steps have one length, fixed before the first, so that steps can be counted (sherd_world_step). Other methods advance by time alone.'),
    },
    "sherd_solver_counts": {
        "explicit_steps": ('', 'their sum is sherd_world_step_count'),
        "implicit_steps": ('', 'their sum is sherd_world_step_count'),
        "newton_iterations": ('', 'in all implicit steps'),
        "linear_iterations": ('', 'in all implicit steps'),
        "rejected_steps": ('', 'steps repeated with a shorter length, or explicitly'),
        "switches": ('', 'changes between explicit and implicit steps'),
        "divisions": ('', 'of the world into regions; the steps of each region count'),
        "unsettled_steps": ('', 'Implicit steps whose friction did not converge: friction is bounded by normal forces that are updated up to twelve times, and these still changed by more than 2 % of the largest. With the algorithms of [IBDEM25]: steps whose iteration reached its bound before its tolerance.'),
        "asleep_steps": ('', 'of the explicit ones; every element slept in them, and none was stepped'),
    },
    "sherd_step_times": {
        "bonds": ('', 'loads of bonds and the motion of elements, by explicit steps'),
        "contact": ('', 'forces of contacts, by explicit steps'),
        "search": ('', 'for contacts, by explicit steps'),
        "points": ('', 'material points'),
        "implicit": ('', 'all of implicit steps'),
    },
    "sherd_split_steps": {
        "steps": ('', 'steps split, and the total number of parts'),
        "parts": ('', 'steps split, and the total number of parts'),
        "finest": ('', 'largest number of parts of one step'),
        "deepest": ('', 'Largest overlap of fast contacts over the radius of the smaller element (for obstacles, over their thickness, half of it for plates) [-]. Above 1 the springs are too soft to stop the motion with any method and step length.'),
    },
    "sherd_world_def": {
        "cookie": ('', 'set by sherd_world_def_default; any other value is rejected'),
        "gravity": ('m_s2', '[m/s^2], default (0, 0, -9.81)'),
        "threads": ('', '>= 0, 0: all of the machine (default). Results do not depend on it'),
        "time_step": ('s', '[s], 0: from the largest eigenvalue of the system (default)'),
        "time_step_safety": ('', 'Fraction of the stability limit that an automatic time step takes, (0, 1], default 0.85.'),
        "contact_skin": ('', 'search margin of contacts over the smallest radius [-], default 0.3'),
        "contacts": ('', 'false: no contact between elements or with obstacles; default true'),
        "precision": ('', 'default mixed'),
        "sleep": ('', 'Fragments with little vibration and strain and no neighbours move as rigid bodies, at almost no cost, until something approaches; debris at rest stays at rest. Default true.'),
        "method": ('', 'default explicit'),
        "time_step_in_limits": ('', 'Implicit steps: their length in stability limits T, >= 0. At most one of this and `time_step` may be set. 0: chosen by the error that `accuracy` allows (default).'),
        "accuracy": ('', 'implicit steps: relative error of displacements, (0, 1], default 0.01'),
        "scheme": ('', 'implicit steps: time integration, default auto'),
        "optimizer": ('', 'Implicit steps: what minimises their energy, default SHERD_STEP_OPTIMIZER_NEWTON.'),
        "as_printed": ('', 'With the algorithms of [IBDEM25]: formulas as printed where Sherd corrects them (docs/papers/ibdem25.md). Default false.'),
        "implicit_elements": ('', 'The auto method takes no implicit steps with more elements than this, >= 0, default 2,000,000. Their memory, up to 1.4 kB per element, is allocated before the first implicit step.'),
        "paper_fracture": ('', "Break all overstressed bonds at the end of each step, as in [IBDEM25], whatever the step's length. Bodies then seem tougher in impacts (docs/theory/physics.md 3). Default false."),
        "contact_potential": ('', 'Contact law: the potential of normal contact forces, default linear.'),
        "contact_barrier": ('', 'Width w of the contact potential `barrier` over the smallest radius [-], [0, 2]; that potential requires one. In the implicit method its energy becomes infinite when the overlap exceeds that at rest by w; in explicit steps it continues from 0.248 w with a constant slope, which fast bodies can cross. With other potentials, in the implicit method only: a barrier of this width is added to their springs. 0: none (default).'),
        "contact_stiffness": ('pa', "k_c of [RBDEM] (30) [Pa], > 0: all contacts are as stiff as those of materials with a Young's modulus of 2 k_c, k = k_c pi r between equal elements. 0: from the materials (default)."),
        "regions": ('', 'Auto method: step bodies and fragments that cannot meet for a while separately, so that an impact on one does not shorten the steps of the others. With material points, those far from the points are separate (docs/theory/material-points-bodies.md). Default true.'),
        "mass_scaling": ('', 'Mass scaling for quasi-static loads: masses are multiplied by this factor and gravity is divided by it, so weights stay. Explicit steps become sqrt(mass_scaling) times longer, waves and falls as much slower; loads that are slow compared with both give the same results (docs/theory/explicit.md). Bodies of material points are rejected. Reported masses are without the factor, kinetic energy and momenta with it. >= 1, default 1.'),
        "point_kernel": ('', 'Material points: interpolation, default cubic. Points take explicit steps on a grid with every method.'),
        "point_transfer": ('', 'material points: default AFFINE'),
        "point_contact": ('', 'Material points: contact between bodies, default SURFACES. PAIRWISE is for comparison with [MPMG], and for worlds of material points and obstacles alone, without elements and free bodies.'),
        "flip": ('', 'Material points: fraction of FLIP in the transfer, the rest is PIC, [0, 1]. NAN (default): 0.95, with APIC 0.'),
    },
    "sherd_rope_def": {
        "radius": ('m', 'of the whole rope [m], > 0'),
        "length": ('m', '[m], > 0; along z, centred; unused with a path'),
        "strands": ('', '[1, 64], default 3'),
        "plies": ('', 'yarns twisted into each strand, [1, 64], default 1; with `filled`: those outside'),
        "filled": ('', 'true: more yarns, as thick, within those of each strand, to its middle; default false'),
        "pitch": ('m', 'length of one turn of a strand [m]; < 0: left-handed; 0 (default): 10 radii'),
        "ply_pitch": ('m', 'the same of a yarn in its strand [m]; 0 (default): 10 radii of the strand, in the opposite direction'),
        "core": ('', 'true: one more straight strand in the middle, as thick as fits; default false'),
        "path_count": ('', 'number of points of `path`, >= 2, or 0 for a straight rope'),
        "path": ('m', "points that the rope's axis follows smoothly [m] (path_count); borrowed"),
    },
    "sherd_woven_def": {
        "radius": ('m', 'of a yarn [m], > 0'),
        "warp": ('', 'number of yarns, >= 2 each'),
        "weft": ('', 'number of yarns, >= 2 each'),
        "warp_distance": ('m', 'between centre lines of warp yarns [m]; 0 (default): 5 radii'),
        "weft_distance": ('m', 'between centre lines of weft yarns [m]; 0 (default): 5 radii'),
        "weave": ('', 'default PLAIN'),
        "crimp": ('', 'fraction of the waviness that the warp takes [-], [0, 1], default 0.5'),
    },
    "sherd_knitted_def": {
        "radius": ('m', 'of the yarn [m], > 0'),
        "rows": ('', 'number of loops, >= 1 each'),
        "columns": ('', 'number of loops, >= 1 each'),
        "row_distance": ('m', 'from row to row [m]; 0 (default): 7.2 radii'),
        "column_distance": ('m', 'from loop to loop [m]; 0 (default): 9 radii'),
    },
    "sherd_yarn_def": {
        "cookie": ('', 'set by sherd_yarn_def_default; any other value is rejected'),
        "kind": ('', 'default ROPE'),
        "rope": ('', 'ROPE: its parameters'),
        "woven": ('', 'WOVEN: its parameters'),
        "knitted": ('', 'KNITTED: its parameters'),
        "spacing": ('', "Distance of a yarn's elements over the yarn's diameter [-], [0.6, 1.2], default 1. Smaller distances let yarns slide more smoothly past each other and cost more."),
        "fiber_share": ('', "Fraction of a yarn's cross-section that carries load [-], (0, 1], default 1. Fibres bend separately, so a yarn is more flexible than a rod of its thickness: stretching stiffness is proportional to this fraction, bending stiffness to its square."),
        "glue": ('', 'where different yarns are bonded, default NONE'),
        "max_elements": ('', 'more elements are an error, default 50 million'),
    },
    "sherd_diagnostics": {
        "count": ('', 'errors kept'),
        "errors": ('', 'owned; where = "file:line:column key.path" (count)'),
        "dropped": ('', 'errors beyond SHERD_DIAGNOSTICS_MAX, or beyond memory'),
    },
    "sherd_scene_face": {
        "texture": ('', 'its texture'),
        "roughness": ('', '[0, 1]'),
        "coat": ('', '[0, 1]'),
        "metal": ('', '[0, 1]'),
    },
    "sherd_scene_appearance": {
        "outer": ('', 'original surface, fracture faces'),
        "inner": ('', 'original surface, fracture faces'),
        "has_texture": ('', 'the scene gives them for the outside'),
        "has_roughness": ('', 'the scene gives them for the outside'),
        "has_metal": ('', 'the scene gives them for the outside'),
        "size": ('m', "of features [m]; 0: by the body's size"),
        "contrast": ('', 'of the texture, [0, 4]'),
        "seed": ('', 'of the texture'),
        "grain": ('', "of the texture, in the rest frame, any length; 0: the material's"),
        "grains": ('m', 'diameter of those that loose elements are drawn as [m]; 0: elements are balls'),
        "image": ('', 'as given, may be NULL'),
        "picture": ('', 'what the file holds; owned by the scene'),
        "has_inner_color": ('', 'else it follows the outer one'),
        "inner_color": ('', 'sRGB'),
    },
    "sherd_scene_material": {
        "def": ('', 'def.name is the key in the file; moduli, strengths and what belongs to them are scaled'),
        "stiffness_scale": ('', 's of `def`, (0, 1], default 1: E s, strengths sqrt(s), same G_f'),
        "color": ('', 'sRGB, 0..1 each'),
        "has_color": ('', 'the scene gives it, or another texture than plain'),
        "appearance": ('', 'in pictures'),
        "opacity": ('', '(0, 1]; below 1 it is glass:'),
        "refractive_index": ('', 'of glass, [1, 4]'),
        "color_depth": ('m', "through which it has its colour [m]; 0: a body's smallest extent"),
        "calibrate": ('', "def has the solid's values, not the bonds': the world gets what calibration makes of them. Bodies then have a material each, of the same name."),
        "poissons_ratio": ('', 'as given, else 0'),
        "where": ('', '"file:line:column materials.NAME"'),
        "law_where": ('', 'of `bond_law`, NULL: not given'),
        "restitution_where": ('', 'of `restitution`, NULL: not given, or by `like`'),
    },
    "sherd_scene_seam": {
        "body": ('', 'index into bodies'),
        "where": ('', 'of the second part: "file:line:column bodies.NAME.shape.union.K"'),
        "part": ('', 'positions in the union, from 0'),
        "other": ('', 'positions in the union, from 0'),
        "at": ('m', 'where they touch, in the frame of the union [m]'),
    },
    "sherd_scene_group": {
        "name": ('', 'of the group in the file'),
        "look": ('', 'not a number: as the body'),
        "picture": ('', 'of its colour, NULL: none; owned by the scene'),
    },
    "sherd_scene_body": {
        "name": ('', 'unique among bodies'),
        "shape": ('', "in the body's rest frame; owned by the scene. NULL: made of yarns"),
        "shape_digest": ('', "of everything that makes the shape, mesh files' content included"),
        "packing": ('', 'how its shape is filled'),
        "is_yarn": ('', 'made of yarns: no shape, and `packing` does not count'),
        "yarn": ('', 'its yarns, where is_yarn'),
        "loose": ('', 'granules: no bonds'),
        "weakness": ('', "in the body's rest frame; owned by the scene"),
        "weakness_digest": ('', 'of everything that makes it'),
        "is_fractured": ('', 'of material points in pieces that are glued:'),
        "fracture": ('', 'walls and shape owned by the scene'),
        "fracture_digest": ('', 'of walls and shape'),
        "bond_reach": ('', 'largest gap bonded, as a share of the smaller radius'),
        "material": ('', 'index into materials'),
        "pose": ('', 'at time 0'),
        "velocity": ('m_s', "[m/s], [rad/s] about the body's origin"),
        "angular_velocity": ('rad_s', "[m/s], [rad/s] about the body's origin"),
        "color": ('', "sRGB; the material's unless given"),
        "has_color": ('', 'the scene gives it'),
        "group_count": ('', '0 unless the shape is one mesh, whose file says more:'),
        "groups": ('', 'what its groups look like (group_count)'),
        "where": ('', '"file:line:column bodies.NAME"'),
    },
    "sherd_scene_obstacle": {
        "def": ('', 'def.name is unique among obstacles, drivers and probes'),
        "shape_digest": ('', 'of everything that makes the shape'),
        "color": ('', 'sRGB'),
        "has_color": ('', 'the scene gives it'),
        "group_count": ('', "as a body's"),
        "groups": ('', "as a body's (group_count)"),
        "visible": ('', 'drawn in pictures'),
        "has_appearance": ('', 'the scene gives one'),
        "appearance": ('', 'where has_appearance'),
        "where": ('', '"file:line:column obstacles.NAME"'),
    },
    "sherd_scene_driver": {
        "def": ('', 'def.region.body is left null: `body` says which'),
        "shape_digest": ('', "of the region's shape"),
        "body": ('', 'index into bodies, -1 = all'),
        "where": ('', '"file:line:column drivers.NAME"'),
    },
    "sherd_scene_probe": {
        "name": ('', 'of the driver or obstacle'),
        "on_obstacle": ('', 'else on a driver'),
        "index": ('', 'into obstacles or drivers'),
    },
    "sherd_scene_range": {
        "fixed": ('', 'default false'),
        "low": ('', 'low < high'),
        "high": ('', 'low < high'),
    },
    "sherd_scene_camera_key": {
        "time": ('s', '[s]'),
        "position": ('m', '[m]'),
        "target": ('m', '[m]'),
        "fov": ('rad', "[rad]; 0: the camera's"),
        "focus": ('m', "[m]; 0: the camera's"),
    },
    "sherd_scene_camera": {
        "automatic": ('', 'frame everything; position and target are then unset'),
        "position": ('m', '[m]; of the first key, where there are keys'),
        "target": ('m', '[m]; of the first key, where there are keys'),
        "fov": ('rad', 'vertical opening angle [rad], default 35 degrees'),
        "aperture": ('m', 'diameter of the lens [m], default 0: all is sharp'),
        "focus": ('m', "distance that is sharp [m], default 0: the target's"),
        "key_count": ('', '0: at rest'),
        "keys": ('', 'times increase (key_count)'),
    },
    "sherd_scene_sky": {
        "kind": ('', 'default STUDIO'),
        "image": ('', 'path of a Radiance picture, NULL: none'),
        "rotation": ('rad', 'of the picture about z [rad]'),
        "sun_azimuth": ('rad', 'of a clear sky [rad], default 40 and 35 degrees'),
        "sun_elevation": ('rad', 'of a clear sky [rad], default 40 and 35 degrees'),
        "sun_size": ('rad', 'seen from here [rad], default 0.53 degrees'),
        "haze": ('', 'factors, default 1'),
        "brightness": ('', 'factors, default 1'),
    },
    "sherd_scene_lamp": {
        "position": ('m', '[m]'),
        "target": ('m', '[m]'),
        "width": ('m', '[m]'),
        "height": ('m', '[m]'),
        "color": ('', 'sRGB, default white'),
        "brightness": ('', 'radiance of white, default 5'),
    },
    "sherd_scene_clip": {
        "point": ('m', '[m]'),
        "normal": ('', 'default 0: nothing is left out'),
    },
    "sherd_scene_render": {
        "enabled": ('', 'default true'),
        "width": ('', '[pixels], default 1280 x 720'),
        "height": ('', '[pixels], default 1280 x 720'),
        "samples": ('', 'per pixel, default 16'),
        "quality": ('', 'default AUTO'),
        "exr": ('', 'sherd_exr_pixels: layers beside each picture, default none'),
        "video": ('', 'join the pictures to a video, default true'),
        "color_by": ('', 'what colours show, default MATERIAL'),
        "range": ('', 'of the number that colours show'),
        "legend": ('', 'of colours that show numbers, in pictures, default true'),
        "background": ('', 'sRGB, default light grey'),
        "camera": ('', 'its camera'),
        "clip": ('', 'default: nothing is cut off'),
        "sky": ('', 'the surroundings'),
        "lamp_count": ('', 'number of lamps'),
        "lamps": ('', '(lamp_count)'),
        "exposure": ('', 'factor on all light, default 1'),
        "bounces": ('', '[0, 4], default 1'),
        "shutter": ('', 'share of the time between frames that it is open, default 0: nothing blurs'),
    },
    "sherd_scene_surface": {
        "enabled": ('', 'default true'),
        "method": ('', 'default AUTO'),
        "inner_uv_scale": ('m', '[m], default 0: the largest extent of each body'),
        "cell_size": ('', '[mean radii], default 0: as suits the method'),
        "smoothing": ('', '[mean radii], default 0: as suits the method'),
        "chips": ('', 'small and thin fragments are angular, default true'),
        "crack_gap": ('', '[mean radii], 0 to 1, default 0.03'),
        "roughness": ('', 'of fracture faces'),
    },
    "sherd_scene_dust": {
        "enabled": ('', 'default false'),
        "amount": ('', 'grains of a bond that breaks, in the mean, default 12'),
        "size": ('m', "diameter of the largest, the smallest have a quarter [m]; 0 (default): a quarter of the mean radius of a body's elements"),
        "energy": ('', 'share of what a bond sets free that its grains fly off with, default 0.002'),
        "drag": ('', "of air, in what Stokes' law says; 0: none; default 1"),
        "seed": ('', ''),
    },
    "sherd_scene_debris": {
        "enabled": ('', 'default true'),
        "exponent": ('', 'D of the number N(>r) ~ r^-D of crumbs larger than r [-], default 2.5'),
        "pieces": ('', 'most crumbs of an element, 1 to 20, default 20'),
        "elements": ('', 'fragments of up to so many elements are drawn as crumbs, default 2'),
        "smallest": ('m', "smaller crumbs are dust: diameter [m]; 0 (default): a fifth of the elements'"),
        "seed": ('', 'another number gives other shapes and ways'),
    },
    "sherd_scene_output": {
        "frame_rate": ('hz', 'frames per second of simulated time [Hz], default 480'),
        "probe_rate": ('hz', 'rows of probes.csv per second of simulated time [Hz], default frame_rate'),
        "surface": ('', 'meshes of fragments'),
        "dust": ('', 'grains from breaks'),
        "debris": ('', 'crumbs in place of loose elements'),
        "stress": ('', "frames have the elements' stresses, default false"),
        "bond_loads": ('', "frames have the bonds' loads, default false"),
        "contacts": ('', "frames have the contacts' forces, default false"),
        "meshes": ('', 'bit k: a run makes files of format k (<sherd/replay.h>); default glb only'),
        "render": ('', 'pictures'),
    },
    "sherd_scene_key": {
        "key": ('', '"time_step", its place'),
        "where": ('', '"time_step", its place'),
    },
    "sherd_scene": {
        "name": ('', 'of the scene'),
        "duration": ('s', '[s], > 0'),
        "world": ('', 'threads = 0'),
        "output": ('', 'what a run writes'),
        "material_count": ('', 'numbers of materials and so on'),
        "body_count": ('', 'numbers of materials and so on'),
        "obstacle_count": ('', 'numbers of materials and so on'),
        "driver_count": ('', 'numbers of materials and so on'),
        "probe_count": ('', 'numbers of materials and so on'),
        "materials": ('', '(material_count), in the order of the file'),
        "bodies": ('', '(body_count)'),
        "obstacles": ('', '(obstacle_count)'),
        "drivers": ('', '(driver_count)'),
        "probes": ('', '(probe_count)'),
        "solver_key_count": ('', 'number of solver keys'),
        "solver_keys": ('', '(solver_key_count)'),
        "variant_count": ('', 'number of variants'),
        "variants": ('', 'names the file offers (variant_count)'),
        "note_count": ('', 'Notes for the user that are no errors: "bodies.bunny.shape.mesh.file: bunny.obj was mended: 2 holes of at most 3.1 mm closed, 14 triangles turned".'),
        "notes": ('', '(note_count)'),
        "warning_count": ('', 'The same of what may well be meant otherwise, which sherd_scene_tell_warnings tells.'),
        "warnings": ('', '(warning_count)'),
        "seam_count": ('', ''),
        "seams": ('', '(seam_count)'),
        "path": ('', 'The source of this scene: enough to load it again. as given'),
        "variant": ('', 'chosen, or NULL'),
        "override_count": ('', ''),
        "overrides": ('', '"path=value"; behind those given, what `like` stands for (override_count)'),
        "text": ('', 'complete source text (text_size), zero-terminated'),
        "text_size": ('', ''),
        "digest": ('', 'of everything that influences physics: equal digests, equal simulations. Names, colours, pictures, mesh formats and duration do not enter'),
        "storage": ('', ''),
    },
    "sherd_scene_options": {
        "variant": ('', 'apply this entry of `variants:`; NULL = none'),
        "override_count": ('', 'number of overrides'),
        "overrides": ('', '"path=value", applied after the variant (override_count)'),
    },
    "sherd_scene_calibration": {
        "material": ('', "indices into the scene's"),
        "body": ('', "indices into the scene's"),
        "def": ('', 'the task'),
        "result": ('', 'its result'),
        "bonds": ('', 'as given to the world'),
    },
    "sherd_scene_build": {
        "body_count": ('', 'number of bodies'),
        "packings": ('', 'owned; bodies of the same shape and packing share one (body_count)'),
        "packed_with": ('', 'the first body with the same packing, itself if there is none before it, -1: the packing belongs to another build (body_count)'),
        "material_ids": ('', "the world's ids of the scene's materials, bodies, obstacles and drivers"),
        "body_ids": ('', '(body_count)'),
        "body_bonds": ('', '(body_count)'),
        "obstacle_ids": ('', '(obstacle_count) of the scene'),
        "driver_ids": ('', '(driver_count of the scene)'),
        "calibration_count": ('', 'number of calibrations'),
        "calibrations": ('', '(calibration_count)'),
        "packing_wall": ('s', 'wall time of packing and of calibration [s]'),
        "calibration_wall": ('s', 'wall time of packing and of calibration [s]'),
    },
    "sherd_finding": {
        "level": ('', 'its severity'),
        "text": ('', 'one sentence or two'),
    },
    "sherd_diagnosis": {
        "count": ('', 'number of findings'),
        "findings": ('', '(count)'),
    },
    "sherd_given_columns": {
        "rest_x": ('m', "position in the body's rest frame [m] (n)"),
        "rest_y": ('m', "position in the body's rest frame [m] (n)"),
        "rest_z": ('m', "position in the body's rest frame [m] (n)"),
        "radius": ('m', '[m], [kg] (n)'),
        "mass": ('kg', '[m], [kg] (n)'),
        "material": ('', 'index into materials, from 0 (n)'),
        "bond_section": ('m2', 'cross-section area [m^2] (m)'),
    },
    "sherd_glue_particle": {
        "i": ('', 'the two points'),
        "j": ('', 'the two points'),
        "piece_i": ('', 'their pieces in the body, from 0'),
        "piece_j": ('', 'their pieces in the body, from 0'),
        "body": ('', 'the body, from 0'),
        "place": ('m', 'present position, or where it broke [m]'),
        "area": ('m2', 'area of wall that it represents, undeformed [m^2]'),
        "tensile_strength": ('pa', '[Pa], INFINITY: never breaks'),
        "shear_strength": ('pa', '[Pa], INFINITY: never breaks'),
        "threshold": ('n', '[N], INFINITY: never breaks; NAN: glue that breaks by stress. Glue with a threshold of force has infinite strengths.'),
        "traction": ('pa', 'Traction that the material of j exerts on that of i across the wall [Pa]. For intact glue it is that of the last test, at most four steps ago (0 before the first), for broken glue that at breaking. NAN for glue that never breaks or breaks by force, which is not tested.'),
        "normal_traction": ('pa', "component along the wall's normal, tension positive, and magnitude of the remainder [Pa]"),
        "shear_traction": ('pa', "component along the wall's normal, tension positive, and magnitude of the remainder [Pa]"),
        "broken": ('', 'true if it has broken'),
    },
    "sherd_color": {
        "r": ('', 'linear, 0..1 for reflectances'),
        "g": ('', 'linear, 0..1 for reflectances'),
        "b": ('', 'linear, 0..1 for reflectances'),
    },
    "sherd_render_material": {
        "outer_color": ('', 'default warm white porcelain'),
        "inner_color": ('', 'default terracotta-tinted biscuit'),
        "outer_roughness": ('', 'of the coat, (0, 1], default 0.15'),
        "inner_roughness": ('', '(0, 1], default 0.7'),
        "outer_coat": ('', 'strength of the coat, 0 matte to 1 glazed, default 1'),
        "inner_coat": ('', 'default 0.1'),
        "outer_metal": ('', 'How much of it is bare metal, [0, 1], default 0: reflects by its colour and has no base.'),
        "inner_metal": ('', 'How much of it is bare metal, [0, 1], default 0: reflects by its colour and has no base.'),
        "outer_texture": ('', 'default plain; their sizes > 0 unless plain'),
        "inner_texture": ('', 'default plain; their sizes > 0 unless plain'),
        "surface": ('', ''),
        "refractive_index": ('', 'of glass, [1, 4], default 1.5'),
        "absorption": ('', 'of glass: light falls by a factor e over 1 / absorption [1/m], default 0'),
    },
    "sherd_render_group": {
        "color": ('', 'of the base'),
        "roughness": ('', '(0, 1]'),
        "metal": ('', '[0, 1]'),
        "texture": ('', 'its size > 0 unless plain'),
    },
    "sherd_render_mesh": {
        "name": ('', 'for error messages, may be NULL'),
        "vertex_count": ('', 'n'),
        "triangle_count": ('', 'm'),
        "vertices": ('m', 'x, y, z [m] (n x 3)'),
        "triangles": ('', 'corners (m x 3)'),
        "normals": ('', 'optional, per vertex [-] (n x 3)'),
        "face_kind": ('', 'optional, sherd_face_kind: 0 outer, 1 inner (m)'),
        "colors": ('', 'optional, linear r, g, b; replaces both colours (n x 3)'),
        "outer_colors": ('', 'optional, the same of outer faces alone (n x 3)'),
        "motions": ('m', 'Optional: displacement of each vertex while the shutter is open, halfway at `vertices` [m] (n x 3).'),
        "rest": ('m', 'Optional: undeformed positions of vertices, for textures; NULL: `vertices` [m] (n x 3).'),
        "uv": ('', 'optional, texture coordinates of each corner (m x 3 x 2)'),
        "group": ('', 'optional, of each triangle, -1: none; without `colors` (m)'),
        "group_count": ('', '0 without `group`'),
        "groups": ('', '(group_count)'),
        "object_name": ('', 'in layers (<sherd/layers.h>); NULL: `name`, and none'),
        "material_name": ('', 'in layers (<sherd/layers.h>); NULL: `name`, and none'),
        "material": ('', 'sherd_render_material_default()'),
    },
    "sherd_render_spheres": {
        "name": ('', 'for error messages, may be NULL'),
        "count": ('', 'n'),
        "x": ('m', 'centres [m] (n)'),
        "y": ('m', 'centres [m] (n)'),
        "z": ('m', 'centres [m] (n)'),
        "radius": ('m', '> 0 [m] (n)'),
        "colors": ('', 'optional, linear r, g, b; replaces the colour (n x 3)'),
        "motions": ('m', "optional, as a mesh's: of the centres [m] (n x 3)"),
        "object_name": ('', "as a mesh's"),
        "material_name": ('', "as a mesh's"),
        "material": ('', 'sherd_render_material_default()'),
    },
    "sherd_render_ground": {
        "kind": ('', 'default plane'),
        "point": ('m', 'on the plane [m], default the origin'),
        "normal": ('', 'up, any length > 0, default z'),
        "color": ('', "default slate; also the backdrop's colour"),
        "roughness": ('', 'of its faint sheen, (0, 1], default 0.35'),
        "coat": ('', 'sheen, [0, 1], default 0'),
        "metal": ('', "as a material's, default 0"),
        "texture": ('', "default plain; fills the world's space"),
    },
    "sherd_camera": {
        "position": ('m', '[m]'),
        "target": ('m', 'the point that the camera looks at [m]'),
        "up": ('', 'default z'),
        "vertical_fov": ('rad', 'full angle [rad], (0, pi)'),
        "aperture": ('m', 'diameter of the lens [m], >= 0; 0: everything is sharp'),
        "focus": ('m', "distance at which things are sharp, along the view [m]; 0: the target's"),
    },
    "sherd_render_light": {
        "key_azimuth": ('rad', 'from the camera, positive to its right [rad], default -62 deg'),
        "key_elevation": ('rad', 'above the ground [rad], (0, pi/2], default 35 deg'),
        "key_angular_radius": ('rad', 'softness of shadows [rad], (0, 0.7], default 8 deg'),
        "key_irradiance": ('', 'on a surface facing the light'),
        "sky_zenith": ('', 'radiance overhead'),
        "sky_horizon": ('', 'radiance at the horizon'),
    },
    "sherd_render_lamp": {
        "position": ('m', 'of its middle [m]'),
        "target": ('m', 'what it faces [m]'),
        "width": ('m', "[m], > 0; the height's edge is as upright as can be"),
        "height": ('m', "[m], > 0; the height's edge is as upright as can be"),
        "radiance": ('', 'what it sends from each point'),
    },
    "sherd_sky_def": {
        "sun_azimuth": ('rad', 'about z from +x [rad], default 40 deg'),
        "sun_elevation": ('rad', 'above the horizon [rad], [-pi/2, pi/2], default 35 deg'),
        "sun_diameter": ('rad', 'seen from here [rad], [0.001, 1], default 0.53 deg; larger ones make shadows softer'),
        "haze": ('', 'of the usual amount, [0, 100], default 1'),
        "brightness": ('', 'factor, [0, 1e6], default 1'),
    },
    "sherd_render_clip": {
        "point": ('m', 'of the plane [m]'),
        "normal": ('', 'any length > 0, or 0: nothing is cut; default 0'),
    },
    "sherd_render_scene": {
        "cookie": ('', 'set by sherd_render_scene_default; any other value is rejected'),
        "meshes": ('', 'meshes (mesh_count)'),
        "mesh_count": ('', 'number of meshes, >= 0'),
        "spheres": ('', 'batches of spheres (sphere_batch_count)'),
        "sphere_batch_count": ('', 'number of batches, >= 0'),
        "ground": ('', 'default a slate plane through the origin'),
        "camera": ('', 'default frames the unit cube'),
        "camera_opens": ('', 'Where the camera is when the shutter opens and closes, NULL: at rest; `camera` is half way. Both are used, or none.'),
        "camera_closes": ('', 'Where the camera is when the shutter opens and closes, NULL: at rest; `camera` is half way. Both are used, or none.'),
        "light": ('', 'of the studio'),
        "environment": ('', 'NULL: the studio'),
        "lamps": ('', 'besides'),
        "lamp_count": ('', '[0, SHERD_RENDER_MOST_LAMPS]'),
        "clip": ('', 'default none'),
        "exposure": ('', 'factor on all light before tone mapping, > 0, default 1'),
        "width": ('', '[1, 16384], default 1280 x 720'),
        "height": ('', '[1, 16384], default 1280 x 720'),
        "samples_per_pixel": ('', '[1, 4096], default 16'),
        "bounces": ('', 'diffuse light from other surfaces, [0, 4], default 1'),
        "denoise": ('', 'default on'),
        "quality": ('', 'default final'),
        "threads": ('', '0 = all'),
        "seed": ('', ''),
    },
    "sherd_image": {
        "width": ('', 'size [pixels]'),
        "height": ('', 'size [pixels]'),
        "pixels": ('', 'sRGB r, g, b; rows from the top (height x width x 3)'),
    },
    "sherd_layer_ids": {
        "id": ('', 'sherd_cryptomatte_hash of the name'),
        "coverage": ('', 'Fractions of the pixel; their sum is alpha unless there are more ids.'),
    },
    "sherd_layer_pixel": {
        "r": ('', 'Radiance times exposure, backdrop included; fraction covered by anything but the backdrop.'),
        "g": ('', 'Radiance times exposure, backdrop included; fraction covered by anything but the backdrop.'),
        "b": ('', 'Radiance times exposure, backdrop included; fraction covered by anything but the backdrop.'),
        "alpha": ('', 'Radiance times exposure, backdrop included; fraction covered by anything but the backdrop.'),
        "normal": ('', 'unit, towards the camera, world axes; 0 on the backdrop'),
        "depth": ('m', 'Depth along the view of the nearest sample [m]; INFINITY on the backdrop.'),
        "object": ('', 'ids of objects and of materials'),
        "material": ('', 'ids of objects and of materials'),
    },
    "sherd_material_figures": {
        "name": ('', 'as scenes say it, "glass"'),
        "about": ('', 'which sort of it, a few words'),
        "density": ('kg_m3', '[kg/m^3]'),
        "youngs_modulus": ('pa', 'E [Pa]; of wood across its grain'),
        "poissons_ratio": ('', 'nu [-]'),
        "tensile_strength": ('pa', '[Pa]; of wood across its grain'),
        "compressive_strength": ('pa', "[Pa]: nothing takes it; brittle solids' shear strength follows from it"),
        "shear_strength": ('pa', "[Pa]: brittle solids' cohesion, half the root of tensile times compressive strength"),
        "fracture_energy": ('j_m2', 'G_f of a crack [J/m^2], or'),
        "fracture_toughness": ('pa_sqrt_m', 'K_Ic [Pa m^0.5]; at most one of the two'),
        "yield_stress": ('pa', 'sigma_y in tension [Pa]'),
        "hardening_modulus": ('pa', 'slope of the yield stress over plastic strain [Pa]'),
        "fracture_strain": ('', 'plastic strain at which it parts [-]'),
        "weibull_modulus": ('', "of strengths' scatter [-]"),
        "friction": ('', 'Coulomb coefficient on the same solid, dry [-]'),
        "restitution": ('', 'of slow impacts of the same solid [-]'),
        "bond_damping": ('', 'a numerical choice, not a figure of handbooks [-]'),
        "friction_angle": ('rad', 'of model SAND [rad]'),
        "grain_stiffening": ('', 'of wood [-]'),
        "grain_strengthening": ('', 'of wood [-]'),
        "grain_direction": ('', "in the body's rest frame"),
        "model": ('', 'BONDED; another: figures are of material points'),
        "points": ('', 'model that suits it as material points; BONDED: none'),
        "color": ('', 'sRGB, 0..1 each'),
        "opacity": ('', '(0, 1]'),
        "varies": ('', 'how much typical figures vary, a line'),
        "sources": ('', 'of the figures, a line'),
    },
    "sherd_message": {
        "level": ('', 'its importance'),
        "where": ('', 'file, body, frame; may be empty'),
        "what": ('', 'one sentence, maybe more, in lines'),
        "hint": ('', 'what to do about it; may be empty'),
    },
    "sherd_point_view": {
        "count": ('', 'n, padding included'),
        "element": ('', 'element number; -1 for padding, whose data mean nothing (n)'),
        "x": ('m', 'position [m] (n)'),
        "y": ('m', 'position [m] (n)'),
        "z": ('m', 'position [m] (n)'),
        "vx": ('m_s', 'velocity [m/s] (n)'),
        "vy": ('m_s', 'velocity [m/s] (n)'),
        "vz": ('m_s', 'velocity [m/s] (n)'),
        "b_xx": ('', 'Elastic left Cauchy-Green tensor b = F F^T, F the elastic deformation gradient, world axes [-] (n)'),
        "b_yy": ('', 'Elastic left Cauchy-Green tensor b = F F^T, F the elastic deformation gradient, world axes [-] (n)'),
        "b_zz": ('', 'Elastic left Cauchy-Green tensor b = F F^T, F the elastic deformation gradient, world axes [-] (n)'),
        "b_yz": ('', 'Elastic left Cauchy-Green tensor b = F F^T, F the elastic deformation gradient, world axes [-] (n)'),
        "b_xz": ('', 'Elastic left Cauchy-Green tensor b = F F^T, F the elastic deformation gradient, world axes [-] (n)'),
        "b_xy": ('', 'Elastic left Cauchy-Green tensor b = F F^T, F the elastic deformation gradient, world axes [-] (n)'),
        "rest_volume": ('m3', 'volume at rest [m^3] (n)'),
        "state": ('', 'State of the law [-] (n): J_p for snow; for sand the volume correction v_c, or, if negative, the trace of the strain.'),
        "piece": ('', 'piece of the point, numbered over all bodies, from 0 (n)'),
    },
    "sherd_point_state": {
        "b_xx": ('', 'elastic left Cauchy-Green tensor [-]'),
        "b_yy": ('', 'elastic left Cauchy-Green tensor [-]'),
        "b_zz": ('', 'elastic left Cauchy-Green tensor [-]'),
        "b_yz": ('', 'elastic left Cauchy-Green tensor [-]'),
        "b_xz": ('', 'elastic left Cauchy-Green tensor [-]'),
        "b_xy": ('', 'elastic left Cauchy-Green tensor [-]'),
        "rest_volume": ('m3', '[m^3]; 0: the element is not a point'),
        "state": ('', 'of the law, see sherd_point_view [-]'),
        "piece": ('', 'number of its piece, over all bodies'),
    },
    "sherd_export_format": {
        "word": ('', '"glb": of `sherd export --to`, and of output.meshes in scenes'),
        "place": ('', 'in a run folder: a file, "run.glb", or a folder of files, "vtk"'),
        "rest_place": ('', 'of undeformed meshes; NULL: there is no such choice'),
        "needs": ('', 'input that it needs'),
        "in_runs": ('', 'a run can make it: output.meshes may name it'),
        "whole": ('', 'made of all frames at once when a run has ended, not frame by frame'),
        "doc": ('', 'lines of help, each begins with two spaces and ends with a line feed'),
    },
    "sherd_replay_def": {
        "cookie": ('', 'set by sherd_replay_def_default'),
        "run": ('', 'borrowed'),
        "scene": ('', 'the one that the run was made from; NULL where formats need the run alone'),
        "folder": ('', "the run's, whose outputs.list is kept"),
        "first": ('', 'frames, both included'),
        "last": ('', 'After each frame, with the word for what is counted: "frame". May be NULL.'),
        "place": ('', "file or folder to write; NULL: the format's own in `folder`"),
        "pose": ('', 'for formats with a rest_place'),
        "foreign": ('', 'files in the way that Sherd did not write, default KEEP'),
        "threads": ('', '0 = all'),
        "max_size": ('bytes', 'of a page (html) [bytes]; 0: 60 MB'),
        "page": ('', 'of html'),
        "on_frame": ('', 'After each frame, with the word for what is counted: "frame". May be NULL.'),
        "on_message": ('', 'may be NULL'),
        "context": ('', 'of the callbacks'),
    },
    "sherd_export_result": {
        "damaged": ('', 'frames that could not be read and were left out'),
        "pieces": ('', 'formats made of all frames at once: moving or resting things in the file'),
        "left_out": ('', 'the same: loose granules beyond what such a file can hold'),
        "crumbs_left_out": ('', 'the same: crumbs (output.debris), the smallest of their elements'),
        "size": ('bytes', 'the same: of its files [bytes]'),
    },
    "sherd_step_plan": {
        "limit": ('s', 'stability limit T [s]'),
        "interval": ('s', 'of frames [s]'),
        "frames": ('', 'to compute after frame 0'),
        "samples_per_frame": ('', 'samples of probes per frame'),
        "dt": ('s', 'explicit steps only, else 0 [s]'),
        "steps_per_sample": ('', 'explicit steps only, else 0'),
    },
    "sherd_stop": {
        "requested": ('', 'not 0 after sherd_stop_request'),
    },
    "sherd_run_view": {
        "scene": ('', 'the scene'),
        "build": ('', 'packings, ids and calibrations of its world; from the stage SHERD_RUN_OPENED on without arrays of elements and bonds'),
        "world": ('', 'the world in its present state'),
        "folder": ('', "the run's folder"),
        "plan": ('', 'its frames are those of this run, which `frames` may limit'),
        "model": ('', 'From the stage SHERD_RUN_OPENED on; without reference positions where nothing that the run writes uses them.'),
        "fragments": ('', 'of the last complete frame'),
        "frame": ('', 'the last complete one; -1: none yet'),
        "resumed_at": ('', 'the same when this call began'),
        "stats": ('', 'of that frame; its time and state_hash among them'),
        "fraction": ('', 'While stepping: of the simulated time, 0 to 1'),
        "time_left": ('s', 'at the speed of this call so far [s]; -1: not known yet'),
        "stepping_wall": ('s', 'spent on steps in this call [s]'),
        "last_step_wall": ('s', 'of the last step, or the few steps, before this callback [s]'),
        "pictures_left": ('', 'After the last step: frames whose pictures are not made yet; 0 before.'),
    },
    "sherd_run_def": {
        "cookie": ('', 'set by sherd_run_def_default'),
        "scene": ('', 'borrowed; NULL: loaded from'),
        "packed": ('', 'packings of `scene` that there are already, borrowed; NULL: the run packs its bodies'),
        "scene_path": ('', 'this file, with'),
        "scene_options": ('', 'a variant and settings'),
        "folder": ('', 'default NULL: sherd_run_folder'),
        "threads": ('', 'default 0 = all'),
        "frames": ('', 'to compute after frame 0, default -1: as many as the scene says'),
        "begin": ('', 'default ANEW'),
        "foreign": ('', 'files in the folder that Sherd did not write, default KEEP'),
        "pictures": ('', 'default AS_SCENE'),
        "summary": ('', 'default MAKE'),
        "stop": ('', 'checked between steps; may be NULL'),
        "on_stage": ('', 'All may be NULL, all are called on the calling thread.'),
        "on_progress": ('', 'after a few steps, 0.1 s or one long step'),
        "on_frame": ('', 'each frame once, when it is on disk'),
        "on_message": ('', ''),
        "context": ('', ''),
    },
    "sherd_run_result": {
        "end": ('', 'how it ended'),
        "begun": ('', 'the folder was taken: an earlier run in it is gone'),
        "readable": ('', 'there is a run in the folder'),
        "frame": ('', 'the last complete one; -1: none. Written by this call: frame - resumed_at'),
        "resumed_at": ('', '-1: begun anew'),
        "steps": ('', 'since the start, also before a resumption; not those in which all slept'),
        "bonds": ('', 'and particles of glue: those are `glue_count` of them'),
        "glue_count": ('', 'number of particles of glue'),
        "broken_glue": ('', 'of stats.broken_bonds, in the last frame'),
        "cut_bonds": ('', 'of stats.broken_bonds, by the scene: broken from the start'),
        "plan": ('', 'its division into frames and steps'),
        "stats": ('', 'of the last frame'),
        "solver": ('', 'since the start'),
        "split": ('', 'since the start'),
        "mean_step": ('s', 'Mean length of implicit steps, 0 without any; stability limit at the end [s].'),
        "limit": ('s', 'Mean length of implicit steps, 0 without any; stability limit at the end [s].'),
        "wall": ('s', 'of this call [s]'),
        "pictures_wall": ('s', 'on surfaces and pictures, also beside the simulation [s]'),
        "render_wall": ('s', 'of that on pictures alone [s]'),
        "waited_wall": ('s', "of this call's, when nothing but those was made [s]"),
        "formats": ('', 'bit k: files of format k (<sherd/replay.h>) were to be made'),
        "missing_pictures": ('', 'that could not be made'),
        "warnings": ('', 'messages of this level'),
        "integration": ('', '"integration took 3 % of the largest stored energy"; "": half a per cent or less'),
        "diagnosis": ('', 'with SHERD_RUN_SUMMARY_MAKE'),
    },
    "sherd_stress": {
        "xx": ('pa', 'components [Pa]'),
        "yy": ('pa', 'components [Pa]'),
        "zz": ('pa', 'components [Pa]'),
        "xy": ('pa', 'components [Pa]'),
        "yz": ('pa', 'components [Pa]'),
        "zx": ('pa', 'components [Pa]'),
    },
    "sherd_column": {
        "name": ('', 'with its unit: "time_s"'),
        "kind": ('', 'how its cells are written'),
    },
    "sherd_cell": {
        "integer": ('', 'INTEGER, HASH'),
        "number": ('', 'NUMBER, EXACT'),
        "text": ('', 'TEXT; borrowed'),
    },
    "sherd_probe_row": {
        "frame": ('', 'frame of the sample; between two frames, the next one'),
        "time": ('s', '[s]'),
        "name": ('', 'of the driver or obstacle'),
        "kind": ('', '"driver", "probe", "obstacle"'),
        "reading": ('', 'its reading'),
    },
    "sherd_element_view": {
        "count": ('', 'n'),
        "x": ('m', 'position [m] (n)'),
        "y": ('m', 'position [m] (n)'),
        "z": ('m', 'position [m] (n)'),
        "qx": ('', 'orientation, unit quaternion [-] (n)'),
        "qy": ('', 'orientation, unit quaternion [-] (n)'),
        "qz": ('', 'orientation, unit quaternion [-] (n)'),
        "qw": ('', 'orientation, unit quaternion [-] (n)'),
        "vx": ('m_s', 'velocity [m/s] (n)'),
        "vy": ('m_s', 'velocity [m/s] (n)'),
        "vz": ('m_s', 'velocity [m/s] (n)'),
        "wx": ('rad_s', 'angular velocity, world axes [rad/s] (n)'),
        "wy": ('rad_s', 'angular velocity, world axes [rad/s] (n)'),
        "wz": ('rad_s', 'angular velocity, world axes [rad/s] (n)'),
    },
    "sherd_element_info": {
        "rest": ('m', "position in the body's rest frame [m]"),
        "radius": ('m', '[m]'),
        "mass": ('kg', '[kg]'),
        "material": ('', 'index into materials, from 0'),
        "body": ('', 'index into bodies, from 0'),
    },
    "sherd_bond_view": {
        "count": ('', 'm, broken bonds included'),
        "i": ('', 'end elements, i < j (m)'),
        "j": ('', 'end elements, i < j (m)'),
        "broken": ('', '0 intact, 1 broken (m)'),
        "broken_count": ('', 'number of broken bonds'),
    },
    "sherd_body_glue": {
        "pieces": ('', '1 without glue; 0 if the body is not of points'),
        "count": ('', 'Particles of glue, one for each pair of neighbours across a wall, and those broken.'),
        "broken": ('', 'Particles of glue, one for each pair of neighbours across a wall, and those broken.'),
        "torn": ('', 'Pairs of neighbours of one piece that once were so far apart that they shared no grid node. 0 for laws without neighbours: snow, sand, fluid.'),
        "least_energy": ('j_m2', 'Smallest fracture energy with which glue of these strengths can soften at this spacing [J/m^2]; 0 if strengths are infinite.'),
    },
    "sherd_memory_use": {
        "elements": ('bytes', 'by purpose [bytes]'),
        "bonds": ('bytes', 'by purpose [bytes]'),
        "contacts": ('bytes', 'by purpose [bytes]'),
        "implicit": ('bytes', 'workspace of implicit steps, after the first of them [bytes]'),
        "total": ('bytes', 'all together [bytes]'),
    },
    "sherd_region_info": {
        "number": ('', 'number of the region, from 0, and how many there are; 0 of 1: not divided'),
        "count": ('', 'number of the region, from 0, and how many there are; 0 of 1: not divided'),
        "elements": ('', 'elements in it, and those of them that are asleep'),
        "asleep": ('', 'elements in it, and those of them that are asleep'),
        "implicit": ('', 'true if its next step is implicit'),
        "counts": ('', 'Counts since the world was divided, including those of the region it was split off from.'),
    },
    "sherd_state_sink": {
        "take": ('', 'takes the next bytes; false: it failed, and so does saving'),
        "context": ('', 'passed to `take`'),
    },
}
