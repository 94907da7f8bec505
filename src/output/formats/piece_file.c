#include "output/formats/piece_file.h"

#include "base/file_writer.h"
#include "output/byte_order.h"
#include "output/files/readable_frame.h"

#include <sherd/file.h>

#include <math.h>
#include <stdlib.h>

static const char MAGIC[8] = "SHERDPCS";
enum { VERSION = 1 };

// ---------------------------------------------------------------- what there is

static const sherd_mesh *mesh_of(const sherd_page_run *p, int piece)
{
    return sherd_surface_get_piece(p->last.surface, p->pieces[piece].surface).mesh;
}

static void count_all(sherd_piece_file *file)
{
    const sherd_page_run *p = &file->run;
    for (int k = 0; k < p->piece_count; ++k) {
        if (p->pieces[k].surface < 0) continue;
        const sherd_mesh *mesh = mesh_of(p, k);
        file->vertex_count += (size_t)mesh->vertex_count;
        file->triangle_count += (size_t)mesh->triangle_count;
        if (p->pieces[k].bends) file->bend_count += (size_t)mesh->vertex_count;
        ++file->mesh_count;
    }
    size_t frames = (size_t)p->frame_count, points = (size_t)p->point_count,
           obstacles = (size_t)p->model.obstacle_count;
    size_t *size = file->size;
    size[SECTION_VERTICES] = 3 * file->vertex_count * sizeof(float);
    size[SECTION_TRIANGLES] = 3 * file->triangle_count * sizeof(int32_t);
    size[SECTION_KINDS] = file->triangle_count;
    size[SECTION_TEXTURE] = 6 * file->triangle_count * sizeof(float);
    size[SECTION_TRACKS] = file->mesh_count * PIECE_TRACK_COLUMNS * frames * sizeof(float);
    size[SECTION_OBSTACLES] = obstacles * OBSTACLE_TRACK_COLUMNS * frames * sizeof(float);
    size[SECTION_RADII] = points * sizeof(float);
    size[SECTION_LABELS] = points * sizeof(int32_t);
    size[SECTION_FRAMES] = (file->bend_count + points) * VALUES_OF_A_PLACE * frames * sizeof(float);
}

static sherd_status allocate(sherd_piece_file *file, sherd_error *error)
{
    const sherd_page_run *p = &file->run;
    size_t places = file->bend_count + (size_t)p->point_count;
    file->tracks = malloc(file->size[SECTION_TRACKS] + 1);
    file->obstacles = malloc(file->size[SECTION_OBSTACLES] + 1);
    file->places = malloc((VALUES_OF_A_PLACE * places + 1) * sizeof *file->places);
    file->momentum = malloc((3 * (size_t)p->piece_count + 1) * sizeof *file->momentum);
    file->stress = malloc(((size_t)p->piece_count + 1) * sizeof *file->stress);
    bool ok = file->tracks != NULL && file->obstacles != NULL && file->places != NULL &&
              file->momentum != NULL && file->stress != NULL;
    return ok ? SHERD_OK : sherd_page_out_of_memory(error);
}

static void release(sherd_piece_file *file)
{
    sherd_byte_buffer_free(&file->shapes);
    free(file->tracks);
    free(file->obstacles);
    free(file->places);
    free(file->momentum);
    free(file->stress);
    sherd_page_run_free(&file->run);
}

// ---------------------------------------------------------------- one frame

// Computes momentum and largest stress of all pieces.
static void examine_elements(sherd_piece_file *file, const sherd_run_frame *f, const float *stress)
{
    const sherd_page_run *p = &file->run;
    const int32_t *slot = sherd_fragments_view(p->last.fragments).element_slot;
    for (int k = 0; k < p->piece_count; ++k)
        file->momentum[3 * k] = file->momentum[3 * k + 1] = file->momentum[3 * k + 2] =
            file->stress[k] = 0.0;
    for (sherd_element_index e = 0; e < p->model.element_count; ++e) {
        double *to = file->momentum + 3 * (size_t)slot[e], mass = p->model.mass[e];
        to[0] += mass * f->vx[e], to[1] += mass * f->vy[e], to[2] += mass * f->vz[e];
        if (stress != NULL && isfinite(stress[e]))
            file->stress[slot[e]] = fmax(file->stress[slot[e]], (double)stress[e]);
    }
}

static void put_pose(float *column, size_t frames, sherd_pose pose)
{
    const double values[OBSTACLE_TRACK_COLUMNS] = {
        pose.position.x, pose.position.y, pose.position.z, pose.rotation.x,
        pose.rotation.y, pose.rotation.z, pose.rotation.w};
    for (size_t c = 0; c < OBSTACLE_TRACK_COLUMNS; ++c)
        column[c * frames] = (float)values[c];
}

// q and -q are the same rotation: choose the sign nearer to the previous frame's.
static sherd_quat on_the_side_of(sherd_quat q, const float *before, size_t frames)
{
    double along = q.x * (double)before[3 * frames] + q.y * (double)before[4 * frames] +
                   q.z * (double)before[5 * frames] + q.w * (double)before[6 * frames];
    double sign = along < 0.0 ? -1.0 : 1.0;
    return (sherd_quat){sign * q.x, sign * q.y, sign * q.z, sign * q.w};
}

static void put_tracks(sherd_piece_file *file, const sherd_run_frame *f, size_t at)
{
    const sherd_page_run *p = &file->run;
    const sherd_fragment *fragments = sherd_fragments_view(p->last.fragments).fragments;
    size_t frames = (size_t)p->frame_count;
    float *track = file->tracks + at;
    for (int k = 0; k < p->piece_count; ++k) {
        if (p->pieces[k].surface < 0) continue;
        sherd_pose pose =
            sherd_piece_motion_pose(&p->pieces[k].motion, p->last.fragments, &p->model, f);
        if (at > 0) pose.rotation = on_the_side_of(pose.rotation, track - 1, frames);
        put_pose(track, frames, pose);
        const double *m = file->momentum + 3 * (size_t)k;
        track[7 * frames] = (float)(hypot(hypot(m[0], m[1]), m[2]) / fragments[k].mass);
        track[8 * frames] = (float)file->stress[k];
        track += PIECE_TRACK_COLUMNS * frames;
    }
    track = file->obstacles + at;
    for (int k = 0; k < p->model.obstacle_count; ++k) {
        sherd_pose pose = f->obstacles[k];
        if (at > 0) pose.rotation = on_the_side_of(pose.rotation, track - 1, frames);
        put_pose(track, frames, pose);
        track += OBSTACLE_TRACK_COLUMNS * frames;
    }
}

static float speed_of(const sherd_run_frame *f, sherd_element_index e)
{
    return (float)hypot(hypot(f->vx[e], f->vy[e]), f->vz[e]);
}

static float stress_of(const float *stress, sherd_element_index e)
{
    return stress != NULL && isfinite(stress[e]) ? stress[e] : 0.0f;
}

static void put_bending(sherd_piece_file *file, const sherd_run_frame *f, const float *stress)
{
    const sherd_page_run *p = &file->run;
    float *place = file->places, *speed = place + 3 * file->bend_count,
          *stresses = speed + file->bend_count;
    for (int k = 0; k < p->piece_count; ++k) {
        if (p->pieces[k].surface < 0 || !p->pieces[k].bends) continue;
        sherd_surface_piece piece = sherd_surface_get_piece(p->last.surface, p->pieces[k].surface);
        const double *posed = p->posed[p->pieces[k].surface];
        for (int32_t v = 0; v < piece.mesh->vertex_count; ++v) {
            sherd_element_index e = sherd_page_main_bone(&piece, v);
            for (int a = 0; a < 3; ++a)
                *place++ = (float)*posed++;
            *speed++ = speed_of(f, e);
            *stresses++ = stress_of(stress, e);
        }
    }
}

static void put_points(sherd_piece_file *file, const sherd_run_frame *f, const float *stress)
{
    const sherd_page_run *p = &file->run;
    float *place = file->places + VALUES_OF_A_PLACE * file->bend_count,
          *speed = place + 3 * (size_t)p->point_count, *stresses = speed + p->point_count;
    for (sherd_element_index k = 0; k < p->point_count; ++k) {
        sherd_element_index e = p->points[k];
        *place++ = (float)f->x[e], *place++ = (float)f->y[e], *place++ = (float)f->z[e];
        *speed++ = speed_of(f, e);
        *stresses++ = stress_of(stress, e);
    }
}

// ---------------------------------------------------------------- sections

static void write_number(sherd_file_writer *writer, float value)
{
    unsigned char bytes[4];
    sherd_store_f32(bytes, (double)value);
    sherd_file_writer_write(writer, bytes, sizeof bytes);
}

static void write_whole(sherd_file_writer *writer, int32_t value)
{
    unsigned char bytes[4];
    sherd_store_u32(bytes, (uint32_t)value);
    sherd_file_writer_write(writer, bytes, sizeof bytes);
}

static void write_numbers(sherd_file_writer *writer, const float *values, size_t count)
{
    for (size_t k = 0; k < count; ++k)
        write_number(writer, values[k]);
}

static void align(sherd_file_writer *writer)
{
    static const char zeros[PIECE_FILE_ALIGNMENT] = {0};
    size_t past = (size_t)sherd_file_writer_size(writer) % PIECE_FILE_ALIGNMENT;
    if (past > 0) sherd_file_writer_write(writer, zeros, PIECE_FILE_ALIGNMENT - past);
}

static void write_mesh(const sherd_page_run *p, int k, sherd_piece_section section,
                       sherd_file_writer *writer)
{
    const sherd_mesh *mesh = mesh_of(p, k);
    size_t triangles = (size_t)mesh->triangle_count;
    sherd_vec3 c = p->pieces[k].rest_center;
    const double center[3] = {c.x, c.y, c.z};
    if (section == SECTION_VERTICES)
        for (size_t v = 0; v < 3 * (size_t)mesh->vertex_count; ++v)
            write_number(writer, (float)(mesh->vertices[v] - center[v % 3]));
    if (section == SECTION_TRIANGLES)
        for (size_t t = 0; t < 3 * triangles; ++t)
            write_whole(writer, mesh->triangles[t]);
    if (section == SECTION_KINDS) sherd_file_writer_write(writer, mesh->face_kind, triangles);
    if (section == SECTION_TEXTURE)
        for (size_t t = 0; t < 6 * triangles; ++t)
            write_number(writer, mesh->uv != NULL ? mesh->uv[t] : 0.0f);
}

static void write_meshes(const sherd_piece_file *file, sherd_file_writer *writer)
{
    const sherd_page_run *p = &file->run;
    for (sherd_piece_section s = SECTION_VERTICES; s <= SECTION_TEXTURE; ++s) {
        align(writer);
        for (int k = 0; k < p->piece_count; ++k)
            if (p->pieces[k].surface >= 0) write_mesh(p, k, s, writer);
    }
    align(writer);
    sherd_file_writer_write(writer, file->shapes.bytes, file->shapes.size);
}

static void write_motion(const sherd_piece_file *file, sherd_file_writer *writer)
{
    const sherd_page_run *p = &file->run;
    sherd_fragment_view view = sherd_fragments_view(p->last.fragments);
    align(writer);
    write_numbers(writer, file->tracks, file->size[SECTION_TRACKS] / sizeof(float));
    align(writer);
    write_numbers(writer, file->obstacles, file->size[SECTION_OBSTACLES] / sizeof(float));
    align(writer);
    for (sherd_element_index k = 0; k < p->point_count; ++k)
        write_number(writer, (float)p->model.radius[p->points[k]]);
    align(writer);
    for (sherd_element_index k = 0; k < p->point_count; ++k)
        write_whole(writer, view.element_fragment[p->points[k]]);
    align(writer);
}

typedef enum frame_pass { FOR_TRACKS, FOR_PLACES } frame_pass;

static sherd_status read_frame(sherd_piece_file *file, const sherd_run_frame *f, frame_pass pass,
                               sherd_error *error)
{
    sherd_page_run *p = &file->run;
    const float *stress = sherd_page_run_stress(p, f);
    if (pass == FOR_TRACKS) {
        examine_elements(file, f, stress);
        put_tracks(file, f, (size_t)(f->index - p->job->first));
        return SHERD_OK;
    }
    sherd_status status = file->bend_count > 0 ? sherd_page_run_pose(p, f, error) : SHERD_OK;
    if (status != SHERD_OK) return status;
    put_bending(file, f, stress);
    put_points(file, f, stress);
    return SHERD_OK;
}

// Tracks are stored column by column, so they are collected in memory until all frames are read.
// Vertices and points are written frame by frame.
static sherd_status read_frames(sherd_piece_file *file, frame_pass pass, sherd_file_writer *writer,
                                sherd_error *error)
{
    const sherd_format_job *job = file->run.job;
    size_t places = VALUES_OF_A_PLACE * (file->bend_count + (size_t)file->run.point_count);
    if (pass == FOR_PLACES && places == 0) return SHERD_OK;
    for (int64_t k = job->first; k <= job->last; ++k) {
        sherd_run_frame *frame = sherd_readable_frame(job->run, k, job->first, job->last, error);
        if (frame == NULL) return error->status;
        sherd_status status = read_frame(file, frame, pass, error);
        sherd_run_frame_destroy(frame);
        if (status != SHERD_OK) return status;
        if (pass == FOR_PLACES) write_numbers(writer, file->places, places);
    }
    return SHERD_OK;
}

static sherd_status write_to(sherd_piece_file *file, sherd_file_writer *writer, sherd_error *error)
{
    sherd_byte_buffer about = {0};
    sherd_status status = sherd_piece_file_about(file, &about, error);
    if (status == SHERD_OK) {
        sherd_file_writer_write(writer, MAGIC, sizeof MAGIC);
        write_whole(writer, VERSION);
        write_whole(writer, (int32_t)about.size);
        sherd_file_writer_write(writer, about.bytes, about.size);
        write_meshes(file, writer);
    }
    sherd_byte_buffer_free(&about);
    if (status == SHERD_OK) status = read_frames(file, FOR_TRACKS, writer, error);
    if (status != SHERD_OK) return status;
    write_motion(file, writer);
    return read_frames(file, FOR_PLACES, writer, error);
}

static sherd_status write_file(sherd_piece_file *file, const char *place, sherd_error *error)
{
    sherd_file_writer *writer = sherd_file_writer_create(place, error);
    if (writer == NULL) return error->status;
    sherd_status status = write_to(file, writer, error);
    if (status == SHERD_OK) return sherd_file_writer_commit(writer, error);
    sherd_file_writer_abort(writer);
    return status;
}

sherd_status sherd_piece_file_write(sherd_format_job *job, sherd_error *error)
{
    sherd_piece_file file = {0};
    sherd_status status = sherd_page_run_gather(&file.run, job, error);
    if (status == SHERD_OK) count_all(&file);
    if (status == SHERD_OK) status = allocate(&file, error);
    if (status == SHERD_OK) status = write_file(&file, job->path, error);
    if (status == SHERD_OK) {
        job->result->pieces =
            (int)(file.mesh_count + (size_t)file.run.point_count) + file.run.model.obstacle_count;
        job->result->size = sherd_file_size(job->path);
    }
    release(&file);
    return status;
}
