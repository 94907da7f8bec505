// Every public struct, its members and all enumerators. Written by scripts/make-python: do not edit.
// clang-format off
#pragma once

#include <sherd/assertion.h>
#include <sherd/body.h>
#include <sherd/breaks.h>
#include <sherd/calibrate.h>
#include <sherd/diagnosis.h>
#include <sherd/driver.h>
#include <sherd/energy.h>
#include <sherd/error.h>
#include <sherd/export.h>
#include <sherd/field.h>
#include <sherd/file.h>
#include <sherd/force_field.h>
#include <sherd/fracture.h>
#include <sherd/fragments.h>
#include <sherd/given_columns.h>
#include <sherd/glue.h>
#include <sherd/laws.h>
#include <sherd/layers.h>
#include <sherd/loads.h>
#include <sherd/material.h>
#include <sherd/material_library.h>
#include <sherd/mesh.h>
#include <sherd/message.h>
#include <sherd/method.h>
#include <sherd/motion.h>
#include <sherd/obstacle.h>
#include <sherd/packing.h>
#include <sherd/point_view.h>
#include <sherd/render.h>
#include <sherd/replay.h>
#include <sherd/run.h>
#include <sherd/run_file.h>
#include <sherd/scene.h>
#include <sherd/shape.h>
#include <sherd/simd.h>
#include <sherd/step_plan.h>
#include <sherd/stress.h>
#include <sherd/surface.h>
#include <sherd/table.h>
#include <sherd/tetra.h>
#include <sherd/texture.h>
#include <sherd/types.h>
#include <sherd/version.h>
#include <sherd/weakness.h>
#include <sherd/world.h>
#include <sherd/world_def.h>
#include <sherd/world_view.h>
#include <sherd/yarn.h>

#define SHERD_LAYOUT_TEXT UINT64_C(0x2f5197b856d5678f)

#define SHERD_LAYOUT_ROWS(STRUCT, MEMBER, VALUE) \
    STRUCT(sherd_error) \
    MEMBER(sherd_error, status) \
    MEMBER(sherd_error, where) \
    MEMBER(sherd_error, what) \
    MEMBER(sherd_error, hint) \
    STRUCT(sherd_range) \
    MEMBER(sherd_range, bound) \
    MEMBER(sherd_range, low) \
    MEMBER(sherd_range, high) \
    MEMBER(sherd_range, infinite) \
    MEMBER(sherd_range, zero) \
    STRUCT(sherd_word) \
    MEMBER(sherd_word, word) \
    MEMBER(sherd_word, doc) \
    STRUCT(sherd_field) \
    MEMBER(sherd_field, name) \
    MEMBER(sherd_field, key) \
    MEMBER(sherd_field, type) \
    MEMBER(sherd_field, offset) \
    MEMBER(sherd_field, quantity) \
    MEMBER(sherd_field, range) \
    MEMBER(sherd_field, initial) \
    MEMBER(sherd_field, choices) \
    MEMBER(sherd_field, choice) \
    MEMBER(sherd_field, hint) \
    MEMBER(sherd_field, flags) \
    MEMBER(sherd_field, maps) \
    MEMBER(sherd_field, digest) \
    MEMBER(sherd_field, doc) \
    MEMBER(sherd_field, values) \
    MEMBER(sherd_field, usual) \
    STRUCT(sherd_definition) \
    MEMBER(sherd_definition, name) \
    MEMBER(sherd_definition, size) \
    MEMBER(sherd_definition, fields) \
    MEMBER(sherd_definition, count) \
    STRUCT(sherd_vec2) \
    MEMBER(sherd_vec2, x) \
    MEMBER(sherd_vec2, y) \
    STRUCT(sherd_vec3) \
    MEMBER(sherd_vec3, x) \
    MEMBER(sherd_vec3, y) \
    MEMBER(sherd_vec3, z) \
    STRUCT(sherd_quat) \
    MEMBER(sherd_quat, x) \
    MEMBER(sherd_quat, y) \
    MEMBER(sherd_quat, z) \
    MEMBER(sherd_quat, w) \
    STRUCT(sherd_pose) \
    MEMBER(sherd_pose, position) \
    MEMBER(sherd_pose, rotation) \
    STRUCT(sherd_bounds) \
    MEMBER(sherd_bounds, low) \
    MEMBER(sherd_bounds, high) \
    STRUCT(sherd_material_id) \
    MEMBER(sherd_material_id, index1) \
    MEMBER(sherd_material_id, generation) \
    STRUCT(sherd_body_id) \
    MEMBER(sherd_body_id, index1) \
    MEMBER(sherd_body_id, generation) \
    STRUCT(sherd_obstacle_id) \
    MEMBER(sherd_obstacle_id, index1) \
    MEMBER(sherd_obstacle_id, generation) \
    STRUCT(sherd_driver_id) \
    MEMBER(sherd_driver_id, index1) \
    MEMBER(sherd_driver_id, generation) \
    STRUCT(sherd_mesh_material) \
    MEMBER(sherd_mesh_material, color) \
    MEMBER(sherd_mesh_material, roughness) \
    MEMBER(sherd_mesh_material, metal) \
    MEMBER(sherd_mesh_material, opacity) \
    MEMBER(sherd_mesh_material, picture) \
    STRUCT(sherd_mesh_picture) \
    MEMBER(sherd_mesh_picture, name) \
    MEMBER(sherd_mesh_picture, bytes) \
    MEMBER(sherd_mesh_picture, size) \
    STRUCT(sherd_mesh) \
    MEMBER(sherd_mesh, vertex_count) \
    MEMBER(sherd_mesh, triangle_count) \
    MEMBER(sherd_mesh, vertices) \
    MEMBER(sherd_mesh, triangles) \
    MEMBER(sherd_mesh, normals) \
    MEMBER(sherd_mesh, face_kind) \
    MEMBER(sherd_mesh, uv) \
    MEMBER(sherd_mesh, color) \
    MEMBER(sherd_mesh, group) \
    MEMBER(sherd_mesh, group_count) \
    MEMBER(sherd_mesh, group_names) \
    MEMBER(sherd_mesh, materials) \
    MEMBER(sherd_mesh, picture_count) \
    MEMBER(sherd_mesh, pictures) \
    MEMBER(sherd_mesh, note_count) \
    MEMBER(sherd_mesh, notes) \
    STRUCT(sherd_mesh_report) \
    MEMBER(sherd_mesh_report, merged_vertices) \
    MEMBER(sherd_mesh_report, degenerate_triangles) \
    MEMBER(sherd_mesh_report, duplicate_triangles) \
    MEMBER(sherd_mesh_report, flipped_triangles) \
    MEMBER(sherd_mesh_report, filled_holes) \
    MEMBER(sherd_mesh_report, widest_filled_hole) \
    MEMBER(sherd_mesh_report, boundary_edges) \
    MEMBER(sherd_mesh_report, non_manifold_edges) \
    MEMBER(sherd_mesh_report, self_intersections) \
    MEMBER(sherd_mesh_report, components) \
    MEMBER(sherd_mesh_report, volume) \
    MEMBER(sherd_mesh_report, bounds) \
    STRUCT(sherd_wrap_def) \
    MEMBER(sherd_wrap_def, edge_length) \
    MEMBER(sherd_wrap_def, thickness) \
    MEMBER(sherd_wrap_def, least_volume) \
    STRUCT(sherd_wrap_report) \
    MEMBER(sherd_wrap_report, edge_length) \
    MEMBER(sherd_wrap_report, turned_triangles) \
    MEMBER(sherd_wrap_report, inner_triangles) \
    MEMBER(sherd_wrap_report, pieces) \
    MEMBER(sherd_wrap_report, left_out) \
    MEMBER(sherd_wrap_report, volume) \
    MEMBER(sherd_wrap_report, distance) \
    MEMBER(sherd_wrap_report, farthest) \
    MEMBER(sherd_wrap_report, closed_share) \
    STRUCT(sherd_bond_law_info) \
    MEMBER(sherd_bond_law_info, word) \
    MEMBER(sherd_bond_law_info, doc) \
    MEMBER(sherd_bond_law_info, has_energy) \
    MEMBER(sherd_bond_law_info, history) \
    STRUCT(sherd_central_info) \
    MEMBER(sherd_central_info, word) \
    MEMBER(sherd_central_info, doc) \
    MEMBER(sherd_central_info, reach) \
    MEMBER(sherd_central_info, dimensions) \
    STRUCT(sherd_breakage_info) \
    MEMBER(sherd_breakage_info, word) \
    MEMBER(sherd_breakage_info, doc) \
    MEMBER(sherd_breakage_info, magnitude) \
    MEMBER(sherd_breakage_info, bending) \
    MEMBER(sherd_breakage_info, shear) \
    MEMBER(sherd_breakage_info, twisting) \
    MEMBER(sherd_breakage_info, breaks) \
    MEMBER(sherd_breakage_info, measure) \
    STRUCT(sherd_material_def) \
    MEMBER(sherd_material_def, cookie) \
    MEMBER(sherd_material_def, name) \
    MEMBER(sherd_material_def, density) \
    MEMBER(sherd_material_def, youngs_modulus) \
    MEMBER(sherd_material_def, shear_modulus) \
    MEMBER(sherd_material_def, law) \
    MEMBER(sherd_material_def, central) \
    MEMBER(sherd_material_def, reach) \
    MEMBER(sherd_material_def, shear_correction) \
    MEMBER(sherd_material_def, bond_radius) \
    MEMBER(sherd_material_def, breakage) \
    MEMBER(sherd_material_def, tensile_strength) \
    MEMBER(sherd_material_def, shear_strength) \
    MEMBER(sherd_material_def, fracture_energy) \
    MEMBER(sherd_material_def, fracture_toughness) \
    MEMBER(sherd_material_def, strict) \
    MEMBER(sherd_material_def, yield_stress) \
    MEMBER(sherd_material_def, hardening_modulus) \
    MEMBER(sherd_material_def, fracture_strain) \
    MEMBER(sherd_material_def, fracture_displacement) \
    MEMBER(sherd_material_def, separation_force) \
    MEMBER(sherd_material_def, rate_time) \
    MEMBER(sherd_material_def, rate_exponent) \
    MEMBER(sherd_material_def, weibull_modulus) \
    MEMBER(sherd_material_def, bond_damping) \
    MEMBER(sherd_material_def, restitution) \
    MEMBER(sherd_material_def, friction) \
    MEMBER(sherd_material_def, rolling_friction) \
    MEMBER(sherd_material_def, grain_stiffening) \
    MEMBER(sherd_material_def, grain_strengthening) \
    MEMBER(sherd_material_def, grain_direction) \
    MEMBER(sherd_material_def, seed) \
    MEMBER(sherd_material_def, model) \
    MEMBER(sherd_material_def, friction_angle) \
    MEMBER(sherd_material_def, friction_cone) \
    MEMBER(sherd_material_def, critical_compression) \
    MEMBER(sherd_material_def, critical_extension) \
    MEMBER(sherd_material_def, hardening) \
    MEMBER(sherd_material_def, bulk_modulus) \
    MEMBER(sherd_material_def, fluid_exponent) \
    MEMBER(sherd_material_def, damage_length) \
    MEMBER(sherd_material_def, damage_time) \
    MEMBER(sherd_material_def, residual_stiffness) \
    MEMBER(sherd_material_def, cohesion) \
    MEMBER(sherd_material_def, compaction_hardening) \
    MEMBER(sherd_material_def, initial_compaction) \
    STRUCT(sherd_bond_scale) \
    MEMBER(sherd_bond_scale, stiffness) \
    MEMBER(sherd_bond_scale, strength) \
    STRUCT(sherd_cut_face) \
    MEMBER(sherd_cut_face, cut) \
    MEMBER(sherd_cut_face, distance) \
    MEMBER(sherd_cut_face, beyond) \
    MEMBER(sherd_cut_face, normal) \
    STRUCT(sherd_weakness_def) \
    MEMBER(sherd_weakness_def, cookie) \
    MEMBER(sherd_weakness_def, kind) \
    MEMBER(sherd_weakness_def, strength) \
    MEMBER(sherd_weakness_def, stiffness) \
    MEMBER(sherd_weakness_def, seed) \
    MEMBER(sherd_weakness_def, size) \
    MEMBER(sherd_weakness_def, octaves) \
    MEMBER(sherd_weakness_def, share) \
    MEMBER(sherd_weakness_def, contrast) \
    MEMBER(sherd_weakness_def, stretch) \
    MEMBER(sherd_weakness_def, irregularity) \
    MEMBER(sherd_weakness_def, warp) \
    MEMBER(sherd_weakness_def, wall) \
    MEMBER(sherd_weakness_def, mesh) \
    MEMBER(sherd_weakness_def, channel) \
    MEMBER(sherd_weakness_def, invert) \
    MEMBER(sherd_weakness_def, depth) \
    MEMBER(sherd_weakness_def, point_count) \
    MEMBER(sherd_weakness_def, points) \
    MEMBER(sherd_weakness_def, along) \
    MEMBER(sherd_weakness_def, radius) \
    MEMBER(sherd_weakness_def, falloff) \
    MEMBER(sherd_weakness_def, cut) \
    MEMBER(sherd_weakness_def, point) \
    MEMBER(sherd_weakness_def, normal) \
    MEMBER(sherd_weakness_def, shape) \
    STRUCT(sherd_weakness_list) \
    MEMBER(sherd_weakness_list, count) \
    MEMBER(sherd_weakness_list, items) \
    STRUCT(sherd_fracture_def) \
    MEMBER(sherd_fracture_def, cookie) \
    MEMBER(sherd_fracture_def, wall_count) \
    MEMBER(sherd_fracture_def, walls) \
    MEMBER(sherd_fracture_def, criterion) \
    MEMBER(sherd_fracture_def, tensile_strength) \
    MEMBER(sherd_fracture_def, shear_strength) \
    MEMBER(sherd_fracture_def, threshold) \
    MEMBER(sherd_fracture_def, fracture_energy) \
    MEMBER(sherd_fracture_def, scatter) \
    MEMBER(sherd_fracture_def, seed) \
    MEMBER(sherd_fracture_def, glued) \
    STRUCT(sherd_tetra_mesh) \
    MEMBER(sherd_tetra_mesh, vertex_count) \
    MEMBER(sherd_tetra_mesh, tetra_count) \
    MEMBER(sherd_tetra_mesh, vertices) \
    MEMBER(sherd_tetra_mesh, tetras) \
    STRUCT(sherd_tetra_quality) \
    MEMBER(sherd_tetra_quality, angle_min) \
    MEMBER(sherd_tetra_quality, angle_max) \
    MEMBER(sherd_tetra_quality, quality_min) \
    MEMBER(sherd_tetra_quality, quality_mean) \
    MEMBER(sherd_tetra_quality, edge_min) \
    MEMBER(sherd_tetra_quality, edge_mean) \
    MEMBER(sherd_tetra_quality, edge_max) \
    MEMBER(sherd_tetra_quality, slivers) \
    STRUCT(sherd_tetra_lattice_def) \
    MEMBER(sherd_tetra_lattice_def, cookie) \
    MEMBER(sherd_tetra_lattice_def, size) \
    MEMBER(sherd_tetra_lattice_def, jitter) \
    MEMBER(sherd_tetra_lattice_def, seed) \
    MEMBER(sherd_tetra_lattice_def, quality) \
    MEMBER(sherd_tetra_lattice_def, max_tetrahedra) \
    MEMBER(sherd_tetra_lattice_def, threads) \
    STRUCT(sherd_tetra_report) \
    MEMBER(sherd_tetra_report, other_elements) \
    MEMBER(sherd_tetra_report, turned) \
    MEMBER(sherd_tetra_report, flat) \
    MEMBER(sherd_tetra_report, unused) \
    MEMBER(sherd_tetra_report, groups) \
    MEMBER(sherd_tetra_report, group_names) \
    STRUCT(sherd_body_def) \
    MEMBER(sherd_body_def, cookie) \
    MEMBER(sherd_body_def, name) \
    MEMBER(sherd_body_def, count) \
    MEMBER(sherd_body_def, x) \
    MEMBER(sherd_body_def, y) \
    MEMBER(sherd_body_def, z) \
    MEMBER(sherd_body_def, radius) \
    MEMBER(sherd_body_def, material) \
    MEMBER(sherd_body_def, bonding) \
    MEMBER(sherd_body_def, bond_reach) \
    MEMBER(sherd_body_def, bond_count) \
    MEMBER(sherd_body_def, bond_i) \
    MEMBER(sherd_body_def, bond_j) \
    MEMBER(sherd_body_def, bond_section) \
    MEMBER(sherd_body_def, bond_factor) \
    MEMBER(sherd_body_def, volume) \
    MEMBER(sherd_body_def, solid_fraction) \
    MEMBER(sherd_body_def, cell_fraction) \
    MEMBER(sherd_body_def, point_spacing) \
    MEMBER(sherd_body_def, tetra) \
    MEMBER(sherd_body_def, shape) \
    MEMBER(sherd_body_def, fracture) \
    MEMBER(sherd_body_def, bond_scale) \
    MEMBER(sherd_body_def, bond_scale_context) \
    MEMBER(sherd_body_def, cut_faces) \
    MEMBER(sherd_body_def, cut_faces_context) \
    MEMBER(sherd_body_def, pose) \
    MEMBER(sherd_body_def, velocity) \
    MEMBER(sherd_body_def, angular_velocity) \
    STRUCT(sherd_body_info) \
    MEMBER(sherd_body_info, name) \
    MEMBER(sherd_body_info, first) \
    MEMBER(sherd_body_info, count) \
    MEMBER(sherd_body_info, material) \
    STRUCT(sherd_body_bonds) \
    MEMBER(sherd_body_bonds, count) \
    MEMBER(sherd_body_bonds, weakened) \
    MEMBER(sherd_body_bonds, strengthened) \
    MEMBER(sherd_body_bonds, softened) \
    MEMBER(sherd_body_bonds, stiffened) \
    MEMBER(sherd_body_bonds, broken) \
    MEMBER(sherd_body_bonds, least_strength) \
    MEMBER(sherd_body_bonds, largest_strength) \
    MEMBER(sherd_body_bonds, least_stiffness) \
    MEMBER(sherd_body_bonds, largest_stiffness) \
    MEMBER(sherd_body_bonds, cells) \
    MEMBER(sherd_body_bonds, walls) \
    MEMBER(sherd_body_bonds, reduced) \
    MEMBER(sherd_body_bonds, least_reduction) \
    MEMBER(sherd_body_bonds, unreduced_radius) \
    MEMBER(sherd_body_bonds, pieces) \
    MEMBER(sherd_body_bonds, apart) \
    STRUCT(sherd_break) \
    MEMBER(sherd_break, bond) \
    MEMBER(sherd_break, time) \
    MEMBER(sherd_break, place) \
    MEMBER(sherd_break, energy) \
    MEMBER(sherd_break, i) \
    MEMBER(sherd_break, j) \
    MEMBER(sherd_break, body) \
    MEMBER(sherd_break, mode) \
    MEMBER(sherd_break, piece_i) \
    MEMBER(sherd_break, piece_j) \
    STRUCT(sherd_packing_tetra) \
    MEMBER(sherd_packing_tetra, size) \
    MEMBER(sherd_packing_tetra, model) \
    MEMBER(sherd_packing_tetra, generator) \
    MEMBER(sherd_packing_tetra, jitter) \
    MEMBER(sherd_packing_tetra, quality) \
    MEMBER(sherd_packing_tetra, time_limit) \
    MEMBER(sherd_packing_tetra, mesh_file) \
    MEMBER(sherd_packing_tetra, mesh_scale) \
    STRUCT(sherd_packing_def) \
    MEMBER(sherd_packing_def, cookie) \
    MEMBER(sherd_packing_def, kind) \
    MEMBER(sherd_packing_def, radius) \
    MEMBER(sherd_packing_def, spacing) \
    MEMBER(sherd_packing_def, radius_tolerance) \
    MEMBER(sherd_packing_def, layers) \
    MEMBER(sherd_packing_def, orientation) \
    MEMBER(sherd_packing_def, angle) \
    MEMBER(sherd_packing_def, jitter) \
    MEMBER(sherd_packing_def, seed) \
    MEMBER(sherd_packing_def, size_low) \
    MEMBER(sherd_packing_def, size_high) \
    MEMBER(sherd_packing_def, sizes) \
    MEMBER(sherd_packing_def, bond_range) \
    MEMBER(sherd_packing_def, max_elements) \
    MEMBER(sherd_packing_def, threads) \
    MEMBER(sherd_packing_def, tetra) \
    STRUCT(sherd_packing) \
    MEMBER(sherd_packing, count) \
    MEMBER(sherd_packing, x) \
    MEMBER(sherd_packing, y) \
    MEMBER(sherd_packing, z) \
    MEMBER(sherd_packing, radius) \
    MEMBER(sherd_packing, shape_volume) \
    MEMBER(sherd_packing, element_volume) \
    MEMBER(sherd_packing, solid_fraction) \
    MEMBER(sherd_packing, cell_volume_match) \
    MEMBER(sherd_packing, surface_gap_mean) \
    MEMBER(sherd_packing, surface_gap_max) \
    MEMBER(sherd_packing, face_gap) \
    MEMBER(sherd_packing, face_normal) \
    MEMBER(sherd_packing, lattice_radius) \
    MEMBER(sherd_packing, layers) \
    MEMBER(sherd_packing, radius_least) \
    MEMBER(sherd_packing, radius_most) \
    MEMBER(sherd_packing, size_count) \
    MEMBER(sherd_packing, bonds_per_element) \
    MEMBER(sherd_packing, bridges) \
    MEMBER(sherd_packing, left_out) \
    MEMBER(sherd_packing, parts) \
    MEMBER(sherd_packing, volume) \
    MEMBER(sherd_packing, bond_count) \
    MEMBER(sherd_packing, bond_i) \
    MEMBER(sherd_packing, bond_j) \
    MEMBER(sherd_packing, bond_section) \
    MEMBER(sherd_packing, tetra) \
    MEMBER(sherd_packing, tetra_quality) \
    MEMBER(sherd_packing, weakened_bonds) \
    MEMBER(sherd_packing, bond_factor) \
    STRUCT(sherd_calibration_def) \
    MEMBER(sherd_calibration_def, cookie) \
    MEMBER(sherd_calibration_def, packing) \
    MEMBER(sherd_calibration_def, layers) \
    MEMBER(sherd_calibration_def, bond_reach) \
    MEMBER(sherd_calibration_def, youngs_modulus) \
    MEMBER(sherd_calibration_def, poissons_ratio) \
    MEMBER(sherd_calibration_def, law) \
    MEMBER(sherd_calibration_def, shear_correction) \
    MEMBER(sherd_calibration_def, bond_radius) \
    MEMBER(sherd_calibration_def, breakage) \
    MEMBER(sherd_calibration_def, tensile_strength) \
    MEMBER(sherd_calibration_def, shear_strength) \
    MEMBER(sherd_calibration_def, weibull_modulus) \
    MEMBER(sherd_calibration_def, yield_stress) \
    MEMBER(sherd_calibration_def, hardening_modulus) \
    MEMBER(sherd_calibration_def, fracture_energy) \
    MEMBER(sherd_calibration_def, body) \
    MEMBER(sherd_calibration_def, bar_width) \
    MEMBER(sherd_calibration_def, with_table) \
    MEMBER(sherd_calibration_def, cache_folder) \
    MEMBER(sherd_calibration_def, threads) \
    STRUCT(sherd_calibration_curve) \
    MEMBER(sherd_calibration_curve, count) \
    MEMBER(sherd_calibration_curve, strain) \
    MEMBER(sherd_calibration_curve, stress) \
    STRUCT(sherd_calibration_bonds) \
    MEMBER(sherd_calibration_bonds, youngs_modulus) \
    MEMBER(sherd_calibration_bonds, shear_modulus) \
    MEMBER(sherd_calibration_bonds, tensile_strength) \
    MEMBER(sherd_calibration_bonds, shear_strength) \
    MEMBER(sherd_calibration_bonds, yield_stress) \
    MEMBER(sherd_calibration_bonds, hardening_modulus) \
    MEMBER(sherd_calibration_bonds, fracture_energy) \
    STRUCT(sherd_calibration) \
    MEMBER(sherd_calibration, full) \
    MEMBER(sherd_calibration, bar_stiffness) \
    MEMBER(sherd_calibration, bar) \
    MEMBER(sherd_calibration, guess) \
    MEMBER(sherd_calibration, youngs_modulus) \
    MEMBER(sherd_calibration, poissons_ratio) \
    MEMBER(sherd_calibration, tensile_strength) \
    MEMBER(sherd_calibration, shear_strength) \
    MEMBER(sherd_calibration, guess_youngs_modulus) \
    MEMBER(sherd_calibration, guess_poissons_ratio) \
    MEMBER(sherd_calibration, yield_stress) \
    MEMBER(sherd_calibration, hardening_modulus) \
    MEMBER(sherd_calibration, fracture_energy) \
    MEMBER(sherd_calibration, guess_fracture_energy) \
    MEMBER(sherd_calibration, fracture_radius) \
    MEMBER(sherd_calibration, stretched_strength) \
    MEMBER(sherd_calibration, pressed_strength) \
    MEMBER(sherd_calibration, strength_radius) \
    MEMBER(sherd_calibration, axis_modulus) \
    MEMBER(sherd_calibration, axis_poissons_ratio) \
    MEMBER(sherd_calibration, axis_strength) \
    MEMBER(sherd_calibration, bending_modulus) \
    MEMBER(sherd_calibration, torsion_modulus) \
    MEMBER(sherd_calibration, poissons_low) \
    MEMBER(sherd_calibration, poissons_high) \
    MEMBER(sherd_calibration, poissons_ratio_reached) \
    MEMBER(sherd_calibration, tensile_strength_reached) \
    MEMBER(sherd_calibration, shear_strength_reached) \
    MEMBER(sherd_calibration, hardening_reached) \
    MEMBER(sherd_calibration, elements) \
    MEMBER(sherd_calibration, own_bars) \
    MEMBER(sherd_calibration, tests) \
    MEMBER(sherd_calibration, cached) \
    MEMBER(sherd_calibration, seconds) \
    MEMBER(sherd_calibration, tension) \
    MEMBER(sherd_calibration, torsion) \
    STRUCT(sherd_stiffness_task) \
    MEMBER(sherd_stiffness_task, body) \
    MEMBER(sherd_stiffness_task, shape) \
    MEMBER(sherd_stiffness_task, bonds) \
    MEMBER(sherd_stiffness_task, bond_reach) \
    MEMBER(sherd_stiffness_task, youngs_modulus) \
    MEMBER(sherd_stiffness_task, yield_stress) \
    MEMBER(sherd_stiffness_task, threads) \
    STRUCT(sherd_body_stiffness_result) \
    MEMBER(sherd_body_stiffness_result, reason) \
    MEMBER(sherd_body_stiffness_result, axis) \
    MEMBER(sherd_body_stiffness_result, tension) \
    MEMBER(sherd_body_stiffness_result, bending) \
    MEMBER(sherd_body_stiffness_result, yield) \
    MEMBER(sherd_body_stiffness_result, hardening) \
    MEMBER(sherd_body_stiffness_result, thickness) \
    MEMBER(sherd_body_stiffness_result, elements) \
    STRUCT(sherd_energy) \
    MEMBER(sherd_energy, kinetic) \
    MEMBER(sherd_energy, elastic) \
    MEMBER(sherd_energy, gravity) \
    MEMBER(sherd_energy, contact) \
    MEMBER(sherd_energy, work) \
    MEMBER(sherd_energy, dissipated_bonds) \
    MEMBER(sherd_energy, dissipated_fracture) \
    MEMBER(sherd_energy, dissipated_contact) \
    MEMBER(sherd_energy, dissipated_friction) \
    MEMBER(sherd_energy, dissipated_integration) \
    MEMBER(sherd_energy, balance_error) \
    MEMBER(sherd_energy, max_stress_ratio) \
    MEMBER(sherd_energy, dissipated_onset) \
    MEMBER(sherd_energy, dissipated_softening) \
    MEMBER(sherd_energy, dissipated_plastic) \
    STRUCT(sherd_fragment_input) \
    MEMBER(sherd_fragment_input, element_count) \
    MEMBER(sherd_fragment_input, mass) \
    MEMBER(sherd_fragment_input, radius) \
    MEMBER(sherd_fragment_input, bond_count) \
    MEMBER(sherd_fragment_input, bond_i) \
    MEMBER(sherd_fragment_input, bond_j) \
    MEMBER(sherd_fragment_input, bond_broken) \
    MEMBER(sherd_fragment_input, component) \
    STRUCT(sherd_fragment) \
    MEMBER(sherd_fragment, id) \
    MEMBER(sherd_fragment, parent) \
    MEMBER(sherd_fragment, count) \
    MEMBER(sherd_fragment, first) \
    MEMBER(sherd_fragment, mass) \
    MEMBER(sherd_fragment, volume) \
    STRUCT(sherd_fragment_view) \
    MEMBER(sherd_fragment_view, count) \
    MEMBER(sherd_fragment_view, fragments) \
    MEMBER(sherd_fragment_view, element_fragment) \
    MEMBER(sherd_fragment_view, element_slot) \
    MEMBER(sherd_fragment_view, next_id) \
    STRUCT(sherd_fragment_motion) \
    MEMBER(sherd_fragment_motion, rest_center) \
    MEMBER(sherd_fragment_motion, pose) \
    STRUCT(sherd_bond_load) \
    MEMBER(sherd_bond_load, force) \
    MEMBER(sherd_bond_load, moment) \
    MEMBER(sherd_bond_load, normal_force) \
    MEMBER(sherd_bond_load, shear_force) \
    MEMBER(sherd_bond_load, bending_moment) \
    MEMBER(sherd_bond_load, twisting_moment) \
    MEMBER(sherd_bond_load, energy) \
    MEMBER(sherd_bond_load, stress_ratio) \
    MEMBER(sherd_bond_load, damage) \
    MEMBER(sherd_bond_load, plastic_strain) \
    STRUCT(sherd_contact_force) \
    MEMBER(sherd_contact_force, i) \
    MEMBER(sherd_contact_force, j) \
    MEMBER(sherd_contact_force, i_obstacle) \
    MEMBER(sherd_contact_force, j_obstacle) \
    MEMBER(sherd_contact_force, place) \
    MEMBER(sherd_contact_force, normal) \
    MEMBER(sherd_contact_force, normal_force) \
    MEMBER(sherd_contact_force, friction) \
    MEMBER(sherd_contact_force, overlap) \
    STRUCT(sherd_probe_reading) \
    MEMBER(sherd_probe_reading, force) \
    MEMBER(sherd_probe_reading, torque) \
    MEMBER(sherd_probe_reading, displacement) \
    MEMBER(sherd_probe_reading, rotation) \
    MEMBER(sherd_probe_reading, force_least) \
    MEMBER(sherd_probe_reading, force_largest) \
    MEMBER(sherd_probe_reading, torque_least) \
    MEMBER(sherd_probe_reading, torque_largest) \
    STRUCT(sherd_run_info) \
    MEMBER(sherd_run_info, name) \
    MEMBER(sherd_run_info, scene_path) \
    MEMBER(sherd_run_info, scene_text) \
    MEMBER(sherd_run_info, variant) \
    MEMBER(sherd_run_info, setting_count) \
    MEMBER(sherd_run_info, settings) \
    MEMBER(sherd_run_info, machine) \
    MEMBER(sherd_run_info, version) \
    MEMBER(sherd_run_info, simd) \
    MEMBER(sherd_run_info, duration) \
    MEMBER(sherd_run_info, frame_interval) \
    MEMBER(sherd_run_info, frames_planned) \
    STRUCT(sherd_run_model) \
    MEMBER(sherd_run_model, element_count) \
    MEMBER(sherd_run_model, rest_x) \
    MEMBER(sherd_run_model, rest_y) \
    MEMBER(sherd_run_model, rest_z) \
    MEMBER(sherd_run_model, radius) \
    MEMBER(sherd_run_model, mass) \
    MEMBER(sherd_run_model, material) \
    MEMBER(sherd_run_model, bond_count) \
    MEMBER(sherd_run_model, bond_i) \
    MEMBER(sherd_run_model, bond_j) \
    MEMBER(sherd_run_model, body_count) \
    MEMBER(sherd_run_model, bodies) \
    MEMBER(sherd_run_model, material_count) \
    MEMBER(sherd_run_model, material_names) \
    MEMBER(sherd_run_model, obstacle_count) \
    MEMBER(sherd_run_model, obstacle_names) \
    MEMBER(sherd_run_model, tetras) \
    MEMBER(sherd_run_model, bond_section) \
    MEMBER(sherd_run_model, glue_count) \
    MEMBER(sherd_run_model, piece) \
    STRUCT(sherd_run_stats) \
    MEMBER(sherd_run_stats, frame) \
    MEMBER(sherd_run_stats, time) \
    MEMBER(sherd_run_stats, steps) \
    MEMBER(sherd_run_stats, time_step) \
    MEMBER(sherd_run_stats, energy) \
    MEMBER(sherd_run_stats, elements) \
    MEMBER(sherd_run_stats, bonds) \
    MEMBER(sherd_run_stats, broken_bonds) \
    MEMBER(sherd_run_stats, fragments) \
    MEMBER(sherd_run_stats, newton_iterations) \
    MEMBER(sherd_run_stats, linear_iterations) \
    MEMBER(sherd_run_stats, wall) \
    MEMBER(sherd_run_stats, state_hash) \
    MEMBER(sherd_run_stats, momentum) \
    MEMBER(sherd_run_stats, angular_momentum) \
    MEMBER(sherd_run_stats, implicit_steps) \
    MEMBER(sherd_run_stats, unsettled_steps) \
    MEMBER(sherd_run_stats, torn) \
    STRUCT(sherd_run_column) \
    MEMBER(sherd_run_column, name) \
    MEMBER(sherd_run_column, per) \
    MEMBER(sherd_run_column, values) \
    STRUCT(sherd_run_frame) \
    MEMBER(sherd_run_frame, index) \
    MEMBER(sherd_run_frame, time) \
    MEMBER(sherd_run_frame, x) \
    MEMBER(sherd_run_frame, y) \
    MEMBER(sherd_run_frame, z) \
    MEMBER(sherd_run_frame, qx) \
    MEMBER(sherd_run_frame, qy) \
    MEMBER(sherd_run_frame, qz) \
    MEMBER(sherd_run_frame, qw) \
    MEMBER(sherd_run_frame, vx) \
    MEMBER(sherd_run_frame, vy) \
    MEMBER(sherd_run_frame, vz) \
    MEMBER(sherd_run_frame, stress_ratio) \
    MEMBER(sherd_run_frame, element_fragment) \
    MEMBER(sherd_run_frame, bond_broken) \
    MEMBER(sherd_run_frame, obstacles) \
    MEMBER(sherd_run_frame, stats) \
    MEMBER(sherd_run_frame, column_count) \
    MEMBER(sherd_run_frame, columns) \
    MEMBER(sherd_run_frame, break_count) \
    MEMBER(sherd_run_frame, breaks) \
    MEMBER(sherd_run_frame, contact_count) \
    MEMBER(sherd_run_frame, contacts) \
    STRUCT(sherd_run_checkpoint) \
    MEMBER(sherd_run_checkpoint, frame) \
    MEMBER(sherd_run_checkpoint, state) \
    MEMBER(sherd_run_checkpoint, state_size) \
    MEMBER(sherd_run_checkpoint, element_fragment) \
    MEMBER(sherd_run_checkpoint, element_count) \
    MEMBER(sherd_run_checkpoint, next_fragment) \
    MEMBER(sherd_run_checkpoint, extra) \
    MEMBER(sherd_run_checkpoint, extra_size) \
    STRUCT(sherd_run_breaks) \
    MEMBER(sherd_run_breaks, bond_count) \
    MEMBER(sherd_run_breaks, broken) \
    MEMBER(sherd_run_breaks, intact) \
    MEMBER(sherd_run_breaks, frame_count) \
    MEMBER(sherd_run_breaks, known) \
    MEMBER(sherd_run_breaks, time) \
    MEMBER(sherd_run_breaks, event_count) \
    MEMBER(sherd_run_breaks, event_capacity) \
    MEMBER(sherd_run_breaks, events) \
    MEMBER(sherd_run_breaks, event) \
    STRUCT(sherd_wind) \
    MEMBER(sherd_wind, velocity) \
    MEMBER(sherd_wind, drag) \
    MEMBER(sherd_wind, density) \
    MEMBER(sherd_wind, gust) \
    MEMBER(sherd_wind, gust_size) \
    MEMBER(sherd_wind, gust_seed) \
    MEMBER(sherd_wind, vortex) \
    MEMBER(sherd_wind, vortex_radius) \
    MEMBER(sherd_wind, vortex_center) \
    MEMBER(sherd_wind, vortex_axis) \
    STRUCT(sherd_blast) \
    MEMBER(sherd_blast, position) \
    MEMBER(sherd_blast, charge) \
    MEMBER(sherd_blast, time) \
    STRUCT(sherd_pressure) \
    MEMBER(sherd_pressure, value) \
    MEMBER(sherd_pressure, source) \
    MEMBER(sherd_pressure, reach) \
    STRUCT(sherd_motion_key) \
    MEMBER(sherd_motion_key, time) \
    MEMBER(sherd_motion_key, translation) \
    MEMBER(sherd_motion_key, rotation) \
    STRUCT(sherd_motion) \
    MEMBER(sherd_motion, key_count) \
    MEMBER(sherd_motion, keys) \
    MEMBER(sherd_motion, velocity) \
    MEMBER(sherd_motion, angular_velocity) \
    MEMBER(sherd_motion, pivot) \
    STRUCT(sherd_region) \
    MEMBER(sherd_region, body) \
    MEMBER(sherd_region, shape) \
    MEMBER(sherd_region, pose) \
    STRUCT(sherd_driver_def) \
    MEMBER(sherd_driver_def, cookie) \
    MEMBER(sherd_driver_def, name) \
    MEMBER(sherd_driver_def, region) \
    MEMBER(sherd_driver_def, drive) \
    MEMBER(sherd_driver_def, motion) \
    MEMBER(sherd_driver_def, free_axes) \
    MEMBER(sherd_driver_def, force) \
    MEMBER(sherd_driver_def, force_key_count) \
    MEMBER(sherd_driver_def, force_times) \
    MEMBER(sherd_driver_def, force_factors) \
    MEMBER(sherd_driver_def, wind) \
    MEMBER(sherd_driver_def, blast) \
    MEMBER(sherd_driver_def, pressure) \
    STRUCT(sherd_obstacle_def) \
    MEMBER(sherd_obstacle_def, cookie) \
    MEMBER(sherd_obstacle_def, name) \
    MEMBER(sherd_obstacle_def, kind) \
    MEMBER(sherd_obstacle_def, is_plane) \
    MEMBER(sherd_obstacle_def, shape) \
    MEMBER(sherd_obstacle_def, pose) \
    MEMBER(sherd_obstacle_def, motion) \
    MEMBER(sherd_obstacle_def, density) \
    MEMBER(sherd_obstacle_def, mass) \
    MEMBER(sherd_obstacle_def, velocity) \
    MEMBER(sherd_obstacle_def, angular_velocity) \
    MEMBER(sherd_obstacle_def, friction) \
    MEMBER(sherd_obstacle_def, restitution) \
    MEMBER(sherd_obstacle_def, sticky) \
    STRUCT(sherd_surface_body) \
    MEMBER(sherd_surface_body, shape) \
    MEMBER(sherd_surface_body, first) \
    MEMBER(sherd_surface_body, count) \
    MEMBER(sherd_surface_body, kind) \
    MEMBER(sherd_surface_body, tetra) \
    MEMBER(sherd_surface_body, wall_count) \
    MEMBER(sherd_surface_body, walls) \
    STRUCT(sherd_surface_roughness) \
    MEMBER(sherd_surface_roughness, amplitude) \
    MEMBER(sherd_surface_roughness, size) \
    MEMBER(sherd_surface_roughness, seed) \
    STRUCT(sherd_surface_method_info) \
    MEMBER(sherd_surface_method_info, word) \
    MEMBER(sherd_surface_method_info, doc) \
    STRUCT(sherd_surface_def) \
    MEMBER(sherd_surface_def, cookie) \
    MEMBER(sherd_surface_def, body_count) \
    MEMBER(sherd_surface_def, bodies) \
    MEMBER(sherd_surface_def, element_count) \
    MEMBER(sherd_surface_def, rest_x) \
    MEMBER(sherd_surface_def, rest_y) \
    MEMBER(sherd_surface_def, rest_z) \
    MEMBER(sherd_surface_def, radius) \
    MEMBER(sherd_surface_def, bond_count) \
    MEMBER(sherd_surface_def, bond_i) \
    MEMBER(sherd_surface_def, bond_j) \
    MEMBER(sherd_surface_def, method) \
    MEMBER(sherd_surface_def, cell_size) \
    MEMBER(sherd_surface_def, smoothing) \
    MEMBER(sherd_surface_def, outer_edge) \
    MEMBER(sherd_surface_def, chips) \
    MEMBER(sherd_surface_def, crack_gap) \
    MEMBER(sherd_surface_def, inner_uv_scale) \
    MEMBER(sherd_surface_def, roughness) \
    MEMBER(sherd_surface_def, rigid) \
    MEMBER(sherd_surface_def, smallest) \
    MEMBER(sherd_surface_def, threads) \
    STRUCT(sherd_surface_piece) \
    MEMBER(sherd_surface_piece, fragment) \
    MEMBER(sherd_surface_piece, version) \
    MEMBER(sherd_surface_piece, body) \
    MEMBER(sherd_surface_piece, element_count) \
    MEMBER(sherd_surface_piece, mesh) \
    MEMBER(sherd_surface_piece, bones) \
    MEMBER(sherd_surface_piece, weights) \
    STRUCT(sherd_surface_pose) \
    MEMBER(sherd_surface_pose, x) \
    MEMBER(sherd_surface_pose, y) \
    MEMBER(sherd_surface_pose, z) \
    MEMBER(sherd_surface_pose, qx) \
    MEMBER(sherd_surface_pose, qy) \
    MEMBER(sherd_surface_pose, qz) \
    MEMBER(sherd_surface_pose, qw) \
    STRUCT(sherd_texture) \
    MEMBER(sherd_texture, kind) \
    MEMBER(sherd_texture, size) \
    MEMBER(sherd_texture, grain) \
    MEMBER(sherd_texture, contrast) \
    MEMBER(sherd_texture, seed) \
    MEMBER(sherd_texture, image) \
    STRUCT(sherd_texture_look) \
    MEMBER(sherd_texture_look, word) \
    MEMBER(sherd_texture_look, doc) \
    MEMBER(sherd_texture_look, color) \
    MEMBER(sherd_texture_look, roughness) \
    MEMBER(sherd_texture_look, coat) \
    MEMBER(sherd_texture_look, metal) \
    MEMBER(sherd_texture_look, share) \
    MEMBER(sherd_texture_look, inner) \
    STRUCT(sherd_method_info) \
    MEMBER(sherd_method_info, word) \
    MEMBER(sherd_method_info, doc) \
    MEMBER(sherd_method_info, explicit_steps) \
    MEMBER(sherd_method_info, implicit_steps) \
    MEMBER(sherd_method_info, even_steps) \
    STRUCT(sherd_solver_counts) \
    MEMBER(sherd_solver_counts, explicit_steps) \
    MEMBER(sherd_solver_counts, implicit_steps) \
    MEMBER(sherd_solver_counts, newton_iterations) \
    MEMBER(sherd_solver_counts, linear_iterations) \
    MEMBER(sherd_solver_counts, rejected_steps) \
    MEMBER(sherd_solver_counts, switches) \
    MEMBER(sherd_solver_counts, divisions) \
    MEMBER(sherd_solver_counts, unsettled_steps) \
    MEMBER(sherd_solver_counts, asleep_steps) \
    STRUCT(sherd_step_times) \
    MEMBER(sherd_step_times, bonds) \
    MEMBER(sherd_step_times, contact) \
    MEMBER(sherd_step_times, search) \
    MEMBER(sherd_step_times, points) \
    MEMBER(sherd_step_times, implicit) \
    STRUCT(sherd_split_steps) \
    MEMBER(sherd_split_steps, steps) \
    MEMBER(sherd_split_steps, parts) \
    MEMBER(sherd_split_steps, finest) \
    MEMBER(sherd_split_steps, deepest) \
    STRUCT(sherd_world_def) \
    MEMBER(sherd_world_def, cookie) \
    MEMBER(sherd_world_def, gravity) \
    MEMBER(sherd_world_def, threads) \
    MEMBER(sherd_world_def, time_step) \
    MEMBER(sherd_world_def, time_step_safety) \
    MEMBER(sherd_world_def, contact_skin) \
    MEMBER(sherd_world_def, contacts) \
    MEMBER(sherd_world_def, precision) \
    MEMBER(sherd_world_def, sleep) \
    MEMBER(sherd_world_def, method) \
    MEMBER(sherd_world_def, time_step_in_limits) \
    MEMBER(sherd_world_def, accuracy) \
    MEMBER(sherd_world_def, scheme) \
    MEMBER(sherd_world_def, optimizer) \
    MEMBER(sherd_world_def, as_printed) \
    MEMBER(sherd_world_def, implicit_elements) \
    MEMBER(sherd_world_def, paper_fracture) \
    MEMBER(sherd_world_def, contact_potential) \
    MEMBER(sherd_world_def, contact_barrier) \
    MEMBER(sherd_world_def, contact_stiffness) \
    MEMBER(sherd_world_def, regions) \
    MEMBER(sherd_world_def, mass_scaling) \
    MEMBER(sherd_world_def, point_kernel) \
    MEMBER(sherd_world_def, point_transfer) \
    MEMBER(sherd_world_def, point_contact) \
    MEMBER(sherd_world_def, flip) \
    STRUCT(sherd_rope_def) \
    MEMBER(sherd_rope_def, radius) \
    MEMBER(sherd_rope_def, length) \
    MEMBER(sherd_rope_def, strands) \
    MEMBER(sherd_rope_def, plies) \
    MEMBER(sherd_rope_def, filled) \
    MEMBER(sherd_rope_def, pitch) \
    MEMBER(sherd_rope_def, ply_pitch) \
    MEMBER(sherd_rope_def, core) \
    MEMBER(sherd_rope_def, path_count) \
    MEMBER(sherd_rope_def, path) \
    STRUCT(sherd_woven_def) \
    MEMBER(sherd_woven_def, radius) \
    MEMBER(sherd_woven_def, warp) \
    MEMBER(sherd_woven_def, weft) \
    MEMBER(sherd_woven_def, warp_distance) \
    MEMBER(sherd_woven_def, weft_distance) \
    MEMBER(sherd_woven_def, weave) \
    MEMBER(sherd_woven_def, crimp) \
    STRUCT(sherd_knitted_def) \
    MEMBER(sherd_knitted_def, radius) \
    MEMBER(sherd_knitted_def, rows) \
    MEMBER(sherd_knitted_def, columns) \
    MEMBER(sherd_knitted_def, row_distance) \
    MEMBER(sherd_knitted_def, column_distance) \
    STRUCT(sherd_yarn_def) \
    MEMBER(sherd_yarn_def, cookie) \
    MEMBER(sherd_yarn_def, kind) \
    MEMBER(sherd_yarn_def, rope) \
    MEMBER(sherd_yarn_def, woven) \
    MEMBER(sherd_yarn_def, knitted) \
    MEMBER(sherd_yarn_def, spacing) \
    MEMBER(sherd_yarn_def, fiber_share) \
    MEMBER(sherd_yarn_def, glue) \
    MEMBER(sherd_yarn_def, max_elements) \
    STRUCT(sherd_diagnostics) \
    MEMBER(sherd_diagnostics, count) \
    MEMBER(sherd_diagnostics, errors) \
    MEMBER(sherd_diagnostics, dropped) \
    STRUCT(sherd_scene_face) \
    MEMBER(sherd_scene_face, texture) \
    MEMBER(sherd_scene_face, roughness) \
    MEMBER(sherd_scene_face, coat) \
    MEMBER(sherd_scene_face, metal) \
    STRUCT(sherd_scene_appearance) \
    MEMBER(sherd_scene_appearance, outer) \
    MEMBER(sherd_scene_appearance, inner) \
    MEMBER(sherd_scene_appearance, has_texture) \
    MEMBER(sherd_scene_appearance, has_roughness) \
    MEMBER(sherd_scene_appearance, has_metal) \
    MEMBER(sherd_scene_appearance, size) \
    MEMBER(sherd_scene_appearance, contrast) \
    MEMBER(sherd_scene_appearance, seed) \
    MEMBER(sherd_scene_appearance, grain) \
    MEMBER(sherd_scene_appearance, grains) \
    MEMBER(sherd_scene_appearance, image) \
    MEMBER(sherd_scene_appearance, picture) \
    MEMBER(sherd_scene_appearance, has_inner_color) \
    MEMBER(sherd_scene_appearance, inner_color) \
    STRUCT(sherd_scene_material) \
    MEMBER(sherd_scene_material, def) \
    MEMBER(sherd_scene_material, stiffness_scale) \
    MEMBER(sherd_scene_material, color) \
    MEMBER(sherd_scene_material, has_color) \
    MEMBER(sherd_scene_material, appearance) \
    MEMBER(sherd_scene_material, opacity) \
    MEMBER(sherd_scene_material, refractive_index) \
    MEMBER(sherd_scene_material, color_depth) \
    MEMBER(sherd_scene_material, calibrate) \
    MEMBER(sherd_scene_material, poissons_ratio) \
    MEMBER(sherd_scene_material, where) \
    MEMBER(sherd_scene_material, law_where) \
    MEMBER(sherd_scene_material, restitution_where) \
    STRUCT(sherd_scene_seam) \
    MEMBER(sherd_scene_seam, body) \
    MEMBER(sherd_scene_seam, where) \
    MEMBER(sherd_scene_seam, part) \
    MEMBER(sherd_scene_seam, other) \
    MEMBER(sherd_scene_seam, at) \
    STRUCT(sherd_scene_group) \
    MEMBER(sherd_scene_group, name) \
    MEMBER(sherd_scene_group, look) \
    MEMBER(sherd_scene_group, picture) \
    STRUCT(sherd_scene_body) \
    MEMBER(sherd_scene_body, name) \
    MEMBER(sherd_scene_body, shape) \
    MEMBER(sherd_scene_body, shape_digest) \
    MEMBER(sherd_scene_body, packing) \
    MEMBER(sherd_scene_body, is_yarn) \
    MEMBER(sherd_scene_body, yarn) \
    MEMBER(sherd_scene_body, loose) \
    MEMBER(sherd_scene_body, weakness) \
    MEMBER(sherd_scene_body, weakness_digest) \
    MEMBER(sherd_scene_body, is_fractured) \
    MEMBER(sherd_scene_body, fracture) \
    MEMBER(sherd_scene_body, fracture_digest) \
    MEMBER(sherd_scene_body, bond_reach) \
    MEMBER(sherd_scene_body, material) \
    MEMBER(sherd_scene_body, pose) \
    MEMBER(sherd_scene_body, velocity) \
    MEMBER(sherd_scene_body, angular_velocity) \
    MEMBER(sherd_scene_body, color) \
    MEMBER(sherd_scene_body, has_color) \
    MEMBER(sherd_scene_body, group_count) \
    MEMBER(sherd_scene_body, groups) \
    MEMBER(sherd_scene_body, where) \
    STRUCT(sherd_scene_obstacle) \
    MEMBER(sherd_scene_obstacle, def) \
    MEMBER(sherd_scene_obstacle, shape_digest) \
    MEMBER(sherd_scene_obstacle, color) \
    MEMBER(sherd_scene_obstacle, has_color) \
    MEMBER(sherd_scene_obstacle, group_count) \
    MEMBER(sherd_scene_obstacle, groups) \
    MEMBER(sherd_scene_obstacle, visible) \
    MEMBER(sherd_scene_obstacle, has_appearance) \
    MEMBER(sherd_scene_obstacle, appearance) \
    MEMBER(sherd_scene_obstacle, where) \
    STRUCT(sherd_scene_driver) \
    MEMBER(sherd_scene_driver, def) \
    MEMBER(sherd_scene_driver, shape_digest) \
    MEMBER(sherd_scene_driver, body) \
    MEMBER(sherd_scene_driver, where) \
    STRUCT(sherd_scene_probe) \
    MEMBER(sherd_scene_probe, name) \
    MEMBER(sherd_scene_probe, on_obstacle) \
    MEMBER(sherd_scene_probe, index) \
    STRUCT(sherd_scene_range) \
    MEMBER(sherd_scene_range, fixed) \
    MEMBER(sherd_scene_range, low) \
    MEMBER(sherd_scene_range, high) \
    STRUCT(sherd_scene_camera_key) \
    MEMBER(sherd_scene_camera_key, time) \
    MEMBER(sherd_scene_camera_key, position) \
    MEMBER(sherd_scene_camera_key, target) \
    MEMBER(sherd_scene_camera_key, fov) \
    MEMBER(sherd_scene_camera_key, focus) \
    STRUCT(sherd_scene_camera) \
    MEMBER(sherd_scene_camera, automatic) \
    MEMBER(sherd_scene_camera, position) \
    MEMBER(sherd_scene_camera, target) \
    MEMBER(sherd_scene_camera, fov) \
    MEMBER(sherd_scene_camera, aperture) \
    MEMBER(sherd_scene_camera, focus) \
    MEMBER(sherd_scene_camera, key_count) \
    MEMBER(sherd_scene_camera, keys) \
    STRUCT(sherd_scene_sky) \
    MEMBER(sherd_scene_sky, kind) \
    MEMBER(sherd_scene_sky, image) \
    MEMBER(sherd_scene_sky, rotation) \
    MEMBER(sherd_scene_sky, sun_azimuth) \
    MEMBER(sherd_scene_sky, sun_elevation) \
    MEMBER(sherd_scene_sky, sun_size) \
    MEMBER(sherd_scene_sky, haze) \
    MEMBER(sherd_scene_sky, brightness) \
    STRUCT(sherd_scene_lamp) \
    MEMBER(sherd_scene_lamp, position) \
    MEMBER(sherd_scene_lamp, target) \
    MEMBER(sherd_scene_lamp, width) \
    MEMBER(sherd_scene_lamp, height) \
    MEMBER(sherd_scene_lamp, color) \
    MEMBER(sherd_scene_lamp, brightness) \
    STRUCT(sherd_scene_clip) \
    MEMBER(sherd_scene_clip, point) \
    MEMBER(sherd_scene_clip, normal) \
    STRUCT(sherd_scene_render) \
    MEMBER(sherd_scene_render, enabled) \
    MEMBER(sherd_scene_render, width) \
    MEMBER(sherd_scene_render, height) \
    MEMBER(sherd_scene_render, samples) \
    MEMBER(sherd_scene_render, quality) \
    MEMBER(sherd_scene_render, exr) \
    MEMBER(sherd_scene_render, video) \
    MEMBER(sherd_scene_render, color_by) \
    MEMBER(sherd_scene_render, range) \
    MEMBER(sherd_scene_render, legend) \
    MEMBER(sherd_scene_render, background) \
    MEMBER(sherd_scene_render, camera) \
    MEMBER(sherd_scene_render, clip) \
    MEMBER(sherd_scene_render, sky) \
    MEMBER(sherd_scene_render, lamp_count) \
    MEMBER(sherd_scene_render, lamps) \
    MEMBER(sherd_scene_render, exposure) \
    MEMBER(sherd_scene_render, bounces) \
    MEMBER(sherd_scene_render, shutter) \
    STRUCT(sherd_scene_surface) \
    MEMBER(sherd_scene_surface, enabled) \
    MEMBER(sherd_scene_surface, method) \
    MEMBER(sherd_scene_surface, inner_uv_scale) \
    MEMBER(sherd_scene_surface, cell_size) \
    MEMBER(sherd_scene_surface, smoothing) \
    MEMBER(sherd_scene_surface, chips) \
    MEMBER(sherd_scene_surface, crack_gap) \
    MEMBER(sherd_scene_surface, roughness) \
    STRUCT(sherd_scene_dust) \
    MEMBER(sherd_scene_dust, enabled) \
    MEMBER(sherd_scene_dust, amount) \
    MEMBER(sherd_scene_dust, size) \
    MEMBER(sherd_scene_dust, energy) \
    MEMBER(sherd_scene_dust, drag) \
    MEMBER(sherd_scene_dust, seed) \
    STRUCT(sherd_scene_debris) \
    MEMBER(sherd_scene_debris, enabled) \
    MEMBER(sherd_scene_debris, exponent) \
    MEMBER(sherd_scene_debris, pieces) \
    MEMBER(sherd_scene_debris, elements) \
    MEMBER(sherd_scene_debris, smallest) \
    MEMBER(sherd_scene_debris, seed) \
    STRUCT(sherd_scene_output) \
    MEMBER(sherd_scene_output, frame_rate) \
    MEMBER(sherd_scene_output, probe_rate) \
    MEMBER(sherd_scene_output, surface) \
    MEMBER(sherd_scene_output, dust) \
    MEMBER(sherd_scene_output, debris) \
    MEMBER(sherd_scene_output, stress) \
    MEMBER(sherd_scene_output, bond_loads) \
    MEMBER(sherd_scene_output, contacts) \
    MEMBER(sherd_scene_output, meshes) \
    MEMBER(sherd_scene_output, render) \
    STRUCT(sherd_scene_key) \
    MEMBER(sherd_scene_key, key) \
    MEMBER(sherd_scene_key, where) \
    STRUCT(sherd_scene) \
    MEMBER(sherd_scene, name) \
    MEMBER(sherd_scene, duration) \
    MEMBER(sherd_scene, world) \
    MEMBER(sherd_scene, output) \
    MEMBER(sherd_scene, material_count) \
    MEMBER(sherd_scene, body_count) \
    MEMBER(sherd_scene, obstacle_count) \
    MEMBER(sherd_scene, driver_count) \
    MEMBER(sherd_scene, probe_count) \
    MEMBER(sherd_scene, materials) \
    MEMBER(sherd_scene, bodies) \
    MEMBER(sherd_scene, obstacles) \
    MEMBER(sherd_scene, drivers) \
    MEMBER(sherd_scene, probes) \
    MEMBER(sherd_scene, solver_key_count) \
    MEMBER(sherd_scene, solver_keys) \
    MEMBER(sherd_scene, variant_count) \
    MEMBER(sherd_scene, variants) \
    MEMBER(sherd_scene, note_count) \
    MEMBER(sherd_scene, notes) \
    MEMBER(sherd_scene, warning_count) \
    MEMBER(sherd_scene, warnings) \
    MEMBER(sherd_scene, seam_count) \
    MEMBER(sherd_scene, seams) \
    MEMBER(sherd_scene, path) \
    MEMBER(sherd_scene, variant) \
    MEMBER(sherd_scene, override_count) \
    MEMBER(sherd_scene, overrides) \
    MEMBER(sherd_scene, text) \
    MEMBER(sherd_scene, text_size) \
    MEMBER(sherd_scene, digest) \
    MEMBER(sherd_scene, storage) \
    STRUCT(sherd_scene_options) \
    MEMBER(sherd_scene_options, variant) \
    MEMBER(sherd_scene_options, override_count) \
    MEMBER(sherd_scene_options, overrides) \
    STRUCT(sherd_scene_calibration) \
    MEMBER(sherd_scene_calibration, material) \
    MEMBER(sherd_scene_calibration, body) \
    MEMBER(sherd_scene_calibration, def) \
    MEMBER(sherd_scene_calibration, result) \
    MEMBER(sherd_scene_calibration, bonds) \
    STRUCT(sherd_scene_build) \
    MEMBER(sherd_scene_build, body_count) \
    MEMBER(sherd_scene_build, packings) \
    MEMBER(sherd_scene_build, packed_with) \
    MEMBER(sherd_scene_build, material_ids) \
    MEMBER(sherd_scene_build, body_ids) \
    MEMBER(sherd_scene_build, body_bonds) \
    MEMBER(sherd_scene_build, obstacle_ids) \
    MEMBER(sherd_scene_build, driver_ids) \
    MEMBER(sherd_scene_build, calibration_count) \
    MEMBER(sherd_scene_build, calibrations) \
    MEMBER(sherd_scene_build, packing_wall) \
    MEMBER(sherd_scene_build, calibration_wall) \
    STRUCT(sherd_finding) \
    MEMBER(sherd_finding, level) \
    MEMBER(sherd_finding, text) \
    STRUCT(sherd_diagnosis) \
    MEMBER(sherd_diagnosis, count) \
    MEMBER(sherd_diagnosis, findings) \
    STRUCT(sherd_given_columns) \
    MEMBER(sherd_given_columns, rest_x) \
    MEMBER(sherd_given_columns, rest_y) \
    MEMBER(sherd_given_columns, rest_z) \
    MEMBER(sherd_given_columns, radius) \
    MEMBER(sherd_given_columns, mass) \
    MEMBER(sherd_given_columns, material) \
    MEMBER(sherd_given_columns, bond_section) \
    STRUCT(sherd_glue_particle) \
    MEMBER(sherd_glue_particle, i) \
    MEMBER(sherd_glue_particle, j) \
    MEMBER(sherd_glue_particle, piece_i) \
    MEMBER(sherd_glue_particle, piece_j) \
    MEMBER(sherd_glue_particle, body) \
    MEMBER(sherd_glue_particle, place) \
    MEMBER(sherd_glue_particle, area) \
    MEMBER(sherd_glue_particle, tensile_strength) \
    MEMBER(sherd_glue_particle, shear_strength) \
    MEMBER(sherd_glue_particle, threshold) \
    MEMBER(sherd_glue_particle, traction) \
    MEMBER(sherd_glue_particle, normal_traction) \
    MEMBER(sherd_glue_particle, shear_traction) \
    MEMBER(sherd_glue_particle, broken) \
    STRUCT(sherd_color) \
    MEMBER(sherd_color, r) \
    MEMBER(sherd_color, g) \
    MEMBER(sherd_color, b) \
    STRUCT(sherd_render_material) \
    MEMBER(sherd_render_material, outer_color) \
    MEMBER(sherd_render_material, inner_color) \
    MEMBER(sherd_render_material, outer_roughness) \
    MEMBER(sherd_render_material, inner_roughness) \
    MEMBER(sherd_render_material, outer_coat) \
    MEMBER(sherd_render_material, inner_coat) \
    MEMBER(sherd_render_material, outer_metal) \
    MEMBER(sherd_render_material, inner_metal) \
    MEMBER(sherd_render_material, outer_texture) \
    MEMBER(sherd_render_material, inner_texture) \
    MEMBER(sherd_render_material, surface) \
    MEMBER(sherd_render_material, refractive_index) \
    MEMBER(sherd_render_material, absorption) \
    STRUCT(sherd_render_group) \
    MEMBER(sherd_render_group, color) \
    MEMBER(sherd_render_group, roughness) \
    MEMBER(sherd_render_group, metal) \
    MEMBER(sherd_render_group, texture) \
    STRUCT(sherd_render_mesh) \
    MEMBER(sherd_render_mesh, name) \
    MEMBER(sherd_render_mesh, vertex_count) \
    MEMBER(sherd_render_mesh, triangle_count) \
    MEMBER(sherd_render_mesh, vertices) \
    MEMBER(sherd_render_mesh, triangles) \
    MEMBER(sherd_render_mesh, normals) \
    MEMBER(sherd_render_mesh, face_kind) \
    MEMBER(sherd_render_mesh, colors) \
    MEMBER(sherd_render_mesh, outer_colors) \
    MEMBER(sherd_render_mesh, motions) \
    MEMBER(sherd_render_mesh, rest) \
    MEMBER(sherd_render_mesh, uv) \
    MEMBER(sherd_render_mesh, group) \
    MEMBER(sherd_render_mesh, group_count) \
    MEMBER(sherd_render_mesh, groups) \
    MEMBER(sherd_render_mesh, object_name) \
    MEMBER(sherd_render_mesh, material_name) \
    MEMBER(sherd_render_mesh, material) \
    STRUCT(sherd_render_spheres) \
    MEMBER(sherd_render_spheres, name) \
    MEMBER(sherd_render_spheres, count) \
    MEMBER(sherd_render_spheres, x) \
    MEMBER(sherd_render_spheres, y) \
    MEMBER(sherd_render_spheres, z) \
    MEMBER(sherd_render_spheres, radius) \
    MEMBER(sherd_render_spheres, colors) \
    MEMBER(sherd_render_spheres, motions) \
    MEMBER(sherd_render_spheres, object_name) \
    MEMBER(sherd_render_spheres, material_name) \
    MEMBER(sherd_render_spheres, material) \
    STRUCT(sherd_render_ground) \
    MEMBER(sherd_render_ground, kind) \
    MEMBER(sherd_render_ground, point) \
    MEMBER(sherd_render_ground, normal) \
    MEMBER(sherd_render_ground, color) \
    MEMBER(sherd_render_ground, roughness) \
    MEMBER(sherd_render_ground, coat) \
    MEMBER(sherd_render_ground, metal) \
    MEMBER(sherd_render_ground, texture) \
    STRUCT(sherd_camera) \
    MEMBER(sherd_camera, position) \
    MEMBER(sherd_camera, target) \
    MEMBER(sherd_camera, up) \
    MEMBER(sherd_camera, vertical_fov) \
    MEMBER(sherd_camera, aperture) \
    MEMBER(sherd_camera, focus) \
    STRUCT(sherd_render_light) \
    MEMBER(sherd_render_light, key_azimuth) \
    MEMBER(sherd_render_light, key_elevation) \
    MEMBER(sherd_render_light, key_angular_radius) \
    MEMBER(sherd_render_light, key_irradiance) \
    MEMBER(sherd_render_light, sky_zenith) \
    MEMBER(sherd_render_light, sky_horizon) \
    STRUCT(sherd_render_lamp) \
    MEMBER(sherd_render_lamp, position) \
    MEMBER(sherd_render_lamp, target) \
    MEMBER(sherd_render_lamp, width) \
    MEMBER(sherd_render_lamp, height) \
    MEMBER(sherd_render_lamp, radiance) \
    STRUCT(sherd_sky_def) \
    MEMBER(sherd_sky_def, sun_azimuth) \
    MEMBER(sherd_sky_def, sun_elevation) \
    MEMBER(sherd_sky_def, sun_diameter) \
    MEMBER(sherd_sky_def, haze) \
    MEMBER(sherd_sky_def, brightness) \
    STRUCT(sherd_render_clip) \
    MEMBER(sherd_render_clip, point) \
    MEMBER(sherd_render_clip, normal) \
    STRUCT(sherd_render_scene) \
    MEMBER(sherd_render_scene, cookie) \
    MEMBER(sherd_render_scene, meshes) \
    MEMBER(sherd_render_scene, mesh_count) \
    MEMBER(sherd_render_scene, spheres) \
    MEMBER(sherd_render_scene, sphere_batch_count) \
    MEMBER(sherd_render_scene, ground) \
    MEMBER(sherd_render_scene, camera) \
    MEMBER(sherd_render_scene, camera_opens) \
    MEMBER(sherd_render_scene, camera_closes) \
    MEMBER(sherd_render_scene, light) \
    MEMBER(sherd_render_scene, environment) \
    MEMBER(sherd_render_scene, lamps) \
    MEMBER(sherd_render_scene, lamp_count) \
    MEMBER(sherd_render_scene, clip) \
    MEMBER(sherd_render_scene, exposure) \
    MEMBER(sherd_render_scene, width) \
    MEMBER(sherd_render_scene, height) \
    MEMBER(sherd_render_scene, samples_per_pixel) \
    MEMBER(sherd_render_scene, bounces) \
    MEMBER(sherd_render_scene, denoise) \
    MEMBER(sherd_render_scene, quality) \
    MEMBER(sherd_render_scene, threads) \
    MEMBER(sherd_render_scene, seed) \
    STRUCT(sherd_image) \
    MEMBER(sherd_image, width) \
    MEMBER(sherd_image, height) \
    MEMBER(sherd_image, pixels) \
    STRUCT(sherd_layer_ids) \
    MEMBER(sherd_layer_ids, id) \
    MEMBER(sherd_layer_ids, coverage) \
    STRUCT(sherd_layer_pixel) \
    MEMBER(sherd_layer_pixel, r) \
    MEMBER(sherd_layer_pixel, g) \
    MEMBER(sherd_layer_pixel, b) \
    MEMBER(sherd_layer_pixel, alpha) \
    MEMBER(sherd_layer_pixel, normal) \
    MEMBER(sherd_layer_pixel, depth) \
    MEMBER(sherd_layer_pixel, object) \
    MEMBER(sherd_layer_pixel, material) \
    STRUCT(sherd_material_figures) \
    MEMBER(sherd_material_figures, name) \
    MEMBER(sherd_material_figures, about) \
    MEMBER(sherd_material_figures, density) \
    MEMBER(sherd_material_figures, youngs_modulus) \
    MEMBER(sherd_material_figures, poissons_ratio) \
    MEMBER(sherd_material_figures, tensile_strength) \
    MEMBER(sherd_material_figures, compressive_strength) \
    MEMBER(sherd_material_figures, shear_strength) \
    MEMBER(sherd_material_figures, fracture_energy) \
    MEMBER(sherd_material_figures, fracture_toughness) \
    MEMBER(sherd_material_figures, yield_stress) \
    MEMBER(sherd_material_figures, hardening_modulus) \
    MEMBER(sherd_material_figures, fracture_strain) \
    MEMBER(sherd_material_figures, weibull_modulus) \
    MEMBER(sherd_material_figures, friction) \
    MEMBER(sherd_material_figures, restitution) \
    MEMBER(sherd_material_figures, bond_damping) \
    MEMBER(sherd_material_figures, friction_angle) \
    MEMBER(sherd_material_figures, grain_stiffening) \
    MEMBER(sherd_material_figures, grain_strengthening) \
    MEMBER(sherd_material_figures, grain_direction) \
    MEMBER(sherd_material_figures, model) \
    MEMBER(sherd_material_figures, points) \
    MEMBER(sherd_material_figures, color) \
    MEMBER(sherd_material_figures, opacity) \
    MEMBER(sherd_material_figures, varies) \
    MEMBER(sherd_material_figures, sources) \
    STRUCT(sherd_message) \
    MEMBER(sherd_message, level) \
    MEMBER(sherd_message, where) \
    MEMBER(sherd_message, what) \
    MEMBER(sherd_message, hint) \
    STRUCT(sherd_point_view) \
    MEMBER(sherd_point_view, count) \
    MEMBER(sherd_point_view, element) \
    MEMBER(sherd_point_view, x) \
    MEMBER(sherd_point_view, y) \
    MEMBER(sherd_point_view, z) \
    MEMBER(sherd_point_view, vx) \
    MEMBER(sherd_point_view, vy) \
    MEMBER(sherd_point_view, vz) \
    MEMBER(sherd_point_view, b_xx) \
    MEMBER(sherd_point_view, b_yy) \
    MEMBER(sherd_point_view, b_zz) \
    MEMBER(sherd_point_view, b_yz) \
    MEMBER(sherd_point_view, b_xz) \
    MEMBER(sherd_point_view, b_xy) \
    MEMBER(sherd_point_view, rest_volume) \
    MEMBER(sherd_point_view, state) \
    MEMBER(sherd_point_view, piece) \
    STRUCT(sherd_point_state) \
    MEMBER(sherd_point_state, b_xx) \
    MEMBER(sherd_point_state, b_yy) \
    MEMBER(sherd_point_state, b_zz) \
    MEMBER(sherd_point_state, b_yz) \
    MEMBER(sherd_point_state, b_xz) \
    MEMBER(sherd_point_state, b_xy) \
    MEMBER(sherd_point_state, rest_volume) \
    MEMBER(sherd_point_state, state) \
    MEMBER(sherd_point_state, piece) \
    STRUCT(sherd_export_format) \
    MEMBER(sherd_export_format, word) \
    MEMBER(sherd_export_format, place) \
    MEMBER(sherd_export_format, rest_place) \
    MEMBER(sherd_export_format, needs) \
    MEMBER(sherd_export_format, in_runs) \
    MEMBER(sherd_export_format, whole) \
    MEMBER(sherd_export_format, doc) \
    STRUCT(sherd_replay_def) \
    MEMBER(sherd_replay_def, cookie) \
    MEMBER(sherd_replay_def, run) \
    MEMBER(sherd_replay_def, scene) \
    MEMBER(sherd_replay_def, folder) \
    MEMBER(sherd_replay_def, first) \
    MEMBER(sherd_replay_def, last) \
    MEMBER(sherd_replay_def, place) \
    MEMBER(sherd_replay_def, pose) \
    MEMBER(sherd_replay_def, foreign) \
    MEMBER(sherd_replay_def, threads) \
    MEMBER(sherd_replay_def, max_size) \
    MEMBER(sherd_replay_def, page) \
    MEMBER(sherd_replay_def, on_frame) \
    MEMBER(sherd_replay_def, on_message) \
    MEMBER(sherd_replay_def, context) \
    STRUCT(sherd_export_result) \
    MEMBER(sherd_export_result, damaged) \
    MEMBER(sherd_export_result, pieces) \
    MEMBER(sherd_export_result, left_out) \
    MEMBER(sherd_export_result, crumbs_left_out) \
    MEMBER(sherd_export_result, size) \
    STRUCT(sherd_step_plan) \
    MEMBER(sherd_step_plan, limit) \
    MEMBER(sherd_step_plan, interval) \
    MEMBER(sherd_step_plan, frames) \
    MEMBER(sherd_step_plan, samples_per_frame) \
    MEMBER(sherd_step_plan, dt) \
    MEMBER(sherd_step_plan, steps_per_sample) \
    STRUCT(sherd_stop) \
    MEMBER(sherd_stop, requested) \
    STRUCT(sherd_run_view) \
    MEMBER(sherd_run_view, scene) \
    MEMBER(sherd_run_view, build) \
    MEMBER(sherd_run_view, world) \
    MEMBER(sherd_run_view, folder) \
    MEMBER(sherd_run_view, plan) \
    MEMBER(sherd_run_view, model) \
    MEMBER(sherd_run_view, fragments) \
    MEMBER(sherd_run_view, frame) \
    MEMBER(sherd_run_view, resumed_at) \
    MEMBER(sherd_run_view, stats) \
    MEMBER(sherd_run_view, fraction) \
    MEMBER(sherd_run_view, time_left) \
    MEMBER(sherd_run_view, stepping_wall) \
    MEMBER(sherd_run_view, last_step_wall) \
    MEMBER(sherd_run_view, pictures_left) \
    STRUCT(sherd_run_def) \
    MEMBER(sherd_run_def, cookie) \
    MEMBER(sherd_run_def, scene) \
    MEMBER(sherd_run_def, packed) \
    MEMBER(sherd_run_def, scene_path) \
    MEMBER(sherd_run_def, scene_options) \
    MEMBER(sherd_run_def, folder) \
    MEMBER(sherd_run_def, threads) \
    MEMBER(sherd_run_def, frames) \
    MEMBER(sherd_run_def, begin) \
    MEMBER(sherd_run_def, foreign) \
    MEMBER(sherd_run_def, pictures) \
    MEMBER(sherd_run_def, summary) \
    MEMBER(sherd_run_def, stop) \
    MEMBER(sherd_run_def, on_stage) \
    MEMBER(sherd_run_def, on_progress) \
    MEMBER(sherd_run_def, on_frame) \
    MEMBER(sherd_run_def, on_message) \
    MEMBER(sherd_run_def, context) \
    STRUCT(sherd_run_result) \
    MEMBER(sherd_run_result, end) \
    MEMBER(sherd_run_result, begun) \
    MEMBER(sherd_run_result, readable) \
    MEMBER(sherd_run_result, frame) \
    MEMBER(sherd_run_result, resumed_at) \
    MEMBER(sherd_run_result, steps) \
    MEMBER(sherd_run_result, bonds) \
    MEMBER(sherd_run_result, glue_count) \
    MEMBER(sherd_run_result, broken_glue) \
    MEMBER(sherd_run_result, cut_bonds) \
    MEMBER(sherd_run_result, plan) \
    MEMBER(sherd_run_result, stats) \
    MEMBER(sherd_run_result, solver) \
    MEMBER(sherd_run_result, split) \
    MEMBER(sherd_run_result, mean_step) \
    MEMBER(sherd_run_result, limit) \
    MEMBER(sherd_run_result, wall) \
    MEMBER(sherd_run_result, pictures_wall) \
    MEMBER(sherd_run_result, render_wall) \
    MEMBER(sherd_run_result, waited_wall) \
    MEMBER(sherd_run_result, formats) \
    MEMBER(sherd_run_result, missing_pictures) \
    MEMBER(sherd_run_result, warnings) \
    MEMBER(sherd_run_result, integration) \
    MEMBER(sherd_run_result, diagnosis) \
    STRUCT(sherd_stress) \
    MEMBER(sherd_stress, xx) \
    MEMBER(sherd_stress, yy) \
    MEMBER(sherd_stress, zz) \
    MEMBER(sherd_stress, xy) \
    MEMBER(sherd_stress, yz) \
    MEMBER(sherd_stress, zx) \
    STRUCT(sherd_column) \
    MEMBER(sherd_column, name) \
    MEMBER(sherd_column, kind) \
    STRUCT(sherd_cell) \
    MEMBER(sherd_cell, integer) \
    MEMBER(sherd_cell, number) \
    MEMBER(sherd_cell, text) \
    STRUCT(sherd_probe_row) \
    MEMBER(sherd_probe_row, frame) \
    MEMBER(sherd_probe_row, time) \
    MEMBER(sherd_probe_row, name) \
    MEMBER(sherd_probe_row, kind) \
    MEMBER(sherd_probe_row, reading) \
    STRUCT(sherd_element_view) \
    MEMBER(sherd_element_view, count) \
    MEMBER(sherd_element_view, x) \
    MEMBER(sherd_element_view, y) \
    MEMBER(sherd_element_view, z) \
    MEMBER(sherd_element_view, qx) \
    MEMBER(sherd_element_view, qy) \
    MEMBER(sherd_element_view, qz) \
    MEMBER(sherd_element_view, qw) \
    MEMBER(sherd_element_view, vx) \
    MEMBER(sherd_element_view, vy) \
    MEMBER(sherd_element_view, vz) \
    MEMBER(sherd_element_view, wx) \
    MEMBER(sherd_element_view, wy) \
    MEMBER(sherd_element_view, wz) \
    STRUCT(sherd_element_info) \
    MEMBER(sherd_element_info, rest) \
    MEMBER(sherd_element_info, radius) \
    MEMBER(sherd_element_info, mass) \
    MEMBER(sherd_element_info, material) \
    MEMBER(sherd_element_info, body) \
    STRUCT(sherd_bond_view) \
    MEMBER(sherd_bond_view, count) \
    MEMBER(sherd_bond_view, i) \
    MEMBER(sherd_bond_view, j) \
    MEMBER(sherd_bond_view, broken) \
    MEMBER(sherd_bond_view, broken_count) \
    STRUCT(sherd_body_glue) \
    MEMBER(sherd_body_glue, pieces) \
    MEMBER(sherd_body_glue, count) \
    MEMBER(sherd_body_glue, broken) \
    MEMBER(sherd_body_glue, torn) \
    MEMBER(sherd_body_glue, least_energy) \
    STRUCT(sherd_memory_use) \
    MEMBER(sherd_memory_use, elements) \
    MEMBER(sherd_memory_use, bonds) \
    MEMBER(sherd_memory_use, contacts) \
    MEMBER(sherd_memory_use, implicit) \
    MEMBER(sherd_memory_use, total) \
    STRUCT(sherd_region_info) \
    MEMBER(sherd_region_info, number) \
    MEMBER(sherd_region_info, count) \
    MEMBER(sherd_region_info, elements) \
    MEMBER(sherd_region_info, asleep) \
    MEMBER(sherd_region_info, implicit) \
    MEMBER(sherd_region_info, counts) \
    STRUCT(sherd_state_sink) \
    MEMBER(sherd_state_sink, take) \
    MEMBER(sherd_state_sink, context) \
    VALUE(SHERD_OK) \
    VALUE(SHERD_ERROR_INPUT) \
    VALUE(SHERD_ERROR_MEMORY) \
    VALUE(SHERD_ERROR_IO) \
    VALUE(SHERD_ERROR_UNSTABLE) \
    VALUE(SHERD_ERROR_UNSUPPORTED) \
    VALUE(SHERD_ERROR_INTERRUPTED) \
    VALUE(SHERD_ERROR_TEXT_SIZE) \
    VALUE(SHERD_PERCENT_TEXT) \
    VALUE(SHERD_LENGTH_TEXT) \
    VALUE(SHERD_QUANTITY_NUMBER) \
    VALUE(SHERD_QUANTITY_LENGTH) \
    VALUE(SHERD_QUANTITY_TIME) \
    VALUE(SHERD_QUANTITY_MASS) \
    VALUE(SHERD_QUANTITY_ANGLE) \
    VALUE(SHERD_QUANTITY_SPEED) \
    VALUE(SHERD_QUANTITY_ANGULAR_SPEED) \
    VALUE(SHERD_QUANTITY_ACCELERATION) \
    VALUE(SHERD_QUANTITY_DENSITY) \
    VALUE(SHERD_QUANTITY_STRESS) \
    VALUE(SHERD_QUANTITY_FORCE) \
    VALUE(SHERD_QUANTITY_FREQUENCY) \
    VALUE(SHERD_QUANTITY_FRACTURE_ENERGY) \
    VALUE(SHERD_QUANTITY_TOUGHNESS) \
    VALUE(SHERD_QUANTITY_COUNT) \
    VALUE(SHERD_FIELD_OTHER) \
    VALUE(SHERD_FIELD_REAL) \
    VALUE(SHERD_FIELD_VECTOR) \
    VALUE(SHERD_FIELD_INT) \
    VALUE(SHERD_FIELD_INT64) \
    VALUE(SHERD_FIELD_UINT64) \
    VALUE(SHERD_FIELD_BOOLEAN) \
    VALUE(SHERD_FIELD_CHOICE) \
    VALUE(SHERD_FIELD_COLOR) \
    VALUE(SHERD_FIELD_ROTATION) \
    VALUE(SHERD_FIELD_NAME) \
    VALUE(SHERD_FIELD_TEXT) \
    VALUE(SHERD_BOUND_NONE) \
    VALUE(SHERD_BOUND_FROM) \
    VALUE(SHERD_BOUND_ABOVE) \
    VALUE(SHERD_FIELD_NOT_PHYSICS) \
    VALUE(SHERD_FIELD_REQUIRED) \
    VALUE(SHERD_FIELD_UNSET) \
    VALUE(SHERD_FIELD_BY_HAND) \
    VALUE(SHERD_MAP_SCENE) \
    VALUE(SHERD_MAP_SOLVER) \
    VALUE(SHERD_MAP_MATERIAL) \
    VALUE(SHERD_MAP_GRAIN) \
    VALUE(SHERD_MAP_BODY) \
    VALUE(SHERD_MAP_HCP) \
    VALUE(SHERD_MAP_LAYERS) \
    VALUE(SHERD_MAP_CUBIC) \
    VALUE(SHERD_MAP_RANDOM) \
    VALUE(SHERD_MAP_TETRA) \
    VALUE(SHERD_MAP_SHELL) \
    VALUE(SHERD_MAP_ROPE) \
    VALUE(SHERD_MAP_WOVEN) \
    VALUE(SHERD_MAP_KNITTED) \
    VALUE(SHERD_MAP_OBSTACLE) \
    VALUE(SHERD_MAP_FREE) \
    VALUE(SHERD_MAP_MOTION) \
    VALUE(SHERD_MAP_MOTION_KEY) \
    VALUE(SHERD_MAP_DRIVER) \
    VALUE(SHERD_MAP_REGION) \
    VALUE(SHERD_MAP_OUTPUT) \
    VALUE(SHERD_MAP_SURFACE) \
    VALUE(SHERD_MAP_ROUGHNESS) \
    VALUE(SHERD_MAP_RENDER) \
    VALUE(SHERD_MAP_CAMERA) \
    VALUE(SHERD_MAP_CLIP) \
    VALUE(SHERD_MAP_POINTS) \
    VALUE(SHERD_MAP_CAMERA_KEY) \
    VALUE(SHERD_MAP_SKY) \
    VALUE(SHERD_MAP_LAMP) \
    VALUE(SHERD_MAP_DUST) \
    VALUE(SHERD_MAP_DEBRIS) \
    VALUE(SHERD_MAP_APPEARANCE) \
    VALUE(SHERD_MAP_INNER) \
    VALUE(SHERD_MAP_WIND) \
    VALUE(SHERD_MAP_BLAST) \
    VALUE(SHERD_MAP_PRESSURE) \
    VALUE(SHERD_FIELD_TEXT_SIZE) \
    VALUE(SHERD_FACE_OUTER) \
    VALUE(SHERD_FACE_INNER) \
    VALUE(SHERD_SOLID_MODEL_BONDED) \
    VALUE(SHERD_SOLID_MODEL_COROTATED) \
    VALUE(SHERD_SOLID_MODEL_NEO_HOOKEAN) \
    VALUE(SHERD_SOLID_MODEL_HENCKY) \
    VALUE(SHERD_SOLID_MODEL_SNOW) \
    VALUE(SHERD_SOLID_MODEL_SAND) \
    VALUE(SHERD_SOLID_MODEL_FLUID) \
    VALUE(SHERD_SOLID_MODEL_PHASE_FIELD) \
    VALUE(SHERD_SOLID_MODEL_NACC) \
    VALUE(SHERD_SOLID_MODEL_COUNT) \
    VALUE(SHERD_BOND_LAW_QUATERNION) \
    VALUE(SHERD_BOND_LAW_LU) \
    VALUE(SHERD_BOND_LAW_ROD) \
    VALUE(SHERD_BOND_LAW_CENTRAL) \
    VALUE(SHERD_BOND_LAW_COUNT) \
    VALUE(SHERD_CENTRAL_SPRINGS) \
    VALUE(SHERD_CENTRAL_EQUAL_SPRINGS) \
    VALUE(SHERD_CENTRAL_PERIDYNAMICS) \
    VALUE(SHERD_CENTRAL_PERIDYNAMICS_LAYER) \
    VALUE(SHERD_CENTRAL_COUNT) \
    VALUE(SHERD_BREAKAGE_TENSILE) \
    VALUE(SHERD_BREAKAGE_ABSOLUTE) \
    VALUE(SHERD_BREAKAGE_NONE) \
    VALUE(SHERD_BREAKAGE_ROD) \
    VALUE(SHERD_BREAKAGE_HYDROSTATIC) \
    VALUE(SHERD_BREAKAGE_PRINCIPAL) \
    VALUE(SHERD_BREAKAGE_COUNT) \
    VALUE(SHERD_CONTACT_LINEAR) \
    VALUE(SHERD_CONTACT_HERTZ) \
    VALUE(SHERD_CONTACT_BARRIER) \
    VALUE(SHERD_CONTACT_POTENTIAL_COUNT) \
    VALUE(SHERD_BREAKAGE_OF_BONDS) \
    VALUE(SHERD_BREAKAGE_MEAN_STRESS) \
    VALUE(SHERD_BREAKAGE_PRINCIPAL_STRESS) \
    VALUE(SHERD_BOND_RADIUS_MEAN) \
    VALUE(SHERD_BOND_RADIUS_MINIMUM) \
    VALUE(SHERD_FRICTION_CONE_COMPRESSION) \
    VALUE(SHERD_FRICTION_CONE_MEAN) \
    VALUE(SHERD_WEAKNESS_NOISE) \
    VALUE(SHERD_WEAKNESS_VORONOI) \
    VALUE(SHERD_WEAKNESS_PAINT) \
    VALUE(SHERD_WEAKNESS_CURVE) \
    VALUE(SHERD_WEAKNESS_CUT) \
    VALUE(SHERD_WEAKNESS_REGION) \
    VALUE(SHERD_WEAKNESS_KIND_COUNT) \
    VALUE(SHERD_CUT_PLANE) \
    VALUE(SHERD_CUT_DISC) \
    VALUE(SHERD_CUT_POLYGON) \
    VALUE(SHERD_CUT_SHAPE) \
    VALUE(SHERD_CUT_SHEET) \
    VALUE(SHERD_PAINT_RED) \
    VALUE(SHERD_PAINT_GREEN) \
    VALUE(SHERD_PAINT_BLUE) \
    VALUE(SHERD_PAINT_MEAN) \
    VALUE(SHERD_GLUE_STRESS) \
    VALUE(SHERD_GLUE_FORCE) \
    VALUE(SHERD_BONDING_NEAR) \
    VALUE(SHERD_BONDING_NONE) \
    VALUE(SHERD_BONDING_LIST) \
    VALUE(SHERD_BREAK_TENSION) \
    VALUE(SHERD_BREAK_SHEAR) \
    VALUE(SHERD_BREAK_BENDING) \
    VALUE(SHERD_BREAK_TWISTING) \
    VALUE(SHERD_BREAK_COMPRESSION) \
    VALUE(SHERD_BREAK_MODE_COUNT) \
    VALUE(SHERD_PACKING_HCP) \
    VALUE(SHERD_PACKING_HEX_LAYERS) \
    VALUE(SHERD_PACKING_CUBIC) \
    VALUE(SHERD_PACKING_RANDOM) \
    VALUE(SHERD_PACKING_TETRA) \
    VALUE(SHERD_PACKING_SHELL) \
    VALUE(SHERD_PACKING_POINTS) \
    VALUE(SHERD_PACKING_ORIENT_AUTO) \
    VALUE(SHERD_PACKING_ORIENT_AXES) \
    VALUE(SHERD_PACKING_SIZES_RADIUS) \
    VALUE(SHERD_PACKING_SIZES_VOLUME) \
    VALUE(SHERD_TETRA_LATTICE) \
    VALUE(SHERD_TETRA_GMSH) \
    VALUE(SHERD_TETRA_BONDED) \
    VALUE(SHERD_TETRA_FEM) \
    VALUE(SHERD_PACKING_SIZE_CLASSES) \
    VALUE(SHERD_CALIBRATION_VERSION) \
    VALUE(SHERD_CALIBRATION_POINTS) \
    VALUE(SHERD_RUN_PER_ELEMENT) \
    VALUE(SHERD_RUN_PER_BOND) \
    VALUE(SHERD_RUN_MOST_COLUMNS) \
    VALUE(SHERD_DRIVE_MOTION) \
    VALUE(SHERD_DRIVE_FORCE) \
    VALUE(SHERD_DRIVE_NONE) \
    VALUE(SHERD_DRIVE_WIND) \
    VALUE(SHERD_DRIVE_BLAST) \
    VALUE(SHERD_DRIVE_PRESSURE) \
    VALUE(SHERD_OBSTACLE_FIXED) \
    VALUE(SHERD_OBSTACLE_DRIVEN) \
    VALUE(SHERD_OBSTACLE_FREE) \
    VALUE(SHERD_SURFACE_SOLID) \
    VALUE(SHERD_SURFACE_YARNS) \
    VALUE(SHERD_SURFACE_SHEET) \
    VALUE(SHERD_ROUGHNESS_LEAST_SIZE) \
    VALUE(SHERD_SURFACE_AUTO) \
    VALUE(SHERD_SURFACE_TUBES) \
    VALUE(SHERD_SURFACE_SHEETS) \
    VALUE(SHERD_SURFACE_TETRA_FACES) \
    VALUE(SHERD_SURFACE_CUT) \
    VALUE(SHERD_SURFACE_MARCHING) \
    VALUE(SHERD_SURFACE_FLUID) \
    VALUE(SHERD_SURFACE_BLOBS) \
    VALUE(SHERD_SURFACE_METHOD_COUNT) \
    VALUE(SHERD_SURFACE_BONES) \
    VALUE(SHERD_TEXTURE_PLAIN) \
    VALUE(SHERD_TEXTURE_WOOD) \
    VALUE(SHERD_TEXTURE_CONCRETE) \
    VALUE(SHERD_TEXTURE_MARBLE) \
    VALUE(SHERD_TEXTURE_GLAZE) \
    VALUE(SHERD_TEXTURE_CERAMIC) \
    VALUE(SHERD_TEXTURE_METAL) \
    VALUE(SHERD_TEXTURE_COUNT) \
    VALUE(SHERD_METHOD_EXPLICIT) \
    VALUE(SHERD_METHOD_IMPLICIT) \
    VALUE(SHERD_METHOD_AUTO) \
    VALUE(SHERD_METHOD_COUNT) \
    VALUE(SHERD_PRECISION_MIXED) \
    VALUE(SHERD_PRECISION_DOUBLE) \
    VALUE(SHERD_SCHEME_AUTO) \
    VALUE(SHERD_SCHEME_EULER) \
    VALUE(SHERD_SCHEME_MIDPOINT) \
    VALUE(SHERD_SCHEME_BDF2) \
    VALUE(SHERD_SCHEME_LEFT_POINT) \
    VALUE(SHERD_SCHEME_LINEAR_EULER) \
    VALUE(SHERD_STEP_OPTIMIZER_NEWTON) \
    VALUE(SHERD_STEP_OPTIMIZER_ALGORITHM_1) \
    VALUE(SHERD_STEP_OPTIMIZER_ALGORITHM_2) \
    VALUE(SHERD_STEP_OPTIMIZER_ALGORITHM_3) \
    VALUE(SHERD_STEP_OPTIMIZER_COUNT) \
    VALUE(SHERD_POINT_KERNEL_CUBIC) \
    VALUE(SHERD_POINT_KERNEL_QUADRATIC) \
    VALUE(SHERD_POINT_TRANSFER_AFFINE) \
    VALUE(SHERD_POINT_TRANSFER_FLIP) \
    VALUE(SHERD_POINT_TRANSFER_APIC) \
    VALUE(SHERD_POINT_CONTACT_SURFACES) \
    VALUE(SHERD_POINT_CONTACT_PAIRWISE) \
    VALUE(SHERD_YARN_ROPE) \
    VALUE(SHERD_YARN_WOVEN) \
    VALUE(SHERD_YARN_KNITTED) \
    VALUE(SHERD_WEAVE_PLAIN) \
    VALUE(SHERD_WEAVE_TWILL) \
    VALUE(SHERD_WEAVE_SATIN) \
    VALUE(SHERD_YARN_GLUE_NONE) \
    VALUE(SHERD_YARN_GLUE_EDGES) \
    VALUE(SHERD_YARN_GLUE_ALL) \
    VALUE(SHERD_DIAGNOSTICS_MAX) \
    VALUE(SHERD_SCENE_DIGEST_VERSION) \
    VALUE(SHERD_SCENE_COLOR_MATERIAL) \
    VALUE(SHERD_SCENE_COLOR_FRAGMENT) \
    VALUE(SHERD_SCENE_COLOR_SPEED) \
    VALUE(SHERD_SCENE_COLOR_STRESS_RATIO) \
    VALUE(SHERD_SCENE_COLOR_STRESS) \
    VALUE(SHERD_SCENE_COLOR_PRINCIPAL_STRESS) \
    VALUE(SHERD_SCENE_COLOR_MEAN_STRESS) \
    VALUE(SHERD_SCENE_COLOR_STRESS_XX) \
    VALUE(SHERD_SCENE_COLOR_STRESS_YY) \
    VALUE(SHERD_SCENE_COLOR_STRESS_ZZ) \
    VALUE(SHERD_SCENE_COLOR_STRESS_XY) \
    VALUE(SHERD_SCENE_COLOR_STRESS_YZ) \
    VALUE(SHERD_SCENE_COLOR_STRESS_ZX) \
    VALUE(SHERD_SCENE_SKY_STUDIO) \
    VALUE(SHERD_SCENE_SKY_DARK) \
    VALUE(SHERD_SCENE_SKY_CLEAR) \
    VALUE(SHERD_SCENE_SKY_IMAGE) \
    VALUE(SHERD_SCENE_QUALITY_AUTO) \
    VALUE(SHERD_SCENE_QUALITY_FINAL) \
    VALUE(SHERD_SCENE_QUALITY_PREVIEW) \
    VALUE(SHERD_DIAGNOSIS_FINDINGS) \
    VALUE(SHERD_FINDING_TEXT) \
    VALUE(SHERD_REPORT_GOOD) \
    VALUE(SHERD_REPORT_NOTE) \
    VALUE(SHERD_REPORT_WARNING) \
    VALUE(SHERD_REPORT_BAD) \
    VALUE(SHERD_BYTES_TEXT) \
    VALUE(SHERD_RENDER_OPAQUE) \
    VALUE(SHERD_RENDER_GLASS) \
    VALUE(SHERD_RENDER_GROUND_NONE) \
    VALUE(SHERD_RENDER_GROUND_PLANE) \
    VALUE(SHERD_RENDER_MOST_LAMPS) \
    VALUE(SHERD_RENDER_DENOISE_OFF) \
    VALUE(SHERD_RENDER_DENOISE_ON) \
    VALUE(SHERD_RENDER_FINAL) \
    VALUE(SHERD_RENDER_PREVIEW) \
    VALUE(SHERD_RENDER_PREVIEW_SAMPLES) \
    VALUE(SHERD_VIDEO_RATE_MAX) \
    VALUE(SHERD_LAYER_RANKS) \
    VALUE(SHERD_EXR_NONE) \
    VALUE(SHERD_EXR_HALF) \
    VALUE(SHERD_EXR_FLOAT) \
    VALUE(SHERD_MESSAGE_INFO) \
    VALUE(SHERD_MESSAGE_NOTE) \
    VALUE(SHERD_MESSAGE_WARNING) \
    VALUE(SHERD_MESSAGE_SHORTFALL) \
    VALUE(SHERD_MESSAGE_ERROR) \
    VALUE(SHERD_EXPORT_FROM_RUN) \
    VALUE(SHERD_EXPORT_FROM_SCENE) \
    VALUE(SHERD_EXPORT_FROM_MESHES) \
    VALUE(SHERD_FOREIGN_KEEP) \
    VALUE(SHERD_FOREIGN_OVERWRITE) \
    VALUE(SHERD_REPLAY_FRAME) \
    VALUE(SHERD_REPLAY_REST) \
    VALUE(SHERD_REPLAY_PAGE_ALONE) \
    VALUE(SHERD_REPLAY_PAGE_SERVED) \
    VALUE(SHERD_DAMAGED_NAMES) \
    VALUE(SHERD_STEP_PLAN_TEXT) \
    VALUE(SHERD_RUN_GO_ON) \
    VALUE(SHERD_RUN_STOP) \
    VALUE(SHERD_RUN_BUILT) \
    VALUE(SHERD_RUN_OPENED) \
    VALUE(SHERD_RUN_STEPPED) \
    VALUE(SHERD_RUN_ANEW) \
    VALUE(SHERD_RUN_RESUME) \
    VALUE(SHERD_RUN_PICTURES_AS_SCENE) \
    VALUE(SHERD_RUN_PICTURES_NONE) \
    VALUE(SHERD_RUN_SUMMARY_MAKE) \
    VALUE(SHERD_RUN_SUMMARY_NONE) \
    VALUE(SHERD_RUN_FOLDER) \
    VALUE(SHERD_RUN_FAILED) \
    VALUE(SHERD_RUN_STOPPED) \
    VALUE(SHERD_RUN_FINISHED) \
    VALUE(SHERD_RUN_ENERGY_TEXT) \
    VALUE(SHERD_SIMD_BASELINE) \
    VALUE(SHERD_SIMD_AVX2) \
    VALUE(SHERD_SIMD_AVX512) \
    VALUE(SHERD_COLUMN_INTEGER) \
    VALUE(SHERD_COLUMN_NUMBER) \
    VALUE(SHERD_COLUMN_EXACT) \
    VALUE(SHERD_COLUMN_HASH) \
    VALUE(SHERD_COLUMN_TEXT) \
    VALUE(SHERD_STATS_COLUMN_COUNT) \
    VALUE(SHERD_PROBE_COLUMN_COUNT) \
    VALUE(SHERD_BREAK_COLUMN_COUNT)
