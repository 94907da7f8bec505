#include "output/run/run_timings.h"

#include "base/assertion.h"

#include <stddef.h>

// In the order of the columns. All but the first are parts of the time; NULL: they overlap others.
static const struct {
    const char *column, *name;
    size_t offset;
} MEMBERS[] = {
    {"wall_s", "all", offsetof(sherd_run_timings, wall)},
    {"packing_s", "packing", offsetof(sherd_run_timings, packing)},
    {"calibration_s", "calibration", offsetof(sherd_run_timings, calibration)},
    {"building_s", "building", offsetof(sherd_run_timings, building)},
    {"bonds_s", "bonds", offsetof(sherd_run_timings, steps.bonds)},
    {"contact_s", "contact", offsetof(sherd_run_timings, steps.contact)},
    {"search_s", "contact search", offsetof(sherd_run_timings, steps.search)},
    {"points_s", "material points", offsetof(sherd_run_timings, steps.points)},
    {"implicit_s", "implicit steps", offsetof(sherd_run_timings, steps.implicit)},
    {"other_steps_s", "other steps", offsetof(sherd_run_timings, other_steps)},
    {"surfaces_s", NULL, offsetof(sherd_run_timings, surfaces)},
    {"pictures_s", NULL, offsetof(sherd_run_timings, pictures)},
    {"measuring_s", "measuring", offsetof(sherd_run_timings, measuring)},
    {"files_s", "files", offsetof(sherd_run_timings, files)},
    {"waiting_s", "surfaces and pictures", offsetof(sherd_run_timings, waiting)},
};
enum { MEMBER_COUNT = sizeof MEMBERS / sizeof *MEMBERS };
_Static_assert(MEMBER_COUNT + 2 == SHERD_TIMING_COLUMN_COUNT, "columns");
_Static_assert(MEMBER_COUNT - 1 == SHERD_TIMING_PARTS, "parts");
_Static_assert(sizeof(sherd_run_timings) == MEMBER_COUNT * sizeof(double), "members");

static const double *member(const sherd_run_timings *timings, int k)
{
    return (const double *)((const char *)timings + MEMBERS[k].offset);
}

static double *value(sherd_run_timings *timings, int k)
{
    return (double *)((char *)timings + MEMBERS[k].offset);
}

const sherd_column *sherd_timing_columns(void)
{
    static const sherd_column columns[] = {
        {"frame", SHERD_COLUMN_INTEGER},        {"stage", SHERD_COLUMN_TEXT},
        {"wall_s", SHERD_COLUMN_NUMBER},        {"packing_s", SHERD_COLUMN_NUMBER},
        {"calibration_s", SHERD_COLUMN_NUMBER}, {"building_s", SHERD_COLUMN_NUMBER},
        {"bonds_s", SHERD_COLUMN_NUMBER},       {"contact_s", SHERD_COLUMN_NUMBER},
        {"search_s", SHERD_COLUMN_NUMBER},      {"points_s", SHERD_COLUMN_NUMBER},
        {"implicit_s", SHERD_COLUMN_NUMBER},    {"other_steps_s", SHERD_COLUMN_NUMBER},
        {"surfaces_s", SHERD_COLUMN_NUMBER},    {"pictures_s", SHERD_COLUMN_NUMBER},
        {"measuring_s", SHERD_COLUMN_NUMBER},   {"files_s", SHERD_COLUMN_NUMBER},
        {"waiting_s", SHERD_COLUMN_NUMBER},
    };
    _Static_assert(sizeof columns / sizeof *columns == SHERD_TIMING_COLUMN_COUNT, "columns");
    return columns;
}

void sherd_timing_cells(int64_t frame, const char *stage, const sherd_run_timings *timings,
                        sherd_cell cells[SHERD_TIMING_COLUMN_COUNT])
{
    cells[0].integer = frame;
    cells[1].text = stage;
    for (int k = 0; k < MEMBER_COUNT; ++k)
        cells[2 + k].number = *member(timings, k);
}

sherd_run_timings sherd_timings_since(const sherd_run_timings *now, const sherd_run_timings *then)
{
    sherd_run_timings out = *now;
    for (int k = 0; k < MEMBER_COUNT; ++k)
        *value(&out, k) -= *member(then, k);
    return out;
}

void sherd_timings_add_row(sherd_run_timings *sum, const sherd_table *table, int64_t row)
{
    for (int k = 0; k < MEMBER_COUNT; ++k)
        *value(sum, k) += sherd_table_number(table, row, 2 + k);
}

const char *sherd_timing_part(const sherd_run_timings *timings, int part, double *seconds)
{
    SHERD_ASSERT(part >= 0 && part < SHERD_TIMING_PARTS, "the part exists");
    *seconds = *member(timings, part + 1);
    return MEMBERS[part + 1].name;
}
