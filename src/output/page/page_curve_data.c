#include "output/page/page_curve_data.h"

#include "output/export/json.h"
#include "output/tables/table_columns.h"

#include <sherd/file.h>
#include <sherd/table.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_POINTS = 2000, MAX_PROBES = 64, FIRST_READING = 4, READINGS = 12, RANGES = 12 };

// ---------------------------------------------------------------- energy

typedef struct energy_curve {
    const char *name;
    size_t offset; // in sherd_energy
} energy_curve;

#define ENERGY(member, name)                                                                       \
    {                                                                                              \
        name, offsetof(sherd_energy, member)                                                       \
    }
static const energy_curve ENERGIES[] = {
    ENERGY(kinetic, "kinetic"),
    ENERGY(elastic, "elastic"),
    ENERGY(gravity, "gravity"),
    ENERGY(contact, "contact"),
    ENERGY(work, "work done"),
    ENERGY(dissipated_fracture, "fracture"),
    ENERGY(dissipated_bonds, "bond damping"),
    ENERGY(dissipated_contact, "contact damping"),
    ENERGY(dissipated_friction, "friction"),
    ENERGY(dissipated_softening, "softening"),
    ENERGY(dissipated_plastic, "plastic work"),
};
enum { ENERGY_COUNT = sizeof ENERGIES / sizeof ENERGIES[0] };

static double value_of(const sherd_energy *energy, const energy_curve *curve)
{
    double value;
    memcpy(&value, (const char *)energy + curve->offset, sizeof value);
    return value;
}

static void put_energies(sherd_byte_buffer *json, const sherd_run_stats *stats, int64_t count)
{
    sherd_json_key(json, "energy");
    sherd_json_raw(json, "{");
    sherd_json_add_list(json, "time");
    for (int64_t k = 0; k < count; ++k)
        sherd_json_add_item(json, stats[k].time);
    sherd_json_raw(json, "]");
    for (int c = 0; c < ENERGY_COUNT; ++c) {
        sherd_json_add_list(json, ENERGIES[c].name);
        for (int64_t k = 0; k < count; ++k)
            sherd_json_add_item(json, value_of(&stats[k].energy, &ENERGIES[c]));
        sherd_json_raw(json, "]");
    }
    sherd_json_raw(json, "}");
}

static void put_counts(sherd_byte_buffer *json, const sherd_run_stats *stats, int64_t count)
{
    sherd_json_add_list(json, "broken");
    for (int64_t k = 0; k < count; ++k)
        sherd_json_add_item(json, (double)stats[k].broken_bonds);
    sherd_json_raw(json, "]");
}

static sherd_status read_energies(const sherd_page_run *p, sherd_byte_buffer *json,
                                  sherd_error *error)
{
    sherd_run_stats *stats = calloc((size_t)p->frame_count + 1, sizeof *stats);
    if (stats == NULL) return sherd_page_out_of_memory(error);
    int64_t count = 0;
    sherd_status status = SHERD_OK;
    for (int64_t k = p->job->first; k <= p->job->last && status == SHERD_OK; ++k) {
        status = sherd_run_read_stats(p->job->run, k, &stats[count], error);
        if (status == SHERD_OK) ++count;
        if (status == SHERD_ERROR_INPUT) status = SHERD_OK; // a damaged frame
    }
    put_energies(json, stats, count);
    put_counts(json, stats, count);
    free(stats);
    return status;
}

// ---------------------------------------------------------------- probes

// Columns as in sherd_probe_columns: frame, time, probe, kind, then readings. At every time there
// is one row per probe.
static int64_t count_probes(const sherd_table *t)
{
    int64_t rows = sherd_table_row_count(t), count = 0;
    const char *first = rows > 0 ? sherd_table_text(t, 0, 1) : "";
    while (count < rows && strcmp(sherd_table_text(t, count, 1), first) == 0)
        ++count;
    return count < MAX_PROBES ? count : MAX_PROBES;
}

// Decimation of a probe's rows: a point of a curve is the first row's reading and, for ranges, the
// extremes of all rows.
typedef struct thinning {
    int64_t first, between,
        stride; // rows: the probe's first, the step to its next, the step to the next point
} thinning;

static void put_column(sherd_byte_buffer *json, const sherd_table *t, thinning by, int column)
{
    int64_t rows = sherd_table_row_count(t);
    for (int64_t row = by.first; row < rows; row += by.stride)
        sherd_json_add_item(json, sherd_table_number(t, row, column));
    sherd_json_raw(json, "]");
}

// Alternates smallest and largest values.
static void put_range(sherd_byte_buffer *json, const sherd_table *t, thinning by, int column,
                      bool largest)
{
    int64_t rows = sherd_table_row_count(t);
    for (int64_t row = by.first; row < rows; row += by.stride) {
        double most = sherd_table_number(t, row, column);
        for (int64_t at = row; at < row + by.stride && at < rows; at += by.between) {
            double value = sherd_table_number(t, at, column);
            most = largest ? fmax(most, value) : fmin(most, value);
        }
        sherd_json_add_item(json, most);
    }
    sherd_json_raw(json, "]");
}

static void put_probe(sherd_byte_buffer *json, const sherd_table *t, thinning by)
{
    int64_t probe = by.first;
    int ranges = FIRST_READING + READINGS, end = ranges + RANGES;
    sherd_json_separate(json);
    sherd_json_raw(json, "{");
    sherd_json_add_text(json, "name", sherd_table_text(t, probe, 2));
    sherd_json_add_text(json, "kind", sherd_table_text(t, probe, 3));
    sherd_json_add_list(json, "time");
    put_column(json, t, by, 1);
    for (int c = FIRST_READING; c < ranges; ++c) {
        sherd_json_add_list(json, sherd_table_column_name(t, c));
        put_column(json, t, by, c);
    }
    // Tables of earlier versions end here.
    for (int c = ranges; c < end && end <= sherd_table_column_count(t); ++c) {
        sherd_json_add_list(json, sherd_table_column_name(t, c));
        put_range(json, t, by, c, (c - ranges) % 2 == 1);
    }
    sherd_json_raw(json, "}");
}

static void put_probes(sherd_byte_buffer *json, const sherd_table *t)
{
    int64_t probes = count_probes(t);
    int64_t times = probes > 0 ? sherd_table_row_count(t) / probes : 0;
    int64_t stride = probes * ((times + MAX_POINTS - 1) / MAX_POINTS);
    sherd_json_key(json, "probes");
    sherd_json_raw(json, "[");
    for (int64_t k = 0; k < probes && sherd_table_column_count(t) >= FIRST_READING + READINGS; ++k)
        put_probe(json, t, (thinning){k, probes, stride});
    sherd_json_raw(json, "]");
}

sherd_status sherd_page_curves(const sherd_page_run *p, sherd_byte_buffer *json, sherd_error *error)
{
    sherd_status status = read_energies(p, json, error);
    char path[OUTPUT_PATH];
    sherd_output_path(p->job->folder, "probes.csv", path);
    sherd_error
        ignored; // runs without probes, and a run file without its folder, have no such table
    sherd_table *probes = sherd_file_exists(path) ? sherd_table_read(path, &ignored) : NULL;
    if (probes != NULL) put_probes(json, probes);
    sherd_table_destroy(probes);
    return status;
}
