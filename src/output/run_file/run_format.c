#include "output/run_file/run_format.h"

#include "base/error.h"
#include "output/run_file/column.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

enum {
    STATS_WORDS = 30,  // 64-bit words of sherd_run_stats
    ENERGY_WORDS = 12, // of them sherd_energy's but the last, which is added at a step's end
    POSE_WORDS = 7,
};
_Static_assert(offsetof(sherd_energy, dissipated_onset) == ENERGY_WORDS * sizeof(double) &&
                   sizeof(sherd_energy) == (ENERGY_WORDS + 1) * sizeof(double),
               "sherd_energy changed: raise FORMAT_VERSION and store the new fields");

// Stored bytes per element and per bond of a model: three rest coordinates, radius, mass, material;
// two ends.
static const size_t MODEL_ELEMENT_BYTES = 5 * sizeof(double) + sizeof(uint16_t);
static const size_t MODEL_BOND_BYTES = 2 * sizeof(sherd_element_index);

// ---------------------------------------------------------------- small pieces

static void put_integer(sherd_byte_buffer *buffer, int64_t value)
{
    sherd_byte_buffer_append(buffer, &value, sizeof value);
}

static void put_number(sherd_byte_buffer *buffer, double value)
{
    sherd_byte_buffer_append(buffer, &value, sizeof value);
}

static void put_string(sherd_byte_buffer *buffer, const char *text)
{
    sherd_byte_buffer_append_block(buffer, text != NULL ? text : "",
                                   text != NULL ? strlen(text) : 0);
}

static int64_t take_integer(sherd_byte_reader *reader)
{
    int64_t value;
    sherd_byte_reader_take(reader, &value, sizeof value);
    return value;
}

static double take_number(sherd_byte_reader *reader)
{
    double value;
    sherd_byte_reader_take(reader, &value, sizeof value);
    return value;
}

static size_t bytes_left(const sherd_byte_reader *reader)
{
    return reader->failed ? 0 : reader->size - reader->at;
}

// A count of things that take at least `item_bytes` each in what is left; 0 and failed otherwise.
static int64_t take_count(sherd_byte_reader *reader, size_t item_bytes, int64_t largest)
{
    int64_t count = take_integer(reader);
    if (count < 0 || count > largest || (uint64_t)count > bytes_left(reader) / item_bytes) {
        reader->failed = true;
        return 0;
    }
    return count;
}

// Memory for what the reader will fill; a failure marks the reader.
static void *room(sherd_byte_reader *reader, sherd_owned *owned, size_t count, size_t item_size)
{
    void *items = sherd_owned_alloc(owned, count, item_size);
    if (items == NULL) reader->failed = true;
    return items;
}

// Takes a block of any size with a zero byte after it. "" when the reader failed.
static void *take_block(sherd_byte_reader *reader, sherd_owned *owned, size_t *size)
{
    size_t count = sherd_byte_reader_peek_block(reader);
    size_t left = bytes_left(reader);
    *size = 0;
    if (left < sizeof(uint64_t) || count > left - sizeof(uint64_t)) reader->failed = true;
    char *bytes = reader->failed ? NULL : room(reader, owned, count + 1, 1);
    if (bytes == NULL) return ""; // never written to: its size is 0
    sherd_byte_reader_take_block(reader, bytes, count);
    *size = count;
    return bytes;
}

static const char *take_string(sherd_byte_reader *reader, sherd_owned *owned)
{
    size_t size;
    return take_block(reader, owned, &size);
}

// Everything must have been read, and nothing more.
static sherd_status finish(const sherd_byte_reader *reader, bool sensible, const char *where,
                           const char *part, sherd_error *error)
{
    if (!reader->failed && reader->at == reader->size && sensible) return SHERD_OK;
    return sherd_fail(error, SHERD_ERROR_INPUT, where,
                      "the file was damaged or written by something else",
                      "the %s stored here makes no sense", part);
}

// ---------------------------------------------------------------- info

// Each ends with a zero byte, the only one that no setting can hold.
static void put_settings(sherd_byte_buffer *buffer, const sherd_run_info *info)
{
    size_t size = 0;
    for (int k = 0; k < info->setting_count; ++k)
        size += strlen(info->settings[k]) + 1;
    put_integer(buffer, (int64_t)size);
    for (int k = 0; k < info->setting_count; ++k)
        sherd_byte_buffer_append(buffer, info->settings[k], strlen(info->settings[k]) + 1);
}

// Format 2 has one setting per line.
static void take_settings(sherd_byte_reader *reader, sherd_owned *owned, sherd_run_info *info)
{
    size_t size, count = 0;
    char *text = take_block(reader, owned, &size);
    if (reader->failed || size == 0) return;
    if (text[size - 1] != '\0')
        for (char *end = text; (end = strchr(end, '\n')) != NULL;)
            *end++ = '\0';
    for (size_t at = 0; at < size; at += strlen(text + at) + 1)
        ++count;
    const char **settings = room(reader, owned, count, sizeof *settings);
    if (settings == NULL) return;
    for (size_t at = 0; at < size; at += strlen(text + at) + 1)
        settings[info->setting_count++] = text + at;
    info->settings = settings;
}

void sherd_run_encode_info(sherd_byte_buffer *buffer, const sherd_run_info *info)
{
    put_string(buffer, info->name);
    put_string(buffer, info->scene_path);
    put_string(buffer, info->scene_text);
    put_string(buffer, info->variant);
    put_settings(buffer, info);
    put_string(buffer, info->machine);
    put_string(buffer, info->version);
    put_number(buffer, info->duration);
    put_number(buffer, info->frame_interval);
    put_integer(buffer, info->frames_planned);
    put_string(buffer, info->simd);
}

sherd_status sherd_run_decode_info(const unsigned char *bytes, size_t size, const char *where,
                                   sherd_owned *owned, sherd_run_info *info, sherd_error *error)
{
    sherd_byte_reader reader = {.bytes = bytes, .size = size};
    info->name = take_string(&reader, owned);
    info->scene_path = take_string(&reader, owned);
    info->scene_text = take_string(&reader, owned);
    info->variant = take_string(&reader, owned);
    take_settings(&reader, owned, info);
    info->machine = take_string(&reader, owned);
    info->version = take_string(&reader, owned);
    info->duration = take_number(&reader);
    info->frame_interval = take_number(&reader);
    info->frames_planned = take_integer(&reader);
    info->simd = bytes_left(&reader) > 0 ? take_string(&reader, owned) : ""; // older files end here
    return finish(&reader, true, where, "scene", error);
}

// ---------------------------------------------------------------- model

static void put_tetras(sherd_byte_buffer *buffer, const sherd_run_model *model)
{
    for (int k = 0; k < model->body_count; ++k) {
        const sherd_tetra_mesh *mesh = model->tetras[k];
        put_integer(buffer, mesh != NULL ? mesh->vertex_count : 0);
        put_integer(buffer, mesh != NULL ? mesh->tetra_count : 0);
        if (mesh == NULL) continue;
        sherd_column_put(buffer, mesh->vertices, 3 * (size_t)mesh->vertex_count, sizeof(double));
        sherd_column_put(buffer, mesh->tetras, 4 * (size_t)mesh->tetra_count, sizeof *mesh->tetras);
    }
}

void sherd_run_encode_model(sherd_byte_buffer *buffer, const sherd_run_model *model)
{
    size_t n = (size_t)model->element_count, m = (size_t)model->bond_count;
    put_integer(buffer, model->element_count);
    put_integer(buffer, model->bond_count);
    put_integer(buffer, model->body_count);
    put_integer(buffer, model->material_count);
    put_integer(buffer, model->obstacle_count);
    for (int k = 0; k < model->body_count; ++k) {
        put_string(buffer, model->bodies[k].name);
        put_integer(buffer, model->bodies[k].first);
        put_integer(buffer, model->bodies[k].count);
        put_integer(buffer, model->bodies[k].material);
    }
    for (int k = 0; k < model->material_count; ++k)
        put_string(buffer, model->material_names[k]);
    for (int k = 0; k < model->obstacle_count; ++k)
        put_string(buffer, model->obstacle_names[k]);
    const double *columns[] = {model->rest_x, model->rest_y, model->rest_z, model->radius,
                               model->mass};
    for (int k = 0; k < 5; ++k)
        sherd_column_put(buffer, columns[k], n, sizeof(double));
    sherd_column_put(buffer, model->material, n, sizeof *model->material);
    sherd_column_put(buffer, model->bond_i, m, sizeof *model->bond_i);
    sherd_column_put(buffer, model->bond_j, m, sizeof *model->bond_j);
    if (model->tetras != NULL) put_tetras(buffer, model);
}

static const sherd_body_info *take_bodies(sherd_byte_reader *reader, sherd_owned *owned,
                                          const sherd_run_model *model)
{
    sherd_body_info *bodies = room(reader, owned, (size_t)model->body_count, sizeof *bodies);
    for (int k = 0; !reader->failed && k < model->body_count; ++k) {
        const char *name = take_string(reader, owned);
        int64_t first = take_integer(reader), count = take_integer(reader);
        int64_t material = take_integer(reader);
        int64_t n = model->element_count;
        if (first < 0 || first > n || count < 0 || count > n - first || material < 0 ||
            material > UINT16_MAX)
            reader->failed = true;
        bodies[k] = (sherd_body_info){.name = name,
                                      .first = (sherd_element_index)first,
                                      .count = (sherd_element_index)count,
                                      .material = (uint16_t)material};
    }
    return bodies;
}

static const char *const *take_names(sherd_byte_reader *reader, sherd_owned *owned, int count)
{
    const char **names = room(reader, owned, (size_t)count, sizeof *names);
    for (int k = 0; !reader->failed && k < count; ++k)
        names[k] = take_string(reader, owned);
    return names;
}

static void *take_column(sherd_byte_reader *reader, sherd_owned *owned, size_t count, size_t width)
{
    void *items = reader->failed ? NULL : room(reader, owned, count, width);
    if (items != NULL) sherd_column_take(reader, items, count, width);
    return items;
}

static bool bonds_make_sense(const sherd_run_model *model)
{
    for (sherd_bond_index k = 0; k < model->bond_count; ++k) {
        sherd_element_index i = model->bond_i[k], j = model->bond_j[k];
        if (i < 0 || j < 0 || i >= model->element_count || j >= model->element_count) return false;
    }
    return true;
}

static bool tetras_make_sense(const sherd_tetra_mesh *mesh, sherd_element_index elements)
{
    for (size_t k = 0; k < 3 * (size_t)mesh->vertex_count; ++k)
        if (!isfinite(mesh->vertices[k])) return false;
    for (size_t k = 0; k < 4 * (size_t)mesh->tetra_count; ++k)
        if (mesh->tetras[k] < 0 || mesh->tetras[k] >= mesh->vertex_count) return false;
    return mesh->tetra_count == elements;
}

static const sherd_tetra_mesh *take_tetra(sherd_byte_reader *reader, sherd_owned *owned,
                                          sherd_element_index elements)
{
    int64_t vertices = take_count(reader, 3 * sizeof(double), INT32_MAX);
    int64_t tetras = take_integer(reader);
    if (tetras < 0 || (uint64_t)tetras > bytes_left(reader) / (4 * sizeof(int32_t)))
        reader->failed = true;
    sherd_tetra_mesh *mesh =
        reader->failed || tetras == 0 ? NULL : room(reader, owned, 1, sizeof *mesh);
    if (mesh == NULL) return NULL;
    mesh->vertex_count = (int32_t)vertices;
    mesh->tetra_count = (int32_t)tetras;
    mesh->vertices = take_column(reader, owned, 3 * (size_t)vertices, sizeof(double));
    mesh->tetras = take_column(reader, owned, 4 * (size_t)tetras, sizeof *mesh->tetras);
    if (!reader->failed && !tetras_make_sense(mesh, elements)) reader->failed = true;
    return mesh;
}

// Behind all else, and only where a body has one.
static const sherd_tetra_mesh *const *take_tetras(sherd_byte_reader *reader, sherd_owned *owned,
                                                  const sherd_run_model *model)
{
    if (bytes_left(reader) == 0) return NULL;
    const sherd_tetra_mesh **tetras =
        room(reader, owned, (size_t)model->body_count, sizeof *tetras);
    for (int k = 0; !reader->failed && k < model->body_count; ++k)
        tetras[k] = take_tetra(reader, owned, model->bodies[k].count);
    return tetras;
}

sherd_status sherd_run_decode_model(const unsigned char *bytes, size_t size, const char *where,
                                    sherd_owned *owned, sherd_run_model *model, sherd_error *error)
{
    sherd_byte_reader reader = {.bytes = bytes, .size = size};
    *model = (sherd_run_model){0};
    model->element_count = (sherd_element_index)take_count(&reader, MODEL_ELEMENT_BYTES, INT32_MAX);
    model->bond_count = take_count(&reader, MODEL_BOND_BYTES, INT64_MAX);
    model->body_count = (int)take_count(&reader, 4 * sizeof(int64_t), INT32_MAX);
    model->material_count = (int)take_count(&reader, sizeof(int64_t), INT32_MAX);
    model->obstacle_count = (int)take_count(&reader, sizeof(int64_t), INT32_MAX);
    model->bodies = take_bodies(&reader, owned, model);
    model->material_names = take_names(&reader, owned, model->material_count);
    model->obstacle_names = take_names(&reader, owned, model->obstacle_count);
    const double **columns[] = {&model->rest_x, &model->rest_y, &model->rest_z, &model->radius,
                                &model->mass};
    size_t n = (size_t)model->element_count, m = (size_t)model->bond_count;
    for (int k = 0; k < 5; ++k)
        *columns[k] = take_column(&reader, owned, n, sizeof(double));
    model->material = take_column(&reader, owned, n, sizeof *model->material);
    model->bond_i = take_column(&reader, owned, m, sizeof *model->bond_i);
    model->bond_j = take_column(&reader, owned, m, sizeof *model->bond_j);
    model->tetras = take_tetras(&reader, owned, model);
    bool sensible = !reader.failed && bonds_make_sense(model);
    return finish(&reader, sensible, where, "model", error);
}

void sherd_run_encode_sections(sherd_byte_buffer *buffer, const sherd_run_model *model)
{
    sherd_column_put(buffer, model->bond_section, (size_t)model->bond_count,
                     sizeof *model->bond_section);
}

sherd_status sherd_run_decode_sections(const unsigned char *bytes, size_t size, const char *where,
                                       sherd_owned *owned, sherd_run_model *model,
                                       sherd_error *error)
{
    sherd_byte_reader reader = {.bytes = bytes, .size = size};
    model->bond_section =
        take_column(&reader, owned, (size_t)model->bond_count, sizeof *model->bond_section);
    return finish(&reader, true, where, "bonds' sections", error);
}

// ---------------------------------------------------------------- the small part of a frame

static uint64_t number_word(double number)
{
    uint64_t word;
    memcpy(&word, &number, sizeof word);
    return word;
}

static double word_number(uint64_t word)
{
    double number;
    memcpy(&number, &word, sizeof number);
    return number;
}

static void put_stats(sherd_byte_buffer *buffer, const sherd_run_stats *s)
{
    uint64_t words[STATS_WORDS] = {(uint64_t)s->frame,
                                   number_word(s->time),
                                   (uint64_t)s->steps,
                                   number_word(s->time_step),
                                   (uint64_t)s->elements,
                                   (uint64_t)s->bonds,
                                   (uint64_t)s->broken_bonds,
                                   (uint64_t)s->fragments,
                                   (uint64_t)s->newton_iterations,
                                   (uint64_t)s->linear_iterations,
                                   number_word(s->wall)};
    memcpy(words + 11, &s->energy, ENERGY_WORDS * sizeof *words);
    const double rest[] = {s->momentum.x,         s->momentum.y,         s->momentum.z,
                           s->angular_momentum.x, s->angular_momentum.y, s->angular_momentum.z};
    sherd_byte_buffer_append(buffer, words, (11 + ENERGY_WORDS) * sizeof *words);
    sherd_byte_buffer_append(buffer, rest, sizeof rest);
    sherd_byte_buffer_append(buffer, &s->state_hash, sizeof s->state_hash);
}

static sherd_run_stats take_stats(sherd_byte_reader *reader)
{
    uint64_t words[11];
    double rest[6];
    sherd_run_stats s;
    sherd_byte_reader_take(reader, words, sizeof words);
    s.frame = (int64_t)words[0];
    s.time = word_number(words[1]);
    s.steps = (int64_t)words[2];
    s.time_step = word_number(words[3]);
    s.elements = (int64_t)words[4];
    s.bonds = (int64_t)words[5];
    s.broken_bonds = (int64_t)words[6];
    s.fragments = (int64_t)words[7];
    s.newton_iterations = (int64_t)words[8];
    s.linear_iterations = (int64_t)words[9];
    s.wall = word_number(words[10]);
    sherd_byte_reader_take(reader, &s.energy, ENERGY_WORDS * sizeof *words);
    s.energy.dissipated_onset = 0.0;
    sherd_byte_reader_take(reader, rest, sizeof rest);
    s.momentum = (sherd_vec3){rest[0], rest[1], rest[2]};
    s.angular_momentum = (sherd_vec3){rest[3], rest[4], rest[5]};
    sherd_byte_reader_take(reader, &s.state_hash, sizeof s.state_hash);
    return s;
}

void sherd_run_encode_step(sherd_byte_buffer *buffer, const sherd_run_frame *frame,
                           int obstacle_count, const sherd_bond_index *newly_broken,
                           sherd_bond_index newly_broken_count)
{
    put_number(buffer, frame->time);
    put_stats(buffer, &frame->stats);
    put_integer(buffer, obstacle_count);
    for (int k = 0; k < obstacle_count; ++k) {
        sherd_pose pose = frame->obstacles[k];
        const double words[POSE_WORDS] = {pose.position.x, pose.position.y, pose.position.z,
                                          pose.rotation.x, pose.rotation.y, pose.rotation.z,
                                          pose.rotation.w};
        sherd_byte_buffer_append(buffer, words, sizeof words);
    }
    put_integer(buffer, newly_broken_count);
    sherd_column_put(buffer, newly_broken, (size_t)newly_broken_count, sizeof *newly_broken);
    put_number(buffer, frame->stats.energy.dissipated_onset);
}

static const sherd_pose *take_poses(sherd_byte_reader *reader, sherd_owned *owned, int count)
{
    if (take_integer(reader) != count) reader->failed = true;
    sherd_pose *poses = room(reader, owned, (size_t)count, sizeof *poses);
    for (int k = 0; !reader->failed && k < count; ++k) {
        double w[POSE_WORDS];
        sherd_byte_reader_take(reader, w, sizeof w);
        poses[k] = (sherd_pose){{w[0], w[1], w[2]}, {w[3], w[4], w[5], w[6]}};
    }
    return poses;
}

sherd_status sherd_run_decode_step(const unsigned char *bytes, size_t size, const char *where,
                                   const sherd_run_model *model, sherd_owned *owned,
                                   sherd_run_step *step, sherd_error *error)
{
    sherd_byte_reader reader = {.bytes = bytes, .size = size};
    step->time = take_number(&reader);
    step->stats = take_stats(&reader);
    step->obstacles = take_poses(&reader, owned, model->obstacle_count);
    step->newly_broken_count = take_count(&reader, sizeof *step->newly_broken, model->bond_count);
    step->newly_broken =
        take_column(&reader, owned, (size_t)step->newly_broken_count, sizeof *step->newly_broken);
    if (bytes_left(&reader) > 0) // files of former versions end here
        step->stats.energy.dissipated_onset = take_number(&reader);
    bool sensible = !reader.failed;
    for (sherd_bond_index k = 0; sensible && k < step->newly_broken_count; ++k)
        sensible = step->newly_broken[k] >= 0 && step->newly_broken[k] < model->bond_count;
    return finish(&reader, sensible, where, "frame", error);
}

// ---------------------------------------------------------------- the large part of a frame

// An array of zeros stands for one that was not given.
static void put_optional(sherd_byte_buffer *buffer, const void *items, size_t count, size_t width)
{
    if (items != NULL) {
        sherd_column_put(buffer, items, count, width);
        return;
    }
    static const unsigned char zeros[256] = {0};
    for (size_t left = count * width; left > 0;) {
        size_t part = left < sizeof zeros ? left : sizeof zeros;
        sherd_byte_buffer_append(buffer, zeros, part);
        left -= part;
    }
}

// Eight bonds a byte, the first in its lowest bit. With it a frame needs none of those before.
static void put_broken(sherd_byte_buffer *buffer, const uint8_t *broken, size_t count)
{
    for (size_t k = 0; k < count; k += 8) {
        unsigned char byte = 0;
        for (size_t b = 0; b < 8 && k + b < count; ++b)
            byte |= (unsigned char)((broken[k + b] != 0) << b);
        sherd_byte_buffer_append(buffer, &byte, 1);
    }
}

static const uint8_t *take_broken(sherd_byte_reader *reader, sherd_owned *owned, size_t count)
{
    uint8_t *broken = room(reader, owned, count, 1);
    unsigned char byte = 0;
    for (size_t k = 0; !reader->failed && k < count; ++k) {
        if (k % 8 == 0) sherd_byte_reader_take(reader, &byte, 1);
        broken[k] = byte >> k % 8 & 1u;
    }
    return broken;
}

void sherd_run_encode_frame(sherd_byte_buffer *buffer, const sherd_run_frame *frame,
                            sherd_element_index element_count, sherd_bond_index bond_count)
{
    size_t n = (size_t)element_count;
    const double *exact[] = {frame->x, frame->y, frame->z};
    const double *rounded[] = {frame->qx, frame->qy, frame->qz, frame->qw,
                               frame->vx, frame->vy, frame->vz};
    for (int k = 0; k < 3; ++k)
        sherd_column_put(buffer, exact[k], n, sizeof(double));
    for (int k = 0; k < 7; ++k)
        sherd_column_put_as_float(buffer, rounded[k], n);
    put_optional(buffer, frame->stress_ratio, n, sizeof *frame->stress_ratio);
    put_optional(buffer, frame->element_fragment, n, sizeof *frame->element_fragment);
    put_broken(buffer, frame->bond_broken, (size_t)bond_count);
}

// Rounding to floats leaves lengths off by 1e-7; readers may count on unit quaternions.
static bool normalize_quaternions(double *x, double *y, double *z, double *w, size_t n)
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

sherd_status sherd_run_decode_frame(const unsigned char *bytes, size_t size, const char *where,
                                    const sherd_run_model *model, sherd_owned *owned,
                                    sherd_run_frame *frame, sherd_error *error)
{
    sherd_byte_reader reader = {.bytes = bytes, .size = size};
    size_t n = (size_t)model->element_count;
    double *c[10];
    for (int k = 0; k < 10; ++k)
        c[k] = room(&reader, owned, n, sizeof(double));
    for (int k = 0; !reader.failed && k < 3; ++k)
        sherd_column_take(&reader, c[k], n, sizeof(double));
    for (int k = 3; !reader.failed && k < 10; ++k)
        sherd_column_take_float(&reader, c[k], n);
    frame->stress_ratio = take_column(&reader, owned, n, sizeof *frame->stress_ratio);
    frame->element_fragment = take_column(&reader, owned, n, sizeof *frame->element_fragment);
    frame->bond_broken = NULL;
    if (bytes_left(&reader) > 0) // frames of former versions end here
        frame->bond_broken = take_broken(&reader, owned, (size_t)model->bond_count);
    bool sensible = !reader.failed && normalize_quaternions(c[3], c[4], c[5], c[6], n);
    frame->x = c[0], frame->y = c[1], frame->z = c[2];
    frame->qx = c[3], frame->qy = c[4], frame->qz = c[5], frame->qw = c[6];
    frame->vx = c[7], frame->vy = c[8], frame->vz = c[9];
    return finish(&reader, sensible, where, "frame", error);
}

// ---------------------------------------------------------------- checkpoint

void sherd_run_encode_checkpoint(sherd_byte_buffer *buffer, const sherd_run_checkpoint *checkpoint)
{
    put_integer(buffer, checkpoint->frame);
    put_integer(buffer, checkpoint->next_fragment);
    put_integer(buffer, checkpoint->element_count);
    sherd_column_put(buffer, checkpoint->element_fragment, (size_t)checkpoint->element_count,
                     sizeof *checkpoint->element_fragment);
    sherd_byte_buffer_append_block(buffer, checkpoint->state, checkpoint->state_size);
    sherd_byte_buffer_append_block(buffer, checkpoint->extra, checkpoint->extra_size);
}

sherd_status sherd_run_decode_checkpoint(const unsigned char *bytes, size_t size, const char *where,
                                         sherd_owned *owned, sherd_run_checkpoint *checkpoint,
                                         sherd_error *error)
{
    sherd_byte_reader reader = {.bytes = bytes, .size = size};
    checkpoint->frame = take_integer(&reader);
    int64_t next_fragment = take_integer(&reader);
    checkpoint->next_fragment = (sherd_fragment_id)next_fragment;
    checkpoint->element_count =
        (sherd_element_index)take_count(&reader, sizeof *checkpoint->element_fragment, INT32_MAX);
    checkpoint->element_fragment = take_column(&reader, owned, (size_t)checkpoint->element_count,
                                               sizeof *checkpoint->element_fragment);
    checkpoint->state = take_block(&reader, owned, &checkpoint->state_size);
    checkpoint->extra = take_block(&reader, owned, &checkpoint->extra_size);
    bool sensible = checkpoint->frame >= -1 && next_fragment >= 0 && next_fragment <= INT32_MAX;
    return finish(&reader, sensible, where, "checkpoint", error);
}
