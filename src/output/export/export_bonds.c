// Bonds of a run, its glue and their breaks as CSV and .vtp.

#include "output/export/export_bonds.h"

#include "base/assertion.h"
#include "base/error.h"
#include "base/file_writer.h"
#include "base/memory.h"
#include "output/export/frame_columns.h"
#include "output/export/vtp.h"
#include "output/run_file/run_format.h"
#include "output/text.h"

#include <inttypes.h>
#include <math.h>

static double distance(const double *x, const double *y, const double *z, sherd_element_index i,
                       sherd_element_index j)
{
    double dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
    return sqrt(dx * dx + dy * dy + dz * dz);
}

static double rest_length(const sherd_run_model *m, sherd_bond_index b)
{
    return distance(m->rest_x, m->rest_y, m->rest_z, m->bond_i[b], m->bond_j[b]);
}

sherd_vec3 sherd_bond_middle(const sherd_run_model *m, const sherd_run_frame *f, sherd_bond_index b)
{
    sherd_element_index i = m->bond_i[b], j = m->bond_j[b];
    return (sherd_vec3){0.5 * (f->x[i] + f->x[j]), 0.5 * (f->y[i] + f->y[j]),
                        0.5 * (f->z[i] + f->z[j])};
}

// ---------------------------------------------------------------- tables

// Unknown values are empty cells.
static void put_number(sherd_file_writer *writer, double value, int digits)
{
    char text[SHERD_NUMBER_SIZE];
    sherd_file_writer_text(writer, ",");
    if (!isnan(value)) sherd_file_writer_text(writer, sherd_number_text(text, value, digits));
}

static void put_place(sherd_file_writer *writer, sherd_vec3 place)
{
    put_number(writer, place.x, 17);
    put_number(writer, place.y, 17);
    put_number(writer, place.z, 17);
}

static void put_area(sherd_file_writer *writer, const sherd_run_model *m, sherd_bond_index b)
{
    put_number(writer, m->bond_section != NULL ? (double)m->bond_section[b] : (double)NAN, 9);
}

static void put_ends(sherd_file_writer *writer, const sherd_run_model *m, sherd_bond_index b)
{
    sherd_element_index i = m->bond_i[b];
    sherd_file_writer_printf(writer, "%" PRId64 ",%d,%d,%d,%d", (int64_t)b, (int)i,
                             (int)m->bond_j[b], sherd_run_body_of(m, i), (int)m->material[i]);
}

// Writes the kind: a bond, or glue between two pieces of a body.
static void put_kind(sherd_file_writer *writer, const sherd_run_model *m, sherd_bond_index b)
{
    int piece_i = (int)sherd_run_piece_of(m, b, m->bond_i[b]),
        piece_j = (int)sherd_run_piece_of(m, b, m->bond_j[b]);
    sherd_file_writer_printf(writer, ",%s,%d,%d", piece_i < 0 ? "bond" : "glue", piece_i, piece_j);
}

static double time_of(const sherd_run_breaks *breaks, int64_t frame)
{
    return frame >= 0 && frame < breaks->frame_count ? breaks->time[frame] : (double)NAN;
}

sherd_status sherd_csv_write_bonds(const char *path, const sherd_run_model *model,
                                   const sherd_run_breaks *breaks, const sherd_run_frame *frame,
                                   sherd_error *error)
{
    sherd_file_writer *writer = sherd_file_writer_create(path, error);
    if (writer == NULL) return error != NULL ? error->status : SHERD_ERROR_IO;
    sherd_file_writer_text(writer, "bond,i,j,body,material,x_m,y_m,z_m,rest_length_m,area_m2,"
                                   "intact_frame,broken_frame,broken_time_s,kind,piece_i,"
                                   "piece_j\n");
    for (sherd_bond_index b = 0; b < model->bond_count; ++b) {
        put_ends(writer, model, b);
        put_place(writer, sherd_bond_middle(model, frame, b));
        put_number(writer, rest_length(model, b), 17);
        put_area(writer, model, b);
        if (breaks->broken[b] < 0)
            sherd_file_writer_printf(writer, ",%" PRId64 ",,", breaks->known);
        else
            sherd_file_writer_printf(writer, ",%" PRId64 ",%" PRId64, breaks->intact[b],
                                     breaks->broken[b]);
        if (breaks->broken[b] >= 0) put_number(writer, time_of(breaks, breaks->broken[b]), 17);
        put_kind(writer, model, b);
        sherd_file_writer_text(writer, "\n");
    }
    return sherd_file_writer_commit(writer, error);
}

sherd_status sherd_csv_write_bond_columns(const char *path, const sherd_run_model *model,
                                          const sherd_run_frame *frame, sherd_error *error)
{
    static const char *const NAMES[] = {"bond",   "i",    "j",       "body",    "material",
                                        "broken", "kind", "piece_i", "piece_j", NULL};
    sherd_file_writer *writer = sherd_file_writer_create(path, error);
    if (writer == NULL) return error != NULL ? error->status : SHERD_ERROR_IO;
    sherd_frame_columns columns;
    sherd_frame_columns_find(&columns, frame, SHERD_RUN_PER_BOND, NAMES);
    sherd_frame_columns_write_names(&columns, NAMES, writer);
    for (sherd_bond_index b = 0; b < model->bond_count; ++b) {
        put_ends(writer, model, b);
        sherd_file_writer_printf(writer, ",%d", frame->bond_broken[b] != 0);
        put_kind(writer, model, b);
        sherd_frame_columns_write_row(&columns, (size_t)b, writer);
    }
    return sherd_file_writer_commit(writer, error);
}

// NULL: the run file has no record of the break.
static const sherd_break *event_of(const sherd_run_breaks *breaks, sherd_bond_index b)
{
    bool known = breaks->event != NULL && breaks->event[b] >= 0;
    return known ? &breaks->events[breaks->event[b]] : NULL;
}

static void put_event(sherd_file_writer *writer, const sherd_run_breaks *breaks, sherd_bond_index b)
{
    const sherd_break *e = event_of(breaks, b);
    put_number(writer, e != NULL ? e->time : (double)NAN, 17);
    sherd_file_writer_printf(writer, ",%s", e != NULL ? sherd_break_mode_words[e->mode] : "");
    put_number(writer, e != NULL ? e->energy : (double)NAN, 17);
}

static void write_break(sherd_file_writer *writer, const sherd_run_model *model,
                        const sherd_run_breaks *breaks, const double *place, sherd_bond_index b)
{
    int64_t broken = breaks->broken[b], intact = breaks->intact[b];
    sherd_file_writer_printf(writer, "%" PRId64, broken);
    put_number(writer, time_of(breaks, broken), 17);
    sherd_file_writer_printf(writer, ",%" PRId64, intact);
    put_number(writer, time_of(breaks, intact), 17);
    sherd_file_writer_text(writer, ",");
    put_ends(writer, model, b);
    put_place(writer, (sherd_vec3){place[0], place[1], place[2]});
    put_area(writer, model, b);
    put_event(writer, breaks, b);
    put_kind(writer, model, b);
    sherd_file_writer_text(writer, "\n");
}

// Counting sort of broken bonds by frame, stable. The bonds of frame f start at starts[f].
static bool sort_by_frame(const sherd_run_breaks *breaks, sherd_owned *owned,
                          sherd_bond_index **order, sherd_bond_index *count)
{
    size_t frames = (size_t)breaks->frame_count;
    sherd_bond_index *starts = sherd_owned_alloc(owned, frames + 2, sizeof *starts);
    *order = sherd_owned_alloc(owned, (size_t)breaks->bond_count, sizeof **order);
    if (starts == NULL || *order == NULL) return false;
    for (sherd_bond_index b = 0; b < breaks->bond_count; ++b)
        if (breaks->broken[b] >= 0) ++starts[breaks->broken[b] + 1];
    for (size_t f = 0; f < frames; ++f)
        starts[f + 1] += starts[f];
    SHERD_ASSERT(starts[frames] <= breaks->bond_count, "each bond breaks at most once");
    *count = starts[frames];
    for (sherd_bond_index b = 0; b < breaks->bond_count; ++b)
        if (breaks->broken[b] >= 0) (*order)[starts[breaks->broken[b]]++] = b;
    return true;
}

sherd_status sherd_csv_write_breaks(const char *path, const sherd_run_model *model,
                                    const sherd_run_breaks *breaks, const double *place,
                                    sherd_error *error)
{
    sherd_owned owned = {0};
    sherd_bond_index *order, count = 0;
    sherd_file_writer *writer = NULL;
    sherd_status status = SHERD_OK;
    if (!sort_by_frame(breaks, &owned, &order, &count))
        status = sherd_fail_memory(error, path);
    else if ((writer = sherd_file_writer_create(path, error)) == NULL)
        status = error != NULL ? error->status : SHERD_ERROR_IO;
    if (status == SHERD_OK) {
        sherd_file_writer_text(writer, "frame,time_s,intact_frame,intact_time_s,bond,i,j,body,"
                                       "material,x_m,y_m,z_m,area_m2,break_time_s,mode,energy_j,"
                                       "kind,piece_i,piece_j\n");
        for (sherd_bond_index k = 0; k < count; ++k)
            if (!isnan(place[3 * order[k]]))
                write_break(writer, model, breaks, place + 3 * order[k], order[k]);
        status = sherd_file_writer_commit(writer, error);
    }
    sherd_owned_free(&owned);
    return status;
}

// ---------------------------------------------------------------- for ParaView

// Number of fixed arrays. area_m2 is the last, as it may be unknown.
enum { BOND_ARRAYS = 7, BREAK_ARRAYS = 11 };

typedef struct bond_arrays {
    int64_t count;
    int32_t *lines, *bond, *i, *j, *body, *frame, *mode, *piece_i, *piece_j;
    float *area, *rest_length, *stretch, *energy;
    double *points, *time;
} bond_arrays;

static bool make_room(bond_arrays *a, size_t count, size_t points, sherd_owned *owned)
{
    int32_t **integers[] = {&a->bond,  &a->i,    &a->j,       &a->body,
                            &a->frame, &a->mode, &a->piece_i, &a->piece_j};
    float **numbers[] = {&a->area, &a->rest_length, &a->stretch, &a->energy};
    bool ok = true;
    for (size_t k = 0; k < sizeof integers / sizeof *integers; ++k)
        ok = (*integers[k] = sherd_owned_alloc(owned, count, sizeof(int32_t))) != NULL && ok;
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; ++k)
        ok = (*numbers[k] = sherd_owned_alloc(owned, count, sizeof(float))) != NULL && ok;
    a->lines = sherd_owned_alloc(owned, 2 * count, sizeof *a->lines);
    a->points = sherd_owned_alloc(owned, 3 * points, sizeof *a->points);
    a->time = sherd_owned_alloc(owned, count, sizeof *a->time);
    return ok && a->lines != NULL && a->points != NULL && a->time != NULL;
}

static void add_bond(bond_arrays *a, const sherd_run_model *m, sherd_bond_index b)
{
    int64_t k = a->count++;
    a->bond[k] = (int32_t)b;
    a->i[k] = a->lines[2 * k] = m->bond_i[b];
    a->j[k] = a->lines[2 * k + 1] = m->bond_j[b];
    a->body[k] = sherd_run_body_of(m, m->bond_i[b]);
    a->piece_i[k] = sherd_run_piece_of(m, b, m->bond_i[b]);
    a->piece_j[k] = sherd_run_piece_of(m, b, m->bond_j[b]);
    a->rest_length[k] = (float)rest_length(m, b);
    a->area[k] = m->bond_section != NULL ? m->bond_section[b] : 0.0f;
}

static void fill_intact(bond_arrays *a, const sherd_run_model *m, const sherd_run_frame *f)
{
    for (sherd_bond_index b = 0; b < m->bond_count; ++b) {
        if (f->bond_broken[b]) continue;
        double length = distance(f->x, f->y, f->z, m->bond_i[b], m->bond_j[b]);
        a->stretch[a->count] = (float)(length / rest_length(m, b) - 1.0);
        add_bond(a, m, b);
    }
    for (sherd_element_index k = 0; k < m->element_count; ++k) {
        a->points[3 * k] = f->x[k];
        a->points[3 * k + 1] = f->y[k];
        a->points[3 * k + 2] = f->z[k];
    }
}

// Files number bonds with 32 bits, as they do the vertices of lines.
static sherd_status check_count(const char *path, const sherd_run_model *m, sherd_error *error)
{
    if (m->bond_count <= INT32_MAX / 2) return SHERD_OK;
    return sherd_fail(error, SHERD_ERROR_UNSUPPORTED, path, "export them as csv",
                      "%" PRId64 " bonds do not fit one file", (int64_t)m->bond_count);
}

sherd_status sherd_vtp_write_bonds(const char *path, const sherd_run_model *model,
                                   const sherd_run_frame *frame, sherd_error *error)
{
    sherd_status status = check_count(path, model, error);
    if (status != SHERD_OK) return status;
    sherd_owned owned = {0};
    bond_arrays a = {0};
    if (!make_room(&a, (size_t)model->bond_count, (size_t)model->element_count, &owned)) {
        status = sherd_fail_memory(error, path);
    } else {
        fill_intact(&a, model, frame);
        const sherd_vtk_array point[] = {
            {"stress_ratio", SHERD_VTK_FLOAT32, 1, frame->stress_ratio}};
        sherd_vtk_array cell[BOND_ARRAYS + SHERD_FRAME_COLUMNS] = {
            {"bond", SHERD_VTK_INT32, 1, a.bond},
            {"body", SHERD_VTK_INT32, 1, a.body},
            {"rest_length_m", SHERD_VTK_FLOAT32, 1, a.rest_length},
            {"stretch", SHERD_VTK_FLOAT32, 1, a.stretch},
            {"piece_i", SHERD_VTK_INT32, 1, a.piece_i},
            {"piece_j", SHERD_VTK_INT32, 1, a.piece_j},
            {"area_m2", SHERD_VTK_FLOAT32, 1, a.area}};
        int own = model->bond_section != NULL ? BOND_ARRAYS : BOND_ARRAYS - 1;
        const sherd_vtk_mesh mesh = {
            .time = frame->time,
            .point_count = model->element_count,
            .points = a.points,
            .lines = a.lines,
            .line_count = a.count,
            .point_array_count = 1,
            .point_arrays = point,
            .cell_array_count = sherd_frame_columns_add(cell, own, frame, SHERD_RUN_PER_BOND,
                                                        a.bond, a.count, &owned),
            .cell_arrays = cell};
        status = mesh.cell_array_count >= 0 ? sherd_vtp_write(path, &mesh, error)
                                            : sherd_fail_memory(error, path);
    }
    sherd_owned_free(&owned);
    return status;
}

static void fill_breaks(bond_arrays *a, const sherd_run_model *m, const sherd_run_frame *f,
                        const sherd_run_breaks *breaks, int64_t after)
{
    for (sherd_bond_index b = 0; b < m->bond_count; ++b) {
        if (breaks->broken[b] <= after || breaks->broken[b] > f->index) continue;
        sherd_vec3 p = sherd_bond_middle(m, f, b);
        double *place = a->points + 3 * a->count;
        place[0] = p.x, place[1] = p.y, place[2] = p.z;
        a->frame[a->count] = (int32_t)breaks->broken[b];
        const sherd_break *e = event_of(breaks, b);
        a->time[a->count] = e != NULL ? e->time : (double)NAN;
        a->mode[a->count] = e != NULL ? (int32_t)e->mode : -1;
        a->energy[a->count] = e != NULL ? (float)e->energy : (float)NAN;
        add_bond(a, m, b);
    }
}

sherd_status sherd_vtp_write_breaks(const char *path, const sherd_run_model *model,
                                    const sherd_run_frame *frame, const sherd_run_breaks *breaks,
                                    int64_t after, sherd_error *error)
{
    sherd_status status = check_count(path, model, error);
    if (status != SHERD_OK) return status;
    sherd_owned owned = {0};
    bond_arrays a = {0};
    if (!make_room(&a, (size_t)model->bond_count, (size_t)model->bond_count, &owned)) {
        status = sherd_fail_memory(error, path);
    } else {
        fill_breaks(&a, model, frame, breaks, after);
        sherd_vtk_array point[BREAK_ARRAYS + SHERD_FRAME_COLUMNS] = {
            {"bond", SHERD_VTK_INT32, 1, a.bond},
            {"i", SHERD_VTK_INT32, 1, a.i},
            {"j", SHERD_VTK_INT32, 1, a.j},
            {"body", SHERD_VTK_INT32, 1, a.body},
            {"frame", SHERD_VTK_INT32, 1, a.frame},
            {"break_time_s", SHERD_VTK_FLOAT64, 1, a.time},
            {"mode", SHERD_VTK_INT32, 1, a.mode},
            {"energy_j", SHERD_VTK_FLOAT32, 1, a.energy},
            {"piece_i", SHERD_VTK_INT32, 1, a.piece_i},
            {"piece_j", SHERD_VTK_INT32, 1, a.piece_j},
            {"area_m2", SHERD_VTK_FLOAT32, 1, a.area}};
        int own = model->bond_section != NULL ? BREAK_ARRAYS : BREAK_ARRAYS - 1;
        const sherd_vtk_mesh mesh = {
            .time = frame->time,
            .point_count = a.count,
            .points = a.points,
            .point_array_count = sherd_frame_columns_add(point, own, frame, SHERD_RUN_PER_BOND,
                                                         a.bond, a.count, &owned),
            .point_arrays = point};
        status = mesh.point_array_count >= 0 ? sherd_vtp_write(path, &mesh, error)
                                             : sherd_fail_memory(error, path);
    }
    sherd_owned_free(&owned);
    return status;
}
