#include "animation/animation.h"

#include "animation/mesh_faults.h"
#include "base/assertion.h"
#include "base/error.h"
#include "base/memory.h"

#include <limits.h>
#include <math.h>

static sherd_status fail_animation(sherd_error *error, const char *where, const char *what)
{
    return sherd_fail(error, SHERD_ERROR_INPUT, where, NULL, "%s", what);
}

// ---------------------------------------------------------------- life

static sherd_status check_def(const sherd_animation_def *def, sherd_error *error)
{
    if (def->frame_count < 1 || def->times == NULL)
        return fail_animation(error, "animation.frame_count", "there must be at least one frame");
    if (!(def->texture_size > 0.0) || !isfinite(def->texture_size))
        return fail_animation(error, "animation.texture_size", "must be > 0");
    for (int64_t k = 0; k < def->frame_count; ++k) {
        bool ascends =
            k == 0 ? def->times[k] >= 0.0 : (float)def->times[k] > (float)def->times[k - 1];
        if (!ascends || !isfinite(def->times[k]))
            return fail_animation(error, "animation.times", "must be finite, >= 0 and ascend");
    }
    return SHERD_OK;
}

static bool copy_def(sherd_animation *animation, const sherd_animation_def *def)
{
    animation->name = sherd_string_copy(def->name != NULL ? def->name : "Sherd");
    animation->folder = sherd_string_copy(def->folder);
    animation->tracks.spool.folder = animation->states.spool.folder = animation->folder;
    animation->frame_count = def->frame_count;
    animation->texture_size = def->texture_size;
    animation->slow_motion = def->slow_motion > 0.0 ? def->slow_motion : 1.0;
    animation->compact = def->compact;
    animation->times = sherd_alloc((size_t)def->frame_count, sizeof *animation->times);
    for (int64_t k = 0; animation->times != NULL && k < def->frame_count; ++k)
        animation->times[k] = (float)def->times[k];
    return animation->name != NULL && animation->times != NULL &&
           (def->folder == NULL || animation->folder != NULL);
}

sherd_animation *sherd_animation_create(const sherd_animation_def *def,
                                        const sherd_animation_writer *writer, sherd_error *error)
{
    SHERD_ASSERT(writer != NULL, "an animation has a writer");
    if (check_def(def, error) != SHERD_OK) return NULL;
    sherd_animation *animation = sherd_alloc(1, sizeof *animation);
    if (animation != NULL) animation->writer = writer;
    if (animation != NULL && copy_def(animation, def)) animation->file = writer->create(animation);
    if (animation != NULL && animation->file != NULL) return animation;
    sherd_animation_destroy(animation);
    sherd_fail_memory(error, "animation");
    return NULL;
}

void sherd_animation_destroy(sherd_animation *animation)
{
    if (animation == NULL) return;
    if (animation->file != NULL) animation->writer->destroy(animation->file);
    for (int k = 0; k < animation->piece_count; ++k)
        sherd_free((char *)animation->pieces[k].name);
    sherd_pose_tracks_free(&animation->tracks);
    sherd_pose_tracks_free(&animation->states);
    sherd_free(animation->pieces);
    sherd_free(animation->times);
    sherd_free(animation->folder);
    sherd_free(animation->name);
    sherd_free(animation);
}

// ---------------------------------------------------------------- materials and meshes

static bool is_in_unit_range(double value)
{
    return value >= 0.0 && value <= 1.0;
}

int sherd_animation_add_material(sherd_animation *animation, const sherd_animation_material *m,
                                 sherd_error *error)
{
    if (!is_in_unit_range(m->red) || !is_in_unit_range(m->green) || !is_in_unit_range(m->blue) ||
        !is_in_unit_range(m->roughness) || !is_in_unit_range(m->metallic) ||
        !is_in_unit_range(m->transmission)) {
        fail_animation(error, "animation material",
                       "colours, roughness, metallic and transmission must be from 0 to 1");
        return -1;
    }
    return animation->writer->add_material(animation, m, error) == SHERD_OK
               ? animation->material_count++
               : -1;
}

static sherd_status check_mesh(const sherd_animation *animation, const sherd_animation_mesh *mesh,
                               sherd_error *error)
{
    if (mesh->triangle_count < 1 || mesh->vertex_count < 1 || mesh->vertex_count > INT_MAX / 9)
        return fail_animation(error, "animation mesh",
                              "a mesh needs triangles, and no more than 200 million");
    const sherd_material_mesh faces = {
        mesh->vertex_count, mesh->vertices,       mesh->triangle_count,
        mesh->triangles,    mesh->outer_material, mesh->inner_material,
        mesh->group,        mesh->group_count,    mesh->group_materials};
    const char *fault = sherd_mesh_fault(&faces, animation->material_count);
    return fault == NULL ? SHERD_OK : fail_animation(error, "animation mesh", fault);
}

int sherd_animation_add_mesh(sherd_animation *animation, const sherd_animation_mesh *mesh,
                             sherd_error *error)
{
    if (check_mesh(animation, mesh, error) != SHERD_OK) return -1;
    return animation->writer->add_mesh(animation, mesh, error) == SHERD_OK ? animation->mesh_count++
                                                                           : -1;
}

static sherd_status check_points(const sherd_animation *animation, const sherd_animation_points *p,
                                 sherd_error *error)
{
    const char *wrong = NULL;
    if (p->count < 1 || p->count > INT_MAX / 9)
        wrong = "it needs points, and at most 200 million";
    else if (p->material < 0 || p->material >= animation->material_count)
        wrong = "its material does not exist";
    for (int64_t k = 0; wrong == NULL && k < 3 * (int64_t)p->count; ++k)
        if (!isfinite(p->positions[k])) wrong = "a point is not a number";
    if (wrong == NULL) return SHERD_OK;
    return sherd_fail(error, SHERD_ERROR_INPUT, "animation points", NULL, "%s", wrong);
}

int sherd_animation_add_points(sherd_animation *animation, const sherd_animation_points *points,
                               sherd_error *error)
{
    SHERD_ASSERT(animation->writer->add_points != NULL, "the format has clouds of points");
    if (check_points(animation, points, error) != SHERD_OK) return -1;
    return animation->writer->add_points(animation, points, error) == SHERD_OK
               ? animation->mesh_count++
               : -1;
}

// ---------------------------------------------------------------- pieces

int sherd_animation_add_piece(sherd_animation *animation, const sherd_animation_piece *piece,
                              sherd_error *error)
{
    SHERD_ASSERT(animation->piece_count == animation->tracks.count, "every piece has a track");
    if (piece->mesh < 0 || piece->mesh >= animation->mesh_count || !(piece->scale > 0.0) ||
        !isfinite(piece->scale)) {
        fail_animation(error, "animation piece", "it needs a mesh that exists and a scale > 0");
        return -1;
    }
    char *name = sherd_string_copy(piece->name != NULL ? piece->name : "piece");
    if (name == NULL ||
        !sherd_grow((void **)&animation->pieces, &animation->piece_capacity,
                    (size_t)animation->piece_count + 1, sizeof *animation->pieces) ||
        !sherd_pose_tracks_begin(&animation->tracks) ||
        !sherd_pose_tracks_begin(&animation->states)) {
        sherd_free(name);
        sherd_fail_memory(error, "animation");
        return -1;
    }
    animation->pieces[animation->piece_count] = *piece;
    animation->pieces[animation->piece_count].name = name;
    return animation->piece_count++;
}

static bool pose_is_finite(sherd_pose pose)
{
    const double words[] = {pose.position.x, pose.position.y, pose.position.z, pose.rotation.x,
                            pose.rotation.y, pose.rotation.z, pose.rotation.w};
    double norm = 0.0;
    for (int k = 0; k < 7; ++k) {
        if (!isfinite(words[k])) return false;
        if (k >= 3) norm += words[k] * words[k];
    }
    return norm > 0.25 && norm < 4.0; // a unit quaternion, give or take
}

sherd_status sherd_animation_set_pose(sherd_animation *animation, int piece, int64_t frame,
                                      sherd_pose pose, sherd_error *error)
{
    if (piece < 0 || piece >= animation->piece_count || frame < 0 ||
        frame >= animation->frame_count)
        return fail_animation(error, "animation pose", "no such piece or frame");
    if (!pose_is_finite(pose))
        return fail_animation(error, "animation pose", "not a position and a unit quaternion");
    const sherd_pose_track *track = &animation->tracks.items[piece];
    if (track->count > 0 && frame != track->first_frame + track->count)
        return fail_animation(error, "animation pose",
                              "the frames of a piece must follow each other");
    if (!sherd_pose_tracks_add(&animation->tracks, piece, frame, pose))
        return sherd_fail_memory(error, "animation");
    return SHERD_OK;
}

// ---------------------------------------------------------------- what only USD has

static bool has_pose(const sherd_animation *animation, int piece, int64_t frame)
{
    if (piece < 0 || piece >= animation->piece_count) return false;
    const sherd_pose_track *track = &animation->tracks.items[piece];
    return frame >= track->first_frame && frame < track->first_frame + track->count;
}

sherd_status sherd_animation_set_vertices(sherd_animation *animation, int piece, int64_t frame,
                                          const double *vertices, sherd_error *error)
{
    SHERD_ASSERT(animation->writer->set_vertices != NULL, "the format has pieces that deform");
    if (!has_pose(animation, piece, frame))
        return fail_animation(error, "animation vertices", "the piece has no pose in the frame");
    return animation->writer->set_vertices(animation, piece, frame, vertices, error);
}

sherd_status sherd_animation_set_state(sherd_animation *animation, int piece, int64_t frame,
                                       sherd_animation_state state, sherd_error *error)
{
    if (!has_pose(animation, piece, frame))
        return fail_animation(error, "animation state", "the piece has no pose in the frame");
    const sherd_pose row = {{state.speed, state.stress, state.age}, {0.0, 0.0, 0.0, 1.0}};
    if (!sherd_pose_tracks_add(&animation->states, piece, frame, row))
        return sherd_fail_memory(error, "animation");
    return SHERD_OK;
}

int sherd_animation_add_instancer(sherd_animation *animation,
                                  const sherd_animation_instancer *instancer, sherd_error *error)
{
    SHERD_ASSERT(animation->writer->add_instancer != NULL, "the format has instancers");
    if (instancer->mesh < 0 || instancer->mesh >= animation->mesh_count) {
        fail_animation(error, "animation instancer", "it needs a mesh that exists");
        return -1;
    }
    return animation->writer->add_instancer(animation, instancer, error) == SHERD_OK
               ? animation->instancer_count++
               : -1;
}

sherd_status sherd_animation_set_instances(sherd_animation *animation, int instancer, int64_t frame,
                                           const sherd_animation_instances *instances,
                                           sherd_error *error)
{
    if (instancer < 0 || instancer >= animation->instancer_count || frame < 0 ||
        frame >= animation->frame_count)
        return fail_animation(error, "animation instances", "no such instancer or frame");
    for (int64_t k = 0; k < 3 * (int64_t)instances->count; ++k)
        if (!isfinite(instances->positions[k]) || !isfinite(instances->velocity[k]))
            return fail_animation(error, "animation instances", "one is not a number");
    return animation->writer->set_instances(animation, instancer, frame, instances, error);
}

bool sherd_animation_posed_piece(sherd_animation *animation, int piece, sherd_posed_piece *course)
{
    SHERD_ASSERT(piece >= 0 && piece < animation->piece_count, "writers ask for pieces that exist");
    SHERD_ASSERT(animation->tracks.items[piece].count > 0, "writers ask for pieces with poses");
    *course = (sherd_posed_piece){&animation->pieces[piece], &animation->tracks.items[piece],
                                  sherd_pose_tracks_read(&animation->tracks, piece)};
    return course->poses != NULL;
}

sherd_status sherd_animation_write(sherd_animation *animation, const char *path, sherd_error *error)
{
    if (animation->tracks.run_count == 0 && animation->instancer_count == 0)
        return sherd_fail(error, SHERD_ERROR_INPUT, path, "give pieces poses before writing",
                          "there is nothing to export");
    return animation->writer->write(animation, path, error);
}
