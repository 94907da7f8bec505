// Encodes records of the columns in run_schema.c.
#include "base/memory.h"
#include "output/run_file/run_format.h"
#include "output/run_file/run_schema.h"

#include <string.h>

// Columns are only read from.
static void *readable(const void *items)
{
    return (void *)(uintptr_t)items;
}

static void put(sherd_byte_buffer *out, const char *name, const sherd_row_layout *layout,
                const void *items, size_t rows, unsigned flags)
{
    sherd_record_write(out, &(sherd_record_column){name, layout, readable(items), rows, flags});
}

static void put_text(sherd_byte_buffer *out, const char *name, const char *text)
{
    put(out, name, &sherd_rows_u8, text, text != NULL ? strlen(text) : 0, 0);
}

// Zero-terminated strings, `stride` bytes apart.
static void put_texts(sherd_byte_buffer *out, const char *name, const void *first, size_t stride,
                      int count)
{
    size_t size = 0;
    for (int pass = 0; pass < 2; ++pass) {
        if (pass == 1) sherd_record_write_head(out, name, &sherd_rows_u8, size);
        for (int k = 0; k < count; ++k) {
            const char *text;
            memcpy(&text, (const char *)first + (size_t)k * stride, sizeof(char *));
            if (text == NULL) text = "";
            if (pass == 0)
                size += strlen(text) + 1;
            else
                sherd_byte_buffer_append(out, text, strlen(text) + 1);
        }
    }
}

static const void *pointer_at(const void *of, size_t offset)
{
    const void *pointer;
    memcpy(&pointer, (const char *)of + offset, sizeof pointer);
    return pointer;
}

static void put_array(sherd_byte_buffer *out, const sherd_run_array *array, const void *of,
                      size_t rows)
{
    const void *items = pointer_at(of, array->offset);
    if (items == NULL && (array->flags & SHERD_COLUMN_OPTIONAL) != 0) return;
    put(out, array->name, array->layout, items, rows, array->flags);
}

// Writes a section by element and one by bond. `more`: additional columns.
static void put_arrays(sherd_byte_buffer *out, const sherd_run_arrays *arrays, const void *of,
                       const sherd_run_sizes *sizes, const sherd_run_column *more, int more_count)
{
    for (sherd_run_per per = SHERD_RUN_PER_ELEMENT; per <= SHERD_RUN_PER_BOND; ++per) {
        size_t rows = per == SHERD_RUN_PER_BOND ? sizes->bonds : sizes->elements;
        size_t begun = sherd_record_begin(out, sherd_run_section(per));
        for (int a = 0; a < arrays->count; ++a)
            if (arrays->list[a].per == per) put_array(out, &arrays->list[a], of, rows);
        for (int c = 0; c < more_count; ++c)
            if (more[c].per == per)
                put(out, more[c].name, &sherd_rows_f32, more[c].values, rows, SHERD_COLUMN_PLANES);
        sherd_record_end(out, begun);
    }
}

static sherd_run_sizes sizes_of(const sherd_run_model *model)
{
    return (sherd_run_sizes){(size_t)model->element_count, (size_t)model->bond_count};
}

// ---------------------------------------------------------------- chunks

void sherd_run_encode_info(sherd_byte_buffer *out, const sherd_run_info *info)
{
    sherd_record_write_one(out, "times", &sherd_run_info_layout, info);
    for (int t = 0; t < SHERD_RUN_TEXTS; ++t)
        put_text(out, sherd_run_texts[t].name, pointer_at(info, sherd_run_texts[t].offset));
    put_texts(out, "settings", info->settings, sizeof *info->settings, info->setting_count);
}

// The meshes of all bodies are concatenated.
static void put_tetras(sherd_byte_buffer *out, const sherd_run_model *model)
{
    size_t vertices = 0, tetras = 0, bodies = (size_t)model->body_count;
    sherd_tetra_counts *counts = sherd_alloc(bodies, sizeof *counts);
    for (size_t k = 0; k < bodies && counts != NULL; ++k) {
        const sherd_tetra_mesh *mesh = model->tetras[k];
        if (mesh == NULL) continue;
        counts[k] = (sherd_tetra_counts){mesh->vertex_count, mesh->tetra_count};
        vertices += (size_t)mesh->vertex_count;
        tetras += (size_t)mesh->tetra_count;
    }
    double *points = sherd_alloc(3 * vertices, sizeof *points);
    int32_t *corners = sherd_alloc(4 * tetras, sizeof *corners);
    bool failed = counts == NULL || points == NULL || corners == NULL;
    size_t point = 0, corner = 0;
    for (size_t k = 0; k < bodies && !failed; ++k) {
        const sherd_tetra_mesh *mesh = model->tetras[k];
        if (mesh == NULL) continue;
        size_t p = 3 * (size_t)mesh->vertex_count, c = 4 * (size_t)mesh->tetra_count;
        memcpy(points + point, mesh->vertices, p * sizeof *points);
        memcpy(corners + corner, mesh->tetras, c * sizeof *corners);
        point += p, corner += c;
    }
    if (!failed) {
        put(out, "tetra_counts", &sherd_tetra_counts_layout, counts, bodies, 0);
        put(out, "tetra_vertices", &sherd_rows_f64, points, 3 * vertices, SHERD_COLUMN_PLANES);
        put(out, "tetra_corners", &sherd_rows_i32, corners, 4 * tetras, SHERD_COLUMN_PLANES);
    }
    out->failed |= failed;
    sherd_free(counts);
    sherd_free(points);
    sherd_free(corners);
}

void sherd_run_encode_model(sherd_byte_buffer *out, const sherd_run_model *model)
{
    sherd_run_sizes sizes = sizes_of(model);
    sherd_record_write_one(out, "counts", &sherd_run_counts_layout, model);
    put(out, "bodies", &sherd_body_info_layout, model->bodies, (size_t)model->body_count, 0);
    const char *const *first_name = model->body_count > 0 ? &model->bodies[0].name : NULL;
    put_texts(out, "body_names", first_name, sizeof *model->bodies, model->body_count);
    put_texts(out, "material_names", model->material_names, sizeof(char *), model->material_count);
    put_texts(out, "obstacle_names", model->obstacle_names, sizeof(char *), model->obstacle_count);
    put_arrays(out, &sherd_run_model_arrays, model, &sizes, NULL, 0);
    if (model->tetras != NULL) put_tetras(out, model);
}

void sherd_run_encode_sections(sherd_byte_buffer *out, const sherd_run_model *model)
{
    sherd_run_sizes sizes = sizes_of(model);
    put_arrays(out, &sherd_run_bond_arrays, model, &sizes, NULL, 0);
}

void sherd_run_encode_step(sherd_byte_buffer *out, const sherd_run_frame *frame, int obstacle_count,
                           const sherd_bond_index *newly_broken,
                           sherd_bond_index newly_broken_count, int64_t frames_planned)
{
    sherd_record_write_one(out, "time", &sherd_rows_f64, &frame->time);
    sherd_record_write_one(out, "stats", &sherd_run_stats_layout, &frame->stats);
    put(out, "obstacles", &sherd_rows_pose, frame->obstacles, (size_t)obstacle_count, 0);
    put(out, "newly_broken", &sherd_rows_i64, newly_broken, (size_t)newly_broken_count,
        SHERD_COLUMN_PLANES);
    put(out, "breaks", &sherd_break_layout, frame->breaks, (size_t)frame->break_count, 0);
    if (frames_planned > 0)
        sherd_record_write_one(out, "planned", &sherd_rows_i64, &frames_planned);
}

void sherd_run_encode_frame(sherd_byte_buffer *out, const sherd_run_frame *frame,
                            sherd_element_index element_count, sherd_bond_index bond_count)
{
    sherd_run_sizes sizes = {(size_t)element_count, (size_t)bond_count};
    put_arrays(out, &sherd_run_frame_arrays, frame, &sizes, frame->columns, frame->column_count);
    if (frame->contacts != NULL)
        put(out, "contacts", &sherd_contact_force_layout, frame->contacts,
            (size_t)frame->contact_count, 0);
}

static bool append_piece(void *context, const void *bytes, size_t size)
{
    sherd_byte_buffer *out = context;
    sherd_byte_buffer_append(out, bytes, size);
    return !out->failed;
}

static sherd_status put_state(sherd_byte_buffer *out, const sherd_world *world, sherd_error *error)
{
    size_t size;
    sherd_status status = sherd_world_save_pieces(world, NULL, &size, error);
    if (status != SHERD_OK) return status;
    sherd_record_write_head(out, "state", &sherd_rows_u8, size);
    const sherd_state_sink sink = {append_piece, out};
    return sherd_world_save_pieces(world, &sink, &size, error);
}

sherd_status sherd_run_encode_checkpoint(sherd_byte_buffer *out,
                                         const sherd_run_checkpoint *checkpoint,
                                         const sherd_world *world, sherd_error *error)
{
    sherd_status status = SHERD_OK;
    sherd_record_write_one(out, "head", &sherd_run_checkpoint_layout, checkpoint);
    put(out, "fragments", &sherd_rows_i32, checkpoint->element_fragment,
        (size_t)checkpoint->element_count, SHERD_COLUMN_PLANES);
    if (world != NULL)
        status = put_state(out, world, error);
    else
        put(out, "state", &sherd_rows_u8, checkpoint->state, checkpoint->state_size, 0);
    put(out, "extra", &sherd_rows_u8, checkpoint->extra, checkpoint->extra_size, 0);
    return status;
}
