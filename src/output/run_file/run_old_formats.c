// Reads chunks of formats 2 to 4, which had fixed layouts (docs/reference/run-file.md, "Former
// formats").
#include "base/byte_planes.h"
#include "base/error.h"
#include "output/run_file/run_format.h"

#include <stddef.h>
#include <string.h>

enum { POSE_WORDS = 7 };

// Stored bytes per element and per bond of a model: three rest coordinates, radius, mass, material;
// two ends.
static const size_t MODEL_ELEMENT_BYTES = 5 * sizeof(double) + sizeof(uint16_t);
static const size_t MODEL_BOND_BYTES = 2 * sizeof(sherd_element_index);

// ---------------------------------------------------------------- small pieces

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

// A count of items that take at least `item_bytes` each in the remaining data; otherwise 0 and
// failed.
static int64_t take_count(sherd_byte_reader *reader, size_t item_bytes, int64_t largest)
{
    int64_t count = take_integer(reader);
    if (count < 0 || count > largest || (uint64_t)count > bytes_left(reader) / item_bytes) {
        reader->failed = true;
        return 0;
    }
    return count;
}

// Allocates memory for decoded data; a failure marks the reader.
static void *room(sherd_byte_reader *reader, sherd_owned *owned, size_t count, size_t item_size)
{
    void *items = sherd_owned_alloc(owned, count, item_size);
    if (items == NULL) reader->failed = true;
    return items;
}

// Takes a block of any size and terminates it with a zero. "" after a failure.
static void *take_block(sherd_byte_reader *reader, sherd_owned *owned, size_t *size)
{
    size_t count = sherd_byte_reader_peek_block(reader);
    size_t left = bytes_left(reader);
    *size = 0;
    if (left < sizeof(uint64_t) || count > left - sizeof(uint64_t)) reader->failed = true;
    char *bytes = reader->failed ? NULL : room(reader, owned, count + 1, 1);
    if (bytes == NULL) return ""; // never written to, as its size is 0
    sherd_byte_reader_take_block(reader, bytes, count);
    *size = count;
    return bytes;
}

static const char *take_string(sherd_byte_reader *reader, sherd_owned *owned)
{
    size_t size;
    return take_block(reader, owned, &size);
}

// Fails unless everything was read.
static sherd_status finish(const sherd_byte_reader *reader, bool sensible, const char *where,
                           const char *part, sherd_error *error)
{
    if (!reader->failed && reader->at == reader->size && sensible) return SHERD_OK;
    return sherd_run_fail_nonsense(where, part, error);
}

// The next `count` numbers of `width` bytes; NULL with the reader marked if there are fewer.
static const unsigned char *next_planes(sherd_byte_reader *reader, size_t count, size_t width)
{
    if (reader->failed || count > (reader->size - reader->at) / width) {
        reader->failed = true;
        return NULL;
    }
    const unsigned char *bytes = reader->bytes + reader->at;
    reader->at += count * width;
    return bytes;
}

static void *take_column(sherd_byte_reader *reader, sherd_owned *owned, size_t count, size_t width)
{
    const unsigned char *planes = next_planes(reader, count, width);
    void *items = planes != NULL ? room(reader, owned, count, width) : NULL;
    if (items != NULL) sherd_byte_planes_join(planes, items, count, width);
    return items;
}

static double *take_rounded(sherd_byte_reader *reader, sherd_owned *owned, size_t count)
{
    const unsigned char *planes = next_planes(reader, count, sizeof(float));
    double *items = planes != NULL ? room(reader, owned, count, sizeof *items) : NULL;
    if (items != NULL) sherd_byte_planes_join_rounded(planes, items, count);
    return items;
}

// ---------------------------------------------------------------- info

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

static sherd_status decode_info(const unsigned char *bytes, size_t size, const char *where,
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

static const sherd_body_info *take_bodies(sherd_byte_reader *reader, sherd_owned *owned,
                                          const sherd_run_model *model)
{
    sherd_body_info *bodies = room(reader, owned, (size_t)model->body_count, sizeof *bodies);
    for (int k = 0; !reader->failed && k < model->body_count; ++k) {
        const char *name = take_string(reader, owned);
        int64_t first = take_integer(reader), count = take_integer(reader);
        int64_t material = take_integer(reader);
        if (!sherd_run_body_makes_sense(model, first, count) || material < 0 ||
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
    if (!reader->failed && !sherd_run_tetras_make_sense(mesh, elements)) reader->failed = true;
    return mesh;
}

// At the end of the chunk, present only if a body has a mesh.
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

static sherd_status decode_model(const unsigned char *bytes, size_t size, const char *where,
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
    bool sensible = !reader.failed && sherd_run_bonds_make_sense(model);
    return finish(&reader, sensible, where, "model", error);
}

static sherd_status decode_sections(const unsigned char *bytes, size_t size, const char *where,
                                    sherd_owned *owned, sherd_run_model *model, sherd_error *error)
{
    sherd_byte_reader reader = {.bytes = bytes, .size = size};
    model->bond_section =
        take_column(&reader, owned, (size_t)model->bond_count, sizeof *model->bond_section);
    return finish(&reader, true, where, "bonds' sections", error);
}

// ---------------------------------------------------------------- frames

static double word_number(uint64_t word)
{
    double number;
    memcpy(&number, &word, sizeof number);
    return number;
}

// Everything but the last value, which only format 4 has, at the end.
static sherd_energy take_energy(sherd_byte_reader *reader)
{
    double e[12];
    sherd_byte_reader_take(reader, e, sizeof e);
    return (sherd_energy){.kinetic = e[0],
                          .elastic = e[1],
                          .gravity = e[2],
                          .contact = e[3],
                          .work = e[4],
                          .dissipated_bonds = e[5],
                          .dissipated_fracture = e[6],
                          .dissipated_contact = e[7],
                          .dissipated_friction = e[8],
                          .dissipated_integration = e[9],
                          .balance_error = e[10],
                          .max_stress_ratio = e[11]};
}

static sherd_run_stats take_stats(sherd_byte_reader *reader)
{
    uint64_t words[11];
    double rest[6];
    sherd_run_stats s = {0};
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
    s.energy = take_energy(reader);
    sherd_byte_reader_take(reader, rest, sizeof rest);
    s.momentum = (sherd_vec3){rest[0], rest[1], rest[2]};
    s.angular_momentum = (sherd_vec3){rest[3], rest[4], rest[5]};
    sherd_byte_reader_take(reader, &s.state_hash, sizeof s.state_hash);
    return s;
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

static sherd_status decode_step(const unsigned char *bytes, size_t size, const char *where,
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
    if (bytes_left(&reader) > 0) // old formats end here
        step->stats.energy.dissipated_onset = take_number(&reader);
    bool sensible = !reader.failed && sherd_run_step_makes_sense(step, model);
    return finish(&reader, sensible, where, "frame", error);
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

static sherd_status decode_frame(const unsigned char *bytes, size_t size, const char *where,
                                 const sherd_run_model *model, sherd_owned *owned,
                                 sherd_run_frame *frame, sherd_error *error)
{
    sherd_byte_reader reader = {.bytes = bytes, .size = size};
    size_t n = (size_t)model->element_count;
    double *c[10];
    for (int k = 0; k < 10; ++k)
        c[k] = k < 3 ? take_column(&reader, owned, n, sizeof(double))
                     : take_rounded(&reader, owned, n);
    frame->stress_ratio = take_column(&reader, owned, n, sizeof *frame->stress_ratio);
    frame->element_fragment = take_column(&reader, owned, n, sizeof *frame->element_fragment);
    frame->bond_broken = NULL;
    if (bytes_left(&reader) > 0) // frames of old formats end here
        frame->bond_broken = take_broken(&reader, owned, (size_t)model->bond_count);
    bool sensible = !reader.failed && sherd_run_normalize_quaternions(c[3], c[4], c[5], c[6], n);
    frame->x = c[0], frame->y = c[1], frame->z = c[2];
    frame->qx = c[3], frame->qy = c[4], frame->qz = c[5], frame->qw = c[6];
    frame->vx = c[7], frame->vy = c[8], frame->vz = c[9];
    return finish(&reader, sensible, where, "frame", error);
}

const sherd_run_decoders sherd_run_old_decoders = {decode_info, decode_model, decode_sections,
                                                   decode_step, decode_frame};
