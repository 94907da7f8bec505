// Writes run files of formats 2 to 4, as versions before records did (docs/reference/run-file.md, "Former formats"): what
// today's reader must still read.
#pragma once

#include "base/byte_planes.h"
#include "base/file_writer.h"
#include "output/run_file/run_format.h"

#include <criterion/criterion.h>
#include <string.h>
#include <zlib.h>

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
    put_integer(buffer, text != NULL ? (int64_t)strlen(text) : 0);
    sherd_byte_buffer_append(buffer, text, text != NULL ? strlen(text) : 0);
}

static void put_column(sherd_byte_buffer *buffer, const void *items, size_t count, size_t width)
{
    unsigned char *planes = sherd_byte_buffer_extend(buffer, count * width);
    if (planes != NULL) sherd_byte_planes_split(planes, items, count, width);
}

static void put_rounded(sherd_byte_buffer *buffer, const double *items, size_t count)
{
    unsigned char *planes = sherd_byte_buffer_extend(buffer, count * sizeof(float));
    if (planes != NULL) sherd_byte_planes_split_rounded(planes, items, count);
}

// Each setting ends with `end`.
static void put_settings(sherd_byte_buffer *buffer, const sherd_run_info *info, char end)
{
    size_t size = 0;
    for (int k = 0; k < info->setting_count; ++k)
        size += strlen(info->settings[k]) + 1;
    put_integer(buffer, (int64_t)size);
    for (int k = 0; k < info->setting_count; ++k) {
        sherd_byte_buffer_append(buffer, info->settings[k], strlen(info->settings[k]));
        sherd_byte_buffer_append(buffer, &end, 1);
    }
}

static void put_info(sherd_byte_buffer *buffer, const sherd_run_info *info, int version)
{
    put_string(buffer, info->name);
    put_string(buffer, info->scene_path);
    put_string(buffer, info->scene_text);
    put_string(buffer, info->variant);
    put_settings(buffer, info, version == 2 ? '\n' : '\0');
    put_string(buffer, info->machine);
    put_string(buffer, info->version);
    put_number(buffer, info->duration);
    put_number(buffer, info->frame_interval);
    put_integer(buffer, info->frames_planned);
    if (version > 2) put_string(buffer, info->simd);
}

static void put_tetras(sherd_byte_buffer *buffer, const sherd_run_model *model)
{
    for (int k = 0; k < model->body_count; ++k) {
        const sherd_tetra_mesh *mesh = model->tetras[k];
        put_integer(buffer, mesh != NULL ? mesh->vertex_count : 0);
        put_integer(buffer, mesh != NULL ? mesh->tetra_count : 0);
        if (mesh == NULL) continue;
        put_column(buffer, mesh->vertices, 3 * (size_t)mesh->vertex_count, sizeof(double));
        put_column(buffer, mesh->tetras, 4 * (size_t)mesh->tetra_count, sizeof *mesh->tetras);
    }
}

static void put_model(sherd_byte_buffer *buffer, const sherd_run_model *model)
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
        put_column(buffer, columns[k], n, sizeof(double));
    put_column(buffer, model->material, n, sizeof *model->material);
    put_column(buffer, model->bond_i, m, sizeof *model->bond_i);
    put_column(buffer, model->bond_j, m, sizeof *model->bond_j);
    if (model->tetras != NULL) put_tetras(buffer, model);
}

enum { ENERGY_WORDS = 12, POSE_WORDS = 7 }; // 64-bit words

static uint64_t number_word(double number)
{
    uint64_t word;
    memcpy(&word, &number, sizeof word);
    return word;
}

static void put_stats(sherd_byte_buffer *buffer, const sherd_run_stats *s)
{
    uint64_t words[11 + ENERGY_WORDS] = {(uint64_t)s->frame,
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

static void put_step(sherd_byte_buffer *buffer, const sherd_run_frame *frame, int obstacle_count,
                     const sherd_bond_index *newly_broken, sherd_bond_index newly_broken_count,
                     int version)
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
    put_column(buffer, newly_broken, (size_t)newly_broken_count, sizeof *newly_broken);
    if (version > 3) put_number(buffer, frame->stats.energy.dissipated_onset);
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

static void put_frame(sherd_byte_buffer *buffer, const sherd_run_frame *frame,
                      const sherd_run_model *model, int version)
{
    size_t n = (size_t)model->element_count;
    const double *exact[] = {frame->x, frame->y, frame->z};
    const double *rounded[] = {frame->qx, frame->qy, frame->qz, frame->qw,
                               frame->vx, frame->vy, frame->vz};
    for (int k = 0; k < 3; ++k)
        put_column(buffer, exact[k], n, sizeof(double));
    for (int k = 0; k < 7; ++k)
        put_rounded(buffer, rounded[k], n);
    put_column(buffer, frame->stress_ratio, n, sizeof *frame->stress_ratio);
    put_column(buffer, frame->element_fragment, n, sizeof *frame->element_fragment);
    if (version > 3) put_broken(buffer, frame->bond_broken, (size_t)model->bond_count);
}

// ---------------------------------------------------------------- files

typedef struct former_run {
    sherd_file_writer *file;
    const sherd_run_model *model;
    int version;
} former_run;

static void put_chunk(sherd_file_writer *file, uint32_t kind, int64_t index,
                      sherd_byte_buffer *payload)
{
    cr_assert(sherd_chunk_write(file, kind, index, payload, NULL, NULL) == SHERD_OK);
    sherd_byte_buffer_free(payload);
}

// `path` is that of run.sherd, in a folder that exists.
static former_run former_run_begin(const char *path, const sherd_run_info *info,
                                   const sherd_run_model *model, int version)
{
    former_run run = {sherd_file_writer_create(path, NULL), model, version};
    cr_assert(run.file != NULL);
    unsigned char header[SHERD_CHUNK_FILE_HEADER_SIZE] = SHERD_RUN_MAGIC;
    header[8] = (unsigned char)version;
    uint32_t crc = (uint32_t)crc32_z(0, header, 28);
    memcpy(header + 28, &crc, sizeof crc);
    sherd_file_writer_write(run.file, header, sizeof header);
    sherd_byte_buffer scene = {0}, arrays = {0}, sections = {0};
    put_info(&scene, info, version);
    put_chunk(run.file, SHERD_CHUNK_INFO, -1, &scene);
    put_model(&arrays, model);
    put_chunk(run.file, SHERD_CHUNK_MODEL, -1, &arrays);
    if (version < 4) return run;
    put_column(&sections, model->bond_section, (size_t)model->bond_count,
               sizeof *model->bond_section);
    put_chunk(run.file, SHERD_CHUNK_BONDS, -1, &sections);
    return run;
}

static void former_run_frame(former_run *run, const sherd_run_frame *frame,
                             const sherd_bond_index *newly_broken, sherd_bond_index count)
{
    sherd_byte_buffer step = {0}, arrays = {0};
    put_step(&step, frame, run->model->obstacle_count, newly_broken, count, run->version);
    put_chunk(run->file, SHERD_CHUNK_STEP, frame->index, &step);
    put_frame(&arrays, frame, run->model, run->version);
    put_chunk(run->file, SHERD_CHUNK_FRAME, frame->index, &arrays);
}

static void former_run_end(former_run *run)
{
    cr_assert(sherd_file_writer_commit(run->file, NULL) == SHERD_OK);
}
