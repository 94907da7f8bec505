#include "output/run_file/run_schema.h"

// ---------------------------------------------------------------- arrays

enum { PLANES = SHERD_COLUMN_PLANES, OPTIONAL = SHERD_COLUMN_PLANES | SHERD_COLUMN_OPTIONAL };

#define ARRAY(of, member, its_name, per, layout, flags)                                            \
    {                                                                                              \
        its_name, per, &layout, flags, offsetof(of, member)                                        \
    }
#define ELEMENTS(of, member, layout)                                                               \
    ARRAY(of, member, #member, SHERD_RUN_PER_ELEMENT, layout, PLANES)
#define BONDS(of, member, its_name, layout)                                                        \
    ARRAY(of, member, its_name, SHERD_RUN_PER_BOND, layout, PLANES)
#define TABLE(list)                                                                                \
    {                                                                                              \
        list, sizeof(list) / sizeof(list)[0]                                                       \
    }

static const sherd_run_array MODEL[] = {
    ELEMENTS(sherd_run_model, rest_x, sherd_rows_f64),
    ELEMENTS(sherd_run_model, rest_y, sherd_rows_f64),
    ELEMENTS(sherd_run_model, rest_z, sherd_rows_f64),
    ELEMENTS(sherd_run_model, radius, sherd_rows_f64),
    ELEMENTS(sherd_run_model, mass, sherd_rows_f64),
    ELEMENTS(sherd_run_model, material, sherd_rows_u16),
    ARRAY(sherd_run_model, piece, "piece", SHERD_RUN_PER_ELEMENT, sherd_rows_i32, OPTIONAL),
    BONDS(sherd_run_model, bond_i, "i", sherd_rows_i32),
    BONDS(sherd_run_model, bond_j, "j", sherd_rows_i32)};
const sherd_run_arrays sherd_run_model_arrays = TABLE(MODEL);

static const sherd_run_array SECTIONS[] = {
    BONDS(sherd_run_model, bond_section, "section", sherd_rows_f32)};
const sherd_run_arrays sherd_run_bond_arrays = TABLE(SECTIONS);

// Positions are exact, everything else is rounded (see byte_planes.h).
static const sherd_run_array FRAME[] = {
    ELEMENTS(sherd_run_frame, x, sherd_rows_f64),
    ELEMENTS(sherd_run_frame, y, sherd_rows_f64),
    ELEMENTS(sherd_run_frame, z, sherd_rows_f64),
    ELEMENTS(sherd_run_frame, qx, sherd_rows_rounded),
    ELEMENTS(sherd_run_frame, qy, sherd_rows_rounded),
    ELEMENTS(sherd_run_frame, qz, sherd_rows_rounded),
    ELEMENTS(sherd_run_frame, qw, sherd_rows_rounded),
    ELEMENTS(sherd_run_frame, vx, sherd_rows_rounded),
    ELEMENTS(sherd_run_frame, vy, sherd_rows_rounded),
    ELEMENTS(sherd_run_frame, vz, sherd_rows_rounded),
    ARRAY(sherd_run_frame, stress_ratio, "stress_ratio", SHERD_RUN_PER_ELEMENT, sherd_rows_f32,
          OPTIONAL),
    ARRAY(sherd_run_frame, element_fragment, "fragment", SHERD_RUN_PER_ELEMENT, sherd_rows_i32,
          OPTIONAL),
    BONDS(sherd_run_frame, bond_broken, "broken", sherd_rows_bits)};
const sherd_run_arrays sherd_run_frame_arrays = TABLE(FRAME);

const char *sherd_run_section(sherd_run_per per)
{
    return per == SHERD_RUN_PER_BOND ? "bonds" : "elements";
}

// ---------------------------------------------------------------- structs

static const sherd_row_member INFO[] = {SHERD_MEMBER(sherd_run_info, duration),
                                        SHERD_MEMBER(sherd_run_info, frame_interval),
                                        SHERD_MEMBER(sherd_run_info, frames_planned)};
const sherd_row_layout sherd_run_info_layout = SHERD_ROW_LAYOUT(sherd_run_info, INFO);

const sherd_run_text sherd_run_texts[SHERD_RUN_TEXTS] = {
    {"name", offsetof(sherd_run_info, name)},
    {"scene_path", offsetof(sherd_run_info, scene_path)},
    {"scene_text", offsetof(sherd_run_info, scene_text)},
    {"variant", offsetof(sherd_run_info, variant)},
    {"machine", offsetof(sherd_run_info, machine)},
    {"version", offsetof(sherd_run_info, version)},
    {"simd", offsetof(sherd_run_info, simd)}};

static const sherd_row_member COUNTS[] = {
    SHERD_NAMED_MEMBER(sherd_run_model, element_count, "elements"),
    SHERD_NAMED_MEMBER(sherd_run_model, bond_count, "bonds"),
    SHERD_NAMED_MEMBER(sherd_run_model, body_count, "bodies"),
    SHERD_NAMED_MEMBER(sherd_run_model, material_count, "materials"),
    SHERD_NAMED_MEMBER(sherd_run_model, obstacle_count, "obstacles"),
    SHERD_ADDED_MEMBER(sherd_run_model, glue_count, 0.0)};
const sherd_row_layout sherd_run_counts_layout = SHERD_ROW_LAYOUT(sherd_run_model, COUNTS);

static const sherd_row_member BODY[] = {SHERD_MEMBER(sherd_body_info, first),
                                        SHERD_MEMBER(sherd_body_info, count),
                                        SHERD_MEMBER(sherd_body_info, material)};
const sherd_row_layout sherd_body_info_layout = SHERD_ROW_LAYOUT(sherd_body_info, BODY);

static const sherd_row_member TETRAS[] = {SHERD_MEMBER(sherd_tetra_counts, vertices),
                                          SHERD_MEMBER(sherd_tetra_counts, tetras)};
const sherd_row_layout sherd_tetra_counts_layout = SHERD_ROW_LAYOUT(sherd_tetra_counts, TETRAS);

static const sherd_row_member STATS[] = {
    SHERD_MEMBER(sherd_run_stats, frame),
    SHERD_MEMBER(sherd_run_stats, time),
    SHERD_MEMBER(sherd_run_stats, steps),
    SHERD_MEMBER(sherd_run_stats, time_step),
    SHERD_MEMBER(sherd_run_stats, energy.kinetic),
    SHERD_MEMBER(sherd_run_stats, energy.elastic),
    SHERD_MEMBER(sherd_run_stats, energy.gravity),
    SHERD_MEMBER(sherd_run_stats, energy.contact),
    SHERD_MEMBER(sherd_run_stats, energy.work),
    SHERD_MEMBER(sherd_run_stats, energy.dissipated_bonds),
    SHERD_MEMBER(sherd_run_stats, energy.dissipated_fracture),
    SHERD_MEMBER(sherd_run_stats, energy.dissipated_contact),
    SHERD_MEMBER(sherd_run_stats, energy.dissipated_friction),
    SHERD_MEMBER(sherd_run_stats, energy.dissipated_integration),
    SHERD_MEMBER(sherd_run_stats, energy.balance_error),
    SHERD_MEMBER(sherd_run_stats, energy.max_stress_ratio),
    SHERD_MEMBER(sherd_run_stats, energy.dissipated_onset),
    SHERD_ADDED_MEMBER(sherd_run_stats, energy.dissipated_softening, 0.0),
    SHERD_ADDED_MEMBER(sherd_run_stats, energy.dissipated_plastic, 0.0),
    SHERD_MEMBER(sherd_run_stats, elements),
    SHERD_MEMBER(sherd_run_stats, bonds),
    SHERD_MEMBER(sherd_run_stats, broken_bonds),
    SHERD_MEMBER(sherd_run_stats, fragments),
    SHERD_MEMBER(sherd_run_stats, newton_iterations),
    SHERD_MEMBER(sherd_run_stats, linear_iterations),
    SHERD_MEMBER(sherd_run_stats, wall),
    SHERD_MEMBER(sherd_run_stats, state_hash),
    SHERD_MEMBER(sherd_run_stats, momentum),
    SHERD_MEMBER(sherd_run_stats, angular_momentum),
    SHERD_ADDED_MEMBER(sherd_run_stats, implicit_steps, 0.0),
    SHERD_ADDED_MEMBER(sherd_run_stats, unsettled_steps, 0.0),
    SHERD_ADDED_MEMBER(sherd_run_stats, torn, 0.0)};
const sherd_row_layout sherd_run_stats_layout = SHERD_ROW_LAYOUT(sherd_run_stats, STATS);

static const sherd_row_member BREAK[] = {
    SHERD_MEMBER(sherd_break, bond), SHERD_MEMBER(sherd_break, time),
    SHERD_MEMBER(sherd_break, place), SHERD_MEMBER(sherd_break, energy),
    SHERD_MEMBER(sherd_break, mode)};
const sherd_row_layout sherd_break_layout = SHERD_ROW_LAYOUT(sherd_break, BREAK);

static const sherd_row_member CONTACT[] = {SHERD_MEMBER(sherd_contact_force, i),
                                           SHERD_MEMBER(sherd_contact_force, j),
                                           SHERD_MEMBER(sherd_contact_force, i_obstacle),
                                           SHERD_MEMBER(sherd_contact_force, j_obstacle),
                                           SHERD_MEMBER(sherd_contact_force, place),
                                           SHERD_MEMBER(sherd_contact_force, normal),
                                           SHERD_MEMBER(sherd_contact_force, normal_force),
                                           SHERD_MEMBER(sherd_contact_force, friction),
                                           SHERD_MEMBER(sherd_contact_force, overlap)};
const sherd_row_layout sherd_contact_force_layout = SHERD_ROW_LAYOUT(sherd_contact_force, CONTACT);

static const sherd_row_member CHECKPOINT[] = {SHERD_MEMBER(sherd_run_checkpoint, frame),
                                              SHERD_MEMBER(sherd_run_checkpoint, next_fragment)};
const sherd_row_layout sherd_run_checkpoint_layout =
    SHERD_ROW_LAYOUT(sherd_run_checkpoint, CHECKPOINT);
