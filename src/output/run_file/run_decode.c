// Decodes untrusted bytes: records of the columns in run_schema.c. Unknown columns are skipped,
// except those of frames, which are passed on by name.
#include "base/error.h"
#include "output/run_file/run_format.h"
#include "output/run_file/run_schema.h"

#include <math.h>
#include <string.h>

static sherd_record_about about_file(const char *where)
{
    return (sherd_record_about){.where = where,
                                .hint = "the file was damaged or written by something else"};
}

sherd_status sherd_run_fail_nonsense(const char *where, const char *part, sherd_error *error)
{
    return sherd_fail(error, SHERD_ERROR_INPUT, where,
                      "the file was damaged or written by something else",
                      "the %s stored here is invalid", part);
}

bool sherd_run_normalize_quaternions(double *x, double *y, double *z, double *w, size_t n)
{
    for (size_t k = 0; k < n; ++k) {
        double length = sqrt(x[k] * x[k] + y[k] * y[k] + z[k] * z[k] + w[k] * w[k]);
        if (!(length > 0.5 && length < 2.0)) return false;
        x[k] /= length;
        y[k] /= length;
        z[k] /= length;
        w[k] /= length;
    }
    return true;
}

// ---------------------------------------------------------------- pieces

// Allocates memory for decoded data; a failure marks the reader.
static void *room(sherd_record_reader *in, sherd_owned *owned, size_t count, size_t item_size)
{
    void *items = in->status == SHERD_OK ? sherd_owned_alloc(owned, count, item_size) : NULL;
    if (items == NULL && in->status == SHERD_OK)
        in->status = sherd_fail_memory(in->error, in->about->where);
    return items;
}

// Takes a column with exactly `count` rows, without allocating otherwise. NULL after a failure.
static void *take(sherd_record_reader *in, sherd_owned *owned, const char *name,
                  const sherd_row_layout *layout, size_t rows, unsigned flags)
{
    sherd_record_column column = {name, layout, NULL, rows, flags};
    bool optional = (flags & SHERD_COLUMN_OPTIONAL) != 0 && !sherd_record_has(in, name);
    if (optional || sherd_record_rows(in, name) == rows)
        column.items = room(in, owned, rows, layout->size);
    sherd_record_read(in, &column); // reports the error
    return in->status == SHERD_OK ? column.items : NULL;
}

// Takes a byte column of any size, with a terminating zero. "" after a failure.
static const char *take_bytes(sherd_record_reader *in, sherd_owned *owned, const char *name,
                              size_t *size)
{
    *size = sherd_record_rows(in, name);
    char *bytes = room(in, owned, *size + 1, 1);
    sherd_record_read(in, &(sherd_record_column){name, &sherd_rows_u8, bytes, *size, 0});
    if (in->status == SHERD_OK) return bytes;
    *size = 0;
    return "";
}

// Takes zero-terminated strings.
static const char *const *take_texts(sherd_record_reader *in, sherd_owned *owned, const char *name,
                                     int *count)
{
    size_t size, at = 0;
    int found = 0, most = 0;
    const char *text = take_bytes(in, owned, name, &size);
    for (size_t k = 0; k < size; ++k)
        most += text[k] == '\0' && most < INT32_MAX;
    const char **texts = room(in, owned, (size_t)most, sizeof *texts);
    for (; texts != NULL && found < most; at += strlen(text + at) + 1)
        texts[found++] = text + at;
    if (in->status == SHERD_OK && at != size)
        in->status = sherd_run_fail_nonsense(in->about->where, name, in->error);
    *count = found;
    return texts;
}

static const char *const *take_names(sherd_record_reader *in, sherd_owned *owned, const char *name,
                                     int wanted)
{
    int count;
    const char *const *names = take_texts(in, owned, name, &count);
    if (in->status == SHERD_OK && count != wanted)
        in->status = sherd_run_fail_nonsense(in->about->where, name, in->error);
    return names;
}

static void take_section(sherd_record_reader *in, sherd_owned *owned,
                         const sherd_run_arrays *arrays, sherd_run_per per, size_t rows, void *of)
{
    for (int a = 0; a < arrays->count; ++a) {
        const sherd_run_array *array = &arrays->list[a];
        if (array->per != per) continue;
        void *items = take(in, owned, array->name, array->layout, rows, array->flags);
        memcpy((char *)of + array->offset, &items, sizeof items);
    }
}

// Takes unknown columns of one number per row.
static void take_more(sherd_record_reader *in, sherd_owned *owned, sherd_run_per per, size_t rows,
                      sherd_run_frame *frame)
{
    sherd_run_column *columns = room(in, owned, SHERD_RECORD_MAX_ITEMS, sizeof *columns);
    const sherd_run_column *before = frame->columns;
    sherd_record_unread unread;
    int count = frame->column_count;
    if (columns == NULL) return;
    if (count > 0) memcpy(columns, before, (size_t)count * sizeof *columns);
    while (count < SHERD_RECORD_MAX_ITEMS && sherd_record_next_unread(in, &unread)) {
        if (unread.type != SHERD_SCALAR_F32 || unread.per_row != 1 || unread.rows != rows) continue;
        char *name = room(in, owned, strlen(unread.name) + 1, 1);
        float *values = room(in, owned, rows, sizeof *values);
        if (name == NULL || values == NULL) return;
        strcpy(name, unread.name);
        unread.pieces.layout = &sherd_rows_f32;
        sherd_record_read_rows(in, &unread.pieces, values, rows);
        columns[count++] = (sherd_run_column){.name = name, .per = per, .values = values};
    }
    frame->columns = columns;
    frame->column_count = count;
}

// `more`: also takes unknown columns. NULL: they are skipped.
static void take_arrays(sherd_record_reader *in, sherd_owned *owned, const sherd_run_arrays *arrays,
                        const sherd_run_sizes *sizes, void *of, sherd_run_frame *more)
{
    for (sherd_run_per per = SHERD_RUN_PER_ELEMENT; per <= SHERD_RUN_PER_BOND; ++per) {
        size_t rows = per == SHERD_RUN_PER_BOND ? sizes->bonds : sizes->elements;
        sherd_record_reader part = sherd_record_enter(in, sherd_run_section(per));
        take_section(&part, owned, arrays, per, rows, of);
        if (more != NULL) take_more(&part, owned, per, rows, more);
        sherd_record_leave(&part);
    }
}

static sherd_run_sizes sizes_of(const sherd_run_model *model)
{
    return (sherd_run_sizes){(size_t)model->element_count, (size_t)model->bond_count};
}

static sherd_status finish(sherd_record_reader *in, bool sensible, const char *part)
{
    sherd_status status = sherd_record_close(in);
    if (status != SHERD_OK || sensible) return status;
    return sherd_run_fail_nonsense(in->about->where, part, in->error);
}

// ---------------------------------------------------------------- info

static sherd_status decode_info(const unsigned char *bytes, size_t size, const char *where,
                                sherd_owned *owned, sherd_run_info *info, sherd_error *error)
{
    sherd_record_about about = about_file(where);
    sherd_record_reader in = sherd_record_open(bytes, size, &about, error);
    sherd_record_read_one(&in, "times", &sherd_run_info_layout, info);
    for (int t = 0; t < SHERD_RUN_TEXTS; ++t) {
        size_t ignored;
        const char *text = take_bytes(&in, owned, sherd_run_texts[t].name, &ignored);
        memcpy((char *)info + sherd_run_texts[t].offset, &text, sizeof text);
    }
    info->settings = take_texts(&in, owned, "settings", &info->setting_count);
    return finish(&in, true, "scene");
}

// ---------------------------------------------------------------- model

bool sherd_run_bonds_make_sense(const sherd_run_model *model)
{
    for (sherd_bond_index k = 0; k < model->bond_count; ++k) {
        sherd_element_index i = model->bond_i[k], j = model->bond_j[k];
        if (i < 0 || j < 0 || i >= model->element_count || j >= model->element_count) return false;
    }
    return true;
}

bool sherd_run_tetras_make_sense(const sherd_tetra_mesh *mesh, sherd_element_index elements)
{
    for (size_t k = 0; k < 3 * (size_t)mesh->vertex_count; ++k)
        if (!isfinite(mesh->vertices[k])) return false;
    for (size_t k = 0; k < 4 * (size_t)mesh->tetra_count; ++k)
        if (mesh->tetras[k] < 0 || mesh->tetras[k] >= mesh->vertex_count) return false;
    return mesh->tetra_count == elements;
}

bool sherd_run_body_makes_sense(const sherd_run_model *model, int64_t first, int64_t count)
{
    int64_t n = model->element_count;
    return first >= 0 && first <= n && count >= 0 && count <= n - first;
}

// Counts are limited by the available bytes before anything is allocated for them.
static void take_counts(sherd_record_reader *in, sherd_run_model *model)
{
    sherd_record_read_one(in, "counts", &sherd_run_counts_layout, model);
    bool sensible = model->element_count >= 0 && model->bond_count >= 0 && model->body_count >= 0 &&
                    model->material_count >= 0 && model->obstacle_count >= 0 &&
                    model->glue_count >= 0 && model->glue_count <= model->bond_count;
    if (in->status == SHERD_OK && !sensible)
        in->status = sherd_run_fail_nonsense(in->about->where, "model", in->error);
}

static void take_bodies(sherd_record_reader *in, sherd_owned *owned, sherd_run_model *model)
{
    sherd_body_info *bodies =
        take(in, owned, "bodies", &sherd_body_info_layout, (size_t)model->body_count, 0);
    const char *const *names = take_names(in, owned, "body_names", model->body_count);
    for (int k = 0; k < model->body_count && in->status == SHERD_OK; ++k) {
        bodies[k].name = names[k];
        if (!sherd_run_body_makes_sense(model, bodies[k].first, bodies[k].count))
            in->status = sherd_run_fail_nonsense(in->about->where, "model", in->error);
    }
    model->bodies = bodies;
}

// Splits the concatenated meshes of all bodies.
static bool cut_tetras(const sherd_run_model *model, const sherd_tetra_counts *counts,
                       double *points, size_t vertices, int32_t *corners, size_t tetras,
                       sherd_tetra_mesh *meshes, const sherd_tetra_mesh **of)
{
    for (int k = 0; k < model->body_count; ++k) {
        if (counts[k].vertices < 0 || counts[k].tetras < 0) return false;
        size_t p = (size_t)counts[k].vertices, c = (size_t)counts[k].tetras;
        if (p > vertices || c > tetras) return false;
        meshes[k] = (sherd_tetra_mesh){counts[k].vertices, counts[k].tetras, points, corners};
        of[k] = c > 0 ? &meshes[k] : NULL;
        if (c > 0 && !sherd_run_tetras_make_sense(&meshes[k], model->bodies[k].count)) return false;
        points += 3 * p, corners += 4 * c;
        vertices -= p, tetras -= c;
    }
    return vertices == 0 && tetras == 0;
}

static void take_tetras(sherd_record_reader *in, sherd_owned *owned, sherd_run_model *model)
{
    if (!sherd_record_has(in, "tetra_counts")) return;
    size_t bodies = (size_t)model->body_count;
    const sherd_tetra_counts *counts =
        take(in, owned, "tetra_counts", &sherd_tetra_counts_layout, bodies, 0);
    size_t points = sherd_record_rows(in, "tetra_vertices");
    size_t corners = sherd_record_rows(in, "tetra_corners");
    double *vertices = take(in, owned, "tetra_vertices", &sherd_rows_f64, points, 0);
    int32_t *tetras = take(in, owned, "tetra_corners", &sherd_rows_i32, corners, 0);
    sherd_tetra_mesh *meshes = room(in, owned, bodies, sizeof *meshes);
    const sherd_tetra_mesh **of = room(in, owned, bodies, sizeof *of);
    if (in->status != SHERD_OK) return;
    bool whole = points % 3 == 0 && corners % 4 == 0;
    if (!whole || !cut_tetras(model, counts, vertices, points / 3, tetras, corners / 4, meshes, of))
        in->status = sherd_run_fail_nonsense(in->about->where, "model", in->error);
    model->tetras = of;
}

static sherd_status decode_model(const unsigned char *bytes, size_t size, const char *where,
                                 sherd_owned *owned, sherd_run_model *model, sherd_error *error)
{
    sherd_record_about about = about_file(where);
    sherd_record_reader in = sherd_record_open(bytes, size, &about, error);
    *model = (sherd_run_model){0};
    take_counts(&in, model);
    take_bodies(&in, owned, model);
    model->material_names = take_names(&in, owned, "material_names", model->material_count);
    model->obstacle_names = take_names(&in, owned, "obstacle_names", model->obstacle_count);
    sherd_run_sizes sizes = sizes_of(model);
    take_arrays(&in, owned, &sherd_run_model_arrays, &sizes, model, NULL);
    take_tetras(&in, owned, model);
    return finish(&in, in.status == SHERD_OK && sherd_run_bonds_make_sense(model), "model");
}

static sherd_status decode_sections(const unsigned char *bytes, size_t size, const char *where,
                                    sherd_owned *owned, sherd_run_model *model, sherd_error *error)
{
    sherd_record_about about = about_file(where);
    sherd_record_reader in = sherd_record_open(bytes, size, &about, error);
    sherd_run_sizes sizes = sizes_of(model);
    take_arrays(&in, owned, &sherd_run_bond_arrays, &sizes, model, NULL);
    return finish(&in, true, "bonds' sections");
}

// ---------------------------------------------------------------- frames

bool sherd_run_step_makes_sense(const sherd_run_step *step, const sherd_run_model *model)
{
    for (sherd_bond_index k = 0; k < step->newly_broken_count; ++k)
        if (step->newly_broken[k] < 0 || step->newly_broken[k] >= model->bond_count) return false;
    return step->newly_broken_count <= model->bond_count;
}

sherd_body_index sherd_run_body_of(const sherd_run_model *m, sherd_element_index element)
{
    int low = 0, high = m->body_count - 1;
    while (low < high) {
        int middle = high - (high - low) / 2;
        if (m->bodies[middle].first <= element)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

int32_t sherd_run_piece_of(const sherd_run_model *m, sherd_bond_index bond,
                           sherd_element_index element)
{
    bool glue = bond >= m->bond_count - m->glue_count && m->piece != NULL;
    return glue ? m->piece[element] : -1;
}

// Optional: absent in old formats.
static void take_breaks(sherd_record_reader *in, sherd_owned *owned, const sherd_run_model *model,
                        sherd_run_step *step)
{
    if (!sherd_record_has(in, "breaks")) return;
    size_t count = sherd_record_rows(in, "breaks");
    sherd_break *breaks = take(in, owned, "breaks", &sherd_break_layout, count, 0);
    for (size_t k = 0; k < count && in->status == SHERD_OK; ++k) {
        sherd_break *b = &breaks[k];
        bool sensible = b->bond >= 0 && b->bond < model->bond_count && isfinite(b->time) &&
                        (unsigned)b->mode < SHERD_BREAK_MODE_COUNT;
        if (!sensible) {
            in->status = sherd_run_fail_nonsense(in->about->where, "frame", in->error);
            break;
        }
        b->i = model->bond_i[b->bond], b->j = model->bond_j[b->bond];
        b->body = sherd_run_body_of(model, b->i);
        b->piece_i = sherd_run_piece_of(model, b->bond, b->i);
        b->piece_j = sherd_run_piece_of(model, b->bond, b->j);
    }
    step->breaks = breaks;
    step->break_count = (int64_t)count;
}

static sherd_status decode_step(const unsigned char *bytes, size_t size, const char *where,
                                const sherd_run_model *model, sherd_owned *owned,
                                sherd_run_step *step, sherd_error *error)
{
    sherd_record_about about = about_file(where);
    sherd_record_reader in = sherd_record_open(bytes, size, &about, error);
    *step = (sherd_run_step){0};
    sherd_record_read_one(&in, "time", &sherd_rows_f64, &step->time);
    sherd_record_read_one(&in, "stats", &sherd_run_stats_layout, &step->stats);
    step->obstacles =
        take(&in, owned, "obstacles", &sherd_rows_pose, (size_t)model->obstacle_count, 0);
    size_t broken = sherd_record_rows(&in, "newly_broken");
    step->newly_broken = take(&in, owned, "newly_broken", &sherd_rows_i64, broken, 0);
    step->newly_broken_count = (sherd_bond_index)broken;
    take_breaks(&in, owned, model, step);
    if (sherd_record_has(&in, "planned"))
        sherd_record_read_one(&in, "planned", &sherd_rows_i64, &step->frames_planned);
    return finish(&in, in.status == SHERD_OK && sherd_run_step_makes_sense(step, model), "frame");
}

// A contact side is either an element or an obstacle of the model.
static bool side_makes_sense(const sherd_run_model *model, sherd_element_index element,
                             int32_t obstacle)
{
    if (obstacle == -1) return element >= 0 && element < model->element_count;
    return element == -1 && obstacle >= 0 && obstacle < model->obstacle_count;
}

// Optional: present only if the run records contacts.
static void take_contacts(sherd_record_reader *in, sherd_owned *owned, const sherd_run_model *model,
                          sherd_run_frame *frame)
{
    if (!sherd_record_has(in, "contacts")) return;
    size_t count = sherd_record_rows(in, "contacts");
    const sherd_contact_force *c =
        take(in, owned, "contacts", &sherd_contact_force_layout, count, 0);
    for (size_t k = 0; k < count && in->status == SHERD_OK; ++k)
        if (!side_makes_sense(model, c[k].i, c[k].i_obstacle) ||
            !side_makes_sense(model, c[k].j, c[k].j_obstacle))
            in->status = sherd_run_fail_nonsense(in->about->where, "frame", in->error);
    frame->contacts = c;
    frame->contact_count = (int64_t)count;
}

static sherd_status decode_frame(const unsigned char *bytes, size_t size, const char *where,
                                 const sherd_run_model *model, sherd_owned *owned,
                                 sherd_run_frame *frame, sherd_error *error)
{
    sherd_record_about about = about_file(where);
    sherd_record_reader in = sherd_record_open(bytes, size, &about, error);
    sherd_run_sizes sizes = sizes_of(model);
    take_arrays(&in, owned, &sherd_run_frame_arrays, &sizes, frame, frame);
    take_contacts(&in, owned, model, frame);
    // The reader fills them itself.
    bool sensible = in.status == SHERD_OK &&
                    sherd_run_normalize_quaternions((double *)(uintptr_t)frame->qx,
                                                    (double *)(uintptr_t)frame->qy,
                                                    (double *)(uintptr_t)frame->qz,
                                                    (double *)(uintptr_t)frame->qw, sizes.elements);
    return finish(&in, sensible, "frame");
}

sherd_status sherd_run_decode_checkpoint(const unsigned char *bytes, size_t size, const char *where,
                                         sherd_owned *owned, sherd_run_checkpoint *checkpoint,
                                         sherd_error *error)
{
    sherd_record_about about = about_file(where);
    sherd_record_reader in = sherd_record_open(bytes, size, &about, error);
    sherd_record_read_one(&in, "head", &sherd_run_checkpoint_layout, checkpoint);
    size_t count = sherd_record_rows(&in, "fragments");
    checkpoint->element_fragment = take(&in, owned, "fragments", &sherd_rows_i32, count, 0);
    checkpoint->element_count = count <= INT32_MAX ? (sherd_element_index)count : -1;
    checkpoint->state = take_bytes(&in, owned, "state", &checkpoint->state_size);
    checkpoint->extra = take_bytes(&in, owned, "extra", &checkpoint->extra_size);
    bool sensible =
        checkpoint->frame >= -1 && checkpoint->next_fragment >= 0 && checkpoint->element_count >= 0;
    return finish(&in, sensible, "checkpoint");
}

const sherd_run_decoders *sherd_run_decoders_of(uint32_t version)
{
    static const sherd_run_decoders records = {decode_info, decode_model, decode_sections,
                                               decode_step, decode_frame};
    return version >= SHERD_RUN_FIRST_RECORDS ? &records : &sherd_run_old_decoders;
}
