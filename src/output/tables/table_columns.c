// The tables of a run: stats.csv, probes.csv and breaks.csv.
#include "output/tables/table_columns.h"

#include <sherd/table.h>

#include <string.h>

const sherd_column *sherd_stats_columns(void)
{
    // The file format guarantees the first twenty; later ones may be added at the end.
    static const sherd_column columns[] = {
        {"frame", SHERD_COLUMN_INTEGER},
        {"time_s", SHERD_COLUMN_EXACT},
        {"steps", SHERD_COLUMN_INTEGER},
        {"dt_s", SHERD_COLUMN_EXACT},
        {"kinetic_j", SHERD_COLUMN_EXACT},
        {"elastic_j", SHERD_COLUMN_EXACT},
        {"gravity_j", SHERD_COLUMN_EXACT},
        {"contact_j", SHERD_COLUMN_EXACT},
        {"work_j", SHERD_COLUMN_EXACT},
        {"dissipated_j", SHERD_COLUMN_EXACT},
        {"balance_error", SHERD_COLUMN_NUMBER},
        {"elements", SHERD_COLUMN_INTEGER},
        {"bonds", SHERD_COLUMN_INTEGER},
        {"broken_bonds", SHERD_COLUMN_INTEGER},
        {"fragments", SHERD_COLUMN_INTEGER},
        {"max_stress_ratio", SHERD_COLUMN_NUMBER},
        {"newton_iterations", SHERD_COLUMN_INTEGER},
        {"linear_iterations", SHERD_COLUMN_INTEGER},
        {"wall_s", SHERD_COLUMN_NUMBER},
        {"state_hash", SHERD_COLUMN_HASH},
        {"dissipated_bonds_j", SHERD_COLUMN_EXACT},
        {"dissipated_fracture_j", SHERD_COLUMN_EXACT},
        {"dissipated_contact_j", SHERD_COLUMN_EXACT},
        {"dissipated_friction_j", SHERD_COLUMN_EXACT},
        {"momentum_x_kg_m_s", SHERD_COLUMN_EXACT},
        {"momentum_y_kg_m_s", SHERD_COLUMN_EXACT},
        {"momentum_z_kg_m_s", SHERD_COLUMN_EXACT},
        {"angular_momentum_x_kg_m2_s", SHERD_COLUMN_EXACT},
        {"angular_momentum_y_kg_m2_s", SHERD_COLUMN_EXACT},
        {"angular_momentum_z_kg_m2_s", SHERD_COLUMN_EXACT},
        {"dissipated_integration_j", SHERD_COLUMN_EXACT},
        {"dissipated_onset_j", SHERD_COLUMN_EXACT},
        {"implicit_steps", SHERD_COLUMN_INTEGER},
        {"unsettled_steps", SHERD_COLUMN_INTEGER},
        {"dissipated_softening_j", SHERD_COLUMN_EXACT},
        {"dissipated_plastic_j", SHERD_COLUMN_EXACT},
        {"torn", SHERD_COLUMN_INTEGER},
    };
    _Static_assert(sizeof columns / sizeof *columns == SHERD_STATS_COLUMN_COUNT, "columns");
    return columns;
}

static sherd_cell integer(int64_t value)
{
    return (sherd_cell){.integer = value};
}

static sherd_cell number(double value)
{
    return (sherd_cell){.number = value};
}

void sherd_stats_cells(const sherd_run_stats *s, sherd_cell cells[SHERD_STATS_COLUMN_COUNT])
{
    const sherd_energy *e = &s->energy;
    double dissipated = e->dissipated_bonds + e->dissipated_fracture + e->dissipated_contact +
                        e->dissipated_friction + e->dissipated_integration + e->dissipated_onset +
                        e->dissipated_softening + e->dissipated_plastic;
    const sherd_cell row[SHERD_STATS_COLUMN_COUNT] = {
        integer(s->frame),
        number(s->time),
        integer(s->steps),
        number(s->time_step),
        number(e->kinetic),
        number(e->elastic),
        number(e->gravity),
        number(e->contact),
        number(e->work),
        number(dissipated),
        number(e->balance_error),
        integer(s->elements),
        integer(s->bonds),
        integer(s->broken_bonds),
        integer(s->fragments),
        number(e->max_stress_ratio),
        integer(s->newton_iterations),
        integer(s->linear_iterations),
        number(s->wall),
        integer((int64_t)s->state_hash),
        number(e->dissipated_bonds),
        number(e->dissipated_fracture),
        number(e->dissipated_contact),
        number(e->dissipated_friction),
        number(s->momentum.x),
        number(s->momentum.y),
        number(s->momentum.z),
        number(s->angular_momentum.x),
        number(s->angular_momentum.y),
        number(s->angular_momentum.z),
        number(e->dissipated_integration),
        number(e->dissipated_onset),
        integer(s->implicit_steps),
        integer(s->unsettled_steps),
        number(e->dissipated_softening),
        number(e->dissipated_plastic),
        integer(s->torn),
    };
    memcpy(cells, row, sizeof row);
}

const sherd_column *sherd_probe_columns(void)
{
    static const sherd_column columns[] = {
        {"frame", SHERD_COLUMN_INTEGER},
        {"time_s", SHERD_COLUMN_EXACT},
        {"probe", SHERD_COLUMN_TEXT},
        {"kind", SHERD_COLUMN_TEXT},
        {"force_x_n", SHERD_COLUMN_EXACT},
        {"force_y_n", SHERD_COLUMN_EXACT},
        {"force_z_n", SHERD_COLUMN_EXACT},
        {"torque_x_nm", SHERD_COLUMN_EXACT},
        {"torque_y_nm", SHERD_COLUMN_EXACT},
        {"torque_z_nm", SHERD_COLUMN_EXACT},
        {"displacement_x_m", SHERD_COLUMN_EXACT},
        {"displacement_y_m", SHERD_COLUMN_EXACT},
        {"displacement_z_m", SHERD_COLUMN_EXACT},
        {"rotation_x_rad", SHERD_COLUMN_EXACT},
        {"rotation_y_rad", SHERD_COLUMN_EXACT},
        {"rotation_z_rad", SHERD_COLUMN_EXACT},
        {"force_x_least_n", SHERD_COLUMN_EXACT},
        {"force_x_largest_n", SHERD_COLUMN_EXACT},
        {"force_y_least_n", SHERD_COLUMN_EXACT},
        {"force_y_largest_n", SHERD_COLUMN_EXACT},
        {"force_z_least_n", SHERD_COLUMN_EXACT},
        {"force_z_largest_n", SHERD_COLUMN_EXACT},
        {"torque_x_least_nm", SHERD_COLUMN_EXACT},
        {"torque_x_largest_nm", SHERD_COLUMN_EXACT},
        {"torque_y_least_nm", SHERD_COLUMN_EXACT},
        {"torque_y_largest_nm", SHERD_COLUMN_EXACT},
        {"torque_z_least_nm", SHERD_COLUMN_EXACT},
        {"torque_z_largest_nm", SHERD_COLUMN_EXACT},
    };
    _Static_assert(sizeof columns / sizeof *columns == SHERD_PROBE_COLUMN_COUNT, "columns");
    return columns;
}

void sherd_probe_cells(const sherd_probe_row *row, sherd_cell cells[SHERD_PROBE_COLUMN_COUNT])
{
    cells[0] = integer(row->frame);
    cells[1] = number(row->time);
    cells[2].text = row->name;
    cells[3].text = row->kind;
    const sherd_vec3 vectors[] = {row->reading.force, row->reading.torque,
                                  row->reading.displacement, row->reading.rotation};
    for (int k = 0; k < 4; ++k) {
        cells[4 + 3 * k] = number(vectors[k].x);
        cells[5 + 3 * k] = number(vectors[k].y);
        cells[6 + 3 * k] = number(vectors[k].z);
    }
    const sherd_vec3 ranges[][2] = {{row->reading.force_least, row->reading.force_largest},
                                    {row->reading.torque_least, row->reading.torque_largest}};
    for (int k = 0; k < 2; ++k)
        for (int end = 0; end < 2; ++end) {
            cells[16 + 6 * k + end] = number(ranges[k][end].x);
            cells[18 + 6 * k + end] = number(ranges[k][end].y);
            cells[20 + 6 * k + end] = number(ranges[k][end].z);
        }
}

const sherd_column *sherd_break_columns(void)
{
    static const sherd_column columns[] = {
        {"frame", SHERD_COLUMN_INTEGER},   {"time_s", SHERD_COLUMN_EXACT},
        {"bond", SHERD_COLUMN_INTEGER},    {"i", SHERD_COLUMN_INTEGER},
        {"j", SHERD_COLUMN_INTEGER},       {"body", SHERD_COLUMN_INTEGER},
        {"x_m", SHERD_COLUMN_EXACT},       {"y_m", SHERD_COLUMN_EXACT},
        {"z_m", SHERD_COLUMN_EXACT},       {"mode", SHERD_COLUMN_TEXT},
        {"energy_j", SHERD_COLUMN_EXACT},  {"kind", SHERD_COLUMN_TEXT},
        {"piece_i", SHERD_COLUMN_INTEGER}, {"piece_j", SHERD_COLUMN_INTEGER},
    };
    _Static_assert(sizeof columns / sizeof *columns == SHERD_BREAK_COLUMN_COUNT, "columns");
    return columns;
}

void sherd_break_cells(int64_t frame, const sherd_break *b,
                       sherd_cell cells[SHERD_BREAK_COLUMN_COUNT])
{
    const sherd_cell row[SHERD_BREAK_COLUMN_COUNT] = {
        integer(frame),      number(b->time),
        integer(b->bond),    integer(b->i),
        integer(b->j),       integer(b->body),
        number(b->place.x),  number(b->place.y),
        number(b->place.z),  {.text = sherd_break_mode_words[b->mode]},
        number(b->energy),   {.text = b->piece_i < 0 ? "bond" : "glue"},
        integer(b->piece_i), integer(b->piece_j),
    };
    memcpy(cells, row, sizeof row);
}
